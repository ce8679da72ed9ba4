"""Sums, products and multiples of kernels: what keeps a kernel valid (Bishop (6.13), (6.17), (6.18))."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import MOST_FEATURES, Array, Block, Kernel
from kernelplay.kernels.written import literal, tex_bracketed, unbracketed
from kernelplay.spec import child, children, real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling

MOST_TERMS = 64  # pairs up to which a separable form is given: beyond, kernel values cost less
Pairs = list[tuple[Array, Array]]


@dataclass(frozen=True)
class Sum(Kernel):
    """k(x, x') = k_1(x, x') + k_2(x, x') + ..."""

    key = "sum"
    label = say("Sum")
    about = say("Similar if any part says so; the functions of the parts add up.")
    order = 200

    of: tuple[Kernel, ...] = children("kernel", ({"name": "rbf"}, {"name": "linear"}), label=say("Parts"),
                                      help=say("The kernels to add."))

    def __call__(self, X: Array, Z: Array) -> Array:
        return reduce(add, (part(X, Z) for part in self.of))

    def diagonal(self, X: Array) -> Array:
        return reduce(add, (part.diagonal(X) for part in self.of))

    @property
    def psd(self) -> bool:
        return all(part.psd for part in self.of)

    @property
    def strictly_pd(self) -> bool:
        return self.psd and any(part.strictly_pd for part in self.of)

    @property
    def positive_diagonal(self) -> bool:
        return self.psd and any(part.positive_diagonal for part in self.of)

    def bind(self, X: Array) -> Self:
        return dataclasses.replace(self, of=tuple(part.bind(X) for part in self.of))

    def features(self, X: Array) -> Array | None:
        found = [part.features(X) for part in self.of]
        columns = [phi for phi in found if phi is not None]
        if len(columns) < len(found) or sum(phi.shape[1] for phi in columns) > MOST_FEATURES:
            return None
        return np.hstack(columns)

    def factors(self, X: Array, x: Array, y: Array) -> Pairs | None:
        pairs: Pairs = []
        for part in self.of:
            some = part.factors(X, x, y)
            if some is None or len(pairs) + len(some) > MOST_TERMS:
                return None
            pairs += some
        return pairs

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        blocks = [part.over_grid(X, x, y) for part in self.of]
        return lambda rows: reduce(add, (block(rows) for block in blocks))

    def terms(self) -> tuple[tuple[Any, Kernel], ...]:
        return tuple(term for part in self.of for term in part.terms())

    def python(self, X: str, Z: str) -> str:
        return "(" + " + ".join(unbracketed(part.python(X, Z)) for part in self.of) + ")"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return " + ".join(part.latex(x, z, put) for part in self.of)

    def expression(self, x: str, z: str) -> str:
        return " + ".join(part.expression(x, z) for part in self.of)

    @property
    def binding(self) -> int:
        return 0


@dataclass(frozen=True)
class Product(Kernel):
    """k(x, x') = k_1(x, x') k_2(x, x') ..."""

    key = "product"
    label = say("Product")
    about = say("Similar only if every part says so; the features of the parts multiply.")
    order = 210

    of: tuple[Kernel, ...] = children("kernel", ({"name": "rbf"}, {"name": "linear"}), label=say("Parts"),
                                      help=say("The kernels to multiply."))

    def __call__(self, X: Array, Z: Array) -> Array:
        return reduce(mul, (part(X, Z) for part in self.of))

    def diagonal(self, X: Array) -> Array:
        return reduce(mul, (part.diagonal(X) for part in self.of))

    @property
    def psd(self) -> bool:
        return all(part.psd for part in self.of)

    @property
    def strictly_pd(self) -> bool:
        """One strictly positive definite part is enough if the others have no zero on the diagonal (Schur)."""
        return self.psd and any(part.strictly_pd for part in self.of) and self.positive_diagonal

    @property
    def positive_diagonal(self) -> bool:
        return all(part.positive_diagonal for part in self.of)

    def bind(self, X: Array) -> Self:
        return dataclasses.replace(self, of=tuple(part.bind(X) for part in self.of))

    def features(self, X: Array) -> Array | None:
        product = np.ones((len(X), 1))
        for part in self.of:
            phi = part.features(X)
            if phi is None or product.shape[1] * phi.shape[1] > MOST_FEATURES:
                return None
            product = paired(product, phi)
        return product

    def factors(self, X: Array, x: Array, y: Array) -> Pairs | None:
        found = []
        for part in self.of:
            some = part.factors(X, x, y)
            if some is None:
                return None
            found.append(some)
        return multiplied(found)

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        blocks = [part.over_grid(X, x, y) for part in self.of]
        return lambda rows: reduce(mul, (block(rows) for block in blocks))

    def python(self, X: str, Z: str) -> str:
        return " * ".join(part.python(X, Z) for part in self.of)

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return r" \cdot ".join(tex_bracketed(part, x, z, put) for part in self.of)

    def expression(self, x: str, z: str) -> str:
        return " · ".join(bracketed(part, x, z) for part in self.of)

    @property
    def binding(self) -> int:
        return 1


@dataclass(frozen=True)
class Scale(Kernel):
    """k(x, x') = factor k_1(x, x'), factor >= 0. A Gaussian process needs it: its factor is the prior variance."""

    key = "scale"
    label = say("Scaled kernel (s·k)")
    about = say("A kernel times a number: the prior variance in a Gaussian process, a weight elsewhere.")
    order = 190

    factor: float = real(1.0, 1e-2, 1e2, log=True, least=0.0, symbol="s", label=say("Factor"),
                         help=say("Higher: functions may move further from zero and follow the data more closely."))
    of: Kernel = child("kernel", {"name": "rbf"}, label=say("Kernel"), help=say("The kernel to scale."))

    def __call__(self, X: Array, Z: Array) -> Array:
        return self.factor * self.of(X, Z)

    def diagonal(self, X: Array) -> Array:
        return self.factor * self.of.diagonal(X)

    @property
    def psd(self) -> bool:
        return self.of.psd or self.factor == 0

    @property
    def strictly_pd(self) -> bool:
        return self.factor > 0 and self.of.strictly_pd

    @property
    def positive_diagonal(self) -> bool:
        return self.factor > 0 and self.of.positive_diagonal

    def bind(self, X: Array) -> Self:
        return dataclasses.replace(self, of=self.of.bind(X))

    def features(self, X: Array) -> Array | None:
        phi = self.of.features(X)
        return None if phi is None else np.sqrt(self.factor) * phi

    def factors(self, X: Array, x: Array, y: Array) -> Pairs | None:
        pairs = self.of.factors(X, x, y)
        return None if pairs is None else [(self.factor * across, up) for across, up in pairs]

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        block = self.of.over_grid(X, x, y)
        return lambda rows: self.factor * block(rows)

    def terms(self) -> tuple[tuple[Any, Kernel], ...]:
        return tuple((self.factor * weight, kernel) for weight, kernel in self.of.terms())

    def python(self, X: str, Z: str) -> str:
        return f"{literal(self.factor)} * {self.of.python(X, Z)}"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"{put(self, 'factor')} \cdot {tex_bracketed(self.of, x, z, put)}"

    def expression(self, x: str, z: str) -> str:
        return f"s {bracketed(self.of, x, z)}"

    @property
    def binding(self) -> int:
        return 1


def bracketed(part: Kernel, x: str, z: str) -> str:
    """Return the formula of a part of a product, in brackets if it is a sum."""
    formula = part.expression(x, z)
    return formula if part.binding else f"({formula})"


def paired(phi: Array, psi: Array) -> Array:
    """Return (n, r s): the products of each of r features with each of s, for phi (n, r) and psi (n, s)."""
    return np.asarray((phi[:, :, None] * psi[:, None, :]).reshape(len(phi), phi.shape[1] * psi.shape[1]))


def multiplied(factors: Sequence[Pairs]) -> Pairs | None:
    """Return the separable form of a product of kernels from those of its parts; None if it has too many pairs."""
    pairs, *others = factors
    for other in others:
        if len(pairs) * len(other) > MOST_TERMS:
            return None
        pairs = [(across * wide, up * high) for across, up in pairs for wide, high in other]
    return pairs
