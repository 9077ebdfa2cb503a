"""Entropies as sums of integers.

With counts N of n rows, n·H = n·log2 n − Σ N·log2 N. The summand φ(N) = N·log2 N is an
integer, scaled so that every sum fits 64 bits. Integer sums do not depend on the order of
rows, levels, blocks or threads, so results are the same bit for bit, and columns that differ only
in the names of their levels tie exactly. The scaling keeps more digits than a float would.

A correction only changes the summand:

- Miller–Madow adds (cells − 1) / (2 n ln 2) bits, one term per occupied cell: φ(N) = N·log2 N − 1/(2 ln 2)
  for N > 0.
- "adjusted" takes away the information expected by chance, where labels are dealt out at random. That is a
  sum over the cells of a column, too, so it is part of the φ of cells without the classes (`of_group`).

Both go by the number of rows. Where weights made copies of rows, c of them are worth one: N copies are N / c
rows, and what these are corrected by counts c times.
"""

import math
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from entropick._kernels.chance import Chance
from entropick._kernels.logarithms import log2

CORRECTIONS = ("miller_madow", "adjusted")
SMALL_TABLE = 1 << 20  # rows (8 MB)
_CHUNK = 1 << 16


class Phi:
    """φ of counts up to n, ``phi[counts]``: computed, or looked up once it was made an array.

    The table takes eight bytes per row, which whoever counts all rows in this process can afford; where only
    counts come here it is never made.
    """

    def __init__(
        self, n_rows: int, scale: float, shift: float = 0.0, chance: "Chance | ChanceOfCopies | None" = None
    ) -> None:
        self._n_rows, self._scale, self._shift, self._chance = n_rows, scale, shift, chance
        self._table: np.ndarray | None = None
        if n_rows <= SMALL_TABLE:
            np.asarray(self)

    def __getitem__(self, counts: np.ndarray | int) -> np.ndarray:
        if self._table is not None:
            return np.asarray(self._table[counts])
        return self._of(np.atleast_1d(counts)).reshape(np.shape(counts))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self._table is None:
            self._table = np.zeros(self._n_rows + 1, np.int64)
            for start in range(1, self._n_rows + 1, _CHUNK):  # a table of floats would take as much again
                counts = np.arange(start, min(start + _CHUNK, self._n_rows + 1))
                self._table[start : start + len(counts)] = self._of(counts)
        return self._table

    def _of(self, counts: np.ndarray) -> np.ndarray:
        found = counts * log2(np.maximum(counts, 1)) - self._shift
        if self._chance is not None:
            found += self._chance.expected(counts)
        summands = np.rint(found * self._scale).astype(np.int64)
        summands[counts == 0] = 0
        return summands


class ChanceOfCopies:
    """What cells have by chance where several copies are worth one row.

    A cell of a fraction of a row lies between those of whole numbers of rows.
    """

    def __init__(self, class_sizes: np.ndarray, copies: float) -> None:
        self._copies = copies
        rows = np.rint(class_sizes / copies).astype(np.int64)
        self._chance = Chance(np.maximum(rows, class_sizes > 0))
        self._most = int(np.maximum(rows, class_sizes > 0).sum())

    def expected(self, sizes: np.ndarray) -> np.ndarray:
        """Bits times copies expected of cells of these numbers of copies."""
        rows = np.minimum(np.asarray(sizes) / self._copies, self._most)
        below = np.floor(rows).astype(np.int64)
        above = np.minimum(below + 1, self._most)
        low, high = self._chance.expected(below), self._chance.expected(above)
        return self._copies * (low + (rows - below) * (high - low))


def _chance(class_sizes: np.ndarray, copies: float) -> Chance | ChanceOfCopies:
    return Chance(class_sizes) if copies == 1 else ChanceOfCopies(class_sizes, copies)


class Surprisal:
    """The φ for n rows, and the way back from sums of φ to bits.

    Parameters
    ----------
    n_rows : number of rows counted
    correction : None for the plug-in estimate, "miller_madow" or "adjusted"
    class_sizes : rows of each class, for "adjusted"
    copies : rows that are worth one

    Attributes
    ----------
    of_cell : φ of counts by class
    of_group : φ of counts that are not by class; the same unless adjusted
    """

    def __init__(
        self,
        n_rows: int,
        correction: str | None = None,
        class_sizes: np.ndarray | None = None,
        copies: float = 1.0,
    ) -> None:
        self.n_rows = n_rows
        shift = copies / (2 * math.log(2)) if correction == "miller_madow" else 0.0
        # sums of n·log2 n, and as much again expected by chance, are below 2^61
        scale = 2.0 ** (60 - (n_rows * n_rows.bit_length()).bit_length())
        self.of_cell = self.of_group = Phi(n_rows, scale, shift)
        if correction == "adjusted":
            assert class_sizes is not None
            self.of_group = Phi(n_rows, scale, chance=_chance(class_sizes, copies))
        self.unit = 1.0 / (scale * n_rows)  # bits per row and unit of φ

    @classmethod
    def of(cls, counts: "ColumnCounts", correction: str | None) -> "Surprisal":
        """That of the rows and classes counted."""
        return cls(counts.n_rows, correction, counts.class_sizes, counts.copies)

    @property
    def is_adjusted(self) -> bool:
        """Whether information expected by chance is taken away."""
        return self.of_group is not self.of_cell

    @cached_property
    def tables(self) -> np.ndarray:
        """Both φ as the kernels look them up: int64 (rows + 1,) if they are the same, else (2, rows + 1)."""
        if not self.is_adjusted:
            return np.asarray(self.of_cell)
        return np.stack([np.asarray(self.of_group), np.asarray(self.of_cell)])

    @property
    def whole(self) -> int:
        """φ(n): n·H of any variable is this less the sum of φ over its counts."""
        return int(self.of_cell[self.n_rows])

    def sum(self, counts: np.ndarray) -> int:
        """Σ φ over counts."""
        return int(self.of_cell[counts].sum())

    def to_bits(self, sums: np.ndarray | int) -> np.ndarray:
        """Differences of sums of φ as bits per row."""
        return np.asarray(sums, dtype=np.float64) * self.unit

    def from_bits(self, bits: float) -> int:
        """A small amount of bits per row as a difference of sums of φ, rounded up."""
        return math.ceil(bits / self.unit)


class ColumnCounts(Protocol):
    """Where sums over the counts of columns come from."""

    @property
    def n_rows(self) -> int: ...

    @property
    def class_sizes(self) -> np.ndarray: ...

    @property
    def copies(self) -> float: ...

    def column_sums(self, surprisal: Surprisal) -> np.ndarray: ...


class ColumnSums:
    """Σ φ of every column alone and with the classes, and the relevances that follow."""

    def __init__(self, counts: "ColumnCounts", surprisal: Surprisal) -> None:
        self.surprisal = surprisal
        self.whole = surprisal.whole
        self.f, self.fy = counts.column_sums(surprisal)
        self.y = surprisal.sum(counts.class_sizes)
        # n·I(f;y) in units of φ
        self.relevance = self.whole - self.f - self.y + self.fy
