"""Cached values of subsets, computed within a time limit."""

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TypeVar

import numpy as np

from entropick._base.subsets import as_bit_strings, sizes_of
from entropick._base.ties import TOLERANCE
from entropick.contracts import SetState
from entropick.records.exploration import ParetoFront
from entropick.searches.subsets.costs import Costs

MEMORY_BYTES = 1 << 25  # of cached subsets and their values
ENTRY_BYTES = 250  # memory of a cached subset besides its bits
CHECK_SECONDS = 0.02  # between two checks of the time limit, if subsets take no longer than expected,
CHECK_SHARE = 0.02  # or this share of the time limit,
MAX_LOOKUPS = 4096  # and subsets looked up in the cache meanwhile
MAX_RESERVED = 0.05  # share of the time reserved for what a search does between scoring subsets
BLOCK_BYTES = 1 << 22  # of subsets made, unpacked or looked up at a time

Items = TypeVar("Items", np.ndarray, list[bytes])


def blocks(items: Items, width: int) -> Iterator[Items]:
    """Yield some items at a time, for each of which `width` bytes are held meanwhile."""
    step = max(1, BLOCK_BYTES // width)
    return (items[start : start + step] for start in range(0, len(items), step))


class ScoredSubsets:
    """Values of subsets, cached while memory lasts.

    Parameters
    ----------
    state : state of the measure
    n_columns : number of columns
    fixed : columns in every subset
    max_time : seconds after which no further subset is scored
    costs : prices of subsets; None for their sizes
    """

    def __init__(
        self,
        state: SetState,
        n_columns: int,
        fixed: Sequence[int],
        max_time: float | None = None,
        costs: Costs | None = None,
    ) -> None:
        self.state = state
        self.n_columns = n_columns
        self.fixed = list(fixed)
        self.costs = costs or Costs(n_columns, fixed)
        self.n_asked = 0
        self._known: dict[bytes, np.ndarray] = {}
        self._max_known = MEMORY_BYTES // (n_columns // 8 + ENTRY_BYTES)
        self._clock = None if max_time is None else Clock(max_time, n_columns)

    def admit(self, subsets: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
        """Add the fixed columns, trim to the budget, and add a random column to empty subsets."""
        subsets[:, self.fixed] = True
        self.costs.trim(subsets, rng)
        empty = np.flatnonzero(~subsets.any(axis=1))
        subsets[empty, self.random_columns(len(empty), rng)] = True
        return subsets

    def random_columns(self, n: int, rng: np.random.RandomState) -> np.ndarray:
        """Random columns, each of which is within the budget on its own."""
        return self.costs.alone[rng.randint(len(self.costs.alone) or 1, size=n)] if n else np.empty(0, int)

    def open_columns(self, subset: np.ndarray) -> np.ndarray:
        """Columns of a subset that are not fixed."""
        is_open = subset.copy()
        is_open[self.fixed] = False
        return np.flatnonzero(is_open)

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Objectives (subsets, objectives), from the cache if possible; counted as evaluated.

        If time is up, only those of the first subsets are returned.
        """
        found = self._values(subsets)
        self.n_asked += len(found)
        return found

    def objectives(self, subsets: np.ndarray) -> np.ndarray:
        """One number for each of these subsets, or of the first ones if time is up."""
        values = self.values(subsets)
        return self.one_objective(values) if len(values) else np.empty(0)

    def values_again(self, subset: np.ndarray) -> np.ndarray:
        """Objectives (1, objectives) of a subset evaluated before, not counted again."""
        return self._values(subset[None, :])

    def _values(self, subsets: np.ndarray) -> np.ndarray:
        if self._clock is None:
            return self._values_at_once(subsets)
        self._clock.begin()
        step = max(1, min(MAX_LOOKUPS, BLOCK_BYTES // self.n_columns))
        found = [np.empty((0, len(self.state.objectives)))]
        for start in range(0, len(subsets), step):
            some = subsets[start : start + step]
            found.append(self._values_at_once(some))
            if self._clock.is_up():
                break
        self._clock.end()
        return np.concatenate(found)

    def _values_at_once(self, subsets: np.ndarray) -> np.ndarray:
        """Values of a block of subsets; fewer if time is up."""
        strings = as_bit_strings(subsets)
        names = [bits.tobytes() for bits in strings]
        fresh: dict[bytes, int] = {}
        for i, name in enumerate(names):
            if name not in self._known and name not in fresh:
                fresh[name] = i
        self._score(subsets, sizes_of(strings), fresh)
        n_known = next((i for i, name in enumerate(names) if name not in self._known), len(names))
        found = self._table([self._known[name] for name in names[:n_known]])
        if len(self._known) > self._max_known:  # forget the older half
            kept = list(self._known.items())[len(self._known) // 2 :]
            self._known = dict(kept)
        return found

    def _table(self, values: list[np.ndarray]) -> np.ndarray:
        """Stack values of single subsets to (subsets, objectives)."""
        return np.concatenate([np.empty(0), *values]).reshape(-1, len(self.state.objectives))

    def is_out_of_time(self) -> bool:
        return self._clock is not None and self._clock.is_up()

    def _score(self, subsets: np.ndarray, sizes: np.ndarray, fresh: dict[bytes, int]) -> None:
        """Score the subsets at the given indices; only the first ones if time is up."""
        names, rows = list(fresh), list(fresh.values())
        while names:
            n = len(names) if self._clock is None else self._clock.next_batch(sizes[rows])
            self._known.update(zip(names[:n], self.state.values(subsets[rows[:n]]), strict=True))
            names, rows = names[n:], rows[n:]
            if self._clock is not None and self._clock.end_batch():
                return

    def one_objective(self, values: np.ndarray) -> np.ndarray:
        """One number per subset: the objective, or the sum of the normalized ones."""
        return values[:, 0] if values.shape[1] == 1 else self.state.normalized(values).sum(axis=1)

    def front_of_one(self, subset: np.ndarray) -> ParetoFront:
        """The front of a search for a single best subset."""
        objectives = self.values_again(subset)
        normalized = objectives if objectives.shape[1] == 1 else self.state.normalized(objectives)
        return ParetoFront(subset[None, :].copy(), objectives, normalized, self.state.objectives)

    def equivalents(
        self, front: ParetoFront, compared: Callable[[np.ndarray], np.ndarray], most: int
    ) -> tuple[np.ndarray, ...]:
        """For each subset of a front, others in the cache that are as good at the same price.

        Parameters
        ----------
        front : subsets and their objectives, those of the measure first
        compared : returns the numbers by which subsets are compared, (subsets, numbers), from their values
        most : maximum number for each subset; those of the lowest columns come first
        """
        names = list(self._known)
        keys = compared(self._table(list(self._known.values())))
        order = np.argsort(keys[:, 0], kind="stable")
        ordered = keys[order, 0]
        found = []
        own_keys = compared(front.objectives[:, : len(self.state.objectives)])
        for subset, key in zip(front.subsets, own_keys, strict=True):
            margins = TOLERANCE * np.maximum(1.0, np.abs(key))
            start, stop = np.searchsorted(ordered, [key[0] - margins[0], key[0] + margins[0]])
            near = order[start : stop + 1]
            near = near[(np.abs(keys[near] - key) <= margins).all(axis=1)]
            found.append(self._of_equal_price(subset, sorted((names[i] for i in near), reverse=True), most))
        return tuple(found)

    def _of_equal_price(self, subset: np.ndarray, names: list[bytes], most: int) -> np.ndarray:
        """The first of the named subsets that have the same price as `subset`."""
        price = self.costs.of(subset[None, :])[0]
        found = np.empty((0, self.n_columns), bool)
        for some in blocks(names, self.n_columns):
            packed = np.frombuffer(b"".join(some), np.uint8)
            packed = packed.reshape(-1, -(-self.n_columns // 8))
            others = np.unpackbits(packed, axis=1, count=self.n_columns).view(bool)
            is_other = (self.costs.of(others) == price) & (others != subset).any(axis=1)
            found = np.concatenate([found, others[is_other]])[:most]
            if len(found) == most:
                break
        return found


class Clock:
    """Time limit of a search, and the number of subsets that can be scored within it.

    The next subsets are expected to take as long as the last ones did, per subset and per column. Other work
    of the search, between scoring subsets, is expected to take at most as long as before; time is up when too
    little is left for it.

    Parameters
    ----------
    max_time : seconds from now
    n_columns : number of columns
    """

    def __init__(self, max_time: float, n_columns: int) -> None:
        self._deadline = monotonic() + max_time
        self._interval = max(CHECK_SECONDS, CHECK_SHARE * max_time)
        self._max_reserved = MAX_RESERVED * max_time
        self._reserved = 0.0
        self._ended = self._begun = monotonic()
        self._n, self._n_columns = 1, n_columns  # subsets of the last batch, columns in them,
        self._seconds = 0.0  # and its duration

    def begin(self) -> None:
        """Begin to score subsets."""
        self._reserved = min(self._max_reserved, max(self._reserved, monotonic() - self._ended))

    def end(self) -> None:
        """Stop scoring: the search goes on with other work."""
        self._ended = monotonic()

    def is_up(self) -> bool:
        return self._left() <= 0

    def _left(self) -> float:
        return self._deadline - self._reserved - monotonic()

    def next_batch(self, sizes: np.ndarray) -> int:
        """Number of subsets to score before the next check of the time, at least one."""
        self._begun = monotonic()
        left = min(self._interval, max(0.0, self._left()))
        share = 2.0 if self._seconds == 0 else min(2.0, left / self._seconds)  # relative to the last batch
        n_columns = np.cumsum(sizes[: max(1, int(share * self._n))])
        self._n = max(1, int(np.searchsorted(n_columns, share * self._n_columns, side="right")))
        self._n_columns = int(n_columns[self._n - 1])
        return self._n

    def end_batch(self) -> bool:
        """Whether time is up after a batch."""
        self._seconds = monotonic() - self._begun
        return self.is_up()
