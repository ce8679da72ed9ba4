"""The sigmoid kernel, which is in general no valid kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.kernels.blocks import applied
from kernelplay.kernels.gamma import gamma_field, gamma_of, with_gamma
from kernelplay.kernels.written import literal
from kernelplay.spec import real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """k(x, x') = tanh(gamma x·x' + coef0): in general not positive semi-definite (Bishop (6.37))."""

    key = "sigmoid"
    label = say("Sigmoid")
    about = say("A neuron's activation as a similarity; in general not a valid kernel, as its smallest eigenvalue "
                "shows.")
    order = 70

    gamma: float = gamma_field(1.0, say("Scale of x·x′"),
                               say("Higher: the similarity jumps more sharply between −1 and 1."))
    coef0: float = real(0.0, -5.0, 5.0, symbol="c", label=say("Constant term"),
                        help=say("Higher: more pairs of points count as similar."))

    def __call__(self, X: Array, Z: Array) -> Array:
        return applied(self._of_inner, X @ Z.T)

    def diagonal(self, X: Array) -> Array:
        return self._of_inner(np.sum(X * X, axis=1))

    def _of_inner(self, products: Array) -> Array:
        return np.asarray(np.tanh(gamma_of(self) * products + self.coef0))

    @property
    def psd(self) -> bool:
        return False

    def bind(self, X: Array) -> Self:
        return with_gamma(self, X)

    def python(self, X: str, Z: str) -> str:
        return f"np.tanh({literal(gamma_of(self))} * ({X} @ {Z}.T) + {literal(self.coef0)})"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"\tanh\left({put(self, 'gamma')}\, {x} \cdot {z} + {put(self, 'coef0')}\right)"

    def expression(self, x: str, z: str) -> str:
        return f"tanh(γ {x}·{z} + c)"
