"""Values of whole subsets equal those of the naive twins, in any order of computation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import entropick as ep
import naive
from entropick import cuts, measures
from entropick._base.threads import Threads
from entropick.exceptions import DataError, SelectionWarning
from helpers import as_sparse, columns_of, make_table
from strategies import tables

BAYESIAN = list(itertools.product([0, 0.01, 1.0, 10.0], ["dependent", "independent", 0.3]))


def all_subsets(n_columns, at_least=0):
    subsets = np.array(list(itertools.product([False, True], repeat=n_columns)))
    return subsets[subsets.sum(axis=1) >= at_least]


def values(measure, table, subsets, threads=None):
    return measure.begin_sets(table, threads or Threads(1)).values(subsets)


@given(tables(max_rows=40, max_columns=5), st.sampled_from([1, math.inf, 2.0, 0.5, 7.0]))
def test_renyi_of_subsets(table, alpha):
    """H_α(y|S) of every subset, the empty one included."""
    X, y = table
    subsets = all_subsets(X.shape[1])
    found = values(measures.Renyi(alpha), make_table(X, y), subsets)[:, 0]
    columns = columns_of(X)
    for subset, value in zip(subsets, found, strict=True):
        chosen = [columns[j] for j in np.flatnonzero(subset)]
        assert value == pytest.approx(naive.conditional_entropy(list(y), chosen, alpha), abs=1e-9)


@given(tables(max_rows=30, max_columns=4, max_levels=4), st.sampled_from(BAYESIAN))
def test_bayesian_entropies_of_subsets(table, prior):
    """Both objectives of every subset, cell by cell, in both domains and between."""
    X, y = table
    subsets = all_subsets(X.shape[1])
    found = values(measures.Bayesian(*prior), make_table(X, y), subsets)
    columns = columns_of(X)
    for subset, value in zip(subsets, found, strict=True):
        chosen = [columns[j] for j in np.flatnonzero(subset)]
        assert value == pytest.approx(naive.bayesian_objectives(chosen, list(y), *prior), abs=1e-9)


@given(tables(max_rows=30, max_columns=4, max_levels=4), st.sampled_from(BAYESIAN))
def test_bayesian_functions(table, prior):
    """The public functions give the same numbers."""
    X, y = table
    of_y, of_columns = naive.bayesian_objectives(columns_of(X), list(y), *prior)
    assert ep.bayesian_entropy(X, *prior) == pytest.approx(of_columns, abs=1e-9)
    assert ep.bayesian_conditional_entropy(y, X, *prior) == pytest.approx(of_y, abs=1e-9)


@given(tables(max_rows=30, max_columns=4), st.sampled_from([0.0, 0.5, 0.9, 1.0]))
def test_balances(table, weight):
    """F-MI and F-E of every subset that has a column."""
    X, y = table
    subsets = all_subsets(X.shape[1], at_least=1)
    encoded, columns = make_table(X, y), columns_of(X)
    for measure, twin in (
        (measures.PairwiseBalance(weight), naive.pairwise_balance),
        (measures.JointBalance(weight), naive.joint_balance),
    ):
        found = values(measure, encoded, subsets)[:, 0]
        for subset, value in zip(subsets, found, strict=True):
            chosen = [columns[j] for j in np.flatnonzero(subset)]
            assert value == pytest.approx(twin(chosen, list(y), weight), abs=1e-9)


@given(
    tables(max_rows=30, max_columns=4),
    st.sampled_from([1.0, 0.9, 0.75, 0.6]),
    st.sampled_from([0.0, 0.8, 1.0]),
    st.sampled_from(["size", "granules"]),
)
def test_rough_sets(table, precision, weight, against):
    """F-RS and F-PRS of every subset, the empty one included."""
    X, y = table
    subsets, columns = all_subsets(X.shape[1]), columns_of(X)
    found = values(measures.RoughSet(precision, weight, against), make_table(X, y), subsets)[:, 0]
    for subset, value in zip(subsets, found, strict=True):
        chosen = [columns[j] for j in np.flatnonzero(subset)]
        expected = naive.rough_set(chosen, list(y), precision, weight, against, X.shape[1])
        assert value == pytest.approx(expected, abs=1e-12)


def test_rough_set_by_hand():
    """Two of three groups are of one class; the third has 11 rows of 20 in one, exactly 55 %."""
    x = np.array([0] * 5 + [1] * 5 + [2] * 20)
    y = np.array([0] * 5 + [1] * 5 + [0] * 11 + [1] * 9)
    for precision, share in ((1.0, 10 / 30), (0.56, 10 / 30), (0.55, 1.0)):
        table, every = make_table(x[:, None], y), np.ones((1, 1), bool)
        assert values(measures.RoughSet(precision, weight=1.0), table, every)[0, 0] == pytest.approx(-share)


@pytest.mark.parametrize(
    "search", ["swarm", "exhaustive", "nsga2", "cross_entropy", "forward", "floating", "backward"]
)
def test_rough_sets_under_every_search(search):
    """The four columns that determine y: by all searches over subsets, and by those that take columns out."""
    X, y = ep.datasets.make_corral()
    cut = None if search in ("swarm", "exhaustive", "nsga2", "cross_entropy") else 4
    found = ep.FeatureSelector("rough_set", search, cut, random_state=0).fit(X, y)
    kept = set(found.order_.tolist())
    assert kept == {0, 1, 2, 3} if search in ("swarm", "exhaustive", "nsga2", "backward") else len(kept) >= 1


@given(tables(max_rows=30, max_columns=4))
def test_merit_of_subsets(table):
    """Hall's merit of every subset, whatever was asked before."""
    X, y = table
    subsets, columns = all_subsets(X.shape[1]), columns_of(X)
    state = measures.CFSSubset().begin_sets(make_table(X, y), Threads(1))
    order = np.random.default_rng(0).permutation(len(subsets))
    found = np.empty(len(subsets))
    for part in np.array_split(order, 3):
        found[part] = state.values(subsets[part])[:, 0]
    assert np.array_equal(found, values(measures.CFSSubset(), make_table(X, y), subsets)[:, 0])
    for subset, value in zip(subsets, found, strict=True):
        chosen = [columns[j] for j in np.flatnonzero(subset)]
        assert value == pytest.approx(-naive.cfs_merit(chosen, list(y)), abs=1e-9)


def test_bayesian_example_of_the_paper():
    """Mei, Xue and Zhang, Table 1, α = 10: H_B(y|S) and H_B(S) of three subsets, in both domains and between."""
    X, y = ep.datasets.make_bayes_table1()
    subsets = np.array([[0, 1, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1], [1, 0, 0, 0, 0, 0]], bool)
    expected = {
        (0, "dependent"): [(0, 1.5), (0, 1.5613), (0, 3)],
        (10, "dependent"): [(0, 1.5810), (0, 1.5840), (0, 3)],
        (10, "independent"): [(1.0038, 2.9885), (0.9976, 1.9922), (0.9984, 3)],
    }
    for prior, pairs in expected.items():
        by_measure = values(measures.Bayesian(*prior), make_table(X, y), subsets)
        for subset, pair, value in zip(subsets, pairs, by_measure, strict=True):
            assert np.round(value, 4) == pytest.approx(pair)
            chosen = X[:, subset]
            assert round(ep.bayesian_conditional_entropy(y, chosen, *prior), 4) == pair[0]
            assert round(ep.bayesian_entropy(chosen, *prior), 4) == pair[1]


@pytest.mark.parametrize("domain", ["dependent", "independent"])
def test_no_overflow_in_huge_domains(domain):
    """400 columns of 10 levels have more joint values than any float."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 10, (200, 400)), rng.integers(0, 3, 200)
    table, subsets = make_table(X, y), np.ones((1, 400), bool)
    for alpha in (0, 0.01, 1, 100):
        found = values(measures.Bayesian(alpha, domain), table, subsets)[0]
        assert np.isfinite(found).all()
        assert -1e-9 <= found[0] <= math.log2(3) + 1e-9
        assert found[1] <= 400 * math.log2(10) + 1e-6
        assert np.isfinite(ep.bayesian_conditional_entropy(y, X, alpha, domain))


def test_prior_must_make_sense():
    with pytest.raises(ValueError, match="alpha must be at least 0"):
        ep.bayesian_entropy([0, 1], alpha=-1)
    with pytest.raises(ValueError, match=r"dependent, independent, or a number in .0, 1., got 'joint'"):
        ep.bayesian_conditional_entropy([0, 1], [0, 1], domain="joint")
    with pytest.raises(ValueError, match=r"a number in .0, 1., got 1\.5"):
        ep.bayesian_entropy([0, 1], domain=1.5)


@pytest.mark.slow
def test_no_collisions_among_a_million_rows():
    """Groups of equal rows are those numpy finds."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (1_000_000, 8)).astype(np.uint8), rng.integers(0, 2, 1_000_000)
    table = make_table(X, y)
    nothing = np.zeros(1_000_001, np.int64)
    subsets = np.array([[1] * 8, [1] * 5 + [0] * 3], bool)
    found = table.counts.subset_sums(subsets, nothing, nothing)
    for subset, n_groups, n_cells in zip(subsets, found.n_groups, found.n_cells, strict=True):
        code = X[:, subset].astype(np.int64) @ 4 ** np.arange(subset.sum())
        assert n_groups == len(np.unique(code))
        assert n_cells == len(np.unique(code * 2 + y))


def wide_table(kind="dense"):
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, levels, 5000) for levels in (2, 3, 5, 300, 70000)])
    X = np.column_stack([X, rng.random((5000, 6)) < 0.03, rng.integers(0, 2, (5000, 20))])
    y = (X[:, 0] + X[:, 1]) % 3
    return (as_sparse(X) if kind == "sparse" else X), y


SET_MEASURES = [
    measures.Renyi(1),
    measures.Renyi(math.inf),
    measures.Renyi(2),
    measures.Bayesian(1, "independent"),
    measures.JointBalance(),
    measures.RoughSet(0.9, 0.8, "granules"),
    measures.CFSSubset(),
]


@pytest.mark.parametrize("measure", SET_MEASURES, ids=str)
def test_work_order_changes_nothing(measure):
    """Threads, blocks, the order of subsets and of rows, names of levels and sparse storage: the same bits."""
    X, y = wide_table()
    subsets = np.random.default_rng(0).random((40, X.shape[1])) < 0.3
    expected = values(measure, make_table(X, y), subsets)
    table = make_table(X, y)
    for threads in (Threads(2), Threads(8), Threads(2, block_items=1), Threads(1, block_items=7)):
        with threads:
            assert np.array_equal(values(measure, table, subsets, threads), expected)
    one_by_one = [values(measure, table, subset[None])[0] for subset in subsets[::-1]]
    assert np.array_equal(one_by_one[::-1], expected)
    rows = np.random.default_rng(1).permutation(len(y))
    assert np.array_equal(values(measure, make_table(X[rows], y[rows]), subsets), expected)
    assert np.array_equal(values(measure, make_table(X.max() - X, y), subsets), expected)
    assert np.array_equal(values(measure, make_table(*wide_table("sparse")), subsets), expected)


@pytest.mark.slow
def test_cross_validated_estimator():
    """The value of a subset is the negative mean score of the estimator on its columns."""
    X, y = ep.datasets.make_corral()
    estimator = KNeighborsClassifier(3)
    selector = ep.FeatureSelector(measures.CrossValidated(estimator, cv=4), "swarm", random_state=0)
    selection = selector.fit(X, y).selection_
    front = selection.exploration.front
    score = cross_val_score(estimator, X[:, front.subsets[0]], y, cv=4).mean()
    assert front.objectives[0] == pytest.approx(-score)


def test_estimators_that_cannot_read_the_columns():
    """The error names columns and the way out."""
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"color": ["red", "blue"] * 10, "size": range(20)})
    measure = measures.CrossValidated(LogisticRegression(), cv=2)
    with pytest.raises(
        DataError, match=r"LogisticRegression cannot be scored on the column 'color': .* Hint: .* Pipeline"
    ):
        ep.SwarmFS(measure=measure, n_rounds=3, random_state=0).fit(X, [0, 1] * 10)


def test_folds_that_cannot_be_made():
    """Too few rows of a class are told in a sentence of ours, with the way out."""
    X = np.random.default_rng(0).random((20, 2))
    cut = cuts.BestSize(cv=5)
    with pytest.raises(
        DataError, match=r"n_splits=5.* cannot split 20 rows: .*10 classes, the largest of 2 .*Hint"
    ):
        ep.select(X, list(range(10)) * 2, cut=cut)
    with pytest.raises(DataError, match=r"n_splits=5.* cannot split 3 rows: .*Hint"):
        ep.select(X[:3], [0.5, 1.5, 2.5], cut=cut)
    with pytest.warns(SelectionWarning, match="1 of 2 classes have fewer rows than the 5 folds"):
        ep.select(X, [0] * 18 + [1] * 2, cut=cut)
