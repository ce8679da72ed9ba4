"""What some first fit would wait for is loaded ahead, on a thread that gives way to the window."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot

from kernelplay.turn import TURN

SOON = 1000  # milliseconds: the first picture is there by then
# of Gaussian processes and ridge regression; of a proof without margin; of distances; the solver of last resort
MODULES = ("scipy.linalg", "scipy.optimize", "scipy.spatial", "cvxopt")


class Courtesy(MetaPathFinder):
    """Finds no module, but gives way to the window before each one that `thread` loads."""

    def __init__(self, thread: threading.Thread) -> None:
        self._thread = thread

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Give way, and leave it to the next finder."""
        if threading.current_thread() is self._thread:
            TURN.give_way()


class Ahead(QObject):
    """Loads MODULES, 250 ms in all, some time after the start; `restore` gives up what is not loaded yet."""

    def __init__(self, milliseconds: int = SOON) -> None:
        super().__init__(QCoreApplication.instance())
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._load, name="kernelplay-ahead", daemon=True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._begin)
        self._timer.start(milliseconds)

    def restore(self) -> None:
        """Load nothing more, and wait for what is being loaded."""
        self._timer.stop()
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()
        self.deleteLater()

    @Slot()
    def _begin(self) -> None:
        self._thread.start()

    def _load(self) -> None:
        courtesy = Courtesy(self._thread)
        sys.meta_path.insert(0, courtesy)
        try:
            for module in MODULES:
                if self._over.is_set():
                    break
                importlib.import_module(module)
        finally:
            sys.meta_path.remove(courtesy)
