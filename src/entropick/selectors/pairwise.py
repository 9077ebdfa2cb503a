"""Selectors by pairwise information criteria, one class per published method."""

from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import Any, ClassVar

from entropick import measures
from entropick._compat import Interval, StrOptions
from entropick.selectors.base import MethodSelector

N_FEATURES_DOC = """\
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; "auto" selects as long as a permutation
        test says that the next column adds something; None selects 10 (all where X has fewer).
"""

CORRECTION_DOC = """\
    correction : None or "miller_madow", default=None
        Estimate entropies by the observed frequencies, or take their first-order bias off: without it
        a column of many levels looks better than it is.
"""


@dataclass(eq=False, repr=False)
class PairwiseSelector(MethodSelector):
    """Base of the selectors by a pairwise criterion."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **MethodSelector._parameter_constraints,
        "correction": [StrOptions({"miller_madow"}), None],
    }
    _shared_docs: ClassVar[dict[str, str]] = {
        **MethodSelector._shared_docs,
        "n_features": N_FEATURES_DOC,
        "correction": CORRECTION_DOC,
    }

    _: KW_ONLY
    correction: str | None = None


class MIM(PairwiseSelector):
    """Mutual information maximisation: each column f by I(f;y) alone.

    Fast, and blind to redundancy: copies of a good column all rank high.

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

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

    _measure = measures.MIM


@dataclass(eq=False, repr=False)
class MIFS(PairwiseSelector):
    """Mutual information feature selection: greedily the largest I(f;y) − β Σ I(f;s) over the selected s.

    Parameters
    ----------
    %(n_features)s
    beta : float, default=1.0
        Weight of the redundancy.
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Battiti (1994), Using mutual information for selecting features in supervised neural net learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MIFS
    >>> X, y = load_wine(return_X_y=True)
    >>> MIFS(n_features=3).fit(X, y).order_
    array([6, 0, 4])
    """

    _measure = measures.MIFS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PairwiseSelector._parameter_constraints,
        "beta": [Interval(Real, 0, None, closed="left")],
    }

    _: KW_ONLY
    beta: float = 1.0


class MRMR(PairwiseSelector):
    """Maximum relevance, minimum redundancy: greedily the largest I(f;y) − mean I(f;s) over the selected s.

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Peng, Long and Ding (2005), Feature selection based on mutual information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MRMR
    >>> X, y = load_wine(return_X_y=True)
    >>> MRMR(n_features=3).fit(X, y).order_
    array([ 6,  0, 12])
    """

    _measure = measures.MRMR


class CIFE(PairwiseSelector):
    """Conditional infomax feature extraction: greedily the largest I(f;y) − Σ I(f;s) + Σ I(f;s|y).

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Lin and Tang (2006), Conditional infomax learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CIFE
    >>> X, y = load_wine(return_X_y=True)
    >>> CIFE(n_features=3).fit(X, y).order_
    array([6, 9, 4])
    """

    _measure = measures.CIFE


class JMI(PairwiseSelector):
    """Joint mutual information: greedily the largest Σ I(f,s;y) over the selected s.

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Yang and Moody (1999), Feature selection based on joint mutual information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import JMI
    >>> X, y = load_wine(return_X_y=True)
    >>> JMI(n_features=3).fit(X, y).order_
    array([ 6,  9, 12])
    """

    _measure = measures.JMI


class JMIM(PairwiseSelector):
    """Joint mutual information maximisation: greedily the largest min I(f,s;y) over the selected s.

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Bennasar, Hicks and Setchi (2015), Feature selection using joint mutual information maximisation.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import JMIM
    >>> X, y = load_wine(return_X_y=True)
    >>> JMIM(n_features=3).fit(X, y).order_
    array([ 6,  9, 12])
    """

    _measure = measures.JMIM


class CMIM(PairwiseSelector):
    """Conditional mutual information maximisation: greedily the largest min( I(f;y), min I(f;y|s) ).

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Fleuret (2004), Fast binary feature selection with conditional mutual information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CMIM
    >>> X, y = load_wine(return_X_y=True)
    >>> CMIM(n_features=3).fit(X, y).order_
    array([6, 9, 0])
    """

    _measure = measures.CMIM


class DISR(PairwiseSelector):
    """Double input symmetrical relevance: greedily the largest Σ I(f,s;y) / H(f,s,y).

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Meyer and Bontempi (2006), On the use of variable complementarity for feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import DISR
    >>> X, y = load_wine(return_X_y=True)
    >>> DISR(n_features=3).fit(X, y).order_
    array([ 6,  9, 12])
    """

    _measure = measures.DISR


class ICAP(PairwiseSelector):
    """Interaction capping: greedily the largest I(f;y) − Σ max(0, I(f;s) − I(f;s|y)).

    Parameters
    ----------
    %(n_features)s
    %(correction)s
    %(common)s

    %(attributes)s

    References
    ----------
    Jakulin (2005), Machine learning based on attribute interactions.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import ICAP
    >>> X, y = load_wine(return_X_y=True)
    >>> ICAP(n_features=3).fit(X, y).order_
    array([6, 9, 3])
    """

    _measure = measures.ICAP
