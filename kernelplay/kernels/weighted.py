"""f(x) k(x, x') f(x'): a kernel whose strength changes with place (Bishop (6.14))."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Block, Kernel
from kernelplay.kernels.combine import Pairs, bracketed
from kernelplay.kernels.written import literal, tex_bracketed
from kernelplay.spec import child, choice, real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


_WEIGHTS = {"bump": "np.exp(-(((u - m) / w) ** 2) / 2)", "step": "(1 + np.tanh((u - m) / w / 2)) / 2",
            "ramp": "(u - m) / w"}


@dataclass(frozen=True)
class Weighted(Kernel):
    """k(x, x') = f(x) k_1(x, x') f(x'), f a function of the first coordinate u.

    bump: exp(−(u − m)²/(2 w²)); step: 1/(1 + exp(−(u − m)/w)); ramp: (u − m)/w.
    """

    key = "weighted"
    label = say("Weighted, f(x) k f(x′)")
    about = say("A kernel that is strong where f is large and vanishes where f is zero: f(x) k(x, x′) f(x′).")
    order = 240

    of: Kernel = child("kernel", {"name": "rbf"}, label=say("Kernel"), help=say("The kernel to weight."))
    by: str = choice("bump", {"bump": say("Bump"), "step": say("Step"), "ramp": say("Ramp")}, symbol="f",
                     label=say("Weight"), help=say("Along the first coordinate: a bump is large near m, a step beyond "
                                                   "m, a ramp far from m on either side."))
    centre: float = real(0.0, -5.0, 5.0, symbol="m", label=say("Position"),
                         help=say("Higher: moves the weight to the right."))
    width: float = real(1.0, 1e-1, 1e1, log=True, symbol="w", label=say("Width"),
                        help=say("Higher: a wider bump, a gentler step or ramp."))

    def weight(self, u: Array) -> Array:
        """Return f at the first coordinates u (n,)."""
        t = (u - self.centre) / self.width
        if self.by == "ramp":
            return t
        f: Array = np.exp(-t * t / 2) if self.by == "bump" else (1 + np.tanh(t / 2)) / 2
        return f

    def __call__(self, X: Array, Z: Array) -> Array:
        # the product of the weights first: f f' is symmetric to the last bit, (f k) f' is not
        return np.asarray(self.of(X, Z) * (self.weight(X[:, 0])[:, None] * self.weight(Z[:, 0])))

    def diagonal(self, X: Array) -> Array:
        return self.weight(X[:, 0]) ** 2 * self.of.diagonal(X)

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        block, weights = self.of.over_grid(X, x, y), self.weight(x)[:, None] * self.weight(X[:, 0])
        return lambda rows: block(rows) * weights

    @property
    def psd(self) -> bool:
        return self.of.psd

    def bind(self, X: Array) -> Self:
        return dataclasses.replace(self, of=self.of.bind(X))

    def features(self, X: Array) -> Array | None:
        phi = self.of.features(X)
        return None if phi is None else self.weight(X[:, 0])[:, None] * phi

    def factors(self, X: Array, x: Array, y: Array) -> Pairs | None:
        pairs = self.of.factors(X, x, y)
        if pairs is None:
            return None
        weights = self.weight(x)[:, None] * self.weight(X[:, 0])
        return [(weights * across, up) for across, up in pairs]

    def python(self, X: str, Z: str) -> str:
        given = f"{literal(self.centre)}, {literal(self.width)}"
        left, right = f"{self.by}({X}[:, :1], {given})", f"{self.by}({Z}[:, 0], {given})"
        return f"{left} * {self.of.python(X, Z)} * {right}"

    def needs(self) -> tuple[str, ...]:
        return (f"\ndef {self.by}(u, m, w):\n    return {_WEIGHTS[self.by]}\n",)

    def latex(self, x: str, z: str, put: Spelling) -> str:
        centre = put(self, "centre")
        t = rf"\frac{{u - {f'({centre})' if centre.startswith('-') else centre}}}{{{put(self, 'width')}}}"
        shape = {"bump": rf"\exp\left(-\frac{{1}}{{2}} \left({t}\right)^2\right)",
                 "step": rf"\frac{{1}}{{1 + \exp\left(-{t}\right)}}", "ramp": t}[self.by]
        put.define(rf"f_{{\text{{{self.by}}}}}(\mathbf{{x}}) = {shape}, \quad u = x_1")
        weight = rf"f_{{\text{{{self.by}}}}}"
        return rf"{weight}({x})\, {tex_bracketed(self.of, x, z, put)}\, {weight}({z})"

    def expression(self, x: str, z: str) -> str:
        return f"f({x}) {bracketed(self.of, x, z)} f({z})"

    @property
    def binding(self) -> int:
        return 1
