"""Scenes as files: exact round trips, strict reading, writing whole or not at all."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import api, link, session
from kernelplay.compute import cold
from kernelplay.errors import FileError
from kernelplay.examples import Example, examples
from kernelplay.files import read_bytes, write_whole
from kernelplay.marks import Layer, Mark, Picture
from kernelplay.migrations import MIGRATIONS, Flaw, from_1
from kernelplay.scene import Points, Scene, data_view
from kernelplay.spec import build, kinds

SOUND = Scene().with_points(Points([[0.5, 1.25], [-3.0, 2.0]], [0, 1]))
finite = st.floats(-1e100, 1e100)
STORED = Path(__file__).parent / "sessions"  # a file of every version there ever was, as the program of then wrote it


@given(st.lists(st.tuples(finite, finite, st.integers(0, 2), st.booleans()), max_size=12),
       st.text(max_size=30).filter(lambda text: text.isprintable()), st.sampled_from(["svm", "gpr", "perceptron"]))
@settings(max_examples=40, deadline=None)
def test_a_scene_comes_back_as_it_was(rows: list[tuple[float, float, int, bool]], title: str, model: str) -> None:
    xy, cls = [row[:2] for row in rows], [row[2] for row in rows]
    scene = Scene(classification=Points(xy, cls, [row[3] for row in rows], (title[:9], "β")), title=title,
                  classes=("a", "b", "c"), hidden=frozenset({"slack"}), looks=(5, 0, 7)).with_model(model)
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
    assert [line.strip() for line in after if line not in before] == ["[7.0, 8.0, 1]"]


def test_whatever_is_done_to_one_point_changes_one_line() -> None:
    lines = session.dump(SOUND).splitlines()
    for points, now in ((SOUND.points.assign([0], 1), ["[0.5, 1.25, 1],"]), (SOUND.points.remove([0]), []),
                        (SOUND.points.switch([0], False), ['[0.5, 1.25, 0, "off"],'])):
        after = session.dump(SOUND.with_points(points)).splitlines()
        assert [line.strip() for line in after if line not in lines] == now
        assert [line.strip() for line in lines if line not in after] == ["[0.5, 1.25, 0],"]


def test_the_order_in_which_a_scene_came_about_leaves_no_trace() -> None:
    one = Scene().with_model("gpr").with_view((0.0, 1.0, 0.0, 1.0)).with_model("krr").with_model("svm")
    one = one.with_view((0.0, 1.0, 0.0, 1.0))
    other = Scene().with_view((0.0, 1.0, 0.0, 1.0)).with_model("krr").with_model("gpr")
    other = other.with_view((0.0, 1.0, 0.0, 1.0)).with_model("svm")
    assert [model.key for model in one.shelf] != [model.key for model in other.shelf]
    layers = get_args(Layer)
    hidden = [frozenset(order) for order in (layers[:5], layers[4::-1])]
    assert session.dump(dataclasses.replace(one, hidden=hidden[0])) == session.dump(
        dataclasses.replace(other, hidden=hidden[1]))


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
    (session.dump(SOUND).replace("0.5", "1e999", 1).encode(), "classification.points.0"),
    (session.dump(SOUND).replace("0.5", "1" * 9999, 1).encode(), "number in it is too long"),
    (session.dump(SOUND).replace('"title"', '"version"', 1).encode(), "appears twice"),
    (changed(lambda d: d.pop("model")), "model: it is missing"),
    (changed(lambda d: d.update(colour="red")), "colour"),
    (changed(lambda d: d["model"].update(name="smv")), "smv.*svm"),
    (changed(lambda d: d["model"].update(C=-1)), "model.C cannot be -1"),
    (changed(lambda d: d["model"].update(C="much")), "model.C cannot be much"),
    (changed(lambda d: d["model"].update(c=1)), "There is no parameter model.c; did you mean C"),
    (changed(lambda d: d["model"].update(kernel=nested(100))), "nested too deeply"),
    (changed(lambda d: d["model"].update(kernel=nested(300))), "nested too deeply"),
    (changed(lambda d: d["model"].update(kernel=[])), "model.kernel"),
    (changed(lambda d: d.update(shelf=[{"name": "svm"}])), "svm appears twice"),
    (changed(lambda d: d.update(shelf={})), "shelf: it must be a list"),
    (changed(lambda d: d.update(classes=["a"])), "2 to 8"),
    (changed(lambda d: d.update(hidden=["everything"])), "hidden: choose one of"),
    (changed(lambda d: d.update(title=3)), "title"),
    (changed(lambda d: d["classification"].update(points=[[1]])), r"points.0: it must be two coordinates"),
    (changed(lambda d: d["classification"].update(points=[[1, True, 0]])), r"points.0: its coord"),
    (changed(lambda d: d["classification"].update(points=[[1, "off", 0]])), r"points.0: its coord"),
    (changed(lambda d: d["classification"].update(points=[[1, 1e101, 0]])), r"points.0: its coord"),
    (changed(lambda d: d["classification"].update(points=[[1, 10**999, 0]])), r"points.0: its coord"),
    (changed(lambda d: d["classification"].update(points=[[1, 1, 2]])), "points.0.2: .*from 0 to 1"),
    (changed(lambda d: d["classification"].update(points=[[1, 1, 0.5]])), "points.0.2"),
    (changed(lambda d: d["classification"].update(points=[[1, 1, 0, "on"]])), "points.0: only \"off\""),
    (changed(lambda d: d["classification"].update(points=[[1, 1, 0, "off", 1]])), "points.0"),
    (changed(lambda d: d["classification"].update(xy=[])), "classification.xy"),
    (changed(lambda d: d["regression"].update(points=[[1, 1, 0]])), "regression.points.0: only"),
    (changed(lambda d: d.update(looks=[0])), "looks.*2 classes, 1 looks"),
    (changed(lambda d: d.update(looks=[0, 8])), "looks.1: .*from 0 to 7"),
    (changed(lambda d: d.update(looks=[3, 3])), "looks.1: two classes cannot look the same"),
    (changed(lambda d: d.update(title="\ud800")), "title: it contains an incomplete"),
    (changed(lambda d: d["model"].update(name="\ud800")), "model: it contains text"),
    (changed(lambda d: d["model"].update(C=10**400)), "model: it contains a number"),
    (changed(lambda d: d.update({"\ud800": 1})), "no entry of this name"),
    (session.dump(SOUND).encode("utf-16"), "not a kernelplay scene"),
    (session.dump(SOUND).encode("latin-1", "replace").replace(b"+1", b"+1\xff"), "line 15 is not valid UTF-8"),
    (changed(lambda d: d["classification"].update(names=["a"])), "names"),
    (changed(lambda d: d["regression"].update({"class": []})), "regression.class"),  # there are none
    (changed(lambda d: d.update(regression=None)), "regression"),
    (changed(lambda d: d.update(views={"classification": [1, 0, 0, 1]})), "views.classification"),
    (changed(lambda d: d.update(views={"other": [0, 1, 0, 1]})), "views.other"),
    (changed(lambda d: d["classification"].update(points=[[0, 0, 0]] * 100_001)), "too many points: 100,001"),
])
def test_a_file_that_is_not_sound_is_refused_naming_file_and_place(content: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words) as refusal:
        session.parse(content, "A.kplay")
    assert "A.kplay" in str(refusal.value)


def test_what_may_be_left_out_has_its_default() -> None:
    optional = ("title", "shelf", "classes", "looks", "hidden", "views")
    scene = session.parse(changed(lambda d: [d.pop(key) for key in optional]), "A")
    assert scene.digest == SOUND.digest


# files of older versions


def test_there_is_a_stored_file_of_every_version_and_a_step_from_every_version_but_the_last() -> None:
    assert {file.name for file in STORED.iterdir()} == {f"v{n}.kplay" for n in range(1, session.VERSION + 1)}
    assert set(MIGRATIONS) == set(range(1, session.VERSION))
    for n in range(1, session.VERSION + 1):
        assert json.loads((STORED / f"v{n}.kplay").read_text("utf-8"))["version"] == n


@pytest.mark.parametrize("version", range(1, session.VERSION + 1))
def test_a_file_of_every_version_opens_with_all_that_is_in_it(version: int) -> None:
    scene = session.load(STORED / f"v{version}.kplay")
    assert scene.title == "Drei Klassen — 세 가지, 三つ" and scene.classes == ("setosa", "−1", "꽃")
    assert scene.looks == {1: (0, 1, 2), 2: (6, 2, 1)}[version]
    points = scene.classification
    assert points.xy.tolist() == [[0.1 + 0.2, -1.5], [1e-300, 2.0], [3.25, 1 / 3], [-1.25, 4e22], [0.5, -0.5]]
    assert points.cls.tolist() == [0, 1, 2, 1, 0] and points.on.tolist() == [True, True, False, True, True]
    assert points.names == ("length (cm)", "x₂") and scene.regression.names == ("x", "t")
    assert scene.regression.xy.tolist() == [[0.0, 1.0], [1.5, -0.25], [2.0, 0.125]] and scene.regression.on.all()
    assert scene.hidden == {"contours", "errors", "support"}
    assert dict(scene.views) == {"classification": (-2.0, 3.5, -1.0, 2.25), "regression": (-1.0, 3.0, -2.0, 2.0)}
    assert [scene.model.key, *(model.key for model in scene.shelf)] == ["svm", "gpr"]
    assert scene.model.get("C") == 2.5 and scene.model.get("kernel.of.0.gamma") == 0.75
    newest = session.dump(scene)
    assert json.loads(newest)["version"] == session.VERSION
    assert session.parse(newest.encode(), "A").digest == scene.digest


def one(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((STORED / "v1.kplay").read_text("utf-8"))
    change(data)
    return data


def test_version_1_to_2_puts_a_point_into_one_row_and_leaves_the_rest() -> None:
    before = one(lambda d: None)
    after = from_1(before)
    assert after["classification"]["points"][2] == [3.25, 1 / 3, 2, "off"]
    assert after["regression"]["points"][1] == [1.5, -0.25]
    rest = set(before) - {"classification", "regression", "version"}
    assert {key: after[key] for key in rest} == {key: before[key] for key in rest} and after["version"] == 2
    assert before == one(lambda d: None), "what is given is not changed"


@pytest.mark.parametrize(("change", "place"), [
    (lambda d: d.update(looks=[0, 1, 2]), "looks"), (lambda d: d.update(classification=7), "classification"),
    (lambda d: d["classification"].update(points=[]), "classification.points"),
    (lambda d: d["classification"].update(xy={}), "classification.xy"),
    (lambda d: d["classification"].update(xy=[[1, 2, 3]]), "classification.xy.0"),
    (lambda d: d["classification"].update({"class": [0]}), "classification.class"),
    (lambda d: d["classification"].pop("class"), "classification.class"),
    (lambda d: d["classification"].update(off=[5]), "classification.off.0"),
    (lambda d: d["classification"].update(off=[True]), "classification.off.0"),
    (lambda d: d["regression"].update({"class": []}), "regression.class"),
    (lambda d: d["regression"].update(xy=None), "regression.xy"),
])
def test_what_version_2_could_not_say_is_said_in_the_words_of_version_1(
        change: Callable[[dict[str, Any]], Any], place: str) -> None:
    with pytest.raises(Flaw) as flaw:
        from_1(one(change))
    assert flaw.value.place == place
    with pytest.raises(FileError, match=place):
        session.parse(json.dumps(one(change)).encode(), "A.kplay")


# damage


def mutations(data: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all nodes of plain data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place, *(deeper for key, value in inner for deeper in mutations(value, (*place, key)))]


WRONG = (None, True, -1, 0.5, 10**400, -1e308, "", "\ud800", "\0", "x" * 2000, [], {}, [[]], [{}], {"name": "rbf"},
         {"name": {}}, [1] * 300, {"": ""})


@pytest.mark.parametrize("version", range(1, session.VERSION + 1))
def test_a_wrong_value_at_any_place_is_a_sentence_or_a_scene_that_can_be_saved(version: int) -> None:
    text = (STORED / f"v{version}.kplay").read_text("utf-8")
    refused = 0
    places = mutations(json.loads(text))
    for place in places:
        for wrong in WRONG:
            data = json.loads(text)
            if place:
                holder = data
                for key in place[:-1]:
                    holder = holder[key]
                holder[place[-1]] = wrong
            else:
                data = wrong
            try:
                scene = session.parse(json.dumps(data).encode(), "A.kplay")
            except FileError as refusal:
                refused += 1
                assert str(refusal).encode("utf-8") and "A.kplay" in str(refusal) and len(str(refusal)) < 1500
            else:
                assert session.parse(session.dump(scene).encode(), "A").digest == scene.digest
    assert refused > 0.75 * len(places) * len(WRONG)


@pytest.mark.parametrize("version", range(1, session.VERSION + 1))
def test_a_file_cut_off_at_any_byte_is_refused(version: int) -> None:
    content = (STORED / f"v{version}.kplay").read_bytes()
    for end in range(len(content.rstrip())):
        with pytest.raises(FileError, match=r"empty|damaged|not a kernelplay scene"):
            session.parse(content[:end], "A.kplay")


@pytest.mark.parametrize("make", [
    lambda n: b"[" * n, lambda n: b'{"a":' * n, lambda n: b'{"format": "kernelplay", "a": ' + b"[" * n,
    lambda n: b'{"format": "kernelplay", "a": [' + b"[]," * n + b"0]}",
    lambda n: b'{"format": "kernelplay", "a": "' + b"x" * n, lambda n: b'{"format": "kernelplay", "a": ' + b"9" * n,
    lambda n: b'{"format": "kernelplay", "a": 0.' + b"9" * n + b"}",
    lambda n: b'{"format": "kernelplay", "a": "' + b"\\ud800" * (n // 6) + b'"}', lambda n: b" " * n,
    lambda n: b"{" + b",".join(b'"%d":1' % i for i in range(n // 9)) + b',"0":1}',
    lambda n: changed(lambda d: d["model"].update(name="x" * n)),
    lambda n: changed(lambda d: d["model"].update({"x" * n: 1})),
    lambda n: changed(lambda d: d["model"].update(C=[1] * (n // 3))),
    lambda n: changed(lambda d: d["model"].update(kernel={"name": "sum", "of": [{"name": "rbf"}] * (n // 17)})),
    lambda n: changed(lambda d: d.update(shelf=[{"name": "gpr"}] * (n // 17))),
    lambda n: changed(lambda d: d.update(shelf=[0] * (n // 3))),
    lambda n: changed(lambda d: d.update(classes=["x"] * (n // 5))),
    lambda n: changed(lambda d: d.update(looks=list(range(n // 9)))),
    lambda n: changed(lambda d: d.update(hidden=["field"] * (n // 9) + ["x"])),
    lambda n: changed(lambda d: d["classification"].update(points=[[0, 0, 0]] * (n // 12))),
    lambda n: changed(lambda d: d["classification"].update(points=[[0] * (n // 3)])),
])
def test_the_work_on_garbage_grows_as_its_length(make: Callable[[int], bytes]) -> None:
    def calls(n: int) -> int:
        content, count = make(n), 0

        def step(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(step)
        try:
            session.parse(content, "A.kplay")
        except FileError:
            pass
        finally:
            sys.setprofile(None)
        return count

    assert calls(400_000) <= 4.4 * calls(100_000) + 400


def test_names_that_no_file_could_hold_never_get_into_a_scene() -> None:
    long = "name" * 1000
    scene = Scene(classes=(long, "\ud800"), title="\udfff").with_points(Points([[0.0, 1.0]], names=(long, "\ud800")))
    assert scene.title == "?" and scene.classes == (long[:1000], "?") and scene.points.names == (long[:1000], "?")
    assert session.parse(session.dump(scene).encode(), "A").digest == scene.digest


def test_a_scene_that_could_not_be_opened_again_is_not_saved(tmp_path: Path) -> None:
    file = tmp_path / "A.kplay"
    session.save(SOUND, file)
    with pytest.raises(FileError, match=r"100,001 points.*Delete 1 point before"):
        session.save(Scene().with_points(Points(np.zeros((100_001, 2)))), file)
    assert session.load(file).digest == SOUND.digest


# the same file, the same picture


def numbers_of(picture: Picture) -> str:
    """Return a fingerprint of everything in a picture but how long it took."""
    parts: list[Any] = [str(picture.status), [str(note.sentence) for note in picture.notes],
                        [(each.key, str(each.value)) for each in picture.readouts if each.group != "time"]]
    for chart in picture.charts:
        parts += [chart.key, chart.x_range, chart.y_range, [described(mark) for mark in chart.marks]]
    if picture.frames is not None:
        last = picture.frames.at(picture.frames.count - 1)
        parts += [str(last.caption), [described(mark) for mark in last.canvas]]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def described(mark: Mark) -> list[Any]:
    def exact(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.shape, value.dtype.str, hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return [exact(item) for item in value] if isinstance(value, tuple) else str(value)

    return [type(mark).__name__, *((name, exact(value)) for name, value in vars(mark).items())]


def pictures(scenes: dict[str, Scene]) -> dict[str, str]:
    return {key: numbers_of(cold(scene, resolution=24)) for key, scene in scenes.items()}


def test_every_example_saved_and_opened_in_another_process_and_locale_gives_the_same_picture(tmp_path: Path) -> None:
    scenes = {example.key: example.scene() for example in examples()}
    scenes["stored"] = session.load(STORED / f"v{session.VERSION}.kplay")
    for key, scene in scenes.items():
        session.save(scene, tmp_path / f"{key}.kplay")
    program = (f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nimport json, test_session as t\n"
               "files = sorted(t.Path(sys.argv[1]).iterdir())\n"
               "print(json.dumps(t.pictures({file.stem: t.session.load(file) for file in files})))")
    environment = os.environ | {"LANG": "ko_KR.EUC-KR", "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo",
                                "PYTHONHASHSEED": "7", "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], env=environment, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == pictures(scenes)


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
    with pytest.raises(FileError, match=r"A\.kplay( could not be written|: free some space)"):
        session.save(Scene(), file)
    assert file.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["A.kplay"]


@pytest.mark.parametrize(("name", "words"), [("missing/A.kplay", "not found: create it"), (".", "is a folder"),
                                             ("a\0b", "could not be written"), ("x" * 300, "could not be written")])
def test_an_impossible_place_is_said(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        write_whole(tmp_path / name, b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "words"), [("missing.kplay", "not found"), (".", "is a folder"),
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


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e200])
def test_what_could_not_be_opened_again_is_not_written(tmp_path: Path, value: float) -> None:
    scene = Scene().with_points(Points(np.array([[0.0, 1.0], [value, 1.0]])))
    for written in (lambda: session.save(scene, tmp_path / "a.kplay"), lambda: link.text(scene),
                    lambda: api.render(scene, tmp_path / "a.png")):
        with pytest.raises(FileError, match=r"Point 2 cannot be saved"):
            written()
    assert not list(tmp_path.iterdir())
