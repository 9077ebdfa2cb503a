"""Recursive elimination: columns by how long a linear classifier keeps them."""

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from entropick._compat import Interval
from entropick.data import Data
from entropick.measures.base import FixedScores, NumberRanking
from entropick.measures.linear import standardised
from entropick.measures.values import is_constant, unit_scores, values_of
from entropick.threads import Threads, one_blas_thread
from entropick.ties import descending

__all__ = ["SVMRFE"]

MAX_ITER = 1000  # of the solver; it then is near enough to tell small weights from large ones


class SVMRFE(NumberRanking):
    """Recursive elimination: fit a linear SVM, drop the columns with the smallest weights, repeat.

    In each round a linear SVM (squared hinge loss) is fitted to the standardised columns left, and those of
    the smallest w² (summed over the classes, each against all others) are dropped: a share of them while many
    are left, then one at a time. A column scores the number of rounds it survived, plus its share of Σ w² in
    the last of them. Constant columns score 0.

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

    def begin(self, data: Data, threads: Threads) -> FixedScores:
        values = values_of(data)
        useful = np.flatnonzero(~is_constant(values))
        scores = np.zeros(values.shape[1])
        if len(useful) and np.count_nonzero(data.target.class_sizes) > 1:
            with one_blas_thread():
                scores[useful] = self._survival(standardised(values[:, useful]), data.target.codes)
        return FixedScores(unit_scores(scores, data))

    def _survival(self, columns: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Rounds survived by each column, and its share of the weights in the last of them."""
        scores = np.zeros(columns.shape[1])
        left, n_rounds = np.arange(columns.shape[1]), 1
        while len(left):
            squares = self._squared_weights(columns[:, left], labels)
            shares = squares / (squares.sum() or 1.0)
            best_first = descending(shares)
            scores[left] = n_rounds + shares - 1
            left = np.sort(left[best_first[: len(left) - self._n_dropped(len(left))]])
            n_rounds += 1
        return scores

    def _n_dropped(self, n_left: int) -> int:
        if n_left <= self.one_by_one_below:
            return 1
        return min(max(1, int(self.step * n_left)), n_left - self.one_by_one_below)

    def _squared_weights(self, columns: np.ndarray, labels: np.ndarray) -> np.ndarray:
        from sklearn.svm import LinearSVC

        model = LinearSVC(C=self.C, dual="auto", max_iter=MAX_ITER, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            fitted = model.fit(columns, labels)
        return np.asarray((fitted.coef_**2).sum(axis=0))
