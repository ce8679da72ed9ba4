"""Old Faithful: how long an eruption lasts, how long the next one lets wait, and of what kind it will be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelplay.datasets.base import Array, Classes, Labelled, Random
from kernelplay.datasets.recorded import Recorded, column, rows, shaken, some
from kernelplay.i18n import Say, say
from kernelplay.spec import choice

SHORT = 3.0  # minutes; between the two kinds of eruptions there are hardly any

_SOURCE = say("272 eruptions of the geyser in Yellowstone: A. Azzalini and A. W. Bowman, Applied Statistics 39, 1990; "
              "as distributed with R. Facts, free to use.")


@dataclass(frozen=True)
class Faithful(Recorded):
    """The length of an eruption and the wait for the next one, in minutes: one from the other."""

    key = "faithful"
    label = say("Old Faithful")
    about = say("A geyser: the longer an eruption, the longer the wait for the next one.")
    source = _SOURCE
    order = 170

    n: int = rows(272)
    across: str = choice("eruption", {"eruption": say("Eruption"), "waiting": say("Waiting time")},
                         label=say("Horizontal axis"),
                         help=say("The input; the other measurement is predicted from it."))
    noise: float = shaken(1.0, "min")

    @property
    def names(self) -> tuple[str, str]:
        names = ("eruption (min)", "wait for the next (min)")
        return names if self.across == "eruption" else (names[1], names[0])

    def readings(self) -> Array:
        return measured() if self.across == "eruption" else measured()[:, ::-1]


@dataclass(frozen=True)
class FaithfulNext(Labelled):
    """An eruption and the wait after it; the class is whether the eruption that follows is long or short (under 3 min).

    The last row has none that follows. The wait is in tens of minutes: both axes have the same scale on the canvas, and
    in most kernels.
    """

    key = "faithful_next"
    label = say("Old Faithful")
    about = say("A geyser: whether the next eruption is long or short, given the last one and the waiting time.")
    source = _SOURCE
    order = 85

    n: int = rows(271)
    noise: float = shaken(0.5, "")

    @property
    def classes(self) -> tuple[str, ...]:
        return ("long next", "short next")

    @property
    def names(self) -> tuple[str, str]:
        return ("eruption (min)", "wait for the next (10 min)")

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        chosen = some(271, self.n, places)
        following = np.where(measured()[1:, 0] < SHORT, 1, 0)
        xy = measured()[chosen] / [1.0, 10.0]
        return xy + self.noise * noise.normal(size=(self.n, 2)), following[chosen], ()


def measured() -> Array:
    """Return eruption and wait (272, 2), in minutes, in the order in which they were recorded."""
    return np.column_stack([column("faithful.csv", 0), column("faithful.csv", 1)])
