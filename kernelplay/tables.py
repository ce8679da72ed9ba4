"""Tables of numbers as people save them, read as told or as they look and without silent losses (one file: a table, and
how it is filled from CSV and its relatives and from LIBSVM text)."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay import class_names, faults, measures, svmlight
from kernelplay.cells import WIDEST, Tell, blocks, decoded, nothing, number
from kernelplay.class_names import MOST_CLASSES
from kernelplay.errors import FileError, Note
from kernelplay.faults import Unusable
from kernelplay.files import read_bytes
from kernelplay.guess import guess
from kernelplay.headings import SAMPLE, common_width, names, switches
from kernelplay.i18n import Say, say, verbatim
from kernelplay.i18n import number as shown
from kernelplay.marks import read_only
from kernelplay.models.base import Task
from kernelplay.reading import NOTHING, Reading
from kernelplay.scene import CLASS_NAMES, PLAIN_AXES, USUAL_AXES, Points, Scene
from kernelplay.units import standardised

Array = NDArray[np.float64]

MOST_LABELS = 50  # one against one: 1225 fits
MOST_ROWS = 1_000_000
MOST_CELLS = 50_000_000  # of the inputs
EXPLAINED = 1000  # rows whose fault is told


@dataclass(frozen=True, eq=False)
class Table:
    """What a table file holds: inputs, and a label or target.

    columns: the names of the inputs and, last, of the target; X: (n, d); y: (n,) numbers, or texts where the column
    holds text; labels: its distinct values in order, where they are classes, else (); skipped_lines: the lines, counted
    from 1 with the header, that could not be used; unusable: the first of them, with the reason; reading: how it was
    read; doubts: what of that was guessed and could be otherwise; on: (n,) which points take part, or (0,): all do;
    declared: the classes that the first row gives, in order, if it does.
    """

    name: str | Say
    columns: tuple[str, ...]
    X: Array
    y: NDArray[Any]
    labels: tuple[Any, ...]
    skipped_lines: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()
    reading: Reading = field(default_factory=Reading)
    unusable: tuple[Unusable, ...] = ()
    doubts: tuple[Say, ...] = ()
    on: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    declared: tuple[str, ...] = ()

    @cached_property
    def order(self) -> tuple[Any, ...]:
        """The labels in the order of their classes, of two the first is +1: as the first row declares them; else
        sorted, of two the last first, so that 1 is +1 beside −1 and 0, and yes beside no."""
        return class_names.in_order(self.y, self.declared)

    @cached_property
    def titles(self) -> dict[Any, str]:
        """What the class of each label is called, in this order."""
        return class_names.titles(self.order)

    @property
    def task(self) -> Task:
        """The task it was read for, or what the last column looks like: classes or targets. One input with numbers is
        taken as (x, t)."""
        if self.reading.task == "classification" or (self.reading.task == "" and self.labels and (
                self.X.shape[1] > 1 or self.y.dtype.kind == "U")):
            return "classification"
        return "regression"

    def check_task(self, task: Task) -> None:
        """Raise FileError if the last column cannot be what a model for `task` needs."""
        if task == "regression" and self.y.dtype.kind == "U":
            raise FileError(say("{file}: the last column contains text, but regression needs numbers there.",
                                file=self.name))
        n = len(self.labels) or len(np.unique(self.y))
        if task == "classification" and n > MOST_LABELS:
            raise FileError(say("{file}: the last column has {n} distinct values, too many for classes. Choose a "
                                "regression model.", file=self.name, n=n))

    def to_scene_points(self, task: Task | None = None, known: tuple[str, ...] = (),
                        ) -> tuple[Points, tuple[str, ...]]:
        """Return the points for the canvas and the names of the classes (regression: none).

        The canvas has two axes: two inputs and a class, or one input and a target. The classes are those that the
        first row declares; else, where all labels are names of the classes `known`, those in their order; else those
        of `order`: so points we wrote come back as they were. A label against the rest, or the numbers from the
        threshold on, are +1 and come first. Points without labels are of class 0 and give no names. Raises FileError
        where the table does not fit.
        """
        task = task or self.task
        needed = 2 if task == "classification" else 1
        if self.X.shape[1] != needed:
            raise FileError(faults.wrong_width(self.name, self.X.shape[1], task))
        if task == "regression":
            self.check_task(task)
            return Points(np.column_stack([self.X, self.y]), on=self.on, names=self._axes()), ()
        axes = self._axes()
        if self.reading.target == NOTHING:
            return Points(self.X, on=self.on, names=axes), ()
        if self.reading.classes != "each":
            upper, titles = self._halves()
            return Points(self.X, np.where(upper, 0, 1), self.on, axes), titles
        labels, known = self.order, () if self.declared else known
        if len(labels) > MOST_CLASSES:
            raise FileError(say("{file}: the last column has {n} distinct values, but the canvas shows at most {most} "
                                "classes.", file=self.name, n=len(labels), most=MOST_CLASSES))
        called = class_names.titles(labels, known)
        classes = tuple(called.values())
        if set(classes) <= set(known):
            classes = known
        elif len(classes) == 1 and not self.declared:
            classes = CLASS_NAMES[:2] if classes[0] in CLASS_NAMES[:2] else (*classes, "…")
        values, row = np.unique(self.y, return_inverse=True)
        cls = np.array([classes.index(called[value]) for value in values.tolist()], np.intp)[row]
        return Points(self.X, cls, self.on, axes), classes

    def _axes(self) -> tuple[str, str]:
        """Return what the two axes are called: those without a name of their own as on the canvas."""
        x, y = self.columns[:2]
        return USUAL_AXES if (x, y) == PLAIN_AXES else (x, y)

    def _halves(self) -> tuple[NDArray[np.bool_], tuple[str, str]]:
        """Return which points (n,) are +1 where the labels are put into two classes, and the names of the two."""
        if self.reading.classes == "threshold":
            if self.y.dtype.kind == "U":
                raise FileError(say("{file}: the labels are text, but a threshold needs numbers.", file=self.name))
            at = shown(self.reading.threshold, 6)
            return self.y >= self.reading.threshold, (f"≥ {at}", f"< {at}")
        values = np.unique(self.y)
        upper = np.array([self.titles[label] == self.reading.positive for label in values.tolist()], np.bool_)
        if not upper.any():
            raise FileError(say("{file} has no label {label}: choose the label to compare with the rest.",
                                file=self.name, label=verbatim(self.reading.positive or '""')))
        return upper[np.searchsorted(values, self.y)], (self.reading.positive, f"≠ {self.reading.positive}")

    def to_scene(self, scene: Scene) -> Scene:
        """Return `scene` with the points of this table, and with a model for its task if it has another one."""
        points, classes = self.to_scene_points(known=scene.classes)
        if scene.task != self.task:
            scene = scene.with_model("svm" if self.task == "classification" else "gpr")
        views = tuple(view for view in scene.views if view[0] != self.task)
        scene = replace(scene.with_points(points), views=views, title=Path(str(self.name)).stem)
        return replace(scene, classes=classes) if classes else scene


def read(path: str | os.PathLike[str], reading: Reading | None = None, tell: Tell = nothing) -> Table:
    """Return the table in the file at `path`, read as `reading` says or as it looks; raises FileError with a sentence
    if there is none in it."""
    file = Path(path)
    return parse(read_bytes(file), file.name, reading, tell)


def parse(content: bytes, name: str | Say, reading: Reading | None = None, tell: Tell = nothing,
          reach: float = np.inf) -> Table:
    """Return the table in `content`, the bytes of a file called `name` (or pasted text), read as `reading` says or as
    it looks; `tell` hears of the share that is done and may raise Cancelled; rows with a number beyond `reach` are not
    usable. Raises FileError."""
    doubts: tuple[Say, ...] = ()
    if reading is None:
        guessed = guess(content, name)
        reading, doubts = guessed.reading, guessed.doubts
    text, broken = decoded(content, reading.encoding)
    if not text.strip():
        raise FileError(say("{file} is empty.", file=name))
    if text.count("\n") > MOST_ROWS or text.count("\r") > MOST_ROWS:
        raise FileError(say("{file} has {n} lines; the limit is {most}.", file=name,
                            n=max(text.count("\n"), text.count("\r")), most=MOST_ROWS))
    heap = _Heap(reading, name, reach)
    if reading.format == "svmlight":
        _fill_features(heap, text, tell)
    else:
        _fill(heap, text, tell)
    return heap.table(broken, doubts)


def with_targets(table: Table, content: bytes) -> Table:
    """Return `table` with percentages and dates in its last column read as numbers, from the `content` it was read
    from; a column of other words stays as it is."""
    kind = measures.kind(table.y.tolist(), table.reading) if table.y.dtype.kind == "U" else ""
    if not kind:
        return table
    found = parse(content, table.name, replace(table.reading, task="regression"))
    doubts = table.doubts
    if kind == measures.DATE:
        _, doubtful, _ = measures.dates_of(table.y.tolist())
        doubts += (measures.dates_told(table.columns[-1:], table.reading, doubtful),)
    return replace(found, doubts=doubts, notes=(*found.notes, *(Note(doubt, "info") for doubt in doubts)))


class _Heap:
    """What has been read so far: numbers and words of the usable rows, and the other rows."""

    def __init__(self, reading: Reading, name: str | Say, reach: float) -> None:
        self.reading, self.name, self.reach = reading, name, reach
        self.columns: tuple[str, ...] = ()  # of inputs and target
        self.X: list[Array] = []
        self.last: list[str] = []  # the cells of the target, of rows whose inputs can be used
        self.lines: list[int] = []  # of the same rows
        self.on: list[bool] = []  # of the same rows, where a column says so
        self.bad: list[Unusable] = []
        self.bad_lines: list[int] = []
        self.declared: tuple[str, ...] = ()  # classes
        self.total = 0

    def refuse(self, line: int, why: Callable[..., Say], *about: Any) -> None:
        """Take note of a row that cannot be used; why(*about) says why."""
        if self.reading.unusable == "refuse":
            raise FileError(say("{file}, line {line}: {why}", file=self.name, line=line, why=why(*about)))
        self.bad_lines.append(line)
        if len(self.bad) < EXPLAINED:
            self.bad.append(Unusable(line, why(*about)))

    def table(self, broken: int, doubts: tuple[Say, ...]) -> Table:
        """Return the table of it all."""
        X = np.vstack(self.X) if self.X else np.zeros((0, max(1, len(self.columns) - 1)))
        lines = np.array(self.lines, int)
        title = self.columns[-1] if self.columns else ""
        y, usable, more = self._targets(lines)
        for row in np.flatnonzero(~usable):
            self.refuse(int(lines[row]), faults.no_target, title, self.last[row], y.dtype.kind == "U")
        X, y = X[usable], y[usable]
        if not len(X) and not self.total:
            raise FileError(say("{file}: no usable rows, only column names. Add rows of data.", file=self.name))
        if not len(X):
            raise FileError(say("{file}: no usable rows: each has an empty cell, or text where a number is needed. "
                                "Choose other columns, or correct the file.", file=self.name))
        likely = self.reading.format == "svmlight"
        labels = () if self.reading.target == NOTHING else class_names.distinct(y, likely)
        doubts += more
        declared = self.declared if set(labels) <= set(self.declared) else ()
        skipped = tuple(sorted(self.bad_lines))
        notes = faults.losses(self.name, skipped, self.total, broken)
        columns = self.columns
        if self.reading.units != "keep":
            X, y, columns, units = standardised(self.name, X, y, columns, self.reading)
            notes += units
        notes += tuple(Note(doubt, "info") for doubt in doubts)
        unusable = tuple(sorted(self.bad, key=lambda each: each.line))
        on = np.array(self.on, np.bool_)[usable if self.on else slice(0)]
        return Table(self.name, columns, read_only(X), read_only(y, y.dtype), labels, skipped, notes, self.reading,
                     unusable, doubts, read_only(on, np.bool_), declared)

    def _targets(self, lines: NDArray[np.intp]) -> tuple[NDArray[Any], NDArray[np.bool_], tuple[Say, ...]]:
        """Return the last column (m,) as numbers or texts, which rows can be used (m,), and what is doubtful in it."""
        if self.reading.target == NOTHING:
            return np.zeros(len(lines)), np.ones(len(lines), bool), ()
        point, thousands = (".", "") if self.reading.format == "svmlight" else (self.reading.decimal,
                                                                                 self.reading.thousands)
        task, d = self.reading.task, len(self.columns) - 1
        y, usable, doubts = class_names.targets(self.last, point, thousands, task, task != "" or d > 1, self.declared)
        if y.dtype.kind != "U":
            usable = usable & (np.abs(y) <= self.reach)
        return y, usable, doubts


def _fill(heap: _Heap, text: str, tell: Tell) -> None:
    """Read rows of cells."""
    reading, name = heap.reading, heap.name
    width, header = 0, reading.header
    for block in blocks(text, reading, name, tell):
        ends, spans, rows = block.ends, block.spans, block.rows
        if not width:
            width = common_width(rows)
            if width < 2:
                raise FileError(faults.no_table(name))
            titles = names(rows[0] if header else (), rows[header:SAMPLE], width)
            inputs, target = _roles(reading, width, name)
            switched = header and switches(titles) and 0 not in (*inputs, target)
            some = [row for row in rows[header:SAMPLE] if len(row) == width]
            kinds = {column: measures.kind([row[column] for row in some], reading) for column in inputs}
            if target is not None and reading.task == "regression":
                kinds[target] = measures.kind([row[target] for row in some], reading)
            titles = tuple(_with_unit(title, kinds.get(column, ""), reading) for column, title in enumerate(titles))
            heap.columns = (*(titles[column] for column in inputs), titles[target] if target is not None else "")
            if header and target is not None and len(rows[0]) == width:
                heap.declared = class_names.declared(rows[0][target])
            if header:
                ends, spans, rows = ends[1:], spans[1:], rows[1:]
        heap.total += len(rows)
        fits = [i for i, row in enumerate(rows) if len(row) == width]
        if len(fits) < len(rows):
            kept = set(fits)
            for i in range(len(rows)):
                if i not in kept:
                    heap.refuse(ends[i], faults.ragged, len(rows[i]), width, ends[i], spans[i])
        if not fits:
            continue
        across = list(zip(*(rows[i] for i in fits), strict=True))
        values = np.column_stack([measures.values(across[column], kinds[column], reading) for column in inputs])
        held = np.abs(values) <= min(heap.reach, np.finfo(float).max)
        usable = held.all(axis=1)
        for row in np.flatnonzero(~usable).tolist():
            wrong = int(held[row].argmin())
            heap.refuse(ends[fits[row]], faults.no_number, heap.columns[wrong], rows[fits[row]][inputs[wrong]])
        heap.X.append(values[usable])
        chosen = np.flatnonzero(usable).tolist()
        heap.lines += [ends[fits[row]] for row in chosen]
        heap.on += [across[0][row].strip() != "0" for row in chosen] if switched else []
        cells: Sequence[str] | None = across[target] if target is not None else None
        if cells is not None and target is not None and kinds.get(target):
            meant = measures.values(cells, kinds[target], reading).tolist()
            cells = [repr(value).replace(".", reading.decimal) if value == value else cell
                     for value, cell in zip(meant, cells, strict=True)]
        heap.last += [cells[row] for row in chosen] if cells is not None else []
    if not width:
        raise FileError(faults.no_table(name))


def _with_unit(title: str, kind: str, reading: Reading) -> str:
    """Return the name of a column with the unit in which its percentages or dates become numbers."""
    unit = measures.unit(kind, reading)
    return title if unit is None or str(unit) in title else f"{title} ({unit})"


def _roles(reading: Reading, width: int, name: str | Say) -> tuple[tuple[int, ...], int | None]:
    inputs, target = reading.roles(width)
    wrong = next((column for column in (*inputs, target or 0) if not 0 <= column < width), None)
    if wrong is not None:
        raise FileError(say("{file} has {n} columns, so there is no column {column}: choose the columns again.",
                            file=name, n=width, column=wrong + 1))
    return inputs, target


def _fill_features(heap: _Heap, text: str, tell: Tell) -> None:
    """Read lines of LIBSVM text; a feature that a line does not name is 0."""
    reading, name = heap.reading, heap.name
    found: list[dict[int, float]] = []
    highest, lowest = 0, svmlight.first_index(text)
    stream = io.StringIO(text, newline="")
    for at, line in enumerate(stream, 1):
        if at % 1000 == 0:
            tell(stream.tell() / len(text))
        if at <= reading.skip or not line.strip() or line.lstrip().startswith(reading.comment or "#"):
            continue
        heap.total += 1
        try:
            label, pairs = svmlight.pairs(line)
        except ValueError as error:
            heap.refuse(at, faults.no_feature, str(error))
            continue
        features = {index: number(value) for index, value in pairs}
        bad = next((i for i, value in features.items() if value is None or abs(value) > heap.reach), None)
        if bad is not None:
            heap.refuse(at, faults.no_number, f"x{bad}", dict(pairs)[bad])
        elif len(features) < len(pairs):
            heap.refuse(at, faults.twice)
        else:
            found.append({index: value for index, value in features.items() if value is not None})
            heap.last.append(label)
            heap.lines.append(at)
            highest = max((highest, *features))
            if highest > WIDEST:
                raise FileError(say("{file}, line {line}: feature {n} exceeds the limit of {most} features.",
                                    file=name, line=at, n=highest, most=WIDEST))
    width = highest - lowest + 1
    inputs, target = _roles(reading, width + 1, name)
    if len(inputs) * len(found) > MOST_CELLS:
        raise FileError(say("{file} has {n} features, too many for a table. Choose some of its columns.",
                            file=name, n=width))
    titles = (*(f"x{index}" for index in range(lowest, highest + 1)), "y")
    heap.columns = (*(titles[column] for column in inputs), titles[target] if target is not None else "")
    place = {column + lowest: i for i, column in enumerate(inputs)}
    X = np.zeros((len(found), len(inputs)))
    for row, values in enumerate(found):
        for index, value in values.items():
            if index in place:
                X[row, place[index]] = value
    heap.X.append(X)
