"""An animation as values: which pictures it is made of, how fast they follow one another, in which file they go."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass

from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.spec import Spec, choice, integer, real
from kernelplay.sweep import MOST_FRAMES, Sweep

ENDINGS: Mapping[str, str] = {"gif": ".gif", "apng": ".apng", "png": ".png", "svg": ".svg"}  # by format
MOVING, STRIP = ("gif", "apng"), ("svg",)
SLOWEST, FASTEST = 0.1, 100.0  # pictures a second


@dataclass(frozen=True)
class Steps:
    """The steps of the player from `first` to `last` (None: the end), every `every`-th, and the last one anyway."""

    first: int = 0
    last: int | None = None
    every: int = 1

    def places(self, count: int) -> tuple[int, ...]:
        """Return the steps that are shown of a player of `count`; raises SpecError."""
        last = count - 1 if self.last is None else self.last
        if 0 <= last < self.first < count:
            raise SpecError(say("The first step, {first}, comes after the last one, "
                                "{last}: swap them.", first=self.first, last=last), "steps")
        if not 0 <= self.first <= last < count or self.every < 1:
            raise SpecError(say("The steps run from 0 to {last}: {first} to {end}, every {every}, lies outside this "
                                "range.", last=count - 1, first=self.first, end=last, every=self.every), "steps")
        found = (*range(self.first, last, self.every), last)
        if len(found) > MOST_FRAMES:
            raise SpecError(say("{n} steps are too many for an animation (limit {most}): show only every step number "
                                "{every}.", n=len(found), most=MOST_FRAMES,
                                every=math.ceil((last - self.first) / (MOST_FRAMES - 1))), "steps")
        return found

    def thinned(self, most: int, count: int) -> Steps:
        """Return these steps with at most `most` of them: for a preview."""
        last = count - 1 if self.last is None else self.last
        return dataclasses.replace(self, every=max(self.every, math.ceil((last - self.first) / max(1, most - 1))))


Source = Sweep | Steps


@dataclass(frozen=True)
class Animation(Spec):
    """What becomes of the pictures."""

    key = "animation"
    label = say("Animation")
    about = say("Format, speed and looping of an animation.")

    format: str = choice("gif", {"gif": say("Animated GIF"), "apng": say("Animated PNG, full colour"),
                                 "png": say("Numbered frames (PNG)"), "svg": say("Filmstrip (SVG)")},
                         label=say("Format"), help=say("One animated file, one file per frame, or one file with the "
                                                       "frames side by side."))
    fps: float = real(12.5, 1.0, 30.0, log=True, least=SLOWEST, most=FASTEST, open_least=False,
                      label=say("Frames per second"), help=say("Higher: faster and smoother."),
                      when=("format", MOVING))
    repeat: str = choice("for ever", {"for ever": say("Forever"), "once": say("Once")}, label=say("Repeat"),
                         help=say("How often the animation plays."), when=("format", MOVING))
    panels: int = integer(6, 2, 24, least=1, most=MOST_FRAMES, label=say("Frames in the strip"),
                          help=say("Number of frames in the filmstrip, evenly spaced."),
                          when=("format", STRIP))
    columns: int = integer(3, 1, 12, least=1, most=MOST_FRAMES, label=say("Frames per row"),
                           help=say("Number of frames side by side."), when=("format", STRIP))

    @property
    def ending(self) -> str:
        """The ending of the file."""
        return ENDINGS[self.format]

    @property
    def loops(self) -> int:
        """How often it is played, 0 for ever."""
        return 0 if self.repeat == "for ever" else 1


def format_of(ending: str) -> str | None:
    """Return the format whose files end so, or None."""
    return next((key for key, own in ENDINGS.items() if own == ending.lower()), None)
