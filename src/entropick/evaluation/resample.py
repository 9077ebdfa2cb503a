"""Sampling rows of large tables."""

import numpy as np


def draw_rows(
    strata: np.ndarray, max_rows: int | None, rng: np.random.Generator, *, evenly: bool
) -> np.ndarray:
    """At most `max_rows` rows drawn at random, in order.

    Parameters
    ----------
    strata : class or real value of each row
    max_rows : rows wanted; None for all
    rng : source of the random numbers
    evenly : whether to draw as many rows of each class as of any other, as far as it has them; otherwise
        each class, and each range of real values, has its share of the table, within one row
    """
    n_rows = len(strata)
    if max_rows is None or n_rows <= max_rows:
        return np.arange(n_rows)
    shuffled = rng.permutation(n_rows)
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    if not evenly:
        places = (np.arange(max_rows) + rng.random()) * n_rows / max_rows
        return np.sort(order[places.astype(np.int64)])
    rank_in_class = np.arange(n_rows) - np.searchsorted(strata[order], strata[order])
    return np.sort(order[np.argsort(rank_in_class, kind="stable")[:max_rows]])
