"""Relevance alone: what each column tells about the target by itself."""

from typing import Any, ClassVar

import numpy as np

from entropick._compat import StrOptions
from entropick.contracts import Counts, Data
from entropick.measures.base import FixedScores, Measure
from entropick.surprisal import Surprisal
from entropick.workers import Workers

__all__ = ["MIM"]

CORRECTION: dict[str, Any] = {"correction": [StrOptions({"miller_madow"}), None]}


class ColumnSums:
    """Σ φ of every column alone and with the classes, and the relevances that follow."""

    def __init__(self, counts: Counts, surprisal: Surprisal) -> None:
        self.surprisal = surprisal
        self.f, self.fy = counts.column_sums(surprisal.phi)
        self.y = surprisal.sum(counts.class_sizes)
        # n·I(f;y) in units of φ
        self.relevance = surprisal.whole - self.f - self.y + self.fy


def relevances(counts: Counts, correction: str | None = None) -> np.ndarray:
    """I(f;y) of every column, in bits."""
    surprisal = Surprisal(counts.n_rows, correction)
    return surprisal.to_bits(ColumnSums(counts, surprisal).relevance)


class MIM(Measure):
    """Mutual information maximisation: each column f by I(f;y) alone.

    Fast, and blind to redundancy: copies of a good column all rank high.

    Parameters
    ----------
    correction : None or "miller_madow", default=None
        Estimate entropies by the observed frequencies, or correct their first-order bias: without the
        correction a column of many levels looks better than it is.

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

    kinds = frozenset({"ranking", "step"})
    default_search = "ranking"

    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin(self, data: Data, workers: Workers) -> FixedScores:
        return FixedScores(relevances(data.counts, self.correction))
