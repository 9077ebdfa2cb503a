"""Compiled means, variances and tokens against numpy."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st

from core.cases import seeds
from entropick import _core


@given(seed=seeds, n_rows=st.integers(1, 60), row_type=st.sampled_from([np.int32, np.int64]))
def test_moments(seed, n_rows, row_type):
    """Dense and sparse columns of the same values give the same bits, and the right ones."""
    rng = np.random.default_rng(seed)
    columns = np.where(rng.random((4, n_rows)) < 0.5, rng.standard_normal((4, n_rows)), 0.0)
    columns[0] = rng.choice([0.0, 2.5])
    codes = rng.integers(0, 3, n_rows).astype(np.int32)
    counts = np.bincount(codes, minlength=3)
    dense = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    of_classes = _core.ClassMoments(codes, 3)
    of_classes.of_dense(columns, *dense)
    column, rows = np.nonzero(columns)
    starts = np.searchsorted(column, np.arange(5))
    sparse = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    of_classes.of_sparse(starts, rows.astype(row_type), columns[column, rows], *sparse)
    by_row = [(np.empty((4, 5)), np.empty((4, 3)), np.empty((4, 3))) for _ in range(2)]
    table = np.ascontiguousarray(columns.T)
    of_classes.of_table(table, 0, *by_row[0])
    stored = scipy.sparse.csr_array(table)
    starts = stored.indptr.astype(np.int64)
    assert of_classes.of_rows(starts, stored.indices.astype(row_type), stored.data, *by_row[1])
    low_high = np.stack([columns.min(axis=1), columns.max(axis=1)], axis=1)
    for found in by_row:
        assert (found[0][:, 3:] == low_high).all()
    for other in (sparse, *((whole[:, :3], *of_each) for whole, *of_each in by_row)):
        for a, b in zip(dense, other, strict=True):
            assert a.tobytes() == b.tobytes()
    whole, means, variances = dense
    assert whole[:, 0] == pytest.approx(columns.mean(axis=1))
    assert whole[:, 1] == pytest.approx(columns.var(axis=1))
    assert whole[:, 2].tolist() == [float((column == column[0]).all()) for column in columns]
    for g in np.flatnonzero(counts):
        assert means[:, g] == pytest.approx(columns[:, codes == g].mean(axis=1))
        assert variances[:, g] == pytest.approx(columns[:, codes == g].var(axis=1))


def test_moments_of_strips():
    """Columns beyond a strip, from any column on; many classes make strips narrow."""
    rng = np.random.default_rng(0)
    for n_columns, n_classes in ((1100, 2), (20, 9000)):
        table, codes = rng.standard_normal((30, n_columns)), rng.integers(0, n_classes, 30).astype(np.int32)
        of_classes = _core.ClassMoments(codes, n_classes)
        dense, by_row = (
            (np.empty((n_columns - 3, k)), *np.empty((2, n_columns - 3, n_classes))) for k in (3, 5)
        )
        of_classes.of_dense(np.ascontiguousarray(table.T[3:]), *dense)
        of_classes.of_table(table, 3, *by_row)
        for a, b in zip(dense, (by_row[0][:, :3], *by_row[1:]), strict=True):
            assert (a == b).all()


def test_moments_of_untidy_rows():
    """A matrix of which a row has a column twice, or out of order, is refused; values not finite are seen."""
    of_classes = _core.ClassMoments(np.zeros(2, np.int32), 1)
    out = np.empty((3, 5)), np.empty((3, 1)), np.empty((3, 1))
    starts = np.array([0, 2, 3])
    for columns in ([1, 1, 0], [2, 1, 0]):
        assert not of_classes.of_rows(starts, np.array(columns), np.ones(3), *out)
    for value in (np.nan, np.inf):
        assert of_classes.of_rows(starts, np.array([0, 1, 0]), np.array([value, 0.0, value]), *out)
        assert not np.isfinite(out[0][0, 0])
        assert out[0][1:, :3].tolist() == [[0.0, 0.0, 1.0]] * 2


@given(
    seed=seeds,
    n_rows=st.integers(1, 40),
    n_tokens=st.integers(1, 7),
    scale=st.sampled_from([1.0, 1e-200, 1e200, 1e308]),
)
def test_tokens(seed, n_rows, n_tokens, scale):
    """Also where squares of values overflow: each row counts once, and nothing else is touched."""
    rng = np.random.default_rng(seed)
    columns = rng.uniform(-1, 1, (2, n_rows)) * scale
    columns[1, 0] = rng.choice([np.inf, -np.inf, np.nan, 0.0])
    codes = rng.integers(0, 3, n_rows).astype(np.int32)
    means = rng.uniform(-1, 1, (2, 3)) * scale
    around = np.zeros((6, n_tokens), np.int64)
    _core.ClassMoments(codes, 3).count_tokens(columns, means, around[2:4])
    assert around[2:4].sum(axis=1).tolist() == [n_rows, n_rows]
    assert not around[[0, 1, 4, 5]].any()
    if scale == 1:
        squares = (columns[0][:, None] - means[0]) ** 2
        expected = np.zeros(n_tokens, np.int64)
        for i in range(n_rows):
            own, other = squares[i, codes[i]], min(squares[i, g] for g in range(3) if g != codes[i])
            expected[min(int(other / (own + other) * n_tokens + 1e-9), n_tokens - 1)] += 1
        assert around[2].tolist() == expected.tolist()


@pytest.mark.parametrize("share", [-1e-13, 0.0, 1e-13])
def test_tokens_at_the_edge(share):
    """Rounding does not decide where every value lies at the edge between two tokens."""
    columns = np.array([[1.0, 2.0, 4.0, 7.0]])
    codes = np.array([0, 1, 0, 1], np.int32)
    means = np.array([[3.0, 3.0 * (1 + share)]])
    counts = np.zeros((1, 6), np.int64)
    _core.ClassMoments(codes, 2).count_tokens(columns, means, counts)
    assert counts.tolist() == [[0, 0, 0, 4, 0, 0]]


@pytest.mark.parametrize("means", [(7.0, 7.0), (7.0 + 1e-15, 7.0), (7.0, 7.0 - 1e-15)])
def test_tokens_at_two_means(means):
    """A value that is the mean of its class and of another is not informative, however means are rounded."""
    counts = np.zeros((1, 6), np.int64)
    of_classes = _core.ClassMoments(np.array([0, 1], np.int32), 3)
    of_classes.count_tokens(np.full((1, 2), 7.0), np.array([[*means, 9.0]]), counts)
    assert counts.tolist() == [[2, 0, 0, 0, 0, 0]]
