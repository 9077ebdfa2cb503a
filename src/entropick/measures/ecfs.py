"""ECFS: columns by their eigenvector centrality in a graph of relevance and spread."""

from numbers import Real
from typing import Any, ClassVar

from entropick._compat import Interval
from entropick.measures.base import FixedScores, Measure
from entropick.measures.graph import LargerOf, MixedGraph, SymmetricProduct, centrality
from entropick.measures.inffs import supervised_terms
from entropick.measures.values import SCALING, unit_scores
from entropick.table import Table
from entropick.workers import Workers, one_blas_thread


class ECFS(Measure):
    """Eigenvector centrality: the leading eigenvector of A = α K + (1 − α) Σ, scaled to a maximum of 1.

    K(i, j) = (f_i m_j + m_i f_j) / 2 with the Fisher scores f and the mutual informations m, both scaled to
    [0, 1]; Σ(i, j) = max(σ_i, σ_j), standard deviations divided by the largest. A group has the score of its
    best column.

    Parameters
    ----------
    alpha : float in [0, 1]
    scaling : "range", "std" or None, how columns are scaled before their spreads σ are compared; "std" makes
        all of them equal, None leaves the units

    References
    ----------
    Roffo and Melzi (2017), Ranking to learn: feature ranking and selection via eigenvector centrality.
    """

    kinds = frozenset({"ranking", "step"})
    needs_values = True
    default_search = "ranking"
    default_cut = "mean_shift"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, 1, closed="both")],
        **SCALING,
    }

    def __init__(self, alpha: float = 0.5, scaling: str | None = "range") -> None:
        self.alpha = alpha
        self.scaling = scaling

    def begin(self, table: Table, workers: Workers) -> FixedScores:
        fisher, information, spread = supervised_terms(table, workers, self.scaling)
        graph = MixedGraph(self.alpha, SymmetricProduct(fisher, information), LargerOf(spread))
        with one_blas_thread():
            scores = centrality(graph)
        return FixedScores(unit_scores(scores, table))
