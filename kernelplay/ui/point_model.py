"""The points as rows and columns: what a table of them shows, and what it does with what is typed."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import CLASS_ROLES, Points, Scene
from kernelplay.session import LARGEST
from kernelplay.ui.calm import Calm
from kernelplay.ui.exchange import in_sight
from kernelplay.ui.number import editable, plain
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
_CELL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_NUMBER = _CELL | Qt.ItemFlag.ItemIsEditable  # made once: a table of 100,000 points asks for them very often
_TICK = _CELL | Qt.ItemFlag.ItemIsUserCheckable
_CLASS = _TICK | Qt.ItemFlag.ItemIsEditable
FEW = 12  # cells that are drawn one by one


class PointModel(QAbstractTableModel):
    """The points of the current task as a table: class, with the tick that switches a point on, and two coordinates."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._store = store
        self._scene = store.scene
        self._n = len(store.scene.points)
        self._told = store.scene  # as the view was told last
        self._calm = Calm(self)
        self._calm.due.connect(self._tell)
        self.theme = theme
        store.changed.connect(self._changed)

    @property
    def points(self) -> Points:
        """The points that are shown."""
        return self._scene.points

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        before, after = self._scene, new
        if before.points is after.points and before.classes == after.classes:
            self._scene = after
            return
        if len(before.points) != len(after.points) or before.task != after.task:
            self.beginResetModel()
            self._scene, self._n = after, len(after.points)
            self._told = after
            self.endResetModel()
            return
        self._scene = after
        self._calm.ask()

    @Slot()
    def _tell(self) -> None:
        """Tell which cells show something else now than when it was told last."""
        then, now = self._told, self._scene
        self._told = now
        if then.points is now.points and then.classes == now.classes:
            return
        was, points = then.points, now.points
        classes = (was.cls != points.cls) | (was.on != points.on) | (then.classes != now.classes)
        other = np.column_stack([classes, was.xy != points.xy])  # (n, 3), as the table has them
        cells = np.argwhere(other)
        if len(cells) <= FEW:  # each for itself is drawn for itself
            for row, column in cells.tolist():
                self.dataChanged.emit(self.index(row, column), self.index(row, column))
        else:
            self.dataChanged.emit(self.index(int(cells[0, 0]), 0), self.index(int(cells[-1, 0]), 2))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of points."""
        return 0 if parent.isValid() else self._n

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return 3: class, and two coordinates."""
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Return the names of the axes; rows are counted from 1."""
        if role not in (Role.DisplayRole, Role.ToolTipRole):
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1)
        if section == 0:
            return str(say("Class")) if self._scene.task == "classification" else str(say("On"))
        return str(verbatim(self.points.names[section - 1]))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every cell can be edited; the first is a tick too."""
        if index.column() > 0:
            return _NUMBER
        return _CLASS if self._scene.task == "classification" else _TICK

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what a cell shows."""
        row, column = index.row(), index.column()
        points = self.points
        if row >= len(points):
            return None
        if column == 0:
            return self._class(row, role)
        value = float(points.xy[row, column - 1])
        if role == Role.DisplayRole:
            return editable(float(f"{value:.3g}"))
        if role == Role.EditRole:
            return repr(value)
        if role == Role.ToolTipRole:
            return str(say("{axis} of point {row}: {value}", axis=verbatim(points.names[column - 1]), row=row + 1,
                           value=verbatim(editable(value))))
        if role == Role.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _class(self, row: int, role: int) -> Any:
        points = self.points
        if role == Role.CheckStateRole:
            return Qt.CheckState.Checked if points.on[row] else Qt.CheckState.Unchecked
        if self._scene.task == "regression":
            return None
        number = int(points.cls[row])
        if role == Role.DecorationRole:
            return swatch(self.theme, CLASS_ROLES[number])
        if role in (Role.DisplayRole, Role.ToolTipRole):
            return str(verbatim(self._scene.classes[number]))
        return number if role == Role.EditRole else None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        """Take an edit of a cell."""
        scene, row, column = self._store.scene, index.row(), index.column()
        if role == Role.CheckStateRole:
            on = Qt.CheckState(value) == Qt.CheckState.Checked
            self._store.edit(scene.with_points(scene.points.switch([row], on)), switch_label(1, on))
            return True
        if role != Role.EditRole:
            return False
        if column == 0:
            self._store.edit(scene.with_points(scene.points.assign([row], int(value))), say("Change the class"))
            return True
        number = coordinate(str(value))
        if number is None:
            self._store.say(say("{value} is not a coordinate: type a number such as 1.5 or −0.2.", value=str(value)),
                            problem=True)
            return False
        place = scene.points.xy[row].copy()
        if place[column - 1] == number:
            return False
        place[column - 1] = number
        moved = scene.points.move([row], place)
        only = moved.remove([other for other in range(len(moved)) if other != row])
        self._store.edit(in_sight(self._store, scene.with_points(moved), only), say("Move a point"))
        return True

    def retranslate(self) -> None:
        """Say the headers again."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, 2)

    def set_theme(self, theme: Theme) -> None:
        """Show the classes in the colours of `theme`."""
        self.theme = theme
        if len(self.points):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.points) - 1, 0))


def coordinate(text: str) -> float | None:
    """Return the coordinate that was typed, or None if it is not a finite number of a reasonable size."""
    try:
        value = float(plain(text))
    except ValueError:
        return None
    return value if abs(value) <= LARGEST else None


def switch_label(n: int, on: bool) -> Say:
    """Return the name of the step that switches points on or off."""
    if n == 1:
        return say("Switch a point on") if on else say("Switch a point off")
    return say("Switch points on") if on else say("Switch points off")
