"""The readouts: what the fit is in numbers, whether its certificate holds, and what is worth saying beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from kernelplay.errors import Note as Worth
from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Picture, Readout
from kernelplay.models.base import Certificate
from kernelplay.ui.follower import Follower
from kernelplay.ui.formula_label import FormulaNote
from kernelplay.ui.labels import Line, Note, restyle
from kernelplay.ui.panels import Section
from kernelplay.ui.sizes import sized
from kernelplay.ui.store import Store
from kernelplay.ui.words import tell


class Readouts(Section):
    """One line for each number of the newest picture. The lines are kept and filled anew, never rebuilt."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(say("Readouts"), parent)
        self._lines: list[tuple[Note, Line]] = []
        self._kind: object = None  # of the model whose numbers are shown
        self._notes: list[FormulaNote] = []
        self._grid = QGridLayout()
        sized(self._grid, "setContentsMargins", 0, 2, 0, 0)
        sized(self._grid, "setHorizontalSpacing", 10)
        sized(self._grid, "setVerticalSpacing", 5)
        self._grid.setColumnStretch(0, 1)
        self.body.addLayout(self._grid)
        self._none = Note(say("No fit, so no results: the status bar says why."), self)
        self._none.hide()
        self.body.addWidget(self._none)
        self.proof = Note(None, self, look="good")
        self.body.addWidget(self.proof)
        self._store = store
        self._follower = Follower(self.content)
        self._follower.due.connect(self._follow)
        store.told.connect(self._follower.ask)

    def rows(self) -> list[tuple[str, str]]:
        """Return what stands there: pairs of label and value."""
        self._follower.now()
        return [(label.text(), value.full) for label, value in self._lines if not label.isHidden()]

    def retranslate(self) -> None:
        """Let the values have the room they need in the language in use."""
        self._widen(None)

    @Slot()
    def _follow(self) -> None:
        if self._store.picture is not None:
            self._show(self._store.picture)

    def _show(self, picture: Picture) -> None:
        self._show_notes(picture.notes)
        readouts = picture.readouts
        while len(self._lines) < len(readouts):
            self._add_line()
        for line, readout in zip(self._lines, readouts, strict=False):
            self._fill(line, readout)
        self._widen(type(picture.fit))
        for label, value in self._lines[len(readouts):]:
            label.hide()
            value.hide()
        self._none.setVisible(picture.fit is None)
        certificate = getattr(picture.fit, "certificate", None)
        if certificate is None:
            self.proof.hide()
            return
        sentence, look = _verdict(certificate)
        self.proof.show_sentence(sentence)
        restyle(self.proof, look)

    def _widen(self, kind: object) -> None:
        """Let the values have the room they need; while they change it never shrinks, so that nothing jumps."""
        needed = max((value.sizeHint().width() for _, value in self._lines if not value.isHidden()), default=0)
        if kind is not self._kind:
            self._kind = kind
        else:
            needed = max(needed, self._grid.columnMinimumWidth(1))
        if needed != self._grid.columnMinimumWidth(1):
            self._grid.setColumnMinimumWidth(1, needed)

    def _add_line(self) -> None:
        label, value = FormulaNote(verbatim(""), self, look="key"), Line(verbatim(""), self, look="value")
        value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        value.setAlignment(Qt.AlignmentFlag.AlignTop)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = len(self._lines)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(value, row, 1)
        self._lines.append((label, value))

    @staticmethod
    def _fill(line: tuple[Note, Line], readout: Readout) -> None:
        label, value = line
        tell(label, "setText", readout.label)
        tell(label, "setToolTip", readout.help)
        tell(value, "say", readout.value)
        tell(value, "hint", readout.help)
        tell(value, "setAccessibleName", say("{label}: {value}", label=readout.label, value=readout.value))
        label.show()
        value.show()

    def _show_notes(self, notes: tuple[Worth, ...]) -> None:
        while len(self._notes) < len(notes):
            note = FormulaNote(None, self)
            self._notes.append(note)
            self.body.insertWidget(1, note)
        for place, note in enumerate(self._notes):
            worth = notes[place] if place < len(notes) else None
            note.show_sentence(_sentence(worth))
            if worth is not None:
                restyle(note, "warn" if worth.level == "warning" else "help")


def _sentence(worth: Worth | None) -> Say | None:
    return worth.sentence if worth is not None else None


def _verdict(certificate: Certificate) -> tuple[Say, str]:
    """Return what the certificate says, and the look that goes with it."""
    if certificate.floor_decides:
        return say("Verified only up to rounding: all residuals below the rounding limit, {floor}.",
                   floor=certificate.tolerance), "warn"
    if certificate.holds:
        return say("✓ Verified: all residuals below {tolerance}.",
                   tolerance=certificate.tolerance), "good"
    return say("Not verified: the largest residual is {worst}, above {tolerance}.",
               worst=certificate.worst, tolerance=certificate.tolerance), "bad"
