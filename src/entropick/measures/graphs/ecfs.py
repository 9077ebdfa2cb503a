"""ECFS: columns by their eigenvector centrality in a graph of relevance and spread."""

from numbers import Real
from typing import Any, ClassVar

from entropick._base.compat import Interval
from entropick._base.threads import Threads, one_blas_thread
from entropick.contracts import Need
from entropick.measures._shared.values import SCALING
from entropick.measures.base import FixedScores, NumberRanking
from entropick.measures.graphs.graph import LargerOf, OuterProduct, SumGraph, centrality
from entropick.measures.graphs.inffs import supervised_terms
from entropick.table.table import Table

__all__ = ["ECFS"]


class ECFS(NumberRanking):
    """Eigenvector centrality: columns that are central in a graph of columns.

    The scores are the leading eigenvector of A = α K + (1 − α) Σ, scaled to a maximum of 1. K(i, j) = (f_i
    m_j + m_i f_j) / 2 with the Fisher scores f and the mutual informations m, both scaled to [0, 1]; Σ(i, j)
    = max(σ_i, σ_j), standard deviations divided by the largest. A group of columns has the score of its best
    column.

    Parameters
    ----------
    alpha : float, default=0.5
        Weight of Fisher score and mutual information against that of the spread, in [0, 1].
    scaling : {"range", "std"} or None, default="range"
        How columns are scaled before their spreads are compared: to a range of 1, to a standard deviation of
        1 (all spreads are equal then), or not at all, so that units matter, as in the paper.

    References
    ----------
    Roffo and Melzi (2017), Ranking to learn: feature ranking and selection via eigenvector centrality.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import ECFS
    >>> X, y = load_wine(return_X_y=True)
    >>> ECFS(n_features=3).fit(X, y).order_
    array([11,  6, 12])
    """

    needs = frozenset({Need.SUMS, Need.COUNTS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, 1, closed="both")],
        **SCALING,
    }

    def __init__(self, alpha: float = 0.5, scaling: str | None = "range") -> None:
        self.alpha = alpha
        self.scaling = scaling

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        fisher, information, spread = supervised_terms(table, self.scaling)
        graph = SumGraph(
            {
                "Fisher score": (self.alpha / 2, OuterProduct(fisher, information)),
                "mutual information": (self.alpha / 2, OuterProduct(information, fisher)),
                "spread": (1 - self.alpha, LargerOf(spread)),
            }
        )
        with one_blas_thread():
            scores = centrality(graph)
        return FixedScores(table.units.best_of(scores))
