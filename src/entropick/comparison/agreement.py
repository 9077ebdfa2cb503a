"""Agreement between the rankings of several methods."""

from collections.abc import Sequence

import numpy as np


def mean_overlap(one: Sequence[int], other: Sequence[int]) -> float:
    """Share of common columns among the first k of two rankings, averaged over k."""
    depth = min(len(one), len(other))
    shares = [len(set(one[:k]) & set(other[:k])) / k for k in range(1, depth + 1)]
    return float(np.mean(shares)) if shares else 1.0


def mean_ranks(orders: Sequence[Sequence[int]], n_columns: int) -> np.ndarray:
    """Mean rank per column; columns missing from a ranking share the mean of the remaining ranks."""
    ranks = np.empty((len(orders), n_columns))
    for row, order in zip(ranks, orders, strict=True):
        row[:] = (len(order) + 1 + n_columns) / 2
        row[list(order)] = np.arange(1, len(order) + 1)
    return np.asarray(ranks.mean(axis=0))
