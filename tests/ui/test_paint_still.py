"""Painting that never stands still: what is put elsewhere, enlarged or drawn in pieces is the picture all the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import stage
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QApplication

from kernelplay.i18n import say, verbatim
from kernelplay.marks import Band, Curve, Segments, read_only
from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.ui import axes, kept_dots
from kernelplay.ui.kept_dots import _changes
from kernelplay.ui.layers import Layers
from kernelplay.ui.lines import LONG, Lines
from kernelplay.ui.plane import Plane
from kernelplay.ui.plot import DIM, Plot
from kernelplay.ui.polylines import SEAM, cut, dashes, inside, pieces, together
from kernelplay.ui.theme import DARK, LIGHT, Theme

Array = np.ndarray[Any, Any]

pytestmark = pytest.mark.usefixtures("qapp")
NAMES = (verbatim("x"), verbatim("y"))


def painted(made: Plot, ratio: float = 1.0, keep: bool = True, **how: bool) -> Array:
    """Return the colours (height, width, 4) of a plot on a screen of this density."""
    shown = QImage(round(stage.WIDTH * ratio), round(stage.HEIGHT * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    shown.setDevicePixelRatio(ratio)
    shown.fill(0)
    painter = QPainter(shown)
    made.draw(painter, keep=keep, **how)
    painter.end()
    return np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4).astype(int)


def crowd(groups: list[Array]) -> Layers:
    """Return layers with rings around the points of the first group and points of two classes."""
    return Layers((stage.dots("support_free", groups[0], "support"),),
                  tuple(stage.dots(f"class{k}", group) for k, group in enumerate(groups)), legend=False)


def anew(kept: Plot) -> Plot:
    """Return a plot that shows the same and has painted nothing yet."""
    made = Plot(kept.theme)
    made.set_size(*kept._size)
    made._left, made._right = kept._left, kept._right  # the room for numbers, which panning leaves as it is
    made.set_view(kept.plane.view, kept.axes.equal)
    made.set_layers(kept.layers, kept.names)
    made.over = kept.over
    assert made.plane == kept.plane
    return made


def dots_painted(plot: Plot, ratio: float = 1.0) -> int:
    """Paint, and return how many dots were painted for that."""
    before = sum(each.painted for each in plot._dots.values())
    painted(plot, ratio)
    return sum(each.painted for each in plot._dots.values()) - before


def slid(plot: Plot, dx: float, dy: float) -> None:
    """Drag the view so many pixels to the right and down."""
    plane = plot.plane
    x, y = dx / plane.scale[0], dy / plane.scale[1]
    x0, x1, y0, y1 = plane.view
    plot.set_view((x0 - x, x1 - x, y0 + y, y1 + y))


def zoomed(plot: Plot, factor: float) -> None:
    """Show `factor` times as much about a place off the middle."""
    plot.set_view(plot.plane.zoomed(plot.plane.left + 200, plot.plane.top + 150, factor, factor))


@pytest.fixture
def groups() -> list[Array]:
    rng = np.random.default_rng(4)
    grid = np.stack(np.meshgrid(np.linspace(-2, 2, 41), np.linspace(-2, 2, 41)), axis=-1).reshape(-1, 2)
    return [np.vstack([rng.uniform(-4, 4, (kept_dots.MANY, 2)), grid]),  # a grid falls between two pixels
            rng.uniform(-4, 4, (2 * kept_dots.MANY, 2))]


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_however_one_looks_the_picture_is_the_one_painted_from_nothing(groups: list[Array], ratio: float) -> None:
    rng = np.random.default_rng(int(ratio))
    plot = stage.plot(equal=True)
    plot.set_layers(crowd(groups), NAMES)
    painted(plot, ratio)
    turns = ["pan", "erase", "drag", "zoom", "pan", "add", "theme", "pan", "erase", "back", "zoom", "pan", "far",
             "drag", "half", "select"]
    for turn in turns:
        groups = [group.copy() for group in groups]
        if turn in ("pan", "back"):
            for _ in range(3):
                step = rng.integers(-37, 38, 2) / ratio if turn == "pan" else (-12.0, 9.0)
                slid(plot, *step)
                painted(plot, ratio)
        elif turn == "half":
            slid(plot, 0.31, -0.47)  # no whole pixels
        elif turn == "far":
            slid(plot, 410, 20)
        elif turn == "zoom":
            plot.zooming = True
            for factor in (0.86, 0.86, 1.1, 1.3):
                zoomed(plot, factor)
                painted(plot, ratio)
            slid(plot, 8, -5)
            painted(plot, ratio)
            plot.zooming = False
        elif turn == "erase":
            centre = rng.uniform(-1, 1, 2)
            groups = [group[np.hypot(*(group - centre).T) > 0.2] for group in groups]
        elif turn == "drag":
            groups[0][rng.integers(0, 4000, 5)] += 0.17
        elif turn == "add":
            groups[1] = np.insert(groups[1], 900, rng.uniform(-1, 1, (30, 2)), axis=0)
        elif turn == "theme":
            plot.set_theme(DARK if plot.theme is LIGHT else LIGHT)
        else:
            plot.set_over(replace(plot.over, chosen=frozenset({3, 5, 8})))
        plot.set_layers(crowd(groups), NAMES)
        again, fresh = painted(plot, ratio), painted(anew(plot), ratio)
        assert np.abs(again - fresh).max() <= 2, turn


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_only_what_comes_into_sight_is_painted_while_panning(groups: list[Array], ratio: float) -> None:
    plot = stage.plot(equal=True)
    plot.set_layers(Layers(points=crowd(groups).points), NAMES)
    everything = dots_painted(plot, ratio)
    assert everything == len(groups[0]) + len(groups[1]), "of rings some would stand for all"
    for step in ((3, 0), (0, 2), (-4, 1), (1.0 / ratio, 0)):
        slid(plot, *step)
        assert 0 < dots_painted(plot, ratio) < everything / 3
    slid(plot, 0.3 / ratio, 0)
    assert dots_painted(plot, ratio) == everything, "between two pixels"
    plot.set_size(stage.WIDTH - 40, stage.HEIGHT)
    assert dots_painted(plot, ratio) == everything


def test_while_the_hand_zooms_dots_are_enlarged_and_those_around_them_painted(groups: list[Array]) -> None:
    plot = stage.plot(equal=True)
    plot.set_layers(Layers(points=crowd(groups).points), NAMES)
    everything = dots_painted(plot)
    plot.zooming = True
    zoomed(plot, 0.86)
    assert dots_painted(plot) == 0
    slid(plot, 5, 0)
    assert dots_painted(plot) < everything / 4
    zoomed(plot, 1.3)
    assert 0 < dots_painted(plot) < everything
    plot.zooming = False
    assert dots_painted(plot) == everything, "sharp when the hand rests"
    assert dots_painted(plot) == 0


def test_erasing_paints_the_neighbourhood_of_what_is_gone(groups: list[Array]) -> None:
    plot = stage.plot(equal=True)
    plot.set_layers(crowd(groups), NAMES)
    everything = dots_painted(plot)
    for x in (-0.2, -0.1, 0.0):
        groups = [group[np.hypot(group[:, 0] - x, group[:, 1]) > 0.15] for group in groups]
        plot.set_layers(crowd(groups), NAMES)
        assert 0 < dots_painted(plot) < everything / 3


def test_what_is_gone_and_what_came_is_told_whichever_rows_move_up() -> None:
    rng = np.random.default_rng(0)
    was = np.round(rng.uniform(-3, 3, (5000, 2)), 1)  # many are equal
    for rows in (np.array([0]), np.array([4999]), np.arange(200, 500, 3), rng.choice(5000, 300, replace=False),
                 np.arange(700, 900)):
        now = np.delete(was, rows, axis=0)
        gone, came = _changes(was, now)
        assert len(gone) - len(came) == len(rows) and len(came) <= kept_dots.TAKEN
        np.testing.assert_array_equal(np.delete(was, gone, axis=0), np.delete(now, came, axis=0))
        back = _changes(now, was)
        np.testing.assert_array_equal(back[0], came)
        np.testing.assert_array_equal(np.delete(was, back[1], axis=0), np.delete(now, back[0], axis=0))


class TestCanvas:
    """The same with mouse and wheel."""

    @pytest.fixture
    def canvas(self, qtbot: Any) -> Any:
        xy = np.random.default_rng(0).uniform(-3, 3, (kept_dots.MANY + 500, 2))
        made = Scene(model=build("model", {"name": "krr"})).with_points(Points(xy, names=("x", "t")))
        with stage.canvas(qtbot, made) as shown:
            yield shown

    def test_a_view_is_dragged_by_whole_pixels(self, canvas: Any) -> None:
        plot, start = canvas.plot, QPointF(300, 200)
        canvas.viewport().repaint()
        before, view = plot.plane, plot.plane.view
        painted_before = plot._dots["points"].painted
        middle = Qt.MouseButton.MiddleButton
        for at in (start, start + QPointF(20.4, 7.7), start + QPointF(33.6, -12.2)):
            kind = QEvent.Type.MouseButtonPress if at == start else QEvent.Type.MouseMove
            event = stage.QMouseEvent(kind, at, canvas.viewport().mapToGlobal(at), middle if at == start else
                                      Qt.MouseButton.NoButton, middle, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(canvas.viewport(), event)
            canvas.viewport().repaint()
        moved = before.pixels(np.array([[plot.plane.view[0], plot.plane.view[2]]]))[0] - (before.left, before.bottom)
        np.testing.assert_allclose(moved, [-34, 12], atol=1e-6)
        assert plot.plane.view != view
        assert plot._dots["points"].painted - painted_before < kept_dots.MANY
        stage.let_go(canvas, QPoint(333, 188), middle)

    def test_dots_are_sharp_again_when_the_wheel_rests(self, canvas: Any, qtbot: Any) -> None:
        canvas.viewport().repaint()
        at = QPointF(300, 200)
        for _ in range(3):
            QApplication.sendEvent(canvas.viewport(), QWheelEvent(
                at, canvas.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
            assert canvas.plot.zooming
            canvas.viewport().repaint()
        before = canvas.plot._dots["points"].painted
        qtbot.waitUntil(lambda: canvas.plot._dots["points"].painted - before >= kept_dots.MANY)
        assert not canvas.plot.zooming

    def test_a_view_and_its_picture_are_painted_once(self, canvas: Any, qtbot: Any) -> None:
        canvas._late.setInterval(60_000)
        asked: list[object] = []
        canvas.scene().changed.connect(asked.append)
        pictures: list[object] = []
        canvas.store.pictured.connect(pictures.append)
        qtbot.waitUntil(lambda: canvas.store.idle)
        asked.clear()
        x0, x1, y0, y1 = canvas.plane.view
        canvas.show_view((x0 + 0.1, x1 + 0.1, y0, y1))
        qtbot.waitUntil(lambda: len(pictures) >= 1)
        assert not canvas._late.isActive() and not any(asked)


def spiky(n: int = 300, seed: int = 0) -> Array:
    """Return a curve in [-2, 2]² that goes up and down at every place."""
    rng = np.random.default_rng(seed)
    return np.column_stack([np.linspace(-2, 2, n), rng.uniform(-2, 2, n)])


def tangle(*lines: Array, role: str = "boundary") -> Curve:
    """Return lines as one mark."""
    return Curve(role, "boundary", lines=tuple(read_only(line) for line in lines))  # type: ignore[arg-type]


def grey(colours: Array) -> Array:
    """Return lightness, 0 to 255."""
    return colours[..., :3].mean(axis=-1)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_tangle_in_pieces_looks_as_its_path(monkeypatch: pytest.MonkeyPatch, theme: Theme, ratio: float) -> None:
    t = np.linspace(0, 2 * np.pi, 60)
    rng = np.random.default_rng(1)
    rings = [np.column_stack([a + 0.1 * np.cos(t), b + 0.1 * np.sin(t)]) for a, b in rng.uniform(-1.5, 1.5, (70, 2))]
    walk = np.column_stack([np.linspace(-2, 2, 1500), np.cumsum(rng.normal(size=1500)) / 40])
    for lines in (rings, [walk], [spiky(60)]):
        made = stage.plot((tangle(*lines),), theme=theme)
        monkeypatch.setattr(Lines, "tangled", lambda self, ratio: True)
        one = painted(made, ratio)
        monkeypatch.setattr(Lines, "tangled", lambda self, ratio: False)
        other, empty = painted(anew(made), ratio), painted(stage.plot(theme=theme), ratio)
        ink, wanted = (np.abs(grey(each) - grey(empty)).sum() for each in (one, other))
        assert ink == pytest.approx(wanted, rel=0.04)
        assert np.abs(one - other).mean() < 0.6


def test_pieces_of_what_is_out_of_date_do_not_show_where_they_overlap() -> None:
    made = stage.plot((tangle(spiky()),), stale=True)
    lines = made.ink.look.style("boundary").line
    shown, paper = painted(made), np.array(stage.QColor(LIGHT.plane).getRgb()[:3])
    plane = made.plane
    inner = shown[int(plane.top) + 30:int(plane.bottom) - 2, int(plane.left) + 2:int(plane.right) - 2, 2::-1]
    darkest = inner.reshape(-1, 3).sum(axis=1).min() / 3
    full = DIM * np.mean(stage.QColor(lines).getRgb()[:3]) + (1 - DIM) * paper.mean()
    grid = 0.075 * 255 * (1 - DIM)  # may lie under it
    assert darkest >= full - grid - 3
    assert Lines(plane.lines([spiky()]), []).tangled(1.0)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_band_filled_by_columns_looks_as_its_outline_filled(monkeypatch: pytest.MonkeyPatch, ratio: float) -> None:
    rng = np.random.default_rng(3)
    x = np.linspace(-1.8, 1.9, 120)
    lower = rng.uniform(-2.5, 1.0, 120)
    band = Band("band", "band", x=read_only(x), lower=read_only(lower),  # type: ignore[arg-type]
                upper=read_only(lower + rng.uniform(0.0, 1.5, 120)))
    made = stage.plot((band,))
    monkeypatch.setattr(Lines, "tangled", lambda self, ratio: True)
    one = painted(made, ratio)
    monkeypatch.setattr(Lines, "tangled", lambda self, ratio: False)
    other = painted(anew(made), ratio)
    assert (np.abs(one - other).max(axis=2) > 12).mean() < 0.02
    assert np.abs(one - other).mean() < 0.5


def test_how_much_is_drawn_of_a_tangle_is_bounded_by_what_is_seen() -> None:
    plane = Plane(50, 20, 600, 400, (-2.0, 2.0, -2.0, 2.0))
    near = plane.lines([spiky(401)])
    far = [line * (1.0, 30.0) - (0.0, 29 * 220.0) for line in near]  # thirty times as high about the middle
    shown, whole = dashes(far, (6.0, 4.0), plane.box), dashes(far, (6.0, 4.0))
    assert 0 < len(shown) < 0.2 * len(whole)
    seen = (whole[:, 1] > plane.top) & (whole[:, 1] < plane.bottom)
    rows = {tuple(row) for row in np.round(shown, 6).tolist()}
    assert all(tuple(row) in rows for row in np.round(whole[seen], 6).tolist())
    aside = [line + np.array([5000.0, 0.0]) for line in near]
    assert len(pieces(*together(aside), 2.0, plane.box)) == 0
    assert len(pieces(*together(near), 2.0, plane.box)) == 400


def test_a_thousand_rings_are_few_calls_and_a_smooth_curve_is_a_path() -> None:
    t = np.linspace(0, 2 * np.pi, 40)
    plane = Plane(0, 0, 800, 600, (0.0, 1.0, 0.0, 1.0))
    circle = np.column_stack([400 + 200 * np.cos(t), 300 + 200 * np.sin(t)])
    circle[-1] = circle[0]
    assert not Lines([circle], []).tangled(1.0) and not Lines([circle], []).tangled(2.0)
    small = [0.02 * circle + place for place in np.random.default_rng(0).uniform(0, 600, (1000, 2))]
    assert Lines(small, []).tangled(1.0)
    assert Lines([np.column_stack([np.linspace(0, LONG, 5), np.zeros(5)])], []).tangled(2.0)
    rows = pieces(*together([circle, circle[:1], circle[:0]]), 2.0, plane.box)
    assert len(rows) == 39
    np.testing.assert_allclose(np.hypot(rows[:, 2] - rows[:, 0], rows[:, 3] - rows[:, 1]),
                               2 * 200 * np.sin(np.pi / 39) + 2 * SEAM, atol=0.01)


def test_segments_that_run_far_are_cut_all_at_once_as_one_by_one() -> None:
    plane = Plane(50, 20, 500, 400, (-1.0, 1.0, -1.0, 1.0))
    rng = np.random.default_rng(2)
    ends = rng.normal(300, 1e4, (2000, 4)) * rng.choice([0.01, 1.0, 1e6], (2000, 1))
    ends[7] = np.nan
    one_by_one = [piece.ravel() for row in ends for piece in inside([row.reshape(2, 2)], plane)]
    got = cut(ends, plane)
    np.testing.assert_allclose(got[np.lexsort(got.T)], np.array(one_by_one)[np.lexsort(np.array(one_by_one).T)])


@pytest.mark.parametrize("ratio", [1.25, 1.5, 2.0, 3.0])
def test_the_grid_of_a_dense_screen_lies_where_a_pen_would_draw_it(monkeypatch: pytest.MonkeyPatch,
                                                                   ratio: float) -> None:
    made = stage.plot()
    one, beams = painted(made, ratio), []

    def with_a_pen(painter: QPainter, plane: Plane, colour: Any, columns: Array, rows: Array, size: float) -> None:
        beams.append(len(columns) + len(rows))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(colour, 1.0))
        painter.drawLines([QLineF(x, plane.top, x, plane.bottom) for x in columns.tolist()])
        painter.drawLines([QLineF(plane.left, y, plane.right, y) for y in rows.tolist()])

    monkeypatch.setattr(axes, "_beams", with_a_pen)
    other = painted(anew(made), ratio)
    assert beams and beams[0] > 5
    inner = (slice(round((made.plane.top + 2) * ratio), round((made.plane.bottom - 2) * ratio)),
             slice(round((made.plane.left + 2) * ratio), round((made.plane.right - 2) * ratio)))
    assert np.abs(one[inner] - other[inner]).max() <= 1


def test_contours_of_a_smooth_surface_carry_their_levels_however_fine_they_are() -> None:
    t = np.linspace(0, 2 * np.pi, 900)
    lines = tuple(read_only(np.column_stack([r * np.cos(t), r * np.sin(t)])) for r in (0.5, 0.9, 1.3, 1.7))
    levels = Curve("contour", "contours", say("level"), lines=lines, texts=("0.2", "0.4", "0.6", "0.8"))  # type: ignore[arg-type]
    made = stage.plot((levels,), equal=True)
    painted(made)
    assert {text for *_, text in made.ink._paths[levels].labels} == {"0.2", "0.4", "0.6", "0.8"}
    crossed = Segments("slack", "slack", start=np.zeros((0, 2)), end=np.zeros((0, 2)))
    made.set_layers(Layers((levels, crossed)), NAMES)
    painted(made)
