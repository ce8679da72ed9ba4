"""Data sets: laws over all of them, and the shape that each promises."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from kernelplay.datasets.base import Dataset, Labelled, rounded
from kernelplay.datasets.faithful import measured
from kernelplay.datasets.iris import Iris
from kernelplay.datasets.prior import MOST, PriorClasses, PriorSignal
from kernelplay.datasets.recorded import column, words
from kernelplay.errors import FitError, SpecError
from kernelplay.examples import examples
from kernelplay.models.svm import SVM
from kernelplay.scene import Points, Scene, data_view
from kernelplay.spec import Choice, Real, build, kinds

ALL = kinds("dataset")
LABELLED = {key: cls for key, cls in ALL.items() if issubclass(cls, Labelled)}
BALANCED = {key: cls for key, cls in ALL.items() if "balance" in cls.params()}
GENERATED = {key: cls for key, cls in ALL.items() if cls.source is None}
MEASURED = {key: cls for key, cls in ALL.items() if cls.source is not None}


def of(key: str, **values: Any) -> Dataset:
    data: Dataset = build("dataset", {"name": key, **values})
    return data


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_laws(cls: type[Dataset]) -> None:
    data = cls(n=40, seed=3)
    points = data.make()
    assert len(points) == 40 and np.isfinite(points.xy).all()
    np.testing.assert_array_equal(points.xy, cls(n=40, seed=3).make().xy)
    np.testing.assert_array_equal(points.cls, cls(n=40, seed=3).make().cls)
    assert (cls(n=40, seed=4).make().xy != points.xy).any()
    if data.task == "classification":
        assert set(points.cls) == set(range(len(data.classes))) and points.names != ("x", "t")
    else:
        assert not points.cls.any() and (np.diff(points.xy[:, 0]) >= 0).all() | (cls.source is not None)
    assert next(iter(cls.params())) == "n" and {"n", "noise", "seed"} <= set(cls.params())
    assert data.task == "regression" or "flips" in cls.params()
    assert ("balance" in cls.params()) == (data.task == "classification" and cls.source is None)


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_every_end_of_every_parameter_gives_points(cls: type[Dataset]) -> None:
    for name, param in cls.params().items():
        values: list[Any] = [param.low, param.high, *param.words] if isinstance(param, Real) else []
        values += [key for key, _ in param.options] if isinstance(param, Choice) else []
        for value in values:
            data = of(cls.key, **{name: value})
            points = data.make()
            assert np.isfinite(points.xy).all() and len(points) == data.n, (name, value)


@pytest.mark.parametrize("n", [4, 7, 40, 101])
@pytest.mark.parametrize("cls", BALANCED.values(), ids=BALANCED)
def test_the_balance_is_exact_to_rounding(cls: type[Dataset], n: int) -> None:
    for share in (0.2, 0.5, 0.75):
        data = of(cls.key, n=n, balance=share)
        counts = np.bincount(data.make().cls, minlength=len(data.classes))
        assert counts[0] == rounded(share * n) and counts.sum() == n
        others = counts[1:]
        assert others.max() - others.min() <= 1, "the others share the rest evenly"


@pytest.mark.parametrize("cls", LABELLED.values(), ids=LABELLED)
def test_flips_turn_exactly_their_share_of_the_labels_and_nothing_else(cls: type[Dataset]) -> None:
    straight = of(cls.key, n=41, seed=5).make()
    before: set[int] = set()
    for share in (0.0, 0.1, 0.25, 0.5, 1.0):
        turned = of(cls.key, n=41, seed=5, flips=share).make()
        np.testing.assert_array_equal(turned.xy, straight.xy)
        rows = set(np.flatnonzero(turned.cls != straight.cls).tolist())
        assert len(rows) == rounded(share * 41) and before <= rows
        assert set(turned.cls) <= set(range(len(cls().classes)))
        before = rows


@pytest.mark.parametrize("key", [key for key in GENERATED if key not in ("separable", "formula_classes",
                                                                         "prior_classes")])
def test_noise_is_a_deviation_about_the_same_places(key: str) -> None:
    clean, one, two = (of(key, n=500, seed=2, noise=noise).make() for noise in (0.0, 0.25, 0.5))
    shifted = one.xy - clean.xy
    np.testing.assert_allclose(two.xy - clean.xy, 2 * shifted, atol=1e-12)
    strayed = shifted[:, shifted.any(axis=0)]
    if key != "heteroscedastic":
        assert np.sqrt((strayed**2).mean()) == pytest.approx(0.25, rel=0.1) and abs(strayed.mean()) < 0.04
    assert shifted[:, 1].any() and (ALL[key].task == "classification") == bool(shifted[:, 0].any())


@pytest.mark.parametrize("key", [key for key, cls in GENERATED.items() if cls.task == "classification"])
def test_more_points_leave_those_that_are_there(key: str) -> None:
    few, many = of(key, n=30).make(), of(key, n=31).make()
    if key != "prior_classes":  # its factor rounds anew
        np.testing.assert_array_equal(many.xy[:30], few.xy)
    np.testing.assert_allclose(many.xy[:30], few.xy, atol=1e-6)
    np.testing.assert_array_equal(many.cls[:30], few.cls)


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_it_goes_into_a_scene_of_the_other_task(cls: type[Dataset]) -> None:
    other = Scene().with_model("gpr" if cls.task == "classification" else "svm").with_view((0.0, 1.0, 0.0, 1.0))
    data = cls()
    scene = data.into(other)
    assert scene.task == cls.task and len(scene.points) == data.n and scene.points.names == data.names
    assert cls.task == "regression" or scene.classes == data.classes
    assert set(other.views) <= set(scene.views), "the view of the other task stays"
    assert scene.view is None or isinstance(data, PriorSignal | PriorClasses)


# shapes

@pytest.mark.parametrize("values", [
    {}, {"margin": 0.3, "angle": -70.0}, {"margin": 2.5, "angle": 90.0, "balance": 0.2}, {"n": 4, "noise": 0.0},
    {"n": 11, "balance": 0.9, "seed": 4}, {"n": 300, "margin": 0.05, "noise": 3.0}, {"balance": 0.01, "n": 50},
])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_margin_asked_for_is_the_widest_there_is(values: dict[str, Any], seed: int) -> None:
    data = of("separable", **{"seed": seed, **values})
    points = data.make()
    assert len(set(points.cls)) == (1 if data.get("balance") == 0.01 and data.n < 50 else 2)
    model = SVM(margin="hard", kernel=build("kernel", {"name": "linear"}))
    fit = model.fit(points.xy, np.where(points.cls == 0, 1, -1), labels=(1, -1))
    assert fit.certificate.holds
    angle = np.deg2rad(data.get("angle"))
    normal = np.array([np.cos(angle), np.sin(angle)])
    across = points.xy @ normal
    assert across[points.cls == 0].min() - across[points.cls == 1].max() == pytest.approx(data.get("margin"), rel=1e-9)
    assert 2 * fit.margin == pytest.approx(data.get("margin"), rel=1e-6)


def test_shapes_without_noise() -> None:
    xor = of("xor", noise=0.0, balance=0.3).make()
    np.testing.assert_array_equal(np.sign(xor.xy.prod(axis=1)), np.where(xor.cls == 0, 1.0, -1.0))
    assert len(np.unique(xor.xy, axis=0)) == 4
    rings = of("rings", noise=0.0, inner=0.5).make()
    np.testing.assert_allclose(np.hypot(*rings.xy.T), np.where(rings.cls == 0, 0.5, 1.0))
    for cells in (2, 3, 8):
        board = of("checkerboard", cells=cells, balance=0.25, n=200).make()
        corner = np.floor(board.xy + cells / 2)
        np.testing.assert_array_equal(board.cls, corner.sum(axis=1) % 2)
        assert corner.min() == 0 and corner.max() == cells - 1 and len(np.unique(corner, axis=0)) > cells**2 / 2
    moons = of("moons", noise=0.0).make()
    centre = np.where(moons.cls[:, None] == 0, [-0.5, -0.25], [0.5, 0.25])
    np.testing.assert_allclose(np.hypot(*(moons.xy - centre).T), 1.0)
    spiral = of("spiral", noise=0.0, turns=1.0).make()
    radius, angle = np.hypot(*spiral.xy.T), np.arctan2(spiral.xy[:, 1], spiral.xy[:, 0])
    np.testing.assert_allclose(np.cos(angle - np.pi * radius), np.where(spiral.cls == 0, 1.0, -1.0), atol=1e-9)
    step = of("step", noise=0.0).make()
    np.testing.assert_array_equal(step.xy[:, 1], np.where(step.xy[:, 0] < 0, -1.0, 1.0))
    sinc = of("sinc", noise=0.0).make()
    np.testing.assert_allclose(sinc.xy[:, 0] * sinc.xy[:, 1], np.sin(sinc.xy[:, 0]), atol=1e-12)
    sine = of("sine", noise=0.0, gap=0.4).make()
    np.testing.assert_allclose(sine.xy[:, 1], np.sin(2 * np.pi * sine.xy[:, 0]))
    assert not ((sine.xy[:, 0] > 0.3 + 1e-12) & (sine.xy[:, 0] < 0.7 - 1e-12)).any()


@pytest.mark.parametrize("k", range(2, 9))
def test_neighbouring_blobs_are_as_far_apart_as_was_asked(k: int) -> None:
    blobs = of("blobs", k=k, distance=1.5, noise=0.0, n=50)
    points = blobs.make()
    centres = np.array([points.xy[points.cls == c][0] for c in range(k)])
    apart = np.hypot(*(centres - np.roll(centres, 1, axis=0)).T)
    np.testing.assert_allclose(apart, 1.5)
    assert blobs.classes == ("+1", "−1", "2", "3", "4", "5", "6", "7")[:k]
    assert blobs.into(Scene()).classes == blobs.classes
    assert blobs.sample().data.get("balance") == pytest.approx(1 / k)


def test_growing_noise_grows() -> None:
    data = of("heteroscedastic", n=2000, noise=0.4)
    clean, noisy = of("heteroscedastic", n=2000, noise=0.0).make(), data.make()
    strayed, x = noisy.xy[:, 1] - clean.xy[:, 1], clean.xy[:, 0]
    assert strayed[x < 1].std() < 0.1 and 0.3 < strayed[x > 5].std() < 0.45


# from a formula

def test_a_typed_curve_has_its_noise_and_its_interval() -> None:
    clean = of("formula", formula="0.5*x^2 - 1", start=2.0, end=-1.0, noise=0.0, n=200).make()
    x, t = clean.xy.T
    np.testing.assert_allclose(t, 0.5 * x**2 - 1)
    assert x.min() >= -1 and x.max() <= 2 and x.max() - x.min() > 2.8
    noisy = of("formula", formula="0.5*x^2 - 1", start=2.0, end=-1.0, noise=0.3, n=200).make()
    assert (noisy.xy[:, 1] - t).std() == pytest.approx(0.3, rel=0.15)


def test_places_without_a_value_are_counted_left_out_and_said() -> None:
    sample = of("formula", formula="log(x)", start=-1.0, end=1.0, n=100).sample()
    missing = 100 - len(sample.points)
    assert 30 < missing < 70 and (sample.points.xy[:, 0] > 0).all() and np.isfinite(sample.points.xy).all()
    assert [str(note) for note in sample.notes] == [
        f"{missing} of 100 locations have no finite value and are left out."]
    huge = of("formula_classes", formula="exp(1000*x1)", n=100, flips=0.5).sample()
    assert 0 < len(huge.points) < 100 and huge.notes


@pytest.mark.parametrize("formula", ["log(0 - 1 - x^2)", "exp(999)", "1/0", "sqrt(-1)", "10^99 * 10^99"])
def test_a_formula_without_any_value_is_refused_at_its_field(formula: str) -> None:
    with pytest.raises(SpecError, match="no finite value at any of 60 locations") as refusal:
        of("formula", formula=formula).make()
    assert refusal.value.path == "formula"


def test_typed_classes_are_the_sides_of_the_curve() -> None:
    points = of("formula_classes", formula="x1 + 2*x2", noise=0.0, n=300).make()
    np.testing.assert_array_equal(points.cls == 0, points.xy @ [1, 2] >= 0)
    sample = of("formula_classes", formula="x1^2 + x2^2 - 1", noise=0.0, n=5000).sample()
    assert sample.data.get("balance") == pytest.approx(1 - np.pi / 9, abs=0.03), "the square less the circle"
    noisy = of("formula_classes", formula="x1", noise=0.5, n=5000).make()
    near = np.abs(noisy.xy[:, 0] - 0.5) < 0.05
    assert (noisy.cls[near] == 0).mean() == pytest.approx(0.841, abs=0.06), "P(ε > −1), ε standard normal"


def test_a_share_that_no_place_can_fill_is_refused_with_the_numbers() -> None:
    words = r"balance of 0.3 needs 18 points of class \+1, but only 0 of 1200"
    with pytest.raises(SpecError, match=words) as refusal:
        of("formula_classes", formula="-1", noise=0.0, balance=0.3).make()
    assert refusal.value.path == "balance"
    with pytest.raises(SpecError, match="class −1"):
        of("formula_classes", formula="x1 - x1 + 1", noise=0.0, balance=0.3).make()


# from the prior

RBF = {"name": "scale", "factor": 4.0, "of": {"name": "rbf", "gamma": 0.5}}


def gp_scene(kernel: dict[str, Any] = RBF, model: str = "gpr", **values: Any) -> Scene:
    scene = Scene(model=build("model", {"name": model, "kernel": kernel, **values}))
    return scene.with_view((-3.0, 5.0, -1.0, 1.0))


def test_a_draw_takes_kernel_noise_and_range_from_the_scene() -> None:
    data = PriorSignal(n=200, seed=7).bind(gp_scene(noise_var=0.09))
    assert data.noise == pytest.approx(0.3) and data.area == (-3.0, 5.0, -1.0, 1.0)
    sample = data.sample()
    x = sample.points.xy[:, 0]
    assert -3 <= x.min() < -2.5 and 4.5 < x.max() <= 5
    assert "4*rbf(gamma=0.5) on −3 to 5, seed 7, noise 0.3" in str(sample.notes[0])
    quiet = dataclasses.replace(data, noise=0.0).make()
    strayed = sample.points.xy[:, 1] - quiet.xy[:, 1]
    np.testing.assert_array_equal(quiet.xy[:, 0], x)
    assert strayed.std() == pytest.approx(0.3, rel=0.2) and abs(strayed.mean()) < 0.08
    assert PriorSignal().bind(gp_scene(model="krr")).noise == 0.0, "a model without noise has none"
    assert PriorSignal(noise=0.5).bind(gp_scene(noise_var=0.09)).noise == 0.5
    twice = data.bind(gp_scene({"name": "rbf"}, noise_var=1.0))
    assert twice.noise == data.noise and twice.kernel != data.kernel


def test_the_view_is_kept_across_and_shows_the_curve() -> None:
    scene = PriorSignal(n=50).into(gp_scene())
    assert scene.view is not None and scene.view[:2] == (-3.0, 5.0) and scene.view[2:] == data_view(scene)[2:]
    classes = Scene().with_view((0.0, 2.0, 0.0, 1.0))
    assert PriorClasses().into(classes).view == classes.view
    points = PriorClasses().into(classes).points
    assert points.xy.min() >= 0 and points.xy[:, 0].max() <= 2 and points.xy[:, 1].max() <= 1
    bare = Scene().with_points(Points([[0.0, 0.0], [8.0, 8.0]]))
    assert PriorClasses().bind(bare).area == data_view(bare)


def test_moments_of_draws_are_those_of_the_process() -> None:
    """500 seeds at places of their own: f(x) ~ N(0, k(x, x)) and E[f(x) f(x')] = k(x, x')."""
    draws = [PriorSignal(n=6, seed=seed).bind(gp_scene(noise_var=0.0)) for seed in range(500)]
    products, expected, values = [], [], []
    for data in draws:
        x, f = data.make().xy.T
        kernel = data.kernel
        assert kernel is not None
        K = kernel(x[:, None], x[:, None])
        whitened = np.linalg.solve(np.linalg.cholesky(K + 1e-9 * np.eye(6)), f)
        values.append(whitened)
        products.append(f[0] * f[-1])
        expected.append(K[0, -1])
    flat = np.concatenate(values)  # 3000 numbers that are standard normal if the covariance is K
    assert abs(flat.mean()) < 0.06 and abs((flat**2).mean() - 1) < 0.1 and abs((flat**4).mean() - 3) < 0.6
    assert abs(np.corrcoef(np.array(values).T) - np.eye(6)).max() < 0.17
    assert np.mean(products) == pytest.approx(np.mean(expected), abs=0.6)


def test_classes_of_a_draw_are_the_signs_of_one_function() -> None:
    smooth = PriorClasses(n=300, seed=3).bind(gp_scene(model="svm"))
    points = smooth.make()
    share = (points.cls == 0).mean()
    assert smooth.sample().data.get("balance") == pytest.approx(share) and 0 < share < 1
    distance = np.hypot(*(points.xy[:, None] - points.xy[None]).transpose(2, 0, 1)) + 9 * np.eye(300)
    neighbour = distance.argmin(axis=1)
    assert (points.cls[neighbour] == points.cls).mean() > 0.9, "a smooth function has few sign changes"
    noisy = dataclasses.replace(smooth, noise=50.0).make()
    assert (noisy.cls[neighbour] == noisy.cls).mean() < 0.7
    half = dataclasses.replace(smooth, n=40, balance=0.5).make()
    assert (half.cls == 0).sum() == 20


def test_one_curve_bends_when_the_kernel_changes() -> None:
    one = PriorSignal(n=40, seed=2).bind(gp_scene(noise_var=0.0)).make()
    two = PriorSignal(n=40, seed=2).bind(gp_scene(RBF | {"factor": 16.0}, noise_var=0.0)).make()
    np.testing.assert_allclose(two.xy[:, 1], 2 * one.xy[:, 1], rtol=1e-5, atol=1e-5)


def test_jitter_is_said_and_what_is_no_covariance_is_refused() -> None:
    notes = [str(note) for note in PriorSignal(n=200).bind(gp_scene(noise_var=0.0)).sample().notes]
    assert len(notes) == 2 and "To counter rounding errors, 4·10⁻¹" in notes[1], notes
    assert len(PriorSignal(n=20).bind(gp_scene({"name": "matern12"})).sample().notes) == 1
    with pytest.raises(FitError, match="not positive definite"):
        PriorSignal(n=50).bind(gp_scene({"name": "sigmoid"})).sample()
    with pytest.raises(SpecError, match=f"from 4 to {MOST}"):
        PriorSignal(n=MOST + 1)


@pytest.mark.parametrize("kernel", kinds("kernel").values(), ids=kinds("kernel"))
def test_every_kernel_draws_or_says_why_not(kernel: type[Any]) -> None:
    for model, cls in (("gpr", PriorSignal), ("svm", PriorClasses)):
        try:
            sample = cls(n=30).bind(gp_scene(kernel().to_dict(), model)).sample()
        except FitError as error:
            assert str(error).endswith(".")
        else:
            assert np.isfinite(sample.points.xy).all() and len(sample.points) == 30


# the examples with measured data

def example(key: str) -> Scene:
    return next(one for one in examples() if one.key == key).scene()


@pytest.mark.parametrize(("key", "data"), [("motorcycle", "motorcycle"), ("mauna_loa", "mauna_loa"),
                                           ("faithful", "faithful_next")])
def test_examples_hold_the_measured_points_and_a_fit_that_proves_itself(key: str, data: str) -> None:
    scene, points = example(key), of(data).make()
    np.testing.assert_array_equal(scene.points.xy, points.xy)
    np.testing.assert_array_equal(scene.points.cls, points.cls)
    assert scene.points.names == points.names
    X, y, labels, _, _ = scene.training()
    fit = scene.model.fit(X, y, labels=labels or None)
    assert fit.certificate.holds and not fit.notes


def test_mauna_loa_is_continued_to_what_was_measured_later() -> None:
    scene = example("mauna_loa")
    X, y, _, _, _ = scene.training()
    fit = scene.model.fit(X, y)
    for year, measured_later in ((1998, 366.65), (1999, 368.33)):  # yearly means, NOAA and Scripps
        mean, deviation = fit.predict(year + (np.arange(12)[:, None] + 0.5) / 12, return_std=True)
        assert mean.mean() == pytest.approx(measured_later, abs=2 * deviation.mean())
        assert 4 < np.ptp(mean) < 8, "the seasons go on"
    assert fit.predict(np.array([[2012.0]]), return_std=True)[1] > 2, "and the band says how little that is sure"


# measured

@pytest.mark.parametrize("cls", MEASURED.values(), ids=MEASURED)
def test_all_rows_are_there_unless_fewer_are_asked_for(cls: type[Dataset]) -> None:
    points = cls().make()
    some = cls(n=20, seed=9).make()
    rows = {tuple(row) for row in points.xy}
    assert all(tuple(row) in rows for row in some.xy) and len(some) == 20
    np.testing.assert_array_equal(cls(seed=9).make().xy, points.xy)
    assert all(name for name in points.names) and str(cls.source)


def test_iris_is_fishers() -> None:
    X = np.column_stack([column("iris.csv", i) for i in range(4)])
    species = Iris().make().cls
    assert X.shape == (150, 4) and np.bincount(species).tolist() == [50, 50, 50]
    np.testing.assert_allclose(X[species == 0].mean(axis=0), [5.006, 3.428, 1.462, 0.246])  # Fisher 1936, Table II
    np.testing.assert_allclose(X[species == 1].mean(axis=0), [5.936, 2.770, 4.260, 1.326])
    points = Iris(x="sepal_length", y="sepal_width").make()
    np.testing.assert_array_equal(points.xy, X[:, :2])
    assert points.names == ("sepal length (cm)", "sepal width (cm)")
    assert words("iris.csv")[-1, 4] == "virginica"


def test_old_faithful_is_the_one_of_the_books() -> None:
    xy = measured()
    assert xy.shape == (272, 2) and xy[0].tolist() == [3.6, 79.0] and xy[-1].tolist() == [4.467, 74.0]
    np.testing.assert_allclose(xy.mean(axis=0), [3.487783, 70.897059], atol=1e-6)
    np.testing.assert_allclose(xy.std(axis=0, ddof=1), [1.141371, 13.594974], atol=1e-6)
    assert np.median(xy, axis=0).tolist() == [4.0, 76.0]
    slope, intercept = np.polyfit(*xy.T, 1)
    assert (slope, intercept) == pytest.approx((10.7296, 33.4744), abs=1e-4)  # lm(waiting ~ eruptions) in R
    turned = of("faithful", across="waiting").make()
    np.testing.assert_array_equal(turned.xy, xy[:, ::-1])
    assert turned.names == ("wait for the next (min)", "eruption (min)")
    following = of("faithful_next").make()
    np.testing.assert_array_equal(following.xy, xy[:-1] / [1, 10])
    np.testing.assert_array_equal(following.cls == 1, xy[1:, 0] < 3)
    short = xy[:-1, 0] < 3
    assert (following.cls[short] == 0).mean() > 0.9, "a short eruption is followed by a long one"


def test_the_motorcycle_is_silvermans() -> None:
    x, t = of("motorcycle").make().xy.T
    assert len(x) == 133 and (x[0], t[0], x[-1], t[-1]) == (2.4, 0.0, 57.6, 10.7) and len(np.unique(x)) == 94
    assert (t.min(), t.max()) == (-134.0, 75.0)
    assert (x.mean(), t.mean(), t.std(ddof=1)) == pytest.approx((25.17895, -25.54586, 48.32205), abs=1e-5)


def test_mauna_loa_is_keelings() -> None:
    x, t = of("mauna_loa").make().xy.T
    assert len(x) == 465 and (t[0], t[-1]) == (315.42, 364.34) and (t.min(), t.max()) == (313.18, 366.84)
    assert (x[0], x[-1]) == (1959.042, 1997.958)
    assert not ((x > 1964.1) & (x < 1964.33)).any(), "three months were never measured"
    assert np.diff(x).max() == pytest.approx(4 / 12, abs=1e-3)
    assert np.sort(np.diff(x))[-2] == pytest.approx(1 / 12, abs=1e-3)
    # yearly means of NOAA and Scripps, on a later calibration: within half a part per million
    for year, mean in ((1959, 315.97), (1970, 325.68), (1980, 338.68), (1990, 354.35), (1997, 363.71)):
        assert t[(x > year) & (x < year + 1)].mean() == pytest.approx(mean, abs=0.4)
    month = np.floor((x % 1) * 12 + 0.01).astype(int)
    detrended = t - np.poly1d(np.polyfit(x, t, 3))(x)
    by_month = [detrended[month == m].mean() for m in range(12)]
    assert np.argmax(by_month) == 4 and np.argmin(by_month) in (8, 9), "highest in May, lowest in autumn"
