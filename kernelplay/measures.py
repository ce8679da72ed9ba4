"""Cells that stand for numbers without being written as numbers: percentages and dates, by column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

import numpy as np

from kernelplay.cells import Array, missing, numbers
from kernelplay.i18n import Say, say, verbatim
from kernelplay.reading import DATE_ORDERS, DATE_UNITS, Reading

PERCENT, DATE = "percent", "date"
LONG_SPAN = 3.0  # years from which on dates are likely meant as years
YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
TIME = re.compile(r"(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]00:?00)?)?")
MARKED = re.compile(r"[%٪％]\s*$|\d[-/.]\d+[-/.]\d")  # what cells of another kind have
EPOCH = date(1970, 1, 1)
SAMPLE = 200  # cells by which a column is judged


def kind(cells: Sequence[str], reading: Reading) -> str:
    """Return how the numbers of a column are written: PERCENT, DATE, or "" for plain numbers (and for text)."""
    some = [cell for cell in cells[:SAMPLE] if not missing(cell)]
    if not any(map(MARKED.search, some)):
        return ""
    plain = int(np.isfinite(numbers(some, reading.decimal, reading.thousands)).sum())
    counts = {"": plain} | {each: int(np.isfinite(values(some, each, reading)).sum()) for each in (PERCENT, DATE)}
    return max(counts, key=lambda each: counts[each])  # of equals the plain one


def values(cells: Sequence[str], kind: str, reading: Reading) -> Array:
    """Return the numbers (m,) that `cells` of a column of this kind stand for, NaN where there is none."""
    if kind == PERCENT:
        bare = [cell.strip()[:-1] if cell.strip()[-1:] in ("%", "٪", "％") else "" for cell in cells]
        return numbers(bare, reading.decimal, reading.thousands)
    if kind == DATE:
        return np.array([_moment(cell.strip(), reading.date_order, reading.date_unit) for cell in cells], float)
    return numbers(cells, reading.decimal, reading.thousands)


def unit(kind: str, reading: Reading) -> Say | None:
    """Return the unit of the numbers of a column of this kind, as the axis names it."""
    if kind == PERCENT:
        return verbatim("%")
    if kind == DATE:
        return say("years") if reading.date_unit == "years" else say("days since 1970-01-01")
    return None


def dates_of(cells: Sequence[str]) -> tuple[str, bool, str]:
    """Return in which order the dates of a column are probably written ("": it does not matter, the year is first),
    whether they could also be read otherwise, and whether they are better told in "days" or in "years"."""
    found = [match for match in (YEAR_LAST.match(cell.strip()) for cell in cells[:SAMPLE]) if match]
    order, doubtful = "", False
    if found:
        first, second = max(int(match[1]) for match in found), max(int(match[3]) for match in found)
        order = "day" if first > 12 else "month" if second > 12 or found[0][2] == "/" else "day"
        doubtful = first <= 12 and second <= 12
    years = [each for each in (_moment(cell.strip(), order, "years") for cell in cells[:SAMPLE]) if each == each]
    return order, doubtful, "years" if years and max(years) - min(years) >= LONG_SPAN else "days"


def dates(columns: Sequence[Sequence[str]], reading: Reading) -> tuple[Reading, tuple[int, ...], bool]:
    """Return `reading` with the order and the unit of the dates that are there, the columns that hold them, and whether
    the order is in doubt: a column that can be read in one order alone tells it for all."""
    found: dict[int, tuple[str, bool, str]] = {}
    for column, cells in enumerate(columns):
        order, doubtful, unit = dates_of(cells)
        dated = replace(reading, date_order=order or reading.date_order, date_unit=unit)
        if kind(cells, dated) == DATE:
            found[column] = order, doubtful, unit
    if not found:
        return reading, (), False
    likely = [order for order, _, _ in found.values() if order]
    sure = [order for order, doubtful, _ in found.values() if order and not doubtful]
    order = next(iter(sure or likely), reading.date_order)
    unit = next(iter(found.values()))[2]
    return (replace(reading, date_order=order, date_unit=unit), tuple(found),
            bool(likely) and len(set(sure)) != 1)


def dates_told(titles: Sequence[str], reading: Reading, doubtful: bool) -> Say:
    """Return what is said of columns of dates."""
    names, form = ", ".join(titles), DATE_UNITS[reading.date_unit]
    if doubtful:
        return say("The dates in {column} are read as: {unit}. Check the date order: {order}.", column=verbatim(names),
                   unit=form, order=DATE_ORDERS[reading.date_order])
    return say("The dates in {column} are read as: {unit}.", column=verbatim(names), unit=form)


@lru_cache(maxsize=10_000)
def _moment(cell: str, order: str, unit: str) -> float:
    """Return the days since 1970-01-01, or the year and its fraction, of a date with or without a time of day."""
    match = YEAR_FIRST.match(cell)
    if match:
        year, month, day = int(match[1]), int(match[3]), int(match[4])
    else:
        match = YEAR_LAST.match(cell)
        if not match:
            return np.nan
        year, first, second = int(match[4]), int(match[1]), int(match[3])
        day, month = (first, second) if order == "day" else (second, first)
    time = TIME.fullmatch(cell, match.end())
    try:
        days = (date(year, month, day) - EPOCH).days
        start, end = ((date(each, 1, 1) - EPOCH).days for each in (year, year + 1))
    except ValueError:  # no such day
        return np.nan
    if time is None:
        return np.nan
    hours, minutes, seconds = (int(part or 0) for part in time.groups())
    if hours > 23 or minutes > 59 or seconds > 59:
        return np.nan
    whole = days + (hours + minutes / 60 + seconds / 3600) / 24
    return year + (whole - start) / (end - start) if unit == "years" else whole
