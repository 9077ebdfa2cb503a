"""Order rows by their values, so that the order of the input does not matter."""

import numpy as np
import scipy.sparse

from entropick.table.numeric.numbers import Numbers


def content_order(points: Numbers) -> np.ndarray:
    """Rank of each row, int64, that depends only on its values; equal rows share a rank.

    The order is pseudo-random: sorting by size would prefer low values, and those of the first columns. The
    order of columns does not matter either, except for rows that differ only by which of similar columns has
    which value. Numbers enter by their rank within the column, so that rounding does not matter.
    """
    of_zeros, entries = _mixed_ranks(points)

    def row_sums(column_keys: np.ndarray) -> np.ndarray:
        return np.asarray(entries @ column_keys + (of_zeros * column_keys).sum())

    n_columns = points.shape[1]
    by_values = _mix(row_sums(np.ones(n_columns, np.uint64)))
    columns = _mix(entries.T @ by_values + of_zeros * by_values.sum())
    by_columns = row_sums(columns)
    by_places = row_sums(_mix(np.arange(1, n_columns + 1, dtype=np.uint64)))
    order = np.lexsort((by_places, by_columns))
    keys = np.column_stack([by_columns, by_places])[order]
    found = np.empty(len(order), np.int64)
    found[order] = np.cumsum(np.append(False, (keys[1:] != keys[:-1]).any(axis=1))[: len(order)])
    return found


def in_content_order(points: Numbers) -> Numbers:
    """Sort the rows by `content_order`."""
    return rows_of(points, np.argsort(content_order(points), kind="stable"))


def rows_of(points: Numbers, rows: np.ndarray) -> Numbers:
    """Some rows of a dense or sparse table."""
    return points[rows] if isinstance(points, np.ndarray) else points.tocsr()[rows].tocsc()


def _mixed_ranks(points: Numbers) -> tuple[np.ndarray, np.ndarray | scipy.sparse.csr_array]:
    """A pseudo-random number z_j + M_ij for the rank of each value in its column, as (z, M)."""
    n_rows, n_columns = points.shape
    of_zeros = np.zeros(n_columns, np.uint64)
    if isinstance(points, np.ndarray):
        mixed = np.empty((n_rows, n_columns), np.uint64)
        for j, column in enumerate(points.T):
            mixed[:, j] = _mix(np.unique(column, return_inverse=True)[1].astype(np.uint64) + np.uint64(1))
        return of_zeros, mixed
    columns = points.tocsc()
    mixed = np.empty(columns.nnz, np.uint64)
    for j in range(n_columns):
        stored = slice(columns.indptr[j], columns.indptr[j + 1])
        values = columns.data[stored]
        if len(values) == n_rows:
            mixed[stored] = _mix(np.unique(values, return_inverse=True)[1].astype(np.uint64) + np.uint64(1))
            continue
        levels = np.unique(np.append(values, 0.0))
        of_zeros[j] = _mix(np.searchsorted(levels, [0.0]).astype(np.uint64) + np.uint64(1))[0]
        mixed[stored] = _mix(np.searchsorted(levels, values).astype(np.uint64) + np.uint64(1)) - of_zeros[j]
    stored_as = (mixed, columns.indices, columns.indptr)
    return of_zeros, scipy.sparse.csc_array(stored_as, shape=points.shape).tocsr()


def _mix(numbers: np.ndarray) -> np.ndarray:
    """Hash whole numbers by SplitMix64."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
