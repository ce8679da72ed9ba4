"""Rows of the table come and go one by one: what stays is neither read anew nor moved, and all is as in a new table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hand import LEFT, Hand
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kernelplay.i18n import say
from kernelplay.scene import Points, Scene
from kernelplay.ui.missing import AHEAD, MOST, missing, rows_gone
from kernelplay.ui.point_model import RUNS, PointModel, X
from kernelplay.ui.window import MainWindow

STEP = say("Step")


@pytest.fixture
def user(qtbot: Any, open_window: Callable[..., MainWindow]) -> Hand:
    rng = np.random.default_rng(3)
    made = Scene(classification=Points(rng.uniform(-1.8, 1.8, (40, 2)), rng.integers(0, 2, 40)))
    hand = Hand(qtbot, open_window(made.with_view((-2.0, 2.0, -2.0, 2.0)).with_model("perceptron"), size=(1280, 900)))
    hand.settled()
    return hand


def heard(model: PointModel) -> list[tuple[str, int, int]]:
    """Return the list into which goes what the model tells its view."""
    told: list[tuple[str, int, int]] = []
    model.rowsInserted.connect(lambda _, first, last: told.append(("come", first, last)))
    model.rowsRemoved.connect(lambda _, first, last: told.append(("gone", first, last)))
    model.modelReset.connect(lambda: told.append(("all", 0, 0)))
    return told


def cells(model: PointModel) -> list[list[Any]]:
    """Return all that a table shows, row by row."""
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.CheckStateRole)
    return [[model.data(model.index(row, column), role) for column in range(model.columnCount()) for role in roles]
            for row in range(model.rowCount())]


def put(window: MainWindow, points: Points) -> None:
    window.store.edit(window.store.scene.with_points(points), STEP)


def test_points_that_are_added_or_erased_are_told_as_rows(user: Hand) -> None:
    window, model = user.window, user.window.data_panel.table.points
    told, points = heard(model), user.window.store.scene.points
    put(window, points.add((0.5, 0.25)))
    put(window, window.store.scene.points.remove([3, 4, 5, 30]))
    window.store.undo()
    window.store.undo()
    assert told == [("come", 40, 40), ("gone", 30, 30), ("gone", 3, 5), ("come", 3, 5), ("come", 30, 30),
                    ("gone", 40, 40)]
    user.click(0.3, 0.3)
    assert told[6:] == [("come", 40, 40)]


def test_a_stroke_of_the_brush_resets_nothing(user: Hand) -> None:
    window, model = user.window, user.window.data_panel.table.points
    told = heard(model)
    window.store.use_tool("brush")
    user.drag([(-1.0, -1.0), *((x, x / 2) for x in np.linspace(-1, 1, 12))], wait=False)
    assert model.rowCount() > 41 and {what for what, _, _ in told} == {"come"}
    window.store.use_tool("eraser")
    user.drag([(x, y) for x, y in window.store.scene.points.xy[5:15].tolist()], wait=False)
    assert {what for what, _, _ in told} == {"come", "gone"}
    assert model.rowCount() == len(window.store.scene.points) + 1


@pytest.mark.parametrize("seed", range(2))
def test_a_table_in_long_use_shows_what_a_new_one_shows(user: Hand, seed: int) -> None:
    window, table, rng = user.window, user.window.data_panel.table, np.random.default_rng(seed)
    store, model = window.store, window.data_panel.table.points
    if seed == 1:
        table.sortByColumn(X, Qt.SortOrder.DescendingOrder)
    for _ in range(40):
        points, n = store.scene.points, len(store.scene.points)
        what = int(rng.integers(6))
        if what == 0:
            points = points.add(rng.uniform(-2, 2, (int(rng.integers(1, 6)), 2)), 1)
        elif what == 1 and n > 8:
            points = points.remove(rng.choice(n, int(rng.integers(1, 7)), replace=False).tolist())
        elif what == 2 and n:
            points = points.move([int(rng.integers(n))], rng.uniform(-2, 2, 2))
        elif what == 3 and n:
            store.select(frozenset(rng.choice(n, min(n, 5), replace=False).tolist()))
        elif what == 4:
            store.go(int(rng.integers(len(store.history.steps))))
            points = store.scene.points
        else:
            points = Points(np.vstack([points.xy[5:], [[0.5, 0.5]] * 3]), [*points.cls[5:], 0, 0, 0])
        if points is not store.scene.points:
            put(window, points)
        fresh = PointModel(store, window.look, table)
        order = [model.point(row) for row in range(model.rowCount() - 1)]
        assert sorted(order) == list(range(len(store.scene.points)))
        assert cells(model) == [cells(fresh)[row] for row in (*order, len(order))]
        assert model.rows(range(len(order))).tolist() == list(range(len(order)))
        chosen = {index.row() for index in table.selectionModel().selectedRows()}
        assert model.points_of(chosen) == store.selection
        fresh.deleteLater()
    user.settled()


def test_the_current_cell_stays_with_its_point(user: Hand) -> None:
    window, table = user.window, user.window.data_panel.table
    index = table.points.index(12, X)
    user.show(table)
    table.scrollTo(index)
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(index).center())
    put(window, window.store.scene.points.remove([2, 3, 20]))
    assert (table.currentIndex().row(), table.currentIndex().column()) == (10, X) and table._at == (10, X)
    window.store.undo()
    assert table.currentIndex().row() == 12


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=90), st.data())
@settings(deadline=None, max_examples=60)
def test_what_is_missing_is_found(rows: list[tuple[int, int]], data: st.DataObject) -> None:
    xy = np.array(rows, float).reshape(-1, 2)
    gone = sorted(data.draw(st.sets(st.integers(0, max(0, len(xy) - 1)), max_size=len(xy)))) if len(xy) else []
    more = Points(xy)
    found = missing(more, more.remove(gone))
    assert found is not None and len(found) == len(gone)
    assert np.array_equal(more.remove(found.tolist()).xy, more.remove(gone).xy)
    other = more.remove(gone).add((7.0, 7.0))
    assert missing(more.add((0.0, 0.0)), other) is None


@pytest.mark.parametrize("k", [2, 4])
def test_rows_are_gone_from_anywhere_and_too_many_only_before_the_end(k: int) -> None:
    rng = np.random.default_rng(k)
    more = np.round(rng.uniform(-3, 3, (20 * AHEAD, k)), 1 if k == 2 else 0)  # many are equal
    more[5] = -0.0
    n = len(more)
    for gone in (np.arange(0), np.arange(1), np.array([n - 1]), np.arange(n - 900, n), np.arange(AHEAD, 3 * AHEAD),
                 np.arange(0, n, 9), np.append(rng.choice(n // 2, 40, replace=False), np.arange(n // 2, n))):
        fewer = np.delete(more, gone, axis=0)
        found = rows_gone(more, fewer, n)
        assert found is not None and len(found) == len(gone)
        np.testing.assert_array_equal(np.delete(more, found, axis=0), fewer)
    other = rng.uniform(4, 5, (n, k))
    tail = rows_gone(other, other[10:n - 900], 10)
    assert tail is not None and tail.tolist() == [*range(10), *range(n - 900, n)]
    assert rows_gone(other, other[11:n - 900], 10) is None
    last = other[: n - 3].copy()
    last[-1, -1] += 1.0
    assert rows_gone(other, last, 10) is None, "it has another one, at its end"


def test_points_that_have_little_in_common_are_no_rows_that_come_and_go() -> None:
    rng = np.random.default_rng(0)
    assert missing(Points(rng.normal(size=(900, 2))), Points(rng.normal(size=(800, 2)))) is None
    assert RUNS < MOST
