"""The table of points: every coordinate can be read and typed, and its selection is that of the canvas."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QEvent, QItemSelection, QItemSelectionModel, QSize, Qt, Slot
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

from kernelplay.i18n import say, verbatim
from kernelplay.ui.controls import Combo
from kernelplay.ui.point_model import Index, PointModel, Role
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name

ROW, HEADER = 24, 26  # heights of a row, and of a header of one line
MANY = 2000  # rows that Qt is told are chosen


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
        self.points.modelAboutToBeReset.connect(self._stop_editing)
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
    def _stop_editing(self) -> None:
        """Drop what is being typed into a cell: its point may be another one after the change."""
        for editor in self.viewport().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if editor.isVisible():
                self.closeEditor(editor, QStyledItemDelegate.EndEditHint.NoHint)

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
