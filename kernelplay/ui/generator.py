"""Generated points: a data set, its parameters, and points drawn from it."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from kernelplay.datasets.base import Dataset, Sample
from kernelplay.errors import FitError, SpecError
from kernelplay.i18n import Say, say
from kernelplay.scene import Points, Scene, another_name, data_view
from kernelplay.spec import Real, kinds
from kernelplay.ui.controls import Combo, Push
from kernelplay.ui.exchange import in_sight
from kernelplay.ui.forms import Form
from kernelplay.ui.labels import Note
from kernelplay.ui.number import new_gesture
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme, icon
from kernelplay.ui.words import name, tell


class Generator(Section):
    """Data sets of the current task, with their parameters; while the points are still those that were generated, its
    controls draw them anew."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(say("Generate"), parent)
        self._store, self._theme = store, theme
        self._made: Points | None = None
        self._drawn: WeakKeyDictionary[Points, Dataset] = WeakKeyDictionary()  # what drew the points of a step
        self._specs: dict[str, Dataset] = {}
        self._last: dict[str, str] = {}  # by task: the data set that was chosen
        self._form: Form | None = None
        self._wrong = ""  # the parameter at which the last draw was refused
        self.combo = Combo(self)
        self.combo.chosen.connect(self.choose)
        name(self.combo, say("Data set"), say("A family of points to draw."))
        self.body.addWidget(self.combo)
        self.source = Note(None, self)
        self.body.addWidget(self.source)
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
        self.notes = Note(None, self)
        self.notes.hide()
        self.body.addWidget(self.notes)
        store.changed.connect(self._changed)
        self._show()

    @property
    def form(self) -> Form:
        """The form of the chosen data set."""
        assert self._form is not None
        return self._form

    @property
    def data(self) -> Dataset:
        """The chosen data set, as it is set now."""
        return self._specs[self.combo.key]

    def set_theme(self, theme: Theme) -> None:
        """Show the dice in the colours of `theme`."""
        self._theme = theme
        self.dice.setIcon(icon("dice", theme))

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        drawn = self._drawn.get(new.points)
        if drawn is not None and new.points is not self._made:  # back by undo or redo, and the form with them
            self._made = new.points
            self._specs[drawn.key] = drawn
            self._last[new.task] = drawn.key
            self._show()
        elif old.task != new.task:
            self._show()
        elif old.model is not new.model:
            self.form.show_resolved(self.data.bind(self._seen()))
        if new.points is not self._made:
            self.notes.show_sentence(None)

    def _show(self) -> None:
        task = self._store.scene.task
        offered = {key: cls for key, cls in kinds("dataset").items() if cls.task == task}
        self.combo.set_options([(key, cls.label) for key, cls in offered.items()])
        key = self._last.get(task) or next(iter(offered))
        self.combo.show_key(key)
        tell(self.combo, "setToolTip", offered[key].about)
        self.source.show_sentence(offered[key].source)
        spec = self._specs.setdefault(key, offered[key]())
        if self._form is None or self._form.cls is not type(spec):
            if self._form is not None:
                self._form.hide()
                self._form.deleteLater()
            self._form = Form(type(spec), notes=False, parent=self)
            self._form.edited.connect(self._edited)
            self._place.addWidget(self._form)
            self._add_dice()
            self._order_keys()
        self._form.show_spec(spec)
        self._refuse(None)
        self.notes.show_sentence(None)
        if any(param.words for param in spec.params().values() if isinstance(param, Real)):
            try:
                self._form.show_resolved(spec.bind(self._seen()).sample().data)
            except (FitError, SpecError):  # said when the points are asked for
                return

    def _add_dice(self) -> None:
        row = self.form.rows["seed"]
        self.dice = QToolButton(row)
        self.dice.setProperty("look", "chip")
        self.dice.setIconSize(QSize(16, 16))
        self.dice.setIcon(icon("dice", self._theme))
        name(self.dice, say("Another seed"), say("Throws the dice: draws other points of the same kind."))
        self.dice.clicked.connect(self._throw)
        row.head.insertWidget(row.head.count() - 1, self.dice)

    def _order_keys(self) -> None:
        """Let Tab go as the eye does: the data set, its parameters, then the buttons below them."""
        inside = [each for each in self.form.findChildren(QWidget)
                  if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each is not self.dice
                  and each.window() is self.window()]  # the list of a choice is a window of its own
        for before, after in pairwise((self.combo, *inside, self.dice, self.replace, self.add)):
            QWidget.setTabOrder(before, after)

    @Slot(str)
    def choose(self, key: str) -> None:
        """Take the data set `key`; nothing is drawn yet."""
        self._last[self._store.scene.task] = key
        self._show()

    @Slot()
    def _throw(self) -> None:
        other = int(np.random.default_rng().integers(0, 99))
        self._edited("seed", other if other < self.data.seed else other + 1, new_gesture("dice"))

    @Slot(str, object, str)
    def _edited(self, path: str, value: object, gesture: str) -> None:
        key = self.combo.key
        try:
            self._specs[key] = self._specs[key].replace(path, value)
        except SpecError as error:
            self.form.complain(path, error.shown)
            self.notes.show_sentence(None)  # of the draw before
            return
        self.form.show_spec(self._specs[key])
        if self._store.scene.points is self._made:
            self._put(gesture)

    @Slot()
    def _replace(self) -> None:
        self._put("")

    def _seen(self) -> Scene:
        """Return the scene with the view that the canvas has."""
        scene = self._store.scene
        return scene if self._store.shown is None else scene.with_view(self._store.shown)

    def _sees(self, points: Points) -> bool:
        """Whether all of `points` are in sight."""
        x0, x1, y0, y1 = self._store.shown or data_view(self._store.scene)
        return bool(((points.xy >= [x0, y0]) & (points.xy <= [x1, y1])).all())

    def _draw(self) -> Sample | None:
        """Return points as the form asks for them; None after a sentence at the parameter that forbids them."""
        try:
            sample = self.data.bind(self._seen()).sample()
        except (FitError, SpecError) as error:
            self._refuse(error)
            return None
        self._refuse(None)
        self.form.show_resolved(sample.data)
        return sample

    def _refuse(self, error: FitError | SpecError | None) -> None:
        if self._wrong in self.form.rows:
            self.form.rows[self._wrong].complain(None)
        self._wrong = getattr(error, "path", "")
        at_row = self._wrong in self.form.rows
        if error is not None and at_row:
            self.form.complain(self._wrong, error.shown)
        self.error.show_sentence(error.sentence if error is not None and not at_row else None)
        if error is not None:
            self.notes.show_sentence(None)  # of the draw before

    def _put(self, gesture: str) -> None:
        sample = self._draw()
        if sample is None:
            return
        scene = sample.data.put(sample.points, self._store.scene)
        if gesture:  # while a slider is moved the view stays, so that the points are seen to move
            scene = dataclasses.replace(scene, views=self._store.scene.views)
        if scene.view is None or (gesture.startswith("type") and not self._sees(sample.points)):
            scene = scene.with_view(data_view(scene))
        self._made = scene.points
        self._drawn[scene.points] = self.data
        self._store.select(frozenset())
        self._store.edit(scene, say("Generate points"), gesture)
        self._store.use_class(min(self._store.current_class, len(scene.classes) - 1))
        self.notes.show_sentence(_together(sample.notes))

    @Slot()
    def _add(self) -> None:
        sample = self._draw()
        if sample is None:
            return
        from kernelplay.arrival import joined

        data, new, scene = sample.data, sample.points, self._store.scene
        scene = in_sight(self._store, scene.with_points(joined(scene.points, new)), new)
        for title in data.classes[len(scene.classes):]:
            scene = dataclasses.replace(scene, classes=(*scene.classes, another_name(scene.classes, title)))
        self._store.edit(scene, say("Add generated points"))
        self.notes.show_sentence(_together(sample.notes))


def _together(notes: tuple[Say, ...]) -> Say | None:
    """Return the sentences as one text, or None."""
    if not notes:
        return None
    sentence, *more = notes
    for note in more:
        sentence = say("{sentence} {more}", sentence=sentence, more=note)
    return sentence
