"""A button of the tool bar for tools of one family: it takes the one used last, its arrow offers the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget


class ToolButton(QToolButton):
    """Wears the words and the icon of the tool that it takes."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self._family = tuple(actions)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setDefaultAction(self._family[0])
        if len(self._family) > 1:
            self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
            menu = QMenu(self)
            for action in self._family:
                menu.addAction(action)
                action.toggled.connect(self._taken)
            self.setMenu(menu)

    @Slot(bool)
    def _taken(self, on: bool) -> None:
        action = self.sender()
        if on and isinstance(action, QAction):
            self.setDefaultAction(action)
