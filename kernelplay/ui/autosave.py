"""Autosave: after every edit the unsaved work of a document goes into its journal, on a thread of its own."""

from __future__ import annotations

import logging
import time

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal, Slot

from kernelplay.i18n import say
from kernelplay.latest import Latest
from kernelplay.recovery import Journal, Kept
from kernelplay.scene import Scene
from kernelplay.ui.store import Store

log = logging.getLogger("kernelplay")

REST = 60  # ms without a further edit of the same gesture after which it is taken to be over
MOST = 1.0  # seconds that go unkept while a gesture lasts

Task = tuple[Journal, Kept | None]  # where to, and what: None for nothing, since everything is saved


class Autosave(QObject):
    """Keeps what a crash would lose: at once after an action, during a drag or a turn of a slider once a second. The
    disk is waited for on a second thread: it may take longer than a person for the next action.

    What is saved or given up is kept no longer. If the journal cannot be written that is said once, and tried again
    with the next edit.
    """

    _written = Signal(int, object)  # from the thread
    _synced = Signal(int, object)
    _refused = Signal(int, object)

    def __init__(self, store: Store, journal: Journal, parent: QObject) -> None:
        super().__init__(parent)
        self._store, self._journal = store, journal
        self._in_use = journal  # the worker's: the journal that holds what is kept now
        self._gesture = ""
        self._since = 0.0  # when the last request was made
        self._complained = False
        self._leave = False
        self._latest: Latest[Task, None] = Latest(self._work, self._written.emit, self._refused.emit)
        self._disk: Latest[Journal, None] = Latest(_sync, self._synced.emit, self._refused.emit)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._now)
        self._written.connect(self._relieved)
        self._refused.connect(self._complain)
        store.changed.connect(self._changed)
        store.document.connect(self._now)
        store.closing.connect(self._close)
        self._now()

    @property
    def idle(self) -> bool:
        """Whether everything that was done is kept."""
        return self._latest.idle and not self._rest.isActive()

    def continue_in(self, journal: Journal) -> None:
        """Keep the document in `journal` from the next edit on, and nothing in the one before."""
        self._journal = journal

    def leave(self) -> None:
        """Write what is not yet kept, and wait for it; if the process ends now, the next start finds it."""
        self._leave = True
        self._rest.stop()
        self._latest.close()
        try:
            self._work(self._task(), _never)
            self._journal.sync()
        except OSError as error:
            log.error("unsaved work could not be kept", exc_info=error)
        self._latest = Latest(self._work, self._written.emit, self._refused.emit)

    def _task(self) -> Task:
        store = self._store
        return self._journal, Kept(store.scene, store.path, store.disk) if store.modified else None

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        self._leave = False
        history = self._store.history
        gesture = history.steps[history.at].gesture
        goes_on = bool(gesture) and gesture == self._gesture
        self._gesture = gesture
        if goes_on and time.monotonic() - self._since < MOST:
            self._rest.start()
        else:
            self._now()

    @Slot()
    def _now(self) -> None:
        self._rest.stop()
        self._since = time.monotonic()
        self._latest.submit(self._task())

    def _work(self, task: Task, check: object) -> None:
        journal, kept = task
        if kept is None:
            journal.clear()
        else:
            journal.write(kept)
            self._disk.submit(journal)
        if journal is not self._in_use:
            self._in_use.close()
            self._in_use = journal

    @Slot(int, object)
    def _relieved(self, number: int, nothing: object) -> None:
        self._complained = False

    @Slot(int, object)
    def _complain(self, number: int, error: BaseException) -> None:
        log.error("unsaved work could not be kept", exc_info=error)
        if not self._complained:
            self._complained = True
            why = getattr(error, "strerror", None) or type(error).__name__
            self._store.say(say("Unsaved work cannot be backed up ({why}): save often.", why=why),
                            problem=True)

    @Slot()
    def _close(self) -> None:
        self._rest.stop()
        self._latest.close()
        self._disk.close()
        for journal in {self._in_use, self._journal}:
            try:
                journal.close(keep=self._leave)
            except OSError as error:
                log.error("unsaved work could not be cleared", exc_info=error)


def _sync(journal: Journal, check: object) -> None:
    journal.sync()


def _never() -> None:
    """Nothing stops this piece of work."""


def state_folder() -> str:
    """Return where this application keeps what it needs again on this computer alone; "" if there is no such place."""
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
