"""Text that takes a while to make: on a thread of its own, the newest request wins."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal

from kernelplay.errors import Spoken
from kernelplay.i18n import Say, say
from kernelplay.models.base import Check
from kernelplay.ui.worker import Worker

log = logging.getLogger("kernelplay")


@dataclass(frozen=True)
class Wanted:
    """A text to be made by `make(check)`; `form` is how it is coloured: "python", "latex", "table"; `warning` gives
    what is to be known before the text is trusted."""

    make: Callable[[Check], str]
    form: str
    warning: Callable[[], Say | None] | None = None


@dataclass(frozen=True)
class Written:
    """What came of it: the text, or why there is none; the head is as much of it as is worth looking at."""

    form: str
    text: str = ""
    head: str = ""
    lines: int = 0
    size: int = 0  # bytes
    problem: Say | None = None
    warning: Say | None = None


class TextMaker(Worker):
    """Makes texts, one after another; `written` tells of the newest."""

    written = Signal(object)  # Written

    def __init__(self, most_lines: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._most, self._newest = most_lines, 0

    def ask(self, wanted: Wanted) -> None:
        """Make this text; one that is still under way is given up."""
        self._newest = self.submit(wanted, urgent=True)

    def close(self) -> None:
        """Stop what is being made."""
        self._newest = 0
        super().close()

    def work(self, wanted: Wanted, check: Check) -> Written:
        """Return the text, or why there is none."""
        try:
            with np.errstate(all="ignore"):
                text = wanted.make(check)
                warning = None if wanted.warning is None else wanted.warning()
        except Spoken as error:
            return Written(wanted.form, problem=error.sentence)
        lines = text.count("\n")
        head = text if lines <= self._most else "\n".join(text.split("\n", self._most)[:self._most])
        return Written(wanted.form, text, head, lines, len(text.encode()), warning=warning)

    def arrive(self, number: int, written: Written) -> None:
        """Tell of the newest one."""
        if number == self._newest:
            self.written.emit(written)

    def fail(self, number: int, error: BaseException) -> None:
        """Say that there is none."""
        log.error("a text could not be made", exc_info=error)
        if number == self._newest:
            why = say("This text could not be created ({kind}). Report the message in the log.",
                      kind=type(error).__name__)
            self.written.emit(Written("table", problem=why))
