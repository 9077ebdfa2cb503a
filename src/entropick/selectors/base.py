"""What all selectors share: data in, parts resolved, the engine run, scikit-learn's contract kept."""

import functools
import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse
import scipy.stats
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from entropick import engine
from entropick._base.compat import Method, fit_context, output_container
from entropick._base.threads import Threads
from entropick._kernels.logarithms import plogp
from entropick.contracts import Need
from entropick.cuts import Count, Cut, Share
from entropick.cuts.count import DEFAULT
from entropick.evaluation.risk import HeldOutRisk
from entropick.exceptions import DROP_IT, ColumnTypeError, ColumnWarning, DataError, Hint, Message, warn_user
from entropick.measures import Measure
from entropick.measures.pairs.relevance import relevances
from entropick.records.selection import Selection
from entropick.searches import Forward, Ranking, Search
from entropick.selectors.columns import column_groups, column_indices
from entropick.selectors.held_out import risk_of
from entropick.selectors.progress import show_line
from entropick.selectors.weights import weights_of
from entropick.table.codes import ColumnEncoding
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import one_dimensional
from entropick.table.notes import CONSTANT, IDENTIFIER, TARGET
from entropick.table.open import (
    IDENTIFIER_SHARE,
    MIN_NAMES,
    Request,
    is_elsewhere,
    kind_of_table,
    named_parts,
    open_table,
    stays_in_database,
)
from entropick.table.readers.checks import check_container
from entropick.table.readers.inputs import (
    as_frame,
    default_names,
    frame_names,
    frame_values,
    is_frame,
    is_lazy,
    lazy_columns,
    plain_array,
)
from entropick.table.table import Table

MAX_NOTES = 20  # notes in a warning
MANY_LEVELS = 50  # a column with at least this many levels is compared with what chance gives it,
CHANCE_MARGIN = 1.2  # and is said to be no better up to this multiple of it
LARGE_LEVEL = 1000  # rows of a level, from which the expected entropy within it has a simple formula


class BaseSelector(SelectorMixin, BaseEstimator):
    """Base of all selectors: tables and names checked, what a fit found, and tables reduced to it.

    A selector has only the parameters it uses. The values below stand for shared parameters that it lacks.
    """

    _parameter_constraints: ClassVar[dict[str, Any]]
    _requires_target: ClassVar[bool] = True

    fixed_features: Sequence[str | int] | None = None
    feature_groups: Any = None
    n_bins: int | str = "auto"
    binning: str = "quantile"
    missing: str = "level"
    target: str = "auto"
    unlabelled: int | str | None = None
    multioutput: str = "joint"
    random_state: Any = None
    n_jobs: int | None
    progress: bool | Callable[..., None] | None

    def _names_in(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        return list(default_names(self.n_features_in_)) if names is None else names.tolist()

    def _given(self, name: str) -> Any:
        """A parameter that all selectors share; its default where this one has no use for it."""
        return getattr(self, name)

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

    def _check_collection(self, X: Any, reset: bool) -> None:
        """Check names and number of columns of a collection without reading its values."""
        if not hasattr(X, "_meta"):
            raise DataError(
                f"X must be a Dask dataframe or array, got {type(X).__name__}. Hint: pass its data."
            )
        has_names = hasattr(X, "columns")
        if not has_names and len(getattr(X, "shape", ())) != 2:
            raise DataError(
                f"The table must have two dimensions (rows and columns), got {len(getattr(X, 'shape', ()))}."
            )
        validate_data(
            self, X._meta if has_names else np.empty((1, X.shape[1])), skip_check_array=True, reset=reset
        )

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

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected columns, in the order they have in X.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        X_selected : the selected columns; a dataframe with its own types where `set_output` asks
            for one, else an array or sparse matrix; a lazy frame stays lazy, and so does a Dask collection
        """
        check_is_fitted(self)
        container, columns = output_container(self), self.get_support(indices=True)
        if stays_in_database(X):
            table, _ = named_parts(X, None)
            self._check_collection(table, reset=False)
            chosen = table.select(table.columns[j] for j in columns)
            return chosen if table is X else chosen.to_native()
        if is_elsewhere(X):
            self._check_collection(X, reset=False)
            return X[:, columns] if not hasattr(X, "columns") else X[[X.columns[j] for j in columns]]
        if is_lazy(X):
            validate_data(self, X.head(0).collect(), skip_check_array=True, reset=False)
            names = X.collect_schema().names()
            X = lazy_columns(X, [names[j] for j in columns])
            return X if container == "default" else _in_container(nw.from_native(X.collect()), container)
        frame = as_frame(X)
        if frame is None:
            check_container(X)
            X = validate_data(self, X, accept_sparse=True, dtype=None, ensure_all_finite=False, reset=False)
            return self._transform(X.tocsr() if scipy.sparse.issparse(X) else X)
        validate_data(self, X, skip_check_array=True, reset=False)
        if len(columns):
            return _in_container(frame[:, columns.tolist()], container)
        if container == "default":  # most dataframes without columns have no rows either
            return np.empty((len(frame), 0))
        return _in_container(frame.drop(frame.columns), container)

    if TYPE_CHECKING:  # scikit-learn's has no types

        def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self: ...

    def inverse_transform(self, X: Any) -> Any:
        """Put the selected columns back in place, with zeros elsewhere.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_selected_features)

        Returns
        -------
        X_original : array or sparse matrix of shape (n_samples, n_features)
        """
        with config_context(assume_finite=True):  # missing values went in, they may come back
            return super().inverse_transform(X)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._requires_target
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self._given("missing") == "level"
        return tags


def _refusing_weights(fit: Method) -> Method:
    """Say what to do about weights that a method does not take; the signature stays without them."""

    @functools.wraps(fit)
    def checked(self: BaseSelector, *args: Any, **options: Any) -> Any:
        if "sample_weight" in options:
            raise TypeError(
                f"{type(self).__name__} takes no sample_weight, because it does more than count levels. "
                "Hint: use a method that counts, such as JMI, or repeat the rows of X and y (among "
                "distances, copies of a row are its nearest rows)."
            )
        return fit(self, *args, **options)

    return cast(Method, checked)


class PartsSelector(BaseSelector):
    """A selector made of a measure, a search and a cut, which a subclass names in `_parts`."""

    @abstractmethod
    def _parts(self, has_target: bool = True) -> tuple[Measure, Search, Cut]:
        """The measure, search and cut to use, fresh ones."""

    @_refusing_weights
    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Select columns of X that are informative about y.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Numbers, categories, strings, booleans and times, with missing values. Dask collections, files
            passed as `entropick.scan` and tables of `entropick.partitioned` stay where they are.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Classes of any type, or real values; may be omitted if the measure does not use it.

        Returns
        -------
        self : object
            The fitted selector.
        """
        self._fit(X, y)
        return self

    @np.errstate(divide="warn", over="warn", under="ignore", invalid="warn")  # whatever the caller has set
    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> "PartsSelector":
        """Select columns of X informative about y; weights say how often a row counts."""
        X, y = named_parts(X, y)
        measure, search, cut = self._parts(y is not None)
        engine.check_fit(measure, search, cut, kind_of_table(X).offers)
        self._seed(measure, search, cut)
        X, weights = self._check_table(X), None
        if sample_weight is not None:
            weights = weights_of(sample_weight, X, measure, cut, self._given("binning"))
        names, fixed = self._names_in(), self._given("fixed_features")
        fixed = [] if fixed is None else column_indices(fixed, names, "fixed_features")
        request = self._request(measure, search, cut, names, len(fixed))
        with Threads(self.n_jobs) as threads, open_table(X, y, request, threads, weights) as table:
            selection = engine.select(
                table, measure, search, cut, fixed=fixed and table.units.of(fixed), threads=threads,
                progress=show_line if self.progress is True else self.progress or None,
            )  # fmt: skip
            if table.encodings:
                _warn_of_columns(selection, table, cut)
        _warn_of_notes(selection, cut, hasattr(self, "feature_names_in_"))
        self._learn(selection)
        return self

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
            rules=self.rules,
            target=self._given("target"),
            unlabelled=self._given("unlabelled"),
            sums_targets=measure.uses_target and self._given("multioutput") == "sum",
            names=names,
            groups=None if groups is None else column_groups(groups, names),
            n_picks=_number_of_picks(measure, search, cut, len(names), n_fixed),
        )

    def held_out_risk(self, X: Any, y: Any, *, folds: int = 5, random_state: Any = 0) -> HeldOutRisk:
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
        return risk_of(self, X, one_dimensional(y), folds, check_random_state(random_state))

    def rules(self, count: Callable[[], int]) -> Rules:
        """How values of a table become levels; its rows are counted where their number matters."""
        n_bins = self._given("n_bins")
        others = self._given("binning"), self._given("missing")
        return Rules.for_rows(count(), *others) if n_bins == "auto" else Rules(n_bins, *others)

    def target_kind(self) -> str:
        """Whether the target holds classes or real values, or "auto"."""
        return str(self._given("target"))

    def _seed(self, *parts: BaseEstimator) -> None:
        """Give parts without a seed of their own independent streams of random numbers.

        Without a random_state, only repeatable parts get one: that of random_state=0, so that the program,
        whose seed is 0, and the library give the same answer.
        """
        is_seeded = self._given("random_state") is not None
        entropy = self.random_state if is_seeded else 0
        if not isinstance(entropy, int | np.integer):
            entropy = check_random_state(entropy).randint(np.iinfo(np.int32).max)
        for part, stream in zip(parts, np.random.SeedSequence(int(entropy)).spawn(len(parts)), strict=True):
            needs_seed = part.get_params(deep=False).get("random_state", 0) is None
            if needs_seed and (is_seeded or getattr(part, "is_repeatable", False)):
                part.set_params(random_state=int(stream.generate_state(1)[0]))

    def takes_missing_labels(self) -> bool:
        """Whether some rows may be without a label."""
        return self._parts()[0].semi_supervised


class WeightedSelector(PartsSelector):
    """Base of selectors that count, so that rows may have weights."""

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Select columns of X that are informative about y.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Numbers, categories, strings, booleans and times, with missing values. Dask collections, files
            passed as `entropick.scan` and tables of `entropick.partitioned` stay where they are.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Classes of any type, or real values; may be omitted if the measure does not use it.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts. Whole numbers give the result of the table with its rows repeated, bit
            for bit. If any has a fraction, only their ratios matter. Rows of weight 0 are left out.

        Returns
        -------
        self : object
            The fitted selector.
        """
        try:
            self._fit(X, y, sample_weight)
        except DataError as error:
            if sample_weight is not None:
                error.add_note("With sample_weight, rows of X and y are numbered after they were repeated.")
            raise
        return self


def _number_of_picks(measure: Measure, search: Search, cut: Cut, n_columns: int, n_fixed: int) -> int | None:
    """Columns picked at most, where counts alone decide step by step and only their number ends it."""
    by_counts = "step" in measure.kinds and measure.needs == {Need.COUNTS} and not measure.learns
    if not by_counts or type(search) not in (Forward, Ranking) or not isinstance(cut, Count | Share):
        return None
    wanted = cut.share * n_columns + 1 if isinstance(cut, Share) else cut.n or DEFAULT
    return max(n_fixed, min(int(wanted), n_columns))


def _in_container(frame: nw.DataFrame[Any], container: str) -> Any:
    """A dataframe as what `set_output` asks for."""
    if container == "pandas":
        return frame.to_native() if frame.implementation.is_pandas() else frame.to_pandas()
    return frame.to_polars() if container == "polars" else frame_values(frame)


def _warn_of_notes(selection: Selection, cut: Cut, has_names: bool) -> None:
    """Name the columns that are hardly an answer in one warning.

    Constants are reported only if they are selected. In tables without column names, where copies and
    numbered rows are common, so are all other columns, except copies of the target. If all columns were asked
    for, only copies of the target are reported.
    """
    selected = set(selection.order.tolist())
    all_asked_for = len(selected) == len(selection.names) and isinstance(cut, Count | Share)
    notes = [
        note
        for note in selection.notes
        if note.kind == TARGET
        or (not all_asked_for and note.kind in (CONSTANT, IDENTIFIER) and note.column in selected)
        or (not all_asked_for and note.kind != CONSTANT and has_names)
    ]
    if notes:
        sentences = " ".join(note.sentence for note in notes[:MAX_NOTES])
        more = f" {len(notes) - MAX_NOTES} more are in selection_.notes." * (len(notes) > MAX_NOTES)
        warn_user(f"{sentences}{more} Hint: drop such columns.", ColumnWarning)


def _warn_of_columns(selection: Selection, table: Table, cut: Cut) -> None:
    """Say so where selected columns have texts that differ in most rows, or fit y by chance."""
    order = selection.order.tolist()
    if len(order) == len(selection.names) and isinstance(cut, Count | Share):
        return  # all were asked for
    known = {note.column for note in selection.notes}
    columns = {j: selection.encodings[j] for j in order if j not in known}
    tested = any(step.gain is not None for step in selection.kept)  # such columns are marked in the record
    by_chance = set() if tested else _levels_of_chance(columns, table)
    messages = []
    for j, column in columns.items():
        if column.kind == "category" and column.n_levels > IDENTIFIER_SHARE * selection.n_rows >= MIN_NAMES:
            messages.append(
                Message(
                    f"Column {column.name!r} looks like an identifier: it has {column.n_levels} different "
                    f"values in {selection.n_rows} rows. Hint: ",
                    DROP_IT,
                    ", or use BayesianEntropyFS, which sees through it.",
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


def _levels_of_chance(columns: dict[int, ColumnEncoding], table: Table) -> set[int]:
    """Selected columns of many levels whose I(f;y) is about what a column independent of y would have."""
    many = {j: column.n_levels for j, column in columns.items() if column.n_levels >= MANY_LEVELS}
    if not many or table.n_columns < len(table.units.columns) or not table.has_target:
        return set()
    found = relevances(table.column_counts)
    return {j for j, n_levels in many.items() if found[j] < CHANCE_MARGIN * _bits_of_chance(n_levels, table)}


def _bits_of_chance(n_levels: int, table: Table) -> float:
    """Expected I(f;y), from counts, of a column of levels of equal size that is independent of y.

    A level of m rows has Binomial(m, share) rows of each class. The usual formula (see `LARGE_LEVEL`)
    is too small where levels have few rows.
    """
    size = max(1, round(table.n_rows / n_levels))
    shares = table.column_counts.class_sizes / table.n_rows
    shares = shares[shares > 0]
    if size > LARGE_LEVEL:
        return float((len(shares) - 1) / (2 * size * math.log(2)))
    within = np.arange(size + 1) / size
    surprise = -plogp(within)
    rows = scipy.stats.binom.pmf(np.arange(size + 1), size, shares[:, None])
    return float(-plogp(shares).sum() - (rows @ surprise).sum())
