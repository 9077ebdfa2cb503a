"""Base class of the searches."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from entropick._base.compat import Estimator
from entropick.contracts import Candidates, Judge, MeasuredTable, State
from entropick.records.exploration import Exploration
from entropick.records.selection import Progress, Step

Begun = TypeVar("Begun", bound=State)


class Found(NamedTuple):
    """Result of a search: its steps, generated on demand, and the subsets it explored, if any."""

    steps: Iterator[Step]
    exploration: Exploration | None = None


class Search(Estimator, ABC, Generic[Begun]):
    """Base of all searches.

    Derive a search of your own from `PathSearch`, which goes from column to column, `RemovalSearch`, which
    may remove columns on the way, or `SetSearch`, which goes over whole subsets.

    Attributes
    ----------
    kinds : kinds of measure it supports, in order of preference
    default_cut : default cut of the search; None for that of the measure
    explores : whether it goes over whole subsets
    """

    kinds: ClassVar[tuple[str, ...]]
    default_cut: ClassVar[str | None] = None
    explores: ClassVar[bool] = False
    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    @property
    def has_budget(self) -> bool:
        """Whether there is a limit to the cost of a subset."""
        return False

    @abstractmethod
    def begin(self, measured: MeasuredTable) -> Begun:
        """Start the measure in the form that this search needs."""

    @abstractmethod
    def find(
        self, state: Begun, candidates: Candidates, judge: Judge, progress: Progress | None = None
    ) -> Found:
        """Search; after a search over subsets, the judge chooses one of them."""
