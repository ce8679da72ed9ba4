"""Level lines of a field by contourpy, which is imported when the first line is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def lines(values: Array, x: Array, y: Array, levels: Sequence[float]) -> list[tuple[Array, ...]]:
    """Return for each level its lines, each (m, 2), closed ones ending where they begin.

    values: (ny, nx), at [j, i] the field at (x_i, y_j), the centres of cells; levels in any order. Where the field is
    not finite there are no lines.
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
    return [tuple(np.asarray(line) for line in generator.lines(float(level))) for level in levels]
