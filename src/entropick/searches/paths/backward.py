"""Backward elimination: from all columns, removing the one whose loss costs least."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from entropick.contracts import RemovalState, Scores
from entropick.records.selection import Step
from entropick.searches.base import RemovalSearch, best_step, fixed_step, open_columns


class Backward(RemovalSearch):
    """Repeatedly remove the column that matters least; of ties, the highest index is removed first.

    The steps are the eliminations in reverse: the first n columns are the last n that were left.
    The score of a step is what its column adds to those before it.
    """

    def walk(self, state: RemovalState, n_columns: int, fixed: Sequence[int]) -> Iterator[Step]:
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        members = open_columns(n_columns, fixed)
        for column in members.tolist():
            state.include(column)
        steps: list[Step] = []
        while len(members) + len(fixed) > 1 and len(members):
            steps.append(self._least_missed(state, members))
            members = members[members != steps[-1].columns[0]]
            state.exclude(steps[-1].columns[0])
        if len(members):
            steps.append(self._last(state, int(members[0])))
        yield from reversed(steps)

    def _least_missed(self, state: RemovalState, members: np.ndarray) -> Step:
        """The step of the column to take out, with the one that would have been next as its runner-up."""
        start = perf_counter()
        missed = state.merit() - state.merits_without(members)
        # Best of the negative losses, from the highest index on: the lowest index stays longest.
        worst = best_step(Scores(members[::-1], -missed[::-1]), start)
        lost = None if worst.runner_up_score is None else -worst.runner_up_score
        return worst.annotated(score=-worst.score, runner_up_score=lost)

    def _last(self, state: RemovalState, column: int) -> Step:
        """The step of the only column left: what it is worth against nothing."""
        start, alone = perf_counter(), state.merit()
        state.exclude(column)
        return Step((column,), alone - state.merit(), seconds=perf_counter() - start)
