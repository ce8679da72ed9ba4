"""What a caller hands over as data: turned into arrays of numbers or labels, or refused in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FitError
from kernelplay.i18n import say

Array = NDArray[np.float64]


def numbers(values: Any, name: str) -> Array:
    """Return `values` as floats, a masked one as NaN; raise FitError for anything that is not an array of real numbers:
    texts that look like numbers, complex numbers and dates are not taken for them."""
    try:
        given = np.asarray(values)
        if given.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in given.flat):
            raise TypeError
        if given.dtype.kind not in "biufO":
            raise TypeError
        with np.errstate(over="ignore"):
            found = np.asarray(given, dtype=float)
    except OverflowError:
        raise FitError(say("{name} contains a number that is too large to compute with: scale the values down.",
                           name=name)) from None
    except (TypeError, ValueError):
        raise FitError(say("{name} must contain only numbers, in rows of equal length.", name=name)) from None
    return np.where(np.ma.getmaskarray(values), np.nan, found) if np.ma.is_masked(values) else found


def labels(values: Any) -> NDArray[Any]:
    """Return `values` as labels that can be ordered: numbers or texts; raise FitError for missing ones and mixtures."""
    try:
        given = np.asarray(values)
        each = given if isinstance(values, np.ndarray) or given.dtype.kind not in "USO" else np.asarray(values, object)
    except ValueError:
        raise FitError(say("y must have one label for each row of X.")) from None
    if each.dtype.kind == "O":
        each = np.array([label.item() if isinstance(label, np.generic) else label for label in each.ravel().tolist()],
                        object).reshape(each.shape)
        kinds = {type(label) for label in each.ravel().tolist()}
        if not (kinds <= {str, np.str_} or kinds <= {bytes} or kinds <= {bool, int, float}):
            raise _mixed(kinds)
        given = np.array(each.tolist())
    if given.dtype.kind not in "biufUS":
        raise _mixed({type(label) for label in given.ravel().tolist()})
    missing = np.ma.getmaskarray(values) if np.ma.is_masked(values) else np.zeros(given.shape, np.bool_)
    if given.dtype.kind == "f":
        missing = missing | ~np.isfinite(given)
    refuse_rows(missing)
    return given


def ordered(y: NDArray[Any]) -> tuple[Any, ...]:
    """Return the distinct labels in `y` in the order of their classes: sorted, and of two the last comes first, since
    the first of two is +1. So 1 is +1 beside −1, 0 or nothing else, yes beside no, and 2 beside 1; texts that differ in
    a sign alone, such as "+1" and "-1", have + first, although it sorts before."""
    found = np.unique(y).tolist()
    if len(found) != 2:
        return tuple(found)
    low, high = found
    signed = isinstance(low, str) and low[:1] == "+" and high[:1] in ("-", "−") and low[1:] == high[1:]
    return (low, high) if signed else (high, low)


def _mixed(kinds: set[type]) -> FitError:
    return FitError(say("The labels in y must all be numbers or all be strings; y contains {kinds}.",
                        kinds=", ".join(sorted(kind.__name__ for kind in kinds))))


def inputs(values: Any, d: int) -> Array:
    """Return the inputs Z (m, d) to predict at. A single input of d > 1 coordinates may come as (d,), inputs of one
    coordinate as (m,). Raises FitError for another number of coordinates and for values that are not finite."""
    Z = numbers(values, "Z")
    if Z.ndim < 2 and (d == 1 or Z.shape in ((d,), (0,))):
        Z = Z.reshape(-1, d)
    if Z.ndim != 2 or Z.shape[1] != d:
        raise FitError(say("Points to predict need {d} coordinates each, like the training points.", d=d))
    refuse_rows(~np.isfinite(Z))
    return Z


def same_width(X: NDArray[Any], Z: NDArray[Any]) -> None:
    """Raise FitError unless X (n, d) and Z (m, d) have the same number of coordinates."""
    if X.shape[1] != Z.shape[1]:
        raise FitError(say("A kernel compares points with the same number of coordinates: these have "
                           "{one} and {other}.",
                           one=X.shape[1], other=Z.shape[1]))


def refuse_rows(bad: NDArray[np.bool_]) -> None:
    """Raise FitError, naming the first of them, if there are rows with something `bad` (n, ...)."""
    rows = np.flatnonzero(bad.any(axis=tuple(range(1, bad.ndim))))
    if len(rows):
        raise FitError(say("Row {row} contains a value that is not a finite number: correct or delete it.",
                           row=int(rows[0]) + 1), points=tuple(rows.tolist()))
