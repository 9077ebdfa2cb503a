"""Inf-FS: columns by the value of all paths through them in a graph of columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.threads import Threads, one_blas_thread
from entropick.contracts import Need
from entropick.exceptions import CombinationError, DataError, warn_user
from entropick.measures._shared.moments import relative_spread, stretched, typical_skewness
from entropick.measures._shared.values import SCALING, values_of
from entropick.measures.base import FixedScores, NumberRanking
from entropick.measures.graphs.custom import custom_graph
from entropick.measures.graphs.explanation import Explanation
from entropick.measures.graphs.graph import (
    Dissimilarity,
    Graph,
    LargerOf,
    OuterProduct,
    SumGraph,
    directed_path_scores,
    expected_visits,
    path_scores,
    product_path_scores,
    released_path_scores,
    scores_of_length,
)
from entropick.measures.graphs.tuning import choose_by_svm
from entropick.measures.linear.fisher import relative_fisher
from entropick.measures.pairs.relevance import relevances
from entropick.table.numeric.moments import compute_moments
from entropick.table.numeric.numbers import Numbers
from entropick.table.table import Table

__all__ = ["InfFS"]

Weights: TypeAlias = tuple[float, ...]  # (α,) of the unsupervised graph, (α1, α2, α3) of the supervised one

GRID_UNSUPERVISED: tuple[Weights, ...] = tuple((k / 10,) for k in range(11))
GRID_SUPERVISED: tuple[Weights, ...] = tuple(
    (a / 5, b / 5, (5 - a - b) / 5) for a in range(6) for b in range(6 - a)
)
DEFAULT_UNSUPERVISED = (0.5,)
DEFAULT_SUPERVISED = (0.3, 0.3, 0.4)
# Median |skewness| above which a hint is given. One of nine data sets was above it, and logarithms helped
# there; for the next ones, at 2.6 and below, results were mixed.
STRONGLY_SKEWED = 3.0
TERMS = ("Fisher score", "mutual information", "spread")  # of the supervised graph


@dataclass(eq=False, repr=False)
class InfFS(NumberRanking):
    """Infinite feature selection: columns by the value of all paths through them in a graph of columns.

    The scores are Σ_l r^l A^l e, the sum over paths of all lengths l. Without y the weight of two columns is
    high if they vary much and are little correlated: A(i, j) = α max(σ_i, σ_j) + (1 − α)(1 − |Spearman(i,
    j)|), standard deviations divided by the largest. With y it is high if they separate the classes, share
    information with them, and vary much: A = s sᵀ with s = α1 Fisher + α2 mutual information + α3 σ, the
    first two scaled to [0, 1]. `diversity` δ makes it (1 − δ) s sᵀ + δ (1 − |Spearman|), so that redundant
    columns score lower. A column of a group gets the mutual information of the group, and a group the score
    of its best column.

    Parameters
    ----------
    supervised : "auto" or bool, default="auto"
        Whether the graph uses y; "auto" does if y is given.
    alpha : float, three floats, "cv" or None, default=None
        The weights of the graph. Unsupervised: one in [0, 1], that of the spread against that of the
        dissimilarity; None is 0.5. Supervised: those of Fisher score, mutual information and spread, of which
        only the proportions matter; None is (0.3, 0.3, 0.4). "cv" chooses them by the cross-validated
        accuracy of a linear support vector machine, which needs y for the unsupervised graph as well.
    regularization : {"spectral", "markov"}, default="spectral"
        A path of length l counts r^l times its weight, with r = `factor` divided by the spectral radius of
        the graph, or by its largest row sum.
    factor : float in (0, 1), default=0.9
        That factor.
    path_length : int or None, default=None
        Score only paths of this length l, by A^l e; None for all lengths.
    graph : matrix of shape (n_features_in_, n_features_in_), callable or None, default=None
        Custom weights: a symmetric matrix without negative entries, dense or sparse, or a function that
        takes two columns as arrays of numbers and returns their weight. A function of three arguments gets
        the target as the third: classes as 0, 1, ... in sorted order, or real values. `supervised`, `alpha`,
        `diversity`, `variant` and `scaling` then have no effect.
    directed : bool, default=False
        Whether `graph` may be asymmetric: the weight of (i, j) is that of a step from column i to column j,
        and a function is called for both orders.
    visits : bool, default=False
        Whether to keep `visits_`, a table of all pairs of columns.
    scaling : {"range", "std"} or None, default="range"
        How columns are scaled before their spreads are compared: to a range of 1, to a standard deviation of
        1 (all spreads are equal then), or not at all, so that units matter, as in the paper.
    diversity : float, default=0.0
        Weight of the dissimilarity of columns in the supervised graph, in [0, 1]; 0 is the paper's graph.
    variant : {"paper", "released"}, default="paper"
        "released" is the graph and the sum over paths of the authors' released program, which differ from
        the paper's: with y the graph is a sum of the terms and not a product, `regularization` and
        `diversity` have no effect, and paths of several steps hardly count.
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers; None takes the selector's.

    References
    ----------
    Roffo, Melzi, Castellani, Vinciarelli and Cristani (2020), Infinite feature selection: a graph-based
    feature filtering approach.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import InfFS
    >>> X, y = load_wine(return_X_y=True)
    >>> InfFS(n_features=3).fit(X, y).order_
    array([ 6, 11, 12])
    >>> InfFS(n_features=3, alpha=0.1).fit(X).order_
    array([2, 4, 1])
    """

    needs = frozenset({Need.SUMS, Need.NUMBERS, Need.COUNTS})
    needs_target = False
    keeps_by_rule = True
    learns = MappingProxyType(
        {
            "alpha": "float or tuple of three floats: The weights used; None if `graph` was given.",
            "explanation": "Explanation: What the scores are made of; `explain` shows it for a column.",
            "visits": "ndarray of shape (n_features_in_, n_features_in_) or None: (I − r A)⁻¹, the expected "
            "visits of each column by a random walk that starts at each column and ends by chance; only with "
            "visits=True.",
        }
    )

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "supervised": ["boolean", StrOptions({"auto"})],
        "alpha": [Interval(Real, 0, 1, closed="both"), "array-like", StrOptions({"cv"}), None],
        "regularization": [StrOptions({"spectral", "markov"})],
        "factor": [Interval(Real, 0, 1, closed="neither")],
        "path_length": [Interval(Integral, 1, None, closed="left"), None],
        "graph": ["array-like", "sparse matrix", callable, None],
        "directed": ["boolean"],
        "visits": ["boolean"],
        **SCALING,
        "diversity": [Interval(Real, 0, 1, closed="both")],
        "variant": [StrOptions({"paper", "released"})],
        "random_state": ["random_state"],
    }

    supervised: bool | str = "auto"
    alpha: Any = None
    regularization: str = "spectral"
    factor: float = 0.9
    path_length: int | None = None
    graph: Any = None
    directed: bool = False
    visits: bool = False
    scaling: str | None = "range"
    diversity: float = 0.0
    variant: str = "paper"
    random_state: Any = None

    def needs_as_set(self) -> frozenset[Need]:
        """The supervised graph needs only sums over rows; other terms need ranks."""
        by_sums = self.supervised is not False and self.diversity == 0 and self.graph is None
        if by_sums and not isinstance(self.alpha, str):
            return frozenset({Need.COUNTS, Need.SUMS})
        return super().needs_as_set()

    def begin_steps(self, table: Table, threads: Threads) -> "PathState":
        with one_blas_thread():
            if self.graph is not None:
                graph = SumGraph({"graph": (1.0, custom_graph(self.graph, table, self.directed))})
                return self._at_work(graph, None, table)
            alpha = self._choose_alpha(table, threads)
            if len(alpha) == 1 and alpha[0] > 0 and self.scaling != "std":
                _warn_of_skewness(values_of(table))
            graph = self._graphs(table, threads, len(alpha) == 3)(alpha)
            return self._at_work(graph, alpha if len(alpha) == 3 else alpha[0], table)

    def _at_work(self, graph: SumGraph, alpha: float | Weights | None, table: Table) -> "PathState":
        visits = None
        if self.visits:
            if self.graph is None and self.variant == "released":
                raise CombinationError(
                    "Visits belong to the random walk of the paper, but variant='released'. "
                    "Hint: variant='paper'."
                )
            visits = expected_visits(graph, self.regularization, self.factor)
        return PathState(graph, self._score(graph), alpha, table, visits, self.path_length)

    def _graphs(self, table: Table, threads: Threads, supervised: bool) -> Callable[[Weights], SumGraph]:
        """A function from weights to their graph; what does not depend on them is computed once."""
        is_released = self.variant == "released"
        if not supervised:
            return _unsupervised_graphs(table, threads, self.scaling, is_released)
        if is_released:
            return _released_graphs(table, self.scaling)
        return _supervised_graphs(table, threads, self.scaling, self.diversity)

    def _score(self, graph: SumGraph) -> np.ndarray:
        if self.path_length is not None:
            return scores_of_length(graph, self.path_length)
        if self.graph is not None and self.directed:
            return directed_path_scores(graph, self.regularization, self.factor)
        if self.graph is None and self.variant == "released":
            return released_path_scores(graph)
        products = [term for _, term in graph.terms.values() if isinstance(term, OuterProduct)]
        if len(products) == len(graph.terms):  # all are x sᵀ with the same s: A = s sᵀ has rank one
            return product_path_scores(products[0].y, self.regularization, self.factor)
        return path_scores(graph, self.regularization, self.factor)

    def _is_supervised(self, table: Table) -> bool:
        if self.supervised == "auto":
            return table.has_target
        if self.supervised and not table.has_target:
            raise DataError(
                "The supervised graph of InfFS needs a target, but y is None. "
                "Hint: pass y, or use supervised='auto' or False."
            )
        return bool(self.supervised)

    def _choose_alpha(self, table: Table, threads: Threads) -> Weights:
        supervised = self._is_supervised(table)
        if self.alpha is None:
            return DEFAULT_SUPERVISED if supervised else DEFAULT_UNSUPERVISED
        if not isinstance(self.alpha, str):
            return _checked_weights(self.alpha, supervised)
        grid = GRID_SUPERVISED if supervised else GRID_UNSUPERVISED

        def scores_of(part: Table) -> Callable[[Weights], np.ndarray]:
            graphs = self._graphs(part, threads, supervised)
            return lambda alpha: self._score(graphs(alpha))

        return choose_by_svm(table, grid, scores_of, self.random_state)


class PathState(FixedScores):
    """Scores of columns by paths; explains those of the selected columns after the fit."""

    def __init__(
        self,
        graph: SumGraph,
        scores: np.ndarray,
        alpha: float | Weights | None,
        table: Table,
        visits: np.ndarray | None = None,
        path_length: int | None = None,
    ) -> None:
        super().__init__(table.units.best_of(scores))
        self._graph, self._column_scores, self._alpha, self._table = graph, scores, alpha, table
        self._visits, self._path_length = visits, path_length

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        selected = self._table.units.columns_of(columns).tolist()
        with one_blas_thread():
            if self._path_length is None:
                beyond = 1 + self._column_scores  # of all paths from a column, including the empty one
            else:
                beyond = scores_of_length(self._graph, self._path_length - 1)
            explanation = Explanation.of_paths(self._graph, beyond, selected)
        return {"alpha": self._alpha, "explanation": explanation, "visits": self._visits}


def _unsupervised_graphs(
    table: Table, threads: Threads, scaling: str | None, is_released: bool
) -> Callable[[Weights], SumGraph]:
    """α max(σ_i, σ_j) + (1 − α) (1 − |Spearman|).

    The authors' program rescales spreads to [0, 1], and constant columns have a dissimilarity of 1.
    """
    values = values_of(table)
    spread = relative_spread(*table.sums.bounds(), compute_moments(values, threads), scaling)
    larger = LargerOf(stretched(spread) if is_released else spread)
    dissimilarity = Dissimilarity(values, threads, of_constants=float(is_released))
    return lambda alpha: SumGraph(
        {"spread": (alpha[0], larger), "dissimilarity": (1 - alpha[0], dissimilarity)}
    )


def _supervised_graphs(
    table: Table, threads: Threads, scaling: str | None, diversity: float
) -> Callable[[Weights], SumGraph]:
    """(1 − δ) s sᵀ + δ (1 − |Spearman|), where s sᵀ = Σ over the terms of s, x sᵀ."""
    terms = dict(zip(TERMS, supervised_terms(table, scaling), strict=True))
    dissimilarity = Dissimilarity(values_of(table), threads) if diversity > 0 else None

    def make(alpha: Weights) -> SumGraph:
        shares = np.asarray(alpha) / sum(alpha)
        s = shares @ np.stack(list(terms.values()))
        parts: dict[str, tuple[float, Graph]] = {
            name: ((1 - diversity) * share, OuterProduct(terms[name], s))
            for name, share in zip(TERMS, shares.tolist(), strict=True)
        }
        if dissimilarity is not None:
            parts["dissimilarity"] = (diversity, dissimilarity)
        return SumGraph(parts)

    return make


def _released_graphs(table: Table, scaling: str | None) -> Callable[[Weights], SumGraph]:
    """The supervised graph of the authors' program, with spreads rescaled to [0, 1].

    A(i, j) = α1 (m_j + f_i) / 2 + α2 (m_j + Σ_ij) / 2 + α3 (Σ_ij + f_i) / 2 with the mutual information m,
    the Fisher score f and the larger spread Σ. It is not symmetric: m adds the same to every row.
    """
    fisher, information, spread = supervised_terms(table, scaling)
    ones, larger = np.ones_like(fisher), LargerOf(stretched(spread))

    def make(alpha: Weights) -> SumGraph:
        first, second, third = np.asarray(alpha) / sum(alpha) / 2
        return SumGraph(
            {
                "Fisher score": (first + third, OuterProduct(fisher, ones)),
                "mutual information": (first + second, OuterProduct(ones, information)),
                "spread": (second + third, larger),
            }
        )

    return make


def supervised_terms(table: Table, scaling: str | None) -> np.ndarray:
    """Fisher score and mutual information, scaled to [0, 1], and relative spread; (3, columns)."""
    moments = table.sums.moments()
    information = relevances(table.counts)
    return np.stack(
        [
            relative_fisher(moments),
            stretched(table.units.per_column(information)),
            relative_spread(*table.sums.bounds(), moments, scaling),
        ]
    )


def _warn_of_skewness(values: Numbers) -> None:
    """Warn if few extreme values make up the spread of most columns; sparse columns are skewed by design."""
    if isinstance(values, np.ndarray) and (skewness := typical_skewness(values)) > STRONGLY_SKEWED:
        warn_user(
            f"Most columns are strongly skewed (median |skewness| {skewness:.1f}): few large values make up "
            "their spread. Hint: take logarithms, such as np.log1p of amounts, and compare."
        )


def _checked_weights(alpha: Any, supervised: bool) -> Weights:
    """Check α for the kind of graph and return it as weights."""
    given = (float(alpha),) if isinstance(alpha, Real) else tuple(np.asarray(alpha, float).ravel().tolist())
    if supervised and not (len(given) == 3 and min(given) >= 0 and 0 < sum(given) < np.inf):
        raise DataError(
            "The supervised graph of InfFS takes three weights, of Fisher score, mutual information and "
            f"spread, none negative and not all 0, got alpha={alpha!r}. "
            "Hint: alpha=(0.3, 0.3, 0.4), or supervised=False to leave y out."
        )
    if not supervised and not (len(given) == 1 and 0 <= given[0] <= 1):
        raise DataError(
            f"The unsupervised graph of InfFS takes one weight in [0, 1], got alpha={alpha!r}. "
            "Hint: alpha=0.5, or pass y for the supervised graph."
        )
    return given
