"""Fisher's iris: two measurements of three species."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array, Classes, Labelled, Random
from kernelplay.datasets.recorded import column, rows, shaken, some, words
from kernelplay.i18n import Say, say
from kernelplay.spec import choice

MEASURES = {"sepal_length": say("Sepal length"), "sepal_width": say("Sepal width"),
            "petal_length": say("Petal length"), "petal_width": say("Petal width")}
SPECIES = ("setosa", "versicolor", "virginica")


@dataclass(frozen=True)
class Iris(Labelled):
    """150 flowers, 50 of each species, measured in centimetres (R. A. Fisher 1936); two of the four measurements."""

    key = "iris"
    label = say("Iris")
    about = say("Measurements of three iris species; two of the four features are shown.")
    source = say("150 flowers, measured by E. Anderson, published by R. A. Fisher, 1936; UCI Machine Learning "
                 "Repository, CC BY 4.0.")
    order = 80

    n: int = rows(150)
    x: str = choice("petal_length", MEASURES, label=say("Horizontal "
                                                        "axis"), help=say("The measurement on the horizontal axis."))
    y: str = choice("petal_width", MEASURES, label=say("Vertical "
                                                       "axis"), help=say("The measurement on the vertical axis."))
    noise: float = shaken(0.3, "cm")

    @property
    def classes(self) -> tuple[str, ...]:
        return SPECIES

    @property
    def names(self) -> tuple[str, str]:
        return f"{self.x.replace('_', ' ')} (cm)", f"{self.y.replace('_', ' ')} (cm)"

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        chosen = some(150, self.n, places)
        measures = tuple(MEASURES)
        xy = np.column_stack([column("iris.csv", measures.index(key))[chosen] for key in (self.x, self.y)])
        species = np.searchsorted(SPECIES, words("iris.csv")[chosen, 4])
        return xy + self.noise * noise.normal(size=xy.shape), species, ()
