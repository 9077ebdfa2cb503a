"""What is to be predicted of which rows, and how good predictions are, for cuts and comparisons."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick.evaluation.resample import MAX_ROWS, Split, Splits, draw_rows, make_folds, splits_of
from entropick.table.codes import Target

N_FOLDS = 5
MAX_REPEATS, MAX_REPEATED_CELLS = 5, 400_000  # rows are split again while all this is no more rows × columns
GOAL_COST = 5  # a class costs as much as this many columns
FEW_ROWS = 300  # up to this many, all rows are also tested at once
# With more classes, a sample of 2,000 rows has fewer than ten rows per class: too few to score each class.
MAX_BALANCED_CLASSES = 200
RARE = 10  # rows; smaller classes get the weight per row of a class of this size
ROUNDING = 1e-9  # predictions closer than this are equal


@dataclass(frozen=True)
class Task:
    """The rows in use: what is to be predicted for each, its weight, and the splits.

    Predictions are arrays (..., predictions, goals), split after split in the order of `splits.row_of`.

    Attributes
    ----------
    whole : target of the whole table
    rows : indices of the rows in use, in ascending order
    scoring : name of the score that fits the whole table
    goal : (rows, goals), real values, or 1 for the class of the row
    is_labelled : whether each row has a target
    weights : weights of the rows, of mean 1
    splits : splits of these rows; rows without a label are never held out
    answers : row that each row has its target from; None for its own
    """

    whole: Target
    rows: np.ndarray
    scoring: str
    goal: np.ndarray
    is_labelled: np.ndarray
    weights: np.ndarray
    splits: Splits
    answers: np.ndarray | None = None

    @property
    def is_class(self) -> bool:
        return self.whole.values is None

    @property
    def held_out(self) -> np.ndarray:
        """Rows that are held out at least once."""
        return self.splits.rows

    def reordered(self, order: np.ndarray) -> "Task":
        """The same task with the targets of other labelled rows."""
        rows = np.arange(len(self.rows))
        rows[self.is_labelled] = rows[self.is_labelled][order]
        return dataclasses.replace(self, goal=self.goal[rows], weights=self.weights[rows], answers=rows)

    def losses(self, predictions: np.ndarray) -> np.ndarray:
        """Losses by unit, (..., units), relative to guessing; the mean over the first axis, the models."""
        row_of = self.splits.row_of
        goal, weights = self.goal[row_of], self.weights[row_of]
        guess = np.broadcast_to(np.average(goal, axis=0, weights=weights), goal.shape)
        found = _relative(_squares(predictions, goal), _squares(guess, goal), weights)
        if self.is_class:
            wrong = _relative(misses(predictions, goal), misses(guess, goal), weights)
            found = (found + wrong) / 2
        return self.splits.losses_of_units(found.mean(axis=0))

    def scores(self, predictions: np.ndarray) -> np.ndarray:
        """Accuracy, balanced accuracy or R², as scikit-learn has them, in the mean of the repeats."""
        splits = self.splits
        goal = self.goal[splits.row_of]
        if not self.is_class:
            errors = splits.by_row(_squares(predictions, goal))
            return np.asarray(1 - errors.mean(axis=-1) / (self.goal[splits.rows].var() or 1.0))
        missed = splits.by_row(misses(predictions, goal))
        goal = self.goal[splits.rows]
        is_balanced = self.scoring == "balanced_accuracy"
        weights = 1 / goal.sum(axis=0)[goal.argmax(axis=1)] if is_balanced else np.ones(len(goal))
        return np.asarray(1 - np.average(missed, axis=-1, weights=weights))


def make_task(
    whole: Target,
    rng: np.random.Generator,
    *,
    n_columns: int,
    cv: Any = None,
    groups: np.ndarray | None = None,
    n_folds: int | None = None,
    n_repeats: int | None = None,
    max_rows: int | None = MAX_ROWS,
    scoring: str | None = None,
    min_per_fold: int = 2,
) -> Task | None:
    """Choose rows and splits; None where nothing can be held out: one class, or hardly more rows than folds.

    Parameters
    ----------
    whole : target of the whole table
    rng : random number generator
    n_columns : number of columns, which decides about the number of repeats
    cv : splitter or splits, instead of folds
    groups : group of each row; None if rows are independent
    n_folds, n_repeats : number of folds (None for 5), and how often rows are split into them (None for the
        usual number)
    max_rows : larger tables are sampled down to this many rows; None for all rows
    scoring : name of the score; None for that which fits the table
    min_per_fold : rows that each fold must have
    """
    scoring = scoring or default_scoring(whole)
    is_balanced = scoring == "balanced_accuracy" and whole.values is None
    rows = draw_rows(strata_of(whole), max_rows, rng, evenly=is_balanced)
    target = whole.take_rows(rows)
    labelled = np.flatnonzero(target.is_labelled)
    classes = by_appearance(target.codes)
    sizes = np.bincount(classes[labelled])
    n_folds = n_folds or N_FOLDS
    if len(sizes) < 2 or len(labelled) < min_per_fold * n_folds:
        return None
    weights = np.ones(len(rows))
    if is_balanced:
        weights[labelled] = 1 / np.maximum(sizes, RARE)[classes[labelled]]
        weights /= weights[labelled].mean()
    goal = np.eye(len(sizes))[classes] if target.values is None else _scaled(target.values, labelled)
    groups = None if groups is None else groups[rows]
    of_labelled = None if groups is None else groups[labelled]
    strata = strata_of(target)[labelled]
    if cv is None:
        n_repeats = n_repeats or usual_repeats(len(labelled), max(n_columns, GOAL_COST * goal.shape[1]))
        splits = make_folds(strata, of_labelled, n_folds, n_repeats, rng)
    else:
        splits = splits_of(cv, strata, of_labelled, rows[labelled])
    splits = _of_all_rows(splits, labelled, len(rows), groups)
    return Task(whole, rows, scoring, goal, target.is_labelled, weights, splits)


def usual_repeats(n_rows: int, n_columns: int) -> int:
    """How often rows are split into folds if no number is given."""
    return max(1, min(MAX_REPEATS, MAX_REPEATED_CELLS // max(1, n_rows * n_columns)))


def _of_all_rows(splits: Splits, labelled: np.ndarray, n_rows: int, groups: np.ndarray | None) -> Splits:
    """Splits of labelled rows as splits of all rows; the others are always learned from."""
    if len(labelled) == n_rows:
        return splits
    unlabelled = np.setdiff1d(np.arange(n_rows), labelled)
    found = [Split(np.union1d(labelled[split.train], unlabelled), labelled[split.test]) for split in splits]
    return Splits(found, splits.n_repeats, groups)


def strata_of(target: Target) -> np.ndarray:
    """What rows of one kind have in common: their class, or how large their real value is."""
    return by_appearance(target.codes) if target.values is None else target.values


def by_appearance(codes: np.ndarray) -> np.ndarray:
    """Classes numbered by their first rows, so that their names change nothing; -1 stays."""
    present, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    number = np.where(present < 0, -1, 0)
    known = np.flatnonzero(present >= 0)
    number[known[np.argsort(first[known], kind="stable")]] = np.arange(len(known))
    return number[inverse]


def _scaled(values: np.ndarray, labelled: np.ndarray) -> np.ndarray:
    """Centre and scale a real target so that its squares cannot overflow."""
    known = values[labelled] / (np.abs(values[labelled]).max() or 1.0)
    goal = np.zeros((len(values), 1))
    goal[labelled, 0] = known - known.mean()
    return goal


def _squares(predictions: np.ndarray, goal: np.ndarray) -> np.ndarray:
    return np.asarray(((predictions - goal) ** 2).sum(axis=-1))


def misses(predictions: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """1 where another class than that of the row is the likeliest, the first of those that tie."""
    likeliest = predictions >= predictions.max(axis=-1, keepdims=True) - ROUNDING
    return np.asarray(likeliest.argmax(axis=-1) != goal.argmax(axis=-1), np.float64)


def _relative(losses: np.ndarray, of_guess: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted losses of rows as shares of the mean loss of guessing."""
    return np.asarray(weights * losses / (float((weights * of_guess).mean()) or 1.0))


# -- scores of the whole table -----------------------------------------------------------------------


def default_scoring(target: Target) -> str:
    """Name of the scikit-learn score that fits a target.

    R² for real values; accuracy for classes of about equal size, and for hundreds of classes; otherwise
    balanced accuracy, since guessing the largest class already has a high accuracy.
    """
    if target.values is not None:
        return "r2"
    is_balanced = not target.has_even_classes and np.count_nonzero(target.class_sizes) <= MAX_BALANCED_CLASSES
    return "balanced_accuracy" if is_balanced else "accuracy"


def guessing_score(target: Target) -> float:
    """Default score of the best guess without columns: the largest class, or the mean."""
    if default_scoring(target) == "balanced_accuracy":
        return 1 / np.count_nonzero(target.class_sizes)
    return largest_share(target) or 0.0


def largest_share(target: Target) -> float | None:
    """Share of the labelled rows in the largest class; None for real values."""
    sizes = target.class_sizes
    return None if target.values is not None else float(sizes.max() / sizes.sum())
