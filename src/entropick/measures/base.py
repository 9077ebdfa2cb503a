"""What every measure is: parameters in the object, data in the state it begins."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np
from sklearn.base import BaseEstimator

from entropick.records import Step
from entropick.table import Table
from entropick.workers import Workers


class StepState(Protocol):
    """A measure at work on one table; higher scores are better."""

    def compete(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The candidate columns in the running, in order, and their scores given the included ones.

        All others score less than these and could not even be runner-up.
        """

    def include(self, column: int) -> None:
        """Take a column into the selected ones."""

    def tie_scores(self, candidates: np.ndarray) -> np.ndarray | None:
        """What decides between tied candidates; None leaves it to the lowest column index."""

    def annotate(self, step: Step) -> Step:
        """The step picked last, before it is included, with what the measure knows about it."""


class Measure(BaseEstimator, ABC):
    """Base of all measures.

    A measure holds parameters only (``get_params`` and ``set_params`` as in scikit-learn, so that
    a grid may search over ``measure__beta``); what it learns of a table lives in the state made by
    `begin`.

    Attributes
    ----------
    kinds : which of "ranking" (one score per column, whatever was picked), "step" (score of a
        column given the picked ones) and "set" (value of a whole subset) it is
    default_search, default_cut : the parts it is used with when none are named
    """

    kinds: ClassVar[frozenset[str]]
    needs_space: ClassVar[bool] = False  # whether it works with distances of rows
    needs_values: ClassVar[bool] = False  # whether it works with the numbers themselves
    needs_target: ClassVar[bool] = True  # whether it cannot do without a target
    semi_supervised: ClassVar[bool] = False  # whether some labels of the target may be missing
    default_search: ClassVar[str] = "forward"
    default_cut: ClassVar[str] = "permutation"

    @abstractmethod
    def begin(self, table: Table, workers: Workers) -> Any:
        """Start on a table; returns the state."""


class PlainState:
    """A state that leaves ties to the lowest index and has nothing to add to steps.

    `learned` is what the measure found out about its own parameters; it goes into the record.
    """

    learned: Mapping[str, Any] = {}

    def tie_scores(self, candidates: np.ndarray) -> np.ndarray | None:
        return None

    def annotate(self, step: Step) -> Step:
        return step


class FixedScores(PlainState):
    """The state of a ranking measure: one score per column, whatever was picked."""

    def __init__(self, scores: np.ndarray, learned: Mapping[str, Any] | None = None) -> None:
        self.scores = scores
        self.learned = learned or {}

    def compete(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return candidates, self.scores[candidates]

    def include(self, column: int) -> None:
        """Nothing to learn: the score of a column does not depend on others."""
