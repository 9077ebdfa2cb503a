"""The selector FSASL. Written by `make derived`, which overwrites changes.

The measure is in `entropick.measures.spectral.structure`.
"""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from entropick import measures, searches
from entropick._base.compat import Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.searches import Search
from entropick.selectors.method import MethodSelector


class FSASL(MethodSelector):
    """Adaptive structure learning: columns whose projection keeps how rows describe each other.

    Rows are described by few others (lasso) and by their nearest ones. The smoothest functions on both
    graphs are regressed on the columns with a penalty on the number of columns; both graphs are then learned
    again in the space of the projection. A column scores Σ w² over the functions. The regression is ten
    rounds of reweighting, which end before it converges: more would change the scores.

    Parameters
    ----------
    n_features : int, float, str, Cut or None, default=None
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" keeps as many columns as predict unseen rows about as well as any number; None is 10 (all if X
        has fewer).
        Without y, "auto" is 10 too: the method has no stop rule of its own.
        Other rules by name: permutation, residual, threshold, mean_shift, fdr, gain, knockoffs.
    n_clusters : int, default=5
        Functions to keep.
    n_neighbors : int, default=5
        Number of neighbours of each row in the graph.
    sparsity : float in (0, 1), default=0.01
        Penalty of the lasso, as a share of the one that leaves nothing.
    local_weight : float, default=1.0
        Weight of the graph of nearest rows against that of the lasso.
    gamma : float, default=1.0
        Weight of sparsity.
    n_rounds : int, default=1
        Rounds; 1 is the default of the authors' program, 20 were used in the paper.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled, so that units do not matter: to a standard deviation or a range of 1;
        None takes the numbers as they are.
    fixed_features : list of column names or indices, default=None
        Columns to keep from the start; others are scored given these. They count as selected.
    feature_groups : list of lists of column names or indices, or dict of such lists, default=None
        Columns that are selected together, such as those of a one-hot encoding. A group counts as
        one. Methods based on counts score its joint levels.
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

    References
    ----------
    Du and Shen (2015), Unsupervised feature selection with adaptive structure learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FSASL
    >>> X, _ = load_wine(return_X_y=True)
    >>> FSASL(n_features=3, n_clusters=3).fit(X).order_
    array([4, 0, 9])
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
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "sparsity": [Interval(Real, 0, 1, closed="neither")],
        "local_weight": [Interval(Real, 0, None, closed="neither")],
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "n_rounds": [Interval(Integral, 1, None, closed="left")],
        "scaling": [StrOptions({"range", "std"}), None],
        "fixed_features": ["array-like", None],
        "feature_groups": ["array-like", dict, None],
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
        n_features: float | str | Cut | None = None,
        *,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        sparsity: float = 0.01,
        local_weight: float = 1.0,
        gamma: float = 1.0,
        n_rounds: int = 1,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None:
        self.n_features = n_features
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.sparsity = sparsity
        self.local_weight = local_weight
        self.gamma = gamma
        self.n_rounds = n_rounds
        self.scaling = scaling
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups
        self.missing = missing
        self.target = target
        self.multioutput = multioutput
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _make_measure(self) -> Measure:
        return measures.FSASL(
            n_clusters=self.n_clusters,
            n_neighbors=self.n_neighbors,
            sparsity=self.sparsity,
            local_weight=self.local_weight,
            gamma=self.gamma,
            n_rounds=self.n_rounds,
            scaling=self.scaling,
        )

    def _make_search(self) -> Search[Any]:
        return searches.Ranking()
