"""Room at the sides: where letters are large, one side gives way so that the canvas keeps about half of the width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from kernelplay.i18n import say
from kernelplay.ui.sizes import scale

if TYPE_CHECKING:
    from kernelplay.ui.window import MainWindow

MOST = 0.55  # of the width, for both sides together
LEFT, RIGHT = ("data_panel", "history"), ("model_panel",)


class SideRoom(QObject):
    """Hides the panels of one side of a window while there is no room for both, and shows them again when there is.

    At the usual size both have room in the smallest window. `away` has the panels that are hidden for this reason
    alone.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.away: set[str] = set()
        self._busy = False

    def hold(self, on: bool) -> None:
        """Leave the panels alone for a while: somebody else puts them back."""
        self._busy = on

    def fit(self, wanted: str = "") -> None:
        """Look again which sides have room; the one of `wanted`, a panel that was just asked for, stays."""
        if self._busy:
            return
        self._busy = True
        self.away -= {key for key in self.away if self._shown(key)}
        if not self._crowded():
            for key in sorted(self.away):
                self._turn(key)
            self.away.clear()
        elif any(map(self._shown, LEFT)) and any(map(self._shown, RIGHT)):
            gone = [key for key in (RIGHT if wanted in LEFT else LEFT) if self._shown(key)]
            for key in gone:
                self._turn(key)
            self.away = {*self.away.intersection(RIGHT if wanted in LEFT else LEFT), *gone}
            if not wanted:
                self._window.store.say(say("At this window size there is room for only one side panel: press F7 or F8 "
                                           "to choose which."))
        self._busy = False

    def hidden_by_hand(self, key: str) -> None:
        """Somebody has hidden the panel `key`: those of the other side come back, if they had to give way to it."""
        if not self._busy and key not in self.away:
            self.fit()

    def _crowded(self) -> bool:
        window = self._window
        left = max((window.panel(key).minimumWidth() for key in LEFT if self._counts(key)), default=0)
        right = max((window.panel(key).minimumWidth() for key in RIGHT if self._counts(key)), default=0)
        return scale() > 1.0 and left + right > MOST * window.width()

    def _counts(self, key: str) -> bool:
        return self._shown(key) or key in self.away

    def _shown(self, key: str) -> bool:
        return self._window.actions_[key].isChecked()

    def _turn(self, key: str) -> None:
        self._window.actions_[key].trigger()
