"""The exact solution of the box QP for a set of free variables, and the search for the right set nearby.

From the free set of a nearby problem, or of a smoothed one, a primal-dual active-set iteration (Hintermueller, Ito and
Kunisch 2002) lands on the exact vertex, mostly at once. Where it does not, the primal active-set method goes one change
at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelplay.numerics.box_problem import COARSE, FINE, Problem, interval, states, violations
from kernelplay.numerics.faces import DenseFace, Face, FreeSet, LowRankFace, Point
from kernelplay.numerics.linalg import EPS, Array, Check
from kernelplay.numerics.pivoted import Index

Mask = NDArray[np.bool_]
SNAP = 64.0 * EPS  # of sum |beta|: nearer than this to an end of the box is at it
HAIR = 1e-4  # of the narrowest box: the most that is taken for rounding
LOST = 1e-3  # of the largest sum |beta| that the function went through: smaller, and its rounding errors show
FAR = 1e12  # times a correction: beyond every end
BALANCE = 1e-12  # |sum beta| over sum |beta| that counts as zero
ROUNDS = 10  # of the active set, from a nearby problem
REFINE = 25  # corrections of one free-set solution
EXACT = 1e-12  # relative residual at which a free set counts as solved
CROWD = 2000  # free variables beyond the rank of a low-rank factor that still may be the vertex of tied points


@dataclass(frozen=True, eq=False)
class Vertex:
    """What the equalities of a free set gave."""

    point: Point  # the function, with the bias
    beta: Array  # (k,) beta_F
    correction: Array  # (k,) the last one
    left: float  # residual of the equalities; 0 where a solution outside the box was left uncorrected
    rows: Array  # (k, n) or (k, rank), of the set


@dataclass(frozen=True, eq=False)
class Settled:
    """The vertex of a free set: beta (n,), f0 = K beta up to a constant (n,), the bias that goes with it."""

    beta: Array
    f0: Array
    bias: float
    rounds: int


class ActiveSet:
    """One problem at work: its targets around their middle, its free sets and their vertices."""

    def __init__(self, problem: Problem, check: Check) -> None:
        self.problem = problem
        self.face: Face = (LowRankFace if problem.gram.low_rank else DenseFace)(problem, check)
        t = problem.t
        # the bias takes up the middle of the targets, so that relative sizes mean something
        self.middle = 0.5 * float(t.max() + t.min()) if problem.balanced else 0.0
        self.t = t - self.middle
        self.e, self.lower, self.upper = problem.e, problem.lower, problem.upper
        self.size = float(np.abs(self.t).max()) or 1.0
        self.kinks, self.open = problem.kinks, problem.open
        width = self.upper - self.lower
        self.hair = HAIR * float(width.min(where=width > 0.0, initial=np.inf))
        self.most = problem.gram.rank + CROWD if problem.gram.low_rank else problem.gram.n

    def respond(self, r: Array, sigma: float) -> Array:
        """argmax over the box of r b - e|b| - sigma/2 b^2: (n,)."""
        soft = r - np.minimum(np.maximum(r, -self.e), self.e) if self.kinks else r
        result: Array = np.minimum(np.maximum(soft / sigma, self.lower), self.upper)
        return result

    def inside(self, beta: Array) -> Mask:
        """Strictly between the ends of its box and not at zero: (n,)."""
        mask: Mask = (beta != 0.0) & (beta > self.lower) & (beta < self.upper)
        return mask

    def settle(self, beta: Array, rounds: int, *, careful: bool = False, start: Point | None = None) -> Settled | None:
        """The exact vertex from beta and its free set, changing that set at most `rounds` times; None if none is found.

        All variables that leave the box do so at once (primal-dual), which needs few rounds from a good set; `careful`
        goes only as far as the first of them and lets one in at a time, which cannot cycle (primal). `start`: the
        function of beta, where it is known. A free set far larger than the rank is no vertex, and is not tried: its
        matrix would be as large as that of all points.
        """
        face, balanced = self.face, self.problem.balanced
        beta = beta.copy()
        free = self.inside(beta)
        sign = np.sign(beta)
        point = face.function(beta) if start is None else start
        largest = 0.0
        for round_ in range(1, rounds + 1):
            face.check()
            F = free.nonzero()[0]
            if len(F) > self.most:
                return None
            low, high = self._ends(F, sign)
            old = beta[F]
            vertex = self._equalities(F, low, high, sign, beta, point, careful)
            beta[F] = new = vertex.beta
            tolerance, near, size = self._tolerance(beta)
            solved = vertex.left <= tolerance
            over, under = new >= high - near, new <= low + near
            blocked = np.count_nonzero(over) + np.count_nonzero(under)
            if careful and (blocked or not solved):
                # what cannot be solved is solved better for ever along the last correction: follow it to an end
                target = new if solved else new + FAR * vertex.correction
                beta[F] = new = _until_blocked(old, target, low, high)
                over, under = new >= high - near, new <= low + near
                blocked = np.count_nonzero(over) + np.count_nonzero(under)
                if not blocked and not solved:
                    return None
                point = face.moved(point, vertex.rows, new - old)
            else:
                point = vertex.point
                largest = max(largest, float(np.add.reduce(np.abs(new))))
            bias = vertex.point.bias
            r = self.t - (point.f0 + bias)
            if blocked:
                if not careful and blocked > 2 + len(F) // 4:
                    return None  # far from the right set
                beta[F] = np.where(over, high, np.where(under, low, new))
                point = face.moved(point, vertex.rows, beta[F] - new)
                free[F] = ~(over | under)
            elif not solved:
                return None
            largest = max(largest, size)
            if size < LOST * largest:
                # what beta was has left its rounding errors behind
                point, largest = face.function(beta), size
                continue
            if blocked and careful:
                continue
            if not len(F) and balanced:
                least, most = interval(r, self.e, states(beta, self.lower, self.upper), self.lower, self.upper)
                bias = least if np.isinf(most) else (most if np.isinf(least) else 0.5 * (least + most))
                r = r - bias
                total = float(beta.sum())
                if abs(total) > BALANCE * float(np.abs(beta).sum()):
                    # nothing is free to restore the sum: let in what gives way first as the bias moves
                    first = self._first_to_move(beta, r, total)
                    free[first] = True
                    sign[first] = np.sign(beta[first]) or -np.sign(total)
                    continue
            wrong = violations(self.problem, beta, r)
            wrong[F] = 0.0
            enter = (wrong > tolerance).nonzero()[0]
            if not blocked and not len(enter):
                return Settled(beta, point.f0, bias, round_)
            most_in = (1 if len(F) else 2) if careful else 8 + len(F) // 4
            if len(enter) > most_in:
                enter = enter[np.argsort(wrong[enter])[-most_in:]]
            free[enter] = True
            if self.kinks:
                sign[enter] = np.where(beta[enter] != 0.0, np.sign(beta[enter]), np.sign(r[enter]))
        return None

    def _ends(self, F: Index, sign: Array) -> tuple[Array, Array]:
        """The ends of what beta_F can be with its sign, (k,) each: zero is one where the slope has a kink."""
        low, high = self.lower[F], self.upper[F]
        if self.kinks:
            kink, sign = self.e[F] > 0.0, sign[F]
            low, high = np.where(kink & (sign > 0.0), 0.0, low), np.where(kink & (sign < 0.0), 0.0, high)
        return low, high

    def _first_to_move(self, beta: Array, r: Array, total: float) -> int:
        """The variable that the bias moves first when the sum is `total` and has to go to zero."""
        if total > 0.0:
            return int(np.argmin(np.where(beta > self.lower, r - np.where(beta > 0.0, self.e, -self.e), np.inf)))
        return int(np.argmax(np.where(beta < self.upper, r - np.where(beta < 0.0, -self.e, self.e), -np.inf)))

    def _equalities(self, F: Index, low: Array, high: Array, sign: Array, beta: Array, point: Point,
                    careful: bool) -> Vertex:
        """Solve the stationarity equations of the free set F from beta and its function, with corrections down to
        rounding. Unless `careful`, a solution that leaves the box is not corrected: the set is wrong in any case."""
        face, balanced = self.face, self.problem.balanced
        rows = face.rows(F)
        if not len(F):
            return Vertex(point, np.zeros(0), np.zeros(0), 0.0, rows)
        old = b = beta[F]
        solver = FreeSet(face.block(rows, F), 1e-14 * face.scale, balanced)
        q = self.t[F] - sign[F] * self.e[F] if self.kinks else self.t[F]
        coef, f_F = point.coef, point.f0[F]
        others = float(np.add.reduce(beta)) - float(np.add.reduce(old)) if balanced else 0.0
        tolerance, before = EXACT * self.size, np.inf
        for _ in range(REFINE):
            d, bias = solver.step(q - f_F, -others - float(np.add.reduce(b)) if balanced else 0.0)
            b = b + d
            coef, f_F = face.advance(rows, solver.A, coef, f_F, d)
            if not careful and np.count_nonzero((b > low) & (b < high)) < len(b):
                left = 0.0
                break
            rest = q - f_F
            if balanced:
                # rounding of the sums moves all values alike: the bias takes that up
                bias = float(np.add.reduce(rest)) / len(F)
            left = float(np.maximum.reduce(np.abs(rest - bias)))
            if left <= tolerance or left > 0.9 * before:
                break
            before = left
        moved = face.moved(point, rows, b - old)
        return Vertex(Point(moved.coef, moved.f0, bias), b, d, left, rows)

    def _tolerance(self, beta: Array) -> tuple[float, float, float]:
        """The residual below which rounding decides, how near to its end a multiplier is at it, and sum |beta|.

        A free one so near would pin down the bias, and moving it there moves f by less than the residual allows.
        """
        total = float(np.add.reduce(np.abs(np.minimum(np.maximum(beta, self.lower), self.upper))))
        rounding = 4.0 * EPS * self.face.scale * total
        tolerance = max(EXACT, min(rounding / self.size, FINE if self.open else COARSE)) * self.size
        near = max(SNAP * total, min(0.25 * EXACT * self.size / self.face.scale, self.hair))
        return tolerance, near, total


def _until_blocked(old: Array, target: Array, low: Array, high: Array) -> Array:
    """From old (k,) towards the target as far as the first that meets its end, which is then there exactly."""
    move = target - old
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.where(move > 0.0, (high - old) / move, np.where(move < 0.0, (low - old) / move, np.inf))
    part = min(max(float(reach.min(initial=np.inf)), 0.0), 1.0)
    inside = np.minimum(np.maximum(old + part * move, low), high)
    result: Array = np.where(reach <= part, np.where(move > 0.0, high, low), inside)
    return result
