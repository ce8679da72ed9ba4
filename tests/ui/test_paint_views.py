"""Side views: the model's other charts, linked to the points by bar and dot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import stage
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from stage import canvas, near, settled

from kernelplay.i18n import say
from kernelplay.ui.theme import DARK, LIGHT
from kernelplay.ui.views import SideView

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def dual(qtbot: object) -> Iterator[SideView]:
    """The dual variables of an SVM of 12 points, and the canvas it belongs to (the view's parent in this test)."""
    rng = np.random.default_rng(3)
    xy = np.vstack([rng.normal(-0.6, 0.7, (6, 2)), rng.normal(0.6, 0.7, (6, 2))])
    with canvas(qtbot, stage.scene(xy=xy, cls=[0] * 6 + [1] * 6)) as made:
        view = SideView(made.store, "dual", LIGHT)
        qtbot.addWidget(view)  # type: ignore[attr-defined]
        view.resize(600, 160)
        with qtbot.waitExposed(view):  # type: ignore[attr-defined]
            view.show()
        view.pointed.connect(made.point_at)
        view.canvas = made
        yield view
        view.hide()


def bar(view: SideView, row: int) -> QPoint:
    """Return a place in the bar of a point, well inside its column."""
    place = next(place for place in view._places if place[0] == row)
    plane = view.plot.plane
    return QPoint(int(plane.x(np.array([place[1]]))[0]), int(plane.bottom) - 2)


def test_there_is_a_bar_for_every_point_as_high_as_its_alpha_in_its_colour(dual: SideView) -> None:
    fit = dual.store.picture.fit
    heights = {row: value for row, _, value, _ in dual._places}
    assert len(heights) == 12
    np.testing.assert_allclose([heights[row] for row in range(12)], fit.alpha, atol=1e-12)
    shown = dual.grab().toImage()
    for row in range(12):
        if fit.alpha[row] > 0.3:
            assert near(shown.pixelColor(bar(dual, row)), LIGHT.roles["bar0" if row < 6 else "bar1"].fill), row
    values = [value for _, _, value, _ in dual._places]
    assert values == sorted(values, reverse=True)


def test_pointing_at_a_bar_highlights_the_point_on_the_canvas(dual: SideView) -> None:
    told = []
    dual.pointed.connect(told.append)
    stage.move(dual, bar(dual, 7))
    assert told == [7] and dual.canvas.plot.over.pointed == 7
    assert dual.plot.over.tip is not None and "8" in str(dual.plot.over.tip[2])  # rows are counted from 1
    stage.move(dual, QPoint(5, 5))
    assert told == [7, None] and dual.canvas.plot.over.pointed is None
    dual.point_at(3)
    assert dual.plot.over.pointed == 3
    QApplication.sendEvent(dual, QEvent(QEvent.Type.Leave))
    assert dual.plot.over.pointed is None


def test_clicking_a_bar_selects_its_point_and_ctrl_extends(dual: SideView) -> None:
    QTest.mouseClick(dual.viewport(), LEFT, NONE, bar(dual, 7))
    assert dual.store.selection == frozenset({7}) and dual.canvas.plot.over.chosen == frozenset({7})
    QTest.mouseClick(dual.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, bar(dual, 2))
    assert dual.store.selection == frozenset({2, 7})
    QTest.mouseClick(dual.viewport(), LEFT, NONE, QPoint(3, 3))
    assert dual.store.selection == frozenset()


def test_arrow_keys_go_from_bar_to_bar(dual: SideView) -> None:
    order = [place[0] for place in dual._places]
    for row in order[:3]:
        QTest.keyClick(dual, Qt.Key.Key_Right)
        assert dual.store.selection == frozenset({row})
    QTest.keyClick(dual, Qt.Key.Key_Left)
    assert dual.store.selection == frozenset({order[1]})
    for _ in range(20):
        QTest.keyClick(dual, Qt.Key.Key_Right)
    assert dual.store.selection == frozenset({order[-1]})


def test_it_follows_the_model_and_says_when_there_is_nothing(dual: SideView, qtbot: object) -> None:
    store = dual.store
    before = dual.chart
    store.edit(store.scene.with_value("C", 0.01), say("C"))
    settled(qtbot, dual.canvas)
    assert dual.chart is not before
    assert max(value for _, _, value, _ in dual._places) == pytest.approx(0.01)
    store.edit(store.scene.with_model("gpc"), say("Model"))
    settled(qtbot, dual.canvas)
    assert dual.chart is None and dual.plot.over.hint is not None and dual._places == []
    assert not dual.grab().toImage().isNull()


def test_theme_language_and_names(dual: SideView) -> None:
    from kernelplay import i18n

    light = dual.grab().toImage()
    dual.set_theme(DARK)
    assert dual.grab().toImage().pixelColor(2, 2).lightness() < 60 < light.pixelColor(2, 2).lightness()
    assert dual.accessibleName() == "Dual variables"
    i18n.use("pseudo")
    try:
        dual.retranslate()
        assert dual.accessibleName() == "⟦Dual variables⟧"
    finally:
        i18n.use("en")


def test_the_step_of_the_player_is_drawn_in_its_views(qtbot: object) -> None:
    apart = np.array([[2.0, 2.0], [1.5, 2.5], [-2.0, -1.5], [-1.0, -2.5]])
    with canvas(qtbot, stage.scene("perceptron", apart, (0, 0, 1, 1))) as made:
        frames = made.store.picture.frames
        key = next(key for step in range(frames.count) for key, marks in frames.at(step).views if marks)
        view = SideView(made.store, key, LIGHT)
        qtbot.addWidget(view)  # type: ignore[attr-defined]
        plain = len(view.plot.layers.marks)
        step = next(step for step in range(frames.count)
                    if any(name == key and marks for name, marks in frames.at(step).views))
        made.store.play_at(step)
        assert len(view.plot.layers.marks) > plain
        made.store.play_at(None)
        assert len(view.plot.layers.marks) == plain
