"""Generated points by hand: every slider draws at once, formulas are typed, measured data name their source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from kernelplay.datasets.prior import PriorSignal
from kernelplay.datasets.regression import Sine
from kernelplay.examples import examples
from kernelplay.i18n import say
from kernelplay.spec import build
from kernelplay.ui.forms import NumberRow, TextRow
from kernelplay.ui.generator import Generator
from kernelplay.ui.window import MainWindow
from tests.ui.hand import LEFT, Hand


@pytest.fixture
def with_example(qtbot: Any, open_window: Callable[..., MainWindow]) -> Callable[[str], Hand]:
    def open_it(key: str) -> Hand:
        user = Hand(qtbot, open_window(next(one for one in examples() if one.key == key).scene()))
        user.settled()
        return user

    return open_it


def generator(user: Hand) -> Generator:
    return user.window.data_panel.generator


def number_row(user: Hand, path: str) -> NumberRow:
    row = generator(user).form.rows[path]
    assert isinstance(row, NumberRow)
    return row


def text_row(user: Hand) -> TextRow:
    row = generator(user).form.rows["formula"]
    assert isinstance(row, TextRow)
    return row


def type_over(user: Hand, field: QLineEdit, text: str) -> None:
    user.show(field)
    QTest.mouseClick(field, LEFT)
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)


def drawn(user: Hand, key: str) -> None:
    user.choose(generator(user).combo, key)
    user.press(generator(user).replace)
    user.settled()


def test_tab_goes_from_the_data_set_over_its_parameters_to_the_buttons(with_example: Callable[[str], Hand]) -> None:
    user = with_example("overlapping")
    panel = user.window.data_panel
    user.press(generator(user).fold)
    for key in ("moons", "blobs"):
        generator(user).choose(key)
        fields = [row.field for row in generator(user).form.rows.values() if isinstance(row, NumberRow)]
        generator(user).combo.setFocus()
        passed: list[Any] = []
        while QApplication.focusWidget() is not panel.table and len(passed) < 50:
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
            passed.append(QApplication.focusWidget())
        way = (generator(user).fold, *fields, generator(user).replace, generator(user).add)
        places = [passed.index(each) for each in way]
        assert places == sorted(places) and generator(user).dice in passed, key


def test_undo_takes_the_form_back_to_what_drew_the_points(with_example: Callable[[str], Hand]) -> None:
    user = with_example("overlapping")
    store = user.window.store
    drawn(user, "moons")
    noise, points = generator(user).data.get("noise"), store.scene.points
    user.slide(number_row(user, "noise").slider, 0.9)
    drawn(user, "rings")
    user.canvas.setFocus()
    user.keys("Ctrl+Z", 2)
    assert store.scene.points is points and generator(user).combo.key == "moons"
    assert generator(user).data.get("noise") == noise
    steps = len(store.history.steps)
    user.press(generator(user).dice)
    assert store.scene.points is not points and len(store.history.steps) == steps - 1, "its controls draw it anew"
    user.canvas.setFocus()
    user.keys("Ctrl+Z", 2)
    assert generator(user).combo.key == "moons", "points that nobody drew say nothing about the form"


def test_flips_and_balance_are_drawn_while_the_slider_moves(with_example: Callable[[str], Hand]) -> None:
    user = with_example("overlapping")
    store = user.window.store
    drawn(user, "moons")
    before = store.scene.points
    steps = len(store.history.steps)
    seen: list[int] = []
    store.changed.connect(lambda old, new: seen.append(int((new.points.cls != before.cls).sum())))
    user.slide(number_row(user, "flips").slider, 0.6)
    flips = generator(user).data.get("flips")
    assert flips == pytest.approx(0.3, abs=0.03) and len(set(seen)) > 3 and seen == sorted(seen)
    assert seen[-1] == round(flips * 60)
    np.testing.assert_array_equal(store.scene.points.xy, before.xy)
    assert len(store.history.steps) == steps + 1, "one drag is one step"
    user.slide(number_row(user, "flips").slider, 0.0)
    user.slide(number_row(user, "balance").slider, 0.9)
    share = generator(user).data.get("balance")
    assert share > 0.8 and (store.scene.points.cls == 0).sum() == np.floor(share * 60 + 0.5)
    user.keys("Ctrl+Z", 3)
    np.testing.assert_array_equal(store.scene.points.cls, before.cls)


def test_the_dice_draw_other_points(with_example: Callable[[str], Hand]) -> None:
    user = with_example("sine")
    store = user.window.store
    drawn(user, "sine")
    seeds, places = [generator(user).data.seed], [store.scene.points.xy]
    for _ in range(3):
        user.press(generator(user).dice)
        user.settled()
        seeds.append(generator(user).data.seed)
        places.append(store.scene.points.xy)
        assert seeds[-1] != seeds[-2] and not np.array_equal(places[-1], places[-2])
        np.testing.assert_array_equal(places[-1], Sine(seed=seeds[-1]).make().xy)
        assert number_row(user, "seed").field.text() == str(seeds[-1])
    user.keys("Ctrl+Z")
    np.testing.assert_array_equal(store.scene.points.xy, places[-2])
    assert generator(user).dice.accessibleName()


def test_a_formula_is_drawn_as_it_is_typed_and_a_wrong_one_leaves_the_last(with_example: Callable[[str], Hand]) -> None:
    user = with_example("sine")
    store = user.window.store
    drawn(user, "formula")
    row = text_row(user)
    type_over(user, number_row(user, "noise").field, "0")
    QTest.keyClick(number_row(user, "noise").field, Qt.Key.Key_Return)
    steps = len(store.history.steps)
    type_over(user, row.control, "2*x - 1")
    user.settled()
    x, t = store.scene.points.xy.T
    np.testing.assert_allclose(t, 2 * x - 1)
    assert row.error.isHidden() and len(store.history.steps) == steps + 1, "what is typed in one go is one step"
    y0, y1 = user.canvas.plane.view[2:]
    assert y0 < t.min() < t.max() < y1, "the view follows what is typed"
    good = store.scene.points
    QTest.keyClicks(row.control, " + sine(x)")
    assert row.error.isVisible() and "there is no sine (did you mean sin" in row.error.text()
    assert row.control.text() == "2*x - 1 + sine(x)" and store.scene.points is not None
    last = store.scene.points.xy
    np.testing.assert_allclose(last[:, 1], 2 * last[:, 0] - 1)
    QTest.keyClick(row.control, Qt.Key.Key_Return)
    user.slide(number_row(user, "n").slider, 0.5)
    assert len(store.scene.points) > 200 and row.error.isVisible(), "another slider draws the last good formula"
    assert row.control.text() == "2*x - 1 + sine(x)"
    type_over(user, row.control, "2*x - 1")
    assert row.error.isHidden() and len(good) == 60
    user.keys("Ctrl+Z")  # in the field: what was typed comes back, not the points
    assert QApplication.focusWidget() is row.control


def test_places_without_a_value_are_told_and_a_formula_without_any_is_refused_in_place(
        with_example: Callable[[str], Hand]) -> None:
    user = with_example("sine")
    store, panel = user.window.store, generator(user)
    drawn(user, "formula")
    type_over(user, text_row(user).control, "log(x)")
    user.settled()
    n = len(store.scene.points)
    assert 10 < n < 50 and panel.notes.isVisible()
    assert panel.notes.text() == f"{60 - n} of 60 locations have no finite value and are left out."
    good = store.scene.points
    QTest.keyClicks(text_row(user).control, "/0*0")
    assert "no finite value at any of 60 locations" in text_row(user).error.text() and text_row(user).error.isVisible()
    assert panel.notes.isHidden()  # it was about the draw before
    assert store.scene.points is good
    type_over(user, text_row(user).control, "x^2")
    user.settled()
    assert text_row(user).error.isHidden() and len(store.scene.points) == 60 and panel.notes.isHidden()


def test_a_draw_from_the_prior_follows_the_kernel_and_the_visible_range(with_example: Callable[[str], Hand]) -> None:
    user = with_example("sine")
    store, panel = user.window.store, generator(user)
    user.choose(panel.combo, "prior")
    noise = number_row(user, "noise")
    model = store.scene.model
    assert float(noise.field.text()) == pytest.approx(np.sqrt(model.get("noise_var")), rel=1e-3)
    assert noise.words["model"].isChecked()
    user.press(panel.replace)
    user.settled()
    x0, x1, *_ = user.canvas.plane.view
    x = store.scene.points.xy[:, 0]
    assert x0 <= x.min() and x.max() <= x1 and np.ptp(x) > 0.8 * (x1 - x0)
    assert panel.notes.isVisible() and model.kernel.text() in panel.notes.text() and "seed 1" in panel.notes.text()
    for _ in range(3):
        user.press(panel.replace)
        user.settled()
    assert user.canvas.plane.view[:2] == pytest.approx((x0, x1)), "the range does not creep"
    expected = PriorSignal().bind(store.scene.with_view(user.canvas.plane.view)).make()
    np.testing.assert_allclose(store.scene.points.xy, expected.xy, atol=1e-6)
    store.edit(store.scene.with_value("noise_var", 0.25), say("Change noise"))
    user.settled()
    assert noise.field.text() == "0.5", "the noise that the word stands for is the one of the model as it is now"


def test_a_kernel_that_is_no_covariance_is_said_and_the_points_stay(with_example: Callable[[str], Hand]) -> None:
    user = with_example("sine")
    store, panel = user.window.store, generator(user)
    store.edit(store.scene.with_value("kernel", build("kernel", {"name": "sigmoid"})), say("Change the kernel"))
    user.settled()
    user.choose(panel.combo, "prior")
    before = store.scene.points
    user.press(panel.replace)
    assert panel.error.isVisible() and "not positive definite" in panel.error.text()
    assert store.scene.points is before
    user.choose(panel.combo, "sine")
    assert panel.error.isHidden()


def test_classes_by_a_draw_take_the_balance_that_is_asked_for(with_example: Callable[[str], Hand]) -> None:
    user = with_example("overlapping")
    store, panel = user.window.store, generator(user)
    drawn(user, "prior_classes")
    balance = number_row(user, "balance")
    share = (store.scene.points.cls == 0).mean()
    assert float(balance.field.text()) == pytest.approx(share, abs=1e-3) and balance.words["free"].isChecked()
    view = user.canvas.plane.view
    type_over(user, balance.field, "0.5")
    QTest.keyClick(balance.field, Qt.Key.Key_Return)
    user.settled()
    assert (store.scene.points.cls == 0).sum() == 30 and not balance.words["free"].isChecked()
    assert user.canvas.plane.view == pytest.approx(view, abs=0.1), "the colour bar may be wider, no more"
    user.press(balance.words["free"])
    assert (store.scene.points.cls == 0).mean() == pytest.approx(share, abs=0.1) and panel.data.get("balance") == "free"


def test_blobs_bring_their_classes(with_example: Callable[[str], Hand]) -> None:
    user = with_example("overlapping")
    store = user.window.store
    drawn(user, "blobs")
    assert len(store.scene.classes) == 4
    user.slide(number_row(user, "k").slider, 1.0)
    assert store.scene.classes == ("+1", "−1", "2", "3", "4", "5", "6", "7")
    assert set(store.scene.points.cls) == set(range(8))
    assert number_row(user, "balance").field.text() == "0.125"


@pytest.mark.parametrize(("example", "key"), [("sine", "formula"), ("sine", "mauna_loa"), ("overlapping", "iris"),
                                              ("rings", "faithful_next")])
def test_new_points_are_in_sight(with_example: Callable[[str], Hand], example: str, key: str) -> None:
    user = with_example(example)
    drawn(user, key)
    x0, x1, y0, y1 = user.canvas.plane.view
    x, y = user.window.store.scene.points.xy.T
    assert x0 < x.min() and x.max() < x1 and y0 < y.min() and y.max() < y1
    assert np.ptp(x) > 0.5 * (x1 - x0) or np.ptp(y) > 0.5 * (y1 - y0)


@pytest.mark.parametrize(("example", "key", "words"), [
    ("overlapping", "iris", "Fisher"), ("overlapping", "faithful_next", "Azzalini"), ("sine", "faithful", "Azzalini"),
    ("sine", "motorcycle", "Silverman"), ("sine", "mauna_loa", "Keeling"),
])
def test_measured_data_name_their_source(with_example: Callable[[str], Hand], example: str, key: str,
                                         words: str) -> None:
    user = with_example(example)
    panel = generator(user)
    assert panel.source.isHidden()
    drawn(user, key)
    assert panel.source.isVisible() and words in panel.source.text()
    data = build("dataset", {"name": key})
    np.testing.assert_array_equal(user.window.store.scene.points.xy, data.make().xy)
    assert user.window.store.scene.points.names == data.names
