"""What comes in, seen before it does: the points as a small plot, how many there are of each class, the rows that do
not come in."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QLabel,
    QListView,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from kernelplay.arrival import Arrival
from kernelplay.i18n import Say, plural, say, verbatim
from kernelplay.reading import NOTHING
from kernelplay.scene import CLASS_ROLES, Points, Scene, axis_labels, data_view, point_marks
from kernelplay.ui.import_reader import Outcome
from kernelplay.ui.labels import Line, Note
from kernelplay.ui.layers import Layers
from kernelplay.ui.plot_view import PlotView
from kernelplay.ui.swatch import SIDE, swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name, tell

MOST_DRAWN = 3000  # points
MOST_LISTED = 1000  # rows that cannot be used


class Arriving(PlotView):
    """The points that come in, as they will lie on the canvas."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setMinimumSize(220, 160)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        name(self, say("What comes in"), say("The points as they will lie on the canvas."))

    def show_points(self, arrival: Arrival | None) -> None:
        """Show the points of `arrival`, of many a part spread evenly over the file."""
        if arrival is None:
            self.plot.set_layers(Layers(legend=False), (verbatim(""), verbatim("")))
            return
        n = len(arrival.points)
        chosen = np.arange(0, n, max(1, -(-n // MOST_DRAWN)))
        points = arrival.points
        some = Points(points.xy[chosen], points.cls[chosen], names=points.names)
        scene = arrival.scene.with_points(some)
        caption = None
        if len(some) < n:
            caption = say("{shown} of {n} points are drawn here.", shown=len(some), n=n)
        self.plot.set_layers(Layers(points=point_marks(scene), legend=False), axis_labels(scene), caption)
        self.plot.set_view(data_view(arrival.scene.with_points(points)), scene.task == "classification")


class Summary(QWidget):
    """How many points come in, of which classes, what becomes of the model, and which rows cannot be used."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setMinimumWidth(250)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(7)
        self.count = Note(None, self, look="value")
        box.addWidget(self.count)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(4, 1)
        grid.setColumnMinimumWidth(2, 34)
        self._classes: list[tuple[QLabel, Line, Line]] = []
        for place in range(len(CLASS_ROLES)):
            mark, title = QLabel(self), Line(verbatim(""), self)
            count = Line(verbatim(""), self, look="dim")
            row, column = divmod(place, 2)
            for offset, widget in enumerate((mark, title, count)):
                grid.addWidget(widget, row, 3 * column + offset)
            mark.setFixedSize(QSize(SIDE, SIDE))
            self._classes.append((mark, title, count))
        box.addLayout(grid)
        self.model = Note(None, self)
        self.notes = Note(None, self)
        box.addWidget(self.model)
        box.addWidget(self.notes)
        self.unusable = Note(None, self, look="bad")
        box.addWidget(self.unusable)
        self.list = QListWidget(self)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.list.setProperty("look", "lines")  # Qt forgets the padding beside the text when it breaks lines
        self.list.setWordWrap(True)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        name(self.list, say("Rows that cannot be used"))
        box.addWidget(self.list, 1)
        box.addStretch(0)

    def show_outcome(self, outcome: Outcome, scene: Scene) -> None:
        """Show what `outcome` brings into `scene`."""
        table, arrival = outcome.table, outcome.arrival
        self.count.show_sentence(_count(arrival))
        tally = arrival.counts if arrival is not None else ()
        shown = [(number, title, n) for number, (title, n) in enumerate(tally) if n]
        for place, (mark, title, count) in enumerate(self._classes):
            for widget in (mark, title, count):
                widget.setVisible(place < len(shown))
            if place < len(shown) and arrival is not None:
                number, text, n = shown[place]
                mark.setPixmap(swatch(self._theme, arrival.scene.roles[number]).pixmap(SIDE, SIDE))
                tell(title, "say", verbatim(text))
                tell(count, "say", verbatim(str(n)))
        self.model.show_sentence(_model(arrival, scene, outcome.job.add))
        notes = [note.sentence for note in table.notes if note.level == "info" and note.sentence not in table.doubts
                 ] if table is not None else []
        if arrival is not None and arrival.table.reading.classes != "each" and tally:
            n = len(arrival.table.labels)
            if n > len(CLASS_ROLES):
                notes.insert(0, say("The {n} labels are more than the {most} classes that can be shown: they are put "
                                    "into two.", n=n, most=len(CLASS_ROLES)))
            elif n > 2:
                notes.insert(0, say("The {n} labels are put into two classes.", n=n))
        self.notes.show_sentence(together(notes))
        self._list(outcome)

    def _list(self, outcome: Outcome) -> None:
        table = outcome.table
        bad = len(table.skipped_lines) if table is not None else 0
        self.unusable.show_sentence(
            plural(bad, "{n} row cannot be used and does not come in:", "{n} rows cannot be used and do not come in:")
            if bad else None)
        self.list.clear()
        for row in table.unusable[:MOST_LISTED] if table is not None else ():
            self.list.addItem(str(say("Line {line}: {why}", line=row.line, why=row.why)))
        if table is not None and bad > len(table.unusable):
            self.list.addItem(str(say("… and {n} more.", n=bad - len(table.unusable))))
        self.list.setVisible(bad > 0)


def _count(arrival: Arrival | None) -> Say:
    if arrival is None:
        return say("Nothing comes in.")
    n, classes = len(arrival.points), sum(n > 0 for _, n in arrival.counts)
    if arrival.scene.task == "regression" or arrival.table.reading.target == NOTHING:
        return plural(n, "{n} point comes in.", "{n} points come in.")
    if classes == 1:
        return plural(n, "{n} point comes in, of one class.", "{n} points come in, of one class.")
    return say("{n} points come in, of {classes} classes.", n=n, classes=classes)


def _model(arrival: Arrival | None, scene: Scene, add: bool) -> Say | None:
    """Return what becomes of the model and of the points that are there."""
    if arrival is None:
        return None
    after = arrival.scene
    if after.task != scene.task:
        kept = len(scene.points)
        label = type(after.model).label
        if not kept:
            return say("The task changes, and the model with it: {model}.", model=label)
        return say("The task changes, and the model with it: {model}. The points of the other task are kept and come "
                   "back with it.", model=label)
    n = len(scene.points)
    if not n:
        return None
    if add:
        return plural(n, "They are added to the point that is there.", "They are added to the {n} points that are "
                      "there.")
    return plural(n, "The point that is there goes; undo brings it back.", "The {n} points that are there go; undo "
                  "brings them back.")


def together(sentences: list[Say]) -> Say | None:
    """Return one text of `sentences`, None if there are none."""
    whole: Say | None = None
    for sentence in sentences:
        whole = sentence if whole is None else say("{sentence} {more}", sentence=whole, more=sentence)
    return whole
