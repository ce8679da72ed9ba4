"""Formulas that people type, such as `sin(3*x) + 0.3*x^2`: read by a small parser, evaluated on arrays, never run.

    sum      = product (("+" | "-") product)*
    product  = signed (("*" | "/") signed)*
    signed   = ("-" | "+") signed | power
    power    = whole (("^" | "**") signed)?          2^3^2 is 2^(3^2), -x^2 is -(x^2)
    whole    = number | variable | constant | function "(" sum ("," sum)* ")" | "(" sum ")"

Every complaint is a SpecError that names the character. Nothing is multiplied without a sign: `3x` is refused.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say

Array = NDArray[np.float64]

LONGEST = 400  # characters
DEEPEST = 60  # brackets, signs and powers inside one another

FUNCTIONS: Mapping[str, Callable[[Array], Any]] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp,
    "log": np.log, "sqrt": np.sqrt, "abs": np.abs, "floor": np.floor, "sign": np.sign,
    "sinc": lambda x: np.sinc(x / np.pi),  # sin(x)/x
}
SEVERAL: Mapping[str, Callable[[Array, Array], Any]] = {"min": np.minimum, "max": np.maximum}
CONSTANTS: Mapping[str, float] = {"pi": float(np.pi), "π": float(np.pi), "e": float(np.e)}
_SIGNS: Mapping[str, Callable[[Array, Array], Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power}

_TYPED = {"−": "-", "–": "-", "·": "*", "×": "*", "∗": "*", "÷": "/", "²": "^2 ", "³": "^3 "}  # else by NFKC
_TOKEN = re.compile(r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>π|[A-Za-z_]\w*)|"
                    r"(?P<sign>\*\*|[-+*/^(),])",
                    re.ASCII)


@dataclass(frozen=True)
class Formula:
    """A formula that has been read: `text` as it was typed, `variables` in the order in which it takes their values."""

    text: str
    variables: tuple[str, ...]
    tree: Node

    def __call__(self, *values: Array) -> Array:
        """Return f at the values (n,) of each variable: (n,), NaN or infinite where there is no finite value."""
        given = dict(zip(self.variables, (np.asarray(value, float) for value in values), strict=True))
        with np.errstate(all="ignore"):
            result = self.tree.value(given)
        return np.array(np.broadcast_to(result, np.shape(values[0])), float)


@dataclass(frozen=True)
class Node:
    """A number, a variable, or `function` of other nodes."""

    number: float = 0.0
    variable: str = ""
    function: Callable[..., Any] | None = None
    of: tuple[Node, ...] = ()

    def value(self, given: Mapping[str, Array]) -> Any:
        """Return the value, with those of the variables `given`."""
        if self.function is not None:
            return self.function(*(node.value(given) for node in self.of))
        return given[self.variable] if self.variable else np.float64(self.number)


@lru_cache(256)
def read(text: str, variables: tuple[str, ...]) -> Formula:
    """Return the formula of `variables` that `text` stands for; raise SpecError with the place of what is wrong."""
    if not text.strip():
        raise SpecError(say("The formula is empty: write one such as {example}.", example=_example(variables)))
    if len(text) > LONGEST:
        raise SpecError(say("The formula has {n} characters; the limit is {most}.", n=len(text),
                            most=LONGEST))
    return Formula(text.strip(), variables, _Reader(text, variables).whole())


def _example(variables: tuple[str, ...]) -> str:
    return "sin(3*x) + 0.3*x^2" if len(variables) == 1 else "x1^2 + x2^2 - 1"


@dataclass(frozen=True)
class _Token:
    kind: str  # "number", "name", "sign", "end"
    text: str
    place: int  # of its first character in what was typed, from 0


class _Reader:
    """Goes through the tokens once, from left to right."""

    def __init__(self, text: str, variables: tuple[str, ...]) -> None:
        self.text, self.variables = text, variables
        self.tokens = list(self._tokens())
        self.at = 0
        self.depth = 0

    def _tokens(self) -> Iterator[_Token]:
        # one character may stand for several, and the place is that of the one that was typed
        pieces = [(piece, place) for place, letter in enumerate(self.text) for piece in self._written(place, letter)]
        source = "".join(piece for piece, _ in pieces)
        start = 0
        while start < len(source):
            if source[start].isspace():
                start += 1
                continue
            match = _TOKEN.match(source, start)
            if match is None:
                self.fail(pieces[start][1], say("this character has no meaning in a formula"))
            sign = match.group()
            yield _Token(str(match.lastgroup), "^" if sign == "**" else sign, pieces[start][1])
            start = match.end()
        yield _Token("end", "", len(self.text.rstrip()))

    def _written(self, place: int, letter: str) -> str:
        if letter in "²³" and self.text[place - 1:place] in ("²", "³"):
            self.fail(place, say("write a power with ^, as in x^23"))
        return _TYPED.get(letter) or unicodedata.normalize("NFKC", letter)

    def fail(self, place: int, why: Say) -> NoReturn:
        rest = self.text[place:].strip()
        if not rest:
            raise SpecError(say("The formula is not valid at its end: {why}.", why=why))
        raise SpecError(say("The formula is not valid at character {place}, “{rest}”: {why}.", place=place + 1,
                            rest=rest if len(rest) <= 24 else rest[:23] + "…", why=why))

    @property
    def now(self) -> _Token:
        return self.tokens[self.at]

    def take(self, *signs: str) -> _Token | None:
        """Return the token that is next and go on, if it is one of `signs`."""
        token = self.now
        if token.kind == "sign" and token.text in signs:
            self.at += 1
            return token
        return None

    def whole(self) -> Node:
        node = self.sum()
        token = self.now
        if token.kind == "end":
            return node
        if token.text == ")":
            self.fail(token.place, say("this bracket was never opened"))
        if token.text == ",":
            self.fail(token.place, say("commas only separate the values of min and max; use a decimal point"))
        self.fail(token.place, say("an operator such as * is missing before it"))

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(self.now.place, say("it is nested more than {most} levels deep", most=DEEPEST))

    def sum(self) -> Node:
        node = self.product()
        while sign := self.take("+", "-"):
            node = Node(function=_SIGNS[sign.text], of=(node, self.product()))
        return node

    def product(self) -> Node:
        node = self.signed()
        while sign := self.take("*", "/"):
            node = Node(function=_SIGNS[sign.text], of=(node, self.signed()))
        return node

    def signed(self) -> Node:
        self.deeper()
        sign = self.take("-", "+")
        node = self.power() if sign is None else self.signed()
        self.depth -= 1
        return Node(function=np.negative, of=(node,)) if sign is not None and sign.text == "-" else node

    def power(self) -> Node:
        node = self.single()
        if self.take("^"):
            node = Node(function=np.power, of=(node, self.signed()))
        return node

    def single(self) -> Node:
        token = self.now
        if token.kind == "number":
            self.at += 1
            value = float(token.text)
            if not np.isfinite(value):
                self.fail(token.place, say("this number is too large"))
            return Node(number=value)
        if token.kind == "name":
            self.at += 1
            return self.name(token)
        if self.take("("):
            node = self.sum()
            self.close(token)
            return node
        if token.kind == "end":
            self.fail(token.place, say("a number, a variable or a function is missing"))
        self.fail(token.place, say("a number, a variable or a function is expected here"))

    def name(self, token: _Token) -> Node:
        name = token.text
        if name in FUNCTIONS or name in SEVERAL:
            return self.call(token)
        if name in CONSTANTS:
            return Node(number=CONSTANTS[name])
        if name in self.variables:
            return Node(variable=name)
        variables = ", ".join(self.variables)
        if self.now.text == "(" or len(name) > 2:
            near = difflib.get_close_matches(name.lower(), [*FUNCTIONS, *SEVERAL, *self.variables], n=1)
            if near:
                self.fail(token.place, say("there is no {name} (did "
                                           "you mean {near}?)", name=_short(name), near=near[0]))
        if self.now.text == "(":
            self.fail(token.place, say("there is no function {name}; available: {names}", name=_short(name),
                                       names=", ".join([*FUNCTIONS, *SEVERAL])))
        self.fail(token.place, say("there is no {name}; use only {variables}", name=_short(name),
                                   variables=variables))

    def call(self, token: _Token) -> Node:
        opened = self.now
        if not self.take("("):
            self.fail(token.place, say("put the argument of {name} in brackets, as in {example}", name=token.text,
                                       example=f"{token.text}({self.variables[0]})"))
        values = [self.sum()]
        while comma := self.take(","):
            if token.text in FUNCTIONS:
                self.fail(comma.place, say("{name} takes one value; use a decimal point", name=token.text))
            values.append(self.sum())
        self.close(opened)
        if token.text in FUNCTIONS:
            return Node(function=FUNCTIONS[token.text], of=(values[0],))
        if len(values) < 2:
            self.fail(token.place, say("{name} takes two or more values, separated by commas", name=token.text))
        node = values[0]
        for value in values[1:]:
            node = Node(function=SEVERAL[token.text], of=(node, value))
        return node

    def close(self, opened: _Token) -> None:
        if self.take(")"):
            return
        token = self.now
        if token.kind == "end":
            self.fail(opened.place, say("this bracket is never closed"))
        if token.text == ",":
            self.fail(token.place, say("commas only separate the values of min and max; use a decimal point"))
        self.fail(token.place, say("an operator such as * is missing before it"))


def _short(name: str) -> str:
    return name if len(name) <= 20 else name[:19] + "…"
