"""The selector SNEFS. Written by `make derived`, which overwrites changes.

The measure is in `entropick.measures.neighbors.neighborhood`.
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


class SNEFS(MethodSelector):
    """Single-indexed neighborhood entropy: greedily the least mixed classes among near rows.

    Near rows are found once, on all columns; for each subset the nearest among them count. It finds
    columns that matter only together, costs little, and skips merely correlated columns.

    Parameters
    ----------
    n_features : int, float, str, Cut or None, default=None
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" keeps as many columns as predict unseen rows about as well as any number; None is 10 (all if X
        has fewer).
        Other rules by name: permutation, residual, threshold, mean_shift, fdr, gain, knockoffs.
    n_neighbors : int, default=4
        Neighbours in a neighbourhood, besides its central row.
    index : {"lsh", "exact", "auto"}, default="lsh"
        How near rows are found: by locality-sensitive hashing, exactly, or exactly up to 10,000 rows.
    n_candidates : int, "bucket" or None, default=None
        Near rows kept for each row; None keeps √(2n) of them, at least 4 n_neighbors and at most 100.
        "bucket" keeps all rows of its buckets (at most 1,000 of each), as the paper does; it needs
        index="lsh".
    n_tables : int or None, default=20
        Number of hash tables; None takes n^(1/(1+epsilon)), as in the paper. If buckets hold fewer rows than
        are kept, random rows are added.
    epsilon : float, default=15.0
        Approximation for which n_tables=None chooses the number of tables.
    bucket_size : int, default=25
        Intended number of rows in a bucket; its width is chosen from the data.
    width : float or None, default=None
        Width w of the buckets, in units of the scaled columns; None chooses it by `bucket_size`.
    metric : {"l1", "l2"}, default="l1"
        Distance between rows, and the coefficients of the hash functions: Cauchy for "l1", Gaussian for
        "l2". The latter is slower.
    scaling : {"range", "std", "rank"} or None, default="range"
        How numeric columns are scaled, so that units do not matter; None leaves them as they are.
    ties : {"random", "order"}, default="random"
        Which of equally near rows are neighbours: random ones, or the first in the order of the rows. With
        one index per subset the latter needs exact neighbours.
    every_row : bool, default=False
        Whether every row counts, including rows already seen as a neighbour.
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
    Mariello and Battiti (2018), Feature selection based on the neighborhood entropy.

    Examples
    --------
    >>> from entropick import SNEFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(SNEFS(n_features=4, random_state=0).fit(X, y).order_.tolist())  # A0, A1, B0, B1
    [0, 1, 2, 3]
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
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "index": [StrOptions({"auto", "exact", "lsh"})],
        "n_candidates": [Interval(Integral, 1, None, closed="left"), StrOptions({"bucket"}), None],
        "n_tables": [Interval(Integral, 1, None, closed="left"), None],
        "epsilon": [Interval(Real, 0, None, closed="neither")],
        "bucket_size": [Interval(Integral, 1, None, closed="left")],
        "width": [Interval(Real, 0, None, closed="neither"), None],
        "metric": [StrOptions({"l1", "l2"})],
        "scaling": [StrOptions({"range", "rank", "std"}), None],
        "ties": [StrOptions({"order", "random"})],
        "every_row": ["boolean"],
        "fixed_features": ["array-like", None],
        "feature_groups": ["array-like", dict, None],
        "n_bins": [Interval(Integral, 2, 65535, closed="both"), StrOptions({"auto"})],
        "missing": [StrOptions({"error", "level"})],
        "target": [StrOptions({"auto", "class", "real"})],
        "multioutput": [StrOptions({"joint", "sum"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
    }

    def __init__(
        self,
        n_features: float | str | Cut | None = None,
        *,
        n_neighbors: int = 4,
        index: str = "lsh",
        n_candidates: int | str | None = None,
        n_tables: int | None = 20,
        epsilon: float = 15.0,
        bucket_size: int = 25,
        width: float | None = None,
        metric: str = "l1",
        scaling: str | None = "range",
        ties: str = "random",
        every_row: bool = False,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None:
        self.n_features = n_features
        self.n_neighbors = n_neighbors
        self.index = index
        self.n_candidates = n_candidates
        self.n_tables = n_tables
        self.epsilon = epsilon
        self.bucket_size = bucket_size
        self.width = width
        self.metric = metric
        self.scaling = scaling
        self.ties = ties
        self.every_row = every_row
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups
        self.n_bins = n_bins
        self.missing = missing
        self.target = target
        self.multioutput = multioutput
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _make_measure(self) -> Measure:
        return measures.NeighborhoodEntropy(
            n_neighbors=self.n_neighbors,
            index=self.index,
            n_candidates=self.n_candidates,
            n_tables=self.n_tables,
            epsilon=self.epsilon,
            bucket_size=self.bucket_size,
            width=self.width,
            metric=self.metric,
            scaling=self.scaling,
            ties=self.ties,
            every_row=self.every_row,
        )

    def _make_search(self) -> Search[Any]:
        return searches.Forward()
