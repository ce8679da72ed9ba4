"""The linear algebra of a set of free variables, for a dense and for a low-rank Gram factor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from kernelplay.numerics.box_problem import Problem
from kernelplay.numerics.corrected import BLOCK, Product, Squares
from kernelplay.numerics.linalg import Array, Check
from kernelplay.numerics.pivoted import Index

ALIKE = 1e-28  # of the squared distance from the origin: features that differ by rounding alone
SMALL = 200  # free variables up to which a factorisation may hold the interpreter lock: a tenth of a millisecond
COLUMNS, WIDE = 100, 2_000_000  # columns and numbers of a factor from which on correcting a step saves time
CROWDED = 3  # times the rank: with more free variables than that a step may leave out columns of the factor
LOOSE, NEARLY = 0.1, 0.98  # what they hold, of sigma rank / |F|, and for how much of the points
STRIDE, SAMPLE = 32, 1024  # columns between two ranks, points that are looked at
TINY = 1e-280  # the first shift where there is none to grow from


@dataclass(frozen=True, eq=False)
class Point:
    """A primal point: the function f0 (n,) = sum_m coef_m k(., x_m) or L coef, and the bias."""

    coef: Array
    f0: Array
    bias: float


class Face:
    """The linear algebra of a free set F, for one Gram factor."""

    wide: bool = False  # many points behind many columns: steps are corrected, which costs time where there are few

    def __init__(self, problem: Problem, check: Check) -> None:
        self.gram = problem.gram
        self.balanced = problem.balanced
        self.check = check
        self.n = problem.gram.n
        self.scale = float(problem.gram.diagonal.mean()) if self.n else 1.0

    def origin(self) -> Point:
        """f0 = 0."""
        raise NotImplementedError

    def function(self, beta: Array) -> Point:
        """f0 = K beta, bias 0."""
        raise NotImplementedError

    def known(self, beta: Array, f0: Array) -> Point:
        """The same, where f0 is known already."""
        return self.function(beta)

    def lifted(self, point: Point, rows: Index) -> Point:
        """A function of the points `rows` alone as one of all points, bias 0."""
        raise NotImplementedError

    def newton(self, F: Index, bounded: Array, q: Array, sigma: float) -> Point:
        """Solve (K_FF + sigma I) b_F + bias = q - K_F bounded, sum b_F = -sum bounded, and return K b + bias."""
        raise NotImplementedError

    def inner(self, a: Point, b: Point) -> float:
        """The inner product of two functions in feature space."""
        raise NotImplementedError

    def rows(self, F: Index) -> Array:
        """What a change of b_F multiplies: rows of K (k, n), or of L (k, rank)."""
        raise NotImplementedError

    def block(self, rows: Array, F: Index) -> Array:
        """K_FF, from the rows of F."""
        raise NotImplementedError

    def advance(self, rows: Array, A: Array, coef: Array, f_F: Array, d: Array) -> tuple[Array, Array]:
        """The function's coef and its values on F after b_F moved by d; A = K_FF."""
        raise NotImplementedError

    def moved(self, point: Point, rows: Array, d: Array) -> Point:
        """The function after the b of these rows moved by d."""
        raise NotImplementedError

    def _border(self, solved: Array, total: float) -> tuple[Array, float]:
        """Combine solutions for the right-hand sides q and 1 so that the sum is -total."""
        if not self.balanced:
            return solved[:, 0], 0.0
        weight = float(solved[:, 1].sum())
        if not weight > 0.0:
            raise np.linalg.LinAlgError("rounding left nothing of the border")
        bias = (float(solved[:, 0].sum()) + total) / weight
        return solved[:, 0] - bias * solved[:, 1], bias


class FreeSet:
    """K_FF + sigma I, factorised, with the border that keeps the sum; sigma is raised until it can be."""

    def __init__(self, A: Array, sigma: float, balanced: bool) -> None:
        k = len(A)
        self.balanced = balanced
        # with the sum fixed a constant added to the kernel only moves the bias; it keeps three points in a plane apart
        self.constant = float(np.add.reduce(A.diagonal())) / k if balanced else 0.0
        self.A = A
        while True:
            M = A + self.constant
            M.flat[:: k + 1] += sigma
            try:
                self.root = _root(M)
                if not balanced:
                    break
                self.ones, _ = dpotrs(self.root, np.ones(k), lower=0)
                self.weight = float(np.add.reduce(self.ones))
                if self.weight > 0.0:
                    break
            except np.linalg.LinAlgError:
                pass
            sigma = max(100.0 * sigma, TINY)
            if not np.isfinite(sigma):
                raise np.linalg.LinAlgError("no shift makes it positive definite")

    def step(self, q: Array, total: float) -> tuple[Array, float]:
        """(d, bias) with (K_FF + sigma I) d + bias = q, sum d = total."""
        if not self.balanced:
            return dpotrs(self.root, q, lower=0)[0], 0.0
        # the bias takes up most of q where the kernel is small beside it: not a matter for K^-1
        level = float(np.add.reduce(q)) / len(q)
        d, _ = dpotrs(self.root, q - level, lower=0)
        bias = (float(np.add.reduce(d)) - total) / self.weight
        d -= bias * self.ones
        d -= (float(np.add.reduce(d)) - total) / self.weight * self.ones
        return d, level + bias + self.constant * total


def _root(M: Array) -> Array:
    """The upper triangular R with R'R = M, in place where M is small. Raises LinAlgError."""
    root: Array
    if len(M) > SMALL:
        root = np.asarray(np.linalg.cholesky(M), dtype=np.float64).T
        return root
    # M.T is Fortran-ordered, and M symmetric
    root, failed = dpotrf(M.T, lower=0, overwrite_a=1)
    if failed:
        raise np.linalg.LinAlgError
    return root


class DenseFace(Face):
    """Rows of K; products are corrected for the variables that changed."""

    def __init__(self, problem: Problem, check: Check) -> None:
        super().__init__(problem, check)
        assert self.gram.cache is not None
        self.cache = self.gram.cache
        self.of_bounded, self.of_beta = (Product(self.n, self.rows, self._whole) for _ in range(2))

    def _whole(self, v: Array) -> Array:
        return self.cache.times(v, self.check)

    def origin(self) -> Point:
        return Point(np.zeros(self.n), np.zeros(self.n), 0.0)

    def function(self, beta: Array) -> Point:
        return Point(beta, self.of_beta(beta), 0.0)

    def known(self, beta: Array, f0: Array) -> Point:
        return Point(beta, f0, 0.0)

    def lifted(self, point: Point, rows: Index) -> Point:
        beta = np.zeros(self.n)
        beta[rows] = point.coef
        return self.function(beta)

    def newton(self, F: Index, bounded: Array, q: Array, sigma: float) -> Point:
        self.check()
        product = self.of_bounded(bounded)
        K_F = self.cache.take(F, self.check)
        A = K_F[:, F]
        A.flat[:: len(F) + 1] += sigma
        rhs = np.empty((len(F), 2), order="F")
        rhs[:, 0] = q - product[F]
        rhs[:, 1] = 1.0
        solved, _ = dpotrs(_root(A), rhs, lower=0)
        b, bias = self._border(solved, float(bounded.sum()))
        coef = bounded.copy()
        coef[F] = b
        return Point(coef, product + b @ K_F, bias)

    def inner(self, a: Point, b: Point) -> float:
        return float(a.coef @ b.f0)

    def rows(self, F: Index) -> Array:
        return self.cache.take(F, self.check)

    def block(self, rows: Array, F: Index) -> Array:
        return rows[:, F]

    def advance(self, rows: Array, A: Array, coef: Array, f_F: Array, d: Array) -> tuple[Array, Array]:
        return coef, f_F + A @ d

    def moved(self, point: Point, rows: Array, d: Array) -> Point:
        return Point(point.coef, point.f0 + d @ rows, point.bias)


class LowRankFace(Face):
    """The factor L; systems of size min(|F|, rank). Centred when balanced: the bias takes up what that shifts."""

    def __init__(self, problem: Problem, check: Check) -> None:
        super().__init__(problem, check)
        L = self.gram.L
        assert L is not None
        if problem.balanced and self.n:
            mean = L.mean(axis=0)
            # a cloud far from the origin: its offset would drown the differences that matter
            if mean @ mean >= 0.5 * self.scale:
                L = L - mean
                self.scale = float(np.einsum("ij,ij->", L, L)) / self.n
            if self.scale <= ALIKE * float(mean @ mean):
                # all points are the same to this kernel: the balance makes any constant one of it
                L, self.scale = np.ones((self.n, 1)), 1.0
        self.L = L
        full = L.shape[1]
        self.wide = full >= COLUMNS and self.n * full >= WIDE
        self.used = 0 if self.wide and self.n > CROWDED * full else full
        if self.used < full:
            self.ranks = np.append(np.arange(STRIDE, full, STRIDE), full)
            # what the columns from each rank on hold of |phi|^2, for all but the most remote points of a sample
            some = L[:: max(1, self.n // SAMPLE)]
            left = np.cumsum((some * some)[:, ::-1], axis=1)[:, ::-1]
            self.left = np.append(np.quantile(left, NEARLY, axis=0), 0.0)[self.ranks]
        self.squares = Squares(L, check)
        self.of_bounded, self.of_beta, self.of_targets, self.of_ones = (
            Product(self.n, L.__getitem__, L.T.__matmul__) for _ in range(4))

    def origin(self) -> Point:
        return Point(np.zeros(self.L.shape[1]), np.zeros(self.n), 0.0)

    def function(self, beta: Array) -> Point:
        w = self.of_beta(beta)
        return Point(w, self.L @ w, 0.0)

    def lifted(self, point: Point, rows: Index) -> Point:
        return Point(point.coef, self.L @ point.coef, 0.0)

    def newton(self, F: Index, bounded: Array, q: Array, sigma: float) -> Point:
        self.check()
        L, rank = self.L, self._enough(len(F), sigma)
        w_bounded = self.of_bounded(bounded)
        total = float(bounded.sum())
        if len(F) <= rank:
            L_F = L[F]
            A = L_F @ L_F.T
            A.flat[:: len(F) + 1] += sigma
            rhs = np.empty((len(F), 2), order="F")
            rhs[:, 0] = q - L_F @ w_bounded
            rhs[:, 1] = 1.0
            solved, _ = dpotrs(_root(A), rhs, lower=0)
            b, bias = self._border(solved, total)
            return self._point(w_bounded + b @ L_F, bias)
        # the same step for w itself: (sigma I + L_F'L_F) w + L_F'1 bias = sigma w_bounded + L_F'q
        M, ones, target = self._sums(F, q, rank)
        M.flat[:: rank + 1] += sigma
        rhs = np.empty((rank, 2), order="F")
        rhs[:, 0] = target + sigma * w_bounded[:rank]
        rhs[:, 1] = ones
        solved, _ = dpotrs(_root(M), rhs, lower=0)
        bias = 0.0
        if self.balanced:
            slope = len(F) - float(ones @ solved[:, 1])
            if not slope > 0.0:
                raise np.linalg.LinAlgError("rounding left nothing of the border")
            bias = (float(q.sum()) - float(ones @ solved[:, 0]) + sigma * total) / slope
        return self._point(solved[:, 0] - bias * solved[:, 1], bias)

    def _sums(self, F: Index, q: Array, rank: int) -> tuple[Array, Array, Array]:
        """L_F'L_F, L_F'1 and L_F'q of the leading columns: corrected for what changed, where that saves work."""
        if self.wide:
            q_F, one_F = np.zeros(self.n), np.zeros(self.n)
            q_F[F], one_F[F] = q, 1.0
            return self.squares(F, rank).copy(), self.of_ones(one_F)[:rank], self.of_targets(q_F)[:rank]
        M, ones, target = np.zeros((rank, rank)), np.zeros(rank), np.zeros(rank)
        for first in range(0, len(F), BLOCK):
            self.check()
            L_F = self.L[F[first : first + BLOCK]]
            M += L_F.T @ L_F
            ones += L_F.sum(axis=0)
            target += q[first : first + BLOCK] @ L_F
        return M, ones, target

    def _point(self, w: Array, bias: float) -> Point:
        """The function of the leading coordinates w, the others 0."""
        rank = len(w)
        if rank == self.L.shape[1]:
            return Point(w, self.L @ w, bias)
        coef = np.zeros(self.L.shape[1])
        coef[:rank] = w
        return Point(coef, self.L[:, :rank] @ w, bias)

    def _enough(self, free: int, sigma: float) -> int:
        """How many columns of L a step of so many free variables takes: beside a sigma so large the others are nothing.

        Never fewer than before, so that each step is the exact one of a part of the space that only grows.
        """
        full: int = self.L.shape[1]
        if not self.wide:
            return full
        if free < CROWDED * full:
            self.used = full
        if self.used < full:
            enough = np.flatnonzero(self.left <= LOOSE * sigma / free * self.ranks)
            self.used = max(self.used, int(self.ranks[enough[0]]) if len(enough) else full)
        return self.used

    def inner(self, a: Point, b: Point) -> float:
        return float(a.coef @ b.coef)

    def rows(self, F: Index) -> Array:
        return self.L[F]

    def block(self, rows: Array, F: Index) -> Array:
        product: Array = rows @ rows.T
        return product

    def advance(self, rows: Array, A: Array, coef: Array, f_F: Array, d: Array) -> tuple[Array, Array]:
        # through w and not through A: two points a hair apart differ in L long after they are equal in L L'
        coef = coef + d @ rows
        return coef, rows @ coef

    def moved(self, point: Point, rows: Array, d: Array) -> Point:
        coef = point.coef + d @ rows
        return Point(coef, self.L @ coef, point.bias)
