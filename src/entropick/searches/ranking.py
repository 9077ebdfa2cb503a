"""Ranking: every column by its own score, whatever else was picked."""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from entropick.records import SHOWN_TIES, Step
from entropick.searches.base import PathSearch, fixed_step, open_columns
from entropick.ties import descending, tolerance


class Ranking(PathSearch):
    """Columns in the order of their scores; ties go to the lowest column index."""

    needs = "ranking"

    def walk(self, state: Any, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
        start = perf_counter()
        candidates = open_columns(n_columns, fixed)
        if not len(candidates):
            return
        candidates, scores = state.compete(candidates)
        order = descending(scores)
        columns, ordered = candidates[order], scores[order]
        seconds = perf_counter() - start
        ascending = ordered[::-1]
        for i, (column, score) in enumerate(zip(columns.tolist(), ordered.tolist(), strict=True)):
            last = i + 1 == len(columns)
            margin = tolerance(score)
            first_tie = len(ordered) - np.searchsorted(ascending, score + margin, side="right")
            end_of_ties = len(ordered) - np.searchsorted(ascending, score - margin, side="left")
            n_ties = int(end_of_ties - max(first_tie, i)) - 1
            yield Step(
                columns=(column,),
                score=score,
                runner_up=None if last else int(columns[i + 1]),
                runner_up_score=None if last else float(ordered[i + 1]),
                ties=tuple(columns[i + 1 : i + 1 + min(n_ties, SHOWN_TIES)].tolist()),
                n_ties=n_ties,
                seconds=seconds if i == 0 else 0.0,
            )
