"""The charts of an SVR: the canvas of one input, and its dual variables as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernelplay.i18n import number, say, verbatim
from kernelplay.marks import Band, Bars, Chart, Curve, Dots, Mark, Segments, read_only
from kernelplay.models.base import Check, View, nothing
from kernelplay.models.svm_charts import FEW, MOST_BARS, limit_line, support_marks

if TYPE_CHECKING:
    from kernelplay.models.svr import SVRFit

CURVE_POINTS = 400  # at least; places at which the curve is evaluated


def canvas(fit: SVRFit, view: View, check: Check = nothing) -> Chart:
    """Return the canvas: the curve f, its tube, slacks, support vectors, points inside the tube faded.

    For inputs that are not one coordinate it is empty.
    """
    marks: list[Mark] = []
    if fit.X.shape[1] == 1:
        epsilon = fit.model.epsilon
        if not {"tube", "mean"} <= view.hidden:
            low, high = view.x
            room = 0.02 * (high - low)
            x = np.linspace(low - room, high + room, max(CURVE_POINTS, 2 * view.nx))
            f = fit.solved.f(x[:, None], check)
            if "tube" not in view.hidden:
                edges = (read_only(np.column_stack([x, f + epsilon])), read_only(np.column_stack([x, f - epsilon])))
                marks.append(Band("tube", "tube", say("tube f ± ε"), x=read_only(x), lower=read_only(f - epsilon),
                                  upper=read_only(f + epsilon)))
                marks.append(Curve("tube", "tube", lines=edges))
            if "mean" not in view.hidden:
                marks.append(Curve("mean", "mean", say("f(x)"), lines=(read_only(np.column_stack([x, f])),)))
        xy = np.column_stack([fit.X[:, 0], fit.y])
        out = np.flatnonzero(fit.slack > 1e-9 * max(1e-300, float(np.ptp(fit.y))))
        if "slack" not in view.hidden and len(out):
            edge = fit.f_train[out] + np.sign(fit.residuals[out]) * epsilon
            marks.append(Segments("slack", "slack", say("slack ξ"), start=read_only(xy[out]),
                                  end=read_only(np.column_stack([xy[out, 0], edge]))))
        if "support" not in view.hidden:
            marks += support_marks(xy, fit.free_sv, fit.bound_sv)
        if len(fit.non_sv):
            marks.append(Dots("faded", "points", say("inside the tube"), xy=read_only(xy[fit.non_sv]),
                              index=read_only(fit.non_sv, np.intp)))
    return Chart("canvas", verbatim(""), tuple(marks), verbatim("x"), verbatim("t"))


def dual(fit: SVRFit) -> Chart:
    """Return the chart of the dual variables, the largest first: a upwards, a^ downwards."""
    order = np.argsort(-np.abs(fit.coef), kind="stable")
    order = order[: min(MOST_BARS, len(order) if len(order) <= FEW else max(FEW, fit.n_sv))]
    coef = fit.coef[order]
    marks: list[Mark] = []
    for role, own, label in (("bar0", np.flatnonzero(coef >= 0), verbatim("α")),
                             ("bar1", np.flatnonzero(coef < 0), verbatim("α̂"))):
        if len(own):
            marks.append(Bars("bar0" if role == "bar0" else "bar1", "points", label, x=read_only(own),
                              height=read_only(coef[own]), index=read_only(order[own], np.intp)))
    soft = fit.model.margin == "soft"
    largest = float(np.abs(coef).max(initial=0.0))
    top, limit = limit_line(largest, fit.model.C if soft else np.inf, len(order), both=True)
    C = f" ≤ C = {number(fit.model.C)}" if soft else ""
    return Chart("dual", say("Dual variables"), (*marks, *limit), say("points, largest α first"),
                 verbatim("αₙ − α̂ₙ"), (-1.0, float(len(order))), (-top, top),
                 caption=verbatim(f"Σ (αₙ − α̂ₙ) = 0  ·  0 ≤ αₙ, α̂ₙ{C}"))
