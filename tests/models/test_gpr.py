"""GP regression: the numbers of the notes, hard inputs, scikit-learn, and laws of the posterior."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern, RationalQuadratic

from kernelplay.errors import Cancelled, FitError, SpecError
from kernelplay.marks import Band, Curve
from kernelplay.models.base import View
from kernelplay.spec import build, kinds

SMOOTH = {"name": "scale", "factor": 1.3, "of": {"name": "rbf", "gamma": 2.0}}
KERNELS = [SMOOTH, {"name": "matern32", "length_scale": 0.8}, {"name": "rational_quadratic"},
           {"name": "sum", "of": [{"name": "linear", "coef0": 0.5}, {"name": "rbf", "gamma": 0.3}]}]
VIEW = View((-3.0, 3.0), (-2.0, 2.0), 60, 40)


def gpr(kernel: dict[str, object] | None = None, **values: object):
    return build("model", {"name": "gpr", **({"kernel": kernel} if kernel else {}), **values})


def noisy_sine(n: int = 40, seed: int = 3, noise: float = 0.2):
    random = np.random.default_rng(seed)
    x = np.sort(random.uniform(-2, 2, n))
    return x[:, None], np.sin(2 * x) + noise * random.standard_normal(n)


def test_numbers_of_the_notes() -> None:
    random = np.random.default_rng(1)
    x = np.sort(random.uniform(-1, 1, 8))
    t = np.sin(3 * x) + 0.05 * random.standard_normal(8)
    fit = gpr({"name": "rbf", "gamma": 5.0}, noise_var=1 / 100).fit(x[:, None], t)
    mean, std = fit.predict([[-0.5], [0.0], [0.9], [1.8]], return_std=True)
    assert mean == pytest.approx([-0.968603, -0.028462, 0.433287, -0.005664], abs=6e-7)
    assert std == pytest.approx([0.172512, 0.131881, 0.122362, 1.004687], abs=6e-7)
    assert fit.log_marginal_likelihood == pytest.approx(-2.385951, abs=6e-7)
    assert fit.data_fit + fit.complexity + fit.normalisation == fit.lml
    assert "−2.39" in str(fit.status())


def test_one_point_and_the_band_includes_the_noise() -> None:
    fit = gpr({"name": "rbf", "gamma": 0.5}, noise_var=0.1).fit([[0.0]], [1.0])
    Z = [[0.0], [1.0], [30.0]]
    assert fit.mean(Z) == pytest.approx([1 / 1.1, np.exp(-0.5) / 1.1, 0.0], abs=1e-15)
    assert fit.var(Z) == pytest.approx([1.1 - 1 / 1.1, 1.1 - np.exp(-1) / 1.1, 1.1], abs=1e-15)
    assert fit.latent_var(Z) + 0.1 == pytest.approx(fit.var(Z), abs=1e-15)
    assert fit.lml == pytest.approx(-1 / 2.2 - np.log(1.1) / 2 - np.log(2 * np.pi) / 2, abs=1e-14)


def test_repeated_inputs() -> None:
    kernel, X, Z = {"name": "rbf", "gamma": 1.0}, [[1.0], [1.0]], [[1.0], [2.0]]
    noisy = gpr(kernel, noise_var=0.5).fit(X, [0.0, 2.0])
    assert noisy.mean(Z) == pytest.approx([0.8, 0.294303552937154], rel=1e-12)
    assert noisy.var(Z) == pytest.approx([0.7, 1.39173177341071], rel=1e-12)
    assert noisy.lml == pytest.approx(-4.34944884206645, rel=1e-12)
    limit = gpr(kernel, noise_var=0.0).fit(X, [2.0, 2.0])
    assert limit.mean(Z) == pytest.approx([2.0, 0.735758882342885], rel=1e-12)
    assert limit.var(Z) == pytest.approx([0.0, 0.864664716763387], abs=1e-12)
    assert limit.notes[0].points == (0, 1) and limit.jitter == 0.0 and limit.certificate.holds
    assert limit.coef == pytest.approx([1.0, 1.0])
    with pytest.raises(FitError, match=r"1, 2 .*σ²") as caught:
        gpr(kernel, noise_var=0.0).fit(X, [0.0, 2.0])
    assert caught.value.points == (0, 1)


def test_a_smooth_kernel_on_dense_inputs_never_has_a_negative_variance() -> None:
    X = np.linspace(0, 1, 25)[:, None]
    t = np.round(np.sin(3 * X[:, 0]), 6)
    kernel = {"name": "rbf", "gamma": 0.5}
    fit = gpr(kernel, noise_var=1e-10).fit(X, t)
    Z = [[0.5], [0.51], [1.2]]
    assert fit.mean(Z) == pytest.approx([0.997496440574907, 0.999169432820366, -0.442502886388046], abs=2e-5)
    assert fit.var(Z) == pytest.approx([1.19634314979016e-10, 1.19619495546163e-10, 1.28931382230433e-07], rel=1e-3)
    assert fit.lml == pytest.approx(168.163438772146, abs=0.05) and fit.jitter == 0.0
    fit = gpr(kernel, noise_var=0.0).fit(X, t)
    fine = np.linspace(0, 1, 301)[:, None]
    assert (fit.var(fine) >= 0).all() and fit.var(fine).max() < 1e-8
    assert fit.mean(Z[:2]) == pytest.approx([0.997494986604054, 0.999167945271476], abs=1e-5)
    assert fit.jitter > 0 and any(str(note.sentence).count("jitter") for note in fit.notes)


@pytest.mark.parametrize("n", [20, 200, 700])
@pytest.mark.parametrize(("ours", "theirs"), [
    (SMOOTH, ConstantKernel(1.3) * RBF(0.5)),
    ({"name": "matern52", "length_scale": 0.7}, Matern(0.7, nu=2.5)),
    ({"name": "sum", "of": [{"name": "linear", "coef0": 0.25}, {"name": "rational_quadratic", "length_scale": 0.9,
                                                               "alpha": 1.5}]},
     DotProduct(0.5) + RationalQuadratic(0.9, 1.5)),
])
def test_agrees_with_scikit_learn(n: int, ours: dict[str, object], theirs: object) -> None:
    X, t = noisy_sine(n)
    Z = np.linspace(-4, 4, 101)[:, None]
    other = GaussianProcessRegressor(theirs, alpha=0.04, optimizer=None).fit(X, t)
    fit = gpr(ours, noise_var=0.04).fit(X, t)
    mean, std = other.predict(Z, return_std=True)
    assert fit.mean(Z) == pytest.approx(mean, abs=1e-8)
    assert fit.latent_var(Z) == pytest.approx(std**2, abs=1e-8)
    assert fit.lml == pytest.approx(other.log_marginal_likelihood_value_, rel=1e-10, abs=1e-8)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: str(kernel["name"]))
@pytest.mark.parametrize("n", [12, 150])
def test_the_gradient_is_that_of_finite_differences(kernel: dict[str, object], n: int) -> None:
    X, t = noisy_sine(n)
    model = gpr(kernel, noise_var=0.05)
    fit = model.fit(X, t)
    assert set(fit.lml_gradient) == {path for path, _ in model.reals() if path != "sigmas"} | {"beta"}
    for path in fit.lml_gradient:
        if path == "beta":
            continue
        value = model.get(path)
        step = 1e-5 * max(abs(value), 0.1)
        up, down = (model.replace(path, value + sign * step).fit(X, t).lml for sign in (1, -1))
        assert fit.lml_gradient[path] == pytest.approx((up - down) / (2 * step), rel=2e-5, abs=1e-5), path
        assert fit.lml_gradient_log[path] == pytest.approx(value * fit.lml_gradient[path])
    assert fit.lml_gradient["beta"] == pytest.approx(-(0.05**2) * fit.lml_gradient["noise_var"])
    assert fit.lml_gradient_log["beta"] == pytest.approx(-fit.lml_gradient_log["noise_var"])


def test_the_gradient_agrees_with_scikit_learn_and_goes_by_short_names() -> None:
    X, t = noisy_sine(300)
    kernel = ConstantKernel(1.3) * RBF(0.5)
    other = GaussianProcessRegressor(kernel, alpha=0.04, optimizer=None).fit(X, t)
    _, (by_factor, by_length) = other.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    slopes = gpr(SMOOTH, noise_var=0.04).fit(X, t).lml_gradient_log
    assert slopes["factor"] == pytest.approx(by_factor, rel=1e-7)
    assert -2 * slopes["gamma"] == pytest.approx(by_length, rel=1e-7)  # gamma = 1/(2 l²)
    assert slopes["kernel.of.gamma"] == slopes["of.gamma"] == slopes["gamma"]
    with pytest.raises(KeyError):
        slopes["length"]


def test_the_low_rank_factor_gives_what_the_whole_matrix_gives() -> None:
    X, t = noisy_sine(600)
    random = np.random.default_rng(0)
    for inputs in (X, np.column_stack([X[:, 0], random.normal(size=600)])):
        fit = gpr({"name": "rbf", "gamma": 0.7}, noise_var=0.02).fit(inputs, t)
        assert fit.system.gram.low_rank
        C = fit.K + 0.02 * np.eye(600)
        Z = inputs[:40] * 1.5 + 0.3
        k = fit.kernel(Z, inputs)
        assert fit.coef == pytest.approx(np.linalg.solve(C, t), abs=1e-5)
        assert fit.mean(Z) == pytest.approx(k @ np.linalg.solve(C, t), abs=1e-8)
        assert fit.latent_var(Z) == pytest.approx(1 - np.einsum("ij,ji->i", k, np.linalg.solve(C, k.T)), abs=1e-8)
        direct = -0.5 * (t @ np.linalg.solve(C, t) + np.linalg.slogdet(C)[1] + 600 * np.log(2 * np.pi))
        assert fit.lml == pytest.approx(direct, abs=1e-6)
        whole = np.abs(C @ fit.coef - t).max() / np.abs(t).max()
        stated = {line.key: line.raw for line in fit.readouts()}["factor_error"]
        assert whole <= fit.certificate.worst + stated * np.linalg.norm(t) / np.abs(t).max() + 1e-12


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 60), st.integers(1, 3), st.sampled_from(KERNELS), st.floats(1e-8, 10.0), st.integers(0, 10**6))
def test_laws_of_the_posterior(n: int, d: int, kernel: dict[str, object], noise: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    X, t = random.normal(size=(n, d)), random.normal(size=n)
    fit = gpr(kernel, noise_var=noise).fit(X, t)
    Z = np.vstack([3 * random.normal(size=(20, d)), X[:5]])
    variance = fit.latent_var(Z)
    prior = fit.kernel.diagonal(Z)
    assert (variance >= 0).all() and (variance <= prior * (1 + 1e-12)).all()
    size = np.abs(fit.K) @ np.abs(fit.coef) + np.abs(t)
    assert fit.certificate.worst <= 1e-12 + 1e-14 * size.max() / np.abs(t).max(), "the residual is rounding alone"
    shuffled = random.permutation(n)
    again = gpr(kernel, noise_var=noise).fit(X[shuffled], t[shuffled])
    worst = 1e-12 * (1.0 + prior.max() / noise) * n
    assert np.abs(again.mean(Z) - fit.mean(Z)).max() <= worst * max(1.0, np.abs(t).max())
    assert again.lml == pytest.approx(fit.lml, rel=worst + 1e-9)


def test_as_the_noise_goes_to_zero_it_interpolates() -> None:
    X, t = noisy_sine(9)
    misses = []
    for noise in (1e-2, 1e-4, 1e-6, 0.0):
        fit = gpr({"name": "matern32"}, noise_var=noise).fit(X, t)
        misses.append(np.abs(fit.mean(X) - t).max())
        assert (fit.latent_var(X) <= noise + 1e-12).all()
    assert misses == sorted(misses, reverse=True) and misses[-1] < 1e-12


@pytest.mark.parametrize(("shift", "scale"), [(1e6, 1.0), (0.0, 1e-9), (0.0, 1e9)])
@pytest.mark.parametrize("n", [30, 200])
def test_moved_and_scaled_data_give_the_moved_and_scaled_answer(shift: float, scale: float, n: int) -> None:
    X, t = noisy_sine(n)
    Z = np.linspace(-2, 2, 11)[:, None]
    plain = gpr({"name": "rbf", "gamma": 2.0}, noise_var=0.04).fit(X, t)
    moved = gpr({"name": "rbf", "gamma": 2.0 / scale**2}, noise_var=0.04).fit(X * scale + shift, t)
    assert moved.mean(Z * scale + shift) == pytest.approx(plain.mean(Z), abs=1e-6)
    assert moved.var(Z * scale + shift) == pytest.approx(plain.var(Z), abs=1e-6)
    larger = gpr({"name": "scale", "factor": 1e18, "of": {"name": "rbf", "gamma": 2.0}}, noise_var=0.04e18)
    assert larger.fit(X, 1e9 * t).mean(Z) / 1e9 == pytest.approx(plain.mean(Z), abs=1e-6)


def test_an_indefinite_kernel_is_refused_with_its_eigenvalue() -> None:
    random = np.random.default_rng(7)
    with pytest.raises(FitError, match="eigenvalue is −"):
        gpr({"name": "sigmoid", "gamma": 1.0, "coef0": -1.0}).fit(random.normal(size=(30, 2)), random.normal(size=30))


def test_the_certificate_is_computed_from_the_problem() -> None:
    for n in (20, 200):
        fit = gpr(SMOOTH).fit(*noisy_sine(n))
        disturbed = fit.coef.copy()
        disturbed[4] += 1e-4
        assert fit.certificate.worst < 1e-12 and fit.certify(disturbed).worst > 1e-6


def test_the_canvas_names_its_band_and_its_multiple() -> None:
    X, t = noisy_sine(15)
    for kind, sigmas, name in (("predictive", 2.0, "predictive, ±2σ"), ("latent", 1.5, "latent, ±1.5σ")):
        fit = gpr(SMOOTH, noise_var=0.04, band=kind, sigmas=sigmas).fit(X, t)
        (chart,) = fit.charts(VIEW)
        band, mean = chart.marks
        assert isinstance(band, Band) and str(band.label) == name and isinstance(mean, Curve)
        middle = fit.mean(band.x[:, None])
        variance = fit.var(band.x[:, None]) if kind == "predictive" else fit.latent_var(band.x[:, None])
        assert band.upper - middle == pytest.approx(sigmas * np.sqrt(variance), abs=1e-9)
        assert middle - band.lower == pytest.approx(sigmas * np.sqrt(variance), abs=1e-9)
        assert mean.lines[0][:, 1] == pytest.approx(middle, abs=1e-9)
    (chart,) = fit.charts(View(VIEW.x, VIEW.y, 60, 40, hidden=frozenset({"band"})))
    assert [mark.layer for mark in chart.marks] == ["mean"]


def test_the_readout_has_its_lines() -> None:
    fit = gpr(SMOOTH).fit(*noisy_sine(15))
    lines = {line.key: line.raw for line in fit.readouts()}
    assert lines["log_marginal_likelihood"] == fit.lml
    assert lines["lml_gradient_log.kernel.of.gamma"] == fit.lml_gradient_log["gamma"]
    assert lines["training_error"] == pytest.approx(np.sqrt(np.mean((fit.y - fit.mean(fit.X)) ** 2)))
    assert lines["noise"] == 0.1 and lines["residual"] < 1e-12


def test_a_fit_from_the_last_one_is_the_same_fit() -> None:
    X, t = noisy_sine(200)
    inputs = np.column_stack([X[:, 0], X[::-1, 0]])
    model = gpr(SMOOTH, noise_var=0.04)
    last = model.fit(inputs, t)
    moved = inputs.copy()
    moved[7] += 0.05
    for data, spec in ((moved, model), (inputs, model.replace("kernel.of.gamma", 2.1)), (inputs[:-1], model)):
        cold, warm = spec.fit(data, t[:len(data)]), spec.fit(data, t[:len(data)], last=last)
        assert warm.mean(inputs) == pytest.approx(cold.mean(inputs), abs=1e-9)
        assert warm.lml == pytest.approx(cold.lml, abs=1e-8)


def test_check_stops_it() -> None:
    def stop() -> None:
        raise Cancelled

    for n in (20, 2000):
        with pytest.raises(Cancelled):
            gpr(SMOOTH).fit(*noisy_sine(n), check=stop)
    fit = gpr(SMOOTH).fit(*noisy_sine(20))
    with pytest.raises(Cancelled):
        fit.charts(VIEW, stop)


def test_a_hundred_thousand_points_stay_low_rank() -> None:
    X, t = noisy_sine(100_000)
    fit = gpr(SMOOTH, noise_var=0.04).fit(X, t)
    assert fit.system.gram.rank < 100 and fit.certificate.holds
    assert fit.mean([[0.3]]) == pytest.approx([np.sin(0.6)], abs=0.02)


def test_bad_input_is_a_sentence() -> None:
    with pytest.raises(SpecError, match="noise_var"):
        gpr(noise_var=-0.1)
    with pytest.raises(SpecError, match="sigmas"):
        gpr(sigmas=0.0)
    with pytest.raises(SpecError, match="predictive, latent"):
        gpr(band="wide")
    with pytest.raises(FitError, match="Row 1"):
        gpr().fit([[np.inf], [0.0]], [0.0, 0.0])


def test_it_is_declared() -> None:
    assert kinds("model")["gpr"].task == "regression"
    assert gpr().kernel.to_dict()["name"] == "scale" and gpr().get("kernel.of").key == "rbf"
    assert all(line.strip() for line in gpr().formula)
