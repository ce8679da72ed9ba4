"""Classes are dragged to another place in their list; the table takes single rows that come and go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand import LEFT, NO_KEY, Hand
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.ui.class_list import Classes
from kernelplay.ui.class_row import ClassRow
from kernelplay.ui.window import MainWindow

XY = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    made = Scene(classes=("one", "two", "three"), classification=Points(XY, [0, 1, 2, 0]))
    hand = Hand(qtbot, open_window(made.with_view((-2.0, 2.0, -2.0, 2.0)), size=(1280, 900)))
    hand.settled()
    return hand


def classes(user: Hand) -> Classes:
    return user.window.data_panel.classes


def move(row: ClassRow, at: QPoint) -> None:
    """Move the mouse over the screen, with the button held on `row`."""
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(row.mapFromGlobal(at)), QPointF(at), Qt.MouseButton.NoButton,
                        LEFT, NO_KEY)
    QApplication.sendEvent(row, event)


def take(user: Hand, number: int, rows_down: float) -> ClassRow:
    """Take hold of a class and drag it some rows down, in small steps."""
    row = classes(user).rows[number]
    user.show(row)
    start = row.mapToGlobal(row.rect().center())
    QTest.mousePress(row, LEFT, NO_KEY, row.rect().center())
    for share in np.linspace(0, 1, 9)[1:]:
        move(row, start + QPoint(0, round(rows_down * row.height() * share)))
    return row


def drop(row: ClassRow) -> None:
    QTest.mouseRelease(row, LEFT, NO_KEY, row.rect().center())


@pytest.mark.parametrize(("number", "rows", "order"), [
    (0, 1.1, ("two", "one", "three")), (0, 9, ("two", "three", "one")), (2, -1.2, ("one", "three", "two")),
    (2, -7, ("three", "one", "two")), (1, 0.3, ("one", "two", "three")),
])
def test_a_class_is_dragged_to_another_place_as_one_step(user: Hand, number: int, rows: float,
                                                         order: tuple[str, ...]) -> None:
    store, panel = user.window.store, classes(user)
    before, name = store.scene, store.scene.classes[number]
    drop(take(user, number, rows))
    assert store.scene.classes == order
    assert [row.title.full for row in panel.rows] == list(order)
    where = [store.scene.points.xy[store.scene.points.cls == order.index(title)].tolist() for title in before.classes]
    assert where == [before.points.xy[before.points.cls == cls].tolist() for cls in range(3)], "points keep their class"
    assert len(store.history.steps) == 1 + (order != before.classes)
    assert [panel._list.indexOf(row) for row in panel.rows] == [0, 1, 2]
    user.keys("Ctrl+Z")
    assert store.scene.classes == before.classes and name == panel.rows[number].title.full


def test_the_dragged_class_stands_among_the_others_until_it_is_let_go(user: Hand) -> None:
    store, panel = user.window.store, classes(user)
    row = take(user, 0, 1.1)
    assert [panel._list.itemAt(place).widget() for place in range(3)] == [panel.rows[1], row, panel.rows[2]]
    assert store.scene.classes == ("one", "two", "three"), "nothing is done yet"
    current = store.current_class
    drop(row)
    assert store.scene.classes[store.current_class] == ("one", "two", "three")[current], "a drag is no click"


def test_escape_or_another_change_calls_the_drag_off(user: Hand) -> None:
    store, panel = user.window.store, classes(user)
    row = take(user, 2, -2)
    QTest.keyClick(row, Qt.Key.Key_Escape)
    drop(row)
    assert store.scene.classes == ("one", "two", "three") and len(store.history.steps) == 1
    row = take(user, 2, -2)
    store.edit(store.scene.without_class(1), user.window.store.history.steps[0].label)
    drop(row)
    assert store.scene.classes == ("one", "three")
    assert [panel._list.indexOf(each) for each in panel.rows] == [0, 1]


def test_a_hand_that_trembles_only_clicks(user: Hand) -> None:
    store = user.window.store
    drop(take(user, 1, 0.12))
    assert store.current_class == 1 and len(store.history.steps) == 1


def test_a_moved_class_is_reached_by_the_keys_as_before(user: Hand) -> None:
    row = classes(user).rows[0]
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert user.window.store.scene.classes == ("two", "one", "three")
    assert QApplication.focusWidget() is classes(user).rows[1]


@pytest.mark.parametrize("about", ["class", "point"])
def test_a_menu_about_what_may_be_gone_closes_when_the_scene_changes(user: Hand, about: str) -> None:
    store = user.window.store
    if about == "class":
        classes(user)._menu(2, QPoint(0, 0))
    else:
        user.window.editing.point_menu(3, QPoint(0, 0))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    store.edit(store.scene.without_class(2), say("Remove class"))
    assert QApplication.activePopupWidget() is None


def test_a_class_is_moved_by_its_menu(user: Hand) -> None:
    classes(user)._menu(2, QPoint(0, 0))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    user.pick(menu, "Move up")
    assert user.window.store.scene.classes == ("one", "three", "two")
