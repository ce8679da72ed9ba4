"""Level lines of a field by contourpy, which is imported when the first line is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


ROUNDING = 16 * float(np.finfo(float).eps)  # of the terms of a sum: what their rounding can make of 0


def flat(values: Array, level: float, scale: float) -> NDArray[np.bool_] | None:
    """Return (ny − 1, nx − 1): the squares of four neighbours that all have `level` to the rounding of sums of size
    `scale`, so that a line in them would be drawn by rounding alone; None if there are none."""
    same = np.abs(values - level) <= ROUNDING * max(scale, abs(level))
    if not same.any():
        return None
    squares: NDArray[np.bool_] = same[:-1, :-1] & same[1:, :-1] & same[:-1, 1:] & same[1:, 1:]
    return squares if squares.any() else None


def lines(values: Array, x: Array, y: Array, levels: Sequence[float], scale: float = 0.0) -> list[tuple[Array, ...]]:
    """Return for each level its lines, each (m, 2), closed ones ending where they begin.

    values: (ny, nx), at [j, i] the field at (x_i, y_j), the centres of cells; levels in any order. Where the field is
    not finite there are no lines, nor where it is flat to rounding. scale: the size of the terms whose sum it is, if
    that is more than the largest of the values.
    """
    if len(levels) == 0:
        return []
    if min(np.shape(values), default=0) < 2:
        return [() for _ in levels]
    from contourpy import LineType, contour_generator

    field = np.asarray(values, dtype=float)
    if not np.isfinite(field).all():
        field = np.ma.masked_invalid(field)
    generator = contour_generator(x, y, field, name="serial", line_type=LineType.Separate)
    finite = np.abs(field)
    scale = max(scale, float(finite.max())) if np.ma.count(finite) else scale
    found = []
    for level in levels:
        squares = flat(np.ma.filled(field, np.inf), float(level), scale)
        drawn = [np.asarray(line) for line in generator.lines(float(level))]
        found.append(tuple(drawn if squares is None else _outside(drawn, squares, np.asarray(x), np.asarray(y))))
    return found


def _outside(drawn: list[Array], squares: NDArray[np.bool_], x: Array, y: Array) -> list[Array]:
    """Return the parts of the polylines `drawn`, each piece of which lies in one square, that lie in none of
    `squares`."""
    parts = []
    for line in drawn:
        middle = (line[:-1] + line[1:]) / 2
        column = np.clip(np.searchsorted(x, middle[:, 0], side="right") - 1, 0, squares.shape[1] - 1)
        row = np.clip(np.searchsorted(y, middle[:, 1], side="right") - 1, 0, squares.shape[0] - 1)
        kept = np.concatenate([[False], ~squares[row, column], [False]])
        for start, stop in np.flatnonzero(kept[1:] != kept[:-1]).reshape(-1, 2).tolist():
            parts.append(line[start: stop + 1])
    return parts
