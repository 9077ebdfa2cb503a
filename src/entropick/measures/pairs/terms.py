"""What a column and a picked one tell together: the terms that criteria of pairs are made of."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from entropick.contracts import Counts
from entropick.counting.surprisal import ColumnSums

Bits = npt.NDArray[np.float64]  # one number per column
Which = slice | int | np.ndarray  # columns

ALL = slice(None)


class Pair:
    """What columns f and picked columns s tell together, in bits.

    Parameters
    ----------
    sums : Σ φ(N(f,s)), Σ φ(N(f,s,y)) and what I(f;y|s) is by chance, of every pair
    columns : sums of the columns themselves
    f, s : the columns of the pairs: all columns and one picked column, or one of each for every pair
    redundancy : I(f;s) as a multiple of the unit of φ, computed when asked for

    Attributes
    ----------
    given_pick : I(f;y|s) as a multiple of the unit of φ
    """

    def __init__(
        self, sums: np.ndarray, columns: ColumnSums, f: Which, s: Which, redundancy: Callable[[], np.ndarray]
    ) -> None:
        self._fs, self._fsy, expected = sums
        self.given_pick = self._fsy - self._fs + columns.f[s] - columns.fy[s] - expected
        self._relevance, self._of_pick = columns.relevance[f], columns.relevance[s]
        self._all = columns.whole
        self._unit = columns.surprisal.unit
        self._find_redundancy = redundancy

    @cached_property
    def _redundancy(self) -> np.ndarray:
        return self._find_redundancy()

    def _in_bits(self, units: np.ndarray) -> Bits:
        bits: Bits = units * self._unit
        return bits

    @property
    def redundancy(self) -> Bits:
        """I(f;s)"""
        return self._in_bits(self._redundancy)

    @property
    def redundancy_within_classes(self) -> Bits:
        """I(f;s|y) = I(f;s) + I(f;y|s) − I(f;y)"""
        return self._in_bits(self._redundancy + self.given_pick - self._relevance)

    @property
    def joint_relevance(self) -> Bits:
        """I(f,s;y) = I(s;y) + I(f;y|s)"""
        return self._in_bits(self._of_pick + self.given_pick)

    @property
    def relevance_given_pick(self) -> Bits:
        """I(f;y|s)"""
        return self._in_bits(self.given_pick)

    @property
    def relevance_of_pick(self) -> Bits:
        """I(s;y|f) = I(f,s;y) − I(f;y)"""
        return self._in_bits(self._of_pick + self.given_pick - self._relevance)

    @property
    def joint_entropy(self) -> Bits:
        """H(f,s,y)"""
        return self._in_bits(self._all - self._fsy)

    @property
    def relative_joint_relevance(self) -> Bits:
        """I(f,s;y) / H(f,s,y), 0 where H = 0"""
        entropy = self.joint_entropy
        share: Bits = np.divide(self.joint_relevance, entropy, out=np.zeros_like(entropy), where=entropy > 0)
        return share


class Redundancies:
    """I(f;s) of columns and picked ones, as multiples of the unit of φ."""

    def __init__(self, counts: Counts, columns: ColumnSums) -> None:
        self._counts, self._columns = counts, columns

    def between(self, f: Which, s: Which, sums: np.ndarray) -> np.ndarray:
        """I(f;s), given Σ φ(N(f,s)); adjusted for all columns and one picked one only."""
        columns = self._columns
        found: np.ndarray = columns.whole - columns.f[f] - columns.f[s] + sums
        if columns.surprisal.is_adjusted:
            assert isinstance(s, int | np.integer)
            found -= self._by_chance(s)
        return found

    def _by_chance(self, s: int) -> np.ndarray:
        """E[I(f;s)] where the rows of s are dealt out at random; of every column f."""
        sizes, starts = self._counts.level_sizes()
        of_s = sizes[starts[s] : starts[s] + self._counts.n_levels[s]]
        expected = self._columns.surprisal.expected(of_s[None], np.zeros_like(sizes), sizes)
        return np.add.reduceat(expected, starts)
