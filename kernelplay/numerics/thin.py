"""The low-rank factor of a smooth kernel over one input, in one go: faster than choosing pivots block by block."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpstrf

from kernelplay.numerics.gram import Gram
from kernelplay.numerics.linalg import EPS, Array, Check, nothing
from kernelplay.numerics.pivoted import evaluate
from kernelplay.numerics.rows import Kernel

CANDIDATES = 100  # points at even ranks, among which the landmarks are chosen
MOST = 0.75  # of the candidates: a kernel that needs more is not smooth on these points
RESIDUAL = 8 * EPS  # of the mean diagonal, per point: what is left then is rounding


def thin(kernel: Kernel, X: Array, check: Check = nothing) -> Gram | None:
    """Return the factor K ~ L L' of X (n, 1) to rounding, its landmarks a few points at even ranks; None where a few
    points do not span the kernel to rounding.

    Pivoted Cholesky of the candidates' own small matrix (LAPACK dpstrf), then L = K_XP corner^-T for all points, whose
    residual diagonal shows whether the landmarks were enough.
    """
    n = len(X)
    check()
    if n > CANDIDATES:
        order = np.argsort(X[:, 0], kind="stable")
        candidates = order[(np.arange(CANDIDATES) * (n - 1)) // (CANDIDATES - 1)]
    else:
        candidates = np.arange(n)
    P = X[candidates]
    block = np.asarray(kernel(P, P), dtype=np.float64)
    diagonal = np.asarray(kernel.diagonal(X), dtype=np.float64)
    allowed = RESIDUAL * float(diagonal.sum()) / n
    if not 0.0 < allowed < np.inf or not np.isfinite(block.sum()):
        return None
    # block is symmetric, so its transpose is the Fortran-ordered array that LAPACK works in
    corner, chosen, found, _ = dpstrf(block.T, lower=1, tol=allowed, overwrite_a=1)
    if found > MOST * len(candidates):
        return None
    among = chosen - 1
    landmarks = candidates[among[:found]]
    lower = np.tril(corner[:, :found])
    if n > CANDIDATES:
        K = evaluate(kernel, X, X[landmarks], np.empty((n, found)), check)
        L = np.ascontiguousarray(dtrsm(1.0, lower[:found], K, side=1, lower=1, trans_a=1))
        L[landmarks] = lower[:found]
    else:
        L = np.empty((n, found))
        L[among] = lower
    residual = np.maximum(diagonal - np.einsum("ij,ij->i", L, L), 0.0)
    error = float(residual.sum())
    if error > n * allowed:
        return None
    return Gram(n, found, True, L, error, diagonal, X[landmarks], np.ascontiguousarray(lower[:found]), landmarks, X,
                kernel, True, bool(getattr(kernel, "strictly_pd", False)), RESIDUAL, None)
