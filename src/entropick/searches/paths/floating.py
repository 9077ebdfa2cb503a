"""Floating forward selection: after each addition, columns that became useless are removed."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from entropick._base.ties import best_of, tolerance
from entropick.contracts import RemovalState
from entropick.records.selection import Step
from entropick.searches.base import RemovalSearch, best_step, fixed_step, open_columns


class Floating(RemovalSearch):
    """Add the best column, then remove columns while that beats the best subset of that size so far.

    Unlike forward selection, this search can remove a column that later ones make useless. Every removal
    gives a better subset of its size than any before, so the search ends. A step lists the columns removed
    after it in `dropped`; its score was computed before these removals.

    References
    ----------
    Pudil, Novovičová and Kittler (1994), Floating search methods in feature selection.
    """

    def walk(self, state: RemovalState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        is_open = np.zeros(n_columns, dtype=bool)
        is_open[open_columns(n_columns, fixed)] = True
        picked: list[int] = []
        best: dict[int, float] = {}  # merit of the best subset of each size
        while is_open.any():
            start = perf_counter()
            step = best_step(state.compete(np.flatnonzero(is_open)), start)
            newest = step.columns[0]
            state.include(newest)
            picked.append(newest)
            is_open[newest] = False
            size = len(fixed) + len(picked)
            best[size] = max(best.get(size, -np.inf), state.merit())
            dropped: list[int] = []
            while (useless := self._to_drop(state, picked, size, best)) is not None:
                state.exclude(useless)
                picked.remove(useless)
                dropped.append(useless)
                is_open[useless] = True
                size -= 1
                best[size] = state.merit()
            yield step.annotated(dropped=tuple(dropped))

    def _to_drop(
        self, state: RemovalState, picked: list[int], size: int, best: dict[int, float]
    ) -> int | None:
        """The column whose removal gives a better subset than the best of that size; None if none does."""
        if len(picked) < 2 or size < 3:
            return None
        columns = state.expendable(np.array(picked))
        choice = best_of(state.merits_without(columns))
        known, dropped = best[size - 1], int(columns[choice.winner])
        is_better = choice.score > known + tolerance(known)
        return dropped if is_better and dropped != picked[-1] else None
