"""What all selectors share: data in, parts resolved, the engine run, scikit-learn's contract kept."""

import warnings
from abc import abstractmethod
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from entropick import engine, registry
from entropick._compat import Interval, RealNotInt, StrOptions, fit_context, output_container
from entropick.cuts import Cut
from entropick.exceptions import SelectionWarning
from entropick.measures import Measure
from entropick.progress import resolve_progress
from entropick.records import Selection
from entropick.searches import Search
from entropick.selectors.columns import column_groups, column_indices
from entropick.table import Table, Target, encode
from entropick.table.encode import Rules
from entropick.table.inputs import as_frame, count_rows, frame_values, is_lazy, plain_array
from entropick.table.space import make_space
from entropick.table.target import encode_target
from entropick.table.values import make_values
from entropick.workers import Workers

Part = TypeVar("Part", bound=BaseEstimator)

N_FEATURES = [
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0, 1, closed="right"),
    StrOptions({"auto"}),
    None,
]

COMMON_PARAMETERS = """\
    fixed_features : list of column names or indices, default=None
        Columns to keep from the start; others are judged in their presence. They count as selected.
    groups : list of lists of column names or indices, or dict of such lists, default=None
        Columns that come or go together, such as the columns of a one-hot encoding. A group is
        judged by the joint of its columns and counts as one.
    n_bins : int, default=10
        Levels of a numeric column with more distinct values than that. Other columns keep every
        value as a level.
    binning : {"quantile", "uniform", "mdlp"}, default="quantile"
        How numeric columns are cut: levels of equal frequency, of equal width, or where the classes
        change (Fayyad and Irani; it chooses the number of levels itself).
    missing : {"level", "error"}, default="level"
        Missing values are a level of their own, or are refused.
    target : {"auto", "class", "real"}, default="auto"
        Whether y holds classes, or real values that are cut into `n_bins` classes; "auto" takes
        numbers with a fractional part, and whole numbers of many distinct values, as real.
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers, where a part uses any (the permutation cut).
    n_jobs : int or None, default=None
        Number of threads; -1 for all processors. It never changes the result.
    progress : None, bool or callable, default=None
        True shows a line on stderr; a callable gets each step, the number of steps so far and the
        expected number (or None); searches over subsets show their rounds.
"""

COMMON_ATTRIBUTES = """\
    Attributes
    ----------
    order_ : ndarray of int
        Selected columns, first pick first.
    ranking_ : ndarray of shape (n_features_in_,)
        Rank per column, 1 = best; columns the search did not reach share the next rank.
    scores_ : ndarray of shape (n_features_in_,)
        Score each column had when it was picked; NaN where the method gives none.
    selection_ : Selection
        The full record: every step with score, runner-up, ties and time, and the encoding.
    n_features_ : int
        Number of selected columns.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Names of these columns, where X had names.
"""

IDENTIFIER_SHARE = 0.5  # a column of texts with more levels than this share of the rows names rows


@dataclass(eq=False, repr=False, kw_only=True)
class BaseSelector(SelectorMixin, BaseEstimator):
    """Base of all selectors: a subclass names its parts in `_parts`.

    Selectors are dataclasses so that each parameter is written once: the `__init__` that is made of
    the fields has the explicit signature scikit-learn asks for, and only assigns.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "fixed_features": ["array-like", None],
        "groups": ["array-like", dict, None],
        "n_bins": [Interval(Integral, 2, 65535, closed="both")],
        "binning": [StrOptions({"quantile", "uniform", "mdlp"})],
        "missing": [StrOptions({"level", "error"})],
        "target": [StrOptions({"auto", "class", "real"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
    }

    _requires_target: ClassVar[bool] = True
    _shared_docs: ClassVar[dict[str, str]] = {"common": COMMON_PARAMETERS, "attributes": COMMON_ATTRIBUTES}

    fixed_features: Any = None
    groups: Any = None
    n_bins: int = 10
    binning: str = "quantile"
    missing: str = "level"
    target: str = "auto"
    random_state: Any = None
    n_jobs: int | None = None
    progress: Any = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Fill the shared parts of the docstring in."""
        super().__init_subclass__(**kwargs)
        if cls.__doc__:
            for name, text in cls._shared_docs.items():
                cls.__doc__ = cls.__doc__.replace(f"    %({name})s\n", text)

    @abstractmethod
    def _parts(self) -> tuple[Measure, Search, Cut]:
        """The measure, search and cut to use, fresh ones."""

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> "BaseSelector":
        """Select columns of X that tell about y.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Numbers, categories, texts, booleans and times, with missing values.
        y : array-like of shape (n_samples,)
            Classes of any type, or real values; may be left out where the measure does not look at it.

        Returns
        -------
        self : object
            The fitted selector.
        """
        measure, search, cut = self._parts()
        engine.check_fit(measure, search, cut)
        for part in (measure, search, cut):
            if part.get_params().get("random_state", 0) is None:
                part.set_params(random_state=self.random_state)
        X = self._check_table(X)
        y = self._check_target(X, y, measure)
        rules = Rules(self.n_bins, self.binning, self.missing)
        with Workers(self.n_jobs) as workers:
            target = self._encode_target(y, rules, measure)
            names = getattr(self, "feature_names_in_", None)
            names = None if names is None else [str(name) for name in names]
            table = encode(X, target, rules=rules, names=names, workers=workers).with_source(X)
            if measure.needs_space:
                table = table.with_space(make_space(X, measure.scaling))
            if measure.needs_values:
                table = table.with_values(make_values(X))
            _warn_of_constant_target(table)
            selection = engine.select(
                table,
                measure,
                search,
                cut,
                fixed=column_indices(self.fixed_features, table.names, "fixed_features"),
                groups=column_groups(self.groups, table.names),
                workers=workers,
                progress=resolve_progress(self.progress),
            )
            self._learn(table, selection, workers)
        if not (measure.needs_values or measure.needs_space):
            _warn_of_identifiers(selection)
        return self

    def _learn(self, table: Table, selection: Selection, workers: Workers) -> None:
        """Set the fitted attributes."""
        self.selection_ = selection
        self.order_ = selection.order
        self.ranking_ = selection.ranking
        self.scores_ = selection.scores
        self.n_features_ = len(selection.order)

    def _check_table(self, X: Any) -> Any:
        """Check shape and names of X; dataframes stay what they are."""
        if is_lazy(X):
            validate_data(self, X.head(0).collect(), skip_check_array=True)
            return X
        if as_frame(X) is not None:
            validate_data(self, X, skip_check_array=True)
            return X
        if isinstance(X, list | tuple | np.ma.MaskedArray):
            X = plain_array(X)
        return validate_data(self, X, accept_sparse=True, dtype=None, ensure_all_finite=False)

    def _check_target(self, X: Any, y: Any, measure: Measure) -> Any:
        """Check shape and length of y, which may be None where the measure does not need it."""
        if y is None:
            if measure.needs_target:
                raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
            return None
        y = _one_dimensional(y)
        check_consistent_length(range(count_rows(X)) if is_lazy(X) else X, y)
        return y

    def _encode_target(self, y: Any, rules: Rules, measure: Measure) -> Target | None:
        if y is None:
            return None
        return encode_target(y, kind=self.target, rules=rules, semi_supervised=measure.semi_supervised)

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected columns, in the order they have in X.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)

        Returns
        -------
        X_selected : the selected columns; a dataframe with its own types where `set_output` asks
            for one, else an array or sparse matrix; a lazy frame stays lazy
        """
        check_is_fitted(self)
        container, columns = output_container(self), self.get_support(indices=True)
        if is_lazy(X):
            validate_data(self, X.head(0).collect(), skip_check_array=True, reset=False)
            names = X.collect_schema().names()
            X = X.select([names[j] for j in columns])
            return X if container == "default" else _in_container(nw.from_native(X.collect()), container)
        frame = as_frame(X)
        if frame is None:
            X = validate_data(self, X, accept_sparse=True, dtype=None, ensure_all_finite=False, reset=False)
            return self._transform(X.tocsr() if scipy.sparse.issparse(X) else X)
        validate_data(self, X, skip_check_array=True, reset=False)
        if len(columns):
            return _in_container(frame[:, columns.tolist()], container)
        if container == "default":  # most dataframes without columns have no rows either
            return np.empty((len(frame), 0))
        return _in_container(frame.drop(frame.columns), container)

    def inverse_transform(self, X: Any) -> Any:
        """Put the selected columns back into their places, zeros elsewhere.

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
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.order_] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._requires_target
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self.missing == "level"
        return tags


@dataclass(eq=False, repr=False)
class MethodSelector(BaseSelector):
    """Base of the selectors named after a method: a subclass names the measure.

    The measure takes the selector's parameters of the same names.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **BaseSelector._parameter_constraints,
        "n_features": N_FEATURES,
    }

    _measure: ClassVar[type[Measure]]

    n_features: Any = None

    def _make_measure(self) -> Measure:
        return self._made_of_own_parameters(self._measure)

    def _made_of_own_parameters(self, part: type[Part]) -> Part:
        """A part with the selector's parameters of the same names; its seed is set at fit."""
        shared = set(part._get_param_names()) & set(self._get_param_names()) - {"random_state"}
        return part(**{name: getattr(self, name) for name in shared})

    def _parts(self) -> tuple[Measure, Search, Cut]:
        measure = self._make_measure()
        search = registry.resolve_search(None, measure)
        return measure, search, registry.resolve_cut(self.n_features, measure, search)


@dataclass(eq=False, repr=False)
class FeatureSelector(BaseSelector):
    """Select features by any measure, any search and any cut.

    Parameters
    ----------
    measure : str or Measure, default="jmi"
        How good a column is: a name of `entropick.registry.MEASURES` or an object of
        `entropick.measures`.
    search : str, Search or None, default=None
        How to walk the subsets: "forward", "ranking", "nsga2", "cross_entropy", "swarm" or an object of
        `entropick.searches`; None for the measure's usual search.
    cut : int, float, str, Cut or None, default=None
        How many to keep: a number of columns, a share in (0, 1], "auto" for the measure's own rule,
        another name of `entropick.registry.CUTS`, an object of `entropick.cuts`, or None for 10
        (all where X has fewer) or, for searches over subsets, their own rule.
    %(common)s

    %(attributes)s

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FeatureSelector
    >>> X, y = load_wine(return_X_y=True)
    >>> FeatureSelector(measure="jmi", search="forward", cut=3).fit(X, y).order_
    array([ 6,  9, 12])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **BaseSelector._parameter_constraints,
        "measure": [str, Measure],
        "search": [str, Search, None],
        "cut": [*N_FEATURES[:2], str, Cut, None],
    }

    measure: Any = "jmi"
    search: Any = None
    cut: Any = None

    def _parts(self) -> tuple[Measure, Search, Cut]:
        measure = registry.resolve_measure(self.measure)
        search = registry.resolve_search(self.search, measure)
        return measure, search, registry.resolve_cut(self.cut, measure, search)


def select(
    X: Any,
    y: Any,
    *,
    measure: Any = "jmi",
    search: Any = None,
    cut: Any = None,
    fixed_features: Any = None,
    groups: Any = None,
    n_bins: int = 10,
    binning: str = "quantile",
    missing: str = "level",
    target: str = "auto",
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Any = None,
) -> Selection:
    """Select columns of X that tell about y: `FeatureSelector` without scikit-learn's dress.

    Parameters are those of `FeatureSelector`.

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
        measure,
        search,
        cut,
        fixed_features=fixed_features,
        groups=groups,
        n_bins=n_bins,
        binning=binning,
        missing=missing,
        target=target,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
    )
    return selector.fit(X, y).selection_


def _in_container(frame: nw.DataFrame[Any], container: str) -> Any:
    """A dataframe as what `set_output` asks for."""
    if container == "pandas":
        return frame.to_native() if frame.implementation.is_pandas() else frame.to_pandas()
    return frame.to_polars() if container == "polars" else frame_values(frame)


def _one_dimensional(y: Any) -> Any:
    """A series or 1-D array; a column vector becomes one, with scikit-learn's warning."""
    frame = nw.from_native(y, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(frame, nw.Series):
        return y
    if not isinstance(frame, nw.DataFrame):
        y = np.asarray(y)
    if len(y.shape) == 2 and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
            "to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=5,
        )
        return frame[:, 0].to_native() if isinstance(frame, nw.DataFrame) else y[:, 0]
    if len(y.shape) != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    return y


def _warn_of_constant_target(table: Table) -> None:
    if table.target is not None and table.target.n_classes < 2:
        warnings.warn(
            "The target has one class only, so no column can tell anything about it.",
            SelectionWarning,
            stacklevel=4,
        )


def _warn_of_identifiers(selection: Selection) -> None:
    """Say so where a selected column names rows: it determines y on these rows and on no others."""
    for j in selection.order:
        column = selection.encodings[j]
        if column.kind == "category" and column.n_levels > IDENTIFIER_SHARE * selection.n_rows >= 10:
            warnings.warn(
                f"Column {column.name!r} has {column.n_levels} different values in {selection.n_rows} rows: "
                "it names rows rather than tells about y, and was selected for that. Hint: leave it out, or "
                "use BayesianEntropyFS, which sees through it.",
                SelectionWarning,
                stacklevel=4,
            )
            return
