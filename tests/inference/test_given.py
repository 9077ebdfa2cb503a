"""Tests given other columns: against the formula for 2 × 2 tables, and on noise within strata."""

import numpy as np
import pytest
import scipy.stats

import entropick as ep
import naive
from entropick.inference.given import GivenColumns
from entropick.inference.stratified import pooled_tails


def tables_of(x, y, strata):
    shape = max(x) + 1, max(strata) + 1, max(y) + 1
    tables = np.zeros(shape, int)
    np.add.at(tables, (x, strata, y), 1)
    return tables[None]


def given_columns(X, y):
    """The tests of a table, as a cut sees them."""
    made = []

    class Spy(ep.cuts.Fdr):
        def begin(self, run):
            made.append(GivenColumns(run.table.counts))
            return super().begin(run)

    ep.select(X, y, measure="jmi", cut=Spy(), n_bins=256)
    return made[0]


@pytest.mark.parametrize("seed", range(5))
def test_two_by_two_as_by_the_formula(seed):
    rng = np.random.default_rng(seed)
    x, y, strata = rng.integers(0, 2, 60), rng.integers(0, 2, 60), rng.integers(0, 7, 60)
    statistic = naive.mantel_haenszel(x.tolist(), y.tolist(), strata.tolist())
    assert pooled_tails(tables_of(x, y, strata))[0] == pytest.approx(scipy.stats.chi2.sf(statistic, 1))


def test_names_of_levels_classes_and_strata_do_not_matter():
    rng = np.random.default_rng(0)
    x, y, strata = rng.integers(0, 4, 200), rng.integers(0, 3, 200), rng.integers(0, 5, 200)
    found = pooled_tails(tables_of(x, y, strata))[0]
    for permuted in ((3 - x, y, strata), (x, 2 - y, strata), (x, y, 4 - strata)):
        assert pooled_tails(tables_of(*permuted))[0] == pytest.approx(found, rel=1e-9)


def test_one_stratum_is_the_test_of_pearson():
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 4, 300), rng.integers(0, 3, 300)
    table = tables_of(x, y, np.zeros(300, int))
    statistic = scipy.stats.chi2_contingency(table[0, :, 0], correction=False).statistic * 299 / 300
    assert pooled_tails(table)[0] == pytest.approx(scipy.stats.chi2.sf(statistic, 6))


def test_nothing_is_left_of_single_rows_and_empty_levels():
    single = tables_of(np.arange(20) % 3, np.arange(20) % 2, np.arange(20))
    assert pooled_tails(single)[0] == 1
    rng = np.random.default_rng(2)
    x, y, strata = rng.integers(0, 3, 90), rng.integers(0, 2, 90), rng.integers(0, 4, 90)
    padded = np.zeros((1, 6, 9, 4), int)
    padded[:, :3, :4, :2] = tables_of(x, y, strata)
    assert pooled_tails(padded)[0] == pytest.approx(pooled_tails(tables_of(x, y, strata))[0])


def test_many_strata_of_few_rows_cost_little_power():
    """Eight rows per stratum: a G-test within strata sees nothing, the pooled one does."""
    rng = np.random.default_rng(3)
    strata = np.repeat(np.arange(100), 8)
    x = rng.integers(0, 4, 800)
    y = ((x + strata + rng.integers(0, 8, 800)) % 100 > 50).astype(int)
    y = np.where(rng.random(800) < 0.2, x > 1, y)
    tests = given_columns(np.column_stack([strata, x]), y)
    assert tests._g_tails(0, np.array([1]))[0] > 0.001 * 10
    assert tests.p_value(1, (0,)) < 0.001


@pytest.mark.slow
@pytest.mark.parametrize(("n_rows", "n_levels"), [(200, 5), (400, 10), (1000, 4)])
def test_not_too_small_on_noise_given_a_column(n_rows, n_levels):
    rng = np.random.default_rng(n_rows)
    s = rng.integers(0, n_levels, n_rows)
    y = np.where(rng.random(n_rows) < 0.6, s % 3, rng.integers(0, 3, n_rows))
    tests = given_columns(np.column_stack([s, rng.integers(0, n_levels, (n_rows, 500))]), y)
    found = tests.p_values(0, np.arange(1, 501))
    for level in (0.1, 0.05, 0.01):
        assert np.mean(found <= level) <= level + 3 * np.sqrt(level / 500)


def test_relatives_are_the_columns_that_say_most_as_far_as_rows_go():
    rng = np.random.default_rng(4)
    a, b, c = rng.integers(0, 5, (3, 300))
    f = np.where(rng.random(300) < 0.6, b, np.where(rng.random(300) < 0.5, c, rng.integers(0, 5, 300)))
    tests = given_columns(np.column_stack([f, a, b, c]), (f > 2).astype(int))
    assert tests.relatives(0, [1, 2, 3]) == (2, 3)  # three of five levels would be 125 strata of 300 rows
    assert tests.relatives(0, []) == ()


@pytest.mark.parametrize("n_given", [0, 1, 3])
def test_effects_that_add_up_as_by_regression(n_given):
    """Also with levels that do not occur in a class; without given columns it is the test of Pearson."""
    rng = np.random.default_rng(n_given)
    y = rng.integers(0, 3, 200)
    columns = [(y + rng.integers(0, 6, 200)) // 2, *rng.integers(0, 4, (n_given, 200))]
    tests = given_columns(np.column_stack([*columns, y]), y)._additive
    statistic, freedom = naive.additive_statistic(*(c.tolist() for c in (columns[0], y)), columns[1:])
    expected = scipy.stats.chi2.sf(statistic, freedom)
    assert tests.p_value(0, range(1, n_given + 1)) == pytest.approx(expected, rel=1e-9)
    if not n_given:
        pearson = scipy.stats.chi2_contingency(tables_of(columns[0], y, 0 * y)[0, :, 0], correction=False)
        assert statistic == pytest.approx(pearson.statistic * 199 / 200)


def test_nothing_is_left_of_a_copy():
    rng = np.random.default_rng(6)
    f, other = rng.integers(0, 4, (2, 300))
    tests = given_columns(np.column_stack([f, other, 3 - f]), f > 1)
    assert tests.p_value(0, [1, 2]) == 1
    assert tests.p_value(0, [1]) == 0  # a single column has its own tests
    assert tests._many_relatives(0, [1, 2]) == (2, 1)
