"""Entropies as sums of integers.

With counts N of n rows, n·H = n·log2 n − Σ N·log2 N. The summand φ(N) = N·log2 N is looked up in a
table of integers, scaled so that every sum fits 64 bits. Integer sums do not depend on the order of
rows, levels, blocks or threads, so results are the same bit for bit, and columns that differ only
in the names of their levels tie exactly. The scaling keeps more digits than a float would.

The Miller–Madow correction adds (cells − 1) / (2 n ln 2) bits, one term per occupied cell: it only
changes the table, φ(N) = N·log2 N − 1/(2 ln 2) for N > 0.
"""

import math
from typing import Protocol

import numpy as np

CORRECTIONS = (None, "miller_madow")
_CHUNK = 1 << 16


class Surprisal:
    """The table φ for n rows, and the way back from sums of φ to bits.

    Parameters
    ----------
    n_rows : number of rows counted
    correction : None for the plug-in estimate, or "miller_madow"
    """

    def __init__(self, n_rows: int, correction: str | None = None) -> None:
        self.n_rows = n_rows
        shift = 1 / (2 * math.log(2)) if correction == "miller_madow" else 0.0
        largest = max(n_rows * math.log2(max(n_rows, 2)), 1.0)
        scale = 2.0 ** (60 - math.ceil(math.log2(largest)))
        self.phi = np.zeros(n_rows + 1, np.int64)
        for start in range(1, n_rows + 1, _CHUNK):  # a table of floats would take as much again
            counts = np.arange(start, min(start + _CHUNK, n_rows + 1), dtype=np.float64)
            self.phi[start : start + len(counts)] = np.rint((counts * np.log2(counts) - shift) * scale)
        self.unit = 1.0 / (scale * n_rows)  # bits per row and unit of φ

    @property
    def whole(self) -> int:
        """φ(n): n·H of any variable is this less the sum of φ over its counts."""
        return int(self.phi[-1])

    def sum(self, counts: np.ndarray) -> int:
        """Σ φ over counts."""
        return int(self.phi[counts].sum())

    def to_bits(self, sums: np.ndarray | int) -> np.ndarray:
        """Differences of sums of φ as bits per row."""
        return np.asarray(sums, dtype=np.float64) * self.unit

    def from_bits(self, bits: float) -> int:
        """A small amount of bits per row as a difference of sums of φ, rounded up."""
        return math.ceil(bits / self.unit)


class ColumnCounts(Protocol):
    """Where sums over the counts of columns come from."""

    @property
    def class_sizes(self) -> np.ndarray: ...

    def column_sums(self, phi: np.ndarray) -> np.ndarray: ...


class ColumnSums:
    """Σ φ of every column alone and with the classes, and the relevances that follow."""

    def __init__(self, counts: "ColumnCounts", surprisal: Surprisal) -> None:
        self.surprisal = surprisal
        self.whole = surprisal.whole
        self.f, self.fy = counts.column_sums(surprisal.phi)
        self.y = surprisal.sum(counts.class_sizes)
        # n·I(f;y) in units of φ
        self.relevance = self.whole - self.f - self.y + self.fy
