"""Scores by the neighbourhoods of rows: UDFS and LLCFS."""

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse

from entropick._base.compat import Interval
from entropick._base.threads import Threads
from entropick._base.ties import merged
from entropick.measures._shared.convergence import CONVERGED, DIGITS, noted
from entropick.measures._shared.values import COUNT, POSITIVE, SCALING, dense, first_copies, values_in_units
from entropick.measures.base import FixedScores, UnsupervisedRanking
from entropick.measures.spectral.eigen import trailing_eigenvectors
from entropick.measures.spectral.graph_of_rows import nearest_rows
from entropick.measures.spectral.row_order import in_content_order
from entropick.table.numeric.scaling import BLOCK_VALUES, is_constant, scaled
from entropick.table.table import Table

__all__ = ["LLCFS", "UDFS"]

MIN_LENGTH = 1e-6  # shorter counts as 0; dividing by less would leave only rounding of small eigenvalues

ITERATIVE: dict[str, Any] = {
    "n_clusters": COUNT,
    "n_neighbors": COUNT,
    "max_rounds": COUNT,
    "tol": [Interval(Real, 0, None, closed="left")],
    **SCALING,
}


@dataclass(eq=False, repr=False)
class UDFS(UnsupervisedRanking):
    """Unsupervised discriminative feature selection: a projection sparse by columns.

    The projection W minimises Tr(WᵀMW) + gamma Σ_f ‖w_f‖ with WᵀW = I, where M measures how badly the
    neighbourhoods of rows are separated; a column scores the length ‖w_f‖ of its row. Constant columns score
    0. Each round computes the eigenvectors of a matrix of shape (columns, columns).

    Parameters
    ----------
    n_clusters : int, default=5
        Dimensions of the projection.
    n_neighbors : int, default=5
        Neighbours in a neighbourhood, besides its central row.
    gamma : float, default=1.0
        Weight of sparsity.
    ridge : float, default=1.0
        Added to the scatter of each neighbourhood (λ in the paper).
    max_rounds : int, default=20
        Maximum number of rounds.
    tol : float, default=1e-6
        The search ends when no score changes by more.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled, so that units do not matter: to a standard deviation or a range of 1;
        None takes the numbers as they are, as the paper does.

    References
    ----------
    Yang, Shen, Ma, Huang and Zhou (2011), L2,1-norm regularized discriminative feature selection for
    unsupervised learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import UDFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> UDFS(n_features=3, n_clusters=3).fit(X).order_
    array([6, 9, 2])
    """

    learns = CONVERGED

    _parameter_constraints: ClassVar[dict[str, Any]] = {**ITERATIVE, "gamma": POSITIVE, "ridge": POSITIVE}

    n_clusters: int = 5
    n_neighbors: int = 5
    gamma: float = 1.0
    ridge: float = 1.0
    max_rounds: int = 20
    tol: float = 1e-6
    scaling: str | None = "range"

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        values = values_in_units(table, self.scaling)
        useful = np.flatnonzero(~is_constant(values))
        scores, has_converged = np.zeros(values.shape[1]), True
        if len(useful):
            points = dense(scaled(values, self.scaling))[:, useful]
            scatter = local_scatter(points, self.n_neighbors, self.ridge, threads)
            scores[useful], has_converged = self._lengths(scatter)
        # copies are equal in M, but solving for W rounds them differently
        scores = merged(scores[first_copies(values)], DIGITS)
        return FixedScores(table.units.best_of(scores), noted(self, has_converged))

    def _lengths(self, scatter: np.ndarray) -> tuple[np.ndarray, bool]:
        """Lengths of the rows of W, by iterative reweighting, and whether they converged."""
        weights = np.ones(len(scatter))
        lengths = np.zeros(len(scatter))
        for _ in range(self.max_rounds):
            projection = trailing_eigenvectors(scatter + self.gamma * np.diag(weights), self.n_clusters)
            before, lengths = lengths, np.linalg.norm(projection, axis=1)
            if np.abs(lengths - before).max() <= self.tol:
                return lengths, True
            weights = 0.5 / np.maximum(lengths, MIN_LENGTH)
        return lengths, False


def local_scatter(points: np.ndarray, n_neighbors: int, ridge: float, threads: Threads) -> np.ndarray:
    """M = Xᵀ (Σ_i S_i H (X̃_i X̃_iᵀ + ridge I)⁻¹ H S_iᵀ) X, X̃_i being row i and its near rows, centred."""
    n_rows = len(points)
    near = np.column_stack([np.arange(n_rows), nearest_rows(points, n_neighbors, threads)[1]])
    size = near.shape[1]
    centring = np.eye(size) - 1 / size
    parts = np.empty((n_rows, size, size))
    for some in _blocks_of_rows(near, points):
        rows = points[near[some]]
        rows -= rows.mean(axis=1, keepdims=True)
        inverse = np.linalg.inv(rows @ rows.transpose(0, 2, 1) + ridge * np.eye(size))
        parts[some] = centring @ inverse @ centring
    scatter = points.T @ (_summed(parts, near) @ points)
    return np.asarray((scatter + scatter.T) / 2)


def _summed(parts: np.ndarray, near: np.ndarray) -> scipy.sparse.csr_array:
    """Σ_i S_i P_i S_iᵀ: add each part at the rows of its neighbourhood."""
    n_rows, size = near.shape
    down, across = np.repeat(near, size, axis=1).ravel(), np.tile(near, size).ravel()
    return scipy.sparse.coo_array((parts.ravel(), (down, across)), shape=(n_rows, n_rows)).tocsr()


@dataclass(eq=False, repr=False)
class LLCFS(UnsupervisedRanking):
    """Local learning-based clustering with feature selection: columns that predict clusters locally.

    The clusters of each row are predicted from its near rows by a ridge regression in which column f costs
    w²/τ_f. Clusters are chosen to be predictable, then τ_f ∝ √Σ w_f² over all regressions, and both are
    repeated with the rows that are near in the weighted columns. A column scores τ_f; all sum to 1.

    The rounds seldom converge, because near rows change with the weights: a ``ConvergenceWarning`` is given,
    and the order of columns with close scores means little.

    Parameters
    ----------
    n_clusters : int, default=5
        Number of clusters.
    n_neighbors : int, default=10
        Nearest rows a row is predicted from.
    beta : float, default=1.0
        Weight of the errors relative to the size of the coefficients.
    max_rounds : int, default=20
        Maximum number of rounds.
    tol : float, default=1e-4
        The search ends when no score changes by more.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled, so that units do not matter: to a standard deviation or a range of 1;
        None takes the numbers as they are, as the paper does.

    References
    ----------
    Zeng and Cheung (2011), Feature selection and kernel learning for local learning-based clustering.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import LLCFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> LLCFS(n_features=3, n_clusters=3).fit(X).order_
    array([12,  0, 11])
    """

    learns = CONVERGED

    _parameter_constraints: ClassVar[dict[str, Any]] = {**ITERATIVE, "beta": POSITIVE}

    n_clusters: int = 5
    n_neighbors: int = 10
    beta: float = 1.0
    max_rounds: int = 20
    tol: float = 1e-4
    scaling: str | None = "range"

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        values = in_content_order(dense(values_in_units(table, self.scaling)))
        points = scaled(values, self.scaling)
        weights, has_converged = np.full(points.shape[1], 1 / points.shape[1]), False
        for _ in range(self.max_rounds):
            before, weights = weights, self._reweighted(points, weights, threads)
            has_converged = bool(np.abs(weights - before).max() <= self.tol)
            if has_converged:
                break
        # copies have the same weight, but eigenvectors round them differently
        scores = merged(weights[first_copies(values)], DIGITS)
        return FixedScores(table.units.best_of(scores), noted(self, has_converged))

    def _reweighted(self, points: np.ndarray, weights: np.ndarray, threads: Threads) -> np.ndarray:
        """The weights after one round; unchanged if all coefficients are only rounding.

        That happens if the graph has as many components as there are clusters: rows are then predicted
        without any column.
        """
        points = points * np.sqrt(weights)
        near = nearest_rows(points, self.n_neighbors, threads)[1]
        local = LocalRegressions(points, near, self.beta)
        errors = scipy.sparse.eye_array(len(points)) - local.prediction()
        clusters = trailing_eigenvectors((errors.T @ errors).tocsr(), self.n_clusters)
        sizes = np.sqrt(weights * local.squared_coefs(clusters))
        return sizes / sizes.sum() if sizes.sum() > MIN_LENGTH else weights


class LocalRegressions:
    """A ridge regression around each row, on its `near` rows (rows, k), for any labels.

    Columns are multiplied by √τ, so that all coefficients cost the same; `beta` weighs the errors.
    """

    def __init__(self, points: np.ndarray, near: np.ndarray, beta: float) -> None:
        self._points = points
        self._near = near
        k = near.shape[1]
        self._solvers = np.empty((len(points), k, k))  # from labels of the near rows to dual coefficients
        for some in _blocks_of_rows(near, points):
            rows = self._centred(some)
            kernel = rows @ rows.transpose(0, 2, 1)
            centring = np.broadcast_to(np.eye(k) - 1 / k, kernel.shape)
            self._solvers[some] = np.linalg.solve(kernel + np.eye(k) / beta, centring)

    def _centred(self, some: slice) -> np.ndarray:
        rows = self._points[self._near[some]]
        return np.asarray(rows - rows.mean(axis=1, keepdims=True))

    def prediction(self) -> scipy.sparse.csr_array:
        """The matrix A whose product A y are the predictions for labels y."""
        n_rows, k = self._near.shape
        parts = np.empty((n_rows, k))
        for some in _blocks_of_rows(self._near, self._points):
            offset = self._points[some] - self._points[self._near[some]].mean(axis=1)
            likeness = np.einsum("id,ijd->ij", offset, self._centred(some))
            parts[some] = 1 / k + np.einsum("ij,ijl->il", likeness, self._solvers[some])
        starts = np.arange(0, n_rows * k + 1, k)
        return scipy.sparse.csr_array((parts.ravel(), self._near.ravel(), starts), shape=(n_rows, n_rows))

    def squared_coefs(self, labels: np.ndarray) -> np.ndarray:
        """Σ over all rows and labels of the squared coefficient of each column."""
        total = np.zeros(self._points.shape[1])
        for some in _blocks_of_rows(self._near, self._points):
            solved = self._solvers[some] @ labels[self._near[some]]
            coefs = self._centred(some).transpose(0, 2, 1) @ solved
            total += np.einsum("idc,idc->d", coefs, coefs)
        return total


def _blocks_of_rows(near: np.ndarray, points: np.ndarray) -> Iterator[slice]:
    """Blocks of rows whose neighbourhoods fit into memory."""
    step = max(1, BLOCK_VALUES // (near.shape[1] * points.shape[1]))
    return (slice(start, start + step) for start in range(0, len(near), step))
