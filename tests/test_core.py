"""The compiled loops against slow, obvious versions, and against arguments that make no sense.

Every function of `entropick._core` is called through its face in `entropick._kernels`. Nothing here needs
anything else of the package, so that the tests also run with a core built for memory checks.
"""

import ast
import copy
import functools
import itertools
import math
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick
import naive
from entropick import _core
from entropick._kernels import binning, columns, moments, neighbors, pairs, pareto, partition, subsets

seeds = st.integers(0, 2**32 - 1)
CODE_TYPES = [np.uint8, np.uint16, np.uint32]


def phi_table(n_rows):
    """Any function of counts will do; this one is not linear."""
    return np.array([round(c * math.log2(max(c, 1)) * 1000) + 7 * c for c in range(n_rows + 1)])


def frozen(array):
    array.setflags(write=False)
    return array


def packed(codes, n_levels):
    """The planes of levels 1, 2, ... of each row of codes."""
    rows = [
        np.packbits(row == level, bitorder="little").view(np.uint64)
        for row in codes
        for level in range(1, n_levels)
    ]
    return np.array(rows, np.uint64).reshape(-1, codes.shape[1] // 64)


# -- tables --------------------------------------------------------------------------------------


@given(
    seed=seeds, n_rows=st.integers(0, 40_000), n_levels=st.sampled_from([1, 3, 40, 300]),
    width=st.sampled_from([1, 5, 20, 700]), code_type=st.sampled_from(CODE_TYPES[1:]),
)  # fmt: skip
def test_count_tables(seed, n_rows, n_levels, width, code_type):
    """Tables of any columns in any order are added to what was there."""
    rng = np.random.default_rng(seed)
    codes = np.zeros((5, n_rows + 3), np.uint8 if n_levels < 256 else code_type)
    codes[:, :n_rows] = rng.integers(0, n_levels, (5, n_rows))
    beside = rng.integers(0, width, n_rows).astype(code_type)
    columns = np.array([4, 0, 2])
    starts = np.array([0, 1, 2]) * n_levels * width
    tables = rng.integers(0, 9, 3 * n_levels * width)
    before = tables.copy()
    _core.count_tables(codes, np.full(3, n_levels), columns, beside, width, n_rows, starts, tables)
    for k, j in enumerate(columns):
        counted = Counter(zip(codes[j, :n_rows].tolist(), beside.tolist(), strict=True))
        expected = [counted[f, s] for f in range(n_levels) for s in range(width)]
        found = tables - before
        assert found[starts[k] : starts[k] + n_levels * width].tolist() == expected


# -- bit planes and pairs ------------------------------------------------------------------------


class PairTable:
    """Random columns, all of them selected too, in the form the loops of `pairs` take."""

    def __init__(self, seed, n_rows, n_levels, n_classes, n_columns=4, code_type=np.uint8, with_planes=True):
        rng = np.random.default_rng(seed)
        padded = -(-n_rows // 64) * 64
        if np.ndim(n_levels) == 0:  # at most
            n_levels = rng.integers(1, n_levels + 1, n_columns)
        self.n_levels, n_columns = np.asarray(n_levels), len(n_levels)
        self.codes = np.zeros((n_columns, padded), code_type)
        self.codes[:, :n_rows] = rng.integers(0, self.n_levels[:, None], (n_columns, n_rows))
        self.labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
        self.rows = pairs.Rows(n_rows, padded // 64, n_classes)
        n_planes = np.where(with_planes, self.n_levels - 1, 0)
        first = np.cumsum(n_planes) - n_planes if with_planes else np.full(n_columns, -1)
        planes = [packed(row[None], n) for row, n in zip(self.codes, self.n_levels, strict=True)]
        counts = [
            [np.sum(row[:n_rows][self.labels == y] == level) for y in range(n_classes)]
            for row, n in zip(self.codes, self.n_levels, strict=True)
            for level in range(1, n)
        ]
        self.planes = np.concatenate(planes).reshape(-1)
        self.plane_counts = np.array(counts, np.uint32).reshape(-1, n_classes)
        if not with_planes:
            self.planes, self.plane_counts = self.planes[:0], self.plane_counts[:0]
        self.columns = pairs.Columns(
            frozen(self.codes),
            frozen(self.n_levels),
            frozen(self.planes),
            frozen(first),
            frozen(self.plane_counts),
        )
        self.selected = self._select(with_planes)
        self.everything = np.arange(n_columns)
        self.phi = phi_table(n_rows)

    def _select(self, with_planes):
        n_rows, n_words, n_classes = self.rows
        joint = self.codes[:, :n_rows].astype(np.int64) * n_classes + self.labels
        all_planes, all_counts, index = [], [], []
        for j, n in enumerate(self.n_levels):
            wide = np.full(n_words * 64, -1)
            wide[:n_rows] = joint[j]
            first = sum(len(p) for p in all_planes) if with_planes else -1
            index.append([n, first, sum(len(c) for c in all_counts)])
            cells = [
                np.packbits(wide == cell, bitorder="little").view(np.uint64)
                for cell in range(n_classes, n * n_classes)
            ]
            all_planes.append(np.array(cells, np.uint64).reshape(-1, n_words))
            all_counts.append(np.bincount(joint[j], minlength=n * n_classes))
        dtype = np.min_scalar_type(int(joint.max()))
        planes = np.concatenate(all_planes).reshape(-1) if with_planes else np.empty(0, np.uint64)
        return pairs.Selected(
            frozen(joint.astype(dtype)), np.array(index), planes, np.concatenate(all_counts).astype(np.uint64)
        )

    def expected(self, f, s):
        n_rows = self.rows.n_rows
        pair = list(zip(self.codes[f, :n_rows].tolist(), self.codes[s, :n_rows].tolist(), strict=True))
        triple = list(zip(pair, self.labels.tolist(), strict=True))
        return [sum(int(self.phi[c]) for c in Counter(cells).values()) for cells in (pair, triple)]

    def sums(self, s):
        sums = np.full((2, len(self.everything)), -1)
        _core.pair_sums(
            *self.columns, self.everything, self.everything, *self.selected, s, *self.rows, self.phi, sums
        )
        return sums


@pytest.mark.parametrize("with_planes", [True, False])
@pytest.mark.parametrize(("n_levels", "n_classes"), [(2, 2), (3, 1), (5, 3), (6, 4), (9, 2)])
@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 190, 300, 500, 2000])
def test_pair_sums(n_rows, n_levels, n_classes, with_planes):
    """By planes, in tables and while counting; for each number of words that has a loop of its own."""
    table = PairTable(n_rows, n_rows, n_levels, n_classes, with_planes=with_planes)
    for s in table.everything:
        sums = table.sums(s)
        for f in table.everything:
            assert sums[:, f].tolist() == table.expected(f, s)


@pytest.mark.parametrize(
    ("n_levels", "code_type"), [(n, t) for n in (200, 3000) for t in CODE_TYPES if n <= np.iinfo(t).max]
)
@pytest.mark.parametrize("n_classes", [1, 3])
def test_pair_sums_of_many_levels(n_levels, n_classes, code_type):
    """In wide tables and, beyond a million cells, by hashing."""
    table = PairTable(0, 900, n_levels, n_classes, code_type=code_type, with_planes=False)
    for s in table.everything:
        sums = table.sums(s)
        for f in table.everything:
            assert sums[:, f].tolist() == table.expected(f, s)


@given(
    seed=seeds,
    n_rows=st.integers(1, 400),
    n_levels=st.integers(1, 6),
    n_classes=st.integers(1, 3),
    slack=st.integers(0, 500),
)
def test_lazy_minimum(seed, n_rows, n_levels, n_classes, slack):
    """The best two scores are exact, and so is every score that comes close to the second best."""
    table = PairTable(seed, n_rows, n_levels, n_classes, n_columns=6, with_planes=seed % 2 == 0)
    check_lazy_minimum(table, seed, slack)


@pytest.mark.parametrize("n_levels", list(itertools.permutations([5000, 500, 400, 3])))
def test_lazy_minimum_of_unlike_columns(n_levels):
    """A candidate may be hashed against one selected column and counted in a table against the next."""
    check_lazy_minimum(
        PairTable(1, 3000, n_levels, 2, code_type=np.uint16, with_planes=False), seed=1, slack=2**60
    )


def check_lazy_minimum(table, seed, slack):
    size = len(table.everything)
    offsets = np.random.default_rng(seed).integers(-1000, 1000, size)
    scores = [
        min(e[1] - e[0] + int(offsets[s]) for s in range(size) for e in [table.expected(f, s)])
        for f in range(size)
    ]
    bounds, n_seen, counted = np.full(size, 2**60), np.zeros(size, np.int64), np.zeros(size, np.int64)
    best, finalists = np.full(2, -(2**61)), np.zeros(size, np.int64)
    search = pairs.LazySearch(bounds, n_seen, counted, table.everything, best, slack)
    n = pairs.lazy_minimum(
        table.columns,
        table.everything,
        table.selected,
        size,
        table.rows,
        table.phi,
        offsets,
        search,
        finalists,
    )
    assert best.tolist() == sorted(scores)[:-3:-1]
    found = finalists[:n].tolist()
    assert {f for f in range(size) if scores[f] >= best[1] - slack} <= set(found)
    for f in range(size):
        assert bounds[f] >= scores[f]
        if f in found:
            assert bounds[f] == scores[f]
            assert counted[f] == size


@given(seed=seeds, n_rows=st.integers(1, 700), n_classes=st.integers(1, 4))
def test_columns_alone_and_by_class(seed, n_rows, n_classes):
    """pack, class_counts, column_sums and join_classes."""
    table = PairTable(seed, n_rows, 5, n_classes)
    n_words = table.rows.n_words
    planes = np.empty((len(table.planes) // n_words, n_words), np.uint64)
    _core.pack(table.codes, table.everything, table.n_levels, table.columns.first_plane, planes)
    assert np.array_equal(planes.reshape(-1), table.planes)
    labels = np.zeros((1, n_words * 64), np.uint8)
    labels[0, :n_rows] = table.labels
    class_planes = packed(labels, n_classes).reshape(-1)
    counts = np.full(table.plane_counts.shape, 99, np.uint32)
    pairs.class_counts(table.columns._replace(plane_counts=counts), table.everything, class_planes, n_words)
    assert np.array_equal(counts, table.plane_counts)
    sums = np.empty((2, 4), np.int64)
    sizes = np.bincount(table.labels, minlength=n_classes)
    pairs.column_sums(
        table.codes, table.n_levels, table.everything, table.everything, class_planes, sizes, table.phi, sums
    )
    for f in range(4):
        values = table.codes[f, :n_rows].tolist()
        cells = [Counter(values), Counter(zip(values, table.labels.tolist(), strict=True))]
        assert sums[:, f].tolist() == [sum(int(table.phi[c]) for c in counter.values()) for counter in cells]
        joint = np.empty(n_rows, np.uint16)
        of_joint = np.empty(table.n_levels[f] * n_classes, np.uint64)
        pairs.join_classes(table.codes[f], table.labels, n_classes, joint, of_joint)
        assert np.array_equal(joint, table.selected.joint[f])
        assert np.array_equal(of_joint, np.bincount(joint, minlength=len(of_joint)))


@pytest.mark.parametrize("n_rows", [32_768, 70_001])
def test_planes_of_several_tiles(n_rows):
    table = PairTable(3, n_rows, 3, 2, n_columns=2)
    assert table.sums(1)[:, 0].tolist() == table.expected(0, 1)


@given(seed=seeds, n=st.integers(1, 40), most=st.integers(0, 10))
def test_leaders(seed, n, most):
    """The highest bounds, the earlier candidate first of equal ones."""
    rng = np.random.default_rng(seed)
    bounds, candidates = rng.integers(0, 6, 50), rng.permutation(50)[:n]
    chosen = np.empty(min(most, n), np.int64)
    pairs.leaders(candidates, bounds, chosen)
    expected = sorted(candidates.tolist(), key=lambda f: -bounds[f])[: len(chosen)]
    assert bounds[chosen].tolist() == bounds[expected].tolist()
    assert len(set(chosen.tolist())) == len(chosen)


def listed(rng, n_columns, n_rows, n_levels, code_type=np.uint8):
    """Columns as lists of unusual rows, and the same columns in full."""
    usual = rng.integers(0, n_levels, n_columns)
    full = np.where(
        rng.random((n_columns, n_rows)) < 0.3, rng.integers(0, n_levels, (n_columns, n_rows)), usual[:, None]
    )
    column, rows = np.nonzero(full != usual[:, None])
    starts = np.searchsorted(column, np.arange(n_columns + 1))
    codes = full[column, rows].astype(code_type)
    levels = np.full(n_columns, n_levels)
    return pairs.SparseColumns(starts, rows.astype(np.int32), codes, usual, levels), full


@given(
    seed=seeds,
    n_rows=st.integers(1, 300),
    n_levels=st.integers(1, 5),
    n_classes=st.integers(1, 3),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_sparse_pair_sums(seed, n_rows, n_levels, n_classes, code_type):
    rng = np.random.default_rng(seed)
    columns, full = listed(rng, 5, n_rows, n_levels, code_type)
    s, y = rng.integers(0, 3, n_rows), rng.integers(0, n_classes, n_rows)
    joint = (s * n_classes + y).astype(code_type)
    by_class = np.bincount(joint, minlength=3 * n_classes)
    table, sums = phi_table(n_rows), np.zeros((2, 5), np.int64)
    pairs.sparse_pair_sums(
        columns,
        np.arange(5),
        np.arange(5),
        joint,
        3,
        n_classes,
        by_class.reshape(3, -1).sum(axis=1),
        by_class,
        table,
        sums,
    )
    for f in range(5):
        pair = list(zip(full[f].tolist(), s.tolist(), strict=True))
        cells = [Counter(pair), Counter(zip(pair, y.tolist(), strict=True))]
        assert sums[:, f].tolist() == [sum(int(table[c]) for c in counter.values()) for counter in cells]


# -- partition --------------------------------------------------------------------------------------


def random_groups(rng, n_rows, n_groups, n_classes):
    """Some rows of a table, in groups."""
    rows = rng.permutation(n_rows)[: rng.integers(0, n_rows + 1)].astype(np.int32)
    group = np.sort(rng.integers(0, n_groups, len(rows)))
    sizes = np.bincount(group)
    group = np.repeat(np.arange(np.count_nonzero(sizes)), sizes[sizes > 0])
    starts = np.searchsorted(group, np.arange(np.count_nonzero(sizes) + 1))
    labels = rng.integers(0, n_classes, len(rows)).astype(np.int32)
    for g in range(len(starts) - 1):  # a group of two rows has two classes, or it would be settled
        if starts[g + 1] - starts[g] == 2:
            labels[starts[g] : starts[g + 1]] = [0, 1]
    return partition.Groups(rows, starts, labels, n_classes), group


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
    n_levels=st.integers(1, 9),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_split_sums_and_norms(seed, n_rows, n_groups, n_levels, code_type):
    rng = np.random.default_rng(seed)
    groups, group = random_groups(rng, n_rows, n_groups, 3)
    codes = rng.integers(0, n_levels, (3, n_rows)).astype(code_type)
    levels, table = np.full(3, n_levels), phi_table(n_rows)
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
    n_levels=st.integers(1, 4),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_sparse_split_sums(seed, n_rows, n_groups, n_levels, code_type):
    """Whether all groups are looked at or only those with stored rows."""
    rng = np.random.default_rng(seed)
    groups, group = random_groups(rng, n_rows, n_groups, 3)
    columns, full = listed(rng, 4, n_rows, n_levels, code_type)
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
    n_levels=st.integers(1, 6),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_refine(seed, n_rows, n_groups, n_levels, code_type):
    """Groups of more than one class stay, in the order of group and level; rows keep their order."""
    rng = np.random.default_rng(seed)
    groups, group = random_groups(rng, n_rows, n_groups, 3)
    codes = rng.integers(0, n_levels, n_rows).astype(code_type)
    members = defaultdict(list)
    for g, row, label in zip(group.tolist(), groups.rows.tolist(), groups.labels.tolist(), strict=True):
        members[g, int(codes[row])].append((row, label))
    mixed = [members[key] for key in sorted(members) if len({label for _, label in members[key]}) > 1]
    rows, starts, labels, settled = partition.refine(codes, n_levels, groups)
    flat = [pair for own in mixed for pair in own]
    assert list(zip(rows.tolist(), labels.tolist(), strict=True)) == flat
    assert starts.tolist() == np.cumsum([0, *map(len, mixed)]).tolist()
    assert settled == len(groups.rows) - len(flat)


@given(
    seed=seeds, n_rows=st.integers(1, 300), n_levels=st.integers(1, 6), code_type=st.sampled_from(CODE_TYPES)
)
def test_unusual_rows(seed, n_rows, n_levels, code_type):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_levels, (4, n_rows + 3)).astype(code_type)
    usual, n_unusual = np.full(4, -1), np.full(4, -1)
    chosen = np.array([3, 1])
    partition.usual_levels(codes, n_rows, chosen, np.full(4, n_levels), usual, n_unusual)
    for j in chosen:
        counts = np.bincount(codes[j, :n_rows])
        assert usual[j] == counts.argmax()
        assert n_unusual[j] == n_rows - counts.max()
    assert usual[[0, 2]].tolist() == [-1, -1]
    starts = np.array([0, n_unusual[3]])
    rows, levels = np.empty(n_unusual[chosen].sum(), np.int32), np.empty(n_unusual[chosen].sum(), code_type)
    partition.list_unusual(codes, n_rows, chosen, usual, starts, rows, levels)
    expected = [np.flatnonzero(codes[j, :n_rows] != usual[j]) for j in chosen]
    assert rows.tolist() == np.concatenate(expected).tolist()
    assert (
        levels.tolist()
        == np.concatenate([codes[j][e] for j, e in zip(chosen, expected, strict=True)]).tolist()
    )


# -- subsets ------------------------------------------------------------------------------------------


@given(
    seed=seeds,
    n_rows=st.integers(1, 150),
    n_columns=st.integers(1, 9),
    n_subsets=st.integers(1, 8),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_row_sums_of_subsets(seed, n_rows, n_columns, n_subsets, code_type):
    """expand_keys, add_keys and add_listed against sums in Python's own integers."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, (n_columns, n_rows)).astype(code_type)
    keys = rng.integers(0, 2**64, 4 * n_columns, dtype=np.uint64)
    members = rng.random((n_subsets, n_columns)) < rng.random()
    start, columns = n_rows // 3, np.arange(n_columns)
    width = n_rows - start
    expanded = np.zeros((n_columns + 1, width), np.uint64)
    subsets.expand_keys(codes, columns, columns * 4, keys, start, width, expanded, 1)
    sums = np.full((n_subsets, n_rows), 5, np.uint64)
    subsets.add_keys(expanded[1:], members, start, width, sums)
    key_of = [[int(keys[4 * j + int(code)]) for code in codes[j]] for j in range(n_columns)]
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


# -- columns ----------------------------------------------------------------------------------------


READ_TYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u4", "u2", "u1", "?"]


@given(
    seed=seeds,
    n_rows=st.integers(0, 40),
    n_columns=st.integers(1, 30),
    dtype=st.sampled_from(READ_TYPES),
    layout=st.sampled_from(["C", "F", "backwards", "every other"]),
)
def test_columns_of_a_table_in_any_layout(seed, n_rows, n_columns, dtype, layout):
    rng = np.random.default_rng(seed)
    table = np.asarray(rng.integers(-100, 100, (n_rows, n_columns)).astype(dtype), order="C")
    if layout == "backwards":
        table = table[::-1, ::-1]
    elif layout == "every other":
        table = np.repeat(np.repeat(table, 2, axis=0), 3, axis=1)[::2, ::3]
    else:
        table = np.asarray(table, order=layout)
    first = int(rng.integers(n_columns))
    common = np.float64 if table.dtype.kind == "f" else np.uint8 if dtype in ("u1", "?") else np.int64
    read = np.empty((n_columns - first, n_rows), common)
    columns.read_columns(frozen(table.copy(order="K")) if layout in "CF" else table, first, read)
    assert read.tolist() == table[:, first:].T.astype(common).tolist()


@given(seed=seeds, n=st.integers(0, 50), dtype=st.sampled_from([np.int8, np.int16, np.int32, np.int64]))
def test_codes_get_new_numbers(seed, n, dtype):
    rng = np.random.default_rng(seed)
    codes, new_code = rng.integers(-1, 9, n).astype(dtype), rng.permutation(9)
    is_present, renumbered = np.zeros(9, bool), np.full(n + 1, 77, rng.choice([*CODE_TYPES, np.int64]))
    assert columns.find_present(frozen(codes), is_present) == np.count_nonzero(codes == -1)
    assert np.flatnonzero(is_present).tolist() == sorted(set(codes.tolist()) - {-1})
    columns.renumber(codes, new_code, 9, renumbered)
    assert renumbered.tolist() == [*(9 if code < 0 else new_code[code] for code in codes), 77]


def text_columns():
    """The same texts as the columns of several libraries."""
    texts = ["b", None, "a", "ü" * 40, "", "b", "a" * 12, "a" * 13, None, *map(str, range(500)), "x\0y"] * 3
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        yield texts, pa.chunked_array([pa.array(texts[:7], kind), pa.array(texts[5:], kind)[2:]])
    plain = [pa.array(texts[:700]), pa.array(texts[700:])]
    yield texts, pa.chunked_array([chunk.dictionary_encode() for chunk in plain])
    pl = pytest.importorskip("polars")
    for kind in (pl.String, pl.Categorical):
        yield texts, pl.Series(texts, dtype=kind)


def test_texts_are_numbered_as_they_come():
    for texts, column in text_columns():
        codes, levels = columns.number_texts(column.__arrow_c_stream__())
        assert [None if code < 0 else levels[code] for code in codes.tolist()] == texts
        assert len(set(levels)) == len(levels)


def test_streams_that_are_not_texts_are_refused():
    import datetime

    pa = pytest.importorskip("pyarrow")
    read = pa.chunked_array([["a"]]).__arrow_c_stream__()
    columns.number_texts(read)
    numbers = pa.chunked_array([[1, 2]])
    for stream in (read, numbers.__arrow_c_stream__(), numbers.dictionary_encode().__arrow_c_stream__()):
        with pytest.raises(ValueError, match="stream"):
            columns.number_texts(stream)
    with pytest.raises(ValueError, match="capsule"):
        columns.number_texts(datetime.datetime_CAPI)
    with pytest.raises(TypeError):
        columns.number_texts(None)


def number_columns(rng, n):
    """Columns of every type of numbers, whole and with missing values."""
    pa = pytest.importorskip("pyarrow")
    gaps = rng.random(n) < 0.3
    for text in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        limits = np.iinfo(text)
        whole = rng.integers(limits.min, limits.max, n, dtype=text, endpoint=True)
        yield text, pa.array(whole)
        yield f"{text}, gaps", pa.array(whole, mask=gaps)
    for text in ("float32", "float64"):
        yield text, pa.array(rng.standard_normal(n).astype(text))
        yield f"{text}, gaps", pa.array(rng.standard_normal(n).astype(text), mask=gaps)
    yield "bool", pa.array(rng.random(n) < 0.5)
    yield "bool, gaps", pa.array(rng.random(n) < 0.5, mask=gaps)
    yield "text", pa.array([str(value) for value in range(n)])
    yield "dictionary", pa.array(["a", "b"] * n).dictionary_encode()[:n]


def expected_numbers(name, column):
    """The type a column is read as, and its values."""
    values = column.to_pylist()
    if "gaps" in name or name.startswith(("float", "uint64")):
        return np.float64, [math.nan if value is None else float(value) for value in values]
    return (np.uint8 if name in ("uint8", "bool") else np.int64), [int(value) for value in values]


@pytest.mark.parametrize("layout", ["one piece", "pieces", "slices", "empty"])
def test_numbers_of_a_dataframe(layout):
    """Whatever the type, the pieces and the offsets are."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table(dict(number_columns(np.random.default_rng(0), 67)))
    if layout == "pieces":
        table = pa.concat_tables([table[:3], table[3:3], table[3:40], table[40:]])
    if layout == "slices":
        table = pa.Table.from_batches([table.to_batches()[0].slice(5, 31), table.to_batches()[0].slice(1)])
    if layout == "empty":
        table = table[:0]
    numbers = columns.NumericTable(table.__arrow_c_stream__())
    assert numbers.n_rows == table.num_rows
    for j, name in enumerate(table.column_names):
        if name in ("text", "dictionary"):
            assert (numbers.types[j], numbers.formats[j], numbers.view(j)) == (3, "?", None)
            continue
        dtype, expected = expected_numbers(name, table.column(j))
        if layout == "empty" and "gaps" in name:  # nothing is missing
            dtype, expected = expected_numbers(name.removesuffix(", gaps"), table.column(j))
        values = np.full((1, table.num_rows), 99, dtype)
        numbers.read(np.array([j]), values)
        np.testing.assert_array_equal(values[0], np.array(expected, dtype), err_msg=name)
        assert dtype == (np.uint8, np.int64, np.float64)[numbers.types[j]]
        view = numbers.view(j)
        if layout == "one piece" and name in ("uint8", "int64", "float64"):
            np.testing.assert_array_equal(view, values[0])
        assert view is None or (view.dtype == dtype and not view.flags.writeable)


def test_numbers_of_a_dataframe_outlive_it():
    pl = pytest.importorskip("polars")
    view = columns.NumericTable(pl.DataFrame({"a": np.arange(1e5)}).__arrow_c_stream__()).view(0)
    np.full(10**5, 7.0)  # would take the place of what was let go
    np.testing.assert_array_equal(view, np.arange(1e5))


def test_a_mixed_table_is_left_where_all_or_none_is_asked_for():
    pa = pytest.importorskip("pyarrow")
    mixed = pa.table({"a": [1.0, 2.0], "b": ["x", "y"]})
    left = columns.NumericTable(mixed.__arrow_c_stream__(), all_or_none=True)
    assert (left.formats, left.n_rows, left.view(0)) == ("g?", 0, None)
    numbers = columns.NumericTable(mixed.select(["a"]).__arrow_c_stream__(), all_or_none=True)
    assert (numbers.formats, numbers.n_rows, numbers.view(0).tolist()) == ("g", 2, [1.0, 2.0])


def test_tables_of_numbers_refuse_what_makes_no_sense():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": [1.0, 2.0], "b": ["x", "y"]})
    numbers = columns.NumericTable(table.__arrow_c_stream__())
    good = np.empty((1, 2))
    for places, values in [
        ([2], good), ([-1], good), ([1], good), ([0, 0], good), ([0], np.empty((1, 3))),
        ([0], np.empty((1, 2), np.int64)), ([1], np.empty((1, 2), np.uint8)),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match="must"):
            numbers.read(np.array(places), values)
    for column in (-1, 2, 2**40):
        with pytest.raises(ValueError, match="must"):
            numbers.view(column)
    with pytest.raises(TypeError):
        numbers.read(np.array([0]), np.empty((1, 2), np.complex64))
    with pytest.raises(ValueError, match="tables"):
        columns.NumericTable(pa.chunked_array([[1, 2]]).__arrow_c_stream__())
    stream = table.__arrow_c_stream__()
    columns.NumericTable(stream)
    with pytest.raises(ValueError, match="already"):
        columns.NumericTable(stream)


# -- binning ----------------------------------------------------------------------------------------


def naive_edges(column, n_bins, strategy, n_kept):
    """Edges and whether the values are kept, from the definitions."""
    ordered = sorted(v for v in column if v == v)
    values = sorted(set(ordered))
    if len(values) <= n_kept:
        return values[:-1], True
    if strategy == binning.UNIFORM:
        width = values[-1] / n_bins - values[0] / n_bins
        limits = [values[0] + k * width for k in range(1, n_bins)]
        edges = [max((v for v in values if v < limit), default=None) for limit in limits]
        return sorted({e for e in edges if e is not None and e < values[-1]}), False
    n, edges = len(ordered), []
    for wanted in (k * n // n_bins for k in range(1, n_bins)):
        if not wanted:  # fewer rows than bins
            continue
        run = ordered[wanted - 1]
        begin, end = ordered.index(run), n - ordered[::-1].index(run)
        edge = run if 2 * wanted > begin + end or wanted == end else ordered[begin - 1] if begin else None
        if edge is not None and edge < values[-1] and edge not in edges:
            edges.append(edge)
    return edges, False


def random_column(rng, n, kind):
    column = {
        "float": lambda: (
            np.round(rng.standard_normal(n) * rng.choice([1, 10, 1e6]), rng.integers(0, 4)) + 0.0
        ),
        "int": lambda: rng.integers(-(2**60), 2**60, n) if rng.random() < 0.3 else rng.integers(-40, 40, n),
        "byte": lambda: rng.integers(0, rng.integers(1, 256), n).astype(np.uint8),
    }[kind]()
    if kind == "float" and rng.random() < 0.4:  # most values close to each other, some far away
        column = np.exp(rng.choice([1, 5, 50]) * rng.standard_normal(n)) * rng.choice([-1, 1])
        column[rng.random(n) < rng.choice([0, 0.3, 0.6])] = column[0]
    if kind == "float" and rng.random() < 0.5:
        column[rng.random(n) < 0.2] = np.nan
    return column


def encoded(values, n_bins, strategy, code_type=np.uint8, n_kept=None):
    n_columns, n = values.shape
    filled = {
        "edges": np.zeros((n_columns, max(n_bins, n_kept or 0)), values.dtype), "n_edges": np.zeros(n_columns, np.int64),
        "kept": np.zeros(n_columns, bool), "n_missing": np.zeros(n_columns, np.int64),
        "low": np.zeros(n_columns, values.dtype), "high": np.zeros(n_columns, values.dtype),
        "codes": np.full((n_columns, n + 2), 77, code_type),
    }  # fmt: skip
    binning.encode_columns(frozen(values.copy()), n_bins, strategy, *filled.values(), n_kept or n_bins)
    return filled


@given(
    seed=seeds,
    n=st.integers(1, 400),
    n_bins=st.integers(2, 12),
    n_kept=st.integers(1, 15),
    kind=st.sampled_from(["float", "int", "byte"]),
    strategy=st.sampled_from([binning.QUANTILE, binning.UNIFORM]),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_edges_and_levels(seed, n, n_bins, n_kept, kind, strategy, code_type):
    rng = np.random.default_rng(seed)
    values = np.array([random_column(rng, n, kind) for _ in range(3)])
    found = encoded(values, n_bins, strategy, code_type, n_kept)
    assert found["n_missing"].tolist() == [np.count_nonzero(row != row) for row in values]
    for j, column in enumerate(values):
        edges = found["edges"][j, : found["n_edges"][j]].tolist()
        assert (edges, bool(found["kept"][j])) == naive_edges(column.tolist(), n_bins, strategy, n_kept)
        valid = column[column == column]
        if len(valid):
            assert (found["low"][j], found["high"][j]) == (valid.min(), valid.max())
        missing = len(edges) + 1 if len(valid) else 0
        levels = [sum(e < v for e in edges) if v == v else missing for v in column.tolist()]
        assert found["codes"][j, :n].tolist() == levels
    assert (found["codes"][:, n:] == 77).all()
    level = np.where(found["n_missing"] > 0, np.where(found["n_missing"] < n, found["n_edges"] + 1, 0), -1)
    codes = np.full((3, n + 2), 77, code_type)
    binning.assign_levels(frozen(values.copy()), found["edges"], found["n_edges"], level, codes)
    assert codes.tolist() == found["codes"].tolist()


@pytest.mark.parametrize("strategy", [binning.QUANTILE, binning.UNIFORM])
@pytest.mark.parametrize(
    "column",
    [
        2**60 + np.random.default_rng(0).permutation(40),  # equal as floats
        np.repeat([-(2**62), 2**62, 5, 6], 10),  # a range beyond that of integers
        np.array([-1.0, 1e-20, 0.0, 2.0, 3.0, 4.0, 5.0]),  # one more than the least, but for rounding
        np.array([1e15 + 0.25, 1e15 + 1.25, 1e15 + 2.5, 1e15, 1e15 + 3, 1e15 + 5]),
        np.append(np.arange(5000.0), np.nan),  # more whole steps than a table has
        np.append(np.arange(4096.0), np.nan),  # as many as it has
        np.array([1e308, -1e308, 0.0, 1.0, 2.0, 3.0]),  # a width beyond all floats
        np.append(np.zeros(300), 1e300 * np.arange(1, 9)),  # almost all in one bucket
        np.array([5e-324, 0.0, 1e-323, 2e-323, np.nan, 3e-323]),
    ],
    ids=str,
)
def test_columns_that_are_hard_to_cut(column, strategy):
    found = encoded(column[None], 4, strategy)
    edges, kept = naive_edges(column.tolist(), 4, strategy, 4)
    assert found["edges"][0, : found["n_edges"][0]].tolist() == edges
    assert bool(found["kept"][0]) == kept
    levels = [sum(e < v for e in edges) if v == v else len(edges) + 1 for v in column.tolist()]
    assert found["codes"][0, :-2].tolist() == levels


@pytest.mark.parametrize("n_edges", [31, 32, 33, 200])
def test_levels_of_many_edges(n_edges):
    """Whether edges are compared one by one or searched."""
    rng = np.random.default_rng(n_edges)
    values, edges = rng.standard_normal((2, 77)), np.sort(rng.standard_normal((2, n_edges)), axis=1)
    values[0, :20] = edges[0, :20]
    codes = np.empty((2, 77), np.uint8)
    binning.assign_levels(values, edges, np.full(2, n_edges), np.full(2, -1), codes)
    assert codes.tolist() == [np.searchsorted(e, v).tolist() for e, v in zip(edges, values, strict=True)]


@given(seed=seeds, n_rows=st.integers(1, 200), n_bins=st.integers(2, 8), strategy=st.sampled_from([0, 1]))
def test_sparse_columns_have_the_edges_of_dense_ones(seed, n_rows, n_bins, strategy):
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((4, n_rows)) < 0.4, np.round(rng.standard_normal((4, n_rows)), 1) + 0.0, 0.0)
    dense[rng.random(dense.shape) < 0.05] = np.nan
    stored = (dense != 0) | (rng.random(dense.shape) < 0.1)  # some zeros are stored
    column, _ = np.nonzero(stored)
    starts, data = np.searchsorted(column, np.arange(5)), dense[stored]
    edges, n_edges, kept = np.zeros((4, n_bins)), np.zeros(4, np.int64), np.zeros(4, bool)
    last, n_missing = np.zeros(4), np.zeros(4, np.int64)
    binning.find_sparse_edges(
        data, starts, n_rows, n_bins, strategy, edges, n_edges, kept, last, n_missing, n_bins
    )
    for j in range(4):
        expected = naive_edges(dense[j].tolist(), n_bins, strategy, n_bins)
        assert (edges[j, : n_edges[j]].tolist(), bool(kept[j])) == expected
        assert n_missing[j] == np.isnan(dense[j]).sum()
        assert last[j] == (0 if np.isnan(dense[j]).all() else np.nanmax(dense[j]))
    codes = np.empty(len(data), np.uint8)
    binning.assign_sparse_levels(data, starts, edges, n_edges, np.full(4, 9), codes)
    for j in range(4):
        inner = edges[j, : n_edges[j]].tolist()
        own = slice(starts[j], starts[j + 1])
        assert codes[own].tolist() == [sum(e < v for e in inner) if v == v else 9 for v in data[own].tolist()]


def naive_mdlp(values, labels):
    """Cuts by recursion, straight from Fayyad and Irani."""
    best, best_entropy, n = None, math.inf, len(values)
    for at in range(1, n):
        if values[at - 1] != values[at]:
            mean = (at * naive.entropy(labels[:at]) + (n - at) * naive.entropy(labels[at:])) / n
            if mean < best_entropy - 1e-12:
                best, best_entropy = at, mean
    if best is None:
        return []
    parts = [labels, labels[:best], labels[best:]]
    k, entropies = [len(set(part)) for part in parts], [naive.entropy(part) for part in parts]
    cost = math.log2(3 ** k[0] - 2) - (k[0] * entropies[0] - k[1] * entropies[1] - k[2] * entropies[2])
    if not entropies[0] - best_entropy > (math.log2(n - 1) + cost) / n:
        return []
    return [
        *naive_mdlp(values[:best], labels[:best]),
        values[best - 1],
        *naive_mdlp(values[best:], labels[best:]),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_mdlp_edges(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, 150)
    values = rng.standard_normal((2, 150)) + 2 * labels
    order = np.argsort(values, axis=1)
    ordered, of_class = np.take_along_axis(values, order, axis=1), labels[order].astype(np.int32)
    edges, n_edges, kept = np.zeros((2, 20)), np.zeros(2, np.int64), np.zeros(2, bool)
    binning.find_mdlp_edges(ordered, of_class, np.full(2, 150), 5, 3, edges, n_edges, kept)
    for j in range(2):
        assert edges[j, : n_edges[j]].tolist() == naive_mdlp(ordered[j].tolist(), of_class[j].tolist())
    assert not kept.any()
    few = np.sort(rng.integers(0, 4, (2, 150)), axis=1)
    edges = np.zeros((2, 20), np.int64)
    binning.find_mdlp_edges(few, of_class, np.full(2, 150), 5, 3, edges, n_edges, kept)
    assert kept.all()
    assert edges[0, :3].tolist() == [0, 1, 2]


# -- neighbours ----------------------------------------------------------------------------------------


class RandomSpace:
    """Columns of all three kinds; values are eighths, so that distances are exact and ties are ties."""

    def __init__(self, seed, n_columns, n_rows, all_numeric=False):
        self.rng = rng = np.random.default_rng(seed)
        self.kinds = np.zeros(n_columns, np.int64) if all_numeric else rng.integers(0, 3, n_columns)
        self.values = (rng.integers(0, 9, (n_columns, n_rows)) / 8).astype(np.float32)
        for f in np.flatnonzero(self.kinds):
            self.values[f][rng.random(n_rows) < 0.2] = np.nan
        self.expected = (rng.integers(0, 9, n_columns) / 8).astype(np.float32)
        self.points = np.ascontiguousarray(self.values.T)
        self.labels = rng.integers(0, 3, n_rows).astype(np.int32)
        self.parts = tuple(map(frozen, (self.values, self.kinds, self.expected)))

    def difference(self, f, i, j):
        a, b = self.values[f, i], self.values[f, j]
        if self.kinds[f] != 0 and (np.isnan(a) or np.isnan(b)):
            return self.expected[f]
        return np.float32(a != b) if self.kinds[f] == 2 else np.abs(a - b)

    def distance(self, i, j, columns=None, squared=False):
        columns = range(len(self.kinds)) if columns is None else columns
        differences = [float(self.difference(f, i, j)) for f in columns]
        return sum(d * d if squared else d for d in differences)


@given(
    seed=seeds,
    n_columns=st.integers(1, 9),
    n_rows=st.integers(1, 30),
    squared=st.booleans(),
    all_numeric=st.booleans(),
)
def test_distances(seed, n_columns, n_rows, squared, all_numeric):
    space = RandomSpace(seed, n_columns, n_rows, all_numeric)
    rows = space.rng.integers(0, n_rows, 4)
    distances = np.empty((4, n_rows), np.float32)
    neighbors.distances_from(*space.parts, rows, squared, distances)
    expected = [[space.distance(i, j, squared=squared) for j in range(n_rows)] for i in rows]
    assert distances == pytest.approx(np.array(expected), rel=1e-5, abs=1e-6)
    near = space.rng.integers(0, n_rows, (n_rows // 2, 5)).astype(np.int32)
    columns, first = space.rng.integers(0, n_columns, 3), n_rows - len(near)
    added = np.ones(near.shape, np.float32)
    neighbors.candidate_distances(*space.parts, columns, first, near, squared, added)
    for r in range(len(near)):
        expected = [1 + space.distance(first + r, j, columns, squared) for j in near[r]]
        assert added[r] == pytest.approx(np.array(expected), rel=1e-5, abs=1e-6)


def test_distances_of_several_tiles():
    """More rows than one tile holds."""
    space = RandomSpace(1, 6, 1100)
    distances = np.empty((1, 1100), np.float32)
    neighbors.distances_from(*space.parts, np.array([700]), False, distances)
    expected = [space.distance(700, j) for j in range(1100)]
    assert distances[0] == pytest.approx(np.array(expected), rel=1e-5, abs=1e-6)


def neighborhood_sum(space, order_of, distance_of, k, every_row):
    """Summed entropies and the number of neighbourhoods, row by row."""
    n_rows = space.values.shape[1]
    total, visited, seen = 0.0, 0, set()
    for i in range(n_rows):
        if i in seen and not every_row:
            continue
        near = sorted(order_of(i), key=lambda c: distance_of(i, c))[:k]
        total += naive.entropy([int(space.labels[row]) for row in (i, *(c[1] for c in near))])
        visited += 1
        seen |= {i, *(c[1] for c in near)}
    return total, visited


@given(seed=seeds, n_rows=st.integers(2, 25), k=st.integers(1, 6), every_row=st.booleans())
def test_neighborhood_entropies(seed, n_rows, k, every_row):
    space = RandomSpace(seed, 4, n_rows)
    units, chosen = (np.array([0, 1, 3, 4]), np.array([2, 0, 1, 3])), np.array([1, 2, 0])
    k = min(k, n_rows - 1)
    counts = np.arange(1, k + 2)
    phi = np.concatenate([[0.0], counts * np.log2(counts)])
    near = np.array(
        [space.rng.permutation([j for j in range(n_rows) if j != i]) for i in range(n_rows)], np.int32
    )
    known = (space.rng.integers(0, 4, near.shape) / 4).astype(np.float32)
    sums = np.empty((3, 2))
    neighbors.neighborhood_entropies(
        space.parts, units, chosen, near, known, (space.labels, 3), k, phi, every_row, sums
    )
    exact = np.empty((3, 2))
    selected = np.array([3])
    neighbors.exact_neighborhood_entropies(
        space.parts, units, chosen, selected, (space.labels, 3), k, phi, every_row, exact
    )
    for q, u in enumerate(chosen):
        columns = units[1][units[0][u] : units[0][u + 1]]

        def listed_order(i):
            return [(known[i, c], int(row)) for c, row in enumerate(near[i])]

        def listed_distance(i, candidate, columns=columns):
            return candidate[0] + space.distance(i, candidate[1], columns)

        assert sums[q] == pytest.approx(neighborhood_sum(space, listed_order, listed_distance, k, every_row))

        def exact_order(i):
            first = (i * 7919 + 1) % n_rows
            return [(0, j) for j in (*range(first, n_rows), *range(first)) if j != i]

        def exact_distance(i, candidate, columns=columns):
            return space.distance(i, candidate[1], [*selected, *columns])

        assert exact[q] == pytest.approx(neighborhood_sum(space, exact_order, exact_distance, k, every_row))


def test_every_row_looks_from_a_place_of_its_own():
    """Also where the number of rows is a multiple of the usual step: ties do not all fall on the same rows."""
    n = 7919
    labels = np.zeros(n, np.int32)
    labels[1:3] = 1  # a step of 7919 would make nearly every row find row 1 first
    parts = (np.zeros((1, n), np.float32), np.zeros(1, np.int64), np.zeros(1, np.float32))
    sums = np.empty((1, 2))
    phi = np.array([0.0, 0.0, 2.0])
    nothing = (np.zeros(2, np.int64), np.empty(0, np.int64))
    neighbors.exact_neighborhood_entropies(
        parts, nothing, np.zeros(1, np.int64), np.array([0]), (labels, 2), 1, phi, True, sums
    )
    assert sums[0, 0] < 10


@given(
    seed=seeds,
    n_rows=st.integers(2, 120),
    m=st.integers(1, 40),
    squared=st.booleans(),
    all_numeric=st.booleans(),
)
def test_nearest_in_windows(seed, n_rows, m, squared, all_numeric):
    """The nearest of the rows that share a window, filled up by others where these are too few."""
    space, m = RandomSpace(seed, 5, n_rows, all_numeric), min(m, n_rows - 1)
    rng = space.rng
    ordered = np.array([rng.permutation(n_rows) for _ in range(2)], np.int32)
    low = rng.integers(0, n_rows + 1, (2, n_rows))
    high = np.minimum(low + rng.integers(0, 30, (2, n_rows)), n_rows)
    filler, first = rng.permutation(n_rows), n_rows // 3
    found = np.full((n_rows - first, m), -1, np.int32)
    neighbors.nearest_in_windows(
        space.points, space.kinds, space.expected, (ordered, low, high), first, squared, filler, found
    )
    for r, near in enumerate(found.tolist()):
        i = first + r
        looked_at = {int(row) for t in range(2) for row in ordered[t, low[t, i] : high[t, i]]} - {i}
        at = i
        while len(looked_at) < m:
            looked_at |= {int(filler[at % n_rows])} - {i}
            at += 1
        assert set(near) <= looked_at
        assert len(set(near)) == m
        distances = [space.distance(i, j, squared=squared) for j in near]
        assert distances == pytest.approx(
            sorted(space.distance(i, j, squared=squared) for j in looked_at)[:m], abs=1e-5
        )


@given(seed=seeds, n_rows=st.integers(1, 30), all_numeric=st.booleans())
def test_weighted_differences(seed, n_rows, all_numeric):
    """Every pair with a weight counts, missing values by what is expected of them."""
    space = RandomSpace(seed, 5, n_rows, all_numeric)
    rows = np.arange(0, n_rows, 2)
    weights = space.rng.normal(size=(len(rows), n_rows)) * (space.rng.random((len(rows), n_rows)) < 0.6)
    sums = np.ones(5)
    neighbors.weighted_differences(space.points, space.kinds, space.expected, rows, weights, sums)
    expected = np.ones(5)
    for r, i in enumerate(rows):
        for j in np.flatnonzero(weights[r]):
            expected += weights[r, j] * np.array([float(space.difference(f, i, j)) for f in range(5)])
    assert sums == pytest.approx(expected, abs=1e-4)


@given(seed=seeds, n_rows=st.integers(2, 30), k=st.integers(1, 6), all_numeric=st.booleans())
def test_relief(seed, n_rows, k, all_numeric):
    """Rows as near as the k-th share the places that are left."""
    space = RandomSpace(seed, 5, n_rows, all_numeric)
    distances = np.array([[space.distance(i, j) for j in range(n_rows)] for i in range(n_rows)], np.float32)
    rows = np.arange(0, n_rows, 2)
    priors = np.bincount(space.labels, minlength=3) / n_rows
    weights, target = np.zeros(5), space.rng.random(n_rows)
    fixed = (space.points, space.kinds, space.expected, distances[rows], rows)
    neighbors.relief_weights(*fixed, space.labels, priors, k, False, False, weights)
    of_target, of_columns, of_both = np.zeros(1), np.zeros(5), np.zeros(5)
    neighbors.rrelief_sums(*fixed, target, k, of_target, of_columns, of_both)

    def shares(i, others):
        """How much of each other row counts among the k nearest."""
        if not others:
            return {}
        limit = sorted(distances[i, j] for j in others)[min(k, len(others)) - 1]
        nearer = [j for j in others if distances[i, j] < limit]
        tied = [j for j in others if distances[i, j] == limit]
        places = min(k, len(others)) - len(nearer)
        return {**dict.fromkeys(nearer, 1.0), **dict.fromkeys(tied, places / len(tied))}

    expected, in_target, in_columns, in_both = np.zeros(5), 0.0, np.zeros(5), np.zeros(5)
    for i in rows:
        for c in range(3):
            of_class = shares(i, [j for j in range(n_rows) if j != i and space.labels[j] == c])
            own = c == space.labels[i]
            scale = -1.0 if own else priors[c] / (1 - priors[space.labels[i]]) if of_class else 0.0
            for j, share in of_class.items():
                differences = np.array([float(space.difference(f, i, j)) for f in range(5)])
                expected += scale / sum(of_class.values()) * share * differences
        of_all = shares(i, [j for j in range(n_rows) if j != i])
        for j, share in of_all.items():
            differences = np.array([float(space.difference(f, i, j)) for f in range(5)])
            weight = share / sum(of_all.values())
            in_target += abs(target[i] - target[j]) * weight
            in_columns += weight * differences
            in_both += weight * abs(target[i] - target[j]) * differences
    assert weights == pytest.approx(expected, abs=1e-5)
    assert of_target[0] == pytest.approx(in_target)
    assert of_columns == pytest.approx(in_columns, abs=1e-5)
    assert of_both == pytest.approx(in_both, abs=1e-5)


@given(seed=seeds, n_rows=st.integers(2, 60), m=st.integers(1, 9))
def test_nearest_by_products(seed, n_rows, m):
    rng, m = np.random.default_rng(seed), min(m, n_rows - 1)
    points = rng.integers(0, 5, (n_rows, 3)).astype(np.float32)
    first = n_rows // 2
    found = np.empty((n_rows - first, m), np.int64)
    neighbors.nearest_by_products(points[first:] @ points.T, (points**2).sum(axis=1), first, found)
    for r, near in enumerate(found.tolist()):
        squared = ((points - points[first + r]) ** 2).sum(axis=1)
        others = [j for j in range(n_rows) if j != first + r]
        assert near == sorted(others, key=lambda j: squared[j])[:m]


# -- moments and fronts -----------------------------------------------------------------------------------


@given(seed=seeds, n_rows=st.integers(1, 60), row_type=st.sampled_from([np.int32, np.int64]))
def test_moments(seed, n_rows, row_type):
    """Dense and sparse columns of the same values give the same bits, and the right ones."""
    rng = np.random.default_rng(seed)
    columns = np.where(rng.random((4, n_rows)) < 0.5, rng.standard_normal((4, n_rows)), 0.0)
    columns[0] = rng.choice([0.0, 2.5])
    codes = rng.integers(0, 3, n_rows).astype(np.int32)
    counts = np.bincount(codes, minlength=3)
    dense = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    moments.dense_moments(columns.T.copy().T, codes, counts, *dense)
    column, rows = np.nonzero(columns)
    starts = np.searchsorted(column, np.arange(5)).astype(row_type)
    sparse = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    moments.sparse_moments(starts, rows.astype(row_type), columns[column, rows], codes, counts, *sparse)
    for a, b in zip(dense, sparse, strict=True):
        assert a.tobytes() == b.tobytes()
    whole, means, variances = dense
    assert whole[:, 0] == pytest.approx(columns.mean(axis=1))
    assert whole[:, 1] == pytest.approx(columns.var(axis=1))
    assert whole[:, 2].tolist() == [float((column == column[0]).all()) for column in columns]
    for g in np.flatnonzero(counts):
        assert means[:, g] == pytest.approx(columns[:, codes == g].mean(axis=1))
        assert variances[:, g] == pytest.approx(columns[:, codes == g].var(axis=1))


@given(
    seed=seeds,
    n_rows=st.integers(1, 40),
    n_tokens=st.integers(1, 7),
    scale=st.sampled_from([1.0, 1e-200, 1e200, 1e308]),
)
def test_tokens(seed, n_rows, n_tokens, scale):
    """Also where squares of values overflow: each row counts once, and nothing else is touched."""
    rng = np.random.default_rng(seed)
    columns = rng.uniform(-1, 1, (2, n_rows)) * scale
    columns[1, 0] = rng.choice([np.inf, -np.inf, np.nan, 0.0])
    codes = rng.integers(0, 3, n_rows).astype(np.int32)
    means = rng.uniform(-1, 1, (2, 3)) * scale
    around = np.zeros((6, n_tokens), np.int64)
    moments.count_tokens(columns, codes, means, around[2:4])
    assert around[2:4].sum(axis=1).tolist() == [n_rows, n_rows]
    assert not around[[0, 1, 4, 5]].any()
    if scale == 1:
        squares = (columns[0][:, None] - means[0]) ** 2
        expected = np.zeros(n_tokens, np.int64)
        for i in range(n_rows):
            own, other = squares[i, codes[i]], min(squares[i, g] for g in range(3) if g != codes[i])
            expected[min(int(other / (own + other) * n_tokens), n_tokens - 1)] += 1
        assert around[2].tolist() == expected.tolist()


@given(seed=seeds, n=st.integers(0, 40))
def test_fronts(seed, n):
    values = np.random.default_rng(seed).integers(0, 8, (n, 2)).astype(float)
    order = np.lexsort((values[:, 1], values[:, 0]))
    ranks, distances = np.empty(n, np.int64), np.empty(n)
    pareto.front_ranks(values, order, ranks)
    pareto.crowding(values, order, ranks, distances)
    left, rank, expected = set(range(n)), 0, {}
    while left:
        front = {
            i for i in left
            if not any((values[j] <= values[i]).all() and (values[j] < values[i]).any() for j in left)
        }  # fmt: skip
        expected |= dict.fromkeys(front, rank)
        left, rank = left - front, rank + 1
    assert ranks.tolist() == [expected[i] for i in range(n)]
    for r in range(rank):
        own = [i for i in order if ranks[i] == r]
        for at, i in enumerate(own):
            inner = 0 < at < len(own) - 1
            wanted = np.abs(values[own[at + 1]] - values[own[at - 1]]).sum() if inner else math.inf
            assert distances[i] == wanted


# -- arguments that make no sense ----------------------------------------------------------------------------


def test_stub_names_every_function():
    """`_core.pyi` has the functions and methods of the module with the names of their parameters."""
    stub = ast.parse((Path(entropick.__file__).parent / "_core.pyi").read_text())
    (table,) = [node for node in stub.body if isinstance(node, ast.ClassDef)]
    functions = [node for node in [*stub.body, *table.body] if isinstance(node, ast.FunctionDef)]
    written = {node.name: [a.arg for a in node.args.args if a.arg != "self"] for node in functions}
    compiled = {name: getattr(_core, name) for name in dir(_core) if not name.startswith("_")}
    of_table = compiled.pop(table.name)
    compiled |= {name: getattr(of_table, name) for name in ("__init__", "read", "view")}
    assert set(written) == set(compiled)
    for name, parameters in written.items():
        signature = compiled[name].__doc__.split("->")[0]
        assert [
            part.split(":")[0] for part in signature.split("(", 1)[1].split(", ") if ":" in part
        ] == parameters


@functools.cache
def valid_arguments():
    """A call of every function that works, by name."""
    table = PairTable(0, 100, 4, 2, n_columns=3)
    listed_columns, _ = listed(np.random.default_rng(0), 3, 100, 3)
    groups, _ = random_groups(np.random.default_rng(3), 100, 5, 2)
    n_groups = len(groups.starts) - 1
    space = RandomSpace(0, 4, 30)
    int3, three = np.zeros(3, np.int64), np.arange(3)
    labels, sizes = np.zeros(100, np.int32), np.bincount(table.labels)
    codes, levels, n_words = table.codes, table.n_levels, table.rows.n_words
    class_planes, bits = (
        np.zeros(n_words, np.uint64),
        np.zeros((len(table.planes) // n_words, n_words), np.uint64),
    )
    joint = table.selected.joint
    by_class = np.bincount(joint[0], minlength=8)
    cells = np.full(100, 2 * n_groups, np.int32)
    values, classes = np.random.default_rng(0).standard_normal((2, 50)), np.zeros((2, 50), np.int32)
    two = np.full(2, 50)
    edges, n_edges, kept = np.zeros((2, 6)), np.zeros(2, np.int64), np.zeros(2, bool)
    starts, data = np.array([0, 20, 50]), values[0].copy()
    units, near = (np.array([0, 2, 4]), np.arange(4)), np.zeros((30, 3), np.int32)
    places = np.zeros((1, 30), np.int64)
    distances = np.zeros((30, 30), np.float32)
    return {
        "expected_information": (np.array([2, 2]), np.zeros(5)),
        "log2": (np.arange(1.0, 5.0), np.zeros(4)),
        "exp2": (np.arange(4.0), np.zeros(4)),
        "read_columns": (values, 10, np.zeros((5, 2))),
        "find_present": (np.arange(5), np.zeros(5, bool)),
        "renumber": (np.arange(5), np.arange(5), 5, np.zeros(5, np.uint8)),
        "encode_columns": (values, 5, 0, edges, n_edges, kept, two.copy(), np.zeros(2), np.zeros(2), np.zeros((2, 50), np.uint8), 5),
        "find_sparse_edges": (data, starts, 50, 5, 0, edges, n_edges, kept, np.zeros(2), np.zeros(2, np.int64), 5),
        "find_mdlp_edges": (values, classes, two, 5, 2, edges, n_edges, kept),
        "assign_levels": (values, edges, n_edges, n_edges, np.zeros((2, 50), np.uint8)),
        "assign_sparse_levels": (data, starts, edges, n_edges, n_edges, np.zeros(50, np.uint8)),
        "dense_moments": (values, classes[0], np.array([50]), np.zeros((2, 3)), np.zeros((2, 1)), np.zeros((2, 1))),
        "sparse_moments": (starts, np.arange(50, dtype=np.int32), data, classes[0], np.array([50]), np.zeros((2, 3)), np.zeros((2, 1)), np.zeros((2, 1))),
        "count_tokens": (values, classes[0], np.zeros((2, 2)), np.zeros((2, 6), np.int64)),
        "distances_from": (*space.parts, three, False, np.zeros((3, 30), np.float32)),
        "candidate_distances": (*space.parts, three, 0, near, False, np.zeros((30, 3), np.float32)),
        "neighborhood_entropies": (*space.parts, *units, np.array([1]), near, np.zeros((30, 3), np.float32), space.labels, 3, 2, np.zeros(4), True, np.zeros((1, 2))),
        "exact_neighborhood_entropies": (*space.parts, *units, np.array([1]), three, space.labels, 3, 2, np.zeros(4), True, np.zeros((1, 2))),
        "nearest_in_windows": (space.points, space.kinds, space.expected, np.zeros((1, 30), np.int32), places, places + 1, 0, False, np.arange(30), near),
        "weighted_differences": (space.points, space.kinds, space.expected, np.arange(30), np.ones((30, 30)), np.zeros(4)),
        "relief_weights": (space.points, space.kinds, space.expected, distances, np.arange(30), space.labels, np.ones(3) / 3, 2, True, False, np.zeros(4)),
        "rrelief_sums": (space.points, space.kinds, space.expected, distances, np.arange(30), np.zeros(30), 2, np.zeros(1), np.zeros(4), np.zeros(4)),
        "nearest_by_products": (distances, np.zeros(30, np.float32), 0, np.zeros((30, 2), np.int64)),
        "pair_sums": (*table.columns, three, three, *table.selected, 0, *table.rows, table.phi, np.zeros((2, 3), np.int64)),
        "lazy_minimum": (*table.columns, three, *table.selected, 3, *table.rows, table.phi, int3, int3.copy(), int3.copy(), int3.copy(), three, np.zeros(2, np.int64), 0, int3.copy()),
        "join_classes": (codes[0], labels, 2, np.zeros(100, np.uint8), np.zeros(8, np.uint64)),
        "pack": (codes, three, levels, table.columns.first_plane, bits),
        "class_counts": (levels, table.planes, table.columns.first_plane, table.plane_counts.copy(), three, class_planes, n_words),
        "column_sums": (codes, levels, three, three, class_planes, sizes, table.phi, np.zeros((2, 3), np.int64)),
        "leaders": (three, three, np.zeros(2, np.int64)),
        "sparse_pair_sums": (*listed_columns, three, three, joint[0], 4, 2, by_class.reshape(4, 2).sum(axis=1), by_class, table.phi, np.zeros((2, 3), np.int64)),
        "front_ranks": (values[:, :2].copy(), np.arange(2), np.zeros(2, np.int64)),
        "crowding": (values[:, :2].copy(), np.arange(2), np.zeros(2, np.int64), np.zeros(2)),
        "split_sums": (codes, levels, three, *groups, 0, table.phi, int3.copy()),
        "split_norms": (codes, levels, three, *groups, 2.0, 0, np.zeros(3)),
        "sparse_split_sums": (*listed_columns, three, np.full(100, -1, np.int32), labels, cells, np.zeros(2 * n_groups, np.int64), 2, 0, table.phi, np.zeros(n_groups, np.int64), int3.copy()),
        "refine": (codes[0], 4, *groups, groups.rows.copy(), np.zeros(len(groups.rows) // 2 + 1, np.int64), groups.labels.copy()),
        "count_tables": (codes, levels, three, codes[0].copy(), 4, 100, three * 16, np.zeros(64, np.int64)),
        "usual_levels": (codes, 100, three, levels, int3.copy(), int3.copy()),
        "list_unusual": (codes, 100, three, int3, np.array([0, 100, 200]), np.zeros(300, np.int32), np.zeros(300, np.uint8)),
        "expand_keys": (codes, three, three * 4, np.zeros(12, np.uint64), 0, 100, np.zeros((3, 100), np.uint64), 0),
        "add_keys": (np.zeros((3, 100), np.uint64), np.ones((2, 3), bool), 0, 100, np.zeros((2, 100), np.uint64)),
        "add_listed": (listed_columns.starts, listed_columns.rows, np.zeros(len(listed_columns.rows), np.uint64), np.ones((2, 3), bool), np.zeros((2, 100), np.uint64)),
        "group_sums": (np.zeros((2, 100), np.uint64), labels, 1, 0, table.phi, table.phi, 1.0, np.zeros((2, 4), np.int64)),
    }  # fmt: skip


def fresh_arguments(name):
    """The arguments of a call that works, to be written to."""
    return copy.deepcopy([*valid_arguments()[name]])


def test_every_function_is_tried():
    of_arrays = {name for name in dir(_core) if not name.startswith("_")} - {"number_texts", "NumericTable"}
    assert set(valid_arguments()) == of_arrays


@pytest.mark.parametrize("name", sorted(valid_arguments()))
def test_valid_arguments_work(name):
    """The arguments that are damaged below are good themselves, and inputs stay what they are or are filled."""
    arguments = fresh_arguments(name)
    shapes = [np.shape(argument) for argument in arguments]
    getattr(_core, name)(*arguments)
    assert [np.shape(argument) for argument in arguments] == shapes


def wrong_versions(argument):
    """The same argument of another type, with another number of dimensions, with gaps, too short, with wild values."""
    if isinstance(argument, float):
        yield None
        return
    if not isinstance(argument, np.ndarray):
        yield from (None, "text", -1, 2**40, -(2**62))
        return
    yield None
    yield argument.astype(np.complex64)
    yield argument.astype(">f8")
    yield argument[None]
    yield argument.ravel()[:1].reshape(()) if argument.size else argument.reshape(1, -1)
    yield argument[:0]
    if len(argument) > 1:
        yield argument[:-1]
        yield argument[::2]
        yield np.repeat(argument, 2, axis=0)[::2]
    if argument.ndim == 2 and argument.shape[1] > 1:
        yield argument[:, :-1]
        yield argument[:, :0]
        yield np.asfortranarray(argument)
    raw = np.zeros(argument.nbytes + 1, np.uint8)[1:].view(argument.dtype)
    yield raw.reshape(argument.shape)
    if argument.dtype.kind in "iu":
        for value in (-1, 1, 99, 2**31 - 1, 2**62):
            yield np.full_like(argument, np.array(value).astype(argument.dtype))
        if argument.size:
            last = argument.copy()
            last.flat[-1] = np.array(2**62 + 5).astype(argument.dtype) | 101
            yield last
    elif argument.dtype.kind == "f":
        for value in (np.nan, np.inf, -np.inf, 1e30):
            yield np.full_like(argument, value)


@pytest.mark.parametrize("name", sorted(valid_arguments()))
def test_wrong_arguments_do_no_harm(name):
    """A wrong argument is refused or harmless: a loop never reads or writes outside its arrays.

    Run with a core built for memory checks (`make sanitize`), this would stop at the first wrong access.
    """
    function, n_refused = getattr(_core, name), 0
    for position, argument in enumerate(valid_arguments()[name]):
        for wrong in wrong_versions(argument):
            arguments = fresh_arguments(name)
            arguments[position] = wrong
            try:
                function(*arguments)
            except (ValueError, TypeError, MemoryError):
                n_refused += 1
    assert n_refused > 3


@pytest.mark.parametrize("name", sorted(valid_arguments()))
def test_results_go_into_writable_arrays_only(name):
    """Of the arrays of a call those that are filled must be writable; all others may be frozen."""
    arguments = fresh_arguments(name)
    filled = []
    for position, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            try:
                getattr(_core, name)(
                    *arguments[:position], frozen(argument.copy()), *arguments[position + 1 :]
                )
            except TypeError:
                filled.append(position)
    assert filled
    if name not in ("class_counts", "lazy_minimum", "find_sparse_edges", "find_mdlp_edges"):
        assert filled[-1] == max(p for p, a in enumerate(arguments) if isinstance(a, np.ndarray))
