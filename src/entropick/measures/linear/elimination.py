"""Recursive elimination: columns by how long a linear classifier keeps them."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick._base.threads import Threads, one_blas_thread
from entropick._base.ties import descending
from entropick.measures._shared.values import values_of
from entropick.measures.base import FixedScores, NumberRanking
from entropick.measures.linear.squared_hinge import squared_hinge_weights
from entropick.measures.linear.weights import against_all_others, standardised
from entropick.table.codes import Target
from entropick.table.numeric.scaling import is_constant
from entropick.table.table import Table

__all__ = ["SVMRFE"]

TIED = 1e-9  # smaller differences of shares of the weights are ties; the last of tied columns is dropped


class SVMRFE(NumberRanking):
    """Recursive elimination: fit a linear SVM, drop the columns with the smallest weights, repeat.

    In each round a linear SVM (squared hinge loss) is fitted to the remaining columns, standardised, and
    those with the smallest w² (summed over the classes, each against all others) are dropped: a share of them
    while many are left, then one at a time. A column scores the number of rounds it survived, plus its share
    of Σ w² in the last of them. Constant columns score 0.

    Parameters
    ----------
    C : float, default=1.0
        Inverse regularisation strength; Guyon and others use 100.
    step : float in (0, 1), default=0.5
        Share of the remaining columns dropped in each round.
    one_by_one_below : int, default=64
        Number of columns below which they are dropped one at a time.

    References
    ----------
    Guyon, Weston, Barnhill and Vapnik (2002), Gene selection for cancer classification using support vector
    machines.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import SVMRFE
    >>> X, y = load_wine(return_X_y=True)
    >>> SVMRFE(n_features=3).fit(X, y).order_
    array([ 9, 12,  6])
    """

    default_cut = "count"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "step": [Interval(Real, 0, 1, closed="neither")],
        "one_by_one_below": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, C: float = 1.0, step: float = 0.5, one_by_one_below: int = 64) -> None:
        self.C = C
        self.step = step
        self.one_by_one_below = one_by_one_below

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        values = values_of(table)
        useful = np.flatnonzero(~is_constant(values))
        scores = np.zeros(values.shape[1])
        if len(useful) and np.count_nonzero(table.target.class_sizes) > 1:
            with one_blas_thread():
                scores[useful] = self._survival(standardised(values[:, useful]), table.target)
        return FixedScores(table.units.best_of(scores))

    def _survival(self, columns: np.ndarray, target: Target) -> np.ndarray:
        """Rounds survived by each column, plus its share of the weights in the last of them."""
        scores = np.zeros(columns.shape[1])
        left, n_rounds = np.arange(columns.shape[1]), 1
        signs = list(against_all_others(target))
        weights = np.zeros((len(signs), len(left)))
        while len(left):
            weights = self._weights(columns[:, left], signs, weights)
            squares = (weights**2).sum(axis=0)
            shares = squares / (squares.sum() or 1.0)
            kept = np.sort(descending(shares, TIED)[: len(left) - self._n_dropped(len(left))])
            scores[left] = n_rounds + shares - 1
            left, weights = left[kept], weights[:, kept]
            n_rounds += 1
        return scores

    def _n_dropped(self, n_left: int) -> int:
        if n_left <= self.one_by_one_below:
            return 1
        return min(max(1, int(self.step * n_left)), n_left - self.one_by_one_below)

    def _weights(self, columns: np.ndarray, signs: list[np.ndarray], before: np.ndarray) -> np.ndarray:
        """The weights for each class against all others, starting from those of the round before."""
        pairs = zip(signs, before, strict=True)
        return np.array([squared_hinge_weights(columns, sign, self.C, start) for sign, start in pairs])
