"""SVM, SVR and kernel ridge regression as lines for scikit-learn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.written import literal
from kernelplay.models.base import Array
from kernelplay.scripts.source import SHOW, comment, distinct, kernel_source, shown

TOLERANCE = 1e-9  # KKT violation at which SVC and SVR stop
COARSE = 1e-2  # relative rounding of f beyond which the script warns
Parts = tuple[str, list[str], str]  # imports, body, what is printed at the end


def _arguments(kernel: Kernel) -> str:
    """Return the kernel as SVC, SVR and KernelRidge name it; "" for one that they do not know."""
    match kernel.key:
        case "rbf":
            return f'kernel="rbf", gamma={literal(kernel.get("gamma"))}'
        case "linear" if kernel.get("coef0") == 0:
            return 'kernel="linear"'
        case "poly":
            return (f'kernel="poly", gamma={literal(kernel.get("gamma"))}, coef0={literal(kernel.get("coef0"))}, '
                    f'degree={kernel.get("degree")}')
        case "sigmoid":
            return f'kernel="sigmoid", gamma={literal(kernel.get("gamma"))}, coef0={literal(kernel.get("coef0"))}'
    return ""


def _repeated(fit: Any) -> str:
    """Return a comment on repeated points, where there are any."""
    if len(np.unique(np.column_stack([fit.X, fit.y]), axis=0)) == len(fit.X):
        return ""
    return comment(say("Some points are repeated. kernelplay shares a multiplier evenly among them, libsvm may give it "
                       "to one alone: f is the same, the number of support vectors need not be."))


def _svm_kernel(kernel: Kernel) -> tuple[str, list[str]]:
    known = _arguments(kernel)
    return (known, []) if known else ("kernel=kernel", kernel_source(kernel))


def _tolerance(fit: Any) -> str:
    """Return how far SVC and SVR are to go: no further than rounding lets them."""
    certificate = fit.certificate
    floor = max(residual.floor for residual in certificate.residuals if residual.key == "kkt_residual")
    size = float(max(np.abs(fit.y).max(), np.abs(fit.f_train).max()))
    return literal(float(f"{max(TOLERANCE, 4 * floor * size):.0e}"))


def _penalty(fit: Any, largest: float) -> str:
    if fit.model.margin == "soft":
        return f"C = {literal(fit.model.C)}"
    bound = 10.0 ** (math.ceil(math.log10(max(largest, 1e-3))) + 1)
    said = comment(say("A hard margin is a C above every multiplier, of which the largest is {largest}.",
                       largest=largest))
    return f"{said}\nC = {literal(bound)}"


def _matrix(kernel: Kernel) -> tuple[str, list[str]]:
    """Return the imports and the definition of `kernel(X, Z)`, by scikit-learn where it has it."""
    known = _arguments(kernel)
    if not known:
        return "", kernel_source(kernel)
    arguments = known.replace("kernel=", "metric=", 1)
    return ("from sklearn.metrics.pairwise import pairwise_kernels",
            [f"def kernel(X, Z):\n    return pairwise_kernels(X, Z, {arguments})\n"])


def _rounding(fit: Any, beta: Array) -> float:
    """Return what single precision can do to f at a point, relative to half the range of f; beta (n,)."""
    root = np.sqrt(np.abs(fit.kernel.diagonal(fit.X)))
    reach = float(max(np.ptp(fit.y), np.ptp(fit.f_train))) / 2
    return float(np.finfo(np.float32).eps * root.max() * (np.abs(beta) @ root)) / (reach or 1.0)


def _refined(target: str, free: str, rounding: float) -> str:
    """Return the lines that solve once more for `coef` and b at the `free` rows, where f is to be `target`."""
    said = comment(say("libsvm, which does the work, keeps kernel values in single precision: f is right to about six "
                       "digits. The equations of the free support vectors, solved once more, give the others."))
    if rounding > COARSE:
        said = comment(say("Warning: libsvm, which does the work, keeps kernel values in single precision. They are so "
                           "large here that this alone can change f by {share} of its range, and other points may "
                           "become support vectors: trust the script for NumPy.", share=rounding))
    return f"""{said}
K = kernel(X, X)
free = np.flatnonzero({free})
if len(free):
    A = np.block([[K[np.ix_(free, free)], np.ones((len(free), 1))], [np.ones(len(free)), 0.0]])
    right = np.append(({target} - K @ coef - b)[free], -coef.sum())
    change = np.linalg.lstsq(A, right, rcond=None)[0]
    coef[free] += change[:-1]
    b += change[-1]"""


def svm(fit: Any) -> Parts:
    imports, own = _matrix(fit.kernel)
    arguments = _arguments(fit.kernel) or "kernel=kernel"
    largest = float(fit.alpha.max(initial=0.0))
    model = f"""model = SVC(C=C, {arguments}, tol={_tolerance(fit)}).fit(X, y)
coef, b = np.zeros(len(y)), model.intercept_[0]
coef[model.support_] = model.dual_coef_[0]  # alpha_n y_n"""
    long = np.isfinite(fit.norm) and fit.norm > 0  # an indefinite kernel may leave w without a length
    numbers = f"""
alpha = abs(coef)
norm2 = coef @ K @ coef
margins = y * f(X)
slack = np.where(alpha >= C, np.maximum(0, 1 - margins), 0)
show("alpha", alpha)
{shown(("b", "b"), ("support_vectors", "len(model.support_)"),
       ("free_support_vectors", "len(free)"), *([("margin", "1 / np.sqrt(norm2)")] if long else []),
       ("functional_margin", "margins.min()"),
       *([("geometric_margin", "margins.min() / np.sqrt(norm2)")] if long else []),
       ("training_error", "((f(X) >= 0) != (y > 0)).mean()"), ("objective", "norm2 / 2 + C * slack.sum()"))}"""
    f = "def f(Z):\n    return kernel(Z, X) @ coef + b\n"
    refined = _refined("y", "(coef != 0) & (abs(coef) < C)", _rounding(fit, fit.alpha))
    return (f"{imports}\nfrom sklearn.svm import SVC".strip(),
            [*own, SHOW, _penalty(fit, largest), _repeated(fit), model, refined, f, numbers],
            shown(("decision_function_libsvm", "model.decision_function(X)")))


def several(fit: Any) -> Parts:
    arguments, own = _svm_kernel(fit.kernel)
    largest = float(fit.alpha.max(initial=0.0))
    tolerance = max((_tolerance(pair.fit) for pair in fit.pairs), key=float)
    said = comment(say("One against one: the votes, and a share of a vote for the sum of the decision values, which "
                       "settles ties."))
    model = f"""{said}
model = SVC(C=C, {arguments}, tol={tolerance}, decision_function_shape="ovr", break_ties=True).fit(X, y)"""
    pairs = f"""{comment(say('The pairs once more, one by one, for their margins and objectives.'))}
margins, objective, bounded = [], 0.0, np.zeros(len(y), bool)
for i, j in combinations(range(int(y.max()) + 1), 2):
    rows = np.flatnonzero((y == i) | (y == j))
    s = np.where(y[rows] == i, 1, -1)
    two = SVC(C=C, {arguments}, tol={tolerance}).fit(X[rows], s)
    coef, value = two.dual_coef_[0], two.decision_function(X[rows])
    norm2 = coef @ (value[two.support_] - two.intercept_[0])
    full = two.support_[abs(coef) >= C]
    bounded[rows[full]] = True
    margins.append(1 / np.sqrt(norm2))
    objective += norm2 / 2 + C * np.maximum(0, 1 - s * value)[full].sum()
"""
    f = "def f(Z):\n    return model.decision_function(Z)\n"
    lines = shown(("support_vectors", "len(model.support_)"),
                  ("free_support_vectors", "(~bounded[model.support_]).sum()"), ("margin", "min(margins)"),
                  ("training_error", "(model.predict(X) != y).mean()"), ("objective", "objective"))
    after = shown(("predicted", "model.predict(X)"), ("predicted_grid", "model.predict(Z)"))
    return ("from itertools import combinations\n\nfrom sklearn.svm import SVC",
            [*own, SHOW, _penalty(fit, largest), _repeated(fit), model, f, pairs, lines], after)


def svr(fit: Any) -> Parts:
    imports, own = _matrix(fit.kernel)
    arguments = _arguments(fit.kernel) or "kernel=kernel"
    model = f"""epsilon = {literal(fit.model.epsilon)}
model = SVR(C=C, epsilon=epsilon, {arguments}, tol={_tolerance(fit)}).fit(X, y)
coef, b = np.zeros(len(y)), model.intercept_[0]
coef[model.support_] = model.dual_coef_[0]  # a - a^"""
    f = "def f(Z):\n    return kernel(Z, X) @ coef + b\n"
    numbers = f"""
norm2 = coef @ K @ coef
residuals = y - f(X)
slack = np.where(abs(coef) >= C, np.maximum(0, abs(residuals) - epsilon), 0)
show("coef", coef)
{shown(("b", "b"), ("support_vectors", "(coef != 0).sum()"), ("free_support_vectors", "len(free)"),
       ("support_sides", "[(coef > 0).sum(), (coef < 0).sum()]"),
       *([("norm", "np.sqrt(norm2)")] if np.isfinite(fit.norm) else []),
       ("rmse", "np.sqrt((residuals**2).mean())"), ("objective", "norm2 / 2 + C * slack.sum()"))}"""
    largest = float(np.abs(fit.coef).max(initial=0.0))
    refined = _refined("y - epsilon * np.sign(coef)", "(coef != 0) & (abs(coef) < C)", _rounding(fit, fit.coef))
    return (f"{imports}\nfrom sklearn.svm import SVR".strip(),
            [*own, SHOW, _penalty(fit, largest), _repeated(fit), model, refined, f, numbers],
            shown(("decision_function_libsvm", "model.predict(X)")))


def krr(fit: Any) -> Parts:
    arguments = _arguments(fit.kernel)
    total = literal(fit.model.lambda_ + fit.jitter)
    said = comment(say("Called alpha there, lambda here: both minimise squared errors plus that times the squared "
                       "length of w, and neither has an offset."))
    if arguments:
        own: list[str] = []
        model = f"model = KernelRidge(alpha={total}, {arguments}).fit(points, t)"
        f = "def f(Z):\n    return model.predict(Z)\n"
    else:
        own = kernel_source(fit.kernel)
        model = f'model = KernelRidge(alpha={total}, kernel="precomputed").fit(kernel(points, points), t)'
        f = "def f(Z):\n    return model.predict(kernel(Z, points))\n"
    quiet = ""
    if fit.system.eig_min is not None:
        why = say("The kernel matrix is not positive semi-definite, for which the usual way fails: scikit-learn warns, "
                  "and solves the equations by least squares.")
        quiet = f"{comment(why)}\nwarnings.simplefilter(\"ignore\")\n"
    numbers = shown(("coef", "model.dual_coef_"), ("training_error", "np.sqrt(((y - f(X)) ** 2).mean())"),
                    *([("norm", "np.sqrt(model.dual_coef_ @ f(points))")] if np.isfinite(fit.norm) else []))
    return ("import warnings\n" * bool(quiet) + "from sklearn.kernel_ridge import KernelRidge",
            [*own, SHOW, distinct(fit), f"{said}\n{quiet}{model}", f, numbers], "")
