"""GP classification by Laplace: the numbers of the notes, hard inputs, scikit-learn, and what the mode must satisfy."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_moons
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

from kernelplay.errors import Cancelled, FitError, SpecError
from kernelplay.marks import Curve, Field
from kernelplay.models.base import View
from kernelplay.models.gpc import exact_average
from kernelplay.models.laplace import find_mode, sigmoid
from kernelplay.numerics.gram import from_matrix
from kernelplay.spec import build

RBF2 = {"name": "rbf", "gamma": 2.0}
SCALED = {"name": "scale", "factor": 4.0, "of": {"name": "rbf", "gamma": 1.5}}
VIEW = View((-1.5, 2.5), (-1.0, 1.5), 60, 50)


def gpc(kernel: dict[str, object] | None = None, **values: object):
    return build("model", {"name": "gpc", **({"kernel": kernel} if kernel else {}), **values})


def moons(n: int, seed: int = 0):
    X, c = make_moons(n, noise=0.25, random_state=seed)
    return X, np.where(c == 1, 1, -1)


def test_numbers_of_the_notes() -> None:
    random = np.random.default_rng(2)
    x = np.sort(random.uniform(-3, 3, 20))
    y = np.where(random.uniform(size=20) < sigmoid(1.5 * x), 1, -1)
    fit = gpc({"name": "rbf", "gamma": 0.5}, nu=1e-2).fit(x[:, None], y)
    Z = [[-2.0], [0.0], [2.0]]
    assert fit.latent_mean(Z) == pytest.approx([-1.332218, 0.534636, 0.960553], abs=6e-7)
    assert fit.latent_var(Z) == pytest.approx([0.482341, 0.471329, 0.630877], abs=6e-7)
    assert fit.p(Z) == pytest.approx([0.227665, 0.620369, 0.702644], abs=6e-7)
    assert fit.certificate.worst < 1e-11


def test_newton_from_zero_needs_five_steps_to_1e_10() -> None:
    random = np.random.default_rng(2)
    x = np.sort(random.uniform(-3, 3, 20))
    y = np.where(random.uniform(size=20) < sigmoid(1.5 * x), 1.0, -1.0)
    gram = from_matrix(np.exp(-0.5 * (x[:, None] - x) ** 2))
    C, t = gram.dense() + 1e-2 * np.eye(20), (y + 1) / 2
    places = [np.zeros(20)]
    for _ in range(5):
        sigma = sigmoid(places[-1])
        W = sigma * (1 - sigma)
        places.append(C @ np.linalg.solve(np.eye(20) + W[:, None] * C, t - sigma + W * places[-1]))
    lengths = [float(np.linalg.norm(b - a)) for a, b in pairwise(places)]
    assert lengths[3] > 1e-10 > lengths[4]
    assert find_mode(gram, y, 1e-2).latent == pytest.approx(places[-1], abs=1e-12)


def test_two_points_by_symmetry() -> None:
    fit = gpc({"name": "rbf", "gamma": 0.5}, nu=0.01).fit([[1.0], [-1.0]], [1, -1])
    m = fit.latent_mode[0]
    assert m == pytest.approx((1.01 - math.exp(-2)) * (1 - sigmoid(np.array([m]))[0]), abs=1e-12)
    Z = [[1.0], [0.0], [0.3], [6.0]]
    assert fit.latent_mode == pytest.approx([0.359547619481597, -0.359547619481597], rel=1e-12)
    means = [0.355436928692422, 0, 0.145167886017723, 1.53190247449957e-06]
    variances = [0.813159790233037, 0.870546303182792, 0.858272052947985, 1.0099999999973]
    assert fit.latent_mean(Z) == pytest.approx(means, abs=1e-12)
    assert fit.latent_var(Z) == pytest.approx(variances, abs=1e-12)
    assert fit.p(Z) == pytest.approx([0.576750279367149, 0.5, 0.531344982349841, 0.500000324064198], abs=1e-12)
    assert fit.p_map(Z) == pytest.approx([0.587935396111527, 0.5, 0.536228371640525, 0.500000382975619], abs=1e-12)
    assert fit.p_exact_average(Z) == pytest.approx([0.575106054, 0.5, 0.5306269218, 0.500000316], abs=2e-9)
    assert fit.lml == pytest.approx(-1.42508866672502, rel=1e-12)
    assert fit.predict([[0.1], [-0.1]]).tolist() == [1, -1]


def test_one_class_is_answered_with_a_note() -> None:
    fit = gpc({"name": "rbf", "gamma": 0.5}, nu=0.01).fit([[0.0], [1.0], [2.0]], [1, 1, 1])
    Z = [[1.0], [3.0], [40.0]]
    assert fit.latent_mode == pytest.approx([0.600009145091103, 0.753170300630437, 0.600009145091103])
    assert fit.latent_mean(Z) == pytest.approx([0.74996899162095, 0.262180431113513, 0.0], abs=1e-12)
    assert fit.latent_var(Z) == pytest.approx([0.739350877877953, 0.940798803378094, 1.01])
    assert fit.p(Z) == pytest.approx([0.659310539179989, 0.55577707939936, 0.5])
    assert fit.lml == pytest.approx(-1.88886779566924)
    assert "one class" in str(fit.notes[0].sentence)
    assert fit.predict(Z).tolist() == [1, 1, 1]
    other = gpc({"name": "rbf", "gamma": 0.5}).fit([[0.0], [1.0], [2.0]], [-1, -1, -1])
    assert other.p([[1.0]])[0] < 0.5 and other.predict([[1.0], [40.0]]).tolist() == [-1, -1]
    flat = gpc(RBF2).fit([[0.0, 0.0], [1.0, 0.5]], [1, 1]).charts(VIEW)[0]
    assert not [mark for mark in flat.marks if mark.role == "boundary"]


@pytest.mark.parametrize("n", [30, 400])
@pytest.mark.parametrize(("ours", "theirs"), [
    (SCALED, ConstantKernel(4.0) * RBF(1 / math.sqrt(3.0))),
    ({"name": "matern32", "length_scale": 0.6}, Matern(0.6, nu=1.5)),
])
def test_agrees_with_scikit_learn(n: int, ours: dict[str, object], theirs: object) -> None:
    X, y = moons(n)
    other = GaussianProcessClassifier(theirs + WhiteKernel(0.01), optimizer=None).fit(X, y)
    fit = gpc(ours, nu=0.01).fit(X, y)
    assert fit.latent_mode == pytest.approx(other.base_estimator_.f_cached, abs=1e-7)
    assert fit.lml == pytest.approx(other.log_marginal_likelihood_value_, abs=1e-7)
    Z = np.random.default_rng(1).uniform(-2, 3, (200, 2))
    mean, variance = other.base_estimator_.latent_mean_and_variance(Z)
    assert fit.latent_mean(Z) == pytest.approx(mean, abs=1e-7)
    assert fit.latent_var(Z) == pytest.approx(variance, abs=1e-7)
    # scikit-learn's own average is by five error functions, good to some 1e-4
    assert fit.p_exact_average(Z) == pytest.approx(other.predict_proba(Z)[:, 1], abs=2e-3)
    assert (fit.predict(Z) == other.predict(Z)).all()


@pytest.mark.parametrize("n", [40, 400])
def test_the_gradient_is_that_of_finite_differences_and_of_scikit_learn(n: int) -> None:
    X, y = moons(n)
    model = gpc(SCALED, nu=0.02)
    fit = model.fit(X, y)
    assert set(fit.lml_gradient) == {"kernel.factor", "kernel.of.gamma", "nu"}
    for path, slope in fit.lml_gradient.items():
        value = model.get(path)
        up, down = (model.replace(path, value * (1 + sign * 1e-4)).fit(X, y).lml for sign in (1, -1))
        assert slope == pytest.approx((up - down) / (2e-4 * value), rel=1e-5, abs=1e-6), path
    kernel = ConstantKernel(4.0) * RBF(1 / math.sqrt(3.0)) + WhiteKernel(0.02)
    other = GaussianProcessClassifier(kernel, optimizer=None).fit(X, y)
    _, (factor, length, noise) = other.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    slopes = fit.lml_gradient_log
    assert [slopes["factor"], -2 * slopes["gamma"], slopes["nu"]] == pytest.approx([factor, length, noise], rel=1e-5)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 50), st.integers(1, 3), st.floats(-3, 6), st.floats(0, 0.5), st.integers(0, 10**6))
def test_the_mode_is_a_mode(n: int, d: int, factor: float, nu: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(n, d)), random.choice([-1, 1], n)
    kernel = {"name": "scale", "factor": 10.0**factor, "of": {"name": "matern52"}}
    fit = gpc(kernel, nu=nu).fit(X, y)
    assert fit.certificate.worst < 1e-8, fit.certificate
    t = (fit.y + 1) / 2
    assert fit.coef == pytest.approx(t - sigmoid(fit.latent_mode), abs=1e-8)
    C = fit.K + nu * np.eye(n)
    assert fit.latent_mode == pytest.approx(C @ fit.coef, rel=1e-9, abs=1e-9)
    climb = np.array(fit.mode.climb)
    assert (np.diff(climb) >= -1e-13 * np.abs(climb[1:])).all(), "the log posterior never falls"
    Z = np.vstack([2 * random.normal(size=(10, d)), X[:3]])
    variance, prior = fit.latent_var(Z), fit.kernel.diagonal(Z) + nu
    assert (variance >= 0).all() and (variance <= prior * (1 + 1e-12)).all()
    assert ((fit.p(Z) >= 0) & (fit.p(Z) <= 1)).all()
    shuffled = random.permutation(n)
    again = gpc(kernel, nu=nu).fit(X[shuffled], y[shuffled], labels=(1, -1))
    assert again.latent_mean(Z) == pytest.approx(fit.latent_mean(Z), rel=1e-6, abs=1e-7)


def test_a_step_that_is_too_long_is_halved() -> None:
    gram = from_matrix(np.array([[1e6]]))
    far = replace(find_mode(gram, np.array([1.0]), 0.0), alpha=np.array([-0.02]))
    mode = find_mode(gram, np.array([1.0]), 0.0, far)  # a = -20000: sigma has no slope there
    assert np.isfinite(mode.latent).all() and mode.certify(mode.alpha).holds
    assert (np.diff(mode.climb) >= -1e-14 * np.abs(mode.climb[1:])).all()


def test_the_low_rank_factor_gives_what_the_whole_matrix_gives() -> None:
    X, y = moons(600)
    fit = gpc(RBF2, nu=0.01).fit(X, y)
    assert fit.mode.gram.low_rank
    whole = find_mode(from_matrix(fit.K), fit.y, 0.01)
    assert fit.latent_mode == pytest.approx(whole.latent, abs=1e-7)
    assert fit.lml == pytest.approx(whole.climb[-1] - 0.5 * whole.log_determinant, abs=1e-7)


def test_the_certificate_is_computed_from_the_problem() -> None:
    fit = gpc(RBF2).fit(*moons(60))
    disturbed = fit.coef.copy()
    disturbed[3] += 1e-4
    again = fit.certify(disturbed)
    assert fit.certificate.holds and again["gradient"] > 1e-5 and again["newton_step"] > 1e-6


def test_the_average_by_quadrature() -> None:
    random = np.random.default_rng(0)
    for mean, variance in ((0.3, 0.5), (-2.0, 9.0), (5.0, 400.0), (30.0, 9000.0), (100.0, 1e6)):
        u = np.linspace(-12, 12, 2_000_001)
        weight = np.exp(-0.5 * u * u)
        true = float(sigmoid(mean + math.sqrt(variance) * u) @ weight / weight.sum())
        assert exact_average(np.array([mean]), np.array([variance]))[0] == pytest.approx(true, abs=1e-8)
    a = 0.7 + 1.5 * random.standard_normal(1_000_000)
    assert exact_average(np.array([0.7]), np.array([2.25]))[0] == pytest.approx(sigmoid(a).mean(), abs=2e-3)


@pytest.mark.parametrize("kernel", [RBF2, SCALED, {"name": "matern32"}, {"name": "linear"},
                                    {"name": "rbf", "gamma": 2000.0}])
@pytest.mark.parametrize("probability", ["averaged", "map"])
def test_the_map_is_the_probability_itself(kernel: dict[str, object], probability: str) -> None:
    fit = gpc(kernel, probability=probability).fit(*moons(300))
    x, y = np.linspace(-3, 4, 90), np.linspace(-2, 3, 80)
    Z = np.column_stack([np.tile(x, 80), np.repeat(y, 90)])
    wanted = fit.p(Z) if probability == "averaged" else fit.p_map(Z)
    assert np.abs(fit.probability_map(x, y).ravel() - wanted).max() < 1e-6


def test_the_canvas() -> None:
    X, y = moons(80)
    fit = gpc(SCALED).fit(X, y)
    (chart,) = fit.charts(VIEW)
    field = next(mark for mark in chart.marks if isinstance(mark, Field))
    assert (field.limits, field.centre, field.diverging, field.roles) == ((0.0, 1.0), 0.5, True, ("class0", "class1"))
    contours = next(mark for mark in chart.marks if mark.role == "contour" and isinstance(mark, Curve))
    assert set(contours.texts) <= {"0.1", "0.2", "0.3", "0.4", "0.6", "0.7", "0.8", "0.9"} and len(contours.texts) > 3
    for line, text in zip(contours.lines, contours.texts, strict=True):
        assert fit.p(line) == pytest.approx(np.full(len(line), float(text)), abs=0.02)
    boundary = next(mark for mark in chart.marks if mark.role == "boundary" and isinstance(mark, Curve))
    assert "1/2" in str(boundary.label)
    assert fit.p(np.vstack(boundary.lines)) == pytest.approx(0.5, abs=0.02)
    crossed = next(mark for mark in chart.marks if mark.layer == "errors")
    assert crossed.index.tolist() == fit.misclassified.tolist() == np.flatnonzero(fit.predict(X) != y).tolist()
    bare = fit.charts(View(VIEW.x, VIEW.y, 60, 50, hidden=frozenset({"field", "contours", "errors"})))[0]
    assert [mark.layer for mark in bare.marks] == ["boundary"]
    assert gpc().fit(X[:, :1], y).charts(VIEW)[0].marks == ()


def test_a_fit_from_the_last_one_is_the_same_fit() -> None:
    X, y = moons(300)
    model = gpc(RBF2)
    last = model.fit(X, y)
    moved = X.copy()
    moved[7] += 0.05
    for data, spec in ((moved, model), (X, model.replace("kernel.gamma", 2.1)), (X[:-1], model)):
        cold, warm = spec.fit(data, y[:len(data)]), spec.fit(data, y[:len(data)], last=last)
        assert warm.latent_mean(X) == pytest.approx(cold.latent_mean(X), abs=1e-8)
        assert warm.lml == pytest.approx(cold.lml, abs=1e-8)


def test_the_gradient_outlives_a_landmark_that_is_moved() -> None:
    X, y = moons(420)
    model = gpc({"name": "scale", "factor": 2.0, "of": {"name": "rbf", "gamma": 0.05}})
    last = model.fit(X, y)
    assert last.mode.gram.landmark_rows is not None, "a low-rank factor is what this is about"
    moved = X.copy()
    moved[last.mode.gram.landmark_rows[0]] += 0.1
    warm, cold = model.fit(moved, y, last=last), model.fit(moved, y)
    assert warm.mode.gram.landmark_rows is None and cold.mode.gram.landmark_rows is not None
    assert dict(warm.lml_gradient) == pytest.approx(dict(cold.lml_gradient), rel=1e-6)
    assert {"lml_gradient_log.nu", "lml_gradient_log.kernel.of.gamma"} <= {line.key for line in warm.readouts()}


def test_the_readout_has_its_lines() -> None:
    fit = gpc(SCALED).fit(*moons(40))
    lines = {line.key: line.raw for line in fit.readouts()}
    assert lines["log_marginal_likelihood"] == fit.lml == lines["data_fit"] + lines["complexity"]
    assert lines["training_error"] == len(fit.misclassified)
    assert {"lml_gradient_log.kernel.factor", "lml_gradient_log.nu", "gradient", "newton_step"} <= set(lines)


def test_check_stops_it() -> None:
    def stop() -> None:
        raise Cancelled

    for n in (20, 1500):
        with pytest.raises(Cancelled):
            gpc(RBF2).fit(*moons(n), check=stop)
    fit = gpc(RBF2).fit(*moons(40))
    with pytest.raises(Cancelled):
        fit.charts(VIEW, stop)


def test_bad_input_is_a_sentence() -> None:
    with pytest.raises(FitError, match="two classes"):
        gpc().fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    with pytest.raises(SpecError, match="nu"):
        gpc(nu=-1.0)
    with pytest.raises(SpecError, match="averaged, map"):
        gpc(probability="both")
    random = np.random.default_rng(7)
    with pytest.raises(FitError, match="eigenvalue is −"):
        gpc({"name": "sigmoid", "coef0": -1.0}).fit(random.normal(size=(30, 2)), random.choice([-1, 1], 30))
