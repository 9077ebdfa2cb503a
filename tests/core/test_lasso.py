"""Compiled lassos of rows on other rows against the conditions of the minimum."""

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from entropick import _core


def described(points, sparsity):
    """Weights (rows, rows) and whether those of each row are exact."""
    n = len(points)
    weights, is_solved = np.full((n, n), np.nan), np.zeros(n, bool)
    _core.describe_rows(points @ points.T, sparsity, 0, weights, is_solved)
    return weights, is_solved


@example(seed=1, n=3, d=2, sparsity=0.01)  # a row leaves and joins again at once with the other sign
@given(
    seed=st.integers(0, 19),
    n=st.integers(1, 40),
    d=st.integers(1, 20),
    sparsity=st.sampled_from([0.01, 0.2, 0.9]),
)
def test_descriptions_are_minima(seed, n, d, sparsity):
    """What is left is as alike to members as the penalty, with the sign of the weight, and less to all others."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, d)) + rng.normal(size=d)
    weights, is_solved = described(points, sparsity)
    assert is_solved.all() or d == 1  # rows on a line depend on each other
    assert (np.diag(weights)[is_solved] == 0).all()
    for i in np.flatnonzero(is_solved):
        others = np.arange(n) != i
        alike = points[others] @ (points[i] - weights[i] @ points)
        penalty = sparsity * np.abs(points[others] @ points[i]).max(initial=0.0)
        own = weights[i][others]
        assert alike[own != 0] == pytest.approx(penalty * np.sign(own[own != 0]), rel=1e-7)
        assert (np.abs(alike[own == 0]) < penalty).all()


def test_descriptions_that_are_not_unique_are_left():
    """A row whose copies describe others may share its weight with them in any way."""
    points = np.random.default_rng(0).normal(size=(12, 5))
    _, is_solved = described(np.concatenate([points, points[:1]]), 0.01)
    weights, _ = described(points, 0.01)
    uses_first = weights[:, 0] != 0
    assert uses_first[1:].any()
    assert not is_solved[1:12][uses_first[1:]].any()


def test_rows_of_zeros_describe_nothing():
    weights, is_solved = described(np.zeros((3, 2)), 0.5)
    assert is_solved.all()
    assert not weights.any()


def test_blocks_of_rows_are_the_same_bits():
    points = np.random.default_rng(1).normal(size=(30, 8))
    weights, _ = described(points, 0.05)
    part, is_solved = np.empty((7, 30)), np.empty(7, bool)
    _core.describe_rows(points @ points.T, 0.05, 11, part, is_solved)
    assert (part == weights[11:18]).all()
