"""The motorcycle impact: a curve that is still, then falls and swings, in noise that changes with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array, Classes, Dataset, Random
from kernelplay.datasets.recorded import column, rows, shaken, some
from kernelplay.i18n import Say, say


@dataclass(frozen=True)
class Motorcycle(Dataset):
    """Acceleration of the head (g) after a simulated impact (ms), to test crash helmets (Silverman 1985)."""

    key = "motorcycle"
    label = say("Motorcycle impact")
    about = say("Acceleration of a head in a crash test: quiet, then wild; one width and one noise fit only a part of "
                "it.")
    task = "regression"
    default_model = "gpr"
    source = say("133 readings: G. Schmidt, R. Mattern and F. Schüler 1981, published by B. W. Silverman, J. R. Stat. "
                 "Soc. B 47, 1985; as distributed with R. Facts, free to use.")
    order = 180

    n: int = rows(133)
    noise: float = shaken(20.0, "g")

    @property
    def names(self) -> tuple[str, str]:
        return ("time (ms)", "acceleration (g)")

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        chosen = some(133, self.n, places)
        t = column("motorcycle.csv", 1)[chosen] + self.noise * noise.normal(size=self.n)
        return np.column_stack([column("motorcycle.csv", 0)[chosen], t]), np.zeros(self.n, np.intp), ()
