"""The perceptron's run: against the textbook rule in exact arithmetic, both forms, both orders, caps, what is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kernelplay.errors import Cancelled, FitError
from kernelplay.models.perceptron import Perceptron, PerceptronFit
from kernelplay.spec import SpecError, build, kinds

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]


def fit(X: Any, y: Any, **params: Any) -> PerceptronFit:
    return Perceptron(**params).fit(np.array(X, float), np.array(y))


def textbook(X: Any, y: Any, bias: bool, max_epochs: int,
             start: Fraction = Fraction(0)) -> tuple[list[int], list[Any], bool]:
    """Return (points updated, theta, converged) by the rule as it is written, in exact arithmetic."""
    rows = [[Fraction(1)] * bias + [Fraction(float(x)) for x in row] for row in X]
    theta = [start] * len(rows[0])
    points: list[int] = []
    for _ in range(max_epochs):
        clean = True
        for n, (row, label) in enumerate(zip(rows, y, strict=True)):
            f = sum(t * x for t, x in zip(theta, row, strict=True))
            if (1 if f >= 0 else -1) != label:
                theta = [t + int(label) * x for t, x in zip(theta, row, strict=True)]
                points.append(n)
                clean = False
        if clean:
            return points, theta, True
    return points, theta, False


def whole_numbers(seed: int, n: int = 12, d: int = 2, reach: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Points on a grid, with ties, repetitions and contradictions, so that every rule about f = 0 is asked for."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-reach, reach + 1, size=(n, d)).astype(float)
    y = np.where(X @ rng.normal(size=d) + rng.normal() * (seed % 2) > 0, 1, -1)
    y[:2] = 1, -1
    return X, y


def separated(seed: int, n: int = 20, d: int = 2, gap: float = 0.05,
              offset: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Points on both sides of a random boundary, none nearer than `gap`."""
    rng = np.random.default_rng(seed)
    w, b = rng.normal(size=d), float(rng.normal()) * offset
    X = rng.normal(size=(4000, d)) * rng.uniform(0.2, 3)
    f = (X @ w + b) / np.linalg.norm(w)
    X, f = X[np.abs(f) > gap], f[np.abs(f) > gap]
    plus, minus = np.flatnonzero(f > 0), np.flatnonzero(f < 0)
    if not len(plus) or not len(minus):
        return separated(seed + 10_000, n, d, gap, offset)
    rows = np.concatenate([plus[: n // 2], minus[: n - n // 2]])
    rows = rng.permutation(rows)
    return X[rows], np.where(f[rows] > 0, 1, -1)


# the rule

@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_the_run_is_the_textbooks_point_for_point(bias: bool, d: int) -> None:
    for seed in range(25):
        X, y = whole_numbers(seed, d=d)
        points, theta, converged = textbook(X, y, bias, 40)
        f = fit(X, y, bias=bias, max_epochs=40)
        assert f.trace.point.tolist() == points
        assert f.theta is not None and f.theta.tolist() == [float(t) for t in theta]
        assert f.converged is converged
        assert f.alpha.tolist() == np.bincount(points, minlength=len(y)).tolist()
        assert f.mistakes == len(points) == f.mistakes_per_epoch.sum()
        f_exact = [sum(t * Fraction(x) for t, x in zip(theta, [1] * bias + row, strict=True)) for row in X.tolist()]
        assert f.f_train.tolist() == [float(value) for value in f_exact]
        assert f.predict(X).tolist() == [1 if value >= 0 else -1 for value in f_exact]


def test_among_many_points_few_mistakes_are_found_in_order_too() -> None:
    searched = 0
    for seed in range(4):
        X, y = separated(seed, 1000, gap=0.01)
        X = np.round(64 * X) / 64
        points, theta, _ = textbook(X, y, True, 16)
        f = fit(X, y, max_epochs=16)
        made = f.mistakes_per_epoch
        searched += int(((made[:-1] * 128 < 1000) & (made[1:] > 0)).sum())  # then whole arrays are searched
        assert f.trace.point.tolist() == points and f.theta is not None
        assert f.theta.tolist() == [float(t) for t in theta]
    assert searched > 5


def test_three_points_and_the_origin() -> None:
    f = fit([[0, 0], [1, 2], [2, 1]], [-1, 1, 1])
    assert (f.mistakes, f.epochs, f.converged, f.trace.point.tolist()) == (3, 3, True, [0, 1, 0])
    assert f.w is not None and (f.w.tolist(), f.b) == ([1.0, 2.0], -1.0)
    assert f.trace.score.tolist() == [0, -1, 0], "first f = 0 counts as +1, at the end again"
    g = fit([[0, 0], [1, 2], [2, 1]], [-1, 1, 1], bias=False, max_epochs=50)
    assert (g.mistakes, g.epochs, g.converged, g.bound) == (50, 50, False, None)
    assert g.w is not None and (g.w.tolist(), g.b) == ([0.0, 0.0], 0.0)
    assert g.separation.endless and g.conflict == (0,)
    assert "origin" in str(g.notes[0].sentence) and "offset" in str(g.notes[0].sentence)


def test_xor_never_settles() -> None:
    f = fit(*XOR)
    assert (f.mistakes, f.epochs, f.converged) == (398, 100, False)
    assert f.mistakes_per_epoch_first.tolist() == [3, 3, 4, 4, 4]
    assert f.w is not None and (f.w.tolist(), f.b) == ([-1.0, 0.0], 0.0)
    assert f.separable is False and f.conflict == (0, 1, 2, 3) and f.bound is None and f.gamma is None
    assert "not separable" in str(f.status()) and "converged" not in str(f.status())
    assert f.trace.period == 1


def test_every_look_is_known() -> None:
    f = fit([[0, 0], [1, 2], [2, 1]], [-1, 1, 1])
    point, mistaken = f.trace.looks()
    assert point.tolist() == [0, 1, 2] * 3
    assert mistaken.tolist() == [True, True, False, True, False, False, False, False, False]
    assert f.trace.look.tolist() == [1, 2, 4] and f.trace.epoch.tolist() == [0, 0, 1]
    assert f.path is not None and f.path.tolist() == [[0, 0, 0], [-1, 0, 0], [0, 1, 2], [-1, 1, 2]]
    for k in range(4):
        assert f.theta_at(k) == pytest.approx(f.path[k])


def test_a_repeated_run_is_known_without_being_played() -> None:
    long, short = fit(*XOR, max_epochs=100_000), fit(*XOR, max_epochs=300)
    assert long.epochs == 100_000 and long.mistakes == 4 * 100_000 - 2
    points, theta, _ = textbook(*XOR, True, 300)
    assert short.trace.point.tolist() == points and long.trace.point[: len(points)].tolist() == points
    assert short.theta is not None and short.theta.tolist() == [float(t) for t in theta]
    period_3 = fit([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0], [0.0, 2.0]], [1, -1, -1, -1], max_epochs=500)
    assert period_3.trace.point.tolist() == textbook(period_3.X, period_3.y, True, 500)[0]


@pytest.mark.parametrize("order", ["cyclic", "random"])
def test_from_zero_the_mistakes_do_not_depend_on_eta(order: str) -> None:
    for seed in range(20):
        X, y = whole_numbers(seed)
        runs = [fit(X, y, eta=eta, order=order, max_epochs=20) for eta in (1.0, 0.1, 0.3, 7.0)]
        for run in runs[1:]:
            assert run.trace.point.tolist() == runs[0].trace.point.tolist(), "exact zeros stay exact zeros"
            assert run.predict(X).tolist() == runs[0].predict(X).tolist()
            assert run.bound == runs[0].bound and run.theta == pytest.approx(run.model.eta * runs[0].theta)


def test_another_start_is_the_textbooks_too() -> None:
    for seed in range(20):
        X, y = whole_numbers(seed, n=8)  # 1/8 is exact
        points, theta, _ = textbook(X, y, True, 30, Fraction(1, 8))
        f = fit(X, y, start="1/n", max_epochs=30)
        assert f.trace.point.tolist() == points
        assert f.theta is not None and f.theta.tolist() == [float(t) for t in theta]
    halved = fit(X, y, start="1/n", eta=0.5, max_epochs=30)
    again, theta, _ = textbook(X, y, True, 30, Fraction(1, 4))
    assert halved.trace.point.tolist() == again and halved.theta == pytest.approx([float(t) / 2 for t in theta])


# random order

@pytest.mark.parametrize("bias", [True, False])
def test_in_random_order_every_update_is_at_a_mistaken_point(bias: bool) -> None:
    for seed in range(12):
        X, y = whole_numbers(seed, n=30)
        f = fit(X, y, order="random", seed=seed, bias=bias, max_epochs=10)
        rows = np.column_stack([np.ones(len(X)), X]) if bias else X
        theta = np.zeros(rows.shape[1])
        for n in f.trace.point:
            assert (1 if rows[n] @ theta >= 0 else -1) != y[n]
            theta = theta + y[n] * rows[n]
        assert f.theta is not None and f.theta.tolist() == theta.tolist()
        assert f.converged == ((np.where(rows @ theta >= 0, 1, -1) == y).all()) or f.mistakes == 300
        assert f.epochs == -(-f.mistakes // 30) + f.converged


@pytest.mark.parametrize(("plus", "minus"), [(3, 12), (60, 5)])
def test_in_random_order_all_mistaken_points_are_equally_likely(plus: int, minus: int) -> None:
    X = np.arange(plus + minus, dtype=float)[:, None] + 1
    y = np.where(np.arange(plus + minus) < plus, 1, -1)
    first = np.array([fit(X, y, order="random", seed=seed, max_updates=1).trace.point[0] for seed in range(1200)])
    times = np.bincount(first, minlength=plus + minus)
    assert times[:plus].sum() == 0, "f = 0 counts as +1"
    expected = 1200 / minus
    assert ((times[plus:] - expected) ** 2 / expected).sum() < minus + 5 * np.sqrt(2 * minus)


def test_the_seed_decides() -> None:
    X, y = separated(3, 60)
    runs = [fit(X, y, order="random", seed=seed).trace.point.tolist() for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert fit(X, y, seed=1).trace.point.tolist() == fit(X, y, seed=2).trace.point.tolist(), "cyclic asks no seed"


# behind a kernel

def test_behind_the_linear_kernel_both_forms_are_the_same() -> None:
    explicit, behind = {"name": "linear"}, {"name": "poly", "degree": 1, "gamma": 1.0, "coef0": 0.0}
    for seed in range(20):
        X, y = whole_numbers(seed)
        for bias, order in ((True, "cyclic"), (False, "cyclic"), (True, "random")):
            one = fit(X, y, bias=bias, order=order, max_epochs=15, kernel=explicit)
            other = fit(X, y, bias=bias, order=order, max_epochs=15, kernel=behind)
            assert one.theta is not None and other.theta is None and other.w is None
            assert other.trace.point.tolist() == one.trace.point.tolist()
            assert other.trace.score.tolist() == one.trace.score.tolist()
            assert (other.b, other.R2) == (one.b, one.R2)
            assert other.separable == one.separable
            assert other.bound == pytest.approx(one.bound) and other.gamma == pytest.approx(one.gamma)
            np.testing.assert_allclose(other.decision_function(X + 0.5), one.decision_function(X + 0.5), atol=1e-12)
            np.testing.assert_allclose(other.lemmas.norm2, one.lemmas.norm2, atol=1e-9)


def test_behind_the_quadratic_kernel_it_runs_on_the_features() -> None:
    for seed in range(8):
        X, y = separated(seed, 30)
        y = np.where((X**2).sum(axis=1) > np.median((X**2).sum(axis=1)), 1, -1)
        phi = np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])
        for bias in (True, False):
            one, other = fit(X, y, bias=bias, kernel={"name": "quadratic"}), fit(phi, y, bias=bias)
            assert one.trace.point.tolist() == other.trace.point.tolist()
            assert one.separable == other.separable == bias, "a circle needs the offset"
            assert not bias or one.bound == pytest.approx(other.bound, rel=1e-7)
            np.testing.assert_allclose(one.f_train, other.f_train, atol=1e-9 * np.abs(other.f_train).max())


def test_f_is_the_expansion_over_the_mistakes() -> None:
    X, y = whole_numbers(4, n=20)
    Z = np.random.default_rng(0).normal(size=(15, 2))
    for bias in (True, False):
        for start in ("zero", "1/n"):
            f = fit(X, y, kernel={"name": "rbf", "gamma": 0.5}, eta=0.25, bias=bias, start=start)
            c = 0.25 * f.alpha + (1 / 20 if start == "1/n" else 0.0)
            K = np.exp(-0.5 * ((Z[:, None] - X) ** 2).sum(axis=2))
            assert f.b == pytest.approx((c * f.y).sum() if bias else 0.0)
            np.testing.assert_allclose(f.decision_function(Z), K @ (c * f.y) + f.b, atol=1e-12)


def test_the_linear_kernels_own_offset_is_a_constant_coordinate() -> None:
    X, y = separated(5, 30)
    for bias in (True, False):
        f = fit(X, y, kernel={"name": "linear", "coef0": 3.0}, bias=bias)
        g = fit(np.column_stack([np.full(30, np.sqrt(3.0 + bias)), X]), y, bias=False)
        assert f.trace.point.tolist() == g.trace.point.tolist()
        assert f.bound == pytest.approx(g.bound) and pytest.approx(g.R2) == f.R2
        np.testing.assert_allclose(f.decision_function(X), X @ f.w + f.b, atol=1e-12)


def test_an_indefinite_kernel_is_named_and_played() -> None:
    X, y = whole_numbers(3, n=25)
    f = fit(X, y, kernel={"name": "sigmoid", "gamma": 1.0, "coef0": -0.5})
    K = np.tanh(X @ X.T - 0.5) + 1
    eig_min = np.linalg.eigvalsh(K)[0]
    assert f.separation.eig_min == pytest.approx(eig_min)
    assert "not positive semi-definite" in str(f.status()) and "not positive semi-definite" in str(f.notes[0].sentence)
    assert f.bound is None and f.certificate.holds
    assert f.f_train == pytest.approx(K @ (f.alpha * f.y), abs=1e-9)


# caps, refusals, words

def test_the_caps_stop_it_and_are_named() -> None:
    X, y = whole_numbers(7, n=60)
    passes = fit(X, y, max_epochs=4)
    assert passes.epochs == 4 and not passes.converged and "4 passes" in str(passes.status())
    updates = fit(X, y, max_updates=11)
    assert updates.mistakes == 11 and "11 updates" in str(updates.status())
    assert updates.trace.point.tolist() == textbook(X, y, True, 100)[0][:11]
    assert updates.theta == pytest.approx(updates.path[-1]) and updates.trace.ends[-1] == 11
    drawn = fit(X, y, order="random", max_epochs=2)
    assert drawn.mistakes == 120 and drawn.epochs == 2
    kernel = fit(X, y, max_updates=13, kernel={"name": "rbf", "gamma": 0.01})
    assert kernel.mistakes == 13 and kernel.certificate.holds
    assert fit(X, y, max_epochs=1).epochs == 1


def test_right_in_the_last_pass_allowed_is_not_yet_converged() -> None:
    X, y = [[0, 0], [1, 2], [2, 1]], [-1, 1, 1]
    f = fit(X, y, max_epochs=2)
    assert (f.mistakes, f.converged, f.training_error) == (3, False, 0.0)
    assert "separable, but stopped" in str(f.status())
    assert "raise the limit" in str(f.notes[0].sentence)


def test_a_run_may_end_without_a_margin() -> None:
    f = fit([[1, 0], [-1, 0], [0, -1]], [1, 1, -1], bias=False)
    assert f.converged and f.theta is not None and f.theta.tolist() == [0, 1]
    assert f.separable is False and not f.separation.endless and f.bound is None
    assert "only running it shows" in str(f.notes[0].sentence)


def test_it_refuses_what_it_cannot_do_in_sentences() -> None:
    with pytest.raises(FitError, match="No points"):
        fit(np.zeros((0, 2)), [])
    with pytest.raises(FitError, match="one class"):
        fit([[0, 0], [1, 0]], [1, 1])
    with pytest.raises(FitError, match="handles two classes"):
        fit([[0], [1], [2]], [1, 2, 3])
    with pytest.raises(FitError, match="overflows at row 1") as refusal:
        fit([[1e200, 0], [0, 1]], [1, -1])
    assert refusal.value.points == (0,)
    with pytest.raises(SpecError, match="eta"):
        Perceptron(eta=0)

    def stop() -> None:
        raise Cancelled

    for params in ({}, {"order": "random"}, {"kernel": {"name": "rbf", "gamma": 1.0}}):
        with pytest.raises(Cancelled):
            Perceptron(**params).fit(np.array(XOR[0], float), np.array(XOR[1]), check=stop)


def test_it_stands_first_in_the_list_though_it_has_a_parameter_named_order() -> None:
    assert next(iter(kinds("model"))) == "perceptron"
    assert build("model", {"name": "perceptron"}).kernel.key == "linear"


@pytest.mark.parametrize("kernel", [{"name": "linear"}, {"name": "rbf", "gamma": 1.0}])
def test_the_certificate_tells_a_wrong_count_and_a_wrong_run(kernel: dict[str, Any]) -> None:
    X, y = separated(2, 25, gap=0.3)
    f = fit(X, y, kernel=kernel)
    assert f.converged and f.certificate.holds and f.certificate.worst < 1e-12
    assert [residual.key for residual in f.certificate.residuals] == [
        "theta", "replay", "mistakes_left", "lemma1", "lemma2", "margin_gap"]
    wrong = f.alpha.copy()
    wrong[f.trace.point[0]] += 1e-4
    assert f.certify(wrong)["theta"] > 1e-6
    assert f.certify(np.zeros(25))["mistakes_left"] == 0, "f = 0 is nobody's wrong side by more than 0"
    assert f.certify(-f.alpha)["mistakes_left"] > 1e-2


def test_two_thousand_points_that_nothing_separates_end_at_the_cap() -> None:
    rng = np.random.default_rng(0)
    y = np.where(rng.random(2000) < 0.5, 1, -1)
    X = rng.normal(size=(2000, 2)) + 0.5 * y[:, None]
    model = Perceptron()
    f = model.fit(X, y)
    assert f.separable is False and f.mistakes == model.max_updates
