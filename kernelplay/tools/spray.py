"""Tools that make many points at once: evenly over a disc, and as a Gaussian cloud."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.i18n import plural, say
from kernelplay.scene import Scene
from kernelplay.spec import integer, real
from kernelplay.tools.base import Tool
from kernelplay.tools.edits import class_of, other_class
from kernelplay.tools.events import Aim, Array, Edit, Gesture, Hand, Menu, Place, Press, Release


@dataclass(frozen=True)
class Spraying(Tool):
    """Points of the class in the hand, with the right button of the other one of two: a subclass gives `spray`."""

    def gesture(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        cls = hand.cls if press.button == "left" else other_class(scene, hand.cls)
        if cls is None:
            yield Menu(press.row)
        else:
            yield from self.spray(press, scene, hand, cls)

    def spray(self, press: Press, scene: Scene, hand: Hand, cls: int) -> Gesture:
        """Begin to put points of class `cls`."""
        raise NotImplementedError


@dataclass(frozen=True)
class Brush(Spraying):
    """Spray points while the button is down: `rate` a second, evenly over a disc of `radius` pixels that goes along
    with the pointer. The random numbers are seeded with the number of points there are: the same stroke gives the same
    points, however often it is reported."""

    key = "brush"
    label = say("Brush")
    command = say("Spray points")
    about = say("Press and hold to spray points; with two classes, the right button sprays the other one.")
    order = 20
    keys = "B"
    strokes = True
    around = "radius"
    ticks = True

    radius: float = real(28.0, 5.0, 120.0, least=1.0, most=1000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("Radius around the pointer within which points are sprayed."))
    rate: float = real(24.0, 1.0, 60.0, least=0.0, most=1000.0, symbol="v", unit="/s", label=say("Rate"),
                       help=say("Points sprayed per second."))

    def spray(self, press: Press, scene: Scene, hand: Hand, cls: int) -> Gesture:
        rng = np.random.default_rng(len(scene.points))
        places = np.zeros((0, 2))
        start = end = np.array([press.x, press.y])
        since = until = 0.0
        while True:
            due = np.arange(len(places), 1 + int(self.rate * until))  # the first one at the press
            if len(due):
                turn, share = rng.uniform(size=(len(due), 2)).T
                apart = self.radius * np.sqrt(share)
                offset = np.column_stack([apart * np.cos(2 * np.pi * turn), apart * np.sin(2 * np.pi * turn)])
                way = (due / self.rate - since) / (until - since) if until > since else np.zeros(len(due))
                places = np.vstack([places, start + way[:, None] * (end - start) + offset * hand.unit])
            event = yield _sprayed(scene, places, cls)
            start, end, since, until = end, np.array([event.x, event.y]), until, max(event.time, until)


@dataclass(frozen=True)
class Gaussian(Spraying):
    """Drag the long axis of a cloud, from its middle to two standard deviations; the release puts `count` points, drawn
    from that normal distribution in pixels and seeded with the number of points there are. A click puts a cloud that
    lies flat, `radius` pixels from its middle to two standard deviations."""

    key = "gaussian"
    label = say("Cloud")
    command = say("Add a Gaussian cloud")
    about = say("Drag from the centre of the cloud along its long axis. The ellipses show one and two standard "
                "deviations.")
    order = 21
    family = "brush"
    around = "radius"
    keys = "G"

    count: int = integer(30, 1, 200, most=5000, symbol="n", label=say("Number of points"),
                         help=say("Number of points in a cloud."))
    ratio: float = real(0.4, 0.05, 1.0, least=0.0, most=1.0, symbol="q", label=say("Ratio"),
                        help=say("Short axis of the cloud relative to its long axis; 1 is round."))
    radius: float = real(60.0, 5.0, 200.0, least=1.0, most=2000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("Long axis of a cloud added by a click; dragging sets its own."))

    def aim(self, x: float, y: float, hand: Hand) -> Aim:
        return self._aim(hand.snap(x, y), (self.radius, 0.0), hand)

    def _aim(self, middle: Place, tip: Place, hand: Hand) -> Aim:
        """Return the axes of the cloud whose long one ends `tip` pixels (right, up) from its middle."""
        ux, uy = hand.unit
        dx, dy = tip[0] / 2, tip[1] / 2
        return Aim(middle, (dx * ux, dy * uy), (-self.ratio * dy * ux, self.ratio * dx * uy))

    def spray(self, press: Press, scene: Scene, hand: Hand, cls: int) -> Gesture:
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
                plural(len(places), "Spray point", "Spray {n} points"), frozenset())
