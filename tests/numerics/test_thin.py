"""The one-go factor over one input: to rounding, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from kernelplay.errors import Cancelled
from kernelplay.numerics.thin import thin
from kernelplay.spec import build


@pytest.mark.parametrize("n", [30, 100, 101, 1500])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_it_is_the_matrix_to_rounding(n: int, shift: float) -> None:
    random = np.random.default_rng(n)
    X = random.permutation(random.uniform(-2, 2, n))[:, None] + shift
    X[n // 2] = X[0]
    kernel = build("kernel", {"name": "scale", "factor": 7.0, "of": {"name": "rbf", "gamma": 0.8}})
    gram = thin(kernel, X)
    assert gram is not None and gram.rank < 30 and gram.low_rank
    K = kernel(X, X)
    assert np.abs(gram.L @ gram.L.T - K).max() < 1e-13 * n
    assert gram.L[gram.landmark_rows] == pytest.approx(gram.corner, abs=1e-15)
    assert (np.triu(gram.corner, 1) == 0).all() and (gram.landmarks == X[gram.landmark_rows]).all()
    assert 0 <= gram.trace_error < 1e-14 * np.trace(K)
    assert gram.project(kernel(X, gram.landmarks)) == pytest.approx(gram.L, abs=1e-6)


@pytest.mark.parametrize("kernel", [{"name": "matern32"}, {"name": "rbf", "gamma": 3000.0},
                                    {"name": "scale", "factor": 0.0, "of": {"name": "rbf"}}])
def test_a_kernel_that_few_points_do_not_span_is_left_to_others(kernel: dict[str, object]) -> None:
    X = np.random.default_rng(0).uniform(-2, 2, 300)[:, None]
    assert thin(build("kernel", kernel), X) is None


def test_a_hole_between_the_candidates_is_seen() -> None:
    # all even ranks are in one heap, the last point is far away between two of them
    X = np.concatenate([np.linspace(0, 1e-3, 500), [5.0], np.linspace(10, 10.001, 500)])[:, None]
    kernel = build("kernel", {"name": "rbf", "gamma": 2.0})
    gram = thin(kernel, X)
    assert gram is None or np.abs(gram.L @ gram.L.T - kernel(X, X)).max() < 1e-12


def test_check_stops_it() -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        thin(build("kernel", {"name": "rbf"}), np.zeros((5, 1)), stop)
