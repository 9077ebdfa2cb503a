"""Sparse matrices give the levels of dense ones."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from encoded_tables import encode
from entropick.table import Rules
from entropick.table.codes import DensePart, SparsePart
from entropick.table.encoding.target import encode_target

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


@given(
    values=hnp.arrays(
        np.float64, (30, 4), elements=st.sampled_from([0.0] * 8 + [-2.0, 0.5, 1.0, 2.0, 3.0, np.nan])
    ),
    n_bins=st.integers(2, 6),
    binning=st.sampled_from(["quantile", "uniform"]),
)
def test_sparse_equals_dense(values, n_bins, binning):
    """A sparse matrix is encoded as the same values in an array."""
    rules = Rules(n_bins=n_bins, binning=binning)
    dense, sparse = encode(values, rules=rules), encode(scipy.sparse.csr_array(values), rules=rules)
    assert [c.tolist() for c in sparse] == [c.tolist() for c in dense]
    assert sparse.encodings == dense.encodings


def test_sparse_input_is_not_densified():
    """A matrix that would take 40 GB as an array is encoded within its own size."""
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 100_000, 40_000), rng.integers(0, 400_000, 40_000)
    X = scipy.sparse.coo_array((rng.random(40_000), (rows, columns)), shape=(100_000, 400_000))
    table = encode(X)
    assert isinstance(table.parts[0], SparsePart)
    assert 40_000 * 5 + 400_000 * 8 < table.nbytes < 5_000_000  # rows and codes, and where columns start


def test_mostly_stored_sparse_columns_become_dense():
    """A column that is cheaper as a dense one is stored so."""
    X = scipy.sparse.csc_array(np.column_stack([np.arange(100) % 2, np.eye(100)[0]]))
    kinds = {type(part): part.columns.tolist() for part in encode(X).parts}
    assert kinds == {SparsePart: [1], DensePart: [0]}


def test_mdlp_of_a_sparse_matrix():
    """MDLP looks at every row, a block of columns at a time."""
    X = np.random.default_rng(0).poisson(2.0, (200, 5)) * 1.0
    y = (X[:, 1] > 2).astype(int)
    rules = Rules(n_bins=3, binning="mdlp")
    dense = encode(X, encode_target(y), rules=rules)
    sparse = encode(scipy.sparse.csr_array(X), encode_target(y), rules=rules)
    assert [c.tolist() for c in sparse] == [c.tolist() for c in dense]
