"""Ranking: every column by its own score, regardless of the others."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from entropick._base.ties import TOLERANCE, descending
from entropick.contracts import StepState
from entropick.records.selection import SHOWN_TIES, Step
from entropick.searches.base import PathSearch, fixed_step, open_columns


class Ranking(PathSearch):
    """Columns in the order of their scores; ties go to the lowest column index."""

    kinds = ("ranking",)

    def walk(self, state: StepState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
        candidates = open_columns(n_columns, fixed)
        while len(candidates):  # once, or again for constants
            start = perf_counter()
            found = state.compete(candidates)
            yield from _ranked(found.columns, found.scores, start)
            candidates = np.setdiff1d(candidates, found.columns, assume_unique=True)


def _ranked(candidates: np.ndarray, scores: np.ndarray, start: float) -> Iterator[Step]:
    """Steps of all candidates, from the best to the worst."""
    order = descending(scores)
    columns, ordered = candidates[order], scores[order]
    seconds = perf_counter() - start
    n_ties = _later_ties(ordered).tolist()
    picks, values = columns.tolist(), ordered.tolist()
    for i, (column, score) in enumerate(zip(picks, values, strict=True)):
        last = i + 1 == len(picks)
        yield Step(
            columns=(column,),
            score=score,
            runner_up=None if last else picks[i + 1],
            runner_up_score=None if last else values[i + 1],
            ties=tuple(picks[i + 1 : i + 1 + min(n_ties[i], SHOWN_TIES)]),
            n_ties=n_ties[i],
            seconds=seconds if i == 0 else 0.0,
        )


def _later_ties(ordered: np.ndarray) -> np.ndarray:
    """Number of later scores that tie with each score; scores are in descending order up to ties."""
    ascending = ordered[::-1]
    margin = TOLERANCE * np.maximum(1.0, np.abs(ordered))
    first_tie = len(ordered) - np.searchsorted(ascending, ordered + margin, side="right")
    end_of_ties = len(ordered) - np.searchsorted(ascending, ordered - margin, side="left")
    n_ties: np.ndarray = end_of_ties - np.maximum(first_tie, np.arange(len(ordered))) - 1
    return n_ties
