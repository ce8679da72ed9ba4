"""What holds for very many points: matrices stay as small as the rank, and the check that stops work comes often."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernelplay.api import kernel
from kernelplay.numerics import box_qp, faces, gram
from kernelplay.numerics.active_set import CROWD, ActiveSet
from kernelplay.numerics.box_problem import Problem
from kernelplay.numerics.corrected import Squares
from kernelplay.numerics.faces import FreeSet, LowRankFace
from kernelplay.numerics.linalg import nothing


def overlapping(n: int, rank: int, C: float = 1.0, seed: int = 0) -> Problem:
    """Return a soft-margin SVM of two classes that overlap, over `rank` random features."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, 2)), np.where(rng.uniform(size=n) < 0.5, 1.0, -1.0)
    X[:, 0] += 0.5 * y
    Phi = np.cos(X @ rng.standard_normal((2, rank)) + rng.uniform(0, 6.3, rank)) * np.sqrt(2.0 / rank)
    upper = np.where(y > 0, C, 0.0)
    return Problem(gram.from_features(Phi), y, np.zeros(n), upper - C, upper)


def test_a_newton_step_over_many_points_is_that_of_the_whole_and_checks_after_each_block(
        monkeypatch: pytest.MonkeyPatch) -> None:
    problem = overlapping(900, 40)
    checks: list[int] = []

    def step(block: int) -> Any:
        monkeypatch.setattr(faces, "BLOCK", block)
        checks.clear()
        face = LowRankFace(problem, lambda: checks.append(1))
        F = np.arange(0, 900, 2)
        bounded = np.where(np.arange(900) % 2, problem.upper + problem.lower, 0.0)
        return face.newton(F, bounded, problem.t[F], 0.01)

    whole, in_blocks = step(4096), step(64)
    assert len(checks) >= 450 // 64
    np.testing.assert_allclose(in_blocks.f0, whole.f0, atol=1e-10)
    assert in_blocks.bias == pytest.approx(whole.bias, abs=1e-10)


def test_a_free_set_far_beyond_the_rank_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    n = CROWD + 200
    problem = overlapping(n, 30)
    work = ActiveSet(problem, nothing)
    beta = 0.5 * (problem.lower + problem.upper)  # all of them strictly inside their boxes

    def refuse(self: FreeSet, A: np.ndarray, sigma: float, balanced: bool) -> None:
        raise AssertionError(f"a matrix of {len(A)} rows")

    monkeypatch.setattr(FreeSet, "__init__", refuse)
    assert work.settle(beta, 4) is None
    assert work.settle(beta, 4, careful=True) is None


@pytest.mark.parametrize(("n", "rank", "C"), [(3000, 60, 1.0), (3000, 60, 100.0), (6000, 200, 1.0)])
def test_many_overlapping_points_are_solved_in_few_steps(n: int, rank: int, C: float) -> None:
    solution = box_qp.solve(overlapping(n, rank, C))
    assert solution.certificate.holds and solution.path == "cold"
    assert solution.iterations < 250, "the descent got there, and not what is tried when it does not"


def test_a_fit_that_is_called_off_ends_at_the_next_check() -> None:
    class Off(Exception):
        pass

    problem, left = overlapping(3000, 60), [40]

    def check() -> None:
        assert left[0] >= 0, "it went on"
        left[0] -= 1
        if left[0] < 0:
            raise Off

    with pytest.raises(Off):
        box_qp.solve(problem, check=check)
    assert left[0] == -1


def test_the_squares_of_a_changing_free_set_are_those_of_the_rows_in_it() -> None:
    rng = np.random.default_rng(1)
    L = rng.standard_normal((700, 9))
    squares, inside = Squares(L, nothing), rng.uniform(size=700) < 0.5
    for step in range(40):
        inside[rng.integers(0, 700, 700 if step % 10 == 9 else 12)] ^= True
        rank = 5 if step < 20 else 9
        F = np.flatnonzero(inside)
        np.testing.assert_allclose(squares(F, rank), L[F, :rank].T @ L[F, :rank], atol=1e-10)


def test_the_first_columns_of_a_factor_are_enough_for_the_first_steps_and_all_of_them_count_at_the_end(
        monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    n, C = 4500, 1.0
    X, y = rng.standard_normal((n, 2)), np.where(rng.uniform(size=n) < 0.5, 1.0, -1.0)
    X[:, 0] += 0.5 * y
    upper = np.where(y > 0, C, 0.0)
    problem = Problem(gram.factorise(kernel("rbf", gamma=2.0), X, rows=True), y, np.zeros(n), upper - C, upper)
    assert problem.gram.low_rank
    ranks: list[int] = []
    plain = Squares.__call__

    def noted(self: Squares, F: Any, rank: int) -> Any:
        ranks.append(rank)
        return plain(self, F, rank)

    monkeypatch.setattr(Squares, "__call__", noted)
    solution = box_qp.solve(problem)
    assert min(ranks) < problem.gram.rank // 2 and ranks == sorted(ranks)
    monkeypatch.setattr(faces, "CROWDED", n)
    whole = box_qp.solve(problem)
    assert solution.certificate.holds and whole.certificate.holds and solution.iterations < 250
    assert solution.certificate.objective == pytest.approx(whole.certificate.objective, rel=1e-12)
    np.testing.assert_allclose(solution.f0 + solution.bias, whole.f0 + whole.bias, atol=1e-7)
