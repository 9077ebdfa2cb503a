"""Measures that preserve the structure of the rows: FSASL, UFSOL and DGUFS."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import assume, given, strategies as st
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

import entropick as ep
import naive
from entropick import measures
from entropick._base.threads import Threads
from entropick.exceptions import DataError
from entropick.measures.spectral import structure
from entropick.measures.spectral.clusters import k_means
from entropick.measures.spectral.dependence import better_clusters, nearness
from entropick.measures.spectral.structure import (
    lasso_descriptions,
    project_to_simplex,
    row_sparse_regression,
)
from strategies import examples

SELECTORS = [ep.FSASL, ep.UFSOL, ep.DGUFS]


def clouds(seed, n=40, d=6, apart=8.0):
    """Two clouds in different units; which cloud each row is of."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    X = rng.normal(size=(n, d))
    X[:, :2] += apart * labels[:, None] * [1, -1]
    return X * 10.0 ** rng.integers(-2, 3, d), labels


def scores(X, measure):
    return ep.select(X, measure=measure, cut=1.0).scores


@examples(6)
@given(seed=st.integers(0, 1000), n_rounds=st.sampled_from([1, 2]), gamma=st.sampled_from([0.1, 1.0]))
def test_fsasl_equals_naive(seed, n_rounds, gamma):
    """The same scores as dense matrices and a lasso by plain loops give."""
    X, _ = clouds(seed, n=16, d=24, apart=2.0)  # more columns than rows: the lasso is quickly solved
    expected = naive.fsasl(naive.standardised(X), 6, 2, 0.1, 1.0, gamma, n_rounds)
    found = scores(X, measures.FSASL(2, 6, 0.1, 1.0, gamma, n_rounds, scaling="std"))
    assert found == pytest.approx(expected, rel=2e-2, abs=1e-3)


@examples(10)
@given(seed=st.integers(0, 1000), alpha=st.sampled_from([0.0, 1.0, 10.0]), n_rounds=st.sampled_from([1, 3]))
def test_ufsol_equals_naive(seed, alpha, n_rounds):
    """The same scores as dense matrices give, for clouds that k-means does not miss."""
    X, labels = clouds(seed)
    rows = naive.standardised(X)
    found, _ = k_means(rows / np.linalg.norm(rows, axis=1)[:, None], 2, np.random.RandomState(0))
    assume(len(set(zip(found, labels, strict=True))) == 2)
    expected = naive.ufsol(naive.standardised(X), labels, 5, 2, alpha, 0.5, n_rounds)
    found = scores(X, measures.UFSOL(2, 5, alpha, 0.5, max_rounds=n_rounds, tol=0.0, scaling="std"))
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("beta", [0.0, 0.1, 0.5])
def test_dgufs_equals_naive(beta):
    """Mostly the scores of the best of all partitions of few rows; sometimes the search ends before."""
    n_equal = 0
    for seed in range(20):
        X, _ = clouds(seed, n=7, d=5)
        _, _, expected = naive.dgufs(naive.standardised(X), 2, 2, 3, beta)
        n_equal += scores(X, measures.DGUFS(2, 2, 3, beta)) == pytest.approx(expected, abs=1e-9)
    assert n_equal >= 18


def test_nearness_equals_naive():
    """Near rows of DGUFS, centred on both sides."""
    X = naive.standardised(clouds(0, n=12)[0])
    assert nearness(X, 3, Threads(1)) == pytest.approx(naive.dgufs_nearness(X, 3), abs=1e-12)


@pytest.mark.slow
@examples(20)
@given(seed=st.integers(0, 10_000), n_clusters=st.integers(1, 6), shift=st.sampled_from([0.0, 1e6]))
def test_k_means_is_as_good_as_that_of_scikit_learn(seed, n_clusters, shift):
    """No row is nearer to the mean of another cluster, and not much more is left unexplained."""
    rng = np.random.default_rng(seed)
    points = np.round(rng.normal(size=(60, 3)) + 4 * rng.integers(0, 3, (60, 1)), 1) + shift
    labels, error = k_means(points, n_clusters, np.random.RandomState(seed))
    means = np.array([points[labels == cluster].mean(axis=0) for cluster in range(n_clusters)])
    distances = ((points[:, None] - means) ** 2).sum(axis=2)
    own = np.take_along_axis(distances, labels[:, None], axis=1)
    assert (own <= distances + 1e-6).all()
    assert error == pytest.approx(own.sum(), rel=1e-6)
    assert error <= 1.3 * KMeans(n_clusters, n_init=10, random_state=0).fit(points).inertia_


@pytest.mark.parametrize(("distinct", "n_clusters", "n_found"), [(1, 3, 1), (2, 3, 2), (5, 5, 5)])
def test_k_means_finds_no_more_clusters_than_distinct_rows(distinct, n_clusters, n_found):
    """Copies of a row are of one cluster."""
    points = np.repeat(np.arange(distinct)[:, None] ** 2.0, 4, axis=0)
    labels, error = k_means(points, n_clusters, np.random.RandomState(0))
    assert len(np.unique(labels)) == n_found
    assert error == pytest.approx(0, abs=1e-12)


@examples(20)
@given(seed=st.integers(0, 10_000), n_clusters=st.integers(1, 4))
def test_clusters_only_get_better(seed, n_clusters):
    """The sum over rows of the same cluster never falls, and no row could go elsewhere by itself."""
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(15, 6))
    kernel = factor @ factor.T
    first = rng.integers(0, n_clusters, 15)[:, None] == np.arange(n_clusters)
    found = better_clusters(kernel, first)
    assert (found.sum(axis=1) == 1).all()
    assert np.trace(found.T @ kernel @ found) >= np.trace(first.T @ kernel @ first) - 1e-9
    assert np.array_equal(better_clusters(kernel, found), found)


@pytest.mark.slow
@pytest.mark.parametrize("standardised", [False, True])
def test_the_published_dgufs_never_leaves_its_start(standardised):
    """However many rounds: a column that is not kept has a gradient of 0, whatever the clusters."""
    from sklearn.datasets import load_wine

    X = load_wine().data[::5, :8]
    X = naive.standardised(X) if standardised else X - X.mean(axis=0)
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    kept, L = naive.dgufs_as_published(X.T, -distances / distances.max(), 3, n_rounds=100)
    assert np.abs(L).max() > 0.1  # there are clusters
    assert len({tuple(columns) for columns in kept}) == 1
    if not standardised:
        assert set(kept[0]) == set(np.argsort(np.linalg.norm(X, axis=0))[:3])  # the smallest columns


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8))
def test_projection_to_the_simplex(values):
    """Not below 0, sums to 1, and the nearest such point."""
    found = project_to_simplex(np.array([values]))[0]
    assert found == pytest.approx(naive.simplex_weights(values), abs=1e-9)
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize("d", [30, 5])
def test_descriptions_of_rows(d):
    """Each row is described by others as well as a lasso by plain loops does it, with more columns or more rows."""
    points = np.random.default_rng(0).normal(size=(12, d))
    found = lasso_descriptions(points, 0.2, Threads(1))
    assert not found.diagonal().any()
    for i in range(12):
        A = np.delete(points, i, axis=0).T
        penalty = 0.2 * np.abs(A.T @ points[i]).max()

        def value(x, A=A, i=i, penalty=penalty):
            return ((A @ x - points[i]) ** 2).sum() / 2 + penalty * np.abs(x).sum()

        best = value(naive.lasso(A, points[i], penalty))
        assert value(np.delete(found[:, i], i)) == pytest.approx(best, rel=1e-4)


def test_descriptions_that_are_approached_with_few_columns(monkeypatch):
    """Of rows on a lattice, by columns or by products of rows: 900 x 3 took more than a minute."""
    points = np.random.default_rng(0).integers(-3, 4, (60, 3)).astype(np.float64)
    found = lasso_descriptions(points, 0.05, Threads(1))
    monkeypatch.setattr(structure, "FLAT", 1000)
    assert found == pytest.approx(lasso_descriptions(points, 0.05, Threads(1)), abs=1e-9)
    monkeypatch.setattr(structure, "MOST_UPDATES", 1)  # more rows take fewer rounds, and it is said
    with pytest.warns(ConvergenceWarning, match="did not converge in 100 rounds"):
        lasso_descriptions(points, 0.001, Threads(1))


def test_descriptions_of_copies(monkeypatch):
    """The first other copy describes; 900 rows of which 41 differ took more than a minute."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(5, 3))[[0, 1, 2, 0, 3, 4, 0, 2]]
    found = lasso_descriptions(points, 0.05, Threads(1))
    assert not found.diagonal().any()
    assert not found[[3, 6, 7]][:, [1, 4, 5]].any()  # of copies only the first describes others
    assert (found[:, 3] == found[:, 6]).all()
    assert (found[3, 0], found[7, 2]) == (found[0, 3], found[2, 7])
    monkeypatch.setattr(structure, "first_copies", lambda values: np.arange(values.shape[1]))
    assert points.T @ found == pytest.approx(
        points.T @ lasso_descriptions(points, 0.05, Threads(1)), abs=1e-4
    )


def test_regression_with_more_columns_than_rows():
    """The same weights by a table of rows as by one of columns."""
    rng = np.random.default_rng(0)
    points, wanted = rng.normal(size=(12, 30)), rng.normal(size=(12, 2))
    D = np.eye(30)
    for _ in range(10):
        W = np.linalg.solve(points.T @ points + 0.5 * D, points.T @ wanted)
        D = np.diag(1 / (2 * np.maximum(np.linalg.norm(W, axis=1), 1e-8)))
    assert row_sparse_regression(points, wanted, 0.5) == pytest.approx(W, abs=1e-5)


@pytest.mark.parametrize("selector", SELECTORS)
def test_laws(selector):
    """Threads and containers change no bit, units and the order of rows next to nothing; y is ignored."""
    pd = pytest.importorskip("pandas")
    X, labels = clouds(3, n=60)
    X = np.round(X, 3)
    fit = selector(n_features=1.0, n_clusters=2).fit
    expected = fit(X).scores_
    for same in (X.tolist(), np.asfortranarray(X), pd.DataFrame(X), scipy.sparse.csr_array(X)):
        assert np.array_equal(fit(same).scores_, expected)
    assert np.array_equal(fit(X, labels).scores_, expected)
    assert np.array_equal(selector(1.0, n_clusters=2, n_jobs=3).fit(X).scores_, expected)
    order = np.random.default_rng(0).permutation(60)
    assert fit(X[order]).scores_ == pytest.approx(expected, rel=1e-2, abs=1e-4)
    assert fit(X * 2.0 ** np.arange(6)).scores_ == pytest.approx(expected, rel=1e-2, abs=1e-4)


@pytest.mark.parametrize("selector", SELECTORS)
def test_odd_tables(selector):
    """Constants and copies score 0; few rows, many columns, equal rows and large numbers give finite scores."""
    X, _ = clouds(4)
    found = selector(1.0).fit(np.column_stack([np.ones(40), X, X[:, 0]])).scores_
    assert found[0] == found[7] == 0
    rng = np.random.default_rng(0)
    for shape in ((2, 3), (3, 1), (12, 60)):
        assert np.isfinite(selector(1.0).fit(rng.normal(size=shape)).scores_).all()
    assert np.isfinite(selector(1.0).fit(np.repeat(rng.normal(size=(3, 4)), 10, axis=0)).scores_).all()
    assert np.isfinite(selector(1.0).fit(X * [1e200, 1e-200, 1, 1, 1, 1]).scores_).all()
    assert selector(1.0).fit(np.ones((10, 3))).order_.tolist() == [0, 1, 2]
    with pytest.raises(DataError, match="got 1 sample"):
        selector().fit(X[:1])


@pytest.mark.parametrize("selector", SELECTORS)
def test_columns_with_clusters_are_found(selector):
    """The five columns in which clouds of rows stand apart rank first."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 300)
    X = rng.normal(size=(300, 30))
    X[:, :5] += 2 * rng.normal(size=(4, 5))[y]
    assert set(selector(n_features=5, n_clusters=4).fit(X[:, ::-1]).order_) == set(range(25, 30))
