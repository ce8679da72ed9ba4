"""Scenes as files: exact round trips, strict reading, writing whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import session
from kernelplay.errors import FileError
from kernelplay.examples import Example, examples
from kernelplay.files import read_bytes, write_whole
from kernelplay.scene import Points, Scene, data_view
from kernelplay.spec import build, kinds

SOUND = Scene().with_points(Points([[0.5, 1.25], [-3.0, 2.0]], [0, 1]))
finite = st.floats(-1e100, 1e100)


@given(st.lists(st.tuples(finite, finite, st.integers(0, 2), st.booleans()), max_size=12),
       st.text(max_size=30).filter(lambda text: text.isprintable()), st.sampled_from(["svm", "gpr", "perceptron"]))
@settings(max_examples=40, deadline=None)
def test_a_scene_comes_back_as_it_was(rows: list[tuple[float, float, int, bool]], title: str, model: str) -> None:
    xy, cls = [row[:2] for row in rows], [row[2] for row in rows]
    scene = Scene(classification=Points(xy, cls, [row[3] for row in rows], (title[:9], "β")), title=title,
                  classes=("a", "b", "c"), hidden=frozenset({"slack"})).with_model(model)
    scene = scene.with_view((-1.0, 2.0, -3.5, 4.0))
    again = session.parse(session.dump(scene).encode(), "A.kplay")
    assert again.to_dict() == scene.to_dict()
    assert again.digest == scene.digest
    assert again.model == scene.model and again.shelf == scene.shelf


@pytest.mark.parametrize("kind", ["kernel", "model", "dataset"])
def test_every_spec_survives_its_dict(kind: str) -> None:
    for key, cls in kinds(kind).items():
        spec = cls()
        assert build(kind, json.loads(json.dumps(spec.to_dict()))) == spec, key


def test_one_point_a_line_so_that_a_moved_point_is_one_changed_line() -> None:
    moved = SOUND.with_points(SOUND.points.move([1], [7.0, 8.0]))
    before, after = session.dump(SOUND).splitlines(), session.dump(moved).splitlines()
    assert [line.strip() for line in after if line not in before] == ["[7.0, 8.0]"]


def changed(change: Callable[[dict[str, Any]], Any]) -> bytes:
    data = json.loads(session.dump(SOUND))
    change(data)
    return json.dumps(data).encode()


def nested(depth: int) -> dict[str, Any]:
    kernel: dict[str, Any] = {"name": "rbf"}
    for _ in range(depth):
        kernel = {"name": "scale", "of": kernel}
    return kernel


@pytest.mark.parametrize(("content", "words"), [
    (b"", "is empty"), (b"  \n", "is empty"), (b"\x89PNG\r\n\x1a\n\0\0", "not a kernelplay scene"),
    (b"x1,x2,label\n1,2,1\n", "not a kernelplay scene"), (b"[1, 2]", "not a kernelplay scene"),
    (b'{"format": "other"}', "not a kernelplay scene"),
    (session.dump(SOUND).encode()[:300], "damaged or incomplete: line"),
    (b"[" * 100_000, "is damaged|not a kernelplay scene"), (b'{"format":' * 5000, "is damaged"),
    (changed(lambda d: d.update(version=1001)), "newer version.*1001"),
    (changed(lambda d: d.update(version="1")), "version"), (changed(lambda d: d.update(version=0)), "version"),
    (session.dump(SOUND).replace("0.5", "NaN", 1).encode(), "NaN"),
    (session.dump(SOUND).replace("0.5", "1e999", 1).encode(), "classification.xy.0"),
    (session.dump(SOUND).replace("0.5", "1" * 9999, 1).encode(), "number in it is too long"),
    (session.dump(SOUND).replace('"title"', '"version"', 1).encode(), "there twice"),
    (changed(lambda d: d.pop("model")), "model: it is missing"),
    (changed(lambda d: d.update(colour="red")), "colour"),
    (changed(lambda d: d["model"].update(name="smv")), "smv.*svm"),
    (changed(lambda d: d["model"].update(C=-1)), "model.C cannot be -1"),
    (changed(lambda d: d["model"].update(C="much")), "model.C cannot be much"),
    (changed(lambda d: d["model"].update(c=1)), "There is no parameter model.c; did you mean C"),
    (changed(lambda d: d["model"].update(kernel=nested(100))), "nested too deeply"),
    (changed(lambda d: d["model"].update(kernel=nested(300))), "nested too deeply"),
    (changed(lambda d: d["model"].update(kernel=[])), "model.kernel"),
    (changed(lambda d: d.update(shelf=[{"name": "svm"}])), "svm is there twice"),
    (changed(lambda d: d.update(shelf={})), "shelf: it must be a list"),
    (changed(lambda d: d.update(classes=["a"])), "from 2 to 8"),
    (changed(lambda d: d.update(hidden=["everything"])), "hidden: choose one of"),
    (changed(lambda d: d.update(title=3)), "title"),
    (changed(lambda d: d["classification"].update(xy=[[1]])), r"classification.xy.0: it must be 2 numbers"),
    (changed(lambda d: d["classification"].update(xy=[[1, True], [0, 0]])), r"xy.0"),
    (changed(lambda d: d["classification"].update(xy=[[1, 1e101], [0, 0]])), r"xy.0"),
    (changed(lambda d: d["classification"].update({"class": [0]})), "2 points, 1 classes"),
    (changed(lambda d: d["classification"].update({"class": [0, 2]})), "from 0 to 1"),
    (changed(lambda d: d["classification"].update({"class": [0, 0.5]})), "class.1"),
    (changed(lambda d: d["classification"].update(off=[2])), "off.0"),
    (changed(lambda d: d["classification"].update(names=["a"])), "names"),
    (changed(lambda d: d["regression"].update({"class": []})), "regression.class"),
    (changed(lambda d: d.update(regression=None)), "regression"),
    (changed(lambda d: d.update(views={"classification": [1, 0, 0, 1]})), "views.classification"),
    (changed(lambda d: d.update(views={"other": [0, 1, 0, 1]})), "views.other"),
    (changed(lambda d: d["classification"].update(xy=[[0, 0]] * 100_001)), "too many points: 100001"),
])
def test_a_file_that_is_not_sound_is_refused_naming_file_and_place(content: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words) as refusal:
        session.parse(content, "A.kplay")
    assert "A.kplay" in str(refusal.value)


def test_what_may_be_left_out_has_its_default() -> None:
    optional = ("title", "shelf", "classes", "hidden", "views")
    scene = session.parse(changed(lambda d: [d.pop(key) for key in optional]), "A")
    assert scene.digest == SOUND.digest


@given(st.binary(max_size=60), st.integers(0, 400))
@settings(max_examples=60, deadline=None)
def test_any_damage_is_a_sentence_or_harmless(noise: bytes, at: int) -> None:
    sound = session.dump(SOUND).encode()
    try:
        session.parse(sound[:at] + noise + sound[at + len(noise):], "A.kplay")
    except FileError as refusal:
        assert str(refusal)


def test_saving_replaces_the_whole_file_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "A.kplay"
    session.save(SOUND, file)
    file.chmod(0o640)
    session.save(Scene(), file)
    assert session.load(file).digest == Scene().digest
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["A.kplay"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.kplay").write_text("old")
    (tmp_path / "link.kplay").symlink_to(tmp_path / "real.kplay")
    session.save(SOUND, tmp_path / "link.kplay")
    assert (tmp_path / "link.kplay").is_symlink() and session.load(tmp_path / "real.kplay").digest == SOUND.digest


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path,
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "A.kplay"
    session.save(SOUND, file)
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match=r"A\.kplay could not be written \(No space left on device\)"):
        session.save(Scene(), file)
    assert file.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["A.kplay"]


@pytest.mark.parametrize(("name", "words"), [("missing/A.kplay", "no folder"), (".", "is a folder"),
                                             ("a\0b", "could not be written"), ("x" * 300, "could not be written")])
def test_an_impossible_place_is_said(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        write_whole(tmp_path / name, b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "words"), [("missing.kplay", "There is no file"), (".", "is a folder"),
                                             ("a\0b", "could not be read")])
def test_an_unreadable_file_is_said(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        read_bytes(tmp_path / name)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.key)
def test_every_example_opens_fits_and_proves_it(example: Example) -> None:
    scene = example.scene()
    assert scene.title == example.title.template
    assert len(scene.classification) and len(scene.regression), "switching to the other task finds points too"
    np.testing.assert_array_equal(scene.points.xy, scene.points.xy.round(3))
    X, y, labels, _, _ = scene.training()
    fit = scene.model.fit(X, y, labels=labels or None)
    assert fit.certificate.holds, fit.certificate
    x0, x1, y0, y1 = data_view(scene)
    assert x0 < scene.points.xy[:, 0].min() and scene.points.xy[:, 1].max() < y1 and y0 < y1 and x0 < x1
    assert example.path.read_text("utf-8") == session.dump(scene), "saved again, the file does not change"


def test_every_scene_that_is_shipped_is_in_the_menu() -> None:
    assert {example.path for example in examples()} == set(examples()[0].path.parent.iterdir())


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        session.save(Scene(), pipe)
        assert os.read(reader, 100_000) == session.dump(Scene()).encode()
    finally:
        os.close(reader)
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end here")
def test_a_file_without_an_end_is_not_read_for_ever() -> None:
    with pytest.raises(FileError, match="too large"):
        read_bytes(Path("/dev/zero"))
