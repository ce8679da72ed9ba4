"""Words follow a drag at leisure: what is asked for very often is done at once after a rest, else now and then."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

PAUSE = 50  # ms between two answers: faster than anybody reads, and nothing beside what the picture costs


class Calm(QObject):
    """Emits `due` when it is asked to, but leaves `PAUSE` between two times; the last asking always counts."""

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._asked = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._over)

    @property
    def waiting(self) -> bool:
        """Whether something was asked for that is still to come."""
        return self._asked

    @Slot()
    def ask(self) -> None:
        """Emit `due` now if there was none for a while, else when the pause is over."""
        if self._timer.isActive():
            self._asked = True
        else:
            self._timer.start()
            self.due.emit()

    def stop(self) -> None:
        """Forget what was asked for."""
        self._asked = False
        self._timer.stop()

    @Slot()
    def _over(self) -> None:
        if self._asked:
            self._asked = False
            self._timer.start()
            self.due.emit()
