"""The best of many minima, most of which are never counted to the end."""

import numpy as np

from entropick._kernels import pairs as kernels
from entropick.counting.pairs import PairCounter

_LEADERS = 8  # candidates brought up to date first
_MANY = 8  # one column in so many is sorted; if more may win, all are gone through in their order
_LOWEST = np.iinfo(np.int64).min


class MinimumRace:
    """Scores that are minima over the selected columns s and can only fall as S grows.

    The term of s is Σ φ(N(f,s,y)) − Σ φ(N(f,s)) + the offset of s. ``bounds[f]`` is the minimum
    over the first ``n_seen[f]`` selected columns, hence never below the score.

    Parameters
    ----------
    counter : counts pairs
    bounds : int64 (columns,), scores before any column is selected
    slack : scores closer than this are ties
    """

    def __init__(self, counter: PairCounter, bounds: np.ndarray, slack: int) -> None:
        self.bounds = bounds
        self.selected = counter.new_selected()
        self._counter = counter
        self._slack = slack
        self._offsets: list[int] = []
        self._n_seen = np.zeros(len(bounds), np.int64)
        self._counted = np.zeros(len(bounds), np.int64)  # number selected when last a finalist
        # The columns of the highest bounds, descending, as the bounds were when they were sorted.
        self._order = np.arange(0)
        self._ceilings = np.zeros(1, np.int64)  # these bounds, negated: ascending
        self._n_known = len(bounds)  # so many of them may have reached the last second best score

    def include(self, column: int, codes: np.ndarray, n_levels: int, offset: int) -> None:
        """Take a column into the selected ones; it no longer takes part."""
        self.selected.add(codes, n_levels)
        self._offsets.append(offset)
        self.bounds[column] = _LOWEST

    def finalists(self, candidates: np.ndarray) -> np.ndarray:
        """The candidates that may be the best or second best; their bounds are exact after it."""
        best = np.full(2, _LOWEST // 2)
        found: list[np.ndarray] = []
        are_all = len(candidates) + len(self.selected) == len(self.bounds)
        # The highest bounds go first: the better the first, the fewer of the others must be counted.
        self._run(self._leaders(self._head() if are_all else candidates), best, found)
        self._run(self._reaching(best[1] - self._slack) if are_all else candidates, best, found)
        return np.sort(np.concatenate(found))

    def _head(self) -> np.ndarray:
        """The columns among which the highest bounds are expected."""
        if self._ceilings[0] == self._ceilings[-1]:  # all alike, as before the first column is counted
            n_sorted = len(self.bounds) // _MANY
            highest = np.argpartition(-self.bounds, n_sorted)[: n_sorted + 1]
            self._order = highest[np.argsort(-self.bounds[highest])]
            self._ceilings = -self.bounds[self._order]
        if self._n_known >= len(self._order):
            return np.arange(len(self.bounds))
        return self._order[: max(self._n_known, len(self.selected) + 2 * _LEADERS)]

    def _leaders(self, columns: np.ndarray) -> np.ndarray:
        """Those of the highest bounds."""
        leaders = np.empty(min(_LEADERS, len(columns)), np.int64)
        kernels.leaders(columns, self.bounds, leaders)
        return np.sort(leaders)

    def _reaching(self, score: int) -> np.ndarray:
        """The columns whose bound may reach a score, or all where these are many."""
        self._n_known = int(np.searchsorted(self._ceilings, -score, side="right"))
        if self._n_known == len(self._order):
            return np.arange(len(self.bounds))
        return self._order[: self._n_known]

    def _run(self, columns: np.ndarray, best: np.ndarray, found: list[np.ndarray]) -> None:
        """Bring columns up to date that may be among the best two; updates `best`, adds finalists."""
        for p, local in self._counter.by_part(columns):
            seen = self._counter.columns(p, local)
            if isinstance(seen, kernels.SparseColumns):
                self._lower_all(self._counter.table.parts[p].columns[local], best, found)
            else:
                self._run_dense(p, seen, local, best, found)

    def _run_dense(
        self,
        p: int,
        seen: kernels.Columns,
        local: np.ndarray,
        best: np.ndarray,
        found: list[np.ndarray],
    ) -> None:
        counter, positions = self._counter, self._counter.table.parts[p].columns
        offsets = np.array(self._offsets)
        bests: list[np.ndarray] = []

        def run(start: int, stop: int) -> None:
            mine = best.copy()
            search = kernels.LazySearch(
                self.bounds, self._n_seen, self._counted, positions, mine, self._slack
            )
            finalists = np.empty(stop - start, np.int64)
            n_finalists = kernels.lazy_minimum(
                seen, local[start:stop], self.selected.record, len(self.selected), counter.rows,
                counter.phi, offsets, search, finalists,
            )  # fmt: skip
            bests.append(mine)
            found.append(finalists[:n_finalists])

        # Most candidates are out of the race at once; about one in eight is counted again.
        counter.workers.run(run, len(local), 5e-9 + counter.seconds_per_pair(seen) / 8)
        for mine in bests:
            np.maximum(best, mine, out=best)

    def _lower_all(self, columns: np.ndarray, best: np.ndarray, found: list[np.ndarray]) -> None:
        """As `_run_dense` for sparse columns, which are cheap enough to be brought up to date always."""
        n_selected = len(self.selected)
        columns = columns[(self._counted[columns] != n_selected) & (self.bounds[columns] > _LOWEST)]
        while (self._n_seen[columns] < n_selected).any():
            i = int(self._n_seen[columns].min())
            late = columns[self._n_seen[columns] == i]
            sum_fs, sum_fsy = self._counter.sums(late, self.selected, i)[:, late]
            self.bounds[late] = np.minimum(self.bounds[late], sum_fsy - sum_fs + self._offsets[i])
            self._n_seen[late] += 1
        self._counted[columns] = n_selected
        found.append(columns)
        best[:] = np.sort(np.append(self.bounds[columns], best))[:-3:-1]
