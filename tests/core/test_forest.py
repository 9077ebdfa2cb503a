"""Compiled forests on hostile columns: means of the rows of the fit, whatever the values are."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import seeds
from entropick import _core


def wild_columns(rng, n_columns, n_rows):
    """Few levels and many, missing values, infinite ones and ones too large to be added."""
    columns = rng.normal(size=(n_columns, n_rows))
    for column in columns:
        kind = rng.integers(5)
        if kind == 0:
            column[:] = rng.integers(0, rng.integers(1, 5), n_rows)
        elif kind == 1:
            column[rng.random(n_rows) < 0.5] = rng.choice([np.nan, 0.0, -0.0])
        elif kind == 2:
            column[:] = rng.choice([-np.inf, np.inf, np.nan, 1e308, -1e308, 5e-324], n_rows)
    return columns


def predicted(columns, places, amounts, *, n_tried, n_trees=5, seed=0, of=None):
    means = np.full((columns.shape[1], places.max() + 1), np.nan)
    _core.Forest(columns, places, amounts, n_tried, n_trees, seed).predict(
        columns if of is None else of, means
    )
    return means


sizes = st.one_of(st.integers(1, 40), st.sampled_from([256, 257, 600]))


@given(seed=seeds, n_rows=sizes, n_columns=st.integers(0, 5), n_classes=st.integers(1, 6))
def test_means_are_of_rows_of_the_fit(seed, n_rows, n_columns, n_classes):
    """Shares of classes sum to 1, and means of numbers are between the least and the largest."""
    rng = np.random.default_rng(seed)
    columns = wild_columns(rng, n_columns, n_rows)
    classes = rng.integers(0, min(n_classes, n_rows), n_rows).astype(np.int32)
    shares = predicted(columns, classes, np.ones(n_rows), n_tried=1 + seed % 3, seed=seed)
    assert (shares >= 0).all()
    assert shares.sum(axis=1) == pytest.approx(np.ones(n_rows))
    numbers = rng.normal(size=n_rows)
    other = np.ascontiguousarray(columns[:, ::-1])
    means = predicted(columns, 0 * classes, numbers, n_tried=n_columns + 1, seed=seed, of=other)
    assert (means >= numbers.min() - 1e-9).all()
    assert (means <= numbers.max() + 1e-9).all()


@given(seed=seeds, n_rows=sizes)
def test_levels_are_all_that_counts(seed, n_rows):
    """Equal rows are predicted alike, and an increasing function of a column changes nothing."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 4, (2, n_rows)).astype(float)
    numbers = rng.normal(size=n_rows)
    means = predicted(columns, np.zeros(n_rows, np.int32), numbers, n_tried=2, seed=seed)
    for alike in np.unique(columns, axis=1).T:
        assert len(np.unique(means[(columns.T == alike).all(axis=1)])) == 1
    cubes = columns**3 - 7
    assert (predicted(cubes, np.zeros(n_rows, np.int32), numbers, n_tried=2, seed=seed) == means).all()


def test_one_tree_of_distinct_rows_learns_its_sample():
    """Leaves are pure, so a tree that has seen a row predicts its number: about 63 % of them."""
    numbers = np.random.default_rng(0).normal(size=200)
    columns = np.arange(200.0)[None]
    means = predicted(columns, np.zeros(200, np.int32), numbers, n_tried=1, n_trees=1)[:, 0]
    assert np.abs(means[:, None] - numbers).min(axis=1).max() < 1e-12
    assert 0.5 < (np.abs(means - numbers) < 1e-12).mean() < 0.75
