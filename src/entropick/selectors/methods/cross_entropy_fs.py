"""The selector CrossEntropyFS. Written by `make derived`, which overwrites changes."""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.metrics import get_scorer_names

from entropick import measures, registry, searches
from entropick._base.compat import HasMethods, Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.records.exploration import Exploration, ParetoFront
from entropick.searches import Search
from entropick.selectors.special import DrawingMethod


class CrossEntropyFS(DrawingMethod):
    """The cross-entropy method: draw subsets, keep the best, draw the next ones like these.

    Each column has a probability, 0.5 at first. In each round subsets are drawn, and the probabilities move
    to the columns' shares among those with the smallest H(y|S). It finds the number of columns on its own:
    those with a probability of at least `zeta` are selected, and the probabilities rank all columns.

    Parameters
    ----------
    n_features : int, float, "auto", Cut or None, default="auto"
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" selects by `zeta`, or by `estimator` if one is given; None is "auto".
    measure : str, Measure or None, default=None
        What is minimised: a set measure by name or as an object; None for Shannon's H(y|S).
    sampling : {"static", "adaptive"}, default="static"
        `n_samples` subsets in each round, or as many as needed for an improvement (FACE): batches of one
        subset per column (at least 2 `min_elite`), at most 20 batches, with an elite of 0.05 per column (at
        least `min_elite`).
    n_samples : int, default=5000
        Subsets drawn in each round of static sampling.
    quantile : float in (0, 1), default=0.25
        Share of the subsets that form the elite.
    min_elite : int, default=10
        Minimum size of the elite of adaptive sampling, since the mean of very few is unreliable; 1 gives the
        numbers of the paper.
    initial : float in (0, 1) or array-like of shape (n_features,), default=0.5
        Probabilities of the columns in the first round.
    smoothing : float in (0, 1], default=1.0
        Weight of the elite relative to the previous probabilities.
    parsimony : bool, default=True
        Whether the smaller of equally good subsets is better. Without it the search ends at once if a random
        half of the columns already determines y.
    end_share : float in (0, 1], default=0.95
        The search ends when this share of the subsets drawn is as good as the elite.
    tolerance : float, default=1e-9
        Minimum improvement of the elite in bits; the search ends after `patience` rounds without one.
    patience : int, default=10
        Rounds without improvement before stopping.
    max_rounds : int, default=1000
        Maximum number of rounds.
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
    zeta : float in (0, 1), default=0.9
        Probability a column must reach.
    strict : bool, default=False
        Whether the columns that reach it are kept whatever the best subset is, even if there are none.
    estimator : scikit-learn estimator or None, default=None
        Estimator whose cross-validated score chooses the number of columns.
    cv : int, splitter, iterable of splits or "train", default=5
        How the estimator is scored; "train" fits and scores it on the same rows.
    scoring : str, callable or None, default=None
        Score of the estimator, as in `sklearn.model_selection.cross_val_score`.
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
    probabilities_ : ndarray of shape (n_features_in_,)
        How often each column was drawn in the end; the same as `scores_`.
    information_gap_ : float
        ΔI_r = |I(S;y) − H(y)| / I(S;y) of the selected columns S, for Shannon's H(y|S); 0 if they
        determine y.

    References
    ----------
    Cassarà and Rozza, A novel mutual information-based feature selection algorithm.

    Examples
    --------
    >>> from entropick import CrossEntropyFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(CrossEntropyFS(n_samples=200, random_state=0).fit(X, y).order_.tolist())
    [0, 1, 2, 3]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
            StrOptions({"auto"}),
            None,
            Cut,
        ],
        "measure": [str, Measure, None],
        "sampling": [StrOptions({"adaptive", "static"})],
        "n_samples": [Interval(Integral, 2, None, closed="left")],
        "quantile": [Interval(Real, 0, 1, closed="neither")],
        "min_elite": [Interval(Integral, 1, None, closed="left")],
        "initial": [Interval(Real, 0, 1, closed="neither"), "array-like"],
        "smoothing": [Interval(Real, 0, 1, closed="right")],
        "parsimony": ["boolean"],
        "end_share": [Interval(Real, 0, 1, closed="right")],
        "tolerance": [Interval(Real, 0, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
        "max_equivalents": [Interval(Integral, 0, None, closed="left")],
        "costs": ["array-like", None],
        "budget": [Interval(Real, 0, None, closed="neither"), None],
        "start": [Exploration, ParetoFront, "array-like", None],
        "max_time": [Interval(Real, 0, None, closed="neither"), None],
        "on_interrupt": [StrOptions({"keep", "raise"})],
        "polish": [StrOptions({"drop", "swap"}), None],
        "zeta": [Interval(Real, 0, 1, closed="neither")],
        "strict": ["boolean"],
        "estimator": [HasMethods(["fit"]), None],
        "cv": ["cv_object", StrOptions({"train"})],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
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
        measure: str | Measure | None = None,
        sampling: str = "static",
        n_samples: int = 5000,
        quantile: float = 0.25,
        min_elite: int = 10,
        initial: Any = 0.5,
        smoothing: float = 1.0,
        parsimony: bool = True,
        end_share: float = 0.95,
        tolerance: float = 1e-09,
        patience: int = 10,
        max_rounds: int = 1000,
        max_equivalents: int = 20,
        costs: Any = None,
        budget: float | None = None,
        start: Any = None,
        max_time: float | None = None,
        on_interrupt: str = "raise",
        polish: str | None = None,
        zeta: float = 0.9,
        strict: bool = False,
        estimator: Any = None,
        cv: Any = 5,
        scoring: Any = None,
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
        self.measure = measure
        self.sampling = sampling
        self.n_samples = n_samples
        self.quantile = quantile
        self.min_elite = min_elite
        self.initial = initial
        self.smoothing = smoothing
        self.parsimony = parsimony
        self.end_share = end_share
        self.tolerance = tolerance
        self.patience = patience
        self.max_rounds = max_rounds
        self.max_equivalents = max_equivalents
        self.costs = costs
        self.budget = budget
        self.start = start
        self.max_time = max_time
        self.on_interrupt = on_interrupt
        self.polish = polish
        self.zeta = zeta
        self.strict = strict
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
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
        if self.measure is None:
            return measures.Renyi(alpha=1)
        return registry.resolve_measure(self.measure)

    def _make_search(self) -> Search[Any]:
        return searches.CrossEntropy(
            sampling=self.sampling,
            n_samples=self.n_samples,
            quantile=self.quantile,
            min_elite=self.min_elite,
            initial=self.initial,
            smoothing=self.smoothing,
            parsimony=self.parsimony,
            end_share=self.end_share,
            tolerance=self.tolerance,
            patience=self.patience,
            max_rounds=self.max_rounds,
            max_equivalents=self.max_equivalents,
            costs=self.costs,
            budget=self.budget,
            start=self.start,
            max_time=self.max_time,
            on_interrupt=self.on_interrupt,
            polish=self.polish,
        )
