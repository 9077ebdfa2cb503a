"""What measures of numbers share: the columns, and which of them are copies."""

import hashlib
from typing import Any

import numpy as np

from entropick._base.compat import StrOptions
from entropick._base.wording import counted
from entropick.exceptions import DataError
from entropick.table.numeric.magnitude import extreme_exponents, tamed
from entropick.table.numeric.numbers import Numbers
from entropick.table.table import Table

SCALING: dict[str, Any] = {"scaling": [StrOptions({"std", "range"}), None]}


def values_of(table: Table) -> Numbers:
    """The columns of a table as numbers whose squares are floats; at least two rows, to compare them.

    Columns of very large or very small numbers are divided by a power of two.
    """
    return tamed(_comparable(table))


def values_in_units(table: Table, scaling: str | None) -> Numbers:
    """As `values_of`, but without any scaling the units stay, and numbers too large for that are refused."""
    values = _comparable(table)
    if scaling is not None:
        return tamed(values)
    too_large = np.flatnonzero(extreme_exponents(values) > 0)
    if len(too_large):
        name, largest = table.units.name_of(too_large[0]), abs(values[:, too_large[:1]]).max()
        raise DataError(
            f"Without scaling, distances between rows would overflow: column {name!r} holds numbers as "
            f"large as {largest:.3g}. Hint: use scaling='range', or another unit for this column."
        )
    return values


def _comparable(table: Table) -> Numbers:
    if table.n_rows < 2:
        raise DataError(f"At least two rows are needed, got {counted(table.n_rows, 'sample')}.")
    return table.numbers


def first_copies(values: Numbers) -> np.ndarray:
    """For each column the first one with the same values."""
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(_content(values, j), j) for j in range(values.shape[1])])


def _content(values: Numbers, j: int) -> bytes:
    """A short name of the values in column j, the same for the same values only."""
    if isinstance(values, np.ndarray):
        return hashlib.blake2b(values[:, j].tobytes(), digest_size=16).digest()
    stored = slice(values.indptr[j], values.indptr[j + 1])
    rows, entries = values.indices[stored], values.data[stored]
    order = np.argsort(rows[entries != 0], kind="stable")
    parts = (rows[entries != 0][order].tobytes(), entries[entries != 0][order].tobytes())
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


def column_block(values: Numbers, start: int, stop: int) -> np.ndarray:
    """Some columns as a dense array of their own."""
    block = values[:, start:stop]
    return block.toarray() if not isinstance(block, np.ndarray) else np.array(block)


def dense(values: Numbers) -> np.ndarray:
    """The columns as a dense array, for methods that need one."""
    return np.asfortranarray(values.toarray()) if not isinstance(values, np.ndarray) else values
