"""Selectors by symmetrical uncertainty."""

from entropick import cuts, measures, searches
from entropick.cuts import Cut
from entropick.selectors.method import MethodSelector


class FCBF(MethodSelector, measure=measures.FCBF, cuts=(cuts.Threshold,), without=("value",)):  # noqa: D101  # the measure has it
    def _own_cut(self) -> Cut:
        return cuts.Threshold()


class CFSSubset(MethodSelector, measure=measures.CFSSubset, search=searches.BestFirst):
    """Hall's correlation-based subset: columns correlated with y and not with each other, best first.

    The merit of a subset is Σ SU(f,y) / √(k + 2 Σ SU(f,g)) over its k columns f and pairs f, g, SU being
    symmetrical uncertainty, 2 I(a;b) / (H(a) + H(b)). A best-first search finds a subset of large merit.
    Columns are ranked by SU(f,y).

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CFSSubset
    >>> X, y = load_wine(return_X_y=True)
    >>> CFSSubset(binning="mdlp").fit(X, y).order_
    array([ 6, 11,  9, 12,  0, 10,  5,  4])
    """
