"""The window: what is where, that everything has a name, a key and a menu, and what happens to documents."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand import LEFT, NO_KEY, RIGHT, Hand
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QAction, QColor, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QScrollBar,
    QTableView,
    QWidget,
)

from kernelplay import session
from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.spec import build, kinds
from kernelplay.ui.documents import file_stem
from kernelplay.ui.forms import NumberRow
from kernelplay.ui.import_dialog import ImportDialog
from kernelplay.ui.reading import reading
from kernelplay.ui.theme import DARK, LIGHT
from kernelplay.ui.window import SMALLEST, MainWindow

XOR = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])


@pytest.fixture
def user(qtbot: Any, window: MainWindow) -> Hand:
    made = Hand(qtbot, window)
    made.settled()
    return made


@pytest.fixture
def with_scene(qtbot: Any, open_window: Callable[..., MainWindow]) -> Callable[..., Hand]:
    def begin(scene: Scene, **how: Any) -> Hand:
        made = Hand(qtbot, open_window(scene, **how))
        made.settled()
        return made

    return begin


def xor(model: str = "svm", **values: Any) -> Scene:
    scene = Scene(model=build("model", {"name": model, **values}), classification=Points(XOR, np.array([0, 0, 1, 1])))
    return scene.with_view((-2.0, 2.0, -2.0, 2.0))


# what is there

def test_it_opens_with_an_example_already_fitted(user: Hand) -> None:
    window = user.window
    picture = user.settled()
    assert picture.fit is not None and len(window.store.scene.points) > 10
    assert window.status.sentence.full == str(picture.status)
    assert window.status.dot.state == "good"
    assert "support" in window.status.sentence.full
    assert not window.isWindowModified() and "kernelplay" in window.windowTitle()
    assert not window.actions_["undo"].isEnabled()


def test_the_canvas_is_at_least_half_of_the_window(with_scene: Callable[..., Hand]) -> None:
    window = with_scene(xor(), size=(1440, 900)).window
    assert not window.side_views.current, "the views are folded until asked for"
    assert window.canvas.width() * window.canvas.height() >= 0.5 * window.width() * window.height()


def test_every_command_is_in_a_menu_and_no_menu_is_empty(user: Hand) -> None:
    menus = user.window.menus
    listed = {action for _, action in menus.commands()}
    for key in user.window.actions_.keys(""):
        assert user.window.actions_[key] in listed or not user.window.actions_[key].isVisible(), key
    for key, menu in menus.menus.items():
        assert menu.actions(), f"the menu {key} is empty"
    titles = [action.text().replace("&", "") for action in user.window.menuBar().actions()]
    assert titles == ["File", "Edit", "View", "Model", "Help"]


def test_no_two_commands_have_the_same_keys(user: Hand) -> None:
    seen: dict[str, str] = {}
    for key in user.window.actions_.keys(""):
        for sequence in user.window.actions_[key].shortcuts():
            assert sequence.toString() not in seen, (key, seen.get(sequence.toString()))
            seen[sequence.toString()] = key
    for expected in (
        "Ctrl+N",
        "Ctrl+O",
        "Ctrl+S",
        "Ctrl+Shift+S",
        "Ctrl+E",
        "Ctrl+Shift+C",
        "Ctrl+Z",
        "Ctrl+Shift+Z",
        "Ctrl+C",
        "Ctrl+V",
        "Ctrl+A",
        "Del",
        "Backspace",
        "P",
        "B",
        "E",
        "S",
        "F",
        "F11",
        "1",
        "8",
    ):
        assert expected in seen, expected


def controls(root: QWidget) -> list[QWidget]:
    kinds_ = (QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QTableView)
    found = [widget for widget in root.findChildren(QWidget) if isinstance(widget, kinds_)]
    return [
        widget
        for widget in found
        if not isinstance(widget, QScrollBar)
        and not widget.objectName().startswith("qt_")
        and type(widget).__name__ not in ("QTableCornerButton", "QToolBarExtension")
        and not isinstance(widget.parent(), QComboBox)
    ]


@pytest.mark.parametrize("model", list(kinds("model")))
def test_every_control_has_an_accessible_name(user: Hand, model: str) -> None:
    window = user.window
    user.window.actions_[f"model:{model}"].trigger()
    window.model_panel.kernel.build("add", "", "periodic")
    window.model_panel.kernel.build("wrap", "", "exp")
    user.settled()
    found = controls(window)
    assert len(found) > 40
    for widget in found:
        spoken = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
        action = widget.defaultAction() if hasattr(widget, "defaultAction") else None
        assert spoken or action is not None, f"{type(widget).__name__} in {type(widget.parent()).__name__} has no name"
    assert window.canvas.accessibleName() and window.canvas.accessibleDescription()


def test_tab_goes_through_the_data_the_canvas_and_the_model_in_order(with_scene: Callable[..., Hand]) -> None:
    window = with_scene(xor()).window
    window.data_panel.task.button("classification").setFocus()
    places: list[str] = []
    names = {id(window.data_panel): "data", id(window.canvas): "canvas", id(window.model_panel): "model"}
    for _ in range(90):
        widget = QApplication.focusWidget()
        while widget is not None and id(widget) not in names:
            widget = widget.parentWidget()
        if widget is not None and (not places or places[-1] != names[id(widget)]):
            places.append(names[id(widget)])
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if places[-3:] == ["data", "canvas", "model"]:
            break
    assert places[:3] == ["data", "canvas", "model"]


# undo

def test_undo_names_what_it_takes_back(user: Hand) -> None:
    window = user.window
    x0, x1, y0, y1 = window.canvas.plane.view
    user.click(x0 + 0.03 * (x1 - x0), y0 + 0.03 * (y1 - y0))
    assert window.actions_["undo"].text().startswith("Undo: ")
    assert window.actions_["undo"].text() == str(say("Undo: {step}", step=window.store.history.undoable))
    assert window.isWindowModified()
    user.keys("Ctrl+Z")
    assert not window.isWindowModified() and window.actions_["redo"].isEnabled()


def test_undo_works_while_a_number_field_has_the_focus(user: Hand) -> None:
    form = user.window.model_panel.model.form
    assert form is not None
    row = form.rows["C"]
    assert isinstance(row, NumberRow)
    before = user.window.store.scene.model.C
    row.field.setFocus()
    row.field.selectAll()
    QTest.keyClicks(row.field, "7,5")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert user.window.store.scene.model.C == 7.5
    QTest.keyClick(row.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert before == user.window.store.scene.model.C
    assert float(row.field.text()) == before


# problems

def test_an_empty_canvas_is_no_problem_and_says_what_to_do(user: Hand) -> None:
    user.keys("Ctrl+Shift+Del")
    user.settled()
    status = user.window.status
    assert status.dot.state == "empty" and status.dot.accessibleName() == "no points"
    assert "click the canvas to add some" in status.sentence.full
    user.click(0.0, 0.0)
    user.click(0.5, 0.5, RIGHT)
    user.settled()
    assert status.dot.state == "good"


def test_what_lies_out_of_sight_is_said_with_the_key_that_shows_it(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(xor())
    said = user.window.status.sentence
    assert "outside the view" not in said.full
    user.canvas.show_view((50.0, 52.0, 50.0, 52.0))
    user.settled()
    assert said.full.endswith("All points are outside the view: press F to show them.")
    user.canvas.show_view((-1.2, -0.8, -1.2, -0.8))
    user.settled()
    assert said.full.endswith("The boundary is outside the view: press F to show all points.")
    user.canvas.setFocus()
    user.keys("F")
    user.settled()
    assert "outside the view" not in said.full


@pytest.mark.parametrize(("height", "words"), [(30.0, "press − to zoom out"), (1e9, "from the targets")])
def test_a_mean_below_the_view_is_said(with_scene: Callable[..., Hand], height: float, words: str) -> None:
    x = np.array([-3.0, 0.0, 3.0])  # far apart in length scales: between them the mean goes back to 0
    points = Points(np.column_stack([x, height + np.array([0.0, 1.0, 0.5])]))
    scene = Scene(model=build("model", {"name": "gpr", "kernel": {"name": "rbf"}, "noise_var": 1e6}))
    user = with_scene(scene.with_points(points))
    assert "The curve is" in user.window.status.sentence.full and words in user.window.status.sentence.full


def test_a_problem_is_said_and_the_last_picture_stays_marked_as_stale(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(xor(kernel={"name": "linear"}))
    assert user.settled().problem is None
    form = user.window.model_panel.model.form
    assert form is not None
    user.press(form.rows["margin"].control.button("hard"))  # type: ignore[attr-defined]
    picture = user.settled()
    assert user.window.store.scene.model.margin == "hard"
    assert picture.problem is not None and picture.stale
    assert user.window.status.dot.state == "bad"
    assert user.window.status.sentence.full == str(picture.problem)
    assert QApplication.activeModalWidget() is None
    user.keys("Ctrl+Z")
    assert user.settled().problem is None and user.window.status.dot.state == "good"


def test_nothing_of_an_old_fit_is_left_beside_an_empty_scene(user: Hand) -> None:
    views = user.window.side_views
    views.toggle()
    opened = views.current
    bar = user.canvas.grab().toImage()
    user.window.editing.clear()
    assert user.settled().charts[1:] == () and not views.tabs and not views.current
    assert reading(user.window.store.picture, user.window.store.scene, 0.0, 0.0) is None
    after = user.canvas.grab().toImage()
    x = round((user.canvas.plane.right + 20) * after.devicePixelRatio())
    middle = after.height() // 2
    assert bar.pixelColor(x, middle) != QColor(user.window.look.paper)
    assert after.pixelColor(x, middle) == QColor(user.window.look.paper), "no colour bar is left"
    user.window.editing.undo()
    user.settled()
    assert views.current == opened, "the view that was open is open again"


def test_tabs_can_be_clicked_while_another_document_waits_for_its_picture(user: Hand) -> None:
    views, store = user.window.side_views, user.window.store
    store.open(store.scene, None, say("Open"))
    assert store.picture is None
    for tab in tuple(views.tabs.values()):
        QTest.mouseClick(tab, LEFT)
    assert views.current and views.view is not None
    user.window.resize(user.window.width() // 2, user.window.height())  # some go into the menu
    assert user.settled().charts[1:] and views.view.chart is not None


def test_what_nobody_caught_becomes_a_sentence(user: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    from kernelplay.ui.app import Errors

    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    errors = Errors()
    try:
        raise ZeroDivisionError("planted")
    except ZeroDivisionError as error:
        errors.caught(type(error), error, error.__traceback__)
    user.bot.waitUntil(lambda: "ZeroDivisionError" in user.window.status.sentence.full)
    assert "Traceback" not in user.window.status.sentence.full
    errors.restore()


# documents

def test_a_scene_is_saved_and_opened_again(user: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PySide6.QtWidgets import QFileDialog

    file = tmp_path / "my scene.kplay"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(file), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(file), ""))
    user.keys("Ctrl+A")
    user.keys("Del")
    user.click(0.5, 0.5)
    saved = user.window.store.scene
    user.keys("Ctrl+S")
    assert file.exists() and not user.window.isWindowModified()
    assert "my scene.kplay" in user.window.windowTitle()
    user.keys("Ctrl+N")
    assert len(user.window.store.scene.points) == 0
    user.keys("Ctrl+O")
    assert user.window.store.scene.digest == saved.digest
    user.settled()
    recent = user.window.menus.menus["recent"]
    assert recent.actions()[0].text() == "my scene.kplay"


@pytest.mark.parametrize(
    ("content", "name"), [(b"{", "broken.kplay"), (b"\x00\xff\x00", "noise.csv"), (b"", "empty.csv")]
)
def test_a_wrong_file_is_said_and_the_document_stays(user: Hand, tmp_path: Path, content: bytes, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    before = user.window.store.history
    user.window.documents.open_path(file)
    assert user.window.store.history is before
    assert name in user.window.status.sentence.full
    assert user.window.status.dot.state == "bad"
    user.window.store.say(say("Export"))
    assert user.window.status.dot.state == "good", "an ordinary sentence is no problem"


@pytest.mark.parametrize(("title", "stem"), [
    ("", "kernelplay"), ("XOR", "XOR"), ("f: a/b?", "f a b"), ('<"|>*', "kernelplay"), ("end.", "end"),
    ("두 달", "두 달"),
])
def test_every_system_accepts_the_name_that_is_offered(title: str, stem: str) -> None:
    assert file_stem(title) == stem


def drop(window: MainWindow, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(200, 200), actions, data, buttons, NO_KEY))
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), actions, data, buttons, NO_KEY))


def test_files_are_dropped_on_the_window(user: Hand, tmp_path: Path) -> None:
    table = tmp_path / "points.csv"
    table.write_text("a,b,label\n0,0,-1\n1,1,1\n0,1,-1\n", "utf-8")
    drop(user.window, table)
    QTest.keyClick(user.window.findChildren(ImportDialog)[0], Qt.Key.Key_Return)
    user.bot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    user.back()
    assert len(user.window.store.scene.points) == 3 and user.window.store.scene.points.names == ("a", "b")
    assert "points.csv" in user.window.status.sentence.full
    assert user.window.actions_["undo"].isEnabled(), "reading a table is a step that can be undone"
    user.keys("Ctrl+Z")
    scene = tmp_path / "scene.kplay"
    session.save(xor(), scene)
    drop(user.window, scene)
    user.settled()
    assert user.window.store.path == scene and len(user.window.store.scene.points) == 4


def answer(user: Hand, role: QMessageBox.ButtonRole, begin: Callable[[], None]) -> list[str]:
    asked: list[str] = []

    def click(dialog: QMessageBox) -> None:
        asked.append(dialog.text())
        button = next(button for button in dialog.buttons() if dialog.buttonRole(button) == role)
        QTest.mouseClick(button, LEFT)

    user.in_dialog(click, begin)
    return asked


def test_it_asks_once_and_only_if_something_would_be_lost(user: Hand) -> None:
    window = user.window
    user.choose(window.model_panel.model.combo, "gpc")
    assert window.store.modified
    assert len(answer(user, QMessageBox.ButtonRole.RejectRole, window.documents.may_go)) == 1, "the star asks"
    user.click(0.1, 0.2)
    assert answer(user, QMessageBox.ButtonRole.RejectRole, window.close) and window.isVisible()
    asked = answer(
        user, QMessageBox.ButtonRole.DestructiveRole, lambda: window.documents.show_example(example("rings"))
    )
    assert len(asked) == 1 and len(window.store.scene.points) > 0
    assert window.close(), "nothing would be lost: no question"
    assert window.store.idle


def test_a_closed_window_keeps_its_scene_and_none_of_its_steps(user: Hand) -> None:
    user.click(0.1, 0.2)
    user.click(0.3, 0.2)
    scene = user.window.store.scene
    user.window.leave()
    assert user.window.store.scene is scene and len(user.window.store.history.steps) == 1


def example(key: str) -> Any:
    from kernelplay.examples import examples

    return next(one for one in examples() if one.key == key)


def test_examples_are_opened_from_the_menu(user: Hand) -> None:
    menu = user.window.menus.menus["examples"]
    menu.popup(QPoint(0, 0))
    user.pick(menu, str(example("sine").title))
    assert user.window.store.scene.task == "regression"
    user.back()
    user.settled()
    assert user.window.status.counts.accessibleName().startswith("26 points")


def test_settings_are_kept(user: Hand) -> None:
    user.window.set_theme("dark")
    user.window.set_language("ko")
    settings = QSettings()
    assert settings.value("theme") == "dark" and settings.value("language") == "ko"
    assert user.window.canvas.theme == DARK
    user.window.set_language("en")
    user.window.set_theme("light")
    assert user.window.canvas.theme == LIGHT


# rows in and out

def test_points_are_copied_and_pasted_as_rows(user: Hand) -> None:
    window = user.window
    user.canvas.setFocus()
    points = window.store.scene.points
    user.keys("Ctrl+C")
    text = QGuiApplication.clipboard().text()
    assert len(text.splitlines()) == len(points)
    user.keys("Ctrl+A")
    user.keys("Del")
    assert len(window.store.scene.points) == 0
    user.keys("Ctrl+V")
    np.testing.assert_array_equal(window.store.scene.points.xy, points.xy)
    np.testing.assert_array_equal(window.store.scene.points.cls, points.cls)
    assert window.store.selection == frozenset(range(len(points)))
    QGuiApplication.clipboard().setText("0,5\t1,5\n-0,5\t0,25\n")
    user.keys("2")
    user.keys("Ctrl+V")
    assert window.store.scene.points.xy[-2:].tolist() == [[0.5, 1.5], [-0.5, 0.25]]
    assert window.store.scene.points.cls[-2:].tolist() == [1, 1]
    before = window.store.history
    QGuiApplication.clipboard().setText("no numbers here")
    user.keys("Ctrl+V")
    assert window.store.history is before and window.status.sentence.full


def paste(user: Hand, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    user.canvas.setFocus()
    user.keys("Ctrl+V")


def test_the_view_is_widened_to_show_what_is_pasted_and_only_then(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(xor())
    before = user.canvas.plane.view
    paste(user, "0.1 0.1\n0.2 0.3\n")
    assert user.canvas.plane.view == before, "they are in sight"
    paste(user, "30 1\n31 2\n")
    x0, x1, y0, y1 = user.canvas.plane.view
    assert x0 <= before[0] and x1 > 31 and y0 <= before[2] and y1 >= before[3]
    table = user.window.data_panel.table.points
    assert table.setData(table.index(0, 1), "-40", Qt.ItemDataRole.EditRole)
    assert user.canvas.plane.view[0] < -40


def test_pasted_labels_take_the_unused_classes_first_in_the_order_they_come(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(Scene())
    paste(user, "0 0 red\n1 1 blue\n0 1 red\n")
    store = user.window.store
    assert store.scene.classes == ("red", "blue") and store.scene.points.cls.tolist() == [0, 1, 0]
    paste(user, "2 2 green\n2 3 blue\n2 1 amber\n")
    assert store.scene.classes == ("red", "blue", "amber", "green")
    assert store.scene.points.cls.tolist() == [0, 1, 0, 3, 1, 2]
    before = store.history
    paste(user, "".join(f"0 {k} new{k}\n" for k in range(7)))
    assert store.history is before and user.window.status.dot.state == "bad"


def test_the_picture_is_copied(user: Hand) -> None:
    QGuiApplication.clipboard().clear()
    user.keys("Ctrl+Shift+C")
    user.bot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull())
    image, canvas = QGuiApplication.clipboard().image(), user.window.canvas
    assert (image.width(), image.height()) == (2 * canvas.width(), 2 * canvas.height())


# the table

def test_the_table_and_the_canvas_share_their_selection_and_their_points(user: Hand) -> None:
    window, table = user.window, user.window.data_panel.table
    model = table.points
    user.keys("Ctrl+A")
    assert len(table.selectionModel().selectedRows()) == len(window.store.scene.points) == model.rowCount() - 1
    user.show(table)
    QTest.mouseClick(table.viewport(), LEFT, NO_KEY, table.visualRect(model.index(1, 1)).center())
    assert window.store.selection == frozenset({1})
    table.setCurrentIndex(model.index(1, 1))
    QTest.keyClick(table, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "0,125")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    user.bot.waitUntil(lambda: window.store.scene.points.xy[1, 0] == 0.125)
    before = window.store.scene
    assert not model.setData(model.index(1, 1), "1e999") and not model.setData(model.index(1, 1), "x")
    assert window.store.scene is before and "coordinate" in window.status.sentence.full
    user.show(table)
    rect = table.visualRect(model.index(1, 0))
    QTest.mouseClick(table.viewport(), LEFT, NO_KEY, QPoint(rect.left() + 14, rect.center().y()))
    assert not window.store.scene.points.on[1]
    assert "1 switched off" in window.data_panel.summary.text()


# classes

def test_classes_are_added_named_and_removed(user: Hand) -> None:
    window, classes = user.window, user.window.data_panel.classes
    for count in range(3, 9):
        user.press(classes.add)
        assert len(window.store.scene.classes) == count and window.store.current_class == count - 1
    assert classes.add.isHidden(), "there are eight at most"
    row = classes.rows[2]
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_F2)
    row.editor.selectAll()
    QTest.keyClicks(row.editor, "iris")
    QTest.keyClick(row.editor, Qt.Key.Key_Return)
    assert window.store.scene.classes[2] == "iris" and row.title.full == "iris"
    user.canvas.setFocus()
    user.keys("3")
    x0, x1, y0, y1 = window.canvas.plane.view
    user.click(x0 + 0.02 * (x1 - x0), y1 - 0.02 * (y1 - y0))
    assert window.store.scene.points.cls[-1] == 2
    user.keys("Ctrl+Z", len(window.store.history.steps) - 1)
    assert len(window.store.scene.classes) == 2 and window.store.current_class < 2


def test_the_menu_of_a_point_changes_its_class_switches_it_off_and_deletes_it(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(xor())
    window = user.window

    def menu() -> QMenu:
        user.click(1.0, 1.0, RIGHT)
        found = QApplication.activePopupWidget()
        assert isinstance(found, QMenu)
        return found

    user.pick(menu(), "class −1")
    assert window.store.scene.points.cls.tolist() == [0, 1, 1, 1]
    user.pick(menu(), "Switch off")
    assert window.store.scene.points.on.tolist() == [True, False, True, True]
    user.pick(menu(), "Delete 1 point")
    assert len(window.store.scene.points) == 3
    user.back()


# kernels by mouse

def test_a_tree_of_kernels_is_built_by_mouse_undone_and_saved(with_scene: Callable[..., Hand], tmp_path: Path) -> None:
    user = with_scene(xor())
    window = user.window
    panel = window.model_panel.kernel
    start = window.store.scene

    def at(path: str) -> Any:
        return next(node for node in panel.nodes if node.path == path)

    def build_by(button: Any, *texts: str) -> None:
        user.press(button)
        user.pick(button.opens, *texts)
        user.back()

    build_by(panel.grow, "Add a kernel:  k + …", str(kinds("kernel")["linear"].label))
    assert window.store.scene.model.kernel.key == "sum"
    assert [node.cls.key for node in panel.nodes] == ["sum", "rbf", "linear"]
    build_by(at("of.1").more, "Multiply by a kernel:  k · …", str(kinds("kernel")["periodic"].label))
    build_by(at("of.0").more, str(kinds("kernel")["exp"].label))
    kernel = window.store.scene.model.kernel
    assert kernel.to_dict()["of"][0]["name"] == "exp" and kernel.to_dict()["of"][1]["name"] == "product"
    inner = at("of.0.of").form.rows["gamma"]
    assert isinstance(inner, NumberRow)
    user.slide(inner.slider, 0.7)
    assert window.store.scene.model.get("kernel.of.0.of.gamma") == inner.number
    file = tmp_path / "tree.kplay"
    session.save(window.store.scene, file)
    assert session.load(file).model == window.store.scene.model
    build_by(at("of.1").more, "Remove this kernel")
    assert window.store.scene.model.kernel.key == "exp"
    user.choose(panel.root.combo, "matern32")
    assert window.store.scene.model.kernel.key == "matern32"
    user.canvas.setFocus()
    user.keys("Ctrl+Z", len(window.store.history.steps) - 1)
    assert window.store.scene.digest == start.digest
    assert [node.cls.key for node in panel.nodes] == ["rbf"]
    user.settled()


def test_gamma_from_the_data_is_shown_beside_its_word(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(xor())
    panel = user.window.model_panel.kernel
    assert panel.root is not None
    row = panel.root.form.rows["gamma"]
    assert isinstance(row, NumberRow)
    user.press(row.words["scale"])
    picture = user.settled()
    assert user.window.store.scene.model.kernel.gamma == "scale"
    assert float(row.field.text()) == pytest.approx(picture.fit.kernel.gamma, rel=1e-4) == pytest.approx(0.5)


# layers, readouts, views, player

def test_layers_are_switched_in_the_panel_and_in_the_menu(user: Hand) -> None:
    window = user.window
    tick = window.model_panel.layers.ticks["margins"]
    user.press(tick)
    assert "margins" in window.store.scene.hidden and not window.actions_["layers:margins"].isChecked()
    picture = user.settled()
    assert all(mark.layer != "margins" for mark in picture.canvas.marks)
    window.actions_["layers:margins"].trigger()
    assert "margins" not in window.store.scene.hidden and tick.isChecked()


def test_readouts_say_what_the_fit_says_and_that_it_is_proved(user: Hand) -> None:
    picture = user.settled()
    rows = dict(user.window.model_panel.readouts.rows())
    for readout in picture.readouts:
        assert rows[str(readout.label)] == str(readout.value)
    assert "10⁻⁸" in user.window.model_panel.readouts.proof.text()


def test_a_side_view_opens_by_its_tab_and_folds_again(user: Hand) -> None:
    views = user.window.side_views
    tab = next(iter(views.tabs.values()))
    user.press(tab)
    assert views.current and views.view is not None and views.view.isVisible() and views.height() > 120
    user.press(tab)
    assert not views.current and views.height() < 60


def test_the_player_steps_plays_and_is_left_by_an_edit(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(example("perceptron").scene())
    window, player = user.window, user.window.player
    frames = window.store.picture.frames  # type: ignore[union-attr]
    assert frames is not None and player.isVisible()
    user.press(player.first_button)
    assert window.store.step == 0
    user.press(player.forward_button)
    assert window.store.step == 1 and player.caption.full == str(frames.at(1).caption)
    player.setFocus()
    user.keys("Right")
    assert window.store.step == 2
    user.keys("End")
    assert window.store.step == frames.count - 1
    user.keys("Home")
    user.choose(player.speed, "30")
    user.press(player.play_button)
    assert player.playing
    user.bot.waitUntil(lambda: (window.store.step or 0) >= 3)
    user.press(player.play_button)
    assert not player.playing
    user.canvas.setFocus()
    QTest.keyClick(user.canvas, Qt.Key.Key_Space)
    assert player.playing, "Space on the canvas plays"
    form = window.model_panel.model.form
    assert form is not None
    row = form.rows["eta"]
    assert isinstance(row, NumberRow)
    user.slide(row.slider, 0.3)
    assert window.store.step is None and not player.playing
    window.actions_["model:svm"].trigger()
    user.settled()
    assert not player.isVisible()


def test_the_plot_and_its_legend_stay_where_they_are_from_step_to_step(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(example("perceptron").scene())
    picture, plot = user.settled(), user.canvas.plot
    assert picture.frames is not None
    seen = set()
    for step in range(1, picture.frames.count):
        user.window.store.play_at(step)
        user.canvas.grab()
        seen.add((plot.plane, plot.seat.form, plot.legend.rect.top()))
        updates = picture.frames.count - 2
        assert user.window.player.count.full == (f"{step} / {updates}" if step <= updates else "End")
    assert len(seen) == 1


def test_switching_the_task_brings_the_points_and_the_model_back(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(xor())
    window = user.window
    before = window.store.scene
    user.press(window.data_panel.task.button("regression"))
    assert window.store.scene.task == "regression" and len(window.store.scene.points) == 0
    assert not window.data_panel.classes.isVisible()
    user.click(0.0, 0.0)
    user.press(window.data_panel.task.button("classification"))
    assert window.store.scene.points is before.points and window.store.scene.model == before.model
    user.press(window.data_panel.task.button("regression"))
    assert len(window.store.scene.points) == 1


def test_generated_points_replace_or_join_and_follow_their_sliders(user: Hand) -> None:
    window, generator = user.window, user.window.data_panel.generator
    user.choose(generator.combo, "rings")
    n = len(window.store.scene.points)
    user.press(generator.add)
    assert len(window.store.scene.points) == n + 60
    user.press(generator.replace)
    made = window.store.scene.points
    assert len(made) == 60
    row = generator.form.rows["noise"]
    assert isinstance(row, NumberRow)
    steps = len(window.store.history.steps)
    user.slide(row.slider, 0.9)
    assert len(window.store.history.steps) == steps + 1, "one drag, one step"
    assert not np.array_equal(window.store.scene.points.xy, made.xy)
    user.canvas.setFocus()
    user.keys("Ctrl+Z")
    np.testing.assert_array_equal(window.store.scene.points.xy, made.xy)
    user.settled()


def test_the_command_list_finds_and_does(user: Hand) -> None:
    def find(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "dark")
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)

    user.in_dialog(find, user.window.actions_["commands"].trigger)
    assert user.window.look == DARK
    user.window.set_theme("light")


def test_the_command_list_chooses_among_what_can_be_done_now(user: Hand) -> None:
    def find(dialog: Any) -> None:
        listed = [dialog.list.item(row, 0).text() for row in range(dialog.list.rowCount())]
        assert "Classification" not in listed, "a heading is no command"
        QTest.keyClicks(dialog.search, "delete")
        assert not dialog.list.isRowHidden(listed.index("Delete selected points")), "it is shown"
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)

    user.in_dialog(find, user.window.actions_["commands"].trigger)
    assert len(user.window.store.scene.points) == 0, "Delete all points"


def test_export_refuses_what_cannot_be_written_and_stays_open(user: Hand, tmp_path: Path) -> None:
    seen: list[str] = []

    def fill(dialog: Any) -> None:
        for path in ("no-folder/figure.png", "figure.xyz", "figure"):
            dialog.path.setText(str(tmp_path / path))
            dialog.accept()
            assert dialog.isVisible() and dialog.error.isVisible()
            seen.append(dialog.error.text())
        dialog.form.fields["width"].setText("12")
        dialog.accept()
        seen.append(dialog.error.text())

    user.in_dialog(fill, lambda: user.keys("Ctrl+E"))
    assert len(set(seen)) == 4 and "no-folder" in seen[0]
    assert not list(tmp_path.glob("figure*"))


# before the window

def preflight(**environment: str) -> str:
    script = "from kernelplay.ui.preflight import preflight; import sys; print(preflight() or ''); " \
             "assert not any(name.startswith('PySide6.') for name in sys.modules)"
    clean = {
        key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return subprocess.run(
        [sys.executable, "-c", script], env=clean | environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a display")
def test_without_a_display_it_says_so_and_names_the_remedy() -> None:
    sentence = preflight()
    assert "DISPLAY" in sentence and "kernelplay render" in sentence
    sentence = preflight(DISPLAY=":97")
    assert ":97" in sentence and "kernelplay render" in sentence
    assert preflight(QT_QPA_PLATFORM="offscreen").strip() == ""


def test_buttons_do_not_move_while_a_slider_is_dragged(user: Hand) -> None:
    form = user.window.model_panel.model.form
    assert form is not None
    row = form.rows["C"]
    assert isinstance(row, NumberRow)
    buttons = user.window.findChildren(QPushButton)
    where = [button.mapTo(user.window, QPoint(0, 0)) for button in buttons]
    user.slide(row.slider, 0.9)
    assert [button.mapTo(user.window, QPoint(0, 0)) for button in buttons] == where
    assert isinstance(user.window.actions_["undo"], QAction)


def test_models_parameters_and_kernels_are_chosen_by_keys_alone(with_scene: Callable[..., Hand]) -> None:
    user = with_scene(xor())
    window, panel = user.window, user.window.model_panel

    def press_key(key: Qt.Key) -> None:
        QTest.keyClick(QApplication.activePopupWidget() or QApplication.focusWidget(), key)

    panel.model.combo.setFocus()
    before = window.store.scene.model.key
    press_key(Qt.Key.Key_Down)
    assert window.store.scene.model.key != before
    press_key(Qt.Key.Key_Up)
    assert window.store.scene.model.key == before
    assert panel.model.form is not None
    row = panel.model.form.rows["C"]
    assert isinstance(row, NumberRow)
    row.slider.setFocus()
    steps = len(window.store.history.steps)
    press_key(Qt.Key.Key_Right)
    assert window.store.scene.model.C > 1.0 and len(window.store.history.steps) == steps + 1
    panel.kernel.grow.setFocus()
    press_key(Qt.Key.Key_Space)
    user.bot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    press_key(Qt.Key.Key_Down)
    press_key(Qt.Key.Key_Right)
    press_key(Qt.Key.Key_Return)
    user.bot.waitUntil(lambda: window.store.scene.model.kernel.key == "sum")
    user.back()
    window.data_panel.table.setFocus()
    press_key(Qt.Key.Key_Space)
    assert not window.store.scene.points.on.all() or window.store.selection, "the table is worked by keys too"
    user.settled()


def test_the_first_window_fits_on_its_screen(user: Hand) -> None:
    room = user.window.screen().availableSize()
    fresh = MainWindow(user.window.store.scene)
    assert fresh.width() <= max(room.width(), SMALLEST.width())
    assert fresh.height() <= max(room.height(), SMALLEST.height())
    fresh.store.close()
    fresh.deleteLater()


def test_the_folded_side_views_give_their_room_back(user: Hand) -> None:
    user.settled()
    before = user.canvas.height()
    user.keys("F9")
    user.bot.waitUntil(lambda: user.canvas.height() < before - 100)
    user.keys("F9")
    user.bot.waitUntil(lambda: user.canvas.height() == before)


def test_another_document_takes_the_keys_to_the_canvas(user: Hand) -> None:
    user.choose(user.window.model_panel.model.combo, "gpc")
    user.window.model_panel.model.combo.setFocus()
    answer(user, QMessageBox.ButtonRole.DestructiveRole, lambda: user.keys("Ctrl+N"))
    assert user.canvas.hasFocus() and len(user.window.store.scene.points) == 0
    user.keys("Right")
    user.keys("Return")
    assert len(user.window.store.scene.points) == 1 and user.window.store.scene.model.key == "gpc"


def test_only_points_that_are_there_can_be_selected(user: Hand) -> None:
    store = user.window.store
    n = len(store.scene.points)
    store.select(frozenset({0, n - 1, n, 10 * n}))
    assert store.selection == {0, n - 1}
