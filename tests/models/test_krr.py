"""Kernel ridge regression: the numbers of the notes, closed forms, scikit-learn, and data that have no answer."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from kernelplay.errors import FitError, SpecError
from kernelplay.models.base import View
from kernelplay.spec import build


def krr(kernel: dict[str, object], **values: object):
    return build("model", {"name": "krr", "kernel": kernel, **values})


def noisy_sine(n: int = 40, seed: int = 3):
    random = np.random.default_rng(seed)
    x = np.sort(random.uniform(-2, 2, n))
    return x[:, None], np.sin(2 * x) + 0.2 * random.standard_normal(n)


def test_numbers_of_the_notes() -> None:
    random = np.random.default_rng(0)
    x = np.linspace(0, 1, 20)
    t = np.sin(2 * np.pi * x) + 0.1 * random.standard_normal(20)
    fit = krr({"name": "rbf", "gamma": 50.0}, lambda_=1e-2).fit(x[:, None], t)
    expected = [0.011093, 0.910551, 0.576444, -0.676532, -1.023976, 0.093494]
    assert fit.predict(np.linspace(0, 1, 6)[:, None]) == pytest.approx(expected, abs=5e-7)
    assert fit.certificate.worst < 1e-13


@pytest.mark.parametrize(("kernel", "coef", "probed"), [
    ({"name": "linear"}, [100.0, 100.0, 100.0], [0.0, 0.0, 0.0]),
    ({"name": "rbf", "gamma": 1.0}, [7.63041569879667, 3.98713988512888, 7.63041569879667],
     [9.60128601148711, 9.23695843012033, 0.0]),
])
def test_there_is_no_offset_and_it_is_said(kernel: dict[str, object], coef: list[float], probed: list[float]) -> None:
    fit = krr(kernel, lambda_=0.1).fit([[-1.0], [0.0], [1.0]], [10.0, 10.0, 10.0])
    assert fit.coef == pytest.approx(coef, rel=1e-9)
    assert fit.decision_function([[0.0], [1.0], [100.0]]) == pytest.approx(probed, abs=1e-9)
    assert any("offset" in str(note.sentence) for note in fit.notes)


def test_no_word_of_an_offset_where_it_does_not_matter() -> None:
    X, t = noisy_sine()
    assert krr({"name": "rbf"}).fit(X, t).notes == ()


@pytest.mark.parametrize("n", [30, 300])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "laplacian"])
def test_agrees_with_scikit_learn(n: int, kernel: str) -> None:
    X, t = noisy_sine(n)
    ours = {"rbf": {"name": "rbf", "gamma": 2.0}, "linear": {"name": "linear"},
            "laplacian": {"name": "matern12", "length_scale": 0.5}}[kernel]
    theirs = KernelRidge(alpha=0.05, kernel=kernel, gamma=None if kernel == "linear" else 2.0).fit(X, t)
    fit = krr(ours, lambda_=0.05).fit(X, t)
    Z = np.linspace(-3, 3, 50)[:, None]
    assert fit.predict(Z) == pytest.approx(theirs.predict(Z), abs=1e-9)
    assert fit.coef == pytest.approx(theirs.dual_coef_, abs=1e-7)


def test_is_the_mean_of_the_gaussian_process_with_noise_lambda() -> None:
    X, t = noisy_sine()
    kernel = {"name": "matern32", "length_scale": 0.7}
    Z = np.linspace(-4, 4, 33)[:, None]
    process = build("model", {"name": "gpr", "kernel": kernel, "noise_var": 0.03}).fit(X, t)
    assert krr(kernel, lambda_=0.03).fit(X, t).predict(Z) == pytest.approx(process.mean(Z), abs=1e-13)


def test_several_inputs() -> None:
    random = np.random.default_rng(5)
    X = random.normal(size=(60, 5))
    t = X @ np.arange(5.0)
    fit = krr({"name": "linear"}, lambda_=1e-6).fit(X, t)
    assert fit.predict(np.eye(5)) == pytest.approx(np.arange(5.0), abs=1e-6)


def test_without_penalty_it_interpolates() -> None:
    X = np.linspace(0, 3, 7)[:, None]
    t = np.array([1.0, -1, 2, 0, 1, 3, -2])
    fit = krr({"name": "rbf", "gamma": 3.0}, lambda_=0.0).fit(X, t)
    assert fit.predict(X) == pytest.approx(t, abs=1e-9)
    assert fit.jitter == 0.0


def test_without_penalty_conflicting_points_are_named() -> None:
    with pytest.raises(FitError) as caught:
        krr({"name": "rbf"}, lambda_=0.0).fit([[0.0], [1.0], [0.0]], [1.0, 5.0, 2.0])
    assert caught.value.points == (0, 2)
    assert "1, 3" in str(caught.value) and "λ" in str(caught.value)


def test_a_singular_matrix_is_solved_with_a_jitter_that_is_stated() -> None:
    fit = krr({"name": "linear"}, lambda_=0.0).fit([[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    assert fit.jitter > 0 and any("jitter" in str(note.sentence) for note in fit.notes)
    assert fit.predict([[10.0]]) == pytest.approx([20.0], rel=1e-5)
    assert any(line.key == "jitter" and line.raw == fit.jitter for line in fit.readouts())


@pytest.mark.parametrize("penalty", [0.0, 1e-14, 1e-10, 1e-6])
def test_a_tiny_penalty_gives_least_squares_to_all_digits(penalty: float) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(30, 1))
    t = 2 * X[:, 0] + 0.1 * random.normal(size=30)
    fit = krr({"name": "linear"}, lambda_=penalty).fit(X, t)
    slope = float(X[:, 0] @ t / (X[:, 0] @ X[:, 0] + penalty))
    assert fit.predict([[10.0]]) == pytest.approx([10 * slope], rel=1e-13)
    assert fit.norm == pytest.approx(slope, rel=1e-13) and fit.certificate.worst < 1e-12
    assert fit.certify(fit.variables + 1e-4).worst > 1e-6


def test_an_indefinite_kernel_is_said_and_answered() -> None:
    random = np.random.default_rng(7)
    X, t = random.normal(size=(30, 2)), random.normal(size=30)
    fit = krr({"name": "sigmoid", "gamma": 1.0, "coef0": -1.0}, lambda_=0.01).fit(X, t)
    assert fit.eig_min < -0.1
    assert any("eigenvalue" in str(note.sentence) for note in fit.notes)
    direct = np.linalg.solve(fit.K + 0.01 * np.eye(30), t)
    assert fit.coef == pytest.approx(direct, rel=1e-6) and fit.certificate.holds


def test_the_certificate_is_computed_from_the_problem() -> None:
    X, t = noisy_sine()
    fit = krr({"name": "rbf"}).fit(X, t)
    disturbed = fit.coef.copy()
    disturbed[4] += 1e-4
    assert fit.certificate.holds and fit.certificate.worst < 1e-12
    assert fit.certify(disturbed).worst > 1e-6


@pytest.mark.parametrize(("shift", "scale"), [(1e6, 1.0), (0.0, 1e-9), (0.0, 1e9)])
def test_moved_and_scaled_data_give_the_moved_and_scaled_answer(shift: float, scale: float) -> None:
    X, t = noisy_sine()
    Z = np.linspace(-2, 2, 11)[:, None]
    plain = krr({"name": "rbf", "gamma": 2.0}).fit(X, t).predict(Z)
    moved = krr({"name": "rbf", "gamma": 2.0 / scale**2}).fit(X * scale + shift, t).predict(Z * scale + shift)
    assert moved == pytest.approx(plain, abs=1e-6)


def test_the_canvas_shows_the_curve_through_the_training_inputs() -> None:
    X, t = noisy_sine(9)
    fit = krr({"name": "rbf"}).fit(X, t)
    (chart,) = fit.charts(View((-3.0, 3.0), (-2.0, 2.0), 50, 40))
    (mean,) = chart.marks
    line = mean.lines[0]
    assert mean.role == "mean" and line[0, 0] < -3 and line[-1, 0] > 3 and not line.flags.writeable
    assert set(X[:, 0]) <= set(line[:, 0])
    assert line[:, 1] == pytest.approx(fit.predict(line[:, :1]), abs=1e-12)
    assert fit.charts(View((-3.0, 3.0), (-2.0, 2.0), 50, 40, hidden=frozenset({"mean"})))[0].marks == ()


def test_bad_input_is_a_sentence() -> None:
    with pytest.raises(SpecError, match="lambda_"):
        krr({"name": "rbf"}, lambda_=-1.0)
    with pytest.raises(FitError, match="Row 2"):
        krr({"name": "rbf"}).fit([[0.0], [1.0]], [1.0, float("nan")])
    with pytest.raises(FitError, match="too large"):
        krr({"name": "poly", "degree": 10}).fit([[1e60], [2e60]], [1.0, 2.0])
    with pytest.raises(ValueError, match="no standard deviation"):
        krr({"name": "rbf"}).fit([[0.0]], [1.0]).predict([[0.0]], return_std=True)


def test_the_training_error_is_the_root_of_the_mean_square() -> None:
    fit = krr({"name": "constant", "value": 1.0}, lambda_=1.0).fit(np.array([[0.0], [1.0]]), np.array([0.0, 3.0]))
    np.testing.assert_allclose(fit.f_train, [1.0, 1.0])  # 3/(2 + lambda)
    np.testing.assert_allclose(fit.training_error, np.sqrt((1 + 4) / 2))
