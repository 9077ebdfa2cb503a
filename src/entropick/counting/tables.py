"""Tables of counts of columns, alone or beside something else."""

import numpy as np

from entropick import _core
from entropick.table.codes import Codes, SparsePart


def count_tables(codes: Codes, columns: np.ndarray, beside: np.ndarray, n_beside: int) -> np.ndarray:
    """Rows of each level of some columns, by the number `beside` of each row; one table after the other."""
    beside = beside.astype(np.uint8 if n_beside <= 256 else np.uint16 if n_beside <= 65536 else np.uint32)
    n_levels = codes.n_levels[columns]
    starts = np.concatenate([[0], np.cumsum(n_levels * n_beside)])
    tables = np.zeros(starts[-1], np.int64)
    for p, stored in enumerate(codes.parts):
        here = np.flatnonzero(codes.part_of[columns] == p)
        if isinstance(stored, SparsePart):
            for k in here.tolist():
                cells = codes.column(int(columns[k])).astype(np.int64) * n_beside + beside
                tables[starts[k] : starts[k + 1]] = np.bincount(cells, minlength=n_levels[k] * n_beside)
        elif len(here):
            place = codes.place[columns[here]]
            _core.count_tables(
                stored.codes, n_levels[here], place, beside, n_beside, codes.n_rows, starts[here], tables
            )
    return tables


def level_sizes(codes: Codes) -> tuple[np.ndarray, np.ndarray]:
    """Rows of each level, column after column, and where the levels of each column begin."""
    sizes = count_tables(codes, np.arange(codes.n_columns), np.zeros(codes.n_rows, np.uint8), 1)
    return sizes, level_starts(codes.n_levels)


def level_starts(n_levels: np.ndarray) -> np.ndarray:
    """Where the levels of each column begin, if all levels stand one after the other."""
    return np.asarray(np.cumsum(n_levels) - n_levels)
