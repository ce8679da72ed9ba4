"""A Field as an image: values through a table of colours, smooth between the centres of the cells."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from kernelplay.marks import Field
from kernelplay.ui.plane import Plane
from kernelplay.ui.strips import in_strips
from kernelplay.ui.theme import Theme, mixed, rgb

STEPS = 1024  # entries of the table
REGION = 0.6  # of the depth of a field's ends: a whole region in one colour is loud
# pixels of a field in a vector file for one pixel of the figure: a viewer may not smooth an enlarged image
FINE, FINE_REGIONS = 1.25, 2.0  # of smooth colours; of regions, whose edges would show steps


def half_range(field: Field) -> float:
    """Return how far from the centre a diverging field has the full colour: the same on both sides."""
    low, high = field.limits
    return max(high - field.centre, field.centre - low, 1e-300)


@lru_cache(maxsize=16)
def table(theme: Theme, roles: tuple[Any, ...], kind: str) -> NDArray[np.uint32]:
    """Return the colours, as 0xAARRGGBB: (STEPS + 1,) from the low end to the high end, or one for each region; the
    last entry is transparent, for values that are not numbers."""
    if kind == "regions":
        colours = np.array([rgb(mixed(theme.neutral, theme.ends(role), REGION)) for role in roles])
    else:
        if kind == "diverging":
            high, low = roles[:2]
            stops, places = [theme.ends(low), theme.neutral, theme.ends(high)], [0.0, 0.5, 1.0]
        else:
            stops, places = list(theme.ramp), [0.0, 1.0]
        at = np.linspace(0.0, 1.0, STEPS)
        channels = np.array([rgb(stop) for stop in stops]).T
        colours = np.column_stack([np.interp(at, places, channel) for channel in channels])
    whole = np.rint(255 * colours).astype(np.uint32)
    packed = 0xFF000000 | (whole[:, 0] << 16) | (whole[:, 1] << 8) | whole[:, 2]
    return np.append(packed, 0).astype(np.uint32)


def colours(field: Field, theme: Theme) -> NDArray[np.uint32]:
    """Return the colour of every cell (ny, nx), row 0 at the top as images have it."""
    values = field.values[::-1]
    if field.regions:
        lut = table(theme, field.roles, "regions")
        place = np.rint(values)
        last = len(field.roles) - 1
    else:
        lut = table(theme, field.roles if field.diverging else (), "diverging" if field.diverging else "ramp")
        last = STEPS - 1
        if field.diverging:
            low, span = field.centre - half_range(field), 2 * half_range(field)
        else:
            low, span = field.limits[0], max(field.limits[1] - field.limits[0], 1e-300)
        if not 1e-30 < span < 1e30 or abs(low) > 1e30:  # float32 has no number for 1/span or for the difference
            origin, share = (field.centre, 0.5) if field.diverging else (low, 0.0)
            inside = np.clip(values.astype(float), low, low + span)
            place = np.where(np.isfinite(values), ((inside - origin) / span + share) * last + 0.5, np.nan)
        else:
            place = (values - np.float32(low)) * np.float32(last / span) + np.float32(0.5)
    finite = np.isfinite(place)
    if finite.all():
        return lut[np.clip(place, 0, last).astype(np.intp)]
    return lut[np.where(finite, np.clip(np.where(finite, place, 0), 0, last), len(lut) - 1).astype(np.intp)]


def image(field: Field, theme: Theme) -> QImage:
    """Return the field as an image of one pixel a cell."""
    cells = np.ascontiguousarray(colours(field, theme))
    ny, nx = cells.shape
    return QImage(cells.data, nx, ny, 4 * nx, QImage.Format.Format_ARGB32_Premultiplied).copy()


def draw(painter: QPainter, field: Field, small: QImage, plane: Plane, vector: bool) -> None:
    """Draw the image `small` of `field` where it belongs: the first pixel's centre is the first cell's centre."""
    left, right = plane.x(np.array(field.x, float))
    bottom, top = plane.y(np.array(field.y, float))
    target = QRectF(left, top, right - left, bottom - top)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    if not vector:
        in_strips(painter, plane, lambda: painter.drawImage(target, small))
        return
    finer = FINE_REGIONS if field.regions else FINE
    fine = QImage(round(plane.width * finer), round(plane.height * finer), QImage.Format.Format_ARGB32_Premultiplied)
    fine.fill(Qt.GlobalColor.transparent)
    inner = QPainter(fine)
    inner.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    inner.scale(fine.width() / plane.width, fine.height() / plane.height)
    inner.translate(-plane.left, -plane.top)
    inner.drawImage(target, small)
    inner.end()
    painter.drawImage(QRectF(plane.left, plane.top, plane.width, plane.height), fine)
