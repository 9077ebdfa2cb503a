"""Cells of partitions of the rows: each partition counts, and the integers are added.

Small tables travel whole; of tables with more cells than rows only the cells that occur.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from entropick.contracts import Partitions
from entropick.counting import cells as blocks
from entropick.counting.cells import Cells, Counted, Given
from entropick.counting.subsets import level_keys
from entropick.table.codes import Codes, level_starts


class PartitionedCells(Cells):
    """`Cells` of partitions of the rows.

    Parameters
    ----------
    codes : in each partition a table of codes with the levels and classes of the whole table
    n_levels : levels of each column
    """

    def __init__(self, codes: Partitions, n_levels: np.ndarray) -> None:
        self._codes, self.n_levels = codes, n_levels
        self.class_sizes = codes.reduce(_class_sizes, added)
        self.n_rows = int(self.class_sizes.sum())

    def of_columns(self, columns: np.ndarray, given: Given, by_class: bool) -> Counted:
        width = math.prod(self.n_levels[list(given)].tolist())
        n_classes = len(self.class_sizes) if by_class else 1
        if (self.n_levels[columns] * width * n_classes).max() > blocks.BLOCK_CELLS // 4:
            return self._codes.reduce(_cells, Counted.merged, columns, given, width, n_classes)
        counts = self._codes.reduce(_tables, added, columns, given, width, n_classes).reshape(-1, n_classes)
        return Counted(np.arange(len(counts)), counts)

    def of_subsets(self, subsets: np.ndarray) -> list[Counted]:
        return self._codes.reduce(_cells_of_subsets, _merged_lists, subsets)

    def grouped(self) -> "PartitionedGroups":
        is_open = np.count_nonzero(self.class_sizes) > 1
        counts = self.class_sizes[None][: int(is_open)]
        groups = Counted(np.arange(len(counts)), counts)
        return PartitionedGroups(self._codes.map(_one_group, is_open), groups, 0 if is_open else self.n_rows)


class PartitionedGroups:
    """`entropick.counting.cells.Grouped` of partitions, whose rows remember the number of their group.

    When a column comes in, partitions say which (group, level) pairs they have, with their class counts.
    Pairs of more than one class get new numbers, in order; rows of all others leave: no column can change
    what they contribute.

    Parameters
    ----------
    rows : in each partition its codes and the group of each row
    groups, n_settled : see `Grouped`
    """

    def __init__(self, rows: Partitions, groups: Counted, n_settled: int) -> None:
        self._rows, self.groups, self.n_settled = rows, groups, n_settled

    def cells(self, columns: Sequence[int]) -> list[Counted]:
        return self._rows.reduce(_cells_of_groups, _merged_lists, columns)

    def refined(self, column: int) -> "PartitionedGroups":
        ((keys, counts, _),) = self.cells([column])
        is_open = np.count_nonzero(counts, axis=1) > 1
        rows = self._rows.map(_regrouped, column, keys[is_open])
        groups = Counted(keys[is_open], counts[is_open])
        return PartitionedGroups(rows, groups, self.n_settled + int(counts[~is_open].sum()))


# -- what a partition does -----------------------------------------------------------------------


class GroupedRows(NamedTuple):
    """The codes of a partition, and the group of each row, -1 where its class is settled."""

    codes: Codes
    group_of: np.ndarray


def _class_sizes(part: Codes) -> np.ndarray:
    return np.bincount(part.labels, minlength=part.n_classes)


def _tables(part: Codes, columns: np.ndarray, given: Given, width: int, n_classes: int) -> np.ndarray:
    """Tables (f, given, y) of some columns f, one after the other."""
    beside, n_beside = _levels_of(part, given) * n_classes, width * n_classes
    beside += part.labels if n_classes > 1 else 0
    return part.count_tables(columns, beside, n_beside)


def _cells(part: Codes, columns: np.ndarray, given: Given, width: int, n_classes: int) -> Counted:
    """The cells of these tables that occur."""
    labels = part.labels if n_classes > 1 else np.zeros_like(part.labels)
    levels, found, first = _levels_of(part, given), [], 0
    for f in columns.tolist():
        keys = first + part.column(f).astype(np.int64) * width + levels
        found.append(Counted.of_rows(keys, labels, n_classes))
        first += int(part.n_levels[f]) * width
    keys, counts, _ = zip(*found, strict=True)
    return Counted(np.concatenate(keys), np.concatenate(counts))


def _levels_of(part: Codes, columns: Given) -> np.ndarray:
    """The joint level of some columns in each row, of all combinations of their levels."""
    levels = np.zeros(part.n_rows, np.int64)
    for j in columns:
        levels = levels * int(part.n_levels[j]) + part.column(j)
    return levels


def _cells_of_subsets(part: Codes, subsets: np.ndarray) -> list[Counted]:
    """Rows grouped by sums of keys of their levels, as `entropick.counting.subsets` does it."""
    keys, first_key = level_keys(part.n_levels), level_starts(part.n_levels)
    used = np.flatnonzero(subsets.any(axis=0)).tolist()
    of_column = {j: keys[first_key[j] + part.column(j)] for j in used}
    found = []
    for subset in subsets:
        sums = np.zeros(part.n_rows, np.uint64)
        for j in np.flatnonzero(subset).tolist():
            sums += of_column[j]
        found.append(Counted.of_rows(sums, part.labels, part.n_classes))
    return found


def _one_group(part: Codes, is_open: bool) -> GroupedRows:
    return GroupedRows(part, np.full(part.n_rows, 0 if is_open else -1))


def _cells_of_groups(part: GroupedRows, columns: Sequence[int]) -> list[Counted]:
    """The (group, level) pairs of each of some columns."""
    codes, group_of = part
    is_open = group_of >= 0
    groups, labels = group_of[is_open], codes.labels[is_open]
    found = []
    for j in columns:
        keys = groups * int(codes.n_levels[j]) + codes.column(j)[is_open]
        found.append(Counted.of_rows(keys, labels, codes.n_classes))
    return found


def _regrouped(part: GroupedRows, column: int, open_keys: np.ndarray) -> GroupedRows:
    """The new group of each row: the place of its (group, level) pair among those that stay open."""
    codes, group_of = part
    keys = np.where(group_of < 0, -1, group_of * int(codes.n_levels[column]) + codes.column(column))
    place = np.searchsorted(open_keys, keys)
    is_open = place < len(open_keys)
    is_open[is_open] = open_keys[place[is_open]] == keys[is_open]
    return GroupedRows(codes, np.where(is_open, place, -1))


def added(tables: Sequence[np.ndarray]) -> np.ndarray:
    """The sum of tables of counts."""
    return np.asarray(np.sum(tables, axis=0))


def _merged_lists(parts: Sequence[list[Counted]]) -> list[Counted]:
    """The cells of each of several tables, of all partitions together."""
    return [Counted.merged(cells) for cells in zip(*parts, strict=True)]
