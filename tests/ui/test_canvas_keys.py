"""The canvas by keyboard alone: points are reached, moved, added and deleted; the focus is never trapped."""

from __future__ import annotations

import numpy as np
import pytest
import stage
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from stage import canvas

from kernelplay.ui.canvas import Canvas
from kernelplay.ui.store import Store
from kernelplay.ui.theme import LIGHT

Key = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def key(made: Canvas, which: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(made, which, held)


def test_tab_goes_from_point_to_point_and_on_to_the_next_control(qtbot: object) -> None:
    window = QWidget()
    layout = QVBoxLayout(window)
    store = Store(stage.scene())
    before, made, after = QLineEdit(window), Canvas(store, LIGHT, window), QLineEdit(window)
    for part in (before, made, after):
        layout.addWidget(part)
    window.resize(500, 500)
    qtbot.addWidget(window)  # type: ignore[attr-defined]
    try:
        with qtbot.waitExposed(window):  # type: ignore[attr-defined]
            window.show()
        window.activateWindow()
        before.setFocus()
        key(before, Key.Key_Tab)  # type: ignore[arg-type]
        assert made.hasFocus() and made.plot.over.focus  # and the focus is seen
        reached = []
        for _ in range(4):
            key(made, Key.Key_Tab)
            reached.append(set(store.selection))
        assert reached == [{0}, {1}, {2}, {3}]
        key(made, Key.Key_Tab)
        assert after.hasFocus() and not made.plot.over.focus
        made.setFocus()
        store.select(frozenset({0}))
        key(made, Key.Key_Backtab, SHIFT)
        assert before.hasFocus()
    finally:
        window.hide()
        store.close()


def test_arrows_move_the_selection_and_a_held_key_is_one_step(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        made.store.select(frozenset({1}))
        sx, sy = made.plane.scale
        key(made, Key.Key_Right)
        key(made, Key.Key_Up, SHIFT)
        np.testing.assert_allclose(made.store.scene.points.xy[1], [1 + 10 / sx, 1 + 1 / sy])
        assert len(made.store.history.steps) == 3
        from PySide6.QtCore import QEvent
        from PySide6.QtGui import QKeyEvent
        from PySide6.QtWidgets import QApplication

        for repeated in (False, True, True, True):
            QApplication.sendEvent(made, QKeyEvent(QEvent.Type.KeyPress, Key.Key_Left, Qt.KeyboardModifier.NoModifier,
                                                   "", repeated))
        np.testing.assert_allclose(made.store.scene.points.xy[1, 0], 1 - 30 / sx)
        assert len(made.store.history.steps) == 4


def test_arrows_move_a_crosshair_and_enter_adds_there(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        said = []
        made.hovered.connect(said.append)
        key(made, Key.Key_Right)
        assert made.crosshair is not None
        middle = made.crosshair
        for _ in range(3):
            key(made, Key.Key_Right)
        key(made, Key.Key_Down)
        x, y = made.crosshair
        sx, sy = made.plane.scale
        assert (x - middle[0], y - middle[1]) == (pytest.approx(30 / sx), pytest.approx(-10 / sy))
        assert (said[-1].x, said[-1].y) == (x, y) and said[-1].text is not None
        made.store.use_class(1)
        key(made, Key.Key_Return)
        np.testing.assert_allclose(made.store.scene.points.xy[-1], (x, y))
        assert made.store.scene.points.cls[-1] == 1
        for _ in range(200):
            key(made, Key.Key_Left)
        assert made.crosshair[0] == pytest.approx(made.plane.view[0])  # it does not leave the plane


def test_enter_first_shows_where_it_will_add(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        key(made, Key.Key_Enter)
        assert made.crosshair is not None and len(made.store.scene.points) == 4
        key(made, Key.Key_Enter)
        assert len(made.store.scene.points) == 5


def test_delete_select_all_and_escape(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        key(made, Key.Key_Delete)
        assert len(made.store.scene.points) == 4  # nothing is selected
        key(made, Key.Key_A, CTRL)
        assert made.store.selection == frozenset(range(4))
        key(made, Key.Key_Escape)
        assert made.store.selection == frozenset()
        made.store.select(frozenset({0, 3}))
        key(made, Key.Key_Backspace)
        np.testing.assert_array_equal(made.store.scene.points.xy, stage.FOUR[1:3])
        assert made.store.selection == frozenset()
        key(made, Key.Key_Right)
        key(made, Key.Key_Escape)
        assert made.crosshair is None


def test_number_and_letter_keys_choose_class_and_tool(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        key(made, Key.Key_2)
        assert made.store.current_class == 1
        key(made, Key.Key_9)
        assert made.store.current_class == 1  # there is no ninth class
        for letter, tool in ((Key.Key_B, "brush"), (Key.Key_E, "eraser"), (Key.Key_S, "select"), (Key.Key_P, "point")):
            key(made, letter)
            assert made.store.tool == tool


def test_the_view_by_keys(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        fitted = made.plane.view
        key(made, Key.Key_Plus)
        assert made.plane.view[1] - made.plane.view[0] == pytest.approx(0.8 * (fitted[1] - fitted[0]))
        key(made, Key.Key_Right, CTRL)
        assert made.plane.view[0] > fitted[0]
        key(made, Key.Key_F)
        np.testing.assert_allclose(made.plane.view, fitted)


def test_space_let_go_without_a_drag_plays(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        played = []
        made.play_wanted.connect(lambda: played.append(1))
        key(made, Key.Key_Space)
        assert played == [1]


def test_the_menu_key_opens_the_menu_of_the_selected_point(qtbot: object) -> None:
    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QApplication

    with canvas(qtbot, stage.scene()) as made:
        asked = []
        made.menu_wanted.connect(lambda row, at: asked.append((row, at)))
        made.store.select(frozenset({2}))
        at = made.to_pixels(-1, 1)
        QApplication.sendEvent(made, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, made.mapToGlobal(at)))
        assert asked == [(2, made.viewport().mapToGlobal(at))]


def test_other_keys_are_left_to_the_window(qtbot: object) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    with canvas(qtbot, stage.scene()) as made:
        for which, held in ((Key.Key_F5, Qt.KeyboardModifier.NoModifier), (Key.Key_Z, CTRL), (Key.Key_S, CTRL)):
            event = QKeyEvent(QEvent.Type.KeyPress, which, held)
            made.keyPressEvent(event)
            assert not event.isAccepted()


def test_it_has_a_name_for_those_who_do_not_see_it(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        assert made.accessibleName() and "Tab" in made.accessibleDescription()
