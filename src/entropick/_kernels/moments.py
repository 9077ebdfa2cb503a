"""Means and variances of columns, within classes and over all rows, and nearness to class means.

Sums run over the values that are not zero, in the order of the rows; zeros come in at the end by their
number. So a sparse column and a dense one of the same values give the same bits.
"""

import numpy as np

from entropick import _core


def dense_moments(
    columns: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    whole: np.ndarray,
    means: np.ndarray,
    variances: np.ndarray,
) -> None:
    """Moments of each row of `columns` (columns, rows).

    whole : (columns, 3) mean, variance and whether the column is constant
    means, variances : (columns, classes); 0 for a class without rows
    """
    _core.dense_moments(np.ascontiguousarray(columns), codes, counts, whole, means, variances)


def sparse_moments(
    starts: np.ndarray,
    rows: np.ndarray,
    data: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    whole: np.ndarray,
    means: np.ndarray,
    variances: np.ndarray,
) -> None:
    """The same for columns of a sparse matrix without stored zeros, rows in order."""
    _core.sparse_moments(
        starts.astype(np.int64, copy=False), rows, data, codes, counts, whole, means, variances
    )


def count_tokens(columns: np.ndarray, codes: np.ndarray, class_means: np.ndarray, counts: np.ndarray) -> None:
    """Count rows by how much nearer they are to the mean of their own class than to the next other one.

    The nearness d_other / (d_own + d_other) of squared distances lies in [0, 1]; `counts` (columns, tokens)
    counts its equal parts. A value at distance 0 from both tells nothing and has nearness 0.
    """
    _core.count_tokens(np.ascontiguousarray(columns), codes, class_means, counts)
