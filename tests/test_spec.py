"""Declared parameters: what is checked, said, read from text and replaced, over every kind that there is."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from kernelplay.errors import SpecError
from kernelplay.i18n import LANGUAGES, say
from kernelplay.spec import (
    Child,
    Choice,
    Flag,
    Matrix,
    Param,
    Real,
    Spec,
    Text,
    build,
    choice,
    flag,
    integer,
    kinds,
    matrix,
    real,
    text,
)

EVERY = [(kind, cls) for kind in ("kernel", "model", "dataset") for cls in kinds(kind).values()]
IDS = [f"{kind}-{cls.key}" for kind, cls in EVERY]
WORDS = {"label": say("Label"), "help": say("Help.")}


def lowercase(value: str) -> None:
    if not value.islower():
        raise SpecError(say("word wants small letters, not {value}.", value=value))


@dataclass(frozen=True)
class Probe(Spec):
    """Every sort of parameter once."""

    gain: float = real(1.0, 1e-3, 1e3, log=True, words=("scale",), **WORDS)
    shift: float = real(0.0, -1.0, 1.0, **WORDS)
    share: float = real(0.5, 0.0, 1.0, least=0.0, most=1.0, **WORDS)
    degree: int = integer(2, 1, 9, **WORDS)
    colour: str = choice("red", {"red": say("Red"), "blue": say("Blue")}, **WORDS)
    open: bool = flag(True, **WORDS)
    only_open: float = real(0.0, 0.0, 1.0, when=("open", (True,)), **WORDS)
    form: Any = matrix(**WORDS)  # noqa: RUF009 - as in every declaration
    word: str = text("abc", read=lowercase, longest=9, **WORDS)


@pytest.mark.parametrize(("name", "value", "words"), [
    ("gain", 0.0, "above 0, or “scale”"), ("gain", -1, "gain cannot be -1"),
    ("gain", "wide", "gain cannot be wide"),
    ("gain", math.nan, "nan"), ("gain", math.inf, "inf"), ("gain", None, "None"), ("gain", True, "True"),
    ("gain", 1j, "1j"), ("gain", [1.0], r"\[1.0\]"), ("shift", math.inf, "a finite number"),
    ("share", 1.5, "from 0 to 1"), ("degree", 0, "whole number, 1 or more"), ("degree", 2.5, "whole number"),
    ("colour", "green", "red, blue"), ("open", 1, "true or false"), ("form", [[1, 2]], "symmetric square"),
    ("form", [[1, 2], [3, 1]], "symmetric square"), ("form", [[math.nan]], "symmetric square"), ("form", 3, "square"),
    ("gain", "x" * 500, "x…"), ("word", 3, "word cannot be 3"), ("word", "a" * 10, "at most 9 characters"),
    ("word", "a\nb", "single line"), ("word", "Abc", "word wants small letters, not Abc"),
    ("word", "", "small letters"),
])
def test_a_wrong_value_is_refused_with_name_value_and_remedy(name: str, value: Any, words: str) -> None:
    for attempt in (lambda: Probe(**{name: value}), lambda: Probe().replace(name, value)):
        with pytest.raises(SpecError, match=words) as refusal:
            attempt()
        assert refusal.value.path == name and name in str(refusal.value) and len(str(refusal.value)) < 300


def test_values_are_stored_as_plain_python_numbers() -> None:
    probe = Probe(gain=np.float32(2), shift=3, degree=np.int64(4), open=np.bool_(False), form=np.eye(2))
    assert (type(probe.gain), type(probe.shift), type(probe.degree), type(probe.open)) == (float, float, int, bool)
    assert probe.form == ((1.0, 0.0), (0.0, 1.0)) and hash(probe) == hash(Probe(2.0, 3.0, degree=4, open=False,
                                                                               form=[[1, 0], [0, 1]]))
    assert Probe(degree=2.0).degree == 2 and Probe(gain="scale").gain == "scale"


@pytest.mark.parametrize(("name", "text", "value"), [
    ("gain", "1,5", 1.5), ("gain", " 1.5e-2 ", 0.015), ("gain", "scale", "scale"), ("shift", "−0.5", -0.5),
    ("degree", "3", 3), ("colour", " blue ", "blue"), ("open", "No", False), ("open", "on", True),
    ("form", "[[2, 1], [1, 3]]", ((2.0, 1.0), (1.0, 3.0))), ("word", "  a = b\n", "a = b"),
])
def test_text_is_read_as_people_write_it(name: str, text: str, value: Any) -> None:
    assert Probe().set_text(name, text).get(name) == value


@pytest.mark.parametrize(("name", "text"), [("gain", ""), ("gain", "1.000,5"), ("gain", "much"), ("degree", "2.5"),
                                            ("degree", "1e400"), ("open", "maybe"), ("form", "[[1"), ("colour", ""),
                                            ("word", "A"), ("word", "abcdefghij")])
def test_text_that_is_no_value_is_refused(name: str, text: str) -> None:
    with pytest.raises(SpecError, match=name):
        Probe().set_text(name, text)


def test_what_does_not_matter_now_is_not_shown() -> None:
    assert "only_open" in Probe().shown() and "only_open" not in Probe(open=False).shown()


@pytest.mark.parametrize(("kind", "cls"), EVERY, ids=IDS)
def test_every_declaration_is_whole(kind: str, cls: type[Spec]) -> None:
    assert cls.key and str(cls.label) and str(cls.about).endswith(".")
    for name, param in cls.params().items():
        assert str(param.label), name
        assert str(param.help).endswith((".", "!", "?")), f"{name}: {param.help}"
        assert not str(param.label).endswith("."), name
        assert param.check(param.default, name) is not None
        if isinstance(param, Real):
            assert param.low < param.high and param.least <= param.low and param.high <= param.most, name
            assert not param.log or param.low > 0, name
            assert param.check(param.low, name) == param.low or (param.open_least and param.low == param.least), name
            assert isinstance(param.default, str) or param.low <= param.default <= param.high, name
        assert param.when is None or param.when[0] in cls.params(), name


@pytest.mark.parametrize(("kind", "cls"), EVERY, ids=IDS)
def test_every_spec_goes_through_plain_data_and_text(kind: str, cls: type[Spec]) -> None:
    spec = cls()
    assert build(kind, json.loads(json.dumps(spec.to_dict()))) == spec
    for name, param in cls.params().items():
        value = spec.get(name)
        assert spec.replace(name, value) == spec
        if isinstance(param, (Real, Choice, Flag, Text)):
            assert spec.set_text(name, str(value)) == spec, name
        elif isinstance(param, Matrix):
            assert spec.set_text(name, json.dumps(value)) == spec, name


@pytest.mark.parametrize(("kind", "cls"), EVERY, ids=IDS)
def test_every_parameter_refuses_nonsense_in_every_language(kind: str, cls: type[Spec]) -> None:
    for name, param in cls.params().items():
        with pytest.raises(SpecError) as refusal:
            cls(**{name: nonsense(param)})
        wanted = "no entry of this name" if isinstance(param, Child) and not param.many else name
        assert all(wanted in refusal.value.sentence.text(language) for language in LANGUAGES)


def nonsense(param: Param) -> Any:
    return {"name": "no entry of this name"} if isinstance(param, Child) and not param.many else object()


def test_paths_reach_into_the_specs_that_are_held() -> None:
    model = build("model", {"name": "svm", "kernel": {"name": "sum", "of": [{"name": "rbf"}, {"name": "linear"}]}})
    changed = model.replace("kernel.of.0.gamma", 3.0)
    assert changed.get("kernel.of.0.gamma") == 3.0 and model.get("kernel.of.0.gamma") == 1.0
    assert changed.replace("kernel.of.1", {"name": "poly", "degree": 2}).get("kernel.of.1.degree") == 2
    assert model.param("kernel.of.0.gamma").symbol == "γ"
    assert "kernel.of.0.gamma" in dict(model.reals()) and "C" in dict(model.reals())
    for path in ("kernel.of.2", "kernel.of.x.gamma", "kernel.of.0.delta", "C.x", "kernel.of.0.gamma.x", "D", ""):
        with pytest.raises(SpecError):
            model.get(path)
        with pytest.raises(SpecError):
            model.replace(path, 1.0)


def test_a_complex_step_reaches_the_same_place_unchecked() -> None:
    model = build("model", {"name": "gpr", "kernel": {"name": "sum", "of": [{"name": "rbf"}, {"name": "linear"}]}})
    assert model.perturbed("kernel.of.0.gamma", 1 + 1e-20j).get("kernel.of.0.gamma") == 1 + 1e-20j
    assert model.get("kernel.of.0.gamma") == 1.0


@pytest.mark.parametrize(("data", "words"), [
    ({"name": "rbff"}, "rbff.*Did you mean rbf"), ({"name": "rbf", "gama": 1}, "gama; did you mean gamma"),
    ({"name": 3}, "object with a name"), ([], "object with a name"), (None, "object with a name"), ({}, "with a name"),
    ({"name": "sum", "of": [{"name": "rbf"}]}, "list of 2 or more"),
    ({"name": "sum", "of": "rbf"}, "list of 2 or more"),
    ({"name": "sum", "of": [{"name": "rbf"}, {"name": "svm"}]}, "svm"), ({"name": "scale", "of": 3}, "of cannot be 3"),
])
def test_plain_data_that_stands_for_nothing_is_refused(data: Any, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        build("kernel", data)


def test_lambda_is_understood_without_its_underscore() -> None:
    assert build("model", {"name": "krr", "lambda": 0.5}).get("lambda_") == 0.5


def test_a_tower_of_kernels_ends_in_a_sentence() -> None:
    data: dict[str, Any] = {"name": "rbf"}
    for _ in range(5000):
        data = {"name": "scale", "of": data}
    with pytest.raises(SpecError, match="nested too deeply"):
        build("kernel", data)
