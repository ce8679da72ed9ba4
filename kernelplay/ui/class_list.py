"""The classes: what new points belong to; names, counts, keys, and a menu for each."""

from __future__ import annotations

import dataclasses

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kernelplay.i18n import plural, say, verbatim
from kernelplay.marks import Role
from kernelplay.scene import CLASS_ROLES, Scene, another_name
from kernelplay.ui.controls import Quiet
from kernelplay.ui.labels import Line
from kernelplay.ui.look_picker import LookPicker
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name, tell

MOST_CLASSES = len(CLASS_ROLES)


class ClassRow(QPushButton):
    """One class: its mark, its name, how many points it has, its key. Pressed: new points are of this class.

    A click on the mark chooses another look; a double click or F2 renames; Alt with Up and Down moves it in the list.
    """

    renamed = Signal(int, str)
    look_wanted = Signal(int)
    moved = Signal(int, int)  # the class, and by how many places
    menu_wanted = Signal(int, object)

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.number = number
        self._worn: object = None
        self.setProperty("look", "row")
        self.setCheckable(True)
        self.setFixedHeight(32)
        self.mark = QToolButton(self)
        self.mark.setFixedSize(26, 26)
        self.mark.setProperty("look", "mark")
        self.mark.setIconSize(QSize(16, 16))
        self.mark.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the menu of the class has it for the keyboard
        self.mark.clicked.connect(self._mark_clicked)
        self.title = Line(verbatim(""), self)
        self.count = Line(verbatim(""), self, look="dim")
        self.count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.key = Line(verbatim(str(number + 1)), self, look="dim")
        self.key.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.editor = QLineEdit(self)
        self.editor.hide()
        name(self.editor, say("Name of the class"))
        self.editor.editingFinished.connect(self._typed)
        for label in (self.title, self.count, self.key):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 0, 10, 0)
        row.setSpacing(3)
        row.addWidget(self.mark)
        row.addWidget(self.title, 1)
        row.addWidget(self.editor, 1)
        row.addSpacing(4)
        row.addWidget(self.count)
        row.addSpacing(4)
        row.addWidget(self.key)

    def show_mark(self, theme: Theme, role: Role) -> None:
        """Show the mark of the class, that of `role`, in the colours of `theme`."""
        if (theme, role) != self._worn:
            self._worn = (theme, role)
            self.mark.setIcon(swatch(theme, role))

    def show_class(self, title: str, count: int) -> None:
        """Show the name and the number of points."""
        tell(self.title, "say", verbatim(title))
        tell(self.count, "say", plural(count, "{n} point", "{n} points"))
        name(self, say("class {name}, {count}", name=verbatim(title), count=plural(count, "{n} point", "{n} points")))
        name(self.mark, say("Colour and shape of class {name}", name=verbatim(title)),
             say("Chooses the colour and the shape of this class."))

    @Slot()
    def _mark_clicked(self) -> None:
        self.look_wanted.emit(self.number)

    def below_mark(self) -> QPoint:
        """Return where on the screen a list opens that belongs to the mark."""
        return self.mapToGlobal(QPoint(3, self.height()))

    def rename(self) -> None:
        """Let the name be typed."""
        self.editor.setText(self.title.full)
        self.title.hide()
        self.editor.show()
        self.editor.setFocus()
        self.editor.selectAll()

    @Slot()
    def _typed(self) -> None:
        if self.editor.isHidden():
            return
        text = self.editor.text().strip()
        self.editor.hide()
        self.title.show()
        if text and text != self.title.full:
            self.renamed.emit(self.number, text)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click renames."""
        self.rename()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames, Alt with Up and Down moves; Escape leaves the name as it was."""
        if event.key() == Qt.Key.Key_F2:
            self.rename()
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(self.number, -1 if event.key() == Qt.Key.Key_Up else 1)
        elif event.key() == Qt.Key.Key_Escape and not self.editor.isHidden():
            self.editor.hide()
            self.title.show()
            self.setFocus()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: object) -> None:
        """Ask for the menu of the class."""
        self.menu_wanted.emit(self.number, self.mapToGlobal(QPoint(12, self.height())))


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
        self.add = Quiet(say("+ add a class"), self, say("Adds a class with a colour and a shape of its own."))
        self.add.clicked.connect(self._add)
        self.body.addWidget(self.add)
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
        if (new.classes, new.looks) != (old.classes, old.looks) or new.classification.cls is not old.classification.cls:
            self._show()

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
            row.menu_wanted.connect(self._menu)
            self._group.addButton(row)
            self._rows.append(row)
            self._list.addWidget(row)
        for row in self._rows:
            row.setVisible(row.number < len(scene.classes))
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
                         say("Add a class"))
        self._store.use_class(number)

    @Slot(int, str)
    def _renamed(self, number: int, title: str) -> None:
        scene = self._store.scene
        if title in scene.classes:  # rows that are copied or exported could not be told apart
            self._store.say(say("There is a class {name} already: choose another name.", name=verbatim(title)),
                            problem=True)
            return
        classes = (*scene.classes[:number], title, *scene.classes[number + 1:])
        self._store.edit(dataclasses.replace(scene, classes=classes), say("Rename a class"))

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
            self._store.edit(scene.with_look(number, look), say("Change the look of a class"))

    @Slot(int, int)
    def move_class(self, number: int, by: int) -> None:
        """Move a class `by` places down the list; it stays that of new points if it was."""
        scene, current = self._store.scene, self._store.current_class
        place = number + by
        if not 0 <= place < len(scene.classes):
            return
        order = [c for c in range(len(scene.classes)) if c != number]
        order.insert(place, number)
        self._store.edit(scene.with_class_at(number, place), say("Move a class"))
        self._store.use_class(order.index(current))
        self._rows[place].setFocus()

    @Slot(int, object)
    def _menu(self, number: int, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        scene, selection = self._store.scene, self._store.selection
        for text, slot, possible in (
            (say("Rename"), self._menu_rename, True),
            (say("Colour and shape…"), self._menu_look, True),
            (say("Move up"), self._menu_up, number > 0),
            (say("Move down"), self._menu_down, number < len(scene.classes) - 1),
            (say("Select its points"), self._menu_select, bool((scene.classification.cls == number).any())),
            (say("Give this class to the selected points"), self._menu_assign, bool(selection)),
            (say("Remove the class and its points"), self._menu_remove, len(scene.classes) > 2),
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
            scene.with_points(scene.points.assign(self._store.selection, self._number())), say("Change the class")
        )

    @Slot()
    def _menu_remove(self) -> None:
        number, scene = self._number(), self._store.scene
        self._store.select(frozenset())
        self._store.edit(scene.without_class(number), say("Remove a class"))
