"""Graphs that join each row to its nearest rows."""

import numpy as np
import scipy.sparse
from sklearn.neighbors import NearestNeighbors

from entropick._kernels import neighbors as kernels
from entropick.exceptions import DataError
from entropick.table.numbers import Numbers
from entropick.threads import Threads, one_blas_thread

BLOCK_ROWS = 256  # rows compared with all others at once
SPARE = 8  # rows more than wanted are found by products, in case rounding changes their order


def nearest_rows(points: Numbers, n_neighbors: int, threads: Threads) -> tuple[np.ndarray, np.ndarray]:
    """Euclidean distances and indices (rows, n_neighbors) of the nearest other rows, nearest first.

    With fewer rows than that, all others. Of rows at the same distance those of the lowest index come first.
    """
    k = min(n_neighbors, points.shape[0] - 1)
    if isinstance(points, np.ndarray):
        return _nearest_dense_rows(points, k, threads)
    return NearestNeighbors(n_neighbors=k).fit(points.tocsr()).kneighbors()


def _nearest_dense_rows(points: np.ndarray, k: int, threads: Threads) -> tuple[np.ndarray, np.ndarray]:
    """By products of rows in single precision, then exactly among the nearest found that way."""
    n_rows = len(points)
    centred = points - points.mean(axis=0)
    single = np.ascontiguousarray(centred / (np.abs(centred).max() or 1.0), dtype=np.float32)
    squares = np.einsum("ij,ij->i", single, single)
    distances, indices = np.empty((n_rows, k)), np.empty((n_rows, k), np.int64)

    def run(first: int, last: int) -> None:
        for start in range(first * BLOCK_ROWS, min(last * BLOCK_ROWS, n_rows), BLOCK_ROWS):
            rows = slice(start, min(start + BLOCK_ROWS, n_rows))
            found = np.empty((rows.stop - start, min(k + SPARE, n_rows - 1)), np.int64)
            kernels.nearest_by_products(single[rows] @ single.T, squares, start, found)
            exact = _distances(points, rows, found)
            order = np.lexsort((found, exact), axis=1)[:, :k]
            distances[rows] = np.take_along_axis(exact, order, axis=1)
            indices[rows] = np.take_along_axis(found, order, axis=1)

    seconds = BLOCK_ROWS * n_rows * (1e-9 + 2e-11 * points.shape[1])
    with one_blas_thread():
        threads.run(run, -(-n_rows // BLOCK_ROWS), seconds)
    return distances, indices


def _distances(points: np.ndarray, rows: slice, others: np.ndarray) -> np.ndarray:
    """Distances of some rows to some others each."""
    squared = np.zeros(others.shape)
    for column in points.T:
        squared += (column[rows, None] - column[others]) ** 2
    return np.sqrt(squared)


def heat_graph(
    points: Numbers, n_neighbors: int, bandwidth: float | None, threads: Threads
) -> scipy.sparse.csr_array:
    """Weights exp(−‖x−x'‖²/t) between rows of which one is among the nearest of the other, 0 elsewhere.

    Parameters
    ----------
    points : rows as points
    n_neighbors : neighbours of each row in the graph
    bandwidth : t; None takes the mean squared distance of the rows joined
    threads : threads
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
