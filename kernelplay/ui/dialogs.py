"""Small windows beside the main one (one file: they share a form): coordinates, commands, keys, about, questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMessageBox,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kernelplay import __version__
from kernelplay.i18n import Say, say, verbatim
from kernelplay.turn import TURN
from kernelplay.ui.controls import Push
from kernelplay.ui.labels import Complaint, Line, Note
from kernelplay.ui.panels import MARGIN
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.words import name, tell

MESSAGE = 40  # pixels of the picture in a question
FRAME = QSize(40, 80)  # of a screen: what the frame of a window and the bars of the system take


class Dialog(QDialog):
    """A window beside the main one, with a row of buttons at its foot."""

    def __init__(self, title: Say, parent: QWidget | None) -> None:
        TURN.begin()
        super().__init__(parent)
        tell(self, "setWindowTitle", title)
        self.column = QVBoxLayout(self)
        sized(self.column, "setContentsMargins", MARGIN + 6, MARGIN, MARGIN + 6, MARGIN)
        sized(self.column, "setSpacing", 10)

    def fit(self, width: int, height: int) -> None:
        """Be as large, but no larger than the screen: the buttons are at the foot."""
        self.resize(QSize(px(width), px(height)).boundedTo(self.screen().availableSize() - FRAME))

    def add_error(self) -> Complaint:
        """Add the line that says what is wrong."""
        error = Complaint(self)
        self.column.addWidget(error)
        return error

    def buttons(self, *said: tuple[Say, QDialogButtonBox.ButtonRole]) -> QDialogButtonBox:
        """Add buttons with these words and return their box."""
        box = QDialogButtonBox(self)
        for sentence, role in said:
            button = Push(sentence, self, look="primary" if role == QDialogButtonBox.ButtonRole.AcceptRole else "")
            button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            sized(button, "setMinimumWidth", 96)
            box.addButton(button, role)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        self.column.addWidget(box)
        return box


class CoordinatesDialog(Dialog):
    """Types where a point lies."""

    def __init__(self, names: tuple[str, str], place: tuple[float, float], parent: QWidget | None) -> None:
        super().__init__(say("Coordinates"), parent)
        self.place = place
        form = QFormLayout()
        self.fields: list[QLineEdit] = []
        for axis, value in zip(names, place, strict=True):
            field = QLineEdit(repr(value).replace("-", "−"), self)
            name(field, verbatim(axis))
            label = QLabel(self)
            tell(label, "setText", verbatim(axis))
            label.setBuddy(field)
            form.addRow(label, field)
            self.fields.append(field)
        self.column.addLayout(form)
        self.error = self.add_error()
        sized(self.error, "setMinimumWidth", 240)
        self.buttons(
            (say("Move"), QDialogButtonBox.ButtonRole.AcceptRole),
            (say("Cancel"), QDialogButtonBox.ButtonRole.RejectRole),
        )

    def accept(self) -> None:
        """Take the numbers if they are numbers."""
        from kernelplay.ui.point_model import coordinate

        values = [coordinate(field.text()) for field in self.fields]
        for field, value in zip(self.fields, values, strict=True):
            if value is None:
                self.error.show_sentence(say("{value} is not a coordinate: enter a number such as 1.5 or −0.2.",
                                             value=verbatim(field.text())))
                return
        x, y = values
        assert x is not None and y is not None
        self.place = (x, y)
        super().accept()


class CommandsDialog(Dialog):
    """Every command with its keys. Type to find one, Enter does it."""

    def __init__(self, actions: list[tuple[Say, QAction]], parent: QWidget | None) -> None:
        super().__init__(say("Commands and shortcuts"), parent)
        self._actions = actions
        self.chosen: QAction | None = None
        self.search = QLineEdit(self)
        self.search.setClearButtonEnabled(True)
        tell(self.search, "setPlaceholderText", say("Search commands"))
        name(self.search, say("Search commands"))
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self.accept)
        self.list = QTableWidget(0, 3, self)
        self.list.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.list.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        self.list.setShowGrid(False)
        sized(self.list.verticalHeader(), "setDefaultSectionSize", 30)
        self.list.verticalHeader().hide()
        self.list.horizontalHeader().hide()
        self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.list.itemDoubleClicked.connect(self.accept)
        name(self.list, say("Commands"))
        for menu, action in actions:
            row = self.list.rowCount()
            self.list.insertRow(row)
            for column, text in enumerate((action.text(), str(menu), str(verbatim(keys_of(action))))):
                item = QTableWidgetItem(unmarked(text))
                if not action.isEnabled():
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
                self.list.setItem(row, column, item)
        self.nothing = Note(None, self)
        self.nothing.hide()
        self.column.addWidget(self.search)
        self.column.addWidget(self.nothing)
        self.column.addWidget(self.list, 1)
        self.buttons(
            (say("Run"), QDialogButtonBox.ButtonRole.AcceptRole),
            (say("Close"), QDialogButtonBox.ButtonRole.RejectRole),
        )
        self._filter("")
        words = sum(self.list.sizeHintForColumn(column) for column in range(3))
        room = self.screen().availableSize() - FRAME
        self.resize(QSize(max(px(560), words + px(90)), px(520)).boundedTo(room))
        self.search.setFocus()

    @Slot(str)
    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        first = -1
        for row in range(self.list.rowCount()):
            whole = " ".join(
                (*(item.text() for column in range(3) if (item := self.list.item(row, column)) is not None),
                 self._actions[row][1].whatsThis())
            ).casefold()
            shown = all(word in whole for word in words)
            self.list.setRowHidden(row, not shown)
            if shown and first < 0 and self._actions[row][1].isEnabled():
                first = row
        if first >= 0:
            self.list.selectRow(first)
        else:
            self.list.setCurrentCell(-1, -1)
        found = not all(self.list.isRowHidden(row) for row in range(self.list.rowCount()))
        self.nothing.show_sentence(None if found else say(
            "No command contains “{text}”. Try one word of it, or the name of a menu.", text=verbatim(text.strip())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down move in the list while the text keeps the focus."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            way = 1 if event.key() == Qt.Key.Key_Down else -1
            row = self.list.currentRow() + way
            while 0 <= row < self.list.rowCount() and (self.list.isRowHidden(row)
                                                       or not self._actions[row][1].isEnabled()):
                row += way
            if 0 <= row < self.list.rowCount():
                self.list.selectRow(row)
        else:
            super().keyPressEvent(event)

    def accept(self) -> None:
        """Choose the command of the current row."""
        row = self.list.currentRow()
        if 0 <= row < len(self._actions) and not self.list.isRowHidden(row) and self._actions[row][1].isEnabled():
            self.chosen = self._actions[row][1]
            super().accept()


def unmarked(text: str) -> str:
    """Return the words of a menu without the marks of their keys: "File" of "&File", "파일" of "파일(&F)"."""
    return re.sub(r"\s*\(&.\)|&", "", text)


def keys_of(action: QAction) -> str:
    """Return the keys of a command as they are written, without those that only rare keyboards have ("New", "Undo")."""
    form = QKeySequence.SequenceFormat.PortableText
    common = [keys for keys in action.shortcuts() if re.fullmatch(r".*\+.+|.|F\d+|Del|Backspace", keys.toString(form))]
    return ", ".join(keys.toString(QKeySequence.SequenceFormat.NativeText) for keys in common[:2])


GESTURES: tuple[tuple[Say, Say], ...] = (
    (say("Left click"), say("adds a point of the current class")),
    (say("Right click"), say("adds a point of the other class, with the tools that add points; else opens a menu")),
    (say("Number keys"), say("choose the class of new points; with Shift, of the selected points")),
    (say("Drag a point"), say("moves it, with Alt a copy; the model updates live")),
    (say("Shift and drag"), say("selects the points in a box; Ctrl-click adds to the selection")),
    (say("Delete"), say("removes the selected points")),
    (say("Drag the empty canvas, or drag with the middle button"), say("moves the view")),
    (say("Wheel"), say("zooms at the pointer; with Ctrl, changes the radius of the tool")),
    (say("F, or double-click an axis"), say("zooms to fit all points")),
    (
        say("Tab"),
        say("goes from point to point; the arrow keys move the point, or a crosshair where Enter adds one"),
    ),
    (say("Ctrl+Tab"), say("leaves the canvas for the next control; with Shift, for the previous one")),
    (say("Space"), say("plays or pauses the steps of a model")),
    (say("Drag the legend"), say("moves it; double-click places it automatically, L folds and opens it")),
    (say("Double-click a slider"), say("resets to the default")),
    (
        say("In the table: type, or press F2"),
        say("edits the cell; Enter moves down, Tab to the next cell, Escape cancels"),
    ),
    (say("In the table: the last row"), say("adds a new point when you type its coordinates")),
    (say("In the table: Space or a digit"), say("Space switches the point off or on, a digit sets its class")),
    (say("In the table: click a column heading"), say("sorts by it; a third click restores the original order")),
    (say("In the table: paste cells"), say("fills in spreadsheet cells, starting at the current cell")),
    (say("Click the symbol of a class"),
     say("opens its colour and shape; F2 renames the class, Alt+Up or Alt+Down moves it")),
    (say("Paste text that starts with kernelplay:"), say("opens the scene it contains")),
)


class GesturesDialog(Dialog):
    """What mouse and keys do."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(say("Mouse and keyboard"), parent)
        form = QFormLayout()
        sized(form, "setHorizontalSpacing", 22)
        sized(form, "setVerticalSpacing", 7)
        for what, does in GESTURES:
            left, right = QLabel(self), QLabel(self)
            left.setProperty("look", "value")
            tell(left, "setText", what)
            tell(right, "setText", does)
            form.addRow(left, right)
        self.column.addLayout(form)
        self.buttons((say("Close"), QDialogButtonBox.ButtonRole.RejectRole))


class AboutDialog(Dialog):
    """What this is."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(say("About kernelplay"), parent)
        title = Line(verbatim(f"kernelplay {__version__}"), self, look="value")
        words = QLabel(self)
        words.setWordWrap(True)
        sized(words, "setMinimumWidth", 380)
        tell(
            words,
            "setText",
            say(
                "A playground for kernel methods: click points, choose a model and a kernel, and see the exact result "
                "at once, with a certificate that it is correct."
            ),
        )
        licence = Note(say("Free software under the GNU General Public License, version 3 or later."), self)
        self.column.addWidget(title)
        self.column.addWidget(words)
        self.column.addWidget(licence)
        self.buttons((say("Close"), QDialogButtonBox.ButtonRole.RejectRole))


def ask_to_save(title: Say, parent: QWidget) -> str:
    """Ask what to do with unsaved changes; return "save", "discard" or "cancel"."""
    return _ask(QMessageBox.Icon.Question, say("{title} has unsaved changes.", title=title),
                say("Do you want to save them?"), parent,
                save=say("&Save"), discard=say("Do&n’t save"), cancel=say("&Cancel"))


def ask_to_overwrite(title: Say, parent: QWidget) -> str:
    """Ask what to do with a file that another program has changed; return "overwrite", "other" or "cancel"."""
    return _ask(QMessageBox.Icon.Warning,
                say("“{title}” was changed by another program since it was last opened or saved here.", title=title),
                say("Overwriting it will lose those changes."), parent,
                other=say("&Save as…"), overwrite=say("&Overwrite"), cancel=say("&Cancel"))


_ROLES = {"discard": QMessageBox.ButtonRole.DestructiveRole, "overwrite": QMessageBox.ButtonRole.DestructiveRole,
          "replace": QMessageBox.ButtonRole.DestructiveRole, "cancel": QMessageBox.ButtonRole.RejectRole}


def _ask(image: QMessageBox.Icon, sentence: Say, more: Say, parent: QWidget, **answers: Say) -> str:
    """Ask a question with these answers, each with a letter that is its key; return the name of the chosen one. Enter
    takes the first, Escape is "cancel"."""
    box = QMessageBox(image, "kernelplay", str(sentence), QMessageBox.StandardButton.NoButton, parent)
    box.setInformativeText(str(more))
    side = px(MESSAGE)
    box.setIconPixmap(box.iconPixmap().scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio,
                                              Qt.TransformationMode.SmoothTransformation))
    buttons = {name: box.addButton(str(said), _ROLES.get(name, QMessageBox.ButtonRole.AcceptRole))
               for name, said in answers.items()}
    box.setDefaultButton(next(iter(buttons.values())))
    box.setEscapeButton(buttons["cancel"])
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return next((name for name, button in buttons.items() if button is clicked), "cancel")


def may_replace(path: Path, parent: QWidget) -> bool:
    """Return whether a file may be written: there is none of this name, or a person says that it may go."""
    try:
        if not path.is_file():
            return True  # a folder is refused with a sentence when it is written
    except OSError:
        return True
    return may_go([path], parent)


def may_go(files: Sequence[Path], parent: QWidget) -> bool:
    """Ask whether these files may be replaced."""
    n = len(files)
    sentence = say("“{file}” already exists.", file=verbatim(files[0].name)) if n == 1 else \
        say("{n} files “{first}” to “{last}” already exist.", n=n, first=verbatim(files[0].name),
            last=verbatim(files[-1].name))
    more = say("Replacing it will overwrite its contents.") if n == 1 else \
        say("Replacing them will overwrite their contents.")
    return _ask(QMessageBox.Icon.Warning, sentence, more, parent,
                cancel=say("&Cancel"), replace=say("&Replace")) == "replace"


def file_typed(text: str, folder: Path) -> Path:
    """Return the file that was typed; "~" is the home of a person, and what is in no folder lies in `folder`."""
    path = Path(text)
    with suppress(RuntimeError):  # there is nobody of this name
        path = path.expanduser()
    return folder / path


def select_name(field: QLineEdit) -> None:
    """Select the name of a file without its folder and its ending: what is typed next takes its place."""
    path = Path(field.text())
    field.setSelection(len(field.text()) - len(path.name), len(path.stem))
