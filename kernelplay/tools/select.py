"""Tools that select points: in a box, and in a loop drawn by hand."""

from __future__ import annotations

from dataclasses import dataclass

from kernelplay.i18n import say
from kernelplay.scene import Scene
from kernelplay.tools.base import Tool
from kernelplay.tools.events import Gesture, Hand, Press
from kernelplay.tools.gestures import box, grab, lasso, menu


@dataclass(frozen=True)
class Selecting(Tool):
    """Points are dragged as with the first tool; a press beside them surrounds some. Shift adds to the selection."""

    def gesture(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.button == "right":
            return menu(press)
        return self.surround(press, scene, hand) if press.row is None else grab(press, scene, hand)


@dataclass(frozen=True)
class Box(Selecting):
    """Drag a box: select what is in it. Click on empty canvas: select nothing."""

    key = "select"
    label = say("Select")
    command = say("Select points")
    about = say("Drag a box around points. Ctrl or Shift adds to the selection, Alt removes from it.")
    order = 40
    keys = "S"

    def surround(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        return box(press, scene, hand, press.ctrl or press.shift)


@dataclass(frozen=True)
class Lasso(Selecting):
    """Draw a loop: select what is in it. Where the loop crosses itself, what it goes round twice is outside."""

    key = "lasso"
    label = say("Lasso")
    command = say("Select points with a lasso")
    about = say("Draw a loop around points. Ctrl or Shift adds to the selection, Alt removes from it.")
    order = 41
    family = "select"
    keys = "Shift+S"

    def surround(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        return lasso(press, scene, hand, press.ctrl or press.shift)
