"""Whole ways through the window with mouse and keys alone, one for each model."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand import RIGHT, Hand
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from kernelplay.compute import cold
from kernelplay.marks import Picture
from kernelplay.scene import Points, Scene
from kernelplay.spec import build
from kernelplay.ui.forms import NumberRow
from kernelplay.ui.theme import LIGHT
from kernelplay.ui.window import MainWindow

PLUS = [(1.0, 1.0), (1.5, 0.5), (0.6, 1.4)]
MINUS = [(-1.0, -1.0), (-1.5, -0.4), (-0.5, -1.4)]
CURVE = [(-1.5, -1.0), (-0.7, 0.4), (0.1, 1.1), (0.9, 0.3), (1.6, -0.9)]
CLASSIFIERS, REGRESSORS = ("perceptron", "svm", "gpc"), ("svr", "krr", "gpr")
SLIDER = {"perceptron": "eta", "svm": "C", "gpc": "nu", "svr": "C", "krr": "lambda_", "gpr": "noise_var"}


def near(colour: QColor, other: str, tolerance: int = 24) -> bool:
    wanted = QColor(other)
    return all(abs(a - b) <= tolerance for a, b in zip(colour.getRgb()[:3], wanted.getRgb()[:3], strict=True))


@pytest.fixture
def hand(qtbot: Any, open_window: Callable[..., MainWindow]) -> Callable[..., Hand]:
    def with_scene(scene: Scene) -> Hand:
        return Hand(qtbot, open_window(scene))

    return with_scene


@pytest.mark.parametrize("model", CLASSIFIERS)
def test_classification_from_the_first_click_to_the_figure(
    hand: Callable[..., Hand], model: str, tmp_path: Path
) -> None:
    start = Scene().with_view((-2.0, 2.0, -2.0, 2.0))
    user = hand(start)
    scene = user.window.store.scene
    for x, y in PLUS:
        user.click(x, y)
    for x, y in MINUS:
        user.click(x, y, RIGHT)
    assert user.settled().problem is None
    points = user.window.store.scene.points
    assert points.cls.tolist() == [0, 0, 0, 1, 1, 1]
    np.testing.assert_allclose(points.xy, user.clicked, atol=1e-12)

    user.choose(user.window.model_panel.model.combo, model)
    picture = user.settled()
    assert picture.fit.model.key == model
    blue, red = user.pixel(1.4, 1.4), user.pixel(-1.4, -1.4)
    assert blue.blue() > blue.red() + 8, "the field is blue where f > 0"
    assert red.red() > red.blue() + 8, "and vermilion where f < 0"
    assert near(user.pixel(*points.xy[0]), LIGHT.style("class0").fill), "the disc lies exactly where the click was"

    seen: list[Picture] = []
    user.window.store.pictured.connect(seen.append)
    x0, y0 = points.xy[1]
    path = [(x0, y0), *[(x0 + 0.04 * k, y0 - 0.06 * k) for k in range(1, 9)]]
    user.drag(path)
    user.settled()
    assert_followed(seen, 1, user)
    assert len(user.window.store.history.steps) == len(PLUS) + len(MINUS) + (model != "svm") + 2, "a drag is one step"

    move_slider(user, model)
    leave_and_come_back(user, scene, len(user.window.store.history.steps) - 1)
    export(user, tmp_path / "figure.png")
    export(user, tmp_path / "figure.svg")


@pytest.mark.parametrize("model", REGRESSORS)
def test_regression_from_the_first_click_to_the_figure(hand: Callable[..., Hand], model: str, tmp_path: Path) -> None:
    start = Scene(model=build("model", {"name": "svr"})).with_view((-2.0, 2.0, -2.0, 2.0))
    user = hand(start)
    scene = user.window.store.scene
    for x, t in CURVE:
        user.click(x, t)
    user.choose(user.window.model_panel.model.combo, model)
    picture = user.settled()
    assert picture.fit.model.key == model and len(user.window.store.scene.points) == len(CURVE)
    x = 0.5
    t = float(np.ravel(picture.fit.predict(np.array([[x]])))[0])
    assert near(user.pixel(x, t), LIGHT.style("mean").line, 60), "the curve passes where the fit says"

    seen: list[Picture] = []
    user.window.store.pictured.connect(seen.append)
    x0, t0 = user.window.store.scene.points.xy[2]
    user.drag([(x0, t0), *[(x0, t0 - 0.1 * k) for k in range(1, 9)]])
    user.settled()
    assert_followed(seen, 2, user)
    move_slider(user, model)
    leave_and_come_back(user, scene, len(user.window.store.history.steps) - 1)
    export(user, tmp_path / "figure.pdf")


def assert_followed(seen: list[Picture], row: int, user: Hand) -> None:
    """More than one picture came while the hand moved, none went back, and the last is what a cold fit gives."""
    assert len(seen) > 2
    places = [picture.scene.points.xy[row] for picture in seen]
    way = [float(np.linalg.norm(place - places[0])) for place in places]
    assert way == sorted(way)
    assert len(set(way)) > 2
    last = user.settled()
    np.testing.assert_array_equal(last.scene.points.xy, user.window.store.scene.points.xy)
    fresh = cold(last.scene)
    Z = np.random.default_rng(0).uniform(-2, 2, (40, fresh.fit.X.shape[1]))
    np.testing.assert_allclose(last.fit.decision_function(Z), fresh.fit.decision_function(Z), rtol=1e-6, atol=1e-7)


def move_slider(user: Hand, model: str) -> None:
    """Drag the slider of the model's main parameter: the value follows, as one step."""
    form = user.window.model_panel.model.form
    assert form is not None
    row = form.rows[SLIDER[model]]
    assert isinstance(row, NumberRow)
    before, steps = user.window.store.scene.model.get(SLIDER[model]), len(user.window.store.history.steps)
    user.slide(row.slider, 0.8)
    value = user.window.store.scene.model.get(SLIDER[model])
    assert value != before
    assert value == pytest.approx(row.scale.value(round(0.8 * row.scale.places)), rel=0.1)
    assert len(user.window.store.history.steps) == steps + 1
    assert form is user.window.model_panel.model.form and form.rows[SLIDER[model]] is row, "nothing was rebuilt"
    user.settled()


def leave_and_come_back(user: Hand, scene: Scene, steps: int) -> None:
    """Undo everything: the first scene is there again; redo everything: so is the last."""
    last = user.window.store.scene
    user.canvas.setFocus()
    user.keys("Ctrl+Z", steps)
    assert user.window.store.history.undoable is None, (
        user.window.store.history.at,
        str(user.window.store.history.undoable),
    )
    assert user.window.store.scene.to_dict() == scene.to_dict() | {"views": user.window.store.scene.to_dict()["views"]}
    assert user.window.store.history.undoable is None
    user.keys("Ctrl+Shift+Z", steps)
    assert user.window.store.scene.digest == last.digest
    user.settled()


def export(user: Hand, path: Path) -> None:
    """Write the figure by the keyboard, and look into the file."""
    def fill(dialog: Any) -> None:
        field: QLineEdit = dialog.path
        field.selectAll()
        QTest.keyClicks(field, str(path))
        QTest.keyClick(field, "\r")
        user.bot.waitUntil(lambda: not dialog.isVisible(), timeout=20_000)

    user.in_dialog(fill, lambda: user.keys("Ctrl+E"))
    assert path.exists()
    if path.suffix == ".png":
        image = QImage(str(path))
        size = 2 * user.canvas.viewport().size()  # as in the window, at 192 dots per inch
        assert (image.width(), image.height()) == (size.width(), size.height())
        colours = {image.pixelColor(x, y).name() for x in range(0, size.width(), 8) for y in range(0, size.height(), 8)}
        assert LIGHT.style("class0").fill.lower() in colours, "a disc of the first class is in the picture"
    elif path.suffix == ".svg":
        assert re.search(r"<svg", path.read_text("utf-8"))
    else:
        assert path.read_bytes().startswith(b"%PDF")


def test_random_edits_all_undone_give_back_the_first_scene(hand: Callable[..., Hand]) -> None:
    rng = np.random.default_rng(7)
    xy = rng.uniform(-1.5, 1.5, (12, 2))
    user = hand(Scene(classification=Points(xy, (xy[:, 0] > 0).astype(int))).with_view((-2.0, 2.0, -2.0, 2.0)))
    window = user.window
    first = window.store.scene
    user.settled()

    def place() -> tuple[float, float]:
        x, y = rng.uniform(-1.6, 1.6, 2).tolist()
        return x, y

    def number_row(path: str) -> NumberRow:
        form = window.model_panel.model.form
        root = window.model_panel.kernel.root
        assert form is not None and root is not None
        row = form.rows[path] if path in form.rows else root.form.rows[path]
        assert isinstance(row, NumberRow)
        return row

    def add() -> None:
        user.click(*place())

    def add_other() -> None:
        user.click(*place(), RIGHT)
        popup = QApplication.activePopupWidget()  # the menu of a point, if one lay there
        if popup is not None:
            QTest.keyClick(popup, Qt.Key.Key_Escape)
            user.back()

    def drag() -> None:
        points = window.store.scene.points
        if len(points):
            x, y = points.xy[rng.integers(len(points))].tolist()
            user.drag([(x, y), place()], wait=False)

    def delete_all() -> None:
        user.keys("Ctrl+A")
        user.keys("Del")

    def type_gamma() -> None:
        field = number_row("gamma").field
        user.show(field)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, f"{rng.uniform(0.1, 5):.2f}")
        QTest.keyClick(field, Qt.Key.Key_Return)

    def slide_penalty() -> None:
        user.slide(number_row("C").slider, rng.uniform(0.2, 0.9), steps=2)

    def hide_a_layer() -> None:
        ticks = [tick for tick in window.model_panel.layers.ticks.values() if tick.isVisible()]
        user.press(ticks[rng.integers(len(ticks))])

    def undo() -> None:
        user.keys("Ctrl+Z")

    def redo() -> None:
        user.keys("Ctrl+Shift+Z")

    deeds = (add, add_other, drag, type_gamma, slide_penalty, hide_a_layer, undo, redo, add, drag)
    done = set()
    for turn in range(40):
        deed = delete_all if turn == 25 else deeds[rng.integers(len(deeds))]
        deed()
        done.add(deed)
        window.canvas.setFocus()
    assert len(done) == 9, "everything was tried"
    while window.store.history.undoable is not None:
        user.keys("Ctrl+Z")
    assert window.store.scene.digest == first.digest
    picture = user.settled()
    fresh = cold(first)
    np.testing.assert_allclose(picture.fit.decision_function(xy), fresh.fit.decision_function(xy), rtol=1e-6, atol=1e-7)
