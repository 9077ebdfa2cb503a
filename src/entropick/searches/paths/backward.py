"""Backward elimination: start from all columns and remove the least important one."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from entropick.contracts import RemovalState, Scores
from entropick.records.selection import Step
from entropick.searches.base import RemovalSearch, best_step, fixed_step, open_columns


class Backward(RemovalSearch):
    """Repeatedly remove the least important column; among ties, the highest index is removed first.

    The steps are the eliminations in reverse order: the first n columns are the last n that remained.
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
            steps.append(self._least_important(state, members))
            members = members[members != steps[-1].columns[0]]
            state.exclude(steps[-1].columns[0])
        if len(members):
            steps.append(self._last(state, int(members[0])))
        yield from reversed(steps)

    def _least_important(self, state: RemovalState, members: np.ndarray) -> Step:
        """The step of the column to remove, with the next one to remove as its runner-up."""
        start = perf_counter()
        members = state.expendable(members)
        losses = state.merit() - state.merits_without(members)
        # Reversed, so that the highest index is removed first among ties.
        worst = best_step(Scores(members[::-1], -losses[::-1]), start)
        next_loss = None if worst.runner_up_score is None else -worst.runner_up_score
        return worst.annotated(score=-worst.score, runner_up_score=next_loss)

    def _last(self, state: RemovalState, column: int) -> Step:
        """The step of the last column, compared with no columns."""
        start, alone = perf_counter(), state.merit()
        state.exclude(column)
        return Step((column,), alone - state.merit(), seconds=perf_counter() - start)
