"""The evidence section of the Model panel: search for its maximum, watch, stop, and look at the other maxima."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from kernelplay.i18n import Say, number, say, verbatim
from kernelplay.models.base import Model
from kernelplay.scene import Scene
from kernelplay.ui.controls import Push
from kernelplay.ui.labels import Note
from kernelplay.ui.optimiser import Optimiser, can_search
from kernelplay.ui.panels import Section
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.words import name, tell

if TYPE_CHECKING:
    from kernelplay.models.evidence import Maximum, Progress


class Place(QPushButton):
    """One maximum: its evidence and its values; pressed, the model takes them."""

    wanted = Signal(object)  # Maximum

    def __init__(self, maximum: Maximum, model: Model, best: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._maximum = maximum
        self.setProperty("look", "row")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.label = Note(None, self, look="strong" if best else "help")
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box = QGridLayout(self)
        sized(box, "setContentsMargins", 8, 5, 8, 5)
        box.addWidget(self.label)
        tell(self.label, "setText", _line(maximum, model))
        name(self, _line(maximum, model), say("Apply these values to the model."))
        self.clicked.connect(self._clicked)

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped words."""
        return self.label.heightForWidth(width - 16) + 10

    def resizeEvent(self, event: Any) -> None:
        """Be as high as the words need."""
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    @Slot()
    def _clicked(self) -> None:
        self.wanted.emit(self._maximum)


class EvidencePanel(Section):
    """Shown for models that have an evidence."""

    def __init__(self, store: Store, optimiser: Optimiser, parent: QWidget | None = None) -> None:
        super().__init__(say("Evidence"), parent)
        self._store, self._optimiser = store, optimiser
        self.button = Push(say("Maximise the evidence"), self)
        name(self.button, say("Maximise the evidence"),
             say("Searches from {n} starting points for the hyperparameters that make the data most probable.", n=5))
        self.stop = Push(say("Stop"), self)
        name(self.stop, say("Stop"), say("Stop the search and use the best values so far."))
        self.note = Note(None, self)
        self._places: list[Place] = []
        for widget in (self.button, self.stop, self.note):
            self.body.addWidget(widget)
        self.button.clicked.connect(self.start)
        self.stop.clicked.connect(optimiser.stop)
        optimiser.progressed.connect(self._progressed)
        optimiser.ended.connect(self._show)
        store.changed.connect(self._changed)
        self._show()
        self.setVisible(can_search(store.scene))

    @Slot()
    def start(self) -> None:
        """Begin a search, if the model has an evidence and none is under way."""
        if self._optimiser.busy or not can_search(self._store.scene):
            return
        self._optimiser.start()
        self._show()
        self.note.show_sentence(say("Searching…"))

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if old.model is not new.model:
            self.setVisible(can_search(new))

    @Slot(object)
    def _progressed(self, now: Progress) -> None:
        self.note.show_sentence(say("Start {start} of {starts}, {n} evaluations, best {best}", start=now.start,
                                    starts=now.starts, n=now.evaluations, best=now.best))

    @Slot()
    def _show(self) -> None:
        """Show what can be done and what was found."""
        busy, found = self._optimiser.busy, self._optimiser.found
        self.button.setVisible(not busy)
        self.stop.setVisible(busy)
        for place in self._places:
            place.hide()
            place.deleteLater()
        self._places = []
        self.note.show_sentence(None if found is None else _outcome(found.optimum))
        if found is None:
            return
        for rank, maximum in enumerate(found.optimum.maxima):
            place = Place(maximum, found.optimum.model, rank == 0, self)
            place.wanted.connect(self._optimiser.take)
            self._places.append(place)
            self.body.addWidget(place)


def _outcome(optimum: Any) -> Say:
    best, before = optimum.lml, optimum.start_lml
    if optimum.stopped:
        return say("Stopped: log marginal likelihood {best}, was {before}. Found so far:", best=best,
                   before=before)
    if len(optimum.maxima) == 1:
        return say("Log marginal likelihood {best}, was {before}. All starts led to "
                   "the same maximum:", best=best, before=before)
    return say("Log marginal likelihood {best}, was {before}. The starts led to {n} maxima, best first; click one to "
               "apply its values:", best=best, before=before, n=len(optimum.maxima))


def _line(maximum: Maximum, model: Model) -> Say:
    """Return "−10.5: γ = 1.43, σ² = 0.135", with a word about bounds and plateaus."""
    parts = []
    for path, value in maximum.values.items():
        param = model.param(path)
        parts.append(f"{param.symbol or path.rpartition('.')[2]} = {number(float(value))}")
    values = verbatim(f"{number(maximum.lml, 4)}:  {', '.join(parts)}")
    if maximum.at_bound:
        return say("{values} (at the limit of a range)", values=values)
    return say("{values} (a plateau)", values=values) if maximum.flat else values
