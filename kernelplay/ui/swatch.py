"""The mark of a class as an icon, drawn by the code that draws it on the canvas."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from kernelplay.marks import Role
from kernelplay.ui.symbols import draw_one
from kernelplay.ui.theme import Theme

SIDE = 16


@lru_cache(maxsize=64)
def swatch(theme: Theme, role: Role) -> QIcon:
    """Return the mark of `role` in the colours of `theme`, 16 pixels square at zoom 1."""
    icon, side = QIcon(), round(SIDE * theme.zoom)
    for ratio in (1, 2, 3):
        pixmap = QPixmap(QSize(side * ratio, side * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_one(painter, theme.style(role), side / 2, side / 2)
        painter.end()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # in a chosen row too it is the colour of the class
            icon.addPixmap(pixmap, mode)
    return icon
