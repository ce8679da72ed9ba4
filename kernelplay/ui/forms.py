"""Forms made from declarations (one file: a row for each sort of parameter, and the form that picks among them)."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.spec import Child, Choice, Flag, Matrix, Param, Real, Spec, Text
from kernelplay.ui.controls import Combo, Segmented, Tick
from kernelplay.ui.formula_label import FormulaLine, FormulaNote
from kernelplay.ui.labels import Line, Note
from kernelplay.ui.number import NumberField, Slider, new_gesture, plain
from kernelplay.ui.scale import Scale
from kernelplay.ui.sizes import sized
from kernelplay.ui.words import name, tell

WORDS = {"scale": say("scale"), "free": say("free"), "equal": say("equal"), "model": say("model")}  # for a number


class Row(QWidget):
    """One parameter: its name and symbol, its control, a sentence of help, and the sentence of what was wrong."""

    edited = Signal(object, str)  # value, gesture

    def __init__(self, path: str, param: Param, notes: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path, self.param = path, param
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        sized(self.box, "setSpacing", 2 if notes else 0)
        self.head = QHBoxLayout()
        self.head.setContentsMargins(0, 0, 0, 0)
        sized(self.head, "setSpacing", 5)
        self.label = Line(param.label, self)
        tell(self.label, "hint", self.about())
        self.label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.head.addWidget(self.label)
        if param.symbol:
            symbol = FormulaLine(verbatim(param.symbol), self, look="symbol")
            symbol.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self.head.addWidget(symbol)
        self.head.addStretch(1)
        self.box.addLayout(self.head)
        self.build()
        self.note: Note | None = None
        if notes:
            self.note = FormulaNote(param.help, self)
            self.box.addWidget(self.note)
        self._error: Note | None = None

    def build(self) -> None:
        """Add the control."""
        raise NotImplementedError

    def about(self) -> Say:
        """Return the tooltip."""
        return self.param.help

    def show_value(self, value: Any) -> None:
        """Show `value`; a sentence about a wrong one goes."""
        raise NotImplementedError

    @property
    def error(self) -> Note:
        """The sentence of what was wrong: made when something is, which most rows never see."""
        if self._error is None:
            self._error = Note(None, self, look="bad")
            self._error.hide()
            self.box.addWidget(self._error)
        return self._error

    def complain(self, sentence: Say | None) -> None:
        """Show what was wrong, or nothing."""
        if sentence is not None or self._error is not None:
            self.error.show_sentence(sentence)

    def forget(self) -> None:
        """Forget what was typed and what was wrong with it: another Spec of the kind is shown from now on."""
        self.complain(None)
        self.restore()

    def offer(self, text: str) -> None:
        """Take what was typed: an edit, or a sentence and the old value again."""
        try:
            value = self.param.parse(text, self.path)
        except SpecError as error:
            self.complain(error.shown)
            self.restore()
        else:
            self.complain(None)
            self.edited.emit(value, new_gesture("type"))

    def restore(self) -> None:
        """Show the last value that held."""


class NumberRow(Row):
    """A number: a slider and a field; the words allowed instead of it are buttons between them."""

    param: Real

    def build(self) -> None:
        self.scale = Scale(self.param)
        self._value: float | int | str = self.param.default
        self._resolved: float | None = None
        self.words: dict[str, QToolButton] = {}
        for word in self.param.words:
            button = QToolButton(self)
            button.setProperty("look", "chip")
            button.setCheckable(True)
            tell(button, "setText", WORDS.get(word, verbatim(word)))
            name(button, say("Take {name} from the data: {word}", name=self.param.label,
                             word=WORDS.get(word, verbatim(word))),
                 say("Computes the value from the spread of the data; the number beside it is the result."))
            button.clicked.connect(self._word)
            self.words[word] = button
            self.head.addWidget(button)
        self.field = NumberField(self)
        self.slider = Slider(self)
        self.slider.setObjectName(self.path)
        name(self.field, say("{name}, value", name=self.param.label), self.about())
        name(self.slider, self.param.label, self.about())
        self.field.typed.connect(self.offer)
        self.field.stepped.connect(self._step)
        self.slider.moved.connect(self._slide)
        self.slider.reset.connect(self._reset)
        self.slider.sliderReleased.connect(self._show)
        self.head.addWidget(self.field)
        if self.param.unit:
            self.head.addWidget(Line(verbatim(self.param.unit), self, look="dim"))
        self.box.addWidget(self.slider)

    def about(self) -> Say:
        default: Any = self.param.default
        return say(
            "{help} Slider range: {low} to {high}; typed values may go beyond. Double-click resets to {default}.",
            help=self.param.help,
            low=float(self.param.low),
            high=float(self.param.high),
            default=verbatim(default) if isinstance(default, str) else float(default),
        )

    @Slot(str)
    def offer(self, text: str) -> None:
        """Take what was typed, with either decimal mark; what is wrong is said of the text as it was typed."""
        try:
            value = self.param.parse(plain(text), self.path)
        except SpecError:
            self.complain(self.param.wrong(text.replace("-", "−"), self.param.remedy(), self.path).shown)
            self.restore()
        else:
            self.complain(None)
            self.edited.emit(value, new_gesture("type"))

    @property
    def number(self) -> float | None:
        """The number that holds: the value, or what its word stands for once that is known."""
        return self._resolved if isinstance(self._value, str) else self._value

    def show_value(self, value: Any) -> None:
        if value != self._value:
            self.complain(None)
        self._value = value
        for word, button in self.words.items():
            button.setChecked(value == word)
        self._show()

    def show_resolved(self, number: float) -> None:
        """Show the number that the word in use stands for."""
        self._resolved = number
        if isinstance(self._value, str):
            self._show()

    def restore(self) -> None:
        self.field.restore()

    @Slot()
    def _show(self) -> None:
        number = self.number
        if number is None:
            return
        self.field.show_value(number)
        if not self.slider.isSliderDown():  # what is under the hand keeps its scale
            self.scale.follow(number)
        default = self.param.default
        tell(self.slider, "setAccessibleName", say("{label}: {value}", label=self.param.label, value=float(number)))
        tick = None if isinstance(default, str) else self.scale.place(default)
        self.slider.show_place(self.scale.place(number), self.scale.places, tick)

    @Slot(int, str)
    def _slide(self, place: int, gesture: str) -> None:
        value = self.scale.value(place)
        if value != self._value:
            self.edited.emit(value, gesture)

    @Slot(int, str)
    def _step(self, steps: int, gesture: str) -> None:
        if self.number is None:
            return
        value = self.scale.stepped(self.number, steps)
        try:
            self.edited.emit(self.param.check(value, self.path), gesture)
        except SpecError as error:
            self.complain(error.shown)

    @Slot(str)
    def _reset(self, gesture: str) -> None:
        self.edited.emit(self.param.default, gesture)

    @Slot()
    def _word(self) -> None:
        button = self.sender()
        word = next(word for word, other in self.words.items() if other is button)
        if self._value != word:
            self.edited.emit(word, "")
        elif self._resolved is not None:
            self.edited.emit(float(f"{self._resolved:.3g}"), "")


class ChoiceRow(Row):
    """One of some words: side by side when there are two, else a list that opens."""

    param: Choice

    def build(self) -> None:
        self.control: Combo | Segmented
        if len(self.param.options) == 2 and all(len(sentence.template) <= 12 for _, sentence in self.param.options):
            self.control = Segmented(self.param.options, self.param.label, self)
        else:
            self.control = Combo(self)
            self.control.set_options(self.param.options)
            name(self.control, self.param.label, self.param.help)
        self.control.chosen.connect(self._chosen)
        self.box.addSpacing(2)
        self.box.addWidget(self.control)

    def show_value(self, value: Any) -> None:
        self.complain(None)
        self.control.show_key(value)

    @Slot(str)
    def _chosen(self, key: str) -> None:
        self.edited.emit(key, "")


class FlagRow(Row):
    """Yes or no."""

    def build(self) -> None:
        self.label.hide()
        self.control = Tick(self.param.label, self)
        self.control.ticked.connect(self._ticked)
        self.head.insertWidget(0, self.control)

    def show_value(self, value: Any) -> None:
        self.complain(None)
        self.control.show_ticked(value)

    @Slot(bool)
    def _ticked(self, on: bool) -> None:
        self.edited.emit(on, "")


class MatrixRow(Row):
    """A symmetric matrix, typed row by row: "2 1; 1 3". Empty stands for the identity."""

    def build(self) -> None:
        self._shown = ""
        self.control = QLineEdit(self)
        tell(self.control, "setPlaceholderText", say("identity or {example}", example="2 1; 1 3"))
        name(self.control, self.param.label, self.param.help)
        self.control.editingFinished.connect(self._commit)
        self.box.addWidget(self.control)

    def show_value(self, value: Any) -> None:
        self.complain(None)
        self._shown = "; ".join(" ".join(f"{cell:g}" for cell in row) for row in value)
        self.restore()

    def restore(self) -> None:
        self.control.setText(self._shown)

    @Slot()
    def _commit(self) -> None:
        text = self.control.text().replace("−", "-").strip()
        if text == self._shown:
            return
        if text.startswith("["):
            self.offer(text)
            return
        rows = [row.replace(",", " ").split() for row in text.split(";") if row.strip()]
        try:
            self.offer(json.dumps([[float(cell) for cell in row] for row in rows]))
        except ValueError:
            self.offer(text)


class TextRow(Row):
    """A line of text, taken letter by letter. While it cannot be read it stays as it was typed, with the reason below,
    and the last one that could is the one that holds."""

    param: Text

    def build(self) -> None:
        self._value: str = self.param.default
        self._gesture = ""
        self.control = QLineEdit(self._value, self)
        self.control.setMaxLength(self.param.longest)
        name(self.control, self.param.label, self.param.help)
        self.control.textEdited.connect(self._typed)
        self.control.editingFinished.connect(self._finish)
        self.box.addSpacing(2)
        self.box.addWidget(self.control)

    def show_value(self, value: Any) -> None:
        if value != self._value:
            self.complain(None)
            self._value = value
            self.restore()

    def restore(self) -> None:
        self._gesture = ""
        if self.control.text() != self._value:
            self.control.setText(self._value)
            self.control.setCursorPosition(0)

    @Slot(str)
    def _typed(self, text: str) -> None:
        try:
            value = self.param.parse(text, self.path)
        except SpecError as error:
            self.complain(error.shown)
            return
        self.complain(None)
        if value != self._value:
            self._value = value
            self._gesture = self._gesture or new_gesture("type")
            self.edited.emit(value, self._gesture)

    @Slot()
    def _finish(self) -> None:
        self._gesture = ""


def row_for(path: str, param: Param, notes: bool, parent: QWidget) -> Row:
    """Return the row of one declared parameter."""
    if isinstance(param, Real):
        return NumberRow(path, param, notes, parent)
    if isinstance(param, Choice):
        return ChoiceRow(path, param, notes, parent)
    if isinstance(param, Flag):
        return FlagRow(path, param, notes, parent)
    if isinstance(param, Matrix):
        return MatrixRow(path, param, notes, parent)
    if isinstance(param, Text):
        return TextRow(path, param, notes, parent)
    raise TypeError(f"no row for {param!r}")


class Form(QWidget):
    """The rows of one kind of Spec. It shows what it is given and tells what a person did, no more."""

    edited = Signal(str, object, str)  # name of the parameter, value, gesture

    def __init__(self, cls: type[Spec], notes: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cls = cls
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        sized(box, "setSpacing", 9 if notes else 4)
        box.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.rows: dict[str, Row] = {}
        self._out: frozenset[str] = frozenset()  # rows that do not matter now
        for path, param in cls.params().items():
            if isinstance(param, Child):
                continue
            row = row_for(path, param, notes, self)
            row.edited.connect(self._edited)
            self.rows[path] = row
            box.addWidget(row)

    def show_spec(self, spec: Spec) -> None:
        """Show the values of `spec`, touching only the rows where something changed."""
        shown = spec.shown()
        for path, row in self.rows.items():
            row.show_value(getattr(spec, path))
            if (path in self._out) == (path in shown):
                self._out ^= {path}
                row.forget()  # hiding what has the keys would take what is being typed
                row.setVisible(path in shown)
        self.setVisible(any(path in shown for path in self.rows))

    def forget(self) -> None:
        """Forget what was typed and what was wrong with it: another Spec of the kind is shown from now on."""
        for row in self.rows.values():
            row.forget()

    def stops(self) -> list[QWidget]:
        """Return what Tab goes through, in order."""
        return [each for each in self.findChildren(QWidget) if each.focusPolicy() & Qt.FocusPolicy.TabFocus
                and each.window() is self.window()]  # the list of a choice is a window of its own

    def show_resolved(self, bound: Spec) -> None:
        """Show the numbers that words stand for, taken from `bound`, the same Spec with everything filled in."""
        for path, row in self.rows.items():
            if isinstance(row, NumberRow) and row.words:
                value = getattr(bound, path)
                if not isinstance(value, str):
                    row.show_resolved(float(value))

    def complain(self, path: str, sentence: Say) -> None:
        """Show at the parameter `path` what was wrong with it."""
        if path in self.rows:
            self.rows[path].complain(sentence)

    @Slot(object, str)
    def _edited(self, value: object, gesture: str) -> None:
        row = self.sender()
        if isinstance(row, Row):
            self.edited.emit(row.path, value, gesture)
