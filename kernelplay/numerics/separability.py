"""Proof that a problem without slack has no solution: a Farkas ray, verified."""

from __future__ import annotations

import numpy as np

from kernelplay.numerics.box_problem import Farkas, Problem
from kernelplay.numerics.linalg import EPS, Array

EXPLICIT = 1e-11  # residual of a ray in an explicit feature space, relative
IMPLICIT = 4.0  # times sqrt(n eps): what a dense matrix, the square of the features, can tell from zero
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


def refine(problem: Problem, ray: Array) -> Array:
    """The ray moved by as little as possible, relative to its own entries, to where K ray = 0 and sum ray = 0."""
    largest = float(np.abs(ray).max(initial=0.0))
    if not largest > 0.0 or not np.isfinite(largest):
        return ray
    ray = ray / largest
    L = problem.gram.L
    F = np.flatnonzero(ray)
    if L is None:
        return ray
    rows = L[F]
    if problem.balanced:
        rows = np.column_stack([rows, np.full(len(F), float(np.sqrt(problem.gram.diagonal.mean())))])
    for _ in range(2):
        weighted = rows * np.abs(ray[F])[:, None]
        correction = np.linalg.lstsq(weighted.T, rows.T @ ray[F], rcond=len(F) * EPS)[0]
        ray[F] -= np.abs(ray[F]) * correction
    return ray


def verify(problem: Problem, ray: Array) -> Farkas | None:
    """The ray with its residual and growth computed from the problem, or None when it proves nothing."""
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
