"""Animations made beside the window, on a thread of their own: previews, progress, and a stop that leaves nothing."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from kernelplay.animations import Source
from kernelplay.errors import Cancelled, Spoken
from kernelplay.figures import Figure
from kernelplay.i18n import Say, say
from kernelplay.models.base import Check
from kernelplay.scene import Scene
from kernelplay.sweep import Sweep
from kernelplay.ui import filmstrip
from kernelplay.ui.animation import Film, Progress, film
from kernelplay.ui.animation_export import Target, Written, estimated, export
from kernelplay.ui.theme import Theme
from kernelplay.ui.worker import Worker

log = logging.getLogger("kernelplay")

PREVIEWED = 40  # pictures of a preview: all of a short animation, every second or third of a longer one
PACE = 0.05  # seconds between two words of progress


@dataclass(frozen=True, eq=False)
class Job:
    """What is to be made. steps: how many the player has; room: dots for a preview, None to write the file."""

    scene: Scene
    source: Source
    look: Figure
    target: Target
    language: str
    screen: Theme
    steps: int = 0
    room: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Glimpse:
    """One picture of a preview: the `place`-th of `count`."""

    place: int
    count: int
    image: QImage


@dataclass(frozen=True)
class Forecast:
    """What is known when a preview is whole: about how many bytes the file will have, and which pictures fail."""

    size: int
    failures: Say | None


class Animator(Worker):
    """Makes one thing at a time; a new one calls off the one before."""

    progressed = Signal(object)  # Progress of a file
    glimpsed = Signal(object)  # Glimpse
    foreseen = Signal(object)  # Forecast
    written = Signal(object)  # Written, or None: it was stopped
    failed = Signal(object)  # Say
    _told = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0  # of the newest job
        self._writing = 0  # of the job that writes a file; 0: none
        self._stopped = 0  # jobs up to this number stop
        self._told.connect(self._tell)

    @property
    def writing(self) -> bool:
        """Whether a file is being written."""
        return self._writing > 0

    def begin(self, job: Job) -> None:
        """Make a preview or a file."""
        self._number += 1
        self._writing = self._number if job.room is None else 0
        self.submit((self._number, job), urgent=True)

    @Slot()
    def stop(self) -> None:
        """Call off what is being made."""
        self._stopped = self._number

    def close(self) -> None:
        """Stop what is being made."""
        self._stopped = self._number
        super().close()

    def work(self, asked: tuple[int, Job], check: Check) -> Written | Forecast | None:
        """Return what was written, or what is known after a preview; None if it was stopped."""
        number, job = asked

        def checked() -> None:
            check()
            if number <= self._stopped:
                raise Cancelled

        try:
            checked()
            return self._write(number, job, checked) if job.room is None else self._preview(number, job, checked)
        except Cancelled:
            if number <= self._stopped:
                return None
            raise

    def _write(self, number: int, job: Job, check: Check) -> Written:
        told = 0.0

        def tell(progress: Progress) -> None:
            nonlocal told
            if time.monotonic() - told > PACE:
                told = time.monotonic()
                self._told.emit(number, progress)

        return export(job.scene, job.source, job.look, job.target, job.language, screen=job.screen, check=check,
                      tell=tell)

    def _preview(self, number: int, job: Job, check: Check) -> Forecast:
        assert job.room is not None
        strip = job.target.ending == ".svg"
        source, whole = job.source, job.source
        if isinstance(source, Sweep):
            count = len(source.there) if strip else len(source.order)
            source = source.thinned(PREVIEWED)
        else:
            count = len(source.places(job.steps))
            source = source.thinned(PREVIEWED, job.steps)
        if strip:
            count = len(filmstrip.chosen(count, job.target.panels))
        made = film(job.scene, whole if strip and count <= PREVIEWED else source, job.look, job.language,
                    screen=job.screen, strip=strip, check=check)
        if strip:
            drawn = filmstrip.image(made, job.target.panels, job.target.columns, *job.room)
            self._told.emit(number, Glimpse(0, 1, drawn))
        else:
            for place in range(len(made)):
                check()
                self._told.emit(number, Glimpse(place, len(made), made.image(place, _fitting(made, job.room))))
        return Forecast(estimated(made, job.target, count, check), made.failures)

    @Slot(int, object)
    def _tell(self, number: int, what: Progress | Glimpse) -> None:
        if number == self._number and number > self._stopped:
            (self.glimpsed if isinstance(what, Glimpse) else self.progressed).emit(what)

    def arrive(self, number: int, result: Written | Forecast | None) -> None:
        """Tell of a file, or of what a preview has shown."""
        if self._ended(number):
            self.written.emit(result)
        elif isinstance(result, Forecast):
            self.foreseen.emit(result)

    def fail(self, number: int, error: BaseException) -> None:
        """Say that there is no animation."""
        self._ended(number)
        if not isinstance(error, Spoken):
            log.error("the animation failed", exc_info=error)
        self.failed.emit(error.sentence if isinstance(error, Spoken) else say(
            "The animation could not be created ({kind}). Report the message in the log.", kind=type(error).__name__))

    def _ended(self, number: int) -> bool:
        """Take note of the end of a job; return whether it was one that writes a file."""
        writing = number == self._writing
        if writing:
            self._writing = 0
        return writing


def _fitting(made: Film, room: tuple[int, int]) -> tuple[int, int]:
    """Return the dots of a picture that fits into `room`."""
    width, height = made.look.size
    ratio = min(room[0] / width, room[1] / height)
    return max(1, round(width * ratio)), max(1, round(height * ratio))
