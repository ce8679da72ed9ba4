"""Clouds: apart by a margin, or overlapping, of two classes or of many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array, Classes, Random, Shapes, balance, class_names, noise, shares
from kernelplay.i18n import Say, say
from kernelplay.scene import Points
from kernelplay.spec import integer, real


@dataclass(frozen=True)
class Separable(Shapes):
    """Points on both sides of an empty strip, three of them on its edges so that no line has a wider margin.

    Of two points on one edge and one between them on the other the last is the nearest to the line through the first
    two, at a distance that is the width of the strip; nothing lies in the strip, so the hulls of the classes are no
    nearer.
    """

    key = "separable"
    label = say("Separable")
    about = say("Two classes on either side of an empty strip: a straight line separates them.")
    order = 10

    margin: float = real(0.8, 0.05, 3.0, least=0.0, most=1e6, label=say("Margin"),
                         help=say("Width of the widest empty strip between the classes: wider is easier to learn. "
                                  "Label flips break the separation."))
    angle: float = real(35.0, -90.0, 90.0, unit="°", label=say("Angle"),
                        help=say("Direction across the strip; rotates the whole dataset."))
    noise: float = noise(0.8, 3.0, say("How far the points spread out from the strip."), label=say("Spread"))
    balance: float = balance()

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        cls = shares(self.n, self.balance)
        along = places.normal(0.0, 1.0, self.n)
        beyond = self.noise * np.abs(noise.normal(0.0, 1.0, self.n))
        members = [np.flatnonzero(cls == c) for c in (0, 1)]
        # the pair is of the class that has two points first, so that more points leave it where it is
        pair, lone = sorted(members, key=lambda rows: rows[1] if len(rows) > 1 else self.n)
        if len(lone) and len(pair) > 1:  # else there is no strip
            along[lone[0]] = 0.3 * along[lone[0]]
            at = float(along[lone[0]])
            along[pair[:2]] = at - 0.3 - abs(along[pair[0]]), at + 0.3 + abs(along[pair[1]])
            beyond[[lone[0], *pair[:2]]] = 0.0
        across = (self.margin / 2 + beyond) * np.where(cls == 0, 1.0, -1.0)
        angle = np.deg2rad(self.angle)
        normal, tangent = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        return across[:, None] * normal + along[:, None] * tangent, cls, ()


@dataclass(frozen=True)
class Overlapping(Shapes):
    """Two normal clouds; the best line for them is the one that halves the way between their centres."""

    key = "overlapping"
    label = say("Overlapping")
    about = say("Two overlapping clouds: no line classifies every point correctly.")
    order = 20

    distance: float = real(2.0, 0.0, 6.0, least=0.0, most=1e6, label=say("Distance"),
                           help=say("Distance between the centres of the two clouds; larger means less overlap."))
    noise: float = noise(0.9, 3.0, say("Standard deviation of each cloud; larger means more overlap."),
                         label=say("Spread"))

    def shape(self, cls: Classes, random: Random) -> Array:
        centre = np.array([0.8, 0.6]) * self.distance / 2
        return np.where(cls[:, None] == 0, centre, -centre)


@dataclass(frozen=True)
class Blobs(Shapes):
    """Normal clouds about the corners of a regular polygon, a class each."""

    key = "blobs"
    label = say("Blobs")
    about = say("One cloud per class, centred at the corners of a polygon.")
    order = 25

    k: int = integer(4, 2, 8, most=8, symbol="k", label=say("Classes"), help=say("Number of clouds, one per class."))
    distance: float = real(2.5, 0.0, 6.0, least=0.0, most=1e6, label=say("Distance"),
                           help=say("Distance between neighbouring clouds; larger means less overlap."))
    noise: float = noise(0.5, 2.0, say("Standard deviation of each cloud; larger means more overlap."),
                         label=say("Spread"))
    balance: float | str = balance("equal", "equal")

    @property
    def classes(self) -> tuple[str, ...]:
        return class_names(self.k)

    def resolved(self, points: Points) -> Blobs:
        return self if isinstance(self.balance, float) else self.replace("balance", 1 / self.k)

    def shape(self, cls: Classes, random: Random) -> Array:
        angle = np.pi / 2 + 2 * np.pi * np.arange(self.k) / self.k
        radius = self.distance / (2 * np.sin(np.pi / self.k))
        return np.asarray(radius * np.column_stack([np.cos(angle), np.sin(angle)])[cls])
