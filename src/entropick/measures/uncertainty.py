"""Scores by symmetrical uncertainty, SU(a,b) = 2 I(a;b) / (H(a) + H(b)): FCBF."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._compat import Interval
from entropick.contracts import Counts, Scores
from entropick.data import Data
from entropick.measures.base import Measure, PlainState
from entropick.surprisal import ColumnSums, Surprisal
from entropick.threads import Threads
from entropick.ties import TOLERANCE

__all__ = ["FCBF"]


class Uncertainties:
    """Symmetrical uncertainties of columns: 1 where one tells all of the other, 0 where it tells nothing.

    Two variables of one level each have SU = 0.
    """

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._surprisal = Surprisal(counts.n_rows)
        self._columns = ColumnSums(counts, self._surprisal)

    @property
    def with_target(self) -> np.ndarray:
        """SU(f,y) of every column f."""
        columns = self._columns
        return _ratio(columns.relevance, columns.whole - columns.f, columns.whole - columns.y)

    def with_column(self, s: int, candidates: np.ndarray) -> np.ndarray:
        """SU(f,s) of each candidate f."""
        columns = self._columns
        f, whole = columns.f[candidates], columns.whole
        fs = self._counts.pair_sums(s, candidates, self._surprisal.phi, by_class=False)[0, candidates]
        return _ratio(whole - f - columns.f[s] + fs, whole - f, whole - columns.f[s])


def _ratio(shared: np.ndarray, first: np.ndarray, second: np.ndarray | int) -> np.ndarray:
    """2 I / (H + H), from integers in units of φ."""
    both = np.asarray(first + second, np.float64)
    return np.divide(2.0 * shared, both, out=np.zeros(len(both)), where=both > 0)


class FCBF(Measure):
    """Fast correlation-based filter: columns that tell more about y than any better column tells about them.

    Columns go from the largest SU(f,y) down, SU being symmetrical uncertainty, 2 I(a;b) / (H(a) + H(b)). A
    column is predominant, and picked, unless a column s picked before has SU(f,s) ≥ SU(f,y); it is redundant
    then. "auto" keeps the predominant columns with SU(f,y) above `delta`. Others, where more are asked for,
    follow with the negative score SU(f,y) − SU(f,s), s being the column that first made f redundant.

    Parameters
    ----------
    delta : float in [0, 1), default=0.0
        Least SU(f,y): columns that do not exceed it are irrelevant.

    References
    ----------
    Yu and Liu (2003), Feature selection for high-dimensional data: a fast correlation-based filter solution.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FCBF
    >>> X, y = load_wine(return_X_y=True)
    >>> FCBF(binning="mdlp").fit(X, y).order_
    array([ 6, 11,  9, 12,  0, 10,  1,  3,  4,  2])
    """

    kinds = frozenset({"step"})
    default_cut = "threshold"
    keeps_by_rule = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {"delta": [Interval(Real, 0, 1, closed="left")]}

    def __init__(self, delta: float = 0.0) -> None:
        self.delta = delta

    def begin(self, data: Data, threads: Threads) -> "PredominanceState":
        return PredominanceState(self, data)


class PredominanceState(PlainState):
    """SU(f,y) of every column, and what a column must exceed to be picked."""

    def __init__(self, measure: FCBF, data: Data) -> None:
        self._uncertainties = Uncertainties(data.counts)
        self._relevance = self._uncertainties.with_target
        self._bar = np.full(data.n_columns, float(measure.delta))
        self._pending: list[int] = []

    def include(self, column: int) -> None:
        self._pending.append(column)

    def compete(self, candidates: np.ndarray) -> Scores:
        for s in self._pending:
            in_running = candidates[self._is_predominant(candidates)]
            shared = self._uncertainties.with_column(s, in_running)
            is_redundant = shared >= self._relevance[in_running] - TOLERANCE
            self._bar[in_running[is_redundant]] = shared[is_redundant]
        self._pending.clear()
        short_of = np.where(self._is_predominant(candidates), 0.0, self._bar[candidates])
        return Scores(candidates, self._relevance[candidates] - short_of)

    def _is_predominant(self, columns: np.ndarray) -> np.ndarray:
        """Whether no picked column has made these redundant, and they are relevant at all."""
        return self._relevance[columns] > self._bar[columns] + TOLERANCE
