"""What is done by command with the chosen points as a group: duplicated, given to a class, arranged."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from kernelplay.errors import FitError
from kernelplay.i18n import say, verbatim
from kernelplay.scene import Scene
from kernelplay.tools.arrange import ARRANGEMENTS, arranged
from kernelplay.tools.edits import copied
from kernelplay.ui.actions import Actions
from kernelplay.ui.canvas import Canvas
from kernelplay.ui.words import tell

BESIDE = 16.0  # pixels from a point to its copy, right and down


class Arranging(QObject):
    """Commands on the selection. They are there without a mouse, and on offer only where they make sense."""

    def __init__(self, canvas: Canvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas, self._store = canvas, canvas.store
        self._actions: Actions | None = None

    def offer(self, actions: Actions) -> None:
        """Keep the commands switched on and off as the selection allows."""
        self._actions = actions
        self._store.selected.connect(self._selected)
        self._store.changed.connect(self._changed)
        self._canvas.toolbox.gridded.connect(self._gridded)
        self._name_classes(self._store.scene)
        self._selected()

    @Slot()
    def duplicate(self) -> None:
        """Put a copy of the selected points beside them, and select it."""
        store, toolbox = self._store, self._canvas.toolbox
        if store.selection:
            hand = toolbox.hand
            dx, dy = (BESIDE * hand.unit[0], BESIDE * hand.unit[1]) if hand.grid is None else hand.grid
            toolbox.apply(copied(store.scene, store.selection, dx, -dy), "")

    @Slot()
    def arrange(self) -> None:
        """Arrange the selected points as the command says that was chosen."""
        action = self.sender()
        if isinstance(action, QAction) and self._store.selection:
            store, toolbox = self._store, self._canvas.toolbox
            hand = dataclasses.replace(toolbox.hand, grid=toolbox.nodes)  # with snapping off, too
            try:
                edit = arranged(store.scene, store.selection, ARRANGEMENTS[str(action.data())], hand)
            except FitError as error:
                store.say(error.sentence, problem=True)
                return
            if edit is None:
                store.say(say("The selected points are already arranged that way."))
            else:
                toolbox.apply(edit, "")

    @Slot()
    def assign(self) -> None:
        """Give the selected points to the class of the command that was chosen."""
        action, store = self.sender(), self._store
        if not isinstance(action, QAction) or store.scene.task != "classification":
            return
        cls, rows, points = int(action.data()), store.selection, store.scene.points
        if rows and cls < len(store.scene.classes) and (points.cls[list(rows)] != cls).any():
            store.edit(store.scene.with_points(points.assign(rows, cls)), say("Change class"))

    @Slot()
    def _selected(self) -> None:
        assert self._actions is not None
        n, scene, actions = len(self._store.selection), self._store.scene, self._actions
        actions["duplicate_points"].setEnabled(n > 0)
        for key, how in ARRANGEMENTS.items():
            actions[f"arrange:{key}"].setEnabled(n >= how.least)
        for number, key in enumerate(actions.keys("assign:")):
            actions[key].setEnabled(n > 0 and scene.task == "classification" and number < len(scene.classes))

    @Slot(object)
    def _gridded(self, grid: object) -> None:
        assert self._actions is not None
        self._actions["snap"].setChecked(grid is not None)

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if (new.task, new.classes) != (old.task, old.classes):
            self._name_classes(new)
            self._selected()

    def _name_classes(self, scene: Scene) -> None:
        assert self._actions is not None
        for number, key in enumerate(self._actions.keys("assign:")):
            known = scene.task == "classification" and number < len(scene.classes)
            self._actions[key].setVisible(known)
            title = verbatim(scene.classes[number]) if known else verbatim(str(number + 1))
            tell(self._actions[key], "setText", say("class {name}", name=title))
