"""What chance gives."""

import numpy as np
import pytest

from entropick.evaluation.null import order_of, p_of_columns, p_of_predictions
from entropick.evaluation.resample import Split, Splits
from entropick.exceptions import DataError
from entropick.table.row_groups import GroupOrder, encode_row_groups
from evaluation_tasks import task_of


def by_split(task, predictions):
    return predictions[..., task.splits.row_of, :]


def test_predictions_that_vary_little_may_agree():
    """What counts is the agreement of predictions, not their size; constants agree with nothing."""
    rng = np.random.default_rng(0)
    goal, fold = np.eye(2)[np.arange(40) // 2 % 2], np.arange(40) % 2
    task = task_of(goal, np.ones(40), fold)
    loud, quiet = 100 * rng.normal(size=goal.shape), 0.01 * goal
    assert p_of_predictions(task, by_split(task, np.array([[loud, quiet]])), rng) == 1 / 200
    assert p_of_predictions(task, by_split(task, np.array([[loud]])), rng) > 0.05
    assert p_of_predictions(task, by_split(task, np.array([[np.ones(goal.shape)]])), rng) == 1
    # what folds have in common is no agreement
    goal = np.eye(2)[np.arange(40) % 2]
    assert p_of_predictions(task_of(goal, np.ones(40), fold), by_split(task, np.array([[goal]])), rng) == 1


def test_columns_that_are_as_close_to_shuffled_targets():
    """The one row of a class and a column that marks it: each shuffle in twenty is as close."""
    goal = np.eye(2)[(np.arange(20) == 7).astype(int)]
    task = task_of(goal, np.ones(20), np.arange(20) % 5)
    assert 0.02 < p_of_columns(task, goal[:, 1:].T, np.random.default_rng(0)) < 0.1


def test_groups_are_shuffled_as_a_whole():
    """A group gets the values of one other group, repeated or cut off where sizes differ."""
    groups = np.array([0, 0, 1, 2, 2, 2, 1, 3])
    values = np.array(list("aabcccbd"))
    seen = set()
    for seed in range(50):
        shuffled = values[GroupOrder(groups).draw(np.random.default_rng(seed))]
        by_group = ["".join(shuffled[groups == g]) for g in range(4)]
        assert all(len(set(text)) == 1 for text in by_group)
        assert len({text[0] for text in by_group}) == 4
        seen.add(tuple(by_group))
    assert len(seen) > 10


def test_groups_are_shuffled_within_strata():
    """Rows get values of their own stratum, or keep their own."""
    rng = np.random.default_rng(0)
    groups, strata = rng.integers(0, 6, 60), rng.integers(0, 4, 60)
    for seed in range(20):
        order = GroupOrder(groups, strata).draw(np.random.default_rng(seed))
        assert (strata[order] == strata).all()
        for g in range(6):  # one other group, or itself where that has no such row
            sources = set(groups[order[groups == g]]) - {g}
            assert len(sources) <= 1


def test_rows_in_the_order_of_time_are_shifted():
    goal = np.arange(12.0)[:, None]
    task = task_of(goal, np.ones(12), np.arange(12) % 2, False)
    splits = Splits([Split(np.arange(4), np.arange(4, 8)), Split(np.arange(8), np.arange(8, 12))])
    task = type(task)(task.whole, task.rows, "r2", goal, task.is_labelled, task.weights, splits)
    order = order_of(task)(np.random.default_rng(0))
    assert set(np.diff(order) % 8) == {1}


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a"] * 3, "one value for each of the 4 rows, got 3"),
        (["a", None, "b", "b"], "row 1 has none"),
        ([1.0, 2.0, float("nan"), 2.0], "row 2 has none"),
        ([7] * 4, "at least two groups"),
    ],
)
def test_groups_that_cannot_be_used(groups, message):
    with pytest.raises(DataError, match=message):
        encode_row_groups(groups, 4)


def test_groups_of_any_type():
    assert encode_row_groups(["b", "a", "b", 3], 4).tolist() == [0, 1, 0, 2]
