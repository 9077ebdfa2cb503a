"""Ranking: every column by its own score, regardless of the others."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from entropick._base.ties import TOLERANCE, best_first, descending
from entropick.contracts import StepState
from entropick.records.selection import SHOWN_TIES, Step
from entropick.searches.base import PathSearch, fixed_step, open_columns, quick_step

FIRST_BLOCK = 64  # steps made at once


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
    n = len(candidates)
    order = best_first(scores, FIRST_BLOCK + SHOWN_TIES)
    columns, ordered = candidates[order], scores[order]
    seconds = perf_counter() - start
    first, last = 0, min(FIRST_BLOCK, n)
    while first < n:  # in growing blocks, as mostly few steps of many columns are wanted
        if last + SHOWN_TIES > len(columns) < n:
            order = descending(scores)
            columns, ordered = candidates[order], scores[order]
        n_ties = _later_ties(ordered, first, last).tolist()
        seen = slice(first, last + SHOWN_TIES)  # runner-up and ties of the last step of the block, too
        picks, values = columns[seen].tolist(), ordered[seen].tolist()
        for i in range(last - first):
            is_last = i + 1 == len(picks)
            yield quick_step(
                columns=(picks[i],),
                score=values[i],
                runner_up=None if is_last else picks[i + 1],
                runner_up_score=None if is_last else values[i + 1],
                ties=tuple(picks[i + 1 : i + 1 + min(n_ties[i], SHOWN_TIES)]),
                n_ties=n_ties[i],
                seconds=seconds if first + i == 0 else 0.0,
            )
        first, last = last, min(3 * last, n)


def _later_ties(ordered: np.ndarray, first: int, last: int) -> np.ndarray:
    """Number of later scores that tie with each of some scores; all are in descending order up to ties."""
    ascending, some = ordered[::-1], ordered[first:last]
    margin = TOLERANCE * np.maximum(1.0, np.abs(some))
    first_tie = len(ordered) - np.searchsorted(ascending, some + margin, side="right")
    end_of_ties = len(ordered) - np.searchsorted(ascending, some - margin, side="left")
    n_ties: np.ndarray = end_of_ties - np.maximum(first_tie, np.arange(first, last)) - 1
    return n_ties
