"""The dual problem that SVM and SVR share: set it up, solve it, expand the solution, certify it.

minimise 1/2 b'Kb - t'b + sum e_n |b_n|, lower <= b <= upper, sum b = 0. SVM: b_n = alpha_n y_n, t = y, e = 0; SVR:
b_n = a_n - a^_n, t the targets, e = epsilon. Repeated points are one variable, its box as many times wider.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FitError, Note
from kernelplay.i18n import say
from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Array, Certificate, Check, Residual, merged
from kernelplay.models.conflict import fewest
from kernelplay.models.dual_words import indefinite_note, not_convex, not_solved
from kernelplay.models.expansion import Centred, Expansion

if TYPE_CHECKING:  # scipy behind them is loaded with the first fit, not with the window
    from kernelplay.numerics.box_qp import Certificate as BoxCertificate
    from kernelplay.numerics.box_qp import Problem, Solution
    from kernelplay.numerics.gram import Gram

TOLERANCE = 1e-8
ROUNDING = 1e-14
SMALL = 1e-9  # multipliers of a proof, relative to the largest, that are rounding


@dataclass(frozen=True, eq=False)
class Solved:
    """A solved dual: the problem over distinct points, its solution, and which point each row is."""

    problem: Problem
    solution: Solution
    f: Expansion
    level: float  # the problem's targets are those of the data less this
    group: NDArray[np.intp]  # (n,)  the distinct point of each row
    weight: Array  # (u,)  how many rows it has

    def rows(self, beta: Array) -> Array:
        """Return beta (n,) of the rows: what a repeated point has is shared evenly."""
        return np.asarray((beta / self.weight)[self.group])

    def points(self, beta: Array) -> Array:
        """Return beta (u,) of the distinct points from that of the rows (n,)."""
        return np.bincount(self.group, np.asarray(beta, dtype=float), minlength=len(self.weight)).astype(float)

    @property
    def state(self) -> NDArray[np.int8]:
        """Of each row: 0 zero, +-1 free, +-2 at its bound; the sign is that of beta."""
        return self.solution.state[self.group]

    @property
    def certificate(self) -> Certificate:
        """The certificate of the solution. What is measured, relative to what: `numerics.box_problem.certify`."""
        return _residuals(self.solution.certificate)

    def certify(self, beta: Array) -> Certificate:
        """Return the certificate of beta (n,) with the bias of the solution, computed from the problem alone.

        A multiplier that sharing among repeated points and adding up again leaves a rounding error short of its bound
        is at it.
        """
        from kernelplay.numerics import box_qp

        summed = _at_bounds(self.points(beta), self.problem, ROUNDING)
        f0 = self.problem.gram.matvec(summed)
        return _residuals(box_qp.certify(self.problem, summed, f0, self.solution.bias))

    @cached_property
    def ray(self) -> Array | None:
        """The proof (u,) of an infeasible problem, on few points: sum ray_n phi(x_n) = 0, sum ray_n = 0, and the dual
        grows along it, t'ray > e'|ray|. SVM: lambda_n = ray_n y_n, SVR: lambda - lambda^ = ray. None if feasible."""
        proof = self.solution.infeasible
        if proof is None:
            return None
        ray = np.where(np.abs(proof.ray) > SMALL, proof.ray, 0.0)
        if self.f.centred is None:
            return ray
        return fewest(ray, self.f.centred.values, self.problem.t * np.sign(ray) - self.problem.e)

    @property
    def proved(self) -> bool:
        """Whether `ray` proves that there is no solution, and is not merely 0 to working precision.

        Behind a strictly positive definite kernel only equal inputs can be in conflict, and those exactly.
        """
        from kernelplay.numerics.separability import PROVED

        proof = self.solution.infeasible
        if proof is None:
            return False
        if self.f.kernel.strictly_pd:
            used = self.f.X[np.abs(proof.ray) > SMALL]
            return len(np.unique(used, axis=0)) < len(used)
        return proof.residual <= PROVED

    @property
    def conflict(self) -> tuple[int, ...]:
        """Rows that the proof of infeasibility puts weight on; none where there is a solution."""
        return () if self.ray is None else tuple(np.flatnonzero(self.ray[self.group]).tolist())

    @property
    def norm2(self) -> float:
        """||w||^2 = beta'K beta; negative where the kernel matrix is indefinite and beta says so."""
        weights = self.f.weights
        return float(weights @ weights if weights is not None else self.solution.beta @ self.solution.f0)

    @property
    def factor_error(self) -> float:
        """How far f at a training point can be from its low-rank value: trace error times ||beta||; 0 when exact."""
        error = self.problem.gram.trace_error if self.f.centred is None else 0.0
        return error * float(np.linalg.norm(self.solution.beta))


def solve(kernel: Kernel, X: Array, t: Array, e: float, cap: float, sides: Array | None, *, check: Check,
          last: Solved | None) -> Solved:
    """Solve for inputs X (n, d), targets t (n,), tube e and box `cap` per row (inf: hard), starting from `last`.

    sides: (n,) the only sign that beta may have (SVM), or None for either (SVR). Raises FitError where no certified
    answer was reached; an infeasible problem is returned, with its proof as `solution.infeasible`.
    """
    from kernelplay.numerics import box_qp

    first, group, weight = merged(X, t)
    distinct = X[first]
    level = 0.0 if sides is not None else float(t.min() + t.max()) / 2
    targets = t[first] - level
    side = np.ones(len(first)) if sides is None else sides[first]
    room = cap * weight
    upper = np.where(side > 0, room, 0.0)
    lower = -room if sides is None else np.where(side < 0, -room, 0.0)
    warm = _warm(last, distinct, targets + level)

    def attempt(centred: Centred | None) -> Solved:
        gram = _gram(kernel, distinct, centred, check, last)
        problem = box_qp.Problem(gram, targets, np.full(len(first), e), lower, upper)
        solution = box_qp.solve(problem, warm=warm, check=check)
        if not np.isfinite(solution.beta).all():
            raise box_qp.NotSolved(solution.certificate)
        f = Expansion(kernel, distinct, solution.beta, solution.bias + level, centred)
        return Solved(problem, solution, f, level, group, weight)

    centred = _centred(kernel, distinct)
    try:
        try:
            return attempt(centred)
        except box_qp.NotSolved:
            if centred is None or sides is None:
                raise
            return attempt(centred.about_closest(distinct, side))
    except box_qp.NotSolved as error:
        raise _why(kernel, distinct, cap, float(error.certificate.worst)) from None


def _residuals(found: BoxCertificate) -> Certificate:
    return Certificate((
        Residual("duality_gap", say("Duality gap"), found.gap,
                 say("Primal minus dual objective, relative to the objective: 0 at the exact solution."),
                 found.gap_floor),
        Residual("kkt_residual", say("KKT residual"), float(np.maximum(found.primal, found.dual)),
                 say("The largest violation of the optimality conditions, relative to the size of f and of the "
                     "multipliers."), found.floor if found.primal <= TOLERANCE else 0.0),
    ), TOLERANCE)


def _at_bounds(beta: Array, problem: Problem, near: float) -> Array:
    """Return beta with what is nearer to its bound than `near`, relative, at it."""
    high = (beta > 0) & (np.abs(beta - problem.upper) <= near * problem.upper) & np.isfinite(problem.upper)
    low = (beta < 0) & (np.abs(beta - problem.lower) <= -near * problem.lower) & np.isfinite(problem.lower)
    return np.where(high, problem.upper, np.where(low, problem.lower, beta))


def _centred(kernel: Kernel, X: Array) -> Centred | None:
    """Return the explicit features, if any; raise FitError where the kernel is not finite at the points X (u, d)."""
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is said below
        centred = Centred.of(kernel, X)
        finite = np.isfinite(kernel.diagonal(X) if centred is None else centred.values).all()
    if not finite:
        raise FitError(say("The kernel is not finite at some points: its values are too large for these data. Scale "
                           "the data down, or lower the degree or factor of the kernel."))
    return centred


def _gram(kernel: Kernel, X: Array, centred: Centred | None, check: Check, last: Solved | None) -> Gram:
    from kernelplay.numerics import gram

    if centred is not None:
        return gram.from_features(centred.values, check)
    if _constant(kernel, X):
        return gram.from_features(np.zeros((len(X), 1)), check)
    try:
        return gram.factorise(kernel, X, check=check, rows=True, like=last.problem.gram if last is not None else None)
    except gram.TooLarge as error:
        raise FitError(say("This kernel needs a full kernel matrix, and for {n} points it does not fit in memory: use "
                           "fewer points, or a smooth kernel such as the Gaussian.", n=error.n)) from None


def _constant(kernel: Kernel, X: Array) -> bool:
    """Return whether the kernel has one value at all pairs of points: a factor of 0, a saturated sigmoid. The balance
    hides it, whatever it is."""
    value = float(kernel.diagonal(X[:1])[0])
    if not (kernel(X[:1], X) == value).all() or not (kernel.diagonal(X) == value).all():
        return False
    return kernel.psd or bool((kernel(X, X) == value).all())


def _why(kernel: Kernel, X: Array, cap: float, residual: float) -> FitError:
    """Return the error of a problem that was not solved."""
    from kernelplay.numerics.linalg import is_psd

    if np.isinf(cap) and not kernel.psd:
        definite, low, _ = is_psd(kernel(X, X))
        if not definite:
            return FitError(not_convex(low))
    return FitError(not_solved(residual, TOLERANCE, hard=bool(np.isinf(cap))))


def _warm(last: Solved | None, X: Array, t: Array) -> Solution | None:
    """Return the last solution for the points of now: in the same order, or carried over to equal points."""
    if last is None or last.solution.infeasible is not None or X.shape[1] != last.f.X.shape[1]:
        return None
    if len(X) == len(last.f.X):
        return last.solution
    from kernelplay.numerics import box_qp

    before, now = np.column_stack([last.f.X, last.problem.t + last.level]), np.column_stack([X, t])
    return box_qp.carried(last.solution, _places(before, now))


def _places(before: Array, now: Array) -> NDArray[np.intp]:
    """Return where each row of `now` was in `before`, -1 for a new one; rows of each are all different."""
    same = min(len(before), len(now))
    apart = np.flatnonzero((before[:same] != now[:same]).any(axis=1))
    head = int(apart[0]) if len(apart) else same
    apart = np.flatnonzero((before[len(before) - same + head:] != now[len(now) - same + head:]).any(axis=1))
    tail = same - head - 1 - int(apart[-1]) if len(apart) else same - head
    # what was added or removed lies between: only there row by row
    known = {row.tobytes(): i for i, row in enumerate(before[head:len(before) - tail], head)}
    between = [known.get(row.tobytes(), -1) for row in now[head:len(now) - tail]]
    return np.concatenate([np.arange(head), np.array(between, np.intp), np.arange(len(before) - tail, len(before))])


def definiteness(solved: Solved, kernel: Kernel, X: Array) -> tuple[float | None, tuple[Note, ...]]:
    """Return the smallest eigenvalue of an indefinite kernel matrix and the note that says it; else None, no note."""
    if not solved.solution.stationary:
        return None, ()
    from kernelplay.numerics.linalg import smallest_eigenvalue

    low = solved.solution.eig_min
    if low is None or len(X) != len(solved.weight):
        low = smallest_eigenvalue(kernel(X, X))
    return low, (indefinite_note(low),)
