"""Tools that select points: in a box, and in a loop drawn by hand."""

from __future__ import annotations

from dataclasses import dataclass

from kernelplay.i18n import say
from kernelplay.scene import Scene
from kernelplay.tools.base import Gesture, Hand, Press, Tool
from kernelplay.tools.gestures import box, grab, lasso, right


@dataclass(frozen=True)
class Box(Tool):
    """Drag a box: select what is in it. Click on empty canvas: select nothing. Points as with the first tool."""

    key = "select"
    label = say("Select")
    command = say("Tool: select points")
    about = say("Drag a box around points. Ctrl or Shift adds to the selection, Alt takes away from it.")
    order = 40
    keys = "S"

    def __call__(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.button == "right":
            yield from right(press, scene, hand)
        elif press.row is not None and not press.shift:
            yield from grab(press, scene, hand)
        else:
            yield from box(press, scene, hand, press.ctrl or press.shift)


@dataclass(frozen=True)
class Lasso(Tool):
    """Draw a loop: select what is in it; otherwise as the box. Where the loop crosses itself, what it goes round twice
    is outside."""

    key = "lasso"
    label = say("Lasso")
    command = say("Tool: select points with a lasso")
    about = say("Draw a loop around points. Ctrl or Shift adds to the selection, Alt takes away from it.")
    order = 41
    family = "select"
    keys = "Shift+S"

    def __call__(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.button == "right":
            yield from right(press, scene, hand)
        elif press.row is not None and not press.shift:
            yield from grab(press, scene, hand)
        else:
            yield from lasso(press, scene, hand, press.ctrl or press.shift)
