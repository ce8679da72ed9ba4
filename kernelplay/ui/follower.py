"""Panels follow the scene at once, but make widgets once in a turn of the event loop, and never out of sight."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.turn import TURN


class Follower(QObject):
    """Emits `due` when what is on `widget` is to be shown anew: as soon as it is asked to, unless widgets were made in
    this turn already (`rest`) or nobody can see them; then as soon as that has changed.

    Eleven steps back in one turn are so two rebuildings at most, and a folded section costs nothing. Who reads a panel
    other than with the eye calls `now` first.
    """

    due = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._late = False
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._over)
        widget.installEventFilter(self)

    @property
    def late(self) -> bool:
        """Whether `due` is still to come."""
        return self._late

    @Slot()
    def ask(self) -> None:
        """Emit `due`, now or later."""
        self._late = True
        if self._widget.isVisible() and not self._turn.isActive():
            self.now()

    def now(self) -> None:
        """Emit `due` if it is still to come."""
        if self._late:
            TURN.begin()
            self._late = False
            self.due.emit()
            if self._turn.isActive():
                self._lay_out()

    def rest(self, more: bool = False) -> None:
        """Wait for the next turn: widgets were made. `more`: not all of them yet."""
        self._late = self._late or more
        self._turn.start()

    def _lay_out(self) -> None:
        """Give what was made its room now: a paint may come before the layouts would follow, one after the other, and
        would show it squeezed."""
        widget: QWidget | None = self._widget
        for inside in reversed(self._widget.findChildren(QWidget)):
            if inside.layout() is not None:
                QCoreApplication.sendPostedEvents(inside, QEvent.Type.LayoutRequest)
        while widget is not None:
            QCoreApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest)
            widget = None if widget.isWindow() else widget.parentWidget()

    @Slot()
    def _over(self) -> None:
        if self._widget.isVisible():
            self.now()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Catch up when the widget comes into sight."""
        if event.type() == QEvent.Type.Show and not self._turn.isActive():
            self.now()
        return super().eventFilter(watched, event)
