"""Final local search around subsets: drop a column, or swap it for another."""

from collections.abc import Iterator

import numpy as np

from entropick._base.subsets import changed
from entropick._base.ties import dense_ranks, is_better, tolerance
from entropick.searches.subsets.scored import ScoredSubsets, blocks


def neighbours(scored: ScoredSubsets, subset: np.ndarray, swaps: bool) -> Iterator[np.ndarray]:
    """Yield all subsets with one column less, then, if requested, all with one swapped, in blocks."""
    members = scored.open_columns(subset)
    if len(members) + len(scored.fixed) > 1:
        yield changed(subset, members, False)
    for column in members if swaps else ():
        yield from exchanged(scored, subset, column)


def exchanged(scored: ScoredSubsets, subset: np.ndarray, column: int) -> Iterator[np.ndarray]:
    """Yield copies of a subset with one column swapped for each other one within the budget, in blocks."""
    for others in blocks(np.flatnonzero(~subset), len(subset)):
        subsets = changed(subset, others, True)
        subsets[:, column] = False
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
        subsets = changed(self.subset, members, False)
        objectives = self._scored.objectives(subsets)
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
            self._move_to_best(several, self._scored.objectives(several))

    def _exchange(self) -> bool:
        """Swap the first column for which that is better."""
        for column in self._scored.open_columns(self.subset):
            has_moved = False
            for subsets in exchanged(self._scored, self.subset.copy(), column):
                has_moved |= self._move_to_best(subsets, self._scored.objectives(subsets))
                if self._scored.is_out_of_time():
                    return has_moved
            if has_moved:
                return True
        return False

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
