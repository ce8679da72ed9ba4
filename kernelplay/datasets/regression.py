"""One input and a target: sine, sinc, a step, noise that grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelplay.datasets.base import Array, Classes, Dataset, Random, noise
from kernelplay.i18n import Say, say
from kernelplay.spec import real

_ADDED = say("Standard deviation of the noise added to the signal.")


@dataclass(frozen=True)
class Signal(Dataset):
    """t = signal(x) + noise for x spread evenly over an interval; a subclass gives the signal."""

    task = "regression"
    default_model = "gpr"
    interval: ClassVar[tuple[float, float]] = (0.0, 1.0)

    noise: float = noise(0.15, 1.0, _ADDED)

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        x = self.inputs(places)
        t = self.signal(x) + self.deviation(x) * noise.normal(size=self.n)
        order = np.argsort(x, kind="stable")
        return np.column_stack([x, t])[order], np.zeros(self.n, np.intp), ()

    def inputs(self, random: Random) -> Array:
        """Return the inputs (n,), in the order in which they are drawn."""
        return random.uniform(*self.interval, self.n)

    def signal(self, x: Array) -> Array:
        """Return the true function at x."""
        raise NotImplementedError

    def deviation(self, x: Array) -> Array:
        """Return the standard deviation of the noise at x."""
        return np.full(len(x), self.noise)


@dataclass(frozen=True)
class Sine(Signal):
    """t = sin(2π x) + noise on [0, 1], if asked with a gap in the middle of the inputs."""

    key = "sine"
    label = say("Sine")
    about = say("A noisy sine; in the gap without data the model falls back on its prior.")
    order = 110

    gap: float = real(0.0, 0.0, 0.8, least=0.0, most=0.95, label=say("Gap"),
                      help=say("Fraction of the interval, in its middle, left without data."))

    def inputs(self, random: Random) -> Array:
        x = random.uniform(0.0, 1.0 - self.gap, self.n)
        return np.where(x > (1.0 - self.gap) / 2, x + self.gap, x)

    def signal(self, x: Array) -> Array:
        return np.asarray(np.sin(2 * np.pi * x))


@dataclass(frozen=True)
class Sinc(Signal):
    """t = sin(x)/x + noise on [-10, 10]."""

    key = "sinc"
    label = say("Sinc")
    about = say("One tall peak among smaller ripples, the classic test function of support vector regression.")
    order = 120
    interval: ClassVar[tuple[float, float]] = (-10.0, 10.0)

    noise: float = noise(0.1, 1.0, _ADDED)

    def signal(self, x: Array) -> Array:
        return np.asarray(np.sinc(x / np.pi))


@dataclass(frozen=True)
class Step(Signal):
    """t = sign(x) + noise on [-1, 1]."""

    key = "step"
    label = say("Step")
    about = say("A jump that a smooth kernel can only round off or overshoot.")
    order = 130
    interval: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def signal(self, x: Array) -> Array:
        return np.where(x < 0, -1.0, 1.0)


@dataclass(frozen=True)
class Heteroscedastic(Signal):
    """t = sin(x) + noise that grows with x on [0, 6]."""

    key = "heteroscedastic"
    label = say("Growing noise")
    about = say("The noise grows from left to right, while these models assume constant noise.")
    order = 140
    interval: ClassVar[tuple[float, float]] = (0.0, 6.0)

    noise: float = noise(0.4, 1.0, say("Standard deviation of the noise at the right end; near zero at the left end."))

    def signal(self, x: Array) -> Array:
        return np.asarray(np.sin(x))

    def deviation(self, x: Array) -> Array:
        low, high = self.interval
        return self.noise * (0.05 + 0.95 * (x - low) / (high - low))
