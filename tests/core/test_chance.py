"""Information expected by chance, against known answers and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

from entropick import _core
from entropick.counting.surprisal import expected_within


def expected_information(class_sizes):
    """n·E[I] of a cell of each size."""
    sizes = np.arange(sum(class_sizes) + 1)
    expected = np.full(len(sizes), np.nan)
    _core.Chance(np.asarray(class_sizes, np.int64)).fill(sizes, expected)
    return expected


def expected_bits(codes, labels):
    return expected_information(np.bincount(labels))[np.bincount(codes)].sum() / len(labels)


@pytest.mark.parametrize(
    ("codes", "labels", "bits"),
    [
        (np.repeat([0, 1, 2], 4), np.repeat([0, 1], 6), 0.152108),
        ([0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4], [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2], 0.622969),
        (np.repeat(np.arange(25), 4), np.tile([0, 1, 2, 0, 1], 20), 0.433330),
    ],
)
def test_checked_answers(codes, labels, bits):
    assert expected_bits(codes, labels) == pytest.approx(bits, abs=5e-7)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.sampled_from([1, 2, 17, 300, 3000]),
    n_classes=st.sampled_from([1, 2, 3, 40]),
    n_levels=st.sampled_from([1, 2, 5, 150, 3000]),
)
def test_as_scikit_learn_expects(seed, n_rows, n_classes, n_levels):
    """For sizes computed one by one, and for those in between."""
    rng = np.random.default_rng(seed)
    codes, labels = (
        np.unique(rng.choice(k, n_rows, p=rng.dirichlet(np.full(k, 0.5))), return_inverse=True)[1]
        for k in (n_levels, n_classes)
    )
    table = contingency_matrix(codes, labels, sparse=True).astype(np.int64)
    nats = expected_mutual_information(table, n_rows) if min(table.shape) > 1 else 0.0
    assert expected_bits(codes, labels) == pytest.approx(nats / np.log(2), rel=1e-6, abs=1e-12)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=5).filter(any))
def test_a_cell_of_no_rows_or_of_all_rows_tells_nothing(class_sizes):
    expected = expected_information(class_sizes)
    assert expected[0] == 0
    assert expected[-1] == pytest.approx(0, abs=1e-9)
    assert (expected >= -1e-9).all()


def test_classes_without_rows_and_their_order_change_nothing():
    expected = expected_information([30, 5, 500])
    np.testing.assert_array_equal(expected_information([500, 0, 30, 5, 0]), expected)


@pytest.mark.parametrize("class_sizes", [[-1, 3], [2**40]])
def test_impossible_sizes_are_refused(class_sizes):
    with pytest.raises(ValueError, match="must"):
        _core.Chance(np.array(class_sizes))


def test_sizes_in_any_order():
    chance, sizes = _core.Chance(np.array([700, 300])), np.random.default_rng(0).permutation(1001)
    expected = np.empty(1001)
    chance.fill(sizes, expected)
    np.testing.assert_array_equal(expected, expected_information([700, 300])[sizes])


@pytest.mark.parametrize("sizes", [[-1], [5], [2**40]])
def test_sizes_of_no_cell_are_refused(sizes):
    with pytest.raises(ValueError, match="at most"):
        _core.Chance(np.array([2, 2])).fill(np.array(sizes), np.zeros(1))


def test_of_few_classes_or_cells_as_of_many():
    """If there are more cells than different sizes, each size is computed once."""
    counts, sizes = np.array([[3, 4], [50, 60]]), np.array([1, 2, 3])
    within = expected_within(counts, np.array([0, 1, 1]), sizes, 1000.0)
    assert within.tolist() == [
        int(np.rint(expected_information(counts[level])[size] * 1000.0))
        for level, size in zip([0, 1, 1], sizes.tolist(), strict=True)
    ]
    many = np.tile(sizes, 100)
    alone = expected_within(counts[1:], np.zeros_like(many), many, 1000.0)
    np.testing.assert_array_equal(
        alone, np.tile(np.rint(expected_information(counts[1])[sizes] * 1000.0), 100)
    )
