"""What comes in, seen before it does: the points as a small plot, how many there are of each class, the rows that do
not come in."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
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

from kernelplay.arrival import Arrival, signs
from kernelplay.i18n import Say, counted, plural, say, verbatim
from kernelplay.reading import NOTHING
from kernelplay.scene import CLASS_ROLES, Points, Scene, axis_labels, data_view, point_marks
from kernelplay.ui.import_reader import Outcome
from kernelplay.ui.labels import Line, Note
from kernelplay.ui.layers import Layers
from kernelplay.ui.plot_view import PlotView
from kernelplay.ui.sizes import px, sized
from kernelplay.ui.swatch import SIDE, swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name, tell

MOST_DRAWN = 3000  # points
MOST_LISTED = 1000  # rows that cannot be used


class Arriving(PlotView):
    """The points that come in, as they will lie on the canvas."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        sized(self, "setMinimumSize", 220, 160)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        name(self, say("Preview of the points"), say("The points as they will appear on the canvas."))

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
            caption = say("{shown} of {n} points are shown here.", shown=len(some), n=n)
        self.plot.set_layers(Layers(points=point_marks(scene), legend=False), axis_labels(scene), caption)
        self.plot.set_view(data_view(arrival.scene.with_points(points)), scene.task == "classification")


class Summary(QWidget):
    """How many points come in, of which classes, what becomes of the model, and which rows cannot be used."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        sized(self, "setMinimumWidth", 250)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        sized(box, "setSpacing", 7)
        self.count = Note(None, self, look="value")
        box.addWidget(self.count)
        grid = QGridLayout()
        sized(grid, "setHorizontalSpacing", 8)
        sized(grid, "setVerticalSpacing", 3)
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
            sized(mark, "setFixedSize", SIDE, SIDE)
            self._classes.append((mark, title, count))
        box.addLayout(grid)
        self.signs = Note(None, self)
        self.model = Note(None, self)
        self.notes = Note(None, self)
        box.addWidget(self.signs)
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
        name(self.list, say("Unusable rows"))
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
                mark.setPixmap(swatch(self._theme, arrival.scene.roles[number]).pixmap(px(SIDE), px(SIDE)))
                tell(title, "say", verbatim(text))
                tell(count, "say", verbatim(counted(n)))
        self.signs.show_sentence(signs(arrival.scene) if arrival is not None else None)
        self.model.show_sentence(_model(arrival, scene, outcome.job.add))
        notes = [note.sentence for note in table.notes if note.level == "info" and note.sentence not in table.doubts
                 ] if table is not None else []
        if arrival is not None and arrival.table.reading.classes != "each" and tally:
            n = len(arrival.table.labels)
            if n > len(CLASS_ROLES):
                notes.insert(0, say("There are {n} labels, but at most {most} classes can be shown: the labels are "
                                    "grouped into two classes.", n=n, most=len(CLASS_ROLES)))
            elif n > 2:
                notes.insert(0, say("The {n} labels are grouped into two classes.", n=n))
        self.notes.show_sentence(together(notes))
        self._list(outcome)

    def _list(self, outcome: Outcome) -> None:
        table = outcome.table
        bad = len(table.skipped_lines) if table is not None else 0
        self.unusable.show_sentence(
            plural(bad, "{n} row cannot be used and is skipped:", "{n} rows cannot be used and are skipped:")
            if bad else None)
        self.list.clear()
        for row in table.unusable[:MOST_LISTED] if table is not None else ():
            self.list.addItem(str(say("Line {line}: {why}", line=row.line, why=row.why)))
        if table is not None and bad > len(table.unusable):
            self.list.addItem(str(say("… and {n} more.", n=bad - len(table.unusable))))
        self.list.setVisible(bad > 0)


def _count(arrival: Arrival | None) -> Say:
    if arrival is None:
        return say("No usable rows.")
    n, classes = len(arrival.points), sum(n > 0 for _, n in arrival.counts)
    if arrival.scene.task == "regression" or arrival.table.reading.target == NOTHING:
        return plural(n, "{n} point will be imported.", "{n} points will be imported.")
    if classes == 1:
        return plural(n, "{n} point of one class will be imported.", "{n} points of one class will be imported.")
    return say("{n} points of {classes} classes will be imported.", n=n, classes=classes)


def _model(arrival: Arrival | None, scene: Scene, add: bool) -> Say | None:
    """Return what becomes of the model and of the points that are there."""
    if arrival is None:
        return None
    after = arrival.scene
    if after.task != scene.task:
        kept = len(scene.points)
        label = type(after.model).label
        if not kept:
            return say("The task changes, and with it the model: {model}.", model=label)
        return say("The task changes, and with it the model: {model}. The points of the other task are kept and return "
                   "when you switch back.", model=label)
    n = len(scene.points)
    if not n:
        return None
    if add:
        return plural(n, "Added to the current point.", "Added to the current {n} points.")
    return plural(n, "Replaces the current point (can be undone).",
                  "Replaces the current {n} points (can be undone).")


def together(sentences: list[Say]) -> Say | None:
    """Return one text of `sentences`, None if there are none."""
    whole: Say | None = None
    for sentence in sentences:
        whole = sentence if whole is None else say("{sentence} {more}", sentence=whole, more=sentence)
    return whole
