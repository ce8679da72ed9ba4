"""Two clouds: apart by a margin, or overlapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.datasets.base import Array, Dataset, alternating
from kernelplay.i18n import say
from kernelplay.spec import real


@dataclass(frozen=True)
class Separable(Dataset):
    """Points on both sides of a line, none nearer to it than half the margin."""

    key = "separable"
    label = say("Separable")
    about = say("Two classes on both sides of a strip that a line can pass through.")
    order = 10

    margin: float = real(0.8, 0.0, 3.0, least=0.0, label=say("Margin"),
                         help=say("Width of the empty strip between the classes; a wider one is easier to learn."))
    angle: float = real(35.0, -90.0, 90.0, unit="°", label=say("Angle"),
                        help=say("Direction across the strip; it turns the whole picture."))
    noise: float = real(0.8, 0.05, 3.0, least=0.0, symbol="σ", label=say("Spread"),
                        help=say("How far the points spread away from the strip."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        cls = alternating(self.n)
        along = rng.normal(0.0, 1.0, self.n)
        across = (self.margin / 2 + self.noise * np.abs(rng.normal(0.0, 1.0, self.n))) * np.where(cls == 0, 1.0, -1.0)
        angle = np.deg2rad(self.angle)
        normal, tangent = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        return across[:, None] * normal + along[:, None] * tangent, cls


@dataclass(frozen=True)
class Overlapping(Dataset):
    """Two normal clouds; the best line for them is the one that halves the way between their centres."""

    key = "overlapping"
    label = say("Overlapping")
    about = say("Two clouds that run into each other: no line is right everywhere.")
    order = 20

    distance: float = real(2.0, 0.0, 6.0, least=0.0, label=say("Distance"),
                           help=say("Distance between the centres of the two clouds; more of it means less overlap."))
    noise: float = real(0.9, 0.05, 3.0, least=0.0, symbol="σ", label=say("Spread"),
                        help=say("Standard deviation of each cloud; more of it means more overlap."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        cls = alternating(self.n)
        centre = np.array([0.8, 0.6]) * self.distance / 2
        return np.where(cls[:, None] == 0, centre, -centre) + self.noise * rng.normal(size=(self.n, 2)), cls
