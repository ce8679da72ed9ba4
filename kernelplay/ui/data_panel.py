"""The Data panel: the task, the classes, the brush, the generators, and the table of points."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import Say, plural, say
from kernelplay.scene import Scene
from kernelplay.spec import kinds, real
from kernelplay.ui.class_list import Classes
from kernelplay.ui.controls import Segmented
from kernelplay.ui.forms import NumberRow
from kernelplay.ui.generator import Generator
from kernelplay.ui.labels import Note
from kernelplay.ui.panels import Panel, Section
from kernelplay.ui.point_table import PointTable
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme


class Brush(Section):
    """How far and how fast the brush sprays points; shown while the brush is the tool."""

    changed = Signal(float, float)  # radius in pixels, points a second

    RADIUS = real(28.0, 5.0, 120.0, least=0.0, symbol="r", unit="px", label=say("Radius"),
                  help=say("How far around the pointer points are sprayed."))
    RATE = real(24.0, 1.0, 60.0, least=0.0, symbol="v", unit="/s", label=say("Rate"),
                help=say("How many points are sprayed in a second."))

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Brush"), parent)
        self._store = store
        self._values = {"radius": 28.0, "rate": 24.0}
        self.rows: dict[str, NumberRow] = {}
        for key, field in (("radius", self.RADIUS), ("rate", self.RATE)):
            row = NumberRow(key, field.metadata["param"], False, self)
            row.show_value(self._values[key])
            row.edited.connect(self._edited)
            self.rows[key] = row
            self.body.addWidget(row)
        store.mode.connect(self._mode)
        self._mode()

    @Slot(float, float)
    def show_brush(self, radius: float, rate: float) -> None:
        """Show the brush as it is now: the wheel changes it too."""
        self._values = {"radius": radius, "rate": rate}
        for key, row in self.rows.items():
            row.show_value(float(f"{self._values[key]:.3g}"))

    @Slot()
    def _mode(self) -> None:
        self.setVisible(self._store.tool == "brush")

    @Slot(object, str)
    def _edited(self, value: float, gesture: str) -> None:
        row = self.sender()
        if isinstance(row, NumberRow):
            self._values[row.path] = value
            self.changed.emit(self._values["radius"], self._values["rate"])


class DataPanel(Panel):
    """Everything about the points."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(say("Data"), 250, parent)
        self._store = store
        self.data = Section(say("Data"), self)
        self.task = Segmented(
            (("classification", say("Classification")), ("regression", say("Regression"))), say("Task"), self
        )
        self.task.chosen.connect(self._task_chosen)
        self.data.body.addWidget(self.task)
        self.classes = Classes(store, theme, self)
        self.brush = Brush(store, self)
        self.generator = Generator(store, self)
        self.table_section = Section(say("Table"), self)
        self.summary = Note(None, self)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.table = PointTable(store, theme, self)
        self.table_section.body.addWidget(self.summary)
        self.table_section.body.addWidget(self.table, 1)
        for section in (self.data, self.classes, self.brush, self.generator):
            self.column.addWidget(section)
        self.column.addWidget(self.table_section, 1)
        store.changed.connect(self._changed)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Show the marks in the colours of `theme`."""
        self.classes.set_theme(theme)
        self.table.set_theme(theme)

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        was, now = old.points, new.points
        if old.task != new.task or len(was) != len(now) or was.on is not now.on:
            self._show()
        if len(self._store.history.steps) == 1:
            self.table.scrollToTop()  # another document

    def _show(self) -> None:
        scene = self._store.scene
        self.task.show_key(scene.task)
        self.classes.setVisible(scene.task == "classification")
        self.summary.show_sentence(summary(scene))
        self.table.setVisible(len(scene.points) > 0)

    @Slot(str)
    def _task_chosen(self, task: str) -> None:
        scene = self._store.scene
        if task != scene.task:
            self._store.select(frozenset())
            self._store.edit(scene.with_model(model_for(scene, task)), switch_task(task))


def switch_task(task: str) -> Say:
    """Return the name of the step that switches to `task`."""
    return say("Switch to regression") if task == "regression" else say("Switch to classification")


def model_for(scene: Scene, task: str) -> str:
    """Return the model to take when the task changes: the one of that task that was left last, else the first."""
    left = [type(model).key for model in scene.shelf if type(model).task == task]
    return left[-1] if left else next(key for key, cls in kinds("model").items() if cls.task == task)


def summary(scene: Scene) -> Say:
    """Return how many points there are and how many of them are switched off, and how others come in."""
    n, off = len(scene.points), int((~scene.points.on).sum())
    if n == 0:
        return say("No points yet. Click on the canvas, drop a CSV file on the window, or paste rows of a spreadsheet.")
    count = plural(n, "{n} point", "{n} points")
    return (
        say("{count}, none switched off.", count=count)
        if off == 0
        else say("{count}, {off} switched off.", count=count, off=off)
    )
