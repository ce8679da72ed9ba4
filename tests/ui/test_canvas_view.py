"""What the canvas shows and tells the store: the view lasts, follows documents and tasks, and fills the room it has."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import numpy as np
import pytest
import stage
from PySide6.QtWidgets import QApplication
from stage import canvas, settled

from kernelplay.i18n import say
from kernelplay.scene import Points, data_view
from kernelplay.ui.legend import entries
from kernelplay.ui.reading import reading
from kernelplay.ui.seat import Seat
from kernelplay.ui.theme import DARK, LIGHT


def test_it_starts_with_all_points_in_view_and_tells_the_store(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        x0, x1, y0, y1 = data_view(made.store.scene)
        view = made.plane.view
        assert view[0] <= x0 and view[1] >= x1 and view[2] <= y0 and view[3] >= y1
        picture = made.store.picture
        field = made.plot.layers.field
        assert field is not None and field.x[0] <= view[0] and field.x[1] >= view[1]
        assert field.y[0] <= view[2] and field.y[1] >= view[3]
        assert not picture.stale


def test_the_view_stays_when_points_come_and_go(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        view = made.plane.view
        scene = made.store.scene
        made.store.edit(scene.with_points(scene.points.add([(30.0, 30.0)], 1)), say("Add point"))
        settled(qtbot, made)
        assert made.plane.view == view
        made.store.undo()
        settled(qtbot, made)
        assert made.plane.view == view
        made.store.redo()
        made.fit_view()
        assert made.plane.view[1] >= 30


def test_another_document_brings_its_own_view(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        made.show_view((-1, 1, -1, 1))
        made.store.open(stage.scene(xy=1e6 * stage.FOUR), None, say("Open"))
        assert made.plane.view[1] > 1e6
        kept = replace(stage.scene(), views=(("classification", (0.0, 0.5, 0.0, 0.5)),))
        made.store.open(kept, None, say("Open"))
        assert made.plane.view[0] <= 0 and made.plane.view[1] < 1
        settled(qtbot, made)


def test_each_task_has_a_view_of_its_own(qtbot: object) -> None:
    both = replace(stage.scene(), regression=Points([[0.0, 100.0], [10.0, 300.0]], names=("x", "t")))
    with canvas(qtbot, both) as made:
        made.show_view((-3, 3, -3, 3))
        classification = made.plane.view
        made.store.edit(made.store.scene.with_model("krr"), say("Model"))
        assert made.plane.view[3] >= 300 and made.plane.view[1] < 20  # axes of their own
        settled(qtbot, made)
        made.store.edit(made.store.scene.with_model("svm"), say("Model"))
        settled(qtbot, made)
        np.testing.assert_allclose(made.plane.view, classification, rtol=1e-9)


def test_undo_leaves_the_view_alone(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        scene = made.store.scene
        made.store.edit(scene.with_points(scene.points.add([(0.5, 0.5)])), say("Add point"))
        made.show_view((-5, 5, -5, 5))
        view = made.plane.view
        made.store.undo()
        assert made.plane.view == view
        settled(qtbot, made)


def test_resized_it_shows_at_least_the_same_and_asks_for_a_picture_of_it(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        made.resize(400, 600)
        settled(qtbot, made)
        view, field = made.plane.view, made.plot.layers.field
        assert field is not None and field.y[1] >= view[3] and field.y[0] <= view[2]
        sx, sy = made.plane.scale
        assert sx == pytest.approx(sy)


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e6, 1e9])
def test_data_of_any_scale_are_shown_and_moved(qtbot: object, scale: float) -> None:
    with canvas(qtbot, stage.scene(xy=scale * stage.FOUR)) as made:
        at = made.to_pixels(scale, scale)
        np.testing.assert_allclose(made.to_data(at), (scale, scale), atol=scale / 100)
        stage.drag(made, at, made.to_pixels(0, 0.5 * scale))
        np.testing.assert_allclose(made.store.scene.points.xy[1], (0, 0.5 * scale), atol=scale / 50)
        assert made.plot.axes.left(*made.plane.view[2:], made.plane.height) < 90


def test_data_far_from_zero_are_shown_and_moved(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(xy=stage.FOUR + 1e6)) as made:
        at = made.to_pixels(1e6 + 1, 1e6 + 1)
        stage.drag(made, at, made.to_pixels(1e6, 1e6 + 0.5))
        np.testing.assert_allclose(made.store.scene.points.xy[1], (1e6, 1e6 + 0.5), atol=0.02)
        settled(qtbot, made)


@pytest.mark.parametrize("xy", [np.zeros((0, 2)), np.zeros((1, 2)), np.ones((3, 2)), [[0, 0], [0, 1]]])
def test_no_point_one_point_all_in_one_place(qtbot: object, xy: object) -> None:
    with canvas(qtbot, stage.scene(xy=xy, cls=np.zeros(len(xy)))) as made:  # type: ignore[arg-type]
        assert (made.plot.over.hint is not None) == (len(xy) == 0)  # type: ignore[arg-type]
        made.fit_view()
        x0, x1, y0, y1 = made.plane.view
        assert x1 > x0 and y1 > y0
        assert not made.grab().toImage().isNull()


def test_a_problem_dims_the_last_good_picture(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(margin="hard")) as made:
        assert not made.plot.layers.stale
        scene = made.store.scene
        made.store.edit(scene.with_points(scene.points.add([(-1.0, -1.0)], 1)), say("Add point"))
        settled(qtbot, made)
        assert made.plot.layers.stale and made.plot.layers.field is not None
        shown = made.grab().toImage()
        made.store.undo()
        settled(qtbot, made)
        assert not made.plot.layers.stale
        assert shown != made.grab().toImage()


def test_the_player_is_drawn_over_the_picture(qtbot: object) -> None:
    apart = np.array([[2.0, 2.0], [1.5, 2.5], [-2.0, -1.5], [-1.0, -2.5]])
    with canvas(qtbot, stage.scene("perceptron", apart, (0, 0, 1, 1))) as made:
        frames = made.store.picture.frames
        assert frames is not None and frames.count > 1
        done = made.plot.layers
        roles = set()
        for step in range(frames.count):
            made.store.play_at(step)
            roles |= {mark.role for mark in made.plot.layers.marks}
        assert {"looked_at", "added"} <= roles
        made.store.play_at(None)
        assert {mark.role for mark in made.plot.layers.marks} == {mark.role for mark in done.marks}


def test_a_change_of_theme_repaints_everything(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        light = made.grab().toImage()
        made.set_theme(DARK)
        dark = made.grab().toImage()
        at = made.to_pixels(-1, -1)
        assert stage.near(light.pixelColor(at), LIGHT.roles["class0"].fill)
        assert stage.near(dark.pixelColor(at), DARK.roles["class0"].fill)
        assert dark.pixelColor(2, 2).lightness() < 60 < light.pixelColor(2, 2).lightness()


def test_the_value_under_the_pointer_by_model() -> None:
    from kernelplay.compute import cold

    for model, start in (("svm", "f = "), ("gpc", "p = "), ("krr", "f(x) = "), ("gpr", "f(x) = ")):
        scene = stage.scene(model)
        assert str(reading(cold(scene), scene, 0.3, 0.2)).startswith(start)
    three = replace(stage.scene(cls=(0, 1, 2, 2)), classes=("a", "b", "c"))
    assert str(reading(cold(three), three, 1.0, 1.0)) == "class b"
    assert reading(None, three, 0, 0) is None
    assert reading(cold(stage.scene()), stage.scene("krr"), 0, 0) is None


def calls(function: object, do: Callable[[], None]) -> int:
    """Return how often `function` is called while `do` is."""
    count, code = 0, function.__code__  # type: ignore[attr-defined]

    def look(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is code

    sys.setprofile(look)
    try:
        do()
    finally:
        sys.setprofile(None)
    return count


def test_of_many_steps_in_one_turn_the_last_is_laid_out(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(), legend=True) as made:
        store, first = made.store, made.store.scene
        for place in range(9):
            scene = store.scene
            store.edit(scene.with_points(scene.points.add([(0.1 * place, 0.3)], place % 2)), say("Add point"))
        store.edit(store.scene.with_model("perceptron"), say("Choose"))
        settled(qtbot, made)

        def back() -> None:
            for _ in range(10):
                store.undo()

        assert calls(Seat.settle, back) <= 1 and store.scene.points == first.points
        assert len(made.plot.layers.points) and made.plot.legend.texts == tuple(
            entry.text for entry in entries(made.plot.layers.marks, made.plot.language)), "who reads it sees the last"
        settled(qtbot, made)


def test_of_pictures_that_come_while_the_window_is_busy_the_newest_is_shown(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        store = made.store
        shown: list[object] = []
        store.pictured.connect(lambda picture: shown.append(picture.scene))
        for place in range(3):
            scene = store.scene
            store.edit(scene.with_points(scene.points.add([(0.1 * place, 0.3)], place % 2)), say("Add point"))
            with store._latest._lock:  # no event is answered meanwhile
                assert store._latest._lock.wait_for(
                    lambda: store._latest._running is None and store._latest._waiting is None, 10.0)
        assert not shown
        QApplication.processEvents()
        assert shown[0] is store.scene
        settled(qtbot, made)
        assert all(scene is store.scene for scene in shown)
