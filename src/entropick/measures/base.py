"""What every measure is: parameters in the object, data in the state it begins."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from entropick._base.threads import Threads
from entropick.contracts import Need, Scores, State
from entropick.table.table import Table


class Measure(BaseEstimator, ABC):
    """Base of all measures.

    A measure holds parameters only (``get_params`` and ``set_params`` as in scikit-learn, so that
    a grid may search over ``measure__beta``); what it learns of a table lives in the state made by
    `begin`.

    Attributes
    ----------
    kinds : what its state can do: "ranking" (one score per column), "step" (score of a column given the
        selected ones), "removal" (remove columns again) and "set" (value of a whole subset)
    needs : what it needs of the data, see `entropick.contracts.Need`
    default_search, default_cut : the parts it is used with when none are named
    """

    kinds: ClassVar[frozenset[str]]
    needs: ClassVar[frozenset[Need]] = frozenset({Need.COUNTS})
    needs_target: ClassVar[bool] = True  # whether it cannot do without a target
    semi_supervised: ClassVar[bool] = False  # whether some labels of the target may be missing
    uses_target: ClassVar[bool] = True  # whether it looks at a target at all
    needs_classes: ClassVar[bool] = True  # whether a real target is binned into classes for it
    sums_suffice: ClassVar[bool] = False  # whether of numbers it needs sums over the rows only
    keeps_by_rule: ClassVar[bool] = False  # whether its selector keeps by `default_cut` unless told otherwise
    learns: ClassVar[Mapping[str, str]] = {}  # what its state concludes: name to "type: meaning"
    default_search: ClassVar[str] = "forward"
    default_cut: ClassVar[str] = "permutation"

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    @property
    def distance_scaling(self) -> str:
        """How coordinates are scaled, for measures of distances."""
        return "range"

    def needs_rows(self) -> frozenset[Need]:
        """What it needs of all rows in one place, with its parameters as they are."""
        return self.needs - ({Need.COUNTS, Need.NUMBERS} if self.sums_suffice else {Need.COUNTS})

    @abstractmethod
    def begin(self, table: Table, threads: Threads) -> State:
        """Start on a table; returns the state, which does what `kinds` says."""


class NumberRanking(Measure):
    """Base of the measures that rank columns by their numbers."""

    kinds = frozenset({"ranking", "step"})
    needs = frozenset({Need.NUMBERS})
    default_search = "ranking"
    default_cut = "mean_shift"


class UnsupervisedRanking(NumberRanking):
    """Base of the measures that rank columns without looking at a target."""

    needs_target = False
    uses_target = False
    default_cut = "count"


class PlainState:
    """A state that goes by no entropy of its own, and has nothing to say in the end."""

    entropy_order: float = 1.0
    is_monotone: bool = False
    can_value_nothing: bool = True

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        return {}

    def explained(self, columns: Sequence[int]) -> Sequence[float] | None:
        return None


class FixedScores(PlainState):
    """The state of a ranking measure: one score per column, whatever was picked."""

    def __init__(self, scores: np.ndarray, learned: Mapping[str, Any] | None = None) -> None:
        self.scores = scores
        self._learned = learned or {}

    def compete(self, candidates: np.ndarray) -> Scores:
        return Scores(candidates, self.scores[candidates])

    def include(self, column: int) -> None:
        """Nothing to learn: the score of a column does not depend on others."""

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        return self._learned


class OneObjective(PlainState):
    """The state of a set measure with a single objective, which needs no common scale."""

    def normalized(self, values: np.ndarray) -> np.ndarray:
        return values
