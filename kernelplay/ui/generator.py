"""Generated points: a data set, its parameters, and points drawn from it."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QSettings, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from kernelplay.datasets.base import Dataset, Sample
from kernelplay.errors import FitError, SpecError
from kernelplay.i18n import Say, say
from kernelplay.scene import Points, Scene, another_name, data_view
from kernelplay.spec import Real, kinds
from kernelplay.ui.controls import Combo, Push
from kernelplay.ui.exchange import in_sight
from kernelplay.ui.follower import Follower
from kernelplay.ui.forms import Form, Row
from kernelplay.ui.kept import keep, keep_spec, kept_key, kept_spec, kept_switch
from kernelplay.ui.labels import Note
from kernelplay.ui.number import new_gesture
from kernelplay.ui.panels import Fold, Section
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme, icon
from kernelplay.ui.words import name, tell


class Parameters(Fold):
    """The line over the parameters, which folds them away; written like what it stands among."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(say("Parameters"), parent)
        self.setChecked(False)

    def retranslate(self) -> None:
        """Take the font of the panel."""
        self.setFont(QFont())


class Generator(Section):
    """Data sets of the current task, with their parameters; while the points are still those that were generated, its
    controls draw them anew. The parameters are folded until they are asked for, and then for good: the table of points
    is to be in sight."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(say("Generate"), parent)
        self._store, self._theme = store, theme
        self._made: Points | None = None
        self._drawn: WeakKeyDictionary[Points, Dataset] = WeakKeyDictionary()  # what drew the points of a step
        self._specs: dict[str, Dataset] = {}
        self._last: dict[str, str] = {}  # by task: the data set that was chosen
        self._form: Form | None = None
        self._dice: QToolButton | None = None
        self._found: tuple[Dataset, Dataset] | None = None  # what was drawn last, and with what words stood for
        self._wrong = ""  # the parameter at which the last draw was refused
        self.combo = Combo(self)
        self.combo.chosen.connect(self.choose)
        name(self.combo, say("Dataset"), say("Type of dataset to generate."))
        self.body.addWidget(self.combo)
        self.source = Note(None, self)
        self.body.addWidget(self.source)
        self.fold = Parameters(self)
        self.body.addWidget(self.fold)
        self._inside = QWidget(self.content)
        self._place = QVBoxLayout(self._inside)
        self._place.setContentsMargins(0, 0, 0, 0)
        self._inside.hide()
        self.body.addWidget(self._inside)
        self.fold.toggled.connect(self._folded)
        self._follower = Follower(self._inside)
        self._follower.due.connect(self._show_form)
        self.replace = Push(
            say("Replace points"), self, about=say("Replace the points on the canvas with these.")
        )
        self.add = Push(say("Add"), self, look="", about=say("Add these points to those on the canvas."))
        self.add.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.replace.clicked.connect(self._replace)
        self.add.clicked.connect(self._add)
        buttons = QHBoxLayout()
        sized(buttons, "setSpacing", 6)
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

    def recall(self) -> None:
        """Take the data sets and their parameters as they were left."""
        settings, families = QSettings(), kinds("dataset")
        self._specs |= {key: kept_spec(f"data/{key}", cls()) for key, cls in families.items()
                        if settings.contains(f"data/{key}")}
        self._last |= {task: kept_key(f"data/{task}", *(key for key, cls in families.items() if cls.task == task))
                       for task in ("classification", "regression") if settings.contains(f"data/{task}")}
        if self._specs or self._last:
            self._show()
        self.fold.setChecked(kept_switch("data/parameters", False))

    def keep(self) -> None:
        """Leave the data sets and their parameters for the next session."""
        for key, spec in self._specs.items():
            keep_spec(f"data/{key}", spec)
        for task, key in self._last.items():
            keep(f"data/{task}", key)
        keep("data/parameters", self.fold.isChecked())

    @property
    def form(self) -> Form:
        """The form of the chosen data set."""
        self._follower.now()
        assert self._form is not None
        return self._form

    @property
    def dice(self) -> QToolButton:
        """The button of another seed, in the form."""
        assert self.form.rows and self._dice is not None
        return self._dice

    @property
    def _rows(self) -> dict[str, Row]:
        """The rows of the form, if it is made and shows the chosen data set."""
        return {} if self._form is None or self._follower.late else self._form.rows

    @property
    def data(self) -> Dataset:
        """The chosen data set, as it is set now."""
        return self._specs[self.combo.key]

    def set_theme(self, theme: Theme) -> None:
        """Show the dice in the colours of `theme`."""
        self._theme = theme
        if self._dice is not None:
            self._dice.setIcon(icon("dice", theme))

    @Slot(bool)
    def _folded(self, unfolded: bool) -> None:
        self._inside.setVisible(unfolded)
        self._refuse(None)  # the sentence would stand where it is not seen

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
        elif old.model is not new.model and self._rows:
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
        self._specs.setdefault(key, offered[key]())
        self._follower.ask()
        self._refuse(None)
        self.notes.show_sentence(None)

    @Slot()
    def _show_form(self) -> None:
        spec = self.data
        if self._form is None or self._form.cls is not type(spec):
            if self._form is not None:
                self._form.forget()  # what is being typed was meant for that data set
                keys = self.window().focusWidget()
                if keys is not None and self._form.isAncestorOf(keys):
                    self.combo.setFocus()
                self._form.hide()
                self._form.deleteLater()
            self._form = Form(type(spec), notes=False, parent=self)
            self._form.edited.connect(self._edited)
            self._place.addWidget(self._form)
            self._dice = self._add_dice(self._form)
            self._order_keys(self._form, self._dice)
            self._follower.rest()
        self._form.show_spec(spec)
        if self._found is not None and self._found[0] is spec:
            self._form.show_resolved(self._found[1])
        elif any(param.words for param in spec.params().values() if isinstance(param, Real)):
            try:
                self._form.show_resolved(spec.bind(self._seen()).sample().data)
            except (FitError, SpecError):  # said when the points are asked for
                return

    def _add_dice(self, form: Form) -> QToolButton:
        row = form.rows["seed"]
        dice = QToolButton(row)
        dice.setProperty("look", "chip")
        sized(dice, "setIconSize", 16, 16)
        dice.setIcon(icon("dice", self._theme))
        name(dice, say("New seed"), say("Rolls the dice: draws new points from the same distribution."))
        dice.clicked.connect(self._throw)
        row.head.insertWidget(row.head.count() - 1, dice)
        return dice

    def _order_keys(self, form: Form, dice: QToolButton) -> None:
        """Let Tab go as the eye does: the data set, its parameters, then the buttons below them."""
        inside = [each for each in form.stops() if each is not dice]
        for before, after in pairwise((self.combo, self.fold, *inside, dice, self.replace, self.add)):
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
        form, key = self._form, self.combo.key
        if self.form is not form:
            return  # of a data set that is chosen no more
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
        self._found = (self.data, sample.data)
        if self._rows:
            self.form.show_resolved(sample.data)
        return sample

    def _refuse(self, error: FitError | SpecError | None) -> None:
        rows = self._rows
        if self._wrong in rows:
            rows[self._wrong].complain(None)
        self._wrong = getattr(error, "path", "")
        at_row = self._wrong in rows and self.fold.isChecked()
        if error is not None and at_row:
            self.form.complain(self._wrong, error.shown)
        self.error.show_sentence(error.sentence if error is not None and not at_row else None)
        if error is not None:
            self.notes.show_sentence(None)  # of the draw before

    def _put(self, gesture: str) -> None:
        sample = self._draw()
        if sample is None:
            return
        before = self._store.scene
        scene = sample.data.put(sample.points, before)
        if before.points is self._made and len(scene.classes) == len(before.classes):  # drawn anew: the same classes
            scene = dataclasses.replace(scene, classes=before.classes, looks=before.looks)
        if gesture:  # while a slider is moved the view stays, so that the points are seen to move
            scene = dataclasses.replace(scene, views=self._store.scene.views)
        if scene.view is None or (gesture.startswith("type") and not self._sees(sample.points)):
            scene = scene.with_view(data_view(scene))
        self._made = scene.points
        self._drawn[scene.points] = self.data
        self._store.select(frozenset())
        self._store.edit(scene, say("Generate points"), gesture, fresh=not gesture)
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
