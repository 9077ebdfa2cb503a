"""Entropies as sums of integers.

With counts N of n rows, n·H = n·log2 n − Σ N·log2 N. The summand φ(N) = N·log2 N is an
integer, scaled so that every sum fits 64 bits. Integer sums do not depend on the order of
rows, levels, blocks or threads, so results are the same bit for bit, and columns that differ only
in the names of their levels tie exactly. The scaling keeps more digits than a float would.

Corrections are sums over cells, too:

- Miller–Madow adds (cells − 1) / (2 n ln 2) bits, one term per occupied cell: φ(N) = N·log2 N − 1/(2 ln 2)
  for N > 0.
- "adjusted" takes away the information expected by chance, where labels are dealt out at random, within the
  levels of a column that is given. What a cell is expected to tell follows from its size and the classes
  there (`expected_within`).
- "zhang" is Zhang's estimate (2012), Σ N (ψ(n) − ψ(N)) / n nats with the digamma function ψ: φ(N) = N·ψ(N).

The first two are about rows. Where weights made copies of rows, c of them are worth one, and what the
copies are corrected by counts c times.
"""

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from entropick import _core
from entropick._base.logarithms import log2

CORRECTIONS = ("miller_madow", "adjusted")
SMALL_TABLE = 1 << 20  # rows (8 MB)
NEAR_SHANNON = 5e-8  # here the error of Shannon's limit and the rounding of other orders are about 1e-8
MANY_TERMS = 256  # from here on a series for the sum of inverses has an error below 1e-16
_CHUNK = 1 << 16


def order_of(alpha: float) -> float:
    """The order to compute an entropy with: 1 if alpha is so close to it that other formulas cancel."""
    return 1 if abs(alpha - 1) <= NEAR_SHANNON else alpha


class Phi:
    """φ of counts up to n, ``phi[counts]``: computed, or looked up once it was made an array.

    The table takes eight bytes per row, which whoever counts all rows in this process can afford; where only
    counts come here it is never made.
    """

    def __init__(
        self, n_rows: int, scale: float, shift: float = 0.0, log: Callable[[np.ndarray], np.ndarray] = log2
    ) -> None:
        self._n_rows, self._scale, self._shift, self._log2 = n_rows, scale, shift, log
        if n_rows <= SMALL_TABLE:
            np.asarray(self)

    @cached_property
    def table(self) -> np.ndarray:
        """φ of all counts from 0 to n."""
        table = _tabulated(self._of, self._n_rows)
        table.setflags(write=False)
        return table

    def __getitem__(self, counts: np.ndarray | int) -> np.ndarray:
        if "table" in vars(self):
            return np.asarray(self.table[counts])
        return self._of(np.atleast_1d(counts)).reshape(np.shape(counts))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.table

    def _of(self, counts: np.ndarray) -> np.ndarray:
        found = counts * self._log2(np.maximum(counts, 1)) - self._shift
        summands: np.ndarray = np.rint(found * self._scale).astype(np.int64)
        summands[counts == 0] = 0
        return summands


_remembered = lru_cache(maxsize=4)(Phi)  # fits follow one another


def harmonic_log2(counts: np.ndarray) -> np.ndarray:
    """1 + 1/2 + ... + 1/(N − 1), over ln 2: what stands for log2 N in Zhang's entropy, up to a constant.

    The constant is the same for all N and drops out of entropies.
    """
    few = np.concatenate([[0.0, 0.0], np.cumsum(1 / np.arange(1, MANY_TERMS))])
    n = np.maximum(counts, MANY_TERMS).astype(np.float64)
    square = n * n
    many = (
        log2(n) * math.log(2) + np.euler_gamma - 1 / (2 * n) - 1 / (12 * square) + 1 / (120 * square * square)
    )
    nats = np.where(counts < len(few), few[np.minimum(counts, MANY_TERMS)], many)
    return np.asarray(nats / math.log(2))


def _tabulated(of_counts: Callable[[np.ndarray], np.ndarray], n_rows: int) -> np.ndarray:
    """A function of counts for all of them, chunk by chunk: a table of floats would take as much again."""
    table = np.empty(n_rows + 1, np.int64)
    for start in range(0, n_rows + 1, _CHUNK):
        counts = np.arange(start, min(start + _CHUNK, n_rows + 1))
        table[start : start + len(counts)] = of_counts(counts)
    return table


class Chance:
    """Information that cells have by chance, see `entropick._core.Chance`."""

    def __init__(self, class_sizes: np.ndarray) -> None:
        self._of_sizes = _core.Chance(class_sizes.astype(np.int64))
        self._n_rows = int(class_sizes.sum())

    def expected(self, sizes: np.ndarray) -> np.ndarray:
        """Bits times rows expected of a cell of each of these sizes."""
        if np.size(sizes) > self._n_rows + 1:  # more than there are different ones
            return np.asarray(self.expected(np.arange(self._n_rows + 1))[sizes])
        flat = np.ascontiguousarray(sizes, np.int64).reshape(-1)
        found = np.empty(len(flat))
        self._of_sizes.fill(flat, found)
        return found.reshape(np.shape(sizes))


def expected_within(counts: np.ndarray, levels: np.ndarray, sizes: np.ndarray, scale: float) -> np.ndarray:
    """What cells of given sizes within levels of given numbers tell by chance, as integers.

    Parameters
    ----------
    counts : (levels, classes), rows of each level and class
    levels, sizes : (cells,)
    scale : what bits times rows are multiplied by
    """
    if len(counts) == 1:
        return np.rint(Chance(counts[0]).expected(sizes) * scale).astype(np.int64)
    found = np.zeros(len(levels))
    order = np.argsort(levels, kind="stable")
    ends = np.cumsum(np.bincount(levels, minlength=len(counts)))
    for level, (start, end) in enumerate(zip(np.append(0, ends[:-1]), ends, strict=True)):
        if start < end:
            cells = order[start:end]
            found[cells] = Chance(counts[level]).expected(sizes[cells])
    return np.rint(found * scale).astype(np.int64)


class PhiAndChance:
    """φ of a group's size plus the information expected of such a group by chance; indexed like `Phi`."""

    def __init__(self, surprisal: "Surprisal", class_sizes: np.ndarray) -> None:
        self._phi, self._scale = surprisal.phi, surprisal.chance_scale
        self._chance, self._n_rows = Chance(class_sizes), surprisal.n_rows

    def __getitem__(self, sizes: np.ndarray) -> np.ndarray:
        return self._phi[sizes] + np.rint(self._chance.expected(sizes) * self._scale).astype(np.int64)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return _tabulated(self.__getitem__, self._n_rows)


class Surprisal:
    """The φ for n rows, and the way back from sums of φ to bits.

    Parameters
    ----------
    n_rows : number of rows counted
    correction : None for the plug-in estimate, "miller_madow", "adjusted" or "zhang"
    copies : rows that are worth one

    Attributes
    ----------
    phi : φ of counts
    chance_scale : what bits times rows that are expected by chance are multiplied by
    unit : bits per row and unit of φ
    is_adjusted : whether information expected by chance is counted, too
    n_effective : rows, each of them counted once
    """

    def __init__(self, n_rows: int, correction: str | None = None, copies: float = 1.0) -> None:
        self.n_rows, self.n_effective, self._copies = n_rows, n_rows / copies, copies
        shift = copies / (2 * math.log(2)) if correction == "miller_madow" else 0.0
        # sums of n·log2 n, and what is expected by chance as often as it is counted, are below 2^61
        times = math.ceil(copies) if correction == "adjusted" else 1
        scale = 2.0 ** (60 - (n_rows * n_rows.bit_length() * times).bit_length())
        phi = _remembered if n_rows <= SMALL_TABLE else Phi
        self.phi = phi(n_rows, scale, shift, harmonic_log2 if correction == "zhang" else log2)
        self.chance_scale = scale * copies
        self.unit = 1.0 / (scale * n_rows)
        self.is_adjusted = correction == "adjusted"

    @classmethod
    def of(cls, counts: "ColumnCounts", correction: str | None) -> "Surprisal":
        """That of the rows counted."""
        return cls(counts.n_rows, correction, counts.copies)

    def uncorrected(self) -> "Surprisal":
        """That of plug-in estimates; an adjusted one has the same φ unless rows are copies."""
        is_same = self.is_adjusted and self._copies == 1
        return self if is_same else Surprisal(self.n_rows, None, self._copies)

    @property
    def whole(self) -> int:
        """φ(n): n·H of any variable is this less the sum of φ over its counts."""
        return int(self.phi[self.n_rows])

    def sum(self, counts: np.ndarray) -> int:
        """Σ φ over counts."""
        return int(self.phi[counts].sum())

    def expected(self, counts: np.ndarray, levels: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """What each cell tells by chance, given the class counts (levels, classes) around it."""
        if not self.is_adjusted:
            return np.zeros(len(levels), np.int64)
        return expected_within(counts, levels, sizes, self.chance_scale)

    def to_bits(self, sums: np.ndarray | int) -> np.ndarray:
        """Differences of sums of φ as bits per row."""
        return np.asarray(sums, dtype=np.float64) * self.unit

    def from_bits(self, bits: float) -> int:
        """A small amount of bits per row as a difference of sums of φ, rounded up."""
        return math.ceil(bits / self.unit)


class ColumnCounts(Protocol):
    """Counts of single columns with the classes: what every table that is counted can give."""

    @property
    def n_rows(self) -> int: ...

    @property
    def n_levels(self) -> np.ndarray:
        """Levels of each column."""

    @property
    def class_sizes(self) -> np.ndarray:
        """Rows of each class."""

    @property
    def copies(self) -> float:
        """Rows that are worth one, where weights made copies of rows."""

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        """Σ φ(N(f)), Σ φ(N(f,y)) and what I(f;y) is by chance, of every column f, as int64 (3, columns).

        What is expected by chance is 0 unless the surprisal is adjusted.
        """

    def class_tables(self, columns: np.ndarray, given: tuple[int, ...] = ()) -> np.ndarray:
        """Rows of each level of some columns by class, int64 (levels, classes), column after column.

        With given columns those of each joint level, the levels of the given columns changing fastest.
        """

    def watch(self, sums: "ColumnSums") -> None:
        """Update sums when a column comes later, as columns of other chunks do."""


class ColumnSums:
    """Sums of φ over the counts of every column.

    Attributes
    ----------
    f, fy : Σ φ of the columns alone, and with the classes
    y, whole : Σ φ of the classes, and φ of all rows
    expected : n·I(f;y) expected by chance
    relevance : n·I(f;y) in units of φ
    """

    def __init__(self, counts: "ColumnCounts", surprisal: Surprisal) -> None:
        self.surprisal = surprisal
        self.whole = surprisal.whole
        self.y = surprisal.sum(counts.class_sizes)
        self.update(counts.column_sums(surprisal))
        counts.watch(self)

    def update(self, sums: np.ndarray) -> None:
        """Take the sums of all columns, (3, columns), again when a column came later."""
        self.f, self.fy, self.expected = sums
        self.relevance = np.asarray(self.whole - self.f - self.y + self.fy - self.expected)
