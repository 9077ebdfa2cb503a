"""Searches from column to column: forward, floating and backward selection, and ranking."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from entropick._base.ties import TOLERANCE, best_first, best_of, descending, tolerance
from entropick.contracts import (
    CHANCE,
    Candidates,
    Judge,
    MeasuredTable,
    RemovalState,
    Scores,
    StepState,
)
from entropick.records.selection import SHOWN_TIES, Progress, Step
from entropick.searches.base import Begun, Found, Search

FIRST_BLOCK = 64  # steps of a ranking made at once


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
    choice, columns, added = best_of(found.scores, found.tie_break), found.columns, found.added
    gain, is_chance = None, False
    if added is not None:
        gains, p_values = added.tested(columns[[choice.winner]])
        gain, level = float(gains[0]), CHANCE / (found.n_candidates or len(columns))
        if p_values[0] > level:
            better = added.within(columns, level)
            is_chance = len(better) == 0
            if is_chance and gain <= TOLERANCE:
                better = np.flatnonzero(added.gains(columns) > TOLERANCE)
            if len(better):
                found, columns = found.take(better), columns[better]
                choice = best_of(found.scores, found.tie_break)
                gain = float(added.gains(columns[[choice.winner]])[0])
    runner_up = choice.runner_up
    return quick_step(
        columns=(int(columns[choice.winner]),),
        score=choice.score,
        runner_up=None if runner_up is None else int(columns[runner_up]),
        runner_up_score=choice.runner_up_score,
        ties=tuple(columns[choice.ties[:SHOWN_TIES]].tolist()),
        n_ties=len(choice.ties),
        seconds=perf_counter() - start,
        residual=None if found.residual is None else max(0.0, found.residual - choice.score),
        gain=gain,
        is_chance=is_chance,
    )


# -- the searches -----------------------------------------------------------------------------------


class Forward(PathSearch):
    """Repeatedly add the best column; ties go to the lowest column index."""

    def walk(self, state: StepState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        candidates = open_columns(n_columns, fixed)
        spare = np.empty_like(candidates)  # allocating in each step would cost more than the copy
        while len(candidates):
            start = perf_counter()
            step = best_step(state.compete(candidates), start)
            picked = step.columns[0]
            at = int(candidates.searchsorted(picked))
            others = (candidates[:at], candidates[at + 1 :])
            candidates, spare = np.concatenate(others, out=spare[: len(candidates) - 1]), candidates
            yield step
            state.include(picked)


class Floating(RemovalSearch):
    """Add the best column, then remove columns while that beats the best subset of that size so far.

    Unlike forward selection, this search can remove a column that later ones make useless. Every removal
    gives a better subset of its size than any before, so the search ends. A step lists the columns removed
    after it in `dropped`; its score was computed before these removals.

    References
    ----------
    Pudil, Novovičová and Kittler (1994), Floating search methods in feature selection.
    """

    def walk(self, state: RemovalState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        is_open = np.zeros(n_columns, dtype=bool)
        is_open[open_columns(n_columns, fixed)] = True
        picked: list[int] = []
        best: dict[int, float] = {}  # merit of the best subset of each size
        while is_open.any():
            start = perf_counter()
            step = best_step(state.compete(np.flatnonzero(is_open)), start)
            newest = step.columns[0]
            state.include(newest)
            picked.append(newest)
            is_open[newest] = False
            size = len(fixed) + len(picked)
            best[size] = max(best.get(size, -np.inf), state.merit())
            dropped: list[int] = []
            while (useless := self._to_drop(state, picked, size, best)) is not None:
                state.exclude(useless)
                picked.remove(useless)
                dropped.append(useless)
                is_open[useless] = True
                size -= 1
                best[size] = state.merit()
            yield step.annotated(dropped=tuple(dropped))

    def _to_drop(
        self, state: RemovalState, picked: list[int], size: int, best: dict[int, float]
    ) -> int | None:
        """The column whose removal gives a better subset than the best of that size; None if none does."""
        if len(picked) < 2 or size < 3:
            return None
        columns = state.expendable(np.array(picked))
        choice = best_of(state.merits_without(columns))
        known, dropped = best[size - 1], int(columns[choice.winner])
        is_better = choice.score > known + tolerance(known)
        return dropped if is_better and dropped != picked[-1] else None


class Backward(RemovalSearch):
    """Repeatedly remove the least important column; among ties, the highest index is removed first.

    The steps are the eliminations in reverse order: the first n columns are the last n that remained.
    The score of a step is what its column adds to those before it.
    """

    def walk(self, state: RemovalState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        members = open_columns(n_columns, fixed)
        for column in members.tolist():
            state.include(column)
        steps: list[Step] = []
        while len(members) + len(fixed) > 1 and len(members):
            steps.append(self._least_important(state, members))
            members = members[members != steps[-1].columns[0]]
            state.exclude(steps[-1].columns[0])
        if len(members):
            steps.append(self._last(state, int(members[0])))
        yield from reversed(steps)

    def _least_important(self, state: RemovalState, members: np.ndarray) -> Step:
        """The step of the column to remove, with the next one to remove as its runner-up."""
        start = perf_counter()
        members = state.expendable(members)
        losses = state.merit() - state.merits_without(members)
        # Reversed, so that the highest index is removed first among ties.
        worst = best_step(Scores(members[::-1], -losses[::-1]), start)
        next_loss = None if worst.runner_up_score is None else -worst.runner_up_score
        return worst.annotated(score=-worst.score, runner_up_score=next_loss)

    def _last(self, state: RemovalState, column: int) -> Step:
        """The step of the last column, compared with no columns."""
        start, alone = perf_counter(), state.merit()
        state.exclude(column)
        return Step((column,), alone - state.merit(), seconds=perf_counter() - start)


class Ranking(PathSearch):
    """Columns in the order of their scores; ties go to the lowest column index."""

    kinds = ("ranking",)

    def walk(self, state: StepState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
        candidates = open_columns(n_columns, fixed)
        while len(candidates):  # once, or again for constants
            start = perf_counter()
            found = state.compete(candidates)
            yield from _ranked(found.columns, found.scores, start)
            candidates = np.setdiff1d(candidates, found.columns, assume_unique=True)


def _ranked(candidates: np.ndarray, scores: np.ndarray, start: float) -> Iterator[Step]:
    """Steps of all candidates, from the best to the worst."""
    n = len(candidates)
    order = best_first(scores, FIRST_BLOCK + SHOWN_TIES)
    columns, ordered = candidates[order], scores[order]
    seconds = perf_counter() - start
    first, last = 0, min(FIRST_BLOCK, n)
    while first < n:  # in growing blocks, as mostly few steps of many columns are wanted
        if last + SHOWN_TIES > len(columns) < n:
            order = descending(scores)
            columns, ordered = candidates[order], scores[order]
        n_ties = _later_ties(ordered, first, last).tolist()
        seen = slice(first, last + SHOWN_TIES)  # runner-up and ties of the last step of the block, too
        picks, values = columns[seen].tolist(), ordered[seen].tolist()
        for i in range(last - first):
            is_last = i + 1 == len(picks)
            yield quick_step(
                columns=(picks[i],),
                score=values[i],
                runner_up=None if is_last else picks[i + 1],
                runner_up_score=None if is_last else values[i + 1],
                ties=tuple(picks[i + 1 : i + 1 + min(n_ties[i], SHOWN_TIES)]),
                n_ties=n_ties[i],
                seconds=seconds if first + i == 0 else 0.0,
            )
        first, last = last, min(3 * last, n)


def _later_ties(ordered: np.ndarray, first: int, last: int) -> np.ndarray:
    """Number of later scores that tie with each of some scores; all are in descending order up to ties."""
    ascending, some = ordered[::-1], ordered[first:last]
    margin = TOLERANCE * np.maximum(1.0, np.abs(some))
    first_tie = len(ordered) - np.searchsorted(ascending, some + margin, side="right")
    end_of_ties = len(ordered) - np.searchsorted(ascending, some - margin, side="left")
    n_ties: np.ndarray = end_of_ties - np.maximum(first_tie, np.arange(first, last)) - 1
    return n_ties
