"""The form of the Import dialog: how the text is read and where its columns go, made from the declaration."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QFormLayout, QLabel, QSizePolicy, QWidget

from kernelplay.columns import Place, Preview
from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.measures import DATE
from kernelplay.reading import LAST, NOTHING, Reading
from kernelplay.spec import Choice, Flag, Real
from kernelplay.ui.controls import Combo, Tick
from kernelplay.ui.import_rows import place_title
from kernelplay.ui.labels import Note
from kernelplay.ui.number import NumberField, plain
from kernelplay.ui.panels import Panel, Section
from kernelplay.ui.sizes import sized
from kernelplay.ui.words import name, tell

COLUMNS = ("task", "x1", "x2", "target", "date_order", "date_unit", "classes", "positive", "threshold", "units",
           "unusable")
TEXT = ("format", "encoding", "delimiter", "decimal", "thousands", "quote", "comment", "skip", "header")
OFFERED = 300  # columns in a list; the others are chosen in the table
LABELS = 100  # labels in a list
WIDTH = 350


class ImportForm(Panel):
    """Shows a Reading; `edited` tells of another value of one of its parameters, `assigned` of another place of a
    column."""

    edited = Signal(str, object)  # name of the parameter, value
    assigned = Signal(int, str)  # column, place

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("How to read the table"), WIDTH, parent)
        self.combos: dict[str, Combo] = {}
        self.fields: dict[str, NumberField] = {}
        self._labels: dict[str, QLabel] = {}
        self._reading = Reading()
        self.error = Note(None, self, look="bad")
        self.error.hide()
        for title, keys in ((say("Columns"), COLUMNS), (say("Text"), TEXT)):
            section = Section(title, self)
            form = QFormLayout()
            sized(form, "setHorizontalSpacing", 10)
            sized(form, "setVerticalSpacing", 6)
            form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
            section.body.addLayout(form)
            self.column.addWidget(section)
            for key in keys:
                self._add(form, key)
        self.column.addWidget(self.error)
        self.column.addStretch(1)
        self.retranslate()

    def retranslate(self) -> None:
        """Give all names the room of the widest one, so that the controls stand under one another, all of one height;
        an encoding says enough only as a whole."""
        widest = max(label.sizeHint().width() for label in self._labels.values())
        encoding = self.combos["encoding"].sizeHint()
        for label in self._labels.values():
            label.setMinimumSize(widest, encoding.height())
        for field in self.fields.values():
            field.setFixedHeight(encoding.height())
        self.combos["encoding"].setMinimumWidth(encoding.width())

    def _add(self, form: QFormLayout, key: str) -> None:
        param = Reading.params().get(key)
        control: QWidget
        if isinstance(param, Flag):
            self.header = Tick(param.label, self)
            tell(self.header, "setToolTip", param.help)
            self.header.ticked.connect(self._ticked)
            form.addRow(self.header)
            return
        if isinstance(param, Real):
            control = self.fields[key] = NumberField(self, 96)
            control.typed.connect(self._typed)
            control.stepped.connect(self._stepped)
        else:
            control = self.combos[key] = Combo(self)
            control.setObjectName(key)
            control.chosen.connect(self._chosen)
            if isinstance(param, Choice):
                control.set_options([(option, label) for option, label in param.options if key != "task" or option])
        title, about = (param.label, param.help) if param is not None else _TITLES[key]
        name(control, title, about)
        label = self._labels[key] = QLabel(self)
        label.setProperty("look", "key")
        label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        tell(label, "setText", title)
        label.setBuddy(control)
        form.addRow(label, control)
        control.setProperty("form", key)

    def show_reading(self, reading: Reading, seen: Preview, labels: Sequence[str]) -> None:
        """Show `reading`, the columns that can be chosen, and the labels that are there."""
        self._reading = reading
        shown = reading.shown()
        for key, combo in self.combos.items():
            if key in Reading.params():
                combo.show_key(getattr(reading, key))
        for key, field in self.fields.items():
            field.show_value(getattr(reading, key))
        self.header.setChecked(reading.header)
        self.header.setVisible("header" in shown)
        where = {place: column for column, place in seen.places(reading).items()}
        self._show_columns(reading, seen, where)
        # a label that has just been chosen may not have been read yet
        offered = list(labels[:LABELS]) + [reading.positive] * (reading.positive not in labels[:LABELS])
        self.combos["positive"].set_options([(label, verbatim(label)) for label in offered])
        self.combos["positive"].show_key(reading.positive)
        labelled = reading.task == "classification" and reading.target != NOTHING
        visible = {**dict.fromkeys(self._labels, True), **{key: key in shown for key in Reading.params()},
                   "x2": reading.task == "classification", "classes": labelled,
                   **dict.fromkeys(("date_order", "date_unit"), _dated(reading, seen)),
                   "positive": labelled and reading.classes == "rest",
                   "threshold": labelled and reading.classes == "threshold"}
        for key, label in self._labels.items():
            control = self.combos.get(key) or self.fields[key]
            label.setVisible(visible[key])
            control.setVisible(visible[key])

    def _show_columns(self, reading: Reading, seen: Preview, where: dict[Place, int]) -> None:
        last = len(seen.columns) - 1
        every = [(str(column), _column(column, title)) for column, title in enumerate(seen.columns[:OFFERED])]
        numeric = [(key, _input(int(key), seen)) for key, _ in every]
        places: tuple[Place, ...] = ("x1", "x2", "target")
        for place in places:
            combo = self.combos[place]
            numbers_only = place != "target" or reading.task == "regression"
            options = list(numeric if numbers_only else every)
            tell(self._labels[place], "setText", place_title(place, reading))
            now = where.get(place)
            key = str(now) if now is not None else ""
            if place == "target":
                if seen.last is None:
                    options = [*options[:last if reading.format == "svmlight" else None],
                               (str(LAST), say("the last column"))]
                    key = str(LAST) if reading.target == LAST else key
                if reading.task == "classification":
                    options.append((str(NOTHING), say("none: unlabelled points")))
                    key = key if reading.target != NOTHING else str(NOTHING)
            elif reading.format == "svmlight":
                options = numeric[:last]
            if now is not None and now >= OFFERED and key == str(now):
                options.append((key, _column(now, seen.columns[now])))
            combo.set_options(options)
            combo.show_key(key)
            _grey(combo, [str(c) for c, flaw in enumerate(seen.flaws) if flaw in ("text", "empty")] if numbers_only
                  else [])

    @Slot(str)
    def _chosen(self, key: str) -> None:
        combo = self.sender()
        field = str(combo.property("form")) if combo is not None else ""
        if field in ("x1", "x2", "target"):
            self.assigned.emit(int(key), field)
        else:
            self.edited.emit(field, key)

    @Slot(bool)
    def _ticked(self, on: bool) -> None:
        self.edited.emit("header", on)

    @Slot(str)
    def _typed(self, text: str) -> None:
        field = self.sender()
        key = str(field.property("form")) if field is not None else ""
        param = Reading.params()[key]
        try:
            value = param.parse(plain(text), key)
        except SpecError as error:
            self.error.show_sentence(error.shown)
            self.fields[key].restore()
        else:
            self.error.show_sentence(None)
            self.edited.emit(key, value)

    @Slot(int, str)
    def _stepped(self, steps: int, gesture: str) -> None:
        field = self.sender()
        key = str(field.property("form")) if field is not None else ""
        value = getattr(self._reading, key) + steps
        try:
            dataclasses.replace(self._reading, **{key: value})
        except SpecError:  # the end of the range
            return
        self.edited.emit(key, value)


def _column(column: int, title: str) -> Say:
    return say("{n}: {name}", n=column + 1, name=verbatim(title if len(title) <= 40 else title[:39] + "…"))


def _input(column: int, seen: Preview) -> Say:
    """Return a column among those for an input, with the reason where it can be none."""
    title = _column(column, seen.columns[column])
    flaw = seen.flaws[column] if column < len(seen.flaws) else ""
    reasons = {"text": say("{column} – no numbers", column=title), "empty": say("{column} – empty", column=title),
               "constant": say("{column} – constant", column=title)}
    return reasons.get(flaw, title)


def _grey(combo: Combo, keys: Sequence[str]) -> None:
    """Let the choices `keys` be seen but not chosen."""
    model = combo.model()
    if isinstance(model, QStandardItemModel):
        for row in range(combo.count()):
            model.item(row).setEnabled(combo.itemData(row) not in keys or row == combo.currentIndex())


def _dated(reading: Reading, seen: Preview) -> bool:
    """Return whether a column of dates is among the inputs, or the target of a regression."""
    used = [column for column, place in seen.places(reading).items()
            if place != "target" or reading.task == "regression"]
    return any(seen.kinds[column] == DATE for column in used if column < len(seen.kinds))


_TITLES: dict[str, tuple[Say, Say]] = {
    "x1": (verbatim("x₁"), say("Column for the horizontal axis.")),
    "x2": (verbatim("x₂"), say("Column for the vertical axis.")),
    "target": (say("label"), say("Column with the labels or targets.")),
    "positive": (say("Label"), say("This label is one class, all others form the other.")),
}
