"""Side views: the charts beside the canvas, linked to it point by point."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import Say, say, verbatim
from kernelplay.marks import Bars, Chart, Curve, Dots, Mark, Picture, Text
from kernelplay.ui.guard import guarded
from kernelplay.ui.layers import Layers, extent
from kernelplay.ui.plot_view import PlotView
from kernelplay.ui.seat import SIDE
from kernelplay.ui.store import Store
from kernelplay.ui.theme import Theme

REACH = 10.0  # pixels around a dot


class SideView(PlotView):
    """Shows the chart `key` of `store.picture`. What stands for a point there highlights it on the canvas when it is
    pointed at, and selects it when it is clicked or reached by the arrow keys."""

    pointed = Signal(object)  # row of the point under the pointer, or None

    def __init__(self, store: Store, key: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.store = store
        self.key = key
        self.plot.seat.forms = SIDE
        self.plot.ink.shrinks = False
        self.setMinimumSize(160, 90)
        self._whole = False  # a chart that shows a part of itself at first shows everything
        self._places: list[tuple[int, float, float, float]] = []  # row, x, value, half width, by x
        self._refresh()
        store.pictured.connect(self._pictured)
        store.stepped.connect(self._stepped)
        store.selected.connect(self._selected)

    @property
    def chart(self) -> Chart | None:
        """The chart in the newest picture, or None when the model has no such chart."""
        picture = self.store.picture
        return next((chart for chart in picture.charts if chart.key == self.key), None) if picture is not None else None

    def retranslate(self) -> None:
        """Draw all words again, in the language in use."""
        self.plot.retranslate()
        self._name()

    def point_at(self, row: int | None) -> None:
        """Highlight what stands for the point `row`: the canvas points at it."""
        place = next((place for place in self._places if place[0] == row), None) if row is not None else None
        tip = None if place is None else (place[1], place[2], self._says(place[0], place[2]))
        self.over(pointed=row if place is not None else None, tip=tip)

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        self._refresh()

    @Slot(object)
    def _stepped(self, step: int | None) -> None:
        self._refresh()

    @Slot(object)
    def _selected(self, rows: frozenset[int]) -> None:
        self.over(chosen=rows)

    def _refresh(self) -> None:
        chart, picture = self.chart, self.store.picture
        if chart is None or picture is None:
            self._places = []
            self.plot.seat.forget()
            self.plot.set_layers(Layers(), (verbatim(""), verbatim("")))
            self.over(hint=say("Nothing to show: the model has no fit yet."), pointed=None, tip=None)
            return
        marks = (*chart.marks, *self._step_marks(picture))
        x0, x1, y0, y1 = extent(marks)
        across, up = chart.x_range or (x0, x1), chart.y_range or (y0, y1)
        x_label = chart.x_label
        if chart.whole is not None:
            if self._whole:
                across, up = chart.whole
            else:
                marks = tuple(mark for mark in marks if not _beyond(mark, across))
            x_label = (say("{label} (double-click to zoom to the run)", label=x_label) if self._whole else
                       say("{label} (double-click to see all up to the bound)", label=x_label))
        front = tuple(mark for mark in marks if isinstance(mark, (Dots, Text)))
        behind = tuple(mark for mark in marks if not isinstance(mark, (Dots, Text)))
        self.plot.set_layers(Layers(behind, (), front, picture.stale), (x_label, chart.y_label), chart.caption)
        self.plot.set_view((*across, *up), chart.equal_aspect)
        self.plot.seat.fix()
        self._places = _places(marks)
        self.over(hint=None, chosen=self.store.selection, pointed=None, tip=None)
        self._name()

    def _step_marks(self, picture: Picture) -> tuple[Mark, ...]:
        """Return what the step of the player adds to this chart."""
        step, frames = self.store.step, picture.frames
        if frames is None or step is None or step >= frames.count:
            return ()
        return tuple(mark for key, marks in frames.at(step).views if key == self.key for mark in marks)

    def _name(self) -> None:
        chart = self.chart
        self.setAccessibleName(str(chart.title) if chart is not None else str(say("Side view")))
        self.setAccessibleDescription(str(say("Left and Right go from point to point.")) if self._places else "")

    def _says(self, row: int, value: float) -> Say:
        return say("point {row}: {value}", row=row + 1, value=float(value))

    def _row_at(self, at: QPointF) -> int | None:
        """Return the row whose bar's column, or whose dot, is under the pointer."""
        plane = self.plot.plane
        if not self._places or not plane.holds(at.x(), at.y()):
            return None
        x, y = plane.data(at.x(), at.y())
        sx, sy = plane.scale
        rows, xs, values, halves = (np.array(column) for column in zip(*self._places, strict=True))
        beside = np.maximum(np.abs(xs - x) - halves, 0) * sx
        apart = np.where(halves > 0, beside, np.hypot((xs - x) * sx, (values - y) * sy))
        best = int(apart.argmin())
        return int(rows[best]) if apart[best] <= (1.0 if halves[best] > 0 else REACH) else None

    # events of Qt

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the point under the pointer."""
        row = self._row_at(event.position())
        if row != self.plot.over.pointed:
            self.point_at(row)
            self.pointed.emit(row)
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.PointingHandCursor)
        event.accept()

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the point under the pointer; with Ctrl in addition."""
        row = self._row_at(event.position())
        event.accept()
        if event.button() == Qt.MouseButton.LeftButton:
            if self.plot.takes(event.position()) and self.plot.press_legend():
                return
            more = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            picked = frozenset({row}) if row is not None else frozenset()
            self.store.select(self.store.selection ^ picked if more else picked)

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything, or the part that matters; elsewhere nothing more than the first click."""
        event.accept()
        chart = self.chart
        if chart is not None and chart.whole is not None and event.button() == Qt.MouseButton.LeftButton \
                and not self.plot.takes(event.position()):
            self._whole = not self._whole
            self.plot.seat.forget()  # other lines are to be seen
            self._refresh()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The press has done it."""
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what can scroll."""
        event.ignore()

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.point_at(None)
        self.pointed.emit(None)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from point to point; L opens and closes a folded legend."""
        if event.key() == Qt.Key.Key_L and event.modifiers() == Qt.KeyboardModifier.NoModifier \
                and self.plot.toggle_legend():
            event.accept()
            return
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or not self._places or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        rows = [place[0] for place in self._places]
        chosen = next((k for k, row in enumerate(rows) if row in self.store.selection), -1 if step > 0 else len(rows))
        row = rows[min(max(chosen + step, 0), len(rows) - 1)]
        self.store.select(frozenset({row}))
        self.point_at(row)
        event.accept()

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus when it came by keyboard."""
        self.over(focus=event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason))
        super().focusInEvent(event)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The focus has gone."""
        self.over(focus=False)
        super().focusOutEvent(event)


def _beyond(mark: Mark, across: tuple[float, float]) -> bool:
    """Whether a curve is nowhere in the range that is shown: the legend does not name it then."""
    return isinstance(mark, Curve) and bool(mark.lines) and all(
        line[:, 0].min() > across[1] or line[:, 0].max() < across[0] for line in mark.lines)


def _places(marks: tuple[Mark, ...]) -> list[tuple[int, float, float, float]]:
    """Return (row, x, value, half width) of everything that stands for a point, from left to right."""
    found: list[tuple[int, float, float, float]] = []
    for mark in marks:
        if isinstance(mark, Bars) and len(mark.index):
            found += zip(mark.index.tolist(), mark.x.tolist(), mark.height.tolist(), [0.5] * len(mark.x), strict=True)
        elif isinstance(mark, Dots) and len(mark.index):
            found += zip(mark.index.tolist(), *mark.xy.T.tolist(), [0.0] * len(mark.index), strict=True)
    return sorted(found, key=lambda place: place[1])
