"""Scores by a projection that keeps the structure of the rows: FSASL and UFSOL."""

import warnings
from abc import abstractmethod
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import scipy.linalg
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from entropick import _core
from entropick._base.compat import Interval
from entropick._base.threads import Threads, one_blas_thread
from entropick._base.ties import merged
from entropick.exceptions import warn_user
from entropick.measures._shared.convergence import CONVERGED, DIGITS, noted
from entropick.measures._shared.values import COUNT, POSITIVE, SCALING, dense, first_copies, values_in_units
from entropick.measures.base import FixedScores, UnsupervisedRanking
from entropick.measures.spectral.clusters import cluster_memberships
from entropick.measures.spectral.eigen import trailing_eigenvectors
from entropick.measures.spectral.graph_of_rows import heat_graph, nearest_rows
from entropick.measures.spectral.projections import Projections, WideProjections, is_wide
from entropick.measures.spectral.row_order import in_content_order
from entropick.table.numeric.scaling import is_constant, scaled
from entropick.table.table import Table

__all__ = ["FSASL", "UFSOL"]

MIN_LENGTH = 1e-8  # shorter rows of a projection are reweighted as if they had this length
REWEIGHTINGS = 10
MAX_LASSO_ROUNDS = 100_000
MOST_UPDATES = 2e8  # of weights, if every row took all rounds: some seconds
FLAT = 10  # times as many rows as columns, from where columns are faster to go through than products of rows
NOTHING = 1e-9  # shorter projections of rows of length 1 are only rounding, and have no clusters


class StructureRanking(UnsupervisedRanking):
    """Base of the measures that score columns by how well they preserve clusters or neighbours of rows.

    Constant columns score 0, and so do copies of earlier ones: a projection may distribute the weight of a
    column among its copies in any way.
    """

    scaling: str | None

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        values = in_content_order(dense(values_in_units(table, self.scaling)))
        is_first = first_copies(values) == np.arange(values.shape[1])
        useful = np.flatnonzero(is_first & ~is_constant(values))
        scores, has_converged = np.zeros(values.shape[1]), True
        if len(useful):
            points = np.ascontiguousarray(scaled(values, self.scaling)[:, useful])
            with one_blas_thread():
                scores[useful], has_converged = self._scores(points, threads)
        return FixedScores(table.units.best_of(merged(scores, DIGITS)), noted(self, has_converged))

    @abstractmethod
    def _scores(self, points: np.ndarray, threads: Threads) -> tuple[np.ndarray, bool]:
        """Scores of varying columns, given the rows as points, and whether the search converged."""


@dataclass(eq=False, repr=False)
class FSASL(StructureRanking):
    """Adaptive structure learning: columns whose projection keeps how rows describe each other.

    Rows are described by few others (lasso) and by their nearest ones. The smoothest functions on both
    graphs are regressed on the columns with a penalty on the number of columns; both graphs are then learned
    again in the space of the projection. A column scores Σ w² over the functions. The regression is ten
    rounds of reweighting, which end before it converges: more would change the scores.

    Parameters
    ----------
    n_clusters : int, default=5
        Functions to keep.
    n_neighbors : int, default=5
        Number of neighbours of each row in the graph.
    sparsity : float in (0, 1), default=0.01
        Penalty of the lasso, as a share of the one that leaves nothing.
    local_weight : float, default=1.0
        Weight of the graph of nearest rows against that of the lasso.
    gamma : float, default=1.0
        Weight of sparsity.
    n_rounds : int, default=1
        Rounds; 1 is the default of the authors' program, 20 were used in the paper.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled, so that units do not matter: to a standard deviation or a range of 1;
        None takes the numbers as they are.

    References
    ----------
    Du and Shen (2015), Unsupervised feature selection with adaptive structure learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FSASL
    >>> X, _ = load_wine(return_X_y=True)
    >>> FSASL(n_features=3, n_clusters=3).fit(X).order_
    array([4, 0, 9])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": COUNT,
        "n_neighbors": COUNT,
        "sparsity": [Interval(Real, 0, 1, closed="neither")],
        "local_weight": POSITIVE,
        "gamma": POSITIVE,
        "n_rounds": COUNT,
        **SCALING,
    }

    n_clusters: int = 5
    n_neighbors: int = 5
    sparsity: float = 0.01
    local_weight: float = 1.0
    gamma: float = 1.0
    n_rounds: int = 1
    scaling: str | None = "range"

    def _scores(self, points: np.ndarray, threads: Threads) -> tuple[np.ndarray, bool]:
        seen, weights = points, np.zeros((points.shape[1], 1))
        for n_before in range(self.n_rounds):
            errors = np.eye(len(points)) - lasso_descriptions(seen, self.sparsity, threads)
            if n_before == 0:
                local = heat_graph(points, self.n_neighbors, None, threads).toarray()
            else:
                local = simplex_graph(seen, self.n_neighbors, threads)
            laplacian = np.diag(local.sum(axis=1)) - local
            functions = trailing_eigenvectors(
                errors @ errors.T + self.local_weight * laplacian, self.n_clusters
            )
            weights = row_sparse_regression(points, functions, self.gamma)
            seen = points @ weights
        return (weights**2).sum(axis=1), True


def lasso_descriptions(points: np.ndarray, sparsity: float, threads: Threads) -> np.ndarray:
    """S, whose column i describes row i by few other rows: ½ ‖x_i − Σ_j S_ji x_j‖² + λ Σ_j |S_ji|.

    λ is a share, `sparsity`, of the one that leaves nothing. Descriptions are exact where there is only one;
    otherwise they are approached from nothing, row after row. Of rows that are copies the first other one
    describes.
    """
    same = first_copies(points.T)
    first = np.flatnonzero(same == np.arange(len(points)))
    group = np.searchsorted(first, same)
    found = np.zeros((len(points), len(points)))
    is_single = np.bincount(group) == 1
    if is_single.any():
        of_singles = _descriptions_of_others(points[first], sparsity, threads)[is_single]
        found[np.ix_(first[is_single], first)] = of_singles
    for g in np.flatnonzero(~is_single).tolist():  # which a copy describes among the others
        members = np.flatnonzero(group == g)
        with_copy = np.concatenate([points[first], points[members[:1]]])
        of_copy = _descriptions_of_others(with_copy, sparsity, threads, len(first))
        found[np.ix_(members, first)] = of_copy[:, :-1]
        found[members[0], members[1]], found[members[0], members[0]] = found[members[0], members[0]], 0.0
    return found.T


def _descriptions_of_others(
    points: np.ndarray, sparsity: float, threads: Threads, begin: int = 0
) -> np.ndarray:
    """Descriptions of rows, from `begin` on, by all others, as the rows of a matrix."""
    n_rows = len(points)
    samples = scipy.linalg.qr(points.T, mode="r")[0][:n_rows]  # the same products of rows with less data
    products = samples.T @ samples
    found, is_solved = np.empty((n_rows - begin, n_rows)), np.empty(n_rows - begin, bool)

    def run(start: int, stop: int) -> None:
        _core.describe_rows(products, sparsity, begin + start, found[start:stop], is_solved[start:stop])

    threads.run(run, n_rows - begin, 1e-9 * n_rows * len(samples) ** 2)
    left = np.flatnonzero(~is_solved)
    found[left] = _approached_descriptions(samples, products, begin + left, sparsity)
    return found


def _approached_descriptions(
    samples: np.ndarray, products: np.ndarray, rows: np.ndarray, sparsity: float
) -> np.ndarray:
    """Descriptions of some rows by coordinate descent."""
    from sklearn.linear_model import Lasso

    found = np.empty((len(rows), len(products)))
    is_flat = FLAT * len(samples) < len(products)
    most_rounds = int(np.clip(MOST_UPDATES / len(products) ** 2, 100, MAX_LASSO_ROUNDS))
    model = Lasso(fit_intercept=False, max_iter=most_rounds, tol=1e-6)
    n_unfinished = 0
    for place, i in enumerate(rows):
        others = samples.copy(order="F")
        others[:, i] = 0.0
        among: Any = False
        if not is_flat:
            among = products.copy()
            among[i] = among[:, i] = 0.0
        penalty = sparsity * np.abs(np.delete(products[i], i)).max()
        model.set_params(alpha=penalty / len(samples), precompute=among)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # one for all rows is enough
            found[place] = model.fit(others, samples[:, i]).coef_
        n_unfinished += model.n_iter_ >= most_rounds
    if n_unfinished:
        warn_user(
            f"Weights of {n_unfinished} of {len(products)} rows did not converge in {most_rounds:,} "
            "rounds, so columns whose scores are close may change places. Hint: increase sparsity.",
            ConvergenceWarning,
        )
    return found


def simplex_graph(points: np.ndarray, n_neighbors: int, threads: Threads) -> np.ndarray:
    """Weights of the nearest rows: the point of the simplex nearest to −d²/(2μ), made symmetric."""
    n_rows = len(points)
    distances, near = nearest_rows(points, n_neighbors + 1, threads)
    squared = distances**2
    k = min(n_neighbors, near.shape[1])
    width = float((k * squared[:, -1] - squared[:, :k].sum(axis=1)).mean()) / 2
    weights = project_to_simplex(-squared[:, :k] / (2 * width) if width > 0 else np.zeros((n_rows, k)))
    graph = np.zeros((n_rows, n_rows))
    np.put_along_axis(graph, near[:, :k], weights, axis=1)
    return (graph + graph.T) / 2


def project_to_simplex(rows: np.ndarray) -> np.ndarray:
    """The nearest point with entries ≥ 0 that sum to 1, for each row."""
    ordered = -np.sort(-rows, axis=1)
    excess = (np.cumsum(ordered, axis=1) - 1) / np.arange(1, rows.shape[1] + 1)
    n_positive = (ordered > excess).sum(axis=1)
    return np.asarray(np.maximum(rows - excess[np.arange(len(rows)), n_positive - 1][:, None], 0.0))


def row_sparse_regression(points: np.ndarray, wanted: np.ndarray, gamma: float) -> np.ndarray:
    """Lower ‖X W − Y‖² + γ Σ_f ‖w_f‖ by ten reweightings, solved for columns or rows, whichever are fewer."""
    inverse_weights = np.ones(points.shape[1])
    weights = np.zeros((points.shape[1], wanted.shape[1]))
    for _ in range(REWEIGHTINGS):
        weighed = points * inverse_weights
        if points.shape[1] > len(points):
            kernel = weighed @ points.T + gamma * np.eye(len(points))
            weights = weighed.T @ scipy.linalg.solve(kernel, wanted, assume_a="pos")
        else:
            roots = np.sqrt(inverse_weights)
            balanced = points * roots
            kernel = balanced.T @ balanced + gamma * np.eye(points.shape[1])
            weights = roots[:, None] * scipy.linalg.solve(kernel, balanced.T @ wanted, assume_a="pos")
        inverse_weights = 2 * np.maximum(np.linalg.norm(weights, axis=1), MIN_LENGTH)
    return weights


@dataclass(eq=False, repr=False)
class UFSOL(StructureRanking):
    """Ordinal locality: a projection that keeps which of a row's neighbours are nearer, and its clusters.

    The projection W minimises ‖WᵀX − UV‖² + alpha Tr(WᵀXLXᵀW) + beta Σ_f ‖w_f‖ with WᵀW = I: projected rows
    lie near the centres U of their clusters, and near rows stay near, the nearest most of all (L). A column
    scores ‖w_f‖². Each round computes eigenvectors of a matrix of shape (columns, columns), or with many more
    columns than rows of one of shape (rows, rows).

    Parameters
    ----------
    n_clusters : int, default=5
        Clusters, and dimensions of the projection.
    n_neighbors : int, default=5
        Nearest rows whose order is preserved.
    alpha : float, default=1.0
        Weight of that order.
    beta : float, default=0.1
        Weight of sparsity.
    max_rounds : int, default=10
        Maximum number of rounds.
    tol : float, default=1e-6
        The search ends when no score changes by more.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled before rows are normalised to length 1.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means; None takes the selector's, or 0 if it has none.

    References
    ----------
    Guo, Guo, Kong and He (2017), Unsupervised feature selection with ordinal locality.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import UFSOL
    >>> X, _ = load_wine(return_X_y=True)
    >>> UFSOL(n_features=3, n_clusters=3).fit(X).order_
    array([6, 9, 2])
    """

    learns = CONVERGED

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": COUNT,
        "n_neighbors": COUNT,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": POSITIVE,
        "max_rounds": COUNT,
        "tol": [Interval(Real, 0, None, closed="left")],
        **SCALING,
        "random_state": ["random_state"],
    }

    n_clusters: int = 5
    n_neighbors: int = 5
    alpha: float = 1.0
    beta: float = 0.1
    max_rounds: int = 10
    tol: float = 1e-6
    scaling: str | None = "range"
    random_state: Any = None

    def _scores(self, points: np.ndarray, threads: Threads) -> tuple[np.ndarray, bool]:
        rng = check_random_state(0 if self.random_state is None else self.random_state)
        lengths = np.linalg.norm(points, axis=1)
        rows = points / np.where(lengths > 0, lengths, 1.0)[:, None]
        laplacian = ordinal_laplacian(rows, self.n_neighbors, threads)
        project = (WideProjections if is_wide(rows) else Projections)(rows, self.alpha * laplacian)
        n_dimensions = min(self.n_clusters, rows.shape[1])
        penalty, projected = np.ones(rows.shape[1]), rows
        scores, memberships, fit = np.zeros(rows.shape[1]), np.zeros((len(rows), 1)), np.inf
        for _ in range(self.max_rounds):
            if np.abs(projected).max() > NOTHING:
                found, error = cluster_memberships(projected, self.n_clusters, rng)
                if error < fit:
                    memberships, fit = found, error
            before = scores
            scores, projected = project(memberships, self.beta * penalty, n_dimensions)
            if np.abs(scores - before).max() <= self.tol:
                return scores, True
            penalty = 0.5 / np.maximum(np.sqrt(scores), MIN_LENGTH)
        return scores, False


def ordinal_laplacian(rows: np.ndarray, n_neighbors: int, threads: Threads) -> np.ndarray:
    """The normalised Laplacian of a graph whose weights fall with the order of the nearest rows."""
    distances, near = nearest_rows(rows, n_neighbors, threads)
    nearness = distances.mean(axis=1, keepdims=True) - distances
    low, width = nearness.min(axis=1, keepdims=True), np.ptp(nearness, axis=1, keepdims=True)
    graph = np.zeros((len(rows), len(rows)))
    weights = np.where(width > 0, (nearness - low) / np.where(width > 0, width, 1.0), 1.0)
    np.put_along_axis(graph, near, weights, axis=1)
    graph = (graph + graph.T) / 2
    degrees = graph.sum(axis=1)
    roots = np.sqrt(np.where(degrees > 0, degrees, 1.0))
    return np.asarray(np.diag((degrees > 0).astype(np.float64)) - graph / np.outer(roots, roots))
