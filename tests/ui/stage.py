"""What the tests of drawing share: small scenes, a plot or a canvas to draw on, and the colour of a pixel."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication

from kernelplay.i18n import say, verbatim
from kernelplay.marks import Curve, Dots, Field, Mark, read_only
from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.ui.canvas import Canvas
from kernelplay.ui.layers import Layers
from kernelplay.ui.plot import Plot
from kernelplay.ui.store import Store
from kernelplay.ui.theme import LIGHT, Theme

WIDTH, HEIGHT = 640, 480
FOUR = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])


def scene(model: str = "svm", xy: object = FOUR, cls: object = (0, 1, 0, 1), **values: object) -> Scene:
    """Return a scene with the points xy (n, 2)."""
    made = Scene(model=build("model", {"name": model, **values}))
    numbers = cls if made.task == "classification" else ()
    return made.with_points(Points(np.asarray(xy, float), np.asarray(numbers, int)))


def field(value: object = None, **changes: object) -> Field:
    """Return a field over [-2, 2]² whose value is x + y unless it is given as a function of two arrays."""
    x = np.linspace(-2, 2, 81)[:-1] + 0.025
    X, Y = np.meshgrid(x, x)
    values = X + Y if value is None else value(X, Y)  # type: ignore[operator]
    given = {"values": read_only(values, np.float32), "x": (-2.0, 2.0), "y": (-2.0, 2.0), "limits": (-4.0, 4.0)}
    return Field("contour", "field", say("decision value f(x)"), **(given | changes))  # type: ignore[arg-type]


def dots(role: str, xy: object, layer: str = "points", label: str = "", first: int = 0) -> Dots:
    """Return dots at xy (n, 2) whose rows are counted from `first`."""
    places = read_only(np.asarray(xy, float).reshape(-1, 2))
    return Dots(role, layer, verbatim(label) if label else None, xy=places,  # type: ignore[arg-type]
                index=read_only(np.arange(first, first + len(places)), np.intp))


def line(role: str, *points: tuple[float, float], layer: str = "boundary", label: str = "", text: str = "") -> Curve:
    """Return one polyline."""
    return Curve(role, layer, verbatim(label) if label else None, lines=(read_only(np.array(points, float)),),  # type: ignore[arg-type]
                 texts=(text,) if text else ())


def plot(behind: tuple[Mark, ...] = (), points: tuple[Mark, ...] = (), front: tuple[Mark, ...] = (), *,
         theme: Theme = LIGHT, view: tuple[float, float, float, float] = (-2, 2, -2, 2), size: tuple[int, int] =
         (WIDTH, HEIGHT), equal: bool = False, legend: bool = False, language: str = "en", **more: object) -> Plot:
    """Return a plot of these marks."""
    made = Plot(theme, language)
    made.set_size(*size)
    made.set_layers(Layers(behind, points, front, legend=legend, **more), (verbatim("x"), verbatim("y")))  # type: ignore[arg-type]
    made.set_view(view, equal)
    return made


def image(drawn: Plot, scale: float = 1.0) -> QImage:
    """Return what the plot looks like."""
    made = QImage(round(WIDTH * scale), round(HEIGHT * scale), QImage.Format.Format_ARGB32_Premultiplied)
    made.setDevicePixelRatio(scale)
    painter = QPainter(made)
    drawn.draw(painter)
    painter.end()
    return made


def colour_at(shown: QImage, drawn: Plot, x: float, y: float, scale: float = 1.0) -> QColor:
    """Return the colour at a place given in data coordinates."""
    px, py = drawn.plane.pixels(np.array([[x, y]]))[0]
    return shown.pixelColor(int(px * scale), int(py * scale))


def near(colour: QColor, other: str, tolerance: int = 12) -> bool:
    """Whether two colours differ by at most `tolerance` of 255 in each channel."""
    wanted = QColor(other)
    pairs = zip(colour.getRgb()[:3], wanted.getRgb()[:3], strict=True)  # type: ignore[index]
    return all(abs(a - b) <= tolerance for a, b in pairs)


@contextmanager
def canvas(qtbot: object, of: Scene, size: tuple[int, int] = (WIDTH, HEIGHT), legend: bool = False) -> Iterator[Canvas]:
    """Show a canvas with a store of its own, and stop the store's worker at the end."""
    store = Store(of if legend else replace(of, hidden=of.hidden | {"legend"}))
    made = Canvas(store, LIGHT)
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    made.resize(*size)
    try:
        with qtbot.waitExposed(made):  # type: ignore[attr-defined]
            made.show()
        settled(qtbot, made)
        yield made
    finally:
        made.hide()
        store.close()


def settled(qtbot: object, made: Canvas) -> None:
    """Wait for the picture of the scene as it is now."""
    store = made.store
    qtbot.waitUntil(lambda: store.idle and store.picture is not None and store.picture.scene is store.scene  # type: ignore[attr-defined]
                    and not store.picture.coarse, timeout=20_000)


def send(made: pg.GraphicsView, kind: QEvent.Type, at: QPoint, which: Qt.MouseButton = Qt.MouseButton.NoButton,
         down: Qt.MouseButton = Qt.MouseButton.NoButton,
         held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Send one event of the mouse, with the buttons `down` after it."""
    viewport = made.viewport()
    event = QMouseEvent(kind, QPointF(at), QPointF(viewport.mapToGlobal(at)), which, down, held)
    QApplication.sendEvent(viewport, event)


def move(made: pg.GraphicsView, at: QPoint, down: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """Move the pointer to `at`."""
    send(made, QEvent.Type.MouseMove, at, down=down)


def let_go(made: pg.GraphicsView, at: QPoint, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Let go of a button."""
    send(made, QEvent.Type.MouseButtonRelease, at, button)


def drag(made: pg.GraphicsView, start: QPoint, *stops: QPoint, button: Qt.MouseButton = Qt.MouseButton.LeftButton,
         held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, release: bool = True) -> None:
    """Press at `start`, move to each of `stops` with the button down, and let go."""
    send(made, QEvent.Type.MouseButtonPress, start, button, button, held)
    for stop in stops:
        send(made, QEvent.Type.MouseMove, stop, Qt.MouseButton.NoButton, button, held)
    if release:
        send(made, QEvent.Type.MouseButtonRelease, stops[-1] if stops else start, button,
             Qt.MouseButton.NoButton, held)
