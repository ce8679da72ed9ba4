"""Carbon dioxide at Mauna Loa: a trend and the seasons, to be continued into the years after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array
from kernelplay.datasets.recorded import Recorded, column, rows, shaken
from kernelplay.i18n import say


@dataclass(frozen=True)
class MaunaLoa(Recorded):
    """Monthly means of CO2 in the air, 1959 to 1997, in ppm; a month stands at its middle, to three digits of a
    year.

    The kernel for them: Rasmussen and Williams, Gaussian Processes for Machine Learning, 5.4.3.
    """

    key = "mauna_loa"
    label = say("Mauna Loa CO₂")
    about = say("Atmospheric CO₂ in Hawaii: a rising trend with a seasonal cycle to extrapolate.")
    source = say("465 monthly means: C. D. Keeling and T. P. Whorf, Scripps CO₂ Program, UC San Diego, CC BY 4.0; as "
                 "distributed with R, without three interpolated months.")
    order = 190

    n: int = rows(465)
    noise: float = shaken(2.0, "ppm")

    @property
    def names(self) -> tuple[str, str]:
        return ("year", "CO₂ (ppm)")

    def readings(self) -> Array:
        year, month, ppm = (column("mauna_loa.csv", number) for number in range(3))
        return np.column_stack([np.round(year + (month - 0.5) / 12, 3), ppm])
