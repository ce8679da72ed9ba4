"""Far from the data a function that decays is flat to rounding: no line is drawn that rounding alone would draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernelplay.marks import Curve
from kernelplay.models.base import View
from kernelplay.models.gpc import GPClassificationFit
from kernelplay.numerics import contour
from kernelplay.spec import build, kinds

XOR = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])
RNG = np.random.default_rng(3)
CLOUD = RNG.normal(size=(24, 2))
PROBLEMS = {"symmetric": (XOR, np.array([1, 1, -1, -1])),
            "cloud": (CLOUD, np.where(CLOUD[:, 0] + 0.3 * RNG.normal(size=24) > 0, 1, -1))}
KERNELS = ("rbf", "matern12", "matern52", "rational_quadratic")
VIEWS = {"around": (-120.0, 120.0, -90.0, 90.0), "beside": (30.0, 70.0, 20.0, 50.0), "near": (-2.0, 2.0, -1.5, 1.5)}
MODELS = [key for key, model in kinds("model").items() if model.task == "classification"]


def function(fit: Any, Z: np.ndarray) -> np.ndarray:
    """Return what the boundary is the zero of, as it is drawn."""
    return fit.p(Z) - 0.5 if isinstance(fit, GPClassificationFit) else fit.decision_function(Z)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("where", VIEWS)
def test_every_piece_of_a_boundary_lies_where_the_function_is_not_zero_to_rounding(where: str, problem: str, model: str,
                                                                                  kernel: str) -> None:
    fit = build("model", {"name": model, "kernel": {"name": kernel}}).fit(*PROBLEMS[problem])
    x0, x1, y0, y1 = VIEWS[where]
    view = View((x0, x1), (y0, y1), 60, 45)
    canvas = fit.charts(view)[0]
    lines = [line for mark in canvas.marks if isinstance(mark, Curve) and mark.role == "boundary"
             for line in mark.lines]
    middle = np.vstack([np.zeros((0, 2)), *((line[:-1] + line[1:]) / 2 for line in lines)])
    step = np.array([(x1 - x0) / 60, (y1 - y0) / 45])
    around = [np.abs(function(fit, middle + step * way)) for way in
              np.array(np.meshgrid([-1, 0, 1], [-1, 0, 1])).reshape(2, -1).T]
    assert (np.max(around, axis=0) > 4 * np.finfo(float).eps).all()
    if where == "near":
        assert len(middle) > 20, "where there is something to see nothing is left out"


def test_lines_of_what_is_nowhere_flat_are_those_of_contourpy_and_flat_squares_have_none() -> None:
    from contourpy import contour_generator

    x = y = np.linspace(-3.0, 3.0, 41)
    values = np.exp(-x[:, None] ** 2 - y**2) * (x[:, None] + y)
    (plain,) = contour.lines(values, x, y, [0.1])
    for mine, other in zip(plain, contour_generator(x, y, values).lines(0.1), strict=True):
        np.testing.assert_array_equal(mine, other)
    noise = np.where(np.hypot(*np.meshgrid(x, y)) > 1.5, 1e-17 * np.sign(np.sin(37 * values)), values)
    (kept,) = contour.lines(noise, x, y, [0.0])
    places = np.vstack(kept)
    assert len(places) and np.hypot(*places.T).max() < 1.5 + 2 * 0.15 * np.sqrt(2)
    (scaled,) = contour.lines(1e-20 * values, x, y, [0.0], scale=1.0)
    assert not scaled, "beside terms of 1 all of it is rounding"
    assert contour.lines(1e-20 * values, x, y, [0.0])[0], "by itself it is not"
