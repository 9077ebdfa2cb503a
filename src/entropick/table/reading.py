"""Each column is read once, and shown to every view that is to be made of it."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from entropick.exceptions import DataError
from entropick.table.inputs import Input
from entropick.workers import Workers

BLOCK_VALUES = 1 << 20  # values of a numeric block held at once by each thread (8 MB of floats)
BLOCK_COLUMNS = 64


class View(Protocol):
    """Something made of the columns while they are read."""

    def take_category(self, j: int, codes: np.ndarray, levels: list[Any]) -> None:
        """Take in a category: its codes, -1 where missing, and its levels."""

    def allocate(self, numeric: Sequence[int]) -> bool:
        """Make room: all categories were read. Whether numeric columns are to follow as numbers."""

    def take_numbers(self, columns: Sequence[int], values: np.ndarray) -> None:
        """Take in numeric columns of one type, (columns, rows); called from several threads."""


def read_columns(source: Input, views: Sequence[View], workers: Workers) -> None:
    """Read all columns of a table, a block at a time, in threads."""
    numeric = [j for j in range(len(source.names)) if source.kind(j) != "category"]
    if len(numeric) < len(source.names):
        is_numeric = set(numeric)
        for j in range(len(source.names)):
            if j not in is_numeric:
                codes, levels = source.category(j)
                for view in views:
                    view.take_category(j, codes, levels)
    views = [view for view in views if view.allocate(numeric)]
    if not views:
        return
    block = max(1, min(BLOCK_COLUMNS, BLOCK_VALUES // source.n_rows))

    def read(start: int, stop: int) -> None:
        for first in range(start * block, min(stop * block, len(numeric)), block):
            for columns, values in source.numeric(numeric[first : first + block]):
                for view in views:
                    view.take_numbers(columns, values)

    workers.run(read, -(-len(numeric) // block), seconds_per_item=block * source.n_rows * 2e-8)


def counted(n: int, thing: str) -> str:
    """1 thing, 2 things."""
    return f"{n} {thing}{'' if n == 1 else 's'}"


def refuse_infinite(values: np.ndarray, names: Sequence[str]) -> None:
    """Raise where a column (columns, rows) holds an infinite value."""
    if values.dtype.kind != "f" or not np.isinf(values).any():
        return
    row, at = np.argwhere(np.isinf(values))[0].tolist()
    raise DataError(
        f"Column {names[row]!r} holds an infinite value (row {at}: {values[row, at]}); values must "
        "be finite or missing. Hint: clip it, or replace it by NaN to make it a missing value."
    )


def refuse_missing(name: str, n_missing: int, missing: str) -> None:
    """Raise where a column has missing values and `missing` refuses them."""
    if n_missing and missing == "error":
        raise DataError(
            f"Column {name!r} has {counted(n_missing, 'missing value')}, which missing='error' refuses. "
            "Hint: fill them in, drop the rows or the column, or use missing='level'."
        )
