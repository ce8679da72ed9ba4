"""What a table brings into a scene: its points, their classes among those that are there, and the scene that comes of
it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kernelplay import class_names
from kernelplay.cells import Tell, nothing
from kernelplay.errors import FileError
from kernelplay.i18n import Say, say
from kernelplay.models.base import Task
from kernelplay.reading import NOTHING, Reading
from kernelplay.scene import CLASS_LABELS, CLASS_ROLES, Points, Scene
from kernelplay.session import LARGEST
from kernelplay.tables import Table, parse


@dataclass(frozen=True, eq=False)
class Arrival:
    """A table, its points, how many of them each class of the scene gets, and the scene as it then is."""

    table: Table
    points: Points
    counts: tuple[tuple[str, int], ...]
    scene: Scene


def read(content: bytes, name: str | Say, reading: Reading, tell: Tell = nothing) -> Table:
    """Return the table, with the rows that lie too far out for a scene among the unusable ones."""
    inputs = reading.inputs
    if reading.target in inputs:
        raise FileError(say("The same column is both an input and the label or target: choose another column."))
    if len(set(inputs)) < len(inputs):
        raise FileError(say("x₁ and x₂ are the same column: choose another column."))
    return parse(content, name, reading, tell, LARGEST)


def arrive(scene: Scene, table: Table, add: bool, current_class: int = 0) -> Arrival:
    """Return what comes of `scene` when `table` takes the place of the points, or is added to them.

    Another task brings another model: the one of that task that was used last. Points without a label are of
    `current_class`. Raises FileError where the table does not fit.
    """
    task = table.task
    points, classes = table.to_scene_points(task, scene.classes)
    base = scene if scene.task == task else scene.with_model(model_for(scene, task))
    if task == "classification":
        if not classes:
            points, classes = dataclasses.replace(points, cls=np.full(len(points), current_class)), base.classes
        elif add:
            points, classes = among(base, points, classes)
    looks = base.looks if add or classes == base.classes else ()
    whole = joined(base.points, points) if add and len(base.points) else points
    after = base.with_points(whole)
    if task == "classification":
        after = dataclasses.replace(after, classes=classes, looks=looks)
    if not add:
        title = Path(table.name).stem if isinstance(table.name, str) else scene.title
        after = dataclasses.replace(after, title=title, views=tuple(view for view in after.views if view[0] != task))
    found = Counter(points.cls.tolist())
    tally = tuple((title, found[number]) for number, title in enumerate(classes)) if task == "classification" else ()
    return Arrival(table, points, tally, after)


def model_for(scene: Scene, task: Task) -> str:
    """Return the model of `task` that was used last, or the usual one."""
    left = [type(model).key for model in scene.shelf if type(model).task == task]
    return left[-1] if left else "svm" if task == "classification" else "gpr"


def among(scene: Scene, points: Points, classes: tuple[str, ...]) -> tuple[Points, tuple[str, ...]]:
    """Return `points` of `classes` with their classes counted among those of `scene`, and all classes there then are.

    New ones come in the order they have in `classes`, first in place of classes that still have the names they began
    with and no points. Raises FileError if there are too many.
    """
    used = tuple(title for number, title in enumerate(classes) if (points.cls == number).any())
    known = list(scene.classes)
    first = {*Scene().classes, *map(str, CLASS_LABELS)}
    free = [number for number, title in enumerate(known) if title in first and title not in used
            and not (scene.classification.cls == number).any()]
    for title in [title for title in used if title not in known]:
        if free:
            known[free.pop(0)] = title
        else:
            known.append(title)
    if len(known) > len(CLASS_ROLES):
        raise FileError(say("{n} classes are too many: the canvas shows at most {most}. Remove a class first.",
                            n=len(known), most=len(CLASS_ROLES)))
    numbers_ = np.array([known.index(title) if title in used else 0 for title in classes], np.intp)
    return dataclasses.replace(points, cls=numbers_[points.cls]), tuple(known)


def joined(points: Points, new: Points) -> Points:
    """Return `points` with `new` after them."""
    return dataclasses.replace(points, xy=np.vstack([points.xy, new.xy]), cls=np.concatenate([points.cls, new.cls]),
                               on=np.concatenate([points.on, new.on]))


def labels(table: Table) -> tuple[str, ...]:
    """Return the names of the labels of a table, in order, at most a thousand."""
    return tuple(class_names.titles(table.order[:1000]).values())


def signs(scene: Scene) -> Say | None:
    """Return which of the two classes that have points is +1; None where there are not two, or their names say it."""
    present = np.unique(scene.points.cls).tolist() if scene.task == "classification" else []
    return class_names.signs(*(scene.classes[c] for c in present)) if len(present) == 2 else None


def classes_of_labels(arrival: Arrival) -> dict[Any, int]:
    """Return the number of the class that each label of the first rows, a number or a text, comes into."""
    if arrival.table.reading.target == NOTHING or arrival.table.task == "regression":
        return {}
    return dict(zip(arrival.table.y[:1000].tolist(), arrival.points.cls[:1000].tolist(), strict=True))
