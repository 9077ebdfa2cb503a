"""The compiled loops of `subsets` against sums and groups in Python."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, frozen, listed, phi_table, seeds, unlike_codes, unlike_levels
from entropick._kernels import subsets


@given(
    seed=seeds,
    n_rows=st.integers(1, 150),
    n_columns=st.integers(1, 20),
    n_subsets=st.integers(1, 8),
    code_type=st.sampled_from([*CODE_TYPES, np.uint64]),
)
def test_row_sums_of_subsets(seed, n_rows, n_columns, n_subsets, code_type):
    """expand_keys, add_keys and add_listed against sums in Python's own integers."""
    rng = np.random.default_rng(seed)
    levels = unlike_levels(rng, n_columns, n_rows, code_type)
    codes = unlike_codes(rng, levels, n_rows, code_type)
    first_key = np.cumsum(levels) - levels
    keys = rng.integers(0, 2**64, levels.sum(), dtype=np.uint64)
    members = rng.random((n_subsets, n_columns)) < rng.random()
    start, columns = n_rows // 3, np.arange(n_columns)
    width = n_rows - start
    expanded = np.zeros((n_columns + 1, width), np.uint64)
    subsets.expand_keys(codes, columns, first_key, keys, start, width, expanded, 1)
    sums = np.full((n_subsets, n_rows), 5, np.uint64)
    subsets.add_keys(expanded[1:], members, start, width, sums)
    key_of = [[int(keys[first_key[j] + int(code)]) for code in codes[j]] for j in range(n_columns)]
    for i in range(n_subsets):
        chosen = np.flatnonzero(members[i])
        expected = [sum(key_of[j][r] for j in chosen) % 2**64 for r in range(n_rows)]
        assert sums[i, :start].tolist() == [5] * start
        assert sums[i, start:].tolist() == expected[start:]
    lists, _ = listed(rng, n_columns, n_rows, 3)
    differences = rng.integers(0, 2**64, len(lists.rows), dtype=np.uint64)
    sums[:] = 0
    subsets.add_listed(lists.starts, lists.rows, differences, members, sums)
    for i in range(n_subsets):
        expected = [0] * n_rows
        for j in np.flatnonzero(members[i]):
            for at in range(lists.starts[j], lists.starts[j + 1]):
                expected[lists.rows[at]] = (expected[lists.rows[at]] + int(differences[at])) % 2**64
        assert sums[i].tolist() == expected


def expected_group_sums(keys, labels, kind, of_group, of_cell, order):
    classes = defaultdict(Counter)
    for key, label in zip(keys.tolist(), labels.tolist(), strict=True):
        classes[key][label] += 1
    cells = [n for counts in classes.values() for n in counts.values()]
    over_groups = 0
    for counts in classes.values():
        if kind == subsets.ENTROPY:
            over_groups += int(of_group[counts.total()])
        elif kind == subsets.MAJORITY:
            size = sum(counts.values())
            over_groups += size if max(counts.values()) >= of_group[size] else 0
        elif kind == subsets.PEAK:
            over_groups += max(counts.values())
        else:
            over_groups += sum(n**order for n in counts.values()) ** (1 / order) * int(of_group[0])
    return [len(classes), len(cells), over_groups, sum(int(of_cell[n]) for n in cells)]


@pytest.mark.parametrize("kind", [subsets.ENTROPY, subsets.PEAK, subsets.NORM, subsets.MAJORITY])
@pytest.mark.parametrize("n_rows", [1, 2, 50, 3000, 20_000])
def test_group_sums(n_rows, kind):
    """In one hash table, and dealt into parts where rows are many."""
    rng = np.random.default_rng(n_rows)
    keys = rng.integers(0, 2**64, max(n_rows // 5, 1), dtype=np.uint64)
    row_keys = keys[rng.integers(0, len(keys), (3, n_rows))]
    labels, table = rng.integers(0, 4, n_rows).astype(np.int32), phi_table(n_rows)
    of_group = np.array([1 << 30]) if kind == subsets.NORM else table
    if kind == subsets.MAJORITY:
        of_group = np.ceil(0.6 * np.arange(n_rows + 1)).astype(np.int64)
    sums = np.empty((3, 4), np.int64)
    subsets.group_sums(row_keys, frozen(labels), 4, kind, of_group, table, 2.5, sums)
    for i in range(3):
        expected = expected_group_sums(row_keys[i], labels, kind, of_group, table, 2.5)
        assert sums[i].tolist() == pytest.approx(expected, rel=1e-8 if kind == subsets.NORM else 0)
