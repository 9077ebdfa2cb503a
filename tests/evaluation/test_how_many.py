"""The one rule for the number of columns."""

import numpy as np
import pytest

from entropick.evaluation.how_many import choose_size, sizes_to_try, standard_error


def losses_of(means, errors, n_parts=400):
    """Losses of rows whose differences to the least have these means and standard errors."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(len(means), n_parts))
    noise -= noise.mean(axis=1, keepdims=True)
    noise /= standard_error(noise)[:, None]
    common = 5 * rng.normal(size=n_parts)  # of all sizes, so that it is in no difference
    return np.array(means)[:, None] + np.array(errors)[:, None] * noise + common - common.mean()


@pytest.mark.parametrize(
    ("means", "errors", "n_errors", "kept", "best"),
    [
        ([0.9, 0.55, 0.52, 0.50, 0.51, 0.53, 0.6], [0.02] * 3 + [0] + [0.02] * 3, 1, 3, 3),  # 2, 3, 4 of 0..6
        ([0.9, 0.55, 0.52, 0.50, 0.51, 0.60, 0.6], [0.03] * 3 + [0] + [0.03] * 3, 1, 3, 3),
        (
            [0.9, 0.51, 0.50, 0.60, 0.61, 0.62, 0.6],
            [0.02] * 2 + [0] + [0.02] * 4,
            1,
            1,
            2,
        ),  # two: the smaller
        ([0.9, 0.80, 0.70, 0.60, 0.50, 0.40, 0.3], [0.02] * 6 + [0], 1, 6, 6),  # no smaller one is as good
        ([0.9, 0.53, 0.52, 0.50, 0.52, 0.53, 0.6], [0.02] * 3 + [0] + [0.02] * 3, 0, 3, 3),
        (
            [0.9, 0.52, 0.505, 0.50, 0.52, 0.53, 0.6],
            [0.02] * 3 + [0] + [0.02] * 3,
            0,
            2,
            3,
        ),  # 2 % of the gain
    ],
)
def test_the_middle_of_those_as_good_as_the_best(means, errors, n_errors, kept, best):
    """By the error of the difference to the best: what all sizes have in common does not count."""
    assert choose_size(losses_of(means, errors), n_errors) == (kept, best)


def test_columns_known_to_gain_nothing_do_not_count():
    """A copy of a column predicts what the column does; many rows tell that a column adds next to nothing."""
    losses = losses_of([0.9, 0.5, 0.501, 0.502], [0.02, 0, 0.02, 0.02])
    assert choose_size(losses).kept == 2
    assert choose_size(losses[[0, 1, 1, 1, 1, 1, 2]]).kept == 1
    assert choose_size(losses[[0, 1, 1, 1, 1, 1]]).kept == 1
    assert choose_size(losses_of([0.9, 0.505, 0.502, 0.5, 0.499], [0.01, 0.003, 0.003, 0.003, 0])).kept == 1


def test_no_size_is_better_than_guessing():
    assert choose_size(losses_of([1.3, 1.2, 1.1], [0.01, 0.01, 0])) == (2, 2)


def test_sizes():
    """One by one at first, then in growing steps, to the last."""
    assert sizes_to_try(0, 45) == [0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 23, 32, 45]
    assert sizes_to_try(2, 4) == [2, 3, 4]
    assert sizes_to_try(3, 3) == [3]
