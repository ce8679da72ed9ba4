"""The command `kernelplay animate`: its flags, and what it does with them."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kernelplay.arguments import Given, Option, UsageError
from kernelplay.i18n import current, say
from kernelplay.offscreen import offscreen

if TYPE_CHECKING:
    from kernelplay.animations import Source
    from kernelplay.figures import Figure
    from kernelplay.scene import Scene
    from kernelplay.ui.animation_export import Written

DPI = 96  # dots of an inch, unless they are given: an animation is looked at on a screen
OPTIONS = (
    Option(("-o", "--output"), say("Output file; its extension sets the format: .gif, .apng, .png (numbered frames) or "
                                   ".svg (filmstrip)"), "ANIMATION", needed=True),
    Option(("--sweep",), say("Sweep a parameter from one value to another, as in C=0.1:100"), "PATH=FROM:TO"),
    Option(("--frames",), say("Number of values in the sweep; default 24"), "N"),
    Option(("--spacing",), say("Equal steps or equal ratios; by default as on the parameter's slider"), "SPACING",
           choices=("linear", "log")),
    Option(("--back",), say("Sweep back and forth")),
    Option(("--steps",), say("Animate the steps of the model")),
    Option(("--first",), say("First step to show; default 0"), "STEP"),
    Option(("--last",), say("Last step to show; by default the end"), "STEP"),
    Option(("--every",), say("Show every nth step: 2 for every second, 3 for every third"), "N"),
    Option(("--fps",), say("Frames per second; default 12.5"), "FPS"),
    Option(("--once",), say("Play once instead of forever")),
    Option(("--panels",), say("Number of frames in the filmstrip; by default all"), "N"),
    Option(("--columns",), say("Number of frames per row"), "N"),
    Option(("--overwrite",), say("Overwrite existing numbered frames")),
)
_OF_SWEEPS, _OF_STEPS = ("frames", "spacing", "back"), ("first", "last", "every")


def animate(scene: Scene, given: Given, figure: Figure) -> int:
    """Write the animation that the flags ask for, say where it is, and return the exit status."""
    source = _source(scene, given)
    if not {"dpi", "preset"} & set(given.values):
        figure = dataclasses.replace(figure, dpi=DPI)
    try:
        with offscreen():
            done = _written(scene, source, figure, given)
    finally:
        if sys.stderr.isatty():
            print("\r", end="", file=sys.stderr)
    print(done.sentence)
    for note in done.notes:
        print(note.sentence, file=sys.stderr)
    return 0


def _written(scene: Scene, source: Source, figure: Figure, given: Given) -> Written:
    from kernelplay.ui.animation import Progress
    from kernelplay.ui.animation_export import Target, export

    def tell(now: Progress) -> None:
        if sys.stderr.isatty():
            print(f"\r{now.done + now.total * now.drawing + 1} / {2 * now.total} ", end="", file=sys.stderr)

    target = Target(Path(given.values["output"]), fps=_number(given, "fps", 12.5),
                    loops=1 if "once" in given.switches else 0, panels=_whole(given, "panels"),
                    columns=_whole(given, "columns"), replace="overwrite" in given.switches)
    return export(scene, source, figure, target, current(), tell=tell)


def _source(scene: Scene, given: Given) -> Source:
    from kernelplay.animations import Steps
    from kernelplay.sweep import FRAMES, SPACINGS, Sweep

    sweep, steps = given.values.get("sweep"), "steps" in given.switches
    if (sweep is None) != steps:
        raise UsageError(say("Choose what changes from frame to frame, one thing only: --sweep C=0.1:100 or --steps."))
    names = {*given.values, *given.switches}
    for name in _OF_SWEEPS if steps else _OF_STEPS:
        if name in names:
            raise UsageError(say("{option} only works with {other}.", option=f"--{name}",
                                 other="--sweep" if steps else "--steps"))
    if sweep is None:
        return Steps(_whole(given, "first", 0) or 0, _whole(given, "last", 0), _whole(given, "every") or 1)
    spacing = next((each for each in SPACINGS if each == given.values.get("spacing")), None)
    return Sweep.parse(scene.model, sweep, _whole(given, "frames") or FRAMES, spacing, "back" in given.switches)


def _whole(given: Given, name: str, least: int = 1) -> int | None:
    text = given.values.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= least):
        raise UsageError(say("{option} {text} is not valid: enter a whole number, {least} or more.",
                             option=f"--{name}", text=text or '""', least=least))
    return int(text)


def _number(given: Given, name: str, default: float) -> float:
    text = given.values.get(name)
    try:
        return default if text is None else float(text.replace(",", "."))
    except ValueError:
        raise UsageError(say("{option} {text} is not a number.", option=f"--{name}", text=text or '""')) from None
