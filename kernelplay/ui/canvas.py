"""The canvas: points and model in the plane, under mouse and keyboard (one file: the events that Qt sends it)."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from kernelplay.i18n import say
from kernelplay.marks import Frame, Picture
from kernelplay.scene import Points, Rectangle, Scene, axis_labels, data_view
from kernelplay.tools.grid import Grid
from kernelplay.ui.guard import guarded
from kernelplay.ui.keyboard import Keyboard
from kernelplay.ui.layers import hint, layers
from kernelplay.ui.overdue import Overdue
from kernelplay.ui.plane import Plane
from kernelplay.ui.plot_view import PlotView
from kernelplay.ui.pointer import Pointer
from kernelplay.ui.reading import Hover, reading
from kernelplay.ui.store import Screen, Store
from kernelplay.ui.theme import Theme
from kernelplay.ui.toolbox import Toolbox

REACH = 8.5  # pixels: a press within 8 of a point takes the point, wherever in its pixel the point lies
WAIT = 9  # ms that moved points wait for the picture of the model that follows them, to be painted with it at once
PATIENCE = 45  # ms between two values read from the model under a moving pointer
ZOOM = 0.86  # of one notch of the wheel
SHARP = 70  # ms after the last notch when very many points are painted anew


class Canvas(PlotView):
    """Shows `store.picture` over `store.scene` and turns gestures into edits of the store."""

    hovered = Signal(object)  # Hover, or None when the pointer has left
    menu_wanted = Signal(object, object)  # row of the point (None: empty canvas), global QPoint
    play_wanted = Signal()  # Space, released without a drag

    def __init__(self, store: Store, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.store = store
        self.toolbox = Toolbox(store, self.plot, self)
        self.setMinimumSize(240, 180)
        self._pointer = Pointer(self)
        self._keyboard = Keyboard(self)
        self._at: QPointF | None = None  # of the pointer, while it is over the canvas
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.setInterval(PATIENCE)
        self._reading.timeout.connect(self._read)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setTimerType(Qt.TimerType.PreciseTimer)
        self._late.setInterval(WAIT)
        self._late.timeout.connect(self._repaint)
        self._turn = QTimer(self)  # of eleven steps back in one turn of the event loop the last is laid out
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._follow)
        self._missed = False
        self._opened = store.scene  # for which the legend has to find its place
        self._all: tuple[Points | None, Rectangle] = (None, (0.0, 1.0, 0.0, 1.0))
        self._zooming = QTimer(self)
        self._zooming.setSingleShot(True)
        self._zooming.setInterval(SHARP)
        self._zooming.timeout.connect(self._sharpen)
        Overdue(store, self.plot, self)
        self._refresh_view(store.scene)
        self._refresh()
        self.retranslate()
        self.toolbox.tooled.connect(self._show_tool)
        self.toolbox.gridded.connect(self._show_grid)
        store.changed.connect(self._scene_changed)
        store.pictured.connect(self._pictured)
        store.selected.connect(self._selected)
        store.stepped.connect(self._stepped)
        store.mode.connect(self._mode_changed)

    @property
    def plane(self) -> Plane:
        """Where data lie in pixels now."""
        return self.plot.plane

    @property
    def crosshair(self) -> tuple[float, float] | None:
        """Where the keyboard's crosshair is, if it is shown."""
        return self.plot.over.crosshair

    def fit_view(self) -> None:
        """Show all points of the scene."""
        self.show_view(data_view(self.store.scene))

    def show_view(self, view: Rectangle) -> None:
        """Show the rectangle `view` (more of it where the axes have the same scale)."""
        self.plot.quiet = True
        self.plot.set_view(view)
        self.plot.quiet = False
        self.looked()
        if not self._late.isActive():  # the picture of this view is on its way: both are painted at once
            self._late.start()

    def zoom(self, factor: float, at: QPointF | None = None, axes: str = "xy") -> None:
        """Make what is shown `factor` times as wide, about a pixel (default: the middle); axes: "x", "y" or "xy"."""
        plane = self.plane
        at = at or QPointF((plane.left + plane.right) / 2, (plane.top + plane.bottom) / 2)
        view = plane.zoomed(at.x(), at.y(), factor if "x" in axes else 1.0, factor if "y" in axes else 1.0)
        d0, d1, e0, e1 = self._whole()
        if 1e-6 < (view[1] - view[0]) / (d1 - d0) < 1e5 and 1e-6 < (view[3] - view[2]) / (e1 - e0) < 1e5:
            self.plot.zooming = True
            self._zooming.start()
            self.show_view(view)

    def _whole(self) -> Rectangle:
        """Return the rectangle of all points; looked for once, since of very many it takes as long as a frame."""
        scene = self.store.scene
        if self._all[0] is not scene.points:
            self._all = (scene.points, data_view(scene))
        return self._all[1]

    def set_theme(self, theme: Theme) -> None:
        """Draw with `theme` from now on."""
        super().set_theme(theme)
        self.looked()

    def over(self, **changes: Any) -> None:
        """Change what the hand adds to the plot; where points have just moved, it is painted together with them."""
        before, self.plot.quiet = self.plot.quiet, self.plot.quiet or self._late.isActive()
        super().over(**changes)
        self.plot.quiet = before

    def point_at(self, row: int | None) -> None:
        """Highlight the point `row`: a side view points at it."""
        self.over(pointed=row)

    def retranslate(self) -> None:
        """Draw all words again, in the language in use."""
        self.setAccessibleName(str(say("Canvas")))
        self.setAccessibleDescription(str(say("The points and the fitted model. Tab goes from point to point, arrow "
                                              "keys move a point or the crosshair, Enter adds a point.")))
        self.plot.retranslate()
        self.looked()

    def to_pixels(self, x: float, y: float) -> QPoint:
        """Return the widget position of the data point (x, y)."""
        plane = self.plane
        sx, sy = plane.scale
        return QPointF(plane.left + (x - plane.view[0]) * sx, plane.bottom - (y - plane.view[2]) * sy).toPoint()

    def to_data(self, position: QPoint | QPointF) -> tuple[float, float]:
        """Return the data coordinates at a widget position."""
        return self.plane.data(position.x(), position.y())

    def row_at(self, position: QPointF) -> int | None:
        """Return the point within reach of a widget position."""
        return self.plane.nearest(self.store.scene.points.xy, position.x(), position.y(), REACH)

    def hover(self, x: float, y: float, row: int | None = None) -> None:
        """Tell what is at (x, y)."""
        self.hovered.emit(Hover(x, y, reading(self.store.picture, self.store.scene, x, y), row))

    # what the store says

    @Slot(object, object)
    def _scene_changed(self, old: Scene, new: Scene) -> None:
        self._pointer.interrupted()
        self.plot.later = self._turn.isActive()
        others = self.store.opening or self.store.picture is None or new.task != old.task
        if others or new.model.key != old.model.key:  # else the axes stay where they are
            self.plot.unseat()
            self._opened = new
        if others:
            self.plot.release_legend()
        if self.store.opening or new.task != old.task:
            self._refresh_view(new)
            self.toolbox.show_grid()
        elif new.view is not None and new.view != old.view:
            self.plot.set_view(new.view)
        self._refresh(quiet=True)
        if not self._late.isActive():
            self._late.start()
        if self.toolbox.tool.reach is not None and not self.plot.later:
            self._show_tool()  # other points are within reach; painted together with them
        self._missed = self.plot.later
        self.plot.later = False
        self._turn.start()

    @Slot()
    def _follow(self) -> None:
        """Show where everything is after the last of many changes."""
        if not self._missed:
            return
        self._missed = False
        self.plot.catch_up()
        self.looked()
        if self.toolbox.tool.reach is not None:
            self._show_tool()

    @Slot(object)
    def _pictured(self, picture: Picture) -> None:
        self._refresh(quiet=True)
        if not picture.coarse or self.store.scene is not self._opened:
            self.plot.seat.fix()
        self._repaint()  # before anything is written about it
        if self._at is not None and not self._reading.isActive():
            self._reading.start()

    @Slot(object)
    def _selected(self, rows: frozenset[int]) -> None:
        self.over(chosen=rows)

    @Slot(object)
    def _stepped(self, step: int | None) -> None:
        self._refresh()

    @Slot()
    def _mode_changed(self) -> None:
        if self._at is not None:
            self._pointer.shade(self._at)
        self._show_tool()
        self._show_cursor()

    def _refresh_view(self, scene: Scene) -> None:
        self.plot.set_view(scene.view or data_view(scene), scene.task == "classification")

    @Slot()
    def _repaint(self) -> None:
        self._late.stop()
        self.viewport().repaint()

    @Slot()
    def _sharpen(self) -> None:
        self.plot.zooming = False
        self.plot.update()

    def _refresh(self, quiet: bool = False) -> None:
        """Show the newest picture with the points as they are. quiet: the caller has it painted."""
        scene, picture = self.store.scene, self.store.picture
        self.plot.quiet = quiet
        frame = self._frame()
        self.plot.step(frame is not None)
        self.plot.set_layers(layers(picture, scene, frame), axis_labels(scene))
        self.over(hint=hint(scene), chosen=self.store.selection, pointed=None if len(scene.points) == 0 else
                  self.plot.over.pointed)
        self.plot.quiet = False
        if not self.plot.later:
            self.looked()

    def _frame(self) -> Frame | None:
        picture, step = self.store.picture, self.store.step
        frames = picture.frames if picture is not None else None
        return frames.at(step) if frames is not None and step is not None and step < frames.count else None

    def looked(self) -> None:
        """Tell the store what is to be seen; it asks for a picture of that."""
        plane = self.plane
        if self.width() > 1 and self.isVisible():
            self.store.look(Screen(plane.view, plane.width / plane.height))

    # events of Qt

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what there is now, in its place."""
        self._follow()
        super().paintEvent(event)

    def sized(self) -> None:
        """Tell the store what is to be seen."""
        self.looked()

    @guarded
    def showEvent(self, event: QEvent) -> None:
        """Tell the store what is to be seen."""
        super().showEvent(event)
        self.plot.set_size(self.width(), self.height())
        self.looked()

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        self._pointer.press(event)
        event.accept()

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fit the view on an axis; elsewhere it is another press, now on the point that the first click has made."""
        self._pointer.double(event)
        event.accept()

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with a gesture, or look at what is under the pointer."""
        self._at = event.position()
        if not self._pointer.move(event):
            self._pointer.shade(self._at)
            self.over(pointed=self.row_at(self._at) if self._over_plane() else None)
            self._show_tool()
            self._show_cursor()
        if not self._reading.isActive():
            self._reading.start()
        event.accept()

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a gesture."""
        self._pointer.release(event)
        self._show_cursor()
        event.accept()

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._at = None
        self.plot.fade_legend(False)
        self.over(pointed=None)
        self._show_tool()
        self.hovered.emit(None)

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer, over an axis along it alone; with Ctrl the reach of the tool grows and shrinks."""
        turn = event.angleDelta()  # with Alt or Shift a wheel turns sideways; without them that is a swipe
        steps = (turn.y() or (turn.x() if event.modifiers() else 0)) / 120
        at = event.position()
        by_tool = event.modifiers() & Qt.KeyboardModifier.ControlModifier and self.toolbox.widen(1.15**steps)
        if steps and not by_tool and not self._pointer.busy:
            free = self.store.scene.task == "regression"
            axes = "x" if free and at.y() > self.plane.bottom else "y" if free and at.x() < self.plane.left else "xy"
            self.zoom(ZOOM**steps, at, axes)
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Zoom by a pinch on a touch pad."""
        return bool(self._event(event))

    @guarded
    def _event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1 / max(1 + event.value(), 0.1), event.position())
            return True
        return bool(super().event(event))

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the selected point by key; the mouse has opened it on the press."""
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            self._keyboard.menu()
        event.accept()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the key is for, or leave it to the window."""
        if not self._keyboard.press(event):
            event.ignore()

    @guarded
    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Play when Space is let go without a drag."""
        if not self._keyboard.release(event):
            event.ignore()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go to the next point, and past the last one to the next control."""
        return bool(self._tab(forward)) or bool(super().focusNextPrevChild(forward))

    @guarded
    def _tab(self, forward: bool) -> bool:
        return self._keyboard.tab(forward)

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus when it came by keyboard."""
        self._keyboard.focused(event.reason())
        super().focusInEvent(event)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A key that is held belongs to somebody else now."""
        self._keyboard.unfocused()
        super().focusOutEvent(event)

    def cancel(self) -> bool:
        """Call off the gesture under way, as if it had never begun; False if there is none."""
        return self._pointer.cancel()

    @property
    def panning(self) -> bool:
        """Whether Space is held, so that a drag moves the view."""
        return self._keyboard.space

    def panned(self) -> None:
        """Take note that the view was dragged while Space was held."""
        self._keyboard.dragged = True

    def _over_plane(self) -> bool:
        at = self._at
        return at is not None and self.plane.holds(at.x(), at.y()) and not self.plot.takes(at)

    @Slot()
    def _show_tool(self) -> None:
        self._pointer.show_tool(self._at, self._over_plane())

    @Slot(object)
    def _show_grid(self, grid: Grid | None) -> None:
        self.over(grid=None if grid is None else (grid.x, grid.y))
        self._show_tool()

    def _show_cursor(self) -> None:
        self._pointer.show_cursor(self._at, self._over_plane())

    @Slot()
    def _read(self) -> None:
        if self._at is not None:
            self.hover(*self.to_data(self._at), self.plot.over.pointed)
