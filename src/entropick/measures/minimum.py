"""Criteria that take the minimum over pairs: a column is as good as its worst companion leaves it.

Such a score can only fall as columns are picked, so an old score is an upper bound and most candidates
need no new counting. Ties go to the lowest column index.
"""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from entropick.counting.pairs import PairCounter
from entropick.counting.race import MinimumRace
from entropick.counting.surprisal import Surprisal
from entropick.measures.base import Measure, PlainState
from entropick.measures.relevance import CORRECTION, ColumnSums
from entropick.table import Table
from entropick.ties import TOLERANCE
from entropick.workers import Workers


class MinimumMeasure(Measure):
    """A criterion that is a minimum over the picked columns, evaluated lazily.

    Parameters
    ----------
    correction : None or "miller_madow", the estimate of the entropies
    """

    kinds = frozenset({"step"})

    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin(self, table: Table, workers: Workers) -> "MinimumState":
        return MinimumState(self, table, workers)

    @abstractmethod
    def start(self, columns: ColumnSums) -> np.ndarray:
        """Minimum over no picked column, in units of φ."""

    @abstractmethod
    def offset(self, columns: ColumnSums, s: int) -> int:
        """The part of the term of s that does not depend on f, in units of φ."""


class CMIM(MinimumMeasure):
    """Conditional mutual information maximisation: min( I(f;y), min I(f;y|s) ).

    References
    ----------
    Fleuret (2004), Fast binary feature selection with conditional mutual information.
    """

    def start(self, columns: ColumnSums) -> np.ndarray:
        return columns.relevance.copy()

    def offset(self, columns: ColumnSums, s: int) -> int:
        return int(columns.f[s] - columns.fy[s])


class JMIM(MinimumMeasure):
    """Joint mutual information maximisation: min I(f,s;y).

    References
    ----------
    Bennasar, Hicks and Setchi (2015), Feature selection using joint mutual information maximisation.
    """

    def start(self, columns: ColumnSums) -> np.ndarray:
        return np.full_like(columns.relevance, np.iinfo(np.int64).max // 2)

    def offset(self, columns: ColumnSums, s: int) -> int:
        return columns.surprisal.whole - columns.y


class MinimumState(PlainState):
    """Upper bounds per candidate, brought up to date only as far as the best candidate needs."""

    def __init__(self, measure: MinimumMeasure, table: Table, workers: Workers) -> None:
        self._measure = measure
        self._table = table
        self._surprisal = Surprisal(table.n_rows, measure.correction)
        counter = PairCounter(table, self._surprisal, workers)
        self._columns = ColumnSums(counter, self._surprisal)
        slack = self._surprisal.from_bits(2 * TOLERANCE)
        self._race = MinimumRace(counter, measure.start(self._columns), slack)

    def include(self, column: int) -> None:
        codes, n_levels = self._table.column(column), int(self._table.n_levels[column])
        self._race.include(column, codes, n_levels, self._measure.offset(self._columns, column))

    def compete(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if len(self._race.selected) == 0:
            return candidates, self._surprisal.to_bits(self._columns.relevance[candidates])
        finalists = self._race.finalists(candidates)
        return finalists, self._surprisal.to_bits(self._race.bounds[finalists])
