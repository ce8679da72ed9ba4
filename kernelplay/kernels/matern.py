"""The Matern family: functions of chosen roughness (Rasmussen and Williams (4.14), (4.17))."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import Array
from kernelplay.kernels.distance import Isotropic
from kernelplay.kernels.written import SQUARED_DISTANCES, literal
from kernelplay.spec import real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


def length_scale_field() -> float:
    """Declare the length scale of a stationary kernel."""
    field: float = real(1.0, 1e-1, 1e1, log=True, symbol="ℓ", label=say("Length scale"),
                        help=say("Higher: each point reaches further, and boundaries and functions are smoother."))
    return field


@dataclass(frozen=True)
class Matern12(Isotropic):
    """k(x, x') = exp(−r/l), r = ||x − x'||: continuous functions without a derivative (Ornstein and Uhlenbeck)."""

    key = "matern12"
    label = say("Matérn 1/2")
    about = say("Similarity has a kink at distance zero: functions are continuous but jagged.")
    order = 40

    length_scale: float = length_scale_field()

    def profile(self, r2: Array) -> Array:
        r = np.sqrt(r2) * (-1 / self.length_scale)
        return np.exp(r, out=r)

    def python(self, X: str, Z: str) -> str:
        return f"np.exp(-np.sqrt(squared_distances({X}, {Z})) / {literal(self.length_scale)})"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        return rf"\exp\left(-\frac{{\lVert {x} - {z} \rVert}}{{{put(self, 'length_scale')}}}\right)"

    def expression(self, x: str, z: str) -> str:
        return f"exp(−‖{x} − {z}‖/ℓ)"


@dataclass(frozen=True)
class Matern32(Isotropic):
    """k(x, x') = (1 + u) exp(−u), u = sqrt(3) r/l: functions with one derivative."""

    key = "matern32"
    label = say("Matérn 3/2")
    about = say("Between jagged and smooth: functions are differentiable once.")
    order = 41

    length_scale: float = length_scale_field()

    def profile(self, r2: Array) -> Array:
        u = np.sqrt(r2) * (math.sqrt(3) / self.length_scale)
        k = np.exp(-u)
        k *= u + 1
        return k

    def python(self, X: str, Z: str) -> str:
        return f"matern32(np.sqrt(3 * squared_distances({X}, {Z})) / {literal(self.length_scale)})"

    def needs(self) -> tuple[str, ...]:
        return (SQUARED_DISTANCES, "\ndef matern32(u):\n    return (1 + u) * np.exp(-u)\n")

    def latex(self, x: str, z: str, put: Spelling) -> str:
        u = rf"\frac{{\sqrt{{3}} \lVert {x} - {z} \rVert}}{{{put(self, 'length_scale')}}}"
        return rf"\left(1 + {u}\right) \exp\left(-{u}\right)"

    def expression(self, x: str, z: str) -> str:
        return f"(1 + √3‖{x} − {z}‖/ℓ) exp(−√3‖{x} − {z}‖/ℓ)"

    @property
    def binding(self) -> int:
        return 1


@dataclass(frozen=True)
class Matern52(Isotropic):
    """k(x, x') = (1 + u + u²/3) exp(−u), u = sqrt(5) r/l: functions with two derivatives."""

    key = "matern52"
    label = say("Matérn 5/2")
    about = say("Nearly as smooth as the RBF kernel, but less confident between points.")
    order = 42

    length_scale: float = length_scale_field()

    def profile(self, r2: Array) -> Array:
        u = np.sqrt(r2) * (math.sqrt(5) / self.length_scale)
        k = np.exp(-u)
        return k + k * u * (u / 3 + 1)  # in this order: u² may be no number where exp(−u) is 0

    def python(self, X: str, Z: str) -> str:
        return f"matern52(np.sqrt(5 * squared_distances({X}, {Z})) / {literal(self.length_scale)})"

    def needs(self) -> tuple[str, ...]:
        return (SQUARED_DISTANCES, "\ndef matern52(u):\n    return (1 + u + u**2 / 3) * np.exp(-u)\n")

    def latex(self, x: str, z: str, put: Spelling) -> str:
        r, length = rf"\lVert {x} - {z} \rVert", put(self, "length_scale")
        u = rf"\frac{{\sqrt{{5}} {r}}}{{{length}}}"
        return rf"\left(1 + {u} + \frac{{5 {r}^2}}{{3 \cdot {length}^2}}\right) \exp\left(-{u}\right)"

    def expression(self, x: str, z: str) -> str:
        r = f"‖{x} − {z}‖"
        return f"(1 + √5{r}/ℓ + 5{r}²/(3ℓ²)) exp(−√5{r}/ℓ)"

    @property
    def binding(self) -> int:
        return 1
