"""The exact solution of the box QP for a set of free variables, and the search for the right set nearby.

From the free set of a nearby problem, or of a smoothed one, a primal-dual active-set iteration (Hintermueller, Ito and
Kunisch 2002) lands on the exact vertex, mostly at once. Where it does not, the primal active-set method goes one change
at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelplay.numerics.box_problem import (
    BOUND,
    COARSE,
    FINE,
    Problem,
    State,
    interval,
    open_ended,
    states,
)
from kernelplay.numerics.faces import DenseFace, Face, LowRankFace
from kernelplay.numerics.linalg import EPS, Array, Check
from kernelplay.numerics.pivoted import Index

Mask = NDArray[np.bool_]
SNAP = 64.0 * EPS  # of sum |beta|: nearer than this to an end of the box is at it
FAR = 1e12  # times a correction: beyond every end
BALANCE = 1e-12  # |sum beta| over sum |beta| that counts as zero
ROUNDS = 10  # of the active set, from a nearby problem
REFINE = 25  # corrections of one free-set solution
EXACT = 1e-12  # relative residual at which a free set counts as solved


@dataclass(frozen=True, eq=False)
class Vertex:
    """What the equalities of a free set gave: f0 = K beta (n,), the last correction of beta_F, whether they hold."""

    f0: Array
    correction: Array
    solved: bool


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
        self.kinks = bool(self.e.any())
        self.open = open_ended(problem)

    def respond(self, r: Array, sigma: float) -> Array:
        """argmax over the box of r b - e|b| - sigma/2 b^2: (n,)."""
        soft = np.maximum(r - self.e, 0.0) + np.minimum(r + self.e, 0.0) if self.kinks else r
        result: Array = np.minimum(np.maximum(soft / sigma, self.lower), self.upper)
        return result

    def inside(self, beta: Array) -> Mask:
        """Strictly between the ends of its box and not at zero: (n,)."""
        mask: Mask = (beta != 0.0) & (beta > self.lower) & (beta < self.upper)
        return mask

    def settle(self, beta: Array, rounds: int, *, careful: bool = False) -> Settled | None:
        """The exact vertex from beta and its free set, changing that set at most `rounds` times; None if none is found.

        All variables that leave the box do so at once (primal-dual), which needs few rounds from a good set; `careful`
        goes only as far as the first of them and lets one in at a time, which cannot cycle (primal).
        """
        face, e, lower, upper = self.face, self.e, self.lower, self.upper
        beta = beta.copy()
        free = self.inside(beta)
        sign = np.sign(beta)
        for round_ in range(1, rounds + 1):
            face.check()
            F = np.flatnonzero(free)
            old = beta[F]
            point, bias = self._equalities(F, sign, beta, careful)
            tolerance = self._tolerance(np.minimum(np.maximum(beta, lower), upper))
            # what the rounding of the sum leaves inside the box lies at its end
            near = SNAP * float(np.abs(np.minimum(np.maximum(beta, lower), upper)).sum())
            over, under = free & (beta >= upper - near), free & (beta <= lower + near)
            across = free & (beta * sign < near) & (e > 0.0)
            if careful and ((over | under | across).any() or not point.solved):
                # what cannot be solved is solved better for ever along the last correction: follow it to an end
                target = beta[F] if point.solved else beta[F] + FAR * point.correction
                beta[F] = old
                if not self._until_blocked(F, sign, beta, target) and not point.solved:
                    return None
                over, under = free & (beta >= upper - near), free & (beta <= lower + near)
                across = free & (beta * sign < near) & (e > 0.0)
            out = over | under | across
            if not careful and np.count_nonzero(out) > 2 + len(F) // 4:
                return None  # far from the right set
            if out.any():
                beta[over], beta[under] = upper[over], lower[under]
                beta[across & ~over & ~under] = 0.0
                free = free & ~out
                sign = np.sign(beta)
                if careful:
                    continue
            elif not point.solved:
                return None
            elif not self.kinks:
                sign = np.sign(beta)
            state = states(beta, lower, upper)
            r = self.t - point.f0 - bias
            if not len(F) and self.problem.balanced:
                low, high = interval(r, e, state, lower, upper)
                bias = low if np.isinf(high) else (high if np.isinf(low) else 0.5 * (low + high))
                r = r - bias
            up = np.where(state < 0, r + e, np.where((state < BOUND) & (upper > 0.0), r - e, 0.0))
            down = np.where(state > 0, e - r, np.where((state > -BOUND) & (lower < 0.0), -e - r, 0.0))
            wrong = np.maximum(up, down)
            wrong[F] = 0.0
            enter = np.flatnonzero(wrong > tolerance)
            total = float(beta.sum()) if self.problem.balanced else 0.0
            if not len(F) and abs(total) > BALANCE * float(np.abs(beta).sum()):
                # nothing is free to restore the sum: let in what gives way first as the bias moves
                free[self._first_to_move(r, state, total)] = True
                sign = np.where(free & (beta == 0.0), -np.sign(total), sign)
                continue
            if not out.any() and not len(enter):
                return Settled(beta, point.f0, bias, round_)
            most = (1 if len(F) else 2) if careful else 8 + len(F) // 4
            if len(enter) > most:
                enter = enter[np.argsort(wrong[enter])[-most:]]
            free[enter] = True
            sign[enter] = np.where(state[enter] != 0, np.sign(state[enter]), np.where(up[enter] > 0.0, 1.0, -1.0))
        return None

    def _first_to_move(self, r: Array, state: State, total: float) -> int:
        """The variable that the bias moves first when the sum is `total` and has to go to zero."""
        if total > 0.0:
            falls = (state > -BOUND) & ((self.lower < 0.0) | (state > 0))
            return int(np.argmin(np.where(falls, r - np.where(state > 0, self.e, -self.e), np.inf)))
        rises = (state < BOUND) & ((self.upper > 0.0) | (state < 0))
        return int(np.argmax(np.where(rises, r - np.where(state < 0, -self.e, self.e), -np.inf)))

    def _equalities(self, F: Index, sign: Array, beta: Array, careful: bool) -> tuple[Vertex, float]:
        """Solve the stationarity equations of the free set F, in place in beta, with corrections down to rounding.

        Unless `careful`, a solution that leaves the box is not corrected: the set is wrong in any case.
        """
        face = self.face
        point = face.function(beta)
        if not len(F):
            return Vertex(point.f0, np.zeros(0), True), 0.0
        solver = face.solver(F, 1e-14 * face.scale)
        q = self.t[F] - sign[F] * self.e[F] if self.kinks else self.t[F]
        coef, f_F, bias = point.coef, point.f0[F], 0.0
        tolerance, before = EXACT * self.size, np.inf
        largest = float(np.abs(beta).max())
        for _ in range(REFINE):
            d, bias = solver.step(q - f_F, -float(beta.sum()) if self.problem.balanced else 0.0)
            beta[F] += d
            coef, f_F = face.advance(F, solver.A, coef, f_F, d)
            if not careful and not self._within(F, sign, beta):
                return Vertex(face.values(coef, beta), d, True), bias
            size = float(np.abs(beta).max())
            if size < 1e-3 * largest:
                # what beta was has left its rounding errors behind
                point = face.function(beta)
                coef, f_F, largest = point.coef, point.f0[F], size
                continue
            largest = max(size, largest)
            rest = q - f_F
            if self.problem.balanced:
                # rounding of the sums moves all values alike: the bias takes that up
                bias = float(rest.mean())
            left = float(np.abs(rest - bias).max())
            if left <= tolerance or left > 0.9 * before:
                break
            before = left
        return Vertex(face.values(coef, beta), d, left <= self._tolerance(beta)), bias

    def _within(self, F: Index, sign: Array, beta: Array) -> bool:
        """Whether beta_F lies in the box, on its side of zero."""
        b = beta[F]
        inside = (b > self.lower[F]) & (b < self.upper[F])
        if self.kinks:
            inside &= (b * sign[F] > 0.0) | (self.e[F] == 0.0)
        return bool(inside.all())

    def _until_blocked(self, F: Index, sign: Array, beta: Array, target: Array) -> bool:
        """Move beta_F towards the target, in place, until one meets an end of its box or zero; whether one did."""
        old, lower, upper = beta[F], self.lower[F], self.upper[F]
        if self.kinks:
            # zero is an end where the slope has a kink
            kink = self.e[F] > 0.0
            lower = np.where(kink & (sign[F] > 0.0), 0.0, lower)
            upper = np.where(kink & (sign[F] < 0.0), 0.0, upper)
        move = target - old
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.where(move > 0.0, (upper - old) / move, np.where(move < 0.0, (lower - old) / move, np.inf))
        part = min(max(float(reach.min()), 0.0), 1.0)
        new = old + part * move
        hit = reach <= part
        beta[F] = np.where(hit, np.where(move > 0.0, upper, lower), np.minimum(np.maximum(new, lower), upper))
        return bool(hit.any())

    def _tolerance(self, beta: Array) -> float:
        """The residual below which rounding decides."""
        rounding = 4.0 * EPS * self.face.scale * float(np.abs(beta).sum())
        return max(EXACT, min(rounding / self.size, FINE if self.open else COARSE)) * self.size
