"""Presenting: the full screen for the plot, larger letters, and a bar with what a lecturer changes while talking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSize, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from kernelplay.ui.sizing import kept_size, percent

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
    size: int
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
        self.bar: PresentingBar | None = None  # while presenting
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), window)
        self._escape.setEnabled(False)
        self._escape.activated.connect(self._leave)

    @property
    def on(self) -> bool:
        """Whether the window presents now."""
        return self._before is not None

    @property
    def size(self) -> int:
        """The size for work, in percent, whether the window presents or not."""
        return self._before.size if self._before is not None else percent()

    @Slot(bool)
    def turn(self, on: bool) -> None:
        """Present, or be as before."""
        if on != self.on:
            self._begin() if on else self._end()
        self._window.actions_["present"].setChecked(on)

    def _begin(self) -> None:
        from kernelplay.ui.presenting_bar import PresentingBar

        window, actions = self._window, self._window.actions_
        shown = tuple(key for key in PANELS if actions[key].isChecked())
        self._before = Before(window.isFullScreen(), window.size(), shown, frozenset(window.side_room.away),
                              window.side_views.current, percent(), *window.division())
        window.side_views.open("")
        self._show_panels(())
        window.side_views.away = True
        for part in (window.menuBar(), window.tools, window.side_views):
            part.hide()
        wanted = max(self._before.size, kept_size("presenting_size", LEAST))
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
        window.sizing.use(before.size)
        window.side_room.away = set(before.away)
        window.side_room.hold(False)
        window.divide(before.sides, before.left, before.upright)
        window.canvas.setFocus()

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
