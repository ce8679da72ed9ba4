"""One journey in a real window on an X server, driven from outside by xdotool; results are read from files alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtGui import QColor, QImage

from kernelplay import session
from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.ui.theme import LIGHT
from kernelplay.ui.window import MainWindow

WIDTH, HEIGHT = 1280, 800
XY = np.array([[-1.2, 0.4], [-0.8, -0.6], [-0.5, 0.9], [0.6, -0.8], [0.9, 0.5], [1.3, -0.2]])

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="an X server is needed"),
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="Xvfb and xdotool are not installed"
    ),
]


@pytest.fixture
def display() -> Iterator[str]:
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x900x24", "-nolisten", "tcp"],
                              pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


def test_click_drag_undo_save_and_export_in_a_real_window(display: str, qtbot: Any, tmp_path: Path,
                                                          open_window: Callable[..., MainWindow]) -> None:
    file, picture = tmp_path / "journey.kplay", tmp_path / "journey.png"
    scene = Scene(model=build("model", {"name": "svm"}), classification=Points(XY, np.array([0, 0, 0, 1, 1, 1])))
    scene = scene.with_view((-2.0, 2.0, -1.6, 1.6))
    session.save(scene, file)
    # a twin without a display, of the same size and with the same scene, knows where everything is
    twin = open_window(scene, size=(WIDTH, HEIGHT))
    qtbot.waitUntil(lambda: bool(twin.side_views.tabs) and twin.store.idle)
    for _ in range(4):
        QCoreApplication.sendPostedEvents()

    def at(x: float, y: float) -> QPoint:
        return twin.canvas.mapTo(twin, twin.canvas.to_pixels(x, y))

    free, taken, there = at(0.1, 0.2), at(*XY[4]), at(1.4, 1.1)
    environment = os.environ | {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "HOME": str(tmp_path), "LANG": "C.UTF-8",
                                "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}
    program = subprocess.Popen([sys.executable, "-m", "kernelplay", str(file), "--lang", "en", "--theme", "light",
                                "-qwindowgeometry", f"{WIDTH}x{HEIGHT}+0+0"], env=environment)

    def do(*words: object) -> str:
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def key(*names: str) -> None:
        for each in names:
            do("key", "--clearmodifiers", each)

    def saved(condition: Callable[[Scene], bool]) -> None:
        def holds() -> bool:
            key("ctrl+s")
            return condition(session.load(file))

        qtbot.waitUntil(holds, timeout=20_000)

    try:
        window = do("search", "--sync", "--onlyvisible", "--class", "kernelplay").split()[0]
        qtbot.waitUntil(lambda: "journey" in do("getwindowname", window), timeout=20_000)
        do("windowfocus", "--sync", window)
        # everything has its place once the saved view is that of the twin
        saved(lambda now: now.view == pytest.approx(twin.canvas.plane.view, abs=1e-6))
        do("mousemove", free.x(), free.y(), "click", 1)
        saved(lambda now: len(now.points) == 7)
        added = session.load(file).points.xy[6]
        np.testing.assert_allclose(added, twin.canvas.to_data(twin.canvas.to_pixels(0.1, 0.2)), atol=0.02)

        do("mousemove", taken.x(), taken.y(), "mousedown", 1)
        for step in range(1, 11):
            do(
                "mousemove",
                taken.x() + (there.x() - taken.x()) * step // 10,
                taken.y() + (there.y() - taken.y()) * step // 10,
            )
        do("mouseup", 1)
        saved(lambda now: bool(np.allclose(now.points.xy[4], (1.4, 1.1), atol=0.03)))

        key("ctrl+z")
        saved(lambda now: bool(np.array_equal(now.points.xy[:6], XY)))
        key("ctrl+z")
        saved(lambda now: np.array_equal(now.points.xy, XY) and now.model == scene.model)

        key("ctrl+e")
        dialog = do("search", "--sync", "--name", "Export figure").split()[-1]
        do("windowfocus", "--sync", dialog)
        key("ctrl+a")
        do("type", "--delay", 5, str(picture))
        key("Return")
        qtbot.waitUntil(picture.exists, timeout=20_000)
        qtbot.waitUntil(lambda: not QImage(str(picture)).isNull())
        image = QImage(str(picture))
        colours = {
            image.pixelColor(x, y).name() for x in range(0, image.width(), 4) for y in range(0, image.height(), 4)
        }
        for role in ("class0", "class1"):
            assert QColor(LIGHT.style(role).fill).name() in colours, "both classes are in the figure"
        do("windowfocus", "--sync", window)
        key("ctrl+q")
        assert program.wait(timeout=20) == 0
    finally:
        if program.poll() is None:
            program.kill()
            program.wait()
