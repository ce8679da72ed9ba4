"""The document: points, tasks, models that are remembered, fingerprints."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kernelplay.errors import SpecError
from kernelplay.scene import Points, Scene, data_view, point_marks
from kernelplay.spec import build

POINTS = Points([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [0, 1, 2])


def test_editing_points_makes_new_ones() -> None:
    before = POINTS.xy.copy()
    moved = POINTS.move([1], [9.0, 9.0])
    assert moved.xy[1].tolist() == [9, 9] and moved.xy[[0, 2]].tolist() == [[0, 1], [4, 5]]
    assert POINTS.add([[6, 7], [8, 9]], 1).cls.tolist() == [0, 1, 2, 1, 1]
    assert POINTS.remove([0, 2]).xy.tolist() == [[2, 3]] and POINTS.remove([0, 2]).cls.tolist() == [1]
    assert POINTS.assign([0], 2).cls.tolist() == [2, 1, 2]
    assert POINTS.switch([1], False).on.tolist() == [True, False, True]
    np.testing.assert_array_equal(POINTS.xy, before)
    with pytest.raises(ValueError, match="read-only"):
        POINTS.xy[0, 0] = 5.0


def test_the_points_of_each_task_are_kept_apart() -> None:
    scene = Scene().with_points(POINTS)
    curve = scene.with_model("gpr").with_points(Points([[0.0, 1.0]]))
    assert len(curve.points) == 1 and len(curve.classification) == 3
    assert curve.with_model("svm").points is POINTS


def test_a_model_comes_back_as_it_was_set_with_the_kernel_in_use_now() -> None:
    scene = Scene().with_value("C", 7.0).with_value("kernel", {"name": "linear"})
    there = scene.with_model("gpc").with_value("kernel", {"name": "poly"})
    back = there.with_model("svm")
    assert back.model.get("C") == 7.0 and back.model.get("kernel").key == "poly"
    assert back.with_model("gpr").model.get("kernel") == Scene().with_model("gpr").model.get("kernel")
    assert [type(model).key for model in back.shelf] == ["gpc"]
    with pytest.raises(SpecError, match="no parameter D"):
        scene.with_value("D", 1)


def test_training_takes_what_is_switched_on_and_puts_class_0_first() -> None:
    scene = Scene(classes=("a", "b", "c")).with_points(POINTS.switch([0], False))
    X, y, labels, roles, rows = scene.training()
    assert X.tolist() == [[2, 3], [4, 5]] and rows.tolist() == [1, 2]
    assert y.tolist() == [-1, 2] and labels == (-1, 2) and roles == ("class1", "class2")
    X, y, labels, roles, rows = scene.with_model("gpr").with_points(Points([[1.0, 2.0]])).training()
    assert X.tolist() == [[1]] and y.tolist() == [2] and labels == ()


def test_the_fingerprint_follows_everything_but_the_view() -> None:
    scene = Scene().with_points(POINTS)
    assert scene.with_view((0.0, 1.0, 0.0, 1.0)).digest == scene.digest
    assert scene.with_view((0.0, 1.0, 0.0, 1.0)).with_view(None).view is None
    others = [scene.with_value("C", 2.0), scene.with_points(POINTS.move([0], [0.0, 1.0000001])),
              scene.with_points(POINTS.assign([0], 1)), scene.with_points(POINTS.switch([0], False)),
              scene.with_model("gpc"), scene.with_value("kernel.gamma", 0.3)]
    digests = {other.digest for other in (scene, *others)}
    assert len(digests) == len(others) + 1


@pytest.mark.parametrize("xy", [[], [[3.0, 3.0]], [[1e9, 0.0], [1e9, 1.0]], [[0.0, 0.0], [1e-9, 0.0]],
                                [[1e6 + 1e-3, 1e6], [1e6, 1e6 + 1e-3]]])
def test_there_is_a_view_with_room_for_any_points(xy: list[list[float]]) -> None:
    for scene in (Scene(), Scene().with_model("gpr")):
        scene = scene.with_points(Points(xy))
        x0, x1, y0, y1 = data_view(scene)
        assert x0 < x1 and y0 < y1 and np.isfinite([x0, x1, y0, y1]).all()
        for x, y in xy:
            assert x0 < x < x1 and y0 < y < y1


def test_every_point_has_one_dot_and_knows_its_row() -> None:
    scene = Scene(classes=("a", "b", "c")).with_points(POINTS.switch([2], False))
    marks = point_marks(scene)
    assert sorted(row for mark in marks for row in mark.index.tolist()) == [0, 1, 2]
    assert [mark.role for mark in marks] == ["class0", "class1", "faded"]
    assert "a" in str(marks[0].label)


@pytest.mark.parametrize("model", ["perceptron", "svm", "gpc"])
@pytest.mark.parametrize("cls", range(8))
def test_points_of_one_class_alone_are_an_answer_or_a_sentence(model: str, cls: int) -> None:
    from kernelplay.compute import cold

    scene = Scene(classes=tuple("abcdefgh")).with_model(model).with_points(Points([[0.0, 1.0], [1.0, 0.0]], [cls, cls]))
    _, y, labels, roles, _ = scene.training()
    assert len(labels) == len(roles) == 2 and y[0] in labels and f"class{cls}" in roles
    picture = cold(scene, resolution=8)
    assert (picture.problem is None) == (model == "gpc")
    if model == "gpc":
        assert (picture.fit.predict(picture.fit.X) == y).all()


def test_a_gaussian_process_takes_the_kernel_over_with_a_height_of_its_own() -> None:
    scene = Scene(model=build("model", {"name": "svm", "kernel": {"name": "rbf", "gamma": 3.0}}))
    gpc = scene.with_model("gpc")
    assert gpc.model.kernel.to_dict() == {"name": "scale", "factor": 1.0, "of": {"name": "rbf", "gamma": 3.0}}
    assert gpc.with_model("svm").model.kernel == scene.model.kernel, "a height of 1 is nothing to carry back"
    higher = gpc.with_value("kernel.factor", 2.0).with_model("svm")
    assert higher.model.kernel.get("factor") == 2.0
    assert higher.with_model("gpc").model.kernel == higher.model.kernel, "it has a height already"


def test_every_class_has_a_look_of_its_own_whatever_is_given() -> None:
    assert Scene(classes=tuple("abcdefgh")).looks == tuple(range(8))
    scene = Scene(classes=("a", "b", "c"), looks=(2, 0))
    assert scene.looks == (2, 0, 1) and scene.roles == ("class2", "class0", "class1")
    assert dataclasses.replace(scene, classes=("a", "b", "c", "d")).looks == (2, 0, 1, 3)
    assert dataclasses.replace(scene, classes=("a", "b")).looks == (2, 0)


def test_taking_the_look_of_another_class_gives_it_ones_own() -> None:
    scene = Scene(classes=("a", "b", "c"))
    assert scene.with_look(0, 2).looks == (2, 1, 0) and scene.with_look(0, 7).looks == (7, 1, 2)
    assert scene.with_look(1, 1).looks == scene.looks
    for look in range(8):
        assert len(set(scene.with_look(1, look).looks)) == 3
        assert scene.with_look(1, look).with_look(1, 1).digest == scene.digest


def test_a_class_that_goes_or_moves_takes_its_points_its_name_and_its_look() -> None:
    scene = Scene(classes=("a", "b", "c"), looks=(4, 5, 6)).with_points(POINTS)
    without = scene.without_class(1)
    assert without.classes == ("a", "c") and without.looks == (4, 6)
    assert without.points.xy.tolist() == [[0, 1], [4, 5]] and without.points.cls.tolist() == [0, 1]
    moved = scene.with_class_at(2, 0)
    assert moved.classes == ("c", "a", "b") and moved.looks == (6, 4, 5) and moved.points.cls.tolist() == [1, 2, 0]
    assert moved.with_class_at(0, 2).digest == scene.digest
    worn = {scene.roles[cls] for cls in scene.points.cls}
    assert {moved.roles[cls] for cls in moved.points.cls} == worn


def test_the_field_and_the_marks_wear_the_looks_of_their_classes() -> None:
    scene = Scene(classes=("a", "b", "c"), looks=(4, 5, 6)).with_points(POINTS)
    assert scene.training()[3] == ("class4", "class5", "class6")
    assert [mark.role for mark in point_marks(scene)] == ["class4", "class5", "class6"]
    alone = scene.with_points(POINTS.assign([0, 1, 2], 2))
    assert alone.training()[3] == ("class6", "class4"), "what it is not, too"
