"""The mouse on the canvas, by real events: points land where they are clicked, a drag is one step, the view moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import stage
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from stage import canvas, drag, let_go, move, near, settled

from kernelplay.ui.canvas import Canvas, Hover
from kernelplay.ui.theme import LIGHT

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
SHIFT, CTRL, NONE = (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier,
                     Qt.KeyboardModifier.NoModifier)


def click(made: Canvas, at: QPoint, button: Qt.MouseButton = LEFT, held: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(made.viewport(), button, held, at)


def wheel(made: Canvas, at: QPoint, notches: int, held: Qt.KeyboardModifier = NONE) -> None:
    event = QWheelEvent(QPointF(at), QPointF(made.mapToGlobal(at)), QPoint(), QPoint(0, 120 * notches),
                        Qt.MouseButton.NoButton, held, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(made.viewport(), event)


def test_a_click_adds_a_point_of_the_current_class_exactly_there(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        at = made.to_pixels(0.2, 0.5)
        click(made, at)
        points = made.store.scene.points
        assert len(points) == 5 and points.cls[-1] == 0
        np.testing.assert_allclose(points.xy[-1], made.to_data(at))
        assert made.to_pixels(*points.xy[-1]) == at
        made.store.use_class(1)
        click(made, made.to_pixels(-0.3, 0.5))
        assert made.store.scene.points.cls[-1] == 1
        click(made, made.to_pixels(0.1, -0.4), RIGHT)
        assert made.store.scene.points.cls[-1] == 0
        assert len(made.store.history.steps) == 4


def test_the_point_is_drawn_at_once_and_the_boundary_follows(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        at = made.to_pixels(0.2, 0.55)
        before = made.store.picture
        click(made, at)
        shown = made.grab().toImage()
        assert near(shown.pixelColor(at), LIGHT.roles["class0"].fill)
        assert made.store.picture is before  # the worker has not been heard yet
        settled(qtbot, made)
        assert made.store.picture is not before


def test_a_double_click_adds_one_point_only(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        for button in (LEFT, RIGHT):
            at = made.to_pixels(0.2, 0.5) if button == LEFT else made.to_pixels(-0.2, -0.5)
            count = len(made.store.scene.points)
            click(made, at, button)
            QTest.mouseDClick(made.viewport(), button, NONE, at)
            QTest.mouseRelease(made.viewport(), button, NONE, at)
            assert len(made.store.scene.points) == count + 1


def test_a_shaking_click_adds_where_it_was_pressed(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        at = made.to_pixels(0.2, 0.5)
        drag(made, at, at + QPoint(2, 1), at + QPoint(1, -2))
        np.testing.assert_allclose(made.store.scene.points.xy[-1], made.to_data(at))


@pytest.mark.parametrize("off", [QPoint(0, 0), QPoint(5, 5), QPoint(0, -8)])
def test_a_press_within_8_pixels_takes_the_point(qtbot: object, off: QPoint) -> None:
    with canvas(qtbot, stage.scene()) as made:
        start = made.to_pixels(1, 1) + off
        stop = start + QPoint(-40, 30)
        drag(made, start, start + QPoint(-20, 10), stop)
        points = made.store.scene.points
        assert len(points) == 4
        sx, sy = made.plane.scale
        np.testing.assert_allclose(points.xy[1], [1 - 40 / sx, 1 - 30 / sy], atol=1e-9)  # moved by the way, no jump


def test_a_press_further_away_does_not(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        click(made, made.to_pixels(1, 1) + QPoint(9, 0))
        assert len(made.store.scene.points) == 5


def test_one_drag_is_one_step_and_the_model_follows_live(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        seen = []
        made.store.pictured.connect(seen.append)
        first = made.store.scene
        start = made.to_pixels(1, 1)
        drag(made, start, release=False)
        for k in range(1, 16):
            move(made, start + QPoint(-4 * k, 2 * k), LEFT)
            settled(qtbot, made)
        assert len(seen) > 3  # pictures came before the button was let go
        let_go(made, start + QPoint(-60, 30))
        assert len(made.store.history.steps) == 2
        assert made.store.scene.points.xy[1].tolist() != [1, 1]
        made.store.undo()
        assert made.store.scene.points is first.points


def test_escape_calls_a_drag_off_without_a_trace(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        made.store.select(frozenset({0, 1}))
        first = made.store.scene
        start = made.to_pixels(1, 1)
        drag(made, start, start + QPoint(30, 30), release=False)
        assert made.store.scene.points is not first.points
        QTest.keyClick(made, Qt.Key.Key_Escape)
        assert made.store.scene.points is first.points
        assert len(made.store.history.steps) == 1 and made.store.history.redoable is None
        assert made.store.selection == frozenset({0, 1})
        move(made, start + QPoint(60, 60), LEFT)  # the button is still down
        let_go(made, start + QPoint(60, 60))
        assert made.store.scene.points is first.points


def test_undo_during_a_drag_ends_it(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        start = made.to_pixels(1, 1)
        drag(made, start, start + QPoint(30, 30), release=False)
        made.store.undo()
        move(made, start + QPoint(60, 60), LEFT)
        np.testing.assert_array_equal(made.store.scene.points.xy, stage.FOUR)


def test_the_selection_moves_together(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        click(made, made.to_pixels(1, 1))
        assert made.store.selection == frozenset({1})
        click(made, made.to_pixels(-1, 1), held=CTRL)
        assert made.store.selection == frozenset({1, 2})
        start = made.to_pixels(1, 1)
        drag(made, start, start + QPoint(0, 20), start + QPoint(0, 40))
        dy = 40 / made.plane.scale[1]
        moved = [[-1, -1], [1, 1 - dy], [-1, 1 - dy], [1, -1]]
        np.testing.assert_allclose(made.store.scene.points.xy, moved, atol=1e-9)


@pytest.mark.parametrize("tool", ["point", "select", "brush", "eraser"])
def test_a_shift_drag_selects_a_box_with_every_tool(qtbot: object, tool: str) -> None:
    with canvas(qtbot, stage.scene()) as made:
        made.store.use_tool(tool)
        drag(made, made.to_pixels(-1.15, 1.15), made.to_pixels(0, 0.5), made.to_pixels(1.15, 0.8), held=SHIFT)
        assert made.store.selection == frozenset({1, 2})
        assert made.plot.over.box is None
        np.testing.assert_array_equal(made.store.scene.points.xy, stage.FOUR)


def test_the_eraser_and_the_brush_are_one_step_each(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        made.store.use_tool("eraser")
        drag(made, made.to_pixels(-1.1, 1), made.to_pixels(0, 1), made.to_pixels(1.1, 1))
        np.testing.assert_array_equal(made.store.scene.points.xy, stage.FOUR[[0, 3]])
        made.store.use_tool("brush")
        made.toolbox.set_tool(made.toolbox.tool.replace("radius", 20).replace("rate", 400))
        start = made.to_pixels(0, 0)
        drag(made, start, release=False)
        qtbot.waitUntil(lambda: len(made.store.scene.points) > 12, timeout=5000)  # type: ignore[attr-defined] # held still
        let_go(made, start)
        sprayed = made.store.scene.points.xy[2:]
        assert (np.hypot(*(sprayed * made.plane.scale).T) <= 21).all()
        assert len(made.store.history.steps) == 3
        count = len(made.store.scene.points)
        QTest.qWait(80)
        assert len(made.store.scene.points) == count  # let go means stop


@pytest.mark.parametrize("how", ["left", "middle", "space"])
def test_dragging_the_empty_canvas_moves_the_view_and_nothing_else(qtbot: object, how: str) -> None:
    with canvas(qtbot, stage.scene()) as made:
        start = made.to_pixels(0.1, 0.4)
        data = made.to_data(start)
        if how == "space":
            QTest.keyPress(made, Qt.Key.Key_Space)
        played = []
        made.play_wanted.connect(lambda: played.append(1))
        drag(made, start, start + QPoint(20, 10), start + QPoint(60, -35), button=MIDDLE if how == "middle" else LEFT)
        if how == "space":
            QTest.keyRelease(made, Qt.Key.Key_Space)
            assert not played
        np.testing.assert_allclose(made.to_data(start + QPoint(60, -35)), data, atol=1e-9)
        assert len(made.store.scene.points) == 4 and len(made.store.history.steps) == 1
        assert made.store.scene.view == made.plane.view
        settled(qtbot, made)


def test_space_over_a_point_drags_the_view(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        QTest.keyPress(made, Qt.Key.Key_Space)
        start = made.to_pixels(1, 1)
        drag(made, start, start + QPoint(30, 0))
        QTest.keyRelease(made, Qt.Key.Key_Space)
        np.testing.assert_array_equal(made.store.scene.points.xy, stage.FOUR)


def test_the_wheel_zooms_about_the_pointer(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        at = made.to_pixels(0.5, 0.25)
        data, before = made.to_data(at), made.plane.view
        wheel(made, at, 3)
        np.testing.assert_allclose(made.to_data(at), data, atol=1e-9)
        assert made.plane.view[1] - made.plane.view[0] < 0.7 * (before[1] - before[0])
        sx, sy = made.plane.scale
        assert sx == pytest.approx(sy)
        wheel(made, at, -3)
        np.testing.assert_allclose(made.plane.view, before, atol=1e-9)
        for _ in range(400):
            wheel(made, at, 3)
        assert made.plane.view[1] - made.plane.view[0] > 0  # there is an end to it


def test_over_an_axis_of_regression_the_wheel_zooms_along_it_alone(qtbot: object) -> None:
    with canvas(qtbot, stage.scene("krr")) as made:
        before = made.plane.view
        wheel(made, QPoint(int(made.plane.left) + 200, int(made.plane.bottom) + 12), 2)
        after = made.plane.view
        assert after[2:] == pytest.approx(before[2:]) and after[1] - after[0] < 0.8 * (before[1] - before[0])


def test_a_double_click_on_an_axis_fits_the_view(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        fitted = made.plane.view
        wheel(made, made.to_pixels(0.5, 0.25), 4)
        at = QPoint(int(made.plane.left) // 2, int(made.plane.top) + 100)
        click(made, at)
        assert len(made.store.scene.points) == 4  # an axis is no canvas
        QTest.mouseDClick(made.viewport(), LEFT, NONE, at)
        np.testing.assert_allclose(made.plane.view, fitted, atol=1e-9)


def test_the_right_button_on_a_point_asks_for_its_menu(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        asked = []
        made.menu_wanted.connect(lambda row, at: asked.append((row, at)))
        at = made.to_pixels(1, 1)
        click(made, at, RIGHT)
        assert asked == [(1, made.viewport().mapToGlobal(at))]
        assert len(made.store.scene.points) == 4


def test_three_classes_have_no_other_class_for_the_right_button(qtbot: object) -> None:
    three = replace(stage.scene(), classes=("a", "b", "c"))
    with canvas(qtbot, three) as made:
        asked = []
        made.menu_wanted.connect(lambda row, at: asked.append(row))
        click(made, made.to_pixels(0.2, 0.5), RIGHT)
        assert asked == [None] and len(made.store.scene.points) == 4


def test_hovering_highlights_the_nearest_point_and_reads_the_model(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        said: list[Hover | None] = []
        made.hovered.connect(said.append)
        at = made.to_pixels(1, 1) + QPoint(3, 3)
        move(made, at)
        assert made.plot.over.pointed == 1
        qtbot.waitUntil(lambda: bool(said))  # type: ignore[attr-defined]
        hover = said[-1]
        assert hover is not None and hover.row == 1
        np.testing.assert_allclose((hover.x, hover.y), made.to_data(at))
        f = made.store.picture.fit.decision_function(np.array([[hover.x, hover.y]]))[0]
        assert str(hover.text).startswith("f = ")
        assert float(str(hover.text)[4:].replace("−", "-")) == pytest.approx(f, abs=0.01)
        QApplication.sendEvent(made, QEvent(QEvent.Type.Leave))
        assert said[-1] is None and made.plot.over.pointed is None


def test_the_legend_can_be_dragged_and_put_back(qtbot: object) -> None:
    with canvas(qtbot, stage.scene(), legend=True) as made:
        made.grab()
        place = made.plot.legend_rect
        start = place.center().toPoint()
        drag(made, start, start + QPoint(-3, 20), start + QPoint(-8, 40))
        made.grab()
        assert made.plot.legend.dragged is not None
        assert (made.plot.legend_rect.center().toPoint() - (start + QPoint(-8, 40))).manhattanLength() <= 2
        assert len(made.store.scene.points) == 4 and len(made.store.history.steps) == 1
        QTest.mouseDClick(made.viewport(), LEFT, NONE, made.plot.legend_rect.center().toPoint())
        assert made.plot.legend.dragged is None


def test_the_plane_stays_where_it_is_while_something_is_dragged(qtbot: object) -> None:
    """Although the numbers of the colour bar change, points come, and the legend has more to say."""
    with canvas(qtbot, stage.scene(), legend=True) as made:
        start = made.to_pixels(1, 1)
        plane = made.plane
        drag(made, start, start + QPoint(-5, 5), release=False)
        for k in range(1, 12):
            move(made, start + QPoint(-14 * k, 14 * k), LEFT)
            settled(qtbot, made)
            assert made.plane == plane
        let_go(made, start + QPoint(-154, 154))
        settled(qtbot, made)
        field, view = made.plot.layers.field, made.plane.view
        assert field is not None  # and it fills whatever the plane has become
        assert field.x[0] <= view[0] and field.x[1] >= view[1] and field.y[0] <= view[2] and field.y[1] >= view[3]


def test_ctrl_and_wheel_size_the_brush(qtbot: object) -> None:
    with canvas(qtbot, stage.scene()) as made:
        made.store.use_tool("brush")
        told = []
        made.toolbox.tooled.connect(told.append)
        before, view = made.toolbox.tool, made.plane.view
        wheel(made, made.to_pixels(0, 0), 2, CTRL)
        assert made.toolbox.tool.reach > before.reach and told == [made.toolbox.tool] and made.plane.view == view
