"""SVM, SVR and kernel ridge regression as lines for scikit-learn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say
from kernelplay.kernels.base import Kernel
from kernelplay.kernels.written import literal
from kernelplay.models.base import Array
from kernelplay.scripts.source import (
    SHOW,
    centred,
    comment,
    distinct,
    far,
    kernel_source,
    loss,
    offset,
    rounding,
    seen_kernel,
    shown,
)

TOLERANCE = 1e-9  # KKT violation at which SVC and SVR stop
COARSE = 1e-2  # relative rounding of f beyond which the script warns
NEEDED = 1e-3  # relative rounding of f beyond which libsvm is given a kernel that loses less
SMALL, LARGE = 1e-15, 1e15  # kernel values that libsvm is given as they are
MOST = 10**6  # steps of libsvm where it might never end
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
    return comment(say("Some points are repeated. kernelplay splits a multiplier evenly among them; libsvm may give it "
                       "all to one. f is the same, but the number of support vectors may differ."))


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
    said = comment(say("A hard margin corresponds to a C above every multiplier; the largest is {largest}.",
                       largest=largest))
    return f"{said}\nC = {literal(bound)}"


@dataclass(frozen=True)
class _Seen:
    """How libsvm, which works in single precision, is given the kernel so that f keeps its digits: with the inputs
    less their mean, with the mean in feature space taken off, or divided by `unit`, where that is needed."""

    imports: str
    own: list[str]  # kernel(X, Z) in double precision, and what libsvm is given
    arguments: str  # of SVC and SVR
    unit: float
    rounding: float  # what single precision can still do to f, relative to half its range

    @property
    def coarse(self) -> bool:
        return self.rounding > COARSE

    @property
    def C(self) -> str:
        return "C" if self.unit == 1 else f"C * {literal(self.unit)}"

    @property
    def back(self) -> str:
        """What turns the coefficients of libsvm into those of the problem."""
        return "" if self.unit == 1 else f" / {literal(self.unit)}"


def _seen(fit: Any, beta: Array) -> _Seen:
    """Return how `fit`, with coefficients beta (p, n) of each of its problems, is given to libsvm; raises SpecError
    where its kernel values are no numbers."""
    K = seen_kernel(fit)
    if not np.isfinite(K).all():
        raise SpecError(say("The kernel matrix of these points contains values that are not finite, which scikit-learn "
                            "rejects: scale the data."))
    single = float(np.finfo(np.float32).eps)
    mean = K.mean(axis=0)
    middle = K - mean - mean[:, None] + K.mean()

    def worst(matrix: Array) -> float:
        return max(rounding(fit, matrix, row, single) for row in beta)

    share, gain = worst(K), worst(middle)
    off = share > NEEDED and gain < share / 10
    largest = float(np.abs(middle if off else K).max())
    unit = 1.0 if SMALL < largest < LARGE or largest == 0 else 2.0 ** round(math.log2(largest))
    known = "" if centred(fit) or far(fit.X) else _arguments(fit.kernel)
    imports, own = "", kernel_source(fit.kernel, centred(fit))
    if known:
        imports = "from sklearn.metrics.pairwise import pairwise_kernels"
        metric = known.replace("kernel=", "metric=", 1)
        own = [f"def kernel(X, Z):\n    return pairwise_kernels(X, Z, {metric})\n"]
    arguments = known or "kernel=kernel"
    if off or unit != 1:
        said = say("libsvm stores kernel values in single precision, so it gets the kernel centred in feature space (b "
                   "compensates) and rescaled.")
        value = "kernel(A, B)"
        if off:
            value += " - kernel(A, X).mean(axis=1)[:, None] - kernel(X, B).mean(axis=0) + kernel(X, X).mean()"
        value = f"({value}) / {literal(unit)}" if unit != 1 else value
        own = [*own, f"def given(A, B):\n{comment(said, 4)}\n    return {value}\n"]
        arguments = "kernel=given"
    arguments += f", max_iter={MOST:_}" if (gain if off else share) > COARSE else ""
    return _Seen(imports, own, arguments, unit, gain if off else share)


def _refined(target: str, free: str, seen: _Seen) -> str:
    """Return the lines that solve once more for `coef` and b at the `free` rows, where f is to be `target`."""
    said = comment(say("libsvm, used internally, stores kernel values in single precision: f is correct to about six "
                       "digits. Solving the equations of the free support vectors once more gives the rest."))
    if seen.coarse:
        said = comment(_coarse(seen.rounding))
    shift = "b -= kernel(X, X).mean(axis=0) @ coef - kernel(X, X).mean() * coef.sum()\n"
    return f"""{said}
K = kernel(X, X)
free = np.flatnonzero({free})
{shift if "mean(axis=1)" in "".join(seen.own) else ""}if len(free):
    A = np.block([[K[np.ix_(free, free)], np.ones((len(free), 1))], [np.ones(len(free)), 0.0]])
    right = np.append(({target} - K @ coef - b)[free], -coef.sum())
    change = np.linalg.lstsq(A, right, rcond=None)[0]
    coef[free] += change[:-1]
    b += change[-1]"""


def _coarse(share: float) -> Say:
    return say("Warning: libsvm, used internally, stores kernel values in single precision. With coefficients and "
               "kernel values this large, that alone can change f by {share} times its range: use the NumPy script "
               "instead.", share=share)


def warning(fit: Any) -> Say | None:
    """Return what is to be said of the script for `fit` before it is run; None as a rule."""
    beta = _coefficients(fit) if fit.model.key in ("svm", "svr") else None
    seen = None if beta is None else _seen(fit, beta)
    return _coarse(seen.rounding) if seen is not None and seen.coarse else None


def _coefficients(fit: Any) -> Array:
    """Return the coefficients (p, n) of the problems that libsvm solves."""
    return np.atleast_2d(fit.coef if fit.model.key == "svr" else fit.alpha.T)


_VERDICT = """
show("kkt_violation", violation)  # in double precision, relative to half the range of y
if not violation < 1e-6:
    print("Warning: the optimality conditions are violated, so these numbers are not the solution.")"""


def svm(fit: Any) -> Parts:
    seen = _seen(fit, _coefficients(fit))
    largest = float(fit.alpha.max(initial=0.0))
    model = f"""model = SVC(C={seen.C}, {seen.arguments}, tol={_tolerance(fit)}).fit(X, y)
coef, b = np.zeros(len(y)), model.intercept_[0]
coef[model.support_] = model.dual_coef_[0]{seen.back}  # alpha_n y_n"""
    long = np.isfinite(fit.norm) and fit.norm > 0  # an indefinite kernel may leave w without a length
    numbers = f"""
alpha = abs(coef)
norm2 = coef @ K @ coef
margins = y * f(X)
slack = np.where(alpha >= C, np.maximum(0, 1 - margins), 0)
show("alpha", alpha)
{shown(("b", offset(fit)), ("support_vectors", "len(model.support_)"),
       ("free_support_vectors", "len(free)"), *([("margin", "1 / np.sqrt(norm2)")] if long else []),
       ("functional_margin", "margins.min()"),
       *([("geometric_margin", "margins.min() / np.sqrt(norm2)")] if long else []),
       ("training_error", "((f(X) >= 0) != (y > 0)).mean()"), ("objective", "norm2 / 2 + C * slack.sum()"))}
outside = max(0, -(y * coef).min(), (alpha - C).max(), abs(coef.sum())) / alpha.max()
broken = np.where(coef == 0, 1 - margins, np.where(alpha >= C, margins - 1, abs(margins - 1)))
violation = max(broken.max(), outside){_VERDICT}"""
    f = "def f(Z):\n    return kernel(Z, X) @ coef + b\n"
    refined = _refined("y", "(coef != 0) & (abs(coef) < C)", seen)
    return (f"{seen.imports}\nfrom sklearn.svm import SVC".strip(),
            [*seen.own, SHOW, _penalty(fit, largest), _repeated(fit), model, refined, f, numbers,
             loss(fit, fit.alpha, "X", "coef")],
            shown(("decision_function_libsvm", "model.decision_function(X)")))


def several(fit: Any) -> Parts:
    seen = _seen(fit, _coefficients(fit))
    largest = float(fit.alpha.max(initial=0.0))
    tolerance = max((_tolerance(pair.fit) for pair in fit.pairs), key=float)
    said = comment(say("One versus one: the votes, plus a fraction of a vote from the sum of the decision values to "
                       "break ties."))
    own = seen.own if "kernel=kernel" in seen.arguments or "kernel=given" in seen.arguments else []
    model = f"""{said}
model = SVC(C={seen.C}, {seen.arguments}, tol={tolerance}, decision_function_shape="ovr", break_ties=True).fit(X, y)"""
    pairs = f"""{comment(say('The pairs again, one by one, for their margins and objectives.'))}
margins, objective, violation, bounded = [], 0.0, 0.0, np.zeros(len(y), bool)
for i, j in combinations(range(int(y.max()) + 1), 2):
    rows = np.flatnonzero((y == i) | (y == j))
    s = np.where(y[rows] == i, 1, -1)
    two = SVC(C={seen.C}, {seen.arguments}, tol={tolerance}).fit(X[rows], s)
    coef, value = two.dual_coef_[0]{seen.back}, two.decision_function(X[rows])
    norm2 = coef @ (value[two.support_] - two.intercept_[0])
    full = two.support_[abs(coef) >= C]
    bounded[rows[full]] = True
    margins.append(1 / np.sqrt(norm2))
    objective += norm2 / 2 + C * np.maximum(0, 1 - s * value)[full].sum()
    broken = abs(1 - s * value)
    broken[full] = (s * value - 1)[full]
    zero = np.setdiff1d(np.arange(len(rows)), two.support_)
    broken[zero] = (1 - s * value)[zero]
    violation = max(violation, broken.max())
"""
    f = "def f(Z):\n    return model.decision_function(Z)\n"
    lines = shown(("support_vectors", "len(model.support_)"),
                  ("free_support_vectors", "(~bounded[model.support_]).sum()"), ("margin", "min(margins)"),
                  ("training_error", "(model.predict(X) != y).mean()"), ("objective", "objective")) + _VERDICT
    after = shown(("predicted", "model.predict(X)"), ("predicted_grid", "model.predict(Z)"))
    careful = comment(_coarse(seen.rounding)) if seen.coarse else ""
    imports = seen.imports if own else ""
    return (f"from itertools import combinations\n\n{imports}\nfrom sklearn.svm import SVC".replace("\n\n\n", "\n\n"),
            [*own, SHOW, _penalty(fit, largest), _repeated(fit), careful, model, f, pairs, lines], after)


def svr(fit: Any) -> Parts:
    seen = _seen(fit, _coefficients(fit))
    model = f"""epsilon = {literal(fit.model.epsilon)}
model = SVR(C={seen.C}, epsilon=epsilon, {seen.arguments}, tol={_tolerance(fit)}).fit(X, y)
coef, b = np.zeros(len(y)), model.intercept_[0]
coef[model.support_] = model.dual_coef_[0]{seen.back}  # a - a^"""
    f = "def f(Z):\n    return kernel(Z, X) @ coef + b\n"
    numbers = f"""
norm2 = coef @ K @ coef
residuals = y - f(X)
slack = np.where(abs(coef) >= C, np.maximum(0, abs(residuals) - epsilon), 0)
show("coef", coef)
{shown(("b", offset(fit)), ("support_vectors", "(coef != 0).sum()"), ("free_support_vectors", "len(free)"),
       ("support_sides", "[(coef > 0).sum(), (coef < 0).sum()]"),
       *([("norm", "np.sqrt(norm2)")] if np.isfinite(fit.norm) else []),
       ("rmse", "np.sqrt((residuals**2).mean())"), ("objective", "norm2 / 2 + C * slack.sum()"))}
outside = max(0, (abs(coef) - C).max(), abs(coef.sum())) / (abs(coef).max() or 1)
beyond = np.where(coef == 0, abs(residuals), np.sign(coef) * residuals) - epsilon  # of the tube
broken = np.where(coef == 0, beyond, np.where(abs(coef) >= C, -beyond, abs(beyond)))
violation = max(broken.max() / (np.ptp(y) / 2 or 1), outside){_VERDICT}"""
    largest = float(np.abs(fit.coef).max(initial=0.0))
    refined = _refined("y - epsilon * np.sign(coef)", "(coef != 0) & (abs(coef) < C)", seen)
    return (f"{seen.imports}\nfrom sklearn.svm import SVR".strip(),
            [*seen.own, SHOW, _penalty(fit, largest), _repeated(fit), model, refined, f, numbers,
             loss(fit, fit.coef, "X", "coef")],
            shown(("decision_function_libsvm", "model.predict(X)")))


def krr(fit: Any) -> Parts:
    arguments = "" if far(fit.X) else _arguments(fit.kernel)
    total = literal(fit.model.lambda_ + fit.jitter)
    said = comment(say("Called alpha there, lambda here: both minimise the squared errors plus this times the squared "
                       "norm of w, without an offset."))
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
        why = say("The kernel matrix is not positive semi-definite, so the usual solver fails: scikit-learn warns and "
                  "solves the equations by least squares.")
        quiet = f"{comment(why)}\nwarnings.simplefilter(\"ignore\")\n"
    numbers = shown(("coef", "model.dual_coef_"), ("training_error", "np.sqrt(((y - f(X)) ** 2).mean())"),
                    *([("norm", "np.sqrt(model.dual_coef_ @ f(points))")] if np.isfinite(fit.norm) else []))
    return ("import warnings\n" * bool(quiet) + "from sklearn.kernel_ridge import KernelRidge",
            [*own, SHOW, distinct(fit), f"{said}\n{quiet}{model}", f, numbers, loss(fit, fit.system.spread)], "")
