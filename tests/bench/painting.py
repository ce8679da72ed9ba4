"""What painting takes: `python tests/bench/painting.py [--points 100000] [--density 1 2] [--before DIR]`.

A canvas by itself, without a window around it, on the screen there is (offscreen if there is none). First very wiggly
pictures, each painted from nothing: boundaries, curves and bands of kernels far too narrow for their points. Then very
many points under real events: the view is dragged, the wheel turned, the eraser and the brush drawn across the middle,
one point dragged. Printed are milliseconds of the GUI thread's own CPU time, so that a busy machine does not count: the
median and the 95th percentile of a turn (the event and all that is painted for it) and of a painting, and how many dots
were painted in a turn.

--before DIR: a copy of the project as it was; everything is measured there too, in turns, and the ratios are printed.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

WIGGLY = (("svm", 1e3, 300), ("svm", 30.0, 2000), ("gpc", 300.0, 400), ("perceptron", 1e3, 600), ("gpr", 1e4, 300),
          ("krr", 1e5, 300), ("svr", 1e3, 400))  # model, gamma, points
SIZE = (1000, 760)
MOVES = 60
TICK = 0.016  # seconds between two events
ROUNDS = 2  # in turns, before and now


def scene(model: str, n: int, gamma: float = 2.0, smooth: bool = False) -> Any:
    """Return a scene of random points."""
    from kernelplay.scene import Points, Scene
    from kernelplay.spec import build

    rng = np.random.default_rng(0)
    made = Scene(model=build("model", {"name": model, "kernel": {"name": "rbf", "gamma": gamma}}))
    xy = rng.uniform(-3, 3, (n, 2))
    if made.task == "classification":
        return made.with_points(Points(xy, rng.integers(0, 2, n)))
    if smooth:
        xy[:, 1] = np.sin(2 * xy[:, 0]) + 0.5 * rng.normal(size=n)
    return made.with_points(Points(xy, names=("x", "t")))


def wiggly() -> dict[str, float]:
    """Return what painting each of `WIGGLY` from nothing takes, at the density of a usual and of a dense screen."""
    from PySide6.QtGui import QImage, QPainter

    from kernelplay.compute import cold
    from kernelplay.scene import axis_labels, data_view
    from kernelplay.ui.layers import layers
    from kernelplay.ui.plot import Plot
    from kernelplay.ui.theme import LIGHT

    found = {}
    for model, gamma, n in WIGGLY:
        of = scene(model, n, gamma)
        shown = layers(cold(of, data_view(of), SIZE[0] / SIZE[1]), of)
        for ratio in (1, 2):
            best = math.inf
            for _ in range(2):
                image = QImage(ratio * SIZE[0], ratio * SIZE[1], QImage.Format.Format_ARGB32_Premultiplied)
                image.setDevicePixelRatio(ratio)
                plot = Plot(LIGHT, "en")
                painter = QPainter(image)
                began = time.thread_time()
                plot.set_size(*SIZE)
                plot.set_view(data_view(of), of.task == "classification")
                plot.set_layers(shown, axis_labels(of))
                plot.draw(painter, keep=True)
                best = min(best, 1e3 * (time.thread_time() - began))
                painter.end()
            found[f"{model} gamma {gamma:g}, {n} points, density {ratio}"] = best
    return found


class Bench:
    """One canvas over very many points."""

    def __init__(self, application: Any, n: int) -> None:
        from kernelplay.ui.canvas import Canvas
        from kernelplay.ui.plot import Plot
        from kernelplay.ui.store import Store
        from kernelplay.ui.theme import LIGHT

        self.application = application
        self.store = Store(scene("krr", n, smooth=True))
        self.canvas = Canvas(self.store, LIGHT)
        self.paints: list[float] = []
        plain, bench = Plot.draw, self

        def draw(plot: Any, *args: Any, **how: Any) -> None:
            began = time.thread_time()
            plain(plot, *args, **how)
            bench.paints.append(1e3 * (time.thread_time() - began))

        Plot.draw = draw  # type: ignore[method-assign]
        self.canvas.resize(*SIZE)
        self.canvas.show()
        self.settle()

    def settle(self) -> None:
        """Wait until everything is shown."""
        end = time.monotonic() + 120
        quiet = 0
        while quiet < 20 and time.monotonic() < end:
            self.application.processEvents()
            time.sleep(0.01)
            quiet = quiet + 1 if self.store.settled else 0

    def dots(self) -> int:
        """Return how many dots have been painted so far."""
        return sum(each.painted for each in self.canvas.plot._dots.values())

    def gesture(self, events: list[Any]) -> dict[str, float]:
        """Send events, one a tick, and return what the turns took; the first and the last one are no turns."""
        from PySide6.QtWidgets import QApplication

        self.settle()
        turns, dots = [], []
        for number, event in enumerate(events):
            if number == 1:
                self.paints.clear()
            began, before = time.thread_time(), self.dots()
            QApplication.sendEvent(self.canvas.viewport(), event)
            self.application.processEvents()
            if 0 < number < len(events) - 1:
                turns.append(1e3 * (time.thread_time() - began))
                dots.append(self.dots() - before)
            time.sleep(TICK)
        paints = list(self.paints)
        self.settle()
        return {"turn": float(np.median(turns)), "turn p95": float(np.quantile(turns, 0.95)),
                "paint": float(np.median(paints)), "paint p95": float(np.quantile(paints, 0.95)),
                "dots": float(np.median(dots))}

    def drag(self, button: Any, places: list[Any]) -> list[Any]:
        """Return the events of a drag."""
        from PySide6.QtCore import QEvent, QPointF, Qt
        from PySide6.QtGui import QMouseEvent

        none, no_key, kind = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, QEvent.Type

        def event(what: Any, at: Any, which: Any, down: Any) -> Any:
            return QMouseEvent(what, QPointF(at), QPointF(self.canvas.viewport().mapToGlobal(at)), which, down, no_key)

        return [event(kind.MouseButtonPress, places[0], button, button),
                *(event(kind.MouseMove, place, none, button) for place in places[1:]),
                event(kind.MouseButtonRelease, places[-1], button, none)]

    def run(self) -> dict[str, dict[str, float]]:
        """Return what each gesture took."""
        from PySide6.QtCore import QPoint, QPointF, Qt
        from PySide6.QtGui import QWheelEvent

        left, middle = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
        canvas, store = self.canvas, self.store
        centre = canvas.viewport().rect().center()
        way = [centre + QPoint(3 * k, round(60 * math.sin(k / 10))) for k in range(MOVES)]
        back = [2 * centre - place for place in way]
        found = {"pan": self.gesture(self.drag(middle, way) + self.drag(middle, back))}
        turns = [QWheelEvent(QPointF(centre), QPointF(canvas.viewport().mapToGlobal(centre)), QPoint(),
                             QPoint(0, 120 if k % 20 < 10 else -120), Qt.MouseButton.NoButton,
                             Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
                 for k in range(MOVES)]
        found["zoom"] = self.gesture(turns)
        for tool in ("eraser", "brush"):
            store.use_tool(tool)
            found[tool] = self.gesture(self.drag(left, way))
        store.use_tool("point")
        pixels = canvas.plane.pixels(store.scene.points.xy)
        nearest = pixels[np.argmin(np.hypot(*(pixels - (centre.x(), centre.y())).T))]
        start = QPoint(round(nearest[0]), round(nearest[1]))
        found["drag"] = self.gesture(self.drag(left, [start + QPoint(2 * k, k) for k in range(MOVES)]))
        store.close()
        return found


def measure(n: int, what: str) -> None:
    """Measure one thing in this process and print it as JSON."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    with tempfile.TemporaryDirectory() as folder:
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        application = QApplication(["kernelplay"])
        print(json.dumps(wiggly() if what == "wiggly" else Bench(application, n).run()), flush=True)
    os._exit(0)  # what Qt would do at the end is not measured


def measured(root: Path, n: int, what: str, density: str) -> dict[str, Any]:
    """Measure one thing in a process of its own, with the project at `root`."""
    environment = os.environ | {"PYTHONPATH": str(root), "QT_SCALE_FACTOR": density}
    run = subprocess.run([sys.executable, __file__, "--points", str(n), "--measure", what], cwd=root, env=environment,
                         capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return answer


def least(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the smallest of each number of several runs."""
    first = runs[0]
    return {key: least([run[key] for run in runs]) if isinstance(value, dict) else min(run[key] for run in runs)
            for key, value in first.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--density", nargs="+", default=["1", "2"])
    parser.add_argument("--before", type=Path, default=None)
    parser.add_argument("--measure", default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        measure(args.points, args.measure)
    here = Path(__file__).resolve().parents[2]
    trees = [here] if args.before is None else [args.before.resolve(), here]
    rounds = 1 if args.before is None else ROUNDS
    for what, density in [("wiggly", "1"), *(("points", each) for each in args.density)]:
        runs: list[list[dict[str, Any]]] = [[] for _ in trees]
        for _ in range(rounds):
            for number, tree in enumerate(trees):
                runs[number].append(measured(tree, args.points, what, density))
        answers = [least(each) for each in runs]
        print(f"{what}, density {density}" if what == "points" else what)
        rows = [(f"{name}, {key}" if key else name, [answer[name][key] if key else answer[name] for answer in answers])
                for name, value in answers[0].items() for key in (value if isinstance(value, dict) else ("",))]
        for name, numbers in rows:
            ratio = f"   x {numbers[0] / numbers[1]:.2f}" if len(numbers) > 1 and numbers[1] else ""
            print(f"  {name:<52}" + "".join(f"{number:10.1f}" for number in numbers) + ratio, flush=True)


if __name__ == "__main__":
    main()
