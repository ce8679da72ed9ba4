"""Draws from the prior of a Gaussian process: a function of the kernel in use, on what is visible."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np

from kernelplay.datasets.base import Array, Classes, Dataset, Labelled, Random, balance
from kernelplay.datasets.base import noise as noise_
from kernelplay.datasets.typed import between, chosen, with_share
from kernelplay.errors import FitError
from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.kernels.base import Kernel
from kernelplay.scene import Points, Rectangle, Scene, data_view
from kernelplay.spec import build, integer

MOST = 700  # points of a dense factor: less than a frame
CANDIDATES = 4  # places for each point, where both classes must have their share
AREA: Rectangle = (-2.0, 2.0, -2.0, 2.0)  # without a scene

Data = TypeVar("Data", bound=Dataset)

_NOISE = say("Standard deviation of the noise added to the function; “model” uses the model's noise, or 0 if it has "
             "none.")


def _points() -> int:
    n: int = integer(60, 4, 500, symbol="n", most=MOST, label=say("Number of points"),
                     help=say("Number of points to draw; more points show the shape more clearly."))
    return n


@dataclass(frozen=True)
class PriorSignal(Dataset):
    """t = f(x) + noise with f ~ GP(0, k), x spread evenly over what is visible; k is the kernel of the model.

    Exact: f = L z with L L' = K(x, x) + jitter I and z standard normal (Rasmussen and Williams, appendix A.2). The same
    z serves other kernels, so that a change of the kernel bends the curve that is there.
    """

    key = "prior"
    label = say("Draw from the prior")
    about = say("A function drawn from a Gaussian process with the current kernel, over the visible range.")
    task = "regression"
    default_model = "gpr"
    order = 160

    n: int = _points()
    noise: float | str = noise_("model", 1.0, _NOISE, words=("model",))
    kernel: Kernel | None = None  # by `bind`
    area: Rectangle = AREA

    def bind(self, scene: Scene) -> Self:
        return bound(self, scene)

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        x = between(self.area[0], self.area[1], places.uniform(size=self.n))
        kernel, sigma = self.kernel or usual(), spread(self)
        f, jitter = function(kernel, x[:, None], self.random(3))
        t = f + sigma * noise.normal(size=self.n)
        order = np.argsort(x, kind="stable")
        told = say("Drawn from the prior with the kernel {kernel} on {low} to {high}, seed {seed}, noise {noise}.",
                   kernel=verbatim(kernel.text()), low=number(self.area[0]), high=number(self.area[1]), seed=self.seed,
                   noise=number(sigma))
        return np.column_stack([x, t])[order], np.zeros(self.n, np.intp), (told, *jittered(jitter))

    def put(self, points: Points, scene: Scene) -> Scene:
        x0, x1, *_ = self.area
        scene = super().put(points, scene)
        return scene.with_view((x0, x1, *data_view(scene)[2:]))


@dataclass(frozen=True)
class PriorClasses(Labelled):
    """The class is the sign of f(x) + noise with f ~ GP(0, k), x spread evenly over what is visible.

    With a balance of its own the function is drawn at more places, of which as many are taken as each class needs.
    """

    key = "prior_classes"
    label = say("Draw from the prior")
    about = say("Classes given by the sign of a function drawn from a Gaussian process with the current kernel.")
    order = 77

    n: int = _points()
    noise: float | str = noise_("model", 1.0, _NOISE, words=("model",))
    balance: float | str = balance("free", "free")
    kernel: Kernel | None = None  # by `bind`
    area: Rectangle = AREA

    def bind(self, scene: Scene) -> Self:
        return bound(self, scene)

    def resolved(self, points: Points) -> Self:
        return with_share(self, points)

    def draw(self, places: Random, noise: Random) -> tuple[Array, Classes, tuple[Say, ...]]:
        m = self.n if isinstance(self.balance, str) else min(MOST, CANDIDATES * self.n)
        share = places.uniform(size=(m, 2))
        xy = np.column_stack([between(*self.area[:2], share[:, 0]), between(*self.area[2:], share[:, 1])])
        kernel, sigma = self.kernel or usual(), spread(self)
        f, jitter = function(kernel, xy, self.random(3))
        cls = np.where(f + sigma * noise.normal(size=m) >= 0, 0, 1)
        rows = (np.arange(m) if isinstance(self.balance, str)
                else chosen(cls, np.ones(m, np.bool_), self.n, self.balance))
        told = say("The sign of a draw from the prior with the kernel {kernel} over the visible range, seed {seed}, "
                   "noise {noise}.", kernel=verbatim(kernel.text()), seed=self.seed, noise=number(sigma))
        return xy[rows], cls[rows], (told, *jittered(jitter))

    def put(self, points: Points, scene: Scene) -> Scene:
        return super().put(points, scene).with_view(self.area)


def bound(data: Data, scene: Scene) -> Data:
    """Return `data` with the kernel of the model, its noise where that is asked for, and what is visible."""
    model = scene.model
    sigma = float(np.sqrt(model.get("noise_var"))) if "noise_var" in model.params() else 0.0
    changed = dataclasses.replace(data, kernel=model.kernel, area=scene.view or data_view(scene))  # type: ignore[call-arg]
    return changed.replace("noise", sigma) if data.noise == "model" else changed


def usual() -> Kernel:
    """Return the kernel that a Gaussian process begins with."""
    kernel: Kernel = build("model", {"name": "gpr"}).kernel
    return kernel


def spread(data: Dataset) -> float:
    """Return the standard deviation of the noise; without a model there is none."""
    return 0.0 if isinstance(data.noise, str) else data.noise


def function(kernel: Kernel, X: Array, random: Random) -> tuple[Array, float]:
    """Return a draw f (n,) of the process at X (n, d), and the jitter that its factor needed.

    Raises FitError where the kernel is no covariance.
    """
    from kernelplay.numerics.linalg import NotFinite, NotPositiveDefinite, cholesky

    z = random.normal(size=len(X))
    with np.errstate(all="ignore"):
        K = np.asarray(kernel.bind(X)(X, X), float)
        try:
            factor = cholesky(K)
        except NotFinite:
            raise FitError(say("The kernel is not finite everywhere in the visible range, so no sample can be drawn. "
                               "Change its parameters, or zoom in.")) from None
        except NotPositiveDefinite as error:
            raise FitError(say("No sample can be drawn: the covariance matrix of this kernel is not positive definite "
                               "(smallest eigenvalue {low}). Choose a valid covariance kernel.",
                               low=error.eig_min)) from None
        return np.asarray(factor.L @ z), factor.jitter


def jittered(jitter: float) -> tuple[Say, ...]:
    """Return what is to be said of a jitter."""
    if jitter == 0.0:
        return ()
    return (say("To counter rounding errors, {jitter} was added to the variances (noise of {sigma}).", jitter=jitter,
                sigma=float(np.sqrt(jitter))),)
