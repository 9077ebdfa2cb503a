"""What chance gives."""

import numpy as np
import pytest

from entropick.evaluation.null import p_of_columns, p_of_predictions, p_of_shifts
from entropick.exceptions import DataError
from entropick.table.row_groups import GroupOrder, encode_row_groups, shift_order
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
    """Each shift is tried once, until one is as good; shares are doubled."""
    tried = []

    def statistic(order, best=()):
        tried.append(int(-order[0] % 80))
        assert set(np.diff(order) % 80) == {1}
        return float(tried[-1] in best)

    rng = np.random.default_rng(0)
    assert p_of_shifts(lambda order: statistic(order, [0]), 80, 0.05, rng) == 2 / 40
    assert sorted(tried) == list(range(0, 80, 2))
    assert p_of_shifts(statistic, 80, 0.05, rng) == 1.0  # the first is as good
    tried.clear()
    found = p_of_shifts(lambda order: statistic(order, [0, 6]), 80, 0.05, rng)
    assert found == min(1.0, 2 / (len(tried) - 1))
    assert tried[-1] == 6


def test_labels_are_shifted_within_strata():
    """Within a stratum the order of time stays, the last to the first; another task has these targets."""
    strata = np.array([0, 1, 0, 0, 1, 0])
    assert shift_order(strata, 0.5).tolist() == [3, 4, 5, 0, 1, 2]
    assert shift_order(np.zeros(5, int), 0.2).tolist() == [4, 0, 1, 2, 3]
    task = task_of(np.arange(4.0)[:, None], np.ones(4), np.arange(4) % 2, False)
    assert task.reordered(np.array([3, 0, 1, 2])).goal[:, 0].tolist() == [3, 0, 1, 2]


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
