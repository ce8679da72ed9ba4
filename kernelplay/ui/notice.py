"""A card over the canvas for what should not be missed and may wait: one sentence and two answers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from kernelplay.i18n import Say, say
from kernelplay.ui.controls import Push
from kernelplay.ui.labels import restyle
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.words import name, tell

Answer = Callable[[bool], None]

OFF = 10  # pixels from the edges of the ground
GAP = 8  # between words and buttons
SIDES = 28  # both margins


class Notice(QFrame):
    """Asks without standing in the way, and without moving what lies under it; gone when it is answered, or when the
    question is over."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("look", "notice")
        self._answer: Answer | None = None
        self.about = ""  # what the question is about
        self.sentence = QLabel(self)
        self.sentence.setWordWrap(True)
        sized(self.sentence, "setMinimumWidth", 120)
        self.yes, self.no = Push(say("Yes"), self), Push(say("No"), self, look="")
        self._row = row = QHBoxLayout(self)
        sized(row, "setContentsMargins", SIDES // 2, 7, SIDES // 2, 7)
        sized(row, "setSpacing", GAP)
        row.addWidget(self.sentence, 1)
        for button in (self.yes, self.no):
            button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            row.addWidget(button)
        self.yes.clicked.connect(self._yes)
        self.no.clicked.connect(self._no)
        name(self, say("Question"))
        self.hide()

    def lie_on(self, ground: QWidget) -> None:
        """Lie at the top of `ground`, over what is in it."""
        self.setParent(ground)
        ground.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the place when the ground changes its size."""
        if event.type() == QEvent.Type.Resize:
            self._settle()
        return super().eventFilter(watched, event)

    def retranslate(self) -> None:
        """Take the room that the words need."""
        self._settle()

    def _settle(self) -> None:
        ground = self.parentWidget()
        if self.isHidden() or ground is None:
            return
        self.ensurePolished()
        words = self.sentence.fontMetrics().horizontalAdvance(self.sentence.text())
        buttons = sum(button.sizeHint().width() + px(GAP) for button in (self.yes, self.no))
        width = min(words + buttons + px(SIDES + 4), ground.width() - 2 * OFF)
        height = max(self._row.totalHeightForWidth(width), self._row.minimumSize().height())
        self.setGeometry((ground.width() - width) // 2, OFF, width, height)
        self.raise_()

    def ask(self, about: str, sentence: Say, yes: Say, no: Say, answer: Answer, safe: bool = True) -> None:
        """Show `sentence` with two buttons; `answer` is called with whether the first one was pressed. safe: that one
        loses nothing, so it is the one that stands out; else the other one is."""
        self.about, self._answer = about, answer
        tell(self.sentence, "setText", sentence)
        tell(self, "setAccessibleDescription", sentence)
        for button, words in ((self.yes, yes), (self.no, no)):
            tell(button, "setText", words)
            name(button, words)
        restyle(self.yes, "primary" if safe else "")
        restyle(self.no, "" if safe else "primary")
        self.show()
        self._settle()

    def over(self, *about: str) -> None:
        """Ask no longer, if the question is one of these."""
        if self.about in about:
            self.about, self._answer = "", None
            self.hide()

    @Slot()
    def _yes(self) -> None:
        self._say(True)

    @Slot()
    def _no(self) -> None:
        self._say(False)

    def _say(self, answer: bool) -> None:
        then = self._answer
        self.over(self.about)
        if then is not None:
            then(answer)
