"""Forms from declarations: every Spec has one, what is typed is read right, wrong values leave the old ones."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kernelplay.i18n import say, use
from kernelplay.spec import Child, Real, Spec, integer, kinds, real
from kernelplay.ui.forms import ChoiceRow, FlagRow, Form, MatrixRow, NumberRow
from kernelplay.ui.number import editable, plain
from kernelplay.ui.scale import Scale
from kernelplay.ui.theme import LIGHT, apply

SPECS = [cls for kind in ("model", "kernel", "dataset") for cls in kinds(kind).values()]
LEFT, NO_BUTTON, NO_KEY = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier


def shown(qtbot: Any, spec: Spec) -> tuple[Form, list[tuple[str, Any, str]]]:
    apply(LIGHT, "en")
    form = Form(type(spec))
    qtbot.addWidget(form)
    form.show_spec(spec)
    form.resize(270, form.sizeHint().height())
    edits: list[tuple[str, Any, str]] = []
    form.edited.connect(lambda path, value, gesture: edits.append((path, value, gesture)))
    if form.rows:
        with qtbot.waitExposed(form):
            form.show()
    return form, edits


def number_row(form: Form, path: str) -> NumberRow:
    row = form.rows[path]
    assert isinstance(row, NumberRow)
    return row


def type_into(row: NumberRow, text: str) -> None:
    row.field.setFocus()
    row.field.selectAll()
    for letter in text:  # QTest knows keys of ASCII alone
        QApplication.sendEvent(row.field, QKeyEvent(QEvent.Type.KeyPress, 0, NO_KEY, letter))
    QTest.keyClick(row.field, Qt.Key.Key_Return)


# what is typed

@pytest.mark.parametrize(("text", "value"), [
    ("1.5", 1.5), ("1,5", 1.5), ("12,25", 12.25), ("0.001", 0.001), ("1e-3", 0.001), ("1E3", 1000.0), ("−2", -2.0),
    ("-2", -2.0), ("−0,25", -0.25), ("１．５", 1.5), ("１２", 12.0), ("4·10⁻¹¹", 4e-11), ("10³", 1000.0), (" 3 ", 3.0),
    ("1e−7", 1e-7), (".5", 0.5), ("5.", 5.0),
])
@pytest.mark.parametrize("locale", ["C", "de_DE", "ko_KR", "ja_JP"])
def test_both_decimal_marks_are_read_in_every_locale(text: str, value: float, locale: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        assert float(plain(text)) == value
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize("text", ["1.234,5", "1,234.5", "1,2,3", "1 000,5,2", "12a", "", "1_5", "--1", "ｅ"])
def test_what_could_be_read_in_two_ways_is_not_read_at_all(text: str) -> None:
    with pytest.raises(ValueError):
        float(plain(text))


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12))
@settings(deadline=None, max_examples=60)
def test_what_is_shown_reads_back_as_the_same_number(value: float) -> None:
    assert float(plain(editable(value))) == pytest.approx(value, rel=1e-5, abs=1e-300)
    assert float(plain(editable(value).replace(".", ","))) == pytest.approx(value, rel=1e-5, abs=1e-300)


# scales

PARAMS = [param for cls in SPECS for param in cls.params().values() if isinstance(param, Real)]


@pytest.mark.parametrize("param", PARAMS, ids=lambda param: f"{param.label.template}")
def test_places_of_a_slider_and_values_belong_together(param: Real) -> None:
    scale = Scale(param)
    values = [scale.value(place) for place in range(scale.places + 1)]
    assert values[0] == param.low and values[-1] == param.high
    assert values == sorted(values), "to the right is more"
    for place in range(0, scale.places + 1, max(1, scale.places // 17)):
        assert param.check(scale.value(place), "x") == scale.value(place), "every place holds an allowed value"
        again = scale.value(scale.place(scale.value(place)))
        assert again == pytest.approx(scale.value(place), rel=0.02, abs=(scale.high - scale.low) / 500)
    if not isinstance(param.default, str):
        assert scale.low <= param.default <= scale.high


def test_a_logarithmic_slider_has_the_geometric_mean_in_the_middle() -> None:
    param = real(1.0, 1e-3, 1e3, log=True, label=say("x"), help=say("x")).metadata["param"]
    scale = Scale(param)
    assert scale.value(scale.places // 2) == pytest.approx(1.0, rel=0.01)


def test_a_value_outside_widens_the_range_as_long_as_it_holds() -> None:
    scale = Scale(real(1.0, 1e-3, 1e3, log=True, label=say("x"), help=say("x")).metadata["param"])
    scale.follow(1e99)
    assert scale.value(scale.places) == 1e99 and scale.place(1e99) == scale.places
    scale.follow(5.0)
    assert (scale.low, scale.high) == (1e-3, 1e3)
    scale.follow(0.0)
    assert (scale.low, scale.high) == (1e-3, 1e3), "a logarithmic slider has no place for 0"


def test_whole_numbers_have_one_place_each() -> None:
    scale = Scale(integer(3, 1, 10, label=say("x"), help=say("x")).metadata["param"])
    assert [scale.value(place) for place in range(scale.places + 1)] == list(range(1, 11))
    assert scale.stepped(3, 1) == 4 and scale.stepped(3, -1) == 2


# rows

@pytest.mark.parametrize("cls", SPECS, ids=lambda cls: f"{cls.kind}-{cls.key}")
def test_every_declaration_has_a_form_whose_controls_have_names(qtbot: Any, cls: type[Spec]) -> None:
    spec = cls()
    form, edits = shown(qtbot, spec)
    expected = [name for name, param in cls.params().items() if not isinstance(param, Child)]
    assert list(form.rows) == expected
    for path, row in form.rows.items():
        assert row.isHidden() == (path not in spec.shown())
        controls = [row.slider, row.field, *row.words.values()] if isinstance(row, NumberRow) else [row.control]  # type: ignore[attr-defined]
        for control in controls:
            assert control.accessibleName(), (path, control)
            assert control.accessibleDescription() or not isinstance(row, NumberRow)
        assert row.note.text() == str(cls.params()[path].help)
    assert not edits, "showing is not editing"


def test_typing_edits_and_a_wrong_value_is_said_and_the_old_one_stays(qtbot: Any) -> None:
    model = kinds("model")["svm"]()
    form, edits = shown(qtbot, model)
    row = number_row(form, "C")
    type_into(row, "2,5")
    assert [(path, value) for path, value, _ in edits] == [("C", 2.5)]
    form.show_spec(model.replace("C", 2.5))
    for wrong, word in (("−1", "−1"), ("abc", "abc"), ("0", "0"), ("1.234,5", "1.234,5"), ("-1.0", "−1.0")):
        type_into(row, wrong)
        assert len(edits) == 1
        assert row.field.text() == "2.5", "the old value stays"
        assert row.error.isVisible()
        assert row.error.text().startswith(f"{row.label.text()} cannot be {word}: ") and "above 0" in row.error.text()
    use("ko")
    type_into(row, "−3")
    use("en")
    type_into(row, "3")
    assert edits[-1][:2] == ("C", 3.0)
    form.show_spec(model.replace("C", 3.0))
    assert not row.error.isVisible(), "a right value takes the sentence away"


def test_a_value_outside_the_slider_widens_it_and_stays(qtbot: Any) -> None:
    model = kinds("model")["svm"]()
    form, edits = shown(qtbot, model)
    row = number_row(form, "C")
    high = row.scale.high
    type_into(row, str(10 * high))
    assert edits[-1][1] == 10 * high
    form.show_spec(model.replace("C", 10 * high))
    assert row.scale.high == 10 * high and row.slider.value() == row.slider.maximum()
    assert row.field.text() == editable(10 * high)
    form.show_spec(model)
    assert row.scale.high == high, "the declared range is back with a value inside of it"


def test_escape_gives_the_value_back_and_arrows_step(qtbot: Any) -> None:
    form, edits = shown(qtbot, kinds("model")["svm"]())
    row = number_row(form, "C")
    row.field.setFocus()
    row.field.selectAll()
    QTest.keyClicks(row.field, "77")
    QTest.keyClick(row.field, Qt.Key.Key_Escape)
    assert row.field.text() == "1" and not edits
    QTest.keyClick(row.field, Qt.Key.Key_Up)
    assert edits[-1][1] > 1.0
    QTest.keyClick(row.field, Qt.Key.Key_Down)
    assert edits[-1][1] < 1.0, "the form shows what the store has: still 1"


def drag_slider(row: NumberRow, share: float, steps: int = 4) -> None:
    slider = row.slider
    start = 9 + (slider.width() - 18) * slider.value() // slider.maximum()
    end = 9 + round((slider.width() - 18) * share)
    middle = slider.height() // 2
    QTest.mousePress(slider, LEFT, NO_KEY, QPoint(start, middle))
    for step in range(1, steps + 1):
        at = QPointF(start + (end - start) * step / steps, middle)
        QApplication.sendEvent(
            slider, QMouseEvent(QEvent.Type.MouseMove, at, slider.mapToGlobal(at), NO_BUTTON, LEFT, NO_KEY)
        )
    QTest.mouseRelease(slider, LEFT, NO_KEY, QPoint(end, middle))


def test_one_press_of_the_slider_is_one_gesture(qtbot: Any) -> None:
    form, edits = shown(qtbot, kinds("model")["svm"]())
    row = number_row(form, "C")
    drag_slider(row, 0.8)
    first = {gesture for _, _, gesture in edits}
    assert len(edits) > 2 and len(first) == 1 and "" not in first
    values = [value for _, value, _ in edits]
    assert values == sorted(values)
    edits.clear()
    drag_slider(row, 0.3)
    assert {gesture for _, _, gesture in edits}.isdisjoint(first)


def test_a_slider_is_not_moved_from_outside_while_it_is_held(qtbot: Any) -> None:
    model = kinds("model")["svm"]()
    form, _ = shown(qtbot, model)
    row = number_row(form, "C")
    middle = row.slider.height() // 2
    QTest.mousePress(row.slider, LEFT, NO_KEY, QPoint(row.slider.width() - 20, middle))
    held = row.slider.value()
    form.show_spec(model.replace("C", 0.01))
    assert row.slider.value() == held
    QTest.mouseRelease(row.slider, LEFT, NO_KEY, QPoint(row.slider.width() - 20, middle))


def test_a_double_click_resets_in_the_gesture_of_its_first_press(qtbot: Any) -> None:
    model = kinds("model")["svm"]().replace("C", 50.0)
    form, edits = shown(qtbot, model)
    row = number_row(form, "C")
    at = QPoint(30, row.slider.height() // 2)
    QTest.mouseClick(row.slider, LEFT, NO_KEY, at)
    QTest.mouseDClick(row.slider, LEFT, NO_KEY, at)
    assert edits[-1][1] == 1.0
    assert edits[-1][2] == edits[-2][2]


def test_the_wheel_moves_a_slider_only_when_it_has_the_focus(qtbot: Any) -> None:
    form, edits = shown(qtbot, kinds("model")["svm"]())
    row = number_row(form, "C")
    row.field.setFocus()

    def roll(widget: Any) -> bool:
        event = QWheelEvent(
            QPointF(20, 8),
            widget.mapToGlobal(QPointF(20, 8)),
            QPoint(),
            QPoint(0, 120),
            NO_BUTTON,
            NO_KEY,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        return event.isAccepted()

    assert not roll(row.slider) and not edits
    row.slider.setFocus()
    roll(row.slider)
    assert len(edits) == 1 and edits[0][1] > 1.0


def test_the_word_scale_shows_the_number_it_stands_for(qtbot: Any) -> None:
    kernel = kinds("kernel")["rbf"]()
    form, edits = shown(qtbot, kernel)
    row = number_row(form, "gamma")
    QTest.mouseClick(row.words["scale"], LEFT)
    assert edits[-1][:2] == ("gamma", "scale")
    form.show_spec(kernel.replace("gamma", "scale"))
    form.show_resolved(kernel.replace("gamma", 0.3819))
    assert row.words["scale"].isChecked() and float(plain(row.field.text())) == pytest.approx(0.3819)
    QTest.mouseClick(row.words["scale"], LEFT)
    assert edits[-1][1] == pytest.approx(0.382)
    drag_slider(row, 0.9)
    assert isinstance(edits[-1][1], float), "moving the slider takes a number instead of the word"


def test_choices_flags_and_matrices(qtbot: Any) -> None:
    form, edits = shown(qtbot, kinds("model")["svm"]())
    margin = form.rows["margin"]
    assert isinstance(margin, ChoiceRow)
    QTest.mouseClick(margin.control.button("hard"), LEFT)  # type: ignore[union-attr]
    assert edits[-1][:2] == ("margin", "hard")
    form.show_spec(kinds("model")["svm"](margin="hard"))
    assert form.rows["C"].isHidden(), "the hard margin has no penalty"

    form, edits = shown(qtbot, kinds("model")["perceptron"]())
    bias = form.rows["bias"]
    assert isinstance(bias, FlagRow)
    QTest.mouseClick(bias.control, LEFT, NO_KEY, QPoint(8, bias.control.height() // 2))
    assert edits[-1][0] == "bias" and isinstance(edits[-1][1], bool)

    form, edits = shown(qtbot, kinds("kernel")["quadratic_form"]())
    row = form.rows["matrix"]
    assert isinstance(row, MatrixRow)
    for text, value in (("2 1; 1 3", ((2.0, 1.0), (1.0, 3.0))), ("[[1, 0], [0, 4]]", ((1.0, 0.0), (0.0, 4.0)))):
        row.control.setFocus()
        row.control.selectAll()
        QTest.keyClicks(row.control, text)
        QTest.keyClick(row.control, Qt.Key.Key_Return)
        assert edits[-1][1] == value
    count = len(edits)
    row.control.selectAll()
    QTest.keyClicks(row.control, "1 2; 3 4")
    QTest.keyClick(row.control, Qt.Key.Key_Return)
    assert len(edits) == count and "symmetric" in row.error.text()


def test_a_planted_parameter_gets_its_row(qtbot: Any) -> None:
    import dataclasses

    @dataclasses.dataclass(frozen=True)
    class Planted(Spec):
        key = "planted"
        width: float = real(2.0, 0.1, 10.0, log=True, symbol="w", unit="cm", label=say("Width"), help=say("Wider."))

    form, edits = shown(qtbot, Planted())
    row = number_row(form, "width")
    assert row.label.full == "Width" and row.note.text() == "Wider."
    type_into(row, "4")
    assert edits == [("width", 4.0, edits[0][2])] and math.isclose(
        row.scale.value(row.scale.place(4.0)), 4.0, rel_tol=0.01
    )
