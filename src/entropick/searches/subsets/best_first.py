"""Best-first search: grow the best subset so far, and backtrack if that does not help."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np

from entropick._base.compat import Interval
from entropick._base.ties import descending
from entropick.records.exploration import Generation, ParetoFront
from entropick.searches.subsets.runs import RunForOne
from entropick.searches.subsets.scored import ScoredSubsets
from entropick.searches.subsets.sets import PolishedSearch

BLOCK_BYTES = 1 << 22  # of subsets per block


@dataclass(eq=False, repr=False)
class BestFirst(PolishedSearch):
    """Extend the best waiting subset by each column, until extending the best few no longer helps.

    Each round extends the best waiting subset by each other column. The best `patience` subsets wait. The
    search ends after that many consecutive rounds without improvement. Columns are ranked by their individual
    value.

    Parameters
    ----------
    patience : int, default=5
        Rounds without improvement after which the search ends, and number of waiting subsets.
    tol : float, default=1e-5
        Smallest decrease in value that counts as an improvement.

    References
    ----------
    Hall (1999), Correlation-based feature selection for machine learning.
    """

    default_cut = "best_subset"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PolishedSearch._parameter_constraints,
        "patience": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    patience: int = 5
    tol: float = 1e-5

    def _begin(
        self, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None = None
    ) -> "Expansions":
        run = Expansions(self, scored)
        if start is not None and len(start):
            run.begin_with(scored.admit(start.copy(), rng))
        return run


class Waiting(NamedTuple):
    """A subset waiting to be extended, and its value."""

    value: float
    subset: np.ndarray


class Expansions(RunForOne):
    """State of the search: extended subsets, waiting ones, and the best of all."""

    def __init__(self, search: BestFirst, scored: ScoredSubsets) -> None:
        super().__init__(scored)
        self._search = search
        start = np.zeros(scored.n_columns, dtype=bool)
        start[scored.fixed] = True
        has_value = bool(scored.fixed) or scored.state.can_value_nothing
        value = float(self._objectives(start[None, :])[0]) if has_value else np.inf
        self._best = Waiting(value, start)
        self._waiting = [self._best]
        self._grown: list[np.ndarray] = []
        self._n_stale = 0
        self._alone = np.full(scored.n_columns, np.nan)  # value of each column, with the fixed ones

    def begin_with(self, subsets: np.ndarray) -> None:
        """Add subsets to the waiting ones."""
        objectives = self._objectives(subsets)
        self._take(subsets[: len(objectives)], objectives)

    def n_expected(self) -> None:
        return None

    def _objectives(self, subsets: np.ndarray) -> np.ndarray:
        return self._scored.one_objective(self._scored.values(subsets))

    def advance(self) -> Generation | None:
        if not self._waiting or self._n_stale == self._search.patience:
            return None
        subset = self._waiting.pop(0).subset
        is_better = False
        for columns in self._blocks(self._new_columns(subset)):
            larger = np.repeat(subset[None, :], len(columns), axis=0)
            larger[np.arange(len(columns)), columns] = True
            objectives = self._objectives(larger)
            if not self._grown:
                self._alone[columns[: len(objectives)]] = objectives
            is_better |= self._take(larger, objectives)
            if len(objectives) < len(columns):
                break  # time is up
        self._grown.append(subset)
        self._n_stale = 0 if is_better else self._n_stale + 1
        return Generation(self._scored.n_asked, (self._best.value,), int(self._best.subset.sum()))

    def _new_columns(self, subset: np.ndarray) -> np.ndarray:
        """Columns whose addition gives a subset not scored before."""
        is_new = ~subset
        for grown in self._grown:
            more = np.flatnonzero(grown & ~subset)
            if len(more) == 1 and grown.sum() == subset.sum():
                is_new[more] = False
        columns = np.flatnonzero(is_new)
        return np.asarray(columns[self._scored.costs.allow_more(subset, columns)])

    def _blocks(self, columns: np.ndarray) -> list[np.ndarray]:
        step = max(1, BLOCK_BYTES // self._scored.n_columns)
        return [columns[start : start + step] for start in range(0, len(columns), step)]

    def _take(self, subsets: np.ndarray, objectives: np.ndarray) -> bool:
        """Add the best subsets to the waiting ones; return whether one is better than all before."""
        is_better = False
        for i in np.flatnonzero(objectives < self._best.value - self._search.tol).tolist():
            if objectives[i] < self._best.value - self._search.tol:  # the best may have changed
                self._best, is_better = Waiting(float(objectives[i]), subsets[i].copy()), True
        best_first = descending(-objectives)[: self._search.patience].tolist()
        waiting = self._waiting + [Waiting(float(objectives[i]), subsets[i].copy()) for i in best_first]
        order = descending(-np.array([entry.value for entry in waiting]))
        self._waiting = [waiting[i] for i in order[: self._search.patience]]
        return is_better

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        worst = np.nanmax(self._alone) if not np.isnan(self._alone).all() else 0.0
        scores = -np.where(np.isnan(self._alone), worst, self._alone)
        return scores, self.front()

    def best_subset(self) -> np.ndarray:
        return self._best.subset
