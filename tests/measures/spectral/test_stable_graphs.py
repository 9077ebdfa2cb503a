"""Graph measures do not depend on rounding: dependent columns, multiple eigenvalues, signs."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import lars_path

import entropick as ep
from entropick.measures.spectral.eigen import fixed_basis, leading_eigenvectors
from entropick.measures.spectral.laplacian import cluster_indicators
from entropick.measures.spectral.least_angle import least_angle_regression


def one_hot_table(seed, n_rows=200):
    """Three indicators that sum to 1, and numbers of which one is the sum of two others."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 3, n_rows)
    sizes = rng.normal(size=(n_rows, 3)) + kinds[:, None]
    return np.column_stack([np.eye(3)[kinds], sizes, sizes[:, 0] + sizes[:, 1]])


@pytest.mark.parametrize("seed", range(20))
def test_mcfs_scores_of_dependent_columns_stay_small(seed):
    """Coefficients of columns that depend on each other would be any numbers, up to 1e14."""
    found = ep.MCFS(n_features=7).fit(one_hot_table(seed)).selection_
    assert max(step.score for step in found.steps) < 10


@pytest.mark.parametrize("seed", range(10))
def test_mcfs_gives_nothing_to_a_multiple_of_an_earlier_column(seed):
    """It joins at the same point as the first one, and depends on it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 6)) + 4 * rng.integers(0, 3, (120, 1)) * [1, 1, 0, 0, 0, 0]
    found = ep.MCFS(n_features=7, n_clusters=2, scaling="std").fit(np.column_stack([X, X[:, 0] * 3 + 5]))
    assert found.scores_[6] == 0.0
    assert found.scores_[0] > 0.0


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n_coefs", [1, 3, 5, 8])
def test_least_angle_regression_is_that_of_scikit_learn(seed, n_coefs):
    """The same coefficients where no column depends on others."""
    rng = np.random.default_rng(seed)
    columns, wanted = rng.normal(size=(40, 8)), rng.normal(size=40)
    columns, wanted = columns - columns.mean(axis=0), wanted - wanted.mean()
    expected = lars_path(columns, wanted, max_iter=n_coefs, method="lar", return_path=False)[2]
    assert least_angle_regression(columns, wanted, n_coefs) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("n_coefs", [2, 3, 4, 10])
def test_dependent_columns_leave_the_path_alone(n_coefs):
    """Columns in the span of earlier ones change no coefficient, wherever the path ends."""
    rng = np.random.default_rng(0)
    columns, wanted = rng.normal(size=(40, 5)), rng.normal(size=40)
    mixed = np.column_stack([columns, columns @ rng.normal(size=(5, 3)), -columns[:, 1]])
    found = least_angle_regression(mixed, wanted, n_coefs)
    assert np.linalg.matrix_rank(mixed[:, found != 0]) == np.count_nonzero(found) <= min(n_coefs, 5)
    if n_coefs >= 5:
        assert mixed @ found == pytest.approx(
            columns @ np.linalg.lstsq(columns, wanted, rcond=None)[0], abs=1e-8
        )


def test_columns_that_join_together_all_join():
    """Rounding does not decide between columns of equal covariance, one of which is asked for."""
    rng = np.random.default_rng(1)
    one, wanted = rng.normal(size=30), rng.normal(size=30)
    other = (
        one - 2 * (one @ wanted) / (wanted @ wanted) * wanted
    )  # its mirror image: covariance −(one @ wanted)
    columns = np.column_stack([one, other])
    expected = least_angle_regression(columns, wanted, 1)
    assert np.count_nonzero(expected) == 2
    for change in (1e-13, -1e-13):
        found = least_angle_regression(columns * [1, 1 + change], wanted, 1)
        assert found == pytest.approx(expected, rel=1e-9)


def parts_graph(sizes, seed=0):
    """A graph of several parts without any edge between them."""
    rng = np.random.default_rng(seed)
    blocks = []
    for size in sizes:
        weights = rng.uniform(0.5, 1.0, (size, size))
        blocks.append((weights + weights.T) / 2 * (1 - np.eye(size)))
    return scipy.sparse.csr_array(scipy.sparse.block_diag(blocks))


@pytest.mark.parametrize("sizes", [(5, 7), (4, 6, 9), (3, 4, 5, 6, 7)])
def test_indicators_of_a_graph_in_parts_are_the_parts(sizes):
    """Any basis of the solutions of λ = 0 would do; it is the indicators of the parts, for any order of rows."""
    graph = parts_graph(sizes)
    found = cluster_indicators(graph, len(sizes) - 1)
    for part, vector in zip(np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1]), found.T, strict=True):
        assert np.ptp(vector[part]) < 1e-12
        assert np.count_nonzero(np.abs(vector) > 1e-12) == len(part)
    shuffled = np.random.default_rng(1).permutation(sum(sizes))
    again = cluster_indicators(graph[shuffled][:, shuffled], len(sizes) - 1)
    assert sorted(map(tuple, np.round(again.T[:, np.argsort(shuffled)], 9))) == sorted(
        map(tuple, np.round(found.T, 9))
    )


def test_parts_joined_by_next_to_nothing_are_parts():
    """A weight of 1e-14 leaves the eigenvalues equal but for rounding."""
    graph = parts_graph((5, 7)).tolil()
    graph[0, 11] = graph[11, 0] = 1e-14
    found = cluster_indicators(scipy.sparse.csr_array(graph), 1)
    assert np.abs(found[:5, 1]).max() < 1e-9 < np.abs(found[:5, 0]).min()


@pytest.mark.parametrize("seed", range(5))
def test_the_basis_does_not_depend_on_how_it_was_turned(seed):
    """Turned vectors of one space give one basis, with signs."""
    rng = np.random.default_rng(seed)
    vectors = np.linalg.qr(rng.normal(size=(20, 4)))[0]
    turned = vectors @ np.linalg.qr(rng.normal(size=(4, 4)))[0]
    assert fixed_basis(turned) == pytest.approx(fixed_basis(vectors), abs=1e-10)
    assert fixed_basis(vectors).T @ fixed_basis(vectors) == pytest.approx(np.eye(4), abs=1e-12)


def test_vectors_of_a_multiple_eigenvalue_all_count():
    """Two equal parts have every eigenvalue twice: both vectors are taken, whichever comes first."""
    one = parts_graph((6,)).toarray()
    graph = scipy.sparse.csr_array(scipy.sparse.block_diag([one, one]))
    scale = scipy.sparse.diags_array(1 / np.sqrt(graph.sum(axis=1)))
    normalised = scipy.sparse.csr_array(scale @ graph @ scale)
    values, vectors = np.linalg.eigh(normalised.toarray())
    known = scipy.sparse.csr_array(vectors[:, -2:])
    found = leading_eigenvectors(normalised, known, 1)
    assert found.shape == (12, 2)
    assert normalised @ found == pytest.approx(values[-3] * found, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_mcfs_of_rows_in_several_clouds_does_not_depend_on_their_order(seed):
    """Clouds far from each other are parts of the graph; their order is that of the rows."""
    rng = np.random.default_rng(seed)
    cloud = np.repeat([0, 1, 2, 3], 20)
    X = rng.normal(size=(80, 5)) + 50 * np.column_stack(
        [cloud % 2, cloud // 2, cloud * 0, cloud * 0, cloud * 0]
    )
    shuffled = rng.permutation(80)
    one = ep.MCFS(n_features=5, n_clusters=3).fit(X).selection_
    other = ep.MCFS(n_features=5, n_clusters=3).fit(X[shuffled]).selection_
    assert other.scores == pytest.approx(one.scores, rel=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_indicators_that_sum_to_one(seed):
    """Columns that depend on each other exactly have scores like others, not those of a singular system."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, 120)
    X = np.c_[np.eye(3)[kind], rng.normal(size=(120, 5)) + kind[:, None] * rng.random(5)]
    assert np.nanmax(np.abs(ep.MCFS(n_features=4).fit(X).scores_)) < 10
