"""The space in which the perceptron works: the inputs x~ with their constant coordinate, explicit or behind a kernel.

Everything here is in units of eta: theta/eta is what is iterated, since from zero it is a sum of whole multiples of the
inputs and does not depend on eta at all, while eta times it, rounded, does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernelplay.kernels.base import Kernel
from kernelplay.models.base import Array

if TYPE_CHECKING:  # scipy behind it is loaded with the first fit, not with the window
    from kernelplay.numerics.gram import Gram

PLANE = 3  # coordinates of x~ up to which the rule is played with plain numbers


@dataclass(frozen=True)
class Lifted:
    """k~(x, x') = k(x, x') + constant, the kernel of x~ = (sqrt(constant), phi(x)); constant >= 0."""

    kernel: Kernel
    constant: float

    def __call__(self, X: Array, Z: Array) -> Array:
        K: Array = self.kernel(X, Z)
        return K + self.constant if self.constant else K

    def diagonal(self, X: Array) -> Array:
        """Return (n,): k~(x_i, x_i)."""
        return np.asarray(self.kernel.diagonal(X), dtype=float) + self.constant

    def features(self, X: Array) -> Array | None:
        """Return phi~(X) (n, r) for a kernel with a small explicit feature space, else None."""
        Phi = self.kernel.features(X)
        if Phi is None:
            return None
        return np.column_stack([np.full(len(X), np.sqrt(self.constant)), Phi]) if self.constant else Phi

    @property
    def psd(self) -> bool:
        """Whether k~ is positive semi-definite by construction."""
        return self.kernel.psd

    @property
    def strictly_pd(self) -> bool:
        """Whether only equal inputs make the Gram matrix singular."""
        return self.kernel.strictly_pd


@dataclass(frozen=True, eq=False)
class Space:
    """Inputs X (n, d) with classes y (n,), and theta_0/eta: `start` in each component of theta, or, behind a kernel
    that is not linear, in the coefficient of each y_n phi~(x_n). `gram`: of k~, where it has been made."""

    kernel: Kernel
    X: Array
    y: Array
    offset: bool
    start: float
    gram: Gram | None = None

    @cached_property
    def lifted(self) -> Array | None:
        """x~ (n, r), the constant coordinate first; None behind a kernel that is not linear."""
        return self.lift(self.X)

    def lift(self, Z: Array) -> Array | None:
        """Return z~ (m, r) for Z (m, d); None behind a kernel that is not linear."""
        if self.kernel.key != "linear":
            return None
        return np.column_stack([np.full(len(Z), np.sqrt(self.constant)), Z]) if self.constant else Z

    @cached_property
    def constant(self) -> float:
        """The square of the constant coordinate: 1 with an offset, and the linear kernel's own coef0."""
        own = float(getattr(self.kernel, "coef0", 0.0)) if self.kernel.key == "linear" else 0.0
        return float(self.offset) + own

    @cached_property
    def k(self) -> Lifted:
        """k~, whose feature space is that of theta."""
        if self.kernel.key == "linear":
            return Lifted(self.kernel, float(self.offset))
        return Lifted(self.kernel, self.constant)

    @cached_property
    def q(self) -> Array:
        """(n,): ||x~_n||^2."""
        if self.lifted is not None:
            squares: Array = self.constant + (self.X * self.X).sum(axis=1)
            return squares
        return self.k.diagonal(self.X)

    @property
    def R2(self) -> float:
        """R^2 = max ||x~_n||^2, the constant coordinate included."""
        return float(self.q.max())

    @cached_property
    def theta_0(self) -> Array | None:
        """theta_0/eta (r,), None behind a kernel that is not linear."""
        return None if self.lifted is None else np.full(self.lifted.shape[1], self.start)

    @cached_property
    def start_norm2(self) -> float:
        """||theta_0/eta||^2."""
        if not self.start:
            return 0.0
        if self.theta_0 is not None:
            return float(self.theta_0 @ self.theta_0)
        return self.start * float(self.y @ self.activations(np.zeros(len(self.y))))

    def rows(self, idx: NDArray[np.intp]) -> Array:
        """Return (k, n): k~(x_i, x_m) for the points `idx` (k,) and all m."""
        if self.lifted is not None:
            values: Array = self.lifted[idx] @ self.lifted.T
            return values
        if self.gram is None or self.gram.low_rank:
            return self.k(self.X[idx], self.X)
        return self.gram.rows(idx)

    def theta(self, counts: Array) -> Array | None:
        """Return theta/eta (r,) after `counts` (n,) updates of the points; None behind a kernel that is not linear."""
        if self.lifted is None or self.theta_0 is None:
            return None
        moved: Array = self.theta_0 + (counts * self.y) @ self.lifted
        return moved

    def coefficients(self, counts: Array) -> Array:
        """Return (n,): the factors of k~(x_n, .) in f/eta, behind a kernel that is not linear."""
        factors: Array = (counts + self.start) * self.y
        return factors

    def activations(self, counts: Array, Z: Array | None = None) -> Array:
        """Return f/eta (m,) at Z (m, d), by default at X, after `counts` (n,) updates with each point."""
        at = self.X if Z is None else Z
        theta = self.theta(counts)
        if theta is not None:
            lifted = self.lift(at)
            assert lifted is not None
            return activation(theta, lifted)
        weights = self.coefficients(counts)
        if Z is None and self.gram is not None and not self.gram.low_rank:
            return self.gram.matvec(weights)
        return self.expanded(weights, at)

    def expanded(self, weights: Array, Z: Array) -> Array:
        """Return sum_n weights_n k~(x_n, z) (m,) for Z (m, d)."""
        used = np.flatnonzero(weights)
        values = np.empty(len(Z))
        for first in range(0, len(Z), 512):
            rows = slice(first, first + 512)
            values[rows] = self.k(Z[rows], self.X[used]) @ weights[used]
        return values


def activation(theta: Array, lifted: Array) -> Array:
    """Return theta.x~ (n,), summed from the first coordinate to the last as the plain numbers of the run are.

    A matrix product rounds in another order, and a point exactly on the boundary would be told differently.
    """
    if lifted.shape[1] > PLANE:
        values: Array = lifted @ theta
        return values
    total: Array = theta[0] * lifted[:, 0]
    for j in range(1, lifted.shape[1]):
        total = total + theta[j] * lifted[:, j]
    return total
