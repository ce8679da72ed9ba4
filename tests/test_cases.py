"""The hard cases of `tests/cases` (or of `pytest tests/test_cases.py --cases DIR`) through the public API.

Every result name of the page README.md there is an attribute or a method of the Fit. A case whose area or action is not
known here is skipped with the reason, so that pytest counts it; an unknown result name in a known area fails.
"""

from __future__ import annotations

import io
import json
import math
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kernelplay as kp
from kernelplay import arrival, columns, session, tables
from kernelplay.errors import Spoken
from kernelplay.guess import guess

HERE = Path(__file__).parent / "cases"
FITTED = {"perceptron", "svm", "svr", "krr", "gpr", "gpc", "degenerate"}
AREAS = FITTED | {"kernel", "csv", "session", "export"}
MODELS = {"perceptron", "svm", "svr", "krr", "gpr", "gpc"}
PARAMETERS = {  # of a case's params, which may be common to variants with several models
    "perceptron": {"eta", "max_epochs", "bias", "order", "seed", "start"}, "svm": {"margin", "C"},
    "svr": {"margin", "C", "epsilon"}, "krr": {"lambda"}, "gpr": {"noise_var"}, "gpc": {"nu"},
}
NO_VALUES = {"outcome", "message_mentions_any", "must_not", "after", "note", "variants", "probe_count", "file"}
AT_PROBE = {"mean", "latent_mean", "latent_var", "p", "p_map", "p_exact_average"}
SETS = {"free_sv", "bound_sv", "non_sv"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"case", "variant"} <= set(metafunc.fixturenames):
        folder = Path(metafunc.config.getoption("--cases", None) or HERE)
        found = [json.loads(file.read_text("utf-8")) | {"folder": folder} for file in sorted(folder.glob("*.json"))]
        assert found, f"there are no cases in {folder}"
        pairs = [(case, name) for case in found for name in case["input"].get("variants", {"": {}})]
        names = [case["id"] + (f"-{name}" if name else "") for case, name in pairs]
        metafunc.parametrize(("case", "variant"), pairs, ids=names)


def test_case(case: dict[str, Any], variant: str, tmp_path: Path) -> None:
    area = case["area"]
    if area not in AREAS:
        pytest.skip(f"unsupported area {area!r}")
    given, expect = merged(case, variant)
    if area == "csv":
        check_table(case, given, expect)
    elif area == "session":
        check_session(given, case["expect"], tmp_path)
    elif area == "export":
        check_export(given, case["expect"], tmp_path)
    elif given["model"] == "gram":
        check_values(lambda name: gram_value(given, name), expect, case["tolerance"])
    elif given["model"] in MODELS:
        check_fit(case, given, expect)
    else:
        pytest.skip(f"unsupported action {given['model']!r}")


def merged(case: dict[str, Any], variant: str) -> tuple[dict[str, Any], dict[str, Any]]:
    given, expect = dict(case["input"]), dict(case["expect"])
    change = given.get("variants", {}).get(variant, {})
    given |= change | {"params": given.get("params", {}) | change.get("params", {})}
    expect |= expect.get("variants", {}).get(variant, {})
    return given, expect


# numbers

def close(got: Any, wanted: Any, rel: float, absolute: float) -> bool:
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    return got.shape == wanted.shape and bool((np.abs(got - wanted) <= absolute + rel * np.abs(wanted)).all())


def check_values(value: Any, expect: dict[str, Any], tolerance: dict[str, Any]) -> None:
    for name, wanted in expect.items():
        if name in NO_VALUES or name.startswith("wrong_"):
            continue
        bounds = tolerance | tolerance.get("keys", {}).get(name, {})
        if name.endswith(("_at_least", "_at_most")):
            base, _, side = name.rpartition("_at_")
            got = np.asarray(value(base), float)
            assert (got >= wanted).all() if side == "least" else (got <= wanted).all(), (name, got, wanted)
            continue
        got = value(name)
        if name == "alpha_sum":
            wanted = [total for _, total in sums(wanted)]
        if wanted is None:
            assert got is None or np.isinf(got), (name, got, wanted)
        elif isinstance(wanted, bool):
            assert bool(got) is wanted, (name, got, wanted)
        elif name in SETS:
            assert sorted(np.asarray(got).tolist()) == sorted(wanted), (name, got, wanted)
        elif isinstance(wanted, dict):
            for key, number in wanted.items():
                assert close(got[key], number, bounds["rel"], bounds["abs"]), (name, key, got[key], number)
        else:
            assert close(got, wanted, bounds["rel"], bounds["abs"]), (name, got, wanted)


def gram_value(given: dict[str, Any], name: str) -> Any:
    from kernelplay.numerics.linalg import is_psd

    K = kp.kernel(given["kernel"]).gram(np.array(given["X"], float))
    psd, low, _ = is_psd(K)
    return {"K": K, "eig_min": low, "psd": psd}[name]


def fit_value(fit: kp.Fit, given: dict[str, Any], expect: dict[str, Any], name: str) -> Any:
    probe = np.array(given.get("probe", []), float).reshape(-1, fit.X.shape[1])[:expect.get("probe_count")]
    if name == "f_probe":
        return fit.decision_function(probe)
    if name == "var":
        return fit.predict(probe, return_std=True)[1] ** 2
    if name in AT_PROBE:
        return getattr(fit, name)(probe)
    if name == "predicted_train":
        return fit.predict(fit.X)
    if name == "predicted_everywhere":
        places = np.vstack([fit.X, [[-9.0] * fit.X.shape[1], [9.0] * fit.X.shape[1]]])
        return np.unique(fit.predict(places)).item()
    if name == "mistakes_per_epoch_first":
        return fit.mistakes_per_epoch[:len(expect[name])]  # type: ignore[attr-defined]
    if name == "alpha_sum":
        return [fit.alpha[rows].sum() for rows, _ in sums(expect[name])]  # type: ignore[attr-defined]
    if name in ("lml_gradient", "lml_gradient_log"):
        return {key: slope(fit, name, key) for key in expect[name]}
    return getattr(fit, name)


def sums(given: Any) -> list[tuple[Any, float]]:
    """Return the rows and what their multipliers add up to: one number is the sum of all, a list of rows and totals
    ([[0, 1], 0.5], {"rows": [0, 1], "sum": 0.5}), or a mapping {"0,1": 0.5}."""
    if isinstance(given, (int, float)):
        return [(slice(None), given)]
    if isinstance(given, dict):
        return [([int(row) for row in re.findall(r"\d+", key)], total) for key, total in given.items()]
    pairs = [item.values() if isinstance(item, dict) else item for item in given]
    return [(rows, total) for rows, total in pairs]


def slope(fit: Any, name: str, key: str) -> float:
    if key != "beta":
        return float(getattr(fit, name)[key])
    by_noise = float(getattr(fit, name)["noise_var"])  # beta = 1/noise_var
    return -by_noise if name.endswith("_log") else -by_noise * fit.model.noise_var**2


# models

def model_of(given: dict[str, Any]) -> kp.Model:
    name = given["model"]
    parameters = {key: value for key, value in given["params"].items() if key in PARAMETERS[name]}
    if name == "perceptron":
        parameters["max_updates"] = 100_000  # a case caps the passes alone
    unknown = set(given["params"]) - set().union(*PARAMETERS.values())
    assert not unknown, f"unknown parameters {unknown}"
    return kp.model(name, **({"kernel": given["kernel"]} if "kernel" in given else {}), **parameters)


def check_fit(case: dict[str, Any], given: dict[str, Any], expect: dict[str, Any]) -> None:
    outcome = expect["outcome"]
    model = model_of(given)
    X = np.array(given["X"], float)
    try:
        fit = kp.fit(X, np.array(given["y"]), model)
        if "optimise" in given:
            check_optimum(given, expect, case["tolerance"], model, fit)
            return
    except Spoken as refusal:
        assert outcome in ("refuse", "ok_or_refuse", "warn_or_refuse", "refuse_or_constant"), str(refusal)
        check_words(str(refusal), expect, needed=True)
        assert expect.get("separable") is not True or "separable" not in str(refusal)
        return
    assert outcome != "refuse", f"a result where a refusal was due: {fit.status()}"
    notice = " ".join([str(fit.status()), *(str(note.sentence) for note in fit.notes)])
    warned = outcome == "warn" or (outcome == "warn_or_refuse")
    check_words(notice, expect, needed=warned)
    assert not warned or fit.notes, "a notice was due"
    check_values(lambda name: fit_value(fit, given, expect, name), expect, case["tolerance"])
    shown = [str(line.value) for line in fit.readouts()]
    assert not [text for text in shown if "nan" in text.lower()], shown


def check_words(text: str, expect: dict[str, Any], needed: bool) -> None:
    wanted = expect.get("message_mentions_any", [])
    if needed and wanted:
        assert any(word.lower() in text.lower() for word in wanted), (text, wanted)
    assert text.strip() and "Traceback" not in text
    for ban in expect.get("must_not", []):
        if ban.startswith("the words ") and "without" not in ban:
            assert ban.removeprefix("the words ") not in text.lower(), text


def check_optimum(given: dict[str, Any], expect: dict[str, Any], tolerance: dict[str, Any], model: kp.Model,
                  start: Any) -> None:
    bounds = {name: (low, high) for name, (low, high) in given.get("bounds", {}).items()}
    found = kp.maximise(given["X"], given["y"], model, paths=given["optimise"], bounds=bounds, seed=1)

    def value(name: str) -> Any:
        if name == "lml_start":
            return start.log_marginal_likelihood
        if name == "optimum":
            return {key: found.values[key] for key in expect["optimum"]}
        return found.values[name] if name in given["optimise"] else fit_value(found.fit, given, expect, name)

    numbers = {name: wanted for name, wanted in expect.items() if name not in ("other_local_maximum", "plateau_lml")}
    check_values(value, numbers, tolerance)
    other = expect.get("other_local_maximum", {}).get("lml")
    assert other is None or found.fit.log_marginal_likelihood > other


# tables

def check_table(case: dict[str, Any], given: dict[str, Any], expect: dict[str, Any]) -> None:
    name = given.get("file", "generated.csv")
    content = (case["folder"] / name).read_bytes() if "file" in given else generated(given["generate"])
    began = time.perf_counter()
    try:
        table = tables.parse(content, name)
    except Spoken as refusal:
        assert "refuse" in expect["outcome"], str(refusal)
        check_words(str(refusal), expect, needed=True)
        return
    seconds = time.perf_counter() - began
    points = table.to_scene_points(given["task"])[0]
    signs = np.where(points.cls == 0, 1.0, -1.0) if given["task"] == "classification" else table.y
    got = {
        "X": table.X, "y": signs, "rows": len(table.X), "positives": int((signs > 0).sum()),
        "sum_x1": table.X[:, 0].sum(), "sum_x2": table.X[:, -1].sum(), "skipped": len(table.skipped_lines),
        "skipped_lines": table.skipped_lines, "import_seconds": seconds,
    }
    for key in ("columns", "labels"):
        assert key not in expect or list(getattr(table, key)) == expect[key], key
    assert "y_labels" not in expect or table.y.tolist() == expect["y_labels"]
    words = {"columns", "labels", "y_labels", "window_answers_within_seconds"}
    check_values(got.__getitem__, {key: value for key, value in expect.items() if key not in words}, case["tolerance"])
    check_door(content, name, table)
    if len(table.X) >= 10_000:  # no matrix of all pairs is formed: it would not fit into memory
        assert kp.fit(table.X, table.y, "svm").certificate.holds
    if table.skipped_lines:
        check_words(" ".join(str(note.sentence) for note in table.notes), expect, needed=True)


def check_door(content: bytes, name: str, table: tables.Table) -> None:
    """The dialog shows what was guessed and reads with that: what then comes in is what the command line reads."""
    told = guess(content, name).reading
    again = tables.parse(content, name, told)
    np.testing.assert_array_equal(again.X, table.X)
    np.testing.assert_array_equal(again.y, table.y)
    shown = columns.for_canvas(content, told, name)
    assert len(columns.preview(content, shown, name).columns) == len(table.columns)
    arrived = arrival.arrive(kp.Scene(), arrival.read(content, name, shown), add=False)
    points, classes = table.to_scene_points()
    np.testing.assert_array_equal(arrived.points.xy, points.xy)
    np.testing.assert_array_equal(arrived.points.cls, points.cls)
    assert arrived.points.names == points.names and arrived.scene.task == table.task
    assert arrived.table.skipped_lines == table.skipped_lines
    assert [row.line for row in arrived.table.unusable] == list(table.skipped_lines)
    assert not classes or arrived.scene.classes == classes


def generated(recipe: dict[str, Any]) -> bytes:
    names = recipe["header"].split(",")
    codes = [compile(recipe[name], name, "eval") for name in names]
    out = io.StringIO()
    out.write(recipe["header"] + "\n")
    for i in range(recipe["rows"]):
        row: dict[str, Any] = {"i": i}
        for name, code in zip(names, codes, strict=True):
            row[name] = eval(code, {"float": float}, row)
        out.write(",".join(str(row[name]) for name in names) + "\n")
    return out.getvalue().encode()


# files

def variants_of(steps: list[str]) -> list[str]:
    return [step.removeprefix("variant ").partition(":")[0] for step in steps if step.startswith("variant ")]


def six_points() -> kp.Scene:
    scene = kp.Scene()
    points = scene.points.add([[0, 0], [1, 0], [0, 1]], 0).add([[3, 3], [4, 3], [3, 4]], 1)
    return scene.with_points(points)


def check_session(given: dict[str, Any], expect: dict[str, Any], folder: Path) -> None:
    from kernelplay.history import History
    from kernelplay.i18n import say

    file = folder / "A.kplay"
    kp.save(six_points(), file)
    sound = file.read_bytes()
    png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    newer = json.loads(sound)
    newer["version"] += 1000
    damaged = {"truncated": sound[:len(sound) * 6 // 10], "empty": b"", "not_a_session": png,
               "newer": json.dumps(newer).encode()}
    window = History.start(six_points(), say("Open")).edit(kp.Scene(), say("Clear"))
    unknown = [name for name in variants_of(given["steps"]) if name not in damaged]
    if unknown:
        pytest.skip(f"unsupported steps {unknown}")
    for name in variants_of(given["steps"]):
        file.write_bytes(damaged[name])
        with pytest.raises(kp.FileError) as refusal:
            kp.load(file)
        check_words(str(refusal.value), expect["variants"][name], needed=True)
        assert file.read_bytes() == damaged[name]
        assert len(window.scene.points) == 0 and len(window.undo().scene.points) == 6
    file.write_bytes(sound)
    assert session.dump(kp.load(file)).encode() == sound


def check_export(given: dict[str, Any], expect: dict[str, Any], folder: Path) -> None:
    def exported(name: str, scene: kp.Scene) -> Path:
        kp.render(scene, folder / name, width=320, height=240)
        return folder / name

    def no_points() -> None:
        png, svg = exported("empty.png", kp.Scene()), exported("empty.svg", kp.Scene())
        assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = (int.from_bytes(png.read_bytes()[at:at + 4], "big") for at in (16, 20))
        assert width > 100 and height > 100
        assert "<text" in svg.read_text("utf-8") and not re.search(r"\bnan\b", svg.read_text("utf-8").lower())

    def before_first_paint() -> None:
        assert exported("unseen.png", six_points()).stat().st_size > 1000

    def non_ascii() -> None:
        (folder / "Größe Ж 图").mkdir()
        name = "Größe Ж 图/Übung 1 – γ=0.5 (κ).png"
        assert exported(name, six_points()).name in [file.name for file in (folder / "Größe Ж 图").iterdir()]

    def dots() -> None:
        with pytest.raises(kp.FileError) as refusal:
            exported("fit.v1.2", six_points())
        check_words(str(refusal.value), expect["variants"]["dots"], needed=True)
        assert not (folder / "fit.v1.2").exists()

    def overwrite() -> None:
        first = exported("twice.png", kp.Scene()).read_bytes()
        second = exported("twice.png", six_points()).read_bytes()
        assert second != first and second.endswith(b"IEND\xaeB`\x82")

    known = {check.__name__: check for check in (no_points, before_first_paint, non_ascii, dots, overwrite)}
    unknown = [name for name in variants_of(given["steps"]) if name not in known]
    if unknown:
        pytest.skip(f"unsupported steps {unknown}")
    for name in variants_of(given["steps"]):
        known[name]()


def test_a_value_outside_its_tolerance_is_seen() -> None:
    tolerance = {"rel": 1e-6, "abs": 1e-6, "keys": {"b": {"rel": 0, "abs": 0.1}}}
    check_values({"b": 1.05, "w": [1.0, 2.0], "margin": math.inf}.__getitem__,
                 {"outcome": "ok", "b": 1.0, "w": [1.0, 2.0], "margin": None, "wrong_b": 7}, tolerance)
    for wrong in ({"w": [1.0, 2.1]}, {"w": [1.0]}, {"b": 1.2}, {"b_at_least": 1.1}):
        with pytest.raises(AssertionError):
            check_values({"b": 1.0, "w": [1.0, 2.0]}.__getitem__, wrong, tolerance)
