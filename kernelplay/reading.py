"""How a table is read: one frozen value with everything in which two files of numbers can differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kernelplay.i18n import Say, say, verbatim
from kernelplay.spec import Spec, choice, flag, integer, real

FORMATS = {"delimited": say("Rows of cells (CSV)"), "svmlight": say("LIBSVM / SVMlight")}
ENCODINGS = {
    "utf-8": verbatim("UTF-8"),
    "utf-8-sig": say("UTF-8 with a mark (BOM)"),
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
DELIMITERS = {",": say("Comma ,"), ";": say("Semicolon ;"), "\t": say("Tab"), "|": say("Bar |"), " ": say("Blanks")}
DECIMALS = {".": say("Dot 1.5"), ",": say("Comma 1,5")}
THOUSANDS = {"": say("None"), ",": say("Comma 1,000"), ".": say("Dot 1.000"), " ": say("Blank 1 000"),
             "'": say("Apostrophe 1'000")}
QUOTES = {'"': say("Double \""), "'": say("Single '"), "": say("None")}
COMMENTS = {"#": verbatim("#"), "%": verbatim("%"), "//": verbatim("//"), "": say("None")}
TASKS = {"": say("As the last column looks"), "classification": say("Classification"), "regression": say("Regression")}
UNUSABLE = {"skip": say("Leave out, and list"), "refuse": say("Refuse the file")}
CLASSES = {"each": say("Each label is a class"), "rest": say("One against the rest"),
           "threshold": say("Cut at a threshold")}
UNITS = {"keep": say("Keep the units"), "inputs": say("Standardise the inputs"), "all": say("Standardise everything")}

LAST, NOTHING = -1, -2  # as `target`: the last column; no column, the points have no labels
CELLS = ("delimited",)


@dataclass(frozen=True)
class Reading(Spec):
    """How a table is read, and what its columns are.

    inputs: the columns of the inputs, counted from 0; () stands for all but the target. target: the column of the label
    or target, or LAST, or NOTHING. positive: the label that stands against the rest.
    """

    format: str = choice("delimited", FORMATS, label=say("Format"),
                         help=say("Rows of cells, or lines such as \"+1 1:0.5 2:0.25\"."))
    encoding: str = choice("utf-8", ENCODINGS, label=say("Encoding"),
                           help=say("How the bytes of the file stand for letters: the names of columns and classes "
                                    "show whether it is the right one."))
    delimiter: str = choice(",", DELIMITERS, when=("format", CELLS), label=say("Separator"),
                            help=say("What stands between two cells."))
    decimal: str = choice(".", DECIMALS, when=("format", CELLS), label=say("Decimal mark"),
                          help=say("What stands before the fraction of a number."))
    thousands: str = choice("", THOUSANDS, when=("format", CELLS), label=say("Thousands mark"),
                            help=say("What stands between groups of three digits."))
    quote: str = choice('"', QUOTES, when=("format", CELLS), label=say("Quotation mark"),
                        help=say("What stands around cells that hold a separator."))
    comment: str = choice("#", COMMENTS, label=say("Comments"),
                          help=say("Lines that begin with this are passed over."))
    skip: int = integer(0, 0, 100, most=1_000_000, label=say("Lines to pass over"),
                        help=say("How many lines at the top are no part of the table."))
    header: bool = flag(False, when=("format", CELLS), label=say("The first row holds names"),
                        help=say("The names of the columns are those of the axes."))
    task: str = choice("", TASKS, label=say("Task"),
                       help=say("Classes over two inputs, or a target over one input."))
    unusable: str = choice("skip", UNUSABLE, label=say("Unusable rows"),
                           help=say("What to do with rows that have an empty cell, or a word where a number should "
                                    "be."))
    classes: str = choice("each", CLASSES, when=("task", ("classification",)), label=say("Classes"),
                          help=say("How the labels become classes."))
    threshold: float = real(0.0, -10.0, 10.0, when=("classes", ("threshold",)), label=say("Threshold"),
                            help=say("Labels from this number on are one class, smaller ones the other."))
    units: str = choice("keep", UNITS, label=say("Units"),
                        help=say("Standardised columns have mean 0 and standard deviation 1; the axes say so."))
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
            return say("Read with separator: {delimiter}; decimal mark: {decimal}; thousands mark: {thousands}; "
                       "encoding: {encoding}; names in the first row.", **marks)
        return say("Read with separator: {delimiter}; decimal mark: {decimal}; thousands mark: {thousands}; "
                   "encoding: {encoding}; no names in the first row.", **marks)

    def roles(self, width: int) -> tuple[tuple[int, ...], int | None]:
        """Return the columns of the inputs and that of the target (None: none) of a table with `width` columns."""
        target = None if self.target == NOTHING else width - 1 if self.target == LAST else self.target
        inputs = self.inputs or tuple(column for column in range(width) if column != target)
        return inputs, target


def option(name: str) -> Mapping[str, Say]:
    """Return the keys and labels of the choice `name` of a Reading."""
    return dict(Reading.params()[name].options)  # type: ignore[attr-defined]
