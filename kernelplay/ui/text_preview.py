"""A look at code and tables: letters of one width, coloured by what they are, that can be selected and not edited."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from kernelplay.ui.theme import Theme, mixed

WORDS = ("and", "assert", "break", "class", "continue", "def", "elif", "else", "False", "for", "from", "if", "import",
         "in", "is", "lambda", "None", "not", "or", "return", "self", "True", "while")
_STRING = r'(?P<string>"[^"]*")'
_NUMBER = r"(?P<number>(?<![\w.])\d+\.?\d*(?:[eE][+-]?\d+)?)"
RULES = {
    "python": re.compile(rf"(?P<comment>#.*)|{_STRING}|(?P<word>\b(?:{'|'.join(WORDS)})\b)|{_NUMBER}"),
    "latex": re.compile(r"(?P<comment>%.*)|(?P<word>\\[A-Za-z]+\*?)|(?P<string>[{}$&]|\\\\)"),
    "table": re.compile(_STRING),
}


def code_font(pixels: float) -> QFont:
    """Return the font of code: letters of one width, Korean and Japanese included."""
    font = QFont()
    font.setFamilies(["JetBrains Mono", "Cascadia Mono", "Consolas", "Menlo", "DejaVu Sans Mono", "Noto Sans Mono",
                      "Noto Sans Mono CJK KR", "Noto Sans Mono CJK JP", "monospace"])
    font.setPixelSize(max(1, round(pixels)))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    return font


class Colours(QSyntaxHighlighter):
    """Colours lines by the rules of `form`."""

    def __init__(self, document: QTextDocument, look: Theme) -> None:
        super().__init__(document)
        self.form = "table"
        self._formats: dict[str, QTextCharFormat] = {}
        for kind, colour in (("comment", look.text_dim), ("string", look.good), ("word", look.accent),
                             ("number", mixed(look.warn, look.text, 0.25))):
            self._formats[kind] = QTextCharFormat()
            self._formats[kind].setForeground(QColor(colour))

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        for match in RULES[self.form].finditer(text):
            assert match.lastgroup is not None
            self.setFormat(match.start(), match.end() - match.start(), self._formats[match.lastgroup])


class TextPreview(QPlainTextEdit):
    """Shows text."""

    def __init__(self, look: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(code_font(12 * look.zoom))
        self.setStyleSheet("QPlainTextEdit { padding: 8px; } QAbstractScrollArea::corner { border: none; }")
        self._colours = Colours(self.document(), look)

    def show_text(self, text: str, form: str) -> None:
        """Show `text`, coloured as `form`."""
        if (text, form) == (self.toPlainText(), self._colours.form):
            return
        self._colours.form = form
        self.setPlainText(text)
