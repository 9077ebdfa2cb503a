"""p-values, standard errors and leads of columns by themselves: against scipy, twins and simulation."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings, strategies as st

import entropick as ep
import naive
from entropick.inference.relevance import lead_error
from tables_of_all_kinds import KINDS, as_kind
from unlike_columns import unlike_columns


def relevances_of(X, y, n_bins=256, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ep.MIM(1, n_bins=n_bins, **options).fit(X, y).selection_.relevances


def test_as_in_scipy_where_cells_are_full():
    """scipy's G-test has no correction of Williams': it is put in by hand."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    X = np.stack(
        [np.where(rng.random(400) < share, y, rng.integers(0, 4, 400)) for share in (0, 0.1, 0.3)], 1
    )
    found = relevances_of(X, y)
    assert found.min_expected.min() > 5
    for j in range(3):
        table = pd.crosstab(X[:, j], y)
        result = scipy.stats.chi2_contingency(table, correction=False, lambda_="log-likelihood")
        assert found.statistics[j] == pytest.approx(result.statistic)
        n, rows, columns = 400, table.sum(axis=1), table.sum(axis=0)
        q = 1 + (n * (1 / rows).sum() - 1) * (n * (1 / columns).sum() - 1) / (6 * n * result.dof)
        assert found.p_values[j] == pytest.approx(scipy.stats.chi2.sf(result.statistic / q, result.dof))
        assert found.min_expected[j] == pytest.approx(result.expected_freq.min())


@settings(max_examples=10)
@given(seed=st.integers(0, 2**31), n_rows=st.integers(2, 60))
def test_information_and_errors_of_unlike_columns(seed, n_rows):
    """Also of constants, identifiers and copies."""
    rng = np.random.default_rng(seed)
    columns, y = unlike_columns(rng, n_rows, 8), rng.integers(0, 3, n_rows)
    y[:2] = 0, 1
    found = relevances_of(np.stack(columns, axis=1), y)
    for j, column in enumerate(columns):
        of_rows = naive.row_information(column.tolist(), y.tolist())
        assert found.information[j] == pytest.approx(np.mean(of_rows), abs=1e-12)
        freedom = (len(set(column.tolist())) - 1) * (len(set(y.tolist())) - 1)
        by_chance = 2 * freedom / (2 * n_rows * np.log(2)) ** 2
        assert found.errors[j] == pytest.approx(np.sqrt(np.var(of_rows) / n_rows + by_chance), abs=1e-9)
        assert 0 <= found.p_values[j] <= found.q_values[j] <= 1
        assert found.p_values[j] == 1 if freedom == 0 else found.p_values[j] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bits_wherever_the_rows_are(kind):
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 5, (80, 6)), rng.integers(0, 2, 80)
    expected = relevances_of(X, y, target="class")
    found = relevances_of(*as_kind(kind, X, y), target="class")
    for name in ("information", "errors", "p_values", "q_values"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()


FULL_CELLS = {
    "3 levels": lambda rng: (rng.integers(0, 3, (400, 1000)), np.arange(400) % 3),
    "2 to 9 levels": lambda rng: (
        np.stack([rng.integers(0, k, 900) for k in rng.integers(2, 10, 600)], axis=1), np.arange(900) % 3
    ),
    "imbalance": lambda rng: (rng.integers(0, 4, (900, 600)), np.arange(900) < 60),
    "missing values": lambda rng: (
        np.where(rng.random((900, 600)) < 0.4, np.nan, rng.integers(0, 4, (900, 600))), np.arange(900) % 3
    ),
}  # fmt: skip


@pytest.mark.parametrize("noise", FULL_CELLS.values(), ids=FULL_CELLS)
def test_uniform_on_noise_where_cells_are_full(noise):
    found = relevances_of(*noise(np.random.default_rng(0)))
    assert np.median(found.min_expected) > 5
    assert scipy.stats.kstest(found.p_values, "uniform").pvalue > 0.001


@pytest.mark.parametrize(("n_rows", "n_rare"), [(500, 10), (80, 40)])
def test_two_levels_and_two_classes_of_enough_rows_have_exact_tests(n_rows, n_rare):
    """All columns have the same few values of G, for which χ² gives half of their probability or less."""
    rng = np.random.default_rng(9)
    y = np.arange(n_rows) < n_rare
    half = np.arange(n_rows) % 2
    X = np.stack([rng.permutation(half) for _ in range(50)], axis=1)
    found = relevances_of(X, y)
    for j in range(50):
        in_level = int((X[:, j] * y).sum())
        law = scipy.stats.hypergeom(n_rows, n_rare, n_rows // 2)
        expected = 2 * law.cdf(min(in_level, n_rare - in_level))
        assert found.p_values[j] == pytest.approx(min(1.0, expected), rel=1e-9)


NOISE = {
    "many levels": lambda rng: (rng.integers(0, 40, (300, 300)), np.arange(300) % 2),
    "2 to 40 levels": lambda rng: (
        np.stack([rng.integers(0, k, 300) for k in rng.integers(2, 40, 300)], axis=1),
        np.arange(300) % 3,
    ),
    "imbalance": lambda rng: (rng.normal(size=(300, 2000)), np.arange(300) < 15),
    "a class of ten rows": lambda rng: (rng.integers(0, 20, (1000, 500)), np.arange(1000) < 10),
    "a rare class and many levels": lambda rng: (rng.integers(0, 150, (1000, 300)), np.arange(1000) < 30),
    "rare levels": lambda rng: ((rng.random((300, 2000)) < 0.03).astype(int), np.arange(300) % 3),
    "missing values": lambda rng: (
        np.where(rng.random((300, 2000)) < 0.4, np.nan, rng.normal(size=(300, 2000))),
        np.arange(300) % 4,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISE.values(), ids=NOISE)
@pytest.mark.parametrize("seed", range(3))
def test_small_p_values_are_not_too_common_on_noise(noise, seed):
    """At every level, as far as 300 or 2,000 columns can tell: one-sided, as G has few values in sparse tables."""
    found = relevances_of(*noise(np.random.default_rng(seed))).p_values
    assert scipy.stats.kstest(found, "uniform", alternative="greater").pvalue > 0.001
    n_below = int((found <= 0.001).sum())  # which that test hardly sees
    assert scipy.stats.binomtest(n_below, len(found), 0.001, alternative="greater").pvalue > 0.001


def test_of_weighted_rows():
    """Whole weights are copies of rows; real weights count as many rows as they are worth."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (300, 4)), rng.integers(0, 2, 300)
    weights = rng.integers(1, 4, 300)
    found = ep.MIM(1).fit(X, y, sample_weight=weights).selection_.relevances
    expected = relevances_of(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(found.p_values, expected.p_values)
    real = ep.MIM(1).fit(X, y, sample_weight=weights / 2.5).selection_.relevances
    assert real.n_effective < 300
    assert (real.p_values > expected.p_values).all()


def test_groups_have_one_test():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 2, (200, 5)), rng.integers(0, 2, 200)
    record = ep.MIM(4, feature_groups=[[0, 3]]).fit(X, y).selection_
    assert len(record.relevances.p_values) == 4
    of_group = next(row for row in record.step_dicts() if len(row["columns"]) == 2)
    assert of_group["relevance_p"] == record.relevances.p_values[0]
    joint = (X[:, 0] * 2 + X[:, 3]).tolist()
    assert of_group["relevance"] == pytest.approx(naive.mutual_information(joint, y.tolist()))


def test_only_where_they_mean_something():
    """Levels chosen by the target, rows that belong together and methods that do not count have no such tests."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(100, 4)), rng.integers(0, 2, 100)
    assert ep.MIM(2, binning="mdlp").fit(X, y).selection_.relevances is None
    assert ep.MIM(2).fit(X, y, groups=np.arange(100) // 5).selection_.relevances is None
    record = ep.FisherScore(2).fit(X, y).selection_
    assert record.relevances is None
    assert record.step_dicts()[0]["relevance_p"] is None
    assert (
        pickle.loads(pickle.dumps(relevances_of(X, y))).p_values.tolist()
        == relevances_of(X, y).p_values.tolist()
    )


# -- leads -----------------------------------------------------------------------------------------


def test_error_of_a_lead_is_that_of_the_difference_by_row():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 200)
    f, g = (np.where(rng.random(200) < 0.4, y, rng.integers(0, 3, 200)) for _ in range(2))
    cells = np.bincount((f * 3 + g) * 3 + y, minlength=27).reshape(9, 3)
    rows = [np.array(naive.row_information(x.tolist(), y.tolist())) for x in (f, g)]
    by_chance = 2 * 8 / (2 * 200 * np.log(2)) ** 2
    expected = np.sqrt(np.var(rows[0] - rows[1]) / 200 + by_chance)
    assert lead_error(cells, (3, 3), 200) == pytest.approx(expected)
    record = ep.MIM(2).fit(np.stack([f, g], axis=1), y).selection_
    assert record.steps[0].lead_error == pytest.approx(expected)


def test_ranks_that_cannot_be_told_apart():
    """Copies never lead; a strong column does."""
    rng = np.random.default_rng(7)
    y = np.arange(400) % 2
    noisy = np.where(rng.random((400, 3)) < 0.5, y[:, None], 1 - y[:, None])
    X = np.column_stack([noisy, np.where(rng.random(400) < 0.95, y, 1 - y)])
    record = ep.MIM(4).fit(X, y).selection_
    assert record.alike == ((2, 4),)
    assert str(record).endswith("Ranks 2 to 4 cannot be told apart.")
    assert record.to_dict()["alike"] == [[2, 4]]
    assert ep.JMI(4).fit(X, y).selection_.alike == ()


@pytest.mark.slow
def test_errors_of_information_and_leads_hold_in_simulation():
    """The standard deviation over 300 tables is within 15 % of the mean standard error."""
    rng = np.random.default_rng(8)
    scores, errors, leads, lead_errors = [], [], [], []
    for _ in range(300):
        y = rng.integers(0, 2, 500)
        X = np.stack([np.where(rng.random(500) < share, y, 1 - y) for share in (0.75, 0.7)], axis=1)
        record = ep.MIM(2).fit(X, y).selection_
        first = record.relevances
        scores.append(first.information[0])
        errors.append(first.errors[0])
        leads.append(first.information[0] - first.information[1])
        lead_errors.append(record.steps[0].lead_error)
    assert np.std(scores) == pytest.approx(np.mean(errors), rel=0.15)
    assert np.std(leads) == pytest.approx(np.mean(lead_errors), rel=0.15)
