"""Points from and to elsewhere: rows of a spreadsheet on the clipboard, tables and scenes from files."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.errors import FileError
from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.scene import Points, Scene, data_view
from kernelplay.session import LARGEST
from kernelplay.ui.store import Store

if TYPE_CHECKING:  # what reads tables is loaded with the first table
    from kernelplay.arrival import Arrival
    from kernelplay.tables import Table


def rows_as_text(scene: Scene, rows: Iterable[int] | None = None, decimal: str = ".") -> str:
    """Return `rows` of the points (all if none) as lines for a spreadsheet: two coordinates with `decimal` as their
    mark, and the class if any."""
    from kernelplay.class_names import plain

    points, stream = scene.points, io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    for row in sorted(rows or range(len(points))):
        cells = [repr(float(value)).replace(".", decimal) for value in points.xy[row]]
        if scene.task == "classification":
            cells.append(plain(scene.classes[int(points.cls[row])]))
        writer.writerow(cells)
    return stream.getvalue()


def rows_with_commas(scene: Scene, rows: Iterable[int] | None = None) -> str:
    """Return `rows` of the points (all if none) as lines for a spreadsheet whose decimal mark is the comma."""
    return rows_as_text(scene, rows, ",")


def paste(store: Store, text: str) -> bool:
    """Add the rows in `text` to the points; two numbers are a point of the current class. Says what happened.

    Return False, and do nothing, if the rows leave a doubt: some cannot be used, they could be read in another way, or
    have other columns than the canvas has axes.
    """
    from kernelplay import tables
    from kernelplay.arrival import among, joined

    scene = store.scene
    try:
        table = tables.parse(text.encode(errors="replace"), say("The clipboard"))
        _check_reach(table)
        if len(table.doubts) > bool(len(table.on)) or table.skipped_lines:  # a column `on` is as we write it
            return False
        classification = scene.task == "classification"
        pairs = classification and table.X.shape[1] == 1 and table.y.dtype.kind != "U"
        if not pairs and table.X.shape[1] != (2 if classification else 1):
            return False
        if pairs:
            new = Points(np.column_stack([table.X, table.y]), np.full(len(table.y), store.current_class))
            merged = scene
        else:
            new, classes = table.to_scene_points(scene.task, scene.classes)
            merged = scene
            if classification and classes != scene.classes:
                new, known = among(scene, new, classes)
                merged = dataclasses.replace(scene, classes=known)
    except FileError as error:
        store.say(error.sentence, problem=True)
        return True
    n = len(scene.points)
    merged = in_sight(store, merged.with_points(joined(scene.points, new)), new)
    store.edit(merged, plural(len(new), "Paste {n} point", "Paste {n} points"))
    store.select(frozenset(range(n, n + len(new))))
    sentence = plural(len(new), "{n} point pasted.", "{n} points pasted.")
    more = [title for title in merged.classes if title not in scene.classes]
    if more:
        sentence = say("{sentence} {more}", sentence=sentence, more=plural(
            len(more), "New class: {names}.", "{n} new classes: {names}.", names=", ".join(more)))
    store.say(sentence)
    return True


def in_sight(store: Store, scene: Scene, new: Points) -> Scene:
    """Return `scene` with the view so much wider that the points `new` are seen; as it is if they are seen anyway."""
    view = store.shown
    if view is None or len(new) == 0:
        return scene
    (x0, y0), (x1, y1) = new.xy.min(axis=0).tolist(), new.xy.max(axis=0).tolist()
    if view[0] <= x0 and x1 <= view[1] and view[2] <= y0 and y1 <= view[3]:
        return scene
    wide = data_view(scene.with_points(new))
    if len(store.scene.points):
        wide = (min(view[0], wide[0]), max(view[1], wide[1]), min(view[2], wide[2]), max(view[3], wide[3]))
    return scene.with_view(wide)


def open_table(store: Store, path: Path) -> bool:
    """Put the table in the file `path` in place of the points, as it looks; a step that can be undone. Says what
    happened, and what was guessed. Return False if there is a table and it does not fit the canvas as it is."""
    from kernelplay import tables

    try:
        table = tables.read(path)
    except FileError as error:
        store.say(error.sentence, problem=True)
        return True
    try:
        scene = table.to_scene(store.scene)
        _check_reach(table)
    except FileError as error:
        store.say(error.sentence, problem=True)
        return False
    store.select(frozenset())
    store.edit(scene, say("Import {file}", file=path.name), fresh=True)
    store.use_class(0)
    n = len(scene.points)
    store.say(_with_notes(plural(n, "{n} point "
                                    "imported from {file}.", "{n} points imported from {file}.", file=path.name),
                          table, scene))
    return True


def bring(store: Store, arrived: Arrival, add: bool) -> None:
    """Make the scene that a table brings the current one, as one step; says what happened."""
    scene, new, table = arrived.scene, arrived.points, arrived.table
    file = table.name if isinstance(table.name, Say) else verbatim(table.name)
    kept = store.scene.points if add and scene.task == store.scene.task else None
    n = len(kept) if kept is not None else 0
    store.select(frozenset())
    store.edit(in_sight(store, scene, new) if n else scene, say("Import {file}", file=file), fresh=not n)
    if not add:
        store.use_class(0)
    said = plural(len(new), "{n} point imported from {file}.", "{n} points imported from {file}.", file=file)
    store.say(_with_notes(said, table, scene))


def _check_reach(table: Table) -> None:
    """Raise FileError if a number is so large that a scene with it could not be drawn, nor opened again."""
    values = table.X if table.y.dtype.kind == "U" else np.column_stack([table.X, table.y])
    far = np.any(np.abs(values) > LARGEST, axis=1)
    if far.any():
        raise FileError(say("{file}: {n} of {total} points lie beyond 1e100, outside the canvas. "
                            "Rescale the column.", file=table.name, n=int(np.sum(far)), total=len(values)))


def _with_notes(sentence: Say, table: Table, scene: Scene) -> Say:
    from kernelplay.arrival import signs

    which = signs(scene)
    for more in (*((which,) if which is not None else ()), *(note.sentence for note in table.notes)):
        sentence = say("{sentence} {more}", sentence=sentence, more=more)
    return sentence
