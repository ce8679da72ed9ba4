"""The box QP: certified over data, kernels and extreme parameters; warm equals cold; infeasibility is proved."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_kernels import RBF, Cubic, Linear, Matern32, Sigmoid, Times, noisy_wave, svm, svr, two_moons
from sklearn.svm import SVC, SVR

from kernelplay.numerics import box_qp
from kernelplay.numerics.active_set import ActiveSet
from kernelplay.numerics.box_problem import violations
from kernelplay.numerics.box_qp import BOUND, FREE, NotSolved, Problem, certify, solve
from kernelplay.numerics.gram import factorise, from_features, from_matrix

few = settings(deadline=None, max_examples=30)
KERNELS = [RBF(2.0), RBF(0.01), RBF(1e3), Matern32(0.5), Linear(), Cubic(), Times(1e9, RBF(1.0)), Times(1e-9, RBF(1.0))]
seeds = st.integers(0, 10_000)


def assert_optimal(problem, solution):
    """The KKT conditions, written out once more and not by the code under test."""
    K = problem.gram.dense()
    beta, t, e = solution.beta, problem.t, problem.e
    assert (beta >= problem.lower).all() and (beta <= problem.upper).all()
    rounding = 1e-13 * K.diagonal().max() * np.abs(beta).sum()
    if problem.balanced:
        assert abs(beta.sum()) <= 1e-8 * np.abs(beta).sum() + 1e-300
    tolerance = 1e-8 * max(np.abs(t).max(), np.abs(K @ beta + solution.bias).max()) + rounding
    r = t - K @ beta - solution.bias
    for n in range(len(t)):
        if beta[n] > 0.0:
            assert r[n] >= e[n] - tolerance
        if beta[n] < 0.0:
            assert r[n] <= -e[n] + tolerance
        if problem.lower[n] < beta[n] < problem.upper[n] or (beta[n] == 0.0 and problem.lower[n] < problem.upper[n]):
            assert problem.upper[n] <= beta[n] or r[n] <= (e[n] if beta[n] >= 0.0 else -e[n]) + tolerance
            assert problem.lower[n] >= beta[n] or r[n] >= (-e[n] if beta[n] <= 0.0 else e[n]) - tolerance


@few
@given(st.integers(2, 70), seeds, st.sampled_from(KERNELS), st.floats(-6, 10))
def test_svm_is_certified_for_every_kernel_and_extreme_C(n, seed, kernel, log_C):
    if isinstance(kernel, Times) and kernel.factor > 1.0:
        log_C -= 9.0
    X, y = two_moons(n, seed)
    problem = svm(factorise(kernel, X), y, 10.0**log_C)
    solution = solve(problem)
    assert solution.certificate.holds and solution.certificate.primal <= 1e-12
    assert log_C > 4.0 or solution.certificate.worst <= 1e-8, "double precision ends beyond that"
    assert_optimal(problem, solution)


@few
@given(st.integers(2, 70), seeds, st.sampled_from(KERNELS), st.floats(-6, 4), st.sampled_from([0.0, 0.01, 0.1, 0.5]),
       st.floats(-9, 9))
def test_svr_is_certified_over_scales_of_the_targets(n, seed, kernel, log_C, epsilon, log_scale):
    x, t = noisy_wave(n, seed)
    scale = 10.0**log_scale
    # C means the same at every scale of kernel and targets
    C = 10.0**log_C * scale / kernel.diagonal(x).mean()
    problem = svr(factorise(kernel, x), scale * t, C, scale * epsilon)
    solution = solve(problem)
    assert solution.certificate.worst <= 1e-8
    assert_optimal(problem, solution)


@few
@given(st.integers(5, 60), seeds, st.sampled_from([RBF(2.0), Matern32(0.5), Linear()]), st.floats(-2, 3), st.booleans())
def test_a_disturbance_raises_the_certificate(n, seed, kernel, log_C, regression):
    X, y = two_moons(n, seed)
    gram = factorise(kernel, X)
    problem = svr(gram, X[:, 0] ** 2, 10.0**log_C, 0.05) if regression else svm(gram, y, 10.0**log_C)
    solution = solve(problem)
    free = np.flatnonzero(np.abs(solution.state) == FREE)
    used = free if len(free) else np.flatnonzero(solution.beta)
    if not len(used):
        return
    n_th = used[np.argmax(gram.diagonal[used])]
    beta = solution.beta.copy()
    beta[n_th] += 1e-4 * np.abs(beta).max() * (-1.0 if beta[n_th] > 0.0 else 1.0)
    worse = certify(problem, beta, gram.matvec(beta), solution.bias)
    assert worse.worst > max(1e-8, 10.0 * solution.certificate.worst)


@few
@given(seeds, st.sampled_from([30, 150]), st.sampled_from([RBF(2.0), Matern32(0.5), Linear()]), st.floats(-1, 3.5))
def test_warm_equals_cold_along_a_drag_with_slider_moves_additions_and_deletions(seed, n, kernel, log_C):
    rng = np.random.default_rng(seed)
    X, y = two_moons(n, seed)
    C = 10.0**log_C
    gram = factorise(kernel, X, rows=True)
    solution = solve(svm(gram, y, C))
    for step in range(6):
        beta_map = np.arange(len(y))
        if step == 2:
            C *= 1.05
        elif step == 3:
            X, y = np.r_[X, [[0.3, 0.2]]], np.r_[y, 1.0]
            beta_map = np.r_[beta_map, -1]
        elif step == 4:
            keep = np.arange(len(y)) != 1
            X, y, beta_map = X[keep], y[keep], beta_map[keep]
        else:
            X = X.copy()
            X[0] += 0.05 * rng.standard_normal(2)
        gram = factorise(kernel, X, rows=True, like=gram)
        solution = solve(svm(gram, y, C), warm=box_qp.carried(solution, beta_map))
        cold = solve(svm(gram, y, C))
        assert cold.path == "cold"
        scale = max(1.0, np.abs(cold.f0 + cold.bias).max())
        np.testing.assert_allclose(solution.f0, cold.f0, atol=1e-9 * scale + cold.certificate.dual)
        np.testing.assert_allclose(solution.bias_interval, cold.bias_interval, atol=1e-9 * scale)
        assert solution.bias == pytest.approx(cold.bias, abs=1e-9 * scale)


@settings(deadline=None, max_examples=12)
@given(seeds, st.sampled_from([(120, 2.0, 0.05), (450, 2.0, 0.05), (450, 0.05, 0.01)]), st.floats(0, 4))
def test_where_the_problem_is_flat_warm_and_cold_are_as_near_as_their_residuals_prove(seed, flat, log_C):
    # inputs on a grid: many points are nearly interchangeable, and 1e-9 in f is more than double precision can tell.
    # For any two feasible points |f - f'|^2 = (b - b')'K(b - b') <= (residual + residual') sum |b - b'|.
    n, gamma, step = flat
    rng = np.random.default_rng(seed)
    X, y = two_moons(n, seed)
    points = np.unique(np.column_stack([np.round(X / step) * step, y]), axis=0)
    X, y = points[:, :2].copy(), points[:, 2]
    gram = factorise(RBF(gamma), X, rows=True)
    before = solve(svm(gram, y, 10.0**log_C))
    X[rng.integers(len(X))] += step * rng.integers(-2, 3, 2)
    gram = factorise(RBF(gamma), X, rows=True, like=gram)
    problem = svm(gram, y, 10.0**log_C)
    warm, cold = solve(problem, warm=before), solve(problem)
    assert cold.path == "cold"
    change = warm.beta - cold.beta
    rounding = 64 * np.finfo(float).eps * np.abs(cold.beta).sum()
    residual = sum(np.maximum(violations(problem, each.beta, problem.t - each.f0 - each.bias), 0.0).max()
                   for each in (warm, cold))
    allowed = np.sqrt((residual + rounding) * np.abs(change).sum())
    apart = gram.matvec(change)
    assert np.abs(apart).max() <= allowed + rounding
    scale = max(1.0, np.abs(cold.f0 + cold.bias).max())
    assert np.abs(apart + warm.bias - cold.bias).max() <= 1e-9 * scale + 2 * allowed + rounding


def test_a_warm_start_is_used_when_little_changed():
    X, y = two_moons(200, 5)
    gram = factorise(RBF(2.0), X, rows=True)
    first = solve(svm(gram, y, 1.0))
    again = solve(svm(gram, y, 1.05), warm=first)
    assert again.path == "warm" and again.iterations <= 8
    assert again.certificate.worst <= 1e-8


@pytest.mark.parametrize("n", [200, 800])
@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
def test_low_rank_and_dense_agree(n, C):
    X, y = two_moons(n, 1)
    kernel = RBF(0.3)
    low, dense = factorise(kernel, X, tol=1e-12), factorise(kernel, X, tol=0.0)
    assert low.low_rank and not dense.low_rank
    a, b = solve(svm(low, y, C)), solve(svm(dense, y, C))
    # the objectives differ by at most half of beta' (K - LL') beta
    bound = 0.5 * low.trace_error * max(np.square(a.beta).sum(), np.square(b.beta).sum())
    assert abs(a.certificate.objective - b.certificate.objective) <= bound + 1e-9 * abs(b.certificate.objective)
    np.testing.assert_allclose(a.f0 + a.bias, b.f0 + b.bias, atol=1e-5)


def assert_agrees(solution, decision, K, t, epsilon, other, C):
    """scikit-learn keeps its kernel values in single precision: its own KKT residual is the least that can differ."""
    assert solution.certificate.worst <= 1e-10
    beta = np.zeros(len(t))
    beta[other.support_] = other.dual_coef_[0]
    objective = 0.5 * beta @ K @ beta - t @ beta + epsilon * np.abs(beta).sum()
    assert solution.certificate.objective == pytest.approx(objective, rel=1e-6)
    np.testing.assert_allclose(solution.f0 + solution.bias, decision, atol=1e-6 * max(1.0, C))


@pytest.mark.parametrize(("C", "gamma"), [(0.1, 1.0), (1.0, 2.0), (100.0, 2.0)])
def test_agreement_with_scikit_learn_svc(C, gamma):
    X, y = two_moons(150, 2)
    gram = factorise(RBF(gamma), X)
    other = SVC(C=C, gamma=gamma, tol=1e-10).fit(X, y)
    assert_agrees(solve(svm(gram, y, C)), other.decision_function(X), gram.dense(), y, 0.0, other, C)


@pytest.mark.parametrize(("C", "epsilon"), [(0.1, 0.1), (10.0, 0.1), (10.0, 0.0), (100.0, 0.3)])
def test_agreement_with_scikit_learn_svr(C, epsilon):
    x, t = noisy_wave(120, 3)
    gram = factorise(RBF(1.0), x)
    other = SVR(C=C, epsilon=epsilon, gamma=1.0, tol=1e-10).fit(x, t)
    assert_agrees(solve(svr(gram, t, C, epsilon)), other.predict(x), gram.dense(), t, epsilon, other, C)


def test_states_and_bias_of_a_problem_solved_by_hand():
    # svm-bias-when-no-free-vector: alpha = (C, C, 0), every b in [0.5, 0.9] is optimal
    X = np.array([[0.0], [1.0], [5.0]])
    solution = solve(svm(factorise(Linear(), X), np.array([-1.0, 1.0, 1.0]), 0.1))
    assert solution.state.tolist() == [-BOUND, BOUND, 0]
    np.testing.assert_allclose(solution.beta, [-0.1, 0.1, 0.0])
    np.testing.assert_allclose(solution.bias_interval, [0.5, 0.9])
    assert solution.bias == pytest.approx(0.7)


def test_one_class_only_leaves_the_bias_open_to_one_side():
    solution = solve(svm(factorise(RBF(), np.array([[0.0], [1.0]])), np.ones(2), 1.0))
    assert solution.bias_interval == (1.0, np.inf) and solution.bias == 1.0
    assert not solution.beta.any()


@pytest.mark.parametrize(("epsilon", "interval"), [(2.0, (2.0, 3.0)), (1.5, (2.5, 2.5))])
@pytest.mark.parametrize("C", [10.0, np.inf])
def test_a_tube_wider_than_the_data_has_no_support_vector(epsilon, interval, C):
    x = np.array([[0.0], [1.0], [2.0]])
    solution = solve(svr(factorise(RBF(), x), np.array([1.0, 2.0, 4.0]), C, epsilon))
    assert not solution.beta.any() and not solution.state.any()
    assert solution.bias_interval == interval and solution.bias == 2.5


def test_no_points():
    solution = solve(svm(factorise(RBF(), np.zeros((0, 2))), np.zeros(0), 1.0))
    assert solution.beta.shape == (0,)


@few
@given(st.integers(6, 60), seeds)
def test_duplicates_and_contradictions_are_fine_with_slack(n, seed):
    X, y = two_moons(n, seed)
    X, y = np.repeat(X, 3, axis=0), np.repeat(y, 3)
    y[::4] *= -1.0
    for kernel in (RBF(2.0), Linear()):
        problem = svm(factorise(kernel, X), y, 10.0)
        assert_optimal(problem, solve(problem))


def assert_proof(problem, features, farkas):
    ray = farkas.ray
    assert np.abs(ray).max() == pytest.approx(1.0)
    assert not (ray[np.isfinite(problem.upper)] > 0.0).any()
    assert not (ray[np.isfinite(problem.lower)] < 0.0).any()
    weight = np.abs(ray) @ np.linalg.norm(features, axis=1)
    assert np.linalg.norm(ray @ features) <= 1e-10 * weight
    if problem.balanced:
        assert abs(ray.sum()) <= 1e-10 * np.abs(ray).sum()
    growth = problem.t @ ray - problem.e @ np.abs(ray)
    assert growth == pytest.approx(farkas.growth) and growth > 0.0


@few
@given(st.integers(4, 40), st.integers(1, 3), seeds, st.floats(-6, 6), st.booleans())
def test_hard_margin_is_solved_or_proved_infeasible(n, d, seed, log_scale, separable):
    rng = np.random.default_rng(seed)
    X = 10.0**log_scale * rng.standard_normal((n, d))
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    if separable:
        side = X @ rng.standard_normal(d)
        y = np.where(side > np.median(side), 1.0, -1.0)
    problem = svm(factorise(Linear(), X), y, np.inf)
    solution = solve(problem)
    if solution.infeasible is not None:
        assert not separable
        assert_proof(problem, X, solution.infeasible)
        # as few points as Helly's and Kirchberger's theorems promise
        assert np.count_nonzero(solution.infeasible.ray) <= d + 2
        return
    # feasible: every margin is kept, which is its own proof
    assert (y * (X @ (X.T @ solution.beta) + solution.bias)).min() >= 1.0 - 1e-6
    assert_optimal(problem, solution)


def test_classes_apart_by_a_hair():
    X = np.array([[0.25, 0.5], [0.2500009536743164, 0.5], [-3.0, 1.0], [4.0, 0.2]])
    y = np.array([-1.0, 1.0, -1.0, 1.0])
    solution = solve(svm(factorise(Linear(), X), y, np.inf))
    assert solution.infeasible is None
    np.testing.assert_allclose(X.T @ solution.beta, [2097152.0, 0.0], rtol=1e-6, atol=1.0)
    assert solution.bias == pytest.approx(-524289.0, rel=1e-6)
    np.testing.assert_allclose(np.abs(solution.beta), [2.0**41, 2.0**41, 0.0, 0.0], rtol=1e-6)


def test_xor_is_infeasible_on_a_line_and_not_with_an_rbf():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    y = np.array([-1.0, -1.0, 1.0, 1.0])
    problem = svm(factorise(Linear(), X), y, np.inf)
    assert_proof(problem, X, solve(problem).infeasible)
    solution = solve(svm(factorise(RBF(1.0), X), y, np.inf))
    np.testing.assert_allclose(np.abs(solution.beta), 2.50265030107712)
    assert solution.bias == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("kernel", [RBF(3.0), Linear(), Matern32()])
def test_equal_points_of_opposite_class_contradict_each_other_without_slack(kernel):
    X, y = two_moons(20, 4)
    X, y = np.r_[X, X[:1]], np.r_[y, -y[0]]
    problem = svm(factorise(kernel, X), y, np.inf)
    farkas = solve(problem).infeasible
    assert sorted(np.flatnonzero(farkas.ray)) == [0, 20]
    assert farkas.residual == 0.0 and farkas.growth == 2.0


def test_hard_tube():
    x = np.array([[0.0], [1.0], [2.0]])
    t = np.array([0.0, 1.0, 0.0])
    # a line within 0.5 of all three exists (the flat one at 0.5), within 0.4 none does
    problem = svr(factorise(Linear(), x), t, np.inf, 0.4)
    farkas = solve(problem).infeasible
    assert_proof(problem, x, farkas)
    assert farkas.growth == pytest.approx(1.0 - 0.4 * 2.0)
    t = np.array([0.0, 1.0, 1.9])
    solution = solve(svr(factorise(Linear(), x), t, np.inf, 0.1))
    assert solution.infeasible is None
    assert np.abs(t - solution.f0 - solution.bias).max() <= 0.1 + 1e-12
    # the flattest line in the tube rises from the top of the first to the bottom of the last: 0.1 to 1.8
    assert (x.T @ solution.beta)[0] == pytest.approx(0.85)


@few
@given(st.integers(4, 40), seeds, st.booleans())
def test_the_perceptron_margin_through_the_origin(n, seed, flip):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    u = np.array([0.6, 0.8])
    y = np.where(X @ u > 0.0, 1.0, -1.0)
    X = X + 0.2 * y[:, None] * u
    if flip:
        X, y = np.r_[X, X[:1]], np.r_[y, -y[0]]
    problem = Problem(factorise(Linear(), X), y, np.zeros(len(y)), np.where(y > 0, 0.0, -np.inf),
                      np.where(y > 0, np.inf, 0.0), balanced=False)
    solution = solve(problem)
    if flip:
        assert_proof(problem, X, solution.infeasible)
        return
    w = X.T @ solution.beta
    margin = (y * (X @ w)).min() / np.linalg.norm(w)
    assert (y * (X @ w)).min() == pytest.approx(1.0, abs=1e-9)
    # no direction on a fine circle does better
    angle = np.linspace(0.0, 2.0 * np.pi, 20_001)
    best = (y * (np.c_[np.cos(angle), np.sin(angle)] @ X.T)).min(axis=1).max()
    assert margin >= best - 1e-12
    assert margin == pytest.approx(best, abs=2.0 * np.pi / 20_000 * np.linalg.norm(X, axis=1).max())


@pytest.mark.parametrize("kernel", [RBF(2.0), Linear()])
@pytest.mark.parametrize("C", [1.0, 1e4])
def test_the_interior_point_method_reaches_the_same_answer(kernel, C, monkeypatch):
    X, y = two_moons(150, 6)
    problem = svm(factorise(kernel, X), y, C)
    direct = solve(problem)
    monkeypatch.setattr(box_qp.Descent, "run", lambda self, sparse=0.0: None)
    solution = solve(problem)
    assert solution.certificate.worst <= 1e-8
    np.testing.assert_allclose(solution.f0 + solution.bias, direct.f0 + direct.bias, atol=1e-7)
    x, t = noisy_wave(80, 6)
    monkeypatch.undo()
    problem = svr(factorise(RBF(1.0), x), t, 10.0, 0.1)
    direct = solve(problem)
    monkeypatch.setattr(box_qp.Descent, "run", lambda self, sparse=0.0: None)
    np.testing.assert_allclose(solve(problem).f0, direct.f0, atol=1e-7)


def test_what_no_method_solves_is_raised_with_what_was_reached(monkeypatch):
    X, y = two_moons(40, 7)
    monkeypatch.setattr(ActiveSet, "settle", lambda *args, **kwargs: None)
    with pytest.raises(NotSolved):
        solve(svm(factorise(RBF(), X), y, 1.0))


def test_a_wrong_warm_start_does_no_harm():
    X, y = two_moons(60, 8)
    gram = factorise(RBF(2.0), X)
    right = solve(svm(gram, y, 1.0))
    wrong = solve(svm(gram, -y, 50.0))
    np.testing.assert_allclose(solve(svm(gram, y, 1.0), warm=wrong).f0, right.f0, atol=1e-9)


def test_check_interrupts_the_solver():
    class Stop(Exception):
        pass

    X, y = two_moons(150, 9)
    gram = factorise(RBF(2.0), X)
    first = solve(svm(gram, y, 1.0))
    for warm in (None, first):
        left = 3 if warm is None else 0

        def check():
            nonlocal left
            left -= 1
            if left < 0:
                raise Stop

        with pytest.raises(Stop):
            solve(svm(gram, y, 1.1), warm=warm, check=check)


def sklearn_objective(gram, y, C, kernel, X):
    other = SVC(C=C, kernel="sigmoid", gamma=kernel.gamma, coef0=kernel.coef0, tol=1e-8, max_iter=100_000).fit(X, y)
    beta = np.zeros(len(y))
    beta[other.support_] = other.dual_coef_[0]
    return 0.5 * beta @ gram.dense() @ beta - y @ beta


@few
@given(st.integers(8, 90), seeds, st.floats(-1, 0.7), st.sampled_from([-1.0, 0.0, 1.0]), st.floats(-1, 3))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_an_indefinite_kernel_gets_a_stationary_point_no_worse_than_scikit_learns(n, seed, log_gamma, coef0, log_C):
    X, y = two_moons(n, seed)
    kernel = Sigmoid(10.0**log_gamma, coef0)
    C = 10.0**log_C
    gram = factorise(kernel, X)
    problem = svm(gram, y, C)
    solution = solve(problem)
    assert solution.certificate.worst <= 1e-8
    eig_min = np.linalg.eigvalsh(gram.K)[0]
    if eig_min < -1e-8 * np.abs(gram.K).max():
        assert solution.stationary and solution.eig_min == pytest.approx(eig_min)
    assert_optimal(problem, solution)
    other = sklearn_objective(gram, y, C, kernel, X)
    assert solution.certificate.objective <= other + 1e-7 * abs(other)


def test_ten_thousand_points_are_solved_without_a_square_matrix():
    X, y = two_moons(10_000, 10)
    gram = factorise(RBF(2.0), X, rows=True)
    assert gram.low_rank
    solution = solve(svm(gram, y, 1.0))
    assert solution.certificate.worst <= 1e-8
    r = y - gram.matvec(solution.beta) - solution.bias
    primal = 0.5 * solution.beta @ solution.f0 + np.maximum(0.0, y * r).sum()
    assert primal + solution.certificate.objective <= 1e-8 * primal


def test_more_free_variables_than_dimensions():
    # twelve copies of three points on the margins: K_FF has rank two, the free set twelve members
    X = np.repeat([[0.0, 0.0], [2.0, 0.0], [1.0, 1.0]], 4, axis=0)
    y = np.repeat([-1.0, 1.0, 1.0], 4)
    problem = svm(from_features(X), y, 10.0)
    assert_optimal(problem, solve(problem))


@pytest.mark.parametrize("features", [0.0, 1.0, 1e9])
@pytest.mark.parametrize("C", [1e-6, 1.0, 1e6])
def test_a_kernel_to_which_all_points_are_the_same_is_answered(features, C):
    rng = np.random.default_rng(3)
    y = np.where(rng.random(40) < 0.4, 1.0, -1.0)
    alike = from_features(np.full((40, 1), features))
    solution = solve(svm(alike, y, C))
    assert solution.certificate.worst <= 1e-12
    # the fewer points of the rarer class are all at their bound, and their opponents balance them
    assert np.allclose(solution.beta[y > 0], C, rtol=1e-12)
    assert np.isclose(-solution.beta[y < 0].sum(), C * (y > 0).sum())
    assert solution.bias + solution.f0[0] == pytest.approx(-1.0, abs=1e-9)
    targets = rng.standard_normal(40)
    flat = solve(svr(alike, targets, C, 0.1))
    low, high = (np.sum(np.maximum(np.abs(targets - flat.bias - flat.f0[0] - step) - 0.1, 0)) for step in (-1e-3, 1e-3))
    assert np.sum(np.maximum(np.abs(targets - flat.bias - flat.f0[0]) - 0.1, 0)) <= min(low, high)


@pytest.mark.parametrize("C", [1e-6, 1e-4])
def test_a_tiny_box_leaves_no_multiplier_a_hair_short_of_its_end(C):
    for seed in range(12):
        X, y = two_moons(40, seed)
        y[: 2] = 1.0, -1.0
        y = np.where(np.argsort(np.argsort(y + 1e-3 * X[:, 0])) < 20, -1.0, 1.0)
        solution = solve(svm(factorise(RBF(2.0), X), y, C))
        # twenty of each class: all are at their bound, and the bias is open
        assert (np.abs(solution.state) == BOUND).all()
        low, high = solution.bias_interval
        assert high - low > 1.0


def test_random_labels_on_a_line_without_slack_end_in_an_answer_or_in_not_solved():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((90, 1)), np.where(rng.random(90) < 0.5, 1.0, -1.0)
    for rows in (True, False):
        try:
            assert solve(svm(factorise(Times(1e6, RBF(1.0)), X, rows=rows), y, np.inf)).certificate.holds
        except NotSolved as error:
            assert not error.certificate.holds


def test_handed_on_rows_are_those_of_the_moved_point():
    X, _ = two_moons(300, 4)
    kernel = RBF(2.0)
    first = factorise(kernel, X, rows=True)
    first.rows(np.arange(0, 300, 3))
    moved = X.copy()
    moved[[0, 1]] += 0.1
    second = factorise(kernel, moved, rows=True, like=first)
    np.testing.assert_array_equal(second.rows(np.array([0, 1, 3, 7])), kernel(moved[[0, 1, 3, 7]], moved))
    np.testing.assert_array_equal(first.rows(np.array([0, 3, 7])), kernel(X[[0, 3, 7]], X))
    v = np.random.default_rng(0).standard_normal(300)
    v[::4] = 0.0
    np.testing.assert_allclose(second.matvec(v), kernel(moved, moved) @ v, atol=1e-12)


def test_an_excursion_along_equal_inputs_leaves_no_rounding_error_behind():
    x, t = noisy_wave(60, 5)
    x[1], t[1] = x[0], t[0] + 0.5
    gram = factorise(Matern32(0.5), x, tol=0.0)
    problem = svr(gram, t, 0.4, 0.1)
    solution = solve(problem)
    # both of the equal inputs free: their equations contradict each other, and are solved far outside the box
    start = solution.beta.copy()
    start[:2] = 0.2, 0.1
    settled = ActiveSet(problem, lambda: None).settle(start, 10)
    assert settled is not None
    np.testing.assert_allclose(settled.f0, gram.dense() @ settled.beta, atol=1e-12)
    np.testing.assert_allclose(settled.beta, solution.beta, atol=1e-9)


def test_products_beyond_the_range_of_a_float_are_not_solved_rather_than_a_fault() -> None:
    X = 1e99 * np.random.default_rng(0).normal(size=(20, 2))
    with np.errstate(all="ignore"):
        K = (X @ X.T) ** 2
        problem = Problem(from_matrix(K, psd=True), np.linspace(-1, 1, 20), np.full(20, 0.1), np.full(20, -1.0),
                          np.ones(20))
        with pytest.raises(NotSolved):
            solve(problem)
