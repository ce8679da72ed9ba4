"""The lines between the regions of several classes, without gaps where three of them meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernelplay.models.base import Array

Ints = NDArray[np.intp]


def region_lines(winner: Ints, pairs: Sequence[tuple[int, int, Array]], x: Array, y: Array) -> tuple[Array, ...]:
    """Return polylines (m, 2) between the cells of different `winner` (ny, nx), given at x (nx,), y (ny,).

    pairs: (i, j, values (ny, nx)), >= 0 where i beats j; a pair may come again with other values, which count where
    the earlier ones do not tell. Between two neighbouring cells the line passes where the values of their classes
    change sign, or else those of the first pair that does, or else half-way. In a square of four cells two crossings
    are joined, three or four meet in their mean.
    """
    across = _crossings(winner[:, :-1], winner[:, 1:], [(i, j, v[:, :-1], v[:, 1:]) for i, j, v in pairs])
    up = _crossings(winner[:-1], winner[1:], [(i, j, v[:-1], v[1:]) for i, j, v in pairs])
    (r, c), (s, d) = np.nonzero(np.isfinite(across)), np.nonzero(np.isfinite(up))
    points = [np.column_stack([x[c] + across[r, c] * (x[c + 1] - x[c]), y[r]]),
              np.column_stack([x[d], y[s] + up[s, d] * (y[s + 1] - y[s])])]
    number_across, number_up = np.full(across.shape, -1), np.full(up.shape, -1)
    number_across[r, c] = np.arange(len(r))
    number_up[s, d] = len(r) + np.arange(len(s))
    sides = np.stack([number_across[:-1], number_across[1:], number_up[:, :-1], number_up[:, 1:]], axis=-1)
    count = (sides >= 0).sum(axis=-1)
    nodes = np.concatenate(points)
    two = sides[count == 2]
    links = [two[two >= 0].reshape(-1, 2)]
    meeting = sides[count > 2]
    if len(meeting):
        own = meeting >= 0
        centres = np.stack([nodes[row[keep]].mean(axis=0) for row, keep in zip(meeting, own, strict=True)])
        which, side = np.nonzero(own)
        links.append(np.column_stack([meeting[which, side], len(nodes) + which]))
        nodes = np.concatenate([nodes, centres])
    return _chained(np.concatenate(links), nodes)


def _crossings(one: Ints, other: Ints, pairs: list[tuple[int, int, Array, Array]]) -> Array:
    """Return where between neighbours of different classes the line passes, 0 to 1; NaN between equal ones."""
    at = np.full(one.shape, np.nan)
    change = one != other
    at[change] = 0.5
    for own in (False, True):  # the values of the two classes come last and stay
        for i, j, here, there in reversed(pairs):
            crossed = change & ((here >= 0) != (there >= 0))
            if own:
                crossed &= ((one == i) & (other == j)) | ((one == j) & (other == i))
            at[crossed] = here[crossed] / (here[crossed] - there[crossed])
    return at


def _chained(links: Ints, nodes: Array) -> tuple[Array, ...]:
    """Return the polylines that the links (m, 2) between nodes make, from end to end or from meeting to meeting."""
    neighbours: dict[int, list[int]] = {}
    for a, b in links.tolist():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    ends = {node for node, near in neighbours.items() if len(near) != 2}
    lines = []
    for start in (*ends, *neighbours):  # what no end leads to is a closed line
        while neighbours[start]:
            line = [start]
            while len(line) == 1 or (line[-1] not in ends and neighbours[line[-1]]):
                following = neighbours[line[-1]].pop()
                neighbours[following].remove(line[-1])
                line.append(following)
            lines.append(nodes[line])
    return tuple(lines)
