"""Certificates against residuals computed here: plain NumPy in extended precision, at extreme C, λ and noise."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import kernelplay as kp
from kernelplay import report
from kernelplay.models.one_against_one import scores, winners
from kernelplay.models.svm import SVMFit
from kernelplay.spec import build

Wide = np.longdouble
assert np.finfo(Wide).eps < 1e-18


def gram(kernel: str, X: np.ndarray) -> np.ndarray:
    """Return K (n, n) in extended precision, from the formula."""
    X = X.astype(Wide)
    products = X @ X.T
    squares = np.diagonal(products)
    distances = squares[:, None] + squares - 2 * products
    if kernel == "linear()":
        return products
    if kernel == "poly(degree=5, gamma=1, coef0=1)":
        return (products + 1) ** 5
    assert kernel == "rbf(gamma=0.5)"
    return np.exp(-distances / 2)


def solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return A^-1 b in extended precision, by elimination with pivots."""
    A, b = np.array(A, Wide), np.array(b, Wide)
    n = len(b)
    for i in range(n):
        p = i + int(np.abs(A[i:, i]).argmax())
        A[[i, p]], b[[i, p]] = A[[p, i]], b[[p, i]]
        factor = A[i + 1:, i] / A[i, i]
        A[i + 1:] -= factor[:, None] * A[i]
        b[i + 1:] -= factor * b[i]
    for i in reversed(range(n)):
        b[i] = (b[i] - A[i, i + 1:] @ b[i + 1:]) / A[i, i]
    return b


def classes(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where(X[:, 0] + rng.normal(size=n) > 0, 1, -1)


def floor_of(fit: Any) -> float:
    return float(next(line.raw for line in fit.readouts() if line.key == "rounding_floor"))


def warned(fit: Any) -> bool:
    return any("limit of double precision" in str(note.sentence) for note in fit.notes if note.level == "warning")


# the dual problems

@pytest.mark.parametrize("kernel", ["linear()", "poly(degree=5, gamma=1, coef0=1)", "rbf(gamma=0.5)"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4, 1e8, 1e10])
def test_the_kkt_residual_of_an_svm_is_the_raw_one(kernel: str, C: float) -> None:
    X, y = classes(60, 3)
    fit = kp.fit(X, y, "svm", kernel=kernel, C=C)
    f = gram(kernel, X) @ (fit.alpha * y) + fit.b
    m = y * f - 1
    violation = np.where(fit.alpha <= 0, -m, np.where(fit.alpha >= C, m, np.abs(m)))
    raw = float(max(violation.max(), 0) / max(np.abs(f).max(), 1))
    shown, floor = fit.certificate["kkt_residual"], floor_of(fit)
    assert abs(shown - raw) <= floor, "what the sum in double precision can change"
    assert 0 < floor <= 1.1e-3 and fit.certificate.holds and shown <= max(1e-8, floor)
    assert warned(fit) == (fit.certificate.worst > 1e-8)


@pytest.mark.parametrize("kernel", ["linear()", "poly(degree=5, gamma=1, coef0=1)", "rbf(gamma=0.5)"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4, 1e8])
def test_the_kkt_residual_of_an_svr_is_the_raw_one(kernel: str, C: float) -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 2))
    t = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=40)
    fit = kp.fit(X, t, "svr", kernel=kernel, C=C, epsilon=0.1)
    r = t - gram(kernel, X) @ fit.coef.astype(Wide) - fit.b
    at_bound, free = np.abs(fit.coef) >= C, (fit.coef != 0) & (np.abs(fit.coef) < C)
    violation = np.where(free, np.abs(r - np.sign(fit.coef) * Wide(0.1)),
                         np.where(at_bound, Wide(0.1) - np.sign(fit.coef) * r, np.abs(r) - Wide(0.1)))
    # targets count from the middle of their range, as an offset is free
    level = (t.min() + t.max()) / 2
    raw = float(max(violation.max(), 0) / max(np.abs(t - r - level).max(), np.abs(t - level).max()))
    assert abs(fit.certificate["kkt_residual"] - raw) <= floor_of(fit)
    assert warned(fit) == (fit.certificate.worst > 1e-8)


def test_what_rounding_decides_is_shown_and_said() -> None:
    largest = 0.0
    for seed in range(6):
        fit = kp.fit(*classes(60, seed), "svm", kernel="poly(degree=5)", C=1e10)
        m = fit.y * fit.f_train - 1
        violation = np.where(fit.alpha <= 0, -m, np.where(fit.alpha >= 1e10, m, np.abs(m))).max()
        raw = violation / max(1, np.abs(fit.f_train).max())
        assert fit.certificate["kkt_residual"] == pytest.approx(raw, rel=1e-3)
        if fit.certificate.worst > 1e-8:
            assert warned(fit) and fit.certificate.holds and fit.certificate.worst <= fit.certificate.tolerance
        largest = max(largest, raw)
    assert largest > 1e-6, "the problem is one where double precision ends"


def test_a_hard_margin_says_what_its_functional_margin_lacks() -> None:
    drowned = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        X, y = rng.uniform(-1, 1, (20, 2)), np.where(rng.random(20) > 0.5, 1, -1)
        try:
            fit = kp.fit(X, y, "svm", kernel="rbf(gamma=0.05)", margin="hard")
        except kp.FitError:
            continue
        lacking = 1 - fit.functional_margin.min()
        assert fit.certificate["margin_shortfall"] == pytest.approx(max(0, lacking), abs=1e-15) and lacking < 1e-3
        assert warned(fit) == (fit.certificate.worst > 1e-8)
        assert not fit.certify(fit.alpha * 0.99).holds
        drowned += lacking > 1e-8
    assert drowned, "a margin that rounding decides is among them"


@pytest.mark.parametrize("kernel", ["exp(linear())", "periodic()"])
@pytest.mark.parametrize("hair", [1e-6, 1e-7, 3e-8])
def test_points_that_nearly_coincide_are_not_said_to_be_inseparable(kernel: str, hair: float) -> None:
    X, y = np.array([[0.3], [0.3 + hair], [1.0], [-0.6]]), np.array([1, -1, 1, -1])
    with pytest.raises(kp.FitError) as refusal:
        kp.fit(X, y, "svm", kernel=kernel, margin="hard")
    assert "has no solution" not in str(refusal.value), "it has one"
    assert "could not be solved" in str(refusal.value) or "to working precision" in str(refusal.value)


def test_equal_points_of_two_classes_are_inseparable_behind_any_kernel() -> None:
    for kernel in ("exp(linear())", "periodic()", "rbf()", "linear()"):
        with pytest.raises(kp.FitError, match="has no solution") as refusal:
            kp.fit([[0.3], [0.3], [1.0], [-0.6]], [1, -1, 1, -1], "svm", kernel=kernel, margin="hard")
        assert {0, 1} <= set(refusal.value.points)


@pytest.mark.parametrize("seed", range(40))
def test_the_tube_that_is_named_can_be_set(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 30))
    X, t = np.sort(rng.uniform(-2, 2, (n, 1)), 0), rng.normal(size=n) * 10.0 ** rng.integers(-2, 4)
    kernel = ("linear()", "poly(degree=2)", "poly(degree=3)", "quadratic()")[seed % 4]
    with pytest.raises(kp.FitError, match="hard tube") as refusal:
        kp.fit(X, t, "svr", kernel=kernel, margin="hard", epsilon=1e-3 * float(np.abs(t).max()))
    named = float(str(refusal.value).split("at least ")[1].split(",")[0])
    fit = kp.fit(X, t, "svr", kernel=kernel, margin="hard", epsilon=named)
    assert np.abs(fit.residuals).max() <= named * (1 + 1e-6)
    powers = ([1], [1, 2], [1, 2, 3], [2])[seed % 4]
    rows = np.column_stack([X ** np.array(powers), np.ones(n)])
    least = linprog([0.0] * rows.shape[1] + [1.0], np.block([[rows, -np.ones((n, 1))], [-rows, -np.ones((n, 1))]]),
                    np.concatenate([t, -t]), bounds=[(None, None)] * (rows.shape[1] + 1)).fun
    assert least * (1 - 1e-6) <= named <= 1.011 * least, "and no number of three digits below it could be set"


@pytest.mark.parametrize("sums", [(0.0, 64.0, -64.0), (-64.0, 0.0, 64.0)])
def test_a_tie_of_votes_is_decided_however_large_the_sums_are(sums: tuple[float, ...]) -> None:
    won, total = np.ones((3, 1)), 1e9 + np.array(sums)[:, None]
    assert winners(won, total).tolist() == [int(np.argmax(sums))]
    assert scores(won, total).max() < 2, "less than a vote"
    assert winners(np.array([[2.0], [1.0], [0.0]]), total).tolist() == [0], "votes come first"


# the equations of ridge and GP regression

def curve(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = np.sort(rng.uniform(-2, 2, (n, 1)), 0)
    return X, np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize(("model", "parameter"), [("krr", "lambda_"), ("gpr", "noise_var")])
@pytest.mark.parametrize("kernel", ["linear()", "rbf(gamma=0.5)"])
@pytest.mark.parametrize("shift", [1e-6, 1e-4, 1.0])
@pytest.mark.parametrize("n", [40, 100])
def test_f_is_right_to_what_the_certificate_says(model: str, parameter: str, kernel: str, shift: float,
                                                 n: int) -> None:
    X, t = curve(n)
    fit = kp.fit(X, t, model, kernel=kernel, **{parameter: shift})
    K = gram(kernel, X)
    wanted = K @ solved(K + Wide(shift) * np.eye(n), t)
    off = float(np.abs(fit.f_train - wanted).max() / np.abs(t).max())
    assert fit.certificate.holds and off <= 1e-8


def test_a_wrong_weight_in_a_weak_direction_does_not_hold() -> None:
    X, t = curve(100)
    system = kp.fit(X, t, "krr", kernel="rbf(gamma=0.5)", lambda_=1e-6).system
    assert system.primal and system.direction is not None
    L = system.gram.L
    for direction in np.linalg.svd(L, full_matrices=False)[2]:
        moved = direction / np.abs(L @ direction).max() * 2e-5 * np.abs(t).max()
        certificate = system.certify(system.direction + moved)
        assert not certificate.holds and certificate.worst == pytest.approx(2e-5, rel=1e-3)


@pytest.mark.parametrize(("model", "parameter"), [("krr", "lambda_"), ("gpr", "noise_var")])
@pytest.mark.parametrize("gamma", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("shift", [0.0, 1e-12])
def test_the_residual_is_that_of_the_equations_as_declared(model: str, parameter: str, gamma: float,
                                                           shift: float) -> None:
    X = np.linspace(0, 1, 30)[:, None]
    t = np.sin(3 * X[:, 0])
    fit = kp.fit(X, t, model, kernel=f"rbf(gamma={gamma})", **{parameter: shift})
    K = np.exp(-gamma * (X - X.T) ** 2).astype(Wide)
    raw = float(np.abs(K @ fit.coef + Wide(shift) * fit.coef - t).max() / np.abs(t).max())
    rounding = 64 * 2.3e-16 * np.abs(fit.coef).sum() / np.abs(t).max()
    assert abs(fit.certificate["residual"] - raw) <= rounding
    assert ("jitter" in {line.key for line in fit.readouts() if line.group == "certificate"}) == (fit.jitter > 0)
    assert fit.certificate.holds or any("relative residual" in str(note.sentence) for note in fit.notes)


def test_a_jitter_is_not_part_of_the_problem() -> None:
    X, t = curve()
    system = kp.fit(X, t, "krr", kernel="rbf(gamma=0.5)", lambda_=1e-2).system
    assert system.shifted is not None and not system.primal
    shifted = system.gram.shifted(1e-2 + 1e-5)
    moved = dataclasses.replace(system, shifted=dataclasses.replace(shifted, jitter=1e-5), coef=shifted.solve(t))
    residual = np.abs(moved.gram.matvec(moved.coef) + 1e-2 * moved.coef - t).max() / np.abs(t).max()
    certificate = moved.certify(moved.unknowns)
    assert certificate.worst == pytest.approx(residual, rel=1e-6) and residual > 1e-6 and not certificate.holds


def test_an_indefinite_kernel_matrix_is_said_in_the_status_line() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    fit = kp.fit(X, X[:, 0], "krr", kernel="sigmoid(gamma=1, coef0=-2)")
    low = np.linalg.eigvalsh(np.tanh(X @ X.T - 2))[0]
    assert low < -10 and f"smallest eigenvalue −{abs(low):.1f}" in str(fit.status())
    line = next(line for line in fit.readouts() if line.key == "eig_min")
    assert line.raw == pytest.approx(low) and line.group == "certificate"
    assert "semi-definite" not in str(kp.fit(X, X[:, 0], "krr").status())


# GP classification, the perceptron

@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("nu", [0.0, 1e-6, 1.0])
def test_the_gradient_of_gp_classification_is_the_raw_one(factor: float, nu: float) -> None:
    X, y = classes(40, 5)
    fit = kp.fit(X, y, "gpc", kernel=build("kernel", {"name": "scale", "factor": factor,
                                                     "of": {"name": "rbf", "gamma": 0.5}}), nu=nu)
    a = factor * (gram("rbf(gamma=0.5)", X) @ fit.coef) + Wide(nu) * fit.coef
    target = (y == 1) - 1 / (1 + np.exp(-a))
    raw = float(np.abs(target - fit.coef).max() / max(np.abs(target).max(), np.abs(fit.coef).max()))
    assert fit.certificate.holds and raw <= 1e-8 and abs(fit.certificate["gradient"] - raw) <= 1e-10


def test_the_error_of_a_low_rank_factor_is_part_of_every_gp_classification() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 2))
    fit = kp.fit(X, np.where(X[:, 0] * X[:, 1] > 0, 1, -1), "gpc", kernel="1*rbf(gamma=1)")
    assert fit.mode.gram.low_rank
    line = next(line for line in fit.readouts() if line.key == "factor_error")
    squares = (X**2).sum(axis=1)
    K = np.exp(2 * X @ X.T - squares[:, None] - squares)
    left_out = np.abs(K @ fit.coef + fit.model.nu * fit.coef - fit.latent_mode).max() / np.abs(fit.latent_mode).max()
    assert line.group == "certificate" and left_out <= line.raw + 1e-12
    assert "newton_steps" not in {line.key for line in fit.readouts()}, "a number that a warm start changes"
    assert str(line.label) in report.as_text(fit) and '"factor_error"' in report.as_json(fit)


def test_a_perceptron_that_has_converged_separates() -> None:
    X, y = classes(30, 2)
    for stretch in (1e-6, 1.0, 1e6):
        moved = stretch * (X + 3.0 * y[:, None])
        fit = kp.fit(moved, y, "perceptron", kernel="linear()")
        theta = np.column_stack([moved, np.ones(30)]).T @ (fit.alpha * y)
        assert fit.converged and fit.certificate.holds
        assert (np.where(np.column_stack([moved, np.ones(30)]) @ theta >= 0, 1, -1) == y).all()


def test_the_report_prints_every_line_of_the_certificate() -> None:
    X, y = classes(30, 0)
    fit = kp.fit(X, y, "svm", kernel="sigmoid(gamma=1, coef0=-2)")
    assert isinstance(fit, SVMFit)
    for line in fit.readouts():
        if line.group == "certificate":
            assert str(line.label) in report.as_text(fit) and f'"{line.key}"' in report.as_json(fit), line.key
    assert {"duality_gap", "kkt_residual", "rounding_floor", "eig_min"} <= {line.key for line in fit.readouts()}
