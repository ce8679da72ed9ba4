"""The keyboard on the canvas: everything the mouse does, without one."""

from __future__ import annotations

import contextlib
import itertools
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QKeyCombination, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from kernelplay.spec import kinds
from kernelplay.tools.edits import add, erase, shift
from kernelplay.tools.events import Edit, Press, Release, Select

if TYPE_CHECKING:
    from kernelplay.ui.canvas import Canvas

STEP, FINE = 10.0, 1.0  # pixels of an arrow key; with Shift
HELD = 0.25  # s that Enter holds a tool down at the crosshair
_numbers = itertools.count(1)

Key = Qt.Key
Modifier = Qt.KeyboardModifier
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}


class Keyboard:
    """What the keys do while the canvas has the focus."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.space = False  # held
        self.dragged = False  # the view, since Space went down
        self._gesture = ""
        self._leaving = False

    def press(self, event: QKeyEvent) -> bool:
        """Do what the key is for; False if it is for nothing here."""
        key, held = event.key(), event.modifiers() & ~Modifier.KeypadModifier
        canvas, store = self._canvas, self._canvas.store
        if not event.isAutoRepeat():
            self._gesture = f"keys {next(_numbers)}"  # a key that is held is one step
        if key in ARROWS:
            self._arrow(*ARROWS[Key(key)], held)
        elif key == Key.Key_Escape:
            self._escape()
        elif key == Key.Key_Space and held == Modifier.NoModifier:
            if not event.isAutoRepeat():
                self.space, self.dragged = True, False
        elif key == Key.Key_A and held == Modifier.ControlModifier:
            store.select(frozenset(range(len(store.scene.points))))
        elif key in (Key.Key_Tab, Key.Key_Backtab) and held & Modifier.ControlModifier:
            self._leave(forward=key == Key.Key_Tab and not held & Modifier.ShiftModifier)
        elif held not in (Modifier.NoModifier, Modifier.ShiftModifier):
            return False
        elif key in (Key.Key_Delete, Key.Key_Backspace):
            if store.selection:
                self._do(erase(store.scene, store.selection))
        elif key in (Key.Key_Return, Key.Key_Enter):
            self._enter()
        elif key == Key.Key_F:
            canvas.fit_view()
        elif key == Key.Key_L:
            return canvas.plot.toggle_legend()
        elif (tool := _tool_of(key, held)) is not None:
            store.use_tool(tool)
        elif key in (Key.Key_Plus, Key.Key_Equal):
            canvas.zoom(0.8)
        elif key in (Key.Key_Minus, Key.Key_Underscore):
            canvas.zoom(1.25)
        elif Key.Key_1 <= key <= Key.Key_9 and store.scene.task == "classification":
            if key - Key.Key_1 < len(store.scene.classes):
                store.use_class(key - Key.Key_1)
        else:
            return False
        return True

    def release(self, event: QKeyEvent) -> bool:
        """Let go of Space: play, unless the view was dragged with it."""
        if event.key() != Key.Key_Space or event.isAutoRepeat():
            return False
        was, self.space = self.space, False
        if was and not self.dragged:
            self._canvas.play_wanted.emit()
        return True

    def tab(self, forward: bool) -> bool:
        """Select the next point; False past the last one, where the focus goes on."""
        store = self._canvas.store
        count = len(store.scene.points)
        if not count or self._canvas.panning or self._leaving:
            return False
        row = max(store.selection, default=-1) + 1 if forward else min(store.selection, default=count) - 1
        if not 0 <= row < count:
            store.select(frozenset())
            return False
        store.select(frozenset({row}))
        self._canvas.over(crosshair=None)
        x, y = store.scene.points.xy[row].tolist()
        self._canvas.hover(x, y, row)
        return True

    def _leave(self, forward: bool) -> None:
        """Give the focus to the next control, or the one before, however many points are left."""
        self._leaving = True
        self._canvas.focusNextPrevChild(forward)
        self._leaving = False

    def menu(self) -> None:
        """Open the menu of the selected point, or of the canvas where the crosshair is."""
        canvas, store = self._canvas, self._canvas.store
        row = next(iter(store.selection)) if len(store.selection) == 1 else None
        at = store.scene.points.xy[row].tolist() if row is not None else canvas.crosshair or self._middle()
        canvas.menu_wanted.emit(row, canvas.viewport().mapToGlobal(canvas.to_pixels(*at)))

    def focused(self, reason: Qt.FocusReason) -> None:
        """The focus has come."""
        by_key = reason in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason,
                            Qt.FocusReason.ShortcutFocusReason)
        self._canvas.over(focus=by_key)

    def unfocused(self) -> None:
        """The focus has gone."""
        self.space = False
        self._canvas.over(focus=False)

    def _arrow(self, right: int, up: int, held: Modifier) -> None:
        canvas, store = self._canvas, self._canvas.store
        plane = canvas.plane
        sx, sy = plane.scale
        if held & Modifier.ControlModifier:
            x0, x1, y0, y1 = plane.view
            dx, dy = 0.1 * right * (x1 - x0), 0.1 * up * (y1 - y0)
            canvas.show_view((x0 + dx, x1 + dx, y0 + dy, y1 + dy))
            return
        pixels = FINE if held & Modifier.ShiftModifier else STEP
        grid = canvas.toolbox.grid
        dx, dy = (right * pixels / sx, up * pixels / sy) if grid is None else (right * grid[0], up * grid[1])
        if store.selection:
            self._do(shift(store.scene, store.selection, dx, dy))
            return
        x, y = canvas.crosshair or self._middle()
        if canvas.crosshair is not None:
            x0, x1, y0, y1 = plane.view
            x, y = float(np.clip(x + dx, x0, x1)), float(np.clip(y + dy, y0, y1))
        x, y = canvas.toolbox.hand.snap(x, y)
        canvas.over(crosshair=(x, y))
        canvas.hover(x, y)

    def _enter(self) -> None:
        """Use the tool at the crosshair, above all: add a point; the first time only show it."""
        canvas, store = self._canvas, self._canvas.store
        if canvas.crosshair is None:
            store.select(frozenset())
            canvas.over(crosshair=canvas.toolbox.hand.snap(*self._middle()))
        elif store.tool == "point":
            self._do(add(store.scene, *canvas.crosshair, store.current_class))
        else:
            self._use(*canvas.crosshair)

    def _use(self, x: float, y: float) -> None:
        """Use the tool as a mouse at (x, y) would whose button is held for a moment."""
        canvas, store = self._canvas, self._canvas.store
        press = Press(x, y, row=canvas.row_at(QPointF(canvas.to_pixels(x, y))))
        gesture = canvas.toolbox.tool(press, store.scene, canvas.toolbox.hand)
        replies = [next(gesture, None)]
        with contextlib.suppress(StopIteration):
            replies.append(gesture.send(Release(x, y, HELD)))
        gesture.close()
        for reply in replies:
            if isinstance(reply, Edit):
                self._do(reply)
            elif isinstance(reply, Select):
                store.select(reply.rows)

    def _escape(self) -> None:
        """Call off a drag; else take back the selection; else hide the crosshair."""
        canvas, store = self._canvas, self._canvas.store
        if canvas.cancel():
            return
        if store.selection:
            store.select(frozenset())
        else:
            canvas.over(crosshair=None)

    def _middle(self) -> tuple[float, float]:
        plane = self._canvas.plane
        middle = QPointF((plane.left + plane.right) / 2, (plane.top + plane.bottom) / 2)
        return self._canvas.to_data(middle)

    def _do(self, edit: Edit) -> None:
        self._canvas.toolbox.apply(edit, self._gesture)


def _tool_of(key: int, held: Modifier) -> str | None:
    """Return the tool that is taken by a key."""
    pressed = QKeySequence(QKeyCombination(held, Key(key)))
    return next((name for name, cls in kinds("tool").items() if QKeySequence(cls.keys) == pressed), None)
