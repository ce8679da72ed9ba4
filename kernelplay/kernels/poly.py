"""The polynomial kernel: all monomials up to a degree at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import MOST_FEATURES, Array, Kernel
from kernelplay.kernels.blocks import applied
from kernelplay.kernels.gamma import gamma_field, gamma_of, with_gamma
from kernelplay.kernels.written import literal
from kernelplay.spec import integer, real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


@dataclass(frozen=True)
class Poly(Kernel):
    """k(x, x') = (gamma x·x' + coef0)^degree, positive semi-definite for coef0 >= 0. Bishop 6.2."""

    key = "poly"
    label = say("Polynomial")
    about = say("The inner product of all monomials up to the degree: boundaries are polynomial curves of that degree.")
    order = 30

    gamma: float = gamma_field(1.0, say("Scale of x·x′"),
                               say("Higher: high-degree terms weigh more, and values grow faster away "
                                   "from the origin."))
    coef0: float = real(1.0, 0.0, 10.0, symbol="c", label=say("Constant term"),
                        help=say("Higher: low-degree terms weigh more and curves are straighter. At 0 only the highest "
                                 "degree is left; below 0 the kernel may be invalid."))
    degree: int = integer(3, 1, 10, most=50, symbol="M", label=say("Degree"),
                          help=say("Higher: the boundary can bend more often."))

    def __call__(self, X: Array, Z: Array) -> Array:
        return applied(self._of_inner, X @ Z.T)

    def diagonal(self, X: Array) -> Array:
        return self._of_inner(np.sum(X * X, axis=1))

    def _of_inner(self, products: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):  # models refuse what is not finite, in a sentence
            values: Array = power(gamma_of(self) * products + self.coef0, self.degree)
        return values

    @property
    def psd(self) -> bool:
        return self.coef0 >= 0

    @property
    def positive_diagonal(self) -> bool:
        return self.coef0 > 0

    def bind(self, X: Array) -> Self:
        return with_gamma(self, X)

    def features(self, X: Array) -> Array | None:
        """Return the monomials sqrt(M!/(m_0! m_1! ...) c^m_0) (sqrt(gamma) x_1)^m_1 ..., m_0 + m_1 + ... = M."""
        d = X.shape[1]
        if self.coef0.real < 0 or comb(self.degree + d, d) > MOST_FEATURES:
            return None
        columns = []
        scaled = np.sqrt(gamma_of(self)) * X
        for low in range(self.degree + 1):  # the degree of the monomial; the offset takes the rest
            rest = self.degree - low
            if rest and not self.coef0:
                continue
            for chosen in combinations_with_replacement(range(d), low):
                counts = Counter(chosen)
                weight = factorial(self.degree) // (factorial(rest) * prod(factorial(m) for m in counts.values()))
                column = np.full(len(X), np.sqrt(weight * power(self.coef0, rest)))
                for j, m in counts.items():
                    column = column * power(scaled[:, j], m)
                columns.append(column)
        return np.column_stack(columns)

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        gamma = gamma_of(self)
        across, up = gamma * x[:, None] * X[:, 0] + self.coef0, gamma * y[:, None] * X[:, 1]
        return [(comb(self.degree, k) * power(across, self.degree - k), power(up, k)) for k in range(self.degree + 1)]

    def python(self, X: str, Z: str) -> str:
        offset = f" + {literal(self.coef0)}" if self.coef0 else ""
        return f"({literal(gamma_of(self))} * ({X} @ {Z}.T){offset}) ** {self.degree}"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        offset = f" + {put(self, 'coef0')}" if self.coef0 else ""
        return rf"\left({put(self, 'gamma')}\, {x} \cdot {z}{offset}\right)^{{{put(self, 'degree')}}}"

    def expression(self, x: str, z: str) -> str:
        return f"(γ {x}·{z} + c)ᴹ" if self.coef0 else f"(γ {x}·{z})ᴹ"


def power(base: Any, exponent: int) -> Any:
    """Return base^exponent for a whole exponent >= 0 by repeated squaring, which is several times faster than `**`."""
    result = None
    while exponent:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return np.ones_like(base) if result is None else result
