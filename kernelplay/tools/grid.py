"""The grid that clicks and drags can be held to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from kernelplay.i18n import say
from kernelplay.scene import Rectangle
from kernelplay.spec import Spec, real

NODES = 20  # about so many fit into the shorter side of the view


@dataclass(frozen=True)
class Grid(Spec):
    """Nodes at the multiples of `x` and of `y`."""

    x: float = real(0.1, 1e-2, 10.0, log=True, least=1e-90, most=1e90, symbol="Δ₁", label=say("Horizontal spacing"),
                    help=say("Distance between grid lines along the first axis."))
    y: float = real(0.1, 1e-2, 10.0, log=True, least=1e-90, most=1e90, symbol="Δ₂", label=say("Vertical spacing"),
                    help=say("Distance between grid lines along the second axis."))

    @classmethod
    def fitting(cls, view: Rectangle, square: bool) -> Self:
        """Return the grid with round steps that suits `view`; square: with the same step along both axes."""
        across, up = (round_step((high - low) / NODES) for low, high in (view[:2], view[2:]))
        return cls(min(across, up), min(across, up)) if square else cls(across, up)


def round_step(size: float) -> float:
    """Return the number 1, 2 or 5 times a power of ten that is nearest to `size`, on a scale of ratios."""
    exponent = math.floor(math.log10(size))
    sizes = [float(f"{digit}e{exponent + more}") for digit, more in ((1, 0), (2, 0), (5, 0), (1, 1))]
    return min(sizes, key=lambda step: abs(math.log(step / size)))
