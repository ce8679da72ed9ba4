"""Points from and to elsewhere: rows of a spreadsheet on the clipboard, tables and scenes from files."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from kernelplay import tables
from kernelplay.errors import FileError
from kernelplay.i18n import Say, plural, say
from kernelplay.scene import CLASS_LABELS, CLASS_ROLES, Points, Scene, data_view
from kernelplay.session import LARGEST
from kernelplay.ui.store import Store


def rows_as_text(scene: Scene, rows: frozenset[int]) -> str:
    """Return `rows` of the points (all if none) as lines for a spreadsheet: two coordinates, and the class if any."""
    points = scene.points
    chosen = sorted(rows) if rows else range(len(points))
    lines = []
    for row in chosen:
        cells = [repr(float(value)) for value in points.xy[row]]
        if scene.task == "classification":
            cells.append(scene.classes[int(points.cls[row])].replace("−", "-"))
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n" if lines else ""


def paste(store: Store, text: str) -> None:
    """Add the rows in `text` to the points; two numbers are a point of the current class. Says what happened."""
    scene = store.scene
    try:
        table = tables.parse(text.encode(), say("The clipboard"))
        if scene.task == "classification" and table.X.shape[1] == 1 and table.y.dtype.kind != "U":
            new = Points(np.column_stack([table.X, table.y]), np.full(len(table.y), store.current_class))
            classes: tuple[str, ...] = scene.classes
        else:
            new, classes = table.to_scene_points(scene.task)
        _check_reach(table, new)
    except FileError as error:
        store.say(error.sentence, problem=True)
        return
    merged = scene
    if scene.task == "classification" and classes != scene.classes:
        used = tuple(title for number, title in enumerate(classes) if (new.cls == number).any())
        known = _with_classes(scene, used)
        if len(known) > len(CLASS_ROLES):
            store.say(say("{n} classes are too many: the canvas shows at most {most}. Remove a class first.",
                          n=len(known), most=len(CLASS_ROLES)), problem=True)
            return
        numbers = np.array([known.index(title) if title in used else 0 for title in classes], np.intp)
        new = dataclasses.replace(new, cls=numbers[new.cls])
        merged = dataclasses.replace(scene, classes=known)
    n = len(scene.points)
    merged = in_sight(store, merged.with_points(joined(scene.points, new)), new)
    store.edit(merged, plural(len(new), "Paste {n} point", "Paste {n} points"))
    store.select(frozenset(range(n, n + len(new))))
    store.say(_with_notes(plural(len(new), "{n} point pasted.", "{n} points pasted."), table))


def _with_classes(scene: Scene, titles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the classes of `scene` and those of `titles` that are new: in alphabetical order, first in place of
    classes that still have the names they began with and no points."""
    known = list(scene.classes)
    first = {*Scene().classes, *map(str, CLASS_LABELS)}
    free = [number for number, title in enumerate(known) if title in first and title not in titles
            and not (scene.classification.cls == number).any()]
    for title in sorted(set(titles) - set(known)):
        if free:
            known[free.pop(0)] = title
        else:
            known.append(title)
    return tuple(known)


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


def open_table(store: Store, path: Path) -> None:
    """Put the table in the file `path` in place of the points, as a step that can be undone; says what happened."""
    try:
        table = tables.read(path)
        scene = table.to_scene(store.scene)
        _check_reach(table, scene.points)
    except FileError as error:
        store.say(error.sentence, problem=True)
        return
    store.select(frozenset())
    store.edit(scene, say("Read {file}", file=path.name))
    store.use_class(0)
    n = len(scene.points)
    store.say(
        _with_notes(plural(n, "{n} point read from {file}.", "{n} points read from {file}.", file=path.name), table)
    )


def _check_reach(table: tables.Table, points: Points) -> None:
    """Raise FileError if a coordinate is so large that a scene with it could not be drawn, nor opened again."""
    far = np.flatnonzero((np.abs(points.xy) > LARGEST).any(axis=1))
    if len(far):
        raise FileError(say("{file}: {n} of {total} points lie beyond 1e100, too far out for the canvas. Give the "
                            "column another unit.", file=table.name, n=len(far), total=len(points)))


def _with_notes(sentence: Say, table: tables.Table) -> Say:
    for note in table.notes:
        sentence = say("{sentence} {more}", sentence=sentence, more=note.sentence)
    return sentence


def joined(points: Points, new: Points) -> Points:
    """Return `points` with `new` after them."""
    return dataclasses.replace(points, xy=np.vstack([points.xy, new.xy]), cls=np.concatenate([points.cls, new.cls]),
                               on=np.concatenate([points.on, new.on]))
