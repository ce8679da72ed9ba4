"""Drawing of functions over two inputs, shared by all classifiers: colour field, level lines, regions of classes.

A function is evaluated at the centres of the cells of a view with one more cell all round (`cells`), so that field and
lines reach past the frame instead of ending half a cell before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernelplay.i18n import Say, number, say
from kernelplay.marks import Curve, Field, Layer, Mark, Role, read_only
from kernelplay.models.base import View
from kernelplay.models.regions import region_lines

Array = NDArray[np.float64]
Lines = tuple[Array, ...]  # polylines, each (m, 2)

SHARE = 0.98  # of the cells that the colour limits must hold
MOST = 1e37  # a number of single precision, and its differences too


def cells(view: View) -> tuple[Array, Array]:
    """Return the centres x (nx + 2,), y (ny + 2,) of the cells of `view` and of one more cell on every side."""
    return _centres(view.x, view.nx), _centres(view.y, view.ny)


def _centres(limits: tuple[float, float], count: int) -> Array:
    low, high = limits
    step = (high - low) / count
    return np.asarray(low + step * (np.arange(-1, count + 1) + 0.5))


def symmetric_limits(values: Array, centre: float = 0.0, least: float = 1.0) -> tuple[float, float]:
    """Return colour limits centre -+ r, r the value that 98 % of the cells stay within, and at least `least`.

    Values beyond keep the end colour, and the colour bar says so: a few huge values do not bleach the rest.
    """
    apart = np.abs(values.ravel()[:: max(1, values.size // 4096)] - centre)
    place = int(SHARE * (len(apart) - 1))
    reach = max(least, float(np.partition(apart, place)[place]))
    return centre - reach, centre + reach


def field_mark(values: Array, x: Array, y: Array, roles: tuple[Role, ...], *, centre: float = 0.0,
               limits: tuple[float, float] | None = None, label: Say | None = None) -> Field:
    """Return the diverging Field of `values` (ny, nx) at the centres x, y; roles: high end, low end.

    limits: of the colour bar, by default `symmetric_limits` about `centre`.
    """
    values = np.clip(values, -MOST, MOST)  # nothing beyond has a colour of its own
    return Field("contour", "field", label, values=read_only(values, np.float32), x=_edges(x), y=_edges(y),
                 limits=symmetric_limits(values, centre) if limits is None else limits, centre=centre, roles=roles[:2])


def _edges(centres: Array) -> tuple[float, float]:
    half = (centres[1] - centres[0]) / 2
    return float(centres[0] - half), float(centres[-1] + half)


def level_lines(values: Array, x: Array, y: Array, levels: Sequence[float], scale: float = 0.0) -> tuple[Lines, ...]:
    """Return for each of `levels` the polylines on which `values` (ny, nx), given at x (nx,), y (ny,), has it; none
    where the values are flat to the rounding of sums of size `scale` (at least the largest value)."""
    from kernelplay.numerics import contour

    return tuple(tuple(read_only(line) for line in lines) for lines in contour.lines(values, x, y, levels, scale))


class _Diagonal(Protocol):
    def diagonal(self, X: Array) -> Array: ...


def terms(kernel: _Diagonal, X: Array, weights: Array, constant: float = 0.0) -> float:
    """Return the size of the terms of sum_n weights_n k(x_n, .) + constant: what its rounding is relative to."""
    if not len(weights):
        return abs(constant)
    return float(np.abs(weights).sum()) * float(np.abs(kernel.diagonal(X)).max()) + abs(constant)


def curve(role: Role, layer: Layer, label: Say | None, lines: Lines, texts: tuple[str, ...] = ()) -> tuple[Curve, ...]:
    """Return the Curve of `lines`, or nothing when there are none: no legend entry for what is not there."""
    return (Curve(role, layer, label, lines=lines, texts=texts),) if lines else ()


def contour_marks(values: Array, x: Array, y: Array, levels: Sequence[float], label: Say, *,
                  digits: int = 3) -> tuple[Mark, ...]:
    """Return further level lines of `values`, role "contour", each with its level as text."""
    found = level_lines(values, x, y, levels)
    lines = tuple(line for at in found for line in at)
    texts = tuple(number(level, digits) for level, at in zip(levels, found, strict=True) for _ in at)
    return curve("contour", "contours", label, lines, texts)


def two_class_marks(values: Array, x: Array, y: Array, view: View, *, centre: float = 0.0,
                    limits: tuple[float, float] | None = None, field_label: Say | None = None,
                    boundary_label: Say | None = None, margins: Sequence[float] = (),
                    margins_label: Say | None = None, scale: float = 0.0) -> tuple[tuple[Mark, ...], tuple[Lines, ...]]:
    """Return the marks of a decision function of two classes, and its lines at (centre, *margins) for further use.

    values (ny, nx) at `cells(view)`; the boundary is the level `centre` (0, or 1/2 for probabilities). What
    `view.hidden` switches off is left out; the lines come all the same, as empty tuples where nothing needs them.
    scale: see `level_lines`.
    """
    marks: list[Mark] = []
    if "field" not in view.hidden:
        marks.append(field_mark(values, x, y, view.roles, centre=centre, limits=limits, label=field_label))
    levels = (centre, *margins)
    lines = level_lines(values, x, y, levels, scale)
    if "margins" not in view.hidden:
        marks += curve("margin", "margins", margins_label, tuple(line for at in lines[1:] for line in at))
    if "boundary" not in view.hidden:
        label = boundary_label or say("boundary f = 0")
        if lines[0] and _flat(values, centre, scale):
            label = say("{line}, except where flat to rounding", line=label)
        marks += curve("boundary", "boundary", label, lines[0])
    return tuple(marks), lines


def _flat(values: Array, level: float, scale: float) -> bool:
    from kernelplay.numerics import contour

    return contour.flat(values, level, max(scale, float(np.abs(values).max()))) is not None


def region_marks(winner: NDArray[np.intp], pairs: Sequence[tuple[int, int, Array]], x: Array, y: Array, view: View, *,
                 label: Say | None = None) -> tuple[Mark, ...]:
    """Return the map of several classes: regions in the colours of `view.roles`, and the lines between neighbours.

    winner (ny, nx): position of the class of each cell; pairs: (i, j, values (ny, nx)), values >= 0 where i beats j.
    """
    marks: list[Mark] = []
    if "field" not in view.hidden:
        marks.append(Field("contour", "field", label, values=read_only(winner, np.float32), x=_edges(x), y=_edges(y),
                           limits=(0.0, float(len(view.roles) - 1)), diverging=False, regions=True, roles=view.roles))
    if "boundary" not in view.hidden:
        lines = tuple(read_only(line) for line in region_lines(winner, pairs, x, y))
        marks += curve("boundary", "boundary", say("boundary between classes"), lines)
    return tuple(marks)


def nearest_on_lines(points: Array, lines: Lines) -> Array:
    """Return (n, 2): for each of `points` (n, 2) the nearest point of the polylines; NaN where there are no lines."""
    pieces = [line for line in lines if len(line) > 1]
    found = np.full((len(points), 2), np.nan)
    if not pieces or not len(points):
        return found
    start = np.concatenate([line[:-1] for line in pieces])
    along = np.concatenate([line[1:] for line in pieces]) - start
    length = np.hypot(along[:, 0], along[:, 1])
    for first in range(0, len(points), 32):
        p = points[first:first + 32]
        # (k, m) from the start of each piece
        away = np.sqrt((p[:, :1] - start[:, 0])**2 + (p[:, 1:] - start[:, 1])**2)
        # only a piece that reaches as near as the nearest start can hold the nearest point
        i, j = np.nonzero(away - length <= away.min(axis=1)[:, None])
        share = ((p[i] - start[j]) * along[j]).sum(axis=1) / np.maximum(length[j]**2, 1e-300)
        foot = start[j] + np.clip(share, 0.0, 1.0)[:, None] * along[j]
        distance = ((p[i] - foot)**2).sum(axis=1)
        order = np.lexsort((distance, i))
        nearest = order[np.flatnonzero(np.diff(i[order], prepend=-1))]
        found[first:first + len(p)] = foot[nearest]
    return found


def inside(points: Array, view: View) -> NDArray[np.bool_]:
    """Return which of `points` (n, 2) lie in the visible rectangle."""
    return ((points[:, 0] >= view.x[0]) & (points[:, 0] <= view.x[1])
            & (points[:, 1] >= view.y[0]) & (points[:, 1] <= view.y[1]))


def nearest_in_view(points: Array, lines: Lines, view: View) -> tuple[NDArray[np.bool_], Array]:
    """Return (known (n,), foot (n, 2)): the nearest point of `lines`, known only where no nearer one can lie off view.

    The lines end at the frame; a foot further away than the frame itself may not be the nearest one.
    """
    foot = nearest_on_lines(points, lines)
    frame = np.minimum.reduce([points[:, 0] - view.x[0], view.x[1] - points[:, 0],
                               points[:, 1] - view.y[0], view.y[1] - points[:, 1]])
    distance = np.hypot(*(foot - points).T) if len(points) else np.zeros(0)
    return inside(points, view) & (distance <= frame), foot
