"""The mark of a class as an icon, drawn by the code that draws it on the canvas."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from kernelplay.marks import Role
from kernelplay.ui.symbols import draw_one
from kernelplay.ui.theme import Theme

SIDE = 16


@cache
def swatch(theme: Theme, role: Role) -> QIcon:
    """Return the mark of `role` in the colours of `theme`, 16 pixels square."""
    icon = QIcon()
    for ratio in (1, 2, 3):
        pixmap = QPixmap(QSize(SIDE * ratio, SIDE * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_one(painter, theme.style(role), SIDE / 2, SIDE / 2)
        painter.end()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # in a chosen row too it is the colour of the class
            icon.addPixmap(pixmap, mode)
    return icon
