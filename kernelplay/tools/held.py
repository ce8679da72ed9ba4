"""Tools that move the points around the pointer for as long as the button is held: they shake them, or pull them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, plural, say
from kernelplay.scene import Scene
from kernelplay.spec import real
from kernelplay.tools.base import Tool
from kernelplay.tools.events import Array, Edit, Gesture, Hand, Menu, Place, Press

BEATS = 30  # a second: how often points move while the button is held


@dataclass(frozen=True)
class Holding(Tool):
    """Moves the points within its `radius`."""

    family = "brush"
    strokes = True
    around = "radius"
    ticks = True

    def touched(self, x: float, y: float, scene: Scene, hand: Hand) -> NDArray[np.intp]:
        return np.flatnonzero(_apart(scene.points.xy, (x, y), hand) <= (self.reach or 0.0))


@dataclass(frozen=True)
class Jitter(Holding):
    """Shake the points within `radius` pixels: at every beat each takes a normal step, such that `strength` pixels are
    the standard deviation of where a second takes it. The random numbers are seeded with the points there are: the same
    stroke over the same points gives the same, and a second stroke does not repeat the first."""

    key = "jitter"
    label = say("Shake")
    command = say("Shake points")
    about = say("Press and hold over points to shake them.")
    order = 22
    keys = "J"

    radius: float = real(40.0, 5.0, 200.0, least=1.0, most=2000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("Radius around the pointer within which points are shaken."))
    strength: float = real(12.0, 1.0, 60.0, least=0.0, most=1000.0, symbol="s", unit="px", label=say("Strength"),
                           help=say("Typical distance a point moves in one second."))

    def gesture(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        if press.button == "right":
            yield Menu(press.row)
            return
        rng = np.random.default_rng(int(scene.points.digest[:16], 16))
        step = self.strength / math.sqrt(BEATS)

        def beat(xy: Array, at: Place) -> NDArray[np.intp]:
            near = np.flatnonzero(_apart(xy, at, hand) <= self.radius)
            xy[near] += step * rng.standard_normal((len(near), 2)) * hand.unit
            return near

        yield from _beaten(press, scene, beat, _shaken)


@dataclass(frozen=True)
class Magnet(Holding):
    """Pull the points within `radius` pixels towards the pointer; with Ctrl or the right button push them away. In a
    second the way to the pointer is multiplied by exp(∓`strength` w), where w falls from 1 at the pointer to 0 at the
    radius; a push ends there."""

    key = "magnet"
    label = say("Magnet")
    command = say("Pull points together or push them apart")
    about = say("Press and hold to pull points to the pointer. Ctrl or the right button pushes them away.")
    order = 23
    keys = "M"

    radius: float = real(80.0, 5.0, 200.0, least=1.0, most=2000.0, symbol="r", unit="px", label=say("Radius"),
                         help=say("Radius around the pointer within which points feel the magnet."))
    strength: float = real(2.0, 0.1, 10.0, least=0.0, most=100.0, symbol="s", unit="/s", label=say("Strength"),
                           help=say("How fast points move; those at the rim are slowest."))

    def gesture(self, press: Press, scene: Scene, hand: Hand) -> Gesture:
        away = press.ctrl or press.button == "right"

        def beat(xy: Array, at: Place) -> NDArray[np.intp]:
            apart = _apart(xy, at, hand) / self.radius
            near = np.flatnonzero((apart < 1) & (apart > 0))
            share = self.strength * (1 - apart[near]) / BEATS
            factor = np.minimum(np.exp(share), 1 / apart[near]) if away else np.exp(-share)
            xy[near] = at + (xy[near] - at) * factor[:, None]
            return near

        yield from _beaten(press, scene, beat, _pushed if away else _pulled)


def _beaten(press: Press, scene: Scene, beat: Callable[[Array, Place], NDArray[np.intp]],
            label: Callable[[int], Say]) -> Gesture:
    """Let `beat` move the points, at every beat from the press to the release; it returns which it has moved."""
    xy, touched = scene.points.xy.copy(), np.zeros(len(scene.points), np.bool_)
    start = end = (press.x, press.y)
    since, until = -1 / BEATS, 0.0  # the first beat is the press
    while True:
        moved = False
        for place in beats(start, end, since, until):
            rows = beat(xy, place)
            touched[rows] = True
            moved |= len(rows) > 0
        everything = range(len(xy))
        event = yield Edit(scene.with_points(scene.points.move(everything, xy)), label(int(touched.sum()))) if moved \
            else None
        start, end, since, until = end, (event.x, event.y), until, max(event.time, until)


def beats(start: Place, end: Place, since: float, until: float) -> Iterator[Place]:
    """Give where the pointer is, on its straight way from `start` to `end`, at the beats after `since` and up to
    `until` seconds: a stroke is the same however often it is reported."""
    for beat in range(math.floor(since * BEATS) + 1, math.floor(until * BEATS) + 1):
        share = (beat / BEATS - since) / (until - since)
        yield start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _apart(xy: Array, at: Place, hand: Hand) -> Array:
    """Return how many pixels the points xy (n, 2) are from `at`."""
    apart: Array = np.hypot(*((xy - at) / hand.unit).T)
    return apart


def _shaken(n: int) -> Say:
    return plural(n, "Shake point", "Shake {n} points")


def _pulled(n: int) -> Say:
    return plural(n, "Pull point", "Pull {n} points")


def _pushed(n: int) -> Say:
    return plural(n, "Push point away", "Push {n} points away")
