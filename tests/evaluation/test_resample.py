"""Samples of the rows of large tables."""

import numpy as np
import pytest

from entropick.evaluation.resample import draw_rows


def drawn(strata, max_rows, evenly, seed=0):
    return draw_rows(np.asarray(strata), max_rows, np.random.default_rng(seed), evenly=evenly)


@pytest.mark.parametrize("evenly", [False, True])
def test_small_tables_are_taken_whole(evenly):
    strata = [2, 0, 1, 0]
    assert drawn(strata, 4, evenly).tolist() == drawn(strata, None, evenly).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(5))
def test_classes_have_their_share_of_the_table(seed):
    """Within one row, also in a table of many rare classes."""
    rng = np.random.default_rng(seed)
    strata = np.minimum(rng.geometric(0.02, 30_000), 400)
    rows = drawn(strata, 2000, evenly=False, seed=seed)
    assert len(np.unique(rows)) == 2000
    assert (np.diff(rows) > 0).all()
    shares = np.bincount(strata, minlength=401) * 2000 / 30_000
    assert np.abs(np.bincount(strata[rows], minlength=401) - shares).max() <= 1


def test_real_values_keep_their_distribution():
    values = np.random.default_rng(0).lognormal(size=30_000)
    rows = drawn(values, 2000, evenly=False)
    for share in (0.05, 0.5, 0.95):
        assert np.mean(values[rows] <= np.quantile(values, share)) == pytest.approx(share, abs=1 / 2000)


def test_rare_classes_keep_all_their_rows():
    """The others share what is left evenly."""
    strata = np.repeat([0, 1, 2], [50_000, 9_990, 10])
    assert np.bincount(strata[drawn(strata, 2000, evenly=True)]).tolist() == [995, 995, 10]


def test_every_row_may_be_drawn():
    strata = np.arange(40) % 3
    for evenly in (False, True):
        rows = {int(row) for seed in range(40) for row in drawn(strata, 10, evenly, seed)}
        assert rows == set(range(40))
