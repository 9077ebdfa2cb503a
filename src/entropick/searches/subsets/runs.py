"""Running searches over subsets: what each can report and do between its rounds."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np

from entropick.records.exploration import Generation, ParetoFront, Proof
from entropick.searches.subsets.polish import Descent
from entropick.searches.subsets.scored import ScoredSubsets


class Run(Protocol):
    """A search under way; between rounds its result is what was found so far."""

    def advance(self) -> Generation | None:
        """Go one round further, or part of it where time is up; None at the end."""

    def n_expected(self) -> int | None:
        """Subsets the whole search will ask for, where that is known."""

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        """Score of each column, and the best subsets."""

    def tie_scores(self) -> np.ndarray | None:
        """What decides between columns of equal score; None leaves it to the lowest index."""

    def proof(self) -> Proof | None:
        """What a search that came to its end proves."""

    def polish(self, swaps: bool) -> Iterator[Generation]:
        """Make the result better by dropping single columns, and exchanging them if asked for."""

    def equivalents(self, front: ParetoFront, most: int) -> tuple[np.ndarray, ...]:
        """For each subset of the front, others that are as good and cost the same."""

    def pause(self) -> object:
        """All that was found out and drawn so far."""

    def resume(self, found: object) -> None:
        """Go on from there."""


@dataclass
class FoundForOne:
    """Base of what a run for a single best subset has found.

    Attributes
    ----------
    polished : a better subset than the best one of the search, once it is known
    """

    polished: np.ndarray | None = field(default=None, kw_only=True)


Found = TypeVar("Found")
FoundOne = TypeVar("FoundOne", bound=FoundForOne)


class PlainRun(Generic[Found]):
    """A run that leaves ties to the lowest index, proves nothing and has nothing to polish.

    Parameters
    ----------
    scored : values of subsets
    found : a dataclass of all that changes from round to round; a pause is a copy of it
    """

    def __init__(self, scored: ScoredSubsets, found: Found) -> None:
        self._scored = scored
        self._found = found

    def tie_scores(self) -> np.ndarray | None:
        return None

    def proof(self) -> Proof | None:
        return None

    def polish(self, swaps: bool) -> Iterator[Generation]:
        yield from ()

    def equivalents(self, front: ParetoFront, most: int) -> tuple[np.ndarray, ...]:
        return self._scored.equivalents(front, self._compared, most)

    def _compared(self, values: np.ndarray) -> np.ndarray:
        """What subsets are compared by, from their values."""
        return self._scored.one_objective(values)[:, None]

    def pause(self) -> Found:
        return deepcopy(self._found)

    def resume(self, found: object) -> None:
        if not isinstance(found, type(self._found)):
            raise TypeError(f"{type(self).__name__} cannot go on from {type(found).__name__}.")
        self._found = deepcopy(found)


class RunForOne(PlainRun[FoundOne], ABC):
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
