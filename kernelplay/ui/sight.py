"""What of a picture lies outside the view, as a sentence: an empty canvas looks like a fault."""

from __future__ import annotations

import numpy as np

from kernelplay.i18n import Say, say
from kernelplay.marks import Curve, Picture
from kernelplay.scene import Rectangle

ZOOMED = 1e4  # heights of the view up to which zooming out is a way to see a curve


def out_of_sight(picture: Picture, view: Rectangle) -> Say | None:
    """Return the sentence when all points, the whole boundary or the whole curve lie outside `view`; None else."""
    xy = picture.scene.points.xy
    x0, x1, y0, y1 = view
    x, y = xy.T  # column by column: of very many points a tenth of the time
    inside = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    if not len(xy) or picture.fit is None or picture.stale:
        return None
    if not inside.any():
        return say("All points are outside the view: press F to show them.")
    if picture.scene.task == "classification":
        return None if inside.all() else _boundary(picture)
    return _curve(picture, view)


def _boundary(picture: Picture) -> Say | None:
    f = getattr(picture.fit, "f_train", None)
    if f is None or f.ndim != 1 or "boundary" in picture.scene.hidden or not (f.min() < 0 < f.max()):
        return None
    if any(isinstance(mark, Curve) and mark.role == "boundary" and mark.lines for mark in picture.canvas.marks):
        return None
    return say("The boundary is outside the view: press F to show all points.")


def _curve(picture: Picture, view: Rectangle) -> Say | None:
    x0, x1, y0, y1 = view
    lines = [line for mark in picture.canvas.marks if isinstance(mark, Curve) and mark.role == "mean"
             for line in mark.lines]
    heights = np.concatenate([np.zeros(0), *(line[(line[:, 0] >= x0) & (line[:, 0] <= x1), 1] for line in lines)])
    if not len(heights) or ((heights >= y0) & (heights <= y1)).any() or heights.min() < y0 < heights.max():
        return None
    away = y0 - heights.max() if heights.max() < y0 else heights.min() - y1
    if away > ZOOMED * (y1 - y0):
        return say("The curve is far outside the view: subtract a number near their mean from the targets.")
    return say("The curve is outside the view: press − to zoom out.")
