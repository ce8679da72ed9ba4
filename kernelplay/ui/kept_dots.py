"""Very many dots kept as a picture: of what was painted before, only the neighbourhood of what has moved is painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from kernelplay.marks import Dots
from kernelplay.ui.plane import Plane

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Draw = Callable[[QPainter, Sequence[Dots]], None]

MANY = 4000  # dots from which on keeping a picture of them pays
CELL = 32  # pixels: the picture is mended in squares of this side
REACH = 30.0  # pixels: no dot reaches further from its middle, and none further than its square and the next
MOST = 0.2  # of all squares: where more have to be mended, everything is painted again
FEW = 2000  # dots that come, go or move: of more, everything is painted again


class KeptDots:
    """The picture of some groups of dots in one plot. What it shows is what painting all of them would show."""

    def __init__(self) -> None:
        self._picture = QPixmap()
        self._marks: tuple[Dots, ...] = ()
        self._looks: Any = None
        self._grid = (1, 1)  # rows and columns of squares
        self._squares: list[NDArray[np.intp]] = []  # of each dot, by group; made when they are needed
        self.painted = 0  # dots painted so far

    def draw(self, painter: QPainter, marks: Sequence[Dots], plane: Plane, size: tuple[float, float], looks: Any,
             draw: Draw) -> None:
        """Draw `marks` with `draw`, or the picture of them. looks: what their places and looks depend on, besides the
        plane and the size of the plot."""
        total = sum(len(mark.xy) for mark in marks)
        if total < MANY:
            self._picture, self._marks, self._looks = QPixmap(), (), None
            self.painted += total
            draw(painter, marks)
            return
        ratio = painter.deviceTransform().m11()
        key = (plane, size, looks, ratio)
        mended = key == self._looks and self._mend(marks, plane, draw)
        if not mended:
            pixels = QSize(int(np.ceil(size[0] * ratio)), int(np.ceil(size[1] * ratio)))
            if self._picture.size() != pixels or self._picture.devicePixelRatio() != ratio:
                self._picture = QPixmap(pixels)
                self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            self._squares = []
            self._grid = (int(size[1]) // CELL + 3, int(size[0]) // CELL + 3)  # one square more on every side
            inner = QPainter(self._picture)
            draw(inner, marks)
            inner.end()
            self.painted += total
        self._looks, self._marks = key, tuple(marks)
        painter.drawPixmap(0, 0, self._picture)

    def _mend(self, marks: Sequence[Dots], plane: Plane, draw: Draw) -> bool:
        """Paint again what has changed since the picture was made; False if that is too much."""
        if [mark.role for mark in marks] != [mark.role for mark in self._marks]:
            return False
        moves = [_moved(was.xy, now.xy) for was, now in zip(self._marks, marks, strict=True)]
        places = [xy for was, now, (rows, common) in zip(self._marks, marks, moves, strict=True)
                  for xy in (was.xy[rows], now.xy[rows], was.xy[common:], now.xy[common:])]
        changed = np.vstack(places)
        if not len(changed):
            return True
        if len(changed) > FEW:
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
        for k, (mark, (rows, common)) in enumerate(zip(marks, moves, strict=True)):
            squares = self._squares[k]
            if len(mark.xy) != len(squares):
                squares = np.concatenate([squares[:common], self._square(plane.pixels(mark.xy[common:]))])
            squares[rows] = self._square(plane.pixels(mark.xy[rows]))
            self._squares[k] = squares
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

    def _square(self, pixels: Array) -> NDArray[np.intp]:
        """Return the number of the square of each pixel; what is far away is in the squares around the plot."""
        high, wide = self._grid
        whole = (np.clip(np.nan_to_num(pixels), -CELL, CELL * max(high, wide)) * (1 / CELL) + 1.0).astype(np.intp)
        return np.minimum(whole[:, 1], high - 1) * wide + np.minimum(whole[:, 0], wide - 1)


def _moved(was: Array, now: Array) -> tuple[NDArray[np.intp], int]:
    """Return the rows whose dots have moved, and how many rows both have."""
    common = min(len(was), len(now))
    if was is now:
        return np.zeros(0, np.intp), common
    return np.flatnonzero((was[:common] != now[:common]).any(axis=1)), common


def _grown(squares: Mask) -> Mask:
    """Return the squares and their neighbours."""
    wide = squares.copy()
    wide[1:] |= squares[:-1]
    wide[:-1] |= squares[1:]
    grown = wide.copy()
    grown[:, 1:] |= wide[:, :-1]
    grown[:, :-1] |= wide[:, 1:]
    return grown
