"""States of a measure for several targets, whose scores are summed."""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np

from entropick.contracts import RemovalState, Scores, StepState
from entropick.measures.base import PlainState
from entropick.measures.pairs.gains import SummedGains

Part = TypeVar("Part", bound=StepState)


class SummedSteps(PlainState, Generic[Part]):
    """The state of a step or ranking measure on several targets: a column scores the sum over targets.

    `parts` are the states for each target; each must score all candidates.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self.entropy_order, self.adds_up = parts[0].entropy_order, parts[0].adds_up
        fixed = [part.fixed_scores for part in parts if part.fixed_scores is not None]
        self.fixed_scores = np.asarray(np.sum(fixed, axis=0)) if fixed else None

    def include(self, column: int) -> None:
        for part in self._parts:
            part.include(column)

    def compete(self, candidates: np.ndarray) -> Scores:
        found = [part.compete(candidates) for part in self._parts]
        if any(len(of_one.columns) < len(candidates) for of_one in found):
            raise AssertionError("a measure left candidates out, though scores of several targets are summed")
        deciding = [of_one.tie_break for of_one in found if of_one.tie_break is not None]
        residual = [of_one.residual for of_one in found if of_one.residual is not None]
        added = [of_one.added for of_one in found if of_one.added is not None]
        return Scores(
            candidates,
            np.sum([of_one.scores for of_one in found], axis=0),
            (lambda tied: np.sum([decide(tied) for decide in deciding], axis=0)) if deciding else None,
            sum(residual) if len(residual) == len(found) else None,
            SummedGains(added) if len(added) == len(found) else None,
        )

    def conclude(self, columns: Sequence[int]) -> Mapping[str, object]:
        """What was learned, as a tuple with one entry per target."""
        learned = [part.conclude(columns) for part in self._parts]
        return {name: tuple(of_one[name] for of_one in learned) for name in learned[0]}


class SummedRemovals(SummedSteps[RemovalState]):
    """The same for a measure that can remove columns."""

    def exclude(self, column: int) -> None:
        for part in self._parts:
            part.exclude(column)

    def merit(self) -> float:
        return sum(part.merit() for part in self._parts)

    def merits_without(self, columns: np.ndarray) -> np.ndarray:
        merits: np.ndarray = np.sum([part.merits_without(columns) for part in self._parts], axis=0)
        return merits
