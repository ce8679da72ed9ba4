"""The Model panel: the model, its formula and parameters, its kernel, the layers, the readouts."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import say, verbatim
from kernelplay.marks import Picture
from kernelplay.models.base import Model
from kernelplay.scene import Scene
from kernelplay.spec import kinds
from kernelplay.ui.controls import Combo
from kernelplay.ui.evidence_panel import EvidencePanel
from kernelplay.ui.forms import Form
from kernelplay.ui.kernel_panel import KernelPanel
from kernelplay.ui.layer_panel import LayerPanel
from kernelplay.ui.optimiser import Optimiser
from kernelplay.ui.panels import Panel, Section
from kernelplay.ui.readout import Readouts
from kernelplay.ui.store import Store
from kernelplay.ui.theme import math_font
from kernelplay.ui.words import name, tell


class Formula(QFrame):
    """The problem that is solved, in a card; long lines are broken where the formula has a comma and two spaces."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self.setProperty("look", "card")
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.label.setSizePolicy(policy)
        box = QVBoxLayout(self)
        box.setContentsMargins(6, 7, 6, 7)
        box.addWidget(self.label)
        name(self, say("Formula"))

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show the formula."""
        if lines != self._lines:
            self._lines = lines
            self._break()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines for the new width."""
        super().resizeEvent(event)
        self._break()

    def _break(self) -> None:
        room = self.width() - 20
        large, small = QFontMetrics(math_font(14)), QFontMetrics(math_font(12))
        whole = all(large.horizontalAdvance(line) <= room for line in self._lines)
        shown = list(self._lines) if whole else [part for line in self._lines for part in packed(line, small, room)]
        self.label.setFont(math_font(14 if whole else 12))
        text = verbatim("\n".join(shown))
        tell(self.label, "setText", text)
        tell(self.label, "setAccessibleName", text)


def packed(line: str, metrics: QFontMetrics, room: int) -> list[str]:
    """Return the parts of a formula on as few lines as have room for them."""
    lines: list[str] = []
    for part in line.split(",  "):
        longer = f"{lines[-1]},  {part}" if lines else part
        if lines and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


class ModelSection(Section):
    """Which model, the problem it solves, and its hyperparameters."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Model"), parent)
        self._store = store
        self.combo = Combo(self)
        self.combo.setProperty("look", "strong")
        self.combo.set_options([(key, cls.label) for key, cls in kinds("model").items()])
        self.combo.chosen.connect(self._chosen)
        name(self.combo, say("Model"), say("Which model is fitted to the points."))
        self.formula = Formula(self)
        self.form: Form | None = None
        self.body.addWidget(self.combo)
        self.body.addWidget(self.formula)
        self.body.addSpacing(2)
        store.changed.connect(self._changed)
        self._show(store.scene.model)

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if old.model is not new.model:
            self._show(new.model)

    def _show(self, model: Model) -> None:
        self.combo.show_key(type(model).key)
        tell(self.combo, "setToolTip", model.about)
        self.formula.show_lines(model.formula)
        if self.form is None or self.form.cls is not type(model):
            if self.form is not None:
                self.form.hide()
                self.form.deleteLater()
            self.form = Form(type(model), parent=self)
            self.form.edited.connect(self._edited)
            self.body.addWidget(self.form)
        self.form.show_spec(model)

    @Slot(str)
    def _chosen(self, key: str) -> None:
        choose_model(self._store, key)

    @Slot(str, object, str)
    def _edited(self, path: str, value: object, gesture: str) -> None:
        assert self.form is not None
        scene = self._store.scene
        label = say("Change {name}", name=type(scene.model).params()[path].label)
        try:
            changed = scene.with_value(path, value)
        except SpecError as error:
            self.form.complain(path, error.shown)
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
        store.told.connect(self._pictured)

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        if picture.fit is not None and self.model.form is not None and self.model.form.cls is type(picture.fit.model):
            self.kernel.show_resolved(picture.fit.kernel)
