"""`import kernelplay as kp`: what the library offers, and what it says to wrong input."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kernelplay as kp
from kernelplay.animations import Steps

X = np.array([[0.0, 3.0], [3.0, 0.0], [3.0, 3.0]])
Y = np.array([1, 1, -1])


def test_every_name_is_there_and_no_other() -> None:
    assert {name for name in dir(kp) if name in kp.__all__} == set(kp.__all__)
    for name in kp.__all__:
        assert getattr(kp, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kp.nothing  # type: ignore[attr-defined]


def test_the_lines_of_the_readme() -> None:
    fit = kp.fit(X, Y, model="svm", kernel=kp.kernel("rbf", gamma=2.0), C=1.0)
    assert fit.predict(X).tolist() == [1, 1, -1]
    assert fit.decision_function([[0.0, 0.0]]).shape == (1,)
    assert fit.alpha.shape == (3,) and fit.support.tolist() == [0, 1, 2]  # type: ignore[attr-defined]
    assert fit.certificate.holds and fit.certificate["duality_gap"] < 1e-10


def test_the_closed_form_of_three_points() -> None:
    fit: Any = kp.fit(X, Y, "svm", kernel="linear", margin="hard")
    np.testing.assert_allclose(fit.w, [-2 / 3, -2 / 3])
    np.testing.assert_allclose([fit.b, fit.margin], [3, 1.5 / np.sqrt(2)])
    np.testing.assert_allclose(fit.alpha, [2 / 9, 2 / 9, 4 / 9])


def test_a_kernel_can_be_given_in_four_ways() -> None:
    wanted = kp.kernel({"name": "sum", "of": [{"name": "scale", "of": {"name": "rbf", "gamma": 2}, "factor": 0.5},
                                              {"name": "linear"}]})
    assert kp.kernel("0.5*rbf(gamma=2) + linear()") == wanted
    assert 0.5 * kp.kernel("rbf", gamma=2.0) + kp.kernel("linear") == wanted
    assert kp.kernel(wanted) is wanted and kp.kernel(str(wanted)) == wanted
    K = wanted.gram(X)
    np.testing.assert_allclose(K, 0.5 * np.exp(-2 * ((X[:, None] - X[None]) ** 2).sum(axis=2)) + X @ X.T)


def test_a_model_can_be_given_in_three_ways() -> None:
    for model in ("krr", {"name": "krr"}, kp.model("krr")):
        fit = kp.fit([0.0, 1.0], [1.0, 2.0], model, kernel="rbf", lambda_=0.5)
        assert fit.model == kp.model("krr", kernel="rbf", lambda_=0.5)
        K = np.exp(-np.array([[0.0, 1.0], [1.0, 0.0]]))
        np.testing.assert_allclose(fit.f_train, K @ np.linalg.solve(K + 0.5 * np.eye(2), [1.0, 2.0]))
    assert kp.fit([0.0, 1.0], [1.0, 2.0], "krr", **{"lambda": 0.5}).model.get("lambda_") == 0.5


def test_the_deviation_includes_the_noise() -> None:
    mean, deviation = kp.fit([[0.0]], [1.0], "gpr", kernel=kp.kernel("rbf", gamma=0.5),
                             noise_var=0.1).predict([[0.0], [30.0]], return_std=True)
    np.testing.assert_allclose(mean, [1 / 1.1, 0.0], atol=1e-12)
    np.testing.assert_allclose(deviation**2, [1.1 - 1 / 1.1, 1.1])


@pytest.mark.parametrize(("action", "words"), [
    (lambda: kp.kernel("rbff"), "Did you mean rbf"), (lambda: kp.kernel("rbf", gama=1), "did you mean gamma"),
    (lambda: kp.kernel("rbf", gamma=-1), "gamma cannot be -1: it must be a number above 0"),
    (lambda: kp.kernel("rbf("), "character 4"), (lambda: kp.kernel(3), "object with a name"),  # type: ignore[arg-type]
    (lambda: kp.model("svmm"), "svmm.*Did you mean svm"), (lambda: kp.fit(X, Y, "svm", C=0), "C cannot be 0"),
    (lambda: kp.fit(X, Y, "svm", D=1), "no parameter D"), (lambda: kp.fit(X, Y, kernel="svm"), "no kernel named svm"),
    (lambda: kp.fit(X, Y, 3), "object with a name"),  # type: ignore[arg-type]
])
def test_a_wrong_name_or_value_is_a_sentence_and_a_value_error(action: Any, words: str) -> None:
    with pytest.raises(kp.SpecError, match=words) as refusal:
        action()
    assert isinstance(refusal.value, ValueError)


@pytest.mark.parametrize(("inputs", "labels", "words"), [
    ([["a", 1]], [1], "X must contain only numbers"), ([[1, 2], [3]], [1, -1], "X must contain only numbers"),
    (X, [1, -1], "one row"),
    (X, [1, "a", None], "all be strings"), (X, [1.0, np.nan, -1.0], "Row 2"),
    (X, [[1], [1], [-1]], "one row and y one value"), (X, [[1], [1, 2], [3]], "one label for each row"),
    (X, [1, 2, 3], "handles two classes"), (X, [1, 1, 1], "one class"),
])
def test_wrong_data_are_a_sentence(inputs: Any, labels: Any, words: str) -> None:
    with pytest.raises(kp.FitError, match=words):
        kp.fit(inputs, labels, "gpc" if labels == [1, 2, 3] else "svm")


def test_save_and_load(tmp_path: Path) -> None:
    scene = kp.Scene()
    kp.save(scene, tmp_path / "A.kplay")
    assert kp.load(str(tmp_path / "A.kplay")).digest == scene.digest


@pytest.mark.parametrize(("changes", "words"), [
    ({"path": "figure"}, "use the extension"), ({"path": "figure.v1.2"}, "use the extension"),
    ({"path": "figure.jpg"}, "use the extension"),
    ({"width": 0}, "width cannot be 0px"), ({"height": 10**6}, "height cannot be .* a length from"),
    ({"dpi": 0}, "dpi"), ({"dpi": float("nan")}, "dpi"), ({"width": "2m"}, "width cannot be 2m"),
    ({"width": 2000, "height": 2000, "dpi": 2400}, "50,000 × 50,000 pixels"),
    ({"figure": "poster"}, "no preset named poster"), ({"colour": "red"}, "no parameter colour"),
    ({"font_size": 72.0, "width": "60mm", "height": "40mm"}, "there is no room"),
    ({"theme": "pink"}, "theme cannot be pink"), ({"language": "xx"}, "language cannot be xx"),
    ({"scene": "missing.kplay"}, "not found"), ({"path": "missing/figure.png"}, "folder"),
])
def test_a_figure_that_cannot_be_drawn_is_a_sentence(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    arguments = {"scene": kp.Scene(), "path": "figure.png", "width": 200, "height": 150} | changes
    scene, path = arguments.pop("scene"), tmp_path / arguments.pop("path")
    with pytest.raises((kp.FileError, kp.SpecError), match=words):
        kp.render(scene, path, **arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [None, 3, b"a.kplay", ["a.kplay"]])
def test_what_is_no_name_of_a_file_is_refused_in_a_sentence(wrong: Any, tmp_path: Path) -> None:
    kind = type(wrong).__name__
    with pytest.raises(kp.SpecError, match=f"path must be a file name, not a {kind}"):
        kp.load(wrong)
    with pytest.raises(kp.SpecError, match="path must be a file name"):
        kp.save(kp.Scene(), wrong)
    with pytest.raises(kp.SpecError, match="path must be a file name"):
        kp.render(kp.Scene(), wrong)
    with pytest.raises(kp.SpecError, match="scene must be a file name"):
        kp.render(wrong, tmp_path / "a.png")


def test_rendering_needs_no_display_and_leaves_the_environment_alone(tmp_path: Path) -> None:
    code = f"""import os, sys
for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "PYQTGRAPH_QT_LIB",
             "PYSIDE6_OPTION_PYTHON_ENUM"):
    os.environ.pop(name, None)
before = dict(os.environ)
import kernelplay as kp
for ending in ("png", "svg", "pdf"):
    path = {str(tmp_path)!r} + "/figure." + ending
    kp.render(kp.Scene(), path, width=320, height="60mm", theme="dark", language="ko")
print(sorted(name for name, _ in before.items() ^ os.environ.items()))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout.strip() == "[]", done.stdout + done.stderr
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "figure.svg").read_text("utf-8")
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("arguments", "words"), [
    ({"model": "svm"}, "Choose gpr or gpc"), ({"model": "krr"}, "Choose gpr or gpc"),
    ({"starts": 0}, "starts cannot be 0"),
    ({"starts": 2.5}, "starts cannot be 2.5"), ({"seed": -1}, "seed cannot be -1"), ({"seed": "a"}, "seed cannot be a"),
    ({"bounds": {"gamma": 5}}, "bounds of gamma"), ({"bounds": {"gamma": (1.0,)}}, "bounds of gamma"),
    ({"paths": ["nothing"]}, "no parameter nothing"),
])
def test_a_wrong_search_for_the_evidence_is_a_sentence(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(kp.SpecError, match=words):
        kp.maximise([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.5], **arguments)


def test_one_path_may_be_given_by_itself() -> None:
    found = kp.maximise([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.5], paths="gamma", starts=1)
    assert found.model.get("noise_var") == kp.model("gpr").get("noise_var")


@pytest.mark.parametrize("value", [10**400, np.array([1.0, 2.0]), 1j, np.bool_(True), None, "1", float("nan")])
def test_a_value_that_is_no_number_is_refused_by_a_parameter(value: Any) -> None:
    with pytest.raises(kp.SpecError, match=r"C cannot be .*: it must be a number above 0"):
        kp.model("svm", C=value)


@pytest.mark.parametrize("name", ["width", "dpi", "font_size", "line_scale"])
@pytest.mark.parametrize("value", [1e-9, 1e9, "two", None, (1, 2, 3), ("a", "b"), (), 1j, float("nan")])
def test_a_size_without_sense_is_a_sentence_for_every_ending(tmp_path: Path, name: str, value: Any) -> None:
    for ending in ("png", "svg", "pdf"):
        with pytest.raises(kp.SpecError, match=f"{name} cannot be"):
            kp.render(kp.Scene(), tmp_path / f"figure.{ending}", **{name: value})
    assert list(tmp_path.iterdir()) == []


def test_only_a_scene_is_saved(tmp_path: Path) -> None:
    with pytest.raises(kp.SpecError, match="Only a Scene"):
        kp.save("moons", tmp_path / "a.kplay")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_numbers_that_overflow_make_no_noise() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = kp.fit(X * 1e200, Y, "svm")
        assert fit.certificate.holds and fit.predict(X * 1e200).tolist() == [1, 1, -1]


def words(n: int = 24) -> tuple[Any, Any]:
    X = np.random.default_rng(3).normal(size=(n, 2))
    return X, np.where(X[:, 0] > 0, "yes", "no")


@pytest.mark.parametrize("kind", ["numpy", "sklearn", "latex"])
def test_code_is_that_of_the_command_line(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from kernelplay import cli, i18n
    from kernelplay.examples import examples

    scene = examples()[0].path
    assert cli.main(["code", str(scene), "--for", kind, "--lang", "ko"]) == 0
    printed = capsys.readouterr().out
    i18n.use("en")
    written = tmp_path / "code.txt"
    assert kp.code(scene, kind, written, language="ko") == kp.code(kp.load(scene), kind, language="ko") == printed
    assert written.read_text("utf-8") == printed and i18n.current() == "en"


def test_code_of_a_fit_has_its_classes_and_columns() -> None:
    fit = kp.fit(*words(), kernel="rbf")
    text = kp.code(fit, title="Mine", columns=("length (cm)", "width (cm)"))
    assert text.startswith("# Mine\n") and "+1 is class yes, −1 is class no." in text
    assert "The columns of X are length (cm), width (cm)." in text
    t = kp.fit([0.0, 1.0, 2.0], [1.0, 2.0, 0.5], "krr")
    for kind in ("numpy", "sklearn", "latex"):
        assert "X is time (s), y is height (m)." in kp.code(t, kind, columns=("time (s)", "height (m)"))
        assert "X is" not in kp.code(t, kind, columns=("x", "t"))


@pytest.mark.parametrize("turned", [False, True])
def test_a_fit_is_saved_as_the_scene_that_gives_it_again(turned: bool, tmp_path: Path) -> None:
    X, y = words()
    X, y = (X[::-1], y[::-1]) if turned else (X, y)
    fit: Any = kp.fit(X, y, kernel="0.5*rbf(gamma=2) + linear()", C=3.0)
    kp.save(fit, tmp_path / "a.kplay", columns=("a (cm)", "b (cm)"), title="Mine")
    scene = kp.load(tmp_path / "a.kplay")
    assert scene.classes == ("yes", "no") and scene.points.names == ("a (cm)", "b (cm)") and scene.title == "Mine"
    inputs, labels, order, _, _ = scene.training()
    again: Any = scene.model.fit(inputs, labels, labels=order)
    np.testing.assert_allclose(again.decision_function(X), fit.decision_function(X), rtol=1e-9, atol=1e-9)


def test_a_fit_of_every_kind_is_a_scene(tmp_path: Path) -> None:
    X, y = words()
    three = np.arange(24) % 3
    for labels, model in ((y == "yes", "svm"), (three, "svm"), (np.where(three, 1, -1), "gpc"),
                          (np.array([b"a", b"b"])[three % 2], "perceptron")):
        fit = kp.fit(X, labels, model)
        kp.save(fit, tmp_path / "a.kplay")
        scene = kp.load(tmp_path / "a.kplay")
        inputs, given, order, _, _ = scene.training()
        again = scene.model.fit(inputs, given, labels=order)
        assert np.array_equal(again.y, fit.y) and len(scene.classes) == len(fit.labels)
    kp.save(kp.fit(X[:, 0], X[:, 1], "svr"), tmp_path / "a.kplay")
    np.testing.assert_array_equal(kp.load(tmp_path / "a.kplay").regression.xy, X)
    wide = kp.fit(np.c_[X, X], y)
    for action in (lambda: kp.save(wide, tmp_path / "b.kplay"), lambda: kp.render(wide, tmp_path / "b.png"),
                   lambda: kp.animate(wide, tmp_path / "b.gif", "C=1:2")):
        with pytest.raises(kp.SpecError, match="X has 4 columns"):
            action()
    assert [file.name for file in tmp_path.iterdir()] == ["a.kplay"]


def test_animations_are_those_of_the_command_line(tmp_path: Path) -> None:
    from kernelplay import cli
    from kernelplay.examples import examples

    scenes = {example.key: example.path for example in examples()}
    small = {"width": 480, "height": 360}
    for name, flags, arguments in (
            ("overlapping", ["--sweep", "C=0.1:10", "--frames", "3", "--back"],
             {"sweep": "C=0.1:10", "frames": 3, "back": True}),
            ("perceptron", ["--steps", "--last", "4", "--every", "2", "--once"],
             {"steps": Steps(0, 4, 2), "once": True})):
        path = tmp_path / f"{name}.gif"
        assert kp.animate(scenes[name], path, **arguments, **small) == (path,)  # type: ignore[arg-type]
        ours = path.read_bytes()
        assert cli.main(["animate", str(scenes[name]), "-o", str(path), "--size", "480x360", *flags]) == 0
        assert ours.startswith(b"GIF89a") and ours == path.read_bytes()
    pictures = kp.animate(kp.fit(*words()), tmp_path / "p.png", "C=1:2", frames=2, **small)  # type: ignore[arg-type]
    assert [file.name for file in pictures] == ["p-0001.png", "p-0002.png"]


@pytest.mark.parametrize(("arguments", "said"), [
    ({}, "one thing only"), ({"sweep": "C=1:2", "steps": True}, "one thing only"), ({"sweep": "C"}, "not a sweep"),
    ({"sweep": "D=1:2"}, "no parameter D"), ({"steps": True}, "no steps to play"),
    ({"sweep": "C=1:2", "fps": 0}, "fps cannot be 0: it must be a number from 0.1 to 100"),
    ({"sweep": "C=1:2", "fps": "a"}, "fps cannot be a"), ({"sweep": "C=1:2", "fps": float("nan")}, "fps cannot be nan"),
    ({"sweep": "C=1:2", "panels": 0, "path": "a.svg"}, "panels cannot be 0: it must be a whole number from 1"),
    ({"sweep": "C=1:2", "columns": 0, "path": "a.svg"}, "columns cannot be 0"),
    ({"sweep": "C=1:2", "columns": "two", "path": "a.svg"}, "columns cannot be two"),
    ({"sweep": 12}, "12 is not a sweep: write a parameter"), ({"sweep": ("C", 1, 2)}, "is not a sweep"),
    ({"sweep": "C=1:2", "frames": "4"}, "frames cannot be 4"), ({"sweep": "C=1:2", "frames": None}, "frames cannot be"),
    ({"sweep": "C=1:2", "back": "no"}, "back cannot be no: it must be true or false"),
    ({"sweep": "C=1:2", "once": 2}, "once cannot be 2"), ({"sweep": "C=1:2", "overwrite": None}, "overwrite cannot be"),
    ({"steps": 3}, "steps cannot be 3"), ({"steps": Steps(0.5)}, "first cannot be 0.5"),  # type: ignore[arg-type]
    ({"steps": Steps(0, "end")}, "last cannot be end"),  # type: ignore[arg-type]
    ({"steps": Steps(0, None, 0)}, "every cannot be 0"),
    ({"sweep": "C=1:2", "figure": 12}, "no preset named 12"), ({"sweep": "C=1:2", "figure": [1]}, "no preset named"),
    ({"sweep": "C=1:2", "path": "a.mp4"}, "use the extension"),
    ({"sweep": "C=1:2", "language": "xx"}, "language cannot be xx"),
    ({"sweep": "C=1:2", "theme": "pink"}, "theme cannot be pink"),
])
def test_an_animation_that_cannot_be_made_is_a_sentence(arguments: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / arguments.pop("path", "a.gif")
    with pytest.raises((kp.SpecError, kp.FileError), match=said):
        kp.animate(kp.fit(*words()), path, **arguments)
    assert list(tmp_path.iterdir()) == []


def test_code_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    fit = kp.fit(*words())
    for action, said in ((lambda: kp.code(fit, "julia"), "kind cannot be julia: choose one of numpy"),
                         (lambda: kp.code(3), "scene must be a file name"),  # type: ignore[arg-type]
                         (lambda: kp.code(fit, language="xx"), "language cannot be xx"),
                         (lambda: kp.code(fit, path=tmp_path / "no" / "a.py"), "folder"),
                         (lambda: kp.code(fit, ["numpy"]), "kind cannot be .*: choose one of numpy"),  # type: ignore[arg-type]
                         (lambda: kp.code(fit, title=3), "title cannot be 3: it must be text"),  # type: ignore[arg-type]
                         (lambda: kp.code(fit, columns="ab"), "columns cannot be ab: it must be a list"),
                         (lambda: kp.code(fit, columns=3), "columns cannot be 3: it must be a list"),  # type: ignore[arg-type]
                         (lambda: kp.code(fit, columns=("a", 3)), "columns cannot be 3: it must be text"),  # type: ignore[list-item]
                         (lambda: kp.code(fit, columns=("a",)), r"one name for each column of X \(2\)"),
                         (lambda: kp.code(fit, columns=("a", "b", "c")), r"one name for each column of X \(2\)"),
                         (lambda: kp.code(kp.fit([0.0, 1.0], [1.0, 2.0], "krr"), columns=("a", "b", "c")),
                          r"X \(1\), optionally followed by one for y"),
                         (lambda: kp.code(kp.Scene(), path=3), "path must be a file name"),  # type: ignore[arg-type]
                         (lambda: kp.code(kp.Scene()), "No points")):
        with pytest.raises((kp.SpecError, kp.FileError, kp.FitError), match=said):
            action()


@pytest.mark.parametrize(("arguments", "said"), [
    ({"columns": ("a",)}, "two names, one for each axis"), ({"columns": ("a", "b", "c")}, "two names"),
    ({"columns": "ab"}, "columns cannot be ab: it must be a list"), ({"columns": ("a", None)}, "it must be text"),
    ({"title": 3}, "title cannot be 3: it must be text"), ({"title": "a" * 1001}, "at most 1000 characters"),
])
def test_names_that_cannot_be_saved_are_a_sentence(arguments: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(kp.SpecError, match=said):
        kp.save(kp.fit(*words()), tmp_path / "a.kplay", **arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [{"columns": ("a", "b")}, {"title": "Mine"}])
def test_a_scene_is_saved_with_the_names_it_has(arguments: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(kp.SpecError, match=r"A Scene has its own \w+: leave this argument out"):
        kp.save(kp.Scene(), tmp_path / "a.kplay", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_counts_may_be_numbers_of_numpy(tmp_path: Path) -> None:
    files = kp.animate(kp.fit(*words()), tmp_path / "a.svg", "C=1:2", frames=np.int64(4), panels=np.int64(2),  # type: ignore[arg-type]
                       columns=np.int64(1), fps=np.float64(5), back=np.bool_(True), width=480, height=360)  # type: ignore[arg-type]
    assert files == (tmp_path / "a.svg",) and "2 frames" in files[0].read_text("utf-8")
