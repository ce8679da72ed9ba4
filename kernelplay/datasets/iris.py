"""Fisher's iris: two measurements of three species."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay import tables
from kernelplay.assets import asset
from kernelplay.datasets.base import Array, Dataset
from kernelplay.i18n import say
from kernelplay.spec import choice, integer, real

MEASURES = {"sepal_length": say("Sepal length"), "sepal_width": say("Sepal width"),
            "petal_length": say("Petal length"), "petal_width": say("Petal width")}


@dataclass(frozen=True)
class Iris(Dataset):
    """150 flowers, 50 of each species, measured in centimetres (R. A. Fisher 1936); two of the four measurements."""

    key = "iris"
    label = say("Iris")
    about = say("Real measurements of three species of iris; two of the four are shown.")
    order = 80
    classes = ("setosa", "versicolor", "virginica")

    n: int = integer(150, 4, 150, symbol="n", most=150, label=say("Flowers"),
                     help=say("How many of the 150 flowers are shown, chosen by the seed."))
    x: str = choice("petal_length", MEASURES, label=say("Across"), help=say("The measurement on the horizontal axis."))
    y: str = choice("petal_width", MEASURES, label=say("Up"), help=say("The measurement on the vertical axis."))
    noise: float = real(0.0, 0.0, 0.3, least=0.0, symbol="σ", unit="cm", label=say("Noise"),
                        help=say("Shakes the points apart: many flowers share the same rounded measurements."))

    @property
    def names(self) -> tuple[str, str]:
        return f"{self.x.replace('_', ' ')} (cm)", f"{self.y.replace('_', ' ')} (cm)"

    def draw(self, rng: np.random.Generator) -> tuple[Array, NDArray[Any]]:
        X, species = flowers()
        chosen = np.sort(rng.permutation(len(X))[:self.n])
        columns = [tuple(MEASURES).index(self.x), tuple(MEASURES).index(self.y)]
        xy = X[chosen][:, columns]
        return xy + self.noise * rng.normal(size=xy.shape), species[chosen]


@cache
def flowers() -> tuple[Array, NDArray[np.intp]]:
    """Return all four measurements (150, 4) and the species as class numbers (150,)."""
    table = tables.read(asset("data", "iris.csv"))
    return table.X, np.searchsorted(np.array(Iris.classes), table.y)
