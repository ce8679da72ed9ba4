"""Sentences in three languages: every template is a literal and is translated; numbers as people write them."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import i18n
from kernelplay.assets import asset
from kernelplay.i18n import LANGUAGES, ORDINALS, PSEUDO, Say, counted, number, plural, say, verbatim

PACKAGE = Path(i18n.__file__).parent
FIRST = {"say": (0, 1), "plural": (1, 3)}  # where the templates stand among the arguments


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Give every call of say and plural: where it is, the call, which of the two."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and file.name != "i18n.py":
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                if name in FIRST:
                    yield f"{file.relative_to(PACKAGE)}:{node.lineno}", node, name


def templates() -> dict[str, str]:
    """Return every template in the code, with one place where it stands."""
    found = {}
    for place, call, name in calls():
        for argument in call.args[slice(*FIRST[name])]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                found[argument.value] = place
    return found


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_templates_are_literals_with_the_values_they_name() -> None:
    wrong = []
    for place, call, name in calls():
        start, stop = FIRST[name]
        if len(call.args) != stop:
            wrong.append(f"{place}: {name} takes its values by name")
        for argument in call.args[start:stop]:
            if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                wrong.append(f"{place}: the template is no literal, so it cannot be translated")
            elif not any(keyword.arg is None for keyword in call.keywords):
                given_names = {str(keyword.arg) for keyword in call.keywords} | ({"n"} if name == "plural" else set())
                if not placeholders(argument.value) <= given_names:
                    wrong.append(f"{place}: {argument.value!r} is given {sorted(given_names)}")
    assert not wrong, "\n".join(wrong)


def test_templates_are_sentences_for_people() -> None:
    wrong = [f"{place}: {template!r}" for template, place in templates().items()
             if template != template.strip() or "..." in template or "\n" in template]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_catalogue_is_complete(language: str) -> None:
    catalogue, known = i18n.catalogue(language), templates()
    missing = [template for template in known if not catalogue.get(template)]
    stale = [template for template in catalogue if template not in known]
    lines = ",\n".join(f"  {json.dumps(template, ensure_ascii=False)}: \"\"" for template in missing)
    assert not missing, f"\nadd to assets/i18n/{language}.json, translated ({len(missing)}):\n{lines}"
    assert not stale, f"\ntake out of assets/i18n/{language}.json:\n" + "\n".join(stale)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translations_have_the_same_placeholders_and_the_right_script(language: str) -> None:
    script = {"ko": re.compile("[가-힣]"), "ja": re.compile("[ぁ-んァ-ヶ一-龯]")}
    wrong = [f"{template!r}: {translated!r}" for template, translated in i18n.catalogue(language).items()
             if placeholders(template) != placeholders(translated)]
    foreign = [f"{template!r}: {translated!r}" for template, translated in i18n.catalogue(language).items()
               for other, letters in script.items() if other == "ko" != language and letters.search(translated)]
    assert not wrong + foreign, "\n".join(wrong + foreign)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_file_has_one_line_an_entry_in_order(language: str) -> None:
    text = asset("i18n", f"{language}.json").read_text("utf-8")
    data = json.loads(text)
    assert text == json.dumps(data, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def test_a_sentence_is_put_into_a_language_when_it_is_shown() -> None:
    inner = say("No such sentence {x}", x=0.25)
    outer = say("{sentence} twice", sentence=inner)
    assert outer.text("en") == "No such sentence 0.25 twice"
    assert outer.text(PSEUDO) == "⟦⟦No such sentence 0.25⟧ twice⟧"
    i18n.use(PSEUDO)
    try:
        assert str(inner) == "⟦No such sentence 0.25⟧" and i18n.current() == PSEUDO
    finally:
        i18n.use("en")
    with pytest.raises(ValueError, match="unknown language"):
        i18n.use("xx")


def test_plural_and_verbatim() -> None:
    assert [str(plural(n, "{n} point", "{n} points")) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert str(verbatim("{not a placeholder}")) == "{not a placeholder}"
    assert isinstance(verbatim(""), Say) and verbatim("").text(PSEUDO) == "⟦⟧"[:0]


@pytest.mark.parametrize(("value", "shown"), [
    (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-12.0, "−12"), (0.2891, "0.289"), (0.28951, "0.29"), (1234.5, "1234"),
    (99999.0, "99999"), (999999.0, "10⁶"), (1e6, "10⁶"), (-1e6, "−10⁶"), (4e-11, "4·10⁻¹¹"),
    (1.25e-7, "1.25·10⁻⁷"), (0.0001, "0.0001"), (0.00009999, "0.0001"), (0.000012, "1.2·10⁻⁵"), (math.inf, "∞"),
    (-math.inf, "−∞"), (math.nan, "–"),
    (1e300, "10³⁰⁰"), (5e-324, "4.94·10⁻³²⁴"), (0.1 + 0.2, "0.3"), (100.0, "100"), (2.5e10, "2.5·10¹⁰"),
])
def test_numbers_are_written_as_people_write_them(value: float, shown: str) -> None:
    assert number(value) == shown


@given(st.floats(-1e300, 1e300).filter(lambda value: value == 0 or abs(value) > 1e-300), st.integers(1, 9))
@settings(deadline=None)
def test_a_shown_number_is_the_number_rounded(value: float, digits: int) -> None:
    text = number(value, digits).replace("−", "-")
    found = re.fullmatch("(-?)(?:([0-9.]+)|(?:([0-9.]+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))", text)
    assert found, text
    sign, plain, mantissa, power = found.groups()
    exponent = (power or "").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    read = float(f"{sign}{plain}" if plain else f"{sign}{mantissa or 1}e{exponent}")
    assert read == pytest.approx(value, rel=0.51 * 10.0 ** (1 - digits))


@given(st.text(st.characters(exclude_categories=()), max_size=20))
@settings(max_examples=100, deadline=None)
def test_whatever_a_file_holds_can_be_shown_and_written(text: str) -> None:
    shown = str(say("The column {name} is empty.", name=text))
    shown.encode("utf-8")
    assert shown.startswith("The column ") and shown.endswith(" is empty.")
    assert not set(shown) & {*map(chr, range(9)), "\x1b", "\x7f", "\u202e", "\u2066"}
    assert str(verbatim(text)) == text or not text.isprintable()


def test_letters_of_every_language_stay_as_they_are() -> None:
    for text in ("커널 방법", "カーネル法", "naïve Ω ‖w‖² − 10⁻³", "two\nlines\tof text", "👩‍🔬"):
        assert str(verbatim(text)) == text


@given(st.text(st.sampled_from("ab c 가나다 日本語、。 (x)"), max_size=120), st.integers(8, 40))
@settings(max_examples=100, deadline=None)
def test_lines_are_as_wide_as_they_look_and_nothing_is_lost(text: str, width: int) -> None:
    lines = i18n.wrapped(text, width)
    for line in lines:
        seen = sum(2 if letter > "ᄀ" else 1 for letter in line.rstrip("、。)"))
        assert line and line == line.strip() and seen <= width
    assert "".join(lines).replace(" ", "") == "".join(text.split())


@pytest.mark.parametrize("language", [*LANGUAGES, PSEUDO])
def test_the_thousands_of_counts_are_set_apart_and_those_of_line_numbers_are_not(language: str) -> None:
    for n, shown in ((9999, "9999"), (10_000, "10,000"), (100_000, "100,000"), (1_234_567, "1,234,567")):
        assert shown in plural(n, "{n} point", "{n} points").text(language)
        assert shown in say("{wrong} of {all}", wrong=n, all=n).text(language) and counted(n) == shown
        assert str(n) in say("{file}, line {line}: {why}", file="a", line=n, why="").text(language)
    assert "100000" in verbatim("100000").text(language), "what a person has written stays as it is"
    assert json.dumps(dict(plural(100_000, "{n} point", "{n} points").values)) == '{"n": 100000}'


def test_every_name_of_a_number_that_is_no_count_stands_in_a_template() -> None:
    used = {name for template in templates() for _, name, _, _ in Formatter().parse(template) if name}
    assert used >= ORDINALS


def test_lines_end_at_blanks() -> None:
    assert i18n.wrapped("aa bb\n cc", 5) == ["aa bb", "cc"]
    assert i18n.wrapped("커널 방법 입문", 9) == ["커널 방법", "입문"]
    assert i18n.wrapped("日本語です。", 10) == ["日本語です。"]
    assert i18n.wrapped("", 10) == []
