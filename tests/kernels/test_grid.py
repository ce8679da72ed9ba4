"""Kernel expansions on grids and lines, and level lines."""

from __future__ import annotations

import numpy as np
import pytest

from kernelplay.errors import Cancelled
from kernelplay.kernels.base import Kernel
from kernelplay.numerics import contour, grid
from kernelplay.spec import build, kinds

X_AXIS, Y_AXIS = grid.cell_centres(-3, 2, 31), grid.cell_centres(-1, 4, 23)
POINTS = np.column_stack([np.tile(X_AXIS, 23), np.repeat(Y_AXIS, 31)])


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    return rng.normal(scale=1.5, size=(n, 2)), rng.normal(size=(n, 3))


def test_cell_centres() -> None:
    assert np.allclose(grid.cell_centres(-1, 1, 4), [-0.75, -0.25, 0.25, 0.75])


@pytest.mark.parametrize("n", [7, 600])
@pytest.mark.parametrize("key", [*kinds("kernel"), "matern12 + 2*poly + 3*(rbf + exp(rbf))", "matern32 * periodic"])
def test_the_field_is_the_expansion_at_every_cell(key: str, n: int) -> None:
    X, coef = data(n)
    kernel = Kernel.from_text(key).bind(X)
    expected = (kernel(POINTS, X) @ coef).T.reshape(3, 23, 31)
    close = 1e-12 * np.max(np.abs(kernel(POINTS, X))) * n
    fields = grid.evaluate(kernel, X, coef, X_AXIS, Y_AXIS)
    assert fields.shape == (3, 23, 31)
    assert np.max(np.abs(fields - expected)) <= close
    one = grid.evaluate(kernel, X, coef[:, 0], X_AXIS, Y_AXIS)
    assert one.shape == (23, 31)
    assert np.max(np.abs(one - expected[0])) <= close


@pytest.mark.parametrize("key", ["rbf", "matern32", "poly"])
def test_points_without_weight_change_nothing(key: str) -> None:
    X, coef = data(50)
    kernel = Kernel.from_text(key)
    coef[::2] = 0
    full = grid.evaluate(kernel, X, coef, X_AXIS, Y_AXIS)
    X[::2] = np.nan  # a point without weight is not even looked at
    assert np.array_equal(grid.evaluate(kernel, X, coef, X_AXIS, Y_AXIS), full)
    assert not grid.evaluate(kernel, X, 0 * coef, X_AXIS, Y_AXIS).any()
    assert grid.evaluate(kernel, X[:0], coef[:0, 0], X_AXIS, Y_AXIS).shape == (23, 31)
    assert grid.evaluate_line(kernel, X[:0, :1], coef[:0], X_AXIS).shape == (3, 31)


@pytest.mark.parametrize("key", kinds("kernel"))
def test_rows_are_the_kernel_matrix_in_blocks(key: str) -> None:
    X, _ = data(40)
    kernel = build("kernel", {"name": key}).bind(X)
    expected = kernel(POINTS, X)
    K = np.full(expected.shape, np.nan)
    for where, block in grid.rows(kernel, X, X_AXIS, Y_AXIS):
        assert len(block) <= grid.ROWS
        K[where] = block
    assert np.max(np.abs(K - expected)) <= 1e-12 * np.max(np.abs(expected))


def test_on_a_line() -> None:
    rng = np.random.default_rng(1)
    X, coef, x = rng.normal(size=(30, 1)), rng.normal(size=(30, 2)), np.linspace(-3, 3, 1200)
    kernel = Kernel.from_text("matern52 + linear")
    expected = (kernel(x[:, None], X) @ coef).T
    assert np.allclose(grid.evaluate_line(kernel, X, coef, x), expected, rtol=1e-12, atol=1e-12)
    assert np.allclose(grid.evaluate_line(kernel, X, coef[:, 0], x), expected[0], rtol=1e-12, atol=1e-12)
    assert [where for where, _ in grid.rows(kernel, X, x, None)] == [slice(0, 512), slice(512, 1024), slice(1024, 1200)]


@pytest.mark.parametrize("key", ["rbf", "matern32", "poly", "linear + matern12"])
def test_the_check_stops_it(key: str) -> None:
    X, coef = data(600)
    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        grid.evaluate(Kernel.from_text(key), X, coef[:, 0], X_AXIS, Y_AXIS, check)
    assert calls == 2
    calls = 0
    with pytest.raises(Cancelled):
        list(grid.rows(Kernel.from_text(key), X, X_AXIS, Y_AXIS, check))


@pytest.mark.parametrize("n", [50, 200])
def test_circles(n: int) -> None:
    x, y = grid.cell_centres(-2, 2, n), grid.cell_centres(-1.5, 1.5, n)
    field = x**2 + y[:, None] ** 2
    levels = (0.25, 1.0, 100.0)
    lines = contour.lines(field, x, y, levels)
    assert [len(some) for some in lines] == [1, 1, 0]
    for level, (line,) in zip(levels, lines[:2], strict=False):
        assert np.array_equal(line[0], line[-1])
        radius = np.hypot(*line.T)
        assert np.max(np.abs(radius - np.sqrt(level))) < 0.6 * (4 / n) ** 2  # h²/(8 r) from linear interpolation
        assert len(line) > n / 4


def test_level_lines_leave_out_what_is_not_finite() -> None:
    x = y = grid.cell_centres(-1, 1, 40)
    field = x + 0 * y[:, None]
    field[:10] = np.nan
    field[10, 5] = np.inf
    (lines,) = contour.lines(field, x, y, (0.0,))
    assert len(lines) == 1
    assert np.allclose(lines[0][:, 0], 0, atol=1e-12)
    assert lines[0][:, 1].min() == pytest.approx(y[10]) and lines[0][:, 1].max() == pytest.approx(y[-1])


def test_level_lines_of_next_to_nothing() -> None:
    x = np.arange(3.0)
    assert contour.lines(np.zeros((3, 3)), x, x, ()) == []
    assert contour.lines(np.zeros((1, 3)), x, x[:1], (0.5, 1.0)) == [(), ()]
    assert contour.lines(np.full((3, 3), np.nan), x, x, (0.5,)) == [()]
    assert contour.lines(np.ones((3, 3), np.float32), x, x, (0.5,)) == [()]
