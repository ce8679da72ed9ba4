"""Products with a large matrix that are corrected for the few rows that changed, instead of being computed afresh."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kernelplay.numerics.linalg import Array, Check
from kernelplay.numerics.pivoted import Index

CORRECTIONS = 16  # of one product before it is computed afresh
DIRECT = 400  # variables up to which correcting costs more than computing afresh
GATHER = 64  # rows gathered at once
BLOCK = 4096  # rows of a factor multiplied by themselves between two checks: a few hundredths of a second


class Product:
    """v' R for a slowly changing v (n,) and a matrix R, given by its rows and by `whole`(v) = v' R: corrected for the
    entries of v that changed."""

    def __init__(self, n: int, rows: Callable[[Index], Array], whole: Callable[[Array], Array]) -> None:
        self.rows, self.whole = rows, whole
        self.v = np.zeros(n)
        self.product: Array | None = None
        self.corrections = 0

    def __call__(self, v: Array) -> Array:
        """v' R, exact every so often and whenever a correction would cancel."""
        if len(v) <= DIRECT:
            return self.whole(v)
        used = np.flatnonzero(v)
        if self.product is not None and self.corrections < CORRECTIONS:
            change = v - self.v
            moved = np.flatnonzero(change)
            if len(moved) < len(used) and np.abs(change[moved]).max(initial=0.0) < 1e2 * np.abs(v[used]).max():
                self.corrections += 1
                self.product = self.product + self._sum(change, moved)
                self.v = v.copy()
                return self.product
        self.corrections = 0
        self.product = self.whole(v)
        self.v = v.copy()
        return self.product

    def _sum(self, v: Array, idx: Index) -> Array:
        # a gathered block of rows that stays in the cache is written and read once
        total: Array = v[idx[:GATHER]] @ self.rows(idx[:GATHER])
        for first in range(GATHER, len(idx), GATHER):
            block = idx[first : first + GATHER]
            total = total + v[block] @ self.rows(block)
        return total


class Squares:
    """L_F'L_F for a slowly changing F and the leading columns of L (n, rank): corrected for the rows that changed."""

    def __init__(self, L: Array, check: Check) -> None:
        self.L, self.check = L, check
        self.inside = np.zeros(len(L), dtype=bool)
        self.product = np.zeros((0, 0))
        self.corrections = 0

    def __call__(self, F: Index, rank: int) -> Array:
        """L_F'L_F (rank, rank), exact every so often and whenever a correction would cost more; not to be changed."""
        inside = np.zeros(len(self.L), dtype=bool)
        inside[F] = True
        changed = (inside != self.inside).nonzero()[0]
        if len(self.product) != rank or len(changed) >= len(F) or self.corrections >= CORRECTIONS:
            self.product, self.corrections = np.zeros((rank, rank)), 0
            self._add(F, 1.0)
        else:
            self.corrections += 1
            came = inside[changed]
            self._add(changed[came], 1.0)
            self._add(changed[~came], -1.0)
        self.inside = inside
        return self.product

    def _add(self, rows: Index, sign: float) -> None:
        for first in range(0, len(rows), BLOCK):
            self.check()
            block = self.L[rows[first : first + BLOCK], : len(self.product)]
            self.product += sign * (block.T @ block)
