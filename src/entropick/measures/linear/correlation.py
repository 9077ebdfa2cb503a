"""Scores by Pearson's correlation: CFS without a target, RRPC with some labels."""

import math
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import StrOptions
from entropick._base.threads import Threads
from entropick.contracts import Correlations, Need, Race, Scores
from entropick.measures.base import FixedScores, PlainState, StepMeasure, UnsupervisedRanking
from entropick.table.numeric.scaling import BLOCK_VALUES, is_narrow
from entropick.table.table import Table

__all__ = ["CFS", "RRPC"]


class CFS(UnsupervisedRanking):
    """Correlation-based selection without a target: columns uncorrelated with the others.

    The score is 1 − mean |r| (or 1 − smallest |r|) with the other columns. Constant columns score 0 and are
    ignored otherwise. This is the comparator of the papers on Inf-FS; Hall's CFS, which needs a target and
    scores subsets, shares only its name.

    Parameters
    ----------
    summary : {"mean", "minimum"}, default="mean"
        Summary of the absolute correlations with the other columns; "minimum" is that of the Feature
        Selection Library of the authors of Inf-FS.

    References
    ----------
    Roffo, Melzi, Castellani, Vinciarelli and Cristani (2020), Infinite feature selection: a graph-based
    feature filtering approach.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> CFS(n_features=3).fit(X).order_
    array([2, 4, 9])
    """

    needs = frozenset({Need.SUMS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {"summary": [StrOptions({"mean", "minimum"})]}

    def __init__(self, summary: str = "mean") -> None:
        self.summary = summary

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        low, high = table.sums.bounds()
        useful = np.flatnonzero(~is_narrow(low, high))
        scores = np.zeros(len(low))
        scores[useful] = 1 - self._redundancy(table.sums.correlations(useful), len(useful))
        return FixedScores(table.units.best_of(scores))

    def _redundancy(self, correlations: Correlations, n: int) -> np.ndarray:
        """Summary of |r| of each of n columns with the others; 0 for a single column.

        Pairs are processed in blocks, each pair once, so that the matrix of all pairs is never stored.
        """
        if n == 1:
            return np.zeros(1)
        combine, neutral = (np.add, 0.0) if self.summary == "mean" else (np.minimum, 1.0)
        combined = np.full(n, neutral)
        width = int(np.sqrt(BLOCK_VALUES))
        for i in range(0, n, width):
            down = slice(i, i + width)
            for j in range(i, n, width):
                across = slice(j, j + width)
                block = np.abs(correlations.between(down, across))
                if i == j:
                    np.fill_diagonal(block, neutral)
                else:
                    combined[across] = combine(combined[across], combine.reduce(block, axis=0))
                combined[down] = combine(combined[down], combine.reduce(block, axis=1))
        return combined / (n - 1) if self.summary == "mean" else combined


class RRPC(StepMeasure):
    """Relevance and redundancy by Pearson's correlation, with all labels or only some.

    Greedily adds the column with the largest |r(f,y)| − mean |r(f,s)| over the selected columns s. Relevance
    is computed on the rows with a label, redundancy on all rows. For classes r(f,y) is the multiple
    correlation of f with the indicators of the classes, which is Pearson's for two classes. Rows without a
    label have a missing value, or −1 with `unlabelled=-1`. Constant columns correlate with nothing. A group
    is as relevant as its best column, and as redundant as its most correlated pair.

    Parameters
    ----------
    signed : bool, default=False
        Whether correlations keep their sign, as printed in the paper on NEFS: a column that falls as y grows
        is then worse than one that is unrelated to y.
    classes : {"multiple", "number"}, default="multiple"
        How a column correlates with classes: by the multiple correlation with their indicators, which has no
        sign, or with the number of the class in sorted order, as in that paper.

    References
    ----------
    Xu, Tang, He and Man (2017), Semisupervised feature selection based on relevance and redundancy criteria.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from entropick import RRPC
    >>> X, y = load_wine(return_X_y=True)
    >>> RRPC(n_features=3).fit(X, y).order_
    array([ 6,  9, 12])
    >>> some = np.where(np.arange(len(y)) % 5 == 0, y, -1)  # one label in five
    >>> RRPC(n_features=3, unlabelled=-1).fit(X, some).order_
    array([6, 9, 0])
    """

    needs = frozenset({Need.SUMS})
    semi_supervised = True
    needs_classes = False
    default_cut = "threshold"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "signed": ["boolean"],
        "classes": [StrOptions({"multiple", "number"})],
    }

    def __init__(self, signed: bool = False, classes: str = "multiple") -> None:
        self.signed = signed
        self.classes = classes

    def begin_steps(self, table: Table, threads: Threads) -> "CorrelationState":
        relevance = table.units.best_of(relevance_by_correlation(table, self.signed, self.classes))
        return CorrelationState(table, relevance, signed=self.signed)


class CorrelationState(PlainState):
    """Relevance less the mean redundancy with the picked columns.

    Parameters
    ----------
    table : with sums of numbers
    relevance : of each unit
    signed : whether correlations keep their sign
    weight : of the redundancy
    most_r2 : if above 0, redundancy is information in bits, with r² of at most this; else |r|
    """

    def __init__(
        self,
        table: Table,
        relevance: np.ndarray,
        *,
        signed: bool = False,
        weight: float = 1.0,
        most_r2: float = 0.0,
    ) -> None:
        self._relevance, self._weight, self._most_r2 = relevance, weight, most_r2
        self._redundancy = RedundancyByCorrelation(table, signed)
        self._race = self._redundancy.race(relevance, weight, most_r2)
        self._totals = np.zeros(table.n_columns)
        self._n_picked = 0

    def include(self, column: int) -> None:
        self._n_picked += 1
        if self._race is not None:
            return self._race.include(column)
        found = self._redundancy.with_pick(column)
        self._totals += normal_information(found, self._most_r2) if self._most_r2 else found
        return None

    def compete(self, candidates: np.ndarray) -> Scores:
        if self._race is not None and self._n_picked:
            return Scores(*self._race.finalists(candidates))
        redundancy = self._totals[candidates] / max(1, self._n_picked)
        return Scores(candidates, self._relevance[candidates] - self._weight * redundancy)


class RedundancyByCorrelation:
    """Correlations of all units with one of them; a group has that of its most correlated column."""

    def __init__(self, table: Table, signed: bool = False) -> None:
        self._units, self._signed = table.units, signed
        self._correlations = table.sums.correlations()

    def race(self, relevance: np.ndarray, weight: float, most: float) -> Race | None:
        """A race of single columns by their absolute correlations."""
        is_plain = self._units.groups is None and not self._signed
        return self._correlations.race(relevance, weight, most) if is_plain else None

    def with_pick(self, unit: int) -> np.ndarray:
        """r, or |r|, of every unit with one of them."""
        found = self._correlations.between(list(self._units.members_of(unit)), slice(None))
        return self._units.best_of((found if self._signed else np.abs(found)).max(axis=0))


def normal_information(correlations: np.ndarray, most_r2: float) -> np.ndarray:
    """−½ log2(1 − r²), in bits, with r² of at most `most_r2`."""
    information: np.ndarray = -0.5 * np.log1p(-np.minimum(correlations**2, most_r2)) / math.log(2)
    return information


def relevance_by_correlation(table: Table, signed: bool = False, classes: str = "multiple") -> np.ndarray:
    """Correlation of each column with the target on labelled rows; see `RRPC` for the options."""
    found = table.sums.target_correlations(by_number=classes == "number")
    return found if signed else np.abs(found)
