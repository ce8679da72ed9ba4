"""Drawing of decision functions: cells reach past the frame, limits, level lines, regions, nearest points."""

from __future__ import annotations

import numpy as np
import pytest

from kernelplay.i18n import say
from kernelplay.marks import Curve, Field
from kernelplay.models.base import View
from kernelplay.models.decision import (
    cells,
    contour_marks,
    field_mark,
    level_lines,
    nearest_in_view,
    nearest_on_lines,
    region_marks,
    symmetric_limits,
    two_class_marks,
)

VIEW = View((-1.0, 3.0), (-2.0, 2.0), 40, 20)


def plane(view: View = VIEW) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x, y = cells(view)
    return x, y, (x[None, :] - 1.0) + 2.0 * y[:, None]


def test_cells_lie_at_the_middle_and_one_beyond_the_frame() -> None:
    x, y = cells(VIEW)
    assert len(x) == 42 and len(y) == 22
    assert x[1] == pytest.approx(-0.95) and x[-2] == pytest.approx(2.95)
    field = field_mark(np.zeros((22, 42)), x, y, ("class0", "class1"))
    assert field.x == pytest.approx((-1.1, 3.1)) and field.y == pytest.approx((-2.2, 2.2))


def test_limits_are_symmetric_and_do_not_follow_a_few_huge_values() -> None:
    values = np.linspace(-3, 2, 10000).reshape(100, 100)
    low, high = symmetric_limits(values)
    assert low == -high and high == pytest.approx(2.9, abs=0.01)
    assert symmetric_limits(0.1 * values) == (-1.0, 1.0)
    values[0, 0] = 1e9
    assert symmetric_limits(values)[1] < 3
    assert symmetric_limits(values, centre=5.0)[0] + symmetric_limits(values, centre=5.0)[1] == pytest.approx(10)


def test_lines_reach_the_frame_and_lie_on_the_level() -> None:
    x, y, values = plane()
    (zero,), (one,) = level_lines(values, x, y, (0.0, 1.0))
    assert (zero[:, 0] - 1) + 2 * zero[:, 1] == pytest.approx(np.zeros(len(zero)), abs=1e-12)
    assert (one[:, 0] - 1) + 2 * one[:, 1] == pytest.approx(np.ones(len(one)))
    assert zero[:, 0].min() <= -1 and zero[:, 0].max() >= 3


def test_marks_of_two_classes() -> None:
    x, y, values = plane()
    marks, lines = two_class_marks(values, x, y, VIEW, margins=(1.0, -1.0), margins_label=say("margins f = ±1"))
    assert [mark.role for mark in marks] == ["contour", "margin", "boundary"]
    assert len(lines) == 3
    hidden = View(VIEW.x, VIEW.y, 40, 20, hidden=frozenset({"field", "margins", "boundary"}))
    assert two_class_marks(values, x, y, hidden)[0] == ()
    # nothing to draw, no entry in the legend
    marks, _ = two_class_marks(values + 100, x, y, VIEW, margins=(1.0,), margins_label=say("margins f = ±1"))
    assert [mark.role for mark in marks] == ["contour"]


def test_further_level_lines_carry_their_level() -> None:
    x, y, values = plane()
    (mark,) = contour_marks(values, x, y, (0.5, 0.25), say("decision value f(x)"))
    assert isinstance(mark, Curve)
    assert mark.texts == ("0.5", "0.25")


def test_regions_have_lines_only_between_neighbours() -> None:
    view = View((-1, 1), (-1, 1), 50, 50, roles=("class0", "class1", "class2"))
    x, y = cells(view)
    X, _ = np.meshgrid(x, y)
    # three stripes: 0 | 1 | 2; where 0 and 2 would meet, 1 wins
    scores = np.stack([-(X + 0.5) ** 2, 0.05 - X**2, -(X - 0.5) ** 2])
    pairs = [(i, j, scores[i] - scores[j]) for i in range(3) for j in range(i + 1, 3)]
    marks = region_marks(scores.argmax(axis=0), pairs, x, y, view)
    field, lines = marks
    assert isinstance(field, Field) and field.regions and field.roles == view.roles
    assert isinstance(lines, Curve)
    at = sorted(float(line[:, 0].mean()) for line in lines.lines)
    assert at == pytest.approx([-0.3, 0.3], abs=1e-9)


def test_lines_of_regions_meet_without_gaps() -> None:
    view = View((-1, 1), (-1, 1), 40, 40, roles=("class0", "class1", "class2", "class3"))
    x, y = cells(view)
    X, Y = np.meshgrid(x, y)
    # three sectors about (0.1, 0.2), and a disc of a fourth class in one of them
    angle = np.deg2rad([90.0, 210.0, 330.0])

    def scored(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        sectors = [(X - 0.1) * np.cos(a) + (Y - 0.2) * np.sin(a) for a in angle]
        return np.stack([*sectors, sectors[0] + 5 * (0.2**2 - (X - 0.1) ** 2 - (Y - 0.7) ** 2)])

    scores = scored(X, Y)
    pairs = [(i, j, scores[i] - scores[j]) for i in range(4) for j in range(i + 1, 4)]
    (_, lines) = region_marks(scores.argmax(axis=0), pairs, x, y, view)
    assert isinstance(lines, Curve)
    closed = [line for line in lines.lines if np.array_equal(line[0], line[-1])]
    assert len(closed) == 1 and len(lines.lines) == 4
    meeting = [tuple(end) for line in lines.lines for end in (line[0], line[-1])]
    assert sorted(meeting.count(end) for end in set(meeting)) == [1, 1, 1, 2, 3]
    (triple,) = {end for end in meeting if meeting.count(end) == 3}
    assert triple == pytest.approx((0.1, 0.2), abs=0.05)
    for line in lines.lines:
        best = np.sort(scored(line[:, 0], line[:, 1]), axis=0)
        assert np.all(best[-1] - best[-2] < 0.05)  # the two best are equal on the line


def test_nearest_points_of_lines() -> None:
    lines = (np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 3.0]]))
    found = nearest_on_lines(np.array([[1.0, 0.3], [3.0, 1.0], [-1.0, 2.0]]), lines)
    assert found.tolist() == [[1, 0], [2, 0], [0, 2]]
    assert np.isnan(nearest_on_lines(np.zeros((1, 2)), ())).all()
    rng = np.random.default_rng(0)
    lines = tuple(np.cumsum(rng.standard_normal((40, 2)), axis=0) for _ in range(3))
    points = 5 * rng.standard_normal((100, 2))
    foot = nearest_on_lines(points, lines)
    share = np.linspace(0, 1, 201)[:, None, None]
    dense = np.vstack([(line[:-1] + share * np.diff(line, axis=0)).reshape(-1, 2) for line in lines])
    brute = np.hypot(*(points[:, None] - dense).transpose(2, 0, 1)).min(axis=1)
    assert np.hypot(*(points - foot).T) == pytest.approx(brute, abs=1e-3)
    assert np.all(np.hypot(*(points - foot).T) <= brute + 1e-12)


def test_a_point_nearer_to_the_frame_than_to_the_line_has_no_known_nearest_point() -> None:
    line = (np.array([[0.0, -2.0], [0.0, 2.0]]),)
    known, foot = nearest_in_view(np.array([[1.0, 0.0], [2.9, 0.0], [9.0, 0.0]]), line, VIEW)
    assert known.tolist() == [True, False, False]
    assert foot[0].tolist() == [0, 0]
    known, _ = nearest_in_view(np.array([[1.0, 0.0]]), (), VIEW)
    assert not known.any()


def test_values_beyond_single_precision_keep_the_end_colour() -> None:
    x = np.array([0.0, 1.0])
    with np.errstate(all="raise"):
        field = field_mark(np.array([[1e300, -1e300], [np.inf, 1.0]]), x, x, ("class0", "class1"))
    assert np.isfinite(field.values).all() and np.isfinite(field.limits).all()
    assert (np.sign(field.values) == [[1, -1], [1, 1]]).all()
