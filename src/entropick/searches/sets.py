"""What searches over whole subsets share: scored subsets are remembered, time and Ctrl-C are watched."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from numbers import Integral, Real
from time import monotonic
from typing import Any, ClassVar, Protocol

import numpy as np
from sklearn.utils import check_random_state

from entropick._compat import Interval, StrOptions
from entropick.bit_strings import as_bit_strings
from entropick.contracts import SetState
from entropick.exceptions import DataError
from entropick.exploration import Exploration, Generation, ParetoFront, Pause, Proof
from entropick.records import Step
from entropick.searches.base import Search, fixed_step
from entropick.searches.costs import Costs
from entropick.searches.polish import Descent
from entropick.ties import TOLERANCE, descending

MEMORY_BYTES = 1 << 25  # of remembered subsets and their values
ENTRY_BYTES = 250  # a remembered subset takes this besides its bits
LEAST_BATCH = 4  # subsets scored between two looks at the clock,
BATCH_SECONDS = 0.25  # and as many more as take so long,
BATCH_SHARE = 0.02  # or this share of all the time there is
DATA_TOLERANCE = 1e-9  # by which a value may differ when a search is resumed, maybe on another machine
BLOCK_BYTES = 1 << 22  # of remembered subsets unpacked at a time

Watch = Callable[[Generation, int, int | None], None]


class ScoredSubsets:
    """The values of subsets, each computed once as long as memory lasts.

    Parameters
    ----------
    state : the measure at work
    n_columns : columns of the table
    fixed : columns every subset has
    max_time : seconds from now on after which no further batch of subsets is scored
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
        self._deadline = None if max_time is None else monotonic() + max_time
        self._batch_seconds = max(BATCH_SECONDS, BATCH_SHARE * (max_time or 0.0))
        self._batch = LEAST_BATCH

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
        names = [bits.tobytes() for bits in as_bit_strings(subsets)]
        fresh: dict[bytes, int] = {}
        for i, name in enumerate(names):
            if name not in self._known and name not in fresh:
                fresh[name] = i
        self._score(subsets, fresh)
        n_known = next((i for i, name in enumerate(names) if name not in self._known), len(names))
        found = np.array([self._known[name] for name in names[:n_known]])
        if len(self._known) > self._most:  # the older half goes
            kept = list(self._known.items())[len(self._known) // 2 :]
            self._known = dict(kept)
        return found

    def is_out_of_time(self) -> bool:
        return self._deadline is not None and monotonic() > self._deadline

    def _score(self, subsets: np.ndarray, fresh: dict[bytes, int]) -> None:
        """Score the subsets at some places, in batches where time is limited."""
        names, places = list(fresh), list(fresh.values())
        start = 0
        while start < len(names):
            begun = monotonic()
            some = slice(start, len(names) if self._deadline is None else start + self._batch)
            self._known.update(zip(names[some], self.state.values(subsets[places[some]]), strict=True))
            if self.is_out_of_time():
                return
            start += len(names[some])
            self._batch = self._next_batch(monotonic() - begun)

    def _next_batch(self, seconds: float) -> int:
        if seconds < self._batch_seconds / 2:
            return self._batch * 2
        return max(LEAST_BATCH, self._batch // 2) if seconds > self._batch_seconds else self._batch

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
        most : so many for each subset; those of the lowest columns come first
        """
        names = list(self._known)
        keys = compared(np.array(list(self._known.values())))
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


class Run(Protocol):
    """A search under way; between rounds its result is what was found so far."""

    def advance(self) -> Generation | None:
        """Go one round further, or part of it where time is up; None at the end."""

    def n_expected(self) -> int | None:
        """Subsets the whole search will ask for, where that is known."""

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        """Score of each column, and the best subsets."""

    def tie_scores(self) -> np.ndarray | None:
        """What decides between columns of equal score; None leaves it to the lowest index."""

    def proof(self) -> Proof | None:
        """What a search that came to its end proves."""

    def polish(self, swaps: bool) -> Iterator[Generation]:
        """Make the result better by dropping single columns, and exchanging them if asked for."""

    def equivalents(self, front: ParetoFront, most: int) -> tuple[np.ndarray, ...]:
        """For each subset of the front, others that are as good and cost the same."""

    def pause(self) -> Mapping[str, object]:
        """All that was found out and drawn so far."""

    def resume(self, found: Mapping[str, object]) -> None:
        """Go on from there."""


class PlainRun:
    """A run for a single best subset that leaves ties to the lowest index and proves nothing.

    Attributes
    ----------
    given : attributes that come with each call and are no part of what was found out
    """

    given: ClassVar[frozenset[str]] = frozenset({"_scored", "_search"})
    _polished: np.ndarray | None = None

    def __init__(self, scored: ScoredSubsets) -> None:
        self._scored = scored

    def tie_scores(self) -> np.ndarray | None:
        return None

    def proof(self) -> Proof | None:
        return None

    def best_subset(self) -> np.ndarray:
        """The best subset before it is polished."""
        raise NotImplementedError

    def front(self) -> ParetoFront:
        """The best subset as a front."""
        return self._scored.front_of_one(self._polished_subset())

    def _polished_subset(self) -> np.ndarray:
        return self.best_subset() if self._polished is None else self._polished

    def polish(self, swaps: bool) -> Iterator[Generation]:
        descent = Descent(self._scored, self._polished_subset(), swaps)
        while descent.advance():
            self._polished = descent.subset
            yield Generation(self._scored.n_asked, (descent.value,), int(descent.subset.sum()))

    def equivalents(self, front: ParetoFront, most: int) -> tuple[np.ndarray, ...]:
        return self._scored.equivalents(front, self._compared, most)

    def _compared(self, values: np.ndarray) -> np.ndarray:
        """What subsets are compared by, from their values."""
        return self._scored.one_objective(values)[:, None]

    def pause(self) -> Mapping[str, object]:
        return deepcopy({name: value for name, value in vars(self).items() if name not in self.given})

    def resume(self, found: Mapping[str, object]) -> None:
        vars(self).update(deepcopy(dict(found)))


DRAWS: dict[str, Any] = {"random_state": ["random_state"]}


POLISH: dict[str, Any] = {"polish": [StrOptions({"drop", "swap"}), None]}


class SetSearch(Search):
    """Base of the searches over whole subsets.

    Parameters
    ----------
    polish : {"drop", "swap"} or None, default=None
        What is done about the result in the end: "drop" takes out columns as long as that makes it better,
        "swap" exchanges single columns too. Then no subset that differs by so much is better. The polished
        subset is selected, whatever the scores of columns.
    max_equivalents : int, default=20
        Most subsets to list in `equivalents_`: as good as the selected one, and of the same size.
    costs : array-like of shape (n_features,) or None, default=None
        What each column costs. The cheaper of equally good subsets is then better, not the smaller.
    budget : float or None, default=None
        The most a subset may cost; without `costs` the most columns it may have.
    start : Exploration, ParetoFront, list of subsets or None, default=None
        Subsets to begin with, each as indices or as booleans. The `selection_.exploration` of a search that
        was stopped early is gone on with, as if it had not been stopped.
    max_time : float or None, default=None
        Seconds after which the search ends with the best so far (`selection_.complete` is then False).
    on_interrupt : {"raise", "keep"}, default="raise"
        Whether Ctrl-C ends the fit, or only the search, with the best so far.
    """

    kinds = ("set",)
    default_cut = "front"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "max_equivalents": [Interval(Integral, 0, None, closed="left")],
        "costs": ["array-like", None],
        "budget": [Interval(Real, 0, None, closed="neither"), None],
        "start": [Exploration, ParetoFront, "array-like", None],
        "max_time": [Interval(Real, 0, None, closed="neither"), None],
        "on_interrupt": [StrOptions({"raise", "keep"})],
    }
    max_equivalents: int
    costs: Any
    budget: float | None
    start: Any
    max_time: float | None
    on_interrupt: str
    polish: str | None = None  # a parameter of those that do not prove their result
    random_state: Any = None  # a parameter of those that draw

    @abstractmethod
    def _begin(
        self, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None = None
    ) -> Run:
        """Begin on a measure, with some subsets, bool (subsets, columns), where there are any."""

    def explore(
        self,
        state: SetState,
        n_columns: int,
        fixed: Sequence[int],
        watch: Watch | None = None,
        members: Sequence[Sequence[int]] | None = None,
    ) -> Exploration:
        """Search to the end, the time limit or Ctrl-C.

        Parameters
        ----------
        state : the measure at work
        n_columns : units to choose from: columns, or groups of them
        fixed : units every subset has
        watch : called after each round with the round, subsets asked for so far and expected
        members : columns of each unit; None where every column stands alone
        """
        given = Given(n_columns, fixed, members)
        costs = given.costs(self.costs, self.budget)
        scored = ScoredSubsets(state, n_columns, fixed, self.max_time, costs)
        pause = self._pause_to_resume(given)
        start = None if self.start is None or pause is not None else given.subsets(self.start)
        run = self._begin(scored, check_random_state(self.random_state), start)
        stopwatch = Stopwatch(self, run, scored, pause)
        try:
            for generation in stopwatch.rounds():
                if watch is not None:
                    watch(generation, generation.n_evaluated, run.n_expected())
        except KeyboardInterrupt:
            if self.on_interrupt == "raise" or not stopwatch.history:
                raise
            stopwatch.complete = False
        scores, front = run.result()
        complete = stopwatch.complete
        if self.max_equivalents:
            front = front.with_equivalents(run.equivalents(front, self.max_equivalents))
        return Exploration(
            scores,
            front,
            tuple(stopwatch.history),
            complete,
            run.tie_scores(),
            run.proof() if complete else None,
            is_final=self.polish is not None or self.budget is not None,
            pause=None if complete else stopwatch.pause,
        )

    def _pause_to_resume(self, given: "Given") -> Pause | None:
        """The pause of an earlier search, where that was stopped and is of the same kind."""
        pause = self.start.pause if isinstance(self.start, Exploration) else None
        if pause is None:
            return None
        came, needed = (pause.search, pause.n_columns, pause.fixed), (type(self).__name__, *given.shape)
        if came != needed:
            raise DataError(
                "A search can be resumed by the same search on the same columns only: `start` comes from "
                f"{came[0]} over {came[1]} columns with {len(came[2])} fixed, but this is {needed[0]} over "
                f"{needed[1]} with {len(given.fixed)} fixed. Hint: start=exploration.front begins anew with "
                "its subsets."
            )
        return pause


class Given:
    """What users say about columns, in the units that a search chooses from.

    Parameters
    ----------
    n_units : units
    fixed : units every subset has
    members : columns of each unit; None where every column stands alone
    """

    def __init__(self, n_units: int, fixed: Sequence[int], members: Sequence[Sequence[int]] | None) -> None:
        self.fixed = tuple(fixed)
        self.shape = (n_units, self.fixed)
        self._members = members
        self._n_columns = n_units if members is None else sum(map(len, members))

    def costs(self, costs: Any, budget: float | None) -> Costs:
        """Checked costs of units: sums over their columns."""
        if costs is None:
            return Costs(self.shape[0], self.fixed, None, budget)
        each = np.asarray(costs, np.float64)
        if each.shape != (self._n_columns,):
            raise DataError(
                f"costs must have one number for each of the {self._n_columns} columns, got an array of "
                f"shape {each.shape}. Hint: columns that cost nothing have 0."
            )
        if not (np.isfinite(each) & (each >= 0)).all():
            bad = int(np.flatnonzero(~(np.isfinite(each) & (each >= 0)))[0])
            raise DataError(
                f"costs must be finite and at least 0, but column {bad} has {each[bad]}. Hint: columns that "
                "must not be chosen are better left out of X."
            )
        if self._members is not None:
            each = np.array([each[list(columns)].sum() for columns in self._members])
        return Costs(self.shape[0], self.fixed, each, budget)

    def subsets(self, start: Any) -> np.ndarray:
        """Checked subsets to begin with, bool (subsets, units); a unit is in if one of its columns is."""
        if isinstance(start, Exploration):
            start = start.front
        if isinstance(start, ParetoFront):
            start = start.subsets
        of_columns = np.array([self._one_subset(subset) for subset in start], bool)
        if not len(of_columns):
            return np.empty((0, self.shape[0]), bool)
        if self._members is None:
            return of_columns
        return np.stack([of_columns[:, list(columns)].any(axis=1) for columns in self._members], axis=1)

    def _one_subset(self, subset: Any) -> np.ndarray:
        columns = np.asarray(subset)
        if columns.dtype == bool and columns.shape == (self._n_columns,):
            return columns
        is_index = columns.dtype.kind in "iu" and columns.ndim == 1 and len(columns)
        if not is_index or columns.min() < 0 or columns.max() >= self._n_columns:
            raise DataError(
                f"A subset to start from must be {self._n_columns} booleans, or indices from 0 to "
                f"{self._n_columns - 1}, got {subset!r}. Hint: start=[[0, 3], [2]] begins with two subsets."
            )
        made = np.zeros(self._n_columns, bool)
        made[columns] = True
        return made


class Stopwatch:
    """The rounds of a run, and where it can be resumed when it is stopped between or within them.

    Parameters
    ----------
    search : the search
    run : a fresh one
    scored : values of subsets
    pause : where an earlier run was stopped; None to begin anew
    """

    def __init__(self, search: SetSearch, run: Run, scored: ScoredSubsets, pause: Pause | None) -> None:
        self._search = search
        self._run = run
        self._scored = scored
        self._may_pause = search.max_time is not None or search.on_interrupt == "keep"
        self.complete = True
        self.pause = pause
        self.history: list[Generation] = []
        if pause is not None:
            self._resume(pause)

    def _resume(self, pause: Pause) -> None:
        self._run.resume(pause.found)
        self._scored.n_asked = pause.n_asked
        self.history = list(pause.history)
        if self.history:
            self._check_data(self.history[-1].best)

    def _check_data(self, best: tuple[float, ...]) -> None:
        """Refuse data on which the best subset so far has another value."""
        values = self._scored.state.values(self._run.result()[1].subsets[:1])
        now = values[0, 0] if len(best) > 1 else self._scored.one_objective(values)[0]
        if abs(now - best[0]) > DATA_TOLERANCE * max(1.0, abs(best[0])):
            raise DataError(
                f"A search can be resumed on the same data only, but its best subset has {now:.6g} here and "
                f"had {best[0]:.6g}. Hint: start=exploration.front begins anew with its subsets."
            )

    def rounds(self) -> Iterator[Generation]:
        """All rounds until the end or until time is up, those of the polish included."""
        for generation in self._all_rounds():
            self.history.append(generation)
            yield generation
            if self._scored.is_out_of_time():
                self.complete = False
                return

    def _all_rounds(self) -> Iterator[Generation]:
        for rounds in (iter(self._run.advance, None), self._polish()):
            self._remember()
            for generation in rounds:
                yield generation
                self._remember()

    def _polish(self) -> Iterator[Generation]:
        if self._search.polish is not None:
            yield from self._run.polish(self._search.polish == "swap")
            self.complete = not self._scored.is_out_of_time()

    def _remember(self) -> None:
        """Keep what is needed to go on from here, where the search may be stopped."""
        if self._may_pause:
            self.pause = Pause(
                type(self._search).__name__,
                self._scored.n_columns,
                tuple(self._scored.fixed),
                self._scored.n_asked,
                tuple(self.history),
                self._run.pause(),
            )


def ranked_steps(exploration: Exploration, chosen: np.ndarray | None, fixed: Sequence[int]) -> Iterator[Step]:
    """The columns as steps: the fixed ones, those of the chosen subset by their scores, then all others."""
    scores = exploration.scores
    is_chosen = np.zeros(len(scores), bool) if chosen is None else chosen
    for column in fixed:
        yield fixed_step(column)
    by_tie_score = descending(
        np.zeros_like(scores) if exploration.tie_scores is None else exploration.tie_scores
    )
    by_score = by_tie_score[np.argsort(-scores[by_tie_score], kind="stable")]
    in_order = np.concatenate([by_score[is_chosen[by_score]], by_score[~is_chosen[by_score]]])
    for column in in_order.tolist():
        if column not in fixed:
            yield Step((column,), float(scores[column]))
