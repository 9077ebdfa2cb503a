"""Tables reduced to the selected columns, in their own container or in that which `set_output` asks for."""

from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse
from sklearn import config_context
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from entropick._base.compat import output_container
from entropick.exceptions import DataError
from entropick.table.open import is_elsewhere, named_parts, stays_in_database
from entropick.table.readers.checks import check_container
from entropick.table.readers.frames import without_column
from entropick.table.readers.inputs import as_frame, frame_values, is_lazy, lazy_columns


class TableTransformer(SelectorMixin):
    """`transform` for arrays, sparse matrices, dataframes, lazy frames and collections."""

    support_: np.ndarray
    n_features_in_: int
    _target_name: str | None = None

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected columns, in the order they have in X.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            It may have the target among its columns if `fit` was given its name.

        Returns
        -------
        X_selected : the selected columns; a dataframe with its own types where `set_output` asks
            for one, else an array or sparse matrix; a lazy frame stays lazy, and so does a Dask collection
        """
        check_is_fitted(self)
        is_plain = type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "biuf" and X.size > 0
        if is_plain and X.shape[1] == self.n_features_in_ and not hasattr(self, "feature_names_in_"):
            return self._transform(X)  # all else would only take time
        container, columns = output_container(self), self.get_support(indices=True)
        if stays_in_database(X):
            whole, _ = named_parts(X, None)
            table = whole.drop(self._target_name) if self._target_name in whole.columns else whole
            self._check_collection(table, reset=False)
            chosen = table.select(table.columns[j] for j in columns)
            return chosen if whole is X else chosen.to_native()
        if is_elsewhere(X):
            self._check_collection(X, reset=False)
            return X[:, columns] if not hasattr(X, "columns") else X[[X.columns[j] for j in columns]]
        X = X if self._target_name is None else without_column(X, self._target_name)
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

    if TYPE_CHECKING:  # scikit-learn's have no types

        def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self: ...
        def get_support(self, indices: bool = False) -> np.ndarray: ...

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


def _in_container(frame: nw.DataFrame[Any], container: str) -> Any:
    """A dataframe as what `set_output` asks for."""
    if container == "pandas":
        return frame.to_native() if frame.implementation.is_pandas() else frame.to_pandas()
    return frame.to_polars() if container == "polars" else frame_values(frame)
