"""The Gram factor: low rank equals dense to its stated error, and so does everything computed from it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_kernels import RBF, Cubic, Linear, Matern32, Sigmoid, Times

from kernelplay.numerics.gram import TooLarge, factorise, from_features, from_matrix
from kernelplay.numerics.linalg import NotPositiveDefinite

few = settings(deadline=None, max_examples=25)
seeds = st.integers(0, 99)


def points(n, d, seed, spread=3.0):
    return np.random.default_rng(seed).uniform(-spread, spread, (n, d))


@few
@given(st.integers(130, 400), st.integers(1, 2), st.floats(0.01, 3.0), st.sampled_from([1e-12, 1e-8, 1e-4]), seeds)
def test_low_rank_equals_dense_to_its_stated_error(n, d, gamma, tol, seed):
    X = points(n, d, seed)
    kernel = RBF(gamma)
    gram = factorise(kernel, X, tol=tol)
    K = kernel(X, X)
    if not gram.low_rank:
        np.testing.assert_array_equal(gram.K, K)
        return
    rest = K - gram.L @ gram.L.T
    rounding = 1e-14 * n
    assert np.trace(rest) == pytest.approx(gram.trace_error, abs=rounding)
    assert gram.trace_error <= tol * n
    # the rest is positive semi-definite, so its trace bounds every entry
    assert np.abs(rest).max() <= gram.trace_error + rounding
    assert np.linalg.eigvalsh(rest)[0] >= -rounding
    np.testing.assert_array_equal(np.triu(gram.corner, 1), 0.0)


def test_a_rough_kernel_stays_dense_and_a_smooth_one_does_not():
    X = points(400, 2, 0)
    assert not factorise(Matern32(0.1), X).low_rank
    assert factorise(RBF(0.1), X).low_rank


def test_explicit_features_are_exact_far_from_the_origin_and_for_few_points():
    X = 1e6 + points(30, 2, 1)
    gram = factorise(Linear(), X)
    assert gram.low_rank and gram.rank == 2
    np.testing.assert_allclose(gram.L @ gram.L.T, X @ X.T, rtol=1e-14)
    # differences of a hair survive in the factor although the products have lost them
    X = np.array([[0.25, 0.5], [0.25 + 2.0**-30, 0.5], [-3.0, 1.0], [4.0, 0.2]])
    L = factorise(Linear(), X).L
    assert np.linalg.norm(L[0] - L[1]) == pytest.approx(2.0**-30, rel=1e-5)


def test_collinear_features_lose_their_rank():
    assert factorise(Linear(), np.outer(np.arange(9.0), [1.0, 3.0])).rank == 1
    assert from_features(np.zeros((5, 2))).rank == 0


@pytest.mark.parametrize("kernel", [RBF(0.05), Times(100.0, RBF(0.05)), Linear()])
@pytest.mark.parametrize("noise", [0.1, 1e-5])
def test_the_shifted_system_agrees_with_the_dense_one(kernel, noise):
    rng = np.random.default_rng(3)
    X = points(200, 2, 3)
    d = noise * rng.uniform(0.5, 2.0, 200)
    low, dense = factorise(kernel, X).shifted(d), factorise(kernel, X, tol=0.0).shifted(d)
    assert low.gram.low_rank and not dense.gram.low_rank
    C = kernel(X, X) + np.diag(d)
    b = rng.standard_normal((200, 3))
    for shifted in (low, dense):
        x = shifted.solve(b)
        assert np.abs(C @ x - b).max() <= 1e-7 + (1e-12 + shifted.gram.trace_error) * np.abs(x).max()
        np.testing.assert_allclose(shifted.solve(b[:, 0]), x[:, 0], rtol=1e-6, atol=1e-9 * np.abs(x).max())
    assert low.logdet == pytest.approx(np.linalg.slogdet(C)[1], abs=1e-6 + low.gram.trace_error / d.min())
    np.testing.assert_allclose(low.inverse_diagonal(), dense.inverse_diagonal(), rtol=1e-2 if noise < 1e-4 else 1e-6)
    Z = points(60, 2, 4)
    K_zz = kernel.diagonal(Z)
    K_zx = kernel(Z, X)
    exact = K_zz - np.einsum("ij,ji->i", K_zx, np.linalg.solve(C, K_zx.T))
    scale = kernel.diagonal(X).max()
    for shifted in (low, dense):
        K_zp = kernel(Z, shifted.gram.landmarks)
        np.testing.assert_allclose(K_zz - shifted.quad(K_zp), exact, atol=1e-6 * scale)
        np.testing.assert_allclose(shifted.variance(K_zp, K_zz), exact, atol=1e-6 * scale)


def test_variance_with_almost_no_noise_is_tiny_and_never_negative():
    X = np.linspace(0.0, 1.0, 200)[:, None]
    kernel = RBF(0.5)
    for tol in (1e-12, 0.0):
        shifted = factorise(kernel, X, tol=tol).shifted(1e-8)
        Z = np.linspace(0.0, 1.0, 50)[:, None]
        variance = shifted.variance(kernel(Z, shifted.gram.landmarks), np.ones(50))
        assert (variance >= 0.0).all() and variance.max() <= 1e-7


def test_a_steep_low_rank_system_is_solved_to_a_small_residual():
    X = points(300, 1, 5)
    kernel = RBF(1.0)
    gram = factorise(kernel, X)
    shifted = gram.shifted(1e-9)
    b = gram.matvec(np.random.default_rng(5).standard_normal(300))
    x = shifted.solve(b)
    assert np.abs(gram.matvec(x) + 1e-9 * x - b).max() <= 1e-9 * np.abs(b).max()
    expected = np.linalg.slogdet(gram.L @ gram.L.T + 1e-9 * np.eye(300))[1]
    assert shifted.logdet == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("tol", [1e-12, 0.0])
def test_the_complex_step_derivative_of_the_factored_problem(tol):
    X = points(200, 1, 6)
    h = 1e-30
    d = 0.05
    gram = factorise(RBF(0.7), X, tol=tol)
    shifted = gram.shifted(d)
    dK = np.imag(RBF(0.7 + 1j * h)(X, gram.landmarks)) / h
    step = 1e-5

    def again(gamma):
        if not gram.low_rank:
            return factorise(RBF(gamma), X, tol=0.0)
        # the same landmarks, so that the difference quotient is that of the same function
        P = gram.landmarks
        L = np.linalg.solve(np.linalg.cholesky(RBF(gamma)(P, P)), RBF(gamma)(P, X)).T
        return from_features(L)

    up, down = again(0.7 + step), again(0.7 - step)
    slope = (up.shifted(d).logdet - down.shifted(d).logdet) / (2.0 * step)
    assert shifted.trace_with(dK) == pytest.approx(slope, rel=1e-5)
    v = np.sin(X[:, 0])
    difference = (up.matvec(v) - down.matvec(v)) / (2.0 * step)
    np.testing.assert_allclose(gram.derivative_matvec(dK, v), difference, atol=1e-5 * np.abs(difference).max())


@few
@given(st.sampled_from([RBF(1.0), RBF(8.0), Cubic(), Linear()]), st.sampled_from([60, 300]), st.booleans(), seeds)
def test_a_factor_that_grew_from_a_nearby_one_is_the_factor(kernel, n, rows, seed):
    rng = np.random.default_rng(seed)
    X = points(n, 2, seed)
    gram = factorise(kernel, X, rows=rows)
    assert factorise(kernel, X.copy(), rows=rows, like=gram) is gram
    for _ in range(3):
        X = X.copy()
        X[rng.integers(n, size=2)] += 0.05 * rng.standard_normal((2, 2))
        gram = factorise(kernel, X, rows=rows, like=gram)
        idx = rng.integers(n, size=4)
        K = kernel(X, X)
        np.testing.assert_allclose(gram.rows(idx), K[idx], atol=gram.trace_error + 1e-12 * K.max())
    if isinstance(kernel, RBF):
        other = RBF(1.05 * kernel.gamma)
        gram = factorise(other, X, rows=rows, like=gram)
        np.testing.assert_allclose(gram.dense(), other(X, X), atol=gram.trace_error + 1e-12)
    gram = factorise(kernel, X[1:], rows=rows, like=gram)
    np.testing.assert_allclose(gram.dense(), kernel(X[1:], X[1:]), atol=gram.trace_error + 1e-12 * K.max())


def test_the_old_factor_still_answers_after_its_rows_were_handed_on():
    X = points(40, 2, 7)
    old = factorise(RBF(), X)
    factorise(RBF(2.0), X, like=old)
    np.testing.assert_array_equal(old.rows(np.array([3])), RBF()(X, X)[[3]])
    np.testing.assert_array_equal(old.K, RBF()(X, X))


def test_matvec_rows_blocks_and_subsets():
    X = points(150, 2, 8)
    v = np.zeros(150)
    v[[3, 70]] = 1.0, -2.0
    for gram in (factorise(RBF(0.2), X), factorise(RBF(0.2), X, tol=0.0, rows=True), from_matrix(RBF(0.2)(X, X))):
        K = RBF(0.2)(X, X)
        np.testing.assert_allclose(gram.matvec(v), K @ v, atol=1e-9)
        i, j = np.array([5, 1]), np.array([7, 9, 2])
        np.testing.assert_allclose(gram.block(i, j), K[np.ix_(i, j)], atol=1e-9)
        np.testing.assert_allclose(gram.rows(i), K[i], atol=1e-9)
        np.testing.assert_allclose(gram.subset(j).dense(), K[np.ix_(j, j)], atol=1e-9)


def test_no_dense_matrix_where_it_would_be_too_large():
    X = points(5000, 2, 9)
    gram = factorise(RBF(1.0), X)
    assert gram.low_rank and gram.relative_error <= 1e-12
    with pytest.raises(TooLarge):
        factorise(Sigmoid(), X)
    with pytest.raises(TooLarge):
        factorise(RBF(), X, tol=0.0)


def test_check_interrupts_the_factor():
    class Stop(Exception):
        pass

    def check():
        raise Stop

    with pytest.raises(Stop):
        factorise(RBF(), points(300, 2, 0), check=check)
    with pytest.raises(Stop):
        factorise(Linear(), points(300, 2, 0), check=check)


def test_an_indefinite_matrix_with_a_small_shift_is_refused():
    with pytest.raises(NotPositiveDefinite):
        from_matrix(np.array([[1.0, 3.0], [3.0, 1.0]])).shifted(0.1)


def test_the_empty_gram():
    gram = factorise(RBF(), np.zeros((0, 2)))
    assert gram.n == 0 and gram.matvec(np.zeros(0)).shape == (0,)
    assert gram.shifted(1.0).logdet == 0.0
