"""LIBSVM and SVMlight text: a label, then the features that are not 0 as index:value, then a comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

# each text in one way, or long ones take for ever
LINE = re.compile(r"[\w.+-]+(\s+qid:\d+)?(\s+\d+:[\w.+-]+)*\s*(#.*)?")
SHARE = 0.8  # of the lines that have to look like it


def looks_like(lines: Sequence[str]) -> bool:
    """Return whether `lines` are probably of this format; a line may have no feature at all."""
    fits = [line for line in lines[:50] if LINE.fullmatch(line.strip())]
    return 2 * sum(":" in line for line in fits) > len(fits) >= SHARE * len(lines[:50])


def time_of_day(lines: Sequence[str]) -> str:
    """Return a cell such as 10:30, if all lines have one that could be a time of day and nothing else, else ""."""
    times = [re.fullmatch(r"\S+\s+(([01]?\d|2[0-3]):[0-5]\d)", line.strip()) for line in lines[:50]]
    found = [each[1] for each in times if each]
    return found[0] if found and len(found) == len(times) else ""


def first_index(text: str) -> int:
    """Return the index of the first feature: 1, or 0 where some line gives a feature 0."""
    return 0 if re.search(r"\s0+:", text) else 1


def pairs(line: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the label and the (index, value) pairs of a line; raise ValueError, with the cell that is wrong."""
    label, *rest = line.partition("#")[0].split()
    found: list[tuple[int, str]] = []
    for cell in rest:
        index, colon, value = cell.partition(":")
        if index == "qid" and not found:
            continue
        if not (colon and index.isdecimal() and value and len(index) < 10):
            raise ValueError(cell)
        found.append((int(index), value))
    return label, found
