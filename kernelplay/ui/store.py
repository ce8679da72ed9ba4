"""The Store: the one thing that changes. Current Scene, history, newest Picture, and what is pointed at."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kernelplay.compute import RESOLUTION, Compute, Request
from kernelplay.history import History
from kernelplay.i18n import Say, say, verbatim
from kernelplay.latest import Latest
from kernelplay.marks import Chart, Picture
from kernelplay.scene import Rectangle, Scene, axis_labels, data_view
from kernelplay.turn import TURN
from kernelplay.ui.calm import Calm

log = logging.getLogger("kernelplay")

LONG = 1000.0  # ms of a fit from which on a person is told at once that one is under way
MANY = 20_000  # points of which that is expected, as long as none was timed
REST = 120  # ms without a new request after which a coarse picture is made again at full resolution


@dataclass(frozen=True)
class Screen:
    """What the canvas shows: the visible rectangle in data coordinates and its width / height in pixels."""

    view: Rectangle
    aspect: float


class Store(QObject):
    """State flows one way: `edit` -> `changed(old, new)` -> worker -> `pictured(picture)`.

    Widgets read `scene`, `picture`, `history`, `selection`, `tool`, `current_class`, `step` and call the methods; they
    never write to each other.
    """

    changed = Signal(object, object)  # old Scene, new Scene
    parting = Signal()  # another document is about to come: what is being typed for this one is given up
    pictured = Signal(object)  # the newest Picture, for what draws it
    told = Signal(object)  # the newest Picture, for what writes about it: after `pictured`, in a drag not every time
    selected = Signal(object)  # frozenset of rows of scene.points
    mode = Signal()  # tool or current class
    stepped = Signal(object)  # step of the player (int), or None: the finished picture
    document = Signal()  # file name or modified mark
    closing = Signal()  # what works for this document stops now
    said = Signal(object, bool)  # Say: one sentence for the status line; whether it is about a problem
    _arrived = Signal()  # from the worker thread: there is something in `_fresh`
    _broke = Signal(int, object)

    def __init__(self, scene: Scene, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = History.start(scene, say("Open"))
        self.picture: Picture | None = None
        self.selection: frozenset[int] = frozenset()
        self.tool = "point"  # key of a tool
        self.current_class = 0
        self.step: int | None = None
        self.path: Path | None = None
        self.disk: str | None = None  # fingerprint of what the file held when it was last read or written, if known
        self._saved: Scene | None = scene  # None: what is here is in no file
        self._screen: Screen | None = None
        self.opening = False  # what `changed` tells is another document
        self._telling = False  # `changed` is being told
        self._asked = 0  # number of the newest picture asked for
        self._shown = 0  # number of the newest picture shown: nothing older is
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._refine)
        self._took: tuple[int, float] | None = None  # points and ms of the last fit
        self._words = Calm(self)
        self._words.due.connect(self._tell)
        self._arrived.connect(self._arrive)
        self._broke.connect(self._report)
        compute = Compute()
        # the newest picture that has come: of several that come while the window is busy, only that is shown
        self._fresh: deque[tuple[int, Picture]] = deque(maxlen=1)
        self._latest: Latest[Request, Picture] = Latest(compute.picture, self._deliver, self._broke.emit)

    @property
    def scene(self) -> Scene:
        """The current Scene."""
        return self.history.scene

    @property
    def modified(self) -> bool:
        """Whether there is something that saving would keep, and that would be lost without a question."""
        return self._saved is None or self.scene.digest != self._saved.digest

    @property
    def shown(self) -> Rectangle | None:
        """The rectangle that the canvas shows, once it has a size."""
        return self._screen.view if self._screen is not None else None

    @property
    def idle(self) -> bool:
        """Whether the worker has nothing to do (its last result may still be on its way)."""
        return self._latest.idle

    @property
    def settled(self) -> bool:
        """Whether everything is shown and said: the newest picture is of the current scene, and at full resolution."""
        picture = self.picture
        return (self.idle and picture is not None and picture.scene is self.scene and not picture.coarse
                and not self._words.waiting)

    @property
    def behind(self) -> bool:
        """Whether the picture of the current scene is still to come."""
        return self.picture is None or self.picture.scene is not self.scene

    @property
    def slow(self) -> bool:
        """Whether the next fit is expected to take so long that it is said at once: the last one of about as many
        points took long, or there are very many."""
        n = len(self.scene.points)
        if self._took is not None and n // 2 <= self._took[0] <= 2 * n:
            return self._took[1] >= LONG
        return n >= MANY

    def edit(self, scene: Scene, label: Say, gesture: str = "", fresh: bool = False) -> None:
        """Make `scene` current as one undoable step named `label`; edits of one `gesture` are one step. fresh: its
        points have come in place of others, and no picture of those is the last good one of these. Whoever is told of
        a change must not make another: some have not heard of the first one yet, and `scene` is of before it."""
        if scene is self.scene:
            return
        if self._telling:
            log.error("an edit within another one is left out: %s", label)
            return
        if fresh and scene.view is None:
            scene = scene.with_view(data_view(scene))
        self._become(self.history.edit(scene, label, gesture, fresh))

    def cancel(self, gesture: str) -> None:
        """Take back what the edits of `gesture` did, as if it had never begun."""
        self._become(self.history.without(gesture))

    def undo(self) -> None:
        """Go one step back."""
        self._become(self.history.undo())

    def redo(self) -> None:
        """Go one step forward."""
        self._become(self.history.redo())

    def go(self, at: int) -> None:
        """Go to step `at` of the history."""
        self._become(self.history.go(at))

    def look(self, screen: Screen) -> None:
        """Take note of what the canvas shows; a picture for it is made. No step of the history."""
        if screen == self._screen:
            return
        first = self._screen is None
        self._screen = screen
        if (not first and self.scene.view is not None) or (not first and screen.view != data_view(self.scene)):
            self.history = self.history.look(self.scene.with_view(screen.view))
        self._request()

    def open(self, scene: Scene, path: Path | None, label: Say, disk: str | None = None, saved: bool = True) -> None:
        """Begin a document: a new history, nothing to undo. `disk`: the fingerprint of its file; `saved`: whether
        the scene is what the file holds (or an example, or empty), so that nothing would be lost."""
        self.parting.emit()
        old = self.scene
        self.history = History.start(scene, label)
        self.path, self.disk, self._saved = path, disk, scene if saved else None
        self._forget()
        self.select(frozenset())
        self.use_class(0)
        self.play_at(None)
        self.opening = True
        self._tell_change(old, scene)
        self.opening = False
        self.document.emit()
        self._request(urgent=True)

    def saved_as(self, path: Path, disk: str | None = None, scene: Scene | None = None) -> None:
        """Take note that `scene` (the current one if not given) is in the file `path`, which has the fingerprint
        `disk`."""
        self.path, self.disk, self._saved = path, disk, scene or self.scene
        self.document.emit()

    def unsaved(self) -> None:
        """Take note that what is here is in no file any more."""
        self._saved = None
        self.document.emit()

    def select(self, rows: frozenset[int]) -> None:
        """Select these rows of the current points; a gesture that is called off may know some that are gone."""
        n = len(self.scene.points)
        if rows and max(rows) >= n:
            rows = frozenset(row for row in rows if row < n)
        if rows != self.selection:
            self.selection = rows
            self.selected.emit(rows)

    def use_tool(self, tool: str) -> None:
        """Take the tool called `tool` into the hand."""
        if tool != self.tool:
            self.tool = tool
            self.mode.emit()

    def use_class(self, number: int) -> None:
        """Choose the class of points added from now on."""
        if number != self.current_class:
            self.current_class = number
            self.mode.emit()

    def play_at(self, step: int | None) -> None:
        """Show step `step` of the player, or the finished picture."""
        if step != self.step:
            self.step = step
            self.stepped.emit(step)

    def say(self, sentence: Say, problem: bool = False) -> None:
        """Put one sentence into the status line; problem: something that was asked for could not be done."""
        self.said.emit(sentence, problem)

    def close(self) -> None:
        """Stop the worker and wait for it; nothing is delivered afterwards, and no step before the last is kept."""
        self._rest.stop()
        self._words.stop()
        self.closing.emit()
        self._latest.close()
        self.history = self.history.alone()  # else all steps would wait to be collected, as long as the window does

    def _become(self, history: History) -> None:
        old, was_modified, before = self.scene, self.modified, self.history
        self.history = history
        new = self.scene
        if new is old and (history.at, len(history.steps)) == (before.at, len(before.steps)):
            return  # a gesture that has come back to where it began is a step all the same
        if history.origin != before.origin:
            self._forget()
        if new.points is not old.points and len(new.points) != len(old.points):
            self.select(frozenset(row for row in self.selection if row < len(new.points)))
        self.use_class(min(self.current_class, len(new.classes) - 1))
        self.play_at(None)
        self._tell_change(old, new)
        if self.modified != was_modified:
            self.document.emit()
        self._request(urgent=type(new.model) is not type(old.model) or history.origin != before.origin)

    def _tell_change(self, old: Scene, new: Scene) -> None:
        TURN.begin()
        self._telling = True
        self.changed.emit(old, new)
        self._telling = False

    def _forget(self) -> None:
        """Have no picture until there is one of the points that are here now."""
        self.picture = None
        self._words.stop()  # which were about it
        self._shown = self._asked + 1  # those on their way are of other points

    def _request(self, urgent: bool = False, hurry: bool = True) -> None:
        screen = self._screen
        if screen is None:
            return  # the canvas has no size yet; it calls `look` when it has
        request = Request(self.scene, screen.view, RESOLUTION, screen.aspect, hurry, self.history.origin)
        self._asked = self._latest.submit(request, urgent)

    @Slot()
    def _refine(self) -> None:
        self._request(hurry=False)

    def _deliver(self, number: int, picture: Picture) -> None:
        """Hand a picture over to the window; on the worker thread."""
        self._fresh.append((number, picture))
        self._arrived.emit()

    @Slot()
    def _arrive(self) -> None:
        TURN.begin()
        if self._fresh:  # else a newer one came before this was told
            self._show(*self._fresh.popleft())

    def _show(self, number: int, picture: Picture) -> None:
        if number < self._shown:
            return
        self._shown = number
        self.picture = picture
        for readout in picture.readouts:
            if readout.key == "time" and readout.raw["fit_ms"] > 1.0:  # else the fit was there already
                self._took = (len(picture.scene.points), readout.raw["fit_ms"])
        self.pictured.emit(picture)
        self._words.ask()
        if picture.coarse:
            self._rest.start()

    @Slot()
    def _tell(self) -> None:
        if self.picture is not None:  # else it was about another document
            self.told.emit(self.picture)

    @Slot(int, object)
    def _report(self, number: int, error: BaseException) -> None:
        log.error("picture %d failed", number, exc_info=error)
        if number == self._asked:  # else a newer one is on its way
            why = say("This result could not be computed ({kind}). The last one stays; undo the last change, or report "
                      "the message in the log.", kind=type(error).__name__)
            self._show(number, _failed(self.scene, why, self.picture))


def _failed(scene: Scene, why: Say, last: Picture | None) -> Picture:
    """Return the picture of a scene that could not be computed: what the last one showed, as stale."""
    x_label, y_label = axis_labels(scene)
    charts: tuple[Chart, ...] = (Chart("canvas", verbatim(""), (), x_label, y_label,
                                       equal_aspect=scene.task == "classification"),)
    if last is not None and last.scene.model.key == scene.model.key and len(scene.points):
        charts = last.charts
    return Picture(charts, why, problem=why, scene=scene, stale=bool(charts[0].marks))
