"""The controls of the panels: lists to choose from, ticks, choices side by side, quiet buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent, QPalette, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QWidget,
)

from kernelplay.i18n import Say
from kernelplay.ui.hovering import Hover
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.words import name, tell


class Combo(QComboBox):
    """A choice among (key, sentence) pairs; `chosen` tells of what a person picked, never of what was shown."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options: tuple[tuple[str, Say], ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaxVisibleItems(24)
        self._hover = Hover(self)
        self.activated.connect(self._activated)

    def set_options(self, options: Sequence[tuple[str, Say]]) -> None:
        """Offer `options`; what is current stays current if it is among them."""
        if tuple(options) == self._options:
            return
        now = self.key
        self._options = tuple(options)
        self.blockSignals(True)
        self.clear()
        for key, sentence in self._options:
            self.addItem(str(sentence), key)
        self.blockSignals(False)
        self.show_key(now)

    @property
    def key(self) -> str:
        """The key of the current choice."""
        data = self.currentData()
        return data if isinstance(data, str) else ""

    def show_key(self, key: str) -> None:
        """Show the choice `key`, telling nobody."""
        index = self.findData(key)
        if index >= 0 and index != self.currentIndex():
            self.blockSignals(True)
            self.setCurrentIndex(index)
            self.blockSignals(False)
            self.update()

    def retranslate(self) -> None:
        """Say the choices again."""
        for index, (_, sentence) in enumerate(self._options):
            self.setItemText(index, str(sentence))
        self.updateGeometry()

    @Slot(int)
    def _activated(self, index: int) -> None:
        self.chosen.emit(self._options[index][0])

    def longest(self) -> int:
        """Return the width of the longest text."""
        metrics = self.fontMetrics()
        return max((metrics.horizontalAdvance(self.itemText(i)) for i in range(self.count())), default=0)

    def sizeHint(self) -> QSize:
        """Return the room of the longest text, and of the arrow."""
        return QSize(self.longest() + px(_BEFORE + _ARROW + 4), super().sizeHint().height())

    def showPopup(self) -> None:
        """Open the list wide enough for its longest text."""
        font = self.font()
        font.setWeight(QFont.Weight.Normal)  # whatever the weight of what stands in the closed box
        for index in range(self.count()):
            self.setItemData(index, font, Qt.ItemDataRole.FontRole)
        self.view().setMinimumWidth(max(self.width(), self.longest() + px(48)))
        super().showPopup()

    def hidePopup(self) -> None:
        """Close the list."""
        super().hidePopup()
        self._hover.look()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel that scrolls, unless the combo has focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it with its text elided where the room ends."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(self.palette().color(group, QPalette.ColorRole.Text))
        room = self.rect().adjusted(px(_BEFORE), 0, -px(_ARROW), 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.elided())
        painter.end()

    def elided(self) -> str:
        """Return the text as it is drawn."""
        room = self.width() - px(_BEFORE) - px(_ARROW)
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)


_BEFORE, _ARROW = 11, 30  # pixels before the text of a list, and for its arrow


class Tick(QCheckBox):
    """A tick box whose text is elided where the room ends; `ticked` tells of what a person did."""

    ticked = Signal(bool)

    def __init__(self, sentence: Say, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        tell(self, "setText", sentence)
        name(self, sentence)
        self.clicked.connect(self._clicked)

    @Slot(bool)
    def _clicked(self, on: bool) -> None:
        self.ticked.emit(on)

    def show_ticked(self, on: bool) -> None:
        """Show the tick, telling nobody."""
        self.setChecked(on)

    def elided(self) -> str:
        """Return the text as it is drawn."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - px(_BOX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the whole text as a tooltip where it is elided."""
        super().resizeEvent(event)
        self.setToolTip("" if self.elided() == self.text() else self.text())

    def minimumSizeHint(self) -> QSize:
        """Return room for the box and the words, unless they are long."""
        return self.sizeHint().boundedTo(QSize(px(LONG), self.sizeHint().height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it with its text elided where the room ends."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.elided()
        painter.drawControl(QStyle.ControlElement.CE_CheckBox, option)
        painter.end()


LONG = 150  # pixels of a tick box beyond which its text may be elided
_BOX = 23  # the square of a tick box and the space beside it


class Segment(QPushButton):
    """One of the choices side by side; wide enough for its words in bold, which it wears while it is pressed."""

    def __init__(self, key: str, sentence: Say, parent: QWidget) -> None:
        super().__init__(parent)
        self.key = key
        self.setCheckable(True)
        self.setProperty("look", "segment")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tell(self, "setText", sentence)
        name(self, sentence)

    def sizeHint(self) -> QSize:
        """Return the room of the text in bold, and about it."""
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold)
        return QSize(QFontMetrics(font).horizontalAdvance(self.text()) + px(18), super().sizeHint().height())

    minimumSizeHint = sizeHint


class Segmented(QFrame):
    """Two or three choices side by side, one of them pressed."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, Say]], title: Say, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "segments")
        name(self, title)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, Segment] = {}
        for key, sentence in options:
            button = Segment(key, sentence, self)
            self._group.addButton(button)
            self._buttons[key] = button
            row.addWidget(button, 1)
        self._group.buttonClicked.connect(self._clicked)

    @property
    def key(self) -> str:
        """The key of the pressed choice."""
        button = self._group.checkedButton()
        return button.key if isinstance(button, Segment) else ""

    def show_key(self, key: str) -> None:
        """Press `key`, telling nobody."""
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> Segment:
        """Return the button of `key`."""
        return self._buttons[key]

    @Slot(QAbstractButton)
    def _clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, Segment):
            self.chosen.emit(button.key)


class Quiet(QPushButton):
    """A button that looks like a line of text: "add a class"; with a menu it opens it."""

    def __init__(self, sentence: Say, parent: QWidget | None = None, about: Say | None = None) -> None:
        super().__init__(parent)
        self.opens: QMenu | None = None
        self._hover = Hover(self)
        self.setProperty("look", "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        tell(self, "setText", sentence)
        name(self, sentence, about)
        self.clicked.connect(self._open)

    @Slot()
    def _open(self) -> None:
        if self.opens is not None:
            self._hover.follow(self.opens)
            self.opens.popup(self.mapToGlobal(QPoint(0, self.height())))


class Push(QPushButton):
    """An ordinary button; `look` "primary" for the one that does the thing."""

    def __init__(
        self, sentence: Say, parent: QWidget | None = None, look: str = "primary", about: Say | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("look", look)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tell(self, "setText", sentence)
        name(self, sentence, about)


class Dots(QToolButton):
    """The "⋯" button that opens a menu."""

    def __init__(self, title: Say, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.opens: QMenu | None = None
        self._hover = Hover(self)
        self.setText("⋯")
        sized(self, "setFixedWidth", 30)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        name(self, title, title)
        self.clicked.connect(self._open)

    @Slot()
    def _open(self) -> None:
        if self.opens is not None:
            self._hover.follow(self.opens)
            self.opens.popup(self.mapToGlobal(QPoint(0, self.height())))
