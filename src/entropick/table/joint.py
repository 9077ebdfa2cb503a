"""Several columns read as one: its levels are the combinations of values that occur."""

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from entropick.table.memory import freeze, padded, smallest_dtype
from entropick.table.table import ColumnEncoding, DensePart, SparsePart, Table


def joint_levels(columns: Iterable[np.ndarray], n_rows: int) -> tuple[np.ndarray, int]:
    """Level of each row in the joint of `columns`, and how many levels occur.

    Levels are numbered in the order of the columns' own levels. No columns give one level.
    """
    codes, n_levels = np.zeros(n_rows, np.int64), min(n_rows, 1)
    for column in columns:
        width = int(column.max(initial=0)) + 1
        present, codes = np.unique(codes * width + column, return_inverse=True)
        n_levels = len(present)
    return codes, n_levels


def join_columns(table: Table, groups: Sequence[Sequence[int]]) -> Table:
    """One column per group of columns; groups of one keep their column as it is stored."""
    parts: list[DensePart | SparsePart] = []
    encodings: list[ColumnEncoding | None] = [None] * len(groups)
    single = {members[0]: g for g, members in enumerate(groups) if len(members) == 1}
    for j, g in single.items():
        encodings[g] = table.encodings[j]
    for part in table.parts:
        kept = np.array([k for k, j in enumerate(part.columns) if int(j) in single], np.int64)
        if len(kept):
            columns = np.array([single[int(part.columns[k])] for k in kept], np.int64)
            parts.append(_take(part, kept, columns))
    joined: dict[np.dtype, list[tuple[int, np.ndarray]]] = {}
    for g, members in enumerate(groups):
        if len(members) > 1:
            levels, n_levels = joint_levels((table.column(j) for j in members), table.n_rows)
            dtype = smallest_dtype(n_levels)
            joined.setdefault(dtype, []).append((g, levels.astype(dtype)))
            name = " + ".join(table.encodings[j].name for j in members)
            by_target = any(table.encodings[j].by_target for j in members)
            encodings[g] = ColumnEncoding(name, "group", n_levels, by_target=by_target)
    parts += [_stack(made, dtype, table.n_rows) for dtype, made in joined.items()]
    made = tuple(encoding for encoding in encodings if encoding is not None)
    columns_of = tuple(tuple(group) for group in groups)
    return dataclasses.replace(table, encodings=made, parts=tuple(parts), members=columns_of)


def _stack(made: list[tuple[int, np.ndarray]], dtype: np.dtype, n_rows: int) -> DensePart:
    """Joined columns of one width as a part."""
    columns = np.array([g for g, _ in made], np.int64)
    codes = np.zeros((len(made), padded(n_rows)), dtype)
    for k, (_, levels) in enumerate(made):
        codes[k, :n_rows] = levels
    freeze(columns, codes)
    return DensePart(columns, codes)


def _take(part: DensePart | SparsePart, kept: np.ndarray, columns: np.ndarray) -> DensePart | SparsePart:
    """Some columns of a part, under new positions."""
    if isinstance(part, DensePart):
        codes = part.codes if len(kept) == len(part.columns) else part.codes[kept]
        freeze(codes, columns)
        return DensePart(columns, codes)
    lengths = np.diff(part.starts)[kept]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    stored = np.concatenate([np.arange(part.starts[k], part.starts[k + 1]) for k in kept])
    rows, codes, usual = part.rows[stored], part.codes[stored], part.usual[kept]
    freeze(columns, starts, rows, codes, usual)
    return SparsePart(columns, starts, rows, codes, usual)
