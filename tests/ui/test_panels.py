"""Panels that follow any jump: what is made for it, what a panel in long use shows beside a new one, where edits go."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hand import LEFT, Hand
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)
from weather import wild

from kernelplay import link
from kernelplay.examples import examples
from kernelplay.i18n import say, use
from kernelplay.kernels import edit
from kernelplay.kernels.base import Kernel
from kernelplay.spec import build, kinds
from kernelplay.ui import kernel_panel
from kernelplay.ui.forms import NumberRow
from kernelplay.ui.kernel_node import Node
from kernelplay.ui.model_panel import ModelPanel
from kernelplay.ui.number import Slider
from kernelplay.ui.window import MainWindow
from kernelplay.ui.words import retranslate

WIDEST = 8  # rows of the kernel with the most parameters, and its head


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    made = Hand(qtbot, open_window(examples()[0].scene(), size=(1280, 900)))
    made.settled()
    return made


def turn() -> None:
    """One turn of the event loop, as an application takes it."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def put(window: MainWindow, kernel: Kernel) -> None:
    """Choose a kernel, as a step."""
    window.store.edit(window.store.scene.with_value("kernel", kernel), say("Choose a kernel"))


def grown(user: Hand) -> tuple[Node, ...]:
    """Wait until the tree is shown as far as it will be, and return its nodes."""
    panel = user.window.model_panel.kernel
    user.bot.waitUntil(lambda: not panel._follower.late)
    turn()  # what is made in one turn is laid out in the next
    return panel.nodes


@contextmanager
def made(window: MainWindow) -> Iterator[list[QWidget]]:
    """Give the widgets of the model panel that were made meanwhile."""
    before = window.model_panel.findChildren(QWidget)  # held, so that no new one can be taken for one of them
    known = {id(widget) for widget in before}
    new: list[QWidget] = []
    yield new
    new += [widget for widget in window.model_panel.findChildren(QWidget) if id(widget) not in known]


def told(widget: QWidget) -> tuple[Any, ...]:
    """Return what a widget says and is, for eyes and ears."""
    shows: list[Any] = [type(widget).__name__, widget.accessibleName(), widget.accessibleDescription(),
                        widget.property("look"), widget.isEnabled()]
    if isinstance(widget, QLabel):
        shows.append(widget.text())
    if isinstance(widget, QLineEdit):
        shows += [widget.text(), widget.placeholderText(), widget.toolTip()]
    if isinstance(widget, QComboBox):
        shows += [widget.currentData(), [widget.itemText(i) for i in range(widget.count())], widget.toolTip()]
    if isinstance(widget, (QCheckBox, QPushButton)):
        shows += [widget.text(), widget.isChecked()]
    if isinstance(widget, Slider):
        shows += [widget.value(), widget.maximum(), widget.tick, widget.toolTip()]
    if isinstance(widget, Node):
        shows += [widget.path, widget.part.depth, widget._below, widget.layout().contentsMargins().left()]
    return tuple(shows)


def laid_out(layout: QLayout) -> Iterator[QWidget]:
    """Give the visible widgets of a layout, and of the layouts in it, in order."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget, inner = item.widget(), item.layout()
        if widget is not None and widget.isVisible():
            yield widget
            inner = widget.layout()
        if inner is not None:
            yield from laid_out(inner)


def story(panel: ModelPanel) -> tuple[list[Any], list[Any]]:
    """Return what stands in the model and kernel sections from top to bottom, with its size, and what Tab goes through
    there."""
    sections = (panel.model, panel.kernel)
    shown = [(*told(widget), widget.width(), widget.height()) for section in sections
             for widget in laid_out(section.layout())]
    stops: list[Any] = []
    widget = panel.model.heading
    while True:
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and any(
                section.isAncestorOf(widget) for section in sections):
            stops.append(told(widget))
        widget = widget.nextInFocusChain()  # type: ignore[assignment]
        if widget is panel.model.heading:
            return shown, stops


def unlike(ours: list[Any], other: list[Any]) -> list[Any]:
    """Return where two stories differ."""
    if len(ours) != len(other):
        return [len(ours), len(other)]
    return [pair for pair in zip(ours, other, strict=True) if pair[0] != pair[1]]


def same(old: ModelPanel, new: ModelPanel) -> None:
    """Assert that two panels show the same, once each has the room that its words need."""
    for _ in range(20):
        if story(old) == story(new):
            return
        turn()
    ours, other = story(old), story(new)
    assert unlike(ours[0], other[0]) == []
    assert unlike(ours[1], other[1]) == [], "what Tab goes through"


def new_one(user: Hand) -> ModelPanel:
    """Return a panel that was made for the scene as it is now, and for nothing else; as wide inside as the old one."""
    panel = ModelPanel(user.window.store)
    user.bot.addWidget(panel)
    for each in (panel, user.window.model_panel):
        each.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    panel.resize(user.window.model_panel.size())
    with user.bot.waitExposed(panel):
        panel.show()
    user.bot.waitUntil(lambda: not panel.kernel._follower.late)
    panel._pictured(user.settled())
    for _ in range(3):  # what is made in one turn is laid out in the next
        turn()
    return panel


# what is made

def test_another_value_in_a_kernel_of_thirty_makes_nothing(user: Hand) -> None:
    window, dice = user.window, random.Random(1)
    put(window, wild(dice, 30))
    nodes = grown(user)
    assert [node.path for node in nodes] == [part.path for part in edit.parts(window.store.scene.model.kernel)]
    path = next(path for path, param in window.store.scene.model.kernel.reals()
                       if path.count(".") > 2 and param.low < 1 < param.high)
    with made(window) as new:
        for value in (0.5, 0.75, 1.0):
            window.store.edit(window.store.scene.with_value(f"kernel.{path}", value), say("Change"))
            turn()
        window.store.undo()
        turn()
        user.settled()
    assert not new and grown(user) == nodes


def test_going_back_over_one_part_makes_its_rows_alone(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    put(window, wild(random.Random(2), 24))
    whole = grown(user)
    last = next(node for node in reversed(whole) if node.part.removable and not node.part.holds and node.form.rows)
    panel.build("remove", last.path)
    fewer = grown(user)
    assert len(fewer) < len(whole) and set(fewer) < set(whole)
    with made(window) as new:
        window.store.undo()
        back = grown(user)
    assert [node.path for node in back] == [part.path for part in edit.parts(window.store.scene.model.kernel)]
    assert len(set(back) - set(fewer)) == len(whole) - len(fewer), "the others stand where they stood"
    heads = [node for node in new if isinstance(node, Node)]
    assert len(heads) == len(whole) - len(fewer)
    assert all(any(node is widget or node.isAncestorOf(widget) for node in heads) for widget in new
               if widget.window() is window)


def test_no_turn_makes_many_rows_and_what_is_shown_is_right_meanwhile(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    for seed in range(3):
        kernel = wild(random.Random(seed), 34)
        wanted = [(part.path, type(part.kernel)) for part in edit.parts(kernel)]
        before = {id(row) for node in panel.nodes for row in node.form.rows.values()}
        held: list[Any] = [panel.nodes]  # so that no new row can be taken for an old one
        first = [(node.path, node.cls) for node in panel.nodes]
        put(window, kernel)
        for _ in range(200):
            shown = [(node.path, node.cls) for node in panel._shown]
            if not panel._follower.late or shown != first:
                assert shown == wanted[:len(shown)], "the beginning of the tree, nothing else"
            rows = {id(row): row for node in panel._shown for row in node.form.rows.values()}
            held.append(rows)
            assert len(set(rows) - before) < kernel_panel.RATION + WIDEST
            before |= set(rows)
            if len(shown) == len(wanted):
                break
            turn()
        assert len(shown) == len(wanted)


def test_eleven_steps_back_and_forth_in_one_turn_are_two_rebuildings_at_most(user: Hand) -> None:
    window, dice = user.window, random.Random(5)
    for parts in (3, 17, 5, 30, 1, 9):
        put(window, wild(dice, parts))
        window.store.edit(window.store.scene.with_model(dice.choice(tuple(kinds("model")))), say("Choose"))
        grown(user)
    with made(window) as new:
        for _ in range(11):
            dice.choice((window.store.undo, window.store.undo, window.store.redo))()
        in_one_go = len([widget for widget in new if isinstance(widget, Node)])
    assert len([widget for widget in new if isinstance(widget, Node)]) - in_one_go <= kernel_panel.RATION
    assert [node.cls for node in grown(user)] == [
        type(part.kernel) for part in edit.parts(window.store.scene.model.kernel)]


def test_out_of_sight_nothing_is_made_and_it_is_there_when_it_is_shown(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    for hide, show in ((panel.heading.click, panel.heading.click),
                       (window.actions_["model_panel"].trigger, window.actions_["model_panel"].trigger)):
        hide()
        with made(window) as new:
            put(window, wild(random.Random(7), 12))
            window.store.edit(window.store.scene.with_model("gpc"), say("Choose"))
            user.settled()
            turn()
        assert not [widget for widget in new if isinstance(widget, Node)]
        show()
        assert [node.path for node in grown(user)] == [
            part.path for part in edit.parts(window.store.scene.model.kernel)]
        window.store.edit(window.store.scene.with_model("svm"), say("Choose"))
        put(window, build("kernel", {"name": "rbf"}))


def test_a_menu_is_made_when_it_is_opened_and_is_one_for_all(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    put(window, wild(random.Random(9), 12))
    nodes = grown(user)
    assert not panel.findChildren(QMenu)
    for node in (nodes[3], nodes[5], nodes[0]):
        user.press(node.more)
        menu = node.more.opens
        assert isinstance(menu, QMenu) and menu.isVisible()
        offered = {action.text() for action in menu.actions() if action.isVisible()}
        assert ("Remove this kernel" in offered) == node.part.removable
        assert ("Unwrap: keep the inner kernel" in offered) == (node.cls.key in edit.wrappings())
        menu.close()
    assert len({id(node.more.opens) for node in (nodes[3], nodes[5], nodes[0])}) == 1
    user.back()


def test_a_kernel_of_very_many_parts_shows_the_rest_when_asked(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    kernel = build("kernel", {"name": "rbf"})
    for _ in range(kernel_panel.SHOWN + 2):
        kernel = edit.add(kernel, "", "constant")
    put(window, kernel)
    assert len(grown(user)) == kernel_panel.SHOWN and panel.rest.text() == "Show 4 more kernels"
    user.press(panel.rest)
    assert len(grown(user)) == kernel_panel.SHOWN + 4 and not panel.rest.isVisible()


# a panel in long use, beside a new one

@pytest.mark.parametrize("seed", range(4))
def test_a_panel_in_long_use_shows_what_a_new_one_shows(user: Hand, seed: int) -> None:
    window, dice = user.window, random.Random(seed)
    store, panel = window.store, window.model_panel.kernel
    for step in range(28):
        what = dice.randrange(7)
        if what == 0:
            put(window, wild(dice, dice.randrange(1, 9)))
        elif what == 1:
            store.edit(store.scene.with_model(dice.choice(tuple(kinds("model")))), say("Choose"))
        elif what == 2:
            store.go(dice.randrange(len(store.history.steps)))
        elif what == 3:
            for _ in range(11):
                dice.choice((store.undo, store.redo))()
        elif what == 4:
            part = dice.choice(edit.parts(store.scene.model.kernel))
            deed = dice.choice(["add", "multiply", "wrap", "change", *["remove"] * part.removable])
            panel.build(deed, part.path, dice.choice(edit.wrappings() if deed == "wrap" else edit.alone()))
        elif what == 5 and store.scene.model.reals():
            path, param = dice.choice(store.scene.model.reals())
            store.edit(store.scene.with_value(path, dice.uniform(param.low, param.high)), say("Change"))
        else:
            waiting = [part.path for part in edit.parts(store.scene.model.kernel) if "gamma" in part.kernel.params()]
            if waiting:
                path = ".".join(("kernel", *filter(None, (dice.choice(waiting),)), "gamma"))
                store.edit(store.scene.with_value(path, "scale"), say("Change"))
        if dice.random() < 0.5:
            turn()
        if step % 7 == 6:
            grown(user)
            window.model_panel._pictured(user.settled())
            turn()
            fresh = new_one(user)
            same(window.model_panel, fresh)
            fresh.hide()


def test_every_kernel_takes_the_place_of_any_other(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    panel.build("add", "", "periodic")
    for key in kinds("kernel"):
        panel.build("change", "of.0", key)
        panel.build("change", "of.1", key)
        grown(user)
        for language in ("pseudo", "en"):
            use(language)
            retranslate(window.model_panel)
        window.model_panel._pictured(user.settled())
        fresh = new_one(user)
        same(window.model_panel, fresh)
        fresh.hide()


# where edits go

def number(node: Node, path: str) -> NumberRow:
    row = node.form.rows[path]
    assert isinstance(row, NumberRow)
    return row


def test_an_edit_before_the_panel_has_followed_goes_to_its_parameter_or_nowhere(user: Hand) -> None:
    panel, store = user.window.model_panel.kernel, user.window.store
    panel.build("add", "", "matern32")
    panel.build("add", "", "periodic")
    _, second, third = grown(user)[1:]
    panel.build("remove", "of.0")  # in this turn
    store.undo()
    store.undo()  # the periodic one is gone, which is not shown yet
    assert panel._follower.late
    kernel = store.scene.model.kernel
    number(third, "period").slider.setValue(10)
    assert store.scene.model.kernel is kernel, "there is none any more"
    number(second, "length_scale").slider.setValue(990)
    assert store.scene.model.kernel.of[0] is kernel.of[0] and store.scene.model.kernel.of[1] != kernel.of[1]
    assert len(grown(user)) == 3


def test_a_node_goes_on_showing_its_kernel_wherever_that_comes_to_stand(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    panel.build("add", "", "rbf")
    panel.build("add", "", "rbf")
    second = grown(user)[3]
    slider = number(second, "gamma").slider
    user.show(slider)
    QTest.mousePress(slider, LEFT, pos=slider.rect().center())
    panel.build("remove", "of.0")
    panel.build("wrap", "", "exp")
    assert second in grown(user) and second.path == "of.of.1"
    kernel = window.store.scene.model.kernel
    slider.setValue(slider.value() + 50)
    now = window.store.scene.model.kernel
    assert now.of.of[0] is kernel.of.of[0] and now.of.of[1].gamma > kernel.of.of[1].gamma
    QTest.mouseRelease(slider, LEFT, pos=slider.rect().center())


def test_the_keys_stay_in_the_list_where_another_kernel_is_chosen(user: Hand) -> None:
    panel = user.window.model_panel.kernel
    panel.build("add", "", "linear")
    combo = grown(user)[2].combo
    combo.setFocus()
    for _ in range(4):
        QTest.keyClick(combo, Qt.Key.Key_Down)
        turn()
        assert QApplication.focusWidget() is combo and grown(user)[2].combo is combo
        assert combo.key == user.window.store.scene.model.kernel.of[1].key


def test_what_is_typed_into_one_kernel_never_comes_to_another(user: Hand) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    panel.build("add", "", "linear")
    row = number(grown(user)[1], "gamma")
    row.field.setFocus()
    row.field.selectAll()
    QTest.keyClicks(row.field, "nonsense")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    assert row.error.isVisible()
    put(window, build("kernel", {"name": "product", "of": [{"name": "linear"}, {"name": "rbf", "gamma": 0.5}]}))
    shown = number(grown(user)[2], "gamma")
    assert not shown.error.isVisible() and "nonsense" not in shown.field.text()


@pytest.mark.parametrize(("deed", "key"), [("wrap", "exp"), ("change", "sum")])
def test_no_kernel_is_built_that_could_not_be_opened_again(user: Hand, deed: str, key: str) -> None:
    window, panel = user.window, user.window.model_panel.kernel
    if deed == "change":
        put(window, build("kernel", {"name": "product", "of": [{"name": "rbf"}, {"name": "rbf"}]}))
    for depth in range(100):
        before = window.store.scene
        panel.build(deed, ".".join(["of.0"] * depth) if deed == "change" else "", key)
        assert link.scene(link.text(window.store.scene)).digest == window.store.scene.digest
        if window.store.scene is before:
            break
        if deed == "change":
            panel.build("change", ".".join(["of.0"] * (depth + 1)), "product")
    assert 30 < depth < 99 and "deep" in window.status.sentence.full
    assert [node.combo.key for node in panel.nodes] == [node.cls.key for node in panel.nodes]
