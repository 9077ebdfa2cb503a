"""DGUFS: columns and clusters of rows that depend on each other most."""

from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from entropick._base.compat import Interval
from entropick._base.threads import Threads
from entropick._base.ties import descending
from entropick.measures._shared.convergence import CONVERGED
from entropick.measures._shared.values import COUNT, COUNT_OR_SHARE, SCALING, count_of
from entropick.measures.spectral.clusters import cluster_memberships
from entropick.measures.spectral.graph_of_rows import heat_graph
from entropick.measures.spectral.structure import StructureRanking

__all__ = ["DGUFS"]

DEFAULT_KEPT = 10


@dataclass(eq=False, repr=False)
class DGUFS(StructureRanking):
    """Dependence-guided selection: few columns and clusters of rows that depend on each other most.

    Maximises (1 − beta) times the mean of x_fᵀ L x_f / n² over the columns kept, with L_ij = 1 for rows in
    the same cluster and 0 otherwise, plus beta times the share of near rows in the same cluster, above
    chance. Given the clusters, the best columns are those with the largest x_fᵀ L x_f / n², which is the
    score. Given the columns, the clusters are improved until nothing changes. Both steps are repeated.

    Parameters
    ----------
    n_kept : int, float or None, default=None
        Number of columns kept for the clusters, or their share in (0, 1]; None for 10.
    n_clusters : int, default=5
        Maximum number of clusters.
    n_neighbors : int, default=5
        Number of neighbours of each row in the graph.
    beta : float in [0, 1], default=0.1
        How much it matters that near rows are in the same cluster.
    max_rounds : int, default=100
        Maximum number of rounds; the search ends earlier if a round changes nothing.
    scaling : {"std", "range"} or None, default="std"
        How columns are scaled, so that units do not matter: to a standard deviation or a range of 1;
        None takes the numbers as they are.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means, which gives the first clusters; None takes the selector's, or 0 if it has none.

    References
    ----------
    Guo and Zhu (2018), Dependence guided unsupervised feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import DGUFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> DGUFS(n_features=3, n_clusters=3).fit(X).order_
    array([ 6,  5, 11])
    """

    learns = CONVERGED

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_kept": COUNT_OR_SHARE,
        "n_clusters": COUNT,
        "n_neighbors": COUNT,
        "beta": [Interval(Real, 0, 1, closed="both")],
        "max_rounds": COUNT,
        **SCALING,
        "random_state": ["random_state"],
    }

    n_kept: float | None = None
    n_clusters: int = 5
    n_neighbors: int = 5
    beta: float = 0.1
    max_rounds: int = 100
    scaling: str | None = "std"
    random_state: Any = None

    def _scores(self, points: np.ndarray, threads: Threads) -> tuple[np.ndarray, bool]:
        rng = check_random_state(0 if self.random_state is None else self.random_state)
        n_rows, n_columns = points.shape
        columns = points / (n_rows * np.sqrt((points**2).mean()))  # columns of deviation 1 score at most 1
        near = self.beta * nearness(points, self.n_neighbors, threads)
        n_kept, kept = count_of(self.n_kept, n_columns, DEFAULT_KEPT), np.arange(n_columns)
        members, scores = None, np.zeros(n_columns)
        for _ in range(self.max_rounds):
            kernel = near + (1 - self.beta) * (columns[:, kept] @ columns[:, kept].T) / len(kept)
            if members is None:
                members = cluster_memberships(kernel, self.n_clusters, rng)[0] > 0
            members = better_clusters(kernel, members)
            scores = ((columns.T @ members) ** 2).sum(axis=1)
            before, kept = kept, np.sort(descending(scores)[:n_kept])
            if np.array_equal(kept, before):
                return scores, True
        return scores, False


def nearness(points: np.ndarray, n_neighbors: int, threads: Threads) -> np.ndarray:
    """A matrix N (rows, rows) whose sum over rows i, j of the same cluster is the share of near rows there.

    It is centred, so that one cluster of all rows has a sum of 0, and positive semidefinite, as
    `better_clusters` needs.
    """
    graph = heat_graph(points, n_neighbors, None, threads).toarray()
    roots = np.sqrt(graph.sum(axis=1))
    near = (graph / np.outer(roots, roots) + np.eye(len(graph))) / (2 * len(graph))
    near -= near.mean(axis=0)
    return np.asarray(near - near.mean(axis=1, keepdims=True))


def better_clusters(kernel: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Improve clusters (rows, clusters) until Σ K_ij over rows i, j of the same cluster no longer grows.

    All rows move at once to the cluster where their sum is largest. The total never falls, because it is a
    convex function of the memberships if K is positive semidefinite.
    """
    value = -np.inf
    while True:
        sums = kernel @ members
        now = float((sums * members).sum())
        if now <= value + 1e-12 * abs(value):
            return members
        value = now
        members = sums.argmax(axis=1)[:, None] == np.arange(members.shape[1])
