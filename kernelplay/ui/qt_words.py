"""Words of Qt's own dialogs that its translations of this version lack, in the languages of the window."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTranslator

from kernelplay.i18n import Say, say

# where Qt says them, and what it says in English; "%1" is filled in by Qt
WORDS: Mapping[tuple[str, str], Say] = {
    ("QFileDialog", "&Look in:"): say("&Look in:"),
    ("QFileDialog", "Files of &type:"): say("Files of &type:"),
    ("QAbstractFileIconProvider", "Drive"): say("Drive"),
    ("QAbstractFileIconProvider", "Folder"): say("Folder"),
    ("QAbstractFileIconProvider", "File Folder"): say("Folder"),
    ("QAbstractFileIconProvider", "File"): say("File"),
    ("QAbstractFileIconProvider", "%1 File"): say("{kind} file", kind="%1"),
    ("QAbstractFileIconProvider", "Shortcut"): say("Shortcut"),
    ("QAbstractFileIconProvider", "Alias"): say("Shortcut"),
    ("QAbstractFileIconProvider", "Unknown"): say("Unknown file type"),
}


class QtWords(QTranslator):
    """Fills the gaps: it is asked after the translations that come with Qt."""

    def __init__(self, language: str, parent: QObject | None) -> None:
        super().__init__(parent)
        self._language = language

    def isEmpty(self) -> bool:
        """Have something to say."""
        return False

    def translate(self, context: str, source: str, comment: str | None = None, n: int = -1) -> str | None:
        """Return what is said instead of `source`; None: what others say."""
        said = WORDS.get((context, source))
        return said.text(self._language) if said is not None else None
