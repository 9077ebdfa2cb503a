"""Columns that add nothing are not kept by a rule, whatever held-out rows say."""

import numpy as np

from entropick.cuts.held_out import _Chosen
from entropick.records.held_out import HeldOutScores
from entropick.records.selection import Step

EVIDENCE = HeldOutScores(
    scoring="accuracy", sizes=(0, 1, 2, 4, 6), scores=(0.5, 0.7, 0.8, 0.81, 0.82),
    losses=(1.0, 0.6, 0.4, 0.39, 0.38), errors=(0.1, 0.1, 0.1, 0.1, 0.0), by_model={}, n_best=6, n_chosen=6,
    p_value=0.005, all_columns=0.8, n_rows=100, n_folds=5,
    n_table_rows=100, largest_class=0.5, by_fold=(),
)  # fmt: skip


def path(*gains):
    return [Step((j,), 1.0, gain=gain) for j, gain in enumerate(gains)]


def test_columns_at_the_end_that_add_nothing_are_left_out():
    """Down to the smallest number tried that has all columns that add something."""
    judge = _Chosen(6, EVIDENCE)
    assert judge.keep(path(0.3, 0.2, 0.1, -0.01, -0.02, -0.03)) == 4
    assert judge.evidence.n_chosen == 4
    assert judge.evidence.score_of(4) == 0.81


def test_columns_that_add_something_keep_those_before_them():
    """As of two that tell something together only."""
    judge = _Chosen(6, EVIDENCE)
    assert judge.keep(path(0.3, -0.1, -0.1, -0.1, -0.1, 0.5)) == 6
    assert judge.evidence is EVIDENCE


def test_criteria_that_do_not_say_what_columns_add_decide_nothing():
    assert _Chosen(6, EVIDENCE).keep(path(*[None] * 6)) == 6
    assert _Chosen(3, None).keep(path(*-np.ones(3))) == 3
