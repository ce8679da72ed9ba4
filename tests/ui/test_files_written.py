"""What the windows that write files have in common: no file goes without a question, the buttons are on the screen, the
controls stand under one another, a size is typed in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hand import LEFT, Hand
from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget

from kernelplay import i18n
from kernelplay.examples import examples
from kernelplay.ui.dialogs import FRAME
from kernelplay.ui.words import retranslate

KEYS = {"figure": "Ctrl+E", "animation": "Ctrl+Alt+E", "data": "Ctrl+Shift+E", "code": "Ctrl+K"}
LEAST = 640 - FRAME.height()  # the height of the smallest screen, without what the system takes of it


@pytest.fixture
def hand(qtbot: Any, open_window: Any, tmp_path: Path) -> Hand:
    for folder in ("export/folder", "animation/folder"):
        QSettings().setValue(folder, str(tmp_path))
    made = Hand(qtbot, open_window())
    made.settled()
    return made


def the_button(dialog: Any) -> QPushButton:
    """Return the button that writes."""
    found = [each for each in dialog.findChildren(QPushButton) if each.property("look") == "primary"]
    assert len(found) == 1
    return found[0]


def down_to(combo: Any, key: str) -> None:
    """Take an entry by the arrow keys."""
    combo.setFocus()
    way = combo.findData(key) - combo.currentIndex()
    for _ in range(abs(way)):
        QTest.keyClick(combo, Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)
    assert combo.key == key


@pytest.mark.parametrize("key", list(KEYS))
def test_a_file_that_is_there_is_replaced_only_after_a_question(hand: Hand, tmp_path: Path, key: str) -> None:
    ending = {"figure": ".svg", "animation": ".gif", "data": ".csv", "code": ".py"}[key]
    file = tmp_path / f"mine{ending}"
    file.write_bytes(b"mine")
    asked: list[str] = []

    def answer(role: QMessageBox.ButtonRole) -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), box
        asked.append(box.text())
        assert box.buttonRole(box.defaultButton()) == QMessageBox.ButtonRole.RejectRole
        QTest.mouseClick(next(each for each in box.buttons() if box.buttonRole(each) == role), LEFT)

    def do(dialog: Any) -> None:
        if key in ("code", "data"):
            hand.bot.waitUntil(lambda: dialog.ready, timeout=20_000)
        if key == "animation":
            dialog.form._typed("width", "200px")
        dialog.path.setText(str(file))
        for role in (QMessageBox.ButtonRole.RejectRole, QMessageBox.ButtonRole.DestructiveRole):
            assert file.read_bytes() == b"mine" and dialog.isVisible()
            QTimer.singleShot(100, dialog, lambda role=role: answer(role))
            QTest.mouseClick(the_button(dialog), LEFT)
        hand.bot.waitUntil(lambda: not dialog.isVisible(), timeout=30_000)

    hand.in_dialog(do, lambda: hand.keys(KEYS[key]))
    assert asked == [f"“{file.name}” already exists."] * 2
    assert file.read_bytes() != b"mine"


@pytest.mark.parametrize("key", list(KEYS))
def test_the_buttons_are_on_the_smallest_screen(hand: Hand, key: str) -> None:
    def do(dialog: Any) -> None:
        assert dialog.height() <= dialog.screen().availableSize().height() - FRAME.height()
        dialog.resize(dialog.width(), LEAST)
        QApplication.processEvents()
        assert dialog.height() <= LEAST
        button = the_button(dialog)
        assert dialog.rect().contains(button.geometry().translated(button.parentWidget().mapTo(dialog, QPoint(0, 0))))

    hand.in_dialog(do, lambda: hand.keys(KEYS[key]))


@pytest.mark.parametrize("language", ["en", "ko", "pseudo"])
def test_the_controls_of_a_figure_stand_under_one_another(hand: Hand, language: str) -> None:
    def do(dialog: Any) -> None:
        i18n.use(language)
        retranslate(dialog)
        QApplication.processEvents()
        form = dialog.form
        controls: list[QWidget] = [form.preset, *form.fields.values(), *form.combos.values()]
        assert len({control.mapTo(form, QPoint(0, 0)).x() for control in controls}) == 1

    try:
        hand.in_dialog(do, lambda: hand.keys("Ctrl+E"))
    finally:
        i18n.use("en")


def test_the_first_figure_is_as_in_the_window(hand: Hand) -> None:
    def do(dialog: Any) -> None:
        canvas = hand.window.canvas
        assert dialog.form.preset.key == "window" and dialog.figure.size == (canvas.width(), canvas.height())
        assert Path(dialog.path.text()).stem == "Two overlapping classes"

    hand.in_dialog(do, lambda: hand.keys("Ctrl+E"))


def test_the_size_of_an_animation_is_typed_as_that_of_a_figure(hand: Hand) -> None:
    def do(dialog: Any) -> None:
        form = dialog.form
        field = form.fields["width"]
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "100mm")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert form.unit.key == "mm" and form.look.width == (100.0, "mm") and form.look.height.unit == "mm"
        QTest.keyClick(field, Qt.Key.Key_Up)
        assert form.look.width == (101.0, "mm")
        form.unit.setFocus()
        QTest.keyClick(form.unit, Qt.Key.Key_Down)
        assert form.look.unit == "in" and field.text() == "3.9764"
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "nonsense")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert "Width cannot be nonsense" in dialog.error.text()
        assert form.look.width.px == pytest.approx(101 / 25.4 * 96, rel=1e-5)

    hand.in_dialog(do, lambda: hand.keys("Ctrl+Alt+E"))


def test_a_sweep_begins_about_the_value_in_use(hand: Hand) -> None:
    hand.window.store.edit(hand.window.store.scene.with_value("C", 3.0), i18n.say("C"))
    hand.settled()

    def do(dialog: Any) -> None:
        form = dialog.form
        assert form.sources.currentText() == "Penalty C"
        assert (form.source.start, form.source.end) == (0.03, 300.0)
        down_to(form.sources, "kernel.gamma")
        now = hand.window.store.scene.model.kernel.gamma
        assert form.source.start <= now <= form.source.end <= 100 * now

    hand.in_dialog(do, lambda: hand.keys("Ctrl+Alt+E"))


def test_a_sweep_of_whole_numbers_begins_with_whole_numbers(hand: Hand) -> None:
    store = hand.window.store
    hand.choose(hand.window.model_panel.model.combo, "perceptron")
    store.edit(store.scene.with_value("max_epochs", 250), i18n.say("n"))
    hand.settled()

    def do(dialog: Any) -> None:
        down_to(dialog.form.sources, "max_epochs")
        assert dialog.form.source.start == 3 and dialog.form.source.whole

    hand.in_dialog(do, lambda: hand.keys("Ctrl+Alt+E"))


def test_a_name_without_a_folder_goes_where_the_last_file_went(hand: Hand, tmp_path: Path) -> None:
    def do(dialog: Any) -> None:
        assert dialog.path.selectedText() == "Two overlapping classes"
        QTest.keyClicks(dialog.path, "figure 1")
        assert dialog.path.text() == str(tmp_path / "figure 1.svg")
        dialog.path.setText("~nobody of this name/a.svg")
        dialog.accept()
        assert "not found: create it" in dialog.error.text()
        dialog.path.setText("figure 2.svg")
        dialog.accept()
        hand.bot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)

    hand.in_dialog(do, lambda: hand.keys("Ctrl+E"))
    assert (tmp_path / "figure 2.svg").exists() and str(tmp_path / "figure 2.svg") in hand.window.status.sentence.full


@pytest.mark.parametrize("key", list(KEYS))
def test_a_folder_that_has_gone_is_not_proposed(hand: Hand, tmp_path: Path, key: str) -> None:
    for folder in ("export/folder", "animation/folder"):
        QSettings().setValue(folder, str(tmp_path / "gone"))
    seen: list[Path] = []
    hand.in_dialog(lambda dialog: seen.append(Path(dialog.path.text()).parent), lambda: hand.keys(KEYS[key]))
    assert seen == [Path.home()]


def test_there_is_a_tick_for_the_colour_bar_where_there_is_one(qtbot: Any, open_window: Any) -> None:
    for key, there in (("moons", True), ("iris", False), ("sine", False)):
        hand = Hand(qtbot, open_window(next(each for each in examples() if each.key == key).scene()))
        hand.settled()
        seen: list[bool] = []
        hand.in_dialog(lambda dialog, seen=seen: seen.append(dialog.form.ticks["colour_bar"].isVisible()),
                       lambda hand=hand: hand.keys("Ctrl+E"))
        assert seen == [there], key
