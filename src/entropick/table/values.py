"""Columns as plain numbers: what measures of spread, correlation and projection work on."""

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse

from entropick.table.inputs import SparseInput, open_input
from entropick.table.magnitude import extreme_exponents
from entropick.table.memory import freeze

Values: TypeAlias = np.ndarray | scipy.sparse.csc_array


def make_values(X: Any) -> Values:
    """Read a table of any container as numbers, one column per column.

    Times are microseconds, booleans 0 and 1, categories the numbers of their levels in sorted order (so that
    yes/no categories mean what they should, and for more levels the order is a mere convention). A missing
    value is the mean of its column, which leaves sums of products as they are; a column without
    any value is 0.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or dataframe, without infinite values

    Returns
    -------
    values : float64 (rows, columns), in column order; a sparse matrix stays one (missing values in it
        become means too)
    """
    source = open_input(X)
    if isinstance(source, SparseInput):
        matrix = scipy.sparse.csc_array(source.matrix, dtype=np.float64)
        return _fill_stored(matrix) if np.isnan(matrix.data).any() else matrix
    values = np.empty((source.n_rows, len(source.names)), np.float64, order="F")
    for j in range(len(source.names)):
        if source.kind(j) == "category":
            codes, _ = source.category(j)
            column = np.where(codes < 0, np.nan, codes)
        else:
            column = source.numeric([j])[0].astype(np.float64)
        missing = np.isnan(column)
        if missing.any():
            column[missing] = _mean(column[~missing]) if not missing.all() else 0.0
        values[:, j] = column
    freeze(values)
    return values


def _mean(column: np.ndarray) -> float:
    """The mean, also of numbers whose sum is no float."""
    exponent = extreme_exponents(column[:, None])[0]
    return float(np.ldexp(np.ldexp(column, -exponent).mean(), exponent))


def _fill_stored(matrix: scipy.sparse.csc_array) -> scipy.sparse.csc_array:
    """The missing values among the stored ones as the means of their columns."""
    matrix = matrix.copy()
    missing = np.isnan(matrix.data)
    column_of = np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
    n_missing = np.bincount(column_of[missing], minlength=matrix.shape[1])
    sums = np.bincount(column_of[~missing], matrix.data[~missing], minlength=matrix.shape[1])
    means = sums / np.maximum(matrix.shape[0] - n_missing, 1)
    matrix.data[missing] = means[column_of[missing]]
    return matrix
