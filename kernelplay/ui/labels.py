"""Text in the panels: one line that is elided where it must be, and sentences that wrap."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from kernelplay.i18n import Say, verbatim
from kernelplay.ui.words import in_lines, tell


class Line(QLabel):
    """One line of text that is elided where the room ends; the whole text is then the tooltip."""

    def __init__(self, sentence: Say | None = None, parent: QWidget | None = None, look: str = "") -> None:
        super().__init__(parent)
        self._full = ""
        self._hint = ""
        self.setIndent(0)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if look:
            self.setProperty("look", look)
        if sentence is not None:
            tell(self, "say", sentence)

    def say(self, text: str) -> None:
        """Show `text`, elided if it must be."""
        if text != self._full:
            self._full = text
            if self.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Ignored:
                self.updateGeometry()
            self._elide()

    def hint(self, text: str) -> None:
        """Set the tooltip for when the text is whole."""
        self._hint = text
        self._elide()

    @property
    def full(self) -> str:
        """The whole text."""
        return self._full

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._full, Qt.TextElideMode.ElideRight, max(0, self.contentsRect().width())
        )
        if shown != super().text():
            super().setText(shown)
        tip = in_lines(self._hint if shown == self._full else self._full)
        if tip != self.toolTip():
            self.setToolTip(tip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide for the new width."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Elide for the new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._elide()

    def sizeHint(self) -> QSize:
        """Return the room of the whole text."""
        metrics = self.fontMetrics()
        padding = self.width() - self.contentsRect().width()  # of the style sheet
        return QSize(metrics.horizontalAdvance(self._full) + padding + 2, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        """Return the room of a letter and the dots."""
        return QSize(
            min(self.sizeHint().width(), self.fontMetrics().horizontalAdvance("nn…")), self.sizeHint().height()
        )


class Note(QLabel):
    """A sentence of small muted text that wraps; `look` "bad" makes it the sentence at a field."""

    def __init__(self, sentence: Say | None = None, parent: QWidget | None = None, look: str = "help") -> None:
        super().__init__(parent)
        self.setIndent(0)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setProperty("look", look)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if sentence is not None:
            tell(self, "setText", sentence)

    def show_sentence(self, sentence: Say | None) -> None:
        """Show a sentence, or hide."""
        if sentence is not None:
            tell(self, "setText", sentence)
        self.setVisible(sentence is not None)


class Complaint(Note):
    """The sentence of what was wrong, at the foot of a window: the room of one line is kept for it, so that nothing
    moves under the pointer when it comes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(verbatim(""), parent, look="bad")
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    def show_sentence(self, sentence: Say | None, look: str = "bad") -> None:
        """Show a sentence, or hide; with another `look` it is none about something wrong."""
        restyle(self, look)
        if sentence is None:
            tell(self, "setText", verbatim(""))
        super().show_sentence(sentence)

    def heightForWidth(self, width: int) -> int:
        """At least a line."""
        return max(super().heightForWidth(width), self.fontMetrics().lineSpacing())

    def sizeHint(self) -> QSize:
        """At least a line."""
        return super().sizeHint().expandedTo(QSize(0, self.fontMetrics().lineSpacing()))

    def minimumSizeHint(self) -> QSize:
        """At least a line."""
        return super().minimumSizeHint().expandedTo(QSize(0, self.fontMetrics().lineSpacing()))


def restyle(widget: QWidget, look: str) -> None:
    """Give `widget` another look, one of those the style sheet knows."""
    if widget.property("look") != look:
        widget.setProperty("look", look)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def letter(widget: QWidget, font: QFont) -> None:
    """Give `widget` a font of its own that stays with it in another look: Qt's style sheet, when it is fitted again,
    gives a widget the font back that it had when it was first shown, and keeps that under this name."""
    widget.setFont(font)
    widget.setProperty("_q_styleSheetWidgetFont", font)
