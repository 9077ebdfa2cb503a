"""The selector BayesianEntropyFS. Written by `make derived`, which overwrites changes.

The measure is in `entropick.measures.joint.bayesian`.
"""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.metrics import get_scorer_names

from entropick import cuts, measures, searches
from entropick._base.compat import HasMethods, Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.records.exploration import Exploration, ParetoFront
from entropick.searches import Search
from entropick.selectors.special import FrontMethod


class BayesianEntropyFS(FrontMethod):
    """Subsets that determine y and whose values recur: a Pareto front by NSGA-II.

    Minimises two entropies at once: H_B(y|S), what the columns S leave open about y, and H_B(S), which is
    large if their joint values are rare and so hardly recur. They are computed with Bayesian frequencies
    (α + count) / (α|Ω| + n). All subsets that no other subset beats in both are kept in `front_`; one is
    selected.

    Parameters
    ----------
    n_features : int, float, "auto", Cut or None, default="auto"
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" selects one subset of the front: the best for `estimator`, or the knee; None is "auto".
    alpha : float, default=1.0
        Prior count of each value; 0 gives plain frequencies. In the independent domain larger values give
        smaller subsets. The paper recommends 0.1 to 1.
    domain : {"dependent", "independent"} or float in [0, 1], default="dependent"
        Which joint values are possible: those that occur (for many rows), or all combinations (for few). A
        number w in between takes |Ω| = occurring^(1−w) · combinations^w; 0 and 1 are the two names.
    n_evaluations : int or None, default=None
        Subsets to score; None for 1000 per column.
    population_size : int, default=100
        Subsets in a generation.
    variant : {"improved", "paper"}, default="improved"
        "paper" is the algorithm as printed by Mei, Xue and Zhang: a random first generation, one column of
        each child flipped, no child changed further, repeated subsets kept, and an archive of the first and
        the last generation alone.
    max_equivalents : int, default=20
        Maximum number of subsets listed in `equivalents_`: as good as the selected one and of the same size.
    costs : array-like of shape (n_features,) or None, default=None
        Cost of each column. The cheaper of equally good subsets is then better, not the smaller.
    budget : float or None, default=None
        Largest cost of a subset; without `costs`, its largest size.
    start : Exploration, ParetoFront, list of subsets or None, default=None
        Initial subsets, each as indices or as booleans. Given the `selection_.exploration` of a search that
        was stopped early, that search is resumed.
    max_time : float or None, default=None
        Seconds after which the search ends with the best so far (`selection_.complete` is then False).
    on_interrupt : {"raise", "keep"}, default="raise"
        Whether Ctrl-C ends the fit, or only the search, with the best so far.
    polish : {"drop", "swap"} or None, default=None
        How the result is improved at the end: "drop" removes columns as long as that helps, "swap" also
        exchanges single columns. The polished subset is selected, whatever the scores of columns.
    estimator : scikit-learn estimator or None, default=None
        Selects the subset of the front with the best score; None selects the knee.
    cv : int, splitter, iterable of splits or "train", default=5
        How the estimator is scored; "train" fits and scores it on the same rows.
    scoring : str, callable or None, default=None
        Score of the estimator, as in `sklearn.model_selection.cross_val_score`.
    ties : {"smallest", "first"}, default="smallest"
        Of subsets with equally good scores, the smallest is selected, or the first of the front, whose first
        objective is lowest.
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
    front_ : ParetoFront
        The best subsets found: `subsets`, `objectives`, `normalized`, `sizes` and `plot()`.
    history_ : tuple of Generation
        Every round with the best subset so far.
    equivalents_ : ndarray of bool of shape (n_equivalents, n_features_in_)
        Other subsets found by the search that are as good as the selected one and of the same size (or cost);
        at most `max_equivalents`. Empty if the selected columns are not a subset of the front.

    References
    ----------
    Mei, Xue and Zhang (2016), Fast bi-objective feature selection using entropy measures and Bayesian
    inference.

    Examples
    --------
    >>> from entropick import BayesianEntropyFS
    >>> from entropick.datasets import make_led24
    >>> X, y = make_led24(random_state=0)
    >>> selector = BayesianEntropyFS(n_evaluations=4000, random_state=0).fit(X, y)
    >>> len(selector.front_) > 10
    True
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
            StrOptions({"auto"}),
            None,
            Cut,
        ],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "domain": [StrOptions({"dependent", "independent"}), Interval(Real, 0, 1, closed="both")],
        "n_evaluations": [Interval(Integral, 1, None, closed="left"), None],
        "population_size": [Interval(Integral, 4, None, closed="left")],
        "variant": [StrOptions({"improved", "paper"})],
        "max_equivalents": [Interval(Integral, 0, None, closed="left")],
        "costs": ["array-like", None],
        "budget": [Interval(Real, 0, None, closed="neither"), None],
        "start": [Exploration, ParetoFront, "array-like", None],
        "max_time": [Interval(Real, 0, None, closed="neither"), None],
        "on_interrupt": [StrOptions({"keep", "raise"})],
        "polish": [StrOptions({"drop", "swap"}), None],
        "estimator": [HasMethods(["fit"]), None],
        "cv": ["cv_object", StrOptions({"train"})],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "ties": [StrOptions({"first", "smallest"})],
        "fixed_features": ["array-like", None],
        "feature_groups": ["array-like", dict, None],
        "n_bins": [Interval(Integral, 2, 65535, closed="both"), StrOptions({"auto"})],
        "binning": [StrOptions({"mdlp", "quantile", "uniform"})],
        "missing": [StrOptions({"error", "level"})],
        "target": [StrOptions({"auto", "class", "real"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
    }

    def __init__(
        self,
        n_features: float | str | Cut | None = "auto",
        *,
        alpha: float = 1.0,
        domain: str | float = "dependent",
        n_evaluations: int | None = None,
        population_size: int = 100,
        variant: str = "improved",
        max_equivalents: int = 20,
        costs: Any = None,
        budget: float | None = None,
        start: Any = None,
        max_time: float | None = None,
        on_interrupt: str = "raise",
        polish: str | None = None,
        estimator: Any = None,
        cv: Any = 5,
        scoring: Any = None,
        ties: str = "smallest",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None:
        self.n_features = n_features
        self.alpha = alpha
        self.domain = domain
        self.n_evaluations = n_evaluations
        self.population_size = population_size
        self.variant = variant
        self.max_equivalents = max_equivalents
        self.costs = costs
        self.budget = budget
        self.start = start
        self.max_time = max_time
        self.on_interrupt = on_interrupt
        self.polish = polish
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.ties = ties
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups
        self.n_bins = n_bins
        self.binning = binning
        self.missing = missing
        self.target = target
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _make_measure(self) -> Measure:
        return measures.Bayesian(alpha=self.alpha, domain=self.domain)

    def _make_search(self) -> Search[Any]:
        return searches.NSGA2(
            n_evaluations=self.n_evaluations,
            population_size=self.population_size,
            variant=self.variant,
            max_equivalents=self.max_equivalents,
            costs=self.costs,
            budget=self.budget,
            start=self.start,
            max_time=self.max_time,
            on_interrupt=self.on_interrupt,
            polish=self.polish,
        )

    def _own_cut(self) -> Cut:
        return cuts.Front(estimator=self.estimator, cv=self.cv, scoring=self.scoring, ties=self.ties)
