"""Proof that a problem without slack has no solution: a Farkas ray, verified."""

from __future__ import annotations

import numpy as np

from kernelplay.numerics.box_problem import Farkas, Problem
from kernelplay.numerics.linalg import EPS, Array
from kernelplay.numerics.pivoted import Index

EXPLICIT = 1e-11  # residual of a ray in an explicit feature space, relative
IMPLICIT = 4.0  # times sqrt(n eps): what a dense matrix, the square of the features, can tell from zero
PROVED = 1e-8  # residual beyond which a ray is zero to working precision only, and proves nothing
GROWTH = 1e-9  # of sum |t ray|


def contradiction(problem: Problem) -> Farkas | None:
    """Equal inputs that ask for different values without slack: one of them up, the other down."""
    X = problem.gram.X
    n = problem.gram.n
    if not n:
        return None
    order = np.lexsort(X.T)
    starts = np.flatnonzero(np.concatenate([[True], (X[order][1:] != X[order][:-1]).any(axis=1)]))
    if len(starts) == n:
        return None
    # within a group of equal inputs: the highest value asked for by force against the lowest
    rises = np.where(np.isinf(problem.upper), problem.t - problem.e, -np.inf)[order]
    falls = np.where(np.isinf(problem.lower), problem.t + problem.e, np.inf)[order]
    conflict = np.maximum.reduceat(rises, starts) - np.minimum.reduceat(falls, starts)
    worst = int(np.argmax(conflict))
    if not conflict[worst] > 0.0:
        return None
    group = slice(starts[worst], starts[worst + 1] if worst + 1 < len(starts) else n)
    ray = np.zeros(n)
    ray[order[group][np.argmax(rises[group])]] = 1.0
    ray[order[group][np.argmin(falls[group])]] = -1.0
    return verify(problem, ray)


def prove(problem: Problem, ray: Array) -> Farkas | None:
    """The proof that a ray (n,) found by a diverging descent comes close to, on as few points as will do; or None."""
    largest = float(np.abs(ray).max(initial=0.0))
    if not largest > 0.0 or not np.isfinite(largest):
        return None
    farkas = verify(problem, _refined(problem, ray / largest))
    if farkas is None:
        return None
    fewer = _thinned(problem, farkas.ray)
    return (verify(problem, _refined(problem, fewer)) if fewer is not None else None) or farkas


def _conditions(problem: Problem, F: Index) -> Array | None:
    """The rows (k, r) whose combination by a ray on F has to vanish: features, and a constant for the balance."""
    L = problem.gram.L
    if L is None:
        return None
    if not problem.balanced:
        return L[F]
    return np.column_stack([L[F], np.full(len(F), float(np.sqrt(problem.gram.diagonal.mean())))])


def _refined(problem: Problem, ray: Array) -> Array:
    """The ray moved by as little as possible, relative to its own entries, to where its conditions hold."""
    F = np.flatnonzero(ray)
    rows = _conditions(problem, F)
    if rows is None or not len(F):
        return ray
    ray = ray.copy()
    for _ in range(2):
        weight = np.abs(ray[F])
        correction = np.linalg.lstsq((rows * weight[:, None]).T, rows.T @ ray[F], rcond=len(F) * EPS)[0]
        ray[F] -= weight * correction
    return ray


def _thinned(problem: Problem, ray: Array) -> Array | None:
    """A ray on a part of these points, no more than there are conditions: a vertex of their cone (linear program)."""
    F = np.flatnonzero(ray)
    rows = _conditions(problem, F)
    if rows is None or len(F) <= 2:
        return None
    from scipy.optimize import linprog  # a tenth of a second to import, and seldom wanted

    sign = np.sign(ray[F])
    scale = np.abs(rows).max(axis=0)
    rows = rows[:, scale > 0.0] / scale[scale > 0.0]
    found = linprog(
        problem.e[F] - sign * problem.t[F],
        A_eq=np.vstack([(rows * sign[:, None]).T, np.ones(len(F))]),
        b_eq=np.append(np.zeros(rows.shape[1]), 1.0),
        method="highs-ds",
    )
    if found.x is None:
        return None
    fewer = np.zeros(len(ray))
    fewer[F] = sign * found.x
    return fewer


def verify(problem: Problem, ray: Array) -> Farkas | None:
    """The ray with its residual and growth computed from the problem; None when it is not zero to working precision."""
    gram = problem.gram
    size = np.abs(ray)
    largest = float(size.max(initial=0.0))
    if not largest > 0.0 or not np.isfinite(largest):
        return None
    ray = ray / largest
    size = size / largest
    if ((ray > 0.0) & np.isfinite(problem.upper)).any() or ((ray < 0.0) & np.isfinite(problem.lower)).any():
        return None
    reach = float(size @ np.sqrt(gram.diagonal))
    if gram.L is not None:
        image = ray @ gram.L
        square = float(image @ image)
        limit = EXPLICIT
    else:
        square = abs(float(ray @ gram.matvec(ray)))
        limit = IMPLICIT * float(np.sqrt(gram.n * EPS))
    residual = float(np.sqrt(square)) / reach if reach > 0.0 else 0.0
    if problem.balanced:
        residual = max(residual, abs(float(ray.sum())) / float(size.sum()))
    growth = float(problem.t @ ray - problem.e @ size)
    if residual <= limit and growth > GROWTH * float(np.abs(problem.t) @ size):
        return Farkas(ray, residual, growth)
    return None
