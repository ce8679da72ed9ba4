"""How a table is probably read, told from its bytes, and in which of this the file leaves a choice."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kernelplay import measures, svmlight
from kernelplay.cells import APOSTROPHES, BLANKS, blocks, decoded, missing, number, numbers
from kernelplay.class_names import HEADING, MOST_CLASSES, declared
from kernelplay.errors import FileError
from kernelplay.headings import SAMPLE, SWITCH, common_width, names, switches
from kernelplay.i18n import Say, current, plural, say, verbatim
from kernelplay.reading import DELIMITERS, ENCODINGS, LAST, Reading

# (delimiter, decimal mark), the more telling ones first; " " stands for any run of blanks
DIALECTS = ((";", "."), (";", ","), ("\t", "."), ("\t", ","), (",", "."), (",", ","), ("|", "."), ("|", ","),
            (" ", "."), (" ", ","))
ACROSS = 24  # columns from which it is told
GROUPED = (  # cells that can only be numbers in groups of three digits: (thousands, decimal mark, pattern)
    (",", ".", re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d*|[+-]?\d{1,3}(,\d{3}){2,}")),
    (".", ",", re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d*|[+-]?\d{1,3}(\.\d{3}){2,}")),
    (" ", "", re.compile(rf"[+-]?\d{{1,3}}([{BLANKS}\xa0]\d{{3}})+([.,]\d*)?")),
    ("'", "", re.compile(rf"[+-]?\d{{1,3}}([{APOSTROPHES}]\d{{3}})+([.,]\d*)?")),
)
HANGUL = re.compile(rb"(?:[\xb0-\xc8][\xa1-\xfe]){2,}")  # two syllables beside one another, in EUC-KR
KANA = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]")  # in Shift_JIS


@dataclass(frozen=True)
class Guess:
    """A reading, and sentences about what could also be meant: without them the file says it all."""

    reading: Reading
    doubts: tuple[Say, ...] = ()


def guess(content: bytes, name: str | Say) -> Guess:
    """Return how the table in `content` is probably read; raise FileError if there is no text in it."""
    encoding, doubts = _encoding(content, name)
    text, _ = decoded(content, encoding)
    if not text.lstrip("\ufeff").strip():
        raise FileError(say("{file} is empty.", file=name))
    start = len(text) - len(text.lstrip())
    whole = len(text) - start <= SAMPLE * SAMPLE
    text = text[:start + SAMPLE * SAMPLE]
    lines = [line for line in io.StringIO(text, newline=None) if line.strip()]
    lines = lines if whole or len(lines) < 2 else lines[:-1]  # the last one is cut off
    comment = next((mark for mark in ("#", "%", "//") if lines[0].startswith(mark)), "#")
    sample = [line for line in lines if not line.startswith(comment)][:SAMPLE] or lines
    if svmlight.looks_like(sample):
        if any("qid:" in line for line in sample):
            doubts = (*doubts, say("Ranking groups (qid) are ignored."))
        time = svmlight.time_of_day(sample)
        if time:
            doubts = (*doubts, say("{cell} was read as a LIBSVM feature and value. If it is a time of day, choose "
                                   "“Rows of cells” as the format.", cell=verbatim(time)))
        return Guess(Reading(format="svmlight", encoding=encoding, comment="#"), doubts)
    given = re.fullmatch(r"sep=(.)\s*", sample[0])  # a first line that spreadsheets write for one another
    delimiter = given[1] if given else "," if re.search(rf',"?{HEADING}: ', sample[0]) else ""  # as we write it
    reading, more = _dialect(sample[1:] if given else sample, delimiter)
    reading = dataclasses.replace(reading, encoding=encoding, comment=comment)
    reading, further = _columns(text if whole else text[:text.rfind("\n") + 1] or text, reading, name)
    return Guess(reading, (*doubts, *more, *further))


def _encoding(content: bytes, name: str | Say) -> tuple[str, tuple[Say, ...]]:
    """Return the encoding, and what is doubtful in it."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if content.startswith(mark):
            return encoding, ()
    head = content[:4096]
    if b"\0" in head:
        if head[1::2].count(0) > len(head) // 3 or head[::2].count(0) > len(head) // 3:  # UTF-16 without its mark
            return "utf-16-le" if head[1::2].count(0) else "utf-16-be", ()
        raise FileError(say("{file} is not a text table: save it as CSV first.", file=name))
    try:
        content.decode("utf-8")
        return "utf-8", ()
    except UnicodeDecodeError:
        if sum(byte < 32 and byte not in b"\t\r\n\f\x1a" for byte in head) > len(head) // 50:
            raise FileError(say("{file} is not a text table: save it as CSV first.", file=name)) from None
    encoding = _legacy(content)
    return encoding, (say("{file} is not UTF-8; it was read as {encoding}, so names may look wrong.",
                          file=name, encoding=ENCODINGS[encoding]),)


def _legacy(content: bytes) -> str:
    """Return the code page of bytes that are not UTF-8: that of the language in use, or what they look like."""
    local = {"ko": "cp949", "ja": "cp932"}.get(current(), "")
    high = sum(byte > 127 for byte in content[:100_000])
    looks = [("cp949", sum(map(len, HANGUL.findall(content[:100_000]))) > 0.5 * high),
             ("cp932", 2 * len(KANA.findall(content[:100_000])) > 0.3 * high and high > 6)]
    for encoding in (local, *(encoding for encoding, like in looks if like)):
        try:
            if encoding:
                content.decode(encoding)
                return encoding
        except UnicodeDecodeError:
            continue
    return "cp1252"


def _dialect(lines: list[str], delimiter: str) -> tuple[Reading, tuple[Say, ...]]:
    """Return the separator and marks by which most cells of the inputs are numbers; delimiter: the declared one."""
    quote = "'" if any(re.search(r"(^|[,;\t|])\s*'[^']*'\s*([,;\t|]|$)", line) for line in lines[:20]) else '"'
    if delimiter and delimiter not in DELIMITERS:
        delimiter = ""
    glued = re.compile(rf"(^|\s){quote}[^{quote}]*{quote}[^{quote}\s]")
    scored: list[_Dialect] = []
    for separator, decimal in DIALECTS:
        if (delimiter and separator != delimiter) or (separator == " " and any(map(glued.search, lines))):
            continue
        base = Reading(delimiter=separator, decimal=decimal, quote=quote)
        rows = list(_split(lines, base))
        width, common = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if width < 2:
            continue
        fits = [row for row in rows if len(row) == width]
        cells = [[*row[:-1][:ACROSS], row[-1]] for row in fits]
        sure = _thousands(cells, decimal)
        likely = "" if sure else _likely_thousands(cells, decimal)
        thousands = (sure or ("." if decimal == "," else ",")) if sure or likely else ""
        inputs = _share([cell for row in cells for cell in row[:-1]], decimal, thousands)
        targets = _share([row[-1] for row in cells], decimal, thousands)
        score = (inputs + 0.01 * targets) * common / len(rows)  # the last column may be words
        scored.append(_Dialect(dataclasses.replace(base, thousands=thousands), score, width, likely,
                               [row[-1] for row in cells]))
    scored = [each for each in scored if not any(each.swallows(other) for other in scored)]
    if not scored:
        return Reading(quote=quote, delimiter=delimiter or ","), ()
    best = max(each.score for each in scored)
    fitting = [each for each in scored if each.score >= best - 1e-9]
    chosen = min(fitting, key=lambda each: (bool(each.likely), -each.width))  # of equals the first
    found = chosen.reading
    doubts = []
    other = next((each.reading for each in fitting if best > 0 and each.reading.delimiter != found.delimiter
                  and list(_split(lines, each.reading)) != list(_split(lines, found))), None)
    if chosen.likely:
        doubts.append(say("The {mark} in {cell} was read as a thousands separator: check the numbers.",
                          mark=verbatim(found.thousands), cell=verbatim(chosen.likely)))
    if other is not None:
        doubts.append(say("The delimiter is ambiguous: {one} was used, but {other} would also fit.",
                          one=DELIMITERS[found.delimiter], other=DELIMITERS[other.delimiter]))
    mark = _two_ways(list(_split(lines, found)), found)
    if mark:
        doubts.append(say("The {mark} in {cell} was read as a decimal separator; it could also separate thousands.",
                          mark=verbatim(found.decimal), cell=verbatim(mark)))
    return found, tuple(doubts)


@dataclass(frozen=True)
class _Dialect:
    """One way of telling cells apart: the share of numbers by which it is judged, how many columns it gives, a cell
    that tells its thousands mark where that is only likely, and the cells of its last column."""

    reading: Reading
    score: float
    width: int
    likely: str
    last: Sequence[str]

    def swallows(self, other: _Dialect) -> bool:
        """Return whether the last column holds what are several columns to `other`, numbers among them."""
        mark = other.reading.delimiter
        return (mark in ";\t|" and mark != self.reading.delimiter and other.score > 0.1
                and 2 * sum(mark in cell for cell in self.last) > len(self.last))


def _split(lines: Sequence[str], reading: Reading) -> Iterator[list[str]]:
    try:
        for block in blocks("".join(lines), dataclasses.replace(reading, comment=""), ""):
            yield from block.rows
    except (FileError, csv.Error):
        return


def _share(cells: Sequence[str], decimal: str, thousands: str) -> float:
    """Return the share of `cells` that are numbers."""
    values = numbers(cells, decimal, thousands)
    return float((values == values).mean()) if len(values) else 0.0


def _thousands(rows: list[list[str]], decimal: str) -> str:
    """Return what stands between thousands, if there is a cell that can be read in no other way."""
    for row in rows[:SAMPLE]:
        for cell in row:
            for thousands, point, pattern in GROUPED:
                if point in ("", decimal) and thousands != decimal and pattern.fullmatch(cell.strip()):
                    return thousands
    return ""


def _likely_thousands(rows: list[list[str]], decimal: str) -> str:
    """Return a cell such as 2,012 of a column that holds whole numbers only, if groups of three are the only way to
    read them, else ""; in a column with fractions a lone 1.234 among 2,5 is not guessed at."""
    mark = "." if decimal == "," else ","
    group = re.compile(rf"[+-]?[1-9]\d{{0,2}}(\{mark}\d{{3}})+")
    for column in zip(*rows[:SAMPLE], strict=True):
        cells: list[str] = [cell.strip() for cell in column if re.fullmatch(r"\s*[+-]?[\d.,]+\s*", cell)]
        grouped = [cell for cell in cells if mark in cell]
        if grouped and not any(decimal in cell for cell in cells) and all(map(group.fullmatch, grouped)):
            return grouped[0]
    return ""


def _two_ways(rows: list[list[str]], reading: Reading) -> str:
    """Return a cell whose decimal mark may stand between thousands, if that holds for all cells that have one; a dot
    that is missing in some numbers of its column is a decimal one, except between semicolons."""
    if reading.thousands:
        return ""
    found, usual = "", reading.decimal == "." and reading.delimiter != ";"
    with_mark: set[int] = set()
    without: set[int] = set()
    for row in rows:
        for column, cell in enumerate(row[:ACROSS]):
            cell = cell.strip()
            if number(cell, reading.decimal) is None:
                continue
            if reading.decimal not in cell:
                without.add(column)
                continue
            if not re.fullmatch(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", cell):
                return ""
            with_mark.add(column)
            found = found or cell
    return "" if usual and with_mark & without else found


def _columns(text: str, reading: Reading, name: str | Say) -> tuple[Reading, tuple[Say, ...]]:
    """Return `reading` with what the first rows say of names, of the target and of columns of words."""
    numbered = [(end - span, row) for block in blocks(text, reading, name)
                for end, span, row in zip(block.ends, block.spans, block.rows, strict=True)][:SAMPLE]
    rows = [row for _, row in numbered]
    width = common_width(rows)
    if width < 2:
        return reading, ()
    doubts: tuple[Say, ...] = ()
    top = next(i for i, row in enumerate(rows) if len(row) == width)
    if top > 0 and is_header(rows[top], width, reading) and top + 1 < len(rows):
        above = numbered[top][0]
        reading, rows = dataclasses.replace(reading, skip=above), rows[top:]
        doubts = (plural(above, "The first line is not part of the table.",
                         "The first {n} lines are not part of the table."),)
    header = is_header(rows[0], width, reading)
    reading = dataclasses.replace(reading, header=header)
    body = [row for row in rows[header:] if len(row) == width]
    if not header and len(rows[0]) == width and _could_be_names(body[0], body[1:], reading):
        doubts += (say("The first row was read as data; it could also be column names."),)
    if not body or width > 1000:
        return reading, doubts
    columns = [[row[column] for row in body] for column in range(width)]
    titles = names(rows[0] if header else (), body, width)
    reading, dated, doubtful = measures.dates(columns, reading)
    empty = [all(map(missing, cells)) for cells in columns]
    ours = header and (bool(declared(rows[0][-1])) or rows[0][-1].strip() == HEADING)
    empty[-1] = empty[-1] and not (header and declared(rows[0][-1]))  # a class may be called na
    target = next((column for column in reversed(range(width)) if not empty[column]), width - 1)
    if not ours and constant(columns[target]):
        target = _better(columns, reading, target)
    others = [column for column in range(width) if column != target and not empty[column]]
    inputs = [column for column in others if column < target or target != width - 1]
    words = [column for column in inputs if readable(columns[column], reading) < 0.1]
    words = [] if len(words) == len(inputs) else words
    left = tuple(column for column in inputs if column not in words)
    used = [column for column in dated if column in left]  # dates that are labels stay texts
    if used:
        doubts += (measures.dates_told([titles[column] for column in used], reading, doubtful),)
    if header and len(left) > 1 and switches(rows[0]) and {row[0].strip() for row in body} <= {"0", "1"}:
        left = tuple(column for column in left if column != 0)
        doubts += (say("The column {name} says which points are used in the fit: 1 is used, 0 is not.",
                       name=verbatim(SWITCH)),)
    if words:
        doubts += (say("Text columns cannot be inputs: {names}.", names=", ".join(titles[c] for c in words)),)
    if left and (left != tuple(range(target)) or target != width - 1):
        reading = dataclasses.replace(reading, inputs=left, target=LAST if target == width - 1 else target)
    return reading, doubts


def readable(cells: Sequence[str], reading: Reading) -> float:
    """Return the share of the cells of a column that stand for numbers."""
    found = measures.values(cells, measures.kind(cells, reading), reading)
    return float((found == found).mean()) if len(found) else 0.0


def constant(cells: Sequence[str]) -> bool:
    """Return whether all of many cells that hold something hold the same."""
    kept = [cell.strip() for cell in cells if not missing(cell)]
    return len(kept) > 2 and len(set(kept)) == 1


def _better(columns: Sequence[Sequence[str]], reading: Reading, last: int) -> int:
    """Return the column to take for the label in place of a constant one: the rightmost one with a few words that
    repeat, else the rightmost that varies, where two others that vary are left for the inputs; else `last`."""
    varied = [column for column, cells in enumerate(columns)
              if column != last and not all(map(missing, cells)) and not constant(cells)]
    for column in reversed(varied):
        labels = {cell.strip() for cell in columns[column] if not missing(cell)}
        if readable(columns[column], reading) < 0.1 and len(labels) <= min(MOST_CLASSES, len(columns[column]) - 1):
            return column
    return varied[-1] if len(varied) > 2 else last


def is_header(row: Sequence[str], width: int, reading: Reading) -> bool:
    """Return whether `row` holds names: words above the inputs and no number among them."""
    inputs = row[:-1] if len(row) == width else row
    numeric = any(number(cell, reading.decimal, reading.thousands) is not None or readable([cell], reading)
                  for cell in inputs)
    return bool(declared(row[-1])) or not (numeric or all(map(missing, inputs)))


def _could_be_names(row: Sequence[str], body: Sequence[Sequence[str]], reading: Reading) -> bool:
    """Return whether whole numbers in a first row could be names: years that ascend above other numbers, or numbers
    beside a word as no other row has in its last cell."""
    if len(body) < 2 or not all(re.fullmatch(r"\s*\d+\s*", cell) for cell in row[:-1]):
        return False
    years = [int(cell) for cell in row if re.fullmatch(r"\s*(19|20)\d\d\s*", cell)]
    if len(years) > 1 and len(years) >= len(row) - 1 and all(a < b for a, b in pairwise(years)) and not all(
            re.fullmatch(r"\s*(19|20)\d\d\s*", cell) for cell in body[0][:len(years)]):
        return True
    others = Counter(below[-1].strip() for below in body)
    word = row[-1].strip()
    numeric = all(number(cell, reading.decimal, reading.thousands) is not None for cell in others)
    return (not missing(word) and number(word, reading.decimal, reading.thousands) is None and word not in others
            and (numeric or min(others.values()) > 1))
