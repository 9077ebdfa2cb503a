"""Graphs that join each row to its nearest rows."""

import numpy as np
import scipy.sparse
from sklearn.neighbors import NearestNeighbors

from entropick.exceptions import DataError
from entropick.table.values import Values


def nearest_rows(points: Values, n_neighbors: int) -> tuple[np.ndarray, np.ndarray]:
    """Euclidean distances and indices (rows, n_neighbors) of the nearest other rows, nearest first.

    With fewer rows than that, all others. Rows at the same distance are taken in an order of no meaning.
    """
    points = points.tocsr() if not isinstance(points, np.ndarray) else np.ascontiguousarray(points)
    finder = NearestNeighbors(n_neighbors=min(n_neighbors, points.shape[0] - 1)).fit(points)
    distances, indices = finder.kneighbors()
    return distances, indices


def heat_graph(points: Values, n_neighbors: int, bandwidth: float | None) -> scipy.sparse.csr_array:
    """Weights exp(−‖x−x'‖²/t) between rows of which one is among the nearest of the other, 0 elsewhere.

    Parameters
    ----------
    points : rows as points
    n_neighbors : nearest rows each row is joined to
    bandwidth : t; None takes the mean squared distance of the rows joined
    """
    distances, indices = nearest_rows(points, n_neighbors)
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
