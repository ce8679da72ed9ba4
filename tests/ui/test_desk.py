"""Windows beside windows: one is made between the turns of the others, nothing that was asked for is lost when all are
closed meanwhile, and nothing is left of those that are gone."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hand import Hand
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from weather import census

from kernelplay.examples import examples
from kernelplay.ui.app import Garbage, start
from kernelplay.ui.desk import Desk
from kernelplay.ui.theme import DARK
from kernelplay.ui.window import MainWindow


@pytest.fixture
def desk(qtbot: Any, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "unsaved")
    window = start(None, "en", "light", desk)
    with qtbot.waitExposed(window):
        window.show()
    yield desk
    for window in list(desk.whole()):
        window.leave()
    QCoreApplication.sendPostedEvents()


def test_the_window_in_use_answers_while_another_one_is_made(desk: Desk, qtbot: Any) -> None:
    [window] = desk.windows
    user = Hand(qtbot, window)
    user.settled()
    user.keys("Ctrl+Shift+N")
    assert not desk.ready
    answers = 0
    while not desk.ready:
        n = len(window.store.scene.points)
        user.click(0.6 * answers - 3.0, -4.3)
        assert len(window.store.scene.points) == n + 1 and desk.windows == [window]
        answers += 1
        QCoreApplication.processEvents()
    assert answers >= 5
    _, new = desk.windows
    assert new.isVisible() and not len(new.store.scene.points)
    assert new.status.isVisible() and new.model_panel.model.form is not None


def test_windows_that_were_asked_for_come_in_order_and_whole_when_the_last_one_is_closed(desk: Desk) -> None:
    [window] = desk.windows
    scenes = [example.scene() for example in examples()[:3]]
    came: list[MainWindow] = []
    for scene in scenes:
        desk.open(scene, saved=False, then=came.append)
    window.leave()
    assert [each.store.scene for each in desk.windows] == scenes and desk.windows == came and desk.ready
    assert all(each.isVisible() and each.store.modified for each in came)


def test_quit_asks_for_a_window_that_is_still_on_its_way(desk: Desk, qtbot: Any) -> None:
    asked: list[str] = []

    def cancel() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QMessageBox):  # the window is still being made
            QTimer.singleShot(50, desk, cancel)
            return
        asked.append(dialog.text())
        dialog.reject()

    desk.open(examples()[1].scene(), saved=False)
    QTimer.singleShot(50, desk, cancel)
    desk.quit()
    assert len(asked) == 1 and len(desk.windows) == 2


def test_a_window_on_its_way_wears_the_theme_and_speaks_the_language_of_the_others(desk: Desk, qtbot: Any) -> None:
    [window] = desk.windows
    window.actions_["new_window"].trigger()
    QCoreApplication.processEvents()
    window.set_theme("dark")
    window.set_language("ko")
    window.sizing.take(125)
    assert desk.windows == [window], "nobody waits until the other one is made"
    qtbot.waitUntil(lambda: desk.ready)
    _, new = desk.windows
    assert not new.updatesEnabled(), "it is not seen before it looks and speaks so, too"
    qtbot.waitUntil(new.updatesEnabled)
    assert new.canvas.theme == DARK.zoomed(1.25) == window.canvas.theme
    assert all(new.actions_[key].isChecked() for key in ("theme:dark", "language:ko", "size:125"))
    assert new.data_panel.minimumWidth() == window.data_panel.minimumWidth()
    qtbot.waitUntil(lambda: not new.menuBar().actions()[0].text().isascii())
    window.set_language("en")
    window.sizing.take(100)
    qtbot.waitUntil(lambda: window.updatesEnabled() and new.updatesEnabled())


def test_nothing_is_left_of_windows_that_are_gone(desk: Desk, qtbot: Any) -> None:
    [window] = desk.windows
    Hand(qtbot, window).settled()

    def come_and_go(times: int) -> None:
        for _ in range(times):
            window.actions_["duplicate"].trigger()
            _, new = desk.whole()
            qtbot.waitUntil(lambda new=new: new.store.settled)
            new.leave()
            qtbot.waitUntil(lambda: desk.idle)

    come_and_go(2)
    before = census()
    come_and_go(4)
    after = census()
    assert {kind: (before[kind], n) for kind, n in after.items() if n > before[kind]} == {}


def test_a_window_is_no_longer_in_memory_soon_after_it_was_closed(desk: Desk, qtbot: Any) -> None:
    garbage = Garbage(desk)
    try:
        assert gc.get_freeze_count() > 10_000
        desk.windows[0].actions_["duplicate"].trigger()
        store: Any = weakref.ref(desk.whole()[1].store)
        qtbot.waitUntil(lambda: store().settled)
        desk.windows[1].leave()
        qtbot.waitUntil(lambda: store() is None, timeout=5_000)
    finally:
        garbage.restore()
