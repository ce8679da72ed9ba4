"""What every test runs under: no display, one BLAS thread, settings of its own; and nothing may outlive a test."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.pop("QT_STYLE_OVERRIDE", None)

import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from kernelplay.ui.window import MainWindow


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cases", metavar="DIR", default=None, help="run tests/test_cases.py over the cases in DIR")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Every test begins and ends in English."""
    from kernelplay import i18n

    i18n.use("en")
    yield
    i18n.use("en")


@pytest.fixture(scope="session")
def qapp_cls() -> Any:
    """Settings and files of the tests stay away from those of the person who runs them."""
    import pyqtgraph as pg
    from PySide6.QtCore import QStandardPaths
    from PySide6.QtWidgets import QApplication

    QStandardPaths.setTestModeEnabled(True)
    pg.setConfigOption("mouseRateLimit", -1)
    return QApplication


@pytest.fixture(autouse=True)
def own_settings(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A fresh settings file, an empty folder for unsaved work and an empty clipboard for every test that uses Qt."""
    if "qtbot" not in request.fixturenames and "qapp" not in request.fixturenames:
        yield
        return
    from PySide6.QtCore import QCoreApplication, QSettings
    from PySide6.QtGui import QGuiApplication

    request.getfixturevalue("qapp")
    QCoreApplication.setOrganizationName("kernelplay")
    QCoreApplication.setApplicationName("kernelplay")
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    QGuiApplication.clipboard().clear()
    monkeypatch.setattr("kernelplay.ui.app.state_folder", lambda: str(tmp_path / "state"))
    yield
    QGuiApplication.clipboard().clear()


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Windows, worker threads and running timers that outlive a test of the window fail it.

    Garbage is collected here alone, as the application does it: a worker thread must not take Qt objects apart.
    """
    if "qtbot" not in request.fixturenames:
        yield
        return
    from PySide6.QtCore import QCoreApplication, QEvent, QTimer
    from PySide6.QtWidgets import QApplication

    request.getfixturevalue("qtbot")
    threads = set(threading.enumerate())
    windows = {id(widget) for widget in QApplication.topLevelWidgets()}
    gc.disable()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    gc.freeze()
    gc.enable()
    left = [thread.name for thread in set(threading.enumerate()) - threads if thread.is_alive()]
    assert not left, f"threads outlive the test: {left}"
    shown = [type(widget).__name__ for widget in QApplication.topLevelWidgets()
             if widget.isVisible() and id(widget) not in windows]
    assert not shown, f"windows outlive the test: {shown}"
    ticking = [timer.parent() for timer in QApplication.instance().findChildren(QTimer) if timer.isActive()]
    assert not ticking, f"timers outlive the test: {ticking}"


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator[Callable[..., MainWindow]]:
    """Open main windows with a scene (default: the first example), at 1280 x 800, and close them at the end."""
    from PySide6.QtCore import QCoreApplication, QEvent

    from kernelplay.examples import examples
    from kernelplay.ui.theme import apply, theme
    from kernelplay.ui.window import MainWindow

    opened: list[MainWindow] = []

    def open_one(
        scene: Any = None,
        size: tuple[int, int] = (1280, 800),
        theme_name: str = "light",
        path: Path | None = None,
    ) -> MainWindow:
        apply(theme(theme_name), "en")
        window = MainWindow(scene if scene is not None else examples()[0].scene(), path, theme_name)
        opened.append(window)
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield open_one
    for window in opened:
        window.store.saved_as(Path("unsaved"))  # nothing to ask about
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def window(open_window: Callable[..., MainWindow]) -> MainWindow:
    """The main window with the first example."""
    return open_window()
