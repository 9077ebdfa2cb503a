"""Relevance alone: what each column tells about the target by itself."""

from typing import Any, ClassVar

import numpy as np

from entropick._compat import StrOptions
from entropick.counting.pairs import PairCounter
from entropick.counting.surprisal import Surprisal
from entropick.measures.base import FixedScores, Measure
from entropick.table import Table
from entropick.workers import Workers

CORRECTION: dict[str, Any] = {"correction": [StrOptions({"miller_madow"}), None]}


class ColumnSums:
    """Σ φ of every column alone and with the classes, and the relevances that follow."""

    def __init__(self, counter: PairCounter, surprisal: Surprisal) -> None:
        target = counter.table.target
        assert target is not None
        self.surprisal = surprisal
        self.f, self.fy = counter.column_sums()
        self.y = surprisal.sum(np.bincount(target.codes))
        # n·I(f;y) in units of φ
        self.relevance = surprisal.whole - self.f - self.y + self.fy


class MIM(Measure):
    """Mutual information maximisation: I(f;y), whatever was picked before.

    Parameters
    ----------
    correction : None or "miller_madow", the estimate of the entropies

    References
    ----------
    Lewis (1992), Feature selection and feature extraction for text categorization.
    """

    kinds = frozenset({"ranking", "step"})
    default_search = "ranking"

    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin(self, table: Table, workers: Workers) -> "RelevanceState":
        return RelevanceState(self.correction, table, workers)


class RelevanceState(FixedScores):
    """I(f;y) of every column."""

    def __init__(self, correction: str | None, table: Table, workers: Workers) -> None:
        surprisal = Surprisal(table.n_rows, correction)
        counter = PairCounter(table, surprisal, workers)
        super().__init__(surprisal.to_bits(ColumnSums(counter, surprisal).relevance))
