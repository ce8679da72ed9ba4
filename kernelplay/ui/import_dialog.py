"""The Import dialog: the first rows, how they are read, what comes in; everything that was guessed can be changed."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kernelplay import arrival, columns
from kernelplay.columns import Place, Preview
from kernelplay.errors import FileError, SpecError
from kernelplay.files import read_bytes
from kernelplay.guess import Guess, guess
from kernelplay.i18n import Say, say
from kernelplay.models.base import Task
from kernelplay.reading import LAST, NOTHING, Reading
from kernelplay.tables import Table
from kernelplay.ui.controls import Push, Segmented
from kernelplay.ui.dialogs import Dialog
from kernelplay.ui.exchange import bring
from kernelplay.ui.import_form import ImportForm
from kernelplay.ui.import_reader import ImportReader, Job, Outcome
from kernelplay.ui.import_rows import Rows
from kernelplay.ui.import_summary import Arriving, Summary, together
from kernelplay.ui.labels import Note
from kernelplay.ui.sizes import scale, sized
from kernelplay.ui.store import Store
from kernelplay.ui.theme import theme
from kernelplay.ui.waiting import wait_for
from kernelplay.ui.words import name
from kernelplay.units import far_apart

SPLITS = frozenset({"format", "encoding", "delimiter", "quote", "comment", "skip"})  # they give other columns
SIZE = QSize(1100, 780)


class ImportDialog(Dialog):
    """Shows what `content` brings in, read as `guessed` says, and brings it in: one step that can be undone."""

    def __init__(self, store: Store, content: bytes, title: str | Say, guessed: Guess, parent: QWidget,
                 place: str = "replace") -> None:
        super().__init__(say("Import"), parent)
        self._store, self._content, self._title, self._guessed = store, content, title, guessed
        self.reading = guessed.reading
        self._seen = Preview()
        self._outcome: Outcome | None = None
        self._wanted = False  # Import was pressed while the table was being read
        look = theme(str(parent.property("theme") or "light")).zoomed(scale())
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.form = ImportForm(self)
        self.rows = Rows(look, self)
        self.arriving = Arriving(look, self)
        self.summary = Summary(look, self)
        self.doubts = Note(None, self, look="warn")
        self.problem = Note(None, self, look="bad")
        self.place = Segmented((("replace", say("Replace current points")), ("add", say("Add to current points"))),
                               say("What to do with the current points"), self)
        self.place.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.place.show_key(place)
        self.progress = QProgressBar(self)
        self.progress.setRange(0, 1000)
        name(self.progress, say("Progress"))
        self.reader = ImportReader(content, title, self)
        self._lay_out()
        self.form.edited.connect(self._edited)
        self.form.assigned.connect(self._assigned)
        self.rows.assigned.connect(self._assigned)
        self.place.chosen.connect(self._placed)
        self.reader.progressed.connect(self._progressed)
        self.reader.ended.connect(self._ended)
        store.closing.connect(self.reject)
        self._show_doubts(None)
        self._refresh()
        self.button.setFocus()

    def _lay_out(self) -> None:
        head = Note(say("Check how {file} was read, and correct it if needed.", file=self._title), self, look="dim")
        self.column.addWidget(head)
        self.column.addWidget(self.doubts)
        right = QVBoxLayout()
        sized(right, "setSpacing", 10)
        right.addWidget(self.rows, 5)
        below = QHBoxLayout()
        sized(below, "setSpacing", 14)
        below.addWidget(self.arriving, 5)
        below.addWidget(self.summary, 4)
        right.addLayout(below, 6)
        middle = QHBoxLayout()
        sized(middle, "setSpacing", 14)
        middle.addWidget(self.form)
        middle.addLayout(right, 1)
        self.form.fit_width()
        self.form.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.column.addLayout(middle, 1)
        self.column.addWidget(self.problem)
        box = self.buttons((say("Import"), QDialogButtonBox.ButtonRole.AcceptRole),
                           (say("Cancel"), QDialogButtonBox.ButtonRole.RejectRole))
        self.button = next(button for button in box.findChildren(Push)
                           if box.buttonRole(button) == QDialogButtonBox.ButtonRole.AcceptRole)
        for other in self.findChildren(QPushButton):
            other.setAutoDefault(box.isAncestorOf(other))  # Enter imports, whichever choice was pressed last
        self.button.setDefault(True)
        self.column.removeWidget(box)
        foot = QHBoxLayout()
        sized(foot, "setSpacing", 14)
        foot.addWidget(self.place)
        foot.addWidget(self.progress, 1)
        foot.addWidget(box)
        self.column.addLayout(foot)
        self.fit(SIZE.width(), SIZE.height())

    @property
    def ready(self) -> bool:
        """Whether what is shown is what would come in now."""
        return not self.reader.busy and self._outcome is not None and self._outcome.arrival is not None

    def _show_doubts(self, table: Table | None) -> None:
        """Show what was guessed, and what the table itself leaves in doubt."""
        doubts = list(self._guessed.doubts)
        if table is not None:
            doubts += [doubt for doubt in table.doubts if doubt not in doubts]
            hint = far_apart(table.X, table.columns, table.reading) if table.task == "classification" else None
            doubts += [hint] if hint is not None else []
        self.doubts.show_sentence(together(doubts))

    # what a person changes

    @Slot(str, object)
    def _edited(self, key: str, value: object) -> None:
        try:
            reading = (dataclasses.replace(self.reading, positive=str(value)) if key == "positive"
                       else self.reading.replace(key, value))
        except SpecError as error:
            self.problem.show_sentence(error.shown)
            return
        table = self._outcome.table if self._outcome is not None else None
        if key == "task":
            task: Task = "regression" if value == "regression" else "classification"
            reading = columns.with_task(reading, self._seen, task)
        elif key == "classes" and value != "each" and table is not None:
            reading = columns.in_classes(reading, table, str(value))
        elif key in SPLITS:
            reading = self._split_anew(reading)
        self.reading = reading
        self._refresh()

    def _split_anew(self, reading: Reading) -> Reading:
        """Return `reading` with columns chosen again, if there are other columns now."""
        try:
            if len(columns.preview(self._content, reading, self._title).columns) == len(self._seen.columns):
                return reading
            fresh = dataclasses.replace(reading, task="", inputs=(), target=LAST, classes="each")
            return columns.for_canvas(self._content, fresh, self._title)
        except FileError:  # said where it is read
            return reading

    @Slot(int, str)
    def _assigned(self, column: int, place: Place) -> None:
        self.reading = columns.assigned(self.reading, self._seen, column, place)
        self._refresh()

    @Slot(str)
    def _placed(self, key: str) -> None:
        self._ask()

    # what comes of it

    def _refresh(self) -> None:
        """Show the first rows at once, and read everything again."""
        try:
            self._seen = columns.preview(self._content, self.reading, self._title)
        except FileError:  # the whole says it too
            self._seen = Preview()
        self.rows.show_rows(self._seen, self.reading)
        self._show_form()
        self._ask()

    def _show_form(self) -> None:
        table = self._outcome.table if self._outcome is not None else None
        labelled = self.reading.task == "classification" and self.reading.target != NOTHING
        labels = arrival.labels(table) if table is not None and labelled else ()
        self.form.show_reading(self.reading, self._seen, labels)

    def _ask(self) -> None:
        self.progress.setValue(0)
        self.progress.show()
        self.problem.hide()
        self.reader.ask(Job(self.reading, self._store.scene, self.place.key == "add", self._store.current_class))

    @Slot(float)
    def _progressed(self, share: float) -> None:
        self.progress.setValue(round(1000 * share))

    @Slot(object)
    def _ended(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self.progress.hide()
        self.problem.show_sentence(outcome.problem)
        arrived = outcome.arrival
        self.rows.cells.explain(outcome.table, arrival.classes_of_labels(arrived) if arrived is not None else {},
                                arrived.scene if arrived is not None else None)
        self._show_form()
        self.arriving.show_points(arrived)
        self.summary.show_outcome(outcome, self._store.scene)
        self._show_doubts(outcome.table)
        self.button.setEnabled(arrived is not None)
        if self._wanted and arrived is not None:
            self.accept()
        self._wanted = False

    def accept(self) -> None:
        """Bring the points in; while they are still being read, as soon as they are there."""
        if self.reader.busy:
            self._wanted = True
            return
        if self._outcome is None or self._outcome.arrival is None:
            return
        arrived = self._outcome.arrival
        super().accept()
        bring(self._store, arrived, self._outcome.job.add)

    def done(self, result: int) -> None:
        """Stop reading when the window closes, however it does."""
        self.reader.close()
        super().done(result)


def import_file(store: Store, path: Path, window: QWidget) -> None:
    """Open the dialog on the table in the file `path`; if there is none, that is said in the status line."""
    def look() -> tuple[bytes, Guess]:
        content = read_bytes(path)
        guessed = guess(content, path.name)
        return content, dataclasses.replace(guessed, reading=columns.for_canvas(content, guessed.reading, path.name))

    try:
        content, guessed = wait_for(look)
    except FileError as error:
        store.say(error.sentence, problem=True)
        return
    ImportDialog(store, content, path.name, guessed, window).open()


def import_text(store: Store, text: str, window: QWidget) -> None:
    """Open the dialog on rows that were pasted."""
    content, title = text.encode(errors="replace"), say("The clipboard")
    try:
        guessed = guess(content, title)
        alone = store.scene.task == "classification"
        reading = columns.for_canvas(content, guessed.reading, title, alone)
    except FileError as error:
        store.say(error.sentence, problem=True)
        return
    ImportDialog(store, content, title, dataclasses.replace(guessed, reading=reading), window, "add").open()

