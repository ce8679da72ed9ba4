"""What a storm is watched with: who hears every error, who measures every stall, a house that can be cleared."""

from __future__ import annotations

import gc
import logging
import os
import random
import re
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QDeadlineTimer,
    QEvent,
    QEventLoop,
    QObject,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from kernelplay.i18n import Say
from kernelplay.kernels import edit
from kernelplay.kernels.base import Kernel
from kernelplay.scene import Scene
from kernelplay.spec import build
from kernelplay.ui.desk import Desk
from kernelplay.ui.theme import apply, theme
from kernelplay.ui.window import MainWindow

STALL = 0.1  # seconds for which a window may not stand still
# what Qt says without a display and without a person, as in pyproject.toml
IGNORED = re.compile("This plugin does not support|Registering dynamic slot|propagateSizeHints"
                     "|(Mouse|Keyboard) event .*not accepted by receiving widget")


def wild(dice: random.Random, parts: int) -> Kernel:
    """Return a kernel of at least so many parts, in which every kind has its chance."""
    kernel: Kernel = build("kernel", {"name": dice.choice(edit.alone())})
    while len(edit.parts(kernel)) < parts:
        path = dice.choice(edit.parts(kernel)).path
        do, keys = dice.choice(((edit.add, edit.alone()), (edit.multiply, edit.alone()), (edit.wrap, edit.wrappings())))
        kernel = do(kernel, path, dice.choice(keys))
    return kernel


class Witness(logging.Handler):
    """Hears exceptions that nobody caught, errors in the log and whatever Qt warns of, from `with` to its end."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []
        self._before: tuple[Any, Any, Any] | None = None

    def __enter__(self) -> Witness:
        self._before = (sys.excepthook, threading.excepthook, qInstallMessageHandler(self._said))
        sys.excepthook = self._caught
        threading.excepthook = self._caught_in_thread
        logging.getLogger("kernelplay").addHandler(self)
        return self

    def __exit__(self, *error: object) -> None:
        assert self._before is not None
        sys.excepthook, threading.excepthook = self._before[:2]
        qInstallMessageHandler(self._before[2])
        logging.getLogger("kernelplay").removeHandler(self)

    def check(self) -> None:
        """Raise what was heard."""
        if self.heard:
            heard, self.heard = "\n".join(self.heard), []
            raise AssertionError(heard)

    def emit(self, record: logging.LogRecord) -> None:
        """Hear what is written into the log."""
        self.heard.append(logging.Formatter().format(record))

    def _caught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.heard.append("".join(traceback.format_exception(kind, error, trace)))

    def _caught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._caught(args.exc_type, args.exc_value, args.exc_traceback)

    def _said(self, kind: QtMsgType, context: object, message: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not IGNORED.search(message):
            self.heard.append(f"{kind.name}: {message}")


@dataclass(frozen=True)
class Stall:
    """For `wall` seconds no event was answered; the GUI thread worked for `own`, the whole process for `all_` of it."""

    wall: float
    own: float
    all_: float
    deed: str
    where: tuple[str, ...] = ()  # the lines of kernelplay in which the GUI thread was met most often meanwhile

    @property
    def ours(self) -> bool:
        """Whether it was not the machine that was busy with something else: our threads worked most of the time."""
        return max(self.own, min(self.wall, self.all_)) > 0.8 * STALL


class Heart(QObject):
    """Beats every few milliseconds in the event loop, and whenever it is told that an event has been answered."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.stalls: list[Stall] = []
        self.deed = ""
        self._met: list[tuple[str, ...]] = []
        self._stopped = threading.Event()
        self._gui = threading.get_ident()
        threading.Thread(target=self._meet, name="kernelplay-heart", daemon=True).start()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(5)
        self._timer.timeout.connect(self.beat)
        self._timer.start()
        self.skip()

    def skip(self) -> None:
        """Begin again: what took so long was not the window."""
        self._last = (time.monotonic(), time.thread_time(), time.process_time())
        self._met.clear()

    def beat(self) -> None:
        """Take note if it has been long since the last beat."""
        last, met = self._last, Counter(self._met)
        self.skip()
        wall, own, whole = (now - then for now, then in zip(self._last, last, strict=True))
        if wall > STALL / 2:
            self.stalls.append(Stall(wall, own, whole, self.deed, met.most_common(1)[0][0] if met else ()))

    def stop(self) -> None:
        """Beat no more."""
        self._timer.stop()
        self._stopped.set()

    def _meet(self) -> None:
        """Look where the GUI thread is when it has not beaten for long; on a thread of its own."""
        while not self._stopped.wait(0.02):
            if time.monotonic() - self._last[0] > STALL / 2:
                frame = sys._current_frames().get(self._gui)
                stack = traceback.extract_stack(frame) if frame is not None else ()
                self._met.append(tuple(f"{Path(frame.filename).name} {frame.name}" for frame in stack
                                       if "kernelplay" in frame.filename)[-5:])


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Let the window live until something holds."""
    end = QDeadlineTimer(round(seconds * 1000))
    while not condition():
        assert not end.hasExpired(), "waited in vain"
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)


class House:
    """A desk with one window of a scene, in a folder that is home, work and everything, so that nothing is written
    anywhere else."""

    def __init__(self, folder: Path, scene: Scene, desk: Desk | None = None) -> None:
        apply(theme("light"), "en")
        self.folder = folder
        self.desk = desk or Desk(folder / "unsaved")
        self.desk.open(scene)
        self.window: MainWindow = self.desk.whole()[0]
        self.window.resize(1280, 800)
        wait_until(self.window.isVisible)

    def clear(self) -> None:
        """Close everything."""
        for window in list(self.desk.whole()):
            window.leave()
        sweep()


def sweep() -> None:
    """Delete what is to be deleted, and collect the garbage."""
    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


@contextmanager
def at_home_in(folder: Path) -> Iterator[None]:
    """Make `folder` the home and the working folder for a time."""
    home, here = os.environ.get("HOME"), os.getcwd()
    os.environ["HOME"] = str(folder)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
        if home is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = home


def census() -> Counter[str]:
    """Return how many there are of everything that could be forgotten: widgets and other objects of Qt below the
    windows, and values of kernelplay, by type. Sentences that a widget wears are not counted beside it: one that is
    hidden still has those of its last time. What is kept at most so many times is let go of first (`lru_cache` with a
    size; one without is counted), when no event is left that would fill it again. What is there then is looked through
    no more, as at the start of the application."""
    gc.unfreeze()
    sweep()
    for kept in [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]:
        if kept.__module__.startswith("kernelplay") and kept.cache_info().maxsize is not None:
            kept.cache_clear()
    gc.collect()
    count: Counter[str] = Counter()
    worn: set[int] = set()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for top in (app, *app.topLevelWidgets()):
        for thing in (top, *top.findChildren(QObject)):
            count[f"Qt {thing.metaObject().className()}"] += 1
            worn.update(*(_parts(sentence) for sentence, _ in thing.__dict__.get("_sentences", {}).values()))
    for value in gc.get_objects():
        kind = type(value)
        if kind is Say and id(value) in worn:
            continue
        module = getattr(kind, "__module__", "")
        if isinstance(module, str) and module.startswith("kernelplay"):
            count[f"{module}.{kind.__qualname__}"] += 1
    count["threads"] = threading.active_count()
    del count["Qt QPanGesture"]  # Qt makes one for each scroll area and lets go of it at the next gesture
    gc.freeze()
    return count


def _parts(sentence: Say) -> set[int]:
    """Return the identities of a sentence and of those in it."""
    inner = (_parts(value) for _, value in sentence.values if isinstance(value, Say))
    return {id(sentence)}.union(*inner)
