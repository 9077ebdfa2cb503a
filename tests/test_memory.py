"""A fit holds the encoded table, its bit planes and little more."""

import tracemalloc

import numpy as np
import pytest

import entropick as ep

N_ROWS, N_COLUMNS = 200_000, 64


@pytest.mark.parametrize("selector", [ep.MRMR, ep.JMI, ep.CMIM, ep.RenyiFS], ids=lambda s: s.__name__)
def test_peak_memory_of_a_fit(selector):
    """At most 1.5 times the encoded table (one byte per value), and what one block needs."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (N_ROWS, N_COLUMNS), dtype=np.uint8)
    y = (X[:, 3] + rng.integers(0, 2, N_ROWS, dtype=np.uint8)) % 3
    selector(n_features=2).fit(X[:100], y[:100])  # compiles
    tracemalloc.start()
    try:
        selector(n_features=5, n_jobs=2).fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    per_row = 60 * N_ROWS  # labels, φ, one selected column and the like: some tens of bytes per row
    assert peak <= 1.5 * N_ROWS * N_COLUMNS + per_row
