"""The size of letters, controls, marks and lines: chosen for all windows, kept for the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Slot
from PySide6.QtGui import QAction

from kernelplay import i18n
from kernelplay.ui.dressing import afterwards
from kernelplay.ui.kept import kept_key
from kernelplay.ui.sizes import SIZES, scale
from kernelplay.ui.theme import apply

if TYPE_CHECKING:
    from kernelplay.ui.window import MainWindow

USUAL = 100  # percent


def percent() -> int:
    """Return the size in use, in percent."""
    return round(100 * scale())


def kept_size(key: str, usual: int) -> int:
    """Return the size in percent that was kept under `key`."""
    return int(kept_key(key, str(usual), *map(str, SIZES)))


class Sizing(QObject):
    """What the commands of one window do to the size of all of them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    @Slot()
    def choose(self) -> None:
        """Take the size of the command that was chosen."""
        action = self.sender()
        assert isinstance(action, QAction)
        self.take(int(action.data()))

    @Slot()
    def larger(self) -> None:
        """Take the next larger size."""
        self.take(next((size for size in SIZES if size > percent()), SIZES[-1]))

    @Slot()
    def smaller(self) -> None:
        """Take the next smaller size."""
        self.take(next((size for size in reversed(SIZES) if size < percent()), SIZES[0]))

    @Slot()
    def usual(self) -> None:
        """Take the size that is usual."""
        self.take(USUAL)

    def take(self, size: int) -> None:
        """Draw all windows in a size, and remember it: for work, or for presentations while there is one."""
        self.use(size)
        QSettings().setValue("presenting_size" if self.presented else "size", str(size))

    @property
    def presented(self) -> bool:
        """Whether a window presents: all of them have the size for that."""
        return any(window.presenting.on for window in self._window.all_windows)

    def use(self, size: int) -> None:
        """Draw all windows in a size."""
        window = self._window
        if size != percent():
            apply(window.look.zoomed(size / 100), i18n.current())
            windows = sorted(window.all_windows, key=lambda other: other is not window)
            afterwards(windows, *type(window).SIZING)
            window.show_size()
        else:
            window.show_size()
