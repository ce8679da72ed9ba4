"""Words that lag behind a drag, and very many points: nothing is lost, and nothing takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand import Hand
from PySide6.QtCore import QItemSelectionModel, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.spec import Real, build, kinds
from kernelplay.ui.calm import Calm
from kernelplay.ui.dialogs import unmarked
from kernelplay.ui.hand import APART, HALOS
from kernelplay.ui.number import NumberField
from kernelplay.ui.scale import Scale
from kernelplay.ui.symbols import thinned
from kernelplay.ui.window import MainWindow


def many(n: int) -> Scene:
    rng = np.random.default_rng(0)
    xy = rng.uniform(-1, 1, (n, 2))
    model = build("model", {"name": "svm", "kernel": {"name": "linear"}})
    return Scene(model=model, classification=Points(xy, (xy.sum(axis=1) > 0).astype(int)))


def test_what_is_asked_for_often_is_done_now_and_then_and_the_last_time_counts(qtbot: Any) -> None:
    owner, seen, asked = QObject(), [], [0]
    calm = Calm(owner)
    calm.due.connect(lambda: seen.append(asked[0]))
    for asked[0] in range(1, 6):
        calm.ask()
    assert seen == [1] and calm.waiting
    qtbot.waitUntil(lambda: not calm.waiting)
    assert seen == [1, 5]
    qtbot.waitUntil(lambda: not calm._timer.isActive())
    calm.ask()
    assert seen == [1, 5, 5], "after a rest at once"
    calm.stop()


def test_in_a_drag_words_come_less_often_than_pictures_and_end_true(qtbot: Any, window: MainWindow) -> None:
    user = Hand(qtbot, window)
    user.settled()
    pictures, words = [], []
    window.store.pictured.connect(pictures.append)
    window.store.told.connect(words.append)
    x, y = window.store.scene.points.xy[3].tolist()
    user.drag([(x, y), *((x + 0.02 * k, y) for k in range(1, 30))])
    picture = user.settled()
    assert 1 <= len(words) <= len(pictures)
    assert words[-1] is picture and window.status.sentence.full == str(picture.status)
    assert window.model_panel.readouts.rows() == [(str(each.label), str(each.value)) for each in picture.readouts]


def test_work_that_goes_on_is_said_behind_a_message_and_no_longer(qtbot: Any, window: MainWindow) -> None:
    user, store, line = Hand(qtbot, window), window.store, window.status.sentence
    user.settled()
    store.edit(store.scene.with_value("C", 3.0), say("Move point"))
    store.say(say("Figure copied to the clipboard."))
    window.status._busy_for_long()  # the timer's, before the picture can be there
    assert line.full.startswith("Figure copied to the clipboard. Still working on")
    user.settled()
    assert line.full == "Figure copied to the clipboard."


def test_a_moved_point_is_told_to_the_table_cell_by_cell(qtbot: Any, window: MainWindow) -> None:
    table, store, told = window.data_panel.table.points, window.store, []
    table.dataChanged.connect(lambda first, last: told.append((first.row(), first.column(), last.row(), last.column())))
    store.edit(store.scene.with_points(store.scene.points.move([3], (0.25, 0.5))), say("Move point"))
    assert told == [(3, 1, 3, 1), (3, 2, 3, 2)]
    told.clear()
    for x in (0.3, 0.4, 0.5):
        store.edit(store.scene.with_points(store.scene.points.move([3], (x, 0.5))), say("Move point"))
    qtbot.waitUntil(lambda: bool(told))
    assert told == [(3, 1, 3, 1)] and table.data(table.index(3, 1)) == "0.5"


def test_many_chosen_points_are_drawn_by_few_halos() -> None:
    xy = np.random.default_rng(1).uniform(0, 700, (50_000, 2))
    assert thinned(xy[:HALOS], HALOS, APART).tolist() == list(range(HALOS))
    kept = xy[thinned(xy, HALOS, APART)]
    assert len(kept) <= (700 / APART + 1) ** 2
    cells = {tuple(cell) for cell in np.floor(xy / APART).astype(int).tolist()}
    assert {tuple(cell) for cell in np.floor(kept / APART).astype(int).tolist()} == cells, "no place loses its halo"


def test_a_large_selection_is_that_of_the_table_too(qtbot: Any, open_window: Callable[..., MainWindow]) -> None:
    window = open_window(many(5000))
    store, table = window.store, window.data_panel.table
    table.selectAll()
    assert store.selection == frozenset(range(5000)) and table.large
    assert not table.selectionModel().hasSelection(), "Qt is told nothing of so many"
    row = table.points.index(7, 1)
    table.scrollTo(row)
    click = table.visualRect(row).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, click)
    assert store.selection == frozenset(range(5000)) - {7}
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, click)
    assert store.selection == {7} and not table.large
    store.select(frozenset({3, 4}))
    chosen = {index.row() for index in table.selectionModel().selectedRows()}
    assert chosen == {3, 4} and table.selectionModel().isRowSelected(3)
    table.selectionModel().select(table.points.index(9, 0),
                                  QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows)
    assert store.selection == {3, 4, 9}


def test_a_number_is_as_long_as_its_field_and_whole_with_the_focus(qtbot: Any, window: MainWindow) -> None:
    field = NumberField(window)
    field.show()
    typed: list[str] = []
    field.typed.connect(typed.append)
    field.show_value(-0.000416219371)
    short, whole = field.text(), "−0.000416219"
    assert len(short) < len(whole) and float(short.replace("−", "-")) == pytest.approx(-0.000416219371, rel=2e-3)
    field.setFocus()
    assert field.text() == whole
    window.canvas.setFocus()
    assert field.text() == short and typed == [], "looking at it is no edit"
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.5")
    window.canvas.setFocus()
    assert typed == ["0.5"]


@pytest.mark.parametrize("log", [False, True])
def test_a_range_as_wide_as_numbers_go_still_has_places(log: bool) -> None:
    param = next(param for cls in kinds("model").values() for param in cls.params().values()
                 if isinstance(param, Real) and param.log is log and not param.integer)
    scale = Scale(param)
    scale.follow(1e308)
    scale.low = scale.low if log else -1e308
    places = [scale.place(value) for value in (scale.low, param.default, 1e308)]
    assert places == sorted(places) and places[0] >= 0 and places[-1] <= scale.places
    assert all(np.isfinite(scale.value(place)) for place in range(0, scale.places + 1, 100))
    assert np.isfinite(scale.stepped(1e308, 10))


def test_menus_of_kernels_that_are_no_more_close(qtbot: Any, window: MainWindow) -> None:
    panel = window.model_panel.kernel
    panel.build("add", "", "linear")
    part = panel.nodes[2]
    QTest.mouseClick(part.more, Qt.MouseButton.LeftButton)
    menu = part.more.opens
    assert isinstance(menu, QMenu) and menu.isVisible()
    window.store.undo()
    assert not menu.isVisible()


def test_coordinates_that_no_scene_may_have_are_not_pasted(qtbot: Any, window: MainWindow) -> None:
    from kernelplay.ui.exchange import paste

    before = window.store.scene
    paste(window.store, "1e308,1e308,1\n0,0,-1\n")
    assert window.store.scene is before and "1e100" in window.status.sentence.full


def test_the_words_of_a_menu_lose_the_marks_of_their_keys() -> None:
    assert [unmarked(text) for text in ("&File", "E&xamples", "파일(&F)", "表示 (&V)", "Mouse and keyboard")] == [
        "File", "Examples", "파일", "表示", "Mouse and keyboard"]
