"""Tables of very many columns: each chunk of columns keeps its scores, and the best of all chunks compete.

Every chunk has all rows of its columns, a state of the measure of its own, and places for the columns picked
elsewhere. At each step the newest column goes to all chunks, and what may win comes back.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from entropick._base.threads import Threads
from entropick._base.ties import tolerance
from entropick.contracts import Need, Scores
from entropick.counting.guests import CountsWithGuests, Guest
from entropick.counting.surprisal import Surprisal
from entropick.measures import Measure
from entropick.measures.base import PlainState
from entropick.table.codes import Codes, ColumnEncoding, Target
from entropick.table.encoding import Rules, encode
from entropick.table.table import Table


class ChunkCodes(NamedTuple):
    """A chunk of columns, encoded, and how its columns became levels."""

    codes: Codes
    columns: Sequence[ColumnEncoding]


class Finalists(NamedTuple):
    """The columns of a chunk that may win or come second, counted over all chunks, and their scores."""

    columns: np.ndarray
    scores: np.ndarray
    tie_break: np.ndarray | None  # what decides between ties, where the measure has something
    gains: np.ndarray | None
    p_values: np.ndarray | None
    unexplained: float | None


class KnownTails(NamedTuple):
    """`entropick.contracts.Tails` that were computed elsewhere."""

    values: np.ndarray

    def p_values(self, positions: np.ndarray) -> np.ndarray:
        return np.asarray(self.values[positions])

    def within(self, level: float) -> np.ndarray:
        return np.flatnonzero(self.values <= level)


class Chunk:
    """A chunk of columns at work.

    Parameters
    ----------
    encoded : its columns
    first : number of its first column in the whole table
    measure : what scores
    n_places : columns that may be picked elsewhere
    most_levels : of any column of the table
    """

    def __init__(
        self, encoded: ChunkCodes, first: int, measure: Measure, n_places: int, most_levels: int
    ) -> None:
        self._made_of = encoded, first, measure, n_places, most_levels
        self._history: list[tuple[int, Guest]] = []
        codes = encoded.codes
        assert codes.target is not None
        self.first, self.n_columns = first, codes.n_columns
        threads = Threads(1)
        self._counts = CountsWithGuests(codes, n_places, most_levels, threads)
        names = tuple(f"x{first + j}" for j in range(codes.n_columns + n_places))
        table = Table(names, codes.n_rows, codes.target, self._counts)
        self._state = measure.begin_steps(table, threads)
        self._is_open = np.ones(codes.n_columns, np.bool_)

    def __reduce__(self) -> Any:
        """A chunk that moves to another worker is made anew there: parts of its state share memory."""
        return _again, (self._made_of, self._history)

    @property
    def nbytes(self) -> int:
        return self._made_of[0].codes.nbytes

    def include(self, k: int, column: int, guest: Guest) -> None:
        """Take the k-th picked column in, once: a task may be done again after a worker was lost."""
        if k < len(self._history):
            return
        own = column - self.first
        if 0 <= own < self.n_columns:
            self._is_open[own] = False
        else:
            own = self._counts.host(guest)
        self._state.include(own)
        self._history.append((column, guest))

    def finalists(self, n_candidates: int) -> Finalists | None:
        """The best of the open columns: all that tie with the first, and the next.

        The best of those that add more than chance, too; `n_candidates` are open in all chunks.
        """
        candidates = np.flatnonzero(self._is_open)
        if not len(candidates):
            return None
        found = self._state.compete(candidates)._replace(n_candidates=n_candidates)
        may_win = _are_best(found.scores)
        better = np.arange(0) if found.tails is None else found.tails.within(found.level)
        if len(better):
            may_win[better] |= _are_best(found.scores[better])
        chosen = np.flatnonzero(may_win)
        return Finalists(
            found.columns[chosen] + self.first,
            found.scores[chosen],
            None if found.tie_break is None else found.tie_break(chosen),
            None if found.gains is None else found.gains[chosen],
            None if found.tails is None else found.tails.p_values(chosen),
            found.unexplained,
        )

    def scores(self) -> np.ndarray:
        """The scores of all columns, of a measure that ranks."""
        return self._state.compete(np.arange(self.n_columns)).scores

    def guest(self, column: int) -> Guest:
        return self._counts.as_guest(column - self.first)

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        return self._counts.column_sums(surprisal)[:, : self.n_columns]


def _are_best(scores: np.ndarray) -> np.ndarray:
    """Which scores tie with the highest, or with the highest of the others."""
    top = float(scores.max())
    is_best = scores >= top - tolerance(top)
    rest = scores[~is_best]
    if len(rest):
        second = float(rest.max())
        is_best |= scores >= second - tolerance(second)
    return np.asarray(is_best)


def _again(made_of: tuple[Any, ...], history: list[tuple[int, Guest]]) -> Chunk:
    chunk = Chunk(*made_of)
    for k, (column, picked) in enumerate(history):
        chunk.finalists(1)  # some measures count when they are asked
        chunk.include(k, column, picked)
    return chunk


# -- what tasks do -------------------------------------------------------------------------------


def encode_chunk(X: Any, names: Sequence[str], target: Target, rules: Rules) -> ChunkCodes:
    """Find the levels of the columns of a chunk, and encode them."""
    codes, encoding = encode(X, target, rules=rules, names=list(names))
    return ChunkCodes(codes, encoding.columns)


def n_levels_of(encoded: ChunkCodes) -> np.ndarray:
    """Levels of the columns of a chunk."""
    return encoded.codes.n_levels


def encodings_of(encoded: ChunkCodes) -> Sequence[ColumnEncoding]:
    """How the columns of a chunk became levels."""
    return encoded.columns


def begin(encoded: ChunkCodes, first: int, measure: Measure, n_places: int, most_levels: int) -> Chunk:
    """A chunk at work, see `Chunk`."""
    return Chunk(encoded, first, measure, n_places, most_levels)


def include(chunk: Chunk, guest: Guest, k: int, column: int) -> Chunk:
    """The chunk with the k-th picked column taken in."""
    chunk.include(k, column, guest)
    return chunk


def finalists(chunk: Chunk, n_candidates: int) -> Finalists | None:
    """What may win of a chunk."""
    return chunk.finalists(n_candidates)


def scores(chunk: Chunk) -> np.ndarray:
    """The scores of all columns of a chunk."""
    return chunk.scores()


def guest(chunk: Chunk, column: int) -> Guest:
    """A column of a chunk, as it goes to others."""
    return chunk.guest(column)


def column_sums(chunk: Chunk, surprisal: Surprisal) -> np.ndarray:
    """Σ φ of the columns of a chunk, without and with the classes."""
    return chunk.column_sums(surprisal)


# -- all chunks ----------------------------------------------------------------------------------


class Place(Protocol):
    """Where tasks run; what they leave stays there."""

    def run(self, call: Callable[..., Any], sources: Sequence[tuple[Any, ...]], *given: Any) -> list[Any]: ...

    def gather(self, made: Sequence[Any]) -> list[Any]: ...


class ChunkedState(PlainState):
    """`entropick.contracts.StepState` over all chunks.

    Parameters
    ----------
    place : where the chunks are
    chunks : the chunks at work, as the place knows them
    first : number of the first column of each
    entropy_order : of the measure
    """

    def __init__(self, place: Place, chunks: list[Any], first: Sequence[int], entropy_order: float) -> None:
        self._place, self._chunks = place, chunks
        self._first = np.asarray(first)
        self._n_included = 0
        self.entropy_order = entropy_order

    def compete(self, candidates: np.ndarray) -> Scores:
        made = self._place.run(finalists, [(chunk,) for chunk in self._chunks], len(candidates))
        found = [one for one in self._place.gather(made) if one is not None]
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
            found[0].unexplained,
            joined.get("gains"),
            KnownTails(joined["p_values"]) if "p_values" in joined else None,
            len(candidates),
        )

    def include(self, column: int) -> None:
        owner = int(np.searchsorted(self._first, column, side="right")) - 1
        (newest,) = self._place.run(guest, [(self._chunks[owner],)], column)
        sources = [(chunk, newest) for chunk in self._chunks]
        self._chunks = self._place.run(include, sources, self._n_included, column)
        self._n_included += 1


class ChunkedCounts:
    """As much of `entropick.contracts.Counts` as is asked of chunks of columns from outside of them."""

    copies = 1.0  # rows of chunks have no weights

    def __init__(self, place: Place, chunks: list[Any], n_levels: np.ndarray, target: Target) -> None:
        self._place, self._chunks = place, chunks
        self.n_levels, self.n_rows, self.class_sizes = n_levels, len(target.codes), target.class_sizes

    def column_sums(self, surprisal: Surprisal) -> np.ndarray:
        made = self._place.run(column_sums, [(chunk,) for chunk in self._chunks], surprisal)
        return np.concatenate(self._place.gather(made), axis=1)


def fits_columns(measure: Measure) -> bool:
    """Whether a measure can be at work on chunks of columns: it steps by counts, and learns nothing else."""
    return "step" in measure.kinds and measure.needs == {Need.COUNTS} and not measure.learns
