"""Data sets: laws over all of them, and the shape that each promises."""

from __future__ import annotations

import numpy as np
import pytest

from kernelplay.datasets.base import Dataset
from kernelplay.datasets.iris import Iris, flowers
from kernelplay.scene import Scene
from kernelplay.spec import Choice, Real, build, kinds

ALL = kinds("dataset")


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_laws(cls: type[Dataset]) -> None:
    data = cls(n=40, seed=3)
    points = data.make()
    assert len(points) == 40 and np.isfinite(points.xy).all()
    np.testing.assert_array_equal(points.xy, cls(n=40, seed=3).make().xy)
    assert (cls(n=40, seed=4).make().xy != points.xy).any()
    assert set(points.cls) <= set(range(len(cls.classes)))
    if data.task == "classification":
        assert set(points.cls) == set(range(len(cls.classes)))
    assert "noise" in cls.params()


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_every_end_of_every_parameter_gives_points(cls: type[Dataset]) -> None:
    for name, param in cls.params().items():
        values = [param.low, param.high] if isinstance(param, Real) else []
        values += [key for key, _ in param.options] if isinstance(param, Choice) else []
        for value in values:
            points = build("dataset", {"name": cls.key, name: value}).make()
            assert np.isfinite(points.xy).all() and len(points), (name, value)


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_it_goes_into_a_scene_of_the_other_task(cls: type[Dataset]) -> None:
    other = Scene().with_model("gpr" if cls.task == "classification" else "svm").with_view((0.0, 1.0, 0.0, 1.0))
    scene = cls().into(other)
    assert scene.task == cls.task and len(scene.points) == cls().n and scene.view is None
    assert cls.task == "regression" or scene.classes == cls.classes
    assert scene.views == other.views


def test_the_margin_is_empty() -> None:
    data = build("dataset", {"name": "separable", "n": 200, "margin": 1.0, "angle": 90.0})
    points = data.make()
    assert np.abs(points.xy[:, 1]).min() >= 0.5
    np.testing.assert_array_equal(points.cls == 0, points.xy[:, 1] > 0)


def test_shapes_without_noise() -> None:
    xor = build("dataset", {"name": "xor", "noise": 0.0}).make()
    np.testing.assert_array_equal(np.sign(xor.xy.prod(axis=1)), np.where(xor.cls == 0, 1.0, -1.0))
    rings = build("dataset", {"name": "rings", "noise": 0.0, "inner": 0.5}).make()
    np.testing.assert_allclose(np.hypot(*rings.xy.T), np.where(rings.cls == 0, 0.5, 1.0))
    board = build("dataset", {"name": "checkerboard", "cells": 2}).make()
    np.testing.assert_array_equal(board.cls == 0, board.xy.prod(axis=1) > 0)
    sine = build("dataset", {"name": "sine", "noise": 0.0, "gap": 0.4}).make()
    np.testing.assert_allclose(sine.xy[:, 1], np.sin(2 * np.pi * sine.xy[:, 0]))
    assert not ((sine.xy[:, 0] > 0.3 + 1e-12) & (sine.xy[:, 0] < 0.7 - 1e-12)).any()
    step = build("dataset", {"name": "step", "noise": 0.0}).make()
    np.testing.assert_array_equal(step.xy[:, 1], np.where(step.xy[:, 0] < 0, -1.0, 1.0))


def test_iris_is_fishers() -> None:
    X, species = flowers()
    assert X.shape == (150, 4) and np.bincount(species).tolist() == [50, 50, 50]
    np.testing.assert_allclose(X[species == 0].mean(axis=0), [5.006, 3.428, 1.462, 0.246])  # Fisher 1936, Table II
    np.testing.assert_allclose(X[species == 1].mean(axis=0), [5.936, 2.770, 4.260, 1.326])
    points = Iris(x="sepal_length", y="sepal_width").make()
    np.testing.assert_array_equal(points.xy, X[:, :2])
    assert points.names == ("sepal length (cm)", "sepal width (cm)")
