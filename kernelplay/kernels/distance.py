"""Kernels of the Euclidean distance alone, and the squared distances they are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.arrays import same_width
from kernelplay.kernels.base import Array, Block, Kernel
from kernelplay.kernels.blocks import rows_at_once
from kernelplay.kernels.written import SQUARED_DISTANCES

FEW = 3  # coordinates up to which numpy is used, which is loaded anyway: scipy.spatial takes 0.2 s to import


def squared_distances(X: Array, Z: Array) -> Array:
    """Return (n, m): ||x_i − z_j||² from the differences themselves, so that a common shift loses nothing.

    Complex inputs (while a derivative is taken) give the analytic continuation, without conjugates.
    """
    same_width(X, Z)
    n, d = X.shape
    if d > FEW and not np.iscomplexobj(X) and not np.iscomplexobj(Z):
        from scipy.spatial.distance import cdist

        distances: Array = cdist(X, Z, "sqeuclidean")
        return distances
    dtype = np.result_type(X, Z)
    squares = np.zeros((n, len(Z)), dtype) if d == 0 else np.empty((n, len(Z)), dtype)
    step = rows_at_once(len(Z))
    columns_x, columns_z = np.ascontiguousarray(X.T), np.ascontiguousarray(Z.T)
    spare = np.empty((min(step, n), len(Z)), dtype)
    for start in range(0, n, step):
        block = squares[start:start + step]
        for j in range(d):
            part = block if j == 0 else spare[:len(block)]
            with np.errstate(over="ignore"):  # infinitely far apart is far apart
                np.subtract(columns_x[j, start:start + step, None], columns_z[j], out=part)
                np.multiply(part, part, out=part)
            if j:
                block += part
    return squares


@dataclass(frozen=True)
class Isotropic(Kernel):
    """k(x, x') = g(||x − x'||²): a subclass gives g as `profile`, with g(0) = 1.

    All of them here are positive definite for distinct inputs in every dimension: mixtures of Gaussians of all widths
    (Schoenberg's theorem; Rasmussen and Williams 4.2).
    """

    def profile(self, r2: Array) -> Array:
        """Return g(r²) for squared distances of any shape."""
        raise NotImplementedError

    def __call__(self, X: Array, Z: Array) -> Array:
        n, m = len(X), len(Z)
        step = rows_at_once(m)
        if n <= step:
            return self.profile(squared_distances(X, Z))
        first = self.profile(squared_distances(X[:step], Z))
        K = np.empty((n, m), first.dtype)
        K[:step] = first
        for start in range(step, n, step):
            K[start:start + step] = self.profile(squared_distances(X[start:start + step], Z))
        return K

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        if X.shape[1] != 2 or self.factors(X, x[:1], y[:1]) is not None:
            return super().over_grid(X, x, y)
        across, up = (x[:, None] - X[:, 0]) ** 2, (y[:, None] - X[:, 1]) ** 2
        return lambda rows: self.profile(up[rows, None, :] + across)

    def needs(self) -> tuple[str, ...]:
        return (SQUARED_DISTANCES,) if type(self).python is not Kernel.python else super().needs()

    def diagonal(self, X: Array) -> Array:
        return np.ones(len(X))

    @property
    def psd(self) -> bool:
        return True

    @property
    def strictly_pd(self) -> bool:
        return True
