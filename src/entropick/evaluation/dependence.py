"""Signs that rows are not independent, so that held-out rows are not unseen."""

from typing import Any

import numpy as np

from entropick.exceptions import Hint, Message, warn_user
from entropick.table.codes import Target
from entropick.table.notes import are_subjects, named_like_subjects
from entropick.table.readers.inputs import Input, is_lazy, open_input

MIN_ROWS = 30
MIN_RUNS_PER_CLASS = 3  # fewer: the rows are sorted by class, which is harmless
MAX_RUNS, MAX_Z = 0.6, -5.0  # runs of equal classes, relative to rows in random order, and their z-score
MIN_CORRELATION = 0.5  # of real values with those of the next rows
SORTED = 0.9  # share of steps in one direction, from which rows are sorted
MAX_COLUMNS = 10  # to check
BY_SPLITS, BY_ORDER = Hint("cv"), Hint("time_order")


def warn_of_dependence(X: Any, target: Target, row_groups: np.ndarray | None, time: Hint = BY_SPLITS) -> None:
    """Warn if rows seem to belong together and no groups were given.

    Parameters
    ----------
    X : table of any container; None to check the target only
    target : encoded target
    row_groups : group of each row; None if rows were taken as independent
    time : the parameter that says that rows are in the order of time
    """
    if row_groups is not None or len(target.codes) < MIN_ROWS:
        return
    subject = None if X is None or is_lazy(X) else _subject_column(open_input(X), target)
    if subject is None and not comes_in_blocks(target):
        return
    what = "The target hardly changes between neighbouring rows. "
    warn_user(
        Message(
            what if subject is None else f"Rows with the same {subject!r} have the same target. ",
            "Held-out rows are then not really unseen, and noise looks informative. Hint: say which rows "
            "belong together with ",
            Hint("groups"),
            ", or that they are ordered in time with ",
            time,
            ".",
        )
    )


def comes_in_blocks(target: Target) -> bool:
    """Whether neighbouring rows have like targets, more than chance explains, in rows that are not sorted."""
    known = target.is_labelled
    if target.values is None:
        return _has_few_runs(target.codes[known])
    values = target.values[known]
    steps = np.diff(values)
    if not len(steps) or not steps.any():
        return False
    up = np.count_nonzero(steps > 0) / np.count_nonzero(steps)
    if not 1 - SORTED < up < SORTED:
        return False
    ranks = np.unique(values, return_inverse=True)[1].reshape(-1)
    return bool(np.corrcoef(ranks[:-1], ranks[1:])[0, 1] > MIN_CORRELATION)


def _has_few_runs(codes: np.ndarray) -> bool:
    n_rows, sizes = len(codes), np.unique(codes, return_counts=True)[1]
    n_runs = 1 + np.count_nonzero(np.diff(codes))
    if len(sizes) < 2 or n_runs <= MIN_RUNS_PER_CLASS * len(sizes):
        return False
    share = 1 - float(((sizes / n_rows) ** 2).sum())  # of neighbours that differ, in random order
    expected = 1 + (n_rows - 1) * share
    z = (n_runs - expected) / np.sqrt((n_rows - 1) * share * (1 - share) + 1)
    return bool(n_runs < MAX_RUNS * expected and z < MAX_Z)


def _subject_column(source: Input, target: Target) -> str | None:
    """A column named like a subject, whose repeated values share the target."""
    named = named_like_subjects(map(str, source.names))
    of_rows = (j for j in named[:MAX_COLUMNS] if are_subjects(source, j, target))
    return next((str(source.names[j]) for j in of_rows), None)
