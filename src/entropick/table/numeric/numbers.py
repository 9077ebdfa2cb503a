"""Columns as plain numbers, for measures of spread, correlation and projection."""

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import scipy.sparse

from entropick.table.codes import freeze
from entropick.table.numeric.magnitude import extreme_exponents
from entropick.table.readers.checks import reject_infinite, reject_missing
from entropick.table.readers.inputs import BLOCK_VALUES, Input, SparseInput

Numbers: TypeAlias = np.ndarray | scipy.sparse.csc_array


class NumbersView:
    """Collects columns as numbers while they are read, float64 (rows, columns) in column order.

    Times are microseconds, booleans 0 and 1, categories the numbers of their levels in sorted order (right
    for two levels such as yes/no, a mere convention for more). A missing value becomes the mean of its
    column, which does not change sums of products; a column without any value becomes 0. If `missing` is
    "error", missing values are rejected.
    """

    def __init__(self, source: Input, missing: str) -> None:
        self._source, self._missing = source, missing
        self._shape = source.n_rows, len(source.names)
        self._made: np.ndarray | None = None
        # a small table of numbers comes in one block, which may be taken as it is
        if source.n_rows * len(source.names) > BLOCK_VALUES or "category" in source.kinds:
            self._make_room()

    def _make_room(self) -> None:
        self._made = np.empty(self._shape, np.float64, order="F")

    @property
    def _numbers(self) -> np.ndarray:
        if self._made is None:
            self._make_room()
        return cast(np.ndarray, self._made)

    def take_category(self, j: int, codes: np.ndarray, levels: list[Any]) -> None:
        self._take(j, np.where(codes < 0, np.nan, codes))

    def allocate(self, numeric: np.ndarray) -> bool:
        return True  # memory is already allocated

    def take_numbers(self, columns: np.ndarray, values: np.ndarray) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            totals = values.sum(axis=1)
        doubtful = np.flatnonzero(~np.isfinite(totals))  # infinite or missing values, or only a large sum
        is_new = values.dtype == np.float64 and values.flags.owndata and values.flags.c_contiguous
        if is_new and values.T.shape == self._shape and not len(doubtful) and self._made is None:
            self._made = values.T
            return
        first, last = columns[0], columns[-1]
        together = last - first + 1 == len(columns)
        self._numbers.T[slice(first, last + 1) if together else columns] = values
        reject_infinite(values[doubtful], [self._source.names[j] for j in columns[doubtful]])
        for j in columns[doubtful].tolist():
            self._fill_gaps(j)

    def _take(self, j: int, column: np.ndarray) -> None:
        self._numbers[:, j] = column
        self._fill_gaps(j)

    def _fill_gaps(self, j: int) -> None:
        missing = np.isnan(self._numbers[:, j])
        if missing.any():
            reject_missing(self._source.names[j], int(missing.sum()), self._missing)
            self._numbers[missing, j] = 0.0 if missing.all() else safe_mean(self._numbers[~missing, j])

    def numbers(self) -> np.ndarray:
        freeze(self._numbers)
        return self._numbers


def dense_columns(values: Numbers, start: int, stop: int) -> np.ndarray:
    """Columns start..stop-1 as an array (columns, rows)."""
    if isinstance(values, np.ndarray):
        return values.T[start:stop]
    return values[:, start:stop].T.toarray()


def safe_mean(column: np.ndarray) -> float:
    """The mean, even of numbers whose sum would overflow."""
    exponent = extreme_exponents(column[:, None])[0]
    return float(np.ldexp(np.ldexp(column, -exponent).mean(), exponent))


def sparse_numbers(source: SparseInput, missing: str) -> scipy.sparse.csc_array:
    """A sparse matrix as sparse numbers; missing values among the stored ones become means."""
    matrix = scipy.sparse.csc_array(source.matrix, dtype=np.float64)
    reject_infinite_stored(matrix, source.names)
    is_missing = np.isnan(matrix.data)
    if not is_missing.any():
        return matrix
    matrix = matrix.copy()
    column_of = np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
    n_missing = np.bincount(column_of[is_missing], minlength=matrix.shape[1])
    for j in np.flatnonzero(n_missing).tolist():
        reject_missing(source.names[j], int(n_missing[j]), missing)
    sums = np.bincount(column_of[~is_missing], matrix.data[~is_missing], minlength=matrix.shape[1])
    means = sums / np.maximum(matrix.shape[0] - n_missing, 1)
    matrix.data[is_missing] = means[column_of[is_missing]]
    return matrix


def reject_infinite_stored(matrix: Any, names: Sequence[str]) -> None:
    """`reject_infinite` for the stored values of a sparse matrix."""
    infinite = np.flatnonzero(np.isinf(matrix.data))
    if len(infinite):
        j = int(np.searchsorted(matrix.indptr, infinite[0], side="right")) - 1
        column = matrix[:, [j]].toarray().T.astype(np.float64)
        reject_infinite(column, [names[j]])
