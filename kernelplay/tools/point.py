"""The tool to begin with: adds, moves and selects points, and moves the view."""

from __future__ import annotations

from dataclasses import dataclass

from kernelplay.i18n import say
from kernelplay.scene import Scene
from kernelplay.tools.base import Tool
from kernelplay.tools.edits import add
from kernelplay.tools.events import Gesture, Hand, Move, Pan, Press
from kernelplay.tools.gestures import grab, right


@dataclass(frozen=True)
class Point(Tool):
    """Click on empty canvas: add a point, with the right button one of the other class. Drag a point, or the selection
    it belongs to: move it, with Alt a copy of it. Click on a point: select it, with the right button its menu."""

    key = "point"
    label = say("Point")
    command = say("Add and move points")
    about = say("Click to add a point. Drag a point to move it, or Alt-drag to duplicate it.")
    order = 10
    keys = "P"

    def gesture(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.button == "right":
            yield from right(press, scene, hand)
        elif press.row is not None:
            yield from grab(press, scene, hand)
        else:
            event = yield None
            if isinstance(event, Move):
                yield Pan()
            elif not press.ctrl:
                yield add(scene, *hand.snap(press.x, press.y), hand.cls)
