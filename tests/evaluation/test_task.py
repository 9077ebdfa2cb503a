"""Rows to look at, how they are split, and how good predictions of them are."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, r2_score
from sklearn.model_selection import GroupKFold, TimeSeriesSplit

import naive
from entropick.evaluation.task import default_scoring, guessing_score, largest_share, make_task
from entropick.exceptions import DataError
from entropick.table.encoding.target import encode_target
from evaluation_tasks import task_of


@pytest.mark.parametrize("is_class", [False, True])
def test_losses_and_scores_of_predictions(is_class):
    """Losses are relative to guessing, of weighted rows and all models; scores are scikit-learn's."""
    rng = np.random.default_rng(0)
    goal = np.eye(3)[rng.integers(0, 3, 30)] if is_class else rng.normal(size=(30, 1))
    weights, fold = rng.uniform(0.5, 2, 30), np.arange(30) % 5
    predictions = (
        goal + rng.normal(size=(2, 4, 30, goal.shape[1])) * np.array([2, 1, 0.6, 0.9])[:, None, None]
    )
    task = task_of(goal, weights, fold, is_class)
    expected = naive.held_out_losses(predictions.tolist(), goal.tolist(), weights.tolist(), is_class)
    by_split = predictions[:, :, task.splits.row_of]
    assert task.losses(by_split) == pytest.approx(np.array(expected))
    for model, of_model in zip(predictions, task.scores(by_split), strict=True):
        for predicted, score in zip(model, of_model, strict=True):
            if is_class:
                labels = goal.argmax(axis=1), predicted.argmax(axis=1)
                assert score == pytest.approx(accuracy_score(*labels))
            else:
                assert score == pytest.approx(r2_score(goal, predicted))


def test_repeats_are_averaged_by_row():
    """Losses and scores of two repeats are the means of both."""
    rng = np.random.default_rng(0)
    y = encode_target(np.r_[np.zeros(40, int), np.ones(12, int)])
    task = make_task(y, rng, n_columns=5, n_repeats=2)
    assert (len(task.splits), task.splits.n_folds, task.splits.n_repeats) == (10, 5, 2)
    predictions = rng.random((1, 3, 104, 2))
    both = task.losses(predictions)
    place = np.argsort(task.splits.row_of[:52])
    again = np.argsort(task.splits.row_of[52:])
    scores = []
    for rows, part in ((place, slice(0, 52)), (again, slice(52, 104))):
        goal = task.goal.argmax(axis=1)
        scores.append(
            [balanced_accuracy_score(goal, one[rows].argmax(axis=1)) for one in predictions[0][:, part]]
        )
    assert task.scores(predictions)[0] == pytest.approx(np.mean(scores, axis=0))
    assert both.shape == (3, 52)
    assert task.scoring == "balanced_accuracy"


@pytest.mark.parametrize("kind", ["class", "real"])
def test_folds_keep_groups_together(kind):
    """Also groups of unlike sizes; folds are alike in size."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), rng.integers(1, 12, 40))
    y = encode_target((groups % 2 if kind == "class" else rng.normal(size=40)[groups]), kind=kind)
    task = make_task(y, rng, n_columns=5, groups=groups)
    sizes = []
    for train, test in task.splits:
        assert not set(groups[train]) & set(groups[test])
        assert len(train) + len(test) == len(groups)
        sizes.append(len(test))
    assert max(sizes) - min(sizes) <= 12
    assert len(np.unique(task.splits.unit_of)) == 40


def test_any_splitter():
    """Splitters of scikit-learn, and given splits; those of time series hold the first rows out never."""
    y = encode_target(np.arange(60) % 2)
    groups = np.repeat(np.arange(12), 5)
    rng = np.random.default_rng(0)
    by_group = make_task(y, rng, n_columns=5, cv=GroupKFold(4), groups=groups)
    assert len(by_group.splits) == 4
    in_time = make_task(y, rng, n_columns=5, cv=TimeSeriesSplit(4, gap=3))
    assert in_time.splits.is_ordered
    assert in_time.held_out.min() == 12
    assert in_time.splits.splits[0].train.max() == 8
    given = make_task(
        y, rng, n_columns=5, cv=[(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
    )
    assert [len(split.test) for split in given.splits] == [30, 30]
    with pytest.raises(DataError, match="pass groups, one for each row"):
        make_task(y, rng, n_columns=5, cv=GroupKFold(4))


def test_losses_of_groups_are_one_unit():
    """A group of equal rows counts as one: twice as many of each change no loss."""
    rng = np.random.default_rng(0)
    goal, fold, rows = rng.normal(size=(20, 1)), np.arange(20) % 5, np.repeat(np.arange(20), 2)
    predictions = rng.normal(size=(1, 2, 20, 1))
    alone = task_of(goal, np.ones(20), fold, False)
    twice = task_of(goal[rows], np.ones(40), fold[rows], False, groups=rows)
    found = twice.losses(predictions[:, :, rows][:, :, twice.splits.row_of])
    assert found == pytest.approx(alone.losses(predictions[:, :, alone.splits.row_of]))


@pytest.mark.parametrize(
    ("sizes", "scoring"),
    [
        ([50, 50], "accuracy"),
        ([63, 37], "accuracy"),
        ([68, 32], "accuracy"),
        ([69, 31], "balanced_accuracy"),
        ([99_880, 120], "balanced_accuracy"),
        ([50] * 9 + [2], "accuracy"),
        ([200, 20, 20], "balanced_accuracy"),
        ([5000] + [10] * 199, "balanced_accuracy"),
        ([5000] + [10] * 200, "accuracy"),
    ],
)
def test_unequal_classes_are_scored_by_balanced_accuracy(sizes, scoring):
    """Accuracy flatters where one class holds most rows; one rare class beside many changes nothing.
    Of hundreds of classes each has too few rows to be judged alone."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    assert default_scoring(encode_target(y)) == scoring


def test_real_targets_are_scored_by_r2():
    """A real target is no class, whatever it is cut into."""
    assert default_scoring(encode_target(np.linspace(0, 1, 50))) == "r2"


@pytest.mark.parametrize(
    ("sizes", "guess", "largest"),
    [
        ([60, 40], 0.6, 0.6),
        ([95, 5], 0.5, 0.95),
        ([80, 10, 10], 1 / 3, 0.8),
        ([5000] + [10] * 250, 2 / 3, 2 / 3),
    ],
)
def test_what_guessing_has(sizes, guess, largest):
    """The largest class, whatever it is; each class in turn where all weigh the same."""
    target = encode_target(np.repeat(np.arange(len(sizes)), sizes))
    assert guessing_score(target) == pytest.approx(guess)
    assert largest_share(target) == pytest.approx(largest)


def test_guessing_the_mean_explains_nothing():
    target = encode_target(np.linspace(0, 1, 50))
    assert guessing_score(target) == 0.0
    assert largest_share(target) is None
