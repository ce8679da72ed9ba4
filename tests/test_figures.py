"""The value that describes a figure: lengths, presets, and the same value from the form, the flags and plain data."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import cli
from kernelplay.arguments import read
from kernelplay.errors import SpecError
from kernelplay.figures import DPI, LAYERS, LEAST, MOST, PRESETS, UNITS, Extent, Figure, Length, Some, Words, preset
from kernelplay.marks import Layer
from kernelplay.spec import Choice, Flag, Param, Real

SOME: dict[type[Param], Any] = {
    Extent: st.builds(lambda px, unit: Length(px / UNITS[unit], unit), st.floats(LEAST * 1.001, MOST * 0.999),
                      st.sampled_from(sorted(UNITS))),
    Words: st.text("xα 한 & <>\"'=−", max_size=20).map(lambda text: " ".join(text.split())),
    Some: st.sets(st.sampled_from(LAYERS)).map(lambda some: tuple(each for each in LAYERS if each in some)),
    Flag: st.booleans(),
}


def values(param: Param) -> Any:
    if isinstance(param, Choice):
        return st.sampled_from([key for key, _ in param.options])
    if isinstance(param, Real):
        inside = st.floats(param.low, param.high)
        return inside.map(round) if param.integer else inside
    return SOME[type(param)]


FIGURES = st.fixed_dictionaries({name: values(param) for name, param in Figure.params().items()}).map(
    lambda given: Figure(**given))


def test_the_layers_are_those_of_the_marks() -> None:
    assert set(LAYERS) == set(get_args(Layer))


@given(FIGURES)
@settings(max_examples=40, deadline=None)
def test_plain_data_and_back_is_the_same_figure(figure: Figure) -> None:
    data = json.loads(json.dumps(figure.to_dict()))
    assert data.pop("name") == "figure" and Figure(**data) == figure


@given(FIGURES)
@settings(max_examples=40, deadline=None)
def test_the_flags_say_all_of_it(figure: Figure) -> None:
    words = ["scene", "-o", "a.svg"]
    for name, param in Figure.params().items():
        value, flag = getattr(figure, name), "--" + name.replace("_", "-")
        if isinstance(param, Flag):
            words += [] if value == param.default else [f"--no-{flag[2:]}" if param.default else flag]
        else:
            text = ", ".join(value) if isinstance(param, Some) else f"{value.value!r}{value.unit}" \
                if isinstance(value, Length) else str(value)
            words += [f"{flag}={text}"]
    assert cli._figure(read(cli.RENDER, words, {})) == figure


@given(st.floats(LEAST * 1.01, MOST * 0.99), st.sampled_from(sorted(UNITS)), st.sampled_from(sorted(UNITS)))
def test_another_unit_is_the_same_length(px: float, one: str, other: str) -> None:
    length = Length(px / UNITS[one], one)
    assert length.to(other).px == pytest.approx(px, rel=1e-5) and length.to(one) == length


@pytest.mark.parametrize(("text", "px"), [("96", 96), ("1in", 96), ("25.4mm", 96), ("2,54cm", 96), ("72pt", 96),
                                          ("85mm", 85 / 25.4 * 96), (" 800 px ", 800), ("1e3px", 1000)])
def test_lengths_are_read_with_any_unit_and_either_decimal_mark(text: str, px: float) -> None:
    assert Figure().set_text("width", text).width.px == pytest.approx(px)


@pytest.mark.parametrize("text", ["", "mm", "85 km", "-85mm", "nan", "inf", "1e400", "0", "1mm", "9999in", "85mmm",
                                  "8 5mm"])
def test_what_is_no_length_of_a_figure_is_a_sentence(text: str) -> None:
    with pytest.raises(SpecError, match=r"width cannot be .*: it must be a length from .* such as 85mm"):
        Figure().set_text("width", text)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_keeps_everything_but_its_own_values(name: str) -> None:
    before = Figure(title="T", heading="typed", hide=("slack",), legend="below")
    after = preset(name).of(before)
    assert (after.title, after.hide, after.legend) == ("T", ("slack",), "below")
    assert preset(name).of(after) == after
    assert max(after.dots) <= 10_000


def test_presets_have_the_sizes_their_names_promise() -> None:
    paper, wide, slide = (preset(name).of(Figure()) for name in ("paper", "wide paper", "slide"))
    assert paper.width == (85, "mm") and wide.width == (175, "mm")
    assert slide.dots == (1920, 1080)
    assert math.isclose(preset("square").of(Figure()).size[0], preset("square").of(Figure()).size[1])


def test_a_typed_title_brings_its_heading_along_unless_another_is_asked_for() -> None:
    assert Figure().with_texts({"title": "A"}).heading == "typed"
    assert Figure().with_texts({"title": "A", "heading": "none"}).heading == "none"
    assert Figure().with_values({"y_label": "B"}).axes == "typed"


def test_dots_follow_the_resolution_and_the_layout_does_not() -> None:
    for dpi in (72, 96, 300):
        figure = Figure().replace("dpi", dpi)
        assert figure.dots == (round(800 * dpi / DPI), round(600 * dpi / DPI)) and figure.size == (800, 600)


@pytest.mark.parametrize(("words", "said"), [
    (["--preset", "poster"], "--preset cannot be poster"), (["--legend", "left"], "--legend cannot be left"),
    (["--hide", "clouds"], "hide cannot be clouds: choose some of"), (["--size", "85x60km"], "km"),
    (["--size", "big"], "--size big is not a size"), (["--width", "2"], "width cannot be 2px"),
    (["--font-size", "200"], "font_size cannot be 200"), (["--title", "x" * 301], "title cannot be"),
])
def test_a_slip_in_a_flag_is_a_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str],
                                        said: str) -> None:
    assert cli.main(["render", "moons", "-o", str(tmp_path / "a.svg"), *words]) == 2
    assert said in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_both_sides_of_a_size_share_the_unit_at_its_end() -> None:
    for text, size in (("85x60mm", ("85mm", "60mm")), ("3in x 60mm", ("3in", "60mm")), ("800×600", ("800", "600"))):
        assert cli._size(text) == size
