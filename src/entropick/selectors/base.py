"""What all selectors share: data in, parts resolved, the engine run, scikit-learn's contract kept."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from entropick import engine, registry
from entropick._base.compat import fit_context
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.cuts import Count, Cut, Share
from entropick.cuts.count import DEFAULT
from entropick.evaluation.risk import HeldOutRisk
from entropick.exceptions import ColumnTypeError, DataError
from entropick.measures import Measure
from entropick.measures.pairs.relevance import columns_of_chance
from entropick.records.selection import Selection
from entropick.searches import Forward, Ranking, Search
from entropick.selectors.columns import column_groups, column_indices
from entropick.selectors.held_out import risk_of
from entropick.selectors.progress import show_line
from entropick.selectors.transform import TableTransformer
from entropick.selectors.weights import refusing_weights, weights_of
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import one_dimensional
from entropick.table.notes import warn_of_levels, warn_of_notes
from entropick.table.open import (
    Request,
    is_elsewhere,
    kind_of_table,
    named_parts,
    open_table,
)
from entropick.table.readers.checks import check_container
from entropick.table.readers.inputs import (
    as_frame,
    default_names,
    frame_names,
    is_frame,
    is_lazy,
    plain_array,
)
from entropick.table.table import Table

MANY_LEVELS = 50  # a column with at least this many levels is compared with what chance gives it


class BaseSelector(TableTransformer, BaseEstimator):
    """Base of all selectors: tables and names checked, what a fit found, and tables reduced to it.

    A selector has only the parameters it uses. `_LACKED` has the values of shared parameters that it lacks.
    """

    _parameter_constraints: ClassVar[dict[str, Any]]
    _requires_target: ClassVar[bool] = True

    _LACKED: ClassVar[dict[str, Any]] = {
        "fixed_features": None,
        "feature_groups": None,
        "n_bins": "auto",
        "binning": "quantile",
        "missing": "level",
        "target": "auto",
        "unlabelled": None,
        "multioutput": "joint",
        "random_state": None,
    }
    n_jobs: int | None
    progress: bool | Callable[..., None] | None

    def _names_in(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        return list(default_names(self.n_features_in_)) if names is None else names.tolist()

    def _given(self, name: str) -> Any:
        """A parameter that all selectors share; its default where this one has no use for it."""
        return getattr(self, name, self._LACKED[name])

    def _learn(self, selection: Selection) -> None:
        """Set the fitted attributes."""
        self.selection_ = selection
        self.order_ = order = selection.order
        self.ranking_ = selection.ranking
        self.scores_ = selection.scores
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[order] = True
        self.n_features_ = len(order)
        for name, value in selection.learned.items():
            setattr(self, f"{name}_", value)
        if selection.exploration is not None:
            self.front_ = selection.exploration.front
            self.history_ = selection.exploration.history
            self.equivalents_ = self.front_.equivalents_of(self.support_)

    def _check_table(self, X: Any) -> Any:
        """Check shape and names of X; dataframes stay what they are."""
        if is_elsewhere(X):
            self._check_collection(X, reset=True)
            return X
        if is_lazy(X):
            validate_data(self, X.head(0).collect(), skip_check_array=True)
            return X
        if is_frame(X):
            self._check_names(X)
            return X
        if isinstance(X, list | tuple | np.ma.MaskedArray):
            X = plain_array(X)
        if type(X) is not np.ndarray or X.dtype.kind not in "biuf" or X.ndim != 2:
            check_container(X)
        return validate_data(self, X, accept_sparse=True, dtype=None, ensure_all_finite=False)

    def _check_names(self, X: Any) -> None:
        """Take the names of a dataframe as scikit-learn does, which would need a microsecond per column."""
        names = frame_names(X)
        if set(map(type, names)) == {str}:
            self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
            return
        try:
            validate_data(self, X, skip_check_array=True)
        except nw.exceptions.DuplicateError:
            as_frame(X)  # says it better
            raise
        except TypeError:
            kinds = sorted({type(name).__name__ for name in names})
            raise ColumnTypeError(
                f"Names of columns must all be strings, got some of type {' and '.join(kinds)}. Hint: "
                "X.columns = X.columns.astype(str)."
            ) from None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._requires_target
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self._given("missing") == "level"
        return tags


class PartsSelector(BaseSelector):
    """A selector made of a measure, a search and a cut, which a subclass names in `_parts`."""

    _keep_table: Callable[[Table], None] | None = None  # takes the table of a fit

    @abstractmethod
    def _parts(self, has_target: bool = True) -> tuple[Measure, Search, Cut]:
        """The measure, search and cut to use, fresh ones."""

    @refusing_weights
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
        X, y = named_parts(X, y)
        measure, search, cut = self._parts(y is not None)
        offers = kind_of_table(X).offers
        if self._is_auto() and not (search.explores or cut.needs <= offers):
            cut = registry.CUTS[registry.FROM_COUNTS]()
        engine.check_fit(measure, search, cut, offers)
        self._seed(measure, search, cut)
        X, weights = self._check_table(X), None
        if sample_weight is not None:
            weights = weights_of(sample_weight, X, measure, cut, self._given("binning"))
        names, fixed = self._names_in(), self._given("fixed_features")
        fixed = [] if fixed is None else column_indices(fixed, names, "fixed_features")
        request = self._request(measure, search, cut, names, len(fixed))
        with Threads(self.n_jobs) as threads, open_table(X, y, request, threads, weights, groups) as table:
            selection = engine.select(
                table, measure, search, cut, fixed=fixed and table.units.of(fixed), threads=threads,
                progress=show_line if self.progress is True else self.progress or None,
            )  # fmt: skip
            are_asked_for = len(selection.order) == len(selection.names) and isinstance(cut, Count | Share)
            if table.encodings and not are_asked_for:
                _warn_of_columns(selection, table)
        has_names = hasattr(self, "feature_names_in_")
        warn_of_notes(selection.notes, selection.order.tolist(), are_asked_for, has_names)
        self._learn(selection)
        if self._keep_table is not None:
            self._keep_table(table)

    def _is_auto(self) -> bool:
        """Whether the number of columns was left open, not the rule that finds it."""
        asked_for = (getattr(self, "cut", None), getattr(self, "n_features", None))
        return any(isinstance(name, str) and name.lower() == "auto" for name in asked_for)

    def _request(
        self, measure: Measure, search: Search, cut: Cut, names: Sequence[str], n_fixed: int
    ) -> Request:
        """What the parts ask of a table."""
        groups = self._given("feature_groups")
        return Request(
            caller=type(self).__name__,
            needs=measure.needs | cut.needs,
            needs_target=measure.needs_target,
            uses_target=measure.uses_target or cut.uses_target,
            needs_joint=cut.uses_target,
            semi_supervised=measure.semi_supervised,
            scaling=measure.distance_scaling if Need.DISTANCES in measure.needs else "range",
            rules=self._rules,
            target=self._given("target"),
            unlabelled=self._given("unlabelled"),
            sums_targets=measure.uses_target and self._given("multioutput") == "sum",
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
        rng = np.random.default_rng(check_random_state(random_state).randint(np.iinfo(np.int32).max))
        return risk_of(self, X, one_dimensional(y), folds, rng, cv, groups)

    def _rules(self, count: Callable[[], int]) -> Rules:
        """How values of a table become levels; its rows are counted where their number matters."""
        n_bins = self._given("n_bins")
        others = self._given("binning"), self._given("missing")
        return Rules.for_rows(count(), *others) if n_bins == "auto" else Rules(n_bins, *others)

    def _target_kind(self) -> str:
        """Whether the target holds classes or real values, or "auto"."""
        return str(self._given("target"))

    def _seed(self, *parts: BaseEstimator) -> None:
        """Give parts without a seed of their own independent streams of random numbers.

        Without a random_state, only repeatable parts get one: that of random_state=0, so that the program,
        whose seed is 0, and the library give the same answer.
        """
        entropy = self._given("random_state")
        is_seeded = entropy is not None
        entropy = entropy if is_seeded else 0
        if not isinstance(entropy, int | np.integer):
            entropy = check_random_state(entropy).randint(np.iinfo(np.int32).max)
        for part, stream in zip(parts, np.random.SeedSequence(int(entropy)).spawn(len(parts)), strict=True):
            needs_seed = part.get_params(deep=False).get("random_state", 0) is None
            if needs_seed and (is_seeded or getattr(part, "is_repeatable", False)):
                part.set_params(random_state=int(stream.generate_state(1)[0]))

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


def _warn_of_columns(selection: Selection, table: Table) -> None:
    """Warn if selected columns look like identifiers, or fit y by chance."""
    known = {note.column for note in selection.notes}
    columns = {j: selection.encodings[j] for j in selection.order.tolist() if j not in known}
    is_tested = any(step.gain is not None for step in selection.kept)  # chance is marked in the record
    many = [j for j, column in columns.items() if column.n_levels >= MANY_LEVELS]
    by_chance = set() if is_tested or not many else columns_of_chance(table) & set(many)
    warn_of_levels(columns, by_chance, selection.n_rows)


def _number_of_picks(measure: Measure, search: Search, cut: Cut, n_columns: int, n_fixed: int) -> int | None:
    """Columns picked at most, where counts alone decide step by step and only their number ends it."""
    by_counts = "step" in measure.kinds and measure.needs == {Need.COUNTS} and not measure.learns
    if not by_counts or type(search) not in (Forward, Ranking) or not isinstance(cut, Count | Share):
        return None
    wanted = cut.share * n_columns + 1 if isinstance(cut, Share) else cut.n or DEFAULT
    return max(n_fixed, min(int(wanted), n_columns))
