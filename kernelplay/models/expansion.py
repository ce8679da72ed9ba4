"""f(x) = sum beta_n k(x_n, x) + b, evaluated in the way that keeps most digits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Array, Check, nothing

FEATURES = 512  # explicit features beyond this many are not a saving
BLOCK = 512  # rows of kernel values between two checks


@dataclass(frozen=True, eq=False)
class Centred:
    """Explicit features about a centre. The balance sum beta = 0 makes the shift invisible to the dual, and far from
    the origin only the differences carry information: a line through data at 1e6 keeps its digits."""

    kernel: Kernel
    values: Array  # (u, r)  phi(x) - centre
    centre: Array  # (r,)  in the feature space
    origin: Array  # (d,)  the input there
    slope: Array | None  # (d, r)  A, where phi(x) = A'x + c: the linear kernel and its kin

    @classmethod
    def of(cls, kernel: Kernel, X: Array) -> Centred | None:
        """Return the features of X (u, d) about their mean; None for a kernel without a small feature space."""
        Phi = kernel.features(X)
        if Phi is None or Phi.shape[1] > FEATURES:
            return None
        origin, centre, slope = X.mean(axis=0), Phi.mean(axis=0), _slope(kernel, X, Phi)
        return cls(kernel, Phi - centre if slope is None else (X - origin) @ slope, centre, origin, slope)

    def about_closest(self, X: Array, sides: Array) -> Centred:
        """Return the same features about the middle of the closest pair of points of opposite sides (u,): where a hair
        lies between the classes, the values near it keep all their digits."""
        from scipy.spatial import cKDTree

        above, below = np.flatnonzero(sides > 0), np.flatnonzero(sides < 0)
        values = self.values / (np.abs(self.values).max() or 1.0)  # a square may be no number
        distance, nearest = cKDTree(values[above]).query(values[below])
        pair = [below[distance.argmin()], above[nearest[distance.argmin()]]]
        origin, middle = X[pair].mean(axis=0), self.values[pair].mean(axis=0)
        values = self.values - middle if self.slope is None else (X - origin) @ self.slope
        return Centred(self.kernel, values, self.centre + middle, origin, self.slope)

    def __call__(self, Z: Array) -> Array:
        """Return phi(Z) - centre (m, r)."""
        if self.slope is not None:
            return (Z - self.origin) @ self.slope
        Phi = self.kernel.features(Z)
        assert Phi is not None  # it was given for the training inputs
        return Phi - self.centre


def _slope(kernel: Kernel, X: Array, Phi: Array) -> Array | None:
    """Return A (d, r) if phi(x) = A'x + c at the data and at a few points in general position, else None."""
    d = X.shape[1]
    general = 2.0 * np.cos(1.0 + np.arange(3 * d)).reshape(3, d)
    at = kernel.features(np.vstack([np.zeros((1, d)), np.eye(d), general]))
    assert at is not None  # it was given for X
    slope: Array = at[1:d + 1] - at[0]
    for Z, there in ((general, at[d + 1:]), (X, Phi)):
        size = float(np.abs(there).max(initial=1e-300))
        if float(np.abs(at[0] + Z @ slope - there).max(initial=0.0)) > 1e-12 * size:
            return None
    return slope


@dataclass(frozen=True, eq=False)
class Expansion:
    """f over the distinct inputs X (u, d) with coefficients beta (u,)."""

    kernel: Kernel
    X: Array
    beta: Array
    bias: float  # of the features about their centre, where there are explicit ones; else b itself
    centred: Centred | None

    @cached_property
    def weights(self) -> Array | None:
        """w (r,) in the explicit feature space; None without one."""
        return None if self.centred is None else np.asarray(self.centred.values.T @ self.beta)

    @cached_property
    def w(self) -> Array | None:
        """w (d,) where f(x) = w.x + b, else None."""
        if self.weights is None or self.centred is None or self.centred.slope is None:
            return None
        return np.asarray(self.centred.slope @ self.weights)

    @cached_property
    def shift(self) -> float:
        """b less the bias about the centre."""
        if self.centred is None:
            return 0.0
        if self.w is not None:
            return -float(self.centred.origin @ self.w)
        return -float(np.dot(self.centred.centre, self.weights if self.weights is not None else 0.0))

    @property
    def b(self) -> float:
        """The bias b."""
        return self.bias + self.shift

    @cached_property
    def used(self) -> NDArray[np.intp]:
        """Rows of X with beta not 0."""
        return np.flatnonzero(self.beta)

    def __call__(self, Z: Array, check: Check = nothing) -> Array:
        """Return f(Z) (m,) for Z (m, d)."""
        f = np.empty(len(Z))
        S, beta = self.X[self.used], self.beta[self.used]
        for start in range(0, len(Z), BLOCK):
            check()
            rows = slice(start, start + BLOCK)
            if self.centred is not None and self.weights is not None:
                f[rows] = self.centred(Z[rows]) @ self.weights
            else:
                f[rows] = self.kernel(Z[rows], S) @ beta
        return f + self.bias

    def on_grid(self, x: Array, y: Array, check: Check = nothing) -> Array:
        """Return f (q, p) at the nodes (x_i, y_j) of x (p,), y (q,), for two inputs."""
        if self.w is not None and self.centred is not None:
            x0, y0 = self.centred.origin
            plane: Array = (y - y0)[:, None] * self.w[1] + ((x - x0) * self.w[0] + self.bias)
            return plane
        from kernelplay.numerics import grid

        return grid.evaluate(self.kernel, self.X[self.used], self.beta[self.used], x, y, check) + self.b
