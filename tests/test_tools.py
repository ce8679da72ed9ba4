"""Gestures without a window: each tool is driven by presses, moves and releases alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay.errors import FitError
from kernelplay.history import History
from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.session import LARGEST
from kernelplay.spec import build, kinds
from kernelplay.tools.arrange import ARRANGEMENTS, arranged
from kernelplay.tools.base import Tool
from kernelplay.tools.edits import copied, erase, other_class, shift
from kernelplay.tools.events import Aim, Edit, Gesture, Hand, Menu, Move, Pan, Press, Release, Select, node
from kernelplay.tools.gestures import crossed
from kernelplay.tools.grid import Grid, round_step
from kernelplay.tools.held import BEATS

TOOLS: dict[str, Tool] = {key: cls() for key, cls in kinds("tool").items()}
XY = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
HAND = Hand(unit=(0.01, 0.01))


def scene(task: str = "classification", classes: tuple[str, ...] = ("+1", "−1")) -> Scene:
    made = Scene(model=build("model", {"name": "svm" if task == "classification" else "krr"}), classes=classes)
    return made.with_points(Points(XY, np.array([0, 1, 0, 1]) if task == "classification" else np.zeros(4)))


def begin(tool: str | Tool, press: Press, on: Scene | None = None, hand: Hand = HAND) -> tuple[Gesture, object]:
    gesture = (TOOLS[tool] if isinstance(tool, str) else tool)(press, on or scene(), hand)
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


@pytest.mark.parametrize(("tool", "held"), [(key, key != "select") for key in TOOLS if key != "lasso"])
def test_a_box_selects_what_is_in_it(tool: str, held: bool) -> None:
    gesture, answer = begin(tool, Press(-0.5, 0.5, shift=held))  # of every tool with Shift
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
    hand = Hand(cls=1, unit=(0.01, 0.02))
    gesture, answer = begin(build("tool", {"name": "brush", "radius": 50, "rate": 20}), Press(5, 5), hand=hand)
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


def test_a_fast_stroke_of_the_brush_is_sprayed_along_its_way_and_not_where_it_ends() -> None:
    hand, strokes = Hand(unit=(0.01, 0.01)), []
    for times in (np.linspace(0.0, 1.0, 101)[1:].tolist(), [0.37, 1.0]):
        gesture, _ = begin(build("tool", {"name": "brush", "radius": 10, "rate": 40}), Press(0, 5), hand=hand)
        for time in times:
            answer = gesture.send(Move(8 * time, 5, time))
        assert isinstance(answer, Edit)
        strokes.append(answer.scene.points.xy[4:])
    np.testing.assert_allclose(*strokes, atol=1e-9)
    middles = 8 * np.arange(41) / 40
    assert np.abs(strokes[0][:, 0] - middles).max() <= 0.1 + 1e-9, "each within the disc as it passed"


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


# the lasso

def lasso(loop: list[tuple[float, float]], on: Scene, hand: Hand = HAND, **held: bool) -> Select:
    gesture, _ = begin("lasso", Press(*loop[0], **held), on, hand)  # type: ignore[arg-type]
    for corner in loop[1:]:
        gesture.send(Move(*corner))
    answer = gesture.send(Release(*loop[-1]))
    assert isinstance(answer, Select) and answer.loop == () and answer.box is None
    return answer


def points(xy: Any) -> Scene:
    return scene().with_points(Points(np.asarray(xy, float), np.zeros(len(xy), int)))


def inside_exactly(x: float, y: float, loop: list[tuple[float, float]]) -> bool:
    """Whether the ray to the right of (x, y) meets the closed loop an odd number of times, in fractions."""
    odd = False
    for (ax, ay), (bx, by) in zip(loop, loop[1:] + loop[:1], strict=True):
        if (ay <= y) != (by <= y):
            at = Fraction(ax) + (Fraction(y) - Fraction(ay)) * (Fraction(bx) - Fraction(ax)) / (
                Fraction(by) - Fraction(ay))
            odd ^= at > Fraction(x)
    return odd


def test_a_lasso_selects_what_is_in_it_and_draws_its_way() -> None:
    gesture, answer = begin("lasso", Press(-0.5, -0.5))
    assert answer is None
    gesture.send(Move(1.5, -0.5))
    answer = gesture.send(Move(-0.5, 1.7))  # a triangle around all but (1, 1)
    assert answer == Select(frozenset({0, 1, 2}), loop=((-0.5, -0.5), (1.5, -0.5), (-0.5, 1.7)))
    assert gesture.send(Release(0.2, -0.4)) == Select(frozenset({1, 2}))


def test_what_a_loop_goes_round_twice_is_outside() -> None:
    star = [(np.sin(a), np.cos(a)) for a in 4 * np.pi / 5 * np.arange(5)]
    tips = [(0.8 * x, 0.8 * y) for x, y in star]
    assert lasso([(float(x), float(y)) for x, y in star], points([(0, 0), *tips])).rows == frozenset(range(1, 6))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=2, max_size=9),
       st.sampled_from([1.0, 0.1, 1e-9, 3e7]))
def test_a_lasso_is_exact_also_for_points_on_its_edges_and_corners(loop: list[tuple[int, int]], unit: float) -> None:
    corners = [(x * unit, y * unit) for x, y in loop]
    xy = [(x * unit / 2, y * unit / 2) for x in range(-9, 10) for y in range(-9, 10)]
    wanted = frozenset(k for k, (x, y) in enumerate(xy) if inside_exactly(x, y, corners))
    assert lasso(corners, points(xy)).rows == wanted


def test_a_point_beside_an_edge_is_told_apart_where_rounding_cannot() -> None:
    a, b = (0.1, 0.1), (0.7, 0.7 + 1e-16)
    on = np.array([[0.3, 0.3], [0.3, np.nextafter(0.3, 1)], [0.3, np.nextafter(0.3, 0)], [0.5, 0.5]])
    slope = (Fraction(b[0]) - Fraction(a[0])) / (Fraction(b[1]) - Fraction(a[1]))
    wanted = [Fraction(a[0]) + (Fraction(y) - Fraction(a[1])) * slope > Fraction(x) for x, y in on.tolist()]
    assert crossed(on, a, b).tolist() == crossed(on, b, a).tolist() == wanted


@pytest.mark.parametrize("tool", ["select", "lasso"])
def test_ctrl_and_shift_extend_and_alt_takes_away(tool: str) -> None:
    around = [(-0.5, -0.5), (-0.5, 1.5), (0.5, 1.5), (0.5, -0.5)]  # rows 0 and 2
    hand = Hand(selection=frozenset({2, 3}))
    for held, wanted in ((("ctrl",), {0, 2, 3}), (("shift",), {0, 2, 3}), (("alt",), {3}), ((), {0, 2})):
        gesture, _ = begin(tool, Press(*around[0], **dict.fromkeys(held, True)), hand=hand)  # type: ignore[arg-type]
        for corner in (*around[1:], *((around[2],) if tool == "select" else ())):
            answer = gesture.send(Move(*corner))
        assert isinstance(answer, Select) and answer.rows == frozenset(wanted), held


# clouds, shaking, the magnet

def test_a_dragged_cloud_lies_along_the_drag_with_the_wanted_deviations() -> None:
    tool = build("tool", {"name": "gaussian", "count": 5000, "ratio": 0.25})
    hand = Hand(cls=1, unit=(0.01, 0.04))
    gesture, answer = begin(tool, Press(1, 2), hand=hand)
    assert isinstance(answer, Aim)
    answer = gesture.send(Move(1 + 0.8, 2 + 2.4))  # 80 pixels right, 60 up
    assert isinstance(answer, Aim) and answer.middle == (1, 2)
    np.testing.assert_allclose(answer.along, (0.4, 1.2))  # one deviation is half of the way
    edit = end(gesture, Release(1.8, 4.4))
    assert isinstance(edit, Edit) and len(edit.scene.points) == 4 + 5000
    assert set(edit.scene.points.cls[4:].tolist()) == {1}
    pixels = (edit.scene.points.xy[4:] - (1, 2)) / hand.unit
    long, short = pixels @ (0.8, 0.6), pixels @ (-0.6, 0.8)
    # deviations of 5,000 draws are within 5 % but once in 10^6
    assert long.std() == pytest.approx(50, rel=0.05) and short.std() == pytest.approx(12.5, rel=0.05)
    assert abs(np.corrcoef(long, short)[0, 1]) < 0.07
    assert abs(long.mean()) < 4 and abs(short.mean()) < 1


def test_a_cloud_by_a_click_lies_flat() -> None:
    gesture, answer = begin(build("tool", {"name": "gaussian", "count": 400, "ratio": 0.1}), Press(0, 0))
    edit = end(gesture, Release(0, 0))
    assert isinstance(answer, Aim) and isinstance(edit, Edit)
    np.testing.assert_allclose((answer.along, answer.across), ((0.3, 0), (0, 0.03)), atol=1e-12)
    assert np.ptp(edit.scene.points.xy[4:, 0]) > 5 * np.ptp(edit.scene.points.xy[4:, 1])


def test_shaking_moves_what_is_under_it_as_far_as_it_says() -> None:
    xy = np.zeros((2000, 2))
    on = points(np.vstack([xy, [[9, 9]]]))
    tool = build("tool", {"name": "jitter", "radius": 2000, "strength": 10})
    gesture, first = begin(build("tool", {"name": "jitter", "radius": 100, "strength": 10}), Press(0, 0), on)
    assert isinstance(first, Edit) and (first.scene.points.xy[-1] == 9).all()
    gesture, _ = begin(tool, Press(0, 0), on)
    edit = gesture.send(Move(0, 0, time=1 - 1 / BEATS))  # with the press, as many beats as a second has
    assert isinstance(edit, Edit)
    moved = (edit.scene.points.xy[:-1] - 0) / HAND.unit
    assert moved.std(axis=0) == pytest.approx([10, 10], rel=0.08)


def test_the_magnet_pulls_and_pushes_along_the_ray_and_never_across() -> None:
    angles = np.linspace(0, 6, 40)
    share = np.linspace(0.02, 1.5, 40)
    xy = np.column_stack([share * np.cos(angles), share * np.sin(angles)])
    on = points(xy)
    for press, pulls in ((Press(0, 0), True), (Press(0, 0, ctrl=True), False), (Press(0, 0, "right"), False)):
        gesture, _ = begin(build("tool", {"name": "magnet", "radius": 100, "strength": 5}), press, on)
        edit = gesture.send(Move(0, 0, time=3.0))
        assert isinstance(edit, Edit)
        after = np.hypot(*edit.scene.points.xy.T)
        inside = share < 1
        assert (after[~inside] == share[~inside]).all() or np.allclose(after[~inside], share[~inside], atol=1e-15)
        assert (after[inside] < share[inside]).all() if pulls else (after[inside] > share[inside]).all()
        assert (after[inside] <= 1 + 1e-12).all()
        cosine = (edit.scene.points.xy * xy).sum(axis=1) / (after * share)
        np.testing.assert_allclose(cosine, 1)


def test_a_magnet_pulls_as_the_formula_says() -> None:
    _, answer = begin(build("tool", {"name": "magnet", "radius": 100, "strength": 3}), Press(0, 0),
                            points([(0.5, 0)]))
    assert isinstance(answer, Edit)
    assert answer.scene.points.xy[0, 0] == pytest.approx(0.5 * np.exp(-3 * (1 - 0.5) / BEATS))


@pytest.mark.parametrize("tool", ["jitter", "magnet"])
def test_a_stroke_is_the_same_however_often_it_is_reported(tool: str) -> None:
    on = points(np.random.default_rng(0).uniform(-1, 1, (60, 2)))
    ends = []
    for times in ([1.0], [0.5, 1.0], np.linspace(0.01, 1.0, 87).tolist()):
        gesture, edit = begin(tool, Press(-1, 0), on)
        for time in times:
            edit = gesture.send(Move(-1 + 2 * time, 0, time)) or edit
        assert isinstance(edit, Edit)
        ends.append(edit.scene.points.xy)
    assert not np.array_equal(ends[0], on.points.xy)
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)
    np.testing.assert_allclose(ends[2], ends[0], atol=1e-9)


def test_a_second_shake_does_not_repeat_the_first() -> None:
    one = begin("jitter", Press(0, 0))[1]
    assert isinstance(one, Edit)
    two = begin("jitter", Press(0, 0), one.scene)[1]
    assert isinstance(two, Edit)
    first, second = one.scene.points.xy - XY, two.scene.points.xy - one.scene.points.xy
    assert not np.allclose(first[0], second[0])


# copies, the grid

def test_alt_drags_a_copy_away_with_class_and_switch() -> None:
    on = scene()
    on = on.with_points(on.points.switch([1], False))
    gesture, _ = begin("point", Press(1, 0, row=1, alt=True), on, Hand(selection=frozenset({1, 2})))
    gesture.send(Move(7, 7))
    edit = gesture.send(Move(2, 0.5))
    assert isinstance(edit, Edit) and edit.selection == frozenset({4, 5})
    np.testing.assert_allclose(edit.scene.points.xy, [*XY.tolist(), [2, 0.5], [1, 1.5]])
    assert edit.scene.points.cls.tolist() == [0, 1, 0, 1, 1, 0]
    assert edit.scene.points.on.tolist() == [True, False, True, True, False, True]
    gesture, _ = begin("point", Press(1, 0, row=1, alt=True), on)
    assert end(gesture, Release(1, 0)) == Select(frozenset({1}))  # a click makes no copy


def test_duplicates_of_all_are_after_them() -> None:
    edit = copied(scene(), frozenset(range(4)), 0.5, 0)
    np.testing.assert_array_equal(edit.scene.points.xy[4:] - XY, [[0.5, 0]] * 4)


def test_on_a_grid_clicks_and_drags_land_on_its_nodes() -> None:
    hand = Hand(grid=(0.1, 0.25), selection=frozenset({0, 1}))
    gesture, _ = begin("point", Press(0.34, 0.7), hand=hand)
    edit = end(gesture, Release(0.34, 0.7))
    assert isinstance(edit, Edit) and edit.scene.points.xy[-1].tolist() == [0.3, 0.75]
    odd = scene().with_points(Points([[0.03, 0.01], [1.0, 0.02], [5.0, 5.0]], np.zeros(3, int)))
    gesture, _ = begin("point", Press(0.04, 0.02, row=0), odd, hand)
    edit = gesture.send(Move(0.37, 0.52))
    assert isinstance(edit, Edit)  # the one that was taken lands on a node, the other keeps its place beside it
    np.testing.assert_allclose(edit.scene.points.xy, [[0.4, 0.5], [1.37, 0.51], [5, 5]])
    gesture, aim = begin("gaussian", Press(0.34, 0.7), hand=hand)
    assert isinstance(aim, Aim) and aim.middle == (0.3, 0.75)


@settings(deadline=None, max_examples=200)
@given(st.floats(-1e12, 1e12), st.sampled_from([0.1, 0.25, 0.001, 3.0, 7e-5, 1e6]))
def test_a_node_is_the_nearest_multiple(value: float, step: float) -> None:
    at = node(value, step)
    assert abs(at - value) <= step / 2 * (1 + 1e-6) + 6e-15 * abs(value)
    assert at == pytest.approx(round(value / step) * step, rel=1e-14, abs=0)
    assert node(at, step) == at or abs(value / step) > 1e13  # a node stays where it is


def test_steps_of_a_grid_are_round_and_suit_the_view() -> None:
    for size, step in ((0.1, 0.1), (0.13, 0.1), (0.15, 0.2), (0.34, 0.5), (0.9, 1.0), (7.3, 10.0), (3e-5, 2e-5)):
        assert round_step(size) == step
    assert Grid.fitting((-2, 2, -1, 1), square=True) == Grid(0.1, 0.1)
    assert Grid.fitting((1960, 2020, 0, 1), square=False) == Grid(2.0, 0.05)


# arrangements

ROWS = frozenset({0, 1, 3, 4})


def crowd(n: int = 6) -> Scene:
    return points(np.random.default_rng(3).normal(size=(n, 2)))


def places(name: str, on: Scene | None = None, hand: Hand = Hand(unit=(0.01, 0.03), grid=(0.5, 0.5))) -> Any:  # noqa: B008
    edit = arranged(on or crowd(), ROWS, ARRANGEMENTS[name], hand)
    assert edit is not None
    return edit.scene.points.xy[sorted(ROWS)]


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_an_arrangement_touches_the_selection_alone(name: str) -> None:
    on = crowd()
    edit = arranged(on, ROWS, ARRANGEMENTS[name], Hand(grid=(0.5, 0.5)))
    assert edit is not None and edit.selection is None
    others = [row for row in range(len(on.points)) if row not in ROWS]
    np.testing.assert_array_equal(edit.scene.points.xy[others], on.points.xy[others])
    assert edit.scene.points.cls is on.points.cls and edit.scene.points.on is on.points.on
    assert arranged(on, frozenset(), ARRANGEMENTS[name], HAND) is None


def test_aligned_points_have_one_coordinate_in_common() -> None:
    before = crowd().points.xy[sorted(ROWS)]
    low, high = before.min(axis=0), before.max(axis=0)
    for name, axis, value in (("left", 0, low[0]), ("right", 0, high[0]), ("bottom", 1, low[1]), ("top", 1, high[1]),
                              ("centre", 0, (low[0] + high[0]) / 2), ("middle", 1, (low[1] + high[1]) / 2)):
        after = places(name)
        assert (after[:, axis] == after[0, axis]).all() and after[0, axis] == pytest.approx(value)
        np.testing.assert_array_equal(after[:, 1 - axis], before[:, 1 - axis])
        if name in ("left", "right", "top", "bottom"):
            assert after[0, axis] == value  # to the last bit
        again = crowd().with_points(crowd().points.move(sorted(ROWS), after))
        assert arranged(again, ROWS, ARRANGEMENTS[name], HAND) is None  # they lie like that already


def test_spread_points_are_equally_far_apart_in_the_order_they_had() -> None:
    before = crowd().points.xy[sorted(ROWS)]
    for name, axis in (("across", 0), ("upwards", 1)):
        after = places(name)
        order = np.argsort(before[:, axis])
        gaps = np.diff(after[order, axis])
        np.testing.assert_allclose(gaps, gaps[0])
        assert after[order[0], axis] == before[order[0], axis] and after[order[-1], axis] == before[order[-1], axis]


def test_mirrored_twice_or_drawn_together_and_apart_everything_is_where_it_was() -> None:
    hand = Hand(unit=(0.01, 0.03))
    for names in (["mirror_x"] * 2, ["mirror_y"] * 2, ["closer", "apart"]):
        on = crowd()
        for name in names:
            edit = arranged(on, ROWS, ARRANGEMENTS[name], hand)
            assert edit is not None
            on = edit.scene
        np.testing.assert_allclose(on.points.xy, crowd().points.xy, atol=1e-12)


def test_a_turn_keeps_what_is_seen_of_the_shape() -> None:
    unit = (0.01, 0.03)
    before, after = crowd().points.xy[sorted(ROWS)] / unit, places("turn_left", hand=Hand(unit=unit)) / unit
    def gaps(xy: Any) -> Any:
        return np.hypot(*(xy[:, None] - xy[None]).T)

    np.testing.assert_allclose(gaps(before), gaps(after))
    turned = complex(*(after[1] - after[0])) / complex(*(before[1] - before[0]))
    assert np.angle(turned) == pytest.approx(np.radians(15))


def test_onto_the_grid() -> None:
    after = places("nodes")
    np.testing.assert_array_equal(after, np.round(crowd().points.xy[sorted(ROWS)] / 0.5) * 0.5)


def test_what_would_be_carried_out_of_reach_stays() -> None:
    far = points([(-LARGEST, 0), (LARGEST, 0)])
    with pytest.raises(FitError, match="beyond 1e100"):
        arranged(far, frozenset({0, 1}), ARRANGEMENTS["apart"], HAND)
    assert arranged(far, frozenset({0, 1}), ARRANGEMENTS["closer"], HAND) is not None


# laws of every tool that there is

places_of_events = st.tuples(st.floats(-3, 3), st.floats(-3, 3))
events = st.lists(st.tuples(places_of_events, st.floats(0, 0.2)), max_size=8)


@settings(deadline=None, max_examples=40)
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("task", ["classification", "regression"])
@given(data=st.data())
def test_every_stroke_is_one_step_that_leaves_a_valid_scene_and_can_be_called_off(tool: str, task: str,
                                                                               data: st.DataObject) -> None:
    at, way = data.draw(places_of_events), data.draw(events)
    flags = {key: data.draw(st.booleans()) for key in ("shift", "ctrl", "alt")}
    press = Press(*at, data.draw(st.sampled_from(["left", "right"])), data.draw(st.sampled_from([None, 0, 3])), **flags)
    hand = Hand(1, data.draw(st.frozensets(st.integers(0, 3))), (0.01, 0.02),
                data.draw(st.sampled_from([None, (0.25, 0.1)])))
    on = scene(task)

    def stroke(history: History) -> tuple[History, list[object]]:
        gesture = TOOLS[tool](press, on, hand)
        time, replies = 0.0, [next(gesture)]
        try:
            for (x, y), pause in way:
                time += pause
                replies.append(gesture.send(Move(x, y, time)))
            replies.append(gesture.send(Release(press.x, press.y, time)))
            replies.append(gesture.send(Release(press.x, press.y, time)))  # more than there can be
        except StopIteration:
            pass
        gesture.close()
        for reply in replies:
            if isinstance(reply, Edit):
                made, rows = reply.scene.points, range(len(reply.scene.points))
                assert len(made.xy) == len(made.cls) == len(made.on) and np.isfinite(made.xy).all()
                assert not any(column.flags.writeable for column in (made.xy, made.cls, made.on))
                assert set(made.cls.tolist()) <= set(range(len(on.classes) if task == "classification" else 1))
                assert reply.selection is None or reply.selection <= set(rows)
                assert reply.scene.model is on.model and str(reply.label)
                history = history.edit(reply.scene, reply.label, "stroke")
            elif isinstance(reply, Select):
                assert reply.rows <= set(range(len(on.points)))
        return history, replies

    history, replies = stroke(History.start(on, say("Open")))
    edited = any(isinstance(reply, Edit) for reply in replies)
    assert len(history.steps) == 1 + edited
    assert history.without("stroke").scene is on  # called off: as if it had never begun
    assert history.undo().scene is on
    again, _ = stroke(History.start(on, say("Open")))
    assert again.scene.digest == history.scene.digest


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_is_declared_whole(tool: str) -> None:
    cls = type(TOOLS[tool])
    assert cls.key == tool and str(cls.label) and len(str(cls.command).split()) > 1 and str(cls.about).endswith(".")
    assert cls.keys and (cls.family or tool) in TOOLS
    assert (TOOLS[tool].reach is None) == ("radius" not in cls.params())


def test_no_two_tools_have_the_same_key() -> None:
    keys = [type(tool).keys for tool in TOOLS.values()]
    assert len(keys) == len(set(keys))
