"""Measured type: fonts, heights and widths of texts, kept, since a picture asks for the same ones again and again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

from kernelplay.i18n import current
from kernelplay.ui.theme import Theme, ui_font


class Lettering:
    """The letters of one size of a theme, in one language ("": the one in use)."""

    def __init__(self, theme: Theme, language: str, pixels: float) -> None:
        self._language = language or current()
        self._pixels = pixels * theme.zoom
        self.font = _font(self._language, self._pixels)
        self.height = _metrics(self._language, self._pixels).height()

    def width(self, text: str) -> float:
        """Return the width of `text` in pixels."""
        return _width(text, self._language, self._pixels)

    def widest(self, texts: Iterable[str]) -> float:
        """Return the largest width of `texts`, 0 for none."""
        return max((self.width(text) for text in texts), default=0.0)

    def elided(self, text: str, room: float) -> str:
        """Return `text`, cut at the end and marked with … where it is wider than `room`."""
        if self.width(text) <= room:
            return text
        return _metrics(self._language, self._pixels).elidedText(text, Qt.TextElideMode.ElideRight, room)


@lru_cache(maxsize=64)
def _font(language: str, pixels: float) -> QFont:
    return ui_font(language, pixels)


@lru_cache(maxsize=64)
def _metrics(language: str, pixels: float) -> QFontMetricsF:
    return QFontMetricsF(_font(language, pixels))


@lru_cache(maxsize=4096)
def _width(text: str, language: str, pixels: float) -> float:
    return _metrics(language, pixels).horizontalAdvance(text)
