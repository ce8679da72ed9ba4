"""What every model and every Fit has. A model is a Spec with `fit`; a Fit is a frozen result that proves itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import numbers, ordered, refuse_rows
from kernelplay.errors import FitError, Note, SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Chart, Frames, Layer, Readout, Role
from kernelplay.spec import Spec, child

Array = NDArray[np.float64]
Check = Callable[[], None]
Task = Literal["classification", "regression"]

LARGEST = 1e150  # target whose square is a number


def nothing() -> None:
    """Never stop: the `check` of a fit that nobody can cancel."""


@dataclass(frozen=True)
class View:
    """What the charts of a fit are made for: the visible rectangle, the resolution of the field, what is shown."""

    x: tuple[float, float]
    y: tuple[float, float]
    nx: int = 200
    ny: int = 200
    roles: tuple[Role, ...] = ("class0", "class1")  # of each of Fit.labels; regression: unused
    hidden: frozenset[Layer] = frozenset()  # what is switched off need not be computed
    rows: NDArray[np.intp] | None = field(default=None, compare=False)  # of the scene's points behind X; None: the same


@dataclass(frozen=True)
class Residual:
    """One number of a certificate: 0 for an exact solution, relative to the scale of the problem.

    floor: what of it is rounding in double precision where that is not far below the goal, in the same units.
    """

    key: str  # "duality_gap", "kkt_residual", "gradient"
    label: Say
    value: float
    help: Say = field(default_factory=lambda: verbatim(""))
    floor: float = 0.0


@dataclass(frozen=True)
class Certificate:
    """How far a result is from solving its problem, computed from the problem and not from a solver's report."""

    residuals: tuple[Residual, ...]
    goal: float = 1e-8

    @property
    def worst(self) -> float:
        """The largest residual; infinite where one is no number, and where there is none: nothing proves nothing."""
        return max((math.inf if math.isnan(residual.value) else residual.value for residual in self.residuals),
                   default=math.inf)

    @property
    def holds(self) -> bool:
        """Whether every residual is at most the goal, or at most its rounding."""
        return bool(self.residuals) and all(residual.value <= max(self.goal, residual.floor)
                                            for residual in self.residuals)

    @property
    def floor_decides(self) -> bool:
        """Whether it holds only because the rest is rounding: the goal is out of the reach of double precision."""
        return self.holds and self.worst > self.goal

    @property
    def tolerance(self) -> float:
        """What no residual of a certificate that holds exceeds: the goal, or the rounding that decides instead."""
        if not self.floor_decides:
            return self.goal
        return max(residual.floor for residual in self.residuals if residual.value > self.goal)

    def __getitem__(self, key: str) -> float:
        return next(residual.value for residual in self.residuals if residual.key == key)


@dataclass(frozen=True)
class Model(Spec):
    """A model: its hyperparameters and its kernel, as declared; `fit` gives the result, a new frozen value.

    Subclasses set `task` and `most_classes` (how many classes it can tell apart, None for any number).
    """

    kind: ClassVar[str] = "model"
    package: ClassVar[str] = "kernelplay.models"
    order: ClassVar[int] = 100
    task: ClassVar[Task] = "classification"
    most_classes: ClassVar[int | None] = 2
    scaled: ClassVar[bool] = False  # whether the height of the kernel is a parameter worth having: a prior variance

    kernel: Kernel = child("kernel", {"name": "rbf"}, label=say("Kernel"),
                           help=say("Measures how similar two inputs are."))

    @property
    def formula(self) -> tuple[str, ...]:
        """The problem it solves, as one or two short lines in Unicode: ("min ½‖w‖² + C Σₙ ξₙ", ...)."""
        raise NotImplementedError

    def fit(self, X: Array, y: NDArray[Any], *, labels: tuple[Any, ...] | None = None, check: Check = nothing,
            last: Fit | None = None) -> Fit:
        """Return the Fit for inputs X (n, d) and targets y (n,), floats for regression and labels for classification.

        labels: the classes in order, the first of two being +1 (default: of two the larger is +1, more stay sorted).
        last: an earlier Fit of the same kind of model to start from; the result does not depend on it.
        Raises FitError when there is no answer, Cancelled when `check` does. Call `checked(...)` first.
        """
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of a fit; arrays are read-only. `variables` are the unknowns that were solved for (n,).

    Subclasses add what their model knows by the names of the field (alpha, coef, b, support, margin, lml, ...).
    """

    model: Model
    kernel: Kernel  # bound to the data
    X: Array  # (n, d)
    y: Array  # (n,): targets, or +1/-1 for two classes, or positions in `labels` for more
    labels: tuple[Any, ...]  # classification: the classes present, the first is +1; regression: ()
    certificate: Certificate
    notes: tuple[Note, ...]

    @property
    def variables(self) -> Array:
        """The unknowns that were solved for: alpha, a, the latent mode."""
        raise NotImplementedError

    def certify(self, variables: Array) -> Certificate:
        """Return the certificate that `variables` in place of the solution would have."""
        raise NotImplementedError

    def decision_function(self, Z: Array) -> Array:
        """Return f(Z) (m,): the decision value, the regression function, the mean; (m, k) votes for k > 2 classes."""
        raise NotImplementedError

    def predict(self, Z: Array, return_std: bool = False) -> Any:
        """Return the predicted label or target for each row of Z (m, d).

        Raises SpecError for `return_std` where there is no deviation to return, FitError for points of another
        dimension and values that are not finite.
        """
        raise NotImplementedError

    def code(self, kind: str) -> tuple[str, ...] | None:
        """Return the parts of this fit as code of a `kind` in as_code.CODES; None where it cannot be written down.

        "numpy", "sklearn": blocks of a script that has X and y as arrays; they import what they need, define f(Z), and
        print the results. "latex": paragraphs before the kernel. The models that ship are written in the scripts.
        """
        return None

    def status(self) -> Say:
        """Return the sentence of the status line."""
        raise NotImplementedError

    def readouts(self) -> tuple[Readout, ...]:
        """Return the lines of numbers, certificate last."""
        raise NotImplementedError

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        """Return the canvas (without the data points, which `compute` adds) and the side views."""
        raise NotImplementedError

    def frames(self, view: View) -> Frames | None:
        """Return the steps to play, for models that have steps."""
        return None

    @property
    def K(self) -> Array:
        """The Gram matrix of the training inputs (n, n)."""
        return self.kernel(self.X, self.X)

    @property
    def eig_min(self) -> float:
        """The smallest eigenvalue of the Gram matrix."""
        from kernelplay.numerics.linalg import smallest_eigenvalue

        return smallest_eigenvalue(self.K)

    @property
    def psd(self) -> bool:
        """Whether the Gram matrix is positive semi-definite up to rounding."""
        from kernelplay.numerics.linalg import is_psd

        return is_psd(self.K)[0]

    @property
    def f_train(self) -> Array:
        """f at the training inputs."""
        return self.decision_function(self.X)


def checked(model: Model, X: Any, y: Any, labels: tuple[Any, ...] | None) -> tuple[Array, Array, tuple[Any, ...]]:
    """Return X (n, d), y (n,) and the labels as a Fit holds them; raise FitError in a sentence for unusable data.

    For two classes y becomes +1 (the first label) and -1, for more the position in `labels`.
    """
    X = numbers(X, "X")
    X = X[:, None] if X.ndim == 1 and X.size else X
    y = numbers(y, "y") if model.task == "regression" else np.asarray(y)
    if X.size == 0:
        raise FitError(say("No points yet: click the canvas to add some."))
    if X.ndim != 2 or y.shape != (len(X),):
        raise FitError(say("X must have one row and y one value per point; X has shape {X} and y has shape {y}.",
                           X=str(X.shape), y=str(y.shape)))
    refuse_rows(~np.isfinite(np.column_stack([X, y]) if model.task == "regression" else X))
    if model.task == "regression":
        if np.abs(y).max() >= LARGEST:
            raise FitError(say("The targets are too large to compute with: scale them down."))
        return _frozen(X), _frozen(y), ()
    present = _present(y, labels)
    if model.most_classes is not None and len(present) > model.most_classes:
        raise FitError(say("This model handles two classes, but the points have {n}: use the SVM, "
                           "or remove classes.", n=len(present)))
    if len(present) == 2:
        return _frozen(X), _frozen(np.where(y == present[0], 1.0, -1.0)), present
    if len(present) == 1:
        sign = -1.0 if present[0] == (labels[1] if labels is not None and len(labels) == 2 else -1) else 1.0
        return _frozen(X), _frozen(np.full(len(X), sign)), present
    position = {label: i for i, label in enumerate(present)}
    return _frozen(X), _frozen(np.array([position[label] for label in y.tolist()], dtype=float)), present


def _present(y: NDArray[Any], labels: tuple[Any, ...] | None) -> tuple[Any, ...]:
    found = ordered(y)
    return found if labels is None else tuple(label for label in labels if label in found)


def no_deviation(return_std: bool) -> None:
    """Raise SpecError if a deviation is asked of a model that knows none."""
    if return_std:
        raise SpecError(say("return_std cannot be {value}: this model has no standard deviation. Use Gaussian process "
                            "regression (gpr), or omit return_std.", value=str(return_std)),
                        "return_std")


def _frozen(values: Array) -> Array:
    values = np.array(values, dtype=float)
    values.flags.writeable = False
    return values


def merged(X: Array, y: Array) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
    """Return (first, inverse, weight) of the distinct rows of (X, y): repeated points become one with their weight.

    first: (u,) rows that stand for each group, inverse: (n,) group of each row, weight: (u,) how many rows it has.
    """
    if all_differ(X, y):
        each = np.arange(len(X))
        return each, each, np.ones(len(X))
    both = np.column_stack([X, y])
    order = np.lexsort(both.T)  # stable, so that the first of equal rows stands first, and faster than np.unique
    starts = np.concatenate([[True], (both[order[1:]] != both[order[:-1]]).any(axis=1)])
    first = order[starts]
    by_row = np.argsort(first)  # keep the order of the rows, so that a moved point does not shuffle the others
    rank = np.empty_like(by_row)
    rank[by_row] = np.arange(len(by_row))
    group = np.empty_like(order)
    group[order] = rank[np.cumsum(starts) - 1]
    return first[by_row], group, np.bincount(group).astype(float)


def all_differ(X: Array, y: Array | float = 0.0) -> bool:
    """Return whether no two rows of (X, y) are equal, by a number that equal ones share: False may be wrong."""
    number = np.broadcast_to(y, len(X))
    with np.errstate(over="ignore"):
        for j in range(X.shape[1]):
            number = number + X[:, j] * (0.5 + 1.0 / (j + np.e))
    number = np.sort(number)
    return bool((number[1:] != number[:-1]).all())


def need_two_classes(labels: Sequence[Any]) -> None:
    """Raise FitError unless there are at least two classes."""
    if len(labels) < 2:
        raise FitError(say("All points belong to one class: add points of a second class."))
