"""Tests of columns for independence of the classes given many others, whose effects are taken to add up.

Joint levels of more than two or three columns have too few rows to be strata. A linear regression on the
indicators of their levels needs only a few rows for each level, and only counts of pairs of columns.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from scipy.special import gammaincc

TARGET = -1  # stands for the target where columns are named by index
TOLERANCE = 1e-9  # a share of the variance of an indicator below this is rounding


class TableCounts(Protocol):
    """Counts of columns by class, alone and given another one."""

    @property
    def n_levels(self) -> np.ndarray: ...

    @property
    def class_sizes(self) -> np.ndarray: ...

    def class_tables(self, columns: np.ndarray, given: tuple[int, ...] = ()) -> np.ndarray: ...


class AdditiveTests:
    """Tests of f and y given columns S, from the covariances of the indicators of all levels but the last.

    Indicators of f and of y are regressed on those of S, and what is left of both is tested for correlation.
    It is the χ² test of Pearson if nothing is given. A column that is independent of y given S passes if what
    S says about y, or about the column, is a sum over the columns of S.
    """

    def __init__(self, counts: TableCounts, n_effective: float) -> None:
        self._counts, self._n_effective = counts, n_effective
        shares = counts.class_sizes[:-1] / counts.class_sizes.sum()
        self._places = {TARGET: np.arange(len(shares))}  # indicators of each column
        self._means = shares
        self._covariance = np.diag(shares) - np.outer(shares, shares)

    def p_value(self, column: int, given: Sequence[int]) -> float:
        """p-value of a column given some columns; 1 if nothing is left of it or of the classes."""
        for one in (column, *given):
            if one not in self._places:
                self._add(one)
        f, y = self._places[column], self._places[TARGET]
        s = np.concatenate([self._places[one] for one in given]) if given else np.arange(0)
        covariance = self._covariance
        values, vectors = np.linalg.eigh(covariance[np.ix_(s, s)])
        is_real = values > TOLERANCE * values.max(initial=0.0)
        along = vectors[:, is_real] / np.sqrt(values[is_real])
        of_f, of_y = covariance[np.ix_(f, s)] @ along, covariance[np.ix_(y, s)] @ along
        whiten_f = _whitening(covariance[np.ix_(f, f)], of_f @ of_f.T)
        whiten_y = _whitening(covariance[np.ix_(y, y)], of_y @ of_y.T)
        left = whiten_f.T @ (covariance[np.ix_(f, y)] - of_f @ of_y.T) @ whiten_y
        n_left = self._n_effective - 1 - along.shape[1]
        if not left.size or n_left <= 0:
            return 1.0
        return float(gammaincc(left.size / 2, n_left * (left**2).sum() / 2))

    def _add(self, column: int) -> None:
        """Count a column with those that are there."""
        n_levels, n_known = self._counts.n_levels, len(self._means)
        others = [one for one in self._places if one != TARGET]
        counted = self._counts.class_tables(np.array([column, *others]), (column,))
        shares = counted / counted[: n_levels[column] ** 2].sum()
        tables = shares.reshape(-1, n_levels[column], counted.shape[1])[:, :-1]
        own = tables[: n_levels[column]].sum(axis=0)  # by class
        means = own.sum(axis=1)
        joint = np.concatenate([own[:, :-1].T, np.zeros((n_known - own.shape[1] + 1, len(means)))])
        start = int(n_levels[column])
        for other in others:
            joint[self._places[other]] = tables[start : start + n_levels[other] - 1].sum(axis=2)
            start += int(n_levels[other])
        beside = joint - np.outer(self._means, means)
        within = np.diag(means) - np.outer(means, means)
        self._covariance = np.block([[self._covariance, beside], [beside.T, within]])
        self._means = np.append(self._means, means)
        self._places[column] = np.arange(n_known, len(self._means))


def _whitening(covariance: np.ndarray, explained: np.ndarray) -> np.ndarray:
    """Directions in which something is left, scaled to variance 1, in columns."""
    values, vectors = np.linalg.eigh(covariance - explained)
    is_real = values > TOLERANCE * np.diag(covariance).max(initial=0.0)
    return np.asarray(vectors[:, is_real] / np.sqrt(values[is_real]))
