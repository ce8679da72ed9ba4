"""The options of the tool in the hand, and of the grid: sections of the Data panel that are there while they matter."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.errors import SpecError
from kernelplay.i18n import say
from kernelplay.spec import kinds
from kernelplay.tools.base import Tool
from kernelplay.tools.grid import Grid
from kernelplay.ui.controls import Quiet
from kernelplay.ui.forms import Form
from kernelplay.ui.labels import Note
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.words import name, tell


class ToolOptions(Section):
    """What the tool in the hand does, and its options; nothing for the tool that everything begins with."""

    changed = Signal(object)  # Tool

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Tool"), parent)
        self._store = store
        self._tools: dict[str, Tool] = {key: cls() for key, cls in kinds("tool").items()}
        self._forms: dict[str, Form] = {}
        self.about = Note(None, self)
        self.body.addWidget(self.about)
        store.mode.connect(self._show)
        self._show()

    @property
    def form(self) -> Form:
        """The form of the tool in the hand."""
        key = self._store.tool
        if key not in self._forms:
            form = Form(type(self._tools[key]), notes=False, parent=self)
            form.edited.connect(self._edited)
            self._forms[key] = form
            self.body.addWidget(form)
        return self._forms[key]

    @Slot(object)
    def show_tool(self, tool: Tool) -> None:
        """Show the options as they are now: the wheel changes them too."""
        self._tools[tool.key] = tool
        self._show()

    @Slot()
    def _show(self) -> None:
        tool = self._tools[self._store.tool]
        for key, form in self._forms.items():
            if key != tool.key:
                form.forget()  # what is being typed was meant for that tool
        self.setVisible(tool.key != "point")
        if tool.key == "point":
            return
        tell(self.heading, "setText", tool.label)
        name(self, tool.label)
        self.about.show_sentence(tool.about)
        shown = self.form
        for form in self._forms.values():
            form.setVisible(form is shown)
        shown.show_spec(tool)

    @Slot(str, object, str)
    def _edited(self, path: str, value: object, gesture: str) -> None:
        try:
            tool = self._tools[self._store.tool].replace(path, value)
        except SpecError as error:
            self.form.complain(path, error.shown)
            return
        self.changed.emit(tool)


class GridOptions(Section):
    """The steps of the grid, while clicks and drags are held to it."""

    changed = Signal(object)  # Grid
    fitted = Signal()  # the steps are to suit the view

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Grid"), parent)
        self._grid = Grid()
        self.form = Form(Grid, notes=False, parent=self)
        self.form.edited.connect(self._edited)
        self.body.addWidget(self.form)
        self.fit = Quiet(say("Spacing to suit the view"), self)
        self.fit.clicked.connect(self.fitted)
        self.body.addWidget(self.fit)
        self.hide()

    @Slot(object)
    def show_grid(self, grid: Grid | None) -> None:
        """Show the steps, or nothing while there is no grid."""
        self.setVisible(grid is not None)
        if grid is not None:
            if grid is not self._grid:
                self.form.forget()
            self._grid = grid
            self.form.show_spec(grid)

    @Slot(str, object, str)
    def _edited(self, path: str, value: object, gesture: str) -> None:
        self.changed.emit(self._grid.replace(path, value))
