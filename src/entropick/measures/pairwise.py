"""Criteria that sum over pairs: relevance to y against what each picked column already tells.

All terms are estimated from counts, in bits; sums run over the picked columns s. The first pick is
always the column f of the largest I(f;y). Ties go to the lowest column index.
"""

from abc import abstractmethod
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._compat import Interval
from entropick.counting.pairs import PairCounter
from entropick.counting.surprisal import Surprisal
from entropick.measures.base import Measure, PlainState
from entropick.measures.relevance import CORRECTION, ColumnSums
from entropick.table import Table
from entropick.workers import Workers


class Pair:
    """What each column f and one picked column s tell together, in bits."""

    def __init__(self, sums: np.ndarray, columns: ColumnSums, s: int) -> None:
        self._fs, self._fsy = sums
        self._f, self._fy = columns.f, columns.fy
        self._s, self._sy = columns.f[s], columns.fy[s]
        self._y, self._all = columns.y, columns.surprisal.whole
        self._to_bits = columns.surprisal.to_bits

    @property
    def redundancy(self) -> np.ndarray:
        """I(f;s)"""
        return self._to_bits(self._all - self._f - self._s + self._fs)

    @property
    def redundancy_within_classes(self) -> np.ndarray:
        """I(f;s|y)"""
        return self._to_bits(self._fsy + self._y - self._fy - self._sy)

    @property
    def joint_relevance(self) -> np.ndarray:
        """I(f,s;y)"""
        return self._to_bits(self._all - self._fs - self._y + self._fsy)

    @property
    def joint_entropy(self) -> np.ndarray:
        """H(f,s,y)"""
        return self._to_bits(self._all - self._fsy)


class PairwiseMeasure(Measure):
    """A criterion made of I(f;y) and one term per picked column.

    Parameters
    ----------
    correction : None or "miller_madow"
        None estimates every entropy by the observed frequencies, which makes columns of many levels
        look better than they are; "miller_madow" takes the first-order bias off.
    """

    kinds = frozenset({"step"})
    by_class: ClassVar[bool] = True  # whether the term looks at the classes

    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin(self, table: Table, workers: Workers) -> "PairwiseState":
        return PairwiseState(self, table, workers)

    @abstractmethod
    def term(self, pair: Pair) -> np.ndarray:
        """What picked column s adds to the sum."""

    @abstractmethod
    def score(self, relevance: np.ndarray, total: np.ndarray, n_picked: int) -> np.ndarray:
        """The criterion from I(f;y) and the sum of terms over at least one picked column."""


class PairwiseState(PlainState):
    """Running sums per candidate: each pick costs one pass against the newest column only."""

    def __init__(self, measure: PairwiseMeasure, table: Table, workers: Workers) -> None:
        self._measure = measure
        self._table = table
        surprisal = Surprisal(table.n_rows, measure.correction)
        counter = PairCounter(table, surprisal, workers)
        self._columns = ColumnSums(counter, surprisal)
        if not measure.by_class:
            counter = PairCounter(table, surprisal, workers, with_classes=False)
        self._counter = counter
        self._newest = counter.new_selected()
        self._relevance = surprisal.to_bits(self._columns.relevance)
        self._totals = np.zeros(table.n_columns)
        self._n_picked = 0
        self._pending: list[int] = []

    def include(self, column: int) -> None:
        self._pending.append(column)

    def compete(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for s in self._pending:
            self._newest.clear()
            self._newest.add(self._table.column(s), int(self._table.n_levels[s]))
            sums = self._counter.sums(candidates, self._newest, 0)
            # For all columns, though the terms of others are not used: faster than to pick candidates.
            self._totals += self._measure.term(Pair(sums, self._columns, s))
            self._n_picked += 1
        self._pending.clear()
        if self._n_picked == 0:
            return candidates, self._relevance[candidates]
        return candidates, self._measure.score(self._relevance, self._totals, self._n_picked)[candidates]


class MIFS(PairwiseMeasure):
    """Mutual information feature selection: I(f;y) − β Σ I(f;s).

    Parameters
    ----------
    beta : float, weight of the redundancy
    correction : None or "miller_madow", the estimate of the entropies

    References
    ----------
    Battiti (1994), Using mutual information for selecting features in supervised neural net learning.
    """

    by_class = False

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CORRECTION,
        "beta": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, beta: float = 1.0, correction: str | None = None) -> None:
        self.beta = beta
        self.correction = correction

    def term(self, pair: Pair) -> np.ndarray:
        return pair.redundancy

    def score(self, relevance: np.ndarray, total: np.ndarray, n_picked: int) -> np.ndarray:
        return relevance - self.beta * total


class MRMR(PairwiseMeasure):
    """Maximum relevance, minimum redundancy: I(f;y) − mean I(f;s).

    References
    ----------
    Peng, Long and Ding (2005), Feature selection based on mutual information.
    """

    by_class = False

    def term(self, pair: Pair) -> np.ndarray:
        return pair.redundancy

    def score(self, relevance: np.ndarray, total: np.ndarray, n_picked: int) -> np.ndarray:
        return relevance - total / n_picked


class CIFE(PairwiseMeasure):
    """Conditional infomax feature extraction: I(f;y) − Σ I(f;s) + Σ I(f;s|y).

    References
    ----------
    Lin and Tang (2006), Conditional infomax learning.
    """

    def term(self, pair: Pair) -> np.ndarray:
        return pair.redundancy_within_classes - pair.redundancy

    def score(self, relevance: np.ndarray, total: np.ndarray, n_picked: int) -> np.ndarray:
        return relevance + total


class JMI(PairwiseMeasure):
    """Joint mutual information: Σ I(f,s;y).

    References
    ----------
    Yang and Moody (1999), Feature selection based on joint mutual information.
    """

    def term(self, pair: Pair) -> np.ndarray:
        return pair.joint_relevance

    def score(self, relevance: np.ndarray, total: np.ndarray, n_picked: int) -> np.ndarray:
        return total


class DISR(PairwiseMeasure):
    """Double input symmetrical relevance: Σ I(f,s;y) / H(f,s,y); a term with H = 0 counts 0.

    References
    ----------
    Meyer and Bontempi (2006), On the use of variable complementarity for feature selection.
    """

    def term(self, pair: Pair) -> np.ndarray:
        entropy = pair.joint_entropy
        return np.divide(pair.joint_relevance, entropy, out=np.zeros_like(entropy), where=entropy > 0)

    def score(self, relevance: np.ndarray, total: np.ndarray, n_picked: int) -> np.ndarray:
        return total


class ICAP(PairwiseMeasure):
    """Interaction capping: I(f;y) − Σ max(0, I(f;s) − I(f;s|y)).

    References
    ----------
    Jakulin (2005), Machine learning based on attribute interactions.
    """

    def term(self, pair: Pair) -> np.ndarray:
        return np.maximum(0.0, pair.redundancy - pair.redundancy_within_classes)

    def score(self, relevance: np.ndarray, total: np.ndarray, n_picked: int) -> np.ndarray:
        return relevance - total
