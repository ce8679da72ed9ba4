"""A change of theme, of language or of the size of letters: what it looks like, and how much work it is."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from hand import as_usual, drawn, end, still
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF
from PySide6.QtGui import QEnterEvent, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QWidget
from pytestqt.qtbot import QtBot

from kernelplay.examples import examples
from kernelplay.ui import language as speech
from kernelplay.ui.dressing import in_turns
from kernelplay.ui.symbols import Stamps
from kernelplay.ui.theme import DARK, LIGHT, Theme, apply, icon, theme
from kernelplay.ui.window import MainWindow

Begin = Callable[..., MainWindow]
SIZES = ((1280, 800, 1.0), (1024, 640, 1.0), (1400, 900, 1.5))


@pytest.fixture(autouse=True)
def plain_again(qtbot: QtBot) -> Iterator[None]:
    """Every test begins and ends in the light theme, in English, with letters of the usual size, and nothing waits."""
    yield
    as_usual(qtbot)


def hold(window: MainWindow) -> QDialog:
    """Bring widgets into all states: chosen, off, under the pointer, with the keys; and open a dialog."""
    from kernelplay.ui.dialogs import GesturesDialog

    panel = window.data_panel
    panel.generator.setEnabled(False)
    window.side_views.open(next(iter(window.side_views.tabs)))
    combo = window.model_panel.findChildren(QComboBox)[0]
    combo.setFocus()
    button = window.theme_button
    middle = QPointF(button.rect().center())
    QApplication.sendEvent(button, QEnterEvent(middle, middle, middle))
    dialog = GesturesDialog(window)
    dialog.show()
    return dialog


def pictures(window: MainWindow, dialog: QDialog, bot: QtBot) -> list[QImage]:
    """What a person sees of a window and of a dialog in front of it."""
    still(window, bot)
    return [each.grab().toImage() for each in (window, dialog)]


@pytest.fixture
def begin(qtbot: QtBot) -> Iterator[Callable[..., MainWindow]]:
    """Begin a window in a theme, with letters of a size, in a language; all are closed at the end."""
    opened: list[MainWindow] = []

    def one(name: str = "light", zoom: float = 1.0, language: str = "en", size: tuple[int, int] = (1280, 800),
            ) -> MainWindow:
        speech.use(language)
        apply(theme(name).zoomed(zoom), language)
        window = MainWindow(examples()[0].scene(), None, name)
        opened.append(window)
        window.model_panel.readouts.hide()  # they tell how long the fit took
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        still(window, qtbot)
        return window

    yield one
    end(opened)


@pytest.mark.parametrize("width, height, zoom", SIZES)
@pytest.mark.parametrize("before, after", [("light", "dark"), ("dark", "light")])
def test_a_window_that_changed_its_theme_looks_like_one_that_began_in_it(
        begin: Begin, qtbot: QtBot, before: str, after: str, width: int, height: int, zoom: float) -> None:
    changed = begin(before, zoom, size=(width, height))
    dialog = hold(changed)
    plain = pictures(changed, dialog, qtbot)
    apply(theme(after).zoomed(zoom), "en")
    changed.wear(after)
    seen = pictures(changed, dialog, qtbot)
    assert seen[0] != plain[0] and seen[1] != plain[1]
    dialog.close()
    changed.hide()
    new = begin(after, zoom, size=(width, height))
    dialog = hold(new)
    expected = pictures(new, dialog, qtbot)
    assert seen[0] == expected[0], "the window"
    assert seen[1] == expected[1], "the dialog"


def test_the_way_there_and_back_leaves_no_trace(begin: Begin, qtbot: QtBot) -> None:
    window = begin()
    dialog = hold(window)
    before = pictures(window, dialog, qtbot)
    for name in ("dark", "light", "dark", "light"):  # faster than the windows can follow, too
        window.set_theme(name)
    assert pictures(window, dialog, qtbot) == before
    window.set_language("ja")
    window.set_theme("dark")
    still(window, qtbot)
    window.set_theme("light")
    window.set_language("en")
    assert pictures(window, dialog, qtbot)[0] == before[0]  # the dialog has grown with its words, and stays so


@pytest.mark.parametrize("before, after, language", [(1.0, 1.5, "en"), (1.5, 1.0, "ko"), (1.25, 1.75, "ja")])
def test_a_window_that_changed_its_size_looks_like_one_that_began_in_it(
        begin: Begin, qtbot: QtBot, before: float, after: float, language: str) -> None:
    changed = begin(zoom=before, size=(1920, 1080), language=language)
    changed.actions_["history"].trigger()
    still(changed, qtbot)
    plain = but_the_plot(changed)
    changed.sizing.take(round(100 * after))
    still(changed, qtbot)
    seen = but_the_plot(changed)
    changed.hide()
    new = begin(zoom=after, size=(1920, 1080), language=language)
    new.actions_["history"].trigger()
    still(new, qtbot)
    assert seen != plain and seen == but_the_plot(new)
    assert changed.canvas.theme == new.canvas.theme and changed.canvas.geometry() == new.canvas.geometry()


def but_the_plot(window: MainWindow) -> QImage:
    """What a person sees of a window around the canvas: its margins give way to numbers, and keep the room."""
    image = window.grab().toImage()
    painter = QPainter(image)
    painter.fillRect(window.canvas.rect().translated(window.canvas.mapTo(window, QPoint(0, 0))), "black")
    painter.end()
    return image


def families(window: MainWindow) -> Counter[str]:
    """Which Han letters come first in the fonts of all widgets."""
    return Counter(next(name[-2:] for name in each.font().families() if "CJK" in name)
                   for each in (window, *window.findChildren(QWidget)) if "Inter" in each.font().families())


def test_japanese_gives_every_widget_japanese_letters_and_another_theme_leaves_them(begin: Begin, qtbot: QtBot) -> None:
    window = begin()
    assert set(families(window)) == {"KR"}
    window.set_language("ja")
    still(window, qtbot)
    assert set(families(window)) == {"JP"}
    window.set_theme("dark")
    still(window, qtbot)
    assert set(families(window)) == {"JP"}
    window.set_language("ko")
    still(window, qtbot)
    assert set(families(window)) == {"KR"}


class Counting(QObject):
    """Counts the events of all widgets."""

    def __init__(self) -> None:
        super().__init__(QApplication.instance())
        self.seen: Counter[tuple[int, QEvent.Type]] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched.isWidgetType():
            self.seen[id(watched), event.type()] += 1
        return False

    def most(self, kind: QEvent.Type) -> int:
        """Return how many events of a kind the widget heard that heard the most."""
        return max((n for (_, type_), n in self.seen.items() if type_ == kind), default=0)

    def all_(self, kind: QEvent.Type) -> int:
        """Return how many events of a kind there were."""
        return sum(n for (_, type_), n in self.seen.items() if type_ == kind)


def test_every_widget_is_fitted_once_to_another_theme_and_nothing_moves(begin: Begin, qtbot: QtBot) -> None:
    window = begin()
    widgets = window.findChildren(QWidget)  # held: an id is of one widget
    counting = Counting()
    app = QApplication.instance()
    assert app is not None
    app.installEventFilter(counting)
    window.set_theme("dark")
    still(window, qtbot)
    app.removeEventFilter(counting)
    counting.deleteLater()
    kinds = QEvent.Type
    assert window.look == DARK and len(widgets) > 200
    assert counting.most(kinds.StyleChange) == 0, "by Qt: as many as there are widgets above"
    assert counting.most(kinds.FontChange) <= 3
    assert counting.all_(kinds.PaletteChange) <= 4 * len(widgets), "by Qt: 14 for a widget"
    assert counting.all_(kinds.Resize) == counting.all_(kinds.Move) == 0
    assert counting.all_(kinds.LayoutRequest) <= len(widgets) // 4
    assert counting.all_(kinds.ToolTipChange) <= len(widgets) // 16, "lines of text say what they said"


def test_windows_change_one_after_another_the_one_in_use_first(begin: Begin, qtbot: QtBot) -> None:
    windows = [begin() for _ in range(3)]
    front = windows[-1]
    order: list[MainWindow] = []

    def work(window: MainWindow) -> None:
        assert not window.updatesEnabled(), "nobody sees it half done"
        order.append(window)

    in_turns([front, *windows[:2]], order.append)
    assert order == [front] and not any(window.updatesEnabled() for window in windows)
    in_turns([front, *windows[:2]], work)
    in_turns([front, *windows[:2]], work)
    assert order == [front] * 3
    qtbot.waitUntil(drawn)
    assert order == [front] * 3 + [windows[0]] * 2 + [windows[1]] * 2, "the same work is done once"
    front.set_theme("dark")
    shown = QPalette.ColorRole.Window
    dark = front.palette().color(shown).name()
    qtbot.waitUntil(drawn)
    assert {window.palette().color(shown).name() for window in windows} == {dark}
    assert dark.upper() == DARK.panel


def test_a_window_that_goes_before_its_turn_is_let_go(begin: Begin, qtbot: QtBot) -> None:
    front, gone = begin(), QWidget()
    gone.show()
    done: list[QWidget] = []
    in_turns([front, gone], done.append)
    gone.deleteLater()
    QCoreApplication.sendPostedEvents(gone, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(drawn)
    assert done == [front]


def test_nothing_keeps_a_theme_that_nobody_wears(qtbot: QtBot) -> None:
    made = replace(LIGHT, name="once", zoom=1.25)
    assert isinstance(made, Theme)
    image = QImage(40, 40, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    stamps = Stamps()
    stamps.draw(painter, made, "class0", np.array([[20.0, 20.0]]), vector=False)
    painter.drawPixmap(0, 0, icon("dice", made).pixmap(16, 16))
    painter.end()
    assert icon("dice", made).cacheKey() == icon("dice", LIGHT).cacheKey() != icon("dice", DARK).cacheKey()
    kept = weakref.ref(made)
    del made
    gc.collect()
    assert kept() is None
