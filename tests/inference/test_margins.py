"""The distribution of G given the margins: enumerated tables, drawn tables, and scipy."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import scipy.stats

import naive
from entropick.inference import margins
from entropick.inference.margins import tails_given_margins


def tail_given_margins(statistic, rows, columns):
    return float(tails_given_margins(np.array([statistic]), rows, columns)[0])


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


def test_the_orders_of_margins_and_their_roles_do_not_matter():
    rows, columns = np.array([40, 9, 3, 2, 1, 25]), np.array([30, 50])
    found = {
        tail_given_margins(11.0, a, b)
        for a, b in ((rows, columns), (columns, rows), (rows[::-1], columns[::-1]))
    }
    assert len(found) == 1


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.05, 0.01])
def test_drawn_tables_and_the_gamma_tail_are_right(share):
    """Where tables are too many to list: 40 levels of three classes of unlike size."""
    rng = np.random.default_rng(0)
    x, y = np.repeat(np.arange(40), 5), np.repeat([0, 1, 2], [120, 60, 20])
    values = [tail(x, rng.permutation(y)) for _ in range(2000)]
    assert np.mean(np.array(values) <= share) == pytest.approx(share, abs=4 * np.sqrt(share / 2000))


def test_statistics_at_once_have_the_tails_they_have_alone():
    """Also if some are settled by few random tables and others need many; and for tables that are listed."""
    statistics = np.array([300.0, 0.0, 45.0, 70.0, 90.0, 60.0])
    for sizes, classes in ((np.full(40, 5), np.array([100, 100])), (np.array([30, 70]), np.array([45, 55]))):
        found = tails_given_margins(statistics, sizes, classes)
        assert found.tolist() == [tail_given_margins(g, sizes, classes) for g in statistics]
        assert found[1] == pytest.approx(1)


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
        if tail > 1e-5:
            assert tail / 2 < tail_given_margins(statistic, rows, classes) < 3 * tail


def test_beyond_all_drawn_tables_p_values_still_fall():
    sizes, classes = np.full(40, 5), np.array([100, 100])
    assert margins._all_tables((5,) * 40, (100, 100)) is None
    found = [tail_given_margins(g, sizes, classes) for g in (60.0, 90.0, 120.0, 200.0)]
    assert all(a > b > 0 for a, b in itertools.pairwise(found))
    assert found[-1] < 1e-6


def test_one_class_or_one_level_tells_nothing():
    assert tail_given_margins(0.0, np.array([10]), np.array([5, 5])) == 1.0
