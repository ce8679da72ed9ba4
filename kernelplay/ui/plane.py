"""The plane: where data coordinates lie in pixels, and polylines brought into them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FAR = 20_000.0  # pixels: the rasteriser loses precision far beyond


@dataclass(frozen=True)
class Plane:
    """A rectangle of pixels (left, top, width, height) that shows a rectangle of data (x low, high, y low, high)."""

    left: float
    top: float
    width: float
    height: float
    view: tuple[float, float, float, float]

    @property
    def right(self) -> float:
        """The right edge in pixels."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge in pixels."""
        return self.top + self.height

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels for one unit of x and of y."""
        x0, x1, y0, y1 = self.view
        return self.width / (x1 - x0), self.height / (y1 - y0)

    def x(self, x: Array) -> Array:
        """Return the pixel columns of data x, any shape."""
        return self.left + (x - self.view[0]) * self.scale[0]

    def y(self, y: Array) -> Array:
        """Return the pixel rows of data y, any shape."""
        return self.bottom - (y - self.view[2]) * self.scale[1]

    def pixels(self, xy: Array) -> Array:
        """Return the pixels (n, 2) of data points (n, 2)."""
        return np.column_stack([self.x(xy[:, 0]), self.y(xy[:, 1])])

    def data(self, x: float, y: float) -> tuple[float, float]:
        """Return the data coordinates of a pixel."""
        sx, sy = self.scale
        return self.view[0] + (x - self.left) / sx, self.view[2] + (self.bottom - y) / sy

    def zoomed(self, x: float, y: float, wide: float, high: float) -> tuple[float, float, float, float]:
        """Return the rectangle of data `wide` and `high` times as large in which the pixel (x, y) keeps its place."""
        at_x, at_y = self.data(x, y)
        x0, x1, y0, y1 = self.view
        return (at_x + (x0 - at_x) * wide, at_x + (x1 - at_x) * wide,
                at_y + (y0 - at_y) * high, at_y + (y1 - at_y) * high)

    def holds(self, x: float, y: float) -> bool:
        """Whether a pixel lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def nearest(self, xy: Array, x: float, y: float, reach: float) -> int | None:
        """Return the row of the data point (n, 2) nearest to a pixel, if it is within `reach` pixels; of equals the
        last, since it is drawn on top."""
        if not len(xy):
            return None
        apart = np.hypot(self.x(xy[:, 0]) - x, self.y(xy[:, 1]) - y)
        row = len(apart) - 1 - int(np.argmin(apart[::-1]))
        return row if apart[row] <= reach else None


def drawable(ends: Array, plane: Plane) -> NDArray[np.bool_]:
    """Return which straight pieces (n, 4), x and y of both ends, lie so near to `plane` that they are drawn exactly."""
    low = np.array(2 * [plane.left - FAR, plane.top - FAR])
    high = np.array(2 * [plane.right + FAR, plane.bottom + FAR])
    return np.asarray(((ends >= low) & (ends <= high)).all(axis=1))


def inside(lines: Iterable[Array], plane: Plane) -> list[Array]:
    """Return polylines of pixels cut where they run so far off `plane` that they could not be drawn exactly."""
    kept: list[Array] = []
    low = np.array([plane.left - FAR, plane.top - FAR])
    high = np.array([plane.right + FAR, plane.bottom + FAR])
    lines = list(lines)
    if lines and (all_of_them := np.concatenate(lines)).size and (all_of_them.min(axis=0) >= low).all() \
            and (all_of_them.max(axis=0) <= high).all():
        return [line for line in lines if len(line) > 1]
    for line in lines:
        if len(line) < 2:
            continue
        if ((line >= low) & (line <= high)).all():
            kept.append(line)
        else:
            kept += _cut(line, low, high)
    return kept


def _cut(line: Array, low: Array, high: Array) -> list[Array]:
    """Return the parts of a polyline inside a rectangle (Liang and Barsky, all segments at once)."""
    start, along = line[:-1], np.diff(line, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        at_low, at_high = (low - start) / along, (high - start) / along
    still = along == 0
    outside = (still & ((start < low) | (start > high))).any(axis=1)
    enter = np.where(still, -np.inf, np.minimum(at_low, at_high)).max(axis=1).clip(0.0)
    leave = np.where(still, np.inf, np.maximum(at_low, at_high)).min(axis=1).clip(max=1.0)
    known = np.isfinite(line[:, 0]) & np.isfinite(line[:, 1])
    seen = np.flatnonzero(~outside & (enter < leave) & known[:-1] & known[1:])
    if not len(seen):
        return []
    first = start[seen] + enter[seen, None] * along[seen]
    last = start[seen] + leave[seen, None] * along[seen]
    breaks = np.flatnonzero((np.diff(seen) > 1) | (leave[seen][:-1] < 1) | (enter[seen][1:] > 0)) + 1
    return [np.vstack([first[part], last[part][-1:]]) for part in np.split(np.arange(len(seen)), breaks)]


def simplified(line: Array, tolerance: float = 0.07) -> Array:
    """Return a polyline without vertices that lie within `tolerance` pixels of the line through their neighbours."""
    for _ in range(4):
        if len(line) < 12:
            break
        chord = line[2::2] - line[:-2:2]
        middle = line[1:-1:2] - line[:-2:2]
        length = np.hypot(chord[:, 0], chord[:, 1])
        bent = np.abs(chord[:, 0] * middle[:, 1] - chord[:, 1] * middle[:, 0]) > tolerance * length
        beyond = (chord * middle).sum(axis=1) > length * length  # a spike back along the line
        keep = np.ones(len(line), np.bool_)
        keep[1:-1:2] = bent | beyond | (length == 0)
        if keep.sum() > 0.9 * len(line):
            break
        line = line[keep]
    return line


def dashes(lines: Iterable[Array], lengths: tuple[float, ...]) -> Array:
    """Return straight dashes (n, 4), x and y of both ends, along polylines of pixels; `lengths` of dash, gap, dash, ….

    A dash is so short that its bend cannot be seen.
    """
    turns = np.concatenate([[0.0], np.cumsum(lengths)])
    found = [np.zeros((0, 4))]
    for line in lines:
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        rounds = np.arange(0.0, along[-1], turns[-1])[:, None]
        first = (rounds + turns[:-1:2]).ravel()
        last = np.minimum((rounds + turns[1::2]).ravel(), along[-1])
        ends = [np.interp(at, along, column) for at in (first, last) for column in line.T]
        found.append(np.column_stack(ends)[first < last])
    return np.vstack(found)
