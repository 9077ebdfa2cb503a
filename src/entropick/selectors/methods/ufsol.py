"""The selector UFSOL. Written by `make derived`, which overwrites changes.

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


class UFSOL(MethodSelector):
    """Ordinal locality: a projection that keeps which of a row's neighbours are nearer, and its clusters.

    The projection W minimises ‖WᵀX − UV‖² + alpha Tr(WᵀXLXᵀW) + beta Σ_f ‖w_f‖ with WᵀW = I: projected rows
    lie near the centres U of their clusters, and near rows stay near, the nearest most of all (L). A column
    scores ‖w_f‖². Each round computes eigenvectors of a matrix of shape (columns, columns), or with many more
    columns than rows of one of shape (rows, rows).

    Parameters
    ----------
    n_features : int, float, str, Cut or None, default=None
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" keeps as many columns as predict unseen rows about as well as any number; None is 10 (all if X
        has fewer).
        Without y, "auto" is 10 too: the method has no stop rule of its own.
        Other rules by name: permutation, residual, threshold, mean_shift, fdr, gain, knockoffs.
    n_clusters : int, default=5
        Clusters, and dimensions of the projection.
    n_neighbors : int, default=5
        Nearest rows whose order is preserved.
    alpha : float, default=1.0
        Weight of that order.
    beta : float, default=0.1
        Weight of sparsity.
    max_rounds : int, default=10
        Maximum number of rounds.
    tol : float, default=1e-6
        The search ends when no score changes by more.
    scaling : {"std", "range"} or None, default="range"
        How columns are scaled before rows are normalised to length 1.
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
    converged_ : bool
        Whether the rounds ended because nothing changed any more, not at their maximum.

    References
    ----------
    Guo, Guo, Kong and He (2017), Unsupervised feature selection with ordinal locality.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import UFSOL
    >>> X, _ = load_wine(return_X_y=True)
    >>> UFSOL(n_features=3, n_clusters=3).fit(X).order_
    array([6, 9, 2])
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
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="neither")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
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
        alpha: float = 1.0,
        beta: float = 0.1,
        max_rounds: int = 10,
        tol: float = 1e-06,
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
        self.alpha = alpha
        self.beta = beta
        self.max_rounds = max_rounds
        self.tol = tol
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
        return measures.UFSOL(
            n_clusters=self.n_clusters,
            n_neighbors=self.n_neighbors,
            alpha=self.alpha,
            beta=self.beta,
            max_rounds=self.max_rounds,
            tol=self.tol,
            scaling=self.scaling,
        )

    def _make_search(self) -> Search[Any]:
        return searches.Ranking()
