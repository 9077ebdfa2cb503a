"""Tables of codes: what is counted of single columns, against counts by hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, listed, seeds, two_tables, unlike_codes, unlike_levels
from entropick import _core


@given(
    seed=seeds,
    n_rows=st.integers(0, 40_000),
    width=st.sampled_from([1, 5, 20, 700]),
    code_type=st.sampled_from(CODE_TYPES),
    beside_type=st.sampled_from(CODE_TYPES),
)
def test_count_tables(seed, n_rows, width, code_type, beside_type):
    """Tables of any columns in any order are added to what was there."""
    rng = np.random.default_rng(seed)
    all_levels = np.minimum(unlike_levels(rng, 5, n_rows, code_type), 1000)
    codes = unlike_codes(rng, all_levels, n_rows, np.int64)
    width = min(width, np.iinfo(beside_type).max)
    beside = rng.integers(0, width, n_rows).astype(beside_type)
    columns = np.array([4, 0, 2])
    levels = all_levels[columns]
    starts = (np.cumsum(levels) - levels) * width
    for table in two_tables(codes, all_levels, code_type):
        tables = rng.integers(0, 9, levels.sum() * width)
        before = tables.copy()
        table.count_tables(columns, beside, width, tables)
        found = tables - before
        for k, j in enumerate(columns):
            counted = Counter(zip(codes[j].tolist(), beside.tolist(), strict=True))
            expected = [counted[f, s] for f in range(levels[k]) for s in range(width)]
            assert found[starts[k] : starts[k] + levels[k] * width].tolist() == expected


@given(seed=seeds, n_rows=st.integers(1, 300), code_type=st.sampled_from(CODE_TYPES))
def test_unusual_rows(seed, n_rows, code_type):
    rng = np.random.default_rng(seed)
    levels = unlike_levels(rng, 4, n_rows, code_type)
    codes = unlike_codes(rng, levels, n_rows, np.int64)
    usual, n_unusual = np.full((2, 2), -1)
    chosen = np.array([3, 1])
    for table in two_tables(codes, levels, code_type):
        table.usual_levels(chosen, usual, n_unusual)
        for k, j in enumerate(chosen):
            counts = np.bincount(codes[j])
            assert usual[k] == counts.argmax()
            assert n_unusual[k] == n_rows - counts.max()
        starts = np.array([0, n_unusual[0]])
        rows, found = (np.empty(n_unusual.sum(), dtype) for dtype in (np.int32, code_type))
        table.list_unusual(chosen, usual, starts, rows, found)
        expected = [np.flatnonzero(codes[j] != usual[k]) for k, j in enumerate(chosen)]
        assert rows.tolist() == np.concatenate(expected).tolist()
        own = [codes[j][e] for j, e in zip(chosen, expected, strict=True)]
        assert found.tolist() == np.concatenate(own).tolist()


def test_the_last_part_of_a_column_counts():
    """Lists of unusual rows take the place of dense columns."""
    codes = np.zeros((2, 100), np.uint8)
    codes[0, :3] = 1
    dense, levels = (np.arange(2), codes), np.array([2, 2])
    lists = listed(codes[:1].astype(np.int64), levels[:1])
    assert _core.CodeTable(100, levels, [dense]).mean_stored == 100
    assert _core.CodeTable(100, levels, [dense, lists]).mean_stored == pytest.approx((3 + 100) / 2)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "every column"),
        ([(np.arange(1), np.zeros((1, 10), np.uint8))], "every column"),
        ([(np.arange(2), np.zeros((2, 9), np.uint8))], "these rows"),
        ([(np.arange(3), np.zeros((2, 10), np.uint8))], "each of its columns"),
        ([(np.array([0, 2]), np.zeros((2, 10), np.uint8))], "columns of the table"),
        ([(np.arange(2), np.zeros((2, 10), np.uint8), np.arange(2))], "a part must be"),
        ([(np.arange(2), np.array([0, 2, 1]), np.zeros(2, np.int32), np.zeros(2, np.uint8), np.zeros(2, np.int64))], "starts"),
        ([(np.arange(2), np.array([0, 1, 2]), np.zeros(2, np.int32), np.zeros(3, np.uint8), np.zeros(2, np.int64))], "as long as rows"),
    ],
)  # fmt: skip
def test_parts_that_make_no_table_are_refused(parts, message):
    with pytest.raises(ValueError, match=message):
        _core.CodeTable(10, np.array([3, 300] if message == "tell apart" else [3, 4]), parts)


def test_levels_must_fit_the_codes():
    with pytest.raises(ValueError, match="tell apart"):
        _core.CodeTable(10, np.array([257]), [(np.arange(1), np.zeros((1, 10), np.uint8))])
