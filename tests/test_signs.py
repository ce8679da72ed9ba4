"""Which of two classes is +1: one rule at every door by which labels come in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kernelplay as kp
from kernelplay import cli, tables
from kernelplay.arrays import ordered
from kernelplay.arrival import arrive, signs
from kernelplay.columns import for_canvas
from kernelplay.guess import guess
from kernelplay.scene import Scene
from kernelplay.tables import parse

# the second one is +1
PAIRS = [("no", "yes"), ("neg", "pos"), ("negative", "positive"), ("false", "true"), ("0", "1"), ("-1", "1"),
         ("-1", "+1"), ("1", "2"), ("9", "10"), ("-", "+"), ("A", "B"), ("아니오", "예"), ("いいえ", "はい"),
         ("benign", "malignant"), ("−1", "+1"), ("-a", "+a")]
X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0], [5.0, 6.0]])


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("low", "high"), PAIRS)
def test_the_last_of_two_labels_is_the_positive_one_at_every_door(low: str, high: str, turned: bool, tmp_path: Path,
                                                                  capsys: pytest.CaptureFixture[str]) -> None:
    order = range(5, -1, -1) if turned else range(6)
    words = [(low, high)[row > 2] for row in order]
    lines = [f"{X[row, 0]},{X[row, 1]},{word}" for row, word in zip(order, words, strict=True)]
    file = tmp_path / "t.csv"
    file.write_text("a,b,kind\n" + "\n".join(lines) + "\n", "utf-8")

    numeric = all(word.lstrip("+-").isdigit() for word in (low, high))
    y = np.array([float(word) for word in words]) if numeric else np.array(words)
    fit = kp.fit(X[list(order)], y, kernel="linear")
    assert fit.decision_function(X[3:4])[0] > 0 > fit.decision_function(X[:1])[0]
    assert fit.predict(X[3:4])[0] == (float(high) if numeric else high)

    assert cli.main(["fit", str(file), "--kernel", "linear()", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["labels"]
    assert str(printed[0]).removesuffix(".0") == high.lstrip("+") or printed[0] == high

    table = tables.read(file)
    for scene in (table.to_scene(Scene()), arrive(Scene(), table, add=False).scene, _imported(file)):
        inputs, labels, classes, _, _ = scene.training()
        again = scene.model.replace("kernel", kp.kernel("linear")).fit(inputs, labels, labels=classes)
        assert again.decision_function(X[3:4])[0] > 0
        assert scene.classes[0].lstrip("+") == high.lstrip("+") or (low, high) == ("-", "+")
        said = signs(scene)
        assert (said is None) == (scene.classes == ("+1", "−1"))
        assert said is None or f"class {scene.classes[0]}, −1 is class {scene.classes[1]}" in str(said)


def _imported(file: Path) -> Scene:
    """Return the scene of the window that imports, as it proposes it."""
    content = file.read_bytes()
    reading = for_canvas(content, guess(content, file.name).reading, file.name)
    return arrive(Scene(), parse(content, file.name, reading), add=False).scene


@pytest.mark.parametrize(("low", "high"), [pair for pair in PAIRS if pair[0].lstrip("-").isdigit()])
def test_libsvm_text_keeps_to_it(low: str, high: str) -> None:
    text = "".join(f"{(low, high)[row > 2]} 1:{X[row, 0]} 2:{X[row, 1]}\n" for row in range(6))
    assert tables.parse(text.encode(), "t.svm").order == (float(high), float(low))


def test_what_a_file_declares_comes_before_the_rule() -> None:
    table = tables.parse(b'a,b,"class: no|yes"\n0,0,no\n5,5,yes\n', "t.csv")
    assert table.order == ("no", "yes") and table.to_scene(Scene()).classes == ("no", "yes")


def test_more_than_two_stay_sorted() -> None:
    assert ordered(np.array(["b", "c", "a", "b"])) == ("a", "b", "c")
    assert ordered(np.array([10, 9, 2])) == (2, 9, 10) and ordered(np.array([True, False])) == (True, False)


def test_the_command_line_says_which_one_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.csv"
    file.write_text("".join(f"{x},{y},{'yes' if x > 2 else 'no'}\n" for x, y in X))
    assert cli.main(["fit", str(file), "--lang", "en"]) == 0
    assert "+1 (f ≥ 0) is class yes, −1 is class no." in capsys.readouterr().out
