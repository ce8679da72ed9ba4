"""Kills a real window with SIGKILL at random moments, of edits and of saves, many times; what comes back afterwards?

    python tests/bench/crash.py [KILLS] [SEED]

Each round starts a window of its own without a display, in which a hand clicks, drags, deletes, undoes, turns a slider,
and saves. It reports each state of the scene before that can be on disk, and each action when it is over. Somewhere in
between it is killed. What must hold then:

- the file is a whole scene: one that was being saved, and none from before the last save that was finished;
- what the next start offers, or else the file, is a state that was reported, and from no earlier than the end of the
  action before the last one that was finished: at most the last action is lost.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

SIZES = (12, 12, 2000)  # points to begin with: with many of them a save takes long enough to be hit


def drive(folder: Path, seed: int) -> None:
    """Be the window, and the hand, until killed."""
    from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
    from PySide6.QtGui import QKeySequence, QMouseEvent
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from kernelplay import session
    from kernelplay.scene import Scene
    from kernelplay.ui.app import Errors, Garbage, Precedence, application
    from kernelplay.ui.desk import Desk
    from kernelplay.ui.scene_files import load
    from kernelplay.ui.theme import apply, theme
    from kernelplay.ui.window import MainWindow

    dice = random.Random(seed)
    app = application(["kernelplay"])
    apply(theme("light"), "en")
    scene, disk = load(folder / f"doc{session.SUFFIX}")
    desk = Desk(folder / "unsaved")
    window = MainWindow(scene, folder / f"doc{session.SUFFIX}", "light", desk)
    window.store.disk = disk
    store, canvas = window.store, window.canvas

    def report(kind: str, what: str) -> None:
        os.write(1, f"{json.dumps([kind, what])}\n".encode())

    def changed(old: Scene, new: Scene) -> None:
        report("state", new.digest)

    store.changed.connect(changed)  # before those who write it down
    desk.adopt(window)
    guards = (Errors(), Garbage(desk), Precedence())
    window.resize(1100, 700)
    window.show()

    def pixel() -> QPoint:
        view = canvas.viewport()
        return QPoint(dice.randrange(view.width() // 4, 3 * view.width() // 4),
                      dice.randrange(view.height() // 4, 3 * view.height() // 4))

    def mouse(kind: QMouseEvent.Type, at: QPoint, button: Qt.MouseButton, down: Qt.MouseButton) -> None:
        view = canvas.viewport()
        QApplication.sendEvent(view, QMouseEvent(kind, QPointF(at), QPointF(view.mapToGlobal(at)), button, down,
                                                 Qt.KeyboardModifier.NoModifier))

    def click() -> None:
        QTest.mouseClick(canvas.viewport(), dice.choice((Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton)),
                         Qt.KeyboardModifier.NoModifier, pixel())

    def drag() -> None:
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        row = dice.randrange(len(store.scene.points)) if len(store.scene.points) else None
        at = pixel() if row is None else canvas.to_pixels(*store.scene.points.xy[row].tolist())
        mouse(QMouseEvent.Type.MouseButtonPress, at, left, left)
        for _ in range(dice.randrange(3, 12)):
            at = at + QPoint(dice.randrange(-6, 7), dice.randrange(-6, 7))
            mouse(QMouseEvent.Type.MouseMove, at, none, left)
            app.processEvents()
        mouse(QMouseEvent.Type.MouseButtonRelease, at, left, none)

    def keys(sequence: str) -> None:
        canvas.setFocus()
        QTest.keySequence(canvas, QKeySequence(sequence))

    def save() -> None:
        report("saving", store.scene.digest)
        keys("Ctrl+S")
        report("saved", store.scene.digest)

    def slide() -> None:
        keys(f"Ctrl+{dice.randrange(1, 4)}")  # another model

    def undo() -> None:
        keys("Ctrl+Z")

    def act() -> None:
        dice.choice((click, click, click, drag, drag, slide, undo, save))()
        report("done", "")
        QTimer.singleShot(dice.randrange(20, 120), window, act)

    def begin() -> None:
        report("state", store.scene.digest)
        report("ready", "")
        act()

    QTimer.singleShot(100, window, begin)
    app.exec()
    for guard in guards:
        guard.restore()


def round_(seed: int, folder: Path) -> dict[str, Any]:
    """Start a window, kill it, and return what was found; raise AssertionError if something was lost."""
    import numpy as np

    from kernelplay import session
    from kernelplay.recovery import left_behind
    from kernelplay.scene import Points, Scene

    dice = random.Random(seed)
    file = folder / f"doc{session.SUFFIX}"
    xy = np.random.default_rng(seed).uniform(-1, 1, (dice.choice(SIZES), 2))
    scene = Scene(classification=Points(xy, (xy[:, 0] > 0).astype(int))).with_model("perceptron")
    session.save(scene.with_value("epochs", 1) if "epochs" in scene.model.params() else scene, file)
    in_a_save = dice.random() < 0.5
    wait = dice.randrange(1, 4) if in_a_save else dice.randrange(3, 60)  # for so many saves, or lines
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "OPENBLAS_NUM_THREADS": "1"} | {
        name: str(folder / "home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    process = subprocess.Popen([sys.executable, __file__, "--drive", str(folder), str(seed)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment)
    assert process.stdout is not None and process.stderr is not None
    said: list[tuple[str, str]] = []
    with process:
        for line in process.stdout:
            kind, what = json.loads(line)
            said.append((kind, what))
            if not in_a_save or kind == "saving":
                wait -= 1
            if wait == 0:
                time.sleep(dice.random() * 0.03)
                process.kill()
        errors = process.stderr.read().decode()
    assert process.returncode < 0, f"it ended by itself: {errors}"

    states = [what for kind, what in said if kind == "state"]
    ends = [0, 0]  # after each action, the number of the newest state
    saves, finished, at = [states[0]], states[0], -1
    for kind, what in said:
        at += kind == "state"
        if kind == "done" and at > ends[-1]:  # a click that only selects has done nothing that could be lost
            ends.append(at)
        elif kind == "saving":
            saves.append(what)
        elif kind == "saved":
            finished, saves = what, [what]
    in_file = session.load(file).digest
    assert in_file in saves, "the file holds something else than was saved last, or was being saved"
    found = left_behind(folder / "unsaved")
    assert len(found) <= 1, found
    back, source = in_file, "file"
    for journal, _ in found:
        back, source = journal.read().scene.digest, "journal"
        journal.close()
    assert back in states, "nothing that ever was"
    number = len(states) - 1 - states[::-1].index(back)
    lost = len([end for end in ends[2:] if end > number])
    assert number >= ends[-2], f"{lost} actions are lost of {len(ends) - 2}"
    return {"from": source, "lost": lost, "actions": len(ends) - 2, "in a save": saves[-1] != finished or in_a_save,
            "litter": len(list(folder.glob(".kernelplay-*")))}


def main(kills: int, first: int) -> int:
    """Do so many rounds, and return how many failed."""
    seen: Counter[str] = Counter()
    failed = 0
    for seed in range(first, first + kills):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = round_(seed, Path(folder))
            except AssertionError as error:
                failed += 1
                print(f"seed {seed}: {error}", flush=True)
                continue
        seen[f"back from the {found['from']}"] += 1
        seen["actions"] += found["actions"]
        seen["killed in a save"] += found["in a save"]
        seen["last action lost"] += found["lost"]
        seen["half-written files left"] += found["litter"]
    print(f"{kills} kills, {failed} failed; " + ", ".join(f"{name}: {n}" for name, n in sorted(seen.items())))
    return failed


if __name__ == "__main__":
    if sys.argv[1:2] == ["--drive"]:
        drive(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 0) > 0)
