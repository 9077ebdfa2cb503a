"""Measures of numbers: LaplacianScore, MCFS, UDFS, LLCFS and CFS, and what they share with RRPC."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import assume, given, strategies as st
from scipy.sparse.csgraph import connected_components

import entropick as ep
import naive
from entropick import measures
from entropick._base.threads import Threads
from entropick.exceptions import CombinationError, DataError
from entropick.measures.spectral.eigen import leading_eigenvectors, trailing_eigenvectors
from entropick.measures.spectral.graph_of_rows import heat_graph, nearest_rows
from entropick.measures.spectral.laplacian import cluster_indicators
from entropick.measures.spectral.local import local_scatter
from number_tables import clusters, labels, path, scores
from strategies import examples

SEEDS = st.integers(0, 10_000)
UNSUPERVISED = [ep.LaplacianScore, ep.MCFS, ep.UDFS, ep.LLCFS, ep.CFS]
ALL = [*UNSUPERVISED, ep.RRPC]


def fit(selector, X, **options):
    """Fit any of the selectors, with labels where it needs them."""
    return selector(**options).fit(X, labels(X) if selector is ep.RRPC else None)


# -- the same as the naive twins -------------------------------------------------------------


@examples(20)
@given(seed=SEEDS, k=st.integers(1, 8))
def test_laplacian_score_equals_naive(seed, k):
    """1 − L by the formula of the paper, with dense matrices."""
    X = clusters(seed)
    expected = 1 - naive.laplacian_score(naive.standardised(X), k)
    assert scores(X, measures.LaplacianScore(k, scaling="std")) == pytest.approx(expected, abs=1e-9)
    expected = 1 - naive.laplacian_score(X, k, t=50.0 * X.var())
    found = scores(X, measures.LaplacianScore(k, bandwidth=50.0 * X.var(), scaling=None))
    assert found == pytest.approx(expected, abs=1e-9)


@examples(20)
@given(seed=SEEDS, n_clusters=st.integers(1, 4), n_coefs=st.integers(1, 6))
def test_mcfs_equals_naive(seed, n_clusters, n_coefs):
    """The largest absolute coefficient of regressions done step by step."""
    X = clusters(seed)
    # in parts, the graph has eigenvectors that are not unique; with 12 near rows of 40 it mostly hangs together
    assume(connected_components(naive.heat_weights(naive.standardised(X), 12))[0] == 1)
    expected = naive.mcfs(naive.standardised(X), 12, n_clusters, n_coefs)
    found = scores(X, measures.MCFS(n_clusters, 12, n_coefs=n_coefs, scaling="std"))
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


@examples(20)
@given(seed=SEEDS, k=st.integers(2, 6), gamma=st.sampled_from([0.1, 1.0, 5.0]))
def test_udfs_equals_naive(seed, k, gamma):
    """M and W by the formulas of the paper, with dense selection matrices."""
    X = clusters(seed)
    expected = naive.udfs(naive.standardised(X), k, 2, gamma, ridge=0.5, n_rounds=4)
    measure = measures.UDFS(2, k, gamma, ridge=0.5, max_rounds=4, tol=0.0, scaling="std")
    assert scores(X, measure) == pytest.approx(expected, abs=1e-6)


@examples(15)
@given(seed=SEEDS, k=st.integers(3, 10), beta=st.sampled_from([0.1, 1.0, 20.0]))
def test_llcfs_equals_naive(seed, k, beta):
    """Weights from ridge regressions solved one by one."""
    X = clusters(seed)
    expected = naive.llcfs(naive.standardised(X), k, 3, beta, n_rounds=2)
    measure = measures.LLCFS(3, k, beta, max_rounds=2, tol=0.0, scaling="std")
    assert scores(X, measure) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("summary", ["mean", "minimum"])
@given(seed=SEEDS)
def test_cfs_equals_naive_and_numpy(summary, seed):
    """1 − mean or least |r| with the others, also with a constant column beside them."""
    X = np.column_stack([clusters(seed), np.ones(40)])
    found = scores(X, measures.CFS(summary))
    assert found == pytest.approx(naive.cfs(X, summary), abs=1e-9)
    others = np.abs(np.corrcoef(X[:, :6].T))[~np.eye(6, dtype=bool)].reshape(6, 5)
    expected = 1 - (others.mean(axis=1) if summary == "mean" else others.min(axis=1))
    assert found[:6] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_eigenvectors_of_large_and_small_graphs_agree(monkeypatch):
    """Dense, by products alone, and by factors: the same eigenvectors up to their signs."""
    from entropick.measures.spectral import eigen

    rng = np.random.default_rng(0)
    points = rng.random((300, 2)) * [5, 1]  # a stripe, so that eigenvalues stand apart
    graph = heat_graph(points, 8, None, Threads(1))
    laplacian = scipy.sparse.diags_array(graph.sum(axis=1)) - graph
    ways = [{}, {"DENSE_ROWS": 10, "TRIES": 10_000}, {"DENSE_ROWS": 10, "TRIES": 1}]
    found = []
    for settings_ in ways:
        for name, value in settings_.items():
            monkeypatch.setattr(eigen, name, value)
        vectors = trailing_eigenvectors(laplacian.tocsr(), 4)  # in any order
        found.append((cluster_indicators(graph, 4), vectors @ vectors.T))
    for indicators, projection in found[1:]:
        assert np.abs(indicators) == pytest.approx(np.abs(found[0][0]), abs=1e-5)
        assert projection == pytest.approx(found[0][1], abs=1e-5)
    root = np.sqrt(graph.sum(axis=1))
    again = leading_eigenvectors(
        scipy.sparse.csr_array(np.diag([1.0, 0.5, 0.2])), scipy.sparse.csr_array([[1.0], [0], [0]]), 1
    )
    assert np.abs(again.ravel()) == pytest.approx([0, 1, 0])
    assert np.abs(root @ (root[:, None] * found[0][0])).max() < 1e-8  # none of the trivial one is left


# -- errors known from other packages --------------------------------------------------------


def test_mcfs_takes_absolute_coefficients():
    """Turning the sign of columns changes no score; the largest signed coefficient would change the ranking."""
    X = clusters(3)
    Z = naive.standardised(X)
    flipped = X * [1, -1, 1, -1, 1, -1]
    measure = measures.MCFS(2, 12, n_coefs=4, scaling="std")
    assert scores(flipped, measure) == pytest.approx(scores(X, measure), abs=1e-9)
    right, wrong = naive.mcfs(Z, 12, 2, 4), naive.mcfs(Z, 12, 2, 4, signed=True)
    assert scores(X, measure) == pytest.approx(right, abs=1e-9)
    assert np.argsort(-wrong).tolist() != np.argsort(-right).tolist()


def test_udfs_takes_the_neighbours_of_each_row():
    """Neighbours of the first rows in place of each row's own would give another matrix and ranking."""
    X = naive.standardised(clusters(1, n=60, d=5))
    right, wrong = (naive.udfs_scatter(X, 5, 1.0, wrong_index=index) for index in (False, True))
    assert local_scatter(X, 5, 1.0, Threads(1)) == pytest.approx(right, abs=1e-9)
    assert (np.diag(wrong) > 3 * np.diag(right)).any()
    ranks = [np.argsort(-naive.udfs(X, 5, 2, 1.0, 1.0, 4, index)).tolist() for index in (False, True)]
    found = scores(X, measures.UDFS(2, max_rounds=4, tol=0.0, scaling="std"))
    assert np.argsort(-found).tolist() == ranks[0]
    assert ranks[0] != ranks[1]
    order = np.random.default_rng(0).permutation(60)
    assert local_scatter(X[order], 5, 1.0, Threads(1)) == pytest.approx(right, abs=1e-9)


@pytest.mark.slow
def test_laplacian_score_holds_no_dense_graph():
    """20,000 rows: a dense graph of them would take 3.2 GB; the fit stays below 0.2 GB beside the data."""
    import tracemalloc

    X = np.random.default_rng(0).normal(size=(20_000, 3))
    tracemalloc.start()
    ep.LaplacianScore(n_features=2).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e8


# -- laws ------------------------------------------------------------------------------------


@pytest.mark.parametrize("selector", ALL)
def test_threads_change_nothing(selector):
    """The path is the same bit for bit for any number of threads."""
    X = clusters(2, n=300, d=20)
    paths = [path(fit(selector, X, n_features=8, n_jobs=jobs)) for jobs in (1, 2, 8)]
    assert paths[0] == paths[1] == paths[2]


@pytest.mark.parametrize("selector", ALL)
def test_containers_change_nothing(selector):
    """Arrays, dataframes and sparse matrices of the same numbers agree."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X = np.round(clusters(2, n=80, d=6) * [1, 1, 0, 1, 1, 1], 1)
    expected = fit(selector, X, n_features=1.0).scores_
    names = [f"c{j}" for j in range(6)]
    y = labels(X) if selector is ep.RRPC else None
    for container in (
        np.asfortranarray(X),
        X.tolist(),
        pd.DataFrame(X, columns=names),
        pl.DataFrame(X, schema=names),
    ):
        assert np.array_equal(selector(n_features=1.0).fit(container, y).scores_, expected)
    for sparse in (scipy.sparse.csr_array(X), scipy.sparse.csc_matrix(X), scipy.sparse.coo_array(X)):
        assert selector(n_features=1.0).fit(sparse, y).scores_ == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("selector", ALL)
@pytest.mark.parametrize("sparse", [False, True])
def test_order_of_rows_and_columns_changes_nothing(selector, sparse):
    """Scores belong to columns; sums in another order differ in the last digits only."""
    X = clusters(4, n=60)
    if sparse:
        X = X * (np.random.default_rng(0).random(X.shape) < 0.8)  # no two rows alike
    y = labels(X)
    rows, columns = np.random.default_rng(1).permutation(60), np.random.default_rng(1).permutation(6)
    kind = scipy.sparse.csr_array if sparse else np.asarray
    measure = selector(**({"tol": 0.0, "max_rounds": 3} if selector is ep.LLCFS else {}))
    expected = measure.set_params(n_features=1.0).fit(kind(X), y).scores_
    assert measure.fit(kind(X[rows]), y[rows]).scores_ == pytest.approx(expected, abs=1e-6)
    assert measure.fit(kind(X[:, columns]), y).scores_ == pytest.approx(expected[columns], abs=1e-6)


@pytest.mark.parametrize("selector", ALL)
def test_units_do_not_decide(selector):
    """Columns in other units give the same scores."""
    X = clusters(5, n=60)
    expected = fit(selector, X, n_features=1.0).scores_
    assert fit(selector, X * 2.0 ** np.arange(6) + 5, n_features=1.0).scores_ == pytest.approx(
        expected, abs=1e-6
    )


@pytest.mark.parametrize("selector", ALL)
def test_copies_tie_or_are_left_to_the_first(selector):
    """A copy ties with its original and stands behind it; MCFS and RRPC give it less."""
    X = clusters(6, n=60)
    doubled = np.column_stack([X, X[:, 2], X[:, 2]])
    found = fit(selector, doubled, n_features=1.0)
    if selector in (ep.MCFS, ep.RRPC):
        assert found.scores_[6] <= found.scores_[2] - 1e-6 * (selector is ep.RRPC)
    else:
        ties = next(step.ties for step in found.selection_.steps if step.column == 2)
        assert ties[:2] == (6, 7)
    assert list(found.order_).index(2) < list(found.order_).index(6) < list(found.order_).index(7)


@pytest.mark.parametrize("selector", ALL)
def test_constant_columns_come_last(selector):
    """Constant columns, and those constant up to the rounding of filled gaps, score least."""
    X = clusters(7, n=60)
    gaps = np.full(60, 0.1)
    gaps[::3] = np.nan
    X = np.column_stack([np.full(60, 3.0), X, gaps, np.full(60, np.nan)])
    found = fit(selector, np.asarray(X), n_features=1.0) if selector is not ep.RRPC else None
    if found is None:
        found = selector(n_features=1.0).fit(X, labels(X[:, 1:]))
        assert set(found.order_[:1]) <= set(range(1, 7))
        return
    assert set(found.order_[-3:]) == {0, 7, 8}
    assert np.isfinite(found.scores_).all()
    worst = -1 if selector is ep.LaplacianScore else 0
    assert found.scores_[[0, 7, 8]].tolist() == [worst] * 3


@pytest.mark.parametrize("selector", ALL)
@pytest.mark.parametrize("shape", [(2, 3), (3, 1), (2, 40), (12, 60)])
def test_few_rows_and_many_columns(selector, shape):
    """Two rows, one column, more columns than rows: finite scores, all columns ranked."""
    X = np.random.default_rng(0).normal(size=shape)
    found = selector(n_features=1.0).fit(X, np.arange(len(X)) % 2 if selector is ep.RRPC else None)
    assert np.isfinite(found.scores_).all()
    assert sorted(found.order_) == list(range(shape[1]))


@pytest.mark.parametrize("selector", ALL)
@pytest.mark.parametrize("value", [0.0, 7.5])
def test_nothing_but_constants(selector, value):
    """A table of constants is ranked by index."""
    found = selector(n_features=1.0).fit(np.full((10, 3), value), np.arange(10) % 2)
    assert found.order_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("selector", ALL)
def test_rows_that_are_all_alike(selector):
    """Many equal rows: distances of 0 are handled."""
    X = np.repeat(np.random.default_rng(0).normal(size=(3, 4)), 10, axis=0)
    found = selector(n_features=1.0).fit(X, np.repeat([0, 1, 1], 10))
    assert np.isfinite(found.scores_).all()


@pytest.mark.parametrize("selector", UNSUPERVISED)
def test_y_is_ignored(selector):
    """Any y of the right length may be given, even one that no supervised method would take."""
    X = clusters(8)
    expected = path(selector().fit(X))
    assert path(selector().fit(X, labels(X))) == expected
    assert path(selector().fit(X, [None] * 40)) == expected
    assert path(selector().fit(X, np.zeros(40))) == expected
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        selector().fit(X, np.zeros(39))
    with pytest.raises(DataError, match="got 1 sample"):
        selector().fit(X[:1])


@pytest.mark.parametrize("selector", ALL)
def test_very_large_and_small_numbers(selector):
    """Squares that would overflow do not matter."""
    X = clusters(9)
    y = labels(X)
    expected = selector(n_features=1.0).fit(X, y).scores_
    found = selector(n_features=1.0).fit(X * [1e200, 1e-200, 1, 1e150, 1e-300, 1], y).scores_
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("selector", ALL)
def test_groups_and_fixed_features(selector):
    """A group comes as one, with the score of its best column where columns are ranked."""
    X = clusters(10)
    alone = fit(selector, X, n_features=1.0).scores_
    grouped = fit(selector, X, n_features=1.0, feature_groups=[[0, 3]])
    assert sorted(grouped.order_) == list(range(6))
    if selector is not ep.RRPC:
        assert grouped.scores_[0] == grouped.scores_[3] == max(alone[0], alone[3])
    assert fit(selector, X, n_features=2, fixed_features=[4]).order_[0] == 4


def test_mixed_columns():
    """Categories, booleans, texts and gaps are read as numbers."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "number": np.where(rng.random(50) < 0.2, np.nan, rng.random(50)),
        "text": rng.choice(["a", "b", "c"], 50),
        "flag": rng.random(50) < 0.5,
        "kind": pd.Categorical(rng.choice(["u", "v"], 50)),
    })  # fmt: skip
    for selector in ALL:
        found = selector(n_features=1.0).fit(frame, rng.integers(0, 2, 50))
        assert np.isfinite(found.scores_).all()


# -- what each is for ------------------------------------------------------------------------


def blobs(seed=1, n=300, d=30):
    """Four clouds that differ in the first five columns only, and touch."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n)
    X = rng.normal(size=(n, d))
    X[:, :5] += 2 * rng.normal(size=(4, 5))[y]
    return X, y


@pytest.mark.parametrize("selector", [ep.LaplacianScore, ep.MCFS, ep.LLCFS])
def test_columns_with_clusters_are_found(selector):
    """The five columns in which clouds of rows stand apart rank first."""
    X, _ = blobs()
    options = {} if selector is ep.LaplacianScore else {"n_clusters": 3 if selector is ep.MCFS else 4}
    assert set(selector(n_features=5, **options).fit(X).order_) == set(range(5))


def test_cfs_prefers_columns_that_nothing_repeats():
    """Noisy copies of one column come behind columns of their own."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=(200, 1))
    X = np.column_stack([base + 0.3 * rng.normal(size=(200, 4)), rng.normal(size=(200, 2))])
    assert set(ep.CFS(n_features=2).fit(X).order_) == {4, 5}


def test_mcfs_regresses_on_as_many_columns_as_are_asked_for():
    """As in the paper; without y "auto" keeps the columns with a coefficient."""
    X, _ = blobs()
    few = ep.MCFS(n_features=2, n_clusters=1).fit(X)
    assert few.scores_[few.order_].min() > 0
    assert few.selection_.steps[1].runner_up_score == 0
    some = ep.MCFS(n_features="auto", n_clusters=2).fit(X)
    assert 10 <= len(some.order_) <= 20
    assert (some.scores_[some.order_] > 0).all()


def test_udfs_of_more_columns_than_rows_does_not_depend_on_rounding():
    """Where many projections are equally good all of them count, so that the order of columns is no matter."""
    X = np.random.default_rng(0).normal(size=(15, 40))
    order = np.random.default_rng(1).permutation(40)
    expected = ep.UDFS(n_features=1.0, max_rounds=1).fit(X).scores_
    found = ep.UDFS(n_features=1.0, max_rounds=1).fit(X[:, order]).scores_
    assert found == pytest.approx(expected[order], abs=1e-6)


def test_cuts_by_the_target_refuse_rows_without_label():
    """Permutation and residual count the labels of all rows."""
    y = np.where(np.arange(40) % 2, -1, np.arange(40) // 20)
    for cut in ("permutation", "residual"):
        with pytest.raises(CombinationError, match=r"20 of 40 rows have none.*Hint"):
            ep.select(clusters(0), y, measure="rrpc", cut=cut, unlabelled=-1)


def test_errors_name_the_trouble():
    """A bandwidth that leaves no weight is an error with a way out."""
    with pytest.raises(DataError, match=r"bandwidth=1e-09 all weights.*Hint"):
        ep.LaplacianScore(bandwidth=1e-9).fit(clusters(0))
    with pytest.raises(ValueError, match="summary"):
        ep.CFS(summary="median").fit(clusters(0))


@pytest.mark.parametrize(("n_rows", "n_columns"), [(700, 3), (300, 40), (20, 2), (3, 2)])
def test_nearest_rows_are_those_of_scikit_learn(n_rows, n_columns):
    """Also where values lie far from zero, where rounding in single precision could change the order."""
    from sklearn.neighbors import NearestNeighbors

    rng = np.random.default_rng(0)
    points = rng.random((n_rows, n_columns)) + 1000.0
    k = min(7, n_rows - 1)
    distances, indices = nearest_rows(points, 7, Threads(2))
    exact, near = NearestNeighbors(n_neighbors=k).fit(points - 1000.0).kneighbors()
    assert np.array_equal(indices, near)
    assert distances == pytest.approx(exact, rel=1e-9)


def test_nearest_of_equal_rows_come_by_index():
    points = np.zeros((40, 2))
    distances, indices = nearest_rows(points, 3, Threads(1))
    assert indices[0].tolist() == [1, 2, 3]
    assert indices[39].tolist() == [0, 1, 2]
    assert not distances.any()
