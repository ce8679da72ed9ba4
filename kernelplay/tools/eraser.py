"""The tool that deletes what it passes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import plural, say
from kernelplay.scene import Scene
from kernelplay.spec import real
from kernelplay.tools.base import Tool
from kernelplay.tools.events import Edit, Gesture, Hand, Menu, Place, Press


@dataclass(frozen=True)
class Eraser(Tool):
    """Delete the points within `radius` pixels of the pointer while the button is down; with the right button the
    menu."""

    key = "eraser"
    label = say("Erase")
    command = say("Erase points")
    about = say("Press and drag over points to delete them.")
    order = 30
    keys = "E"
    strokes = True
    around = "radius"

    radius: float = real(12.0, 3.0, 120.0, least=1.0, most=1000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("Radius around the pointer within which points are deleted."))

    def touched(self, x: float, y: float, scene: Scene, hand: Hand) -> NDArray[np.intp]:
        return self._near(scene, (x, y), (x, y), hand)

    def gesture(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.button == "right":
            yield Menu(press.row)
            return
        gone: set[int] = set()
        start = end = (press.x, press.y)
        while True:
            # along the whole way: a fast stroke leaves nothing out
            found = set(self._near(scene, start, end, hand).tolist()) - gone
            gone |= found
            event = yield _erased(scene, gone) if found else None
            start, end = end, (event.x, event.y)

    def _near(self, scene: Scene, start: Place, end: Place, hand: Hand) -> NDArray[np.intp]:
        """Return the rows within reach of the way from `start` to `end`, measured in pixels."""
        unit, xy = np.array(hand.unit), scene.points.xy
        reach = 1.001 * self.radius * unit
        (x0, y0), (x1, y1) = np.minimum(start, end) - reach, np.maximum(start, end) + reach
        x, y = xy[:, 0], xy[:, 1]
        # of very many points all but few are told by their coordinates alone, for a tenth of the time
        rows = np.flatnonzero((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))
        a, b, p = np.array(start) / unit, np.array(end) / unit, xy[rows] / unit
        along = b - a
        length2 = float(along @ along)
        share = np.clip((p - a) @ along / length2, 0.0, 1.0) if length2 > 0 else np.zeros(len(p))
        apart = np.hypot(*(p - a - share[:, None] * along).T)
        near: NDArray[np.intp] = rows[apart <= self.radius]
        return near


def _erased(scene: Scene, gone: set[int]) -> Edit:
    return Edit(scene.with_points(scene.points.remove(gone)),
                plural(len(gone), "Erase point", "Erase {n} points"), frozenset())
