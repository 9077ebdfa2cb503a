"""What chance gives: targets are shuffled, columns and predictions stay.

Rows of a group get the targets of another group, rows ordered in time those of other times, so that rows that
are alike for reasons of their own are no evidence.
"""

from collections.abc import Callable

import numpy as np

from entropick.evaluation.task import Task
from entropick.table.row_groups import GroupOrder

N_SHUFFLES = 199
N_RELATED = 10  # columns closest to the target, which are tested together
# Shuffled targets against fixed predictions vary less than real ones: of two rows in different folds each has
# a share in the prediction of the other, so their agreement by chance counts twice. √2 is right for
# predictions linear in the target, and right enough for others: of 80 tables of noise each, 4 to 6 normal,
# sparse and grouped ones of 200 to 300 rows were mistaken at a level of 5 % (14 to 19 with 1). Rows in the
# order of time are only predicted from those before: of 80 autocorrelated series 0 to 3 (4 to 7 with 1).
EXCESS_SPREAD, EXCESS_IN_TIME = 2**0.5, 1.2
ROUNDING = 1e-9  # predictions that vary less, relative to their size, are constant

Order = Callable[[np.random.Generator | None], np.ndarray]


def p_of_predictions(task: Task, predictions: np.ndarray, rng: np.random.Generator) -> float:
    """How often shuffled targets agree with predictions of held-out rows as well.

    For each model and size the agreement is the covariance of both within the splits, over the spread of the
    predictions. The best of all models and sizes counts, less what splits have in common (`EXCESS_SPREAD`).

    Parameters
    ----------
    task : what was predicted
    predictions : (..., predictions, goals), see `Task`
    rng : random number generator
    """
    splits = task.splits
    cells = predictions.reshape(-1, *predictions.shape[-2:]).copy()
    size = np.sqrt((cells**2).sum(axis=(1, 2)))
    for i in range(len(splits)):
        rows = np.flatnonzero(splits.split_of == i)
        cells[:, rows] -= cells[:, rows].mean(axis=1, keepdims=True)
    varies = np.sqrt((cells**2).sum(axis=(1, 2))) > ROUNDING * size
    if not varies.any():
        return 1.0
    cells = np.moveaxis(splits.by_row(np.moveaxis(cells[varies], 1, 2)), 1, 2)
    cells = cells.reshape(len(cells), -1)
    cells /= np.sqrt((cells**2).sum(axis=1, keepdims=True)) + np.finfo(float).tiny
    goal = (task.goal * task.weights[:, None])[splits.rows]
    excess = EXCESS_IN_TIME if splits.is_ordered else EXCESS_SPREAD
    return _share_as_good(
        lambda order: float((cells @ goal[order].ravel()).max()), order_of(task), rng, excess
    )


def p_of_columns(task: Task, columns: np.ndarray, rng: np.random.Generator) -> float:
    """How often shuffled targets are as close to the ten columns closest to them.

    No row is held out, so few rows go further than in `p_of_predictions`, but only linear relations count. A
    column is as close as the sum of its squared covariances with the goals, over its variance.

    Parameters
    ----------
    task : with the targets
    columns : (columns, held-out rows) as numbers
    rng : random number generator
    """
    size = np.sqrt((columns**2).sum(axis=1))
    columns = columns - columns.mean(axis=1, keepdims=True)
    varies = np.sqrt((columns**2).sum(axis=1)) > ROUNDING * size
    weights = task.weights[task.held_out][:, None]
    goal = task.goal[task.held_out]
    goal = (goal - np.average(goal, axis=0, weights=weights[:, 0])) * weights
    columns = columns[varies]
    columns /= np.sqrt((columns**2).sum(axis=1, keepdims=True))

    def closeness(order: np.ndarray) -> float:
        found = ((columns @ goal[order]) ** 2).sum(axis=1)
        return float(np.sort(found)[-N_RELATED:].sum())

    return _share_as_good(closeness, order_of(task), rng)


def _share_as_good(
    statistic: Callable[[np.ndarray], float], order: Order, rng: np.random.Generator, excess: float = 1.0
) -> float:
    """P-value of a statistic of the targets in their own order, among those of shuffled ones."""
    shuffled = np.array([statistic(order(rng)) for _ in range(N_SHUFFLES)])
    reached = statistic(order(None)) / excess
    as_good = np.count_nonzero(shuffled >= reached - ROUNDING * abs(reached))
    return (1 + as_good) / (1 + N_SHUFFLES)


def order_of(task: Task) -> Order:
    """Function that draws an order of the held-out rows; without a generator, their own."""
    n_rows = len(task.held_out)
    if task.splits.groups is not None:
        by_group = GroupOrder(task.splits.unit_of)
        return lambda rng: np.arange(n_rows) if rng is None else by_group.draw(rng)
    if task.splits.is_ordered:
        return lambda rng: np.roll(np.arange(n_rows), 0 if rng is None else rng.integers(1, n_rows))
    return lambda rng: np.arange(n_rows) if rng is None else rng.permutation(n_rows)
