"""A proof of infeasibility on as few points as its dimension needs, so that a person sees where the conflict lies."""

from __future__ import annotations

import numpy as np

from kernelplay.models.base import Array

MOST = 64  # dimensions up to which points are taken out one by one
ROUNDING = 1e-10


def fewest(ray: Array, Phi: Array, growth: Array) -> Array:
    """Return a ray (u,) with the same signs, the same growth'|ray| and at most r + 2 entries that are not 0.

    ray: with sum ray_n phi_n = 0 and sum ray_n = 0, for features Phi (u, r); growth (u,): what one unit of |ray_n| adds
    to the dual. r + 3 points always have a combination that changes none of the three sums: it is added until one point
    drops out (Caratheodory). Where rounding spoils the sums, or r is large, the ray stays as it is.
    """
    used = np.flatnonzero(ray)
    sign = np.sign(ray)
    size = np.abs(ray)
    scale = float(np.abs(Phi).max(initial=0.0)) or 1.0
    sums = np.column_stack([Phi / scale, np.ones(len(ray))]) * sign[:, None]
    sums = np.column_stack([sums, growth / (float(np.abs(growth).max(initial=0.0)) or 1.0)])  # (u, r + 2)
    few = sums.shape[1]
    if few > MOST:
        return ray
    while len(used) > few:
        some = used[:few + 1]
        move = np.linalg.svd(sums[some].T)[2][-1]
        move = move if move.min() < 0 else -move
        reach = np.where(move < 0, size[some] / np.maximum(-move, 1e-300), np.inf)
        size[some] = np.maximum(size[some] + reach.min() * move, 0.0)
        size[some[reach.argmin()]] = 0.0
        used = used[size[used] > 0]
    short = sign * size
    off = float(np.abs(sums[:, :-1].T @ size).max())
    return short / size.max() if off <= ROUNDING * float(size.sum()) else ray
