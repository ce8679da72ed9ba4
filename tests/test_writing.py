"""What is written reads back as exactly the same numbers, by our own reader and by others."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernelplay import cli, tables, writing
from kernelplay.arrival import arrive
from kernelplay.errors import Cancelled, SpecError
from kernelplay.examples import examples
from kernelplay.models.base import Fit
from kernelplay.scene import CLASS_LABELS, CLASS_NAMES, PLAIN_AXES, Points, Scene

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
EXAMPLES = {example.key: example for example in examples()}


def scene_of(xy: Any, cls: Any = (), off: tuple[int, ...] = (), task: str = "classification",
             classes: tuple[str, ...] = ("+1", "−1"), names: tuple[str, str] = ("a", "b")) -> Scene:
    points = Points(np.asarray(xy, float), np.asarray(cls, np.intp), names=names)
    points = points.switch(off, False) if off else points
    if task == "regression":
        return dataclasses.replace(Scene(), regression=points).with_model("krr")
    return dataclasses.replace(Scene(), classification=points, classes=classes)


def fit_of(scene: Scene) -> Fit:
    X, y, labels, _, _ = scene.training()
    return scene.model.fit(X, y, labels=labels or None)


def rows_of(text: str) -> tuple[list[str], list[list[str]]]:
    heads, *rows = list(csv.reader(io.StringIO(text)))
    return heads, rows


@given(arrays(float, st.tuples(st.integers(1, 12), st.just(2)), elements=NUMBERS))
@settings(deadline=None, max_examples=40)
def test_numbers_come_back_bit_for_bit(xy: Any) -> None:
    n = len(xy)
    scene = scene_of(xy, np.arange(n) % 2)
    heads, rows = rows_of(writing.points_csv(scene))
    assert heads == ["a", "b", "class"]
    back = np.array([[float(cell) for cell in row[:2]] for row in rows])
    assert back.tobytes() == scene.points.xy.tobytes()
    names: dict[str, Any] = {"np": np}
    exec(writing.points_numpy(scene), names)  # our own text
    assert np.array_equal(names["X"], xy) and names["y"].tolist() == [CLASS_LABELS[i % 2] for i in range(n)]


@given(arrays(float, st.tuples(st.integers(1, 12), st.just(2)), elements=NUMBERS), st.booleans())
@settings(deadline=None, max_examples=40)
def test_other_programs_read_libsvm_text(xy: Any, classes: bool) -> None:
    from sklearn.datasets import load_svmlight_file

    scene = scene_of(xy, np.arange(len(xy)) % 2, task="classification" if classes else "regression")
    X, y = load_svmlight_file(io.BytesIO(writing.points_libsvm(scene).encode()), n_features=2 if classes else 1)
    expected, targets, _, _, _ = scene.training()
    assert np.array_equal(X.toarray(), expected) and np.array_equal(y, targets)


@pytest.mark.parametrize("key", ["overlapping", "iris", "sine", "heteroscedastic"])
def test_our_own_reader_gives_back_the_points(key: str) -> None:
    scene = EXAMPLES[key].scene()
    for text in (writing.points_csv(scene), writing.points_libsvm(scene)):
        if scene.task == "regression" and text.startswith(tuple("0123456789-")):
            table = tables.parse(text.encode(), "points.libsvm")
            assert np.array_equal(np.column_stack([table.X, table.y]), scene.points.xy)
            continue
        table = tables.parse(writing.encoded(text), "points.csv")
        points, classes = table.to_scene_points(scene.task)
        assert np.array_equal(points.xy, scene.points.xy)
        if text.startswith(scene.points.names[0][:1]):
            assert points.names == scene.points.names
            named = [scene.classes[c] for c in scene.points.cls]
            assert scene.task == "regression" or [classes[c] for c in points.cls] == named


def test_points_that_are_off_have_a_column_or_are_left_out() -> None:
    scene = scene_of([[1, 2], [3, 4], [5, 6]], [0, 1, 0], off=(1,))
    heads, rows = rows_of(writing.points_csv(scene))
    assert heads == ["on", "a", "b", "class"] and [row[0] for row in rows] == ["1", "0", "1"]
    assert rows[1] == ["0", "3.0", "4.0", "-1"]
    assert writing.points_csv(scene, [0, 2]).splitlines()[0] == "a,b,class"
    assert writing.points_libsvm(scene) == "+1 1:1.0 2:2.0\n+1 1:5.0 2:6.0\n"
    assert "3" not in writing.points_numpy(scene)
    assert writing.points_libsvm(scene, [1]) == "" and "np.empty((0, 2))" in writing.points_numpy(scene, [1])


@pytest.mark.parametrize("off", [(1,), (0, 1, 2, 3)])
@pytest.mark.parametrize("model", ["svm", "gpr"])
def test_points_that_are_off_come_back_off(model: str, off: tuple[int, ...], capsys: pytest.CaptureFixture[str],
                                           tmp_path: Path) -> None:
    scene = scene_of([[1, 2], [3, 4], [5, 6], [7, 1]], [0, 1, 0, 1], off=off)
    if model == "gpr":
        scene = dataclasses.replace(scene, regression=dataclasses.replace(scene.classification, cls=np.zeros(4, int)))
        scene = scene.with_model("gpr")
    table = tables.parse(writing.encoded(writing.points_csv(scene)), "points.csv")
    back = table.to_scene(Scene()).points
    assert back.names == scene.points.names and "1 is used, 0 is not" in str(table.doubts[0])
    assert np.array_equal(back.xy, scene.points.xy) and np.array_equal(back.on, scene.points.on)
    (tmp_path / "p.csv").write_text(writing.points_csv(scene))
    if len(off) == 1:
        _, out, _ = run(capsys, "fit", str(tmp_path / "p.csv"), "--json")
        assert json.loads(out)["n"] == 3


def test_a_column_that_is_no_switch_stays_an_input() -> None:
    table = tables.parse(b"on,a,kind\n1,2,x\n2,3,y\n1,4,x\n", "t.csv")
    assert table.X.tolist() == [[1, 2], [2, 3], [1, 4]] and not len(table.on) and not table.doubts


def test_names_with_commas_quotes_and_line_breaks_come_back() -> None:
    odd = ('a, "b"', "c\nd")
    scene = scene_of([[0, 1], [2, 3]], [0, 1], classes=('x,"y"\n', "=z;"), names=odd)
    heads, rows = rows_of(writing.points_csv(scene))
    assert heads == [*odd, "class"] and [row[2] for row in rows] == ['x,"y"\n', "=z;"]


@pytest.mark.parametrize("key", [*EXAMPLES])
def test_predictions_are_those_of_the_fit(key: str) -> None:
    scene = EXAMPLES[key].scene()
    if len(scene.points) > 200:
        return
    fit: Any = fit_of(scene)
    d = fit.X.shape[1]
    grid = writing.Grid((-1.0, 2.0, 0.5, 3.0), 4, 3)
    for places in (None, grid):
        heads, rows = rows_of(writing.predictions_csv(fit, scene, places))
        Z = scene.points.xy[:, :d] if places is None else grid.places(d)
        columns = {head: [row[i] for row in rows] for i, head in enumerate(heads)}
        axes = PLAIN_AXES if scene.points.names == ("x₁", "x₂") else scene.points.names
        assert heads[:d] == list(axes)[:d] and len(rows) == len(Z)
        at = np.array([[float(row[j]) for j in range(d)] for row in rows])
        assert np.array_equal(at, Z)

        def same(head: str, values: Any, columns: dict[str, list[str]] = columns) -> None:
            assert np.array_equal(np.array(list(map(float, columns[head]))), values), head

        if scene.task == "regression":
            mean = fit.predict(Z)
            same("mean" if fit.model.key == "gpr" else "f", mean)
            if fit.model.key == "gpr":
                same("predictive_std", fit.predict(Z, return_std=True)[1])
        else:
            named = dict(zip(fit.labels, [name.replace("−", "-") for name in scene.classes], strict=False))
            assert columns["predicted"] == [named[label] for label in fit.predict(Z)]
            if len(fit.labels) == 2 and fit.model.key != "gpc":
                same("decision_value", fit.decision_function(Z))
        assert ("class" in heads) == (places is None and scene.task == "classification")


def test_a_grid_goes_row_by_row_over_the_rectangle() -> None:
    places = writing.Grid((0.0, 1.0, 10.0, 12.0), 3, 2).places(2)
    assert places.tolist() == [[0, 10], [0.5, 10], [1, 10], [0, 12], [0.5, 12], [1, 12]]
    for nx, ny in ((0, 5), (2000, 2000), (-1, -1)):
        with pytest.raises(SpecError, match="grid"):
            writing.Grid((0.0, 1.0, 0.0, 1.0), nx, ny)


@pytest.mark.parametrize("key", ["overlapping", "iris", "sine", "step", "probability", "perceptron", "sinc"])
def test_readouts_keep_all_their_digits(key: str) -> None:
    fit = fit_of(EXAMPLES[key].scene())
    heads, rows = rows_of(writing.readouts_csv(fit))
    assert heads == ["group", "name", "label", "value"]
    found = {row[1]: row[3] for row in rows}
    assert found["kernel"] == fit.kernel.text() and found["model"] == fit.model.key and found["n"] == str(len(fit.X))
    for line in fit.readouts():
        if isinstance(line.raw, float):
            assert float(found[line.key]) == line.raw
        elif isinstance(line.raw, list):
            assert json.loads(found[line.key]) == line.raw


@pytest.mark.parametrize(("kernel", "bias"), [("linear()", True), ("linear()", False), ("rbf()", True)])
def test_the_steps_of_the_perceptron_can_be_played_again(kernel: str, bias: bool) -> None:
    scene = EXAMPLES["perceptron"].scene()
    scene = dataclasses.replace(scene, model=scene.model.set_text("kernel", kernel).replace("bias", bias))
    scene = scene.with_value("eta", 0.5).with_points(scene.points.switch([3], False))
    fit: Any = fit_of(scene)
    heads, rows = rows_of(writing.steps_csv(fit, scene))
    assert len(rows) == fit.mistakes + 1 and heads[:4] == ["update", "pass", "look", "row"]
    thetas = [head for head in heads if head.startswith("theta_")]
    assert bool(thetas) == (kernel == "linear()")
    theta = np.zeros(len(thetas))
    for row in rows[1:]:
        cell = dict(zip(heads, row, strict=True))
        x = scene.points.xy[int(cell["row"]) - 1]
        assert [float(cell[name]) for name in ("x1", "x2")] == x.tolist() and float(cell["y_f"]) <= 0
        if thetas:
            lifted = np.append(1.0, x) if bias else x
            assert float(cell["y_f"]) == pytest.approx(float(cell["y"]) * float(theta @ lifted), abs=1e-12)
            theta = theta + 0.5 * float(cell["y"]) * lifted
            assert np.allclose([float(cell[name]) for name in thetas], theta, atol=1e-12)
            assert float(cell["norm_theta"]) == pytest.approx(float(np.linalg.norm(theta)))
    if thetas:
        assert np.allclose(theta, fit.theta, atol=1e-12)


def test_only_the_perceptron_has_steps() -> None:
    scene = EXAMPLES["overlapping"].scene()
    with pytest.raises(SpecError, match="no steps"):
        writing.steps_csv(fit_of(scene), scene)


def test_long_work_can_be_stopped() -> None:
    scene = EXAMPLES["overlapping"].scene()

    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        writing.predictions_csv(fit_of(scene), scene, writing.Grid((0.0, 1.0, 0.0, 1.0), 100, 100), stop)


def test_a_file_for_spreadsheets_is_marked_where_letters_need_it() -> None:
    assert writing.encoded("a,b\n") == b"a,b\n"
    assert writing.encoded("x₁\n") == b"\xef\xbb\xbfx\xe2\x82\x81\n"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli.main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_the_command_line_writes_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    scene = EXAMPLES["overlapping"].scene()
    for name, text in (("p.csv", writing.points_csv(scene)), ("p.libsvm", writing.points_libsvm(scene)),
                       ("p.py", writing.points_numpy(scene))):
        status, out, err = run(capsys, "export", "overlapping", "-o", str(tmp_path / name))
        assert (status, err) == (0, "") and name in out
        assert (tmp_path / name).read_text("utf-8-sig") == text
    run(capsys, "export", "overlapping", "--what", "predictions", "--grid", "7x3", "-o", str(tmp_path / "g.csv"))
    assert len(rows_of((tmp_path / "g.csv").read_text("utf-8-sig"))[1]) == 21
    for cells in ("5", "5x1"):
        run(capsys, "export", "sine", "--what", "predictions", "--grid", cells, "-o", str(tmp_path / f"{cells}.csv"))
    assert len(rows_of((tmp_path / "5.csv").read_text("utf-8-sig"))[1]) == 5
    assert (tmp_path / "5.csv").read_bytes() == (tmp_path / "5x1.csv").read_bytes()
    run(capsys, "export", "overlapping", "--what", "readouts", "--set", "C=7", "-o", str(tmp_path / "r.csv"))
    assert "C,Penalty,7.0" in (tmp_path / "r.csv").read_text("utf-8-sig")
    status, out, _ = run(capsys, "code", "sine", "--for", "latex", "--model", "krr")
    assert status == 0 and out.startswith("% ") and r"\lambda" in out
    status, out, _ = run(capsys, "code", "sine", "-o", str(tmp_path / "s.py"))
    assert status == 0 and "import numpy as np" in (tmp_path / "s.py").read_text("utf-8")


def test_a_table_of_any_width_becomes_code(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,c,y\n0,0,1,no\n1,0,2,no\n3,3,0,yes\n4,3,1,yes\n")
    status, out, err = run(capsys, "code", str(tmp_path / "t.csv"), "--kernel", "linear()", "--lang", "en")
    assert (status, err) == (0, "") and "[4, 3, 1]" in out and "+1 is class yes, −1 is class no" in out


@pytest.mark.parametrize(("words", "said"), [
    (["export", "moons", "-o", "m.csv", "--grid", "5x5"], "--what predictions"),
    (["export", "moons", "-o", "m.csv", "--what", "predictions", "--grid", "5"], "50x50"),
    (["export", "moons", "-o", "m.csv", "--what", "predictions", "--at", "points", "--grid", "5x5"], "remove one"),
    (["export", "moons", "-o", "m.xlsx"], "use the extension .csv"),
    (["export", "moons", "-o", "m.svm", "--what", "predictions"], "use the extension .csv"),
    (["export", "moons", "-o", "-"], ""), (["code", "moons", "-o", "-"], ""),  # printed
    (["export", "moons", "-o", "m.csv", "--what", "predictions", "--grid", "9999x9999"], "cannot be exported"),
    (["export", "moons", "-o", "m.csv", "--what", "steps"], "no steps"),
    (["export", "moons", "-o", "m.csv", "--what", "step"], "choose one of points"),
    (["export", "moons"], "-o is missing"), (["export", "moons", "-o", "no/m.csv"], "not found: create it"),
    (["code", "moons", "--for", "fortran"], "choose one of numpy"),
    (["code", "moons", "-o", "no/x"], "not found: create it"),
    (["code", "perceptron", "--model", "svm", "--kernel", "linear()", "--set", "margin=hard"], ""),
    (["code", "overlapping", "--kernel", "linear()", "--set", "margin=hard"], "Not separable"),
])
def test_slips_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                        words: list[str], said: str) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = run(capsys, *words)
    assert (status == 2 and said in err and err.count("\n") == 1) if said else status == 0
    assert not list(tmp_path.iterdir())


WORDS = st.sampled_from(["A", "B", "b c", "setosa", "0", "1", "2", "+1", "−1", "−2", "007", "1.0", "1.5", 'x,"y"',
                         "p|q;r", "이름", "na", "class: A", "a−b"])


@st.composite
def scenes(draw: st.DrawFn, default: bool = False) -> Scene:
    names = CLASS_NAMES[:draw(st.integers(2, 8))]
    if not default:
        names = tuple(draw(st.lists(WORDS, min_size=1, max_size=8, unique=True)))
    rows = draw(st.lists(st.tuples(st.integers(-99, 99), st.integers(0, 9), st.integers(0, len(names) - 1),
                                   st.booleans()), min_size=2, max_size=12))
    x, y, cls, on = map(list, zip(*rows, strict=True))
    points = Points(np.column_stack([np.array(x) / 4, np.array(y) / 8]), np.array(cls), np.array(on), ("a", "b"))
    return dataclasses.replace(Scene(), classification=points, classes=names)


@given(scenes())
@settings(deadline=None, max_examples=80)
def test_a_scene_written_as_csv_and_read_is_the_same_scene(scene: Scene) -> None:
    table = tables.parse(writing.encoded(writing.points_csv(scene)), "points.csv")
    for into in (Scene(), scene):
        for back in (table.to_scene(into), arrive(into, table, add=False).scene):
            assert back.classes == scene.classes and np.array_equal(back.points.cls, scene.points.cls)
            assert np.array_equal(back.points.xy, scene.points.xy) and np.array_equal(back.points.on, scene.points.on)
    added = arrive(scene, table, add=True).scene
    assert added.classes == scene.classes and added.points.cls.tolist() == 2 * scene.points.cls.tolist()


@given(scenes(default=True))
@settings(deadline=None, max_examples=60)
def test_a_scene_written_as_libsvm_text_and_read_has_the_same_classes(scene: Scene) -> None:
    scene = scene.with_points(scene.points.switch(range(len(scene.points)), True))
    table = tables.parse(writing.points_libsvm(scene).encode(), "points.svm")
    back = arrive(scene, table, add=False).scene
    assert back.classes == scene.classes and np.array_equal(back.points.cls, scene.points.cls)
    fresh = table.to_scene(Scene())  # classes without points are not in the file
    labels = np.array(CLASS_LABELS)[scene.points.cls]
    assert [int(fresh.classes[c].replace("−", "-")) for c in fresh.points.cls] == labels.tolist()


@pytest.mark.parametrize("classes", [("+1", "−1"), ("A", "B"), ("0", "1"), ("no", "yes")])
@pytest.mark.parametrize("first", [0, 1])
def test_f_keeps_its_sign_on_the_way_through_a_file(classes: tuple[str, ...], first: int, tmp_path: Path,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    cls = np.array([first, 1 - first, 1, 0, 1])
    scene = scene_of(np.column_stack([3.0 * cls, np.arange(5)]), cls, classes=classes)
    (tmp_path / "p.csv").write_text(writing.points_csv(scene), "utf-8")
    _, out, _ = run(capsys, "fit", str(tmp_path / "p.csv"), "--json")
    fit = fit_of(scene)
    names = [str(label) for label in json.loads(out)["labels"]]
    assert [float(n) if n.lstrip("+-").replace(".", "").isdecimal() else n for n in names] == \
        [float(n.replace("−", "-")) if n.lstrip("+−").isdecimal() else n for n in classes]
    back = tables.read(tmp_path / "p.csv").to_scene(Scene())
    np.testing.assert_allclose(fit_of(back).decision_function(scene.points.xy), fit.decision_function(scene.points.xy))
