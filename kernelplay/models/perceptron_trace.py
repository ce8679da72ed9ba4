"""What a run of the perceptron leaves behind: which point was updated, when, and how wrong it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kernelplay.models.base import Array

Index = NDArray[np.intp]
Cap = Literal["", "epochs", "updates"]


@dataclass(frozen=True)
class Rule:
    """How the run goes: `cyclic` passes in the order of the points, or a random mistaken point each time; its caps."""

    cyclic: bool
    seed: int
    max_epochs: int
    max_updates: int


@dataclass(frozen=True, eq=False)
class Trace:
    """What happened. In random order n updates count as one pass, and looking that none is mistaken as the last."""

    n: int
    cyclic: bool
    point: Index  # (k,)  the point of each update
    score: Array  # (k,)  y_n f(x_n)/eta before the update, <= 0
    ends: Index  # (passes,)  updates made by the end of each pass
    final: Array  # (n,)  y_n f(x_n)/eta after the last update
    converged: bool  # a whole pass without a mistake was made
    cap: Cap = ""  # which of the caps stopped it
    period: int = 0  # passes after which theta came back exactly, so that it never ends; 0: it did not

    @property
    def mistakes(self) -> int:
        """The number of updates."""
        return len(self.point)

    @property
    def epochs(self) -> int:
        """The number of passes, with the last, clean one."""
        return len(self.ends)

    @property
    def mistakes_per_epoch(self) -> Index:
        """(passes,): mistakes made in each pass."""
        return np.diff(self.ends, prepend=0)

    @property
    def epoch(self) -> Index:
        """(k,): the pass, from 0, in which each update was made."""
        return np.searchsorted(self.ends, np.arange(self.mistakes), side="right")

    @property
    def look(self) -> Index:
        """(k,): how many points had been looked at, this one included, when each update was made."""
        return self.epoch * self.n + self.point + 1 if self.cyclic else np.arange(1, self.mistakes + 1)

    def looks(self) -> tuple[Index, NDArray[np.bool_]]:
        """Return (point (l,), mistaken (l,)) of every look; in random order each look is at a mistaken point."""
        if not self.cyclic:
            return self.point, np.ones(self.mistakes, dtype=bool)
        total = int(self.look[-1]) if self.cap == "updates" else self.epochs * self.n
        mistaken = np.zeros(total, dtype=bool)
        mistaken[self.look - 1] = True
        return np.arange(total) % self.n, mistaken

    def counts(self, k: int | None = None) -> Array:
        """Return (n,): the updates with each point among the first k, by default among all."""
        return np.bincount(self.point[:k], minlength=self.n).astype(float)
