"""Compiled counts of nearer values against all pairs."""

import numpy as np
from hypothesis import given, strategies as st

from core.cases import seeds
from entropick import _core


def numbers(rng, n, is_rounded):
    values = rng.standard_normal(n)
    return np.round(values, 1) if is_rounded else values


@given(
    seed=seeds, n=st.integers(1, 60), n_classes=st.integers(1, 8), k=st.integers(1, 5), rounded=st.booleans()
)
def test_nearer_than_own(seed, n, n_classes, k, rounded):
    rng = np.random.default_rng(seed)
    values, labels = np.sort(numbers(rng, n, rounded)), rng.integers(0, n_classes, n).astype(np.int32)
    sizes = np.bincount(labels, minlength=n_classes)
    distances = np.abs(values[:, None] - values)
    expected = []
    for i in range(n):
        own = np.sort(np.delete(distances[i], i)[np.delete(labels, i) == labels[i]])
        reach = np.nextafter(own[min(k, len(own)) - 1], 0.0) if len(own) else -1.0
        expected.append(int((distances[i][sizes[labels] > 1] <= reach).sum()))
    assert _core.nearer_than_own(values, labels, n_classes, k).tolist() == expected


@given(seed=seeds, n=st.integers(2, 120), k=st.integers(1, 5), rounded=st.booleans())
def test_nearer_in_plane(seed, n, k, rounded):
    rng, k = np.random.default_rng(seed), min(k, n - 1)
    both = numbers(rng, n, rounded), numbers(rng, n, rounded)
    distances = [np.abs(values[:, None] - values) for values in both]
    larger = np.maximum(*distances)
    np.fill_diagonal(larger, np.inf)
    reach = np.nextafter(np.sort(larger, axis=1)[:, k - 1], 0.0)
    expected = [((of_one <= reach[:, None]).sum(axis=1) - 1).tolist() for of_one in distances]
    assert _core.nearer_in_plane(*both, k).tolist() == expected
