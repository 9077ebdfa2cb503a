"""The cut `knockoffs`: causes found among columns of all kinds, nothing in noise, and what it rejects."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import entropick as ep
from entropick.cuts.knockoffs import follow_from_others, make_knockoffs
from entropick.exceptions import CombinationError, DataError, NothingFoundWarning
from entropick.selectors.method import fit_keeping_table
from tables_of_all_kinds import as_kind


def mixed_table(seed=0, n_rows=800):
    """Six causes among 24 columns: categories, numbers with and without missing values, times and booleans."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n_rows, 10))
    levels = rng.integers(0, 4, (n_rows, 8))
    X = pd.DataFrame(numbers).add_prefix("n")
    X["n9"] = X["n9"].mask(rng.random(n_rows) < 0.2)
    X["n8"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(X["n8"], unit="D")
    X = X.join(pd.DataFrame(levels).add_prefix("c").map("abcd".__getitem__))
    X["c7"] = X["c7"].mask(rng.random(n_rows) < 0.2)
    X = X.join(pd.DataFrame(rng.integers(0, 2, (n_rows, 6)) == 1).add_prefix("b"))
    signal = 2 * numbers[:, :3].sum(axis=1) + 2 * (levels[:, :2] - 1.5).sum(axis=1) + 4 * X["b0"]
    return X, (signal - signal.mean() + rng.logistic(size=n_rows) > 0).to_numpy()


CAUSES = ["b0", "c0", "c1", "n0", "n1", "n2"]


@pytest.mark.parametrize("method", [ep.MIM, ep.JMI, ep.CMIM, ep.FisherScore, ep.ReliefF])
def test_causes_of_all_kinds_are_found_by_any_measure(method):
    X, y = mixed_table()
    found = method("knockoffs").fit(X, y).selection_
    assert len(set(CAUSES) & set(found.selected_names)) >= (3 if method is ep.FisherScore else 5)
    assert len(set(found.selected_names) - set(CAUSES)) <= 3
    assert all(step.q_value <= 0.1 for step in found.kept)


def test_real_targets_and_other_containers():
    X, _ = mixed_table()
    y = X["n0"] + X["n1"] - X["n2"] + (X["c0"] > "b") * 2 + np.random.default_rng(0).normal(size=len(X))
    expected = ep.JMI("knockoffs").fit(X, y).order_.tolist()
    assert {"n0", "n1", "n2", "c0"} <= {X.columns[j] for j in expected}
    assert ep.JMI("knockoffs").fit(pl.from_pandas(X), y.to_numpy()).order_.tolist() == expected
    numbers = (np.random.default_rng(1).random((600, 20)) < 0.3) * 1.0
    label = numbers[:, :5].sum(axis=1) + np.random.default_rng(2).normal(size=600) > 1.5
    dense, sparse = (
        ep.MIM("knockoffs").fit(table, label) for table in (numbers, scipy.sparse.csr_array(numbers))
    )
    assert sorted(dense.order_.tolist()) == [0, 1, 2, 3, 4]
    assert sparse.order_.tolist() == dense.order_.tolist()


def test_noise_keeps_nothing_and_says_so():
    """An infinite threshold selects nothing, however the scores are."""
    rng = np.random.default_rng(0)
    n_kept = 0
    for seed in range(20):
        X, y = rng.integers(0, 3, (200, 20)), rng.integers(0, 2, 200)
        cut = ep.cuts.Knockoffs(q=0.1, random_state=seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = ep.JMI(cut).fit(X, y)
        said = any(issubclass(one.category, NothingFoundWarning) for one in caught)
        assert said == (found.n_features_ == 0)
        n_kept += found.n_features_ > 0
    assert n_kept <= 6  # at a rate of 0.1, plus three standard errors


def test_too_few_columns_for_the_rate():
    """One column cannot reach a rate of 0.1 with five copies, though it decides y."""
    X = np.random.default_rng(2).integers(0, 3, (300, 5))
    with pytest.warns(
        NothingFoundWarning, match=r"1 column beats all 5 knockoffs.*\(q=0\.2 would.*Hint: give"
    ):
        assert ep.JMI("knockoffs").fit(X, X[:, 2]).n_features_ == 0
    cut = ep.cuts.Knockoffs(n_copies=20)
    assert ep.JMI(cut).fit(X, X[:, 2]).order_.tolist() == [2]


def test_the_seed_decides():
    X, y = mixed_table(n_rows=300)
    orders = [ep.JMI("knockoffs", random_state=seed).fit(X, y).order_.tolist() for seed in (None, None, 1, 1)]
    assert orders[0] == orders[1]
    assert orders[2] == orders[3]


def test_groups_and_fixed_columns():
    X, y = mixed_table()
    fixed = ep.JMI("knockoffs", fixed_features=["n5"]).fit(X, y).selection_.selected_names
    assert fixed[0] == "n5"
    assert len(set(CAUSES) & set(fixed)) >= 4
    groups = [["c0", "c1"], ["b0", "b1"], ["n3", "n4"]]
    found = ep.JMI("knockoffs", feature_groups=groups).fit(X, y).selection_
    assert {"c0", "c1", "b0", "b1"} <= set(found.selected_names)
    assert not {"n3", "n4"} & set(found.selected_names)


def test_knockoffs_of_related_columns_are_related_alike():
    """Numbers that depend on categories: all correlations are kept, but for those with the own knockoff."""
    rng = np.random.default_rng(3)
    level = rng.integers(0, 2, 6000)
    other = level ^ (rng.random(6000) < 0.2)
    number = level + rng.normal(size=6000)
    second = number + rng.normal(size=6000)
    X = pd.DataFrame({"level": level, "other": other, "number": number, "second": second})
    table = fit_keeping_table(ep.MIM(ep.cuts.Knockoffs(q=0.9)), X, level ^ (rng.random(6000) < 0.1))
    (rows,) = make_knockoffs(table, np.zeros(4, bool), 1, rng)
    values = X.to_numpy()
    copies = np.column_stack([values[rows[j], j] for j in range(4)])
    real, both = np.corrcoef(values.T), np.corrcoef(values.T, copies.T)
    np.testing.assert_allclose(both[4:, 4:], real, atol=0.06)
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(both[:4, 4:][off], real[off], atol=0.06)
    assert (np.diag(both[:4, 4:]) < 0.9).all()


def test_what_is_rejected():
    X, y = mixed_table(n_rows=120)
    numbers = X[["n0", "n1"]].to_numpy()
    with pytest.raises(CombinationError, match="takes rows as independent"):
        ep.JMI("knockoffs").fit(X, y, groups=np.arange(120) // 2)
    with pytest.raises(CombinationError, match=r"binned by the target.*Hint"):
        ep.JMI("knockoffs", binning="mdlp").fit(numbers, y)
    with pytest.raises(CombinationError, match=r"Knockoffs needs single rows.*Hint"):
        ep.JMI("knockoffs").fit(numbers, y, sample_weight=np.full(120, 2))
    with pytest.raises(CombinationError, match=r"partitioned.*Hint"):
        ep.JMI("knockoffs", target="class").fit(*as_kind("3 partitions", numbers, y.astype(int)))
    with pytest.raises(DataError, match=r"at most 4,000 columns.*got 4,001.*Hint"):
        ep.MIM("knockoffs").fit(np.zeros((10, 4001)), np.arange(10) % 2)


def test_a_column_that_stands_for_a_cause_is_not_kept():
    """One correlated pair among independent columns keeps its correlation in the knockoffs."""
    n_kept = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(1000, 15))
        X[:, 14] += X[:, 0]
        y = 2 * X[:, 0] + X[:, 1] + X[:, 2] + rng.normal(size=1000)
        n_kept += 14 in ep.MIM("knockoffs", random_state=seed).fit(X, y).order_
    assert n_kept <= 4


def test_a_rounded_number_is_not_kept_beside_the_number():
    """Nothing is left of it given the number; knockoffs of the number are rounded alike."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(600, 15))
        X = np.column_stack([X, np.round(X[:, 0]).clip(-2, 2), X[:, 1] > 0.3])
        y = X[:, :5].sum(axis=1) + rng.normal(size=600) > 0
        selector = ep.MIM(ep.cuts.Knockoffs(random_state=seed))
        table = fit_keeping_table(selector, X, y)
        assert not {15, 16} & set(selector.order_.tolist())
        rows = make_knockoffs(table, np.zeros(17, bool), 2, rng)
        assert follow_from_others(table, rows).tolist() == [False] * 15 + [True] * 2
        assert (X[rows[:, 0], 15] == X[:, 15]).all()
        assert (X[rows[:, 1], 16] == X[:, 16]).all()
        assert np.mean(rows[:, 2] == np.arange(600)) < 0.05


def test_identifiers_are_not_kept():
    """Levels that occur once would tell a column from its knockoffs."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.permutation(150).astype(str) for _ in range(6)])
    with pytest.warns(NothingFoundWarning):
        assert not len(ep.MIM("knockoffs", random_state=0).fit(X, rng.integers(0, 2, 150)).order_)


def test_rare_levels_do_not_tell_columns_from_knockoffs():
    """Numbers that are mostly 0, of which each other value occurs once."""
    n_kept = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = np.where(rng.random((150, 30)) < 0.05, rng.random((150, 30)), 0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            n_kept += len(ep.MIM("knockoffs", random_state=seed).fit(X, rng.integers(0, 2, 150)).order_) > 0
    assert n_kept <= 2


def test_many_classes_and_measures_of_the_source_are_rejected():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (60, 4))
    with pytest.raises(DataError, match=r"5 rows per class.*30 classes"):
        ep.MIM("knockoffs").fit(X, (np.arange(60) // 2).astype(str))
    with pytest.raises(CombinationError, match=r"KSG reads the table as it was passed.*Hint"):
        ep.KSG("knockoffs").fit(X, X[:, 0])
