"""Edits that tools, keys and commands share: add, move, copy, delete points."""

from __future__ import annotations

import dataclasses

import numpy as np

from kernelplay.i18n import plural, say
from kernelplay.scene import Points, Scene
from kernelplay.tools.events import Edit, Rows


def other_class(scene: Scene, cls: int) -> int | None:
    """Return the class that the right button adds: the other one of two; None in regression or with more classes."""
    if scene.task != "classification" or len(scene.classes) != 2:
        return None
    return 1 - min(cls, 1)


def class_of(scene: Scene, cls: int) -> int:
    """Return the class number of new points: regression has none."""
    return min(cls, len(scene.classes) - 1) if scene.task == "classification" else 0


def add(scene: Scene, x: float, y: float, cls: int) -> Edit:
    """Return the edit that adds one point."""
    return Edit(scene.with_points(scene.points.add((x, y), class_of(scene, cls))), say("Add point"), frozenset())


def erase(scene: Scene, rows: Rows) -> Edit:
    """Return the edit that deletes `rows`."""
    return Edit(scene.with_points(scene.points.remove(rows)), plural(len(rows), "Delete point", "Delete {n} points"),
                frozenset())


def shift(scene: Scene, rows: Rows, dx: float, dy: float) -> Edit:
    """Return the edit that moves `rows` by (dx, dy)."""
    order = sorted(rows)
    moved = scene.points.move(order, scene.points.xy[order] + (dx, dy))
    return Edit(scene.with_points(moved), plural(len(rows), "Move point", "Move {n} points"))


def copied(scene: Scene, rows: Rows, dx: float, dy: float) -> Edit:
    """Return the edit that adds copies of `rows`, moved by (dx, dy), and selects them: class and switch are theirs."""
    points, n = scene.points, len(scene.points)
    order = sorted(rows)
    twice = with_copies(points, order)
    new = range(n, n + len(order))
    return Edit(scene.with_points(twice.move(new, points.xy[order] + (dx, dy))),
                plural(len(order), "Duplicate point", "Duplicate {n} points"), frozenset(new))


def with_copies(points: Points, order: list[int]) -> Points:
    """Return `points`, and after them the points `order` once more."""
    rows = np.concatenate([np.arange(len(points)), np.array(order, np.intp)])
    return dataclasses.replace(points, xy=points.xy[rows], cls=points.cls[rows], on=points.on[rows])
