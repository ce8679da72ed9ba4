"""SVR: closed forms, scikit-learn, laws of the dual, hard tubes, what is said and drawn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from kernelplay.errors import FitError
from kernelplay.marks import Band, Bars, Chart, Curve, Dots, Segments
from kernelplay.models.base import View
from kernelplay.models.dual import solve
from kernelplay.models.svr import SVR, SVRFit

LINEAR = {"name": "linear"}
VIEW = View((-3.5, 3.5), (-2.0, 2.0), 120, 90)


def wave(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A noisy sine, inputs and targets on a grid of 1/64, exact in single precision."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-3, 3, n))
    return np.round(64 * x)[:, None] / 64, np.round(64 * (np.sin(2 * x) + 0.2 * rng.standard_normal(n))) / 64


def hills(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Like `wave`, with inputs well apart, so that a narrow kernel can follow every target."""
    x = np.linspace(-3, 3, n)
    return x[:, None], np.sin(2 * x) + 0.2 * np.random.default_rng(0).standard_normal(n)


def fit(X: Any, t: Any, kernel: Any = None, last: Any = None, **params: Any) -> SVRFit:
    model = SVR(kernel=kernel or {"name": "rbf", "gamma": 1.0}, **params)
    return model.fit(np.array(X, float), np.array(t, float), last=last)


# closed forms

@pytest.mark.parametrize(("C", "coef", "b", "interval", "free"), [
    (10, [-0.8, 0.8], 0.1, (0.1, 0.1), [0, 1]),
    (0.5, [-0.5, 0.5], 0.25, (0.1, 0.4), []),
])
def test_two_points(C: float, coef: list[float], b: float, interval: tuple[float, float], free: list[int]) -> None:
    f = fit([[0], [1]], [0, 1], LINEAR, C=C, epsilon=0.1)
    assert f.coef == pytest.approx(coef)
    assert f.alpha - f.alpha_star == pytest.approx(coef)
    assert f.b == pytest.approx(b)
    assert f.b_interval == pytest.approx(interval)
    assert f.free_sv.tolist() == free
    assert f.bound_sv.tolist() == ([] if free else [0, 1])
    assert f.w == pytest.approx([coef[1]])
    assert f.support_above.tolist() == [1]
    assert f.support_below.tolist() == [0]


@pytest.mark.parametrize(("epsilon", "interval"), [(2.0, (2.0, 3.0)), (1.5, (2.5, 2.5))])
def test_a_tube_as_wide_as_the_data_is_flat(epsilon: float, interval: tuple[float, float]) -> None:
    f = fit([[0], [1], [2]], [1, 2, 4], C=10, epsilon=epsilon)
    assert f.n_sv == 0
    assert f.b == pytest.approx(2.5)
    assert f.b_interval == pytest.approx(interval)
    assert f.predict(np.array([[-50.0], [0.5]])) == pytest.approx([2.5, 2.5])
    assert "no support vectors" in str(f.status())
    assert [len(mark.xy) for mark in f.charts(VIEW)[0].marks if isinstance(mark, Dots)] == [3]


def test_one_point() -> None:
    f = fit([[2]], [3], C=1, epsilon=0.1)
    assert f.b_interval == pytest.approx((2.9, 3.1))
    assert f.predict(np.array([[2.0], [9.0]])) == pytest.approx([3, 3])


# laws

@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
def test_the_conditions_of_karush_kuhn_and_tucker(C: float) -> None:
    X, t = wave(80)
    f = fit(X, t, C=C, epsilon=0.15)
    assert f.certificate.worst <= 1e-10
    value = f.model.kernel.gram(X) @ f.coef + f.b
    assert value == pytest.approx(f.f_train, abs=1e-9)
    assert f.predict(X) == pytest.approx(f.f_train, abs=1e-9)
    rest = t - value
    assert f.residuals == pytest.approx(rest, abs=1e-9)
    assert f.coef.sum() == pytest.approx(0, abs=1e-9 * C)
    assert np.all(np.abs(rest[f.non_sv]) <= 0.15 + 1e-8)
    assert np.sign(f.coef[f.free_sv]) * rest[f.free_sv] == pytest.approx(np.full(len(f.free_sv), 0.15), abs=1e-8)
    assert np.all(np.sign(f.coef[f.bound_sv]) * rest[f.bound_sv] >= 0.15 - 1e-8)
    assert set(f.coef[f.bound_sv]) <= {C, -C}
    dual = t @ f.coef - 0.15 * np.abs(f.coef).sum() - 0.5 * f.coef @ f.model.kernel.gram(X) @ f.coef
    assert f.objective == pytest.approx(dual)


@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
def test_the_certificate_sees_a_disturbance(C: float) -> None:
    f = fit(*wave(60), C=C)
    assert f.certify(f.coef).worst <= 1e-10
    assert f.certify(f.coef * (1 + 1e-4)).worst > 1e-7
    rng = np.random.default_rng(1)
    assert f.certify(f.coef + 1e-4 * np.abs(f.coef).max() * rng.standard_normal(60)).worst > 1e-6


def test_repeated_points_are_weights() -> None:
    from sklearn.svm import SVR as Other

    X, t = wave(30)
    times = np.random.default_rng(0).integers(1, 4, 30)
    f = fit(np.repeat(X, times, axis=0), np.repeat(t, times), C=2.0)
    other = Other(gamma=1.0, C=2.0, epsilon=0.1, tol=1e-10).fit(np.repeat(X, times, axis=0), np.repeat(t, times))
    assert f.f_train == pytest.approx(other.predict(np.repeat(X, times, axis=0)), abs=1e-6)
    assert np.abs(f.coef).max() <= 2.0


@pytest.mark.parametrize("scale", [1e-9, 1e9])
@pytest.mark.parametrize("margin", ["soft", "hard"])
def test_scaled_data_give_the_scaled_answer(scale: float, margin: str) -> None:
    X, t = hills(40)
    Z = np.linspace(-3, 3, 31)[:, None]
    kernel = {"name": "rbf", "gamma": 20.0}
    here = fit(X, t, kernel, C=3.0, margin=margin, epsilon=0.2)
    scaled = fit(X, t * scale, kernel, C=3.0 * scale, epsilon=0.2 * scale, margin=margin)
    assert scaled.predict(Z) / scale == pytest.approx(here.predict(Z), abs=1e-6)
    scaled = fit(X * scale, t, {"name": "rbf", "gamma": 20.0 / scale**2}, C=3.0, margin=margin, epsilon=0.2)
    assert scaled.predict(Z * scale) == pytest.approx(here.predict(Z), abs=1e-6)
    if margin == "soft":
        line, scaled = fit(X, t, LINEAR, C=3.0), fit(X * scale, t, LINEAR, C=3.0 / scale**2)
        assert scaled.predict(Z * scale) == pytest.approx(line.predict(Z), abs=1e-6)


@pytest.mark.parametrize("kernel", [LINEAR, {"name": "rbf", "gamma": 1.0}])
def test_moved_data_give_the_moved_answer(kernel: Any) -> None:
    X, t = wave(60)
    Z = np.arange(-3, 3, 0.25)[:, None]
    here = fit(X, t, kernel, C=3.0)
    assert fit(X + 1e6, t, kernel, C=3.0).predict(Z + 1e6) == pytest.approx(here.predict(Z), abs=1e-6)
    assert fit(X, t + 1e6, kernel, C=3.0).predict(Z) - 1e6 == pytest.approx(here.predict(Z), abs=1e-6)


def test_starting_from_the_last_fit_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    X, t = wave(60)
    params: dict[str, Any] = {"C": 5.0, "epsilon": 0.1}
    last, paths = fit(X, t, **params), []
    for step in range(30):
        if step % 5 < 2:
            X, t = X.copy(), t.copy()
            row = rng.integers(len(X))
            X[row] += 0.05 * rng.standard_normal(1)
            t[row] += 0.1 * rng.standard_normal()
        elif step % 5 == 2:
            X, t = np.vstack([X, rng.uniform(-3, 3, (1, 1))]), np.append(t, rng.uniform(-1, 1))
        elif step % 5 == 3:
            keep = np.arange(len(X)) != rng.integers(len(X))
            X, t = X[keep], t[keep]
        else:
            params["C"] *= rng.choice([0.5, 1.05, 3.0])
            params["epsilon"] *= rng.choice([0.8, 1.1])
        warm, cold = fit(X, t, last=last, **params), fit(X, t, **params)
        assert warm.f_train == pytest.approx(cold.f_train, abs=1e-9), step
        paths.append(warm.solved.solution.path)
        last = warm
    assert paths.count("warm") >= 5


# scikit-learn

@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize(("kernel", "params"), [
    (LINEAR, {"kernel": "linear"}),
    ({"name": "rbf", "gamma": 2.0}, {"kernel": "rbf", "gamma": 2.0}),
    ({"name": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0},
     {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0}),
])
def test_predictions_agree_with_scikit_learn(kernel: Any, params: dict[str, Any], C: float) -> None:
    from sklearn.svm import SVR as Other

    X, t = wave(80)
    X = np.round(8 * X) / 8  # libsvm keeps kernel values in single precision; squares of these are exact
    Z = np.linspace(-3, 3, 61)[:, None]
    ours = fit(X, t, kernel, C=C, epsilon=0.125)
    theirs = Other(C=C, epsilon=0.125, tol=1e-10, **params).fit(X, t)
    assert ours.predict(Z) == pytest.approx(theirs.predict(Z), abs=1e-6 * max(1.0, C / 2))
    coef = np.zeros(80)
    coef[theirs.support_] = theirs.dual_coef_[0]
    assert ours.certificate.worst <= max(1e-12, ours.certify(coef).worst)


def test_any_number_of_inputs() -> None:
    from sklearn.svm import SVR as Other

    X = np.random.default_rng(0).uniform(-1, 1, (60, 4))
    t = X @ [1, -2, 0.5, 0] + X[:, 0] ** 2
    f = fit(X, t, C=5.0)
    assert f.predict(X) == pytest.approx(Other(gamma=1.0, C=5.0, tol=1e-10).fit(X, t).predict(X), abs=1e-6)
    assert not f.charts(VIEW)[0].marks


# hard tube

def test_a_hard_tube_keeps_every_target_inside() -> None:
    X, t = hills(40)
    f = fit(X, t, {"name": "rbf", "gamma": 20.0}, margin="hard", epsilon=0.05)
    assert np.abs(f.residuals).max() <= 0.05 * (1 + 1e-6)
    assert f.certificate.holds
    assert not f.slack.any()
    assert "hard tube" in str(f.status())


@pytest.mark.parametrize(("X", "t", "kernel", "least"), [
    ([[0], [1], [2]], [0, 1, 0], LINEAR, 0.5),
    ([[0], [0], [1]], [0, 1, 0], {"name": "rbf", "gamma": 1.0}, 0.5),
])
def test_an_infeasible_hard_tube_is_proved_by_multipliers(X: Any, t: Any, kernel: Any, least: float) -> None:
    X, t = np.array(X, float), np.array(t, float)
    with pytest.raises(FitError, match=r"hard tube.*an ε of at least 0\.5") as caught:
        fit(X, t, kernel, margin="hard", epsilon=0.1)
    model = SVR(kernel=kernel)
    solved = solve(model.kernel.bind(X), X, t, 0.1, math.inf, None, check=lambda: None, last=None)
    assert solved.ray is not None
    ray = solved.rows(solved.ray)
    size = np.abs(ray).sum()
    assert set(np.flatnonzero(ray)) == set(caught.value.points)
    assert abs(ray.sum()) < 1e-9 * size
    assert ray @ model.kernel.gram(X) @ ray < 1e-9 * size**2
    assert t @ ray > 0.1 * size
    assert t @ ray / size == pytest.approx(least)
    assert fit(X, t, kernel, margin="hard", epsilon=least * 1.01).certificate.holds


# bad input

def test_unusable_data_are_said() -> None:
    with pytest.raises(FitError, match="No points yet"):
        fit(np.zeros((0, 1)), [])
    with pytest.raises(FitError, match="Row 2"):
        fit([[0], [1]], [0, math.inf])


def test_an_indefinite_kernel_matrix_is_said() -> None:
    X, t = wave(40)
    f = fit(X, t, {"name": "sigmoid", "gamma": 1.0, "coef0": 0.5}, C=1.0)
    assert f.eig_min < -0.1
    assert f.certificate["kkt_residual"] <= 1e-8
    assert "not positive semi-definite" in str(f.status())
    assert {line.key: line.raw for line in f.readouts()}["eig_min"] == pytest.approx(f.eig_min)
    assert f.notes


# what is said and drawn

def named(chart: Chart, role: str) -> list[Any]:
    return [mark for mark in chart.marks if mark.role == role]


def test_status_and_readouts() -> None:
    f = fit(*wave(60), C=1.0)
    assert str(f.status()) == (f"SVR: {f.n_sv} support vectors ({len(f.free_sv)} free), "
                               f"{len(f.non_sv)} points inside the tube.")
    shown = {line.key: (str(line.value), line.raw) for line in f.readouts()}
    assert list(shown) == ["support_vectors", "support_sides", "norm", "rmse", "objective", "duality_gap",
                           "kkt_residual", "rounding_floor"]
    assert shown["support_sides"][1] == [len(f.support_above), len(f.support_below)]
    assert shown["rmse"][1] == pytest.approx(np.sqrt(np.mean((f.y - f.f_train) ** 2)))
    assert len(f.model.formula) == 2 and SVR(margin="hard").formula[1] == "|tₙ − f(xₙ)| ≤ ε"


def test_the_canvas() -> None:
    f = fit(*wave(60), C=1.0)
    canvas, dual = f.charts(VIEW)
    (mean,) = named(canvas, "mean")
    assert f.predict(mean.lines[0][:, :1]) == pytest.approx(mean.lines[0][:, 1])
    assert mean.lines[0][0, 0] < VIEW.x[0] and mean.lines[0][-1, 0] > VIEW.x[1]
    band, edges = named(canvas, "tube")
    assert isinstance(band, Band) and isinstance(edges, Curve)
    assert band.upper - band.lower == pytest.approx(np.full(len(band.x), 2 * f.model.epsilon))
    assert np.column_stack([band.x, band.upper]) == pytest.approx(edges.lines[0])
    (slack,) = named(canvas, "slack")
    assert isinstance(slack, Segments)
    assert slack.start[:, 0].tolist() == slack.end[:, 0].tolist()
    assert np.abs(slack.end[:, 1] - f.predict(slack.end[:, :1])) == pytest.approx(
        np.full(len(slack.end), f.model.epsilon))
    assert np.abs(slack.start - slack.end)[:, 1] == pytest.approx(f.slack[f.slack > 1e-9])
    (free,), (bounded,), (inside,) = (named(canvas, role) for role in ("support_free", "support_bounded", "faded"))
    assert free.index.tolist() == f.free_sv.tolist()
    assert bounded.index.tolist() == f.bound_sv.tolist()
    assert inside.index.tolist() == f.non_sv.tolist()
    assert str(dual.caption) == "Σ (αₙ − α̂ₙ) = 0  ·  0 ≤ αₙ, α̂ₙ ≤ C = 1"
    bars = [mark for mark in dual.marks if isinstance(mark, Bars)]
    assert sum(len(mark.x) for mark in bars) == 60
    for mark in bars:
        assert f.coef[mark.index].tolist() == mark.height.tolist()
        assert np.all(mark.height >= 0) if mark.role == "bar0" else np.all(mark.height < 0)


def test_what_is_hidden_is_not_drawn() -> None:
    f = fit(*wave(60), C=1.0)
    for layer in ("tube", "mean", "slack", "support"):
        layers = {mark.layer for mark in f.charts(View(VIEW.x, VIEW.y, hidden=frozenset({layer})))[0].marks}
        assert layers == {"tube", "mean", "slack", "support", "points"} - {layer}
