"""Gaussian-process classification of two classes by Laplace's approximation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import inputs
from kernelplay.errors import Note
from kernelplay.i18n import Say, plural, say
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Chart, Dots, Mark, Readout, read_only
from kernelplay.models import decision
from kernelplay.models.base import Array, Certificate, Check, Fit, Model, View, checked, nothing
from kernelplay.models.gradient import Gradient, gradient_readouts, laplace_gradient
from kernelplay.models.laplace import Mode, find_mode, sigmoid
from kernelplay.models.posterior import Expansion
from kernelplay.models.ridge import factor, not_finite, unproved
from kernelplay.spec import Path, child, choice, real

if TYPE_CHECKING:
    from kernelplay.numerics.gram import Gram

COARSE = 3e-4  # trace error, relative, of the factor on which the search for the mode begins
MANY = 250  # points from which on that saves time
THIN = 64  # rank of a factor below which it does not
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9)  # 1/2 is the boundary
PROBES = 64  # training inputs at which an interpolated variance map is compared with the variance itself
MAP_ERROR = 1e-5  # of the prior variance, allowed in that map: about 1e-6 in the probability


@dataclass(frozen=True)
class GPClassification(Model):
    """p(t = 1 | a) = sigma(a(x)), a a Gaussian process with C = K + nu I; the posterior of a by Laplace.

    Bishop 6.4.5, 6.4.6; Rasmussen and Williams, Algorithms 3.1, 3.2 and 5.1.
    """

    key = "gpc"
    label = say("Gaussian process classification")
    about = say("Class probabilities everywhere, uncertain where there are no points.")
    task = "classification"
    order = 30
    scaled = True
    diagonal: ClassVar[Path] = "nu"  # the path of the number on the diagonal of C

    kernel: Kernel = child("kernel", {"name": "scale", "of": {"name": "rbf"}}, label=say("Covariance"),
                           help=say("How the latent values at two inputs vary together before seeing data."))
    nu: float = real(0.01, 1e-6, 1.0, log=True, least=0.0, symbol="ν", label=say("Jitter of the latent values"),
                     help=say("Higher: latent values of neighbours may differ more; the latent variance grows."))
    probability: str = choice("averaged", {"averaged": say("Averaged over the latent value"),
                                           "map": say("Sigmoid of the latent mean")},
                              label=say("Probability"),
                              help=say("The average accounts for the uncertainty of the latent value; the sigmoid of "
                                       "its mean does not. Both agree on the boundary."))

    @property
    def formula(self) -> tuple[str, ...]:
        return ("p(tₙ = 1 | aₙ) = σ(aₙ),  a ~ N(0, C),  C = K + νI",
                "max ln p(a | t):  a = C(t − σ(a))",
                "p(x) = σ(m / √(1 + πv/8)),  m = k(x)ᵀ(t − σ),  v = k(x, x) + ν − k(x)ᵀ(W⁻¹ + C)⁻¹k(x)")

    def fit(self, X: Array, y: NDArray[Any], *, labels: tuple[Any, ...] | None = None, check: Check = nothing,
            last: Fit | None = None) -> GPClassificationFit:
        from kernelplay.numerics.linalg import NotFinite

        X, y, present = checked(self, X, y, labels)
        kernel = self.kernel.bind(X)
        earlier = last.mode if isinstance(last, GPClassificationFit) else None
        # the matrix to factorise is C + 1/W, and 1/W is 4 at least
        gram = factor(kernel, X, self.nu + 4.0, check, earlier.gram if earlier is not None else None)
        notes = [] if kernel.psd else unproved(gram, indefinite=False)[1]
        try:
            same = earlier is not None and len(earlier.alpha) == len(y)
            nearby = earlier if same else _coarse(kernel, X, y, self.nu, gram, check)
            mode = find_mode(gram, y, self.nu, nearby, check)
        except NotFinite:
            raise not_finite() from None
        if mode.shifted.jitter > 0:
            notes.append(Note(say("C + W⁻¹ is numerically singular: a jitter of {jitter} was added to its diagonal. "
                                  "Lower the factor of the kernel.", jitter=mode.shifted.jitter)))
        certificate = mode.certify(mode.alpha)
        if not certificate.holds:
            notes.append(Note(say("The mode is only accurate to a relative gradient of {gradient}: the latent values "
                                  "are so large that rounding dominates. Lower the factor of the kernel.",
                                  gradient=certificate["gradient"])))
        if len(present) == 1:
            notes.append(Note(say("All points belong to one class: its probability is above 1/2 near them and 1/2 far "
                                  "away, so there is no boundary. Add points of a second class."), "info"))
        return GPClassificationFit(self, kernel, X, y, present, certificate, tuple(notes), mode)


@dataclass(frozen=True, eq=False)
class GPClassificationFit(Fit):
    """Laplace's posterior; `mode` holds the mode, the factor at it and what proves it."""

    model: GPClassification
    mode: Mode

    @property
    def coef(self) -> Array:
        """t − sigma(a) at the mode (n,), t in {0, 1}: the latent mean is k(x)' coef."""
        return self.mode.alpha

    @property
    def variables(self) -> Array:
        return self.mode.alpha

    @property
    def latent_mode(self) -> Array:
        """The mode of p(a | t) at the training inputs (n,)."""
        return self.mode.latent

    def certify(self, variables: Array) -> Certificate:
        return self.mode.certify(variables)

    @cached_property
    def log_marginal_likelihood(self) -> float:
        """Laplace's ln p(t): −1/2 a'C^-1 a + sum ln p(t | a) − 1/2 ln|B| at the mode."""
        return self.mode.climb[-1] - 0.5 * self.mode.log_determinant

    @property
    def lml(self) -> float:
        """Laplace's ln p(t)."""
        return self.log_marginal_likelihood

    @cached_property
    def lml_gradient(self) -> Gradient:
        """The derivatives of lml by path ("kernel.of.gamma", "nu"), the mode's movement included."""
        return self.gradient()

    @property
    def lml_gradient_log(self) -> Gradient:
        """The derivatives of lml by the logarithms of the parameters."""
        return self.lml_gradient.log

    def gradient(self, paths: tuple[Path, ...] | None = None) -> Gradient:
        """Return the derivatives of lml by the parameters at `paths`, exact for the factored matrix."""
        return laplace_gradient(self.model, self.kernel, self.mode, paths)

    def latent_mean(self, Z: Array) -> Array:
        """Return the mean of a(z) (m,) at Z (m, d)."""
        return self._moments(Z)[0]

    def latent_var(self, Z: Array) -> Array:
        """Return the variance of a(z) (m,), nu included."""
        return self._moments(Z)[1]

    def p(self, Z: Array) -> Array:
        """Return p(t = +1) (m,), averaged over a(z): sigma(m / sqrt(1 + pi v / 8)). Bishop (4.153)."""
        return averaged(*self._moments(Z))

    def p_map(self, Z: Array) -> Array:
        """Return sigma(latent mean) (m,), which takes the latent value as known."""
        return sigmoid(self.latent_mean(Z))

    def p_exact_average(self, Z: Array) -> Array:
        """Return the average of sigma(a) over the Gaussian of a(z) itself (m,), by quadrature to about 1e-10."""
        return exact_average(*self._moments(Z))

    def probability_map(self, x: Array, y: Array, check: Check = nothing) -> Array:
        """Return (ny, nx): the probability that `model.probability` asks for, at (x_i, y_j); for two inputs."""
        from kernelplay.numerics import grid

        mean = grid.evaluate(self.kernel, self.mode.gram.landmarks, self._posterior.weights, x, y, check)
        if self.model.probability == "map":
            return sigmoid(mean)
        return averaged(mean, self._variance_map(x, y, check))

    def _variance_map(self, x: Array, y: Array, check: Check) -> Array:
        from kernelplay.numerics import grid, smooth

        posterior, landmarks = self._posterior, self.mode.gram.landmarks

        def on_grid(x: Array, y: Array) -> Array:
            variance = np.empty(len(x) * len(y))
            whole = (slice(0, len(variance)), np.zeros((len(variance), 0)))
            for where, k in grid.rows(self.kernel, landmarks, x, y, check) if len(landmarks) else (whole,):
                j = np.arange(where.start, where.stop)
                prior = self.kernel.diagonal(np.column_stack([x[j % len(x)], y[j // len(x)]]))
                variance[where] = posterior.of(k, prior, check=check)[1]
            return variance.reshape(len(y), len(x))

        def at(Z: Array) -> Array:
            return posterior.moments(Z, check, picture=True)[1]

        every = max(1, len(self.X) // PROBES)
        tolerance = MAP_ERROR * float(self.mode.gram.diagonal.max())
        variance = smooth.over_rectangle(on_grid, at, self.X[::every], x, y, tolerance)
        return np.maximum(variance, 0.0) + self.model.nu

    @cached_property
    def _scale(self) -> float:
        """What the rounding of a probability near 1/2 is relative to: 1, and a quarter of the terms of the mean."""
        return max(1.0, decision.terms(self.kernel, self.mode.gram.landmarks, self._posterior.weights) / 4)

    @cached_property
    def _posterior(self) -> Expansion:
        return Expansion(self.kernel, self.mode.gram, self.mode.shifted, self.coef)

    def _moments(self, Z: Array) -> tuple[Array, Array]:
        mean, variance = self._posterior.moments(inputs(Z, self.X.shape[1]))
        return mean, variance + self.model.nu

    def decision_function(self, Z: Array) -> Array:
        return self.latent_mean(Z)

    def predict(self, Z: Array, return_std: bool = False) -> Any:
        """Return the more probable label (m,), +1's in a tie; with `return_std` also the deviation of a(z)."""
        mean, variance = self._moments(Z)
        names = np.array(self.labels if len(self.labels) == 2 else self.labels * 2)
        found = names[(mean < 0).astype(int)]
        return (found, np.sqrt(variance)) if return_std else found

    @cached_property
    def f_train(self) -> Array:
        """The latent mean k(x)'(t − sigma(a)) at the training inputs: without nu's share in the mode."""
        return read_only(self.mode.gram.matvec(self.mode.alpha))

    @property
    def misclassified(self) -> NDArray[np.intp]:
        """The training points (rows) whose own class is the less probable one."""
        return np.flatnonzero(np.where(self.f_train >= 0, 1.0, -1.0) != self.y)

    def status(self) -> Say:
        return plural(len(self.misclassified),
                      "GP classification, log marginal likelihood {lml}, {n} point misclassified.",
                      "GP classification, log marginal likelihood {lml}, {n} points misclassified.", lml=self.lml)

    def readouts(self) -> tuple[Readout, ...]:
        wrong = len(self.misclassified)
        fit, complexity = self.mode.climb[-1], -0.5 * self.mode.log_determinant
        return (Readout("log_marginal_likelihood", say("Log marginal likelihood"), say("{value}", value=self.lml),
                        self.lml, say("Log probability of these classes under the prior, by "
                                      "the Laplace approximation.")),
                Readout("data_fit", say("Data fit −½aᵀC⁻¹a + Σ ln p(t | a)"), say("{value}", value=fit), fit,
                        say("The log posterior at its mode, without its constant.")),
                Readout("complexity", say("Complexity −½ln|B|"), say("{value}", value=complexity), complexity,
                        say("How much narrower the posterior is than the prior.")),
                *gradient_readouts(self, self.mode.gram),
                Readout("training_error", say("Misclassified"), say("{wrong} of {n}", wrong=wrong, n=len(self.y)),
                        wrong, say("Points whose own class has the lower probability.")),
                *(Readout(residual.key, residual.label, say("{value}", value=residual.value), residual.value,
                          residual.help, group="certificate") for residual in self.certificate.residuals),
                *self._approximations())

    def _approximations(self) -> tuple[Readout, ...]:
        """Return the lines of the certificate for what stands in the place of C: a factor, a jitter."""
        lines, gram, jitter = [], self.mode.gram, self.mode.shifted.jitter
        if gram.low_rank:
            bound = self.mode.factor_error
            lines.append(Readout("factor_error", say("Low-rank error bound"),
                                 say("{bound} with rank {rank}", bound=bound, rank=gram.rank), bound,
                                 say("Largest relative error of the latent values caused by using a factor of this "
                                     "rank instead of the full kernel matrix."), group="certificate"))
        if jitter > 0:
            lines.append(Readout("jitter", say("Jitter"), say("{value}", value=jitter), jitter,
                                 say("Small number added to the diagonal to counter rounding errors."),
                                 group="certificate"))
        return tuple(lines)

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        marks: list[Mark] = []
        if self.X.shape[1] == 2:
            x, y = decision.cells(view)
            p = self.probability_map(x, y, check)
            averaged_p = self.model.probability == "averaged"
            found, _ = decision.two_class_marks(
                p, x, y, view, centre=0.5, limits=(0.0, 1.0), boundary_label=say("boundary p = 1/2"),
                field_label=say("probability p(x)") if averaged_p else say("probability σ(mean)"), scale=self._scale)
            marks += (mark for mark in found if mark.layer != "boundary" or len(self.labels) == 2)
            if "contours" not in view.hidden:
                marks += decision.contour_marks(p, x, y, LEVELS, say("probability 0.1 … 0.9"), digits=1)
            if "errors" not in view.hidden and len(self.misclassified):
                wrong = self.misclassified
                marks.append(Dots("error", "errors", say("misclassified"), xy=read_only(self.X[wrong]),
                                  index=read_only(wrong, np.intp)))
        return (Chart("canvas", type(self.model).label, tuple(marks), equal_aspect=True),)


def _coarse(kernel: Kernel, X: Array, y: Array, nu: float, gram: Gram, check: Check) -> Mode | None:
    """Return the mode on a coarse factor of the kernel, where there is one: the search begins there."""
    from kernelplay.numerics.gram import factorise

    if len(X) < MANY or not kernel.psd or (gram.low_rank and gram.rank < THIN):
        return None
    coarse = factorise(kernel, X, check=check, tol=COARSE)
    return find_mode(coarse, y, nu, None, check, COARSE) if coarse.low_rank else None


def averaged(mean: Array, variance: Array) -> Array:
    """Return sigma(mean / sqrt(1 + pi variance / 8)). Bishop (4.153); MacKay's approximation."""
    return sigmoid(mean / np.sqrt(1 + np.pi * variance / 8))


def exact_average(mean: Array, variance: Array) -> Array:
    """Return the average of sigma(a), a ~ N(mean, variance), to about 1e-10.

    The trapezoidal rule, which converges exponentially here (the poles of sigma lie pi / deviation off the line); for
    deviations above 100 the Gaussian of variance + pi²/3 in place of logistic noise, wrong there by less than 1e-8.
    """
    deviation = np.sqrt(variance)
    p = np.empty(len(mean))
    for n in range(len(mean)):
        if deviation[n] > 100:
            p[n] = 0.5 * math.erfc(-mean[n] / math.sqrt(2 * (variance[n] + math.pi**2 / 3)))
            continue
        u = np.linspace(-9.0, 9.0, 201 + 20 * int(deviation[n]) * 2)
        weight = np.exp(-0.5 * u * u)
        p[n] = float(sigmoid(mean[n] + deviation[n] * u) @ weight) / float(weight.sum())
    return p
