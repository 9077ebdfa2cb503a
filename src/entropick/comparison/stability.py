"""How much selections agree: over folds (Nogueira's index) and between methods (mean overlap)."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import norm

from entropick.comparison.record import Stability

CONFIDENCE = 0.95


def stability_of(selected: np.ndarray) -> Stability:
    """Nogueira's index of several selections, with its 95 % confidence interval.

    1 where all are the same, 0 on average where they are random, whatever their sizes.

    Parameters
    ----------
    selected : bool (selections, columns)

    References
    ----------
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms. JMLR 18(174).
    """
    chosen = np.asarray(selected, dtype=np.float64)
    n_selections, n_columns = chosen.shape
    sizes = chosen.sum(axis=1)
    share = sizes.mean() / n_columns
    if n_selections < 2 or share in (0.0, 1.0):  # all or nothing every time: no choice that could vary
        return Stability(1.0, 1.0, 1.0)
    frequency = chosen.mean(axis=0)
    variance = n_selections / (n_selections - 1) * frequency * (1 - frequency)
    scale = share * (1 - share)
    value = 1 - variance.mean() / scale
    parts = (
        chosen @ frequency / n_columns
        - sizes * share / n_columns
        + value / 2 * (2 * share * sizes / n_columns - sizes / n_columns - share + 1)
    ) / scale
    error = 2 * np.sqrt(((parts - parts.mean()) ** 2).sum()) / n_selections
    reach = float(norm.isf((1 - CONFIDENCE) / 2) * error)
    return Stability(float(value), float(value) - reach, min(float(value) + reach, 1.0))


def mean_overlap(one: Sequence[int], other: Sequence[int]) -> float:
    """Share of common columns among the first k of two orders, averaged over k."""
    depth = min(len(one), len(other))
    shares = [len(set(one[:k]) & set(other[:k])) / k for k in range(1, depth + 1)]
    return float(np.mean(shares)) if shares else 1.0


def mean_ranks(orders: Sequence[Sequence[int]], n_columns: int) -> np.ndarray:
    """Mean rank per column; columns an order does not name share the middle of the ranks left over."""
    ranks = np.empty((len(orders), n_columns))
    for row, order in zip(ranks, orders, strict=True):
        row[:] = (len(order) + 1 + n_columns) / 2
        row[list(order)] = np.arange(1, len(order) + 1)
    return ranks.mean(axis=0)
