"""The cut `fdr`: marginal and conditional tests, what it drops, what it refuses, and that its rate holds."""

import warnings

import numpy as np
import pandas as pd
import pytest

import entropick as ep
import naive
from entropick.exceptions import CombinationError
from entropick.inference.given import GivenColumns
from tables_of_all_kinds import KINDS, as_kind


def make_table(rng, n_rows=500, n_columns=60, n_causes=4, noise=1.0):
    X = rng.normal(size=(n_rows, n_columns))
    return X, (X[:, :n_causes].sum(axis=1) + noise * rng.normal(size=n_rows) > 0).astype(int)


@pytest.mark.parametrize("method", ["bh", "by"])
def test_ranking_measures_keep_columns_with_small_q_values(method):
    X, y = make_table(np.random.default_rng(0))
    for q in (0.01, 0.2):
        record = ep.MIM(ep.cuts.Fdr(q, method)).fit(X, y).selection_
        expected = np.array(naive.q_values(record.relevances.p_values.tolist(), method)) <= q
        assert set(record.order.tolist()) == set(np.flatnonzero(expected).tolist())
        assert [step.score for step in record.kept] == sorted((s.score for s in record.kept), reverse=True)
        assert all(step.p_value <= step.q_value <= q for step in record.kept)


@pytest.mark.parametrize("n_levels", [16, 60, 200])
def test_causes_of_many_levels_stay_beside_others(n_levels):
    """Too many levels for strata to be pooled; noise of as many levels is not kept."""
    rng = np.random.default_rng(0)
    towns, other_towns = rng.integers(0, n_levels, (2, 3000))
    X = np.column_stack([rng.normal(size=(3000, 2)), towns, other_towns])
    y = X[:, 0] + X[:, 1] + np.linspace(-5, 5, n_levels)[towns]
    X = pd.DataFrame(X).astype({2: str, 3: str})
    assert sorted(ep.JMI("fdr").fit(X, y).order_.tolist()) == [0, 1, 2]
    assert sorted(ep.JMI("fdr").fit(X, y > 0).order_.tolist()) == [0, 1, 2]


@pytest.mark.parametrize("selector", [ep.MIM, ep.JMI, ep.CMIM, ep.MRMR, ep.RenyiFS])
def test_every_kind_of_measure_finds_the_causes(selector):
    X, y = make_table(np.random.default_rng(1), 1000)
    assert sorted(selector(n_features="fdr").fit(X, y).order_.tolist()) == [0, 1, 2, 3]


def test_paths_leave_out_what_a_selected_column_explains():
    """A copy, a recoding and a column that depends on y by way of a cause only; a ranking keeps them."""
    rng = np.random.default_rng(2)
    cause, other = rng.integers(0, 3, (2, 2000))
    y = (cause + other + rng.integers(0, 3, 2000) > 3).astype(int)
    proxy = np.where(rng.random(2000) < 0.8, cause, rng.integers(0, 3, 2000))
    X = np.column_stack([proxy, cause, cause, 2 - cause, other])
    assert set(ep.MIM("fdr").fit(X, y).order_.tolist()) == {0, 1, 2, 3, 4}
    for selector in (ep.JMI, ep.CMIM, ep.MRMR):
        assert set(selector(n_features="fdr").fit(X, y).order_.tolist()) == {1, 4}


def test_a_column_that_later_ones_explain_is_dropped():
    """A fixed proxy cannot be dropped; one that came first by itself is."""
    rng = np.random.default_rng(3)
    cause = rng.integers(0, 8, 4000)
    y = ((cause + rng.integers(0, 4, 4000)) > 5).astype(int)
    X = np.column_stack([cause > 3, cause])
    record = ep.select(X, y, measure=ep.measures.MIFS(), cut="fdr", fixed_features=[0])
    assert record.order.tolist() == [0, 1]
    state = ep.select(X, y, measure="jmi", cut="fdr")
    assert state.order.tolist() == [1]


def test_given_a_column_tests_shuffle_within_its_levels():
    """Mean and spread of G where labels are shuffled within levels: p-values of noise are not too small."""
    rng = np.random.default_rng(4)
    s = rng.integers(0, 4, 400)
    y = np.where(rng.random(400) < 0.7, s % 2, rng.integers(0, 2, 400))
    X = np.column_stack([s, rng.integers(0, 5, (400, 300))])
    tested = []

    class Spy(ep.cuts.Fdr):
        def begin(self, run):
            tested.append(GivenColumns(run.table.counts).p_values(0, np.arange(1, 301)))
            return super().begin(run)

    ep.select(X, y, measure="jmi", cut=Spy())
    p_values = tested[0]
    assert np.mean(p_values <= 0.1) <= 0.1 + 3 * np.sqrt(0.09 / 300)
    assert np.mean(p_values <= 0.5) > 0.3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("selector", [ep.MIM, ep.JMI])
def test_the_same_wherever_the_rows_are(kind, selector):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 4, (300, 7))
    y = (X[:, 1] + X[:, 4] + rng.integers(0, 3, 300) > 4).astype(int)
    expected = selector(n_features="fdr", target="class").fit(X, y).selection_
    found = selector(n_features="fdr", target="class").fit(*as_kind(kind, X, y)).selection_
    assert [(s.columns, s.p_value, s.q_value) for s in found.steps] == [
        (s.columns, s.p_value, s.q_value) for s in expected.steps
    ]
    assert found.order.tolist() == expected.order.tolist()
    assert len(found.order) >= 2


def test_searches_that_remove_columns():
    X, y = make_table(np.random.default_rng(6), 1000, 12)
    for search in ("floating", "backward"):
        found = ep.select(X, y, measure="jmi", search=search, cut="fdr")
        assert sorted(found.order.tolist()) == [0, 1, 2, 3]


def test_refusals_name_the_cut_and_say_what_to_do():
    X, y = make_table(np.random.default_rng(7), 100, 5)
    with pytest.raises(CombinationError, match=r"Fdr cannot judge columns binned by the target.*Hint"):
        ep.JMI("fdr", binning="mdlp").fit(X, y)
    with pytest.raises(ValueError, match="'q' parameter of Fdr"):
        ep.MIM(ep.cuts.Fdr(q=1.5)).fit(X, y)


def test_nothing_is_kept_of_noise_mostly():
    rng = np.random.default_rng(8)
    kept = [len(ep.JMI("fdr").fit(rng.normal(size=(150, 40)), np.arange(150) % 2).order_) for _ in range(20)]
    assert sum(n > 0 for n in kept) <= 4


@pytest.mark.parametrize("seed", range(2))
def test_columns_are_explained_by_all_selected_ones_together(seed):
    """Sums of five causes and noise: given two or three of the causes, they still depend on y."""
    rng = np.random.default_rng(seed)
    causes = rng.integers(0, 3, (1500, 5))
    total = causes.sum(axis=1)
    y = total + rng.integers(0, 5, 1500) > 7
    proxies = (total[:, None] + rng.integers(0, 8, (1500, 4))) // 3
    found = ep.JMI("fdr").fit(np.hstack([causes, proxies]), y).order_
    assert sorted(found.tolist()) == [0, 1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize("selector", [ep.MIM, ep.JMI])
def test_the_rate_holds(selector):
    """60 tables, of 4 causes among 60 columns: the mean share of false columns is at most q, within error."""
    shares, recalls = [], []
    for seed in range(60):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            X, y = make_table(np.random.default_rng(seed), 400, noise=2.0)
            found = selector(ep.cuts.Fdr(0.1)).fit(X, y).order_
        shares.append(np.mean(found >= 4) if len(found) else 0.0)
        recalls.append(np.sum(found < 4) / 4)
    assert np.mean(shares) <= 0.1 + 2 * np.std(shares) / np.sqrt(60)
    assert np.mean(recalls) > 0.6


@pytest.mark.parametrize("selector", [ep.JMI("fdr"), ep.MIM("fdr"), ep.MarkovBlanket()], ids=str)
def test_rows_that_belong_together_are_refused(selector):
    """Tests from counts take rows as independent, so they would find noise."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 5)
    X, y = rng.normal(size=(20, 4))[groups], rng.integers(0, 2, 20)[groups]
    with pytest.raises(CombinationError, match="takes rows as independent"):
        selector.fit(X, y, groups=groups)
