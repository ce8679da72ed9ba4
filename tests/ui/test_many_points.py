"""Very many points: what has not changed is not painted again, a long fit is said at once, a new wish ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import stage
from hand import LEFT, NO_KEY, Hand
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QImage, QPainter

from kernelplay.i18n import say, verbatim
from kernelplay.models.krr import KernelRidge
from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.ui import kept_dots
from kernelplay.ui.kept_dots import KeptDots
from kernelplay.ui.layers import Layers
from kernelplay.ui.plot import Plot
from kernelplay.ui.store import MANY
from kernelplay.ui.window import MainWindow

Array = np.ndarray[Any, Any]


def painted(made: Plot) -> Array:
    """Return the colours (height, width, 4) of a plot as it is drawn on a screen."""
    shown = QImage(stage.WIDTH, stage.HEIGHT, QImage.Format.Format_ARGB32_Premultiplied)
    shown.fill(0)
    painter = QPainter(shown)
    made.draw(painter, keep=True)
    painter.end()
    return np.frombuffer(shown.constBits(), np.uint8).reshape(stage.HEIGHT, stage.WIDTH, 4).astype(int)


def crowd(groups: list[Array]) -> Layers:
    """Return layers with a field, rings around the points of the first group, points of two classes, and errors."""
    first, second = (stage.dots(role, xy) for role, xy in zip(("class0", "class1"), groups, strict=True))
    rings = stage.dots("support_bounded", groups[0], "support")
    errors = stage.dots("error", groups[1][::2], "errors")
    return Layers((stage.field(), rings), (first, second), (errors,))


def shown(layers: Layers) -> Plot:
    """Return a new plot of `layers`, which has painted nothing yet."""
    made = Plot(stage.LIGHT)
    made.set_size(stage.WIDTH, stage.HEIGHT)
    made.set_view((-2.0, 2.0, -2.0, 2.0), True)
    made.set_layers(layers, (verbatim("x"), verbatim("y")))
    return made


@pytest.fixture
def groups() -> list[Array]:
    rng = np.random.default_rng(4)
    return [rng.uniform(-2.3, 2.3, (n, 2)) for n in (kept_dots.MANY + 300, 2 * kept_dots.MANY)]


@pytest.mark.usefixtures("qapp")
def test_what_is_mended_looks_as_what_is_painted_anew(groups: list[Array]) -> None:
    rng = np.random.default_rng(5)
    plot = shown(crowd(groups))
    painted(plot)
    for change in ("move", "move many", "add", "remove", "off the plot", "back", "move all"):
        groups = [group.copy() for group in groups]
        which = int(rng.integers(2))
        if change == "move":
            groups[which][17] += 0.11
        elif change == "move many":
            groups[0][5:60] = rng.uniform(-0.3, 0.3, (55, 2))
        elif change == "add":
            groups[which] = np.vstack([groups[which], rng.uniform(-0.2, 0.2, (30, 2))])
        elif change == "remove":
            groups[which] = groups[which][:-25]
        elif change == "off the plot":
            groups[0][3:6] = 1e90, -3.0
        elif change == "back":
            groups[0][3:6] = 0.4, 0.4
        else:
            groups = [group + 0.013 for group in groups]
        plot.set_layers(crowd(groups), (verbatim("x"), verbatim("y")))
        again, anew = painted(plot), painted(shown(crowd(groups)))
        assert np.abs(again - anew).max() <= 2, change


@pytest.mark.usefixtures("qapp")
def test_only_the_neighbourhood_of_what_moved_is_painted(groups: list[Array]) -> None:
    plot = shown(Layers(points=crowd(groups).points))  # of rings and crosses some stand for all

    def dots_painted() -> int:
        before = sum(each.painted for each in plot._dots.values())
        painted(plot)
        return sum(each.painted for each in plot._dots.values()) - before

    everything = len(groups[0]) + len(groups[1])
    assert dots_painted() == everything
    assert dots_painted() == 0, "nothing has changed"
    plot.set_over(replace(plot.over, pointed=7, chosen=frozenset({1, 2})))
    assert dots_painted() == 0, "what the hand points at moves no point"
    groups[1] = groups[1].copy()
    groups[1][40] = (0.5, 0.5)
    plot.set_layers(Layers(points=crowd(groups).points), (verbatim("x"), verbatim("y")))
    assert 0 < dots_painted() < everything / 5
    plot.set_view((-1.0, 1.0, -1.0, 1.0))
    assert dots_painted() == everything


@pytest.mark.usefixtures("qapp")
def test_few_dots_are_drawn_plainly() -> None:
    kept, drawn = KeptDots(), []
    image = QImage(10, 10, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    marks, plane = [stage.dots("class0", np.zeros((5, 2)))], shown(Layers()).plane
    for _ in range(2):
        kept.draw(painter, marks, plane, (10, 10), None, lambda where, some: drawn.append((where, some)))
    painter.end()
    assert drawn == [(painter, marks)] * 2


def test_no_dot_reaches_further_than_is_mended() -> None:
    from kernelplay.ui.symbols import _stamp
    from kernelplay.ui.theme import THEMES, theme

    marks = ("target", "faded", "support_free", "support_bounded", "error", "conflict", "looked_at",
             *(f"class{k}" for k in range(8)))
    for name in THEMES:
        for role in marks:
            assert _stamp(theme(name).style(role), 2.0).width() / 2 <= 2.0 * kept_dots.REACH, (name, role)


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QObject) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_a_stroke_of_the_brush_paints_once_for_an_edit_and_once_for_a_picture(qtbot: Any, window: MainWindow) -> None:
    user = Hand(qtbot, window)
    user.settled()
    store, canvas = window.store, window.canvas
    store.use_tool("brush")
    edits, pictures, resets, asked = [], [], [], []
    paints = Paints(canvas.viewport())
    user._mouse(QEvent.Type.MouseButtonPress, canvas.to_pixels(0, 0), LEFT, LEFT, NO_KEY)
    qtbot.waitUntil(lambda: store.settled)
    store.changed.connect(lambda old, new: edits.append(new))
    store.pictured.connect(pictures.append)
    window.data_panel.table.points.modelReset.connect(lambda: resets.append(1))
    canvas.scene().changed.connect(asked.append)
    paints.count = 0
    for k in range(1, 25):
        user._mouse(QEvent.Type.MouseMove, canvas.to_pixels(0, 0) + QPoint(3 * k, 2 * k), LEFT, LEFT, NO_KEY)
        user.next_picture()
    QCoreApplication.sendPostedEvents()
    assert len(edits) >= 24
    assert not asked, "the circle of the brush is painted together with the points, not before them"
    assert paints.count <= len(edits) + len(pictures)
    assert len(resets) <= len(edits), "only edits that add points change the table"
    user._mouse(QEvent.Type.MouseButtonRelease, canvas.to_pixels(0, 0), LEFT, Qt.MouseButton.NoButton, NO_KEY)
    user.settled()


GATE = threading.Event()


@dataclass(frozen=True)
class Patient(KernelRidge):
    """Kernel ridge regression whose fit waits until `GATE` is open, or until it is stopped."""

    def fit(self, X: Any, y: Any, *, labels: Any = None, check: Any = None, last: Any = None) -> Any:
        while not GATE.wait(0.005):
            check()
        return super().fit(X, y, labels=labels, check=check, last=None)


@pytest.fixture
def patient(open_window: Callable[..., MainWindow]) -> Iterator[MainWindow]:
    """A window with very many points and a model that takes its time whenever `GATE` is closed."""
    GATE.set()
    x = np.random.default_rng(0).uniform(-3, 3, MANY)
    points = Points(np.column_stack([x, np.sin(x)]), names=("x", "t"))
    yield open_window(Scene(model=Patient(kernel=build("kernel", {"name": "rbf"})), regression=points))
    GATE.set()


def test_a_long_fit_is_said_at_once_and_the_old_picture_looks_out_of_date(qtbot: Any, patient: MainWindow) -> None:
    user, plot, store = Hand(qtbot, patient), patient.canvas.plot, patient.store
    user.settled()
    store._took = None  # as if it had been another number of points
    assert store.slow and not plot.overdue
    before = user.pixel(*store.scene.points.xy[0]).lightness()
    GATE.clear()
    store.edit(store.scene.with_value("lambda_", 0.5), say("Change λ"))
    qtbot.waitUntil(lambda: "last result stays" in patient.status.sentence.full)
    assert patient.status._long.interval() < 500
    qtbot.waitUntil(lambda: plot.overdue and plot._stale)
    GATE.set()
    user.settled()
    assert not plot.overdue and not plot._stale and before == user.pixel(*store.scene.points.xy[0]).lightness()


def test_what_is_known_to_be_quick_is_not_called_slow(qtbot: Any, patient: MainWindow) -> None:
    store = patient.store
    store._took = (MANY, 20.0)
    assert not store.slow
    store._took = (MANY, 3000.0)
    assert store.slow
    store._took = (10, 3000.0)
    assert store.slow, "that says nothing about so many"
    store.edit(store.scene.with_points(store.scene.points.remove(range(50, MANY))), say("Delete points"))
    assert not store.slow
    qtbot.waitUntil(lambda: store.settled)


def test_another_model_ends_a_long_fit(qtbot: Any, patient: MainWindow) -> None:
    user, store = Hand(qtbot, patient), patient.store
    user.settled()
    GATE.clear()
    store.edit(store.scene.with_value("lambda_", 0.5), say("Change λ"))
    qtbot.waitUntil(lambda: not store.idle)
    store.edit(store.scene.with_model("gpr"), say("Choose a model"))  # the gate stays closed
    picture = user.settled()
    assert type(picture.fit.model).key == "gpr"


def test_undo_ends_a_long_fit(qtbot: Any, patient: MainWindow) -> None:
    user, store = Hand(qtbot, patient), patient.store
    user.settled()
    store.edit(store.scene.with_model("gpr"), say("Choose a model"))
    user.settled()
    GATE.clear()
    store.edit(store.scene.with_model("krr"), say("Choose a model"))
    assert isinstance(store.scene.model, Patient)
    qtbot.waitUntil(lambda: not store.idle)
    user.keys("Ctrl+Z")
    assert type(user.settled().fit.model).key == "gpr"


def test_the_segments_of_very_many_slacks_are_the_same_piece_by_piece() -> None:
    from kernelplay.ui.plane import Plane
    from kernelplay.ui.polylines import drawable, inside

    plane = Plane(50, 20, 500, 400, (-1.0, 1.0, -1.0, 1.0))
    rng = np.random.default_rng(2)
    ends = rng.normal(300, 1e4, (3000, 4)) * rng.choice([0.01, 1.0, 1e6], (3000, 1))
    near = drawable(ends, plane)
    assert 0 < near.sum() < 3000
    for piece, is_near in zip(ends, near, strict=True):
        cut = inside([piece.reshape(2, 2)], plane)
        assert not is_near or (len(cut) == 1 and np.array_equal(cut[0].ravel(), piece))
