"""Sentences for people: English templates in the code, Korean and Japanese in `assets/i18n`.

A sentence is a `Say`: the English template and its values. It is put into a language when it is shown, so a result
made before a change of language is read in the new one. The catalogues map the English template to the translated one;
a test demands that every template in the code has both translations with the same placeholders.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from kernelplay.assets import asset

LANGUAGES: Mapping[str, str] = {"en": "English", "ko": "한국어", "ja": "日本語"}
PSEUDO = "pseudo"  # every sentence in brackets: what stands on screen without them has bypassed the catalogue

_current = "en"


@dataclass(frozen=True)
class Say:
    """A sentence: `template` with `{placeholders}` and their values, translated when it is shown.

    A value may be a string, an integer, a float (shown by `number`) or another `Say`. An integer is a count, whose
    thousands are set apart, 100,000; under one of the names of ORDINALS it is the number of a line, a seed.
    """

    template: str
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return self.text(_current)

    def text(self, language: str) -> str:
        """Return the sentence in `language` ("en", "ko", "ja" or the pseudo-language of the tests)."""
        template = catalogue(language).get(self.template, self.template)
        shown = {name: _shown(name, value, language) for name, value in self.values}
        text = template.format(**shown) if shown else template
        return f"⟦{text}⟧" if language == PSEUDO and text else text


def say(template: str, **values: object) -> Say:
    """Return the sentence `template`; the template must be a literal, so that the translation test can find it."""
    return Say(template, tuple(values.items()))


def plural(n: int, one: str, other: str, **values: object) -> Say:
    """Return `one` or `other` by the English rule; both are literals and both are translated; `{n}` is the number."""
    return say(one if n == 1 else other, n=n, **values)


def verbatim(text: str) -> Say:
    """Return text that is the same in every language: a symbol, a formula, a file name, a name the user gave."""
    return Say("{text}", (("text", text),))


def number(value: float, digits: int = 3) -> str:
    """Return `value` with `digits` significant digits, as people write it: 0.289, −12, 4·10⁻¹¹, ∞.

    One decimal mark (the dot) everywhere; U+2212 for minus, powers of ten outside 1e-4 .. 1e6.
    """
    if math.isnan(value):
        return "–"
    sign = "−" if value < 0 else ""
    magnitude = abs(value)
    if math.isinf(magnitude):
        return sign + "∞"
    if magnitude == 0:
        return "0"
    mantissa, exponent = f"{magnitude:.{digits - 1}e}".split("e")
    if -4 <= int(exponent) < 6:
        shown = f"{magnitude:.{max(0, digits - 1 - int(exponent))}f}"
        return sign + (shown.rstrip("0").rstrip(".") if "." in shown else shown)
    mantissa = mantissa.rstrip("0").rstrip(".")
    power = str(int(exponent)).translate(_SUPERSCRIPT)
    return f"{sign}10{power}" if mantissa == "1" else f"{sign}{mantissa}·10{power}"


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


# what integers are called in templates that are no counts, and may be looked for as they stand
ORDINALS = frozenset({"line", "row", "number", "seed", "step", "first", "last", "end", "place"})


def counted(n: int) -> str:
    """Return how many there are of something, for people to read: from five digits on in groups of three, 100,000."""
    return f"{n:,}".replace("-", "−") if abs(n) >= 10_000 else str(n)


def _shown(name: str, value: object, language: str) -> str:
    if isinstance(value, Say):
        return value.text(language)
    if isinstance(value, float):
        return number(value)
    text = counted(value) if type(value) is int and name not in ORDINALS else str(value)
    return text if text.isprintable() else text.translate(_UNPRINTABLE)


# what files and pasted texts may hold and no screen can show: pictures of control characters; nothing that turns the
# direction of writing round, and no half of a character, which no encoding can write
_CONTROLS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"} | {0x7F: "␡"}
_UNPRINTABLE = _CONTROLS | dict.fromkeys(
    (*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000)), "�")


def wrapped(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` columns, of which a Korean or Japanese letter takes two. Lines end at
    blanks; a run without blanks, as Japanese is written, ends anywhere but before a full stop or comma."""
    lines, line = [], ""
    for word in text.split():
        if line and _columns(f"{line} {word}") <= width:
            line = f"{line} {word}"
            continue
        lines += [line] * bool(line)
        line = ""
        for letter in word:
            if _columns(line + letter) > width and letter not in "、。，．,.)）」":
                lines.append(line)
                line = ""
            line += letter
    return [*lines, line] if line else lines


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def use(language: str) -> None:
    """Make `language` the one in which sentences are shown from now on."""
    global _current
    if language not in LANGUAGES and language != PSEUDO:
        raise ValueError(f"unknown language {language!r}: use one of {', '.join(LANGUAGES)}")
    _current = language


def current() -> str:
    """Return the language in use."""
    return _current


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return the translations of `language`: English template to translated template; empty for English."""
    if language in ("en", PSEUDO):
        return {}
    return dict(json.loads(asset("i18n", f"{language}.json").read_text("utf-8")))
