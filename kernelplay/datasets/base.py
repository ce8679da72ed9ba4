"""What every data set has: a number of points, noise, a seed; classes have a balance and labels that are turned."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, say
from kernelplay.models.base import Task
from kernelplay.scene import CLASS_NAMES, Points, Scene
from kernelplay.spec import Param, Spec, integer, real

Array = NDArray[np.float64]
Classes = NDArray[np.intp]
Random = np.random.Generator

FIRST, LAST = ("n",), ("noise", "balance", "flips", "seed")  # places in the form; what a family adds is between them


def noise(default: float | str, high: float, help: Say | None = None, *, label: Say | None = None, unit: str = "",
          words: tuple[str, ...] = ()) -> Any:
    """Declare how strong the noise of a family is: its standard deviation, in the units of the axes."""
    return real(default, 0.0, high, least=0.0, most=1e6, symbol="σ", unit=unit, words=words,
                label=label or say("Noise"),
                help=help or say("Standard deviation of the noise: how far points scatter around the shape."))


def balance(default: float | str = 0.5, *words: str) -> Any:
    """Declare the share of the first class; `words` are ways to leave it to the data set."""
    return real(default, 0.05, 0.95, least=0.0, most=1.0, words=words, label=say("Class balance"),
                help=say("Fraction of points in the first class; the other classes share the rest evenly."))


@dataclass(frozen=True)
class Sample:
    """Points that were drawn, by `data`, in which words such as "equal" have become the numbers they stood for; and
    what is worth saying about them."""

    points: Points
    data: Dataset
    notes: tuple[Say, ...] = ()


@dataclass(frozen=True)
class Dataset(Spec):
    """A family of points. A subclass gives `draw`; equal parameters and seed give equal points.

    Places, noise and labels are drawn from streams of their own, and point after point: more noise moves the points
    that are there, and more points leave them where they are.
    """

    kind: ClassVar[str] = "dataset"
    package: ClassVar[str] = "kernelplay.datasets"
    order: ClassVar[int] = 100  # place in the list of data sets
    task: ClassVar[Task] = "classification"
    default_model: ClassVar[str] = "svm"  # for a scene whose model has another task
    source: ClassVar[Say | None] = None  # of measured data: who measured and published them, and what may be done

    n: int = integer(60, 4, 500, symbol="n", most=100_000, label=say("Number of points"),
                     help=say("Number of points to draw; more points show the shape more clearly."))
    noise: float | str = noise(0.15, 1.0)
    seed: int = integer(1, 0, 99, most=2**32 - 1, label=say("Seed"),
                        help=say("A different seed draws different points from the same distribution."))

    @classmethod
    @cache
    def params(cls) -> Mapping[str, Param]:
        declared = {field.name: field.metadata["param"] for field in dataclasses.fields(cls)
                    if "param" in field.metadata}
        own = [name for name in declared if name not in FIRST and name not in LAST]
        return {name: declared[name] for name in (*FIRST, *own, *LAST) if name in declared}

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        """Return where the points are (n, 2), their classes (n,) (regression: zeros), and what is worth saying."""
        raise NotImplementedError

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""
        return ("+1", "−1")

    @property
    def names(self) -> tuple[str, str]:
        """What the axes are called."""
        return ("x₁", "x₂") if self.task == "classification" else ("x", "t")

    def bind(self, scene: Scene) -> Self:
        """Return this data set with what it takes from `scene` filled in: its kernel, what is visible."""
        return self

    def sample(self) -> Sample:
        """Return the points and the notes; raises SpecError or FitError where there is nothing to draw."""
        xy, cls, notes = self.draw(self.random(0), self.random(1))
        points = Points(xy, cls, names=self.names)
        return Sample(points, self.resolved(points), notes)

    def resolved(self, points: Points) -> Self:
        """Return this data set with the numbers that words stood for when it drew `points`."""
        return self

    def make(self) -> Points:
        """Return the points."""
        return self.sample().points

    def random(self, stream: int) -> Random:
        """Return the random numbers of a stream: 0 places, 1 noise, 2 labels."""
        return np.random.default_rng([self.seed, stream])

    def into(self, scene: Scene) -> Scene:
        """Return `scene` with these points, fitted to the view, and with a model for them if it has another task."""
        scene = self.host(scene)
        data = self.bind(scene)
        return data.put(data.make(), scene)

    def host(self, scene: Scene) -> Scene:
        """Return `scene` with a model of this task."""
        return scene if scene.task == self.task else scene.with_model(self.default_model)

    def put(self, points: Points, scene: Scene) -> Scene:
        """Return `scene`, which has this task, with `points` in place of its own."""
        scene = scene.with_points(points).with_view(None)
        return dataclasses.replace(scene, classes=self.classes, looks=()) if self.task == "classification" else scene


@dataclass(frozen=True)
class Labelled(Dataset):
    """Points with classes, of which a share is given another one after they have been drawn."""

    flips: float = real(0.0, 0.0, 0.5, least=0.0, most=1.0, label=say("Label flips"),
                        help=say("Fraction of points whose label is flipped after drawing: errors that no boundary can "
                                 "explain."))

    def sample(self) -> Sample:
        sample = super().sample()
        turned = self.turned(sample.points.cls)
        return dataclasses.replace(sample, points=dataclasses.replace(sample.points, cls=turned))

    def turned(self, cls: Classes) -> Classes:
        """Return `cls` with a share `flips` of them, exact to rounding, turned into another class."""
        n, k = len(cls), len(self.classes)
        random = self.random(2)
        rows = random.permutation(n)[:rounded(self.flips * n)]  # a smaller share turns some of the same points
        turned = cls.copy()
        turned[rows] = (cls[rows] + 1 + random.integers(0, k - 1, n)[rows]) % k
        return turned


@dataclass(frozen=True)
class Shapes(Labelled):
    """Classes of a chosen balance, each in a shape: a subclass gives `shape`."""

    balance: float | str = balance()

    def shape(self, cls: Classes, random: Random) -> Array:
        """Return a place (n, 2) without noise for each point, of class `cls` (n,)."""
        raise NotImplementedError

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        cls = shares(self.n, self.balance if isinstance(self.balance, float) else 1 / len(self.classes),
                     len(self.classes))
        return self.shape(cls, places) + float(self.noise) * noise.normal(size=(self.n, 2)), cls, ()


def rounded(count: float) -> int:
    """Return the whole number nearest to `count`, halves upwards."""
    return int(np.floor(count + 0.5))


def shares(n: int, first: float, k: int = 2) -> Classes:
    """Return classes (n,): a share `first`, rounded, of class 0, the rest evenly of the others; every first part of
    the points has these shares too."""
    counts = np.floor(np.arange(n + 1) * first + 0.5)
    zero = np.diff(counts) > 0
    return np.where(zero, 0, 1 + (np.cumsum(~zero) - 1) % (k - 1))


def rank(cls: Classes) -> NDArray[np.intp]:
    """Return (n,): how many points of the same class came before each point."""
    place = np.zeros(len(cls), np.intp)
    for c in np.unique(cls):
        place[cls == c] = np.arange(int((cls == c).sum()))
    return place


def class_names(k: int) -> tuple[str, ...]:
    """Return the names that the first `k` classes have before anybody names them."""
    return CLASS_NAMES[:k]
