"""The Pareto front of two Bayesian entropies."""

from typing import Any

import numpy as np

from entropick import cuts, measures, searches
from entropick.cuts import Cut
from entropick.selectors.method import MethodSelector


class BayesianEntropyFS(MethodSelector, measure=measures.Bayesian, search=searches.NSGA2, cuts=(cuts.Front,)):
    """Subsets that determine y and whose values recur: a Pareto front by NSGA-II.

    Two entropies are minimised at once: H_B(y|S), what the columns S leave open about y, and H_B(S), which
    is large where their joint values are rare and so hardly come again. They are computed with Bayesian
    frequencies (α + count) / (α|Ω| + n). All subsets that no other beats in both are kept in `front_`; one
    is selected.

    Examples
    --------
    >>> from entropick import BayesianEntropyFS
    >>> from entropick.datasets import make_led24
    >>> X, y = make_led24(random_state=0)
    >>> selector = BayesianEntropyFS(n_evaluations=4000, random_state=0).fit(X, y)
    >>> len(selector.front_) > 10
    True
    """

    def _own_cut(self) -> Cut:
        return self._make(cuts.Front)

    def plot(self, ax: Any = None) -> Any:
        """The front on matplotlib axes (extra ``plot``), the selected subset marked.

        Parameters
        ----------
        ax : axes to draw on; new ones by default

        Returns
        -------
        ax : the axes drawn on
        """
        at = np.flatnonzero((self.front_.subsets == self.support_).all(axis=1))
        return self.front_.plot(ax, int(at[0]) if len(at) else None)
