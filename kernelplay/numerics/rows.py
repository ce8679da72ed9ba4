"""The rows of a dense Gram matrix, computed when they are asked for, and what a Gram matrix asks of a kernel."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from kernelplay.numerics.linalg import Array, Check
from kernelplay.numerics.pivoted import Index, evaluate

SMALL = 128  # points up to which the whole matrix costs least
SPARSE = 3  # a row copied and multiplied costs as much as so many multiplied where they lie


class Kernel(Protocol):
    """What a Gram factor asks of a kernel.

    Optional: `features(X) -> (n, p) | None` with k(x, z) = features(x) . features(z); `psd: bool` (positive
    semi-definite by construction; without it the kernel is taken as unknown and its matrix stays dense);
    `strictly_pd: bool` (only equal points make K singular).
    """

    def __call__(self, X: Array, Z: Array, /) -> Any:
        """k(x_i, z_j): (n, m)."""

    def diagonal(self, X: Array, /) -> Any:
        """k(x_i, x_i): (n,)."""


class Rows:
    """The rows of a dense Gram matrix that were asked for so far, stored in the order in which they came.

    The store is handed on to the factor of the next, nearby problem (fresh memory costs more in page faults than the
    kernel values do); the old owner computes again what it is asked for afterwards.
    """

    def __init__(self, kernel: Kernel | None, X: Array, K: Array | None = None) -> None:
        n = len(X)
        self.kernel = kernel
        self.X = X
        self.store = np.empty((0, n)) if K is None else K
        self.place: Index = np.full(n, -1, dtype=np.intp) if K is None else np.arange(n)  # of each row in the store
        self.used = len(self.store)
        self.whole = K is not None  # the store is K itself

    def take(self, rows: Index, check: Check) -> Array:
        """K[rows] (k, n), a copy."""
        places = self._places(rows, check)
        return self.store[places]

    def times(self, v: Array, check: Check) -> Array:
        """K v (n,) from the rows that v uses; from all that are stored, where copying those costs more."""
        used = v.nonzero()[0]
        places = self._places(used, check)
        product: Array
        if SPARSE * len(used) < self.used:
            product = v[used] @ self.store[places]
            return product
        weights = np.zeros(self.used)
        weights[places] = v[used]
        product = weights @ self.store[: self.used]
        return product

    def _places(self, rows: Index, check: Check) -> Index:
        """Where the rows are stored; those that are not yet are computed."""
        places: Index = self.place[rows]
        if not self.whole and len(places) and places.min() < 0:
            missing = rows[places < 0]
            assert self.kernel is not None
            if len(self.X) <= SMALL:
                self.full(check)
                return rows
            self._reserve(len(missing))
            where = slice(self.used, self.used + len(missing))
            evaluate(self.kernel, self.X[missing], self.X, self.store[where], check)
            self.place[missing] = np.arange(where.start, where.stop)
            self.used = where.stop
            places = self.place[rows]
        return places

    def full(self, check: Check) -> Array:
        """K (n, n), stored from now on as such."""
        n = len(self.X)
        if not self.whole:
            assert self.kernel is not None
            if self.store.shape != (n, n):
                self.store = np.empty((n, n))
            evaluate(self.kernel, self.X, self.X, self.store, check)
            self.place, self.used, self.whole = np.arange(n), n, True
        return self.store

    def _reserve(self, more: int) -> None:
        """Room for so many more rows: all of it at once, since memory that is not written to costs nothing."""
        n = len(self.X)
        if len(self.store) < n:
            self.store = np.empty((n, n))
        elif self.used + more > n:
            # drop what is no longer valid
            known = np.flatnonzero(self.place >= 0)
            self.store[: len(known)] = self.store[self.place[known]]
            self.place[known] = np.arange(len(known))
            self.used = len(known)

    def subset(self, idx: Index) -> Rows:
        """The rows of the points idx alone; computed afresh unless all are known here."""
        if (self.place[idx] >= 0).all():
            return Rows(self.kernel, self.X[idx], self.store[np.ix_(self.place[idx], idx)])
        return Rows(self.kernel, self.X[idx])

    def succeed(self, kernel: Kernel, X: Array, changed: Index | None) -> Rows:
        """Hand the store on; rows stay known when only the points `changed` differ (None: everything does)."""
        heir = Rows(kernel, X)
        heir.store, self.store = self.store, heir.store
        if changed is not None:
            heir.place, heir.used, heir.whole = self.place.copy(), self.used, self.whole
            known = np.flatnonzero(heir.place >= 0)
            if len(changed) and len(known):
                new = kernel(X[changed], X)
                heir.store[np.ix_(heir.place[known], changed)] = new[:, known].T
                there = heir.place[changed]
                heir.store[there[there >= 0]] = new[there >= 0]
        self.place[:] = -1
        self.used, self.whole = 0, False
        return heir
