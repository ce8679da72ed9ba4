"""How the places of a slider stand for the values of a parameter."""

from __future__ import annotations

import math
import sys

from kernelplay.spec import Real

STEPS = 1000  # places of a slider; a whole-number parameter with fewer values has one place for each


class Scale:
    """How the places of a slider stand for the values of a parameter: linear, logarithmic, or whole numbers."""

    def __init__(self, param: Real) -> None:
        self.param = param
        self.low, self.high = param.low, param.high

    def follow(self, value: float) -> None:
        """Let the range be the declared one, and reach `value` while that lies outside of it."""
        self.low, self.high = self.param.low, self.param.high
        if not (self.param.log and value <= 0):
            self.low, self.high = min(self.low, value), max(self.high, value)

    @property
    def _span(self) -> float:
        """The length of the range, or of its logarithm: as long as a number can be, never infinite."""
        if self.param.log:
            return math.log(self.high) - math.log(self.low)
        return _bounded(self.high - self.low)

    @property
    def _digits(self) -> int:
        """How many decimals two neighbouring places can be told apart by."""
        return math.ceil(-math.log10(self._span / STEPS))

    @property
    def places(self) -> int:
        """The largest place of the slider; the smallest is 0."""
        whole = self.param.integer and not self.param.log
        return round(self.high - self.low) if whole and self.high - self.low <= STEPS else STEPS

    def place(self, value: float) -> int:
        """Return the place of `value`, the nearest end for values outside."""
        if self.param.log:
            value = max(value, self.low)
            share = (math.log(value) - math.log(self.low)) / self._span
        else:
            share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return round(min(max(share, 0.0), 1.0) * self.places)

    def value(self, place: int) -> float | int:
        """Return the value at `place`, with no more digits than the place can tell apart."""
        if place <= 0 or place >= self.places:
            end = self.low if place <= 0 else self.high
            return round(end) if self.param.integer else end
        share = place / self.places
        if self.param.log:
            x = float(f"{math.exp(math.log(self.low) + share * self._span):.3g}")
        else:
            x = round(self.low * (1 - share) + self.high * share, self._digits)
        return round(x) if self.param.integer else x

    def stepped(self, value: float, steps: int) -> float | int:
        """Return the value `steps` hundredths of the range further, at least one whole number."""
        if self.param.log and value > 0:
            x = _bounded(float(f"{value * math.exp(self._span * steps / 100):.3g}"))
        else:
            x = round(_bounded(value + steps * (self._span / 100)), max(0, self._digits))
        if not self.param.integer:
            return x
        return round(x) if round(x) != round(value) else round(value) + (1 if steps > 0 else -1)


def _bounded(value: float) -> float:
    """Return `value`, or the largest number of its sign where it is infinite."""
    return min(max(value, -sys.float_info.max), sys.float_info.max)
