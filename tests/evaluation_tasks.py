"""Tasks of given rows, for tests of evaluation."""

import numpy as np

from entropick.evaluation.resample import Split, Splits
from entropick.evaluation.task import Task
from entropick.table.encoding.target import encode_target


def task_of(goal, weights, fold, is_class=True, groups=None):
    """A task of given rows, each held out once."""
    target = encode_target(goal.argmax(axis=1)) if is_class else encode_target(goal[:, 0], kind="real")
    splits = [Split(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(fold.max() + 1)]
    scoring = "accuracy" if is_class else "r2"
    known = np.ones(len(goal), bool)
    return Task(target, np.arange(len(goal)), scoring, goal, known, weights, Splits(splits, 1, groups))
