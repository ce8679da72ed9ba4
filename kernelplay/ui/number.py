"""Numbers under the hand, a field and a slider (one file: they share one scale and answer each other)."""

from __future__ import annotations

import itertools
import re
import unicodedata

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionFrame,
    QToolTip,
    QWidget,
)

from kernelplay.ui.scale import STEPS
from kernelplay.ui.sizes import px, scale, sized

_gestures = itertools.count(1)
_SCRIPTS = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
_POWER = re.compile(r"(?:(?P<mantissa>.*?)\s*[·×*]\s*)?10(?P<power>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)$")


def new_gesture(what: str) -> str:
    """Return an identity for one press of the mouse or a key: edits that carry it are one step of the history."""
    return f"{what} {next(_gestures)}"


def plain(text: str) -> str:
    """Return what was typed as Python's `float` reads it: full-width digits, "−2", "1,5" and "4·10⁻¹¹" become ASCII.

    A comma is the decimal mark, never a separator of thousands; text that has two marks is left as it is, and is
    refused by whoever parses it.
    """
    text = text.strip()
    power = _POWER.fullmatch(text)
    if power is not None:
        text = f"{power['mantissa'] or '1'}e{power['power'].translate(_SCRIPTS)}"
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace(" ", "").replace("_", "?")
    return text.replace(",", ".") if text.count(",") + text.count(".") == 1 else text.replace(",", "?")


def editable(value: float | int) -> str:
    """Return the shortest text that reads back as `value` rounded to 6 digits: "1.5", "−0.001", "1e−7"."""
    mantissa, mark, exponent = (str(value) if isinstance(value, int) else f"{value + 0.0:.6g}").partition("e")
    return (f"{mantissa}e{int(exponent)}" if mark else mantissa).replace("-", "−")


class NumberField(QLineEdit):
    """A typed value, with as many digits as there is room for, and with all of them while it has the focus.

    Nothing is decided here: what was typed goes out by `typed`, and the owner shows what holds.

    Qt's own number boxes read "1,5" as 15 where the dot is the decimal mark, and "1.5" as 15 where it is the comma;
    this one leaves the reading to `plain` and the declaration of the parameter. Up and Down step.
    """

    typed = Signal(str)  # as it was typed; committed by Enter or by leaving the field
    stepped = Signal(int, str)  # steps up (+) or down (-), and the gesture they belong to

    def __init__(self, parent: QWidget | None = None, width: int = 64) -> None:
        super().__init__(parent)
        self._shown = ""
        self._exact = ""
        self._put = ""  # what stands there while nothing is typed
        self._gesture = ""
        self.setProperty("look", "number")
        sized(self, "setFixedWidth", width)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.editingFinished.connect(self._commit)

    def show_value(self, value: float | int) -> None:
        """Show `value`, unless it is shown already; what is being typed is replaced only by another value."""
        text = editable(value)
        if text != self._shown:
            self._shown, self._exact = text, repr(value).replace("-", "−")
            self.restore()

    def restore(self) -> None:
        """Show the last value again in place of what was typed."""
        self._put = self._shown if self.hasFocus() else self._short()
        self.setText(self._put)
        self.setCursorPosition(0)
        if self.hasFocus():
            self.selectAll()

    def _short(self) -> str:
        """Return the value with as many of five digits as there is room for."""
        if not self._shown:
            return ""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self).width() - px(5)
        value = float(self._shown.replace("−", "-"))
        for digits in (5, 4, 3):
            text = editable(float(f"{value:.{digits}g}"))
            if self.fontMetrics().horizontalAdvance(text) <= room:
                return text
        return text

    @Slot()
    def _commit(self) -> None:
        if self.text() != self._put:
            self.typed.emit(self.text().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, Down, Page Up and Page Down step, a held key being one gesture; Escape gives the last value back."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self._put:
            self.restore()
            return
        steps = _STEP_KEYS.get(Qt.Key(event.key()))
        if steps is None:
            super().keyPressEvent(event)
            return
        self._commit()
        if not event.isAutoRepeat():
            self._gesture = new_gesture("step")
        self.stepped.emit(steps, self._gesture)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the document while nothing is being typed; tell the whole number as the tooltip."""
        standard = QKeySequence.StandardKey
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            mine = self.text() != self._put or not (event.matches(standard.Undo) or event.matches(standard.Redo))
            if not mine:
                event.ignore()
                return False
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._exact != self.text():
            QToolTip.showText(event.globalPos(), f"{self._exact}\n{self.toolTip()}", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the text, so that typing replaces it."""
        super().focusInEvent(event)
        if self.text() == self._put != self._shown:
            self._put = self._shown
            self.setText(self._put)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed has been taken or refused by now: show the value that holds."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many digits as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Show as many digits as there is room for in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        if not self.hasFocus() and self.text() == self._put:
            self.restore()


_STEP_KEYS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}


class Slider(QSlider):
    """A slider that goes where it is pressed, tells one press from another, and lets the wheel pass without focus."""

    moved = Signal(int, str)  # place, gesture
    reset = Signal(str)

    @property
    def knob(self) -> float:
        """Half the width of the knob."""
        return 8.0 * scale()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._gesture = ""
        self._quiet = False
        self._grip = 0.0
        self.tick: int | None = None  # place of the default
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 10)
        self.setSingleStep(STEPS // 100)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.valueChanged.connect(self._tell)

    def show_place(self, place: int, places: int, tick: int | None = None) -> None:
        """Show a place without telling anybody; never while the slider is held."""
        if self.isSliderDown() or (place, places, tick) == (self.value(), self.maximum(), self.tick):
            return
        self._quiet = True
        self.setRange(0, places)
        self.setSingleStep(max(1, places // 100))
        self.setPageStep(max(1, places // 10))
        self.setValue(place)
        self._quiet = False
        self.tick = tick
        self.update()

    @Slot(int)
    def _tell(self, place: int) -> None:
        if not self._quiet:
            self.moved.emit(place, self._gesture or new_gesture("slide"))

    def _x_of(self, place: int) -> float:
        span = max(1, self.maximum() - self.minimum())
        return self.knob + 1 + (self.width() - 2 * self.knob - 2) * (place - self.minimum()) / span

    def _place_at(self, x: float) -> int:
        span = self.maximum() - self.minimum()
        share = (x - self.knob - 1) / max(1.0, self.width() - 2 * self.knob - 2)
        return self.minimum() + round(min(max(share, 0.0), 1.0) * span)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the knob, or bring it under the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        x = event.position().x()
        knob = self._x_of(self.value())
        self._gesture = new_gesture("slide")
        self._grip = x - knob if abs(x - knob) <= self.knob + 2 else 0.0
        self.setSliderDown(True)
        self.setValue(self._place_at(x - self._grip))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse."""
        if self.isSliderDown():
            self.setValue(self._place_at(event.position().x() - self._grip))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go; what follows is another gesture."""
        if event.button() == Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for the default, in one step with the first press of the double click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
            self.reset.emit(self._gesture)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by keys; a held key is one gesture."""
        if not event.isAutoRepeat():
            self._gesture = new_gesture("slide")
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel that scrolls, unless the slider has focus."""
        if not self.hasFocus():
            event.ignore()
            return
        if event.phase() in (Qt.ScrollPhase.NoScrollPhase, Qt.ScrollPhase.ScrollBegin):
            self._gesture = new_gesture("wheel")
        super().wheelEvent(event)

    def sizeHint(self) -> QSize:
        """Return room for the knob and a way to go."""
        return QSize(px(120), px(21))

    def minimumSizeHint(self) -> QSize:
        """Return half of it."""
        return QSize(px(60), px(21))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a thin groove, filled up to a round knob; a small tick where the default is."""
        palette = self.palette()
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        accent = palette.color(group, QPalette.ColorRole.Highlight)
        middle = self.height() / 2
        x, knob, a = self._x_of(self.value()), self.knob, scale()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(group, QPalette.ColorRole.Mid))
        painter.drawRoundedRect(QRectF(1, middle - 2 * a, self.width() - 2, 4 * a), 2 * a, 2 * a)
        if self.tick is not None and abs(self._x_of(self.tick) - x) > knob:
            painter.setBrush(palette.color(group, QPalette.ColorRole.PlaceholderText))
            mark = QRectF(round(self._x_of(self.tick)) - 0.75 * a, middle + 4 * a, 1.5 * a, 5 * a)
            painter.drawRoundedRect(mark, 0.75 * a, 0.75 * a)
        painter.setBrush(accent)
        painter.drawRoundedRect(QRectF(1, middle - 2 * a, x - 1, 4 * a), 2 * a, 2 * a)
        if self.hasFocus() or self.underMouse():
            halo = QPen(accent)
            colour = halo.color()
            colour.setAlphaF(0.28 if self.hasFocus() else 0.14)
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(x, middle), knob + 2.5 * a, knob + 2.5 * a)
        painter.setPen(QPen(accent, 2 * a))
        painter.setBrush(palette.color(group, QPalette.ColorRole.Base))
        painter.drawEllipse(QPointF(x, middle), knob - 1.5 * a, knob - 1.5 * a)
        painter.end()
