"""Formulas on labels: a label whose lines are formulas, and sentences with formulas in them. What a label says, copies
and lets a screen reader hear is the plain line; what it shows is that line set."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QHideEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from kernelplay.i18n import say
from kernelplay.notation_tex import tex
from kernelplay.ui.formula_lines import Setting, broken, settle
from kernelplay.ui.formula_words import Words, has_formula, set_words
from kernelplay.ui.guard import guarded
from kernelplay.ui.labels import Line, Note
from kernelplay.ui.typeset import Box
from kernelplay.ui.words import tell

MOST = 500  # letters of what is set; a longer formula is text that wraps, which no frame has to wait for


class FormulaLabel(QLabel):
    """Lines of formulas, `scale` times as large as the text of the window; a little smaller where that saves lines."""

    def __init__(self, scale: float, centred: bool = False, parent: QWidget | None = None, look: str = "") -> None:
        super().__init__(parent)
        self._scale, self._centred = scale, centred
        self._lines: tuple[str, ...] = ()
        self._setting: tuple[object, Setting] | None = None
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setIndent(0)
        if look:
            self.setProperty("look", look)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def setText(self, text: str) -> None:
        """Show formulas, one a line."""
        if text != self.text():
            self._lines = tuple(text.split("\n"))
            super().setText(text)
            self.setWordWrap(self._is_long)
            self.setAccessibleName(text)
            self.updateGeometry()
            self.update()

    @property
    def _is_long(self) -> bool:
        return len(self.text()) > MOST

    def _set(self, width: int) -> Setting:
        pixels = self.fontInfo().pixelSize() * self._scale
        key = (self._lines, width, pixels)
        if self._setting is None or self._setting[0] != key:
            room = max(40, width)
            size, lines = pixels, self._broken(room / pixels)
            for shrink in (0.94, 0.88):
                if len(lines) > len(self._lines):
                    fewer = self._broken(room / (pixels * shrink))
                    if len(fewer) < len(lines):
                        size, lines = pixels * shrink, fewer
            self._setting = key, settle(lines, size, width, self._centred)
        return self._setting[1]

    def _broken(self, room: float) -> list[tuple[float, Box]]:
        return [line for text in self._lines for line in broken(text, round(room, 2), True, self._lines)]

    def hasHeightForWidth(self) -> bool:
        """It has."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the lines need."""
        if self._is_long:
            return super().heightForWidth(width)
        return int(self._set(width).height + 2.5)

    def sizeHint(self) -> QSize:
        """Return the room that the lines need at the present width."""
        return QSize(120, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the room that the lines need at the present width."""
        return QSize(40, self.heightForWidth(self.width()))

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Hold nothing of what nobody sees: it may be of another document by then."""
        super().hideEvent(event)
        self._setting = None

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the formulas in the colour of the text."""
        if self._is_long:
            super().paintEvent(event)
            return
        setting = self._set(self.width())
        painter = QPainter(self)
        setting.draw(painter, 0.0, max(0.0, round((self.height() - setting.height) / 2)),
                     self.palette().color(QPalette.ColorRole.WindowText))
        painter.end()

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the formulas as text and as LaTeX."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for sentence, slot in ((say("Copy formula"), self.copy), (say("Copy as LaTeX"), self.copy_latex)):
            action = QAction(menu)
            tell(action, "setText", sentence)
            action.triggered.connect(slot)
            menu.addAction(action)
        menu.popup(event.globalPos())

    @Slot()
    def copy(self) -> None:
        """Copy the plain lines."""
        QGuiApplication.clipboard().setText("\n".join(self._lines))

    @Slot()
    def copy_latex(self) -> None:
        """Copy the lines as LaTeX."""
        QGuiApplication.clipboard().setText(" \\\\\n".join(tex(line, self._lines) for line in self._lines))


class FormulaNote(Note):
    """A sentence that wraps, with the formulas in it set. One without any is drawn as every label is."""

    def hasHeightForWidth(self) -> bool:
        """It has."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the sentence needs."""
        if not has_formula(self.text()):
            return super().heightForWidth(width)
        return int(self._set(width).height + 1.5)

    def sizeHint(self) -> QSize:
        """Return the room that the sentence needs at the present width."""
        if not has_formula(self.text()):
            return super().sizeHint()
        return QSize(super().sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the room that the sentence needs at the present width."""
        if not has_formula(self.text()):
            return super().minimumSizeHint()
        return QSize(0, self.heightForWidth(self.width()))

    def _set(self, width: int) -> Words:
        return set_words(self.text(), self.font(), width)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words and the formulas in the colour of the text."""
        if not has_formula(self.text()):
            super().paintEvent(event)
            return
        rect = self.contentsRect()
        words = self._set(rect.width())
        spare = max(0.0, round((rect.height() - words.height) / 2))
        top = 0.0 if self.alignment() & Qt.AlignmentFlag.AlignTop else spare
        painter = QPainter(self)
        words.draw(painter, rect.x(), rect.y() + top, self.palette().color(QPalette.ColorRole.WindowText))
        painter.end()


class FormulaLine(Line):
    """One line of text with the formulas in it set; where it has no room it is elided as plain text."""

    def sizeHint(self) -> QSize:
        """Return the room of the whole line."""
        hint = super().sizeHint()
        if has_formula(self.full):
            padding = self.width() - self.contentsRect().width()
            hint.setWidth(int(self._set().width + 1.5) + padding + 2)
        return hint

    def _set(self) -> Words:
        return set_words(self.full, self.font(), 10_000)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words and the formulas in the colour of the text."""
        rect = self.contentsRect()
        if not has_formula(self.full) or (words := self._set()).width > rect.width() + 1:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        words.draw(painter, rect.x(), rect.y() + max(0.0, round((rect.height() - words.height) / 2)),
                   self.palette().color(QPalette.ColorRole.WindowText))
        painter.end()
