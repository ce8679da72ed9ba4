"""What the windows that write text share: a look at it, how long it is, copy, the file, and who makes it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kernelplay.errors import FileError
from kernelplay.files import size_text, write_whole
from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.ui.controls import Push
from kernelplay.ui.dialogs import Dialog, file_typed, may_replace
from kernelplay.ui.documents import file_stem
from kernelplay.ui.figure_memory import FOLDER
from kernelplay.ui.kept import keep
from kernelplay.ui.labels import Note
from kernelplay.ui.recent import folder_for
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.text_maker import TextMaker, Wanted, Written
from kernelplay.ui.text_preview import TextPreview
from kernelplay.ui.theme import Theme
from kernelplay.ui.waiting import wait_for
from kernelplay.ui.words import name, tell

MOST_LINES = 500  # that are shown; what is copied and saved is whole


class TextDialog(Dialog):
    """A dialog around a text. A subclass fills `choices`, and gives what is wanted and what the file is called."""

    does = say("Save")  # what the button says that writes the file

    def __init__(self, title: Say, store: Store, look: Theme, parent: QWidget | None) -> None:
        super().__init__(title, parent)
        self._store = store
        self._written: Written | None = None  # None: it is being made
        self._named = ""  # the path as it was proposed last
        self._agreed: Path | None = None  # a file that may be replaced: the window that names files has asked
        self.choices = QVBoxLayout()
        sized(self.choices, "setSpacing", 8)
        self.about = Note(None, self)
        self.warning = Note(None, self, look="warn")
        self.warning.hide()
        self.preview = TextPreview(look, self)
        self.preview.setMinimumSize(560, 160)
        name(self.preview, say("Preview"))
        self.info = Note(None, self)
        self.copy = Push(say("Copy"), self, look="", about=say("Copy the whole text to the clipboard."))
        self.copy.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.copy.clicked.connect(self._copy)
        under = QHBoxLayout()
        under.addWidget(self.info, 1)
        under.addWidget(self.copy)
        self.path = QLineEdit(self)
        self.path.setObjectName("path")
        name(self.path, say("File"))
        label = QLabel(self)
        label.setProperty("look", "key")
        label.setBuddy(self.path)
        tell(label, "setText", say("File"))
        self.browse = Push(say("Browse…"), self, look="")
        self.browse.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.browse.clicked.connect(self._browse)
        line = QHBoxLayout()
        sized(line, "setSpacing", 9)
        line.addWidget(label)
        line.addWidget(self.path, 1)
        line.addWidget(self.browse)
        self.column.addLayout(self.choices)
        self.column.addWidget(self.about)
        self.column.addWidget(self.warning)
        self.column.addWidget(self.preview, 1)
        self.column.addLayout(under)
        self.column.addLayout(line)
        self.error = self.add_error()
        box = self.buttons((self.does, QDialogButtonBox.ButtonRole.AcceptRole),
                           (say("Close"), QDialogButtonBox.ButtonRole.RejectRole))
        self.save = next(button for button in box.buttons()
                         if box.buttonRole(button) == QDialogButtonBox.ButtonRole.AcceptRole)
        assert isinstance(self.save, QPushButton)
        self.fit(860, 720)
        self.maker = TextMaker(MOST_LINES, self)
        self.maker.written.connect(self._show)

    def wanted(self) -> Wanted:
        """Return the text that is asked for."""
        raise NotImplementedError

    def file_name(self) -> tuple[str, str]:
        """Return what is added to the name of the scene for the file, and its ending."""
        raise NotImplementedError

    def encoded(self, text: str) -> bytes:
        """Return the text as the file holds it."""
        return text.encode()

    @property
    def ready(self) -> bool:
        """Whether the text that is asked for is there."""
        return self._written is not None

    @Slot()
    def refresh(self) -> None:
        """Make the text anew, and propose a file unless another one was typed."""
        if self.path.text() == self._named:
            path, title = self._store.path, self._store.scene.title
            addition, ending = self.file_name()
            stem = path.stem if path is not None else file_stem(title)
            self._named = str(folder_for(FOLDER, path) / f"{stem}{addition}{ending}")
            self.path.setText(self._named)
        self._written = None
        self._enable()
        self.maker.ask(self.wanted())

    @Slot(object)
    def _show(self, written: Written) -> None:
        self._written = written
        self.error.show_sentence(written.problem)
        self.warning.show_sentence(written.warning)
        self.preview.show_text(written.head, written.form)
        sentence = plural(written.lines, "{n} line, {size}", "{n} lines, {size}", size=size_text(written.size))
        if written.lines > MOST_LINES:
            sentence = say("{sentence}; showing the first {most} lines.", sentence=sentence, most=MOST_LINES)
        self.info.show_sentence(sentence if written.problem is None else verbatim(""))
        self._enable()

    def _enable(self) -> None:
        possible = self._written is not None and self._written.problem is None
        self.copy.setEnabled(possible)
        self.save.setEnabled(possible)

    @Slot()
    def _copy(self) -> None:
        if self._written is not None:
            QGuiApplication.clipboard().setText(self._written.text)
            self.info.show_sentence(plural(self._written.lines, "{n} line copied.",
                                           "{n} lines copied."))

    @Slot()
    def _browse(self) -> None:
        _, ending = self.file_name()
        path, _ = QFileDialog.getSaveFileName(self, str(say("Save")), self.path.text(), f"*{ending};;*")
        if path:
            self.path.setText(path)
            self._agreed = Path(path)

    def accept(self) -> None:
        """Write the file; a problem is said here and the window stays open."""
        if self._written is None or self._written.problem is not None:
            return
        path = file_typed(self.path.text(), folder_for(FOLDER, self._store.path))
        if path != self._agreed and not may_replace(path, self):
            return
        try:
            wait_for(partial(write_whole, path, self.encoded(self._written.text)))
        except FileError as error:
            self.error.show_sentence(error.sentence)
            return
        keep(FOLDER, str(path.parent))
        self._store.say(say("Saved to {file}.", file=verbatim(str(path))))
        super().accept()

    def done(self, result: int) -> None:
        """Stop what is being made, and close."""
        self.maker.close()
        super().done(result)
