"""Which points are gone: what the difference between two sets of points is for who shows them one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kernelplay.scene import Points

MOST = 500  # missing points that are looked for
AHEAD, FURTHEST = 128, 1 << 16  # rows compared at once, first and at most: twice as many each time they are the same


def missing(more: Points, fewer: Points) -> NDArray[np.intp] | None:
    """Return the rows of `more` that are not in `fewer`; None if that has others, or too many are gone to look for
    each. Of two points that are the same either may count as the one that is missing."""
    here, there = (np.column_stack([points.xy, points.cls, points.on]) for points in (more, fewer))
    return rows_gone(here, there, MOST)


def rows_gone(more: NDArray[np.float64], fewer: NDArray[np.float64], most: int) -> NDArray[np.intp] | None:
    """Return the rows of `more` (n, k) without which it is `fewer` (m, k), m <= n; None if there are no such, or more
    than `most` besides those at its end. k is even: two numbers are compared as one complex one, in half the time."""
    here, there = (np.ascontiguousarray(rows).view(np.complex128) for rows in (more, fewer))
    spare = min(len(here) - len(there), most)
    gone: list[int] = []
    at, look = 0, AHEAD
    while at < len(there):
        end = min(at + look, len(there))
        differ = here[at + len(gone):end + len(gone)] != there[at:end]
        apart = differ[:, 0] if differ.shape[1] == 1 else differ.any(axis=1)
        first = int(apart.argmax())
        if not apart[first]:
            at, look = end, min(2 * look, FURTHEST)
            continue
        if len(gone) == spare:
            return None
        at, look = at + first, AHEAD
        gone.append(at + len(gone))
    return np.array([*gone, *range(len(there) + len(gone), len(here))], np.intp)
