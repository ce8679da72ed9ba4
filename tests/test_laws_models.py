"""Laws over all models, found by scanning their folder, with several kernels each."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import kernelplay as kp
from kernelplay.i18n import LANGUAGES, PSEUDO, verbatim
from kernelplay.models.base import Certificate, Fit, Model, Residual, View
from kernelplay.spec import build, kinds

MODELS = kinds("model")
KERNELS: dict[str, dict[str, Any]] = {
    "linear": {"name": "linear"},
    "rbf": {"name": "rbf", "gamma": 0.7},
    "poly": {"name": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0},
    "sum": {"name": "sum", "of": [{"name": "matern32"}, {"name": "constant", "value": 0.5}]},
}
PAIRS = [(model, kernel) for model in MODELS for kernel in KERNELS]
IDS = [f"{model}-{kernel}" for model, kernel in PAIRS]


def problem(model: type[Model], d: int, n: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Return overlapping classes, or a noisy curve, in d dimensions."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n, d))
    if model.task == "regression":
        return X, np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=n)
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0, 1, -1)
    y[:2] = 1, -1
    return X, y


def fitted(model: str, kernel: str, d: int = 2) -> Fit:
    return kp.fit(*problem(MODELS[model], d), build("model", {"name": model, "kernel": KERNELS[kernel]}))


@pytest.mark.parametrize(("model", "kernel"), PAIRS, ids=IDS)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_certificate_holds_and_a_disturbed_solution_has_a_worse_one(model: str, kernel: str, d: int) -> None:
    fit = fitted(model, kernel, d)
    assert fit.certificate.holds, fit.certificate
    again = fit.certify(fit.variables)
    assert again.worst <= max(2 * fit.certificate.worst, fit.certificate.tolerance)
    rng = np.random.default_rng(1)
    size = 1e-4 * max(float(np.abs(fit.variables).max()), 1e-3)
    disturbed = fit.certify(fit.variables + size * rng.choice([-1.0, 1.0], fit.variables.shape))
    assert disturbed.worst > 1e2 * fit.certificate.worst and not disturbed.holds, disturbed


@pytest.mark.parametrize(("model", "kernel"), PAIRS, ids=IDS)
def test_the_order_of_the_rows_does_not_matter(model: str, kernel: str) -> None:
    if "order" in MODELS[model].params():
        return  # a model that visits the points in an order is about that order
    X, y = problem(MODELS[model], 2)
    spec = build("model", {"name": model, "kernel": KERNELS[kernel]})
    shuffled = np.random.default_rng(2).permutation(len(X))
    Z = np.random.default_rng(3).normal(size=(30, 2))
    one, other = kp.fit(X, y, spec).decision_function(Z), kp.fit(X[shuffled], y[shuffled], spec).decision_function(Z)
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-7 * np.abs(one).max())


@pytest.mark.parametrize(("model", "kernel"), PAIRS, ids=IDS)
def test_everything_it_says_can_be_said_in_every_language(model: str, kernel: str) -> None:
    fit = fitted(model, kernel, 1 if MODELS[model].task == "regression" else 2)
    view = View((-2.0, 2.0), (-2.0, 2.0), 12, 12)
    charts = fit.charts(view)
    sentences = [fit.status(), *(note.sentence for note in fit.notes)]
    for line in fit.readouts():
        sentences += [line.label, line.value, *([line.help] if str(line.help) else [])]
    for chart in charts:
        sentences += [mark.label for mark in chart.marks if mark.label is not None]
    frames = fit.frames(view)
    if frames is not None:
        sentences += [frames.at(k).caption for k in (0, frames.count - 1)]
    for language in (*LANGUAGES, PSEUDO):
        shown = [sentence.text(language) for sentence in sentences]
        assert all(text.strip() for text in shown) and not any("nan" in text for text in shown)
    assert charts[0].key == "canvas" and len({chart.key for chart in charts}) == len(charts)
    assert len({line.key for line in fit.readouts()}) == len(fit.readouts())


@pytest.mark.parametrize(("model", "kernel"), PAIRS, ids=IDS)
def test_a_fit_is_a_frozen_value_and_leaves_its_data_alone(model: str, kernel: str) -> None:
    X, y = problem(MODELS[model], 2)
    before = X.copy(), y.copy()
    fit = kp.fit(X, y, build("model", {"name": model, "kernel": KERNELS[kernel]}))
    f = fit.decision_function(X)
    X += 1.0
    np.testing.assert_array_equal(fit.decision_function(before[0]), f)
    np.testing.assert_array_equal(y, before[1])
    for value in (fit.X, fit.y, fit.variables):
        assert not value.flags.writeable
    with pytest.raises(AttributeError):
        fit.X = X  # type: ignore[misc]


@pytest.mark.parametrize("model", MODELS)
def test_a_row_that_is_not_finite_is_named(model: str) -> None:
    X, y = problem(MODELS[model], 2)
    for bad in (np.nan, np.inf, -np.inf):
        wrong = X.copy()
        wrong[4, 1] = bad
        with pytest.raises(kp.FitError, match="Row 5") as refusal:
            kp.fit(wrong, y, model)
        assert refusal.value.points == (4,)
    with pytest.raises(kp.FitError, match="Row 3"):
        kp.fit(X, np.where(np.arange(len(y)) == 2, np.nan, y.astype(float)), model)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("X", "y"), [([], []), (np.zeros((0, 2)), []), (np.zeros((3, 0)), [1, -1, 1])])
def test_no_points_are_refused_in_a_sentence(model: str, X: Any, y: Any) -> None:
    with pytest.raises(kp.FitError, match=r"No points"):
        kp.fit(X, y, model)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("X", "y"), [
    ([[1, 2], [3]], [1, -1]), ([["a"], ["b"]], [1, -1]), ([[1], [2]], [1]), (np.zeros((2, 2, 2)), [1, -1]),
    ([[1], [2]], [[1], [-1]]), ([[1], [2]], [1, None])])
def test_what_is_no_data_is_refused_in_a_sentence(model: str, X: Any, y: Any) -> None:
    with pytest.raises(kp.FitError) as refusal:
        kp.fit(X, y, model)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("y", [[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]])
def test_one_class_or_one_level_is_an_answer_or_a_sentence(model: str, y: list[float]) -> None:
    try:
        fit = kp.fit([[0.0], [1.0], [3.0]], y, model)
    except kp.FitError as refusal:
        assert "class" in str(refusal)
        return
    assert np.isfinite(fit.decision_function(np.array([[0.0], [2.0]]))).all()
    assert fit.certificate.holds


@pytest.mark.parametrize("model", MODELS)
def test_check_is_called_and_stops_it(model: str) -> None:
    X, y = problem(MODELS[model], 2)

    def stop() -> None:
        raise kp.Cancelled

    with pytest.raises(kp.Cancelled):
        fit = build("model", {"name": model}).fit(X, y, check=stop)
        fit.charts(View((-2.0, 2.0), (-2.0, 2.0), 60, 60), stop)


@pytest.mark.parametrize("model", [name for name, cls in MODELS.items() if cls.task == "classification"])
def test_labels_of_any_kind_come_back(model: str) -> None:
    X, y = problem(MODELS[model], 2)
    plain = kp.fit(X, y, model)
    for plus, minus in (("yes", "no"), (5, 2), (0.5, -0.5), (True, False), ("나", "가")):
        fit = kp.fit(X, np.where(y == 1, plus, minus), model)
        np.testing.assert_allclose(fit.decision_function(X), plain.decision_function(X), atol=1e-9)
        assert [plus if label == 1 else minus for label in plain.predict(X)] == fit.predict(X).tolist()
    names = kp.fit(X, [["no", "yes"][int(label == 1)] for label in y], model)
    assert names.labels == ("yes", "no"), "the last in alphabetical order is the one with f >= 0"


@pytest.mark.parametrize("model", MODELS)
def test_its_dict_gives_the_same_fit(model: str) -> None:
    X, y = problem(MODELS[model], 2)
    spec = build("model", {"name": model})
    again = build("model", json.loads(json.dumps(spec.to_dict())))
    np.testing.assert_array_equal(kp.fit(X, y, spec).f_train, kp.fit(X, y, again).f_train)
    assert spec.formula and all(spec.formula)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_predictions_are_asked_for_at_points_like_the_training_points(model: str, kernel: str) -> None:
    fit = fitted(model, kernel)
    for ask in (fit.predict, fit.decision_function):
        for wrong in (np.zeros((3, 4)), np.zeros((3, 3)), np.zeros((2, 2, 2)), 1.0, [1.0, 2.0, 3.0, 4.0]):
            with pytest.raises(kp.FitError, match="need 2 coordinates"):
                ask(wrong)  # type: ignore[arg-type]
        with pytest.raises(kp.FitError, match="Row 2"):
            ask([[0.0, 0.0], [np.nan, 0.0]])  # type: ignore[arg-type]
        with pytest.raises(kp.FitError, match="Z must contain only numbers"):
            ask([["a", "b"]])  # type: ignore[arg-type]
        np.testing.assert_array_equal(ask([0.5, 0.2]), ask(np.array([[0.5, 0.2]])))  # type: ignore[arg-type]
        assert len(ask([])) == 0  # type: ignore[arg-type]


@pytest.mark.parametrize("model", MODELS)
def test_a_deviation_is_returned_or_its_absence_is_said(model: str) -> None:
    fit = fitted(model, "rbf")
    if model in ("gpr", "gpc"):
        value, deviation = fit.predict(fit.X, return_std=True)
        assert value.shape == deviation.shape and (deviation > 0).all()
        return
    with pytest.raises(kp.SpecError, match="no standard deviation"):
        fit.predict(fit.X, return_std=True)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kernel", ["0*rbf()", "0*matern12()*rbf()", "0*linear()", "constant(value=0)"])
def test_a_kernel_that_is_0_everywhere_is_answered(model: str, kernel: str) -> None:
    X, y = problem(MODELS[model], 2)
    for parameters in ({}, {"margin": "hard"}, {"bias": False}):
        if set(parameters) <= set(MODELS[model].params()):
            try:
                fit = kp.fit(X, y, model, kernel=kernel, **parameters)
            except kp.FitError as refusal:
                assert parameters == {"margin": "hard"}, refusal
                continue
            f = fit.decision_function(X)
            assert fit.certificate.holds and np.ptp(f) == 0
            assert not fit.labels or (fit.predict(X) == fit.labels[0 if f[0] >= 0 else 1]).all(), "0 is the first"


def test_a_residual_that_is_no_number_does_not_hold() -> None:
    sound = Residual("a", verbatim("a"), 0.0)
    broken = Residual("b", verbatim("b"), float("nan"))
    for residuals in ((sound, broken), (broken, sound), (broken,)):
        assert not Certificate(residuals).holds and Certificate(residuals).worst == float("inf")
    assert Certificate((sound,)).holds


def test_a_proof_without_a_residual_proves_nothing() -> None:
    assert not Certificate(()).holds and Certificate(()).worst == float("inf")


def test_a_rounding_floor_excuses_its_own_residual_only() -> None:
    drowned, sound = Residual("a", verbatim("a"), 2e-6, floor=3e-6), Residual("b", verbatim("b"), 1e-9)
    wrong = Residual("b", verbatim("b"), 2e-6)
    limit = Certificate((drowned, sound))
    assert limit.holds and limit.floor_decides and limit.worst == 2e-6 and limit.tolerance == 3e-6
    assert not Certificate((drowned, wrong)).holds and Certificate((drowned, wrong)).tolerance == 1e-8
    assert Certificate((sound,)).tolerance == 1e-8 and not Certificate((sound,)).floor_decides


@pytest.mark.parametrize("model", [name for name, cls in MODELS.items() if cls.task == "regression"])
def test_targets_whose_squares_are_no_numbers_are_refused(model: str) -> None:
    with pytest.raises(kp.FitError, match="targets are too large"):
        kp.fit([[0.0], [1.0]], [1e200, -1e200], model)
    assert kp.fit([[0.0], [1.0]], [1e140, -1e140], model).certificate.holds


SIMILAR = {  # kernels that give the same matrix when inputs and lengths are scaled alike
    "rbf": lambda s: {"name": "rbf", "gamma": 0.7 / s**2}, "scale": lambda s: {"name": "rbf", "gamma": "scale"},
    "matern32": lambda s: {"name": "matern32", "length_scale": 1.3 * s},
    "periodic": lambda s: {"name": "periodic", "period": 2.3 * s}, "fisher": lambda s: {"name": "fisher"},
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kernel", SIMILAR)
@pytest.mark.parametrize("d", [1, 5])
def test_data_moved_and_scaled_have_the_same_answer(model: str, kernel: str, d: int) -> None:
    X, y = problem(MODELS[model], d)
    X = np.round(X * 1024) / 1024  # so that a shift by 1e6 loses no digit of the data themselves
    Z = np.round(np.random.default_rng(5).normal(size=(12, d)) * 1024) / 1024
    wanted = kp.fit(X, y, model, kernel=SIMILAR[kernel](1.0)).decision_function(Z)
    for size, shift in ((1e-9, 0.0), (1e9, 0.0), (1.0, 1e6), (1e3, 1e6)):
        fit = kp.fit(size * X + shift, y, model, kernel=SIMILAR[kernel](size))
        np.testing.assert_allclose(fit.decision_function(size * Z + shift), wanted, rtol=1e-6,
                                   atol=1e-6 * max(1.0, np.abs(wanted).max()))


@pytest.mark.parametrize("model", ["svm", "svr"])
@pytest.mark.parametrize("kernel", ["sigmoid(gamma=0.5, coef0=-501)", "sigmoid(gamma=0.5, coef0=501)"])
def test_a_sigmoid_that_is_the_same_everywhere_is_answered(model: str, kernel: str) -> None:
    X, y = problem(MODELS[model], 2)
    fit = kp.fit(X, y, model, kernel=kernel)
    assert fit.certificate.holds and np.ptp(fit.decision_function(X)) <= 1e-9
