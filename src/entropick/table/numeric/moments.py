"""Means and variances of columns of numbers, of one table or merged from its parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from entropick import _core
from entropick._base.threads import Threads
from entropick.table.numeric.magnitude import exponents_of
from entropick.table.numeric.numbers import Numbers


@dataclass(frozen=True)
class Moments:
    """Means and population variances of every column.

    Attributes
    ----------
    mean, variance : (columns,), over all rows
    is_constant : (columns,), whether all values are equal
    class_means, class_variances : (columns, classes); 0 for a class without rows
    class_counts : (classes,), number of rows
    """

    mean: np.ndarray
    variance: np.ndarray
    is_constant: np.ndarray
    class_means: np.ndarray
    class_variances: np.ndarray
    class_counts: np.ndarray

    @classmethod
    def merged(cls, parts: Sequence["Moments"]) -> "Moments":
        """Merge the moments of parts of the rows, up to rounding."""
        parts = [part for part in parts if part.class_counts.sum()] or [parts[0]]
        counts = np.stack([part.class_counts for part in parts])
        sizes = counts.sum(axis=1)
        mean, variance = _pooled(
            np.stack([part.mean for part in parts]),
            np.stack([part.variance for part in parts]),
            (sizes / max(1, sizes.sum()))[:, None],
        )
        class_means, class_variances = _pooled(
            np.stack([part.class_means for part in parts]),
            np.stack([part.class_variances for part in parts]),
            (counts / np.maximum(1, counts.sum(axis=0)))[:, None, :],
        )
        is_constant = np.all([part.is_constant & (part.mean == parts[0].mean) for part in parts], axis=0)
        return cls(
            np.where(is_constant, parts[0].mean, mean), np.where(is_constant, 0.0, variance), is_constant,
            class_means, class_variances, counts.sum(axis=0),
        )  # fmt: skip


def _pooled(means: np.ndarray, variances: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of all rows, given those of parts (first axis) and their shares of the rows."""
    mean = (shares * means).sum(axis=0)
    return mean, (shares * (variances + (means - mean) ** 2)).sum(axis=0)


def compute_moments(
    values: Numbers, threads: Threads, codes: np.ndarray | None = None, n_classes: int = 1
) -> Moments:
    """Compute the moments of every column; without `codes` all rows are one class."""
    n_rows, n_columns = values.shape
    codes = np.zeros(n_rows, np.int32) if codes is None else codes
    of_classes = _core.ClassMoments(codes, n_classes)
    whole = np.empty((n_columns, 3))
    means, variances = np.empty((2, n_columns, n_classes))
    if not isinstance(values, np.ndarray):
        values = without_stored_zeros(values)

    def run(start: int, stop: int) -> None:
        out = whole[start:stop], means[start:stop], variances[start:stop]
        if isinstance(values, np.ndarray):
            of_classes.of_dense(np.ascontiguousarray(values.T[start:stop]), *out)
        else:
            starts = values.indptr[start : stop + 1].astype(np.int64, copy=False)
            of_classes.of_sparse(starts, values.indices, values.data, *out)

    threads.run(run, n_columns, n_rows * 4e-9 + 1e-7)
    counts = np.bincount(codes, minlength=n_classes)
    return Moments(whole[:, 0], whole[:, 1], whole[:, 2] == 1.0, means, variances, counts)


def moments_by_row(table: Any, threads: Threads, codes: np.ndarray, n_classes: int) -> Moments | None:
    """The same moments of a table as it was passed, if it is stored row by row; else None.

    Nothing is copied. None also if a value is missing or infinite, or very large or small.
    """
    is_sparse = scipy.sparse.issparse(table)
    if not ((is_sparse and table.format == "csr") or (isinstance(table, np.ndarray) and _is_by_row(table))):
        return None
    if table.dtype != np.float64 or table.shape[0] < 2:
        return None
    of_classes, n_columns = _core.ClassMoments(codes, n_classes), table.shape[1]
    whole = np.empty((n_columns, 5))
    means, variances = np.empty((2, n_columns, n_classes))

    def run(start: int, stop: int) -> None:
        of_classes.of_table(table, start, whole[start:stop], means[start:stop], variances[start:stop])

    if not is_sparse:
        threads.run(run, n_columns, table.shape[0] * 4e-9 + 1e-7)
    else:
        parts = table.indptr.astype(np.int64, copy=False), table.indices, table.data
        if not of_classes.of_rows(*parts, whole, means, variances):
            return None
    mean, variance, is_constant, low, high = whole.T
    if not np.isfinite(mean).all() or exponents_of(low, high).any():
        return None
    counts = np.bincount(codes, minlength=n_classes)
    return Moments(mean, variance, is_constant == 1.0, means, variances, counts)


def _is_by_row(table: np.ndarray) -> bool:
    """Whether rows lie in memory one after the other, so that the core can read them."""
    return (
        table.ndim == 2 and table.flags.aligned and table.strides[1] == 8 <= table.strides[0] / table.shape[1]
    )


def without_stored_zeros(matrix: scipy.sparse.csc_array) -> scipy.sparse.csc_array:
    """Sort the rows of a matrix, merge repeated entries and drop stored zeros; copies if necessary."""
    if not matrix.has_canonical_format or (matrix.data == 0).any():
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    return matrix
