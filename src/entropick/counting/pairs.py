"""Every candidate column counted against a selected one."""

from collections.abc import Callable

import numpy as np

from entropick._kernels import bitplanes
from entropick._kernels import pairs as kernels
from entropick.counting.surprisal import Surprisal
from entropick.table import DensePart, SparsePart, Table
from entropick.table.memory import ROW_PADDING, padded, smallest_dtype
from entropick.workers import Workers

# Candidates keep bit planes up to so many levels: half of the memory of their one-byte codes.
PLANE_LEVELS = 5
# A selected column gets bit planes up to so many levels; it is one column only.
SELECTED_PLANE_LEVELS = 64
_LEADERS = 8  # candidates brought up to date first in a lazy search


class BitPlanes:
    """The bit planes of all one-byte columns with few levels, and of the classes."""

    def __init__(self, table: Table, workers: Workers) -> None:
        assert table.target is not None
        self.table = table
        self.n_words = padded(table.n_rows) // ROW_PADDING
        self.of_part = [self._pack_part(part, workers) for part in table.parts]
        self.classes = np.empty(0, np.uint64)
        if table.target.n_classes <= SELECTED_PLANE_LEVELS:
            self.classes = self.pack_column(table.target.codes, table.target.n_classes)

    def _pack_part(self, part: DensePart | SparsePart, workers: Workers) -> tuple[np.ndarray, np.ndarray]:
        """Planes of a part, and for each of its columns the first one (-1: none)."""
        first = np.full(len(part.columns), -1, np.int64)
        if not isinstance(part, DensePart) or part.codes.dtype != np.uint8:
            return np.empty(0, np.uint64), first
        n_levels = self.table.n_levels[part.columns]
        packed = np.flatnonzero(n_levels <= PLANE_LEVELS)
        ends = np.cumsum(np.maximum(n_levels[packed] - 1, 0))
        first[packed] = ends - np.maximum(n_levels[packed] - 1, 0)
        planes = np.empty((int(ends[-1]) if len(packed) else 0, self.n_words), np.uint64)

        def pack(start: int, stop: int) -> None:
            bitplanes.pack(part.codes, packed[start:stop], n_levels, first, planes)

        workers.run(pack, len(packed), seconds_per_item=self.table.n_rows * 1e-10)
        return planes.reshape(-1), first

    def pack_column(self, codes: np.ndarray, n_levels: int) -> np.ndarray:
        """Planes of one column given by its codes."""
        row = np.zeros((1, padded(self.table.n_rows)), np.uint8)
        row[0, : self.table.n_rows] = codes
        planes = np.empty((max(n_levels - 1, 0), self.n_words), np.uint64)
        zero = np.zeros(1, np.int64)
        bitplanes.pack(row, zero, np.array([n_levels]), zero, planes)
        return planes.reshape(-1)


class SelectedColumns:
    """The selected columns as the kernels see them, joined with the classes.

    Parameters
    ----------
    planes : bit planes of the table
    n_classes : classes to join with; 1 leaves them out
    """

    def __init__(self, planes: BitPlanes, n_classes: int) -> None:
        assert planes.table.target is not None
        table = planes.table
        self._planes = planes
        self._n_classes = n_classes
        self._labels = planes.table.target.codes
        widest = int(table.n_levels.max()) * n_classes
        none = np.empty(0, np.int64)
        joint = np.empty((0, table.n_rows), smallest_dtype(widest))
        self.record = kernels.Selected(joint, none, np.empty(0, np.uint64), none, none, none)
        self._buffers: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.record.n_levels)

    def add(self, codes: np.ndarray, n_levels: int) -> None:
        """Take in a column given by its codes."""
        old, k = self.record, len(self)
        joint = self._with_room(old.joint, k)
        joint[k] = codes
        if self._n_classes > 1:
            joint[k] *= joint.dtype.type(self._n_classes)
            joint[k] += self._labels.astype(joint.dtype)
        first_plane, planes = -1, np.empty(0, np.uint64)
        if n_levels <= SELECTED_PLANE_LEVELS:
            planes = self._planes.pack_column(codes, n_levels)
            first_plane = len(old.planes) // self._planes.n_words
        counts = np.bincount(joint[k], minlength=n_levels * self._n_classes)
        self.record = kernels.Selected(
            joint,
            self._extended("n_levels", n_levels),
            self._extended("planes", planes),
            self._extended("first_plane", first_plane),
            self._extended("counts", counts),
            self._extended("first_count", len(old.counts)),
        )

    def _extended(self, name: str, values: np.ndarray | int) -> np.ndarray:
        """An array of the record with values added at its end; room is made by doubling."""
        old: np.ndarray = getattr(self.record, name)
        size = len(old) + np.size(values)
        buffer = self._buffers.get(name)
        if buffer is None or len(buffer) < size:
            buffer = self._buffers[name] = np.empty(2 * size, old.dtype)
            buffer[: len(old)] = old
        buffer[len(old) : size] = values
        return buffer[:size]

    @staticmethod
    def _with_room(joint: np.ndarray, k: int) -> np.ndarray:
        if len(joint) > k:
            return joint
        larger = np.empty((max(1, 2 * k), joint.shape[1]), joint.dtype)
        larger[:k] = joint
        return larger


class PairCounter:
    """Σ φ over the joint counts of candidates and a selected column s, and by class as well.

    Parameters
    ----------
    planes : bit planes of the table
    surprisal : the φ to sum
    workers : threads
    with_classes : whether to count by class; if not, both sums are the same
    """

    def __init__(
        self, planes: BitPlanes, surprisal: Surprisal, workers: Workers, *, with_classes: bool = True
    ) -> None:
        assert planes.table.target is not None
        self.table = planes.table
        self.n_classes = planes.table.target.n_classes if with_classes else 1
        self._planes = planes
        self._phi = surprisal.phi
        self._workers = workers
        class_planes = planes.classes if with_classes else np.empty(0, np.uint64)
        self._classes = kernels.Classes(class_planes, self.n_classes, planes.n_words, self.table.n_rows)
        self._parts = [
            self._dense_part(part, *planes.of_part[p])
            if isinstance(part, DensePart)
            else sparse_columns(part, self.table)
            for p, part in enumerate(self.table.parts)
        ]

    def _dense_part(self, part: DensePart, planes: np.ndarray, first_plane: np.ndarray) -> kernels.Columns:
        """A dense part as the kernels see it, its class counts filled in."""
        n_levels = self.table.n_levels[part.columns]
        if self.n_classes > SELECTED_PLANE_LEVELS:
            first_plane = np.full_like(first_plane, -1)
        packed = np.flatnonzero(first_plane >= 0)
        ends = np.cumsum(n_levels[packed] * self.n_classes)
        first_count = np.full(len(part.columns), -1, np.int64)
        first_count[packed] = ends - n_levels[packed] * self.n_classes
        counts = np.zeros(int(ends[-1]) if len(packed) else 0, np.int64)
        columns = kernels.Columns(part.codes, n_levels, planes, first_plane, counts, first_count)

        def count(start: int, stop: int) -> None:
            kernels.class_counts(columns, packed[start:stop], self._classes)

        self._workers.run(count, len(packed), seconds_per_item=1e-7 + self.table.n_rows * 1e-10)
        return columns

    def new_selected(self) -> SelectedColumns:
        """An empty list of selected columns to count against."""
        return SelectedColumns(self._planes, self.n_classes)

    def column_sums(self) -> np.ndarray:
        """Σ φ(N(f)) and Σ φ(N(f,y)) of every column f, as (columns, 2): its pairs with a constant column."""
        constant = self.new_selected()
        constant.add(np.zeros(self.table.n_rows, np.uint8), 1)
        return self.sums(np.arange(self.table.n_columns), constant, 0)

    def sums(self, candidates: np.ndarray, selected: SelectedColumns, i: int) -> np.ndarray:
        """Σ φ(N(f,s)) and Σ φ(N(f,s,y)) as (candidates, 2), s the selected column i."""
        sums = np.empty((len(candidates), 2), np.int64)
        for p, chosen, local in self._by_part(candidates):
            sums[chosen] = self._part_sums(p, local, selected, i)
        return sums

    def _by_part(self, candidates: np.ndarray) -> list[tuple[int, np.ndarray | slice, np.ndarray]]:
        """For each part: its number, which candidates are there, and their positions in it."""
        if len(self.table.parts) == 1:
            return [(0, slice(None), candidates)]  # the only part has all columns in order
        part, local = self.table.part_of[candidates], self.table.place[candidates]
        found = [(p, np.flatnonzero(part == p)) for p in range(len(self.table.parts))]
        return [(p, chosen, local[chosen]) for p, chosen in found if len(chosen)]

    def _part_sums(self, p: int, local: np.ndarray, selected: SelectedColumns, i: int) -> np.ndarray:
        sums = np.empty((len(local), 2), np.int64)
        columns, s = self._parts[p], selected.record
        count: Callable[[int, int], None]
        if isinstance(columns, kernels.SparseColumns):
            n_s, first = int(s.n_levels[i]), int(s.first_count[i])
            by_class = s.counts[first : first + n_s * self.n_classes]
            of_level = by_class.reshape(n_s, self.n_classes).sum(axis=1)

            def count(start: int, stop: int) -> None:
                kernels.sparse_pair_sums(
                    columns, local[start:stop], s.joint[i], n_s, self.n_classes,
                    of_level, by_class, self._phi, sums[start:stop],
                )  # fmt: skip
        else:

            def count(start: int, stop: int) -> None:
                kernels.pair_sums(
                    columns, local[start:stop], s, i, self._classes, self._phi, sums[start:stop]
                )

        self._workers.run(count, len(local), self._seconds_per_pair(columns))
        return sums

    def _seconds_per_pair(self, columns: kernels.Columns | kernels.SparseColumns) -> float:
        """A rough estimate, to choose block sizes."""
        if isinstance(columns, kernels.SparseColumns):
            return 1e-7 + 4e-9 * len(columns.rows) / max(len(columns.usual), 1)
        return 1e-7 + self.table.n_rows * (1.5e-10 if len(columns.planes) else 8e-10)

    # -- lazy minima -------------------------------------------------------------------------

    def finalists(self, candidates: np.ndarray, selected: SelectedColumns, race: "MinimumRace") -> np.ndarray:
        """The candidates that may be the best or second best; their bounds are exact after it."""
        best = np.full(2, np.iinfo(np.int64).min // 2)
        # The highest bounds go first: the better the first, the fewer of the others must be counted.
        leaders = np.empty(min(_LEADERS, len(candidates)), np.int64)
        kernels.leaders(candidates, race.bounds, leaders)
        leaders.sort()
        found: list[np.ndarray] = []
        for group in (leaders, candidates):
            for p, chosen, local in self._by_part(group):
                if isinstance(self._parts[p], kernels.SparseColumns):
                    best = self._lower_all(p, group[chosen], local, selected, race, best, found)
                else:
                    best = self._run_race(p, local, selected, race, best, found)
        return np.sort(np.concatenate(found))

    def _run_race(
        self,
        p: int,
        local: np.ndarray,
        selected: SelectedColumns,
        race: "MinimumRace",
        best: np.ndarray,
        found: list[np.ndarray],
    ) -> np.ndarray:
        """Let the candidates of a dense part race; returns the best two scores, adds finalists."""
        positions = self.table.parts[p].columns
        offsets = np.array(race.offsets, np.int64)
        bests = [best]

        def run(start: int, stop: int) -> None:
            mine = best.copy()
            search = kernels.LazySearch(race.bounds, race.n_seen, race.counted, positions, mine, race.slack)
            finalists = np.empty(stop - start, np.int64)
            n_finalists = kernels.lazy_minimum(
                self._parts[p], local[start:stop], selected.record, len(selected), self._classes,
                self._phi, offsets, search, finalists,
            )  # fmt: skip
            bests.append(mine)
            found.append(finalists[:n_finalists])

        self._workers.run(run, len(local), self._seconds_in_race(self._parts[p]))
        return np.max(bests, axis=0)

    def _seconds_in_race(self, columns: kernels.Columns | kernels.SparseColumns) -> float:
        """Most candidates are out of the race at once; about one in eight is counted again."""
        return 5e-9 + self._seconds_per_pair(columns) / 8

    def _lower_all(
        self,
        p: int,
        columns: np.ndarray,
        local: np.ndarray,
        selected: SelectedColumns,
        race: "MinimumRace",
        best: np.ndarray,
        found: list[np.ndarray],
    ) -> np.ndarray:
        """As `_run_race` for sparse columns, which are cheap enough to keep up to date always."""
        is_new = race.counted[columns] != len(selected)
        columns, local = columns[is_new], local[is_new]
        while (race.n_seen[columns] < len(selected)).any():
            i = int(race.n_seen[columns].min())
            behind = race.n_seen[columns] == i
            sums = self._part_sums(p, local[behind], selected, i)
            late = columns[behind]
            race.bounds[late] = np.minimum(race.bounds[late], sums[:, 1] - sums[:, 0] + race.offsets[i])
            race.n_seen[late] += 1
        race.counted[columns] = len(selected)
        found.append(columns)
        return np.sort(np.append(race.bounds[columns], best))[:-3:-1].copy()


class MinimumRace:
    """Scores that are minima over the selected columns s and can only fall as S grows.

    The term of s is Σ φ(N(f,s,y)) − Σ φ(N(f,s)) + the offset of s. ``bounds[f]`` is the minimum
    over the first ``n_seen[f]`` selected columns, hence never below the score.

    Parameters
    ----------
    bounds : int64 (columns,), scores before any column is selected
    slack : scores closer than this are ties
    """

    def __init__(self, bounds: np.ndarray, slack: int) -> None:
        self.bounds = bounds
        self.n_seen = np.zeros(len(bounds), np.int64)
        self.counted = np.zeros(len(bounds), np.int64)  # number selected when last a finalist
        self.offsets: list[int] = []
        self.slack = slack


def sparse_columns(part: SparsePart, table: Table) -> kernels.SparseColumns:
    """A sparse part as the kernels see it."""
    n_levels = table.n_levels[part.columns]
    return kernels.SparseColumns(part.starts, part.rows, part.codes, part.usual, n_levels)
