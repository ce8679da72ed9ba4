"""Animations: the steps of a player or a sweep of one parameter, drawn on one plane that stays where it is.

What may not jump is settled before the first picture is drawn: the view, the colours of the field (the widest limits of
all pictures), the legend (the entries of all of them, where it covers least of them). Kept are marks, some hundred
kilobytes a picture; pixels are made one picture at a time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from kernelplay.animations import Source
from kernelplay.compute import Compute, Request
from kernelplay.errors import FileError, FitError, SpecError
from kernelplay.figures import Figure, Length
from kernelplay.i18n import Say, current, say, verbatim
from kernelplay.marks import Chart, Field, Picture
from kernelplay.models.base import Check, nothing
from kernelplay.scene import Rectangle, Scene, axis_labels, data_view
from kernelplay.sweep import Sweep
from kernelplay.ui import figure, page
from kernelplay.ui.animated_files import Pixels
from kernelplay.ui.layers import Layers, layers
from kernelplay.ui.plot import Plot
from kernelplay.ui.shots import Settled, Shot, Top, bar_of, everything, limits_of, with_limits
from kernelplay.ui.theme import LIGHT, Theme


class Progress(NamedTuple):
    """How far the work is: `done` of `total` pictures have been computed, or drawn."""

    drawing: bool
    done: int
    total: int


Tell = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Tell nobody."""


@dataclass(frozen=True, eq=False)
class Film:
    """The pictures of an animation, ready to be drawn one after another. `order`: of `shots`, as they are shown."""

    shots: tuple[Shot, ...]
    order: tuple[int, ...]
    plot: Plot
    look: Figure
    top: Top
    bare: bool = False  # no legend is wanted

    def __len__(self) -> int:
        return len(self.order)

    @property
    def failures(self) -> Say | None:
        """Which pictures have no fit, and why; None if all have one."""
        failed = [shot for shot in self.shots if shot.problem is not None]
        if not failed:
            return None
        why, first, last = failed[0].problem, failed[0].caption, failed[-1].caption
        if len(failed) == 1:
            return say("Frame {first} has no fit; it shows the last good fit, marked as out "
                       "of date. {why}", first=first, why=why)
        return say("{n} frames between {first} and {last} have no fit; they show the last good fit, marked as out of "
                   "date. {why}", n=len(failed), first=first, last=last, why=why)

    def draw(self, painter: QPainter, place: int, vector: bool = False) -> None:
        """Draw the picture at `place` of the order, in the plot's own pixels: `page.room` of the figure."""
        shot, plot = self.shots[self.order[place]], self.plot
        if plot.theme.ground:
            painter.fillRect(QRectF(0, 0, page.room(self.look)[0], self.top.height + 1), QColor(plot.theme.paper))
        plot.set_layers(shot.layers, plot.names, plot.caption)
        painter.save()
        painter.translate(0, self.top.height)
        plot.draw(painter, vector=vector)
        painter.restore()
        self.top.draw(painter, shot)

    def image(self, place: int, dots: tuple[int, int] | None = None) -> QImage:
        """Return the picture at `place` of the order, with the dots of a PNG unless others are given."""
        wide, high = dots or self.look.dots
        target = QImage(wide, high, QImage.Format.Format_RGBA8888_Premultiplied if self.look.transparent
                        else QImage.Format.Format_RGB32)
        target.setDevicePixelRatio(wide / page.room(self.look)[0])
        target.fill(Qt.GlobalColor.transparent if self.look.transparent else QColor(self.plot.theme.paper))
        painter = QPainter(target)
        self.draw(painter, place)
        painter.end()
        return target

    def inks(self) -> tuple[tuple[int, int, int], ...]:
        """Return the colours of paper, letters, pens and symbols of all pictures."""
        theme = self.plot.theme
        named = {theme.paper, theme.plane, theme.text, theme.text_mid, theme.tick, theme.frame, theme.neutral}
        if any(shot.layers.stale for shot in self.shots):
            named.add(theme.warn)
        for role in {mark.role for mark in self.shots[0].layers.marks}:
            named |= {theme.roles[role].fill, theme.roles[role].line}
        colours = [QColor(name) for name in sorted(named) if name]
        return tuple((colour.red(), colour.green(), colour.blue()) for colour in colours)


def film(scene: Scene, source: Source, look: Figure, language: str = "", *, view: Rectangle | None = None,
         screen: Theme = LIGHT, strip: bool = False, check: Check = nothing, tell: Tell = silent) -> Film:
    """Return the pictures of `scene` that `source` asks for, at the size and in the look of a figure.

    view: what is seen at least, in all of them (default: that of the scene); screen: the theme of the window; strip:
    without legends, for a filmstrip, which has one for all. Raises SpecError where there are no such pictures, FitError
    where not one of them has a fit, FileError where letters leave no room for the picture, Cancelled when `check` does.
    """
    figure.application()
    bare = "legend" in figure.shown(scene, look).hidden
    if strip:
        look = replace(look, legend="none")
    scene = figure.shown(scene, look)
    view = view or scene.view or data_view(scene)
    takes = _Takes(scene, source, check)
    shots = takes.scouts(view, look.width.px / look.height.px)
    seen: Rectangle | None = None
    for _ in range(4):  # the room for the colour bar's numbers and the legend depends on the pictures
        settled, plot, top = _settled(shots, scene, look, language, view, screen)
        plane = plot.plane
        if plane.view == seen:
            break
        seen = plane.view
        shots = takes.all(seen, plane.width / plane.height, tell)
    if all(shot.problem is not None for shot in shots):
        raise FitError(say("No frame has a fit, so there is nothing to animate. {why}", why=shots[0].problem))
    order = source.order if isinstance(source, Sweep) else tuple(range(len(shots)))
    plot.hold(True)
    return Film(settled, order, plot, look, top, bare)


class _Takes:
    """Makes the shots of one source; for the steps of a player the model is fitted once."""

    def __init__(self, scene: Scene, source: Source, check: Check) -> None:
        self._scene, self._source, self._check = scene, source, check
        self._compute = Compute()

    def scouts(self, view: Rectangle, aspect: float) -> tuple[Shot, ...]:
        """Return the first, the middle and the last one: enough to guess how much room there will be."""
        return self._take(view, aspect, silent, few=True)

    def all(self, view: Rectangle, aspect: float, tell: Tell) -> tuple[Shot, ...]:
        """Return all of them, as seen in `view`."""
        return self._take(view, aspect, tell, few=False)

    def _take(self, view: Rectangle, aspect: float, tell: Tell, few: bool) -> tuple[Shot, ...]:
        scene, source = self._scene, self._source
        made: list[Shot] = []
        if isinstance(source, Sweep):
            values = _few(source.there) if few else source.there
            # the good fit before a value that has none is one of this animation, whatever was looked at first
            compute = Compute()
            for done, value in enumerate(values):
                tell(Progress(False, done, len(values)))
                self._check()
                one = source.scene(scene, value)
                picture = compute.picture(Request(one, view, aspect=aspect), self._check)
                made.append(Shot(source.caption(scene.model, value), layers(picture, one), picture.problem))
            return tuple(made)
        picture = self._compute.picture(Request(scene, view, aspect=aspect), self._check)
        if picture.problem is not None:
            raise FitError(picture.problem)
        if picture.frames is None:
            raise SpecError(say("This model has no steps to play: choose a parameter to sweep instead."), "steps")
        places = source.places(picture.frames.count)
        places = _few(places) if few else places
        for done, place in enumerate(places):
            tell(Progress(False, done, len(places)))
            self._check()
            frame = picture.frames.at(place)
            made.append(Shot(frame.caption, layers(picture, scene, frame)))
        return tuple(made)


def _few(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((values[0], values[len(values) // 2], values[-1])))


def _settled(shots: tuple[Shot, ...], scene: Scene, look: Figure, language: str, view: Rectangle,
             screen: Theme) -> tuple[tuple[Shot, ...], Plot, Top]:
    """Return the shots with one legend and one scale of colours, the plot that all are drawn on, and what is above."""
    fields = [mark for shot in shots for mark in shot.layers.behind if isinstance(mark, Field)]
    limits = limits_of(fields)
    shots = tuple(replace(shot, layers=with_limits(shot.layers, limits)) for shot in shots)
    bar = bar_of(fields, limits)
    marks = everything(shots, bar)
    top = Top(figure.look(look, screen), language or current(), page.room(look)[0], figure.heading(look, scene), shots)
    height = look.height.px - top.height * page.zoom(look)
    x_label, y_label = axis_labels(scene)
    chart = Chart("canvas", verbatim(""), marks, x_label, y_label, equal_aspect=scene.task == "classification")
    plot = figure.plot(Picture((chart,), verbatim(""), scene=scene), scene, _beneath(look, height), screen=screen,
                       language=language, view=view)
    base = {each.name: getattr(plot.layers, each.name) for each in dataclasses.fields(Layers)}
    plot.arrange_legend()
    made = tuple(replace(shot, layers=Settled(**base | {
        "behind": shot.layers.behind, "points": shot.layers.points, "front": shot.layers.front,
        "stale": shot.layers.stale, "bar_of": bar, "everything": marks})) for shot in shots)
    return made, plot, top


def _beneath(look: Figure, height: float) -> Figure:
    """Return the figure without its title, `height` pixels high; raises FileError where that is too little."""
    try:
        return replace(look, heading="none", height=Length(height))
    except SpecError:
        raise FileError(say("The captions leave no room for the plot: increase the size or reduce the font size.")) \
            from None


def pixels(image: QImage) -> Pixels:
    """Return an image as (height, width, 3), or 4 with opacity."""
    opaque = image.format() == QImage.Format.Format_RGB32
    plain = image.convertToFormat(QImage.Format.Format_RGB888 if opaque else QImage.Format.Format_RGBA8888)
    depth = 3 if opaque else 4
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : depth * plain.width()].reshape(plain.height(), plain.width(), depth).copy()


def drawn(made: Film, check: Check = nothing, tell: Tell = silent) -> Iterator[Pixels]:
    """Give the pixels of one picture after another."""
    for place in range(len(made)):
        tell(Progress(True, place, len(made)))
        check()
        yield pixels(made.image(place))
