"""Counts of rows that are all in this process: counting and φ go on in the same compiled loops."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from entropick import _core
from entropick._base.race import FallingScore, SumRace
from entropick._base.subsets import as_bit_strings
from entropick._base.threads import Threads
from entropick.contracts import BySize, GroupSums
from entropick.counting.groups import LocalGroups
from entropick.counting.subsets import level_keys, norm_scale, sums_of_nested
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.table.codes import Codes, DensePart, freeze, joint_levels, smallest_dtype

# A dense column is also listed by its unusual rows if these are at most one row in ten (then the
# list takes no more than half the memory of the codes) and its levels few.
UNUSUAL_SHARE = 0.1
UNUSUAL_LEVELS = 8


class LocalCounts:
    """`entropick.contracts.Counts` of one table.

    Parameters
    ----------
    codes : the table; without a target all rows are one class
    threads : threads
    """

    def __init__(self, codes: Codes, threads: Threads) -> None:
        self._codes = codes
        self._threads = threads
        self.n_rows, self.n_levels, self.copies = codes.n_rows, codes.n_levels, codes.copies

    @cached_property
    def class_sizes(self) -> np.ndarray:
        return np.bincount(self._codes.labels, minlength=self._codes.n_classes)

    @cached_property
    def _table(self) -> _core.CodeTable:
        return self._codes.compiled()

    @cached_property
    def _listed(self) -> _core.CodeTable:
        return _listed_table(self._codes, self._table, self._threads)

    @cached_property
    def _level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        return self._codes.level_sizes()

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        return self._level_sizes

    # -- pairs of columns ----------------------------------------------------------------------

    @cached_property
    def _pairs(self) -> _core.PairCounter:
        return _core.PairCounter(self._table, self._codes.labels, self._codes.n_classes)

    @cached_property
    def _pairs_without_classes(self) -> _core.PairCounter:
        return _core.PairCounter(self._table, self._codes.labels, 1)

    @cached_property
    def _sums(self) -> np.ndarray:
        return np.zeros((3, len(self.n_levels)), np.int64)

    def _selected(self, surprisal: Surprisal, n_classes: int) -> _core.Selected:
        """An empty list of columns to count against."""
        scale = surprisal.chance_scale if surprisal.is_adjusted else 0.0
        return _core.Selected(self._codes.labels, n_classes, surprisal.phi.table, scale)

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        constant, sums = self._selected(surprisal, self._codes.n_classes), np.zeros_like(self._sums)
        constant.add(np.zeros(self.n_rows, np.uint8), 1)
        columns = np.arange(len(self.n_levels))

        def count(start: int, stop: int) -> None:
            self._pairs.column_sums(columns[start:stop], constant, sums)

        self._count(count, len(columns), self._pairs.seconds_per_pair)
        return sums

    def _count(self, count: Callable[[int, int], None], n_items: int, seconds_per_item: float) -> None:
        """Like `Threads.run`, but with a direct call if there is too little work for threads."""
        if n_items * seconds_per_item < self._threads.at_once:
            count(0, n_items)
        else:
            self._threads.run(count, n_items, seconds_per_item)

    def class_tables(self, columns: np.ndarray, given: tuple[int, ...] = ()) -> np.ndarray:
        beside, n_beside = np.zeros(self.n_rows, np.int64), 1
        for j in given:
            n_levels = int(self.n_levels[j])
            beside, n_beside = beside * n_levels + self._codes.column(j), n_beside * n_levels
        n_classes = self._codes.n_classes
        beside = beside * n_classes + self._codes.labels
        return self._codes.count_tables(columns, beside, n_beside * n_classes).reshape(-1, n_classes)

    def watch(self, sums: ColumnSums) -> None:
        """All columns are there from the start."""

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray:
        counter = self._pairs if by_class else self._pairs_without_classes
        selected = self._selected(surprisal, self._codes.n_classes if by_class else 1)
        if isinstance(s, tuple):
            levels, n_levels = joint_levels((self._codes.column(j) for j in s), self.n_rows)
            selected.add(levels.astype(smallest_dtype(n_levels)), max(n_levels, 1))
        else:
            selected.add(self._codes.column(s), int(self.n_levels[s]))

        def count(start: int, stop: int) -> None:
            counter.sums(candidates[start:stop], selected, 0, self._sums)

        self._count(count, len(candidates), counter.seconds_per_pair)
        return self._sums

    def race(self, columns: ColumnSums, score: FallingScore, *, capped: bool) -> "RedundancyRace | None":
        counter = self._pairs if capped else self._pairs_without_classes
        selected = self._selected(columns.surprisal, self._codes.n_classes if capped else 1)
        of_columns = np.array([columns.f, columns.fy, columns.relevance])
        unit, of_score = columns.surprisal.unit, np.array(score, np.float64)
        race = _core.RedundancyRace(counter, selected, of_columns, unit, capped, of_score)
        return RedundancyRace(self._codes, selected, race, self._threads, counter.seconds_per_pair)

    def minima(self, start: np.ndarray, surprisal: Surprisal, slack: int) -> "LocalMinima":
        selected = self._selected(surprisal, self._codes.n_classes)
        return LocalMinima(self._codes, self._pairs, selected, start, slack, self._threads)

    # -- groups of rows ------------------------------------------------------------------------

    def groups(self, surprisal: Surprisal) -> LocalGroups:
        return LocalGroups(self._codes, (self._table, self._listed), surprisal, self._threads)

    def nested_sums(self, columns: Sequence[int], at_once: int, surprisal: Surprisal) -> Iterator[GroupSums]:
        labels, n_classes, phi = self._codes.labels, self._codes.n_classes, surprisal.phi.table
        groups = _core.NestedGroups(self._table, labels, n_classes, phi, surprisal.chance_scale)
        for start in range(0, len(columns), at_once):
            found = groups.split(np.array(columns[start : start + at_once], np.int64))
            if found is None:  # tables of all combinations of levels would be too large
                yield sums_of_nested(self, columns[: start + at_once], start, surprisal)
            else:
                yield GroupSums(*found.T)

    # -- whole subsets -------------------------------------------------------------------------

    @cached_property
    def _subsets(self) -> _core.SubsetCounter:
        labels, n_classes = self._codes.labels, self._codes.n_classes
        return _core.SubsetCounter(self._listed, labels, n_classes, level_keys(self.n_levels))

    def subset_sums(self, subsets: np.ndarray, of_group: BySize, of_cell: BySize) -> GroupSums:
        of_groups, of_cells = np.asarray(of_group), np.asarray(of_cell)
        return self._of_subsets(
            subsets, lambda some, sums: self._subsets.entropy_sums(some, of_groups, of_cells, sums)
        )

    def subset_peaks(self, subsets: np.ndarray) -> np.ndarray:
        return self._of_subsets(subsets, self._subsets.peak_sums).over_groups

    def subset_majorities(self, subsets: np.ndarray, needed: np.ndarray) -> GroupSums:
        return self._of_subsets(subsets, lambda some, sums: self._subsets.majority_sums(some, needed, sums))

    def subset_norms(self, subsets: np.ndarray, order: float) -> np.ndarray:
        scale = norm_scale(self.n_rows, self._codes.n_classes, order)
        found = self._of_subsets(
            subsets, lambda some, sums: self._subsets.norm_sums(some, order, int(scale), sums)
        )
        return found.over_groups / scale

    def _of_subsets(self, subsets: np.ndarray, count: Callable[[np.ndarray, np.ndarray], None]) -> GroupSums:
        """What `count(subsets, sums)` fills in, for all subsets."""
        # Neighbours in this order share columns, so that their row sums follow from each other.
        order = np.argsort(as_bit_strings(subsets), kind="stable")
        ordered, sums = subsets[order], np.empty((len(subsets), 4), np.int64)
        seconds = 1e-6 + self.n_rows * (6e-9 + 1e-10 * self._codes.n_columns)
        self._threads.run(
            lambda start, stop: count(ordered[start:stop], sums[start:stop]), len(subsets), seconds
        )
        found = np.empty_like(sums)
        found[order] = sums
        return GroupSums(*found.T)


class RedundancyRace(SumRace):
    """`entropick.contracts.Race` of one table."""

    def __init__(
        self,
        codes: Codes,
        selected: _core.Selected,
        race: _core.RedundancyRace,
        threads: Threads,
        seconds: float,
    ) -> None:
        super().__init__(race, threads, seconds)
        self._codes, self._selected = codes, selected

    def include(self, column: int) -> None:
        self._selected.add(self._codes.column(column), int(self._codes.n_levels[column]))
        super().include(column)


class LocalMinima:
    """`entropick.contracts.Minima`, of which most are never computed completely.

    Parameters
    ----------
    codes : with a target
    counter : counts pairs
    selected : columns to count against, none yet
    start : int64 (columns,), scores before any column is included
    slack : scores closer than this are ties
    threads : threads
    """

    def __init__(
        self,
        codes: Codes,
        counter: _core.PairCounter,
        selected: _core.Selected,
        start: np.ndarray,
        slack: int,
        threads: Threads,
    ) -> None:
        self._codes, self._selected, self._threads = codes, selected, threads
        self._race = _core.Race(counter, selected, start, slack)
        # Most candidates are out of the race at once; about one in eight is counted again.
        self._seconds = 5e-9 + counter.seconds_per_pair / 8

    def include(self, column: int, offset: int) -> None:
        self._selected.add(self._codes.column(column), int(self._codes.n_levels[column]))
        self._race.include(column, offset)

    def finalists(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        leaders = self._lower(self._race.leaders(candidates))
        columns = np.concatenate([leaders, self._lower(self._race.rivals(candidates, leaders))])
        columns.sort()
        return columns, self._race.scores(columns)

    def _lower(self, columns: np.ndarray) -> np.ndarray:
        """Those of the columns that may be among the best two, brought up to date."""
        found = [np.empty(0, np.int64)]
        self._threads.run(
            lambda start, stop: found.append(self._race.lower(columns[start:stop])),
            len(columns),
            self._seconds,
        )
        return np.concatenate(found)


def _listed_table(codes: Codes, table: _core.CodeTable, threads: Threads) -> _core.CodeTable:
    """The table with dense columns that mostly have one level as lists of their other rows."""
    n_rows, is_dense = codes.n_rows, np.zeros(codes.n_columns, bool)
    for part in codes.parts:
        is_dense[part.columns] = isinstance(part, DensePart)
    few = np.flatnonzero(is_dense & (codes.n_levels <= UNUSUAL_LEVELS))
    usual, n_unusual = np.empty((2, len(few)), np.int64)

    def count(start: int, stop: int) -> None:
        table.usual_levels(few[start:stop], usual[start:stop], n_unusual[start:stop])

    threads.run(count, len(few), seconds_per_item=n_rows * 1e-9)
    is_listed = n_unusual <= UNUSUAL_SHARE * n_rows
    listed, usual = few[is_listed], usual[is_listed]
    if not len(listed):
        return table
    starts = np.concatenate([[0], np.cumsum(n_unusual[is_listed])])
    rows, levels = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint8)

    def fill(start: int, stop: int) -> None:
        table.list_unusual(listed[start:stop], usual[start:stop], starts[start:stop], rows, levels)

    threads.run(fill, len(listed), seconds_per_item=n_rows * 1e-9)
    freeze(starts, rows, levels)
    return codes.compiled((listed, starts, rows, levels, usual))
