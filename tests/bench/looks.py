"""How long windows stand still when they change their look: `python tests/bench/looks.py [--windows 1 4] [--times 6]`.

Windows without a display, each with the history, a side view and two dialogs open, change the theme, the language and
the size of their letters, back and forth. For each change the longest turn of the event loop is printed in milliseconds
of the GUI thread's own time - the call that asks for the change is one, what follows are the others - with the median
over the changes, and how long all of it took. Below stands what Qt takes for the same style sheet by itself, and for it
on as many plain labels in a window that has nothing else. A turn is one of `processEvents`: everything that is
waiting, and the painting. Over 60 ms for one window or 100 ms for more ends with status 1.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QVBoxLayout, QWidget

from kernelplay.examples import examples
from kernelplay.ui.app import Garbage, Precedence, application
from kernelplay.ui.desk import Desk
from kernelplay.ui.theme import LIGHT, apply, stylesheet, theme
from kernelplay.ui.window import MainWindow

QUIET = 0.4  # seconds after which nothing follows any more
LARGEST = {1: 60.0}  # milliseconds that one turn may take, by windows; else 100


def turns(change: Callable[[], object]) -> tuple[float, float]:
    """Do a change; return the longest turn and the sum of all turns, in milliseconds of the GUI thread."""
    begin = time.thread_time()
    change()
    spent = [time.thread_time() - begin]
    last = time.monotonic()
    while time.monotonic() - last < QUIET:
        begin = time.thread_time()
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        took = time.thread_time() - begin
        if took > 0.002:
            spent.append(took)
            last = time.monotonic()
    return 1000 * max(spent), 1000 * sum(spent)


def rest(until: Callable[[], bool]) -> None:
    """Let the windows live until something holds, and a little longer."""
    while not until():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
    turns(lambda: None)


def furnish(window: MainWindow) -> list[QDialog]:
    """Open what can be opened in a window."""
    from kernelplay.ui.dialogs import GesturesDialog
    from kernelplay.ui.export_dialog import ExportDialog

    window.actions_["history"].trigger()
    rest(lambda: window.store.settled)
    window.side_views.open(next(iter(window.side_views.tabs)))
    dialogs = [ExportDialog(window.store, window.look.name, window), GesturesDialog(window)]
    for dialog in dialogs:
        dialog.show()
    return dialogs


def by_qt(name: str) -> None:
    """Give the application the style sheet of a theme without any of our doing."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setStyleSheet(stylesheet(theme(name)))


def report(title: str, changes: list[Callable[[], object]], times: int, limit: float | None) -> bool:
    """Do the changes in order, print what they took, and return whether a turn was too long."""
    done = [turns(changes[k % len(changes)]) for k in range(times)]
    longest = [most for most, _ in done]
    print(f"  {title:24} longest turn {max(longest):6.0f}, median {statistics.median(longest):6.0f}, "
          f"all of it {statistics.median(whole for _, whole in done):6.0f}", flush=True)
    return limit is not None and max(longest) > limit


def run(count: int, times: int) -> bool:
    """Measure `count` windows; return whether a turn was too long."""
    desk = Desk()
    apply(LIGHT, "en")
    for k in range(count):
        desk.open(examples()[k % 2].scene())
    windows = desk.whole()
    for window in windows:
        window.resize(1440, 900)
    dialogs = [dialog for window in windows for dialog in furnish(window)]
    rest(lambda: all(window.store.settled for window in windows))
    window = windows[0]
    window.activateWindow()
    guards = (Garbage(desk), Precedence())
    rest(lambda: True)
    widgets = QApplication.allWidgets()
    print(f"{count} windows, {len(dialogs)} dialogs: {len(widgets)} widgets, "
          f"{sum(widget.isVisible() for widget in widgets)} of them in sight", flush=True)
    limit = LARGEST.get(count, 100.0)
    slow = [
        report("theme", [partial(window.set_theme, name) for name in ("dark", "light")], times, limit),
        report("Korean", [partial(window.set_language, name) for name in ("ko", "en")], times, limit),
        report("Japanese, other letters", [partial(window.set_language, name) for name in ("ja", "en")], times, limit),
        report("size of letters", [partial(window.sizing.use, size) for size in (150, 100)], times, limit),
    ]
    report("theme, by Qt itself", [partial(by_qt, name) for name in ("dark", "light")], 2, None)
    number = len(QApplication.allWidgets())
    for guard in guards:
        guard.restore()
    for window in list(windows):
        window.leave()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    plain = QWidget()
    column = QVBoxLayout(plain)
    for k in range(number):
        column.addWidget(QLabel(str(k), plain))
    plain.show()
    rest(lambda: True)
    report("plain labels, by Qt", [partial(by_qt, name) for name in ("dark", "light")], 2, None)
    plain.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return any(slow)


def main() -> int:
    """Measure; return 1 if a turn was too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--windows", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--times", type=int, default=6)
    asked = parser.parse_args()
    QStandardPaths.setTestModeEnabled(True)
    with tempfile.TemporaryDirectory() as folder:
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        app = application(["kernelplay"])
        app.setQuitOnLastWindowClosed(False)
        slow = [run(count, asked.times) for count in asked.windows]
        return int(any(slow))


if __name__ == "__main__":
    sys.exit(main())
