"""Marks into ink: every kind of mark drawn in pixels with plain pens, alike on a screen, in an image, in SVG and PDF.

Nothing is drawn through a transform that scales data: arrays are mapped to pixels first (`Plane`), so that a pen of two
pixels is two pixels on screen and its share of the page in a figure of any scale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from kernelplay.i18n import Say, current
from kernelplay.marks import Band, Bars, Curve, Dots, Field, Mark, Segments, Text
from kernelplay.ui import field_image
from kernelplay.ui.contour_labels import gaps
from kernelplay.ui.crowd import Crowd
from kernelplay.ui.lettering import Lettering
from kernelplay.ui.lines import Lines, Strokes, columns, polyline
from kernelplay.ui.plane import Plane, device_ratio
from kernelplay.ui.polylines import cut, inside
from kernelplay.ui.strips import in_strips
from kernelplay.ui.symbols import Stamps, fill, pen
from kernelplay.ui.theme import Style, Theme

Array = NDArray[np.float64]

ARROW = 10.0  # length of an arrow's head
ROUNDED = 2.0  # corners of bars
ROOMY, LEAST = 340.0, 0.6875  # pixels of a plane below which symbols shrink; how far at most
LEAST_ON_PAPER = 0.5625  # where nobody has to hit them
MANY, SMALL = 600, 0.5625  # dots from which on they shrink, with the fourth root of their number; how far at most
MOST_DOTS = 1000  # that labels of contours keep clear of
HEAD = 9.0  # pixels around the tip of an arrow that a text keeps clear of
DOT = 5.0  # pixels that a dot reaches beyond what is kept around its middle
LEVELS, NOTES = 11.0, 12.0  # pixels of letters: along lines, beside places
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def words(sentence: Say, language: str) -> str:
    """Return `sentence` in `language`, or in the language in use (""), without what no font and no file can hold:
    controls, halves of pairs, and what is no letter at all, as a name from a foreign file may have."""
    text = sentence.text(language or current())
    return text if text.isprintable() else UNPRINTABLE.sub("�", " ".join(text.split()))


class Ink:
    """Draws marks and remembers what it made of them: paths and images by mark, thrown away when the plane changes."""

    def __init__(self, theme: Theme, language: str = "") -> None:
        self.theme = theme
        self.language = language
        self.look = theme  # of marks: as `theme`, but pens and symbols smaller in a small plane
        self.shrinks = True
        self.least = LEAST
        self.crowded = 1.0  # how much smaller symbols are, where there are very many
        self.stamps = Stamps()
        self._images: dict[Field, QImage] = {}
        self._paths: dict[Mark, Any] = {}
        self._strokes = Strokes()
        self._plane: Plane | None = None

    def keep(self, marks: Iterable[Mark]) -> None:
        """Forget what was made of any other marks."""
        kept = set(marks)
        many = max(sum(len(mark.xy) for mark in kept if isinstance(mark, Dots) and mark.layer == "points"), MANY)
        self.crowded = max(round(16 * (MANY / many) ** 0.25) / 16, SMALL)
        self._images = {mark: made for mark, made in self._images.items() if mark in kept}
        self._paths = {mark: made for mark, made in self._paths.items() if mark in kept}

    def forget(self) -> None:
        """Forget everything: the theme, the language or what is shown of a mark has changed."""
        self._images.clear()
        self._paths.clear()

    def draw(self, painter: QPainter, plane: Plane, marks: Sequence[Mark], *, texts: bool = True, vector: bool = False,
             chosen: frozenset[int] = frozenset(), crowd: Crowd | None = None) -> None:
        """Draw `marks` in order. texts: also those written along lines; chosen: rows whose bars are outlined; crowd:
        what texts beside places keep clear of."""
        if plane != self._plane:
            self._paths.clear()
            self._plane = plane
        room = min(plane.width, plane.height) / ROOMY if self.shrinks else 1.0
        smaller = min(max(round(16 * room) / 16, self.least), 1.0)  # in steps: each makes its own stamps
        self.look = self.theme if smaller == 1.0 else self.theme.zoomed(self.theme.zoom * smaller)
        if texts:
            self._place_texts(plane, [mark for mark in marks if isinstance(mark, Curve) and mark.texts],
                              crowd.dots[:MOST_DOTS] if crowd is not None else np.zeros((0, 2)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        noted: list[QRectF] = []
        for mark in marks:
            if isinstance(mark, Dots):
                look = self.look if self.crowded == 1.0 else self.look.zoomed(self.look.zoom * self.crowded)
                self.stamps.draw(painter, look, mark.role, plane.pixels(mark.xy), vector)
            elif isinstance(mark, Field):
                field_image.draw(painter, mark, self._image(mark), plane, vector)
            elif isinstance(mark, Curve):
                self._curve(painter, plane, mark, vector)
            elif isinstance(mark, Band):
                self._band(painter, plane, mark, vector)
            elif isinstance(mark, Segments):
                self._segments(painter, plane, mark)
            elif isinstance(mark, Bars):
                self._bars(painter, plane, mark, chosen)
            elif isinstance(mark, Text):
                self._text(painter, plane, mark, crowd, noted)

    def _image(self, mark: Field) -> QImage:
        if mark not in self._images:
            self._images[mark] = field_image.image(mark, self.theme)
        return self._images[mark]

    def _made(self, mark: Mark, make: Callable[[], Any]) -> Any:
        if mark not in self._paths:
            self._paths[mark] = make()
        return self._paths[mark]

    def _place_texts(self, plane: Plane, curves: list[Curve], dots: Array) -> None:
        """Cut the lines of all labelled curves for their texts, which keep clear of one another."""
        if all(mark in self._paths for mark in curves):
            return
        letters = Lettering(self.theme, self.language, LEVELS)
        taken: list[tuple[float, float, float]] = []
        for mark in curves:
            whole = plane.lines(mark.lines)
            uncut = Lines(inside(whole, plane), [])
            if uncut.tangled(1.0):  # no text could be read in it, nor its place be found in time
                self._paths[mark] = uncut
                continue
            lines = [inside([line], plane) for line in whole]
            cut: list[Array] = []
            labels: list[tuple[float, float, float, str]] = []
            for parts, text in zip(lines, (*mark.texts, *[""] * len(lines)), strict=False):
                for part in parts:
                    found = gaps(part, plane, letters.width(text) + 8, taken, dots) if text else None
                    if found is None:
                        cut.append(part)
                    else:
                        cut += found.lines
                        labels.append((found.x, found.y, found.angle, text))
            self._paths[mark] = Lines(cut, labels)

    def _curve(self, painter: QPainter, plane: Plane, mark: Curve, vector: bool) -> None:
        style = self.look.style(mark.role)
        made: Lines = self._made(mark, lambda: Lines(inside(plane.lines(mark.lines), plane), []))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if style.dash and not vector:
            painter.setPen(pen(replace(style, dash=()), flat=True))
            self._strokes.draw(painter, made.dashes(style.dash, plane))
        elif vector:
            painter.setPen(pen(style))
            painter.drawPath(made.path)
        elif made.tangled(device_ratio(painter)):
            self._strokes.tangle(painter, plane, made, pen(style, flat=True))
        else:
            painter.setPen(pen(style))
            for path in made.paths:
                painter.drawPath(path)
        if not made.labels:
            return
        letters = Lettering(self.theme, self.language, LEVELS)
        painter.setPen(QColor(self.theme.text_mid))
        for x, y, angle, text in made.labels:
            painter.save()
            painter.translate(x, y)
            painter.rotate(angle)
            letters.write(painter, QRectF(-60, -12, 120, 24), Qt.AlignmentFlag.AlignHCenter, text)
            painter.restore()

    def _band(self, painter: QPainter, plane: Plane, mark: Band, vector: bool) -> None:
        """Fill a band; in pixels with hard edges, smoothed by a thin line, for a tenth of the time."""
        style = self.look.style(mark.role)

        def make() -> tuple[QPainterPath, Lines, Array, Array]:
            upper, lower = (plane.pixels(np.column_stack([mark.x, edge])) for edge in (mark.upper, mark.lower))
            for edge in (upper, lower):
                edge[:, 1] = np.clip(edge[:, 1], plane.top - 5000.0, plane.bottom + 5000.0)
            area = polyline([np.vstack([upper, lower[::-1]])])  # a fill closes it
            return area, Lines([upper, lower], []), upper, lower

        area, edges, upper, lower = self._made(mark, make)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill(style))
        if vector:
            painter.drawPath(area)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if edges.tangled(device_ratio(painter)):
            columns(painter, plane, upper, lower, fill(style))
        else:
            in_strips(painter, plane, lambda: painter.drawPath(area))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        thin = QPen(fill(style), 1.0)
        thin.setCapStyle(Qt.PenCapStyle.FlatCap)
        if edges.tangled(device_ratio(painter)):
            self._strokes.tangle(painter, plane, edges, thin)
        else:
            painter.setPen(thin)
            painter.drawPath(edges.path)

    def _segments(self, painter: QPainter, plane: Plane, mark: Segments) -> None:
        style = self.look.style(mark.role)
        ends = np.concatenate([plane.pixels(mark.start), plane.pixels(mark.end)], axis=1)
        if not mark.arrow:
            painter.setPen(pen(style, flat=True))
            self._strokes.draw(painter, cut(ends, plane))
            return
        for piece in inside(ends.reshape(-1, 2, 2), plane):
            arrow(painter, style, piece[0], piece[-1], ARROW * self.look.zoom)

    def _bars(self, painter: QPainter, plane: Plane, mark: Bars, chosen: frozenset[int]) -> None:
        style = self.look.style(mark.role)
        left = plane.x(mark.x - mark.width / 2)
        right = plane.x(mark.x + mark.width / 2)
        zero = float(plane.y(np.zeros(1))[0])
        top = np.clip(plane.y(mark.height), plane.top - 50, plane.bottom + 50)
        thin = (right - left).min(initial=np.inf) < 2
        painter.setBrush(QColor(style.fill))
        for k, (x0, x1, y) in enumerate(zip(left.tolist(), right.tolist(), top.tolist(), strict=True)):
            row = int(mark.index[k]) if len(mark.index) else -1
            lit = row in chosen
            painter.setPen(QPen(QColor(self.theme.text), 2 * self.theme.zoom) if lit else Qt.PenStyle.NoPen)
            bar = QRectF(x0, min(y, zero), max(x1 - x0, 1.0), max(abs(zero - y), 1.0))
            if thin or bar.height() < 2 * ROUNDED:
                painter.drawRect(bar)
            else:
                painter.drawPath(_rounded(bar, up=y <= zero))

    def _text(self, painter: QPainter, plane: Plane, mark: Text, crowd: Crowd | None, noted: list[QRectF]) -> None:
        x, y = plane.pixels(np.array([mark.at]))[0].tolist()
        colour = self.theme.text if mark.role == "label" else self.theme.style(mark.role).line
        note(painter, self.theme, x, y, words(mark.text, self.language), self.language, plane, crowd, noted, colour)


def arrow(painter: QPainter, style: Style, start: Array, end: Array, head: float) -> None:
    """Draw an arrow between two pixels; one too short for its head has a shorter head."""
    along = end - start
    length = float(np.hypot(*along))
    if length < 1e-9:
        return
    unit = along / length
    head = min(head, 0.6 * length)
    neck = end - head * 0.8 * unit
    side = np.array([-unit[1], unit[0]]) * head * 0.4
    line = pen(style)
    line.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(line)
    painter.drawLine(QPointF(*start.tolist()), QPointF(*neck.tolist()))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(style.line))
    back = end - head * unit
    painter.drawPolygon(QPolygonF([QPointF(*corner.tolist()) for corner in (end, back + side, back - side)]))


def note(painter: QPainter, theme: Theme, x: float, y: float, text: str, language: str, plane: Plane,
         crowd: Crowd | None = None, noted: list[QRectF] | None = None, colour: str = "") -> None:
    """Write `text` beside a pixel, inside the plane, where it covers least and none of `noted`, to which its place is
    added; on a patch of the legend's colour."""
    size = note_size(theme, text, language)
    width, height = size.width(), size.height()
    places = []
    for away in (0.0, 10.0, 22.0, 40.0) if crowd is not None else (0.0,):
        for left, top in ((x + 8, y - height - 4), (x + 8, y + 4), (x - 8 - width, y - height - 4),
                          (x - 8 - width, y + 4), (x - width / 2, y - height - 10), (x - width / 2, y + 10),
                          (x + 14, y - height / 2), (x - 14 - width, y - height / 2),
                          (x + 4, y - height - 20), (x + 4, y + 20), (x - 4 - width, y - height - 20),
                          (x - 4 - width, y + 20)):
            left += away * float(np.sign(left + width / 2 - x))
            top += away * float(np.sign(top + height / 2 - y))
            place = QRectF(min(max(left, plane.left + 2), max(plane.left + 2, plane.right - 2 - width)),
                           min(max(top, plane.top + 2), max(plane.top + 2, plane.bottom - height - 2)), width, height)
            cost = abs(place.left() - left) + abs(place.top() - top) + 0.3 * away
            cost += 1000.0 * sum(place.intersects(other) for other in noted or ())
            if crowd is not None:
                cost += crowd.under(place) + 50.0 * crowd.dots_under(place.adjusted(-DOT, -DOT, DOT, DOT))
                around = place.adjusted(-HEAD, -HEAD, HEAD, HEAD)
                cost += 60.0 * sum(around.contains(tx, ty) for tx, ty in crowd.tips[:8].tolist())
            places.append((cost, place))
    place = min(places, key=lambda each: each[0])[1]
    if noted is not None:
        noted.append(place)
    patch(painter, theme, place, text, language, colour or theme.text)


def note_size(theme: Theme, text: str, language: str) -> QSizeF:
    """Return the size of the patch that `text` is written on."""
    letters = Lettering(theme, language, NOTES)
    return QSizeF(letters.width(text) + 12, letters.height + 6)


def patch(painter: QPainter, theme: Theme, place: QRectF, text: str, language: str, colour: str) -> None:
    """Write `text` on a patch of the legend's colour."""
    ground = QColor(theme.legend)
    ground.setAlphaF(0.85)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(place, 4, 4)
    painter.setPen(QColor(colour))
    Lettering(theme, language, NOTES).write(painter, place, Qt.AlignmentFlag.AlignHCenter, text)


def _rounded(bar: QRectF, up: bool) -> QPainterPath:
    """Return a bar whose far end has rounded corners."""
    made = QPainterPath()
    r = min(ROUNDED, bar.width() / 2)
    far, near, sign = (bar.top(), bar.bottom(), 1) if up else (bar.bottom(), bar.top(), -1)
    made.moveTo(bar.left(), near)
    made.lineTo(bar.left(), far + sign * r)
    made.quadTo(bar.left(), far, bar.left() + r, far)
    made.lineTo(bar.right() - r, far)
    made.quadTo(bar.right(), far, bar.right(), far + sign * r)
    made.lineTo(bar.right(), near)
    made.closeSubpath()
    return made

