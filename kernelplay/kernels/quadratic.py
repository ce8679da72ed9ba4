"""The explicit quadratic kernel and the quadratic form: two kernels whose feature map can be written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kernelplay.errors import FitError, SpecError
from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.kernels.poly import Poly
from kernelplay.kernels.written import literal
from kernelplay.spec import matrix

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


@dataclass(frozen=True)
class Quadratic(Kernel):
    """k(x, x') = phi(x)·phi(x') with phi(x) = (x1², sqrt(2) x1 x2, x2²), which is (x·x')². Bishop (6.12)."""

    key = "quadratic"
    label = say("Explicit quadratic")
    about = say("The explicit features (x₁², √2 x₁x₂, x₂²): boundaries are ellipses or hyperbolas centred at 0.")
    order = 35

    def __call__(self, X: Array, Z: Array) -> Array:
        inner: Array = X @ Z.T
        return inner * inner

    def diagonal(self, X: Array) -> Array:
        squares: Array = np.sum(X * X, axis=1)
        return squares * squares

    @property
    def psd(self) -> bool:
        return True

    def features(self, X: Array) -> Array | None:
        return _SQUARE.features(X)

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        return _SQUARE.factors(X, x, y)

    def python(self, X: str, Z: str) -> str:
        return f"({X} @ {Z}.T) ** 2"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"\left({x} \cdot {z}\right)^2"

    def expression(self, x: str, z: str) -> str:
        return f"({x}·{z})²"


_SQUARE = Poly(gamma=1.0, coef0=0.0, degree=2)


@dataclass(frozen=True)
class QuadraticForm(Kernel):
    """k(x, x') = x'A x' with A symmetric and positive semi-definite: the linear kernel of A^(1/2) x. Bishop (6.20)."""

    key = "quadratic_form"
    label = say("Quadratic form")
    about = say("The inner product in stretched and rotated coordinates: directions with large entries of "
                "A weigh more.")
    order = 25

    matrix: tuple[tuple[float, ...], ...] = matrix(
        symbol="A", label=say("Matrix"),
        help=say("A larger diagonal entry gives that coordinate more weight; off-diagonal entries couple coordinates."))

    def __post_init__(self) -> None:
        super().__post_init__()
        from kernelplay.numerics.linalg import is_psd

        valid, low, _ = is_psd(np.array(self.matrix)) if self.matrix else (True, 0.0, 0.0)
        if not valid:
            raise SpecError(say("The matrix A is not positive semi-definite: its smallest eigenvalue is {value}. "
                                "Increase its diagonal entries.", value=low), "matrix")

    def _A(self, X: Array) -> Array:
        d = X.shape[1]
        if self.matrix and len(self.matrix) != d:
            raise FitError(say("The matrix A of the quadratic form has {n} rows, but the points have {d} coordinates: "
                               "give it one row and one column per coordinate.", n=len(self.matrix), d=d))
        return np.array(self.matrix) if self.matrix else np.eye(d)

    def __call__(self, X: Array, Z: Array) -> Array:
        root = self._root(X)
        left = X @ root
        K: Array = left @ (left if Z is X else Z @ root).T
        return K

    def _root(self, X: Array) -> Array:
        """Return A^(1/2) (d, d); an eigenvalue below zero by rounding counts as zero."""
        values, vectors = np.linalg.eigh(self._A(X))
        return np.asarray((vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T)

    def diagonal(self, X: Array) -> Array:
        return np.asarray(np.sum((X @ self._root(X)) ** 2, axis=1))

    @property
    def psd(self) -> bool:
        return True

    def bind(self, X: Array) -> Self:
        self._A(X)
        return self

    def features(self, X: Array) -> Array | None:
        phi: Array = X @ self._root(X)
        return phi

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        weights, one = X @ self._A(X), np.ones(len(X))
        return [(x[:, None] * weights[:, 0], np.ones((len(y), 1)) * one),
                (np.ones((len(x), 1)) * one, y[:, None] * weights[:, 1])]

    def python(self, X: str, Z: str) -> str:
        return f"({X} @ np.array({literal(self.matrix)}) @ {Z}.T)" if self.matrix else f"({X} @ {Z}.T)"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"{x}^\top {put(self, 'matrix')} {z}" if self.matrix else rf"{x}^\top {z}"

    def expression(self, x: str, z: str) -> str:
        return f"{x}ᵀA{z}"

    @property
    def binding(self) -> int:
        return 1
