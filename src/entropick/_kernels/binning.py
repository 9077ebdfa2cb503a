"""Cutting numeric columns into levels.

Every strategy ends in *edges*: the largest value of each level but the last. The level of a value
is the number of edges below it. No level is empty and equal values are never separated.
"""

import numpy as np

from entropick import _core

QUANTILE, UNIFORM = 0, 1


def find_quantile_edges(
    values: np.ndarray,
    n_bins: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
    n_missing: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    done: np.ndarray,
) -> None:
    """Quantile edges of several columns without ordering them wholly.

    Parameters
    ----------
    values : (b, n); n_bins : levels wanted
    edges, n_edges, kept : filled as by `find_edges`
    n_missing : int64 (b,), low, high : (b,), filled: missing values, least and largest value
    done : bool (b,), filled: False where the column must be ordered after all
    """
    _core.find_quantile_edges(values, n_bins, edges, n_edges, kept, n_missing, low, high, done)


def find_edges(
    ordered: np.ndarray,
    n_valid: np.ndarray,
    n_bins: int,
    strategy: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
) -> None:
    """Edges of several columns.

    Parameters
    ----------
    ordered : (b, n), each row in ascending order, missing values last
    n_valid : int64 (b,), values that are not missing
    n_bins, strategy : how many levels at most, and QUANTILE or UNIFORM
    edges : (b, n_bins - 1), filled; n_edges : int64 (b,), filled
    kept : bool (b,), filled: whether the column's values were few enough to keep
    """
    _core.find_edges(ordered, n_valid, n_bins, strategy, edges, n_edges, kept)


def find_sparse_edges(
    data: np.ndarray,
    starts: np.ndarray,
    n_rows: int,
    n_bins: int,
    strategy: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
    last: np.ndarray,
    n_missing: np.ndarray,
) -> None:
    """As `find_edges` for columns of a CSC matrix, whose unstored values are zeros."""
    _core.find_sparse_edges(data, starts, n_rows, n_bins, strategy, edges, n_edges, kept, last, n_missing)


def find_mdlp_edges(
    ordered: np.ndarray,
    labels: np.ndarray,
    n_valid: np.ndarray,
    n_bins: int,
    n_classes: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
) -> None:
    """Edges of several columns by recursive class-entropy cuts (Fayyad and Irani 1993).

    Parameters
    ----------
    ordered : (b, n), each row in ascending order, missing values last
    labels : int32 (b, n), the classes in the same order
    n_valid : int64 (b,); n_bins : columns with at most so many values keep them
    edges : (b, most edges), filled; n_edges : int64 (b,), filled; kept : as in `find_edges`
    """
    _core.find_mdlp_edges(ordered, labels, n_valid, n_bins, n_classes, edges, n_edges, kept)


def assign_levels(
    values: np.ndarray,
    edges: np.ndarray,
    n_edges: np.ndarray,
    missing_level: np.ndarray,
    codes: np.ndarray,
) -> None:
    """Level of each value: the number of edges below it, or the column's level for missing values.

    Parameters
    ----------
    values : (b, n); edges : (b, most edges); n_edges : int64 (b,)
    missing_level : int64 (b,), -1 where nothing is missing
    codes : unsigned (b, at least n), filled
    """
    _core.assign_levels(values, edges, n_edges, missing_level, codes)


def assign_sparse_levels(
    data: np.ndarray,
    starts: np.ndarray,
    edges: np.ndarray,
    n_edges: np.ndarray,
    missing_level: np.ndarray,
    codes: np.ndarray,
) -> None:
    """Levels of the stored values of a CSC matrix; `codes` is as long as `data`."""
    _core.assign_sparse_levels(data, starts, edges, n_edges, missing_level, codes)
