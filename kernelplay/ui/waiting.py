"""Waiting for a thread: what takes long is done there, and what asked for it goes on when it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEventLoop, QMetaObject, Qt

R = TypeVar("R")

AT_ONCE = 0.008  # seconds within which nobody notices that the window stands still: half a frame


def wait_for(work: Callable[[], R]) -> R:
    """Return `work()`, done on a thread of its own; raise what it raises.

    Meanwhile the window is drawn and pictures arrive, but mouse and keys have to wait, so that the document that is
    worked on stays as it is.
    """
    results: list[R] = []
    errors: list[BaseException] = []
    loop = QEventLoop()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    def run_and_wake() -> None:
        run()
        QMetaObject.invokeMethod(loop, "quit", Qt.ConnectionType.QueuedConnection)

    thread = threading.Thread(target=run_and_wake, name="kernelplay-file", daemon=True)
    thread.start()
    thread.join(AT_ONCE)
    if thread.is_alive():
        loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        thread.join()
    if errors:
        raise errors[0]
    return results[0]
