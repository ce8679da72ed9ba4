"""The first rows of a table, and which of its columns go where: what a person sees before a table comes in."""

from __future__ import annotations

import dataclasses
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kernelplay import faults, measures, svmlight
from kernelplay.cells import blocks, decoded, missing
from kernelplay.class_names import MOST_CLASSES
from kernelplay.errors import FileError
from kernelplay.guess import constant, readable
from kernelplay.headings import common_width, names
from kernelplay.i18n import Say
from kernelplay.models.base import Task
from kernelplay.reading import LAST, NOTHING, Reading
from kernelplay.tables import Table, parse

Place = Literal["x1", "x2", "target"]  # where a column goes; the input of a regression is x1

HEAD = 1 << 16  # bytes that are looked at
SHOWN = 100  # rows
ACROSS = 2000  # columns that are looked at


@dataclass(frozen=True, eq=False)
class Preview:
    """The first rows of a file: the names of the columns; for each row its last line, counted from 1, and its cells;
    for each column which share of its cells stand for numbers, how they are written (a kind of `measures`) and what
    speaks against it as an input ("empty", "text", "constant" or ""); last: the column that is the last one of the
    whole table, if it is among them and its place is known."""

    columns: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    shares: tuple[float, ...] = ()
    kinds: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()
    last: int | None = None

    def places(self, reading: Reading) -> dict[int, Place]:
        """Return where the columns go."""
        found: dict[int, Place] = dict(zip(reading.inputs, ("x1", "x2"), strict=False))
        target = len(self.columns) - 1 if reading.target == LAST else reading.target
        if target >= 0 and (reading.target != LAST or self.last is not None or reading.format == "svmlight"):
            found.setdefault(target, "target")
        return found


def preview(content: bytes, reading: Reading, name: str | Say) -> Preview:
    """Return the first rows of `content`, as `reading` splits them; raises FileError."""
    text, _ = decoded(content[:HEAD], reading.encoding)
    if len(content) > HEAD and "\n" in text.strip():
        text = text[:text.rfind("\n") + 1]
    if reading.format == "svmlight":
        return _features(text, reading)
    lines: list[int] = []
    rows: list[list[str]] = []
    for block in blocks(text, reading, name):
        lines += block.ends
        rows += block.rows
        if len(rows) > SHOWN:
            break
    whole = common_width(rows)
    width = min(whole, ACROSS)
    titles = names(rows[0] if rows and reading.header else (), rows[reading.header:], whole)[:width]
    lines, rows = lines[reading.header:][:SHOWN], rows[reading.header:][:SHOWN]
    fits = [row for row in rows if len(row) >= width]
    across = [[row[column] for row in fits] for column in range(width)]
    shares = tuple(readable(cells, reading) for cells in across)
    kinds = tuple(measures.kind(cells, reading) for cells in across)
    flaws = tuple(_flaw(cells, share) for cells, share in zip(across, shares, strict=True))
    return Preview(titles, tuple(lines), tuple(tuple(row[:width + 1]) for row in rows), shares, kinds, flaws,
                   width - 1 if width == whole else None)


def _flaw(cells: Sequence[str], share: float) -> str:
    """Return what speaks against a column as an input."""
    if all(map(missing, cells)):
        return "empty"
    return "text" if share == 0 else "constant" if constant(cells) else ""


def _features(text: str, reading: Reading) -> Preview:
    low, lines, found = svmlight.first_index(text), [], []
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if number > reading.skip and line.strip() and not line.lstrip().startswith(reading.comment or "#"):
            try:
                label, pairs = svmlight.pairs(line)
            except ValueError:
                label, pairs = line.strip()[:80], []
            lines.append(number)
            found.append((label, dict(pairs)))
        if len(found) == SHOWN:
            break
    width = min(max((index for _, features in found for index in features), default=low) - low + 1, ACROSS)
    rows = tuple((*(features.get(low + i, "0") for i in range(width)), label) for label, features in found)
    columns = (*(f"x{low + i}" for i in range(width)), "y")
    return Preview(columns, tuple(lines), rows, (1.0,) * (width + 1), ("",) * (width + 1), ("",) * (width + 1))


def for_canvas(content: bytes, reading: Reading, name: str | Say, alone: bool = False) -> Reading:
    """Return `reading` with columns that the canvas can take, chosen by the look of the first rows.

    alone: two columns of numbers are two inputs without a label, not an input and a target. Raises FileError if there
    are no columns.
    """
    seen = preview(content, reading, name)
    width = len(seen.columns)
    if width < 2:
        raise FileError(faults.no_table(name))
    if reading.target == LAST and seen.last is not None:
        reading = dataclasses.replace(reading, target=seen.last)
    if alone and width == 2 and min(seen.shares) >= 0.5:
        return dataclasses.replace(reading, task="classification", inputs=(0, 1), target=NOTHING)
    head = content[:HEAD]
    try:
        table = parse(head[:head.rfind(b"\n") + 1] if len(content) > HEAD and b"\n" in head else head, name,
                      dataclasses.replace(reading, inputs=_best(reading, seen), unusable="skip", units="keep"))
    except FileError:  # said where the whole of it is read
        return with_task(dataclasses.replace(reading, inputs=()), seen, "classification")
    task: Task = "regression" if table.task == "regression" or (
        table.X.shape[1] < 2 and table.y.dtype.kind != "U") else "classification"
    reading = with_task(dataclasses.replace(reading, inputs=_best(reading, seen, 2 if task == "classification" else 1)),
                        seen, task)
    crowded = task == "classification" and len(table.labels) > MOST_CLASSES
    return in_classes(reading, table) if crowded else reading


def with_task(reading: Reading, seen: Preview, task: Task) -> Reading:
    """Return `reading` for `task`, with as many inputs as the canvas has for it: those there are, then the first
    columns of numbers."""
    needed = 2 if task == "classification" else 1
    if reading.target == NOTHING and task == "regression":
        reading = dataclasses.replace(reading, target=LAST if seen.last is None else seen.last,
                                      inputs=tuple(column for column in reading.inputs if column != seen.last))
    inputs = list(_inputs(reading, seen)[:needed])
    target = reading.roles(len(seen.columns))[1]
    numeric = sorted((c for c in range(len(seen.columns)) if c != target), key=lambda c: _rank(seen, c))
    inputs += [column for column in numeric if column not in inputs][:needed - len(inputs)]
    there = target is not None and target < len(seen.columns)  # a table read in another way may have fewer columns
    if len(inputs) < needed and target is not None and there and seen.shares[target] >= 0.5:
        # two columns of numbers: no label
        reading, inputs = dataclasses.replace(reading, target=NOTHING), [*inputs, target]
    return dataclasses.replace(reading, task=task, inputs=tuple(inputs))


def _inputs(reading: Reading, seen: Preview) -> tuple[int, ...]:
    """Return the inputs that hold numbers, or all if none does."""
    inputs = tuple(column for column in reading.roles(len(seen.columns))[0] if 0 <= column < len(seen.columns))
    return tuple(column for column in inputs if seen.shares[column] >= 0.1) or inputs


def _rank(seen: Preview, column: int) -> tuple[bool, bool, bool, bool]:
    """Return how little a column is an input: one that reads as numbers in most rows and varies comes first."""
    return (seen.shares[column] < 0.1, seen.shares[column] < 0.5, seen.flaws[column] == "constant",
            seen.kinds[column] == measures.DATE)


def _best(reading: Reading, seen: Preview, n: int = 2) -> tuple[int, ...]:
    """Return the `n` columns of the inputs that are most like inputs, in the order they have in the table."""
    inputs = _inputs(reading, seen)
    return tuple(sorted(sorted(inputs, key=lambda column: _rank(seen, column))[:n]))


def assigned(reading: Reading, seen: Preview, column: int, place: Place) -> Reading:
    """Return `reading` with `column` (or LAST, or NOTHING) at `place`; what was there goes where the column was."""
    now = seen.places(reading)
    there = {where: which for which, where in now.items()}
    actual = len(seen.columns) - 1 if column == LAST else column
    before, other = now.get(actual), there.get(place, NOTHING)
    there[place] = column
    if before is not None and before != place:
        there[before] = other
    inputs = tuple(there[key] for key in ("x1", "x2") if key in there and there[key] >= 0)
    made = dataclasses.replace(reading, inputs=inputs, target=there.get("target", NOTHING))
    task: Task = "regression" if reading.task == "regression" else "classification"
    return made if len(inputs) == len(reading.inputs) else with_task(made, seen, task)


def _counts(table: Table) -> Counter[str]:
    """Return how many points each label has, by the name of its class."""
    values, n = np.unique(table.y, return_counts=True)
    return Counter({table.titles[value]: int(each) for value, each in zip(values.tolist(), n.tolist(), strict=True)})


def in_classes(reading: Reading, table: Table, classes: str = "") -> Reading:
    """Return `reading` with two classes: the numbers cut in the middle, or the commonest label against the rest."""
    cut = classes == "threshold" or (not classes and table.y.dtype.kind != "U")
    if cut and table.y.dtype.kind != "U":
        return dataclasses.replace(reading, classes="threshold", threshold=_middle(table))
    commonest = _counts(table).most_common(1)[0][0]
    return dataclasses.replace(reading, classes=classes or "rest", positive=commonest)


def _middle(table: Table) -> float:
    """Return a number that parts the targets in halves, in as few digits as will do."""
    values = np.unique(table.y)
    middle = float(np.median(table.y))
    below = values[values < middle]
    for digits in range(1, 17):
        short = float(f"{middle:.{digits}g}")
        if (len(below) == 0 or short > below[-1]) and short <= middle:
            return short
    return middle


