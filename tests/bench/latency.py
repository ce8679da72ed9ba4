"""What the hand feels: `python tests/bench/latency.py [--json FILE] [--only drag slider startup] [--kernel KEY ...]`.

A real window on an X display (Xvfb is started if there is none) is driven by real mouse events, which xdotool sends
from a process of its own, one every 16 ms: one point is dragged along a circle for 3 s, then a slider for 3 s. For each
move, the time from the X server's stamp on the event to the end of the first paint that shows a picture of it or of a
later one is a latency; median, 95th percentile and maximum are printed, with pictures per second and the stalls of the
GUI thread (a 5 ms timer: how late it fires), an idle window's stalls beside them. The stages of a picture - fit, field,
contours, hand-over to the GUI thread, paint - are timed by wrapping the functions that do them.

Start-up is the time from starting the process to the first painted picture of a fit, as a ratio to a bare process that
imports PySide6.QtWidgets, pyqtgraph, numpy and scipy.linalg and shows an empty window.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import functools
import json
import math
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

SECONDS, TICK = 3.0, 0.016
SIZES = (20, 100, 500)
MODELS = ("perceptron", "svm", "svr", "krr", "gpr", "gpc")
KERNELS = ("rbf", "matern32", "linear", "poly")
SLIDERS = {"perceptron": "kernel", "svm": "C", "svr": "C", "krr": "lambda_", "gpr": "noise_var", "gpc": "nu"}


@contextmanager
def display() -> Iterator[str]:
    """Give an X display: the one there is, or an Xvfb for the time of the run."""
    if os.environ.get("DISPLAY"):
        yield os.environ["DISPLAY"]
        return
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                              pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    number = os.read(read, 16).decode().strip()
    os.environ["DISPLAY"] = f":{number}"
    try:
        yield os.environ["DISPLAY"]
    finally:
        server.terminate()
        server.wait()


class Stages:
    """Milliseconds spent in the stages of a picture."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def add(self, stage: str, seconds: float) -> None:
        """Take note of one time."""
        self.times.setdefault(stage, []).append(1e3 * seconds)

    def wrap(self, owner: Any, name: str, stage: str) -> None:
        """Time every call of `owner.name` as `stage`."""
        plain = getattr(owner, name)

        @functools.wraps(plain)
        def timed(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            try:
                return plain(*args, **kwargs)
            finally:
                self.add(stage, time.perf_counter() - began)

        setattr(owner, name, timed)

    def medians(self) -> dict[str, float]:
        """Return the median of each stage, for stages called more than once in a picture the median call."""
        return {stage: statistics.median(times) for stage, times in sorted(self.times.items())}


class Bench:
    """One window, one scene after another."""

    def __init__(self) -> None:
        from PySide6.QtCore import QEvent, QObject, QTimer
        from PySide6.QtWidgets import QApplication

        from kernelplay.assets import asset
        from kernelplay.compute import Compute
        from kernelplay.numerics import contour, grid
        from kernelplay.ui import app
        from kernelplay.ui.canvas import Canvas

        self.stages = Stages()
        self.stages.wrap(grid, "evaluate", "field")
        self.stages.wrap(contour, "lines", "contour")
        bench = self
        plain_picture = Compute.picture

        def picture(compute: Any, *args: Any) -> Any:
            made = plain_picture(compute, *args)
            bench.made[id(made)] = time.perf_counter()
            return made

        Compute.picture = picture  # type: ignore[method-assign]
        self.made: dict[int, float] = {}
        plain_paint = Canvas.paintEvent

        def paint(canvas: Any, event: Any) -> None:
            began = time.perf_counter()
            plain_paint(canvas, event)
            bench.stages.add("paint", time.perf_counter() - began)
            bench.painted(canvas.store.picture)

        Canvas.paintEvent = paint
        settings = tempfile.mkdtemp()
        os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_STATE_HOME"] = settings
        self.application = app.application(["kernelplay"])
        self.window = app.start(asset("scenes", "moons.kplay"), "en", "light")
        self.window.move(0, 0)
        self.window.resize(1440, 900)
        self.window.show()
        self.guards = (app.Garbage(), app.Precedence())  # as in the application
        self.store = self.window.store

        class Watch(QObject):
            """Keeps the X server's time stamp of the newest mouse move."""

            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.MouseMove:
                    bench.stamp = event.timestamp() / 1e3  # type: ignore[attr-defined]
                return False

        self.stamp = 0.0
        self.watch = Watch()
        QApplication.instance().installEventFilter(self.watch)
        self.store.changed.connect(self.changed)
        self.store.pictured.connect(self.pictured)
        self.moves: dict[int, tuple[int, float]] = {}  # id of the scene: position, time of the event
        self.scenes: list[Any] = []
        self.answered = 0
        self.latencies: list[float] = []
        self.pictures = 0
        self.gaps: list[float] = []
        self.timer = QTimer()
        from PySide6.QtCore import Qt

        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.setInterval(5)
        self.timer.timeout.connect(self.tick)
        self.last_tick = 0.0

    def tick(self) -> None:
        now = time.perf_counter()
        self.gaps.append(1e3 * max(0.0, now - self.last_tick - 0.005))
        self.last_tick = now

    def changed(self, old: Any, new: Any) -> None:
        self.moves[id(new)] = (len(self.scenes), self.stamp)
        self.scenes.append(new)

    def pictured(self, picture: Any) -> None:
        self.pictures += 1
        self.stages.add("hand-over", time.perf_counter() - self.made.pop(id(picture), math.nan))
        for readout in picture.readouts:
            if readout.key == "time":
                self.stages.add("fit", readout.raw["fit_ms"] / 1e3)
                self.stages.add("charts", readout.raw["charts_ms"] / 1e3)

    def painted(self, picture: Any) -> None:
        """Answer every move up to the one whose picture has just been painted."""
        found = self.moves.get(id(picture.scene)) if picture is not None else None
        if found is None:
            return
        now = time.monotonic()
        stamps = [self.moves[id(scene)][1] for scene in self.scenes[self.answered:found[0] + 1]]
        self.latencies += [1e3 * (now - stamp) for stamp in stamps]
        self.answered = max(self.answered, found[0] + 1)

    def spin(self, seconds: float, until: Callable[[], bool] | None = None) -> None:
        """Let the application run."""
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        QTimer.singleShot(round(1e3 * seconds), loop.quit)
        poll = QTimer()
        if until is not None:
            poll.timeout.connect(lambda: loop.quit() if until() else None)
            poll.start(20)
        loop.exec()

    def measure(self, commands: list[str]) -> dict[str, float]:
        """Run xdotool `commands` beside the application and return what was felt."""
        self.moves, self.scenes, self.answered, self.latencies, self.pictures = {}, [], 0, [], 0
        self.gaps, self.stages.times = [], {}
        self.last_tick = time.perf_counter()
        self.timer.start()
        began = time.perf_counter()
        hand = subprocess.Popen(["xdotool", *commands])
        self.spin(SECONDS + 3, lambda: hand.poll() is not None)
        took = time.perf_counter() - began
        self.spin(0.4)
        self.timer.stop()
        hand.wait()
        if not self.latencies:
            return {"moves": 0}
        late = np.array(self.latencies)
        return {"moves": len(late), "median": float(np.median(late)), "p95": float(np.percentile(late, 95)),
                "max": float(late.max()), "pictures_per_s": self.pictures / took,
                "stall_p99": float(np.percentile(self.gaps, 99)), "stall_max": float(np.max(self.gaps))}

    def open(self, model: str, kernel: str, n: int) -> None:
        """Begin a document with n points and this model."""
        from kernelplay.i18n import say
        from kernelplay.scene import Points, Scene
        from kernelplay.spec import build

        key: dict[str, Any] = {"name": kernel}
        key |= {"rbf": {"gamma": 2.0}, "poly": {"degree": 3, "coef0": 1.0}}.get(kernel, {})
        spec = build("model", {"name": model, "kernel": key})
        rng = np.random.default_rng(0)
        if type(spec).task == "classification":
            from kernelplay.datasets.curves import Moons

            points = Moons(n=n, noise=0.25, seed=0).make()
            scene = Scene(model=spec, classification=points)
        else:
            x = np.sort(rng.uniform(-3, 3, n))
            scene = Scene(model=spec, regression=Points(np.column_stack([x, np.sin(2 * x) + 0.2 * rng.normal(size=n)]),
                                                        names=("x", "t")))
        self.store.open(scene, None, say("Open"))
        self.spin(20, lambda: self.store.picture is not None and self.store.picture.scene is self.store.scene
                  and self.store.idle)
        self.spin(0.3)

    def drag(self) -> dict[str, float]:
        """Drag the point nearest to the middle along a circle."""
        from PySide6.QtCore import QPoint

        canvas, points = self.window.canvas, self.store.scene.points
        middle = np.median(points.xy, axis=0)
        x, y = points.xy[int(np.argmin(((points.xy - middle) ** 2).sum(axis=1)))]
        at = canvas.mapToGlobal(canvas.to_pixels(float(x), float(y)))
        steps = round(SECONDS / TICK)
        radius = 60
        path = [QPoint(round(at.x() + radius * (math.cos(0.05 * k) - 1)), round(at.y() + radius * math.sin(0.05 * k)))
                for k in range(1, steps)]
        commands = ["mousemove", str(at.x()), str(at.y()), "sleep", "0.05", "mousedown", "1", "sleep", "0.05"]
        for point in path:
            commands += ["mousemove", str(point.x()), str(point.y()), "sleep", str(TICK)]
        result = self.measure([*commands, "mouseup", "1"])
        return result

    def slide(self, model: str) -> dict[str, float]:
        """Drag the slider of the model's main parameter to and fro."""
        from PySide6.QtCore import QPoint
        from PySide6.QtWidgets import QSlider

        path = SLIDERS[model]
        sliders = [s for s in self.window.model_panel.findChildren(QSlider) if s.isVisible()]
        named = [s for s in sliders if s.objectName() == path] or sliders
        slider = named[0]
        width, height = slider.width(), slider.height()
        share = (slider.value() - slider.minimum()) / max(1, slider.maximum() - slider.minimum())
        at = slider.mapToGlobal(QPoint(round(8 + share * (width - 16)), height // 2))
        low, high = slider.mapToGlobal(QPoint(12, height // 2)).x(), slider.mapToGlobal(QPoint(width - 12, 0)).x()
        commands = ["mousemove", str(at.x()), str(at.y()), "sleep", "0.05", "mousedown", "1", "sleep", "0.05"]
        middle, reach = (low + high) / 2, (high - low) / 2
        for k in range(1, round(SECONDS / TICK)):
            commands += ["mousemove", str(round(middle + 0.6 * reach * math.sin(0.06 * k))), str(at.y()), "sleep",
                         str(TICK)]
        return self.measure([*commands, "mouseup", "1"])

    def idle(self) -> dict[str, float]:
        """Measure the stalls of a window that does nothing."""
        self.gaps, self.last_tick = [], time.perf_counter()
        self.timer.start()
        self.spin(SECONDS)
        self.timer.stop()
        return {"stall_p99": float(np.percentile(self.gaps, 99)), "stall_max": float(np.max(self.gaps))}


BARE = """
import sys, time
from PySide6.QtWidgets import QApplication, QWidget
import pyqtgraph, numpy, scipy.linalg
class Window(QWidget):
    def paintEvent(self, event):
        print(time.monotonic(), flush=True)
        QApplication.quit()
application = QApplication(sys.argv)
window = Window()
window.resize(1440, 900)
window.show()
application.exec()
"""

OURS = """
import os, sys, time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
from kernelplay.ui import app
from kernelplay.ui.canvas import Canvas
from PySide6.QtWidgets import QApplication
plain = Canvas.paintEvent
def paint(canvas, event):
    plain(canvas, event)
    picture = canvas.store.picture
    if picture is not None and picture.fit is not None:
        print(time.monotonic(), flush=True)
        os._exit(0)
Canvas.paintEvent = paint
app.run(["kernelplay"])
"""


def startup(runs: int = 5) -> dict[str, float]:
    """Return milliseconds to the first fitted picture, of a bare window, and the ratio of the medians."""
    times: dict[str, list[float]] = {"ours": [], "bare": []}
    with tempfile.TemporaryDirectory() as settings:
        environment = os.environ | {"XDG_CONFIG_HOME": settings, "XDG_STATE_HOME": settings}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its byte code, as the bare one has
        for run in range(runs + 1):
            for name, code in (("ours", OURS), ("bare", BARE)):
                began = time.monotonic()
                done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment,
                                      check=False)
                if run:  # the first of each writes byte code and fills the file cache
                    times[name].append(1e3 * (float(done.stdout.split()[0]) - began))
    ours, bare = statistics.median(times["ours"]), statistics.median(times["bare"])
    return {"ours_ms": ours, "bare_ms": bare, "ratio": ours / bare}


def main() -> None:
    """Run what is asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--only", nargs="*", choices=["drag", "slider", "startup"],
                        default=["drag", "slider", "startup"])
    parser.add_argument("--kernel", nargs="*", default=list(KERNELS))
    parser.add_argument("--model", nargs="*", default=list(MODELS))
    parser.add_argument("--n", nargs="*", type=int, default=list(SIZES))
    args = parser.parse_args()
    if missing := [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]:
        sys.exit(f"needs {' and '.join(missing)}")
    result: dict[str, Any] = {"machine": {"machine": platform.machine(), "cores": os.cpu_count(),
                                          "python": platform.python_version()}}
    with display():
        if "startup" in args.only:
            result["startup"] = startup()
            print("start-up: first fitted picture {ours_ms:.0f} ms, bare window {bare_ms:.0f} ms, "
                  "ratio {ratio:.2f} (aim 1.5)".format(**result["startup"]), flush=True)
        if {"drag", "slider"} & set(args.only):
            bench = Bench()
            bench.spin(2.0)
            result["idle"] = bench.idle()
            print("idle window: stall p99 {stall_p99:.1f} ms, max {stall_max:.1f} ms".format(**result["idle"]))
            print(f"{'':<34}{'moves':>6}{'median':>8}{'p95':>8}{'max':>8}{'pict/s':>8}{'stall99':>8}{'stallmax':>9}"
                  "   stages, median ms")
            rows = []
            for kernel in args.kernel:
                for model in args.model:
                    for n in args.n:
                        bench.open(model, kernel, n)
                        for what in (w for w in ("drag", "slider") if w in args.only):
                            felt = bench.drag() if what == "drag" else bench.slide(model)
                            stages = bench.stages.medians()
                            rows.append({"kernel": kernel, "model": model, "n": n, "what": what} | felt
                                        | {"stages": stages})
                            line = f"{model:<11}{kernel:<10}n = {n:<5}{what:<7}"
                            if felt["moves"]:
                                line += ("{moves:>6}{median:8.1f}{p95:8.1f}{max:8.1f}{pictures_per_s:8.1f}"
                                         "{stall_p99:8.1f}{stall_max:9.1f}   ").format(**felt)
                            print(line + "  ".join(f"{k} {v:.2f}" for k, v in stages.items()), flush=True)
            result["rows"] = rows
            bench.window.store.close()
    if args.json:
        args.json.write_text(json.dumps(result, indent=1), "utf-8")


if __name__ == "__main__":
    main()
