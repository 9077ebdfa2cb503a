"""Exhaustive search: the best subset of every size, and the smallest that is as good as any."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import comb
from numbers import Integral
from typing import Any, ClassVar, NamedTuple

import numpy as np

from entropick._base.compat import Interval
from entropick._base.subsets import changed
from entropick._base.ties import tolerance
from entropick.exceptions import DataError
from entropick.records.exploration import Generation, ParetoFront, Proof
from entropick.searches.paths import open_columns
from entropick.searches.subsets.runs import Run
from entropick.searches.subsets.scored import ScoredSubsets
from entropick.searches.subsets.sets import SetSearch

BATCH_SUBSETS = 2048


@dataclass(eq=False, repr=False)
class Exhaustive(SetSearch):
    """Find the best subset of every size, and the smallest as good as any, in tables of few columns.

    Sizes are tried in increasing order. With a monotone measure, whose value never gets worse when a
    column is added, no subset is better than all columns: the search ends at the first size that is as good,
    and branch and bound skips subsets that cannot be the best of their size. With other measures
    all subsets are scored. Either way the result is proven; see `statement` of the exploration.

    Parameters
    ----------
    max_columns : int, default=25
        Tables with more candidates are rejected: the number of subsets doubles with each column.
    max_equivalents : int, default=0
        Maximum number of subsets listed in `front.equivalents`: as good as the best one and of the same size.
        All are found, up to this number. That takes longer, as branch and bound skips less.

    References
    ----------
    Narendra and Fukunaga (1977), A branch and bound algorithm for feature subset selection.
    """

    default_cut = "best_subset"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SetSearch._parameter_constraints,
        "max_columns": [Interval(Integral, 1, 30, closed="both")],
    }

    max_columns: int = 25
    max_equivalents: int = field(default=0, kw_only=True)

    def begin_run(
        self, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None = None
    ) -> "Sizes":
        n_open = scored.n_columns - len(scored.fixed)
        if n_open > self.max_columns:
            raise DataError(
                f"An exhaustive search is limited to {self.max_columns} columns, but "
                f"there are {n_open} to choose from. Hint: select some first, or use the floating search."
            )
        return Sizes(scored, self.max_equivalents, start)


class Best(NamedTuple):
    """The best subset of a size, and others that are as good at the same price."""

    value: float
    price: float
    subset: np.ndarray
    others: list[np.ndarray]


@dataclass
class Bests:
    """State of the search: the best subset of each size so far."""

    size: int  # non-fixed columns in the subsets of the next round
    best: list[Best] = field(default_factory=list)  # one per size
    goal: float = np.inf  # value of all columns, with a monotone measure
    is_over: bool = False


class Sizes(Run[Bests]):
    """Rounds that find the best subset of one more size."""

    def __init__(self, scored: ScoredSubsets, max_others: int = 0, start: np.ndarray | None = None) -> None:
        super().__init__(scored, Bests(size=0 if scored.fixed else 1))
        self._max_others = max_others
        self._start = np.empty((0, scored.n_columns), bool) if start is None else start
        self._open = open_columns(scored.n_columns, scored.fixed)
        self._to_beat = np.inf
        self._has_best = False  # whether any subset is known; the first is found even if time is up
        if scored.state.is_monotone:
            every = np.ones((1, scored.n_columns), dtype=bool)
            self._found.goal = float(self._scored.objectives(every)[0])

    def n_expected(self) -> int | None:
        if self._scored.state.is_monotone:
            return None
        n_subsets = 1 << len(self._open)
        return n_subsets if self._scored.fixed else n_subsets - 1

    def advance(self) -> Generation | None:
        if self._found.is_over or self._found.size > len(self._open):
            return None
        best = self._best_of_size()
        self._found.size += 1
        if best is None:  # the budget allows no subset of this size or larger; or time is up
            self._found.is_over = not self._scored.is_out_of_time()
        else:
            self._found.best.append(best)
            self._found.is_over = self._is_goal_reached()
        leader = self._leader()
        return Generation(self._scored.n_asked, (leader.value,), int(leader.subset.sum()))

    def _is_goal_reached(self) -> bool:
        """Whether a subset is as good as all columns, and no larger one could be cheaper."""
        if not np.isfinite(self._found.goal):
            return False
        leader, costs = self._leader(), self._scored.costs
        is_cheapest = not costs.are_given or costs.cheapest(self._found.size) >= leader.price
        return is_cheapest and leader.value <= self._found.goal + tolerance(self._found.goal)

    def _as_good_as_any(self) -> list[Best]:
        """The best subsets of their sizes that are as good as the best of all."""
        least = min(best.value for best in self._found.best)
        return [best for best in self._found.best if best.value <= least + tolerance(least)]

    def _leader(self) -> Best:
        """The cheapest subset as good as the best; the smallest if columns have no costs."""
        return min(self._as_good_as_any(), key=lambda best: best.price)

    def _best_of_size(self) -> Best | None:
        """The best subset of this size; ties go to the cheapest, then to the first in column order."""
        batches = self._promising() if self._scored.state.is_monotone else self._all()
        best: Best | None = None
        for subsets in batches:
            allowed = subsets[self._scored.costs.allow(subsets)]
            if not len(allowed):
                continue
            objectives = self._scored.objectives(allowed)
            best = self._better_of(best, allowed[: len(objectives)], objectives)
            self._has_best = True
            self._to_beat = best.value if self._needs_ties(best) else best.value - 2 * tolerance(best.value)
            if len(objectives) < len(allowed):
                break  # time is up
        return best

    def _needs_ties(self, best: Best) -> bool:
        """Whether ties with the best of this size still matter."""
        return self._scored.costs.are_given or len(best.others) < self._max_others

    def _better_of(self, best: Best | None, subsets: np.ndarray, objectives: np.ndarray) -> Best:
        """Update the best subset and its ties."""
        least = float(objectives.min())
        if best is not None and not least < best.value - tolerance(least):
            least = best.value
        tied = np.flatnonzero(objectives <= least + tolerance(least))
        prices = self._scored.costs.of(subsets[tied])
        for at, price in zip(tied.tolist(), prices.tolist(), strict=True):
            if best is None or best.value > least or price < best.price:
                best = Best(float(objectives[at]), price, subsets[at].copy(), [])
                least = best.value
            elif price == best.price and len(best.others) < self._max_others:
                best.others.append(subsets[at].copy())
        assert best is not None
        return best

    def _with_fixed(self, chosen: list[tuple[int, ...]]) -> np.ndarray:
        subsets = np.zeros((len(chosen), self._scored.n_columns), dtype=bool)
        subsets[:, self._scored.fixed] = True
        for subset, columns in zip(subsets, chosen, strict=True):
            subset[list(columns)] = True
        return subsets

    def _all(self) -> Iterator[np.ndarray]:
        """Yield all subsets of this size, in order."""
        chosen = combinations(self._open.tolist(), self._found.size)
        while batch := list(islice(chosen, BATCH_SUBSETS)):
            yield self._with_fixed(batch)

    def _promising(self) -> Iterator[np.ndarray]:
        """Yield the subsets of this size that may be the best, by branch and bound.

        A branch is a choice of first columns, to which any later columns can be added. Its value with all of
        them is a bound: no subset of the branch is better. A branch is pruned if its bound is worse than a
        known subset.
        """
        self._to_beat = self._greedy_value()
        columns = self._open.tolist()
        branches: list[tuple[float, tuple[int, ...]]] = [(-np.inf, ())]
        while branches and not (self._has_best and self._scored.is_out_of_time()):
            bound, branch = branches.pop()
            if bound > self._to_beat + tolerance(self._to_beat):
                continue
            n_left = self._found.size - len(branch)
            first = 0 if not branch else columns.index(branch[-1]) + 1
            if comb(len(columns) - first, n_left) <= BATCH_SUBSETS:
                rest = combinations(columns[first:], n_left)
                yield self._with_fixed([branch + chosen for chosen in rest])
                continue
            children = [(*branch, column) for column in columns[first : len(columns) - n_left + 1]]
            largest = [(*child, *columns[columns.index(child[-1]) + 1 :]) for child in children]
            bounds = self._scored.objectives(self._with_fixed(largest))
            branches += list(zip(bounds.tolist(), children, strict=False))[::-1]

    def _greedy_value(self) -> float:
        """Value of a good subset of this size: a given one, or the previous best plus a column."""
        known = self._start[self._start[:, self._open].sum(axis=1) == self._found.size].copy()
        known[:, self._scored.fixed] = True
        if self._found.best and self._found.size:
            subset = self._found.best[-1].subset
            more = self._open[~subset[self._open]]
            known = np.concatenate([known, changed(subset, more, True)])
        known = known[self._scored.costs.allow(known)]
        return float(self._scored.objectives(known).min()) if len(known) else np.inf

    # -- results -------------------------------------------------------------------------------

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        by_price = sorted(self._found.best, key=lambda best: (best.price, best.value))
        kept = by_price[:1]
        for best in by_price[1:]:
            if best.value < kept[-1].value - tolerance(best.value):
                kept.append(best)
        subsets = np.stack([best.subset for best in kept[::-1]])
        values = np.array([best.value for best in kept[::-1]])
        shares = self._scored.costs.shares(subsets)
        normalized = np.column_stack([(values - values[0]) / ((values[-1] - values[0]) or 1.0), shares])
        labels = (self._label(), f"share of {self._scored.costs.unit}")
        return subsets.mean(axis=0), ParetoFront(
            subsets, np.column_stack([values, shares]), normalized, labels
        )

    def _label(self) -> str:
        return " + ".join(self._scored.state.objectives)

    def equivalents(self, front: ParetoFront, most: int) -> tuple[np.ndarray, ...]:
        """Equivalents of the best subset; none are listed for the others."""
        leader = self._leader()
        others = [
            subset
            for best in self._as_good_as_any()
            if best.price == leader.price
            for subset in (best.subset, *best.others)
            if subset is not leader.subset
        ]
        none = front.subsets[:0]
        of_leader = np.stack(others[:most]) if others else none
        return tuple(of_leader if (subset == leader.subset).all() else none for subset in front.subsets)

    def proof(self) -> Proof | None:
        """Proof about the cheapest subset as good as any, if the search is complete."""
        if not (self._found.is_over or self._found.size > len(self._open)):
            return None
        leader, costs = self._leader(), self._scored.costs
        return Proof(
            int(leader.subset.sum()),
            f"{self._label()} = {leader.value + 0.0:.6g}",
            bool(self._scored.fixed),
            price=leader.price if costs.are_given else None,
            budget=costs.budget,
        )
