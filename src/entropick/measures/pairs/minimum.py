"""Criteria that take the minimum over pairs: the score is the smallest pairwise term.

Such a score can only fall as columns are selected, so an old score is an upper bound and most candidates
need no new counting. Ties go to the lowest column index.
"""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from entropick._base.threads import Threads
from entropick._base.ties import TOLERANCE
from entropick.contracts import Scores
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.measures.base import PlainState, StepMeasure
from entropick.measures.pairs.relevance import CORRECTION
from entropick.table.table import Table

__all__ = ["CMIM", "JMIM"]


class MinimumMeasure(StepMeasure):
    """A criterion that is a minimum over the selected columns, evaluated lazily.

    Parameters
    ----------
    correction : None, "miller_madow" or "adjusted", default=None
        Estimate entropies by the observed frequencies, correct their first-order bias, or take away the
        information expected by chance: without a correction a column of many levels looks better than it is.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin_steps(self, table: Table, threads: Threads) -> "MinimumState":
        return MinimumState(self, table)

    @abstractmethod
    def start(self, columns: ColumnSums) -> np.ndarray:
        """Minimum over no picked column, in units of φ."""

    @abstractmethod
    def offset(self, columns: ColumnSums, s: int) -> int:
        """The part of the term of s that does not depend on f, in units of φ."""


class CMIM(MinimumMeasure):
    """Conditional mutual information maximisation: greedily the largest min( I(f;y), min I(f;y|s) ).

    References
    ----------
    Fleuret (2004), Fast binary feature selection with conditional mutual information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CMIM
    >>> X, y = load_wine(return_X_y=True)
    >>> CMIM(n_features=3).fit(X, y).order_
    array([6, 0, 9])
    """

    def start(self, columns: ColumnSums) -> np.ndarray:
        return columns.relevance

    def offset(self, columns: ColumnSums, s: int) -> int:
        return int(columns.f[s] - columns.fy[s])


class JMIM(MinimumMeasure):
    """Joint mutual information maximisation: greedily the largest min I(f,s;y) over the selected s.

    References
    ----------
    Bennasar, Hicks and Setchi (2015), Feature selection using joint mutual information maximisation.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import JMIM
    >>> X, y = load_wine(return_X_y=True)
    >>> JMIM(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    def start(self, columns: ColumnSums) -> np.ndarray:
        return np.full_like(columns.relevance, np.iinfo(np.int64).max // 2)

    def offset(self, columns: ColumnSums, s: int) -> int:
        return int(columns.relevance[s] + columns.f[s] - columns.fy[s])


class MinimumState(PlainState):
    """Upper bounds per candidate, brought up to date only as far as the best candidate needs."""

    adds_up = True

    def __init__(self, measure: MinimumMeasure, table: Table) -> None:
        self._measure = measure
        self._surprisal = Surprisal.of(table.counts, measure.correction)
        self._columns = ColumnSums(table.counts, self._surprisal)
        slack = self._surprisal.from_bits(2 * TOLERANCE)
        self._minima = table.counts.minima(measure.start(self._columns), self._surprisal, slack)
        self._is_first = True

    def include(self, column: int) -> None:
        self._minima.include(column, self._measure.offset(self._columns, column))
        self._is_first = False

    def compete(self, candidates: np.ndarray) -> Scores:
        if self._is_first:
            return Scores(candidates, self._surprisal.to_bits(self._columns.relevance[candidates]))
        finalists, scores = self._minima.finalists(candidates)
        return Scores(finalists, self._surprisal.to_bits(scores))
