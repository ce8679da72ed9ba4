"""The cells of the table of points: how one is drawn, and what opens where a value is typed or a class is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from kernelplay.i18n import say, verbatim
from kernelplay.ui.controls import Combo
from kernelplay.ui.point_model import Index, Role, X, decimals, fixed, shown
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import swatch
from kernelplay.ui.words import name

if TYPE_CHECKING:
    from kernelplay.ui.point_table import PointTable


class Cell(QStyledItemDelegate):
    """Draws a cell, as one of a chosen row where the table leaves that to the store, and a frame about the current."""

    def __init__(self, store: Store, parent: PointTable) -> None:
        super().__init__(parent)
        self._store, self._table = store, parent

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Add what Qt does not know of."""
        super().initStyleOption(option, index)
        model = self._table.points
        row = index.row()
        if self._table.large and row < len(model.points) and model.point(row) in self._store.selection:
            option.state |= QStyle.StateFlag.State_Selected

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell, and a frame if it is the one that keys go to."""
        super().paint(painter, option, index)
        if self._table.hasFocus() and index == self._table.currentIndex():
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._table.points.theme.accent), 1.5))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 3, 3)
            painter.restore()


class NumberCell(Cell):
    """Edits a coordinate as text with all its digits, over the columns beside it where they need the room."""

    def __init__(self, store: Store, parent: PointTable) -> None:
        super().__init__(store, parent)
        self._found: tuple[object, int | None] = (None, None)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Show a column with as many decimals as it needs or has room for. A number that is none of these, very large
        or very small, has as many digits as fit: rounded, and never cut off."""
        super().initStyleOption(option, index)
        exact = index.data(Role.EditRole)
        if exact is None:
            return
        room, metrics, value = option.rect.width() - 18, QFontMetricsF(option.font), float(exact)

        def fits(text: str) -> bool:
            return metrics.horizontalAdvance(text) <= room

        model = self._table.points
        column = (model.points.xy, index.column(), room, option.font.key())
        if self._found[0] is None or not _same(self._found[0], column):
            self._found = (column, decimals(model.points.xy[:, index.column() - X], fits))
        places = self._found[1]
        text = "" if places is None else fixed(value, places)
        lost = value != 0 and not text.strip("−0.")  # it would be rounded to nothing
        option.text = text if text and fits(text) and not lost else shown(value, fits)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a line of text."""
        editor = QLineEdit(parent)
        editor.setFrame(False)
        editor.setProperty("look", "cell")
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        editor.setText(str(index.data(Role.EditRole) or "").removesuffix(".0"))  # Qt asks for its room before its text
        name(editor, say("Coordinate"))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the coordinate exactly."""
        if isinstance(editor, QLineEdit) and not editor.isModified():
            editor.setText(str(index.data(Role.EditRole) or "").removesuffix(".0"))
            editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Give the editor its cell, and more to the left or the right if its number is longer."""
        rect = option.rect
        room = self._table.viewport().width()
        wanted = rect.width()
        if isinstance(editor, QLineEdit):
            wanted = max(wanted, editor.fontMetrics().horizontalAdvance(editor.text()) + 22)
        width = min(wanted, room)
        left = max(0, min(rect.left(), room - width))
        editor.setGeometry(left, rect.top(), width, rect.height())

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Take what was typed, unless nothing was."""
        if isinstance(editor, QLineEdit) and editor.isModified():
            model.setData(index, editor.text())


def _same(one: Any, other: Any) -> bool:
    """Whether two columns are the same numbers in the same room."""
    return one[0] is other[0] and bool(one[1:] == other[1:])


class ClassCell(Cell):
    """Edits the class of a point by a list of the classes."""

    def __init__(self, store: Store, parent: PointTable) -> None:
        super().__init__(store, parent)
        self._editor: Combo | None = None

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return a list of the classes."""
        combo = Combo(parent)
        combo.setProperty("look", "cell")
        combo.setSizeAdjustPolicy(Combo.SizeAdjustPolicy.AdjustToContents)
        scene = self._store.scene
        combo.set_options([(str(i), verbatim(title)) for i, title in enumerate(scene.classes)])
        for number, role in enumerate(scene.roles):
            combo.setItemIcon(number, swatch(self._table.points.theme, role))
        name(combo, say("Class"))
        combo.chosen.connect(self._chosen)
        self._editor = combo
        return combo

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Give the list the room that its mark, the longest name and the arrow need, to the left of the cell too."""
        rect = option.rect
        width = min(max(rect.width(), editor.sizeHint().width()), self._table.viewport().width())
        editor.setGeometry(rect.right() + 1 - width, rect.top(), width, rect.height())

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
