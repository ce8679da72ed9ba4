"""The pointer leaves: a list or menu that closes swallows the event by which its button would learn of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QMenu, QWidget

SOON = 80  # ms after which what was open is gone, and Qt has told the others


class Hover(QObject):
    """Lets go of a button when what it has opened is closed, if the pointer is elsewhere by then."""

    def __init__(self, button: QWidget) -> None:
        super().__init__(button)
        self._button = button
        self._menus: set[int] = set()

    def follow(self, menu: QMenu) -> None:
        """Look when this menu closes, now and later."""
        if id(menu) not in self._menus:
            self._menus.add(id(menu))
            menu.aboutToHide.connect(self.look)

    @Slot()
    def look(self) -> None:
        """Look soon: what is open is still there."""
        QTimer.singleShot(SOON, self, self._look)

    @Slot()
    def _look(self) -> None:
        button = self._button
        inside = button.rect().contains(button.mapFromGlobal(QCursor.pos()))
        if button.testAttribute(Qt.WidgetAttribute.WA_UnderMouse) and not inside:
            button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))
            button.update()
