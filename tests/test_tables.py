"""Tables as people save them; the harder ones are among the cases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import i18n, tables
from kernelplay.cli import main
from kernelplay.errors import Cancelled, FileError
from kernelplay.guess import guess
from kernelplay.reading import ENCODINGS, NOTHING, Reading
from kernelplay.scene import Scene
from kernelplay.units import far_apart


@pytest.mark.parametrize(("text", "X", "y"), [
    ("1,2,3\n4,5,6\n", [[1, 2], [4, 5]], [3, 6]),
    ("1;2,5\n2;3,5\n", [[1], [2]], [2.5, 3.5]),
    ("sep=;\n1,5;2\n3,5;4\n", [[1.5], [3.5]], [2, 4]),
    ("x\ty\n1\t2\n3\t4\n", [[1], [3]], [2, 4]),
    ("1 2\n 3   4\n", [[1], [3]], [2, 4]),
    ("1,5 2,7\n2,5 3,5\n", [[1.5], [2.5]], [2.7, 3.5]),
    ('"1,5","2,5"\n"2,5","7"\n', [[1.5], [2.5]], [2.5, 7]),
    ("x|y\n1|2\n3|4\n", [[1], [3]], [2, 4]),
    ("1,2\r3,4\r", [[1], [3]], [2, 4]),
    ("# measured in cm\n1,2\n\n3,4\n", [[1], [3]], [2, 4]),
    ("１．５,２\n−3,4\n", [[1.5], [-3]], [2, 4]),
])
def test_numbers_are_found_however_they_are_separated(text: str, X: list[list[float]], y: list[float]) -> None:
    table = tables.parse(text.encode(), "t.csv")
    assert table.X.tolist() == X and table.y.tolist() == y and not table.skipped_lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_unicode_encoding_is_read(encoding: str) -> None:
    table = tables.parse("größe,이름,種類\n1,2,a\n3,4,b\n5,6,a\n".encode(encoding), "t.csv")
    assert table.columns == ("größe", "이름", "種類") and table.y.tolist() == ["a", "b", "a"]


def test_a_guessed_encoding_follows_the_language_and_is_said() -> None:
    content = "키,몸무게\n1,2\n3,4\n".encode("cp949")
    i18n.use("ko")
    try:
        table = tables.parse(content, "t.csv")
    finally:
        i18n.use("en")
    assert table.columns == ("키", "몸무게")
    assert "CP949" in table.notes[0].sentence.text("en")


@pytest.mark.parametrize(("content", "words"), [
    (b"", "empty"), (b"\n \n", "empty"), (b"hello\nworld\n", "no table found"), (b"1\n2\n", "no table found"),
    (b"a,b\nx,y\n", "no usable rows"), (b"a,b\n", "no usable rows"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9, "not a text table"),
    (bytes(range(128, 256)) + bytes(range(32)) * 9, "not a text table"),
    (b'1,"' + b"x" * 200_000 + b'"\n', "cannot be read at line"),
])
def test_what_is_no_table_is_refused_in_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words) as refusal:
        tables.parse(content, "t.csv")
    assert "t.csv" in str(refusal.value)


def test_rows_that_cannot_be_used_are_listed_by_their_lines() -> None:
    table = tables.parse(b"a,b,c\n1,2,1\n1,1.234.5,1\n1,2\n\n1e999,2,1\n3,4,-1\n1_0,2,1\n", "t.csv")
    assert table.X.tolist() == [[1, 2], [3, 4]]
    assert table.skipped_lines == (3, 4, 6, 8)
    assert "4 of 6" in str(table.notes[0].sentence) and "3, 4, 6, 8" in str(table.notes[0].sentence)


def test_a_dot_in_a_file_of_decimal_commas_is_not_guessed_at() -> None:
    table = tables.parse(b"1,5;2\n1.234;3\n2,5;4\n", "t.csv")
    assert table.X.tolist() == [[1.5], [2.5]] and table.skipped_lines == (2,)


@pytest.mark.parametrize(("content", "X", "y"), [
    ("len;place;kind\n5,1;north;A\n6,2;south;B\n", [[5.1], [6.2]], ["A", "B"]),  # not 5 and "1;north;A"
    ('"len","place","kind"\n"5.1","north","A"\n"6.2","south","B"\n', [[5.1], [6.2]], ["A", "B"]),  # no blanks
    ('"0,2","272.773","-3","1"\n"-0,3","101.470","2","1"\n', [[0.2, 272773, -3], [-0.3, 101470, 2]], [1, 1]),
    ("0,3007\t699.347\tA\n0,1007\t331.080\tB\n", [[0.3007, 699347], [0.1007, 331080]], ["A", "B"]),
    ("2,006|-1.43|0.23\n2,018|0.85|1.49\n", [[2006, -1.43], [2018, 0.85]], [0.23, 1.49]),
    ('"5.302","0.63","2,012","3.5"\n"3.312","-0.03","2,007","1.2"\n',
     [[5.302, 0.63, 2012], [3.312, -0.03, 2007]], [3.5, 1.2]),
    ("1,2,a;b\n2,3,c;d\n", [[1, 2], [2, 3]], ["a;b", "c;d"]),  # a label may hold what separates elsewhere
])
def test_no_column_swallows_its_neighbours(content: str, X: list[list[float]], y: list[float | str]) -> None:
    table = tables.parse(content.encode(), "t.csv")
    assert table.X.tolist() == X and table.y.tolist() == y
    grouped = table.reading.thousands != ""
    assert any("as a thousands separator: check the numbers" in str(doubt) for doubt in table.doubts) == grouped


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from([-1, 1])), min_size=3,
                max_size=20), st.sampled_from([",", ";", "\t", " "]))
@settings(max_examples=40, deadline=None)
def test_what_was_written_is_read_back_exactly(rows: list[tuple[float, float, int]], delimiter: str) -> None:
    text = "".join(delimiter.join(map(repr, row)) + "\n" for row in rows)
    table = tables.parse(text.encode(), "t.csv")
    np.testing.assert_array_equal(np.column_stack([table.X, table.y]), np.array(rows, float))


@pytest.mark.parametrize(("labels", "names", "cls"), [
    ("yes no yes", ("yes", "no"), [0, 1, 0]), ("B A C A", ("A", "B", "C"), [1, 0, 2, 0]),
    ("no yes", ("yes", "no"), [1, 0]), ("- + -", ("+", "-"), [1, 0, 1]), ("10 9 10 10 9", ("10", "9"), [0, 1, 0, 0, 1]),
    ("1 -1 1", ("+1", "−1"), [0, 1, 0]), ("-1 1", ("+1", "−1"), [1, 0]), ("-1 -1", ("+1", "−1"), [1, 1]),
    ("+1 +1", ("+1", "−1"), [0, 0]), ("0 1 0", ("1", "0"), [1, 0, 1]), ("2 1 2", ("2", "1"), [0, 1, 0]),
    ("2 0 1 1 1 0 2", ("0", "1", "2"), [2, 0, 1, 1, 1, 0, 2]), ("2 -1 1 1 1 2 2", ("+1", "−1", "2"),
                                                               [2, 1, 0, 0, 0, 2, 2]),
    ("007 7 007", ("7", "007"), [1, 0, 1]), ("A 1 B -1 B", ("−1", "1", "A", "B"), [2, 1, 3, 0, 3]),
    ("1234567 1234568 1234567 1234567 1234568", ("1234568", "1234567"), [1, 0, 1, 1, 0]),
])
def test_labels_are_classes_in_their_order_and_of_two_the_last_is_the_first_class(labels: str, names: tuple[str, ...],
                                                                     cls: list[int]) -> None:
    content = "".join(f"{i},{i},{label}\n" for i, label in enumerate(labels.split())).encode()
    table = tables.parse(content, "t.csv")
    points, classes = table.to_scene_points()
    assert classes == names and points.cls.tolist() == cls and not table.doubts


def test_labels_that_are_one_number_in_two_forms_leave_a_doubt() -> None:
    table = tables.parse(b"0,0,1.0\n1,1,1\n2,2,2\n", "t.csv")
    assert table.labels == (1, 2) and "1.0 and 1 are the same number" in str(table.doubts[0])
    for plain in (b"0,0,+1\n1,1,1\n2,2,2\n", b"0,1.0\n1,1\n", b"0,0,1.0\n1,1,1\n2,2,2.5\n"):
        assert not tables.parse(plain, "t.csv").doubts


def test_a_table_becomes_a_scene_of_its_task() -> None:
    three = tables.parse(b"a,b,kind\n0,0,x\n1,1,y\n2,2,z\n", "flowers.csv").to_scene(Scene())
    assert three.task == "classification" and three.classes == ("x", "y", "z") and three.title == "flowers"
    curve = tables.parse(b"time,height\n0,0.5\n1,1.5\n", "fall.csv").to_scene(three)
    assert curve.task == "regression" and curve.points.names == ("time", "height")
    assert len(curve.classification) == 3, "the points of the other task stay"


@pytest.mark.parametrize(("content", "words"), [
    (b"0,0,0,a\n1,1,1,b\n2,2,2,a\n", "3 input columns"), (b"0,a\n1,b\n2,a\n", "one input column"),
    (b"0,0,0.5\n1,1,1.7\n", "2 input columns"),
    ("".join(f"{i},{i},k{i % 9}\n" for i in range(30)).encode(), "9 distinct values"),
])
def test_what_the_canvas_cannot_show_is_said(content: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words):
        tables.parse(content, "t.csv").to_scene(Scene())


# told how to read

NUMBERS = st.floats(-1e9, 1e9).map(lambda value: round(value, 4))


def written(value: float, decimal: str, thousands: str) -> str:
    """Return `value` as people with these marks write it."""
    text = f"{value:,.4f}" if thousands else f"{value:.4f}"
    return text.replace(",", "\0").replace(".", decimal).replace("\0", thousands)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_table_in_any_dialect_is_read_back_as_it_was(data: st.DataObject) -> None:
    delimiter = data.draw(st.sampled_from([",", ";", "\t", "|", " "]))
    decimal = data.draw(st.sampled_from([".", ","]))
    thousands = data.draw(st.sampled_from([mark for mark in ("", ",", ".", " ", "'") if mark != decimal]))
    quote = data.draw(st.sampled_from(['"', "'"]))
    comment = data.draw(st.sampled_from(["#", "%", "//"]))
    encoding = data.draw(st.sampled_from(list(ENCODINGS)))
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    rows = data.draw(st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from(["up", "down", "a b"])), min_size=1,
                              max_size=12))
    header, skip = data.draw(st.booleans()), data.draw(st.integers(0, 2))

    def cell(text: str) -> str:
        needs = delimiter in text or (delimiter == " " and " " in text) or quote in text
        return quote + text.replace(quote, quote * 2) + quote if needs or data.draw(st.booleans()) else text

    if thousands == quote and delimiter == " ":
        thousands = ""  # between blanks a quotation mark ends a cell wherever it stands
    lines = ["no table yet"] * skip + ([delimiter.join(["x", "y", "kind"])] if header else [])
    for x, y, kind in rows:
        lines += [f"{comment} a remark", "",
                  delimiter.join([cell(written(x, decimal, thousands)), cell(written(y, decimal, thousands)),
                                  cell(kind)])]
    content = (end.join(lines) + end).encode(encoding)
    reading = Reading(delimiter=delimiter, decimal=decimal, thousands=thousands, quote=quote, comment=comment,
                      encoding=encoding, header=header, skip=skip)
    table = tables.parse(content, "t.csv", reading)
    np.testing.assert_array_equal(table.X, [[x, y] for x, y, _ in rows])
    assert table.y.tolist() == [kind for _, _, kind in rows] and not table.skipped_lines
    assert table.columns == (("x", "y", "kind") if header else ("x1", "x2", "y"))


@pytest.mark.parametrize(("encoding", "name"), [
    ("utf-8", "größe 키 長さ"), ("utf-8-sig", "größe 키 長さ"), ("utf-16-le", "größe 키 長さ"),
    ("utf-16-be", "größe 키 長さ"), ("cp1252", "größe €"), ("latin-1", "größe"), ("cp1250", "wysokość"),
    ("cp1251", "длина"), ("cp949", "길이"), ("cp932", "長さｶﾅ"), ("euc_jp", "長さ"), ("gb18030", "长度"),
    ("big5", "長度"),
])
def test_every_encoding_gives_the_letters_back(encoding: str, name: str) -> None:
    content = f"{name},b\n1.5,2\n2.5,3\n".encode(encoding)
    table = tables.parse(content, "t.csv", Reading(encoding=encoding, header=True))
    assert table.columns[0] == name and table.X.tolist() == [[1.5], [2.5]] and not table.notes
    assert set(ENCODINGS) == {"utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "cp1252", "latin-1", "cp1250", "cp1251",
                              "cp949", "cp932", "euc_jp", "gb18030", "big5"}, "an encoding without a test"


def test_letters_that_the_encoding_lacks_are_counted_and_said() -> None:
    table = tables.parse("größe,b\n1,2\n".encode("latin-1"), "t.csv", Reading(header=True))
    assert "2 bytes are not valid" in str(table.notes[0].sentence)
    assert not tables.parse("�,b\n1,2\n".encode(), "t.csv", Reading(header=True)).notes, "it stands in the file"


@pytest.mark.parametrize(("text", "changes"), [
    ("1.234,5;2\n1,5;3\n", {"delimiter": ";", "decimal": ",", "thousands": "."}),
    ("1'234.5;2\n1.5;3\n", {"delimiter": ";", "thousands": "'"}),
    ("1 234,5;2\n1,5;3\n", {"delimiter": ";", "decimal": ",", "thousands": " "}),
    ('"1,234.5",2\n1.5,3\n', {"thousands": ","}),
    ("Report\nof 2020\na,b\n1.5,2\n2,3\n", {"skip": 2, "header": True}),
    ("% by hand\n1.5 2\n2 3\n", {"delimiter": " ", "comment": "%"}),
    ("'a b'\t'c'\n1.5\t2\n2\t3\n", {"delimiter": "\t", "quote": "'", "header": True}),
    ("a,b,\n1.5,2,\n2,3,\n", {"header": True, "target": 1, "inputs": (0,)}),
    ("id,a,b\nfirst,1.5,2\nsecond,2,3\n", {"header": True, "inputs": (1,)}),
])
def test_what_a_file_is_like_is_guessed(text: str, changes: dict[str, object]) -> None:
    found = guess(text.encode(), "t.csv").reading
    expected = Reading(**changes)  # type: ignore[arg-type]
    assert found == expected
    assert np.isfinite(tables.parse(text.encode(), "t.csv").X).all()


@pytest.mark.parametrize(("content", "words"), [
    (b"1,234;2,500\n3,456;1,999\n", "thousands"), (b"1.234;2.500\n3.456;1.999\n", "thousands"),
    (b"1.234\t2.345\n3.456\t1.999\n", "thousands"), (b"1.994|2\n2.001|1\n", "thousands"),
    (b"1.994,2\n2.001,1\n", "thousands"), (b"1.994 2 a\n2.001 1 b\n", "thousands"),
    (b"2019,2020,class\n1.5,2,a\n2,3,b\n", "first row"), (b"2019,2020\n1.5,2\n2,3\n3,4\n", "first row"),
    (b"1,2,class\n1.5,2,0\n2,3,1\n3,3,1\n", "first row"), (b"1,2,kind\n1,2,a\n2,3,a\n3,3,b\n4,4,b\n", "first row"),
    ("größe;b\n1;2\n2;3\n".encode("cp1252"), "Windows-1252"), ("길이,몸무게\n1,2\n2,3\n".encode("cp949"), "Korean"),
    ("ながさ,おもさ,かたち\n1,2,まる\n2,3,しかく\n".encode("cp932"), "Japanese"),
    (b"id,a,b\nx,1,2\ny,2,3\n", "Text columns cannot"), (b"made today\na,b\n1,2\n2,3\n", "first line"),
])
def test_what_could_be_otherwise_is_said(content: bytes, words: str) -> None:
    found = guess(content, "t.csv")
    assert len(found.doubts) == 1 and words in str(found.doubts[0])
    table = tables.parse(content, "t.csv")
    assert table.doubts == found.doubts and table.reading == found.reading
    assert words in " ".join(str(note.sentence) for note in table.notes)


@pytest.mark.parametrize("content", [b"1,2,3\n4,5,6\n", b"a;b\n1,5;2,25\n3;4\n", b"x\ty\n0.123\t1.5\n1\t2\n",
                                     b"a,b\n0.123,1\n12.345,2\n", b"a;b\n0,123;1\n2,5;2\n",
                                     b"1.234,0.5\n2.345,1.5\n", b"1.234\t1\n12.34567\t2\n", b"1.234|1\n2|2\n",
                                     b"1,2,a\n2,3,b\n3,4,c\n", b"1,2,a\n2,3,b\n3,4,a\n", b"2019,3\n2020,4\n2021,5\n",
                                     b"2000,2010,a\n2001,2013,b\n2004,2019,a\n"])
def test_a_plain_file_leaves_no_doubt(content: bytes) -> None:
    assert guess(content, "t.csv").doubts == ()


# what cannot be used

def test_each_unusable_row_has_its_reason() -> None:
    content = b'a,b,k\n1,2,x\n1,,x\n1,two,x\n1,2\n1e400,2,x\n"1\n",2\n1,2,\n3,4,y\n'
    table = tables.parse(content, "t.csv")
    said = {row.line: str(row.why) for row in table.unusable}
    assert table.skipped_lines == tuple(said) == (3, 4, 5, 6, 8, 9)
    assert "No value in b" in said[3] and "“two” in b" in said[4] and "2 cells" in said[5] and "1e400" in said[6]
    assert "from line 7 to line 8" in said[8] and "No value in k" in said[9]


@pytest.mark.parametrize("broken", ["#N/A", "#DIV/0!", "#NAME?", "#VALUE!", "#NV", "#WERT!"])
def test_a_broken_cell_of_a_spreadsheet_is_no_comment(broken: str) -> None:
    content = f"a,b,k\n{broken},2,x\n1,{broken},x\n# a comment, indeed\n1,2,{broken}\n3,4,y\n"
    table = tables.parse(content.encode(), "t.csv")
    assert table.skipped_lines == (2, 3, 5) and table.labels == ("y",)
    assert [str(row.why) for row in table.unusable] == [f"No value in {column}." for column in "abk"]


def test_names_of_columns_without_rows_are_said_to_be_that() -> None:
    with pytest.raises(FileError, match="only column names"):
        tables.parse(b"a,b,c\n", "t.csv")


def test_unusable_rows_can_be_a_reason_to_refuse() -> None:
    with pytest.raises(FileError, match="line 3: “oops” in b is not a finite number"):
        tables.parse(b"a,b,k\n1,2,x\n1,oops,x\n", "t.csv", Reading(header=True, unusable="refuse"))
    with pytest.raises(FileError, match="line 3: No value in k"):
        tables.parse(b"a,b,k\n1,2,x\n1,3,\n", "t.csv", Reading(header=True, unusable="refuse"))


def test_rows_beyond_the_reach_are_unusable() -> None:
    table = tables.parse(b"1,2\n1e200,2\n3,-1e200\n", "t.csv", reach=1e100)
    assert table.X.tolist() == [[1]] and table.skipped_lines == (2, 3)


HOSTILE = {
    "a line of commas": b"1," * 200_000, "a long word": b"x" * 1_000_000, "NULs": b"1,2\n" * 2000 + b"\0,\0\n" * 50_000,
    "binary": bytes(range(256)) * 4000, "quotes": b'"' * 1_000_000,
    "a quote never closed": b'1,2\n"3,4\n' + b"5,6\n" * 99,
    "many lines": b"1\n" * 1_000_001, "a header alone": b"a,b,c\n", "names twice": b"a,a,a\n1,2,3\n2,3,4\n",
    "mixed ends": b"1,2\r3,4\n5,6\r\n7,8", "huge index": b"1 999999999:1\n2 1:1\n", "ragged": b"1,2\n1\n1,2,3\n4,5\n",
    "10000 columns": b",".join([b"1.5"] * 10_000) + b"\n", "many labels": "".join(
        f"{i},{i},k{i}\n" for i in range(10_000)).encode(), "long labels": b"1,2," + b"k" * 100_000 + b"\n1,2,b\n",
    "half a letter": "1,2\n길".encode()[:-1], "UTF-16 cut": "1,2\n3,4\n".encode("utf-16")[:-1], "blank": b" \r\n\t",
    "one byte": b"1", "surrogates": b"\xed\xa0\x80,1\n1,2\n", "hash": b"#" * 300_000,
    "1e400": b"1e400,1e308,1\n1,2,3\n",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_whatever_a_file_holds_it_is_a_table_or_a_sentence(what: str) -> None:
    content = HOSTILE[what]
    try:
        table = tables.parse(content, "t.csv")
    except FileError as refusal:
        assert "t.csv" in str(refusal) and str(refusal).endswith((".", "?"))
        return
    assert len(table.X) == len(table.y) > 0 and np.isfinite(table.X).all()
    assert table.columns and len(table.columns) == table.X.shape[1] + 1


@given(st.binary(max_size=60), st.sampled_from(["delimited", "svmlight"]), st.sampled_from(list(ENCODINGS)),
       st.sampled_from(["", "each"]))
@settings(max_examples=150, deadline=None)
def test_any_bytes_read_in_any_way_are_a_table_or_a_sentence(content: bytes, form: str, encoding: str,
                                                             told: str) -> None:
    content = b"1,2\n2 1:3\n" + content
    try:
        table = tables.parse(content, "t.csv", Reading(format=form, encoding=encoding) if told else None)
    except FileError as refusal:
        assert str(refusal)
    else:
        assert np.isfinite(table.X).all() and len(table.X)


def test_the_reading_of_a_large_table_is_told_of_and_can_be_stopped() -> None:
    content = b"0.5,1.5,2\n" * 30_000
    shares: list[float] = []
    tables.parse(content, "t.csv", tell=shares.append)
    assert len(shares) > 5 and shares == sorted(shares) and shares[0] >= 0 and shares[-1] <= 1

    def stop(share: float) -> None:
        if share > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        tables.parse(content, "t.csv", tell=stop)


# columns, classes, units

def test_columns_are_chosen() -> None:
    content = b"a,b,c,d\n1,2,3,4\n5,6,7,8\n"
    table = tables.parse(content, "t.csv", Reading(header=True, inputs=(2, 0), target=1))
    assert table.columns == ("c", "a", "b") and table.X.tolist() == [[3, 1], [7, 5]] and table.y.tolist() == [2, 6]
    bare = tables.parse(content, "t.csv", Reading(header=True, inputs=(0, 3), target=NOTHING, task="classification"))
    points, classes = bare.to_scene_points()
    assert points.xy.tolist() == [[1, 4], [5, 8]] and points.cls.tolist() == [0, 0] and classes == ()
    with pytest.raises(FileError, match="no column 8"):
        tables.parse(content, "t.csv", Reading(header=True, inputs=(7,)))


def test_many_labels_become_two_classes() -> None:
    content = "".join(f"{i},{i},k{i % 12}\n" for i in range(36)).encode()
    table = tables.parse(content, "t.csv", Reading(task="classification", classes="rest", positive="k3"))
    points, classes = table.to_scene_points()
    assert classes == ("k3", "≠ k3") and np.flatnonzero(points.cls == 0).tolist() == [3, 15, 27]
    numbers = tables.parse(b"0,0,1.5\n0,1,2.5\n1,1,3.5\n", "t.csv",
                           Reading(task="classification", classes="threshold", threshold=2.5))
    points, classes = numbers.to_scene_points()
    assert classes == ("≥ 2.5", "< 2.5") and points.cls.tolist() == [1, 0, 0]
    for wrong, words in (({"classes": "rest", "positive": "k99"}, "no label k99"),
                         ({"classes": "threshold"}, "are text")):
        with pytest.raises(FileError, match=words):
            tables.parse(content, "t.csv", Reading(task="classification", **wrong)).to_scene_points()


def test_standardised_columns_say_so() -> None:
    content = b"a,b,t\n1,10,5\n2,30,7\n3,50,9\n"
    table = tables.parse(content, "t.csv", Reading(header=True, units="inputs", task="regression"))
    np.testing.assert_allclose(table.X.mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(table.X.std(axis=0), 1)
    assert table.columns == ("(a − 2) / 0.816", "(b − 30) / 16.3", "t") and table.y.tolist() == [5, 7, 9]
    assert "b has mean 30 and standard deviation 16.3." in [str(note.sentence) for note in table.notes]
    every = tables.parse(content, "t.csv", Reading(header=True, units="all", task="regression"))
    assert abs(every.y.mean()) < 1e-15 and every.columns[2] == "(t − 7) / 1.63"
    for column in (b"5,1\n5,2\n", b"1e308,1\n-1e308,2\n", b"1e308,1\n1e308,2\n1.2e308,1\n"):
        with pytest.raises(FileError, match="cannot be standardised"):
            tables.parse(column, "t.csv", Reading(units="inputs"))


def test_the_command_line_says_how_a_doubtful_file_was_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.csv"
    file.write_text("1,234;2,500;1\n3,456;1,999;2\n5,111;1,222;1\n", "utf-8")
    assert main(["fit", str(file)]) == 0
    done = capsys.readouterr()
    assert done.err.count("\n") == 2 and "decimal separator: Comma 1,5" in done.err
    assert "thousands" in done.out
    file.write_text("1.5,2.5,1\n3.5,1.5,2\n5.5,1.25,1\n", "utf-8")
    assert main(["fit", str(file)]) == 0 and capsys.readouterr().err == ""


def test_inputs_of_other_sizes_leave_a_hint() -> None:
    def hint(content: bytes, **changes: object) -> str:
        table = tables.parse(content, "t.csv", Reading(header=True, **changes))  # type: ignore[arg-type]
        return str(far_apart(table.X, table.columns, table.reading) or "")

    far, near = b"pay,rate,k\n30000,0.1,a\n50000,0.3,b\n", b"pay,rate,k\n30,0.1,a\n50,0.3,b\n"
    assert "pay varies 100000 times as much as rate" in hint(far) and "Standardise inputs" in hint(far)
    assert not hint(near) and not hint(far, units="inputs") and not hint(b"a,b,k\n1,2,x\n5,2,y\n")
