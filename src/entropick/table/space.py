"""Columns as coordinates: what measures of distance work on.

Numeric columns are scaled so that units do not decide; categories differ by 0 or 1; where a value is
missing the distance is the one expected between two random rows of the column.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.table.inputs import SparseInput, open_input
from entropick.table.magnitude import extreme_exponents
from entropick.table.memory import freeze

NUMERIC, NUMERIC_WITH_GAPS, CATEGORY = 0, 1, 2
SCALINGS = ("range", "std", "rank")


@dataclass(frozen=True)
class Space:
    """Scaled columns, one row each.

    Attributes
    ----------
    values : float32 (columns, rows); codes of categories; NaN where missing
    kinds : int64 (columns,), NUMERIC, NUMERIC_WITH_GAPS or CATEGORY
    expected : float32 (columns,), mean distance of two random rows with a value, where any is missing
    """

    values: np.ndarray
    kinds: np.ndarray
    expected: np.ndarray

    @property
    def n_rows(self) -> int:
        return self.values.shape[1]

    @property
    def n_columns(self) -> int:
        return self.values.shape[0]

    def of_columns(self, columns: np.ndarray) -> "Space":
        """Some columns of the space."""
        values, kinds, expected = self.values[columns], self.kinds[columns], self.expected[columns]
        freeze(values, kinds, expected)
        return Space(values, kinds, expected)

    def in_row_order(self, order: np.ndarray) -> "Space":
        """The same space with its rows in another order."""
        values = np.ascontiguousarray(self.values[:, order])
        freeze(values)
        return Space(values, self.kinds, self.expected)


def make_space(X: Any, scaling: str = "range") -> Space:
    """Read a table of any container as a space.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or dataframe
    scaling : how numeric columns are scaled: to a range of 1, to a standard deviation of 1, or to the
        ranks of their values between 0 and 1; a constant column is 0 everywhere
    """
    source = open_input(X.toarray() if hasattr(X, "toarray") else X)
    assert not isinstance(source, SparseInput)
    n_columns = len(source.names)
    values = np.empty((n_columns, source.n_rows), np.float32)
    kinds = np.full(n_columns, NUMERIC, np.int64)
    for j in range(n_columns):
        if source.kind(j) == "category":
            codes, _ = source.category(j)
            values[j] = np.where(codes < 0, np.nan, codes)
            kinds[j] = CATEGORY
            continue
        column = source.numeric([j])[0].astype(np.float64)
        if np.isinf(column).any():
            at = int(np.flatnonzero(np.isinf(column))[0])
            raise DataError(
                f"Column {source.names[j]!r} holds an infinite value (row {at}); values must be finite or "
                "missing. Hint: clip it, or replace it by NaN to make it a missing value."
            )
        values[j] = _scaled(_tamed(column), scaling)
        if np.isnan(column).any():
            kinds[j] = NUMERIC_WITH_GAPS
    has_gaps = kinds != NUMERIC  # categories may have some
    expected = np.zeros(n_columns, np.float32)
    for j in np.flatnonzero(has_gaps).tolist():
        expected[j] = _expected_distance(values[j], kinds[j])
    freeze(values, kinds, expected)
    return Space(values, kinds, expected)


def _tamed(column: np.ndarray) -> np.ndarray:
    """The column, divided by a power of two where differences of its values might not be floats."""
    present = np.nan_to_num(column)[:, None]
    return np.ldexp(column, -extreme_exponents(present)[0])


def _scaled(column: np.ndarray, scaling: str) -> np.ndarray:
    missing = np.isnan(column)
    present = column[~missing] if missing.any() else column
    if len(present) == 0:
        return column
    low, high = present.min(), present.max()
    if low == high:
        return column - low
    if scaling == "std":
        return (column - present.mean()) / present.std()
    if scaling == "rank":
        ordered = np.sort(present)
        middle = np.searchsorted(ordered, column, "left") + np.searchsorted(ordered, column, "right")
        return np.where(np.isnan(column), np.nan, middle / (2 * len(ordered)))
    return column / (high - low) - low / (high - low)


def _expected_distance(column: np.ndarray, kind: int) -> float:
    """Mean distance of two different rows that have a value; 0 where there are no two."""
    present = column[~np.isnan(column)].astype(np.float64)
    n = len(present)
    if n < 2:
        return 0.0
    if kind == CATEGORY:
        counts = np.unique(present, return_counts=True)[1]
        return float(1.0 - (counts * (counts - 1)).sum() / (n * (n - 1)))
    ordered = np.sort(present)
    weights = 2 * np.arange(1, n + 1) - n - 1  # the sum of all differences, from the order
    return float(2 * (weights * ordered).sum() / (n * (n - 1)))
