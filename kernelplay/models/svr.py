"""Support vector regression: a function that keeps the targets within a tube of half-width epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import inputs
from kernelplay.errors import FitError
from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Chart, Readout, read_only
from kernelplay.models.base import Array, Certificate, Check, Fit, Model, View, checked, no_deviation, nothing
from kernelplay.models.dual import Solved, definiteness, solve
from kernelplay.models.dual_words import certificate_lines, indefinite_status, limit_notes, support_line, value
from kernelplay.spec import choice, real


@dataclass(frozen=True)
class SVR(Model):
    """min 1/2 ||w||^2 + C sum (xi_n + xi^_n), xi and xi^ what a target lies above or below the tube f(x) -+ epsilon.

    Dual in beta_n = a_n - a^_n: min 1/2 beta'K beta - t'beta + epsilon sum |beta_n|, |beta_n| <= C, sum beta_n = 0
    (Bishop, Pattern Recognition and Machine Learning, 7.55-7.61). The hard tube allows no xi.
    """

    key = "svr"
    label = say("Support vector regression")
    about = say("The flattest function that keeps the targets inside a tube; points inside the tube do not matter.")
    order = 40
    task = "regression"

    margin: str = choice("soft", {"soft": say("Soft"), "hard": say("Hard")}, label=say("Tube"),
                         help=say("Soft: points may lie outside the tube, at a price. Hard: none may."))
    C: float = real(10.0, 1e-3, 1e4, log=True, symbol="C", label=say("Penalty"), when=("margin", ("soft",)),
                    help=say("Higher: fewer points outside the tube and a more curved function."))
    epsilon: float = real(0.1, 0.0, 1.0, least=0.0, symbol="ε", label=say("Tube half-width"),
                          help=say("Higher: a wider tube, fewer support vectors, a flatter function."))

    @property
    def formula(self) -> tuple[str, ...]:
        if self.margin == "hard":
            return "min ½‖w‖²", "|tₙ − f(xₙ)| ≤ ε"
        return "min ½‖w‖² + C Σₙ (ξₙ + ξ̂ₙ)", "−ε − ξ̂ₙ ≤ tₙ − f(xₙ) ≤ ε + ξₙ,  ξₙ, ξ̂ₙ ≥ 0"

    def fit(self, X: Array, y: NDArray[Any], *, labels: tuple[Any, ...] | None = None, check: Check = nothing,
            last: Fit | None = None) -> SVRFit:
        """Return the SVRFit. Raises FitError for unusable data and where the hard tube has no solution (`points` are
        those on which the verified multipliers lie)."""
        X, t, _ = checked(self, X, y, labels)
        kernel = self.kernel.bind(X)
        solved = solve(kernel, X, t, self.epsilon, self.C if self.margin == "soft" else math.inf, None, check=check,
                       last=last.solved if isinstance(last, SVRFit) else None)
        if solved.ray is not None:
            raise self._outside(solved, solved.ray, kernel, X, t, check)
        indefinite, notes = definiteness(solved, kernel, X)
        certificate = solved.certificate
        return SVRFit(self, kernel, X, t, (), certificate, (*notes, *limit_notes(certificate)), solved, indefinite)


    def _outside(self, solved: Solved, ray: Array, kernel: Kernel, X: Array, t: Array, check: Check) -> FitError:
        """Return the error of a hard tube without a solution, with a half-width for which there is one."""
        if not solved.proved:
            return FitError(say("Undecided to working precision: whether a function fits in the hard tube depends on "
                                "kernel differences that are too small to resolve. Use the soft tube, a larger ε, or "
                                "another kernel."), solved.conflict)
        # sum (lambda - lambda^) t > epsilon sum (lambda + lambda^) for every epsilon below this quotient
        least = float(solved.problem.t @ ray / np.abs(ray).sum())
        enough = self._enough(solved, least, kernel, X, t, check)
        if enough is None:
            return FitError(plural(
                len(solved.conflict),
                "No function of this kernel fits in the hard tube: {n} point is in conflict (marked). Use the soft "
                "tube, an ε above {least}, or another kernel.",
                "No function of this kernel fits in the hard tube: {n} points are in conflict (marked). Use the soft "
                "tube, an ε above {least}, or another kernel.", least=least), solved.conflict)
        return FitError(plural(
            len(solved.conflict),
            "No function of this kernel fits in the hard tube: {n} point is in conflict (marked). Use the soft tube, "
            "an ε of at least {least}, or another kernel.",
            "No function of this kernel fits in the hard tube: {n} points are in conflict (marked). Use the soft tube, "
            "an ε of at least {least}, or another kernel.", least=enough), solved.conflict)

    def _enough(self, solved: Solved, least: float, kernel: Kernel, X: Array, t: Array, check: Check) -> float | None:
        """Return an epsilon of three digits that has been solved for, next above the least one; None if none is found
        in the time there is."""
        from kernelplay.models.least_tube import MOST, MOST_RANK, TRIES, least_epsilon, rounded_up

        gram = solved.problem.gram
        if gram.n > MOST or gram.rank > MOST_RANK:
            return None
        if not kernel.strictly_pd:  # else only equal inputs conflict, and the multipliers say by how much
            found = least_epsilon(gram.dense(check) if gram.L is None else gram.L, solved.problem.t)
            if found is None:
                return None
            least = max(least, found)
        for steps in range(TRIES):
            epsilon = rounded_up(least, steps)
            try:
                again = solve(kernel, X, t, epsilon, math.inf, None, check=check, last=None)
            except FitError:
                continue
            if again.ray is None:
                return epsilon
        return None


@dataclass(frozen=True, eq=False)
class SVRFit(Fit):
    """f(x) = sum (a_n - a^_n) k(x_n, x) + b."""

    model: SVR
    solved: Solved
    indefinite: float | None  # smallest eigenvalue of a kernel matrix that is not positive semi-definite

    @cached_property
    def coef(self) -> Array:
        """(n,) a_n - a^_n, those of repeated points shared evenly."""
        coef = self.solved.rows(self.solved.solution.beta)
        return read_only(np.where(np.abs(self.solved.state) == 2, np.sign(coef) * self.model.C, coef))

    @property
    def alpha(self) -> Array:
        """(n,) a_n: multipliers of the points above the tube."""
        return read_only(np.maximum(self.coef, 0.0))

    @property
    def alpha_star(self) -> Array:
        """(n,) a^_n: multipliers of the points below the tube."""
        return read_only(np.maximum(-self.coef, 0.0))

    @property
    def variables(self) -> Array:
        return self.coef

    def certify(self, variables: Array) -> Certificate:
        """Return the certificate of a - a^ = `variables` (n,) with the fitted b."""
        return self.solved.certify(np.asarray(variables, dtype=float))

    @property
    def b(self) -> float:
        """The bias; the middle of `b_interval` where the problem leaves it open."""
        return self.solved.f.b

    @property
    def b_interval(self) -> tuple[float, float]:
        """All optimal values of b."""
        shift = self.solved.level + self.solved.f.shift
        low, high = self.solved.solution.bias_interval
        return low + shift, high + shift

    @property
    def w(self) -> Array | None:
        """(d,) weights where f(x) = w.x + b, else None."""
        return self.solved.f.w

    @cached_property
    def free_sv(self) -> NDArray[np.intp]:
        """Rows with 0 < a < C or 0 < a^ < C."""
        return np.flatnonzero(np.abs(self.solved.state) == 1)

    @cached_property
    def bound_sv(self) -> NDArray[np.intp]:
        """Rows with a = C or a^ = C."""
        return np.flatnonzero(np.abs(self.solved.state) == 2)

    @cached_property
    def non_sv(self) -> NDArray[np.intp]:
        """Rows with a = a^ = 0: inside the tube."""
        return np.flatnonzero(self.solved.state == 0)

    @cached_property
    def support(self) -> NDArray[np.intp]:
        """Rows with a or a^ above 0."""
        return np.flatnonzero(self.solved.state)

    @property
    def support_above(self) -> NDArray[np.intp]:
        """Support vectors at or above the upper edge of the tube, a > 0."""
        return np.flatnonzero(self.solved.state > 0)

    @property
    def support_below(self) -> NDArray[np.intp]:
        """Support vectors at or below the lower edge of the tube, a^ > 0."""
        return np.flatnonzero(self.solved.state < 0)

    @property
    def n_sv(self) -> int:
        """The number of support vectors."""
        return len(self.support)

    @cached_property
    def f_train(self) -> Array:
        solution = self.solved.solution
        return read_only((solution.f0 + (solution.bias + self.solved.level))[self.solved.group])

    @cached_property
    def residuals(self) -> Array:
        """(n,) t_n - f(x_n)."""
        solution = self.solved.solution
        return read_only((self.solved.problem.t - solution.f0 - solution.bias)[self.solved.group])

    @cached_property
    def slack(self) -> Array:
        """(n,) xi_n + xi^_n = max(0, |t_n - f(x_n)| - epsilon); short of a = C it is 0 up to the KKT residual."""
        bounded = np.abs(self.solved.state) == 2
        return read_only(np.where(bounded, np.maximum(0.0, np.abs(self.residuals) - self.model.epsilon), 0.0))

    @property
    def rmse(self) -> float:
        """The root of the mean square residual."""
        return math.sqrt(float((self.residuals**2).mean()))

    @property
    def objective(self) -> float:
        """1/2 ||w||^2 + C sum (xi_n + xi^_n)."""
        price = self.model.C * float(self.slack.sum()) if self.model.margin == "soft" else 0.0
        return 0.5 * self.solved.norm2 + price

    @property
    def duality_gap(self) -> float:
        """Primal minus dual objective, relative."""
        return self.certificate["duality_gap"]

    def decision_function(self, Z: Array) -> Array:
        """Return f(Z) (m,)."""
        return self.solved.f(inputs(Z, self.X.shape[1]))

    def predict(self, Z: Array, return_std: bool = False) -> Any:
        """Return f(Z) (m,) for Z (m, d); SVR gives no deviation."""
        no_deviation(return_std)
        return self.decision_function(Z)

    def status(self) -> Say:
        if self.indefinite is not None:
            return indefinite_status(self.indefinite, self.n_sv, len(self.free_sv))
        if self.n_sv == 0:
            return say("SVR: all targets fit in a flat tube; no support vectors.")
        if self.model.margin == "hard":
            return plural(self.n_sv, "SVR with a hard tube: {n} support vector, {inside} points inside the tube.",
                          "SVR with a hard tube: {n} support vectors, {inside} points inside the tube.",
                          inside=len(self.non_sv))
        return plural(self.n_sv, "SVR: {n} support vector ({free} free), {inside} points inside the tube.",
                      "SVR: {n} support vectors ({free} free), {inside} points inside the tube.",
                      free=len(self.free_sv), inside=len(self.non_sv))

    def readouts(self) -> tuple[Readout, ...]:
        return (
            support_line(self.n_sv, len(self.y), len(self.free_sv)),
            Readout("support_sides", say("Above · below the tube"),
                    verbatim(f"{len(self.support_above)} · {len(self.support_below)}"),
                    [len(self.support_above), len(self.support_below)],
                    say("Support vectors at or beyond the upper and the lower edge of the tube.")),
            Readout("norm", say("Steepness ‖w‖"), *value(self.norm),
                    say("The norm of w: how far f is from flat.")),
            Readout("rmse", say("Root mean square residual"), *value(self.rmse),
                    say("The root mean square of tₙ − f(xₙ).")),
            Readout("objective", say("Objective"), *value(self.objective),
                    say("The minimised value: ½‖w‖² plus, for the soft tube, C times the sum of the slacks.")),
            *certificate_lines(self.certificate, self.solved.factor_error, self.indefinite),
        )

    @property
    def norm(self) -> float:
        """||w||; NaN where an indefinite kernel matrix leaves it without a length."""
        norm2 = self.solved.norm2
        return math.sqrt(norm2) if norm2 >= 0.0 else math.nan

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        from kernelplay.models.svr_charts import canvas, dual

        return canvas(self, view, check), dual(self)
