"""The frame of the panels: a column that scrolls, of sections that fold."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from kernelplay.i18n import Say, current, say
from kernelplay.ui.labels import letter
from kernelplay.ui.sizes import px, scale, sized
from kernelplay.ui.theme import heading_font
from kernelplay.ui.words import name, tell

MARGIN = 14  # of the panels, left and right
GAP = 6
SCROLL = 10  # width of a scroll bar


class Fold(QPushButton):
    """The heading of a section: pressed, it folds and unfolds what stands under it."""

    def __init__(self, title: Say, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("look", "fold")
        self.setCheckable(True)
        self.setChecked(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        tell(self, "setText", title)
        name(self, title, say("Expand or collapse this section."))
        self.retranslate()

    def retranslate(self) -> None:
        """Take the font of the language."""
        letter(self, heading_font(current()))

    def sizeHint(self) -> QSize:
        """Return the room of the text and the arrow."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + px(22), metrics.height() + px(8))

    minimumSizeHint = sizeHint

    def event(self, event: QEvent) -> bool:
        """Show the arrow under the pointer and with the focus."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave, QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and an arrow while it matters."""
        palette = self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = palette.color(QPalette.ColorRole.Highlight if self.hasFocus() else QPalette.ColorRole.PlaceholderText)
        painter.setPen(colour)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        if not self.isChecked() or self.underMouse() or self.hasFocus():
            x, y, a = self.width() - 9.0 * scale(), self.height() / 2, 2 * scale()
            points = (
                ((x - 2 * a, y - a), (x, y + a), (x + 2 * a, y - a))
                if self.isChecked()
                else ((x - a, y - 2 * a), (x + a, y), (x - a, y + 2 * a))
            )
            pen = QPen(colour, 0.75 * a, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))
        painter.end()


class Section(QWidget):
    """A heading and what stands under it, which the heading folds away."""

    def __init__(self, title: Say, parent: QWidget | None = None) -> None:
        super().__init__(parent.inside if isinstance(parent, Panel) else parent)
        self.heading = Fold(title, self)
        self.content = QWidget(self)
        self.body = QVBoxLayout(self.content)
        self.body.setContentsMargins(0, 0, 0, 0)
        sized(self.body, "setSpacing", GAP)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        sized(column, "setSpacing", 3)
        column.addWidget(self.heading)
        column.addWidget(self.content, 1)
        self.heading.toggled.connect(self.content.setVisible)
        name(self, title)


class Panel(QScrollArea):
    """A column of sections at one side of the canvas; it scrolls where it must, only up and down.

    The column is given its height here: the height that its wrapped words need depends on its width, and what Qt's own
    resizing remembers of it can be older than the words.
    """

    def __init__(self, title: Say, least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.least = least  # width
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(px(least))
        name(self, title)
        self.inside = QWidget(self)
        self.column = QVBoxLayout(self.inside)
        sized(self.column, "setContentsMargins", MARGIN, 8, MARGIN, MARGIN)
        sized(self.column, "setSpacing", 12)
        self.setWidget(self.inside)
        self.inside.installEventFilter(self)

    def fit_width(self) -> None:
        """Be no narrower than the words in it need."""
        self.setMinimumWidth(max(px(self.least), self.column.minimumSize().width() + px(SCROLL)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the column another height when something in it has changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_height()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the column the width of the panel, and the height it then needs."""
        super().resizeEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        room = self.viewport().size()
        needed = self.column.totalHeightForWidth(room.width()) if self.column.hasHeightForWidth() else \
            self.column.totalSizeHint().height()
        self.inside.resize(room.width(), max(room.height(), needed))
