"""LIBSVM and SVMlight text: what was written is read back, what is no such text is not taken for it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay import svmlight, tables
from kernelplay.errors import FileError
from kernelplay.guess import guess
from kernelplay.reading import Reading

VALUES = st.floats(-1e12, 1e12).filter(lambda value: value == 0 or abs(value) > 1e-300)


@given(st.integers(1, 5).flatmap(lambda d: st.lists(
    st.tuples(st.sampled_from(["+1", "-1", "2.5"]), st.lists(VALUES, min_size=d, max_size=d)), min_size=1,
    max_size=15)))
@settings(max_examples=60, deadline=None)
def test_what_was_written_is_read_back_exactly(rows: list[tuple[str, list[float]]]) -> None:
    text = "".join(" ".join([label, *(f"{i}:{value!r}" for i, value in enumerate(values, 1) if value)]) + "\n"
                   for label, values in rows)
    X = np.array([values for _, values in rows]) + 0.0
    width = max((int(np.flatnonzero(row)[-1]) + 1 for row in X if row.any()), default=0)
    if width == 0:
        return
    table = tables.parse(text.encode(), "t.svm", Reading(format="svmlight"))
    np.testing.assert_array_equal(table.X, X[:, :width])
    assert table.y.tolist() == [float(label) for label, _ in rows]


def test_the_format_is_told_by_the_content() -> None:
    text = b"# made by hand\n+1 1:0.5 3:2 # a remark\n-1 qid:7 2:1e-3\n\n+1\n"
    assert guess(text, "t.txt").reading.format == "svmlight"
    table = tables.parse(text, "t.txt")
    assert table.columns == ("x1", "x2", "x3", "y") and table.labels == (-1, 1)
    assert table.X.tolist() == [[0.5, 0, 2], [0, 0.001, 0], [0, 0, 0]] and not table.skipped_lines
    for other in (b"1 2 3\n4 5 6\n", b"a:b c:d\n", b"12:30 1.5\n12:40 2.5\n"):
        assert guess(other, "t.txt").reading.format == "delimited"


def test_features_may_be_counted_from_0() -> None:
    table = tables.parse(b"1 0:5 1:6\n2 1:7\n", "t.svm")
    assert table.columns == ("x0", "x1", "y") and table.X.tolist() == [[5, 6], [0, 7]]


def test_lines_that_cannot_be_used_are_listed_with_the_reason() -> None:
    table = tables.parse(b"1 1:2\n2 1:x\n1 1:2 1:3\n2 a:1\n2 1:\n1 2:1e999\none 1:2\n2 2:1\n", "t.svm",
                         Reading(format="svmlight"))
    said = [(row.line, str(row.why)) for row in table.unusable]
    assert table.X.tolist() == [[2, 0], [0, 1]] and table.skipped_lines == (2, 3, 4, 5, 6, 7)
    for (line, why), (expected, words) in zip(said, [(2, "“x” in x1"), (3, "twice"), (4, "a:1"), (5, "1:"),
                                                     (6, "1e999"), (7, "“one” in y")], strict=True):
        assert line == expected and words in why


def test_labels_may_be_words() -> None:
    assert tables.parse(b"spam 1:2 2:1\nham 2:1\nspam 1:1\n", "t.svm").labels == ("ham", "spam")


def test_groups_of_a_ranking_are_left_out_and_that_is_said() -> None:
    table = tables.parse(b"2 qid:1 1:0.5 # first\n1 qid:1 1:0.25\n2 qid:2 1:1\n", "t.dat")
    assert table.X.ravel().tolist() == [0.5, 0.25, 1] and len(table.doubts) == 1
    assert "qid" in str(table.doubts[0])


def test_chosen_columns_of_many_features() -> None:
    content = "".join(f"{i % 2} {i + 1}:1 {i + 50_001}:2\n" for i in range(2000)).encode()
    table = tables.parse(content, "t.svm", Reading(format="svmlight", inputs=(50_002, 2)))
    assert table.columns == ("x50003", "x3", "y") and table.X.sum(axis=0).tolist() == [2, 1]
    with pytest.raises(FileError, match="52,000 features"):
        tables.parse(content, "t.svm")


def test_times_of_day_leave_a_doubt() -> None:
    for text, doubt in (("1 10:30\n2 11:45\n", True), ("1 9:05\n2 9:10\n", True), ("+1 1:0.5\n-1 2:3\n", False),
                        ("1 10:30 11:2\n2 11:45\n", False), ("1 10:75\n2 11:45\n", False)):
        found = guess(text.encode(), "t.txt")
        assert found.reading.format == "svmlight" and bool(found.doubts) == doubt
        assert not doubt or any(said in str(found.doubts[0]) for said in ("10:30 was read as a LIBSVM feature", "9:05"))


def test_many_signs_are_looked_at_once() -> None:
    assert not svmlight.looks_like(["1 " + " ".join(f"{i}:-1" for i in range(1, 400)) + " x"] * 3)


def test_only_white_space_of_any_kind_is_an_empty_file() -> None:
    for text in ("\u2028", "\x1c \u2029\n", "\ufeff", "\ufeff\u2028\n\u3000"):
        with pytest.raises(FileError, match="empty"):
            tables.parse(text.encode(), "some.csv")
