"""A legend never takes the plot over: it goes outside, or folds into a chip; on paper it is always whole."""

from __future__ import annotations

import numpy as np
import pytest
import stage
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from stage import canvas, dots, image, line, plot

from kernelplay.compute import cold
from kernelplay.examples import Example, examples
from kernelplay.figures import PRESETS, Figure
from kernelplay.marks import Curve
from kernelplay.ui import figure
from kernelplay.ui.crowd import Crowd
from kernelplay.ui.layers import Layers
from kernelplay.ui.legend import SHARE
from kernelplay.ui.plot import Plot
from kernelplay.ui.seat import BESIDE, COVERED, SIDE
from kernelplay.ui.theme import LIGHT
from kernelplay.ui.views import SideView

pytestmark = pytest.mark.usefixtures("qapp")

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
MANY = tuple(line("margin", (-2, y / 5), (2, y / 5), label=f"a line with a long name, number {y}") for y in range(11))
POINTS = (dots("class0", [(0, 0), (1, 1)], label="class +1"),)


def share(drawn: Plot) -> float:
    """Return the part of the plane that the legend covers."""
    plane = drawn.plane
    under = drawn.legend_rect.intersected(QRectF(plane.left, plane.top, plane.width, plane.height))
    return under.width() * under.height() / (plane.width * plane.height)


@pytest.mark.parametrize("size", [(240, 180), (360, 200), (470, 240), (640, 300), (470, 640), (860, 640), (1600, 300)])
@pytest.mark.parametrize("count", [1, 4, 11])
@pytest.mark.parametrize("forms", ["canvas", "side"])
def test_it_takes_no_more_than_a_third_of_the_plane_and_leaves_most_of_the_plot(size: tuple[int, int], count: int,
                                                                               forms: str) -> None:
    drawn = plot(MANY[:count], POINTS, size=size, legend=True)
    bare = plot(MANY[:count], POINTS, size=size)
    if forms == "side":
        drawn.seat.forms = SIDE
        drawn.release_legend()
    image(drawn)
    assert drawn.legend_rect.isValid()
    assert share(drawn) <= SHARE + 1e-9 or drawn.legend.chip
    assert drawn.boundingRect().contains(drawn.legend_rect)
    assert drawn.plane.width * drawn.plane.height >= (1 - BESIDE - 0.1) * bare.plane.width * bare.plane.height


def test_a_chip_opens_over_the_plot_and_closes_and_is_remembered() -> None:
    drawn = plot(MANY, POINTS, size=(360, 200), legend=True)
    closed = image(drawn)
    assert drawn.legend.chip and drawn.legend_rect.height() < 30
    assert drawn.toggle_legend()
    opened = image(drawn)
    assert drawn.legend_rect.height() > 100 and drawn.boundingRect().contains(drawn.legend_rect)
    assert opened != closed
    drawn.set_size(380, 210)
    image(drawn)
    assert drawn.legend.open and not drawn.legend.chip
    drawn.set_size(1200, 800)  # here there is room: nothing to open
    image(drawn)
    assert not drawn.legend.folded and not drawn.press_legend()
    drawn.set_size(360, 200)
    image(drawn)
    assert drawn.legend.folded and drawn.legend.open
    drawn.toggle_legend()
    image(drawn)
    assert drawn.legend.chip and drawn.legend_rect.height() < 30


def test_on_the_canvas_a_click_and_a_key_open_it_and_no_point_is_added(qtbot: object) -> None:
    rng = np.random.default_rng(0)
    scene = stage.scene(xy=rng.normal(size=(60, 2)), cls=[0, 1] * 30)
    with canvas(qtbot, scene, size=(300, 200), legend=True) as made:
        made.grab()
        legend = made.plot.legend
        assert legend.chip
        for _ in range(2):
            QTest.mouseClick(made.viewport(), LEFT, NONE, made.plot.legend_rect.center().toPoint())
            made.grab()
            QTest.keyClick(made, Qt.Key.Key_L)
            made.grab()
            assert legend.chip
        QTest.mouseClick(made.viewport(), LEFT, NONE, made.plot.legend_rect.center().toPoint())
        made.grab()
        assert legend.open and len(made.store.scene.points) == 60
        QTest.mouseClick(made.viewport(), LEFT, NONE, made.plot.legend_rect.center().toPoint())
        assert legend.chip and len(made.store.scene.points) == 60 and legend.dragged is None


def test_in_a_side_view_too(qtbot: object) -> None:
    apart = np.array([[2.0, 2.0], [1.5, 2.5], [-2.0, -1.5], [-1.0, -2.5]])
    with canvas(qtbot, stage.scene("perceptron", apart, (0, 0, 1, 1))) as made:
        view = SideView(made.store, "convergence", LIGHT)
        qtbot.addWidget(view)  # type: ignore[attr-defined]
        view.resize(280, 150)
        with qtbot.waitExposed(view):  # type: ignore[attr-defined]
            view.show()
        view.grab()
        assert view.plot.legend.chip
        QTest.mouseClick(view.viewport(), LEFT, NONE, view.plot.legend_rect.center().toPoint())
        assert view.plot.legend.open
        QTest.keyClick(view, Qt.Key.Key_L)
        assert view.plot.legend.chip
        view.hide()


@pytest.mark.parametrize("size", [(300, 200), (480, 360), (800, 240), (240, 900)])
def test_on_paper_it_is_whole_and_covers_no_point(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    scene = stage.scene(xy=rng.normal(size=(80, 2)), cls=[0, 1] * 40)
    made = figure.plot(cold(scene), scene, Figure().sized(*size), language="en")
    assert not made.legend.folded and len(made.legend.texts) >= 6
    xy = np.vstack([made.plane.pixels(mark.xy) for mark in made.layers.points])  # type: ignore[union-attr]
    rect = made.legend_rect
    assert not ((xy[:, 0] > rect.left()) & (xy[:, 0] < rect.right()) & (xy[:, 1] > rect.top())
                & (xy[:, 1] < rect.bottom()) & (xy[:, 1] < made.plane.bottom)).any()
    assert QRectF(0, 0, *size).contains(rect)


def hidden_share(made: Plot) -> float:
    """Return the share of the boundary, or of the mean, that lies under the legend: of pixels along the curves."""
    plane, rect, seen, under = made.plane, made.legend_rect, 0, 0
    for mark in made.layers.marks:
        for each in mark.lines if isinstance(mark, Curve) and mark.role in ("boundary", "mean") else ():
            corners = plane.pixels(each)
            along = np.concatenate([[0.0], np.hypot(*np.diff(corners, axis=0).T).cumsum()])
            x, y = (np.interp(np.arange(0.0, along[-1], 0.5), along, side) for side in corners.T)
            inside = (x >= plane.left) & (x <= plane.right) & (y >= plane.top) & (y <= plane.bottom)
            seen += int(inside.sum())
            under += int((inside & (x > rect.left()) & (x < rect.right()) & (y > rect.top())
                          & (y < rect.bottom())).sum())
    return under / max(seen, 1)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.key)
def test_on_paper_it_hides_neither_the_curve_nor_a_point(example: Example) -> None:
    scene = example.scene()
    picture = cold(scene)
    for wanted in (*(each.of(Figure()) for each in PRESETS.values()), Figure().sized(472, 485)):
        made = figure.plot(picture, scene, wanted, language="en")
        rect = made.legend_rect
        assert rect.isValid() and hidden_share(made) <= COVERED + 0.005
        for x, y in made.plane.pixels(scene.points.xy):
            assert not rect.contains(float(x), float(y))


def test_the_share_under_a_place_is_that_of_the_lengths_of_its_segments() -> None:
    made = plot((line("boundary", (-2, 0), (2, 0)), line("mean", (0, -50), (0, 50)), line("margin", (-2, 1), (2, 1))),
                size=(400, 300))
    image(made)
    plane = made.plane
    crowd = Crowd(made.layers.marks, plane)
    (left, y), (right, _) = plane.pixels(np.array([[-1.0, 0.0], [1.0, 0.0]]))
    x0, x1 = plane.pixels(np.array([[-2.0, 0.0], [2.0, 0.0]]))[:, 0].clip(plane.left, plane.right)
    whole = (x1 - x0) + plane.height
    assert crowd.answer_under(QRectF(left, y - 5, right - left, 10)) == pytest.approx((right - left + 10) / whole)
    assert crowd.answer_under(QRectF(plane.left, plane.top, plane.width, plane.height)) == pytest.approx(1.0)
    assert crowd.answer_under(QRectF(plane.left, plane.top, 5, 5)) == 0.0
    assert Crowd((), plane).answer_under(QRectF(0, 0, 400, 300)) == 0.0


def test_while_something_is_dragged_it_stays_and_finds_its_place_afterwards() -> None:
    drawn = plot(points=POINTS, legend=True)
    image(drawn)
    place = QRectF(drawn.legend_rect)
    x, y = drawn.plane.data(place.center().x(), place.center().y())
    drawn.hold(True)
    drawn.set_layers(Layers(points=(dots("class0", [(x, y), (1, 1)], label="class +1"),)), drawn.names)
    image(drawn)
    assert drawn.legend_rect == place
    drawn.hold(False)
    image(drawn)
    assert not drawn.legend_rect.intersects(place)


def test_what_is_said_about_a_stale_picture_keeps_clear_of_the_legend() -> None:
    drawn = plot(MANY[:3], POINTS, legend=True, stale=True)
    for corner in ((0, 0), (1e4, 0), (0, 1e4), (1e4, 1e4)):
        drawn.drag_legend(stage.QPointF(*corner))
        image(drawn)
        where = drawn.corner(drawn.legend_rect.size() / 2)
        assert not where.intersects(drawn.legend_rect)
        assert where.contains(QPoint(int(where.center().x()), int(where.center().y())))


@pytest.mark.parametrize("points", [POINTS, (dots("class0", np.random.default_rng(0).uniform(-2, 2, (900, 2)),
                                                  label="class +1"),)])
def test_entries_that_come_during_a_drag_have_their_room_where_it_is(points: tuple[object, ...]) -> None:
    drawn = plot(MANY[:2], points, legend=True)  # type: ignore[arg-type]
    image(drawn)
    before, plane = QRectF(drawn.legend_rect), drawn.plane
    drawn.hold(True)
    drawn.set_layers(Layers(MANY[:5], points), drawn.names)  # type: ignore[arg-type]
    image(drawn)
    assert drawn.plane == plane and len(drawn.legend.texts) == 6
    assert drawn.legend_rect.height() > before.height() or drawn.legend_rect.width() > before.width()
    assert drawn.legend_rect.intersects(before) and drawn.legend_rect.right() <= stage.WIDTH
