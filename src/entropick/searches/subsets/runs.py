"""Base classes of running searches over subsets."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from entropick.records.exploration import Generation, ParetoFront, Proof
from entropick.searches.subsets.polish import Descent
from entropick.searches.subsets.scored import ScoredSubsets


@dataclass
class FoundForOne:
    """Base of what a run for a single best subset has found.

    Attributes
    ----------
    polished : a better subset than the best of the search; None before polishing
    """

    polished: np.ndarray | None = field(default=None, kw_only=True)


Found = TypeVar("Found")
FoundOne = TypeVar("FoundOne", bound=FoundForOne)


class Run(ABC, Generic[Found]):
    """A running search; its result is available between rounds.

    Parameters
    ----------
    scored : values of subsets
    found : state of the search, a dataclass; `pause` returns a copy of it
    """

    def __init__(self, scored: ScoredSubsets, found: Found) -> None:
        self._scored = scored
        self._found = found

    @abstractmethod
    def advance(self) -> Generation | None:
        """Do one round, possibly incomplete if time is up; None at the end."""

    @abstractmethod
    def n_expected(self) -> int | None:
        """Number of subsets the whole search will evaluate, if known."""

    @abstractmethod
    def result(self) -> tuple[np.ndarray, ParetoFront]:
        """Score of each column, and the best subsets."""

    def tie_scores(self) -> np.ndarray | None:
        """Secondary scores for columns of equal score; None for the lowest index."""
        return None

    def proof(self) -> Proof | None:
        """What a complete search proves."""
        return None

    def polish(self, swaps: bool) -> Iterator[Generation]:
        """Improve the result by dropping single columns, and by swapping them if requested."""
        yield from ()

    def equivalents(self, front: ParetoFront, most: int) -> tuple[np.ndarray, ...]:
        """For each subset of the front, others that are as good at the same price."""
        return self._scored.equivalents(front, self._compared, most)

    def _compared(self, values: np.ndarray) -> np.ndarray:
        """Numbers by which subsets are compared, from their values."""
        return self._scored.one_objective(values)[:, None]

    def pause(self) -> Found:
        """State of the search, for `resume`."""
        return deepcopy(self._found)

    def resume(self, found: object) -> None:
        """Continue from a state returned by `pause`."""
        if not isinstance(found, type(self._found)):
            raise TypeError(f"{type(self).__name__} cannot go on from {type(found).__name__}.")
        self._found = deepcopy(found)


class RunForOne(Run[FoundOne]):
    """A run for a single best subset, which can be polished."""

    @abstractmethod
    def best_subset(self) -> np.ndarray:
        """The best subset before it is polished."""

    def front(self) -> ParetoFront:
        """The best subset as a front."""
        return self._scored.front_of_one(self._polished_subset())

    def _polished_subset(self) -> np.ndarray:
        return self.best_subset() if self._found.polished is None else self._found.polished

    def polish(self, swaps: bool) -> Iterator[Generation]:
        descent = Descent(self._scored, self._polished_subset(), swaps)
        while descent.advance():
            self._found.polished = descent.subset
            yield Generation(self._scored.n_asked, (descent.value,), int(descent.subset.sum()))
