"""The status line: a dot, a sentence about what just happened, where the pointer is, how many points there are."""

from __future__ import annotations

import time

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStatusBar, QWidget

from kernelplay.i18n import Say, number, plural, say, verbatim
from kernelplay.marks import Picture
from kernelplay.scene import Scene
from kernelplay.ui.labels import Line
from kernelplay.ui.reading import Hover
from kernelplay.ui.sight import out_of_sight
from kernelplay.ui.sizes import px, scale, sized
from kernelplay.ui.store import Store
from kernelplay.ui.swatch import SIDE, swatch
from kernelplay.ui.theme import Theme
from kernelplay.ui.words import name, tell

PATIENCE = 150  # ms without an answer after which the dot says that work goes on
LONG = 1000  # ms after which the sentence says it too
KEEP = 5000  # ms that a sentence about something else than the picture stays


class Dot(QWidget):
    """A disc: green for fitted, amber for a warning and while something is worked on, red for a problem, grey while
    there are no points.
    The sentence says it too."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.state = "busy"
        sized(self, "setFixedSize", 22, 18)
        self.show_state("busy")

    def show_state(self, state: str) -> None:
        """Show "good", "busy", "warn", "bad" or "empty"."""
        self.state = state
        name(self, {"good": say("fitted"), "busy": say("working"), "warn": say("warning"), "bad": say("problem"),
                    "empty": say("no points")}[state])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the disc; for a problem a square, so that colour is not the only sign."""
        theme = self.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor({"good": theme.good, "busy": theme.warn, "warn": theme.warn, "bad": theme.bad,
                                 "empty": theme.text_dim}[self.state]))
        side = 9 * scale()
        box = QRectF(side, (self.height() - side) / 2, side, side)
        if self.state == "bad":
            painter.drawRoundedRect(box, 2, 2)
        else:
            painter.drawEllipse(box)
        painter.end()


class Counts(QWidget):
    """How many points each class has, beside its mark."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        store.changed.connect(self._changed)
        self._show()

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        was, now = old.points, new.points
        if old.task != new.task or len(was) != len(now) or was.cls is not now.cls or (
                old.classes, old.looks) != (new.classes, new.looks):
            self._show()

    def _show(self) -> None:
        scene = self._store.scene
        n = len(scene.points)
        count = plural(n, "{n} point", "{n} points")
        self._pairs: list[tuple[int, str]] = []
        if scene.task == "classification":
            self._pairs = [(c, str(int((scene.points.cls == c).sum()))) for c in range(len(scene.classes))]
            each = ", ".join(f"{title}: {many}" for title, (_, many) in zip(scene.classes, self._pairs, strict=True))
            count = say("{count} ({each})", count=count, each=each)
        name(self, count)
        tell(self, "setToolTip", count)
        self._text = count
        if self.sizeHint() != self.size():
            self.setFixedSize(self.sizeHint())
        self.update()

    def retranslate(self) -> None:
        """Say the counts again."""
        self._show()

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)

    def sizeHint(self) -> QSize:
        """Return room for every class."""
        width = (
            sum(px(SIDE) + self._width(many) + px(12) for _, many in self._pairs)
            if self._pairs
            else self._width(str(self._text)) + px(8)
        )
        return QSize(width + px(6), px(20))

    minimumSizeHint = sizeHint

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks and the numbers."""
        painter = QPainter(self)
        painter.setPen(QColor(self.theme.text_mid))
        middle = self.height() // 2
        baseline = middle + self.fontMetrics().ascent() // 2 - 1
        x, roles, side = px(3), self._store.scene.roles, px(SIDE)
        for c, many in self._pairs:
            swatch(self.theme, roles[c]).paint(painter, x, middle - side // 2, side, side)
            painter.drawText(x + side + px(4), baseline, many)
            x += side + self._width(many) + px(12)
        if not self._pairs:
            painter.drawText(x, baseline, str(self._text))
        painter.end()


class StatusLine(QStatusBar):
    """What just happened, in plain words."""

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._message: Say | None = None
        self._trouble = False  # the message is about something that could not be done
        self.setSizeGripEnabled(False)
        sized(self, "setMaximumHeight", 34)
        self.dot = Dot(theme, self)
        self.sentence = Line(verbatim(""), self)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.where = Line(verbatim(""), self, look="dim")
        self.where.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.chosen = Line(verbatim(""), self, look="dim")
        self.chosen.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.chosen.hide()
        self.counts = Counts(store, theme, self)
        line = QWidget(self)
        self._row = QHBoxLayout(line)
        sized(self._row, "setContentsMargins", 2, 0, 6, 0)
        sized(self._row, "setSpacing", 8)
        self._row.addWidget(self.dot)
        self._row.addWidget(self.sentence, 1)
        self._row.addWidget(self.where)
        self._row.addWidget(self.chosen)
        self._row.addWidget(self.counts)
        self.addWidget(line, 1)
        self._busy = self._timer(PATIENCE, self._still_busy)
        self._long = self._timer(LONG, self._busy_for_long)
        self._count = self._timer(LONG, self._busy_for_long)  # says how long, second by second
        self._keep = self._timer(KEEP, self._message_over)
        self._rest = self._timer(700, self._announce)
        self._since = time.monotonic()  # when what is worked on began
        self._busy.start()  # until the first picture
        self._long.start()
        store.changed.connect(self._changed)
        store.pictured.connect(self._pictured)
        store.told.connect(self._told)
        store.said.connect(self.say)
        store.selected.connect(self._selected)

    def add(self, widget: QWidget) -> None:
        """Put a control at the end of the line."""
        self._row.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find out again what there is room for."""
        super().resizeEvent(event)
        self._make_room()

    def retranslate(self) -> None:
        """Find out again what there is room for."""
        self._hold(self.where.sizeHint().width() if self.where.full else 0)

    def _make_room(self) -> None:
        """Leave the counts out while the sentence needs their place: the Data panel has them too."""
        others = [widget for place in range(self._row.count()) if (item := self._row.itemAt(place)) is not None
                  and (widget := item.widget()) is not None and widget is not self.counts
                  and not (widget is self.chosen and not self._store.selection)]
        widths = [max(widget.sizeHint().width(), widget.minimumWidth()) + self._row.spacing() for widget in others]
        needed = sum(widths) + self.counts.sizeHint().width()
        self.counts.setVisible(needed + 16 <= self.width())

    def _tell(self, sentence: Say) -> None:
        before = self.sentence.full
        tell(self.sentence, "say", sentence)
        if self.sentence.full != before:
            self._make_room()

    def _timer(self, milliseconds: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer

    def set_theme(self, theme: Theme) -> None:
        """Draw with `theme` from now on."""
        self.dot.theme = self.counts.theme = theme
        self.dot.update()
        self.counts.update()

    @Slot(object, bool)
    def say(self, sentence: Say, problem: bool = False) -> None:
        """Show a sentence about something else than the picture, for a while; problem: with the sign of one."""
        self._message, self._trouble = sentence, problem
        self._tell(sentence)
        if problem:
            self.dot.show_state("bad")
        elif self.dot.state == "bad":
            self._show_dot()
        self._keep.start()
        self._rest.start()

    @Slot(object)
    def point_at(self, hover: Hover | None) -> None:
        """Show where the pointer is and what the model says there."""
        if hover is None:
            self._point(verbatim(""))
            return
        x, y = self._store.scene.points.names
        if len(x) + len(y) > 8:  # the axes say them in full
            x, y = ("x₁", "x₂") if self._store.scene.task == "classification" else ("x", "t")
        place = verbatim(f"{x} = {number(hover.x)}   {y} = {number(hover.y)}")
        self._point(place if hover.text is None else say("{place}   {value}", place=place, value=hover.text))

    def _point(self, sentence: Say) -> None:
        """Show `sentence` about the pointer. Its place only grows while the pointer moves: nothing beside it jumps."""
        tell(self.where, "say", sentence)
        needed = self.where.sizeHint().width() if self.where.full else 0
        if needed == 0 or needed > self.where.width():
            self._hold(needed)

    def _hold(self, needed: int) -> None:
        """Keep a place for what is said about the pointer."""
        self.where.setFixedWidth(needed + px(8) if needed else 0)
        self._make_room()

    @Slot(object)
    def _selected(self, rows: frozenset[int]) -> None:
        if rows:
            tell(self.chosen, "say", plural(len(rows), "{n} selected", "{n} selected"))
        self.chosen.setVisible(bool(rows))
        self._make_room()

    @Slot(object, object)
    def _changed(self, old: Scene, new: Scene) -> None:
        self._message = None
        if not self._busy.isActive():
            self._wait()

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        if picture.scene is self._store.scene:
            self._busy.stop()
            self._long.stop()
            self._count.stop()
        else:  # another one is on its way
            self._wait()

    def _wait(self) -> None:
        self._since = time.monotonic()
        self._busy.start()
        self._long.start(PATIENCE if self._store.slow else LONG)

    @Slot(object)
    def _told(self, picture: Picture) -> None:
        self._show(picture)
        self._rest.start()

    def _show(self, picture: Picture) -> None:
        self._show_dot()
        self._tell(self.about(picture) if self._message is None else self._message)

    def about(self, picture: Picture) -> Say:
        """Return what is said of a picture: the problem, or the fit and what of it is out of sight."""
        if picture.problem is not None:
            return picture.problem
        unseen = out_of_sight(picture, self._store.shown) if self._store.shown is not None else None
        return picture.status if unseen is None else say("{sentence} {more}", sentence=picture.status, more=unseen)

    def _show_dot(self) -> None:
        picture = self._store.picture
        bad = picture is not None and picture.problem is not None
        warn = picture is not None and any(note.level == "warning" for note in picture.notes)
        empty = picture is not None and not len(picture.scene.points)
        if self._message is not None and self._trouble:
            bad, empty = True, False
        self.dot.show_state("empty" if empty else "bad" if bad else "busy" if picture is None else
                            "warn" if warn else "good")

    @Slot()
    def _still_busy(self) -> None:
        if self._store.behind and not (self._message is not None and self._trouble):
            self.dot.show_state("busy")

    @Slot()
    def _busy_for_long(self) -> None:
        if not self._store.behind:
            return
        model = self._store.scene.model.label
        seconds = int(time.monotonic() - self._since)
        if seconds < 2:
            working = (say("Fitting {model}.", model=model) if self._store.picture is None else
                       say("Still working on {model}; the last result stays until the new one is ready.", model=model))
        else:
            working = (say("Fitting {model}: {seconds} s so far.", model=model, seconds=seconds)
                       if self._store.picture is None else
                       say("Still working on {model}, {seconds} s so far; the last result stays until the new one is "
                           "ready.", model=model, seconds=seconds))
        self._count.start()
        self._tell(working if self._message is None
                   else say("{sentence} {more}", sentence=self._message, more=working))

    @Slot()
    def _message_over(self) -> None:
        self._message = None
        if self._store.behind:
            self._busy_for_long()
        elif self._store.picture is not None:
            self._show(self._store.picture)

    @Slot()
    def _announce(self) -> None:
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.sentence, self.sentence.full))
