"""What every search is."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from entropick.records import SHOWN_TIES, Step
from entropick.ties import Choice


class Search(BaseEstimator, ABC):
    """Base of all searches.

    Attributes
    ----------
    needs : the kind of measure it walks with: "ranking", "step" or "set"
    default_cut : the cut it brings along; None leaves that to the measure
    """

    needs: ClassVar[str]
    default_cut: ClassVar[str | None] = None
    _parameter_constraints: ClassVar[dict[str, Any]] = {}


class PathSearch(Search):
    """Base of the searches that go from column to column."""

    @abstractmethod
    def walk(self, state: Any, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        """Yield steps, the fixed columns first; nothing is computed before it is asked for.

        Parameters
        ----------
        state : the measure at work, see `entropick.measures.base.StepState`
        n_columns : columns of the table
        fixed : columns to take first, in this order
        """


def open_columns(n_columns: int, fixed: Sequence[int]) -> np.ndarray:
    """The columns that are not fixed, in order."""
    is_open = np.ones(n_columns, dtype=bool)
    is_open[list(fixed)] = False
    return np.flatnonzero(is_open)


def fixed_step(column: int) -> Step:
    """The step of a column the user asked for."""
    return Step((column,), float("nan"), fixed=True)


def chosen_step(choice: Choice, candidates: Sequence[int], seconds: float) -> Step:
    """The step of a column that won against the other candidates."""
    return Step(
        columns=(int(candidates[choice.winner]),),
        score=choice.score,
        runner_up=None if choice.runner_up is None else int(candidates[choice.runner_up]),
        runner_up_score=choice.runner_up_score,
        ties=tuple(int(candidates[t]) for t in choice.ties[:SHOWN_TIES]),
        n_ties=len(choice.ties),
        seconds=seconds,
    )
