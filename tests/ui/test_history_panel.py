"""The list of steps: it says what happened, follows the hand, and takes one anywhere in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hand import LEFT, NO_KEY, Hand
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractItemModel, QPoint, QSettings, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QWidget

from kernelplay.history import LIMIT, History
from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.ui import language
from kernelplay.ui.history_panel import HistoryPanel, StepList, Steps
from kernelplay.ui.theme import DARK, LIGHT, contrast
from kernelplay.ui.window import MainWindow

Role = Qt.ItemDataRole
SEQUENCES = int(os.environ.get("SEQUENCES", "120"))


@pytest.fixture
def user(qtbot: Any, window: MainWindow) -> Hand:
    hand = Hand(qtbot, window)
    hand.settled()
    return hand


def opened(user: Hand) -> StepList:
    """Open the history with its key."""
    user.canvas.setFocus()
    user.keys("F6")
    panel = user.window.history_panel
    assert isinstance(panel, HistoryPanel) and panel.isVisible()
    return panel.list


def words(steps: QAbstractItemModel, role: int = Role.DisplayRole) -> list[str]:
    return [str(steps.index(row, 0).data(role)) for row in range(steps.rowCount())]


def click(shown: StepList, row: int) -> None:
    index = shown.steps.index(row)
    shown.scrollTo(index)
    QTest.mouseClick(shown.viewport(), LEFT, NO_KEY, shown.visualRect(index).center())


def test_start_up_does_not_pay_for_it(user: Hand) -> None:
    assert user.window.history_panel is None and not user.window.findChildren(StepList)
    shown = opened(user)
    user.keys("F6")
    user.keys("F6")
    assert user.window.findChildren(StepList) == [shown], "made once"


def test_every_step_is_said_and_a_click_goes_there_and_back(user: Hand) -> None:
    store = user.window.store
    shown = opened(user)
    assert words(shown.steps) == ["Open"]
    begin = store.scene
    user.click(0.5, 2.5)
    user.click(-2.5, 2.5)
    user.window.actions_["model:perceptron"].trigger()
    assert words(shown.steps) == ["Open", "Add point", "Add point", "Choose Perceptron"]
    scenes = [step.scene for step in store.history.steps]
    click(shown, 0)
    assert store.scene is begin or store.scene.digest == begin.digest
    assert words(shown.steps, Role.AccessibleTextRole) == [
        "Open, current step", "Add point, undone", "Add point, undone", "Choose Perceptron, undone"]
    click(shown, 2)
    assert store.scene.digest == scenes[2].digest
    assert words(shown.steps, Role.AccessibleTextRole) == [
        "Open", "Add point", "Add point, current step", "Choose Perceptron, undone"]
    assert user.window.actions_["redo"].text() == "Redo: Choose Perceptron"
    user.click(2.5, 2.5)
    assert words(shown.steps) == ["Open", "Add point", "Add point", "Add point"], "what was undone is gone"
    picture = user.settled()
    assert picture.scene is store.scene


def test_arrow_keys_and_enter_go_to_a_step_and_escape_to_the_canvas(user: Hand) -> None:
    store = user.window.store
    for place in ((0.5, 2.5), (-2.5, 2.5), (2.5, 2.5)):
        user.click(*place)
    shown = opened(user)
    assert shown.hasFocus() and shown.currentIndex().row() == 3
    user.keys("Up", 2)
    assert store.history.at == 3, "looking is not going"
    user.keys("Return")
    assert store.history.at == 1 and len(store.scene.points) == len(store.history.steps[0].scene.points) + 1
    user.keys("End")
    user.keys("Enter")
    assert store.history.at == 3
    user.keys("Home")
    user.keys("Return")
    assert store.history.at == 0
    user.keys("Ctrl+Shift+Z")
    assert store.history.at == shown.steps.at == 1 and shown.currentIndex().row() == 1, "the keys follow"
    user.keys("Escape")
    assert user.canvas.hasFocus()


def test_a_drag_is_one_line_and_tells_of_nothing_while_it_goes_on(user: Hand) -> None:
    shown = opened(user)
    told: list[object] = []
    for signal in (shown.steps.dataChanged, shown.steps.rowsInserted, shown.steps.rowsRemoved, shown.steps.modelReset):
        signal.connect(lambda *_: told.append(0))
    x, y = user.window.store.scene.points.xy[0].tolist()
    user.drag([(x, y), (x + 0.2, y), (x + 0.4, y)])
    first = len(told)
    user.drag([(x + 0.4, y), *((x + 0.4, y + 0.02 * step) for step in range(1, 20))])
    assert words(shown.steps) == ["Open", "Move point", "Move point"]
    assert len(told) == 2 * first, "as much for twenty moves as for two"


def test_what_is_called_off_leaves_the_list(user: Hand) -> None:
    shown = opened(user)
    store = user.window.store
    for step in range(3):
        store.edit(store.scene.with_value("C", 2.0 + step), say("Set C"), "slide")
    assert words(shown.steps) == ["Open", "Set C"]
    store.cancel("slide")
    assert words(shown.steps) == ["Open"] and shown.steps.at == 0


def test_out_of_sight_it_costs_nothing_and_catches_up(user: Hand) -> None:
    shown = opened(user)
    user.keys("F6")
    assert not shown.isVisible() and user.canvas.hasFocus()
    user.click(0.5, 2.5)
    assert words(shown.steps) == [], "not looked at: neither kept up nor held in memory"
    language.use("ko")
    user.window.retranslate()
    language.use("en")
    user.window.retranslate()
    user.keys("F6")
    assert words(shown.steps) == ["Open", "Add point"] and shown.steps.at == 1


def test_another_document_begins_another_list(user: Hand) -> None:
    shown = opened(user)
    user.click(0.5, 2.5)
    user.window.store.open(Scene(), None, say("New scene"))
    assert words(shown.steps) == ["New scene"] and shown.steps.at == 0


def test_a_long_history_stays_in_sight_at_its_current_step(user: Hand) -> None:
    store = user.window.store
    shown = opened(user)
    for step in range(LIMIT + 30):
        store.edit(store.scene.with_value("C", 1.0 + step / 100), say("Set C to {c}", c=1.0 + step / 100))
    assert shown.steps.rowCount() == LIMIT == len(store.history.steps)
    assert words(shown.steps) == [str(step.label) for step in store.history.steps]
    visible = shown.viewport().rect()
    assert visible.contains(shown.visualRect(shown.steps.index(LIMIT - 1)).center())
    store.go(200)
    assert visible.contains(shown.visualRect(shown.steps.index(200)).center())


def test_it_is_kept_open_by_the_settings_and_closed_with_its_button(qtbot: Any, open_window: Any) -> None:
    first = open_window()
    opened(Hand(qtbot, first))
    first.store.saved_as(Path("unsaved"))
    first.close()
    assert QSettings().value("show/history", type=bool) is True
    again = open_window()
    again.restore_layout()
    assert again.history_panel is not None and again.history_panel.isVisible() and again.actions_["history"].isChecked()
    assert not again.history_panel.list.hasFocus(), "a window begins at its canvas"
    QTest.mouseClick(again.history_panel.button, LEFT)
    assert not again.history_panel.isVisible() and not again.actions_["history"].isChecked()


def test_the_left_side_has_no_room_without_its_panels(user: Hand) -> None:
    window = user.window
    before = user.canvas.width()
    opened(user)
    window.actions_["data_panel"].trigger()
    QApplication.processEvents()
    assert window.history_panel is not None and window.history_panel.isVisible() and not window.data_panel.isVisible()
    window.actions_["history"].trigger()
    user.bot.waitUntil(lambda: user.canvas.width() > before + 150)
    window.actions_["history"].trigger()
    user.bot.waitUntil(window.history_panel.isVisible)
    assert window.history_panel.width() >= 200


@pytest.mark.parametrize("spoken", ["ko", "pseudo"])
def test_it_is_said_again_in_another_language(user: Hand, spoken: str) -> None:
    shown = opened(user)
    user.click(0.5, 2.5)
    language.use(spoken)
    user.window.retranslate()
    history = user.window.store.history
    assert words(shown.steps) == [" ".join(step.label.text(spoken).split()) for step in history.steps]
    assert spoken != "pseudo" or all(text.startswith("⟦") for text in words(shown.steps))
    panel = user.window.history_panel
    assert panel is not None
    assert panel.heading.text() == say("History").text(spoken) == shown.accessibleName()
    assert all(widget.accessibleName() for widget in (shown, panel, panel.button))


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_words_of_the_past_the_present_and_what_was_undone_can_be_read(look: Any) -> None:
    for ink, ground in ((look.text, look.card), (look.accent, look.soft), (look.text_dim, look.card)):
        assert contrast(ink, ground) >= 4.5


def test_the_current_step_is_drawn_otherwise_than_the_others(user: Hand) -> None:
    user.click(0.5, 2.5)
    user.click(-2.5, 2.5)
    user.keys("Ctrl+Z")
    shown = opened(user)
    user.keys("Escape")
    image = shown.viewport().grab().toImage()
    grounds = [image.pixelColor(shown.visualRect(shown.steps.index(row)).topRight() + QPoint(-14, 13)).name().lower()
               for row in range(3)]
    soft, card = LIGHT.soft.lower(), LIGHT.card.lower()
    assert grounds == [card, soft, card]
    beads = [image.pixelColor(shown.visualRect(shown.steps.index(row)).topLeft() + QPoint(15, 13)).name().lower()
             for row in range(3)]
    assert beads[1] == LIGHT.accent.lower() and beads[2] == card and beads[0] not in (card, soft), "done, here, undone"


@settings(deadline=None, max_examples=SEQUENCES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds=st.lists(st.tuples(st.sampled_from(["edit", "drag", "undo", "go", "cancel", "open", "look", "skip"]),
                                st.integers(0, 30)), max_size=40), limit=st.integers(2, 12))
def test_any_history_is_followed_row_by_row(qapp: Any, monkeypatch: pytest.MonkeyPatch, deeds: list[tuple[str, int]],
                                            limit: int) -> None:
    monkeypatch.setattr("kernelplay.history.LIMIT", limit)
    parent = QWidget()
    history = History.start(Scene(), say("Open"))
    steps = Steps(history, parent)
    tester = QAbstractItemModelTester(steps, QAbstractItemModelTester.FailureReportingMode.Fatal, parent)
    mirror = words(steps, Role.AccessibleTextRole)  # what a view knows: the first rows, and what it is told of later

    def inserted(_: object, first: int, last: int) -> None:
        mirror[first:first] = [""] * (last - first + 1)
        changed(steps.index(first), steps.index(last))

    def removed(_: object, first: int, last: int) -> None:
        del mirror[first:last + 1]

    def changed(top: Any, bottom: Any) -> None:
        for row in range(top.row(), bottom.row() + 1):
            mirror[row] = str(steps.index(row).data(Role.AccessibleTextRole))

    steps.rowsInserted.connect(inserted)
    steps.rowsRemoved.connect(removed)
    steps.dataChanged.connect(changed)
    for deed, n in deeds:
        scene = history.scene
        if deed == "edit":
            history = history.edit(scene.with_points(Points(scene.points.xy)), say("Edit {n}", n=n))
        elif deed == "drag":
            history = history.edit(scene.with_points(Points(scene.points.xy)), say("Drag"), f"drag {n % 2}")
        elif deed == "undo":
            history = history.undo()
        elif deed == "go":
            history = history.go(n)
        elif deed == "cancel":
            history = history.without(f"drag {n % 2}")
        elif deed == "open":
            history = History.start(scene, say("Open {n}", n=n))
        elif deed == "look":
            history = history.look(scene.with_view((0.0, 1.0 + n, 0.0, 1.0)))
        if deed != "skip":
            continue  # several changes may have passed out of sight
        steps.show(history)
    steps.show(history)
    assert words(steps) == [str(step.label) for step in history.steps] and steps.at == history.at
    assert mirror == words(steps, Role.AccessibleTextRole)
    del tester
    parent.deleteLater()


def test_an_edit_of_nothing_is_no_step_and_a_way_back_is_one(user: Hand) -> None:
    store, shown = user.window.store, opened(user)
    begin = store.scene
    store.edit(begin, say("Nothing"))
    assert words(shown.steps) == ["Open"] and not user.window.actions_["undo"].isEnabled()
    store.edit(begin.with_value("C", 7.0), say("Set C"), "slide")
    store.edit(begin, say("Set C"), "slide")
    assert words(shown.steps) == ["Open", "Set C"] and shown.steps.at == 1
    user.keys("Ctrl+Z")
    assert shown.steps.at == 0 and store.scene is begin
    assert not user.window.actions_["undo"].isEnabled() and user.window.actions_["redo"].isEnabled()
