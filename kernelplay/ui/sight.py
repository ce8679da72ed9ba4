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
    inside = ((xy >= [x0, y0]) & (xy <= [x1, y1])).all(axis=1)
    if not len(xy) or picture.fit is None or picture.stale:
        return None
    if not inside.any():
        return say("All points lie outside the view: the key F shows them.")
    if picture.scene.task == "classification":
        return None if inside.all() else _boundary(picture)
    return _curve(picture, view)


def _boundary(picture: Picture) -> Say | None:
    f = getattr(picture.fit, "f_train", None)
    if f is None or f.ndim != 1 or "boundary" in picture.scene.hidden or not (f.min() < 0 < f.max()):
        return None
    if any(isinstance(mark, Curve) and mark.role == "boundary" and mark.lines for mark in picture.canvas.marks):
        return None
    return say("The boundary lies outside the view: the key F shows all points.")


def _curve(picture: Picture, view: Rectangle) -> Say | None:
    x0, x1, y0, y1 = view
    lines = [line for mark in picture.canvas.marks if isinstance(mark, Curve) and mark.role == "mean"
             for line in mark.lines]
    heights = np.concatenate([np.zeros(0), *(line[(line[:, 0] >= x0) & (line[:, 0] <= x1), 1] for line in lines)])
    if not len(heights) or ((heights >= y0) & (heights <= y1)).any() or heights.min() < y0 < heights.max():
        return None
    away = y0 - heights.max() if heights.max() < y0 else heights.min() - y1
    if away > ZOOMED * (y1 - y0):
        return say("The curve lies far outside the view: take a number near their mean off the targets.")
    return say("The curve lies outside the view: the key − shows more of the plane.")
