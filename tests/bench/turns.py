"""How long one turn of the event loop takes: `python tests/bench/turns.py [--jumps 400] [--parts 30] [--seed 0]`.

A window without a display jumps to and fro between wild scenes: every model, kernels of up to so many parts nested in
one another, points of both tasks; with the history in sight, and each of the views of the model open in turn. A jump is
a step back or forth, eleven of them in one turn, one to anywhere in the list, a parameter, another kernel or model, or
points that are added or removed. Printed is what a turn costs the GUI thread in processor time, which others on the
machine do not change: the median, the 95th and 99th percentile, and the longest ones with what was done and where the
thread was met; ends with status 1 if one was longer than `--most` milliseconds.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import random
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ui"))

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QStandardPaths

from kernelplay.examples import examples
from kernelplay.i18n import say
from kernelplay.kernels import edit
from kernelplay.spec import kinds
from kernelplay.ui.app import Garbage, Precedence, application

LIST = 8


class Watch:
    """Sees on a thread of its own where the GUI thread is."""

    def __init__(self) -> None:
        self._gui = threading.get_ident()
        self._met: list[str] = []
        self._over = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while not self._over.wait(0.004):
            frame = sys._current_frames().get(self._gui)
            stack = traceback.extract_stack(frame) if frame is not None else ()
            ours = [f"{Path(each.filename).name} {each.name}" for each in stack if "kernelplay/" in each.filename]
            if ours:
                self._met.append(" > ".join(ours[-3:]))

    def take(self) -> Counter[str]:
        """Return where it was met since this was asked last."""
        met, self._met = self._met, []
        return Counter(met)

    def stop(self) -> None:
        """Look no more."""
        self._over.set()


class Jumps:
    """One window, and what is done to it."""

    def __init__(self, folder: Path, seed: int, parts: int) -> None:
        from weather import House, wild

        self.dice = random.Random(seed)
        self.kernels = [wild(self.dice, 1 + parts * number // 12) for number in range(13)]
        self.house = House(folder, examples()[0].scene())
        self.window, self.store = self.house.window, self.house.window.store
        self.window.actions_["history"].trigger()
        self.window.side_views.toggle()
        self.turns: list[tuple[float, str, str]] = []
        self.watch = Watch()

    def back(self) -> None:
        self.dice.choice((self.store.undo, self.store.undo, self.store.redo))()

    def eleven(self) -> None:
        for _ in range(11):
            self.back()

    def go(self) -> None:
        self.store.go(self.dice.randrange(len(self.store.history.steps)))

    def kernel(self) -> None:
        self.store.edit(self.store.scene.with_value("kernel", self.dice.choice(self.kernels)), say("Kernel"))

    def part(self) -> None:
        kernel = self.store.scene.model.kernel
        path = self.dice.choice(edit.parts(kernel)).path
        self.window.model_panel.kernel.build("change", path, self.dice.choice(edit.alone()))

    def parameter(self) -> None:
        paths = self.store.scene.model.reals()
        if paths:
            path, param = self.dice.choice(paths)
            value = param.low + (param.high - param.low) * self.dice.random()
            self.store.edit(self.store.scene.with_value(path, value), say("Value"))

    def model(self) -> None:
        self.store.edit(self.store.scene.with_model(self.dice.choice(tuple(kinds("model")))), say("Model"))

    def points(self) -> None:
        points, rng = self.store.scene.points, np.random.default_rng(self.dice.randrange(1 << 30))
        if len(points) > 60 or (len(points) and self.dice.random() < 0.4):
            points = points.remove(rng.choice(len(points), min(len(points), 9), replace=False).tolist())
        else:
            points = points.add(rng.normal(size=(self.dice.randrange(1, 20), 2)), 0)
        self.store.edit(self.store.scene.with_points(points), say("Points"))

    def view(self) -> None:
        views = self.window.side_views
        views.open(self.dice.choice(("", *views.tabs)))

    def turn(self, what: str, do: Callable[[], None] | None = None) -> None:
        """Do something, and let the window answer."""
        self.watch.take()
        began = time.thread_time()
        if do is not None:
            do()
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        took = 1000 * (time.thread_time() - began)
        met = self.watch.take().most_common(1)
        self.turns.append((took, what, met[0][0] if met else ""))

    def run(self, jumps: int) -> None:
        """Jump so often, with a few turns after each."""
        deeds = [(self.back, 6), (self.eleven, 4), (self.go, 4), (self.kernel, 3), (self.part, 3), (self.parameter, 4),
                 (self.model, 3), (self.points, 4), (self.view, 3)]
        for _ in range(jumps):
            do = self.dice.choices([deed for deed, _ in deeds], [often for _, often in deeds])[0]
            self.turn(do.__name__, do)
            for _ in range(self.dice.choice((1, 3, 12))):
                self.turn(f"after {do.__name__}")
        self.watch.stop()


def main() -> int:
    """Jump, and print what the turns cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jumps", type=int, default=400)
    parser.add_argument("--parts", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=float, default=60.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        QStandardPaths.setTestModeEnabled(True)
        application(["kernelplay"])
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, name)
        jumps = Jumps(Path(name), asked.seed, asked.parts)
        guards = (Garbage(jumps.house.desk), Precedence())
        jumps.run(asked.jumps)
        jumps.house.clear()
        for guard in guards:
            guard.restore()
    times = np.array([took for took, _, _ in jumps.turns])
    middle, most, nearly_all = np.percentile(times, (50, 95, 99))
    print(f"{len(times)} turns after {asked.jumps} jumps: median {middle:.1f} ms, 95 % {most:.1f}, 99 % "
          f"{nearly_all:.1f}, longest {times.max():.1f}, {int((times > asked.most).sum())} over {asked.most:g} ms")
    for took, what, where in sorted(jumps.turns, reverse=True)[:LIST]:
        print(f"  {took:.0f} ms: {what}: {where}")
    return int(times.max() > asked.most)


if __name__ == "__main__":
    sys.exit(main())
