"""The charts of an SVM of two classes: the canvas, and its dual variables as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.marks import Bars, Chart, Curve, Dots, Layer, Mark, Role, Segments, read_only
from kernelplay.models.base import Array, Check, View, nothing
from kernelplay.models.decision import Lines, cells, nearest_in_view, terms, two_class_marks

if TYPE_CHECKING:
    from kernelplay.models.svm import SVMFit

MOST_BARS = 2000  # a screen has no room for more
FEW = 200  # points up to which those with alpha = 0 have a bar too


def canvas(fit: SVMFit, view: View, check: Check = nothing) -> Chart:
    """Return the canvas: field, boundary f = 0, margins f = -+1, slacks, support vectors, misclassified points.

    For inputs that are not two coordinates it is empty.
    """
    marks: list[Mark] = []
    if fit.X.shape[1] == 2:
        drawn, lines = _field_and_lines(fit, view, check)
        marks += drawn
        if "slack" not in view.hidden:
            marks += slack_marks(fit, lines, view)
        if "support" not in view.hidden:
            marks += support_marks(fit.X, fit.free_sv, fit.bound_sv)
        if "errors" not in view.hidden:
            marks += dots(fit.X, fit.misclassified, "error", "errors", say("misclassified"))
    return Chart("canvas", verbatim(""), tuple(marks), verbatim("x₁"), verbatim("x₂"), equal_aspect=True)


def _field_and_lines(fit: SVMFit, view: View, check: Check) -> tuple[tuple[Mark, ...], tuple[Lines, ...]]:
    slacks = "slack" not in view.hidden and fit.w is None and bool((fit.slack > 0).any())
    margins = (1.0, -1.0) if slacks or "margins" not in view.hidden else ()
    if not margins and {"field", "boundary"} <= view.hidden:
        return (), ()
    x, y = cells(view)
    values = fit.solved.f.on_grid(x, y, check)
    return two_class_marks(values, x, y, view, field_label=say("decision value f(x)"), margins=margins,
                           margins_label=say("margins f = ±1"), scale=terms(fit.kernel, fit.X, fit.alpha, fit.b))


def dots(X: Array, rows: NDArray[np.intp], role: Role, layer: Layer, label: Say) -> tuple[Mark, ...]:
    """Return Dots at `rows` of X (n, 2), or nothing when there are none."""
    return (Dots(role, layer, label, xy=read_only(X[rows]), index=read_only(rows, np.intp)),) if len(rows) else ()


def support_marks(xy: Array, free: NDArray[np.intp], bounded: NDArray[np.intp]) -> tuple[Mark, ...]:
    """Return the rings of the support vectors, free ones and those at their bound told apart."""
    return (*dots(xy, free, "support_free", "support", say("support vector, free")),
            *dots(xy, bounded, "support_bounded", "support", say("support vector, bounded (α = C)")))


def slack_marks(fit: SVMFit, lines: tuple[Lines, ...], view: View) -> tuple[Mark, ...]:
    """Return a segment from each point with slack to the nearest place where f = y_n: perpendicular to the margin for
    a linear f, else to the level line that is drawn; a segment is left out where that place may lie off the view."""
    rows = np.flatnonzero(fit.slack > 1e-9)
    start = fit.X[rows]
    foot = np.empty_like(start)
    known = np.zeros(len(rows), np.bool_)
    if fit.w is not None:
        foot = start + ((fit.y - fit.f_train)[rows] / float(fit.w @ fit.w))[:, None] * fit.w if fit.norm > 0 else foot
        known[:] = fit.norm > 0
    elif len(lines) == 3:
        for sign, side in ((1.0, lines[1]), (-1.0, lines[2])):
            own = np.flatnonzero(fit.y[rows] == sign)
            known[own], foot[own] = nearest_in_view(start[own], side, view)
    if not known.any():
        return ()
    return (Segments("slack", "slack", say("slack ξ"), start=read_only(start[known]), end=read_only(foot[known])),)


def dual(fit: SVMFit, view: View) -> Chart:
    """Return the chart of the dual variables: a bar for each point in the colour of its class, the largest first."""
    order = np.argsort(-fit.alpha, kind="stable")
    order = order[: min(MOST_BARS, len(order) if len(order) <= FEW else max(FEW, fit.n_sv))]
    alpha = fit.alpha[order]
    marks: list[Mark] = []
    roles = bar_roles(view.roles)
    for role, sign in zip(roles, (1.0, -1.0), strict=True):
        own = np.flatnonzero(fit.y[order] == sign)
        if len(own):
            marks.append(Bars(role, "points", x=read_only(own), height=read_only(alpha[own]),
                              index=read_only(order[own], np.intp)))
    soft = fit.model.margin == "soft"
    top, limit = limit_line(float(alpha[0]) if len(alpha) else 0.0, fit.model.C if soft else np.inf, len(order))
    caption = verbatim(f"Σ αₙyₙ = 0  ·  0 ≤ αₙ ≤ C = {number(fit.model.C)}" if soft else "Σ αₙyₙ = 0  ·  0 ≤ αₙ")
    return Chart("dual", say("Dual variables"), (*marks, *limit), say("points, largest α first"), verbatim("αₙ"),
                 (-1.0, float(len(order))), (0.0, top), caption=caption)


def bar_roles(roles: tuple[Role, ...]) -> tuple[Role, Role]:
    """Return the roles of the bars of two classes: the classes' own colours."""
    return ("bar0", "bar1") if roles[:2] == ("class0", "class1") else (roles[0], roles[1])


def limit_line(largest: float, C: float, count: int, both: bool = False) -> tuple[float, tuple[Mark, ...]]:
    """Return the height of the chart and the line at C (with `both`, also at -C), left out where it would flatten the
    bars to less than a third of the height."""
    if np.isinf(C) or C > 3 * largest > 0:
        return 1.08 * largest or 1.0, ()
    ends = np.array([-1.0, float(count)])
    levels = (C, -C) if both else (C,)
    lines = tuple(read_only(np.column_stack([ends, np.full(2, level)])) for level in levels)
    return 1.08 * C, (Curve("limit", "points", verbatim("α = C"), lines=lines, texts=("C", "−C")[: len(lines)]),)
