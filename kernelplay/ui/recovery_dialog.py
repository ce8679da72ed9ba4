"""What a crash has left: scenes with unsaved work, to be opened, given up, or left for later."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from kernelplay import i18n
from kernelplay.i18n import Say, counted, plural, say, verbatim
from kernelplay.recovery import Lost
from kernelplay.ui.controls import Push
from kernelplay.ui.dialogs import Dialog
from kernelplay.ui.labels import Note, restyle
from kernelplay.ui.sizes import sized
from kernelplay.ui.words import name, tell

COLUMNS = (say("Scene"), say("Last change"), say("Points"), say("File"))
MOST_ROWS = 8  # shown without scrolling


class RecoveryDialog(Dialog):
    """Lists what can be recovered. Afterwards `opened` and `discarded` hold numbers of scenes, in the order given;
    what is in neither stays for the next start."""

    def __init__(self, lost: Sequence[Lost], parent: QWidget | None) -> None:
        super().__init__(say("Unsaved changes"), parent)
        self.opened: list[int] = []
        self.discarded: list[int] = []
        self._numbers = list(range(len(lost)))  # of the rows that are left
        self._sure = False
        words = QLabel(self)
        words.setWordWrap(True)
        sized(words, "setMinimumWidth", 420)
        tell(words, "setText", plural(
            len(lost),
            "kernelplay quit before this scene was saved. It can be recovered as of the last change.",
            "kernelplay quit before these {n} scenes were saved. They can be recovered as of their last change."))
        self.list = QTableWidget(len(lost), len(COLUMNS), self)
        self.list.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.list.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setShowGrid(False)
        self.list.setWordWrap(False)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # the end of a path says most
        self.list.setTabKeyNavigation(False)
        self.list.verticalHeader().hide()
        self.list.setHorizontalHeaderLabels([str(title) for title in COLUMNS])
        header = self.list.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column in range(len(COLUMNS) - 1):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(len(COLUMNS) - 1, QHeaderView.ResizeMode.Stretch)
        name(self.list, say("Scenes with unsaved changes"))
        for row, each in enumerate(lost):
            file = verbatim(str(each.path)) if each.path is not None else say("never saved")
            cells = (_title(each), verbatim(_when(each.time)), verbatim(counted(each.points)), file)
            for column, cell in enumerate(cells):
                item = QTableWidgetItem(str(cell))
                if column == 3:
                    item.setToolTip(str(file))
                self.list.setItem(row, column, item)
        self.note = Note(None, self)
        self.column.addWidget(words)
        self.column.addWidget(self.list, 1)
        self.column.addWidget(self.note)
        box = self.buttons((say("Open"), QDialogButtonBox.ButtonRole.AcceptRole),
                           (say("Later"), QDialogButtonBox.ButtonRole.RejectRole))
        self.open_button = next(button for button in box.buttons() if isinstance(button, Push)
                                and box.buttonRole(button) == QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button.setDefault(True)
        self.discard_button = Push(say("Discard"), self, look="")
        sized(self.discard_button, "setMinimumWidth", 96)
        self.discard_button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        box.addButton(self.discard_button, QDialogButtonBox.ButtonRole.ResetRole)
        self.discard_button.clicked.connect(self._discard)
        self.list.itemSelectionChanged.connect(self._selected)
        self.list.itemDoubleClicked.connect(self.accept)
        self.list.selectAll()
        self._selected()
        rows = min(self.list.rowCount(), MOST_ROWS)
        height = header.sizeHint().height() + sum(self.list.rowHeight(row) for row in range(rows))
        self.list.setMinimumHeight(height + 6)
        spare = 2 * self.note.fontMetrics().height()  # for the note, when there is one
        wide = sum(self.list.sizeHintForColumn(column) for column in range(len(COLUMNS)))
        self.resize(max(620, min(900, wide + 90)), self.minimumSizeHint().height() + spare)
        self.list.setFocus()

    def _rows(self) -> list[int]:
        return sorted({index.row() for index in self.list.selectionModel().selectedRows()})

    @Slot()
    def _selected(self) -> None:
        rows = self._rows()
        self.open_button.setEnabled(bool(rows))
        self.discard_button.setEnabled(bool(rows))
        self._sure = False
        self._discard_means(say("Discard"))
        left = self.list.rowCount() - len(rows)
        self.note.show_sentence(None if left == 0 or not rows else plural(
            left, "{n} scene that is not selected is kept for the next start.",
            "{n} scenes that are not selected are kept for the next start."))

    def _discard_means(self, words: Say) -> None:
        tell(self.discard_button, "setText", words)
        name(self.discard_button, words)

    @Slot()
    def _discard(self) -> None:
        """Give the selected scenes up, when pressed a second time."""
        rows = self._rows()
        if not self._sure:
            self._sure = True
            self._discard_means(say("Discard permanently"))
            restyle(self.note, "bad")
            self.note.show_sentence(plural(len(rows), "{n} scene will be permanently lost. Press again to discard it.",
                                           "{n} scenes will be permanently lost. Press again to discard them."))
            return
        for row in reversed(rows):
            self.discarded.append(self._numbers.pop(row))
            self.list.removeRow(row)
        restyle(self.note, "help")
        if not self._numbers:
            super().reject()
            return
        self.list.selectAll()
        self._selected()

    def accept(self) -> None:
        """Open what is selected."""
        self.opened = [self._numbers[row] for row in self._rows()]
        if self.opened:
            super().accept()


def _title(lost: Lost) -> Say:
    if lost.path is not None:
        return verbatim(lost.path.name)
    return verbatim(lost.title) if lost.title else say("untitled")


def _when(seconds: float) -> str:
    """Return a time as people write it where they live: the time of today, else with the date."""
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    locale = QLocale(i18n.current())
    short = QLocale.FormatType.ShortFormat
    if time.localtime(seconds)[:3] == time.localtime()[:3]:
        return locale.toString(moment.time(), short)
    return locale.toString(moment, short)
