"""What is typed and not confirmed belongs to what it was typed for: it never goes into what takes its place."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hand import LEFT, Hand
from PySide6.QtCore import Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from kernelplay.examples import examples
from kernelplay.i18n import say
from kernelplay.kernels import edit
from kernelplay.scene import Scene
from kernelplay.spec import build
from kernelplay.tools.grid import Grid
from kernelplay.ui.class_row import ClassRow
from kernelplay.ui.forms import NumberRow, Row
from kernelplay.ui.point_model import X


def moons() -> Scene:
    return next(example for example in examples() if example.key == "moons").scene()


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., Any]) -> Hand:
    hand = Hand(qtbot, open_window(moons(), size=(1280, 900)))
    hand.window.activateWindow()
    hand.settled()
    return hand


def typed(user: Hand, row: Row, text: str) -> QLineEdit:
    """Type into the field of a number, and neither press Enter nor leave it."""
    assert isinstance(row, NumberRow)
    user.show(row.field)
    QTest.mouseClick(row.field, LEFT)
    row.field.selectAll()
    QTest.keyClicks(row.field, text)
    assert row.field.hasFocus() and row.field.text() == text
    return row.field


def steps(user: Hand) -> list[str]:
    return [str(step.label) for step in user.window.store.history.steps[1:]]


def command(user: Hand, key: str) -> None:
    """Give a command as its shortcut would: what has the keys keeps them."""
    user.window.actions_[key].trigger()


def undo(user: Hand) -> None:
    """Press the button of the tool bar, which takes no keys."""
    user.press(user.window.tools.undo)


def redo(user: Hand) -> None:
    user.press(user.window.tools.redo)


def panel_row(user: Hand) -> Row:
    return user.window.model_panel.model.form.rows["C"]


def bar_row(user: Hand, path: str = "C") -> Row:
    user.window.presenting.turn(True)
    user.bot.waitUntil(user.window.updatesEnabled)
    bar = user.window.presenting.bar
    assert bar is not None
    return bar.rows[path]


@pytest.mark.parametrize("row", [panel_row, bar_row])
@pytest.mark.parametrize("other", ["svr", "gpc", "perceptron"])
def test_a_value_typed_for_one_model_is_not_set_in_the_next(user: Hand, row: Callable[[Hand], Row], other: str) -> None:
    store = user.window.store
    before, wanted = store.scene, store.scene.with_model(other).model
    field = typed(user, row(user), "77")
    command(user, f"model:{other}")
    assert store.scene.model == wanted and len(steps(user)) == 1 and not field.isVisible()
    command(user, "undo")
    assert store.scene.model is before.model and store.history.redoable is not None
    again = row(user)
    assert isinstance(again, NumberRow) and float(again.field.text()) == before.model.get("C")
    user.window.presenting.turn(False)


def test_a_value_typed_for_a_model_that_is_taken_back_is_given_up(user: Hand) -> None:
    store = user.window.store
    before = store.scene
    command(user, "model:svr")
    chosen = store.scene
    user.settled()
    typed(user, panel_row(user), "77")
    undo(user)
    assert store.scene.model is before.model and store.history.redoable is not None
    typed(user, panel_row(user), "78")
    redo(user)
    assert store.scene.model is chosen.model and len(steps(user)) == 1


def test_a_value_typed_for_what_matters_no_more_is_given_up(user: Hand) -> None:
    store = user.window.store
    for margin in ("hard", "soft"):
        store.edit(store.scene.with_value("margin", margin), say("Change margin"))
    user.settled()
    row = panel_row(user)
    typed(user, row, "77")
    undo(user)
    assert store.scene.model.get("margin") == "hard" and not row.isVisible()
    redo(user)
    assert store.scene.model.get("C") == 10.0 and row.isVisible() and len(steps(user)) == 2


@pytest.mark.parametrize("other", ["poly", "linear", "matern32"])
@pytest.mark.parametrize("presenting", [False, True])
def test_a_value_typed_for_one_kernel_is_not_set_in_the_next(user: Hand, presenting: bool, other: str) -> None:
    store, panel = user.window.store, user.window.model_panel.kernel
    before, wanted = store.scene, edit.change(store.scene.model.kernel, "", other)
    row = bar_row(user, "kernel.gamma") if presenting else panel.root.form.rows["gamma"]
    typed(user, row, "7")
    command(user, f"kernel:{other}")
    assert store.scene.model.kernel == wanted and len(steps(user)) == 1
    command(user, "undo")
    assert store.scene.model is before.model and store.history.redoable is not None
    user.window.presenting.turn(False)


def test_a_value_typed_for_a_part_goes_with_it(user: Hand) -> None:
    store, panel = user.window.store, user.window.model_panel.kernel
    first, second, last = (build("kernel", {"name": "rbf", "gamma": gamma}) for gamma in (1.0, 5.0, 2.0))
    one = replace(build("kernel", {"name": "sum"}), of=(first, last))
    more = replace(one, of=(first, second, last))
    for kernel in (one, more):
        store.edit(store.scene.with_value("kernel", kernel), say("Choose kernel"))
        user.settled()
    typed(user, next(node for node in panel.nodes if node.path == "of.1").form.rows["gamma"], "7")
    undo(user)
    assert store.scene.model.kernel is one and store.history.redoable is not None
    user.settled()
    redo(user)
    user.settled()
    shown = [row.number for node in panel.nodes for row in node.form.rows.values() if isinstance(row, NumberRow)]
    assert store.scene.model.kernel is more and shown == [1.0, 5.0, 2.0]


def test_a_value_typed_for_one_data_set_is_not_set_in_the_next(user: Hand) -> None:
    generator = user.window.data_panel.generator
    specs = []
    for key in ("rings", "moons"):
        user.choose(generator.combo, key)
        user.press(generator.replace)
        specs.append(generator.data)
        user.settled()
    path = next(path for path, row in generator.form.rows.items()
                if isinstance(row, NumberRow) and path in specs[0].params() and path != "seed")
    typed(user, generator.form.rows[path], "31")
    undo(user)
    assert generator.data == specs[0] and user.window.store.history.redoable is not None
    user.settled()
    redo(user)
    assert generator.data == specs[1] and len(steps(user)) == 2


def test_an_option_typed_for_one_tool_is_not_set_in_the_next(user: Hand) -> None:
    window, tools = user.window, user.canvas.toolbox._tools
    before = dict(tools)
    for one, other in (("brush", "eraser"), ("eraser", "point"), ("brush", "magnet")):
        window.store.use_tool(one)
        typed(user, window.data_panel.tool.form.rows["radius"], "77")
        window.store.use_tool(other)
        assert tools == before
        window.store.use_tool(one)
        assert window.data_panel.tool.form.rows["radius"].field.text() == f"{before[one].reach:g}"  # type: ignore[attr-defined]


def test_a_step_typed_for_the_grid_of_one_task_is_not_set_in_that_of_the_other(user: Hand) -> None:
    window, grid = user.window, user.window.data_panel.grid
    for key in ("svr", "svm"):
        command(user, f"model:{key}")
        user.canvas.toolbox.set_grid(Grid())
    user.canvas.toolbox.snap(True)
    typed(user, grid.form.rows["x"], "0.77")
    command(user, "model:svr")
    user.settled()
    window.canvas.setFocus()
    assert set(user.canvas.toolbox._grids.values()) == {Grid()}


# another document

def of_class(user: Hand) -> QLineEdit:
    row = user.window.data_panel.classes.rows[0]
    return renamed(user, row, "zebra")


def renamed(user: Hand, row: ClassRow, text: str) -> QLineEdit:
    """Double-click on a class and type another name, without Enter."""
    user.show(row)
    QTest.mouseDClick(row, LEFT)
    QTest.keyClicks(row.editor, text)
    assert row.editor.hasFocus() and row.editor.text() == text
    return row.editor


def of_model(user: Hand) -> QLineEdit:
    return typed(user, panel_row(user), "77")


def of_kernel(user: Hand) -> QLineEdit:
    return typed(user, user.window.model_panel.kernel.root.form.rows["gamma"], "77")


def of_bar(user: Hand) -> QLineEdit:
    return typed(user, bar_row(user), "77")


def of_cell(user: Hand) -> QLineEdit:
    table = user.window.data_panel.table
    index = table.model().index(0, X)
    table.setCurrentIndex(index)
    table.edit(index)
    editor = user.window.focusWidget()
    assert isinstance(editor, QLineEdit) and table.isAncestorOf(editor)
    QTest.keyClicks(editor, "0.77")
    return editor


TYPED = [of_class, of_model, of_kernel, of_bar, of_cell]


@pytest.mark.parametrize("of", TYPED)
@pytest.mark.parametrize("same", [True, False])
def test_what_is_typed_for_one_document_is_not_set_in_the_next(user: Hand, of: Callable[[Hand], QLineEdit],
                                                               same: bool) -> None:
    store, began = user.window.store, moons() if same else examples()[0].scene()
    field = of(user)
    store.open(began, None, say("Open"))
    assert user.window.focusWidget() is user.canvas and not field.hasFocus()
    user.settled()
    user.window.presenting.turn(False)
    assert not store.modified and steps(user) == [] and store.scene.digest == began.digest
    row = user.window.data_panel.classes.rows[0]
    assert row.title.isVisible() and row.editor.isHidden() and row.title.full == began.classes[0]


# the name of a class

def test_a_class_that_is_being_named_is_taken_back_by_mouse(user: Hand) -> None:
    store, classes = user.window.store, user.window.data_panel.classes
    before = store.scene
    user.press(classes.add)
    added = store.scene.classes
    renamed(user, classes.rows[-1], "zebra")
    undo(user)
    assert store.scene is before and store.history.redoable is not None and len(classes.rows) == len(added) - 1
    redo(user)
    assert store.scene.classes == added
    assert [row.title.full for row in classes.rows] == list(added)
    assert all(row.title.isVisible() and row.editor.isHidden() for row in classes.rows)


def test_a_class_that_is_being_named_goes_with_its_task(user: Hand) -> None:
    store = user.window.store
    command(user, "model:svr")
    regression = store.scene
    user.settled()
    command(user, "model:svm")
    user.settled()
    renamed(user, user.window.data_panel.classes.rows[1], "zebra")
    undo(user)
    assert store.scene.model is regression.model and store.scene.classes == regression.classes
    assert store.history.redoable is not None


def test_a_class_goes_on_being_named_while_something_else_is_taken_back(user: Hand) -> None:
    store, classes = user.window.store, user.window.data_panel.classes
    user.click(0.0, 0.0)
    renamed(user, classes.rows[0], "zebra")
    undo(user)
    assert classes.rows[0].editor.hasFocus() and store.history.undoable is None
    user.keys("Return")
    assert store.scene.classes[0] == "zebra" and len(steps(user)) == 1


def test_nothing_is_edited_while_an_edit_is_told(user: Hand, caplog: pytest.LogCaptureFixture) -> None:
    store = user.window.store
    before = store.scene
    wanted = before.with_value("C", 3.0)

    @Slot(object, object)
    def late(old: Scene, new: Scene) -> None:
        store.edit(new.with_value("C", 5.0), say("Change C"))

    store.changed.connect(late)
    with caplog.at_level(logging.ERROR, "kernelplay"):
        store.edit(wanted, say("Change C"))
    store.changed.disconnect(late)
    assert store.scene is wanted and len(steps(user)) == 1 and "Change C" in caplog.text
    store.undo()
    assert store.scene is before
