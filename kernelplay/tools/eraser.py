"""The tool that deletes what it passes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.i18n import plural, say
from kernelplay.scene import Scene
from kernelplay.spec import real
from kernelplay.tools.base import Edit, Gesture, Hand, Menu, Place, Press, Tool
from kernelplay.tools.gestures import box


@dataclass(frozen=True)
class Eraser(Tool):
    """Delete the points within `radius` pixels of the pointer while the button is down; with the right button the
    menu."""

    key = "eraser"
    label = say("Erase")
    command = say("Tool: erase points")
    about = say("Hold the button and pass over the points to delete.")
    order = 30
    keys = "E"
    strokes = True

    radius: float = real(12.0, 3.0, 120.0, least=1.0, most=1000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("How far around the pointer points are deleted."))

    @property
    def reach(self) -> float:
        return self.radius

    def __call__(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.button == "right":
            yield Menu(press.row)
            return
        if press.shift:
            yield from box(press, scene, hand, press.ctrl)
            return
        gone: set[int] = set()
        start = end = (press.x, press.y)
        while True:
            found = self._near(scene, start, end, hand) - gone  # along the whole way: a fast stroke leaves nothing out
            gone |= found
            event = yield _erased(scene, gone) if found else None
            start, end = end, (event.x, event.y)

    def _near(self, scene: Scene, start: Place, end: Place, hand: Hand) -> set[int]:
        """Return the rows within reach of the way from `start` to `end`, measured in pixels."""
        if not len(scene.points):
            return set()
        unit = np.array(hand.unit)
        a, b, p = np.array(start) / unit, np.array(end) / unit, scene.points.xy / unit
        along = b - a
        length2 = float(along @ along)
        share = np.clip((p - a) @ along / length2, 0.0, 1.0) if length2 > 0 else np.zeros(len(p))
        apart = np.hypot(*(p - a - share[:, None] * along).T)
        return set(np.flatnonzero(apart <= self.radius).tolist())


def _erased(scene: Scene, gone: set[int]) -> Edit:
    return Edit(scene.with_points(scene.points.remove(gone)),
                plural(len(gone), "Erase a point", "Erase {n} points"), frozenset())
