"""The first row of a table: what its columns are called, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kernelplay.cells import missing

SAMPLE = 200  # lines from which the form of a table is told
SWITCH = "on"  # the name of a first column of 1 and 0


def common_width(rows: Sequence[Sequence[str]]) -> int:
    """Return how many cells most of the first rows have."""
    return Counter(len(row) for row in rows[:SAMPLE]).most_common(1)[0][0] if rows else 0


def switches(titles: Sequence[str]) -> bool:
    """Return whether the first of the columns called `titles` says which points are switched on, as we write it."""
    return bool(titles) and titles[0].strip() == SWITCH


def names(row: Sequence[str], body: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """Return the names of `width` columns, those in `row` if there are any; body: the first rows under it.

    Where `row` is shorter by one, the first column holds the names of the rows, unless the last one is empty.
    """
    if not row:
        return (*(f"x{i + 1}" for i in range(width - 1)), "y")
    if len(row) == width - 1 and not all(missing(below[-1]) for below in body if len(below) == width):
        row = ("row", *row)
    given = [" ".join(cell.split())[:80] or f"x{i + 1}" for i, cell in enumerate(row[:width])]
    return tuple(given + [f"x{i + 1}" for i in range(len(given), width)])
