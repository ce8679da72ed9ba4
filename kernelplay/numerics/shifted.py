"""C = K + diag(d), factorised: the one system behind GP regression, Laplace, ridge and interior-point steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.numerics.linalg import COLUMNS, Array, Check, cholesky, nothing, solve_lower, solve_upper

if TYPE_CHECKING:
    from kernelplay.numerics.gram import Gram

STEEP = 1e6  # above this ratio of L L' to d the factor comes from QR and solutions are refined


@dataclass(frozen=True, eq=False)
class Shifted:
    """C = K + diag(d) + jitter I, factorised.

    Dense: `root` (n, n) with C = root root'. Low rank, K = L L': `root` (r, r) with I + L' D^-1 L = root root', so
    C^-1 = D^-1 - D^-1 L (root root')^-1 L' D^-1 (Woodbury; Rasmussen and Williams, A.9).
    """

    gram: Gram
    d: Array  # (n,)  what was asked for, plus the jitter
    jitter: float  # absolute number added to the diagonal
    logdet: float  # ln |C|
    root: Array
    steep: bool

    def solve(self, B: Array, check: Check = nothing) -> Array:
        """C^-1 B for B (n,) or (n, m)."""
        X = self._solve(B, check)
        if self.steep:
            # D^-1 times a small difference of large numbers: two corrections bring back what cancelled
            for _ in range(2):
                d = self.d if B.ndim == 1 else self.d[:, None]
                X = X + self._solve(B - self.gram.matvec(X) - d * X, check)
        return X

    def _solve(self, B: Array, check: Check) -> Array:
        L = self.gram.L
        if L is None:
            return solve_upper(self.root, solve_lower(self.root, B, check), check)
        d = self.d if B.ndim == 1 else self.d[:, None]
        V = B / d
        inner = solve_upper(self.root, solve_lower(self.root, L.T @ V, check), check)
        result: Array = V - (L @ inner) / d
        return result

    def quad(self, K_zp: Array, check: Check = nothing) -> Array:
        """k_z' C^-1 k_z for each new point, from k(Z, landmarks) (m, rank): (m,).

        `gram.landmarks` are the points themselves when dense, so `shifted.quad(kernel(Z, gram.landmarks))` serves both.
        """
        return self._quad(K_zp, check)[0]

    def variance(self, K_zp: Array, k_zz: Array, check: Check = nothing) -> Array:
        """k(z, z) - k_z' C^-1 k_z, never below 0: (m,). Low rank: without the cancellation of that difference."""
        quad, size, shrunk = self._quad(K_zp, check)
        if not self.gram.low_rank:
            size, shrunk = quad, np.zeros(len(quad))
        result: Array = np.maximum(k_zz - size, 0.0) + shrunk
        return result

    def _quad(self, K_zp: Array, check: Check) -> tuple[Array, Array, Array]:
        """Per new point: the quadratic form; |z|^2 and |root^-1 z|^2 of its coordinates z (low rank)."""
        m = len(K_zp)
        size, shrunk = np.zeros(m), np.zeros(m)
        for start in range(0, m, COLUMNS):
            block = slice(start, start + COLUMNS)
            z = self.gram.project(K_zp[block], check) if self.gram.low_rank else K_zp[block]
            v = solve_lower(self.root, z.T, check)
            shrunk[block] = np.einsum("ij,ij->j", v, v)
            if self.gram.low_rank:
                size[block] = np.einsum("ij,ij->i", z, z)
        if self.gram.low_rank:
            return size - shrunk, size, shrunk
        return shrunk, size, shrunk

    def inverse_diagonal(self) -> Array:
        """diag(C^-1): (n,)."""
        L = self.gram.L
        if L is None:
            inverse = self._inverse_root
            squares: Array = np.einsum("ij,ij->j", inverse, inverse)
            return squares
        V = solve_lower(self.root, L.T)
        result: Array = np.maximum(1.0 / self.d - np.einsum("ij,ij->j", V, V) / self.d**2, 0.0)
        return result

    def trace_with(self, dK: Array, dK_landmarks: Array | None = None) -> float:
        """tr(C^-1 dK^) for dK = d k(X, landmarks)/d theta (n, rank); exact for the factored problem.

        With W = K_XP K_PP^-1 the factored matrix K_XP K_PP^-1 K_PX has the derivative dK W' + W dK' - W dK_PP W'.
        `dK_landmarks` (rank, rank) may be left out while the landmarks are rows of X.
        """
        gram = self.gram
        if gram.L is None:
            return float(np.einsum("ij,ij->", self.inverse, dK))
        inner = gram.corner_derivative(dK, dK_landmarks)
        CW, WCW = self._inverse_times_weights
        return float(2.0 * np.einsum("ij,ij->", CW, dK) - np.einsum("ij,ij->", WCW, inner))

    @cached_property
    def inverse(self) -> Array:
        """C^-1 (n, n); formed only for a dense Gram."""
        V = self._inverse_root
        inverse: Array = V.T @ V
        return inverse

    @cached_property
    def _inverse_root(self) -> Array:
        return np.ascontiguousarray(solve_lower(self.root, np.eye(len(self.root))))

    @cached_property
    def _inverse_times_weights(self) -> tuple[Array, Array]:
        """C^-1 W (n, r) and W' C^-1 W (r, r), by C^-1 L = D^-1 L (root root')^-1: nothing cancels."""
        L = self.gram.L
        assert L is not None
        W = self.gram.weights
        # W = L corner^-1
        right = solve_upper(self.root, solve_lower(self.root, solve_upper(self.gram.corner, np.eye(L.shape[1])).T))
        CW: Array = (L @ right) / self.d[:, None]
        return CW, W.T @ CW


def shift(gram: Gram, d: float | Array, check: Check = nothing) -> Shifted:
    """Factorise K + diag(d), d >= 0 a scalar or (n,); see `Gram.shifted`."""
    check()
    shift = np.full(gram.n, float(d)) if np.ndim(d) == 0 else np.asarray(d, dtype=np.float64)
    if gram.L is None:
        A = gram.dense().copy()
        A.flat[:: gram.n + 1] += shift
        factor = cholesky(A)
        logdet = 2.0 * float(np.log(np.diagonal(factor.L)).sum())
        return Shifted(gram, shift + factor.jitter, factor.jitter, logdet, factor.L, False)
    # a shift below rounding of the factor itself is not a shift: raise it to there, and say so
    floor = 1e-15 * float(gram.diagonal.max(initial=0.0))
    jitter = 0.0
    if shift.min(initial=np.inf) < floor:
        jitter = floor
        shift = shift + jitter
    G = gram.L / np.sqrt(shift)[:, None]
    M: Array = G.T @ G
    steep = bool(np.diagonal(M).max(initial=0.0) > STEEP)
    if steep:
        root = np.asarray(np.linalg.qr(np.concatenate([G, np.eye(gram.rank)]), mode="r"), dtype=np.float64).T
    else:
        M.flat[:: gram.rank + 1] += 1.0
        root = np.asarray(np.linalg.cholesky(M), dtype=np.float64)
    logdet = float(np.log(shift).sum()) + 2.0 * float(np.log(np.abs(np.diagonal(root))).sum())
    return Shifted(gram, shift, jitter, logdet, np.ascontiguousarray(root), steep)
