"""Least angle regression that skips columns which depend on earlier ones."""

import numpy as np
import scipy.linalg

DEPENDENT = 1e-6  # a column depends on others if a smaller share of its length is outside their span
TIED = 1e-9  # columns that would join within this share of a step join together, in their order
EXPLAINED = 1e-7  # share of the first covariance at which the regression ends


def least_angle_regression(columns: np.ndarray, wanted: np.ndarray, n_coefs: int) -> np.ndarray:
    """Coefficients of the columns when `n_coefs` have joined, just before the next one would.

    Columns that have joined keep equal absolute covariances with the residual (Efron and others 2004). A
    column in the span of others does not join: its coefficient would be arbitrary. Columns that would join at
    the same point as the last one do so as well, or rounding would choose among them.

    Parameters
    ----------
    columns : (rows, columns), of mean 0
    wanted : target, of mean 0
    n_coefs : maximal number of columns, except ties with the last
    """
    joined = _Joined(columns)
    coefs, left = np.zeros(columns.shape[1]), wanted
    covariances = columns.T @ left
    least = EXPLAINED * np.abs(covariances).max(initial=0.0)
    shares = 1 - np.abs(covariances) / (np.abs(covariances).max(initial=0.0) or 1.0)
    is_open, step = np.abs(covariances) > least, 0.0
    while is_open.any():
        newest = _first_of_least(shares, is_open)
        is_open[newest] = False
        is_independent = joined.is_independent(newest)
        if is_independent and len(joined.members) >= n_coefs and step > TIED:
            break
        if is_independent:
            joined.add(newest)
        change, explained = joined.fit(left)
        shares = _shares_until_joining(columns, left, explained, joined.members)
        step = shares[is_open].min(initial=1.0)
        coefs[joined.members] += step * change
        left = left - step * explained
        if np.abs(columns[:, joined.members[0]] @ left) <= least:
            break
    return coefs


class _Joined:
    """The columns that have joined, with an orthonormal basis of their span."""

    def __init__(self, columns: np.ndarray) -> None:
        self._columns = columns
        self._lengths = np.linalg.norm(columns, axis=0)
        self._basis = np.empty((len(columns), 0))
        self.members: list[int] = []

    def is_independent(self, j: int) -> bool:
        return bool(np.linalg.norm(self._outside(j)) > DEPENDENT * self._lengths[j])

    def add(self, j: int) -> None:
        outside = self._outside(j)
        self._basis = np.column_stack([self._basis, outside / np.linalg.norm(outside)])
        self.members.append(j)

    def fit(self, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Least-squares coefficients of these columns for the residual, and the fitted values."""
        known = self._basis.T @ left
        triangle = self._basis.T @ self._columns[:, self.members]
        return scipy.linalg.solve_triangular(triangle, known), self._basis @ known

    def _outside(self, j: int) -> np.ndarray:
        """The part of a column outside the span."""
        outside = self._columns[:, j]
        for _ in range(2):  # once leaves rounding errors
            outside = outside - self._basis @ (self._basis.T @ outside)
        return outside


def _shares_until_joining(
    columns: np.ndarray, left: np.ndarray, explained: np.ndarray, joined: list[int]
) -> np.ndarray:
    """The share of the step after which each column has the same absolute covariance as those joined."""
    now, change = columns.T @ left, columns.T @ explained
    level = np.abs(now[joined]).max()
    shares = np.ones(len(now))
    for sign in (1.0, -1.0):
        gap = np.maximum(level - sign * now, 0.0)
        closing = level - sign * change
        np.minimum(shares, np.divide(gap, closing, out=np.ones(len(now)), where=closing > gap), out=shares)
    return shares


def _first_of_least(shares: np.ndarray, is_open: np.ndarray) -> int:
    return int(np.flatnonzero(is_open & (shares <= shares[is_open].min() + TIED))[0])
