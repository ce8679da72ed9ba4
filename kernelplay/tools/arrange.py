"""What is done with several chosen points at once: aligned, spread, mirrored, turned, drawn together, put on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kernelplay.errors import FitError
from kernelplay.i18n import Say, say
from kernelplay.scene import Scene
from kernelplay.session import LARGEST
from kernelplay.tools.events import Array, Edit, Hand, Rows, node

TURN = math.radians(15)
CLOSER = 0.8  # by which the size is multiplied; apart: divided
SHAKE = 6.0  # pixels, one standard deviation

Places = Callable[[Array, Hand, np.random.Generator], Array]  # (k, 2) before, (k, 2) after


@dataclass(frozen=True)
class Arrangement:
    """What it is called, where `places` puts the points, and how many there must be for it to make sense."""

    label: Say
    places: Places
    least: int = 2


def arranged(scene: Scene, rows: Rows, how: Arrangement, hand: Hand) -> Edit | None:
    """Return the edit that arranges `rows`; None if they lie like that already.

    Raises FitError if it would carry a point out of the range that can be drawn and saved.
    """
    order = sorted(rows)
    if len(order) < how.least:
        return None
    rng = np.random.default_rng(int(scene.points.digest[:16], 16))  # another each time, the same for the same points
    before = scene.points.xy[order]
    after = how.places(before, hand, rng)
    if np.array_equal(before, after):
        return None
    if not (np.abs(after) <= LARGEST).all():
        raise FitError(say("This would move points beyond 1e100, outside the canvas. Move them closer to the others "
                           "first."))
    return Edit(scene.with_points(scene.points.move(order, after)), how.label)


def _edge(axis: int, share: float) -> Places:
    """Return what brings all points to one value of an axis: `share` of the way from the least to the greatest."""
    def places(xy: Array, hand: Hand, rng: np.random.Generator) -> Array:
        low, high = xy[:, axis].min(), xy[:, axis].max()
        made = xy.copy()
        made[:, axis] = low if share == 0 else high if share == 1 else low / 2 + high / 2
        return made
    return places


def _even(axis: int) -> Places:
    """Return what spreads points evenly along an axis: in their order, the first and the last stay."""
    def places(xy: Array, hand: Hand, rng: np.random.Generator) -> Array:
        order = np.argsort(xy[:, axis], kind="stable")
        made = xy.copy()
        made[order, axis] = np.linspace(xy[order[0], axis], xy[order[-1], axis], len(xy))
        return made
    return places


def _mirror(axis: int) -> Places:
    """Return what mirrors points within the box around them."""
    def places(xy: Array, hand: Hand, rng: np.random.Generator) -> Array:
        made = xy.copy()
        made[:, axis] = xy[:, axis].min() + xy[:, axis].max() - xy[:, axis]
        return made
    return places


def _turn(angle: float) -> Places:
    """Return what turns points about the middle of the box around them, as it is seen: in pixels."""
    def places(xy: Array, hand: Hand, rng: np.random.Generator) -> Array:
        c, s = math.cos(angle), math.sin(angle)
        middle = _middle(xy)
        pixels = (xy - middle) / hand.unit
        turned: Array = middle + pixels @ np.array([[c, s], [-s, c]]) * hand.unit
        return turned
    return places


def _grow(factor: float) -> Places:
    """Return what changes the size of a set of points about the middle of the box around them."""
    def places(xy: Array, hand: Hand, rng: np.random.Generator) -> Array:
        middle = _middle(xy)
        return middle + factor * (xy - middle)
    return places


def _shaken(xy: Array, hand: Hand, rng: np.random.Generator) -> Array:
    return xy + SHAKE * rng.standard_normal(xy.shape) * hand.unit


def _on_nodes(xy: Array, hand: Hand, rng: np.random.Generator) -> Array:
    assert hand.grid is not None
    return np.array([[node(value, step) for value, step in zip(place, hand.grid, strict=True)]
                     for place in xy.tolist()])


def _middle(xy: Array) -> Array:
    middle: Array = xy.min(axis=0) / 2 + xy.max(axis=0) / 2
    return middle


ARRANGEMENTS: Mapping[str, Arrangement] = {
    "left": Arrangement(say("Align left"), _edge(0, 0)),
    "centre": Arrangement(say("Align vertical centres"), _edge(0, 0.5)),
    "right": Arrangement(say("Align right"), _edge(0, 1)),
    "top": Arrangement(say("Align top"), _edge(1, 1)),
    "middle": Arrangement(say("Align horizontal centres"), _edge(1, 0.5)),
    "bottom": Arrangement(say("Align bottom"), _edge(1, 0)),
    "across": Arrangement(say("Distribute horizontally"), _even(0), 3),
    "upwards": Arrangement(say("Distribute vertically"), _even(1), 3),
    "mirror_x": Arrangement(say("Flip horizontally"), _mirror(0)),
    "mirror_y": Arrangement(say("Flip vertically"), _mirror(1)),
    "turn_left": Arrangement(say("Rotate left 15°"), _turn(TURN)),
    "turn_right": Arrangement(say("Rotate right 15°"), _turn(-TURN)),
    "closer": Arrangement(say("Contract"), _grow(CLOSER)),
    "apart": Arrangement(say("Expand"), _grow(1 / CLOSER)),
    "shake": Arrangement(say("Shake selected points"), _shaken, 1),
    "nodes": Arrangement(say("Snap to grid"), _on_nodes, 1),
}
