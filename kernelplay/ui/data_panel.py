"""The Data panel: the task, the classes, the tool in the hand, the generators, and the table of points."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import Say, plural, say
from kernelplay.scene import Scene
from kernelplay.spec import kinds
from kernelplay.ui.class_list import Classes
from kernelplay.ui.controls import Segmented
from kernelplay.ui.generator import Generator
from kernelplay.ui.labels import Note
from kernelplay.ui.panels import Panel, Section
from kernelplay.ui.point_table import PointTable
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme
from kernelplay.ui.tool_panel import GridOptions, ToolOptions


class DataPanel(Panel):
    """Everything about the points."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(say("Data"), 266, parent)
        self._store = store
        self.data = Section(say("Data"), self)
        self.task = Segmented(
            (("classification", say("Classification")), ("regression", say("Regression"))), say("Task"), self
        )
        self.task.chosen.connect(self._task_chosen)
        self.data.body.addWidget(self.task)
        self.classes = Classes(store, theme, self)
        self.tool = ToolOptions(store, self)
        self.grid = GridOptions(self)
        self.generator = Generator(store, theme, self)
        self.table_section = Section(say("Table"), self)
        self.summary = Note(None, self)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.table = PointTable(store, theme, self)
        self.table_section.body.addWidget(self.summary)
        self.table_section.body.addWidget(self.table, 1)
        for section in (self.data, self.classes, self.tool, self.grid, self.generator):
            self.column.addWidget(section)
        self.column.addWidget(self.table_section, 1)
        store.changed.connect(self._changed)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Show the marks in the colours of `theme`."""
        self.classes.set_theme(theme)
        self.generator.set_theme(theme)
        self.table.set_theme(theme)

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        was, now = old.points, new.points
        if old.task != new.task or len(was) != len(now) or was.on is not now.on:
            self._show()
        if self._store.opening:
            self.table.scrollToTop()
            self.verticalScrollBar().setValue(0)

    def _show(self) -> None:
        scene = self._store.scene
        self.task.show_key(scene.task)
        self.classes.setVisible(scene.task == "classification")
        self.summary.show_sentence(summary(scene))

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
        return say("No points yet. Click the canvas, drop a CSV file on the window, or paste spreadsheet rows.")
    count = plural(n, "{n} point", "{n} points")
    return (
        say("{count}, none switched off.", count=count)
        if off == 0
        else say("{count}, {off} switched off.", count=count, off=off)
    )
