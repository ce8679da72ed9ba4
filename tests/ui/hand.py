"""A person at the window: mouse and keys, nothing else. What is read afterwards may come from anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QKeySequence, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QMenu, QSlider, QWidget

from kernelplay.i18n import verbatim
from kernelplay.marks import Picture
from kernelplay.ui import language as speech
from kernelplay.ui.theme import LIGHT, apply
from kernelplay.ui.window import MainWindow

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NO_KEY = Qt.KeyboardModifier.NoModifier


def drawn() -> bool:
    """Whether every window is painted."""
    return all(each.updatesEnabled() for each in QApplication.topLevelWidgets())


def as_usual(bot: Any) -> None:
    """Have English, the light theme and letters of the usual size again, and wait until nothing waits for them."""
    speech.use("en")
    apply(LIGHT, "en")
    bot.waitUntil(drawn)


def still(window: MainWindow, bot: Any) -> None:
    """Wait until nothing moves in a window any more."""
    bot.waitUntil(lambda: window.store.settled and drawn(), timeout=20_000)
    for _ in range(5):
        QApplication.processEvents()
    window.store.say(verbatim("still"))  # in place of how long the fit took
    QApplication.processEvents()


def end(windows: Iterable[MainWindow]) -> None:
    """Close windows without a question, and let them be gone."""
    for window in windows:
        window.leave()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class Hand:
    """Uses one window."""

    def __init__(self, qtbot: Any, window: MainWindow) -> None:
        self.bot, self.window, self.canvas = qtbot, window, window.canvas
        self.clicked: list[tuple[float, float]] = []

    # the canvas, in data coordinates

    def click(self, x: float, y: float, button: Qt.MouseButton = LEFT, held: Qt.KeyboardModifier = NO_KEY) -> None:
        """Click on the canvas, on the pixel nearest to a place; the place of that pixel goes into `clicked`."""
        pixel = self.canvas.to_pixels(x, y)
        self.clicked.append(self.canvas.to_data(pixel))
        QTest.mouseClick(self.canvas.viewport(), button, held, pixel)

    def drag(self, path: list[tuple[float, float]], held: Qt.KeyboardModifier = NO_KEY, wait: bool = True) -> None:
        """Press at the first place of `path`, move along it, let go at the last; the window lives on meanwhile."""
        places = [self.canvas.to_pixels(*place) for place in path]
        self._mouse(QEvent.Type.MouseButtonPress, places[0], LEFT, LEFT, held)
        for place in places[1:]:
            self._mouse(QEvent.Type.MouseMove, place, Qt.MouseButton.NoButton, LEFT, held)
            if wait:
                self.next_picture()
        self._mouse(QEvent.Type.MouseButtonRelease, places[-1], LEFT, Qt.MouseButton.NoButton, held)

    def _mouse(self, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, down: Qt.MouseButton,
               held: Qt.KeyboardModifier) -> None:
        viewport = self.canvas.viewport()
        event = QMouseEvent(kind, QPointF(at), QPointF(viewport.mapToGlobal(at)), button, down, held)
        QApplication.sendEvent(viewport, event)

    def pixel(self, x: float, y: float) -> QColor:
        """Return the colour on the canvas at a place."""
        image = self.canvas.grab().toImage()
        at = self.canvas.to_pixels(x, y) * image.devicePixelRatio()
        return image.pixelColor(at)

    # the rest of the window

    def keys(self, sequence: str, times: int = 1) -> None:
        """Press keys such as "Ctrl+Z" in whatever has the focus."""
        for _ in range(times):
            QTest.keySequence(QApplication.focusWidget() or self.window, QKeySequence(sequence))

    def choose(self, combo: QComboBox, key: str) -> None:
        """Open a list with the mouse and take one of its entries with the keys."""
        self.show(combo)
        QTest.mouseClick(combo, LEFT)
        view = combo.view()
        self.bot.waitUntil(view.isVisible)
        way = combo.findData(key) - combo.currentIndex()
        for _ in range(abs(way)):
            QTest.keyClick(view, Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)
        QTest.keyClick(view, Qt.Key.Key_Return)
        self.bot.waitUntil(lambda: combo.currentData() == key)
        self.back()

    def back(self) -> None:
        """Come back to the window when something over it has closed; a window manager does that."""
        self.window.activateWindow()
        self.bot.waitUntil(self.window.isActiveWindow)

    def slide(self, slider: QSlider, share: float, steps: int = 6) -> None:
        """Take the knob of a slider and drag it to `share` of the way."""
        self.show(slider)
        middle = slider.height() // 2
        room = slider.width() - 18
        start = 9 + room * slider.value() // max(1, slider.maximum())
        end = 9 + round(room * share)
        QTest.mousePress(slider, LEFT, NO_KEY, QPoint(start, middle))
        for step in range(1, steps + 1):
            at = QPointF(start + (end - start) * step / steps, middle)
            QApplication.sendEvent(
                slider,
                QMouseEvent(QEvent.Type.MouseMove, at, slider.mapToGlobal(at), Qt.MouseButton.NoButton, LEFT, NO_KEY),
            )
            self.next_picture()
        QTest.mouseRelease(slider, LEFT, NO_KEY, QPoint(end, middle))

    def press(self, button: QWidget) -> None:
        """Click on a button."""
        self.show(button)
        QTest.mouseClick(button, LEFT)

    def pick(self, menu: QMenu, *texts: str) -> None:
        """Click through an open menu and its sub-menus by their words."""
        for text in texts:
            self.bot.waitUntil(menu.isVisible)
            action = next(action for action in menu.actions() if action.text().replace("&", "") == text)
            QTest.mouseClick(menu, LEFT, NO_KEY, menu.actionGeometry(action).center())
            inner = action.menu()
            menu = inner if isinstance(inner, QMenu) else menu

    def in_dialog(self, do: Callable[[Any], None], begin: Callable[[], None]) -> None:
        """Begin something that opens a dialog, and do something in it."""
        def now() -> None:
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, QDialog), dialog
            try:
                do(dialog)
            finally:
                if dialog.isVisible():
                    dialog.reject()

        QTimer.singleShot(50, self.window, now)
        begin()
        self.back()

    def show(self, widget: QWidget) -> None:
        """Unfold and scroll a panel so that a control can be seen."""
        generator = self.window.data_panel.generator
        if generator.isAncestorOf(widget) and not widget.isVisible() and not generator.fold.isChecked():
            self.press(generator.fold)
        self.bot.waitUntil(widget.isVisible)
        QCoreApplication.sendPostedEvents()  # what has just been shown gets its place first
        for panel in (self.window.data_panel, self.window.model_panel):
            if panel.isAncestorOf(widget):
                panel.ensureWidgetVisible(widget)

        def there() -> bool:
            found = self.window.childAt(widget.mapTo(self.window, widget.rect().center()))
            return found is not None and (found is widget or widget.isAncestorOf(found))

        self.bot.waitUntil(there)

    # waiting

    def settled(self) -> Picture:
        """Wait for the finished picture of the scene as it is now, in a window that is dressed, and return it."""
        store = self.window.store
        self.bot.waitUntil(lambda: store.settled and self.window.updatesEnabled(), timeout=20_000)
        picture = store.picture
        assert picture is not None
        return picture

    def next_picture(self) -> None:
        """Wait until the newest picture is of the scene as it is now."""
        store = self.window.store
        self.bot.waitUntil(lambda: store.picture is not None and store.picture.scene is store.scene, timeout=20_000)
