"""Undo and redo: one gesture is one step, the view is none, everything can be taken back."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay.history import BYTES, LIMIT, History
from kernelplay.i18n import say
from kernelplay.scene import Scene

FIRST = Scene()


def place(scene: Scene, x: float) -> Scene:
    return scene.with_points(scene.points.add([x, 0.0]))


@given(st.lists(st.tuples(st.sampled_from(["edit", "drag", "undo", "redo", "look"]), st.floats(-9, 9)), max_size=30))
@settings(max_examples=60, deadline=None)
def test_all_undone_is_the_beginning_and_all_redone_the_end(actions: list[tuple[str, float]]) -> None:
    history = History.start(FIRST, say("Open"))
    for number, (action, x) in enumerate(actions):
        match action:
            case "edit":
                history = history.edit(place(history.scene, x), say("Add point"))
            case "drag":
                history = history.edit(place(history.scene, x), say("Move"), f"drag {number // 5}")
            case "undo":
                history = history.undo()
            case "redo":
                history = history.redo()
            case "look":
                history = history.look(history.scene.with_view((x, x + 1, 0.0, 1.0)))
    end, view = history.scene, history.scene.views
    while history.undoable:
        history = history.undo()
    assert history.scene.digest == FIRST.digest and history.scene.views == view
    while history.redoable:
        history = history.redo()
    assert history.at == len(history.steps) - 1
    assert history.scene.views == view
    assert len(history.steps) <= len(actions) + 1
    if not any(action == "undo" for action, _ in actions):
        assert history.scene.digest == end.digest


def test_a_gesture_is_one_step_and_the_next_one_another() -> None:
    history = History.start(FIRST, say("Open"))
    for x in (1.0, 2.0, 3.0):
        history = history.edit(place(FIRST, x), say("Move"), "a")
    assert len(history.steps) == 2 and history.scene.points.xy.tolist() == [[3, 0]]
    history = history.edit(place(FIRST, 4.0), say("Move"), "b")
    assert history.undo().scene.points.xy.tolist() == [[3, 0]]
    assert history.undo().undo().scene is FIRST


def test_a_new_edit_drops_what_was_undone() -> None:
    history = History.start(FIRST, say("Open")).edit(place(FIRST, 1.0), say("A")).undo()
    history = history.edit(place(FIRST, 2.0), say("B"))
    assert history.redoable is None and str(history.undoable) == "B"


def test_steps_are_named_and_limited() -> None:
    history = History.start(FIRST, say("Open"))
    assert history.undoable is None and history.undo() == history
    for x in range(LIMIT + 20):
        history = history.edit(place(FIRST, float(x)), say("Add"))
    assert len(history.steps) == LIMIT and history.scene.points.xy[0, 0] == LIMIT + 19
    assert str(history.undo().redoable) == "Add"


def test_any_step_can_be_gone_to_and_the_view_stays() -> None:
    history = History.start(FIRST, say("Open"))
    for x in range(4):
        history = history.edit(place(FIRST, float(x)), say("Add"))
    history = history.look(history.scene.with_view((0.0, 1.0, 0.0, 1.0)))
    back = history.go(2)
    assert back.scene.points.xy[0, 0] == 1 and back.scene.view == (0.0, 1.0, 0.0, 1.0)
    assert back.go(99).at == 4 and back.go(-3).at == 0 and back.go(4).scene.points.xy[0, 0] == 3


def test_drags_of_many_points_stay_within_the_memory_allowed() -> None:
    points = FIRST.points.add(np.zeros((100_000, 2)))
    history = History.start(FIRST.with_points(points), say("Open"))
    for step in range(200):
        moved = points.move([0], [[float(step), 0.0]])
        history = history.edit(FIRST.with_points(moved), say("Move point"), f"drag {step}")
    arrays = {id(array): array.nbytes for step in history.steps
              for array in (step.scene.points.xy, step.scene.points.cls, step.scene.points.on)}
    assert 0.9 * BYTES < sum(arrays.values()) <= 1.05 * BYTES
    assert history.scene.points.xy[0, 0] == 199 and history.undo().scene.points.xy[0, 0] == 198
    edited = history.edit(FIRST.with_points(points.add(np.zeros((10_000_000, 2)))), say("Paste"))
    assert edited.undo().scene.points.xy[0, 0] == 199, "one step back is always possible"


def test_a_step_alone_is_the_current_one_and_of_the_same_origin() -> None:
    history = History.start(FIRST, say("Open"))
    for x in (1.0, 2.0):
        history = history.edit(place(history.scene, x), say("Add point"))
    middle = history.undo()
    alone = middle.alone()
    assert alone.scene is middle.scene and alone.origin == middle.origin
    assert alone.undoable is None and alone.redoable is None and len(alone.steps) == 1
