"""Mutual information of numbers without binning, from nearest neighbours."""

import math
from numbers import Integral
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.special import digamma
from sklearn.metrics import mutual_info_score
from sklearn.utils import check_random_state

from entropick import _core
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
        values, target = values_of(table), table.target
        is_name = np.isin(open_input(table.source).kinds, DISCRETE)
        wanted: Variable = Names(target.codes)
        if target.values is not None:
            wanted = Quantity(tamed(target.values[:, None])[:, 0])
        seed = 0 if self.random_state is None else check_random_state(self.random_state).randint(2**31 - 1)
        estimate = Estimate(table.n_rows, self.n_neighbors, seed)
        varying = np.flatnonzero(~is_constant(values))
        scores = np.zeros(values.shape[1])

        def run(start: int, stop: int) -> None:
            for j in varying[start:stop].tolist():
                column = dense(values[:, [j]])[:, 0]
                # names as codes; a missing one, which is a mean here, gets a code of its own
                found = Names(np.unique(column, return_inverse=True)[1]) if is_name[j] else Quantity(column)
                scores[j] = max(0.0, estimate.nats(found, wanted)) / math.log(2)

        threads.run(run, len(varying), 2e-4 + table.n_rows * 1e-6)
        return FixedScores(table.units.best_of(scores))


class Names(NamedTuple):
    """A variable whose values are equal or not."""

    values: np.ndarray


class Quantity(NamedTuple):
    """A variable whose values are nearer or farther; its unit does not matter."""

    values: np.ndarray


Variable = Names | Quantity


class Estimate:
    """Information of two variables, in nats; may be negative.

    Equal numbers are moved apart by noise of 1e-10 standard deviations, which goes to rows sorted by their
    values.
    """

    def __init__(self, n_rows: int, n_neighbors: int, seed: int) -> None:
        self._k = min(n_neighbors, n_rows - 1)
        self._digamma = digamma(np.maximum(np.arange(n_rows + 1), 1))
        self._noise = np.random.RandomState(seed).standard_normal((2, n_rows))

    def nats(self, x: Variable, y: Variable) -> float:
        if isinstance(x, Names) and isinstance(y, Names):
            return float(mutual_info_score(x.values, y.values))
        order = np.lexsort((y.values, x.values))
        if isinstance(x, Names):
            return self._beside_names(self._apart(y.values[order], 0), x.values[order])
        if isinstance(y, Names):
            return self._beside_names(self._apart(x.values[order], 0), y.values[order])
        return self._of_numbers(self._apart(x.values[order], 0), self._apart(y.values[order], 1))

    def _apart(self, numbers: np.ndarray, which: int) -> np.ndarray:
        """Scaled numbers, no two of which are equal."""
        shifted = numbers - numbers.min()  # large numbers of small spread would leave no digits for the noise
        spread = shifted.std()
        return np.asarray((shifted / spread if spread > 0 else shifted) + 1e-10 * self._noise[which])

    def _beside_names(self, numbers: np.ndarray, names: np.ndarray) -> float:
        """Ross's estimate; rows that are alone in their class are left out."""
        sizes = np.bincount(names)
        shared = sizes[sizes > 1]
        if not len(shared):
            return 0.0
        order = np.argsort(numbers, kind="stable")
        nearer = _core.nearer_than_own(numbers[order], names[order].astype(np.int32), len(sizes), self._k)
        n, psi = shared.sum(), self._digamma
        of_classes = shared @ (psi[np.minimum(self._k, shared - 1)] - psi[shared]) / n
        return float(psi[n] + of_classes - psi[nearer[nearer > 0]].mean())

    def _of_numbers(self, x: np.ndarray, y: np.ndarray) -> float:
        """Kraskov's first estimate."""
        psi = self._digamma
        near_x, near_y = (psi[nearer + 1].mean() for nearer in _core.nearer_in_plane(x, y, self._k))
        return float(psi[len(x)] + psi[self._k] - near_x - near_y)
