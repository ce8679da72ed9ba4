"""Reads a table on a thread of its own, for a window that shows what will come in: the newest reading wins."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from kernelplay.arrival import Arrival, arrive, read
from kernelplay.errors import Cancelled, FileError
from kernelplay.i18n import Say, say
from kernelplay.models.base import Check
from kernelplay.reading import Reading
from kernelplay.scene import Scene
from kernelplay.tables import Table
from kernelplay.ui.worker import Worker

log = logging.getLogger("kernelplay")

PACE = 0.04  # seconds between two words of progress


@dataclass(frozen=True, eq=False)
class Job:
    """What is to be read, and the scene that it comes into."""

    reading: Reading
    scene: Scene
    add: bool
    current_class: int


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a job: the table as far as there is one, what it brings, or why it cannot come in."""

    job: Job
    table: Table | None = None
    arrival: Arrival | None = None
    problem: Say | None = None


class ImportReader(Worker):
    """Reads `content` again whenever it is asked to; what is under way is dropped then."""

    progressed = Signal(float)
    ended = Signal(object)  # Outcome of the newest job
    _told = Signal(float)

    def __init__(self, content: bytes, title: str | Say, parent: QObject) -> None:
        super().__init__(parent)
        self._content, self._title = content, title
        self._number = 0  # of the newest job; 0: done
        self._last: tuple[Reading, Table] | None = None
        self._told.connect(self._tell)

    @property
    def busy(self) -> bool:
        """Whether the newest job is not done yet."""
        return self._number > 0

    def ask(self, job: Job) -> None:
        """Read for `job`; `ended` tells when it is done."""
        self._number = self.submit(job, urgent=True)

    def close(self) -> None:
        """Stop reading."""
        self._number = 0
        super().close()

    def work(self, job: Job, check: Check) -> Outcome:
        """Return what comes of a job."""
        told = time.monotonic()

        def tell(share: float) -> None:
            nonlocal told
            check()
            if time.monotonic() - told > PACE:
                told = time.monotonic()
                self._told.emit(share)

        table = None
        try:
            if self._last is not None and self._last[0] == job.reading:
                table = self._last[1]  # only what becomes of it has changed
            else:
                table = read(self._content, self._title, job.reading, tell)
                self._last = (job.reading, table)
            return Outcome(job, table, arrive(job.scene, table, job.add, job.current_class))
        except FileError as error:
            return Outcome(job, table, problem=error.sentence)

    @Slot(float)
    def _tell(self, share: float) -> None:
        if self.busy:
            self.progressed.emit(share)

    def arrive(self, number: int, outcome: Outcome) -> None:
        """Tell of the newest one."""
        if number == self._number:
            self._number = 0
            self.ended.emit(outcome)

    def fail(self, number: int, error: BaseException) -> None:
        """Say that the table could not be read."""
        if number != self._number or isinstance(error, Cancelled):
            return
        log.error("reading a table failed", exc_info=error)
        self._number = 0
        sentence = (say("Not enough memory for this table.") if isinstance(error, MemoryError) else
                    say("The table could not be read ({kind}); the details are in the log.",
                        kind=type(error).__name__))
        self.ended.emit(Outcome(Job(Reading(), Scene(), False, 0), problem=sentence))
