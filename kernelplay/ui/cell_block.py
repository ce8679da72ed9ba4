"""A block of cells from a spreadsheet put into the table of points, from one cell on to the right and down."""

from __future__ import annotations

import dataclasses

import numpy as np

from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.scene import Points
from kernelplay.session import MOST_POINTS
from kernelplay.ui.exchange import in_sight
from kernelplay.ui.point_model import CLASS, PointModel, X, coordinate, no_coordinate
from kernelplay.ui.store import Store


def is_block(text: str) -> bool:
    """Whether `text` is cells of a spreadsheet: more than one column, or values one below the other."""
    return "\t" in text or all(coordinate(line) is not None for line in text.split("\n") if line.strip())


def put_block(store: Store, model: PointModel, row: int, column: int, text: str) -> tuple[int, int] | None:
    """Put the cells of `text` into the table, as one step, the first at `row` and `column`; what comes below the last
    point is new points. Return how many rows and columns that was; None if it could not be, and nothing is changed:
    that is said, with the cell that is to blame."""
    cells = [line.split("\t") for line in text.replace("\r\n", "\n").rstrip("\n").split("\n")]
    try:
        points, rows = _filled(store, model, row, max(column, X), cells)
    except _Refused as refused:
        store.say(refused.why, problem=True)
        return None
    scene = store.scene.with_points(points)
    wide = max(map(len, cells))
    label = plural(len(cells), "Paste {n} row", "Paste {n} rows")
    store.edit(in_sight(store, scene, Points(points.xy[rows])), label)
    store.select(frozenset(rows))
    store.say(plural(len(cells), "{n} row pasted into the table.", "{n} rows pasted into the table."))
    return len(cells), wide


class _Refused(Exception):
    """The block cannot be put there."""

    def __init__(self, why: Say) -> None:
        super().__init__(str(why))
        self.why = why


def _filled(store: Store, model: PointModel, first: int, left: int, cells: list[list[str]]) -> tuple[Points, list[int]]:
    """Return the points with the cells in them, and their rows among the points; raise _Refused."""
    points, classes = store.scene.points, store.scene.classes
    n = len(points)
    last = (CLASS if store.scene.task == "classification" else CLASS - 1)
    new = max(0, first + len(cells) - n)
    if n + new > MOST_POINTS:
        raise _Refused(say("With these rows the scene would have {n} points; the limit is {most}.", n=n + new,
                           most=MOST_POINTS))
    xy = np.vstack([points.xy, np.full((new, 2), np.nan)])
    cls = np.concatenate([points.cls, np.full(new, store.current_class if last == CLASS else 0)])
    on = np.concatenate([points.on, np.ones(new, np.bool_)])
    rows: list[int] = []
    for i, line in enumerate(cells):
        row = model.point(first + i) if first + i < n else first + i
        rows.append(row)
        for j, text in enumerate(line):
            column, text = left + j, text.strip()
            if column > last:
                raise _Refused(say("Line {line} has {n} cells, but there is only room for {most} from here: start "
                                   "further left.", line=i + 1, n=len(line), most=last - left + 1))
            if column == CLASS:
                cls[row] = _class(text, classes, i)
                continue
            number = coordinate(text)
            if number is None:
                raise _Refused(say("Nothing was pasted. Line {line}: {why}", line=i + 1, why=no_coordinate(text)))
            xy[row, column - X] = number
    if np.isnan(xy).any():
        raise _Refused(say("Rows below the last point need both coordinates: paste both columns, or fewer rows."))
    return dataclasses.replace(points, xy=xy, cls=cls, on=on), rows


def _class(text: str, classes: tuple[str, ...], line: int) -> int:
    for number, title in enumerate(classes):
        if text in (title, title.replace("−", "-")):
            return number
    raise _Refused(say("Nothing was pasted. Line {line}: there is no class {name}; add the class first.",
                       line=line + 1, name=verbatim(text[:40] or "“”")))
