"""Criteria that sum over triples: the joint information of a column and each two selected ones."""

from typing import Any, ClassVar

import numpy as np

from entropick._base.threads import Threads
from entropick.contracts import COUNTED, Scores
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.measures.base import PlainState, StepMeasure
from entropick.measures.pairs.relevance import CORRECTION
from entropick.table.table import Table

__all__ = ["JMI3"]

Sums = tuple[Any, Any, Any]  # Σ φ without and with the classes, and the relevance, in units of φ


class JMI3(StepMeasure):
    """Joint mutual information of third order: greedily the largest Σ I(f,u,w;y) over selected pairs u, w.

    The first column is the one with the largest I(f;y), the second that of the largest I(f,s;y) with it.

    Parameters
    ----------
    correction : None, "miller_madow" or "adjusted", default=None
        Estimate entropies by the observed frequencies, correct their first-order bias, or take away the
        information expected by chance: without a correction a column of many levels looks better than it is,
        with three columns more so than with two.

    References
    ----------
    Sechidis, Azzimonti, Pocock, Corani, Weatherall and Brown (2019), Efficient feature selection using
    shrinkage estimators.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import JMI3
    >>> X, y = load_wine(return_X_y=True)
    >>> JMI3(n_features=3, n_bins=3).fit(X, y).order_
    array([ 6,  9, 12])
    """

    needs = COUNTED
    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin_steps(self, table: Table, threads: Threads) -> "TripleState":
        return TripleState(self, table)


class TripleState(PlainState):
    """Running sums per candidate: each pick costs one pass against its pairs with all picks before it."""

    adds_up = True

    def __init__(self, measure: JMI3, table: Table) -> None:
        self._counts = table.counts
        self._surprisal = Surprisal.of(table.counts, measure.correction)
        self._columns = ColumnSums(self._counts, self._surprisal)
        self._picked: list[int] = []
        self._n_counted = 0  # picks whose pairs with those before them are in the totals
        self._totals = np.zeros(table.n_columns)

    def include(self, column: int) -> None:
        self._picked.append(column)

    def compete(self, candidates: np.ndarray) -> Scores:
        columns = self._columns
        if not self._picked:
            return Scores(candidates, self._surprisal.to_bits(columns.relevance[candidates]))
        if len(self._picked) == 1:
            s = self._picked[0]
            own = columns.f[s], columns.fy[s], columns.relevance[s]
            return Scores(candidates, self._surprisal.to_bits(self._joint(s, own, candidates)[2]))
        for newest in range(max(self._n_counted, 1), len(self._picked)):
            for earlier in self._picked[:newest]:
                of_pair = self._of_pair(earlier, self._picked[newest])
                joint = self._joint((earlier, self._picked[newest]), of_pair, candidates)[2]
                self._totals[candidates] += self._surprisal.to_bits(joint)
        self._n_counted = len(self._picked)
        return Scores(candidates, self._totals[candidates])

    def _of_pair(self, u: int, w: int) -> Sums:
        """Of two picks jointly."""
        own = self._columns.f[u], self._columns.fy[u], self._columns.relevance[u]
        alone, by_class, relevance = self._joint(u, own, np.array([w]))
        return alone[0], by_class[0], relevance[0]

    def _joint(self, s: int | tuple[int, int], of_s: Sums, candidates: np.ndarray) -> Sums:
        """Of each candidate f and s, which is one pick or two: I(f,s;y) = I(s;y) + I(f;y|s)."""
        fs, fsy, expected = self._counts.pair_sums(s, candidates, self._surprisal)[:, candidates]
        alone, by_class, relevance = of_s
        return fs, fsy, relevance + fsy - fs + alone - by_class - expected
