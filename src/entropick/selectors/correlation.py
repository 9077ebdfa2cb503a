"""Selectors by correlation with a target: RRPC."""

from dataclasses import dataclass

from entropick import measures
from entropick.selectors.base import MethodSelector


@dataclass(eq=False, repr=False)
class RRPC(MethodSelector):
    """Relevance and redundancy by Pearson's correlation, with all labels or only some.

    Greedily the column of the largest |r(f,y)| − mean |r(f,s)| over the columns s picked before.
    Relevance is taken on the rows with a label, redundancy on all rows. Rows without a label have a
    missing value, or y = −1 beside at least two other values; in a target of −1 and 1 both are classes.

    Parameters
    ----------
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; "auto" selects columns as long as their
        relevance is above their redundancy; None selects 10 (all where X has fewer).
    %(common)s

    %(attributes)s

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
    >>> RRPC(n_features=3).fit(X, some).order_
    array([6, 9, 0])
    """

    _measure = measures.RRPC
