"""Base classes of the searches."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from entropick._base.compat import Estimator
from entropick._base.ties import TOLERANCE, best_of
from entropick.contracts import (
    CHANCE,
    Candidates,
    Judge,
    MeasuredTable,
    RemovalState,
    Scores,
    State,
    StepState,
)
from entropick.records.exploration import Exploration
from entropick.records.selection import SHOWN_TIES, Progress, Step

Begun = TypeVar("Begun", bound=State)


class Found(NamedTuple):
    """Result of a search: its steps, generated on demand, and the subsets it explored, if any."""

    steps: Iterator[Step]
    exploration: Exploration | None = None


class Search(Estimator, ABC, Generic[Begun]):
    """Base of all searches.

    Derive a search of your own from `PathSearch`, which goes from column to column, `RemovalSearch`, which
    may remove columns on the way, or `SetSearch`, which goes over whole subsets.

    Attributes
    ----------
    kinds : kinds of measure it supports, in order of preference
    default_cut : default cut of the search; None for that of the measure
    explores : whether it goes over whole subsets
    """

    kinds: ClassVar[tuple[str, ...]]
    default_cut: ClassVar[str | None] = None
    explores: ClassVar[bool] = False
    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    @property
    def has_budget(self) -> bool:
        """Whether there is a limit to the cost of a subset."""
        return False

    @abstractmethod
    def begin(self, measured: MeasuredTable) -> Begun:
        """Start the measure in the form that this search needs."""

    @abstractmethod
    def find(
        self, state: Begun, candidates: Candidates, judge: Judge, progress: Progress | None = None
    ) -> Found:
        """Search; after a search over subsets, the judge chooses one of them."""


class _Walk(Search[Begun]):
    """A search from column to column."""

    def find(
        self, state: Begun, candidates: Candidates, judge: Judge, progress: Progress | None = None
    ) -> Found:
        return Found(self.walk(state, candidates.n_columns, candidates.fixed))

    @abstractmethod
    def walk(self, state: Begun, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        """Yield steps lazily, the fixed columns first.

        Parameters
        ----------
        state : state of the measure
        n_columns : number of candidates
        fixed : columns to include first, in this order
        """


class PathSearch(_Walk[StepState]):
    """Base of the searches that go from column to column; set measures score by the change of their value."""

    kinds: ClassVar[tuple[str, ...]] = ("step", "set")

    def begin(self, measured: MeasuredTable) -> StepState:
        return measured.begin_steps()


class RemovalSearch(_Walk[RemovalState]):
    """Base of the searches from column to column whose steps may remove columns (`Step.dropped`)."""

    kinds: ClassVar[tuple[str, ...]] = ("removal", "set")

    def begin(self, measured: MeasuredTable) -> RemovalState:
        return measured.begin_removals()


def open_columns(n_columns: int, fixed: Sequence[int]) -> np.ndarray:
    """Columns that are not fixed, in order."""
    is_open = np.ones(n_columns, dtype=bool)
    is_open[list(fixed)] = False
    return np.flatnonzero(is_open)


def fixed_step(column: int) -> Step:
    """Make the step of a fixed column."""
    return Step((column,), float("nan"), fixed=True)


def quick_step(**values: Any) -> Step:
    """Make a step in a third of the usual time, which counts where there are thousands."""
    step = object.__new__(Step)
    step.__dict__.update(values)  # the others are those of the class
    return step


def best_step(found: Scores, start: float) -> Step:
    """Make the step of the best column; `start` is when its search began.

    A column that adds no more than chance is skipped if another adds more. If all may be chance, one that
    adds nothing at all, such as a copy, is skipped if another adds something.
    """
    choice, is_chance = best_of(found.scores, found.tie_break), False
    level = CHANCE / (found.n_candidates or len(found.columns))
    if found.tails is not None and found.tails.p_values(np.array([choice.winner]))[0] > level:
        better = found.tails.within(level)
        is_chance = len(better) == 0
        if is_chance and found.gains is not None and found.gains[choice.winner] <= TOLERANCE:
            better = np.flatnonzero(found.gains > TOLERANCE)
        if len(better):
            found = found.take(better)
            choice = best_of(found.scores, found.tie_break)
    columns, runner_up = found.columns, choice.runner_up
    return quick_step(
        columns=(int(columns[choice.winner]),),
        score=choice.score,
        runner_up=None if runner_up is None else int(columns[runner_up]),
        runner_up_score=choice.runner_up_score,
        ties=tuple(columns[choice.ties[:SHOWN_TIES]].tolist()),
        n_ties=len(choice.ties),
        seconds=perf_counter() - start,
        residual=None if found.residual is None else max(0.0, found.residual - choice.score),
        gain=None if found.gains is None else float(found.gains[choice.winner]),
        is_chance=is_chance,
    )
