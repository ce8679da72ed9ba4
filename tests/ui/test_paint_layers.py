"""What stands on the canvas: an older picture under the points of this moment, the step of the player."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import stage
from stage import dots, field, line

from kernelplay.compute import cold
from kernelplay.i18n import verbatim
from kernelplay.marks import Chart, Dots, Field, Frame, Mark, Picture, read_only
from kernelplay.scene import Points, Scene
from kernelplay.ui.layers import layers


def picture(scene: Scene, *marks: Mark, stale: bool = False) -> Picture:
    return Picture((Chart("canvas", verbatim(""), marks),), verbatim(""), scene=scene, stale=stale)


def places(marks: tuple[Mark, ...], role: str) -> np.ndarray:
    found = [mark.xy for mark in marks if isinstance(mark, Dots) and mark.role == role]
    return np.vstack(found) if found else np.zeros((0, 2))


RING = dots("support_free", stage.FOUR[:2], "support")


def test_points_are_those_of_the_scene_before_the_worker_has_answered() -> None:
    before = stage.scene()
    after = before.with_points(before.points.move([1], [[0.5, 0.5]]))
    shown = layers(picture(before, field(), RING, *dots_of(before)), after)
    np.testing.assert_array_equal(places(shown.points, "class1"), [[0.5, 0.5], [1, -1]])
    np.testing.assert_array_equal(places(shown.behind, "support_free"), [[-1, -1], [0.5, 0.5]])  # the ring went along
    assert any(isinstance(mark, Field) for mark in shown.behind)


def dots_of(scene: Scene) -> tuple[Mark, ...]:
    from kernelplay.scene import point_marks

    return point_marks(scene)


def test_rings_stay_where_they_were_when_rows_have_changed() -> None:
    before = stage.scene()
    shown = layers(picture(before, RING), before.with_points(before.points.remove([0])))
    np.testing.assert_array_equal(places(shown.behind, "support_free"), stage.FOUR[:2])
    assert len(places(shown.points, "class0")) == 1


def test_a_picture_of_the_other_task_is_not_shown() -> None:
    shown = layers(picture(stage.scene(), field(), RING), stage.scene("krr"))
    assert shown.behind == () and len(places(shown.points, "target")) == 4


def test_without_a_picture_there_are_the_points_and_room_for_what_comes() -> None:
    shown = layers(None, stage.scene())
    assert shown.behind == () and shown.bar and len(shown.points) == 2


def test_hidden_layers_are_left_out_at_once() -> None:
    scene = stage.scene()
    made = picture(scene, field(), line("boundary", (0, 0), (1, 1)), RING)
    hidden = replace(scene, hidden=frozenset({"field", "support", "legend", "contour_labels"}))
    shown = layers(made, hidden)
    assert [mark.role for mark in shown.behind] == ["boundary"]
    assert not shown.legend and not shown.contour_labels and shown.field is None
    assert layers(made, replace(scene, hidden=frozenset({"points"}))).points == ()


def test_crosses_and_conflicts_are_in_front_of_the_points() -> None:
    scene = stage.scene()
    cross = dots("error", stage.FOUR[:1], "errors")
    shown = layers(picture(scene, cross, RING), scene)
    assert shown.front == (shown.front[0],) and shown.front[0].role == "error"
    assert shown.marks[-1] is shown.front[0]


def test_a_step_of_the_player_replaces_layers_of_the_finished_picture() -> None:
    scene = stage.scene()
    made = picture(scene, field(), line("boundary", (0, 0), (1, 1)))
    frame = Frame(verbatim(""), (line("boundary", (5, 5), (6, 6)), dots("looked_at", stage.FOUR[:1], "steps")),
                  replaces=("boundary", "field"))
    shown = layers(made, scene, frame)
    (boundary,) = (mark for mark in shown.behind if mark.role == "boundary")
    assert boundary is frame.canvas[0] and shown.field is None
    assert [mark.role for mark in shown.front] == ["looked_at"]


def test_points_inside_the_tube_are_faded_and_those_switched_off_too() -> None:
    x = np.linspace(0, 6, 12)
    scene = stage.scene("svr", np.column_stack([x, np.sin(x)]), (), epsilon=0.3)
    shown = layers(cold(scene), scene)
    assert len(places(shown.points, "faded")) + len(places(shown.points, "target")) == 12
    assert 0 < len(places(shown.points, "faded")) < 12
    off = scene.with_points(scene.points.switch([0, 1], on=False))
    labels = {str(mark.label) for mark in layers(cold(off), off).points}
    assert {"switched off", "data", "inside the tube"} <= labels
    rows = np.concatenate([mark.index for mark in layers(cold(off), off).points if isinstance(mark, Dots)])
    assert sorted(rows.tolist()) == list(range(12))  # each point exactly once


def test_a_problem_leaves_the_last_good_picture_marked_as_stale() -> None:
    from kernelplay.compute import Compute, Request

    good = stage.scene(margin="hard")
    bad = good.with_points(Points(np.vstack([stage.FOUR, [[-1, -1]]]), np.array([0, 1, 0, 1, 1])))
    compute = Compute()
    compute.picture(Request(good, (-2, 2, -2, 2)))
    shown = layers(compute.picture(Request(bad, (-2, 2, -2, 2))), bad)
    assert shown.stale and shown.field is not None
    assert [mark.role for mark in shown.front] == ["conflict"]
    none = bad.with_points(Points())
    assert layers(compute.picture(Request(none, (-2, 2, -2, 2))), none).marks == ()  # nothing is behind no points


def test_a_group_of_no_faded_points_is_left_out() -> None:
    scene = stage.scene()
    none = Dots("faded", "points", xy=read_only(np.zeros((0, 2))), index=read_only(np.zeros(0), np.intp))
    assert [mark.role for mark in layers(picture(scene, none), scene).points] == ["class0", "class1"]
