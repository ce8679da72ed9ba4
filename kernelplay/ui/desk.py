"""The desk: all windows of this process, each with a document of its own, and what concerns them together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from kernelplay import session
from kernelplay.errors import FileError
from kernelplay.files import sweep
from kernelplay.i18n import plural, say, verbatim
from kernelplay.recovery import Journal, left_behind
from kernelplay.scene import Scene
from kernelplay.ui.autosave import Autosave
from kernelplay.ui.scene_files import load, own_file
from kernelplay.ui.theme import THEMES
from kernelplay.ui.window import FRAME, SMALLEST, MainWindow

STEP = 32  # pixels by which a window lies off the one it was opened from


@dataclass(frozen=True)
class Order:
    """A window that somebody has asked for, as in `Desk.open`."""

    scene: Scene
    path: Path | None
    disk: str | None
    saved: bool
    journal: Journal | None
    then: Callable[[MainWindow], object] | None


class Desk(QObject):
    """Opens windows, finds the one that has a file, closes all of them; keeps their unsaved work in `unsaved`, a
    folder (None: nothing is kept).

    A window is made in parts, between which the others answer; it is shown, and one of `windows`, when it is whole.
    """

    changed = Signal()  # a window was opened or closed

    def __init__(self, unsaved: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._unsaved = unsaved
        self.windows: list[MainWindow] = []
        self._autosaves: dict[MainWindow, Autosave] = {}
        self._orders: deque[Order] = deque()
        self._making: MainWindow | None = None  # the window of the first order
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._go_on)

    def adopt(self, window: MainWindow, journal: Journal | None = None) -> None:
        """Take a window in: from now on its unsaved work is kept, in `journal` if it has one already."""
        self.windows.append(window)
        window.closed.connect(self._closed)
        if self._unsaved is not None:
            self._autosaves[window] = Autosave(window.store, journal or Journal(self._unsaved), window)
        self.changed.emit()

    @property
    def front(self) -> MainWindow | None:
        """The window in use, else the newest one."""
        active = QApplication.activeWindow()
        return next((window for window in self.windows if window is active), self.windows[-1] if self.windows else None)

    @property
    def idle(self) -> bool:
        """Whether all unsaved work is kept."""
        return all(autosave.idle for autosave in self._autosaves.values())

    def open(self, scene: Scene, path: Path | None = None, disk: str | None = None, saved: bool = True,
             journal: Journal | None = None, then: Callable[[MainWindow], object] | None = None) -> None:
        """Open another window with a document soon, and call `then` with it; `disk` and `saved` as in `Store.open`,
        `journal` as in `adopt`."""
        self._orders.append(Order(scene, path, disk, saved, journal, then))
        self._turn.start()

    @property
    def ready(self) -> bool:
        """Whether every window that was asked for is open."""
        return not self._orders

    def whole(self) -> list[MainWindow]:
        """Return all windows, those on their way too, which are finished now."""
        while self._orders:
            self._go_on()
        self._turn.stop()
        return self.windows

    @Slot()
    def _go_on(self) -> None:
        """Do the next part of what was asked for."""
        if self._making is None:
            front, order = self.front, self._orders[0]
            theme = front.look.name if front is not None else str(QSettings().value("theme", ""))
            self._making = MainWindow(order.scene, order.path, theme if theme in THEMES else "light", self,
                                      at_once=False)
        elif not self._making.build_on():
            window, order = self._making, self._orders.popleft()
            self._making = None
            if self._orders:
                self._turn.start()
            self._show(window, order)
            return
        self._turn.start()

    def _show(self, window: MainWindow, order: Order) -> None:
        front = self.front
        window.store.disk = order.disk
        if not order.saved:
            window.store.unsaved()
        if front is not None:
            front.canvas.toolbox.keep()  # another window has the tools as they are in this one
            window.follow(front)
        window.restore_layout()
        if front is not None and not (window.isMaximized() or window.isFullScreen()):
            room = window.screen().availableGeometry()
            at = front.frameGeometry().topLeft()
            x, y = at.x() + STEP, at.y() + STEP
            if x + window.width() > room.right() or y + window.height() > room.bottom():  # begin again at the corner
                x, y = room.left(), room.top()
                if (x, y) == at.toTuple():
                    x, y = x + STEP, y + STEP
            window.move(x, y)
            left = QSize(room.right() + 1 - x, room.bottom() + 1 - y) - FRAME
            window.resize(window.size().boundedTo(left).expandedTo(SMALLEST))  # nothing of it off the screen
        self.adopt(window, order.journal)
        window.show()
        window.activateWindow()
        if order.then is not None:
            order.then(window)

    def open_path(self, path: Path) -> None:
        """Open a file in a window of its own. A scene that cannot be used is said in the window in front."""
        if path.suffix.lower() != session.SUFFIX:
            self.open(Scene(), then=lambda window: window.documents.open_path(path))
            return
        front = self.front
        if self.show_file(path):
            return
        try:
            scene, disk = load(path)
        except FileError as error:
            if front is not None:
                front.store.say(error.sentence, problem=True)
            return
        own = own_file(path)
        if own is None:
            self.open(scene)
        else:
            self.open(scene, own, disk, then=lambda window: window.documents.remember(own))

    def find(self, path: Path, but: QWidget | None = None) -> MainWindow | None:
        """Return the window that has the file at `path`, other than `but`."""
        wanted = _resolved(path)
        if any(order.path is not None and _resolved(order.path) == wanted for order in self._orders):
            self.whole()
        return next((window for window in self.windows if window is not but and window.store.path is not None
                     and _resolved(window.store.path) == wanted), None)

    def show_file(self, path: Path, but: QWidget | None = None) -> bool:
        """Bring the window to the front that has the file at `path`; return whether there is one, other than `but`."""
        window = self.find(path, but)
        if window is None:
            return False
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.raise_()
        window.activateWindow()
        window.store.say(say("{file} is already open in this window.", file=verbatim(path.name)))
        return True

    @Slot()
    def quit(self) -> None:
        """Close all windows. One question for each that would lose something; "cancel" to one leaves all open."""
        for window in self.whole():
            if window.store.modified:
                window.raise_()
                window.activateWindow()
            if not window.documents.may_go():
                return
        for window in list(self.windows):
            window.leave()

    def keep(self) -> None:
        """Keep all unsaved work for the next start: the session ends, and nobody is asked."""
        self.whole()
        for autosave in self._autosaves.values():
            autosave.leave()

    def offer_lost(self) -> None:
        """Offer what a process that has ended left unsaved, if there is anything."""
        window = self.front
        found = left_behind(self._unsaved) if self._unsaved is not None else []
        if window is None or not found:
            return
        from kernelplay.ui.recovery_dialog import RecoveryDialog

        dialog = RecoveryDialog([lost for _, lost in found], window)
        dialog.exec()
        for number, (journal, _) in enumerate(found):
            if number in dialog.discarded:
                journal.close()
            elif number not in dialog.opened or not self._recover(journal):
                journal.close(keep=True)
        dialog.deleteLater()
        left = len(found) - len(dialog.discarded) - len(dialog.opened)
        if left:
            window.store.say(plural(left, "{n} scene with unsaved changes will be offered again at the next start.",
                                    "{n} scenes with unsaved changes will be offered again at the next start."))

    def _recover(self, journal: Journal) -> bool:
        """Open what is in a journal, in the window in front if that has nothing of its own yet; go on in this journal.
        Return whether it could be used."""
        front = self.windows[-1]
        back = say("Scene recovered as of the last backup. Save it to keep it.")
        try:
            kept = journal.read()
        except FileError as error:
            front.store.say(error.sentence, problem=True)
            return False
        if front.store.path is None and not front.store.modified:
            self._autosaves[front].continue_in(journal)
            front.store.open(kept.scene, kept.path, say("Recover"), kept.disk, saved=False)
            front.store.say(back)
        else:
            self.open(kept.scene, kept.path, kept.disk, saved=False, journal=journal,
                      then=lambda window: window.store.say(back))
        if kept.path is not None:
            sweep(kept.path.parent)
        return True

    @Slot()
    def _closed(self) -> None:
        window = self.sender()
        if isinstance(window, MainWindow) and window in self.windows:
            self.windows.remove(window)
            self._autosaves.pop(window, None)
            window.deleteLater()
            self.changed.emit()
            if not self.windows:
                self.whole()  # else the application would end before they are there


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a drive that has gone; a link to itself
        return path.absolute()
