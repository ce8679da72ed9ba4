"""SVM: closed forms, scikit-learn, laws of the dual, hard margins, several classes, what is said and drawn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay.errors import Cancelled, FitError
from kernelplay.marks import Bars, Chart, Curve, Dots, Field, Segments
from kernelplay.models.base import View
from kernelplay.models.decision import symmetric_limits
from kernelplay.models.one_against_one import OneAgainstOne, Pair, tally
from kernelplay.models.svm import SVM, SVMFit, _solve

LINEAR = {"name": "linear"}
VIEW = View((-2.5, 3.5), (-2.0, 2.5), 120, 90)


def moons(n: int, seed: int = 0, noise: float = 0.25) -> tuple[np.ndarray, np.ndarray]:
    """Two moons on a grid of 1/16: products of coordinates are exact in the single precision that libsvm works in."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    y = np.where(np.arange(n) < n // 2, 1, -1)
    one, other = np.c_[np.cos(angle), np.sin(angle)], np.c_[1 - np.cos(angle), 0.5 - np.sin(angle)]
    X = np.where((y > 0)[:, None], one, other) + noise * rng.standard_normal((n, 2))
    return np.round(16 * X) / 16, y


def fit(X: Any, y: Any, kernel: Any = None, last: Any = None, **params: Any) -> SVMFit:
    model = SVM(kernel=kernel or {"name": "rbf", "gamma": 1.0}, **params)
    result = model.fit(np.array(X, float), np.array(y), last=last)
    assert isinstance(result, SVMFit)
    return result


# closed forms

def test_free_bounded_and_unused_points_are_told_apart() -> None:
    X = [[-1.9, -1.0], [0.4, 0.0], [0.3, -1.3], [-2.5, -0.3], [0.0, 1.5],
         [0.5, -0.5], [3.3, 0.5], [2.2, 0.7], [0.4, 0.5]]
    f = fit(X, [-1] * 5 + [1] * 4, LINEAR, C=1)
    assert f.free_sv.tolist() == [2, 4, 7]
    assert f.bound_sv.tolist() == [1, 5, 8]
    assert f.non_sv.tolist() == [0, 3, 6]
    assert f.support.tolist() == [1, 2, 4, 5, 7, 8]
    assert f.alpha[[1, 5, 8]].tolist() == [1, 1, 1]
    assert f.b == pytest.approx(-1.15202702702703)
    assert f.w == pytest.approx([0.945945945945946, 0.101351351351351])
    assert f.margin == pytest.approx(1.05112681985808)
    assert f.alpha[[2, 4, 7]] == pytest.approx([0.655359751643535, 0.636710189919649, 0.292069941563185])
    assert f.slack == pytest.approx(np.maximum(0, 1 - f.functional_margin), abs=1e-9)
    assert f.geometric_margin == pytest.approx(f.functional_margin * f.margin)
    assert f.objective == pytest.approx(0.5 / f.margin**2 + f.slack.sum())


def test_bias_without_a_free_vector_is_the_middle_of_its_interval() -> None:
    f = fit([[0], [1], [5]], [-1, 1, 1], LINEAR, C=0.1)
    assert f.b == pytest.approx(0.7)
    assert f.b_interval == pytest.approx((0.5, 0.9))
    assert f.w == pytest.approx([0.1])
    assert f.margin == pytest.approx(10)


@pytest.mark.parametrize(("params", "alpha", "b"), [
    ({"margin": "hard"}, [2 / 9, 2 / 9, 4 / 9], 3.0),
    ({"C": 1.0}, [2 / 9, 2 / 9, 4 / 9], 3.0),
    ({"C": 0.25}, [0.125, 0.125, 0.25], 2.125),
])
def test_three_points(params: dict[str, Any], alpha: list[float], b: float) -> None:
    f = fit([[0, 3], [3, 0], [3, 3]], [1, 1, -1], LINEAR, **params)
    assert f.alpha == pytest.approx(alpha)
    assert f.b == pytest.approx(b)
    assert f.decision_function(np.array([[0, 0]])) == pytest.approx([b])


def test_a_tiny_C_leaves_every_threshold_relative() -> None:
    f = fit([[0, 0], [1, 0], [0, 1], [2, 2], [3, 1]], [1, 1, 1, -1, -1], LINEAR, C=1e-6)
    assert (f.free_sv.tolist(), f.bound_sv.tolist(), f.non_sv.tolist()) == ([], [1, 2, 3, 4], [0])
    assert f.b_interval == pytest.approx((1.0, 1.000002), abs=1e-10)
    assert f.margin == pytest.approx(223606.797749979)
    assert f.predict(np.zeros((1, 2))) == [1]


def test_separable_by_a_hair() -> None:
    f = fit([[0.25, 0.5], [0.2500009536743164, 0.5], [-3, 1], [4, 0.2]], [-1, 1, -1, 1], LINEAR, margin="hard")
    assert f.w == pytest.approx([2097152.0, 0.0], rel=1e-8)
    assert f.b == pytest.approx(-524289.0)
    assert f.margin == pytest.approx(4.76837158203125e-07)
    assert f.free_sv.tolist() == [0, 1]
    assert f.training_error == 0
    assert f.certificate.holds


def test_xor_needs_a_kernel() -> None:
    f = fit([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1], margin="hard")
    assert f.alpha == pytest.approx([1 / (1 - math.exp(-1)) ** 2] * 4)
    assert f.b == pytest.approx(0, abs=1e-12)
    assert f.separable


# infeasible hard margins

@pytest.mark.parametrize(("X", "y", "kernel"), [
    ([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1], LINEAR),
    ([[0, 0], [2, 1], [2, 1], [5, 5]], [1, 1, -1, -1], {"name": "rbf", "gamma": 1.0}),
    ([[0, 0], [2, 1], [1, 0.5], [5, 5]], [1, 1, -1, -1], LINEAR),
    ([[1e6, 0], [1e6 + 1, 1], [1e6, 1], [1e6 + 1, 0]], [-1, -1, 1, 1], LINEAR),
    ([[-2], [-1], [0], [1], [2]], [1, -1, 1, -1, 1], {"name": "poly", "degree": 3, "coef0": 1.0}),
])
def test_an_infeasible_hard_margin_is_proved_by_multipliers(X: Any, y: Any, kernel: Any) -> None:
    X, y = np.array(X, float), np.array(y, float)
    with pytest.raises(FitError, match=r"Not separable.*hard margin.*soft") as caught:
        fit(X, y, kernel, margin="hard")
    model = SVM(kernel=kernel, margin="hard")
    solved = _solve("hard", 1.0, model.kernel.bind(X), X, y, lambda: None, None)
    assert solved.ray is not None
    multipliers = solved.rows(solved.ray) * y
    # lambda >= 0, not 0, sum lambda_n y_n = 0, || sum lambda_n y_n phi(x_n) || = 0 up to rounding
    assert multipliers.min() >= 0
    assert set(np.flatnonzero(multipliers > 1e-9)) == set(caught.value.points)
    total = multipliers.sum()
    assert total > 0
    assert abs((multipliers * y).sum()) < 1e-9 * total
    K = model.kernel.bind(X)(X - X.mean(axis=0), X - X.mean(axis=0)) if kernel is LINEAR else model.kernel.gram(X)
    assert (multipliers * y) @ K @ (multipliers * y) < 1e-9 * total**2 * max(1.0, np.abs(K).max())
    # the soft margin says the same of these data
    assert not fit(X, y, kernel, C=1e3).separable


def test_a_conflict_is_shown_on_few_points() -> None:
    X, y = moons(200)
    with pytest.raises(FitError, match="in conflict") as caught:
        fit(X, y, LINEAR, margin="hard")
    points = list(caught.value.points)
    # in the plane two segments that cross, or a point in a triangle
    assert len(points) <= 4
    with pytest.raises(FitError, match="in conflict"):
        fit(X[points], y[points], LINEAR, margin="hard")


def test_contradictory_duplicates_fit_softly() -> None:
    f = fit([[0, 0], [0, 0], [2, 2]], [1, -1, -1], C=2)
    assert f.certificate.holds
    assert f.slack[0] + f.slack[1] == pytest.approx(2)


# laws

@pytest.mark.parametrize("kernel", [LINEAR, {"name": "poly", "degree": 3, "gamma": 0.5, "coef0": 1.0},
                                    {"name": "rbf", "gamma": 2.0}, {"name": "matern32"}])
@pytest.mark.parametrize("C", [0.01, 1.0, 1000.0])
def test_the_certificate_sees_a_disturbance(kernel: Any, C: float) -> None:
    f = fit(*moons(60), kernel=kernel, C=C)
    assert f.certificate.worst <= 1e-10
    assert f.certify(f.alpha).worst <= 1e-10
    assert f.certify(f.alpha * (1 + 1e-4)).worst > 1e-6
    rng = np.random.default_rng(1)
    disturbed = f.alpha + 1e-4 * f.alpha.max() * rng.standard_normal(60)
    assert f.certify(disturbed).worst > 1e-6
    one = f.alpha.copy()
    one[f.support[0]] -= 1e-4 * one.max()
    assert f.certify(one).worst > 1e-7


@pytest.mark.parametrize("C", [0.05, 2.0, 500.0])
def test_the_conditions_of_karush_kuhn_and_tucker(C: float) -> None:
    X, y = moons(80, seed=3)
    f = fit(X, y, C=C)
    K = f.model.kernel.gram(X)
    decision = K @ (f.alpha * y) + f.b
    assert decision == pytest.approx(f.f_train, abs=1e-9)
    assert f.decision_function(X) == pytest.approx(f.f_train, abs=1e-9)
    assert (f.alpha * y).sum() == pytest.approx(0, abs=1e-9 * C)
    assert np.all(y[f.non_sv] * decision[f.non_sv] >= 1 - 1e-8)
    assert y[f.free_sv] * decision[f.free_sv] == pytest.approx(np.ones(len(f.free_sv)), abs=1e-8)
    assert np.all(y[f.bound_sv] * decision[f.bound_sv] <= 1 + 1e-8)
    dual = f.alpha.sum() - 0.5 * (f.alpha * y) @ K @ (f.alpha * y)
    assert f.objective == pytest.approx(dual)


@pytest.mark.parametrize("kernel", [LINEAR, {"name": "rbf", "gamma": 2.0}])
def test_repeated_points_are_weights(kernel: Any) -> None:
    X, y = moons(40, seed=2)
    times = np.random.default_rng(0).integers(1, 4, 40)
    every, labels = np.repeat(X, times, axis=0), np.repeat(y, times)
    f = fit(every, labels, kernel, C=1.0)
    assert f.certificate.holds
    # libsvm sees the repeated rows as they are
    from sklearn.svm import SVC

    other = SVC(kernel=kernel["name"], gamma=2.0, C=1.0, tol=1e-10).fit(every, labels)
    assert f.f_train == pytest.approx(other.decision_function(every), abs=1e-6)
    assert np.all(f.alpha <= 1.0)
    _, group = np.unique(np.column_stack([every, labels]), axis=0, return_inverse=True)
    for g in range(group.max() + 1):
        assert np.ptp(f.alpha[group.ravel() == g]) == 0


@pytest.mark.parametrize("margin", ["soft", "hard"])
@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e3, 1e9])
def test_scaled_data_give_the_scaled_answer(scale: float, margin: str) -> None:
    X, y = moons(40, noise=0.05 if margin == "hard" else 0.25)
    Z = np.random.default_rng(0).uniform(-2, 2, (20, 2))
    if margin == "hard":
        X = X + np.array([0, 2.0]) * (y > 0)[:, None]
    line, scaled = fit(X, y, LINEAR, C=3.0, margin=margin), fit(X * scale, y, LINEAR, C=3.0 / scale**2, margin=margin)
    assert scaled.decision_function(Z * scale) == pytest.approx(line.decision_function(Z), abs=1e-6)
    assert scaled.margin == pytest.approx(line.margin * scale, rel=1e-6)
    curve = fit(X, y, {"name": "rbf", "gamma": 1.0}, C=3.0, margin=margin)
    scaled = fit(X * scale, y, {"name": "rbf", "gamma": 1.0 / scale**2}, C=3.0, margin=margin)
    assert scaled.decision_function(Z * scale) == pytest.approx(curve.decision_function(Z), abs=1e-6)
    assert scaled.n_sv == curve.n_sv


@pytest.mark.parametrize("kernel", [LINEAR, {"name": "rbf", "gamma": 2.0},
                                    {"name": "sum", "of": [LINEAR, {"name": "constant", "value": 2.0}]}])
def test_moved_data_give_the_moved_answer(kernel: Any) -> None:
    X, y = moons(60)
    away = np.array([1e6, -1e6])  # 1/16 is exact there too: what differs is the arithmetic alone
    Z = np.round(16 * np.random.default_rng(0).uniform(-2, 2, (20, 2))) / 16
    here, there = fit(X, y, kernel, C=5.0), fit(X + away, y, kernel, C=5.0)
    assert there.certificate.holds
    assert there.decision_function(Z + away) == pytest.approx(here.decision_function(Z), abs=1e-6)
    near, far = np.linspace(-2, 2, 5), np.linspace(-1, 1, 4)
    grid = there.solved.f.on_grid(near + away[0], far + away[1])
    assert grid == pytest.approx(here.solved.f.on_grid(near, far), abs=1e-6)
    assert there.support.tolist() == here.support.tolist()


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_the_points_does_not_matter(seed: int) -> None:
    X, y = moons(50, seed=seed % 7)
    order = np.random.default_rng(seed).permutation(50)
    one, other = fit(X, y, C=10.0), fit(X[order], y[order], C=10.0)
    assert other.f_train == pytest.approx(one.f_train[order], abs=1e-9)
    assert other.alpha == pytest.approx(one.alpha[order], abs=1e-7)


def test_starting_from_the_last_fit_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    X, y = moons(60)
    X = X + 1e-3 * rng.standard_normal(X.shape)
    kernel, C = {"name": "rbf", "gamma": 2.0}, 1.0
    margin = "soft"
    last = fit(X, y, kernel, C=C)
    paths = []
    for step in range(40):
        kind = step % 8
        if kind < 3:
            X = X.copy()
            X[rng.integers(len(X))] += 0.05 * rng.standard_normal(2)
        elif kind == 3:
            X, y = np.vstack([X, rng.uniform(-1, 2, 2)]), np.append(y, rng.choice([-1, 1]))
        elif kind == 4:
            keep = np.arange(len(X)) != rng.integers(len(X))
            X, y = X[keep], y[keep]
        elif kind == 5:
            C *= rng.choice([0.5, 1.05, 3.0])
        elif kind == 6:
            y = y.copy()
            y[rng.integers(len(y))] *= -1
        else:
            kernel = kernel | {"gamma": kernel["gamma"] * rng.choice([0.7, 1.05])}
            margin = "hard" if margin == "soft" else "soft"
        warm = fit(X, y, kernel, C=C, last=last, margin=margin)
        cold = fit(X, y, kernel, C=C, margin=margin)
        size = max(1.0, float(np.abs(cold.f_train).max()))
        assert np.abs(warm.f_train - cold.f_train).max() <= 1e-9 * size, step
        assert warm.certificate.holds
        paths.append(warm.solved.solution.path)
        last = warm
    assert paths.count("warm") >= 20


def test_a_fit_of_other_inputs_is_no_start() -> None:
    X, y = moons(30)
    last = fit(np.column_stack([X, X[:, 0]]), y)
    assert fit(X, y, last=last).f_train == pytest.approx(fit(X, y).f_train, abs=1e-9)


@pytest.mark.parametrize("C", [1e-6, 1e10])
@pytest.mark.parametrize("kernel", [LINEAR, {"name": "rbf", "gamma": 5.0}])
def test_extreme_penalties_are_certified(kernel: Any, C: float) -> None:
    f = fit(*moons(80), kernel=kernel, C=C)
    assert f.certificate.holds
    assert np.isfinite(f.f_train).all()


# scikit-learn

@pytest.mark.parametrize("C", [0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize(("kernel", "params"), [
    (LINEAR, {"kernel": "linear"}),
    ({"name": "rbf", "gamma": 2.0}, {"kernel": "rbf", "gamma": 2.0}),
    ({"name": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0},
     {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0}),
])
def test_decision_values_agree_with_scikit_learn(kernel: Any, params: dict[str, Any], C: float) -> None:
    from sklearn.svm import SVC

    X, y = moons(100, seed=1)
    Z = np.random.default_rng(0).uniform(-2, 3, (50, 2))
    ours, theirs = fit(X, y, kernel, C=C), SVC(C=C, tol=1e-10, **params).fit(X, y)
    # libsvm keeps kernel values in single precision, and large coefficients carry their rounding along
    assert ours.decision_function(Z) == pytest.approx(theirs.decision_function(Z), abs=1e-6 * max(1.0, C / 10))
    assert ours.predict(Z).tolist() == theirs.predict(Z).tolist()
    dual = np.zeros(100)
    dual[theirs.support_] = np.abs(theirs.dual_coef_[0])
    assert ours.certificate.worst <= max(1e-12, ours.certify(dual).worst)


@pytest.mark.parametrize(("kernel", "params"), [
    (LINEAR, {"kernel": "linear"}), ({"name": "rbf", "gamma": "scale"}, {"kernel": "rbf", "gamma": "scale"}),
])
def test_several_classes_agree_with_scikit_learn(kernel: Any, params: dict[str, Any]) -> None:
    from sklearn.datasets import load_iris
    from sklearn.svm import SVC

    X, y = load_iris(return_X_y=True)
    X = np.round(16 * X) / 16
    f = SVM(kernel=kernel, C=1.0).fit(X, y)
    assert isinstance(f, OneAgainstOne)
    theirs = SVC(C=1.0, tol=1e-10, decision_function_shape="ovo", **params).fit(X, y)
    assert np.column_stack([pair.fit.decision_function(X) for pair in f.pairs]) == pytest.approx(
        theirs.decision_function(X), abs=2e-6)
    theirs = SVC(C=1.0, tol=1e-10, decision_function_shape="ovr", break_ties=True, **params).fit(X, y)
    assert f.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=2e-6)
    Z = np.random.default_rng(0).uniform(0, 8, (300, 4))
    assert f.predict(Z).tolist() == theirs.predict(Z).tolist()
    assert f.training_error == np.mean(theirs.predict(X) != y)
    assert f.certificate.holds
    assert f.certify(f.alpha * (1 + 1e-4)).worst > 1e-6
    assert f.support.tolist() == sorted(theirs.support_.tolist())


def test_a_tie_of_votes_goes_to_the_larger_sum() -> None:
    # 0 beats 1 beats 2 beats 0 at the centre of this turning arrangement: one vote each, the sums decide
    angles = np.deg2rad([90, 210, 330])
    X = np.vstack([np.c_[np.cos(angles), np.sin(angles)], 0.9 * np.c_[np.cos(angles + 0.5), np.sin(angles + 0.5)]])
    f = SVM(kernel=LINEAR, C=10.0).fit(X, np.array([0, 1, 2, 0, 1, 2]))
    assert isinstance(f, OneAgainstOne)
    Z = np.random.default_rng(0).uniform(-1.5, 1.5, (4000, 2))
    pair = {(p.i, p.j): p.fit.decision_function(Z) for p in f.pairs}
    wins = np.column_stack([(pair[0, 1] >= 0) & (pair[0, 2] >= 0), (pair[0, 1] < 0) & (pair[1, 2] >= 0),
                            (pair[0, 2] < 0) & (pair[1, 2] < 0)])
    sums = np.column_stack([pair[0, 1] + pair[0, 2], pair[1, 2] - pair[0, 1], -pair[0, 2] - pair[1, 2]])
    tied = ~wins.any(axis=1)
    assert tied.any()
    expected = np.where(tied, sums.argmax(axis=1), wins.argmax(axis=1))
    assert f.predict(Z).tolist() == expected.tolist()


def test_several_classes_start_from_the_last_fit() -> None:
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    model = SVM(C=2.0)
    last = model.fit(X, y)
    moved = X.copy()
    moved[60] += 0.07
    warm, cold = model.fit(moved, y, last=last), model.fit(moved, y)
    assert isinstance(warm, OneAgainstOne) and isinstance(cold, OneAgainstOne)
    for one, other in zip(warm.pairs, cold.pairs, strict=True):
        assert one.fit.f_train == pytest.approx(other.fit.f_train, abs=1e-9)


def test_an_inseparable_pair_is_named() -> None:
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0], [9, 9]], float)
    with pytest.raises(FitError, match=r"Classes b and c: Not separable") as caught:
        SVM(kernel=LINEAR, margin="hard").fit(X, np.array(["b", "b", "c", "c", "a"]))
    assert caught.value.points == (0, 1, 2, 3)


# indefinite kernel matrices

def test_an_indefinite_kernel_matrix_is_said() -> None:
    X, y = moons(60)
    kernel = {"name": "sigmoid", "gamma": 1.0, "coef0": 0.5}
    f = fit(X, y, kernel, C=1.0)
    assert f.indefinite is not None and f.indefinite == pytest.approx(f.eig_min)
    assert f.eig_min < -0.1
    assert f.certificate["kkt_residual"] <= 1e-8
    assert "not positive semi-definite" in str(f.status())
    assert any("stationary point" in str(note.sentence) for note in f.notes)
    shown = {line.key: line for line in f.readouts()}
    assert shown["eig_min"].raw == pytest.approx(f.eig_min)
    from sklearn.svm import SVC

    theirs = SVC(kernel="sigmoid", gamma=1.0, coef0=0.5, C=1.0, tol=1e-8).fit(X, y)
    dual = np.zeros(60)
    dual[theirs.support_] = theirs.dual_coef_[0]

    def objective(beta: np.ndarray) -> float:
        return float(0.5 * beta @ f.K @ beta - np.abs(beta).sum())

    assert objective(f.alpha * f.y) <= objective(dual) + 1e-8 * abs(objective(dual))
    assert f.certify(f.alpha * (1 + 1e-4)).worst > 1e-6


def test_a_hard_margin_with_an_indefinite_kernel_matrix_is_refused() -> None:
    with pytest.raises(FitError, match=r"not positive semi-definite .smallest eigenvalue .*choose “Soft”"):
        fit(*moons(60), kernel={"name": "sigmoid", "gamma": 1.0, "coef0": 0.5}, margin="hard")


# bad input

def test_unusable_data_are_said() -> None:
    with pytest.raises(FitError, match="No points yet"):
        SVM().fit(np.zeros((0, 2)), np.zeros(0))
    with pytest.raises(FitError, match="one class"):
        fit([[1, 1]], [1])
    with pytest.raises(FitError, match="Row 2"):
        fit([[0, 0], [1, math.nan]], [1, -1])
    with pytest.raises(FitError, match="not finite"):
        fit([[1e60, 0], [0, 1]], [1, -1], {"name": "poly", "degree": 8, "gamma": 1.0})
    with pytest.raises(FitError, match="2 coordinates"):
        fit([[0, 0], [1, 1]], [1, -1]).predict(np.zeros((3, 5)))


def test_labels_give_the_side_of_the_first_class() -> None:
    X = np.array([[0.0], [1.0]])
    f = SVM(kernel=LINEAR).fit(X, np.array(["cat", "dog"]), labels=("cat", "dog"))
    assert f.y.tolist() == [1, -1]
    assert f.predict(np.array([[-1.0], [0.5], [2.0]])).tolist() == ["cat", "cat", "dog"]  # a tie is the first class
    assert SVM(kernel=LINEAR).fit(X, np.array([3, 7])).labels == (7, 3)


def test_it_stops_when_asked() -> None:
    def check() -> None:
        raise Cancelled

    X, y = moons(200)
    with pytest.raises(Cancelled):
        SVM().fit(X, y, check=check)
    with pytest.raises(Cancelled):
        fit(X, y).charts(VIEW, check)


def test_arrays_are_read_only() -> None:
    f = fit(*moons(30))
    for array in (f.alpha, f.f_train, f.slack, f.functional_margin, f.geometric_margin):
        with pytest.raises(ValueError):
            array[0] = 5.0


# what is said

def test_status_and_readouts() -> None:
    f = fit(*moons(60), C=2.0)
    assert str(f.status()) == (f"Soft-margin SVM: {f.n_sv} support vectors ({len(f.free_sv)} free), "
                               f"margin {f.margin:.3g}.")
    shown = {line.key: (str(line.label), str(line.value), line.raw, str(line.help)) for line in f.readouts()}
    assert list(shown) == ["support_vectors", "margin", "functional_margin", "geometric_margin", "training_error",
                           "objective", "duality_gap", "kkt_residual", "rounding_floor"]
    assert shown["support_vectors"][1] == f"{f.n_sv} of 60 ({len(f.free_sv)} free)"
    assert shown["margin"][2] == f.margin
    assert shown["functional_margin"][2] == pytest.approx((f.y * f.f_train).min())
    assert shown["training_error"][1] == f"{len(f.misclassified)} of 60"
    assert all(label and value and text for label, value, _, text in shown.values())
    hard = fit([[0], [1]], [-1, 1], LINEAR, margin="hard")
    assert str(hard.status()) == "Hard-margin SVM: 2 support vectors, margin 0.5."
    assert f.model.formula == ("min ½‖w‖² + C Σₙ ξₙ", "yₙ f(xₙ) ≥ 1 − ξₙ,  ξₙ ≥ 0")
    assert SVM(margin="hard").formula == ("min ½‖w‖²", "yₙ f(xₙ) ≥ 1")
    assert "C" not in SVM(margin="hard").shown()


@pytest.mark.parametrize("kernel", [LINEAR, {"name": "constant"}])
def test_a_flat_function_has_an_infinite_margin(kernel: Any) -> None:
    f = fit([[1, 1], [1, 1]], [1, -1], kernel)
    assert math.isinf(f.margin)
    assert {line.key: line.raw for line in f.readouts()}["margin"] is None
    assert f.b_interval == pytest.approx((-1, 1))


# what is drawn

def named(chart: Chart, role: str) -> list[Any]:
    return [mark for mark in chart.marks if mark.role == role]


@pytest.mark.parametrize("kernel", [LINEAR, {"name": "rbf", "gamma": 2.0}])
def test_the_canvas(kernel: Any) -> None:
    f = fit(*moons(60), kernel=kernel, C=2.0)
    canvas, dual = f.charts(VIEW)
    assert (canvas.key, dual.key) == ("canvas", "dual")
    field = next(mark for mark in canvas.marks if isinstance(mark, Field))
    assert field.limits == pytest.approx(symmetric_limits(field.values))
    step = (field.x[1] - field.x[0]) / field.values.shape[1], (field.y[1] - field.y[0]) / field.values.shape[0]
    centre = np.array([[field.x[0] + 20.5 * step[0], field.y[0] + 30.5 * step[1]]])
    assert field.values[30, 20] == pytest.approx(f.decision_function(centre)[0], abs=1e-5)
    for role, levels in (("boundary", (0.0,)), ("margin", (1.0, -1.0))):
        (lines,) = named(canvas, role)
        assert isinstance(lines, Curve) and lines.lines
        for line in lines.lines:
            values = f.decision_function(line)
            level = min(levels, key=lambda at: abs(at - values[0]))
            assert np.abs(values - level).max() < 0.02  # the grid is coarse, f is smooth on it
    (slack,) = named(canvas, "slack")
    assert isinstance(slack, Segments)
    rows = [int(np.hypot(*(f.X - start).T).argmin()) for start in slack.start]
    assert set(rows) <= set(f.bound_sv.tolist())
    assert f.decision_function(slack.end) == pytest.approx(f.y[rows], abs=0.02)
    (free,), (bounded,) = named(canvas, "support_free"), named(canvas, "support_bounded")
    assert isinstance(free, Dots) and free.index.tolist() == f.free_sv.tolist()
    assert bounded.index.tolist() == f.bound_sv.tolist()
    (wrong,) = named(canvas, "error")
    assert wrong.index.tolist() == f.misclassified.tolist()
    assert [str(mark.label) for mark in canvas.marks if mark.label is not None] == [
        "decision value f(x)", "margins f = ±1", "boundary f = 0", "slack ξ", "support vector, free",
        "support vector, bounded (α = C)", "misclassified"]


def test_slack_of_a_linear_function_is_perpendicular_and_as_long_as_it_should_be() -> None:
    f = fit(*moons(60), kernel=LINEAR, C=2.0)
    (slack,) = named(f.charts(VIEW)[0], "slack")
    assert len(slack.start) == np.count_nonzero(f.slack > 1e-9)
    assert np.hypot(*(slack.end - slack.start).T) == pytest.approx(f.slack[f.slack > 1e-9] * f.margin)


def test_slack_of_a_curve_goes_to_the_nearest_point_of_its_level_line() -> None:
    f = fit(*moons(80), kernel={"name": "rbf", "gamma": 2.0}, C=2.0)
    (slack,) = named(f.charts(VIEW)[0], "slack")
    around = np.random.default_rng(0).standard_normal((4000, 2))
    around /= np.hypot(*around.T)[:, None]
    for start, end in zip(slack.start, slack.end, strict=True):
        side = np.sign(f.decision_function(end[None])[0])
        length = np.hypot(*(end - start))
        assert np.all(side * f.decision_function(start + 0.9 * length * around) < 1.02)


def test_what_is_hidden_is_not_drawn() -> None:
    f = fit(*moons(60), C=2.0)
    every = ("field", "boundary", "margins", "slack", "support", "errors")
    for layer in every:
        view = View(VIEW.x, VIEW.y, 60, 45, hidden=frozenset({layer}))
        layers = {mark.layer for mark in f.charts(view)[0].marks}
        assert layers == set(every) - {layer}
    assert not f.charts(View(VIEW.x, VIEW.y, hidden=frozenset(every)))[0].marks


def test_the_dual_chart() -> None:
    f = fit(*moons(60), C=2.0)
    dual = f.charts(VIEW)[1]
    assert str(dual.caption) == "Σ αₙyₙ = 0  ·  0 ≤ αₙ ≤ C = 2"
    height, rows = np.full(60, np.nan), np.full(60, -1)
    for mark in dual.marks:
        if isinstance(mark, Bars):
            height[mark.x.astype(int)] = mark.height
            rows[mark.x.astype(int)] = mark.index
            assert set(f.y[mark.index]) == {1.0 if mark.role == "bar0" else -1.0}
    assert np.all(np.diff(height) <= 0)
    assert sorted(rows) == list(range(60))
    assert f.alpha[rows].tolist() == height.tolist()
    (limit,) = named(dual, "limit")
    assert limit.lines[0][:, 1].tolist() == [2.0, 2.0]
    assert dual.y_range is not None and dual.y_range[1] > 2.0
    wide = fit(*moons(30, noise=0.1), C=1e4).charts(VIEW)[1]
    assert not named(wide, "limit") and wide.y_range is not None and wide.y_range[1] < 1e4


def test_inputs_that_are_not_two_coordinates_have_no_canvas() -> None:
    f = fit([[0], [1], [2]], [1, 1, -1])
    assert not f.charts(VIEW)[0].marks
    assert f.charts(VIEW)[1].marks


def test_the_canvas_of_several_classes() -> None:
    rng = np.random.default_rng(0)
    middle = np.array([[0, 0], [2, 0], [1, 2]])
    y = np.repeat([0, 1, 2], 20)
    f = SVM(C=1.0).fit(middle[y] + 0.5 * rng.standard_normal((60, 2)), y)
    assert isinstance(f, OneAgainstOne)
    canvas, dual = f.charts(View((-2, 4), (-2, 4), 90, 90, roles=("class0", "class1", "class2")))
    field = next(mark for mark in canvas.marks if isinstance(mark, Field))
    assert field.regions and set(np.unique(field.values)) == {0, 1, 2}
    step = (field.x[1] - field.x[0]) / 92
    x, y_ = np.meshgrid(field.x[0] + step * (np.arange(92) + 0.5), field.y[0] + step * (np.arange(92) + 0.5))
    assert f.predict(np.column_stack([x.ravel(), y_.ravel()])).tolist() == field.values.ravel().tolist()
    (lines,) = named(canvas, "boundary")
    pairs = [np.abs(pair.fit.decision_function(np.vstack(lines.lines))) for pair in f.pairs]
    assert np.min(pairs, axis=0).max() < 0.03
    assert len(pairs[0]) > 50
    assert {mark.role for mark in dual.marks if isinstance(mark, Bars)} == {"class0", "class1", "class2"}
    keys = [line.key for line in f.readouts()]
    assert keys == ["support_vectors", "margin", "training_error", "objective", "duality_gap", "kkt_residual",
                    "rounding_floor"]
    assert "3 classes one versus one" in str(f.status())


def test_a_pair_that_says_0_votes_for_its_first_class_alone() -> None:
    pairs = tuple(Pair(i, j, np.zeros(0, np.intp), None) for i, j in ((0, 1), (0, 2), (1, 2)))  # type: ignore[arg-type]
    won, total = tally(pairs, [np.array([0.0, 1.0]), np.array([0.0, -1.0]), np.array([0.0, -1.0])], 3)
    assert won.T.tolist() == [[2, 1, 0], [1, 0, 2]] and won.sum(axis=0).tolist() == [3, 3]
    assert total.T.tolist() == [[0, 0, 0], [0, -2, 2]]


@pytest.mark.parametrize("gap", [1e-6, 1e-9, 1e-12, 1e-15])
@pytest.mark.parametrize("kernel", ["rbf", "matern12"])
def test_a_hard_margin_is_one_or_is_refused(gap: float, kernel: str) -> None:
    product = {"name": "product", "of": [{"name": kernel}, {"name": "constant", "value": 2.0}]}
    try:
        f = SVM(kernel=product, margin="hard").fit(  # type: ignore[arg-type]
            np.array([[0.0], [1.0], [1.0 + gap]]), np.array([1, 1, -1]))
    except FitError as refusal:
        assert "not be solved" in str(refusal)
        return
    assert isinstance(f, SVMFit) and f.functional_margin.min() > 0.99 and f.certificate.holds


@pytest.mark.parametrize("margin", ["soft", "hard"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_points_whose_squared_distances_are_no_numbers_end_in_a_fit_or_a_sentence(margin: str) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = 1e155 * rng.normal(size=(12, 2)), np.repeat([1.0, -1.0], 6)
        try:
            assert fit(X, y, {"name": "linear", "coef0": 1e12}, margin=margin).certificate.holds
        except FitError as error:
            assert str(error)
