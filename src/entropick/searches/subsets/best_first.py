"""Best-first search: grow the best subset so far, and backtrack if that does not help."""

from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np

from entropick._base.compat import Interval
from entropick._base.subsets import changed
from entropick._base.ties import descending, tolerance
from entropick.records.exploration import Generation, ParetoFront
from entropick.searches.subsets.runs import FoundForOne, RunForOne
from entropick.searches.subsets.scored import ScoredSubsets, blocks
from entropick.searches.subsets.sets import PolishedSearch


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

    def begin_run(
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


@dataclass
class Grown(FoundForOne):
    """State of the search: extended subsets, waiting ones, and the best of all."""

    best: Waiting
    waiting: list[Waiting]
    alone: np.ndarray  # value of each column, with the fixed ones
    grown: list[np.ndarray] = field(default_factory=list)
    n_stale: int = 0


class Expansions(RunForOne[Grown]):
    """Rounds that grow the best waiting subset."""

    def __init__(self, search: BestFirst, scored: ScoredSubsets) -> None:
        self._search, self._scored = search, scored
        start = np.zeros(scored.n_columns, dtype=bool)
        start[scored.fixed] = True
        has_value = bool(scored.fixed) or scored.state.can_value_nothing
        value = float(self._scored.objectives(start[None, :])[0]) if has_value else np.inf
        best = Waiting(value, start)
        super().__init__(scored, Grown(best, [best], np.full(scored.n_columns, np.nan)))

    def begin_with(self, subsets: np.ndarray) -> None:
        """Add subsets to the waiting ones."""
        objectives = self._scored.objectives(subsets)
        self._take(subsets[: len(objectives)], objectives)

    def n_expected(self) -> None:
        return None

    def advance(self) -> Generation | None:
        if not self._found.waiting or self._found.n_stale == self._search.patience:
            return None
        subset = self._found.waiting.pop(0).subset
        is_better = False
        for columns in blocks(self._new_columns(subset), len(subset)):
            larger = changed(subset, columns, True)
            objectives = self._scored.objectives(larger)
            if not self._found.grown:
                self._found.alone[columns[: len(objectives)]] = objectives
            is_better |= self._take(larger, objectives)
            if len(objectives) < len(columns):
                break  # time is up
        self._found.grown.append(subset)
        self._found.n_stale = 0 if is_better else self._found.n_stale + 1
        return Generation(self._scored.n_asked, (self._found.best.value,), int(self._found.best.subset.sum()))

    def _new_columns(self, subset: np.ndarray) -> np.ndarray:
        """Columns whose addition gives a subset not scored before."""
        is_new = ~subset
        for grown in self._found.grown:
            more = np.flatnonzero(grown & ~subset)
            if len(more) == 1 and grown.sum() == subset.sum():
                is_new[more] = False
        columns = np.flatnonzero(is_new)
        return np.asarray(columns[self._scored.costs.allow_more(subset, columns)])

    def _take(self, subsets: np.ndarray, objectives: np.ndarray) -> bool:
        """Add the best subsets to the waiting ones; return whether one is better than all before."""
        is_better = False
        for i in np.flatnonzero(objectives < self._found.best.value - self._search.tol).tolist():
            if objectives[i] < self._found.best.value - self._search.tol:  # the best may have changed
                self._found.best, is_better = Waiting(float(objectives[i]), subsets[i].copy()), True
        if self._scored.costs.are_given and len(objectives):
            self._prefer_cheaper(subsets[: len(objectives)], objectives)
        best_first = descending(-objectives)[: self._search.patience].tolist()
        waiting = self._found.waiting + [Waiting(float(objectives[i]), subsets[i].copy()) for i in best_first]
        order = descending(-np.array([entry.value for entry in waiting]))
        self._found.waiting = [waiting[i] for i in order[: self._search.patience]]
        return is_better

    def _prefer_cheaper(self, subsets: np.ndarray, objectives: np.ndarray) -> None:
        """Take the cheapest of the subsets that are as good as the best one."""
        best, costs = self._found.best, self._scored.costs
        as_good = np.flatnonzero(np.abs(objectives - best.value) <= tolerance(best.value))
        prices = np.append(costs.of(subsets[as_good]), costs.of(best.subset[None, :]))
        cheapest = int(prices.argmin())
        if prices[cheapest] < prices[-1]:
            at = as_good[cheapest]
            self._found.best = Waiting(float(objectives[at]), subsets[at].copy())

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        worst = np.nanmax(self._found.alone) if not np.isnan(self._found.alone).all() else 0.0
        scores = -np.where(np.isnan(self._found.alone), worst, self._found.alone)
        return scores, self.front()

    def best_subset(self) -> np.ndarray:
        return self._found.best.subset
