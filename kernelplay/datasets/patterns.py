"""Patterns no line can separate: exclusive or, checkerboard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array, Classes, Random, Shapes, noise, rank
from kernelplay.i18n import say
from kernelplay.spec import integer


@dataclass(frozen=True)
class Xor(Shapes):
    """Four clouds at (±1, ±1); the class is the sign of x₁ x₂."""

    key = "xor"
    label = say("Exclusive or")
    about = say("Opposite corners share a class, so no line separates the classes.")
    order = 30

    noise: float = noise(0.35, 1.0, say("Standard deviation of each of the four clouds; 0 gives "
                                        "exactly four locations."),
                         label=say("Spread"))

    def shape(self, cls: Classes, random: Random) -> Array:
        corners = np.array([[1.0, 1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])
        return np.asarray(corners[2 * cls + rank(cls) % 2])


@dataclass(frozen=True)
class Checkerboard(Shapes):
    """Points spread evenly over the squares of their class, on a board of `cells` by `cells` squares of side 1."""

    key = "checkerboard"
    label = say("Checkerboard")
    about = say("Alternating squares of the two classes: the kernel must be narrower than a square.")
    order = 70

    cells: int = integer(4, 2, 8, most=100, label=say("Squares"), help=say("Number of squares along each side."))
    noise: float = noise(0.0, 0.5, say("How far a point may move from the location that decided its class."))

    def shape(self, cls: Classes, random: Random) -> Array:
        board = np.indices((self.cells, self.cells)).reshape(2, -1).T  # the squares, by their lower left corner
        colour = board.sum(axis=1) % 2
        drawn = random.uniform(size=(self.n, 3))
        squares = [board[colour == c] for c in (0, 1)]
        index = (drawn[:, 0] * np.where(cls == 0, len(squares[0]), len(squares[1]))).astype(np.intp)
        corner = np.where(cls[:, None] == 0, squares[0][np.minimum(index, len(squares[0]) - 1)],
                          squares[1][np.minimum(index, len(squares[1]) - 1)])
        return np.asarray(corner + drawn[:, 1:] - self.cells / 2)
