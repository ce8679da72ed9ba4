"""What every data set has: a number of points, a seed, and a way to put itself into a scene."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import say
from kernelplay.models.base import Task
from kernelplay.scene import Points, Scene
from kernelplay.spec import Spec, integer

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Dataset(Spec):
    """A family of points. A subclass gives `draw`; equal parameters and seed give equal points."""

    kind: ClassVar[str] = "dataset"
    package: ClassVar[str] = "kernelplay.datasets"
    order: ClassVar[int] = 100  # place in the list of data sets
    task: ClassVar[Task] = "classification"
    classes: ClassVar[tuple[str, ...]] = ("+1", "−1")
    default_model: ClassVar[str] = "svm"  # for a scene whose model has another task

    n: int = integer(60, 4, 500, symbol="n", most=100_000, label=say("Number of points"),
                     help=say("How many points are drawn; more of them show the shape more clearly."))
    seed: int = integer(1, 0, 99, most=2**32 - 1, label=say("Seed"),
                        help=say("Another seed draws other points of the same kind."))

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        """Return places (n, 2), and class numbers (n,) for classification (regression: ignored)."""
        raise NotImplementedError

    @property
    def names(self) -> tuple[str, str]:
        """What the axes are called."""
        return ("x₁", "x₂") if self.task == "classification" else ("x", "t")

    def make(self) -> Points:
        """Return the points."""
        xy, cls = self.draw(np.random.default_rng(self.seed))
        return Points(xy, cls, names=self.names)

    def into(self, scene: Scene) -> Scene:
        """Return `scene` with these points, fitted to the view, and with a model for them if it has another task."""
        if scene.task != self.task:
            scene = scene.with_model(self.default_model)
        views = tuple(view for view in scene.views if view[0] != self.task)
        scene = dataclasses.replace(scene.with_points(self.make()), views=views)
        return dataclasses.replace(scene, classes=self.classes) if self.task == "classification" else scene


def alternating(n: int) -> NDArray[np.intp]:
    """Return class numbers 0, 1, 0, 1, … (n,): equal shares, and every first part of the points has them too."""
    return np.arange(n) % 2
