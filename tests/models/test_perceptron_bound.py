"""R, gamma and the bound: never below the mistakes made; both lemmas at every update; conflicts are proved."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from kernelplay.models import perceptron_bound
from kernelplay.models.perceptron import Perceptron, PerceptronFit
from kernelplay.models.perceptron_bound import whole
from kernelplay.models.perceptron_nearest import balanced, certain, facing_negative, nearest
from kernelplay.models.perceptron_words import bound_number

RBF = {"name": "rbf", "gamma": 1.0}
QUADRATIC = {"name": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0}


def fit(X: Any, y: Any, **params: Any) -> PerceptronFit:
    return Perceptron(**params).fit(np.array(X, float), np.array(y))


def separated(seed: int, offset: bool) -> tuple[np.ndarray, np.ndarray]:
    """Points on both sides of a random boundary at a distance that may be small."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 30)), int(rng.integers(1, 4))
    w = rng.normal(size=d)
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 1)
    b = -float(np.median(X @ w)) * offset
    f = (X @ w + b) / np.linalg.norm(w)
    gap = rng.uniform(0.02, 0.5) * np.abs(f).max()
    X = X + np.sign(f)[:, None] * gap * w / np.linalg.norm(w)
    y = np.where(f > 0, 1, -1)
    return (X, y) if len(set(y.tolist())) == 2 else separated(seed + 100_000, offset)


def lifted(X: np.ndarray, y: np.ndarray, bias: bool) -> np.ndarray:
    """z_n = y_n x~_n."""
    return (np.column_stack([np.ones(len(X)), X]) if bias else X) * np.asarray(y, float)[:, None]


def has_margin(Z: np.ndarray) -> bool:
    """Whether some u has u.z_n >= 1 for all n, by a linear program."""
    Z = balanced(Z, constant=False)
    free = [(None, None)] * Z.shape[1]
    return bool(linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=free).status == 0)


def can_stop(Z: np.ndarray, negative: np.ndarray) -> bool:
    """Whether some theta makes no mistake, sign(0) = +1, by a linear program."""
    free = [(None, None)] * Z.shape[1]
    return bool(linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-negative.astype(float), bounds=free).status == 0)


# the bound

@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("order", ["cyclic", "random"])
@pytest.mark.parametrize("start", ["zero", "1/n"])
def test_the_bound_is_never_below_the_mistakes(bias: bool, order: str, start: str) -> None:
    for seed in range(60):
        X, y = separated(seed, bias)
        eta = (0.05, 1.0, 8.0)[seed % 3]
        f = fit(X, y, bias=bias, order=order, start=start, eta=eta, seed=seed, max_epochs=3000, max_updates=100_000)
        Z = lifted(X, y, bias)
        assert f.separable and f.converged and f.bound is not None and f.bound_floor is not None
        assert f.mistakes <= f.bound_floor
        left = (Z @ f.theta).min()
        assert left >= -1e-12 * np.abs(Z @ f.theta).max(), "no mistake is left"
        longest = (Z**2).sum(axis=1).max()
        assert pytest.approx(longest) == f.R2
        if start == "zero":
            assert f.bound == pytest.approx(f.R2 / f.gamma2)
        else:
            assert allowed(f, Z, math.floor(f.bound * (1 - 1e-9))) and not allowed(f, Z, math.floor(f.bound) + 2)


def allowed(f: PerceptronFit, Z: np.ndarray, k: int) -> bool:
    """Whether the lemmas leave room for k updates from theta_0 = 1/n in each component."""
    assert f.separation.u is not None and f.gamma is not None
    theta_0, eta = np.full(Z.shape[1], 1 / len(Z)), f.model.eta
    most = math.sqrt(theta_0 @ theta_0 + k * eta**2 * f.R2)
    return bool(f.separation.u @ theta_0 + k * eta * f.gamma <= most * (1 + 1e-9))


@pytest.mark.parametrize("params", [
    {}, {"bias": False}, {"order": "random"}, {"start": "1/n", "eta": 0.3}, {"kernel": RBF},
    {"kernel": RBF, "bias": False}, {"kernel": RBF, "start": "1/n"}, {"kernel": QUADRATIC}])
def test_both_lemmas_hold_after_every_update(params: dict[str, Any]) -> None:
    for seed in range(15):
        X, y = separated(seed, params.get("bias", True))
        f = fit(X, y, max_epochs=400, **params)
        lemmas = f.lemmas
        assert len(lemmas.norm2) == f.mistakes + 1 and max(lemmas.violation) < 1e-12
        if f.bound is None:
            continue
        assert f.bound_floor is not None and f.mistakes <= f.bound_floor
        assert lemmas.along is not None and lemmas.low is not None
        assert (lemmas.along >= lemmas.low - 1e-9 * np.abs(lemmas.along).max()).all()
        assert (lemmas.norm2 <= lemmas.high * (1 + 1e-12)).all()
        assert (np.diff(lemmas.along) >= f.gamma * (1 - 1e-9)).all()
        if "kernel" not in params:
            path = np.array([f.theta_at(k) for k in range(f.mistakes + 1)]) / f.model.eta
            np.testing.assert_allclose(lemmas.along, path @ f.separation.u, atol=1e-9 * np.abs(path).max())
            np.testing.assert_allclose(lemmas.norm2, (path**2).sum(axis=1), rtol=1e-9, atol=1e-12)
        cosine = lemmas.cosine
        assert cosine is not None and np.nanmax(np.abs(cosine), initial=0.0) <= 1 + 1e-9
        if params.get("start", "zero") == "zero":
            k = np.arange(1, f.mistakes + 1)
            assert (cosine[1:] >= np.sqrt(k) * f.gamma / f.R * (1 - 1e-9)).all()


def test_the_lemmas_of_a_kernel_are_those_of_its_gram_matrix() -> None:
    X, y = separated(3, True)
    f = fit(X, y, kernel=RBF, start="1/n", eta=0.5)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2)) + 1
    u = f.separation.coefficients
    assert u is not None and u @ K @ u == pytest.approx(1)
    for k in range(f.mistakes + 1):
        theta = (f.trace.counts(k) + 1 / len(y) / 0.5) * y
        assert f.lemmas.norm2[k] == pytest.approx(theta @ K @ theta, rel=1e-9)
        assert f.lemmas.along is not None and f.lemmas.along[k] == pytest.approx(u @ K @ theta, rel=1e-9)


def test_a_bound_of_one_prints_as_one() -> None:
    for scale in 10.0 ** np.arange(-9, 10):
        for angle in np.linspace(0.1, 1.5, 12):
            x = scale * np.array([math.cos(angle), math.sin(angle)])
            f = fit([x, -x], [1, -1], bias=False)
            assert f.bound_floor == 1 and f.mistakes == 1
    assert [whole(x) for x in (1 - 1e-13, 1.0, 1.99, 11.333, 12 - 1e-12)] == [1, 1, 1, 11, 12]


# gamma

def test_gamma_in_closed_form() -> None:
    f = fit([[0.0078125], [-0.0078125]], [1, -1])
    assert f.gamma2 == pytest.approx(6.103515625e-05, rel=1e-12) and f.bound == pytest.approx(16385, rel=1e-12)
    g = fit([[0, 0], [1, 2], [2, 1]], [-1, 1, 1])
    assert g.gamma2 == pytest.approx(9 / 17) and g.R2 == 6 and g.bound == pytest.approx(34 / 3)
    h = fit([[3, 4], [4, 3]], [1, -1], bias=False)
    assert h.gamma == pytest.approx(math.sqrt(0.5)) and h.bound == pytest.approx(50)


@pytest.mark.parametrize(("bound", "text"), [(35769.7, "35769.7"), (8.34567, "8.346"), (35769.2, "35769"),
                                             (12.99999, "12.99999"), (999999.97, "999999.97"), (3.5e7, "3.5·10⁷")])
def test_a_bound_is_never_said_to_allow_one_update_more(bound: float, text: str) -> None:
    assert bound_number(bound) == text


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1e4, 1e9])
def test_gamma_at_any_scale(scale: float) -> None:
    for seed in range(10):
        X, y = separated(seed, False)
        plain, scaled = fit(X, y, bias=False), fit(X * scale, y, bias=False)
        assert scaled.bound == pytest.approx(plain.bound, rel=1e-9)
        assert scaled.gamma == pytest.approx(scale * plain.gamma, rel=1e-9)
    # with offset the constant stays 1: two points at +-s have gamma = s, and for a large s R^2 = 1 + s^2
    f = fit([[scale], [-scale]], [1, -1])
    assert f.gamma == pytest.approx(scale, rel=1e-9) and f.certificate.holds
    assert f.bound == pytest.approx((1 + scale**2) / scale**2, rel=1e-9)


@pytest.mark.parametrize("bias", [True, False])
def test_no_unit_vector_has_a_larger_margin(bias: bool) -> None:
    rng = np.random.default_rng(0)
    for seed in range(30):
        X, y = separated(seed, bias)
        Z, f = lifted(X, y, bias), fit(X, y, bias=bias)
        u = f.separation.u
        assert u is not None and u @ u == pytest.approx(1) and (Z @ u).min() == pytest.approx(f.gamma, rel=1e-12)
        others = u + 10.0 ** rng.uniform(-6, 0, size=(200, 1)) * rng.normal(size=(200, len(u)))
        others /= np.linalg.norm(others, axis=1)[:, None]
        assert (Z @ others.T).min(axis=0).max() <= f.gamma * (1 + 1e-12)
        assert f.certificate["margin_gap"] < 1e-9


@pytest.mark.parametrize("kernel", [RBF, {"name": "matern32"}, QUADRATIC])
def test_behind_a_kernel_gamma_lies_between_its_own_bounds(kernel: dict[str, Any],
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(6):
        X, y = separated(seed, True)
        f = fit(X, y, kernel=kernel)
        assert f.separable and f.gamma is not None
        K = f.kernel(X, X) + 1
        c = f.separation.coefficients
        assert c is not None and (c * y >= -1e-12).all()
        weights = np.abs(c) / np.abs(c).sum()
        from_below = (y * (K @ c)).min() / math.sqrt(c @ K @ c)
        from_above = math.sqrt((weights * y) @ K @ (weights * y))
        assert f.gamma == pytest.approx(from_below, rel=1e-7) == pytest.approx(from_above, rel=1e-7)
        with monkeypatch.context() as patch:
            patch.setattr(perceptron_bound, "FEATURES", 0)
            solved = fit(X, y, kernel=kernel)
        assert solved.gamma == pytest.approx(f.gamma, rel=1e-7), "by the quadratic program as among the features"


def test_where_gamma_is_too_small_to_be_found_the_run_says_how_large_the_bound_is() -> None:
    rng = np.random.default_rng(1)
    y = np.where(rng.random(300) < 0.5, 1, -1)
    X = rng.normal(size=(300, 2)) + 0.3 * y[:, None]
    f = fit(X, y, kernel={"name": "rbf", "gamma": 0.5})
    assert f.separable and f.gamma is None and f.bound is None and not f.converged
    assert f.bound_least > f.mistakes and "above" in str(f.notes[0].sentence)
    g = fit(*separated(0, True), kernel=RBF)
    assert g.bound is not None and g.bound_least <= g.bound


# what cannot be separated

def grid(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(int(rng.integers(2, 9)), int(rng.integers(1, 4)))).astype(float)
    y = rng.choice([-1, 1], len(X), p=[0.3, 0.7])
    y[:2] = 1, -1
    return X, y


@pytest.mark.parametrize("bias", [True, False])
def test_whether_there_is_a_margin_is_told_and_proved(bias: bool) -> None:
    told = {True: 0, False: 0}
    for seed in range(300):
        X, y = grid(seed)
        f, Z = fit(X, y, bias=bias, max_epochs=3), lifted(X, y, bias)
        assert f.separable is has_margin(Z)
        told[f.separable] += 1
        if f.separable:
            assert f.conflict == () and f.separation.weights is None
            continue
        weights = f.separation.weights
        assert weights is not None and (weights >= 0).all() and weights.sum() == pytest.approx(1)
        np.testing.assert_allclose(weights @ Z, 0, atol=1e-14)
        assert set(f.conflict) == set(np.flatnonzero(weights > 1e-9))
        assert f.bound is None and f.certificate["conflict"] < 1e-14
        assert not has_margin(Z[list(f.conflict)]), "the points that are named are in conflict by themselves"
    assert min(told.values()) > 40


def test_through_the_origin_whether_it_can_end_is_told() -> None:
    told = {True: 0, False: 0}
    for seed in range(400):
        X, y = grid(seed)
        f, Z = fit(X, y, bias=False, max_epochs=200), lifted(X, y, False)
        if f.separable:
            continue
        assert f.separation.endless is not can_stop(Z, y < 0)
        told[f.separation.endless] += 1
        assert not (f.separation.endless and f.converged)
        if f.separation.endless:
            assert (f.separation.weights[y < 0] > 1e-9).any()
    assert min(told.values()) > 25


def test_a_certificate_of_positive_points_may_hide_one_that_faces_a_negative_one() -> None:
    # ±e1 are in conflict by themselves; the rest decides whether the negative points are too
    for rest, endless in (([[0, 1, 0], [0, -1, 1], [0, 0, 1]], True), ([[0, -1, 0], [0, 0, -1], [0, 1, -2]], False)):
        X = np.array([[1, 0, 0], [-1, 0, 0], *rest], float)
        y = np.array([1, 1, 1, 1, -1] if endless else [1, 1, -1, -1, -1])
        Z = X * y[:, None]
        weights = facing_negative(Z, y < 0)
        assert (weights is not None) is endless is (not can_stop(Z, y < 0))
        if weights is not None:
            np.testing.assert_allclose(weights @ Z, 0, atol=1e-14)
            assert (weights >= 0).all() and weights[4] > 0


def test_with_offset_a_certificate_always_faces_a_negative_point() -> None:
    for seed in range(60):
        X, y = grid(seed)
        f = fit(X, y, max_epochs=3)
        assert f.separable or f.separation.endless


@pytest.mark.parametrize("kernel", [RBF, {"name": "matern12"}, QUADRATIC])
def test_contradictory_duplicates_are_named_behind_any_kernel(kernel: dict[str, Any]) -> None:
    X, y = [[0, 0], [1, 1], [2, 0], [1, 1], [0, 3]], [1, 1, -1, -1, 1]
    for bias in (True, False):
        f = fit(X, y, kernel=kernel, bias=bias, max_epochs=20)
        assert f.separable is False and f.separation.endless and f.conflict == (1, 3)
        assert f.certificate.holds and not f.converged


def test_behind_a_kernel_a_conflict_is_proved_in_feature_space() -> None:
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], np.array([-1, 1, 1, -1])
    f = fit(X, y, kernel={"name": "poly", "degree": 1, "gamma": 1.0, "coef0": 1.0})
    assert f.separable is False and f.conflict == (0, 1, 2, 3)
    weights = f.separation.weights
    K = np.array(X) @ np.array(X).T + 2.0
    assert weights is not None and abs((weights * y) @ K @ (weights * y)) < 1e-15
    assert fit(X, y, kernel=QUADRATIC).converged


def test_by_a_hair_is_separable_and_by_none_is_not() -> None:
    for hair in 10.0 ** -np.arange(1, 13):
        X = np.array([[0, 0], [1, 1], [0.5, 0.5 + hair]])
        f = fit(X, [-1, -1, 1], max_epochs=2)
        assert f.separable, hair
        if f.gamma is None:  # (R/gamma)^2 would be beyond 1e14, and gamma beyond the digits that remain
            assert hair < 1e-7 and "above" in str(f.notes[0].sentence)
        else:
            assert (lifted(X, np.array([-1, -1, 1]), True) @ f.separation.u).min() == pytest.approx(f.gamma)
    f = fit([[0, 0], [1, 1], [0.5, 0.5]], [-1, -1, 1], max_epochs=2)
    assert f.separable is False and f.conflict == (0, 1, 2)


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1e6), (1e-9, 0.0), (1e9, 0.0), (1e9, 1e15), (1e-9, 1e-3)])
def test_neither_scale_nor_shift_changes_what_can_be_separated(scale: float, shift: float) -> None:
    for seed in range(40):
        X, y = grid(seed)
        plain = fit(X, y, max_epochs=2).separable
        moved = fit(X * scale + shift, y, max_epochs=2)
        assert moved.separable is plain
        assert moved.certificate["conflict" if not plain else "theta"] < 1e-12


def test_the_nearest_point_of_a_hull() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        n, r = int(rng.integers(1, 40)), int(rng.integers(1, 8))
        Z = rng.normal(size=(n, r)) + rng.uniform(0, 1.5)
        found = nearest(Z)
        assert (found.weight > 0).all() and found.weight.sum() == pytest.approx(1) and len(found.corral) <= r + 1
        np.testing.assert_allclose(found.weight @ Z[found.corral], found.v, atol=1e-12)
        if found.zero:
            assert np.abs(found.v).max() < 1e-13 and not certain(rng.normal(size=r), Z)[1]
        else:
            assert (Z @ found.v).min() >= found.v @ found.v * (1 - 1e-9), "no point of the hull is nearer"


@pytest.mark.parametrize("gap", [1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("kernel", ["rbf", "matern52", "rational_quadratic"])
def test_inputs_that_differ_are_separable_behind_a_strictly_positive_definite_kernel(gap: float, kernel: str) -> None:
    f = Perceptron(kernel={"name": kernel}, max_epochs=5).fit(  # type: ignore[arg-type]
        np.array([[0.0], [1.0], [1.0 + gap]]), np.array([1, 1, -1]))
    assert f.separable is True and f.conflict == ()


@pytest.mark.parametrize("kernel", [
    {"name": "basis", "by": "gaussians", "number": 9, "width": 0.5, "low": -10.0, "high": -5.0},
    {"name": "warp", "of": {"name": "matern52"}, "by": "radius"}, {"name": "matern12"}, {"name": "periodic"},
    {"name": "exp", "of": {"name": "scale", "factor": 18.0, "of": {"name": "periodic", "length_scale": 0.45}}},
])
def test_a_conflict_is_proved_or_not_claimed(kernel: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    for offset in (0.0, 3.0, 1e3):
        X = rng.normal(size=(20, 2)) + offset
        for bias in (True, False):
            f = Perceptron(kernel=kernel, bias=bias, max_epochs=3).fit(  # type: ignore[arg-type]
                X, np.where(rng.random(20) > 0.5, 1, -1))
            assert f.separable is not False or f.certificate["conflict"] <= 1e-8


@pytest.mark.parametrize("gap", [1e-4, 1e-5])
@pytest.mark.parametrize("kernel", [{"name": "periodic", "period": 5.0},
                                    {"name": "warp", "of": {"name": "matern52"}, "by": "radius"}])
def test_what_rounding_hides_is_not_called_inseparable(gap: float, kernel: dict[str, Any]) -> None:
    X = np.array([[1.0, 0.0], [1.0 + gap, 0.0], [1.0 + 2 * gap, 0.0]])  # different radii: separable, by next to nothing
    f = Perceptron(kernel=kernel, max_epochs=3).fit(X, np.array([1, -1, 1]))  # type: ignore[arg-type]
    assert f.separable is not False and f.conflict == ()
