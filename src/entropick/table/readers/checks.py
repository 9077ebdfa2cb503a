"""Reject containers and values that other libraries would stumble over, or that no method can use."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse

from entropick._base.wording import counted, listed, quoted
from entropick.exceptions import Code, ColumnTypeError, DataError

INDEXED = ("csr", "csc", "bsr")  # formats with starts of rows or columns


def check_container(X: Any) -> None:
    """Check an array or a sparse matrix for what no method can use."""
    if scipy.sparse.issparse(X):
        check_sparse(X)
    if isinstance(X, np.matrix):
        raise ColumnTypeError("np.matrix is not supported: X must be an array. Hint: pass np.asarray(X).")
    dtype: Any = getattr(X, "dtype", None)
    fields = getattr(dtype, "names", None)
    if fields:
        raise DataError(
            f"X is a structured array with the fields {listed(map(repr, fields))}; it must have rows and "
            "columns. Hint: pass pandas.DataFrame(X)."
        )
    if getattr(dtype, "kind", "") == "c":
        raise DataError(
            "Complex data not supported: X holds complex numbers. Hint: pass real and imaginary parts, or "
            "absolute values, as columns of their own."
        )
    if X.ndim < 2 if isinstance(X, np.ndarray) else _is_no_table(X):
        shape = f"an array of shape {X.shape}" if isinstance(X, np.ndarray) else f"a {type(X).__name__}"
        raise DataError(
            f"Expected 2D array, got {shape} instead: a table has rows and columns. Hint: Reshape your data "
            "using X.reshape(-1, 1) if it is a single column."
        )


def _is_no_table(X: Any) -> bool:
    """Whether X is something that has no columns at all."""
    if scipy.sparse.issparse(X):  # of which some are dicts
        return False
    return X is None or isinstance(X, str | bytes | int | float | complex | dict | set | frozenset)


def check_width(n_columns: int, n_known: int) -> None:
    """Reject a table that has more or fewer columns than are known."""
    if n_columns != n_known:
        raise DataError(
            f"The table must have {n_known} columns, got {n_columns}. Hint: pass the same columns in the "
            "same order."
        )


def check_sparse(X: Any) -> None:
    """Reject a sparse matrix whose indices lead outside: scipy would read and write there."""
    try:
        problem = _problem(X)
    except (TypeError, ValueError, AttributeError, IndexError) as error:  # arrays of other kinds
        problem = f"its parts do not fit together ({type(error).__name__})"
    if problem is not None:
        raise DataError(
            f"The sparse matrix is damaged: {problem}. Hint: rebuild it; X.check_format() of scipy checks "
            "the lengths of its arrays."
        )


def _problem(X: Any) -> str | None:
    """What is wrong with a sparse matrix, or None."""
    if len(X.shape) != 2:
        return f"it has {len(X.shape)} dimensions instead of 2"
    if X.format == "coo":
        return _problem_of_coordinates(X)
    if X.format in INDEXED:
        return _problem_of_starts(X)
    if X.format == "lil":
        return _problem_of_lists(X)
    return None  # scipy makes others by numpy, which checks


def _problem_of_coordinates(X: Any) -> str | None:
    for axis, indices in enumerate((X.row, X.col)):
        if len(indices) != len(X.data):
            return f"it has {len(X.data)} values, but {len(indices)} indices of {_of(axis)}"
        if problem := _outside(indices, X.shape[axis], _of(axis)):
            return problem
    return None


def _problem_of_starts(X: Any) -> str | None:
    """Compressed rows (csr, bsr) or columns (csc)."""
    major = 1 if X.format == "csc" else 0
    blocks = X.data.shape[1:] if X.format == "bsr" else (1, 1)
    n_major, n_minor = X.shape[major] // blocks[0], X.shape[1 - major] // blocks[1]
    starts, indices = X.indptr, X.indices
    if starts.ndim != 1 or starts.dtype.kind != "i" or len(starts) != n_major + 1:
        return f"indptr must be {n_major + 1} whole numbers, got {starts.dtype} of shape {starts.shape}"
    if indices.ndim != 1 or len(indices) != len(X.data):
        return f"it has {len(X.data)} values, but indices of shape {indices.shape}"
    if starts[0] != 0 or starts[-1] > len(indices) or (starts[1:] < starts[:-1]).any():
        return f"indptr must rise from 0 to at most {len(indices)}, the number of values"
    return _outside(indices[: starts[-1]], n_minor, _of(1 - major))


def _problem_of_lists(X: Any) -> str | None:
    """Lists of columns and values for each row."""
    if len(X.rows) != X.shape[0] or len(X.data) != X.shape[0]:
        return f"it has {len(X.rows)} lists of columns for {X.shape[0]} rows"
    for columns, values in zip(X.rows, X.data, strict=True):
        if len(columns) != len(values):
            return f"a row has {len(values)} values, but {len(columns)} indices of columns"
        if problem := _outside(np.array(columns, dtype=np.int64), X.shape[1], _of(1)):
            return problem
    return None


def _outside(indices: np.ndarray, n: int, what: str) -> str | None:
    """The first index that is not from 0 to n - 1, in words."""
    if indices.dtype.kind not in "iu":
        return f"indices of {what} must be whole numbers, got {indices.dtype}"
    if not len(indices) or (indices.min() >= 0 and indices.max() < n):
        return None
    wrong = indices[(indices < 0) | (indices >= n)][0]
    return f"it has an index {wrong} of {what}, of which there are {n}"


def _of(axis: int) -> str:
    return ("rows", "columns")[axis]


def reject_infinite(values: np.ndarray, names: Sequence[str]) -> None:
    """Raise where a column (columns, rows) holds an infinite value."""
    if values.dtype.kind != "f" or not np.isinf(values).any():
        return
    row, at = np.argwhere(np.isinf(values))[0].tolist()
    raise DataError(
        f"Column {names[row]!r} holds an infinite value (row {at}: {values[row, at]}); values must "
        "be finite or missing. Hint: clip it, or replace it by NaN to make it a missing value.",
        code=Code.INFINITE_VALUE,
        column=names[row],
        row=at,
        value=float(values[row, at]),
    )


def reject_missing(name: str, n_missing: int, missing: str) -> None:
    """Raise where a column has missing values and `missing` refuses them."""
    if n_missing and missing == "error":
        raise DataError(
            f"Column {quoted(name)} has {counted(n_missing, 'missing value')}, which missing='error' "
            "refuses. Hint: fill them in, drop the rows or the column, or use missing='level'.",
            code=Code.MISSING_VALUE,
            column=name,
        )
