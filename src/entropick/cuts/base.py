"""What every cut is."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from entropick.exceptions import CombinationError
from entropick.exploration import Exploration
from entropick.records import Step
from entropick.table import Table
from entropick.workers import Workers


class Judge(ABC):
    """A cut at work on one search."""

    def look(self, step: Step) -> Step:
        """See the newest step; returns it with what the cut found out about it."""
        return step

    def choose(self, exploration: Exploration) -> np.ndarray | None:
        """The subset to keep of those a search over subsets found; None to go by the scores of columns."""
        return None

    @abstractmethod
    def is_done(self, path: Sequence[Step]) -> bool:
        """Whether the search may stop; also asked before the first step."""

    @abstractmethod
    def keep(self, path: Sequence[Step]) -> int:
        """How many of the steps stay."""

    def expected_steps(self) -> int | None:
        """How many steps the search will take, where that is known."""
        return None


def require_target(cut: "Cut", table: Table) -> None:
    """Refuse a table without a target, or with labels missing, where the cut looks at them."""
    if table.target is None:
        raise CombinationError(
            f"The cut {type(cut).__name__} looks at the target, but y is None. "
            "Hint: pass y, or cut by a number of columns."
        )
    if not table.target.is_labelled.all():
        raise CombinationError(
            f"The cut {type(cut).__name__} looks at the labels of all rows, but "
            f"{int((~table.target.is_labelled).sum())} of {table.n_rows} rows have none. "
            "Hint: cut by a number of columns or by a threshold."
        )


class Cut(BaseEstimator, ABC):
    """Base of all cuts: parameters only, the work is done by the judge made by `begin`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {}
    needs_exploration: ClassVar[bool] = False  # whether it only fits searches over whole subsets

    @abstractmethod
    def begin(self, table: Table, measure: Any, workers: Workers) -> Judge:
        """Start on a table."""
