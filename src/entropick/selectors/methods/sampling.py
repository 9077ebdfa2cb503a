"""Selectors that draw subsets and learn where good ones are."""

from typing import Any

from entropick import cuts, searches
from entropick._base.ties import TOLERANCE
from entropick.cuts import Cut
from entropick.records.selection import Selection
from entropick.selectors.method import MethodSelector


class CrossEntropyFS(
    MethodSelector,
    search=searches.CrossEntropy,
    cuts=(cuts.Probability, cuts.BestSize),
    without=("max_size",),
):
    """The cross-entropy method: draw subsets, keep the best, draw the next ones like these.

    Each column has a probability, 0.5 at first. In each round subsets are drawn, and the probabilities move
    to the columns' shares among those with the smallest H(y|S). It finds the number of columns by itself:
    those with a probability of at least `zeta` are selected, and the probabilities rank all columns.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_features_in_,)
        How often each column was drawn in the end; the same as `scores_`.
    information_gap_ : float
        ΔI_r = |I(S;y) − H(y)| / I(S;y) of the selected columns S, for Shannon's H(y|S); 0 where they
        determine y.

    References
    ----------
    Cassarà and Rozza, A novel mutual information-based feature selection algorithm.

    Examples
    --------
    >>> from entropick import CrossEntropyFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(CrossEntropyFS(n_samples=200, random_state=0).fit(X, y).order_.tolist())
    [0, 1, 2, 3]
    """

    estimator: Any

    def _own_cut(self) -> Cut:
        return self._make(cuts.Probability if self.estimator is None else cuts.BestSize)

    def _learn(self, selection: Selection) -> None:
        super()._learn(selection)
        self.probabilities_ = self.scores_
        if "class_entropy" in selection.learned:
            left, whole = selection.learned["residual_entropy"], selection.learned["class_entropy"]
            gain = whole - left
            self.information_gap_ = 0.0 if left <= TOLERANCE else left / gain if gain > 0 else float("inf")


class SwarmFS(MethodSelector, search=searches.Swarm):
    """Binary particle swarm over subsets, by any set measure.

    Particles draw subsets by velocities, which are pulled to their own best subset and to the best of all.
    With `CrossValidated` as the measure it is a wrapper around any estimator.

    References
    ----------
    Kennedy and Eberhart (1997), A discrete binary version of the particle swarm algorithm.

    Examples
    --------
    >>> from entropick import SwarmFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(SwarmFS(random_state=0).fit(X, y).order_.tolist())
    [0, 1, 2, 3]
    """
