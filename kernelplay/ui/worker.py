"""Work beside the window: a thread of its own, the newest request wins, and what comes of it arrives in the window."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from kernelplay.latest import Latest
from kernelplay.models.base import Check
from kernelplay.ui.waiting import wait_for


class Worker(QObject):
    """Does `work` for one request after another. A subclass takes what comes of it: `arrive` and `fail` are called on
    the thread of the window. The thread begins with the first request."""

    _arrived = Signal(int, object)
    _broke = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._latest: Latest[Any, Any] | None = None
        self._arrived.connect(self._arrive)
        self._broke.connect(self._break)

    def submit(self, request: Any, urgent: bool = False) -> int:
        """Ask for `request` and return its number; urgent: what is under way stops at once."""
        if self._latest is None:
            self._latest = Latest(self.work, self._arrived.emit, self._broke.emit)
        return self._latest.submit(request, urgent)

    @property
    def idle(self) -> bool:
        """Whether nothing is being made."""
        return self._latest is None or self._latest.idle

    def close(self) -> None:
        """Stop, and let the window live until the thread has ended: what it is at may not look up at once."""
        if self._latest is not None and self._latest.idle:
            self._latest.close()
        elif self._latest is not None:
            wait_for(self._latest.close)

    def work(self, request: Any, check: Check) -> Any:
        """Return what `request` asks for; runs on the thread."""
        raise NotImplementedError

    def arrive(self, number: int, result: Any) -> None:
        """Take the result of the request of this number."""
        raise NotImplementedError

    def fail(self, number: int, error: BaseException) -> None:
        """Take what went wrong with the request of this number."""
        raise NotImplementedError

    @Slot(int, object)
    def _arrive(self, number: int, result: object) -> None:
        self.arrive(number, result)

    @Slot(int, object)
    def _break(self, number: int, error: BaseException) -> None:
        self.fail(number, error)
