"""What can go wrong and what is worth saying, as values that carry a sentence for a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kernelplay.i18n import Say


class Spoken(Exception):
    """An error whose text is a plain sentence: what is wrong, with which value, and what to do.

    `sentence` calls a parameter what it is called in a program and on the command line, `shown` what it is called in a
    window.
    """

    def __init__(self, sentence: Say, shown: Say | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.shown = sentence if shown is None else shown

    def __str__(self) -> str:
        return str(self.sentence)


class FitError(Spoken):
    """These data or this problem have no answer, and the user can act on it.

    `points` names the rows in conflict (indices into X), if any.
    """

    def __init__(self, sentence: Say, points: tuple[int, ...] = ()) -> None:
        super().__init__(sentence)
        self.points = points


class SpecError(Spoken, ValueError):
    """A declared parameter got a value outside its declaration, or a name is unknown; `path` says which."""

    def __init__(self, sentence: Say, path: str = "", shown: Say | None = None) -> None:
        super().__init__(sentence, shown)
        self.path = path


class FileError(Spoken):
    """A file could not be read or written, or holds something else than it should."""


class Cancelled(Exception):
    """Raised by `check()` inside a running fit when its result is no longer wanted."""


@dataclass(frozen=True)
class Note:
    """Worth saying beside a result: `level` is "info" or "warning"; `points` are the rows it speaks of."""

    sentence: Say
    level: Literal["info", "warning"] = "warning"
    points: tuple[int, ...] = ()
