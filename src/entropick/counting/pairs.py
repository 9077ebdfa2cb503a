"""Every candidate column counted against a selected one."""

from collections.abc import Callable

import numpy as np

from entropick._kernels import pairs as kernels
from entropick.counting.planes import (
    PLANE_CLASSES,
    SELECTED_PLANE_LEVELS,
    BitPlanes,
    has_few_levels,
    planes_of_column,
)
from entropick.counting.surprisal import Surprisal
from entropick.table import SparsePart, Table
from entropick.table.memory import smallest_dtype
from entropick.workers import Workers


class SelectedColumns:
    """The selected columns as the kernels see them, joined with the classes.

    Parameters
    ----------
    table : with a target
    rows : how much there is to count
    """

    def __init__(self, table: Table, rows: kernels.Rows) -> None:
        assert table.target is not None
        self._rows = rows
        self._labels = table.target.codes
        dtype = smallest_dtype(int(table.n_levels.max()) * rows.n_classes)
        self.record = kernels.Selected(
            np.empty((1, table.n_rows), dtype),
            np.empty((1, 3), np.int64),
            np.empty(rows.n_words, np.uint64),
            np.empty(rows.n_classes, np.uint64),
        )
        self.clear()

    def clear(self) -> None:
        """Forget all columns."""
        self._n_columns, self._n_planes, self._n_counts = 0, 0, 0

    def __len__(self) -> int:
        return self._n_columns

    def add(self, codes: np.ndarray, n_levels: int) -> None:
        """Take in a column given by its codes."""
        n_classes, n_words = self._rows.n_classes, self._rows.n_words
        k, first_plane, first_count = self._n_columns, self._n_planes, self._n_counts
        has_planes = n_levels * n_classes <= SELECTED_PLANE_LEVELS
        self._n_columns += 1
        self._n_planes += (n_levels - 1) * n_classes if has_planes else 0
        self._n_counts += n_levels * n_classes
        self._make_room()
        joint, index, planes, counts = self.record
        index[k] = n_levels, first_plane if has_planes else -1, first_count
        kernels.join_classes(codes, self._labels, n_classes, joint[k], counts[first_count : self._n_counts])
        if has_planes:
            above_0 = planes_of_column(joint[k], n_levels * n_classes)[(n_classes - 1) * n_words :]
            planes[first_plane * n_words : self._n_planes * n_words] = above_0

    def _make_room(self) -> None:
        """Enlarge the arrays that have become too small, to twice what is needed."""
        needed = (self._n_columns, self._n_columns, self._n_planes * self._rows.n_words, self._n_counts)
        for name, array, size in zip(self.record._fields, self.record, needed, strict=True):
            if size > len(array):
                larger = np.empty((2 * size, *array.shape[1:]), array.dtype)
                larger[: len(array)] = array
                self.record = self.record._replace(**{name: larger})


class PairCounter:
    """Σ φ over the joint counts of candidates and a selected column s, and by class as well.

    Parameters
    ----------
    table : with a target
    surprisal : the φ to sum
    workers : threads
    with_classes : whether to count by class; if not, both sums are the same
    """

    def __init__(
        self, table: Table, surprisal: Surprisal, workers: Workers, *, with_classes: bool = True
    ) -> None:
        assert table.target is not None
        self.table = table
        self.workers = workers
        self.phi = surprisal.phi
        self._planes = BitPlanes(table, table.target.n_classes if with_classes else 1, workers)
        self.rows = self._planes.rows
        self._sums = np.zeros((2, table.n_columns), np.int64)

    def new_selected(self) -> SelectedColumns:
        """An empty list of selected columns to count against."""
        return SelectedColumns(self.table, self.rows)

    def sums(self, candidates: np.ndarray, selected: SelectedColumns, i: int) -> np.ndarray:
        """Σ φ(N(f,s)) and Σ φ(N(f,s,y)) as (2, columns), s the selected column i.

        Only the places of candidates are filled, and only until the next call.
        """
        for p, local in self.by_part(candidates):
            self._count_part(p, local, selected, i)
        return self._sums

    def column_sums(self) -> np.ndarray:
        """Σ φ(N(f)) and Σ φ(N(f,y)) of every column f, as (2, columns)."""
        constant = self.new_selected()
        constant.add(np.zeros(self.table.n_rows, np.uint8), 1)
        for p, part in enumerate(self.table.parts):
            is_few = has_few_levels(part, self.table.n_levels[part.columns])
            is_few &= self.rows.n_classes <= PLANE_CLASSES
            self._count_few_levels(p, np.flatnonzero(is_few))
            self._count_part(p, np.flatnonzero(~is_few), constant, 0)
        return self._sums.copy()

    def _count_few_levels(self, p: int, local: np.ndarray) -> None:
        """Columns alone and by class, by planes that are not kept."""
        part, target = self.table.parts[p], self.table.target
        assert target is not None
        class_planes = planes_of_column(target.codes, target.n_classes)
        class_sizes = np.bincount(target.codes)
        n_levels = self.table.n_levels[part.columns]

        def count(start: int, stop: int) -> None:
            kernels.column_sums(
                part.codes, n_levels, local[start:stop], part.columns, class_planes, class_sizes,
                self.phi, self._sums,
            )  # fmt: skip

        self.workers.run(count, len(local), seconds_per_item=5e-8 + self.table.n_rows * 1.5e-10)

    def _count_part(self, p: int, local: np.ndarray, selected: SelectedColumns, i: int) -> None:
        columns, positions, record = self.columns(p, local), self.table.parts[p].columns, selected.record
        n_classes = self.rows.n_classes
        count: Callable[[int, int], None]
        if isinstance(columns, kernels.SparseColumns):
            n_s, _, first = record.index[i].tolist()
            by_class = record.counts[first : first + n_s * n_classes].astype(np.int64)
            of_level = by_class.reshape(n_s, n_classes).sum(axis=1)

            def count(start: int, stop: int) -> None:
                kernels.sparse_pair_sums(
                    columns, local[start:stop], positions, record.joint[i], n_s, n_classes,
                    of_level, by_class, self.phi, self._sums,
                )  # fmt: skip
        else:

            def count(start: int, stop: int) -> None:
                kernels.pair_sums(
                    columns, local[start:stop], positions, record, i, self.rows, self.phi, self._sums
                )

        self.workers.run(count, len(local), self.seconds_per_pair(columns))

    # -- parts -------------------------------------------------------------------------------

    def by_part(self, candidates: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """For each part with candidates: its number and their places in it."""
        if len(self.table.parts) == 1:
            return [(0, candidates)]  # the only part has all columns in order
        part, place = self.table.part_of[candidates], self.table.place[candidates]
        found = [(p, place[part == p]) for p in range(len(self.table.parts))]
        return [(p, local) for p, local in found if len(local)]

    def columns(self, p: int, local: np.ndarray) -> kernels.Columns | kernels.SparseColumns:
        """Part p as the kernels see it, with the planes of the columns that are to be counted."""
        part = self.table.parts[p]
        return (
            sparse_columns(part, self.table)
            if isinstance(part, SparsePart)
            else self._planes.columns(p, local)
        )

    def seconds_per_pair(self, columns: kernels.Columns | kernels.SparseColumns) -> float:
        """A rough estimate, to choose block sizes."""
        if isinstance(columns, kernels.SparseColumns):
            return 1e-7 + 4e-9 * len(columns.rows) / max(len(columns.usual), 1)
        return 6e-8 + self.table.n_rows * (1e-10 if len(columns.planes) else 8e-10)


def sparse_columns(part: SparsePart, table: Table) -> kernels.SparseColumns:
    """A sparse part as the kernels see it."""
    n_levels = table.n_levels[part.columns]
    return kernels.SparseColumns(part.starts, part.rows, part.codes, part.usual, n_levels)
