"""Values of subsets: each computed once as long as memory lasts, within the time there is."""

from collections.abc import Callable, Sequence
from time import monotonic

import numpy as np

from entropick._base.bit_strings import as_bit_strings, sizes_of
from entropick._base.ties import TOLERANCE
from entropick.contracts import SetState
from entropick.records.exploration import ParetoFront
from entropick.searches.subsets.costs import Costs

MEMORY_BYTES = 1 << 25  # of remembered subsets and their values
ENTRY_BYTES = 250  # a remembered subset takes this besides its bits
LOOK_SECONDS = 0.02  # between two looks at the clock, if subsets take no longer than expected,
LOOK_SHARE = 0.02  # or this share of all the time there is,
MOST_NAMED = 4096  # and subsets to look for in memory meanwhile
MOST_KEPT = 0.05  # share of the time that is left for what a search does between scoring subsets
BLOCK_BYTES = 1 << 22  # of subsets unpacked, or looked for in memory, at a time


class ScoredSubsets:
    """The values of subsets, each computed once as long as memory lasts.

    Parameters
    ----------
    state : the measure at work
    n_columns : columns of the table
    fixed : columns every subset has
    max_time : seconds from now on after which no further subset is scored
    costs : what subsets cost; None for their sizes
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
        self._most = MEMORY_BYTES // (n_columns // 8 + ENTRY_BYTES)
        self._clock = None if max_time is None else Clock(max_time, n_columns)

    def admit(self, subsets: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
        """The subsets with the fixed columns, within the budget, and with a random column if else empty."""
        subsets[:, self.fixed] = True
        self.costs.trim(subsets, rng)
        empty = np.flatnonzero(~subsets.any(axis=1))
        subsets[empty, self.random_columns(len(empty), rng)] = True
        return subsets

    def random_columns(self, n: int, rng: np.random.RandomState) -> np.ndarray:
        """Random columns, each of which is a subset that may be."""
        return self.costs.alone[rng.randint(len(self.costs.alone) or 1, size=n)] if n else np.empty(0, int)

    def open_columns(self, subset: np.ndarray) -> np.ndarray:
        """The columns of a subset that are not fixed."""
        is_open = subset.copy()
        is_open[self.fixed] = False
        return np.flatnonzero(is_open)

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Objectives (subsets, objectives), from memory where possible, counted as asked for.

        Where time is up, only those of the first subsets are returned, as far as they are known.
        """
        found = self._values(subsets)
        self.n_asked += len(found)
        return found

    def values_again(self, subset: np.ndarray) -> np.ndarray:
        """Objectives (1, objectives) of a subset that was asked for before, which is not counted."""
        return self._values(subset[None, :])

    def _values(self, subsets: np.ndarray) -> np.ndarray:
        if self._clock is None:
            return self._values_at_once(subsets)
        self._clock.begin()
        step = max(1, min(MOST_NAMED, BLOCK_BYTES // self.n_columns))
        found = [np.empty((0, len(self.state.objectives)))]
        for start in range(0, len(subsets), step):
            some = subsets[start : start + step]
            found.append(self._values_at_once(some))
            if self._clock.is_up():
                break
        self._clock.end()
        return np.concatenate(found)

    def _values_at_once(self, subsets: np.ndarray) -> np.ndarray:
        """The values of some subsets; fewer where time is up."""
        strings = as_bit_strings(subsets)
        names = [bits.tobytes() for bits in strings]
        fresh: dict[bytes, int] = {}
        for i, name in enumerate(names):
            if name not in self._known and name not in fresh:
                fresh[name] = i
        self._score(subsets, sizes_of(strings), fresh)
        n_known = next((i for i, name in enumerate(names) if name not in self._known), len(names))
        found = self._table([self._known[name] for name in names[:n_known]])
        if len(self._known) > self._most:  # the older half goes
            kept = list(self._known.items())[len(self._known) // 2 :]
            self._known = dict(kept)
        return found

    def _table(self, values: list[np.ndarray]) -> np.ndarray:
        """Values of single subsets as (subsets, objectives)."""
        return np.concatenate([np.empty(0), *values]).reshape(-1, len(self.state.objectives))

    def is_out_of_time(self) -> bool:
        return self._clock is not None and self._clock.is_up()

    def _score(self, subsets: np.ndarray, sizes: np.ndarray, fresh: dict[bytes, int]) -> None:
        """Score the subsets at some places; some of them only where time is up."""
        names, places = list(fresh), list(fresh.values())
        while names:
            n = len(names) if self._clock is None else self._clock.next_batch(sizes[places])
            self._known.update(zip(names[:n], self.state.values(subsets[places[:n]]), strict=True))
            names, places = names[n:], places[n:]
            if self._clock is not None and self._clock.end_batch():
                return

    def one_objective(self, values: np.ndarray) -> np.ndarray:
        """A single number per subset: the objective, or the sum of the normalised ones."""
        return values[:, 0] if values.shape[1] == 1 else self.state.normalized(values).sum(axis=1)

    def front_of_one(self, subset: np.ndarray) -> ParetoFront:
        """The front of a search for a single best subset."""
        objectives = self.values_again(subset)
        normalized = objectives if objectives.shape[1] == 1 else self.state.normalized(objectives)
        return ParetoFront(subset[None, :].copy(), objectives, normalized, self.state.objectives)

    def equivalents(
        self, front: ParetoFront, compared: Callable[[np.ndarray], np.ndarray], most: int
    ) -> tuple[np.ndarray, ...]:
        """For each subset of a front, others in memory that are as good and cost the same.

        Parameters
        ----------
        front : subsets and their objectives, first those of the measure
        compared : what subsets are compared by, (subsets, numbers), from their values
        most : how many for each subset; those of the lowest columns come first
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
        """The first subsets of those with some names that cost what another one does."""
        price = self.costs.of(subset[None, :])[0]
        found = np.empty((0, self.n_columns), bool)
        step = max(1, BLOCK_BYTES // self.n_columns)
        for start in range(0, len(names), step):
            packed = np.frombuffer(b"".join(names[start : start + step]), np.uint8)
            packed = packed.reshape(-1, -(-self.n_columns // 8))
            others = np.unpackbits(packed, axis=1, count=self.n_columns).view(bool)
            is_other = (self.costs.of(others) == price) & (others != subset).any(axis=1)
            found = np.concatenate([found, others[is_other]])[:most]
            if len(found) == most:
                break
        return found


class Clock:
    """How many subsets can be scored until time is up.

    The next subsets are expected to take as long as the last ones did, by their number and by their columns.
    What a search does between scoring subsets is expected to take as long as it ever did; time is up where
    there is too little left for it.

    Parameters
    ----------
    max_time : seconds from now on
    n_columns : columns of the table
    """

    def __init__(self, max_time: float, n_columns: int) -> None:
        self._deadline = monotonic() + max_time
        self._look = max(LOOK_SECONDS, LOOK_SHARE * max_time)
        self._most_kept = MOST_KEPT * max_time
        self._kept = 0.0
        self._ended = self._begun = monotonic()
        self._n, self._n_columns = 1, n_columns  # of the last batch: subsets, columns in them,
        self._seconds = 0.0  # and how long it took

    def begin(self) -> None:
        """Subsets are going to be scored."""
        self._kept = min(self._most_kept, max(self._kept, monotonic() - self._ended))

    def end(self) -> None:
        """The search goes on with what was scored."""
        self._ended = monotonic()

    def is_up(self) -> bool:
        return self._left() <= 0

    def _left(self) -> float:
        return self._deadline - self._kept - monotonic()

    def next_batch(self, sizes: np.ndarray) -> int:
        """How many subsets of some sizes to score before the next look at the clock, at least one."""
        self._begun = monotonic()
        left = min(self._look, max(0.0, self._left()))
        share = 2.0 if self._seconds == 0 else min(2.0, left / self._seconds)  # of the last batch
        n_columns = np.cumsum(sizes[: max(1, int(share * self._n))])
        self._n = max(1, int(np.searchsorted(n_columns, share * self._n_columns, side="right")))
        self._n_columns = int(n_columns[self._n - 1])
        return self._n

    def end_batch(self) -> bool:
        """Whether time is up after a batch."""
        self._seconds = monotonic() - self._begun
        return self.is_up()
