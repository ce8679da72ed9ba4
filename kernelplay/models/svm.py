"""Support vector machine: the widest margin between two classes, hard or soft; more classes one against one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import inputs
from kernelplay.errors import FitError
from kernelplay.i18n import Say, plural, say
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Chart, Readout, read_only
from kernelplay.models.base import (
    Array,
    Certificate,
    Check,
    Fit,
    Model,
    Residual,
    View,
    checked,
    need_two_classes,
    no_deviation,
    nothing,
)
from kernelplay.models.dual import TOLERANCE, Solved, definiteness, solve
from kernelplay.models.dual_words import (
    certificate_lines,
    indefinite_status,
    limit_notes,
    not_solved,
    support_line,
    undecided,
    value,
)
from kernelplay.spec import choice, real

if TYPE_CHECKING:
    from kernelplay.numerics.box_qp import Problem


@dataclass(frozen=True)
class SVM(Model):
    """min 1/2 ||w||^2 + C sum xi_n subject to y_n f(x_n) >= 1 - xi_n, xi_n >= 0; the hard margin allows no xi.

    Solved in the dual, max sum alpha_n - 1/2 sum alpha_n alpha_m y_n y_m k_nm, 0 <= alpha_n <= C, sum alpha_n y_n = 0
    (Bishop, Pattern Recognition and Machine Learning, 7.32-7.34; Cortes and Vapnik 1995).
    """

    key = "svm"
    label = say("Support vector machine")
    about = say("The widest margin between the classes; only the support vectors, the points on or inside it, matter.")
    order = 20
    task = "classification"
    most_classes = None

    margin: str = choice("soft", {"soft": say("Soft"), "hard": say("Hard")}, label=say("Margin"),
                         help=say("Soft: points may lie inside the margin or on the wrong side, at a price. "
                                  "Hard: none may."))
    C: float = real(1.0, 1e-3, 1e4, log=True, symbol="C", label=say("Penalty"), when=("margin", ("soft",)),
                    help=say("Higher: fewer points inside the margin and a more curved boundary."))

    @property
    def formula(self) -> tuple[str, ...]:
        if self.margin == "hard":
            return "min ½‖w‖²", "yₙ f(xₙ) ≥ 1"
        return "min ½‖w‖² + C Σₙ ξₙ", "yₙ f(xₙ) ≥ 1 − ξₙ,  ξₙ ≥ 0"

    def fit(self, X: Array, y: NDArray[Any], *, labels: tuple[Any, ...] | None = None, check: Check = nothing,
            last: Fit | None = None) -> Fit:
        """Return an SVMFit, or for more than two classes a OneAgainstOne of them.

        Raises FitError for unusable data, for one class, and where the hard margin has no solution (`points` are those
        that a verified Farkas certificate puts weight on).
        """
        from kernelplay.models.one_against_one import fit_pairs

        X, y, present = checked(self, X, y, labels)
        need_two_classes(present)
        kernel = self.kernel.bind(X)
        if len(present) > 2:
            return fit_pairs(self, kernel, X, y, present, check, last)
        return fit_two(self, kernel, X, y, present, check, last)


def fit_two(model: SVM, kernel: Kernel, X: Array, y: Array, labels: tuple[Any, ...], check: Check,
            last: Fit | None) -> SVMFit:
    """Return the fit of two classes, y (n,) of +1 and -1, with a kernel bound to the data."""
    solved = _solve(model.margin, model.C, kernel, X, y, check, last.solved if isinstance(last, SVMFit) else None)
    if solved.conflict and not solved.proved:
        raise FitError(undecided(len(solved.conflict)), solved.conflict)
    if solved.conflict:
        raise FitError(plural(len(solved.conflict),
                              "Not separable with this kernel: the hard margin has no solution; {n} point is in "
                              "conflict (marked). Use the soft margin or another kernel.",
                              "Not separable with this kernel: the hard margin has no solution; {n} points are in "
                              "conflict (marked). Use the soft margin or another kernel."), solved.conflict)
    indefinite, notes = definiteness(solved, kernel, X)
    certificate = solved.certificate
    if model.margin == "hard":
        certificate = _reached(certificate, solved.problem, solved.solution.f0 + solved.solution.bias)
        if not certificate.holds:
            raise FitError(not_solved(certificate["margin_shortfall"], TOLERANCE, hard=True))
    return SVMFit(model, kernel, X, y, labels, certificate, (*notes, *limit_notes(certificate)), solved, indefinite)


def _reached(certificate: Certificate, problem: Problem, f: Array) -> Certificate:
    """Return the certificate with what the smallest y f(x) of a hard margin lacks of 1; f (u,) at the points."""
    from kernelplay.numerics.box_problem import COARSE

    short = max(0.0, 1.0 - float((problem.t * f).min()))
    floor = next(residual.floor for residual in certificate.residuals if residual.key == "kkt_residual")
    floor = min(floor * max(1.0, float(np.abs(f).max())), COARSE)  # f is far larger than 1 where the margin is narrow
    margin = Residual("margin_shortfall", say("Functional margin shortfall"), short,
                      say("How far the smallest yₙ f(xₙ) falls short of 1, which a hard margin requires."), floor)
    return Certificate((*certificate.residuals, margin), certificate.goal)


def _solve(margin: str, C: float, kernel: Kernel, X: Array, y: Array, check: Check, last: Solved | None) -> Solved:
    return solve(kernel, X, y, 0.0, C if margin == "soft" else math.inf, y, check=check, last=last)


@dataclass(frozen=True, eq=False)
class SVMFit(Fit):
    """An SVM of two classes: f(x) = sum alpha_n y_n k(x_n, x) + b."""

    model: SVM
    solved: Solved
    indefinite: float | None  # smallest eigenvalue of a kernel matrix that is not positive semi-definite

    @cached_property
    def alpha(self) -> Array:
        """(n,) dual variables, those of repeated points shared evenly."""
        alpha = np.abs(self.solved.rows(self.solved.solution.beta))
        return read_only(np.where(np.abs(self.solved.state) == 2, self.model.C, alpha))

    @property
    def variables(self) -> Array:
        return self.alpha

    def certify(self, variables: Array) -> Certificate:
        """Return the certificate of the dual variables `variables` (n,) with the fitted b."""
        beta = np.asarray(variables, dtype=float) * self.y
        certificate = self.solved.certify(beta)
        if self.model.margin == "soft":
            return certificate
        f0 = self.solved.problem.gram.matvec(self.solved.points(beta))
        return _reached(certificate, self.solved.problem, f0 + self.solved.solution.bias)

    @property
    def b(self) -> float:
        """The bias; the middle of `b_interval` where the problem leaves it open."""
        return self.solved.f.b

    @property
    def b_interval(self) -> tuple[float, float]:
        """All optimal values of b."""
        low, high = self.solved.solution.bias_interval
        return low + self.solved.f.shift, high + self.solved.f.shift

    @property
    def w(self) -> Array | None:
        """(d,) weights where f(x) = w.x + b, else None."""
        return self.solved.f.w

    @cached_property
    def free_sv(self) -> NDArray[np.intp]:
        """Rows with 0 < alpha < C."""
        return np.flatnonzero(np.abs(self.solved.state) == 1)

    @cached_property
    def bound_sv(self) -> NDArray[np.intp]:
        """Rows with alpha = C."""
        return np.flatnonzero(np.abs(self.solved.state) == 2)

    @cached_property
    def non_sv(self) -> NDArray[np.intp]:
        """Rows with alpha = 0."""
        return np.flatnonzero(self.solved.state == 0)

    @cached_property
    def support(self) -> NDArray[np.intp]:
        """Rows with alpha > 0."""
        return np.flatnonzero(self.solved.state)

    @property
    def n_sv(self) -> int:
        """The number of support vectors."""
        return len(self.support)

    @property
    def norm(self) -> float:
        """||w||; NaN where an indefinite kernel matrix leaves it without a length."""
        norm2 = self.solved.norm2
        return math.sqrt(norm2) if norm2 >= 0.0 else math.nan

    @property
    def margin(self) -> float:
        """Half the width of the margin, 1/||w||: on the canvas for the linear kernel, else in feature space."""
        return 1.0 / self.norm if self.norm != 0.0 else math.inf

    @cached_property
    def f_train(self) -> Array:
        solution = self.solved.solution
        return read_only((solution.f0 + solution.bias)[self.solved.group])

    @cached_property
    def functional_margin(self) -> Array:
        """(n,) y_n f(x_n)."""
        return read_only(self.y * self.f_train)

    @cached_property
    def geometric_margin(self) -> Array:
        """(n,) y_n f(x_n)/||w||: signed distances from the boundary, in the units of `margin`."""
        return read_only(self.functional_margin / (self.norm or math.nan))

    @cached_property
    def slack(self) -> Array:
        """(n,) xi_n = max(0, 1 - y_n f(x_n)); below alpha = C it is 0 up to the KKT residual, and given as 0."""
        bounded = np.abs(self.solved.state) == 2
        return read_only(np.where(bounded, np.maximum(0.0, 1.0 - self.functional_margin), 0.0))

    @cached_property
    def misclassified(self) -> NDArray[np.intp]:
        """Rows on the wrong side."""
        return np.flatnonzero((self.f_train >= 0) != (self.y > 0))

    @property
    def training_error(self) -> float:
        """The share of training points on the wrong side."""
        return len(self.misclassified) / len(self.y)

    @property
    def objective(self) -> float:
        """1/2 ||w||^2 + C sum xi_n."""
        price = self.model.C * float(self.slack.sum()) if self.model.margin == "soft" else 0.0
        return 0.5 * self.solved.norm2 + price

    @property
    def duality_gap(self) -> float:
        """Primal minus dual objective, relative."""
        return self.certificate["duality_gap"]

    @cached_property
    def separable(self) -> bool:
        """Whether the hard margin has a solution; solved for where this fit does not show it. May raise FitError."""
        if self.model.margin == "hard" or not len(self.misclassified):
            return True
        hard = _solve("hard", 1.0, self.kernel, self.X, self.y, nothing, None)
        if hard.conflict and not hard.proved:
            raise FitError(undecided(len(hard.conflict)), hard.conflict)
        return not hard.conflict

    def decision_function(self, Z: Array) -> Array:
        """Return f(Z) (m,)."""
        return self.solved.f(inputs(Z, self.X.shape[1]))

    def predict(self, Z: Array, return_std: bool = False) -> Any:
        """Return the label of each row of Z (m, d); f = 0 counts as the first label."""
        no_deviation(return_std)
        return np.where(self.decision_function(Z) >= 0, *np.array(self.labels))

    def status(self) -> Say:
        if self.indefinite is not None:
            return indefinite_status(self.indefinite, self.n_sv, len(self.free_sv))
        if self.model.margin == "hard":
            return plural(self.n_sv, "Hard-margin SVM: {n} support vector, margin {margin}.",
                          "Hard-margin SVM: {n} support vectors, margin {margin}.", margin=self.margin)
        return plural(self.n_sv, "Soft-margin SVM: {n} support vector ({free} free), margin {margin}.",
                      "Soft-margin SVM: {n} support vectors ({free} free), margin {margin}.",
                      free=len(self.free_sv), margin=self.margin)

    def readouts(self) -> tuple[Readout, ...]:
        functional, wrong = float(self.functional_margin.min()), len(self.misclassified)
        lines = [
            support_line(self.n_sv, len(self.y), len(self.free_sv)),
            Readout("margin", say("Margin 1/‖w‖"), *value(self.margin),
                    say("Half the margin width: a distance on the canvas for the linear kernel, otherwise a distance "
                        "in feature space.")),
            Readout("functional_margin", say("Functional margin"), *value(functional),
                    say("The smallest yₙ f(xₙ): 1 on the margin, below 0 on the wrong side.")),
            Readout("geometric_margin", say("Geometric margin"), *value(functional / (self.norm or math.nan)),
                    say("The smallest yₙ f(xₙ)/‖w‖, the margin of the training set; for a soft margin it differs from "
                        "1/‖w‖.")),
            Readout("training_error", say("Training error"), say("{wrong} of {all}", wrong=wrong, all=len(self.y)),
                    self.training_error, say("Training points on the wrong side of the boundary.")),
            Readout("objective", say("Objective"), *value(self.objective),
                    say("The minimised value: ½‖w‖² plus, for the soft margin, C times the sum of the slacks.")),
        ]
        return (*lines, *certificate_lines(self.certificate, self.solved.factor_error, self.indefinite))

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        from kernelplay.models.svm_charts import canvas, dual

        return canvas(self, view, check), dual(self, view)
