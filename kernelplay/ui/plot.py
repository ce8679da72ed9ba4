"""A plot: one chart with its axes and legend as one graphics item (one file: what is painted over what)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Bars, Dots, Field, Mark, Text
from kernelplay.ui import hand
from kernelplay.ui.axes import Axes, named, ranked
from kernelplay.ui.colour_bar import ColourBar
from kernelplay.ui.crowd import Crowd
from kernelplay.ui.guard import guarded
from kernelplay.ui.hand import Over
from kernelplay.ui.heading import Heading
from kernelplay.ui.kept_dots import KeptDots
from kernelplay.ui.layers import Layers
from kernelplay.ui.legend import Legend
from kernelplay.ui.paint import Ink, note_size, patch, words
from kernelplay.ui.plane import Plane, device_ratio
from kernelplay.ui.seat import Seat
from kernelplay.ui.symbols import MANY_SIGNS, SIGNS, SIGNS_APART, thinned
from kernelplay.ui.theme import Theme

Rectangle = tuple[float, float, float, float]

DIM = 0.38  # of what is stale
FAINT = 0.15  # of a legend that something is drawn under


class Plot(pg.GraphicsObject):  # type: ignore[misc]
    """Draws `Layers` in a plane whose visible rectangle is kept by a pyqtgraph ViewBox.

    Everything is drawn by `draw` in the item's own coordinates, which are pixels: the ViewBox holds the range and the
    aspect lock and has no children.
    """

    def __init__(self, theme: Theme, language: str = "") -> None:
        super().__init__()
        self.theme = theme
        self.language = language
        self.layers = Layers()
        self.over = Over()
        self.names: tuple[Say, Say] = (verbatim(""), verbatim(""))
        self.caption: Say | None = None
        self.heading = Heading(theme, language)  # of a figure
        self.coloured = True  # a field has its colour bar
        self._legend = Legend(theme, language)
        self.axes = Axes(theme, language)
        self.ink = Ink(theme, language)
        self._bar = ColourBar(theme, language)
        self._size = (0.0, 0.0)
        self._left = self._right = 0.0
        self._ground = QPixmap()
        self._ground_for: tuple[Any, ...] = ()
        self._legend_drawn, self._legend_drawn_for = QPixmap(), tuple[Any, ...]()
        self._dots = {where: KeptDots() for where in ("behind", "points", "front")}
        self._few: dict[str, tuple[Dots, Plane, Dots]] = {}
        self._crowd: Crowd | None = None
        self._crowded: tuple[Any, ...] = ()
        self._seat = Seat(self._legend)
        self.later = False  # what changes now is laid out when somebody asks for it, or by `catch_up`
        self._unlaid = False  # and has not been yet
        self.quiet = False  # what changes now is painted later
        self.overdue = False  # what is behind the points is of another scene, and has been for a while
        self.zooming = False  # very many dots are enlarged as they are, and painted again when the hand rests
        self.faint = False  # the legend lets what is under it be seen, and takes no mouse
        self._held = False
        self._box = pg.ViewBox(parent=self, enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self._box.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._box.setVisible(False)  # it draws nothing, and would ask to be painted with every range
        self._plane = Plane(0, 0, 1, 1, (0.0, 1.0, 0.0, 1.0))

    def boundingRect(self) -> QRectF:
        """Return the whole area."""
        return QRectF(0, 0, *self._size)

    @property
    def plane(self) -> Plane:
        """Where data lie in pixels now."""
        self.catch_up()
        return self._plane

    @property
    def legend(self) -> Legend:
        """The legend, with what it shows now."""
        self.catch_up()
        return self._legend

    @property
    def seat(self) -> Seat:
        """Where the legend is now, and why."""
        self.catch_up()
        return self._seat

    def catch_up(self) -> None:
        """Lay out what was to be laid out later."""
        if self._unlaid:
            self._lay_out()

    def set_size(self, width: float, height: float) -> None:
        """Fill `width` x `height` pixels."""
        if (width, height) != self._size:
            self.prepareGeometryChange()
            self._size = (width, height)
            self._lay_out()

    def set_view(self, view: Rectangle, equal_aspect: bool | None = None) -> None:
        """Show the rectangle `view`; with equal aspect one side of it grows until both axes have the same scale."""
        if equal_aspect is not None:
            self._box.setAspectLocked(equal_aspect)
            self.axes.equal = equal_aspect
        self._box.setRange(xRange=view[:2], yRange=view[2:], padding=0, disableAutoRange=True)
        self._lay_out()

    def set_layers(self, layers: Layers, names: tuple[Say, Say], caption: Say | None = None) -> None:
        """Draw `layers` from now on."""
        self.layers, self.names, self.caption = layers, names, caption
        self.ink.keep(layers.marks)
        self.axes.x_numbers = not ranked(layers.marks)
        self.axes.x_whole = any(isinstance(mark, Bars) for mark in layers.marks)
        if self._held:  # the plane stays where it is, whatever comes and goes
            self._enter()
            self.seat.keep(self._size, self._plane)
            self.update()
        else:
            self._lay_out()

    def set_over(self, over: Over) -> None:
        """Draw what the hand adds from now on."""
        if over != self.over:
            self.over = over
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw with `theme` from now on."""
        if theme.zoom != self.theme.zoom:  # the margins grow with the letters
            self._left, self._right = 0.0, round(self._right * theme.zoom / self.theme.zoom)
        self.theme = self.legend.theme = self.axes.theme = self.ink.theme = self._bar.theme = theme
        self.heading.theme = theme
        self.retranslate()

    def retranslate(self) -> None:
        """Draw all words again, in the language in use."""
        self.ink.forget()
        self._ground_for = ()
        self._lay_out()

    def update(self) -> None:
        """Ask to be painted, unless that is going to happen anyway."""
        if not self.quiet:
            super().update()

    def _lay_out(self) -> None:
        """Give the plane what numbers, names, colour bar and a legend outside of it leave."""
        self._unlaid = self.later
        if self.later:
            return
        if min(self._size) < 1:
            return
        self._enter()
        if self.layers.legend:
            points = sum(len(mark.xy) for mark in self.layers.points if isinstance(mark, Dots))
            self.seat.settle(self._size, points, self._place, self._crowded_by, self._held)
        else:
            self._place(0.0, 0.0)
        self.update()

    def _enter(self) -> None:
        self.legend.enter(self.layers.marks if self.layers.legend else ())

    def _place(self, beside: float, below: float) -> Plane:
        """Place the plane, with so much room at its right and under it for a legend, and return it."""
        width, height = self._size
        zoom, field = self.theme.zoom, self._field
        small = height < 260 * zoom
        named_y = bool(words(self.names[1], self.language)) or self.caption is not None
        top = round((28 if named_y else 12) * zoom + self.heading.height(width))
        named_x = bool(words(self.names[0], self.language))
        bottom = ((16 if self.axes.x_numbers else 0) + (19 if named_x else 0) + (8 if small or below else 12)) * zoom
        bottom = round(bottom + below)
        right, self.legend.aside = 18 * zoom, 0.0
        if field is not None:
            need = self.legend.aside = self._bar.width(field) + 8 * zoom
            usual = max(need, self._bar.usual(field) + 8 * zoom) if not self.seat.whole else need
            right = max(usual + 6 * zoom, self._right if self.seat.fixed and not beside else 0.0)
            beside = beside and beside + need
        elif self.layers.bar and self.coloured:
            right = max(self._right, self._bar.expected + 14 * zoom)
        if not self._held:
            self._right = round(min(max(right, beside), 0.5 * width))
        right = self._right
        for _ in range(2):  # the numbers depend on the view, and the view on the room that the numbers leave
            (x0, x1), (y0, y1) = self._box.viewRange()
            need = self.axes.left(y0, y1, max(height - top - bottom, 1.0), named(self.layers.marks))
            if not (self._held or need <= self._left <= need + 22 * zoom):  # panning does not make the plane jump
                self._left = round(need + 8 * zoom)
            plane = (self._left, top, max(width - self._left - right, 20.0), max(height - top - bottom, 20.0))
            self._box.setGeometry(QRectF(*plane))
            (x0, x1), (y0, y1) = self._box.viewRange()
            self._plane = Plane(*plane, (float(x0), float(x1), float(y0), float(y1)))
        return self._plane

    @property
    def _stale(self) -> bool:
        """Whether what is behind the points is shown as out of date."""
        return self.layers.stale or (self.overdue and bool(self.layers.behind))

    @property
    def _field(self) -> Field | None:
        """The field that the colour bar explains, if there is to be one."""
        return self.layers.field if self.coloured else None

    @guarded
    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        """Draw on the screen."""
        self.draw(painter, keep=True)

    def draw(self, painter: QPainter, vector: bool = False, keep: bool = False) -> None:
        """Draw everything. vector: symbols as paths, for SVG and PDF. keep: on a screen, what does not follow the hand
        is kept as a picture, so that a point that moves costs no more than the points."""
        plane, layers = self._plane, self.layers
        still = tuple(mark for mark in layers.behind if not isinstance(mark, Dots))
        written = any(isinstance(mark, Text) or getattr(mark, "texts", ()) for mark in layers.marks)
        crowd = self._crowded_by() if written else None
        if keep:
            self._draw_kept(painter, still, crowd)
        else:
            self._draw_ground(painter, still, crowd, vector)
        painter.save()
        painter.setClipRect(QRectF(plane.left, plane.top, plane.width, plane.height), Qt.ClipOperation.IntersectClip)
        hand.nodes(painter, self.theme, self.over, plane)
        hand.halos(painter, self.theme, self.over, self._places)
        painter.setOpacity(DIM if self._stale else 1.0)
        rings = tuple(mark for mark in layers.behind if isinstance(mark, Dots))
        self._draw_dots(painter, "behind", rings, vector, keep)
        painter.setOpacity(1.0)
        self._draw_dots(painter, "points", layers.points, vector, keep)
        self._draw_dots(painter, "front", layers.front, vector, keep, crowd)
        hand.tools(painter, self.theme, self.over, plane)
        painter.restore()
        if layers.legend and self.legend.texts:
            self.arrange_legend()
            self._draw_legend(painter, keep)
        if self._stale:
            text = words(say("Out of date: the last good fit") if layers.stale else
                         say("Out of date: the new fit is still being computed"), self.language)
            place = self.corner(note_size(self.theme, text, self.language))
            patch(painter, self.theme, place, text, self.language, self.theme.warn)
        hand.notes(painter, self.theme, self.over, plane, self.language)

    def _draw_dots(self, painter: QPainter, where: str, marks: tuple[Mark, ...], vector: bool, keep: bool,
                   crowd: Crowd | None = None) -> None:
        """Draw dots, on a screen very many of them as they were kept; and whatever else is among them."""
        marks = tuple(self._some(mark) if isinstance(mark, Dots) and mark.role in SIGNS and len(mark.xy) > MANY_SIGNS
                      else mark for mark in marks)
        dots = [mark for mark in marks if isinstance(mark, Dots)]
        if not keep or len(dots) < len(marks):
            self.ink.draw(painter, self._plane, marks, vector=vector, crowd=crowd)
            return

        def draw(painter: QPainter, some: Sequence[Dots]) -> None:
            self.ink.draw(painter, self._plane, some)

        looks = (self.theme, self.ink.crowded)
        self._dots[where].draw(painter, dots, self._plane, self._size, looks, draw, self.zooming)

    def _some(self, mark: Dots) -> Dots:
        """Return the crosses or rings that stand for very many: all of them would be one black mass."""
        kept = self._few.get(mark.role)
        if kept is None or kept[0] is not mark or kept[1] != self._plane:
            plane = self._plane
            rows = thinned(plane.pixels(mark.xy), MANY_SIGNS, SIGNS_APART * self.theme.zoom,
                           tuple(plane.pixels(np.zeros((1, 2)))[0].tolist()))
            kept = self._few[mark.role] = (mark, plane, replace(mark, xy=mark.xy[rows], index=np.zeros(0, np.intp)))
        return kept[2]

    def corner(self, size: QSizeF) -> QRectF:
        """Return the corner of the plane, of this size, that is freest of legend and points."""
        plane, crowd = self._plane, self._crowded_by()
        corners = [QRectF(QPointF(x, y), size) for y in (plane.top + 6, plane.bottom - 6 - size.height())
                   for x in (plane.left + 6, plane.right - 6 - size.width())]
        under = self.legend_rect
        return min(corners, key=lambda each: (each.intersects(under), crowd.dots_under(each)))

    def _draw_legend(self, painter: QPainter, keep: bool) -> None:
        if not keep:
            self.legend.draw(painter)
            return
        painter.setOpacity(FAINT if self.faint else 1.0)
        ratio, rect = device_ratio(painter), self.legend.rect
        state = (self.legend.contents, rect.size(), self.theme, ratio)
        if state != self._legend_drawn_for:
            drawn = QPixmap(math.ceil((rect.width() + 2) * ratio), math.ceil((rect.height() + 2) * ratio))
            drawn.setDevicePixelRatio(ratio)
            drawn.fill(Qt.GlobalColor.transparent)
            inner = QPainter(drawn)
            inner.translate(-rect.left(), -rect.top())
            self.legend.draw(inner)
            inner.end()
            self._legend_drawn, self._legend_drawn_for = drawn, state
        painter.drawPixmap(QPointF(rect.topLeft().toPoint()), self._legend_drawn)
        painter.setOpacity(1.0)

    def _draw_kept(self, painter: QPainter, still: tuple[Mark, ...], crowd: Crowd | None) -> None:
        """Draw the ground as it was kept; of what has changed in it, draw the axes again only if they have."""
        ratio = device_ratio(painter)
        axes = (self._plane, self._size, self.names, self.caption, named(self.layers.marks), self.axes.x_numbers,
                self.axes.x_whole, self.theme, ratio)
        state = (still, self._stale, self.layers.contour_labels, self._lit if ranked(still) else None)
        if (axes, state) != self._ground_for:
            around = not self._ground_for or axes != self._ground_for[0]
            pixels = QSize(math.ceil(self._size[0] * ratio), math.ceil(self._size[1] * ratio))
            if self._ground.size() != pixels or self._ground.devicePixelRatio() != ratio:
                self._ground = QPixmap(pixels)
                self._ground.setDevicePixelRatio(ratio)
            inner = QPainter(self._ground)
            self._draw_ground(inner, still, crowd, vector=False, around=around)
            inner.end()
            self._ground_for = (axes, state)
        painter.drawPixmap(0, 0, self._ground)

    def _draw_ground(self, painter: QPainter, still: tuple[Mark, ...], crowd: Crowd | None, vector: bool,
                     around: bool = True) -> None:
        """Draw what does not follow the hand: paper, fields, grid, lines, colour bar; around: and the axes."""
        plane, layers = self._plane, self.layers
        inside = QRectF(plane.left, plane.top, plane.width, plane.height)
        if self.theme.ground:
            if around:
                painter.fillRect(self.boundingRect(), QColor(self.theme.paper))
            else:  # of the colour bar that was there, if any
                painter.fillRect(self._bar.room(plane, self._size[0]), QColor(self.theme.paper))
            painter.fillRect(inside, QColor(self.theme.plane))
        painter.save()
        painter.setClipRect(inside, Qt.ClipOperation.IntersectClip)
        painter.setOpacity(DIM if self._stale else 1.0)
        self.ink.draw(painter, plane, tuple(mark for mark in still if mark.layer == "field"), vector=vector)
        self.axes.grid(painter, plane)
        self.ink.draw(painter, plane, tuple(mark for mark in still if mark.layer != "field"), vector=vector,
                      texts=layers.contour_labels and not ranked(still), chosen=self._lit, crowd=crowd)
        painter.restore()
        self.axes.frame(painter, plane)
        if around:
            caption = words(self.caption, self.language) if self.caption is not None else ""
            self.axes.draw(painter, plane, words(self.names[0], self.language), words(self.names[1], self.language),
                           named(self.layers.marks), caption)
            self.heading.draw(painter, self._size[0])
        if self._field is not None:
            painter.setOpacity(DIM if self._stale else 1.0)
            self._bar.draw(painter, self._field, plane)
            painter.setOpacity(1.0)

    @property
    def _lit(self) -> frozenset[int]:
        """The rows whose bars are outlined."""
        pointed = self.over.pointed
        return self.over.chosen if pointed is None else self.over.chosen | {pointed}

    @property
    def legend_rect(self) -> QRectF:
        """Where the legend is, empty when it is not shown."""
        return self.legend.rect if self.layers.legend else QRectF()

    def hold(self, held: bool) -> None:
        """Keep the plane where it is while something is dragged in it, whatever comes and goes."""
        if held != self._held:
            self.catch_up()
            self._held = held
            if not held:
                self._lay_out()

    def takes(self, at: QPointF) -> bool:
        """Whether the mouse at a pixel has the legend."""
        return not self.faint and self.legend_rect.contains(at)

    def fade_legend(self, faint: bool) -> None:
        """Let what is under the legend be seen, or no more."""
        if faint != self.faint:
            self.faint = faint
            self.update()

    def drag_legend(self, corner: QPointF) -> None:
        """Put the upper left corner of the legend at a pixel; there it stays."""
        if self.seat.form != "inside" and not self.legend.has_room(self._plane):
            return
        self.legend.drag_to(corner, self._plane)
        self.seat.lift()
        self._lay_out()

    def release_legend(self) -> None:
        """Let the legend find its place by itself again."""
        self._legend.dragged = None
        self._legend.closed = False
        fixed = self._seat.fixed
        self.unseat()
        self._lay_out()
        if fixed:
            self.seat.fix()

    def unseat(self) -> None:
        """Choose form and place of the legend anew with the next layout."""
        self._seat.forget()

    def step(self, shown: bool) -> None:
        """Take note whether a step of the player is shown."""
        self._seat.step(shown)

    def toggle_legend(self) -> bool:
        """Fold the legend into a chip, or open the chip; False if there is no legend."""
        if not (self.layers.legend and self.legend.texts):
            return False
        self.legend.toggle()
        self.arrange_legend()
        self.update()
        return True

    def press_legend(self) -> bool:
        """Open or close a legend that is folded, as a click does; False if it is not: a click takes it then."""
        return self.legend.folded and self.toggle_legend()

    def arrange_legend(self) -> None:
        """Place the legend for what is shown now; while something is dragged it stays."""
        if not (self._held and self.legend.rect.isValid()):
            self.seat.arrange(self._size, self._plane, self._crowded_by)

    def _crowded_by(self) -> Crowd:
        """Return how crowded the plane is with what is shown now."""
        state = (self._plane, self.layers)
        if self._crowd is None or state != self._crowded:
            self._crowd, self._crowded = Crowd(self.layers.marks, self._plane), state
        return self._crowd

    def _places(self, rows: frozenset[int]) -> np.ndarray[Any, Any]:
        """Return the pixels (k, 2) of the points `rows`."""
        n = 1 + max((int(mark.index.max()) for mark in self.layers.points if isinstance(mark, Dots)
                     and len(mark.index)), default=-1)
        chosen = np.full(n, len(rows) == n)
        if len(rows) != n:
            wanted = np.fromiter(rows, np.intp, len(rows))
            chosen[wanted[wanted < n]] = True
        found = [mark.xy[chosen[mark.index]] for mark in self.layers.points if isinstance(mark, Dots)]
        return self._plane.pixels(np.vstack([np.zeros((0, 2)), *found]))
