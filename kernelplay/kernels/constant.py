"""The constant kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.kernels.written import literal
from kernelplay.spec import real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


@dataclass(frozen=True)
class Constant(Kernel):
    """k(x, x') = value >= 0: the functions are constants; added to another kernel it is an unknown offset."""

    key = "constant"
    label = say("Constant")
    about = say("All inputs are equally similar; in a sum it adds a constant offset to the function.")
    order = 80

    value: float = real(1.0, 0.0, 10.0, least=0.0, symbol="v", label=say("Value"),
                        help=say("Higher: allows an offset further from zero."))

    def __call__(self, X: Array, Z: Array) -> Array:
        return np.full((len(X), len(Z)), self.value)

    def diagonal(self, X: Array) -> Array:
        return np.full(len(X), self.value)

    @property
    def psd(self) -> bool:
        return True

    @property
    def positive_diagonal(self) -> bool:
        return self.value > 0

    def features(self, X: Array) -> Array | None:
        return np.full((len(X), 1), np.sqrt(self.value))

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        return [(np.full((len(x), len(X)), self.value), np.ones((len(y), len(X))))]

    def python(self, X: str, Z: str) -> str:
        return f"np.full((len({X}), len({Z})), {literal(self.value)})"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return put(self, "value")

    def expression(self, x: str, z: str) -> str:
        return "v"
