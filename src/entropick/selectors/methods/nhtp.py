"""The selector NHTP. Written by `make derived`, which overwrites changes.

The measure is in `entropick.measures.linear.nhtp`.
"""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, ClassVar

from entropick import measures, searches
from entropick._base.compat import Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.searches import Search
from entropick.selectors.method import MethodSelector


class NHTP(MethodSelector):
    """Newton hard thresholding pursuit: the best-fitting logistic model of a given number of columns.

    Minimises the logistic loss on standardised columns with at most s weights that are not 0. Each round
    takes the s columns with the largest |w − η ∇f(w)| and makes a Newton step on them. The score is |w_f|.
    s is `n_features`, as in the paper, or a fifth of the rows if that is a rule. More than two classes are
    handled one-vs-rest, and a column scores its largest weight. Constant columns and copies of earlier ones
    score 0.

    Parameters
    ----------
    n_features : int, float, str, Cut or None, default=None
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" keeps as many columns as predict unseen rows about as well as any number; None is 10 (all if X
        has fewer).
        Other rules by name: permutation, residual, threshold, mean_shift, fdr, gain, knockoffs.
    max_rounds : int, default=2000
        Maximum number of rounds.
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
    converged_ : bool
        Whether the rounds ended because nothing changed any more, not at their maximum.

    References
    ----------
    Zhou, Xiu and Qi (2021), Global and quadratic convergence of Newton hard-thresholding pursuit.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import NHTP
    >>> X, y = load_wine(return_X_y=True)
    >>> NHTP(n_features=3).fit(X, y).order_
    array([12,  6,  9])
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
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
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
        max_rounds: int = 2000,
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
        self.max_rounds = max_rounds
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
        return measures.NHTP(
            n_nonzero=10 if self.n_features is None else self._given_size(),
            max_rounds=self.max_rounds,
        )

    def _make_search(self) -> Search[Any]:
        return searches.Ranking()
