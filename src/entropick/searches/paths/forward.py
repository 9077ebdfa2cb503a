"""Greedy forward selection: add the best column given the ones already selected."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from entropick.contracts import StepState
from entropick.records.selection import Step
from entropick.searches.base import PathSearch, best_step, fixed_step, open_columns


class Forward(PathSearch):
    """Repeatedly add the best column; ties go to the lowest column index."""

    def walk(self, state: StepState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        candidates = open_columns(n_columns, fixed)
        spare = np.empty_like(candidates)  # allocating in each step would cost more than the copy
        while len(candidates):
            start = perf_counter()
            step = best_step(state.compete(candidates), start)
            picked = step.columns[0]
            at = int(candidates.searchsorted(picked))
            others = (candidates[:at], candidates[at + 1 :])
            candidates, spare = np.concatenate(others, out=spare[: len(candidates) - 1]), candidates
            yield step
            state.include(picked)
