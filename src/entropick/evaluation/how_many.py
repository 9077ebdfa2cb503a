"""How many columns: one list of sizes and one rule, for cuts and comparisons.

Of the numbers of columns that predict held-out rows as well as the best one, within one standard error or 2 %
of its gain over guessing, the middle one is kept.
"""

from typing import NamedTuple

import numpy as np

N_ERRORS = 1.0  # standard errors
GROWTH = 2**0.5  # of the sizes that are tried
# Share of the gain over guessing for which no column is added. On the data of the experiment `stopping` 0.02
# costs no accuracy against 0.001, and keeps fewer columns of tables with many rows.
NEGLIGIBLE = 0.02
ROUNDING = 1e-9  # losses closer than this are equal


def sizes_to_try(fewest: int, most: int) -> list[int]:
    """From the fewest columns to the most, in steps that grow."""
    sizes, step = [fewest], 1.0
    while sizes[-1] < most:
        sizes.append(min(most, max(sizes[-1] + 1, fewest + round(step))))
        step *= GROWTH
    return sizes


class Choice(NamedTuple):
    """Places of the size kept and of the one with the least loss."""

    kept: int
    best: int


def choose_size(losses: np.ndarray, n_errors: float = N_ERRORS) -> Choice:
    """The middle one of the sizes as good as the best; of two in the middle the smaller.

    A size is as good if it is worse by at most `n_errors` standard errors of the difference, or by a
    negligible part of what the best gains over guessing. Sizes known to gain no more than that over a smaller
    one do not count: beside a column that determines the target all sizes are as good, and the middle one
    would keep noise.

    Parameters
    ----------
    losses : (sizes, rows or folds), in ascending order of sizes, as shares of the loss of guessing
    n_errors : standard errors by which a size may be worse than the best and still count
    """
    means = losses.mean(axis=1)
    best = int(means.argmin())
    negligible = NEGLIGIBLE * max(0.0, 1 - means[best]) + ROUNDING
    tolerated = np.maximum(n_errors * standard_error(losses - losses[best]), negligible)
    counted: list[int] = []
    for place in np.flatnonzero(means - means[best] <= tolerated):
        gains = losses[counted[-1]] - losses[place] if counted else None
        if gains is None or max(gains.mean(), standard_error(gains)) > negligible:
            counted.append(int(place))
    return Choice(counted[(len(counted) - 1) // 2], best)


def standard_error(values: np.ndarray) -> np.ndarray:
    """Of the mean over rows or folds, which come last."""
    return np.asarray(values.std(axis=-1, ddof=1) / np.sqrt(values.shape[-1]))
