"""An image painted on the thread of the window, which goes on meanwhile: a strip between two events."""

from __future__ import annotations

import logging
from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

log = logging.getLogger("kernelplay")

Strips = Generator[float, None, QImage]


class Turns(QObject):
    """Paints one image, a strip in each turn of the event loop; `painted` tells it when it is whole, `failed` that it
    cannot be painted."""

    painted = Signal(object)  # QImage
    failed = Signal(object)  # Exception

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._strips: Strips | None = None
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._strip)

    @property
    def busy(self) -> bool:
        """Whether an image is being painted."""
        return self._strips is not None

    def begin(self, strips: Strips) -> None:
        """Paint another image; one that is being painted is dropped."""
        self._strips = strips
        self._turn.start()

    def stop(self) -> None:
        """Drop what is being painted."""
        self._strips = None
        self._turn.stop()

    @Slot()
    def _strip(self) -> None:
        assert self._strips is not None
        try:
            next(self._strips)
        except StopIteration as done:
            self.stop()
            self.painted.emit(done.value)
        except Exception as error:
            log.error("an image could not be painted", exc_info=error)
            self.stop()
            self.failed.emit(error)
