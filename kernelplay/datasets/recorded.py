"""Measured data: rows of a file of `assets/data`, all of them or some chosen by the seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.assets import asset
from kernelplay.datasets.base import Array, Classes, Dataset, Random
from kernelplay.i18n import Say, say
from kernelplay.marks import read_only
from kernelplay.spec import integer, real


@cache
def column(file: str, number: int) -> NDArray[np.float64]:
    """Return a column of numbers (n,) of `file`."""
    return read_only(words(file)[:, number].astype(float))


@cache
def words(file: str) -> NDArray[Any]:
    """Return the cells (n, columns) of `file` as text, without its header."""
    lines = asset("data", file).read_text("utf-8").splitlines()
    return np.array([line.split(",") for line in lines if not line.startswith("#")][1:])


def some(total: int, n: int, random: Random) -> NDArray[np.intp]:
    """Return n of `total` rows, in their order."""
    return np.sort(random.permutation(total)[:n])


def rows(total: int) -> Any:
    """Declare how many of `total` rows are shown."""
    return integer(total, 4, total, symbol="n", most=total, label=say("Number of points"),
                   help=say("Number of rows to show out of {total}, sampled by the seed.", total=total))


def shaken(high: float, unit: str) -> Any:
    """Declare noise on top of what was measured."""
    return real(0.0, 0.0, high, least=0.0, most=1e6, symbol="σ", unit=unit, label=say("Noise"),
                help=say("Jitters the points, since many share the same rounded measurements."))


@dataclass(frozen=True)
class Recorded(Dataset):
    """One quantity over another, as both were measured: a subclass gives `readings`."""

    task = "regression"
    default_model = "gpr"

    def readings(self) -> Array:
        """Return all rows (total, 2)."""
        raise NotImplementedError

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        readings = self.readings()
        x, t = readings[some(len(readings), self.n, places)].T
        t = t + float(self.noise) * noise.normal(size=self.n)
        return np.column_stack([x, t]), np.zeros(self.n, np.intp), ()
