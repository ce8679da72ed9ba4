"""The Scene: the whole document as one frozen value - points of both tasks, the model, what is shown, the view."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, say, verbatim
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Dots, Layer, Mark, Role, read_only
from kernelplay.models.base import Model, Task
from kernelplay.spec import Child, Path, Spec, build

Array = NDArray[np.float64]
Rectangle = tuple[float, float, float, float]  # x low, x high, y low, y high, in data coordinates

# the eight looks, each a colour and a shape; which class wears which: Scene.looks
CLASS_ROLES: tuple[Role, ...] = ("class0", "class1", "class2", "class3", "class4", "class5", "class6", "class7")
CLASS_LABELS = (1, -1, 2, 3, 4, 5, 6, 7)  # class 0 is +1, class 1 is -1
USUAL_AXES, PLAIN_AXES = ("x₁", "x₂"), ("x1", "x2")  # the names of axes before anybody names them, here and in files
CLASS_NAMES = ("+1", "−1", "2", "3", "4", "5", "6", "7")  # before anybody names them
LONGEST = 1000  # characters of a name


@dataclass(frozen=True, eq=False)
class Points:
    """Points on the canvas: `xy` (n, 2) their places (x1, x2 or x, t), `cls` (n,) class numbers (regression: 0),
    `on` (n,) whether they take part in the fit. `names`: what the axes are called."""

    xy: Array = field(default_factory=lambda: np.zeros((0, 2)))
    cls: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))
    on: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    names: tuple[str, str] = USUAL_AXES

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(map(_sound, self.names)))
        object.__setattr__(self, "xy", read_only(np.asarray(self.xy, float).reshape(-1, 2)))
        n = len(self.xy)
        object.__setattr__(self, "cls", read_only(self.cls if len(self.cls) == n else np.zeros(n), np.intp))
        object.__setattr__(self, "on", read_only(self.on if len(self.on) == n else np.ones(n), np.bool_))

    def __len__(self) -> int:
        return len(self.xy)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the points, kept so that a Scene that shares them need not read them again."""
        parts = (repr(self.names).encode(), self.xy.tobytes(), self.cls.tobytes(), self.on.tobytes())
        return hashlib.sha256(b"\n".join(parts)).hexdigest()

    def add(self, xy: Any, cls: int = 0) -> Self:
        """Return these points and new ones of class `cls` at `xy` (m, 2) or (2,)."""
        new = np.asarray(xy, float).reshape(-1, 2)
        return dataclasses.replace(self, xy=np.vstack([self.xy, new]),
                                   cls=np.concatenate([self.cls, np.full(len(new), cls, np.intp)]),
                                   on=np.concatenate([self.on, np.ones(len(new), np.bool_)]))

    def move(self, rows: Iterable[int], xy: Any) -> Self:
        """Return these points with `rows` at the places `xy` (k, 2)."""
        moved = self.xy.copy()
        moved[list(rows)] = xy
        return dataclasses.replace(self, xy=moved)

    def remove(self, rows: Iterable[int]) -> Self:
        """Return these points without `rows`."""
        keep = np.ones(len(self), np.bool_)
        keep[list(rows)] = False
        return dataclasses.replace(self, xy=self.xy[keep], cls=self.cls[keep], on=self.on[keep])

    def assign(self, rows: Iterable[int], cls: int) -> Self:
        """Return these points with `rows` in class `cls`."""
        changed = self.cls.copy()
        changed[list(rows)] = cls
        return dataclasses.replace(self, cls=changed)

    def switch(self, rows: Iterable[int], on: bool) -> Self:
        """Return these points with `rows` switched on or off."""
        changed = self.on.copy()
        changed[list(rows)] = on
        return dataclasses.replace(self, on=changed)


@dataclass(frozen=True, eq=False)
class Scene:
    """The document. `shelf` keeps the other models as they were last set, so that coming back finds them;
    `classes` are the names of the classes and `looks` which of the eight looks (`CLASS_ROLES`) each of them wears, no
    two the same; classes beyond the looks given wear the first ones that are free. `views`: the visible rectangle of
    each task (None: fit to the points)."""

    model: Model = field(default_factory=lambda: build("model", {"name": "svm"}))
    classification: Points = field(default_factory=Points)
    regression: Points = field(default_factory=lambda: Points(names=("x", "t")))
    classes: tuple[str, ...] = CLASS_NAMES[:2]
    hidden: frozenset[Layer] = frozenset()
    shelf: tuple[Model, ...] = ()
    views: tuple[tuple[Task, Rectangle], ...] = ()
    title: str = ""
    looks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        worn = list(self.looks[:len(self.classes)])
        free = (look for look in range(len(CLASS_ROLES)) if look not in worn)
        looks = (*worn, *(next(free) for _ in self.classes[len(worn):]))
        object.__setattr__(self, "looks", looks)
        object.__setattr__(self, "classes", tuple(map(_sound, self.classes)))
        object.__setattr__(self, "title", _sound(self.title))

    @property
    def roles(self) -> tuple[Role, ...]:
        """The role of the points of each class: its look."""
        return tuple(CLASS_ROLES[look] for look in self.looks)

    @property
    def task(self) -> Task:
        """The task of the model: which of the two sets of points is on the canvas."""
        return type(self.model).task

    @property
    def points(self) -> Points:
        """The points of the current task."""
        return self.classification if self.task == "classification" else self.regression

    @property
    def view(self) -> Rectangle | None:
        """The visible rectangle of the current task, or None: fit it to the points."""
        return dict(self.views).get(self.task)

    def with_points(self, points: Points) -> Self:
        """Return this scene with other points for the current task."""
        if self.task == "classification":
            return dataclasses.replace(self, classification=points)
        return dataclasses.replace(self, regression=points)

    def with_view(self, view: Rectangle | None) -> Self:
        """Return this scene seen through `view`."""
        views = {task: rectangle for task, rectangle in self.views if task != self.task}
        if view is not None:
            views[self.task] = view
        return dataclasses.replace(self, views=tuple(sorted(views.items())))

    def with_model(self, key: str) -> Self:
        """Return this scene with the model `key`: as it was last set, and with the kernel in use now."""
        kept = {type(model).key: model for model in (*self.shelf, self.model)}
        model = kept.get(key) or build("model", {"name": key})
        if type(model).task == self.task:
            model = model.replace("kernel", _carried(self.model.kernel, model))
        shelf = tuple(other for name, other in kept.items() if name != key)
        return dataclasses.replace(self, model=model, shelf=shelf)

    def with_value(self, path: Path, value: Any) -> Self:
        """Return this scene with another value of a parameter of the model ("C", "kernel.gamma"); raises SpecError."""
        return dataclasses.replace(self, model=self.model.replace(path, value))

    def with_look(self, cls: int, look: int) -> Self:
        """Return this scene with class `cls` wearing `look`; the class that wore it takes the look of `cls` instead."""
        old = self.looks[cls]
        looks = tuple(look if c == cls else old if worn == look else worn for c, worn in enumerate(self.looks))
        return dataclasses.replace(self, looks=looks)

    def without_class(self, cls: int) -> Self:
        """Return this scene without class `cls` and its points; the other classes keep their names and looks."""
        points = self.classification
        kept = points.remove(np.flatnonzero(points.cls == cls).tolist())
        kept = dataclasses.replace(kept, cls=np.where(kept.cls > cls, kept.cls - 1, kept.cls))
        return dataclasses.replace(self, classification=kept, classes=(*self.classes[:cls], *self.classes[cls + 1:]),
                                   looks=(*self.looks[:cls], *self.looks[cls + 1:]))

    def with_class_at(self, cls: int, place: int) -> Self:
        """Return this scene with class `cls` at `place` in the order of classes, its points, name and look with it."""
        order = [c for c in range(len(self.classes)) if c != cls]
        order.insert(place, cls)
        points = dataclasses.replace(self.classification, cls=np.argsort(order)[self.classification.cls])
        return dataclasses.replace(self, classification=points, classes=tuple(self.classes[c] for c in order),
                                   looks=tuple(self.looks[c] for c in order))

    def training(self) -> tuple[Array, NDArray[Any], tuple[int, ...], tuple[Role, ...], NDArray[np.intp]]:
        """Return (X, y, labels, roles, rows) of the points that are switched on, as Model.fit takes them.

        labels: of the classes present, in class order, the first is +1; of one class alone also what it is not (class 0
        or 1); roles: their colours; rows: of `points`.
        """
        rows = np.flatnonzero(self.points.on)
        xy = self.points.xy[rows]
        if self.task == "regression":
            return xy[:, :1], xy[:, 1], (), (), rows
        cls = self.points.cls[rows]
        present = sorted(set(cls.tolist()))
        label = np.array(CLASS_LABELS)
        if len(present) < 2:
            present = [present[0], 0] if present and present[0] > 1 else [0, 1]
        labels, worn = tuple(CLASS_LABELS[c] for c in present), self.roles
        roles = tuple(worn[c] for c in present)
        return xy, label[cls], labels, roles, rows

    def to_dict(self) -> dict[str, Any]:
        """Return the scene as plain data, the newest form of `kernelplay.session` but for format and version."""
        return {
            "title": self.title,
            "model": self.model.to_dict(),
            "shelf": [model.to_dict() for model in sorted(self.shelf, key=lambda model: type(model).key)],
            "classes": list(self.classes),
            "looks": list(self.looks),
            "classification": _points_dict(self.classification, with_class=True),
            "regression": _points_dict(self.regression, with_class=False),
            "hidden": sorted(self.hidden),
            "views": {task: list(rectangle) for task, rectangle in self.views},
        }

    @cached_property
    def digest(self) -> str:
        """A fingerprint of everything but the view: equal digests give equal pictures."""
        shelf = sorted((model.to_dict() for model in self.shelf), key=lambda model: str(model["name"]))
        rest = [self.title, self.model.to_dict(), shelf, self.classes, self.looks, sorted(self.hidden)]
        parts = (json.dumps(rest, sort_keys=True), self.classification.digest, self.regression.digest)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def another_name(classes: Sequence[str], wanted: str = "") -> str:
    """Return what one class more is called: as `wanted`, or as a class at its place is called at first, unless one of
    `classes` has that name already."""
    usual = wanted or CLASS_NAMES[len(classes)]
    return next(each for each in (usual, *CLASS_NAMES[2:], *CLASS_NAMES[:2]) if each not in classes)


def _carried(kernel: Kernel, model: Model) -> Kernel:
    """Return the kernel in use as another model takes it over: a Gaussian process needs its height as a parameter,
    the variance of its prior, which a bare kernel fixes; elsewhere a height of 1 is nothing to carry."""
    if type(model).scaled and not any(inner.key == "scale" for inner in _within(kernel)):
        scaled: Kernel = build("kernel", {"name": "scale", "of": kernel})
        return scaled
    if not type(model).scaled and kernel.key == "scale" and kernel.get("factor") == 1.0:
        bare: Kernel = kernel.get("of")
        return bare
    return kernel


def _within(spec: Spec) -> Iterator[Spec]:
    """Give a Spec and all Specs it holds."""
    yield spec
    for name, param in spec.params().items():
        if isinstance(param, Child):
            value = getattr(spec, name)
            for held in value if param.many else (value,):
                yield from _within(held)


def _points_dict(points: Points, with_class: bool) -> dict[str, Any]:
    rows: list[list[Any]] = points.xy.tolist()
    if with_class:
        for row, cls in zip(rows, points.cls.tolist(), strict=True):
            row.append(cls)
    for place in np.flatnonzero(~points.on).tolist():
        rows[place].append("off")
    return {"names": list(points.names), "points": rows}


def _sound(text: str) -> str:
    """Return a name as every file can hold it: not without end, and no half of a character."""
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8")


def class_title(name: str) -> Say:
    """Return what a class is called in a legend: a name that is a word by itself, +1 or A as "class +1"."""
    return verbatim(name) if re.search(r"[^\W\d_]{2}", name) else say("class {name}", name=name)


def point_marks(scene: Scene, drawn: NDArray[np.intp] | tuple[()] = ()) -> tuple[Mark, ...]:
    """Return the dots of the points of the current task, by class; the ones switched off are a faded group.

    `drawn`: rows that have their dots already (those inside the tube).
    """
    points = scene.points
    todo = points.on.copy()
    todo[list(drawn)] = False
    marks: list[Mark] = []
    if scene.task == "regression":
        groups: list[tuple[Role, Say, NDArray[np.bool_]]] = [("target", say("data"), todo)]
    else:
        groups = [(role, class_title(name), todo & (points.cls == c))
                  for c, (role, name) in enumerate(zip(scene.roles, scene.classes, strict=True))]
    for role, label, chosen in groups:
        rows = np.flatnonzero(chosen)
        if len(rows):
            marks.append(Dots(role, "points", label, xy=points.xy[rows], index=rows))
    off = np.flatnonzero(~points.on)
    if len(off):
        marks.append(Dots("faded", "points", say("switched off"), xy=points.xy[off], index=off))
    return tuple(marks)


def axis_labels(scene: Scene) -> tuple[Say, Say]:
    """Return what the axes of the canvas are called."""
    x, y = scene.points.names
    return verbatim(x), verbatim(y)


def data_view(scene: Scene, margin: float = 0.12) -> Rectangle:
    """Return a rectangle around the points of the current task, with room about them; [-2, 2]² when there are none."""
    xy = scene.points.xy
    if len(xy) == 0:
        return (-2.0, 2.0, -2.0, 2.0)
    x, y = xy[:, 0], xy[:, 1]  # each by itself: along an axis of two it takes many times as long
    low, high = np.array([x.min(), y.min()]), np.array([x.max(), y.max()])
    scale = np.maximum(np.maximum(np.abs(low), np.abs(high)), 1e-300)
    span = high - low
    # one point, or all on a line: a span of their own size, so that nothing is divided by zero
    span = np.where(span > 1e-12 * scale, span, np.where(span.max() > 0, span.max(), np.maximum(2.0, 1e-9 * scale)))
    centre = (low + high) / 2
    half = span * (0.5 + margin)
    if scene.task == "classification":
        half = np.maximum(half, half.max() / 3)
    (x0, y0), (x1, y1) = (centre - half).tolist(), (centre + half).tolist()
    return (x0, x1, y0, y1)
