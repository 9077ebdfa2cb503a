"""Rows grouped by the joint levels of the selected columns, refined column by column."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from entropick import _core
from entropick._base.threads import Threads
from entropick._kernels import partition as kernels
from entropick._kernels.logarithms import log2
from entropick._kernels.pairs import SparseColumns
from entropick.contracts import GroupSums
from entropick.counting.surprisal import Surprisal
from entropick.table.codes import Codes, DensePart, SparsePart, freeze
from entropick.table.row_groups import GroupOrder

# A dense column is also listed by its unusual rows if these are at most one row in ten (then the
# list takes no more than half the memory of the codes) and its levels few.
UNUSUAL_SHARE = 0.1
UNUSUAL_LEVELS = 8
# Maximum size of the table in which groups are split: cells in all, or cells per row.
TABLE_CELLS = 1 << 18
CELLS_PER_ROW = 8


class LocalGroups:
    """Rows grouped by the joint levels of the columns taken in so far.

    Groups of a single class are dropped: no further column can change what they contribute.

    Parameters
    ----------
    codes : with a target
    surprisal : the φ of Shannon sums
    unusual : the columns that mostly have one level
    threads : threads
    """

    def __init__(self, codes: Codes, surprisal: Surprisal, unusual: "UnusualRows", threads: Threads) -> None:
        self._codes = codes
        self._surprisal = surprisal
        self._phi = np.asarray(surprisal.phi)
        self._threads = threads
        self._unusual = unusual
        n_rows, n_classes = codes.n_rows, codes.n_classes
        rows, starts = np.arange(n_rows, dtype=np.int32), np.array([0, n_rows])
        self._set(kernels.Groups(rows, starts, codes.labels, n_classes), 0)
        self._constant = np.zeros((1, n_rows), np.uint8)
        freeze(self._constant)
        self._refine_by(self._constant[0], 1)  # drops all rows if there is but one class

    def _set(self, groups: kernels.Groups, n_settled: int) -> None:
        self._groups = groups
        self._n_settled = n_settled
        self._by_row: kernels.RowGroups | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the class of every row follows from the columns taken in."""
        return len(self._groups.rows) == 0

    # -- taking columns in -------------------------------------------------------------------

    def refine(self, j: int) -> None:
        """Take in column j."""
        self._refine_by(self._codes.column(j), int(self._codes.n_levels[j]))

    def _refine_by(self, codes: np.ndarray, n_levels: int) -> None:
        rows, starts, labels, settled = kernels.refine(codes, n_levels, self._groups)
        groups = kernels.Groups(rows.copy(), starts.copy(), labels.copy(), self._groups.n_classes)
        self._set(groups, self._n_settled + settled)

    def fork(self) -> "LocalGroups":
        """An independent partition that starts from this one's groups."""
        twin = LocalGroups.__new__(LocalGroups)
        twin.__dict__.update(self.__dict__)
        return twin

    def entropy_given_all(self, alpha: float) -> float:
        """H_α(y | all columns of the table), the least any selection can reach."""
        twin = self.fork()
        for j in range(self._codes.n_columns):
            if twin.is_settled:
                break
            twin.refine(j)
        return twin.entropy(alpha)

    def permuted(self, rng: np.random.Generator, row_groups: np.ndarray | None = None) -> "LocalGroups":
        """A twin whose labels are shuffled within each group: y independent of all else, given S."""
        rows, starts, labels, n_classes = self._groups
        group = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        if row_groups is None:
            order = np.argsort(group + rng.random(len(rows)), kind="stable")
        else:
            order = GroupOrder(row_groups[rows], group).draw(rng)
        twin = self.fork()
        twin._set(kernels.Groups(rows, starts, labels[order], n_classes), self._n_settled)
        return twin

    # -- entropies ---------------------------------------------------------------------------

    def entropy(self, alpha: float) -> float:
        """H_α(y | columns taken in), in bits."""
        unsplit = self._dense_sums(self._constant, np.ones(1, np.int64), np.zeros(1, np.int64), alpha)
        return float(self._to_entropies(unsplit, alpha)[0])

    def entropies(self, candidates: np.ndarray, alpha: float) -> np.ndarray:
        """H_α(y | columns taken in, f) in bits for each candidate column f."""
        sums = np.empty(len(candidates), np.int64 if alpha in (1, math.inf) else np.float64)
        part_of, local_of = self._codes.part_of[candidates], self._codes.place[candidates]
        for p, part in enumerate(self._codes.parts):
            chosen = np.flatnonzero(part_of == p)
            if len(chosen):
                sums[chosen] = self._part_sums(p, part, local_of[chosen], alpha)
        return self._to_entropies(sums, alpha)

    def _to_entropies(self, sums: np.ndarray, alpha: float) -> np.ndarray:
        n_rows = self._codes.n_rows
        if alpha == 1:
            return self._surprisal.to_bits(sums)
        if alpha == math.inf:
            return np.asarray(log2(n_rows) - log2(self._n_settled + sums))
        return np.asarray(alpha / (1 - alpha) * (sums - log2(n_rows)))

    def _part_sums(self, p: int, part: DensePart | SparsePart, local: np.ndarray, alpha: float) -> np.ndarray:
        n_levels = self._codes.n_levels[part.columns]
        if alpha not in (1, math.inf):
            if isinstance(part, DensePart):
                return self._dense_sums(part.codes, n_levels, local, alpha)
            return self._norms_of_sparse(part, n_levels, local, alpha)
        if isinstance(part, SparsePart):
            return self._sparse_sums(sparse_columns(part, self._codes.n_levels), local, alpha)
        listed = self._unusual.of_part(p)
        if listed is None:
            return self._dense_sums(part.codes, n_levels, local, alpha)
        columns, place = listed
        sums = np.empty(len(local), np.int64)
        is_listed = place[local] >= 0
        sums[is_listed] = self._sparse_sums(columns, place[local[is_listed]], alpha)
        sums[~is_listed] = self._dense_sums(part.codes, n_levels, local[~is_listed], alpha)
        return sums

    def _dense_sums(
        self, codes: np.ndarray, n_levels: np.ndarray, local: np.ndarray, alpha: float
    ) -> np.ndarray:
        exact = alpha in (1, math.inf)
        sums = np.empty(len(local), np.int64 if exact else np.float64)
        kind = kernels.SHANNON if alpha == 1 else kernels.MINIMUM
        split: Callable[[int, int], None]
        if exact:

            def split(start: int, stop: int) -> None:
                kernels.split_sums(
                    codes, n_levels, local[start:stop], self._groups, kind,
                    self._phi, sums[start:stop],
                )  # fmt: skip
        else:

            def split(start: int, stop: int) -> None:
                kernels.split_norms(
                    codes, n_levels, local[start:stop], self._groups, float(alpha),
                    self._n_settled, sums[start:stop],
                )  # fmt: skip

        seconds = 1e-7 + len(self._groups.rows) * (2e-9 if exact else 2e-8)
        self._threads.run(split, len(local), seconds)
        return sums

    def _norms_of_sparse(
        self, part: SparsePart, n_levels: np.ndarray, local: np.ndarray, alpha: float
    ) -> np.ndarray:
        """α-norms need every row: one sparse column at a time is made dense."""
        zero = np.zeros(1, np.int64)
        sums = [
            self._dense_sums(part.column(k, self._codes.n_rows)[None, :], n_levels[k : k + 1], zero, alpha)
            for k in local
        ]
        return np.concatenate(sums)

    # -- columns that mostly have one level --------------------------------------------------

    def _sparse_sums(self, columns: SparseColumns, local: np.ndarray, alpha: float) -> np.ndarray:
        kind = kernels.SHANNON if alpha == 1 else kernels.MINIMUM
        by_row, counts = self._groups_by_row()
        if kind == kernels.SHANNON:
            phi = self._phi
            group_sums = phi[counts.sum(axis=1)] - phi[counts].sum(axis=1)
        else:
            group_sums = counts.max(axis=1, initial=0)
        sums = np.empty(len(local), np.int64)

        def split(start: int, stop: int) -> None:
            kernels.sparse_split_sums(
                columns, local[start:stop], by_row, kind, self._phi,
                group_sums, sums[start:stop],
            )  # fmt: skip

        stored = len(columns.rows) / max(len(columns.usual), 1)
        self._threads.run(split, len(local), seconds_per_item=1e-7 + stored * 5e-9)
        return sums

    def _groups_by_row(self) -> tuple[kernels.RowGroups, np.ndarray]:
        """The groups looked up by row, and their class counts (groups, classes)."""
        rows, starts, labels, n_classes = self._groups
        n_groups = len(starts) - 1
        group = np.repeat(np.arange(n_groups, dtype=np.int32), np.diff(starts))
        cell = group * np.int64(n_classes) + labels
        counts = np.bincount(cell, minlength=n_groups * n_classes)
        if self._by_row is None:
            group_of = np.full(self._codes.n_rows, -1, np.int32)
            label_of = np.zeros(self._codes.n_rows, np.int32)
            cell_of = np.full(self._codes.n_rows, len(counts), np.int32)
            group_of[rows], label_of[rows], cell_of[rows] = group, labels, cell
            self._by_row = kernels.RowGroups(group_of, label_of, cell_of, counts, n_classes)
        return self._by_row, counts.reshape(n_groups, n_classes)


class NestedGroups:
    """Rows grouped by the columns taken in so far, groups of a single class included.

    As many columns as their combinations fit a table are counted at once.

    Parameters
    ----------
    codes : with a target
    class_sizes : rows of each class
    surprisal : what sizes of groups and cells contribute
    """

    def __init__(self, codes: Codes, class_sizes: np.ndarray, surprisal: Surprisal) -> None:
        self._codes = codes
        self._phi = np.asarray(surprisal.phi)
        self._chance = _core.ChanceTables()
        self._chance.add(class_sizes.astype(np.uint64), codes.n_classes, surprisal.chance_scale)
        self._cells = codes.labels.astype(np.uint32)  # (group, class) of each row
        self._n_cells = codes.n_classes
        self._most_cells = max(TABLE_CELLS, CELLS_PER_ROW * codes.n_rows)

    def split(self, columns: Sequence[int]) -> GroupSums | None:
        """Take columns in, with the sums after each; None from where on tables would be too large."""
        found: list[np.ndarray] = []
        joined: list[int] = []  # levels of the columns that are not counted yet
        for j in columns:
            n_levels = int(self._codes.n_levels[j])
            if joined and self._n_cells * n_levels > self._codes.n_rows:
                found.append(self._count(joined))
                joined = []
            if self._n_cells * n_levels > self._most_cells:
                self._most_cells = 0
                return None
            _core.join_column(self._codes.column(j), n_levels, self._n_cells, self._cells)
            self._n_cells *= n_levels
            joined.append(n_levels)
        found.append(self._count(joined))
        return GroupSums(*np.concatenate(found).T)

    def _count(self, joined: list[int]) -> np.ndarray:
        """The sums after each of the newest columns, of these levels."""
        sums = np.empty((len(joined), 4), np.int64)
        self._n_cells = _core.nested_sums(
            np.array(joined), self._n_cells, self._codes.n_classes, self._phi, self._chance, self._cells, sums
        )
        return sums


class UnusualRows:
    """Dense columns that mostly have one level, listed by their other rows.

    Parameters
    ----------
    codes : the table
    threads : threads
    """

    def __init__(self, codes: Codes, threads: Threads) -> None:
        self._codes = codes
        self._threads = threads
        self._lists: dict[int, tuple[SparseColumns, np.ndarray] | None] = {}

    def of_part(self, p: int) -> tuple[SparseColumns, np.ndarray] | None:
        """The listed columns of dense part p, and each column's place among them (-1: not listed)."""
        if p not in self._lists:
            part = self._codes.parts[p]
            assert isinstance(part, DensePart)
            self._lists[p] = self._list(part)
        return self._lists[p]

    def _list(self, part: DensePart) -> tuple[SparseColumns, np.ndarray] | None:
        n_rows = self._codes.n_rows
        n_levels = self._codes.n_levels[part.columns]
        few = np.flatnonzero(n_levels <= UNUSUAL_LEVELS)
        usual = np.zeros(len(n_levels), np.int64)
        n_unusual = np.zeros(len(n_levels), np.int64)

        def count(start: int, stop: int) -> None:
            kernels.usual_levels(part.codes, n_rows, few[start:stop], n_levels, usual, n_unusual)

        self._threads.run(count, len(few), seconds_per_item=n_rows * 1e-9)
        listed = few[n_unusual[few] <= UNUSUAL_SHARE * n_rows]
        if not len(listed):
            return None
        starts = np.concatenate([[0], np.cumsum(n_unusual[listed])])
        rows = np.empty(starts[-1], np.int32)
        codes = np.empty(starts[-1], part.codes.dtype)

        def fill(start: int, stop: int) -> None:
            kernels.list_unusual(
                part.codes, n_rows, listed[start:stop], usual, starts[start:stop], rows, codes
            )

        self._threads.run(fill, len(listed), seconds_per_item=n_rows * 1e-9)
        place = np.full(len(n_levels), -1, np.int64)
        place[listed] = np.arange(len(listed))
        freeze(starts, rows, codes)
        return SparseColumns(starts, rows, codes, usual[listed], n_levels[listed]), place


def sparse_columns(part: SparsePart, n_levels: np.ndarray) -> SparseColumns:
    """A sparse part as the kernels see it, from the levels of all columns."""
    return SparseColumns(part.starts, part.rows, part.codes, part.usual, n_levels[part.columns])
