"""Every kind of edit there is, in any order: taken back it leaves nothing, and files and lines of text keep it all."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import link, session
from kernelplay.errors import FitError, SpecError
from kernelplay.examples import Example, examples
from kernelplay.history import History
from kernelplay.i18n import Say, say
from kernelplay.kernels.edit import alone
from kernelplay.marks import Layer
from kernelplay.scene import CLASS_ROLES, Points, Scene
from kernelplay.spec import Choice, Flag, Real, build, kinds
from kernelplay.tables import parse
from kernelplay.tools.arrange import ARRANGEMENTS, arranged
from kernelplay.tools.edits import copied
from kernelplay.tools.events import Edit, Hand, Move, Press, Release

Made = Iterator[tuple[Scene, Say]]  # one or more edits of one gesture
Act = Callable[[Scene, random.Random], Made]
TABLE = b"x1,x2,label\n0,0,a\n1,1,b\n0,1,c\n1,0,a\n"


def rows(scene: Scene, dice: random.Random) -> frozenset[int]:
    n = len(scene.points)
    return frozenset(dice.sample(range(n), dice.randrange(n + 1)))


def hand(scene: Scene, dice: random.Random) -> Hand:
    return Hand(dice.randrange(len(scene.classes)), rows(scene, dice), (0.02, 0.02), dice.choice((None, (0.5, 0.25))))


def tool(key: str) -> Act:
    def act(scene: Scene, dice: random.Random) -> Made:
        n = len(scene.points)
        row = dice.randrange(n) if n and dice.random() < 0.6 else None
        x, y = scene.points.xy[row].tolist() if row is not None else (dice.uniform(-2, 2), dice.uniform(-2, 2))
        press = Press(x, y, dice.choice(("left", "left", "right")), row, *(dice.random() < 0.2 for _ in range(3)))
        gesture = kinds("tool")[key]()(press, scene, hand(scene, dice))
        moves = [Move(x + dice.uniform(-1, 1), y + dice.uniform(-1, 1), 0.1 * step)
                 for step in range(dice.randrange(4))]
        answer = next(gesture, None)
        for event in (*moves, Release(x + dice.uniform(-1, 1), y, 1.0)):
            if isinstance(answer, Edit):
                yield answer.scene, answer.label
            try:
                answer = gesture.send(event)
            except StopIteration:
                return
        if isinstance(answer, Edit):
            yield answer.scene, answer.label
    return act


def arrange(key: str) -> Act:
    def act(scene: Scene, dice: random.Random) -> Made:
        how = ARRANGEMENTS[key]
        chosen = frozenset(range(len(scene.points)))
        held = hand(scene, dice)
        if len(chosen) < how.least or (key == "nodes" and held.grid is None):
            return
        try:
            edit = arranged(scene, chosen, how, held)
        except FitError:
            return
        if edit is not None:
            yield edit.scene, edit.label
    return act


def generate(key: str) -> Act:
    def act(scene: Scene, dice: random.Random) -> Made:
        data = kinds("dataset")[key]()
        if data.task == scene.task:
            spec = data.replace("seed", dice.randrange(99)) if "seed" in data.params() else data
            yield spec.put(spec.bind(scene).sample().points, scene), say("Generate points")
    return act


def model(key: str) -> Act:
    def act(scene: Scene, dice: random.Random) -> Made:
        yield scene.with_model(key), say("Choose a model")
    return act


def kernel(key: str) -> Act:
    def act(scene: Scene, dice: random.Random) -> Made:
        try:
            yield scene.with_value("kernel", build("kernel", {"name": key})), say("Choose a kernel")
        except SpecError:
            return  # this model has no use for it
    return act


def parameter(scene: Scene, dice: random.Random) -> Made:
    """A slider is dragged, a switch turned."""
    holder = dice.choice((("", scene.model), ("kernel.", scene.model.kernel)))
    offered = [(name, param) for name, param in holder[1].params().items() if isinstance(param, (Real, Choice, Flag))]
    if not offered:
        return
    name, param = dice.choice(offered)
    for _ in range(dice.randrange(1, 4)):
        if isinstance(param, Real):
            value: object = dice.choice((param.low, param.high, param.low + dice.random() * (param.high - param.low)))
            value = round(float(str(value))) if param.integer else value
        else:
            value = dice.random() < 0.5 if isinstance(param, Flag) else dice.choice(tuple(param.options))
        try:
            yield scene.with_value(holder[0] + name, value), say("Set a value")
        except SpecError:
            return


def assign(scene: Scene, dice: random.Random) -> Made:
    yield scene.with_points(scene.points.assign(rows(scene, dice), dice.randrange(len(scene.classes)) if
                                                scene.task == "classification" else 0)), say("Change class")


def switch(scene: Scene, dice: random.Random) -> Made:
    yield scene.with_points(scene.points.switch(rows(scene, dice), dice.random() < 0.5)), say("Switch")


def delete(scene: Scene, dice: random.Random) -> Made:
    yield scene.with_points(scene.points.remove(rows(scene, dice))), say("Delete")


def duplicate(scene: Scene, dice: random.Random) -> Made:
    edit = copied(scene, rows(scene, dice), 0.1, -0.1)
    yield edit.scene, edit.label


def add_class(scene: Scene, dice: random.Random) -> Made:
    if len(scene.classes) < len(CLASS_ROLES):
        yield dataclasses.replace(scene, classes=(*scene.classes, f"new {dice.randrange(9)}")), say("Add class")


def rename_class(scene: Scene, dice: random.Random) -> Made:
    names = list(scene.classes)
    names[dice.randrange(len(names))] = dice.choice(("ü", "−1", "a b", "점"))
    yield dataclasses.replace(scene, classes=tuple(names)), say("Rename class")


def look_of_class(scene: Scene, dice: random.Random) -> Made:
    yield scene.with_look(dice.randrange(len(scene.classes)), dice.randrange(len(CLASS_ROLES))), say("Change the look")


def move_class(scene: Scene, dice: random.Random) -> Made:
    n = len(scene.classes)
    yield scene.with_class_at(dice.randrange(n), dice.randrange(n)), say("Move class")


def remove_class(scene: Scene, dice: random.Random) -> Made:
    if len(scene.classes) > 2:
        yield scene.without_class(dice.randrange(len(scene.classes))), say("Remove class")


def layers(scene: Scene, dice: random.Random) -> Made:
    yield dataclasses.replace(scene, hidden=scene.hidden ^ {dice.choice(get_args(Layer))}), say("Layers")


def read_table(scene: Scene, dice: random.Random) -> Made:
    yield parse(TABLE, say("A table")).to_scene(scene), say("Read a table")


ACTS: dict[str, Act] = {
    **{f"tool {key}": tool(key) for key in kinds("tool")},
    **{f"arrange {key}": arrange(key) for key in ARRANGEMENTS},
    **{f"generate {key}": generate(key) for key in kinds("dataset")},
    **{f"model {key}": model(key) for key in kinds("model")},
    **{f"kernel {key}": kernel(key) for key in alone()},
    **{act.__name__: act for act in (parameter, assign, switch, delete, duplicate, add_class, rename_class,
                                     look_of_class, move_class, remove_class, layers, read_table)},
}


def fresh(scene: Scene) -> str:
    """Return the digest of a scene as its values are now, not as it was once worked out and kept."""
    def again(points: Points) -> Points:
        return dataclasses.replace(points)

    return dataclasses.replace(scene, classification=again(scene.classification),
                               regression=again(scene.regression)).digest


@pytest.mark.parametrize("act", ACTS)
def test_each_kind_of_edit_changes_something_and_is_taken_back(act: str) -> None:
    changed = 0
    for example in examples():
        scene, dice = example.scene(), random.Random(act)
        for number in range(4):
            history = History.start(scene, say("Open"))
            for made, label in ACTS[act](scene, dice):
                history = history.edit(made, label, f"gesture {number}")
            assert len(history.steps) <= 2, "one gesture is one step"
            changed += fresh(history.scene) != scene.digest
            assert fresh(history.undo().scene) == scene.digest
    assert changed, "no edit at all"


@given(first=st.sampled_from(examples()), doing=st.lists(st.tuples(st.sampled_from(list(ACTS)), st.integers(0, 999),
                                                                   st.sampled_from("eeeeeug")), max_size=16))
@settings(deadline=None, max_examples=50)
def test_any_edits_in_any_order_are_taken_back_and_come_back(first: Example, doing: list[tuple[str, int, str]]) -> None:
    history = History.start(first.scene(), say("Open"))
    for number, (act, seed, how) in enumerate(doing):
        if how == "u":
            history = history.undo()
        elif how == "g":
            history = history.go(seed % len(history.steps))
        else:
            for scene, label in ACTS[act](history.scene, random.Random(seed)):
                history = history.edit(scene, label, f"gesture {number}")
    digests = [step.scene.digest for step in history.steps]
    end = history.at
    for at in range(end, -1, -1):
        assert history.at == at and fresh(history.scene) == digests[at]
        history = history.undo()
    for at in random.Random(len(digests)).sample(range(len(digests)), len(digests)):
        history = history.go(at)
        assert fresh(history.scene) == digests[at]
    for step in history.steps:
        back = session.parse(session.dump(step.scene).encode(), "a.kplay")
        assert back.digest == step.scene.digest and back.views == step.scene.views
        assert back.to_dict() == step.scene.to_dict()
    line = link.scene(link.text(history.scene))
    assert line.to_dict() == history.scene.to_dict()
    assert all(np.isfinite(step.scene.points.xy).all() for step in history.steps)
