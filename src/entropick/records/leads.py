"""How sure the order of columns is that are ranked by I(f;y)."""

from collections.abc import Sequence

import numpy as np

from entropick.inference.relevance import TableCounts, lead_error
from entropick.records.selection import Step

MAX_RANKS = 50  # ranks to compare
MAX_CELLS = 1 << 22  # of the table of two columns and the classes
WIDTH = 1.96  # standard errors


def with_leads(
    path: Sequence[Step], n_kept: int, counts: TableCounts, n_effective: float
) -> tuple[list[Step], tuple[tuple[int, int], ...]]:
    """The steps with the standard error of their lead, and the ranks that cannot be told apart.

    A run of ranks begins with a column that does not lead by two standard errors, and ends before the first
    column that it does lead that far.
    """
    last = min(n_kept, len(path) - 1, MAX_RANKS)
    steps, runs, first = list(path), [(1, 1)], 0
    for i in range(last):
        error = _error(path[i], path[i + 1], counts, n_effective)
        steps[i] = path[i].annotated(lead_error=error)
        if first < i:
            error = _error(path[first], path[i + 1], counts, n_effective)
        if error is not None and path[first].score - path[i + 1].score < WIDTH * error:
            runs[-1] = runs[-1][0], i + 2
        else:
            first = i + 1
            runs.append((first + 1, first + 1))
    return steps, tuple(run for run in runs if run[0] < run[1])


def _error(step: Step, later: Step, counts: TableCounts, n_effective: float) -> float | None:
    """Standard error of the lead of a step; None if it cannot be counted."""
    f, g = step.column, later.column
    n_levels = int(counts.n_levels[f]), int(counts.n_levels[g])
    if step.fixed or later.fixed or n_levels[0] * n_levels[1] * len(counts.class_sizes) > MAX_CELLS:
        return None
    return lead_error(counts.class_tables(np.array([f]), (g,)), n_levels, n_effective)
