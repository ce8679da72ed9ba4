"""Percentages and dates as numbers, and which columns are taken for inputs and label, by generated tables."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import columns, measures, tables
from kernelplay.guess import Guess, guess
from kernelplay.reading import Reading

DAYS = st.dates(date(1800, 1, 1), date(2200, 12, 31))
FORMS = {"day": ("{d:02}/{m:02}/{y}", "{d}.{m}.{y}", "{d:02}-{m:02}-{y}"),
         "month": ("{m:02}/{d:02}/{y}", "{m}/{d}/{y}")}


def written(form: str, day: date) -> str:
    return form.format(d=day.day, m=day.month, y=day.year)


def chosen(content: str) -> tuple[Guess, Reading]:
    guessed = guess(content.encode(), "t.csv")
    return guessed, columns.for_canvas(content.encode(), guessed.reading, "t.csv")


@given(DAYS, st.sampled_from([(order, form) for order, forms in FORMS.items() for form in forms]
                             + [("day", "{y}-{m:02}-{d:02}"), ("month", "{y}/{m}/{d}")]))
@settings(max_examples=100, deadline=None)
def test_a_date_is_its_day_and_its_year(day: date, how: tuple[str, str]) -> None:
    order, form = how
    cells = [written(form, day), written(form, day) + " 12:00"]
    days = measures.values(cells, measures.DATE, Reading(date_order=order))
    assert days.tolist() == [(day - date(1970, 1, 1)).days, (day - date(1970, 1, 1)).days + 0.5]
    years = measures.values(cells, measures.DATE, Reading(date_order=order, date_unit="years"))
    assert day.year <= years[0] < years[1] < day.year + 1
    assert years[1] - years[0] == pytest.approx(0.5 / (date(day.year + 1, 1, 1) - date(day.year, 1, 1)).days)


@pytest.mark.parametrize("cell", ["2024-02-30", "32/01/2024", "2024-01-01 25:00", "1.2.3", "10.000.000",
                                  "2024-01/02", ""])
def test_what_is_no_date_is_no_number(cell: str) -> None:
    assert np.isnan(measures.values([cell], measures.DATE, Reading())).all()
    assert measures.kind([cell] * 5, Reading()) == ""


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.sampled_from(["{}%", "{} %", " {}% "]))
@settings(max_examples=50, deadline=None)
def test_a_percentage_is_the_number_before_its_sign(numbers: list[float], form: str) -> None:
    cells = [form.format(repr(number)) for number in numbers]
    assert measures.kind(cells, Reading()) == measures.PERCENT
    assert measures.values(cells, measures.PERCENT, Reading()).tolist() == numbers
    assert np.isnan(measures.values(["42", "x%", "%"], measures.PERCENT, Reading())).all()


@given(st.integers(0, 2**20), st.permutations(["when", "share", "size", "same", "note"]))
@settings(max_examples=60, deadline=None)
def test_inputs_are_the_columns_of_numbers_and_a_constant_is_no_label(seed: int, order: list[str]) -> None:
    rng = np.random.default_rng(seed)
    n = 30
    cells = {"when": [(date(2024, 1, 1) + timedelta(int(day))).isoformat() for day in range(n)],
             "share": [f"{value}%" for value in rng.integers(0, 100, n)],
             "size": [repr(float(value)) for value in rng.normal(size=n)],
             "same": ["1"] * n, "note": [f"text {value}" for value in range(n)],
             "kind": [str(value) for value in rng.permutation(["a", "b", "c"] * 10)]}
    heads = ["kind", *order, "batch"]
    cells["batch"] = ["7"] * n
    content = "\n".join([",".join(heads), *(",".join(cells[head][i] for head in heads) for i in range(n))]) + "\n"
    guessed, reading = chosen(content)
    table = tables.parse(content.encode(), "t.csv", reading)
    assert {name.split(" ")[0] for name in table.columns[:2]} == {"size", "share"} and table.columns[2] == "kind"
    assert "share (%)" in table.columns and len(table.X) == n and sorted(table.labels) == ["a", "b", "c"]
    assert any("dates in when" in str(doubt) for doubt in guessed.doubts)
    seen = columns.preview(content.encode(), reading, "t.csv")
    flaws = dict(zip(seen.columns, seen.flaws, strict=True))
    assert (flaws["note"], flaws["kind"], flaws["same"], flaws["size"], flaws["when"]) == (
        "text", "text", "constant", "", "")


def test_dates_say_their_unit_and_what_is_doubtful() -> None:
    guessed, reading = chosen("when,load\n03/04/2024,1.5\n05/06/2024,2.5\n07/08/2024,0.5\n")
    assert reading.date_order == "month" and "Check the date order" in str(guessed.doubts)
    table = tables.parse(b"when,load\n13/04/2014,1.5\n05/06/2024,2.5\n", "t.csv")
    assert table.columns == ("when (years)", "load") and table.X[0, 0] == pytest.approx(2014 + 102 / 365)
    sure, reading = chosen("when,load\n2024-01-31,1\n2024-02-01,2\n2024-02-02,4\n")
    assert reading.task == "regression" and "Check" not in str(sure.doubts) and len(sure.doubts) == 1
    named = tables.parse(b"when,load\n2024-01-31,1\n2024-02-01,2\n", "t.csv").columns
    assert named[0] == "when (days since 1970-01-01)"


def test_the_column_that_is_sure_of_its_order_tells_it_for_all() -> None:
    guessed, reading = chosen("made,sold,y\n01/02/2024,31/12/2023,2\n02/02/2024,30/12/2023,3\n05/02/2024,25/12/2023,4")
    assert reading.date_order == "day"
    assert [str(doubt) for doubt in guessed.doubts] == ["The dates in made, sold are read as: Days since 1970-01-01."]


def test_dates_that_are_labels_are_not_said_to_be_numbers() -> None:
    guessed, _ = chosen("x,when\n1,03/04/2024\n2,05/06/2024\n3,05/06/2024\n")
    assert not any("dates" in str(doubt) for doubt in guessed.doubts)


@pytest.mark.parametrize(("cells", "values", "said"), [
    (("5%", "10%", "20%"), [5.0, 10.0, 20.0], ""),
    (("2024-01-31", "2024-02-01", "2024-02-03"), [19753.0, 19754.0, 19756.0], "when are read as"),
    (("03/04/2024", "05/06/2024", "07/08/2024"), [19786.0, 19849.0, 19912.0], "Check the date order"),
    (("a", "b", "a"), None, ""),
])
def test_the_last_column_is_read_as_numbers_for_a_regression(
        cells: tuple[str, ...], values: list[float] | None, said: str) -> None:
    content = ("x,when\n" + "".join(f"{i}.5,{cell}\n" for i, cell in enumerate(cells))).encode()
    table = tables.with_targets(tables.parse(content, "t.csv"), content)
    assert table.y.tolist() == (list(cells) if values is None else values)
    assert said in " ".join(str(note.sentence) for note in table.notes)
    assert (not said) or any(said in str(doubt) for doubt in table.doubts)


def test_a_percentage_can_be_the_target_of_a_regression() -> None:
    content = "day,hit\n" + "".join(f"{i}.5,{i * 7 % 100}%\n" for i in range(30))
    reading = Reading(header=True, task="regression")
    table = tables.parse(content.encode(), "t.csv", reading)
    assert table.columns == ("day", "hit (%)") and table.y.tolist() == [i * 7 % 100 for i in range(30)]


def test_points_of_one_class_that_we_wrote_keep_their_label() -> None:
    _, reading = chosen("a,b,class\n" + "".join(f"{i},{i * i},+1\n" for i in range(9)))
    assert reading.target in (2, -1) and tables.parse(b"1,2,k\n3,5,k\n4,4,k\n5,1,k\n", "t.csv").labels == ("k",)
