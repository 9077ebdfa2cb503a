"""Levels that are known already, applied to other rows: what has no level is rejected by name."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from entropick._base.wording import quoted
from entropick._core import assign_levels
from entropick.exceptions import DataError
from entropick.table.codes import ColumnEncoding
from entropick.table.readers.checks import reject_infinite
from entropick.table.readers.inputs import Columns, Input


class AsKnown:
    """Columns of the kinds that are known: one without any value here may be a category elsewhere."""

    def __init__(self, source: Input, columns: Sequence[ColumnEncoding]) -> None:
        self._source = source
        self.names, self.n_rows, self.kinds = source.names, source.n_rows, list(source.kinds)
        self.columns_together, self.offsets, self.rounded = (
            source.columns_together,
            source.offsets,
            source.rounded,
        )
        self._empty = []
        for j, (kind, column) in enumerate(zip(source.kinds, columns, strict=True)):
            if kind == "category" or are_comparable(kind, column.kind):
                continue
            if not np.isnan(source.numeric([j])[0][1].astype(float)).all():
                raise unlike_kinds(column.name, column.kind, kind)
            if column.kind == "category":
                self._empty.append(j)
                self.kinds[j] = "category"

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        return self._source.numeric(columns)

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        return (np.full(self.n_rows, -1), []) if j in self._empty else self._source.category(j)


def less_offset(known: ColumnEncoding, values: np.ndarray, offset: int) -> tuple[ColumnEncoding, np.ndarray]:
    """Levels and values that can be compared, where values were read as differences from an offset."""
    bounds = known.edges if known.edges is not None else known.levels or ()
    if not all(isinstance(bound, int) for bound in bounds):  # found on rounded numbers
        return known, values + float(offset)
    less = tuple(bound - offset for bound in bounds)
    return replace(known, levels=less) if known.edges is None else replace(known, edges=less), values


def more_offset(found: ColumnEncoding, offset: int) -> ColumnEncoding:
    """Levels found on differences from an offset, as levels of the numbers themselves."""
    if not offset:
        return found
    levels, edges = (
        None if bounds is None else tuple(int(bound) + offset for bound in bounds)
        for bounds in (found.levels, found.edges)
    )
    return replace(found, levels=levels, edges=edges)


def apply_known(encodings: Sequence[ColumnEncoding], values: np.ndarray, codes: np.ndarray) -> None:
    """Fill in the codes of columns (columns, rows) whose levels are known."""
    values = values.astype(_common_type(values, encodings), copy=False)
    assign_levels(values, *_known_edges(values, encodings), codes)
    _reject_unknown_values(values, codes[:, : values.shape[1]], encodings)


def _known_edges(
    values: np.ndarray, columns: Sequence[ColumnEncoding]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges, their number and the level of missing values, of columns whose levels are known."""
    reject_infinite(values, [column.name for column in columns])
    known = [column.edges if column.edges is not None else (column.levels or ())[:-1] for column in columns]
    n_edges = np.array([len(edges) for edges in known], np.int64)
    edges = np.zeros((len(columns), max(1, n_edges.max())), values.dtype)
    for row, column in enumerate(columns):
        if column.kind == "category":
            raise unknown_values(column.name, "numbers")
        if values.dtype.kind == "f" and not column.n_missing and np.isnan(values[row]).any():
            raise unknown_values(column.name, "missing values")
        edges[row, : n_edges[row]] = known[row]
    missing_level = np.array([column.n_levels - 1 if column.n_missing else -1 for column in columns])
    return edges, n_edges, missing_level


def _common_type(values: np.ndarray, columns: Sequence[ColumnEncoding]) -> type:
    """Whole numbers only where the values and all that they are compared with are whole."""
    compared = (bound for column in columns for bound in column.edges or column.levels or ())
    are_whole = values.dtype.kind != "f" and all(isinstance(bound, int) for bound in compared)
    return np.int64 if are_whole else np.float64


def _reject_unknown_values(values: np.ndarray, codes: np.ndarray, columns: Sequence[ColumnEncoding]) -> None:
    """Raise where a column whose values were kept as they are holds another value."""
    for column, row, levels in zip(columns, values, codes, strict=True):
        if column.levels is None:
            continue
        present = ~np.isnan(row) if row.dtype.kind == "f" else np.ones(len(row), bool)
        known = np.asarray(column.levels or [np.nan])  # nothing but missing values
        is_other = known[np.where(present, levels, 0)] != row
        if (is_other & present).any():
            raise unknown_values(column.name, str(row[is_other & present][0]))


def known_places(known: ColumnEncoding, levels: Sequence[Any]) -> np.ndarray:
    """The known codes of some levels."""
    place = {level: code for code, level in enumerate(known.levels or ())}
    for level in levels:
        if level not in place:
            raise unknown_values(known.name, repr(level))
    return np.array([place[level] for level in levels], np.int64)


def are_comparable(kind: str, other: str) -> bool:
    """Whether values of two kinds of columns have levels in common; booleans are the numbers 0 and 1."""
    return kind == other or {kind, other} == {"numeric", "boolean"}


_IN_WORDS = {"numeric": "numbers", "boolean": "booleans", "datetime": "times", "duration": "durations",
             "category": "strings or categories"}  # fmt: skip


def unlike_kinds(name: str, kind: str, other: str) -> DataError:
    """The error for a column that is of one kind in some rows and of another in others."""
    return DataError(
        f"Column {name!r} holds {_IN_WORDS[kind]} in one partition and {_IN_WORDS[other]} in another. "
        "Hint: give the column one type in all partitions."
    )


def unknown_values(name: str, what: str) -> DataError:
    """The error for values that have no level."""
    return DataError(
        f"Column {quoted(name)} holds {what}, which it did not hold when its levels were found. "
        "Hint: find the levels on rows that have all values."
    )
