"""Sampling rows of large tables."""

import numpy as np


def draw_rows(
    strata: np.ndarray, max_rows: int | None, rng: np.random.Generator, *, evenly: bool
) -> np.ndarray:
    """Sample at most `max_rows` rows; returns sorted indices.

    Parameters
    ----------
    strata : class or real value of each row
    max_rows : maximum number of rows; None for all
    rng : random number generator
    evenly : whether to draw equally many rows of each class, if it has enough; otherwise each class, and each
        range of real values, keeps its share of the table, within one row
    """
    n_rows = len(strata)
    if max_rows is None or n_rows <= max_rows:
        return np.arange(n_rows)
    shuffled = rng.permutation(n_rows)
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    if not evenly:
        positions = (np.arange(max_rows) + rng.random()) * n_rows / max_rows
        return np.sort(order[positions.astype(np.int64)])
    rank_in_class = np.arange(n_rows) - np.searchsorted(strata[order], strata[order])
    return np.sort(order[np.argsort(rank_in_class, kind="stable")[:max_rows]])
