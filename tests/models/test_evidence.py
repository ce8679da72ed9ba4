"""Maximum evidence: the case with two maxima, scikit-learn, bounds, stopping, and what the certificate says."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

from kernelplay.errors import Cancelled, FitError, SpecError
from kernelplay.models.compressed import compressed
from kernelplay.models.evidence import Progress, maximise
from kernelplay.spec import build

X7 = np.array([[-3.6], [-2.8], [-2.3], [0.4], [1.9], [2.8], [3.9]])
T7 = np.array([0.3, 0.7, 1.3, -1.2, 0.7, 0.8, -2.1])
BOUNDS7 = {"gamma": (1e-4, 1000.0), "noise_var": (1e-6, 100.0)}
SCALED = {"name": "scale", "of": {"name": "rbf", "gamma": 0.5}}


def flat_start():
    kernel = {"name": "rbf", "gamma": 0.0141747733}
    return build("model", {"name": "gpr", "kernel": kernel, "noise_var": 1.33823558})


def wave(n: int, seed: int = 0):
    random = np.random.default_rng(seed)
    x = np.sort(random.uniform(-3, 3, n))
    return x[:, None], np.sin(2 * x) + 0.2 * random.standard_normal(n)


@pytest.mark.parametrize("seed", range(4))
def test_the_better_of_two_maxima(seed: int) -> None:
    found = maximise(flat_start(), X7, T7, ["gamma", "noise_var"], BOUNDS7, seed=seed)
    assert found.start_lml == pytest.approx(-11.67453188, abs=1e-8)
    assert found.lml == found.fit.lml == pytest.approx(-10.52234098, abs=1e-8)
    assert found.values["gamma"] == pytest.approx(1.42674232, rel=1e-6)
    assert found.values["noise_var"] == pytest.approx(0.134980834, rel=1e-6)
    assert found.model.get("kernel.gamma") == found.values["kernel.gamma"]
    other = next(maximum for maximum in found.maxima if maximum.values["gamma"] < 0.1)
    assert not other.flat
    for plateau in (maximum for maximum in found.maxima if maximum.flat == ("kernel.gamma",)):
        assert plateau.lml == pytest.approx(-10.90806664, abs=1e-6)
    assert other.lml == pytest.approx(-11.67453188, abs=1e-8) and other.values["gamma"] == pytest.approx(0.0141747733)
    assert [maximum.lml for maximum in found.maxima] == sorted((m.lml for m in found.maxima), reverse=True)
    assert found.fit.certificate["evidence_gradient"] < 1e-10 and not found.stopped
    # nearer to the best maximum no neighbour is better
    for path, value in found.values.items():
        for change in (0.97, 1.03):
            assert found.model.replace(path, change * value).fit(X7, T7).lml < found.lml


def test_one_start_stays_where_it_climbs() -> None:
    found = maximise(flat_start(), X7, T7, ["gamma", "noise_var"], BOUNDS7, starts=1)
    assert found.lml == pytest.approx(-11.67453188, abs=1e-8) and len(found.maxima) == 1


def test_the_seed_decides_the_starts() -> None:
    one, two = (maximise(flat_start(), X7, T7, bounds=BOUNDS7, seed=3) for _ in range(2))
    assert one.maxima == two.maxima or [m.lml for m in one.maxima] == [m.lml for m in two.maxima]
    assert one.evaluations == two.evaluations


@pytest.mark.parametrize(("n", "ours", "theirs"), [
    (100, SCALED, ConstantKernel(1.0) * RBF(1.0)),
    (400, SCALED, ConstantKernel(1.0) * RBF(1.0)),
    (100, {"name": "scale", "of": {"name": "matern32"}}, ConstantKernel(1.0) * Matern(1.0, nu=1.5)),
])
def test_regression_is_no_worse_than_scikit_learn_from_the_same_start(n: int, ours: dict, theirs: object) -> None:
    X, t = wave(n)
    other = GaussianProcessRegressor(theirs + WhiteKernel(0.1), alpha=0.0).fit(X, t)
    model = build("model", {"name": "gpr", "kernel": ours, "noise_var": 0.1})
    wide = dict.fromkeys(("factor", "noise_var", "gamma" if "rbf" in str(ours) else "length_scale"), (1e-5, 1e5))
    found = maximise(model, X, t, bounds=wide, starts=1)
    assert found.lml >= other.log_marginal_likelihood_value_ - 1e-6
    assert found.fit.certificate.holds and found.fit.certificate["evidence_gradient"] < 1e-9


def test_classification_is_no_worse_than_scikit_learn_from_the_same_start() -> None:
    X, c = make_moons(80, noise=0.25, random_state=0)
    kernel = ConstantKernel(1.0) * RBF(1.0) + WhiteKernel(0.01, "fixed")
    other = GaussianProcessClassifier(kernel).fit(X, c)
    model = build("model", {"name": "gpc", "kernel": SCALED})
    found = maximise(model, X, c, bounds={"factor": (1e-5, 1e5), "gamma": (1e-5, 1e5)}, starts=1)
    assert found.lml >= other.log_marginal_likelihood_value_ - 1e-6
    assert set(found.values) == {"kernel.factor", "kernel.of.gamma"} and found.model.nu == model.nu
    assert found.fit.certificate["evidence_gradient"] < 1e-9


def test_a_bound_holds_and_is_named() -> None:
    X, t = wave(60)
    model = build("model", {"name": "gpr", "kernel": SCALED, "noise_var": 0.5})
    found = maximise(model, X, t, bounds={"noise_var": (0.3, 1.0)}, starts=2)
    assert found.values["noise_var"] == pytest.approx(0.3, rel=1e-12)
    assert found.maxima[0].at_bound == ("noise_var",)
    assert found.fit.certificate["evidence_gradient"] < 1e-8, "the gradient that the bound holds does not count"
    assert found.fit.lml_gradient["noise_var"] < -1


def test_declared_ranges_are_the_bounds_and_words_become_numbers() -> None:
    X, t = wave(60)
    model = build("model", {"name": "gpr", "kernel": {"name": "scale", "of": {"name": "rbf", "gamma": "scale"}}})
    found = maximise(model, X, t, starts=1)
    assert set(found.values) == {"kernel.factor", "kernel.of.gamma", "noise_var"}
    for path, value in found.values.items():
        param = model.param(path)
        assert param.low * (1 - 1e-12) <= value <= param.high * (1 + 1e-12)


def test_a_parameter_that_is_no_scale_is_climbed_as_it_is() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(50, 2))
    t = X @ [1.0, -0.5] + 3.0 + 0.1 * random.normal(size=50)
    model = build("model", {"name": "gpr", "kernel": {"name": "linear", "coef0": 0.0}, "noise_var": 0.1})
    found = maximise(model, X, t, ["coef0", "noise_var"], {"coef0": (0.0, 100.0)}, starts=1)
    assert found.values["coef0"] == pytest.approx(9.0, rel=0.5) and found.fit.certificate["evidence_gradient"] < 1e-8


def test_progress_is_told_and_a_stop_keeps_the_best_so_far() -> None:
    X, t = wave(60)
    model = build("model", {"name": "gpr", "kernel": SCALED, "noise_var": 0.5})
    told: list[Progress] = []
    calls = 0

    def stop_late() -> None:
        nonlocal calls
        calls += 1
        if calls > 40:
            raise Cancelled

    found = maximise(model, X, t, check=stop_late, progress=told.append)
    assert found.stopped and found.lml == pytest.approx(max(p.best for p in told), abs=1e-9)
    assert found.lml > found.start_lml
    assert [p.evaluations for p in told] == list(range(1, len(told) + 1))
    assert {p.starts for p in told} == {5} and told[-1].best >= told[0].best

    def stop_at_once() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        maximise(model, X, t, check=stop_at_once)


def test_the_compressed_evidence_is_the_evidence() -> None:
    X, t = wave(200)
    model = build("model", {"name": "gpr", "kernel": SCALED})
    fast = compressed(model, X, t)
    assert fast is not None
    for factor, gamma, noise in ((1.0, 0.5, 0.04), (20.0, 3.0, 1e-3), (0.1, 0.01, 1.0)):
        values = {"kernel.factor": factor, "kernel.of.gamma": gamma, "noise_var": noise}
        spec = build("model", {"name": "gpr", "kernel": {"name": "scale", "factor": factor,
                                                         "of": {"name": "rbf", "gamma": gamma}}, "noise_var": noise})
        fit = spec.fit(X, t)
        found = fast.evidence(values)
        assert found is not None
        assert found[0] == pytest.approx(fit.lml, rel=1e-10, abs=1e-8)
        assert found[1] == pytest.approx([fit.lml_gradient[path] for path in values], rel=1e-6, abs=1e-6)
    assert fast.evidence({"kernel.of.gamma": 1e5}) is None, "a kernel too narrow for the series is seen"
    assert fast.evidence({"noise_var": 1e-12}) is None, "so is noise that drowns in rounding"
    rough = compressed(build("model", {"name": "gpr", "kernel": {"name": "matern32"}}), X, t)
    assert rough is None or rough.evidence({"noise_var": 0.1}) is None
    assert compressed(model, np.column_stack([X, X]), t) is None


def test_bad_names_and_bounds_are_sentences() -> None:
    X, t = wave(10)
    model = build("model", {"name": "gpr"})
    with pytest.raises(SpecError, match="no parameter lengthscale"):
        maximise(model, X, t, ["lengthscale"])
    with pytest.raises(SpecError, match="noise_var cannot be -1"):
        maximise(model, X, t, bounds={"noise_var": (-1.0, 1.0)})
    with pytest.raises(FitError, match="No points"):
        maximise(model, np.zeros((0, 1)), np.zeros(0))


def test_a_large_value_that_is_no_scale_is_not_taken_to_a_power(recwarn: pytest.WarningsRecorder) -> None:
    x = np.linspace(-2, 2, 12)[:, None]
    model = build("model", {"name": "gpr", "kernel": {"name": "linear", "coef0": 2000.0}})
    assert any(not param.log for path, param in model.reals() if path == "kernel.coef0"), "else it shows nothing"
    found = maximise(model, x, 3 * x[:, 0] + 1000, starts=2)
    assert np.isfinite(found.fit.lml) and not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]


@pytest.mark.parametrize(("kernel", "values"), [
    ({"name": "rbf"}, {"noise_var": 1e300}),
    ({"name": "rbf"}, {"noise_var": 1e-300}),
    ({"name": "basis"}, {"noise_var": 1e300}),
    ({"name": "basis", "width": 1e-300}, {}),
    ({"name": "rbf", "gamma": float(np.finfo(float).max)}, {}),
    ({"name": "scale", "factor": 5e-324, "of": {"name": "linear", "coef0": 1e300}}, {}),
])
def test_values_at_the_ends_of_the_numbers_stay_inside_their_bounds_and_warn_of_nothing(
        kernel: dict[str, object], values: dict[str, float], recwarn: pytest.WarningsRecorder) -> None:
    X, t = wave(35)
    model = build("model", {"name": "gpr", "kernel": kernel, **values})
    found = maximise(model, X, t, starts=3)
    for path, param in model.reals():
        if path in found.values:
            value = float(model.get(path))
            assert min(param.low, value) <= found.values[path] <= max(param.high, value)
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]
