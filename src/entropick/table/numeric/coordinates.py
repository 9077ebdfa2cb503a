"""Columns as coordinates, for measures based on distances.

Numeric columns are scaled so that units do not matter; two categories are at distance 0 or 1; a missing value
is at the mean distance of two random rows of the column.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.table.codes import freeze
from entropick.table.numeric.magnitude import extreme_exponents
from entropick.table.readers.checks import reject_infinite, reject_missing
from entropick.table.readers.inputs import Input

NUMERIC, NUMERIC_WITH_GAPS, CATEGORY = 0, 1, 2
SCALINGS = ("range", "std", "rank")
MAX_DIFFERENCE = 1e15  # of values that are not scaled: sums of squares must be finite in single precision


@dataclass(frozen=True)
class Coordinates:
    """Scaled columns, one row each.

    Attributes
    ----------
    values : float32 (columns, rows); codes of categories; NaN if missing
    kinds : int64 (columns,), NUMERIC, NUMERIC_WITH_GAPS or CATEGORY
    expected : float32 (columns,), mean distance of two rows with a value; 0 for kind NUMERIC
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

    def take_columns(self, columns: np.ndarray) -> "Coordinates":
        """Some columns."""
        values, kinds, expected = self.values[columns], self.kinds[columns], self.expected[columns]
        freeze(values, kinds, expected)
        return Coordinates(values, kinds, expected)

    def in_row_order(self, order: np.ndarray) -> "Coordinates":
        """Reorder the rows."""
        values = np.ascontiguousarray(self.values[:, order])
        freeze(values)
        return Coordinates(values, self.kinds, self.expected)


class CoordinatesView:
    """Collects columns as coordinates while they are read.

    Parameters
    ----------
    scaling : how numeric columns are scaled: to a range of 1, to a standard deviation of 1, to the ranks of
        their values between 0 and 1, or not at all (None); a constant column is 0 everywhere
    missing : "level" allows missing values, "error" rejects them
    """

    def __init__(self, source: Input, scaling: str | None, missing: str) -> None:
        self._source, self._scaling, self._missing = source, scaling, missing
        n_columns = len(source.names)
        self._values = np.empty((n_columns, source.n_rows), np.float32)
        self._kinds = np.full(n_columns, NUMERIC, np.int64)
        self._expected = np.zeros(n_columns, np.float32)

    def take_category(self, j: int, codes: np.ndarray, levels: list[Any]) -> None:
        self._take(j, np.where(codes < 0, np.nan, codes), CATEGORY)

    def allocate(self, numeric: np.ndarray) -> bool:
        return True  # memory is already allocated

    def take_numbers(self, columns: np.ndarray, values: np.ndarray) -> None:
        reject_infinite(values, [self._source.names[j] for j in columns])
        for j, column in zip(columns, values.astype(np.float64, copy=False), strict=True):
            has_gaps = bool(np.isnan(column).any())
            kind = NUMERIC_WITH_GAPS if has_gaps else NUMERIC
            if self._scaling is None:
                self._take(j, _in_units(column, self._source.names[j]), kind)
            else:
                self._take(j, _scaled(_tamed(column), self._scaling), kind)

    def _take(self, j: int, column: np.ndarray, kind: int) -> None:
        self._values[j], self._kinds[j] = column, kind
        if kind != NUMERIC:  # categories may have gaps
            reject_missing(self._source.names[j], int(np.isnan(column).sum()), self._missing)
            self._expected[j] = _expected_distance(self._values[j], kind)

    def coordinates(self) -> Coordinates:
        freeze(self._values, self._kinds, self._expected)
        return Coordinates(self._values, self._kinds, self._expected)


def _tamed(column: np.ndarray) -> np.ndarray:
    """Divide the column by a power of two if differences of its values might overflow."""
    present = np.nan_to_num(column)[:, None]
    return np.ldexp(column, -extreme_exponents(present)[0])


def _in_units(column: np.ndarray, name: str) -> np.ndarray:
    """The column less its least value: differences stay as they are, and are exact in single precision."""
    present = column[~np.isnan(column)]
    if not len(present):
        return column
    low, high = float(present.min()), float(present.max())
    if high - low > MAX_DIFFERENCE:
        raise DataError(
            f"Without scaling, distances between rows would overflow: column {name!r} goes from {low:.3g} to "
            f"{high:.3g}. Hint: use scaling='range', or another unit for this column."
        )
    return column - low


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
    """Mean distance of two different rows that have a value; 0 if there are no two."""
    present = column[~np.isnan(column)].astype(np.float64)
    n = len(present)
    if n < 2:
        return 0.0
    if kind == CATEGORY:
        counts = np.unique(present, return_counts=True)[1]
        return float(1.0 - (counts * (counts - 1)).sum() / (n * (n - 1)))
    ordered = np.sort(present)
    weights = 2 * np.arange(1, n + 1) - n - 1  # give the sum of all differences of sorted values
    return float(2 * (weights * ordered).sum() / (n * (n - 1)))
