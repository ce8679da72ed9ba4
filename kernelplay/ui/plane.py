"""The plane: where data coordinates lie in pixels; and how many device pixels a pixel has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

Array = NDArray[np.float64]

Box = tuple[float, float, float, float]  # left, top, right, bottom


def device_ratio(painter: QPainter) -> float:
    """Return the device pixels to the pixel."""
    return painter.deviceTransform().m11()


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
    def box(self) -> Box:
        """The edges in pixels."""
        return (self.left, self.top, self.right, self.bottom)

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels for one unit of x and of y."""
        x0, x1, y0, y1 = self.view
        return self.width / (x1 - x0), self.height / (y1 - y0)

    def x(self, x: Array) -> Array:
        """Return the pixel columns of data x, any shape; not finite for what is beyond all numbers."""
        with np.errstate(all="ignore"):
            return self.left + (x - self.view[0]) * self.scale[0]

    def y(self, y: Array) -> Array:
        """Return the pixel rows of data y, any shape; not finite for what is beyond all numbers."""
        with np.errstate(all="ignore"):
            return self.bottom - (y - self.view[2]) * self.scale[1]

    def pixels(self, xy: Array) -> Array:
        """Return the pixels (n, 2) of data points (n, 2)."""
        return np.column_stack([self.x(xy[:, 0]), self.y(xy[:, 1])])

    def lines(self, lines: Sequence[Array]) -> list[Array]:
        """Return the pixels of polylines (n, 2), all mapped at once: there may be a thousand."""
        if len(lines) < 2:
            return [self.pixels(line) for line in lines]
        return np.split(self.pixels(np.vstack(lines)), np.cumsum([len(line) for line in lines])[:-1])

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
