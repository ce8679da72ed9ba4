"""Kernels from a finite set of basis functions: k(x, x') = sum of phi_j(x) phi_j(x') (Bishop (6.10), figure 6.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import MOST_FEATURES, Array, Kernel
from kernelplay.kernels.written import literal
from kernelplay.spec import choice, integer, real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling

_LOCAL = ("by", ("gaussians", "sigmoids"))


POWERS = """
def powers(X, n):
    return np.hstack([x[:, None] ** np.arange(n) for x in X.T])
"""
CENTRES = """
def centres(n, low, high):
    return np.linspace(low, high, n) if n > 1 else np.array([(low + high) / 2])
"""
GAUSSIANS = """
def gaussians(X, n, width, low, high):
    return np.hstack([np.exp(-((x[:, None] - centres(n, low, high)) ** 2) / (2 * width**2)) for x in X.T])
"""
SIGMOIDS = """
def sigmoids(X, n, width, low, high):
    return np.hstack([(1 + np.tanh((x[:, None] - centres(n, low, high)) / (2 * width))) / 2 for x in X.T])
"""


@dataclass(frozen=True)
class Basis(Kernel):
    """k(x, x') = sum_j phi_j(x) phi_j(x'), in more than one dimension summed over the coordinates.

    powers: x^j, j = 0 .. number − 1; gaussians: exp(−(x − m_j)²/(2 width²)); sigmoids: 1/(1 + exp(−(x − m_j)/width)),
    with centres m_j evenly from low to high.
    """

    key = "basis"
    label = say("Finite basis")
    about = say("Functions are combinations of a few fixed basis functions: the bridge from linear regression to "
                "kernels.")
    order = 90

    by: str = choice("gaussians", {"powers": say("Powers"), "gaussians": say("Gaussians"), "sigmoids": say("Sigmoids")},
                     label=say("Basis functions"), symbol="φ",
                     help=say("Powers act everywhere, Gaussians near their centres, sigmoids on one side of theirs."))
    number: int = integer(9, 1, 20, most=100, symbol="n", label=say("Number of functions"),
                          help=say("Higher: more basis functions and finer detail."))
    width: float = real(0.5, 5e-2, 5.0, log=True, symbol="w", label=say("Width"), when=_LOCAL,
                        help=say("Higher: wider basis functions and smoother curves."))
    low: float = real(-3.0, -10.0, 10.0, symbol="m₁", label=say("First centre"), when=_LOCAL,
                      help=say("Higher: the basis functions start further right and further up."))
    high: float = real(3.0, -10.0, 10.0, symbol="mₙ", label=say("Last centre"), when=_LOCAL,
                       help=say("Higher: the basis functions extend further right and further up."))

    def phi(self, x: Array) -> Array:
        """Return (n, number): the basis functions at the numbers x (n,)."""
        if self.by == "powers":
            return np.asarray(x[:, None] ** np.arange(self.number))
        middle = (self.low + self.high) / 2
        centres = np.array([middle]) if self.number == 1 else np.linspace(self.low, self.high, self.number)
        u = (x[:, None] - centres) / self.width
        # the logistic sigmoid written by tanh, which does not overflow
        phi: Array = np.exp(-u * u / 2) if self.by == "gaussians" else (1 + np.tanh(u / 2)) / 2
        return phi

    def __call__(self, X: Array, Z: Array) -> Array:
        left = self._all(X)
        K: Array = left @ (left if Z is X else self._all(Z)).T
        return K

    def _all(self, X: Array) -> Array:
        return self.phi(X.ravel()).reshape(len(X), X.shape[1] * self.number)

    def diagonal(self, X: Array) -> Array:
        return np.asarray(np.sum(self._all(X) ** 2, axis=1))

    @property
    def psd(self) -> bool:
        return True

    def features(self, X: Array) -> Array | None:
        return self._all(X) if X.shape[1] * self.number <= MOST_FEATURES else None

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        return [(self.phi(x) @ self.phi(X[:, 0]).T, np.ones((len(y), len(X)))),
                (np.ones((len(x), len(X))), self.phi(y) @ self.phi(X[:, 1]).T)]

    def python(self, X: str, Z: str) -> str:
        given = f"{self.number}"
        if self.by != "powers":
            given += f", {literal(self.width)}, {literal(self.low)}, {literal(self.high)}"
        return f"({self.by}({X}, {given}) @ {self.by}({Z}, {given}).T)"

    def needs(self) -> tuple[str, ...]:
        return (POWERS,) if self.by == "powers" else (CENTRES, GAUSSIANS if self.by == "gaussians" else SIGMOIDS)

    def latex(self, x: str, z: str, put: Spelling) -> str:
        width, number = put(self, "width"), put(self, "number")
        if self.by == "powers":
            put.define(rf"\phi_j(u) = u^{{j-1}}, \quad j = 1, \dots, {number}")
        else:
            shape = {"gaussians": rf"\exp\left(-\frac{{(u - m_j)^2}}{{2 \cdot {width}^2}}\right)",
                     "sigmoids": rf"\frac{{1}}{{1 + \exp\left(-(u - m_j)/{width}\right)}}"}[self.by]
            first, last = put(self, "low"), put(self, "high")
            least = f"({first})" if first.startswith("-") else first
            centres = rf"m_j = {first} + \frac{{j - 1}}{{{number} - 1}} ({last} - {least})"
            put.define(rf"\phi_j(u) = {shape}, \quad j = 1, \dots, {number}")
            put.define(centres)
        return rf"\sum_i \sum_j \phi_j({x}_i)\, \phi_j({z}_i)"

    def expression(self, x: str, z: str) -> str:
        return f"Σⱼ φⱼ({x}) φⱼ({z})"

    @property
    def binding(self) -> int:
        return 0
