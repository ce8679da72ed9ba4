"""Undo and redo: a list of Scenes. A Scene is small and immutable, so a step is the Scene before it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Self

from kernelplay.i18n import Say
from kernelplay.scene import Points, Scene

LIMIT = 500  # steps kept; arrays are shared between Scenes, so a step costs only what it changed
BYTES = 150_000_000  # of the arrays that the steps do not share: 900 drags of 10,000 points, 90 of 100,000
_origins = itertools.count(1)


@dataclass(frozen=True)
class Step:
    """A Scene that was current, and what led to it; edits with the same `gesture` (not "") are one step. Steps of one
    `origin` have their points from one another; others were brought in from elsewhere in place of them."""

    scene: Scene
    label: Say
    gesture: str = ""
    size: int = 0  # bytes of the arrays that the Scene before it did not have
    origin: int = 0
    looked: bool = False  # it has changed what is seen, too


@dataclass(frozen=True)
class History:
    """The steps so far; `at` is the current one."""

    steps: tuple[Step, ...]
    at: int = 0

    @classmethod
    def start(cls, scene: Scene, label: Say) -> Self:
        """Return the history of a document that begins with `scene`."""
        return cls((Step(scene, label, size=_own_bytes(scene, None), origin=next(_origins)),))

    @property
    def scene(self) -> Scene:
        """The current Scene."""
        return self.steps[self.at].scene

    @property
    def origin(self) -> int:
        """Where the points of the current Scene have come from: equal as long as they come from one another."""
        return self.steps[self.at].origin

    def edit(self, scene: Scene, label: Say, gesture: str = "", fresh: bool = False) -> Self:
        """Return the history after an edit. Within one gesture the step is replaced; what was undone is dropped.
        fresh: other points have come in place of those that were there."""
        done = self.steps[: self.at + 1]
        looked = scene.views != self.scene.views
        if gesture and done[-1].gesture == gesture and len(done) > 1:
            looked = looked or done[-1].looked
            done = done[:-1]
        steps = (*done, Step(scene, label, gesture, _own_bytes(scene, done[-1].scene),
                             next(_origins) if fresh else self.origin, looked))
        spare = sum(step.size for step in steps) - BYTES
        first = max(0, len(steps) - LIMIT)
        while first < len(steps) - 2 and spare > 0:
            spare -= steps[first].size
            first += 1
        return replace(self, steps=steps[first:], at=len(steps) - first - 1)

    def without(self, gesture: str) -> Self:
        """Return the history without the step that `gesture` has made: the gesture was called off."""
        if self.at == 0 or self.steps[self.at].gesture != gesture:
            return self
        kept = self.go(self.at - 1)
        return replace(kept, steps=kept.steps[: self.at])

    def look(self, scene: Scene) -> Self:
        """Return the history with the current step seen differently (pan and zoom are no steps)."""
        step = replace(self.steps[self.at], scene=scene)
        return replace(self, steps=(*self.steps[: self.at], step, *self.steps[self.at + 1:]))

    def alone(self) -> Self:
        """Return a history of the current step without the others."""
        return type(self)((self.steps[self.at],))

    @property
    def undoable(self) -> Say | None:
        """What undo would take back, or None."""
        return self.steps[self.at].label if self.at > 0 else None

    @property
    def redoable(self) -> Say | None:
        """What redo would do again, or None."""
        return self.steps[self.at + 1].label if self.at + 1 < len(self.steps) else None

    def undo(self) -> Self:
        """Return the history one step back, seen as by `go`."""
        return self.go(self.at - 1)

    def redo(self) -> Self:
        """Return the history one step forward."""
        return self.go(self.at + 1)

    def go(self, at: int) -> Self:
        """Return the history at step `at`, or at the nearest there is. The view stays as it is, unless a step on the
        way has changed it: what that brought into sight is left with the view before it, and seen again as it was."""
        at = min(max(at, 0), len(self.steps) - 1)
        views = self.scene.views
        if at < self.at:
            crossed = [step for step in range(self.at, at, -1) if self.steps[step].looked]
            views = self.steps[crossed[-1] - 1].scene.views if crossed else views
        else:
            crossed = [step for step in range(self.at + 1, at + 1) if self.steps[step].looked]
            views = self.steps[crossed[-1]].scene.views if crossed else views
        moved = replace(self, at=at)
        return moved if moved.scene.views == views else moved.look(replace(moved.scene, views=views))


def _own_bytes(scene: Scene, before: Scene | None) -> int:
    """Return the bytes of the arrays of `scene` that are not those of `before`."""
    known = {id(array) for points in _points(before) for array in (points.xy, points.cls, points.on)}
    return sum(array.nbytes for points in _points(scene) for array in (points.xy, points.cls, points.on)
               if id(array) not in known)


def _points(scene: Scene | None) -> tuple[Points, ...]:
    return () if scene is None else (scene.classification, scene.regression)
