"""What columns add to the picked ones, and whether that is more than chance."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import gammaincc, ndtri

from entropick.contracts import Added, Counts
from entropick.counting.surprisal import ColumnSums, Surprisal

MIN_FREEDOM = 1e-9  # of a column that can tell something
MAX_NORMAL = 0.05  # up to this level the tail of χ² is longer than the normal one
AT_ONCE = 8  # numbers of columns whose groups are counted together


class Gains:
    """Means of I(f;y|s) over the picked columns s, less chance, of every column f; I(f;y) before any pick.

    A column that follows from a pick, such as a copy of it, adds nothing, whatever the mean. See
    `entropick.contracts.Added`.

    Parameters
    ----------
    columns : adjusted sums of the columns
    """

    def __init__(self, columns: ColumnSums) -> None:
        self._columns = columns
        self._gained = columns.relevance
        self._expected = columns.expected
        self._is_known = np.zeros(len(columns.f), bool)  # that it follows from a pick, as a copy does
        self._n_picked = 0
        self._to_chi2 = 2 * math.log(2) * columns.surprisal.n_effective

    def add(self, s: int, sums: np.ndarray, gained: np.ndarray) -> None:
        """Take in what all columns tell given a pick, with the sums of their pairs with it."""
        alone, _, expected = sums
        first = self._n_picked == 0
        self._gained = gained if first else self._gained + gained
        self._expected = expected.copy() if first else self._expected + expected
        self._is_known |= alone == self._columns.f[s]  # as many cells (f,s) as levels of s, of the same sizes
        self._n_picked += 1

    def gains(self, columns: np.ndarray) -> np.ndarray:
        gains: np.ndarray = self._gained.take(columns) * self._unit()
        gains[self._is_known.take(columns)] = 0.0
        return gains

    def tested(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gains, and their p-values by χ².

        Twice the information in nats and rows is about χ² distributed, with as many degrees of freedom as it
        is on average. The terms of a mean go up and down together, so it is not taken to vary less than one
        of them.
        """
        gains, p_values = self.gains(columns), np.ones(len(columns))
        freedom = self._freedom(columns)
        found = np.maximum(freedom + gains * self._to_chi2, 0.0)
        has_any = freedom > MIN_FREEDOM  # as an index: scipy's functions write elsewhere given `where`
        p_values[has_any] = gammaincc(freedom[has_any] / 2, found[has_any] / 2)
        return gains, p_values

    def within(self, columns: np.ndarray, level: float) -> np.ndarray:
        may_be = np.arange(len(columns))
        if level <= MAX_NORMAL:  # the upper tail of χ² is the longer one: what is not rare there is not here
            least = math.sqrt(2) * float(-ndtri(level))
            chi2 = self.gains(columns) * self._to_chi2
            may_be = np.flatnonzero(chi2 >= least * np.sqrt(self._freedom(columns)))
        return may_be[self.tested(columns[may_be])[1] <= level]

    def _unit(self) -> float:
        return self._columns.surprisal.unit / max(self._n_picked, 1)

    def _freedom(self, columns: np.ndarray) -> np.ndarray:
        """Degrees of freedom."""
        expected = self._expected.take(columns) * self._unit()
        expected[self._is_known.take(columns)] = 0.0
        return np.asarray(np.maximum(expected * self._to_chi2, 0.0))


class SummedGains:
    """Gains summed over several targets: a column is chance if it is so for every target."""

    def __init__(self, parts: Sequence[Added]) -> None:
        self._parts = parts

    def gains(self, columns: np.ndarray) -> np.ndarray:
        return np.asarray(np.sum([part.gains(columns) for part in self._parts], axis=0))

    def tested(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gains, p_values = zip(*(part.tested(columns) for part in self._parts), strict=True)
        return np.asarray(np.sum(gains, axis=0)), np.asarray(np.min(p_values, axis=0))

    def within(self, columns: np.ndarray, level: float) -> np.ndarray:
        return np.unique(np.concatenate([part.within(columns, level) for part in self._parts]))


def explained_shares(counts: Counts, columns: Sequence[int], surprisal: Surprisal) -> list[float]:
    """The share of H(y) that the first, the first two, ... columns explain together, chance taken off.

    The more columns, the more of what they tell together is chance, until every row is a group of its own
    and nothing can be said. So the largest share so far counts: that much is explained for certain.
    """
    of_classes = surprisal.whole - surprisal.sum(counts.class_sizes)  # n·H(y)
    shares = [0.0]
    for sums in counts.nested_sums(columns, AT_ONCE, surprisal) if of_classes > 0 else ():
        explained = (of_classes - sums.over_groups + sums.over_cells) / of_classes
        shares += np.maximum.accumulate(np.append(shares[-1], explained))[1:].tolist()
        if sums.n_groups[-1] >= counts.n_rows / 2:
            break
    else:
        if of_classes > 0:  # where only pairs are known, nothing is said of more columns
            return shares[1:]
    return (shares + shares[-1:] * len(columns))[1 : len(columns) + 1]
