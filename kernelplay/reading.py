"""How a table is read: one frozen value with everything in which two files of numbers can differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kernelplay.i18n import Say, say, verbatim
from kernelplay.spec import Spec, choice, flag, integer, real

FORMATS = {"delimited": say("Rows of cells (CSV)"), "svmlight": say("LIBSVM / SVMlight")}
ENCODINGS = {
    "utf-8": verbatim("UTF-8"),
    "utf-8-sig": say("UTF-8 with BOM"),
    "utf-16-le": verbatim("UTF-16 LE"),
    "utf-16-be": verbatim("UTF-16 BE"),
    "cp1252": say("Western European (Windows-1252)"),
    "latin-1": say("Western European (Latin-1)"),
    "cp1250": say("Central European (Windows-1250)"),
    "cp1251": say("Cyrillic (Windows-1251)"),
    "cp949": say("Korean (EUC-KR, CP949)"),
    "cp932": say("Japanese (Shift_JIS, CP932)"),
    "euc_jp": say("Japanese (EUC-JP)"),
    "gb18030": say("Chinese (GB 18030)"),
    "big5": say("Chinese (Big5)"),
}
DELIMITERS = {",": say("Comma ,"), ";": say("Semicolon ;"), "\t": say("Tab"), "|": say("Bar |"), " ": say("Spaces")}
DECIMALS = {".": say("Point 1.5"), ",": say("Comma 1,5")}
THOUSANDS = {"": say("None"), ",": say("Comma 1,000"), ".": say("Dot 1.000"), " ": say("Space 1 000"),
             "'": say("Apostrophe 1'000")}
QUOTES = {'"': say("Double \""), "'": say("Single '"), "": say("None")}
COMMENTS = {"#": verbatim("#"), "%": verbatim("%"), "//": verbatim("//"), "": say("None")}
TASKS = {"": say("Detect from the last column"), "classification": say("Classification"),
         "regression": say("Regression")}
UNUSABLE = {"skip": say("Skip and list"), "refuse": say("Reject the file")}
CLASSES = {"each": say("One class per label"), "rest": say("One versus rest"),
           "threshold": say("Split at a threshold")}
UNITS = {"keep": say("Keep units"), "inputs": say("Standardise inputs"),
         "all": say("Standardise inputs and target")}

DATE_ORDERS = {"day": say("Day first 31/01/2024"), "month": say("Month first 01/31/2024")}
DATE_UNITS = {"days": say("Days since 1970-01-01"), "years": say("Years, as 2024.5")}

LAST, NOTHING = -1, -2  # as `target`: the last column; no column, the points have no labels
CELLS = ("delimited",)


@dataclass(frozen=True)
class Reading(Spec):
    """How a table is read, and what its columns are.

    inputs: the columns of the inputs, counted from 0; () stands for all but the target. target: the column of the label
    or target, or LAST, or NOTHING. positive: the label that stands against the rest.
    """

    format: str = choice("delimited", FORMATS, label=say("Format"),
                         help=say("Rows of cells, or lines such as “+1 1:0.5 2:0.25”."))
    encoding: str = choice("utf-8", ENCODINGS, label=say("Encoding"),
                           help=say("Character encoding of the file; with the right one, column and class names look "
                                    "correct."))
    delimiter: str = choice(",", DELIMITERS, when=("format", CELLS), label=say("Delimiter"),
                            help=say("Separates the cells of a row."))
    decimal: str = choice(".", DECIMALS, when=("format", CELLS), label=say("Decimal separator"),
                          help=say("Separates the fraction of a number."))
    thousands: str = choice("", THOUSANDS, when=("format", CELLS), label=say("Thousands separator"),
                            help=say("Separates groups of three digits."))
    quote: str = choice('"', QUOTES, when=("format", CELLS), label=say("Quotation mark"),
                        help=say("Encloses cells that contain a delimiter."))
    comment: str = choice("#", COMMENTS, label=say("Comments"),
                          help=say("Lines starting with this are skipped."))
    skip: int = integer(0, 0, 100, most=1_000_000, label=say("Lines to skip"),
                        help=say("Number of lines before the table."))
    header: bool = flag(False, when=("format", CELLS), label=say("First row contains names"),
                        help=say("Column names become axis labels."))
    task: str = choice("", TASKS, label=say("Task"),
                       help=say("Classes with two inputs, or a target with one input."))
    unusable: str = choice("skip", UNUSABLE, label=say("Unusable rows"),
                           help=say("What to do with rows that have an empty cell or text instead of a number."))
    classes: str = choice("each", CLASSES, when=("task", ("classification",)), label=say("Classes"),
                          help=say("How the labels become classes."))
    threshold: float = real(0.0, -10.0, 10.0, when=("classes", ("threshold",)), label=say("Threshold"),
                            help=say("Labels at or above this number are one class, smaller ones the other."))
    units: str = choice("keep", UNITS, label=say("Units"),
                        help=say("Standardised columns have mean 0 and standard deviation 1; the axis labels say so."))
    date_order: str = choice("day", DATE_ORDERS, when=("format", CELLS), label=say("Date order"),
                             help=say("Order of day and month in dates that end with the year."))
    date_unit: str = choice("days", DATE_UNITS, when=("format", CELLS), label=say("Dates as"),
                            help=say("The number a date becomes; the axis label says so."))
    inputs: tuple[int, ...] = ()
    target: int = LAST
    positive: str = ""

    def described(self) -> Say:
        """Return how the cells are told apart, as one sentence for people."""
        encoding = ENCODINGS[self.encoding]
        if self.format == "svmlight":
            return say("Read as LIBSVM / SVMlight text in {encoding}.", encoding=encoding)
        marks = {"delimiter": DELIMITERS[self.delimiter], "decimal": DECIMALS[self.decimal],
                 "thousands": THOUSANDS[self.thousands], "encoding": encoding}
        if self.header:
            return say("Read with delimiter: {delimiter} · decimal separator: {decimal} · thousands separator: "
                       "{thousands} · encoding: {encoding} · names in the first row.", **marks)
        return say("Read with delimiter: {delimiter} · decimal separator: {decimal} · thousands separator: {thousands} "
                   "· encoding: {encoding} · no names in the first row.", **marks)

    def roles(self, width: int) -> tuple[tuple[int, ...], int | None]:
        """Return the columns of the inputs and that of the target (None: none) of a table with `width` columns."""
        target = None if self.target == NOTHING else width - 1 if self.target == LAST else self.target
        inputs = self.inputs or tuple(column for column in range(width) if column != target)
        return inputs, target


def option(name: str) -> Mapping[str, Say]:
    """Return the keys and labels of the choice `name` of a Reading."""
    return dict(Reading.params()[name].options)  # type: ignore[attr-defined]
