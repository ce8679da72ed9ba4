"""What must hold for every kernel there is, at its default, at the ends of its ranges, and combined."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kernelplay.kernels
from kernelplay.errors import FitError
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.distance import Isotropic
from kernelplay.kernels.periodic import Periodic
from kernelplay.kernels.presets import presets
from kernelplay.numerics.linalg import EPS, is_psd
from kernelplay.spec import Child, Choice, Real, build, kinds

COMBINED = (
    "rbf(gamma=2) + 0.5*linear() * periodic(length_scale=1, period=2)",
    "(rbf() + constant(value=0.5)) * (linear(coef0=1) + matern32())",
    "exp(scale(rbf(), factor=2) + linear())",
    "exp(rbf() * linear())",
    "exp(sigmoid())",
    "polynomial_of(rbf() + constant(), c0=0.3, c1=0, c2=2, c3=1)",
    "polynomial_of(quadratic(), c0=1, c1=0, c2=0, c3=0)",
    "polynomial_of(sigmoid(), c0=2, c1=0, c2=0, c3=0)",
    "0*sigmoid()",
    "0*rbf()",
    "weighted(poly(degree=2), by=ramp, centre=0.5) + weighted(matern12(), by=step)",
    "warp(warp(rbf(), by=square), by=asinh)",
    "warp(poly(degree=2, gamma=scale), by=circle)",
    "warp(fisher(), by=square)",
    "warp(sigmoid(gamma=scale), by=fold)",
    "poly(gamma=scale, coef0=-1, degree=2)",
    "linear(coef0=3) * linear() * basis(number=3, by=powers)",
    "0.5*(rbf(gamma=scale) + poly(gamma=scale)) * 3*fisher()",
    "scale(sum(rbf(), scale(linear(), factor=0)), factor=1e-3)",
)


def ends(key: str) -> Iterator[Kernel]:
    """The kernel at its default, and with each parameter at each end of its range or at each of its words."""
    kernel = build("kernel", {"name": key})
    yield kernel
    for name, param in kernel.params().items():
        if isinstance(param, Real):
            values = (param.low, param.high, *param.words)
        elif isinstance(param, Choice):
            values = tuple(option for option, _ in param.options)
        else:
            continue
        for value in values:
            changed = build("kernel", {"name": key, name: value})
            if changed != kernel:
                yield changed


ALL = tuple(kernel for key in kinds("kernel") for kernel in ends(key))
ALL += (build("kernel", {"name": "quadratic_form", "matrix": [[2, 1], [1, 3]]}),
        build("kernel", {"name": "quadratic_form", "matrix": [[1, 1], [1, 1]]}))
ALL += tuple(Kernel.from_text(text) for text in COMBINED) + tuple(preset.kernel for preset in presets())


def inputs(d: int, n: int = 80, seed: int = 0) -> np.ndarray:
    X = np.random.default_rng([seed, d]).normal(scale=1.5, size=(n, d))
    X.flags.writeable = False
    return X


def fits(kernel: Kernel, d: int) -> bool:
    """Whether the kernel does with d coordinates: a matrix has its size, and a second coordinate must be there."""
    try:
        kernel.bind(inputs(d))
    except FitError as error:
        assert "coordinate" in str(error)
        return False
    return True


def each(*dimensions: int) -> Any:
    """Run a test over all kernels in the given dimensions."""
    return pytest.mark.parametrize(("kernel", "d"), [(k, d) for k in ALL for d in dimensions if fits(k, d)], ids=str)


def test_only_these_refuse_a_dimension() -> None:
    assert {str(k) for k in ALL if not fits(k, 1)} == {
        'warp(rbf(), by="second")', 'warp(rbf(), by="first") + warp(rbf(), by="second")',
        "quadratic_form(matrix=[[2, 1], [1, 3]])", "quadratic_form(matrix=[[1, 1], [1, 1]])"}
    assert all(fits(k, 2) for k in ALL)


def broken_laws(kernel: Kernel, X: np.ndarray) -> set[str]:
    """The laws that a bound kernel breaks on the inputs X (n, d)."""
    broken = set()
    K = kernel(X, X)
    scale = np.max(np.abs(K)) or 1.0
    Z = X[::3] + 0.25
    if K.shape != (len(X), len(X)) or not np.isfinite(K).all():
        broken.add("finite")
    if not np.array_equal(K, K.T) or np.max(np.abs(kernel(X, Z) - kernel(Z, X).T)) > 1e-12 * scale:
        broken.add("symmetric")
    if np.max(np.abs(kernel.diagonal(X) - np.diagonal(K))) > 1e-13 * scale or kernel.diagonal(X[:0]).shape != (0,):
        broken.add("diagonal")
    if np.max(np.abs(kernel(X[5:9], X) - K[5:9])) > 1e-12 * scale or kernel(X[:0], X).shape != (0, len(X)):
        broken.add("slices")
    if kernel.psd and not is_psd(K)[0]:
        broken.add("psd")
    if kernel.strictly_pd:
        if not kernel.psd:
            broken.add("strictly_pd")
        few = kernel(X[:4], X[:4])
        values = np.linalg.eigvalsh(few)
        if values[0] <= 4 * EPS * values[-1]:
            broken.add("strictly_pd")
    if kernel.positive_diagonal and not (kernel.diagonal(X) > 0).all():
        broken.add("positive_diagonal")
    phi, psi = kernel.features(X), kernel.features(Z)
    if phi is not None and np.max(np.abs(phi @ psi.T - kernel(X, Z))) > 1e-10 * scale:
        broken.add("features")
    if np.max(np.abs(sum(weight * part(X, Z) for weight, part in kernel.terms()) - kernel(X, Z))) > 1e-12 * scale:
        broken.add("terms")
    return broken


@each(1, 2, 4)
def test_laws(kernel: Kernel, d: int) -> None:
    X = inputs(d)
    assert broken_laws(kernel.bind(X), X) == set()


PLANTED = '''
from dataclasses import dataclass
import numpy as np
from kernelplay.i18n import say
from kernelplay.kernels.base import Kernel
from kernelplay.spec import real

@dataclass(frozen=True)
class Planted(Kernel):
    key = "planted"
    label = say("Planted")
    about = say("Claims to be a kernel.")
    slope: float = real(1.0, 0.5, 2.0, symbol="s", label=say("Slope"), help=say("Higher: steeper."))

    def __call__(self, X, Z):
        return -self.slope * np.sqrt(np.sum((X[:, None] - Z) ** 2, axis=2))

    @property
    def psd(self):
        return True
'''


def test_a_planted_kernel_that_claims_to_be_valid_is_found_out(tmp_path, monkeypatch) -> None:
    (tmp_path / "planted_kernel_for_the_laws.py").write_text(PLANTED)
    with monkeypatch.context() as patch:
        patch.setattr(kernelplay.kernels, "__path__", [*kernelplay.kernels.__path__, str(tmp_path)])
        kinds.cache_clear()
        kernel = build("kernel", {"name": "planted", "slope": 2})
        assert broken_laws(kernel, inputs(2)) == {"psd"}
        assert kernel.diagonal(inputs(2)).shape == (80,)  # the default of the base class
        assert Kernel.from_text(str(kernel)) == kernel
        assert Kernel.from_text("planted + rbf").formula == "planted(x, x′) + exp(−γ‖x − x′‖²)"
    kinds.cache_clear()
    assert "planted" not in kinds("kernel")


@pytest.mark.parametrize("kernel", ALL, ids=str)
def test_grid_forms_agree_with_the_kernel(kernel: Kernel) -> None:
    X = inputs(2, 40)
    k = kernel.bind(X)
    x, y = np.linspace(-4, 4, 13), np.linspace(-3, 5, 11)
    points = np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
    K = k(points, X).reshape(len(y), len(x), len(X))
    close = 1e-12 * np.max(np.abs(K))
    block = k.over_grid(X, x, y)
    assert np.max(np.abs(block(slice(0, len(y))) - K)) <= close
    assert np.max(np.abs(block(slice(3, 7)) - K[3:7])) <= close
    pairs = k.factors(X, x, y)
    if pairs is not None:
        assert all(across.shape == (13, 40) and up.shape == (11, 40) for across, up in pairs)
        assert np.max(np.abs(sum(up[:, None, :] * across for across, up in pairs) - K)) <= close


SEPARABLE = ("rbf", "linear", "poly", "constant", "periodic", "basis", "quadratic", "quadratic_form", "fisher", "scale",
             "sum", "product", "weighted", "polynomial_of", "exp")


def test_which_kernels_separate_and_which_have_features() -> None:
    X, x = inputs(2), np.linspace(-1, 1, 5)
    separable = {key for key in kinds("kernel") if build("kernel", {"name": key}).bind(X).factors(X, x, x) is not None}
    assert separable == set(SEPARABLE)
    explicit = {key for key in kinds("kernel") if build("kernel", {"name": key}).bind(X).features(X) is not None}
    assert explicit == {"linear", "poly", "quadratic", "quadratic_form", "constant", "basis", "fisher", "polynomial_of"}
    assert len(build("kernel", {"name": "poly", "degree": 4}).factors(X, x, x)) == 5
    assert build("kernel", {"name": "poly", "degree": 50}).features(inputs(4)) is None  # 316,251 monomials
    assert build("kernel", {"name": "rbf"}).factors(inputs(1), x, x) is None


@pytest.mark.parametrize("kernel", ALL, ids=str)
def test_binding_twice_changes_nothing(kernel: Kernel) -> None:
    X = inputs(2)
    once = kernel.bind(X)
    assert once.bind(X) == once
    assert once.bind(3 * X + 1) == once
    assert type(once) is type(kernel)


@pytest.mark.parametrize("kernel", ALL, ids=str)
def test_round_trips(kernel: Kernel) -> None:
    assert Kernel.from_text(str(kernel)) == kernel
    assert Kernel.from_text(kernel.text()).text() == kernel.text()
    assert build("kernel", json.loads(json.dumps(kernel.to_dict()))) == kernel


@each(1, 2)
def test_complex_step_is_the_derivative(kernel: Kernel, d: int) -> None:
    X = inputs(d, 20)
    k = kernel.bind(X)
    Z = X[::2] + 0.25
    scale = np.max(np.abs(k(X, Z)))
    for path, _ in k.reals():
        value = k.get(path)
        step = 1e-5 * max(abs(value), 1e-2)
        exact = k.perturbed(path, value + 1e-30j)(X, Z).imag / 1e-30
        difference = (k.perturbed(path, value + step)(X, Z) - k.perturbed(path, value - step)(X, Z)) / (2 * step)
        assert np.max(np.abs(exact - difference)) <= 1e-5 * np.max(np.abs(exact)) + 1e-10 * scale / step * 1e-5, path
        slope = k.perturbed(path, value + 1e-30j).diagonal(X).imag / 1e-30
        assert np.allclose(slope, np.diagonal(k.perturbed(path, value + 1e-30j)(X, X)).imag / 1e-30, atol=1e-9 * scale)


@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("kernel", [k for k in ALL if isinstance(k, Isotropic | Periodic)], ids=str)
def test_stationary_kernels_do_not_see_a_shift(kernel: Kernel, d: int) -> None:
    X = np.round(inputs(d) * 2**20) / 2**20  # so that X + 1e6 is X moved, exactly
    k = kernel.bind(X)
    assert np.max(np.abs(k(X + 1e6, X + 1e6) - k(X, X))) <= 1e-12
    if d == 2 and k.factors(X, X[:3, 0], X[:3, 1]) is not None:
        x, y = X[:5, 0], X[:5, 1]
        moved, here = k.factors(X + 1e6, x + 1e6, y + 1e6), k.factors(X, x, y)
        assert all(np.max(np.abs(a - b)) <= 1e-12 for a, b in zip(moved[0], here[0], strict=True))


@pytest.mark.parametrize("key", kinds("kernel"))
def test_everything_is_declared_for_people(key: str) -> None:
    cls = kinds("kernel")[key]
    assert str(cls.label) and str(cls.about).endswith(".") and cls.order < 300
    kernel = build("kernel", {"name": key})
    for name, param in kernel.params().items():
        assert str(param.label), name
        assert str(param.help).endswith("."), name
        assert param.symbol or isinstance(param, Child), name
        if isinstance(param, Real):
            assert param.least <= param.low < param.high <= param.most, name
            assert param.low > 0 or not param.log, name
    formula = kernel.formula
    assert formula.count("(") == formula.count(")") > 0 or key in ("linear", "constant", "quadratic_form")
    assert f"{key}(" not in formula or key == "exp"  # the formula itself, not the name that stands in for one


TREES = st.recursive(
    st.sampled_from(["rbf(gamma=0.5)", "linear(coef0=1)", "poly(degree=2)", "matern32()", "periodic()", "constant()",
                     "quadratic()", "basis(number=3)"]).map(Kernel.from_text),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda of: build("kernel", {"name": "sum", "of": of})),
        st.lists(inner, min_size=2, max_size=3).map(lambda of: build("kernel", {"name": "product", "of": of})),
        inner.map(lambda of: build("kernel", {"name": "scale", "factor": 0.5, "of": of})),
        inner.map(lambda of: build("kernel", {"name": "exp", "of": {"name": "scale", "factor": 1e-3, "of": of}})),
        inner.map(lambda of: build("kernel", {"name": "polynomial_of", "of": of})),
        inner.map(lambda of: build("kernel", {"name": "weighted", "of": of})),
        inner.map(lambda of: build("kernel", {"name": "warp", "by": "sine", "of": of})),
    ), max_leaves=4)


@settings(deadline=None, max_examples=60)
@given(TREES)
def test_random_trees(kernel: Kernel) -> None:
    X = inputs(2, 30)
    assert Kernel.from_text(str(kernel)) == kernel
    assert build("kernel", kernel.to_dict()) == kernel
    try:
        k = kernel.bind(X)
    except FitError:  # an exponential of an exponential may overflow, and says so
        assume(False)
    assert k.psd
    assert broken_laws(k, X) == set()
    x, y = np.linspace(-2, 2, 6), np.linspace(-1, 1, 5)
    points = np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
    K = k(points, X)
    assert np.allclose(k.over_grid(X, x, y)(slice(0, 5)).reshape(-1, 30), K, rtol=1e-11, atol=1e-12 * np.max(np.abs(K)))


@pytest.mark.parametrize("key", [key for key, cls in kinds("kernel").items() if issubclass(cls, Isotropic | Periodic)])
def test_distance_kernels_are_numbers_at_any_scale_that_can_be_typed(key: str) -> None:
    X = np.array([[0.0, 0.0], [0.5, -1.0], [1e-9, 0.0]])
    for path, param in build("kernel", {"name": key}).reals():
        for value in (1e-300, 1e-160, 1e-20, 1e20, 1e160, 1e300):
            if not (param.least < value <= param.most):
                continue
            with np.errstate(all="ignore"):
                kernel = build("kernel", {"name": key}).replace(path, value)
                K = kernel(X, X)
            assert np.isfinite(K).all(), (path, value)
            assert np.diagonal(K) == pytest.approx(kernel.diagonal(X), rel=1e-12), (path, value)
