"""The columns of measures of numbers, which of them are copies, and common parameters."""

import hashlib
from numbers import Integral, Real
from typing import Any

import numpy as np

from entropick._base.compat import Interval, RealNotInt, StrOptions
from entropick._base.wording import counted
from entropick.exceptions import DataError
from entropick.table.numeric.magnitude import extreme_exponents, tamed
from entropick.table.numeric.numbers import Numbers
from entropick.table.table import Table

SCALING: dict[str, Any] = {"scaling": [StrOptions({"std", "range"}), None]}
POSITIVE = [Interval(Real, 0, None, closed="neither")]
COUNT = [Interval(Integral, 1, None, closed="left")]
COUNT_OR_SHARE = [*COUNT, Interval(RealNotInt, 0, 1, closed="right"), None]


def count_of(wanted: float | None, n_columns: int, default: int) -> int:
    """The number of columns that `COUNT_OR_SHARE` stands for."""
    if wanted is None or isinstance(wanted, Integral):
        return min(int(wanted or default), n_columns)
    return max(1, round(wanted * n_columns))


def values_of(table: Table) -> Numbers:
    """The columns of a table of at least two rows, `tamed`."""
    return tamed(_comparable(table))


def values_in_units(table: Table, scaling: str | None) -> Numbers:
    """As `values_of`, but keep the units if `scaling` is None, and reject numbers too large for that."""
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
    """The first column with the same values, for each column."""
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(_content(values, j), j) for j in range(values.shape[1])])


def _content(values: Numbers, j: int) -> bytes:
    """A hash of the values in column j."""
    if isinstance(values, np.ndarray):
        return hashlib.blake2b(values[:, j].tobytes(), digest_size=16).digest()
    stored = slice(values.indptr[j], values.indptr[j + 1])
    rows, entries = values.indices[stored], values.data[stored]
    order = np.argsort(rows[entries != 0], kind="stable")
    parts = (rows[entries != 0][order].tobytes(), entries[entries != 0][order].tobytes())
    return hashlib.blake2b(b"".join(parts), digest_size=16).digest()


def column_block(values: Numbers, start: int, stop: int) -> np.ndarray:
    """Copy some columns to a dense array."""
    block = values[:, start:stop]
    return block.toarray() if not isinstance(block, np.ndarray) else np.array(block)


def dense(values: Numbers) -> np.ndarray:
    """The columns as a dense array."""
    return np.asfortranarray(values.toarray()) if not isinstance(values, np.ndarray) else values
