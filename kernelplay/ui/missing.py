"""Which points are gone: what the difference between two sets of points is for who shows them one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernelplay.scene import Points

MOST = 500  # missing points that are looked for
AHEAD = 64  # points that are compared at once, and twice as many after each time that they were the same


def missing(more: Points, fewer: Points) -> NDArray[np.intp] | None:
    """Return the rows of `more` that are not in `fewer`; None if that has others, or too many are gone to look for
    each. Of two points that are the same either may count as the one that is missing."""
    spare = len(more) - len(fewer)
    here, there = (np.column_stack([points.xy, points.cls, points.on]) for points in (more, fewer))
    rows: list[int] = []
    at, look = 0, AHEAD
    while at < len(there):
        end = min(at + look, len(there))
        apart = np.flatnonzero((here[at + len(rows):end + len(rows)] != there[at:end]).any(axis=1))
        at, look = (at + int(apart[0]), AHEAD) if len(apart) else (end, 2 * look)
        if len(apart):
            if len(rows) == min(spare, MOST):
                return None
            rows.append(at + len(rows))
    return np.array([*rows, *range(len(there) + len(rows), len(more))], np.intp)
