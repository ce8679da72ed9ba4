"""Tables of numbers as people save them: CSV and its relatives, read without questions and without silent losses."""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FileError, Note
from kernelplay.files import read_bytes
from kernelplay.i18n import Say, current, plural, say
from kernelplay.marks import read_only
from kernelplay.models.base import Task
from kernelplay.scene import CLASS_LABELS, Points, Scene

Array = NDArray[np.float64]

# (delimiter, decimal mark), the more telling ones first; " " stands for any run of blanks
DIALECTS = ((";", "."), (";", ","), ("\t", "."), ("\t", ","), (",", "."), (",", ","), ("|", "."), ("|", ","),
            (" ", "."), (" ", ","))
SAMPLE = 200  # lines from which the dialect is told
MISSING = frozenset({"", "na", "n/a", "nan", "null", "#n/a"})  # cells that say themselves that there is no value
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")  # each text in one way, or long ones take minutes
MOST_CLASSES = len(CLASS_LABELS)  # on the canvas
MOST_LABELS = 50  # one against one: 1225 fits
LISTED = 10  # lines named in a sentence


@dataclass(frozen=True, eq=False)
class Table:
    """What a table file holds: the last column is the label or target, the others are the inputs.

    X: (n, d); y: (n,) numbers, or texts where the last column holds text; labels: its distinct values in order, where
    they are classes, else (); skipped_lines: the lines, counted from 1 with the header, that could not be used.
    """

    name: str | Say
    columns: tuple[str, ...]
    X: Array
    y: NDArray[Any]
    labels: tuple[Any, ...]
    skipped_lines: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def task(self) -> Task:
        """What the last column looks like: classes or targets. One input with numbers is taken as (x, t)."""
        return "classification" if self.labels and (self.X.shape[1] > 1 or self.y.dtype.kind == "U") else "regression"

    def check_task(self, task: Task) -> None:
        """Raise FileError if the last column cannot be what a model for `task` needs."""
        if task == "regression" and self.y.dtype.kind == "U":
            raise FileError(say("{file}: the last column holds words, and regression needs numbers there.",
                                file=self.name))
        n = len(self.labels) or len(np.unique(self.y))
        if task == "classification" and n > MOST_LABELS:
            raise FileError(say("{file}: the last column has {n} different values, too many for classes. Choose a "
                                "model for regression.", file=self.name, n=n))

    def to_scene_points(self, task: Task | None = None) -> tuple[Points, tuple[str, ...]]:
        """Return the points for the canvas and the names of the classes (regression: none).

        The canvas has two axes: two inputs and a class, or one input and a target. Of two classes the larger, or the
        last in alphabetical order, is +1 and comes first. Raises FileError where the table does not fit.
        """
        task = task or self.task
        needed = 2 if task == "classification" else 1
        if self.X.shape[1] != needed:
            raise FileError(_wrong_width(self.name, self.X.shape[1], task))
        self.check_task(task)
        if task == "regression":
            return Points(np.column_stack([self.X, self.y]), names=(self.columns[0], self.columns[1])), ()
        labels = self.labels or tuple(np.unique(self.y).tolist())
        if len(labels) > MOST_CLASSES:
            raise FileError(say("{file}: the last column has {n} different values, and the canvas shows at most {most} "
                                "classes.", file=self.name, n=len(labels), most=MOST_CLASSES))
        ordered = labels[::-1] if len(labels) == 2 else labels
        if ordered == (-1.0,):
            ordered = (1.0, -1.0)
        cls = np.searchsorted(np.array(labels), self.y)
        cls = len(labels) - 1 - cls if len(labels) == 2 else cls + len(ordered) - len(labels)
        names = tuple(_class_name(label) for label in ordered)
        names = names if len(names) > 1 else (*names, "−1" if names == ("+1",) else "…")
        return Points(self.X, cls, names=(self.columns[0], self.columns[1])), names

    def to_scene(self, scene: Scene) -> Scene:
        """Return `scene` with the points of this table, and with a model for its task if it has another one."""
        import dataclasses

        points, classes = self.to_scene_points()
        if scene.task != self.task:
            scene = scene.with_model("svm" if self.task == "classification" else "gpr")
        views = tuple(view for view in scene.views if view[0] != self.task)
        scene = dataclasses.replace(scene.with_points(points), views=views, title=Path(str(self.name)).stem)
        return dataclasses.replace(scene, classes=classes) if classes else scene


def read(path: str | os.PathLike[str]) -> Table:
    """Return the table in the file at `path`; raises FileError with a sentence if there is none in it."""
    file = Path(path)
    return parse(read_bytes(file), file.name)


def parse(content: bytes, name: str | Say) -> Table:
    """Return the table in `content`, the bytes of a file called `name` (or pasted text); raises FileError."""
    text, guessed = _decode(content, name)
    if not text.strip():
        raise FileError(say("{file} is empty: it holds no table.", file=name))
    delimiter, decimal = _dialect(text)
    lines, rows = _rows(text, delimiter, name)
    width = Counter(len(row) for row in rows[:SAMPLE]).most_common(1)[0][0] if rows else 0
    if width < 2:
        raise FileError(say("{file}: no table was found. Each line must hold at least one input and, last, the label "
                            "or target, separated by commas, semicolons or tabs.", file=name))
    columns = _header(rows[0], width, decimal)
    if columns is not None:
        lines, rows = lines[1:], rows[1:]
    values, targets, good = _values(rows, width, decimal)
    if not good.any():
        raise FileError(say("{file}: no line can be used, because every line has an empty cell, or a word where a "
                            "number should be.", file=name))
    X, y = values[good], targets[good]
    skipped = tuple(lines[i] for i in np.flatnonzero(~good))
    notes = _notes(name, skipped, len(good), guessed)
    names = columns or (*(f"x{i + 1}" for i in range(width - 1)), "y")
    return Table(name, names, read_only(X), read_only(y, y.dtype), _labels(y), skipped, notes)


def _decode(content: bytes, name: str | Say) -> tuple[str, str]:
    """Return the text, and the encoding if it had to be guessed."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if content.startswith(mark):
            return content.decode(encoding, errors="replace"), ""
    head = content[:4096]
    if b"\0" in head:
        if head[1::2].count(0) > len(head) // 3 or head[::2].count(0) > len(head) // 3:  # UTF-16 without its mark
            return content.decode("utf-16-le" if head[1::2].count(0) else "utf-16-be", errors="replace"), ""
        raise FileError(say("{file} is not a table of text: save it as CSV first.", file=name))
    try:
        return content.decode("utf-8"), ""
    except UnicodeDecodeError:
        if sum(byte < 32 and byte not in b"\t\r\n\f\x1a" for byte in head) > len(head) // 50:
            raise FileError(say("{file} is not a table of text: save it as CSV first.", file=name)) from None
    local = {"ko": "cp949", "ja": "cp932"}.get(current(), "cp1252")
    try:
        return content.decode(local), local
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace"), "cp1252"


def _dialect(text: str) -> tuple[str, str]:
    """Return (delimiter, decimal mark): the pair by which most input cells of the first lines are numbers."""
    lines = [line for line in io.StringIO(text[:200 * SAMPLE], newline=None) if line.strip()]
    sample = [line for line in lines if not line.startswith("#")][:SAMPLE] or lines
    declared = re.fullmatch(r"sep=(.)\s*", sample[0])  # a first line that spreadsheets write for one another
    best, found = -1.0, DIALECTS[4]
    for delimiter, decimal in DIALECTS:
        if declared and delimiter != declared[1]:
            continue
        rows = _split(sample[1:] if declared else sample, delimiter)
        width, common = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if width < 2:
            continue
        fits = [row for row in rows if len(row) == width]
        inputs = np.mean([_number(cell, decimal) is not None for row in fits for cell in row[:-1]])
        targets = np.mean([_number(row[-1], decimal) is not None for row in fits])
        score = float(inputs + 0.01 * targets) * common / len(rows)  # the last column may be words
        if score > best + 1e-9:
            best, found = score, (delimiter, decimal)
    return found


def _split(lines: list[str], delimiter: str) -> list[list[str]]:
    if delimiter == " ":
        return [line.split() for line in lines]
    try:
        return list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return []


def _rows(text: str, delimiter: str, name: str | Say) -> tuple[list[int], list[list[str]]]:
    """Return the rows that are not blank and the line on which each ends, counted from 1."""
    if delimiter == " ":
        numbered = [(i, line.split()) for i, line in enumerate(text.splitlines(), 1)]
    else:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
        try:
            numbered = [(reader.line_num, row) for row in reader]
        except csv.Error:
            raise FileError(say("{file}: the table cannot be read at line {line}. Is a quotation mark missing there?",
                                file=name, line=reader.line_num)) from None
    if numbered and re.fullmatch(r"sep=.?", "".join(numbered[0][1]).strip()):
        numbered = numbered[1:]
    numbered = [(line, row) for line, row in numbered if any(row) and not row[0].startswith("#")]
    return [line for line, _ in numbered], [row for _, row in numbered]


def _number(cell: str, decimal: str) -> float | None:
    """Return the finite number that is written in `cell`, or None."""
    cell = (cell if cell.isascii() else unicodedata.normalize("NFKC", cell)).strip().replace("−", "-")
    if decimal == ",":
        if "." in cell:
            return None  # 1.234 is 1234 to some who write decimal commas: better skipped and said than guessed
        cell = cell.replace(",", ".")
    if not NUMBER.fullmatch(cell):
        return None
    value = float(cell)
    return value if np.isfinite(value) else None


def _header(row: list[str], width: int, decimal: str) -> tuple[str, ...] | None:
    """Return the names of the columns if `row` is a header: words above the inputs and no number among them."""
    inputs = row[:-1] if len(row) == width else row
    if any(_number(cell, decimal) is not None for cell in inputs) or all(c.strip().lower() in MISSING for c in inputs):
        return None
    names = [cell.strip() or f"x{i + 1}" for i, cell in enumerate(row[:width])]
    return tuple(names + [f"x{i + 1}" for i in range(len(names), width)])


def _values(rows: list[list[str]], width: int, decimal: str) -> tuple[Array, NDArray[Any], NDArray[np.bool_]]:
    """Return the inputs (m, d), the last column (m,) as numbers or texts, and which rows can be used (m,)."""
    if decimal == ".":
        try:
            cells = np.array(rows, dtype=float)  # a clean table of numbers, in one go
            if cells.ndim == 2 and cells.shape[1] == width and not any("_" in cell for row in rows for cell in row):
                return cells[:, :-1], cells[:, -1], np.isfinite(cells).all(axis=1)
        except (ValueError, TypeError):
            pass  # cell by cell, then
    fits = [len(row) == width for row in rows]
    inputs = np.array([[_nan(_number(cell, decimal)) for cell in row[:-1]] if fit else [np.nan] * (width - 1)
                       for row, fit in zip(rows, fits, strict=True)], dtype=float).reshape(-1, width - 1)
    last = [row[-1].strip() if fit else "" for row, fit in zip(rows, fits, strict=True)]
    numbers = np.array([_nan(_number(cell, decimal)) for cell in last], dtype=float)
    present = np.array([cell.lower() not in MISSING for cell in last])
    usable = np.isfinite(inputs).all(axis=1)
    if np.isfinite(numbers).sum() * 2 >= present.sum():
        return inputs, numbers, usable & np.isfinite(numbers)
    return inputs, np.array(last), usable & present


def _nan(value: float | None) -> float:
    return np.nan if value is None else value


def _labels(y: NDArray[Any]) -> tuple[Any, ...]:
    """Return the distinct values of the last column if they are classes: texts, or a few whole numbers."""
    if y.dtype.kind == "U":
        return tuple(np.unique(y).tolist())
    few = np.unique(y[:1000])
    if len(few) > MOST_CLASSES or (few != np.round(few)).any():
        return ()
    values = np.unique(y)
    whole = len(values) <= MOST_CLASSES and bool((values == np.round(values)).all())
    enough = len(y) > 2 * len(values) or set(values) <= {-1.0, 0.0, 1.0, 2.0}
    return tuple(values.tolist()) if whole and enough else ()


def _class_name(label: Any) -> str:
    if isinstance(label, str):
        return label
    return {1.0: "+1", -1.0: "−1"}.get(label, f"{label:g}")


def _wrong_width(name: str | Say, d: int, task: Task) -> Say:
    if d == 1:
        return say("{file} has one input column: the canvas shows classes over two. Add a column, or use "
                   "\"kernelplay fit\", which takes any number of them.", file=name)
    if task == "classification":
        return say("{file} has {n} input columns: the canvas shows classes over two. Keep two of them, or use "
                   "\"kernelplay fit\", which takes any number.", file=name, n=d)
    return say("{file} has {n} input columns: the canvas shows targets over one. Keep one of them, or use "
               "\"kernelplay fit\", which takes any number.", file=name, n=d)


def _notes(name: str | Say, skipped: tuple[int, ...], n: int, guessed: str) -> tuple[Note, ...]:
    notes = []
    if skipped:
        shown = ", ".join(map(str, skipped[:LISTED])) + (", …" if len(skipped) > LISTED else "")
        notes.append(Note(plural(len(skipped), "{file}: {n} of {total} rows was skipped, because a cell is empty or "
                                 "not a finite number (line {lines}).",
                                 "{file}: {n} of {total} rows were skipped, because a cell is empty or not a finite "
                                 "number (lines {lines}).", total=n, file=name, lines=shown)))
    if guessed:
        notes.append(Note(say("{file} is not in UTF-8; its letters were read as {encoding}, so names may look wrong.",
                              file=name, encoding=guessed), "info"))
    return tuple(notes)
