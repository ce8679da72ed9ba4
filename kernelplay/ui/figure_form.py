"""The form of a figure, made from its declaration: one control for each value, in groups that fold."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from kernelplay.errors import SpecError
from kernelplay.figures import OFFERED, PRESETS, UNITS, Extent, Figure, Length, Preset
from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Layer
from kernelplay.spec import Real
from kernelplay.ui.columns import Columns, align
from kernelplay.ui.controls import Combo, Tick
from kernelplay.ui.layer_panel import LAYERS
from kernelplay.ui.number import NumberField, plain
from kernelplay.ui.panels import Section
from kernelplay.ui.sizes import sized
from kernelplay.ui.words import name, tell

GROUPS: tuple[tuple[Say, tuple[str, ...]], ...] = (
    (say("Size"), ("width", "height", "dpi")),
    (say("Appearance"), ("theme", "transparent", "font", "font_size", "line_scale", "text")),
    (say("Text"), ("heading", "title", "axes", "x_label", "y_label")),
    (say("Contents"), ("legend", "colour_bar")),
)
OWN = "own"  # the key of a size that is no preset
STEPS = {"mm": 1.0, "in": 0.05, "px": 10.0}  # what an arrow key changes a length by


class FigureForm(QWidget):
    """Shows a Figure and tells what a person made of it; values that are wrong are told as a sentence."""

    edited = Signal(object)  # Figure
    refused = Signal(object)  # Say

    def __init__(self, window: Preset, layers: Sequence[Layer], hidden: frozenset[Layer], parent: QWidget) -> None:
        super().__init__(parent)
        self.figure = Figure()
        self.presets = {**PRESETS, "window": window}
        self._hidden = hidden  # in the document
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        sized(self._column, "setSpacing", 10)
        self._groups: list[Columns] = []
        self.fields: dict[str, NumberField] = {}
        self.combos: dict[str, Combo] = {}
        self.ticks: dict[str, Tick] = {}
        self.lines: dict[str, QLineEdit] = {}
        self.layers: dict[Layer, Tick] = {}
        self.preset = Combo(self)
        name(self.preset, say("Preset"), say("Sets size, font size, resolution and theme for a purpose."))
        self.preset.chosen.connect(self._take_preset)
        self.unit = unit_combo(self)
        self.unit.chosen.connect(self._take_unit)
        for title, names in GROUPS:
            section = Section(title, self)
            columns = Columns(self)
            section.body.addWidget(columns)
            if "width" in names:
                columns.add_row(say("Preset"), self.preset)
            for each in names:
                columns.add(each, Figure.params()[each], self.unit if each == "width" else None)
            if "legend" in names:
                self._add_layers(section.body, layers)
            for signal, slot in ((columns.typed, self._typed), (columns.stepped, self._stepped),
                                 (columns.chosen, self._chosen), (columns.ticked, self._chosen),
                                 (columns.worded, self._worded)):
                signal.connect(slot)
            self.fields |= columns.fields
            self.combos |= columns.combos
            self.ticks |= columns.ticks
            self.lines |= columns.lines
            self._groups.append(columns)
            self._column.addWidget(section)
        self._column.addStretch(1)
        self.retranslate()

    def retranslate(self) -> None:
        """Let the controls of all groups stand under one another."""
        align(self._groups)

    def _add_layers(self, body: QVBoxLayout, layers: Sequence[Layer]) -> None:
        grid = QGridLayout()
        sized(grid, "setContentsMargins", 0, 4, 0, 0)
        sized(grid, "setHorizontalSpacing", 10)
        sized(grid, "setVerticalSpacing", 5)
        half = (len(layers) + 1) // 2
        for place, layer in enumerate(layers):
            tick = Tick(LAYERS[layer], self)
            tick.setObjectName(layer)
            tick.ticked.connect(self._layered)
            self.layers[layer] = tick
            grid.addWidget(tick, place % half, place // half)
        body.addLayout(grid)

    def show_names(self, x: Say, y: Say) -> None:
        """Show in the empty fields what the axes are called when nothing is typed."""
        for path, sentence in (("x_label", x), ("y_label", y)):
            tell(self.lines[path], "setPlaceholderText", sentence)

    def show_figure(self, figure: Figure) -> None:
        """Show the values of `figure`."""
        self.figure = figure
        self._show_preset()
        self.unit.show_key(figure.unit)
        for path, field in self.fields.items():
            value = getattr(figure, path)
            field.show_value(value.to(figure.unit).value if isinstance(value, Length) else value)
        for columns in self._groups:
            columns.show_values(figure)
            columns.show_rows(figure.shown())
        hidden = figure.hidden(self._hidden)
        for layer, tick in self.layers.items():
            tick.show_ticked(layer not in hidden)

    def _show_preset(self) -> None:
        now = next((key for key, preset in self.presets.items() if preset.fits(self.figure)), OWN)
        own = ((OWN, say("Custom")),) if now == OWN else ()
        self.preset.set_options((*own, *((key, preset.label) for key, preset in self.presets.items())))
        self.preset.show_key(now)

    def commit(self) -> bool:
        """Take what stands in the fields of numbers; False, with a sentence told, if one of them is wrong."""
        return all(self._take(path, field.text()) for path, field in self.fields.items())

    def _put(self, figure: Figure) -> None:
        if figure != self.figure:
            self.show_figure(figure)
            self.edited.emit(figure)

    def _take(self, path: str, text: str) -> bool:
        """Take what was typed into a field of a number."""
        param, figure = Figure.params()[path], self.figure
        text = plain(text)
        try:
            if isinstance(param, Extent):
                self._put(with_length(figure, path, text))
            else:
                value = param.parse(text, path)
                if abs(value - getattr(figure, path)) > 5e-6 * abs(value):
                    self._put(figure.replace(path, value))
        except SpecError as error:
            self.refused.emit(error.shown)
            return False
        return True

    @Slot(str, str)
    def _typed(self, path: str, text: str) -> None:
        if not self._take(path, text):
            self.fields[path].restore()

    @Slot(str, int)
    def _stepped(self, path: str, steps: int) -> None:
        param, value = Figure.params()[path], getattr(self.figure, path)
        if isinstance(value, Length):
            self._take(path, stepped_length(self.figure, path, steps))
        elif isinstance(param, Real):
            stepped = value + steps * {"dpi": 12, "font_size": 0.5, "line_scale": 0.1}[path]
            self._take(path, f"{min(max(stepped, param.least), param.most):.6g}")

    @Slot(str)
    def _take_preset(self, key: str) -> None:
        if key != OWN:
            self._put(self.presets[key].of(self.figure))

    @Slot(str)
    def _take_unit(self, unit: str) -> None:
        assert unit in UNITS
        self._put(self.figure.in_unit(unit))

    @Slot(str, str)
    @Slot(str, bool)
    def _chosen(self, path: str, value: str | bool) -> None:
        self._put(self.figure.replace(path, value))

    @Slot(str, str)
    def _worded(self, path: str, text: str) -> None:
        try:
            self._put(self.figure.replace(path, text))
        except SpecError as error:
            self.refused.emit(error.shown)

    @Slot(bool)
    def _layered(self, on: bool) -> None:
        layer, figure = self.sender().objectName(), self.figure
        hide, show = set(figure.hide) - {layer}, set(figure.show) - {layer}
        if on and layer in self._hidden:
            show.add(layer)
        elif not on and layer not in self._hidden:
            hide.add(layer)
        if on and layer == "legend" and figure.legend == "none":
            figure = figure.replace("legend", "auto")
        self._put(figure.replace("hide", tuple(hide)).replace("show", tuple(show)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a field of a number takes what was typed, and does not yet write the figure."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not isinstance(self.focusWidget(), NumberField):
            super().keyPressEvent(event)


def unit_combo(parent: QWidget) -> Combo:
    """Return the choice of the unit of width and height."""
    unit = Combo(parent)
    unit.set_options(tuple((each, verbatim(each)) for each in OFFERED))
    sized(unit, "setMaximumWidth", 90)
    name(unit, say("Unit"), say("Unit of width and height."))
    return unit


def with_length(figure: Figure, path: str, text: str) -> Figure:
    """Return the figure with a side as it was typed, in its unit if the text has none; raises SpecError."""
    param = Figure.params()[path]
    assert isinstance(param, Extent)
    typed = param.parse(text if text[-1:].isalpha() else f"{text}{figure.unit}", path)
    now: Length = getattr(figure, path)
    if typed.unit not in OFFERED:
        typed = typed.to("mm")
    if typed.unit != figure.unit:
        figure = figure.in_unit(typed.unit)
    elif abs(typed.px - now.px) <= 5e-6 * now.px:
        typed = now  # the field shows fewer digits than it has
    return figure.replace(path, typed)


def stepped_length(figure: Figure, path: str, steps: int) -> str:
    """Return the text of a side after so many steps by an arrow key."""
    here = getattr(figure, path).to(figure.unit)
    return f"{here.value + steps * STEPS[here.unit]:.6g}{here.unit}"
