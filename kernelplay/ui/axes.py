"""Axes: round numbers along the edges of a plane, a thin grid, a frame, and the names of the axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from kernelplay.marks import Bars, Curve, Mark
from kernelplay.ui.lettering import Lettering
from kernelplay.ui.plane import Plane, device_ratio
from kernelplay.ui.theme import Theme

Array = NDArray[np.float64]

_SUPERSCRIPT = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
X_GAP, Y_GAP = 86.0, 52.0  # pixels wanted between numbers
NUMBERS, NAMES = 12.0, 12.5  # pixels of letters


@dataclass(frozen=True)
class Ticks:
    """Numbers along an axis: data values, their texts, and what belongs to all of them ("·10⁶", "+1000000", "")."""

    values: tuple[float, ...]
    texts: tuple[str, ...]
    common: str = ""
    step: float = 0.0


def ticks(low: float, high: float, length: float, gap: float, least: float = 0.0) -> Ticks:
    """Return round numbers (1, 2 or 5 times a power of ten apart) from `low` to `high`, at least `gap` pixels and
    `least` apart."""
    span = high - low
    if not (math.isfinite(span) and span > 0 and length > 0):
        return Ticks((), ())
    step = max(_round_up(span / max(length / gap, 1.0)), least)
    first, last = math.ceil(low / step - 1e-6), math.floor(high / step + 1e-6)
    if last - first > 100 or step < 4 * math.ulp(max(abs(low), abs(high))):
        return Ticks((), ())  # closer together than numbers can tell
    values = [k * step for k in range(first, last + 1)]
    return replace(_written(values, step), step=step)


def _enough(low: float, high: float, length: float, gap: float, least: float = 0.0) -> Ticks:
    """Return `ticks` with a smaller gap where a short axis would have a single number."""
    found = ticks(low, high, length, gap, least)
    for closer in (0.75, 0.55, 0.4):
        if len(found.texts) < 2:
            found = ticks(low, high, length, closer * gap, least)
    return found


def _round_up(x: float) -> float:
    power = 10.0 ** math.floor(math.log10(x))
    for factor in (1.0, 2.0, 5.0, 10.0):
        if x <= factor * power * (1 + 1e-9):
            return factor * power
    return 10.0 * power


def _written(values: list[float], step: float) -> Ticks:
    largest = max((abs(value) for value in values), default=0.0)
    if largest == 0:
        return Ticks(tuple(values), tuple(_plain(value, 0) for value in values))
    exponent = math.floor(math.log10(largest) + 1e-9)
    fine = math.floor(math.log10(step) + 1e-9)
    if exponent - fine > (4 if exponent > 4 else 6):  # far from zero: what differs, and what is added to all
        unit = 10.0 ** (fine + 3)
        base = round((values[0] + values[-1]) / (2 * unit)) * unit
        rest = _written([value - base for value in values], step)
        added = ("+" if base > 0 else "") + _plain(base, max(0, -(fine + 3)))
        return Ticks(tuple(values), rest.texts, f"{rest.common} {added}".strip())
    if -4 < exponent < 5:
        return Ticks(tuple(values), tuple(_plain(value, max(0, -fine)) for value in values))
    scale = 10.0**exponent
    texts = tuple(_plain(value / scale, max(0, exponent - fine)) for value in values)
    return Ticks(tuple(values), texts, "·10" + _plain(exponent, 0).translate(_SUPERSCRIPT))


def _plain(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


@dataclass(frozen=True)
class Named:
    """A value with a name of its own at the y axis: the line at C."""

    value: float
    text: str


def ranked(marks: Sequence[Mark]) -> bool:
    """Whether the chart is of bars that stand for points: their places along x are ranks, not values."""
    return any(isinstance(mark, Bars) and len(mark.index) > 0 for mark in marks)


def named(marks: Sequence[Mark]) -> tuple[Named, ...]:
    """Return the names that level lines give to places of the y axis, in side views."""
    if not ranked(marks):
        return ()
    return tuple(Named(float(line[0, 1]), text) for mark in marks if isinstance(mark, Curve)
                 for line, text in zip(mark.lines, mark.texts, strict=False) if text and np.ptp(line[:, 1]) == 0)


def _beams(painter: QPainter, plane: Plane, colour: QColor, columns: Array, rows: Array, size: float) -> None:
    """Draw lines of one pixel over the whole plane as small images on device pixels, `size` of them to the pixel: a
    line of more than 95 rows of device pixels is drawn by helpers that are waited for, for ten times as long."""
    (left, right), (top, bottom) = (_covered(np.array(ends), 0.0, size) for ends in
                                    ((plane.left, plane.right), (plane.top, plane.bottom)))
    for upright, places in ((True, columns), (False, rows)):
        first, last = _covered(places, -size / 2, size), _covered(places, size / 2, size)
        for wide in sorted(set((last - first).tolist())):
            beam = QImage(wide if upright else right - left, bottom - top if upright else wide,
                          QImage.Format.Format_ARGB32_Premultiplied)
            beam.setDevicePixelRatio(size)
            beam.fill(colour)
            for at in first[last - first == wide].tolist():
                painter.drawImage(QPointF(at, top) / size if upright else QPointF(left, at) / size, beam)


def _covered(places: Array, aside: float, size: float) -> NDArray[np.intp]:
    """Return the device pixels from whose middle on something that begins `aside` of these places covers them."""
    return np.floor(places * size + aside + 0.5).astype(np.intp)


class Axes:
    """Measures and draws the axes of one plane."""

    def __init__(self, theme: Theme, language: str = "") -> None:
        self.theme = theme
        self.language = language
        self.x_numbers = True  # off for bars that stand for points: their places are ranks
        self.x_whole = False  # on for bars that count
        self.equal = False  # on where both axes have the same scale: then also the same grid

    def left(self, low: float, high: float, height: float, named: Sequence[Named] = ()) -> float:
        """Return the room that the numbers of the y axis need."""
        texts = [*ticks(low, high, height, Y_GAP * self.theme.zoom).texts, *(each.text for each in named)]
        return Lettering(self.theme, self.language, NUMBERS).widest(texts) + 12 * self.theme.zoom

    def grid(self, painter: QPainter, plane: Plane) -> None:
        """Draw the grid, thin enough to leave the field its colours."""
        colour = QColor(self.theme.grid)
        colour.setAlphaF(0.10 if self.theme.dark else 0.075)
        across, up = self._ticks(plane)
        columns = plane.x(np.array(across.values if self.x_numbers else ()))
        rows = plane.y(np.array(up.values))
        size = device_ratio(painter)
        if painter.device().devicePixelRatio() == size > 1.0:  # a dense screen
            _beams(painter, plane, colour, columns, rows, size)
            return
        painter.setPen(QPen(colour, 1.0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawLines([QLineF(x, plane.top, x, plane.bottom) for x in columns.tolist()])
        painter.drawLines([QLineF(plane.left, y, plane.right, y) for y in rows.tolist()])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def frame(self, painter: QPainter, plane: Plane) -> None:
        """Draw the frame."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.theme.frame), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(plane.left, plane.top, plane.width, plane.height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def draw(self, painter: QPainter, plane: Plane, x_name: str, y_name: str, named: Sequence[Named] = (),
             caption: str = "") -> None:
        """Draw numbers, names, and at the upper right the caption."""
        zoom = self.theme.zoom
        letters = Lettering(self.theme, self.language, NUMBERS)
        painter.setPen(QColor(self.theme.tick))
        across, up = self._ticks(plane)
        line = letters.height
        below = QRectF(0, plane.bottom + 5 * zoom, 0, line)
        if self.x_numbers:
            for x, text in zip(plane.x(np.array(across.values)).tolist(), across.texts, strict=True):
                letters.write(painter, QRectF(x, below.top(), 0, line), Qt.AlignmentFlag.AlignHCenter, text)
        rows = [(float(y), text) for y, text in zip(plane.y(np.array(up.values)), up.texts, strict=True)]
        own = [(float(plane.y(np.array([each.value]))[0]), each.text) for each in named]
        own = [(y, text) for y, text in own if plane.top - 2 <= y <= plane.bottom + 2]
        rows = [(y, text) for y, text in rows if all(abs(y - other) > 0.8 * line for other, _ in own)]
        for y, text in (*rows, *own):
            letters.write(painter, QRectF(0, y - line / 2, plane.left - 7 * zoom, line), Qt.AlignmentFlag.AlignRight,
                          text)
        if across.common and self.x_numbers:
            letters.write(painter, QRectF(plane.right, below.top() + line, 0, line), Qt.AlignmentFlag.AlignRight,
                          across.common)
        self._names(painter, plane, x_name, f"{y_name}  {up.common}".strip() if up.common else y_name, caption)

    def _names(self, painter: QPainter, plane: Plane, x_name: str, y_name: str, caption: str) -> None:
        zoom = self.theme.zoom
        letters = Lettering(self.theme, self.language, NAMES)
        line = letters.height
        painter.setPen(QColor(self.theme.text_mid))
        low = plane.bottom + (5 * zoom + line if self.x_numbers else 4 * zoom)
        letters.write(painter, QRectF(plane.left, low, plane.width, line), Qt.AlignmentFlag.AlignHCenter,
                      letters.elided(x_name, plane.width))
        over = QRectF(4 * zoom, plane.top - line - 8 * zoom, plane.right - 4 * zoom, line)
        shown = letters.elided(y_name, over.width())
        name = letters.width(shown)
        start = max(4 * zoom, plane.left - 7 * zoom - name) if name < plane.left else 4 * zoom
        letters.write(painter, QRectF(start, over.top(), over.right() - start, line), Qt.AlignmentFlag.AlignLeft, shown)
        room = plane.right - start - name - 20
        if caption and room > 40:
            painter.setPen(QColor(self.theme.text_dim))
            text = letters.elided(caption, room)
            letters.write(painter, QRectF(plane.right, over.top(), 0, line), Qt.AlignmentFlag.AlignRight, text)

    def _ticks(self, plane: Plane) -> tuple[Ticks, Ticks]:
        x0, x1, y0, y1 = plane.view
        zoom = self.theme.zoom
        least = 1.0 if self.x_whole else 0.0
        across = _enough(x0, x1, plane.width, X_GAP * zoom, least)
        widest = Lettering(self.theme, self.language, NUMBERS).widest(across.texts)
        if widest + 16 > plane.width / max(len(across.texts), 1):
            across = ticks(x0, x1, plane.width, widest + 28 * zoom, least)
        up = ticks(y0, y1, plane.height, Y_GAP * zoom, across.step if self.equal else 0.0)
        if len(up.texts) < 2:  # a grid of squares is nice to have, a second number is needed
            up = _enough(y0, y1, plane.height, Y_GAP * zoom)
        if self.equal and up.step > across.step:
            across = ticks(x0, x1, plane.width, X_GAP * zoom, up.step)
        return across, up
