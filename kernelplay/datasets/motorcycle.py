"""The motorcycle impact: a curve that is still, then falls and swings, in noise that changes with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array
from kernelplay.datasets.recorded import Recorded, column, rows, shaken
from kernelplay.i18n import say


@dataclass(frozen=True)
class Motorcycle(Recorded):
    """Acceleration of the head (g) after a simulated impact (ms), to test crash helmets (Silverman 1985)."""

    key = "motorcycle"
    label = say("Motorcycle impact")
    about = say("Head acceleration in a crash test: quiet, then violent; a single length scale and noise level fit "
                "only part of it.")
    source = say("133 readings: G. Schmidt, R. Mattern and F. Schüler 1981, published by B. W. Silverman, J. R. Stat. "
                 "Soc. B 47, 1985; as distributed with R. Facts, free to use.")
    order = 180

    n: int = rows(133)
    noise: float = shaken(20.0, "g")

    @property
    def names(self) -> tuple[str, str]:
        return ("time (ms)", "acceleration (g)")

    def readings(self) -> Array:
        return np.column_stack([column("motorcycle.csv", number) for number in range(2)])
