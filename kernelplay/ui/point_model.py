"""The points as rows and columns (one file: what a table of them shows, in which order, and what is typed, share one
numbering of the rows)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import Points, Scene
from kernelplay.session import LARGEST
from kernelplay.ui.calm import Calm
from kernelplay.ui.exchange import in_sight
from kernelplay.ui.missing import missing
from kernelplay.ui.number import editable, plain
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
Rows = NDArray[np.intp]
ON, X, Y, CLASS = range(4)  # the columns
_NOWHERE = QModelIndex()
_CELL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_VALUE = _CELL | Qt.ItemFlag.ItemIsEditable  # made once: a table of 100,000 points asks for them very often
_TICK = _CELL | Qt.ItemFlag.ItemIsUserCheckable
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
_HEADS = (_CENTRE, *(int(Qt.AlignmentFlag.AlignVCenter | side | Qt.TextFlag.TextWordWrap) for side in (
    Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft)))  # as the cells below them
RUNS = 32  # runs of rows that come or go one by one; more of them, and the table is read anew
SAMPLE = 2000  # numbers of a column that are asked how many decimals they need
FEW = 12  # cells that are drawn one by one
WIDE = 9  # letters of a number that a cell has room for


class PointModel(QAbstractTableModel):
    """The points of the current task as a table: a tick that switches a point on, two coordinates, and the class.

    Below the points there is one row more: what is typed there is a new point as soon as it has both coordinates. A
    row of the table is not the row of a point where the table is sorted: `point` and `rows` know which is which.
    """

    shifting = Signal(bool)  # rows are about to come or go: True; they have come or gone: False

    def __init__(self, store: Store, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._store = store
        self._scene = store.scene
        self._n = len(store.scene.points)
        self._told = store.scene  # as the view was told last
        self._sorted: tuple[int, Qt.SortOrder] | None = None
        self._order: Rows | None = None  # the point of each row; None: as they are
        self._places: Rows | None = None  # the row of each point
        self._begun: dict[int, float] = {}  # what was typed below the points, by column
        self._calm = Calm(self)
        self._calm.due.connect(self._tell)
        self.refused = False  # what was typed last could not be used
        self.theme = theme
        store.changed.connect(self._changed)

    @property
    def points(self) -> Points:
        """The points that are shown."""
        return self._scene.points

    @property
    def is_sorted(self) -> bool:
        """Whether the points are shown in another order than their own."""
        return self._sorted is not None

    def point(self, row: int) -> int:
        """Return the row in `points` of the point that `row` of the table shows."""
        return row if self._order is None else int(self._order[row])

    def points_of(self, rows: Iterable[int]) -> frozenset[int]:
        """Return the points of these rows of the table, without the one below the points."""
        some = np.fromiter(rows, np.intp)
        some = some[some < self._n]
        return frozenset((some if self._order is None else self._order[some]).tolist())

    def rows(self, points: Iterable[int]) -> Rows:
        """Return the rows of the table of these points, from above."""
        some = np.fromiter(points, np.intp)
        some = some[some < self._n]
        return np.sort(some if self._places is None else self._places[some])

    # the scene

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        before, after = self._scene, new
        if self._store.opening:  # another document
            self._begun, self._sorted = {}, None
        elif before.points is after.points and _named(before) == _named(after):
            self._scene = after
            return
        if self._store.opening or len(before.points) != len(after.points) or before.task != after.task:
            if not self._store.opening and self._come_and_go(before, after):
                return
            self.beginResetModel()
            self._scene, self._n = after, len(after.points)
            self._told = after
            if before.task != after.task or not self._n:
                self._sorted, self._begun = None, {}
            self._put_in_order(len(before.points) if len(after.points) > len(before.points) else 0)
            self.endResetModel()
            return
        self._scene = after
        self._calm.ask()

    def _come_and_go(self, before: Scene, after: Scene) -> bool:
        """Tell of the rows that are new or gone, if that is all that has changed; the others stay, sorted or not."""
        was, now = before.points, after.points
        if before.task != after.task or _named(before) != _named(after) or was.names != now.names or not len(now):
            return False
        fewer = len(now) < len(was)
        rows = missing(was, now) if fewer else missing(now, was)
        if rows is None:
            return False
        shown = np.arange(self._n) if self._order is None else self._order
        kept = np.delete(np.arange(max(len(was), len(now))), rows)  # where the points that stay are among the more
        places = rows  # in the table: what comes into a sorted one stands at its end
        if self._places is not None:
            places = np.sort(self._places[rows]) if fewer else np.arange(self._n, len(now))
        runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
        if len(runs) > RUNS:
            return False
        self._tell()
        self.shifting.emit(True)
        if fewer:
            for run in reversed(runs):
                first, last = int(run[0]), int(run[-1])
                self.beginRemoveRows(_NOWHERE, first, last)
                self._order = shown = np.delete(shown, slice(first, last + 1))
                self._n = len(shown)
                self.endRemoveRows()
            number = np.full(len(was), -1)
            number[kept] = np.arange(len(now))
            shown = number[shown]
        else:
            self._scene, shown = after, kept[shown]
            self._order = shown
            new = iter(rows.tolist())
            for run in runs:
                first, last = int(run[0]), int(run[-1])
                self.beginInsertRows(_NOWHERE, first, last)
                self._order = shown = np.insert(shown, first, [next(new) for _ in run])
                self._n = len(shown)
                self.endInsertRows()
        self._scene = self._told = after
        self._keep_order(shown if self._sorted is not None else None)
        self.shifting.emit(False)
        return True

    @Slot()
    def _tell(self) -> None:
        """Tell which cells show something else now than when it was told last."""
        then, now = self._told, self._scene
        self._told = now
        if then.points is now.points and _named(then) == _named(now):
            return
        was, points = then.points, now.points
        classes = (was.cls != points.cls) | (_named(then) != _named(now))
        other = np.column_stack([was.on != points.on, was.xy != points.xy, classes])[:, :self.columnCount()]
        cells = np.argwhere(other)
        if self._places is not None:
            cells[:, 0] = self._places[cells[:, 0]]
        if len(cells) <= FEW:  # each for itself is drawn for itself
            for row, column in cells.tolist():
                self.dataChanged.emit(self.index(row, column), self.index(row, column))
        else:
            top, bottom = int(cells[:, 0].min()), int(cells[:, 0].max())
            self.dataChanged.emit(self.index(top, 0), self.index(bottom, self.columnCount() - 1))

    # the order

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Show the points in the order of a column; -1: in their own. They themselves stay as they are."""
        wanted = (column, order) if 0 <= column < self.columnCount() else None
        if wanted is None and self._sorted is None:
            return
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        points = [self.point(index.row()) if index.row() < self._n else self._n for index in kept]
        self._sorted = wanted
        self._put_in_order(0)
        places = self._places
        self.changePersistentIndexList(kept, [
            self.index(point if places is None or point == self._n else int(places[point]), index.column())
            for index, point in zip(kept, points, strict=True)])
        self.layoutChanged.emit()

    def _put_in_order(self, known: int) -> None:
        """Find the order of the rows; the first `known` points keep theirs: nothing jumps while points are added."""
        if self._sorted is None:
            self._order = self._places = None
            return
        column, order = self._sorted
        if known and self._order is not None and len(self._order) == known:
            self._order = np.concatenate([self._order, np.arange(known, self._n)])
        else:
            points = self.points
            values: NDArray[Any] = (~points.on if column == ON else points.cls if column == CLASS else
                                    points.xy[:, column - X])
            found = np.argsort(values, kind="stable")
            if order == Qt.SortOrder.DescendingOrder:
                found = np.argsort(-values.astype(float), kind="stable")
            self._order = found
        self._keep_order(self._order)

    def _keep_order(self, order: Rows | None) -> None:
        """Take `order` as that of the rows; None: the points are shown as they are."""
        self._order = self._places = order
        if order is not None:
            self._places = np.empty_like(order)
            self._places[order] = np.arange(self._n)

    # what a view asks for

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of points and one: the row where a new one is typed."""
        return 0 if parent.isValid() else self._n + 1

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return 4: the tick, two coordinates, the class; in regression there are no classes."""
        return 0 if parent.isValid() else 4 if self._scene.task == "classification" else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Return the names of the axes, and the numbers of the points, which are counted from 1."""
        if role == Role.TextAlignmentRole:
            return _RIGHT if orientation == Qt.Orientation.Vertical else _HEADS[section]
        if role not in (Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole):
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(self.point(section) + 1) if section < self._n else ""
        if section == ON:
            return "✓" if role == Role.DisplayRole else str(say("On"))
        if section == CLASS:
            return str(say("Class"))
        return str(verbatim(self.points.names[section - X]))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every cell can be edited, the first as a tick."""
        if index.column() != ON:
            return _VALUE
        return _TICK if index.row() < self._n else _CELL

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what a cell shows."""
        row, column = index.row(), index.column()
        if row > self._n:
            return None
        if row == self._n:
            return self._new(column, role)
        points, row = self.points, self.point(row)
        if column == ON:
            if role == Role.CheckStateRole:
                return Qt.CheckState.Checked if points.on[row] else Qt.CheckState.Unchecked
            return None
        if column == CLASS:
            return self._class(int(points.cls[row]), role)
        value = float(points.xy[row, column - X])
        if role == Role.DisplayRole:
            return shown(value)
        if role == Role.EditRole:
            return repr(value)
        if role == Role.ToolTipRole:
            return str(say("{axis} of point {row}: {value}", axis=verbatim(points.names[column - X]), row=row + 1,
                           value=verbatim(repr(value).replace("-", "−"))))
        return _RIGHT if role == Role.TextAlignmentRole else None

    def _class(self, number: int, role: int) -> Any:
        if role == Role.DecorationRole:
            return swatch(self.theme, self._scene.roles[number])
        if role in (Role.DisplayRole, Role.ToolTipRole):
            return str(verbatim(self._scene.classes[number]))
        return number if role == Role.EditRole else None

    def _new(self, column: int, role: int) -> Any:
        """Return what a cell of the row below the points shows."""
        if role == Role.ToolTipRole:
            return str(say("Enter both coordinates here to add a point."))
        if role == Role.TextAlignmentRole:
            return _CENTRE if column == ON else _RIGHT
        if column == ON:
            return "+" if role == Role.DisplayRole else None
        if column == CLASS:
            return self._class(self._store.current_class, role) if role == Role.EditRole else None
        if role in (Role.DisplayRole, Role.EditRole) and column in self._begun:
            value = self._begun[column]
            return shown(value) if role == Role.DisplayRole else repr(value)
        return None

    # what is typed

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        """Take an edit of a cell, as one step; what cannot be used changes nothing and is said."""
        self.refused = False
        row, column = index.row(), index.column()
        if role == Role.CheckStateRole and row < self._n:
            on = Qt.CheckState(value) == Qt.CheckState.Checked
            self._put(self._scene.points.switch([self.point(row)], on), switch_label(1, on))
            return True
        if role != Role.EditRole or column == ON:
            return False
        if column == CLASS:
            return self._give_class(row, int(value))
        if row == self._n and not str(value).strip():
            return self._begun.pop(column, None) is not None
        number = coordinate(str(value))
        if number is None:
            self.refused = True
            self._store.say(no_coordinate(str(value)), problem=True)
            return False
        return self._begin(column, number) if row == self._n else self._move(self.point(row), column, number)

    def _put(self, points: Points, label: Say) -> None:
        self._store.edit(self._store.scene.with_points(points), label)

    def _give_class(self, row: int, cls: int) -> bool:
        if row == self._n:
            self._store.use_class(cls)  # of new points
            return True
        row = self.point(row)
        if self.points.cls[row] == cls or cls >= len(self._scene.classes):
            return False
        self._put(self.points.assign([row], cls), say("Change class"))
        return True

    def _move(self, row: int, column: int, number: float) -> bool:
        place = self.points.xy[row].copy()
        if place[column - X] == number:
            return False
        place[column - X] = number
        self._see(self.points.move([row], place), row, say("Move point"))
        return True

    def _begin(self, column: int, number: float) -> bool:
        """Take a coordinate of a point that is being made; with the other one it becomes a point."""
        self._begun[column] = number
        if len(self._begun) == 2:
            place, self._begun = (self._begun[X], self._begun[Y]), {}
            self._see(self.points.add(place, self._store.current_class if self.columnCount() > CLASS else 0),
                      len(self.points), say("Add point"))
        return True

    def _see(self, points: Points, row: int, label: Say) -> None:
        """Make `points` current, with `row` of them in sight."""
        only = Points(points.xy[[row]])
        self._store.edit(in_sight(self._store, self._store.scene.with_points(points), only), label)

    def retranslate(self) -> None:
        """Say the headers again."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def set_theme(self, theme: Theme) -> None:
        """Show the classes in the colours of `theme`."""
        self.theme = theme
        last = self.columnCount() - 1
        self.dataChanged.emit(self.index(0, last), self.index(self._n, last))


def _named(scene: Scene) -> object:
    """Return what the cells of the classes show besides their numbers."""
    return scene.classes, scene.looks


def coordinate(text: str) -> float | None:
    """Return the coordinate that was typed, or None if it is not a finite number of a reasonable size."""
    try:
        value = float(plain(text))
    except ValueError:
        return None
    return value if abs(value) <= LARGEST else None


def no_coordinate(text: str) -> Say:
    """Return why `text` is no coordinate, and what would be one."""
    short = verbatim(text if len(text) <= 40 else f"{text[:40]}…")
    try:
        far = abs(float(plain(text))) > LARGEST
    except ValueError:
        far = False
    return (say("{value} is out of range: coordinates must be between −1e100 and 1e100.", value=short) if far else
            say("{value} is not a coordinate: enter a number such as 1.5 or −0.2.", value=short))


def is_short(text: str) -> bool:
    """Whether a cell usually has room for `text`."""
    return len(text) <= WIDE


def decimals(values: NDArray[np.float64], fits: Callable[[str], bool]) -> int | None:
    """Return how many decimals all of `values` (n,) are shown with, at most six: as many as they need, or as a cell has
    room for; None if there is no room for the largest of them."""
    if not len(values):
        return 0
    some = values[::max(1, len(values) // SAMPLE)]
    most = next((n for n in range(6) if (np.abs(np.round(some, n) - some) <= 1e-9 * np.abs(some)).all()), 6)
    ends = (float(values.min()), float(values.max()))
    return next((n for n in range(most, -1, -1) if all(fits(fixed(end, n)) for end in ends)), None)


def fixed(value: float, places: int) -> str:
    """Return `value` with so many decimals; what rounds to zero has no sign."""
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")


def shown(value: float, fits: Callable[[str], bool] = is_short) -> str:
    """Return `value` as a cell has room for it: exactly if that fits, else rounded to as many digits as do."""
    exact = repr(value + 0.0).removesuffix(".0").replace("-", "−")
    rounded = (editable(float(f"{value:.{digits}g}")) for digits in range(6, 0, -1))
    return next((text for text in (exact, *rounded) if fits(text)), "…")


def switch_label(n: int, on: bool) -> Say:
    """Return the name of the step that switches points on or off."""
    if n == 1:
        return say("Switch point on") if on else say("Switch point off")
    return say("Switch points on") if on else say("Switch points off")
