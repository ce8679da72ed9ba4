"""The history as a list to jump in: every step in words, the oldest at the top, what was undone below the current."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QHideEvent, QKeyEvent, QPainter, QPen, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kernelplay.history import History, Step
from kernelplay.i18n import current, say
from kernelplay.ui.follower import Follower
from kernelplay.ui.guard import guarded
from kernelplay.ui.labels import letter
from kernelplay.ui.panels import MARGIN, SCROLL
from kernelplay.ui.sizes import px, scale, sized
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme, heading_font, icon, mixed
from kernelplay.ui.words import name, tell

ROW = 26  # height of a line
BEAD = 15.0  # pixels from the left edge to the thread that joins the steps
WORDS = 30  # pixels from the left edge to the words
LEAST = 4  # lines that are always in sight
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()


class Steps(QAbstractListModel):
    """The steps of a history, one a row; it tells of the rows alone that say something else than before."""

    def __init__(self, history: History, parent: QWidget) -> None:
        super().__init__(parent)
        self._steps: tuple[Step, ...] = history.steps
        self.at = history.at

    def show(self, history: History) -> None:
        """Show this history. A tick of a drag changes one row at most, and costs a comparison of references."""
        self._drop_oldest(history.steps)
        was, now = self._steps, history.steps
        common = min(len(was), len(now))
        other = [row for row in range(common) if was[row] is not now[row] and was[row].label != now[row].label]
        if len(was) > common:
            self.beginRemoveRows(_NOWHERE, common, len(was) - 1)
            self._steps = was[:common]
            self.endRemoveRows()
        elif len(now) > common:
            self.beginInsertRows(_NOWHERE, common, len(now) - 1)
            self._steps = was[:common] + now[common:]
            self.endInsertRows()
        self._steps = now
        before, self.at = self.at, history.at
        if before != self.at:  # what was current may be gone, at either end
            other += range(max(0, min(before, self.at)), min(len(now) - 1, max(before, self.at)) + 1)
        if other:
            self.dataChanged.emit(self.index(min(other)), self.index(max(other)))

    def forget(self) -> None:
        """Hold no steps: nobody looks at them, and their points are to go when the history lets go of them."""
        self.beginResetModel()
        self._steps, self.at = (), 0
        self.endResetModel()

    def _drop_oldest(self, steps: tuple[Step, ...]) -> None:
        """Take away the rows of the steps that the history has forgotten."""
        gone = next((row for row, step in enumerate(self._steps) if step is steps[0]), 0)
        if gone:
            self.beginRemoveRows(_NOWHERE, 0, gone - 1)
            self._steps, self.at = self._steps[gone:], self.at - gone
            self.endRemoveRows()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of steps."""
        return 0 if parent.isValid() else len(self._steps)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return what a step is called; for ears also whether it is the current one, or undone."""
        row = index.row()
        if not 0 <= row < len(self._steps) or role not in (Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole):
            return None
        label = self._steps[row].label
        if role == Role.AccessibleTextRole:
            if row == self.at:
                label = say("{step}, current step", step=label)
            elif row > self.at:
                label = say("{step}, undone", step=label)
        return " ".join(str(label).split())

    def retranslate(self) -> None:
        """Say all steps again."""
        if self._steps:
            self.dataChanged.emit(self.index(0), self.index(len(self._steps) - 1))


class StepLine(QStyledItemDelegate):
    """Draws a step as a bead on a thread: filled if it is done, larger if it is the current one, hollow if undone."""

    def __init__(self, theme: Theme, parent: StepList) -> None:
        super().__init__(parent)
        self.theme = theme
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room of a line; words that have no room are elided."""
        return QSize(px(WORDS), max(px(ROW), option.fontMetrics.height() + px(8)))

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a line."""
        theme, steps, row = self.theme, self._list.shown, index.row()
        now, undone = row == steps.at, row > steps.at
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(3, 1, -3, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if now:
            painter.setBrush(QColor(theme.soft))
            painter.drawRoundedRect(box, 5, 5)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(QColor(mixed(theme.card, theme.text, 0.06)))
            painter.drawRoundedRect(box, 5, 5)
        self._bead(painter, QRectF(option.rect), row, now, undone)
        font = QFont(option.font)
        if now:
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(theme.accent if now else theme.text_dim if undone else theme.text))
        room = option.rect.adjusted(px(WORDS), 0, -px(10), 0)
        words = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        if self._list.hasFocus() and row == self._list.currentIndex().row():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.restore()

    def _bead(self, painter: QPainter, box: QRectF, row: int, now: bool, undone: bool) -> None:
        theme, middle = self.theme, QPointF(box.left() + BEAD * scale(), box.center().y())
        thread = QColor(theme.soft_edge if now else theme.groove)
        painter.setPen(QPen(thread, 1.5 * scale()))
        if row > 0:
            painter.drawLine(QPointF(middle.x(), box.top()), middle)
        if row < self._list.shown.rowCount() - 1:
            painter.drawLine(middle, QPointF(middle.x(), box.bottom() + 1))
        colour = QColor(theme.accent if now else theme.text_dim)
        painter.setPen(QPen(colour, 1.4 * scale()))
        painter.setBrush(QColor(theme.card) if undone else colour)
        size = (4.5 if now else 2.8) * scale()
        painter.drawEllipse(middle, size, size)


class StepList(QListView):
    """The list: a click on a step goes there, and Enter on the one that the arrow keys have come to."""

    left = Signal()  # by Escape

    def __init__(self, store: Store, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._store = store
        self.shown = Steps(store.history, self)
        self.line = StepLine(theme, self)
        self.setModel(self.shown)
        self.setItemDelegate(self.line)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        sized(self, "setMinimumHeight", LEAST * ROW + 2)
        name(self, say("History"), say("All steps, oldest first. Click a step or press Enter to go to it; later steps "
                                       "are undone and remain until you change something else."))
        self.clicked.connect(self._go)
        self._follower = Follower(self)
        self._follower.due.connect(self._follow)
        store.changed.connect(self._follower.ask)

    @property
    def steps(self) -> Steps:
        """The steps as they are now; none while the list is out of sight."""
        if self.isVisible():
            self._follower.now()
        return self.shown

    @Slot()
    def _follow(self) -> None:
        self.show_history()
        self._follower.rest()  # eleven steps back in one turn are one way in the list

    def show_history(self) -> None:
        """Show the history as it is now, with the current step in sight."""
        steps = self.shown
        before = (steps.at, steps.rowCount())
        steps.show(self._store.history)
        if before != (steps.at, steps.rowCount()):
            self.to_current()

    def to_current(self) -> None:
        """Bring the current step into sight, and the keys to it."""
        index = self.shown.index(self.shown.at)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    @Slot(QModelIndex)
    def _go(self, index: QModelIndex) -> None:
        self._store.go(index.row())

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to a step, Escape back to the canvas."""
        self._follower.now()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._go(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Say all steps again, in lines as high as they need."""
        self.shown.retranslate()
        self.scheduleDelayedItemsLayout()


class Heading(QLabel):
    """The heading of the panel, in the font of the language."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("look", "dim")
        tell(self, "setText", say("History"))
        self.retranslate()

    def retranslate(self) -> None:
        """Take the font of the language."""
        letter(self, heading_font(current()))


class HistoryPanel(QWidget):
    """The list of steps under its heading; it follows the history while it is in sight."""

    left = Signal()  # the keys go back to the canvas
    unwanted = Signal()  # closed with its button

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        sized(self, "setMinimumWidth", 200)
        name(self, say("History"))
        self.heading = Heading(self)
        self.button = QToolButton(self)
        sized(self.button, "setIconSize", 12, 12)
        sized(self.button, "setFixedSize", 24, 24)
        self.button.setProperty("look", "mark")
        self.button.setIcon(icon("remove", theme))
        self.button.clicked.connect(self.unwanted)
        name(self.button, say("Close history"), say("Close this list; reopen it from the Edit menu."))
        self.list = StepList(store, theme, self)
        self.list.left.connect(self.left)
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.button)
        column = QVBoxLayout(self)
        sized(column, "setContentsMargins", MARGIN, 6, MARGIN + SCROLL, MARGIN)
        sized(column, "setSpacing", 3)
        column.addLayout(top)
        column.addWidget(self.list, 1)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of `theme`."""
        self.list.line.theme = theme
        self.button.setIcon(icon("remove", theme))
        self.list.viewport().update()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was out of sight."""
        super().showEvent(event)
        self.list.show_history()
        self.list.to_current()

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Let go of the steps while it is out of sight."""
        super().hideEvent(event)
        self.list.shown.forget()
