"""The way up a smooth function of few parameters in a box: BFGS with exact gradients."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernelplay.models.base import Array

ITERATIONS = 200
RISE = 1e-13  # of the value, relative, that counts as none
FARTHEST = 3.0  # most that one step may change a coordinate
SHORTER = 30  # cuts of one step
SUFFICIENT = 1e-4  # of the rise that the gradient promises

Evaluate = Callable[[Array], tuple[float, Array]]  # place -> value (-inf: there is none) and gradient


def free(z: Array, gradient: Array, low: Array, high: Array) -> NDArray[np.bool_]:
    """Return which coordinates no bound holds against the gradient."""
    held: NDArray[np.bool_] = ((z <= low) & (gradient < 0)) | ((z >= high) & (gradient > 0))
    return ~held


def climb(evaluate: Evaluate, z: Array, low: Array, high: Array, steep: float) -> Array:
    """Return the place where BFGS from z ends, the gradient at most `steep` or no rise left.

    Nocedal and Wright, Numerical Optimization, Algorithm 6.1, with backtracking and steps cut off at the box. The
    approximate inverse of the second derivatives is kept whole, since the parameters are few; one that a bound holds is
    left out of the step.
    """
    value, gradient = evaluate(z)
    inverse: Array | None = None
    for _ in range(ITERATIONS):
        loose = free(z, gradient, low, high)
        uphill = np.where(loose, gradient, 0.0)
        if float(np.abs(uphill).max(initial=0.0)) <= steep:
            break
        step = np.where(loose, inverse @ uphill, 0.0) if inverse is not None else uphill
        if inverse is None or not float(step @ gradient) > 0.0:
            # the first step goes up the gradient, of length 1 at most and not to the far corner
            inverse, step = None, uphill / max(1.0, float(np.linalg.norm(uphill)))
        step = step / max(1.0, float(np.abs(step).max()) / FARTHEST)
        trial, new_value, new = _ahead(evaluate, z, value, gradient, step, low, high)
        moved, turned = trial - z, gradient - new
        rise, z, value, gradient = new_value - value, trial, new_value, new
        if rise <= RISE * (1.0 + abs(value)):
            break
        along = float(moved @ turned)
        if along > 1e-12 * float(np.linalg.norm(moved) * np.linalg.norm(turned)):
            if inverse is None:
                inverse = along / float(turned @ turned) * np.eye(len(z))
            left = np.eye(len(z)) - np.outer(moved, turned) / along
            inverse = left @ inverse @ left.T + np.outer(moved, moved) / along
    return z


def _ahead(evaluate: Evaluate, z: Array, value: float, gradient: Array, step: Array, low: Array,
           high: Array) -> tuple[Array, float, Array]:
    """Return place, value and gradient after as much of the step as raises the value enough; z if none does."""
    for _ in range(SHORTER):
        trial = np.clip(z + step, low, high)
        promised = float(gradient @ (trial - z))
        found, new = evaluate(trial)
        if found >= value + SUFFICIENT * promised:
            return trial, found, new
        # the maximum of the parabola through what is known, where there is a value
        part = 0.5 * promised / (promised - (found - value)) if np.isfinite(found) else 0.0
        step = step * min(max(part, 0.1), 0.5)
    return z, value, gradient
