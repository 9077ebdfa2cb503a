"""Tie rule: scores that differ only by rounding are equal, and the lowest index wins."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

TOLERANCE = 1e-12  # bits; relative for scores above 1
SORTED_AT_ONCE = 8  # times as many scores as are wanted: fewer are sorted as a whole
NO_TIES = np.zeros(0, np.int64)


def tolerance(best: float) -> float:
    """Largest difference from the best score that still counts as a tie."""
    return TOLERANCE * max(1.0, abs(best))


def preferred(columns: np.ndarray, is_preferred: np.ndarray) -> np.ndarray:
    """Those of some columns that a mask of all columns prefers, or all of them if it prefers none."""
    first = columns[is_preferred[columns]]
    return first if len(first) else columns


class Choice(NamedTuple):
    """The best of several scores, as positions in the array, not column indices."""

    winner: int
    score: float
    runner_up: int | None
    runner_up_score: float | None
    ties: np.ndarray  # positions that tie with the winner


def best_of(scores: np.ndarray, tie_break: Callable[[np.ndarray], np.ndarray] | None = None) -> Choice:
    """Find the winner, the runner-up and the ties; scores must not contain NaN.

    Parameters
    ----------
    scores : array with at least one score
    tie_break : returns secondary scores of tied positions; called only if there are ties. Remaining ties go
        to the lowest index
    """
    # of the ways that numpy has, those that take least time for the few scores that a race leaves
    winner, ties = int(scores.argmax()), NO_TIES
    top = float(scores[winner])
    is_tied = scores >= top - tolerance(top)
    if np.count_nonzero(is_tied) > 1:
        tied = is_tied.nonzero()[0]
        winner = int(tied[0 if tie_break is None else best_of(tie_break(tied)).winner])
        ties = tied[tied != winner]
        runner_up = int(ties[0])
    elif len(scores) == 1:
        return Choice(winner, top, None, None, NO_TIES)
    else:
        others = scores.copy()
        others[winner] = -np.inf
        second = float(others[others.argmax()])
        is_close = others >= second - tolerance(second)
        is_close[winner] = False
        runner_up = int(is_close.argmax())
    return Choice(winner, float(scores[winner]), runner_up, float(scores[runner_up]), ties)


def dense_ranks(values: np.ndarray) -> np.ndarray:
    """Dense ranks in ascending order, from 0; values that differ only by rounding share a rank."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    before = ordered[:-1]
    rises = ordered[1:] > before + TOLERANCE * np.maximum(1.0, np.abs(before))
    found = np.empty(len(values), np.int64)
    found[order] = np.concatenate([[0], np.cumsum(rises)])[: len(values)]
    return found


def merged(scores: np.ndarray, tolerance: float) -> np.ndarray:
    """Set scores that differ by less than `tolerance` times the largest one to the best among them.

    For scores of iterative solvers, which are less accurate than sums.
    """
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    drops = ordered[:-1] - ordered[1:] > tolerance * np.abs(scores).max(initial=0.0)
    first = np.maximum.accumulate(np.where(np.concatenate([[True], drops]), np.arange(len(scores)), 0))
    found = np.empty_like(scores)
    found[order] = ordered[first[: len(scores)]]
    return found


def is_better(
    value: np.ndarray | float,
    price: np.ndarray | float,
    other: np.ndarray | float,
    other_price: np.ndarray | float,
) -> Any:
    """Whether values are lower than others, or equal up to rounding at a lower price (subset size)."""
    margin = TOLERANCE * np.maximum(1.0, np.abs(value))
    return (value + margin < other) | ((value - margin <= other) & (price < other_price))


def best_first(scores: np.ndarray, n_wanted: int) -> np.ndarray:
    """The first positions of `descending`: at least `n_wanted`, without splitting a run of ties."""
    if len(scores) <= SORTED_AT_ONCE * n_wanted:
        return descending(scores)
    place = len(scores) - 2 * n_wanted
    high = np.flatnonzero(scores >= np.partition(scores, place)[place])
    order = descending(scores[high])
    ordered = scores[high][order]
    drops = np.flatnonzero(ordered[:-1] - ordered[1:] > TOLERANCE * np.maximum(1.0, np.abs(ordered[:-1])))
    if len(drops) == 0 or drops[-1] < n_wanted:  # a run of ties goes on below
        return descending(scores)
    first: np.ndarray = high[order[: drops[-1] + 1]]
    return first


def descending(scores: np.ndarray, tolerance: float = TOLERANCE) -> np.ndarray:
    """Positions from the highest to the lowest score; ties are in index order."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    steps = ordered[:-1] - ordered[1:]
    drops = steps > tolerance * np.maximum(1.0, np.abs(ordered[:-1]))
    ends = np.append(np.flatnonzero(drops) + 1, len(order))  # ends of runs of ties
    # The sort is stable, so only runs of ties that are not exactly equal need sorting by index.
    for run in np.unique(np.searchsorted(ends, np.flatnonzero((steps > 0) & ~drops), side="right")).tolist():
        start = ends[run - 1] if run else 0
        order[start : ends[run]].sort()
    return order
