"""Columns in units of their standard deviation, with names that say so."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FileError, Note
from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.reading import Reading

Array = NDArray[np.float64]
FAR = 1000.0  # times the spread of another input


def standardised(name: str | Say, X: Array, y: NDArray[Any], columns: tuple[str, ...], reading: Reading,
                  ) -> tuple[Array, NDArray[Any], tuple[str, ...], tuple[Note, ...]]:
    """Return inputs (and targets) less their mean over their standard deviation, with names that say so."""
    values = [X[:, i] for i in range(X.shape[1])]
    targets = reading.units == "all" and y.dtype.kind != "U" and reading.task == "regression"
    values += [y] if targets else []
    titles, notes = list(columns), []
    for i, column in enumerate(values):
        with np.errstate(all="ignore"):
            mean, deviation = float(column.mean()), float(column.std())
            values[i] = (column - mean) / deviation
        if not (np.isfinite(values[i]).all() and 1e-14 * abs(mean) <= deviation < np.inf):
            raise FileError(say("{file}: the column {column} cannot be standardised because it is constant or its "
                                "numbers are too large. Choose “Keep units”.", file=name, column=verbatim(columns[i])))
        titles[i] = f"({columns[i]} − {number(mean)}) / {number(deviation)}".replace("− −", "+ ")
        notes.append(Note(say("{column} has mean {mean} and standard deviation {deviation}.",
                              column=verbatim(columns[i]), mean=mean, deviation=deviation), "info"))
    y = values.pop() if targets else y
    return np.column_stack(values), y, tuple(titles), tuple(notes)


def far_apart(X: Array, columns: tuple[str, ...], reading: Reading) -> Say | None:
    """Return a hint where the spread of one of two inputs X (n, 2) is `FAR` times that of the other or more."""
    if reading.units != "keep" or X.shape[1] != 2 or len(X) < 2:
        return None
    with np.errstate(all="ignore"):
        spread = np.ptp(X, axis=0)
        wide, narrow = (0, 1) if spread[0] >= spread[1] else (1, 0)
        factor = float(spread[wide] / spread[narrow])
    if not FAR <= factor < np.inf:
        return None
    return say("{wide} varies {factor} times as much as {narrow}, so distances would hardly depend on {narrow}: choose "
               "“Standardise inputs” under Units.", wide=verbatim(columns[wide]),
               narrow=verbatim(columns[narrow]), factor=factor)
