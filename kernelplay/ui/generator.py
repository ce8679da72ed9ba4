"""Generated points: a data set, its parameters, and points drawn from it."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kernelplay.datasets.base import Dataset
from kernelplay.errors import FitError, SpecError
from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.spec import kinds
from kernelplay.ui.controls import Combo, Push
from kernelplay.ui.exchange import in_sight, joined
from kernelplay.ui.forms import Form
from kernelplay.ui.labels import Note
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.words import name


class Generator(Section):
    """Data sets of the current task, with their parameters; while the points are still those that were generated, its
    sliders draw them anew."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Generate"), parent)
        self._store = store
        self._made: Points | None = None
        self._specs: dict[str, Dataset] = {}
        self._last: dict[str, str] = {}  # by task: the data set that was chosen
        self._form: Form | None = None
        self.combo = Combo(self)
        self.combo.chosen.connect(self.choose)
        name(self.combo, say("Data set"), say("A family of points to draw."))
        self.body.addWidget(self.combo)
        self._place = QVBoxLayout()
        self.body.addLayout(self._place)
        self.replace = Push(
            say("Replace points"), self, about=say("Draws these points in place of those on the canvas.")
        )
        self.add = Push(say("Add"), self, look="", about=say("Draws these points beside those on the canvas."))
        self.add.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.replace.clicked.connect(self._replace)
        self.add.clicked.connect(self._add)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.replace, 1)
        buttons.addWidget(self.add)
        self.body.addSpacing(2)
        self.body.addLayout(buttons)
        self.error = Note(None, self, look="bad")
        self.error.hide()
        self.body.addWidget(self.error)
        store.changed.connect(self._changed)
        self._show()

    @property
    def form(self) -> Form:
        """The form of the chosen data set."""
        assert self._form is not None
        return self._form

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if old.task != new.task:
            self._show()

    def _show(self) -> None:
        task = self._store.scene.task
        offered = {key: cls for key, cls in kinds("dataset").items() if cls.task == task}
        self.combo.set_options([(key, cls.label) for key, cls in offered.items()])
        key = self._last.get(task) or next(iter(offered))
        self.combo.show_key(key)
        self.combo.setToolTip(str(offered[key].about))
        spec = self._specs.setdefault(key, offered[key]())
        if self._form is None or self._form.cls is not type(spec):
            if self._form is not None:
                self._form.hide()
                self._form.deleteLater()
            self._form = Form(type(spec), notes=False, parent=self)
            self._form.edited.connect(self._edited)
            self._place.addWidget(self._form)
        self._form.show_spec(spec)

    @Slot(str)
    def choose(self, key: str) -> None:
        """Take the data set `key`; nothing is drawn yet."""
        self._last[self._store.scene.task] = key
        self._show()

    @Slot(str, object, str)
    def _edited(self, path: str, value: object, gesture: str) -> None:
        key = self.combo.key
        try:
            self._specs[key] = self._specs[key].replace(path, value)
        except SpecError as error:
            self.form.complain(path, error.sentence)
            return
        self.form.show_spec(self._specs[key])
        if self._store.scene.points is self._made:
            self._put(gesture)

    @Slot()
    def _replace(self) -> None:
        self._put("")

    def _put(self, gesture: str) -> None:
        spec = self._specs[self.combo.key]
        try:
            scene = spec.into(self._store.scene)
        except (FitError, SpecError) as error:
            self.error.show_sentence(error.sentence)
            return
        self.error.show_sentence(None)
        if gesture:  # while a slider is moved the view stays, so that the points are seen to move
            scene = dataclasses.replace(scene, views=self._store.scene.views)
        self._made = scene.points
        self._store.select(frozenset())
        self._store.edit(scene, say("Generate points"), gesture)
        self._store.use_class(min(self._store.current_class, len(scene.classes) - 1))

    @Slot()
    def _add(self) -> None:
        spec, scene = self._specs[self.combo.key], self._store.scene
        new = spec.make()
        scene = in_sight(self._store, scene.with_points(joined(scene.points, new)), new)
        if len(spec.classes) > len(scene.classes):
            scene = dataclasses.replace(scene, classes=(*scene.classes, *spec.classes[len(scene.classes):]))
        self._store.edit(scene, say("Add generated points"))
