"""The linear kernel: the inner product of the inputs themselves."""

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
class Linear(Kernel):
    """k(x, x') = x·x' + coef0, coef0 >= 0."""

    key = "linear"
    label = say("Linear")
    about = say("The inner product of the inputs: boundaries and regression functions are straight lines.")
    order = 20

    coef0: float = real(0.0, 0.0, 10.0, least=0.0, symbol="c", label=say("Constant term"),
                        help=say("Higher: lines may pass further from the origin if the model has no offset."))

    def __call__(self, X: Array, Z: Array) -> Array:
        K: Array = X @ Z.T
        return K + self.coef0 if self.coef0 else K

    def diagonal(self, X: Array) -> Array:
        return np.asarray(np.sum(X * X, axis=1) + self.coef0)

    @property
    def psd(self) -> bool:
        return True

    @property
    def positive_diagonal(self) -> bool:
        return self.coef0 > 0

    def features(self, X: Array) -> Array | None:
        return np.column_stack([X, np.full(len(X), np.sqrt(self.coef0))]) if self.coef0 else X

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        one = np.ones(len(X))
        return [(x[:, None] * X[:, 0] + self.coef0, np.ones((len(y), 1)) * one),
                (np.ones((len(x), 1)) * one, y[:, None] * X[:, 1])]

    def python(self, X: str, Z: str) -> str:
        return f"({X} @ {Z}.T + {literal(self.coef0)})" if self.coef0 else f"({X} @ {Z}.T)"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"{x} \cdot {z} + {put(self, 'coef0')}" if self.coef0 else rf"{x} \cdot {z}"

    def expression(self, x: str, z: str) -> str:
        return f"{x}·{z} + c" if self.coef0 else f"{x}·{z}"

    @property
    def binding(self) -> int:
        return 0
