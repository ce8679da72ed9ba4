"""Measured data: rows of a file of `assets/data`, all of them or some chosen by the seed."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.assets import asset
from kernelplay.datasets.base import Random
from kernelplay.i18n import say
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
                   help=say("How many of the {total} rows are shown, chosen by the seed.", total=total))


def shaken(high: float, unit: str) -> Any:
    """Declare noise on top of what was measured."""
    return real(0.0, 0.0, high, least=0.0, most=1e6, symbol="σ", unit=unit, label=say("Noise"),
                help=say("Shakes the points apart, where many share the same rounded measurements."))
