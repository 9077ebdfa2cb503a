"""Criteria of pairs that divide: by redundancy, or by entropies."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick._base.race import FallingScore
from entropick.counting.surprisal import ColumnSums
from entropick.measures.pairs.pairwise import MAX_WEIGHT, Bits, Pair, PairTerms, PairwiseMeasure, share_of
from entropick.measures.pairs.relevance import CORRECTION

__all__ = ["DISR", "IWFS", "MIQ", "NJMIM", "NMIFS"]


class DISR(PairwiseMeasure):
    """Double input symmetrical relevance: greedily the largest Σ I(f,s;y) / H(f,s,y).

    A term with H = 0 counts 0.

    References
    ----------
    Meyer and Bontempi (2006), On the use of variable complementarity for feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import DISR
    >>> X, y = load_wine(return_X_y=True)
    >>> DISR(n_features=3).fit(X, y).order_
    array([ 6,  0, 12])
    """

    def term(self, pair: Pair) -> Bits:
        return pair.relative_joint_relevance

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return total


class MIQ(PairwiseMeasure):
    """Mutual information quotient: greedily the largest I(f;y) / (mean I(f;s) + ε) over the selected s.

    Parameters
    ----------
    epsilon : float, default=0.01
        Added to the mean redundancy, in bits, as the authors' program does. Without it a column that shares
        nothing with the selected ones would have an infinite score.
    correction : None, "miller_madow" or "adjusted", default=None
        Estimate entropies by the observed frequencies, correct their first-order bias, or take away the
        information expected by chance. A mean redundancy
        that becomes negative counts as 0.

    References
    ----------
    Ding and Peng (2005), Minimum redundancy feature selection from microarray gene expression data.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MIQ
    >>> X, y = load_wine(return_X_y=True)
    >>> MIQ(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    by_class = False

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CORRECTION,
        "epsilon": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(self, epsilon: float = 0.01, correction: str | None = None) -> None:
        self.epsilon = epsilon
        self.correction = correction

    @property
    def falling(self) -> FallingScore | None:  # type: ignore[override]
        is_safe = self.epsilon * MAX_WEIGHT >= 1
        return FallingScore(is_mean=True, epsilon=self.epsilon) if is_safe else None

    def term(self, pair: Pair) -> Bits:
        return pair.redundancy

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone / (np.maximum(total / n_picked, 0.0) + self.epsilon)


class NJMIM(PairTerms):
    """Normalised joint mutual information maximisation: greedily the largest min I(f,s;y) / H(f,s,y).

    A term with H = 0 counts 0.

    References
    ----------
    Bennasar, Hicks and Setchi (2015), Feature selection using joint mutual information maximisation.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import NJMIM
    >>> X, y = load_wine(return_X_y=True)
    >>> NJMIM(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    combine = np.minimum

    def term(self, pair: Pair) -> Bits:
        return pair.relative_joint_relevance

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return total


class NMIFS(PairwiseMeasure):
    """Normalised mutual information: greedily the largest I(f;y) − mean I(f;s) / min(H(f), H(s)).

    I(f;s) is divided by the smaller of H(f) and H(s), its maximum, so that redundancy lies between 0 and 1
    whatever the number of levels. A column of one level shares nothing.

    References
    ----------
    Estévez, Tesmer, Perez and Zurada (2009), Normalized mutual information feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import NMIFS
    >>> X, y = load_wine(return_X_y=True)
    >>> NMIFS(n_features=3).fit(X, y).order_
    array([ 6, 12,  9])
    """

    by_class = False

    def term(self, pair: Pair) -> Bits:
        return share_of(pair.redundancy, np.minimum(pair.entropies, pair.entropy_of_pick))

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone - total / n_picked


class IWFS(PairTerms):
    """Interaction weights: greedily the largest (1 + SU(f,y)) Π ( 1 + (I(f;y|s) − I(f;y)) / (H(f) + H(s)) ).

    SU is symmetrical uncertainty, 2 I(f;y) / (H(f) + H(y)). What f tells more in the company of a selected
    column s multiplies its score by up to 2, what both tell by as little as 0.

    References
    ----------
    Zeng, Zhang, Zhang and Yin (2015), A novel feature selection method considering feature interaction.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import IWFS
    >>> X, y = load_wine(return_X_y=True)
    >>> IWFS(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    combine = np.multiply

    def alone(self, columns: ColumnSums) -> Bits:
        return 1 + share_of(2 * columns.relevance, 2 * columns.whole - columns.f - columns.y)

    def term(self, pair: Pair) -> Bits:
        interaction = pair.relevance_given_pick - pair.relevance
        return 1 + share_of(interaction, pair.entropies + pair.entropy_of_pick)

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone * total
