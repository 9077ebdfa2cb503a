"""Scores by the graph of near rows: Laplacian score and MCFS."""

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from entropick._base.compat import Interval
from entropick._base.threads import Threads, one_blas_thread
from entropick._base.ties import merged
from entropick.measures._shared.convergence import DIGITS
from entropick.measures._shared.values import (
    COUNT,
    COUNT_OR_SHARE,
    SCALING,
    column_block,
    count_of,
    dense,
    first_copies,
    values_in_units,
)
from entropick.measures.base import FixedScores, UnsupervisedRanking
from entropick.measures.spectral.eigen import leading_eigenvectors
from entropick.measures.spectral.graph_of_rows import heat_graph
from entropick.measures.spectral.least_angle import least_angle_regression
from entropick.measures.spectral.row_order import in_content_order
from entropick.table.numeric.numbers import Numbers
from entropick.table.numeric.scaling import blocks_of_columns, is_constant, scaled
from entropick.table.table import Table

__all__ = ["MCFS", "LaplacianScore"]

JOINED = 1e-10  # smaller weights of the normalised graph do not connect its components
DEFAULT_COEFS = 10

GRAPH: dict[str, Any] = {
    "n_neighbors": COUNT,
    "bandwidth": [Interval(Real, 0, None, closed="neither"), None],
    **SCALING,
}


@dataclass(eq=False, repr=False)
class LaplacianScore(UnsupervisedRanking):
    """Laplacian score: columns whose values are similar in near rows, and differ elsewhere.

    Rows are joined to their nearest rows on all columns. The score is 1 − L, where L is the Laplacian score
    of the paper (small is good there), so that high is good: Σ S_ij f_i f_j / Σ d_i f_i² after subtracting
    from f its mean weighted by the degrees d. It is 1 for a column that is constant on every connected
    component of the graph, about 0 for one that is unrelated to it, −1 for a constant column.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours of each row in the graph.
    bandwidth : float or None, default=None
        t of the weights exp(−‖x−x'‖²/t) of joined rows; None takes their mean squared distance.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled, so that units do not matter: to a standard deviation or a range of 1;
        None takes the numbers as they are, as the paper does.

    References
    ----------
    He, Cai and Niyogi (2005), Laplacian score for feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import LaplacianScore
    >>> X, _ = load_wine(return_X_y=True)
    >>> LaplacianScore(n_features=3).fit(X).order_
    array([ 6, 11, 12])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = GRAPH

    n_neighbors: int = 5
    bandwidth: float | None = None
    scaling: str | None = "range"

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        points = scaled(values_in_units(table, self.scaling), self.scaling)
        graph = heat_graph(points, self.n_neighbors, self.bandwidth, threads)
        return FixedScores(table.units.best_of(_smoothness(points, graph)))


def _smoothness(points: Numbers, graph: scipy.sparse.csr_array) -> np.ndarray:
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
    return np.asarray(np.divide(near, whole, out=scores, where=~is_constant(points) & (whole > 0)))


@dataclass(eq=False, repr=False)
class MCFS(UnsupervisedRanking):
    """Multi-cluster feature selection: columns that explain the clusters of near rows together.

    The first eigenvectors of the graph of near rows show its clusters. Each is regressed on few columns by
    least angle regression; a column scores its largest absolute coefficient. Constant columns, copies of
    earlier columns and columns in no regression score 0.

    Parameters
    ----------
    n_clusters : int, default=5
        Number of eigenvectors used.
    n_neighbors : int, default=5
        Number of neighbours of each row in the graph.
    bandwidth : float or None, default=None
        t of the weights exp(−‖x−x'‖²/t) of joined rows; None takes their mean squared distance.
    n_coefs : int, float or None, default=None
        Columns in each regression, or their share in (0, 1]; None for 10.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled, so that units do not matter: to a standard deviation or a range of 1;
        None takes the numbers as they are, as the paper does.

    References
    ----------
    Cai, Zhang and He (2010), Unsupervised feature selection for multi-cluster data.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MCFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> MCFS(n_features=3, n_clusters=3).fit(X).order_
    array([6, 7, 0])
    """

    default_cut = "threshold"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": COUNT,
        "n_coefs": COUNT_OR_SHARE,
        **GRAPH,
    }

    n_clusters: int = 5
    n_neighbors: int = 5
    bandwidth: float | None = None
    n_coefs: float | None = None
    scaling: str | None = "range"

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        values = in_content_order(values_in_units(table, self.scaling))
        points = scaled(values, self.scaling)
        graph = heat_graph(points, self.n_neighbors, self.bandwidth, threads)
        first = first_copies(values) == np.arange(values.shape[1])
        useful = np.flatnonzero(first & ~is_constant(values))
        scores = np.zeros(values.shape[1])
        if len(useful):
            columns = dense(points)[:, useful]
            columns = columns - columns.mean(axis=0)
            indicators = cluster_indicators(graph, self.n_clusters)
            n_coefs = count_of(self.n_coefs, values.shape[1], DEFAULT_COEFS)
            with one_blas_thread():
                coefs = [
                    least_angle_regression(columns, indicator - indicator.mean(), n_coefs)
                    for indicator in indicators.T
                ]
            scores[useful] = merged(np.abs(coefs).max(axis=0), DIGITS)
        return FixedScores(table.units.best_of(scores))


def cluster_indicators(graph: scipy.sparse.csr_array, n_clusters: int) -> np.ndarray:
    """The first non-trivial solutions v of L v = λ D v, as columns: nearly constant within clusters.

    λ = 0 has as many solutions as the graph has components. Any basis of them would do; the indicators of all
    components are taken, and correspondingly fewer solutions of other λ.
    """
    root = np.sqrt(graph.sum(axis=1))
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    scale = scipy.sparse.diags_array(inverse)
    normalised = (scale @ graph @ scale).tocsr()
    components = _components(normalised, root)
    n_components = components.shape[1]
    others = leading_eigenvectors(normalised, components, n_clusters - (n_components - 1))
    found = others if n_components == 1 else np.column_stack([components.toarray(), others])
    return np.asarray(inverse[:, None] * found)


def _components(normalised: scipy.sparse.csr_array, root: np.ndarray) -> scipy.sparse.csr_array:
    """Indicators (rows, components) of the components of the graph, as eigenvectors of length 1."""
    joined = normalised.copy()
    joined.data = joined.data * (joined.data > JOINED)
    joined.eliminate_zeros()
    n_components, labels = connected_components(joined, directed=False)
    sizes = np.sqrt(np.bincount(labels, root**2, n_components))
    rows = np.flatnonzero(root > 0)
    _, present = np.unique(labels[rows], return_inverse=True)
    entries = root[rows] / sizes[labels[rows]]
    return scipy.sparse.csr_array((entries, (rows, present)), shape=(len(root), present.max() + 1))
