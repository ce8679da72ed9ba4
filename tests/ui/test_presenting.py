"""Presenting: what is shown, what can be done there, and that everything is as before afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hand import Hand, as_usual, drawn, still
from PySide6.QtCore import QSettings
from test_clipping import all_cut

from kernelplay import i18n
from kernelplay.scene import Points, Scene
from kernelplay.spec import build, kinds
from kernelplay.ui.desk import Desk
from kernelplay.ui.sizes import scale
from kernelplay.ui.window import MainWindow


@pytest.fixture(autouse=True)
def usual_again(qtbot: Any) -> Iterator[None]:
    """Every test begins and ends in the usual size, in English."""
    yield
    as_usual(qtbot)


def rest(user: Hand) -> None:
    """Wait until nothing moves."""
    still(user.window, user.bot)


def seen(window: MainWindow) -> list[object]:
    """Return how a window is divided, what is in sight and where, and what the left side and the bars look like. The
    margins of the plot, which give way to numbers and never come back by themselves, are left out."""
    parts = (window.data_panel, window.model_panel, window.side_views, window.player, window.menuBar(), window.tools,
             window.status, window.centre, window.history_panel or window.data_panel)
    places = [(part.isVisible(), part.mapTo(window, part.rect().topLeft()).toTuple(), part.size().toTuple())
              for part in parts]
    pictures = [part.grab().toImage() for part in (window.data_panel, window.menuBar(), window.tools, window.status)]
    return [*places, *pictures, window.canvas.theme, window.canvas.plane.view[2:], window.side_views.current]


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    xy = np.array([[-1.2, 0.4], [-0.8, -0.6], [-0.5, 0.9], [0.6, -0.8], [0.9, 0.5], [1.3, -0.2]])
    scene = Scene(model=build("model", {"name": "svm"}), classification=Points(xy, np.array([0, 0, 0, 1, 1, 1])))
    window = open_window(scene, size=(1280, 720))
    window.activateWindow()
    made = Hand(qtbot, window)
    made.settled()
    window.canvas.setFocus()
    return made


@pytest.mark.parametrize("history", [False, True])
def test_f5_presents_and_escape_puts_everything_back(user: Hand, history: bool) -> None:
    window = user.window
    window.side_views.open(next(iter(window.side_views.tabs)))
    if history:
        window.actions_["history"].trigger()
        window.canvas.setFocus()
    window.model_panel.readouts.hide()  # they tell how long the fit took
    window._across.setSizes([320, 620, 340])
    rest(user)
    before, steps, size = seen(window), window.store.history.steps, window.size()
    user.keys("F5")
    rest(user)
    bar = window.presenting.bar
    assert bar is not None and bar.isVisible() and window.isFullScreen() and scale() == 1.5
    assert not any(part.isVisible() for part in (window.data_panel, window.model_panel, window.menuBar(),
                                                 window.tools, window.side_views))
    assert window.canvas.theme.zoom == 1.5 and window.actions_["present"].isChecked()
    user.keys("Esc")
    assert window.size() == size
    rest(user)
    assert window.presenting.bar is None and not window.isFullScreen() and not window.actions_["present"].isChecked()
    assert len(window.store.history.steps) == len(steps) and window.store.scene.points is steps[-1].scene.points
    assert seen(window) == before


def test_the_bar_does_what_a_lecturer_needs(user: Hand) -> None:
    window, store = user.window, user.window.store
    user.keys("F5")
    rest(user)
    bar = window.presenting.bar
    assert bar is not None
    assert list(bar.rows) == ["C", "kernel.gamma"]
    row, steps = bar.rows["C"], len(store.history.steps)
    user.slide(row.slider, 0.9)
    assert store.scene.model.C > 10 and len(store.history.steps) == steps + 1
    user.press(bar.classes[1])
    assert store.current_class == 1
    points = len(store.scene.points)
    user.click(0.0, 0.1)
    assert len(store.scene.points) == points + 1 and store.scene.points.cls[-1] == 1
    user.choose(bar.kernel, "poly")
    assert store.scene.model.kernel.key == "poly" and list(bar.rows) == ["C", "kernel.degree", "kernel.gamma"]
    user.choose(bar.model, "perceptron")
    user.settled()
    assert next(iter(bar.rows)) == "eta" and window.player.isVisible()
    user.press(window.player.back_button)
    assert store.step is not None
    user.keys("Ctrl+Z", times=2)
    assert bar.model.key == "svm" and bar.kernel.key == "rbf"
    field = bar.rows["C"].field
    field.setFocus()
    field.selectAll()
    user.keys("-, 3, Return")
    assert bar.rows["C"].error.isVisible() and store.scene.model.C > 10
    user.keys("9")
    user.keys("Esc")  # gives up what is typed, and no more
    assert window.presenting.on and window.canvas.hasFocus()
    user.keys("Ctrl+A")
    user.keys("Esc")
    assert window.presenting.on and not store.selection
    user.keys("Esc")
    assert not window.presenting.on


def test_the_size_of_presentations_is_kept_beside_that_for_work(user: Hand) -> None:
    user.keys("F5")
    user.keys("Ctrl++")
    assert scale() == 1.75
    user.keys("F5")
    user.bot.waitUntil(drawn)
    assert scale() == 1.0 and str(QSettings().value("size", "100")) == "100"
    user.keys("F5")
    assert scale() == 1.75


@pytest.mark.parametrize("first", [0, 1])
def test_all_windows_have_the_size_for_work_when_the_last_one_has_presented(
        qtbot: Any, open_window: Callable[..., MainWindow], first: int) -> None:
    desk = Desk()
    users = [Hand(qtbot, open_window()) for _ in range(2)]
    for each in users:
        each.window.desk = desk
        desk.adopt(each.window)

    def press(user: Hand, keys: str) -> float:
        user.back()
        user.keys(keys)
        still(user.window, qtbot)
        finished = {each.window.scale for each in users} | {scale()}
        assert len(finished) == 1, "all windows in one size"
        return finished.pop()

    assert [press(users[0], "F5"), press(users[1], "F5")] == [1.5, 1.5]
    assert press(users[1 - first], "Ctrl++") == 1.75
    assert press(users[first], "F5") == 1.75, "the other one presents still"
    assert press(users[first], "Ctrl+-") == 1.5, "whatever window it is asked in: it is the size for presentations"
    assert press(users[1 - first], "F5") == 1.0
    assert (str(QSettings().value("size", "100")), QSettings().value("presenting_size")) == ("100", "150")
    assert press(users[0], "Ctrl++") == 1.25 and press(users[1], "F5") == 1.5 and press(users[1], "F5") == 1.25


def test_closing_while_presenting_keeps_the_window_as_it_was(user: Hand) -> None:
    window = user.window
    user.keys("F5")
    window.leave()
    assert QSettings().value("show/data_panel") in (True, "true") and scale() == 1.0


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_nothing_of_the_bar_is_cut_off(user: Hand, language: str) -> None:
    window = user.window
    window.set_language(language)
    user.keys("F5")
    window.sizing.take(200)
    window.fill_screen(False)  # it can be given a width then
    bar = window.presenting.bar
    assert bar is not None
    found = {}
    for width in (1280, 1920):
        window.resize(width, 720)
        for key in kinds("model"):
            window.actions_[f"model:{key}"].trigger()
            rest(user)
            found[f"{key} {width}"] = all_cut(bar)
            assert bar.width() == window.width() == width and bar.height() < window.height() // 3
    assert not {key: texts for key, texts in found.items() if texts}


def test_it_is_put_back_however_fast_it_begins_and_ends(user: Hand) -> None:
    window = user.window
    window.side_views.open(next(iter(window.side_views.tabs)))
    rest(user)
    before = seen(window)
    for on in (True, False, True, True, False):  # faster than the window can follow
        window.presenting.turn(on)
    rest(user)
    assert seen(window) == before
