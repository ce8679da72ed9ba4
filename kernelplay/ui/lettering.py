"""Measured type: fonts, heights and widths of texts, kept, since a picture asks for the same ones again and again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath

from kernelplay.i18n import current
from kernelplay.ui.theme import Theme, ui_font

Align = Qt.AlignmentFlag


class Lettering:
    """The letters of one size of a theme, in one language ("": the one in use)."""

    def __init__(self, theme: Theme, language: str, pixels: float, bold: bool = False) -> None:
        self._key = (language or current(), pixels * theme.zoom, bold, theme.font)
        self._outlines = theme.outlines
        self.font = _font(*self._key)
        self.height = _metrics(*self._key).height()

    def width(self, text: str) -> float:
        """Return the width of `text` in pixels."""
        return _width(text, *self._key)

    def widest(self, texts: Iterable[str]) -> float:
        """Return the largest width of `texts`, 0 for none."""
        return max((self.width(text) for text in texts), default=0.0)

    def elided(self, text: str, room: float) -> str:
        """Return `text`, cut at the end and marked with … where it is wider than `room`."""
        if self.width(text) <= room:
            return text
        return _metrics(*self._key).elidedText(text, Qt.TextElideMode.ElideRight, room)

    def wrapped(self, text: str, room: float, most: int) -> list[str]:
        """Return `text` in at most `most` lines no wider than `room`; broken at spaces, or between the letters of a
        word that is wider than a line; the last line is cut where there is more."""
        lines: list[str] = []
        rest = text.strip()
        while rest and len(lines) < most - 1 and self.width(rest) > room:
            count = next((k for k in range(1, len(rest)) if self.width(rest[:k + 1]) > room), len(rest))
            space = rest.rfind(" ", 0, count + 1)
            count = space if space > 0 else count
            lines.append(rest[:count].rstrip())
            rest = rest[count:].lstrip()
        return [*lines, self.elided(rest, room)] if rest else lines

    def write(self, painter: QPainter, where: QRectF, align: Align, text: str) -> None:
        """Write one line of `text` with the pen's colour, at the left, in the middle or at the right of `where`, and
        half way up: letters of every script on the same base line."""
        if not text:
            return
        free = where.width() - self.width(text)
        share = 0.0 if align == Align.AlignLeft else 1.0 if align == Align.AlignRight else 0.5
        at = QPointF(where.left() + share * free,
                     where.center().y() - self.height / 2 + _metrics(*self._key).ascent())
        if not self._outlines:
            painter.setFont(self.font)
            painter.drawText(at, text)
            return
        shape = QPainterPath()
        shape.addText(at, self.font, text)
        shape.setFillRule(Qt.FillRule.WindingFill)
        painter.fillPath(shape, painter.pen().color())


@lru_cache(maxsize=64)
def _font(language: str, pixels: float, bold: bool, named: str) -> QFont:
    return ui_font(language, pixels, QFont.Weight.DemiBold if bold else QFont.Weight.Normal, named)


@lru_cache(maxsize=64)
def _metrics(language: str, pixels: float, bold: bool, named: str) -> QFontMetricsF:
    return QFontMetricsF(_font(language, pixels, bold, named))


@lru_cache(maxsize=4096)
def _width(text: str, language: str, pixels: float, bold: bool, named: str) -> float:
    return _metrics(language, pixels, bold, named).horizontalAdvance(text)
