"""Final local search around subsets: drop a column, or swap it for another."""

from collections.abc import Iterator

import numpy as np

from entropick._base.ties import dense_ranks, is_better, tolerance
from entropick.searches.subsets.scored import ScoredSubsets

BLOCK_BYTES = 1 << 22  # of subsets per block


def neighbours(scored: ScoredSubsets, subset: np.ndarray, swaps: bool) -> Iterator[np.ndarray]:
    """Yield all subsets with one column less, then, if requested, all with one swapped, in blocks."""
    members = scored.open_columns(subset)
    if len(members) + len(scored.fixed) > 1:
        yield without_each(subset, members)
    for column in members if swaps else ():
        yield from exchanged(scored, subset, column)


def without_each(subset: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Copies of a subset, each without one of the columns."""
    subsets = np.repeat(subset[None, :], len(columns), axis=0)
    subsets[np.arange(len(columns)), columns] = False
    return subsets


def exchanged(scored: ScoredSubsets, subset: np.ndarray, column: int) -> Iterator[np.ndarray]:
    """Yield copies of a subset with one column swapped for each other one within the budget, in blocks."""
    others = np.flatnonzero(~subset)
    step = max(1, BLOCK_BYTES // len(subset))
    for start in range(0, len(others), step):
        some = others[start : start + step]
        subsets = np.repeat(subset[None, :], len(some), axis=0)
        subsets[:, column] = False
        subsets[np.arange(len(some)), some] = True
        subsets = subsets[scored.costs.allow(subsets)]
        if len(subsets):
            yield subsets


class Descent:
    """Moves from a subset to a better neighbour as long as there is one.

    Parameters
    ----------
    scored : values of subsets
    subset : initial subset
    swaps : whether to swap columns, or only drop them
    """

    def __init__(self, scored: ScoredSubsets, subset: np.ndarray, swaps: bool) -> None:
        self._scored = scored
        self._swaps = swaps
        self.subset = subset
        self.value = float(scored.one_objective(scored.values_again(subset))[0])
        self._price = float(scored.costs.of(subset[None, :])[0])

    def advance(self) -> bool:
        """Move to a better subset; False if there is none, or time is up."""
        if self._scored.is_out_of_time():
            return False
        return self._drop() or (self._swaps and self._exchange())

    def _drop(self) -> bool:
        """Drop the least important column, or several unimportant ones, whichever is best."""
        members = self._scored.open_columns(self.subset)[::-1]  # ties drop the highest index first
        if len(members) + len(self._scored.fixed) < 2:
            return False
        subsets = without_each(self.subset, members)
        objectives = self._objectives(subsets)
        if self._move_to_best(subsets, objectives):
            order = np.argsort(dense_ranks(objectives), kind="stable")
            n_idle = int((objectives <= self.value + tolerance(self.value)).sum())
            self._drop_several(subsets[order[:n_idle]])
            return True
        return False

    def _drop_several(self, subsets: np.ndarray) -> None:
        """Try to drop the columns missing from the first 2, 3, ... subsets at once."""
        several = np.logical_and.accumulate(subsets, axis=0)[1:]
        several = several[several.any(axis=1)]
        if len(several):
            self._move_to_best(several, self._objectives(several))

    def _exchange(self) -> bool:
        """Swap the first column for which that is better."""
        for column in self._scored.open_columns(self.subset):
            has_moved = False
            for subsets in exchanged(self._scored, self.subset.copy(), column):
                has_moved |= self._move_to_best(subsets, self._objectives(subsets))
                if self._scored.is_out_of_time():
                    return has_moved
            if has_moved:
                return True
        return False

    def _objectives(self, subsets: np.ndarray) -> np.ndarray:
        """One number per subset; only for the first subsets if time is up."""
        values = self._scored.values(subsets)
        return self._scored.one_objective(values) if len(values) else np.empty(0)

    def _move_to_best(self, subsets: np.ndarray, objectives: np.ndarray) -> bool:
        """Move to the best of these subsets if it is better than the current one."""
        if not len(objectives):
            return False
        prices = self._scored.costs.of(subsets[: len(objectives)])
        at = np.lexsort((prices, dense_ranks(objectives)))[0]
        value, price = float(objectives[at]), float(prices[at])
        if not is_better(value, price, self.value, self._price):
            return False
        self.subset, self.value, self._price = subsets[at].copy(), value, price
        return True
