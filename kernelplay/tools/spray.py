"""Tools that make many points at once: evenly over a disc, and as a Gaussian cloud."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.i18n import plural, say
from kernelplay.scene import Scene
from kernelplay.spec import integer, real
from kernelplay.tools.base import Aim, Array, Edit, Gesture, Hand, Menu, Place, Press, Release, Tool
from kernelplay.tools.edits import class_of, other_class
from kernelplay.tools.gestures import box


@dataclass(frozen=True)
class Brush(Tool):
    """Spray points while the button is down: `rate` a second, evenly over a disc of `radius` pixels. The random
    numbers are seeded with the number of points there are: the same stroke gives the same points."""

    key = "brush"
    label = say("Brush")
    command = say("Tool: spray points")
    about = say("Hold the button to spray points, the right button for the other class of two.")
    order = 20
    keys = "B"
    strokes = True
    ticks = True

    radius: float = real(28.0, 5.0, 120.0, least=1.0, most=1000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("How far around the pointer points are sprayed."))
    rate: float = real(24.0, 1.0, 60.0, least=0.0, most=1000.0, symbol="v", unit="/s", label=say("Rate"),
                       help=say("How many points are sprayed in a second."))

    @property
    def reach(self) -> float:
        return self.radius

    def __call__(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.shift and press.button == "left":
            yield from box(press, scene, hand, press.ctrl)
            return
        cls = hand.cls if press.button == "left" else other_class(scene, hand.cls)
        if cls is None:
            yield Menu(press.row)
            return
        rng = np.random.default_rng(len(scene.points))
        places = np.zeros((0, 2))
        x, y, time = press.x, press.y, 0.0
        while True:
            wanted = 1 + int(self.rate * time) - len(places)
            if wanted > 0:
                turn, share = rng.uniform(size=(wanted, 2)).T
                apart = self.radius * np.sqrt(share)
                offset = np.column_stack([apart * np.cos(2 * np.pi * turn), apart * np.sin(2 * np.pi * turn)])
                places = np.vstack([places, (x, y) + offset * hand.unit])
            event = yield _sprayed(scene, places, cls)
            x, y, time = event.x, event.y, event.time


@dataclass(frozen=True)
class Gaussian(Tool):
    """Drag the long axis of a cloud, from its middle to two standard deviations; the release puts `count` points, drawn
    from that normal distribution in pixels and seeded with the number of points there are. A click puts a cloud that
    lies flat, `radius` pixels from its middle to two standard deviations."""

    key = "gaussian"
    label = say("Cloud")
    command = say("Tool: spray a Gaussian cloud")
    about = say("Drag from the middle of the cloud along its long axis. The ellipses show one and two standard "
                "deviations.")
    order = 21
    family = "brush"
    keys = "G"

    count: int = integer(30, 1, 200, most=5000, symbol="n", label=say("Number of points"),
                         help=say("How many points one cloud has."))
    ratio: float = real(0.4, 0.05, 1.0, least=0.0, most=1.0, symbol="q", label=say("Ratio"),
                        help=say("The short axis of the cloud as a share of the long one; at 1 it is round."))
    radius: float = real(60.0, 5.0, 200.0, least=1.0, most=2000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("The long axis of a cloud that is put by a click; a drag sets its own."))

    @property
    def reach(self) -> float:
        return self.radius

    def aim(self, x: float, y: float, hand: Hand) -> Aim:
        return self._aim(hand.snap(x, y), (self.radius, 0.0), hand)

    def _aim(self, middle: Place, tip: Place, hand: Hand) -> Aim:
        """Return the axes of the cloud whose long one ends `tip` pixels (right, up) from its middle."""
        ux, uy = hand.unit
        dx, dy = tip[0] / 2, tip[1] / 2
        return Aim(middle, (dx * ux, dy * uy), (-self.ratio * dy * ux, self.ratio * dx * uy))

    def __call__(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.shift and press.button == "left":
            yield from box(press, scene, hand, press.ctrl)
            return
        cls = hand.cls if press.button == "left" else other_class(scene, hand.cls)
        if cls is None:
            yield Menu(press.row)
            return
        aim = self.aim(press.x, press.y, hand)
        event = yield aim
        while not isinstance(event, Release):
            ux, uy = hand.unit
            aim = self._aim(aim.middle, ((event.x - aim.middle[0]) / ux, (event.y - aim.middle[1]) / uy), hand)
            event = yield aim
        rng = np.random.default_rng(len(scene.points))
        long, short = rng.standard_normal((self.count, 2)).T
        yield _sprayed(scene, aim.middle + np.outer(long, aim.along) + np.outer(short, aim.across), cls)


def _sprayed(scene: Scene, places: Array, cls: int) -> Edit:
    return Edit(scene.with_points(scene.points.add(places, class_of(scene, cls))),
                plural(len(places), "Spray a point", "Spray {n} points"), frozenset())
