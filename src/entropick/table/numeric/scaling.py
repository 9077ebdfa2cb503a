"""Scale columns of numbers, and find constant ones."""

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.sparsefuncs import mean_variance_axis

from entropick.table.numeric.magnitude import bounds
from entropick.table.numeric.numbers import Numbers

ROUNDING = 1e-14  # a smaller spread relative to the largest value is rounding (imputed means)
BLOCK_VALUES = 1 << 22  # numbers held at once beside the table (32 MB)


def is_constant(values: Numbers) -> np.ndarray:
    """True for columns of one value, up to rounding."""
    return is_narrow(*bounds(values))


def is_narrow(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether the smallest and the largest value are equal, up to rounding."""
    # halves, because the difference of two finite numbers need not be finite
    return np.asarray(high / 2 - low / 2 <= ROUNDING / 2 * np.maximum(np.abs(low), np.abs(high)))


def stored_constants(matrix: Any, lengths: np.ndarray) -> np.ndarray:
    """Columns of exactly one value in a CSR or CSC matrix without repeated entries.

    Parameters
    ----------
    matrix : the matrix
    lengths : how many values each column stores
    """
    n_rows, n_columns = matrix.shape
    first = matrix[:1].toarray()[0]
    varies = (first != 0) & (lengths < n_rows)
    is_gap, n_stored = np.isnan(first), int(matrix.indptr[-1])
    if np.count_nonzero(matrix.data[:n_stored]) == n_stored:  # then only columns without a 0 need a look
        varies |= (lengths > 0) & (lengths < n_rows)
        n_stored = n_stored if (lengths == n_rows).any() else 0
    for start in range(0, n_stored, BLOCK_VALUES):
        stop = min(start + BLOCK_VALUES, n_stored)
        values, places = matrix.data[start:stop], matrix.indices[start:stop]
        if matrix.format == "csc":
            places = np.repeat(np.arange(n_columns), np.diff(np.clip(matrix.indptr, start, stop)))
        is_same = (values == first[places]) | (np.isnan(values) & is_gap[places])
        varies[places[~is_same]] = True
    return np.flatnonzero(~varies)


def blocks_of_columns(values: Numbers) -> range:
    """Where blocks of columns start; the step is their width."""
    n_rows, n_columns = values.shape
    return range(0, n_columns, max(1, BLOCK_VALUES // n_rows))


def scaled(values: Numbers, scaling: str | None) -> Numbers:
    """Scale columns so that their units do not matter, and centre dense ones.

    Parameters
    ----------
    values : the columns
    scaling : "std" divides by the standard deviation, "range" by the range, None keeps the units;
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
    """The factor of each column; 0 for constant columns."""
    constant = is_constant(values)
    if scaling is None:
        return np.where(constant, 0.0, 1.0)
    # divide by the largest value first: squares of very large or small numbers overflow
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
