"""Cholesky factors with a reported jitter, blocked triangular solves, the test for positive semi-definiteness.

`numpy.linalg` releases the interpreter lock and `scipy.linalg` holds it, so matrices are factorised with NumPy and
triangular solves run in blocks of columns, between which the window gets its turn and `check` may stop the work.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dtrsm

Array = NDArray[np.float64]
Check = Callable[[], None]

LADDER = (0.0, 1e-14, 1e-12, 1e-10, 1e-8)
COLUMNS = 256
AT_ONCE = 2_000_000  # multiplications of a triangular solve that holds the lock for a millisecond at most
EPS = float(np.finfo(np.float64).eps)


def nothing() -> None:
    """The check that never stops anything."""


class NotFinite(ValueError):
    """A matrix holds NaN or infinity."""


class NotPositiveDefinite(ValueError):
    """No jitter of the ladder made the matrix positive definite; `eig_min` is its smallest eigenvalue."""

    def __init__(self, eig_min: float) -> None:
        super().__init__(f"not positive definite: smallest eigenvalue {eig_min:.3g}")
        self.eig_min = eig_min


@dataclass(frozen=True)
class Cholesky:
    """Lower triangular `L` (n, n) with L L' = A + jitter I; `jitter` is the absolute number that was added."""

    L: Array
    jitter: float


def cholesky(A: Array, *, ladder: tuple[float, ...] = LADDER) -> Cholesky:
    """Factorise A + jitter I with the first jitter of `ladder` (relative to the mean of the diagonal) that works.

    Raises NotFinite when A holds NaN or infinity, NotPositiveDefinite when the ladder is exhausted.
    """
    scale = float(np.mean(np.abs(np.diagonal(A)))) if len(A) else 0.0
    if not np.isfinite(scale):
        raise NotFinite("matrix holds NaN or infinity")
    for relative in ladder:
        jitter = relative * scale
        try:
            L = np.asarray(np.linalg.cholesky(A if jitter == 0.0 else A + jitter * np.eye(len(A))), dtype=np.float64)
        except np.linalg.LinAlgError:
            continue
        # LAPACK reads the lower triangle only and passes NaN on instead of failing
        if not np.isfinite(L[-1:]).all() or not np.isfinite(np.diagonal(L)).all():
            raise NotFinite("matrix holds NaN or infinity")
        return Cholesky(L, jitter)
    if not np.isfinite(A).all():
        raise NotFinite("matrix holds NaN or infinity")
    raise NotPositiveDefinite(smallest_eigenvalue(A))


def _solve(L: Array, B: Array, transposed: bool, check: Check) -> Array:
    B = np.asarray(B, dtype=np.float64)
    if not L.size or not B.size:
        return np.array(B)
    columns = B[:, None] if B.ndim == 1 else B
    if len(L) ** 2 * columns.shape[1] <= AT_ONCE:
        check()
        solution: Array = dtrsm(1.0, L.T, columns, lower=0, trans_a=0 if transposed else 1)
        return solution[:, 0] if B.ndim == 1 else solution
    X = np.empty(columns.shape, order="F")
    for start in range(0, columns.shape[1], COLUMNS):
        check()
        block = slice(start, start + COLUMNS)
        # L.T is Fortran-ordered, so BLAS reads it without a copy, as an upper triangle
        X[:, block] = dtrsm(1.0, L.T, columns[:, block], lower=0, trans_a=0 if transposed else 1)
    return X[:, 0] if B.ndim == 1 else X


def solve_lower(L: Array, B: Array, check: Check = nothing) -> Array:
    """L^-1 B for lower triangular L (n, n), B (n,) or (n, m), in blocks of columns."""
    return _solve(L, B, False, check)


def solve_upper(L: Array, B: Array, check: Check = nothing) -> Array:
    """L'^-1 B for lower triangular L (n, n), B (n,) or (n, m), in blocks of columns."""
    return _solve(L, B, True, check)


def smallest_eigenvalue(K: Array) -> float:
    """Smallest eigenvalue of the symmetric matrix K (n, n); 0 for the empty one."""
    return float(np.linalg.eigvalsh(K)[0]) if len(K) else 0.0


def is_psd(K: Array) -> tuple[bool, float, float]:
    """Whether K counts as positive semi-definite, with its smallest and largest eigenvalue.

    It does not when the smallest lies below -10 n eps times the largest: rounding alone reaches that far.
    """
    if not len(K):
        return True, 0.0, 0.0
    eigenvalues = np.linalg.eigvalsh(K)
    low, high = float(eigenvalues[0]), float(eigenvalues[-1])
    return low >= -10 * len(K) * EPS * max(abs(high), abs(low)), low, high
