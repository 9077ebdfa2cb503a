"""Columns of codes as the compiled loops see them, and tables of their counts."""

import numpy as np

from entropick import _core
from entropick._base.threads import Threads
from entropick.table.codes import Codes, DensePart, freeze

# A dense column is also listed by its unusual rows if these are at most one row in ten (then the
# list takes no more than half the memory of the codes) and its levels few.
UNUSUAL_SHARE = 0.1
UNUSUAL_LEVELS = 8


def listed_table(codes: Codes, table: _core.CodeTable, threads: Threads) -> _core.CodeTable:
    """The table with dense columns that mostly have one level as lists of their other rows."""
    n_rows, is_dense = codes.n_rows, np.zeros(codes.n_columns, bool)
    for part in codes.parts:
        is_dense[part.columns] = isinstance(part, DensePart)
    few = np.flatnonzero(is_dense & (codes.n_levels <= UNUSUAL_LEVELS))
    usual, n_unusual = np.empty((2, len(few)), np.int64)

    def count(start: int, stop: int) -> None:
        table.usual_levels(few[start:stop], usual[start:stop], n_unusual[start:stop])

    threads.run(count, len(few), seconds_per_item=n_rows * 1e-9)
    is_listed = n_unusual <= UNUSUAL_SHARE * n_rows
    listed, usual = few[is_listed], usual[is_listed]
    if not len(listed):
        return table
    starts = np.concatenate([[0], np.cumsum(n_unusual[is_listed])])
    rows, levels = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint8)

    def fill(start: int, stop: int) -> None:
        table.list_unusual(listed[start:stop], usual[start:stop], starts[start:stop], rows, levels)

    threads.run(fill, len(listed), seconds_per_item=n_rows * 1e-9)
    freeze(starts, rows, levels)
    return codes.compiled((listed, starts, rows, levels, usual))


def count_tables(codes: Codes, columns: np.ndarray, beside: np.ndarray, n_beside: int) -> np.ndarray:
    """Rows of each level of some columns, by the number `beside` of each row; one table after the other."""
    beside = beside.astype(np.uint8 if n_beside <= 256 else np.uint16 if n_beside <= 65536 else np.uint32)
    tables = np.zeros(codes.n_levels[columns].sum() * n_beside, np.int64)
    codes.compiled().count_tables(columns, beside, n_beside, tables)
    return tables


def level_sizes(codes: Codes) -> tuple[np.ndarray, np.ndarray]:
    """Rows of each level, column after column, and where the levels of each column begin."""
    sizes = count_tables(codes, np.arange(codes.n_columns), np.zeros(codes.n_rows, np.uint8), 1)
    return sizes, level_starts(codes.n_levels)


def level_starts(n_levels: np.ndarray) -> np.ndarray:
    """Where the levels of each column begin, if all levels stand one after the other."""
    return np.asarray(np.cumsum(n_levels) - n_levels)
