"""Large matrices of kernel values in blocks that stay in a cache, since a pass over memory costs as much as an exp."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kernelplay.kernels.base import Array

BLOCK = 32768  # kernel values in work at a time: what a core's second cache holds with its temporaries


def rows_at_once(columns: int) -> int:
    """Return how many rows of so many columns make a block."""
    return max(1, BLOCK // max(1, columns))


def applied(f: Callable[[Array], Array], K: Array) -> Array:
    """Return f(K) elementwise for K (n, m), which is overwritten where the result is of the same kind of number."""
    step = rows_at_once(K.shape[1])
    if len(K) <= step:
        return f(K)
    first = f(K[:step])
    values = K if first.dtype == K.dtype else np.empty(K.shape, first.dtype)
    values[:step] = first
    for start in range(step, len(K), step):
        values[start:start + step] = f(K[start:start + step])
    return values
