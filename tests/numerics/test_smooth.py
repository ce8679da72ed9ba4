"""Functions over a rectangle from few values: right to the tolerance, and never from too few."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kernelplay.numerics import smooth

X, Y = np.linspace(-2, 3, 120), np.linspace(10, 11, 90)
PROBES = np.random.default_rng(0).uniform((-2, 10), (3, 11), (40, 2))


def mapped(f: Callable[[np.ndarray, np.ndarray], np.ndarray], probes: np.ndarray = PROBES) -> tuple[np.ndarray, int]:
    """Return the map of f and how many of its values were taken."""
    taken = 0

    def on_grid(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        nonlocal taken
        taken += len(x) * len(y)
        return f(x[None, :], y[:, None])

    values = smooth.over_rectangle(on_grid, lambda Z: f(Z[:, 0], Z[:, 1]), probes, X, Y, 1e-7)
    assert values.shape == (90, 120)
    return values, taken


@pytest.mark.parametrize("f", [
    lambda x, y: np.sin(3 * x) * np.exp(y - 10) + x * y,
    lambda x, y: np.exp(-4 * ((x - 0.3) ** 2 + 9 * (y - 10.4) ** 2)),
    lambda x, y: 3.0 + 0 * x * y,
])
def test_a_smooth_function_takes_few_values(f: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
    values, taken = mapped(f)
    assert np.abs(values - f(X[None, :], Y[:, None])).max() < 1e-6
    assert taken < len(X) * len(Y) / 2


@pytest.mark.parametrize("f", [
    lambda x, y: np.abs(x - 0.1234) + 0 * y,
    lambda x, y: np.where(x + y > 10.7, 1.0, 0.0),
    lambda x, y: np.exp(-1e5 * sum((x - a) ** 2 + (y - b) ** 2 for a, b in PROBES[:1])),
])
def test_any_other_is_evaluated_directly(f: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
    values, _ = mapped(f)
    assert (values == f(X[None, :], Y[:, None])).all()


def test_without_a_probe_in_the_rectangle_it_still_looks() -> None:
    values, _ = mapped(lambda x, y: np.cos(x) * y, np.array([[50.0, 50.0]]))
    assert np.abs(values - np.cos(X[None, :]) * Y[:, None]).max() < 1e-6
