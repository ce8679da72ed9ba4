"""The tools with their options, the grid that clicks and drags are held to, and what is made of their edits."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import QObject, QSettings, Signal, Slot

from kernelplay.models.base import Task
from kernelplay.spec import kinds
from kernelplay.tools.base import Tool
from kernelplay.tools.events import Edit, Hand, Place
from kernelplay.tools.grid import Grid
from kernelplay.ui.kept import keep, keep_spec, kept_spec, kept_switch
from kernelplay.ui.plot import Plot
from kernelplay.ui.store import Store

TASKS: tuple[Task, ...] = get_args(Task)


class Toolbox(QObject):
    """What the hand works with. It is no part of the document, and no step of the history; the settings keep it."""

    tooled = Signal(object)  # Tool whose options have changed
    gridded = Signal(object)  # Grid that clicks and drags are held to, or None: they are free

    def __init__(self, store: Store, plot: Plot, parent: QObject) -> None:
        super().__init__(parent)
        self._store, self._plot = store, plot
        self._tools: dict[str, Tool] = {key: cls() for key, cls in kinds("tool").items()}
        self._snapping = False
        self._grids: dict[Task, Grid] = {}

    def recall(self) -> None:
        """Take the options of the tools and the grid as they were left."""
        for key, tool in self._tools.items():
            self.set_tool(kept_spec(f"tool/{key}", tool))
        for task in TASKS:
            if QSettings().contains(f"grid/{task}"):
                self._grids[task] = kept_spec(f"grid/{task}", self._grids.get(task, self.suiting))
        self.snap(kept_switch("grid/snap", False))

    def keep(self) -> None:
        """Leave the options of the tools and the grid for the next session."""
        for key, tool in self._tools.items():
            keep_spec(f"tool/{key}", tool)
        for task, grid in self._grids.items():
            keep_spec(f"grid/{task}", grid)
        keep("grid/snap", self._snapping)

    @property
    def tool(self) -> Tool:
        """The tool in the hand, with its options."""
        return self._tools[self._store.tool]

    @property
    def hand(self) -> Hand:
        """What the hand holds."""
        sx, sy = self._plot.plane.scale
        return Hand(self._store.current_class, self._store.selection, (1 / sx, 1 / sy), self.grid)

    @Slot(object)
    def set_tool(self, tool: Tool) -> None:
        """Give a tool other options."""
        if tool != self._tools[tool.key]:
            self._tools[tool.key] = tool
            self.tooled.emit(tool)

    def widen(self, factor: float) -> bool:
        """Change the reach of the tool in the hand; False if it has none."""
        tool = self.tool
        if tool.reach is None:
            return False
        self.set_tool(tool.replace(tool.around, float(f"{min(max(tool.reach * factor, 3.0), 500.0):.3g}")))
        return True

    @property
    def suiting(self) -> Grid:
        """The grid with round steps that suits the view."""
        return Grid.fitting(self._plot.plane.view, self._store.scene.task == "classification")

    @property
    def grid(self) -> Place | None:
        """From node to node of the grid, if clicks and drags are held to it."""
        grid = self._grids.get(self._store.scene.task) if self._snapping else None
        return None if grid is None else (grid.x, grid.y)

    @property
    def nodes(self) -> Place:
        """From node to node of the grid of the task on the canvas, or of the one that suits the view."""
        grid = self._grids.get(self._store.scene.task, self.suiting)
        return grid.x, grid.y

    @Slot(bool)
    def snap(self, on: bool) -> None:
        """Hold clicks and drags to the grid, or set them free."""
        self._snapping = on
        self.show_grid()

    @Slot(object)
    def set_grid(self, grid: Grid) -> None:
        """Take another grid for the task on the canvas."""
        self._grids[self._store.scene.task] = grid
        self.show_grid()

    @Slot()
    def fit_grid(self) -> None:
        """Take the grid that suits the view."""
        self.set_grid(self.suiting)

    def show_grid(self) -> None:
        """Tell of the grid of the task on the canvas."""
        task = self._store.scene.task
        if self._snapping and task not in self._grids:
            self._grids[task] = self.suiting
        self.gridded.emit(self._grids[task] if self._snapping else None)

    def apply(self, edit: Edit, gesture: str) -> None:
        """Make an edit of a tool. Rows that are there only before or only after it are selected only then."""
        store = self._store
        if edit.selection is not None:
            both = min(len(store.scene.points), len(edit.scene.points))
            store.select(frozenset(row for row in edit.selection if row < both))
        store.edit(edit.scene, edit.label, gesture)
        if edit.selection is not None:
            store.select(edit.selection)
