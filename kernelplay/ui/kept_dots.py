"""Very many dots kept as a picture: of what was painted before only the neighbourhood of what has moved is painted, and
of a view that is dragged only what comes into sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from kernelplay.marks import Dots
from kernelplay.ui.missing import rows_gone
from kernelplay.ui.plane import Plane, device_ratio

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]
Draw = Callable[[QPainter, Sequence[Dots]], None]

MANY = 4000  # dots from which on keeping a picture of them pays
CELL = 32  # pixels: the picture is mended in squares of this side
REACH = 30.0  # pixels: no dot reaches further from its middle, and none further than its square and the next
MOST = 0.2  # of all squares: where more have to be mended, everything is painted again
FEW = 2000  # dots that come, go or move: of more, everything is painted again
TAKEN = 600  # dots that are looked for where some are gone from the middle or came there
SAME = 1e-3  # device pixels by which a view may miss whole ones, to be the same picture put elsewhere
ROUGH = 6.0  # times as large or as small as it was painted: what is seen only until the hand rests


class KeptDots:
    """The picture of some groups of dots in one plot. What it shows is what painting all of them would show; while the
    hand zooms, what was painted is enlarged with all that is in it, until it rests."""

    def __init__(self) -> None:
        self._picture = QPixmap()
        self._marks: tuple[Dots, ...] = ()
        self._looks: Any = None
        self._plane = Plane(0, 0, 1, 1, (0.0, 1.0, 0.0, 1.0))  # that the picture was painted for
        self._moved = (0, 0)  # device pixels that it was moved by since then
        self._enlarged: float | None = None  # how much larger it is than it was painted, if the hand zooms
        self._grid = (1, 1)  # rows and columns of squares
        self._squares: list[Rows] = []  # of each dot, by group; made when they are needed
        self.painted = 0  # dots painted so far

    def draw(self, painter: QPainter, marks: Sequence[Dots], plane: Plane, size: tuple[float, float], looks: Any,
             draw: Draw, rough: bool = False) -> None:
        """Draw `marks` with `draw`, or the picture of them. looks: what their places and looks depend on, besides the
        plane and the size of the plot; rough: the hand is zooming."""
        total = sum(len(mark.xy) for mark in marks)
        if total < MANY:
            self._picture, self._marks, self._looks = QPixmap(), (), None
            self.painted += total
            draw(painter, marks)
            return
        ratio = device_ratio(painter)
        key = (size, looks, ratio)
        kept = key == self._looks and self._follow(plane, draw, ratio, rough) and self._mend(marks, plane, draw)
        if not kept:
            pixels = QSize(int(np.ceil(size[0] * ratio)), int(np.ceil(size[1] * ratio)))
            if self._picture.size() != pixels or self._picture.devicePixelRatio() != ratio:
                self._picture = QPixmap(pixels)
                self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            self._plane, self._moved, self._enlarged = plane, (0, 0), None
            self._squares = []
            self._grid = (int(size[1]) // CELL + 3, int(size[0]) // CELL + 3)  # one square more on every side
            inner = QPainter(self._picture)
            draw(inner, marks)
            inner.end()
            self.painted += total
        self._looks, self._marks = key, tuple(marks)
        painter.drawPixmap(0, 0, self._picture)

    def _follow(self, plane: Plane, draw: Draw, ratio: float, rough: bool) -> bool:
        """Bring the picture to `plane`; False if it has to be painted anew for that."""
        if self._enlarged is not None and not rough:
            return False
        then = self._plane
        if (plane.left, plane.top, plane.width, plane.height) != (then.left, then.top, then.width, then.height):
            return False
        x, y = (then.pixels(np.array([[plane.view[0], plane.view[3]], [plane.view[1], plane.view[2]]]))
                - (plane.left, plane.top)).T * ratio
        wide, high = (x[1] - x[0]) / (plane.width * ratio), (y[1] - y[0]) / (plane.height * ratio)
        if abs(wide - 1) * plane.width * ratio < SAME and abs(high - 1) * plane.height * ratio < SAME:
            whole = (-round(x[0]), -round(y[0]))
            if max(abs(x[0] + whole[0]), abs(y[0] + whole[1])) < SAME:
                return self._scroll(whole, plane, draw, ratio)
        return rough and self._enlarge(plane, draw, ratio)

    def _scroll(self, whole: tuple[int, int], plane: Plane, draw: Draw, ratio: float) -> bool:
        """Put the picture where it was painted and then so many device pixels aside, and paint what came into it."""
        dx, dy = whole[0] - self._moved[0], whole[1] - self._moved[1]
        wide, high = self._picture.width(), self._picture.height()
        if abs(dx) >= wide // 2 or abs(dy) >= high // 2:
            return False
        if (dx, dy) == (0, 0):
            return True
        self._picture.scroll(dx, dy, QRect(0, 0, wide, high))
        self._moved = whole
        self._squares = []
        for strip in (QRect(0 if dx > 0 else wide + dx, 0, abs(dx), high),
                      QRect(0, 0 if dy > 0 else high + dy, wide, abs(dy))):
            if strip.isValid():
                self._paint(QRectF(strip.x() / ratio, strip.y() / ratio, strip.width() / ratio, strip.height() / ratio),
                            self._marks, plane, draw)
        return True

    def _enlarge(self, plane: Plane, draw: Draw, ratio: float) -> bool:
        """Enlarge the picture, or reduce it and paint what came into it around; sharp enough while the hand zooms."""
        was = self._shown(ratio)
        (left, top), (right, bottom) = plane.pixels(np.array([[was.view[0], was.view[3]], [was.view[1], was.view[2]]]))
        wide, high = (right - left) / plane.width, (bottom - top) / plane.height
        enlarged = (self._enlarged or 1.0) * max(wide, high)
        if not 1 / ROUGH < enlarged < ROUGH or (wide, high) == (1.0, 1.0):
            return False
        old = self._picture
        self._picture = QPixmap(old.size())
        self._picture.setDevicePixelRatio(ratio)
        self._picture.fill(Qt.GlobalColor.transparent)
        size = old.deviceIndependentSize()
        target = QRectF(left - plane.left * wide, top - plane.top * high, size.width() * wide, size.height() * high)
        inner = QPainter(self._picture)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        inner.drawPixmap(target, old, QRectF(0, 0, old.width(), old.height()))
        inner.end()
        self._plane, self._moved, self._enlarged, self._squares = plane, (0, 0), enlarged, []
        whole = QRectF(0, 0, size.width(), size.height())
        if not target.contains(whole):
            inside = target.intersected(whole)
            for strip in (QRectF(0, 0, whole.width(), inside.top()),
                          QRectF(0, inside.bottom(), whole.width(), whole.bottom() - inside.bottom()),
                          QRectF(0, inside.top(), inside.left(), inside.height()),
                          QRectF(inside.right(), inside.top(), whole.right() - inside.right(), inside.height())):
                if strip.isValid():
                    self._paint(strip, self._marks, plane, draw)
        return True

    def _shown(self, ratio: float) -> Plane:
        """Return the plane as it is in the picture now."""
        then = self._plane
        x, y = (moved / ratio / scale for moved, scale in zip(self._moved, then.scale, strict=True))
        x0, x1, y0, y1 = then.view
        return Plane(then.left, then.top, then.width, then.height, (x0 - x, x1 - x, y0 + y, y1 + y))

    def _paint(self, place: QRectF, marks: Sequence[Dots], plane: Plane, draw: Draw) -> None:
        """Paint the dots that are seen in a rectangle of the picture, in which nothing is so far."""
        some = []
        x0, y1 = plane.data(place.left() - REACH, place.top() - REACH)
        x1, y0 = plane.data(place.right() + REACH, place.bottom() + REACH)
        for mark in marks:
            x, y = mark.xy.T
            near = np.flatnonzero((x > x0) & (x < x1) & (y > y0) & (y < y1))
            if len(near):
                some.append(Dots(mark.role, mark.layer, xy=mark.xy[near]))
        inner = QPainter(self._picture)
        inner.setClipRect(place)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        inner.fillRect(place, Qt.GlobalColor.transparent)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        draw(inner, some)
        inner.end()
        self.painted += sum(len(mark.xy) for mark in some)

    def _mend(self, marks: Sequence[Dots], plane: Plane, draw: Draw) -> bool:
        """Paint again what has changed since the picture was made; False if that is too much."""
        if [mark.role for mark in marks] != [mark.role for mark in self._marks]:
            return False
        changes = [_changes(was.xy, now.xy) for was, now in zip(self._marks, marks, strict=True)]
        places = [xy for was, now, (gone, come) in zip(self._marks, marks, changes, strict=True)
                  for xy in (was.xy[gone], now.xy[come])]
        changed = np.vstack(places)
        if not len(changed):
            return True
        if len(changed) > FEW or self._enlarged is not None:
            return False
        dirty = np.zeros(self._grid, np.bool_)
        pixels = plane.pixels(changed)
        for dx in (-REACH, 0.0, REACH):
            for dy in (-REACH, 0.0, REACH):
                dirty.flat[self._square(pixels + np.array([dx, dy]))] = True
        if dirty.mean() > MOST:
            return False
        if not self._squares:
            self._squares = [self._square(plane.pixels(mark.xy)) for mark in self._marks]
        near = _grown(dirty).ravel()
        some = []
        for k, (mark, (gone, come)) in enumerate(zip(marks, changes, strict=True)):
            pixels = plane.pixels(mark.xy[come])
            self._squares[k] = squares = self._put(self._squares[k], gone, come, pixels, len(mark.xy))
            shown = np.flatnonzero(near[squares])
            if len(shown):
                some.append(Dots(mark.role, mark.layer, xy=mark.xy[shown]))
        region = QRegion()
        for row, column in np.argwhere(dirty).tolist():
            region += QRegion((column - 1) * CELL, (row - 1) * CELL, CELL, CELL)
        inner = QPainter(self._picture)
        inner.setClipRegion(region)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        inner.fillRect(QRectF(region.boundingRect()), Qt.GlobalColor.transparent)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        draw(inner, some)
        inner.end()
        self.painted += sum(len(mark.xy) for mark in some)
        return True

    def _put(self, squares: Rows, gone: Rows, come: Rows, pixels: Array, n: int) -> Rows:
        """Return the squares of a group without those of the rows that are gone, with those of the rows that came."""
        if len(gone) == len(come) and (gone == come).all():
            squares[come] = self._square(pixels)
            return squares
        stays = np.ones(n, np.bool_)
        stays[come] = False
        made = np.empty(n, np.intp)
        made[stays] = np.delete(squares, gone)
        made[come] = self._square(pixels)
        return made

    def _square(self, pixels: Array) -> Rows:
        """Return the number of the square of each pixel; what is far away is in the squares around the plot."""
        high, wide = self._grid
        whole = (np.clip(np.nan_to_num(pixels), -CELL, CELL * max(high, wide)) * (1 / CELL) + 1.0).astype(np.intp)
        return np.minimum(whole[:, 1], high - 1) * wide + np.minimum(whole[:, 0], wide - 1)


def _changes(was: Array, now: Array) -> tuple[Rows, Rows]:
    """Return the rows of `was` (n, 2) whose dots are gone and the rows of `now` (m, 2) that came: all others are the
    same, in the same order."""
    if was is now:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    common = min(len(was), len(now))
    differ = was[:common] != now[:common]
    rows = np.flatnonzero(differ[:, 0] | differ[:, 1])  # a tenth of the time of `any` along an axis of two
    if len(was) != len(now) and len(rows) > TAKEN:
        longer, shorter = (was, now) if len(was) > len(now) else (now, was)
        extra = rows_gone(longer, shorter, TAKEN)
        if extra is not None:
            none = np.zeros(0, np.intp)
            return (extra, none) if longer is was else (none, extra)
    return np.append(rows, np.arange(common, len(was))), np.append(rows, np.arange(common, len(now)))


def _grown(squares: Mask) -> Mask:
    """Return the squares and their neighbours."""
    wide = squares.copy()
    wide[1:] |= squares[:-1]
    wide[:-1] |= squares[1:]
    grown = wide.copy()
    grown[:, 1:] |= wide[:, :-1]
    grown[:, :-1] |= wide[:, 1:]
    return grown
