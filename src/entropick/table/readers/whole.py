"""Whole numbers that floats would round, represented exactly as differences from the smallest."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from entropick.table.readers.inputs import ArrayInput, Columns, ColumnwiseInput, Input, SparseInput

LARGEST = 2**53  # floats hold every whole number up to this
LARGEST_64 = 2**63 - 1


def exact_input(source: ArrayInput | SparseInput | ColumnwiseInput) -> Input:
    """The same columns, with exact whole numbers wherever possible."""
    if isinstance(source, SparseInput):
        source.rounded = _merged_columns(source.matrix)
        return source
    return ExactInput(source)


class ExactInput:
    """Columns of which some are differences from their `offsets`; `rounded` ones could not be made exact."""

    def __init__(self, source: ArrayInput | ColumnwiseInput) -> None:
        self._source = source
        self._may_round = np.zeros(len(source.names), np.bool_)
        self._may_round[source.may_round()] = True
        self.names, self.n_rows, self.columns_together = source.names, source.n_rows, source.columns_together
        self._offsets: dict[int, int] = {}
        self._rounded: list[int] = []
        self.offsets: Mapping[int, int] = self._offsets
        self.rounded: Sequence[int] = self._rounded

    @property
    def kinds(self) -> Sequence[str]:
        return self._source.kinds

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        return self._source.category(j)

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        read: list[tuple[np.ndarray, np.ndarray]] = []
        for members, values in self._source.numeric(columns):
            found = {} if values.dtype.kind != "f" else self._exact_of(members, values)
            read += [(members[[row]], exact[None, :]) for row, exact in found.items()]
            if found:
                others = np.setdiff1d(np.arange(len(members)), list(found))
                members, values = members[others], values[others]
            if len(members):
                read.append((members, values))
        return read

    def _exact_of(self, members: np.ndarray, values: np.ndarray) -> dict[int, np.ndarray]:
        """The exact values of columns that floats may have rounded, by their row in the block."""
        found = {}
        rows = np.flatnonzero(self._may_round[members])
        for row in rows[are_huge(values[rows])].tolist() if len(rows) else ():
            j = int(members[row])
            whole = self._source.whole(j)
            exact = None if whole is None else differences(*whole)
            if exact is not None:
                found[row], self._offsets[j] = exact
            elif whole is not None and _are_merged(*whole):
                self._rounded.append(j)
        return found


def are_huge(values: np.ndarray) -> np.ndarray:
    """Whether columns (..., rows) have floats that may be rounded whole numbers."""
    return np.asarray((np.abs(values) >= LARGEST).any(axis=-1))


def differences(values: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, int] | None:
    """Whole numbers less an offset, and the offset; floats if some are missing; None if they do not fit."""
    present = values[~missing]
    low, high = int(present.min()), int(present.max())
    if not missing.any() and -LARGEST_64 <= low and high <= LARGEST_64:
        return values.astype(np.int64), 0
    if high - low > (LARGEST if missing.any() else LARGEST_64):
        return None
    less = np.zeros(len(values), np.int64)
    less[~missing] = (present - (low if present.dtype == object else present.dtype.type(low))).astype(
        np.int64
    )
    if not missing.any():
        return less, low
    return np.where(missing, np.nan, less.astype(np.float64)), low


def _are_merged(values: np.ndarray, missing: np.ndarray) -> bool:
    present = values[~missing]
    return len(np.unique(present.astype(np.float64))) < len(np.unique(present))


def _merged_columns(matrix: Any) -> list[int]:
    """Columns of a sparse matrix whose different whole numbers become equal floats."""
    stored, starts = matrix.data, matrix.indptr
    if not len(stored) or (-LARGEST <= stored.min() and stored.max() <= LARGEST):
        return []
    parts = (stored[starts[j] : starts[j + 1]] for j in range(matrix.shape[1]))
    return [j for j, part in enumerate(parts) if _are_merged(part, np.zeros(len(part), bool))]
