"""The Fisher score: how far apart the class means are, against how wide the classes are."""

from typing import Any, ClassVar

import numpy as np

from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.measures._shared.moments import stretched
from entropick.measures.base import FixedScores, NumberRanking
from entropick.table.numeric.moments import Moments
from entropick.table.table import Table

__all__ = ["FisherScore"]

SEPARATED = 1e-12  # smallest width of the classes relative to their distance


class FisherScore(NumberRanking):
    """Fisher score: how far apart the class means of a column are, against how wide its classes are.

    The score is Σ_g (μ_g − μ)² / Σ_g σ_g², with equal weight for all classes g. Variances are divided by the
    number of rows. A constant column scores 0, and one that is constant in every class at most 10¹². A real
    target is binned into classes. A group of columns has the score of its best column.

    References
    ----------
    Roffo, Melzi, Castellani, Vinciarelli and Cristani (2020), Infinite feature selection: a graph-based
    feature filtering approach, eq. 4.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FisherScore
    >>> X, y = load_wine(return_X_y=True)
    >>> FisherScore(n_features=3).fit(X, y).order_
    array([ 6, 11, 12])
    """

    needs = frozenset({Need.SUMS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        return FixedScores(table.units.best_of(fisher_scores(table.sums.moments())))


def relative_fisher(moments: Moments) -> np.ndarray:
    """Fisher scores rescaled to [0, 1].

    Columns that are constant in every class count as much as the best of the others: next to their huge
    scores all others would be near 0.
    """
    scores = fisher_scores(moments)
    is_separated = scores >= 0.99 / SEPARATED
    best_other = scores[~is_separated].max(initial=0.0)
    scores[is_separated] = best_other if best_other > 0 else 1.0
    return stretched(scores)


def fisher_scores(moments: Moments) -> np.ndarray:
    """The Fisher score of every column; classes without rows do not count."""
    present = moments.class_counts > 0
    between = ((moments.class_means - moments.mean[:, None]) ** 2)[:, present].sum(axis=1)
    within = moments.class_variances[:, present].sum(axis=1)
    scores = np.zeros(len(between))
    varies = ~moments.is_constant & (between > 0)
    scores[varies] = between[varies] / np.maximum(within[varies], SEPARATED * between[varies])
    return scores
