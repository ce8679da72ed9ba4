"""The RBF kernel, also called Gaussian, squared exponential or exponential of the square."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import Array
from kernelplay.kernels.distance import Isotropic
from kernelplay.kernels.gamma import gamma_field, gamma_of, with_gamma
from kernelplay.kernels.written import literal

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


@dataclass(frozen=True)
class RBF(Isotropic):
    """k(x, x') = exp(−gamma ||x − x'||²), gamma = 1/(2 l²). Bishop (6.23)."""

    key = "rbf"
    label = say("RBF (Gaussian)")
    about = say("Similarity falls off with distance like a bell curve: very smooth functions.")
    order = 10

    gamma: float = gamma_field(1.0, say("Inverse width"),
                               say("Higher: each point has a shorter reach and the boundary bends more sharply. The "
                                   "length scale is ℓ = 1/√(2γ)."))

    def profile(self, r2: Array) -> Array:
        exponents = r2 * -gamma_of(self)
        return np.exp(exponents, out=exponents)

    def bind(self, X: Array) -> Self:
        return with_gamma(self, X)

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        gamma = gamma_of(self)
        return [(np.exp(-gamma * (x[:, None] - X[:, 0]) ** 2), np.exp(-gamma * (y[:, None] - X[:, 1]) ** 2))]

    @property
    def derived(self) -> tuple[tuple[str, float], ...]:
        return () if isinstance(self.gamma, str) else (("ℓ", self.length_scale),)

    @property
    def length_scale(self) -> float:
        """l = 1/sqrt(2 gamma), the width of the bell curve."""
        return 1 / math.sqrt(2 * gamma_of(self))

    def python(self, X: str, Z: str) -> str:
        return f"np.exp(-{literal(gamma_of(self))} * squared_distances({X}, {Z}))"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"\exp\left(-{put(self, 'gamma')} \lVert {x} - {z} \rVert^2\right)"

    def expression(self, x: str, z: str) -> str:
        return f"exp(−γ‖{x} − {z}‖²)"
