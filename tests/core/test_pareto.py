"""Compiled fronts and crowding against the definitions."""

import math

import numpy as np
from hypothesis import given, strategies as st

from core.cases import seeds
from entropick import _core


@given(seed=seeds, n=st.integers(0, 40))
def test_fronts(seed, n):
    values = np.random.default_rng(seed).integers(0, 8, (n, 2)).astype(float)
    order = np.lexsort((values[:, 1], values[:, 0]))
    ranks, distances = np.empty(n, np.int64), np.empty(n)
    _core.front_ranks(values, order, ranks)
    _core.crowding(values, order, ranks, distances)
    left, rank, expected = set(range(n)), 0, {}
    while left:
        front = {
            i for i in left
            if not any((values[j] <= values[i]).all() and (values[j] < values[i]).any() for j in left)
        }  # fmt: skip
        expected |= dict.fromkeys(front, rank)
        left, rank = left - front, rank + 1
    assert ranks.tolist() == [expected[i] for i in range(n)]
    for r in range(rank):
        own = [i for i in order if ranks[i] == r]
        for at, i in enumerate(own):
            inner = 0 < at < len(own) - 1
            wanted = np.abs(values[own[at + 1]] - values[own[at - 1]]).sum() if inner else math.inf
            assert distances[i] == wanted
