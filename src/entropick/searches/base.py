"""Base classes of the searches."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from entropick._base.ties import best_of
from entropick.contracts import RemovalState, Scores, SetState
from entropick.records.selection import SHOWN_TIES, Step


class Search(BaseEstimator, ABC):  # type: ignore[misc]  # scikit-learn has no types
    """Base of all searches.

    Attributes
    ----------
    kinds : kinds of measure it supports, in order of preference
    default_cut : default cut of the search; None for that of the measure
    """

    kinds: ClassVar[tuple[str, ...]]
    default_cut: ClassVar[str | None] = None
    _parameter_constraints: ClassVar[dict[str, Any]] = {}


class PathSearch(Search):
    """Base of the searches that go from column to column.

    A set measure is used through `StepsOverSets`.
    """

    @abstractmethod
    def walk(self, state: RemovalState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        """Yield steps lazily, the fixed columns first.

        A step may remove columns selected before (`Step.dropped`).

        Parameters
        ----------
        state : state of the measure, of one of the `kinds`
        n_columns : number of candidates
        fixed : columns to include first, in this order
        """


class StepsOverSets:
    """Adapter that scores columns by the change of a set measure's value.

    Parameters
    ----------
    state : state of the set measure
    n_columns : number of candidates
    """

    def __init__(self, state: SetState, n_columns: int) -> None:
        self._state = state
        self.entropy_order = state.entropy_order
        self._subset = np.zeros(n_columns, dtype=bool)
        self._merit: float | None = None  # of `_subset`, if known

    def compete(self, candidates: np.ndarray) -> Scores:
        return Scores(candidates, self._merits(self._changed(candidates, True)) - self.merit())

    def include(self, column: int) -> None:
        self._subset[column], self._merit = True, None

    def exclude(self, column: int) -> None:
        self._subset[column], self._merit = False, None

    def merit(self) -> float:
        if not (self._subset.any() or self._state.can_value_nothing):
            return 0.0
        if self._merit is None:
            self._merit = float(self._merits(self._subset[None, :])[0])
        return self._merit

    def merits_without(self, columns: np.ndarray) -> np.ndarray:
        return self._merits(self._changed(columns, False))

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        return self._state.conclude(columns)

    def explained(self, columns: Sequence[int]) -> Sequence[float] | None:
        return None

    def _changed(self, columns: np.ndarray, to: bool) -> np.ndarray:
        """Copies of the subset, each with one of the columns added or removed."""
        subsets = np.repeat(self._subset[None, :], len(columns), axis=0)
        subsets[np.arange(len(columns)), columns] = to
        return subsets

    def _merits(self, subsets: np.ndarray) -> np.ndarray:
        values = self._state.values(subsets)
        return -(values[:, 0] if values.shape[1] == 1 else self._state.normalized(values).sum(axis=1))


def open_columns(n_columns: int, fixed: Sequence[int]) -> np.ndarray:
    """Columns that are not fixed, in order."""
    is_open = np.ones(n_columns, dtype=bool)
    is_open[list(fixed)] = False
    return np.flatnonzero(is_open)


def fixed_step(column: int) -> Step:
    """Make the step of a fixed column."""
    return Step((column,), float("nan"), fixed=True)


def best_step(found: Scores, start: float) -> Step:
    """Make the step of the best column; `start` is when its search began.

    A column that adds no more than chance is skipped if another adds more.
    """
    choice, is_chance = best_of(found.scores, found.tie_break), False
    if found.tails is not None and found.tails.p_values(np.array([choice.winner]))[0] > found.level:
        better = found.tails.within(found.level)
        is_chance = len(better) == 0
        if not is_chance:
            found = found.take(better)
            choice = best_of(found.scores, found.tie_break)
    columns, runner_up = found.columns, choice.runner_up
    return Step(
        columns=(int(columns[choice.winner]),),
        score=choice.score,
        runner_up=None if runner_up is None else int(columns[runner_up]),
        runner_up_score=choice.runner_up_score,
        ties=tuple(columns[choice.ties[:SHOWN_TIES]].tolist()),
        n_ties=len(choice.ties),
        seconds=perf_counter() - start,
        residual=None if found.unexplained is None else max(0.0, found.unexplained - choice.score),
        gain=None if found.gains is None else float(found.gains[choice.winner]),
        is_chance=is_chance,
    )
