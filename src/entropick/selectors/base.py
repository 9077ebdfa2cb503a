"""What all selectors share: tables and names checked, and scikit-learn's contract kept."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, ClassVar, overload

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from entropick._base.compat import Estimator
from entropick._base.progress import progress_line
from entropick.exceptions import ColumnTypeError
from entropick.records.exploration import Generation
from entropick.records.selection import Progress, Resample, Selection, Step
from entropick.selectors.transform import TableTransformer
from entropick.table.encoding.encoding import Rules
from entropick.table.open import is_cube, is_elsewhere, named_parts
from entropick.table.readers.checks import check_container
from entropick.table.readers.inputs import (
    as_frame,
    container_rows,
    default_names,
    frame_names,
    is_frame,
    is_lazy,
    plain_array,
)

PLAIN = frozenset({int, float, str, bool, type(None)})  # values that, once valid, are not checked again
MAX_REMEMBERED = 1000
KINDS_OF_TARGET = ("auto", "class", "real")


class BaseSelector(TableTransformer, Estimator):
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

    _known_as_valid: ClassVar[set[tuple[Any, ...]]] = set()
    _n_rows_of_table: int | None = None  # decides about n_bins="auto", where only some of them are fitted

    def _validate_params(self) -> None:
        values = self.get_params(deep=False).values()
        key = (type(self), *((type(value), value) for value in values))
        is_plain = PLAIN.issuperset(map(type, values))
        if is_plain and key in self._known_as_valid:
            return
        try:
            super()._validate_params()
        except ValueError as error:
            if isinstance(self.target, str) and self.target not in KINDS_OF_TARGET:
                raise type(error)(f"{error} Hint: the column to predict is y: fit(table, 'price').") from None
            raise
        if is_plain and len(self._known_as_valid) < MAX_REMEMBERED:
            self._known_as_valid.add(key)

    def __dir__(self) -> list[str]:
        """Leave out shared parameters that it lacks, so that completion does not offer them."""
        lacked = {name for name in BaseSelector.__annotations__ if name[0] != "_"} - set(
            self._get_param_names()
        )
        return [name for name in super().__dir__() if name not in lacked]

    def _names_in(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        return list(default_names(self.n_features_in_)) if names is None else names.tolist()

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

    def _repr_html_inner(self) -> str:
        """The first screen of the report once fitted, for notebooks; before, scikit-learn's diagram."""
        is_fitted = hasattr(self, "selection_")
        return self.selection_._repr_html_() if is_fitted else super()._repr_html_inner()

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)
        return bundle | {"text/html": self._repr_html_inner()} if "text/html" in bundle else bundle

    @overload
    def to_html(self, path: None = None, X: Any = None, y: Any = None) -> str: ...

    @overload
    def to_html(self, path: str | Path, X: Any = None, y: Any = None) -> None: ...

    def to_html(self, path: str | Path | None = None, X: Any = None, y: Any = None) -> str | None:
        """Render the report of the fit as one HTML page (extra ``cli``).

        Parameters
        ----------
        path : str, Path or None, default=None
            File to write; None returns the page.
        X, y : table and target of `fit`, default=None
            With them the page describes the columns, and selects others as the reader wishes.

        Returns
        -------
        html : str or None
            The page, unless it was written.
        """
        from entropick.report import to_html
        from entropick.selectors.report import document_of

        check_is_fitted(self)
        X, y = (X, y) if X is None else named_parts(X, y)
        return to_html(document_of(self, X, y), path)

    def _listener(self, names: Sequence[str]) -> AbstractContextManager[Progress | None]:
        """What `progress` asks for: a line on stderr with the names of the columns, a function or nothing."""
        return _shown(names) if self.progress is True else nullcontext(self.progress or None)

    def _rules(self, count: Callable[[], int]) -> Rules:
        """How values of a table become levels; its rows are counted where their number matters."""
        n_bins, others = self.n_bins, (self.binning, self.missing)
        if not isinstance(n_bins, str):
            return Rules(n_bins, *others)
        return Rules.for_rows(self._n_rows_of_table or count(), *others)

    def _named_parts(self, X: Any, y: Any) -> tuple[Any, Any]:
        """X and y of a fit; a target that is known by its name is left out by `transform`, too."""
        name = X.target.name if is_cube(X) else y
        self._target_name = name if isinstance(name, str) else None
        return named_parts(X, y)

    def _check_table(self, X: Any) -> Any:
        """Check shape and names of X; dataframes stay what they are."""
        if type(X) is not np.ndarray:
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
        is_checked = type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "biuf" and X.size > 0
        if not is_checked:
            check_container(X)
            is_checked = scipy.sparse.issparse(X) and X.dtype.kind in "biuf" and min(X.shape) > 0
        if is_checked:
            self.__dict__.pop("feature_names_in_", None)
            self.n_features_in_ = X.shape[1]
            return X
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
        tags.input_tags.allow_nan = self.missing == "level"
        return tags


def in_memory(X: Any) -> Any:
    """A table of which rows can be taken: what is scanned is read, and lists become arrays."""
    X = X.collect() if is_lazy(X) else X
    return X if as_frame(X) is not None or scipy.sparse.issparse(X) else plain_array(X)


def fit_to_rows(
    selector: Any,
    X: Any,
    y: np.ndarray | None,
    rows: np.ndarray,
    groups: np.ndarray | None = None,
    n_table_rows: int | None = None,
) -> Any:
    """A fitted copy of a selector; it gets the groups of these rows if it takes any.

    Columns get as many levels as in a table of `n_table_rows` rows, if given.
    """
    given = {"groups": groups[rows]} if groups is not None and has_fit_parameter(selector, "groups") else {}
    again = clone(selector)
    if n_table_rows is not None:
        again._n_rows_of_table = n_table_rows
    return again.fit(container_rows(X, rows), None if y is None else y[rows], **given)


@contextmanager
def _shown(names: Sequence[str]) -> Iterator[Progress]:
    with progress_line() as line:
        yield lambda event, n_done, n_expected: line.show(_in_words(event, n_done, n_expected, names))


def _in_words(
    event: Step | Generation | Resample, n_done: int, n_expected: int | None, names: Sequence[str]
) -> str:
    of_all = "" if n_expected is None else f" of {n_expected}"
    if isinstance(event, Step):
        return f"step {n_done}{of_all}: {names[event.column]}"
    return f"{event}{of_all and f' ({n_done / (n_expected or 1):.0%})'}"
