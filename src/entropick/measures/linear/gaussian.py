"""Relevance and redundancy of normal distributions, from correlations alone."""

from numbers import Real
from typing import Any, ClassVar

from entropick._base.compat import Interval
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.measures.base import StepMeasure
from entropick.measures.linear.correlation import (
    CorrelationState,
    normal_information,
    relevance_by_correlation,
)
from entropick.table.table import Table

__all__ = ["Gaussian"]

MAX_R2 = 1 - 1e-12  # so that columns that determine each other share 20 bits, not infinitely many


class Gaussian(StepMeasure):
    """Relevance minus mean redundancy, with the mutual information of normal distributions: −½ log2(1 − r²).

    Greedily adds the column with the largest I(f;y) − β mean I(f;s) over the selected columns s. r is
    Pearson's correlation; for classes r(f,y) is the multiple correlation of f with their indicators. Exact if
    columns are jointly normal; it detects only linear dependence, and needs no binning. r² counts as at most
    1 − 10⁻¹² (20 bits). A group is as relevant as its best column, and as redundant as its most correlated
    pair.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of the redundancy.

    References
    ----------
    Cover and Thomas (2006), Elements of information theory, section 8.5.
    Peng, Long and Ding (2005), Feature selection based on mutual information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import Gaussian
    >>> X, y = load_wine(return_X_y=True)
    >>> Gaussian(n_features=3).fit(X, y).order_
    array([ 6, 12,  9])
    """

    needs = frozenset({Need.SUMS})
    needs_classes = False
    default_cut = "threshold"

    _parameter_constraints: ClassVar[dict[str, Any]] = {"beta": [Interval(Real, 0, None, closed="left")]}

    def __init__(self, beta: float = 1.0) -> None:
        self.beta = beta

    def begin_steps(self, table: Table, threads: Threads) -> CorrelationState:
        relevance = normal_information(table.units.best_of(relevance_by_correlation(table)), MAX_R2)
        return CorrelationState(table, relevance, weight=self.beta, most_r2=MAX_R2)
