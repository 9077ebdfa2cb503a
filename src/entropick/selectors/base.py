"""What all selectors share: tables and names checked, and scikit-learn's contract kept."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from entropick.exceptions import ColumnTypeError
from entropick.records.selection import Selection
from entropick.selectors.transform import TableTransformer
from entropick.table.open import is_elsewhere
from entropick.table.readers.checks import check_container
from entropick.table.readers.inputs import (
    as_frame,
    default_names,
    frame_names,
    is_frame,
    is_lazy,
    plain_array,
)


class BaseSelector(TableTransformer, BaseEstimator):
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
        tags.input_tags.allow_nan = self.missing == "level"
        return tags
