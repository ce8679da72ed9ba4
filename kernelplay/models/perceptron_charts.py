"""The charts of the perceptron: the canvas with R and gamma, the proof of convergence, the angle, mistakes by pass."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.marks import Bars, Chart, Curve, Dots, Layer, Mark, Role, Segments, Text, read_only
from kernelplay.models.base import Array, Check, View, nothing
from kernelplay.models.decision import (
    Lines,
    cells,
    curve,
    inside,
    level_lines,
    symmetric_limits,
    terms,
    two_class_marks,
)
from kernelplay.models.perceptron_words import bound_number

if TYPE_CHECKING:
    from kernelplay.models.perceptron import PerceptronFit

MOST_POINTS = 1000  # of a curve over the updates: a screen has no room for more
MOST_BARS = 1000


def canvas(fit: PerceptronFit, view: View, check: Check = nothing) -> Chart:
    """Return the canvas: field, boundary, mistaken points, and of the bound the best separator with gamma, and R.

    For inputs that are not two coordinates it is empty.
    """
    marks: list[Mark] = []
    if fit.X.shape[1] == 2:
        x, y = cells(view)
        f, u = functions(fit, [fit.alpha], x, y, check, separator="margins" not in view.hidden)
        marks += decision_marks(f[0], x, y, view, size(fit, fit.alpha))[0]
        if "margins" not in view.hidden:
            marks += radius_marks(fit, view)
        if u is not None:
            marks += separator_marks(fit, u, x, y, view)
        if "errors" not in view.hidden:
            marks += dots(fit.X, np.array(fit.conflict, np.intp), "conflict", "errors",
                          say("cannot all be classified correctly"))
            marks += dots(fit.X, fit.misclassified, "error", "errors", say("misclassified"))
    return Chart("canvas", verbatim(""), tuple(marks), verbatim("x₁"), verbatim("x₂"), equal_aspect=True)


def dots(X: Array, rows: NDArray[np.intp], role: Role, layer: Layer, label: Say) -> tuple[Dots, ...]:
    """Return Dots at `rows` of X (n, 2), or nothing when there are none."""
    return (Dots(role, layer, label, xy=read_only(X[rows]), index=read_only(rows, np.intp)),) if len(rows) else ()


def functions(fit: PerceptronFit, counts: list[Array], x: Array, y: Array, check: Check = nothing, *,
              separator: bool = False) -> tuple[list[Array], Array | None]:
    """Return f (q, p) at the nodes (x_i, y_j) after each of `counts` (n,) updates, and u.x~ if `separator` and known.

    Behind a kernel they share the kernel's values, which cost more than all the rest.
    """
    space, eta, u = fit.space, fit.model.eta, fit.separation.coefficients if separator else None
    if space.lifted is not None:
        thetas = [theta for c in counts if (theta := space.theta(c)) is not None]
        at = None if u is None or fit.separation.u is None else plane(fit.separation.u, fit, x, y)
        return [eta * plane(theta, fit, x, y) for theta in thetas], at
    from kernelplay.numerics import grid

    weights = np.column_stack([eta * space.coefficients(c) for c in counts] + ([] if u is None else [u]))
    values = grid.evaluate(fit.kernel, fit.X, weights, x, y, check)
    values = values + space.constant * weights.sum(axis=0)[:, None, None]
    return list(values[: len(counts)]), None if u is None else values[-1]


def plane(theta: Array, fit: PerceptronFit, x: Array, y: Array) -> Array:
    """Return theta.x~ (q, p) at the nodes (x_i, y_j)."""
    b = theta[0] * math.sqrt(fit.space.constant) if fit.space.constant else 0.0
    values: Array = theta[-1] * y[:, None] + (theta[-2] * x + b)
    return values


def size(fit: PerceptronFit, counts: Array) -> float:
    """Return the size of the terms of f after `counts` (n,) updates."""
    weights = fit.model.eta * fit.space.coefficients(counts)
    return 0.0 if fit.space.lifted is not None else terms(fit.space.k, fit.X, weights)


def decision_marks(f: Array, x: Array, y: Array, view: View, scale: float) -> tuple[tuple[Mark, ...], Lines]:
    """Return field and boundary of f (q, p), a sum of terms of size `scale`, at the nodes x, y, and the lines of the
    boundary."""
    largest = float(np.abs(f).max())
    limits = symmetric_limits(f, least=1e-3 * largest) if largest > 0 else (-1.0, 1.0)
    marks, lines = two_class_marks(f, x, y, view, limits=limits, field_label=say("decision value f(x)"), scale=scale)
    return marks, lines[0]


def radius_marks(fit: PerceptronFit, view: View) -> tuple[Mark, ...]:
    """Return the circle of the longest input about the origin, and its radius; nothing behind a kernel or far away."""
    rho = float(np.sqrt((fit.X * fit.X).sum(axis=1).max()))
    reach = max(view.x[1] - view.x[0], view.y[1] - view.y[0])
    if fit.space.lifted is None or not 0 < rho <= 20 * reach:
        return ()
    label = say("R = {R}, the largest ‖x‖", R=fit.R)
    if fit.space.constant:
        label = say("R = √({c} + {rho}²) = {R}, with {rho} the largest ‖x‖", c=fit.space.constant, rho=rho, R=fit.R)
    turn = np.linspace(0, 2 * np.pi, 361)
    circle = rho * np.column_stack([np.cos(turn), np.sin(turn)])
    marks: list[Mark] = [Curve("radius", "margins", label, lines=(read_only(circle),))]
    longest = fit.X[int((fit.X * fit.X).sum(axis=1).argmax())]
    ends = np.vstack([np.zeros(2), longest])
    if inside(ends, view).all():
        marks.append(Segments("radius", "margins", start=read_only(ends[:1]), end=read_only(ends[1:])))
        name = f"R = {number(fit.R)}"
        if fit.space.constant:
            name = f"√(R² − {number(fit.space.constant)}) = {number(rho)}"
        marks.append(Text("label", "margins", at=_free(fit.X, longest), text=verbatim(name)))
    return tuple(marks)


def _free(X: Array, end: Array) -> tuple[float, float]:
    """Return where the way from the origin to `end` (2,) is furthest from the points X (n, 2): its name goes there."""
    ways = np.linspace(0.25, 0.75, 11)[:, None] * end
    some = X[:: max(1, len(X) // 2000)]
    apart = np.hypot(some[:, 0] - ways[:, :1], some[:, 1] - ways[:, 1:]).min(axis=1)
    x, y = ways[int(apart.argmax())].tolist()
    return x, y


def separator_marks(fit: PerceptronFit, u: Array, x: Array, y: Array, view: View, *,
                    margins: bool = True) -> tuple[Mark, ...]:
    """Return the separator of the bound, u.x~ (q, p) at the nodes x, y, gamma, and if `margins` the lines at gamma."""
    gamma = fit.separation.gamma
    weights = fit.separation.coefficients
    scale = 0.0 if weights is None or fit.space.lifted is not None else terms(fit.space.k, fit.X, weights)
    middle, *sides = level_lines(u, x, y, (0.0, gamma, -gamma) if margins else (0.0,), scale)
    marks: list[Mark] = [*curve("separator", "margins", _separator_label(fit), middle)]
    for side in sides[:1]:
        marks += curve("guide", "margins", say("its margin, u·x̃ = ±γ"), (*side, *sides[1]))
    theta = fit.separation.u
    if theta is not None:
        offset = float(theta[0]) * math.sqrt(fit.space.constant) if fit.space.constant else 0.0
        marks += _gamma_marks(fit, view, theta[-2:], offset)
    return tuple(marks)


def _separator_label(fit: PerceptronFit) -> Say:
    u = fit.separation.u
    if u is None:
        return say("best separator u, γ = {gamma} in the feature space", gamma=fit.gamma)
    if not fit.space.constant:
        return say("best separator u, γ = {gamma}", gamma=fit.gamma)
    flat = float(np.sqrt(u[1:] @ u[1:]))
    here = fit.separation.gamma / flat if flat > 0 else math.inf
    return say("best separator u, γ = {gamma} in the space of x̃, {here} on the canvas", gamma=fit.gamma, here=here)


def _gamma_marks(fit: PerceptronFit, view: View, slope: Array, offset: float) -> tuple[Mark, ...]:
    """Return the perpendicular from one of the points at the margin to the separator, with its name."""
    assert fit.separation.coefficients is not None
    length2 = float(slope @ slope)
    if length2 == 0:
        return ()
    rows = np.flatnonzero(fit.separation.coefficients)
    start = fit.X[rows]
    end = start - ((start @ slope + offset) / length2)[:, None] * slope
    seen = np.flatnonzero(inside(start, view) & inside(end, view))
    if not len(seen):
        return ()
    one = seen[:1]
    middle = (start[one[0]] + end[one[0]]) / 2
    return (Segments("separator", "margins", start=read_only(start[one]), end=read_only(end[one])),
            Text("label", "margins", at=(float(middle[0]), float(middle[1])),
                 text=verbatim(f"γ = {number(fit.separation.gamma)}")))


def side_charts(fit: PerceptronFit) -> tuple[Chart, ...]:
    """Return the proof of convergence, the angle to the best separator, and the mistakes by pass.

    They are always three, empty where there is nothing to show: dragging a point must not take tabs away.
    """
    return convergence(fit), cosine(fit), passes(fit)


def horizon(fit: PerceptronFit) -> float:
    """Return up to how many updates the proof is shown at first: the run, and the bound where it is near."""
    if fit.bound is not None and fit.bound <= 2 * fit.mistakes:
        return max(1.0, 1.06 * fit.bound)
    return max(4.0, 1.5 * fit.mistakes)


def reach(fit: PerceptronFit) -> float:
    """Return up to how many updates the proof is drawn: to the bound, if there is one."""
    return max(horizon(fit), 1.06 * fit.bound if fit.bound is not None else 0.0)


def _drawn(fit: PerceptronFit) -> Array:
    """Return the numbers of updates at which the curves of the proof are drawn, both at first and as a whole."""
    return np.union1d(np.linspace(0, horizon(fit), 257), np.linspace(0, reach(fit), 257))


def convergence(fit: PerceptronFit) -> Chart:
    """Return both lemmas in one picture: the line below u.theta_k and the root above ||theta_k|| cross at the bound."""
    if fit.separation.unknown == "indefinite":
        return Chart("convergence", say("Proof of convergence"), (), say("updates k"), say("length"),
                     caption=say("no feature space, so no lengths"))
    lemmas, eta, end = fit.lemmas, fit.model.eta, horizon(fit)
    k = thinned(fit.mistakes)
    all_k = _drawn(fit)
    high = eta * np.sqrt(fit.space.start_norm2 + all_k * max(0.0, fit.R2))
    zero = not fit.space.start
    marks: list[Mark] = [
        Curve("bound1", "steps", verbatim("√k η R" if zero else "√(‖θ₀‖² + k η² R²)"), lines=(line(all_k, high),)),
        Curve("curve1", "steps", verbatim("‖θₖ‖"), lines=(line(k, eta * np.sqrt(lemmas.norm2[k])),))]
    low = 0.0
    if lemmas.along is not None and lemmas.low is not None and fit.gamma is not None:
        bottom = eta * (lemmas.low[0] + all_k * fit.gamma)
        low = min(0.0, eta * float(lemmas.low[0]))
        marks += [Curve("curve0", "steps", verbatim("u·θₖ"), lines=(line(k, eta * lemmas.along[k]),)),
                  Curve("bound0", "steps", verbatim("k η γ" if zero else "u·θ₀ + k η γ"), lines=(line(all_k, bottom),))]
        chain = "k η γ ≤ u·θₖ ≤ ‖θₖ‖ ≤ √k η R  ⇒  k ≤ (R/γ)² =" if zero else (
            "u·θ₀ + k η γ ≤ u·θₖ ≤ ‖θₖ‖ ≤ √(‖θ₀‖² + k η² R²)  ⇒  k ≤")
        caption = verbatim(f"{chain} {bound_number(fit.bound or math.inf)}")
    else:
        caption = say("‖θₖ‖ ≤ √k η R holds, but without a margin γ nothing forces the run to end")
    top = float(np.interp(end, all_k, high))
    marks += bound_marks(fit, low, float(high[-1]))
    return Chart("convergence", say("Proof of convergence"), tuple(marks), say("updates k"), say("length"),
                 (0.0, end), (1.05 * low, 1.05 * top if top > 0 else 1.0), caption=caption,
                 whole=_whole(fit, (1.05 * low, 1.05 * float(high[-1]))))


def _whole(fit: PerceptronFit, heights: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return the ranges up to the bound, if it is out of sight."""
    return ((0.0, reach(fit)), heights) if reach(fit) > horizon(fit) else None


def bound_marks(fit: PerceptronFit, low: float, high: float) -> tuple[Mark, ...]:
    """Return upright lines where the run stopped and where it had to."""
    stop = say("stopped after {n}", n=fit.mistakes) if not fit.converged else say("converged after {n}", n=fit.mistakes)
    marks: list[Mark] = [upright("guide", fit.mistakes, low, high, stop)]
    if fit.bound is not None:
        name = say("bound {n}", n=fit.bound_floor) if fit.space.start else verbatim(f"⌊(R/γ)²⌋ = {fit.bound_floor}")
        marks.append(upright("limit", fit.bound, low, high, name))
    return tuple(marks)


def cosine(fit: PerceptronFit) -> Chart:
    """Return the cosine of the angle between theta_k and u, and what the two lemmas leave it."""
    lemmas, end = fit.lemmas, horizon(fit)
    values = lemmas.cosine
    if values is None or lemmas.along is None or fit.gamma is None:
        return Chart("cosine", say("Angle to the best separator"), (), say("updates k"), verbatim("cos(u, θₖ)"),
                     caption=say("no margin γ, so no best separator u"))
    k = thinned(fit.mistakes)
    k = k[np.isfinite(values[k])]
    all_k = _drawn(fit)[1:]
    all_k = all_k[lemmas.along[0] + all_k * fit.gamma >= 0]  # below 0 a long theta is the better one
    least = (lemmas.along[0] + all_k * fit.gamma) / np.sqrt(fit.space.start_norm2 + all_k * fit.R2)
    name = verbatim("√k γ/R") if not fit.space.start else verbatim("(u·θ₀ + k η γ) / √(‖θ₀‖² + k η² R²)")
    low = min(0.0, float(values[k].min()) if len(k) else 0.0)
    marks: tuple[Mark, ...] = (
        Curve("bound0", "steps", name, lines=(line(all_k, least),)),
        Curve("limit", "steps", verbatim("1"), lines=(line(np.array([0.0, reach(fit)]), np.ones(2)),)),
        Curve("curve0", "steps", verbatim("cos(u, θₖ)"), lines=(line(k, values[k]),)),
        Dots("curve0", "steps", xy=line(k, values[k])) if len(k) <= 60 else Curve("curve0", "steps"),
        *bound_marks(fit, low, 1.0))
    return Chart("cosine", say("Angle to the best separator"), marks, say("updates k"), verbatim("cos(u, θₖ)"),
                 (0.0, end), (1.08 * low, 1.08), caption=verbatim(f"{name} ≤ cos(u, θₖ) ≤ 1"),
                 whole=_whole(fit, (1.08 * low, 1.08)))


def passes(fit: PerceptronFit) -> Chart:
    """Return the mistakes of each pass as bars: 0 in the last one means that the run has converged."""
    made = fit.mistakes_per_epoch[:MOST_BARS]
    x = np.arange(1, len(made) + 1)
    if len(made) < fit.epochs:
        caption = say("the first {n} of {all} passes", n=len(made), all=fit.epochs)
    elif fit.converged:
        caption = say("the last pass is clean: converged")
    else:
        caption = say("no pass is clean")
    marks = (Bars("count", "steps", say("mistakes in this pass"), x=read_only(x), height=read_only(made)),)
    return Chart("passes", say("Mistakes by pass"), marks, say("pass"), say("mistakes"), (0.0, len(made) + 1.0),
                 (0.0, 1.08 * max(1.0, float(made.max()))), caption=caption)


def thinned(count: int) -> NDArray[np.intp]:
    """Return 0 … count, or as many of them, evenly, as there is room for."""
    return np.unique(np.linspace(0, count, min(count + 1, MOST_POINTS)).round().astype(np.intp))


def line(x: Array | NDArray[np.intp], y: Array) -> Array:
    """Return the polyline (m, 2) through x, y."""
    return read_only(np.column_stack([x, y]))


def upright(role: Role, x: float, low: float, high: float, label: Say | None = None) -> Curve:
    """Return an upright line at x."""
    return Curve(role, "steps", label, lines=(line(np.full(2, float(x)), np.array([low, high])),))
