"""The legend: an entry for every mark that has a name, in the corner where it covers least, or where it was dragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kernelplay.marks import Band, Bars, Curve, Dots, Field, Mark, Segments, Text
from kernelplay.ui.crowd import Crowd
from kernelplay.ui.lettering import Lettering
from kernelplay.ui.paint import ARROW, arrow, words
from kernelplay.ui.plane import Plane
from kernelplay.ui.symbols import draw_one, fill, pen
from kernelplay.ui.theme import Theme

MARGIN = 12.0  # between legend and frame
LETTERS = 12.0


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
            text = words(mark.label, language)
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
        self.rect = QRectF()
        self._entries: tuple[Entry, ...] = ()
        self._columns = 1
        self._bore = 0.0  # what the place cost when it was chosen: no better one was free
        self._bore_for = QRectF()  # in this plane

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the entries."""
        return tuple(entry.text for entry in self._entries)

    @property
    def contents(self) -> tuple[tuple[str, str, type], ...]:
        """What each entry shows: role, text, kind of mark."""
        return tuple((entry.mark.role, entry.text, type(entry.mark)) for entry in self._entries)

    def enter(self, marks: Sequence[Mark]) -> None:
        """Take the entries from `marks`."""
        self._entries = entries(marks, self.language)
        if not self._entries:
            self.rect = QRectF()

    def arrange(self, plane: Plane, crowd: Crowd) -> int:
        """Put the legend into `plane` and return how many dots it covers there."""
        if not self._entries:
            return 0
        if self.dragged is not None:
            size = self._size(self._columns)
            corner = QPointF(plane.left + self.dragged.x() * (plane.width - size.width()),
                             plane.top + self.dragged.y() * (plane.height - size.height()))
            self.rect = QRectF(corner, size)
            return 0
        stay = QRectF(self.rect.topLeft(), self._size(self._columns))
        room = QRectF(plane.left, plane.top, plane.width, plane.height)
        here = crowd.under(stay) if room.contains(stay) and self._at_home(stay, plane) else np.inf
        if here <= 1.2 * self._bore and self._bore_for == room:
            self.rect = stay
            return crowd.dots_under(stay)
        cost, columns, place = min(((crowd.under(place) + whim, columns, place)
                                    for columns, place, whim in self._candidates(plane)), key=lambda each: each[0])
        if cost < 0.7 * here:
            self.rect, self._columns, self._bore = place, columns, cost if cost >= 1 else 0.0
        else:
            self.rect, self._bore = stay, here
        self._bore_for = room
        return crowd.dots_under(self.rect)

    def arrange_beside(self, plane: Plane) -> float:
        """Put the legend at the right of the plane; return the room it takes."""
        fits = [k for k in range(1, len(self._entries) + 1)
                if self._size(k).height() <= plane.height + 16 * self.theme.zoom]
        self._columns = fits[0] if fits else max(len(self._entries), 1)
        corner = QPointF(plane.right + 10 * self.theme.zoom, max(plane.top - 7 * self.theme.zoom, 0.0))
        return self._at(corner).width() + 14 * self.theme.zoom

    def arrange_below(self, width: float, left: float, top: float) -> float:
        """Put the legend into a strip `width` pixels wide whose upper left corner is given; return its height."""
        fits = [k for k in range(len(self._entries), 0, -1) if self._size(k).width() <= width]
        self._columns = fits[0] if fits else 1
        return self._at(QPointF(left, top)).height()

    def _at(self, corner: QPointF) -> QSizeF:
        size = self._size(self._columns) if self._entries else QSizeF(0, 0)
        self.rect = QRectF(corner, size)
        self.dragged = None
        return size

    def drag_to(self, corner: QPointF, plane: Plane) -> None:
        """Put the upper left corner of the legend at a pixel, kept inside the plane; there it stays."""
        free_x = max(plane.width - self.rect.width(), 1e-9)
        free_y = max(plane.height - self.rect.height(), 1e-9)
        self.dragged = QPointF(min(max((corner.x() - plane.left) / free_x, 0.0), 1.0),
                               min(max((corner.y() - plane.top) / free_y, 0.0), 1.0))

    def draw(self, painter: QPainter, framed: bool = True) -> None:
        """Draw the legend where it was put."""
        if not self._entries:
            return
        zoom = self.theme.zoom
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if framed:
            ground = QColor(self.theme.legend)
            ground.setAlphaF(0.93)
            painter.setPen(QPen(QColor(self.theme.card_edge), 1.0))
            painter.setBrush(ground)
            painter.drawRoundedRect(self.rect.adjusted(0.5, 0.5, -0.5, -0.5), 6 * zoom, 6 * zoom)
        letters = Lettering(self.theme, self.language, LETTERS)
        rows = -(-len(self._entries) // self._columns)
        widths = self._widths(self._columns)
        for k, entry in enumerate(self._entries):
            column, row = divmod(k, rows)
            x = self.rect.left() + 10 * zoom + sum(widths[:column])
            y = self.rect.top() + 6 * zoom + (row + 0.5) * self._row
            self._sample(painter, entry.mark, x, y)
            painter.setFont(letters.font)
            painter.setPen(QColor(self.theme.text))
            painter.drawText(QRectF(x + 34 * zoom, y - self._row / 2, 600, self._row),
                             Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, entry.text)

    def _sample(self, painter: QPainter, mark: Mark, x: float, y: float) -> None:
        style = self.theme.style(mark.role)
        wide = 26 * self.theme.zoom
        middle = x + wide / 2
        if isinstance(mark, Dots):
            small = min(1.0, 18.5 * self.theme.zoom / max(style.size, 1.0))
            painter.save()
            painter.translate(middle, y)
            painter.scale(small, small)
            draw_one(painter, style, 0.0, 0.0)
            painter.restore()
        elif isinstance(mark, Segments) and mark.arrow:
            arrow(painter, style, np.array([x, y]), np.array([x + wide, y]), ARROW * self.theme.zoom)
        elif isinstance(mark, (Curve, Segments)):
            painter.setPen(pen(style))
            painter.drawLine(QPointF(x, y), QPointF(x + wide, y))
        elif isinstance(mark, (Band, Bars)):
            high = 6 * self.theme.zoom
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill(style))
            painter.drawRect(QRectF(x, y - high, wide, 2 * high))
            if style.line and isinstance(mark, Band):
                painter.setPen(pen(style))
                painter.drawLine(QPointF(x, y - high), QPointF(x + wide, y - high))
                painter.drawLine(QPointF(x, y + high), QPointF(x + wide, y + high))

    @property
    def _row(self) -> float:
        return 21 * self.theme.zoom

    def _widths(self, columns: int) -> list[float]:
        letters = Lettering(self.theme, self.language, LETTERS)
        rows = -(-len(self._entries) // columns)
        return [letters.widest(entry.text for entry in self._entries[k: k + rows]) + 48 * self.theme.zoom
                for k in range(0, len(self._entries), rows)]

    def _size(self, columns: int) -> QSizeF:
        rows = -(-len(self._entries) // columns)
        zoom = self.theme.zoom
        return QSizeF(sum(self._widths(columns)) + 8 * zoom, rows * self._row + 12 * zoom)

    def _candidates(self, plane: Plane) -> list[tuple[int, QRectF, float]]:
        """Return (columns, place, preference): corners of one column before edges, before wider forms."""
        found: list[tuple[int, QRectF, float]] = []
        margin = MARGIN * self.theme.zoom
        for columns in range(1, len(self._entries) + 1):
            if columns > 1 and -(-len(self._entries) // columns) == -(-len(self._entries) // (columns - 1)):
                continue
            size = self._size(columns)
            free_x, free_y = plane.width - size.width() - 2 * margin, plane.height - size.height() - 2 * margin
            if (free_x < 0 or free_y < 0) and (columns > 1 or found):
                continue
            free_x, free_y = max(free_x, 0.0), max(free_y, 0.0)
            for sx, sy, whim in ((1, 0, 0.0), (0, 0, 0.1), (1, 1, 0.2), (0, 1, 0.3), (1, 0.5, 0.6), (0, 0.5, 0.65),
                                 (0.5, 0, 0.7), (0.5, 1, 0.75), (1, 0.25, 0.8), (1, 0.75, 0.8), (0, 0.25, 0.85),
                                 (0, 0.75, 0.85), (0.25, 0, 0.9), (0.75, 0, 0.9), (0.25, 1, 0.9), (0.75, 1, 0.9)):
                if columns > 1 and sy not in (0, 1):
                    continue  # a wide legend across the middle would be in the way of everything
                corner = QPointF(plane.left + margin + sx * free_x, plane.top + margin + sy * free_y)
                found.append((columns, QRectF(corner, size), whim + 0.95 * (columns - 1)))
        return found

    def _at_home(self, place: QRectF, plane: Plane) -> bool:
        """Whether `place` still touches the margin of an edge: after a resize it may float in the middle."""
        margin = MARGIN * self.theme.zoom + 2
        return (min(abs(place.left() - plane.left), abs(plane.right - place.right())) <= margin
                or min(abs(place.top() - plane.top), abs(plane.bottom - place.bottom())) <= margin)
