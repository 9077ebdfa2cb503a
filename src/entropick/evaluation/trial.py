"""Select on some rows, judge on others: paths of a search, and predictions by their first columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick.contracts import Need, RehearsedPath
from entropick.evaluation import null
from entropick.evaluation.how_many import Choice, choose_size, sizes_to_try
from entropick.evaluation.models import MODELS, Design
from entropick.evaluation.task import FEW_ROWS, Task
from entropick.table.table import Table

FIRST_STAGE, LONGEST = 45, 181  # columns of a path; it goes on twice as far while the last ones are needed
MAX_DISTANCES = 6_000_000  # rows × columns × steps up to which a search that compares rows may go on
MAX_PRODUCTS = 4_000_000  # rows × columns × goals up to which all columns are tested
MAX_IN_TIME = 16  # columns up to which predictions of shifted targets are compared
MAX_CELLS = 2_000_000  # rows × columns up to which the score of all columns is computed

Rehearse = Callable[[Table], RehearsedPath]


@dataclass(frozen=True)
class Found:
    """Predictions along the paths, and what they say.

    Attributes
    ----------
    sizes : numbers of columns that were tried, ascending
    predictions : (models, sizes, predictions, goals), see `Task`
    losses : (sizes, units)
    choice : the number of columns, as indices into `sizes`
    """

    sizes: list[int]
    predictions: np.ndarray
    losses: np.ndarray
    choice: Choice


class PathTrial:
    """The path of every split, and predictions by its first columns.

    Parameters
    ----------
    task : what is to be predicted
    table : the rows of the task
    n_fixed : columns that are always kept
    rehearse : begins the same measure and search on some of the rows
    """

    def __init__(self, task: Task, table: Table, n_fixed: int, rehearse: Rehearse) -> None:
        self._task, self._table, self._n_fixed, self._rehearse = task, table, n_fixed, rehearse
        self._first = 0 if n_fixed else 1  # of the sizes; whether to keep any is for the test
        answers = np.arange(table.n_rows) if task.answers is None else task.answers
        self._paths = [
            rehearse(table.rows(train, refit=True, answers=answers[train])) for train, _ in task.splits
        ]

    def run(self, n_errors: float, rng: np.random.Generator) -> Found:
        """Go along the paths as far as it pays."""
        n_columns, longest, seed = self._table.n_columns, FIRST_STAGE, rng.integers(2**31)
        while True:
            sizes = sizes_to_try(self._n_fixed, min(n_columns, self._n_fixed + longest))
            predictions = self._predicted(sizes, [path.first(sizes[-1]) for path in self._paths])
            losses = self._task.losses(predictions)
            found = choose_size(losses[self._first :], np.random.default_rng(seed), n_errors)
            choice = Choice(*(self._first + index for index in found))
            is_far = longest >= LONGEST or not self._may_go_on
            if max(choice.kept, choice.best) < len(sizes) - 2 or sizes[-1] == n_columns or is_far:
                return Found(sizes, predictions, losses, choice)
            longest = 2 * longest + 1

    @property
    def _may_go_on(self) -> bool:
        """Whether more steps take no longer than all else: not where each one compares rows with rows."""
        table = self._table
        n_distances = table.n_rows * table.n_columns * min(table.n_columns, LONGEST)
        is_short = n_distances <= MAX_DISTANCES or Need.DISTANCES not in table.needs
        return is_short or all(path.is_ranking for path in self._paths)

    def _predicted(self, sizes: Sequence[int], paths: Sequence[Sequence[int]]) -> np.ndarray:
        """What the models say about rows they did not see: (models, sizes, predictions, goals)."""
        task, units = self._task, self._table.units
        found = np.empty((len(MODELS), len(sizes), len(task.splits.row_of), task.goal.shape[1]))
        start = 0
        for (train, test), path in zip(task.splits, paths, strict=True):
            learned = train[task.is_labelled[train]]
            columns = units.columns_of(np.array(path, np.int64))
            ends = np.cumsum([0, *(len(units.members_of(unit)) for unit in path)])
            reached = [int(ends[min(size, len(path))]) for size in sizes]
            design = Design(self._table.source, columns, learned, test)
            rows = slice(start, start + len(test))
            for i, model in enumerate(MODELS.values()):
                found[i][:, rows] = model(design, task.goal[learned], task.weights[learned], reached)
            start += len(test)
        return found

    def columns_by_split(self, n: int) -> tuple[tuple[int, ...], ...]:
        """The first n columns, or groups of columns, of each path."""
        columns_of = self._table.units.columns_of
        return tuple(tuple(columns_of(np.array(path.first(n), np.int64)).tolist()) for path in self._paths)

    def p_value(self, found: Found, level: float, rng: np.random.Generator) -> float:
        """How often targets are predicted as well by chance."""
        task, table = self._task, self._table
        if task.splits.is_ordered and task.splits.groups is None:
            return self._p_in_time(found, level, rng)
        columns = table.units.columns_of(np.arange(table.n_columns))
        return p_of_shuffles(
            task, found.predictions[:, self._first :], table.source, task.held_out, columns, rng
        )

    def _p_in_time(self, found: Found, level: float, rng: np.random.Generator) -> float:
        """Of the whole procedure with shifted targets: paths, models and predictions."""
        sizes = [size for size in found.sizes[self._first :] if size <= MAX_IN_TIME] or found.sizes[-1:]

        def agreement(order: np.ndarray) -> float:
            task = self._task.reordered(order)
            trial = PathTrial(task, self._table, self._n_fixed, self._rehearse)
            paths = [path.first(sizes[-1]) for path in trial._paths]
            return null.agreement(task, trial._predicted(sizes, paths))

        return null.p_of_shifts(agreement, int(self._task.is_labelled.sum()), level, rng)

    def scores_of_all(self, sizes: Sequence[int], scores: np.ndarray) -> np.ndarray | None:
        """Scores of the models with all columns, where that does not take longer than all else."""
        n_columns = self._table.n_columns
        if sizes[-1] == n_columns:
            return np.asarray(scores[:, -1])
        if n_columns * self._table.n_rows > MAX_CELLS:
            return None
        everything = [list(range(n_columns))] * len(self._paths)
        return self._task.scores(self._predicted([n_columns], everything))[:, 0]


def p_of_shuffles(
    task: Task,
    predictions: np.ndarray,
    X: Any,
    rows: np.ndarray,
    columns: np.ndarray,
    rng: np.random.Generator,
) -> float:
    """P-value of the test of predictions and, where rows are few, of that of columns (Bonferroni).

    Parameters
    ----------
    task : what was predicted
    predictions : (..., predictions, goals), see `Task`
    X : table in memory, of any container
    rows : its rows that were held out at least once
    columns : its columns that could be selected
    rng : random number generator
    """
    of_predictions = null.p_of_predictions(task, predictions, rng)
    if len(rows) > FEW_ROWS or len(rows) * task.goal.shape[1] * len(columns) > MAX_PRODUCTS:
        return of_predictions
    values = Design(X, columns, rows, rows[:0]).train.T
    return min(1.0, 2 * min(of_predictions, null.p_of_columns(task, values, rng)))
