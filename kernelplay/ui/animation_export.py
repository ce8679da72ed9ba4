"""Writing an animation: GIF, APNG, numbered PNGs or a filmstrip, whole or not at all; and how large it will be."""

from __future__ import annotations

import math
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from kernelplay.animations import FASTEST, SLOWEST, Animation, Source, format_of
from kernelplay.errors import FileError, Note
from kernelplay.figures import MOST_DOTS, Figure
from kernelplay.files import write_whole
from kernelplay.i18n import Say, number, plural, say, verbatim
from kernelplay.models.base import Check, nothing
from kernelplay.scene import Rectangle, Scene
from kernelplay.ui import animated_files
from kernelplay.ui.animated_files import TICKS, Palette, Pixels
from kernelplay.ui.animation import Film, Tell, drawn, film, pixels, silent
from kernelplay.ui.filmstrip import chosen, filmstrip
from kernelplay.ui.theme import LIGHT, Theme

SAMPLES = 16  # pictures from which the palette of a GIF is made
DIGITS = 4  # of the number of a picture in a sequence


@dataclass(frozen=True)
class Target:
    """What is to be written. The ending of `path` chooses the format: .gif, .apng, .png (a numbered sequence) or .svg
    (a filmstrip of `panels` pictures in rows of `columns`). fps: pictures a second; loops: how often it is played, 0
    for ever; replace: files of an earlier sequence may be written over."""

    path: Path
    fps: float = 12.5  # a GIF counts the time in hundredths of a second
    loops: int = 0
    panels: int | None = None
    columns: int | None = None
    replace: bool = False

    @classmethod
    def of(cls, path: Path, animation: Animation) -> Target:
        """Return what `animation` makes of the file `path`."""
        return cls(path, animation.fps, animation.loops, animation.panels, animation.columns)

    @property
    def ending(self) -> str:
        """The ending in small letters."""
        return self.path.suffix.lower()

    @property
    def rate(self) -> Fraction:
        """Pictures a second as the format can have them: a GIF counts the time between two in hundredths."""
        if self.ending == ".gif":
            return Fraction(TICKS, animated_files.gif_delay(self.fps))
        return Fraction(self.fps).limit_denominator(1000)

    @property
    def slip(self) -> Note | None:
        """What is to be said where `fps` cannot be met."""
        if self.ending != ".gif" or math.isclose(float(self.rate), self.fps, rel_tol=5e-3):
            return None
        rate, fps = number(float(self.rate), 4), number(self.fps, 4)
        if self.fps > self.rate and self.rate * animated_files.FASTEST == TICKS:
            return Note(say("A GIF shows at most {rate} frames per second, not {fps}.", rate=rate, fps=fps), "info")
        return Note(say("A GIF measures time in hundredths of a second: it plays {rate} frames per second instead of "
                        "{fps}.", rate=rate, fps=fps), "info")


@dataclass(frozen=True)
class Written:
    """What was written: the files, how many pictures, and what is worth saying."""

    files: tuple[Path, ...]
    count: int
    notes: tuple[Note, ...]

    @property
    def sentence(self) -> Say:
        """Say where it is."""
        if len(self.files) > 1:
            return plural(self.count, "{n} frame saved as {first} to {last}.", "{n} frames saved as {first} to {last}.",
                          first=verbatim(str(self.files[0])), last=verbatim(self.files[-1].name))
        return plural(self.count, "Animation saved to {file}: {n} frame.", "Animation saved to {file}: {n} frames.",
                      file=verbatim(str(self.files[0])))


def check_target(target: Target, look: Figure) -> None:
    """Raise FileError where `target` cannot be written: another ending, a speed that is none, too many dots, or a
    sequence that is there already."""
    if format_of(target.ending) is None:
        raise FileError(say("An animation cannot be saved as {name}: use the extension .gif, .apng, .png (numbered "
                            "frames) or .svg (filmstrip).", name=target.path.name or '""'))
    if not SLOWEST <= target.fps <= FASTEST:
        raise FileError(say("An animation cannot have {fps} frames per second: enter a number from {least} to {most}.",
                            fps=float(target.fps), least=SLOWEST, most=FASTEST))
    if target.ending != ".svg" and max(look.dots) > MOST_DOTS:
        raise FileError(say("Frames of {width} × {height} pixels are too large: the limit is {most} per side. Reduce "
                            "the resolution or the size.", width=look.dots[0], height=look.dots[1],
                            most=MOST_DOTS))
    there = earlier(target.path) if target.ending == ".png" else []
    if there and not target.replace:
        raise FileError(plural(len(there), "{first} already exists: choose another name or folder, or allow it to be "
                                           "replaced.",
                                           "{n} files {first} to {last} already exist: choose another name "
                                                     "or folder, or allow them to be replaced.",
                                                     first=verbatim(there[0].name),
                               last=verbatim(there[-1].name)))


def earlier(path: Path) -> list[Path]:
    """Return the pictures of a sequence of this name that are there already."""
    pattern = re.compile(re.escape(path.stem) + rf"-\d{{{DIGITS},}}" + re.escape(path.suffix), re.IGNORECASE)
    try:
        return sorted(each for each in path.expanduser().resolve().parent.iterdir() if pattern.fullmatch(each.name))
    except OSError:  # said when it is written
        return []


def export(scene: Scene, source: Source, look: Figure, target: Target, language: str = "", *,
           view: Rectangle | None = None, screen: Theme = LIGHT, check: Check = nothing,
           tell: Tell = silent) -> Written:
    """Make and write an animation. Raises FileError, SpecError, FitError with a sentence, Cancelled when `check` does;
    then nothing has been written, and what was there before is as it was."""
    check_target(target, look)
    made = film(scene, source, look, language, view=view, screen=screen, strip=target.ending == ".svg", check=check,
                tell=tell)
    notes = tuple(note for note in (
        Note(made.failures) if made.failures is not None else None,
        target.slip,
        Note(say("GIF has no partial transparency, so the background is drawn."), "info")
        if look.transparent and target.ending == ".gif" else None) if note is not None)
    if target.ending == ".png":
        return _sequence(made, target, notes, check, tell)
    count = len(chosen(len(made.shots), target.panels)) if target.ending == ".svg" else len(made)
    write_whole(target.path.expanduser(), encoded(made, target, check, tell))
    return Written((target.path,), count, notes)


def encoded(made: Film, target: Target, check: Check = nothing, tell: Tell = silent) -> bytes:
    """Return the one file of a GIF, APNG or filmstrip."""
    if target.ending == ".svg":
        return filmstrip(made, target.panels, target.columns, check, tell)
    if target.ending == ".apng":
        return animated_files.apng(drawn(made, check, tell), len(made), target.rate, target.loops)
    places = np.unique(np.linspace(0, len(made) - 1, min(SAMPLES, len(made))).astype(int)).tolist()
    palette = Palette.of((opaque(made, pixels(made.image(place))) for place in _checked(places, check)), made.inks())
    pictures = (opaque(made, picture) for picture in drawn(made, check, tell))
    return animated_files.gif(pictures, palette, animated_files.gif_delay(target.fps), target.loops)


def _checked(places: list[int], check: Check) -> Iterator[int]:
    for place in places:
        check()
        yield place


def opaque(made: Film, picture: Pixels) -> Pixels:
    """Return a picture without opacity, on the paper of its theme."""
    if picture.shape[2] == 3:
        return picture
    paper = made.plot.theme.paper
    ground = np.array([int(paper[k: k + 2], 16) for k in (1, 3, 5)], np.float32)
    share = picture[..., 3:].astype(np.float32) / 255
    return np.rint(picture[..., :3] * share + ground * (1 - share)).astype(np.uint8)


def _sequence(made: Film, target: Target, notes: tuple[Note, ...], check: Check, tell: Tell) -> Written:
    """Write numbered pictures beside where they belong, and put them there when the last one is whole."""
    folder = target.path.expanduser().resolve().parent
    digits = max(DIGITS, len(str(len(made))))
    names = [f"{target.path.stem}-{k + 1:0{digits}}{target.path.suffix}" for k in range(len(made))]
    if not folder.is_dir():
        raise FileError(say("Folder {folder} not found: create it, or choose another folder.", folder=str(folder)))
    aside = folder / f".kernelplay-pictures-{secrets.token_hex(6)}"
    try:
        aside.mkdir()
        for name, picture in zip(names, drawn(made, check, tell), strict=True):
            (aside / name).write_bytes(animated_files.png(picture, made.look.dpi))
        for name in names:
            os.replace(aside / name, folder / name)
    except OSError as error:
        raise FileError(say("The frames could not be saved in {folder} ({why}): choose another folder.",
                            folder=str(folder), why=error.strerror or str(error))) from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    left = sorted({each.name for each in earlier(target.path)} - set(names))
    if left:
        notes = (*notes, Note(plural(len(left), "{first} is left over from an earlier animation with more frames.",
                                     "{first} to {last} are left over from an earlier animation with more frames.",
                                     first=verbatim(left[0]), last=verbatim(left[-1]))))
    return Written(tuple(folder / name for name in names), len(made), notes)


def estimated(made: Film, target: Target, count: int, check: Check = nothing) -> int:
    """Return about how many bytes an animation of `count` pictures has, from a few that are made for it."""
    if target.ending == ".svg":
        few = min(4, len(made.shots))
        one, more = (len(filmstrip(made, n, 1, check)) for n in (1, few))
        return one + round((count - 1) * (more - one) / max(1, few - 1))
    places = [min(int(share * len(made)) + side, len(made) - 1) for share in (0.1, 0.5, 0.8) for side in (0, 1)]
    pictures = [opaque(made, pixels(made.image(place))) for place in _checked(places, check)]
    if target.ending == ".png":
        return round(count * float(np.mean([len(animated_files.png(picture)) for picture in pictures])))
    pairs = [pictures[k: k + 2] for k in (0, 2, 4)]
    if target.ending == ".apng":
        sizes = [[len(animated_files.apng(iter(some), len(some), Fraction(1))) for some in (pair[:1], pair)]
                 for pair in pairs]
    else:
        palette = Palette.of(pictures, made.inks())
        sizes = [[len(animated_files.gif(iter(some), palette, 10)) for some in (pair[:1], pair)] for pair in pairs]
    first, both = (float(size) for size in np.mean(sizes, axis=0))
    return round(first + (count - 1) * (both - first))
