"""The file of the document, watched: another program may change or delete it while the window is open."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer, Signal, Slot

from kernelplay.errors import FileError
from kernelplay.files import fingerprint_of
from kernelplay.ui.store import Store

CALM = 200  # ms after a sign of change before the file is looked at: whoever writes should be done
PATIENCE = 1.0  # seconds that closing waits for a drive that does not answer


class Watch(QObject):
    """Says when the file of the document no longer holds what it held when it was last read or written.

    The system's own signs of change do not come from every drive, so it is also looked at when the window is used
    again. The file is read on a thread, one at a time; a drive that does not answer holds up nothing but that.
    """

    differs = Signal(object)  # fingerprint (str) of what is in the file now, "" if there is no file
    same = Signal()  # it holds again, or still, what it should
    _arrived = Signal(int, object, object)  # from the thread: number, path, fingerprint or None

    def __init__(self, store: Store, window: QObject) -> None:
        super().__init__(window)
        self._store = store
        self._asked = 0
        self._path: Path | None = None
        self._thread: threading.Thread | None = None
        self._gate = threading.Lock()  # held while a thread delivers, and while this closes
        self._closed = False
        self._system = QFileSystemWatcher(self)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(CALM)
        self._calm.timeout.connect(self.look)
        self._arrived.connect(self._compare)
        self._system.fileChanged.connect(self._sign)
        self._system.directoryChanged.connect(self._sign)
        store.document.connect(self._document)
        store.closing.connect(self._close)
        window.installEventFilter(self)
        self._document()

    @property
    def idle(self) -> bool:
        """Whether nothing is being looked at."""
        return self._thread is None and not self._calm.isActive()

    @Slot()
    def look(self) -> None:
        """Look at the file now, if there is one."""
        path = self._store.path
        if path is None or self._closed:
            return
        self._asked += 1
        if self._thread is None:  # else again when that one is done
            self._thread = threading.Thread(target=self._read, args=(self._asked, path), name="kernelplay-watch",
                                            daemon=True)
            self._thread.start()

    def _read(self, number: int, path: Path) -> None:
        try:
            now = fingerprint_of(path)
        except FileError:
            now = None  # there is something that cannot be read: saving will say what
        with self._gate:
            if not self._closed:
                self._arrived.emit(number, path, now)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look when the window is used again."""
        if event.type() == QEvent.Type.WindowActivate and self._path is not None:
            self._calm.start()
        return super().eventFilter(watched, event)

    @Slot()
    def _document(self) -> None:
        path = self._store.path
        if path != self._path:
            old = [*self._system.files(), *self._system.directories()]
            if old:
                self._system.removePaths(old)
            self._path = path
            self._add()
        if path is not None and not self._closed:
            self._calm.start()

    def _add(self) -> None:
        """Watch the file, and its folder for when another file takes its place."""
        if self._path is None:
            return
        watched = {*self._system.files(), *self._system.directories()}
        new = [str(path) for path in (self._path, self._path.parent) if str(path) not in watched and path.exists()]
        if new:
            self._system.addPaths(new)

    @Slot(str)
    def _sign(self, path: str) -> None:
        self._calm.start()

    @Slot(int, object, object)
    def _compare(self, number: int, path: Path, now: str | None) -> None:
        store = self._store
        self._thread = None
        if number != self._asked:
            self.look()
            return
        if path != store.path or self._calm.isActive() or now is None:
            return  # of before a change that is known
        self._add()
        if store.disk is None:
            store.disk = now
        if now == store.disk:
            self.same.emit()
        else:
            self.differs.emit(now)

    @Slot()
    def _close(self) -> None:
        self._calm.stop()
        with self._gate:
            self._closed = True
        if self._thread is not None:
            self._thread.join(PATIENCE)
