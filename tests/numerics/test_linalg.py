"""Cholesky with a jitter ladder, triangular solves, the test for positive semi-definiteness."""

import numpy as np
import pytest

from kernelplay.numerics.linalg import (
    AT_ONCE,
    COLUMNS,
    NotFinite,
    NotPositiveDefinite,
    cholesky,
    is_psd,
    solve_lower,
    solve_upper,
)


def spd(n, seed=0):
    A = np.random.default_rng(seed).standard_normal((n, n))
    return A @ A.T + n * np.eye(n)


def test_a_regular_matrix_needs_no_jitter():
    A = spd(8)
    factor = cholesky(A)
    assert factor.jitter == 0.0
    np.testing.assert_allclose(factor.L @ factor.L.T, A, rtol=1e-13)


def test_the_jitter_is_reported_as_the_number_that_was_added():
    A = 4.0 * np.ones((5, 5))
    factor = cholesky(A, ladder=(0.0, 1e-3))
    assert factor.jitter == pytest.approx(4e-3)
    np.testing.assert_allclose(factor.L @ factor.L.T, A + 4e-3 * np.eye(5), atol=1e-14)


def test_an_exhausted_ladder_names_the_smallest_eigenvalue():
    with pytest.raises(NotPositiveDefinite) as caught:
        cholesky(np.diag([1.0, -0.5]))
    assert caught.value.eig_min == pytest.approx(-0.5)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("place", [(0, 0), (3, 1)])
def test_what_is_not_finite_is_told_from_what_is_indefinite(bad, place):
    A = spd(4)
    A[place] = A[place[::-1]] = bad
    with pytest.raises(NotFinite):
        cholesky(A)


@pytest.mark.parametrize("columns", [None, 1, COLUMNS + 3])
def test_triangular_solves(columns):
    L = np.linalg.cholesky(spd(7))
    B = np.random.default_rng(1).standard_normal(7 if columns is None else (7, columns))
    np.testing.assert_allclose(L @ solve_lower(L, B), B, atol=1e-12)
    np.testing.assert_allclose(L.T @ solve_upper(L, B), B, atol=1e-12)


def test_check_is_called_for_every_block_of_columns():
    calls = []
    n = int(np.sqrt(AT_ONCE / COLUMNS))
    solve_lower(np.eye(n), np.ones((n, 2 * COLUMNS + 1)), lambda: calls.append(1))
    assert len(calls) == 3


def test_empty_systems():
    assert solve_lower(np.zeros((0, 0)), np.zeros((0, 4))).shape == (0, 4)
    assert cholesky(np.zeros((0, 0))).L.shape == (0, 0)
    assert is_psd(np.zeros((0, 0))) == (True, 0.0, 0.0)


def test_rounding_does_not_make_a_matrix_indefinite_but_a_real_negative_eigenvalue_does():
    v = np.random.default_rng(2).standard_normal((60, 2)) * 100.0
    assert is_psd((v @ v.T) ** 4)[0]
    psd, low, high = is_psd(np.diag([-1e-6, 1.0]))
    assert not psd
    assert (low, high) == (pytest.approx(-1e-6), pytest.approx(1.0))
