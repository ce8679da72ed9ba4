"""The classes: what new points belong to; names, counts, keys, and a menu for each."""

from __future__ import annotations

import dataclasses

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kernelplay.i18n import plural, say, verbatim
from kernelplay.scene import CLASS_LABELS, CLASS_ROLES, Scene
from kernelplay.ui.controls import Quiet
from kernelplay.ui.labels import Line
from kernelplay.ui.panels import Section
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name, tell

MOST_CLASSES = len(CLASS_ROLES)


class ClassRow(QPushButton):
    """One class: its mark, its name, how many points it has, its key. Pressed: new points are of this class."""

    renamed = Signal(int, str)
    menu_wanted = Signal(int, object)

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.number = number
        self._theme: Theme | None = None
        self.setProperty("look", "row")
        self.setCheckable(True)
        self.setFixedHeight(32)
        self.mark = QLabel(self)
        self.title = Line(verbatim(""), self)
        self.count = Line(verbatim(""), self, look="dim")
        self.count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.key = Line(verbatim(str(number + 1)), self, look="dim")
        self.key.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.editor = QLineEdit(self)
        self.editor.hide()
        name(self.editor, say("Name of the class"))
        self.editor.editingFinished.connect(self._typed)
        for label in (self.mark, self.title, self.count, self.key):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 10, 0)
        row.setSpacing(7)
        row.addWidget(self.mark)
        row.addWidget(self.title, 1)
        row.addWidget(self.editor, 1)
        row.addWidget(self.count)
        row.addWidget(self.key)

    def show_mark(self, theme: Theme) -> None:
        """Show the mark of the class in the colours of `theme`."""
        if theme is not self._theme:
            self._theme = theme
            self.mark.setPixmap(swatch(theme, CLASS_ROLES[self.number]).pixmap(16, 16))

    def show_class(self, title: str, count: int) -> None:
        """Show the name and the number of points."""
        tell(self.title, "say", verbatim(title))
        tell(self.count, "say", plural(count, "{n} point", "{n} points"))
        name(self, say("class {name}, {count}", name=verbatim(title), count=plural(count, "{n} point", "{n} points")))

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
        """F2 renames; Escape leaves the name as it was."""
        if event.key() == Qt.Key.Key_F2:
            self.rename()
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
        if new.classes != old.classes or new.classification.cls is not old.classification.cls:
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
            row.menu_wanted.connect(self._menu)
            self._group.addButton(row)
            self._rows.append(row)
            self._list.addWidget(row)
        for row in self._rows:
            row.setVisible(row.number < len(scene.classes))
        for row in self.rows:
            row.show_class(scene.classes[row.number], int(counts[row.number]))
            row.show_mark(self._theme)
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
        self._store.edit(
            dataclasses.replace(scene, classes=(*scene.classes, str(CLASS_LABELS[number]))), say("Add a class")
        )
        self._store.use_class(number)

    @Slot(int, str)
    def _renamed(self, number: int, title: str) -> None:
        scene = self._store.scene
        classes = (*scene.classes[:number], title, *scene.classes[number + 1:])
        self._store.edit(dataclasses.replace(scene, classes=classes), say("Rename a class"))

    @Slot(int, object)
    def _menu(self, number: int, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        scene, selection = self._store.scene, self._store.selection
        for text, slot, possible in (
            (say("Rename"), self._menu_rename, True),
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
        points = scene.classification
        kept = points.remove(np.flatnonzero(points.cls == number).tolist())
        kept = dataclasses.replace(kept, cls=np.where(kept.cls > number, kept.cls - 1, kept.cls))
        classes = (*scene.classes[:number], *scene.classes[number + 1:])
        self._store.select(frozenset())
        self._store.edit(dataclasses.replace(scene, classification=kept, classes=classes), say("Remove a class"))
        self._store.use_class(min(self._store.current_class, len(classes) - 1))
