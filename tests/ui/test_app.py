"""Around the window: how it starts, what it remembers, and that no error leaves it without a sentence."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hand import Hand
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSettings, Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kernelplay import i18n, session
from kernelplay.examples import examples
from kernelplay.turn import TURN
from kernelplay.ui import language
from kernelplay.ui.app import Errors, Garbage, Precedence, run, start
from kernelplay.ui.guard import guarded
from kernelplay.ui.import_dialog import ImportDialog
from kernelplay.ui.window import MainWindow


@pytest.fixture
def begin(qtbot: Any) -> Iterator[Callable[..., MainWindow]]:
    opened: list[MainWindow] = []

    def begin_one(*how: Any) -> MainWindow:
        window = start(*how)
        opened.append(window)
        with qtbot.waitExposed(window):
            window.show()
        Hand(qtbot, window).settled()
        return window

    yield begin_one
    for window in opened:
        window.store.saved_as(Path("unsaved"))
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_it_starts_with_the_first_example_and_obeys_the_flags(begin: Callable[..., MainWindow]) -> None:
    window = begin(None, "ko", "dark")
    assert window.store.scene.digest == examples()[0].scene().digest
    assert i18n.current() == "ko" and window.look.name == "dark"
    assert window.store.picture is not None and window.store.picture.fit is not None
    assert window.menuBar().actions()[0].text() == window.menus.menus["file"].title()
    assert not window.menus.menus["file"].title().isascii()


def test_a_scene_and_a_table_are_opened_from_the_command_line(begin: Callable[..., MainWindow], tmp_path: Path) -> None:
    file, table = tmp_path / "one.kplay", tmp_path / "two.csv"
    session.save(examples()[3].scene(), file)
    table.write_text("x,t\n0,1\n1,2\n2,2.5\n3,1.25\n", "utf-8")
    window = begin(file)
    assert window.store.path == file and window.store.scene.digest == examples()[3].scene().digest
    window = begin(table)
    assert window.store.scene.task == "regression" and len(window.store.scene.points) == 4


def test_a_table_that_does_not_fit_the_canvas_is_asked_about(begin: Callable[..., MainWindow], qtbot: Any,
                                                             tmp_path: Path) -> None:
    table = tmp_path / "nine.csv"
    table.write_text("".join(f"{i},{i % 4},k{i % 9}\n" for i in range(36)), "utf-8")
    window = begin(table)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), ImportDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(lambda: dialog.ready, timeout=20_000)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert len(window.store.scene.points) == 36 and len(window.store.scene.classes) == 2


def test_a_wrong_file_gives_a_sentence_and_an_example(begin: Callable[..., MainWindow], tmp_path: Path) -> None:
    window = begin(tmp_path / "nothing.kplay")
    assert "nothing.kplay" in window.status.sentence.full
    assert len(window.store.scene.points) > 0


def test_the_language_is_that_of_the_flag_then_of_the_setting_then_of_the_system() -> None:
    assert language.preferred("ja", "ko") == "ja"
    assert language.preferred(None, "ko") == "ko"
    assert language.preferred("ko-KR", "") == "ko"
    assert language.preferred(None, "") in i18n.LANGUAGES


def test_a_missing_font_is_said_in_letters_that_can_be_read(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert language.font_missing("en") is None
    monkeypatch.setattr(QFontDatabase, "families", lambda system: [])
    sentence = language.font_missing("ja")
    assert sentence is not None
    i18n.use("ja")
    assert str(sentence).isascii() and "font" in str(sentence)


def test_the_layout_is_as_it_was_left(begin: Callable[..., MainWindow]) -> None:
    window = begin()
    window.resize(1024, 700)
    window.actions_["data_panel"].trigger()
    assert not window.data_panel.isVisible()
    window.close()
    again = begin()
    assert not again.data_panel.isVisible() and not again.actions_["data_panel"].isChecked()
    assert again.model_panel.isVisible()
    assert again.size() == window.size()


def test_full_screen_and_back(begin: Callable[..., MainWindow], qtbot: Any) -> None:
    window = begin()
    window.actions_["full_screen"].trigger()
    qtbot.waitUntil(window.isFullScreen)
    assert window.actions_["full_screen"].isChecked()
    window.showNormal()
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert not window.actions_["full_screen"].isChecked()


def test_an_error_of_a_thread_becomes_a_sentence(begin: Callable[..., MainWindow], qtbot: Any) -> None:
    window = begin()
    before = (sys.excepthook, threading.excepthook)
    errors = Errors()

    def break_down() -> None:
        raise LookupError("planted")

    thread = threading.Thread(target=break_down)
    thread.start()
    thread.join()
    errors.restore()
    assert (sys.excepthook, threading.excepthook) == before
    qtbot.waitUntil(lambda: "LookupError" in window.status.sentence.full)


def test_an_error_of_the_worker_becomes_a_sentence_and_the_picture_stays(begin: Callable[..., MainWindow], qtbot: Any,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    window = begin()
    picture = window.store.picture
    model = type(window.store.scene.model)

    def break_down(*args: Any, **kwargs: Any) -> None:
        raise ArithmeticError("planted")

    monkeypatch.setattr(model, "fit", break_down)
    window.store.edit(window.store.scene.with_value("C", 3.0), window.store.history.steps[0].label)
    qtbot.waitUntil(lambda: "ArithmeticError" in window.status.sentence.full and window.store.settled)
    shown = window.store.picture
    assert shown is not None and picture is not None and shown.charts is picture.charts  # the last good one,
    assert shown.stale and shown.problem is not None and window.status.dot.state == "bad"  # and it looks like that
    assert window.canvas.plot.layers.stale and not window.model_panel.readouts.rows()
    monkeypatch.undo()
    window.store.undo()
    qtbot.waitUntil(lambda: window.store.settled)
    assert not window.canvas.plot.layers.stale and window.status.dot.state == "good"


def test_garbage_is_collected_on_the_thread_of_the_window(begin: Callable[..., MainWindow]) -> None:
    begin()
    garbage = Garbage()
    assert not gc.isenabled()
    garbage.restore()
    assert gc.isenabled()


def test_garbage_that_takes_long_waits_for_the_end_of_a_drag(begin: Callable[..., MainWindow]) -> None:
    view = begin().canvas.viewport()
    generations: list[int] = []

    def looked(phase: str, info: dict[str, int]) -> None:
        generations.append(info["generation"])

    garbage = Garbage()
    garbage._desk_changed()  # a window is gone
    gc.callbacks.append(looked)
    try:
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=view.rect().center())
        garbage._collect()
        assert 2 not in generations
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=view.rect().center())
        garbage._collect()
        assert 2 in generations
    finally:
        gc.callbacks.remove(looked)
        garbage.restore()


def test_all_garbage_is_looked_through_again_when_there_is_more_of_it(begin: Callable[..., MainWindow]) -> None:
    begin()
    generations: list[int] = []

    def looked(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            generations.append(info["generation"])

    def found() -> bool:
        """Let the oldest generation have its turn, and say whether all was looked through."""
        gc.collect(1)
        generations.clear()
        garbage._collect()
        return 2 in generations

    before = gc.get_threshold()
    gc.set_threshold(*before[:2], 0)
    garbage = Garbage()
    gc.callbacks.append(looked)
    try:
        held: list[list[object]] = [[] for _ in range(10_000)]
        assert found()
        assert not found(), "there is nothing new"
        held += [[] for _ in range(10_000)]
        assert found() and not found()
        assert len(held) == 20_000
    finally:
        gc.callbacks.remove(looked)
        garbage.restore()
        gc.set_threshold(*before)


def test_a_turn_lasts_from_what_may_take_long_to_the_end_of_all_that_waits(qtbot: Any) -> None:
    interval = sys.getswitchinterval()
    turns = Precedence()
    began: list[float | None] = []
    loop = QEventLoop()

    @guarded
    def paint() -> None:
        began.append(TURN.began)

    for milliseconds in (0, 20):
        QTimer.singleShot(milliseconds, loop, lambda: [paint(), paint()])
        QTimer.singleShot(milliseconds + 10, loop, lambda: began.append(TURN.began))
    QTimer.singleShot(40, loop, loop.quit)
    loop.exec()
    first, same, asleep, second, again, _ = began
    assert asleep is None and first is not None and first == same and second is not None and first < second == again
    paint()
    assert TURN.began is not None
    turns.restore()
    assert TURN.began is None and sys.getswitchinterval() == interval
    paint()
    QCoreApplication.processEvents()
    assert TURN.began is not None, "nobody listens any more"
    TURN.end()


def test_run_returns_when_the_window_is_closed_and_leaves_nothing_behind(qtbot: Any) -> None:
    def close() -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, MainWindow):
                widget.close()

    hook = sys.excepthook
    QTimer.singleShot(200, close)
    assert run(["kernelplay"], (), "en", "light") == 0
    assert sys.excepthook is hook and gc.isenabled()
    assert QSettings().value("geometry") is not None
