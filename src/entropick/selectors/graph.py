"""Selectors by graphs of columns, and the scores they are made of: InfFS, ECFS, ILFS and FisherScore."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from entropick import measures
from entropick.records import Selection
from entropick.selectors.base import MethodSelector
from entropick.table import Table
from entropick.workers import Workers

GRAPH_SIZE_DOC = """\
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; "auto" keeps the columns whose scores are in
        the cluster of the best one (the cut `mean_shift`); None selects 10 (all where X has fewer).
"""


class GraphSelector(MethodSelector):
    """Base of the selectors of this file."""

    _shared_docs: ClassVar[dict[str, str]] = {**MethodSelector._shared_docs, "size": GRAPH_SIZE_DOC}


@dataclass(eq=False, repr=False)
class InfFS(GraphSelector):
    """Infinite feature selection: columns by the value of all paths through them in a graph of columns.

    Without y the weight of two columns is high where they vary much and are little correlated; with y, where
    they tell the classes apart, share information with them, and vary much.

    Parameters
    ----------
    n_features : int, float, "auto" or None, default="auto"
        Number of columns to select, or their share in (0, 1]; "auto" keeps the columns whose scores are in
        the cluster of the best one (the cut `mean_shift`); None selects 10 (all where X has fewer).
    supervised : "auto" or bool, default="auto"
        Whether the graph looks at y; "auto" does where y is given.
    alpha : float, three floats, "cv" or None, default=None
        The weights of the graph. Unsupervised: one in [0, 1], that of the spread against that of the
        dissimilarity; None is 0.5. Supervised: those of Fisher score, mutual information and spread, of which
        only the proportions matter; None is (0.3, 0.3, 0.4). "cv" chooses them by the cross-validated
        accuracy of a linear support vector machine, which takes y also for the unsupervised graph.
    regularization : {"spectral", "markov"}, default="spectral"
        A path of length l counts r^l times its weight, with r = 0.9 divided by the spectral radius of
        the graph, or by its largest row sum.
    graph : matrix of shape (n_features_in_, n_features_in_), callable or None, default=None
        Weights of your own: a symmetric matrix without negative entries, dense or sparse, or a function that
        takes two columns as arrays of numbers and returns their weight. `supervised`, `alpha` and `scaling`
        then have no say.
    scaling : {"range", "std"} or None, default="range"
        How columns are scaled before their spreads are compared: to a range of 1, to a standard deviation of
        1 (all spreads are equal then), or not at all: then units decide, as in the paper.
    %(common)s

    %(attributes)s
    alpha_ : float or tuple of three floats
        The weights used; None where `graph` was given.

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

    _requires_target: ClassVar[bool] = False
    _measure = measures.InfFS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **GraphSelector._parameter_constraints,
        **{
            name: measures.InfFS._parameter_constraints[name]
            for name in ("supervised", "alpha", "regularization", "graph", "scaling")
        },
    }

    n_features: Any = "auto"
    _: KW_ONLY
    supervised: bool | str = "auto"
    alpha: Any = None
    regularization: str = "spectral"
    graph: Any = None
    scaling: str | None = "range"

    def _learn(self, table: Table, selection: Selection, workers: Workers) -> None:
        super()._learn(table, selection, workers)
        self.alpha_ = selection.learned.get("alpha")


@dataclass(eq=False, repr=False)
class ECFS(GraphSelector):
    """Eigenvector centrality: columns that stand in the middle of a graph of columns.

    The weight of two columns mixes their Fisher scores and mutual informations with their spread.

    Parameters
    ----------
    %(size)s
    alpha : float, default=0.5
        Weight of Fisher score and mutual information against that of the spread, in [0, 1].
    scaling : {"range", "std"} or None, default="range"
        How columns are scaled before their spreads are compared: to a range of 1, to a standard deviation of
        1 (all spreads are equal then), or not at all: then units decide, as in the paper.
    %(common)s

    %(attributes)s

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

    _measure = measures.ECFS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **GraphSelector._parameter_constraints,
        **measures.ECFS._parameter_constraints,
    }

    _: KW_ONLY
    alpha: float = 0.5
    scaling: str | None = "range"


@dataclass(eq=False, repr=False)
class ILFS(GraphSelector):
    """Infinite latent feature selection: columns by the learnt probability that they are relevant.

    Every value is marked by how much nearer it is to the mean of its own class than to another, and a model
    with two topics, relevant and irrelevant, is fitted to the marks of all columns.

    Parameters
    ----------
    %(size)s
    n_tokens : int, default=6
        Number of different marks.
    n_iterations : int, default=10
        Steps of expectation maximisation at most. With very many of them good columns reach probability 1 and
        tie.
    %(common)s

    %(attributes)s

    References
    ----------
    Roffo, Melzi, Castellani and Vinciarelli (2017), Infinite latent feature selection: a probabilistic latent
    graph-based ranking approach.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import ILFS
    >>> X, y = load_wine(return_X_y=True)
    >>> ILFS(n_features=3).fit(X, y).order_
    array([ 6, 12,  9])
    """

    _measure = measures.ILFS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **GraphSelector._parameter_constraints,
        **measures.ILFS._parameter_constraints,
    }

    _: KW_ONLY
    n_tokens: int = 6
    n_iterations: int = 10


@dataclass(eq=False, repr=False)
class FisherScore(GraphSelector):
    """Fisher score: how far apart the class means of a column are, against how wide its classes are.

    Parameters
    ----------
    %(size)s
    %(common)s

    %(attributes)s

    References
    ----------
    Roffo, Melzi, Castellani, Vinciarelli and Cristani (2020), Infinite feature selection: a graph-based
    feature filtering approach, eq. 4.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FisherScore
    >>> X, y = load_wine(return_X_y=True)
    >>> FisherScore(n_features=3).fit(X, y).order_
    array([ 6, 11, 12])
    """

    _measure = measures.FisherScore
