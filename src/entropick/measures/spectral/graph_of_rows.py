"""Graphs that join each row to its nearest rows."""

import numpy as np
import scipy.sparse

from entropick import _core
from entropick._base.threads import Threads, one_blas_thread
from entropick.exceptions import DataError
from entropick.measures.spectral.row_order import content_order, rows_of
from entropick.table.numeric.numbers import Numbers

BLOCK_ROWS = 256  # rows compared with all others at once


def nearest_rows(points: Numbers, n_neighbors: int, threads: Threads) -> tuple[np.ndarray, np.ndarray]:
    """Euclidean distances and indices (rows, n_neighbors) of the nearest other rows, nearest first.

    If there are fewer rows, all others. Rows at the same distance are sorted by `content_order`, so that the
    order of rows does not matter; copies, which are interchangeable, by their index. If most rows are copies,
    only distinct rows are compared.
    """
    n_rows = points.shape[0]
    k = min(n_neighbors, n_rows - 1)
    order = content_order(points)
    _, first, copies = np.unique(order, return_index=True, return_counts=True)
    if 2 * len(first) > n_rows:
        return _nearest(points, order, k, threads)
    distances, near = _nearest(rows_of(points, first), np.arange(len(first)), min(k, len(first) - 1), threads)
    return _with_copies(distances, near, order, copies, k)


def _nearest(points: Numbers, order: np.ndarray, k: int, threads: Threads) -> tuple[np.ndarray, np.ndarray]:
    """Distances and indices of the k nearest other rows; ties by `order`.

    Products of rows in single precision, with bounds of their error, leave few rows to compare exactly.
    """
    n_rows, n_columns = points.shape
    unit = int(np.frexp(abs(points).max())[1])  # a power of two: scaling does not round
    error = (n_columns + 8) * float(np.finfo(np.float32).eps)
    rows, single = (_dense if isinstance(points, np.ndarray) else _sparse)(points, unit, order, error)
    squared, indices = np.empty((n_rows, k)), np.empty((n_rows, k), np.int64)

    def run(first: int, last: int) -> None:
        for start in range(first * BLOCK_ROWS, min(last * BLOCK_ROWS, n_rows), BLOCK_ROWS):
            block = slice(start, min(start + BLOCK_ROWS, n_rows))
            products = single[block] @ single.T
            if not isinstance(products, np.ndarray):
                products = products.toarray()
            rows.nearest(products, start, indices[block], squared[block])

    if k > 0:
        seconds = BLOCK_ROWS * n_rows * (1e-9 + 2e-11 * n_columns)
        with one_blas_thread():
            threads.run(run, -(-n_rows // BLOCK_ROWS), seconds)
    return np.ldexp(np.sqrt(squared), unit), indices


def _with_copies(
    distances: np.ndarray, near: np.ndarray, kinds: np.ndarray, copies: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """The k nearest rows, given the nearest of the distinct rows ("kinds").

    Parameters
    ----------
    distances, near : nearest kinds of each kind
    kinds : kind of each row
    copies : number of rows of each kind
    k : number of nearest rows
    """
    kind = np.column_stack([np.arange(len(copies)), near])  # a kind is nearest to itself
    of_kind = np.column_stack([np.zeros(len(copies)), distances])
    before = np.cumsum(copies[kind], axis=1) - copies[kind]
    taken = (k + 1 - before).clip(0, copies[kind]).ravel()  # rows of each kind, k + 1 in all
    place_in_kind = np.arange(taken.sum()) - np.repeat(np.cumsum(taken) - taken, taken)
    starts = np.cumsum(copies) - copies
    by_kind = np.argsort(kinds, kind="stable")
    rows = by_kind[np.repeat(starts[kind].ravel(), taken) + place_in_kind].reshape(-1, k + 1)[kinds]
    apart = np.repeat(of_kind.ravel(), taken).reshape(-1, k + 1)[kinds]
    # Each row leaves out itself, or the last row found if it is not among its first k + 1 copies.
    is_self = rows == np.arange(len(kinds))[:, None]
    is_self[~is_self.any(axis=1), k] = True
    return apart[~is_self].reshape(-1, k), rows[~is_self].reshape(-1, k)


def _dense(
    points: np.ndarray, unit: int, order: np.ndarray, error: float
) -> tuple[_core.NearestDenseRows, np.ndarray]:
    """The search among scaled rows, and the rows in single precision, centred so that products are small."""
    rows = np.ascontiguousarray(np.ldexp(points, -unit))
    single = (rows - rows.mean(axis=0)).astype(np.float32)
    return _core.NearestDenseRows(rows, _lengths(single), order, error), single


def _sparse(
    points: scipy.sparse.csc_array, unit: int, order: np.ndarray, error: float
) -> tuple[_core.NearestSparseRows, scipy.sparse.csr_array]:
    """The same for sparse rows, which are not centred."""
    rows = scipy.sparse.csr_array(points, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    rows.data = np.ldexp(rows.data, -unit)
    parts = rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    single = rows.astype(np.float32)
    return _core.NearestSparseRows(*parts, _lengths(single), order, error), single


def _lengths(rows: np.ndarray | scipy.sparse.csr_array) -> np.ndarray:
    """Euclidean lengths of rows."""
    squares = (rows.astype(np.float64) ** 2).sum(axis=1)
    return np.asarray(np.sqrt(squares).astype(np.float32))


def heat_graph(
    points: Numbers, n_neighbors: int, bandwidth: float | None, threads: Threads
) -> scipy.sparse.csr_array:
    """Weights exp(−‖x−x'‖²/t) between rows of which one is among the nearest of the other, 0 otherwise.

    The bandwidth t is by default the mean squared distance of joined rows.
    """
    distances, indices = nearest_rows(points, n_neighbors, threads)
    n_rows, k = indices.shape
    squared = distances**2
    t = squared.mean() if bandwidth is None else bandwidth
    weights = np.exp(-squared / t) if t > 0 else np.ones_like(squared)
    if not weights.any():
        raise DataError(
            f"With bandwidth={bandwidth} all weights of the neighbour graph are 0: the squared distances of "
            f"near rows are {squared.mean():.3g} on average. Hint: use a bandwidth of that order, or None."
        )
    starts = np.arange(0, n_rows * k + 1, k)
    graph = scipy.sparse.csr_array((weights.ravel(), indices.ravel(), starts), shape=(n_rows, n_rows))
    return graph.maximum(graph.T.tocsr())
