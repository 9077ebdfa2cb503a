"""The best of many minima, without computing most of them completely."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from entropick._kernels import pairs as kernels
from entropick.counting.surprisal import Surprisal

if TYPE_CHECKING:
    from entropick.counting.local import PairCounter

_LEADERS = 8  # candidates brought up to date first
_MANY = 8  # at most one column in this many is sorted; if more may win, all are visited in order
_LOWEST = np.iinfo(np.int64).min


class Bounds(NamedTuple):
    """Minima over the first `n_seen` selected columns, per column: never below the score."""

    values: np.ndarray
    n_seen: np.ndarray
    counted: np.ndarray  # number selected when last a finalist


class MinimumRace:
    """Scores that are minima over the included columns and can only fall as these become more.

    Parameters
    ----------
    counter : counts pairs
    start : int64 (columns,), scores before any column is included
    surprisal : the φ to sum
    slack : scores closer than this are ties
    """

    def __init__(self, counter: "PairCounter", start: np.ndarray, surprisal: Surprisal, slack: int) -> None:
        self._counter = counter
        self._selected = counter.new_selected()
        self._surprisal = surprisal
        self._slack = slack
        self._offsets: list[int] = []
        n = len(start)
        self._bounds = Bounds(start.copy(), np.zeros(n, np.int64), np.zeros(n, np.int64))
        # The columns of the highest bounds, descending, as the bounds were when they were sorted.
        self._order = np.arange(0)
        self._ceilings = np.zeros(1, np.int64)  # these bounds, negated: ascending
        self._n_known = n  # how many of them may have reached the last second best score

    def include(self, column: int, offset: int) -> None:
        """Take a column in; it no longer takes part."""
        self._counter.select(column, self._selected, self._surprisal)
        self._offsets.append(offset)
        self._bounds.values[column] = _LOWEST

    def finalists(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The candidates that may be the best or second best, and their scores."""
        best = np.full(2, _LOWEST // 2)
        are_all = len(candidates) + len(self._selected) == len(self._bounds.values)
        # The highest bounds go first: the better the first, the fewer of the others must be counted.
        found = self._lower(self._leaders(self._head() if are_all else candidates), best)
        found += self._lower(self._reaching(best[1] - self._slack) if are_all else candidates, best)
        columns = np.sort(np.concatenate(found))
        return columns, self._bounds.values[columns]

    def _lower(self, columns: np.ndarray, best: np.ndarray) -> list[np.ndarray]:
        return self._counter.lower(
            columns, self._selected, np.array(self._offsets), self._surprisal, self._bounds, best, self._slack
        )

    def _head(self) -> np.ndarray:
        """The columns among which the highest bounds are expected."""
        if self._ceilings[0] == self._ceilings[-1]:  # all alike, as before the first column is counted
            n_sorted = len(self._bounds.values) // _MANY
            negated = -self._bounds.values
            highest = np.flatnonzero(negated <= np.partition(negated, n_sorted)[n_sorted])
            self._order = highest[np.argsort(negated[highest], kind="stable")][: n_sorted + 1]
            self._ceilings = negated[self._order]
        if self._n_known >= len(self._order):
            return np.arange(len(self._bounds.values))
        return self._order[: max(self._n_known, len(self._selected) + 2 * _LEADERS)]

    def _leaders(self, columns: np.ndarray) -> np.ndarray:
        """Those of the highest bounds."""
        leaders = np.empty(min(_LEADERS, len(columns)), np.int64)
        kernels.leaders(columns, self._bounds.values, leaders)
        return np.sort(leaders)

    def _reaching(self, score: int) -> np.ndarray:
        """The columns whose bound may reach a score, or all where these are many."""
        self._n_known = int(np.searchsorted(self._ceilings, -score, side="right"))
        if self._n_known == len(self._order):
            return np.arange(len(self._bounds.values))
        return self._order[: self._n_known]
