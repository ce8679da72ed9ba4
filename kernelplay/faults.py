"""What is wrong with a table or with rows of it, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernelplay.cells import missing
from kernelplay.errors import Note
from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.models.base import Task

LONGEST = 200  # letters of a label
LISTED = 10  # lines named in a sentence


@dataclass(frozen=True)
class Unusable:
    """A row that could not be used: the line on which it ends, counted from 1, and why."""

    line: int
    why: Say


def no_table(name: str | Say) -> Say:
    """Return that the lines of a file are no rows of a table."""
    return say("{file}: no table found. Each line needs at least one input and then the label or target, separated by "
               "commas, semicolons or tabs.", file=name)


def wrong_width(name: str | Say, d: int, task: Task) -> Say:
    """Return that a table has other columns than the canvas has axes."""
    if d == 1:
        return say("{file} has one input column, but classification on the canvas needs two. Add a column, or use "
                   "“kernelplay fit”, which takes any number.", file=name)
    if task == "classification":
        return say("{file} has {n} input columns, but classification on the canvas needs two. Keep two, or use "
                   "“kernelplay fit”, which takes any number.", file=name, n=d)
    return say("{file} has {n} input columns, but regression on the canvas needs one. Keep one, or use “kernelplay "
               "fit”, which takes any number.", file=name, n=d)


def cell_text(text: str) -> Say:
    """Return a cell as it can stand in a sentence."""
    text = " ".join(text.replace("\0", "␀").split())
    return verbatim(text if len(text) <= 40 else text[:39] + "…")


def ragged(n: int, width: int, end: int, span: int) -> Say:
    """Return that a row has another number of cells than the others."""
    if span > 1:
        return say("The row runs from line {first} to line {last}: check for a "
                   "missing quotation mark.", first=end - span + 1,
                   last=end)
    return plural(n, "The row has {n} cell instead of {width}.", "The row has {n} cells instead of {width}.",
                  width=width)


def no_number(column: str, cell: str) -> Say:
    """Return that a cell holds no number."""
    if missing(cell):
        return say("No value in {column}.", column=cell_text(column))
    return say("“{cell}” in {column} is not a finite number, or too large.", cell=cell_text(cell),
               column=cell_text(column))


def no_feature(cell: str) -> Say:
    """Return that a cell of LIBSVM text is no feature."""
    return say("“{cell}” is not a feature; features look like 1:0.5.", cell=cell_text(cell))


def twice() -> Say:
    """Return that a line of LIBSVM text gives a feature twice."""
    return say("The same feature appears twice.")


def no_target(column: str, cell: str, text: bool) -> Say:
    """Return that a cell holds no label or target."""
    if text and len(cell) > LONGEST:
        return say("The label has {n} characters; the limit is {most}.", n=len(cell), most=LONGEST)
    return no_number(column, cell)


def losses(name: str | Say, skipped: Sequence[int], n: int, broken: int) -> tuple[Note, ...]:
    """Return the notes on rows that were left out, `n` being all, and on bytes that are no letters."""
    notes = []
    if skipped:
        lines = ", ".join(map(str, skipped[:LISTED])) + (", …" if len(skipped) > LISTED else "")
        notes.append(Note(plural(len(skipped), "{file}: skipped {n} of {total} rows because a cell is empty or not a "
                                               "finite number (line {lines}).",
                                 "{file}: skipped {n} of {total} rows because a cell is empty or not a finite number "
                                 "(lines {lines}).", total=n, file=name, lines=lines)))
    if broken:
        notes.append(Note(plural(broken, "{file}: {n} byte is not valid in this encoding; names may look wrong.",
                                 "{file}: {n} bytes are not valid in this encoding; names may look wrong.",
                                 file=name)))
    return tuple(notes)
