"""Greedy forward selection: always the best column given the ones already picked."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from entropick.records import Step
from entropick.searches.base import PathSearch, chosen_step, fixed_step, open_columns
from entropick.ties import best_of


class Forward(PathSearch):
    """Add the best column, again and again; ties go to the lowest column index."""

    needs = "step"

    def walk(self, state: Any, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        candidates = open_columns(n_columns, fixed)
        room = np.empty_like(candidates)  # new memory in each step would cost more than the copy
        while len(candidates):
            start = perf_counter()
            columns, scores = state.compete(candidates)
            choice = best_of(scores, state.tie_scores(columns))
            step = state.annotate(chosen_step(choice, columns, perf_counter() - start))
            at = int(np.searchsorted(candidates, step.column))
            others = (candidates[:at], candidates[at + 1 :])
            candidates, room = np.concatenate(others, out=room[: len(candidates) - 1]), candidates
            yield step
            state.include(step.column)
