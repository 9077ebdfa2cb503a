"""What measures of numbers share: columns on one scale, constants and copies, scores of groups."""

import hashlib
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.sparsefuncs import mean_variance_axis

from entropick._base.compat import StrOptions
from entropick._base.wording import counted
from entropick.exceptions import DataError
from entropick.table.magnitude import bounds, extreme_exponents, tamed
from entropick.table.numbers import Numbers
from entropick.table.table import Table

SCALING: dict[str, Any] = {"scaling": [StrOptions({"std", "range"}), None]}

ROUNDING = 1e-14  # a spread below this share of the largest value is left by rounding (means of gaps)
BLOCK_VALUES = 1 << 22  # numbers held at once beside the table (32 MB)


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
        name, largest = column_name(table, too_large[0]), abs(values[:, too_large[:1]]).max()
        raise DataError(
            f"Without scaling, distances between rows would overflow: column {name!r} holds numbers as "
            f"large as {largest:.3g}. Hint: use scaling='range', or another unit for this column."
        )
    return values


def _comparable(table: Table) -> Numbers:
    if table.n_rows < 2:
        raise DataError(f"At least two rows are needed, got {counted(table.n_rows, 'sample')}.")
    return table.numbers


def column_name(table: Table, column: int) -> str:
    """The name of a column, or that of the group it belongs to."""
    if table.members is None:
        return table.names[column]
    return table.names[next(u for u, members in enumerate(table.members) if column in members)]


def unit_scores(scores: np.ndarray, table: Table) -> np.ndarray:
    """Scores of columns as scores of units: a group is as good as the best of its columns."""
    if table.members is None:
        return scores
    return np.array([scores[list(columns)].max() for columns in table.members])


def is_constant(values: Numbers) -> np.ndarray:
    """True for columns of one value, up to rounding."""
    return is_narrow(*bounds(values))


def is_narrow(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether the least and the largest value are one, up to rounding."""
    # halves, because the difference of two finite numbers need not be finite
    return np.asarray(high / 2 - low / 2 <= ROUNDING / 2 * np.maximum(np.abs(low), np.abs(high)))


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


def blocks_of_columns(values: Numbers) -> range:
    """Where blocks of columns start; the step is their width."""
    n_rows, n_columns = values.shape
    return range(0, n_columns, max(1, BLOCK_VALUES // n_rows))


def scaled(values: Numbers, scaling: str | None) -> Numbers:
    """Columns on one scale, so that units do not decide, with mean 0 where they are dense.

    Parameters
    ----------
    values : the columns
    scaling : "std" divides by the standard deviation, "range" by the range, None leaves the units;
        constant columns become 0
    """
    if not isinstance(values, np.ndarray):
        return values @ scipy.sparse.diags_array(_factors(values, scaling))
    centred = np.empty(values.shape, np.float64, order="F")
    constant = is_constant(values)
    for start in (blocks := blocks_of_columns(values)):
        some = slice(start, start + blocks.step)
        block = values[:, some] - values[:, some].mean(axis=0)
        block[:, constant[some]] = 0.0
        centred[:, some] = block * _factors(block, scaling)
    return centred


def _factors(values: Numbers, scaling: str | None) -> np.ndarray:
    """What to multiply each column with; columns that are constant get 0."""
    constant = is_constant(values)
    if scaling is None:
        return np.where(constant, 0.0, 1.0)
    # relative to the largest value first: squares of very large or small numbers leave the floats
    if not isinstance(values, np.ndarray):
        largest = np.maximum(abs(values).max(axis=0).toarray().ravel(), np.finfo(float).tiny)
        relative = values @ scipy.sparse.diags_array(1 / largest)
        if scaling == "range":
            extent = (relative.max(axis=0) - relative.min(axis=0)).toarray().ravel()
        else:
            extent = np.sqrt(mean_variance_axis(relative.tocsc(), axis=0)[1])
    else:
        largest = np.maximum(np.abs(values).max(axis=0), np.finfo(float).tiny)
        extent = (np.ptp if scaling == "range" else np.std)(values / largest, axis=0)
    return np.asarray(
        np.divide(1 / largest, extent, out=np.zeros(len(extent)), where=~constant & (extent > 0))
    )


def dense(values: Numbers) -> np.ndarray:
    """The columns as a dense array, for methods that need one."""
    return np.asfortranarray(values.toarray()) if not isinstance(values, np.ndarray) else values
