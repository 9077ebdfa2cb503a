"""Selectors without a target: LaplacianScore, MCFS, UDFS, LLCFS and CFS."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from entropick import measures
from entropick.measures import Measure
from entropick.selectors.base import MethodSelector

SIZE_DOC = """\
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; None and "auto" select 10 (all where X has
        fewer): the method has no stop rule of its own.
"""

SCALING_DOC = """\
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled, so that units do not decide: to a standard deviation or a range of 1;
        None takes the numbers as they are, as the paper does.
"""

GRAPH_DOC = """\
    n_neighbors : int, default=5
        Nearest rows each row is joined to.
    bandwidth : float or None, default=None
        t of the weights exp(−‖x−x'‖²/t) of joined rows; None takes their mean squared distance.
"""

ITERATION_DOC = """\
    max_rounds : int, default=20
        Most rounds of improvement.
"""


class UnsupervisedSelector(MethodSelector):
    """Base of the selectors that do not look at y: it may be given, as in a pipeline, and is ignored."""

    _requires_target: ClassVar[bool] = False
    _shared_docs: ClassVar[dict[str, str]] = {
        **MethodSelector._shared_docs,
        "size": SIZE_DOC,
        "scaling": SCALING_DOC,
        "graph": GRAPH_DOC,
        "iteration": ITERATION_DOC,
    }

    def _check_target(self, X: Any, y: Any, measure: Measure) -> None:
        super()._check_target(X, y, measure)


@dataclass(eq=False, repr=False)
class LaplacianScore(UnsupervisedSelector):
    """Laplacian score: columns whose values are alike in near rows, and differ elsewhere.

    Rows are joined to their nearest rows on all columns. The score is 1 − L, where L is the Laplacian score
    of the paper (small is good there), so that high is good: 1 for a column that is constant on
    every connected part of the graph, about 0 for one that ignores it, −1 for a constant column.

    Parameters
    ----------
    %(size)s
    %(graph)s
    %(scaling)s
    %(common)s

    %(attributes)s

    References
    ----------
    He, Cai and Niyogi (2005), Laplacian score for feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import LaplacianScore
    >>> X, _ = load_wine(return_X_y=True)
    >>> LaplacianScore(n_features=3).fit(X).order_
    array([ 6, 11, 12])
    """

    _measure = measures.LaplacianScore
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **UnsupervisedSelector._parameter_constraints,
        **measures.LaplacianScore._parameter_constraints,
    }

    _: KW_ONLY
    n_neighbors: int = 5
    bandwidth: float | None = None
    scaling: str | None = "range"


@dataclass(eq=False, repr=False)
class MCFS(UnsupervisedSelector):
    """Multi-cluster feature selection: columns that explain the clusters of near rows together.

    The first eigenvectors of the graph of near rows show its clusters. Each is regressed on few columns by
    least angle regression; a column scores its largest absolute coefficient.

    Parameters
    ----------
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; "auto" selects all with a coefficient other
        than 0; None selects 10 (all where X has fewer). It is also the number of columns in
        each regression, as in the paper ("auto": 10).
    n_clusters : int, default=5
        Eigenvectors to look at.
    %(graph)s
    %(scaling)s
    %(common)s

    %(attributes)s

    References
    ----------
    Cai, Zhang and He (2010), Unsupervised feature selection for multi-cluster data.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MCFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> MCFS(n_features=3, n_clusters=3).fit(X).order_
    array([6, 7, 0])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **UnsupervisedSelector._parameter_constraints,
        **{name: kind for name, kind in measures.MCFS._parameter_constraints.items() if name != "n_coefs"},
    }

    _: KW_ONLY
    n_clusters: int = 5
    n_neighbors: int = 5
    bandwidth: float | None = None
    scaling: str | None = "range"

    def _make_measure(self) -> Measure:
        n_coefs = None if self.n_features == "auto" else self.n_features
        return measures.MCFS(self.n_clusters, self.n_neighbors, self.bandwidth, n_coefs, self.scaling)


@dataclass(eq=False, repr=False)
class UDFS(UnsupervisedSelector):
    """Unsupervised discriminative feature selection: a projection sparse by columns.

    The projection keeps neighbourhoods of rows apart and uses few columns; a column scores the length of
    its row in it. It needs a table (columns, columns) and its eigenvectors in each round.

    Parameters
    ----------
    %(size)s
    n_clusters : int, default=5
        Dimensions of the projection.
    n_neighbors : int, default=5
        Rows in a neighbourhood, besides the one in its middle.
    gamma : float, default=1.0
        How much few columns matter.
    ridge : float, default=1.0
        Added to the scatter of each neighbourhood (λ in the paper).
    %(iteration)s
    tol : float, default=1e-6
        A round that changes no score by more than that is the last.
    %(scaling)s
    %(common)s

    %(attributes)s

    References
    ----------
    Yang, Shen, Ma, Huang and Zhou (2011), L2,1-norm regularized discriminative feature selection for
    unsupervised learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import UDFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> UDFS(n_features=3, n_clusters=3).fit(X).order_
    array([6, 9, 2])
    """

    _measure = measures.UDFS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **UnsupervisedSelector._parameter_constraints,
        **measures.UDFS._parameter_constraints,
    }

    _: KW_ONLY
    n_clusters: int = 5
    n_neighbors: int = 5
    gamma: float = 1.0
    ridge: float = 1.0
    max_rounds: int = 20
    tol: float = 1e-6
    scaling: str | None = "range"


@dataclass(eq=False, repr=False)
class LLCFS(UnsupervisedSelector):
    """Local learning-based clustering with feature selection: columns that predict clusters locally.

    Clusters are chosen so that each row's place in them can be predicted from its near rows, by ridge
    regressions in which each column has a weight; the weights follow from the coefficients, and near rows
    from the weights, in turns. A column scores its weight; all sum to 1.

    Parameters
    ----------
    %(size)s
    n_clusters : int, default=5
        Clusters to look for.
    n_neighbors : int, default=10
        Nearest rows a row is predicted from.
    beta : float, default=1.0
        Weight of the errors against the size of the coefficients.
    %(iteration)s
    tol : float, default=1e-4
        A round that changes no score by more than that is the last.
    %(scaling)s
    %(common)s

    %(attributes)s

    References
    ----------
    Zeng and Cheung (2011), Feature selection and kernel learning for local learning-based clustering.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import LLCFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> LLCFS(n_features=3, n_clusters=3).fit(X).order_
    array([12,  0, 11])
    """

    _measure = measures.LLCFS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **UnsupervisedSelector._parameter_constraints,
        **measures.LLCFS._parameter_constraints,
    }

    _: KW_ONLY
    n_clusters: int = 5
    n_neighbors: int = 10
    beta: float = 1.0
    max_rounds: int = 20
    tol: float = 1e-4
    scaling: str | None = "range"


@dataclass(eq=False, repr=False)
class CFS(UnsupervisedSelector):
    """Correlation-based selection without a target: columns that others do not repeat.

    The score is 1 − mean |r| with the other columns. Constant columns score 0. This is the comparator of
    the papers on Inf-FS; Hall's CFS, which needs a target and judges subsets, has only its name in common.

    Parameters
    ----------
    %(size)s
    summary : {"mean", "minimum"}, default="mean"
        What counts of the absolute correlations with the other columns; "minimum" is what the
        Feature Selection Library of the authors of Inf-FS computes.
    %(common)s

    %(attributes)s

    References
    ----------
    Roffo, Melzi, Castellani, Vinciarelli and Cristani (2020), Infinite feature selection: a graph-based
    feature filtering approach.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> CFS(n_features=3).fit(X).order_
    array([2, 4, 9])
    """

    _measure = measures.CFS
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **UnsupervisedSelector._parameter_constraints,
        **measures.CFS._parameter_constraints,
    }

    _: KW_ONLY
    summary: str = "mean"
