"""Code, data and points leave the window: by menus and keys, through the dialogs, to files and to the clipboard."""

from __future__ import annotations

import csv
import dataclasses
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget

from kernelplay import i18n, writing
from kernelplay.as_code import CODES, code
from kernelplay.examples import examples
from kernelplay.scene import Scene
from kernelplay.spec import build
from kernelplay.ui.text_dialog import MOST_LINES, TextDialog
from kernelplay.ui.theme import apply, theme
from kernelplay.writing import class_names
from tests.test_script import agree, printed
from tests.ui.hand import LEFT, Hand


@pytest.fixture
def hand(qtbot: Any, open_window: Callable[..., Any], tmp_path: Path) -> Hand:
    QSettings().setValue("export/folder", str(tmp_path))
    one = Hand(qtbot, open_window())
    one.settled()
    return one


def scene(key: str) -> Scene:
    return next(example for example in examples() if example.key == key).scene()


def shown(qtbot: Any, dialog: TextDialog) -> str:
    """Return what the dialog shows once it is made."""
    qtbot.waitUntil(lambda: dialog.ready, timeout=20_000)
    return dialog.preview.toPlainText()


def choose(qtbot: Any, dialog: TextDialog, button: QWidget) -> str:
    QTest.mouseClick(button, LEFT)
    return shown(qtbot, dialog)


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_the_fit_is_shown_as_code_copied_and_saved(hand: Hand, qtbot: Any, tmp_path: Path) -> None:
    fit = hand.settled().fit
    now = hand.window.store.scene
    expected = {kind: code(fit, kind, now.title, class_names(now)) for kind in CODES}

    def look(dialog: Any) -> None:
        for kind in ("latex", "sklearn", "numpy"):
            assert choose(qtbot, dialog, dialog.kind.button(kind)) == expected[kind]
            assert dialog.path.text().endswith(CODES[kind][1])
            QTest.mouseClick(dialog.copy, LEFT)
            assert clipboard() == expected[kind]
        QTest.mouseClick(dialog.save, LEFT)

    hand.in_dialog(look, lambda: hand.keys("Ctrl+K"))
    [file] = list(tmp_path.glob("*.py"))
    assert file.read_text("utf-8") == expected["numpy"]
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=60)
    agree(fit, printed(done.stdout))

    def again(dialog: Any) -> None:
        assert shown(qtbot, dialog) == expected["numpy"] and dialog.kind.key == "numpy"

    hand.in_dialog(again, hand.window.actions_["code"].trigger)


def test_a_script_that_cannot_be_trusted_is_shown_with_a_warning(qtbot: Any, open_window: Callable[..., Any]) -> None:
    sine = scene("sine")
    hand = Hand(qtbot, open_window(dataclasses.replace(sine, model=build("model", {"name": "svr", "C": 1e10}))))
    hand.settled()

    def look(dialog: Any) -> None:
        choose(qtbot, dialog, dialog.kind.button("sklearn"))
        assert dialog.warning.isVisible() and "use the NumPy script" in dialog.warning.text()
        choose(qtbot, dialog, dialog.kind.button("numpy"))
        assert not dialog.warning.isVisible()

    hand.in_dialog(look, lambda: hand.keys("Ctrl+K"))


def test_a_scene_without_a_fit_is_answered_by_a_sentence(hand: Hand) -> None:
    sentences: list[str] = []
    hand.window.store.said.connect(lambda sentence, problem: sentences.append(str(sentence)))
    hand.keys("Ctrl+Shift+Del")
    hand.settled()
    hand.keys("Ctrl+K")
    hand.keys("Ctrl+Shift+E")
    assert len([line for line in sentences if "No points yet" in line]) == 2
    hand.click(0.0, 0.0)
    hand.settled()
    hand.keys("Ctrl+K")
    assert "Without a fit" in sentences[-1]


def test_data_are_written_by_what_and_form(hand: Hand, qtbot: Any, tmp_path: Path) -> None:
    picture = hand.settled()
    now, fit = hand.window.store.scene, picture.fit

    def look(dialog: Any) -> None:
        assert shown(qtbot, dialog) == writing.points_csv(now)
        assert choose(qtbot, dialog, dialog.format.button("libsvm")) == writing.points_libsvm(now)
        assert dialog.path.text().endswith("-points.libsvm")
        assert choose(qtbot, dialog, dialog.format.button("numpy")) == writing.points_numpy(now)
        assert not dialog.what.button("steps").isEnabled() and not dialog.selected.isEnabled()
        assert choose(qtbot, dialog, dialog.what.button("readouts")) == writing.readouts_csv(fit)
        assert dialog.points_row.isHidden() and dialog.predictions_row.isHidden()
        assert choose(qtbot, dialog, dialog.what.button("predictions")) == writing.predictions_csv(fit, now)
        assert not dialog.across.isEnabled()
        choose(qtbot, dialog, dialog.place.button("grid"))
        for field, text in ((dialog.across, "7"), (dialog.up, "3")):
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, text)
            QTest.keyClick(field, Qt.Key.Key_Tab)
        grid = writing.Grid(hand.window.store.shown or (0.0, 0.0, 0.0, 0.0), 7, 3)
        assert shown(qtbot, dialog) == writing.predictions_csv(fit, now, grid)
        dialog.path.setText(str(tmp_path / "mine.csv"))
        assert len(choose(qtbot, dialog, dialog.place.button("points")).splitlines()) == len(now.points) + 1
        assert dialog.path.text() == str(tmp_path / "mine.csv"), "what was typed stays"
        QTest.mouseClick(dialog.save, LEFT)

    hand.in_dialog(look, lambda: hand.keys("Ctrl+Shift+E"))
    rows = list(csv.reader(io.StringIO((tmp_path / "mine.csv").read_text("utf-8-sig"))))
    values = [float(row[rows[0].index("decision_value")]) for row in rows[1:]]
    assert np.allclose(values, fit.f_train)


def test_the_steps_of_the_perceptron_are_offered(qtbot: Any, open_window: Callable[..., Any]) -> None:
    hand = Hand(qtbot, open_window(scene("perceptron")))
    fit = hand.settled().fit

    def look(dialog: Any) -> None:
        text = choose(qtbot, dialog, dialog.what.button("steps"))
        assert text == writing.steps_csv(fit, hand.window.store.scene) and text.count("\n") == fit.mistakes + 2

    hand.in_dialog(look, hand.window.actions_["export_data"].trigger)


def test_a_long_text_is_shown_in_part_and_kept_whole(hand: Hand, qtbot: Any) -> None:
    def look(dialog: Any) -> None:
        choose(qtbot, dialog, dialog.what.button("predictions"))
        head = choose(qtbot, dialog, dialog.place.button("grid"))
        assert head.count("\n") + 1 == MOST_LINES and str(MOST_LINES) in dialog.info.text()
        QTest.mouseClick(dialog.copy, LEFT)
        assert clipboard().count("\n") == 2501 and clipboard().startswith(head)

    hand.in_dialog(look, hand.window.actions_["export_data"].trigger)


def test_a_folder_that_is_not_there_is_said_and_the_window_stays(hand: Hand, qtbot: Any, tmp_path: Path) -> None:
    def look(dialog: Any) -> None:
        shown(qtbot, dialog)
        dialog.path.setText(str(tmp_path / "none" / "x.py"))
        QTest.mouseClick(dialog.save, LEFT)
        assert dialog.isVisible() and "not found: create it" in dialog.error.text()

    hand.in_dialog(look, hand.window.actions_["code"].trigger)
    assert not list(tmp_path.rglob("x.py"))


@pytest.fixture
def edit_menu(hand: Hand) -> Iterator[QMenu]:
    menu = hand.window.menus.menus["edit"]
    menu.popup(hand.window.mapToGlobal(hand.window.rect().center()))
    yield menu
    menu.close()


@pytest.mark.parametrize(("form", "write"), [("CSV", writing.points_csv), ("LIBSVM", writing.points_libsvm),
                                             ("NumPy", writing.points_numpy)])
def test_points_are_copied_in_the_form_of_the_menu(hand: Hand, edit_menu: QMenu, form: str, write: Any) -> None:
    hand.pick(edit_menu, "Copy points as", form)
    assert clipboard() == write(hand.window.store.scene)


def test_only_what_is_selected_is_copied_and_offered(hand: Hand, qtbot: Any) -> None:
    store = hand.window.store
    store.select(frozenset({1, 4, 5}))
    hand.window.actions_["copy_as:csv"].trigger()
    assert clipboard() == writing.points_csv(store.scene, [1, 4, 5])
    rows = clipboard().splitlines()[1:]
    n = len(store.scene.points)
    hand.window.editing.paste()
    assert len(store.scene.points) == n + len(rows), "and comes back by paste"
    assert np.array_equal(store.scene.points.xy[n:], store.scene.points.xy[[1, 4, 5]])
    hand.settled()

    def look(dialog: Any) -> None:
        assert len(shown(qtbot, dialog).splitlines()) == 4
        QTest.mouseClick(dialog.selected, LEFT, pos=dialog.selected.rect().center() / 8)
        assert len(shown(qtbot, dialog).splitlines()) == len(store.scene.points) + 1

    hand.in_dialog(look, hand.window.actions_["export_data"].trigger)


def test_closing_stops_what_is_being_made(qtbot: Any, open_window: Callable[..., Any]) -> None:
    hand = Hand(qtbot, open_window(scene("iris")))
    hand.settled()

    def look(dialog: Any) -> None:
        choose(qtbot, dialog, dialog.what.button("predictions"))
        choose(qtbot, dialog, dialog.place.button("grid"))
        for field in (dialog.across, dialog.up):  # a million places
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, "1000")
            QTest.keyClick(field, Qt.Key.Key_Tab)
        assert not dialog.ready and not dialog.save.isEnabled() and not dialog.copy.isEnabled()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible() and not dialog.ready

    hand.in_dialog(look, hand.window.actions_["export_data"].trigger)


@pytest.mark.parametrize("language", ["ko", "ja", i18n.PSEUDO])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_nothing_is_clipped(hand: Hand, qtbot: Any, language: str, name: str) -> None:
    i18n.use(language)
    apply(theme(name), language)

    def look(dialog: Any) -> None:
        shown(qtbot, dialog)
        for segmented in (getattr(dialog, key, None) for key in ("kind", "what", "format", "place")):
            if segmented is None:
                continue
            for button in segmented.findChildren(QWidget):
                if button.isVisible():
                    assert button.width() >= button.sizeHint().width(), button.accessibleName()
        for button in (dialog.copy, dialog.browse, dialog.save):
            assert button.width() >= button.minimumSizeHint().width()
        if hasattr(dialog, "kind"):
            assert len(dialog.preview.document().firstBlock().layout().formats()) >= 1, "comments are coloured"

    for action in ("code", "export_data"):
        hand.in_dialog(look, hand.window.actions_[action].trigger)
