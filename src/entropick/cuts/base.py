"""What every cut is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from entropick._base.threads import Threads
from entropick.contracts import Judge, Need, RehearsedJudge, RehearsedPath, State
from entropick.exceptions import CombinationError
from entropick.records.exploration import Exploration
from entropick.records.selection import Step
from entropick.table.table import Table


class PlainJudge(ABC):
    """A judge that only watches the path; see `entropick.contracts.Judge`."""

    def look(self, step: Step) -> Step:
        return step

    def forget(self, path: list[Step]) -> list[Step]:
        return path  # nothing was remembered

    def choose(self, exploration: Exploration) -> np.ndarray | None:
        return None

    @abstractmethod
    def is_done(self, path: Sequence[Step]) -> bool: ...

    @abstractmethod
    def keep(self, path: Sequence[Step]) -> int: ...

    def expected_steps(self) -> int | None:
        return None


class Cut(BaseEstimator, ABC):  # type: ignore[misc]  # scikit-learn has no types
    """Base of all cuts: parameters only, the work is done by the judge made by `begin`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {}
    needs: ClassVar[frozenset[Need]] = frozenset()
    rule: ClassVar[str] = "keeps a number of columns"  # what it does, to go on a sentence
    uses_target: bool = False  # whether it looks at the target
    is_repeatable: ClassVar[bool] = False  # whether it draws the same random numbers where no seed is given
    needs_exploration: ClassVar[bool] = False  # whether it only fits searches over whole subsets

    def check(self, table: Table) -> None:
        """Refuse data the cut cannot judge, before the measure begins."""

    @abstractmethod
    def begin(self, table: Table, state: State, threads: Threads) -> Judge:
        """Start on a table; `state` is the measure at work on it."""

    def _require_target(self, table: Table) -> None:
        """Refuse data without a target, or with labels missing."""
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


Rehearsal = Callable[[Table], RehearsedPath]  # the same measure and search on data of some of the rows


class RehearsedCut(Cut):
    """Base of the cuts that repeat the whole search on some of the rows before it begins."""

    @abstractmethod
    def rehearse(self, table: Table, rehearsal: Rehearsal, n_fixed: int) -> RehearsedJudge:
        """Find out what is to be known, and start on the table; so many columns are kept in any case."""

    def begin(self, table: Table, state: State, threads: Threads) -> Judge:
        raise AssertionError("the engine calls `rehearse`, which needs no state of all rows")
