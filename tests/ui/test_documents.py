"""Documents: nothing is lost - crashes, closing, other programs, full disks - and several of them side by side."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hand import LEFT, RIGHT, Hand
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, QSettings, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from kernelplay import i18n, session
from kernelplay.cli import main
from kernelplay.errors import FileError
from kernelplay.examples import examples
from kernelplay.recovery import Journal, Kept, left_behind
from kernelplay.scene import Points, Scene
from kernelplay.ui.app import run, start
from kernelplay.ui.desk import Desk
from kernelplay.ui.recent import recent_files
from kernelplay.ui.recovery_dialog import RecoveryDialog
from kernelplay.ui.theme import DARK, LIGHT
from kernelplay.ui.waiting import wait_for
from kernelplay.ui.window import MainWindow

Role = QMessageBox.ButtonRole
CASES = [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)]


def xor(title: str = "") -> Scene:
    return Scene(classification=Points(CASES, [0, 0, 1, 1]), title=title).with_view((-2.0, 2.0, -2.0, 2.0))


class Room:
    """A desk as it stands in front of a person, and the hands at its windows."""

    def __init__(self, qtbot: Any, folder: Path) -> None:
        self.bot, self.folder = qtbot, folder
        self.desk = Desk(folder)

    def begin(self, path: Path | None = None) -> Hand:
        window = start(path, "en", "light", self.desk)
        if path is None:
            window.store.open(xor(), None, i18n.say("Open"))  # four points at known places
        with self.bot.waitExposed(window):
            window.show()
        return self.hand(window)

    def hand(self, window: MainWindow | None = None) -> Hand:
        self.bot.waitUntil(lambda: self.desk.ready)
        window = window or self.desk.windows[-1]
        self.bot.waitUntil(window.isVisible)
        user = Hand(self.bot, window)
        user.back()
        user.settled()
        return user

    def kept(self) -> None:
        """Wait until all unsaved work is on disk."""
        self.bot.waitUntil(lambda: self.desk.idle)

    def crash(self) -> None:
        """End as a process does that is killed: nobody is asked, nothing is cleared."""
        self.kept()
        self.desk.keep()
        self.clear()
        self.desk = Desk(self.folder)

    def clear(self) -> None:
        for window in list(self.desk.whole()):
            window.leave()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def room(qtbot: Any, tmp_path: Path) -> Iterator[Room]:
    room = Room(qtbot, tmp_path / "unsaved")
    yield room
    room.clear()


@pytest.fixture
def saved(room: Room, tmp_path: Path) -> Hand:
    """A window with a scene from a file."""
    file = tmp_path / "a.kplay"
    session.save(xor(), file)
    user = room.begin(file)
    noticed(user)
    return user


def answer(user: Hand, role: Role, begin: Callable[[], object]) -> list[str]:
    """Do something that asks, press the button with `role`, and return what was asked."""
    asked: list[str] = []

    def click(dialog: QMessageBox) -> None:
        asked.append(dialog.text())
        button = next(button for button in dialog.buttons() if dialog.buttonRole(button) == role)
        QTest.mouseClick(button, LEFT)

    user.in_dialog(click, begin)
    return asked


def close(user: Hand, role: Role) -> None:
    """Close a window that asks, for good."""
    def click() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QMessageBox)
        QTest.mouseClick(next(each for each in dialog.buttons() if dialog.buttonRole(each) == role), LEFT)

    QTimer.singleShot(50, user.window, click)
    user.keys("Ctrl+W")


def noticed(user: Hand) -> None:
    """Wait until the window has looked at its file."""
    user.window.documents.watch.look()
    user.bot.waitUntil(lambda: user.window.documents.watch.idle)
    QCoreApplication.sendPostedEvents()


def points(user: Hand) -> Any:
    return user.window.store.scene.points.xy.tolist()


# after a crash

def test_after_a_crash_the_work_comes_back_by_the_keyboard(room: Room, tmp_path: Path) -> None:
    file = tmp_path / "mine.kplay"
    session.save(xor(), file)
    user = room.begin(file)
    user.click(0.2, 0.3)
    user.drag([(1.0, 1.0), (1.2, 1.1), (1.5, 1.4)])
    user.click(-0.4, 0.6, RIGHT)
    lost = user.window.store.scene
    room.crash()

    user = room.begin()
    seen: list[list[str]] = []

    def enter(dialog: RecoveryDialog) -> None:
        table = dialog.list
        seen.append([table.item(0, column).text() for column in range(4)])
        QTest.keyClick(table, Qt.Key.Key_Return)

    user.in_dialog(enter, room.desk.offer_lost)
    store = user.window.store
    assert seen[0][0] == "mine.kplay" and seen[0][2:] == ["6", str(file)]
    assert store.scene.digest == lost.digest and len(room.desk.windows) == 1
    assert store.path == file and store.modified and user.window.isWindowModified()
    assert "back" in user.window.status.sentence.full
    assert len(session.load(file).points) == 4, "the file is as it was"
    user.settled()
    user.keys("Ctrl+S")
    assert session.load(file).digest == lost.digest and not user.window.isWindowModified()
    room.kept()
    assert not list(room.folder.glob("*.journal")), "what is saved is kept no longer"


def test_there_is_no_question_when_nothing_was_lost(room: Room) -> None:
    user = room.begin()
    room.desk.offer_lost()
    assert QApplication.activeModalWidget() is None
    user.click(0.5, 0.5)
    room.kept()
    assert len(list(room.folder.glob("*.journal"))) == 1
    close(user, Role.DestructiveRole)
    assert not room.desk.windows and not list(room.folder.iterdir()), "given up on purpose"
    again = room.begin()
    room.desk.offer_lost()
    assert QApplication.activeModalWidget() is None and not again.window.store.modified


def test_several_lost_scenes_are_opened_left_or_discarded_one_by_one(room: Room) -> None:
    for n, title in enumerate(("one", "two", "three", "four"), 1):
        journal = Journal(room.folder)
        journal.write(Kept(Scene(classification=Points([[k, k] for k in range(n)]), title=title)))
        journal.close(keep=True)
    user = room.begin()

    def choose(dialog: RecoveryDialog) -> None:
        titles = [dialog.list.item(row, 0).text() for row in range(4)]
        assert sorted(titles) == ["four", "one", "three", "two"]
        at = dialog.list.visualItemRect(dialog.list.item(titles.index("two"), 0)).center()
        QTest.mouseClick(dialog.list.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at)
        assert "3 scenes" in dialog.note.text()
        QTest.mouseClick(dialog.discard_button, LEFT)
        assert dialog.list.rowCount() == 4 and "Press again" in dialog.note.text()
        QTest.mouseClick(dialog.discard_button, LEFT)
        titles.remove("two")
        assert [dialog.list.item(row, 0).text() for row in range(3)] == titles
        dialog.list.clearSelection()
        assert not dialog.open_button.isEnabled()
        for row, title in enumerate(titles):
            if title != "four":
                at = dialog.list.visualItemRect(dialog.list.item(row, 0)).center()
                QTest.mouseClick(dialog.list.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, at)
        QTest.mouseClick(dialog.open_button, LEFT)

    user.in_dialog(choose, room.desk.offer_lost)
    room.bot.waitUntil(lambda: room.desk.ready)
    assert sorted(window.store.scene.title for window in room.desk.windows) == ["one", "three"]
    assert all(window.store.modified and window.store.path is None for window in room.desk.windows)
    [(left, lost)] = left_behind(room.folder)
    assert lost.title == "four"
    left.close()


def test_a_recovered_scene_whose_crash_came_twice_is_there_once(room: Room) -> None:
    user = room.begin()
    user.click(0.5, 0.5)
    room.crash()
    user = room.begin()
    user.in_dialog(lambda dialog: QTest.keyClick(dialog.list, Qt.Key.Key_Return), room.desk.offer_lost)
    user.click(-0.3, 0.1)
    lost = user.window.store.scene
    room.crash()
    [(journal, _)] = left_behind(room.folder)
    assert journal.read().scene.digest == lost.digest
    journal.close()


def test_later_leaves_everything_for_the_next_start(room: Room) -> None:
    journal = Journal(room.folder)
    journal.write(Kept(xor()))
    journal.close(keep=True)
    user = room.begin()
    user.in_dialog(lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape), room.desk.offer_lost)
    assert "next start" in user.window.status.sentence.full
    [(left, _)] = left_behind(room.folder)
    assert left.read().scene.digest == xor().digest
    left.close(keep=True)


def test_what_another_version_has_kept_is_said_and_left_alone(room: Room) -> None:
    journal = Journal(room.folder)
    journal.write(Kept(xor()))
    content = journal.path.read_bytes()
    newer = session.dump(dataclasses.replace(xor(), classification=Points()))
    newer = newer.replace(f'"version": {session.VERSION}', '"version": 99')
    bare = json.dumps(session.dump(dataclasses.replace(xor(), classification=Points()))).encode()
    assert bare in content
    payload = content[content.rindex(b'{"title"'):-1].replace(bare, json.dumps(newer).encode())
    at = content.rindex(b'{"kind"')
    head = {"kind": "scene", "bytes": len(payload), "sha256": hashlib.sha256(payload).hexdigest()}
    journal.path.write_bytes(content[:at] + json.dumps(head).encode() + b"\n" + payload + b"\n")
    journal.close(keep=True)
    user = room.begin()
    user.in_dialog(lambda dialog: QTest.keyClick(dialog.list, Qt.Key.Key_Return), room.desk.offer_lost)
    assert "newer version" in user.window.status.sentence.full
    assert journal.path.exists(), "the newer version will find it"


def test_a_drag_is_kept_at_its_end(room: Room) -> None:
    user = room.begin()
    user.click(0.4, 0.4)
    x, y = points(user)[-1]
    user.drag([(x, y), *[(x + 0.02 * k, y) for k in range(1, 9)]])
    moved = user.window.store.scene
    room.kept()
    [file] = room.folder.glob("*.journal")
    assert Journal(room.folder, file.stem).read().scene.digest == moved.digest


def test_work_that_cannot_be_kept_is_said_once_and_kept_when_it_can(room: Room) -> None:
    room.folder.touch()  # a file where the folder should be
    user = room.begin()
    said: list[str] = []
    user.window.store.said.connect(lambda sentence, problem: said.append(str(sentence)) if problem else None)
    room.kept()
    assert not said, "there is nothing to keep yet"
    for x in (0.2, 0.4, 0.6):
        user.click(x, 0.5)
        room.kept()
    user.bot.waitUntil(lambda: bool(said))
    QCoreApplication.sendPostedEvents()
    assert len(said) == 1 and "save often" in said[0]
    assert len(points(user)) == 7, "the work goes on"
    room.folder.unlink()
    user.click(0.2, -0.5)
    room.kept()
    [file] = room.folder.glob("*.journal")
    assert Journal(room.folder, file.stem).read().scene.digest == user.window.store.scene.digest


# several windows

def test_two_windows_are_two_documents(room: Room) -> None:
    one = room.begin()
    first = one.window.store.scene
    one.keys("Ctrl+Shift+N")
    two = room.hand()
    assert len(room.desk.windows) == 2 and len(two.window.store.scene.points) == 0
    assert two.window.pos() != one.window.pos()
    for x, y in CASES[:2]:
        two.click(x, y)
    two.click(-1.0, 1.0, RIGHT)
    assert two.settled().problem is None
    assert one.window.store.scene is first and not one.window.isWindowModified() and two.window.isWindowModified()
    one.back()
    one.click(0.1, 0.1)
    assert one.settled().problem is None
    two.back()
    two.keys("Ctrl+Z")
    assert len(two.window.store.scene.points) == 2 and len(one.window.store.scene.points) == len(first.points) + 1
    two.window.set_theme("dark")
    two.window.set_language("ko")
    one.bot.waitUntil(lambda: one.window.canvas.theme == DARK)
    assert one.window.look == DARK and one.window.actions_["theme:dark"].isChecked()
    assert not two.window.menuBar().actions()[0].text().isascii()
    one.bot.waitUntil(lambda: one.window.menuBar().actions()[0].text() == two.window.menuBar().actions()[0].text())
    assert not one.window.menuBar().actions()[0].text().isascii()
    assert one.window.language_button.text() == i18n.LANGUAGES["ko"]
    two.window.set_language("en")
    two.window.set_theme("light")
    one.bot.waitUntil(lambda: one.window.look == LIGHT)
    close(two, Role.DestructiveRole)
    assert room.desk.windows == [one.window]
    one.back()
    one.click(-0.2, 0.3)
    assert one.settled().problem is None, "the other one lives on"


def test_quit_asks_for_each_scene_and_one_cancel_keeps_all(room: Room) -> None:
    one = room.begin()
    one.click(0.3, 0.2)
    one.keys("Ctrl+Shift+N")
    two = room.hand()
    two.click(0.1, 0.2)
    two.keys("Ctrl+Shift+N")
    room.hand()
    assert len(room.desk.windows) == 3
    asked: list[str] = []
    answers = [Role.DestructiveRole, Role.RejectRole]

    def next_answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QMessageBox)
        asked.append(dialog.text())
        role = answers.pop(0)
        if answers:
            QTimer.singleShot(50, room.desk, next_answer)
        QTest.mouseClick(next(each for each in dialog.buttons() if dialog.buttonRole(each) == role), LEFT)

    QTimer.singleShot(50, room.desk, next_answer)
    room.desk.windows[-1].actions_["quit"].trigger()
    assert len(asked) == 2 and len(room.desk.windows) == 3
    assert all(window.isVisible() for window in room.desk.windows)
    answers[:] = [Role.DestructiveRole, Role.DestructiveRole]
    QTimer.singleShot(50, room.desk, next_answer)
    room.desk.windows[0].actions_["quit"].trigger()
    assert len(asked) == 4 and not room.desk.windows
    assert not list(room.folder.iterdir())


def test_a_duplicate_is_a_document_of_its_own(room: Room, saved: Hand) -> None:
    scene = saved.window.store.scene
    saved.keys("Ctrl+Shift+D")
    copy = room.hand()
    assert copy.window is not saved.window and copy.window.store.scene.points.digest == scene.points.digest
    assert copy.window.store.path is None and not copy.window.isWindowModified(), "nothing is lost with it"
    assert "a copy" in copy.window.windowTitle() and "a.kplay" in saved.window.windowTitle()
    copy.click(0.5, 0.0)
    assert saved.window.store.scene is scene
    assert answer(copy, Role.RejectRole, lambda: copy.keys("Ctrl+W")), "it is in no file"


def test_a_file_that_is_open_is_shown_in_its_window(room: Room, saved: Hand, tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    saved.keys("Ctrl+Shift+N")
    other = room.hand()
    (tmp_path / "link.kplay").symlink_to(tmp_path / "a.kplay")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(tmp_path / "link.kplay"), ""))
    other.keys("Ctrl+O")
    assert other.window.store.path is None
    saved.bot.waitUntil(saved.window.isActiveWindow)
    assert "open in this window" in saved.window.status.sentence.full


def drop(window: MainWindow, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    actions, buttons, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(200, 200), actions, data, buttons, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), actions, data, buttons, none))


def test_several_files_open_in_windows_of_their_own(room: Room, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.kplay" for name in "abc"]
    for number, file in enumerate(files):
        session.save(xor(f"scene {number}"), file)
    files[1].write_text("{", "utf-8")
    user = room.begin()
    drop(user.window, *files)
    room.bot.waitUntil(lambda: room.desk.ready)
    assert [window.store.path for window in room.desk.windows] == [files[0], files[2]]
    assert recent_files()[:2] == [files[2], files[0]]


# the file and other programs

def test_revert_is_a_step_that_can_be_undone(saved: Hand, tmp_path: Path) -> None:
    window, store = saved.window, saved.window.store
    first = store.scene
    saved.click(0.4, 0.4)
    saved.keys("Ctrl+A")
    saved.keys("Del")
    assert len(store.scene.points) == 0
    window.actions_["revert"].trigger()
    assert store.scene.digest == first.digest and not window.isWindowModified()
    saved.keys("Ctrl+Z")
    assert len(store.scene.points) == 0 and window.isWindowModified()
    saved.keys("Ctrl+Shift+Z")
    assert store.scene.digest == first.digest and not window.isWindowModified()
    (tmp_path / "a.kplay").write_text("[]", "utf-8")
    before = store.scene
    window.actions_["revert"].trigger()
    assert store.scene is before and "a.kplay" in window.status.sentence.full


@pytest.mark.parametrize(("role", "left"), [(Role.DestructiveRole, 5), (Role.RejectRole, 2), (Role.AcceptRole, 2)])
def test_saving_over_a_file_that_another_program_has_changed_asks(saved: Hand, tmp_path: Path, role: Role, left: int,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = tmp_path / "a.kplay", tmp_path / "other.kplay"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(other), ""))
    saved.click(0.4, 0.4)
    theirs = Scene(classification=Points(CASES[:2], [0, 1]))
    session.save(theirs, file)
    asked = answer(saved, role, lambda: saved.keys("Ctrl+S"))
    assert len(asked) == 1 and "a.kplay" in asked[0] and "another program" in asked[0]
    assert len(session.load(file).points) == left
    assert saved.window.isWindowModified() == (role == Role.RejectRole)
    if role == Role.AcceptRole:
        assert len(session.load(other).points) == 5 and saved.window.store.path == other
    if role == Role.DestructiveRole:
        saved.click(-0.4, 0.4)
        saved.keys("Ctrl+S")
        assert len(session.load(file).points) == 6, "asked once"


def test_a_file_that_was_only_touched_is_saved_without_a_question(saved: Hand, tmp_path: Path) -> None:
    file = tmp_path / "a.kplay"
    saved.click(0.4, 0.4)
    file.write_bytes(file.read_bytes())
    os.utime(file, (1, 1))
    saved.keys("Ctrl+S")
    assert len(session.load(file).points) == 5


def test_a_change_by_another_program_is_offered_not_forced(saved: Hand, tmp_path: Path) -> None:
    window, file = saved.window, tmp_path / "a.kplay"
    mine = window.store.scene
    assert not window.notice.isVisible()
    session.save(Scene(classification=Points(CASES[:2], [0, 1])), file)
    saved.bot.waitUntil(window.notice.isVisible)  # nobody asked: the system tells
    assert window.store.scene is mine and "a.kplay was changed" in window.notice.sentence.text()
    assert (window.notice.yes.property("look"), window.notice.no.property("look")) == ("primary", "")
    QTest.mouseClick(window.notice.yes, LEFT)
    assert len(window.store.scene.points) == 2 and not window.isWindowModified() and not window.notice.isVisible()
    saved.canvas.setFocus()
    saved.keys("Ctrl+Z")
    assert window.store.scene.digest == mine.digest and window.isWindowModified()

    session.save(Scene(classification=Points(CASES[:3], [0, 1, 1])), file)
    saved.bot.waitUntil(window.notice.isVisible)
    assert "you have unsaved changes" in window.notice.sentence.text()
    assert (window.notice.yes.property("look"), window.notice.no.property("look")) == ("", "primary")
    QTest.mouseClick(window.notice.no, LEFT)
    assert not window.notice.isVisible() and window.isWindowModified()
    noticed(saved)
    assert not window.notice.isVisible(), "asked once"
    saved.keys("Ctrl+S")
    assert session.load(file).digest == mine.digest, "and decided"


def test_a_deleted_file_is_said_and_the_work_is_kept(room: Room, saved: Hand, tmp_path: Path) -> None:
    window, file = saved.window, tmp_path / "a.kplay"
    file.unlink()
    saved.bot.waitUntil(window.notice.isVisible)
    assert "no longer exists" in window.notice.sentence.text()
    assert window.isWindowModified(), "it is in no file"
    assert answer(saved, Role.RejectRole, window.close), "so closing asks"
    room.kept()
    assert list(room.folder.glob("*.journal")), "and a crash would not lose it"
    QTest.mouseClick(window.notice.no, LEFT)
    noticed(saved)
    assert not window.notice.isVisible() and window.isWindowModified(), "asked once"
    saved.keys("Ctrl+S")
    assert session.load(file).digest == window.store.scene.digest and not window.isWindowModified()
    noticed(saved)
    file.unlink()
    saved.bot.waitUntil(window.notice.isVisible)
    QTest.mouseClick(window.notice.yes, LEFT)
    assert session.load(file).digest == window.store.scene.digest
    assert not window.isWindowModified() and not window.notice.isVisible()


def test_a_save_that_fails_is_said_and_nothing_is_lost(room: Room, saved: Hand, tmp_path: Path,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    window, file = saved.window, tmp_path / "a.kplay"
    saved.click(0.3, 0.3)
    file.unlink()
    file.mkdir()  # as good as a disk that refuses
    saved.keys("Ctrl+S")
    assert window.isWindowModified() and "is a folder" in window.status.sentence.full
    assert window.notice.isVisible() and "Not saved" in window.notice.sentence.text()
    asked = answer(saved, Role.AcceptRole, window.close)
    assert asked and window.isVisible(), "a save that fails on the way out keeps the window"
    room.kept()
    assert list(room.folder.glob("*.journal"))
    other = tmp_path / "elsewhere.kplay"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(other), ""))
    QTest.mouseClick(window.notice.yes, LEFT)
    assert len(session.load(other).points) == 5 and not window.isWindowModified() and not window.notice.isVisible()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0 or sys.platform != "linux",
                    reason="only root on Linux can mount a small disk")
def test_a_full_disk_and_a_vanished_drive_lose_nothing(saved: Hand, tmp_path: Path,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(drive)], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    window, file = saved.window, drive / "b.kplay"
    try:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(file), ""))
        saved.keys("Ctrl+Shift+S")
        assert window.store.path == file and not window.isWindowModified()
        good = file.read_bytes()
        with pytest.raises(OSError, match="No space"), open(drive / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(b"x" * 1024)
        saved.click(0.3, 0.3)
        saved.keys("Ctrl+S")
        assert "Not enough disk space" in window.status.sentence.full and window.isWindowModified()
        assert file.read_bytes() == good
        assert sorted(each.name for each in drive.iterdir()) == ["b.kplay", "filler"]
        noticed(saved)
    finally:
        subprocess.run(["umount", "-l", str(drive)], check=True)
    drive.rmdir()
    saved.keys("Ctrl+S")
    assert "not found: create it" in window.status.sentence.full and window.isWindowModified()
    assert len(window.store.scene.points) == 5


def test_the_window_lives_while_a_file_is_written_and_what_goes_wrong_is_handed_on(qtbot: Any) -> None:
    gate, app = threading.Event(), QApplication.instance()
    assert app is not None
    QTimer.singleShot(30, app, gate.set)
    assert wait_for(lambda: gate.wait(20)), "a timer of the window has opened it"

    def refuse() -> None:
        raise FileError(i18n.say("No."))

    with pytest.raises(FileError, match="No"):
        wait_for(refuse)


def test_a_large_scene_is_saved_and_opened_by_the_window(room: Room, tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    user, file = room.begin(), tmp_path / "large.kplay"
    large = Scene(classification=Points([[k / 30_000, k % 7] for k in range(30_000)])).with_model("perceptron")
    user.window.store.edit(large, i18n.say("Many"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(file), ""))
    user.keys("Ctrl+S")
    assert session.load(file).digest == large.digest and not user.window.isWindowModified()
    user.window.documents.new()
    user.window.documents.open_path(file)
    assert user.window.store.scene.digest == large.digest and user.window.store.path == file


# what is kept between starts

def test_recent_files_that_are_not_there_are_shown_as_such(saved: Hand, tmp_path: Path) -> None:
    window, gone = saved.window, tmp_path / "R&D.kplay"
    session.save(xor(), gone)
    window.documents.open_path(gone)
    gone.unlink()
    menu = window.menus.menus["recent"]
    menu.popup(QPoint(0, 0))
    entries = [(action.text(), action.isEnabled()) for action in menu.actions()[:2]]
    menu.close()
    assert entries == [("R&&D.kplay (not found)", False), ("a.kplay", True)]


@pytest.mark.parametrize("garbage", ["\x00\x01", 17, [1, "a"], b"\xff\xfe", "@Invalid()", {"a": 1}])
def test_garbage_in_the_settings_hinders_nothing(room: Room, garbage: Any) -> None:
    settings = QSettings()
    for key in ("geometry", "widths", "show/data_panel", "show/model_panel", "language", "theme", "recent"):
        settings.setValue(key, garbage)
    settings.sync()
    window = start(None, None, None, room.desk)
    window.show()
    user = room.hand(window)
    window.menus.fill_recent()
    assert user.settled().fit is not None
    user.window.documents.remember(Path("x.kplay"))


def test_a_settings_file_of_noise_hinders_nothing(room: Room) -> None:
    settings = QSettings()
    settings.setValue("theme", "dark")
    settings.sync()
    file = Path(settings.fileName())
    file.write_bytes(bytes(range(256)) * 40)
    assert room.begin().settled().fit is not None


def windows() -> list[MainWindow]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible()]


def test_sigterm_ends_without_a_question_and_the_next_start_has_the_work(qtbot: Any, tmp_path: Path) -> None:
    def act() -> None:
        [window] = windows()
        window.store.edit(window.store.scene.with_points(window.store.scene.points.add([0.5, 0.5])), i18n.say("Add"))
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    QTimer.singleShot(200, act)
    assert run(["kernelplay"], (), "en", "light") == 0
    assert signal.getsignal(signal.SIGTERM) is before
    folder = tmp_path / "state" / "unsaved"
    [(journal, lost)] = left_behind(folder)
    n = len(examples()[0].scene().points) + 1
    assert lost.points == n
    journal.close(keep=True)

    seen: list[object] = []

    def recover() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, RecoveryDialog)
        QTimer.singleShot(50, app, leave)
        QTest.keyClick(dialog.list, Qt.Key.Key_Return)

    def leave() -> None:
        [window] = windows()
        seen.append((len(window.store.scene.points), window.store.modified))
        QTimer.singleShot(50, app, discard)
        window.close()

    def discard() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        QTest.mouseClick(next(each for each in box.buttons() if box.buttonRole(each) == Role.DestructiveRole), LEFT)

    app = QApplication.instance()
    assert app is not None
    QTimer.singleShot(300, app, recover)
    assert run(["kernelplay"], (), "en", "light") == 0
    assert seen == [(n, True)] and not list(folder.iterdir())


def test_each_file_of_the_command_line_gets_a_window(qtbot: Any, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.kplay" for name in "ab"]
    for number, file in enumerate(files):
        session.save(xor(str(number)), file)
    seen: list[tuple[Path | None, str]] = []

    def look() -> None:
        if len(windows()) < len(files):
            QTimer.singleShot(50, app, look)
            return
        seen.extend((window.store.path, window.store.scene.title) for window in windows())
        for window in windows():
            window.close()

    app = QApplication.instance()
    assert app is not None
    QTimer.singleShot(300, app, look)
    assert main([*map(str, files), "--lang", "en", "--theme", "light"]) == 0
    assert sorted(seen) == [(files[0], "0"), (files[1], "1")]
    assert main([str(files[0]), str(tmp_path / "c.kplay")]) == 2, "one that is not there is said before any opens"


@pytest.mark.parametrize("door", ["start", "open", "window"])
def test_a_file_of_an_older_form_is_said_to_be_one_once(room: Room, tmp_path: Path, door: str) -> None:
    file = tmp_path / "old.kplay"
    file.write_bytes((Path(__file__).parents[1] / "sessions" / "v1.kplay").read_bytes())
    user = room.begin(file if door == "start" else None)
    if door == "open":
        user.window.documents.open_path(file)
    elif door == "window":
        room.desk.open_path(file)
        user = room.hand()
    window = user.window
    assert window.store.path == file and not window.isWindowModified(), "nothing is lost by closing it"
    assert window.notice.isVisible() and "old.kplay is in an older format" in window.notice.sentence.text()
    QTest.mouseClick(window.notice.no, LEFT)
    window.documents.save()
    assert not window.notice.isVisible() and json.loads(file.read_text("utf-8"))["version"] == 2
    window.documents.open_path(file)
    assert not window.notice.isVisible(), "it is of today's form now"
