"""Under the hand the plot stays: one layout for a document, a legend that yields to what is drawn, and comes back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import stage
from hand import Hand
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from stage import canvas, drag, let_go, move, near

from kernelplay.examples import examples
from kernelplay.i18n import say
from kernelplay.scene import Scene
from kernelplay.ui.hand import CHOSEN, Over
from kernelplay.ui.legend import Legend
from kernelplay.ui.plane import Plane
from kernelplay.ui.plot import FAINT
from kernelplay.ui.symbols import MANY_SIGNS, SIGNS_APART
from kernelplay.ui.theme import DARK, LIGHT, Theme
from kernelplay.ui.views import SideView
from kernelplay.ui.window import MainWindow

pytestmark = pytest.mark.usefixtures("qapp")

NONE = Qt.MouseButton.NoButton
FULL = stage.scene(xy=np.stack(np.meshgrid(np.linspace(-1, 1, 16), np.linspace(-1, 1, 16)), -1).reshape(-1, 2),
                   cls=[0, 1] * 128)


def example(key: str) -> Scene:
    """Return the scene of one of the examples."""
    return next(each.scene() for each in examples() if each.key == key)


def axes(plane: Plane) -> tuple[float, float, float, float]:
    """Return where the axes are, in pixels."""
    return plane.left, plane.top, plane.width, plane.height


@pytest.mark.parametrize("key", ["overlapping", "perceptron", "checkerboard", "sine"])
def test_points_steps_and_languages_do_not_move_the_axes(key: str, open_window: Callable[..., MainWindow],
                                                         qtbot: object) -> None:
    window = open_window(example(key))
    user = Hand(qtbot, window)
    user.settled()
    plot, store = user.canvas.plot, window.store
    QApplication.processEvents()  # the player has gone, and left its room
    user.canvas.grab()
    before, place, form = axes(plot.plane), QRectF(plot.legend_rect), plot.seat.form
    size = user.canvas.width(), user.canvas.height()
    x, y = user.canvas.to_data(place.center())
    user.click(x, y, held=Qt.KeyboardModifier.ControlModifier)
    for at in (place.center(), place.topLeft() + QPointF(3, 3), place.bottomRight() - QPointF(3, 3)):
        points = store.scene.points.add(user.canvas.to_data(at), 0)
        store.edit(store.scene.with_points(points), say("Add point"))
        user.settled()
        user.canvas.grab()
        assert axes(plot.plane) == before
    picture = user.settled()
    for step in range(picture.frames.count if picture.frames is not None else 0):
        store.play_at(step)
        user.canvas.grab()
        assert axes(plot.plane) == before
    for language in ("ko", "ja", "en"):
        window.set_language(language)
        qtbot.waitUntil(user.canvas.updatesEnabled)  # type: ignore[attr-defined]  # it is dressed bit by bit
        user.canvas.grab()
        wider, higher = user.canvas.width() - size[0], user.canvas.height() - size[1]  # what panels beside it leave
        assert np.abs(np.array(axes(plot.plane)) - before - (0, 0, wider, higher)).max() <= 2, language
        assert plot.seat.form in (form, "folded")
    store.go(0)
    user.settled()
    user.canvas.grab()
    assert axes(plot.plane) == before
    kept = QRectF(plot.legend_rect)
    store.open(example(key), None, say("Open"))
    user.settled()
    user.canvas.grab()
    assert (axes(plot.plane), plot.legend_rect) == (before, place), "opened afresh, it is as it was at first"
    assert kept.size() == place.size()


def test_where_it_has_no_place_any_more_it_folds_and_comes_back(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(), legend=True) as made:
        made.grab()
        plot, few = made.plot, made.store.scene
        before = axes(plot.plane)
        assert plot.seat.form == "inside" and not plot.legend.folded
        for scene, folded in ((few.with_points(FULL.points), True), (few, False)):
            made.store.edit(scene, say("Edit"))
            stage.settled(qtbot, made)
            made.grab()
            assert plot.legend.chip == folded and axes(plot.plane) == before
    with canvas(qtbot, FULL, legend=True) as made:
        made.grab()
        assert made.plot.seat.form != "inside" and not made.plot.legend.folded, "opened like that it has its room"


def test_it_fades_while_a_point_is_dragged_under_it_and_takes_no_mouse(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(), legend=True) as made:
        made.grab()
        plot = made.plot
        place = QRectF(plot.legend_rect)
        start, under = made.to_pixels(-1.0, -1.0), place.center().toPoint()
        edge = QPoint(int(place.center().x()), int(place.top()) + 2)  # no letters there
        opaque = made.grab().toImage().pixelColor(edge)
        drag(made, start, start + QPoint(20, 0), under, release=False)
        assert plot.faint and plot.legend_rect == place
        seen = made.grab().toImage()
        assert not near(seen.pixelColor(edge), opaque.name(), 3)
        x, y = made.store.scene.points.xy[0]
        assert (made.to_pixels(x, y) - under).manhattanLength() <= 2, "it went on under the legend"
        assert near(seen.pixelColor(under), plot.theme.roles["class0"].fill, 60), "and is seen there"
        let_go(made, under)
        assert not plot.faint
        stage.settled(qtbot, made)
        made.grab()
        assert not plot.legend_rect.contains(QPointF(under)), "let go there, the legend leaves"


def test_a_tool_that_draws_draws_under_it_and_the_point_tool_takes_it(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(), legend=True) as made:
        made.grab()
        plot, count = made.plot, len(made.store.scene.points)
        under = plot.legend_rect.center().toPoint()
        move(made, under)
        assert not plot.faint and made.viewport().cursor().shape() == Qt.CursorShape.OpenHandCursor
        assert "double-click" in made.viewport().toolTip().lower()
        made.store.use_tool("brush")
        assert plot.faint, "at once, not with the next move"
        QTest.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, under)
        assert len(made.store.scene.points) > count and plot.legend.dragged is None
        far = QPoint(int(plot.plane.left) + 20, int(plot.plane.bottom) - 20)
        move(made, far)
        assert not plot.faint and made.viewport().toolTip() == ""
        move(made, plot.legend_rect.center().toPoint())
        assert plot.faint
        made.store.use_tool("point")
        assert not plot.faint
    assert 0 < FAINT < 0.3


def test_its_place_belongs_to_the_document(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(), legend=True) as made:
        made.grab()
        legend = made.plot.legend
        place = legend.rect.center().toPoint()
        drag(made, place, place - QPoint(60, -60))
        assert legend.dragged is not None
        made.store.edit(made.store.scene.with_value("C", 3.0), say("Edit"))
        made.store.edit(made.store.scene.with_model("gpc"), say("Edit"))
        stage.settled(qtbot, made)
        made.grab()
        assert legend.dragged is not None, "the same points"
        made.store.open(stage.scene(xy=stage.FOUR * 0.7), None, say("Open"))
        assert legend.dragged is None
        stage.settled(qtbot, made)


@pytest.mark.parametrize("scene", [stage.scene(), FULL], ids=["inside", "below"])
def test_l_folds_a_legend_that_is_whole_and_opens_it_again(scene: Scene, qtbot: object) -> None:
    with canvas(qtbot, scene, legend=True) as made:
        made.grab()
        legend: Legend = made.plot.legend
        before, place = axes(made.plot.plane), QRectF(legend.rect)
        assert not legend.folded
        for _ in range(2):
            QTest.keyClick(made, Qt.Key.Key_L)
            made.grab()
            assert legend.chip and legend.rect.height() < 30 and axes(made.plot.plane) == before
            QTest.keyClick(made, Qt.Key.Key_L)
            made.grab()
            assert not legend.folded and legend.rect == place and axes(made.plot.plane) == before
        QTest.keyClick(made, Qt.Key.Key_L)
        made.grab()
        QTest.mouseClick(made.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
                         legend.rect.center().toPoint())
        made.grab()
        assert not legend.folded and legend.rect == place, "a click on the chip does it too"


def test_very_many_crosses_are_thinned_and_the_legend_says_so() -> None:
    rng = np.random.default_rng(5)
    xy = rng.normal(0, 0.5, (30_000, 2))
    crosses = stage.dots("error", xy, "errors", "misclassified")
    drawn = stage.plot((stage.line("boundary", (-2, 0), (2, 0)),), front=(crosses,), legend=True)
    stage.image(drawn)
    kept = drawn._some(crosses)
    pixels, all_pixels = drawn.plane.pixels(kept.xy), drawn.plane.pixels(xy)
    assert len(kept.xy) < 3000 and {tuple(p) for p in kept.xy.tolist()} <= {tuple(p) for p in xy.tolist()}
    for place in all_pixels[::500]:
        assert np.hypot(*(pixels - place).T).min() < SIGNS_APART * np.sqrt(2), "each has one close to it"
    assert "one for several" in drawn.legend.texts[0]
    few = stage.plot(front=(stage.dots("error", xy[:MANY_SIGNS], "errors", "misclassified"),), legend=True)
    stage.image(few)
    assert few.legend.texts == ("misclassified",)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", [f"class{k}" for k in range(8)])
def test_a_chosen_point_has_corners_where_no_ring_of_a_support_vector_is(role: str, theme: Theme) -> None:
    drawn = stage.plot(points=(stage.dots(role, [(0.0, 0.0)]),), theme=theme)
    before = stage.image(drawn)
    drawn.set_over(Over(chosen=frozenset({0})))
    after = stage.image(drawn)
    (x, y), = drawn.plane.pixels(np.zeros((1, 2)))
    corner = after.pixelColor(int(x - CHOSEN), int(y - CHOSEN))
    assert near(corner, theme.accent, 30) and not near(before.pixelColor(int(x - CHOSEN), int(y - CHOSEN)),
                                                       theme.accent, 30)
    rings = max(theme.roles["support_free"].size, theme.roles["support_bounded"].size) / 2
    assert np.hypot(CHOSEN, CHOSEN) > rings + 5
    middle = after.pixelColor(int(x), int(y))
    assert near(middle, before.pixelColor(int(x), int(y)).name(), 3), "the point itself stays as it is"


def test_the_proof_shows_the_run_and_a_double_click_all_up_to_the_bound(qtbot: object) -> None:
    with canvas(qtbot, example("perceptron")) as made:
        view = SideView(made.store, "convergence", LIGHT)
        qtbot.addWidget(view)  # type: ignore[attr-defined]
        view.resize(800, 240)
        view.show()
        fit = made.store.picture.fit
        assert view.chart is not None and view.chart.whole is not None
        assert view.plot.plane.view[1] < 2 * fit.mistakes and not any("⌊" in text for text in view.plot.legend.texts)
        at = QPoint(300, 100)
        QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert view.plot.plane.view[1] > fit.bound and any("⌊" in text for text in view.plot.legend.texts)
        QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert view.plot.plane.view[1] < 2 * fit.mistakes
        plane = view.plot.plane
        for step in (1, 5, fit.mistakes):
            made.store.play_at(step)
            view.grab()
            assert view.plot.plane == plane, "a step adds no entry"
        view.hide()
