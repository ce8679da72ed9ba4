"""The labels of a table: words or numbers, their order as classes, and what the classes are called."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelplay.arrays import ordered
from kernelplay.cells import missing, number, numbers
from kernelplay.faults import LONGEST
from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import CLASS_LABELS, CLASS_NAMES

MOST_CLASSES = len(CLASS_LABELS)  # on the canvas
FEW = 50  # different cells, where they may be labels
HEADING = "class"  # the name of the last column as we write it
PADDED = re.compile(r"[+-]?0\d+")  # no plain number, but a name: 007
MINUS = re.compile(r"−(?=[\d.])")  # as it is typeset


def targets(cells: Sequence[str], decimal: str, thousands: str, task: str, classes: bool, declared: Sequence[str],
            ) -> tuple[NDArray[Any], NDArray[np.bool_], tuple[Say, ...]]:
    """Return the last column (m,) as numbers or texts, which of its rows can be used (m,), and what is doubtful in it.

    It holds words where its first row declares them as `declared`, or where most cells are no numbers; and, where they
    may be `classes`, where one of them is a number with leading zeros: 007 is not 7.
    """
    kinds = list(dict.fromkeys(cells))  # few where they are labels
    number_of = dict(zip(kinds, range(len(kinds)), strict=True))
    kind = np.fromiter(map(number_of.__getitem__, cells), np.intp, len(cells))
    bare = [_bare(cell) for cell in kinds]
    if cells and declared and task != "regression" and set(bare) <= set(declared):
        return np.array(bare)[kind], np.ones(len(cells), np.bool_), ()
    values = numbers(kinds, decimal, thousands)
    present = np.array([not missing(cell) for cell in kinds], np.bool_)
    finite = np.isfinite(values)
    words = not finite.all() and task != "regression" and 2 * finite[kind].sum() < present[kind].sum()
    doubts: tuple[Say, ...] = ()
    if not words and classes and task != "regression" and len(kinds) <= FEW:
        words = any(map(PADDED.fullmatch, bare))
        doubts = () if words or not whole(np.unique(values[finite])) else _alike(bare, values)
    if words:
        texts = [cell if len(cell) <= LONGEST else "" for cell in bare]
        return np.array(texts)[kind], (present & np.array([text != "" for text in texts]))[kind], ()
    return values[kind], finite[kind], doubts


def _bare(cell: str) -> str:
    cell = cell.strip()
    return MINUS.sub("-", cell, 1) if cell.startswith("−") else cell


def _alike(cells: Sequence[str], values: NDArray[Any]) -> tuple[Say, ...]:
    """Return the doubt about two labels that are written differently and are the same number."""
    first: dict[float, str] = {}
    for cell, value in zip(cells, values.tolist(), strict=True):
        other = first.setdefault(value, cell.removeprefix("+"))
        if other != cell.removeprefix("+"):
            return (say("The labels {one} and {other} are the same number and were read as one class.",
                        one=verbatim(other), other=verbatim(cell)),)
    return ()


def whole(values: NDArray[Any]) -> bool:
    """Return whether numbers could be labels: few, and whole."""
    return len(values) <= MOST_CLASSES and bool((values == np.round(values)).all())


def distinct(y: NDArray[Any], likely: bool = False) -> tuple[Any, ...]:
    """Return the distinct values of the last column, sorted, if they are classes: texts, or a few whole numbers that
    come again and again, or are `likely` to be labels."""
    if y.dtype.kind == "U":
        return tuple(np.unique(y).tolist())
    if not whole(np.unique(y[:1000])):
        return ()
    values = np.unique(y)
    enough = likely or len(y) > 2 * len(values) or set(values) <= {-1.0, 0.0, 1.0, 2.0}
    return tuple(values.tolist()) if whole(values) and enough else ()


def in_order(y: NDArray[Any], declared: Sequence[str] = ()) -> tuple[Any, ...]:
    """Return the labels in the order of their classes; of two classes the first is +1.

    The first row may declare them. Else they are sorted, numbers as numbers, and of two the last is +1: 1 of −1 and 1
    and of 0 and 1, yes of no and yes, as the library and scikit-learn have it. More than two stay sorted, but 1 comes
    first beside −1, as on the canvas.
    """
    found = ordered(y)
    if y.dtype.kind == "U" and declared and set(found) <= set(declared):
        return tuple(declared)
    if len(found) > 2 and 1 in found and -1 in found:
        return (1.0, *(label for label in found if label != 1))
    return found


def titles(labels: Sequence[Any], known: Sequence[str] = ()) -> dict[Any, str]:
    """Return what the class of each of `labels`, all that there are, is called.

    +1 and −1 have their signs where there is a −1, or a 1 alone; other numbers are plain. Where all labels are among
    the classes `known`, they are called as there.
    """
    signed = -1 in labels or list(labels) == [1]
    own = {label: "+1" if signed and label == 1 else _title(label) for label in labels}
    there = {_key(title): title for title in reversed(known)}
    as_there = {label: title if title in known else there.get(_key(label)) for label, title in own.items()}
    if None in as_there.values() or len(set(as_there.values())) < len(own):
        return own
    return {label: title or "" for label, title in as_there.items()}


def signs(first: str, second: str) -> Say | None:
    """Return which of two classes is +1, where their names do not say it themselves."""
    return None if (first, second) == CLASS_NAMES[:2] else say(
        "+1 (f ≥ 0) is class {first}, −1 is class {second}.", first=verbatim(first), second=verbatim(second))


def _key(label: Any) -> Any:
    """Return what is the same for the label of a class and its name."""
    if not isinstance(label, str):
        return float(label)
    label = _bare(label)
    value = None if PADDED.fullmatch(label) else number(label)
    return value if value is not None and _title(value) == _title(label.removeprefix("+")) else label


def _title(label: Any) -> str:
    if isinstance(label, str):
        text = label
    else:
        text = str(int(label)) if label == int(label) and abs(label) < 1e15 else repr(float(label))
    return "−" + text[1:] if re.match(r"-[\d.]", text) else text


def heading(classes: Sequence[str], cells: Sequence[str]) -> str:
    """Return the name of the last column of points whose classes are written as `cells`: "class", and where the cells
    alone would not give `classes` back, in their order, also these, as in "class: A|B"."""
    if not cells:
        return HEADING
    y, usable, doubts = targets(cells, ".", "", "", True, ())
    named = tuple(titles(in_order(y)).values()) if distinct(y) and usable.all() and not doubts else ()
    same = len(named) > 1 and named == tuple(map(str.strip, classes))
    if same or (tuple(classes) == CLASS_NAMES[:2] and named in (("+1",), ("−1",))):
        return HEADING
    stream = io.StringIO()
    csv.writer(stream, delimiter="|", lineterminator="").writerow(map(plain, classes))
    return f"{HEADING}: {stream.getvalue()}"


def declared(cell: str) -> tuple[str, ...]:
    """Return the classes that the name of the last column gives, or ()."""
    if not cell.startswith(f"{HEADING}: "):
        return ()
    try:
        rows = list(csv.reader(io.StringIO(cell[len(HEADING) + 2:], newline=""), delimiter="|"))
    except csv.Error:
        return ()
    return tuple(map(_bare, rows[0])) if len(rows) == 1 else ()


def plain(name: str) -> str:
    """Return the name of a class with the minus sign that other programs read."""
    return MINUS.sub("-", name, 1) if name.startswith("−") else name
