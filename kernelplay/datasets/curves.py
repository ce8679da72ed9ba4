"""Classes along curves: moons, rings, spirals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array, Classes, Random, Shapes, noise
from kernelplay.i18n import say
from kernelplay.spec import real


@dataclass(frozen=True)
class Moons(Shapes):
    """Two half circles of radius 1 that reach into each other, centred about the origin."""

    key = "moons"
    label = say("Moons")
    about = say("Two interleaving half moons.")
    order = 40

    noise: float = noise(0.15, 0.6)

    def shape(self, cls: Classes, random: Random) -> Array:
        angle = random.uniform(0.0, np.pi, self.n)
        upper = np.column_stack([np.cos(angle), np.sin(angle)])
        xy = np.where(cls[:, None] == 0, upper, np.array([1.0, 0.5]) - upper)
        return np.asarray(xy - np.array([0.5, 0.25]))


@dataclass(frozen=True)
class Rings(Shapes):
    """A ring of radius `inner` in a ring of radius 1."""

    key = "rings"
    label = say("Rings")
    about = say("One class encloses the other: a circle separates them, a line cannot.")
    order = 50

    inner: float = real(0.4, 0.05, 0.95, least=0.0, most=1.0, label=say("Inner radius"),
                        help=say("Radius of the inner ring; the outer ring has radius 1. Closer to 1 is harder."))
    noise: float = noise(0.12, 0.5)

    def shape(self, cls: Classes, random: Random) -> Array:
        angle = random.uniform(0.0, 2 * np.pi, self.n)
        radius = np.where(cls == 0, self.inner, 1.0)
        return np.asarray(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


@dataclass(frozen=True)
class Spiral(Shapes):
    """Two arms r = φ / (π turns), turned against each other by half a circle; they end at radius 2."""

    key = "spiral"
    label = say("Spirals")
    about = say("Two intertwined spiral arms: only a narrow kernel can follow them.")
    order = 60

    turns: float = real(1.25, 0.25, 3.0, open_least=True, least=0.0, most=1e6, label=say("Turns"),
                        help=say("Number of turns of each arm; more turns bring the arms closer together."))
    noise: float = noise(0.04, 0.4)

    def shape(self, cls: Classes, random: Random) -> Array:
        part = np.sqrt(random.uniform(0.02, 1.0, self.n))  # the root keeps the points evenly spaced along the arm
        angle = 2 * np.pi * self.turns * part + np.pi * cls
        return np.asarray(2 * part[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))
