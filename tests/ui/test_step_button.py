"""The arrows of undo and redo: the next steps that way by name, one of them chosen, all of them at the end."""

from __future__ import annotations

from typing import Any

import pytest
from hand import LEFT, Hand
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from kernelplay.ui.tool_button import MOST_STEPS, StepButton
from kernelplay.ui.window import MainWindow

Key = Qt.Key


@pytest.fixture
def user(window: MainWindow, qtbot: Any) -> Hand:
    user = Hand(qtbot, window)
    user.settled()
    user.keys("Ctrl+A")
    user.keys("Ctrl+D", times=MOST_STEPS + 3)
    assert window.store.history.at == MOST_STEPS + 3
    return user


def labels(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def by_keys(user: Hand, button: StepButton, down: int) -> None:
    """Open the menu with the keys and choose the entry so many below the first."""
    button.setFocus()
    QTest.keyClick(button, Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    user.bot.waitUntil(button.menu().isVisible)
    for _ in range(down):
        QTest.keyClick(button.menu(), Key.Key_Down)
    QTest.keyClick(button.menu(), Key.Key_Return)
    user.bot.waitUntil(lambda: not button.menu().isVisible())


def test_the_newest_steps_stand_first_and_lead_there(user: Hand) -> None:
    store, tools = user.window.store, user.window.tools
    user.keys("Ctrl+J")
    steps, at = store.history.steps, store.history.at
    by_keys(user, tools.undo, 0)
    assert store.history.at == at - 1, "the first entry is undo"
    by_keys(user, tools.undo, 4)
    assert store.history.at == at - 6 and store.scene.digest == steps[at - 6].scene.digest
    assert labels(tools.undo.menu())[:-1] == [str(step.label) for step in steps[at - 1:at - 1 - MOST_STEPS:-1]]
    by_keys(user, tools.redo, 2)
    assert store.history.at == at - 3
    assert labels(tools.redo.menu()) == [*(str(step.label) for step in steps[at - 5:]), "All steps…"]
    by_keys(user, tools.redo, 1)
    assert store.scene.digest == steps[at - 1].scene.digest


def test_all_steps_opens_the_history_with_the_keys_in_it(user: Hand) -> None:
    window = user.window
    for _ in range(2):  # open already, it gets the keys all the same
        by_keys(user, window.tools.undo, MOST_STEPS)
        panel = window.history_panel
        assert panel is not None and panel.isVisible() and window.actions_["history"].isChecked()
        user.back()
        assert panel.list.hasFocus()


def test_the_arrow_opens_under_the_mouse_and_escape_changes_nothing(user: Hand) -> None:
    window: MainWindow = user.window
    button, scene = window.tools.undo, window.store.scene
    seen: list[str] = []

    def look() -> None:
        seen.extend(labels(button.menu()))
        QTest.keyClick(button.menu(), Key.Key_Escape)

    QTimer.singleShot(50, window, look)
    arrow = QPoint(button.width() - 6, button.height() // 2)
    QTest.mouseClick(button, LEFT, Qt.KeyboardModifier.NoModifier, arrow)
    user.bot.waitUntil(lambda: len(seen) == MOST_STEPS + 1 and not button.menu().isVisible())
    assert window.store.scene is scene
