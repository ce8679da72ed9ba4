"""A fit as a script for NumPy alone, which solves the problem itself and prints the readouts and predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say
from kernelplay.kernels.written import literal
from kernelplay.models.base import Fit
from kernelplay.scripts.perceptron_script import perceptron
from kernelplay.scripts.solver import bias, solver
from kernelplay.scripts.source import (
    EPS,
    FINE,
    SHOW,
    array,
    blocks,
    centred,
    comment,
    data,
    distinct,
    given_offset,
    header,
    kernel_source,
    loss,
    offset,
    places_source,
    rounding,
    seen_kernel,
    shown,
)

MOST = 1200  # multipliers up to which the script solves for them
LEAST_SHARE, LARGEST_SHARE = 1e-8, 1e20  # of C times the kernel in the slopes at 0

SIGMOID = '''
def sigmoid(a):
    return np.exp(-np.logaddexp(0, -a))
'''


def numpy_script(fit: Fit, title: str = "", classes: Mapping[Any, str] | None = None,
                 columns: Sequence[str] = ()) -> str:
    """Return the script; raises SpecError with a sentence for a model or kernel that cannot be written down.

    title: of the scene; classes: names of the labels; columns: of the inputs and, of a regression, of the target. The
    comments are in the language now in use, the rest is not translated.
    """
    writers = {"svm": _several if len(fit.labels) > 2 else _svm, "svr": _svr, "krr": _krr, "gpr": _gpr, "gpc": _gpc,
               "perceptron": perceptron}
    body = writers[fit.model.key](fit) if fit.model.key in writers else fit.code("numpy")
    if body is None:
        raise SpecError(say("The model {name} cannot be exported as a script.", name=type(fit.model).label))
    return blocks(header(fit, say("This script needs only NumPy."), title), "import numpy as np",
                  data(fit, classes or {}, columns), *body, places_source(fit.X), shown(
                      ("decision_function", "f(X)"), ("decision_function_grid", "f(Z)")), *_more(fit))


def _more(fit: Fit) -> tuple[str, ...]:
    """Return what is printed of a model beside f."""
    if fit.model.key == "gpr":
        return (shown(("latent_std", "np.sqrt(latent_variance(X))"), ("latent_std_grid", "np.sqrt(latent_variance(Z))"),
                      ("predictive_std_grid", "np.sqrt(latent_variance(Z) + noise_var)")),)
    if fit.model.key == "gpc":
        return (shown(("probability", "p(X)"), ("probability_grid", "p(Z)"),
                      ("latent_std_grid", "np.sqrt(latent_variance(Z))")),)
    if fit.model.key == "svm" and len(fit.labels) > 2:
        return (shown(("predicted", "predict(X)"), ("predicted_grid", "predict(Z)")),)
    return ()


def _penalty(model: Any) -> str:
    if model.margin == "hard":
        said = say("The hard margin allows no slack: there is no upper bound on the multipliers.")
        return f"{comment(said)}\nC = np.inf"
    return f"C = {literal(model.C)}"


def solvable(fit: Any, count: int) -> Say | None:
    """Return None where the script finds the `count` multipliers itself, else why it does not."""
    if count > MOST:
        return say("{n} multipliers are too many for the short solver of this script: their values are given below, "
                   "and the optimality conditions are checked.", n=count)
    if fit.indefinite is not None:
        return say("The kernel matrix is not positive semi-definite, so there may be several stationary points: the "
                   "multipliers of this one are given below, and the optimality conditions are checked.")
    K = seen_kernel(fit)
    if np.ptp(K) <= 1e-12 * np.abs(K).max():
        return say("The kernel is constant on the points, so the multipliers are not unique: their values are given "
                   "below, and the optimality conditions are checked.")
    beta = np.atleast_2d(fit.coef if fit.model.key == "svr" else fit.alpha.T)  # of several classes: for each pair
    worst = max(rounding(fit, K, row, EPS) for row in beta)
    if not _of_one_size(fit, float(np.abs(K).max())) or worst > FINE:
        return say("The numbers of this problem differ so much in size that the short solver of this script would lose "
                   "precision: the multipliers are given below, and the optimality conditions are checked.")
    return None


def _of_one_size(fit: Any, largest: float) -> bool:
    """Return whether the solver of the script keeps the digits of f and b; largest: entry of the kernel matrix."""
    force = 1.0
    if fit.model.task == "regression":
        force = float(np.abs(fit.y).max()) + fit.model.epsilon
        if np.ptp(fit.y) < LEAST_SHARE * force and fit.model.epsilon > 0:
            return False
    return fit.model.margin == "hard" or bool(LEAST_SHARE < fit.model.C * largest / force < LARGEST_SHARE)


_KKT = """
g = s * (Q @ z + c) + b  # 0 at free multipliers; its sign is that of s at 0 and the opposite at C
broken = np.where(z <= 0, -s * g, np.where(z >= C, s * g, abs(g)))
show("kkt_violation", max(broken.max(), 0.0))
"""


def _svm(fit: Any) -> list[str]:
    given = solvable(fit, len(fit.y))
    set_up = "K = kernel(X, X)\nQ, c, s = y[:, None] * K * y, -np.ones(len(y)), y"
    found = "alpha = solve(Q, c, s, C)\nb = bias(Q, c, s, C, alpha)"
    if given is not None:
        b = literal(given_offset(fit, seen_kernel(fit), fit.alpha * fit.y))
        found = f"{comment(given)}\n{array('alpha', fit.alpha)}\nb = {b}\nz = alpha{_KKT}".rstrip()
    own = [solver(), bias()] if given is None else []
    f = "def f(Z):\n    return kernel(Z, X) @ (alpha * y) + b\n"
    numbers = """
norm2 = alpha @ Q @ alpha
margins = y * f(X)
slack = np.where(alpha >= C, np.maximum(0, 1 - margins), 0)
show("alpha", alpha)"""
    long = np.isfinite(fit.norm) and fit.norm > 0  # an indefinite kernel may leave w without a length
    lines = shown(("b", offset(fit)), ("support_vectors", "(alpha > 0).sum()"),
                  ("free_support_vectors", "((alpha > 0) & (alpha < C)).sum()"),
                  *([("margin", "1 / np.sqrt(norm2)")] if long else []), ("functional_margin", "margins.min()"),
                  *([("geometric_margin", "margins.min() / np.sqrt(norm2)")] if long else []),
                  ("training_error", "((f(X) >= 0) != (y > 0)).mean()"),
                  ("objective", "norm2 / 2 + (C * slack.sum() if slack.any() else 0)"))
    return [*kernel_source(fit.kernel, centred(fit)), *own, SHOW, _penalty(fit.model), set_up, found, f,
            numbers + "\n" + lines, loss(fit, fit.alpha, "X", "alpha")]


def _several(fit: Any) -> list[str]:
    given = solvable(fit, max(len(pair.rows) for pair in fit.pairs))
    found = """        alpha = solve(Q, c, s, C)
        b = bias(Q, c, s, C, alpha)"""
    before = ""
    if given is not None:
        rows = "\n".join(f"{array(f'alpha_{p}', pair.fit.alpha)}" for p, pair in enumerate(fit.pairs))
        names = ", ".join(f"alpha_{p}" for p in range(len(fit.pairs)))
        before = (f"{comment(given)}\n{rows}\nalphas = [{names}]\n"
                  f"{array('offsets', _offsets(fit))}")
        found = "        alpha, b = alphas[len(pairs)], offsets[len(pairs)]"
    loop = f"""{comment(say("One versus one: an SVM for each pair of classes; the first of the pair is +1."))}
classes = int(y.max()) + 1
pairs, objective, margins = [], 0.0, []
support, bounded = np.zeros(len(y), bool), np.zeros(len(y), bool)
for i in range(classes):
    for j in range(i + 1, classes):
        rows = np.flatnonzero((y == i) | (y == j))
        s = np.where(y[rows] == i, 1.0, -1.0)
        Q, c = s[:, None] * kernel(X[rows], X[rows]) * s, -np.ones(len(rows))
{found}
        pairs.append((i, j, X[rows], alpha * s, b))
        slack = np.where(alpha >= C, np.maximum(0, 1 - s * (s * (Q @ alpha) + b)), 0)
        norm2 = alpha @ Q @ alpha
        objective += norm2 / 2 + (C * slack.sum() if slack.any() else 0)
        margins.append(1 / np.sqrt(norm2))
        support[rows[alpha > 0]] = True
        bounded[rows[alpha >= C]] = True
"""
    functions = """
def tally(Z):
    votes, sums = np.zeros((2, len(Z), classes))
    for i, j, inputs, weights, b in pairs:
        value = kernel(Z, inputs) @ weights + b
        votes[:, i] += value >= 0
        votes[:, j] += value < 0
        sums[:, i] += value
        sums[:, j] -= value
    return votes, sums
"""
    f = f"""def f(Z):
    votes, sums = tally(Z)
{comment(say("A fraction of a vote from the sum of the decision values breaks ties."), 4)}
    return votes + sums / (3 * (1 + abs(sums)))
"""
    predict = """
def predict(Z):
    votes, sums = tally(Z)
    return np.where(votes == votes.max(axis=1)[:, None], sums, -np.inf).argmax(axis=1)
"""
    origin = "[kernel(np.zeros((1, X.shape[1])), inputs)[0] @ weights + b for _, _, inputs, weights, b in pairs]"
    lines = shown(("b", origin if centred(fit) else "[pair[-1] for pair in pairs]"),
                  ("support_vectors", "support.sum()"), ("free_support_vectors", "(support & ~bounded).sum()"),
                  ("margin", "min(margins)"), ("training_error", "(predict(X) != y).mean()"),
                  ("objective", "objective"))
    own = [solver(), bias()] if given is None else []
    return [*kernel_source(fit.kernel, centred(fit)), *own, SHOW, _penalty(fit.model), before, loop, functions, f,
            predict, lines]


def _offsets(fit: Any) -> list[float]:
    """Return b of each pair for the kernel of the script."""
    if not centred(fit):
        return [pair.fit.b for pair in fit.pairs]
    K = seen_kernel(fit)
    return [float(np.median(pair.fit.f_train - K[np.ix_(pair.rows, pair.rows)] @ (pair.fit.alpha * pair.fit.y)))
            for pair in fit.pairs]


def _svr(fit: Any) -> list[str]:
    given = solvable(fit, 2 * len(fit.y))
    model = fit.model
    tube = f"epsilon = {literal(model.epsilon)}"
    set_up = f"""{comment(say("Two multipliers per point: z = (a, a^), above and below the tube, with signs s."))}
n = len(y)
K = kernel(X, X)
Q = np.block([[K, -K], [-K, K]])
s = np.repeat([1.0, -1.0], n)
c = epsilon - s * np.tile(y, 2)"""
    found = "z = solve(Q, c, s, C)\nb = bias(Q, c, s, C, z)"
    if given is not None:
        z = np.concatenate([fit.alpha, fit.alpha_star])
        b = literal(given_offset(fit, seen_kernel(fit), fit.coef))
        found = f"{comment(given)}\n{array('z', z)}\nb = {b}{_KKT}".rstrip()
    found += "\nalpha, alpha_star = z[:n], z[n:]\ncoef = alpha - alpha_star"
    f = "def f(Z):\n    return kernel(Z, X) @ coef + b\n"
    numbers = """
norm2 = coef @ K @ coef
residuals = y - f(X)
slack = np.where(abs(coef) >= C, np.maximum(0, abs(residuals) - epsilon), 0)
show("coef", coef)"""
    lines = shown(("b", offset(fit)), ("support_vectors", "(coef != 0).sum()"),
                  ("free_support_vectors", "((coef != 0) & (abs(coef) < C)).sum()"),
                  ("support_sides", "[(coef > 0).sum(), (coef < 0).sum()]"),
                  *([("norm", "np.sqrt(norm2)")] if np.isfinite(fit.norm) else []),
                  ("rmse", "np.sqrt((residuals**2).mean())"),
                  ("objective", "norm2 / 2 + (C * slack.sum() if slack.any() else 0)"))
    own = [solver(), bias()] if given is None else []
    return [*kernel_source(fit.kernel, centred(fit)), *own, SHOW, f"{_penalty(model)}\n{tube}", set_up, found, f,
            numbers + "\n" + lines, loss(fit, fit.coef, "X", "coef")]


def _diagonal(fit: Any, name: str) -> str:
    value = literal(fit.model.lambda_ if name == "lambda_" else fit.model.noise_var)
    if not fit.jitter:
        return f"{name} = {value}"
    said = comment(say("The matrix is numerically singular, so a small number is added to its diagonal."))
    return f"{name} = {value}\n{said}\njitter = {literal(fit.jitter)}"


def _krr(fit: Any) -> list[str]:
    total = "(lambda_ + jitter)" if fit.jitter else "lambda_"
    solve = f"K = kernel(points, points)\na = np.linalg.solve(K + {total} * np.eye(len(t)), t)"
    f = "def f(Z):\n    return kernel(Z, points) @ a\n"
    numbers = shown(("coef", "a"), ("training_error", "np.sqrt(((y - f(X)) ** 2).mean())"),
                    *([("norm", "np.sqrt(a @ K @ a)")] if np.isfinite(fit.norm) else []))
    return [*kernel_source(fit.kernel), SHOW, _diagonal(fit, "lambda_"), distinct(fit), solve, f, numbers,
            loss(fit, fit.system.spread, "points", "a")]


def _gpr(fit: Any) -> list[str]:
    total = "(noise_var + jitter)" if fit.jitter else "noise_var"
    solve = f"""covariance = kernel(points, points) + {total} * np.eye(len(t))
L = np.linalg.cholesky(covariance)
a = np.linalg.solve(L.T, np.linalg.solve(L, t))"""
    f = "def f(Z):  # the mean\n    return kernel(Z, points) @ a\n"
    variance = """
def latent_variance(Z):
    half = np.linalg.solve(L, kernel(points, Z))
    return np.maximum(np.diag(kernel(Z, Z)) - (half**2).sum(axis=0), 0)
"""
    numbers = """
data_fit = -t @ a / 2
complexity = -np.log(np.diag(L)).sum()
normalisation = -len(t) * np.log(2 * np.pi) / 2
show("coef", a)"""
    lines = shown(("log_marginal_likelihood", "data_fit + complexity + normalisation"), ("data_fit", "data_fit"),
                  ("complexity", "complexity"), ("normalisation", "normalisation"), ("noise", "np.sqrt(noise_var)"),
                  ("training_error", "np.sqrt(((y - f(X)) ** 2).mean())"))
    return [*kernel_source(fit.kernel), SHOW, _diagonal(fit, "noise_var"), distinct(fit), solve, f, variance,
            numbers + "\n" + lines, loss(fit, fit.system.spread, "points", "a")]


def _gpc(fit: Any) -> list[str]:
    newton = f"""
def mode(covariance):
    a, level = np.zeros(len(y)), -np.inf
    alpha = a  # covariance^-1 a
    for _ in range(100):
        sigma = sigmoid(a)
        W = sigma * (1 - sigma)
        root = np.sqrt(W)
        B = np.eye(len(y)) + root[:, None] * covariance * root
        right = W * a + t - sigma
        ahead = right - root * np.linalg.solve(B, root * (covariance @ right))
        if abs(ahead - alpha).max() < 1e-14 * abs(ahead).max():
            break
{comment(say("Halve the step as long as the log posterior would fall."), 8)}
        for share in 0.5 ** np.arange(40):
            new = alpha + share * (ahead - alpha)
            height = -new @ covariance @ new / 2 - np.logaddexp(0, -y * (covariance @ new)).sum()
            if height >= level - 1e-14 * abs(level):
                break
        else:
            break
        alpha, a, level = new, covariance @ new, height
    return alpha, a
"""
    found = """t = (y + 1) / 2
covariance = kernel(X, X) + nu * np.eye(len(y))
alpha, a = mode(covariance)
sigma = sigmoid(a)
root = np.sqrt(sigma * (1 - sigma))
L = np.linalg.cholesky(np.eye(len(y)) + root[:, None] * covariance * root)"""
    f = "def f(Z):  # the latent mean\n    return kernel(Z, X) @ (t - sigma)\n"
    variance = """
def latent_variance(Z):
    half = np.linalg.solve(L, root[:, None] * kernel(X, Z))
    return np.maximum(np.diag(kernel(Z, Z)) - (half**2).sum(axis=0), 0) + nu
"""
    averaged = fit.model.probability == "averaged"
    value = "sigmoid(f(Z) / np.sqrt(1 + np.pi * latent_variance(Z) / 8))" if averaged else "sigmoid(f(Z))"
    p = f"def p(Z):\n    return {value}\n"
    numbers = """
data_fit = -a @ alpha / 2 - np.logaddexp(0, -y * a).sum()
complexity = -np.log(np.diag(L)).sum()
show("coef", t - sigma)"""
    lines = shown(("log_marginal_likelihood", "data_fit + complexity"), ("data_fit", "data_fit"),
                  ("complexity", "complexity"), ("training_error", "(np.where(f(X) >= 0, 1, -1) != y).sum()"))
    said = comment(say("The most probable latent values a = C (t - sigma(a)), by Newton's method (Laplace "
                       "approximation)."))
    return [*kernel_source(fit.kernel), SIGMOID, f"{said}\n{newton.strip()}\n", SHOW, f"nu = {literal(fit.model.nu)}",
            found, f, variance, p, numbers + "\n" + lines]
