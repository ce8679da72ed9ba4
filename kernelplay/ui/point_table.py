"""The table of points: every coordinate can be read and typed, and its selection is that of the canvas."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from kernelplay.i18n import Say, say, verbatim
from kernelplay.scene import CLASS_ROLES, Points, Scene
from kernelplay.session import LARGEST
from kernelplay.ui.calm import Calm
from kernelplay.ui.controls import Combo
from kernelplay.ui.exchange import in_sight
from kernelplay.ui.number import editable, plain
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
_CELL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_NUMBER = _CELL | Qt.ItemFlag.ItemIsEditable  # made once: a table of 100,000 points asks for them very often
_TICK = _CELL | Qt.ItemFlag.ItemIsUserCheckable
_CLASS = _TICK | Qt.ItemFlag.ItemIsEditable
ROW, HEADER = 24, 26  # heights of a row, and of a header of one line
FEW = 12  # cells that are drawn one by one
MANY = 2000  # rows that Qt is told are chosen


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


class Delegate(QStyledItemDelegate):
    """Draws a cell, as one of a chosen row where the table leaves that to the store."""

    def __init__(self, store: Store, parent: PointTable) -> None:
        super().__init__(parent)
        self._store, self._table = store, parent

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Add what Qt does not know of."""
        super().initStyleOption(option, index)
        if self._table.large and index.row() in self._store.selection:
            option.state |= QStyle.StateFlag.State_Selected


class ClassDelegate(Delegate):
    """Edits the class of a point by a list of the classes."""

    def __init__(self, store: Store, parent: PointTable) -> None:
        super().__init__(store, parent)
        self._editor: Combo | None = None

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a list of the classes."""
        combo = Combo(parent)
        combo.set_options([(str(i), verbatim(title)) for i, title in enumerate(self._store.scene.classes)])
        name(combo, say("Class"))
        combo.chosen.connect(self._chosen)
        self._editor = combo
        return combo

    def destroyEditor(self, editor: QWidget, index: Index) -> None:
        """The table is done with an editor: it may have been reset while the list was open."""
        self._editor = None
        super().destroyEditor(editor, index)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the class of the point."""
        if isinstance(editor, Combo):
            editor.show_key(str(index.data(Role.EditRole)))
            editor.showPopup()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Give the chosen class to the point."""
        if isinstance(editor, Combo) and int(editor.key) != index.data(Role.EditRole):
            model.setData(index, int(editor.key))

    @Slot(str)
    def _chosen(self, key: str) -> None:
        editor = self._editor
        if editor is not None and editor is self.sender():
            self.commitData.emit(editor)
            self.closeEditor.emit(editor)


class PointTable(QTableView):
    """The points as a table; selecting rows selects points, and the other way round.

    More than `MANY` chosen rows are left to the store: Qt looks through all that it is told of at every turn.
    """

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._linking = False
        self._toggles = False  # the selection that comes now is added to the rest, or taken away from it
        self.large = False  # Qt knows nothing of the selection
        self.points = PointModel(store, theme, self)
        self.setModel(self.points)
        self.setItemDelegate(Delegate(store, self))
        self.setItemDelegateForColumn(0, ClassDelegate(store, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
                             | QAbstractItemView.EditTrigger.AnyKeyPressed)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(0, 60)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        self._fit_header()
        self.setMinimumHeight(self.sizeHint().height())
        header.setMinimumSectionSize(40)
        name(
            self, say("Table of points"), say("Double click or F2 edits a cell; the tick switches a point off and on.")
        )
        self.selectionModel().selectionChanged.connect(self._rows_selected)
        self.points.modelReset.connect(self._reset)
        store.selected.connect(self._points_selected)

    def set_theme(self, theme: Theme) -> None:
        """Show the classes in the colours of `theme`."""
        self.points.set_theme(theme)

    def sizeHint(self) -> QSize:
        """Return room for the header and four rows; where there is more, the panel gives it."""
        return QSize(super().sizeHint().width(), self.horizontalHeader().height() + 4 * ROW + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find out again whether the names fit into one line."""
        super().resizeEvent(event)
        self._fit_header()

    def _fit_header(self) -> None:
        """Give the header the lines that the names of the axes need, at most two."""
        header = self.horizontalHeader()
        font = header.font()
        font.setWeight(QFont.Weight.DemiBold)
        names = [str(self.points.headerData(column, Qt.Orientation.Horizontal)) for column in (1, 2)]
        widest = max(map(QFontMetrics(font).horizontalAdvance, names))
        long = widest + 16 > header.sectionSize(1) and any(" " in each for each in names)
        header.setTextElideMode(Qt.TextElideMode.ElideNone if long else Qt.TextElideMode.ElideRight)
        header.setFixedHeight(HEADER + (QFontMetrics(font).height() if long else 0))

    @Slot()
    def _reset(self) -> None:
        self._fit_header()
        self._points_selected(self._store.selection)

    def selectAll(self) -> None:
        """Select all points."""
        self._store.select(frozenset(range(self.points.rowCount())))

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Return what Qt does with the selection, taking note of it."""
        command = super().selectionCommand(index, event)
        self._toggles = bool(command & QItemSelectionModel.SelectionFlag.Toggle)
        return command

    @Slot()
    def _rows_selected(self) -> None:
        if not self._linking:
            ranges = self.selectionModel().selection().toList()
            rows = frozenset(row for each in ranges for row in range(each.top(), each.bottom() + 1))
            if self.large and self._toggles:
                rows ^= self._store.selection
            self._linking = True
            self._store.select(rows)
            self._linking = False
            if self.large or len(rows) > MANY:
                self._show_chosen(rows, scroll=False)

    @Slot(object)
    def _points_selected(self, rows: frozenset[int]) -> None:
        if not self._linking:
            self._show_chosen(rows)

    def _show_chosen(self, rows: frozenset[int], scroll: bool = True) -> None:
        self._linking = True
        self.large = len(rows) > MANY
        self.viewport().update()
        selection = QItemSelection()
        order = np.sort(np.fromiter(() if self.large else rows, np.intp))
        order = order[order < self.points.rowCount()]
        for run in np.split(order, np.flatnonzero(np.diff(order) > 1) + 1) if len(order) else []:
            selection.select(self.points.index(int(run[0]), 0), self.points.index(int(run[-1]), 2))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if len(order) and scroll:
            self.scrollTo(self.points.index(int(order[0]), 0))
        self._linking = False

    def event(self, event: QEvent) -> bool:
        """Let the keys that edit text and move in the table stay here, whatever shortcuts there are."""
        if event.type() == QEvent.Type.ShortcutOverride and self.state() == QAbstractItemView.State.EditingState:
            event.accept()
            return True
        return super().event(event)
