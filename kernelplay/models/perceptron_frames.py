"""The pictures of the perceptron's player: a start, one picture for each update, and how it ended."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, number, plural, say, verbatim
from kernelplay.marks import Bars, Dots, Frame, Frames, Layer, Mark, Role, Segments, Text, read_only
from kernelplay.models.base import Array, View
from kernelplay.models.decision import cells, curve, level_lines
from kernelplay.models.perceptron_charts import (
    decision_marks,
    dots,
    functions,
    radius_marks,
    separator_marks,
    size,
    upright,
)
from kernelplay.models.perceptron_words import cap

if TYPE_CHECKING:
    from kernelplay.models.perceptron import PerceptronFit

CELLS = 72  # along each side of the field behind a kernel: a step has to be there while the player runs
SHARE = 0.4  # of the smaller side of the view that the longest arrow of a step spans
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def frames(fit: PerceptronFit, view: View) -> Frames | None:
    """Return the start, every update and the end, as seen in `view`; None for inputs that are not two coordinates."""
    if fit.X.shape[1] != 2:
        return None
    shown = view if fit.space.lifted is not None else replace(view, nx=min(view.nx, CELLS), ny=min(view.ny, CELLS))
    return Frames(fit.mistakes + 2, _Player(fit, shown).at)


@dataclass(frozen=True, eq=False)
class _Player:
    fit: PerceptronFit
    view: View

    def at(self, step: int) -> Frame:
        """Return the picture of `step`: 0 the start, k the k-th update, the last one the end."""
        fit = self.fit
        k = min(step, fit.mistakes)
        counts = fit.trace.counts(k)
        update = 0 < step <= fit.mistakes
        x, y = cells(self.view)
        f, u = functions(fit, [counts, fit.trace.counts(k - 1)] if update else [counts], x, y,
                         separator="margins" not in self.view.hidden)
        marks, _ = decision_marks(f[0], x, y, self.view, size(fit, counts))
        drawn: list[Mark] = list(marks)
        if "margins" not in self.view.hidden:
            drawn += radius_marks(fit, self.view)
        if u is not None:
            drawn += separator_marks(fit, u, x, y, self.view, margins=False)
        if update and "boundary" not in self.view.hidden:
            before, = level_lines(f[1], x, y, (0.0,), size(fit, counts))
            drawn += curve("guide", "boundary", say("boundary before"), before)
        if "errors" not in self.view.hidden:
            drawn += self._dots(self._mistaken(counts, k), "error", "errors", say("misclassified"))
        if "steps" not in self.view.hidden:
            if update:
                drawn += self._current(k)
            drawn += self._vectors(k, update)
        caption = self._update(k) if update else self._start() if step == 0 else self._end()
        return Frame(caption, tuple(drawn), self._views(k), ("field", "boundary", "margins", "errors"))

    def _current(self, k: int) -> tuple[Mark, ...]:
        """Return the ring around the point of update k, and what it is."""
        row = int(self.fit.trace.point[k - 1])
        ring = Dots("looked_at", "steps", xy=read_only(self.fit.X[[row]]),
                    index=read_only([self._point(k) - 1], np.intp))
        x, y = self.fit.X[row].tolist()
        return ring, Text("looked_at", "steps", at=(x, y), text=say("current point {n}", n=self._point(k)))

    def _dots(self, rows: NDArray[np.intp], role: Role, layer: Layer, label: Say) -> tuple[Mark, ...]:
        named = read_only(rows if self.view.rows is None else self.view.rows[rows], np.intp)
        return tuple(replace(mark, index=named) for mark in dots(self.fit.X, rows, role, layer, label))

    def _mistaken(self, counts: Array, k: int) -> NDArray[np.intp]:
        fit = self.fit
        if k == fit.mistakes:
            return fit.misclassified
        f = fit.space.activations(counts)
        return np.flatnonzero((f >= 0) != (fit.y > 0))

    @property
    def _reach(self) -> float:
        """How long the longest arrow is drawn."""
        return SHARE * min(self.view.x[1] - self.view.x[0], self.view.y[1] - self.view.y[0])

    @cached_property
    def _tail(self) -> Array:
        """Where theta is drawn from through the whole run: the origin, or the middle of a view that its arrows would
        leave from there."""
        path, view = self.fit.path, self.view
        assert path is not None
        length = np.sqrt((path[:, -2:] ** 2).sum(axis=1, keepdims=True))
        tips = self._reach * path[:, -2:] / np.where(length > 0, length, 1.0)
        low, high = np.array([view.x[0], view.y[0]]), np.array([view.x[1], view.y[1]])
        return np.zeros(2) if ((low <= tips) & (tips <= high)).all() else (low + high) / 2

    def _vectors(self, k: int, update: bool) -> tuple[Mark, ...]:
        """Return theta as it was, the added vector tip to tail, and theta as it is, without the constant coordinate,
        each with its name."""
        path = self.fit.path
        if path is None:
            return ()
        origin = self._tail
        thetas = self.fit.model.eta * path[k - 1 if update else k: k + 1, -2:]
        longest = float(np.sqrt((np.vstack([thetas, np.diff(thetas, axis=0)]) ** 2).sum(axis=1)).max())
        scale = float(f"{self._reach / longest:.2g}") if longest > 0 else 1.0
        tips = origin + scale * thetas
        before, now = tips[:1], tips[-1:]
        name = say("θ after") if update else verbatim("θ")
        label = (say("{name} (× {scale}, from the centre)", name=name, scale=scale) if origin.any()
                 else say("{name} (× {scale})", name=name, scale=scale))
        drawn: list[tuple[Role, Say, Array, Array]] = [("result", label, origin[None], now)]
        if update:
            drawn = [("vector", say("θ before"), origin[None], before), *drawn,
                     ("added", verbatim(self._term(k).replace(" ", "")), before, now)]
        found = [(arrow(role, start, end), role, label, start, end) for role, label, start, end in drawn]
        return (*(mark for marks, *_ in found for mark in marks),
                *(named(role, label, start, end) for marks, role, label, start, end in found if marks))

    def _point(self, k: int) -> int:
        """Return the number, from 1, of the point of update k."""
        row = int(self.fit.trace.point[k - 1])
        return (int(self.view.rows[row]) if self.view.rows is not None else row) + 1

    def _term(self, k: int) -> str:
        """Return what update k adds to theta, or behind a kernel to f, with its sign: "− η x̃₅"."""
        sign = "+" if self.fit.y[self.fit.trace.point[k - 1]] > 0 else "−"
        n = str(self._point(k)).translate(_BELOW)
        if self.fit.space.lifted is None:
            offset = "k̃" if self.fit.space.offset else "k"
            return f"{sign} η {offset}(x{n}, ·)"
        return f"{sign} η x̃{n}" if self.fit.space.constant else f"{sign} η x{n}"

    def _update(self, k: int) -> Say:
        fit = self.fit
        name = "f" if fit.space.lifted is None else "θ"
        rule = f"{name} ← {name} {self._term(k)}"
        if fit.path is not None and fit.space.constant:
            rule += f", b = {number(float(fit.model.eta * fit.path[k, 0] * math.sqrt(fit.space.constant)))}"
        values = {"k": k, "n": self._point(k), "rule": verbatim(rule)}
        tie, bound = fit.trace.score[k - 1] == 0, fit.bound_floor
        if bound is None and tie:
            return say("Update {k}: point {n} lies on the boundary, and f = 0 counts as +1; {rule}.", **values)
        if bound is None:
            return say("Update {k}: point {n} was on the wrong side; {rule}.", **values)
        if tie:
            return say("Update {k} of at most {bound}: point {n} lies on the boundary, and f = 0 counts as +1; {rule}.",
                       bound=bound, **values)
        return say("Update {k} of at most {bound}: point {n} was on the wrong side; {rule}.", bound=bound, **values)

    def _start(self) -> Say:
        fit = self.fit
        if fit.bound_floor is not None:
            return plural(fit.bound_floor,
                          "Start. The points are separable with margin {gamma}: there can be at most {n} update.",
                          "Start. The points are separable with margin {gamma}: there can be at most {n} updates.",
                          gamma=fit.separation.gamma)
        if fit.separation.endless:
            return say("Start. The points are not separable: there is no bound, and the updates never end.")
        if fit.separable is False:
            return say("Start. No margin is possible, so there is no bound: only running it shows whether it ends.")
        return say("Start. No bound is known: only running it shows whether the updates end.")

    def _end(self) -> Say:
        fit = self.fit
        if fit.converged and fit.bound_floor is not None:
            return plural(fit.mistakes,
                          "A whole pass without mistakes: converged after {n} update (bound {bound}).",
                          "A whole pass without mistakes: converged after {n} updates (bound {bound}).",
                          bound=fit.bound_floor)
        if fit.converged:
            return plural(fit.mistakes, "A whole pass without mistakes: converged after {n} update.",
                          "A whole pass without mistakes: converged after {n} updates.")
        if fit.separation.endless:
            return plural(fit.mistakes, "Stopped at {cap} after {n} update: it would go on forever.",
                          "Stopped at {cap} after {n} updates: it would go on forever.", cap=cap(fit))
        return plural(fit.mistakes, "Stopped at {cap} after {n} update: not converged yet.",
                      "Stopped at {cap} after {n} updates: not converged yet.", cap=cap(fit))

    def _views(self, k: int) -> tuple[tuple[str, tuple[Mark, ...]], ...]:
        """Return the cursors of the side views: how far the run is."""
        fit, lemmas, eta = self.fit, self.fit.lemmas, self.fit.model.eta
        views: list[tuple[str, tuple[Mark, ...]]] = []
        if fit.separation.unknown != "indefinite":
            heights = [eta * math.sqrt(lemmas.norm2[k])]
            if lemmas.along is not None and fit.gamma is not None:
                heights.append(eta * float(lemmas.along[k]))
            top = eta * math.sqrt(max(0.0, lemmas.high[k]))
            low = min(0.0, *heights)
            views.append(("convergence", _cursor(k, low, max(top, *heights))))
        if fit.gamma is not None and lemmas.cosine is not None and np.isfinite(lemmas.cosine[k]):
            cosine = float(lemmas.cosine[k])
            views.append(("cosine", _cursor(k, min(0.0, cosine), 1.0)))
        if k:
            epoch = int(fit.trace.epoch[k - 1])
            made = k - (int(fit.trace.ends[epoch - 1]) if epoch else 0)
            views.append(("passes", (Bars("count_now", "steps", say("so far in this pass"), x=read_only([epoch + 1.0]),
                                          height=read_only([float(made)])),)))
        return tuple(views)


def _cursor(k: int, low: float, high: float) -> tuple[Mark, ...]:
    """Return the upright line at update k, with its number at it: an entry of the legend would change its size."""
    number_at = Text("looked_at", "steps", at=(float(k), high), text=verbatim(f"k = {k}"))
    return upright("looked_at", k, low, high), number_at


def arrow(role: Role, start: Array, end: Array) -> tuple[Mark, ...]:
    """Return the arrow from `start` to `end`, each (1, 2), or nothing when it has no length."""
    if (start == end).all():
        return ()
    return (Segments(role, "steps", start=read_only(start), end=read_only(end), arrow=True),)


def named(role: Role, label: Say, start: Array, end: Array) -> Text:
    """Return the name of an arrow from `start` to `end`, each (1, 2): at the added one's middle, at a theta's end."""
    share = 0.5 if role == "added" else 0.85
    x, y = (start + share * (end - start))[0].tolist()
    return Text(role, "steps", at=(x, y), text=label)
