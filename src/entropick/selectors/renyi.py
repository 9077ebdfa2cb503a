"""Selectors by the conditional entropy of y given all selected columns jointly."""

import math
import warnings
from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import Any, ClassVar

from entropick import measures
from entropick._compat import Interval
from entropick.counting import Partition, Surprisal
from entropick.exceptions import SelectionWarning
from entropick.measures import Measure
from entropick.records import Selection
from entropick.selectors.pairwise import PairwiseSelector
from entropick.table import Table
from entropick.workers import Workers


class JointSelector(PairwiseSelector):
    """Base of the selectors that look at the full joint of the selected columns."""

    def _learn(self, table: Table, selection: Selection, workers: Workers) -> None:
        super()._learn(table, selection, workers)
        partition = Partition(table, Surprisal(table.n_rows), workers)
        for column in selection.order:
            partition.refine(int(column))
        self.residual_entropy_ = max(0.0, partition.entropy(self._order()))
        self.bayes_risk_ = max(0.0, 1.0 - 2.0 ** -partition.entropy(math.inf))
        self._warn_of_blind_picks(selection)

    def _warn_of_blind_picks(self, selection: Selection) -> None:
        """Say so where no column lowered the entropy and the index alone decided."""
        blind = [step for step in selection.kept if step.score <= 0 and step.n_ties and step.residual]
        if blind and selection.target is not None and selection.target.n_levels > 1:
            first = selection.names[blind[0].column]
            warnings.warn(
                f"{len(blind)} of {selection.n_kept} picks (the first is {first!r}) do not lower the "
                f"entropy of order {self._order()}: all columns tied and the lowest index was taken. "
                "Hint: min-entropy sees only what changes the most likely class; alpha=1 sees more.",
                SelectionWarning,
                stacklevel=5,
            )

    @abstractmethod
    def _order(self) -> float:
        """The order of the entropy."""


@dataclass(eq=False, repr=False)
class RenyiFS(JointSelector):
    """Forward selection by Rényi's conditional entropy: greedily the smallest H_α(y | S, f).

    The selected columns S are taken jointly. With α = ∞, min-entropy, each pick is the one that lowers
    the Bayes risk most: 2^(−H) is the accuracy of the best classifier on the joint levels of S. With
    α = 1 it is Shannon's entropy. Once y is determined, further columns come by I(f;y).

    Parameters
    ----------
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; "auto" stops when the selected columns
        leave no more uncertainty about y than all columns together (often none at all); None selects
        10 (all where X has fewer).
    alpha : float in (0, inf], default=inf
        Order of the entropy; 1 is Shannon's, inf min-entropy, others are Arimoto's.
    correction : None or "miller_madow", default=None
        Bias correction, for alpha=1 only.
    %(common)s

    %(attributes)s
    residual_entropy_ : float
        H_α(y | selected columns), in bits.
    bayes_risk_ : float
        Share of rows the best rule on the joint levels of the selected columns gets wrong.

    References
    ----------
    Palamidessi and Romanelli (2018), Feature selection with Rényi min-entropy.

    Examples
    --------
    >>> from entropick import RenyiFS
    >>> from entropick.datasets import make_renyi_figure1
    >>> X, y = make_renyi_figure1()
    >>> selector = RenyiFS(n_features="auto").fit(X, y)
    >>> selector.order_, selector.bayes_risk_
    (array([1, 2, 3, 4, 5]), 0.0)
    """

    _measure = measures.Renyi
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PairwiseSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="right")],
    }

    _: KW_ONLY
    alpha: float = math.inf

    def _order(self) -> float:
        return self.alpha


@dataclass(eq=False, repr=False)
class XMIFS(JointSelector):
    """Exact mutual information: greedily the largest I(S, f; y), on columns cut in two.

    The selected columns S are taken jointly. It is `RenyiFS` with Shannon's entropy (alpha=1) and, as
    in the paper, numeric columns of two levels; another `n_bins` may be asked for.

    Parameters
    ----------
    n_features : int, float, "auto" or None, default=None
        As for `RenyiFS`.
    correction : None or "miller_madow", default=None
        Bias correction of the entropies.
    %(common)s

    %(attributes)s
    residual_entropy_ : float
        H(y | selected columns), in bits.
    bayes_risk_ : float
        Share of rows the best rule on the joint levels of the selected columns gets wrong.

    References
    ----------
    Brunato and Battiti (2016), X-MIFS: Exact mutual information for feature selection.

    Examples
    --------
    >>> from entropick import XMIFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> XMIFS(n_features=2).fit(X, y).order_  # column 5 is strongly correlated with y, no cause of it
    array([5, 0])
    """

    _: KW_ONLY
    n_bins: int = 2

    def _make_measure(self) -> Measure:
        return measures.Renyi(alpha=1.0, correction=self.correction)

    def _order(self) -> float:
        return 1.0
