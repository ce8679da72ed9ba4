"""What holds whatever the order of the points: R, the margin gamma and the bound, or the proof that there is none.

The theorem (Novikoff 1962): with gamma the largest margin that a unit vector u of the space of x~ reaches and R the
largest ||x~_n||, each update adds at least eta gamma to u.theta and at most eta^2 R^2 to ||theta||^2. So from zero
their number k has k eta gamma <= u.theta_k <= ||theta_k|| <= sqrt(k) eta R, which ends at k = (R/gamma)^2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kernelplay.models.base import Array, Check, all_differ
from kernelplay.models.perceptron_nearest import (
    EPS,
    Nearest,
    balanced,
    certain,
    facing_negative,
    length_of,
    nearest,
    polished,
)
from kernelplay.models.perceptron_space import Space
from kernelplay.models.perceptron_trace import Trace

FEATURES = 24  # explicit features up to which the nearest point is looked for among them
SLACK = 1e-9  # relative, of a bound that lies this little below a whole number
GAP = 1e-8  # relative distance of gamma from its upper bound, beyond which it does not count as found
EFFORT = 400  # steps of the solver for a run that has converged
LEAST_EFFORT, MOST_EFFORT, WORK = 10, 100, 5e6  # steps for another, WORK/n^2: its bound is in the thousands at least


@dataclass(frozen=True, eq=False)
class Separation:
    """Whether a vector u separates the points with a positive margin.

    Separable: u = sum coefficients_n x~_n of length 1, margins_n = y_n u.x~_n, gamma their minimum (so that it holds
    for this u exactly), `most` an upper bound of it from the dual; residual: their relative distance. Not separable:
    weights >= 0 of sum 1 with sum weights_n y_n x~_n = 0; residual: that sum relative to its terms; `endless`: a
    negative point carries weight, so that the updates can never end.
    """

    separable: bool | None  # None: not told
    residual: float = 0.0
    gamma: float = 0.0
    most: float = 0.0
    margins: Array | None = None  # (n,)
    u: Array | None = None  # (r,), for the linear kernel
    coefficients: Array | None = None  # (n,)
    weights: Array | None = None  # (n,)
    endless: bool = False
    unknown: Literal["", "indefinite", "small"] = ""  # why gamma is not known: no feature space, or too small a gamma
    eig_min: float = 0.0  # of an indefinite Gram matrix of k~

    @property
    def conflict(self) -> tuple[int, ...]:
        """The points of the certificate that no vector separates them."""
        if self.weights is None:
            return ()
        return tuple(np.flatnonzero(self.weights > 1e-6 * self.weights.max()).tolist())


def separate(space: Space, trace: Trace, check: Check) -> Separation:
    """Return the best separator of the space of x~, or the certificate that there is none.

    Behind a kernel a run that has not converged has but a small margin, if any, and finding that may take minutes: then
    the search ends after a number of steps that depends on the number of points alone.
    """
    if space.lifted is not None:
        return _among_features(space.lifted, space, check)
    opposed = _opposed(space)
    if opposed is not None:
        return opposed
    Phi = space.k.features(space.X)
    if Phi is not None and Phi.shape[1] <= FEATURES:
        return replace(_among_features(Phi, space, check), u=None)
    return _behind_kernel(space, trace, check)


def _among_features(Phi: Array, space: Space, check: Check) -> Separation:
    Z = Phi * space.y[:, None]
    found = nearest(Z, check)
    if not found.zero:
        known = _separated(space, Z, *polished(Z, found), found)
        if known is not None:
            return known
    # whether there is a separator, and not how wide it is, stays the same when the features are moved and scaled
    moved = balanced(Phi, constant=space.constant > 0) * space.y[:, None]
    found = nearest(moved, check)
    if not found.zero:
        return Separation(True if certain(polished(moved, found)[0], moved)[1] else None, unknown="small")
    weights = np.zeros(len(Z))
    weights[found.corral] = found.weight
    facing: Array | None = weights
    if not (weights[space.y < 0] > 0).any():
        facing = facing_negative(Z, space.y < 0, check)
    return _not_separated(Z, weights if facing is None else facing, facing is not None)


def _separated(space: Space, Z: Array, u: Array, a: Array, found: Nearest) -> Separation | None:
    """Return the separator u = sum over the corral of a_i z_i; None if rounding leaves a doubt of its margin."""
    margins, sure = certain(u, Z)
    gamma, most = float(margins.min()), length_of(found.v)
    if not sure or 1 - gamma / most > GAP:
        return None
    coefficients = np.zeros(len(Z))
    coefficients[found.corral] = a * space.y[found.corral]
    return Separation(True, max(0.0, 1 - gamma / most), gamma, most, margins, u, coefficients)


def _not_separated(Z: Array, weights: Array, endless: bool) -> Separation:
    left = weights @ Z
    terms = weights @ np.abs(Z)
    from kernelplay.numerics.separability import PROVED

    residual = float((np.abs(left) / np.where(terms > 0, terms, 1.0)).max(initial=0.0))
    if residual > PROVED:
        return Separation(None, unknown="small")
    return Separation(False, residual, weights=weights, endless=endless)


def _opposed(space: Space) -> Separation | None:
    """Return the certificate of one input that stands in both classes, behind any kernel; None if there is none."""
    if all_differ(space.X):
        return None
    _, group = np.unique(space.X, axis=0, return_inverse=True)
    group = group.reshape(-1)
    classes = np.bincount(group, space.y)
    mixed = np.flatnonzero(np.abs(classes) < np.bincount(group))
    if not len(mixed):
        return None
    rows = np.flatnonzero(group == mixed[0])
    weights = np.zeros(len(space.y))
    weights[[rows[space.y[rows] > 0][0], rows[space.y[rows] < 0][0]]] = 0.5
    return Separation(False, 0.0, weights=weights, endless=True)


class _Enough(Exception):
    """The steps that were allowed are used up."""


def _behind_kernel(space: Space, trace: Trace, check: Check) -> Separation:
    """Return the hard-margin separator through the origin of feature space: min 1/2 b'K~b - y'b, b_n y_n >= 0."""
    from kernelplay.numerics.box_qp import NotSolved, Problem, solve
    from kernelplay.numerics.linalg import is_psd
    from kernelplay.numerics.separability import PROVED

    assert space.gram is not None
    n, y = len(space.y), space.y
    if not space.k.psd:
        valid, low, _ = is_psd(space.gram.dense(check))
        if not valid:
            return Separation(None, unknown="indefinite", eig_min=low)
    if not space.R2 > 0 and space.k.psd:  # a kernel that is 0 at all points: f = 0 there whatever theta is
        weights = np.zeros(n)
        weights[int(np.argmin(y))] = 1.0
        return Separation(False, 0.0, weights=weights, endless=True)
    left = EFFORT if trace.converged else max(LEAST_EFFORT, min(MOST_EFFORT, int(WORK / n**2)))

    def step() -> None:
        nonlocal left
        check()
        left -= 1
        if left < 0:
            raise _Enough

    strictly = trace.converged and bool((trace.final > n * EPS * np.abs(trace.final).max()).all())
    unknown = Separation(True if space.k.strictly_pd or strictly else None, unknown="small")
    problem = Problem(space.gram, y, np.zeros(n), np.where(y > 0, 0.0, -np.inf), np.where(y > 0, np.inf, 0.0), False)
    try:
        solution = solve(problem, check=step)
    except (NotSolved, _Enough):
        return unknown
    if solution.infeasible is not None:
        # features that differ are separable behind a strictly positive definite kernel, however little they differ, and
        # a sum that is 0 to a few digits only proves nothing
        if space.k.strictly_pd or solution.infeasible.residual > PROVED:
            return unknown
        weights = np.abs(solution.infeasible.ray)
        weights /= weights.sum()
        return Separation(False, solution.infeasible.residual, weights=weights,
                          endless=bool((weights[y < 0] > 1e-6 * weights.max()).any()))
    return _expanded(space, solution.beta, solution.f0) or unknown


def _expanded(space: Space, beta: Array, f0: Array) -> Separation | None:
    """Return the separator sum beta_n x~_n, f0 = K~ beta, scaled to length 1; None if its margin is not a true one."""
    assert space.gram is not None
    if space.gram.low_rank and space.gram.trace_error > 0:
        f0 = space.expanded(beta, space.X)  # the true kernel, and not its factor
    length2, total = float(beta @ f0), float(np.abs(beta).sum())
    if not length2 > 0:
        return None
    length = math.sqrt(length2)
    margins = space.y * f0 / length
    gamma, most = float(margins.min()), length / total
    if not gamma > 0 or 1 - gamma / most > GAP:
        return None
    return Separation(True, max(0.0, 1 - gamma / most), gamma, most, margins, None, beta / length)


def bound(space: Space, separation: Separation) -> float | None:
    """Return the largest k with u.theta_0 + k eta gamma <= sqrt(||theta_0||^2 + k eta^2 R^2), a real number.

    From zero it is (R/gamma)^2. None where no margin is known.
    """
    gamma = separation.gamma
    if not gamma > 0:
        return None
    along, norm2 = start(space, separation), space.start_norm2
    half, gamma2 = space.R2 - 2 * along * gamma, gamma * gamma
    if gamma2 == 0.0:
        return None
    value = (half + math.sqrt(max(0.0, half * half + 4 * gamma2 * (norm2 - along * along)))) / (2 * gamma2)
    return value if math.isfinite(value) else None


def whole(value: float) -> int:
    """Return the largest whole number of updates that a bound allows, which its rounding must not lower."""
    return math.floor(value * (1 + SLACK))


def start(space: Space, separation: Separation) -> float:
    """Return u.theta_0/eta."""
    if not space.start or separation.margins is None:
        return 0.0
    if separation.u is not None and space.theta_0 is not None:
        return float(separation.u @ space.theta_0)
    return space.start * float(separation.margins.sum())


def least_bound(lemmas: Lemmas, space: Space) -> float:
    """Return what any bound must exceed, from the run itself: k gamma <= ||theta_k|| + ||theta_0|| caps gamma."""
    if not space.R2 > 0:
        return 0.0
    k = np.arange(1.0, len(lemmas.norm2))
    doubt = 8 * EPS * (k + 1) * lemmas.high[1:]  # ||theta_k||^2 is a sum in which almost all may cancel
    length = np.sqrt(np.maximum(lemmas.norm2[1:], 0.0) + doubt) + math.sqrt(max(space.start_norm2, 0.0))
    return float((space.R2 * (k / length) ** 2).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Lemmas:
    """Both lemmas after k = 0, 1, … updates, in units of eta: low_k <= along_k = u.theta_k, norm2_k <= high_k."""

    norm2: Array  # (k + 1,)  ||theta_k||^2
    high: Array  # (k + 1,)  ||theta_0||^2 + k R^2
    along: Array | None = None  # (k + 1,)  u.theta_k
    low: Array | None = None  # (k + 1,)  u.theta_0 + k gamma

    @property
    def violation(self) -> tuple[float, float]:
        """By how much each lemma is violated at worst, relative to the size of its terms."""
        second = float(((self.norm2 - self.high) / np.maximum(self.high, 1e-300)).max())
        if self.along is None or self.low is None:
            return 0.0, max(0.0, second)
        size = np.maximum(np.maximum(np.abs(self.along), np.abs(self.low)), np.sqrt(self.high))
        first = float(((self.low - self.along) / np.maximum(size, 1e-300)).max())
        return max(0.0, first), max(0.0, second)

    @property
    def cosine(self) -> Array | None:
        """(k + 1,): cos(u, theta_k); NaN where theta_k = 0."""
        if self.along is None:
            return None
        length = np.sqrt(self.norm2)
        cosine: Array = np.divide(self.along, length, out=np.full(len(length), np.nan), where=length > 0)
        return cosine


def lemmas(space: Space, trace: Trace, separation: Separation, path: Array | None) -> Lemmas:
    """Return what the lemmas speak of along the run; `path` (k + 1, r): theta_k/eta, where it is explicit."""
    k = np.arange(trace.mistakes + 1.0)
    if path is not None:
        norm2 = np.einsum("ij,ij->i", path, path)
    else:
        norm2 = np.concatenate([[space.start_norm2], 2 * trace.score + space.q[trace.point]]).cumsum()
        norm2 = np.maximum(norm2, 0.0)
    high: Array = space.start_norm2 + k * space.R2
    if separation.margins is None:
        return Lemmas(norm2, high)
    along = np.concatenate([[start(space, separation)], separation.margins[trace.point]]).cumsum()
    return Lemmas(norm2, high, along, along[0] + k * separation.gamma)
