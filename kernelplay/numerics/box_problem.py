"""The box QP as a value: problem, solution, and the certificate that is computed from the two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelplay.numerics.gram import Gram
from kernelplay.numerics.linalg import EPS, Array

State = NDArray[np.int8]
ZERO, FREE, BOUND = 0, 1, 2  # |state|; its sign is the side of zero on which beta lies
GOAL = 1e-8  # what every certificate reaches
COARSE = 1e-3  # the most, relative, that is put down to rounding (C = 1e10 and overlapping classes need it)
FINE = 1e-6  # the same where a bound is infinite, and beta could grow until rounding excuses anything
ROUNDING = 64.0  # how many eps |K| |beta| of a residual are put down to rounding


@dataclass(frozen=True, eq=False)
class Problem:
    """minimise 1/2 b'Kb - t'b + sum e_n |b_n|  subject to lower <= b <= upper, and sum b = 0 when balanced.

    SVM: b_n = alpha_n y_n, t = y, e = 0, box [0, C w_n] for y = +1 and [-C w_n, 0] for y = -1. SVR: b = a - a^, t the
    targets, e = epsilon, box [-C w_n, C w_n]. Infinite bounds: hard margin, hard tube.
    """

    gram: Gram
    t: Array  # (n,)
    e: Array  # (n,) >= 0
    lower: Array  # (n,) <= 0, may be -inf
    upper: Array  # (n,) >= 0, may be +inf
    balanced: bool = True

    @cached_property
    def open(self) -> bool:
        """Whether some bound is infinite."""
        return bool(np.isinf(self.upper.max(initial=0.0)) or np.isinf(self.lower.min(initial=0.0)))

    @cached_property
    def kinks(self) -> bool:
        """Whether some |b_n| costs something."""
        return bool(self.e.any())

    @cached_property
    def exits(self) -> tuple[Array, Array]:
        """(top, bottom), (n,) each: a variable at its upper end wants to leave it where r = t - f < top, one at its
        lower end where -r < bottom; zero is an end of a box with one side, and of one without width nothing leaves."""
        stuck = self.lower >= self.upper
        top = np.where(self.upper > 0.0, self.e, -self.e)
        bottom = np.where(self.lower < 0.0, self.e, -self.e)
        if stuck.any():
            top[stuck] = bottom[stuck] = -np.inf
        return top, bottom


@dataclass(frozen=True)
class Certificate:
    """How far a solution is from optimal, computed from the problem and not read off a solver; relative, see `certify`.

    primal: box and balance; dual: stationarity; gap: duality gap; objective: 1/2 b'Kb - t'b + e'|b|. floor, gap_floor:
    what of dual and gap is rounding of K b in double precision, in their units.
    """

    primal: float
    dual: float
    gap: float
    objective: float
    floor: float = 0.0
    gap_floor: float = 0.0

    @property
    def worst(self) -> float:
        """The largest of primal, dual and gap."""
        return max(self.primal, self.dual, self.gap)

    @property
    def holds(self) -> bool:
        """Whether each is at most 1e-8, or is at most its rounding."""
        return (self.primal <= GOAL and self.dual <= max(GOAL, self.floor)
                and self.gap <= max(GOAL, self.gap_floor))


@dataclass(frozen=True, eq=False)
class Farkas:
    """A ray along which the dual grows for ever, to working precision; with a residual of at most
    `separability.PROVED` the proof that no primal point is feasible.

    |sum ray_n phi(x_n)| and |sum ray_n| are 0 to `residual`, relative to sum |ray_n| |phi(x_n)| and sum |ray_n|, the
    ray points into the box, and t'ray - e'|ray| = `growth` > 0 (max |ray| = 1). SVM: lambda_n = ray_n y_n; SVR:
    lambda - lambda^ = ray.
    """

    ray: Array  # (n,)
    residual: float
    growth: float


@dataclass(frozen=True, eq=False)
class Solution:
    """A certified answer. `states` 0: at zero; +1, -1: free; +2 at upper, -2 at lower bound."""

    beta: Array  # (n,)
    state: State  # (n,)
    bias: float
    bias_interval: tuple[float, float]
    f0: Array  # (n,)  K beta, without the bias
    certificate: Certificate
    iterations: int
    path: str  # 'warm' | 'cold'
    gram: Gram | None = None  # of which f0 is the product with beta
    infeasible: Farkas | None = None  # beta, bias and f0 are zero then and mean nothing
    stationary: bool = False  # K is indefinite: a stationary point, not the minimum
    eig_min: float | None = None  # smallest eigenvalue of K, when it was computed


class NotSolved(ArithmeticError):
    """No certified answer was reached; `certificate` says how near the best one came."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(f"primal {certificate.primal:.1e}, dual {certificate.dual:.1e}, gap {certificate.gap:.1e}")
        self.certificate = certificate


def states(beta: Array, lower: Array, upper: Array) -> State:
    """Where each beta lies in its box: (n,)."""
    state = np.sign(beta)
    state += (beta > 0.0) & (beta >= upper)
    state -= (beta < 0.0) & (beta <= lower)
    return state.astype(np.int8)


def violations(problem: Problem, beta: Array, r: Array) -> Array:
    """By how much r = t - f breaks the KKT conditions of the variables that are not free: (n,), negative where not.

    At zero between two open sides |r| <= e; meaningless for free ones.
    """
    top, bottom = problem.exits
    at_bottom = np.where(beta <= problem.lower, bottom + r, np.abs(r) - problem.e)
    result: Array = np.where(beta >= problem.upper, top - r, at_bottom)
    return result


def bias_of(problem: Problem, beta: Array, f0: Array, state: State) -> tuple[float, tuple[float, float]]:
    """The bias and the interval of all optimal ones.

    Mean of r - sign(beta) e over the free variables, r = t - f0; else the middle of the interval that the KKT
    conditions leave (its finite end when the other is infinite). 0 when the problem is not balanced.
    """
    if not problem.balanced:
        return 0.0, (0.0, 0.0)
    r = problem.t - f0
    free = np.abs(state) == FREE
    if free.any():
        bias = float((r[free] - state[free] * problem.e[free]).mean())
        return bias, (bias, bias)
    low, high = interval(r, problem.e, state, problem.lower, problem.upper)
    if np.isinf(low) or np.isinf(high):
        bias = low if np.isfinite(low) else (high if np.isfinite(high) else 0.0)
    else:
        bias = 0.5 * (low + high)
    return bias, (min(low, high), max(low, high))


def interval(r: Array, e: Array, state: State, lower: Array, upper: Array) -> tuple[float, float]:
    """The biases that the KKT conditions leave, r = t - K beta: (low, high); low > high when none."""
    kink = np.where(state < 0, -e, e)
    grows = (state < BOUND) & ((upper > 0.0) | (state < 0))
    low = float((r - kink)[grows].max(initial=-np.inf))
    kink = np.where(state > 0, e, -e)
    falls = (state > -BOUND) & ((lower < 0.0) | (state > 0))
    high = float((r - kink)[falls].min(initial=np.inf))
    return low, high


def certify(problem: Problem, beta: Array, f0: Array, bias: float) -> Certificate:
    """The certificate of beta with f0 = K beta; (n,) arrays.

    primal: what beta leaves the box by, over max |beta|, and |sum beta| over sum |beta|. dual: the largest violation of
    the KKT conditions by r = t - f0 - bias, over max(|t|, |f0 + bias|). gap: sum of max_x (r x - e|x|) - (r b - e|b|)
    over the box, over the larger objective; bounds beyond 2 max |beta| count as that, since a solution strictly inside
    a smaller box is one of the larger box. floor: 64 eps |K| |beta| over the scale of dual, where double precision ends
    (1e-3 at most, 1e-6 with an infinite bound: nothing beyond that is put down to rounding); gap_floor: the same times
    sum |beta|, over the scale of gap (1e-3 at most).
    """
    t, e = problem.t, problem.e
    size = np.abs(beta)
    largest, total = float(size.max(initial=0.0)), float(size.sum())
    lower = np.maximum(problem.lower, -2.0 * largest)
    upper = np.minimum(problem.upper, 2.0 * largest)
    primal = 0.0
    if largest > 0.0:
        primal = float(np.maximum(lower - beta, beta - upper).max(initial=0.0)) / largest
        if problem.balanced:
            primal = max(primal, abs(float(beta.sum())) / total)
    f = f0 + bias
    r = t - f
    broken = violations(problem, beta, r)
    if problem.kinks:
        free = (beta != 0.0) & (beta > problem.lower) & (beta < problem.upper)
        broken = np.where(free, np.abs(r - np.sign(beta) * e), broken)
    violation = max(float(broken.max(initial=0.0)), 0.0)
    root = problem.gram.lengths
    floor = ROUNDING * EPS * float(root.max(initial=0.0)) * float(size @ root)
    scale = max(float(np.abs(t).max(initial=0.0)), float(np.abs(f).max(initial=0.0)))
    floor = min(floor, (FINE if problem.open else COARSE) * scale) + ROUNDING * EPS * scale
    quadratic = 0.5 * float(beta @ f0)
    # the bias is free while the sum is zero: a middle level of the targets keeps large offsets out of the objective
    level = 0.5 * float(t.max(initial=-np.inf) + t.min(initial=np.inf)) if problem.balanced and len(t) else 0.0
    price = float(e @ size)
    linear = float((t - level) @ beta) - price
    response = np.maximum(np.maximum((r - e) * upper, (r + e) * lower), 0.0)
    best = float(response.sum())
    gap = float((response - r * beta).sum()) + price
    worth = max(abs(linear - quadratic), abs(quadratic + best))
    return Certificate(primal, _relative(violation, scale), _relative(abs(gap), worth), quadratic - linear,
                       _relative(floor, scale), min(_relative(floor * total, worth), COARSE))


def _relative(size: float, scale: float) -> float:
    return size / scale if scale > 0.0 else (np.inf if size > 0.0 else 0.0)
