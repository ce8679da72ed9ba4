"""The application: everything around the window - names, look, language, settings, errors, garbage, first scene."""

from __future__ import annotations

import ctypes
import gc
import logging
import logging.handlers
import sys
import threading
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, QSettings, QStandardPaths, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from kernelplay import __version__, i18n, session
from kernelplay.assets import asset
from kernelplay.errors import FileError, Spoken
from kernelplay.examples import examples
from kernelplay.i18n import Say, say
from kernelplay.scene import Scene
from kernelplay.ui import language as speech
from kernelplay.ui.exchange import open_table
from kernelplay.ui.preflight import preflight
from kernelplay.ui.theme import THEMES, apply, theme
from kernelplay.ui.window import MainWindow

__all__ = ["preflight", "run", "start"]

log = logging.getLogger("kernelplay")

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)


def run(
    argv: list[str], scene_path: str | Path | None = None, language: str | None = None, theme: str | None = None
) -> int:
    """Open the window and return the exit status when it is closed. `argv` is left to Qt: its own flags."""
    app = application(argv)
    handler = _log_file()
    log.addHandler(handler)
    window = start(Path(scene_path) if scene_path is not None else None, language, theme)
    guards = (Errors(window), Garbage(window), Turns())
    window.show()
    try:
        return app.exec()
    finally:
        for guard in guards:
            guard.restore()
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


def start(scene_path: Path | None = None, language: str | None = None, theme_name: str | None = None) -> MainWindow:
    """Return the window, not shown yet: in the language and theme of the flags, else as it was left, with its scene."""
    settings = QSettings()
    speech.use(speech.preferred(language, str(settings.value("language", ""))))
    chosen = theme_name or str(settings.value("theme", "")) or _system_theme()
    apply(theme(chosen if chosen in THEMES else "light"), i18n.current())
    scene, path, problem = _first_scene(scene_path)
    window = MainWindow(scene, path, chosen if chosen in THEMES else "light")
    window.restore_layout()
    if scene_path is not None and scene_path.suffix.lower() != session.SUFFIX:
        open_table(window.store, scene_path)
    sentence = problem or speech.font_missing(i18n.current())
    if sentence is not None:
        window.store.say(sentence, problem=True)
    return window


def _first_scene(path: Path | None) -> tuple[Scene, Path | None, Say | None]:
    """Return the scene to begin with, its file if it has one, and what was wrong with the file that was asked for."""
    problem = None
    if path is not None and path.suffix.lower() == session.SUFFIX:
        try:
            scene = session.load(path)
            return scene, None if path.parent == asset("scenes") else path, None  # an example is not saved over
        except FileError as error:
            problem = error.sentence
    try:
        return examples()[0].scene(), None, problem
    except FileError as error:
        return Scene(), None, problem or error.sentence


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

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._store = window.store
        self._before = (sys.excepthook, threading.excepthook)
        self.broke.connect(self._say)
        sys.excepthook = self.caught
        threading.excepthook = self._caught_in_thread

    def restore(self) -> None:
        """Give the interpreter its own hooks back."""
        sys.excepthook, threading.excepthook = self._before

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
        if isinstance(error, Spoken):
            self._store.say(error.sentence, problem=True)
        else:
            self._store.say(say("Something went wrong ({kind}); nothing was lost. The details are in the log.",
                                kind=type(error).__name__), problem=True)


class Turns:
    """Shortens the turns that threads take, until `restore`: the GUI thread waits for one of the worker's before it
    gets the interpreter lock back, and it asks for it at every call of Qt. 1 ms measured best, both ways."""

    def __init__(self) -> None:
        self._before = sys.getswitchinterval()
        sys.setswitchinterval(0.001)

    def restore(self) -> None:
        """Let threads take turns as before."""
        sys.setswitchinterval(self._before)


class Garbage(QObject):
    """Collects garbage on the GUI thread alone, until `restore`: Qt objects must not be taken apart by the worker."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        gc.disable()
        self._limits = gc.get_threshold()
        self._frozen = False
        timer = QTimer(self)
        timer.setInterval(1000)
        timer.timeout.connect(self._collect)
        timer.start()

    def restore(self) -> None:
        """Let the interpreter collect as it likes again."""
        gc.unfreeze()
        gc.enable()

    @Slot()
    def _collect(self) -> None:
        if not self._frozen:  # all that start-up has made stays: looking through it each time would cost 30 ms
            self._frozen = True
            gc.collect()
            gc.freeze()
            return
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > self._limits[generation]:
                gc.collect(generation)
                return
