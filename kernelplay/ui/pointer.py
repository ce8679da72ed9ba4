"""The mouse on the canvas: presses become gestures of the tools, drags of the view, of the legend."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Slot
from PySide6.QtGui import QMouseEvent

from kernelplay.i18n import say
from kernelplay.tools.events import Aim, Edit, Gesture, Menu, Move, Pan, Press, Release, Reply, Select
from kernelplay.ui.plane import Plane

if TYPE_CHECKING:
    from kernelplay.ui.canvas import Canvas

NEAR = 32.0  # pixels from the legend within which it lets through what is drawn
SLACK = 4.0  # pixels that a click may shake
MOST_TOUCHED = 300  # points that are marked as within reach of a tool: more are all that is to be seen
TICK = 33  # ms between two reports to a tool that works while it is held still
_numbers = itertools.count(1)

Button = Qt.MouseButton
Modifier = Qt.KeyboardModifier
Shape = Qt.CursorShape


class Pointer(QObject):
    """What the buttons of the mouse do, one gesture at a time."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._gesture: Gesture | None = None
        self._name = ""  # of the gesture, for the history
        self._button = Button.NoButton
        self._from = QPointF()
        self._at = QPointF()
        self._began = 0.0
        self._moved = False
        self._strokes = False  # the tool works while it is moved, without the slack of a click
        self._selected: frozenset[int] = frozenset()  # before the gesture
        self._pan: Plane | None = None  # as it was when the view was taken
        self._legend: QPointF | None = None  # from the legend's corner to the pointer
        self._applying = False
        self._ticking = QTimer(self)
        self._ticking.setInterval(TICK)
        self._ticking.timeout.connect(self._tick)

    @property
    def busy(self) -> bool:
        """Whether something is being dragged."""
        return self._gesture is not None or self._pan is not None or self._legend is not None

    def press(self, event: QMouseEvent) -> None:
        """A button goes down."""
        canvas, at = self._canvas, event.position()
        if self.busy:
            return  # a second button during a drag
        self._from = self._at = at
        self._button = event.button()
        self._moved = False
        inside = canvas.plane.holds(at.x(), at.y())
        if event.button() == Button.MiddleButton or (event.button() == Button.LeftButton and canvas.panning):
            if inside:
                self._take_view()
        elif event.button() == Button.LeftButton and canvas.plot.takes(at):
            if canvas.plot.press_legend():
                return
            self._legend = at - canvas.plot.legend_rect.topLeft()
            self.show_cursor(at, False)
        elif event.button() in (Button.LeftButton, Button.RightButton) and inside:
            self._begin(event)

    def double(self, event: QMouseEvent) -> None:
        """A second press close to the first one."""
        canvas, at = self._canvas, event.position()
        if event.button() == Button.LeftButton and canvas.plot.takes(at):
            if not canvas.plot.press_legend():
                canvas.plot.release_legend()
        elif not canvas.plane.holds(at.x(), at.y()):
            if event.button() == Button.LeftButton:
                canvas.fit_view()
        elif event.button() != Button.RightButton:  # a second right click would open the menu of the point just made
            self.press(event)

    def move(self, event: QMouseEvent) -> bool:
        """The pointer moves; False if nothing is being dragged."""
        if not self.busy:
            return False
        at, canvas = event.position(), self._canvas
        if not event.buttons() & self._button:  # the release went elsewhere
            self.cancel()
            return False
        self._at = at
        if self._legend is not None:
            canvas.plot.drag_legend(at - self._legend)
            return True
        far = (at - self._from).manhattanLength() > SLACK
        self._moved = self._moved or far or self._strokes
        if not self._moved:
            return True
        if self._pan is not None:
            self._slide(at)
        else:
            self.shade(at)
            self._send(Move(*canvas.to_data(at), self._time()))
            self.show_tool(at, canvas.plane.holds(at.x(), at.y()))
        return True

    def release(self, event: QMouseEvent) -> None:
        """The button goes up."""
        if event.button() != self._button:
            return
        if self._gesture is not None:
            self._send(Release(*self._canvas.to_data(event.position()), self._time()))
        self._end()

    def cancel(self) -> bool:
        """Call off what is being dragged, as if it had never begun; False if nothing is."""
        if not self.busy:
            return False
        pan = self._pan
        gesture = self._gesture is not None
        self._end()
        if gesture:
            self._canvas.store.cancel(self._name)
            self._canvas.store.select(self._selected)
        if pan is not None:
            self._canvas.show_view(pan.view)
        return True

    def interrupted(self) -> None:
        """The scene has changed: by somebody else than the gesture under way, which then has no ground to stand on."""
        if self._gesture is not None and not self._applying:
            self._end()

    def shade(self, at: QPointF) -> None:
        """Let the legend be seen through, and have no mouse, where something is drawn or dragged near it; the chip only
        where it is dragged."""
        plot, tool = self._canvas.plot, self._canvas.toolbox.tool
        draws = self._gesture is not None or (tool.reach is not None and not plot.legend.chip and not self.busy)
        near = plot.legend_rect.adjusted(-NEAR, -NEAR, NEAR, NEAR).contains(at)
        plot.fade_legend(draws and near)

    def show_cursor(self, at: QPointF | None, over_plane: bool) -> None:
        """Show by the shape of the pointer what a press would do."""
        canvas = self._canvas
        shape, tip = Shape.ArrowCursor, ""
        if self._pan is not None or self._legend is not None:
            shape = Shape.ClosedHandCursor
        elif at is not None and canvas.plot.takes(at):
            folded = canvas.plot.legend.folded
            shape = Shape.PointingHandCursor if folded else Shape.OpenHandCursor
            tip = str(say("Click to open or close the legend (L)") if folded else
                      say("Drag to move the legend; double-click to place it automatically; L folds it"))
        elif over_plane and canvas.panning:
            shape = Shape.OpenHandCursor
        elif over_plane and canvas.toolbox.tool.reach is not None:
            shape = Shape.CrossCursor
        elif over_plane:
            shape = Shape.PointingHandCursor if canvas.plot.over.pointed is not None else Shape.CrossCursor
        canvas.viewport().setCursor(shape)
        canvas.viewport().setToolTip(tip)

    def show_tool(self, at: QPointF | None, over_plane: bool) -> None:
        """Show around the pointer how far the tool reaches and to which points, the cloud that a click puts, the node
        that it lands on."""
        canvas, over = self._canvas, self._canvas.plot.over
        brush = node = None
        touched: frozenset[int] = frozenset()
        aim = over.aim if self.busy else None
        if at is not None and over_plane:
            tool, hand, (x, y) = canvas.toolbox.tool, canvas.toolbox.hand, canvas.to_data(at)
            cloud = tool.aim(x, y, hand)
            if cloud is not None:
                aim = aim if self.busy else (cloud.middle, cloud.along, cloud.across)
            elif tool.reach is not None:
                brush = (x, y, tool.reach)
                rows = tool.touched(x, y, canvas.store.scene, hand)
                touched = frozenset(rows.tolist() if len(rows) <= MOST_TOUCHED else ())
            elif tool.key == "point" and hand.grid is not None and over.pointed is None and not self.busy:
                node = hand.snap(x, y)
        canvas.over(brush=brush, touched=touched, aim=aim, node=node)

    def _begin(self, event: QMouseEvent) -> None:
        canvas = self._canvas
        store = canvas.store
        tool, hand = canvas.toolbox.tool, canvas.toolbox.hand
        held = event.modifiers()
        press = Press(*canvas.to_data(event.position()),
                      "right" if event.button() == Button.RightButton else "left", canvas.row_at(event.position()),
                      bool(held & Modifier.ShiftModifier), bool(held & Modifier.ControlModifier),
                      bool(held & Modifier.AltModifier))
        canvas.over(crosshair=None, aim=None, node=None)
        self._name = f"gesture {next(_numbers)}"
        self._selected = store.selection
        self._strokes = tool.strokes and not press.shift
        self._began = time.monotonic()
        self._gesture = tool(press, store.scene, hand)
        canvas.plot.hold(True)
        self._answer(next(self._gesture, None))
        if tool.ticks and self._gesture is not None:
            self._ticking.start()

    def _send(self, event: Move | Release) -> None:
        if self._gesture is None:
            return
        try:
            reply = self._gesture.send(event)
        except StopIteration:
            self._end()
            return
        self._answer(reply)

    def _answer(self, reply: Reply) -> None:
        canvas, store = self._canvas, self._canvas.store
        if isinstance(reply, Edit):
            self._applying = True
            canvas.toolbox.apply(reply, self._name)
            self._applying = False
        elif isinstance(reply, Select):
            store.select(reply.rows)
            canvas.over(box=reply.box, loop=reply.loop)
        elif isinstance(reply, Aim):
            canvas.over(aim=(reply.middle, reply.along, reply.across))
        elif isinstance(reply, Menu):
            self._end()
            canvas.menu_wanted.emit(reply.row, canvas.viewport().mapToGlobal(self._at.toPoint()))
        elif isinstance(reply, Pan):
            self._gesture = None
            self._take_view()
            self._slide(self._at)

    def _take_view(self) -> None:
        self._pan = self._canvas.plane
        self.show_cursor(self._at, True)

    def _slide(self, at: QPointF) -> None:
        """Move the view so that what was under the press is under the pointer."""
        assert self._pan is not None
        sx, sy = self._pan.scale
        ratio = self._canvas.devicePixelRatioF()  # by whole device pixels: what was painted is put elsewhere as it is
        right, down = (round(ratio * way) / ratio for way in (at.x() - self._from.x(), at.y() - self._from.y()))
        dx, dy = -right / sx, down / sy
        x0, x1, y0, y1 = self._pan.view
        self._canvas.panned()
        self._canvas.show_view((x0 + dx, x1 + dx, y0 + dy, y1 + dy))

    def _end(self) -> None:
        gesture, self._gesture = self._gesture, None
        self._pan = self._legend = None
        self._ticking.stop()
        if gesture is not None:
            gesture.close()
        self._canvas.over(box=None, loop=(), aim=None)
        self._canvas.plot.hold(False)
        self.shade(self._at)
        self._canvas.looked()

    def _time(self) -> float:
        return time.monotonic() - self._began

    @Slot()
    def _tick(self) -> None:
        self._send(Move(*self._canvas.to_data(self._at), self._time()))
