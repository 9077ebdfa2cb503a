"""The selector MarkovBlanket. Written by `make derived`, which overwrites changes.

The measure is in `entropick.measures.joint.blanket`.
"""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from entropick import cuts, measures, searches
from entropick._base.compat import Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.searches import Search
from entropick.selectors.method import WeightedMethod


class MarkovBlanket(WeightedMethod):
    """Markov blanket of y by tests of conditional independence: its causes, its effects, and their causes.

    Given its blanket, y is independent of every other column. "hiton" finds parents and children: columns
    that depend on y given every set of at most `max_given` of the others found so far. Spouses, the other
    parents of children, are then columns that depend on y given a child. "iamb" repeatedly adds the column
    with the most information given all columns found, and then removes those that add nothing.
    "koller_sahami" begins with all columns and repeatedly removes the one that says least about y given the
    `max_given` remaining columns it shares most information with, until all are significant.

    All tests are G-tests. A test with fewer than five rows per cell is not made, and the column stays. Where
    all columns are tested at once, `level` is the false discovery rate.

    The score of a column is the least information that it has about y in any of the tests, less what is
    expected by chance; columns outside the blanket score 0. With "koller_sahami" these score below 0, the
    earlier they were removed the less, so that a number of columns can be kept.

    Parameters
    ----------
    n_features : int, float, str, Cut or None, default="auto"
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" selects columns while their score is above 0; None is 10 (all if X has fewer).
        Other rules by name: permutation, residual, threshold, mean_shift, fdr, gain, knockoffs.
    level : float in (0, 1), default=0.01
        Significance level of the tests.
    method : {"hiton", "iamb", "koller_sahami"}, default="hiton"
        How the blanket is found.
    max_given : int, default=3
        Most columns given at once, for "hiton" and "koller_sahami".
    symmetry : {"and", "or", None}, default="and"
        Whether column and y must find each other as parent or child ("and"), one of them must find the other
        ("or"), or only y is asked (None), for method="hiton".
    spouses : bool, default=True
        Whether to look for the other parents of children, for method="hiton".
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
    parents_children_ : list of int
        Columns that depend on y given any others.
    spouses_ : list of int
        Columns that depend on y given a child only.

    References
    ----------
    Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), Local causal and Markov blanket induction
    for causal discovery and feature selection. Tsamardinos, Aliferis and Statnikov (2003), Algorithms for
    large scale Markov blanket discovery. Koller and Sahami (1996), Toward optimal feature selection.

    Examples
    --------
    >>> from entropick import MarkovBlanket
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> MarkovBlanket().fit(X, y).order_
    array([0, 1, 2, 3, 5])
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
        "level": [Interval(Real, 0, 1, closed="neither")],
        "method": [StrOptions({"hiton", "iamb", "koller_sahami"})],
        "max_given": [Interval(Integral, 0, None, closed="left")],
        "symmetry": [StrOptions({"and", "or"}), None],
        "spouses": ["boolean"],
        "fixed_features": ["array-like", None],
        "feature_groups": ["array-like", dict, None],
        "n_bins": [Interval(Integral, 2, 65535, closed="both"), StrOptions({"auto"})],
        "binning": [StrOptions({"mdlp", "quantile", "uniform"})],
        "missing": [StrOptions({"error", "level"})],
        "target": [StrOptions({"auto", "class", "real"})],
        "multioutput": [StrOptions({"joint", "sum"})],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
    }

    def __init__(
        self,
        n_features: float | str | Cut | None = "auto",
        *,
        level: float = 0.01,
        method: str = "hiton",
        max_given: int = 3,
        symmetry: str | None = "and",
        spouses: bool = True,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None:
        self.n_features = n_features
        self.level = level
        self.method = method
        self.max_given = max_given
        self.symmetry = symmetry
        self.spouses = spouses
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups
        self.n_bins = n_bins
        self.binning = binning
        self.missing = missing
        self.target = target
        self.multioutput = multioutput
        self.n_jobs = n_jobs
        self.progress = progress

    def _make_measure(self) -> Measure:
        return measures.MarkovBlanket(
            level=self.level,
            method=self.method,
            max_given=self.max_given,
            symmetry=self.symmetry,
            spouses=self.spouses,
        )

    def _make_search(self) -> Search[Any]:
        return searches.Ranking()

    def _own_cut(self) -> Cut:
        return cuts.Threshold()
