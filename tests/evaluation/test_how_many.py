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


def chosen(means, errors, n_errors=0.0):
    return choose_size(losses_of(means, errors), np.random.default_rng(0), n_errors)


@pytest.mark.parametrize(
    ("means", "errors", "n_errors", "kept", "best"),
    [
        ([0.9, 0.55, 0.52, 0.50, 0.53, 0.53, 0.6], [0.001] * 7, 0, 3, 3),
        ([0.9, 0.55, 0.505, 0.50, 0.51, 0.53, 0.6], [0.001] * 7, 0, 2, 3),  # within 2 % of the gain
        ([0.9, 0.80, 0.70, 0.60, 0.50, 0.40, 0.3], [0.001] * 7, 3, 6, 6),  # no smaller one is as good
        ([0.9, 0.55, 0.52, 0.50, 0.53, 0.53, 0.6], [0.03] * 3 + [0] + [0.03] * 3, 1, 2, 3),
        ([0.9, 0.55, 0.52, 0.50, 0.53, 0.53, 0.6], [0.03] * 3 + [0] + [0.03] * 3, 3, 1, 3),
    ],
)
def test_the_smallest_of_those_as_good_as_the_best(means, errors, n_errors, kept, best):
    """By the error of the difference to the best: what all sizes have in common does not count."""
    found = chosen(means, errors, n_errors)
    assert (found.kept, found.best) == (kept, best)
    assert found.low <= found.kept <= found.high


@pytest.mark.parametrize("seed", range(30))
def test_a_larger_n_errors_never_keeps_more(seed):
    """Whatever the losses are."""
    rng = np.random.default_rng(seed)
    losses = rng.normal(np.sort(rng.uniform(0, 1, 8))[:: rng.choice([-1, 1])][:, None], 0.5, (8, 60))
    kept = [
        choose_size(losses, np.random.default_rng(seed), n_errors)[:4:3] for n_errors in (0, 0.3, 1, 2, 5)
    ]
    assert kept == sorted(kept, reverse=True)


def test_columns_that_gain_nothing_do_not_count():
    """A copy of a column predicts what the column does."""
    losses = losses_of([0.9, 0.5, 0.501, 0.502], [0.02, 0, 0.001, 0.001])
    for sizes in ([0, 1, 2, 3], [0, 1, 1, 1, 1, 1, 2], [0, 1, 1, 1]):
        assert choose_size(losses[sizes], np.random.default_rng(0)).kept == 1


def test_no_size_is_better_than_guessing():
    assert chosen([1.3, 1.2, 1.1], [0.001, 0.001, 0])[:2] == (2, 2)


def test_the_interval_is_wide_where_rows_decide():
    """All sizes but the first are equal up to noise: any may be kept, and that is said."""
    clear, open_ = chosen([0.9, 0.5, 0.6, 0.6], [0.01] * 4), chosen([0.9, 0.5, 0.5, 0.5], [0.05] * 4)
    assert (clear.low, clear.high) == (1, 1)
    assert open_.low < open_.high


def test_sizes():
    """One by one at first, then in growing steps, to the last."""
    assert sizes_to_try(0, 45) == [0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 23, 32, 45]
    assert sizes_to_try(2, 4) == [2, 3, 4]
    assert sizes_to_try(3, 3) == [3]
