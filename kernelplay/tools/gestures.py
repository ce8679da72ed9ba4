"""The gestures that tools share: take points along, draw a box or a loop around them, the right button."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from kernelplay.scene import Scene
from kernelplay.tools.edits import add, copied, other_class, shift
from kernelplay.tools.events import Array, Gesture, Hand, Menu, Place, Press, Release, Rows, Select


def right(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """The right button: on a point its menu, on empty canvas a point of the other class, or a menu if there is none."""
    other = other_class(scene, hand.cls)
    if press.row is not None or other is None:
        yield Menu(press.row)
        return
    event = yield None
    if isinstance(event, Release):
        yield add(scene, *hand.snap(press.x, press.y), other)


def menu(press: Press) -> Gesture:
    """The right button of a tool that adds no points: the menu of the point, of the selection or of the canvas."""
    yield Menu(press.row)


def grab(press: Press, scene: Scene, hand: Hand) -> Gesture:
    """Drag the point under the press, with the selection if it is part of it; with Alt drag copies away. A click
    selects it. On a grid the point under the press lands on a node, and the others keep their places beside it."""
    assert press.row is not None
    row = press.row
    rows = hand.selection if row in hand.selection else frozenset({row})
    event = yield None
    if isinstance(event, Release):
        yield Select(hand.selection ^ {row} if press.ctrl else frozenset({row}))
        return
    x, y = scene.points.xy[row].tolist()
    while True:
        dx, dy = event.x - press.x, event.y - press.y
        if hand.grid is not None:
            to_x, to_y = hand.snap(x + dx, y + dy)
            dx, dy = to_x - x, to_y - y
        event = yield copied(scene, rows, dx, dy) if press.alt else shift(scene, rows, dx, dy)


def box(press: Press, scene: Scene, hand: Hand, extend: bool) -> Gesture:
    """Drag a box and select what is in it; extend: in addition; with Alt what is in it is selected no longer."""
    event = yield None
    if isinstance(event, Release):
        yield _clicked(press, hand, extend)
        return
    xy = scene.points.xy
    while True:
        edges = (min(press.x, event.x), max(press.x, event.x), min(press.y, event.y), max(press.y, event.y))
        held = (xy[:, 0] >= edges[0]) & (xy[:, 0] <= edges[1]) & (xy[:, 1] >= edges[2]) & (xy[:, 1] <= edges[3])
        event = yield Select(_with(press, hand, extend, held), None if isinstance(event, Release) else edges)


def lasso(press: Press, scene: Scene, hand: Hand, extend: bool) -> Gesture:
    """Draw a loop and select what is in it, as with a box; the last corner is always joined to the first."""
    event = yield None
    if isinstance(event, Release):
        yield _clicked(press, hand, extend)
        return
    xy = scene.points.xy
    loop: list[Place] = [(press.x, press.y)]
    odd = np.zeros(len(xy), np.bool_)  # crossed an odd number of times by the open way so far
    while True:
        there = (event.x, event.y)
        if there != loop[-1]:
            odd ^= crossed(xy, loop[-1], there)
            loop.append(there)
        held = odd ^ crossed(xy, loop[-1], loop[0])
        event = yield Select(_with(press, hand, extend, held),
                             loop=() if isinstance(event, Release) else tuple(loop))


def crossed(xy: Array, a: Place, b: Place) -> NDArray[np.bool_]:
    """Return for which of the points xy (n, 2) the ray to the right meets the segment from `a` to `b`.

    The lower end belongs to the segment and the upper one does not, so that a closed way is crossed an odd number of
    times exactly by the rays that start inside of it. Exact: the sign of the determinant that tells on which side of
    the segment a point lies is computed in fractions where rounding could change it.
    """
    (ax, ay), (bx, by) = (a, b) if a[1] <= b[1] else (b, a)
    level = (xy[:, 1] >= ay) & (xy[:, 1] < by)
    rows = np.flatnonzero(level)
    if not len(rows):
        return level
    x, y = xy[rows].T
    one, two = (bx - ax) * (y - ay), (x - ax) * (by - ay)
    side = one - two  # > 0: the point is to the left
    left = side > 0
    # four rounded operations on each side: 8 units in the last place are more than they can be off
    for k in np.flatnonzero(~(np.abs(side) > 8 * np.finfo(float).eps * (np.abs(one) + np.abs(two)))).tolist():
        px, py, qx, qy = Fraction(float(x[k])), Fraction(float(y[k])), Fraction(bx), Fraction(by)
        fx, fy = Fraction(ax), Fraction(ay)
        left[k] = (qx - fx) * (py - fy) > (px - fx) * (qy - fy)
    level[rows] = left
    return level


def _clicked(press: Press, hand: Hand, extend: bool) -> Select:
    under = frozenset() if press.row is None else frozenset({press.row})
    if press.alt:
        return Select(hand.selection - under)
    return Select(hand.selection | under if extend else under)


def _with(press: Press, hand: Hand, extend: bool, held: NDArray[np.bool_]) -> Rows:
    """Return the selection once the points that are `held` (n,) have joined or left it."""
    rows: Rows = frozenset(np.flatnonzero(held).tolist())
    if press.alt:
        return hand.selection - rows
    return hand.selection | rows if extend else rows
