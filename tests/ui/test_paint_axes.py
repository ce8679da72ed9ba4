"""Numbers along the axes: round, exact, with a true minus, at any scale and offset; room for them; the grid."""

from __future__ import annotations

import math

import numpy as np
import pytest
import stage
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import dots, image, line, near, plot

from kernelplay.i18n import verbatim
from kernelplay.marks import Bars, Curve, read_only
from kernelplay.ui.axes import Ticks, named, ticks
from kernelplay.ui.layers import Layers
from kernelplay.ui.theme import LIGHT


def value_of(text: str, common: str) -> float:
    """Return the number that a tick shows, with what is common to all."""
    number = float(text.replace("−", "-"))
    for part in common.split():
        if part.startswith("·10"):
            power = part[3:].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
            number *= 10.0 ** int(power)
        else:
            number += float(part.replace("+", "").replace("−", "-"))
    return number


def test_numbers_are_round_and_have_a_true_minus() -> None:
    assert ticks(-1.66, 2.4, 700, 86).texts == ("−1.5", "−1.0", "−0.5", "0.0", "0.5", "1.0", "1.5", "2.0")
    assert ticks(0, 10, 300, 86).texts == ("0", "5", "10")
    assert ticks(0, 1, 1000, 86, least=1.0).texts == ("0", "1")


def test_very_large_small_and_far_numbers_share_what_is_common() -> None:
    assert ticks(0, 3e9, 400, 86) == Ticks((0.0, 1e9, 2e9, 3e9), ("0", "1", "2", "3"), "·10⁹", 1e9)
    assert ticks(-2e-9, 2e-9, 400, 86).common == "·10⁻⁹"
    far = ticks(1e6 - 0.01, 1e6 + 0.01, 400, 86)
    assert far.common.startswith("+") and max(map(len, far.texts)) <= 6


def test_numbers_around_a_million_are_told_apart_by_what_is_short() -> None:
    assert ticks(1e6 - 4, 1e6 + 4, 300, 52) == Ticks((999996.0, 999998.0, 1e6, 1000002.0, 1000004.0),
                                                     ("−4", "−2", "0", "2", "4"), "+1000000", 2.0)
    below = ticks(-1e6 - 4, -1e6 + 4, 300, 52)
    assert below.texts == ("−4", "−2", "0", "2", "4") and below.common == "−1000000"
    assert ticks(999_990, 1_000_020, 300, 52).common.startswith("+")
    assert ticks(9_990, 10_020, 300, 52).common == ""  # five digits are read at a glance


@settings(max_examples=200, deadline=None)
@given(st.floats(-1e7, 1e7), st.floats(-9, 9), st.floats(60, 2000), st.floats(40, 120))
def test_every_tick_shows_its_value_inside_the_range(low: float, magnitude: float, length: float, gap: float) -> None:
    high = low + 10.0**magnitude
    if not low < high:
        return
    found = ticks(low, high, length, gap)
    span = high - low
    assert len(found.values) == len(found.texts) <= length / gap + 2
    assert len(set(found.texts)) == len(found.texts)
    for value, text in zip(found.values, found.texts, strict=True):
        assert low - 1e-3 * span <= value <= high + 1e-3 * span
        assert value_of(text, found.common) == pytest.approx(value, abs=2e-3 * span, rel=1e-12)
    if len(found.values) > 1:
        step = found.step
        assert step * length / span >= min(gap, length) * 0.999
        np.testing.assert_allclose(np.diff(found.values), step, rtol=1e-6, atol=4 * math.ulp(max(abs(low), abs(high))))
        mantissa = step / 10 ** math.floor(math.log10(step) + 1e-9)
        assert min(abs(mantissa - m) for m in (1, 2, 5, 10)) < 1e-3


@pytest.mark.parametrize("range_", [(0.0, 0.0), (1.0, 1.0 + 2e-16), (float("nan"), 1.0), (1e300, -1e300)])
def test_a_range_without_room_for_numbers_has_none(range_: tuple[float, float]) -> None:
    assert ticks(*range_, 400, 86).texts == ()


@pytest.mark.usefixtures("qapp")
class TestRoom:
    def test_numbers_fit_left_of_the_plane(self) -> None:
        for view in ((-2, 2, -2, 2), (-2, 2, -23456.5, -23455.5), (0, 1, 0, 1e9), (0, 1, 1e6, 1e6 + 1)):
            drawn = plot(view=view)  # type: ignore[arg-type]
            need = drawn.axes.left(*view[2:], drawn.plane.height)
            assert drawn.plane.left >= need

    def test_panning_does_not_make_the_plane_jump(self) -> None:
        drawn = plot()
        lefts = set()
        for k in range(60):
            drawn.set_view((-2, 2, -2 + 0.13 * k, 2 + 0.13 * k), False)
            lefts.add(drawn.plane.left)
        assert len(lefts) == 1

    def test_equal_aspect_has_one_scale_and_one_grid(self) -> None:
        drawn = plot(equal=True)
        sx, sy = drawn.plane.scale
        assert sx == pytest.approx(sy)
        across, up = drawn.axes._ticks(drawn.plane)
        assert across.step == up.step
        assert drawn.plane.view[0] <= -2 and drawn.plane.view[1] >= 2  # all that was asked for, and more

    def test_a_short_axis_has_at_least_two_numbers(self) -> None:
        for size in ((320, 200), (360, 180), (470, 240), (400, 500)):
            for view in ((-4, 4, -4, 4), (-3, 3, -3, 3), (1e6 - 4, 1e6 + 4, 1e6 - 4, 1e6 + 4), (-1e-9, 1e-9, 0, 1e-9)):
                drawn = plot((stage.field(),), view=view, size=size, equal=True)
                across, up = drawn.axes._ticks(drawn.plane)
                assert len(set(across.texts)) >= 2 and len(set(up.texts)) >= 2, (size, view)

    def test_a_colour_bar_gets_its_room_and_the_plane_keeps_it(self) -> None:
        bare, with_bar = plot(), plot((stage.field(),))
        assert with_bar.plane.right < bare.plane.right - 40
        waiting = plot(bar=True)  # a picture with a field is on its way
        assert waiting.plane.right < bare.plane.right - 40

    def test_bars_that_stand_for_points_have_no_numbers_but_named_lines(self) -> None:
        bars = Bars("bar0", "points", x=read_only([0.0, 1, 2]), height=read_only([2.0, 1, 0.5]),
                    index=read_only([5, 3, 1], np.intp))
        limit = Curve("limit", "points", verbatim("α = C"), lines=(read_only([[-1.0, 2], [3, 2]]),), texts=("C",))
        drawn = plot((bars, limit), view=(-1, 3, 0, 2.2))
        assert not drawn.axes.x_numbers
        assert [(each.value, each.text) for each in named(drawn.layers.marks)] == [(2.0, "C")]

    def test_bars_that_count_have_whole_numbers(self) -> None:
        bars = Bars("bar0", "points", x=read_only([1.0, 2]), height=read_only([1.0, 1]))
        drawn = plot((bars,), view=(0, 3, 0, 1.1))
        across, _ = drawn.axes._ticks(drawn.plane)
        assert across.texts == ("0", "1", "2", "3")


@pytest.mark.usefixtures("qapp")
def test_the_grid_runs_through_the_numbers_and_is_quiet() -> None:
    drawn = plot()
    shown = image(drawn)
    across, up = drawn.axes._ticks(drawn.plane)
    x = int(drawn.plane.x(np.array([across.values[1]]))[0])
    y = int(drawn.plane.y(np.array([(up.values[1] + up.values[2]) / 2]))[0])
    on_line = min(shown.pixelColor(x + d, y).lightness() for d in (-1, 0, 1))
    assert 0 < shown.pixelColor(x + 5, y).lightness() - on_line < 40


@pytest.mark.usefixtures("qapp")
def test_names_and_caption_are_written_and_elided_where_there_is_no_room() -> None:
    blank = plot()
    drawn = plot()
    names = (verbatim("sepal length (cm)"), verbatim("petal width (cm)"))
    drawn.set_layers(Layers(legend=False), names, verbatim("Σ αₙyₙ = 0"))
    assert image(drawn) != image(blank)
    long = "a very long name of an axis " * 8
    drawn.set_layers(Layers(legend=False), (verbatim(long), verbatim(long)), verbatim(long))
    shown = image(drawn)
    assert near(shown.pixelColor(stage.WIDTH - 2, 10), LIGHT.paper) and near(shown.pixelColor(1, 10), LIGHT.paper)


@pytest.mark.usefixtures("qapp")
def test_side_views_frame_what_they_show() -> None:
    from kernelplay.ui.layers import extent

    marks = (line("curve0", (0, 1), (10, 3)), dots("class0", [(12, -1)]),
             Bars("bar0", "points", x=read_only([3.0]), height=read_only([2.0])))
    x0, x1, y0, y1 = extent(marks)
    assert x0 <= 0 and x1 >= 12 and y0 <= -1 and y1 >= 3
    assert extent(()) == (0.0, 1.0, 0.0, 1.0)
    assert extent((dots("class0", [(5, 5)]),))[0] < 5 < extent((dots("class0", [(5, 5)]),))[1]
