"""k(phi(x), phi(x')): a kernel in other coordinates (Bishop (6.19))."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kernelplay.errors import FitError
from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Block, Kernel
from kernelplay.kernels.combine import Pairs
from kernelplay.kernels.written import literal
from kernelplay.spec import child, choice, real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling

_EACH = ("square", "fold", "sine", "asinh")  # maps that act on each coordinate by itself


POLAR = """
def polar(X):
    r = np.linalg.norm(X, axis=1)[:, None]
    return np.hstack([r, X / np.where(r == 0, 1, r)])
"""
CIRCLE = """
def circle(X, period):
    return np.hstack([np.cos(2 * np.pi / period * X), np.sin(2 * np.pi / period * X)])
"""


@dataclass(frozen=True)
class Warp(Kernel):
    """k(x, x') = k_1(phi(x), phi(x')).

    polar: (||x||, x/||x||); radius: ||x||; first, second: that coordinate alone; of each coordinate: square u²;
    fold |u|; sine sin(2 pi u/p); circle (cos, sin)(2 pi u/p); asinh(u/w), which is u near 0 and a logarithm far away.
    """

    key = "warp"
    label = say("Transformed coordinates")
    about = say("k(φ(x), φ(x′)), the same kernel in transformed coordinates: rings become lines, repeats coincide.")
    order = 250

    of: Kernel = child("kernel", {"name": "rbf"}, label=say("Kernel"),
                       help=say("The kernel applied to the new coordinates."))
    by: str = choice("polar", {
        "polar": say("Radius and direction"), "radius": say("Radius only"), "square": say("Squared"),
        "fold": say("Folded at zero"), "sine": say("Sines"), "circle": say("Wrapped around a circle"),
        "asinh": say("Compressed at a distance"), "first": say("First coordinate only"),
        "second": say("Second coordinate only"),
    }, symbol="φ", label=say("Coordinates"), help=say("The coordinates the kernel sees instead of the inputs."))
    period: float = real(2.0, 1e-1, 1e1, log=True, symbol="p", label=say("Period"), when=("by", ("sine", "circle")),
                         help=say("Higher: the pattern repeats less often."))
    width: float = real(1.0, 1e-1, 1e1, log=True, symbol="w", label=say("Width"), when=("by", ("asinh",)),
                        help=say("Higher: compression starts further from the origin."))

    def phi(self, X: Array) -> Array:
        """Return the new coordinates (n, d') of X (n, d); raise FitError where there is no second coordinate."""
        if self.by in _EACH:
            return self._each(X)
        if self.by == "circle":
            angles = 2 * math.pi / self.period * X
            return np.hstack([np.cos(angles), np.sin(angles)])
        if self.by == "first":
            return X[:, :1]
        if self.by == "second":
            if X.shape[1] < 2:
                raise FitError(say("The kernel uses only the second coordinate, but the points have just one: choose "
                                   "other coordinates."))
            return X[:, 1:2]
        radius: Array = np.sqrt(np.sum(X * X, axis=1))[:, None]
        if self.by == "radius":
            return radius
        direction = X / np.where(radius == 0, 1, radius)
        return np.hstack([radius, direction])

    def _each(self, u: Array) -> Array:
        if self.by == "square":
            return u * u
        if self.by == "fold":
            return np.asarray(u * np.sign(u.real))
        if self.by == "sine":
            return np.asarray(np.sin(2 * math.pi / self.period * u))
        bent: Array = np.arcsinh(u / self.width)
        return bent

    def __call__(self, X: Array, Z: Array) -> Array:
        new = self.phi(X)
        return self.of(new, new if Z is X else self.phi(Z))

    def diagonal(self, X: Array) -> Array:
        return self.of.diagonal(self.phi(X))

    @property
    def psd(self) -> bool:
        return self.of.psd

    @property
    def strictly_pd(self) -> bool:
        """Only where no two inputs get the same coordinates."""
        return self.by in ("polar", "asinh") and self.of.strictly_pd

    @property
    def positive_diagonal(self) -> bool:
        return self.of.positive_diagonal

    def bind(self, X: Array) -> Self:
        return dataclasses.replace(self, of=self.of.bind(self.phi(X)))

    def features(self, X: Array) -> Array | None:
        return self.of.features(self.phi(X))

    def factors(self, X: Array, x: Array, y: Array) -> Pairs | None:
        if X.shape[1] != 2:
            return None
        if self.by in _EACH:
            return self.of.factors(self._each(X), self._each(x), self._each(y))
        if self.by == "first":
            return [(self.of(x[:, None], X[:, :1]), np.ones((len(y), len(X))))]
        if self.by == "second":
            return [(np.ones((len(x), len(X))), self.of(y[:, None], X[:, 1:2]))]
        return None

    def over_grid(self, X: Array, x: Array, y: Array) -> Block:
        if self.by in _EACH:
            return self.of.over_grid(self._each(X), self._each(x), self._each(y))
        return super().over_grid(X, x, y)

    def python(self, X: str, Z: str) -> str:
        return self.of.python(self._moved(X), self._moved(Z))

    def _moved(self, X: str) -> str:
        return {"polar": f"polar({X})", "radius": f"np.linalg.norm({X}, axis=1)[:, None]", "square": f"({X} ** 2)",
                "fold": f"np.abs({X})", "sine": f"np.sin(2 * np.pi / {literal(self.period)} * {X})",
                "circle": f"circle({X}, {literal(self.period)})", "asinh": f"np.arcsinh({X} / {literal(self.width)})",
                "first": f"{X}[:, :1]", "second": f"{X}[:, 1:2]"}[self.by]

    def needs(self) -> tuple[str, ...]:
        return {"polar": (POLAR,), "circle": (CIRCLE,)}.get(self.by, ())

    def latex(self, x: str, z: str, put: Spelling) -> str:
        turn = rf"\frac{{2 \pi}}{{{put(self, 'period')}}} u"
        phi = {"polar": r"\left(\lVert u \rVert, \frac{u}{\lVert u \rVert}\right)", "radius": r"\lVert u \rVert",
               "square": "u^2", "fold": r"\lvert u \rvert", "sine": rf"\sin\left({turn}\right)",
               "circle": rf"\left(\cos\left({turn}\right), \sin\left({turn}\right)\right)",
               "asinh": rf"\operatorname{{arsinh}}\left(\frac{{u}}{{{put(self, 'width')}}}\right)", "first": "u_1",
               "second": "u_2"}[self.by]
        name = rf"\phi_{{\text{{{self.by}}}}}"
        put.define(rf"{name}(u) = {phi}")
        return self.of.latex(f"{name}({x})", f"{name}({z})", put)

    def expression(self, x: str, z: str) -> str:
        return self.of.expression(self._written(x), self._written(z))

    def _written(self, x: str) -> str:
        inner = x if x in ("x", "x′") else f"({x})"
        return {"polar": f"φ({x})", "radius": f"‖{x}‖", "square": f"{inner}²", "fold": f"|{x}|",
                "sine": f"sin(2π{inner}/p)", "circle": f"φ({x})", "asinh": f"asinh({x}/w)", "first": f"{inner}₁",
                "second": f"{inner}₂"}[self.by]

    @property
    def binding(self) -> int:
        return self.of.binding
