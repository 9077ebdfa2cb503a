"""A number of columns that predicts held-out rows about as well as any number."""

import dataclasses
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from entropick._base.compat import Interval
from entropick._base.threads import one_blas_thread
from entropick._base.wording import score_in_words
from entropick.contracts import Judge, Need, RehearsedPath
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.evaluation.how_many import N_ERRORS, choose_size, sizes_to_try, standard_error
from entropick.evaluation.metric import default_scoring, guessing_score, largest_share
from entropick.evaluation.models import MODELS, Design
from entropick.evaluation.resample import draw_rows
from entropick.exceptions import Hint, Message, NothingFoundWarning, warn_user
from entropick.records.selection import HeldOutScores, Step
from entropick.table.codes import Target
from entropick.table.readers.inputs import is_lazy
from entropick.table.table import Table

GIVE_A_NUMBER = Message("give a number (", Hint("n_features", 10), ") to get the best ones anyway.")
MOST_ROWS = 2000  # larger tables are sampled down to this many
FIRST_STAGE, LONGEST = 45, 181  # columns of a path; it goes on twice as far while the last ones are needed
FEW_ROWS, FEW_CELLS = 300, 200_000  # up to so many rows, and rows × columns, more folds are worth their time
MORE_FOLDS, USUAL_FOLDS = 10, 5
MOST_DISTANCES = 6_000_000  # rows × columns × steps up to which a search that compares rows may go on
N_SHUFFLES = 199
N_RELATED = 10  # columns closest to the target, which are tested together
MOST_PRODUCTS = 4_000_000  # rows × columns × goals up to which they are
# Shuffled targets against fixed predictions vary less than real ones: of two rows in different folds each has
# a share in the prediction of the other, so their agreement by chance counts twice. Of 400 noise tables (four
# shapes, class and real targets) 14 were mistaken at a level of 5 % with this factor, 40 with 1, and 4 with
# √2, which is right for predictions linear in the target. A column shifted by a standard deviation was found
# in 70, 95 and 55 % of tables of 60 rows.
EXCESS_SPREAD = 1.2
ROUNDING = 1e-9  # predictions that vary less, relative to their size, are constant
RARE = 10  # rows; a class of fewer weighs no more per row than one of so many
MOST_CELLS = 2_000_000  # rows × columns up to which the score of all columns is computed


class HeldOut(Cut):
    """Keep as many columns as predict unseen rows about as well as any number does.

    The rows are split into folds. The same measure and search select on all but one of them, with levels
    and scales found there; a linear model and nearest neighbours are fitted there to the first 1, 2, 3, ...
    columns, and predict the held-out rows. The loss is the squared error, for classes the mean of that and
    of the share of wrong classes, each relative to guessing. Imbalanced classes weigh the same if they have
    at least 10 rows and there are at most 200 of them. Of the numbers of columns that predict held-out rows
    as well as the best one, within `n_errors` standard errors of the difference or 2 % of its gain over
    guessing, the middle one is kept; numbers known to gain less than that over a smaller one do not count.
    Nothing is kept if shuffled targets are predicted as well and, in tables of up to 300 rows, are as close
    to the ten closest columns. Tables of more than 2,000 rows are sampled down
    to 2,000: evenly by class if imbalanced classes weigh the same, else by each class's share of the table.

    Parameters
    ----------
    n_folds : int or None, number of folds; None for 10 if there are at most 300 rows and a selection is
        fast, else 5
    n_errors : float, standard errors by which a number of columns may be worse than the best one and still
        count; 0 keeps the best number, except for columns known to add less than 2 %
    level : float in (0, 1), probability of keeping anything if the columns are uninformative
    random_state : int, RandomState or None; None splits the rows in the same way each time, in a selector as
        its random_state=0 does
    """

    rule = "keeps as many columns as predict unseen rows about as well as any number"
    uses_target = True
    is_repeatable = True
    needs_path = True

    needs = frozenset({Need.SOURCE})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_folds": [Interval(Integral, 2, None, closed="left"), None],
        "n_errors": [Interval(Real, 0, None, closed="left")],
        "level": [Interval(Real, 0, 1, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_folds: int | None = None,
        n_errors: float = N_ERRORS,
        level: float = 0.05,
        random_state: Any = None,
    ) -> None:
        self.n_folds = n_folds
        self.n_errors = n_errors
        self.level = level
        self.random_state = random_state

    def check(self, table: Table) -> None:
        if not table.has_target:
            self._require_target(table)

    def begin(self, run: Run) -> Judge:
        table, n_fixed = run.table, run.n_fixed
        seed = 0 if self.random_state is None else self.random_state
        rng = np.random.default_rng(check_random_state(seed).randint(np.iinfo(np.int32).max))
        task = _Task.of(table, self.n_folds, rng)
        if task is None:
            if table.target.n_classes > 1 and not n_fixed:  # a warning elsewhere says that there is one class
                warn_user(
                    Message(
                        f"There are too few rows, {table.n_rows}, to hold some out, so no column is kept. "
                        "Hint: ",
                        GIVE_A_NUMBER,
                    )
                )
            return _Chosen(n_fixed, None)
        with warnings.catch_warnings(), one_blas_thread():
            warnings.simplefilter("ignore")  # warnings come from the fit on all rows
            found = _Trial(task, run).evidence(self, rng)
        if not found.n_chosen and not n_fixed:
            warn_user(
                Message(
                    "Nothing was found: with any number of columns, held-out rows are predicted no better "
                    f"than by guessing (p = {found.p_value:.2f}), so no column is kept. Hint: ",
                    GIVE_A_NUMBER,
                ),
                NothingFoundWarning,
            )
        return _Chosen(found.n_chosen, found)


def _adds_nothing(step: Step) -> bool:
    """Whether chance alone would add as much as this column, on average."""
    return step.gain is not None and step.gain <= 0


class _Chosen(PlainJudge):
    def __init__(self, n: int, evidence: HeldOutScores | None) -> None:
        self._n, self.evidence = n, evidence

    def is_done(self, path: Sequence[Step]) -> bool:
        return len(path) >= self._n

    def keep(self, path: Sequence[Step]) -> int:
        """The number chosen, or a smaller one that was tried if all columns beyond it add nothing."""
        n = min(len(path), self._n)
        n_adding = next((i for i in range(n, 0, -1) if not _adds_nothing(path[i - 1])), 0)
        tried = self.evidence.sizes if self.evidence is not None else ()
        fewer = min((size for size in tried if max(n_adding, 1) <= size < n), default=None)
        if fewer is None or self.evidence is None:
            return n
        self.evidence = dataclasses.replace(self.evidence, n_chosen=fewer)
        return fewer

    def expected_steps(self) -> int:
        return self._n


# -- rows ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """The rows that are looked at: what is to be predicted of each, its weight and its fold."""

    table: Table
    whole: Target  # of all rows, also of those that were not drawn
    goal: np.ndarray  # (rows, goals): real values, or 1 for the class of the row
    weights: np.ndarray  # of mean 1
    fold: np.ndarray  # -1 for rows without a label, which are never held out

    @classmethod
    def of(cls, table: Table, n_folds: int | None, rng: np.random.Generator) -> "_Task | None":
        """None where nothing can be held out: one class, or hardly more rows than folds."""
        whole = table.target
        is_balanced = default_scoring(whole) == "balanced_accuracy"
        rows = draw_rows(_strata(whole), MOST_ROWS, rng, evenly=is_balanced)
        if len(rows) < table.n_rows or is_lazy(table.source):  # what was drawn is in memory from now on
            table = table.rows(rows, refit=True)
        target, labelled = table.target, np.flatnonzero(table.target.is_labelled)
        classes = _by_appearance(target.codes)
        n_folds = n_folds or _usual_folds(table, len(labelled))
        sizes = np.bincount(classes[labelled])
        if len(sizes) < 2 or len(labelled) < 2 * n_folds:
            return None
        weights = np.ones(table.n_rows)
        if is_balanced:
            weights[labelled] = 1 / np.maximum(sizes, RARE)[classes[labelled]]
            weights /= weights[labelled].mean()
        fold = np.full(table.n_rows, -1)
        fold[_in_strata(_strata(target), labelled, rng)] = _dealt_out(len(labelled), n_folds, rng)
        goal = np.eye(len(sizes))[classes] if target.values is None else _scaled(target.values, labelled)
        return cls(table, whole, goal, weights, fold)

    @property
    def is_class(self) -> bool:
        return self.whole.values is None

    @property
    def scoring(self) -> str:
        """The score that fits the whole table."""
        return default_scoring(self.whole)

    @property
    def n_folds(self) -> int:
        return int(self.fold.max()) + 1

    @property
    def labelled(self) -> np.ndarray:
        return np.flatnonzero(self.fold >= 0)

    def folds(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Rows to learn from and rows held out."""
        for number in range(self.n_folds):
            yield np.flatnonzero(self.fold != number), np.flatnonzero(self.fold == number)


def _usual_folds(table: Table, n_rows: int) -> int:
    """More folds are steadier; they are taken where rows are few and a selection takes no time."""
    is_short = n_rows * table.n_columns <= FEW_CELLS and Need.DISTANCES not in table.needs
    return MORE_FOLDS if n_rows <= FEW_ROWS and is_short else USUAL_FOLDS


def _strata(target: Target) -> np.ndarray:
    """What rows of one kind have in common: their class, or how large their real value is."""
    return _by_appearance(target.codes) if target.values is None else target.values


def _by_appearance(codes: np.ndarray) -> np.ndarray:
    """Classes numbered by their first rows, so that their names change nothing; -1 stays."""
    present, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    number = np.where(present < 0, -1, 0)
    known = np.flatnonzero(present >= 0)
    number[known[np.argsort(first[known], kind="stable")]] = np.arange(len(known))
    return number[inverse]


def _scaled(values: np.ndarray, labelled: np.ndarray) -> np.ndarray:
    """Real values of mean 0, none so large that its square is no float."""
    known = values[labelled] / (np.abs(values[labelled]).max() or 1.0)
    goal = np.zeros((len(values), 1))
    goal[labelled, 0] = known - known.mean()
    return goal


def _in_strata(like: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rows like each other in a row: class by class, in random order within each, or by real value."""
    shuffled = rng.permutation(rows)
    return np.asarray(shuffled[np.argsort(like[shuffled], kind="stable")])


def _dealt_out(n: int, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Folds for rows in an order: each n_folds rows in a row go to different folds, in random order."""
    rounds = -(-n // n_folds)
    dealt = np.concatenate([rng.permutation(n_folds) for _ in range(rounds)])
    return dealt[:n]


# -- predictions ---------------------------------------------------------------------------------


class _Trial:
    """Paths and predictions in every fold."""

    def __init__(self, task: _Task, run: Run) -> None:
        self._task = task
        self._n_fixed = run.n_fixed
        self._first = 0 if run.n_fixed else 1  # of the sizes; whether to keep any is for the test
        self._folds = [
            (train, test, run.rehearse(task.table.rows(train, refit=True))) for train, test in task.folds()
        ]

    def evidence(self, cut: HeldOut, rng: np.random.Generator) -> HeldOutScores:
        """Go along the paths as far as it pays, and judge."""
        n_columns, longest = self._task.table.n_columns, FIRST_STAGE
        while True:
            sizes = sizes_to_try(self._n_fixed, min(n_columns, self._n_fixed + longest))
            predictions = self._predictions(sizes)
            losses = self._losses(predictions)
            choice = choose_size(losses[self._first :], cut.n_errors)
            enough, least = self._first + choice.kept, self._first + choice.best
            is_far = longest >= LONGEST or not self._may_go_on
            if enough < len(sizes) - 2 or sizes[-1] == n_columns or is_far:
                break
            longest = 2 * longest + 1
        p_value = None if self._n_fixed else self._p_value(predictions[:, 1:], rng)
        is_found = p_value is None or p_value <= cut.level
        scores = self._scores(predictions)
        if not sizes[0]:
            scores[:, 0] = guessing_score(self._task.whole)
        return HeldOutScores(
            scoring=score_in_words(self._task.scoring),
            sizes=tuple(sizes),
            scores=tuple(scores.mean(axis=0).tolist()),
            losses=tuple(losses.mean(axis=1).tolist()),
            errors=tuple(standard_error(losses - losses[least]).tolist()),
            by_model={name: tuple(row.tolist()) for name, row in zip(MODELS, scores, strict=True)},
            n_best=sizes[least],
            n_chosen=sizes[enough] if is_found else 0,
            p_value=p_value,
            all_columns=self._score_of_all(sizes, scores),
            n_rows=len(self._task.labelled),
            n_folds=self._task.n_folds,
            n_table_rows=int(self._task.whole.class_sizes.sum()),
            largest_class=largest_share(self._task.whole),
            by_fold=self._columns_by_fold(sizes[enough] if is_found else 0),
        )

    def _columns_by_fold(self, n: int) -> tuple[tuple[int, ...], ...]:
        """The first n columns, or groups of columns, of each fold's path."""
        columns_of = self._task.table.units.columns_of
        return tuple(
            tuple(columns_of(np.array(path.first(n), np.int64)).tolist()) for _, _, path in self._folds
        )

    @property
    def _may_go_on(self) -> bool:
        """Whether more steps take no longer than all else: not where each one compares rows with rows."""
        table = self._task.table
        n_distances = table.n_rows * table.n_columns * min(table.n_columns, LONGEST)
        is_short = n_distances <= MOST_DISTANCES or Need.DISTANCES not in table.needs
        return is_short or all(path.is_ranking for _, _, path in self._folds)

    def _predictions(self, sizes: Sequence[int]) -> np.ndarray:
        """What the models say about rows they did not see: (models, sizes, rows, goals)."""
        return self._predicted(sizes, lambda path: path.first(sizes[-1]))

    def _predicted(
        self, sizes: Sequence[int], units_of: Callable[[RehearsedPath], Sequence[int]]
    ) -> np.ndarray:
        task = self._task
        found = np.zeros((len(MODELS), len(sizes), len(task.fold), task.goal.shape[1]))
        for train, test, path in self._folds:
            learned = train[task.fold[train] >= 0]
            units = units_of(path)
            ends = _column_ends(task.table, units)
            columns = task.table.units.columns_of(np.array(units, np.int64))
            design = Design(task.table.source, columns, learned, test)
            reached = [int(ends[min(size, len(units))]) for size in sizes]
            for place, model in enumerate(MODELS.values()):
                found[place][:, test] = model(design, task.goal[learned], task.weights[learned], reached)
        return found[:, :, task.labelled]

    def _losses(self, predictions: np.ndarray) -> np.ndarray:
        """Loss by size and row, in the mean of the models, relative to guessing."""
        goal, weights = self._task.goal[self._task.labelled], self._task.weights[self._task.labelled]
        guess = np.broadcast_to(np.average(goal, axis=0, weights=weights), goal.shape)
        by_row = _relative(_squares(predictions, goal), _squares(guess, goal), weights)
        if self._task.is_class:
            wrong = _relative(_misses(predictions, goal), _misses(guess, goal), weights)
            by_row = (by_row + wrong) / 2
        return np.asarray(by_row.mean(axis=0))

    def _scores(self, predictions: np.ndarray) -> np.ndarray:
        """Accuracy, balanced accuracy or R², as scikit-learn has them: (models, sizes)."""
        goal = self._task.goal[self._task.labelled]
        if not self._task.is_class:
            return np.asarray(1 - _squares(predictions, goal).mean(axis=-1) / (goal.var() or 1.0))
        is_balanced = self._task.scoring == "balanced_accuracy"
        weights = 1 / goal.sum(axis=0)[goal.argmax(axis=1)] if is_balanced else np.ones(len(goal))
        return 1 - np.average(_misses(predictions, goal), axis=-1, weights=weights)

    def _p_value(self, predictions: np.ndarray, rng: np.random.Generator) -> float:
        """Of the test of predictions and, where rows are few, of that of columns (Bonferroni)."""
        of_predictions = self._p_of_predictions(predictions, rng)
        n_rows, n_goals = len(self._task.labelled), self._task.goal.shape[1]
        if n_rows > FEW_ROWS or n_rows * n_goals * self._task.table.n_columns > MOST_PRODUCTS:
            return of_predictions
        return min(1.0, 2 * min(of_predictions, self._p_of_columns(rng)))

    def _p_of_columns(self, rng: np.random.Generator) -> float:
        """How often shuffled targets are as close to the ten columns closest to them.

        No row is held out, so few rows go further than in `_p_of_predictions`, but only linear relations
        count. A column is as close as the sum of its squared covariances with the goals, over its variance.
        """
        task = self._task
        everything = task.table.units.columns_of(np.arange(task.table.n_columns))
        columns = Design(task.table.source, everything, task.labelled, task.labelled[:0]).train.T
        size = np.sqrt((columns**2).sum(axis=1))
        columns = columns - columns.mean(axis=1, keepdims=True)
        spread = np.sqrt((columns**2).sum(axis=1))
        varies = spread > ROUNDING * size
        columns = columns[varies] / spread[varies, None]
        weights = task.weights[task.labelled][:, None]
        goal = task.goal[task.labelled]
        goal = (goal - np.average(goal, axis=0, weights=weights[:, 0])) * weights

        def closeness(order: np.ndarray) -> float:
            found = ((columns @ goal[order]) ** 2).sum(axis=1)
            return float(np.sort(found)[-N_RELATED:].sum())

        reached = closeness(np.arange(len(goal)))
        shuffled = [closeness(rng.permutation(len(goal))) for _ in range(N_SHUFFLES)]
        return (1 + sum(other >= reached * (1 - ROUNDING) for other in shuffled)) / (1 + N_SHUFFLES)

    def _p_of_predictions(self, predictions: np.ndarray, rng: np.random.Generator) -> float:
        """How often shuffled targets agree with the predictions as well.

        Targets are shuffled within the folds, predictions stay. For each model and size the agreement is the
        covariance of both, over the spread of the predictions; the best of all models and sizes counts, less
        what the folds have in common (`EXCESS_SPREAD`).
        """
        task = self._task
        fold, weights = task.fold[task.labelled], task.weights[task.labelled]
        goal = task.goal[task.labelled] * weights[:, None]
        cells = predictions.reshape(-1, *predictions.shape[2:]).copy()
        rows_of = [np.flatnonzero(fold == number) for number in range(task.n_folds)]
        size = np.sqrt((cells**2).sum(axis=(1, 2)))
        for rows in rows_of:
            cells[:, rows] -= cells[:, rows].mean(axis=1, keepdims=True)
        cells = cells.reshape(len(cells), -1)
        spread = np.sqrt((cells**2).sum(axis=1))
        varies = spread > ROUNDING * size
        cells = cells[varies] / spread[varies, None]
        if not len(cells):
            return 1.0
        reached = float((cells @ goal.ravel()).max()) / EXCESS_SPREAD
        as_good = 0
        for _ in range(N_SHUFFLES):
            order = np.empty(len(goal), np.int64)
            for rows in rows_of:
                order[rows] = rng.permutation(rows)
            as_good += float((cells @ goal[order].ravel()).max()) >= reached - 1e-12
        return (1 + as_good) / (1 + N_SHUFFLES)

    def _score_of_all(self, sizes: Sequence[int], scores: np.ndarray) -> float | None:
        """The score with all columns, where that does not take longer than all else."""
        n_columns = self._task.table.n_columns
        if sizes[-1] == n_columns:
            return float(scores[:, -1].mean())
        if n_columns * len(self._task.fold) > MOST_CELLS:
            return None
        everything = list(range(n_columns))
        return float(self._scores(self._predicted([n_columns], lambda path: everything)).mean())


def _squares(predictions: np.ndarray, goal: np.ndarray) -> np.ndarray:
    return np.asarray(((predictions - goal) ** 2).sum(axis=-1))


def _misses(predictions: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """1 where another class than that of the row is the likeliest, the first of those that tie."""
    likeliest = predictions >= predictions.max(axis=-1, keepdims=True) - ROUNDING
    return np.asarray(likeliest.argmax(axis=-1) != goal.argmax(axis=-1), np.float64)


def _relative(losses: np.ndarray, of_guess: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted losses of rows as shares of the mean loss of guessing."""
    return np.asarray(weights * losses / (float((weights * of_guess).mean()) or 1.0))


def _column_ends(table: Table, units: Sequence[int]) -> np.ndarray:
    """How many columns the first 0, 1, 2, ... units have."""
    return np.cumsum([0, *(len(table.units.members_of(unit)) for unit in units)])
