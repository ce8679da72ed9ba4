"""Gestures without a window: each tool is driven by presses, moves and releases alone."""

from __future__ import annotations

import numpy as np
import pytest

from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.tools import (
    TOOLS,
    Edit,
    Gesture,
    Hand,
    Menu,
    Move,
    Pan,
    Press,
    Release,
    Select,
    erase,
    other_class,
    shift,
)

XY = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
HAND = Hand(unit=(0.01, 0.01))


def scene(task: str = "classification", classes: tuple[str, ...] = ("+1", "−1")) -> Scene:
    made = Scene(model=build("model", {"name": "svm" if task == "classification" else "krr"}), classes=classes)
    return made.with_points(Points(XY, np.array([0, 1, 0, 1]) if task == "classification" else np.zeros(4)))


def begin(tool: str, press: Press, on: Scene | None = None, hand: Hand = HAND) -> tuple[Gesture, object]:
    gesture = TOOLS[tool](press, on or scene(), hand)
    return gesture, next(gesture)


def end(gesture: Gesture, event: Release) -> object:
    try:
        return gesture.send(event)
    except StopIteration:
        return None


def test_a_click_on_empty_canvas_adds_a_point_exactly_there() -> None:
    gesture, answer = begin("point", Press(0.3, 0.7), hand=Hand(cls=1))
    assert answer is None  # nothing before the release: it may become a drag of the view
    edit = end(gesture, Release(0.31, 0.69))
    assert isinstance(edit, Edit)
    assert edit.scene.points.xy[-1].tolist() == [0.3, 0.7]  # where the press was, not where the hand shook to
    assert edit.scene.points.cls[-1] == 1
    assert len(edit.scene.points) == 5


def test_a_drag_that_starts_on_empty_canvas_moves_the_view() -> None:
    gesture, _ = begin("point", Press(0.3, 0.7))
    assert gesture.send(Move(0.5, 0.5)) == Pan()


def test_the_right_button_adds_the_other_class_of_two() -> None:
    for cls in (0, 1):
        gesture, answer = begin("point", Press(0.3, 0.7, "right"), hand=Hand(cls=cls))
        assert answer is None
        edit = end(gesture, Release(0.3, 0.7))
        assert isinstance(edit, Edit) and edit.scene.points.cls[-1] == 1 - cls


@pytest.mark.parametrize("on", [scene("regression"), scene(classes=("a", "b", "c"))])
def test_the_right_button_opens_the_menu_where_there_is_no_other_class(on: Scene) -> None:
    assert other_class(on, 0) is None
    assert begin("point", Press(0.3, 0.7, "right"), on)[1] == Menu(None)


@pytest.mark.parametrize("tool", ["point", "select", "eraser"])
def test_the_right_button_on_a_point_opens_its_menu(tool: str) -> None:
    assert begin(tool, Press(1, 0, "right", row=1))[1] == Menu(1)


def test_dragging_a_point_moves_it_by_what_the_pointer_moved() -> None:
    gesture, answer = begin("point", Press(1.02, 0.01, row=1))  # not exactly on its centre
    assert answer is None
    for x, y in ((1.5, 0.5), (2.02, -0.99)):
        edit = gesture.send(Move(x, y))
    assert isinstance(edit, Edit)
    np.testing.assert_allclose(edit.scene.points.xy[1], [2.0, -1.0])
    np.testing.assert_array_equal(np.delete(edit.scene.points.xy, 1, axis=0), np.delete(XY, 1, axis=0))


def test_dragging_one_of_the_selection_moves_all_of_it() -> None:
    gesture, _ = begin("point", Press(0, 0, row=0), hand=Hand(selection=frozenset({0, 3})))
    edit = gesture.send(Move(0.5, 0.25))
    assert isinstance(edit, Edit)
    np.testing.assert_allclose(edit.scene.points.xy, [[0.5, 0.25], [1, 0], [0, 1], [1.5, 1.25]])


def test_dragging_another_point_leaves_the_selection_where_it_is() -> None:
    gesture, _ = begin("point", Press(0, 1, row=2), hand=Hand(selection=frozenset({0, 3})))
    edit = gesture.send(Move(0, 2))
    assert isinstance(edit, Edit)
    np.testing.assert_allclose(edit.scene.points.xy, [[0, 0], [1, 0], [0, 2], [1, 1]])


def test_a_click_on_a_point_selects_it_and_with_ctrl_extends() -> None:
    gesture, _ = begin("point", Press(0, 1, row=2), hand=Hand(selection=frozenset({0})))
    assert end(gesture, Release(0, 1)) == Select(frozenset({2}))
    for before, after in (({0}, {0, 2}), ({0, 2}, {0})):
        gesture, _ = begin("point", Press(0, 1, row=2, ctrl=True), hand=Hand(selection=frozenset(before)))
        assert end(gesture, Release(0, 1)) == Select(frozenset(after))


@pytest.mark.parametrize(("tool", "held"), [("point", True), ("brush", True), ("eraser", True), ("select", False)])
def test_a_box_selects_what_is_in_it(tool: str, held: bool) -> None:
    gesture, answer = begin(tool, Press(-0.5, 0.5, shift=held))
    assert answer is None
    answer = gesture.send(Move(1.5, 1.5))
    assert answer == Select(frozenset({2, 3}), (-0.5, 1.5, 0.5, 1.5))
    assert gesture.send(Release(0.5, 1.5)) == Select(frozenset({2}), None)  # the box is gone, its rows stay


def test_a_box_with_ctrl_adds_to_the_selection() -> None:
    gesture, _ = begin("select", Press(-0.5, 0.5, ctrl=True), hand=Hand(selection=frozenset({1})))
    assert gesture.send(Move(0.5, 1.5)) == Select(frozenset({1, 2}), (-0.5, 0.5, 0.5, 1.5))


def test_a_click_of_the_select_tool_on_nothing_selects_nothing() -> None:
    gesture, _ = begin("select", Press(0.5, 0.5), hand=Hand(selection=frozenset({1})))
    assert end(gesture, Release(0.5, 0.5)) == Select(frozenset())


def test_the_brush_sprays_at_its_rate_within_its_radius() -> None:
    hand = Hand(cls=1, radius=50, rate=20, unit=(0.01, 0.02))
    gesture, answer = begin("brush", Press(5, 5), hand=hand)
    assert isinstance(answer, Edit) and len(answer.scene.points) == 5  # one at once
    answer = gesture.send(Move(5, 5, time=2.0))
    assert isinstance(answer, Edit)
    new = answer.scene.points.xy[4:]
    assert len(new) == 1 + 40 and set(answer.scene.points.cls[4:]) == {1}
    apart = np.hypot(*((new - 5) / hand.unit).T)  # in pixels
    assert apart.max() <= 50 and apart.max() > 35


def test_the_same_stroke_sprays_the_same_points_however_often_it_is_reported() -> None:
    strokes = []
    for times in ([0.1, 0.5, 0.9, 1.0], [1.0]):
        gesture, _ = begin("brush", Press(5, 5))
        for time in times:
            answer = gesture.send(Move(5, 5, time))
        assert isinstance(answer, Edit)
        strokes.append(answer.scene.points.xy)
    np.testing.assert_array_equal(*strokes)


def test_the_eraser_deletes_what_it_passes_even_between_two_reports() -> None:
    gesture, answer = begin("eraser", Press(-0.5, 0.02))
    assert answer is None  # nothing is near
    answer = gesture.send(Move(1.5, 0.02))  # passes over rows 0 and 1 in one step
    assert isinstance(answer, Edit)
    np.testing.assert_array_equal(answer.scene.points.xy, XY[2:])
    assert gesture.send(Move(1.6, 0.02)) is None  # nothing new
    answer = gesture.send(Move(1.0, 1.0))
    assert isinstance(answer, Edit)
    np.testing.assert_array_equal(answer.scene.points.xy, XY[[2]])


def test_edits_start_from_the_scene_at_the_press() -> None:
    """So that taking back one step undoes the whole gesture."""
    on = scene()
    gesture, _ = begin("point", Press(0, 0, row=0), on)
    gesture.send(Move(9, 9))
    edit = gesture.send(Move(0, 0))
    assert isinstance(edit, Edit)
    np.testing.assert_array_equal(edit.scene.points.xy, on.points.xy)


def test_edits_by_key_do_what_the_mouse_does() -> None:
    on = scene()
    moved = shift(on, frozenset({1, 2}), 0.5, -1).scene.points.xy
    np.testing.assert_allclose(moved, [[0, 0], [1.5, -1], [0.5, 0], [1, 1]])
    assert erase(on, frozenset({0, 1, 2})).scene.points.xy.tolist() == [[1.0, 1.0]]


def test_points_of_regression_have_no_class() -> None:
    gesture, _ = begin("point", Press(2, 2), scene("regression"), Hand(cls=1))
    edit = end(gesture, Release(2, 2))
    assert isinstance(edit, Edit) and edit.scene.points.cls[-1] == 0
