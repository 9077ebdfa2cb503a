"""The compiled loops of `partition` against groups of rows in dictionaries."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, listed, phi_table, random_groups, seeds, unlike_codes, unlike_levels
from entropick._kernels import partition

WIDE_TYPES = [*CODE_TYPES, np.uint64]


def class_counts_of(groups, group, codes):
    """Counts of classes for each (group, level)."""
    counts = defaultdict(Counter)
    for g, row, label in zip(group, groups.rows, groups.labels, strict=True):
        counts[g, int(codes[row])][int(label)] += 1
    return counts


@given(
    seed=seeds,
    n_rows=st.integers(1, 300),
    n_groups=st.integers(1, 80),
    n_classes=st.integers(2, 5),
    code_type=st.sampled_from(WIDE_TYPES),
)
def test_split_sums_and_norms(seed, n_rows, n_groups, n_classes, code_type):
    rng = np.random.default_rng(seed)
    groups, group = random_groups(rng, n_rows, n_groups, n_classes)
    levels, table = unlike_levels(rng, 3, n_rows, code_type), phi_table(n_rows)
    codes = unlike_codes(rng, levels, n_rows, code_type)
    shannon, peaks, norms = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3)
    partition.split_sums(codes, levels, np.arange(3), groups, partition.SHANNON, table, shannon)
    partition.split_sums(codes, levels, np.arange(3), groups, partition.MINIMUM, table, peaks)
    partition.split_norms(codes, levels, np.arange(3), groups, 2.5, 4, norms)
    for f in range(3):
        counts = class_counts_of(groups, group, codes[f]).values()
        expected = sum(int(table[c.total()]) - sum(int(table[n]) for n in c.values()) for c in counts)
        assert shannon[f] == expected
        assert peaks[f] == sum(max(c.values()) for c in counts)
        total = 4 + sum(sum(n**2.5 for n in c.values()) ** 0.4 for c in counts)
        assert norms[f] == pytest.approx(math.log2(total), rel=1e-12)


@given(
    seed=seeds,
    n_rows=st.integers(1, 200),
    n_groups=st.integers(1, 120),
    code_type=st.sampled_from(WIDE_TYPES),
)
def test_sparse_split_sums(seed, n_rows, n_groups, code_type):
    """Whether all groups are looked at or only those with stored rows."""
    rng = np.random.default_rng(seed)
    groups, group = random_groups(rng, n_rows, n_groups, 3)
    columns, full = listed(rng, 4, n_rows, unlike_levels(rng, 4, n_rows, code_type), code_type)
    n_groups, table = len(groups.starts) - 1, phi_table(n_rows)
    group_of, label_of = np.full(n_rows, -1, np.int32), np.zeros(n_rows, np.int32)
    cell_of = np.full(n_rows, 3 * n_groups, np.int32)
    group_of[groups.rows], label_of[groups.rows] = group, groups.labels
    cell_of[groups.rows] = group * 3 + groups.labels
    counts = np.bincount(group * 3 + groups.labels, minlength=3 * n_groups)
    by_group = counts.reshape(-1, 3)
    by_row = partition.RowGroups(group_of, label_of, cell_of, counts, 3)
    now = {
        partition.SHANNON: table[by_group.sum(axis=1)] - table[by_group].sum(axis=1),
        partition.MINIMUM: by_group.max(axis=1, initial=0),
    }
    for kind, group_sums in now.items():
        sums = np.empty(4, np.int64)
        partition.sparse_split_sums(columns, np.arange(4), by_row, kind, table, group_sums, sums)
        for f in range(4):
            split = class_counts_of(groups, group, full[f]).values()
            if kind == partition.SHANNON:
                expected = sum(int(table[c.total()]) - sum(int(table[n]) for n in c.values()) for c in split)
            else:
                expected = sum(max(c.values()) for c in split)
            assert sums[f] == expected


@given(
    seed=seeds,
    n_rows=st.integers(1, 200),
    n_groups=st.integers(1, 40),
    code_type=st.sampled_from(WIDE_TYPES),
)
def test_refine(seed, n_rows, n_groups, code_type):
    """Groups of more than one class stay, in the order of group and level; rows keep their order."""
    rng = np.random.default_rng(seed)
    groups, group = random_groups(rng, n_rows, n_groups, 3)
    (n_levels,) = levels = unlike_levels(rng, 1, n_rows, code_type)
    (codes,) = unlike_codes(rng, levels, n_rows, code_type)
    members = defaultdict(list)
    for g, row, label in zip(group.tolist(), groups.rows.tolist(), groups.labels.tolist(), strict=True):
        members[g, int(codes[row])].append((row, label))
    mixed = [members[key] for key in sorted(members) if len({label for _, label in members[key]}) > 1]
    rows, starts, labels, settled = partition.refine(codes, n_levels, groups)
    flat = [pair for own in mixed for pair in own]
    assert list(zip(rows.tolist(), labels.tolist(), strict=True)) == flat
    assert starts.tolist() == np.cumsum([0, *map(len, mixed)]).tolist()
    assert settled == len(groups.rows) - len(flat)


@given(seed=seeds, n_rows=st.integers(1, 300), code_type=st.sampled_from(WIDE_TYPES))
def test_unusual_rows(seed, n_rows, code_type):
    rng = np.random.default_rng(seed)
    levels = unlike_levels(rng, 4, n_rows, code_type)
    codes = unlike_codes(rng, levels, n_rows + 3, code_type)
    usual, n_unusual = np.full(4, -1), np.full(4, -1)
    chosen = np.array([3, 1])
    partition.usual_levels(codes, n_rows, chosen, levels, usual, n_unusual)
    for j in chosen:
        counts = np.bincount(codes[j, :n_rows])
        assert usual[j] == counts.argmax()
        assert n_unusual[j] == n_rows - counts.max()
    assert usual[[0, 2]].tolist() == [-1, -1]
    starts = np.array([0, n_unusual[3]])
    rows, listed_levels = (np.empty(n_unusual[chosen].sum(), dtype) for dtype in (np.int32, code_type))
    partition.list_unusual(codes, n_rows, chosen, usual, starts, rows, listed_levels)
    expected = [np.flatnonzero(codes[j, :n_rows] != usual[j]) for j in chosen]
    assert rows.tolist() == np.concatenate(expected).tolist()
    assert (
        listed_levels.tolist()
        == np.concatenate([codes[j][e] for j, e in zip(chosen, expected, strict=True)]).tolist()
    )
