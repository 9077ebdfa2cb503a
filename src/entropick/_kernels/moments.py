"""Means and variances of columns, within classes and over all rows, and nearness to class means.

Sums run over the values that are not zero, in the order of the rows; zeros come in at the end by their
number. So a sparse column and a dense one of the same values give the same bits.
"""

import numpy as np

from entropick._kernels.jit import helper, kernel


@helper
def _column_moments(rows, data, n_stored, codes, counts, whole, means, variances, squares, stored):
    """Moments of one column given its values that are not zero; `whole` gets mean, variance, constancy."""
    n_rows = len(codes)
    n_classes = len(counts)
    total = 0.0
    means[:] = 0.0
    squares[:] = 0.0
    stored[:] = 0
    is_constant = n_stored == 0 or n_stored == n_rows
    for i in range(n_stored):
        g = codes[rows[i]]
        total += data[i]
        means[g] += data[i]
        stored[g] += 1
        if data[i] != data[0]:
            is_constant = False
    if is_constant:
        value = data[0] if n_stored else 0.0
        means[:] = value
        variances[:] = 0.0
        whole[0], whole[1], whole[2] = value, 0.0, 1.0
        return
    mean = total / n_rows
    for g in range(n_classes):
        means[g] /= max(counts[g], 1)
    square = 0.0
    for i in range(n_stored):
        g = codes[rows[i]]
        square += (data[i] - mean) ** 2
        squares[g] += (data[i] - means[g]) ** 2
    for g in range(n_classes):
        squares[g] += (counts[g] - stored[g]) * means[g] ** 2
        variances[g] = squares[g] / max(counts[g], 1)
    whole[0] = mean
    whole[1] = (square + (n_rows - n_stored) * mean**2) / n_rows
    whole[2] = 0.0


@kernel
def dense_moments(columns, codes, counts, whole, means, variances):
    """Moments of each row of `columns` (columns, rows).

    whole : (columns, 3) mean, variance and whether the column is constant
    means, variances : (columns, classes); 0 for a class without rows
    """
    n_columns, n_rows = columns.shape
    rows, data = np.empty(n_rows, np.int64), np.empty(n_rows)
    squares, stored = np.empty(len(counts)), np.empty(len(counts), np.int64)
    for j in range(n_columns):
        n_stored = 0
        for i in range(n_rows):
            if columns[j, i] != 0.0:
                rows[n_stored] = i
                data[n_stored] = columns[j, i]
                n_stored += 1
        _column_moments(
            rows, data, n_stored, codes, counts, whole[j], means[j], variances[j], squares, stored
        )


@kernel
def sparse_moments(starts, rows, data, codes, counts, whole, means, variances):
    """The same for columns of a sparse matrix without stored zeros, rows in order."""
    squares, stored = np.empty(len(counts)), np.empty(len(counts), np.int64)
    for j in range(len(whole)):
        own = slice(starts[j], starts[j + 1])
        _column_moments(
            rows[own], data[own], starts[j + 1] - starts[j], codes, counts,
            whole[j], means[j], variances[j], squares, stored,
        )  # fmt: skip


@kernel
def count_tokens(columns, codes, class_means, counts):
    """Count rows by how much nearer they are to the mean of their own class than to the next other one.

    The nearness d_other / (d_own + d_other) of squared distances lies in [0, 1]; `counts` (columns, tokens)
    counts its equal parts. A value at distance 0 from both tells nothing and has nearness 0.
    """
    n_columns, n_rows = columns.shape
    n_classes, n_tokens = class_means.shape[1], counts.shape[1]
    for j in range(n_columns):
        for i in range(n_rows):
            own = (columns[j, i] - class_means[j, codes[i]]) ** 2
            other = np.inf
            for g in range(n_classes):
                if g != codes[i]:
                    other = min(other, (columns[j, i] - class_means[j, g]) ** 2)
            nearness = other / (own + other) if 0.0 < own + other < np.inf else 0.0
            counts[j, min(int(nearness * n_tokens), n_tokens - 1)] += 1
