"""Kernel ridge regression: least squares in feature space with a penalty on the length of w, and no offset."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import inputs
from kernelplay.errors import Note
from kernelplay.i18n import Say, say
from kernelplay.marks import Chart, Curve, Readout, read_only
from kernelplay.models.base import Array, Certificate, Check, Fit, Model, View, checked, no_deviation, nothing
from kernelplay.models.ridge import System, abscissae, solve
from kernelplay.spec import real


@dataclass(frozen=True)
class KernelRidge(Model):
    """min sum_n (t_n − f(x_n))² + lambda ||w||², f(x) = k(x)'a, a = (K + lambda I)^-1 t. Bishop (6.2) to (6.9).

    With lambda = 1/beta it is the mean of the Gaussian process with the same kernel.
    """

    key = "krr"
    label = say("Kernel ridge regression")
    about = say("A smooth curve through the points: minimises the squared errors plus λ times the squared norm of w.")
    task = "regression"
    order = 50

    lambda_: float = real(0.01, 1e-6, 1e2, log=True, least=0.0, symbol="λ", label=say("Regularisation"),
                          help=say("Higher: the curve is pulled towards zero and follows the points less closely."))

    @property
    def formula(self) -> tuple[str, ...]:
        return ("min Σₙ (tₙ − f(xₙ))² + λ‖w‖²", "a = (K + λI)⁻¹t,  f(x) = k(x)ᵀa")

    def fit(self, X: Array, y: NDArray[Any], *, labels: tuple[Any, ...] | None = None, check: Check = nothing,
            last: Fit | None = None) -> KernelRidgeFit:
        X, t, _ = checked(self, X, y, labels)
        kernel = self.kernel.bind(X)
        like = last.system.gram if isinstance(last, KernelRidgeFit) else None
        system = solve(kernel, X, t, self.lambda_, "λ", indefinite=True, check=check, like=like)
        notes = (*system.notes, *_no_offset(system, X, t))
        return KernelRidgeFit(self, kernel, X, t, (), system.certificate, notes, system)


@dataclass(frozen=True, eq=False)
class KernelRidgeFit(Fit):
    """The fitted curve f(x) = sum_n coef_n k(x_n, x); `system` holds the solved equations."""

    system: System

    @property
    def coef(self) -> Array:
        """a (n,): the dual coefficients."""
        return self.system.spread

    @property
    def variables(self) -> Array:
        return self.system.unknowns

    @property
    def jitter(self) -> float:
        """What rounding made it necessary to add to the diagonal; 0 as a rule."""
        return self.system.jitter

    def certify(self, variables: Array) -> Certificate:
        return self.system.certify(variables)

    def decision_function(self, Z: Array) -> Array:
        return self.system.expansion.mean(inputs(Z, self.X.shape[1]))

    def predict(self, Z: Array, return_std: bool = False) -> Array:
        """Return f(Z) (m,). Kernel ridge knows no deviation: SpecError with `return_std`."""
        no_deviation(return_std)
        return self.decision_function(Z)

    @cached_property
    def f_train(self) -> Array:
        """f at the training inputs."""
        return self.system.fitted

    @property
    def training_error(self) -> float:
        """The root mean square of t_n − f(x_n)."""
        return float(np.sqrt(np.mean((self.y - self.f_train) ** 2)))

    @property
    def norm(self) -> float:
        """||w|| = sqrt(a'Ka), the length that the penalty holds down; NaN where an indefinite K makes a'Ka negative."""
        if self.system.direction is not None:
            return float(np.linalg.norm(self.system.direction))
        squared = float(self.system.coef @ self.system.gram.matvec(self.system.coef))
        return float(np.sqrt(squared)) if squared >= 0 else float("nan")

    def status(self) -> Say:
        if self.system.eig_min is not None:
            return say("Kernel matrix not positive semi-definite: smallest eigenvalue {low}. The equations are solved "
                       "(RMS training error {error}), but the curve may not minimise anything.",
                       low=self.system.eig_min, error=self.training_error)
        return say("Kernel ridge regression, RMS training error {error}, ‖w‖ = {norm}.",
                   error=self.training_error, norm=self.norm)

    def readouts(self) -> tuple[Readout, ...]:
        return (Readout("training_error", say("Training error"), say("{value}", value=self.training_error),
                        self.training_error, say("Root mean square of target minus curve at the points.")),
                Readout("norm", say("Norm of w"), say("{value}", value=self.norm),
                        self.norm if np.isfinite(self.norm) else None,
                        say("The penalty is λ times its square.")),
                *certificate_readouts(self.certificate, self.system))

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        if self.X.shape[1] != 1:
            return (Chart("canvas", type(self.model).label, ()),)
        x = abscissae(view, self.X)
        line = np.column_stack([x[:, 0], self.system.expansion.mean(x, check, picture=True)])
        marks = () if "mean" in view.hidden else (Curve("mean", "mean", say("f(x)"), lines=(read_only(line),)),)
        return (Chart("canvas", type(self.model).label, marks),)


def certificate_readouts(certificate: Certificate, system: System) -> tuple[Readout, ...]:
    """Return the certificate line by line, and the error of a low-rank factor and the jitter where there are any."""
    lines = [Readout(residual.key, residual.label, say("{value}", value=residual.value), residual.value, residual.help,
                     group="certificate") for residual in certificate.residuals]
    if system.gram.low_rank:
        bound = system.factor_error
        lines.append(Readout("factor_error", say("Low-rank error bound"),
                             say("{bound} with rank {rank}", bound=bound, rank=system.gram.rank), bound,
                             say("Largest residual caused by using a factor of this rank instead of the full kernel "
                                 "matrix."), group="certificate"))
    if system.eig_min is not None:
        lines.append(Readout("eig_min", say("Smallest eigenvalue"), say("{value}", value=system.eig_min),
                             system.eig_min, say("Of the kernel matrix. If negative, the curve may not minimise "
                                                 "anything."),
                             group="certificate"))
    if system.jitter > 0:
        lines.append(Readout("jitter", say("Jitter"), say("{value}", value=system.jitter), system.jitter,
                             say("Small number added to the diagonal to counter rounding errors."),
                             group="certificate"))
    return tuple(lines)


def _no_offset(system: System, X: Array, t: Array) -> tuple[Note, ...]:
    """Return the note that there is no offset, where it shows: targets far from zero that the curve fails to reach."""
    mean = float(t.mean())
    if len(t) < 2 or abs(mean) <= 2 * float(t.std()):
        return ()
    return (Note(say("Kernel ridge regression has no offset: far from the points the curve returns to zero, not to the "
                     "mean target {mean}. Subtract the mean, or add a constant kernel.", mean=mean),
                 "info"),)
