"""Exhaustive search: the best subset of every size, and the smallest that is as good as any."""

from collections.abc import Iterator
from itertools import combinations, islice
from math import comb
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from entropick._compat import Interval
from entropick.exceptions import DataError
from entropick.exploration import Generation, ParetoFront, Proof
from entropick.searches.sets import PlainRun, ScoredSubsets, SetSearch
from entropick.ties import tolerance

BATCH_SUBSETS = 2048


class Exhaustive(SetSearch):
    """The best subset of every size, for tables of few columns, and the smallest that is as good as any.

    Sizes are gone through from the smallest on. With a monotone measure, whose value never gets worse when a
    column is added, no subset does better than all columns: the search ends at the first size that does as
    well, and branch and bound leaves out subsets that cannot be the best of their size. With other measures
    all subsets are scored. Either way the result is proven: `statement` of the exploration says what.

    Parameters
    ----------
    max_columns : int, default=25
        Tables with more columns to choose from are refused: the number of subsets doubles with each.
    max_time : float or None, default=None
        Seconds after which the search ends with the best so far (`selection_.complete` is then False).
    on_interrupt : {"raise", "keep"}, default="raise"
        Whether Ctrl-C ends the fit, or only the search, with the best so far.

    References
    ----------
    Narendra and Fukunaga (1977), A branch and bound algorithm for feature subset selection.
    """

    default_cut = "best_subset"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SetSearch._parameter_constraints,
        "max_columns": [Interval(Integral, 1, 30, closed="both")],
    }

    def __init__(
        self, max_columns: int = 25, max_time: float | None = None, on_interrupt: str = "raise"
    ) -> None:
        self.max_columns = max_columns
        self.max_time = max_time
        self.on_interrupt = on_interrupt

    def _begin(self, scored: ScoredSubsets, rng: np.random.RandomState) -> "Sizes":
        n_open = scored.n_columns - len(scored.fixed)
        if n_open > self.max_columns:
            raise DataError(
                f"An exhaustive search goes through all subsets of at most {self.max_columns} columns, but "
                f"there are {n_open} to choose from. Hint: choose some first, or use the search floating."
            )
        return Sizes(scored)


class Sizes(PlainRun):
    """The best subset of each size so far."""

    def __init__(self, scored: ScoredSubsets) -> None:
        self._scored = scored
        is_open = np.ones(scored.n_columns, dtype=bool)
        is_open[scored.fixed] = False
        self._open = np.flatnonzero(is_open)
        self._size = 0 if scored.fixed else 1  # open columns in the subsets of the next round
        self._best: list[tuple[float, np.ndarray]] = []  # objective and subset of each size
        self._goal = np.inf
        self._is_over = False
        if scored.state.is_monotone:
            every = np.ones((1, scored.n_columns), dtype=bool)
            self._goal = float(self._objectives(every)[0])

    def n_expected(self) -> int | None:
        if self._scored.state.is_monotone:
            return None
        n_subsets = 1 << len(self._open)
        return n_subsets if self._scored.fixed else n_subsets - 1

    def _objectives(self, subsets: np.ndarray) -> np.ndarray:
        return self._scored.one_objective(self._scored.values(subsets))

    def advance(self) -> Generation | None:
        if self._is_over or self._size > len(self._open):
            return None
        value, subset = self._best_of_size()
        self._best.append((value, subset))
        self._size += 1
        self._is_over = value <= self._goal + tolerance(self._goal) if np.isfinite(self._goal) else False
        value, subset = self._leader()
        return Generation(self._scored.n_asked, (value,), int(subset.sum()))

    def _leader(self) -> tuple[float, np.ndarray]:
        """The smallest subset that is as good as the best."""
        least = min(value for value, _ in self._best)
        return next(best for best in self._best if best[0] <= least + tolerance(least))

    def _best_of_size(self) -> tuple[float, np.ndarray]:
        """Of equally good subsets the first in the order of their columns."""
        batches = self._promising() if self._scored.state.is_monotone else self._all()
        best_value, best_subset = np.inf, np.zeros(self._scored.n_columns, dtype=bool)
        for subsets in batches:
            objectives = self._objectives(subsets)
            least = float(objectives.min())
            if least < best_value - tolerance(least):
                at = int(np.flatnonzero(objectives <= least + tolerance(least))[0])
                best_value, best_subset = float(objectives[at]), subsets[at].copy()
                self._to_beat = best_value - 2 * tolerance(best_value)  # a tie comes too late
            if len(objectives) < len(subsets):
                break  # time is up
        return best_value, best_subset

    def _with_fixed(self, chosen: list[tuple[int, ...]]) -> np.ndarray:
        subsets = np.zeros((len(chosen), self._scored.n_columns), dtype=bool)
        subsets[:, self._scored.fixed] = True
        for subset, columns in zip(subsets, chosen, strict=True):
            subset[list(columns)] = True
        return subsets

    def _all(self) -> Iterator[np.ndarray]:
        """All subsets of this size, in order."""
        chosen = combinations(self._open.tolist(), self._size)
        while batch := list(islice(chosen, BATCH_SUBSETS)):
            yield self._with_fixed(batch)

    def _promising(self) -> Iterator[np.ndarray]:
        """The subsets of this size that may be the best, by branch and bound.

        A branch is a choice of first columns, and may still take any column after its last one. Its value
        with all of these is a bound: no subset of the branch is better. A branch ends where its bound is
        worse than a subset already known.
        """
        self._to_beat = self._greedy_value()
        open_columns = self._open.tolist()
        branches: list[tuple[float, tuple[int, ...]]] = [(-np.inf, ())]
        while branches:
            bound, branch = branches.pop()
            if bound > self._to_beat + tolerance(self._to_beat):
                continue
            n_left = self._size - len(branch)
            first = 0 if not branch else open_columns.index(branch[-1]) + 1
            if comb(len(open_columns) - first, n_left) <= BATCH_SUBSETS:
                rest = combinations(open_columns[first:], n_left)
                yield self._with_fixed([branch + chosen for chosen in rest])
                continue
            children = [(*branch, column) for column in open_columns[first : len(open_columns) - n_left + 1]]
            largest = [(*child, *open_columns[open_columns.index(child[-1]) + 1 :]) for child in children]
            bounds = self._objectives(self._with_fixed(largest))
            branches += list(zip(bounds.tolist(), children, strict=False))[::-1]

    def _greedy_value(self) -> float:
        """The value of a good subset of this size: the best of the size before and one column more."""
        if not self._best or self._size < 1:
            return np.inf
        subset = self._best[-1][1]
        more = self._open[~subset[self._open]]
        larger = np.repeat(subset[None, :], len(more), axis=0)
        larger[np.arange(len(more)), more] = True
        return float(self._objectives(larger).min())

    # -- results -------------------------------------------------------------------------------

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        by_value = [self._best[0]]
        for value, subset in self._best[1:]:
            if value < by_value[-1][0] - tolerance(value):
                by_value.append((value, subset))
        subsets = np.stack([subset for _, subset in by_value[::-1]])
        values = np.array([[value, subset.mean()] for value, subset in by_value[::-1]])
        low, high = values[0, 0], values[-1, 0]
        normalized = np.column_stack([(values[:, 0] - low) / ((high - low) or 1.0), values[:, 1]])
        label = " + ".join(self._scored.state.objectives)
        return subsets.mean(axis=0), ParetoFront(subsets, values, normalized, (label, "share of columns"))

    def proof(self) -> Proof | None:
        """What is proven about the smallest subset that is as good as any."""
        if not (self._is_over or self._size > len(self._open)):
            return None
        value, subset = self._leader()
        label = " + ".join(self._scored.state.objectives)
        return Proof(int(subset.sum()), f"{label} = {value + 0.0:.6g}", bool(self._scored.fixed))
