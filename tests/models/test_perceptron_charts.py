"""What the perceptron draws: the canvas with R and gamma, the three side views, and every step of the player."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernelplay.marks import Bars, Chart, Curve, Dots, Field, Frame, Mark, Segments, Text
from kernelplay.models.base import View
from kernelplay.models.perceptron import Perceptron, PerceptronFit

VIEW = View((-3.0, 4.0), (-2.5, 3.0), 60, 48)
RBF = {"name": "rbf", "gamma": 1.0}
X = np.array([[0.5, -0.25], [1.75, -1.25], [1.75, 0.0], [1.75, -0.75], [-0.25, -1.0],
              [0.75, 0.25], [1.75, 1.0], [-2.0, 0.0]])  # 18 updates with offset, 13 without, 11 behind RBF
Y = np.array([1, 1, -1, 1, 1, -1, -1, 1])
XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array([-1, 1, 1, -1])
MIXED = np.array([[0, 0], [1, 1], [2, 2], [3, 3.0]]), np.array([1, -1, 1, -1])


def fit(points: Any = (X, Y), **params: Any) -> PerceptronFit:
    return Perceptron(**params).fit(*points)


def of(marks: Chart | tuple[Mark, ...], role: str) -> list[Any]:
    """Return the marks of a role; of texts only those that are plain labels."""
    return [mark for mark in (marks.marks if isinstance(marks, Chart) else marks) if mark.role == role
            and (role == "label" or not isinstance(mark, Text))]


def chart(f: PerceptronFit, key: str, view: View = VIEW) -> Chart:
    return next(chart for chart in f.charts(view) if chart.key == key)


def frame(f: PerceptronFit, k: int, view: View = VIEW) -> Frame:
    frames = f.frames(view)
    assert frames is not None and frames.count == f.mistakes + 2
    return frames.at(k)


# the canvas

@pytest.mark.parametrize("bias", [True, False])
def test_the_boundary_and_the_separator_are_the_lines_they_are_said_to_be(bias: bool) -> None:
    f = fit(bias=bias)
    marks = chart(f, "canvas")
    (field,), (boundary,), (separator,) = of(marks, "contour"), of(marks, "boundary"), of(marks, "separator")[:1]
    assert isinstance(field, Field) and isinstance(boundary, Curve) and f.w is not None and f.separation.u is not None
    np.testing.assert_allclose(np.vstack(boundary.lines) @ f.w + f.b, 0, atol=1e-9)
    u = f.separation.u
    slope, offset = u[-2:], u[0] * bias
    assert isinstance(separator, Curve)
    np.testing.assert_allclose(np.vstack(separator.lines) @ slope + offset, 0, atol=1e-9)
    (sides,) = of(marks, "guide")
    np.testing.assert_allclose(np.abs(np.vstack(sides.lines) @ slope + offset), f.gamma, atol=1e-9)
    assert f"{f.gamma:.3g}" in str(separator.label)


@pytest.mark.parametrize("bias", [True, False])
def test_gamma_and_R_are_drawn_at_their_length(bias: bool) -> None:
    f = fit(bias=bias)
    marks = chart(f, "canvas")
    circle, radius = of(marks, "radius")
    rho = np.sqrt(f.R2 - bias)
    np.testing.assert_allclose(np.hypot(*circle.lines[0].T), rho)
    assert isinstance(radius, Segments) and np.hypot(*(radius.end - radius.start)[0]) == pytest.approx(rho)
    gamma = next(mark for mark in of(marks, "separator") if isinstance(mark, Segments))
    assert f.separation.u is not None and f.gamma is not None
    flat = np.linalg.norm(f.separation.u[-2:])
    assert np.hypot(*(gamma.end - gamma.start)[0]) == pytest.approx(f.gamma / flat), "u has a constant part too"
    assert (np.abs(X - gamma.start[0]).sum(axis=1) == 0).any(), "from one of the points"
    words = [str(mark.text) for mark in of(marks, "label") if isinstance(mark, Text)]
    assert any(word.startswith("γ = ") for word in words) and any("R" in word for word in words)
    assert ("(" in str(circle.label)) is bias


def test_behind_a_kernel_the_separator_is_a_level_of_u() -> None:
    f = fit(XOR, kernel=RBF)
    c = f.separation.coefficients
    assert f.gamma is not None and c is not None
    fine = chart(f, "canvas", View((-0.5, 1.5), (-0.5, 1.5), 200, 200))
    for mark, level in ((of(fine, "separator")[0], 0.0), (of(fine, "guide")[0], f.gamma)):
        at = np.vstack(mark.lines)
        u = np.exp(-((at[:, None] - f.X) ** 2).sum(axis=2)) @ c + c.sum()
        np.testing.assert_allclose(np.abs(u), level, atol=2e-4)
    assert not of(fine, "radius"), "R is a length in feature space"


def test_conflicts_and_mistakes_are_marked() -> None:
    f = fit(XOR)
    marks = chart(f, "canvas")
    (conflict,), (wrong,) = of(marks, "conflict"), of(marks, "error")
    assert conflict.index.tolist() == [0, 1, 2, 3]
    assert wrong.index.tolist() == f.misclassified.tolist() and f.misclassified.tolist() == [0, 2]
    assert not of(marks, "separator")
    assert not of(chart(fit(), "canvas"), "error") and not of(chart(fit(), "canvas"), "conflict")


def test_what_is_switched_off_is_not_drawn() -> None:
    off = View(VIEW.x, VIEW.y, 20, 20, hidden=frozenset({"field", "boundary", "margins", "errors", "steps"}))
    for kernel in ({"name": "linear"}, RBF):
        f = fit(XOR, kernel=kernel)
        assert chart(f, "canvas", off).marks == ()
        assert frame(f, 1, off).canvas == ()


def test_the_field_is_f_at_the_cells() -> None:
    for params in ({}, {"bias": False}, {"eta": 0.25}, {"kernel": RBF}, {"kernel": RBF, "start": "1/n", "bias": False}):
        f = fit(**params)
        (field,) = of(chart(f, "canvas"), "contour")
        ny, nx = field.values.shape
        x = np.linspace(*field.x, 2 * nx + 1)[1::2]
        y = np.linspace(*field.y, 2 * ny + 1)[1::2]
        grid = np.array([[a, b] for b in y for a in x])
        np.testing.assert_allclose(field.values.ravel(), f.decision_function(grid), atol=1e-5)


# the side views

def test_the_proof_is_drawn_and_its_curves_cross_at_the_bound() -> None:
    crossed = 0
    for params in ({}, {"bias": False, "eta": 0.5}, {"start": "1/n"}, {"kernel": RBF}):
        f = fit(**params)
        marks = chart(f, "convergence")
        (high,), (norm,), (along,), (low,) = (of(marks, role) for role in ("bound1", "curve1", "curve0", "bound0"))
        k = norm.lines[0][:, 0]
        assert k.tolist() == list(range(f.mistakes + 1))
        assert (norm.lines[0][:, 1] <= np.interp(k, *high.lines[0].T) + 0.05).all()
        assert (along.lines[0][:, 1] >= np.interp(k, *low.lines[0].T) - 1e-9).all()
        assert (along.lines[0][:, 1] <= norm.lines[0][:, 1] + 1e-9).all()
        assert f.bound is not None and marks.x_range is not None
        assert str(marks.caption).endswith(f" {f.bound:.4g}")
        whole = marks.whole[0] if marks.whole is not None else marks.x_range
        assert marks.x_range[1] <= max(4.0, 2.2 * f.mistakes), "the run is what is seen at first"
        if f.bound <= whole[1]:
            (limit,) = of(marks, "limit")
            assert limit.lines[0][:, 0] == pytest.approx(f.bound) and str(f.bound_floor) in str(limit.label)
            top, bottom = (np.interp(f.bound, *curve.lines[0].T) for curve in (high, low))
            assert top == pytest.approx(bottom, rel=1e-3)
            crossed += 1
        cosine = chart(f, "cosine")
        bound, values = of(cosine, "bound0")[0], of(cosine, "curve0")[0]
        at, c = values.lines[0].T
        least = np.interp(at, *bound.lines[0].T, left=-1)
        assert (c >= least - 1e-9).all() and (c <= 1 + 1e-12).all() and (least > 0).any()
    assert crossed >= 3


def test_the_mistakes_by_pass_are_bars() -> None:
    f = fit(XOR)
    (bars,) = of(chart(f, "passes"), "count")
    assert isinstance(bars, Bars) and bars.height.tolist() == f.mistakes_per_epoch.tolist()
    assert bars.x.tolist() == list(range(1, 101))
    assert of(chart(fit(), "passes"), "count")[0].height[-1] == 0


def test_there_are_always_the_same_views() -> None:
    for points, params in (((X, Y), {}), (XOR, {}), (XOR, {"kernel": RBF}), (MIXED, {"kernel": {"name": "sigmoid"}}),
                           ((np.zeros((2, 2)), np.array([1, -1])), {"bias": False})):
        f = fit(points, **params)
        charts = f.charts(VIEW)
        assert [c.key for c in charts] == ["canvas", "convergence", "cosine", "passes"]
        assert all(c.caption is not None and str(c.title) for c in charts[1:])
        for c in charts:
            for mark in c.marks:
                for values in (getattr(mark, "xy", ()), *getattr(mark, "lines", ())):
                    assert np.isfinite(values).all()
        assert str(f.status()) and [str(line.value) for line in f.readouts()]


def test_inputs_that_are_no_plane_have_side_views_and_no_frames() -> None:
    for points in ((X[:, :1], Y), (np.column_stack([X, X[:, 0] ** 2]), Y)):
        f = fit(points)
        assert f.frames(VIEW) is None and chart(f, "canvas").marks == () and chart(f, "convergence").marks


# the player

@pytest.mark.parametrize("params", [{}, {"bias": False}, {"eta": 0.1}, {"start": "1/n"}, {"order": "random"}])
def test_each_step_shows_theta_as_the_counts_give_it(params: dict[str, Any]) -> None:
    f = fit(**params)
    bias, eta = f.model.bias, f.model.eta
    lifted = np.column_stack([np.ones(len(X)), X]) if bias else X
    start = np.full(lifted.shape[1], 1 / len(X) if f.model.start == "1/n" else 0.0)
    for k in range(1, f.mistakes + 1):
        shown = frame(f, k)
        before, after = (start + eta * (f.trace.counts(j) * Y) @ lifted for j in (k - 1, k))
        n = int(f.trace.point[k - 1])
        (ring,) = of(shown.canvas, "looked_at")
        assert isinstance(ring, Dots) and ring.index.tolist() == [n] and ring.xy.tolist() == [X[n].tolist()]
        (added,) = of(shown.canvas, "added")
        scale = float(np.linalg.norm(added.end - added.start) / np.linalg.norm(eta * X[n]))
        arrows = [mark for role in ("vector", "added", "result") for mark in of(shown.canvas, role)]
        longest = max(np.linalg.norm(mark.end - mark.start) for mark in arrows)
        assert 0.35 < longest / min(np.ptp(VIEW.x), np.ptp(VIEW.y)) < 0.45, "they can be seen at every step"
        arrows_at = [mark for mark in shown.canvas if not isinstance(mark, Text)]
        assert arrows_at[-1] is added, "over the heads of the others"
        said = {mark.role: str(mark.text) for mark in shown.canvas if isinstance(mark, Text)}
        sign, tilde = ("+" if Y[n] > 0 else "−"), ("x̃" if bias else "x")
        assert said["added"].startswith(f"{sign}η{tilde}") and said["looked_at"] == f"current point {n + 1}"
        assert said.get("vector", "θ before") == "θ before"
        assert not any(mark.label for mark in arrows), "each is named where it is, not in the legend"
        assert added.arrow
        np.testing.assert_allclose(added.end - added.start, [scale * eta * Y[n] * X[n]], atol=1e-12)
        for mark, theta in ((of(shown.canvas, "vector"), before), (of(shown.canvas, "result"), after)):
            if np.any(np.abs(theta[-2:]) > 1e-12):
                np.testing.assert_allclose(mark[0].end - mark[0].start, [scale * theta[-2:]], atol=1e-9)
        for result in of(shown.canvas, "result"):
            np.testing.assert_allclose(result.end, added.end), "tip to tail"
            assert said["result"] == f"θ after (× {scale:.2g})"
        for role, theta in (("guide", before), ("boundary", after)):
            for curve in of(shown.canvas, role):
                line = np.vstack(curve.lines)
                np.testing.assert_allclose(line @ theta[-2:] + theta[0] * bias, 0, atol=1e-9)
        values = lifted @ after
        wrong = [mark.index.tolist() for mark in of(shown.canvas, "error")]
        mistaken = np.flatnonzero((values >= 0) != (Y > 0)).tolist()
        assert wrong == ([mistaken] if mistaken else [])
        assert f"Update {k} of at most {f.bound_floor}: point {n + 1} " in str(shown.caption)
        assert {"boundary", "field", "errors"} <= set(shown.replaces)


def test_the_first_and_the_last_step_say_what_is_known() -> None:
    f = fit()
    assert f"at most {f.bound_floor} updates" in str(frame(f, 0).caption)
    end = frame(f, f.mistakes + 1)
    assert f"converged after {f.mistakes} updates (bound {f.bound_floor})" in str(end.caption)
    assert not of(end.canvas, "error") and not of(end.canvas, "looked_at")
    assert len(of(frame(f, 0).canvas, "error")[0].index) == (Y < 0).sum(), "f = 0 counts as +1"
    g = fit(XOR)
    assert "not separable" in str(frame(g, 0).caption)
    assert "100 passes" in str(frame(g, 399).caption) and "forever" in str(frame(g, 399).caption)
    h = fit((np.array([[1.0, 0], [-1, 0], [0, -1]]), np.array([1, 1, -1])), bias=False)
    assert "only running it shows" in str(frame(h, 0).caption)


def test_a_tie_is_told_from_a_point_on_the_wrong_side() -> None:
    f = fit(bias=False)
    assert "f = 0 counts as +1" in str(frame(f, 1).caption) and "θ ← θ − η x₃" in str(frame(f, 1).caption)
    g = fit(order="random", seed=3, start="1/n")
    assert "wrong side" in str(frame(g, 1).caption) and "η x̃" in str(frame(g, 1).caption) and ", b = " in str(
        frame(g, 1).caption)


def test_behind_a_kernel_each_step_shows_f_of_the_updates_so_far() -> None:
    f = fit(kernel=RBF, eta=0.5)
    view = View(VIEW.x, VIEW.y, 200, 200)
    for k in (1, f.mistakes):
        shown = frame(f, k, view)
        (field,) = of(shown.canvas, "contour")
        ny, nx = field.values.shape
        x, y = np.linspace(*field.x, 2 * nx + 1)[1::2], np.linspace(*field.y, 2 * ny + 1)[1::2]
        grid = np.array([[a, b] for b in y for a in x])
        c = 0.5 * f.trace.counts(k) * Y
        expected = np.exp(-((grid[:, None] - X) ** 2).sum(axis=2)) @ c + c.sum()
        np.testing.assert_allclose(field.values.ravel(), expected, atol=1e-5)
        assert nx < 100 and not of(shown.canvas, "added") and "k̃(x" in str(shown.caption)


def test_cursors_follow_in_the_side_views() -> None:
    f = fit()
    for k in range(f.mistakes + 2):
        views = dict(frame(f, k).views)
        at = min(k, f.mistakes)
        assert views["convergence"][0].lines[0][:, 0].tolist() == [at, at]
        assert ("cosine" in views) is (at > 0), "there is no angle to theta = 0"
        if at:
            (bar,) = views["passes"]
            epoch = int(f.trace.epoch[at - 1])
            assert bar.x.tolist() == [epoch + 1] and bar.height.tolist() == [(f.trace.epoch[:at] == epoch).sum()]


def test_points_have_the_numbers_of_the_scene() -> None:
    rows = np.array([0, 2, 3, 4, 6, 7, 8, 11])  # some points are switched off
    f = fit()
    shown = frame(f, 1, View(VIEW.x, VIEW.y, 20, 20, rows=rows))
    n = int(rows[f.trace.point[0]])
    assert of(shown.canvas, "looked_at")[0].index.tolist() == [n] and f"point {n + 1} " in str(shown.caption)


def test_far_from_the_origin_theta_is_drawn_from_the_middle() -> None:
    f = fit((X + 1000, Y))
    view = View((996.0, 1005.0), (996.0, 1004.0), 20, 20)
    (result,) = of(frame(f, 1, view).canvas, "result")
    assert result.start.tolist() == [[1000.5, 1000.0]]
    assert any("centre" in str(mark.text) for mark in frame(f, 1, view).canvas if isinstance(mark, Text))
    assert not of(chart(f, "canvas", view), "radius"), "the circle would be a line"
