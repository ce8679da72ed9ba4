"""The form of an animation: what changes from picture to picture, the format and its speed, size and letters."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from kernelplay.animations import Animation, Source, Steps
from kernelplay.errors import SpecError
from kernelplay.figures import OFFERED, PRESETS, Figure
from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import Scene
from kernelplay.spec import Param, choice, flag, integer
from kernelplay.sweep import FRAMES, MOST_FRAMES, Sweep, sweepable, written
from kernelplay.ui.controls import Combo
from kernelplay.ui.figure_form import stepped_length, with_length
from kernelplay.ui.forms import Form, Row, row_for
from kernelplay.ui.labels import Line
from kernelplay.ui.number import NumberField, plain
from kernelplay.ui.words import name

WIDTH = 316
STEPS = "steps"
REACH = 100.0  # how many times smaller and larger than now a scale gets at first: further on, most pictures look alike
DOTS = 96  # an inch: an animation is looked at on a screen, and four times the dots are four times the bytes


def _param(field: Any) -> Param:
    made: Param = field.metadata["param"]
    return made


COUNT = _param(integer(FRAMES, 2, 120, least=2, most=MOST_FRAMES, label=say("Pictures"),
                       help=say("How many values the parameter takes, both ends among them.")))
SPACING = _param(choice("linear", {"log": say("Equal ratios"), "linear": say("Equal steps")}, label=say("Spacing"),
                        help=say("Equal ratios for parameters that are scales, such as C and γ.")))
BACK = _param(flag(False, label=say("There and back"),
                   help=say("Goes back the same way, so that it can go on for ever.")))


class AnimationForm(QScrollArea):
    """Tells by `changed` that something else is asked for, by `refused` what was wrong with it."""

    changed = Signal()
    formatted = Signal(str)  # another format was chosen here
    refused = Signal(object)  # Say

    def __init__(self, scene: Scene, steps: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene, self.steps = scene, steps
        # those of the model before those of its kernel
        self._numbers = dict(sorted(sweepable(scene.model), key=lambda number: number[0].count(".")))
        self._values: dict[str, Any] = {}
        self.animation = Animation()
        self.look = small(Figure())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(WIDTH)
        inside = QWidget(self)
        box = QVBoxLayout(inside)
        box.setContentsMargins(0, 0, 12, 0)
        box.setSpacing(7)
        self.sources = Combo(inside)
        self.sources.set_options(self._options())
        self.sources.chosen.connect(self.choose)
        name(self.sources, say("What changes"), say("The steps of the player, or a number of the model or kernel."))
        box.addWidget(self._label(say("What changes")))
        box.addWidget(self.sources)
        self._place = QVBoxLayout()
        self._place.setSpacing(7)
        box.addLayout(self._place)
        self.rows: dict[str, Row] = {}
        self.form = Form(Animation, notes=False, parent=inside)
        self.form.edited.connect(self._edited)
        box.addWidget(self.form)
        self.presets = Combo(inside)
        self.presets.set_options([(key, preset.label) for key, preset in PRESETS.items()])
        self.presets.chosen.connect(self._preset)
        name(self.presets, say("Size and letters"), say("A size for a purpose, with the letters that go with it."))
        box.addWidget(self._label(say("Size and letters")))
        box.addWidget(self.presets)
        params = Figure.params()
        self.sides = {key: NumberField(inside) for key in ("width", "height")}
        self.unit = Combo(inside)
        self.unit.set_options(tuple((unit, verbatim(unit)) for unit in OFFERED))
        self.unit.setFixedWidth(76)
        name(self.unit, say("Unit"), say("The unit of width and height."))
        self.unit.chosen.connect(self._take_unit)
        for key, field in self.sides.items():
            field.setObjectName(key)
            name(field, params[key].label, params[key].help)
            field.typed.connect(self._sized)
            field.stepped.connect(self._stepped)
            side = QHBoxLayout()
            side.setSpacing(7)
            side.addWidget(self._label(params[key].label))
            side.addStretch(1)
            if key == "width":
                side.addWidget(self.unit)
            side.addWidget(field)
            box.addLayout(side)
        self.figure_rows = {key: row_for(key, params[key], False, inside) for key in ("dpi", "theme")}
        for row in self.figure_rows.values():
            row.edited.connect(self._looked)
            box.addWidget(row)
        box.addStretch(1)
        self.setWidget(inside)
        self.show_all()
        if self.sources.key:
            self._rows_of(self.sources.key)

    def _label(self, sentence: Say) -> Line:
        label = Line(sentence, self)
        label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        return label

    def _options(self) -> list[tuple[str, Say]]:
        found: list[tuple[str, Say]] = [(STEPS, say("The steps of the player"))] if self.steps > 1 else []
        for path, param in self._numbers.items():
            title = say("{label} {symbol}", label=param.label, symbol=param.symbol) if param.symbol else param.label
            alike = [other for other in self._numbers.values() if other.label == param.label]
            found.append((path, title if len(alike) == 1 else say("{title} ({path})", title=title, path=written(path))))
        return found

    @property
    def source(self) -> Source | None:
        """The pictures that are asked for, None where there is nothing to choose from; raises SpecError."""
        values = self._values
        if not self.sources.key:
            return None
        if self.sources.key == STEPS:
            return Steps(int(values["first"]), int(values["last"]), int(values["every"]))
        return Sweep.of(self._scene.model, self.sources.key, values["start"], values["end"], int(values["count"]),
                        values["spacing"], values["back"])

    def show_all(self) -> None:
        """Show the values that hold."""
        self.form.show_spec(self.animation)
        for key, field in self.sides.items():
            field.show_value(getattr(self.look, key).to(self.look.unit).value)
        self.unit.show_key(self.look.unit)
        for key, row in self.figure_rows.items():
            row.show_value(getattr(self.look, key))
        self.figure_rows["dpi"].setVisible(self.animation.format != "svg")

    def use(self, animation: Animation, look: Figure) -> None:
        """Take other values over, as they were set last."""
        self.animation, self.look = animation, look
        self.show_all()

    @Slot(str)
    def choose(self, key: str) -> None:
        """Take another source."""
        self._rows_of(key)
        self.changed.emit()

    def _rows_of(self, key: str) -> None:
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows, self._values = {}, {}
        if key == STEPS:
            last = self.steps - 1
            self._add("first", _param(integer(0, 0, last, least=0, most=last, label=say("From step"),
                                              help=say("The first step that is shown."))))
            self._add("last", _param(integer(last, 0, last, least=0, most=last, label=say("To step"),
                                             help=say("The last step that is shown."))))
            self._add("every", _param(integer(1, 1, max(2, last // 2), least=1, label=say("Every"),
                                              help=say("1 shows every step, 2 every second one."))))
            return
        param, now = self._numbers[key], self._scene.model.get(key)
        low, high = (param.low, param.high) if isinstance(now, str) else (min(param.low, now), max(param.high, now))
        if param.log and not isinstance(now, str) and now > 0:  # one scale of colours holds for all pictures
            low, high = max(low, now / REACH), min(high, now * REACH)
            low, high = (math.ceil(low), int(high)) if param.integer else (low, high)
        for end, value, label in (("start", low, say("From")), ("end", high, say("To"))):
            self._add(end, dataclasses.replace(param, default=value, label=label, when=None, words=()))
        self._add("count", COUNT)
        self._add("spacing", dataclasses.replace(SPACING, default="log" if param.log and low > 0 else "linear"))
        self._add("back", BACK)

    def _add(self, key: str, param: Param) -> None:
        row = row_for(key, param, False, self)
        row.edited.connect(self._ranged)
        self.rows[key] = row
        self._values[key] = param.default
        row.show_value(param.default)
        self._place.addWidget(row)

    @Slot(object, str)
    def _ranged(self, value: object, gesture: str) -> None:
        row = self.sender()
        if isinstance(row, Row):
            self._values[row.path] = value
            row.show_value(value)
            self.changed.emit()

    @Slot(str, object, str)
    def _edited(self, key: str, value: object, gesture: str) -> None:
        self.animation = self.animation.replace(key, value)
        self.show_all()
        if key == "format":
            self.formatted.emit(self.animation.ending)
        self.changed.emit()

    @Slot(object, str)
    def _looked(self, value: object, gesture: str) -> None:
        row = self.sender()
        if isinstance(row, Row):
            self.look = self.look.replace(row.path, value)
            row.show_value(value)
            self.changed.emit()

    @Slot(str)
    def _sized(self, text: str) -> None:
        field = self.sender()
        if isinstance(field, NumberField):
            self._take_side(field.objectName(), plain(text))

    @Slot(int, str)
    def _stepped(self, steps: int, gesture: str) -> None:
        key = self.sender().objectName()
        self._take_side(key, stepped_length(self.look, key, steps))

    def _take_side(self, key: str, text: str) -> None:
        try:
            self._resize(with_length(self.look, key, text))
        except SpecError as error:
            self.sides[key].restore()
            self.refused.emit(error.sentence)

    @Slot(str)
    def _take_unit(self, unit: str) -> None:
        self._resize(self.look.in_unit(unit))

    def _resize(self, look: Figure) -> None:
        if look != self.look:
            self.look = look
            self.show_all()
            self.changed.emit()

    @Slot(str)
    def _preset(self, key: str) -> None:
        self.look = small(PRESETS[key].of(self.look))
        self.show_all()
        self.changed.emit()


def small(look: Figure) -> Figure:
    """Return the figure with the dots of a screen."""
    return dataclasses.replace(look, dpi=DOTS)
