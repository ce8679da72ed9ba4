"""What a gesture is made of: a press, moves, a release; what the hand holds meanwhile; what is answered to them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say
from kernelplay.scene import Rectangle, Scene

Array = NDArray[np.float64]
Rows = frozenset[int]
Place = tuple[float, float]  # data coordinates


@dataclass(frozen=True)
class Press:
    """A button goes down at (x, y) in data coordinates, on the point `row` or on empty canvas (None)."""

    x: float
    y: float
    button: Literal["left", "right"] = "left"
    row: int | None = None
    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(frozen=True)
class Move:
    """The pointer has come to (x, y) with the button down, `time` seconds after the press."""

    x: float
    y: float
    time: float = 0.0


@dataclass(frozen=True)
class Release:
    """The button goes up at (x, y)."""

    x: float
    y: float
    time: float = 0.0


@dataclass(frozen=True)
class Hand:
    """What the hand holds: the class of new points, the selection, the grid it is held to.

    unit: data units of one pixel along x and y. grid: what snaps a place to the nearest node, if anything does.
    """

    cls: int = 0
    selection: Rows = frozenset()
    unit: tuple[float, float] = (0.01, 0.01)
    grid: Place | None = None  # from node to node

    def snap(self, x: float, y: float) -> Place:
        """Return the node of the grid nearest to (x, y); without a grid (x, y) itself."""
        return (x, y) if self.grid is None else (node(x, self.grid[0]), node(y, self.grid[1]))


def node(value: float, step: float) -> float:
    """Return the multiple of `step` nearest to `value`, written as people write it: 0.3, not 0.30000000000000004."""
    return float(f"{round(value / step) * step:.15g}")


@dataclass(frozen=True)
class Edit:
    """Make `scene` current; `selection` replaces the selection unless it is None."""

    scene: Scene
    label: Say
    selection: Rows | None = None


@dataclass(frozen=True)
class Select:
    """Select these rows; `box` (x low, high, y low, high) or the corners `loop` are drawn while they are dragged."""

    rows: Rows
    box: Rectangle | None = None
    loop: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Aim:
    """Draw where a cloud will be: its middle, and one standard deviation along its axes (data coordinates)."""

    middle: Place
    along: Place
    across: Place


@dataclass(frozen=True)
class Menu:
    """Open the menu of a point, or of the empty canvas (None)."""

    row: int | None


@dataclass(frozen=True)
class Pan:
    """This drag moves the view: the canvas goes on by itself."""


Reply = Edit | Select | Aim | Menu | Pan | None
Gesture = Generator[Reply, Move | Release, None]
