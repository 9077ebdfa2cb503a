"""Bases of all measures: the object holds parameters, the state it begins holds data."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Estimator
from entropick._base.subsets import changed
from entropick._base.threads import Threads
from entropick._base.ties import preferred
from entropick.contracts import JudgedState, Need, RemovalState, Scores, SetState, StepState
from entropick.table.table import Table


class Measure(Estimator, ABC):
    """Base of all measures.

    A measure holds parameters only (``get_params`` and ``set_params`` as in scikit-learn, so that
    a grid may search over ``measure__beta``); what it learns of a table lives in the state that it begins.
    Derive a measure of your own from the base for what it can do:

    - `RankingMeasure`: one score per column, whatever is selected
    - `StepMeasure`: score of a column given the selected ones
    - `RemovalMeasure`: the same, where columns may also be removed again
    - `SetMeasure`: value of a whole subset

    Attributes
    ----------
    kinds : what it can do: "ranking", "step", "removal", "set"; follows from its base
    needs : what it needs of the data, see `entropick.contracts.Need`
    default_search, default_cut : the parts it is used with when none are named
    """

    kinds: ClassVar[frozenset[str]] = frozenset()
    needs: ClassVar[frozenset[Need]] = frozenset({Need.COUNTS})
    needs_target: ClassVar[bool] = True  # whether a target is required
    semi_supervised: ClassVar[bool] = False  # whether some labels of the target may be missing
    uses_target: ClassVar[bool] = True  # whether it uses a target if there is one
    needs_classes: ClassVar[bool] = True  # whether a real target is binned into classes for it
    keeps_by_rule: ClassVar[bool] = False  # whether its selector uses `default_cut` by default
    scores_relevance: ClassVar[bool] = False  # whether the score of a column is I(f;y)
    zero_is_unused: ClassVar[bool] = False  # whether its model leaves out the columns that score 0
    learns: ClassVar[Mapping[str, str]] = {}  # what its state concludes: name to "type: meaning"
    default_search: ClassVar[str] = "forward"
    default_cut: ClassVar[str] = "permutation"

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    @property
    def distance_scaling(self) -> str | None:
        """How coordinates are scaled, for measures based on distances."""
        return "range"

    def needs_as_set(self) -> frozenset[Need]:
        """What it needs of the data with its current parameters."""
        return self.needs

    def begin_steps(self, table: Table, threads: Threads) -> StepState:
        """Start scoring columns of a table, given the selected ones."""
        raise NotImplementedError(f"{type(self).__name__} does not score columns.")

    def begin_removals(self, table: Table, threads: Threads) -> RemovalState:
        """Start scoring columns of a table, where columns may be removed again."""
        raise NotImplementedError(f"{type(self).__name__} cannot remove columns.")

    def begin_sets(self, table: Table, threads: Threads) -> SetState:
        """Start scoring whole subsets of the columns of a table."""
        raise NotImplementedError(f"{type(self).__name__} has no values of subsets.")


class StepMeasure(Measure):
    """Base of the measures that score a column given the selected ones."""

    kinds = frozenset({"step"})

    @abstractmethod
    def begin_steps(self, table: Table, threads: Threads) -> StepState:
        """Start on a table."""


class RankingMeasure(StepMeasure):
    """Base of the measures that give each column one score, whatever is selected."""

    kinds = frozenset({"ranking", "step"})
    default_search = "ranking"

    @abstractmethod
    def begin_steps(self, table: Table, threads: Threads) -> "FixedScores":
        """Score all columns of a table."""


class RemovalMeasure(StepMeasure):
    """Base of the measures that score a column given the selected ones, and can remove columns again."""

    kinds = frozenset({"step", "removal"})

    @abstractmethod
    def begin_removals(self, table: Table, threads: Threads) -> RemovalState:
        """Start on a table."""

    def begin_steps(self, table: Table, threads: Threads) -> RemovalState:
        return self.begin_removals(table, threads)


class SetMeasure(Measure):
    """Base of the measures that value whole subsets (lower is better); columns score the change they make."""

    kinds = frozenset({"set"})

    @abstractmethod
    def begin_sets(self, table: Table, threads: Threads) -> SetState:
        """Start on a table."""

    def begin_steps(self, table: Table, threads: Threads) -> StepState:
        return self.begin_removals(table, threads)

    def begin_removals(self, table: Table, threads: Threads) -> RemovalState:
        return StepsOverSets(self.begin_sets(table, threads), table.n_columns)


class NumberRanking(RankingMeasure):
    """Base of the measures that rank columns by their numbers."""

    needs = frozenset({Need.NUMBERS})
    default_cut = "mean_shift"


class UnsupervisedRanking(NumberRanking):
    """Base of the measures that rank columns without a target."""

    needs_target = False
    uses_target = False
    default_cut = "count"


class PlainState:
    """Defaults of a state: Shannon order, nothing to report after the fit."""

    entropy_order: float = 1.0
    adds_up: bool = False
    is_monotone: bool = False
    can_value_nothing: bool = True
    fixed_scores: np.ndarray | None = None

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        return {}

    def explained(self, columns: Sequence[int]) -> Sequence[float] | None:
        return None

    def testable(self) -> JudgedState | None:
        return None

    def expendable(self, columns: np.ndarray) -> np.ndarray:
        return columns


class FixedScores(PlainState):
    """The state of a ranking measure: one score per column, whatever is selected."""

    def __init__(self, scores: np.ndarray, learned: Mapping[str, Any] | None = None) -> None:
        self.scores = self.fixed_scores = scores
        self._learned = learned or {}

    def compete(self, candidates: np.ndarray) -> Scores:
        return Scores(candidates, self.scores[candidates])

    def include(self, column: int) -> None:
        """Nothing to update: the score of a column does not depend on others."""

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        return self._learned


class OneObjective(PlainState):
    """The state of a set measure with a single objective, which needs no normalisation."""

    def normalized(self, values: np.ndarray) -> np.ndarray:
        return values


class StepsOverSets(PlainState):
    """Adapts a set measure to score columns by the change of its value, given the selected ones."""

    def __init__(self, state: SetState, n_columns: int) -> None:
        self._state = state
        self.entropy_order = state.entropy_order
        self._subset = np.zeros(n_columns, dtype=bool)
        self._merit: float | None = None  # merit of `_subset`, computed on demand

    def compete(self, candidates: np.ndarray) -> Scores:
        return Scores(candidates, self._merits(changed(self._subset, candidates, True)) - self.merit())

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
        return self._merits(changed(self._subset, columns, False))

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        return self._state.conclude(columns)

    def _merits(self, subsets: np.ndarray) -> np.ndarray:
        values = self._state.values(subsets)
        return -(values[:, 0] if values.shape[1] == 1 else self._state.normalized(values).sum(axis=1))


class ConstantsLast:
    """A step measure at work that passes over constant columns as long as there are others.

    A constant tells nothing, but where scores may be negative, its 0 would win.

    Parameters
    ----------
    begin : begins the measure
    varies : which columns are not constant
    """

    def __init__(self, begin: Callable[[], Any], varies: np.ndarray) -> None:
        self._begin, self._varies = begin, varies
        self._state, self._included, self._has_missed = begin(), list[int](), False

    def compete(self, candidates: np.ndarray) -> Scores:
        chosen = preferred(candidates, self._varies)
        if len(chosen) < len(candidates):
            self._has_missed = True
        elif self._has_missed and self._state.adds_up and self._included:
            self._catch_up()
        found: Scores = self._state.compete(chosen)
        return found

    def _catch_up(self) -> None:
        """Begin again with all selected columns, so that constants get what they missed."""
        self._state, self._has_missed = self._begin(), False
        for column in self._included:
            self._state.include(column)

    def include(self, column: int) -> None:
        self._included.append(column)
        self._state.include(column)

    def exclude(self, column: int) -> None:
        self._included.remove(column)
        self._state.exclude(column)

    def expendable(self, columns: np.ndarray) -> np.ndarray:
        """Constants are the first to be removed."""
        return preferred(columns, ~self._varies)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)
