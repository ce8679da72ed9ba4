"""The periodic kernel, coordinate by coordinate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.arrays import same_width
from kernelplay.i18n import say
from kernelplay.kernels.base import Array, Kernel
from kernelplay.kernels.blocks import rows_at_once
from kernelplay.kernels.written import literal
from kernelplay.spec import real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


SINE_SQUARES = """
def sine_squares(X, Z, period):
    return (np.sin(np.pi / period * (X[:, None, :] - Z[None, :, :])) ** 2).sum(axis=2)
"""


@dataclass(frozen=True)
class Periodic(Kernel):
    """k(x, x') = exp(−2 sum_j sin²(pi (x_j − x'_j)/p)/l²), MacKay (1998), Rasmussen and Williams (4.31) per coordinate.

    With the distance in place of the coordinates it would not be positive semi-definite in the plane.
    """

    key = "periodic"
    label = say("Periodic")
    about = say("Inputs a whole number of periods apart are identical: the function repeats along every axis.")
    order = 60

    length_scale: float = real(1.0, 1e-1, 1e1, log=True, symbol="ℓ", label=say("Length scale"),
                               help=say("Higher: the pattern within one period is smoother."))
    period: float = real(2.0, 1e-1, 1e1, log=True, symbol="p", label=say("Period"),
                         help=say("Higher: the pattern repeats less often."))

    def __call__(self, X: Array, Z: Array) -> Array:
        same_width(X, Z)
        n, m = len(X), len(Z)
        if n == 0 or m == 0:
            return np.zeros((n, m))
        # sin(a − b) = sin a cos b − cos a sin b asks for n + m sines in place of n m; about a point of the data, so
        # that a common shift of all inputs costs no digits
        turn = math.pi / self.period
        a, b = turn * (X - Z[0]), turn * (Z - Z[0])
        sin_a, cos_a, sin_b, cos_b = np.sin(a.T), np.cos(a.T), np.sin(b.T), np.cos(b.T)
        K = np.empty((n, m), np.result_type(a, b, self.length_scale))
        step = rows_at_once(m)
        for start in range(0, n, step):
            some = slice(start, start + step)
            squares = np.zeros((len(K[some]), m), np.result_type(a, b))
            for j in range(X.shape[1]):
                sines = sin_a[j, some, None] * cos_b[j]
                sines -= cos_a[j, some, None] * sin_b[j]
                sines *= sines
                squares += sines
            with np.errstate(over="ignore"):  # l² itself may be no number; 0 stays 0 when it is divided twice
                K[some] = np.exp(-2 * squares / self.length_scale / self.length_scale)
        return K

    def diagonal(self, X: Array) -> Array:
        return np.ones(len(X))

    @property
    def psd(self) -> bool:
        return True

    @property
    def positive_diagonal(self) -> bool:
        return True

    def factors(self, X: Array, x: Array, y: Array) -> list[tuple[Array, Array]] | None:
        if X.shape[1] != 2:
            return None
        return [(self(x[:, None], X[:, :1]), self(y[:, None], X[:, 1:]))]

    def python(self, X: str, Z: str) -> str:
        return f"np.exp(-2 * sine_squares({X}, {Z}, {literal(self.period)}) / {literal(self.length_scale)}**2)"

    def needs(self) -> tuple[str, ...]:
        return (SINE_SQUARES,)

    def latex(self, x: str, z: str, put: Spelling) -> str:
        sine = rf"\sin^2\left(\frac{{\pi \left({x} - {z}\right)_j}}{{{put(self, 'period')}}}\right)"
        return rf"\exp\left(-\frac{{2}}{{{put(self, 'length_scale')}^2}} \sum_j {sine}\right)"

    def expression(self, x: str, z: str) -> str:
        return f"exp(−2 Σⱼ sin²(π({x} − {z})ⱼ/p)/ℓ²)"
