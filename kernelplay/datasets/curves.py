"""Classes along curves: moons, rings, spirals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.datasets.base import Array, Dataset, alternating
from kernelplay.i18n import say
from kernelplay.spec import real


@dataclass(frozen=True)
class Moons(Dataset):
    """Two half circles of radius 1 that reach into each other, centred about the origin."""

    key = "moons"
    label = say("Moons")
    about = say("Two half moons that reach into each other.")
    order = 40

    noise: float = real(0.15, 0.0, 0.6, least=0.0, symbol="σ", label=say("Noise"),
                        help=say("How far the points stray from their half circle."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        cls = alternating(self.n)
        angle = rng.uniform(0.0, np.pi, self.n)
        upper = np.column_stack([np.cos(angle), np.sin(angle)])
        xy = np.where(cls[:, None] == 0, upper, np.array([1.0, 0.5]) - upper) - np.array([0.5, 0.25])
        return xy + self.noise * rng.normal(size=(self.n, 2)), cls


@dataclass(frozen=True)
class Rings(Dataset):
    """A disc of radius `inner` in a ring of radius 1."""

    key = "rings"
    label = say("Rings")
    about = say("One class around the other: a circle separates them, a line does not.")
    order = 50

    inner: float = real(0.4, 0.05, 0.95, least=0.0, most=1.0, label=say("Inner radius"),
                        help=say("Radius of the inner ring, where the outer one has 1; nearer to 1 is harder."))
    noise: float = real(0.12, 0.0, 0.5, least=0.0, symbol="σ", label=say("Noise"),
                        help=say("How far the points stray from their ring."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        cls = alternating(self.n)
        angle = rng.uniform(0.0, 2 * np.pi, self.n)
        radius = np.where(cls == 0, self.inner, 1.0)
        xy = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        return xy + self.noise * rng.normal(size=(self.n, 2)), cls


@dataclass(frozen=True)
class Spiral(Dataset):
    """Two arms r = φ / (2π turns), turned against each other by half a circle."""

    key = "spiral"
    label = say("Spirals")
    about = say("Two arms wound into each other: only a narrow kernel follows them.")
    order = 60

    turns: float = real(1.25, 0.25, 3.0, open_least=True, least=0.0, label=say("Turns"),
                        help=say("How often each arm goes round; more turns bring the arms closer together."))
    noise: float = real(0.02, 0.0, 0.2, least=0.0, symbol="σ", label=say("Noise"),
                        help=say("How far the points stray from their arm."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        cls = alternating(self.n)
        part = np.sqrt(rng.uniform(0.02, 1.0, self.n))  # the root keeps the points evenly spaced along the arm
        angle = 2 * np.pi * self.turns * part + np.pi * cls
        xy = 2 * part[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        return xy + 2 * self.noise * rng.normal(size=(self.n, 2)), cls
