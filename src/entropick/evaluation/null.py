"""What chance gives: targets are shuffled, columns and predictions stay.

Rows of a group get the targets of another group, so that rows that are alike for reasons of their own are no
evidence. Rows in the order of time get the targets of other times, and everything is done once more: what was
learned shortly before a row is about that row, too, so predictions cannot stay.
"""

import math
from collections.abc import Callable

import numpy as np

from entropick.evaluation.task import Task
from entropick.table.row_groups import random_orders

N_SHUFFLES = 199
N_RELATED = 10  # columns closest to the target, which are tested together
# Shuffled targets against fixed predictions vary less than real ones: of two rows in different folds each has
# a share in the prediction of the other, so their agreement by chance counts twice. √2 is right for
# predictions linear in the target, and right enough for others: of 80 tables of noise each, 4 to 6 normal,
# sparse and grouped ones of 200 to 300 rows were mistaken at a level of 5 % (14 to 19 with 1).
EXCESS_SPREAD = 2**0.5
# A shift breaks a series in one place, and the longer its swings, the worse shifted targets fit: without this
# factor, of 100 series of noise with an autocorrelation of 0.98, 5 to 10 were mistaken at a level of 5 %.
EXCESS_OF_SHIFTS = 2
ROUNDING = 1e-9  # predictions that vary less, relative to their size, are constant


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
    cells, goal = _cells(task, predictions), _weighted_goal(task)
    if not len(cells):
        return 1.0
    return _share_as_good(lambda order: float((cells @ goal[order].ravel()).max()), task, rng, EXCESS_SPREAD)


def agreement(task: Task, predictions: np.ndarray) -> float:
    """The best agreement of any model and size with the targets, as in `p_of_predictions`."""
    return float((_cells(task, predictions) @ _weighted_goal(task).ravel()).max(initial=0.0))


def _cells(task: Task, predictions: np.ndarray) -> np.ndarray:
    """Predictions of each model and size by row, (cells, rows × goals), of mean 0 in splits and size 1."""
    splits = task.splits
    cells = predictions.reshape(-1, *predictions.shape[-2:]).copy()
    size = np.sqrt((cells**2).sum(axis=(1, 2)))
    for i in range(len(splits)):
        rows = np.flatnonzero(splits.split_of == i)
        cells[:, rows] -= cells[:, rows].mean(axis=1, keepdims=True)
    varies = np.sqrt((cells**2).sum(axis=(1, 2))) > ROUNDING * size
    cells = np.moveaxis(splits.by_row(np.moveaxis(cells[varies], 1, 2)), 1, 2)
    cells = cells.reshape(len(cells), len(splits.rows) * cells.shape[-1])
    return np.asarray(cells / (np.sqrt((cells**2).sum(axis=1, keepdims=True)) + np.finfo(float).tiny))


def _weighted_goal(task: Task) -> np.ndarray:
    return np.asarray((task.goal * task.weights[:, None])[task.splits.rows])


def p_of_shifts(
    statistic: Callable[[np.ndarray], float], n_rows: int, level: float, rng: np.random.Generator
) -> float:
    """How often a statistic is as large if all targets are shifted in time.

    Shifts are multiples of one share of the rows, so that they and no shift at all are equally likely if the
    target has nothing to do with the columns; the last rows get the first targets. The first one that is as
    good decides (Besag and Clifford 1991). Shares are doubled (`EXCESS_OF_SHIFTS`).

    Parameters
    ----------
    statistic : called with the row whose target each row gets
    n_rows : number of rows
    level : p-value that must be possible
    rng : random number generator
    """
    n_orders = min(n_rows, math.ceil(EXCESS_OF_SHIFTS / level))
    reached = statistic(np.arange(n_rows))
    for n_tried, shift in enumerate(1 + rng.permutation(n_orders - 1), start=1):
        order = np.roll(np.arange(n_rows), shift * n_rows // n_orders)
        if statistic(order) >= reached - ROUNDING * abs(reached):
            return min(1.0, EXCESS_OF_SHIFTS / n_tried)
    return EXCESS_OF_SHIFTS / n_orders


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

    return _share_as_good(closeness, task, rng)


def _share_as_good(
    statistic: Callable[[np.ndarray], float], task: Task, rng: np.random.Generator, excess: float = 1.0
) -> float:
    """P-value of a statistic of the targets in their own order, among those of shuffled ones."""
    n_rows, groups = len(task.held_out), None if task.splits.groups is None else task.splits.unit_of
    orders = random_orders(n_rows, groups, rng)
    shuffled = np.array([statistic(next(orders)) for _ in range(N_SHUFFLES)])
    reached = statistic(np.arange(n_rows)) / excess
    as_good = np.count_nonzero(shuffled >= reached - ROUNDING * abs(reached))
    return float((1 + as_good) / (1 + N_SHUFFLES))
