"""A number of columns that predicts held-out rows about as well as any number."""

import dataclasses
import warnings
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions, drawn_seed
from entropick._base.threads import one_blas_thread
from entropick._base.wording import score_in_words
from entropick.contracts import Judge, Need
from entropick.cuts.base import GIVE_A_NUMBER, Cut, PlainJudge, Run
from entropick.evaluation.dependence import warn_of_dependence
from entropick.evaluation.how_many import N_ERRORS, standard_error
from entropick.evaluation.models import MODELS
from entropick.evaluation.task import Task, guessing_score, largest_share, make_task
from entropick.evaluation.trial import Found, PathTrial
from entropick.exceptions import Message, NothingFoundWarning, warn_user
from entropick.records.held_out import HeldOutScores
from entropick.records.selection import Step
from entropick.table.readers.inputs import is_lazy
from entropick.table.table import Table

KEEP, NOTHING = "keep", "nothing"
DISTANCE_COST = 20  # a column of a search that compares rows costs as much as this many others


class HeldOut(Cut):
    """Keep as many columns as predict unseen rows about as well as any number does.

    The rows are split into folds, several times where the table is small. The same measure and search select
    on all but one fold, with levels and scales found there; a linear model and nearest neighbours are fitted
    there to the first 1, 2, 3, ... columns, and predict the held-out rows. The loss is the squared error, for
    classes the mean of that and of the share of wrong classes, each relative to guessing. Imbalanced classes
    weigh the same if they have at least 10 rows and there are at most 200 of them.

    Kept is the number with the least loss, or the smallest one that is worse by at most 2 % of its gain over
    guessing. This number is determined on 100 bootstrap samples of the rows, of which the median is kept.
    Nothing is kept if shuffled targets are predicted as well and, in tables of up to 300 rows, are as close
    to the ten closest columns. Not every column that is kept is needed, and others may do as well.

    Rows are taken as independent unless `fit` gets `groups`, or `cv` is given. Tables of more than 2,000
    rows are sampled down to 2,000: evenly by class if imbalanced classes weigh the same, else by each class's
    share of the table.

    Parameters
    ----------
    n_folds : int or None, number of folds; None for 5
    n_errors : float, standard errors by which a smaller number of columns may be worse than the best one;
        the larger, the fewer columns are kept
    level : float in (0, 1), probability of keeping anything if the columns are uninformative
    random_state : int, RandomState or None; None splits the rows in the same way each time, in a selector as
        its random_state=0 does
    n_repeats : int or None, how often the rows are split into folds; None for 5, and fewer in large tables
    cv : splitter or iterable of splits instead of folds, as in `sklearn.model_selection.cross_val_score`: for
        instance `TimeSeriesSplit(gap=10)` for rows in the order of time, or `GroupKFold` with the `groups` of
        `fit`. None for folds that keep `groups` together
    if_unsure : {"nothing", "keep"}, what to keep if the p-value is above `level`: nothing, or the number that
        predicts best all the same
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
        "n_repeats": [Interval(Integral, 1, None, closed="left"), None],
        "cv": ["cv_object", None],
        "if_unsure": [StrOptions({NOTHING, KEEP})],
    }

    def __init__(
        self,
        n_folds: int | None = None,
        n_errors: float = N_ERRORS,
        level: float = 0.05,
        random_state: Any = None,
        n_repeats: int | None = None,
        cv: Any = None,
        if_unsure: str = NOTHING,
    ) -> None:
        self.n_folds = n_folds
        self.n_errors = n_errors
        self.level = level
        self.random_state = random_state
        self.n_repeats = n_repeats
        self.cv = cv
        self.if_unsure = if_unsure

    def check(self, table: Table) -> None:
        if not table.has_target:
            self._require_target(table)

    def begin(self, run: Run) -> Judge:
        table, n_fixed = run.table, run.n_fixed
        seed = 0 if self.random_state is None else self.random_state
        rng = np.random.default_rng(drawn_seed(seed))
        task = self._task(table, rng)
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
        if self.cv is None:
            warn_of_dependence(table.source, table.target, table.row_groups)
        if len(task.rows) < table.n_rows or is_lazy(table.source):  # what was drawn is in memory from now on
            table = table.rows(task.rows, refit=True)
        with warnings.catch_warnings(), one_blas_thread():
            warnings.simplefilter("ignore")  # warnings come from the fit on all rows
            trial = PathTrial(task, table, n_fixed, run.rehearse)
            found = trial.run(self.n_errors, rng)
            p_value = None if n_fixed else trial.p_value(found, self.level, rng)
            evidence = self._evidence(task, trial, found, p_value)
        if evidence.is_unsure and not n_fixed:
            warn_user(self._about(evidence), NothingFoundWarning)
        return _Chosen(evidence.n_chosen, evidence)

    def _task(self, table: Table, rng: np.random.Generator) -> Task | None:
        cost = DISTANCE_COST if Need.DISTANCES in table.needs else 1
        return make_task(
            table.target, rng, n_columns=cost * table.n_columns, cv=self.cv, groups=table.row_groups,
            n_folds=self.n_folds, n_repeats=self.n_repeats,
        )  # fmt: skip

    def _evidence(self, task: Task, trial: PathTrial, found: Found, p_value: float | None) -> HeldOutScores:
        sizes, choice, losses = found.sizes, found.choice, found.losses
        is_unsure = p_value is not None and p_value > self.level
        n_chosen = 0 if is_unsure and self.if_unsure == NOTHING else sizes[choice.kept]
        scores = task.scores(found.predictions)
        if not sizes[0]:
            scores[:, 0] = guessing_score(task.whole)
        better, with_all = int(scores[:, choice.kept].argmax()), trial.scores_of_all(sizes, scores)
        return HeldOutScores(
            scoring=score_in_words(task.scoring),
            sizes=tuple(sizes),
            scores=tuple(scores[better].tolist()),
            losses=tuple(losses.mean(axis=1).tolist()),
            errors=tuple(standard_error(losses - losses[choice.best]).tolist()),
            by_model={name: tuple(row.tolist()) for name, row in zip(MODELS, scores, strict=True)},
            n_best=sizes[choice.best],
            n_chosen=n_chosen,
            p_value=p_value,
            all_columns=None if with_all is None else float(with_all[better]),
            n_rows=len(task.held_out),
            n_folds=task.splits.n_folds,
            n_table_rows=int(task.whole.class_sizes.sum()),
            largest_class=largest_share(task.whole),
            by_fold=trial.columns_by_split(n_chosen),
            interval=(sizes[choice.low], sizes[choice.high]),
            n_repeats=task.splits.n_repeats,
            is_unsure=is_unsure,
            is_ordered=task.splits.is_ordered,
            n_sampled=len(task.rows) if len(task.rows) < len(task.whole.codes) else None,
            n_groups=None if task.splits.groups is None else len(np.unique(task.splits.groups)),
            model=list(MODELS)[better],
        )

    def _about(self, evidence: HeldOutScores) -> Message:
        """Warning about a p-value above the level."""
        if self.if_unsure == KEEP:
            return Message(f"{evidence.doubt}, but {self.if_unsure!r} was asked for, so columns are kept.")
        return Message(f"{evidence.doubt}, so no column is kept. Hint: ", GIVE_A_NUMBER)


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
