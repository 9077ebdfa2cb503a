"""What each column alone says about the target: information, standard error, p-value and q-value."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from entropick.inference.margins import MAX_FOURFOLD, MIN_EXPECTED, TablesOfMargins, tail_by_chi2
from entropick.inference.multiplicity import q_values

BLOCK_CELLS = 1 << 22  # cells that are counted at once (32 MB)
TO_BITS = 1 / math.log(2)
DESCRIPTION = ("relevance", "relevance_error", "relevance_p", "relevance_q")


class TableCounts(Protocol):
    """Counts of single columns by class."""

    @property
    def n_levels(self) -> np.ndarray: ...

    @property
    def class_sizes(self) -> np.ndarray: ...

    @property
    def copies(self) -> float: ...

    def class_tables(self, columns: np.ndarray, given: tuple[int, ...] = ()) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Relevances:
    """Tests of all columns f for independence of the target y, one at a time.

    Arrays have one entry per column, or per group if columns are selected in groups.

    Attributes
    ----------
    information : I(f;y) of each column, bits, not corrected for chance
    freedom : degrees of freedom of its table
    min_expected : fewest rows expected in a cell of it
    deviations : standard deviation over rows of the information that a row contributes, bits
    level_sizes, starts : rows of each level, column after column, and where those of each column begin
    class_sizes : rows of each class
    unit_of : entry of each column of the table
    copies : rows that are worth one, where weights made copies of rows
    """

    information: np.ndarray
    freedom: np.ndarray
    min_expected: np.ndarray
    deviations: np.ndarray
    level_sizes: np.ndarray
    starts: np.ndarray
    class_sizes: np.ndarray
    unit_of: np.ndarray
    copies: float = 1.0

    @classmethod
    def of(cls, counts: TableCounts, unit_of: np.ndarray) -> "Relevances":
        """Count all columns."""
        n_levels, class_sizes = counts.n_levels, counts.class_sizes
        starts = np.cumsum(n_levels) - n_levels
        level_sizes = np.zeros(int(n_levels.sum()), np.int64)
        found = np.empty((4, len(n_levels)))
        for block in _blocks(n_levels * len(class_sizes)):
            tables = counts.class_tables(block)
            sizes = tables.sum(axis=1)
            level_sizes[starts[block[0]] : starts[block[0]] + len(sizes)] = sizes
            found[:, block] = _summarized(tables, sizes, n_levels[block], class_sizes, counts.copies)
        information, freedom, min_expected, deviations = found
        sizes = level_sizes, starts, class_sizes
        return cls(information, freedom, min_expected, deviations, *sizes, unit_of, counts.copies)

    @property
    def n_effective(self) -> float:
        """Rows, each of them counted once."""
        return float(self.class_sizes.sum() / self.copies)

    @property
    def statistics(self) -> np.ndarray:
        """G = 2 n ln 2 · I(f;y) of each column."""
        return np.asarray(2 * self.n_effective * math.log(2) * self.information)

    @property
    def errors(self) -> np.ndarray:
        """Standard error of I(f;y) in bits: how it differs between rows, and how it varies by chance."""
        by_chance = 2 * self.freedom / (2 * self.n_effective * math.log(2)) ** 2
        return np.asarray(np.sqrt(self.deviations**2 / self.n_effective + by_chance))

    @cached_property
    def p_values(self) -> np.ndarray:
        """p-value of each column: how often one that is independent of y has as much information.

        By χ², with Williams' correction, if at least ten rows are expected in each cell and cells are more
        than 2 × 2; otherwise by the distribution of tables with the same margins.
        """
        statistics = self.statistics
        p_values = tail_by_chi2(statistics / self._williams(), self.freedom)
        if self.copies == 1:
            classes = self.class_sizes[self.class_sizes > 0]
            tables = TablesOfMargins(np.sort(classes))
            for sizes, columns in self._not_for_chi2(classes):
                p_values[columns] = tables.tails(statistics[columns], sizes)
        return p_values

    def _not_for_chi2(self, classes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Columns that χ² is not right for, and the sizes of their levels, by the number of levels."""
        smallest = np.minimum(self.min_expected * (self.n_effective / classes.min()), classes.min())
        is_listed = (self.freedom == 1) & (smallest < MAX_FOURFOLD)
        columns = np.flatnonzero((self.freedom > 0) & (is_listed | (self.min_expected < MIN_EXPECTED)))
        n_levels = np.add.reduceat((self.level_sizes > 0).astype(np.int64), self.starts)[columns]
        used = np.append(0, np.cumsum(self.level_sizes > 0))
        sizes = self.level_sizes[self.level_sizes > 0]
        for n in np.unique(n_levels).tolist():
            chosen = columns[n_levels == n]
            yield sizes[used[self.starts[chosen]][:, None] + np.arange(n)], chosen

    def _williams(self) -> np.ndarray:
        """What G of independent columns is on average, in degrees of freedom, up to terms of 1 / n²."""
        sizes = self.level_sizes / self.copies
        inverse = np.divide(1.0, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
        of_levels = self.n_effective * np.add.reduceat(inverse, self.starts) - 1
        classes = self.class_sizes[self.class_sizes > 0] / self.copies
        of_classes = self.n_effective * (1 / classes).sum() - 1
        return np.asarray(1 + of_levels * of_classes / (6 * self.n_effective * np.maximum(self.freedom, 1)))

    def describe(self, column: int) -> dict[str, float]:
        """What a column alone says about y, and how certain that is."""
        values = (self.information, self.errors, self.p_values, self.q_values)
        at = self.unit_of[column]
        return {name: float(of_columns[at]) for name, of_columns in zip(DESCRIPTION, values, strict=True)}

    @cached_property
    def q_values(self) -> np.ndarray:
        """Smallest false discovery rate (Benjamini–Hochberg) at which each column is kept."""
        return q_values(self.p_values)


def _summarized(
    tables: np.ndarray, sizes: np.ndarray, n_levels: np.ndarray, class_sizes: np.ndarray, copies: float
) -> np.ndarray:
    """Information, degrees of freedom, fewest expected rows and deviation of each table, (4, columns)."""
    n, classes = int(class_sizes.sum()), class_sizes[class_sizes > 0]
    tables = tables[:, class_sizes > 0]
    starts = np.cumsum(n_levels) - n_levels
    with np.errstate(divide="ignore", invalid="ignore"):
        surprise = np.log(tables * (n / classes) / sizes[:, None]) * TO_BITS
    surprise[tables == 0] = 0.0
    first = np.add.reduceat((tables * surprise).sum(axis=1), starts) / n
    second = np.add.reduceat((tables * surprise**2).sum(axis=1), starts) / n
    n_used = np.add.reduceat((sizes > 0).astype(np.int64), starts)
    smallest = np.minimum.reduceat(np.where(sizes > 0, sizes, n), starts)
    least_class = classes.min() if len(classes) else 0
    return np.stack(
        [
            np.maximum(first, 0.0),
            (n_used - 1) * max(len(classes) - 1, 0),
            smallest * (least_class / n / copies),
            np.sqrt(np.maximum(second - first**2, 0.0)),
        ]
    )


def _blocks(n_cells: np.ndarray) -> Iterator[np.ndarray]:
    """Columns in order, in blocks whose tables have about `BLOCK_CELLS` cells, one at least."""
    number = np.cumsum(n_cells) // BLOCK_CELLS
    yield from np.split(np.arange(len(n_cells)), np.flatnonzero(np.diff(number)) + 1)


def lead_error(joint: np.ndarray, n_levels: tuple[int, int], n_effective: float) -> float:
    """Standard error of I(f;y) − I(g;y) in bits, from the counts of (f, g, class).

    Parameters
    ----------
    joint : (levels of f times levels of g, classes), g changing fastest
    n_levels : of f and g
    n_effective : rows, each of them counted once
    """
    cells = joint.reshape(*n_levels, -1)
    n = cells.sum()
    of_class = cells.sum(axis=(0, 1))
    rows: list[np.ndarray] = []
    for other in (1, 0):
        table = cells.sum(axis=other)
        with np.errstate(divide="ignore", invalid="ignore"):
            surprise = np.log(table * float(n) / (table.sum(axis=1, keepdims=True) * of_class)) * TO_BITS
        rows.append(np.where(table > 0, surprise, 0.0))
    difference = rows[0][:, None, :] - rows[1][None, :, :]
    mean = (cells * difference).sum() / n
    variance = max(float((cells * difference**2).sum() / n - mean**2), 0.0)
    freedom = [(np.count_nonzero(cells.sum(axis=(other, 2))) - 1) * (len(of_class) - 1) for other in (1, 0)]
    by_chance = 2 * sum(freedom) / (2 * n_effective * math.log(2)) ** 2
    return math.sqrt(variance / n_effective + by_chance)
