"""Joint levels of whole subsets of columns: sums of random 64-bit keys of their levels.

For one subset the probability that any two different joint levels share a sum, and so count as one, is at
most n²/2⁶⁵ for n rows: below 3·10⁻⁸ for a million rows, 10⁻¹² for some thousands.
"""

from collections.abc import Sequence

import numpy as np

from entropick._base.logarithms import power, power_of_two_above
from entropick.contracts import Counts, GroupSums
from entropick.counting.surprisal import PhiAndChance, Surprisal

KEY_SEED = 0x5EED  # keys are the same in every run; results do not depend on them


def sums_of_nested(counts: Counts, columns: Sequence[int], start: int, surprisal: Surprisal) -> GroupSums:
    """As `entropick.contracts.Counts.nested_sums`: of more than `start` columns, up to all of them."""
    subsets = np.zeros((len(columns) - start, len(counts.n_levels)), bool)
    for i, column in enumerate(columns):
        subsets[max(i - start, 0) :, column] = True
    return counts.subset_sums(subsets, PhiAndChance(surprisal, counts.class_sizes), surprisal.phi)


def level_keys(n_levels: np.ndarray) -> np.ndarray:
    """A random key for each level of each column, one column after the other."""
    keys: np.ndarray = np.random.default_rng(KEY_SEED).integers(0, 2**64, n_levels.sum(), dtype=np.uint64)
    return keys


def norm_scale(n_rows: int, n_classes: int, order: float) -> float:
    """What norms are multiplied with, so that their sums fit 64 bits."""
    # Below order 1 a norm may exceed the size of the group, at most C^(1/order - 1) times.
    largest = n_rows * max(1.0, float(power(n_classes, 1.0 / order - 1.0)))
    return 2.0 ** (60 - power_of_two_above(largest))
