"""What every search is."""

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
    kinds : the kinds of measure it can walk with, the first that the measure has is used
    default_cut : the cut it brings along; None leaves that to the measure
    """

    kinds: ClassVar[tuple[str, ...]]
    default_cut: ClassVar[str | None] = None
    _parameter_constraints: ClassVar[dict[str, Any]] = {}


class PathSearch(Search):
    """Base of the searches that go from column to column.

    A set measure is walked with by the values of the subsets on the way, see `StepsOverSets`.
    """

    @abstractmethod
    def walk(self, state: RemovalState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        """Yield steps, the fixed columns first; as little as possible is computed before it is asked for.

        A step may take columns picked before out again (`Step.dropped`).

        Parameters
        ----------
        state : the measure at work; only what `kinds` promises is used of it
        n_columns : columns to choose from
        fixed : columns to take first, in this order
        """


class StepsOverSets:
    """A set measure as one that scores columns given the selected ones, by the change of its value.

    Parameters
    ----------
    state : the set measure at work
    n_columns : columns to choose from
    """

    def __init__(self, state: SetState, n_columns: int) -> None:
        self._state = state
        self.entropy_order = state.entropy_order
        self._subset = np.zeros(n_columns, dtype=bool)
        self._merit: float | None = None  # of `subset`, where it is known

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
        """The subset with each of these columns put in or taken out."""
        subsets = np.repeat(self._subset[None, :], len(columns), axis=0)
        subsets[np.arange(len(columns)), columns] = to
        return subsets

    def _merits(self, subsets: np.ndarray) -> np.ndarray:
        values = self._state.values(subsets)
        return -(values[:, 0] if values.shape[1] == 1 else self._state.normalized(values).sum(axis=1))


def open_columns(n_columns: int, fixed: Sequence[int]) -> np.ndarray:
    """The columns that are not fixed, in order."""
    is_open = np.ones(n_columns, dtype=bool)
    is_open[list(fixed)] = False
    return np.flatnonzero(is_open)


def fixed_step(column: int) -> Step:
    """The step of a column the user asked for."""
    return Step((column,), float("nan"), fixed=True)


def best_step(found: Scores, start: float) -> Step:
    """The step of the column that wins against all others; `start` is when the search for it began.

    A column that adds no more than chance is passed over as long as another adds more.
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
