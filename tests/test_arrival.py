"""What a table brings into a scene, and which of its columns the canvas takes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kernelplay import arrival, columns
from kernelplay.errors import FileError
from kernelplay.guess import guess
from kernelplay.reading import LAST, NOTHING, Reading
from kernelplay.scene import Points, Scene

FLOWERS = b"id,a,b,c,kind\nf1,1,2,3,x\nf2,4,5,6,y\nf3,7,8,9,x\n"


def chosen(content: bytes, alone: bool = False) -> Reading:
    return columns.for_canvas(content, guess(content, "t.csv").reading, "t.csv", alone)


def come(scene: Scene, content: bytes, add: bool = False, **changes: object) -> arrival.Arrival:
    reading = dataclasses.replace(chosen(content), **changes)  # type: ignore[arg-type]
    return arrival.arrive(scene, arrival.read(content, "t.csv", reading), add)


@pytest.mark.parametrize(("content", "task", "inputs", "target", "classes"), [
    (FLOWERS, "classification", (1, 2), 4, "each"), (b"x,t\n1,2.5\n2,3.5\n", "regression", (0,), 1, "each"),
    (b"a,b,c\n1,2,2.5\n2,3,3.5\n", "regression", (0,), 2, "each"),
    (b"+1 1:2 2:3\n-1 2:4\n", "classification", (0, 1), LAST, "each"),
    ("".join(f"{i},{i},k{i % 9}\n" for i in range(40)).encode(), "classification", (0, 1), 2, "rest"),
])
def test_the_columns_that_the_canvas_can_take(content: bytes, task: str, inputs: tuple[int, ...], target: int,
                                              classes: str) -> None:
    reading = chosen(content)
    assert (reading.task, reading.inputs, reading.target, reading.classes) == (task, inputs, target, classes)
    assert len(come(Scene(), content).points) > 0, "what is offered can come in"


def test_two_columns_of_numbers_may_be_points_without_labels() -> None:
    reading = chosen(b"1,2\n3,4\n", alone=True)
    assert (reading.task, reading.inputs, reading.target) == ("classification", (0, 1), NOTHING)
    table = arrival.read(b"1,2\n3,4\n", "t.csv", reading)
    assert arrival.arrive(Scene(), table, False, current_class=1).points.cls.tolist() == [1, 1]


def test_a_column_that_is_chosen_again_changes_places() -> None:
    reading = chosen(FLOWERS)
    seen = columns.preview(FLOWERS, reading, "t.csv")
    assert columns.assigned(reading, seen, 3, "x1").inputs == (3, 2)
    assert columns.assigned(reading, seen, 2, "x1").inputs == (2, 1)
    swapped = columns.assigned(reading, seen, 4, "x1")
    assert swapped.inputs == (4, 2) and swapped.target == 1
    bare = columns.assigned(reading, seen, NOTHING, "target")
    assert bare.target == NOTHING and bare.inputs == (1, 2)
    again = columns.assigned(bare, seen, 1, "target")
    assert again.target == 1 and len(set(again.inputs)) == 2 and 1 not in again.inputs
    assert columns.with_task(reading, seen, "regression").inputs == (1,)
    back = columns.with_task(columns.with_task(reading, seen, "regression"), seen, "classification")
    assert back.inputs == (1, 2) and back.target == 4


def test_the_same_column_twice_is_refused() -> None:
    for changes in ({"inputs": (1, 1)}, {"inputs": (1, 4)}):
        with pytest.raises(FileError, match=r"same column|both an input"):
            come(Scene(), FLOWERS, **changes)


def test_points_replace_or_are_added_among_the_classes() -> None:
    scene = Scene(classification=Points([[0, 0], [1, 1]], [0, 1]), classes=("y", "z"))
    replaced = come(scene, FLOWERS).scene
    assert replaced.classes == ("y", "x") and replaced.points.cls.tolist() == [1, 0, 1] and replaced.title == "t"
    assert replaced.points.names == ("a", "b")
    added = come(scene, FLOWERS, add=True)
    assert added.scene.classes == ("y", "z", "x") and added.scene.points.cls.tolist() == [0, 1, 2, 0, 2]
    assert added.scene.points.names == scene.points.names and added.scene.title == scene.title
    assert added.counts == (("y", 1), ("z", 0), ("x", 2))
    for order in (("y", "x"), ("z", "y", "x")):
        for add in (False, True):
            kept = come(dataclasses.replace(scene, classification=Points(), classes=order), FLOWERS, add).scene
            assert kept.classes == order and [order[c] for c in kept.points.cls] == ["x", "y", "x"]
    full = dataclasses.replace(scene, classes=tuple("abcdefgh"), classification=Points(np.zeros((8, 2)), range(8)))
    with pytest.raises(FileError, match="10 classes are too many"):
        come(full, FLOWERS, add=True)


def test_another_task_brings_the_model_that_was_used_last() -> None:
    curve = b"x,t\n1,2.5\n2,3.5\n"
    assert type(come(Scene(), curve).scene.model).key == "gpr"
    scene = Scene(classification=Points([[0, 0]], [0])).with_model("svr").with_model("svm")
    after = come(scene, curve).scene
    assert type(after.model).key == "svr" and after.classification is scene.classification


def test_a_number_beyond_the_canvas_makes_its_row_unusable() -> None:
    found = come(Scene(), b"a,b,k\n1e200,1,x\n2,3,y\n4,5,x\n").table
    assert found.skipped_lines == (2,) and "“1e200” in a" in str(found.unusable[0].why)


def test_the_first_rows_are_shown_as_they_stand() -> None:
    content = b"# note\na;b;k\n1,5;\"2\n3\";x\n\n4,5;6\n" + b"7,5;8;y\n" * 20_000
    reading = Reading(delimiter=";", decimal=",", header=True)
    seen = columns.preview(content, reading, "t.csv")
    assert seen.columns == ("a", "b", "k") and seen.lines[:3] == (4, 6, 7) and len(seen.rows) == 100
    assert seen.rows[0] == ("1,5", "2\n3", "x") and seen.rows[1] == ("4,5", "6")
    assert seen.last == 2 and seen.shares[0] == 1
    wide = columns.preview(b",".join([b"1"] * 5000) + b"\n", Reading(), "t.csv")
    assert len(wide.columns) == 2000 and wide.last is None
