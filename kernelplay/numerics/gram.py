"""The one Gram factor of all models: dense, or low rank with a stated error, whichever costs less."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kernelplay.numerics.linalg import Array, Check, nothing, solve_lower, solve_upper
from kernelplay.numerics.pivoted import GrowsTooFast, Index, evaluate, feature_factor, pivoted_cholesky
from kernelplay.numerics.rows import SMALL, Kernel, Rows
from kernelplay.numerics.shifted import Shifted, shift

STANDS = 20  # nearby problems that stay dense before low rank is tried again
FEW_ROWS = 400  # the same where only some rows are wanted
FEATURES = 512  # explicit features beyond this many are not a saving
BYTES = 800_000_000  # of a low-rank factor: a hundred thousand points stay under 2 GB in all


class TooLarge(MemoryError):
    """The matrix would be dense and larger than `dense_limit` allows; `n` is the number of points."""

    def __init__(self, n: int) -> None:
        super().__init__(f"a dense matrix of {n} points is too large")
        self.n = n


@dataclass(frozen=True, eq=False)
class Gram:
    """K = k(X, X), or its factor K ~ L L' with trace(K - L L') = trace_error."""

    n: int
    rank: int
    low_rank: bool
    L: Array | None  # (n, rank), None when dense
    trace_error: float  # absolute; 0 when dense or exact
    diagonal: Array  # (n,)  k(x_n, x_n)
    landmarks: Array  # (rank, d)  the inputs that span the factor; X itself when dense
    corner: Array  # (rank, rank)  lower triangular: coordinates of the landmarks; empty when dense
    landmark_rows: Index | None  # (rank,)  which rows of X the landmarks are; None when some are no longer
    X: Array  # (n, d)
    kernel: Kernel | None
    psd: bool | None  # known to be positive semi-definite; None: unknown
    strictly_pd: bool
    tol: float
    cache: Rows | None  # dense only
    settled: int = 0  # for how many more nearby problems the choice of dense rows stands without being tried again

    @property
    def relative_error(self) -> float:
        """trace(K - L L') / trace(K)."""
        total = float(self.diagonal.sum())
        return self.trace_error / total if total > 0.0 else 0.0

    @cached_property
    def lengths(self) -> Array:
        """|phi(x_n)| (n,)."""
        lengths: Array = np.sqrt(np.abs(self.diagonal))
        return lengths

    @property
    def K(self) -> Array | None:
        """K (n, n) in full, None when low rank."""
        return None if self.low_rank else self.dense()

    def dense(self, check: Check = nothing) -> Array:
        """K (n, n) in full; of a low-rank factor L L'."""
        if self.cache is None:
            assert self.L is not None
            return self.L @ self.L.T
        return self.cache.full(check)

    def matvec(self, v: Array) -> Array:
        """K v: (n,) or (n, m)."""
        product: Array
        if self.L is not None:
            product = self.L @ (self.L.T @ v)
            return product
        assert self.cache is not None
        if v.ndim == 1:
            return self.cache.times(v, nothing)
        product = self.dense() @ v
        return product

    def rows(self, idx: Index, check: Check = nothing) -> Array:
        """K[idx, :]: (k, n)."""
        if self.L is not None:
            return self.L[idx] @ self.L.T
        assert self.cache is not None
        return self.cache.take(idx, check)

    def block(self, i: Index, j: Index) -> Array:
        """K[i, :][:, j]: (k, l)."""
        if self.L is not None:
            return self.L[i] @ self.L[j].T
        assert self.cache is not None
        return self.cache.take(i, nothing)[:, j]

    def subset(self, idx: Index) -> Gram:
        """The Gram of the points idx alone (rows of L, or a dense matrix of its own)."""
        if self.L is not None:
            part = replace(self, n=len(idx), L=self.L[idx], landmark_rows=None)
        else:
            assert self.cache is not None
            part = replace(self, n=len(idx), rank=len(idx), landmarks=self.X[idx], landmark_rows=np.arange(len(idx)),
                           cache=self.cache.subset(idx))
        return replace(part, diagonal=self.diagonal[idx], X=self.X[idx])

    def project(self, K_zp: Array, check: Check = nothing) -> Array:
        """Coordinates (m, rank) of new points in the factor's space, from k(Z, landmarks) (m, rank).

        k(z, x_n) ~ coordinates . L[n]; what the factor misses of k(z, z) is k(z, z) - |coordinates|^2. Low rank only.
        """
        return solve_lower(self.corner, K_zp.T, check).T

    @cached_property
    def weights(self) -> Array:
        """W = K_XP K_PP^-1 (n, rank) = L corner^-1: each point as a mixture of the landmarks. Low rank only."""
        assert self.L is not None
        return np.ascontiguousarray(solve_upper(self.corner, self.L.T).T)

    def corner_derivative(self, dK: Array, dK_landmarks: Array | None) -> Array:
        """The given d k(landmarks, landmarks)/d theta (rank, rank), or the rows of dK that hold it."""
        if dK_landmarks is not None:
            return dK_landmarks
        if self.landmark_rows is None:
            raise ValueError("the landmarks are no rows of X: give dK_landmarks")
        return dK[self.landmark_rows]

    def derivative_matvec(self, dK: Array, v: Array, dK_landmarks: Array | None = None) -> Array:
        """(dK^) v for dK = d k(X, landmarks)/d theta (n, rank): derivative of the *factored* matrix, landmarks kept."""
        product: Array
        if self.L is None:
            product = dK @ v
            return product
        W = self.weights
        a = W.T @ v
        product = dK @ a + W @ (dK.T @ v - self.corner_derivative(dK, dK_landmarks) @ a)
        return product

    def shifted(self, d: float | Array, check: Check = nothing) -> Shifted:
        """K + diag(d), d >= 0 a scalar or (n,), factorised; the jitter that it took is stated.

        Raises NotPositiveDefinite (an indefinite K with too small a d) and NotFinite.
        """
        return shift(self, d, check)


def factorise(
    kernel: Kernel,
    X: Array,
    *,
    check: Check = nothing,
    tol: float = 1e-12,
    dense_limit: int = 4000,
    rows: bool = False,
    like: Gram | None = None,
) -> Gram:
    """Gram factor of X (n, d): dense, or low rank with trace(K - L L') <= tol trace(K), whichever costs less.

    `tol` 0 asks for the exact matrix. `rows`: the caller reads rows (a QP) and does not factorise K + D, so dense pays
    for longer. `like` is the factor of a nearby problem (one point moved, gamma 5 % larger): its rows or landmarks are
    used again, and its memory. Beyond `dense_limit` points the factor is low rank with as many columns as memory
    allows, and states the error it reached. Raises TooLarge there for a kernel not known to be positive semi-definite.
    """
    n = len(X)
    if like is not None and like.kernel == kernel and like.tol <= tol and np.array_equal(like.X, X):
        return like
    diagonal = np.asarray(kernel.diagonal(X), dtype=np.float64)
    psd: bool | None = getattr(kernel, "psd", None)
    strictly_pd = bool(getattr(kernel, "strictly_pd", False))

    def low(L: Array, landmarks: Array, corner: Array, pivots: Index | None, residual: float) -> Gram:
        return Gram(
            n, L.shape[1], True, L, residual, diagonal, landmarks, corner, pivots, X,
            kernel, True, strictly_pd, tol, None,
        )

    if tol > 0.0 and psd:
        features = getattr(kernel, "features", None)
        Phi = features(X) if features is not None else None
        if Phi is not None and Phi.shape[1] <= FEATURES:
            L, pivots, residual = feature_factor(np.asarray(Phi, dtype=np.float64), check)
            return low(L, X[pivots], L[pivots], pivots, float(residual.sum()))
    stands = rows and like is not None and not like.low_rank and like.settled > 0 and abs(like.n - n) <= n // 10
    if tol > 0.0 and psd and n > (FEW_ROWS if rows else SMALL) and not (stands and n <= dense_limit):
        if like is not None and like.low_rank and like.kernel is not None and like.landmarks.shape[1] == X.shape[1]:
            again = _same_landmarks(like, kernel, X, diagonal, tol, check)
            if again is not None:
                return low(*again)
        large = n > dense_limit
        cap = min(n, BYTES // (8 * n)) if large else (int(np.sqrt(12.0 * n)) if rows else n // 2)
        try:
            L, pivots, residual = pivoted_cholesky(kernel, X, diagonal, tol=tol, cap=cap, give_up=not large,
                                                   check=check)
            if large or residual.sum() <= tol * diagonal.sum():
                return low(L, X[pivots], L[pivots], pivots, float(residual.sum()))
        except GrowsTooFast:
            pass
    if n > dense_limit:
        raise TooLarge(n)
    cache = Rows(kernel, X)
    if like is not None and like.cache is not None and like.X.shape == X.shape and like.kernel is not None:
        moved = np.flatnonzero((like.X != X).any(axis=1)) if like.kernel == kernel else None
        cache = like.cache.succeed(kernel, X, moved if moved is not None and len(moved) <= n // 4 else None)
    if not rows:
        cache.full(check)
    return Gram(
        n, n, False, None, 0.0, diagonal, X, np.zeros((0, 0)), np.arange(n), X,
        kernel, psd, strictly_pd, tol, cache, like.settled - 1 if stands and like is not None else STANDS,
    )


def _same_landmarks(
    like: Gram, kernel: Kernel, X: Array, diagonal: Array, tol: float, check: Check
) -> tuple[Array, Array, Array, Index | None, float] | None:
    """The factor over the landmarks of `like`, without pivoting; None when it misses the tolerance."""
    P = like.landmarks
    assert like.L is not None
    if like.kernel == kernel and like.X.shape == X.shape:
        moved = np.flatnonzero((like.X != X).any(axis=1))
        if len(moved) <= len(X) // 4:
            L = like.L.copy()
            L[moved] = solve_lower(like.corner, np.asarray(kernel(X[moved], P)).T, check).T
            rows = like.landmark_rows
            if rows is not None and np.isin(moved, rows).any():
                rows = None
            corner = like.corner
        else:
            return None
    else:
        try:
            corner = np.linalg.cholesky(kernel(P, P))
        except np.linalg.LinAlgError:
            return None
        L = solve_lower(corner, evaluate(kernel, X, P, np.empty((len(X), len(P))), check).T, check).T
        L = np.ascontiguousarray(L)
        rows = like.landmark_rows if np.array_equal(like.X, X) else None
    residual = float(np.maximum(diagonal - np.einsum("ij,ij->i", L, L), 0.0).sum())
    if residual > tol * float(diagonal.sum()):
        return None
    return L, P, corner, rows, residual


def from_matrix(K: Array, *, psd: bool | None = None) -> Gram:
    """A dense Gram of a given symmetric matrix (n, n)."""
    n = len(K)
    K = np.ascontiguousarray(K, dtype=np.float64)
    points = np.arange(n, dtype=np.float64)[:, None]
    return Gram(
        n, n, False, None, 0.0, np.diagonal(K).copy(), points, np.zeros((0, 0)), np.arange(n), points,
        None, psd, False, 0.0, Rows(None, points, K),
    )


def from_features(Phi: Array, check: Check = nothing) -> Gram:
    """The low-rank Gram Phi Phi' of explicit features (n, p); its landmarks are rows of Phi."""
    Phi = np.asarray(Phi, dtype=np.float64)
    L, pivots, residual = feature_factor(Phi, check)
    diagonal = np.einsum("ij,ij->i", Phi, Phi)
    return Gram(
        len(Phi), L.shape[1], True, L, float(residual.sum()), diagonal, Phi[pivots], L[pivots], pivots, Phi,
        None, True, False, 1e-12, None,
    )
