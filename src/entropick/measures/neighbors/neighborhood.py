"""Neighborhood entropy: how mixed the classes are among near rows."""

import copy
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np

from entropick import _core
from entropick._base.compat import Interval, StrOptions, drawn_seed
from entropick._base.logarithms import plogp
from entropick._base.threads import Threads
from entropick._base.wording import counted
from entropick.contracts import Need, Scores
from entropick.exceptions import CombinationError, DataError
from entropick.measures.base import OneObjective, SetMeasure, StepMeasure
from entropick.measures.neighbors import exact_neighbors, lsh_neighbors
from entropick.measures.neighbors.lsh import bucket_rows, tables_of_paper
from entropick.table.numeric.coordinates import SCALINGS, Coordinates
from entropick.table.table import Table

__all__ = ["NeighborhoodEntropy"]

Units = tuple[np.ndarray, np.ndarray]  # where the columns of each unit begin among all, and these columns
NOTHING: Units = (np.zeros(2, np.int64), np.empty(0, np.int64))  # a unit without columns

MAX_CANDIDATES = 100
# Near rows among which a label is shuffled. With three, the permutation test at 5 % accepts noise in 11 % of
# 80 tables, with ten in 4 %; causes were always found.
ALIKE = 10
MAX_ROWS_EXACT = 10_000  # with more rows index="auto" uses hashing


@dataclass(eq=False, repr=False)
class NeighborhoodEntropy(StepMeasure, SetMeasure):
    """Information about y from the classes of near rows: H(y) − NE_k(y; S, f).

    NE_k is the mean class entropy of a row and its k nearest rows (L1 distance on the selected columns S and
    the candidate f), over rows in random order, without the rows already seen as a neighbour of an earlier
    one. With one index over all columns, neighbours are searched among the rows near in all columns; with an
    index per subset, among all rows. Ties between neighbours are broken at random.

    Parameters
    ----------
    n_neighbors : int, default=4
        Neighbours in a neighbourhood, besides its central row.
    index : {"lsh", "exact", "auto"}, default="lsh"
        How near rows are found: by locality-sensitive hashing, exactly, or exactly up to 10,000 rows.
    per_subset : bool, default=False
        Whether each subset has its own index, or all share one over all columns.
    n_candidates : int, "bucket" or None, default=None
        Near rows kept for each row; None keeps √(2n) of them, at least 4 n_neighbors and at most 100.
        "bucket" keeps all rows of its buckets (at most 1,000 of each), as the paper does; it needs
        index="lsh".
    n_tables : int or None, default=20
        Number of hash tables; None takes n^(1/(1+epsilon)), as in the paper. If buckets hold fewer rows than
        are kept, random rows are added.
    epsilon : float, default=15.0
        Approximation for which n_tables=None chooses the number of tables.
    bucket_size : int, default=25
        Intended number of rows in a bucket; its width is chosen from the data.
    width : float or None, default=None
        Width w of the buckets, in units of the scaled columns; None chooses it by `bucket_size`.
    metric : {"l1", "l2"}, default="l1"
        Distance between rows, and the coefficients of the hash functions: Cauchy for "l1", Gaussian for
        "l2". The latter is slower.
    scaling : {"range", "std", "rank"} or None, default="range"
        How numeric columns are scaled, so that units do not matter; None leaves them as they are.
    ties : {"random", "order"}, default="random"
        Which of equally near rows are neighbours: random ones, or the first in the order of the rows. With
        one index per subset the latter needs exact neighbours.
    every_row : bool, default=False
        Whether every row counts, including rows already seen as a neighbour.
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers; None takes the selector's.

    References
    ----------
    Mariello and Battiti (2018), Feature selection based on the neighborhood entropy.
    """

    kinds = frozenset({"step", "set"})
    needs = frozenset({Need.DISTANCES})
    default_cut = "count"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "index": [StrOptions({"lsh", "exact", "auto"})],
        "per_subset": ["boolean"],
        "n_candidates": [Interval(Integral, 1, None, closed="left"), StrOptions({"bucket"}), None],
        "n_tables": [Interval(Integral, 1, None, closed="left"), None],
        "epsilon": [Interval(Real, 0, None, closed="neither")],
        "bucket_size": [Interval(Integral, 1, None, closed="left")],
        "width": [Interval(Real, 0, None, closed="neither"), None],
        "metric": [StrOptions({"l1", "l2"})],
        "scaling": [StrOptions(set(SCALINGS)), None],
        "ties": [StrOptions({"random", "order"})],
        "every_row": ["boolean"],
        "random_state": ["random_state"],
    }

    n_neighbors: int = 4
    index: str = "lsh"
    per_subset: bool = False
    n_candidates: int | str | None = None
    n_tables: int | None = 20
    epsilon: float = 15.0
    bucket_size: int = 25
    width: float | None = None
    metric: str = "l1"
    scaling: str | None = "range"
    ties: str = "random"
    every_row: bool = False
    random_state: Any = None

    @property
    def distance_scaling(self) -> str | None:
        return self.scaling

    def begin_sets(self, table: Table, threads: Threads) -> "NeighborhoodState":
        return self.begin_steps(table, threads)

    def begin_steps(self, table: Table, threads: Threads) -> "NeighborhoodState":
        if table.n_rows < 2:
            raise DataError(f"Neighbours need at least two rows, got {counted(table.n_rows, 'sample')}.")
        if not self.per_subset:
            return OneIndexState(self, table, threads)
        if self.is_exact_for(table.n_rows):
            is_plain = self.metric == "l1" and self.ties == "random"
            return (ExactState if is_plain else NearestState)(self, table, threads)
        if self.ties == "order":
            raise CombinationError(
                "Rows of a bucket have no order, so ties='order' needs exact neighbours for each subset. "
                "Hint: index='exact', or ties='random'."
            )
        return HashedState(self, table, threads)

    def is_exact_for(self, n_rows: int) -> bool:
        """Whether neighbours are exact."""
        return self.index == "exact" or (self.index == "auto" and n_rows <= MAX_ROWS_EXACT)

    def tables_for(self, n_rows: int) -> int:
        """Number of hash tables."""
        return self.n_tables or tables_of_paper(n_rows, self.epsilon)

    def hashed_neighbors(
        self, space: Coordinates, n_neighbors: int, threads: Threads, rng: np.random.Generator
    ) -> np.ndarray:
        """Near rows by hashing, see `lsh_neighbors`."""
        return lsh_neighbors(
            space,
            n_neighbors,
            threads,
            n_tables=self.tables_for(space.n_rows),
            bucket_size=self.bucket_size,
            rng=rng,
            width=self.width,
            metric=self.metric,
        )

    def candidates_for(self, n_rows: int) -> int:
        """Near rows kept for each row by the index over all columns, unless whole buckets are kept."""
        wanted = None if isinstance(self.n_candidates, str) else self.n_candidates
        usual = min(MAX_CANDIDATES, max(4 * self.n_neighbors, math.ceil(math.sqrt(2 * n_rows))))
        return min(n_rows - 1, max(wanted or usual, self.n_neighbors))


class NeighborhoodState(OneObjective, ABC):
    """Shuffled rows, their classes, and the columns selected so far."""

    def __init__(self, measure: NeighborhoodEntropy, table: Table, threads: Threads) -> None:
        self._measure = measure
        self._threads = threads
        seed = drawn_seed(measure.random_state)
        self._rng = np.random.default_rng(seed)
        self._order = order = self._rng.permutation(table.n_rows)  # in which rows are visited
        self._space = table.coordinates.in_row_order(order)
        self._classes = (np.ascontiguousarray(table.target.codes[order]), table.target.n_classes)
        every = range(table.n_columns)
        starts = np.concatenate([[0], np.cumsum([len(table.units.members_of(unit)) for unit in every])])
        self._units = (starts, table.units.columns_of(every))
        self._k = min(measure.n_neighbors, table.n_rows - 1)
        self._places = _compiled(self._space)
        self.objectives = ("neighborhood entropy",)
        self._class_entropy = float(-plogp(np.bincount(table.target.codes) / table.n_rows).sum())
        self._picked: list[int] = []

    def _neighborhoods(self, space: _core.Space) -> _core.Neighborhoods:
        return _core.Neighborhoods(space, *self._classes, self._k, self._measure.every_row)

    def _sums_among(self, space: _core.Space, near: np.ndarray, known: np.ndarray) -> np.ndarray:
        """Summed entropies and number of neighbourhoods, among listed rows at known distances."""
        sums = np.empty((1, 2))
        self._neighborhoods(space).of_listed(*NOTHING, np.zeros(1, np.int64), near, known, sums)
        return np.asarray(sums[0])

    def columns_of(self, unit: int) -> np.ndarray:
        starts, members = self._units
        return members[starts[unit] : starts[unit + 1]]

    def compete(self, candidates: np.ndarray) -> Scores:
        sums = self._sums(candidates)
        gains = self._class_entropy - sums[:, 0] / sums[:, 1]
        return Scores(candidates, gains, residual=self._class_entropy)

    @abstractmethod
    def _sums(self, candidates: np.ndarray) -> np.ndarray:
        """Summed entropies and number of neighbourhoods, with each candidate (candidates, 2)."""

    def include(self, column: int) -> None:
        self._picked.append(column)

    def reached(self) -> float:
        """H(y) − NE_k(y; S) of the selected columns S; 0 without any."""
        if not self._picked:
            return 0.0
        total, n_neighborhoods = self._sums_of_subset(np.array(self._picked))
        return float(self._class_entropy - total / n_neighborhoods)

    def testable(self) -> Self:
        return self.fork()

    def fork(self) -> Self:
        """An independent state with the same selected columns."""
        twin = copy.copy(self)
        twin._picked = list(self._picked)
        return twin

    def permuted(self, rng: np.random.Generator) -> Self:
        """A copy whose labels are shuffled among rows that are near on the selected columns."""
        labels, n_classes = self._classes
        source = shuffled_nearby(self._alike(ALIKE), rng) if self._picked else rng.permutation(len(labels))
        twin = self.fork()
        twin._classes = (np.ascontiguousarray(labels[source]), n_classes)
        return twin

    def _alike(self, n: int) -> np.ndarray:
        """The n rows nearest to each on the selected columns (rows, n)."""
        columns = np.concatenate([self.columns_of(u) for u in self._picked])
        return self._nearest(self._space.take_columns(columns), n)

    def _nearest(self, space: Coordinates, n: int) -> np.ndarray:
        if space.n_rows <= MAX_ROWS_EXACT:
            return exact_neighbors(space, n, self._threads, self._measure.metric)
        rng = np.random.default_rng(len(self._picked))
        return self._measure.hashed_neighbors(space, n, self._threads, rng)

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Neighborhood entropy on whole subsets, bool (subsets, columns); H(y) for the empty subset."""
        found = np.full((len(subsets), 1), self._class_entropy)
        for i, subset in enumerate(subsets):
            chosen = np.flatnonzero(subset)
            if len(chosen):
                sums = self._sums_of_subset(chosen)
                found[i] = sums[0] / sums[1]
        return found

    @abstractmethod
    def _sums_of_subset(self, chosen: np.ndarray) -> np.ndarray:
        """As `_sums` for one subset of units, whatever is selected."""


class OneIndexState(NeighborhoodState):
    """SNEFS: candidate neighbours on all columns, with their distances on the selected columns."""

    def __init__(self, measure: NeighborhoodEntropy, table: Table, threads: Threads) -> None:
        super().__init__(measure, table, threads)
        if measure.n_candidates == "bucket":
            self._take_buckets(measure)
            return
        m = measure.candidates_for(table.n_rows)
        if measure.is_exact_for(table.n_rows):
            near = exact_neighbors(self._space, m, threads, measure.metric)
        else:
            near = measure.hashed_neighbors(self._space, m, threads, self._rng)
        self._neighbors = np.ascontiguousarray(np.take_along_axis(near, self._tie_order(near), axis=1))
        self._known = np.zeros(near.shape, np.float32)

    def _tie_order(self, near: np.ndarray) -> np.ndarray:
        """Places of near rows such that the first of equally near ones is random, or first in the table."""
        if self._measure.ties == "order":
            return np.argsort(self._order[near], axis=1, kind="stable")
        return self._rng.permuted(np.tile(np.arange(near.shape[1]), (len(near), 1)), axis=1)

    def _take_buckets(self, measure: NeighborhoodEntropy) -> None:
        """Make all rows of a row's buckets its candidates; padding is infinitely far away."""
        if measure.index != "lsh":
            raise CombinationError(
                f'n_candidates="bucket" takes the rows of hash buckets, but index={measure.index!r}. '
                'Hint: index="lsh", or a number of candidates.'
            )
        near, is_there = bucket_rows(
            self._space,
            self._k,
            n_tables=measure.tables_for(self._space.n_rows),
            bucket_size=measure.bucket_size,
            width=measure.width,
            rng=self._rng,
            metric=measure.metric,
        )
        shuffled = self._tie_order(near)
        self._neighbors = np.ascontiguousarray(np.take_along_axis(near, shuffled, axis=1))
        is_there = np.ascontiguousarray(np.take_along_axis(is_there, shuffled, axis=1))
        self._known = np.where(is_there, np.float32(0), np.float32(np.inf))

    def include(self, column: int) -> None:
        super().include(column)
        self._add_distances(self.columns_of(column), self._known)

    def _add_distances(self, columns: np.ndarray, known: np.ndarray) -> None:
        def add(start: int, stop: int) -> None:
            self._places.add_distances(
                columns, start, self._neighbors[start:stop], self._measure.metric == "l2", known[start:stop]
            )

        seconds = self._neighbors.shape[1] * len(columns) * 2e-9
        self._threads.run(add, len(known), seconds)

    def _sums(self, candidates: np.ndarray) -> np.ndarray:
        if self._measure.metric == "l2":
            return np.stack([self._sums_after(self.columns_of(j), self._known) for j in candidates])
        sums, neighborhoods = np.empty((len(candidates), 2)), self._neighborhoods(self._places)

        def score(start: int, stop: int) -> None:
            some, found = candidates[start:stop], sums[start:stop]
            neighborhoods.of_listed(*self._units, some, self._neighbors, self._known, found)

        self._threads.run(score, len(candidates), self._neighbors.size * 1e-9)
        return sums

    def fork(self) -> Self:
        twin = super().fork()
        twin._known = self._known.copy()
        return twin

    def _alike(self, n: int) -> np.ndarray:
        nearest = np.argsort(self._known, axis=1, kind="stable")[:, :n]
        return np.take_along_axis(self._neighbors, nearest, axis=1)

    def _sums_of_subset(self, chosen: np.ndarray) -> np.ndarray:
        known = np.where(np.isinf(self._known), self._known, np.float32(0))
        return self._sums_after(np.concatenate([self.columns_of(u) for u in chosen]), known)

    def _sums_after(self, columns: np.ndarray, known: np.ndarray) -> np.ndarray:
        """As `_sums` for the known distances plus those on some columns."""
        distances = known.copy()
        self._add_distances(columns, distances)
        return self._sums_among(self._places, self._neighbors, distances)


class ExactState(NeighborhoodState):
    """NEFS with exact neighbours: all rows are candidates."""

    def _sums(self, candidates: np.ndarray) -> np.ndarray:
        picked = [self.columns_of(u) for u in self._picked]
        selected = np.concatenate(picked) if picked else np.empty(0, np.int64)
        return self._exact_sums(self._units, candidates, selected)

    def _exact_sums(self, units: Units, candidates: np.ndarray, selected: np.ndarray) -> np.ndarray:
        sums, neighborhoods = np.empty((len(candidates), 2)), self._neighborhoods(self._places)

        def score(start: int, stop: int) -> None:
            neighborhoods.of_all_rows(*units, candidates[start:stop], selected, sums[start:stop])

        self._threads.run(score, len(candidates), self._space.n_rows**2 * 5e-10)
        return sums

    def _sums_of_subset(self, chosen: np.ndarray) -> np.ndarray:
        selected = np.concatenate([self.columns_of(u) for u in chosen])
        return np.asarray(self._exact_sums(NOTHING, np.zeros(1, np.int64), selected)[0])


class ListedState(NeighborhoodState):
    """NEFS subset by subset: the nearest rows are listed, then their classes are counted."""

    def _sums(self, candidates: np.ndarray) -> np.ndarray:
        sums = np.empty((len(candidates), 2))

        def score(start: int, stop: int) -> None:
            for q in range(start, stop):
                sums[q] = self._sums_of_subset(np.array([*self._picked, int(candidates[q])]))

        self._threads.run(score, len(candidates), self._space.n_rows * 2e-5)
        return sums

    def _sums_of_subset(self, chosen: np.ndarray) -> np.ndarray:
        near = self._near_on(np.concatenate([self.columns_of(u) for u in chosen]), len(chosen))
        return self._sums_among(self._places, near, np.zeros(near.shape, np.float32))

    @abstractmethod
    def _near_on(self, columns: np.ndarray, n_chosen: int) -> np.ndarray:
        """The k nearest rows of each on some columns (rows, k), nearest first."""


class HashedState(ListedState):
    """NEFS as printed: a new hash index for each subset; the hash functions change with each pick."""

    def __init__(self, measure: NeighborhoodEntropy, table: Table, threads: Threads) -> None:
        super().__init__(measure, table, threads)
        self._seed = int(self._rng.integers(np.iinfo(np.int64).max))

    def _near_on(self, columns: np.ndarray, n_chosen: int) -> np.ndarray:
        rng = np.random.default_rng([self._seed, n_chosen])
        return self._measure.hashed_neighbors(self._space.take_columns(columns), self._k, Threads(1), rng)


class NearestState(ListedState):
    """NEFS with exact neighbours by another distance, or with ties in the order of the table."""

    def __init__(self, measure: NeighborhoodEntropy, table: Table, threads: Threads) -> None:
        super().__init__(measure, table, threads)
        self._table_space, self._place = (
            table.coordinates,
            np.argsort(self._order, kind="stable").astype(np.int32),
        )

    def _near_on(self, columns: np.ndarray, n_chosen: int) -> np.ndarray:
        if self._measure.ties == "random":  # the rows of the space are in a random order
            space = self._space.take_columns(columns)
            return exact_neighbors(space, self._k, Threads(1), self._measure.metric)
        space = self._table_space.take_columns(columns)
        near = exact_neighbors(space, self._k, Threads(1), self._measure.metric)
        return np.ascontiguousarray(self._place[near[self._order]])


def _compiled(space: Coordinates) -> _core.Space:
    return _core.Space(space.values, space.kinds, space.expected)


def shuffled_nearby(near: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Choose for each row whose label it gets: a near row or itself, no row twice if possible.

    Rows choose in random order, each at random among its near rows that are left. Runge (2018), Conditional
    independence testing based on a nearest-neighbor estimator of conditional mutual information.
    """
    n_rows = len(near)
    choices = rng.permuted(np.column_stack([np.arange(n_rows), near]), axis=1).tolist()
    is_taken, source = [False] * n_rows, [0] * n_rows
    for row in rng.permutation(n_rows).tolist():
        found = next((other for other in choices[row] if not is_taken[other]), choices[row][0])
        source[row] = found
        is_taken[found] = True
    return np.array(source, np.int64)
