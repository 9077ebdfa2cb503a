"""Scores by the graph of near rows: columns that follow it (Laplacian score, MCFS)."""

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path

from entropick._compat import Interval, RealNotInt
from entropick.measures.base import FixedScores, Measure
from entropick.measures.eigen import leading_eigenvectors
from entropick.measures.values import (
    SCALING,
    blocks_of_columns,
    column_block,
    dense,
    first_copies,
    is_constant,
    scaled,
    unit_scores,
    values_in_units,
)
from entropick.neighbors.graph import heat_graph
from entropick.table import Table
from entropick.table.values import Values
from entropick.workers import Workers, one_blas_thread

GRAPH: dict[str, Any] = {
    "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    "bandwidth": [Interval(Real, 0, None, closed="neither"), None],
    **SCALING,
}


class LaplacianScore(Measure):
    """Laplacian score: how much alike the values of near rows are, against all rows.

    The score is 1 − L, where L is He's Laplacian score (small is good there): Σ S_ij f_i f_j / Σ d_i f_i²
    with f freed of its mean by the degrees d, between −1 and 1. Constant columns score −1.

    Parameters
    ----------
    n_neighbors : int, nearest rows each row is joined to
    bandwidth : float or None, t of the weights exp(−‖x−x'‖²/t); None for the mean squared distance
    scaling : "std", "range" or None, how columns are scaled before rows are compared

    References
    ----------
    He, Cai and Niyogi (2005), Laplacian score for feature selection.
    """

    kinds = frozenset({"ranking", "step"})
    needs_values = True
    needs_target = False
    default_search = "ranking"
    default_cut = "count"

    _parameter_constraints: ClassVar[dict[str, Any]] = GRAPH

    def __init__(
        self, n_neighbors: int = 5, bandwidth: float | None = None, scaling: str | None = "range"
    ) -> None:
        self.n_neighbors = n_neighbors
        self.bandwidth = bandwidth
        self.scaling = scaling

    def begin(self, table: Table, workers: Workers) -> FixedScores:
        points = scaled(values_in_units(table, self.scaling), self.scaling)
        graph = heat_graph(points, self.n_neighbors, self.bandwidth, workers)
        return FixedScores(unit_scores(_smoothness(points, graph), table))


def _smoothness(points: Values, graph: scipy.sparse.csr_array) -> np.ndarray:
    """1 − L of every column."""
    degrees = graph.sum(axis=1)
    near, whole = np.empty((2, points.shape[1]))
    for start in (blocks := blocks_of_columns(points)):
        some = slice(start, start + blocks.step)
        block = column_block(points, start, start + blocks.step)
        block -= degrees @ block / degrees.sum()
        near[some] = np.einsum("ij,ij->j", block, graph @ block)
        whole[some] = np.einsum("i,ij,ij->j", degrees, block, block)
    scores = np.full(points.shape[1], -1.0)
    return np.divide(near, whole, out=scores, where=~is_constant(points) & (whole > 0))


class MCFS(Measure):
    """Multi-cluster feature selection: columns that explain the clusters of the neighbour graph.

    The first eigenvectors of the graph's Laplacian show its clusters. Each is regressed on the columns by
    least angle regression, and a column scores its largest absolute coefficient. Constant columns, copies
    of earlier columns and columns in no regression score 0.

    Parameters
    ----------
    n_clusters : int, eigenvectors to look at
    n_neighbors : int, nearest rows each row is joined to
    bandwidth : float or None, t of the weights exp(−‖x−x'‖²/t); None for the mean squared distance
    n_coefs : int, float or None, columns in each regression, or their share in (0, 1]; None for 10
    scaling : "std", "range" or None, how columns are scaled

    References
    ----------
    Cai, Zhang and He (2010), Unsupervised feature selection for multi-cluster data.
    """

    kinds = frozenset({"ranking", "step"})
    needs_values = True
    needs_target = False
    default_search = "ranking"
    default_cut = "threshold"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "n_coefs": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
            None,
        ],
        **GRAPH,
    }

    def __init__(
        self,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        bandwidth: float | None = None,
        n_coefs: float | None = None,
        scaling: str | None = "range",
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.bandwidth = bandwidth
        self.n_coefs = n_coefs
        self.scaling = scaling

    def begin(self, table: Table, workers: Workers) -> FixedScores:
        values = values_in_units(table, self.scaling)
        points = scaled(values, self.scaling)
        graph = heat_graph(points, self.n_neighbors, self.bandwidth, workers)
        first = first_copies(values) == np.arange(values.shape[1])
        useful = np.flatnonzero(first & ~is_constant(values))
        scores = np.zeros(values.shape[1])
        if len(useful):
            columns = dense(points)[:, useful]
            columns = columns - columns.mean(axis=0)
            indicators = cluster_indicators(graph, self.n_clusters)
            n_coefs = self._most_coefs(values.shape[1])
            with one_blas_thread():
                coefs = [_regress(columns, indicator, n_coefs) for indicator in indicators.T]
            scores[useful] = np.abs(coefs).max(axis=0)
        return FixedScores(unit_scores(scores, table))

    def _most_coefs(self, n_columns: int) -> int:
        if self.n_coefs is None:
            return min(10, n_columns)
        if isinstance(self.n_coefs, Integral):
            return int(self.n_coefs)
        return max(1, round(self.n_coefs * n_columns))


def cluster_indicators(graph: scipy.sparse.csr_array, n_clusters: int) -> np.ndarray:
    """The first non-trivial solutions v of L v = λ D v, as columns: nearly constant within clusters."""
    root = np.sqrt(graph.sum(axis=1))
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    scale = scipy.sparse.diags_array(inverse)
    normalised = (scale @ graph @ scale).tocsr()
    n_vectors = min(n_clusters, graph.shape[0] - 1)
    trivial = root / np.linalg.norm(root)
    return inverse[:, None] * leading_eigenvectors(normalised, trivial, n_vectors)


def _regress(columns: np.ndarray, indicator: np.ndarray, n_coefs: int) -> np.ndarray:
    """Coefficients of the columns after so many steps of least angle regression."""
    wanted = indicator - indicator.mean()
    size = np.abs(wanted).max()
    if size == 0:
        return np.zeros(columns.shape[1])
    with warnings.catch_warnings():
        # columns that depend on those taken are left out, which is what is wanted here
        warnings.simplefilter("ignore", ConvergenceWarning)
        # relative to its size, because the path ends at a fixed small covariance
        coefs = lars_path(columns, wanted / size, max_iter=n_coefs, method="lar", return_path=False)[2]
    return size * coefs
