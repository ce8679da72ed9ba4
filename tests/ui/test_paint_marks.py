"""Marks where they belong, in the colours of their roles: pixels at known data coordinates."""

from __future__ import annotations

import numpy as np
import pytest
import stage
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from stage import colour_at, dots, field, image, line, near, plot

from kernelplay.i18n import verbatim
from kernelplay.marks import Band, Bars, Curve, Dots, Mark, Segments, Text, read_only
from kernelplay.ui.field_image import REGION, colours
from kernelplay.ui.hand import Over
from kernelplay.ui.paint import Ink
from kernelplay.ui.plane import Plane
from kernelplay.ui.polylines import inside, simplified
from kernelplay.ui.theme import DARK, LIGHT, mixed

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_points_have_the_colour_of_their_class_where_they_are(look: object, scale: float) -> None:
    places = {f"class{k}": (-1.75 + 0.5 * k, 0.61 - 0.17 * k) for k in range(8)}
    drawn = plot(points=tuple(dots(role, [at]) for role, at in places.items()), theme=look)  # type: ignore[arg-type]
    shown = image(drawn, scale)
    for role, (x, y) in places.items():
        assert near(colour_at(shown, drawn, x, y, scale), look.roles[role].fill), role  # type: ignore[attr-defined]


def test_a_symbol_is_centred_on_its_point_to_half_a_pixel() -> None:
    for x, y in ((0.0, 0.0), (0.3331, -0.7773), (1.01, 1.499)):
        drawn = plot(points=(dots("class0", [(x, y)]),))
        shown = image(drawn)
        px, py = drawn.plane.pixels(np.array([[x, y]]))[0]
        near_it = [(i, j) for i in range(int(px) - 9, int(px) + 10) for j in range(int(py) - 9, int(py) + 10)
                   if near(shown.pixelColor(i, j), LIGHT.roles["class0"].fill, 30)]
        centre = np.mean(near_it, axis=0) + 0.5
        assert np.abs(centre - (px, py)).max() <= 0.75


def test_a_field_has_the_colours_of_the_classes_on_their_sides() -> None:
    drawn = plot((field(),))
    shown = image(drawn)
    assert near(colour_at(shown, drawn, 1.95, 1.95), LIGHT.ends("class0"))
    assert near(colour_at(shown, drawn, -1.95, -1.95), LIGHT.ends("class1"))
    assert near(colour_at(shown, drawn, 0.7, -0.7), LIGHT.neutral)


def test_values_lie_at_the_centres_of_their_cells_when_the_field_is_enlarged() -> None:
    """A ramp in x: at every place the colour is that of the value there, up to the centres of the outermost cells."""
    n = 10
    centres = -2 + 4 * (np.arange(n) + 0.5) / n
    ramp = field(values=read_only(np.tile(centres, (n, 1)), np.float32), limits=(-2.0, 2.0))
    drawn = plot((ramp,), size=(840, 480))
    shown = QImage(840, 480, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(shown)
    drawn.draw(painter)
    painter.end()
    high, low, neutral = (np.array(QColor(c).getRgb()[:3]) for c in  # type: ignore[index]
                          (LIGHT.ends("class0"), LIGHT.ends("class1"), LIGHT.neutral))
    for x in np.linspace(-1.75, 1.75, 36):
        wanted = neutral + (high - neutral) * x / 2 if x > 0 else neutral + (low - neutral) * -x / 2
        got = np.array(colour_at(shown, drawn, x, 0.333).getRgb()[:3])  # type: ignore[index]
        if abs(x) > 0.25:  # the kink at the centre is rounded between two cells
            assert np.abs(got - wanted).max() <= 6, x


def test_row_0_of_a_field_is_at_the_bottom() -> None:
    drawn = plot((field(lambda X, Y: Y),))
    shown = image(drawn)
    assert near(colour_at(shown, drawn, 0.1, 1.9), LIGHT.ends("class0"), 60)
    assert near(colour_at(shown, drawn, 0.1, -1.9), LIGHT.ends("class1"), 60)


def test_equal_distances_from_the_centre_have_equal_depth() -> None:
    """One colour never means two things, even with limits that are not symmetric."""
    lopsided = field(values=read_only(np.array([[-1.0, 1.0], [-4.0, 0.0]]), np.float32), limits=(-1.0, 4.0))
    cells = colours(lopsided, LIGHT)[::-1]
    depth = [abs(np.array(QColor.fromRgb(int(c)).getRgb()[:3]) - QColor(LIGHT.neutral).getRgb()[:3]).max()  # type: ignore[index]
             / abs(np.array(QColor(LIGHT.ends(role)).getRgb()[:3]) - QColor(LIGHT.neutral).getRgb()[:3]).max()  # type: ignore[index]
             for c, role in ((cells[0, 0], "class1"), (cells[0, 1], "class0"))]
    assert depth == pytest.approx([0.25, 0.25], abs=0.02)
    assert QColor.fromRgb(int(cells[1, 0])).name() == LIGHT.ends("class1")


def test_values_that_are_no_numbers_have_no_colour() -> None:
    holed = field(values=read_only(np.array([[np.nan, 1.0], [np.inf, -np.inf]]), np.float32))
    cells = colours(holed, LIGHT)[::-1]
    assert cells[0, 0] == 0 and cells[1, 0] == 0 and cells[1, 1] == 0 and cells[0, 1] != 0


@pytest.mark.parametrize(("value", "limits", "centre", "diverging", "colour"), [
    (0.5, (0.5, 0.5), 0.5, True, LIGHT.neutral),  # the same everywhere
    (0.0, (0.0, 0.0), 0.0, True, LIGHT.neutral),
    (3e38, (-3e38, 3e38), 0.0, True, LIGHT.ends("class0")),  # the difference has no number in single precision
    (-3e38, (-3e38, 3e38), 0.0, True, LIGHT.ends("class1")),
    (1e-40, (-1e-40, 1e-40), 0.0, True, LIGHT.ends("class0")),
    (2.0, (2.0, 2.0), 0.0, False, LIGHT.ramp[0]),
    (3e38, (-3e38, 3e38), 0.0, False, LIGHT.ramp[1]),
])
def test_fields_without_any_range_or_beyond_every_range_have_colours(
        value: float, limits: tuple[float, float], centre: float, diverging: bool, colour: str) -> None:
    values = read_only(np.full((2, 2), value), np.float32)
    cells = colours(field(values=values, limits=limits, centre=centre, diverging=diverging), LIGHT)
    assert {QColor.fromRgb(int(cell)).name() for cell in cells.ravel()} == {QColor(colour).name()}


def test_regions_of_several_classes_have_their_colours() -> None:
    thirds = field(lambda X, Y: np.where(X < -0.7, 0, np.where(X < 0.7, 1, 2)), regions=True, diverging=False,
                   roles=("class0", "class2", "class4"))
    drawn = plot((thirds,))
    shown = image(drawn)
    for x, role in ((-1.53, "class0"), (0.13, "class2"), (1.53, "class4")):
        assert near(colour_at(shown, drawn, x, 0.33), mixed(LIGHT.neutral, LIGHT.ends(role), REGION))  # type: ignore[arg-type]


def test_lines_run_through_their_points_and_stop_at_the_frame() -> None:
    drawn = plot((line("boundary", (-5, -5), (5, 5)),))
    shown = image(drawn)
    for t in (-1.6, -0.55, 0.05, 1.3):
        assert near(colour_at(shown, drawn, t, t), LIGHT.roles["boundary"].line, 60)
    plane = drawn.plane
    outside = [shown.pixelColor(x, y) for x in range(stage.WIDTH) for y in (2, int(plane.bottom) + 3)]
    assert all(near(c, LIGHT.paper, 3) or c.lightness() > 60 for c in outside)  # numbers, but not the line
    assert near(shown.pixelColor(int(plane.right) + 6, int(plane.top) + 1), LIGHT.paper)


def test_a_pen_is_as_wide_as_the_style_says_at_every_scale() -> None:
    drawn = plot((line("boundary", (-1.99, 0.31), (1.99, 0.31)),))
    for scale in (1.0, 2.0, 3.0):
        shown = image(drawn, scale)
        px, py = drawn.plane.pixels(np.array([[0.51, 0.31]]))[0]
        column = [shown.pixelColor(int(px * scale), int(py * scale) + d).lightnessF() for d in range(-20, 21)]
        inked = sum(1 - value for value in column)  # of a black line on white
        assert inked / scale == pytest.approx(LIGHT.roles["boundary"].width, rel=0.12)


def test_dashes_have_gaps() -> None:
    drawn = plot((line("margin", (-1.99, 0.31), (1.99, 0.31)),))
    shown = image(drawn)
    py = int(drawn.plane.pixels(np.array([[0, 0.31]]))[0, 1])
    row = [min(shown.pixelColor(x, py + d).lightness() for d in (-1, 0, 1))
           for x in range(int(drawn.plane.left) + 8, int(drawn.plane.right) - 8)]
    dark = np.mean(np.array(row) < 140)
    assert 0.4 < dark < 0.8


def test_bands_fill_between_their_edges_lightly() -> None:
    x = np.linspace(-2, 2, 50)
    band = Band("band", "band", x=read_only(x), lower=read_only(x - 0.5), upper=read_only(x + 0.5))
    drawn = plot((band,))
    shown = image(drawn)
    inside_, outside = colour_at(shown, drawn, 0.3, 0.15), colour_at(shown, drawn, 0.3, 1.3)
    assert near(outside, LIGHT.plane)
    assert inside_.blue() > inside_.red() and inside_.lightness() > 180


def test_a_band_with_far_values_still_fills_what_is_visible() -> None:
    x = np.linspace(-2, 2, 5)
    drawn = plot((Band("band", "band", x=read_only(x), lower=read_only(-1e12 + 0 * x), upper=read_only(1e12 + 0 * x)),))
    shown = image(drawn)
    assert not near(colour_at(shown, drawn, 0.3, 1.7), LIGHT.plane, 8)


def test_segments_and_arrows() -> None:
    ends = read_only(np.array([[1.0, 0.31]]))
    start = read_only(np.array([[-1.0, 0.31]]))
    drawn = plot((Segments("added", "steps", start=start, end=ends, arrow=True),))
    shown = image(drawn)
    green = LIGHT.roles["added"].line
    assert near(colour_at(shown, drawn, 0.0, 0.31), green, 50)
    dy = 3 / drawn.plane.scale[1]
    dx = 9.5 / drawn.plane.scale[0]
    assert near(colour_at(shown, drawn, 1 - dx, 0.31 + dy), green, 60)  # the head is wider than the line
    assert near(colour_at(shown, drawn, 0.13, 0.31 + dy), LIGHT.plane)


def test_an_arrow_of_no_length_is_not_drawn() -> None:
    at = read_only(np.zeros((1, 2)))
    drawn = plot((Segments("vector", "steps", start=at, end=at, arrow=True),))
    assert near(colour_at(image(drawn), drawn, 0.02, 0.02), LIGHT.plane, 30)


def test_bars_stand_on_zero_and_are_outlined_when_chosen() -> None:
    bars = Bars("bar0", "points", x=read_only([0.0, 1.0]), height=read_only([1.0, -0.5]),
                index=read_only([4, 7], np.intp))
    drawn = plot((bars,), view=(-1, 2, -1, 1.5))
    shown = image(drawn)
    blue = LIGHT.roles["bar0"].fill
    for x, y in ((0.0, 0.5), (1.0, -0.25)):
        assert near(colour_at(shown, drawn, x, y), blue) and near(colour_at(shown, drawn, x, -0.8 * y), LIGHT.plane)

    def darkest_at_the_top() -> int:
        x, y = drawn.plane.pixels(np.array([[0.0, 1.0]]))[0].astype(int).tolist()
        return min(image(drawn).pixelColor(x, y + d).lightness() for d in range(-2, 3))

    before = darkest_at_the_top()
    drawn.set_over(Over(chosen=frozenset({4})))
    assert darkest_at_the_top() < before - 20


def test_rings_leave_their_point_to_be_seen() -> None:
    drawn = plot((dots("support_bounded", [(0, 0)], "support"),), (dots("class1", [(0, 0)]),))
    shown = image(drawn)
    px, py = drawn.plane.pixels(np.zeros((1, 2)))[0]
    assert near(colour_at(shown, drawn, 0, 0), LIGHT.roles["class1"].fill)
    row = [shown.pixelColor(int(px) + d, int(py)).lightness() for d in range(6, 18)]
    dark = [value < 120 for value in row]
    assert sum(a and not b for a, b in zip(dark, [*dark[1:], False], strict=True)) == 2  # two rings apart


def test_a_text_is_written_beside_its_place_and_not_on_a_point() -> None:
    drawn = plot((Text("label", "steps", at=(0.0, 0.0), text=verbatim("γ = 0.76")),), (dots("class0", [(0.25, 0.12)]),))
    shown = image(drawn)
    assert near(colour_at(shown, drawn, 0.25, 0.12), LIGHT.roles["class0"].fill)
    empty = image(plot(points=(dots("class0", [(0.25, 0.12)]),)))
    assert shown != empty


def test_what_is_stale_is_dimmed_and_points_are_not() -> None:
    fresh, old = (plot((field(), line("boundary", (-2, 0.31), (2, 0.31))), (dots("class0", [(1, 1)]),), stale=stale)
                  for stale in (False, True))
    lines = [colour_at(image(drawn), drawn, 0.52, 0.31) for drawn in (fresh, old)]
    assert lines[0].lightness() < 60 < 120 < lines[1].lightness()
    points = [colour_at(image(drawn), drawn, 1, 1) for drawn in (fresh, old)]
    assert points[0] == points[1]


def test_contour_labels_interrupt_their_line_and_can_be_switched_off() -> None:
    level = line("contour", *[(x, 0.31) for x in np.linspace(-2, 2, 60)], layer="contours", text="0.5")
    with_text, without = plot((level,)), plot((level,), contour_labels=False)
    ys = int(without.plane.pixels(np.array([[0, 0.31]]))[0, 1])

    def whole(drawn: object) -> bool:
        shown = image(drawn)  # type: ignore[arg-type]
        return all(min(shown.pixelColor(x, ys + d).lightness() for d in (-1, 0, 1)) < 215
                   for x in range(int(without.plane.left) + 4, int(without.plane.right) - 4))

    assert whole(without) and not whole(with_text)


def test_stamps_and_vector_paths_show_the_same() -> None:
    marks = tuple(dots(f"class{k}", [(-1.7 + 0.45 * k, 0.2)]) for k in range(8))
    drawn = plot(points=marks, front=(dots("error", [(0.1, 1)], "errors"), dots("conflict", [(1, 1)], "errors")))
    stamped, vector = image(drawn, 2.0), image(drawn, 2.0)
    vector.fill(0)
    painter = QPainter(vector)
    drawn.draw(painter, vector=True)
    painter.end()
    a, b = (np.frombuffer(each.constBits(), np.uint8).astype(int) for each in (stamped, vector))
    assert np.mean(np.abs(a - b) > 90) < 0.002  # edges, half a pixel apart


def test_ten_thousand_points_are_drawn() -> None:
    xy = np.random.default_rng(0).uniform(-2, 2, (10_000, 2))
    drawn = plot(points=(dots("class0", xy),))
    shown = image(drawn)
    blue = [near(shown.pixelColor(x, y), LIGHT.roles["class0"].fill) for x in range(100, 500, 20)
            for y in range(100, 400, 20)]
    assert sum(blue) > 50


class TestPlane:
    PLANE = Plane(50, 20, 400, 300, (-2.0, 6.0, 1e6, 1e6 + 3))

    def test_pixels_and_data_are_inverse(self) -> None:
        xy = np.array([[-2.0, 1e6], [6.0, 1e6 + 3], [0.5, 1e6 + 1]])
        pixels = self.PLANE.pixels(xy)
        np.testing.assert_allclose(pixels[:2], [[50, 320], [450, 20]])
        for place, (x, y) in zip(xy, pixels, strict=True):
            np.testing.assert_allclose(self.PLANE.data(x, y), place, rtol=1e-12)

    def test_the_nearest_point_is_found_within_reach_only_and_the_last_of_equals(self) -> None:
        xy = np.array([[0.0, 1e6 + 1], [0.0, 1e6 + 1], [3.0, 1e6 + 1]])
        x, y = self.PLANE.pixels(xy)[0]
        assert self.PLANE.nearest(xy, x + 7.9, y, 8.0) == 1
        assert self.PLANE.nearest(xy, x + 8.1, y, 8.0) is None
        assert self.PLANE.nearest(np.zeros((0, 2)), x, y, 8.0) is None

    def test_lines_that_run_far_off_keep_their_slope(self) -> None:
        far = np.array([[100.0, 100.0], [100.0 + 1e9, 100.0 + 2e9]])
        (cut,) = inside([far], self.PLANE)
        assert np.abs(cut).max() < 1e5
        (dx, dy) = cut[1] - cut[0]
        assert dy / dx == pytest.approx(2.0)

    def test_a_line_that_leaves_and_comes_back_is_two(self) -> None:
        there = np.array([[100.0, 100.0], [100.0, 1e7], [200.0, 1e7], [200.0, 100.0]])
        parts = inside([there], self.PLANE)
        assert len(parts) == 2 and parts[0][0].tolist() == [100, 100] and parts[1][-1].tolist() == [200, 100]

    def test_values_that_are_no_numbers_interrupt_a_line(self) -> None:
        broken = np.array([[0.0, 0], [1, 1], [np.nan, 2], [3, 3], [4, 4]])
        assert [len(part) for part in inside([broken], self.PLANE)] == [2, 2]

    def test_simplified_lines_stay_within_the_tolerance(self) -> None:
        t = np.linspace(0, 2 * np.pi, 2000)
        ring = np.column_stack([200 + 150 * np.cos(t), 200 + 100 * np.sin(t)])
        fewer = simplified(ring)
        assert len(fewer) < 300 and fewer[0].tolist() == ring[0].tolist() and fewer[-1].tolist() == ring[-1].tolist()
        start, along = fewer[:-1], np.diff(fewer, axis=0)
        share = np.clip(((ring[:, None] - start) * along).sum(2) / (along**2).sum(1), 0, 1)
        gap = np.hypot(*np.moveaxis(ring[:, None] - start - share[..., None] * along, 2, 0)).min(axis=1)
        assert gap.max() < 0.3  # four passes of 0.07

    def test_simplified_keeps_corners(self) -> None:
        zigzag = np.array([[x, 50.0 * (x % 2)] for x in range(40)])
        np.testing.assert_array_equal(simplified(zigzag), zigzag)


def test_what_was_made_of_a_mark_is_kept_until_the_mark_or_the_plane_changes() -> None:
    ink, plane = Ink(LIGHT, "en"), Plane(0, 0, 100, 100, (0, 1, 0, 1))
    first, second = field(), line("boundary", (0, 0), (1, 1))
    canvas = QImage(100, 100, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(canvas)
    ink.draw(painter, plane, (first, second))
    kept = dict(ink._images), dict(ink._paths)
    ink.draw(painter, plane, (first, second))
    assert ink._images[first] is kept[0][first] and ink._paths[second] is kept[1][second]
    ink.draw(painter, Plane(0, 0, 100, 100, (0, 2, 0, 2)), (first, second))
    assert ink._paths[second] is not kept[1][second] and ink._images[first] is kept[0][first]
    ink.keep((second,))
    assert first not in ink._images and second in ink._paths
    painter.end()


BEYOND = np.array([[0.1, 0.2], [0.5, np.inf], [np.nan, 0.4], [0.2, -np.inf], [np.inf, np.inf], [0.9, 1e308],
                   [-1e308, 0.0], [0.3, 0.3]])
NAME = verbatim("a")


@pytest.mark.parametrize("plane", [Plane(0, 0, 100, 100, (0, 1, 0, 1)), Plane(0, 0, 100, 0, (0, 1, 0, 1)),
                                   Plane(0, 0, 100, 100, (0, 1, -1.7e308, 1.7e308))],
                         ids=["usual", "folded", "all numbers"])
@pytest.mark.parametrize("mark", [
    Curve("boundary", "a", NAME, lines=(BEYOND,)), Curve("margin", "a", NAME, lines=(BEYOND, BEYOND[::-1])),
    Curve("contour", "a", NAME, lines=(BEYOND,), texts=("0.5",)), Dots("class0", "a", NAME, xy=BEYOND),
    Band("band", "a", NAME, x=np.linspace(0, 1, 8), lower=BEYOND[:, 0], upper=BEYOND[:, 1]),
    Segments("slack", "a", NAME, start=BEYOND, end=BEYOND[::-1])],
                         ids=lambda mark: f"{type(mark).__name__} {mark.role}")
def test_what_is_beyond_all_numbers_is_left_out_without_a_word(mark: Mark, plane: Plane) -> None:
    canvas = QImage(100, 100, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(canvas)
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            Ink(LIGHT, "en").draw(painter, plane, (mark,))
    finally:
        painter.end()


def test_symbols_and_pens_shrink_in_a_small_plane() -> None:
    for size, share in (((640, 480), 1.0), ((320, 260), 0.6875), ((2000, 1500), 1.0)):
        drawn = plot((line("boundary", (0, 0), (1, 1)),), size=size)
        image(drawn)
        assert drawn.ink.look.style("boundary").width == pytest.approx(share * LIGHT.style("boundary").width, rel=0.05)


def test_a_plot_too_small_for_anything_does_not_fail() -> None:
    for size in ((1, 1), (40, 30), (200, 60)):
        drawn = plot((field(),), (dots("class0", stage.FOUR),), size=size, legend=True)
        shown = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
        painter = QPainter(shown)
        drawn.draw(painter)
        painter.end()
    assert QRectF(0, 0, 200, 60) == drawn.boundingRect()


def test_marks_of_no_length_are_drawn_as_nothing() -> None:
    nothing = (Dots("class0", "points"), line("boundary", (0, 0)), Segments("slack", "slack"), Bars("bar0", "points"),
               Band("band", "band"))
    blank = image(plot())
    assert not image(plot(nothing[1:], (nothing[0],))).isNull()
    assert image(plot((nothing[1], nothing[2], nothing[4]), (nothing[0],))) == blank


def test_a_tangle_drawn_in_pieces_looks_as_the_path_would(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = np.linspace(0, 300, 6000)
    wound = np.column_stack([1.8 * np.sin(turn), 1.8 * np.sin(1.01 * turn + 0.3)])
    shown = []
    for most in (3000, 10_000_000):
        monkeypatch.setattr("kernelplay.ui.lines.TANGLED", most)
        drawn = image(plot((line("boundary", *map(tuple, wound.tolist())),)))
        picture = drawn.convertToFormat(QImage.Format.Format_Grayscale8)
        shown.append(np.array(picture.constBits(), int).reshape(picture.height(), picture.bytesPerLine()))
    pieces, path = shown
    ink = path < 128
    assert 0.02 < ink.mean() < 0.6
    assert np.abs(pieces - path).mean() < 4 and (np.abs(pieces - path) > 96).mean() < 0.01
