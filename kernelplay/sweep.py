"""A sweep: one number of the model or its kernel, led from one value to another, each value a Scene of its own."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.models.base import Model
from kernelplay.scene import Scene
from kernelplay.spec import Child, Path, Real, Spec

Spacing = Literal["linear", "log"]
SPACINGS: tuple[Spacing, ...] = ("linear", "log")
FRAMES = 24
MOST_FRAMES = 1000
MOST_DIGITS = 8  # of a value in its caption


def sweepable(spec: Spec) -> tuple[tuple[Path, Real], ...]:
    """Return the numbers of a model and of its kernel that matter now, as (path, declaration)."""
    found: list[tuple[Path, Real]] = []
    for name, param in spec.shown().items():
        if isinstance(param, Real):
            found.append((name, param))
        elif isinstance(param, Child):
            value = getattr(spec, name)
            for i, held in enumerate(value if param.many else (value,)):
                prefix = f"{name}.{i}" if param.many else name
                found += [(f"{prefix}.{path}", inner) for path, inner in sweepable(held)]
    return tuple(found)


@dataclass(frozen=True)
class Sweep:
    """The values of the parameter at `path`, from `start` to `end`; both are among them exactly.

    frames: how many values there are; a whole number has no more than lie between its ends. spacing: "linear", equal
    steps, or "log", equal ratios. back: and from the last but one back to the second, so that it can go round.
    """

    path: Path
    start: float
    end: float
    frames: int = FRAMES
    spacing: Spacing = "linear"
    back: bool = False
    whole: bool = False  # the parameter is a whole number

    @classmethod
    def of(cls, model: Model, path: Path, start: float, end: float, frames: int = FRAMES,
           spacing: Spacing | None = None, back: bool = False) -> Self:
        """Return the sweep of a parameter of `model`, given by its path ("kernel.gamma") or, where that is clear, by
        its last name ("gamma"); spacing None: that of the parameter's slider.

        Raises SpecError for a parameter that is no number of the model or is without effect now, for ends that it
        cannot have or that are equal, for a logarithmic sweep that is not all above 0, and for too many frames.
        """
        path, param = _declared(model, path)
        first, last = (param.check(float(value), path) for value in (start, end))
        if first == last:
            raise SpecError(say("A sweep of {path} needs two different values; "
                                "both are {value}.", path=path, value=number(float(first), 6)), path)
        if isinstance(frames, bool) or not isinstance(frames, int) or not 2 <= frames <= MOST_FRAMES:
            raise SpecError(say("A sweep cannot have {n} frames: enter a whole number from 2 to {most}.", n=str(frames),
                                most=MOST_FRAMES), path)
        chosen: Spacing = spacing or ("log" if param.log and min(first, last) > 0 else "linear")
        if chosen not in SPACINGS:
            raise SpecError(say("The spacing cannot be {value}: choose one of {names}.", value=chosen,
                                names=", ".join(SPACINGS)), path)
        if chosen == "log" and min(first, last) <= 0:
            raise SpecError(say("Equal ratios need two values above 0, but {path} goes from {start} to {end}: choose "
                                "equal steps, or other values.", path=path, start=float(first), end=float(last)), path)
        return cls(path, float(first), float(last), frames, chosen, back, param.integer)

    @classmethod
    def parse(cls, model: Model, text: str, frames: int = FRAMES, spacing: Spacing | None = None,
              back: bool = False) -> Self:
        """Return the sweep written as "C=0.1:100", as on the command line. Raises SpecError as `of` does."""
        name, equals, ends = text.partition("=")
        first, colon, last = ends.partition(":")
        if not (equals and colon and name.strip()):
            raise SpecError(say("{text} is not a sweep: write a parameter and two values, as in C=0.1:100.",
                                text=text or '""'))
        path, param = _declared(model, name.strip())
        start, end = param.parse(first, path), param.parse(last, path)
        for value in (start, end):
            if isinstance(value, str):  # gamma's "scale"
                raise param.wrong(value, say("a sweep goes from a number to a number"), path)
        return cls.of(model, path, start, end, frames, spacing, back)

    @cached_property
    def there(self) -> tuple[float, ...]:
        """The values on the way from `start` to `end`."""
        if self.spacing == "log":
            values = np.geomspace(self.start, self.end, self.frames)
        else:
            values = np.linspace(self.start, self.end, self.frames)
        if self.whole:
            values = np.rint(values)
        made = [self.start, *values[1:-1].tolist(), self.end]
        return tuple(dict.fromkeys(made)) if self.whole else tuple(made)

    @property
    def values(self) -> tuple[float, ...]:
        """All values in the order in which they are shown, with those of the way back."""
        return tuple(self.there[k] for k in self.order)

    @property
    def order(self) -> tuple[int, ...]:
        """The places in `there` in the order in which they are shown."""
        n = len(self.there)
        return (*range(n), *(range(n - 2, 0, -1) if self.back else ()))

    def scene(self, scene: Scene, value: float) -> Scene:
        """Return `scene` with `value` for the parameter; points, view and the rest are shared."""
        return scene.with_value(self.path, value)

    def thinned(self, most: int) -> Self:
        """Return this sweep with at most `most` values on the way there: for a preview."""
        return dataclasses.replace(self, frames=min(self.frames, most))

    def caption(self, model: Model, value: float) -> Say:
        """Return what stands over the picture of `value`: "C = 0.316", with as many digits as tell the values apart."""
        param = model.param(self.path)
        assert isinstance(param, Real)
        shown = f"{number(value, self._digits)} {param.unit}".rstrip()
        if not param.symbol:
            return say("{name}: {value}", name=param.label, value=shown)
        alike = Counter(inner.symbol for _, inner in sweepable(model))
        symbol = param.symbol if alike[param.symbol] < 2 else f"{param.symbol} ({written(self.path)})"
        return verbatim(f"{symbol} = {shown}")

    @cached_property
    def _digits(self) -> int:
        for digits in range(3, MOST_DIGITS):
            if len({number(value, digits) for value in self.there}) == len(self.there):
                return digits
        return MOST_DIGITS


def written(path: Path) -> str:
    """Return a path as people write it: "lambda" for Python's lambda_."""
    return ".".join(name.removesuffix("_") for name in path.split("."))


def _declared(model: Model, path: Path) -> tuple[Path, Real]:
    """Return the whole path of a parameter and its declaration; raise SpecError with a sentence."""
    known = dict(sweepable(model))
    wanted = ".".join("lambda_" if name == "lambda" else name for name in path.split("."))
    if wanted in known:
        return wanted, known[wanted]
    short = [full for full in known if full.rpartition(".")[2] == wanted]
    if len(short) == 1:
        return short[0], known[short[0]]
    names = ", ".join(written(full) for full in short or known)
    if short:
        raise SpecError(say("{path} is ambiguous: choose one of {names}.", path=path, names=names),
                        path)
    if not names:
        raise SpecError(say("This model has no numeric parameter to sweep."), path)
    try:
        param = model.param(wanted)
    except SpecError:
        raise SpecError(say("There is no parameter {path} to sweep; available: {names}.", path=path, names=names),
                        path) from None
    if isinstance(param, Real):
        raise SpecError(say("{path} has no effect with the current model settings, so sweeping it shows nothing; "
                            "available: {names}.", path=path, names=names), path)
    raise SpecError(say("{path} is not a number, and only numbers can be swept; available: {names}.", path=path,
                        names=names), path)

