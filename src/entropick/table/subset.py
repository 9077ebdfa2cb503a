"""Some rows of a table, for measures that try something out on a part of the rows."""

import dataclasses

import numpy as np

from entropick.table.memory import freeze, padded, smallest_dtype
from entropick.table.table import DensePart, Table


def take_rows(table: Table, rows: np.ndarray) -> Table:
    """The table of these rows, with the levels and classes of the whole one; all columns become dense."""
    by_width: dict[np.dtype, list[int]] = {}
    for j, n_levels in enumerate(table.n_levels.tolist()):
        by_width.setdefault(smallest_dtype(n_levels), []).append(j)
    parts = []
    for dtype, columns in by_width.items():
        codes = np.zeros((len(columns), padded(len(rows))), dtype)
        for k, j in enumerate(columns):
            codes[k, : len(rows)] = table.column(j)[rows]
        places = np.array(columns, np.int64)
        freeze(codes, places)
        parts.append(DensePart(places, codes))
    target = table.target
    if target is not None:
        values = None if target.values is None else target.values[rows]
        target = dataclasses.replace(target, codes=target.codes[rows], values=values)
    numbers = table.values
    if isinstance(numbers, np.ndarray):
        numbers = np.asfortranarray(numbers[rows])
    elif numbers is not None:
        numbers = numbers.tocsr()[rows].tocsc()
    return dataclasses.replace(
        table, n_rows=len(rows), parts=tuple(parts), target=target, space=None, values=numbers
    )
