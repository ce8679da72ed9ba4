"""The look at a figure before it is written: fitted into the room there is, or in its real size."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kernelplay.ui import page
from kernelplay.ui.figure_maker import Made
from kernelplay.ui.turns import Turns

EDGE = 16  # pixels about the page
SQUARE = 8  # of the ground that shows through
STEP = 40  # pixels that an arrow key moves


class Preview(QWidget):
    """Shows a figure as its file will have it, painted by the same code, strip by strip between two events; until it is
    whole the last one is seen. In its real size it can be dragged, and moved by the arrow keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.made: Made | None = None
        self.real = False  # the size it has on paper
        self._moved = QPointF(0, 0)
        self._held: QPointF | None = None
        self._drawn = QPixmap()
        self._turns = Turns(self)
        self._turns.painted.connect(self._painted)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(300, 260)

    def sizeHint(self) -> QSize:
        """Return room for a figure that can be judged."""
        return QSize(560, 460)

    def show_made(self, made: Made | None) -> None:
        """Show another figure; none: the last one stays, dimmed."""
        if made is not None:
            self.made = made
            self._paint()
            self.setAccessibleDescription(made.told.description)
        self.update()

    def show_real(self, real: bool) -> None:
        """Show the size that the figure has on paper, or all of it."""
        if real != self.real:
            self.real = real
            self._moved = QPointF(0, 0)
            self._paint()
            self.update()

    @property
    def shown(self) -> QRectF:
        """Where the page lies, in pixels of this widget."""
        width, height = self.made.figure.size if self.made is not None else (4.0, 3.0)
        scale = 1.0 if self.real else min((self.width() - 2 * EDGE) / width, (self.height() - 2 * EDGE) / height)
        size = QSize(max(1, round(width * scale)), max(1, round(height * scale)))
        free = QPointF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2)
        return QRectF((free + self._moved).toPoint(), size)

    @property
    def whole(self) -> bool:
        """Whether what is seen is what is to be seen."""
        return not self._turns.busy

    def _paint(self) -> None:
        """Paint the figure for the size that it has here."""
        if self.made is None:
            return
        ratio, size = self.devicePixelRatioF(), self.shown.size()
        dots = (max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio)))
        if max(dots) > page.MOST_SHOWN:
            self.real = False
            self._paint()
            return
        self._turns.begin(page.strips(self.made.plot, self.made.figure, dots))

    @Slot(object)
    def _painted(self, drawn: QImage) -> None:
        """Show what is whole."""
        drawn.setDevicePixelRatio(self.devicePixelRatioF())
        self._drawn = QPixmap.fromImage(drawn)
        self.update()

    def _move(self, by: QPointF) -> None:
        """Move the page, so far that its edges can be seen and no further."""
        page_size = self.shown.size()
        reach = [max(0.0, (side - room) / 2 + EDGE) for side, room in
                 ((page_size.width(), self.width()), (page_size.height(), self.height()))]
        moved = self._moved + by
        self._moved = QPointF(min(max(moved.x(), -reach[0]), reach[0]), min(max(moved.y(), -reach[1]), reach[1]))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the page into the new room."""
        self._moved = QPointF(0, 0)
        if not self.real:
            self._paint()
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the page."""
        self._held = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move it."""
        if self._held is not None and self.real:
            self._move(event.position() - self._held)
            self._held = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let it go."""
        self._held = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by the arrow keys, where there is more than is seen."""
        way = {Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1),
               Qt.Key.Key_Down: (0, -1)}.get(Qt.Key(event.key()))
        if way is None or not self.real:
            super().keyPressEvent(event)
        else:
            self._move(QPointF(*way) * STEP)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the desk, the page on it, and squares where the page has no ground."""
        painter = QPainter(self)
        palette = self.palette()
        painter.fillRect(self.rect(), palette.midlight().color())
        if self.made is not None and not self._drawn.isNull():
            where = self.shown
            if self.made.figure.transparent:
                self._squares(painter, where.toRect())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(where.toRect(), self._drawn)
            painter.setPen(QPen(palette.mid().color(), 1.0))
            painter.drawRect(where.adjusted(-0.5, -0.5, 0.5, 0.5))
        if self.hasFocus():
            painter.setPen(QPen(palette.highlight().color(), 2.0))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _squares(self, painter: QPainter, where: QRect) -> None:
        """Draw the ground by which one sees that there is none: light under dark letters, dark under light ones."""
        shades = ("#2B2E33", "#383C42") if self.made is not None and self.made.plot.theme.dark else \
            ("#FFFFFF", "#E3E3E3")
        light, dark = map(QColor, shades)
        tile = QPixmap(2 * SQUARE, 2 * SQUARE)
        tile.fill(light)
        inner = QPainter(tile)
        for corner in (QPoint(0, 0), QPoint(SQUARE, SQUARE)):
            inner.fillRect(QRect(corner, QSize(SQUARE, SQUARE)), dark)
        inner.end()
        painter.drawTiledPixmap(where, tile)
