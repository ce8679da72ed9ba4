"""Presenting: the full screen for the plot, larger letters, and a bar with what a lecturer changes while talking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSize, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from kernelplay.ui.dressing import afterwards, finish
from kernelplay.ui.sizing import USUAL, kept_size

if TYPE_CHECKING:
    from kernelplay.ui.presenting_bar import PresentingBar
    from kernelplay.ui.window import MainWindow

PANELS = ("data_panel", "model_panel", "history")
LEAST = 150  # percent, unless another size was chosen while presenting


@dataclass(frozen=True)
class Before:
    """How a window was before it presented."""

    full: bool
    extent: QSize
    panels: tuple[str, ...]
    away: frozenset[str]
    view: str
    sides: QByteArray
    left: QByteArray
    upright: QByteArray


class Presenting(QObject):
    """Lets a window present, and puts everything back afterwards. Nothing of the document changes.

    Escape ends it, unless the canvas has something to call off. The size chosen while presenting is kept for the next
    time, beside the one for work.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: Before | None = None
        self._after: Before | None = None  # what the window becomes again when it has its size
        self.bar: PresentingBar | None = None  # while presenting
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), window)
        self._escape.setEnabled(False)
        self._escape.activated.connect(self._leave)

    @property
    def on(self) -> bool:
        """Whether the window presents now."""
        return self._before is not None

    @Slot(bool)
    def turn(self, on: bool) -> None:
        """Present, or be as before."""
        if on != self.on:
            self._begin() if on else self._end()
        self._window.actions_["present"].setChecked(on)

    def _begin(self) -> None:
        from kernelplay.ui.presenting_bar import PresentingBar

        window, actions = self._window, self._window.actions_
        finish(window)
        shown = tuple(key for key in PANELS if actions[key].isChecked())
        self._before = Before(window.isFullScreen(), window.size(), shown, frozenset(window.side_room.away),
                              window.side_views.current, *window.division())
        window.side_views.open("")
        self._show_panels(())
        window.side_views.away = True
        for part in (window.menuBar(), window.tools, window.side_views):
            part.hide()
        wanted = max(kept_size("size", USUAL), kept_size("presenting_size", LEAST))
        self.bar = PresentingBar(window.store, window.look, window.centre)
        self.bar.kernel_chosen.connect(window.model_panel.kernel.put)
        self.bar.left.connect(self._leave)
        window.add_bar(self.bar)
        self._escape.setEnabled(True)
        window.sizing.use(wanted)
        window.fill_screen(True)
        window.canvas.setFocus()

    def _end(self) -> None:
        before, bar, window = self._before, self.bar, self._window
        assert before is not None and bar is not None
        self._before = self.bar = None
        self._escape.setEnabled(False)
        bar.hide()
        bar.deleteLater()
        window.side_views.away = False
        window.side_views.setVisible(window.side_views.wanted)
        for part in (window.menuBar(), window.tools):
            part.show()
        window.side_room.hold(True)
        self._show_panels(before.panels)
        window.side_views.open_again(before.view)
        window.fill_screen(before.full)
        if not (before.full or window.isMaximized()):
            window.resize(before.extent)
        self._after = before
        afterwards([window], self._take_size)
        window.canvas.setFocus()

    def _take_size(self, window: MainWindow) -> None:
        """Have the size for work again, unless another window presents still: a turn for itself, since showing the
        panels again took one."""
        if not window.sizing.presented:
            window.sizing.use(kept_size("size", USUAL))
        afterwards([window], self._divide)

    def _divide(self, window: MainWindow) -> None:
        """Divide the window again, which has the size of letters again."""
        before, self._after = self._after, None
        assert before is not None
        window.side_room.away = set(before.away)
        window.side_room.hold(False)
        window.divide(before.sides, before.left, before.upright)

    def _show_panels(self, keys: tuple[str, ...]) -> None:
        self._window.side_room.away.clear()
        for key in PANELS:
            if self._window.actions_[key].isChecked() != (key in keys):
                self._window.actions_[key].trigger()

    @Slot()
    def _leave(self) -> None:
        """Call off what the canvas is in the middle of, or what is being typed; else end."""
        canvas, store = self._window.canvas, self._window.store
        focus = QApplication.focusWidget()
        if canvas.cancel():
            return
        if self.bar is not None and self.sender() is self._escape and isinstance(focus, QWidget) and \
                self.bar.typing(focus):
            canvas.setFocus()
        elif self.sender() is self._escape and store.selection:
            store.select(frozenset())
        else:
            self.turn(False)
