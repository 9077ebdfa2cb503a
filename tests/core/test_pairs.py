"""The compiled loops of `pairs` against counts by hand: planes, tables, hash tables and lists of rows."""

import itertools
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, SCALE, PairTable, chance_by_size, phi_table, seeds, unlike_levels
from entropick import _core


def check_all_pairs(table):
    for s in table.everything:
        sums = table.sums(s)
        for f in table.everything:
            assert sums[:, f].tolist() == table.expected(f, s)


@pytest.mark.parametrize("with_planes", [True, False])
@pytest.mark.parametrize(("n_levels", "n_classes"), [(2, 2), (3, 1), (5, 3), (6, 4), (9, 2), (3, 70)])
@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 190, 300, 500, 2000])
def test_pair_sums(n_rows, n_levels, n_classes, with_planes):
    """By planes, in tables and while counting; for each number of words that has a loop of its own."""
    check_all_pairs(PairTable(n_rows, n_rows, n_levels, n_classes, with_planes=with_planes))


@pytest.mark.parametrize(
    ("n_levels", "code_type"), [(n, t) for n in (200, 3000) for t in CODE_TYPES if n <= np.iinfo(t).max]
)
@pytest.mark.parametrize("n_classes", [1, 3])
def test_pair_sums_of_many_levels(n_levels, n_classes, code_type):
    """In wide tables and, beyond a million cells, by hashing."""
    check_all_pairs(PairTable(0, 900, n_levels, n_classes, code_type=code_type))


@given(
    seed=seeds,
    n_rows=st.integers(1, 400),
    n_levels=st.integers(1, 6),
    n_classes=st.integers(1, 3),
    slack=st.integers(0, 500),
)
def test_race(seed, n_rows, n_levels, n_classes, slack):
    """The best two scores are exact, and so is every score that comes close to the second best."""
    table = PairTable(seed, n_rows, n_levels, n_classes, n_columns=6, n_listed=seed % 7)
    check_race(table, seed, slack)


@pytest.mark.parametrize("n_levels", list(itertools.permutations([5000, 500, 400, 3])))
def test_race_of_unlike_columns(n_levels):
    """A candidate may be hashed against one selected column and counted in a table against the next."""
    check_race(PairTable(1, 3000, n_levels, 2, code_type=np.uint16), seed=1, slack=2**60)


@given(
    seed=seeds,
    n_rows=st.sampled_from([1, 40, 64, 200, 256, 700, 2000]),
    n_classes=st.integers(1, 5),
    code_type=st.sampled_from(CODE_TYPES),
    n_listed=st.integers(0, 5),
)
def test_pairs_of_unlike_columns(seed, n_rows, n_classes, code_type, n_listed):
    """By planes, in a table, while counting, by hashing and from lists, each after each."""
    rng = np.random.default_rng(seed)
    levels = unlike_levels(rng, 5, n_rows, code_type)
    table = PairTable(
        seed, n_rows, levels, n_classes, 5, code_type, rng.random() < 0.8, n_listed, rng.random() < 0.7
    )
    check_all_pairs(table)
    check_race(table, seed, slack=int(rng.choice([0, 500, 2**60])))


def check_race(table, seed, slack):
    """All columns but one are selected one after the other, and all take part until they are."""
    rng = np.random.default_rng(seed)
    size = len(table.everything)
    start, selected = np.full(size, 2**60), table.new_selected(table.by_chance)
    race = _core.Race(table.counter, selected, start, slack)
    scores, left = dict.fromkeys(range(size), 2**60), table.everything
    for s in rng.permutation(size)[:-1].tolist():
        offset = int(rng.integers(-1000, 1000))
        selected.add(table.codes[s].astype(np.uint32), int(table.n_levels[s]))
        race.include(s, offset)
        left = left[left != s]
        for f in left.tolist():
            fs, fsy, expected = table.expected(f, s)
            scores[f] = min(scores[f], fsy - fs - expected + offset)
        candidates = left if rng.random() < 0.7 else left[rng.random(len(left)) < 0.6]
        leaders = race.lower(race.leaders(candidates))
        others = race.rivals(candidates, leaders)
        middle = len(others) // 2
        found = np.concatenate([leaders, race.lower(others[:middle]), race.lower(others[middle:])])
        assert race.scores(found).tolist() == [scores[f] for f in found.tolist()]
        best = sorted((scores[f] for f in candidates.tolist()), reverse=True)[:2]
        wanted = {f for f in candidates.tolist() if scores[f] >= best[-1] - slack}
        assert wanted <= set(found.tolist())
        assert len(set(found.tolist())) == len(found)


@pytest.mark.parametrize("capped", [False, True])
@pytest.mark.parametrize("score", [(1.0, True, 0.0), (0.7, False, 0.0), (1.0, True, 0.01)])
@given(seed=seeds, n_rows=st.integers(2, 200), n_columns=st.integers(2, 40), n_listed=st.integers(0, 4))
def test_race_of_sums(seed, n_rows, n_columns, n_listed, score, capped):
    """Finalists have the bits of sums over all selected columns in turn, and all that may win are finalists."""
    table = PairTable(seed, n_rows, 5, 3 if capped else 1, n_columns, n_listed=n_listed, by_chance=False)
    counts = np.arange(n_rows + 1)
    table.phi = np.rint(counts * np.log2(np.maximum(counts, 1)) * 2**40).astype(np.int64)
    rng, selected, unit = np.random.default_rng(seed), table.new_selected(False), 2**-40 / n_rows
    alone = np.array([table.expected(f) for f in range(n_columns)])
    of_columns = np.array([alone[:, 0], alone[:, 1], rng.integers(0, 2**40 * n_rows, n_columns)])
    relevance, whole = of_columns[2] * unit, int(table.phi[n_rows])
    race = _core.RedundancyRace(table.counter, selected, of_columns, unit, capped, np.array(score, float))
    weight, is_mean, epsilon = score
    totals, left = np.zeros(n_columns), table.everything
    for n, s in enumerate(rng.permutation(n_columns)[: min(5, n_columns - 1)].tolist(), 1):
        selected.add(table.codes[s].astype(np.uint32), int(table.n_levels[s]))
        race.include(s)
        left = left[left != s]
        for f in left.tolist():
            fs, fsy, _ = table.expected(f, s)
            shared = int(whole - alone[f, 0] - alone[s, 0] + fs)
            within = shared + int(fsy - fs + alone[s, 0] - alone[s, 1] - of_columns[2, f])
            totals[f] += max(0.0, shared * unit - within * unit) if capped else shared * unit
        share = totals / n if is_mean else totals
        scores = relevance / (np.maximum(share, 0.0) + epsilon) if epsilon else relevance - weight * share
        finalists = race.finalists(left)
        if finalists is None:
            race.complete(left)
            finalists = left
        assert race.scores(finalists).tobytes() == scores[finalists].tobytes()
        second = np.sort(scores[left])[-2:][0]
        assert set(left[scores[left] >= second].tolist()) <= set(finalists.tolist())


def test_rivals_are_all_that_may_reach_the_second_best():
    """Whatever the score; the order of the highest bounds serves as long as all that reach it are in it."""
    table = PairTable(0, 50, 3, 2, n_columns=80)
    start = np.random.default_rng(0).permutation(80) - 10_000_000
    for second in range(1, 80):
        race = _core.Race(table.counter, table.new_selected(), start, 0)
        leaders = race.leaders(table.everything)
        assert set(start[leaders]) == set(np.sort(start)[-8:])
        known = np.argsort(-start)[[0, second]]
        reaching = race.rivals(table.everything, known)
        assert set(np.flatnonzero(start >= start[known[1]])) <= set(reaching.tolist())


def test_every_selected_column_must_be_included():
    table = PairTable(0, 50, 3, 2)
    race = _core.Race(table.counter, table.selected, np.zeros(4, np.int64), 0)
    with pytest.raises(ValueError, match="included"):
        race.lower(table.everything)


@given(seed=seeds, n_rows=st.integers(1, 700), n_classes=st.integers(1, 4), n_listed=st.integers(0, 4))
def test_columns_alone_and_by_class(seed, n_rows, n_classes, n_listed):
    """By planes that are not kept, in tables and from lists."""
    table = PairTable(seed, n_rows, 8, n_classes, n_listed=n_listed, by_chance=seed % 2 == 0)
    sums, constant = np.empty((3, 4), np.int64), table.new_selected(table.by_chance)
    constant.add(np.zeros(n_rows, np.uint8), 1)
    table.counter.column_sums(table.everything, constant, sums)
    for f in range(4):
        assert sums[:, f].tolist() == table.expected(f)


@pytest.mark.parametrize("n_rows", [32_768, 70_001])
def test_planes_of_several_tiles(n_rows):
    table = PairTable(3, n_rows, 3, 2, n_columns=2)
    assert table.sums(1)[:, 0].tolist() == table.expected(0, 1)


@given(
    seed=seeds,
    n_rows=st.sampled_from([1, 40, 700, 5000]),
    n_classes=st.integers(1, 4),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_nested_groups(seed, n_rows, n_classes, code_type):
    """Columns joined one after the other, some of them counted at once, against groups counted by hand."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(1, 7, 6)
    codes = rng.integers(0, levels[:, None], (6, n_rows)).astype(code_type)
    labels, phi = rng.integers(0, n_classes, n_rows).astype(np.int32), phi_table(n_rows)
    chance = chance_by_size(np.bincount(labels, minlength=n_classes))
    table = _core.CodeTable(n_rows, levels, [(np.arange(6), codes)])
    groups, first = _core.NestedGroups(table, labels, n_classes, phi, SCALE), 0
    while first < 6:
        last = int(rng.integers(first + 1, 7))
        sums = groups.split(np.arange(first, last))
        for k, found in enumerate(sums.tolist(), first + 1):
            sizes = Counter(zip(*codes[:k].tolist(), strict=True)).values()
            by_class = Counter(zip(*codes[:k].tolist(), labels.tolist(), strict=True)).values()
            of_groups = sum(int(phi[c]) + chance[c] for c in sizes)
            assert found == [len(sizes), len(by_class), of_groups, sum(int(phi[c]) for c in by_class)]
        first = last


def test_nested_groups_end_where_tables_would_be_too_large():
    levels = np.array([5, 300_000])
    codes = np.random.default_rng(0).integers(0, levels[:, None], (2, 50)).astype(np.uint32)
    table, labels = _core.CodeTable(50, levels, [(np.arange(2), codes)]), np.zeros(50, np.int32)
    groups = _core.NestedGroups(table, labels, 1, phi_table(50), SCALE)
    assert groups.split(np.array([0])).shape == (1, 4)
    assert groups.split(np.array([1])) is None
    assert groups.split(np.array([0])) is None


def test_several_threads_may_count_at_once():
    """Planes that are being packed by another thread are not waited for, and chance is computed once."""
    once = PairTable(5, 20_000, [5] * 8, 3).sums(0)
    for _ in range(5):
        again = PairTable(5, 20_000, [5] * 8, 3)
        with ThreadPoolExecutor(4) as pool:
            for sums in pool.map(again.sums, [0] * 8):
                assert np.array_equal(sums, once)


def test_columns_may_be_selected_while_others_are_counted():
    table = PairTable(5, 5_000, [5] * 8, 3)
    once = table.sums(0)
    with ThreadPoolExecutor(4) as pool:
        counted = [pool.submit(table.sums, 0) for _ in range(30)]
        for _ in range(100):
            table.selected.add(np.zeros(5_000, np.uint8), 1)
        assert all(np.array_equal(sums.result(), once) for sums in counted)


def test_columns_of_another_table_are_refused():
    table, other = PairTable(0, 50, 3, 2), PairTable(0, 50, 3, 3)
    with pytest.raises(ValueError, match="rows and classes"):
        table.counter.sums(table.everything, other.selected, 0, np.zeros((3, 4), np.int64))


def test_what_is_counted_stays_alive():
    """Arrays and tables that nothing else holds are kept by what counts them."""

    def made():
        table = PairTable(1, 3_000, 8, 3)
        race = _core.Race(table.counter, table.selected, np.full(4, 2**60), 2**60)
        for s in table.everything:
            race.include(int(s), 0)
        return race

    race = made()
    noise = [np.full(200_000, 255, np.uint8) for _ in range(20)]
    assert len(race.lower(np.arange(4))) == 0
    assert len(noise) == 20
