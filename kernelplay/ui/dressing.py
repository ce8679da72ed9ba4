"""What windows wear: palette, style sheet and font on every widget there is, one window after another.

Qt fits a new style sheet to all widgets at once, and to each widget as often as it has widgets above it (6.11): 100 ms
for a window of 350 widgets, and then every layout is made anew. Here the style forgets first what it has worked out
from the old sheet; so the new one finds nothing to fit, and each widget is fitted once, here: 15 ms for such a window.
A widget that was never shown waits: Qt fits it when it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QTimerEvent
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import isValid

from kernelplay.turn import TURN

W = TypeVar("W", bound=QWidget)

FRAME = 16  # milliseconds after which a window has been painted, which Qt does not do at once


def dress(palette: QPalette, sheet: str, font: QFont) -> None:
    """Give them to the application: the window in use has them at once, the others in turns of the event loop."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.style().unpolish(app)
    if app.font() != font:
        app.setFont(font)
    app.setPalette(palette)
    app.setStyleSheet(sheet)
    roots = [each for each in app.topLevelWidgets() if each.parentWidget() is None]
    front = app.activeWindow()
    used = front if front is None else _root(front)
    in_turns(sorted(roots, key=lambda root: (root is not used, not root.isVisible())), fit)


def fit(root: QWidget) -> None:
    """Fit the style of the application to a window and to all that is in it; what is above comes first, since palettes
    and fonts are handed down."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            widget.style().polish(widget)
            widget.update()


def _root(widget: QWidget) -> QWidget:
    above = widget.parentWidget()
    while above is not None:
        widget, above = above, above.parentWidget()
    return widget


def in_turns(windows: Iterable[W], work: Callable[[W], None]) -> None:
    """Do `work` to the first of `windows` now, and to each of the others in a later turn of the event loop. Until then,
    and until its layouts have followed, a window is not painted: none is seen half done, and no turn does all at once.
    The same work is done once to a window that waits for it."""
    TURN.begin()
    for at, window in enumerate(windows):
        if at == 0:
            _queue().put_first(window, work)
            work(window)
        else:
            _queue().put(window, work)


def afterwards(windows: Iterable[W], *works: Callable[[W], None]) -> None:
    """Do `works` to each of `windows` as `in_turns` does, none of them now, and each in a turn of its own."""
    for window in windows:
        _queue().put_last(window, works)


def finish(window: QWidget) -> None:
    """Do now all that waits to be done to a window: somebody reads it or goes on with it."""
    _queue().finish(window)


class _Queue(QObject):
    """Windows that wait, with the work to be done to each. Every turn of the event loop is for one thing: a work, the
    layouts that follow, the painting."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: dict[QWidget, list[Callable[[Any], None]]] = {}
        self._painting = False  # the turn is left to the window that was let go
        self._timer = 0

    def put_first(self, window: QWidget, done: Callable[[Any], None]) -> None:
        """Let a window wait for its layouts; `done` is done to it now."""
        works = [work for work in self._waiting.pop(window, []) if work != done]
        self._waiting = {window: works} | self._waiting
        self._hold(window)

    def put(self, window: QWidget, work: Callable[[Any], None]) -> None:
        """Let a window wait for `work`."""
        works = self._waiting.setdefault(window, [])
        if work not in works:
            works.append(work)
        self._hold(window)

    def put_last(self, window: QWidget, works: Sequence[Callable[[Any], None]]) -> None:
        """Let a window wait for `works`, in this order and after all others."""
        before = [work for work in self._waiting.get(window, []) if work not in works]
        self._waiting[window] = [*before, *works]
        self._hold(window)

    def finish(self, window: QWidget) -> None:
        """Do all works that a window waits for, and those that they ask for; its layouts and the painting follow in
        turns of their own."""
        while works := self._waiting.get(window):
            works.pop(0)(window)

    def _hold(self, window: QWidget) -> None:
        _let_paint(window, False)
        self._timer = self._timer or self.startTimer(0)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Do the next thing."""
        TURN.begin()
        self._waiting = {window: works for window, works in self._waiting.items() if isValid(window)}
        if self._painting:
            self._painting = False
            self._beat(0)
        elif self._waiting:
            window, works = next(iter(self._waiting.items()))
            if works:
                works.pop(0)(window)
                return
            del self._waiting[window]
            _let_paint(window, True)
            self._painting = True
            self._beat(FRAME)
        if not self._waiting:
            self.killTimer(self._timer)
            self._timer = 0

    def _beat(self, milliseconds: int) -> None:
        self.killTimer(self._timer)
        self._timer = self.startTimer(milliseconds)


def _let_paint(window: QWidget, on: bool) -> None:
    for each in (window, *window.findChildren(QDialog)):
        each.setUpdatesEnabled(on)


def _queue() -> _Queue:
    app = QApplication.instance()
    assert app is not None
    queue = app.findChild(_Queue, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return queue if queue is not None else _Queue(app)
