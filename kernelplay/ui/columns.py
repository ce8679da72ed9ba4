"""Declared values in the windows that write files: names at the left, controls at the right, all equally high."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from kernelplay.figures import Extent, Words
from kernelplay.i18n import Say, verbatim
from kernelplay.spec import Choice, Flag, Param, Real
from kernelplay.ui.controls import Combo, Tick
from kernelplay.ui.labels import Line
from kernelplay.ui.number import NumberField
from kernelplay.ui.sizes import sized
from kernelplay.ui.words import name, tell

FIELD = 84  # pixels of the field of a number


class Columns(QWidget):
    """One row for each value; decides nothing: what a person did goes out with the name of the value, and the owner
    shows what holds."""

    typed = Signal(str, str)  # name, text
    stepped = Signal(str, int)  # name, steps up (+) or down (-)
    chosen = Signal(str, str)  # name, key
    ticked = Signal(str, bool)
    worded = Signal(str, str)  # name, text so far

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        sized(self.grid, "setHorizontalSpacing", 10)
        sized(self.grid, "setVerticalSpacing", 6)
        self.grid.setColumnStretch(1, 1)
        self.labels: list[QLabel] = []
        self.fields: dict[str, NumberField] = {}
        self.combos: dict[str, Combo] = {}
        self.ticks: dict[str, Tick] = {}
        self.lines: dict[str, QLineEdit] = {}
        self._rows: dict[str, tuple[QWidget, ...]] = {}

    def add(self, path: str, param: Param, beside: QWidget | None = None) -> None:
        """Add the control of one declared value, and another one beside a number."""
        if isinstance(param, (Extent, Real)):
            field = NumberField(self, FIELD)
            field.typed.connect(self._typed)
            field.stepped.connect(self._stepped)
            self.fields[path] = field
            if beside is None and isinstance(param, Real) and param.unit:
                beside = Line(verbatim(param.unit), self, look="dim")
            self._add(path, param, field, beside)
        elif isinstance(param, Choice):
            combo = Combo(self)
            combo.set_options(param.options)
            combo.chosen.connect(self._chosen)
            self.combos[path] = combo
            self._add(path, param, combo)
        elif isinstance(param, Flag):
            tick = Tick(param.label, self)
            tick.setObjectName(path)
            name(tick, param.label, param.help)
            tick.ticked.connect(self._ticked)
            self.ticks[path] = tick
            self.add_wide(tick)
            self._rows[path] = (tick,)
        elif isinstance(param, Words):
            text = QLineEdit(self)
            text.textEdited.connect(self._worded)
            self.lines[path] = text
            self._add(path, param, text)

    def _add(self, path: str, param: Param, control: QWidget, beside: QWidget | None = None) -> None:
        control.setObjectName(path)
        name(control, param.label, param.help)
        label = self.add_row(param.label, control, beside)
        self._rows[path] = (label, control) if beside is None else (label, control, beside)

    def add_row(self, sentence: Say, control: QWidget, beside: QWidget | None = None) -> QLabel:
        """Add a control with its name, and another one beside it."""
        label = QLabel(self)
        label.setProperty("look", "key")
        tell(label, "setText", sentence)
        label.setBuddy(control)
        self.labels.append(label)
        row = self.grid.rowCount()
        self.grid.addWidget(label, row, 0)
        if isinstance(control, NumberField):
            line = QHBoxLayout()
            sized(line, "setSpacing", 7)
            line.addWidget(control)
            if beside is not None:
                line.addWidget(beside)
            line.addStretch(1)
            self.grid.addLayout(line, row, 1)
        else:
            self.grid.addWidget(control, row, 1)
        return label

    def add_wide(self, control: QWidget) -> None:
        """Add a control that says itself what it is."""
        self.grid.addWidget(control, self.grid.rowCount(), 0, 1, 2)

    def show_values(self, values: object) -> None:
        """Show the attributes of `values` that have a control; lengths are the business of the owner."""
        for path, combo in self.combos.items():
            combo.show_key(getattr(values, path))
        for path, tick in self.ticks.items():
            tick.show_ticked(getattr(values, path))
        for path, text in self.lines.items():
            if text.text().strip() != getattr(values, path):
                text.setText(getattr(values, path))

    def show_rows(self, shown: Iterable[str]) -> None:
        """Show the rows of these values alone."""
        there = set(shown)
        for path, widgets in self._rows.items():
            for widget in widgets:
                widget.setVisible(path in there)

    @Slot(str)
    def _typed(self, text: str) -> None:
        self.typed.emit(self.sender().objectName(), text)

    @Slot(int, str)
    def _stepped(self, steps: int, gesture: str) -> None:
        self.stepped.emit(self.sender().objectName(), steps)

    @Slot(str)
    def _chosen(self, key: str) -> None:
        self.chosen.emit(self.sender().objectName(), key)

    @Slot(bool)
    def _ticked(self, on: bool) -> None:
        self.ticked.emit(self.sender().objectName(), on)

    @Slot(str)
    def _worded(self, text: str) -> None:
        self.worded.emit(self.sender().objectName(), text)


def align(groups: Iterable[Columns]) -> None:
    """Give all names the room of the widest one, so that the controls of all groups stand under one another."""
    labels = [label for group in groups for label in group.labels]
    widest = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setMinimumWidth(widest)
