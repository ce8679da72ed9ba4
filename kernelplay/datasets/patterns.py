"""Patterns no line can separate: exclusive or, checkerboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.datasets.base import Array, Dataset
from kernelplay.i18n import say
from kernelplay.spec import integer, real


@dataclass(frozen=True)
class Xor(Dataset):
    """Four clouds at (±1, ±1); the class is the sign of x₁ x₂."""

    key = "xor"
    label = say("Exclusive or")
    about = say("Opposite corners belong together, so no line separates the classes.")
    order = 30

    noise: float = real(0.35, 0.0, 1.0, least=0.0, symbol="σ", label=say("Spread"),
                        help=say("Standard deviation of each of the four clouds; at 0 they are four points."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        corners = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
        corner = np.arange(self.n) % 4
        return corners[corner] + self.noise * rng.normal(size=(self.n, 2)), corner % 2


@dataclass(frozen=True)
class Checkerboard(Dataset):
    """Points spread evenly over a board of `cells` by `cells` squares of side 1, coloured like one."""

    key = "checkerboard"
    label = say("Checkerboard")
    about = say("Squares of both classes in turn: the kernel has to be narrower than a square.")
    order = 70

    cells: int = integer(4, 2, 8, most=100, label=say("Squares"), help=say("Squares along each side of the board."))
    noise: float = real(0.0, 0.0, 0.5, least=0.0, symbol="σ", label=say("Noise"),
                        help=say("How far a point may stray from the place that decided its class."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        xy = rng.uniform(0.0, self.cells, (self.n, 2))
        cls = np.floor(xy).astype(np.intp).sum(axis=1) % 2
        return xy - self.cells / 2 + self.noise * rng.normal(size=(self.n, 2)), cls
