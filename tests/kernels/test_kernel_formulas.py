"""Closed forms, identities between kernels, other programs, and what is said about values that cannot be."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as sk
from sklearn.metrics import pairwise

from kernelplay.errors import FitError, SpecError
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.basis import Basis
from kernelplay.kernels.distance import FEW, squared_distances
from kernelplay.kernels.gamma import scale
from kernelplay.kernels.rbf import RBF
from kernelplay.numerics.linalg import is_psd, smallest_eigenvalue
from kernelplay.spec import build


def k(text: str) -> Kernel:
    return Kernel.from_text(text)


def inputs(d: int, n: int = 40) -> np.ndarray:
    return np.random.default_rng(d).normal(size=(n, d))


def same(left: str, right: str, d: int = 2, rel: float = 1e-13) -> None:
    X = inputs(d)
    expected = k(right).gram(X)
    assert np.max(np.abs(k(left).gram(X) - expected)) <= rel * np.max(np.abs(expected))


def test_case_sum_and_product() -> None:
    X = [[0.5, -1], [2, 0.25], [-1.5, 1]]
    kernel = build("kernel", {"name": "sum", "of": [
        {"name": "product", "of": [{"name": "rbf", "gamma": 0.5},
                                   {"name": "poly", "gamma": 1, "coef0": 1, "degree": 2}]},
        {"name": "scale", "factor": 0.1, "of": {"name": "linear"}}]})
    K = kernel.gram(X)
    assert np.allclose(K, [[5.1875, 0.530199987273, -0.164697453125087],
                           [0.530199987273, 26.03515625, -0.269943184917176],
                           [-0.164697453125087, -0.269943184917176, 18.3875]], rtol=1e-9, atol=1e-12)
    assert smallest_eigenvalue(K) == pytest.approx(5.17214019681179, rel=1e-9)
    assert kernel.psd and is_psd(K)[0]
    kernel = build("kernel", {"name": "sum", "of": [{"name": "rbf", "gamma": 1},
                                                    {"name": "sigmoid", "gamma": 1, "coef0": -3}]})
    K = kernel.gram(X)
    assert np.allclose(K, [[0.0586244615027126, -0.955933237073751, -0.999514844917076],
                           [-0.955933237073751, 1.7866188121087, -0.999977013540334],
                           [-0.999514844917076, -0.999977013540334, 1.24491866240371]], rtol=1e-9, atol=1e-12)
    assert smallest_eigenvalue(K) == pytest.approx(-1.12515110109793, rel=1e-9)
    assert not kernel.psd and not is_psd(K)[0]


@pytest.mark.parametrize("d", [1, 2, 4])
def test_closed_forms_point_by_point(d: int) -> None:
    X = inputs(d, 7)
    r = np.array([[math.dist(x, z) for z in X] for x in X])
    inner = np.array([[math.fsum(x * z) for z in X] for x in X])
    expected = {
        "linear(coef0=0.5)": inner + 0.5,
        "poly(gamma=0.5, coef0=2, degree=5)": (0.5 * inner + 2) ** 5,
        "sigmoid(gamma=0.3, coef0=-1)": np.tanh(0.3 * inner - 1),
        "rbf(gamma=0.7)": np.exp(-0.7 * r**2),
        "matern12(length_scale=0.8)": np.exp(-r / 0.8),
        "matern32(length_scale=0.8)": (1 + math.sqrt(3) * r / 0.8) * np.exp(-math.sqrt(3) * r / 0.8),
        "matern52(length_scale=0.8)":
            (1 + math.sqrt(5) * r / 0.8 + 5 * r**2 / (3 * 0.64)) * np.exp(-math.sqrt(5) * r / 0.8),
        "rational_quadratic(length_scale=0.8, alpha=1.5)": (1 + r**2 / (2 * 1.5 * 0.64)) ** -1.5,
        "periodic(length_scale=0.8, period=1.5)": [
            [math.exp(-2 * math.fsum(math.sin(math.pi * u / 1.5) ** 2 for u in x - z) / 0.64) for z in X] for x in X],
        "constant(value=0.3)": np.full((7, 7), 0.3),
        "quadratic": inner**2,
        "polynomial_of(linear(), c0=1, c1=2, c2=3, c3=4)": 1 + 2 * inner + 3 * inner**2 + 4 * inner**3,
        "exp(2*linear())": np.exp(2 * inner),
        "warp(linear(), by=radius)": np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(X, axis=1)),
        "weighted(constant(), by=ramp, centre=1, width=2)": np.outer(X[:, 0] - 1, X[:, 0] - 1) / 4,
        "weighted(constant(), by=bump, centre=1, width=2)":
            np.exp(-np.add.outer((X[:, 0] - 1) ** 2, (X[:, 0] - 1) ** 2) / 8),
        "basis(by=powers, number=3)": sum(np.outer(X[:, j], X[:, j]) ** m for j in range(d) for m in range(3)),
    }
    for text, K in expected.items():
        assert np.allclose(k(text).gram(X), K, rtol=1e-12, atol=1e-14), text


def test_explicit_features_of_the_square() -> None:
    X = inputs(2)
    assert np.allclose(k("quadratic").features(X)[:, [0, 1, 2]],
                       np.column_stack([X[:, 0] ** 2, math.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2]), rtol=1e-14)


def test_basis_functions() -> None:
    x = np.array([-1.0, 0.0, 2.0])
    local = Basis(by="gaussians", number=3, width=0.5, low=-1, high=1)
    assert np.allclose(local.phi(x), np.exp(-(x[:, None] - [-1, 0, 1]) ** 2 / 0.5))
    steps = Basis(by="sigmoids", number=3, width=0.5, low=-1, high=1)
    assert np.allclose(steps.phi(x), 1 / (1 + np.exp(-(x[:, None] - [-1, 0, 1]) / 0.5)), rtol=1e-15)
    middle = Basis(number=1, low=-1, high=2, width=1)  # a single centre
    assert np.array_equal(middle.phi(np.array([0.5])), [[1.0]])


@pytest.mark.parametrize("d", [1, 2, 3])
def test_identities(d: int) -> None:
    same("quadratic()", "poly(gamma=1, coef0=0, degree=2)", d)
    same("polynomial_of(matern32(), c1=0, c2=1)", "matern32() * matern32()", d)
    same("polynomial_of(linear(), c0=1, c1=2, c2=1)", "poly(coef0=1, degree=2)", d)
    same("exp(linear())", "1*exp(linear())", d)
    same("quadratic_form()", "linear()", d)
    same("rational_quadratic(alpha=1e9, length_scale=0.5)", "rbf(gamma=2)", d, 1e-8)
    # on the circle the squared distance is 2 − 2 cos 2a = 4 sin² a
    same("warp(rbf(gamma=2), by=circle, period=3)", "periodic(period=3, length_scale=0.5)", d)
    same("rbf() * rbf(gamma=2)", "rbf(gamma=3)", d)
    same("sum(rbf(), linear()) * constant(value=2)", "2*(rbf() + linear())", d)
    same("weighted(exp(2*linear()), by=ramp)", "weighted(constant(), by=ramp) * exp(2*linear())", d)
    same("basis(by=powers, number=1)", f"constant(value={d})", d)
    same("sigmoid(gamma=1e-4)", "1e-4*linear()", d, 1e-6)


def test_the_form_of_a_matrix_is_the_linear_kernel_of_its_root() -> None:
    X = inputs(2)
    A = np.array([[2.0, 1.0], [1.0, 3.0]])
    kernel = build("kernel", {"name": "quadratic_form", "matrix": A})
    assert np.allclose(kernel(X, X[:5]), X @ A @ X[:5].T, rtol=1e-13)
    assert np.allclose(kernel(X, X), k("linear")(kernel.features(X), kernel.features(X)), rtol=1e-13)


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_fisher_is_the_inner_product_of_whitened_data(offset: float, size: float) -> None:
    rng = np.random.default_rng(5)
    X = (np.round(rng.normal(size=(60, 2)) @ [[2.0, 1.0], [0.0, 0.5]] * 2**20) / 2**20 + offset) * size
    kernel = k("fisher").bind(X)
    centred = (X - X.mean(axis=0)) / size
    expected = centred @ np.linalg.inv(centred.T @ centred / 60) @ centred.T
    assert np.allclose(kernel(X, X), expected, rtol=1e-6, atol=1e-6)
    assert np.mean(kernel.diagonal(X)) == pytest.approx(2, rel=1e-9)  # the mean of the squared distances is d


@pytest.mark.parametrize("X", [[[1.0, 2.0]], [[0, 0], [1, 1]], [[0, 0], [1, 2], [2, 4]], [[1, 0], [1, 3], [1, 4]],
                               [[0.1, 1 / 3], [0.2, 2 / 3], [0.7, 7 / 3], [1.1, 11 / 3]]])
def test_fisher_refuses_points_without_spread(X: list[list[float]]) -> None:
    for offset, size in ((0, 1), (1e6, 1), (0, 1e-9), (1e6, 1e9)):
        with pytest.raises(FitError, match=rf"these {len(X)} points is singular"):
            k("fisher").bind((np.array(X, dtype=float) + offset) * size)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_the_same_as_scikit_learn(d: int) -> None:
    X = inputs(d)
    pairs = (
        ("rbf(gamma=2)", sk.RBF(0.5)), ("matern12(length_scale=2)", sk.Matern(2, nu=0.5)),
        ("matern32(length_scale=2)", sk.Matern(2, nu=1.5)), ("matern52(length_scale=2)", sk.Matern(2, nu=2.5)),
        ("rational_quadratic(length_scale=2, alpha=0.7)", sk.RationalQuadratic(2, 0.7)),
        ("linear(coef0=4)", sk.DotProduct(2)), ("0.3*rbf(gamma=2) + constant(value=3)", 0.3 * sk.RBF(0.5) + 3),
        ("rbf(gamma=2) * linear(coef0=4)", sk.RBF(0.5) * sk.DotProduct(2)),
    )
    for text, theirs in pairs:
        assert np.allclose(k(text).gram(X), theirs(X), rtol=1e-12, atol=1e-15), text
    theirs = pairwise.polynomial_kernel(X, None, 4, 0.5, 1)
    assert np.allclose(k("poly(gamma=0.5, degree=4)").gram(X), theirs, rtol=1e-12)
    assert np.allclose(k("sigmoid(gamma=0.5, coef0=1)").gram(X), pairwise.sigmoid_kernel(X, None, 0.5, 1), rtol=1e-12)
    if d == 1:  # theirs is of the distance, which is the same in one dimension alone
        theirs = sk.ExpSineSquared(0.7, 1.3)
        assert np.allclose(k("periodic(length_scale=0.7, period=1.3)").gram(X), theirs(X), rtol=1e-12)


def test_gamma_from_the_data() -> None:
    X = inputs(3) * [1, 2, 5]
    assert scale(X) == 1 / (3 * X.var())
    for text in ("rbf(gamma=scale)", "poly(gamma=scale)", "sigmoid(gamma=scale)"):
        assert k(text).bind(X) == k(text).replace("gamma", 1 / (3 * X.var()))
        with pytest.raises(FitError, match="bind"):
            k(text)(X, X)
    nested = k("exp(0.1*(rbf(gamma=scale) + linear())) * warp(rbf(gamma=scale), by=first)").bind(X)
    assert nested.get("of.0.of.of.of.0.gamma") == scale(X)
    assert nested.get("of.1.of.gamma") == scale(X[:, :1])  # of what that kernel is given
    assert scale(np.full((5, 2), 1e6 + 0.1)) == 1.0
    assert scale(np.zeros((0, 2))) == 1.0
    assert k("rbf(gamma=scale)").reals() == ()


def test_length_scale_of_an_rbf_kernel() -> None:
    assert RBF(gamma=2.0).length_scale == 0.5
    assert RBF(gamma=RBF(gamma=0.3).gamma).length_scale == pytest.approx(math.sqrt(1 / 0.6))


def test_what_is_valid_is_declared() -> None:
    assert k("poly(coef0=0)").psd and not k("poly(coef0=-0.1)").psd
    assert not k("sigmoid").psd and not k("exp(sigmoid())").psd and not k("rbf + sigmoid").psd
    assert not k("warp(sigmoid())").psd and not k("weighted(sigmoid())").psd and not k("rbf * poly(coef0=-1)").psd
    assert k("exp(rbf + linear) * polynomial_of(poly())").psd
    for text in ("rbf", "matern12", "rational_quadratic", "2*rbf", "rbf + linear", "rbf * matern32", "exp(rbf())",
                 "exp(linear())", "rbf * periodic", "rbf * constant", "matern52 * poly", "warp(rbf(), by=asinh)"):
        assert k(text).strictly_pd, text
    for text in ("linear", "poly", "0*rbf", "periodic", "constant", "rbf * linear", "rbf + sigmoid",
                 "rbf * constant(value=0)", "warp(rbf(), by=radius)", "polynomial_of(rbf(), c0=1, c1=0, c2=0)",
                 "fisher", "basis"):
        assert not k(text).strictly_pd, text
    X = np.array([[-1.0, 0.5], [1.0, 0.5], [0.3, 0.2]])  # the first two at one radius, and a whole period apart
    for text in ("warp(rbf(), by=radius)", "periodic(period=2)", "rbf * linear(coef0=0)", "warp(rbf(), by=square)"):
        points = np.vstack([X, [[0.0, 0.0]]])
        assert abs(smallest_eigenvalue(k(text).gram(points))) < 1e-15, text


def test_squared_distances_are_the_same_by_both_ways() -> None:
    rng = np.random.default_rng(0)
    for d in (1, 2, FEW, FEW + 1):
        X, Z = 1e6 + rng.normal(size=(300, d)), 1e6 + rng.normal(size=(250, d))
        ours = squared_distances(X, Z)
        assert np.allclose(ours, ((X[:, None] - Z) ** 2).sum(axis=2), rtol=1e-15, atol=0)
        assert (np.diagonal(squared_distances(X, X)) == 0).all()
        assert np.allclose(squared_distances(X + 0j, Z + 0j), ours, rtol=1e-15)


def test_a_large_matrix_is_the_small_ones_put_together() -> None:
    X = inputs(2, 400)  # more values than one block holds
    for text in ("rbf", "matern32", "periodic", "rational_quadratic"):
        K = k(text).gram(X)
        assert np.allclose(K[123:125], k(text)(X[123:125], X), rtol=1e-12)
        assert np.array_equal(K, K.T) and (np.diagonal(K) == 1).all()


def test_invalid_values_are_said() -> None:
    wrong = {
        "rbf(gamma=0)": "gamma cannot be 0.0: it must be a number above 0, or “scale”",
        "rbf(gamma=wide)": "gamma cannot be wide",
        "matern32(length_scale=-1)": "length_scale cannot be -1.0",
        "periodic(period=0)": "period cannot be 0.0",
        "linear(coef0=-1)": "coef0 cannot be -1.0: it must be a number, 0 or more",
        "poly(degree=0)": "degree cannot be 0.0: it must be a whole number from 1 to 50",
        "constant(value=-1)": "value cannot be -1.0",
        "scale(rbf(), factor=-1)": "factor cannot be -1.0",
        "polynomial_of(rbf(), c2=-1)": "c2 cannot be -1.0",
        "basis(by=waves)": "choose one of powers, gaussians, sigmoids",
        "quadratic_form(matrix=[[1, 2], [3, 4]])": "symmetric square matrix",
        "quadratic_form(matrix=[[1, 2], [2, 1]])": "smallest eigenvalue is −1",
        "quadratic_form(matrix=[[1, 2]])": "symmetric square matrix",
        "rbf(gamma=1e999)": "gamma cannot be inf",
    }
    for text, sentence in wrong.items():
        with pytest.raises(SpecError) as raised:
            k(text)
        assert sentence in str(raised.value), text
    X = inputs(2)
    with pytest.raises(FitError, match="2 rows, but the points have 3 coordinates"):
        k("quadratic_form(matrix=[[1, 0], [0, 1]])").gram(inputs(3))
    with pytest.raises(FitError, match="second coordinate"):
        k("warp(rbf(), by=second)").gram(inputs(1))
    with pytest.raises(FitError, match=r"overflows: its exponent reaches \d+"):
        k("exp(100*linear())").gram(10 * X)
    with pytest.raises(FitError, match="bind"):
        k("fisher")(X, X)
    with pytest.raises(FitError, match="2 coordinates; these have 3"):
        k("fisher").bind(X)(inputs(3), inputs(3))


def test_kernels_are_imported_without_scipy_spatial() -> None:
    code = ("import sys, numpy as np; from kernelplay.kernels.base import Kernel; "
            "[Kernel.from_text(t).gram(np.ones((3, 2))) for t in ('rbf', 'matern12 + periodic', '2*poly')]; "
            "print(sorted(m for m in sys.modules if m in ('scipy.spatial', 'contourpy', 'cvxopt', 'scipy.special')))")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
