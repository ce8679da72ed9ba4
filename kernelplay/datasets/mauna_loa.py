"""Carbon dioxide at Mauna Loa: a trend and the seasons, to be continued into the years after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array, Classes, Dataset, Random
from kernelplay.datasets.recorded import column, rows, shaken, some
from kernelplay.i18n import Say, say


@dataclass(frozen=True)
class MaunaLoa(Dataset):
    """Monthly means of CO2 in the air, 1959 to 1997, in ppm; a month stands at its middle, to three digits of a
    year.

    The kernel for them: Rasmussen and Williams, Gaussian Processes for Machine Learning, 5.4.3.
    """

    key = "mauna_loa"
    label = say("Mauna Loa CO₂")
    about = say("Carbon dioxide in the air of Hawaii: a rising trend and the seasons on it, to be continued.")
    task = "regression"
    default_model = "gpr"
    source = say("465 monthly means: C. D. Keeling and T. P. Whorf, Scripps CO₂ Program, UC San Diego, CC BY 4.0; as "
                 "distributed with R, without three interpolated months.")
    order = 190

    n: int = rows(465)
    noise: float = shaken(2.0, "ppm")

    @property
    def names(self) -> tuple[str, str]:
        return ("year", "CO₂ (ppm)")

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        chosen = some(465, self.n, places)
        year = np.round(column("mauna_loa.csv", 0) + (column("mauna_loa.csv", 1) - 0.5) / 12, 3)
        t = column("mauna_loa.csv", 2)[chosen] + self.noise * noise.normal(size=self.n)
        return np.column_stack([year[chosen], t]), np.zeros(self.n, np.intp), ()
