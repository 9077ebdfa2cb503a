"""The compiled tables of counts against counts by hand."""

from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, seeds, unlike_codes, unlike_levels
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
    codes = unlike_codes(rng, all_levels, n_rows + 3, code_type)
    width = min(width, np.iinfo(beside_type).max)
    beside = rng.integers(0, width, n_rows).astype(beside_type)
    columns = np.array([4, 0, 2])
    levels = all_levels[columns]
    starts = (np.cumsum(levels) - levels) * width
    tables = rng.integers(0, 9, levels.sum() * width)
    before = tables.copy()
    _core.count_tables(codes, levels, columns, beside, width, n_rows, starts, tables)
    for k, j in enumerate(columns):
        counted = Counter(zip(codes[j, :n_rows].tolist(), beside.tolist(), strict=True))
        expected = [counted[f, s] for f in range(levels[k]) for s in range(width)]
        found = tables - before
        assert found[starts[k] : starts[k] + levels[k] * width].tolist() == expected
