"""Points from a formula that is typed: a curve with noise, or classes on the two sides of f(x1, x2) = 0."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from kernelplay import formula
from kernelplay.datasets.base import Array, Classes, Dataset, Labelled, Random, balance, noise, rounded
from kernelplay.errors import SpecError
from kernelplay.i18n import Say, number, plural, say
from kernelplay.scene import Points
from kernelplay.spec import real, text

FARTHEST = 1e100  # a value beyond it could not be drawn, nor kept in a file
CANDIDATES = 20  # places that are tried for each point, where both classes must have their share

Data = TypeVar("Data", bound=Labelled)

_FUNCTIONS = say("Functions: {names}, min and max; constants pi and e; powers as x^2. Write multiplication explicitly: "
                 "3*x.", names=", ".join(formula.FUNCTIONS))


def _end(default: float, label: Say, help: Say) -> float:
    end: float = real(default, -10.0, 10.0, least=-1e6, most=1e6, label=label, help=help)
    return end


@dataclass(frozen=True)
class TypedSignal(Dataset):
    """t = f(x) + noise, x spread evenly from `start` to `end`. Places where f has no finite value are left out."""

    key = "formula"
    label = say("Formula")
    about = say("Your own curve, such as sin(3*x) + 0.3*x^2, with noise.")
    task = "regression"
    default_model = "gpr"
    order = 150

    formula: str = text("sin(3*x) + 0.3*x^2", symbol="f(x)", label=say("Formula"), help=_FUNCTIONS,
                        read=partial(formula.read, variables=("x",)))
    start: float = _end(-3.0, say("From"), say("Start of the interval."))
    end: float = _end(3.0, say("To"), say("End of the interval."))
    noise: float = noise(0.15, 1.0, say("Standard deviation of the noise added to the formula."))

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        x = between(self.start, self.end, places.uniform(size=self.n))
        t = formula.read(self.formula, ("x",))(x) + self.noise * noise.normal(size=self.n)
        drawn = drawable(t)
        notes = left_out(~drawn)
        rows = np.flatnonzero(drawn)
        rows = rows[np.argsort(x[rows], kind="stable")]
        return np.column_stack([x, t])[rows], np.zeros(len(rows), np.intp), notes


@dataclass(frozen=True)
class TypedClasses(Labelled):
    """The class of a place is the sign of f(x1, x2) + noise; places are spread evenly over a square.

    With a balance of its own places are drawn until both classes have their share, and more of them are not taken.
    """

    key = "formula_classes"
    label = say("Formula")
    about = say("Two classes on either side of your own curve, such as x1^2 + x2^2 - 1.")
    order = 75

    formula: str = text("x1^2 + x2^2 - 1", symbol="f(x₁, x₂)", label=say("Formula"), help=_FUNCTIONS,
                        read=partial(formula.read, variables=("x1", "x2")))
    start: float = _end(-1.5, say("From"), say("Lower end of both axes."))
    end: float = _end(1.5, say("To"), say("Upper end of both axes."))
    noise: float = noise(0.1, 1.0, say("Standard deviation of the noise added before the sign is taken: more noise "
                                       "blurs the boundary."))
    balance: float | str = balance("free", "free")

    def resolved(self, points: Points) -> Self:
        return with_share(self, points)

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        m = self.n if isinstance(self.balance, str) else CANDIDATES * self.n
        xy = between(self.start, self.end, places.uniform(size=(m, 2)))
        f = formula.read(self.formula, ("x1", "x2"))(xy[:, 0], xy[:, 1]) + self.noise * noise.normal(size=m)
        drawn = drawable(f)
        cls = np.where(f >= 0, 0, 1)
        if isinstance(self.balance, str):
            notes = left_out(~drawn)
            return xy[drawn], cls[drawn], notes
        rows = chosen(cls, drawn, self.n, self.balance)
        return xy[rows], cls[rows], left_out(~drawn)


def between(start: float, end: float, share: Array) -> Array:
    """Return the places that lie `share` of the way from `start` to `end`."""
    return start + (end - start) * share


def drawable(values: Array) -> NDArray[np.bool_]:
    """Return where `values` are finite and near enough to be drawn."""
    return np.isfinite(values) & (np.abs(values) <= FARTHEST)


def left_out(missing: NDArray[np.bool_]) -> tuple[Say, ...]:
    """Return what is to be said of places without a value; raise SpecError when no other is left."""
    count, n = int(missing.sum()), len(missing)
    if count == n:
        raise SpecError(say("The formula has no finite value at any of {n} locations: change the formula or its range.",
                            n=n), "formula")
    if count == 0:
        return ()
    return (plural(count, "{n} of {total} locations has no finite value and is left out.",
                   "{n} of {total} locations have no finite value and are left out.", total=n),)


def chosen(cls: Classes, usable: NDArray[np.bool_], n: int, share: float) -> NDArray[np.intp]:
    """Return the first n usable rows of which `share` are of class 0; raise SpecError if there are too few of one."""
    wanted = (rounded(share * n), n - rounded(share * n))
    found = [np.flatnonzero(usable & (cls == c)) for c in (0, 1)]
    for c, name in enumerate(("+1", "−1")):
        if len(found[c]) < wanted[c]:
            raise SpecError(say("A class balance of {share} needs {wanted} points of class {name}, but only {found} of "
                                "{total} locations belong to it: choose another balance, or “free”.",
                                share=number(share), wanted=wanted[c], name=name, found=len(found[c]),
                                total=len(cls)), "balance")
    return np.sort(np.concatenate([found[c][:wanted[c]] for c in (0, 1)]))


def with_share(data: Data, points: Points) -> Data:
    """Return `data` with the share of the first class that came out, where it was left to the function."""
    free = isinstance(data.get("balance"), str)
    return data.replace("balance", float((points.cls == 0).mean())) if free else data
