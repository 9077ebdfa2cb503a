"""The selector InfFS. Written by `make derived`, which overwrites changes.

The measure is in `entropick.measures.graphs.inffs`.
"""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from entropick import measures, searches
from entropick._base.compat import Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.searches import Search
from entropick.selectors.special import ExplainedMethod


class InfFS(ExplainedMethod):
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
    n_features : int, float, str, Cut or None, default="auto"
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" keeps as many columns as predict unseen rows about as well as any number; None is 10 (all if X
        has fewer).
        Without y, "auto" keeps the columns whose scores cluster with the top one.
        Other rules by name: permutation, residual, threshold, mean_shift, fdr, gain, knockoffs.
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
    cut : {"mean_shift", "histogram"}, Cut or None, default=None
        What n_features="auto" means: the columns whose scores cluster with the top one, or as many as a
        histogram of the scores has high bars, as in the authors' program, which explains the sizes in
        the paper. None is "histogram" for variant="released" and "mean_shift" otherwise. Any object of
        `entropick.cuts` is accepted as well.
    fixed_features : list of column names or indices, default=None
        Columns to keep from the start; others are scored given these. They count as selected.
    feature_groups : list of lists of column names or indices, or dict of such lists, default=None
        Columns that are selected together, such as those of a one-hot encoding. A group counts as
        one. Methods based on counts score its joint levels.
    n_bins : int or "auto", default="auto"
        Levels of a numeric column with more distinct values than that. Other columns keep every
        value as a level. A real target is binned into as many classes.
        "auto" depends on the number of rows: 5 levels up to 272 rows, ..., 10 from 813 rows on;
        numeric columns of at most 10 distinct values keep them.
    binning : {"quantile", "uniform", "mdlp"}, default="quantile"
        How numeric columns are binned: by equal frequency, by equal width, or where the classes
        change (Fayyad and Irani, which chooses the number of levels itself).
    missing : {"level", "error"}, default="level"
        "error" rejects missing values. "level" makes them a level of their own if levels are
        counted, else the mean of their column or the expected distance.
    target : {"auto", "class", "real"}, default="auto"
        Whether y holds classes or real values; "auto" treats numbers with a fraction, and whole
        numbers with many distinct values, as real.
    multioutput : {"joint", "sum"}, default="joint"
        What to do if y has several columns: use their joint values as classes, or sum
        scores over the columns of y. Cuts that use y, and MDLP binning, use them jointly.
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers. Parts that draw get independent streams.
    n_jobs : int or None, default=None
        Number of threads; -1 for all processors. It never changes the result.
    progress : None, bool or callable, default=None
        True shows a line on stderr; a callable receives each step, the number of steps so far and the
        expected number (or None); searches over subsets show their rounds.

    Attributes
    ----------
    order_ : ndarray of int
        Selected columns, first pick first.
    support_ : ndarray of bool of shape (n_features_in_,)
        True for selected columns.
    ranking_ : ndarray of int of shape (n_features_in_,)
        Rank per column, 1 = best; columns the search did not reach share the next rank.
    scores_ : ndarray of shape (n_features_in_,)
        Score of each column. Methods that score columns given those already picked give the score at the
        pick, and NaN to columns that were never picked.
    selection_ : Selection
        The full record: every step with score, runner-up, ties and time, and the encoding.
    n_features_ : int
        Number of selected columns.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Names of these columns, if X has names.
    alpha_ : float or tuple of three floats
        The weights used; None if `graph` was given.
    explanation_ : Explanation
        What the scores are made of; `explain` shows it for a column.
    visits_ : ndarray of shape (n_features_in_, n_features_in_) or None
        (I − r A)⁻¹, the expected visits of each column by a random walk that starts at each column and ends
        by chance; only with visits=True.

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

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
            StrOptions({"auto"}),
            None,
            StrOptions({"fdr", "gain", "knockoffs", "mean_shift", "permutation", "residual", "threshold"}),
            Cut,
        ],
        "supervised": ["boolean", StrOptions({"auto"})],
        "alpha": [Interval(Real, 0, 1, closed="both"), "array-like", StrOptions({"cv"}), None],
        "regularization": [StrOptions({"markov", "spectral"})],
        "factor": [Interval(Real, 0, 1, closed="neither")],
        "path_length": [Interval(Integral, 1, None, closed="left"), None],
        "graph": ["array-like", "sparse matrix", callable, None],
        "directed": ["boolean"],
        "visits": ["boolean"],
        "scaling": [StrOptions({"range", "std"}), None],
        "diversity": [Interval(Real, 0, 1, closed="both")],
        "variant": [StrOptions({"paper", "released"})],
        "cut": [StrOptions({"histogram", "mean_shift"}), None, Cut],
        "fixed_features": ["array-like", None],
        "feature_groups": ["array-like", dict, None],
        "n_bins": [Interval(Integral, 2, 65535, closed="both"), StrOptions({"auto"})],
        "binning": [StrOptions({"mdlp", "quantile", "uniform"})],
        "missing": [StrOptions({"error", "level"})],
        "target": [StrOptions({"auto", "class", "real"})],
        "multioutput": [StrOptions({"joint", "sum"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
    }
    _requires_target = False

    def __init__(
        self,
        n_features: float | str | Cut | None = "auto",
        *,
        supervised: bool | str = "auto",
        alpha: Any = None,
        regularization: str = "spectral",
        factor: float = 0.9,
        path_length: int | None = None,
        graph: Any = None,
        directed: bool = False,
        visits: bool = False,
        scaling: str | None = "range",
        diversity: float = 0.0,
        variant: str = "paper",
        cut: str | Cut | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None:
        self.n_features = n_features
        self.supervised = supervised
        self.alpha = alpha
        self.regularization = regularization
        self.factor = factor
        self.path_length = path_length
        self.graph = graph
        self.directed = directed
        self.visits = visits
        self.scaling = scaling
        self.diversity = diversity
        self.variant = variant
        self.cut = cut
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups
        self.n_bins = n_bins
        self.binning = binning
        self.missing = missing
        self.target = target
        self.multioutput = multioutput
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _make_measure(self) -> Measure:
        return measures.InfFS(
            supervised=self.supervised,
            alpha=self.alpha,
            regularization=self.regularization,
            factor=self.factor,
            path_length=self.path_length,
            graph=self.graph,
            directed=self.directed,
            visits=self.visits,
            scaling=self.scaling,
            diversity=self.diversity,
            variant=self.variant,
        )

    def _make_search(self) -> Search[Any]:
        return searches.Ranking()
