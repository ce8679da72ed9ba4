"""How crowded a plane is: what a legend or a text would cover at one place or another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from kernelplay.marks import Band, Bars, Curve, Dots, Mark, Segments, Text
from kernelplay.ui.plane import Plane
from kernelplay.ui.polylines import together

Array = NDArray[np.float64]

POINT_COST, LINE_COST = 100.0, 1.0  # of covering one dot, 12 pixels of a line
WEIGHTS: Mapping[str, float] = {"boundary": 4.0, "mean": 4.0, "contour": 0.5, "vector": 9.0, "result": 9.0,
                               "added": 9.0}  # of lines that matter more, and less
ANSWERS = ("boundary", "mean")  # the curves that a picture is looked at for
CELL, AROUND = 6.0, 5.0  # pixels
# how far rings reach beyond what is kept around a dot, and how many are looked at so closely
RINGS: Mapping[str, float] = {"support_free": 6.0, "support_bounded": 9.0, "conflict": 12.0, "looked_at": 11.0}
MOST_RINGS = 1000
MOST_LINES = 60  # of one mark that are looked at so closely
MOST = 20_000  # places that are counted: of more, some stand for all
WAYS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


class Crowd:
    """How much stands where in a plane: dots and lines counted in cells, so that any rectangle is summed up at once."""

    def __init__(self, marks: Sequence[Mark], plane: Plane) -> None:
        self._marks, self._plane = marks, plane
        self._corner = (plane.left, plane.top)
        self._shape = (int(plane.height // CELL) + 1, int(plane.width // CELL) + 1)

    @cached_property
    def dots(self) -> Array:
        """The pixels (n, 2) of all dots and of the places that texts stand beside."""
        found = [self._plane.pixels(mark.xy if isinstance(mark, Dots) else np.array([mark.at]))
                 for mark in self._marks if isinstance(mark, (Dots, Text))]
        return np.vstack([np.zeros((0, 2)), *found])

    @cached_property
    def tips(self) -> Array:
        """The pixels (n, 2) of the heads of arrows, which a text would take away."""
        return np.vstack([np.zeros((0, 2)), *(self._plane.pixels(mark.end) for mark in self._marks
                                              if isinstance(mark, Segments) and mark.arrow)])

    @cached_property
    def _dots(self) -> Array:
        places = np.vstack([self.dots, *self._rims()])
        return _summed(_counted(places, np.ones(len(places)), self._plane, self._shape))

    def _rims(self) -> list[Array]:
        """Return pixels on the rims of rings, which reach further than dots."""
        rings = [(mark, RINGS[mark.role]) for mark in self._marks if isinstance(mark, Dots) and mark.role in RINGS]
        return [self._plane.pixels(mark.xy) + reach * way for mark, reach in rings if len(mark.xy) <= MOST_RINGS
                for way in WAYS]

    @cached_property
    def _lines(self) -> Array:
        return _summed(_counted(*_lines(self._marks, self._plane), self._plane, self._shape))

    def under(self, place: QRectF) -> float:
        """Return the cost of covering `place` and a few pixels around it."""
        return POINT_COST * self.dots_under(place) + self._sum(self._lines, place)

    def dots_under(self, place: QRectF) -> int:
        """Return how many dots lie in `place` or a few pixels around it."""
        return round(self._sum(self._dots, place))

    def answer_under(self, place: QRectF) -> float:
        """Return which share of the boundary, or of the curve of the mean, lies in `place`: 0 to 1, of what is in the
        plane."""
        plane, (start, way), whole = self._plane, self._answers, self._answered
        under = _length_in(start, way, max(place.left(), plane.left), min(place.right(), plane.right),
                           max(place.top(), plane.top), min(place.bottom(), plane.bottom))
        return under / whole if whole > 0 else 0.0

    @cached_property
    def _answers(self) -> tuple[Array, Array]:
        """Where the straight pieces of the boundary, or of the curve of the mean, begin, and their ways (n, 2)."""
        places, number = together([line for mark in self._marks if isinstance(mark, Curve) and mark.role in ANSWERS
                                   for line in mark.lines])
        pixels, same = self._plane.pixels(places), number[1:] == number[:-1]
        with np.errstate(invalid="ignore"):  # what is not finite is nowhere
            return pixels[:-1][same], np.diff(pixels, axis=0)[same]

    @cached_property
    def _answered(self) -> float:
        plane = self._plane
        return _length_in(*self._answers, plane.left, plane.right, plane.top, plane.bottom)

    def _sum(self, sums: Array, place: QRectF) -> float:
        last_row, last_column = sums.shape[0] - 1, sums.shape[1] - 1
        x, y = self._corner
        left = min(max(int((place.left() - x - AROUND) // CELL), 0), last_column)
        right = min(max(int((place.right() - x + AROUND) // CELL) + 1, 0), last_column)
        top = min(max(int((place.top() - y - AROUND) // CELL), 0), last_row)
        bottom = min(max(int((place.bottom() - y + AROUND) // CELL) + 1, 0), last_row)
        return float(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])


def _length_in(start: Array, way: Array, left: float, right: float, top: float, bottom: float) -> float:
    """Return how much of straight pieces, start and way (n, 2), lies in a rectangle: each is cut by its four sides."""
    with np.errstate(divide="ignore", invalid="ignore"):  # along a side: ±inf, or nan on it
        one, other = (np.array([left, top]) - start) / way, (np.array([right, bottom]) - start) / way
        enters = np.fmax(np.fmax.reduce(np.fmin(one, other), axis=1), 0.0)
        leaves = np.fmin(np.fmin.reduce(np.fmax(one, other), axis=1), 1.0)
        share = leaves - enters
        inside = np.isfinite(share) & (share > 0)  # of a piece without length it may be infinite
        return float((np.hypot(*way[inside].T) * share[inside]).sum())


def _summed(cells: Array) -> Array:
    """Return the sums (rows + 1, columns + 1) over everything above and left of each corner."""
    sums = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1))
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    return sums


def _counted(xy: Array, weights: Array, plane: Plane, shape: tuple[int, int]) -> Array:
    step = -(-len(xy) // MOST)
    if step > 1:
        xy, weights = xy[::step], step * weights[::step]
    x, y = xy[:, 0], xy[:, 1]
    inside = (x >= plane.left) & (x <= plane.right) & (y >= plane.top) & (y <= plane.bottom)
    column = ((x[inside] - plane.left) // CELL).astype(np.intp)
    row = ((y[inside] - plane.top) // CELL).astype(np.intp)
    cells = np.bincount(row * shape[1] + column, weights[inside], minlength=shape[0] * shape[1])
    return cells.reshape(shape).astype(float)


def _lines(marks: Sequence[Mark], plane: Plane) -> tuple[Array, Array]:
    """Return pixels along all lines, close enough that none slips under unnoticed, and what covering each costs."""
    lines: list[Array] = []
    weights: list[float] = []
    for mark in marks:
        before = len(lines)
        if isinstance(mark, Curve):
            found = plane.lines([line for line in mark.lines if len(line)])
            # of very many lines the places themselves have to do
            lines += map(_dense, found) if len(found) <= MOST_LINES else [np.vstack(found)]
        elif isinstance(mark, Segments):
            start, end = plane.pixels(mark.start), plane.pixels(mark.end)
            lines += [start + share * (end - start) for share in np.linspace(0.0, 1.0, 9)]
        elif isinstance(mark, Bars):
            top = plane.pixels(np.column_stack([mark.x, mark.height]))
            zero = plane.y(np.zeros(len(top)))
            lines += [np.column_stack([top[:, 0], top[:, 1] + share * (zero - top[:, 1])])
                      for share in (0.0, 0.33, 0.66)]
        elif isinstance(mark, Band):
            lines += [_dense(plane.pixels(np.column_stack([mark.x, edge]))) for edge in (mark.lower, mark.upper)]
        weights += [LINE_COST * WEIGHTS.get(mark.role, 1.0)] * (len(lines) - before)
    each = np.repeat(weights, [len(line) for line in lines]) if lines else np.zeros(0)
    return np.vstack([np.zeros((0, 2)), *lines]), each


def _dense(line: Array, step: float = 12.0) -> Array:
    """Return points of a polyline with those of long segments between; long lines are thinned."""
    if len(line) > 400:
        line = line[:: len(line) // 200]
    if len(line) < 2 or len(line) > 100:
        return line
    length = np.hypot(*np.diff(line, axis=0).T)
    if not np.isfinite(length).all() or length.sum() > 20_000:
        return line
    along = np.concatenate([[0.0], np.cumsum(length)])
    places = np.arange(0.0, along[-1], step)
    return np.column_stack([np.interp(places, along, line[:, 0]), np.interp(places, along, line[:, 1])])
