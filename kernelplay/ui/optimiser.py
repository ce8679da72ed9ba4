"""The search for the hyperparameters of largest evidence: on a thread of its own, with progress, stopped by a word."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from kernelplay.errors import Cancelled, Spoken
from kernelplay.i18n import Say, say
from kernelplay.models.base import Check, Model
from kernelplay.scene import Scene
from kernelplay.ui.store import Store
from kernelplay.ui.worker import Worker

if TYPE_CHECKING:  # scipy comes with it, and a window that never searches need not wait for it
    from kernelplay.models.evidence import Maximum, Optimum, Progress

log = logging.getLogger("kernelplay")

STARTS = 5
PACE = 0.05  # seconds between two words of progress: each costs the window a repaint


def can_search(scene: Scene) -> bool:
    """Return whether the model of `scene` has an evidence: it says which parameter stands on the diagonal."""
    return hasattr(scene.model, "diagonal")


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found, and the scene it searched for."""

    scene: Scene
    optimum: Optimum


class Optimiser(Worker):
    """Searches for the newest scene it was given; an edit of the points or of the kind of model calls the search off.

    The best maximum becomes one undoable step; the others can be chosen with `take`.
    """

    progressed = Signal(object)  # Progress
    ended = Signal()  # `found` says what came out; None: called off
    _told = Signal(object)

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.found: Found | None = None
        self._number = 0  # of the search under way; 0: none
        self._scene: Scene | None = None
        self._stop = False
        self._taking = False  # an edit of our own is no reason to call a search off
        self._told.connect(self._tell)
        store.changed.connect(self._changed)
        store.closing.connect(self.close)

    @property
    def busy(self) -> bool:
        """Whether a search is under way."""
        return self._number > 0

    @Slot()
    def start(self) -> None:
        """Search for the scene as it is now."""
        self._stop, self.found, self._scene = False, None, self._store.scene
        self._number = self.submit(self._scene, urgent=True)

    @Slot()
    def stop(self) -> None:
        """End the search; the best found so far counts."""
        self._stop = True

    def take(self, maximum: Maximum) -> None:
        """Give the model the values of one of the maxima found, as one step."""
        scene = self._store.scene
        for path, value in maximum.values.items():
            scene = scene.with_value(path, value)
        self._taking = True
        try:
            self._store.edit(scene, say("Maximise the evidence"))
        finally:
            self._taking = False

    @Slot()
    def close(self) -> None:
        """Call the search off: what it finds now comes too late."""
        self._number, self._stop = 0, True
        super().close()

    def work(self, scene: Scene, check: Check) -> Found | None:
        """Search, and tell of it now and then. None: stopped before there was anything to find."""
        from kernelplay.models.evidence import maximise

        told = 0.0

        def checked() -> None:
            check()
            if self._stop:
                raise Cancelled

        def progress(now: Progress) -> None:
            nonlocal told
            if time.monotonic() - told > PACE:
                told = time.monotonic()
                self._told.emit(now)

        X, y, labels, _, _ = scene.training()
        try:
            return Found(scene, maximise(scene.model, X, y, starts=STARTS, check=checked, progress=progress,
                                         labels=labels or None))
        except Cancelled:
            return None

    @Slot(object)
    def _tell(self, progress: Any) -> None:
        if self.busy and not self._stop:
            self.progressed.emit(progress)

    def arrive(self, number: int, found: Found | None) -> None:
        """Take the best maximum."""
        if number != self._number:
            return
        self._number = 0
        self.found = found
        if found is not None:
            self.take(found.optimum.maxima[0])
        self.ended.emit()

    def fail(self, number: int, error: BaseException) -> None:
        """Say that there is none."""
        if number != self._number:
            return
        self._number = 0
        if not isinstance(error, Spoken):
            log.error("the search for the largest evidence failed", exc_info=error)
        self._store.say(error.sentence if isinstance(error, Spoken) else _failed(), problem=True)
        self.ended.emit()

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        """What was found belongs to these points and this model; other ones ask for another search."""
        if self._scene is None and self.found is None:
            return
        if self._taking or (new.points is old.points and _same_shape(old.model, new.model)):
            return
        if self.busy:
            self._number, self._stop = 0, True
        self.found, self._scene = None, None
        self.ended.emit()


def _same_shape(old: Model, new: Model) -> bool:
    """Return whether two models differ in numbers alone: what was found for one can be taken by the other."""
    return old is new or (type(old) is type(new) and [p for p, _ in old.reals()] == [p for p, _ in new.reals()])


def _failed() -> Say:
    return say("Maximising the evidence failed; the values are unchanged. Report the message in the log.")
