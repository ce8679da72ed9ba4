"""What every kernel has: the Gram matrix, the diagonal, explicit features, evaluation on a rectangular grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import numbers, refuse_rows
from kernelplay.errors import FitError
from kernelplay.i18n import say
from kernelplay.spec import Spec

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling

Array = NDArray[Any]  # float64, or complex128 while a derivative is taken by a complex step
Block = Callable[[slice], Array]

MOST_FEATURES = 300  # columns up to which an explicit feature space is given


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

        A bound kernel can be evaluated; binding it again changes nothing. Raises FitError where the data forbid it.
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

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        """Return block(rows) -> (q, p, n): k((x_i, y_j), x_n) at [j, i, n] for the j of `rows`, a slice of y (q,).

        For two inputs on the grid x (p,), y. What all rows share is computed once; separable kernels, kernels of the
        distance and combinations need no list of the grid's points, which is several times faster.
        """
        pairs = self.factors(X, x, y)

        def separated(rows: slice) -> Array:
            assert pairs is not None
            (across, up), *others = pairs
            values = up[rows, None, :] * across
            for across, up in others:
                values += up[rows, None, :] * across
            return values

        def pointwise(rows: slice) -> Array:
            some = y[rows]
            points = np.column_stack([np.tile(x, len(some)), np.repeat(some, len(x))])
            return self(points, X).reshape(len(some), len(x), len(X))

        return pointwise if pairs is None else separated

    def terms(self) -> tuple[tuple[Any, Kernel], ...]:
        """Return ((c, k), ...) with this kernel = sum of c k: the parts of a sum are evaluated each in its best way."""
        return ((1.0, self),)

    @property
    def positive_diagonal(self) -> bool:
        """Whether k(x, x) > 0 for every x: then a product with a strictly positive definite kernel is one too."""
        return self.strictly_pd

    @property
    def derived(self) -> tuple[tuple[str, float], ...]:
        """What follows from the parameters and is worth reading beside the formula, as (symbol, value)."""
        return ()

    @property
    def formula(self) -> str:
        """The formula in Unicode, with symbols: "exp(−γ‖x − x′‖²)"."""
        return self.expression("x", "x′")

    def expression(self, x: str, z: str) -> str:
        """Return the formula for inputs written `x` and `z`; a combination asks its parts for it."""
        return f"{self.key}({x}, {z})"

    def python(self, X: str, Z: str) -> str:
        """Return a NumPy expression for K (n, m) of inputs written `X` and `Z`, which as a factor needs no brackets.

        It may call what `needs` defines. Without a formula of its own a kernel calls its `__call__`, written down.
        """
        return f"{self.key}_kernel({X}, {Z})"

    def needs(self) -> tuple[str, ...]:
        """Return the source of the functions that `python` calls for this kernel itself, without those it holds.

        Raises SpecError where there is no formula that can be written down.
        """
        if type(self).python is not Kernel.python:
            return ()
        from kernelplay.kernels.written import from_source

        return (from_source(self),)

    def latex(self, x: str, z: str, put: Spelling) -> str:
        """Return the formula as LaTeX for inputs written `x` and `z`; `put` writes the parameters."""
        from kernelplay.kernels.written import tex

        return tex(self.expression("\ue000", "\ue001")).replace("\ue000", x).replace("\ue001", z)

    @property
    def binding(self) -> int:
        """How tightly the formula holds together: 0 a sum, 1 a product, 2 a whole; a looser one gets brackets."""
        return 2

    def text(self) -> str:
        """Return the kernel as text for the command line, which `from_text` reads: "0.5*linear() + rbf(gamma=2)"."""
        from kernelplay.kernels.text import write

        return write(self)

    def __str__(self) -> str:
        return self.text()

    @classmethod
    def from_text(cls, text: str) -> Kernel:
        """Return the kernel written as a sum or product of calls, as a name alone, or as JSON.

        Raises SpecError with the place of what cannot be read.
        """
        if text.lstrip().startswith("{"):
            kernel: Kernel = super().from_text(text)
            return kernel
        from kernelplay.kernels.text import read

        return read(text)

    def gram(self, X: Array) -> Array:
        """Return K (n, n) of the inputs X, (n, d) or n numbers, bound to them first; raises FitError for other data."""
        X = numbers(X, "X")
        X = X[:, None] if X.ndim == 1 else X
        if X.ndim != 2:
            raise FitError(say("X must have one row per point; its shape is {X}.", X=str(X.shape)))
        refuse_rows(~np.isfinite(X))
        return self.bind(X)(X, X)

    def __add__(self, other: Kernel) -> Kernel:
        return _combined("sum", {"of": (self, other)})

    def __mul__(self, other: Kernel | float) -> Kernel:
        if isinstance(other, Kernel):
            return _combined("product", {"of": (self, other)})
        return _combined("scale", {"of": self, "factor": other})

    __rmul__ = __mul__


def _combined(key: str, fields: Mapping[str, Any]) -> Kernel:
    from kernelplay.spec import kinds

    kernel: Kernel = kinds("kernel")[key](**fields)
    return kernel
