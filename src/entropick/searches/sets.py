"""What searches over whole subsets share: scored subsets are remembered, time and Ctrl-C are watched."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from numbers import Real
from time import monotonic
from typing import Any, ClassVar, Protocol

import numpy as np
from sklearn.utils import check_random_state

from entropick._compat import Interval, StrOptions
from entropick.bit_strings import as_bit_strings
from entropick.contracts import SetState
from entropick.exploration import Exploration, Generation, ParetoFront, Proof
from entropick.records import Step
from entropick.searches.base import Search, fixed_step
from entropick.ties import descending

MEMORY_BYTES = 1 << 26  # of remembered subsets and their values
ENTRY_BYTES = 250  # a remembered subset takes this besides its bits
LEAST_BATCH = 4  # subsets scored between two looks at the clock,
BATCH_SECONDS = 0.25  # and as many more as take so long,
BATCH_SHARE = 0.02  # or this share of all the time there is

Watch = Callable[[Generation, int, int | None], None]


class ScoredSubsets:
    """The values of subsets, each computed once as long as memory lasts.

    Parameters
    ----------
    state : the measure at work
    n_columns : columns of the table
    fixed : columns every subset has
    max_time : seconds from now on after which no further batch of subsets is scored
    """

    def __init__(
        self, state: SetState, n_columns: int, fixed: Sequence[int], max_time: float | None = None
    ) -> None:
        self.state = state
        self.n_columns = n_columns
        self.fixed = list(fixed)
        self.n_asked = 0
        self._known: dict[bytes, np.ndarray] = {}
        self._most = MEMORY_BYTES // (n_columns // 8 + ENTRY_BYTES)
        self._deadline = None if max_time is None else monotonic() + max_time
        self._batch_seconds = max(BATCH_SECONDS, BATCH_SHARE * (max_time or 0.0))
        self._batch = LEAST_BATCH

    def admit(self, subsets: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
        """The subsets with the fixed columns in them, and a random column where they would be empty."""
        subsets[:, self.fixed] = True
        empty = np.flatnonzero(~subsets.any(axis=1))
        subsets[empty, rng.randint(self.n_columns, size=len(empty))] = True
        return subsets

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Objectives (subsets, objectives), from memory where possible.

        Where time is up, only those of the first subsets are returned, as far as they are known.
        """
        names = [bits.tobytes() for bits in as_bit_strings(subsets)]
        fresh: dict[bytes, int] = {}
        for i, name in enumerate(names):
            if name not in self._known and name not in fresh:
                fresh[name] = i
        self._score(subsets, fresh)
        n_known = next((i for i, name in enumerate(names) if name not in self._known), len(names))
        self.n_asked += n_known
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
        objectives = self.values(subset[None, :])
        normalized = objectives if objectives.shape[1] == 1 else self.state.normalized(objectives)
        return ParetoFront(subset[None, :].copy(), objectives, normalized, self.state.objectives)


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


class PlainRun:
    """A run that leaves ties to the lowest index and proves nothing."""

    def tie_scores(self) -> np.ndarray | None:
        return None

    def proof(self) -> Proof | None:
        return None


DRAWS: dict[str, Any] = {"random_state": ["random_state"]}


class SetSearch(Search):
    """Base of the searches over whole subsets.

    Parameters
    ----------
    max_time : float or None, seconds after which the search ends with the best so far
    on_interrupt : "raise" or "keep", whether Ctrl-C ends everything or the search only
    """

    kinds = ("set",)
    default_cut = "front"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "max_time": [Interval(Real, 0, None, closed="neither"), None],
        "on_interrupt": [StrOptions({"raise", "keep"})],
    }
    max_time: float | None
    on_interrupt: str
    random_state: Any = None  # a parameter of those that draw

    @abstractmethod
    def _begin(self, scored: ScoredSubsets, rng: np.random.RandomState) -> Run:
        """Start on a measure."""

    def explore(
        self, state: SetState, n_columns: int, fixed: Sequence[int], watch: Watch | None = None
    ) -> Exploration:
        """Search to the end, the time limit or Ctrl-C.

        Parameters
        ----------
        state : the measure at work
        n_columns : columns of the table
        fixed : columns every subset has
        watch : called after each round with the round, subsets asked for so far and expected
        """
        scored = ScoredSubsets(state, n_columns, fixed, self.max_time)
        run = self._begin(scored, check_random_state(self.random_state))
        history: list[Generation] = []
        complete = True
        try:
            while (generation := run.advance()) is not None:
                history.append(generation)
                if watch is not None:
                    watch(generation, generation.n_evaluated, run.n_expected())
                if scored.is_out_of_time():
                    complete = False
                    break
        except KeyboardInterrupt:
            if self.on_interrupt == "raise" or not history:
                raise
            complete = False
        scores, front = run.result()
        proof = run.proof() if complete else None
        return Exploration(scores, front, tuple(history), complete, run.tie_scores(), proof)


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
