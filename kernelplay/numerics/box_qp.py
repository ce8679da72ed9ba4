"""The one door to quadratic programs with a box (SVM, SVR, perceptron margin), and to cvxopt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernelplay.numerics import indefinite
from kernelplay.numerics.active_set import ROUNDS, ActiveSet, Settled
from kernelplay.numerics.box_problem import (
    BOUND,
    FREE,
    ZERO,
    Certificate,
    Farkas,
    NotSolved,
    Problem,
    Solution,
    bias_of,
    certify,
    states,
)
from kernelplay.numerics.gram import Gram
from kernelplay.numerics.linalg import EPS, Array, Check, NotPositiveDefinite, cholesky, is_psd, nothing
from kernelplay.numerics.pivoted import Index
from kernelplay.numerics.separability import contradiction
from kernelplay.numerics.smoothed import CAREFUL, Descent

__all__ = [
    "BOUND",
    "FREE",
    "ZERO",
    "Certificate",
    "Farkas",
    "NotSolved",
    "Problem",
    "Solution",
    "carried",
    "certify",
    "solve",
]

PATIENT = 160  # single changes of the free set that a warm start may take
ALIKE = 8.0 * EPS  # relative difference that rounding makes
WARM = 0.3  # of the targets: over this width the hinge is rounded off when a warm start needs a descent
NOTHING = Certificate(np.inf, np.inf, np.inf, np.inf)  # no point was reached


def solve(problem: Problem, *, warm: Solution | None = None, check: Check = nothing) -> Solution:
    """Solve the problem, with a certificate that holds or a proof that it is unbounded (`infeasible`).

    From `warm`, the solution of a nearby problem of the same n (see `carried`), the active set starts at its free set;
    where that leads nowhere, and without it, the smoothed descent does the work; where that fails, cvxopt's interior
    point. Each ends in the exact vertex of its free set. An indefinite K gets a stationary point and says so. Raises
    NotSolved with the certificate that was reached, and whatever `check` raises.
    """
    try:
        return _solve(problem, warm, check)
    except np.linalg.LinAlgError:  # products of K beyond the range of a float: no shift makes it definite
        raise NotSolved(NOTHING) from None


def _solve(problem: Problem, warm: Solution | None, check: Check) -> Solution:
    n = problem.gram.n
    low = float((problem.t - problem.e)[problem.upper > 0.0].max(initial=-np.inf))
    high = float((problem.t + problem.e)[problem.lower < 0.0].min(initial=np.inf))
    if not n or (low <= high if problem.balanced else low <= 0.0 <= high):
        return _finish(problem, np.zeros(n), 0, "cold")
    eig_min = _negative(problem.gram, check)
    if eig_min is not None:
        if problem.open or not problem.balanced:
            raise NotSolved(NOTHING)
        beta, steps = indefinite.descend(problem, check)
        return replace(_finish(problem, beta, steps, "cold"), stationary=True, eig_min=eig_min)
    if problem.open:
        farkas = contradiction(problem)
        if farkas is not None:
            return _infeasible(problem, farkas, 0)
    work = ActiveSet(problem, check)
    if warm is not None and len(warm.beta) == n and warm.infeasible is None:
        solution = _from(problem, work, warm)
        if solution is not None:
            return solution
    descent = Descent(work)
    descent.coarse()
    settled = descent.run()
    if descent.farkas is not None:
        return _infeasible(problem, descent.farkas, descent.steps)
    reached = NOTHING
    if settled is not None:
        try:
            return _finish(problem, settled.beta, descent.steps, "cold")
        except NotSolved as error:
            reached = error.certificate
    settled = _interior_point(problem, work, check)
    if settled is None:
        raise NotSolved(reached)
    return _finish(problem, settled.beta, descent.steps, "cold")


def _from(problem: Problem, work: ActiveSet, warm: Solution) -> Solution | None:
    """The solution starting at that of a nearby problem; None when it is not near enough."""
    state, times = warm.state, 1.0
    bounded = (np.abs(state) == BOUND).nonzero()[0]
    ends = np.where(state[bounded] > 0, problem.upper[bounded], problem.lower[bounded])
    if len(bounded) and not problem.open:
        ratio = ends / warm.beta[bounded]
        # another C: the whole solution scaled keeps the balance
        if ratio[0] > 0.0 and float(np.abs(ratio - ratio[0]).max()) <= ALIKE * ratio[0]:
            times = float(ratio[0])
    scaled = times * warm.beta
    beta = scaled.copy()
    if not problem.open:
        beta[bounded] = ends
    beta = np.minimum(np.maximum(beta, problem.lower), problem.upper)
    known = warm.gram is problem.gram and float(np.abs(beta - scaled).max()) <= ALIKE * float(np.abs(beta).max())
    start = work.face.known(beta, times * warm.f0) if known else work.face.function(beta)
    settled = work.settle(beta, ROUNDS, start=start)
    if settled is None:
        settled = work.settle(beta, PATIENT, careful=True, start=start)
    steps = settled.rounds if settled is not None else 0
    largest = float(np.abs(beta).max())
    if settled is None and largest > 0.0:
        descent = Descent(work)
        descent.warm(beta, warm.bias - work.middle, WARM * work.size / largest)
        settled = descent.run()
        steps = descent.steps
    if settled is None:
        return None
    try:
        return _finish(problem, settled.beta, steps, "warm")
    except NotSolved:
        return None


def carried(solution: Solution, index: Index) -> Solution:
    """The solution as a warm start after additions and deletions: `index` (n,), where each point was, -1 for new."""
    known = index >= 0
    beta = np.where(known, solution.beta[np.maximum(index, 0)], 0.0)
    state = np.where(known, solution.state[np.maximum(index, 0)], 0).astype(np.int8)
    return replace(solution, beta=beta, state=state, gram=None)


def _negative(gram: Gram, check: Check) -> float | None:
    """The smallest eigenvalue of a K that is not positive semi-definite; None when it is."""
    if gram.psd:
        return None
    K = gram.dense(check)
    shift = 10.0 * gram.n * EPS * float(np.abs(gram.diagonal).max(initial=0.0))
    try:
        cholesky(K, ladder=(shift / max(float(np.abs(gram.diagonal).mean()), 1e-300),))
        return None
    except NotPositiveDefinite:
        definite, low, _ = is_psd(K)
        return None if definite else low


def _infeasible(problem: Problem, farkas: Farkas, iterations: int) -> Solution:
    zero = np.zeros(problem.gram.n)
    return Solution(zero, states(zero, zero, zero), 0.0, (-np.inf, np.inf), zero, NOTHING, iterations, "cold",
                    infeasible=farkas)


def _finish(problem: Problem, beta: Array, iterations: int, path: str) -> Solution:
    """The solution with its certificate; raises NotSolved when that is not good enough."""
    f0 = problem.gram.matvec(beta)
    state = states(beta, problem.lower, problem.upper)
    bias, between = bias_of(problem, beta, f0, state)
    certificate = certify(problem, beta, f0, bias)
    if not certificate.holds:
        raise NotSolved(certificate)
    return Solution(beta, state, bias, between, f0, certificate, iterations, path, problem.gram)


def _interior_point(problem: Problem, work: ActiveSet, check: Check) -> Settled | None:
    """cvxopt's coneqp in scaled units with one factor of K + D an iteration, then the exact vertex; None if it fails.

    beta = sum over parts of sign z with 0 <= z <= width, one part for each side of zero that the box leaves open. The
    scaling W of the bounds makes the KKT matrix S'KS + Theta; with D^-1 the sum of 1/theta over the parts of a point,
    (S'KS + Theta) x = g is y = (K + D)^-1 D S Theta^-1 g, x = Theta^-1 (g - S'K y).
    """
    from cvxopt import matrix, solvers

    gram, n = problem.gram, problem.gram.n
    above, below = np.flatnonzero(problem.upper > 0.0), np.flatnonzero(problem.lower < 0.0)
    index = np.concatenate([above, below])
    sign = np.concatenate([np.ones(len(above)), -np.ones(len(below))])
    unit = work.size / work.face.scale
    width = np.concatenate([problem.upper[above], -problem.lower[below]]) / unit
    bounded = np.flatnonzero(np.isfinite(width))
    m, k = len(index), len(bounded)
    cost = (sign * work.t[index] - problem.e[index]) / work.size

    def gather(z: Array) -> Array:
        total: Array = np.bincount(index, weights=sign * z, minlength=n).astype(np.float64)
        return total

    def product(x: object, y: object, alpha: float = 1.0, beta: float = 0.0) -> None:
        value = gram.matvec(gather(np.array(x).ravel()))[index] * sign / work.face.scale
        y[:] = matrix(alpha * value + (beta * np.array(y).ravel() if beta else 0.0))  # type: ignore[index]

    def limits(x: object, y: object, alpha: float = 1.0, beta: float = 0.0, trans: str = "N") -> None:
        v = np.array(x).ravel()
        if trans == "N":
            value = np.concatenate([-v, v[bounded]])
        else:
            value = -v[:m]
            value[bounded] += v[m:]
        y[:] = matrix(alpha * value + (beta * np.array(y).ravel() if beta else 0.0))  # type: ignore[index]

    def kkt(W: dict[str, object]) -> object:
        check()
        d = np.array(W["d"]).ravel()
        theta = 1.0 / d[:m] ** 2
        theta[bounded] += 1.0 / d[m:] ** 2
        D = 1.0 / np.maximum(np.bincount(index, weights=1.0 / theta, minlength=n), 1e-300)
        shifted = gram.shifted(D * work.face.scale)

        def inverse(g: Array) -> Array:
            y = shifted.solve(D * gather(g / theta)) * work.face.scale
            x: Array = (g - sign * gram.matvec(y)[index] / work.face.scale) / theta
            return x

        column = inverse(sign) if problem.balanced else sign

        def solve_kkt(x: object, y: object, z: object) -> None:
            bx, bz = np.array(x).ravel(), np.array(z).ravel()
            g = bx - bz[:m] / d[:m] ** 2
            g[bounded] += bz[m:] / d[m:] ** 2
            ux = inverse(g)
            if problem.balanced:
                uy = (sign @ ux - np.array(y).ravel()[0]) / (sign @ column)
                ux = ux - uy * column
                y[0] = uy  # type: ignore[index]
            x[:] = matrix(ux)  # type: ignore[index]
            scaled = np.concatenate([(-ux - bz[:m]) / d[:m], (ux[bounded] - bz[m:]) / d[m:]])
            z[:] = matrix(scaled)  # type: ignore[index]

        return solve_kkt

    A = matrix(sign[None, :]) if problem.balanced else matrix(0.0, (0, m))
    b = matrix(0.0, (1 if problem.balanced else 0, 1))
    try:
        found = solvers.coneqp(
            product, matrix(-cost), limits, matrix(np.concatenate([np.zeros(m), width[bounded]])),
            {"l": m + k, "q": [], "s": []}, A, b, kktsolver=kkt,
            options={"show_progress": False, "abstol": 1e-12, "reltol": 1e-12, "feastol": 1e-10, "maxiters": 80},
        )
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None
    slack, force = np.array(found["s"]).ravel(), np.array(found["z"]).ravel()
    z = np.array(found["x"]).ravel()
    z = np.where(slack[:m] < force[:m], 0.0, np.maximum(z, 0.0))
    full = bounded[slack[m:] < force[m:]]
    z[full] = width[full]
    beta = np.minimum(np.maximum(gather(z) * unit, problem.lower), problem.upper)
    return work.settle(beta, ROUNDS) or work.settle(beta, 100 + 2 * min(n, CAREFUL), careful=True)
