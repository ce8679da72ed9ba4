"""The form of an animation: what changes from picture to picture, the format and its speed, size and letters."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.animations import Animation, Source, Steps
from kernelplay.errors import SpecError
from kernelplay.figures import PRESETS, Extent, Figure, Length
from kernelplay.i18n import Say, say
from kernelplay.scene import Scene
from kernelplay.spec import Param, Real, choice, flag, integer
from kernelplay.sweep import FRAMES, MOST_FRAMES, Sweep, sweepable, written
from kernelplay.ui.columns import Columns, align
from kernelplay.ui.controls import Combo
from kernelplay.ui.figure_form import stepped_length, unit_combo, with_length
from kernelplay.ui.number import NumberField, plain
from kernelplay.ui.panels import SCROLL, Panel, Section
from kernelplay.ui.scale import Scale
from kernelplay.ui.words import name

WIDTH, WIDEST = 330, 420  # pixels of the form, as in the window that writes a figure
SIZE = ("width", "height", "dpi", "theme")
STEPS = "steps"
REACH = 100.0  # how many times smaller and larger than now a scale gets at first: further on, most pictures look alike
DOTS = 96  # an inch: an animation is looked at on a screen, and four times the dots are four times the bytes


def _param(field: Any) -> Param:
    made: Param = field.metadata["param"]
    return made


COUNT = _param(integer(FRAMES, 2, 120, least=2, most=MOST_FRAMES, label=say("Frames"),
                       help=say("Number of values the parameter takes, including both ends.")))
SPACING = _param(choice("linear", {"log": say("Equal ratios"), "linear": say("Equal steps")}, label=say("Spacing"),
                        help=say("Use equal ratios for scale parameters such as C and γ.")))
BACK = _param(flag(False, label=say("Back and forth"),
                   help=say("Returns the same way, so that it loops smoothly.")))


class AnimationForm(Panel):
    """Tells by `changed` that something else is asked for, by `refused` what was wrong with it."""

    changed = Signal()
    formatted = Signal(str)  # another format was chosen here
    refused = Signal(object)  # Say

    def __init__(self, scene: Scene, steps: int, parent: QWidget | None = None) -> None:
        super().__init__(say("Animation settings"), WIDTH, parent)
        self._scene, self.steps = scene, steps
        # those of the model before those of its kernel
        self._numbers = dict(sorted(sweepable(scene.model), key=lambda number: number[0].count(".")))
        self._values: dict[str, Any] = {}
        self._params: dict[str, Param] = {}
        self.animation = Animation()
        self.look = small(Figure())
        self.sources = Combo(self)
        self.sources.set_options(self._options())
        self.sources.chosen.connect(self.choose)
        name(self.sources, say("What changes"), say("The steps of the model, or a numeric parameter of the model or "
                                                    "kernel."))
        self.presets = Combo(self)
        self.presets.set_options([(key, preset.label) for key, preset in PRESETS.items()])
        self.presets.chosen.connect(self._preset)
        name(self.presets, say("Preset"), say("A size and a matching font size for a purpose."))
        self.unit = unit_combo(self)
        self.unit.chosen.connect(self._take_unit)
        self._what, self._how, self._size = (Columns(self) for _ in range(3))
        self.range: Columns | None = None  # of what changes
        self._what.add_wide(self.sources)
        for key, param in Animation.params().items():
            self._how.add(key, param)
        self._size.add_row(say("Preset"), self.presets)
        for key in SIZE:
            self._size.add(key, Figure.params()[key], self.unit if key == "width" else None)
        sections = [Section(title, self) for title in (say("What changes"), Animation.label, say("Size and font"))]
        for section, columns in zip(sections, (self._what, self._how, self._size), strict=True):
            section.body.addWidget(columns)
            self.column.addWidget(section)
        self._place = sections[0].body
        self.column.addStretch(1)
        self._listen(self._how)
        self._listen(self._size)
        self.show_all()
        if self.sources.key:
            self._rows_of(self.sources.key)
        self.retranslate()

    @property
    def fields(self) -> Mapping[str, NumberField]:
        """The fields of numbers: "start", "fps", "width" and so on."""
        return {**(self.range.fields if self.range is not None else {}), **self._how.fields, **self._size.fields}

    def retranslate(self) -> None:
        """Let the controls of all groups stand under one another, in a panel that is wide enough."""
        align([group for group in (self.range, self._how, self._size) if group is not None])
        self.setMinimumWidth(max(self.least, min(self.column.sizeHint().width() + SCROLL, WIDEST)))

    def _listen(self, columns: Columns) -> None:
        for signal, slot in ((columns.typed, self._typed), (columns.stepped, self._stepped),
                             (columns.chosen, self._take), (columns.ticked, self._take)):
            signal.connect(slot)

    def _options(self) -> list[tuple[str, Say]]:
        found: list[tuple[str, Say]] = [(STEPS, say("Steps of the model"))] if self.steps > 1 else []
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
        for columns, values in ((self._how, self.animation), (self._size, self.look)):
            columns.show_values(values)
            for key, field in columns.fields.items():
                value = getattr(values, key)
                field.show_value(value.to(self.look.unit).value if isinstance(value, Length) else value)
        self.unit.show_key(self.look.unit)
        self._how.show_rows(self.animation.shown())
        self._size.show_rows(SIZE if self.animation.format != "svg" else [key for key in SIZE if key != "dpi"])

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
        if self.range is not None:
            self.range.hide()
            self.range.deleteLater()
        self.range, self._values, self._params = Columns(self), {}, {}
        self._place.addWidget(self.range)
        self._listen(self.range)
        self._add_range(key)
        self.retranslate()

    def _add_range(self, key: str) -> None:
        if key == STEPS:
            last = self.steps - 1
            self._add("first", _param(integer(0, 0, last, least=0, most=last, label=say("From step"),
                                              help=say("First step to show."))))
            self._add("last", _param(integer(last, 0, last, least=0, most=last, label=say("To step"),
                                             help=say("Last step to show."))))
            self._add("every", _param(integer(1, 1, max(2, last // 2), least=1, label=say("Every"),
                                              help=say("1 shows every step, 2 every second step."))))
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
        assert self.range is not None
        self.range.add(key, param)
        self._params[key] = param
        self._put(key, param.default)

    def _put(self, key: str, value: Any) -> None:
        """Take and show another value of what changes."""
        assert self.range is not None
        self._values[key] = value
        if key in self.range.fields:
            self.range.fields[key].show_value(value)
        elif key in self.range.combos:
            self.range.combos[key].show_key(value)
        else:
            self.range.ticks[key].show_ticked(value)

    def _declared(self, key: str) -> Param:
        return self._params.get(key) or Animation.params().get(key) or Figure.params()[key]

    @Slot(str, str)
    @Slot(str, bool)
    def _take(self, key: str, value: Any) -> None:
        """Take another value of what changes, of the animation or of its pictures; raises SpecError."""
        if key in self._params:
            self._put(key, value)
        elif key in Animation.params():
            self.animation = self.animation.replace(key, value)
            self.show_all()
            if key == "format":
                self.formatted.emit(self.animation.ending)
        else:
            self.look = self.look.replace(key, value)
            self.show_all()
        self.changed.emit()

    @Slot(str, str)
    def _typed(self, key: str, text: str) -> None:
        param, text = self._declared(key), plain(text)
        try:
            if isinstance(param, Extent):
                self._resize(with_length(self.look, key, text))
            else:
                self._take(key, param.parse(text, key))
        except SpecError as error:
            self.fields[key].restore()
            self.refused.emit(error.shown)

    @Slot(str, int)
    def _stepped(self, key: str, steps: int) -> None:
        param = self._declared(key)
        if isinstance(param, Extent):
            self._typed(key, stepped_length(self.look, key, steps))
        elif isinstance(param, Real):
            now = self._values[key] if key in self._params else getattr(
                self.animation if key in Animation.params() else self.look, key)
            try:
                self._take(key, param.check(Scale(param).stepped(now, steps), key))
            except SpecError as error:
                self.refused.emit(error.shown)

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
