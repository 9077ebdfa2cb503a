"""Criteria of pairs that weigh redundancy against what columns share within the classes."""

import numpy as np

from entropick._base.race import FallingScore
from entropick.measures.pairs.pairwise import Bits, Pair, PairwiseMeasure

__all__ = ["CFR", "CIFE", "DCSF", "ICAP", "MRI"]


class CIFE(PairwiseMeasure):
    """Conditional infomax feature extraction: greedily the largest I(f;y) − Σ I(f;s) + Σ I(f;s|y).

    References
    ----------
    Lin and Tang (2006), Conditional infomax learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CIFE
    >>> X, y = load_wine(return_X_y=True)
    >>> CIFE(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    def term(self, pair: Pair) -> Bits:
        return pair.redundancy_within_classes - pair.redundancy

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone + total


class ICAP(PairwiseMeasure):
    """Interaction capping: greedily the largest I(f;y) − Σ max(0, I(f;s) − I(f;s|y)).

    References
    ----------
    Jakulin (2005), Machine learning based on attribute interactions.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import ICAP
    >>> X, y = load_wine(return_X_y=True)
    >>> ICAP(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    falling = FallingScore()

    def term(self, pair: Pair) -> Bits:
        return np.maximum(0.0, pair.redundancy - pair.redundancy_within_classes)

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone - total


class CFR(PairwiseMeasure):
    """Composition of feature relevancy: greedily the largest Σ ( I(f;y|s) + I(f;s|y) − I(f;s) ).

    What f adds to s counts for it, what both provide counts against it: each term is
    2 I(f;y|s) − I(f;y).

    References
    ----------
    Gao, Hu, Zhang and He (2018), Feature selection considering the composition of feature relevancy.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CFR
    >>> X, y = load_wine(return_X_y=True)
    >>> CFR(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    def term(self, pair: Pair) -> Bits:
        return pair.relevance_given_pick + pair.redundancy_within_classes - pair.redundancy

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return total


class DCSF(PairwiseMeasure):
    """Dynamic change of selected features with the class: greedily Σ ( I(f;y|s) + I(s;y|f) − I(f;s) ).

    References
    ----------
    Gao, Hu and Zhang (2018), Class-specific mutual information variation for feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import DCSF
    >>> X, y = load_wine(return_X_y=True)
    >>> DCSF(n_features=3).fit(X, y).order_
    array([6, 4, 0])
    """

    def term(self, pair: Pair) -> Bits:
        return pair.relevance_given_pick + pair.relevance_of_pick - pair.redundancy

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return total


class MRI(PairwiseMeasure):
    """Maximum relevance, maximum independence: I(f;y) − 2/(|S|+1) Σ ( I(f;s) − I(f;s|y) ), greedily.

    The order is that of I(f;y) + Σ ( I(f;y|s) + I(s;y|f) ), the form of the paper.

    References
    ----------
    Wang, Wei, Yang and Wang (2017), Feature selection by maximizing independent classification information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MRI
    >>> X, y = load_wine(return_X_y=True)
    >>> MRI(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    def term(self, pair: Pair) -> Bits:
        return pair.redundancy_within_classes - pair.redundancy

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone + 2 / (n_picked + 1) * total
