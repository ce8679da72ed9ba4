"""What somebody does in the first hour at the window: other scenes, steps back, the right button, the keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand import RIGHT, Hand
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget

from kernelplay.examples import examples
from kernelplay.scene import Points, Scene, data_view
from kernelplay.spec import build
from kernelplay.ui.window import MainWindow

Open = Callable[..., MainWindow]


def example(key: str) -> Any:
    return next(each for each in examples() if each.key == key)


def answered(user: Hand, role: QMessageBox.ButtonRole, begin: Callable[[], object]) -> int:
    """Do something, press the button with `role` in the question that it asks, and return how many were asked."""
    asked: list[QMessageBox] = []

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QMessageBox):
            asked.append(dialog)
            button = next(each for each in dialog.buttons() if dialog.buttonRole(each) == role)
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    timer = QTimer(user.window)
    timer.setSingleShot(True)
    timer.timeout.connect(answer)
    timer.start(30)
    begin()
    timer.stop()
    user.back()
    return len(asked)


# other scenes

@pytest.mark.parametrize("door", ["new", "example", "edit"])
def test_other_points_never_have_the_last_good_picture_of_those_before(qtbot: Any, window: MainWindow,
                                                                     door: str) -> None:
    user, store = Hand(qtbot, window), window.store
    assert user.settled().fit is not None
    lonely = Scene().with_points(Points(np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 0])))
    if door == "new":
        user.keys("Ctrl+N")
        assert store.picture is None, "nothing of the scene before is drawn until there is a picture of this one"
        user.click(0.3, 0.2)
        user.click(-0.3, 0.2)
    elif door == "example":
        store.open(lonely, None, store.history.steps[0].label)
    else:
        store.edit(lonely, store.history.steps[0].label, fresh=True)
    picture = user.settled()
    assert picture.fit is None and not picture.stale and len(picture.charts) == 1
    assert {mark.layer for mark in picture.canvas.marks} == {"points"}
    assert "class" in window.status.sentence.full, "what to add is said"
    if door == "edit":
        user.keys("Ctrl+Z")
        assert user.settled().fit is not None


def test_within_a_document_the_last_good_picture_stays(qtbot: Any, window: MainWindow) -> None:
    user, store = Hand(qtbot, window), window.store
    user.settled()
    one = np.flatnonzero(store.scene.points.cls == 1)
    store.select(frozenset(one.tolist()))
    user.keys("Del")
    assert user.settled().stale
    window.actions_["model:perceptron"].trigger()
    assert not user.settled().stale, "the picture of another model is not the last good one of this"


def test_a_new_scene_begins_with_the_defaults_of_its_model_and_panels_from_above(qtbot: Any, open_window: Open) -> None:
    window = open_window(size=(1100, 600))
    user, store = Hand(qtbot, window), window.store
    user.settled()
    scene = store.scene.with_value("C", 77.0).with_value("kernel", build("kernel", {"name": "sum"}))
    store.edit(scene, store.history.steps[0].label)
    window.actions_["layers:field"].trigger()
    user.settled()
    bar = window.model_panel.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    assert answered(user, QMessageBox.ButtonRole.DestructiveRole, lambda: user.keys("Ctrl+N")) == 1
    assert store.scene.model == build("model", {"name": "svm"}) and not store.scene.hidden and not store.scene.shelf
    assert bar.value() == 0 == window.data_panel.verticalScrollBar().value()


@pytest.mark.parametrize("door", ["example", "new", "line", "file"])
def test_a_scene_with_a_star_is_asked_about_at_every_door(qtbot: Any, window: MainWindow, door: str,
                                                         tmp_path: Path) -> None:
    from kernelplay import link, session

    user, store, documents = Hand(qtbot, window), window.store, window.documents
    user.settled()
    session.save(example("moons").scene(), tmp_path / "b.kplay")
    doors: dict[str, Callable[[], object]] = {
        "example": lambda: documents.show_example(example("rings")), "new": lambda: user.keys("Ctrl+N"),
        "line": lambda: documents.open_line(link.text(example("xor").scene())),
        "file": lambda: documents.open_path(tmp_path / "b.kplay")}
    store.edit(store.scene.with_value("C", 3.0), store.history.steps[0].label)
    assert window.isWindowModified()
    scene = store.scene
    assert answered(user, QMessageBox.ButtonRole.RejectRole, doors[door]) == 1 and store.scene is scene
    user.keys("Ctrl+Z")
    assert not window.isWindowModified()
    assert answered(user, QMessageBox.ButtonRole.RejectRole, doors[door]) == 0 and store.scene is not scene


# steps back

def test_a_step_that_has_moved_the_view_takes_it_back(qtbot: Any, window: MainWindow) -> None:
    user, store = Hand(qtbot, window), window.store
    user.settled()
    before = store.shown
    QApplication.clipboard().setText("101.5\t200.25\n103.5\t207.25\n")
    user.keys("Ctrl+V")
    user.settled()
    wide = store.shown
    assert wide is not None and before is not None and wide[1] > 100 > before[1]
    user.keys("Ctrl+Z")
    user.settled()
    assert store.shown == pytest.approx(before)
    user.keys("Ctrl+Shift+Z")
    user.settled()
    assert store.shown == pytest.approx(wide)
    store.go(0)
    user.settled()
    assert store.shown == pytest.approx(before)


def test_undo_of_replaced_points_shows_those_before(qtbot: Any, open_window: Open) -> None:
    far = Points(np.array([[500.0, 500.0], [501.0, 503.0], [504.0, 501.0]]), np.array([0, 1, 0]))
    window = open_window(Scene().with_points(far))
    user, store = Hand(qtbot, window), window.store
    user.settled()
    user.press(window.data_panel.generator.replace)
    user.settled()
    assert store.shown is not None and store.shown[1] < 100
    user.keys("Ctrl+Z")
    user.settled()
    x0, x1, y0, y1 = store.shown
    assert (far.xy > [x0, y0]).all() and (far.xy < [x1, y1]).all() and x1 - x0 < 50


def test_other_steps_leave_the_view_alone(qtbot: Any, window: MainWindow) -> None:
    user, store = Hand(qtbot, window), window.store
    user.settled()
    user.click(0.1, 0.1)
    window.canvas.zoom(0.5)
    user.settled()
    near = store.shown
    user.keys("Ctrl+Z")
    assert store.shown == near


# the right button

def opened_menu(window: MainWindow) -> QMenu:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.parametrize("tool", ["select", "lasso"])
def test_the_right_button_of_a_tool_that_selects_adds_nothing(qtbot: Any, window: MainWindow, tool: str) -> None:
    user, store = Hand(qtbot, window), window.store
    user.settled()
    scene = store.scene
    x0, _, _, y1 = data_view(scene)
    window.actions_[f"tool:{tool}"].trigger()
    store.select(frozenset({1, 2}))
    user.click(x0, y1, RIGHT)
    menu = opened_menu(window)
    assert any("Delete 2 points" in action.text() for action in menu.actions())
    menu.close()
    assert store.scene is scene and store.selection == {1, 2}
    store.select(frozenset())
    user.click(x0, y1, RIGHT)
    menu = opened_menu(window)
    assert window.actions_["paste"] in menu.actions() and window.actions_["fit_view"] in menu.actions()
    menu.close()
    assert store.scene is scene
    window.actions_["tool:point"].trigger()
    user.click(x0, y1, RIGHT)
    assert len(store.scene.points) == len(scene.points) + 1


# the keys

def round_trip(window: MainWindow) -> list[QWidget]:
    """Return what Tab goes through, from the canvas on."""
    window.store.select(frozenset())
    window.canvas.setFocus()
    seen: list[QWidget] = []
    while (keys := QApplication.focusWidget()) not in seen:
        seen.append(keys)
        held = Qt.KeyboardModifier.ControlModifier if keys is window.canvas else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(keys, Qt.Key.Key_Tab, held)
    return seen


def assert_order(window: MainWindow) -> None:
    """Tab goes through each panel once and in one go, from above and from the left, and passes nothing over."""
    seen = round_trip(window)
    for panel in (window.data_panel, window.model_panel):
        inside = [each for each in seen if panel.isAncestorOf(each)]
        at = seen.index(inside[0])
        assert seen[at:at + len(inside)] == inside, "out of the panel and in again"
        middles = [each.mapTo(panel.inside, QPoint(0, each.height() // 2)) for each in inside]
        for before, after, one, other in zip(middles, middles[1:], inside, inside[1:], strict=False):
            same = abs(after.y() - before.y()) <= 6
            assert after.x() > before.x() if same else after.y() > before.y(), (one.accessibleName(),
                                                                               other.accessibleName())
        stops = {each for each in panel.inside.findChildren(QWidget)
                 if each.isVisible() and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus
                 and each.window() is window and each.focusProxy() is None}
        alone = {each for each in stops if getattr(each, "group", None) is not None and callable(each.group)
                 and each.group() is not None and not each.isChecked()}  # of buttons side by side Tab takes one
        assert stops - alone <= set(inside)


@pytest.mark.parametrize("model", ["svm", "perceptron", "gpr", "gpc", "svr", "krr"])
def test_tab_goes_as_the_eye_does(qtbot: Any, window: MainWindow, model: str) -> None:
    user = Hand(qtbot, window)
    window.actions_["model:gpr" if model != "gpr" else "model:svm"].trigger()
    user.settled()
    window.actions_[f"model:{model}"].trigger()
    user.settled()
    assert_order(window)


def test_tab_goes_as_the_eye_does_whatever_becomes_of_the_kernel(qtbot: Any, window: MainWindow) -> None:
    user, kernel = Hand(qtbot, window), window.model_panel.kernel
    window.actions_["history"].trigger()
    window.data_panel.classes.add.click()
    for deed, path, key in (("change", "", "poly"), ("add", "", "linear"), ("multiply", "of.0", "rbf"),
                            ("wrap", "of.1", "scale"), ("change", "of.0", "periodic")):
        kernel.build(deed, path, key)
        user.settled()
        assert kernel.nodes
        assert_order(window)
    for _ in range(3):
        window.store.undo()
    user.settled()
    assert_order(window)


def test_the_keys_stay_with_the_kernel_they_belong_to(qtbot: Any, window: MainWindow) -> None:
    user, panel = Hand(qtbot, window), window.model_panel.kernel
    user.settled()
    combo = panel.root.combo
    user.show(combo)
    combo.setFocus()
    view = combo.view()
    QTest.keyClick(combo, Qt.Key.Key_F4)
    qtbot.waitUntil(view.isVisible)
    for _ in range(combo.findData("sum") - combo.currentIndex()):
        QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    user.back()
    user.settled()
    assert panel.root.kernel.key == "sum" and QApplication.focusWidget() is panel.root.combo
    last = panel.nodes[-1]
    last.form.stops()[0].setFocus()
    user.keys("Ctrl+Z")
    user.settled()
    assert len(panel.nodes) == 1 and QApplication.focusWidget() in panel.root.stops()
    panel.root.more.setFocus()
    panel.build("add", "", "linear")
    user.settled()
    assert QApplication.focusWidget() is panel.root.more
    user.keys("Ctrl+Z")
    user.settled()
    assert QApplication.focusWidget() is panel.root.more


def test_the_keys_stay_with_the_model_when_its_parameters_go(qtbot: Any, window: MainWindow) -> None:
    user, section = Hand(qtbot, window), window.model_panel.model
    user.settled()
    window.actions_["model:perceptron"].trigger()
    user.settled()
    section.form.stops()[-1].setFocus()
    user.keys("Ctrl+Z")
    user.settled()
    assert section.form.cls.key == "svm" and QApplication.focusWidget() is section.combo


# panels

def test_replaced_points_bring_the_names_and_looks_of_their_classes(qtbot: Any, window: MainWindow) -> None:
    user, store, generator = Hand(qtbot, window), window.store, window.data_panel.generator
    user.settled()
    named = store.scene.with_look(0, 4)
    store.edit(named, store.history.steps[0].label)
    user.press(generator.replace)
    assert store.scene.looks == (0, 1) and store.scene.classes == ("+1", "−1")
    again = store.scene.with_look(0, 5)
    store.edit(again, store.history.steps[0].label)
    user.press(generator.replace)
    assert store.scene.looks == again.looks, "the same points drawn anew are of the same classes"


def test_a_layer_that_a_fit_does_not_draw_says_why(qtbot: Any, window: MainWindow) -> None:
    user, ticks = Hand(qtbot, window), window.model_panel.layers.ticks
    user.settled()
    qtbot.waitUntil(lambda: ticks["margins"].isVisible())
    assert ticks["margins"].isEnabled() and ticks["slack"].isEnabled()
    user.press(window.data_panel.classes.add)
    window.canvas.setFocus()
    user.click(2.0, -2.0)
    user.settled()
    qtbot.waitUntil(lambda: not ticks["margins"].isEnabled())
    assert ticks["margins"].toolTip() and ticks["boundary"].isEnabled() and ticks["points"].isEnabled()
    user.keys("Ctrl+Z")
    user.settled()
    qtbot.waitUntil(lambda: ticks["margins"].isEnabled())
    ticks["margins"].click()
    user.settled()
    assert ticks["margins"].isEnabled(), "what is hidden can be shown"


def test_rows_of_the_table_have_the_numbers_of_their_points(qtbot: Any, window: MainWindow) -> None:
    user, table = Hand(qtbot, window), window.data_panel.table
    user.settled()
    user.show(table)
    model = table.points
    vertical = Qt.Orientation.Vertical
    assert table.verticalHeader().isVisible() and model.headerData(3, vertical) == "4"
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    lowest = int(np.argmin(model.points.xy[:, 0]))
    assert model.headerData(0, vertical) == str(lowest + 1)
    assert model.headerData(model.rowCount() - 1, vertical) == ""
    cell = table.visualRect(model.index(0, 1)).center()
    QTest.mouseMove(table.viewport(), cell + QPoint(0, 3))
    QTest.mouseMove(table.viewport(), cell)
    assert window.canvas.plot.over.pointed == lowest


def test_a_column_has_one_number_of_decimals(qtbot: Any) -> None:
    from kernelplay.ui.point_model import decimals, fixed

    values = np.array([0.5, -12.25, 3.0])
    assert decimals(values, lambda text: len(text) <= 9) == 2
    assert decimals(values, lambda text: len(text) <= 5) == 1, "as many as the longest has room for"
    assert decimals(values, lambda text: len(text) <= 2) is None
    assert fixed(-12.25, 1) == "−12.2" and decimals(np.zeros(0), bool) == 0


def test_a_search_that_finds_no_command_says_so(qtbot: Any, window: MainWindow) -> None:
    from kernelplay.ui.dialogs import CommandsDialog

    dialog = CommandsDialog(window.menus.commands(), window)
    dialog.show()
    QTest.keyClicks(dialog.search, "xyzzy")
    assert dialog.nothing.isVisible() and "xyzzy" in dialog.nothing.text()
    dialog.search.clear()
    assert not dialog.nothing.isVisible()
    dialog.reject()
    dialog.deleteLater()


def test_a_warning_is_amber(qtbot: Any, window: MainWindow) -> None:
    user, dot = Hand(qtbot, window), window.status.dot
    user.settled()
    assert dot.state == "good"
    window.model_panel.kernel.build("change", "", "sigmoid")
    user.settled()
    assert window.store.picture is not None and window.store.picture.notes
    qtbot.waitUntil(lambda: dot.state == "warn")


def test_the_tabs_of_side_views_stay_where_they_are_and_go_with_the_views(qtbot: Any, window: MainWindow) -> None:
    user, views = Hand(qtbot, window), window.side_views
    user.settled()
    tab = next(iter(views.tabs.values()))
    at = tab.mapTo(window, tab.rect().center())
    QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: views.height() > 100)
    assert tab.mapTo(window, tab.rect().center()) == at, "a second click meets it again"
    QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
    window.actions_["model:krr"].trigger()
    user.settled()
    qtbot.waitUntil(lambda: not views.isVisible())
    window.actions_["model:svm"].trigger()
    user.settled()
    qtbot.waitUntil(views.isVisible)


def test_an_example_is_called_by_its_name_in_the_language(window: MainWindow, qtbot: Any) -> None:
    window.documents.show_example(example("sine"))
    window.set_language("ko")
    qtbot.waitUntil(window.updatesEnabled)
    assert "Sine" not in window.windowTitle() and "사인" in window.windowTitle()


def test_exports_go_to_the_folder_of_the_scene(qtbot: Any, open_window: Open, tmp_path: Path) -> None:
    from kernelplay.ui.export_dialog import ExportDialog

    (tmp_path / "talk").mkdir()
    window = open_window(path=tmp_path / "talk" / "a.kplay")
    Hand(qtbot, window).settled()
    dialog = ExportDialog(window.store, "light", window)
    assert Path(dialog.path.text()).parent == tmp_path / "talk"
    dialog.reject()
    dialog.deleteLater()
