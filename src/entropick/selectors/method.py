"""Selectors made of a measure, a search and a cut.

The selectors of single methods are in `entropick.selectors.methods`, which `make derived` writes.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from entropick import engine, registry
from entropick._base.compat import drawn_seed, fit_context, seeds_of_parts
from entropick._base.threads import Threads
from entropick.contracts import COUNTED, Need
from entropick.cuts import Count, Cut, Share
from entropick.cuts.count import DEFAULT
from entropick.evaluation.risk import HeldOutRisk
from entropick.exceptions import DROP_IT, ColumnWarning, DataError, Hint, Message, warn_user
from entropick.measures import Measure
from entropick.measures.pairs.relevance import columns_of_chance
from entropick.records.selection import Selection
from entropick.searches import Forward, Ranking, Search
from entropick.selectors.base import BaseSelector
from entropick.selectors.batches import count_batch, if_pairs_are_enough
from entropick.selectors.columns import column_groups, column_indices
from entropick.selectors.risk import risk_of
from entropick.selectors.weights import rejecting_weights, weights_of
from entropick.table.codes import ColumnEncoding
from entropick.table.encoding.target import one_dimensional
from entropick.table.notes import CONSTANT, IDENTIFIER, IDENTIFIER_SHARE, MAX_NOTES, MIN_NAMES, TARGET, Note
from entropick.table.open import Request, kind_of_table, named_parts, open_table
from entropick.table.table import Table

MANY_LEVELS = 50  # a column with at least this many levels is compared with what chance gives it

# Cuts that n_features accepts by name: those that watch a path and need no number.
RULES = ("permutation", "residual", "threshold", "mean_shift", "fdr", "gain", "knockoffs")


class PartsSelector(BaseSelector):
    """A selector made of a measure, a search and a cut, which a subclass names in `_parts`."""

    _keep_table: Callable[[Table], None] | None = None  # takes the table of a fit

    @abstractmethod
    def _parts(self, has_target: bool = True) -> tuple[Measure, Search[Any], Cut]:
        """The measure, search and cut to use, fresh ones."""

    @rejecting_weights
    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, groups: Any = None) -> Self:
        """Select columns of X that are informative about y.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Numbers, categories, strings, booleans and times, with missing values. Dask collections, files
            passed as `entropick.scan` and tables of `entropick.partitioned` stay where they are.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), or str
            Classes of any type, or real values; may be omitted if the measure does not use it. Of a table
            with column names also the name of a column, which is then not among the features.
        groups : array-like of shape (n_samples,), default=None
            What each row belongs to, such as a patient. Where rows are split or shuffled ("auto",
            "permutation"), rows of a group stay together; None takes rows as independent.

        Returns
        -------
        self : object
            The fitted selector.
        """
        self._fit(X, y, groups=groups)
        return self

    @np.errstate(divide="warn", over="warn", under="ignore", invalid="warn")  # whatever the caller has set
    def _fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> None:
        """Select columns of X informative about y; weights say how often a row counts."""
        self.__dict__.pop("cube_", None)
        X, y = self._named_parts(X, y)
        measure, search, cut = self._parts(y is not None)
        offers = kind_of_table(X).offers
        if self._is_auto() and not (search.explores or cut.needs <= offers):
            cut = registry.CUTS[registry.FROM_COUNTS]()
        engine.check_fit(measure, search, cut, offers)
        self._seed(measure, search, cut)
        X, weights = self._check_table(X), None
        if sample_weight is not None:
            weights = weights_of(sample_weight, X, measure, cut, self.binning)
        names, given = self._names_in(), self.fixed_features
        fixed = [] if given is None else column_indices(given, names, "fixed_features")
        request = self._request(measure, search, cut, names, len(fixed))
        with (
            Threads(self.n_jobs) as threads,
            open_table(X, y, request, threads, weights, groups) as table,
            self._listener(names) as progress,
        ):
            selection = engine.select(
                table, measure, search, cut, fixed=fixed and table.units.of(fixed), threads=threads,
                progress=progress,
            )  # fmt: skip
            selected = selection.order.tolist()
            are_asked_for = len(selected) == len(selection.names) and isinstance(cut, Count | Share)
            if table.encodings and not are_asked_for:
                _warn_of_columns(selected, selection, table)
        if measure.zero_is_unused and not are_asked_for:
            _warn_of_unused(selection, type(measure).__name__)
        _warn_of_notes(selection.notes, selected, are_asked_for, hasattr(self, "feature_names_in_"))
        self._learn(selection)
        if self._keep_table is not None:
            self._keep_table(table)

    def _is_auto(self) -> bool:
        """Whether the number of columns was left open, not the rule that finds it."""
        asked_for = (getattr(self, "cut", None), getattr(self, "n_features", None))
        return any(isinstance(name, str) and name.lower() == "auto" for name in asked_for)

    def _request(
        self, measure: Measure, search: Search[Any], cut: Cut, names: Sequence[str], n_fixed: int
    ) -> Request:
        """What the parts ask of a table."""
        groups = self.feature_groups
        return Request(
            caller=type(self).__name__,
            needs=measure.needs | cut.needs,
            needs_target=measure.needs_target,
            uses_target=measure.uses_target or cut.uses_target,
            needs_joint=cut.uses_target,
            semi_supervised=measure.semi_supervised,
            scaling=measure.distance_scaling if Need.DISTANCES in measure.needs else "range",
            rules=self._rules,
            target=self.target,
            unlabelled=self.unlabelled,
            sums_targets=measure.uses_target and self.multioutput == "sum",
            names=names,
            groups=None if groups is None else column_groups(groups, names),
            n_picks=_number_of_picks(measure, search, cut, len(names), n_fixed),
        )

    def held_out_risk(
        self,
        X: Any,
        y: Any,
        *,
        folds: int = 5,
        random_state: Any = 0,
        cv: Any = None,
        groups: Any = None,
    ) -> HeldOutRisk:
        """Bayes risk and H(y|S) of the selected columns S on held-out rows.

        The rows are split into folds. The same number of columns is selected on all but one of them, and the
        joint levels of the first 1, 2, ... columns predict the classes of the held-out rows. That takes one
        fit per fold.

        Parameters
        ----------
        X, y : the table and the target of `fit`
        folds : int, default=5
            Number of folds, stratified by class.
        random_state : int, RandomState instance or None, default=0
            Seed of the folds.
        cv : splitter or iterable of splits, default=None
            Other folds, as in `sklearn.model_selection.cross_val_score`.
        groups : array-like of shape (n_samples,), default=None
            What each row belongs to; folds keep rows of a group together.

        Returns
        -------
        risk : HeldOutRisk
            Risk and entropy with standard errors, and in-sample.

        Examples
        --------
        >>> import entropick as ep
        >>> X, y = ep.datasets.make_corral(random_state=0)
        >>> risk = ep.RenyiFS(n_features=5, alpha=1).fit(X, y).held_out_risk(X, y)
        >>> print(risk.counted_risk[-1], risk.risk[-1] > 0)
        0.0 True
        """
        check_is_fitted(self)
        X, y = named_parts(X, y)
        rng = np.random.default_rng(drawn_seed(random_state))
        return risk_of(self, X, one_dimensional(y), folds, rng, cv, groups)

    def _seed(self, *parts: BaseEstimator) -> None:
        """Give parts without a seed of their own independent streams of random numbers.

        Without a random_state, only repeatable parts get one: that of random_state=0, so that the program,
        whose seed is 0, and the library give the same answer.
        """
        is_seeded = self.random_state is not None
        unseeded = [
            place
            for place, part in enumerate(parts)
            if getattr(part, "random_state", 0) is None
            and (is_seeded or getattr(part, "is_repeatable", False))
        ]
        entropy = self.random_state if is_seeded else 0
        if not isinstance(entropy, int | np.integer):  # drawn also if no part needs it
            entropy = drawn_seed(entropy)
        if unseeded:
            seeds = seeds_of_parts(entropy)
            for place in unseeded:
                parts[place].set_params(random_state=seeds[place])

    def _takes_missing_labels(self) -> bool:
        """Whether some rows may be without a label."""
        return self._parts()[0].semi_supervised


class WeightedSelector(PartsSelector):
    """Base of selectors that count, so that rows may have weights."""

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Select columns of X that are informative about y.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Numbers, categories, strings, booleans and times, with missing values. Dask collections, files
            passed as `entropick.scan` and tables of `entropick.partitioned` stay where they are.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), or str
            Classes of any type, or real values; may be omitted if the measure does not use it. Of a table
            with column names also the name of a column, which is then not among the features.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts. Whole numbers give the result of the table with its rows repeated, bit
            for bit. If any has a fraction, only their ratios matter. Rows of weight 0 are left out.
        groups : array-like of shape (n_samples,), default=None
            What each row belongs to, such as a patient. Where rows are split or shuffled ("auto",
            "permutation"), rows of a group stay together; None takes rows as independent.

        Returns
        -------
        self : object
            The fitted selector.
        """
        try:
            self._fit(X, y, sample_weight, groups)
        except DataError as error:
            if sample_weight is not None:
                error.add_note("With sample_weight, rows of X and y are numbered after they were repeated.")
            raise
        return self

    @if_pairs_are_enough
    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, *, edges: Any = None) -> Self:
        """Count a batch of rows, and select from the counts of all batches so far.

        The batches may come in any order: the result is that of all their rows with the same levels, bit for
        bit. Only counts of pairs of columns are kept, in ``cube_``. `fit` starts afresh.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            A batch of rows in memory.
        y : array-like of shape (n_samples,), or str
            Its target, or the name of a column.
        classes : array-like, default=None
            All classes that may come; by default those of the first batch. Ignored in later batches.
        edges : Cube or Sketches, default=None
            Whose levels, edges and classes to use; by default those of the first batch. Numbers beyond fall
            into the outer levels; a category or class that is not among them is an error. Ignored in later
            batches.

        Returns
        -------
        self : object
            The fitted selector.
        """
        before = self.__dict__.copy()
        cube = count_batch(self, X, y, classes, edges)
        has_names = hasattr(self, "feature_names_in_")
        try:
            self._fit(cube, None)
        except BaseException:  # also if interrupted: earlier batches stay counted
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        if not has_names:
            del self.feature_names_in_
        self.cube_ = cube
        return self


class MethodSelector(PartsSelector):
    """Base of the selectors of methods: a measure, a search, and a cut given by `n_features`."""

    n_features: float | str | Cut | None

    @abstractmethod
    def _make_measure(self) -> Measure:
        """Make the measure with the selector's parameters; its seed is set in `fit`."""

    @abstractmethod
    def _make_search(self) -> Search[Any]:
        """Make the search, likewise."""

    def _own_cut(self) -> Cut | None:
        """What n_features="auto" means; None for the usual cut of the parts."""
        return None

    def _parts(self, has_target: bool = True) -> tuple[Measure, Search[Any], Cut]:
        measure, search, own_cut = self._make_measure(), self._make_search(), self._own_cut()
        wanted = self.n_features
        if isinstance(wanted, bool):  # which scikit-learn accepts as a whole number
            raise TypeError(
                f"n_features must be a number of columns, a share, the name of a rule or None, got {wanted}."
            )
        if own_cut is None or wanted not in (None, "auto"):
            own_cut = registry.resolve_cut(wanted, measure, search, has_target)
        return measure, search, own_cut

    def _given_size(self) -> float | None:
        """The requested number or share of columns, for measures that need it; None for a rule."""
        wanted = self.n_features
        if isinstance(wanted, Count):
            return wanted.n or DEFAULT
        if isinstance(wanted, Share):
            return wanted.share
        return None if isinstance(wanted, str | Cut) else wanted


class WeightedMethod(WeightedSelector, MethodSelector):
    """Base of the selectors of methods based on counts, which support weights of rows."""


def fit_keeping_table(selector: BaseSelector, X: Any, y: Any, groups: Any = None) -> Table | None:
    """Fit a selector; returns the table of the fit, or None if it made several.

    What describes the result then need not encode X and y again.
    """
    options = {} if groups is None else {"groups": groups}
    if not isinstance(selector, PartsSelector):
        selector.fit(X, y, **options)
        return None
    kept: list[Table] = []
    selector._keep_table = kept.append
    try:
        selector.fit(X, y, **options)
    finally:
        del selector._keep_table
    return next(iter(kept), None)


def _warn_of_notes(
    notes: Iterable[Note], selected: Sequence[int], are_asked_for: bool, has_names: bool
) -> None:
    """Name the columns that are hardly an answer in one warning.

    Constants are reported only if they are selected. In tables without column names, where copies and
    numbered rows are common, so are all other columns, except copies of the target. If all columns were asked
    for, only copies of the target are reported.
    """
    reported = [
        note
        for note in notes
        if note.kind == TARGET
        or (not are_asked_for and note.kind in (CONSTANT, IDENTIFIER) and note.column in selected)
        or (not are_asked_for and note.kind != CONSTANT and has_names)
    ]
    if reported:
        sentences = " ".join(note.sentence for note in reported[:MAX_NOTES])
        more = f" {len(reported) - MAX_NOTES} more are in selection_.notes." * (len(reported) > MAX_NOTES)
        warn_user(f"{sentences}{more} Hint: drop such columns.", ColumnWarning)


def _warn_of_levels(columns: Mapping[int, ColumnEncoding], by_chance: Set[int], n_rows: int) -> None:
    """Warn if texts of columns differ in most rows, or if columns fit y by chance."""
    messages = []
    for j, column in columns.items():
        if column.kind == "category" and column.n_levels > IDENTIFIER_SHARE * n_rows >= MIN_NAMES:
            messages.append(
                Message(
                    f"Column {column.name!r} looks like an identifier: it has {column.n_levels} different "
                    f"values in {n_rows} rows. Hint: ",
                    DROP_IT,
                    ", or use BayesianEntropyFS, which is not misled by it.",
                )
            )
        elif j in by_chance:
            messages.append(
                Message(
                    f"Column {column.name!r} has {column.n_levels} levels and scores no better than chance "
                    "gives that many levels. Hint: ",
                    DROP_IT,
                    ", merge rare levels, or use ",
                    Hint("correction", "adjusted"),
                    " where the method has it.",
                )
            )
    if messages:
        warn_user(Message.joined(messages))


def _warn_of_columns(selected: Sequence[int], selection: Selection, table: Table) -> None:
    """Warn if selected columns look like identifiers, or fit y by chance."""
    known = {note.column for note in selection.notes}
    n_levels = table.units.per_column(table.column_counts.n_levels)
    columns = {j: table.encodings[j] for j in selected if n_levels[j] >= MIN_NAMES and j not in known}
    if not columns:
        return
    # a criterion without chance has passed over columns of chance as long as there were others
    is_adjusted = selection.settings["measure"]["parameters"].get("correction") == "adjusted"
    many = [j for j, column in columns.items() if column.n_levels >= MANY_LEVELS]
    by_chance = set() if is_adjusted or not many else columns_of_chance(table) & set(many)
    _warn_of_levels(columns, by_chance, selection.n_rows)


def _warn_of_unused(selection: Selection, method: str) -> None:
    """Warn if a number of columns was asked for that only columns without a weight can fill."""
    n_unused = sum(step.score == 0 and not step.fixed for step in selection.steps[: len(selection.order)])
    if n_unused:
        warn_user(
            Message(
                f"{method} gives no weight to {n_unused} of the {len(selection.order)} selected columns, "
                "which are the first such columns of the table. Hint: keep only those with a weight, by ",
                Hint("n_features", "threshold"),
                ".",
            )
        )


def _number_of_picks(
    measure: Measure, search: Search[Any], cut: Cut, n_columns: int, n_fixed: int
) -> int | None:
    """Columns picked at most, where counts alone decide step by step and only their number ends it."""
    by_counts = "step" in measure.kinds and measure.needs <= COUNTED and not measure.learns
    if not by_counts or type(search) not in (Forward, Ranking) or not isinstance(cut, Count | Share):
        return None
    wanted = cut.share * n_columns + 1 if isinstance(cut, Share) else cut.n or DEFAULT
    return max(n_fixed, min(int(wanted), n_columns))
