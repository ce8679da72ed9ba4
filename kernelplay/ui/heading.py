"""The heading of a figure: its title in the middle above everything, in as many lines as it needs, at most three."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelplay.ui.lettering import Lettering
from kernelplay.ui.theme import Theme

LETTERS, EDGE, MOST = 14.0, 12.0, 3  # pixels; lines


class Heading:
    """Measures and draws the title of one figure."""

    def __init__(self, theme: Theme, language: str = "") -> None:
        self.theme = theme
        self.language = language
        self.text = ""

    @property
    def _letters(self) -> Lettering:
        return Lettering(self.theme, self.language, LETTERS, bold=True)

    def lines(self, width: float) -> list[str]:
        """Return its lines in a figure `width` pixels wide."""
        return self._letters.wrapped(self.text, width - 2 * EDGE * self.theme.zoom, MOST)

    def height(self, width: float) -> float:
        """Return the room that it needs."""
        return len(self.lines(width)) * self._letters.height + 5 * self.theme.zoom if self.text else 0.0

    def draw(self, painter: QPainter, width: float) -> None:
        """Draw it into the upper edge of a figure `width` pixels wide."""
        letters, zoom = self._letters, self.theme.zoom
        painter.setPen(QColor(self.theme.text))
        for row, text in enumerate(self.lines(width)):
            letters.write(painter, QRectF(0, 7 * zoom + row * letters.height, width, letters.height),
                          Qt.AlignmentFlag.AlignHCenter, text)
