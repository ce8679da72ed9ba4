"""Edits of the points by command: undo, copy, paste, select, delete, switch off, classes, and the menu of a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from kernelplay import link
from kernelplay.errors import FileError
from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.scene import Points
from kernelplay.ui.arranging import Arranging
from kernelplay.ui.context_menu import context_menu
from kernelplay.ui.exchange import paste, rows_as_text
from kernelplay.ui.point_model import switch_label
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import theme

if TYPE_CHECKING:
    from kernelplay.ui.actions import Actions
    from kernelplay.ui.copying import Copying

CANVAS_MENU = ("undo", "redo", "-", "paste", "select_all", "-", "fit_view", "copy_picture", "export")


class Editing(QObject):
    """What the Edit menu and the menu of a point do."""

    line_pasted = Signal(str)  # a whole scene as one line of text

    def __init__(self, store: Store, arranging: Arranging, window: QWidget) -> None:
        super().__init__(window)
        self._store, self._arranging, self._window = store, arranging, window
        self._copying: Copying | None = None
        self._actions: Actions | None = None

    def offer(self, actions: Actions) -> None:
        """Have these commands for the menu of the canvas."""
        self._actions = actions

    @property
    def points(self) -> Points:
        """The points of the current task."""
        return self._store.scene.points

    def _put(self, points: Points, label: Say) -> None:
        self._store.edit(self._store.scene.with_points(points), label)

    @Slot()
    def undo(self) -> None:
        """Go one step back."""
        self._store.undo()

    @Slot()
    def redo(self) -> None:
        """Go one step forward."""
        self._store.redo()

    @Slot()
    def copy_points(self) -> None:
        """Copy the selected points, or all, as rows of a spreadsheet."""
        rows = self._store.selection
        QGuiApplication.clipboard().setText(rows_as_text(self._store.scene, rows))
        n = len(rows) or len(self.points)
        self._store.say(plural(n, "{n} point copied.", "{n} points copied."))

    @Slot()
    def paste(self) -> None:
        """Add the rows on the clipboard; a whole scene as a line of text is opened instead."""
        text = QGuiApplication.clipboard().text()
        if link.is_link(text):
            self.line_pasted.emit(text)
        elif text.strip():
            if not paste(self._store, text):
                from kernelplay.ui.import_dialog import import_text

                import_text(self._store, text, self._window)
        else:
            self._store.say(say("The clipboard has no text: copy rows of numbers first."), problem=True)

    @Slot()
    def copy_line(self) -> None:
        """Copy the whole scene as one line of text."""
        try:
            line = link.text(self._store.scene)
        except FileError as error:
            self._store.say(error.sentence, problem=True)
            return
        QGuiApplication.clipboard().setText(line)
        self._store.say(plural(len(line), "Scene copied as text of {n} character; paste it to open it.",
                               "Scene copied as text of {n} characters; paste it to open it."))

    @Slot()
    def copy_picture(self) -> None:
        """Copy what is on the canvas, as a picture; what does it is loaded the first time."""
        if self._copying is None:
            from kernelplay.ui.copying import Copying

            self._copying = Copying(self._store, self._window)
        self._copying.copy()

    @Slot()
    def select_all(self) -> None:
        """Select all points."""
        self._store.select(frozenset(range(len(self.points))))

    @Slot()
    def select_none(self) -> None:
        """Select no point."""
        self._store.select(frozenset())

    @Slot()
    def delete(self) -> None:
        """Remove the selected points."""
        rows = self._store.selection
        if rows:
            self._store.select(frozenset())
            self._put(self.points.remove(rows), plural(len(rows), "Delete {n} point", "Delete {n} points"))

    @Slot()
    def switch(self) -> None:
        """Switch the selected points off, or on again if they all are off."""
        rows = self._store.selection
        if rows:
            on = not bool(self.points.on[list(rows)].any())
            self._put(self.points.switch(rows, on), switch_label(len(rows), on))

    @Slot()
    def clear(self) -> None:
        """Remove all points of the current task."""
        if len(self.points):
            self._store.select(frozenset())
            self._put(self.points.remove(range(len(self.points))), say("Delete all points"))

    @Slot()
    def choose_tool(self) -> None:
        """Take the tool of the command that was chosen."""
        action = self.sender()
        if isinstance(action, QAction):
            self._store.use_tool(str(action.data()))

    @Slot()
    def choose_class(self) -> None:
        """Make the class of the command that was chosen that of new points."""
        action = self.sender()
        if isinstance(action, QAction) and int(action.data()) < len(self._store.scene.classes):
            self._store.use_class(int(action.data()))

    @Slot(object, object)
    def point_menu(self, row: int | None, where: QPoint) -> None:
        """Open the menu of a point, and if it is selected that of the whole selection; beside the points (None) that of
        the selection, or of the canvas if nothing is selected."""
        if row is None and not self._store.selection:
            self._canvas_menu(where)
            return
        if row is not None and row >= len(self.points):
            return
        if row is not None and row not in self._store.selection:
            self._store.select(frozenset({row}))
        rows, scene = self._store.selection, self._store.scene
        menu = context_menu(self._store, self._window)
        if scene.task == "classification":
            look = theme(str(self._window.property("theme")))
            now = set(self.points.cls[list(rows)].tolist())
            for number, title in enumerate(scene.classes):
                action = menu.addAction(
                    swatch(look, scene.roles[number]), str(say("class {name}", name=verbatim(title)))
                )
                action.setCheckable(True)
                action.setChecked(now == {number})
                action.setData(number)
                action.triggered.connect(self._arranging.assign)
            menu.addSeparator()
        place = menu.addAction(str(say("Coordinates…")))
        place.setEnabled(len(rows) == 1)
        place.triggered.connect(self.type_coordinates)
        twice = menu.addAction(str(plural(len(rows), "Duplicate point", "Duplicate {n} points")))
        twice.triggered.connect(self._arranging.duplicate)
        off = bool(self.points.on[list(rows)].any())
        menu.addAction(str(say("Switch off") if off else say("Switch on"))).triggered.connect(self.switch)
        menu.addAction(str(plural(len(rows), "Delete {n} point", "Delete {n} points"))).triggered.connect(self.delete)
        menu.popup(where)

    def _canvas_menu(self, where: QPoint) -> None:
        if self._actions is None:
            return
        menu = context_menu(self._store, self._window)
        for key in CANVAS_MENU:
            if key == "-":
                menu.addSeparator()
            else:
                menu.addAction(self._actions[key])
        menu.popup(where)

    @Slot()
    def type_coordinates(self) -> None:
        """Type where the one selected point lies."""
        if len(self._store.selection) != 1:
            self._store.say(say("Select one point first, then enter its coordinates."), problem=True)
            return
        from kernelplay.ui.dialogs import CoordinatesDialog

        row = next(iter(self._store.selection))
        x, y = self.points.xy[row].tolist()
        dialog = CoordinatesDialog(self.points.names, (x, y), self._window)
        if dialog.exec() and dialog.place != (x, y):
            self._put(self.points.move([row], np.array(dialog.place)), say("Move point"))
        dialog.deleteLater()
