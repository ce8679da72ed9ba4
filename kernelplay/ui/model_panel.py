"""The Model panel: the model, its formula and parameters, its kernel, the layers, the readouts."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import say, verbatim
from kernelplay.marks import Picture
from kernelplay.models.base import Model
from kernelplay.scene import Scene
from kernelplay.spec import kinds
from kernelplay.ui.controls import Combo
from kernelplay.ui.evidence_panel import EvidencePanel
from kernelplay.ui.follower import Follower
from kernelplay.ui.forms import Form
from kernelplay.ui.formula_label import FormulaLabel
from kernelplay.ui.kernel_panel import KernelPanel
from kernelplay.ui.layer_panel import LayerPanel
from kernelplay.ui.optimiser import Optimiser
from kernelplay.ui.panels import Panel, Section
from kernelplay.ui.readout import Readouts
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.words import name, tell


class Formula(QFrame):
    """The problem that is solved, in a card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self.label = FormulaLabel(1.2, centred=True, parent=self)
        box = QVBoxLayout(self)
        sized(box, "setContentsMargins", 8, 8, 8, 8)
        box.addWidget(self.label)
        name(self, say("Formula"))

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show the formula."""
        tell(self.label, "setText", verbatim("\n".join(lines)))


class ModelSection(Section):
    """Which model, the problem it solves, and its hyperparameters."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Model"), parent)
        self._store = store
        self.combo = Combo(self)
        self.combo.setProperty("look", "strong")
        self.combo.set_options([(key, cls.label) for key, cls in kinds("model").items()])
        self.combo.chosen.connect(self._chosen)
        name(self.combo, say("Model"), say("Model to fit to the points."))
        self.formula = Formula(self)
        self.body.addWidget(self.combo)
        self.body.addWidget(self.formula)
        self.body.addSpacing(2)
        self._form = self._form_of(store.scene.model)
        self._follower = Follower(self.content)
        self._follower.due.connect(self._follow)
        store.parting.connect(self._give_up)
        store.changed.connect(self._changed)
        self._follow()

    @property
    def form(self) -> Form:
        """The parameters of the model."""
        self._follower.now()
        return self._form

    def _form_of(self, model: Model) -> Form:
        form = Form(type(model), parent=self)
        form.edited.connect(self._edited)
        self.body.addWidget(form)
        for one, next_ in pairwise((self.combo, *form.stops())):
            QWidget.setTabOrder(one, next_)
        return form

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if old.model is not new.model:
            self.combo.show_key(type(new.model).key)
            self._follower.ask()

    @Slot()
    def _give_up(self) -> None:
        self._form.forget()

    @Slot()
    def _follow(self) -> None:
        model = self._store.scene.model
        self.combo.show_key(type(model).key)
        tell(self.combo, "setToolTip", model.about)
        self.formula.show_lines(model.formula)
        if self._form.cls is not type(model):
            self._form.forget()  # what is being typed was meant for that model: losing the keys must not take it
            keys = self.window().focusWidget()
            if keys is not None and self._form.isAncestorOf(keys):
                self.combo.setFocus()
            self._form.hide()
            self._form.deleteLater()
            self._form = self._form_of(model)
            self._follower.rest()
        self._form.show_spec(model)

    @Slot(str)
    def _chosen(self, key: str) -> None:
        choose_model(self._store, key)

    @Slot(str, object, str)
    def _edited(self, path: str, value: object, gesture: str) -> None:
        form = self._form
        if self.form is not form:
            return  # what was edited is the parameter of a model that is no more
        scene = self._store.scene
        label = say("Change {name}", name=type(scene.model).params()[path].label)
        try:
            changed = scene.with_value(path, value)
        except SpecError as error:
            form.complain(path, error.shown)
        else:
            self._store.edit(changed, label, gesture)


def choose_model(store: Store, key: str) -> None:
    """Fit the model `key` from now on; one of the other task brings its own points back."""
    scene = store.scene
    if key == type(scene.model).key:
        return
    changed = scene.with_model(key)
    if changed.task != scene.task:
        store.select(frozenset())
    store.edit(changed, say("Choose {model}", model=changed.model.label))


class ModelPanel(Panel):
    """Everything about the model."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Model"), 300, parent)
        self.model = ModelSection(store, self)
        self.kernel = KernelPanel(store, self)
        self.optimiser = Optimiser(store, self)
        self.evidence = EvidencePanel(store, self.optimiser, self)
        self.layers = LayerPanel(store, self)
        self.readouts = Readouts(store, self)
        for section in (self.model, self.kernel, self.evidence, self.layers, self.readouts):
            self.column.addWidget(section)
        self.column.addStretch(1)
        self._store = store
        store.changed.connect(self._changed)
        store.told.connect(self._pictured)

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if self._store.opening:
            self.verticalScrollBar().setValue(0)

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        if picture.fit is not None and picture.scene.model.kernel is self._store.scene.model.kernel:
            self.kernel.show_resolved(picture.fit.kernel)
