"""From the bytes of a file to rows of cells, and from cells to numbers; every step in blocks, so that it can be told of
and stopped."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import FileError
from kernelplay.i18n import Say, say
from kernelplay.reading import Reading

Array = NDArray[np.float64]
Tell = Callable[[float], None]  # the share that is done; may raise Cancelled

MISSING = frozenset({"", "na", "n/a", "nan", "null"})  # cells that say that there is no value
BROKEN = re.compile(r"#(n/a|nv|[a-zäöü0/]{2,12}[!?])", re.IGNORECASE)  # #N/A, #DIV/0!, #NAME?, #WERT! of a spreadsheet
BLOCK = 8_000  # cells that are read at a stroke
WIDEST = 100_000  # columns
BLANKS = "  \u2009\u202f"  # what separates groups of digits where a blank does
APOSTROPHES = "'’"


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows that follow one another: for each the line on which it ends, counted from 1, the lines it takes, and
    its cells."""

    ends: list[int]
    spans: list[int]
    rows: list[list[str]]
    share: float  # of the text that is behind it


def nothing(share: float) -> None:
    """Take note of nothing."""


def decoded(content: bytes, encoding: str) -> tuple[str, int]:
    """Return the text of `content` without its byte-order mark, and how many of its bytes are no letters."""
    text = content.decode(encoding, errors="replace").removeprefix("\ufeff")
    broken = text.count("\ufffd")
    if broken:  # the file may hold that sign itself
        broken -= min(broken, content.count("\ufffd".encode(encoding, errors="ignore") or b"\xef\xbf\xbd"))
    return text, broken


def blocks(text: str, reading: Reading, name: str | Say, tell: Tell = nothing) -> Iterator[Block]:
    """Give the rows of `text` that are neither blank nor comments; raise FileError where they cannot be told apart."""
    stream = io.StringIO(text, newline="")
    for _ in range(reading.skip):
        stream.readline()
    before = reading.skip
    numbered = _cells(stream, reading)
    n, first = 200, True
    while True:
        tell(stream.tell() / max(1, len(text)))
        try:
            found = list(islice(numbered, n))
        except csv.Error as error:
            line = before + int(str(error.args[-1]) if str(error.args[-1]).isdecimal() else 0)
            raise FileError(say("{file}: the table cannot be read at line {line}. Check for a missing quotation mark.",
                                file=name, line=line)) from None
        if not found:
            return
        if first and re.fullmatch(r"sep=.?", "".join(found[0][2]).strip()):
            found = found[1:]
        first = False
        mark = reading.comment
        kept = [(end, span, row) for end, span, row in found
                if any(row) and any(cell.strip() for cell in row)
                and not (mark and row[0].startswith(mark) and not BROKEN.fullmatch(row[0].strip()))]
        widest = max((len(row) for _, _, row in kept), default=1)
        if widest > WIDEST:
            raise FileError(say("{file} has a line of {n} cells; the limit is {most}.", file=name, n=widest,
                                most=WIDEST))
        n = max(1, min(2000, BLOCK // widest))
        if kept:
            yield Block([before + end for end, _, _ in kept], [span for _, span, _ in kept],
                        [row for _, _, row in kept], stream.tell() / max(1, len(text)))


def _cells(stream: io.StringIO, reading: Reading) -> Iterator[tuple[int, int, list[str]]]:
    """Give for every row the line on which it ends, how many lines it takes, and its cells."""
    if reading.delimiter == " ":
        quoted = re.compile(rf"{reading.quote}([^{reading.quote}]*){reading.quote}|(\S+)") if reading.quote else None
        for number, line in enumerate(stream, 1):
            if quoted is not None and reading.quote in line:
                yield number, 1, [inner or bare for inner, bare in quoted.findall(line)]
            else:
                yield number, 1, line.split()
        return
    reader = csv.reader(stream, delimiter=reading.delimiter, skipinitialspace=reading.delimiter != "\t",
                        quotechar=reading.quote or None,
                        quoting=csv.QUOTE_MINIMAL if reading.quote else csv.QUOTE_NONE)
    last = 0
    try:
        for row in reader:
            end = reader.line_num
            yield end, end - last, row
            last = end
    except csv.Error as error:
        raise csv.Error(*error.args, str(last + 1)) from None


def numbers(cells: Sequence[str], decimal: str, thousands: str) -> Array:
    """Return the numbers written in `cells` (m,), NaN where there is none or it is not finite."""
    joined = "\n".join(cells)
    plain: Sequence[str] = cells
    grouped = any(mark in joined for mark in _marks(thousands))
    if decimal == ",":
        grouped = grouped or "." in joined
        plain = joined.replace(",", ".").split("\n") if "," in joined else cells
    if not grouped and "_" not in joined and len(plain) == len(cells):
        try:
            values = np.array(plain, dtype=float)  # all at once, where all are numbers
            return np.where(np.isfinite(values), values, np.nan)
        except ValueError:
            pass  # one by one, then
    found = (number(cell, decimal, thousands) for cell in cells)
    return np.fromiter((np.nan if value is None else value for value in found), float, len(cells))


def number(cell: str, decimal: str = ".", thousands: str = "") -> float | None:
    """Return the finite number that is written in `cell`, or None."""
    cell = (cell if cell.isascii() else unicodedata.normalize("NFKC", cell)).strip().replace("−", "-")
    if not _pattern(decimal, thousands).fullmatch(cell):
        return None
    for mark in _marks(thousands):
        cell = cell.replace(mark, "")
    value = float(cell.replace(",", ".") if decimal == "," else cell)
    return value if np.isfinite(value) else None


def missing(cell: str) -> bool:
    """Return whether a cell says that there is no value."""
    cell = cell.strip()
    return cell.lower() in MISSING or (cell[:1] == "#" and BROKEN.fullmatch(cell) is not None)


def _marks(thousands: str) -> str:
    return {" ": BLANKS, "'": APOSTROPHES}.get(thousands, thousands)


@cache
def _pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    """Return what a number looks like; each text in one way, or long ones take minutes. 1.234 is no number where the
    comma is the decimal mark and nothing stands between thousands: some mean 1234 by it."""
    point = re.escape(decimal)
    whole = r"\d+"
    if thousands and thousands != decimal:
        whole = rf"(?:\d{{1,3}}(?:[{re.escape(_marks(thousands))}]\d{{3}})+|\d+)"
    return re.compile(rf"[+-]?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?")
