"""The search for the largest evidence, by mouse and keys: it finds the better of two maxima, and can be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand import Hand
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.ui.evidence_panel import EvidencePanel, Place
from kernelplay.ui.window import MainWindow

# tests/cases/gpr-likelihood-two-maxima.json: it begins in the worse maximum, "all is noise"
X = [-3.6, -2.8, -2.3, 0.4, 1.9, 2.8, 3.9]
T = [0.3, 0.7, 1.3, -1.2, 0.7, 0.8, -2.1]
BEST, START = -10.52234098, -11.67453188


def two_maxima() -> Scene:
    model = build("model", {"name": "gpr", "kernel": {"name": "rbf", "gamma": 0.0141747733}, "noise_var": 1.33823558})
    return Scene(model=model, regression=Points(np.column_stack([X, T]), names=("x", "t")))


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    return Hand(qtbot, open_window(two_maxima()))


def panel_of(user: Hand) -> EvidencePanel:
    return user.window.model_panel.evidence


def search(user: Hand) -> None:
    panel = panel_of(user)
    user.show(panel.button)
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    user.bot.waitUntil(lambda: not user.window.model_panel.optimiser.busy, timeout=20_000)
    user.settled()


def test_the_better_maximum_is_found_named_and_undone(user: Hand) -> None:
    before = user.settled()
    assert before.fit.lml == pytest.approx(START, abs=1e-6)
    search(user)
    after = user.window.store.picture
    assert after is not None and after.fit.lml == pytest.approx(BEST, abs=1e-6)
    places = panel_of(user).findChildren(Place)
    shown = [place for place in places if place.isVisible()]
    assert len(shown) >= 2, "the other maximum is reported too"
    assert "10.52" in shown[0].accessibleName() and any("11.67" in place.accessibleName() for place in shown[1:])
    user.keys("Ctrl+Z")
    assert user.settled().fit.lml == pytest.approx(START, abs=1e-6)


def test_another_maximum_can_be_taken(user: Hand) -> None:
    search(user)
    shown = [place for place in panel_of(user).findChildren(Place) if place.isVisible()]
    other = next(place for place in shown if "11.67" in place.accessibleName())
    user.show(other)
    QTest.mouseClick(other, Qt.MouseButton.LeftButton)
    assert user.settled().fit.lml == pytest.approx(START, abs=1e-4)


def test_an_edit_of_the_points_makes_what_was_found_disappear(user: Hand) -> None:
    search(user)
    user.click(0.0, 0.5)
    user.settled()
    assert not [place for place in panel_of(user).findChildren(Place) if place.isVisible()]


def test_only_models_with_an_evidence_offer_the_search(user: Hand) -> None:
    user.settled()
    assert panel_of(user).isVisible() and user.window.actions_["maximise"].isEnabled()
    user.choose(user.window.model_panel.model.combo, "krr")
    user.settled()
    assert not panel_of(user).isVisible() and not user.window.actions_["maximise"].isEnabled()


def test_a_search_that_is_stopped_before_its_first_fit_ends(user: Hand) -> None:
    optimiser = user.window.model_panel.optimiser
    user.settled()
    optimiser.start()
    optimiser.stop()
    user.bot.waitUntil(lambda: not optimiser.busy, timeout=20_000)
    assert panel_of(user).button.isVisible()


def test_what_is_found_while_the_window_closes_changes_nothing(user: Hand) -> None:
    optimiser, store = user.window.model_panel.optimiser, user.window.store
    scene = user.settled().scene
    optimiser.start()
    while not optimiser.idle:  # it is found, and on its way to the window
        pass
    user.window.leave()
    QApplication.processEvents()
    assert store.scene is scene and not optimiser.busy and optimiser.found is None
