"""Smooth functions over a rectangle from few values: Chebyshev interpolation, used only where it is shown to hold.

A variance map costs n r operations for each of its cells, and for a smooth kernel it is an analytic function: some
thousand values determine it to far more digits than a picture has. How many it takes is seen on a few lines. The
interpolant counts when its last coefficients have died away *and* it agrees with the function itself at `probes`, which
are put where the function is busiest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST = 72  # nodes along a side, up to which a function counts as smooth
LINES = 3  # along each side, on which the length of the series is found
SHARE = 0.4  # of the cells: with more nodes than this the function is evaluated directly
SPARE = 3  # coefficients beyond the last one that counts on those lines
TRIES = 2  # each half as long again as the one before


def over_rectangle(on_grid: Callable[[Array, Array], Array], at: Callable[[Array], Array], probes: Array,
                   x: Array, y: Array, tolerance: float) -> Array:
    """Return (ny, nx): a function at the nodes (x_i, y_j), to the absolute `tolerance`, directly if it is not smooth.

    on_grid(x, y) returns its values (len(y), len(x)), at(Z) those at Z (m, 2); probes (k, 2): where to compare, of
    which those inside the rectangle are used.
    """
    inside = ((probes >= (x[0], y[0])) & (probes <= (x[-1], y[-1]))).all(axis=1)
    probes = probes[inside] if inside.any() else np.array([[(x[0] + x[-1]) / 2, (y[0] + y[-1]) / 2]])
    through = probes[(np.arange(LINES) * len(probes)) // LINES]
    points, coefficients = nodes(MOST)
    along_x = coefficients @ on_grid(stretch(points, x), np.unique(through[:, 1])).T
    along_y = coefficients @ on_grid(np.unique(through[:, 0]), stretch(points, y))
    p, q = _length(along_x, tolerance), _length(along_y, tolerance)
    for _ in range(TRIES):
        if max(p, q) > MOST or p * q > SHARE * len(x) * len(y):
            break
        (across, to_x), (up, to_y) = nodes(p), nodes(q)
        spectrum = to_y @ on_grid(stretch(across, x), stretch(up, y)) @ to_x.T
        found = np.einsum("kj,ji,ki->k", basis(probes[:, 1], y, q), spectrum, basis(probes[:, 0], x, p), optimize=True)
        rest = max(np.abs(spectrum[-1:]).max(), np.abs(spectrum[:, -1:]).max())
        if rest <= tolerance and np.abs(found - at(probes)).max() <= 10 * tolerance:
            result: Array = basis(y, y, q) @ spectrum @ basis(x, x, p).T
            return result
        p, q = p + p // 2, q + q // 2
    return on_grid(x, y)


def _length(spectra: Array, tolerance: float) -> int:
    """Return how long a series must be for all the `spectra` (MOST, k); more than MOST if they do not die away."""
    counts = np.flatnonzero((np.abs(spectra) > tolerance / 10).any(axis=1))
    return int(counts[-1]) + 1 + SPARE if len(counts) else 1 + SPARE


@cache
def nodes(order: int) -> tuple[Array, Array]:
    """Return the Chebyshev nodes in (-1, 1) and the matrix that turns values at them into coefficients."""
    angle: Array = np.pi * (np.arange(order) + 0.5) / order
    matrix: Array = (2.0 / order) * np.cos(np.outer(np.arange(order), angle))
    matrix[0] /= 2
    points: Array = np.cos(angle)
    points.flags.writeable = matrix.flags.writeable = False
    return points, matrix


def stretch(points: Array, x: Array) -> Array:
    """Return the nodes (order,) in (-1, 1) moved to [x_0, x_-1]."""
    moved: Array = (x[0] + x[-1]) / 2 + points * (x[-1] - x[0]) / 2
    return moved


def basis(at: Array, x: Array, order: int) -> Array:
    """Return (m, order): the Chebyshev polynomials of [x_0, x_-1] at `at` (m,)."""
    s = np.clip((2 * at - (x[0] + x[-1])) / (x[-1] - x[0]), -1.0, 1.0)
    polynomials: Array = np.cos(np.outer(np.arccos(s), np.arange(order)))
    return polynomials
