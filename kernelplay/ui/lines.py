"""Lines into ink, however they wind: as paths where these are fast, else in pieces that look the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from pyqtgraph.Qt import internals
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from kernelplay.ui.plane import Plane, device_ratio
from kernelplay.ui.polylines import Number, dashes, pieces, simplified, simplified_all, together

Array = NDArray[np.float64]

# what a path grows slow with, faster than in proportion: 40,000 places took 0.5 s, 400 spikes of the height of the
# plane 2 s, as pieces 0.02 and 0.01; device pixels of one line and of the lines of a mark, places of these
LONG, LONG_IN_ALL, TANGLED = 6000.0, 24_000.0, 2500


class Lines:
    """Polylines of pixels, as paths, in pieces or in dashes, each made when it is asked for; and (x, y, angle, text) in
    gaps."""

    def __init__(self, lines: list[Array], labels: list[tuple[float, float, float, str]]) -> None:
        self._lines = lines
        self.labels = labels
        self._dashes: dict[tuple[float, ...], Array] = {}
        self._pieces: dict[float, Array] = {}

    @cached_property
    def path(self) -> QPainterPath:
        """All of them as one path."""
        return polyline(self._lines)

    @cached_property
    def paths(self) -> list[QPainterPath]:
        """Each of them as a path: one path of them all would take longer."""
        return [polyline([line]) for line in self._lines]

    def tangled(self, ratio: float) -> bool:
        """Whether they wind so much that paths of them take far longer than their pieces, drawn one by one; ratio:
        device pixels to the pixel."""
        longest, whole, places = self._size
        return places > TANGLED or longest * ratio > LONG or whole * ratio > LONG_IN_ALL

    @cached_property
    def _plain(self) -> tuple[Array, Number]:
        return simplified_all(*together(self._lines))

    @cached_property
    def _size(self) -> tuple[float, float, int]:
        places, number = self._plain
        steps = np.hypot(*np.diff(places, axis=0).T)
        steps[number[1:] != number[:-1]] = 0.0
        lengths = np.bincount(number[1:], steps) if len(number) else np.zeros(1)
        return float(lengths.max()), float(lengths.sum()), len(places)

    def pieces(self, width: float, plane: Plane) -> Array:
        """Return straight pieces (n, 4) that look as the lines in `plane`, with a pen of this width with flat ends."""
        if width not in self._pieces:
            self._pieces[width] = pieces(*self._plain, width, plane.box)
        return self._pieces[width]

    def dashes(self, lengths: tuple[float, ...], plane: Plane) -> Array:
        """Return their dashes (n, 4) in `plane`, of these lengths."""
        if lengths not in self._dashes:
            self._dashes[lengths] = dashes(self._lines, lengths, plane.box)
        return self._dashes[lengths]


class Strokes:
    """Draws straight pieces."""

    def __init__(self) -> None:
        self._lines = internals.PrimitiveArray(QLineF, 4)

    def draw(self, painter: QPainter, pieces: Array) -> None:
        """Draw straight pieces (n, 4), all in one call: an eighth of the time that a dashed pen takes for a path."""
        if len(pieces):
            self._lines.resize(len(pieces))
            self._lines.ndarray()[:] = pieces
            painter.drawLines(*self._lines.drawargs())

    def tangle(self, painter: QPainter, plane: Plane, lines: Lines, with_pen: QPen) -> None:
        """Draw lines in pieces; where a pen lets something through, its pieces would be seen to overlap: there they are
        drawn beside, with a pen that does not, and then all together put in their place."""
        pieces = lines.pieces(with_pen.widthF(), plane)
        if painter.opacity() == 1.0 and with_pen.color().alpha() == 255:
            painter.setPen(with_pen)
            self.draw(painter, pieces)
            return
        ratio = device_ratio(painter)
        beside = QImage(math.ceil(plane.width * ratio) + 2, math.ceil(plane.height * ratio) + 2,
                        QImage.Format.Format_ARGB32_Premultiplied)
        beside.setDevicePixelRatio(ratio)
        beside.fill(Qt.GlobalColor.transparent)
        corner = QPointF(math.floor(plane.left), math.floor(plane.top))
        opaque = QPen(with_pen)
        opaque.setColor(with_pen.color().rgb())
        inner = QPainter(beside)
        inner.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner.translate(-corner)
        inner.setPen(opaque)
        self.draw(inner, pieces)
        inner.end()
        painter.save()
        painter.setOpacity(painter.opacity() * with_pen.color().alphaF())
        painter.drawImage(corner, beside)
        painter.restore()


def columns(painter: QPainter, plane: Plane, upper: Array, lower: Array, colour: QColor) -> None:
    """Fill between two curves, each a function of x, with an image: in every column of device pixels those whose
    middle lies between them, as a fill with hard edges does, however often the curves go up and down."""
    size = device_ratio(painter)
    left, top = math.floor(plane.left * size), math.floor(plane.top * size)
    x = left + 0.5 + np.arange(math.ceil(plane.right * size) - left)
    y = (top + 0.5 + np.arange(math.ceil(plane.bottom * size) - top))[:, None]
    high = size * np.interp(x / size, upper[:, 0], upper[:, 1], left=np.inf, right=np.inf)
    low = size * np.interp(x / size, lower[:, 0], lower[:, 1], left=-np.inf, right=-np.inf)
    alpha = colour.alpha()
    red, green, blue = (round(part * alpha / 255) for part in (colour.red(), colour.green(), colour.blue()))
    packed = np.uint32((alpha << 24) | (red << 16) | (green << 8) | blue)
    cells = np.multiply((y >= high) & (y < low), packed, dtype=np.uint32)
    filled = QImage(cells.data, len(x), len(y), 4 * len(x), QImage.Format.Format_ARGB32_Premultiplied)
    filled.setDevicePixelRatio(size)
    painter.drawImage(QPointF(left / size, top / size), filled)


def polyline(lines: Sequence[Array]) -> QPainterPath:
    """Return polylines of pixels as one path."""
    lines = [simplified(line) for line in lines if len(line) > 1]
    if not lines:
        return QPainterPath()
    points = np.vstack(lines)
    connect = np.ones(len(points), np.int32)
    connect[np.cumsum([len(line) for line in lines]) - 1] = 0
    joined: QPainterPath = pg.arrayToQPath(points[:, 0], points[:, 1], connect=connect, finiteCheck=False)
    return joined
