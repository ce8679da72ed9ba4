"""The perceptron: one mistaken point after another pulls the boundary, until there is none or a cap is reached."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import inputs
from kernelplay.errors import FitError, Note
from kernelplay.i18n import Say, say
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Chart, Frames, Readout, read_only
from kernelplay.models.base import (
    Array,
    Certificate,
    Check,
    Fit,
    Model,
    View,
    checked,
    need_two_classes,
    no_deviation,
    nothing,
)
from kernelplay.models.perceptron_bound import Lemmas, Separation, bound, least_bound, lemmas, separate, whole
from kernelplay.models.perceptron_run import play
from kernelplay.models.perceptron_space import PLANE, Space, activation
from kernelplay.models.perceptron_trace import Rule, Trace
from kernelplay.spec import child, choice, flag, integer, real


@dataclass(frozen=True)
class Perceptron(Model):
    """theta <- theta + eta y_n x~_n for a point with sign(theta.x~_n) != y_n, sign(0) = +1, until none is left.

    x~ = x through the origin, (1, x) with offset; behind a kernel x~ = phi(x) or (1, phi(x)), and f(x) = eta sum_n c_n
    y_n k(x_n, x) + b with c_n the updates with point n. Rosenblatt 1958; the bound (R/gamma)^2 is Novikoff's, 1962.
    """

    key = "perceptron"
    label = say("Perceptron")
    about = say("Corrects one misclassified point after another until no mistakes are left.")
    place: ClassVar[int] = 10  # in the list of models: `order` is a parameter here
    task = "classification"
    most_classes = 2

    kernel: Kernel = child("kernel", {"name": "linear"}, label=say("Kernel"),
                           help=say("Measures how similar two inputs are."))
    bias: bool = flag(True, label=say("With offset"),
                      help=say("On: the boundary may lie anywhere. Off: with the linear kernel it passes through the "
                               "origin."))
    eta: float = real(1.0, 1e-2, 1e1, log=True, open_least=True, least=0.0, symbol="η", label=say("Learning rate"),
                      help=say("Higher: each update moves θ further. Starting from 0, η only scales θ; the mistakes "
                               "are the same."))
    order: str = choice(  # type: ignore[assignment, misc]
        "cyclic", {"cyclic": say("Cyclic"), "random": say("Random")}, label=say("Order"),
        help=say("Cyclic: pass after pass in the order of the points. Random: each update picks a misclassified point "
                 "uniformly at random."))
    seed: int = integer(0, 0, 99, label=say("Seed"), when=("order", ("random",)),
                        help=say("A different seed gives a different random order."))
    start: str = choice("zero", {"zero": say("Zero"), "1/n": say("1/n")}, label=say("Start"),
                        help=say("Zero: θ starts at 0. 1/n: each component of θ starts at 1/n for n points; with a "
                                 "nonlinear kernel, each point's coefficient does."))
    max_epochs: int = integer(100, 1, 1000, log=True, label=say("Maximum passes"),
                              help=say("The run stops after this many passes over the points. In random order, n "
                                       "updates count as one pass."))
    max_updates: int = integer(5_000, 10, 100_000, least=1, log=True, label=say("Maximum updates"),
                               help=say("The run stops after this many updates, not counting passes that repeat "
                                        "exactly."))

    @property
    def formula(self) -> tuple[str, ...]:
        x = "x̃" if self.bias else "x"
        if self.kernel.key == "linear":
            return f"f(x) = θ·{x},  sign(0) = +1", f"yₙ ≠ sign f(xₙ):  θ ← θ + η yₙ {x}ₙ"
        b = " + b" if self.bias else ""
        return (f"f(x) = η Σₙ cₙ yₙ k(xₙ, x){b}", "yₙ ≠ sign f(xₙ):  cₙ ← cₙ + 1",
                "θ = η Σₙ cₙ yₙ φ(xₙ)" if not self.bias else "θ = η Σₙ cₙ yₙ (1, φ(xₙ))")

    def fit(self, X: Array, y: NDArray[Any], *, labels: tuple[Any, ...] | None = None, check: Check = nothing,
            last: Fit | None = None) -> PerceptronFit:
        """Return the PerceptronFit: the whole run, and what is known of it beforehand.

        Raises FitError for unusable data and for one class, Cancelled when `check` does.
        """
        X, y, present = checked(self, X, y, labels)
        need_two_classes(present)
        kernel = self.kernel.bind(X)
        space = _space(kernel, X, y, self, check)
        trace = play(space, Rule(self.order == "cyclic", self.seed, self.max_epochs, self.max_updates), check)
        separation = separate(space, trace, check)
        from kernelplay.models.perceptron_words import notes

        unproved = Certificate(())
        fit = PerceptronFit(self, kernel, X, y, present, unproved, (), space, separation, trace)
        certificate = fit.certify(fit.alpha)
        said: tuple[Note, ...] = notes(fit)
        return PerceptronFit(self, kernel, X, y, present, certificate, said, space, separation, trace)


def _space(kernel: Kernel, X: Array, y: Array, model: Perceptron, check: Check) -> Space:
    start = 0.0 if model.start == "zero" else 1 / len(y) / model.eta
    space = Space(kernel, X, y, model.bias, start)
    with np.errstate(over="ignore", invalid="ignore"):
        q = space.q
    if not np.isfinite(q).all():
        row = int(np.flatnonzero(~np.isfinite(q))[0])
        raise FitError(say("k(x, x) overflows at row {row}: scale the points down.",
                           row=row + 1), (row,))
    if space.lifted is not None:
        return space
    from kernelplay.numerics.gram import TooLarge, factorise

    try:
        gram = factorise(space.k, X, check=check, rows=True)
    except TooLarge:
        raise FitError(say("The kernel matrix of {n} points is too large: use fewer points, or a positive "
                           "semi-definite kernel.", n=len(y))) from None
    return Space(kernel, X, y, model.bias, start, gram)


@dataclass(frozen=True, eq=False)
class PerceptronFit(Fit):
    """A run of the perceptron. `trace`: every update; `separation`: what holds for any order; `space`: x~ and k~."""

    model: Perceptron
    space: Space
    separation: Separation
    trace: Trace

    @cached_property
    def alpha(self) -> Array:
        """(n,) how often each point was updated; f(x) = eta sum alpha_n y_n k(x_n, x) + b from zero."""
        return read_only(self.trace.counts())

    @property
    def variables(self) -> Array:
        return self.alpha

    @property
    def counts(self) -> Array:
        """(n,) updates with each point: alpha under its other name."""
        return self.alpha

    @cached_property
    def path(self) -> Array | None:
        """(k + 1, r) theta after 0, 1, … updates, in units of eta; None behind a kernel or in more than 3 dimensions.

        Summed as the run sums it, so that its last row is theta to the last bit.
        """
        lifted, theta_0 = self.space.lifted, self.space.theta_0
        if lifted is None or theta_0 is None or lifted.shape[1] > PLANE:
            return None
        added = lifted[self.trace.point] * self.y[self.trace.point, None]
        return read_only(np.vstack([theta_0, added]).cumsum(axis=0))

    @cached_property
    def theta(self) -> Array | None:
        """(r,) theta, the constant coordinate first where there is one; None behind a kernel that is not linear."""
        if self._unit is None:
            return None
        return read_only(self.model.eta * self._unit)

    @cached_property
    def _unit(self) -> Array | None:
        return self.path[-1] if self.path is not None else self.space.theta(self.alpha)

    def theta_at(self, k: int) -> Array | None:
        """Return theta (r,) after k updates; None behind a kernel that is not linear."""
        unit = self.path[k] if self.path is not None else self.space.theta(self.trace.counts(k))
        return None if unit is None else self.model.eta * unit

    @property
    def w(self) -> Array | None:
        """(d,) weights where f(x) = w.x + b; None behind a kernel that is not linear."""
        if self.theta is None:
            return None
        return self.theta[1:] if self.space.constant else self.theta

    @property
    def b(self) -> float:
        """The offset; 0 without one."""
        if not self.space.constant:
            return 0.0
        if self.theta is not None:
            return float(self.theta[0] * math.sqrt(self.space.constant))
        return float(self.model.eta * self.space.coefficients(self.alpha).sum() * self.space.constant)

    @property
    def mistakes(self) -> int:
        """The number of updates."""
        return self.trace.mistakes

    @property
    def epochs(self) -> int:
        """The passes made, with the last, clean one."""
        return self.trace.epochs

    @property
    def mistakes_per_epoch(self) -> NDArray[np.intp]:
        """(epochs,) mistakes in each pass."""
        return self.trace.mistakes_per_epoch

    @property
    def mistakes_per_epoch_first(self) -> NDArray[np.intp]:
        """Mistakes in the first five passes."""
        return self.mistakes_per_epoch[:5]

    @property
    def converged(self) -> bool:
        """Whether a whole pass without a mistake was made."""
        return self.trace.converged

    @property
    def separable(self) -> bool | None:
        """Whether some theta has all points strictly on their sides; None where double precision does not tell."""
        return self.separation.separable

    @property
    def conflict(self) -> tuple[int, ...]:
        """The points of the certificate that no theta has them all strictly on their sides."""
        return self.separation.conflict

    @property
    def R2(self) -> float:
        """R^2 = max ||x~_n||^2."""
        return self.space.R2

    @property
    def R(self) -> float:
        """R = max ||x~_n||."""
        return math.sqrt(max(0.0, self.R2))

    @property
    def gamma(self) -> float | None:
        """The largest margin that a unit vector of the space of x~ reaches; None where it is 0 or not known."""
        return self.separation.gamma if self.separation.gamma > 0 else None

    @property
    def gamma2(self) -> float | None:
        """gamma^2."""
        return None if self.gamma is None else self.gamma**2

    @cached_property
    def bound(self) -> float | None:
        """The largest number of updates, as a real number: (R/gamma)^2 from zero. None: there is no bound."""
        return bound(self.space, self.separation)

    @property
    def bound_floor(self) -> int | None:
        """The bound as a whole number of updates."""
        return None if self.bound is None else whole(self.bound)

    @property
    def bound_least(self) -> float:
        """A number that every bound must exceed, as the run itself shows."""
        return least_bound(self.lemmas, self.space)

    @cached_property
    def lemmas(self) -> Lemmas:
        """Both lemmas of the proof along the run, in units of eta."""
        return lemmas(self.space, self.trace, self.separation, self.path)

    @cached_property
    def f_train(self) -> Array:
        return read_only(self.model.eta * self.y * self.trace.final)

    @cached_property
    def misclassified(self) -> NDArray[np.intp]:
        """Rows that are mistaken at the end."""
        return np.flatnonzero((self.f_train >= 0) != (self.y > 0))

    @property
    def training_error(self) -> float:
        """The share of points that are mistaken at the end."""
        return len(self.misclassified) / len(self.y)

    def decision_function(self, Z: Array) -> Array:
        """Return f(Z) (m,)."""
        Z = inputs(Z, self.X.shape[1])
        lifted = self.space.lift(Z)
        if lifted is not None and self._unit is not None:
            return self.model.eta * activation(self._unit, lifted)
        return self.model.eta * self.space.activations(self.alpha, Z)

    def predict(self, Z: Array, return_std: bool = False) -> Any:
        """Return the label of each row of Z (m, d); f = 0 counts as the first label."""
        no_deviation(return_std)
        return np.where(self.decision_function(Z) >= 0, *np.array(self.labels))

    def certify(self, variables: Array) -> Certificate:
        """Return the certificate that `variables` (n,) would have as the numbers of updates."""
        from kernelplay.models.perceptron_words import certificate

        return certificate(self, np.asarray(variables, dtype=float))

    def status(self) -> Say:
        from kernelplay.models.perceptron_words import status

        return status(self)

    def readouts(self) -> tuple[Readout, ...]:
        from kernelplay.models.perceptron_words import readouts

        return readouts(self)

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        from kernelplay.models.perceptron_charts import canvas, side_charts

        return canvas(self, view, check), *side_charts(self)

    def frames(self, view: View) -> Frames | None:
        from kernelplay.models.perceptron_frames import frames

        return frames(self, view)
