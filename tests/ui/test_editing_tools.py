"""Whole ways with the tools of the canvas in the window: mouse and keys alone, one step each, nothing left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand import LEFT, NO_KEY, RIGHT, Hand
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton
from test_clipping import all_cut

from kernelplay import i18n
from kernelplay.scene import Points, Scene
from kernelplay.spec import kinds
from kernelplay.ui.forms import NumberRow
from kernelplay.ui.tool_button import ToolButton
from kernelplay.ui.window import SMALLEST, MainWindow

Modifier = Qt.KeyboardModifier
SHIFT, CTRL, ALT = Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier
TOOLS = list(kinds("tool"))
SIX = np.array([[-1.5, -1.0], [-0.5, -1.0], [-1.0, -0.2], [0.5, 0.3], [1.0, 1.0], [1.5, 0.1]])


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    scene = Scene().with_points(Points(SIX, np.array([0, 0, 0, 1, 1, 1]))).with_view((-2.0, 2.0, -2.0, 2.0))
    made = Hand(qtbot, open_window(scene))
    made.settled()
    return made


def xy(user: Hand) -> Any:
    return user.window.store.scene.points.xy


def steps(user: Hand) -> int:
    return len(user.window.store.history.steps)


def send(user: Hand, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, held: Modifier = NO_KEY) -> None:
    viewport = user.canvas.viewport()
    which = button if kind != QEvent.Type.MouseMove else Qt.MouseButton.NoButton
    down = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    QApplication.sendEvent(viewport, QMouseEvent(kind, QPointF(at), QPointF(viewport.mapToGlobal(at)), which, down,
                                                 held))


def press(user: Hand, x: float, y: float, *way: tuple[int, int], button: Qt.MouseButton = LEFT,
          held: Modifier = NO_KEY) -> QPoint:
    """Press at a place and move by `way`, pixels from it; the button stays down. Returns where."""
    start = at = user.canvas.to_pixels(x, y)
    send(user, QEvent.Type.MouseButtonPress, at, button, held)
    for dx, dy in way:
        at = start + QPoint(dx, dy)
        send(user, QEvent.Type.MouseMove, at, button, held)
    return at


def release(user: Hand, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
    send(user, QEvent.Type.MouseButtonRelease, at, button)


def take(user: Hand, tool: str, **options: float) -> None:
    user.canvas.setFocus()
    user.keys(kinds("tool")[tool].keys)
    assert user.window.store.tool == tool
    for key, value in options.items():
        user.canvas.toolbox.set_tool(user.canvas.toolbox.tool.replace(key, value))


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_is_taken_by_key_by_menu_and_on_the_tool_bar(user: Hand, tool: str) -> None:
    window = user.window
    take(user, tool)
    action = window.actions_[f"tool:{tool}"]
    assert action.isChecked() and action in window.menus.menus["tool"].actions()
    buttons = [button for button in window.tools.findChildren(ToolButton) if button.defaultAction() is action]
    assert len(buttons) == 1 and buttons[0].isChecked()
    assert window.data_panel.tool.isVisible() == (tool != "point")
    if tool != "point":
        assert window.data_panel.tool.heading.text() == str(kinds("tool")[tool].label)
    window.actions_["tool:eraser" if tool == "point" else "tool:point"].trigger()
    assert not buttons[0].isChecked() and buttons[0].defaultAction() is action  # it takes what it took last
    QTest.mouseClick(buttons[0], LEFT, NO_KEY, QPoint(12, buttons[0].height() // 2))
    assert window.store.tool == tool


def test_the_arrow_of_a_button_offers_its_family(user: Hand) -> None:
    button = next(button for button in user.window.tools.findChildren(ToolButton)
                  if button.defaultAction().objectName() == "tool:brush")
    menu = button.menu()
    assert isinstance(menu, QMenu)
    assert [action.objectName() for action in menu.actions()] == ["tool:brush", "tool:gaussian", "tool:jitter",
                                                                  "tool:magnet"]
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))
    user.pick(menu, "Add a Gaussian cloud")
    assert user.window.store.tool == "gaussian" and button.defaultAction().objectName() == "tool:gaussian"


@pytest.mark.parametrize("language", [*i18n.LANGUAGES, i18n.PSEUDO])
def test_the_tool_bar_fits_into_the_smallest_window(user: Hand, language: str) -> None:
    window = user.window
    window.set_language(language)
    window.resize(SMALLEST)
    longest = {}
    for button in window.tools.findChildren(ToolButton):
        actions = button.menu().actions() if isinstance(button.menu(), QMenu) else [button.defaultAction()]
        longest[button] = max(actions, key=lambda action: len(action.iconText()))
    for action in longest.values():
        action.trigger()
    user.bot.waitUntil(lambda: window.width() == SMALLEST.width())
    QApplication.sendPostedEvents()
    more = window.tools.findChild(QToolButton, "qt_toolbar_ext_button")
    assert more is None or not more.isVisible(), window.tools.sizeHint().width()
    window.set_language("en")


def test_a_cloud_is_dragged_seen_and_put_as_one_step(user: Hand) -> None:
    take(user, "gaussian")
    at = press(user, 0, -1, (30, 0), (60, -45))
    aim = user.canvas.plot.over.aim
    assert aim is not None and len(xy(user)) == 6  # seen, not yet put
    sx, sy = user.canvas.plane.scale
    np.testing.assert_allclose(np.array(aim[1]) * (sx, sy), (30, 22.5))
    release(user, at)
    user.settled()
    points = user.window.store.scene.points
    assert len(points) == 6 + 30 and steps(user) == 2
    user.keys("Ctrl+Z")
    np.testing.assert_array_equal(xy(user), SIX)
    first = points.xy
    release(user, press(user, 0, -1, (30, 0), (60, -45)))
    np.testing.assert_array_equal(xy(user), first)  # the same stroke, the same points


def test_the_right_button_sprays_the_other_class(user: Hand) -> None:
    for tool in ("brush", "gaussian"):
        take(user, tool)
        release(user, press(user, 0, -1, button=RIGHT), RIGHT)
        assert user.window.store.scene.points.cls[-1] == 1


def test_points_are_shaken_while_the_button_is_held(user: Hand) -> None:
    take(user, "jitter", radius=130)
    before = xy(user)
    at = press(user, -0.9, -0.8)
    seen = []
    user.window.store.pictured.connect(seen.append)
    user.bot.waitUntil(lambda: len(seen) > 2)  # held still: the points move, and the model follows
    release(user, at)
    user.settled()
    moved = (xy(user) != before).any(axis=1)
    near = np.hypot(*((before - (-0.9, -0.8)) * user.canvas.plane.scale).T) < 115
    assert near.sum() == 3 and moved[near].all() and not moved[3:].any()
    assert steps(user) == 2
    user.keys("Ctrl+Z")
    np.testing.assert_array_equal(xy(user), SIX)


@pytest.mark.parametrize(("button", "held", "pulls"), [(LEFT, NO_KEY, True), (LEFT, CTRL, False),
                                                       (RIGHT, NO_KEY, False)])
def test_the_magnet_pulls_or_pushes(user: Hand, button: Qt.MouseButton, held: Modifier, pulls: bool) -> None:
    take(user, "magnet", radius=150)
    middle = user.canvas.to_data(user.canvas.to_pixels(-1.0, -0.75))
    before = np.hypot(*(SIX - middle).T)
    at = press(user, -1.0, -0.75, button=button, held=held)
    user.bot.waitUntil(lambda: abs(np.hypot(*(xy(user) - middle).T) - before)[:3].min() > 0.02)
    release(user, at, button)
    after = np.hypot(*(xy(user) - middle).T)
    assert (after[:3] < before[:3]).all() if pulls else (after[:3] > before[:3]).all()
    np.testing.assert_array_equal(xy(user)[3:], SIX[3:])
    assert steps(user) == 2 and QApplication.activePopupWidget() is None


def test_a_lasso_is_drawn_and_selects(user: Hand) -> None:
    take(user, "lasso")
    store, sx = user.window.store, user.canvas.plane.scale[0]
    wide, high = round(1.4 * sx), round(0.5 * sx)
    at = press(user, -1.7, -1.25, (wide, 0), (wide, -high), (0, -high))  # the two lower ones
    assert len(user.canvas.plot.over.loop) == 4 and store.selection == frozenset({0, 1})
    release(user, at)
    assert user.canvas.plot.over.loop == () and store.selection == frozenset({0, 1}) and steps(user) == 1
    at = press(user, -1.2, 0.2, (60, 0), (60, 60), held=CTRL)  # a triangle about the third
    release(user, at)
    assert store.selection >= frozenset({0, 1})
    release(user, press(user, -1.7, -1.25, (wide // 2, 0), (wide // 2, -high), (0, -high), held=ALT))
    assert 0 not in store.selection and 1 in store.selection


@pytest.mark.parametrize("tool", TOOLS)
def test_escape_takes_every_gesture_back(user: Hand, tool: str) -> None:
    take(user, tool)
    store = user.window.store
    store.select(frozenset({0, 5}))
    first, history = store.scene, store.history
    for x, y, held in ((-1.0, -0.8, NO_KEY), (SIX[0][0], SIX[0][1], NO_KEY), (-1.6, -1.4, SHIFT),
                       (SIX[5][0], SIX[5][1], ALT)):
        at = press(user, x, y, (10, -8), (25, -30), (50, 5), held=held)
        QTest.keyClick(user.canvas, Qt.Key.Key_Escape)
        send(user, QEvent.Type.MouseMove, at + QPoint(9, 9), LEFT, held)  # the button is still down
        release(user, at)
        assert store.scene.points is first.points and store.history.redoable is None
        assert len(store.history.steps) == len(history.steps) and store.selection == frozenset({0, 5})
        over = user.canvas.plot.over
        assert over.box is None and over.loop == ()


@pytest.mark.parametrize("tool", TOOLS)
def test_pan_and_the_box_work_with_every_tool(user: Hand, tool: str) -> None:
    take(user, tool)
    view, sx = user.canvas.plane.view, user.canvas.plane.scale[0]
    release(user, press(user, 0.2, -0.9, (20, 10), (40, 0), button=Qt.MouseButton.MiddleButton),
            Qt.MouseButton.MiddleButton)
    assert user.canvas.plane.view[0] == pytest.approx(view[0] - 40 / sx) and steps(user) == 1
    np.testing.assert_array_equal(xy(user), SIX)
    if tool != "lasso":
        size = round(1.4 * sx)
        release(user, press(user, -1.7, -1.25, (5, -5), (size, -round(0.5 * sx)), held=SHIFT))
        assert user.window.store.selection == frozenset({0, 1})


def test_alt_drags_a_copy_and_ctrl_j_makes_one(user: Hand) -> None:
    store = user.window.store
    store.select(frozenset({3, 4}))
    release(user, press(user, *SIX[4], (10, 0), (30, 40), held=ALT))
    assert store.selection == frozenset({6, 7}) and len(xy(user)) == 8 and steps(user) == 2
    np.testing.assert_array_equal(xy(user)[:6], SIX)
    shift = np.array([30, -40]) / user.canvas.plane.scale
    np.testing.assert_allclose(xy(user)[6:], SIX[3:5] + shift)
    user.keys("Ctrl+J")
    assert store.selection == frozenset({8, 9}) and steps(user) == 3
    assert (xy(user)[8:] > xy(user)[6:8]).all(axis=0).tolist() == [True, False]
    user.settled()
    user.keys("Ctrl+Z", times=2)
    np.testing.assert_array_equal(xy(user), SIX)


def test_keys_give_the_selection_another_class(user: Hand) -> None:
    store = user.window.store
    user.canvas.setFocus()
    store.select(frozenset({0, 4}))
    user.keys("Shift+2")
    assert store.scene.points.cls.tolist() == [1, 0, 0, 1, 1, 1] and store.current_class == 0
    user.keys("Shift+2")
    assert steps(user) == 2  # nothing was left to change
    assert not user.window.actions_["assign:2"].isVisible() and not user.window.actions_["assign:2"].isEnabled()
    user.keys("2")
    assert store.current_class == 1


def test_arrangements_by_command(user: Hand) -> None:
    store, actions = user.window.store, user.window.actions_
    assert not actions["arrange:left"].isEnabled() and not actions["duplicate_points"].isEnabled()
    store.select(frozenset({0, 1, 2}))
    assert actions["arrange:left"].isEnabled() and actions["arrange:nodes"].isEnabled()
    actions["arrange:left"].trigger()
    assert xy(user)[:3, 0].tolist() == [-1.5] * 3 and steps(user) == 2 and store.selection == frozenset({0, 1, 2})
    actions["arrange:left"].trigger()
    assert steps(user) == 2 and user.window.status.sentence.full == "The selected points are already arranged that way."
    for key in actions.keys("arrange:"):
        if key != "arrange:nodes":
            actions[key].trigger()
    np.testing.assert_array_equal(xy(user)[3:], SIX[3:])
    user.keys("Ctrl+Z", times=steps(user))
    np.testing.assert_array_equal(xy(user), SIX)


def test_with_snapping_off_points_move_onto_the_grid_that_suits_the_view(user: Hand) -> None:
    store, toolbox = user.window.store, user.canvas.toolbox
    store.select(frozenset({0, 1}))
    user.window.actions_["arrange:nodes"].trigger()
    steps_ = np.array(toolbox.nodes)
    assert toolbox.grid is None and np.abs(xy(user)[:2] - SIX[:2]).max() <= steps_.max() / 2 + 1e-12
    np.testing.assert_allclose(xy(user)[:2] / steps_, np.round(xy(user)[:2] / steps_), atol=1e-9)
    np.testing.assert_array_equal(xy(user)[2:], SIX[2:])


def test_control_and_tab_leave_the_canvas_past_all_points(user: Hand) -> None:
    user.canvas.setFocus()
    user.keys("Tab")
    assert user.canvas.hasFocus() and user.window.store.selection == frozenset({0})
    QTest.keyClick(user.canvas, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    after = QApplication.focusWidget()
    assert after is not None and after is not user.canvas
    user.canvas.setFocus()
    QTest.keyClick(user.canvas, Qt.Key.Key_Backtab,
                   Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    before = QApplication.focusWidget()
    assert before is not None and before not in (user.canvas, after)


def test_the_status_line_says_how_many_points_are_selected(user: Hand) -> None:
    store, chosen = user.window.store, user.window.status.chosen
    assert not chosen.isVisible()
    user.canvas.setFocus()
    user.keys("Ctrl+A")
    assert chosen.isVisible() and chosen.full == f"{len(store.scene.points)} selected"
    user.keys("Escape")
    assert not chosen.isVisible()


def test_on_the_grid_clicks_drags_and_keys_land_on_its_nodes(user: Hand) -> None:
    window, store = user.window, user.window.store
    assert not window.data_panel.grid.isVisible()
    user.keys("Ctrl+G")
    assert window.actions_["snap"].isChecked() and window.data_panel.grid.isVisible()
    row = window.data_panel.grid.form.rows["x"]
    assert isinstance(row, NumberRow)
    user.show(row.field)
    row.field.setFocus()
    row.field.selectAll()
    QTest.keyClicks(row.field, "0.4")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    step_y = user.canvas.toolbox.grid[1]
    assert user.canvas.toolbox.grid == (0.4, step_y) == user.canvas.plot.over.grid
    at = user.canvas.to_pixels(0.33, -1.13)
    send(user, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton)
    assert user.canvas.plot.over.node is not None and user.canvas.plot.over.node[0] == 0.4
    user.click(0.33, -1.13)
    x, y = xy(user)[-1].tolist()
    assert x == 0.4 and y == pytest.approx(step_y * round(-1.13 / step_y)) and abs(y + 1.13) <= step_y / 2 + 0.01
    release(user, press(user, *SIX[4], (10, 0), (31, 17)))
    x, y = xy(user)[4].tolist()
    assert x / 0.4 == pytest.approx(round(x / 0.4)) and y / step_y == pytest.approx(round(y / step_y))
    store.select(frozenset())
    user.canvas.setFocus()
    user.keys("Right")
    user.keys("Right")
    assert user.canvas.crosshair is not None and user.canvas.crosshair[0] / 0.4 == pytest.approx(
        round(user.canvas.crosshair[0] / 0.4))
    store.select(frozenset({0, 1}))
    window.actions_["arrange:nodes"].trigger()
    assert xy(user)[0].tolist()[0] == pytest.approx(-1.6)
    user.keys("Ctrl+G")
    assert user.canvas.plot.over.grid is None and not window.data_panel.grid.isVisible()
    user.click(1.33, -1.53)  # where no legend lies
    assert tuple(xy(user)[-1]) == pytest.approx(user.clicked[-1], abs=1e-12)  # free again: exactly where clicked


def test_the_grid_is_that_of_the_task(user: Hand) -> None:
    user.keys("Ctrl+G")
    toolbox = user.canvas.toolbox
    first = toolbox.grid
    assert first is not None and first[0] == first[1]
    user.window.actions_["model:krr"].trigger()
    curve = toolbox.grid
    toolbox.set_grid(type(user.window.data_panel.grid._grid)(3.0, 0.5))
    assert curve is not None and user.canvas.plot.over.grid == (3.0, 0.5)
    user.window.actions_["model:svm"].trigger()
    assert toolbox.grid == first == user.canvas.plot.over.grid


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if "radius" in kinds("tool")[tool].params()])
def test_the_wheel_with_ctrl_changes_the_radius_and_the_panel_shows_it(user: Hand, tool: str) -> None:
    take(user, tool)
    at, view = user.canvas.to_pixels(0, 0), user.canvas.plane.view
    send(user, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton)
    before = user.canvas.toolbox.tool.reach
    event = QWheelEvent(QPointF(at), QPointF(user.canvas.mapToGlobal(at)), QPoint(), QPoint(0, 240),
                        Qt.MouseButton.NoButton, CTRL, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(user.canvas.viewport(), event)
    after = user.canvas.toolbox.tool.reach
    assert before is not None and after == pytest.approx(before * 1.15**2, rel=0.01)
    assert user.canvas.plane.view == view
    row = user.window.data_panel.tool.form.rows["radius"]
    assert isinstance(row, NumberRow) and row.number == after
    over = user.canvas.plot.over
    assert (over.brush is not None and over.brush[2] == after) or over.aim is not None
    user.slide(row.slider, 0.9, steps=2)
    assert user.canvas.toolbox.tool.reach == row.number and row.number > after


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool not in ("point", "select", "lasso")])
def test_enter_uses_a_tool_at_the_crosshair(user: Hand, tool: str) -> None:
    take(user, tool, radius=120)
    user.keys("Return")
    user.canvas.over(crosshair=(-1.0, -0.75))  # where many arrow keys would have brought it
    user.keys("Return")
    assert steps(user) == 2
    if tool == "eraser":
        np.testing.assert_array_equal(xy(user), SIX[3:])
    elif tool in ("brush", "gaussian"):
        assert len(xy(user)) > 6 + 5
    else:
        assert (xy(user)[:3] != SIX[:3]).any(axis=1).all() and (xy(user)[3:] == SIX[3:]).all()


def test_a_tool_that_is_held_stops_when_somebody_else_changes_the_scene(user: Hand) -> None:
    for tool in ("brush", "jitter", "magnet"):
        take(user, tool)
        at = press(user, -1.0, -0.8)
        user.window.store.undo()
        now = xy(user)
        QTest.qWait(80)
        assert xy(user) is now
        release(user, at)


@pytest.mark.parametrize("language", list(i18n.LANGUAGES))
def test_nothing_of_the_options_is_cut_off(user: Hand, language: str) -> None:
    window = user.window
    window.set_language(language)
    window.resize(SMALLEST)
    window.actions_["snap"].trigger()
    for tool in TOOLS:
        window.actions_[f"tool:{tool}"].trigger()
        assert not all_cut(window.data_panel), tool
    window.set_language("en")


# what the hand sees before it presses

@pytest.mark.parametrize("tool", ["eraser", "jitter", "magnet"])
def test_points_within_reach_of_a_tool_are_marked_before_it_touches_them(user: Hand, tool: str) -> None:
    take(user, tool, radius=30.0)
    over = user.canvas.plot.over
    at = user.canvas.to_pixels(*SIX[0])
    send(user, QEvent.Type.MouseMove, at + QPoint(20, 0), Qt.MouseButton.NoButton)
    over = user.canvas.plot.over
    assert over.touched == {0} and over.brush is not None and over.brush[2] == 30.0
    QTest.mouseClick(user.canvas.viewport(), LEFT, NO_KEY, at + QPoint(20, 0))
    if tool == "eraser":
        assert len(xy(user)) == 5 and not user.canvas.plot.over.touched
        user.keys("Ctrl+Z")
        user.canvas.grab()  # what follows of many changes at once is shown with the last of them
        assert user.canvas.plot.over.touched == {0}, "it is within reach again"
    send(user, QEvent.Type.MouseMove, user.canvas.to_pixels(0.0, 1.8), Qt.MouseButton.NoButton)
    assert not user.canvas.plot.over.touched
    send(user, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton)
    user.keys("P")
    assert not user.canvas.plot.over.touched


def test_the_first_clicks_stay_under_the_pointer(qtbot: Any, open_window: Callable[..., MainWindow]) -> None:
    """The plane does not move while points of the first and of the second class come in, and a colour bar with them."""
    user = Hand(qtbot, open_window(Scene()))
    qtbot.waitUntil(lambda: user.window.store.idle)
    for number, button in enumerate((LEFT, LEFT, RIGHT)):
        at = QPoint(330 + 40 * number, 300 - 30 * number)
        QTest.mouseClick(user.canvas.viewport(), button, NO_KEY, at)
        qtbot.waitUntil(lambda: user.window.store.settled)
        there = user.canvas.plane.pixels(xy(user)[-1:])[0]
        assert np.abs(there - [at.x(), at.y()]).max() < 0.01
    assert user.window.store.picture.fit is not None


@pytest.mark.parametrize(("turn", "held", "zooms"), [
    (QPoint(0, 120), NO_KEY, True), (QPoint(0, 7), NO_KEY, True), (QPoint(120, 0), ALT, True),
    (QPoint(120, 0), NO_KEY, False)], ids=["a notch", "two fingers", "a notch with Alt", "a swipe"])
def test_a_wheel_and_two_fingers_zoom_about_the_pointer_and_a_swipe_does_not(user: Hand, turn: QPoint, held: Modifier,
                                                                            zooms: bool) -> None:
    at, before = QPointF(300, 250), user.canvas.plane.view
    under = user.canvas.to_data(at)
    event = QWheelEvent(at, QPointF(user.canvas.mapToGlobal(at)), QPoint(), turn, Qt.MouseButton.NoButton, held,
                        Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(user.canvas.viewport(), event)
    assert (user.canvas.plane.view != before) is zooms
    assert user.canvas.to_data(at) == pytest.approx(under, abs=1e-9)
