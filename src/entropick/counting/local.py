"""Counts of rows that are all in this process: every candidate column against a selected one.

Columns of few levels are counted by bit planes. Counting and φ go on in the same compiled loops.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from entropick import _core
from entropick._base.threads import Threads
from entropick._kernels import pairs as kernels
from entropick.contracts import BySize, GroupSums
from entropick.counting.groups import LocalGroups, NestedGroups, UnusualRows, sparse_columns
from entropick.counting.race import Bounds, MinimumRace
from entropick.counting.subsets import SubsetCounter, sums_of_nested
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.counting.tables import count_tables, level_sizes
from entropick.table.codes import (
    ROW_PADDING,
    Codes,
    DensePart,
    SparsePart,
    joint_levels,
    padded,
    smallest_dtype,
)

# Candidates with up to this many levels keep bit planes: half of the memory of their one-byte codes.
PLANE_LEVELS = 5
# The target gets bit planes if it has up to this many classes.
PLANE_CLASSES = 64
# A selected column joined with the classes gets bit planes up to this many levels; it is only one column.
SELECTED_PLANE_LEVELS = 256


class LocalCounts:
    """`entropick.contracts.Counts` of one table: counting and φ go on in the same compiled loops.

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
    def _pairs(self) -> "PairCounter":
        return PairCounter(self._codes, self._threads)

    @cached_property
    def _pairs_without_classes(self) -> "PairCounter":
        return PairCounter(self._codes, self._threads, by_class=False)

    @cached_property
    def _unusual(self) -> UnusualRows:
        return UnusualRows(self._codes, self._threads)

    @cached_property
    def _subsets(self) -> SubsetCounter:
        return SubsetCounter(self._codes, self._unusual, self._threads)

    def take_rows(self, rows: np.ndarray) -> "LocalCounts":
        """The counts of some rows only."""
        return LocalCounts(self._codes.take_rows(rows), self._threads)

    @cached_property
    def _level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        return level_sizes(self._codes)

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        return self._level_sizes

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        return self._pairs.column_sums(surprisal)

    def class_tables(self, columns: np.ndarray, given: tuple[int, ...] = ()) -> np.ndarray:
        beside, n_beside = np.zeros(self.n_rows, np.int64), 1
        for j in given:
            n_levels = int(self.n_levels[j])
            beside, n_beside = beside * n_levels + self._codes.column(j), n_beside * n_levels
        n_classes = self._codes.n_classes
        beside = beside * n_classes + self._codes.labels
        return count_tables(self._codes, columns, beside, n_beside * n_classes).reshape(-1, n_classes)

    def watch(self, sums: ColumnSums) -> None:
        """All columns are there from the start."""

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray:
        counter = self._pairs if by_class else self._pairs_without_classes
        if isinstance(s, tuple):
            return counter.joint_sums(s, candidates, surprisal)
        return counter.pair_sums(s, candidates, surprisal)

    def minima(self, start: np.ndarray, surprisal: Surprisal, slack: int) -> MinimumRace:
        return MinimumRace(self._pairs, start, surprisal, slack)

    def groups(self, surprisal: Surprisal) -> LocalGroups:
        return LocalGroups(self._codes, surprisal, self._unusual, self._threads)

    def subset_sums(self, subsets: np.ndarray, of_group: BySize, of_cell: BySize) -> GroupSums:
        return self._subsets.entropy_sums(subsets, np.asarray(of_group), np.asarray(of_cell))

    def nested_sums(self, columns: Sequence[int], at_once: int, surprisal: Surprisal) -> Iterator[GroupSums]:
        groups = NestedGroups(self._codes, self.class_sizes, surprisal)
        for start in range(0, len(columns), at_once):
            found = groups.split(columns[start : start + at_once])
            if found is None:
                found = sums_of_nested(self, columns[: start + at_once], start, surprisal)
            yield found

    def subset_peaks(self, subsets: np.ndarray) -> np.ndarray:
        return self._subsets.peak_sums(subsets)

    def subset_majorities(self, subsets: np.ndarray, needed: np.ndarray) -> GroupSums:
        return self._subsets.majority_sums(subsets, needed)

    def subset_norms(self, subsets: np.ndarray, order: float) -> np.ndarray:
        return self._subsets.norm_sums(subsets, order)


class SelectedColumns:
    """The selected columns as the kernels see them, joined with the classes.

    Parameters
    ----------
    codes : with a target
    rows : how much there is to count
    most_levels : of any column to come
    """

    def __init__(self, codes: Codes, rows: kernels.Rows, most_levels: int) -> None:
        self._rows = rows
        self._labels = codes.labels
        dtype = smallest_dtype(most_levels * rows.n_classes)
        self.record = kernels.Selected(
            np.empty((1, codes.n_rows), dtype),
            np.empty((1, 3), np.int64),
            np.empty(rows.n_words, np.uint64),
            np.empty(rows.n_classes, np.uint64),
            _core.ChanceTables(),
        )
        self.clear()

    def clear(self) -> None:
        """Forget all columns."""
        self._n_columns, self._n_planes, self._n_counts = 0, 0, 0
        self.record.chance.clear()

    def __len__(self) -> int:
        return self._n_columns

    def add(self, codes: np.ndarray, n_levels: int, surprisal: Surprisal) -> None:
        """Take in a column given by its codes; what it is counted for must be the same for all columns."""
        n_classes, n_words = self._rows.n_classes, self._rows.n_words
        k, first_plane, first_count = self._n_columns, self._n_planes, self._n_counts
        has_planes = n_levels * n_classes <= SELECTED_PLANE_LEVELS
        self._n_columns += 1
        self._n_planes += (n_levels - 1) * n_classes if has_planes else 0
        self._n_counts += n_levels * n_classes
        self._make_room()
        joint, index, planes, counts, chance = self.record
        index[k] = n_levels, first_plane if has_planes else -1, first_count
        kernels.join_classes(codes, self._labels, n_classes, joint[k], counts[first_count : self._n_counts])
        if has_planes:
            above_0 = planes_of_column(joint[k], n_levels * n_classes)[(n_classes - 1) * n_words :]
            planes[first_plane * n_words : self._n_planes * n_words] = above_0
        if surprisal.is_adjusted and n_classes > 1:
            chance.add(counts[first_count : self._n_counts], n_classes, surprisal.chance_scale)

    def _make_room(self) -> None:
        """Enlarge the arrays that have become too small, to twice what is needed after the first time."""
        n_words = self._n_planes * self._rows.n_words
        needed = {
            "joint": self._n_columns,
            "index": self._n_columns,
            "planes": n_words,
            "counts": self._n_counts,
        }
        for name, size in needed.items():
            array = getattr(self.record, name)
            if size > len(array):
                more = 2 * size if len(array) else size
                larger = np.empty((more, *array.shape[1:]), array.dtype)
                larger[: len(array)] = array
                self.record = self.record._replace(**{name: larger})  # type: ignore[arg-type]


class PairCounter:
    """Σ φ over the joint counts of candidates and a selected column s, and by class as well.

    Parameters
    ----------
    codes : with a target
    threads : threads
    by_class : whether to count by class; if not, both sums are the same
    """

    def __init__(self, codes: Codes, threads: Threads, *, by_class: bool = True) -> None:
        self._codes = codes
        self._threads = threads
        self._planes = BitPlanes(codes, codes.n_classes if by_class else 1, threads)
        self._rows = self._planes.rows
        self._sums = np.zeros((3, codes.n_columns), np.int64)
        self._newest = self.new_selected()

    def new_selected(self) -> SelectedColumns:
        """An empty list of selected columns to count against."""
        return SelectedColumns(self._codes, self._rows, int(self._codes.n_levels.max()))

    def pair_sums(self, s: int, candidates: np.ndarray, surprisal: Surprisal) -> np.ndarray:
        """As `entropick.contracts.Counts.pair_sums`."""
        self._newest.clear()
        self.select(s, self._newest, surprisal)
        return self.sums(candidates, self._newest, 0, surprisal)

    def joint_sums(
        self, columns: tuple[int, ...], candidates: np.ndarray, surprisal: Surprisal
    ) -> np.ndarray:
        """As `pair_sums`, with the joint levels of some columns for those of s."""
        levels, n_levels = joint_levels((self._codes.column(j) for j in columns), self._codes.n_rows)
        joint = SelectedColumns(self._codes, self._rows, max(n_levels, 1))
        joint.add(levels.astype(smallest_dtype(n_levels)), max(n_levels, 1), surprisal)
        return self.sums(candidates, joint, 0, surprisal)

    def select(self, s: int, selected: SelectedColumns, surprisal: Surprisal) -> None:
        """Add a column to a list of selected ones."""
        selected.add(self._codes.column(s), int(self._codes.n_levels[s]), surprisal)

    def sums(
        self, candidates: np.ndarray, selected: SelectedColumns, i: int, surprisal: Surprisal
    ) -> np.ndarray:
        """As `pair_sums`, s being column i of a list."""
        phi = np.asarray(surprisal.phi)
        for p, local in self._by_part(candidates):
            self._count_part(p, local, selected, i, phi)
        return self._sums

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        """As `entropick.contracts.Counts.column_sums`."""
        phi = np.asarray(surprisal.phi)
        constant = self.new_selected()
        constant.add(np.zeros(self._codes.n_rows, np.uint8), 1, surprisal)
        for p, part in enumerate(self._codes.parts):
            is_few = _has_few_levels(part, self._codes.n_levels[part.columns])
            is_few &= self._rows.n_classes <= PLANE_CLASSES
            self._count_few_levels(p, np.flatnonzero(is_few), phi, constant.record.chance)
            self._count_part(p, np.flatnonzero(~is_few), constant, 0, phi)
        return self._sums.copy()

    def lower(
        self, columns: np.ndarray, selected: SelectedColumns, offsets: np.ndarray, surprisal: Surprisal,
        bounds: Bounds, best: np.ndarray, slack: int,
    ) -> list[np.ndarray]:  # fmt: skip
        """Bring the bounds of columns up to date that may be among the best two.

        The term of s is Σ φ(N(f,s,y)) − Σ φ(N(f,s)) − what is expected by chance + its offset. Updates
        `bounds` and the two `best` of them; gives the columns that reached the end.
        """
        found: list[np.ndarray] = []
        for p, local in self._by_part(columns):
            part = self._codes.parts[p]
            if isinstance(part, SparsePart):
                late = part.columns[local]
                found.append(self._lower_sparse(late, selected, offsets, surprisal, bounds, best))
            else:
                phi = np.asarray(surprisal.phi)
                found += self._lower_dense(p, local, selected, offsets, phi, bounds, best, slack)
        return found

    def _lower_dense(
        self, p: int, local: np.ndarray, selected: SelectedColumns, offsets: np.ndarray, phi: np.ndarray,
        bounds: Bounds, best: np.ndarray, slack: int,
    ) -> list[np.ndarray]:  # fmt: skip
        seen, positions = self._planes.columns(p, local), self._codes.parts[p].columns
        found: list[np.ndarray] = []
        bests: list[np.ndarray] = []

        def run(start: int, stop: int) -> None:
            mine = best.copy()
            search = kernels.LazySearch(*bounds, positions, mine, slack)
            finalists = np.empty(stop - start, np.int64)
            n_finalists = kernels.lazy_minimum(
                seen, local[start:stop], selected.record, len(selected), self._rows, phi, offsets, search,
                finalists,
            )  # fmt: skip
            bests.append(mine)
            found.append(finalists[:n_finalists])

        # Most candidates are out of the race at once; about one in eight is counted again.
        self._threads.run(run, len(local), 5e-9 + self._seconds_per_pair(seen) / 8)
        for mine in bests:
            np.maximum(best, mine, out=best)
        return found

    def _lower_sparse(
        self, columns: np.ndarray, selected: SelectedColumns, offsets: np.ndarray, surprisal: Surprisal,
        bounds: Bounds, best: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """Sparse columns are cheap enough to be brought up to date always."""
        n_selected = len(selected)
        is_in = bounds.values[columns] > np.iinfo(np.int64).min
        columns = columns[(bounds.counted[columns] != n_selected) & is_in]
        while (bounds.n_seen[columns] < n_selected).any():
            i = int(bounds.n_seen[columns].min())
            late = columns[bounds.n_seen[columns] == i]
            sum_fs, sum_fsy, expected = self.sums(late, selected, i, surprisal)[:, late]
            terms = sum_fsy - sum_fs - expected + offsets[i]
            bounds.values[late] = np.minimum(bounds.values[late], terms)
            bounds.n_seen[late] += 1
        bounds.counted[columns] = n_selected
        best[:] = np.sort(np.append(bounds.values[columns], best))[:-3:-1]
        return columns

    def _count_few_levels(
        self, p: int, local: np.ndarray, phi: np.ndarray, chance: _core.ChanceTables
    ) -> None:
        """Columns alone and by class, by planes that are not kept."""
        part, labels = self._codes.parts[p], self._codes.labels
        class_planes = planes_of_column(labels, self._codes.n_classes)
        class_sizes = np.bincount(labels, minlength=self._codes.n_classes)
        n_levels = self._codes.n_levels[part.columns]

        def count(start: int, stop: int) -> None:
            kernels.column_sums(
                part.codes, n_levels, local[start:stop], part.columns, class_planes, class_sizes,
                phi, chance, self._sums,
            )  # fmt: skip

        self._threads.run(count, len(local), seconds_per_item=5e-8 + self._codes.n_rows * 1.5e-10)

    def _count_part(
        self, p: int, local: np.ndarray, selected: SelectedColumns, i: int, phi: np.ndarray
    ) -> None:
        columns, positions, record = self._columns(p, local), self._codes.parts[p].columns, selected.record
        n_classes = self._rows.n_classes
        count: Callable[[int, int], None]
        if isinstance(columns, kernels.SparseColumns):
            n_s, _, first = record.index[i].tolist()
            by_class = record.counts[first : first + n_s * n_classes].astype(np.int64)
            of_level = by_class.reshape(n_s, n_classes).sum(axis=1)

            def count(start: int, stop: int) -> None:
                kernels.sparse_pair_sums(
                    columns, local[start:stop], positions, record.joint[i], n_s, n_classes,
                    of_level, by_class, phi, record.chance, first // n_classes, self._sums,
                )  # fmt: skip
        else:

            def count(start: int, stop: int) -> None:
                _core.pair_sums(
                    *columns, local[start:stop], positions, *record, i, *self._rows, phi, self._sums
                )

        self._threads.run(count, len(local), self._seconds_per_pair(columns))

    # -- parts -------------------------------------------------------------------------------

    def _by_part(self, candidates: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """For each part with candidates: its number and their places in it."""
        if len(self._codes.parts) == 1:
            return [(0, candidates)]  # the only part has all columns in order
        part, place = self._codes.part_of[candidates], self._codes.place[candidates]
        found = [(p, place[part == p]) for p in range(len(self._codes.parts))]
        return [(p, local) for p, local in found if len(local)]

    def _columns(self, p: int, local: np.ndarray) -> kernels.Columns | kernels.SparseColumns:
        """Part p as the kernels see it, with the planes of the columns that are to be counted."""
        part = self._codes.parts[p]
        return (
            sparse_columns(part, self._codes.n_levels)
            if isinstance(part, SparsePart)
            else self._planes.columns(p, local)
        )

    def _seconds_per_pair(self, columns: kernels.Columns | kernels.SparseColumns) -> float:
        """A rough estimate, to choose block sizes."""
        if isinstance(columns, kernels.SparseColumns):
            return 1e-7 + 4e-9 * len(columns.rows) / max(len(columns.usual), 1)
        return 6e-8 + self._codes.n_rows * (1e-10 if len(columns.planes) else 8e-10)


class BitPlanes:
    """The dense columns of a table with bit planes for those of few levels, packed when first asked for.

    Parameters
    ----------
    codes : with a target
    n_classes : classes to count by; 1 leaves them out
    threads : threads
    """

    def __init__(self, codes: Codes, n_classes: int, threads: Threads) -> None:
        self._threads = threads
        self.rows = kernels.Rows(codes.n_rows, padded(codes.n_rows) // ROW_PADDING, n_classes)
        self._classes = np.empty(0, np.uint64)
        if 1 < n_classes <= PLANE_CLASSES:
            self._classes = planes_of_column(codes.labels, n_classes)
        self._columns: dict[int, kernels.Columns] = {}
        self._is_missing: dict[int, np.ndarray] = {}
        for p, part in enumerate(codes.parts):
            if isinstance(part, DensePart):
                n_levels = codes.n_levels[part.columns]
                gets_planes = _has_few_levels(part, n_levels) & (n_classes <= PLANE_CLASSES)
                self._is_missing[p] = gets_planes
                self._columns[p] = self._with_room(part.codes, n_levels, gets_planes)

    def _with_room(self, codes: np.ndarray, n_levels: np.ndarray, gets_planes: np.ndarray) -> kernels.Columns:
        """A part as the kernels see it; its planes are not filled in yet."""
        n_planes = np.where(gets_planes, np.maximum(n_levels - 1, 0), 0)
        first = np.where(gets_planes, np.cumsum(n_planes) - n_planes, -1)
        # Memory that is never written to is not taken, so columns that are never asked for cost nothing.
        planes = np.empty(n_planes.sum() * self.rows.n_words, np.uint64)
        counts = np.empty((n_planes.sum(), self.rows.n_classes), np.uint32)
        return kernels.Columns(codes, n_levels, planes, first, counts)

    def columns(self, p: int, needed: np.ndarray) -> kernels.Columns:
        """Dense part p, with the planes of the needed ones of its columns."""
        columns, is_missing = self._columns[p], self._is_missing[p]
        missing = needed[is_missing[needed]] if is_missing.any() else needed[:0]
        if len(missing):
            n_words = self.rows.n_words
            planes = columns.planes.reshape(-1, n_words)

            def pack(start: int, stop: int) -> None:
                block = missing[start:stop]
                _core.pack(columns.codes, block, columns.n_levels, columns.first_plane, planes)
                kernels.class_counts(columns, block, self._classes, n_words)

            self._threads.run(pack, len(missing), seconds_per_item=1e-7 + self.rows.n_rows * 2e-10)
            is_missing[missing] = False
        return columns


def _has_few_levels(part: DensePart | SparsePart, n_levels: np.ndarray) -> np.ndarray:
    """Which columns of a part are worth being seen as bit planes."""
    if isinstance(part, DensePart) and part.codes.dtype == np.uint8:
        return n_levels <= PLANE_LEVELS
    return np.zeros(len(n_levels), bool)


def planes_of_column(codes: np.ndarray, n_levels: int) -> np.ndarray:
    """The planes of one column given by its codes, one after the other."""
    n_words = -(-len(codes) // ROW_PADDING)
    row = np.zeros((1, n_words * ROW_PADDING), np.uint8)
    row[0, : len(codes)] = codes
    planes = np.empty((max(n_levels - 1, 0), n_words), np.uint64)
    zero = np.zeros(1, np.int64)
    _core.pack(row, zero, np.array([n_levels]), zero, planes)
    return planes.reshape(-1)
