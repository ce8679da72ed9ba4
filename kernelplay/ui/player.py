"""The player: steps through a model that learns in steps, forwards, back, by itself, or under the hand."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSettings, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Frames, Picture
from kernelplay.ui.controls import Combo
from kernelplay.ui.formula_label import FormulaLine
from kernelplay.ui.kept import kept_key
from kernelplay.ui.labels import Line
from kernelplay.ui.number import Slider
from kernelplay.ui.panels import MARGIN
from kernelplay.ui.sizes import px, scale, sized
from kernelplay.ui.store import Store
from kernelplay.ui.words import name, tell

SPEEDS = (0.5, 1, 2, 5, 10, 30)  # steps a second


class Transport(QToolButton):
    """A button of the player, with its sign drawn: "first", "back", "play", "pause", "forward", "last"."""

    def __init__(self, sign: str, title: Say, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sign = sign
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name(self, title, title)

    def show_sign(self, sign: str, title: Say) -> None:
        """Become another button: play and pause share one."""
        if sign != self.sign:
            self.sign = sign
            name(self, title, title)
            self.update()

    def sizeHint(self) -> QSize:
        """Return a square a finger can hit."""
        return QSize(px(32), px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame and the sign."""
        super().paintEvent(event)
        palette = self.palette()
        role = QPalette.ColorRole.WindowText if self.isEnabled() else QPalette.ColorRole.PlaceholderText
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(role))
        painter.scale(scale(), scale())
        x, y, r = self.width() / 2 / scale(), self.height() / 2 / scale(), 5.0
        if self.sign == "pause":
            painter.drawRoundedRect(QRectF(x - 4.5, y - r, 3, 2 * r), 1, 1)
            painter.drawRoundedRect(QRectF(x + 1.5, y - r, 3, 2 * r), 1, 1)
        else:
            way = -1.0 if self.sign in ("first", "back") else 1.0
            shift = 1.0 if self.sign == "play" else -2.0 if self.sign in ("first", "last") else 0.0
            tip = QPolygonF([QPointF(x + way * (shift - r + 1), y - r), QPointF(x + way * (shift + r), y),
                             QPointF(x + way * (shift - r + 1), y + r)])
            painter.drawPolygon(tip)
            if self.sign in ("first", "last", "back", "forward"):
                bar = x + way * (r if self.sign in ("first", "last") else -r - 1)
                painter.drawRoundedRect(QRectF(bar - 1, y - r, 2, 2 * r), 1, 1)
        painter.end()


class Player(QWidget):
    """First, back, play, forward, last; speed; a slider over all steps; what the step does, in a sentence.

    Shown for models that have steps. With the focus in it Right and Left step, Home and End go to the ends.
    """

    shown = Signal(bool)

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._frames: Frames | None = None
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        name(self, say("Player"))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.forward)
        self.first_button = Transport("first", say("First step (Home)"), self)
        self.back_button = Transport("back", say("Step back (Left)"), self)
        self.play_button = Transport("play", say("Play (Space)"), self)
        self.forward_button = Transport("forward", say("Step forward (Right)"), self)
        self.last_button = Transport("last", say("Last step (End)"), self)
        self.first_button.clicked.connect(self.first)
        self.back_button.clicked.connect(self.back)
        self.play_button.clicked.connect(self.toggle)
        self.forward_button.clicked.connect(self.forward)
        self.last_button.clicked.connect(self.last)
        self.speed = Combo(self)
        self.speed.set_options([(str(speed), say("{speed} steps/s", speed=float(speed))) for speed in SPEEDS])
        self.speed.show_key(kept_key("player/speed", "5", *map(str, SPEEDS)))
        self.speed.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.speed.chosen.connect(self._pace)
        name(self.speed, say("Speed"), say("Steps played per second."))
        self.scrub = Slider(self)
        self.scrub.moved.connect(self._scrub)
        name(self.scrub, say("Step"), say("Go to any step."))
        self.count = Line(verbatim(""), self, look="dim")
        self.count.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.caption = FormulaLine(verbatim(""), self)
        box = QVBoxLayout(self)
        sized(box, "setContentsMargins", MARGIN, 7, MARGIN, 7)
        sized(box, "setSpacing", 3)
        row = QHBoxLayout()
        sized(row, "setSpacing", 2)
        for button in (self.first_button, self.back_button, self.play_button, self.forward_button, self.last_button):
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self.scrub, 1)
        row.addWidget(self.count)
        row.addSpacing(8)
        row.addWidget(self.speed)
        box.addLayout(row)
        box.addWidget(self.caption)
        store.pictured.connect(self._pictured)
        store.stepped.connect(self._stepped)
        self.hide()

    def retranslate(self) -> None:
        """Find out again how much room the count needs."""
        self._show()

    @property
    def playing(self) -> bool:
        """Whether steps are being played."""
        return self._timer.isActive()

    @property
    def available(self) -> bool:
        """Whether there are steps to play."""
        return self._frames is not None

    @Slot()
    def toggle(self) -> None:
        """Play, from the start if the end is reached; or pause."""
        if self._frames is None:
            return
        if self.playing:
            self._stop()
            return
        if self._store.step is None or self._store.step >= self._frames.count - 1:
            self._store.play_at(0)
        self._timer.start(round(1000 / float(self.speed.key)))
        self.play_button.show_sign("pause", say("Pause (Space)"))

    @Slot()
    def first(self) -> None:
        """Go to the first step."""
        self._go(0)

    @Slot()
    def last(self) -> None:
        """Go to the last step."""
        if self._frames is not None:
            self._go(self._frames.count - 1)

    @Slot()
    def back(self) -> None:
        """Go one step back."""
        self._go(self._now() - 1)

    @Slot()
    def forward(self) -> None:
        """Go one step forward; playing ends at the last."""
        frames = self._frames
        if frames is None:
            return
        if self.sender() is self._timer:
            self._store.play_at(min(self._now() + 1, frames.count - 1))
            if self._now() >= frames.count - 1:
                self._stop()
        else:
            self._go(self._now() + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step by keys."""
        keys = {Qt.Key.Key_Right: self.forward, Qt.Key.Key_Left: self.back, Qt.Key.Key_Home: self.first,
                Qt.Key.Key_End: self.last, Qt.Key.Key_Space: self.toggle}
        action = keys.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        else:
            action()

    def _now(self) -> int:
        if self._frames is None:
            return 0
        return self._frames.count - 1 if self._store.step is None else self._store.step

    def _go(self, step: int) -> None:
        if self._frames is not None:
            self._stop()
            self._store.play_at(min(max(step, 0), self._frames.count - 1))

    def _stop(self) -> None:
        self._timer.stop()
        self.play_button.show_sign("play", say("Play (Space)"))

    @Slot(str)
    def _pace(self, key: str) -> None:
        QSettings().setValue("player/speed", key)
        if self.playing:
            self._timer.start(round(1000 / float(key)))

    @Slot(int, str)
    def _scrub(self, place: int, gesture: str) -> None:
        self._go(place)

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        frames = picture.frames if picture.frames is not None and picture.frames.count > 0 else None
        self._frames = frames
        if frames is None:
            self._stop()
        visible = frames is not None
        if self.isHidden() == visible:
            self.setVisible(visible)
            self.shown.emit(visible)
        self._show()

    @Slot(object)
    def _stepped(self, step: object) -> None:
        if step is None:
            self._stop()
        self._show()

    def _show(self) -> None:
        frames = self._frames
        if frames is None:
            return
        step = self._now()
        last = frames.count - 1
        self.scrub.show_place(step, max(1, last))
        tell(self.count, "say", say("End") if step == last else verbatim(f"{step} / {last - 1}"))
        widest = max(map(self.count.fontMetrics().horizontalAdvance, (str(say("End")), f"{last - 1} / {last - 1}")))
        self.count.setFixedWidth(widest + px(8))
        if self._store.step is None:
            tell(self.caption, "say", say("Press Play to watch it learn step by step."))
        else:
            tell(self.caption, "say", frames.at(step).caption)
        for button in (self.first_button, self.back_button):
            button.setEnabled(step > 0)
        for button in (self.forward_button, self.last_button):
            button.setEnabled(step < last)
