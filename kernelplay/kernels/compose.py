"""Functions of a kernel that keep it valid: its exponential and polynomials of it (Bishop (6.15), (6.16))."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kernelplay.errors import FitError
from kernelplay.i18n import say
from kernelplay.kernels.base import MOST_FEATURES, Array, Block, Kernel
from kernelplay.kernels.blocks import applied
from kernelplay.kernels.combine import MOST_TERMS, Pairs, multiplied, paired
from kernelplay.kernels.linear import Linear
from kernelplay.kernels.written import literal, unbracketed
from kernelplay.spec import child, real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling

MOST_EXPONENT = 700.0  # exp of more is no longer a number in double precision


@dataclass(frozen=True)
class Exp(Kernel):
    """k(x, x') = exp(k_1(x, x')): every power of k_1 at once, with weights 1/n!."""

    key = "exp"
    label = say("Exponential of a kernel")
    about = say("All powers of a kernel summed: similar points become much more similar.")
    order = 220

    of: Kernel = child("kernel", {"name": "linear"}, label=say("Kernel"), help=say("The kernel in the exponent."))

    def __call__(self, X: Array, Z: Array) -> Array:
        return applied(self._exp, self.of(X, Z))

    def diagonal(self, X: Array) -> Array:
        return self._exp(self.of.diagonal(X))

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        block = self.of.over_grid(X, x, y)
        return lambda rows: self._exp(block(rows))

    @staticmethod
    def _exp(values: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):  # far from the data a field may leave the range of numbers
            return np.exp(values)

    @property
    def psd(self) -> bool:
        return self.of.psd

    @property
    def strictly_pd(self) -> bool:
        return self.of.strictly_pd or isinstance(self.of, Linear)  # exp(x·x') holds all monomials of the inputs

    @property
    def positive_diagonal(self) -> bool:
        return True

    def bind(self, X: Array) -> Self:
        bound = dataclasses.replace(self, of=self.of.bind(X))
        largest = float(np.max(bound.of.diagonal(X), initial=0.0))
        if not largest <= MOST_EXPONENT:
            raise FitError(say("The exponential of the kernel overflows: its exponent reaches {value}; the limit is "
                               "{most}. Scale the inner kernel by a smaller factor.",
                               value=largest, most=MOST_EXPONENT))
        return bound

    def factors(self, X: Array, x: Array, y: Array) -> Pairs | None:
        """Separable where each term of the exponent depends on one coordinate only, as for the linear kernel."""
        pairs = self.of.factors(X, x, y)
        if pairs is None:
            return None
        over_x, over_y = np.zeros((len(x), len(X))), np.zeros((len(y), len(X)))
        for across, up in pairs:
            if np.all(up == up[:1]):
                over_x = over_x + across * up[:1]
            elif np.all(across == across[:1]):
                over_y = over_y + up * across[:1]
            else:
                return None
        separated = self._exp(over_x), self._exp(over_y)
        return [separated] if all(np.all(np.isfinite(factor)) for factor in separated) else None

    def python(self, X: str, Z: str) -> str:
        return f"np.exp({unbracketed(self.of.python(X, Z))})"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"\exp\left({self.of.latex(x, z, put)}\right)"

    def expression(self, x: str, z: str) -> str:
        return f"exp({self.of.expression(x, z)})"


@dataclass(frozen=True)
class PolynomialOf(Kernel):
    """k(x, x') = q(k_1(x, x')), q(u) = c0 + c1 u + c2 u² + c3 u³ with coefficients >= 0."""

    key = "polynomial_of"
    label = say("Polynomial of a kernel")
    about = say("A kernel, its square and its cube, combined with nonnegative coefficients.")
    order = 230

    of: Kernel = child("kernel", {"name": "linear"}, label=say("Kernel"),
                       help=say("The kernel inside the polynomial q."))
    c0: float = real(0.0, 0.0, 5.0, least=0.0, symbol="c₀", label=say("Constant coefficient"),
                     help=say("Higher: adds a stronger constant offset."))
    c1: float = real(1.0, 0.0, 5.0, least=0.0, symbol="c₁", label=say("Coefficient of the kernel"),
                     help=say("Higher: gives the kernel itself more weight."))
    c2: float = real(1.0, 0.0, 5.0, least=0.0, symbol="c₂", label=say("Coefficient of the square"),
                     help=say("Higher: products of two features weigh more; the boundary bends more."))
    c3: float = real(0.0, 0.0, 5.0, least=0.0, symbol="c₃", label=say("Coefficient of the cube"),
                     help=say("Higher: products of three features weigh more; the boundary bends more."))

    def _q(self, u: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return ((self.c3 * u + self.c2) * u + self.c1) * u + self.c0

    def __call__(self, X: Array, Z: Array) -> Array:
        return applied(self._q, self.of(X, Z))

    def diagonal(self, X: Array) -> Array:
        return self._q(self.of.diagonal(X))

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        block = self.of.over_grid(X, x, y)
        return lambda rows: self._q(block(rows))

    @property
    def psd(self) -> bool:
        return self.of.psd or self._higher == (0, 0, 0)

    @property
    def strictly_pd(self) -> bool:
        return self.of.strictly_pd and any(c > 0 for c in self._higher)

    @property
    def positive_diagonal(self) -> bool:
        return self.psd and (self.c0 > 0 or (self.of.positive_diagonal and any(c > 0 for c in self._higher)))

    @property
    def _higher(self) -> tuple[float, float, float]:
        return self.c1, self.c2, self.c3

    def bind(self, X: Array) -> Self:
        return dataclasses.replace(self, of=self.of.bind(X))

    def features(self, X: Array) -> Array | None:
        phi = self.of.features(X)
        if phi is None or sum(phi.shape[1] ** m for m, c in enumerate((self.c0, *self._higher)) if c) > MOST_FEATURES:
            return None
        columns = [np.zeros((len(X), 0))]
        power = np.ones((len(X), 1))
        for m, c in enumerate((self.c0, *self._higher)):
            if c:
                columns.append(np.sqrt(c) * power)
            if any((self.c0, *self._higher)[m + 1:]):
                power = paired(power, phi)
        return np.hstack(columns)

    def factors(self, X: Array, x: Array, y: Array) -> Pairs | None:
        pairs = self.of.factors(X, x, y)
        if pairs is None:
            return None
        found: Pairs = [(np.full((len(x), len(X)), self.c0), np.ones((len(y), len(X))))] if self.c0 else []
        for m, c in enumerate(self._higher, start=1):
            powers = multiplied([pairs] * m) if c else []
            if powers is None or len(found) + len(powers) > MOST_TERMS:
                return None
            found += [(c * across, up) for across, up in powers]
        return found or [(np.zeros((len(x), len(X))), np.zeros((len(y), len(X))))]

    def python(self, X: str, Z: str) -> str:
        weights = ", ".join(literal(c) for c in (self.c0, *self._higher))
        return f"cubic({unbracketed(self.of.python(X, Z))}, {weights})"

    def needs(self) -> tuple[str, ...]:
        return ("\ndef cubic(u, c0, c1, c2, c3):\n    return ((c3 * u + c2) * u + c1) * u + c0\n",)

    def latex(self, x: str, z: str, put: Spelling) -> str:
        terms = (("c0", ""), ("c1", "u"), ("c2", "u^2"), ("c3", "u^3"))
        put.define("q(u) = " + " + ".join(rf"{put(self, name)}\, {power}".strip() if power else put(self, name)
                                          for name, power in terms))
        return rf"q\left({self.of.latex(x, z, put)}\right)"

    def expression(self, x: str, z: str) -> str:
        return f"q({self.of.expression(x, z)})"
