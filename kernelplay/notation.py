"""The notation of formulas (one file: the things of a tree, their reader, what they show to be a vector).

What one line of Unicode such as "exp(−γ‖x − x′‖²)" means, as a tree.

The line is the one source: it is what a screen reader hears and what is copied, and `str(read(line)) == line` for every
line whatever. From it follow what is a sub- or superscript, what is above and below a fraction bar, under a root or
between bars, and which letters are vectors and matrices, set bold as in Bishop's book: x, w and u, the matrices of a
Gram system, and whatever the formula shows to be one (`vectors`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₙₘⱼᵢₖₓ", "0123456789+−nmjikx", strict=True))
HIGH = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀᴹᵅⁿᵏ", (*"0123456789+−⊤Mαnk",), strict=True))
ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar"}
FUNCTIONS = frozenset({"exp", "tanh", "sin", "cos", "ln", "log", "min", "max", "sign", "tr", "diag", "sinc"})
BINARY, RELATIONS = frozenset("+−±·×"), frozenset("=≠<>≤≥~←→⇒∈≈≪≫")
HALVES = {"½": ("1", "2"), "⅓": ("1", "3"), "¼": ("1", "4")}
GREEK = frozenset("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΦΨΩℓ∂")
CLOSES = {"(": ")", "[": "]", "{": "}", "|": "|", "‖": "‖"}
VECTORS = frozenset("xwuKIWSAB")
DEEPEST = 30  # brackets within brackets; what is deeper stands as it was written


@dataclass(frozen=True)
class Letter:
    """A variable, with its accents."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Number:
    """A number."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Word:
    """A function, or a word of more than one letter: upright."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Sign:
    """Anything else: an operator, a relation, a comma; `wide`: blanks stood about a bar, as in p(t | a)."""

    text: str
    wide: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Space:
    """The blanks between two things."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Scripted:
    """Something with primes, a sub- or a superscript, in the order in which they were written."""

    base: Node
    scripts: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.base}{''.join(self.scripts)}"

    @property
    def low(self) -> str:
        """What stands below."""
        return "".join(run for run in self.scripts if run[0] in LOW)

    @property
    def high(self) -> str:
        """What stands above, the primes first."""
        return "".join(sorted((run for run in self.scripts if run[0] not in LOW), key=lambda run: run[0] != "′"))


@dataclass(frozen=True)
class Fenced:
    """What stands between brackets or bars."""

    opens: str
    body: Row
    closes: str

    def __str__(self) -> str:
        return f"{self.opens}{self.body}{self.closes}"


@dataclass(frozen=True)
class Over:
    """A fraction; `slash` as it was written, with its blanks."""

    above: Row
    slash: str
    below: Row

    def __str__(self) -> str:
        return f"{self.above}{self.slash}{self.below}"


@dataclass(frozen=True)
class Root:
    """A square root."""

    body: Node

    def __str__(self) -> str:
        return f"√{self.body}"


@dataclass(frozen=True)
class Row:
    """Things beside one another."""

    items: tuple[Node, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.items))


Node = Letter | Number | Word | Sign | Space | Scripted | Fenced | Over | Root | Row


def bare(node: Node) -> Node:
    """Return what carries the scripts."""
    return node.base if isinstance(node, Scripted) else node


_RUN = "|".join((r"\d+(?:\.\d+)?", f"[{''.join(HALVES)}]", "[A-Za-z]+", f"[{''.join(LOW)}]+", f"[{''.join(HIGH)}]+",
                 "′+", f"[{''.join(ACCENTS)}]+", r"\s+", "."))


@lru_cache(maxsize=1024)
def read(line: str) -> Row:
    """Return the tree of a line. Every line can be read: what has no meaning stands as it was written."""
    return _Reader(re.findall(_RUN, line, re.DOTALL)).whole()


class _Reader:
    """Reads from left to right; `bars` are the bars that are open and not yet closed by a bracket."""

    def __init__(self, runs: list[str]) -> None:
        self.runs = [piece for run in runs for piece in _letters(run)]
        self.place = 0
        self.stops: list[str] = []
        self.alone: set[int] = set()  # places of brackets that have no other half
        self.deep = 0

    def whole(self) -> Row:
        items: list[Node] = []
        while self.place < len(self.runs):
            items += self.row().items
            if self.place < len(self.runs):  # a bracket that closes nothing
                items.append(Sign(self.next()))
        return Row(tuple(items))

    def next(self) -> str:
        self.place += 1
        return self.runs[self.place - 1]

    def ahead(self, more: int = 0) -> str:
        return self.runs[self.place + more] if self.place + more < len(self.runs) else ""

    def row(self) -> Row:
        items: list[Node] = []
        fractions = 0
        while (run := self.ahead()) and not self.ends(run, items):
            if run == "/" and items and not isinstance(items[-1], Sign) and fractions < DEEPEST:
                self.fraction(items)
                fractions += 1
            else:
                items.append(self.item(items))
        return Row(tuple(items))

    def ends(self, run: str, items: list[Node]) -> bool:
        if not self.stops or self.mid(run, items):
            return False
        if run in (")", "]", "}"):
            return run in self.stops
        return run == self.stops[-1] and bool(items) and not isinstance(items[-1], Space)

    def mid(self, run: str, items: list[Node]) -> bool:
        return run == "|" and bool(items) and isinstance(items[-1], Space) and self.ahead(1).isspace()

    def item(self, before: list[Node]) -> Node:
        run = self.ahead()
        if run.isspace():
            return Space(self.next())
        if self.mid(run, before):
            return Sign(self.next(), wide=True)
        node = self.atom()
        scripts = []
        while (run := self.ahead()) and (run[0] in LOW or run[0] in HIGH or run[0] == "′"):
            scripts.append(self.next())
        return Scripted(node, tuple(scripts)) if scripts else node

    def atom(self) -> Node:
        run = self.next()
        if run == "√" and self.deep < DEEPEST and (after := self.ahead()) and not after.isspace() \
                and after not in (")", "]", "}", "/"):
            self.deep += 1
            held = self.atom()
            self.deep -= 1
            return Root(held)
        if run in CLOSES:
            return self.fence(run)
        if run[0].isdecimal() or run in HALVES:
            return Number(run)
        if run in FUNCTIONS:
            return Word(run)
        if (run[0].isascii() and run[0].isalpha()) or run[0] in GREEK:
            while self.ahead()[:1] in ACCENTS and self.ahead():
                run += self.next()
            return Letter(run) if len(run) == 1 or run[1] in ACCENTS else Word(run)
        return Sign(run)

    def fence(self, opens: str) -> Node:
        start = self.place
        if start in self.alone or self.deep >= DEEPEST:
            return Sign(opens)
        self.stops.append(CLOSES[opens])
        self.deep += 1
        body = self.row()
        self.deep -= 1
        self.stops.pop()
        if self.ahead() == CLOSES[opens]:
            return Fenced(opens, body, self.next())
        self.place = start
        self.alone.add(start)
        return Sign(opens)

    def fraction(self, items: list[Node]) -> None:
        """Take what the bar stands between: with blanks about it all that is multiplied, else what adjoins it."""
        wide = isinstance(items[-1], Space) and self.ahead(1).isspace()
        slash = (str(items.pop()) if wide else "") + self.next() + (self.next() if wide else "")
        below: list[Node] = []
        above: list[Node] = []
        if wide:
            while items and not _parts(items[-1]):
                above.insert(0, items.pop())
            while above and isinstance(above[0], Space):
                items.append(above.pop(0))
        else:
            while items and not isinstance(items[-1], (Sign, Space)):
                above.insert(0, items.pop())
        while (run := self.ahead()) and not self.ends(run, below) and run not in BINARY | RELATIONS | set(",:;/"):
            if run.isspace() and (not wide or not (self.ahead(1)) or self.ahead(1) in BINARY | RELATIONS | {"|", "/"}):
                break
            below.append(self.item(below))
        items.append(Over(Row(tuple(above)), slash, Row(tuple(below))))


def _letters(run: str) -> Iterable[str]:
    """Part letters that are no word: "Ax" is A times x."""
    if len(run) < 2 or not run.isascii() or not run.isalpha() or run in FUNCTIONS or len(run) > 2:
        return (run,)
    return run


def _parts(node: Node) -> bool:
    return isinstance(node, Sign) and (node.text in BINARY or node.text in RELATIONS or node.text in ",:;" or node.wide)


def inside(node: Node) -> Iterator[Row]:
    """Give every row of a tree, the outer ones first."""
    if isinstance(node, Row):
        yield node
        for item in node.items:
            yield from inside(item)
    elif isinstance(node, Fenced):
        yield from inside(node.body)
    elif isinstance(node, Scripted):
        yield from inside(node.base)
    elif isinstance(node, Root):
        yield from inside(Row((node.body,)))
    elif isinstance(node, Over):
        yield from inside(node.above)
        yield from inside(node.below)


def symbol(node: Node) -> str:
    """Return the letter of a node with its subscript and without its accents: "θₖ"; "" where it is no letter."""
    base = bare(node)
    if not isinstance(base, Letter):
        return ""
    return base.text[0] + (node.low if isinstance(node, Scripted) else "")


@lru_cache(maxsize=256)
def vectors(lines: tuple[str, ...]) -> frozenset[str]:
    """Return the letters, with their subscripts, that `lines` show to be vectors or matrices: what is transposed or
    inverted or stands right after such a thing, between double bars or at a dot, or is normally distributed; a matrix
    also by its determinant."""
    found: set[str] = set()
    for line in lines:
        for row in inside(read(line)):
            items = row.items
            for place, node in enumerate(items):
                found |= _shown(node, items[place + 1] if place + 1 < len(items) else None)
                if symbol(node) and [str(item) for item in items[place + 1:place + 4]] == [" ", "~", " "] \
                        and len(items) > place + 5 and str(items[place + 4]) == "N":
                    found |= {symbol(node)} | _letters_of(items[place + 5])
                if isinstance(node, Sign) and node.text == "·" and 0 < place < len(items) - 1:
                    found |= {symbol(items[place - 1]), symbol(items[place + 1])}
    return frozenset(found - {""})


def _shown(node: Node, after: Node | None) -> set[str]:
    base, high = bare(node), node.high if isinstance(node, Scripted) else ""
    found: set[str] = set()
    if isinstance(base, Fenced) and len(base.body.items) == 1 and base.opens in "|‖":
        held = symbol(base.body.items[0])
        if base.opens == "‖" or held.isupper():
            found.add(held)
    if high in ("ᵀ", "⁻¹"):
        found.add(symbol(node))
        if isinstance(base, Fenced) and high == "ᵀ":
            found |= _letters_of(base)
        if after is not None:
            found |= _letters_of(after) if isinstance(bare(after), Fenced) else {symbol(after)}
    return found


def _letters_of(node: Node) -> set[str]:
    base = bare(node)
    return {symbol(item) for item in base.body.items} if isinstance(base, Fenced) else set()


def is_bold(node: Node, after: Node | None, known: frozenset[str]) -> bool:
    """Whether a letter is set bold; `after` is what follows it. A function is not, but k of one input is a vector."""
    name = symbol(node)
    base = bare(after) if after is not None else None
    called = isinstance(base, Fenced) and base.opens == "("
    if name == "k" and isinstance(base, Fenced) and called:
        return not any(isinstance(item, Sign) and item.text == "," for item in base.body.items)
    if called and (name[:1] in GREEK or name == "f"):
        return False
    return name in known or name in VECTORS or (name[:1] == "x" and not name[1:].translate(_PLAIN).isdecimal())


_PLAIN = str.maketrans(LOW)
_MARKS = frozenset((*LOW, *HIGH, *ACCENTS, *GREEK, *RELATIONS, *"‖|√Σ½′±·×"))
_MAIN = re.compile(f"[A-Za-z‖√Σ{''.join(GREEK)}]")
_WIDE = "\u1100-\u11ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
_TOKEN = re.compile(rf"\s+|[{_WIDE}]+|[^\s{_WIDE}]+")
_NUMBER = re.compile(r"[−+±≈≤≥]?[\d.,·⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*\d[\d.·⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*")
_SHORT = re.compile(r"[A-Za-z0-9/()+−.,=]+")
_ENGLISH = frozenset({"a", "A", "I", "(a", "a)"})


@lru_cache(maxsize=2048)
def parted(sentence: str) -> tuple[tuple[bool, str], ...]:
    """Return a sentence in parts, (whether it is a formula, its text): "Margin 1/‖w‖" is "Margin " and "1/‖w‖".

    The parts put together are the sentence.
    """
    parts: list[tuple[bool, str]] = []
    run: list[str] = []

    def finish() -> None:
        tail: list[str] = []
        while run and (run[-1].isspace() or (not _MAIN.search(run[-1]) and _NUMBER.fullmatch(run[-1]) is None
                       and run[-1] not in (")", "|"))):
            tail.insert(0, run.pop())
        text = "".join(run)
        head, text, end = _balanced(text) if _MAIN.search(text) else (text, "", "")
        for formula, piece in ((False, head), (True, text), (False, end + "".join(tail))):
            if piece:
                parts.append((formula, piece))
        run.clear()

    for token in _TOKEN.findall(sentence):
        word = token.rstrip(".,;:!?…")
        whole = "".join((*run, token))
        if token.isspace():
            if run:
                run.append(token)
                continue
        elif _is_formula(word) or (word in _ENGLISH and "".join(run).count("(") > "".join(run).count(")")):
            if word == token or whole.count("(") > whole.count(")"):
                run.append(token)
            else:
                run.append(word)
                finish()
                parts.append((False, token[len(word):]))
            continue
        finish()
        parts.append((False, token))
    finish()
    return tuple((formula, "".join(text for _, text in same)) for formula, same in groupby(parts, itemgetter(0)))


def _is_formula(word: str) -> bool:
    """Whether a word between blanks belongs to a formula."""
    if word in FUNCTIONS or word in ("=", "+", "−", "/", "|", "~") or _NUMBER.fullmatch(word):
        return True
    if any(len(letters) > 1 and letters not in FUNCTIONS for letters in re.findall("[A-Za-z]+", word)):
        return False
    return any(letter in _MARKS for letter in word) or (_SHORT.fullmatch(word) is not None and word not in _ENGLISH
                                                        and re.search("[A-Za-z]", word) is not None)


def _balanced(text: str) -> tuple[str, str, str]:
    """Return what goes before a formula, the formula, and what goes after: brackets that have no other half."""
    opened: list[int] = []
    for place, letter in enumerate(text):
        if letter == "(":
            opened.append(place)
        elif letter == ")":
            if not opened:
                return (text[:place], "", text[place:]) if place == 0 else ("", text[:place], text[place:])
            opened.pop()
    if not opened:
        return "", text, ""
    if opened[0] == 0:
        return text[:1], text[1:], ""
    return "", text[:opened[0]], text[opened[0]:]
