"""Symbols: the shape of each role as a path, and many of them drawn at once."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyqtgraph.Qt import internals
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from kernelplay.ui.plane import device_ratio
from kernelplay.ui.theme import Shape, Style, Theme

Array = NDArray[np.float64]

LINE = 1e-6  # device pixels
# what is said of single points, over or around them: of more on a screen one stands for those close to it
SIGNS = frozenset({"error", "support_free", "support_bounded", "conflict"})
MANY_SIGNS, SIGNS_APART = 2000, 16.0  # pixels
SCREEN = (-96.0, 8000.0)  # pixels from the corner of a plot between which symbols are drawn where they are very many


@lru_cache(maxsize=256)
def path(shape: Shape, size: float) -> QPainterPath:
    """Return the outline of `shape` about the origin, `size` pixels across."""
    made = QPainterPath()
    r = size / 2
    if shape in ("disc", "ring", "double ring", "burst"):
        made.addEllipse(QPointF(0, 0), r, r)
    if shape == "double ring":
        made.addEllipse(QPointF(0, 0), 0.74 * r, 0.74 * r)
    if shape == "burst":  # a ring with four ticks, as of an aim
        for angle in (45, 135, 225, 315):
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            made.moveTo(c * 0.73 * r, s * 0.73 * r)
            made.lineTo(c * 1.27 * r, s * 1.27 * r)
    elif shape == "square":
        made.addRect(QRectF(-r, -r, size, size))
    elif shape == "triangle":
        _polygon(made, [(r * 1.2, -90 + 120 * k) for k in range(3)], drop=r * 0.2)
    elif shape == "down triangle":
        _polygon(made, [(r * 1.2, 90 + 120 * k) for k in range(3)], drop=-r * 0.2)
    elif shape == "bar":
        made.addRect(QRectF(-0.54 * r, -1.2 * r, 1.08 * r, 2.4 * r))
    elif shape == "diamond":
        _polygon(made, [(r * 1.1, 90 * k) for k in range(4)])
    elif shape == "star":
        _polygon(made, [(r * (1.15 if k % 2 == 0 else 0.5), -90 + 36 * k) for k in range(10)])
    elif shape == "plus":
        a = r * 0.36
        up, across = QPainterPath(), QPainterPath()
        up.addRect(QRectF(-a, -r, 2 * a, size))
        across.addRect(QRectF(-r, -a, size, 2 * a))
        made = up.united(across)
    elif shape == "cross":
        d = r * math.sqrt(0.5)
        for x in (-d, d):
            made.moveTo(x, -d)
            made.lineTo(-x, d)
    return made


def _polygon(made: QPainterPath, corners: list[tuple[float, float]], drop: float = 0.0) -> None:
    for k, (radius, angle) in enumerate(corners):
        x, y = radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle)) + drop
        if k == 0:
            made.moveTo(x, y)
        else:
            made.lineTo(x, y)
    made.closeSubpath()


def pen(style: Style, flat: bool = False) -> QPen:
    """Return the pen of `style`; a plain pen, whose width grows with the painter's transform. flat: with ends as those
    of dashes."""
    if not style.line:
        return QPen(Qt.PenStyle.NoPen)
    made = QPen(QColor(style.line), style.width)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin if not style.dash else Qt.PenJoinStyle.BevelJoin)
    made.setCapStyle(Qt.PenCapStyle.FlatCap if style.dash or flat else Qt.PenCapStyle.RoundCap)
    if style.dash:
        made.setDashPattern([length / made.widthF() for length in style.dash])
    return made


def fill(style: Style) -> QColor:
    """Return the colour inside shapes of `style`."""
    colour = QColor(style.fill) if style.fill else QColor(Qt.GlobalColor.transparent)
    if style.fill and style.opacity < 1:
        colour.setAlphaF(style.opacity)
    return colour


def draw_one(painter: QPainter, style: Style, x: float, y: float) -> None:
    """Draw one symbol of `style` at a pixel."""
    painter.save()
    painter.translate(x, y)
    if style.halo:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        halo = QPen(QColor(style.halo), 3 * style.width)
        halo.setCapStyle(Qt.PenCapStyle.RoundCap)
        halo.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(halo)
        painter.drawPath(path(style.shape, style.size))
    made = pen(style)
    if style.fill:
        made.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(made)
    painter.setBrush(fill(style))
    painter.drawPath(path(style.shape, style.size))
    painter.restore()


def _stamp(style: Style, ratio: float) -> QPixmap:
    """Return the symbol of `style` as a picture of `ratio` device pixels to the pixel, an odd number of them across, so
    that its centre is the centre of a pixel."""
    across = 2 * math.ceil(ratio * (style.size * 0.65 + style.width + 3)) + 1
    pixmap = QPixmap(QSize(across, across))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(across / 2, across / 2)
    painter.scale(ratio, ratio)
    draw_one(painter, style, 0, 0)
    painter.end()
    return pixmap


def thinned(xy: Array, many: int, apart: float, corner: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.intp]:
    """Return the rows of the pixels (n, 2) without those that lie in the same cell of `apart` pixels as another one, if
    more than `many` are on the screen. corner: where cells begin, so that they go along with a view that moves."""
    x, y = xy[:, 0], xy[:, 1]
    low, high = SCREEN
    rows = np.flatnonzero((x >= low) & (x < high) & (y >= low) & (y < high)) if len(xy) > many else np.zeros(0, np.intp)
    if len(rows) <= many:
        return np.arange(len(xy))
    across = int((high - low) / apart) + 2
    column, row = (((side[rows] - low - (begin - low) % apart) / apart + 1).astype(np.intp)
                   for side, begin in ((x, corner[0]), (y, corner[1])))
    in_cell = np.full(across * across, -1, np.int32)
    in_cell[row * across + column] = rows
    return np.sort(in_cell[in_cell >= 0]).astype(np.intp)


class Stamper:
    """Draws one small picture at many places."""

    def __init__(self) -> None:
        self._fragments = internals.PrimitiveArray(QPainter.PixmapFragment, 10)

    def draw(self, painter: QPainter, pixmap: QPixmap, xy: Array) -> None:
        """Draw `pixmap`, made for the device of `painter`, with its middle at the pixels xy (n, 2)."""
        ratio = device_ratio(painter)
        self._fragments.resize(len(xy))
        rows = self._fragments.ndarray()
        # whole device pixels: stamped where it belongs to within half of one, and as sharp as it was drawn; on the line
        # between two it belongs to the second, however it was rounded
        rows[:, 0:2] = (np.floor(xy * ratio + LINE) + 0.5) / ratio
        rows[:, 2:4] = 0.0
        rows[:, 4:6] = pixmap.width()
        rows[:, 6:8] = 1.0 / ratio
        rows[:, 8] = 0.0
        rows[:, 9] = 1.0
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawPixmapFragments(*self._fragments.drawargs(), pixmap)  # type: ignore[call-arg]


class Stamps:
    """Draws many symbols of one role: stamped pictures on a screen or an image, paths in a vector file."""

    def __init__(self) -> None:
        self._stamper = Stamper()
        self._made: dict[tuple[Any, ...], QPixmap] = {}

    def draw(self, painter: QPainter, theme: Theme, role: Any, xy: Array, vector: bool) -> None:
        """Draw `role` at the pixels xy (n, 2)."""
        if not len(xy):
            return
        style = theme.style(role)
        if vector:
            for x, y in xy.tolist():
                draw_one(painter, style, x, y)
            return
        ratio = device_ratio(painter)
        if len(self._made) > 200:
            self._made.clear()
        key = (*vars(style).values(), ratio)  # no style, and no theme, is kept for a picture of it
        pixmap = self._made.get(key) or self._made.setdefault(key, _stamp(style, ratio))
        self._stamper.draw(painter, pixmap, xy)
