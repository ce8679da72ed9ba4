"""What a caller hands over as data: what counts as a number or a label, and what is said of the rest."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import kernelplay as kp
from kernelplay.arrays import inputs, labels, numbers, ordered
from kernelplay.errors import FitError

ROWS = [[0.5, 1.0], [2.0, 3.0]]


@pytest.mark.parametrize("values", [
    ROWS, tuple(map(tuple, ROWS)), np.array(ROWS, np.float32), np.array(ROWS, object), np.array(ROWS).T.copy().T,
    [[Decimal("0.5"), 1], [2, 3]], [[Fraction(1, 2), 1], [2, 3]], np.ma.masked_array(ROWS),
])
def test_real_numbers_come_in_many_kinds(values: Any) -> None:
    found = numbers(values, "X")
    assert found.dtype == np.float64 and found.tolist() == ROWS and not np.ma.isMaskedArray(found)
    assert numbers([True, False], "X").tolist() == [1.0, 0.0]


@pytest.mark.parametrize("values", [
    [[1j, 0]], np.array(ROWS) + 0j, [["1", "2"]], np.array(ROWS).astype("S3"), np.array([["1", 2.0]], object),
    np.array(ROWS).astype("datetime64[s]"), np.array(ROWS).astype("timedelta64[s]"), [[1, 2], [3]], {"a": 1}, {1, 2},
    (row for row in ROWS), np.zeros(2, [("a", float)]), "hello",
])
def test_what_only_looks_like_numbers_is_refused(values: Any) -> None:
    with pytest.raises(FitError, match="X must contain only numbers"):
        numbers(values, "X")


def test_a_masked_value_is_missing_and_a_number_without_end_is_too_large() -> None:
    found = numbers(np.ma.masked_array(ROWS, [[False, False], [False, True]]), "X")
    assert np.isnan(found[1, 1]) and found[1, 0] == 2.0
    with pytest.raises(FitError, match="X contains a number that is too large"):
        numbers([[10**400]], "X")
    with pytest.raises(FitError, match="Row 2") as refusal:
        kp.fit(np.ma.masked_array(ROWS, [[False, False], [False, True]]), [1, -1])
    assert refusal.value.points == (1,)


@pytest.mark.parametrize(("values", "wanted"), [
    (["b", "a"], ["b", "a"]), ([True, False], [True, False]), ([1, 2.5], [1.0, 2.5]),
    (np.array([3, 4], object), [3, 4]),
    (np.array(["b", "a"], object), ["b", "a"]), ([b"b", b"a"], [b"b", b"a"]), (("1", "-1"), ["1", "-1"]), ([], []),
])
def test_labels_are_numbers_or_texts(values: Any, wanted: list[Any]) -> None:
    assert labels(values).tolist() == wanted


@pytest.mark.parametrize(("values", "words"), [
    (["a", 1], "y contains int, str"), (["a", np.nan], "y contains float, str"), ([None, 1], "NoneType"),
    ([1j, -1j], "complex"), (np.array([1, 2]).astype("datetime64[s]"), "datetime"), ([Decimal(1), 2], "Decimal"),
    ({1: 2}, "dict"), (np.zeros(2, [("a", float)]), "tuple"), (np.ma.masked_array([1, 2], [False, True]), "Row 2"),
    ([1.0, np.inf], "Row 2"), ([[1], [1, 2]], "one label for each row"),
])
def test_missing_labels_and_mixtures_are_refused(values: Any, words: str) -> None:
    with pytest.raises(FitError, match=words):
        labels(values)


def test_inputs_to_predict_at_have_the_coordinates_of_the_training_points() -> None:
    assert inputs([1.0, 2.0], 2).tolist() == [[1.0, 2.0]]
    assert inputs([1.0, 2.0, 3.0], 1).tolist() == [[1.0], [2.0], [3.0]] and inputs(1.0, 1).tolist() == [[1.0]]
    assert inputs([], 2).shape == (0, 2) and inputs(np.zeros((0, 3)), 3).shape == (0, 3)
    for wrong, d in (([1.0, 2.0, 3.0, 4.0], 2), (np.zeros((2, 4)), 2), (np.zeros((2, 2, 2)), 2), (1.0, 2),
                     ([[1.0, 2.0]], 1), (np.zeros((0, 3)), 2)):
        with pytest.raises(FitError, match=f"need {d} coordinates"):
            inputs(wrong, d)
    for bad in (np.nan, np.inf):
        with pytest.raises(FitError, match="Row 2") as refusal:
            inputs([[1.0, 2.0], [bad, 2.0]], 2)
        assert refusal.value.points == (1,)


def test_a_gram_matrix_needs_rows_of_finite_numbers() -> None:
    kernel = kp.kernel("rbf", gamma="scale")
    for wrong, words in ((np.zeros((2, 2, 2)), "one row per point"), ([["a"]], "only numbers"), (5.0, "one row"),
                         ([[0.0], [np.nan]], "Row 2")):
        with pytest.raises(FitError, match=words):
            kernel.gram(wrong)


@pytest.mark.parametrize("name", ["rbf", "matern12", "matern32", "matern52", "rational_quadratic", "periodic"])
def test_points_of_different_dimension_are_not_compared(name: str) -> None:
    for one, other in ((2, 3), (1, 2)):
        with pytest.raises(FitError, match=f"{one} and {other}"):
            kp.kernel(name)(np.zeros((4, one)), np.zeros((3, other)))


def test_labels_that_are_numpys_in_an_array_of_objects_are_numbers_and_texts() -> None:
    for values in ([np.int64(1), np.int64(2)], [np.str_("a"), np.str_("b")], [np.float64(0.5), 1]):
        assert labels(np.array(values, object)).tolist() == values


def test_of_texts_that_differ_in_a_sign_the_one_with_plus_comes_first() -> None:
    for plus, minus in (("+1", "-1"), ("+1", "−1"), ("+", "-"), ("+a", "-a")):
        assert ordered(np.array([minus, plus])) == (plus, minus)
    assert ordered(np.array(["+a", "-b"])) == ("-b", "+a")
