"""Bases of all cuts and their judges."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from entropick._base.compat import Estimator
from entropick._base.threads import Threads
from entropick.contracts import Judge, Need, RehearsedPath, SetState, State
from entropick.exceptions import CombinationError, Hint, Message
from entropick.records.exploration import Exploration
from entropick.records.held_out import HeldOutScores
from entropick.records.selection import Step
from entropick.table.table import Table

GIVE_A_NUMBER = Message("give a number (", Hint("n_features", 10), ") to get the best ones anyway.")


class PlainJudge(ABC):
    """A judge that only watches the path; see `entropick.contracts.Judge`."""

    evidence: HeldOutScores | None = None
    steers: bool = False
    look: Callable[[Step], Step] | None = None

    def admitted(self, candidates: np.ndarray) -> np.ndarray:
        return candidates

    def forget(self, path: list[Step]) -> list[Step]:
        return path  # nothing to forget

    def choose(self, exploration: Exploration, state: SetState) -> np.ndarray | None:
        return None

    @abstractmethod
    def is_done(self, path: Sequence[Step]) -> bool: ...

    @abstractmethod
    def keep(self, path: Sequence[Step]) -> int: ...

    def expected_steps(self) -> int | None:
        return None


class AllScores(PlainJudge):
    """A judge that lets the search score all columns; `rule` tells how many of these scores to keep."""

    def __init__(self, n_columns: int, rule: Callable[[np.ndarray], int]) -> None:
        self._n_columns, self._rule = n_columns, rule

    def is_done(self, path: Sequence[Step]) -> bool:
        return False

    def keep(self, path: Sequence[Step]) -> int:
        n_fixed = sum(step.fixed for step in path)
        scores = np.array([step.score for step in path[n_fixed:]])
        return n_fixed + (self._rule(scores) if len(scores) else 0)

    def expected_steps(self) -> int:
        return self._n_columns


class Run(Protocol):
    """A selection about to begin, as seen by a cut."""

    @property
    def table(self) -> Table: ...

    @property
    def state(self) -> State:
        """The state of the measure on the table."""

    @property
    def threads(self) -> Threads: ...

    @property
    def fixed(self) -> Sequence[int]:
        """Columns that are always kept."""

    @property
    def n_fixed(self) -> int:
        """Number of columns that are always kept."""

    def rehearse(self, table: Table) -> RehearsedPath:
        """Begin the same measure and search on another table, such as one of some of the rows."""


class Cut(Estimator, ABC):
    """Base of all cuts: parameters only, the work is done by the judge made by `begin`.

    Derive a cut of your own from this class, and its judge from `PlainJudge`.

    Attributes
    ----------
    needs : what it needs of the data, see `entropick.contracts.Need`
    needs_path, needs_exploration : whether it only fits searches from column to column, or over subsets
    copies_columns : whether the measure also works on a table of columns made from these
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {}
    needs: ClassVar[frozenset[Need]] = frozenset()
    rule: ClassVar[str] = "keeps a number of columns"  # what it does, as the rest of a sentence
    uses_target: bool = False
    is_repeatable: ClassVar[bool] = False  # whether its random numbers are the same without a seed
    needs_path: ClassVar[bool] = False
    copies_columns: ClassVar[bool] = False
    needs_exploration: ClassVar[bool] = False

    def check(self, table: Table) -> None:
        """Reject data that the cut cannot judge, before the measure begins."""

    @abstractmethod
    def begin(self, run: Run) -> Judge:
        """Start judging a run."""

    def _require_levels_without_target(self, table: Table) -> None:
        """Refuse columns whose levels were chosen by looking at the target."""
        if table.is_binned_by_target:
            raise CombinationError(
                Message(
                    f"The cut {type(self).__name__} cannot judge columns binned by the target (",
                    Hint("binning", "mdlp"),
                    "): their levels already fit y, so that they look better than chance. Hint: use ",
                    Hint("binning", "quantile"),
                    " or 'uniform', or another cut.",
                )
            )

    def _require_target(self, table: Table) -> None:
        """Reject data without a target, or with missing labels."""
        if not table.has_target:
            raise CombinationError(
                f"The cut {type(self).__name__} needs a target, but y is None. "
                "Hint: pass y, or cut by a number of columns."
            )
        n_unlabelled = int((~table.target.is_labelled).sum())
        if n_unlabelled:
            raise CombinationError(
                f"The cut {type(self).__name__} needs a label in every row, but "
                f"{n_unlabelled} of {table.n_rows} rows have none. "
                "Hint: cut by a number of columns or by a threshold."
            )
