"""Counts made of cells: whoever holds the rows counts them, and φ is applied here, once.

Counts add over rows, sums of φ do not. So what is elsewhere (partitions of rows, a database, a file of
counts) answers with counts, never with sums, and the result is the same bit for bit wherever the rows are.
For a new kind of storage implement the two questions of `Cells`; `CellCounts` makes all else of them.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from entropick._base.logarithms import log2, power
from entropick._base.race import FallingScore
from entropick.contracts import BySize, Groups, GroupSums
from entropick.counting.subsets import norm_scale, sums_of_nested
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.exceptions import CombinationError
from entropick.table.codes import level_starts

Given = tuple[int, ...]  # columns that are taken jointly; none gives one level

BLOCK_CELLS = 1 << 22  # cells that are asked for at once (32 MB)


class Counted(NamedTuple):
    """Cells in ascending order of their keys, and their counts by class, int64 (cells, classes).

    Cells of subsets may be given once for all that have the same counts: `times` is how many there are.
    """

    keys: np.ndarray
    counts: np.ndarray
    times: np.ndarray | None = None

    def total(self, of_cells: np.ndarray) -> Any:
        """The sum of what cells have, each as often as it occurs."""
        return of_cells.sum() if self.times is None else (of_cells * self.times).sum()

    @property
    def n_cells(self) -> int:
        return int(self.total(np.ones(len(self.counts), np.int64)))

    @classmethod
    def of_rows(cls, keys: np.ndarray, labels: np.ndarray, n_classes: int) -> "Counted":
        """The cells of rows, given the cell and the class of each row."""
        present, place = np.unique(keys, return_inverse=True)
        counts = np.bincount(place * n_classes + labels, minlength=len(present) * n_classes)
        return cls(present, counts.reshape(len(present), n_classes))

    @classmethod
    def merged(cls, parts: Sequence["Counted"]) -> "Counted":
        """The cells of all parts together."""
        present, place = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        counts = np.zeros((len(present), parts[0].counts.shape[1]), np.int64)
        np.add.at(counts, place, np.concatenate([part.counts for part in parts]))
        return cls(present, counts)


class Cells(ABC):
    """Rows that are counted elsewhere.

    Attributes
    ----------
    n_rows : rows
    n_levels : levels of each column
    class_sizes : rows of each class
    is_exact : whether all counts are there; small ones may have been left out
    """

    n_rows: int
    n_levels: np.ndarray
    class_sizes: np.ndarray
    is_exact: bool = True

    @abstractmethod
    def of_columns(self, columns: np.ndarray, given: Given, by_class: bool) -> Counted:
        """The cells (f, given) of each of some columns f; those without rows may be left out.

        The cell of level a of f and levels b, c, ... of the given columns has the key (a · L_b + b) · L_c + c
        ..., where L are numbers of levels. The keys of the next column follow after all L_f · L_b · L_c ...
        keys of the one before. Without classes there is one count per cell.
        """

    @abstractmethod
    def of_subsets(self, subsets: np.ndarray) -> Sequence[Counted]:
        """The groups of equal rows on each of some subsets, bool (subsets, columns), by class.

        Their keys may be anything that tells the groups of a subset apart. Groups with the same counts may be
        given as one, with the number of them.
        """

    def grouped(self) -> "Grouped":
        """All rows as one group, to be refined; overridden where rows can remember their group."""
        return GroupedByQuestions(self)


class Grouped(Protocol):
    """Rows grouped by the joint levels of some columns."""

    @property
    def groups(self) -> Counted:
        """Rows of each group by class."""

    @property
    def n_settled(self) -> int:
        """Rows left out of the groups, because all rows of theirs have one class."""

    def cells(self, columns: Sequence[int]) -> Sequence[Counted]:
        """For each of some columns, the rows of each (group, level) by class."""

    def refined(self, column: int) -> "Grouped":
        """The groups with one more column."""


class GroupedByQuestions:
    """`Grouped` that asks for the cells of subsets, and remembers nothing.

    Parameters
    ----------
    cells : the rows
    columns : whose joint levels make the groups
    groups : their counts, where they are known
    """

    n_settled = 0

    def __init__(self, cells: Cells, columns: Given = (), groups: Counted | None = None) -> None:
        self._cells, self._columns = cells, columns
        self.groups = Counted(np.zeros(1, np.int64), cells.class_sizes[None]) if groups is None else groups

    def cells(self, columns: Sequence[int]) -> Sequence[Counted]:
        subsets = np.zeros((len(columns), len(self._cells.n_levels)), bool)
        subsets[:, list(self._columns)] = True
        subsets[np.arange(len(columns)), list(columns)] = True
        return self._cells.of_subsets(subsets)

    def refined(self, column: int) -> "GroupedByQuestions":
        return GroupedByQuestions(self._cells, (*self._columns, column), self.cells([column])[0])


class CellCounts:
    """`entropick.contracts.Counts` made of cells.

    Parameters
    ----------
    cells : where rows are counted
    """

    copies = 1.0  # rows elsewhere have no weights

    def __init__(self, cells: Cells) -> None:
        self.cells = self._cells = cells
        self.n_rows, self.n_levels, self.class_sizes = cells.n_rows, cells.n_levels, cells.class_sizes
        self._sums = np.zeros((3, len(self.n_levels)), np.int64)

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        sizes = np.zeros(self.n_levels.sum(), np.int64)
        cells = self._cells.of_columns(np.arange(len(self.n_levels)), (), by_class=False)
        sizes[cells.keys] = cells.counts[:, 0]
        return sizes, level_starts(self.n_levels)

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        sums = np.zeros_like(self._sums)
        self._fill(sums, np.arange(len(self.n_levels)), (), surprisal, by_class=True)
        return sums

    def class_tables(self, columns: np.ndarray, given: Given = ()) -> np.ndarray:
        width = math.prod(self.n_levels[list(given)].tolist())
        tables = np.zeros((int(self.n_levels[columns].sum()) * width, len(self.class_sizes)), np.int64)
        cells = self._cells.of_columns(columns, given, by_class=True)
        tables[cells.keys] = cells.counts
        return tables

    def watch(self, sums: ColumnSums) -> None:
        """All columns are there from the start."""

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray:
        self._fill(self._sums, candidates, s if isinstance(s, tuple) else (s,), surprisal, by_class)
        return self._sums

    def _fill(
        self, sums: np.ndarray, candidates: np.ndarray, given: Given, surprisal: Surprisal, by_class: bool
    ) -> None:
        """Σ φ of candidates, joined with the given columns, without and with the classes."""
        width = math.prod(self.n_levels[list(given)].tolist())
        n_groups = self.n_levels[candidates] * width
        for block in in_blocks(n_groups * (len(self.class_sizes) if by_class else 1)):
            cells = self._cells.of_columns(candidates[block], given, by_class)
            starts = np.searchsorted(cells.keys, level_starts(n_groups[block]))
            ends = np.append(starts, len(cells.keys))
            # the cells of every column have all rows, unless small counts were left out
            of_groups = _sums_of_groups(cells, ends[:2] if self._cells.is_exact else ends, width, surprisal)
            sums[:, candidates[block]] = np.add.reduceat(of_groups, starts, axis=1)

    def race(self, columns: ColumnSums, score: FallingScore, *, capped: bool) -> None:
        """None: whoever holds the rows is asked about many columns at once."""

    def minima(self, start: np.ndarray, surprisal: Surprisal, slack: int) -> "CellMinima":
        return CellMinima(self, start, surprisal)

    def groups(self, surprisal: Surprisal) -> "CellGroups":
        return CellGroups(self._cells, surprisal)

    # -- whole subsets -------------------------------------------------------------------------

    def subset_sums(self, subsets: np.ndarray, of_group: BySize, of_cell: BySize) -> GroupSums:
        found = np.empty((len(subsets), 4), np.int64)
        for i, groups in enumerate(self._cells.of_subsets(subsets)):
            of_cells = np.where(groups.counts > 0, of_cell[groups.counts], 0).sum(axis=1)
            over_groups = groups.total(of_group[groups.counts.sum(axis=1)])
            found[i] = groups.n_cells, groups.total(_n_classes(groups)), over_groups, groups.total(of_cells)
        return GroupSums(*found.T)

    def nested_sums(self, columns: Sequence[int], at_once: int, surprisal: Surprisal) -> Iterator[GroupSums]:
        for start in range(0, len(columns), at_once):
            yield sums_of_nested(self, columns[: start + at_once], start, surprisal)

    def subset_peaks(self, subsets: np.ndarray) -> np.ndarray:
        found = self._cells.of_subsets(subsets)
        return np.array([groups.total(groups.counts.max(axis=1)) for groups in found])

    def subset_majorities(self, subsets: np.ndarray, needed: np.ndarray) -> GroupSums:
        found = np.zeros((len(subsets), 4), np.int64)
        for i, groups in enumerate(self._cells.of_subsets(subsets)):
            sizes = groups.counts.sum(axis=1)
            has_majority = groups.counts.max(axis=1) >= needed[sizes]
            n_certain = groups.total(np.where(has_majority, sizes, 0))
            found[i, :3] = groups.n_cells, groups.total(_n_classes(groups)), n_certain
        return GroupSums(*found.T)

    def subset_norms(self, subsets: np.ndarray, order: float) -> np.ndarray:
        scale = norm_scale(self.n_rows, len(self.class_sizes), order)
        found = self._cells.of_subsets(subsets)
        return np.array(
            [groups.total(np.rint(_norms(groups.counts, order) * scale)) / scale for groups in found]
        )


class CellMinima:
    """Minima brought up to date for all candidates at each step."""

    def __init__(self, counts: CellCounts, start: np.ndarray, surprisal: Surprisal) -> None:
        self._counts = counts
        self._bounds = start.copy()
        self._surprisal = surprisal
        self._late: list[tuple[int, int]] = []

    def include(self, column: int, offset: int) -> None:
        self._late.append((column, offset))

    def finalists(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for s, offset in self._late:
            sum_fs, sum_fsy, expected = self._counts.pair_sums(s, candidates, self._surprisal)[:, candidates]
            terms = sum_fsy - sum_fs - expected + offset
            self._bounds[candidates] = np.minimum(self._bounds[candidates], terms)
        self._late.clear()
        return candidates, self._bounds[candidates]


class CellGroups:
    """`entropick.contracts.Groups` of rows that are elsewhere."""

    def __init__(self, cells: Cells, surprisal: Surprisal) -> None:
        self._n_rows, self._n_levels = cells.n_rows, cells.n_levels
        self._n_classes = len(cells.class_sizes)
        self._surprisal = surprisal
        self._grouped = cells.grouped()

    @property
    def is_settled(self) -> bool:
        return not (_n_classes(self._grouped.groups) > 1).any()

    def refine(self, column: int) -> None:
        self._grouped = self._grouped.refined(column)

    def entropy(self, alpha: float) -> float:
        return self._entropy(self._grouped.groups, alpha)

    def entropies(self, candidates: np.ndarray, alpha: float) -> np.ndarray:
        n_groups = min(self._grouped.groups.n_cells, self._n_rows)
        found = np.empty(len(candidates))
        for block in in_blocks(self._n_levels[candidates] * n_groups * self._n_classes):
            cells = self._grouped.cells(candidates[block].tolist())
            found[block] = [self._entropy(of_column, alpha) for of_column in cells]
        return found

    def _entropy(self, groups: Counted, alpha: float) -> float:
        """H_α(y | groups) from the class counts of groups, without those that are settled."""
        counts = groups.counts
        if alpha == 1:
            phi = self._surprisal.phi
            of_groups = phi[counts.sum(axis=1)] - phi[counts].sum(axis=1)
            return float(self._surprisal.to_bits(groups.total(of_groups)))
        n_settled, n_rows = self._grouped.n_settled, self._n_rows
        if alpha == math.inf:
            return float(log2(n_rows) - log2(n_settled + groups.total(counts.max(axis=1, initial=0))))
        total = n_settled + groups.total(_norms(counts, alpha))
        return float(alpha / (1 - alpha) * (log2(total) - log2(n_rows)))

    def entropy_given_all(self, alpha: float) -> float:
        twin = CellGroups.__new__(CellGroups)
        twin.__dict__.update(self.__dict__)
        for j in range(len(self._n_levels)):
            if twin.is_settled:
                break
            twin.refine(j)
        return twin.entropy(alpha)

    def permuted(
        self, rng: np.random.Generator, row_groups: np.ndarray | None = None, shift: float | None = None
    ) -> Groups:
        raise CombinationError("Labels cannot be shuffled across partitions. Hint: cut by a number.")


def in_blocks(sizes: np.ndarray) -> list[np.ndarray]:
    """Positions of tables of these sizes, in blocks that fit in memory; a very large one stands alone."""
    is_small = sizes <= BLOCK_CELLS // 4
    small = np.flatnonzero(is_small)
    blocks = np.split(small, np.flatnonzero(np.diff(np.cumsum(sizes[small]) // BLOCK_CELLS)) + 1)
    return [block for block in blocks if len(block)] + list(np.flatnonzero(~is_small)[:, None])


def _sums_of_groups(cells: Counted, ends: np.ndarray, width: int, surprisal: Surprisal) -> np.ndarray:
    """φ of each group (f,s), Σ φ of its counts by class, and what it tells by chance, as (3, groups).

    The rows of each level of s are those of the columns whose cells lie between `ends`, or the most of them
    where small counts were left out.
    """
    phi, sizes = surprisal.phi, cells.counts.sum(axis=1)
    expected = np.zeros(len(sizes), np.int64)
    if surprisal.is_adjusted and cells.counts.shape[1] > 1:
        levels, level = np.unique(cells.keys % width, return_inverse=True)
        of_levels = np.zeros((len(levels), cells.counts.shape[1]), np.int64)
        for start, stop in pairwise(ends.tolist()):
            of_column = np.zeros_like(of_levels)
            np.add.at(of_column, level[start:stop], cells.counts[start:stop])
            np.maximum(of_levels, of_column, out=of_levels)
        expected = surprisal.expected(of_levels, level, sizes)
    return np.stack([phi[sizes], phi[cells.counts].sum(axis=1), expected])


def _n_classes(groups: Counted) -> np.ndarray:
    """Classes that each group has rows of."""
    return np.asarray(np.count_nonzero(groups.counts, axis=1))


def _norms(counts: np.ndarray, order: float) -> np.ndarray:
    """The norm of each row of counts."""
    peaks = np.maximum(counts.max(axis=1, initial=0), 1).astype(np.float64)
    return np.asarray(peaks * power(power(counts / peaks[:, None], order).sum(axis=1), 1 / order))
