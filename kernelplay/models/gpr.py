"""Gaussian-process regression: a mean, a band, and how likely the targets are under the prior."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import inputs
from kernelplay.i18n import Say, number, say
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Band, Chart, Curve, Mark, Readout, read_only
from kernelplay.models.base import Array, Certificate, Check, Fit, Model, View, checked, nothing
from kernelplay.models.gradient import Gradient, gradient_readouts, regression_gradient
from kernelplay.models.krr import certificate_readouts
from kernelplay.models.ridge import System, abscissae, solve
from kernelplay.spec import Path, child, choice, real


@dataclass(frozen=True)
class GPRegression(Model):
    """t ~ N(0, C), C = K + noise_var I: mean k'C^-1 t, variance k(z, z) + noise_var − k'C^-1 k.

    Bishop (6.61) to (6.70); Rasmussen and Williams, Algorithm 2.1.
    """

    key = "gpr"
    label = say("Gaussian process regression")
    about = say("A distribution over curves given the points: its mean, with a band that widens away from the data.")
    task = "regression"
    order = 60
    scaled = True
    diagonal: ClassVar[Path] = "noise_var"  # the path of the number on the diagonal of C

    kernel: Kernel = child("kernel", {"name": "scale", "of": {"name": "rbf"}}, label=say("Covariance"),
                           help=say("How the values at two inputs vary together before seeing data."))
    noise_var: float = real(0.01, 1e-6, 10.0, log=True, least=0.0, symbol="σ²", label=say("Noise variance"),
                            help=say("Higher: more of the scatter counts as noise; the mean is smoother and the "
                                     "predictive band wider. Equals 1/β."))
    band: str = choice("predictive", {"predictive": say("Predictive (with noise)"),
                                      "latent": say("Latent (without noise)")}, label=say("Band"),
                       help=say("Predictive: where new targets fall, including noise. Latent: where the curve itself "
                                "lies."))
    sigmas: float = real(2.0, 0.5, 4.0, least=0.0, open_least=True, symbol="k", label=say("Band width"),
                         help=say("Standard deviations on either side of the mean."))

    @property
    def formula(self) -> tuple[str, ...]:
        return ("t ~ N(0, C),  C = K + σ²I", "m(x) = k(x)ᵀC⁻¹t,  σ²(x) = k(x, x) + σ² − k(x)ᵀC⁻¹k(x)",
                "ln p(t) = −½tᵀC⁻¹t − ½ln|C| − ½N ln 2π")

    def fit(self, X: Array, y: NDArray[Any], *, labels: tuple[Any, ...] | None = None, check: Check = nothing,
            last: Fit | None = None) -> GPRegressionFit:
        X, t, _ = checked(self, X, y, labels)
        kernel = self.kernel.bind(X)
        like = last.system.gram if isinstance(last, GPRegressionFit) else None
        system = solve(kernel, X, t, self.noise_var, "σ²", check=check, like=like)
        return GPRegressionFit(self, kernel, X, t, (), system.certificate, system.notes, system)


@dataclass(frozen=True, eq=False)
class GPRegressionFit(Fit):
    """The posterior process; `system` holds C coef = t, solved."""

    model: GPRegression
    system: System

    @property
    def coef(self) -> Array:
        """C^-1 t (n,)."""
        return self.system.spread

    @property
    def variables(self) -> Array:
        return self.system.unknowns

    @property
    def jitter(self) -> float:
        """What rounding made it necessary to add to the diagonal of C; 0 as a rule."""
        return self.system.jitter

    def certify(self, variables: Array) -> Certificate:
        return self.system.certify(variables)

    @property
    def data_fit(self) -> float:
        """−1/2 t'C^-1 t, the part of the evidence that rewards following the points."""
        return -0.5 * float(self.system.t @ self.system.coef)

    @property
    def complexity(self) -> float:
        """−1/2 ln|C|, the part of the evidence that rewards a stiff prior."""
        assert self.system.shifted is not None
        return -0.5 * self.system.shifted.logdet

    @property
    def normalisation(self) -> float:
        """−N/2 ln 2 pi."""
        return -0.5 * len(self.system.t) * float(np.log(2 * np.pi))

    @property
    def log_marginal_likelihood(self) -> float:
        """ln p(t | kernel, noise_var), the evidence; of the distinct points where repeated ones count once."""
        return self.data_fit + self.complexity + self.normalisation

    lml = log_marginal_likelihood

    @cached_property
    def lml_gradient(self) -> Gradient:
        """The derivatives of lml by path ("kernel.of.gamma", "noise_var", "beta"); short names are understood."""
        return self.gradient()

    @property
    def lml_gradient_log(self) -> Gradient:
        """The derivatives of lml by the logarithms of the parameters: theta d lml / d theta."""
        return self.lml_gradient.log

    def gradient(self, paths: tuple[Path, ...] | None = None) -> Gradient:
        """Return the derivatives of lml by the parameters at `paths`, exact for the factored matrix."""
        return regression_gradient(self.model, self.kernel, self.system, paths)

    def mean(self, Z: Array) -> Array:
        """Return the posterior mean (m,) at Z (m, d)."""
        return self.system.expansion.mean(self._inputs(Z))

    def latent_var(self, Z: Array) -> Array:
        """Return the posterior variance of the curve (m,), noise left out."""
        return self.system.expansion.moments(self._inputs(Z))[1]

    def var(self, Z: Array) -> Array:
        """Return the predictive variance of a new target (m,), noise included."""
        return self.latent_var(Z) + self.model.noise_var

    def decision_function(self, Z: Array) -> Array:
        return self.mean(Z)

    def predict(self, Z: Array, return_std: bool = False) -> Any:
        """Return the mean (m,), with `return_std` also the standard deviation of a new target, noise included."""
        if not return_std:
            return self.mean(Z)
        mean, variance = self.system.expansion.moments(self._inputs(Z))
        return mean, np.sqrt(variance + self.model.noise_var)

    def _inputs(self, Z: Array) -> Array:
        return inputs(Z, self.X.shape[1])

    @cached_property
    def f_train(self) -> Array:
        """The mean at the training inputs."""
        return self.system.fitted

    @property
    def training_error(self) -> float:
        """The root mean square of t_n − m(x_n)."""
        return float(np.sqrt(np.mean((self.y - self.f_train) ** 2)))

    def status(self) -> Say:
        return say("GP regression, log marginal likelihood {lml}, noise σ {noise}, training error {error}.",
                   lml=self.lml, noise=float(np.sqrt(self.model.noise_var)), error=self.training_error)

    def readouts(self) -> tuple[Readout, ...]:
        noise = float(np.sqrt(self.model.noise_var))
        return (Readout("log_marginal_likelihood", say("Log marginal likelihood"), say("{value}", value=self.lml),
                        self.lml, say("Log probability density of these targets under the prior: the evidence for the "
                                      "kernel and the noise.")),
                Readout("data_fit", say("Data fit −½tᵀC⁻¹t"), say("{value}", value=self.data_fit), self.data_fit,
                        say("Falls when the points lie where the prior does not expect them.")),
                Readout("complexity", say("Complexity −½ln|C|"), say("{value}", value=self.complexity), self.complexity,
                        say("Falls when the prior allows many different datasets.")),
                Readout("normalisation", say("Constant −½N ln 2π"), say("{value}", value=self.normalisation),
                        self.normalisation, say("The same for every kernel.")),
                *gradient_readouts(self, self.system.gram),
                Readout("noise", say("Noise σ"), say("{value}", value=noise), noise,
                        say("Standard deviation of a target around the curve.")),
                Readout("training_error", say("Training error"), say("{value}", value=self.training_error),
                        self.training_error, say("Root mean square of target minus mean at the points.")),
                *certificate_readouts(self.certificate, self.system))

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        title = type(self.model).label
        if self.X.shape[1] != 1:
            return (Chart("canvas", title, ()),)
        x = abscissae(view, self.X)
        marks: list[Mark] = []
        if "band" in view.hidden:
            mean = self.system.expansion.mean(x, check, picture=True)
        else:
            mean, variance = self.system.expansion.moments(x, check, picture=True)
            predictive = self.model.band == "predictive"
            reach = self.model.sigmas * np.sqrt(variance + (self.model.noise_var if predictive else 0.0))
            times = number(self.model.sigmas)
            name = say("predictive, ±{times}σ", times=times) if predictive else say("latent, ±{times}σ", times=times)
            marks.append(Band("band", "band", name, x=read_only(x[:, 0]), lower=read_only(mean - reach),
                              upper=read_only(mean + reach)))
        if "mean" not in view.hidden:
            marks.append(Curve("mean", "mean", say("mean"), lines=(read_only(np.column_stack([x[:, 0], mean])),)))
        return (Chart("canvas", title, tuple(marks)),)
