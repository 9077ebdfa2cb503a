"""The distribution of G given the margins: enumerated tables, drawn tables, and scipy."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import scipy.stats

import naive
from entropick.inference import margins
from entropick.inference.drawn import RandomTables
from entropick.inference.margins import TablesOfMargins


def tails_given_margins(statistics, sizes, classes):
    return TablesOfMargins(np.sort(classes)).tails(statistics, sizes)


def tail_given_margins(statistic, rows, columns):
    return float(tails_given_margins(np.array([statistic]), np.asarray(rows)[None], np.asarray(columns))[0])


def tail(x, y):
    return tail_given_margins(
        naive.g_statistic(x, y), np.unique(x, return_counts=True)[1], np.unique(y, return_counts=True)[1]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_enumerated_tables_are_all_orders_of_the_labels(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 4, 8).tolist(), rng.integers(0, 3, 8).tolist()
    assert tail(x, y) == pytest.approx(naive.permutation_tail(x, y), rel=1e-9)


@pytest.mark.parametrize("table", [[[3, 1], [20, 60]], [[0, 5], [30, 1]], [[2, 2], [2, 2]]])
def test_two_by_two_is_an_exact_test(table):
    """As Fisher's, but by G: sums of the probabilities of tables that are as unlikely as G says."""
    table = np.array(table)
    n, rows, columns = table.sum(), table.sum(axis=1), table.sum(axis=0)
    law = scipy.stats.hypergeom(n, rows[0], columns[0])
    support = np.arange(max(0, rows[0] + columns[0] - n), min(rows[0], columns[0]) + 1)

    def statistic(k):
        made = np.array([[k, rows[0] - k], [columns[0] - k, n - rows[0] - columns[0] + k]])
        return naive.g_statistic(*np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], made.reshape(-1), axis=1).tolist())

    found = statistic(table[0, 0])
    expected = sum(law.pmf(k) for k in support if statistic(k) >= found - 1e-9)
    assert tail_given_margins(found, rows, columns) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("sizes", [[40, 9, 3, 2, 1, 25], [40] * 2, [10] * 8])
def test_the_order_of_levels_and_classes_does_not_matter(sizes):
    rng, classes = np.random.default_rng(0), np.array([30, 50])
    found = {tail_given_margins(11.0, rng.permutation(sizes), a) for a in (classes, classes[::-1])}
    assert len(found) == 1


def test_drawn_tables_and_the_gamma_tail_are_right():
    """Where tables are too many to list: 40 levels of three classes of unlike size."""
    rng = np.random.default_rng(0)
    x, y, classes = np.repeat(np.arange(40), 5), np.repeat([0, 1, 2], [120, 60, 20]), np.array([120, 60, 20])
    statistics = np.array([naive.g_statistic(x.tolist(), rng.permutation(y).tolist()) for _ in range(2000)])
    found = tails_given_margins(statistics, np.full((2000, 40), 5), classes)
    for share in (0.5, 0.05, 0.01):
        assert np.mean(found <= share) == pytest.approx(share, abs=4 * np.sqrt(share / 2000))


def test_statistics_at_once_have_the_tails_they_have_alone():
    """Also if some are settled by few random tables and others need many; and for tables that are listed."""
    statistics = np.array([300.0, 0.0, 45.0, 70.0, 90.0, 60.0])
    for sizes, classes in ((np.full(40, 5), np.array([100, 100])), (np.array([30, 70]), np.array([45, 55]))):
        found = tails_given_margins(statistics, np.tile(sizes, (6, 1)), classes)
        assert found.tolist() == [tail_given_margins(g, sizes, classes) for g in statistics]
        assert found[1] == pytest.approx(1)


@pytest.mark.parametrize("n_rows", [100, 1500])
def test_columns_at_once_have_the_tails_they_have_alone(n_rows):
    """Columns of unlike levels, whose tables are drawn together up to a number of rows, and listed if few."""
    rng = np.random.default_rng(0)
    classes = np.array([n_rows - 30, 20, 10])
    sizes = rng.multinomial(n_rows - 6, np.full(6, 1 / 6), 12) + 1
    sizes[3:5], sizes[5] = sizes[2], [n_rows - 5, 1, 1, 1, 1, 1]
    statistics = rng.chisquare(10, 12) * np.repeat([1, 2, 4], 4)
    found = tails_given_margins(statistics, sizes, classes)
    alone = [tail_given_margins(*column, classes) for column in zip(statistics, sizes, strict=True)]
    assert found.tolist() == alone


@pytest.mark.parametrize(
    "table", [[[9, 1], [6, 4], [3, 7], [8, 2], [5, 5]], [[14, 6], [9, 11], [10, 10], [4, 16]]]
)
def test_levels_of_the_same_size_are_listed_in_any_order(table):
    """As many shuffles say, though tables are too many to list one by one."""
    table = np.array(table)
    x, y = (np.repeat(np.indices(table.shape)[axis].ravel(), table.ravel()) for axis in (0, 1))
    statistic, rng = naive.g_statistic(x.tolist(), y.tolist()), np.random.default_rng(0)
    assert margins._all_tables(tuple(table.sum(axis=1)), tuple(sorted(table.sum(axis=0)))) is not None
    shuffled = [naive.g_statistic(x.tolist(), rng.permutation(y).tolist()) for _ in range(2000)]
    share = np.mean(np.array(shuffled) >= statistic - 1e-9)
    assert tail(x, y) == pytest.approx(share, abs=4 * np.sqrt(share / 2000))


def partitions(total, most):
    """Ways to write a number as a sum of whole numbers up to `most`, largest first."""
    if total == 0:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in partitions(total - first, first):
            yield (first, *rest)


def patterns(n_levels, level_size, n_rare):
    """G and probability of all ways in which the rows of a rare class fall into levels of one size."""
    n_rows = n_levels * level_size
    for parts in partitions(n_rare, n_rare):
        same = math.prod(math.factorial(n) for n in Counter(parts).values())
        ways = math.perm(n_levels, len(parts)) * math.prod(math.comb(level_size, part) for part in parts)
        counts = np.array([*parts, *[0] * (n_levels - len(parts))])
        labels = np.concatenate([np.repeat([1, 0], [n, level_size - n]) for n in counts])
        statistic = naive.g_statistic(np.repeat(np.arange(n_levels), level_size).tolist(), labels.tolist())
        yield statistic, ways / same / math.comb(n_rows, n_rare)


@pytest.mark.parametrize(("n_levels", "level_size", "n_rare"), [(20, 50, 5), (50, 20, 8)])
def test_tails_of_a_rare_class_are_as_long_as_they_are(n_levels, level_size, n_rare):
    """G is far more skewed there than a gamma distribution from 0, whose tails are 50 to 1,000 times too small."""
    found = sorted(patterns(n_levels, level_size, n_rare))
    assert sum(probability for _, probability in found) == pytest.approx(1)
    rows, classes = np.full(n_levels, level_size), np.array([n_rare, n_levels * level_size - n_rare])
    for statistic, _ in found:
        tail = sum(probability for other, probability in found if other >= statistic - 1e-9)
        assert tail_given_margins(statistic, rows, classes) == pytest.approx(tail, rel=1e-6)


def test_tails_of_a_rare_class_and_unlike_levels_are_as_long_as_they_are():
    """Here tables are drawn, and the gamma distribution continues the tail: against exact ones of like levels."""
    for n_levels, level_size, n_rare in [(20, 50, 5), (50, 20, 8)]:
        rows, n_rows = np.full(n_levels, level_size), n_levels * level_size
        found = sorted(patterns(n_levels, level_size, n_rare))
        tables = RandomTables(np.array([n_rare, n_rows - n_rare]))
        drawn = tables.tails(np.array([g - 1e-6 for g, _ in found]), np.tile(rows, (len(found), 1)))
        for (statistic, _), tail in zip(found, drawn, strict=True):
            exact = sum(probability for other, probability in found if other >= statistic - 1e-9)
            assert exact <= 1e-5 or exact / 2 < tail < 3 * exact


def test_beyond_all_drawn_tables_p_values_still_fall():
    sizes, classes = np.full(40, 5), np.array([100, 100])
    assert margins._all_tables((5,) * 40, (100, 100)) is None
    found = [tail_given_margins(g, sizes, classes) for g in (60.0, 90.0, 120.0, 200.0)]
    assert all(a > b > 0 for a, b in itertools.pairwise(found))
    assert found[-1] < 1e-6


def test_one_class_or_one_level_tells_nothing():
    assert tail_given_margins(0.0, np.array([10]), np.array([5, 5])) == 1.0
