"""The application: everything around the windows - names, look, language, settings, errors, garbage, first scene."""

from __future__ import annotations

import ctypes
import gc
import logging
import logging.handlers
import signal
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType

from PySide6.QtCore import (
    QAbstractEventDispatcher,
    QCoreApplication,
    QObject,
    QSettings,
    QStandardPaths,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from kernelplay import __version__, i18n, session
from kernelplay.assets import asset
from kernelplay.errors import FileError, Spoken
from kernelplay.examples import examples
from kernelplay.i18n import Say, say
from kernelplay.scene import Scene
from kernelplay.turn import TURN
from kernelplay.ui import language as speech
from kernelplay.ui.ahead import Ahead
from kernelplay.ui.autosave import state_folder
from kernelplay.ui.desk import Desk
from kernelplay.ui.exchange import open_table
from kernelplay.ui.preflight import preflight
from kernelplay.ui.scene_files import load, own_file
from kernelplay.ui.sizing import USUAL, kept_size
from kernelplay.ui.theme import THEMES, apply, theme
from kernelplay.ui.window import MainWindow

__all__ = ["preflight", "run", "start"]

log = logging.getLogger("kernelplay")

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)


def run(
    argv: list[str], paths: Sequence[str | Path] = (), language: str | None = None, theme: str | None = None,
    line: str = "",
) -> int:
    """Open a window, or one for each of `paths`, or one with the scene that comes as a `line` of text, and return the
    exit status when all are closed. `argv` is left to Qt: its own flags."""
    app = application(argv)
    handler = _log_file()
    log.addHandler(handler)
    folder = state_folder()
    desk = Desk(Path(folder) / "unsaved" if folder else None)
    garbage = Garbage(desk)
    window = start(Path(paths[0]) if paths else None, language, theme, desk)
    guards = (Errors(), garbage, Precedence(), Ahead(), Ending(desk))
    window.show()
    if line:
        window.documents.open_line(line)
    for path in paths[1:]:
        desk.open_path(Path(path))
    QTimer.singleShot(0, desk.offer_lost)
    try:
        return app.exec()
    finally:
        for guard in guards:
            guard.restore()
        for window in list(desk.windows):
            window.store.close()
            window.deleteLater()
        log.removeHandler(handler)


def application(argv: list[str]) -> QApplication:
    """Return the application, with its names set."""
    QCoreApplication.setOrganizationName("kernelplay")
    QCoreApplication.setApplicationName("kernelplay")
    QCoreApplication.setApplicationVersion(__version__)
    QGuiApplication.setDesktopFileName("io.github.kernelplay.kernelplay")
    _keep_memory()
    app = QApplication.instance() or QApplication(argv[:1] or ["kernelplay"] if len(argv) < 2 else argv)
    assert isinstance(app, QApplication)
    app.setWindowIcon(QIcon(str(asset("icons", "kernelplay.svg"))))
    return app


def _keep_memory() -> None:
    """Ask the allocator to keep what is freed for the next fit: fresh pages cost about as much as the arithmetic on
    them. glibc gives arrays above 128 kB back at once unless it is told; other systems are left as they are."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # musl has none
        mallopt(_M_MMAP_THRESHOLD, 1 << 30)
        mallopt(_M_TRIM_THRESHOLD, -1)


def start(scene_path: Path | None = None, language: str | None = None, theme_name: str | None = None,
          desk: Desk | None = None) -> MainWindow:
    """Return the window, not shown yet: in the language and theme of the flags, else as it was left, with its scene."""
    settings = QSettings()
    speech.use(speech.preferred(language, str(settings.value("language", ""))))
    chosen = theme_name or str(settings.value("theme", "")) or _system_theme()
    look = theme(chosen if chosen in THEMES else "light")
    apply(look.zoomed(kept_size("size", USUAL) / 100), i18n.current())
    scene, path, disk, problem = _first_scene(scene_path)
    window = MainWindow(scene, path, look.name, desk)
    window.store.disk = disk
    window.restore_layout()
    if desk is not None:
        desk.adopt(window)
    if path is not None:
        window.documents.remember(path)
    if scene_path is not None and scene_path.suffix.lower() != session.SUFFIX:
        fits = open_table(window.store, scene_path)
        if not fits:  # its columns and classes are to be chosen
            QTimer.singleShot(0, window, partial(window.documents.open_path, scene_path))
    sentence = problem or speech.font_missing(i18n.current())
    if sentence is not None:
        window.store.say(sentence, problem=True)
    return window


def _first_scene(path: Path | None) -> tuple[Scene, Path | None, str | None, Say | None]:
    """Return the scene to begin with, its file if it has one, the fingerprint of that, and what was wrong with the file
    that was asked for."""
    problem = None
    if path is not None and path.suffix.lower() == session.SUFFIX:
        try:
            scene, disk = load(path)
            return (scene, path, disk, None) if own_file(path) is not None else (scene, None, None, None)
        except FileError as error:
            problem = error.sentence
    try:
        return examples()[0].scene(), None, None, problem
    except FileError as error:
        return Scene(), None, None, problem or error.sentence


def _system_theme() -> str:
    return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def _log_file() -> logging.Handler:
    """Return what writes the log to a file; nothing where there is no place for one, the window works all the same."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            folder / "kernelplay.log", maxBytes=1_000_000, backupCount=1, delay=True
        )
    except OSError:
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    return handler


class Errors(QObject):
    """Turns what nobody caught into one sentence in the status line and a traceback in the log, until `restore`."""

    broke = Signal(object)  # may come from any thread

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        self._before = (sys.excepthook, threading.excepthook)
        self.broke.connect(self._say)
        sys.excepthook = self.caught
        threading.excepthook = self._caught_in_thread

    def restore(self) -> None:
        """Give the interpreter its own hooks back."""
        sys.excepthook, threading.excepthook = self._before
        self.deleteLater()

    def caught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Log an exception and say it; never raises."""
        if issubclass(kind, KeyboardInterrupt):
            QCoreApplication.quit()
            return
        log.error("not caught", exc_info=(kind, error, trace))
        self.broke.emit(error)

    def _caught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self.caught(args.exc_type, args.exc_value, args.exc_traceback)

    @Slot(object)
    def _say(self, error: BaseException) -> None:
        windows = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible()]
        for window in sorted(windows, key=MainWindow.isActiveWindow)[-1:]:
            if isinstance(error, Spoken):
                window.store.say(error.sentence, problem=True)
            else:
                window.store.say(say("Something went wrong ({kind}), but nothing was lost. Details are in the log.",
                                     kind=type(error).__name__), problem=True)


class Ending(QObject):
    """Ends without questions when the system asks for the end - the session is over, SIGTERM, Ctrl+C in the terminal -
    and keeps what is not saved for the next start; until `restore`."""

    def __init__(self, desk: Desk) -> None:
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        super().__init__(app)
        self._desk = desk
        app.commitDataRequest.connect(self.keep)
        signals = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]
        main = threading.current_thread() is threading.main_thread()
        # handlers run when the interpreter gets a turn: at the latest when garbage is collected
        self._before = {number: signal.signal(number, self._signalled) for number in signals} if main else {}

    def restore(self) -> None:
        """Let signals end the process as before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self.deleteLater()

    @Slot()
    def keep(self) -> None:
        """Keep all unsaved work for the next start."""
        self._desk.keep()

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self.keep()
        QCoreApplication.exit(0)


class Precedence:
    """Lets the GUI thread have its turns, until `restore`. It waits for a turn of the worker's before it gets the
    interpreter lock back, and it asks for it at every call of Qt: with turns of 1 ms, a change of language took seven
    times as long beside a busy worker, with 0.1 ms twice, and the hand is as fast. And in a long turn of the event
    loop, the worker waits."""

    def __init__(self) -> None:
        self._before = sys.getswitchinterval()
        sys.setswitchinterval(0.0001)
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        self._dispatcher = dispatcher
        dispatcher.awake.connect(TURN.end)  # which of the two comes between turns differs from system to system
        dispatcher.aboutToBlock.connect(TURN.end)

    def restore(self) -> None:
        """Let threads take turns as before."""
        self._dispatcher.awake.disconnect(TURN.end)
        self._dispatcher.aboutToBlock.disconnect(TURN.end)
        TURN.end()
        sys.setswitchinterval(self._before)


class Garbage(QObject):
    """Collects garbage on the GUI thread alone, until `restore`: Qt objects must not be taken apart by the worker.

    What is there already, before the first window, stays and is not looked through again, which would take 40 ms each
    time. Looking through all the rest can take as long: that waits until no button of the mouse is held down, and until
    there is a quarter more of it than the last time, as the interpreter does.
    """

    def __init__(self, desk: Desk | None = None) -> None:
        super().__init__(QCoreApplication.instance())
        gc.disable()
        gc.freeze()
        self._limits = gc.get_threshold()
        self._closed = False
        self._old = 0  # how many objects were left when all were looked through
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self._collect)
        self._timer.start()
        if desk is not None:
            desk.changed.connect(self._desk_changed)

    @Slot()
    def _desk_changed(self) -> None:
        """Do not wait with what a window has left: the last fit of many points is large."""
        self._closed = True
        self._timer.start()

    def restore(self) -> None:
        """Let the interpreter collect as it likes again."""
        self._timer.stop()
        self.deleteLater()
        gc.unfreeze()
        gc.enable()

    @Slot()
    def _collect(self) -> None:
        held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if self._closed and not held:
            self._closed = False
            self._collect_all()
            return
        counts = gc.get_count()
        for generation in (1, 0) if held else (2, 1, 0):
            if counts[generation] > self._limits[generation]:
                if generation < 2:
                    gc.collect(generation)
                    return
                if 4 * len(gc.get_objects(generation=2)) > 5 * self._old:
                    self._collect_all()
                    return

    def _collect_all(self) -> None:
        gc.collect()
        self._old = len(gc.get_objects(generation=2))
