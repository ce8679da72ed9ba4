"""A stationary point of the box QP when K is indefinite (sigmoid): no minimum is promised, a good one is looked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernelplay.numerics.active_set import ActiveSet
from kernelplay.numerics.box_problem import FREE, Problem, states
from kernelplay.numerics.gram import from_matrix
from kernelplay.numerics.linalg import EPS, Array, Check
from kernelplay.numerics.pivoted import Index
from kernelplay.numerics.smoothed import Descent

PAIRS = 200  # pair steps between two polishings, times n
TINY = 1e-12  # curvature that stands in for a negative one, as in LIBSVM


def descend(problem: Problem, check: Check) -> tuple[Array, int]:
    """The best stationary beta (n,) found from several starts, and the pair steps taken.

    Starts: zero, as LIBSVM does, and the solutions for K with its negative eigenvalues cut off and turned round (Luss
    and d'Aspremont 2008; Lin and Lin 2003 for the pair steps).
    """
    K = problem.gram.dense(check)
    best: Array | None = None
    lowest = np.inf
    steps = 0
    zero = np.zeros(len(K))
    for start, mirrored in [(zero, True), (zero, False), *((start, False) for start in _convex(problem, K, check))]:
        beta, taken = _pairs(problem, K, start, mirrored, check)
        steps += taken
        value = float(0.5 * beta @ (K @ beta) - problem.t @ beta + problem.e @ np.abs(beta))
        if value < lowest - 1e-12 * abs(lowest) or best is None:
            best, lowest = beta, value
    assert best is not None
    return best, steps


def _convex(problem: Problem, K: Array, check: Check) -> list[Array]:
    """The solutions with the negative eigenvalues of K cut off and turned round."""
    values, vectors = np.linalg.eigh(K)
    check()
    starts = []
    for convex in ((vectors * np.maximum(values, 0.0)) @ vectors.T, (vectors * np.abs(values)) @ vectors.T):
        twin = replace(problem, gram=from_matrix(0.5 * (convex + convex.T), psd=True))
        settled = Descent(ActiveSet(twin, check)).run()
        if settled is not None:
            starts.append(settled.beta)
    return starts


def _last(values: Array) -> int:
    """The index of the largest value, the last one of equals."""
    return len(values) - 1 - int(np.argmax(values[::-1]))


def _pairs(problem: Problem, K: Array, beta: Array, mirrored: bool, check: Check) -> tuple[Array, int]:
    """Pair steps (second-order working set) from a feasible beta to stationarity, polished on the free set.

    The order of the variables and the choice among equals are LIBSVM's, since both decide which stationary point is
    reached: for SVR as they come, for SVM (`mirrored`) the negative class first and as the positive one.
    """
    n = len(K)
    flip = -1.0 if mirrored else 1.0
    # one variable for each side of zero: beta = sum sign z, 0 <= z <= width
    above, below = np.flatnonzero(problem.upper > 0.0), np.flatnonzero(problem.lower < 0.0)
    sides = [(above, 1.0), (below, -1.0)][:: -1 if mirrored else 1]
    index = np.concatenate([side for side, _ in sides])
    sign = np.concatenate([np.full(len(side), way) for side, way in sides])
    width = np.where(sign > 0.0, problem.upper[index], -problem.lower[index])
    cost = sign * problem.t[index] - problem.e[index]
    z = np.minimum(np.maximum(sign * beta[index], 0.0), width)
    f = K @ beta
    diagonal = np.diagonal(K)
    scale = max(float(np.abs(problem.t).max()), float(np.abs(f).max(initial=0.0)))
    y = flip * sign
    goal = 1e-6
    for step in range(PAIRS * n):
        if step % 64 == 0:
            check()
        # y times the negative gradient
        force = y * (cost - sign * f[index])
        rises = np.where(y > 0.0, z < width, z > 0.0)
        falls = np.where(y > 0.0, z > 0.0, z < width)
        i = _last(np.where(rises, force, -np.inf))
        lead = force[i] - force
        if not rises[i] or float(np.where(falls, lead, -np.inf).max()) <= goal * scale:
            beta = _gather(index, sign * z, n)
            polished = _polish(problem, K, beta)
            if polished is not None or goal < 1e-13:
                return beta if polished is None else polished, step
            goal *= 1e-2
            continue
        row = K[index[i]]
        curvature = diagonal[index[i]] + diagonal[index] - 2.0 * row[index]
        safe = np.where(curvature > 0.0, curvature, TINY)
        j = _last(np.where(falls & (lead > 0.0), lead * lead / safe, -np.inf))
        room_i = width[i] - z[i] if y[i] > 0.0 else z[i]
        room_j = z[j] if y[j] > 0.0 else width[j] - z[j]
        move = min(lead[j] / safe[j], room_i, room_j)
        z[i] = _land(z[i] + y[i] * move, width[i], move == room_i, y[i] > 0.0)
        z[j] = _land(z[j] - y[j] * move, width[j], move == room_j, y[j] < 0.0)
        f += flip * move * (row - K[index[j]])
    return _gather(index, sign * z, n), PAIRS * n


def _gather(index: Index, parts: Array, n: int) -> Array:
    """The sum of the parts of each point: (n,)."""
    total: Array = np.bincount(index, weights=parts, minlength=n).astype(np.float64)
    return total


def _land(value: float, width: float, hit: bool, top: bool) -> float:
    """The new value, exactly on its bound when the step ended there."""
    if hit:
        return width if top else 0.0
    return min(max(value, 0.0), width)


def _polish(problem: Problem, K: Array, beta: Array) -> Array | None:
    """Solve the stationarity equations on the free set exactly; None when that leaves the box or the KKT conditions."""
    beta = beta.copy()
    state = states(beta, problem.lower, problem.upper)
    F = np.flatnonzero(np.abs(state) == FREE)
    sign = np.sign(beta)
    f = K @ beta
    if not len(F):
        return None
    k = len(F)
    system = np.ones((k + 1, k + 1))
    system[:k, :k] = K[np.ix_(F, F)]
    system[k, k] = 0.0
    bias = 0.0
    for _ in range(3):
        rhs = np.append(problem.t[F] - sign[F] * problem.e[F] - f[F], -beta.sum())
        try:
            step = np.linalg.solve(system, rhs)
        except np.linalg.LinAlgError:
            return None
        beta[F] += step[:k]
        bias = float(step[k])
        f = K @ beta
    if ((beta >= problem.upper) | (beta <= problem.lower) | (beta * sign <= 0.0))[F].any():
        return None
    r = problem.t - f - bias
    up = np.where(state < 0, r + problem.e, np.where((state < 2) & (problem.upper > 0.0), r - problem.e, 0.0))
    down = np.where(state > 0, problem.e - r, np.where((state > -2) & (problem.lower < 0.0), -problem.e - r, 0.0))
    scale = float(np.abs(problem.t).max()) + 64.0 * EPS * float(np.abs(K).max()) * float(np.abs(beta).sum()) / 1e-10
    return beta if float(np.maximum(up, down).max()) <= 1e-10 * scale else None
