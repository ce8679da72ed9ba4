"""The legend: an entry for every mark that has a name, where it covers least or was dragged (one file: one layout)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kernelplay.i18n import say
from kernelplay.marks import Band, Bars, Curve, Dots, Field, Mark, Segments, Text
from kernelplay.ui.crowd import Crowd
from kernelplay.ui.lettering import Lettering
from kernelplay.ui.paint import ARROW, arrow, words
from kernelplay.ui.plane import Plane
from kernelplay.ui.symbols import MANY_SIGNS, SIGNS, draw_one, fill, pen
from kernelplay.ui.theme import Theme

MARGIN = 12.0  # between legend and frame
LETTERS = 12.0
ROW, TIGHT = 21.0, 18.5  # pixels of a line; on a page, where room is dear
APART = 9.0  # pixels more between two entries of a line than between columns
LINES = 0.85  # of the lines that columns would take: so much shorter it is worth not to be aligned
PATIENCE = 24.0  # what may come under it before it goes elsewhere: less than a dot, of a boundary 70 pixels
SHARE = 1 / 3  # of the plane that it may take
INSET = 8.0  # pixels from the frame, in a corner that was asked for
# shares of the free room at its left and above it, and what each place costs
PLACES = ((1, 0, 0.0), (0, 0, 0.1), (1, 1, 0.2), (0, 1, 0.3), (1, 0.5, 0.6), (0, 0.5, 0.65), (0.5, 0, 0.7),
          (0.5, 1, 0.75), (1, 0.25, 0.8), (1, 0.75, 0.8), (0, 0.25, 0.85), (0, 0.75, 0.85), (0.25, 0, 0.9),
          (0.75, 0, 0.9), (0.25, 1, 0.9), (0.75, 1, 0.9))


@dataclass(frozen=True)
class Entry:
    """One line of the legend."""

    mark: Mark
    text: str


def entries(marks: Sequence[Mark], language: str) -> tuple[Entry, ...]:
    """Return an entry for every different label, points first. A field's label stands beside its colour bar."""
    found: dict[str, Entry] = {}
    points = [mark for mark in marks if mark.layer == "points"]
    for mark in (*sorted(points, key=lambda mark: mark.role == "faded"), *marks):
        if mark.label is not None and not isinstance(mark, (Field, Text)):
            dense = isinstance(mark, Dots) and mark.role in SIGNS and len(mark.xy) > MANY_SIGNS
            text = words(say("{what}; one for several where dense", what=mark.label) if dense else mark.label, language)
            found.setdefault(text, Entry(mark, text))
    return tuple(found.values())


class Legend:
    """Measures, places and draws the legend of one plot.

    Its place is chosen again only when it would cover something, so that it does not dance while a point is dragged.
    """

    def __init__(self, theme: Theme, language: str = "") -> None:
        self.theme = theme
        self.language = language
        self.dragged: QPointF | None = None  # where it was put, as shares of the free room; None: where it covers least
        self.corner: tuple[int, int] | None = None  # of a figure: (1, 0) is the upper right one
        self.pitch = ROW  # pixels from one line to the next
        self.aside = 0.0  # pixels of a colour bar between it and the plane
        self.rect = QRectF()
        self.framed = True  # it lies on what is drawn
        self.folded = False  # there is only room for a chip that opens it
        self.open = False  # all the same, it was opened
        self.closed = False  # by hand, though there is room
        self.shrink = 1.0  # of its letters and samples
        self._entries: tuple[Entry, ...] = ()
        self._columns = 1
        self._lines: tuple[int, ...] = ()  # under the plane: the entries of each line, where columns would be too wide
        self._bore = 0.0  # what the place cost when it was chosen: no better one was free
        self._bore_for = QRectF()  # in this plane

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the entries."""
        return tuple(entry.text for entry in self._entries)

    @property
    def contents(self) -> tuple[object, ...]:
        """What is to be seen of it: role, text, kind of mark of each entry, and the form."""
        entries = tuple((entry.mark.role, entry.text, type(entry.mark)) for entry in self._entries)
        return entries, self.framed, self.folded, self.open, self.shrink, self._columns, self._lines

    @property
    def zoom(self) -> float:
        """How much larger than in the theme everything in it is."""
        return self.theme.zoom * self.shrink

    @property
    def chip(self) -> bool:
        """Whether the chip stands for it now."""
        return self.folded and not self.open

    def toggle(self) -> None:
        """Close it into the chip, or open the chip."""
        chip = self.chip
        self.closed, self.open = not chip and not self.folded, chip

    def loosen(self) -> None:
        """Choose its place anew, as if it had had none."""
        self.rect, self._bore_for = QRectF(), QRectF()

    def enter(self, marks: Sequence[Mark]) -> None:
        """Take the entries from `marks`."""
        self._entries = entries(marks, self.language)
        if not self._entries:
            self.rect = QRectF()

    def arrange(self, plane: Plane, crowd: Crowd) -> float:
        """Put the legend into `plane` and return how many dots it covers there; infinitely many where it is too large,
        and none of those that it was put on by hand."""
        if not self._entries:
            return 0
        self.framed, self.folded, self._lines = True, False, ()
        if self.corner is not None:
            return self._put(plane)
        if self.dragged is not None and self.has_room(plane):
            size = self._size(self._columns)
            corner = QPointF(plane.left + self.dragged.x() * (plane.width - size.width()),
                             plane.top + self.dragged.y() * (plane.height - size.height()))
            self.rect = QRectF(corner, size)
            return 0
        sizes = {columns: size for columns in self._forms()
                 if (size := self._size(columns)).width() * size.height() <= SHARE * plane.width * plane.height}
        return crowd.dots_under(self.rect) if self._settle(plane, crowd, sizes) else np.inf

    def _put(self, plane: Plane) -> float:
        """Put it into its corner, in the form that covers least; return 0, or infinity if it is too large."""
        assert self.corner is not None
        sizes = [(columns, self._size(columns)) for columns in self._forms()]
        fits = [(size.width() * size.height(), columns, size) for columns, size in sizes
                if size.width() * size.height() <= SHARE * plane.width * plane.height
                and size.width() <= plane.width - 2 * INSET and size.height() <= plane.height - 2 * INSET]
        if not fits:
            return np.inf
        _, self._columns, size = min(fits, key=lambda each: each[:2])
        x, y = self.corner
        self.rect = QRectF(QPointF(plane.left + INSET + x * (plane.width - size.width() - 2 * INSET),
                                   plane.top + INSET + y * (plane.height - size.height() - 2 * INSET)), size)
        return 0

    def keep(self, plane: Plane) -> None:
        """Stay where it is in `plane`, with the entries it has now."""
        stay = self._anchored(self._size(self._columns), plane)
        self.rect = QRectF(max(min(stay.left(), plane.right - stay.width()), plane.left),
                           max(min(stay.top(), plane.bottom - stay.height()), plane.top), stay.width(), stay.height())

    def fold(self, plane: Plane, crowd: Crowd, around: QRectF, aside: QPointF | None = None) -> None:
        """Put the chip into `plane`, or `aside`, where there is room outside of it; opened, the legend goes over
        everything, inside `around`."""
        self.framed = self.folded = True
        self._lines = ()
        if not self.open:
            self.shrink = 1.0
            self._columns = 1
            if aside is not None:
                self.rect = QRectF(aside, self._chip_size())
                return
            stay = QRectF(self.rect.topLeft(), self._chip_size())
            inside = QRectF(plane.left, plane.top, plane.width, plane.height).contains(stay)
            if self.rect == stay and inside and self._at_home(stay, plane) and not crowd.dots_under(stay):
                return  # lines and fields that change with the steps of the player do not make it dance
            self._settle(plane, crowd, {1: self._chip_size()})
            return
        room = around.adjusted(4, 4, -4, -4)
        forms = ((shrink, columns) for shrink in np.arange(1.0, 0.49, -0.1).tolist() for columns in self._forms())
        for self.shrink, self._columns in forms:
            size = self._size(self._columns)
            if size.width() <= room.width() and size.height() <= room.height():
                break
        self.rect = QRectF(QPointF(max(min(plane.right - 4, room.right()) - size.width(), room.left()),
                                   max(min(plane.top + 4, room.bottom() - size.height()), room.top())), size)

    def _settle(self, plane: Plane, crowd: Crowd, sizes: dict[int, QSizeF]) -> bool:
        """Stay, or take the cheapest place for one of `sizes`, by columns; False if there is none."""
        room = QRectF(plane.left, plane.top, plane.width, plane.height)
        stay = self._anchored(sizes.get(self._columns, QSizeF()), plane)
        may = self._columns in sizes and room.contains(stay) and self._at_home(stay, plane)
        here = crowd.under(stay) if may else np.inf
        if here <= max(1.2 * self._bore, self._bore + PATIENCE) and self._bore_for == room:
            self.rect = stay
            return True
        candidates = [(columns, QRectF(corner, size), whim + 0.95 * (columns - 1)) for columns, size in sizes.items()
                      for corner, whim in self._corners(plane, size, wide=columns > 1)]
        if not candidates:
            return False
        cost, columns, place = min(((crowd.under(place) + whim, columns, place) for columns, place, whim in candidates),
                                   key=lambda each: each[0])
        if cost < 0.7 * here or crowd.dots_under(place) < crowd.dots_under(stay):
            self.rect, self._columns, self._bore = place, columns, cost if cost >= 1 else 0.0
        else:
            self.rect, self._bore = stay, here
        self._bore_for = room
        return True

    def _anchored(self, size: QSizeF, plane: Plane) -> QRectF:
        """Return its place with another size: it grows away from the sides of the plane that it is near to."""
        rect = self.rect
        right = plane.right - rect.right() < rect.left() - plane.left
        low = plane.bottom - rect.bottom() < rect.top() - plane.top
        return QRectF(QPointF(rect.right() - size.width() if right else rect.left(),
                              rect.bottom() - size.height() if low else rect.top()), size)

    def has_room(self, plane: Plane) -> bool:
        """Whether it may lie in `plane` in the form it has."""
        size = self._size(self._columns)
        return (size.width() * size.height() <= SHARE * plane.width * plane.height
                and size.width() <= plane.width and size.height() <= plane.height)

    def arrange_beside(self, plane: Plane) -> float:
        """Put the legend at the right of the plane; return the room it takes."""
        self._lines = ()
        fits = [k for k in self._forms() if self._size(k).height() <= plane.height + 16 * self.zoom]
        self._columns = fits[0] if fits else max(len(self._entries), 1)
        corner = QPointF(plane.right + self.aside + 10 * self.zoom, max(plane.top - 7 * self.zoom, 0.0))
        return self._at(corner).width() + 14 * self.zoom

    def arrange_below(self, width: float, left: float, top: float) -> float:
        """Put the legend into a strip `width` pixels wide whose upper left corner is given; return its height."""
        fits = [k for k in range(len(self._entries), 0, -1) if self._size(k).width() <= width]
        self._columns = fits[0] if fits else 1
        lines = self._filled(width)
        self._lines = lines if len(lines) < LINES * self._in_column(self._columns) else ()
        return self._at(QPointF(left, top)).height()

    def _filled(self, width: float) -> tuple[int, ...]:
        """Return how many entries each line takes if one is filled after the other, whatever stands above it."""
        lines: list[int] = []
        room = 0.0
        for wide in self._widths(len(self._entries)):
            if not lines or wide > room:
                lines.append(0)
                room = width - 8 * self.zoom
            lines[-1] += 1
            room -= wide + APART * self.zoom
        return tuple(lines)

    def _at(self, corner: QPointF) -> QSizeF:
        self.framed = self.folded = False
        size = self._size(self._columns) if self._entries else QSizeF(0, 0)
        if self._lines:
            size = QSizeF(max(x for x, _, _ in self._places()) + 8 * self.zoom,
                          len(self._lines) * self._row + 12 * self.zoom)
        self.rect = QRectF(corner, size)
        return size

    def _in_column(self, columns: int) -> int:
        return -(-len(self._entries) // columns)

    def _places(self) -> list[tuple[float, float, int]]:
        """Return for each entry where it ends and where it begins, and in which line, in pixels from the left."""
        if self._lines:
            each, places = iter(self._widths(len(self._entries))), []
            for line, count in enumerate(self._lines):
                start = 0.0
                for _ in range(count):
                    wide = next(each)
                    places.append((start + wide, start, line))
                    start += wide + APART * self.zoom
            return places
        rows, widths = self._in_column(self._columns), self._widths(self._columns)
        return [(sum(widths[:k // rows + 1]), sum(widths[:k // rows]), k % rows) for k in range(len(self._entries))]

    def drag_to(self, corner: QPointF, plane: Plane) -> None:
        """Put the upper left corner of the legend at a pixel, kept inside the plane; there it stays."""
        free_x = max(plane.width - self.rect.width(), 1e-9)
        free_y = max(plane.height - self.rect.height(), 1e-9)
        self.dragged = QPointF(min(max((corner.x() - plane.left) / free_x, 0.0), 1.0),
                               min(max((corner.y() - plane.top) / free_y, 0.0), 1.0))

    def draw(self, painter: QPainter) -> None:
        """Draw the legend where it was put."""
        if not self._entries:
            return
        zoom = self.zoom
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.framed:
            ground = QColor(self.theme.legend)
            ground.setAlphaF(0.97 if self.folded else 0.93)
            painter.setPen(QPen(QColor(self.theme.card_edge), 1.0))
            painter.setBrush(ground)
            painter.drawRoundedRect(self.rect.adjusted(0.5, 0.5, -0.5, -0.5), 6 * zoom, 6 * zoom)
        letters = self._letters()
        if self.chip:
            self._draw_chip(painter)
            return
        for entry, (_, left, row) in zip(self._entries, self._places(), strict=True):
            x = self.rect.left() + 10 * zoom + left
            y = self.rect.top() + 6 * zoom + (row + 0.5) * self._row
            self._sample(painter, entry.mark, x, y)
            painter.setPen(QColor(self.theme.text))
            letters.write(painter, QRectF(x + 34 * zoom, y - self._row / 2, 0, self._row), Qt.AlignmentFlag.AlignLeft,
                          entry.text)

    def _draw_chip(self, painter: QPainter) -> None:
        """Draw the name of what a click opens, and a wedge as buttons with a list have it."""
        zoom, rect = self.zoom, self.rect
        painter.setPen(QColor(self.theme.text))
        self._letters().write(painter, rect.adjusted(10 * zoom, 0, 0, 0), Qt.AlignmentFlag.AlignLeft, self._name())
        wedge = QPen(QColor(self.theme.text_mid), 1.5 * zoom)
        wedge.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(wedge)
        x, y, arm = rect.right() - 15 * zoom, rect.center().y() + 1.5 * zoom, 3.5 * zoom
        painter.drawPolyline([QPointF(x - arm, y - arm), QPointF(x, y), QPointF(x + arm, y - arm)])

    def _name(self) -> str:
        return words(say("Legend"), self.language)

    def _chip_size(self) -> QSizeF:
        return QSizeF(self._letters().width(self._name()) + 34 * self.zoom, 26 * self.zoom)

    def _letters(self) -> Lettering:
        return Lettering(self.theme, self.language, LETTERS * self.shrink)

    def _sample(self, painter: QPainter, mark: Mark, x: float, y: float) -> None:
        zoom = self.zoom
        style = self.theme.zoomed(zoom).style(mark.role)
        wide = 26 * zoom
        middle = x + wide / 2
        if isinstance(mark, Dots):
            small = min(1.0, 18.5 * zoom / max(style.size, 1.0))
            painter.save()
            painter.translate(middle, y)
            painter.scale(small, small)
            draw_one(painter, style, 0.0, 0.0)
            painter.restore()
        elif isinstance(mark, Segments) and mark.arrow:
            arrow(painter, style, np.array([x, y]), np.array([x + wide, y]), ARROW * zoom)
        elif isinstance(mark, (Curve, Segments)):
            painter.setPen(pen(style))
            painter.drawLine(QPointF(x, y), QPointF(x + wide, y))
        elif isinstance(mark, (Band, Bars)):
            high = 6 * zoom
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill(style))
            painter.drawRect(QRectF(x, y - high, wide, 2 * high))
            if style.line and isinstance(mark, Band):
                painter.setPen(pen(style))
                painter.drawLine(QPointF(x, y - high), QPointF(x + wide, y - high))
                painter.drawLine(QPointF(x, y + high), QPointF(x + wide, y + high))

    @property
    def _row(self) -> float:
        return self.pitch * self.zoom

    def _widths(self, columns: int) -> list[float]:
        letters = self._letters()
        rows = self._in_column(columns)
        return [letters.widest(entry.text for entry in self._entries[k: k + rows]) + 48 * self.zoom
                for k in range(0, len(self._entries), rows)]

    def _size(self, columns: int) -> QSizeF:
        return QSizeF(sum(self._widths(columns)) + 8 * self.zoom,
                      self._in_column(columns) * self._row + 12 * self.zoom)

    def _forms(self) -> list[int]:
        """Return the numbers of columns that differ in their rows."""
        count = len(self._entries)
        return [k for k in range(1, count + 1) if k == 1 or -(-count // k) != -(-count // (k - 1))]

    def _corners(self, plane: Plane, size: QSizeF, wide: bool = False) -> list[tuple[QPointF, float]]:
        """Return (upper left corner, preference) of the places for a box of this size: corners before edges."""
        margin = MARGIN * self.zoom
        free_x, free_y = plane.width - size.width() - 2 * margin, plane.height - size.height() - 2 * margin
        if free_x < 0 or free_y < 0:
            return []
        return [(QPointF(plane.left + margin + sx * free_x, plane.top + margin + sy * free_y), whim)
                for sx, sy, whim in PLACES
                if not wide or sy in (0, 1)]  # a wide one across the middle would be in the way of everything

    def _at_home(self, place: QRectF, plane: Plane) -> bool:
        """Whether `place` still touches the margin of an edge: after a resize it may float in the middle."""
        margin = MARGIN * self.zoom + 2
        return (min(abs(place.left() - plane.left), abs(plane.right - place.right())) <= margin
                or min(abs(place.top() - plane.top), abs(plane.bottom - place.bottom())) <= margin)
