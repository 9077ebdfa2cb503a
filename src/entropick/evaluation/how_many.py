"""Choose the number of columns by losses on held-out rows, for cuts and comparisons.

The number with the least loss is kept, or the smallest one that is worse by at most 2 % of the gain over
guessing. So that no single row decides, this is done on many samples of the rows, and the median is kept.
"""

from typing import NamedTuple

import numpy as np

N_ERRORS = 0.0  # standard errors by which a smaller number may be worse
GROWTH = 2**0.5  # factor between the sizes to try
# Share of the gain over guessing that is not worth another column. On the tables that the rule was chosen on
# (experiment `stopping`), 0.01 lost 0.0013 less and moved twice as much with the folds.
NEGLIGIBLE = 0.02
ROUNDING = 1e-9  # losses closer than this are equal
N_SAMPLES = 100  # bootstrap samples of the rows
LOW, HIGH = 0.05, 0.95  # quantiles of the interval


def sizes_to_try(smallest: int, largest: int) -> list[int]:
    """Sizes from the smallest to the largest, in growing steps."""
    sizes, step = [smallest], 1.0
    while sizes[-1] < largest:
        sizes.append(min(largest, max(sizes[-1] + 1, smallest + round(step))))
        step *= GROWTH
    return sizes


class Choice(NamedTuple):
    """Indices of sizes: the one to keep, the one with the least loss, and the ends of the interval."""

    kept: int
    best: int
    low: int
    high: int


def choose_size(losses: np.ndarray, rng: np.random.Generator, n_errors: float = N_ERRORS) -> Choice:
    """Choose the median, over bootstrap samples of the rows, of the smallest sizes about as good as the best.

    A size is about as good if it is worse by at most `n_errors` standard errors of the difference, or by a
    negligible share of the best gain over guessing. A larger `n_errors` never keeps more columns.

    Parameters
    ----------
    losses : (sizes, units), in ascending order of sizes, relative to the loss of guessing; units are rows, or
        groups of rows that are not independent
    rng : random number generator of the samples
    n_errors : standard errors by which a size may be worse
    """
    n_units = losses.shape[1]
    best = int(losses.mean(axis=1).argmin())
    weights = rng.multinomial(n_units, np.full(n_units, 1 / n_units), size=N_SAMPLES) / n_units
    means = losses @ weights.T
    least = means.min(axis=0)
    negligible = NEGLIGIBLE * np.maximum(0.0, 1 - least) + ROUNDING
    tolerated = np.maximum(n_errors * standard_error(losses - losses[best])[:, None], negligible)
    chosen = np.sort((means - least <= tolerated).argmax(axis=0))
    low, kept, high = (int(chosen[int(q * (N_SAMPLES - 1))]) for q in (LOW, 0.5, HIGH))
    return Choice(kept, best, low, high)


def standard_error(values: np.ndarray) -> np.ndarray:
    """Standard error of the mean over the last axis."""
    n_values = values.shape[-1]
    return np.asarray(values.std(axis=-1, ddof=min(1, n_values - 1)) / np.sqrt(n_values))
