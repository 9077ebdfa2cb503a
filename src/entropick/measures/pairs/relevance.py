"""Relevance alone: the information of each column about the target."""

from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import StrOptions
from entropick._base.threads import Threads
from entropick.counting.surprisal import CORRECTIONS, ColumnCounts, ColumnSums, Surprisal
from entropick.measures.base import FixedScores, RankingMeasure
from entropick.table.table import Table

__all__ = ["MIM"]

CHANCE_MARGIN = 1.2  # a column is no better than chance up to this multiple of what chance gives it
CORRECTION: dict[str, Any] = {"correction": [StrOptions(set(CORRECTIONS)), None]}


def relevances(counts: ColumnCounts, correction: str | None = None) -> np.ndarray:
    """I(f;y) of every column, in bits."""
    surprisal = Surprisal.of(counts, correction)
    return surprisal.to_bits(ColumnSums(counts, surprisal).relevance)


def columns_of_chance(table: Table) -> set[int]:
    """Columns whose I(f;y) is about what a column of such levels, independent of y, would have."""
    if table.units.groups or not table.has_target:
        return set()
    counts = table.column_counts
    sums = ColumnSums(counts, Surprisal.of(counts, "adjusted"))
    is_chance = sums.relevance < (CHANCE_MARGIN - 1) * sums.expected
    return set(np.flatnonzero(is_chance).tolist())


class MIM(RankingMeasure):
    """Mutual information maximisation: each column f by I(f;y) alone.

    Fast, and blind to redundancy: copies of a good column all rank high.

    Parameters
    ----------
    correction : None, "miller_madow" or "adjusted", default=None
        Estimate entropies by the observed frequencies, correct their first-order bias, or take away the
        information expected by chance: without a correction a column of many levels looks better than it is.

    References
    ----------
    Lewis (1992), Feature selection and feature extraction for text categorization.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MIM
    >>> X, y = load_wine(return_X_y=True)
    >>> MIM(n_features=3).fit(X, y).order_
    array([ 6, 12,  9])
    """

    scores_relevance = True

    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        return FixedScores(relevances(table.counts, self.correction))
