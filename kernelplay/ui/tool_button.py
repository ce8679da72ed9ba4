"""Buttons of the tool bar with an arrow that opens a menu: the tools of one family, the steps back and forth."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from kernelplay.i18n import say, verbatim
from kernelplay.ui.hovering import Hover
from kernelplay.ui.sizes import px
from kernelplay.ui.store import Store
from kernelplay.ui.words import tell

MOST_STEPS = 12
LONGEST = 320  # pixels of the words of a step


class Arrowed(QToolButton):
    """A button with an arrow beside it; Alt+Down and the menu key open what the arrow does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu."""
        alt_down = event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier
        if self.menu() is not None and (alt_down or event.key() == Qt.Key.Key_Menu):
            self.menu().popup(self.mapToGlobal(self.rect().bottomLeft()))
            self.menu().setActiveAction(self.menu().actions()[0])
        else:
            super().keyPressEvent(event)


class ToolButton(Arrowed):
    """Takes the tool of a family that was used last, and wears its words and icon; its arrow offers the others."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self._family = tuple(actions)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setDefaultAction(self._family[0])
        if len(self._family) > 1:
            self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
            menu = QMenu(self)
            for action in self._family:
                menu.addAction(action)
                action.toggled.connect(self._taken)
            self.setMenu(menu)
            Hover(self).follow(menu)

    @Slot(bool)
    def _taken(self, on: bool) -> None:
        action = self.sender()
        if on and isinstance(action, QAction):
            self.setDefaultAction(action)


class StepButton(Arrowed):
    """Undo or redo; its arrow offers the next steps that way, the nearest one first, and all steps at the end."""

    def __init__(self, action: QAction, way: int, history: QAction, store: Store, parent: QWidget) -> None:
        super().__init__(parent)
        self._way, self._history, self._store = way, history, store  # way: -1 for undo, 1 for redo
        tell(self, "setAccessibleName", say("Undo") if way < 0 else say("Redo"))
        tell(self, "setAccessibleDescription", say("Press Alt+Down to choose among the steps."))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setProperty("look", "step")
        self.setDefaultAction(action)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)
        Hover(self).follow(menu)
        self._fill()

    @Slot()
    def _fill(self) -> None:
        menu, steps, at = self.menu(), self._store.history.steps, self._store.history.at
        menu.clear()
        nearest = range(at, 0, -1) if self._way < 0 else range(at + 1, len(steps))
        for step in nearest[:MOST_STEPS]:
            words = " ".join(str(steps[step].label).split())
            action = QAction(menu)
            shown = menu.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, px(LONGEST))
            tell(action, "setText", verbatim(shown.replace("&", "&&")))
            action.setData(step - 1 if self._way < 0 else step)
            action.triggered.connect(self._go)
            menu.addAction(action)
        menu.addSeparator()
        every = QAction(menu)
        tell(every, "setText", say("All steps…"))
        every.triggered.connect(self._show_all)
        menu.addAction(every)

    @Slot()
    def _go(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._store.go(int(action.data()))

    @Slot()
    def _show_all(self) -> None:
        if self._history.isChecked():  # open already: it gets the keys
            self._history.setChecked(False)
        self._history.trigger()
