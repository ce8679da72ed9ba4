"""The colour bar: which value has which colour, with the limits beyond which the colour stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from kernelplay.i18n import number
from kernelplay.marks import Field
from kernelplay.ui.field_image import STEPS, half_range, table
from kernelplay.ui.lettering import Lettering
from kernelplay.ui.paint import words
from kernelplay.ui.plane import Plane
from kernelplay.ui.theme import Theme

WIDTH = 11.0
NUMBERS = 11.5  # pixels of letters
USUAL = ("≤ −9.99",)  # the widest number that most fields have


@dataclass(frozen=True)
class Scale:
    """The numbers beside the bar, from the low to the high limit: (share of the height, text)."""

    numbers: tuple[tuple[float, str], ...]


def scale(field: Field) -> Scale:
    """Return the numbers: limits and centre; a limit that values go beyond is written ≤ or ≥."""
    low, high = field.limits
    span = max(high - low, 1e-300)
    smallest, largest = (float(field.values.min()), float(field.values.max())) if field.values.size else (low, high)
    slack = 1e-6 * span
    numbers = [(0.0, ("≤ " if smallest < low - slack else "") + number(low)),
               (1.0, ("≥ " if largest > high + slack else "") + number(high))]
    if field.diverging and low < field.centre < high:
        numbers.insert(1, ((field.centre - low) / span, number(field.centre)))
    return Scale(tuple(numbers))


class ColourBar:
    """Measures and draws the colour bar of one field, at the right of the plane."""

    def __init__(self, theme: Theme, language: str = "") -> None:
        self.theme = theme
        self.language = language

    def width(self, field: Field) -> float:
        """Return the room it needs at the right of the plane."""
        return self._width(field, [text for _, text in scale(field).numbers])

    def usual(self, field: Field) -> float:
        """Return the room it needs with most numbers, so that the plane does not change when they do."""
        return self._width(field, USUAL if field.diverging and field.limits != (0.0, 1.0) else ())

    @property
    def expected(self) -> float:
        """The room that the bar of a field which is on its way will need, as `usual`."""
        return self._room_of(True, USUAL)

    def _width(self, field: Field, numbers: Sequence[str]) -> float:
        return self._room_of(field.label is not None, numbers)

    def _room_of(self, named: bool, numbers: Sequence[str]) -> float:
        zoom = self.theme.zoom
        letters = Lettering(self.theme, self.language, NUMBERS)
        name = letters.height + 4 * zoom if named else 0.0
        return (WIDTH + 14 + 8) * zoom + letters.widest(numbers) + name

    def room(self, plane: Plane, width: float) -> QRectF:
        """Return the part of a plot of this width that it draws in."""
        left = plane.right + 8 * self.theme.zoom
        return QRectF(left, plane.top - 4, width - left, plane.height + 7)

    def draw(self, painter: QPainter, field: Field, plane: Plane) -> None:
        """Draw the bar, its numbers and, upright beside it, what the colour means."""
        zoom = self.theme.zoom
        letters = Lettering(self.theme, self.language, NUMBERS)
        bar = QRectF(plane.right + 14 * zoom, plane.top, WIDTH * zoom, plane.height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(bar, self._gradient(field, bar))
        painter.setPen(QPen(QColor(self.theme.frame), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self.theme.tick))
        line, widest = letters.height, 0.0
        for share, text in scale(field).numbers:
            y = min(max(bar.bottom() - share * bar.height() - line / 2, bar.top() - 2), bar.bottom() - line + 2)
            place = QRectF(bar.right() + 6 * zoom, y, 90 * zoom, line)
            letters.write(painter, place, Qt.AlignmentFlag.AlignLeft, text)
            widest = max(widest, letters.width(text))
        if field.label is not None:
            text = letters.elided(words(field.label, self.language), bar.height())
            painter.setPen(QColor(self.theme.text_mid))
            painter.save()
            painter.translate(bar.right() + 8 * zoom + widest + 4 * zoom, bar.center().y())
            painter.rotate(90)
            letters.write(painter, QRectF(-bar.height() / 2, -line, bar.height(), line),
                          Qt.AlignmentFlag.AlignHCenter, text)
            painter.restore()

    def _gradient(self, field: Field, bar: QRectF) -> QLinearGradient:
        gradient = QLinearGradient(bar.bottomLeft(), bar.topLeft())
        low, high = field.limits
        if field.diverging:
            reach = half_range(field)
            ends = ((low - field.centre) / reach, (high - field.centre) / reach)  # within -1 .. 1 of the table
            lut = table(self.theme, field.roles, "diverging")
            for share in (0.0, 0.25, 0.5, 0.75, 1.0, -ends[0] / max(ends[1] - ends[0], 1e-300)):
                if 0 <= share <= 1:
                    value = ends[0] + share * (ends[1] - ends[0])
                    gradient.setColorAt(share, QColor.fromRgb(int(lut[round((value + 1) / 2 * (STEPS - 1))])))
        else:
            lut = table(self.theme, (), "ramp")
            gradient.setColorAt(0.0, QColor.fromRgb(int(lut[0])))
            gradient.setColorAt(1.0, QColor.fromRgb(int(lut[STEPS - 1])))
        return gradient

