"""Tables as people save them; the harder ones are among the cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import i18n, tables
from kernelplay.errors import FileError
from kernelplay.scene import Scene


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
    assert "cp949" in table.notes[0].sentence.text("en")


@pytest.mark.parametrize(("content", "words"), [
    (b"", "empty"), (b"\n \n", "empty"), (b"hello\nworld\n", "no table was found"), (b"1\n2\n", "no table was found"),
    (b"a,b\nx,y\n", "no line can be used"), (b"a,b\n", "no line can be used"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 9, "not a table"),
    (bytes(range(128, 256)) + bytes(range(32)) * 9, "not a table"),
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


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from([-1, 1])), min_size=3,
                max_size=20), st.sampled_from([",", ";", "\t", " "]))
@settings(max_examples=40, deadline=None)
def test_what_was_written_is_read_back_exactly(rows: list[tuple[float, float, int]], delimiter: str) -> None:
    text = "".join(delimiter.join(map(repr, row)) + "\n" for row in rows)
    table = tables.parse(text.encode(), "t.csv")
    np.testing.assert_array_equal(np.column_stack([table.X, table.y]), np.array(rows, float))


def test_of_two_labels_the_larger_or_last_is_plus_one() -> None:
    for content, names, cls in [
        (b"0,0,yes\n1,1,no\n2,2,yes\n", ("yes", "no"), [0, 1, 0]),
        (b"0,0,1\n1,1,-1\n2,2,1\n", ("+1", "−1"), [0, 1, 0]),
        (b"0,0,0\n1,1,1\n2,2,0\n", ("+1", "0"), [1, 0, 1]),
        (b"0,0,-1\n1,1,-1\n", ("+1", "−1"), [1, 1]),
    ]:
        points, classes = tables.parse(content, "t.csv").to_scene_points()
        assert classes == names and points.cls.tolist() == cls


def test_a_table_becomes_a_scene_of_its_task() -> None:
    three = tables.parse(b"a,b,kind\n0,0,x\n1,1,y\n2,2,z\n", "flowers.csv").to_scene(Scene())
    assert three.task == "classification" and three.classes == ("x", "y", "z") and three.title == "flowers"
    curve = tables.parse(b"time,height\n0,0.5\n1,1.5\n", "fall.csv").to_scene(three)
    assert curve.task == "regression" and curve.points.names == ("time", "height")
    assert len(curve.classification) == 3, "the points of the other task stay"


@pytest.mark.parametrize(("content", "words"), [
    (b"0,0,0,a\n1,1,1,b\n2,2,2,a\n", "3 input columns"), (b"0,a\n1,b\n2,a\n", "one input column"),
    (b"0,0,0.5\n1,1,1.7\n", "2 input columns"),
    ("".join(f"{i},{i},k{i % 9}\n" for i in range(30)).encode(), "9 different values"),
])
def test_what_the_canvas_cannot_show_is_said(content: bytes, words: str) -> None:
    with pytest.raises(FileError, match=words):
        tables.parse(content, "t.csv").to_scene(Scene())
