"""Where a level line carries its level: a straight place in the picture, with a gap in the line for the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelplay.ui.plane import Plane

Array = NDArray[np.float64]
Taken = list[tuple[float, float, float]]  # x, y, radius of labels so far

EDGE = 14.0  # pixels between a label and the frame


@dataclass(frozen=True)
class Gap:
    """The lines left of a line that was cut, and centre and angle (degrees, readable from below) of the text."""

    lines: list[Array]
    x: float
    y: float
    angle: float


def gaps(line: Array, plane: Plane, room: float, taken: Taken, dots: Array) -> Gap | None:
    """Return the polyline of pixels `line` with a gap of `room` pixels for a text, or None if there is no good place.

    Good is: inside the plane, clear of other labels, straight, and away from `dots` (n, 2). `taken` is added to.
    """
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    total = float(along[-1])
    if total < 2.5 * room:
        return None
    shares = np.linspace(0.08, 0.92, 29)
    middles = shares * total
    start, end = _at(line, along, middles - room / 2), _at(line, along, middles + room / 2)
    x, y = (start + end).T / 2
    rise, run = end[:, 1] - start[:, 1], end[:, 0] - start[:, 0]
    angle = np.degrees(np.arctan(np.divide(rise, run, out=np.full(len(run), np.inf), where=run != 0)))
    good = (middles >= room) & (middles <= total - room)
    good &= np.minimum.reduce([x - plane.left, plane.right - x, y - plane.top, plane.bottom - y]) >= EDGE + room / 2
    for a, b, radius in taken:
        good &= np.hypot(x - a, y - b) >= radius + room / 2 + 6
    if not good.any():
        return None
    # straight first, then upright text, then near the middle of the line
    cost = 12 * (1 - np.hypot(rise, run) / room) + np.abs(angle) / 90 + np.abs(shares - 0.5)
    if len(dots):
        cost += 3.0 * (np.hypot(x[:, None] - dots[:, 0], y[:, None] - dots[:, 1]) < room / 2 + 8).any(axis=1)
    best = int(np.where(good, cost, np.inf).argmin())
    taken.append((float(x[best]), float(y[best]), room / 2))
    lines = [_part(line, along, 0.0, middles[best] - room / 2), _part(line, along, middles[best] + room / 2, total)]
    return Gap(lines, float(x[best]), float(y[best]), float(angle[best]))


def _at(line: Array, along: Array, places: Array) -> Array:
    """Return the points (k, 2) at `places` (k,) of the way along a polyline."""
    return np.column_stack([np.interp(places, along, line[:, 0]), np.interp(places, along, line[:, 1])])


def _part(line: Array, along: Array, low: float, high: float) -> Array:
    between = (along > low) & (along < high)
    ends = _at(line, along, np.array([low, high]))
    return np.vstack([ends[:1], line[between], ends[1:]])
