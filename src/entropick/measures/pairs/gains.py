"""What columns add to the picked ones, and whether that is more than chance."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import gammaincc, ndtri

from entropick.contracts import Counts, Tails
from entropick.counting.surprisal import ColumnSums, Surprisal

LEAST_FREEDOM = 1e-9  # of a column that can tell something
MOST_NORMAL = 0.05  # up to this level the tail of χ² is longer than the normal one
AT_ONCE = 8  # numbers of columns whose groups are counted together


class Gains:
    """Means of I(f;y|s) over the picked columns s, less chance, of every column f; I(f;y) before any pick.

    A column that follows from a pick, such as a copy of it, adds nothing, whatever the mean.

    Parameters
    ----------
    columns : adjusted sums of the columns
    """

    def __init__(self, columns: ColumnSums) -> None:
        self._columns = columns
        self._gained = columns.relevance
        self._expected = columns.expected
        self._is_known = np.zeros(
            len(columns.f), bool
        )  # whether it follows from a pick, as a copy of it does
        self._n_picked = 0

    def add(self, s: int, sums: np.ndarray, gained: np.ndarray) -> None:
        """Take in what all columns tell given a pick, with the sums of their pairs with it."""
        alone, _, expected = sums
        first = self._n_picked == 0
        self._gained = gained if first else self._gained + gained
        self._expected = expected.copy() if first else self._expected + expected
        self._is_known |= alone == self._columns.f[s]  # as many cells (f,s) as levels of s, of the same sizes
        self._n_picked += 1

    def of(self, columns: np.ndarray) -> tuple[np.ndarray, "GainTails"]:
        """Bits that columns add, and how often columns that tell nothing would add as many."""
        surprisal = self._columns.surprisal
        unit = surprisal.unit / max(self._n_picked, 1)
        is_known = self._is_known.take(columns)
        gains, expected = self._gained.take(columns) * unit, self._expected.take(columns) * unit
        gains[is_known] = expected[is_known] = 0.0
        return gains, GainTails(gains, expected, surprisal.n_effective)


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


class GainTails:
    """`entropick.contracts.Tails` of gains, by the χ² distribution.

    Twice the information in nats and rows is about χ² distributed, with as many degrees of freedom as it is
    on average. The terms of a mean go up and down together, so it is not taken to vary less than one of them.

    Parameters
    ----------
    gains : bits, less what is expected by chance
    expected : bits expected by chance
    n_rows : effective number of rows
    """

    def __init__(self, gains: np.ndarray, expected: np.ndarray, n_rows: float) -> None:
        self._gains, self._expected, self._to_chi2 = gains, expected, 2 * math.log(2) * n_rows

    def p_values(self, positions: np.ndarray) -> np.ndarray:
        freedom = np.maximum(self._expected[positions] * self._to_chi2, 0.0)
        found = np.maximum(freedom + self._gains[positions] * self._to_chi2, 0.0)
        p_values = np.ones(len(positions))
        has_any = freedom > LEAST_FREEDOM  # as an index: scipy's functions write elsewhere given `where`
        p_values[has_any] = gammaincc(freedom[has_any] / 2, found[has_any] / 2)
        return p_values

    def within(self, level: float) -> np.ndarray:
        may_be = np.arange(len(self._gains))
        if level <= MOST_NORMAL:  # the upper tail of χ² is the longer one: what is not rare there is not here
            least = math.sqrt(2) * float(-ndtri(level))
            freedom = np.maximum(self._expected * self._to_chi2, 0.0)
            may_be = np.flatnonzero(self._gains * self._to_chi2 >= least * np.sqrt(freedom))
        return may_be[self.p_values(may_be) <= level]


class SummedTails:
    """Of gains summed over several targets: a column is chance if it is so for every target."""

    def __init__(self, parts: Sequence[Tails]) -> None:
        self._parts = parts

    def p_values(self, positions: np.ndarray) -> np.ndarray:
        return np.asarray(np.min([part.p_values(positions) for part in self._parts], axis=0))

    def within(self, level: float) -> np.ndarray:
        return np.unique(np.concatenate([part.within(level) for part in self._parts]))
