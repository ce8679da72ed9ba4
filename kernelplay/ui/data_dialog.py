"""The window that writes data: points, predictions, readouts, the steps of the perceptron."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Picture
from kernelplay.models.base import Check, Fit
from kernelplay.scene import Rectangle, Scene
from kernelplay.spec import Real, integer
from kernelplay.ui.controls import Segmented, Tick
from kernelplay.ui.number import NumberField, plain
from kernelplay.ui.sharing import COPIES
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.text_dialog import TextDialog
from kernelplay.ui.text_maker import Wanted
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name, tell
from kernelplay.writing import (
    CELLS,
    Grid,
    encoded,
    grid_of,
    points_csv,
    points_libsvm,
    points_numpy,
    predictions_csv,
    readouts_csv,
    steps_csv,
)

POINTS = {"csv": (points_csv, ".csv"), "libsvm": (points_libsvm, ".libsvm"), "numpy": (points_numpy, ".py")}
ACROSS: Real = integer(CELLS[0], 1, 1000, least=1, most=1000, label=say("Grid columns"),
                       help=say("Number of grid points from the left to the right edge of the view.")).metadata["param"]
UP: Real = integer(CELLS[1], 1, 1000, least=1, most=1000, label=say("Grid rows"),
                   help=say("Number of grid points from the bottom to the top of the view.")).metadata["param"]


class DataDialog(TextDialog):
    """Writes points, and where there is a fit what it predicts and says."""

    does = say("Export")

    def __init__(self, store: Store, picture: Picture | None, look: Theme, parent: QWidget | None) -> None:
        super().__init__(say("Export data"), store, look, parent)
        fitted = picture is not None and picture.fit is not None
        self._scene: Scene = picture.scene if picture is not None and fitted else store.scene
        self._fit: Fit | None = picture.fit if picture is not None else None
        self._view: Rectangle | None = store.shown
        self._rows = tuple(sorted(store.selection)) if self._scene is store.scene else ()
        self.what = Segmented((("points", say("Points")), ("predictions", say("Predictions")),
                               ("readouts", say("Readouts")), ("steps", say("Steps"))), say("Content"), self)
        for key in ("predictions", "readouts"):
            self.what.button(key).setEnabled(self._fit is not None)
        self.what.button("steps").setEnabled(self._fit is not None and self._fit.model.key == "perceptron")
        self.what.show_key("points")
        self.what.chosen.connect(self._choose)
        self.choices.addWidget(self.what)
        self.format = Segmented(tuple(COPIES.items()), say("Format"), self)
        self.format.show_key("csv")
        self.format.chosen.connect(self._choose)
        self.selected = Tick(say("Only selected points"), self)
        self.selected.setEnabled(bool(self._rows))
        self.selected.show_ticked(bool(self._rows))
        self.selected.ticked.connect(self._choose)
        self.points_row = self._row(self.format, self.selected)
        self.place = Segmented((("points", say("At the points")), ("grid", say("On a grid"))), say("Where"), self)
        self.place.show_key("points")
        self.place.chosen.connect(self._choose)
        self.across, self.up = NumberField(self), NumberField(self)
        self._counts = {self.across: ACROSS.default, self.up: UP.default}
        fields: list[QWidget] = []
        for field, param, symbol in ((self.across, ACROSS, "×"), (self.up, UP, "")):
            name(field, param.label, param.help)
            field.show_value(param.default)
            field.typed.connect(self._typed)
            field.stepped.connect(self._stepped)
            fields.append(field)
            if symbol and self._scene.task == "classification":
                times = QLabel(self)
                tell(times, "setText", verbatim(symbol))
                fields.append(times)
        self.up.setVisible(self._scene.task == "classification")
        self.predictions_row = self._row(self.place, *fields)
        self._choose()

    def _row(self, *parts: QWidget) -> QWidget:
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        sized(line, "setSpacing", 9)
        for part in parts:
            if isinstance(part, Segmented):
                part.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            line.addWidget(part)
        line.addStretch(1)
        self.choices.addWidget(row)
        return row

    @Slot()
    def _choose(self) -> None:
        what = self.what.key
        self.points_row.setVisible(what == "points")
        self.predictions_row.setVisible(what == "predictions")
        for field in self._counts:
            field.setEnabled(self.place.key == "grid")
        self.about.show_sentence(self._about())
        self.refresh()

    def _about(self) -> Say:
        what = self.what.key
        if what == "points" and self.format.key == "csv":
            return say("One line per point, in full precision. If points are switched off, a column “on” marks them "
                       "with 0.")
        if what == "points" and self.format.key == "libsvm":
            return say("One line per point that is switched on: its class number or target, then its inputs.")
        if what == "points":
            return say("The points that are switched on, as two arrays to paste into Python.")
        if what == "predictions":
            return say("Predictions of the fit at the points, or on a grid over the visible area.")
        if what == "readouts":
            return say("The model with its parameters, results and certificate, in full precision.")
        return say("One line per update: the point, its value before, and θ afterwards.")

    @Slot(str)
    def _typed(self, text: str) -> None:
        field = self.sender()
        for other, param in ((self.across, ACROSS), (self.up, UP)):
            if other is field:
                self._take(other, param, plain(text))

    @Slot(int, str)
    def _stepped(self, steps: int, gesture: str) -> None:
        field = self.sender()
        for other, param in ((self.across, ACROSS), (self.up, UP)):
            if other is field:
                self._take(other, param, str(max(1, self._counts[other] + 10 * steps)))

    def _take(self, field: NumberField, param: Real, text: str) -> None:
        try:
            self._counts[field] = param.parse(text, "grid")
        except SpecError as error:
            field.restore()
            self.error.show_sentence(error.shown)
            return
        field.show_value(self._counts[field])
        field.restore()
        self.refresh()

    def wanted(self) -> Wanted:
        what, scene, fit = self.what.key, self._scene, self._fit
        if what == "points":
            rows = self._rows if self.selected.isChecked() and self._rows else None
            form = "python" if self.format.key == "numpy" else "table"
            return Wanted(partial(_points, self.format.key, scene, rows), form)
        assert fit is not None
        if what == "predictions":
            grid = Grid(grid_of(scene, self._view).view, self._counts[self.across],
                        self._counts[self.up]) if self.place.key == "grid" else None
            return Wanted(partial(predictions_csv, fit, scene, grid), "table")
        if what == "readouts":
            return Wanted(partial(_readouts, fit), "table")
        return Wanted(partial(steps_csv, fit, scene), "table")

    def file_name(self) -> tuple[str, str]:
        what = self.what.key
        if what == "points":
            return "-points", POINTS[self.format.key][1]
        return f"-{what}", ".csv"

    def encoded(self, text: str) -> bytes:
        return encoded(text) if self.file_name()[1] == ".csv" else text.encode()


def _points(form: str, scene: Scene, rows: tuple[int, ...] | None, check: Check) -> str:
    check()
    return POINTS[form][0](scene, rows)


def _readouts(fit: Fit, check: Check) -> str:
    check()
    return readouts_csv(fit)
