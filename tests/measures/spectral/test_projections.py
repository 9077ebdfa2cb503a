"""Projections of UFSOL: with many columns the same as from the matrix of all columns."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick as ep
from entropick.measures.spectral import projections
from entropick.measures.spectral.projections import Projections, WideProjections
from strategies import examples

N_ROWS, N_COLUMNS, N_VECTORS = 12, 90, 3


def table(seed):
    """Rows, a Laplacian of them, clusters of them and a diagonal."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(N_ROWS, N_COLUMNS))
    graph = rng.random((N_ROWS, N_ROWS)) < 0.3
    graph = np.triu(graph, 1) | np.triu(graph, 1).T
    clusters = rng.integers(0, 3, N_ROWS)
    members = clusters[:, None] == np.unique(clusters)
    laplacian = np.diag(graph.sum(axis=1)) - graph.astype(float)
    return rows, laplacian, members / np.sqrt(members.sum(axis=0)), rng.uniform(0.1, 2.0, N_COLUMNS)


def check_equal(rows, laplacian, members, diagonal, margin=1e-9):
    expected, projected = Projections(rows, laplacian)(members, diagonal, N_VECTORS)
    lengths, found = WideProjections(rows, laplacian)(members, diagonal, N_VECTORS)
    assert lengths == pytest.approx(expected, abs=margin)
    assert found @ found.T == pytest.approx(projected @ projected.T, abs=margin)  # a rotation may differ


@examples(20)
@given(
    seed=st.integers(0, 1000),
    weight=st.sampled_from([0.0, 1.0, 10.0]),
    is_equal=st.booleans(),
    steep=st.booleans(),
)
def test_wide_projections(seed, weight, is_equal, steep):
    """With weight 0 the middle matrix takes clusters to 0; a steep diagonal is that of columns that score 0."""
    rows, laplacian, members, diagonal = table(seed)
    if steep:
        diagonal[::2] *= 1e8  # the matrix of all columns is then known to eight digits less
    diagonal = np.ones(N_COLUMNS) if is_equal else diagonal
    check_equal(rows, weight * laplacian, members, diagonal, 1e-6 if steep else 1e-9)


def test_vectors_of_a_multiple_eigenvalue_are_all_found():
    """Columns without values that cost the same: not only some of them belong to the projection."""
    rows, laplacian, members, diagonal = table(0)
    rows[:, :10] = 0.0
    diagonal[:10] = 0.05
    check_equal(rows, laplacian, members, diagonal)
    lengths, _ = WideProjections(rows, laplacian)(members, diagonal, N_VECTORS)
    assert lengths[:10] == pytest.approx(1.0)


def test_ufsol_of_many_columns(monkeypatch):
    """A whole fit has the scores of a fit that makes the matrix of all columns."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 120))
    X[:10, :4] += 3.0
    selector = ep.UFSOL(n_clusters=2, max_rounds=3, tol=0.0)
    with pytest.warns(UserWarning, match="converge"):
        expected = selector.fit(X).scores_
    monkeypatch.setattr(projections, "MANY_COLUMNS", 50)
    with pytest.warns(UserWarning, match="converge"):
        assert selector.fit(X).scores_ == pytest.approx(expected, abs=1e-8)
