"""From a Request to a Picture: what is reused, what a problem looks like, rows of the scene and rows of the fit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kernelplay.compute import Compute, Request, cold
from kernelplay.errors import Cancelled
from kernelplay.examples import Example, examples
from kernelplay.marks import Dots, Field
from kernelplay.scene import Points, Scene, data_view

XY = [[0.0, 0.0], [1.0, 0.2], [0.2, 1.0], [3.0, 3.0], [4.0, 3.2], [3.2, 4.0]]
SCENE = Scene().with_points(Points(XY, [0, 0, 0, 1, 1, 1]))


def request(scene: Scene, resolution: int = 24) -> Request:
    return Request(scene, data_view(scene), resolution)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.key)
def test_every_example_gives_a_picture_with_its_points(example: Example) -> None:
    scene = example.scene()
    picture = cold(scene, resolution=24)
    assert picture.problem is None and picture.canvas.key == "canvas" and not picture.stale
    dots = [mark for mark in picture.canvas.marks if isinstance(mark, Dots) and mark.layer == "points"]
    rows = np.concatenate([mark.index for mark in dots])
    assert sorted(rows.tolist()) == list(range(len(scene.points)))
    for mark in dots:
        np.testing.assert_array_equal(mark.xy, scene.points.xy[mark.index])
    assert picture.readouts and str(picture.status)
    for mark in picture.canvas.marks:
        for value in vars(mark).values():
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable, f"{mark.role} can be written to"


def test_the_fit_is_reused_when_only_the_view_changed() -> None:
    compute = Compute()
    first = compute.picture(request(SCENE))
    panned = dataclasses.replace(request(SCENE.with_view((0.0, 1.0, 0.0, 1.0))), view=(0.0, 1.0, 0.0, 1.0))
    assert compute.picture(panned).fit is first.fit
    layers = dataclasses.replace(SCENE, hidden=frozenset({"slack"}))
    assert compute.picture(request(layers)).fit is first.fit
    assert compute.picture(request(SCENE.with_value("C", 2.0))).fit is not first.fit
    assert compute.picture(request(SCENE.with_points(SCENE.points.move([0], [0.1, 0.1])))).fit is not first.fit


def test_a_warm_picture_equals_a_cold_one() -> None:
    compute = Compute()
    scene = SCENE
    for step in range(5):
        scene = scene.with_points(scene.points.move([0], [0.3 * step, 0.2 * step])).with_value("C", 1.0 + step)
        warm, fresh = compute.picture(request(scene)), cold(scene, resolution=24)
        np.testing.assert_allclose(warm.fit.f_train, fresh.fit.f_train, atol=1e-9)


def test_a_problem_is_said_and_the_last_good_picture_stays_behind_the_new_points() -> None:
    compute = Compute()
    good = compute.picture(request(SCENE))
    alone = SCENE.with_points(SCENE.points.remove([3, 4, 5]))
    picture = compute.picture(request(alone))
    assert picture.problem is not None and picture.stale and picture.fit is None
    assert str(picture.problem) == str(picture.status)
    behind = {mark for mark in good.canvas.marks if mark.layer != "points"}
    assert behind <= set(picture.canvas.marks)
    shown = sum(len(mark.xy) for mark in picture.canvas.marks if isinstance(mark, Dots) and mark.layer == "points")
    assert shown == 3
    again = compute.picture(request(SCENE))
    assert again.problem is None and not again.stale
    empty = compute.picture(request(SCENE.with_points(Points())))
    assert not empty.stale and empty.canvas.marks == () and empty.charts[1:] == ()


def test_an_empty_scene_is_a_picture_too() -> None:
    for scene in (Scene(), Scene().with_model("gpr")):
        picture = cold(scene)
        assert picture.problem is not None and not picture.stale and picture.canvas.marks == ()


def test_rows_are_those_of_the_scene_although_points_are_switched_off() -> None:
    scene = SCENE.with_points(SCENE.points.switch([0, 3], False))
    picture = cold(scene, resolution=24)
    for mark in picture.canvas.marks:
        if isinstance(mark, Dots) and len(mark.index):
            np.testing.assert_array_equal(mark.xy, scene.points.xy[mark.index])
    hard = scene.with_value("margin", "hard").with_value("kernel", {"name": "linear"})
    crossed = hard.with_points(hard.points.add(XY[1], 1))
    conflict = cold(crossed, resolution=24).conflict
    assert set(conflict) == {1, 6}, "the point and its double of the other class"


def test_check_stops_the_work() -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Compute().picture(request(SCENE), stop)


def test_the_cells_of_the_field_follow_the_shape_of_the_canvas() -> None:
    for aspect in (2.0, 0.5):
        field = next(mark for mark in cold(SCENE, resolution=40, aspect=aspect).canvas.marks if isinstance(mark, Field))
        ny, nx = field.values.shape
        assert max(nx, ny) in range(40, 45), "some cells may hang over the edges"
        assert nx / ny == pytest.approx(aspect, rel=0.1)
