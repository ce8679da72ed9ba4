"""The table of points under the hands of somebody who knows spreadsheets: real keys, real clicks, a real clipboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand import LEFT, NO_KEY, Hand
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QStyleOptionViewItem

from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.session import MOST_POINTS
from kernelplay.ui.controls import Combo
from kernelplay.ui.number import plain
from kernelplay.ui.point_model import CLASS, ON, X, Y, fixed, shown
from kernelplay.ui.point_table import PointTable
from kernelplay.ui.window import MainWindow

FIVE = np.array([[0.1 + 0.2, -1.5], [1e-7, 2.0], [3.25, 1 / 3], [-1.25, 0.5], [0.5, -0.5]])
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class Sheet:
    """A person at the table of one window."""

    def __init__(self, qtbot: Any, window: MainWindow) -> None:
        self.window, self.store = window, window.store
        self.hand = Hand(qtbot, window)
        self.table: PointTable = window.data_panel.table

    def click(self, row: int, column: int, held: Qt.KeyboardModifier = NO_KEY) -> None:
        """Click into a cell."""
        index = self.table.points.index(row, column)
        self.hand.show(self.table)
        self.table.scrollTo(index)
        rect = self.table.visualRect(index)
        at = QPoint(rect.left() + 14, rect.center().y()) if column == ON else rect.center()
        QTest.mouseClick(self.table.viewport(), LEFT, held, at)

    def type(self, text: str) -> None:
        """Type letters into whatever has the focus, one after the other."""
        for letter in text:
            QTest.keyClicks(self.focus(), letter)

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = NO_KEY) -> None:
        """Press one key; what it sets going is over afterwards."""
        QTest.keyClick(self.focus(), key, held)
        QApplication.processEvents()

    def focus(self) -> Any:
        """Return what has the focus; it is in the table."""
        focused = QApplication.focusWidget()
        assert focused is self.table or self.table.isAncestorOf(focused), focused
        return focused

    def paste(self, text: str) -> None:
        """Press Ctrl+V with `text` on the clipboard."""
        QGuiApplication.clipboard().setText(text)
        self.hand.keys("Ctrl+V")

    def at(self) -> tuple[int, int]:
        """Return the current cell."""
        index = self.table.currentIndex()
        return index.row(), index.column()

    def column(self, column: int) -> list[Any]:
        """Return what is in a column, from above, without the row below the points."""
        model = self.table.points
        return [model.index(row, column).data(Qt.ItemDataRole.EditRole) for row in range(model.rowCount() - 1)]

    def steps(self) -> int:
        """Return how many steps can be undone."""
        return len(self.store.history.steps) - 1

    def heading(self, column: int) -> None:
        """Click on the heading of a column."""
        header = self.table.horizontalHeader()
        at = QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) // 2, header.height() // 2)
        QTest.mouseClick(header.viewport(), LEFT, NO_KEY, at)

    @property
    def xy(self) -> list[list[float]]:
        """The points."""
        places: list[list[float]] = self.store.scene.points.xy.tolist()
        return places

    @property
    def said(self) -> str:
        """The sentence in the status line."""
        return self.window.status.sentence.full


@pytest.fixture
def sheet(qtbot: Any, open_window: Callable[..., MainWindow]) -> Sheet:
    scene = Scene(classes=("one", "two", "−3"), classification=Points(FIVE, [0, 1, 2, 1, 0]))
    made = Sheet(qtbot, open_window(scene.with_view((-4.0, 4.0, -3.0, 3.0)), size=(1280, 1000)))
    made.hand.settled()
    return made


def test_a_cell_is_opened_by_f2_with_all_its_digits_and_left_as_it_was_by_escape(sheet: Sheet) -> None:
    sheet.click(0, X)
    sheet.key(Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit) and float(editor.text()) == 0.1 + 0.2 and len(editor.text()) == 19
    assert editor.fontMetrics().horizontalAdvance(editor.text()) < editor.width(), "all of it is seen"
    sheet.key(Qt.Key.Key_Escape)
    sheet.key(Qt.Key.Key_F2)
    sheet.key(Qt.Key.Key_Return)
    assert sheet.xy == FIVE.tolist() and sheet.steps() == 0, "looking at a number is no edit"


def test_typing_replaces_enter_goes_down_tab_right_and_enter_comes_back_to_where_the_row_began(sheet: Sheet) -> None:
    sheet.click(0, X)
    sheet.type("7.5")
    sheet.key(Qt.Key.Key_Tab)
    assert sheet.at() == (0, Y) and sheet.xy[0] == [7.5, -1.5]
    sheet.type("-0,25")
    sheet.key(Qt.Key.Key_Return)
    assert sheet.xy[0] == [7.5, -0.25] and sheet.at() == (1, X)
    sheet.type("1e-300")
    sheet.key(Qt.Key.Key_Return)
    assert sheet.xy[1] == [1e-300, 2.0] and sheet.at() == (2, X)
    assert sheet.steps() == 3 and sheet.store.selection == {2}
    sheet.hand.keys("Ctrl+Z", 3)
    assert sheet.xy == FIVE.tolist()


def test_tab_and_enter_go_back_with_shift_and_arrows_go_anywhere(sheet: Sheet) -> None:
    sheet.click(1, Y)
    sheet.key(Qt.Key.Key_Tab)
    assert sheet.at() == (1, CLASS)
    sheet.key(Qt.Key.Key_Tab)
    assert sheet.at() == (2, X), "past the tick, which is for Space"
    sheet.key(Qt.Key.Key_Backtab, SHIFT)
    assert sheet.at() == (1, CLASS)
    sheet.key(Qt.Key.Key_Up)
    sheet.key(Qt.Key.Key_Left)
    assert sheet.at() == (0, Y)
    sheet.key(Qt.Key.Key_Return)
    sheet.key(Qt.Key.Key_Return)
    sheet.key(Qt.Key.Key_Return, SHIFT)
    assert sheet.at() == (1, Y) and sheet.store.selection == {1}
    sheet.key(Qt.Key.Key_Down, SHIFT)
    assert sheet.store.selection == {1, 2}


def test_who_comes_with_tab_goes_on_with_tab_and_escape_leads_out(sheet: Sheet) -> None:
    sheet.table.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(sheet.table, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is not sheet.table, "the keyboard is not caught"
    sheet.click(0, X)
    sheet.key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is sheet.table
    QTest.keyClick(sheet.table, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is sheet.window.canvas


def test_what_is_no_coordinate_leaves_the_cell_as_it_was_and_is_said(sheet: Sheet) -> None:
    sheet.click(2, X)
    for typed, words in (("x", "x is not a coordinate: enter a number"), ("", "not a coordinate"),
                         ("1,000.5", "not a coordinate"), ("nan", "not a coordinate"), ("1e101", "out of range"),
                         ("inf", "out of range")):
        sheet.store.say(say("Ready."))
        sheet.key(Qt.Key.Key_F2)
        sheet.key(Qt.Key.Key_Backspace)
        sheet.type(typed)
        sheet.key(Qt.Key.Key_Return)
        assert sheet.xy == FIVE.tolist() and sheet.steps() == 0
        assert words in sheet.said and sheet.window.status.dot.state == "bad"
        assert sheet.at() == (2, X), "where it can be typed once more"
        assert sheet.table.points.index(2, X).data() == "3.25"


def test_a_point_far_away_is_brought_into_sight(sheet: Sheet) -> None:
    sheet.click(0, X)
    sheet.type("40")
    sheet.key(Qt.Key.Key_Return)
    assert sheet.store.scene.view is not None and sheet.store.scene.view[1] > 40


def test_the_class_is_chosen_from_a_list_or_by_its_number(sheet: Sheet) -> None:
    sheet.click(0, CLASS)
    sheet.key(Qt.Key.Key_F2)
    combo = next(each for each in sheet.table.findChildren(Combo) if each.isVisible())
    sheet.hand.bot.waitUntil(combo.view().isVisible)
    QTest.keyClick(combo.view(), Qt.Key.Key_Down)
    QTest.keyClick(combo.view(), Qt.Key.Key_Return)
    sheet.hand.bot.waitUntil(lambda: sheet.store.scene.points.cls[0] == 1)
    sheet.hand.back()
    sheet.click(0, CLASS)
    sheet.key(Qt.Key.Key_3)
    sheet.key(Qt.Key.Key_8)
    assert sheet.store.scene.points.cls.tolist() == [2, 1, 2, 1, 0], "there is no class 8"
    assert sheet.steps() == 2


def test_the_tick_switches_a_point_off_with_a_click_and_with_space(sheet: Sheet) -> None:
    sheet.click(1, ON)
    assert sheet.store.scene.points.on.tolist() == [True, False, True, True, True]
    sheet.key(Qt.Key.Key_Space)
    assert sheet.store.scene.points.on.all() and sheet.steps() == 2


def test_delete_removes_the_chosen_rows_without_asking(sheet: Sheet) -> None:
    sheet.click(1, X)
    sheet.click(3, X, CTRL)
    sheet.hand.keys("Del")
    assert sheet.xy == FIVE[[0, 2, 4]].tolist() and sheet.steps() == 1
    sheet.hand.keys("Ctrl+Z")
    assert sheet.xy == FIVE.tolist()


def test_a_point_is_typed_into_the_row_below_the_last(sheet: Sheet) -> None:
    sheet.store.use_class(1)
    sheet.click(5, X)
    assert sheet.store.selection == frozenset(), "there is no point yet"
    sheet.type("1.5")
    sheet.key(Qt.Key.Key_Tab)
    assert len(sheet.xy) == 5 and sheet.steps() == 0 and sheet.table.points.index(5, X).data() == "1.5"
    sheet.type("2.5")
    sheet.key(Qt.Key.Key_Return)
    assert sheet.xy[5] == [1.5, 2.5] and sheet.store.scene.points.cls[5] == 1 and sheet.steps() == 1
    assert sheet.at() == (6, X) and sheet.table.points.index(6, X).data() is None
    sheet.type("-1")
    sheet.key(Qt.Key.Key_Tab)
    sheet.type("0")
    sheet.key(Qt.Key.Key_Return)
    assert sheet.xy[6] == [-1.0, 0.0] and sheet.at() == (7, X)
    sheet.hand.keys("Ctrl+Z", 2)
    assert sheet.xy == FIVE.tolist()


def test_the_first_point_of_all_can_be_typed(qtbot: Any, open_window: Callable[..., MainWindow]) -> None:
    for scene in (Scene(), Scene().with_model("gpr")):
        sheet = Sheet(qtbot, open_window(scene, size=(1280, 1000)))
        sheet.click(0, X)
        sheet.type("0.5")
        sheet.key(Qt.Key.Key_Tab)
        sheet.type("1")
        sheet.key(Qt.Key.Key_Return)
        assert sheet.xy == [[0.5, 1.0]]


def test_another_document_has_nothing_of_a_point_that_was_begun(sheet: Sheet) -> None:
    sheet.click(5, X)
    sheet.type("1.5")
    sheet.key(Qt.Key.Key_Tab)
    other = Scene().with_points(Points(FIVE + 1))
    sheet.store.open(other, None, say("Open"))
    assert sheet.table.points.index(5, X).data() is None


def test_a_block_of_a_spreadsheet_goes_in_from_the_current_cell_on(sheet: Sheet) -> None:
    sheet.click(1, X)
    sheet.paste("10\t20\ttwo\r\n30\t40\t-3\r\n")
    assert sheet.xy == [FIVE[0].tolist(), [10, 20], [30, 40], *FIVE[3:].tolist()]
    assert sheet.store.scene.points.cls.tolist() == [0, 1, 2, 1, 0] and sheet.store.selection == {1, 2}
    sheet.click(3, Y)
    sheet.paste("7\n8\n")
    assert sheet.xy[3:] == [[-1.25, 7.0], [0.5, 8.0]] and sheet.steps() == 2
    sheet.click(4, X)
    sheet.paste("1\t2\n3\t4\n5\t6")
    assert sheet.xy[4:] == [[1, 2], [3, 4], [5, 6]] and sheet.steps() == 3
    sheet.hand.keys("Ctrl+Z", 3)
    assert sheet.xy == FIVE.tolist()


def test_what_is_copied_from_the_table_is_what_goes_back_into_it(sheet: Sheet) -> None:
    sheet.click(2, X)
    sheet.click(0, X, CTRL)
    sheet.hand.keys("Ctrl+C")
    assert QGuiApplication.clipboard().text() == "0.30000000000000004\t-1.5\tone\n3.25\t0.3333333333333333\t-3\n"
    sheet.click(3, X)
    sheet.hand.keys("Ctrl+V")
    assert sheet.xy == FIVE[[0, 1, 2, 0, 2]].tolist() and sheet.store.scene.points.cls.tolist() == [0, 1, 2, 0, 2]


def test_a_block_that_does_not_fit_changes_nothing_and_is_said(sheet: Sheet) -> None:
    for row, column, text, words in (
            (0, X, "1\t2\n3\tx", "Line 2: x is not a coordinate"), (0, X, "1\t2\tfour", "no class four"),
            (0, Y, "1\t2", "no class 2"), (0, Y, "1\tone\t5", "3 cells, but there is only room for 2"),
            (0, X, "1\t\n", "not a coordinate"), (4, Y, "1\n2\n3", "need both coordinates"),
            (0, X, "1e200\t0", "out of range")):
        sheet.click(row, column)
        sheet.paste(text)
        assert words in sheet.said and sheet.window.status.dot.state == "bad"
        assert sheet.xy == FIVE.tolist() and sheet.steps() == 0


def test_a_heading_sorts_the_table_and_leaves_the_points_as_they_are(sheet: Sheet) -> None:
    sheet.click(3, X)
    sheet.heading(X)
    order = np.argsort(FIVE[:, 0]).tolist()
    assert [float(value) for value in sheet.column(X)] == sorted(FIVE[:, 0]) and sheet.xy == FIVE.tolist()
    chosen = [index.row() for index in sheet.table.selectionModel().selectedRows()]
    assert sheet.store.selection == {3} and chosen == [order.index(3)]
    sheet.heading(X)
    assert [float(value) for value in sheet.column(X)] == sorted(FIVE[:, 0], reverse=True)
    sheet.heading(X)
    assert [float(value) for value in sheet.column(X)] == FIVE[:, 0].tolist() and not sheet.steps()
    sheet.heading(CLASS)
    assert sheet.column(CLASS) == [0, 0, 1, 1, 2]


def test_edits_in_a_sorted_table_reach_their_points_and_nothing_jumps(sheet: Sheet) -> None:
    sheet.heading(Y)
    order = np.argsort(FIVE[:, 1]).tolist()
    sheet.click(1, Y)
    assert sheet.store.selection == {order[1]}
    sheet.type("9")
    sheet.key(Qt.Key.Key_Return)
    assert sheet.xy[order[1]][1] == 9.0 and sheet.at() == (2, Y)
    assert [float(value) for value in sheet.column(Y)] == [-1.5, 9.0, 1 / 3, 0.5, 2.0]
    sheet.click(2, CLASS)
    sheet.key(Qt.Key.Key_1)
    assert sheet.store.scene.points.cls[order[2]] == 0
    sheet.click(0, ON)
    assert np.flatnonzero(~sheet.store.scene.points.on).tolist() == [order[0]]
    sheet.click(0, X)
    sheet.paste("5\n6\n")
    assert sheet.xy[order[0]][0] == 5.0 and sheet.xy[order[1]][0] == 6.0
    sheet.click(5, X)
    sheet.type("0")
    sheet.key(Qt.Key.Key_Tab)
    sheet.type("-7")
    sheet.key(Qt.Key.Key_Return)
    assert [float(value) for value in sheet.column(Y)][-1] == -7.0, "a new point stays where it was typed"
    sheet.store.select(frozenset({order[1]}))
    assert [index.row() for index in sheet.table.selectionModel().selectedRows()] == [1]
    sheet.click(1, X)
    sheet.hand.keys("Del")
    assert len(sheet.xy) == 5 and [6.0, 9.0] not in sheet.xy


def test_the_selection_is_one_with_that_of_the_canvas_and_a_drag_shows_in_the_cells(sheet: Sheet) -> None:
    sheet.hand.click(0.5, -0.5, held=CTRL)
    assert [index.row() for index in sheet.table.selectionModel().selectedRows()] == [4]
    sheet.hand.drag([(-1.25, 0.5), (-1.0, 1.0)])
    sheet.hand.bot.waitUntil(lambda: float(sheet.column(X)[3]) == sheet.xy[3][0])
    assert sheet.table.points.index(3, X).data() == shown(sheet.xy[3][0])
    sheet.click(2, X)
    assert sheet.store.selection == {2}


def test_an_edit_that_is_open_ends_when_the_points_become_others(sheet: Sheet) -> None:
    sheet.click(4, X)
    sheet.type("8")
    sheet.store.edit(sheet.store.scene.with_points(sheet.store.scene.points.remove([0])), say("Delete"))
    QApplication.processEvents()
    assert not any(editor.isVisible() for editor in sheet.table.viewport().findChildren(QLineEdit))
    assert sheet.xy == FIVE[1:].tolist()


def test_regression_has_no_classes_in_its_table(qtbot: Any, open_window: Callable[..., MainWindow]) -> None:
    scene = Scene().with_model("gpr").with_points(Points(FIVE, names=("x", "t")))
    sheet = Sheet(qtbot, open_window(scene, size=(1280, 1000)))
    assert sheet.table.points.columnCount() == 3
    sheet.click(0, Y)
    sheet.key(Qt.Key.Key_Tab)
    assert sheet.at() == (1, X)
    sheet.paste("1\t2\n3\t4\n")
    assert sheet.xy[1:3] == [[1, 2], [3, 4]]
    sheet.window.data_panel.task.button("classification").click()
    assert sheet.table.points.columnCount() == 4 and sheet.table.points.rowCount() == 1


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, -0.1, 1 / 3, 1e-300, -1e100, 123456789.0, 0.1 + 0.2, 2.0**53])
def test_a_number_is_shown_exactly_where_it_is_short_and_rounded_where_not(value: float) -> None:
    assert len(shown(value)) <= 9
    read = float(plain(shown(value)))
    assert read == value if len(repr(value)) <= 9 else abs(read - value) <= 0.05 * abs(value)
    assert shown(value, lambda text: len(text) <= 30).replace("−", "-") == repr(value + 0.0).removesuffix(".0")
    assert shown(value, lambda text: False) == "…"


def test_nothing_in_the_table_is_cut_off_in_the_middle_of_a_number_or_a_name(
        qtbot: Any, open_window: Callable[..., MainWindow]) -> None:
    xy = np.round(np.random.default_rng(0).normal(size=(400, 2)), 6)
    names = ("eruption (min)", "wait for the next (10 min)")
    scene = Scene().with_points(Points(xy, np.arange(len(xy)) % 2, names=names)).with_model("perceptron")
    sheet = Sheet(qtbot, open_window(scene.with_value("max_updates", 1), size=(1280, 1000)))
    table, style = sheet.table, sheet.table.style()
    sheet.hand.show(table)
    for row in range(len(xy)):
        for column in (X, Y):
            index, option = table.points.index(row, column), QStyleOptionViewItem()
            table.initViewItemOption(option)
            option.rect = table.visualRect(index)
            table.itemDelegateForColumn(column).initStyleOption(option, index)
            room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, table).width()
            room -= 2 * (style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, table) + 1)
            assert QFontMetricsF(option.font).horizontalAdvance(option.text) <= room, option.text
    assert table.horizontalHeader().textElideMode() == Qt.TextElideMode.ElideRight, "a long word has no room"


def test_a_hundred_thousand_rows_are_sorted_chosen_edited_and_added_to(qtbot: Any,
                                                                       open_window: Callable[..., MainWindow]) -> None:
    """What costs time with each row is not done for each: Qt asks for the cells it draws and no others."""
    xy = np.random.default_rng(0).normal(size=(MOST_POINTS - 1, 2))
    scene = Scene().with_points(Points(xy, np.arange(len(xy)) % 2)).with_model("perceptron")
    sheet = Sheet(qtbot, open_window(scene.with_value("max_updates", 1), size=(1280, 1000)))
    asked = 0
    model, data = sheet.table.points, sheet.table.points.data

    def counted(index: Any, role: int = 0) -> Any:
        nonlocal asked
        asked += 1
        return data(index, role)

    model.data = counted  # type: ignore[method-assign]
    sheet.heading(X)
    order = np.argsort(xy[:, 0])
    assert model.point(0) == order[0]
    sheet.click(0, X)
    assert sheet.store.selection == {int(order[0])}
    sheet.type("1")
    sheet.key(Qt.Key.Key_Return)
    assert sheet.xy[int(order[0])][0] == 1.0
    sheet.table.selectAll()
    assert len(sheet.store.selection) == len(xy)
    sheet.click(len(xy), X)
    sheet.paste("0.5\t0.5")
    assert len(sheet.xy) == MOST_POINTS
    sheet.click(MOST_POINTS, X)
    sheet.paste("0.5\t0.5")
    assert len(sheet.xy) == MOST_POINTS and "the limit is 100,000" in sheet.said
    QApplication.processEvents()
    assert asked < 40_000


@pytest.mark.parametrize(("value", "places", "text"), [(-0.004, 2, "0.00"), (-0.006, 2, "−0.01"), (-0.0, 0, "0"),
                                                       (1e-9, 3, "0.000"), (-12.5, 1, "−12.5")])
def test_what_rounds_to_zero_has_no_sign(value: float, places: int, text: str) -> None:
    assert fixed(value, places) == text
