"""A figure as a value: its size, letters, colours and what is in it. From this declaration come the export window, the
flags of `kernelplay render`, the arguments of `kernelplay.render`, their checks and their sentences.

What a figure looks like depends on this value, on the scene and on the language alone; `dpi` only says into how many
dots a PNG cuts it, so that PNG, SVG and PDF show the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.spec import Param, Path, Spec, choice, flag, integer, real

DPI = 96.0  # pixels of an inch on a screen: the unit px of this file, of SVG and of CSS
UNITS: Mapping[str, float] = {"mm": DPI / 25.4, "cm": DPI / 2.54, "in": DPI, "pt": DPI / 72, "px": 1.0}  # in px
OFFERED = ("mm", "in", "px")
LEAST, MOST = 96.0, 10_000.0  # px of a side
MOST_DOTS = 10_000  # of a side of a PNG
POINTS = 9.0  # letters of the window, in pt: a figure with these looks like the window
LAYERS = ("field", "boundary", "margins", "mean", "band", "tube", "support", "slack", "errors", "contours",
          "contour_labels", "steps", "points", "legend")
LONGEST = 300  # letters of a title or of the name of an axis


class Length(NamedTuple):
    """A length as it was given: 85 mm."""

    value: float
    unit: str = "px"

    @property
    def px(self) -> float:
        """The length in pixels of 1/96 inch."""
        return self.value * UNITS[self.unit]

    def to(self, unit: str) -> Length:
        """Return the same length in another unit, with no more digits than a printer can tell apart."""
        return self if unit == self.unit else Length(float(f"{self.px / UNITS[unit]:.6g}"), unit)

    def __str__(self) -> str:
        return f"{self.value:.6g}{self.unit}"


@dataclass(frozen=True)
class Extent(Param):
    """A length: a number of pixels, or with a unit, as in 85mm, 3.3in or 800px."""

    def check(self, value: Any, path: Path) -> Length:
        if isinstance(value, str):
            return self.parse(value, path)
        pair = value if isinstance(value, Sequence) else (value, "px")
        if len(pair) != 2 or pair[1] not in UNITS or isinstance(pair[0], (bool, str)) \
                or not hasattr(pair[0], "__float__"):
            raise self.wrong(value, self.remedy(), path)
        try:
            length = Length(float(pair[0]), pair[1])
        except (OverflowError, TypeError, ValueError):
            raise self.wrong(value, self.remedy(), path) from None
        if not (math.isfinite(length.value) and LEAST - 1e-6 <= length.px <= MOST + 1e-6):
            raise self.wrong(str(length), self.remedy(), path)
        return length

    def parse(self, text: str, path: Path) -> Length:
        match = re.fullmatch(r"\s*([0-9.,eE+−-]+)\s*([a-z]*)\s*", text)
        try:
            value = float(match[1].replace("−", "-").replace(",", ".")) if match else math.nan
        except ValueError:
            value = math.nan
        unit = (match[2] if match else "") or "px"
        if math.isnan(value) or unit not in UNITS:
            raise self.wrong(text, self.remedy(), path)
        return self.check(Length(value, unit), path)

    def remedy(self) -> Say:
        """Return what lengths are allowed, as part of a sentence."""
        return say("it must be a length from {least} to {most}, such as 85mm, 3.3in or 800px",
                   least=f"{number(LEAST / UNITS['mm'])} mm", most=f"{number(MOST / UNITS['mm'])} mm")


@dataclass(frozen=True)
class Words(Param):
    """Any text of one line."""

    def check(self, value: Any, path: Path) -> str:
        if not isinstance(value, str) or len(value) > LONGEST:
            raise self.wrong(value, say("it must be text of at most {most} characters", most=LONGEST), path)
        return " ".join(value.split())

    def parse(self, text: str, path: Path) -> str:
        return self.check(text, path)


@dataclass(frozen=True)
class Some(Param):
    """Some of `options`, in their order; written with commas between them."""

    options: tuple[str, ...] = ()

    def check(self, value: Any, path: Path) -> tuple[str, ...]:
        if isinstance(value, str):
            return self.parse(value, path)
        if not isinstance(value, (Sequence, set, frozenset)):
            raise self.wrong(value, self._remedy(), path)
        for each in value:
            if each not in self.options:
                raise self.wrong(each, self._remedy(), path)
        return tuple(option for option in self.options if option in value)

    def parse(self, text: str, path: Path) -> tuple[str, ...]:
        return self.check([word.strip().replace(" ", "_").replace("-", "_") for word in text.split(",")
                           if word.strip()], path)

    def _remedy(self) -> Say:
        return say("choose some of {names}", names=", ".join(self.options))


def _extent(default: float, label: Say, help: Say) -> dict[str, Param]:
    return {"param": Extent(Length(default), label, help)}


def _words(label: Say, help: Say, when: tuple[str, tuple[Any, ...]]) -> Any:
    return field(default="", metadata={"param": Words("", label, help, "", when)})


def _some(options: tuple[str, ...], label: Say, help: Say) -> Any:
    return field(default=(), metadata={"param": Some((), label, help, "", None, options)})


@dataclass(frozen=True)
class Figure(Spec):
    """What a figure looks like and what is in it. `dpi` counts for PNG alone, `text` for SVG and PDF alone."""

    key = "figure"
    label = say("Figure")
    about = say("Size, text, colours and contents of a figure.")

    width: Length = field(default=Length(800.0), metadata=_extent(
        800.0, say("Width"), say("Width of the figure, such as 85mm, 3.3in or 800px.")))
    height: Length = field(default=Length(600.0), metadata=_extent(
        600.0, say("Height"), say("Height of the figure, such as 60mm, 2.4in or 600px.")))
    dpi: int = integer(192, 72, 600, least=24, most=2400, label=say("Resolution (dpi)"),
                       help=say("Resolution of a PNG in dots per inch: 96 matches the screen, 192 is sharp on any "
                                "screen, 300 or more is for print."))
    font: str = choice("sans", {"sans": say("As in the window"), "helvetica": verbatim("Helvetica, Arial"),
                                "times": verbatim("Times"), "latin modern": verbatim("Latin Modern (LaTeX)")},
                       label=say("Font"), help=say("Typeface, to match the surrounding text."))
    font_size: float = real(POINTS, 6.0, 24.0, least=4.0, most=72.0, unit="pt", label=say("Font size"),
                            help=say("Font size in points; lines and symbols scale with it."))
    line_scale: float = real(1.0, 0.5, 2.0, least=0.2, most=5.0, label=say("Line and symbol scale"),
                             help=say("Extra scale of lines and symbols relative to the text."))
    theme: str = choice("screen", {"screen": say("As in the window"), "light": say("Light"), "dark": say("Dark"),
                                   "print": say("Print")}, label=say("Theme"),
                        help=say("Colour theme. Print is black on white, with classes that stay "
                                 "distinct in greyscale."))
    transparent: bool = flag(False, label=say("Transparent background"),
                             help=say("Omits the background, so that whatever is behind the figure shows through."))
    heading: str = choice("none", {"none": say("None"), "scene": say("Scene name"), "typed": say("Custom")},
                          label=say("Title"), help=say("Title above the figure."))
    title: str = _words(say("Title text"), say("Text shown above the figure."), ("heading", ("typed",)))
    axes: str = choice("data", {"data": say("As in the data"), "typed": say("Custom"), "none": say("None")},
                       label=say("Axis labels"), help=say("Labels of the axes."))
    x_label: str = _words(say("Horizontal axis"), say("Label of the horizontal axis; if empty, the name in the data."),
                          ("axes", ("typed",)))
    y_label: str = _words(say("Vertical axis"), say("Label of the vertical axis; if empty, the name in the data."),
                          ("axes", ("typed",)))
    legend: str = choice("auto", {"auto": say("Best position"), "top left": say("Top left"),
                                  "top right": say("Top right"), "bottom left": say("Bottom left"),
                                  "bottom right": say("Bottom right"), "right": say("Outside, right"),
                                  "below": say("Outside, below"), "none": say("None")},
                         label=say("Legend"), help=say("Position of the legend."))
    colour_bar: bool = flag(True, label=say("Colour bar"), help=say("Shows which colour stands for which value."))
    hide: tuple[str, ...] = _some(LAYERS, say("Hidden"), say("Layers to hide, such as “slack, support”."))
    show: tuple[str, ...] = _some(LAYERS, say("Shown"), say("Layers to show even though the scene hides them."))
    text: str = choice("text", {"text": say("Text"), "outlines": say("Outlines")}, label=say("Text as"),
                       help=say("In SVG and PDF: text can be searched and edited; outlines look the same everywhere, "
                                "even without the font."))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels of 1/96 inch."""
        return self.width.px, self.height.px

    @property
    def scale(self) -> float:
        """Dots of a PNG for each pixel."""
        return self.dpi / DPI

    @property
    def dots(self) -> tuple[int, int]:
        """Width and height of a PNG."""
        return round(self.width.px * self.scale), round(self.height.px * self.scale)

    @property
    def unit(self) -> str:
        """The unit in which the width was given, of those a person chooses from."""
        return self.width.unit if self.width.unit in OFFERED else "mm"

    def sized(self, width: float, height: float, dpi: int | None = None) -> Self:
        """Return this figure with another size in pixels, and perhaps other dots."""
        return replace(self, width=Length(width), height=Length(height), dpi=self.dpi if dpi is None else dpi)

    def in_unit(self, unit: str) -> Self:
        """Return this figure with the same size said in another unit."""
        return replace(self, width=self.width.to(unit), height=self.height.to(unit))

    def size_text(self) -> tuple[str, str]:
        """Return width and height as people read them: 85 mm."""
        width, height = (f"{number(length.value, 4)} {length.unit}" for length in (self.width, self.height))
        return width, height

    def hidden(self, already: frozenset[Any]) -> frozenset[Any]:
        """Return the layers that are not drawn, of a scene that hides `already`."""
        hidden = (already | frozenset(self.hide)) - frozenset(self.show)
        return hidden | {"legend"} if self.legend == "none" else hidden

    def with_texts(self, given: Mapping[str, str]) -> Self:
        """Return this figure with values written as text, as on the command line, by name."""
        made = self
        for name, text in given.items():
            made = made.set_text(name, text)
        return made.asked(given)

    def with_values(self, given: Mapping[str, Any]) -> Self:
        """Return this figure with other values, by name."""
        made = self
        for name, value in given.items():
            made = made.replace(name, value)
        return made.asked(given)

    def asked(self, names: Iterable[str]) -> Self:
        """Return this figure when the values `names` were asked for: one that counts only beside another one, as a
        typed title does, brings that one along."""
        made, names = self, tuple(names)
        for name in names:
            when = self.params()[name].when
            if when is not None and when[0] not in names:
                made = made.replace(when[0], when[1][0])
        return made


@dataclass(frozen=True)
class Preset:
    """A size for a purpose, with the letters, dots and colours that go with it."""

    label: Say
    values: Mapping[str, Any]

    def of(self, figure: Figure) -> Figure:
        """Return `figure` with the values of this preset."""
        return replace(figure, **self.values)

    def fits(self, figure: Figure) -> bool:
        """Whether `figure` has the size, in any unit, the dots, letters and lines of this preset; the colours are a
        matter of taste."""
        pairs = [(value, getattr(figure, name)) for name, value in self.values.items() if name != "theme"]
        return all(math.isclose(here.px, there.px, rel_tol=5e-6) if isinstance(here, Length) else here == there
                   for here, there in pairs)


def _preset(label: Say, width: Length, height: Length, dpi: int, font_size: float, theme: str,
            line_scale: float = 1.0) -> Preset:
    return Preset(label, {"width": width, "height": height, "dpi": dpi, "font_size": font_size, "theme": theme,
                          "line_scale": line_scale})


PRESETS: Mapping[str, Preset] = {
    "window": _preset(say("As in the window"), Length(800), Length(600), 192, POINTS, "screen"),
    "slide": _preset(say("Slide 16:9, full"), Length(13.3333, "in"), Length(7.5, "in"), 144, 16.0, "light"),
    "half slide": _preset(say("Slide 16:9, half"), Length(6.25, "in"), Length(5.5, "in"), 192, 14.0, "light"),
    "paper": _preset(say("Paper, one column"), Length(85, "mm"), Length(76, "mm"), 600, 8.0, "print"),
    "wide paper": _preset(say("Paper, two columns"), Length(175, "mm"), Length(95, "mm"), 600, 8.0, "print"),
    "square": _preset(say("Square"), Length(120, "mm"), Length(120, "mm"), 300, POINTS, "light"),
}


def preset(name: str) -> Preset:
    """Return the preset called `name`; raises SpecError."""
    if name not in PRESETS:
        raise SpecError(say("There is no preset named {name}; available: {names}.", name=name,
                            names=", ".join(PRESETS)), "preset")
    return PRESETS[name]
