"""Low-rank factors K ~ L L': pivoted Cholesky of a kernel, and the exact factor of an explicit feature map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpstrf

from kernelplay.numerics.linalg import EPS, Array, Check

Index = NDArray[np.intp]
BLOCK = 16  # pivots proposed at once; measured best for n = 500 to 10,000
ACCEPT = 0.01  # a proposed pivot is taken while its residual is above this part of the largest one proposed
PEAKS = 4  # proposals that go to the largest residuals, so that the tail falls as fast as with greedy pivots
ELEMENTS = 65536  # kernel values computed at once: half a megabyte stays in the cache
ROWS = 512  # rows between two checks
SAMPLE = 4096  # points that propose the first pivots of many
MANY = 4 * SAMPLE  # points from which on that pays
MORE = 64  # pivots proposed at once after those of the sample: each proposal reads all of L
WIDER = 256  # columns of room at a time


class GrowsTooFast(Exception):
    """The residual falls so slowly that the rank would exceed the cap."""


def evaluate(kernel: Callable[[Array, Array], Array], A: Array, B: Array, out: Array, check: Check) -> Array:
    """Fill out (n, m) with k(A, B) in blocks of rows that fit the cache; check() every 512 rows."""
    rows = max(1, min(ROWS, ELEMENTS // max(1, len(B))))
    since = ROWS
    for start in range(0, len(A), rows):
        if since >= ROWS:
            check()
            since = 0
        out[start : start + rows] = kernel(A[start : start + rows], B)
        since += rows
    return out


def pivoted_cholesky(
    kernel: Callable[[Array, Array], Array],
    X: Array,
    diagonal: Array,
    *,
    tol: float,
    cap: int,
    give_up: bool,
    check: Check,
) -> tuple[Array, Index, Array]:
    """L (n, r), pivots (r,) and the residual diagonal (n,) with trace(K - L L') <= tol trace(K), or r = cap.

    Pivots are proposed in blocks, most of them spread over the residual diagonal in proportion to it and some at its
    peaks, and each block is cut back to its well-separated members (Epperly, Tropp and Webber 2024, Accelerated
    RPCholesky, with a fixed spread in place of random draws: the same points give the same factor). L[pivots] is lower
    triangular. Costs n r kernel values and 2 n r^2 operations. Of many points a sample proposes the first pivots, which
    then span all of them in one pass over the memory. Raises GrowsTooFast when `give_up` and the trend of the residual
    leads beyond `cap`.
    """
    n = len(X)
    goal = tol * float(diagonal.sum())
    pivots: list[Index] = []
    trend: list[tuple[int, float]] = []
    if n > MANY:
        # a fixed draw: the same points give the same factor
        some = np.sort(np.random.default_rng(n).permutation(n)[:SAMPLE])
        part, first, _ = pivoted_cholesky(kernel, X[some], diagonal[some], tol=tol, cap=cap, give_up=give_up,
                                          check=check)
        pivots.append(some[first])
        rank = len(first)
        # memory that is not written to costs nothing, a copy into more of it doubles the peak
        L = np.empty((n, cap if cap <= 2 * rank else min(cap, rank + 2 * MORE)))
        residual = diagonal - _spanned(kernel, X, some[first], part[first], L[:, :rank], check)
        np.maximum(residual, 0.0, out=residual)
        residual[some[first]] = 0.0
    else:
        rank = 0
        L = np.empty((n, min(cap, 64)))
        residual = diagonal.copy()
    while rank < cap:
        left = float(residual.sum())
        if left <= goal:
            break
        trend.append((rank, left))
        if give_up and _leads_beyond(trend, goal, cap):
            raise GrowsTooFast
        check()
        size = min(MORE if n > MANY else BLOCK, cap - rank)
        if rank + size > L.shape[1]:
            wider = np.empty((n, min(cap, 2 * L.shape[1], L.shape[1] + WIDER)))
            wider[:, :rank] = L[:, :rank]
            L = wider
        proposed = _propose(residual, size)
        block = evaluate(kernel, X, X[proposed], np.empty((n, len(proposed))), check)
        if rank:
            block -= L[:, :rank] @ L[proposed, :rank].T
        corner, order, found, _ = dpstrf(block[proposed], lower=1, tol=ACCEPT * float(residual[proposed].max()))
        found = max(found, 1)
        kept = order[:found] - 1
        if corner[0, 0] <= 0.0 or not np.isfinite(corner[0, 0]):
            break  # rounding is all that is left
        new = dtrsm(1.0, corner[:found, :found], block[:, kept], side=1, lower=1, trans_a=1)
        L[:, rank : rank + found] = new
        chosen = proposed[kept]
        pivots.append(chosen)
        # exact zeros above the diagonal, so that L[pivots] is triangular for the solves that rely on it
        L[chosen, rank : rank + found] = np.tril(L[chosen, rank : rank + found])
        residual -= np.einsum("ij,ij->i", new, new)
        np.maximum(residual, 0.0, out=residual)
        residual[chosen] = 0.0
        rank += found
    for start in range(0, len(pivots)):
        rows = np.concatenate(pivots[: start + 1])
        done = len(rows)
        L[rows, done:rank] = 0.0
    index = np.concatenate(pivots) if pivots else np.zeros(0, dtype=np.intp)
    # of many points the columns that stayed empty cost less than a copy
    return L[:, :rank] if n > MANY else np.ascontiguousarray(L[:, :rank]), index, residual


def _spanned(kernel: Callable[[Array, Array], Array], X: Array, rows: Index, corner: Array, L: Array,
             check: Check) -> Array:
    """Fill L (n, r) with k(X, X[rows]) corner^-T, in blocks that stay in the cache; return the sums of its squares."""
    squares = np.empty(len(X))
    P = X[rows]
    for start in range(0, len(X), ROWS):
        check()
        block = slice(start, start + ROWS)
        # the transpose is Fortran-ordered: solved in place
        L[block] = dtrsm(1.0, corner.T, kernel(X[block], P).T, lower=0, trans_a=1, overwrite_b=1).T
        squares[block] = np.einsum("ij,ij->i", L[block], L[block])
    L[rows] = corner
    return squares


def _propose(residual: Array, size: int) -> Index:
    """Up to `size` rows: spread in proportion to the residual, and its peaks."""
    n = len(residual)
    if size >= n:
        return np.flatnonzero(residual > 0.0)
    cumulated = np.cumsum(residual)
    peaks = min(PEAKS, size - 1)
    spread = np.searchsorted(cumulated, (np.arange(size - peaks) + 0.5) / (size - peaks) * cumulated[-1])
    rows: Index = np.minimum(spread, n - 1)
    if peaks:
        rows = np.concatenate([rows, np.argpartition(residual, n - peaks)[n - peaks :]])
    rows = np.unique(rows)
    rows = rows[residual[rows] > 0.0]
    return rows


def _leads_beyond(trend: list[tuple[int, float]], goal: float, cap: int) -> bool:
    """Whether the residual, falling as it did over the last half of its ranks, misses the goal at the cap."""
    rank, left = trend[-1]
    if rank < 32:
        return False
    before, more = next(point for point in trend if point[0] >= rank // 2)
    if before == rank:
        return False
    rate = np.log(more / left) / (rank - before)
    # smooth kernels fall faster as they go on: give the trend half as much again
    return bool(np.log(left / goal) > 1.5 * rate * (cap - rank))


def feature_factor(Phi: Array, check: Check) -> tuple[Array, Index, Array]:
    """L (n, r), pivots (r,) and the residual diagonal (n,) with Phi Phi' = L L', for explicit features Phi (n, p).

    Gram-Schmidt over the rows of Phi with the largest remaining row as pivot, twice is enough: L = Phi Q' with
    orthonormal Q (r, p). Works on Phi and not on its square, and so resolves directions down to eps, not to its root.
    """
    n, p = Phi.shape
    rest = Phi.copy()
    size = np.einsum("ij,ij->i", rest, rest)
    scale = float(size.max(initial=0.0))
    Q = np.empty((min(n, p), p))
    pivots: list[int] = []
    for rank in range(min(n, p)):
        check()
        pivot = int(np.argmax(size))
        if not size[pivot] > (10 * p * EPS) ** 2 * scale:
            break
        q = rest[pivot]
        for _ in range(2):
            q = q - (q @ Q[:rank].T) @ Q[:rank]
        q = q / np.sqrt(q @ q)
        Q[rank] = q
        rest -= np.outer(rest @ q, q)
        rest[pivot] = 0.0
        size = np.einsum("ij,ij->i", rest, rest)
        pivots.append(pivot)
    rank = len(pivots)
    L = np.ascontiguousarray(Phi @ Q[:rank].T)
    L[pivots] = np.tril(L[pivots])
    return L, np.array(pivots, dtype=np.intp), size
