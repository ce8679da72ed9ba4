"""What stands on the canvas now: the newest picture, the points as they are at this moment, the step of the player."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernelplay.i18n import Say, say
from kernelplay.marks import Array, Curve, Dots, Field, Frame, Mark, Picture, Role, Text, read_only
from kernelplay.scene import Scene, point_marks

OVER_POINTS: frozenset[Role] = frozenset({"error", "conflict", "looked_at"})


@dataclass(frozen=True, eq=False)
class Layers:
    """Marks from back to front; what is `behind` is dimmed while it is stale."""

    behind: tuple[Mark, ...] = ()
    points: tuple[Mark, ...] = ()
    front: tuple[Mark, ...] = ()
    stale: bool = False
    contour_labels: bool = True
    legend: bool = True
    bar: bool = False  # keep room for a colour bar that is on its way

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All of them, in order."""
        return (*self.behind, *self.points, *self.front)

    @property
    def field(self) -> Field | None:
        """The field that a colour bar explains."""
        return next((mark for mark in self.behind if isinstance(mark, Field) and not mark.regions), None)


def layers(picture: Picture | None, scene: Scene, frame: Frame | None = None) -> Layers:
    """Return what to draw of `scene` when `picture` is the newest there is, which may be of an earlier scene.

    Points are those of the scene, at once; what the picture says of single points moves along with them.
    """
    behind: list[Mark] = []
    front: list[Mark] = []
    faded: tuple[Dots, ...] = ()
    made_from = picture.scene if picture is not None else None
    usable = isinstance(made_from, Scene) and made_from.task == scene.task and len(scene.points) > 0
    stale = usable and picture is not None and picture.stale
    if picture is not None and isinstance(made_from, Scene) and usable:
        off = scene.hidden | frozenset(frame.replaces if frame is not None else ())
        followed = len(made_from.points) == len(scene.points) and not stale  # stale marks are of yet another scene
        for mark in picture.canvas.marks:
            if isinstance(mark, Dots) and mark.layer == "points":
                faded += _not_mattering(mark, made_from) if followed else ()
            elif mark.layer not in off:
                mark = _follow(mark, scene) if followed else mark
                over = mark.role == "conflict" if stale else mark.role in OVER_POINTS or isinstance(mark, Text)
                (front if over else behind).append(mark)
        for mark in frame.canvas if frame is not None else ():
            if mark.layer not in scene.hidden:
                (behind if isinstance(mark, (Curve, Field)) else front).append(mark)
    drawn = any(isinstance(mark, Field) for mark in behind)
    bar = not drawn and scene.task == "classification" and "field" not in scene.hidden
    return Layers(tuple(behind), _points(scene, faded), tuple(front), stale, "contour_labels" not in scene.hidden,
                  "legend" not in scene.hidden, bar)


def _not_mattering(mark: Dots, scene: Scene) -> tuple[Dots, ...]:
    """Return the dots that a fit has faded, without those that are switched off."""
    if mark.role != "faded" or not len(mark.index):
        return ()
    rows = mark.index[scene.points.on[mark.index]]
    return (replace(mark, index=rows, xy=scene.points.xy[rows]),) if len(rows) else ()


def _points(scene: Scene, faded: tuple[Dots, ...]) -> tuple[Mark, ...]:
    if "points" in scene.hidden:
        return ()
    return (*faded, *point_marks(scene, np.concatenate([mark.index for mark in faded]) if faded else ()))


def _follow(mark: Mark, scene: Scene) -> Mark:
    if isinstance(mark, Dots) and len(mark.index):
        return replace(mark, xy=read_only(scene.points.xy[mark.index]))
    return mark


def extent(marks: tuple[Mark, ...]) -> tuple[float, float, float, float]:
    """Return the rectangle (x low, high, y low, high) that holds all marks of a side view, bars from zero."""
    from kernelplay.marks import Band, Bars, Segments

    across, up = [np.zeros(0)], [np.zeros(0)]

    def hold(x: Array, y: Array) -> None:
        across.append(x)
        up.append(y)

    for mark in marks:
        if isinstance(mark, Dots):
            hold(*mark.xy.T)
        elif isinstance(mark, Curve):
            for line in mark.lines:
                hold(*line.T)
        elif isinstance(mark, Segments):
            hold(*mark.start.T)
            hold(*mark.end.T)
        elif isinstance(mark, Band):
            hold(mark.x, mark.lower)
            hold(mark.x, mark.upper)
        elif isinstance(mark, Bars):
            for side in (-1, 1):
                hold(mark.x + side * mark.width / 2, mark.height)
                hold(mark.x + side * mark.width / 2, 0 * mark.height)
        elif isinstance(mark, Field):
            hold(np.array(mark.x), np.array(mark.y))
    x, y = np.concatenate(across), np.concatenate(up)
    known = np.isfinite(x) & np.isfinite(y)
    if not known.all():
        x, y = x[known], y[known]
    if not len(x):
        return (0.0, 1.0, 0.0, 1.0)
    x0, x1, y0, y1 = x.min(), x.max(), y.min(), y.max()
    wide, high = (x1 - x0) or 1.0, (y1 - y0) or 1.0
    return (float(x0 - 0.03 * wide), float(x1 + 0.03 * wide), float(y0 - 0.05 * high), float(y1 + 0.08 * high))


def hint(scene: Scene) -> Say | None:
    """Return what to do with an empty canvas."""
    if len(scene.points):
        return None
    if scene.task == "regression":
        return say("Click to add a point.")
    return say("Click to add a point, right-click to add one of the other class.")
