"""The table of points, edited like a spreadsheet; its selection is that of the canvas."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QWidget,
)

from kernelplay.i18n import say, verbatim
from kernelplay.ui.cell_block import is_block, put_block
from kernelplay.ui.cell_delegates import Cell, ClassCell, NumberCell
from kernelplay.ui.point_model import CLASS, ON, Index, PointModel, X, Y
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name

ROW, HEADER = 24, 26  # heights of a row, and of a header of one line
MANY = 2000  # rows that Qt is told are chosen
Key, Hint = Qt.Key, QAbstractItemDelegate.EndEditHint


class PointTable(QTableView):
    """The points as a table; selecting rows selects points, and the other way round.

    More than `MANY` chosen rows are left to the store: Qt looks through all that it is told of at every turn.
    Who comes here with Tab alone goes on with Tab; once a cell was clicked, typed into or reached with an arrow, Tab
    goes to the next cell, and Escape leaves.
    """

    left = Signal()  # by Escape
    pointed = Signal(object)  # point whose row is under the pointer, or None

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._linking = False
        self._toggles = False  # the selection that comes now is added to the rest, or taken away from it
        self.large = False  # Qt knows nothing of the selection
        self._inside = False  # Tab stays here
        self._going = False  # to a cell that is to be the only one, whatever modifiers are held
        self._at = (0, X)  # the current cell, which a reset forgets
        self._began = X  # the column where Enter comes back to
        self.points = PointModel(store, theme, self)
        self.setModel(self.points)
        self.setItemDelegate(Cell(store, self))
        self.setItemDelegateForColumn(X, NumberCell(store, self))
        self.setItemDelegateForColumn(Y, NumberCell(store, self))
        self.setItemDelegateForColumn(CLASS, ClassCell(store, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
                             | QAbstractItemView.EditTrigger.AnyKeyPressed)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.entered.connect(self._entered)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setSectionsClickable(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        sized(self.verticalHeader(), "setDefaultSectionSize", ROW)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(24)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        self._fit_columns()
        self.setMinimumHeight(self.sizeHint().height())
        name(self, say("Table of points"), say("Type, double-click or press F2 to edit a cell; the checkbox switches a "
                                               "point off or on; click a heading to sort."))
        self.selectionModel().selectionChanged.connect(self._rows_selected)
        self.selectionModel().currentChanged.connect(self._current)
        self.points.modelAboutToBeReset.connect(self._stop_editing)
        self.points.modelReset.connect(self._reset)
        self.points.shifting.connect(self._shift)
        store.selected.connect(self._points_selected)

    # how it looks

    def set_theme(self, theme: Theme) -> None:
        """Show the classes in the colours of `theme`."""
        self.points.set_theme(theme)

    def sizeHint(self) -> QSize:
        """Return room for the header and four rows; where there is more, the panel gives it."""
        return QSize(super().sizeHint().width(), self.horizontalHeader().height() + 4 * px(ROW) + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find out again whether the names fit into one line."""
        super().resizeEvent(event)
        self._fit_columns()

    def retranslate(self) -> None:
        """Find out again how much room words and rows need."""
        self._fit_columns()
        self.setMinimumHeight(self.sizeHint().height())

    def _fit_columns(self) -> None:
        """Give the columns their widths, and the header the lines that the names of the axes need, at most two."""
        header = self.horizontalHeader()
        for column in range(self.points.columnCount()):
            mode = QHeaderView.ResizeMode.Stretch if column in (X, Y) else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(column, mode)
        header.resizeSection(ON, px(24))
        digits = "0" * len(str(max(99, len(self.points.points))))
        numbers = self.verticalHeader()
        numbers.setFixedWidth(QFontMetrics(numbers.font()).horizontalAdvance(digits) + px(11))
        if self.points.columnCount() > CLASS:
            widest = max(self.fontMetrics().horizontalAdvance(str(verbatim(title))) for title in
                         self._store.scene.classes)
            most = max(px(74), self.viewport().width() // 3)
            header.resizeSection(CLASS, max(px(58), min(most, px(42) + widest)))
        font = header.font()
        font.setWeight(QFont.Weight.DemiBold)
        names = [str(self.points.headerData(column, Qt.Orientation.Horizontal)) for column in (X, Y)]
        others = sum(header.sectionSize(column) for column in range(self.points.columnCount()) if column not in (X, Y))
        metrics, room = QFontMetrics(font), (self.viewport().width() - others) // 2 - px(10)
        long = max(map(metrics.horizontalAdvance, names)) > room and all(_in_two(each, metrics, room) for each in names)
        header.setTextElideMode(Qt.TextElideMode.ElideNone if long else Qt.TextElideMode.ElideRight)
        header.setFixedHeight(px(HEADER) + (metrics.height() if long else 0))

    # the model

    @Slot()
    def _stop_editing(self) -> None:
        """Drop what is being typed into a cell: its point may be another one after the change."""
        for editor in self.viewport().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if editor.isVisible():
                self.closeEditor(editor, Hint.NoHint)

    @Slot()
    def _reset(self) -> None:
        self._fit_columns()
        header = self.horizontalHeader()
        if not self.points.is_sorted and header.sortIndicatorSection() >= 0:
            header.blockSignals(True)
            header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            header.blockSignals(False)
        self._points_selected(self._store.selection)
        if self.hasFocus() or self._inside:
            self._go(*self._at, select=False)

    @Slot(bool)
    def _shift(self, begins: bool) -> None:
        """Leave the selection to the store while rows come and go: what Qt makes of it meanwhile is nobody's wish."""
        self._linking = begins
        if begins:
            self._stop_editing()
        else:
            self._show_chosen(self._store.selection, scroll=False)
            self._current()

    def _go(self, row: int, column: int, select: bool = True) -> None:
        """Make a cell current, or the nearest there is; `select`: and its row the only one that is selected."""
        row = max(0, min(row, self.points.rowCount() - 1))
        index = self.points.index(row, max(0, min(column, self.points.columnCount() - 1)))
        if select:
            self._going = True
            self.setCurrentIndex(index)
            self._going = False
        else:
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.scrollTo(index)

    @Slot()
    def _current(self) -> None:
        index = self.currentIndex()
        if index.isValid():
            self._at = (index.row(), index.column())

    @Slot(QModelIndex)
    def _entered(self, index: QModelIndex) -> None:
        row = index.row()
        self.pointed.emit(self.points.point(row) if row < len(self.points.points) else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self.pointed.emit(None)

    # the selection

    def selectAll(self) -> None:
        """Select all points."""
        self._store.select(frozenset(range(len(self.points.points))))

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Return what Qt does with the selection, taking note of it."""
        flag = QItemSelectionModel.SelectionFlag
        command = flag.ClearAndSelect | flag.Rows if self._going else super().selectionCommand(index, event)
        self._toggles = bool(command & QItemSelectionModel.SelectionFlag.Toggle)
        return command

    @Slot()
    def _rows_selected(self) -> None:
        if not self._linking:
            ranges = self.selectionModel().selection().toList()
            rows = self.points.points_of(row for each in ranges for row in range(each.top(), each.bottom() + 1))
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
        order = self.points.rows(() if self.large else rows)
        last = self.points.columnCount() - 1
        for run in np.split(order, np.flatnonzero(np.diff(order) > 1) + 1) if len(order) else []:
            selection.select(self.points.index(int(run[0]), 0), self.points.index(int(run[-1]), last))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if len(order) and scroll:
            self.scrollTo(self.points.index(int(order[0]), 0))
        self._linking = False

    # the keys

    def event(self, event: QEvent) -> bool:
        """Let the keys that edit text and move in the table stay here, whatever shortcuts there are."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            editing = self.state() == QAbstractItemView.State.EditingState
            if editing or (event.matches(QKeySequence.StandardKey.Paste) and self._block() is not None):
                event.accept()
                return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Come in: with Tab one goes on with Tab."""
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._inside = False
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click takes the cell, one on a tick too, which leaves the selection as it is."""
        super().mousePressEvent(event)
        self._inside = True
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index != self.currentIndex():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._began = self._at[1]

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes to the next cell for whoever is at work here, and else out of the table."""
        if self._inside and self.currentIndex().isValid() and self._next(1 if forward else -1):
            return True
        self._inside = False
        return super().focusNextPrevChild(forward)

    def _next(self, step: int) -> bool:
        """Go to the next cell that can be typed into, or the one before; return whether there is one."""
        row, column = self._at
        wide = self.points.columnCount() - 1  # without the ticks
        place = row * wide + max(column - 1, -1 if step > 0 else 0) + step
        if not 0 <= place < self.points.rowCount() * wide:
            return False
        self._go(place // wide, place % wide + 1)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes down, digits give a class, Escape leaves; what is pasted goes in from the current cell on."""
        if self.state() == QAbstractItemView.State.EditingState:  # what the editor leaves over is not for the table
            super().keyPressEvent(event)
            return
        key, index = event.key(), self.currentIndex()
        bare = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.matches(QKeySequence.StandardKey.Paste):
            self._paste()
        elif key in (Key.Key_Return, Key.Key_Enter) and index.isValid() and event.modifiers() in (
                Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier):
            self._down(-1 if event.modifiers() == Qt.KeyboardModifier.ShiftModifier else 1)
        elif key == Key.Key_Escape:
            self._inside = False
            self.left.emit()
        elif bare and index.isValid() and index.column() == CLASS and Key.Key_1 <= key <= Key.Key_8:
            if key - Key.Key_1 < len(self._store.scene.classes):
                self.points.setData(index, key - Key.Key_1)
        else:
            super().keyPressEvent(event)
            self._inside = True
            if key in (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down, Key.Key_Home, Key.Key_End):
                self._began = self._at[1]

    def _down(self, step: int) -> None:
        self._inside = True
        self._go(self._at[0] + step, self._began)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Close an editor; after Enter go down, after Tab to the next cell, unless what was typed was refused."""
        super().closeEditor(editor, Hint.NoHint)
        if self.points.refused:
            self.points.refused = False
        elif hint == Hint.SubmitModelCache:
            self._down(1)
        elif hint in (Hint.EditNextItem, Hint.EditPreviousItem):
            self._inside = True
            self._next(1 if hint == Hint.EditNextItem else -1)

    # what is pasted

    def _block(self) -> str | None:
        """Return the block of cells on the clipboard, if there is one and a cell to put it."""
        text = QGuiApplication.clipboard().text()
        return text if self.currentIndex().isValid() and text.strip() and is_block(text) else None

    def _paste(self) -> None:
        text = self._block()
        if text is not None:
            row, column = self._at
            if put_block(self._store, self.points, row, column, text) is not None:
                self._go(row, column, select=False)


def _in_two(text: str, metrics: QFontMetrics, room: int) -> bool:
    """Return whether `text`, broken between words, fits into two lines of `room` pixels."""
    words = text.split()
    return any(max(map(metrics.horizontalAdvance, (" ".join(words[:n]), " ".join(words[n:])))) <= room
               for n in range(1, len(words) + 1))
