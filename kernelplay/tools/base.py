"""What every tool has: its options, its words, and a gesture for each press.

A tool is called with the press, the scene and the hand. The gesture is advanced to its first `yield`, which answers the
press; every move and the release are sent in, and each `yield` answers one of them. A click is a press and a release
without a move in between: small shaking never moves a point. Edits of one gesture are one step of the history, and
since each is made from the scene at the press, leaving the generator and taking that step back undoes everything.

A new tool is one file: its command, its place in menu and tool bar, the form of its options come from the declaration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, verbatim
from kernelplay.scene import Scene
from kernelplay.spec import Spec
from kernelplay.tools.events import Aim, Gesture, Hand, Press
from kernelplay.tools.gestures import box


@dataclass(frozen=True)
class Tool(Spec):
    """A tool with its options; a subclass gives `gesture`. `about` says what the hand does with it."""

    kind: ClassVar[str] = "tool"
    package: ClassVar[str] = "kernelplay.tools"
    order: ClassVar[int] = 100  # place in menus and tool bar
    family: ClassVar[str] = ""  # the tool whose button on the tool bar it shares; its own key if it has none to share
    command: ClassVar[Say] = verbatim("")  # what it is called in menus
    keys: ClassVar[str] = ""
    strokes: ClassVar[bool] = False  # works at once and wherever it is moved: a click of it may shake no further
    ticks: ClassVar[bool] = False  # works on while it is held still
    around: ClassVar[str] = ""  # the option that says how many pixels around the pointer it works, if one does

    def __call__(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        """Begin the gesture of a press: with Shift it surrounds points, whatever the tool."""
        if press.shift and press.button == "left":
            return self.surround(press, scene, hand)
        return self.gesture(press, scene, hand)

    def gesture(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        """Begin the gesture of a press without Shift, or of the right button."""
        raise NotImplementedError

    def surround(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        """Begin to choose the points in a box."""
        return box(press, scene, hand, press.ctrl)

    @property
    def reach(self) -> float | None:
        """How many pixels around the pointer it works, if that is more than the point under it."""
        return float(getattr(self, self.around)) if self.around else None

    def touched(self, x: float, y: float, scene: Scene, hand: Hand) -> NDArray[np.intp]:
        """Return the rows that a press at (x, y) would change, where that is more than the one under it."""
        return np.zeros(0, np.intp)

    def aim(self, x: float, y: float, hand: Hand) -> Aim | None:
        """Return what is drawn around the pointer at (x, y) instead of a circle, if anything is."""
        return None
