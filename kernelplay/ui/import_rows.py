"""The first rows of a table that is about to come in, with the places of its columns in the header."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyle, QTableView, QWidget

from kernelplay.cells import number
from kernelplay.class_names import plain
from kernelplay.columns import Place, Preview
from kernelplay.i18n import Say, say, verbatim
from kernelplay.reading import Reading
from kernelplay.scene import Scene
from kernelplay.tables import Table
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.swatch import swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
LONG = 60  # letters of a cell that are shown


def place_title(place: Place, reading: Reading) -> Say:
    """Return what a place is called: x₁, x₂ and label, or x and t."""
    if reading.task == "regression":
        return verbatim("x") if place == "x1" else say("target")
    return {"x1": verbatim("x₁"), "x2": verbatim("x₂"), "target": say("label")}[place]


def shown(cell: str) -> str:
    """Return the text of a cell in one line that is not too long."""
    text = cell.replace("\0", "␀").replace("\n", "⏎")
    return str(verbatim(text if len(text) <= LONG else text[:LONG - 1] + "…"))


class RowsModel(QAbstractTableModel):
    """The cells as they stand in the file; the line numbers at the left; unusable rows with their reason."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.seen, self.reading = Preview(), Reading()
        self.places: dict[int, Place] = {}
        self._why: dict[int, Say] = {}
        self._scene: Scene | None = None
        self._classes: dict[Any, int] = {}

    def show(self, seen: Preview, reading: Reading) -> None:
        """Show these rows; what is known of single rows follows with `explain`."""
        self.beginResetModel()
        self.seen, self.reading, self.places = seen, reading, seen.places(reading)
        self._why, self._classes = {}, {}
        self.endResetModel()

    def explain(self, table: Table | None, classes: dict[Any, int], scene: Scene | None) -> None:
        """Mark the rows that cannot be used, and the labels with the mark of their class (number by label)."""
        self._why = {row.line: row.why for row in table.unusable} if table is not None else {}
        self._classes, self._scene = classes, scene
        if self.seen.rows and self.seen.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.seen.rows) - 1, len(self.seen.columns) - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.seen.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.seen.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return the text of a cell, its colours, the mark of its class, and why its row cannot be used."""
        row, column = self.seen.rows[index.row()], index.column()
        cell = row[column] if column < len(row) else ""
        place = self.places.get(column)
        why = self._why.get(self.seen.lines[index.row()])
        if role == Role.DisplayRole:
            return shown(cell)
        if role == Role.ToolTipRole and why is not None:
            return str(why)
        if role == Role.ForegroundRole:
            if why is not None:
                return QColor(self._theme.bad)
            return QColor(self._theme.text if place is not None else self._theme.text_dim)
        if role == Role.TextAlignmentRole:
            words = self.seen.shares[column] < 0.5 or (place == "target" and self.reading.task != "regression")
            return _LEFT if words else _RIGHT
        if role == Role.DecorationRole and place == "target" and why is None and self._scene is not None:
            number_ = self._class(cell)
            return None if number_ is None else swatch(self._theme, self._scene.roles[number_])
        return None

    def _class(self, cell: str) -> int | None:
        """Return the number of the class that a label comes into."""
        value = number(cell, self.reading.decimal, self.reading.thousands)
        return self._classes.get(plain(cell.strip()), self._classes.get(value))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Return the place and the name of a column, or the line of a row."""
        if orientation == Qt.Orientation.Vertical:
            return self.seen.lines[section] if role == Role.DisplayRole and section < len(self.seen.lines) else None
        place = self.places.get(section)
        if role == Role.DisplayRole and section < len(self.seen.columns):
            title = place_title(place, self.reading) if place is not None else verbatim("–")
            column = self.seen.columns[section]
            return f"{title}\n{verbatim(column if len(column) <= LONG else column[:LONG - 1] + '…')}"
        if role == Role.ToolTipRole:
            return str(say("Click to choose how this column is used."))
        return None


class Header(QHeaderView):
    """Writes the place of each column, in colour where it has one, and under it its name."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._letters: tuple[QFont, QFont, QFontMetrics] | None = None  # the plain font, for which the others are
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        sized(self, "setDefaultSectionSize", 112)
        self.setMinimumSectionSize(px(64))

    def sizeHint(self) -> QSize:
        """Return the room of two lines."""
        return QSize(super().sizeHint().width(), self._high())

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Return the room of the wider line."""
        lines = str(self.model().headerData(section, Qt.Orientation.Horizontal)).split("\n")
        return QSize(max(map(self._measures()[1].horizontalAdvance, lines)) + px(20), self._high())

    def _high(self) -> int:
        return 2 * self.fontMetrics().height() + px(14)

    def _measures(self) -> tuple[QFont, QFontMetrics]:
        """Return the font of what is written in bold, and its measures: Qt asks for up to 200 columns at once."""
        plain = self.font()
        if self._letters is None or self._letters[0] != plain:
            bold = QFont(plain)
            bold.setWeight(QFont.Weight.DemiBold)
            self._letters = (plain, bold, QFontMetrics(bold))
        return self._letters[1:]

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw the head of one column."""
        model, theme = self.model(), self._theme
        assert isinstance(model, RowsModel)
        title, _, column = str(model.headerData(section, Qt.Orientation.Horizontal)).partition("\n")
        placed = section in model.places
        painter.save()
        painter.fillRect(rect, QColor(theme.soft if placed else theme.panel))
        painter.setPen(QColor(theme.accent if placed else theme.card_edge))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        bold, metrics = self._measures()
        room = rect.adjusted(px(8), px(5), -px(6), -px(6))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        painter.setFont(bold)
        painter.setPen(QColor(theme.accent if placed else theme.text_dim))
        painter.drawText(room, flags, metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width()))
        painter.setFont(self.font())
        painter.setPen(QColor(theme.text if placed else theme.text_dim))
        room = room.adjusted(0, metrics.height() + 1, 0, 0)
        painter.drawText(room, flags, self.fontMetrics().elidedText(column, Qt.TextElideMode.ElideRight, room.width()))
        painter.restore()


class Rows(QTableView):
    """Shows the rows; a click on the name of a column opens a menu of the places it can go to."""

    assigned = Signal(int, str)  # column, place: "x1", "x2", "target"

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = RowsModel(theme, self)
        self.setModel(self.cells)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        sized(self, "setIconSize", 14, 14)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        sized(self.verticalHeader(), "setDefaultSectionSize", 25)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        header = Header(theme, self)
        self.setHorizontalHeader(header)
        header.sectionClicked.connect(self._clicked)
        self._column = 0
        name(self, say("First rows"), say("First rows of the file; click a column name to choose how it is used."))

    def show_rows(self, seen: Preview, reading: Reading) -> None:
        """Show these rows, with columns as wide as what is in them."""
        other = seen.columns != self.cells.seen.columns
        self.cells.show(seen, reading)
        if other and len(seen.columns) <= 60:
            for column in range(len(seen.columns)):
                mark = px(22) if self.cells.places.get(column) == "target" else 0  # of the class
                self.setColumnWidth(column, min(max(self._needed(column) + px(10) + mark, px(72)), px(220)))

    def _needed(self, column: int) -> int:
        """Return the width that head and cells need. Qt would take five times as long: it asks for the colours and
        the mark of each cell, too."""
        metrics, margin = self.fontMetrics(), self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        cells = (metrics.horizontalAdvance(shown(row[column])) for row in self.cells.seen.rows if column < len(row))
        head = self.horizontalHeader().sectionSizeFromContents(column).width()
        return max(head, max(cells, default=0) + 2 * margin)

    @Slot(int)
    def _clicked(self, column: int) -> None:
        self._column = column
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        reading = self.cells.reading
        places: tuple[Place, ...] = ("x1", "target") if reading.task == "regression" else ("x1", "x2", "target")
        for place in places:
            action = menu.addAction(str(say("Use as {place}", place=place_title(place, reading))))
            action.setCheckable(True)
            action.setChecked(self.cells.places.get(column) == place)
            flaw = self.cells.seen.flaws[column] if column < len(self.cells.seen.flaws) else ""
            if flaw in ("text", "empty") and (place != "target" or reading.task == "regression"):
                action.setText(str(say("Use as {place} – no numbers", place=place_title(place, reading))))
                action.setEnabled(action.isChecked())
            action.setData(place)
            action.triggered.connect(self._chosen)
        header = self.horizontalHeader()
        at = QPoint(header.sectionViewportPosition(column), header.height())
        menu.popup(header.viewport().mapToGlobal(at))

    @Slot()
    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.assigned.emit(self._column, str(action.data()))
