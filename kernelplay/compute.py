"""From a Request to a Picture: fit, charts, readouts. Pure but for remembering the last fit and good charts.

While the hand moves, the field is made as fine as the frame allows: what the last pictures of the same kind cost says
how many cells fit into `BUDGET`. Whatever is drawn, coarse or fine, holds true values at its cells.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FitError, Note, SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Bars, Chart, Dots, Mark, Picture, Readout, Role
from kernelplay.models.base import Check, Fit, View, nothing
from kernelplay.scene import Rectangle, Scene, axis_labels, data_view, point_marks
from kernelplay.spec import Child, Spec

RESOLUTION = 200  # cells along the longer side of the field when the hand rests
COARSEST = 40  # cells along the longer side below which a boundary is no longer worth looking at
BUDGET = 0.008  # seconds that fields and contours may take while the hand moves: half a frame


@dataclass(frozen=True, eq=False)
class Request:
    """One picture to make: the scene, the rectangle that is visible, cells of the field along its longer side."""

    scene: Scene
    view: Rectangle
    resolution: int = RESOLUTION
    aspect: float = 1.0  # width / height of the canvas in pixels
    hurry: bool = False  # the hand is moving: rather coarse and now than fine and late
    origin: int = 0  # of the points: a picture of others, or of another model, is not the last good one of these


class Compute:
    """Makes pictures, one after another; remembers the last Fit to reuse or start from, and the last good charts."""

    def __init__(self) -> None:
        self._fit: Fit | None = None
        self._made_from: Scene | None = None
        self._good: tuple[Chart, ...] = ()
        self._good_of: tuple[int, str] | None = None  # the origin of its points, and its model
        self._pace = Pace()

    @classmethod
    def after(cls, picture: Picture) -> Self:
        """Return a Compute that remembers the fit of `picture`: other views of its scene need no new one."""
        made = cls()
        made._fit, made._made_from = picture.fit, picture.scene
        return made

    def picture(self, request: Request, check: Check = nothing) -> Picture:
        """Return the Picture of `request`; a problem the user can solve is part of it. Raises Cancelled."""
        with np.errstate(all="ignore"):  # what overflows is found by certificates and said in sentences
            return self._picture(request, check)

    def _picture(self, request: Request, check: Check) -> Picture:
        scene = request.scene
        X, y, labels, roles, rows = scene.training()
        began = time.perf_counter()
        try:
            fit = self._reused(scene)
            if fit is None:
                fit = scene.model.fit(X, y, labels=labels or None, check=check, last=self._last(scene))
        except (FitError, SpecError) as error:
            conflict = tuple(int(rows[i]) for i in getattr(error, "points", ()))
            return self._without_fit(request, error.sentence, conflict)
        fitted = time.perf_counter()
        resolution = self._pace.resolution(fit, request)
        view = replace(_view(request, roles, resolution), rows=rows)
        charts = fit.charts(view, check)
        drawn = time.perf_counter()
        self._pace.note(fit, resolution, drawn - fitted)
        self._fit, self._made_from = fit, scene
        charts = tuple(_by_scene_rows(chart, rows) for chart in charts)
        charts = (_with_points(charts[0], scene), *charts[1:])
        self._good, self._good_of = charts, (request.origin, scene.model.key)
        times = Readout("time", say("Fit · drawing"),
                        say("{fit} · {draw} ms", fit=_ms(fitted - began), draw=_ms(drawn - fitted)),
                        {"fit_ms": 1e3 * (fitted - began), "charts_ms": 1e3 * (drawn - fitted)}, group="time")
        notes = tuple(Note(note.sentence, note.level, tuple(int(rows[i]) for i in note.points)) for note in fit.notes)
        return Picture(charts, fit.status(), (*fit.readouts(), times), notes, fit.frames(view), scene=scene, fit=fit,
                       coarse=resolution < request.resolution)

    def _reused(self, scene: Scene) -> Fit | None:
        """Return the last Fit if nothing it depends on has changed (the view or the layers may have)."""
        then = self._made_from
        if then is not None and then.model == scene.model and then.points is scene.points:
            return self._fit
        return None

    def _last(self, scene: Scene) -> Fit | None:
        return self._fit if self._fit is not None and type(self._fit.model) is type(scene.model) else None

    def _without_fit(self, request: Request, why: Say, conflict: tuple[int, ...]) -> Picture:
        scene = request.scene
        behind: tuple[Mark, ...] = ()
        others: tuple[Chart, ...] = ()
        if len(scene.points) and self._good_of == (request.origin, scene.model.key):  # else nothing to be behind
            behind = tuple(mark for mark in self._good[0].marks if mark.layer != "points")
            others = self._good[1:]
        x_label, y_label = axis_labels(scene)
        canvas = Chart("canvas", verbatim(""), behind, x_label, y_label, equal_aspect=scene.task == "classification")
        marks: tuple[Mark, ...] = ()
        if conflict:
            marks = (Dots("conflict", "errors", say("in conflict"), xy=scene.points.xy[list(conflict)],
                          index=np.array(conflict, np.intp)),)
        canvas = replace(_with_points(canvas, scene), marks=(*_with_points(canvas, scene).marks, *marks))
        return Picture((canvas, *others), why, problem=why, conflict=conflict, scene=scene, stale=bool(behind))


class Pace:
    """What charts cost, by kind of model, shape of kernel and number of points: seconds = fixed + per cell * cells."""

    def __init__(self) -> None:
        self._cost: dict[object, float] = {}  # seconds per cell at the resolution measured last

    def resolution(self, fit: Fit, request: Request) -> int:
        """Return the cells along the longer side: all that are asked for, or those that fit into the frame."""
        if not request.hurry:
            return request.resolution
        per_cell = self._cost.get(_kind(fit))
        if per_cell is None or per_cell * request.resolution**2 <= BUDGET:
            return request.resolution
        return max(COARSEST, min(request.resolution, int((BUDGET / per_cell) ** 0.5)))

    def note(self, fit: Fit, resolution: int, seconds: float) -> None:
        """Take note of what one set of charts cost. Less is believed at once, more only by half as much again: one
        picture that had to wait for the processor does not make the next ones coarse."""
        key, new = _kind(fit), seconds / resolution**2
        self._cost[key] = min(new, 1.5 * self._cost.get(key, new))


def _kind(fit: Fit) -> object:
    return type(fit.model), _shape(fit.kernel), len(fit.X).bit_length()


def _shape(spec: Spec) -> object:
    """Return the keys of a kernel and of those it holds: what its cost depends on, whatever its parameters are."""
    held = []
    for name, param in spec.params().items():
        if isinstance(param, Child):
            value = getattr(spec, name)
            held += [_shape(child) for child in (value if param.many else (value,))]
    return (spec.key, *held)


def cold(scene: Scene, view: Rectangle | None = None, aspect: float = 1.0, resolution: int = RESOLUTION,
         check: Callable[[], None] = nothing) -> Picture:
    """Return the picture of a scene by itself, without anything remembered: for files, tests and the command line."""
    return Compute().picture(Request(scene, view or scene.view or data_view(scene), resolution, aspect), check)


def _view(request: Request, roles: tuple[Role, ...], longer: int) -> View:
    x0, x1, y0, y1 = request.view
    nx, ny = (longer, max(2, round(longer / request.aspect))) if request.aspect >= 1 else (
        max(2, round(longer * request.aspect)), longer)
    return View((x0, x1), (y0, y1), nx, ny, roles or ("class0", "class1"), request.scene.hidden)


def _with_points(chart: Chart, scene: Scene) -> Chart:
    x_label, y_label = axis_labels(scene)
    drawn = [mark.index for mark in chart.marks if isinstance(mark, Dots) and mark.layer == "points"]
    return replace(chart, marks=(*chart.marks, *point_marks(scene, np.concatenate(drawn) if drawn else ())),
                   x_label=x_label, y_label=y_label)


def _by_scene_rows(chart: Chart, rows: NDArray[np.intp]) -> Chart:
    """Return the chart with the rows of X in its marks turned into rows of the scene's points."""
    if len(rows) == 0 or rows[-1] == len(rows) - 1:
        return chart
    marks = tuple(replace(mark, index=rows[mark.index]) if isinstance(mark, (Dots, Bars)) and len(mark.index) else mark
                  for mark in chart.marks)
    return replace(chart, marks=marks)


def _ms(seconds: float) -> Say:
    return verbatim(f"{1e3 * seconds:.1f}")
