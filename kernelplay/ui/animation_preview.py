"""The preview of an animation: plays what has been drawn of it so far, or shows any picture of it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kernelplay.i18n import say
from kernelplay.ui.animator import Glimpse
from kernelplay.ui.number import Slider
from kernelplay.ui.player import Transport
from kernelplay.ui.words import name

ROOM = QSize(424, 318)  # at least
MOST = 1600  # dots of a side: more would take long to make, for a look
FASTEST = 20  # ms between two pictures


class Screen(QWidget):
    """Shows an image in the middle, as large as there is room for: it was made for this room, or for what it was."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()
        self.setMinimumSize(ROOM)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_image(self, image: QImage) -> None:
        """Show another image."""
        self.image = image
        self.update()

    @property
    def room(self) -> tuple[int, int]:
        """How many dots there are for an image."""
        ratio = self.devicePixelRatioF()
        wide, high = self.width() * ratio, self.height() * ratio
        share = min(1.0, MOST / max(wide, high, 1.0))
        return max(1, round(wide * share)), max(1, round(high * share))

    @property
    def shown(self) -> QRect:
        """Where the image lies."""
        size = self.image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        return QRect(QPoint((self.width() - size.width()) // 2, (self.height() - size.height()) // 2), size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that there is other room."""
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the desk, and the image on it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().midlight().color())
        if not self.image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.shown, self.image)
        painter.end()


class AnimationPreview(QWidget):
    """Shows pictures as they come, one after another, at the pace of the animation; Space pauses."""

    resized = Signal()  # other pictures are due

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.images: list[QImage | None] = []
        self.place = 0
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._next)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        name(self, say("Preview"))
        self.picture = Screen(self)
        self.picture.resized.connect(self.resized)
        name(self.picture, say("Preview"))
        self.button = Transport("play", say("Play (Space)"), self)
        self.button.clicked.connect(self.toggle)
        self.scrub = Slider(self)
        self.scrub.moved.connect(self._scrub)
        name(self.scrub, say("Frame"), say("Go to any frame."))
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addWidget(self.scrub, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.picture, 1)
        box.addLayout(row)
        self._show_button()

    @property
    def room(self) -> tuple[int, int]:
        """How many dots there are for a picture."""
        return self.picture.room

    @property
    def playing(self) -> bool:
        """Whether pictures follow one another."""
        return self._clock.isActive()

    def play(self, seconds: float) -> None:
        """Go on in such a way that all pictures take so many seconds."""
        self._seconds = seconds
        self._clock.start(max(FASTEST, round(1000 * seconds / max(1, len(self.images)))))
        self._show_button()

    def pause(self) -> None:
        """Stay at the picture that is shown."""
        self._clock.stop()
        self._show_button()

    def take(self, glimpse: Glimpse) -> None:
        """Take a picture of the preview; the first one of another preview throws away the last."""
        if glimpse.place == 0:
            self.images = [None] * glimpse.count
            self.place = min(self.place, glimpse.count - 1)
        self.images[glimpse.place] = glimpse.image
        if glimpse.place == self.place or not self.playing:
            self._show()

    @Slot()
    def toggle(self) -> None:
        """Play or pause."""
        if self.playing:
            self.pause()
        elif len(self.images) > 1:
            self.play(self._seconds)

    _seconds = 1.0

    @Slot()
    def _next(self) -> None:
        place = (self.place + 1) % max(1, len(self.images))
        if place < len(self.images) and self.images[place] is not None:
            self.place = place
            self._show()

    @Slot(int, str)
    def _scrub(self, place: int, gesture: str) -> None:
        self.pause()
        if place < len(self.images):
            self.place = place
            self._show()

    def _show(self) -> None:
        image = self.images[self.place] if self.place < len(self.images) else None
        if image is not None:
            self.picture.show_image(image)
        self.scrub.show_place(self.place, max(1, len(self.images) - 1))
        self._show_button()

    def _show_button(self) -> None:
        sign, title = ("pause", say("Pause (Space)")) if self.playing else ("play", say("Play (Space)"))
        self.button.show_sign(sign, title)
        many = len(self.images) > 1
        self.button.setEnabled(many)
        self.scrub.setEnabled(many)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space plays and pauses."""
        if event.key() == Qt.Key.Key_Space:
            self.toggle()
        else:
            super().keyPressEvent(event)
