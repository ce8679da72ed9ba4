"""What the hand adds to a plot and no figure shows: selection, hover, crosshair, grid, tools at work, a tip, a hint."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from kernelplay.i18n import Say
from kernelplay.ui.lettering import Lettering
from kernelplay.ui.paint import note, words
from kernelplay.ui.plane import Plane, device_ratio
from kernelplay.ui.symbols import Stamper, thinned
from kernelplay.ui.theme import Theme

CHOSEN, ARM = 15.0, 7.0  # half a side of the square around a chosen point, and how long its corners are
NODES = 13.0  # pixels that two nodes of the grid are apart at least, where they are drawn
HALOS, APART = 3000, 6.0  # chosen points from which on their marks are thinned: pixels between two of them

Places = Callable[[frozenset[int]], NDArray[np.float64]]  # the pixels (k, 2) of points


@dataclass(frozen=True)
class Over:
    """What is over a plot: rows of points, places in data coordinates; the brush's radius is in pixels."""

    chosen: frozenset[int] = frozenset()
    pointed: int | None = None
    touched: frozenset[int] = frozenset()  # points that the tool at the pointer would change
    crosshair: tuple[float, float] | None = None
    box: tuple[float, float, float, float] | None = None  # x low, high, y low, high
    loop: tuple[tuple[float, float], ...] = ()  # corners of the lasso
    brush: tuple[float, float, float] | None = None
    aim: tuple[tuple[float, float], ...] | None = None  # of a cloud: its middle, one standard deviation along, across
    grid: tuple[float, float] | None = None  # from node to node
    node: tuple[float, float] | None = None  # where a click would land
    hint: Say | None = None  # in the middle of an empty plot
    tip: tuple[float, float, Say] | None = None  # beside a place
    focus: bool = False  # the keyboard is here


@lru_cache(maxsize=8)
def _halo(theme: Theme, ratio: float) -> QPixmap:
    """Return what marks a chosen point as a picture of `ratio` device pixels to the pixel: the corners of a square, on
    a rim of paper that sets them off from any field. Rings are support vectors."""
    drawn, painter = _blank(ratio, (CHOSEN + 4) * theme.zoom)
    painter.scale(theme.zoom, theme.zoom)
    soft = QColor(theme.accent)
    soft.setAlphaF(0.22)
    painter.fillRect(QRectF(-CHOSEN, -CHOSEN, 2 * CHOSEN, 2 * CHOSEN), soft)
    corners = QPainterPath()
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        corners.moveTo(x * (CHOSEN - ARM), y * CHOSEN)
        corners.lineTo(x * CHOSEN, y * CHOSEN)
        corners.lineTo(x * CHOSEN, y * (CHOSEN - ARM))
    for colour, width in ((theme.plane, 5.4), (theme.accent, 2.6)):
        pen = QPen(QColor(colour), width)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.strokePath(corners, pen)
    painter.end()
    return drawn


@lru_cache(maxsize=8)
def _glow(theme: Theme, ratio: float) -> QPixmap:
    """Return what lies under a point that is pointed at, or within reach, as a picture of `ratio` device pixels to the
    pixel."""
    drawn, painter = _blank(ratio, 17.0 * theme.zoom)
    soft = QColor(theme.accent)
    soft.setAlphaF(0.30)
    painter.setBrush(soft)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(QPointF(0, 0), 15.0 * theme.zoom, 15.0 * theme.zoom)
    painter.end()
    return drawn


def _blank(ratio: float, radius: float) -> tuple[QPixmap, QPainter]:
    """Return an empty picture of an odd number of device pixels, and a painter with its middle as origin."""
    across = 2 * math.ceil(ratio * radius) + 1
    drawn = QPixmap(QSize(across, across))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(across / 2, across / 2)
    painter.scale(ratio, ratio)
    return drawn, painter


_stamper = Stamper()


def halos(painter: QPainter, theme: Theme, over: Over, places: Places) -> None:
    """Draw what lies under points that are chosen, pointed at, or within reach of the tool."""
    ratio = device_ratio(painter)
    if over.chosen:
        chosen = places(over.chosen)
        _stamper.draw(painter, _halo(theme, ratio), chosen[thinned(chosen, HALOS, APART)])
    under = over.touched if over.pointed is None else over.touched | {over.pointed}
    if under:
        _stamper.draw(painter, _glow(theme, ratio), places(under))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def nodes(painter: QPainter, theme: Theme, over: Over, plane: Plane) -> None:
    """Draw the nodes of the grid, of a dense one every second, fifth, tenth, …"""
    if over.grid is None:
        return
    x0, x1, y0, y1 = plane.view
    columns, rows = (_multiples(low, high, step, scale / theme.zoom) for low, high, step, scale in
                     ((x0, x1, over.grid[0], plane.scale[0]), (y0, y1, over.grid[1], plane.scale[1])))
    x, y = np.meshgrid(plane.x(columns), plane.y(rows))
    _stamper.draw(painter, _node(theme, device_ratio(painter)), np.column_stack([x.ravel(), y.ravel()]))


@lru_cache(maxsize=8)
def _node(theme: Theme, ratio: float) -> QPixmap:
    """Return the mark of a node as a picture of `ratio` device pixels to the pixel."""
    across = 2 * round(0.75 * ratio * theme.zoom) + 1
    drawn = QPixmap(QSize(across, across))
    colour = QColor(theme.text_dim)
    colour.setAlphaF(0.6)
    drawn.fill(colour)
    return drawn


def _multiples(low: float, high: float, step: float, scale: float) -> NDArray[np.float64]:
    """Return the multiples of `step` from `low` to `high`; where they would be too close every second, fifth, tenth, …
    of them. scale: pixels to the unit."""
    apart = next(step * digit * 10.0**power for power in range(400) for digit in (1, 2, 5)
                 if step * digit * 10.0**power * scale >= NODES)
    return np.arange(math.ceil(low / apart), math.floor(high / apart) + 1, dtype=np.float64) * apart


def tools(painter: QPainter, theme: Theme, over: Over, plane: Plane) -> None:
    """Draw crosshair, box, lasso and brush."""
    zoom, accent = theme.zoom, QColor(theme.accent)
    if over.crosshair is not None:
        x, y = plane.pixels(np.array([over.crosshair]))[0].tolist()
        for colour, width in ((QColor(theme.plane), 4.0), (accent, 1.6)):
            painter.setPen(QPen(colour, width * zoom))
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                painter.drawLine(QPointF(x + 4 * dx * zoom, y + 4 * dy * zoom),
                                 QPointF(x + 14 * dx * zoom, y + 14 * dy * zoom))
    if over.box is not None:
        corners = plane.pixels(np.array([[over.box[0], over.box[3]], [over.box[1], over.box[2]]]))
        _dashed(painter, theme)
        painter.drawRect(QRectF(QPointF(*corners[0].tolist()), QPointF(*corners[1].tolist())))
    if over.loop:
        _dashed(painter, theme)
        corners = plane.pixels(np.array(over.loop))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners.tolist()]), Qt.FillRule.OddEvenFill)
    if over.aim is not None:
        _cloud(painter, theme, over.aim, plane)
    if over.node is not None:
        x, y = plane.pixels(np.array([over.node]))[0].tolist()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(accent, 1.4 * zoom))
        painter.drawEllipse(QPointF(x, y), 4 * zoom, 4 * zoom)
    if over.brush is not None:
        x, y = plane.pixels(np.array([over.brush[:2]]))[0].tolist()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(accent, 1.4 * zoom))
        painter.drawEllipse(QPointF(x, y), over.brush[2], over.brush[2])


def _dashed(painter: QPainter, theme: Theme) -> None:
    soft = QColor(theme.accent)
    soft.setAlphaF(0.10)
    painter.setBrush(soft)
    dashed = QPen(QColor(theme.accent), 1.2 * theme.zoom)
    dashed.setDashPattern([4, 3])
    painter.setPen(dashed)


def _cloud(painter: QPainter, theme: Theme, aim: tuple[tuple[float, float], ...], plane: Plane) -> None:
    """Draw the ellipses of one and two standard deviations, and the long axis."""
    middle, along, across = (np.array(each) for each in aim)
    turn = np.linspace(0, 2 * np.pi, 73)
    round_ = np.outer(np.cos(turn), along) + np.outer(np.sin(turn), across)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for size, width in ((1.0, 1.0), (2.0, 1.4)):
        painter.setPen(QPen(QColor(theme.accent), width * theme.zoom))
        edge = plane.pixels(middle + size * round_)
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in edge.tolist()]))
    painter.setPen(QPen(QColor(theme.accent), 1.0 * theme.zoom))
    ends = plane.pixels(np.array([middle, middle + 2 * along]))
    painter.drawLine(QPointF(*ends[0].tolist()), QPointF(*ends[1].tolist()))


def notes(painter: QPainter, theme: Theme, over: Over, plane: Plane, language: str) -> None:
    """Draw the focus, the hint of an empty plot, and the tip beside what is pointed at."""
    if over.focus:
        painter.setPen(QPen(QColor(theme.accent), 2 * theme.zoom))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(plane.left, plane.top, plane.width, plane.height))
    if over.hint is not None:
        painter.setFont(Lettering(theme, language, 14.0).font)
        painter.setPen(QColor(theme.text_dim))
        room = QRectF(plane.left + 20, plane.top, plane.width - 40, plane.height)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words(over.hint, language))
    if over.tip is not None:
        x, y = plane.pixels(np.array([over.tip[:2]]))[0].tolist()
        note(painter, theme, x, y, words(over.tip[2], language), language, plane)
