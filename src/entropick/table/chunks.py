"""Tables with very many columns: each chunk of columns keeps its own scores, and the best of all compete.

Every chunk has all rows of its columns, its own state of the measure, and room for the columns picked from
other chunks. At each step the last picked column goes to all chunks, and each returns its best candidates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from entropick._base.race import FallingScore
from entropick._base.threads import Threads
from entropick._base.ties import TOLERANCE, tolerance
from entropick.contracts import CHANCE, COUNTED, Need, Partitions, Scores, StepState
from entropick.counting.local import LocalCounts
from entropick.counting.surprisal import ColumnCounts, ColumnSums, Surprisal
from entropick.exceptions import CombinationError
from entropick.measures.base import ConstantsLast, FixedScores, PlainState
from entropick.table.codes import Codes, ColumnEncoding, DensePart, Target, padded, smallest_dtype
from entropick.table.encoding.encoding import Rules, encode
from entropick.table.executors.parts import Part
from entropick.table.readers.inputs import default_names
from entropick.table.table import Beginner, Table, Units

Item = TypeVar("Item")

MAX_RECORDS = 1 << 18  # the encodings of more columns stay with the chunks


class Chunks(Partitions, Protocol):
    """Partitions of columns; one of them may be an argument of `map` for all."""

    def map(self, call: Any, *args: Any) -> "Chunks": ...

    def only(self, k: int) -> "Chunks":
        """One of the chunks."""


@dataclass(frozen=True, kw_only=True)
class ChunkedTable(Table):
    """A table in chunks of columns, from which a measure based on counts picks columns one by one."""

    offers = COUNTED

    _encoded: Chunks
    _first: Sequence[int]  # number of the first column of each chunk
    _column_counts: "ChunkedCounts"
    _n_picks: int

    @property
    def column_counts(self) -> ColumnCounts:
        return self._column_counts

    def _find_varying(self) -> np.ndarray:
        return np.asarray(self._column_counts.n_levels > 1)

    def begin_steps(self, measure: Beginner, threads: Threads) -> StepState:
        most_levels = int(self._column_counts.n_levels.max())
        chunks = self._encoded.map(Chunk, measure, self._n_picks, most_levels)
        if "ranking" in measure.kinds:
            return FixedScores(np.concatenate(chunks.reduce(_scores, _joined)))
        return ChunkedState(chunks, self._first)


def make_chunked_table(
    blocks: Chunks, first: Sequence[int], target: Target, rules: Rules, n_picks: int
) -> ChunkedTable:
    """Encode chunks of columns, each with all rows, to pick at most `n_picks` of them.

    `blocks` holds for each chunk a `Part` with its columns, numbered by its first column, as in `first`.
    """
    encoded = blocks.map(_encode_chunk, target, rules)
    n_levels = np.concatenate(encoded.reduce(_n_levels_of, _joined))
    encodings: list[ColumnEncoding] = []
    if len(n_levels) <= MAX_RECORDS:
        encodings = encoded.reduce(_encodings_of, _joined)
    return ChunkedTable(
        units=Units(default_names(len(n_levels))),
        n_rows=len(target.codes),
        needs=frozenset({Need.COUNTS}),
        encodings=encodings,
        _target=target,
        _encoded=encoded,
        _first=first,
        _column_counts=ChunkedCounts(encoded, n_levels, target),
        _n_picks=n_picks,
    )


class RemoteColumn(NamedTuple):
    """A column of another chunk: its codes and levels."""

    codes: np.ndarray
    n_levels: int


class CountsWithRemoteColumns(LocalCounts):
    """`entropick.contracts.Counts` of a chunk of columns, with places for columns of other chunks.

    The places stand behind the chunk's own columns. They are no candidates; a remote column can be included
    like any other.

    Parameters
    ----------
    codes : the chunk, with all rows
    n_places : remote columns that may come
    most_levels : levels a remote column may have
    threads : threads
    """

    def __init__(self, codes: Codes, n_places: int, most_levels: int, threads: Threads) -> None:
        self.n_own, self._n_remote = codes.n_columns, 0
        self._watching: list[ColumnSums] = []
        self._remote = np.zeros((n_places, padded(codes.n_rows)), smallest_dtype(most_levels))
        places = DensePart(np.arange(codes.n_columns, codes.n_columns + n_places), self._remote)
        # as many levels as a remote column may have, so that there is room for all joint levels
        n_levels = np.append(codes.n_levels, np.full(n_places, most_levels))
        super().__init__(Codes(codes.n_rows, n_levels, (*codes.parts, places), codes.target), threads)

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """As promised; the place of a remote column has its levels."""
        return self._codes.level_sizes()

    def race(self, columns: ColumnSums, score: FallingScore, *, capped: bool) -> None:
        """None: remote columns come without a relevance of their own."""

    def watch(self, sums: ColumnSums) -> None:
        self._watching.append(sums)

    def take_in(self, remote: RemoteColumn) -> int:
        """Take in a remote column; returns the column it is here."""
        place = self._n_remote
        self._remote[place, : self.n_rows] = remote.codes
        cells = remote.codes.astype(np.int64) * self._codes.n_classes + self._codes.labels
        counts = np.bincount(cells, minlength=remote.n_levels * self._codes.n_classes)
        sizes = counts.reshape(remote.n_levels, -1).sum(axis=1)
        for known in self._watching:
            expected = known.surprisal.expected(self.class_sizes[None], np.zeros_like(sizes), sizes)
            sums = np.array([known.f, known.fy, known.expected])
            sums[:, self.n_own + place] = (
                known.surprisal.sum(sizes), known.surprisal.sum(counts), expected.sum(),
            )  # fmt: skip
            known.update(sums)
        for outdated in ("_listed", "_subsets"):  # made while the place was empty
            self.__dict__.pop(outdated, None)
        self._n_remote += 1
        return self.n_own + place

    def as_remote(self, j: int) -> RemoteColumn:
        """One of the chunk's own columns, as other chunks see it."""
        return RemoteColumn(np.ascontiguousarray(self._codes.column(j)), int(self.n_levels[j]))


class ChunkCodes(NamedTuple):
    """An encoded chunk of columns, the number of its first column, and how its columns became levels."""

    codes: Codes
    first: int
    columns: Sequence[ColumnEncoding]


class Finalists(NamedTuple):
    """The columns of a chunk that may be first or second of all chunks, numbered as in the whole table."""

    columns: np.ndarray
    scores: np.ndarray
    tie_break: np.ndarray | None  # None if the measure does not break ties
    gains: np.ndarray | None
    p_values: np.ndarray | None
    residual: float | None


class KnownGains(NamedTuple):
    """`entropick.contracts.Added`, computed elsewhere, of columns in ascending order."""

    columns: np.ndarray
    values: np.ndarray
    p_values: np.ndarray

    def gains(self, columns: np.ndarray) -> np.ndarray:
        return np.asarray(self.values[np.searchsorted(self.columns, columns)])

    def tested(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.gains(columns), np.asarray(self.p_values[np.searchsorted(self.columns, columns)])

    def within(self, columns: np.ndarray, level: float) -> np.ndarray:
        return np.flatnonzero(self.tested(columns)[1] <= level)


class Chunk:
    """The state of one chunk of columns.

    `n_places` is the maximal number of columns picked from other chunks, `most_levels` the largest number of
    levels of a column of the table.
    """

    def __init__(self, encoded: ChunkCodes, measure: Beginner, n_places: int, most_levels: int) -> None:
        self._made_of = encoded, measure, n_places, most_levels
        self._history: list[tuple[int, RemoteColumn]] = []
        codes = encoded.codes
        assert codes.target is not None
        self.first, self.n_columns = encoded.first, codes.n_columns
        threads = Threads(1)
        self._counts = CountsWithRemoteColumns(codes, n_places, most_levels, threads)
        units = Units([f"x{self.first + j}" for j in range(codes.n_columns + n_places)])
        table = Table(units=units, n_rows=codes.n_rows, _target=codes.target, _counts=self._counts)
        self._state = ConstantsLast(lambda: measure.begin_steps(table, threads), table.varies)
        self._is_open = np.ones(codes.n_columns, np.bool_)

    def __reduce__(self) -> Any:
        """Rebuild the chunk on another worker: parts of its state share memory and cannot be pickled."""
        return _again, (self._made_of, self._history)

    def __sizeof__(self) -> int:
        """Bytes including bit planes, for Dask's accounting of memory."""
        return 2 * self._made_of[0].codes.nbytes

    def include(self, k: int, column: int, remote: RemoteColumn) -> None:
        """Include the k-th picked column, once: Dask may repeat a task after it lost a worker."""
        if k < len(self._history):
            return
        own = column - self.first
        if 0 <= own < self.n_columns:
            self._is_open[own] = False
        else:
            own = self._counts.take_in(remote)
        self._state.include(own)
        self._history.append((column, remote))

    def finalists(self, n_candidates: int) -> Finalists | None:
        """The best candidates of the chunk: all that tie with the first or with the second.

        Likewise the best of those that add more than chance, of `n_candidates` in all chunks, and of those
        that add anything.
        """
        candidates = np.flatnonzero(self._is_open)
        if not len(candidates):
            return None
        found = self._state.compete(candidates)
        may_win = _are_best(found.scores)
        if found.added is not None:
            for better in (
                found.added.within(found.columns, CHANCE / n_candidates),
                np.flatnonzero(found.added.gains(found.columns) > TOLERANCE),
            ):
                if len(better):
                    may_win[better] |= _are_best(found.scores[better])
        chosen = np.flatnonzero(may_win)
        gains = p_values = None
        if found.added is not None:
            gains, p_values = found.added.tested(found.columns[chosen])
        return Finalists(
            found.columns[chosen] + self.first,
            found.scores[chosen],
            None if found.tie_break is None else found.tie_break(chosen),
            gains,
            p_values,
            found.residual,
        )

    def scores(self) -> np.ndarray:
        """The scores of all columns, for a measure that ranks."""
        return self._state.compete(np.arange(self.n_columns)).scores

    def remote_column(self, column: int) -> RemoteColumn:
        return self._counts.as_remote(column - self.first)


def _are_best(scores: np.ndarray) -> np.ndarray:
    """Which scores tie with the highest, or with the highest of the others."""
    top = float(scores.max())
    is_best = scores >= top - tolerance(top)
    rest = scores[~is_best]
    if len(rest):
        second = float(rest.max())
        is_best |= scores >= second - tolerance(second)
    return np.asarray(is_best)


def _again(made_of: tuple[Any, ...], history: list[tuple[int, RemoteColumn]]) -> Chunk:
    chunk = Chunk(*made_of)
    for k, (column, picked) in enumerate(history):
        chunk.finalists(1)  # some measures count only when scores are requested
        chunk.include(k, column, picked)
    return chunk


# -- called for each chunk -----------------------------------------------------------------------


def _encode_chunk(part: Part, target: Target, rules: Rules) -> ChunkCodes:
    first = part.number or 0
    names = [f"x{first + j}" for j in range(part.X.shape[1])]
    codes, encoding = encode(part.X, target, rules=rules, names=names)
    return ChunkCodes(codes, first, encoding.columns)


def _n_levels_of(encoded: ChunkCodes) -> list[np.ndarray]:
    return [encoded.codes.n_levels]


def _encodings_of(encoded: ChunkCodes) -> list[ColumnEncoding]:
    return list(encoded.columns)


def _column_sums(encoded: ChunkCodes, surprisal: Surprisal) -> list[np.ndarray]:
    return [LocalCounts(encoded.codes, Threads(1)).column_sums(surprisal)]


def _class_tables(encoded: ChunkCodes, columns: np.ndarray) -> list[np.ndarray]:
    """The tables of those of some columns that this chunk has."""
    here = columns - encoded.first
    here = here[(here >= 0) & (here < encoded.codes.n_columns)]
    return [LocalCounts(encoded.codes, Threads(1)).class_tables(here)] if len(here) else []


def _include(chunk: Chunk, remote: RemoteColumn, k: int, column: int) -> Chunk:
    chunk.include(k, column, remote)
    return chunk


def _finalists(chunk: Chunk, n_candidates: int) -> list[Finalists]:
    found = chunk.finalists(n_candidates)
    return [] if found is None else [found]


def _scores(chunk: Chunk) -> list[np.ndarray]:
    return [chunk.scores()]


def _joined(lists: Sequence[list[Item]]) -> list[Item]:
    return list(chain.from_iterable(lists))


# -- all chunks ----------------------------------------------------------------------------------


class ChunkedState(PlainState):
    """`entropick.contracts.StepState` of all chunks; `first` are the numbers of their first columns."""

    def __init__(self, chunks: Chunks, first: Sequence[int]) -> None:
        self._chunks, self._first = chunks, np.asarray(first)
        self._n_included = 0

    def compete(self, candidates: np.ndarray) -> Scores:
        found = self._chunks.reduce(_finalists, _joined, len(candidates))
        joined = {
            name: np.concatenate([getattr(one, name) for one in found])
            for name in ("columns", "scores", "tie_break", "gains", "p_values")
            if getattr(found[0], name) is not None
        }
        breaks = joined.get("tie_break")
        return Scores(
            joined["columns"],
            joined["scores"],
            None if breaks is None else breaks.__getitem__,
            found[0].residual,
            KnownGains(joined["columns"], joined["gains"], joined["p_values"]) if "gains" in joined else None,
            len(candidates),
        )

    def include(self, column: int) -> None:
        owner = int(np.searchsorted(self._first, column, side="right")) - 1
        remote = self._chunks.only(owner).map(Chunk.remote_column, column)
        self._chunks = self._chunks.map(_include, remote, self._n_included, column)
        self._n_included += 1


class ChunkedCounts:
    """`entropick.counting.surprisal.ColumnCounts` of chunks of columns."""

    copies = 1.0  # chunks have no weights

    def __init__(self, chunks: Partitions, n_levels: np.ndarray, target: Target) -> None:
        self._chunks = chunks
        self.n_levels, self.n_rows, self.class_sizes = n_levels, len(target.codes), target.class_sizes

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        return np.concatenate(self._chunks.reduce(_column_sums, _joined, surprisal), axis=1)

    def class_tables(self, columns: np.ndarray, given: tuple[int, ...] = ()) -> np.ndarray:
        """As promised, for columns in ascending order; columns of other chunks cannot be given."""
        if given:
            raise CombinationError(
                "Columns cannot be counted given others while chunks of columns are in different places. "
                "Hint: cut by a number of columns."
            )
        return np.concatenate(self._chunks.reduce(_class_tables, _joined, columns))

    def watch(self, sums: ColumnSums) -> None:
        """Nothing to watch: all columns are present from the start."""
