"""One selector for any combination of parts, and its functional form."""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, ClassVar

from entropick import registry
from entropick._base.compat import Interval, Options, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.records.selection import Selection
from entropick.searches import Search
from entropick.selectors.method import WeightedSelector
from entropick.table.encoding.options import CONSTRAINTS


class FeatureSelector(WeightedSelector):
    """Select features by any measure, any search and any cut.

    Parameters
    ----------
    measure : str or Measure, default="jmi"
        How good a column is: a name of `entropick.registry.MEASURES` or an object of
        `entropick.measures`.
    search : str, Search or None, default=None
        How to walk the subsets: a name of `entropick.registry.SEARCHES`, such as "forward", or an
        object of `entropick.searches`; None for the measure's usual search.
    cut : int, float, str, Cut or None, default=None
        How many to keep: a number of columns, a share in (0, 1], "auto" for as many as help
        prediction (without y the measure's own rule), another name of
        `entropick.registry.CUTS`, an object of `entropick.cuts`, or None for 10 (all if X has
        fewer) or, for searches over subsets, their own rule.
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
    unlabelled : {-1, "missing"} or None, default=None
        Which rows have no label: "missing" those where y is NaN or None, -1 also those where y is -1.
        None is "missing", with a warning if -1 may mean unlabelled.
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

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FeatureSelector
    >>> X, y = load_wine(return_X_y=True)
    >>> FeatureSelector(measure="jmi", search="forward", cut=3).fit(X, y).order_
    array([ 6,  0, 12])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "measure": [str, Measure],
        "search": [str, Search, None],
        "cut": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
            str,
            Cut,
            None,
        ],
        "fixed_features": ["array-like", None],
        "feature_groups": ["array-like", dict, None],
        **CONSTRAINTS,
        "unlabelled": [Options(Integral, {-1}), StrOptions({"missing"}), None],
        "multioutput": [StrOptions({"joint", "sum"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
    }

    # `make derived` gives these parameters, from fixed_features on, to the selectors of single methods
    def __init__(
        self,
        measure: str | Measure = "jmi",
        search: str | Search[Any] | None = None,
        cut: float | str | Cut | None = None,
        *,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        unlabelled: int | str | None = None,
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None:
        self.measure = measure
        self.search = search
        self.cut = cut
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups
        self.n_bins = n_bins
        self.binning = binning
        self.missing = missing
        self.target = target
        self.unlabelled = unlabelled
        self.multioutput = multioutput
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _parts(self, has_target: bool = True) -> tuple[Measure, Search[Any], Cut]:
        measure = registry.resolve_measure(self.measure)
        search = registry.resolve_search(self.search, measure)
        return measure, search, registry.resolve_cut(self.cut, measure, search, has_target)


def select(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    measure: str | Measure = "jmi",
    search: str | Search[Any] | None = None,
    cut: float | str | Cut | None = None,
    fixed_features: Sequence[str | int] | None = None,
    feature_groups: Any = None,
    n_bins: int | str = "auto",
    binning: str = "quantile",
    missing: str = "level",
    target: str = "auto",
    unlabelled: int | str | None = None,
    multioutput: str = "joint",
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: bool | Callable[..., None] | None = None,
) -> Selection:
    """Select informative columns of X: functional form of `FeatureSelector`, with the same parameters.

    X, y, sample_weight and groups are those of its `fit`.

    Returns
    -------
    selection : Selection
        The full record of the selection.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.make_corral()
    >>> ep.select(X, y, measure="renyi", cut="residual").selected_names
    ['x5', 'x0', 'x1', 'x2', 'x3']
    """
    selector = FeatureSelector(
        measure=measure,
        search=search,
        cut=cut,
        fixed_features=fixed_features,
        feature_groups=feature_groups,
        n_bins=n_bins,
        binning=binning,
        missing=missing,
        target=target,
        unlabelled=unlabelled,
        multioutput=multioutput,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
    )
    return selector.fit(X, y, sample_weight, groups=groups).selection_
