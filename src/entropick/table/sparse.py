"""Sparse matrices: only stored values are looked at, only levels other than zero's are stored."""

from typing import TYPE_CHECKING

import numpy as np

from entropick._kernels import binning as kernels
from entropick.exceptions import DataError
from entropick.table.inputs import SparseInput
from entropick.table.memory import freeze, padded, smallest_dtype
from entropick.table.table import ColumnEncoding, DensePart, SparsePart

if TYPE_CHECKING:
    from entropick.table.encode import Rules

ROW_BYTES = 4  # a stored row number


def encode_sparse(
    source: SparseInput, rules: "Rules"
) -> tuple[tuple[DensePart | SparsePart, ...], list[ColumnEncoding]]:
    """Encode the columns of a sparse matrix; those with many stored levels become dense ones."""
    from entropick.table.encode import Cut, refuse_missing

    matrix, n_rows = source.matrix, source.n_rows
    data = matrix.data.astype(np.float64)
    starts = matrix.indptr.astype(np.int64)
    n_columns = len(starts) - 1
    _refuse_infinite(data, source)
    edges = np.zeros((n_columns, rules.n_bins))
    n_edges, n_missing = np.zeros(n_columns, np.int64), np.zeros(n_columns, np.int64)
    kept, last = np.zeros(n_columns, np.bool_), np.zeros(n_columns)
    strategy = kernels.QUANTILE if rules.binning == "quantile" else kernels.UNIFORM
    kernels.find_sparse_edges(
        data, starts, n_rows, rules.n_bins, strategy, edges, n_edges, kept, last, n_missing
    )
    for j in np.flatnonzero(n_missing).tolist():
        refuse_missing(source.names[j], int(n_missing[j]), rules)
    cut = Cut(edges, n_edges, n_missing, kept, low=last, high=last, n_rows=n_rows)
    codes = np.empty(len(data), smallest_dtype(rules.most_levels))
    kernels.assign_sparse_levels(data, starts, edges, n_edges, cut.missing_level, codes)
    is_edge = np.arange(edges.shape[1]) < n_edges[:, None]
    usual = np.count_nonzero(is_edge & (edges < 0), axis=1)  # the level of zero
    usual[n_missing == n_rows] = 0
    encodings = [cut.encoding(j, name, "numeric") for j, name in enumerate(source.names)]
    return _parts(matrix.indices, codes, starts, usual, n_rows), encodings


def _parts(
    rows: np.ndarray, codes: np.ndarray, starts: np.ndarray, usual: np.ndarray, n_rows: int
) -> tuple[DensePart | SparsePart, ...]:
    """Drop what equals the usual level; store each column the way that takes less memory."""
    column = np.repeat(np.arange(len(usual)), np.diff(starts))
    unusual = codes != usual[column]
    rows, codes, column = rows[unusual].astype(np.int32), codes[unusual], column[unusual]
    lengths = np.bincount(column, minlength=len(usual))
    is_sparse = lengths * (ROW_BYTES + codes.itemsize) <= n_rows * codes.itemsize
    parts: list[DensePart | SparsePart] = []
    chosen = np.flatnonzero(is_sparse)
    if len(chosen):
        stored = is_sparse[column]
        new_starts = np.concatenate([[0], np.cumsum(lengths[chosen])]).astype(np.int64)
        part = SparsePart(chosen, new_starts, rows[stored], codes[stored], usual[chosen])
        freeze(part.columns, part.starts, part.rows, part.codes, part.usual)
        parts.append(part)
    chosen = np.flatnonzero(~is_sparse)
    if len(chosen):
        dense = np.zeros((len(chosen), padded(n_rows)), codes.dtype)
        dense[:, :n_rows] = usual[chosen, None]
        stored = ~is_sparse[column]
        place = np.cumsum(~is_sparse) - 1
        dense[place[column[stored]], rows[stored]] = codes[stored]
        freeze(chosen, dense)
        parts.append(DensePart(chosen, dense))
    return tuple(parts)


def _refuse_infinite(data: np.ndarray, source: SparseInput) -> None:
    infinite = np.flatnonzero(np.isinf(data))
    if len(infinite):
        at = int(infinite[0])
        j = int(np.searchsorted(source.matrix.indptr, at, side="right")) - 1
        raise DataError(
            f"Column {source.names[j]!r} holds an infinite value (row {source.matrix.indices[at]}: "
            f"{data[at]}); values must be finite or missing. Hint: clip it, or replace it by NaN."
        )
