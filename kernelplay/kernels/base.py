"""What every kernel has: the Gram matrix, the diagonal, the smallest eigenvalue, evaluation on a rectangular grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from kernelplay.spec import Spec

Array = NDArray[Any]  # float64, or complex128 while a derivative is taken by a complex step


@dataclass(frozen=True)
class Kernel(Spec):
    """k(x, x'), a symmetric function of two inputs; a frozen value whose fields are its parameters.

    A subclass gives `__call__`, the formula for two sets of inputs; everything else has a default that a family
    overrides where it knows better. Formulas must also hold for complex parameters (no abs, no comparison of them):
    `imag(K(theta + ih))/h` is the derivative. Source for the families: Rasmussen and Williams, Gaussian Processes for
    Machine Learning, ch. 4; Bishop, Pattern Recognition and Machine Learning, 6.2.
    """

    kind: ClassVar[str] = "kernel"
    package: ClassVar[str] = "kernelplay.kernels"
    order: ClassVar[int] = 100  # place in the list of kernels

    def __call__(self, X: Array, Z: Array) -> Array:
        """Return K (n, m), K_ij = k(x_i, z_j), for X (n, d) and Z (m, d)."""
        raise NotImplementedError

    def diagonal(self, X: Array) -> Array:
        """Return (n,): k(x_i, x_i)."""
        return np.array([self(x[None, :], x[None, :])[0, 0] for x in X]).reshape(len(X))

    @property
    def psd(self) -> bool:
        """Whether k is positive semi-definite by construction, with these parameters."""
        raise NotImplementedError

    @property
    def strictly_pd(self) -> bool:
        """Whether K is positive definite for any distinct inputs (RBF, Matern, rational quadratic)."""
        return False

    def bind(self, X: Array) -> Self:
        """Return this kernel with what it takes from the data filled in (gamma="scale", Fisher's mu and S).

        A bound kernel can be evaluated; binding it again changes nothing. Raises FitError where the data do not allow it.
        """
        return self

    def features(self, X: Array) -> Array | None:
        """Return phi(X) (n, r) with K = phi phi', for kernels with a small explicit feature space; None for others."""
        return None

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        """Return [(Ex (p, n), Ey (q, n)), ...] with k((x_i, y_j), x_n) = sum over pairs of Ex[i, n] Ey[j, n].

        For two inputs on the grid x (p,), y (q,); None where k does not separate. This makes a decision field one
        matrix product, (Ex * a) @ Ey.T, instead of p q n kernel values.
        """
        return None

    @property
    def formula(self) -> str:
        """The formula in Unicode, with symbols: "exp(−γ‖x − x′‖²)"."""
        raise NotImplementedError

    def gram(self, X: Array) -> Array:
        """Return K (n, n) of the inputs X (n, d), after taking from them what the kernel takes from data."""
        X = np.atleast_2d(np.asarray(X, dtype=float))
        return self.bind(X)(X, X)

    def __add__(self, other: Kernel) -> Kernel:
        return _combined("sum", {"of": (self, other)})

    def __mul__(self, other: Kernel | float) -> Kernel:
        if isinstance(other, Kernel):
            return _combined("product", {"of": (self, other)})
        return _combined("scale", {"of": self, "factor": float(other)})

    __rmul__ = __mul__


def _combined(key: str, fields: Mapping[str, Any]) -> Kernel:
    from kernelplay.spec import kinds

    kernel: Kernel = kinds("kernel")[key](**fields)
    return kernel
