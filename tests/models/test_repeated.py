"""Repeated points become one, and what is known of points is found again after others came or went."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelplay.models.base import merged
from kernelplay.models.dual import _places

small = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([-1, 1])), min_size=1, max_size=30)


@given(small)
@settings(deadline=None, max_examples=60)
def test_each_group_is_one_point_named_by_its_first_row(rows: list[tuple[int, int, int]]) -> None:
    table = np.array(rows, float)
    first, group, weight = merged(table[:, :2], table[:, 2])
    assert (np.diff(first) > 0).all(), "the order of the rows is kept"
    assert np.array_equal(table[first][group], table)
    assert len({row.tobytes() for row in table}) == len(first)
    assert np.array_equal(weight, np.bincount(group)) and weight.sum() == len(rows)
    assert all(first[g] == np.flatnonzero(group == g)[0] for g in range(len(first)))


@given(st.permutations(range(12)), st.permutations(range(12)), st.integers(0, 12), st.integers(0, 12), st.booleans())
@settings(deadline=None, max_examples=200)
def test_rows_are_found_where_they_were(pool: list[int], other: list[int], n: int, m: int, alike: bool) -> None:
    before = np.repeat(np.array(pool[:n], float)[:, None], 3, axis=1)
    names = np.delete(pool[:n], m) if alike and m < n else np.array(other[:m], float)
    now = np.repeat(np.asarray(names, float)[:, None], 3, axis=1)
    known = {row.tobytes(): place for place, row in enumerate(before)}
    assert _places(before, now).tolist() == [known.get(row.tobytes(), -1) for row in now]
