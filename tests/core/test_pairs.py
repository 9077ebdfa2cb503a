"""The compiled loops of `pairs` against counts by hand: planes, tables, hash tables and lists of rows."""

import itertools
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import (
    CODE_TYPES,
    ChanceOfLevels,
    PairTable,
    listed,
    most_levels,
    packed,
    phi_table,
    seeds,
    unlike_levels,
)
from entropick import _core
from entropick._kernels import pairs


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


WIDE_TYPES = [*CODE_TYPES, np.uint64]


@given(
    seed=seeds,
    n_rows=st.sampled_from([1, 40, 64, 200, 256, 700, 2000]),
    n_classes=st.integers(1, 5),
    code_type=st.sampled_from(CODE_TYPES),
    joint_type=st.sampled_from(WIDE_TYPES),
)
def test_pairs_of_unlike_columns(seed, n_rows, n_classes, code_type, joint_type):
    """By planes, in a table, while counting and by hashing, each after each, with codes of any width."""
    rng = np.random.default_rng(seed)
    levels = unlike_levels(rng, 5, n_rows, code_type)
    levels = np.minimum(levels, most_levels(joint_type) // n_classes)
    with_planes = (levels <= 9) & (rng.random(5) < 0.8)
    table = PairTable(seed, n_rows, levels, n_classes, 5, code_type, with_planes, joint_type)
    for s in table.everything:
        sums = table.sums(s)
        for f in table.everything:
            assert sums[:, f].tolist() == table.expected(f, s)
    check_lazy_minimum(table, seed, slack=int(rng.choice([0, 500, 2**60])))


def check_lazy_minimum(table, seed, slack):
    size = len(table.everything)
    offsets = np.random.default_rng(seed).integers(-1000, 1000, size)
    scores = [
        min(e[1] - e[0] - e[2] + int(offsets[s]) for s in range(size) for e in [table.expected(f, s)])
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
    sums = np.empty((3, 4), np.int64)
    sizes = np.bincount(table.labels, minlength=n_classes)
    chance = ChanceOfLevels(sizes, n_classes) if seed % 2 else None
    pairs.column_sums(
        table.codes, table.n_levels, table.everything, table.everything, class_planes, sizes, table.phi,
        chance.tables if chance else _core.ChanceTables(), sums,
    )  # fmt: skip
    for f in range(4):
        values = table.codes[f, :n_rows].tolist()
        cells = [Counter(values), Counter(zip(values, table.labels.tolist(), strict=True))]
        expected = [sum(int(table.phi[c]) for c in counter.values()) for counter in cells]
        by_chance = chance.sum((0, c) for c in cells[0].values()) if chance else 0
        assert sums[:, f].tolist() == [*expected, by_chance]
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


@given(
    seed=seeds,
    n_rows=st.integers(1, 300),
    n_classes=st.integers(1, 3),
    code_type=st.sampled_from(CODE_TYPES),
    joint_type=st.sampled_from(WIDE_TYPES),
)
def test_sparse_pair_sums(seed, n_rows, n_classes, code_type, joint_type):
    rng = np.random.default_rng(seed)
    columns, full = listed(rng, 5, n_rows, unlike_levels(rng, 5, n_rows, code_type), code_type)
    n_s = min(int(unlike_levels(rng, 1, n_rows)[0]), most_levels(joint_type) // n_classes)
    s, y = rng.integers(0, n_s, n_rows), rng.integers(0, n_classes, n_rows)
    joint = (s * n_classes + y).astype(joint_type)
    by_class = np.bincount(s * n_classes + y, minlength=n_s * n_classes)
    table, sums = phi_table(n_rows), np.zeros((3, 5), np.int64)
    chance, first_level = None, seed % 2
    if n_classes > 1 and seed % 3:
        chance = ChanceOfLevels(np.append(np.ones(first_level * n_classes, np.int64), by_class), n_classes)
    pairs.sparse_pair_sums(
        columns,
        np.arange(5),
        np.arange(5),
        joint,
        n_s,
        n_classes,
        by_class.reshape(n_s, -1).sum(axis=1),
        by_class,
        table,
        chance.tables if chance else _core.ChanceTables(),
        first_level,
        sums,
    )
    for f in range(5):
        pair = list(zip(full[f].tolist(), s.tolist(), strict=True))
        cells = [Counter(pair), Counter(zip(pair, y.tolist(), strict=True))]
        expected = [sum(int(table[c]) for c in counter.values()) for counter in cells]
        by_chance = chance.sum(((at, c) for (_, at), c in cells[0].items()), first_level) if chance else 0
        assert sums[:, f].tolist() == [*expected, by_chance]


@given(
    seed=seeds,
    n_rows=st.sampled_from([1, 40, 700, 5000]),
    n_classes=st.integers(1, 4),
    code_type=st.sampled_from(WIDE_TYPES),
)
def test_nested_groups(seed, n_rows, n_classes, code_type):
    """Columns joined one after the other, some of them counted at once, against groups counted by hand."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(1, 7, 6)
    codes = rng.integers(0, levels[:, None], (6, n_rows)).astype(code_type)
    labels, phi = rng.integers(0, n_classes, n_rows), phi_table(n_rows)
    chance = ChanceOfLevels(np.bincount(labels, minlength=n_classes), n_classes)
    cells, n_cells, counted = labels.astype(np.uint32), n_classes, 0
    for j in range(6):
        _core.join_column(codes[j], int(levels[j]), n_cells, cells)
        n_cells *= int(levels[j])
        if j < 5 and rng.random() < 0.5:
            continue
        newest = levels[counted : j + 1]
        sums = np.empty((len(newest), 4), np.int64)
        n_cells = _core.nested_sums(newest, n_cells, n_classes, phi, chance.tables, cells, sums)
        assert cells.max() < n_cells
        for k, found in enumerate(sums.tolist(), counted + 1):
            groups = Counter(zip(*codes[:k].tolist(), strict=True))
            by_class = Counter(zip(*codes[:k].tolist(), labels.tolist(), strict=True))
            of_groups = sum(int(phi[c]) for c in groups.values()) + chance.sum(
                (0, c) for c in groups.values()
            )
            of_cells = sum(int(phi[c]) for c in by_class.values())
            assert found == [len(groups), len(by_class), of_groups, of_cells]
        counted = j + 1


def test_several_threads_may_ask_for_chance_at_once():
    """Blocks and values that two threads compute at the same time are the same."""
    table = PairTable(5, 20_000, [5] * 8, 3)
    once = [table.sums(s) for s in table.everything]
    for _ in range(5):
        again = PairTable(5, 20_000, [5] * 8, 3)
        with ThreadPoolExecutor(4) as pool:
            for sums in pool.map(again.sums, [0] * 8):
                assert np.array_equal(sums, once[0])


@pytest.mark.parametrize("n_rows", [200, 60_000])
def test_chance_is_that_of_the_levels(n_rows):
    """Tables with too few levels, or of other rows, are rejected."""
    table = PairTable(0, n_rows, [3, 3], 2)
    for wrong in (ChanceOfLevels(np.array([2, 3]), 2), ChanceOfLevels(np.full(12, 9), 2)):
        selected = table.selected._replace(chance=wrong.tables)
        with pytest.raises(ValueError, match="chance"):
            _core.pair_sums(
                *table.columns, table.everything, table.everything, *selected, 1, *table.rows, table.phi,
                np.zeros((3, 2), np.int64),
            )  # fmt: skip
