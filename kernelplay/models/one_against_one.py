"""Several classes by an SVM for each pair of them: each pair votes, ties go to the larger sum of decision values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FitError, Note
from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.kernels.base import Kernel
from kernelplay.marks import Bars, Chart, Mark, Readout, Role, Text, read_only
from kernelplay.models.base import Array, Certificate, Check, Fit, View, no_deviation, nothing
from kernelplay.models.decision import cells, region_marks
from kernelplay.models.dual_words import (
    certificate_lines,
    indefinite_note,
    indefinite_status,
    limit_notes,
    support_line,
    value,
)

if TYPE_CHECKING:
    from kernelplay.models.svm import SVM, SVMFit


@dataclass(frozen=True, eq=False)
class Pair:
    """The SVM of the classes at positions `i` (its +1) and `j` of the labels, on `rows` of X."""

    i: int
    j: int
    rows: NDArray[np.intp]
    fit: SVMFit


def fit_pairs(model: SVM, kernel: Kernel, X: Array, y: Array, labels: tuple[Any, ...], check: Check,
              last: Fit | None) -> OneAgainstOne:
    """Return the fit of more than two classes, y (n,) positions in `labels`; raises FitError naming the pair."""
    from kernelplay.models.svm import fit_two
    from kernelplay.numerics.linalg import smallest_eigenvalue

    before = {(last.labels[pair.i], last.labels[pair.j]): pair.fit for pair in last.pairs} if isinstance(
        last, OneAgainstOne) else {}
    pairs = []
    for i in range(len(labels)):
        for j in range(i + 1, len(labels)):
            rows = np.flatnonzero((y == i) | (y == j))
            two = (labels[i], labels[j])
            try:
                fit = fit_two(model, kernel, X[rows], np.where(y[rows] == i, 1.0, -1.0), two, check, before.get(two))
            except FitError as error:
                raise FitError(say("Classes {one} and {other}: {sentence}", one=str(two[0]), other=str(two[1]),
                                   sentence=error.sentence), tuple(rows[list(error.points)].tolist())) from None
            pairs.append(Pair(i, j, rows, fit))
    certificate = _worst([pair.fit.certificate for pair in pairs])
    notes: tuple[Note, ...] = ()
    low = None
    if any(pair.fit.indefinite is not None for pair in pairs):
        low = smallest_eigenvalue(kernel(X, X))
        notes = (indefinite_note(low),)
    return OneAgainstOne(model, kernel, X, y, labels, certificate, (*notes, *limit_notes(certificate)), tuple(pairs),
                         low)


def _worst(found: list[Certificate]) -> Certificate:
    """Return for each residual the worst of the certificates `found`: the largest of those that fail, if any do."""
    residuals = []
    for each in zip(*(one.residuals for one in found), strict=True):
        failing = [one for one in each if not one.value <= max(found[0].goal, one.floor)]
        largest = max(failing or each, key=lambda one: one.value)
        floor = largest.floor if failing else max(one.floor for one in each)
        residuals.append(replace(largest, floor=floor))
    return Certificate(tuple(residuals), found[0].goal)


@dataclass(frozen=True, eq=False)
class OneAgainstOne(Fit):
    """SVMs of all pairs of k classes. What belongs to a pair (b, margin, ...) is an attribute of `pairs[p].fit`."""

    model: SVM
    pairs: tuple[Pair, ...]
    indefinite: float | None  # smallest eigenvalue of a kernel matrix of all points that is not positive semi-definite

    @cached_property
    def alpha(self) -> Array:
        """(n, p) dual variables: a column for each pair, 0 for the points of other classes."""
        alpha = np.zeros((len(self.y), len(self.pairs)))
        for p, pair in enumerate(self.pairs):
            alpha[pair.rows, p] = pair.fit.alpha
        return read_only(alpha)

    @property
    def variables(self) -> Array:
        return self.alpha

    def certify(self, variables: Array) -> Certificate:
        """Return for each residual its worst over the pairs, for dual variables (n, p)."""
        return _worst([pair.fit.certify(variables[pair.rows, p]) for p, pair in enumerate(self.pairs)])

    @cached_property
    def support(self) -> NDArray[np.intp]:
        """Rows that are a support vector of some pair."""
        return np.flatnonzero((self.alpha > 0).any(axis=1))

    @cached_property
    def bound_sv(self) -> NDArray[np.intp]:
        """Rows with alpha = C in some pair."""
        rows = [pair.rows[pair.fit.bound_sv] for pair in self.pairs]
        return np.unique(np.concatenate(rows))

    @cached_property
    def free_sv(self) -> NDArray[np.intp]:
        """Support vectors that are at no bound."""
        return np.setdiff1d(self.support, self.bound_sv)

    @cached_property
    def non_sv(self) -> NDArray[np.intp]:
        """Rows that no pair needs."""
        return np.setdiff1d(np.arange(len(self.y)), self.support)

    @property
    def n_sv(self) -> int:
        """The number of support vectors."""
        return len(self.support)

    @property
    def margin(self) -> float:
        """The smallest margin 1/||w|| of the pairs."""
        return float(np.min([pair.fit.margin for pair in self.pairs]))

    @property
    def objective(self) -> float:
        """The sum of the objectives of the pairs."""
        return sum(pair.fit.objective for pair in self.pairs)

    @property
    def separable(self) -> bool:
        """Whether each pair has a hard margin."""
        return all(pair.fit.separable for pair in self.pairs)

    @cached_property
    def misclassified(self) -> NDArray[np.intp]:
        """Rows that are given another class than theirs."""
        return np.flatnonzero(winners(*self._tally(self.X)) != self.y)

    @property
    def training_error(self) -> float:
        """The share of training points that are given another class."""
        return len(self.misclassified) / len(self.y)

    @cached_property
    def f_train(self) -> Array:
        return read_only(self.decision_function(self.X))

    @property
    def slack(self) -> Array:
        """(n, p) xi_n of each pair."""
        slack = np.zeros((len(self.y), len(self.pairs)))
        for p, pair in enumerate(self.pairs):
            slack[pair.rows, p] = pair.fit.slack
        return read_only(slack)

    def decision_function(self, Z: Array) -> Array:
        """Return (m, k): votes for each class and, worth less than a vote, the sum of its decision values. Of sums
        that are large and close `predict` knows which is larger."""
        return np.ascontiguousarray(scores(*self._tally(Z)).T)

    def _tally(self, Z: Array) -> tuple[Array, Array]:
        return tally(self.pairs, [pair.fit.decision_function(Z) for pair in self.pairs], len(self.labels))

    def predict(self, Z: Array, return_std: bool = False) -> Any:
        """Return the label with most votes for each row of Z (m, d), in a tie that of the larger sum."""
        no_deviation(return_std)
        return np.array(self.labels)[winners(*self._tally(Z))]

    def status(self) -> Say:
        if self.indefinite is not None:
            return indefinite_status(self.indefinite, self.n_sv, len(self.free_sv))
        return plural(self.n_sv,
                      "SVM, {classes} classes one versus one: {n} support vector, {wrong} of {all} misclassified.",
                      "SVM, {classes} classes one versus one: {n} support vectors, {wrong} of {all} misclassified.",
                      classes=len(self.labels), wrong=len(self.misclassified), all=len(self.y))

    def readouts(self) -> tuple[Readout, ...]:
        factor_error = max(pair.fit.solved.factor_error for pair in self.pairs)
        return (
            support_line(self.n_sv, len(self.y), len(self.free_sv)),
            Readout("margin", say("Smallest margin"), *value(self.margin),
                    say("Smallest 1/‖w‖ over the pairs of classes.")),
            Readout("training_error", say("Training error"),
                    say("{wrong} of {all}", wrong=len(self.misclassified), all=len(self.y)), self.training_error,
                    say("Training points assigned to the wrong class.")),
            Readout("objective", say("Objective"), *value(self.objective),
                    say("Sum of the objectives over the pairs of classes.")),
            *certificate_lines(self.certificate, factor_error, self.indefinite),
        )

    def charts(self, view: View, check: Check = nothing) -> tuple[Chart, ...]:
        from kernelplay.models.svm_charts import dots, support_marks

        marks: list[Mark] = []
        if self.X.shape[1] == 2:
            if not {"field", "boundary"} <= view.hidden:
                x, y = cells(view)
                values = [pair.fit.solved.f.on_grid(x, y, check) for pair in self.pairs]
                won, total = tally(self.pairs, values, len(self.labels))
                regions = [(pair.i, pair.j, each) for pair, each in zip(self.pairs, values, strict=True)]
                regions += [(pair.i, pair.j, total[pair.i] - total[pair.j]) for pair in self.pairs]  # of ties
                winner = winners(won, total)
                marks += region_marks(winner, regions, x, y, view, label=say("predicted class"))
            if "support" not in view.hidden:
                marks += support_marks(self.X, self.free_sv, self.bound_sv)
            if "errors" not in view.hidden:
                marks += dots(self.X, self.misclassified, "error", "errors", say("misclassified"))
        canvas = Chart("canvas", verbatim(""), tuple(marks), verbatim("x₁"), verbatim("x₂"), equal_aspect=True)
        return canvas, self._dual(view)

    def _dual(self, view: View) -> Chart:
        """Return the bars of all pairs side by side, those with alpha > 0, the largest of each pair first."""
        from kernelplay.models.svm_charts import MOST_BARS, limit_line

        marks: list[Mark] = []
        names: list[Mark] = []
        at, largest = 0, float(self.alpha.max(initial=0.0))
        for pair in self.pairs:
            order = pair.fit.support[np.argsort(-pair.fit.alpha[pair.fit.support], kind="stable")][: MOST_BARS]
            for position, sign in ((pair.i, 1.0), (pair.j, -1.0)):
                own = np.flatnonzero(pair.fit.y[order] == sign)
                role: Role = view.roles[position]
                rows = order[own]
                if len(rows):
                    marks.append(Bars(role, "points", x=read_only(at + own), height=read_only(pair.fit.alpha[rows]),
                                      index=read_only(pair.rows[rows], np.intp)))
            names.append(Text("label", "points", at=(float(at), largest),
                              text=verbatim(f"{self.labels[pair.i]} · {self.labels[pair.j]}")))
            at += len(order) + 2
        soft = self.model.margin == "soft"
        top, limit = limit_line(largest, self.model.C if soft else np.inf, at)
        return Chart("dual", say("Dual variables"), (*marks, *limit, *names),
                     say("pairs of classes, largest α first"), verbatim("αₙ"), (-1.0, float(at)), (0.0, top))


def tally(pairs: tuple[Pair, ...], decisions: list[Array], k: int) -> tuple[Array, Array]:
    """Return votes (k, ...) and sums (k, ...) of decision values in favour of each class less those against it, from
    the decision values (...) of each pair."""
    won, total = np.zeros((k, *decisions[0].shape)), np.zeros((k, *decisions[0].shape))
    for pair, f in zip(pairs, decisions, strict=True):
        first = f >= 0
        won[pair.i] += first
        won[pair.j] += ~first
        total[pair.i] += f
        total[pair.j] -= f
    return won, total


def winners(won: Array, total: Array) -> NDArray[np.intp]:
    """Return the position (...) of the class with most votes, among those of as many the one with the largest sum."""
    tied = won == won.max(axis=0)
    return np.asarray(np.where(tied, total, -np.inf).argmax(axis=0), dtype=np.intp)


def scores(won: Array, total: Array) -> Array:
    """Return votes plus a third of s/(1 + |s|), s the sum: less than one vote in all, it only settles ties."""
    return won + total / (3.0 * (np.abs(total) + 1.0))
