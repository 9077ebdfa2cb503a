"""Counts over partitions of the rows: each partition counts, integers are added, then φ is applied once.

Counts add over rows, sums of φ do not. So partitions send tables of counts, never sums, and the result is the
same bit for bit however the rows are split. Small tables travel as they are; tables with more cells than
rows travel as the cells that occur (`Cells`).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from entropick._base.threads import Threads
from entropick._kernels.logarithms import log2, power
from entropick.contracts import BySize, Groups, GroupSums, Rows
from entropick.counting.subsets import level_keys, norm_scale, sums_of_nested
from entropick.counting.surprisal import Surprisal
from entropick.counting.tables import count_tables, level_sizes, level_starts
from entropick.exceptions import CombinationError
from entropick.table.codes import Codes

Counted = TypeVar("Counted")

Joined = tuple[int, ...]  # columns that are taken jointly; none gives one level

BLOCK_CELLS = 1 << 22  # cells of the tables that travel at once (32 MB)
SECONDS_PER_PARTITION = 0.1  # a rough estimate: partitions are shared out among threads one by one


class TablesInProcess:
    """`entropick.contracts.Rows` of tables that are all here; they must have the same columns and classes."""

    def __init__(self, partitions: Sequence[Codes], threads: Threads | None = None) -> None:
        self._partitions = list(partitions)
        self._threads = threads or Threads(1)
        self.n_levels = self._partitions[0].n_levels
        self.n_rows = sum(part.n_rows for part in self._partitions)
        self.class_sizes = added([class_sizes(part, None) for part in self._partitions])

    def total(
        self,
        count: Callable[..., Counted],
        argument: object,
        add: Callable[[Sequence[Counted]], Counted],
        held: object = None,
    ) -> Counted:
        return add(self._on_each(count, argument, held))

    def hold(self, make: Callable[..., object], argument: object, held: object = None) -> object:
        return self._on_each(make, argument, held)

    def _on_each(self, call: Callable[..., Counted], argument: object, held: object) -> list[Counted]:
        own = [()] * len(self._partitions) if held is None else [(one,) for one in cast(list[object], held)]
        found: list[Counted | None] = [None] * len(self._partitions)

        def run(start: int, stop: int) -> None:
            for p in range(start, stop):
                found[p] = call(self._partitions[p], argument, *own[p])

        self._threads.run(run, len(found), SECONDS_PER_PARTITION)
        return cast(list[Counted], found)


class Cells(NamedTuple):
    """Cells of a table that occur, in ascending order, and their counts by class (cells, classes)."""

    keys: np.ndarray
    counts: np.ndarray

    @classmethod
    def of_rows(cls, keys: np.ndarray, labels: np.ndarray, n_classes: int) -> "Cells":
        """The cells of rows, given the cell and the class of each row."""
        present, place = np.unique(keys, return_inverse=True)
        counts = np.bincount(place * n_classes + labels, minlength=len(present) * n_classes)
        return cls(present, counts.reshape(len(present), n_classes))

    @classmethod
    def merged(cls, parts: Sequence["Cells"]) -> "Cells":
        """The cells of all partitions together."""
        present, place = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        counts = np.zeros((len(present), parts[0].counts.shape[1]), np.int64)
        np.add.at(counts, place, np.concatenate([part.counts for part in parts]))
        return cls(present, counts)


class RowPartitionedCounts:
    """`entropick.contracts.Counts` over partitions of the rows.

    Parameters
    ----------
    rows : the partitions
    """

    copies = 1.0  # rows of partitions have no weights

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.n_rows, self.n_levels, self.class_sizes = rows.n_rows, rows.n_levels, rows.class_sizes
        self._sums = np.zeros((3, len(self.n_levels)), np.int64)

    def take_rows(self, rows: np.ndarray) -> "RowPartitionedCounts":
        raise CombinationError("Single rows cannot be taken out of partitions of rows.")

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        return self._rows.total(_level_sizes, None, added), level_starts(self.n_levels)

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        self._fill_sums(np.arange(len(self.n_levels)), (), surprisal, by_class=True)
        return self._sums.copy()

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray:
        self._fill_sums(candidates, s if isinstance(s, tuple) else (s,), surprisal, by_class)
        return self._sums

    def _fill_sums(self, candidates: np.ndarray, s: Joined, surprisal: Surprisal, by_class: bool) -> None:
        """Σ φ of candidates, joined with the columns s, without and with the classes."""
        width = math.prod(self.n_levels[list(s)].tolist())
        n_classes = len(self.class_sizes) if by_class else 1
        sizes = self.n_levels[candidates] * width * n_classes
        is_small = sizes <= BLOCK_CELLS // 4
        for block in _blocks(candidates[is_small], sizes[is_small]):
            flat = self._rows.total(_count_pairs, (block, s, width, n_classes), added)
            n_groups = self.n_levels[block] * width
            starts = np.cumsum(n_groups) - n_groups
            groups = Cells(np.arange(n_groups.sum()), flat.reshape(-1, n_classes))
            of_groups = _sums_of_groups(groups, n_groups[0], width, surprisal)
            self._sums[:, block] = np.add.reduceat(of_groups, starts, axis=1)
        for f in candidates[~is_small].tolist():
            cells = self._rows.total(_cells_of_pair, (f, s, width, n_classes), Cells.merged)
            self._sums[:, f] = _sums_of_groups(cells, len(cells.keys), width, surprisal).sum(axis=1)

    def minima(self, start: np.ndarray, surprisal: Surprisal, slack: int) -> "PartitionedMinima":
        return PartitionedMinima(self, start, surprisal)

    def groups(self, surprisal: Surprisal) -> "PartitionedGroups":
        return PartitionedGroups(self._rows, surprisal)

    # -- whole subsets -------------------------------------------------------------------------

    def subset_sums(self, subsets: np.ndarray, of_group: BySize, of_cell: BySize) -> GroupSums:
        found = np.empty((len(subsets), 4), np.int64)
        for i, cells in enumerate(self._subset_cells(subsets)):
            sizes = cells.counts.sum(axis=1)
            over_cells = of_cell[cells.counts[cells.counts > 0]].sum()
            found[i] = len(sizes), np.count_nonzero(cells.counts), of_group[sizes].sum(), over_cells
        return GroupSums(*found.T)

    def nested_sums(self, columns: Sequence[int], at_once: int, surprisal: Surprisal) -> Iterator[GroupSums]:
        for start in range(0, len(columns), at_once):
            yield sums_of_nested(self, columns[: start + at_once], start, surprisal)

    def subset_peaks(self, subsets: np.ndarray) -> np.ndarray:
        return np.array([cells.counts.max(axis=1).sum() for cells in self._subset_cells(subsets)])

    def subset_majorities(self, subsets: np.ndarray, needed: np.ndarray) -> GroupSums:
        found = np.zeros((len(subsets), 4), np.int64)
        for i, cells in enumerate(self._subset_cells(subsets)):
            sizes = cells.counts.sum(axis=1)
            has_majority = cells.counts.max(axis=1) >= needed[sizes]
            found[i, :3] = len(sizes), np.count_nonzero(cells.counts), sizes[has_majority].sum()
        return GroupSums(*found.T)

    def subset_norms(self, subsets: np.ndarray, order: float) -> np.ndarray:
        scale = norm_scale(self.n_rows, len(self.class_sizes), order)
        return np.array(
            [
                np.rint(_norms(cells.counts, order) * scale).sum() / scale
                for cells in self._subset_cells(subsets)
            ]
        )

    def _subset_cells(self, subsets: np.ndarray) -> list[Cells]:
        return self._rows.total(_cells_of_subsets, subsets, _merged_lists)


class PartitionedMinima:
    """Minima brought up to date for all candidates at each step."""

    def __init__(self, counts: RowPartitionedCounts, start: np.ndarray, surprisal: Surprisal) -> None:
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


class PartitionedGroups:
    """Groups of equal rows across partitions: numbers of groups are the same everywhere.

    When a column comes in, partitions say which (group, level) pairs they have, with their class counts.
    Pairs of more than one class get new numbers, in order; rows of all others leave: no column can change
    what they contribute.
    """

    def __init__(self, rows: Rows, surprisal: Surprisal) -> None:
        self._rows = rows
        self._surprisal = surprisal
        self._n_classes = len(rows.class_sizes)
        self._n_settled = 0
        self._counts = np.zeros((0, self._n_classes), np.int64)  # of open groups, by class
        # the group of each row of each partition, -1 where the class is settled: it stays with the rows
        self._group_of = rows.hold(_one_group, None)
        self._renumber(Cells(np.zeros(1, np.int64), rows.class_sizes[None, :]), None)

    @property
    def is_settled(self) -> bool:
        return len(self._counts) == 0

    def refine(self, column: int) -> None:
        (cells,) = self._rows.total(_cells_of_groups, [column], _merged_lists, self._group_of)
        self._renumber(cells, column)

    def _renumber(self, cells: Cells, column: int | None) -> None:
        is_open = np.count_nonzero(cells.counts, axis=1) > 1
        self._n_settled += int(cells.counts[~is_open].sum())
        self._counts = cells.counts[is_open]
        self._group_of = self._rows.hold(_regroup, (column, cells.keys[is_open]), self._group_of)

    def entropy(self, alpha: float) -> float:
        return float(self._to_entropies(self._sum(self._counts, alpha), alpha))

    def entropies(self, candidates: np.ndarray, alpha: float) -> np.ndarray:
        found: list[float] = []
        n_cells = (
            self._rows.n_levels[candidates] * min(len(self._counts), self._rows.n_rows) * self._n_classes
        )
        for block in _blocks(candidates, n_cells):
            for cells in self._rows.total(_cells_of_groups, block.tolist(), _merged_lists, self._group_of):
                found.append(self._to_entropies(self._sum(cells.counts, alpha), alpha))
        return np.array(found)

    def _sum(self, counts: np.ndarray, alpha: float) -> Any:
        """What the groups contribute to the entropy, from their class counts (groups, classes)."""
        if alpha == 1:
            phi = self._surprisal.phi
            return phi[counts.sum(axis=1)].sum() - phi[counts].sum()
        if alpha == math.inf:
            return counts.max(axis=1, initial=0).sum()
        return _norms(counts, alpha).sum()

    def _to_entropies(self, total: Any, alpha: float) -> Any:
        n_rows = self._rows.n_rows
        if alpha == 1:
            return self._surprisal.to_bits(total)
        if alpha == math.inf:
            return log2(n_rows) - log2(self._n_settled + total)
        return alpha / (1 - alpha) * (log2(self._n_settled + total) - log2(n_rows))

    def entropy_given_all(self, alpha: float) -> float:
        twin = PartitionedGroups.__new__(PartitionedGroups)
        twin.__dict__.update(self.__dict__)
        for j in range(len(self._rows.n_levels)):
            if twin.is_settled:
                break
            twin.refine(j)
        return twin.entropy(alpha)

    def permuted(self, rng: np.random.Generator) -> Groups:
        raise CombinationError("Labels cannot be shuffled across partitions. Hint: cut by a number.")


# -- what a partition does -----------------------------------------------------------------------


def class_sizes(part: Codes, _: None) -> np.ndarray:
    """Rows of each class."""
    return np.bincount(part.labels, minlength=part.n_classes)


def _count_pairs(part: Codes, argument: tuple[np.ndarray, Joined, int, int]) -> np.ndarray:
    """Tables (f, s, y) of some candidates f, one after the other."""
    candidates, s, width, n_classes = argument
    beside, n_beside = _levels_of(part, s) * n_classes, width * n_classes
    beside += part.labels if n_classes > 1 else 0
    return count_tables(part, candidates, beside, n_beside)


def _level_sizes(part: Codes, _: None) -> np.ndarray:
    return level_sizes(part)[0]


def _cells_of_pair(part: Codes, argument: tuple[int, Joined, int, int]) -> Cells:
    f, s, width, n_classes = argument
    levels = part.column(f).astype(np.int64) * width + _levels_of(part, s)
    return Cells.of_rows(levels, part.labels if n_classes > 1 else np.zeros_like(part.labels), n_classes)


def _levels_of(part: Codes, columns: Joined) -> np.ndarray:
    """The joint level of some columns in each row, of all combinations of their levels."""
    levels = np.zeros(part.n_rows, np.int64)
    for j in columns:
        levels = levels * int(part.n_levels[j]) + part.column(j)
    return levels


def _one_group(part: Codes, _: None) -> np.ndarray:
    return np.zeros(part.n_rows, np.int64)


def _keys_of_groups(part: Codes, column: int | None, group_of: np.ndarray) -> np.ndarray:
    """(group, level) of each row as one number, -1 where the class is settled."""
    if column is None:
        return group_of
    keys = group_of * int(part.n_levels[column]) + part.column(column)
    return np.where(group_of < 0, -1, keys)


def _cells_of_groups(part: Codes, columns: Sequence[int], group_of: np.ndarray) -> list[Cells]:
    """The (group, level) pairs of each of some columns."""
    is_open = group_of >= 0
    groups, labels = group_of[is_open], part.labels[is_open]
    found = []
    for j in columns:
        keys = groups * int(part.n_levels[j]) + part.column(j)[is_open]
        found.append(Cells.of_rows(keys, labels, part.n_classes))
    return found


def _regroup(part: Codes, argument: tuple[int | None, np.ndarray], group_of: np.ndarray) -> np.ndarray:
    """The new group of each row: the place of its key among those that stay open."""
    column, open_keys = argument
    keys = _keys_of_groups(part, column, group_of)
    place = np.searchsorted(open_keys, keys)
    is_open = place < len(open_keys)
    is_open[is_open] = open_keys[place[is_open]] == keys[is_open]
    return np.where(is_open, place, -1)


def _cells_of_subsets(part: Codes, subsets: np.ndarray) -> list[Cells]:
    """Rows grouped by sums of keys of their levels, as `entropick.counting.subsets` does it."""
    keys, first_key = level_keys(part.n_levels)
    used = np.flatnonzero(subsets.any(axis=0)).tolist()
    of_column = {j: keys[first_key[j] + part.column(j)] for j in used}
    found = []
    for subset in subsets:
        sums = np.zeros(part.n_rows, np.uint64)
        for j in np.flatnonzero(subset).tolist():
            sums += of_column[j]
        found.append(Cells.of_rows(sums, part.labels, part.n_classes))
    return found


# -- helpers -------------------------------------------------------------------------------------


def _blocks(candidates: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
    """Candidates in blocks whose tables fit in memory."""
    if not len(candidates):
        return []
    return np.split(candidates, np.flatnonzero(np.diff(np.cumsum(sizes) // BLOCK_CELLS)) + 1)


def _sums_of_groups(cells: Cells, n_first: int, width: int, surprisal: Surprisal) -> np.ndarray:
    """φ of each group (f,s), Σ φ of its counts by class, and what it tells by chance, as (3, groups).

    The first `n_first` groups are those of one column f: they hold all rows.
    """
    phi, sizes = surprisal.phi, cells.counts.sum(axis=1)
    expected = np.zeros(len(sizes), np.int64)
    if surprisal.is_adjusted and cells.counts.shape[1] > 1:
        levels, level = np.unique(cells.keys % width, return_inverse=True)
        of_levels = np.zeros((len(levels), cells.counts.shape[1]), np.int64)
        np.add.at(of_levels, level[:n_first], cells.counts[:n_first])
        expected = surprisal.expected(of_levels, level, sizes)
    return np.stack([phi[sizes], phi[cells.counts].sum(axis=1), expected])


def added(tables: Sequence[np.ndarray]) -> np.ndarray:
    """The sum of tables of counts."""
    return np.asarray(np.sum(tables, axis=0))


def _merged_lists(parts: Sequence[list[Cells]]) -> list[Cells]:
    """The cells of each of several tables, of all partitions together."""
    return [Cells.merged(cells) for cells in zip(*parts, strict=True)]


def _norms(counts: np.ndarray, order: float) -> np.ndarray:
    """The norm of each row of counts."""
    peaks = np.maximum(counts.max(axis=1, initial=0), 1).astype(np.float64)
    return np.asarray(peaks * power(power(counts / peaks[:, None], order).sum(axis=1), 1 / order))
