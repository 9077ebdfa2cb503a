"""Columns that have the values of other rows, such as knockoffs."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from entropick.table.readers.inputs import Columns, Input


class ColumnsOfRows:
    """Columns of another input, each with the values of other rows; None for its own."""

    columns_together = 1
    offsets: Mapping[int, int] = MappingProxyType(
        {}
    )  # only levels are asked for, not the values at their ends
    rounded: Sequence[int] = ()  # the other input has told

    def __init__(self, source: Input, columns: Sequence[tuple[int, np.ndarray | None]]) -> None:
        self._source, self._columns = source, columns
        self._numbers: dict[int, np.ndarray] = {}  # columns that were read, as others may be copies of them
        self._categories: dict[int, tuple[np.ndarray, list[Any]]] = {}
        self.n_rows = source.n_rows
        self.names: Sequence[str] = [source.names[j] for j, _ in columns]
        self.kinds = [source.kinds[j] for j, _ in columns]

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        found = []
        for at in columns:
            j, rows = self._columns[at]
            if j not in self._numbers:
                ((_, self._numbers[j]),) = self._source.numeric(np.array([j]))
            values = self._numbers[j]
            found.append((np.array([at]), values if rows is None else np.ascontiguousarray(values[:, rows])))
        return found

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        column, rows = self._columns[j]
        if column not in self._categories:
            self._categories[column] = self._source.category(column)
        codes, levels = self._categories[column]
        return codes if rows is None else codes[rows], levels
