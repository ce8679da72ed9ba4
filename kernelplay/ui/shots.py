"""The shots of an animation, and what they have in common: limits of colours, legend, the room for captions."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelplay.i18n import Say, verbatim
from kernelplay.marks import Field, Mark
from kernelplay.ui.heading import Heading
from kernelplay.ui.layers import Layers
from kernelplay.ui.lettering import Lettering
from kernelplay.ui.paint import words
from kernelplay.ui.theme import Theme

CAPTION, REASON = 13.5, 12.0  # pixels of letters
EDGE = 14.0  # pixels beside them
LINES = 2  # of a caption, and of why there is no fit
CROWD = 24  # shots that say where the legend covers least
Limits = dict[tuple[bool, float], tuple[float, float]]  # by whether the field diverges, and from where


@dataclass(frozen=True, eq=False)
class Shot:
    """One picture of an animation before it is drawn."""

    caption: Say
    layers: Layers
    problem: Say | None = None  # there is no fit: why


@dataclass(frozen=True, eq=False)
class Settled(Layers):
    """Layers of one picture whose legend, colour bar and places of texts are those of the whole animation."""

    bar_of: Field | None = None
    everything: tuple[Mark, ...] = ()

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What legend and texts keep clear of, and what the legend names: the same in every picture."""
        return self.everything

    @property
    def field(self) -> Field | None:
        """The field that the colour bar explains."""
        return self.bar_of


def everything(shots: Sequence[Shot], bar: Field | None) -> tuple[Mark, ...]:
    """Return the entries of one legend, and the marks of some of the shots, which it should not cover; the points once,
    since there are no more of them than in one picture."""
    some = [shots[k] for k in np.unique(np.linspace(0, len(shots) - 1, min(CROWD, len(shots))).astype(int))]
    return (*_entries(shots), *((bar,) if bar is not None else ()), *shots[0].layers.points,
            *(replace(mark, label=None) for shot in some for mark in (*shot.layers.behind, *shot.layers.front)
              if not isinstance(mark, Field)))


def limits_of(fields: Sequence[Field]) -> Limits:
    """Return the widest limits of all fields of one kind."""
    found: Limits = {}
    for mark in fields:
        low, high = found.get((mark.diverging, mark.centre), mark.limits)
        found[mark.diverging, mark.centre] = (min(low, mark.limits[0]), max(high, mark.limits[1]))
    return found


def with_limits(of: Layers, limits: Limits) -> Layers:
    return replace(of, behind=tuple(
        replace(mark, limits=limits[mark.diverging, mark.centre]) if isinstance(mark, Field) and not mark.regions
        else mark for mark in of.behind))


def bar_of(fields: Sequence[Field], limits: Limits) -> Field | None:
    """Return a field that the colour bar of all pictures is drawn from: it goes as far as any of them does."""
    shown = [mark for mark in fields if not mark.regions and mark.values.size]
    if not shown:
        return None
    values = np.array([[min(float(mark.values.min()) for mark in shown), max(float(mark.values.max())
                                                                          for mark in shown)]], np.float32)
    return replace(shown[-1], values=values, limits=limits[shown[-1].diverging, shown[-1].centre])


def _entries(shots: Sequence[Shot]) -> tuple[Mark, ...]:
    """Return an empty mark for every entry that the legend has in any of the pictures: one for each role and kind of
    mark, and what differs in its words from picture to picture is left open."""
    found: dict[tuple[str, type[Mark]], tuple[Mark, Say]] = {}
    order: dict[tuple[str, type[Mark]], int] = {}
    for shot in shots:
        for place, mark in enumerate((*shot.layers.points, *shot.layers.behind, *shot.layers.front)):
            if mark.label is None or isinstance(mark, Field):
                continue
            key = (mark.role, type(mark))
            before = found.get(key)
            found[key] = (mark, mark.label if before is None else _open(before[1], mark.label))
            order[key] = max(order.get(key, 0), place)
    return tuple(replace(_emptied(found[key][0]), label=found[key][1]) for key in sorted(found, key=order.__getitem__))


def _open(one: Say, other: Say) -> Say:
    """Return a sentence without what two of the same kind differ in: "added: …"."""
    if one == other or one.template != other.template:
        return one
    values = tuple((name, value if dict(other.values).get(name) == value else verbatim("…"))
                   for name, value in one.values)
    return Say(one.template, values)


def _emptied(mark: Mark) -> Mark:
    nothing_there: dict[str, Any] = {}
    for each in dataclasses.fields(mark):
        value = getattr(mark, each.name)
        if isinstance(value, np.ndarray):
            nothing_there[each.name] = value[:0]
        elif each.name in ("lines", "texts"):
            nothing_there[each.name] = ()
    return replace(mark, **nothing_there)


class Top:
    """What stands above the plot: the title of the figure, what this picture is of, and why there is no fit. It has one
    height for all pictures."""

    def __init__(self, theme: Theme, language: str, width: float, title: Say, shots: Sequence[Shot]) -> None:
        self._theme, self._language, self._width = theme, language, width
        self._heading = Heading(theme, language)
        self._heading.text = words(title, language)
        self._under = self._heading.height(width)
        self._room = width - 2 * EDGE * theme.zoom
        rows = max(sum(len(lines) for _, lines, _ in self._texts(shot)) for shot in shots)
        self.height = math.ceil(self._under + 10 * theme.zoom + rows * self._row)

    @property
    def _row(self) -> float:
        return 1.15 * Lettering(self._theme, self._language, CAPTION).height

    def _texts(self, shot: Shot) -> Iterator[tuple[Lettering, list[str], str]]:
        for sentence, size, colour in ((shot.caption, CAPTION, self._theme.text),
                                       (shot.problem, REASON, self._theme.warn)):
            if sentence is not None:
                letters = Lettering(self._theme, self._language, size)
                yield letters, letters.wrapped(words(sentence, self._language), self._room, LINES), colour

    def draw(self, painter: QPainter, shot: Shot) -> None:
        """Write it."""
        self._heading.draw(painter, self._width)
        y = self._under + 8 * self._theme.zoom
        for letters, lines, colour in self._texts(shot):
            painter.setPen(QColor(colour))
            for text in lines:
                letters.write(painter, QRectF(EDGE * self._theme.zoom, y, self._room, self._row),
                              Qt.AlignmentFlag.AlignLeft, text)
                y += self._row
