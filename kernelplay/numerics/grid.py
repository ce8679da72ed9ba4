"""Kernel expansions and kernel values on grids and lines: separable where the kernel allows, else in blocks.

On a grid an RBF expansion is one matrix product, (up * a) @ across.T, instead of nx ny n exponentials. Everything else
is evaluated in blocks that stay in a core's cache, with `check` between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kernelplay.numerics.linalg import Check, nothing

Array = NDArray[np.float64]

ROWS = 512  # grid points in one block of kernel values
BLOCK = 32768  # kernel values in work at a time where only their sum is wanted
FEATURE_COST = 60  # one feature at one grid point costs about as much as so many multiplications in a matrix product


class Kernel(Protocol):
    """What a grid asks of a kernel: see `kernelplay.kernels.base.Kernel`."""

    def __call__(self, X: Array, Z: Array) -> Array: ...

    def terms(self) -> tuple[tuple[Any, Kernel], ...]: ...

    def features(self, X: Array) -> Array | None: ...

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None: ...

    def over_grid(self, X: Array, x: Array, y: Array) -> Callable[[slice], Array]: ...


def cell_centres(low: float, high: float, n: int) -> Array:
    """Return (n,): the middles of n equal cells between the edges `low` and `high`."""
    return low + (high - low) * (np.arange(n) + 0.5) / n


def evaluate(kernel: Kernel, X: Array, coef: Array, x: Array, y: Array, check: Check = nothing) -> Array:
    """Return (ny, nx): sum_n coef_n k((x_i, y_j), X_n) at [j, i], for X (n, 2), coef (n,), x (nx,), y (ny,).

    For coef (n, k), k expansions over the same points: (k, ny, nx). Points whose coefficients are all 0 cost nothing.
    """
    columns, X = _kept(coef, X)
    values = np.zeros((columns.shape[1], len(y), len(x)))
    if len(X):
        for weight, part in kernel.terms():
            check()
            pairs = part.factors(X, x, y)
            phi = part.features(X)
            if phi is not None and (pairs is None or FEATURE_COST * phi.shape[1] < len(pairs) * len(X)):
                _add_features(part, phi.T @ (weight * columns), x, y, values, check)
            elif pairs is not None:
                for across, up in pairs:
                    for c, out in zip(columns.T, values, strict=True):
                        out += up @ (across * (weight * c)).T
                    check()
            else:
                _add_blocks(part, X, weight * columns, x, y, values, check)
    return values[0] if np.ndim(coef) == 1 else values


def _kept(coef: Array, X: Array) -> tuple[Array, Array]:
    columns = np.asarray(coef, dtype=float)
    columns = columns[:, None] if columns.ndim == 1 else columns
    kept = np.any(columns != 0, axis=1)
    return (columns, X) if kept.all() else (columns[kept], X[kept])


def _add_features(part: Kernel, weights: Array, x: Array, y: Array, values: Array, check: Check) -> None:
    lines = max(1, 8 * ROWS // len(x))
    for start in range(0, len(y), lines):
        check()
        some = y[start:start + lines]
        phi = part.features(_points(x, some))
        assert phi is not None  # it was given for X
        values[:, start:start + lines] += (phi @ weights).T.reshape(-1, len(some), len(x))


def _add_blocks(part: Kernel, X: Array, columns: Array, x: Array, y: Array, values: Array, check: Check) -> None:
    at_once = min(len(X), max(1, BLOCK // len(x)))
    lines = max(1, BLOCK // (at_once * len(x)))
    for first in range(0, len(X), at_once):
        block = part.over_grid(X[first:first + at_once], x, y)
        for start in range(0, len(y), lines):
            check()
            K = block(slice(start, start + lines))
            sums = K.reshape(-1, K.shape[-1]) @ columns[first:first + at_once]
            values[:, start:start + lines] += sums.T.reshape(-1, *K.shape[:2])


def evaluate_line(kernel: Kernel, X: Array, coef: Array, x: Array, check: Check = nothing) -> Array:
    """Return (m,): sum_n coef_n k(x_i, X_n), for X (n, 1), coef (n,) and x (m,); for coef (n, k): (k, m)."""
    columns, X = _kept(coef, X)
    values = np.zeros((columns.shape[1], len(x)))
    if len(X):
        for some, K in rows(kernel, X, x, None, check):
            values[:, some] = (K @ columns).T
    return values[0] if np.ndim(coef) == 1 else values


def rows(kernel: Kernel, X: Array, x: Array, y: Array | None, check: Check = nothing) -> Iterator[tuple[slice, Array]]:
    """Yield (where, K (m, n)): the kernel between points of the grid and X, in blocks of about 512 points.

    `where` is a slice of the grid in rows from the bottom, so that out.reshape(ny, nx)[j, i] is the point (x_i, y_j).
    With y None the points are x itself, one-dimensional.
    """
    if y is None:
        for start in range(0, len(x), ROWS):
            check()
            some = slice(start, min(start + ROWS, len(x)))
            yield some, kernel(x[some, None], X)
        return
    block = kernel.over_grid(X, x, y)
    lines = max(1, ROWS // len(x))
    for start in range(0, len(y), lines):
        check()
        stop = min(start + lines, len(y))
        yield slice(start * len(x), stop * len(x)), block(slice(start, stop)).reshape(-1, len(X))


def _points(x: Array, y: Array) -> Array:
    return np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
