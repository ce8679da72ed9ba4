"""Memory while points are dragged for hours: `python tests/bench/dragging.py [--points 10000] [--drags 3000]`.

A real window (Xvfb, a screen, or QT_QPA_PLATFORM=offscreen) with a kernel ridge of so many points: one point after
another is dragged by real mouse events, each drag a step of the history. Prints the memory of the process, the steps
kept and the bytes of the arrays they hold, every tenth of the way; ends with status 1 if memory still grows once the
history is full.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from kernelplay.history import BYTES
from kernelplay.scene import Points, Scene
from kernelplay.ui import app
from kernelplay.ui.desk import Desk
from kernelplay.ui.window import MainWindow

MOVES = 12  # of the mouse in one drag
GROWTH = 0.15  # of the memory at half of the way: how much more there may be at the end


def memory() -> float:
    """Return the megabytes that the process holds."""
    return float(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def held(window: MainWindow) -> float:
    """Return the megabytes of the arrays of all steps of the history, each counted once."""
    arrays = {id(array): array.nbytes for step in window.store.history.steps
              for points in (step.scene.classification, step.scene.regression)
              for array in (points.xy, points.cls, points.on)}
    return sum(arrays.values()) / 1e6


def drag(window: MainWindow, application: QApplication, row: int) -> None:
    """Take the point `row` and put it a little aside."""
    canvas, area = window.canvas, window.canvas.viewport()
    start = canvas.plot.plane.pixels(window.store.scene.points.xy[row:row + 1])[0]
    none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
    kinds = [(QEvent.Type.MouseButtonPress, left, left), *[(QEvent.Type.MouseMove, none, left)] * MOVES,
             (QEvent.Type.MouseButtonRelease, left, none)]
    for number, (kind, button, buttons) in enumerate(kinds):
        at = QPoint(round(start[0]) + min(number, MOVES), round(start[1]) + min(number, MOVES) // 2)
        application.sendEvent(area, QMouseEvent(kind, QPointF(at), QPointF(area.mapToGlobal(at)), button, buttons,
                                                Qt.KeyboardModifier.NoModifier))
        application.processEvents()


def main() -> int:
    """Drag, and print what it costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--drags", type=int, default=3000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        application = app.application(["kernelplay"])
        rng = np.random.default_rng(0)
        x = rng.uniform(-3, 3, args.points)
        scene = Scene(regression=Points(np.column_stack([x, np.sin(2 * x) + 0.2 * rng.normal(size=args.points)]),
                                        names=("x", "t"))).with_model("krr")
        window = MainWindow(scene)
        desk = Desk(Path(folder) / "unsaved")
        desk.adopt(window)  # unsaved work is kept, as in the application
        guard = app.Garbage(desk)
        window.show()
        while not window.store.settled:
            application.processEvents()
        half = 0.0
        began = time.monotonic()
        for number in range(args.drags + 1):
            if number % max(1, args.drags // 10) == 0:
                now = memory()
                print(f"{number:6} drags  {time.monotonic() - began:6.0f} s  memory {now:7.1f} MB  steps "
                      f"{len(window.store.history.steps):4}  arrays of the history {held(window):6.1f} MB of at most "
                      f"{BYTES / 1e6:.0f}", flush=True)
                half = now if number <= args.drags / 2 else half
            drag(window, application, int(rng.integers(args.points)))
        grown = memory() / half - 1
        print(f"from half of the way to the end: {100 * grown:+.1f} % memory")
        guard.restore()
        window.store.close()
        sys.stdout.flush()
        os._exit(1 if grown > GROWTH else 0)


if __name__ == "__main__":
    main()
