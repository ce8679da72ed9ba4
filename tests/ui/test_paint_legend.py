"""The legend names what is drawn, covers no mark where there is room, leaves the plane where there is none."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import stage
from PySide6.QtCore import QPointF, QRectF
from stage import dots, field, image, line, plot

from kernelplay.i18n import number, verbatim
from kernelplay.marks import Band, Dots, Field, read_only
from kernelplay.ui.colour_bar import scale
from kernelplay.ui.crowd import Crowd
from kernelplay.ui.layers import Layers
from kernelplay.ui.plane import Plane

pytestmark = pytest.mark.usefixtures("qapp")

PAIR = (dots("class0", [(-1.5, -1.5)], label="class +1"), dots("class1", [(1.5, -1.5)], label="class −1"))


def covered(drawn: object) -> int:
    """Return how many points lie under the legend."""
    place = drawn.legend_rect  # type: ignore[attr-defined]
    xy = np.vstack([drawn.plane.pixels(mark.xy) for mark in drawn.layers.points])  # type: ignore[attr-defined]
    return sum(place.contains(QPointF(x, y)) for x, y in xy.tolist())


def test_it_names_everything_that_has_a_name_once_points_first() -> None:
    upper, lower = (line("margin", (-2, y), (2, y), label="margins f = ±1") for y in (1, -1))
    marks = (field(), line("boundary", (-2, 0), (2, 0), label="boundary f = 0"), upper, lower,
             line("guide", (0, 0), (1, 1)))
    drawn = plot(marks, (dots("faded", [(0, 0)], label="inside the tube"), *PAIR), legend=True)
    image(drawn)
    assert drawn.legend.texts == ("class +1", "class −1", "inside the tube", "boundary f = 0", "margins f = ±1")


def test_switched_off_it_is_neither_drawn_nor_in_the_way() -> None:
    drawn = plot(points=PAIR)
    image(drawn)
    assert drawn.legend_rect == QRectF()


@pytest.mark.parametrize("seed", range(12))
def test_it_covers_no_point_where_there_is_room(seed: int) -> None:
    """Points everywhere but in one part of the plane: it goes there."""
    rng = np.random.default_rng(seed)
    free_x, free_y = ((0.3, 2), (-2, 0.0), (-2, 2))[seed % 3], ((0.6, 2), (-2, -0.6))[seed % 2]
    xy = rng.uniform(-2, 2, (300, 2))
    held = (xy[:, 0] > free_x[0]) & (xy[:, 0] < free_x[1]) & (xy[:, 1] > free_y[0]) & (xy[:, 1] < free_y[1])
    drawn = plot(points=(dots("class0", xy[~held], label="class +1"), Dots("class1", "points", verbatim("class −1"))),
                 legend=True)
    image(drawn)
    assert drawn.legend_rect.width() > 50
    assert covered(drawn) == 0


def test_it_would_rather_cover_a_thin_line_than_the_boundary_and_nothing_than_either() -> None:
    boundary = line("boundary", (0.5, 2), (2, 0.5), label="boundary f = 0")
    drawn = plot((boundary,), PAIR, legend=True)
    image(drawn)
    assert Crowd(drawn.layers.marks, drawn.plane).under(drawn.legend_rect) == 0


def test_it_stays_while_its_place_is_free_and_leaves_when_a_point_comes() -> None:
    drawn = plot(points=PAIR, legend=True)
    image(drawn)
    place = QRectF(drawn.legend_rect)
    for x in np.linspace(-1.5, 0, 10):
        drawn.set_layers(Layers(points=(dots("class0", [(x, -1.2)], label="class +1"), PAIR[1])), drawn.names)
        image(drawn)
        assert drawn.legend_rect == place
    x, y = drawn.plane.data(place.center().x(), place.center().y())
    drawn.set_layers(Layers(points=(dots("class0", [(x, y)], label="class +1"), PAIR[1])), drawn.names)
    image(drawn)
    assert drawn.legend_rect != place and covered(drawn) == 0


def test_full_plots_have_it_under_the_plane() -> None:
    grid = np.stack(np.meshgrid(np.linspace(-1.95, 1.95, 40), np.linspace(-1.95, 1.95, 40)), -1).reshape(-1, 2)
    drawn = plot(points=(dots("class0", grid, label="class +1"), PAIR[1]), legend=True)
    image(drawn)
    assert drawn.legend_rect.top() >= drawn.plane.bottom
    assert drawn.legend_rect.bottom() <= stage.HEIGHT and drawn.legend_rect.right() <= stage.WIDTH
    assert covered(drawn) == 0


def test_dragged_it_stays_where_it_was_put_also_at_another_size() -> None:
    drawn = plot(points=PAIR, legend=True)
    image(drawn)
    drawn.drag_legend(QPointF(drawn.plane.left + 100, drawn.plane.top + 150))
    image(drawn)
    assert drawn.legend_rect.left() == pytest.approx(drawn.plane.left + 100)
    assert drawn.legend_rect.top() == pytest.approx(drawn.plane.top + 150)
    drawn.drag_legend(QPointF(1e6, 1e6))
    drawn.set_size(420, 300)
    image(drawn)
    inside = QRectF(drawn.plane.left, drawn.plane.top, drawn.plane.width, drawn.plane.height).adjusted(-1, -1, 1, 1)
    assert inside.contains(drawn.legend_rect)
    assert drawn.legend_rect.right() == pytest.approx(drawn.plane.right)
    drawn.release_legend()
    image(drawn)
    assert drawn.legend_rect.right() < drawn.plane.right - 5


def test_beside_the_plane_it_covers_nothing_at_all() -> None:
    from kernelplay.ui.plot import Plot
    from kernelplay.ui.seat import SIDE
    from kernelplay.ui.theme import LIGHT

    drawn = Plot(LIGHT, "en")
    drawn.seat.forms = SIDE
    drawn.set_size(720, 150)
    roles = ("curve0", "curve1", "bound0", "bound1")
    curves = tuple(line(role, (0, 0), (1, 1), label=f"curve {role}") for role in roles)
    drawn.set_layers(Layers(curves), (verbatim("k"), verbatim("length")))
    image(drawn)
    assert drawn.legend_rect.left() >= drawn.plane.right and drawn.legend_rect.right() <= 720
    assert drawn.legend_rect.bottom() <= 150


class TestCrowd:
    PLANE = Plane(0, 0, 400, 300, (0, 4, 0, 3))

    def test_dots_and_lines_are_counted_where_they_are(self) -> None:
        crowd = Crowd((dots("class0", [(1, 1)]), line("margin", (0, 2), (4, 2))), self.PLANE)
        assert crowd.under(QRectF(90, 190, 20, 20)) >= 100  # the dot is at (100, 200)
        assert crowd.under(QRectF(200, 150, 100, 100)) == 0
        assert 0 < crowd.under(QRectF(200, 90, 100, 20)) < 100

    def test_a_long_segment_between_two_vertices_is_not_overlooked(self) -> None:
        crowd = Crowd((line("boundary", (0, 0), (4, 3)),), self.PLANE)
        for share in np.linspace(0.1, 0.9, 9):
            assert crowd.under(QRectF(400 * share - 15, 300 * (1 - share) - 15, 30, 30)) > 0

    def test_places_off_the_plane_cost_nothing(self) -> None:
        crowd = Crowd((dots("class0", [(9, 9), (-3, 1)]),), self.PLANE)
        assert crowd.under(QRectF(-100, -100, 1000, 1000)) == 0


class TestColourBar:
    def test_it_shows_limits_and_centre_and_marks_the_end_that_values_go_beyond(self) -> None:
        numbers = scale(field(limits=(-3.0, 5.0))).numbers
        assert [text for _, text in numbers] == ["≤ −3", "0", "5"]
        assert [share for share, _ in numbers] == pytest.approx([0, 3 / 8, 1])
        assert [text for _, text in scale(field(limits=(-4.0, 4.0))).numbers] == ["−4", "0", "4"]

    def test_a_probability_is_centred_at_one_half(self) -> None:
        p = field(lambda X, Y: 0.5 + X / 4, centre=0.5, limits=(0.0, 1.0))
        assert [text for _, text in scale(p).numbers] == ["0", "0.5", "1"]

    def test_a_single_ramp_has_its_two_limits(self) -> None:
        ramp = field(diverging=False, limits=(0.25, 1.0))
        assert [text for _, text in scale(ramp).numbers] == ["≤ " + number(0.25), "≥ 1"]

    def test_its_colours_are_those_of_the_field(self) -> None:
        drawn = plot((field(limits=(-2.0, 4.0)),))
        shown = image(drawn)
        x = int(drawn.plane.right + 14 + 5)
        for value in (-1.8, -1.0, 2.0, 3.8):
            y = drawn.plane.bottom - (value + 2) / 6 * drawn.plane.height
            at_value = stage.colour_at(shown, drawn, value / 2 + 0.011, value / 2 + 0.011)
            assert stage.near(shown.pixelColor(x, int(y)), at_value.name(), 6), value

    def test_regions_have_none(self) -> None:
        assert plot((field(regions=True, roles=("class0", "class1", "class2")),)).layers.field is None
        assert isinstance(plot((field(),)).layers.field, Field)


def test_a_band_has_a_swatch_in_the_legend() -> None:
    x = read_only(np.linspace(-2, 2, 5))
    band = Band("band", "band", verbatim("predictive, ±2σ"), x=x, lower=read_only(x - 1), upper=read_only(x + 1))
    drawn = plot((band,), legend=True)
    shown = image(drawn)
    swatch = shown.pixelColor(int(drawn.legend_rect.left()) + 20, int(drawn.legend_rect.center().y()))
    assert swatch.blue() > swatch.red() + 10


@pytest.mark.parametrize("width", [180.0, 300.0, 420.0, 900.0])
def test_under_the_plane_it_fills_its_lines_where_columns_would_make_many(width: float) -> None:
    marks = (*PAIR, dots("class2", [(0, 0)], label="class 2"), line("boundary", (-2, 0), (2, 0), label="boundary"),
             line("margin", (-2, 1), (2, 1), label="a rather long name of the margins f = ±1"))
    legend = plot(marks).legend
    legend.enter(marks)
    height = legend.arrange_below(width, 10.0, 20.0)
    places = legend._places()
    assert legend.rect.topLeft() == QPointF(10.0, 20.0) and legend.rect.height() == height
    lines: dict[int, list[tuple[float, float]]] = {}
    for end, start, row in places:
        lines.setdefault(row, []).append((start, end))
    assert len(places) == 5 and sorted(lines) == list(range(len(lines)))
    for spans in lines.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(spans)), "none over another"
    if width > 300:  # the longest name fits
        assert max(end for end, _, _ in places) <= width and len(lines) <= 3
    assert height == pytest.approx(len(lines) * legend.pitch + 12)
    assert legend.arrange_beside(plot(marks).plane) > 0 and not legend._lines, "beside it, each has its own line"
