"""Mutual information of numbers without binning, from nearest neighbours."""

import math
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from entropick._base.compat import Interval
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.measures._shared.values import dense, values_of
from entropick.measures.base import FixedScores, NumberRanking
from entropick.table.numeric.magnitude import tamed
from entropick.table.numeric.scaling import is_constant
from entropick.table.readers.inputs import open_input
from entropick.table.table import Table

__all__ = ["KSG"]

DISCRETE = ("category", "boolean")  # kinds of columns that are not treated as numbers


class KSG(NumberRanking):
    """Mutual information of each column with y from nearest neighbours: no binning.

    Kraskov's estimator for a real target, Ross's for classes, both as in scikit-learn, in bits. Categories
    and booleans are counted. The estimate is never negative, and 0 for a constant column. A row that is the
    only one of its class is left out; if that is true of all rows, the score is 0.

    Parameters
    ----------
    n_neighbors : int, default=3
        Number of nearest values; more give less variance and more bias.
    random_state : int, RandomState instance or None, default=None
        Seed of the tiny noise that separates equal numbers; None takes the selector's, or 0 if it has none.
        The noise is the same for all columns, so copies tie, and is added to rows sorted by their values, so
        the order of rows does not matter.

    References
    ----------
    Kraskov, Stögbauer and Grassberger (2004), Estimating mutual information.
    Ross (2014), Mutual information between discrete and continuous data sets.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import KSG
    >>> X, y = load_wine(return_X_y=True)
    >>> KSG(n_features=3).fit(X, y).order_
    array([ 6,  9, 12])
    """

    needs = frozenset({Need.NUMBERS, Need.SOURCE})
    needs_classes = False

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, n_neighbors: int = 3, random_state: Any = None) -> None:
        self.n_neighbors = n_neighbors
        self.random_state = random_state

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

        values = values_of(table)
        is_name = np.isin(open_input(table.source).kinds, DISCRETE)
        is_real = table.target.values is not None
        estimate, wanted = mutual_info_classif, table.target.codes
        if table.target.values is not None:
            estimate, wanted = mutual_info_regression, tamed(table.target.values[:, None])[:, 0]
        seed = 0 if self.random_state is None else check_random_state(self.random_state).randint(2**31 - 1)
        k = min(self.n_neighbors, table.n_rows - 1)
        varying = np.flatnonzero(~is_constant(values))
        scores = np.zeros(values.shape[1])

        def run(start: int, stop: int) -> None:
            for j in varying[start:stop].tolist():
                column = dense(values[:, [j]])
                if is_name[j]:  # as codes; a missing value, which is a mean here, gets a code of its own
                    column = np.unique(column, return_inverse=True)[1].reshape(-1, 1)
                if is_name[j] == is_real and _all_differ(column if is_real else wanted):
                    continue  # numbers are compared within each level, but all levels have a single row
                order = np.lexsort((wanted, column[:, 0]))  # noise is added to sorted rows
                nats = estimate(
                    column[order],
                    wanted[order],
                    discrete_features=[bool(is_name[j])],
                    n_neighbors=k,
                    random_state=seed,
                )
                scores[j] = nats[0] / math.log(2)

        threads.run(run, len(varying), 1e-3 + table.n_rows * 2e-6)
        return FixedScores(table.units.best_of(scores))


def _all_differ(names: np.ndarray) -> bool:
    return len(np.unique(names)) == names.size
