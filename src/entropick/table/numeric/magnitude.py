"""Divide columns of very large or very small numbers by a power of two, so that squares stay finite."""

import numpy as np
import scipy.sparse

ORDINARY = 400  # numbers between 2^-400 and 2^400 are not scaled: even sums of their squares are finite


def extreme_exponents(values: np.ndarray | scipy.sparse.csc_array) -> np.ndarray:
    """Exponent of the power of two above the largest value of each column; 0 for ordinary columns."""
    return exponents_of(*bounds(values))


def bounds(values: np.ndarray | scipy.sparse.csc_array) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest value of each column."""
    low, high = values.min(axis=0), values.max(axis=0)
    return (low, high) if isinstance(values, np.ndarray) else (low.toarray().ravel(), high.toarray().ravel())


def exponents_of(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """`extreme_exponents` of columns with these smallest and largest values."""
    exponents = np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]
    return np.where(np.abs(exponents) > ORDINARY, exponents, 0)


def tamed(
    values: np.ndarray | scipy.sparse.csc_array, exponents: np.ndarray | None = None
) -> np.ndarray | scipy.sparse.csc_array:
    """Scale columns by their `extreme_exponents`, without rounding; ordinary columns do not change.

    Differences, sums and squares of the result are finite. Returns the same array if no column is extreme.
    """
    exponents = extreme_exponents(values) if exponents is None else exponents
    if not exponents.any():
        return values
    if isinstance(values, np.ndarray):
        return np.asfortranarray(np.ldexp(values, -exponents))
    of_stored = np.repeat(exponents, np.diff(values.indptr))
    return scipy.sparse.csc_array(
        (np.ldexp(values.data, -of_stored), values.indices, values.indptr), shape=values.shape
    )
