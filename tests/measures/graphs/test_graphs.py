"""ECFS, ILFS and the Fisher score, and all graphs of columns on edge cases."""

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.stats
from hypothesis import given, strategies as st
from sklearn.datasets import make_classification

import entropick as ep
import naive
from entropick import measures
from entropick._base.threads import Threads
from entropick.exceptions import DataError, SelectionWarning
from entropick.measures.graphs.ilfs import relevance_probabilities
from entropick.measures.graphs.inffs import supervised_terms
from entropick.table.numeric.moments import compute_moments
from graph_tables import numbers, scores
from helpers import as_sparse, columns_of, make_numbers, make_table
from strategies import tables

SELECTORS = [ep.InfFS, ep.ECFS, ep.ILFS, ep.FisherScore]


# -- the others ----------------------------------------------------------------------------------


@given(data=tables(min_rows=2, max_rows=30), seed=st.integers(0, 1000))
def test_fisher_score_equals_naive(data, seed):
    """Dense and sparse, with constant columns, copies of the classes and classes of one row."""
    for X, y in (data, numbers(seed, n_rows=20)):
        expected = [naive.fisher_score(column, list(y)) for column in columns_of(X)]
        found = [scores(make_table(container, y), "fisher_score") for container in (X, as_sparse(X))]
        assert found[0] == pytest.approx(expected, rel=1e-8, abs=1e-12)
        assert np.array_equal(*found)


def test_fisher_score_of_a_column_that_is_the_class():
    """No width within the classes: a large number, not an infinite one; constants of any value score 0."""
    y = np.array([0, 1, 2] * 5)
    X = np.column_stack([y, y * 0.1 + 1e6, np.full(15, 0.1), np.full(15, 1e-300)])
    found = scores(make_table(X, y), "fisher_score")
    assert found[0] == pytest.approx(1e12)
    assert found[1] == pytest.approx(1e12)
    assert found[2:].tolist() == [0, 0]


def test_a_column_that_is_the_class_leaves_the_others_their_fisher_scores():
    """It counts as the best of the others, which keep the differences they have without it."""
    X, y = numbers(0)
    terms = supervised_terms(make_table(X, y), None)
    with_class = supervised_terms(make_table(np.column_stack([X, y * 1e-9]), y), None)
    assert with_class[0, :-1] == pytest.approx(terms[0])
    assert with_class[0, -1] == 1
    only = supervised_terms(make_table(np.column_stack([y, 2 * y, np.zeros(len(y))]), y), None)
    assert only[0].tolist() == [1, 1, 0]


@given(data=tables(max_rows=30))
def test_moments_equal_numpy(data):
    """Means and variances within classes and over all rows, from dense and sparse columns bit for bit."""
    X, y = data
    X = X * 0.37 - 1
    n_classes = y.max() + 1
    found = [
        compute_moments(make_numbers(container), Threads(1), y.astype(np.int32), n_classes)
        for container in (X, as_sparse(X))
    ]
    assert found[0].mean == pytest.approx(X.mean(axis=0))
    assert found[0].variance == pytest.approx(X.var(axis=0), abs=1e-12)
    for g in np.unique(y):
        assert found[0].class_means[:, g] == pytest.approx(X[y == g].mean(axis=0))
        assert found[0].class_variances[:, g] == pytest.approx(X[y == g].var(axis=0), abs=1e-12)
    for name in ("mean", "variance", "is_constant", "class_means", "class_variances"):
        assert np.array_equal(*(getattr(moments, name) for moments in found))


def test_stored_zeros_and_repeated_entries_change_nothing():
    """A sparse matrix may store zeros, the same place twice, and rows in any order."""
    X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [1.0, 0.0]])
    rows, columns = np.array([2, 0, 2, 1, 3, 0]), np.array([0, 0, 0, 1, 0, 1])
    untidy = scipy.sparse.csc_array((4, 2))
    untidy.indptr = np.array([0, 4, 6])
    order = np.argsort(columns, kind="stable")
    untidy.indices, untidy.data = rows[order], np.array([1.0, 1.0, 2.0, 1.0, 2.0, 0.0])
    found = [compute_moments(values, Threads(1)) for values in (np.asfortranarray(X), untidy)]
    assert np.array_equal(found[0].variance, found[1].variance)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scaling", [None, "range", "std"])
def test_ecfs_equals_naive(alpha, seed, scaling):
    """The leading eigenvector, without its matrix."""
    X, y = numbers(seed)
    columns = columns_of(X)
    expected = naive.ecfs(columns, columns, list(y), alpha, scaling)
    assert scores(make_table(X, y), measures.ECFS(alpha, scaling)) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("n_tokens", [2, 5, 6])
@pytest.mark.parametrize("seed", range(3))
def test_ilfs_equals_naive(n_tokens, seed):
    """Tokens, expectation maximisation and paths, one after the other."""
    X, y = numbers(seed)
    tokens = naive.ilfs_tokens(columns_of(X), list(y), n_tokens)
    p = naive.plsa(tokens, 7)
    assert relevance_probabilities(tokens, 7) == pytest.approx(p, rel=1e-9)
    expected = naive.path_scores(np.outer(p, p), "spectral")
    for container in (X, as_sparse(X)):
        found = scores(make_table(container, y), measures.ILFS(n_tokens=n_tokens, n_iterations=7))
        assert found == pytest.approx(expected, rel=1e-8)


def test_ilfs_learns():
    """More steps separate good and bad columns further, and good ones stay good."""
    X, y = numbers(0, n_rows=300)
    few, many = (scores(make_table(X, y), measures.ILFS(n_iterations=n)) for n in (1, 100))
    assert set(np.argsort(-many)[:2].tolist()) == {0, 1}
    assert many[0] / np.median(many) > few[0] / np.median(few)


# -- data at the edge ----------------------------------------------------------------------------


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: s.__name__)
def test_constant_columns_come_last(selector):
    """A constant column never outranks one that varies."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = np.column_stack([np.full(40, 5.0), rng.normal(size=(40, 3)) + y[:, None], np.zeros(40)])
    assert set(selector(5).fit(X, y).order_[-2:].tolist()) == {0, 4}
    if selector is ep.InfFS:
        assert set(selector(5).fit(X).order_[-2:].tolist()) == {0, 4}


@pytest.mark.parametrize("y", [None, [0, 1, 0, 1, 1]])
def test_nothing_varies(y):
    """Only constant columns: all scores are 0 and the lowest indices are picked."""
    with pytest.warns(SelectionWarning, match="Column 'x0' is constant"):
        fitted = ep.InfFS(2).fit(np.ones((5, 4)), y)
    assert fitted.order_.tolist() == [0, 1]
    assert fitted.selection_.scores[:2].tolist() == [0, 0]


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: s.__name__)
def test_copies_tie(selector):
    """Identical columns have the same score, and the lower index goes first."""
    rng = np.random.default_rng(0)
    y = np.arange(50) % 2
    X = rng.normal(size=(50, 700))
    X[:, 0] += 3 * y
    X[:, 650] = X[:, 0]
    for target in [y, None] if selector is ep.InfFS else [y]:
        fitted = selector(700).fit(X, target)
        steps = {step.column: step for step in fitted.selection_.steps}
        assert 650 in steps[0].ties
        assert fitted.ranking_[0] < fitted.ranking_[650]


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: s.__name__)
@pytest.mark.parametrize("n_rows", [2, 3, 5])
def test_few_rows_and_many_columns(selector, n_rows):
    """More columns than rows, down to two rows, give finite scores."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_rows, 40)), np.arange(n_rows) % 2
    for target in [y, None] if selector is ep.InfFS else [y]:
        assert np.isfinite(selector(40).fit(X, target).scores_).all()


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: s.__name__)
def test_one_row(selector):
    """One row has no spread and no other to compare with: the same error as that of other methods."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SelectionWarning)
        for y in [[1], None] if selector is ep.InfFS else [[1]]:
            with pytest.raises(DataError, match="got 1 sample"):
                selector().fit([[1.0, 2.0]], y)


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: s.__name__)
def test_one_class(selector):
    """One class tells nothing: a warning, and for Inf-FS and ECFS spread is left to decide."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4)) * [1, 5, 2, 3]
    units = {"scaling": None} if selector in (ep.InfFS, ep.ECFS) else {}
    with pytest.warns(SelectionWarning, match="only one class"):
        fitted = selector(4, **units).fit(X, np.zeros(30, int))
    assert fitted.order_.tolist() == ([1, 3, 2, 0] if units else [0, 1, 2, 3])


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: s.__name__)
def test_groups_have_the_score_of_their_best_column(selector):
    """A group comes as one, scored by its best column."""
    X, y = numbers(0)
    alone = selector(12).fit(X, y).scores_
    fitted = selector(11, feature_groups=[[0, 7]]).fit(X, y)
    assert fitted.scores_[0] == fitted.scores_[7]
    if selector in (ep.ILFS, ep.FisherScore):  # mutual information of a group is that of its joint levels
        assert fitted.scores_[0] == pytest.approx(max(alone[0], alone[7]))


def test_missing_values_and_categories():
    """Any table goes: missing values are means, categories are numbered."""
    pd = pytest.importorskip("pandas")
    X, y = numbers(0)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(12)])
    frame.iloc[3, 0] = np.nan
    frame["name"] = ["a", "b", "c"] * 20
    for selector in SELECTORS:
        assert np.isfinite(selector(13).fit(frame, y).scores_).all()
    assert np.isfinite(ep.InfFS(13).fit(frame).scores_).all()


# -- as in the paper -------------------------------------------------------------------------------


def madelon():
    """20 columns that tell the class together, in units larger than those of 480 columns of noise."""
    return make_classification(
        2000, 500, n_informative=5, n_redundant=15, n_clusters_per_class=16, shuffle=False, class_sep=2, random_state=0
    )  # fmt: skip


def test_madelon():
    """Most of the 20 true columns are among the first 20, with and without the classes."""
    X, y = madelon()
    assert len({*range(20)} & {*ep.InfFS(20, alpha=0.5, scaling=None).fit(X).order_.tolist()}) >= 15
    assert len({*range(20)} & {*ep.InfFS(20, scaling=None).fit(X, y).order_.tolist()}) >= 17


def test_madelon_by_mean_shift():
    """What the cut keeps are true columns only, half of them or more with the classes."""
    X, y = madelon()
    supervised, unsupervised = (
        set(ep.InfFS("mean_shift", scaling=None).fit(X, y).order_.tolist()),
        set(ep.InfFS("mean_shift", scaling=None).fit(X).order_.tolist()),
    )
    assert len(supervised) >= 10
    assert len(unsupervised) >= 5
    assert supervised | unsupervised <= set(range(20))


def test_counts_of_words_dense_equal_sparse():
    """The supervised scores of thousands of sparse columns are those of the dense table, bit for bit."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = scipy.sparse.random(
        200, 4000, 0.01, "csr", rng=rng, data_rvs=lambda n: rng.integers(1, 999, n).astype(float)
    )
    X[:, :40] = X[:, :40].multiply(1 + y[:, None]).tocsr()
    sparse, dense = (ep.InfFS(300).fit(container, y) for container in (X, X.toarray()))
    assert np.array_equal(sparse.order_, dense.order_)
    assert np.array_equal(sparse.scores_, dense.scores_, equal_nan=True)
