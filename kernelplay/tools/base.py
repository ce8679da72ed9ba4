"""What every tool has: its options, its words, and a gesture for each press.

A tool is called with the press, the scene and the hand. The gesture is advanced to its first `yield`, which answers the
press; every move and the release are sent in, and each `yield` answers one of them. A click is a press and a release
without a move in between: small shaking never moves a point. Edits of one gesture are one step of the history, and
since each is made from the scene at the press, leaving the generator and taking that step back undoes everything.

A new tool is one file: its command, its place in menu and tool bar, the form of its options come from the declaration.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, verbatim
from kernelplay.scene import Rectangle, Scene
from kernelplay.spec import Spec

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


@dataclass(frozen=True)
class Tool(Spec):
    """A tool with its options; a subclass gives `__call__`. `about` says what the hand does with it."""

    kind: ClassVar[str] = "tool"
    package: ClassVar[str] = "kernelplay.tools"
    order: ClassVar[int] = 100  # place in menus and tool bar
    family: ClassVar[str] = ""  # the tool whose button on the tool bar it shares; its own key if it has none to share
    command: ClassVar[Say] = verbatim("")  # what it is called in menus
    keys: ClassVar[str] = ""
    strokes: ClassVar[bool] = False  # works at once and wherever it is moved: a click of it may shake no further
    ticks: ClassVar[bool] = False  # works on while it is held still

    def __call__(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        """Begin the gesture of a press."""
        raise NotImplementedError

    @property
    def reach(self) -> float | None:
        """How many pixels around the pointer it works, if that is more than the point under it."""
        return None

    def aim(self, x: float, y: float, hand: Hand) -> Aim | None:
        """Return what is drawn around the pointer at (x, y) instead of a circle, if anything is."""
        return None
