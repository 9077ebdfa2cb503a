"""What columns add to the picked ones, and whether that is more than chance."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import gammaincc

from entropick.contracts import Counts
from entropick.surprisal import ColumnSums, PhiAndChance, Surprisal

AT_ONCE = 8  # numbers of columns whose groups are counted together


class Gains:
    """Means of I(f;y|s) over the picked columns s, less chance, of every column f; I(f;y) before any pick.

    Parameters
    ----------
    columns : adjusted sums of the columns
    """

    def __init__(self, columns: ColumnSums) -> None:
        self._columns = columns
        self._gained = columns.relevance
        self._expected = columns.expected
        self._n_picked = 0

    def add(self, s: int, sums: np.ndarray) -> None:
        """Take in what all columns tell given a pick, from the sums of their pairs with it."""
        alone, by_class, expected = sums
        gained = by_class - alone + (self._columns.f[s] - self._columns.fy[s]) - expected
        first = self._n_picked == 0
        self._gained = gained if first else self._gained + gained
        self._expected = expected.copy() if first else self._expected + expected
        self._n_picked += 1

    def of(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bits that columns add, and how often columns that tell nothing would add as many."""
        unit = self._columns.surprisal.unit / max(self._n_picked, 1)
        gains = self._gained[columns] * unit
        return gains, tail(gains, self._expected[columns] * unit, self._columns.surprisal.n_effective)


def explained_shares(counts: Counts, columns: Sequence[int]) -> list[float]:
    """The share of H(y) that the first, the first two, ... columns explain together, chance taken off.

    The more columns, the more of what they tell together is chance, until every row is a group of its own
    and nothing can be said. So the largest share so far counts: that much is explained for certain.
    """
    surprisal = Surprisal.of(counts, None)
    of_groups = PhiAndChance(surprisal, counts.class_sizes)
    of_classes = surprisal.whole - surprisal.sum(counts.class_sizes)  # n·H(y)
    subsets = np.zeros((len(columns), len(counts.n_levels)), bool)
    for i, column in enumerate(columns):
        subsets[i:, column] = True
    shares, is_open = [0.0], of_classes > 0
    for start in range(0, len(columns), AT_ONCE):
        block = subsets[start : start + AT_ONCE]
        if is_open:
            sums = counts.subset_sums(block, of_groups, surprisal.phi)
            told = (of_classes - sums.over_groups + sums.over_cells) / of_classes
            shares += np.maximum.accumulate(np.append(shares[-1], told))[1:].tolist()
            is_open = sums.n_groups[-1] < counts.n_rows / 2
        else:
            shares += shares[-1:] * len(block)
    return shares[1:]


def tail(gains: np.ndarray, expected: np.ndarray, n_rows: float) -> np.ndarray:
    """Probability of at least these gains by chance.

    Twice the information in nats and rows is about χ² distributed, with as many degrees of freedom as it is
    on average. The terms of a mean go up and down together, so it is not taken to vary less than one of them.
    """
    to_chi2 = 2 * math.log(2) * n_rows
    freedom = np.maximum(expected * to_chi2, 0.0)
    found = np.maximum(gains + expected, 0.0) * to_chi2
    has_any = freedom > 1e-9
    p_values = np.ones(len(gains))
    p_values[has_any] = gammaincc(freedom[has_any] / 2, found[has_any] / 2)
    return p_values
