"""Polylines of pixels, of very many at once: cut, simplified, taken apart into pieces and into dashes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from kernelplay.ui.plane import Box, Plane

Array = NDArray[np.float64]
Number = NDArray[np.intp]

FAR = 20_000.0  # pixels: the rasteriser loses precision far beyond
TAME = 5000.0  # pixels of a line whose dashes are all made, seen or not
AROUND = 40.0  # pixels around what is shown in which dashes are made too
ROUND = np.pi / 4  # of half the width of a pen: so far a flat end has to go on to cover as much as a round one
SEAM = 0.3  # pixels that pieces overlap at least, so that no notch is seen where two meet


def drawable(ends: Array, plane: Plane) -> NDArray[np.bool_]:
    """Return which straight pieces (n, 4), x and y of both ends, lie so near to `plane` that they are drawn exactly."""
    low = np.array(2 * [plane.left - FAR, plane.top - FAR])
    high = np.array(2 * [plane.right + FAR, plane.bottom + FAR])
    return np.asarray(((ends >= low) & (ends <= high)).all(axis=1))


def cut(ends: Array, plane: Plane) -> Array:
    """Return straight pieces (n, 4) without what runs so far off `plane` that it could not be drawn exactly."""
    near = drawable(ends, plane)
    if near.all():
        return ends
    far = ends[~near]
    start, along = far[:, :2], far[:, 2:] - far[:, :2]
    crosses, enter, leave = _crossing(start, along, *_edges(plane))
    start, along = start[crosses], along[crosses]
    parts = np.hstack([start + enter[crosses, None] * along, start + leave[crosses, None] * along])
    return np.concatenate([ends[near], parts])


def _edges(plane: Plane) -> tuple[Array, Array]:
    """Return the corners of the rectangle inside of which everything is drawn exactly."""
    return (np.array([plane.left - FAR, plane.top - FAR]), np.array([plane.right + FAR, plane.bottom + FAR]))


def inside(lines: Iterable[Array], plane: Plane) -> list[Array]:
    """Return polylines of pixels cut where they run so far off `plane` that they could not be drawn exactly."""
    kept: list[Array] = []
    low, high = _edges(plane)
    lines = list(lines)
    if lines and (all_of_them := np.concatenate(lines)).size and (all_of_them.min(axis=0) >= low).all() \
            and (all_of_them.max(axis=0) <= high).all():
        return [line for line in lines if len(line) > 1]
    for line in lines:
        if len(line) < 2:
            continue
        if ((line >= low) & (line <= high)).all():
            kept.append(line)
        else:
            kept += _cut(line, low, high)
    return kept


def _cut(line: Array, low: Array, high: Array) -> list[Array]:
    """Return the parts of a polyline inside a rectangle (Liang and Barsky, all segments at once)."""
    with np.errstate(invalid="ignore"):  # what is not finite is left out
        start, along = line[:-1], np.diff(line, axis=0)
    crosses, enter, leave = _crossing(start, along, low, high)
    seen = np.flatnonzero(crosses)
    if not len(seen):
        return []
    first = start[seen] + enter[seen, None] * along[seen]
    last = start[seen] + leave[seen, None] * along[seen]
    breaks = np.flatnonzero((np.diff(seen) > 1) | (leave[seen][:-1] < 1) | (enter[seen][1:] > 0)) + 1
    return [np.vstack([first[part], last[part][-1:]]) for part in np.split(np.arange(len(seen)), breaks)]


def _crossing(start: Array, along: Array, low: Array, high: Array) -> tuple[NDArray[np.bool_], Array, Array]:
    """Return which segments pass through a rectangle, and at which share of its way each one enters and leaves it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        at_low, at_high = (low - start) / along, (high - start) / along
    still = along == 0
    outside = (still & ((start < low) | (start > high))).any(axis=1)
    enter = np.where(still, -np.inf, np.minimum(at_low, at_high)).max(axis=1).clip(0.0)
    leave = np.where(still, np.inf, np.maximum(at_low, at_high)).min(axis=1).clip(max=1.0)
    known = np.isfinite(start).all(axis=1) & np.isfinite(along).all(axis=1)
    return ~outside & (enter < leave) & known, enter, leave


def simplified(line: Array, tolerance: float = 0.07) -> Array:
    """Return a polyline without vertices that lie within `tolerance` pixels of the line through their neighbours."""
    return simplified_all(line, np.zeros(len(line), np.intp), tolerance)[0]


def simplified_all(places: Array, number: Number, tolerance: float = 0.07) -> tuple[Array, Number]:
    """Return many polylines at once (n, 2), simplified as one, and to which of them each place belongs."""
    for _ in range(4):
        if len(places) < 12:
            break
        chord = places[2::2] - places[:-2:2]
        middle = places[1:-1:2] - places[:-2:2]
        length = np.hypot(chord[:, 0], chord[:, 1])
        bent = np.abs(chord[:, 0] * middle[:, 1] - chord[:, 1] * middle[:, 0]) > tolerance * length
        beyond = (chord * middle).sum(axis=1) > length * length  # a spike back along the line
        apart = number[2::2] != number[:-2:2]  # of two lines
        keep = np.ones(len(places), np.bool_)
        keep[1:-1:2] = bent | beyond | apart | (length == 0)
        if keep.sum() > 0.9 * len(places):
            break
        places, number = places[keep], number[keep]
    return places, number


def together(lines: Sequence[Array]) -> tuple[Array, Number]:
    """Return the places (n, 2) of all polylines, and to which of them each one belongs."""
    if not lines:
        return np.zeros((0, 2)), np.zeros(0, np.intp)
    return np.vstack(lines), np.repeat(np.arange(len(lines)), [len(line) for line in lines])


def pieces(places: Array, number: Number, width: float, box: Box) -> Array:
    """Return the straight pieces (n, 4) of polylines of pixels (see `together`) that pass through `box`, for a pen of
    this width and with flat ends: each is longer by what fills the notch where the line bends, so that all together
    look as one line with round joins and ends."""
    half = width / 2
    way = np.diff(places, axis=0)
    length = np.hypot(way[:, 0], way[:, 1])
    real = (number[1:] == number[:-1]) & (length > 0)
    start, end, number = places[:-1][real], places[1:][real], number[:-1][real]
    if not len(start):
        return np.zeros((0, 4))
    unit = way[real] / length[real, None]
    opens, closes = np.append(True, number[1:] != number[:-1]), np.append(number[1:] != number[:-1], True)
    first, last = np.flatnonzero(opens), np.flatnonzero(closes)
    before = np.roll(np.arange(len(start)), 1)
    before[first] = last  # of a ring: what joins its beginning
    cosine = (unit[before] * unit).sum(axis=1)
    turn = np.sqrt(np.maximum(1 - cosine, 0.0) / np.maximum(1 + cosine, 1e-9))  # tangent of half the angle
    reach = half * np.clip(turn, min(SEAM / half, ROUND), ROUND)
    reach[first[(start[first] != end[last]).any(axis=1)]] = half * ROUND  # no ring: the round ends
    after = np.roll(reach, -1)
    after[last] = reach[first]
    start, end = start - reach[:, None] * unit, end + after[:, None] * unit
    left, top, right, bottom = box
    low, high = np.minimum(start, end), np.maximum(start, end)
    near = ((high >= (left - half, top - half)) & (low <= (right + half, bottom + half))).all(axis=1)
    return np.hstack([start[near], end[near]])


def dashes(lines: Iterable[Array], lengths: tuple[float, ...], box: Box | None = None) -> Array:
    """Return straight dashes (n, 4), x and y of both ends, along polylines of pixels; `lengths` of dash, gap, dash, ….
    box: of lines that run far, those dashes alone that may be seen there.

    A dash is so short that its bend cannot be seen.
    """
    lines = [line for line in lines if len(line) > 1]
    if not lines:
        return np.zeros((0, 4))
    turns = np.concatenate([[0.0], np.cumsum(lengths)])
    places, number = together(lines)
    step = np.hypot(*np.diff(places, axis=0).T)
    step[number[1:] != number[:-1]] = 1.0  # from one line to the next: not to mistake one's end for the other's begin
    along = np.concatenate([[0.0], np.cumsum(step)])
    last = np.cumsum([len(line) for line in lines]) - 1
    begin, end = along[np.append(0, last[:-1] + 1)], along[last]
    parts = [(k, b, e) for k, (b, e) in enumerate(zip(begin.tolist(), end.tolist(), strict=True))]
    if box is not None:
        parts = [part for k, b, e in parts for part in
                 ([(k, b, e)] if e - b < TAME else _seen(k, lines[k], along[last[k] + 1 - len(lines[k]):], box))]
    which, low, high = (np.array(column) for column in zip(*parts, strict=True)) if parts else 3 * (np.zeros(0, int),)
    from_ = np.floor((low - begin[which]) / turns[-1])
    count = (np.ceil((high - begin[which]) / turns[-1]) - from_).astype(np.intp)
    turn = np.arange(count.sum()) + np.repeat(from_ - (np.cumsum(count) - count), count)
    which = np.repeat(which, count)
    rounds, once = np.unique(begin[which] + turn * turns[-1], return_index=True)
    starts = (rounds[:, None] + turns[:-1:2]).ravel()
    stops = np.minimum(rounds[:, None] + turns[1::2], end[which[once], None]).ravel()
    real = starts < stops
    found = np.empty((int(real.sum()), 4))
    for k, at in enumerate((starts[real], stops[real])):
        for side in range(2):
            found[:, 2 * k + side] = np.interp(at, along, places[:, side])
    return found


def _seen(number: int, line: Array, along: Array, box: Box) -> list[tuple[int, float, float]]:
    """Return from where to where on its way `along` the polyline of this number is in `box` or not far from it."""
    left, top, right, bottom = box
    low, high = np.array([left - AROUND, top - AROUND]), np.array([right + AROUND, bottom + AROUND])
    crosses, enter, leave = _crossing(line[:-1], np.diff(line, axis=0), low, high)
    which = np.flatnonzero(crosses)
    if not len(which):
        return []
    length = np.diff(along[:len(line)])[which]
    starts, ends = along[which] + enter[which] * length, along[which] + leave[which] * length
    gap = np.flatnonzero(starts[1:] > ends[:-1] + AROUND)
    return [(number, start, end) for start, end in
            zip(starts[np.append(0, gap + 1)].tolist(), ends[np.append(gap, len(ends) - 1)].tolist(), strict=True)]
