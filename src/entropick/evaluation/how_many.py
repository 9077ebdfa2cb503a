"""Choose the number of columns by scores on held-out rows, for cuts and comparisons.

Among the sizes as good as the best one, within one standard error or 2 % of its gain over guessing, the
middle one is kept.
"""

from typing import NamedTuple

import numpy as np

N_ERRORS = 1.0  # standard errors by which a size may be worse
GROWTH = 2**0.5  # factor between the sizes to try
# Share of the gain over guessing that is not worth another column. On the data of the experiment `stopping`,
# 0.02 costs no accuracy compared with 0.001, and keeps fewer columns of tables with many rows.
NEGLIGIBLE = 0.02
ROUNDING = 1e-9  # losses closer than this are equal


def sizes_to_try(smallest: int, largest: int) -> list[int]:
    """Sizes from the smallest to the largest, in growing steps."""
    sizes, step = [smallest], 1.0
    while sizes[-1] < largest:
        sizes.append(min(largest, max(sizes[-1] + 1, smallest + round(step))))
        step *= GROWTH
    return sizes


class Choice(NamedTuple):
    """Indices of the size to keep and of the one with the smallest loss."""

    kept: int
    best: int


def choose_size(losses: np.ndarray, n_errors: float = N_ERRORS) -> Choice:
    """Choose the middle one of the sizes as good as the best; of two in the middle, the smaller.

    A size is as good if it is worse by at most `n_errors` standard errors of the difference, or by a
    negligible share of the best gain over guessing. Sizes known to gain no more than that over a smaller one
    do not count: if one column determines the target, all sizes are as good, and the middle one would keep
    noise.

    Parameters
    ----------
    losses : (sizes, rows or folds), in ascending order of sizes, relative to the loss of guessing
    n_errors : standard errors by which a size may be worse than the best and still count
    """
    means = losses.mean(axis=1)
    best = int(means.argmin())
    negligible = NEGLIGIBLE * max(0.0, 1 - means[best]) + ROUNDING
    tolerated = np.maximum(n_errors * standard_error(losses - losses[best]), negligible)
    counted: list[int] = []
    for i in np.flatnonzero(means - means[best] <= tolerated):
        gains = losses[counted[-1]] - losses[i] if counted else None
        if gains is None or max(gains.mean(), standard_error(gains)) > negligible:
            counted.append(int(i))
    return Choice(counted[(len(counted) - 1) // 2], best)


def standard_error(values: np.ndarray) -> np.ndarray:
    """Standard error of the mean over the last axis."""
    return np.asarray(values.std(axis=-1, ddof=1) / np.sqrt(values.shape[-1]))
