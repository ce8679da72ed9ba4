"""The command line, declared as values: what may be given, its help, and a sentence for each slip.

Not argparse, whose messages cannot be said in Korean or Japanese; this is the small part of it that is needed, and
`--help` is answered before numpy is loaded.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kernelplay.errors import Spoken
from kernelplay.i18n import Say, say


class UsageError(Spoken):
    """The command line is not one of ours."""


@dataclass(frozen=True)
class Option:
    """`names`: "--size", also short ones; `value`: what the value is called in the help ("" for a switch)."""

    names: tuple[str, ...]
    help: Say
    value: str = ""
    repeated: bool = False
    choices: tuple[str, ...] = ()
    needed: bool = False

    @property
    def name(self) -> str:
        """The long name without dashes."""
        return self.names[-1].lstrip("-")


@dataclass(frozen=True)
class Command:
    """One thing the program does: `operand` is what stands without a dash (in brackets: may be left out; with … there
    may be several)."""

    name: str
    about: Say
    operand: str
    operand_help: Say
    options: tuple[Option, ...]
    choices: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """The command as it is written."""
        parts = ["kernelplay", self.name, self.operand]
        for option in self.options:
            text = f"{option.names[0]} {option.value}".strip()
            parts.append(text if option.needed else f"[{text}]" + ("…" if option.repeated else ""))
        return " ".join(part for part in parts if part)


@dataclass(frozen=True)
class Given:
    """What was given: the operand ("" if none), all of them where there may be several, options by long name, and what
    is left for Qt."""

    operand: str = ""
    operands: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    switches: frozenset[str] = frozenset()
    rest: tuple[str, ...] = ()


def read(command: Command, words: Sequence[str], for_qt: Mapping[str, int]) -> Given:
    """Return what `words` give to `command`; raise UsageError with a sentence.

    for_qt: options that belong to Qt ("-platform") and how many values each takes; they are handed on.
    """
    known = {name: option for option in command.options for name in option.names}
    operands: list[str] = []
    values: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    switches: set[str] = set()
    rest: list[str] = []
    waiting = list(words)
    only_operands = False
    while waiting:
        word = waiting.pop(0)
        if word == "--" and not only_operands:
            only_operands = True
        elif only_operands or not word.startswith("-") or word == "-":
            operands.append(word)
        elif word in for_qt:
            count = for_qt[word]
            rest += [word, *waiting[:count]]
            del waiting[:count]
        else:
            name, equals, attached = word.partition("=")
            if name not in known:
                raise _unknown(name, [*known, "--help", "--version"])
            option = known[name]
            if not option.value:
                if equals:
                    raise UsageError(say("{option} takes no value: remove {value}.", option=name,
                                         value=f"={attached}"))
                switches.add(option.name)
                continue
            if not equals and (not waiting or waiting[0] in known):
                raise UsageError(say("{option} needs a value: use {usage}.", option=name,
                                     usage=f"{name} {option.value}"))
            value = attached if equals else waiting.pop(0)
            _among(value, option.choices, name)
            if option.repeated:
                lists.setdefault(option.name, []).append(value)
            else:
                values[option.name] = value
    optional = command.operand.startswith("[")
    if not any(operands) and not optional:
        wanted = "|".join(command.choices) or command.operand
        raise UsageError(say("{operand} is missing: use {usage}.", operand=command.operand,
                             usage=f"kernelplay {command.name} {wanted}"))
    if len(operands) > 1 and "…" not in command.operand:
        raise UsageError(say("Unexpected {word}: only one {operand} can be given.", word=operands[1],
                             operand=command.operand.strip("[]")))
    for option in command.options:
        if option.needed and not values.get(option.name):
            raise UsageError(say("{operand} is missing: use {usage}.", operand=option.names[0],
                                 usage=f"{option.names[0]} {option.value}"))
    operand = operands[0] if operands else ""
    if operand:
        _among(operand, command.choices, command.name)
    repeated = {name: tuple(items) for name, items in lists.items()}
    return Given(operand, tuple(filter(None, operands)), values, repeated, frozenset(switches), tuple(rest))


def _among(value: str, choices: tuple[str, ...], name: str) -> None:
    if choices and value not in choices:
        raise UsageError(say("{option} cannot be {value}: choose one of {names}.", option=name, value=value or '""',
                             names=", ".join(choices)))


def _unknown(name: str, known: list[str]) -> UsageError:
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return UsageError(say("There is no option {option}; did you mean {near}?", option=name, near=near[0]))
    return UsageError(say("There is no option {option}; \"kernelplay --help\" lists them.", option=name))


def columns(rows: Sequence[tuple[str, str]], indent: str = "  ") -> str:
    """Return rows of two columns, aligned by the width that the letters have on a terminal."""
    width = max((wide(left) for left, _ in rows), default=0)
    return "\n".join(f"{indent}{left}{' ' * (width - wide(left))}  {right}".rstrip() for left, right in rows)


def wide(text: str) -> int:
    """Return how many columns of a terminal `text` takes: Korean and Japanese letters take two."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def help_of(command: Command) -> str:
    """Return the help of one command."""
    rows = [(f"{', '.join(option.names)} {option.value}".strip(), _with_choices(option.help, option.choices))
            for option in command.options]
    operand = [(command.operand.strip("[]"), _with_choices(command.operand_help, command.choices))]
    parts = [str(command.about), f"{say('Usage')}: {command.usage}", columns(operand + rows)]
    return "\n\n".join(parts)


def _with_choices(help: Say, choices: tuple[str, ...]) -> str:
    return f"{help} ({', '.join(choices)})" if choices else str(help)
