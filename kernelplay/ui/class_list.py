"""The classes: what new points belong to; names, counts, keys, and a menu for each."""

from __future__ import annotations

import dataclasses

import numpy as np
from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from kernelplay.i18n import say, verbatim
from kernelplay.scene import CLASS_ROLES, Scene, another_name
from kernelplay.ui.class_row import ClassRow
from kernelplay.ui.context_menu import context_menu
from kernelplay.ui.controls import Quiet
from kernelplay.ui.look_picker import LookPicker
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme

MOST_CLASSES = len(CLASS_ROLES)


class Classes(Section):
    """The classes, which of them new points belong to, and a way to add one."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(say("Classes"), parent)
        self._store, self._theme = store, theme
        self._group = QButtonGroup(self)
        self._rows: list[ClassRow] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(1)
        self.body.addLayout(self._list)
        self.add = Quiet(say("+ Add class"), self, say("Add a class with its own colour and shape."))
        self.add.clicked.connect(self._add)
        self.body.addWidget(self.add)
        store.parting.connect(self._give_up)
        store.changed.connect(self._changed)
        store.mode.connect(self._mode)
        self._show()

    @property
    def rows(self) -> tuple[ClassRow, ...]:
        """The rows that are shown."""
        return tuple(self._rows[:len(self._store.scene.classes)])

    def set_theme(self, theme: Theme) -> None:
        """Show the marks in the colours of `theme`."""
        self._theme = theme
        self._show()

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        if new.task != old.task:
            self._give_up()
        if (new.classes, new.looks) != (old.classes, old.looks) or new.classification.cls is not old.classification.cls:
            self._show()

    @Slot()
    def _give_up(self) -> None:
        for row in self._rows:
            row.give_up()

    @Slot()
    def _mode(self) -> None:
        for row in self.rows:
            row.setChecked(row.number == self._store.current_class)

    def _show(self) -> None:
        scene = self._store.scene
        counts = np.bincount(scene.classification.cls, minlength=MOST_CLASSES)
        while len(self._rows) < len(scene.classes):
            row = ClassRow(len(self._rows), self)
            row.clicked.connect(self._chosen)
            row.renamed.connect(self._renamed)
            row.look_wanted.connect(self.choose_look)
            row.moved.connect(self.move_class)
            row.lifted.connect(self._lift)
            row.dropped.connect(self._drop)
            row.menu_wanted.connect(self._menu)
            self._group.addButton(row)
            self._rows.append(row)
            self._list.addWidget(row)
            QWidget.setTabOrder(self._rows[-2] if len(self._rows) > 1 else self.heading, row)
            QWidget.setTabOrder(row, self.add)
        for row in self._rows:
            there = row.number < len(scene.classes)
            row.let_go(False)
            if not there or row.title.full != scene.classes[row.number]:
                row.give_up()
            row.setVisible(there)
        for row in self.rows:
            row.show_class(scene.classes[row.number], int(counts[row.number]))
            row.show_mark(self._theme, scene.roles[row.number])
        self.add.setVisible(len(scene.classes) < MOST_CLASSES)
        self._mode()

    @Slot()
    def _chosen(self) -> None:
        row = self.sender()
        if isinstance(row, ClassRow):
            self._store.use_class(row.number)

    @Slot()
    def _add(self) -> None:
        scene = self._store.scene
        number = len(scene.classes)
        self._store.edit(dataclasses.replace(scene, classes=(*scene.classes, another_name(scene.classes))),
                         say("Add class"))
        self._store.use_class(number)

    @Slot(int, str)
    def _renamed(self, number: int, title: str) -> None:
        scene = self._store.scene
        if number >= len(scene.classes):
            return
        if title in scene.classes:  # rows that are copied or exported could not be told apart
            self._store.say(say("A class named {name} already exists: choose another name.", name=verbatim(title)),
                            problem=True)
            return
        classes = (*scene.classes[:number], title, *scene.classes[number + 1:])
        self._store.edit(dataclasses.replace(scene, classes=classes), say("Rename class"))

    @Slot(int)
    def choose_look(self, number: int) -> None:
        """Open the eight looks for a class to choose from."""
        picker = LookPicker(self._store.scene, number, self._theme, self)
        picker.chosen.connect(self._look_chosen)
        picker.open(self._rows[number].below_mark())

    @Slot(int, int)
    def _look_chosen(self, number: int, look: int) -> None:
        scene = self._store.scene
        if number < len(scene.classes) and look != scene.looks[number]:
            self._store.edit(scene.with_look(number, look), say("Change class colour and shape"))

    @Slot(int, int)
    def move_class(self, number: int, by: int) -> None:
        """Move a class `by` places down the list; it stays that of new points if it was."""
        scene, current = self._store.scene, self._store.current_class
        place = number + by
        if not 0 <= place < len(scene.classes) or not by:
            return
        order = [c for c in range(len(scene.classes)) if c != number]
        order.insert(place, number)
        self._store.edit(scene.with_class_at(number, place), say("Move class"))
        self._store.use_class(order.index(current))
        self._rows[place].setFocus()

    @Slot(int, int)
    def _lift(self, number: int, way: int) -> None:
        """Let a class that is dragged stand among the others where it would be put, `way` pixels from its place."""
        row = self._rows[number]
        step = row.height() + self._list.spacing()
        place = min(max(number + round(way / step), 0), len(self.rows) - 1)
        if self._list.indexOf(row) != place:
            self._list.removeWidget(row)
            self._list.insertWidget(place, row)

    @Slot(int, bool)
    def _drop(self, number: int, here: bool) -> None:
        """Put a class that was dragged where it stands, or back."""
        row = self._rows[number]
        place = self._list.indexOf(row)
        self._list.removeWidget(row)
        self._list.insertWidget(number, row)  # rows have their own places: what they show changes
        if here:
            self.move_class(number, place - number)

    @Slot(int, object)
    def _menu(self, number: int, where: QPoint) -> None:
        menu = context_menu(self._store, self)
        scene, selection = self._store.scene, self._store.selection
        for text, slot, possible in (
            (say("Rename"), self._menu_rename, True),
            (say("Colour and shape…"), self._menu_look, True),
            (say("Move up"), self._menu_up, number > 0),
            (say("Move down"), self._menu_down, number < len(scene.classes) - 1),
            (say("Select its points"), self._menu_select, bool((scene.classification.cls == number).any())),
            (say("Assign selected points to this class"), self._menu_assign, bool(selection)),
            (say("Remove class and its points"), self._menu_remove, len(scene.classes) > 2),
        ):
            action = QAction(str(text), menu)
            action.setData(number)
            action.setEnabled(possible)
            action.triggered.connect(slot)
            menu.addAction(action)
        menu.popup(where)

    def _number(self) -> int:
        action = self.sender()
        return int(action.data()) if isinstance(action, QAction) else 0

    @Slot()
    def _menu_rename(self) -> None:
        self._rows[self._number()].rename()

    @Slot()
    def _menu_look(self) -> None:
        self.choose_look(self._number())

    @Slot()
    def _menu_up(self) -> None:
        self.move_class(self._number(), -1)

    @Slot()
    def _menu_down(self) -> None:
        self.move_class(self._number(), 1)

    @Slot()
    def _menu_select(self) -> None:
        rows = np.flatnonzero(self._store.scene.classification.cls == self._number())
        self._store.select(frozenset(rows.tolist()))

    @Slot()
    def _menu_assign(self) -> None:
        scene = self._store.scene
        self._store.edit(
            scene.with_points(scene.points.assign(self._store.selection, self._number())), say("Change class")
        )

    @Slot()
    def _menu_remove(self) -> None:
        number, scene = self._number(), self._store.scene
        self._store.select(frozenset())
        self._store.edit(scene.without_class(number), say("Remove class"))
