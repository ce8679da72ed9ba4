"""A widget that shows one plot and fills with it: what canvas and side views have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from kernelplay.ui.guard import guarded
from kernelplay.ui.plot import Plot
from kernelplay.ui.theme import Theme


class PlotView(pg.GraphicsView):  # type: ignore[misc]
    """Shows `plot`; mouse and keys are for those who derive from it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self.plot = Plot(theme)
        self.scene().addItem(self.plot)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(False)  # the window takes files

    @property
    def theme(self) -> Theme:
        """The theme it is drawn with."""
        return self.plot.theme

    def set_theme(self, theme: Theme) -> None:
        """Draw with `theme` from now on."""
        self.plot.set_theme(theme)

    def over(self, **changes: Any) -> None:
        """Change what the hand adds to the plot."""
        self.plot.set_over(replace(self.plot.over, **changes))

    def sized(self) -> None:
        """The plot has another size."""

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill the new size."""
        super().resizeEvent(event)
        if hasattr(self, "plot"):  # pyqtgraph resizes once while it is being made
            self.plot.set_size(self.width(), self.height())
            self.sized()
