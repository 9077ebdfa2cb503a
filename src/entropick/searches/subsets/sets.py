"""Base classes of searches over whole subsets, with the loop over rounds, time limit and Ctrl-C."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from entropick._base.compat import Interval, StrOptions
from entropick._base.ties import descending
from entropick.contracts import Candidates, Judge, MeasuredTable, SetState
from entropick.exceptions import DataError
from entropick.records.exploration import Exploration, Generation, ParetoFront, Pause
from entropick.records.selection import Progress, Step
from entropick.searches.base import Found, Search
from entropick.searches.paths import fixed_step
from entropick.searches.subsets.costs import Costs
from entropick.searches.subsets.runs import Run
from entropick.searches.subsets.scored import ScoredSubsets

DATA_TOLERANCE = 1e-9  # relative difference of a value when a search is resumed, maybe on another machine

Watch = Callable[[Generation, int, int | None], None]


@dataclass(eq=False, repr=False, kw_only=True)
class SetSearch(Search[SetState]):
    """Base of the searches over whole subsets.

    Parameters
    ----------
    max_equivalents : int, default=20
        Maximum number of subsets listed in `equivalents_`: as good as the selected one and of the same size.
    costs : array-like of shape (n_features,) or None, default=None
        Cost of each column. The cheaper of equally good subsets is then better, not the smaller.
    budget : float or None, default=None
        Largest cost of a subset; without `costs`, its largest size.
    start : Exploration, ParetoFront, list of subsets or None, default=None
        Initial subsets, each as indices or as booleans. Given the `selection_.exploration` of a search that
        was stopped early, that search is resumed.
    max_time : float or None, default=None
        Seconds after which the search ends with the best so far (`selection_.complete` is then False).
    on_interrupt : {"raise", "keep"}, default="raise"
        Whether Ctrl-C ends the fit, or only the search, with the best so far.
    """

    kinds = ("set",)
    default_cut = "front"
    explores = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "max_equivalents": [Interval(Integral, 0, None, closed="left")],
        "costs": ["array-like", None],
        "budget": [Interval(Real, 0, None, closed="neither"), None],
        "start": [Exploration, ParetoFront, "array-like", None],
        "max_time": [Interval(Real, 0, None, closed="neither"), None],
        "on_interrupt": [StrOptions({"raise", "keep"})],
    }
    max_equivalents: int = 20
    costs: Any = None
    budget: float | None = None
    start: Any = None
    max_time: float | None = None
    on_interrupt: str = "raise"

    def _polish(self) -> str | None:
        """How to polish the result; None to leave it."""
        return None

    def _rng(self) -> np.random.RandomState:
        """Random numbers, which even deterministic searches need to trim subsets to a budget."""
        rng: np.random.RandomState = check_random_state(0)
        return rng

    @abstractmethod
    def begin_run(
        self, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None = None
    ) -> Run[Any]:
        """Begin a run, with initial subsets, bool (subsets, columns), if there are any."""

    @property
    def has_budget(self) -> bool:
        return self.budget is not None

    def begin(self, measured: MeasuredTable) -> SetState:
        return measured.begin_sets()

    def find(
        self, state: SetState, candidates: Candidates, judge: Judge, progress: Progress | None = None
    ) -> Found:
        found = self.explore(state, candidates.n_columns, candidates.fixed, progress, candidates.members)
        return Found(ranked_steps(found, judge.choose(found, state), candidates.fixed), found)

    def explore(
        self,
        state: SetState,
        n_columns: int,
        fixed: Sequence[int],
        watch: Watch | None = None,
        members: Sequence[Sequence[int]] | None = None,
    ) -> Exploration:
        """Search until the end, the time limit or Ctrl-C.

        Parameters
        ----------
        state : state of the measure
        n_columns : number of units: columns, or groups of columns
        fixed : units in every subset
        watch : called after each round with the round, and the numbers of subsets evaluated and expected
        members : columns of each unit; None if every unit is one column
        """
        given = Given(n_columns, fixed, members)
        costs = given.costs(self.costs, self.budget)
        scored = ScoredSubsets(state, n_columns, fixed, self.max_time, costs)
        pause = self._pause_to_resume(given)
        start = None if self.start is None or pause is not None else given.subsets(self.start)
        run = self.begin_run(scored, self._rng(), start)
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
            is_final=self._polish() is not None or self.budget is not None,
            pause=None if complete else stopwatch.pause,
        )

    def _pause_to_resume(self, given: "Given") -> Pause | None:
        """State of an earlier search that was stopped; raises if it does not fit."""
        pause = self.start.pause if isinstance(self.start, Exploration) else None
        if pause is None:
            return None
        came, needed = (pause.search, pause.n_columns, pause.fixed), (type(self).__name__, *given.shape)
        if came != needed:
            raise DataError(
                "A search can only be resumed by the same search on the same columns: `start` comes from "
                f"{came[0]} over {came[1]} columns with {len(came[2])} fixed, but this is {needed[0]} over "
                f"{needed[1]} with {len(given.fixed)} fixed. Hint: start=exploration.front restarts from its "
                "subsets."
            )
        return pause


@dataclass(eq=False, repr=False, kw_only=True)
class PolishedSearch(SetSearch):
    """Base of the searches over subsets that can polish their result.

    Parameters
    ----------
    polish : {"drop", "swap"} or None, default=None
        How the result is improved at the end: "drop" removes columns as long as that helps, "swap" also
        exchanges single columns. The polished subset is selected, whatever the scores of columns.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SetSearch._parameter_constraints,
        "polish": [StrOptions({"drop", "swap"}), None],
    }
    polish: str | None = None

    def _polish(self) -> str | None:
        return self.polish


@dataclass(eq=False, repr=False, kw_only=True)
class RandomSearch(PolishedSearch):
    """Base of the searches over subsets that draw random numbers.

    Parameters
    ----------
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers; None for the selector's.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PolishedSearch._parameter_constraints,
        "random_state": ["random_state"],
    }
    random_state: Any = None

    def _rng(self) -> np.random.RandomState:
        rng: np.random.RandomState = check_random_state(self.random_state)
        return rng


class Stopwatch:
    """Goes through the rounds of a run, and keeps the state from which it can be resumed.

    Parameters
    ----------
    search : the search
    run : a new run
    scored : values of subsets
    pause : state of an earlier run to resume; None to start from the beginning
    """

    def __init__(self, search: SetSearch, run: Run[Any], scored: ScoredSubsets, pause: Pause | None) -> None:
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
        """Reject data on which the best subset so far has another value."""
        values = self._scored.state.values(self._run.result()[1].subsets[:1])
        now = values[0, 0] if len(best) > 1 else self._scored.one_objective(values)[0]
        if abs(now - best[0]) > DATA_TOLERANCE * max(1.0, abs(best[0])):
            raise DataError(
                f"A search can only be resumed on the same data, but its best subset has {now:.6g} here and "
                f"had {best[0]:.6g}. Hint: start=exploration.front restarts from its subsets."
            )

    def rounds(self) -> Iterator[Generation]:
        """Yield all rounds, including those of polishing, until the end or until time is up."""
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
        how = self._search._polish()
        if how is not None:
            yield from self._run.polish(swaps=how == "swap")
            self.complete = not self._scored.is_out_of_time()

    def _remember(self) -> None:
        """Keep the state for resuming, if the search may be stopped."""
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
    """Yield columns as steps: the fixed ones, those of the chosen subset by score, then all others."""
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


class Given:
    """Translates costs and subsets from columns to units: columns, or groups of columns.

    Parameters
    ----------
    n_units : number of units
    fixed : units in every subset
    members : columns of each unit; None if every unit is one column
    """

    def __init__(self, n_units: int, fixed: Sequence[int], members: Sequence[Sequence[int]] | None) -> None:
        self.fixed = tuple(fixed)
        self.shape = (n_units, self.fixed)
        self._members = members
        self._n_columns = n_units if members is None else sum(map(len, members))

    def costs(self, costs: Any, budget: float | None) -> Costs:
        """Check costs and sum them over the columns of each unit."""
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
        """Check initial subsets, bool (subsets, units); a unit is in if one of its columns is."""
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
