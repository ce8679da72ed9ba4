"""What is drawn fast looks as what is drawn plainly: dashes, strips of a field, a ground that is kept."""

from __future__ import annotations

import numpy as np
import pytest
import stage
from PySide6.QtCore import QEvent
from PySide6.QtGui import QImage, QPainter
from stage import canvas, dots, field, line, plot, settled

from kernelplay.i18n import say, verbatim
from kernelplay.marks import Segments, Text, read_only
from kernelplay.scene import Points
from kernelplay.ui.canvas import Canvas
from kernelplay.ui.layers import Layers, layers
from kernelplay.ui.plane import device_ratio
from kernelplay.ui.plot import Plot
from kernelplay.ui.polylines import dashes
from kernelplay.ui.theme import DARK, LIGHT

pytestmark = pytest.mark.usefixtures("qapp")


def grey(shown: QImage) -> np.ndarray:
    """Return an image as lightness, 0 to 255."""
    flat = shown.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(flat.constBits(), np.uint8).reshape(flat.height(), flat.bytesPerLine())
    return rows[:, :flat.width()].astype(float)


def drawn_by(made: Plot, **how: bool) -> QImage:
    """Return what the plot looks like, drawn in one way or another."""
    shown = QImage(stage.WIDTH, stage.HEIGHT, QImage.Format.Format_ARGB32_Premultiplied)
    shown.fill(0)
    painter = QPainter(shown)
    made.draw(painter, **how)
    painter.end()
    return shown


def test_device_pixels_are_those_of_the_device_and_of_what_is_enlarged_on_it() -> None:
    shown = QImage(8, 8, QImage.Format.Format_RGB32)
    shown.setDevicePixelRatio(1.5)
    painter = QPainter(shown)
    assert device_ratio(painter) == 1.5
    painter.scale(2.0, 2.0)
    assert device_ratio(painter) == 3.0
    painter.end()


def test_dashes_have_their_lengths_and_lie_on_the_line() -> None:
    t = np.linspace(0, 2 * np.pi, 400)
    circle = np.column_stack([100 * np.cos(t), 100 * np.sin(t)])
    made = dashes([circle, circle[:1]], (8.0, 3.0, 2.0, 3.0))
    lengths = np.hypot(made[:, 2] - made[:, 0], made[:, 3] - made[:, 1])
    np.testing.assert_allclose(np.sort(lengths[:-2])[[0, -1]], [2, 8], atol=0.01)
    np.testing.assert_allclose(np.hypot(made[:, 0], made[:, 1]), 100, atol=0.01)
    assert lengths.sum() == pytest.approx(200 * np.pi * 10 / 16, rel=0.02)
    assert dashes([], (6.0, 4.0)).shape == (0, 4)


@pytest.mark.parametrize("role", ["margin", "radius", "separator", "slack"])
def test_pieces_on_a_screen_look_as_a_dashed_pen(role: str) -> None:
    t = np.linspace(0, 2 * np.pi, 300)
    ring = line(role, *zip((1.5 * np.cos(t)).tolist(), (1.5 * np.sin(t)).tolist(), strict=True))
    rays = Segments(role, "slack", start=read_only(np.zeros((9, 2))),  # type: ignore[arg-type]
                    end=read_only(np.column_stack([np.cos(t[:9]), np.sin(t[::34][:9])])))
    made = plot((ring, rays), equal=True)
    one, other = grey(drawn_by(made)), grey(drawn_by(made, vector=True))
    ink = (255 - other).sum()
    assert abs((255 - one).sum() - ink) < 0.03 * ink
    assert np.abs(one - other).mean() < 0.35


def test_a_field_in_strips_has_no_seams() -> None:
    made = plot((field(lambda X, Y: np.sin(2 * X) * Y),))
    shown = grey(drawn_by(made))
    x0, y0 = int(made.plane.left) + 3, int(made.plane.top) + 3
    inner = shown[y0:int(made.plane.bottom) - 3, x0:int(made.plane.right) - 3]
    columns = inner[:, np.abs(np.diff(inner, axis=1, prepend=0)).max(axis=0) < 12]  # without the grid
    grid = np.abs(np.diff(inner, axis=0)).min(axis=1) > 4
    assert columns.shape[1] > 100 and np.abs(np.diff(columns, axis=0))[~grid].max() < 14


def test_the_ground_that_is_kept_is_the_one_that_would_be_drawn() -> None:
    """Through changes of marks, limits of the colour bar, names, size, theme, staleness."""
    first = (field(), line("boundary", (-2, 0), (2, 1)))
    second = (field(lambda X, Y: 5 * X, limits=(-9.0, 9.0)), line("boundary", (0, -2), (0, 2)))
    names = (verbatim("x"), verbatim("y"))
    kept = plot(first)
    points = (dots("class0", [(1, 1)]),)
    states = [(first, names, False), (second, names, False), (second, names, True), (first[1:], names, False),
              (first, (verbatim("length"), verbatim("t")), False)]
    for theme in (LIGHT, DARK):
        kept.set_theme(theme)
        for behind, called, stale in states:
            of = Layers(behind, points, stale=stale, legend=False)
            kept.set_layers(of, called)
            fresh = Plot(theme, "en")
            fresh.set_size(stage.WIDTH, stage.HEIGHT)
            fresh.set_view((-2, 2, -2, 2), False)
            fresh.set_layers(of, called)
            fresh._left, fresh._right = kept._left, kept._right  # the room for numbers that the plane keeps
            fresh.set_layers(of, called)
            assert kept.plane == fresh.plane
            assert np.abs(grey(drawn_by(kept, keep=True)) - grey(drawn_by(fresh, keep=True))).max() <= 2, theme.name


def test_texts_lie_over_points() -> None:
    scene = stage.scene("perceptron", np.array([[2.0, 2.0], [-2.0, -1.5]]), (0, 1))
    from kernelplay.compute import cold

    found = layers(cold(scene), scene)
    assert any(isinstance(mark, Text) for mark in found.front)
    assert not any(isinstance(mark, Text) for mark in (*found.behind, *found.points))


def test_very_many_points_are_small_and_few_are_not() -> None:
    def inked(n: int) -> int:
        xy = np.vstack([[0.0, 0.0], np.full((n - 1, 2), 50.0)])  # one in sight
        made = plot(points=(dots("class1", xy),))
        return int((np.abs(grey(drawn_by(made)) - grey(drawn_by(plot()))) > 40).sum())

    assert inked(500) == inked(2)
    assert inked(10_000) < 0.5 * inked(500)


class Counted(Canvas):
    """A canvas that counts how often it is painted."""

    paints = 0

    def paintEvent(self, event: QEvent) -> None:
        self.paints += 1
        super().paintEvent(event)


@pytest.fixture
def counted(qtbot: object, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(stage, "Canvas", Counted)
    with canvas(qtbot, stage.scene(), legend=True) as made:
        qtbot.wait(50)  # type: ignore[attr-defined]
        yield made


def test_a_moved_point_and_the_model_that_follows_are_painted_once(counted: Counted, qtbot: object) -> None:
    store = counted.store
    counted._late.setInterval(60_000)
    pictures: list[object] = []
    store.pictured.connect(pictures.append)
    before = counted.paints
    for k in range(5):
        store.edit(store.scene.with_points(store.scene.points.move([0], np.array([-1.0 - k / 10, -1.0]))), say("Move"))
        settled(qtbot, counted)
        qtbot.wait(30)  # type: ignore[attr-defined]  # whatever else was asked for
    assert counted.paints - before == len(pictures) >= 5


def test_points_do_not_wait_for_a_model_that_takes_its_time(counted: Counted, qtbot: object) -> None:
    store = counted.store
    store.close()  # no picture will come
    before = counted.paints
    moved = Points(store.scene.points.xy + 0.5, store.scene.points.cls)
    store.edit(store.scene.with_points(moved), say("Move"))
    qtbot.waitUntil(lambda: counted.paints > before, timeout=2000)  # type: ignore[attr-defined]
    x, y = counted.plot.layers.points[0].xy[0]  # type: ignore[union-attr]
    assert (x, y) == (-0.5, -0.5)
    shown = counted.grab().toImage()
    assert stage.near(stage.colour_at(shown, counted.plot, -0.5, -0.5), LIGHT.roles["class0"].fill)
