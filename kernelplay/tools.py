"""Tools: what a press of the mouse means, as generators free of Qt.

A tool is called with the press, the scene and the hand. It is advanced to its first `yield`, which answers the press;
every move and the release are sent in, and each `yield` answers one of them. A click is a press and a release without
a move in between: small shaking never moves a point. Edits of one gesture are one step of the history, and since each
is made from the scene at the press, leaving the generator and taking that step back undoes everything.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kernelplay.i18n import Say, plural, say
from kernelplay.scene import Rectangle, Scene

Rows = frozenset[int]


@dataclass(frozen=True)
class Press:
    """A button goes down at (x, y) in data coordinates, on the point `row` or on empty canvas (None)."""

    x: float
    y: float
    button: Literal["left", "right"] = "left"
    row: int | None = None
    shift: bool = False
    ctrl: bool = False


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
    """What the hand holds: the class of new points, the selection, the brush, and the reach of brush and eraser.

    unit: data units of one pixel along x and y.
    """

    cls: int = 0
    selection: Rows = frozenset()
    radius: float = 28.0  # of the brush, pixels
    rate: float = 24.0  # of the brush, points a second
    reach: float = 12.0  # of the eraser, pixels
    unit: tuple[float, float] = (0.01, 0.01)


@dataclass(frozen=True)
class Edit:
    """Make `scene` current; `selection` replaces the selection unless it is None."""

    scene: Scene
    label: Say
    selection: Rows | None = None


@dataclass(frozen=True)
class Select:
    """Select these rows; `box` (x low, high, y low, high) is drawn while it is dragged."""

    rows: Rows
    box: Rectangle | None = None


@dataclass(frozen=True)
class Menu:
    """Open the menu of a point, or of the empty canvas (None)."""

    row: int | None


@dataclass(frozen=True)
class Pan:
    """This drag moves the view: the canvas goes on by itself."""


Reply = Edit | Select | Menu | Pan | None
Gesture = Generator[Reply, Move | Release, None]
Tool = Callable[[Press, Scene, Hand], Gesture]


def point(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """Click on empty canvas: add a point, with the right button one of the other class. Drag a point, or the selection
    it belongs to: move it. Click on a point: select it, with the right button its menu."""
    if press.button == "right":
        yield from _right(press, scene, hand)
    elif press.shift:
        yield from _box(press, scene, hand)
    elif press.row is not None:
        yield from _grab(press, scene, hand)
    else:
        event = yield None
        if isinstance(event, Move):
            yield Pan()
        elif not press.ctrl:
            yield _added(scene, press, hand.cls)


def select(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """Drag a box: select what is in it. Click on empty canvas: select nothing. Points as with `point`."""
    if press.button == "right":
        yield from _right(press, scene, hand)
    elif press.row is not None and not press.shift:
        yield from _grab(press, scene, hand)
    else:
        yield from _box(press, scene, hand)


def brush(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """Spray points while the button is down: `rate` a second, evenly over a disc of `radius` pixels. The random
    numbers are seeded with the number of points there are: the same stroke gives the same points."""
    if press.shift and press.button == "left":
        yield from _box(press, scene, hand)
        return
    cls = hand.cls if press.button == "left" else other_class(scene, hand.cls)
    if cls is None:
        yield Menu(press.row)
        return
    rng = np.random.default_rng(len(scene.points))
    places = np.zeros((0, 2))
    x, y, time = press.x, press.y, 0.0
    while True:
        wanted = 1 + int(hand.rate * time) - len(places)
        if wanted > 0:
            turn, share = rng.uniform(size=(wanted, 2)).T
            apart = hand.radius * np.sqrt(share)
            offset = np.column_stack([apart * np.cos(2 * np.pi * turn), apart * np.sin(2 * np.pi * turn)])
            places = np.vstack([places, (x, y) + offset * hand.unit])
        event = yield Edit(scene.with_points(scene.points.add(places, _class(scene, cls))),
                           plural(len(places), "Spray a point", "Spray {n} points"), frozenset())
        x, y, time = event.x, event.y, event.time


def eraser(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """Delete the points within reach of the pointer while the button is down; with the right button the menu."""
    if press.button == "right":
        yield Menu(press.row)
        return
    if press.shift:
        yield from _box(press, scene, hand)
        return
    gone: set[int] = set()
    start = end = (press.x, press.y)
    while True:
        found = _near(scene, start, end, hand) - gone  # along the whole way: a fast stroke leaves nothing out
        gone |= found
        event = yield _erased(scene, gone) if found else None
        start, end = end, (event.x, event.y)


TOOLS: dict[str, Tool] = {"point": point, "brush": brush, "eraser": eraser, "select": select}


def other_class(scene: Scene, cls: int) -> int | None:
    """Return the class that the right button adds: the other one of two; None in regression or with more classes."""
    if scene.task != "classification" or len(scene.classes) != 2:
        return None
    return 1 - min(cls, 1)


def erase(scene: Scene, rows: Rows) -> Edit:
    """Return the edit that deletes `rows`."""
    return Edit(scene.with_points(scene.points.remove(rows)), plural(len(rows), "Delete a point", "Delete {n} points"),
                frozenset())


def shift(scene: Scene, rows: Rows, dx: float, dy: float) -> Edit:
    """Return the edit that moves `rows` by (dx, dy)."""
    order = sorted(rows)
    moved = scene.points.move(order, scene.points.xy[order] + (dx, dy))
    return Edit(scene.with_points(moved), plural(len(rows), "Move a point", "Move {n} points"))


def add(scene: Scene, x: float, y: float, cls: int) -> Edit:
    """Return the edit that adds one point."""
    return Edit(scene.with_points(scene.points.add((x, y), _class(scene, cls))), say("Add a point"), frozenset())


def _added(scene: Scene, press: Press, cls: int) -> Edit:
    return add(scene, press.x, press.y, cls)


def _class(scene: Scene, cls: int) -> int:
    return min(cls, len(scene.classes) - 1) if scene.task == "classification" else 0


def _right(press: Press, scene: Scene, hand: Hand) -> Gesture:
    other = other_class(scene, hand.cls)
    if press.row is not None or other is None:
        yield Menu(press.row)
        return
    event = yield None
    if isinstance(event, Release):
        yield _added(scene, press, other)


def _grab(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """Drag the point under the press, with the selection if it is part of it; a click selects it."""
    assert press.row is not None
    row = press.row
    rows = hand.selection if row in hand.selection else frozenset({row})
    event = yield None
    if isinstance(event, Release):
        yield Select(hand.selection ^ {row} if press.ctrl else frozenset({row}))
        return
    while True:
        event = yield shift(scene, rows, event.x - press.x, event.y - press.y)


def _box(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """Drag a box and select what is in it, in addition with Ctrl; a click takes the selection back."""
    kept = hand.selection if press.ctrl else frozenset()
    event = yield None
    if isinstance(event, Release):
        yield Select(kept if press.row is None else kept | {press.row})
        return
    while True:
        box = (min(press.x, event.x), max(press.x, event.x), min(press.y, event.y), max(press.y, event.y))
        xy = scene.points.xy
        held = (xy[:, 0] >= box[0]) & (xy[:, 0] <= box[1]) & (xy[:, 1] >= box[2]) & (xy[:, 1] <= box[3])
        rows = kept | frozenset(np.flatnonzero(held).tolist())
        event = yield Select(rows, None if isinstance(event, Release) else box)


def _erased(scene: Scene, gone: set[int]) -> Edit:
    return Edit(scene.with_points(scene.points.remove(gone)),
                plural(len(gone), "Erase a point", "Erase {n} points"), frozenset())


def _near(scene: Scene, start: tuple[float, float], end: tuple[float, float], hand: Hand) -> set[int]:
    """Return the rows within reach of the way from `start` to `end`, measured in pixels."""
    if not len(scene.points):
        return set()
    unit = np.array(hand.unit)
    a, b, p = np.array(start) / unit, np.array(end) / unit, scene.points.xy / unit
    along = b - a
    length2 = float(along @ along)
    share = np.clip((p - a) @ along / length2, 0.0, 1.0) if length2 > 0 else np.zeros(len(p))
    apart = np.hypot(*(p - a - share[:, None] * along).T)
    return set(np.flatnonzero(apart <= hand.reach).tolist())
